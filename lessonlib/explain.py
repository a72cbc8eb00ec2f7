"""One pair, many numbers: a metric under the tokenizers, smoothings and libraries in use, and what differs.

Scores of one name can be compared only when all of these agree; the table says what does not.
"""

import html
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from .bleu import SMOOTHINGS, BleuScore, bleu
from .chrf import chrf
from .counting import Tokens, lcs_length, overlap_size
from .metrics import rouge_l, token_f1
from .report import Table
from .text import RULES, kept, require_text, rouge_tokens, scored_tokens


class Row(NamedTuple):
    """One number: the metric, the variant that made it, the score in [0, 1], and what sets it apart.

    `score` is None where a library is not installed; `reason` then names it.
    """

    metric: str
    variant: str
    score: float | None
    reason: str


class Explanation(list[Row]):
    """The rows in a fixed order; as text an aligned table, in a notebook an HTML table."""

    def __repr__(self) -> str:
        """Return the table as plain text."""
        header, *rows = self._cells()
        return Table(header, rows, numbers=()).text().removesuffix("\n")

    def _repr_html_(self) -> str:
        lines = []
        for n, row in enumerate(self._cells()):
            tag = "td" if n else "th"
            cells = (f'<{tag} style="text-align: left">{html.escape(cell)}</{tag}>' for cell in row)
            lines.append(f"<tr>{''.join(cells)}</tr>")
        return f"<table>{''.join(lines)}</table>"

    def _cells(self) -> list[list[str]]:
        rows = [[*row[:2], "-" if row.score is None else f"{row.score:.4f}", row.reason] for row in self]
        return [list(Row._fields), *rows]


def explain(prediction: str, reference: str) -> Explanation:
    """Return token F1, ROUGE-L, BLEU-4 and chrF of one pair as people really compute them: a list of rows.

    Always the same rows in the same order. Libraries are imported here, and one that is not installed leaves
    a row without a score that names it. A text that is not a string is a TypeError.
    """
    require_text("prediction", prediction)
    require_text("reference", reference)
    rows = Explanation()
    for metric, variant, make in VARIANTS:
        try:
            score, reason = make(prediction, reference)
            rows.append(Row(metric, variant, min(score, 1.0), reason))  # sacrebleu's rounding can exceed 1
        except ModuleNotFoundError as missing:
            rows.append(Row(metric, variant, None, f"left out: {missing.name} is not installed"))
    return rows


# --- one function a family of variants: a score, and the reason ------------------------------------------

Result = tuple[float, str]
Score = Callable[[str, str, str], float]
Count = Callable[[Tokens, Tokens], int]


def _overlap(score: Score, count: Count, how: str, tokenizer: str, prediction: str, reference: str) -> Result:
    first, second = scored_tokens(prediction, tokenizer), scored_tokens(reference, tokenizer)
    made = score(prediction, reference, tokenizer)
    counted = f"{count(first, second)} {how} of {len(first)} and {len(second)} tokens"
    if not first and not second:
        verdict = "equal" if made else "different: the symbols differ"
        counted = f"no tokens on either side, which counts as {verdict}"
    reason = f"{RULES[tokenizer]}: {counted}"
    seen = kept([prediction, reference], tokenizer)
    if seen < 1:
        reason += f"; it sees {seen:.0%} of the letters, other words stay whole"
    return made, reason


def _with(
    metric: Callable[..., float], options: dict[str, Any], reason: str, prediction: str, reference: str
) -> Result:
    return metric(prediction, reference, **options), reason


def _rouge_score(prediction: str, reference: str) -> Result:
    from rouge_score.rouge_scorer import RougeScorer

    reason = "the library's defaults: the rouge tokenizer, no stemmer"
    if not rouge_tokens(prediction) and not rouge_tokens(reference):
        reason += "; no tokens on either side give 0"
    return RougeScorer(["rougeL"]).score(reference, prediction)["rougeL"].fmeasure, reason


def _bleu(
    tokenizer: str, smoothing: str, effective: bool, reason: str, prediction: str, reference: str
) -> Result:
    result = bleu(prediction, reference, tokenizer=tokenizer, smoothing=smoothing, effective_order=effective)
    if tokenizer != "word" or smoothing == "none":  # new tokens, new counts
        matches = " ".join(f"{n}/{total}" for n, total in zip(result.counts, result.totals, strict=True))
        reason += f": {matches}, brevity penalty {result.brevity_penalty:.4f}"
    return result.score, reason + ("" if result.score else f"; 0 because {_why_zero(result)}")


def _why_zero(result: BleuScore) -> str:
    if not result.hypothesis_length or not result.reference_length:
        return "a text has no tokens"
    if not result.counts[0]:
        return "no word is shared"
    order = next(n for n, precision in enumerate(result.precisions, start=1) if not precision)
    if result.totals[order - 1]:
        return f"no {order}-gram is shared"
    return f"the prediction has no {order}-grams"


def _sacrebleu(metric: str, options: dict[str, Any], reason: str, prediction: str, reference: str) -> Result:
    import sacrebleu

    # sentence_score would log advice about effective order; a corpus of one answer is the same number.
    score = getattr(sacrebleu, metric)(**options).corpus_score([prediction], [[reference]]).score
    return score / 100, reason


def _nltk(prediction: str, reference: str) -> Result:
    from nltk.translate.bleu_score import sentence_bleu

    advice = r"\s*The hypothesis contains 0 counts"
    with warnings.catch_warnings():  # its advice to smooth is told in the reason
        warnings.filterwarnings("ignore", advice, UserWarning)
        score = float(sentence_bleu([reference.split()], prediction.split()))
    reason = "split() and no smoothing: where an order has no match it warns and gives almost 0"
    if len(prediction.split()) < 4:
        reason += "; it counts one n-gram where the prediction is too short for any"
    return score, reason


F1 = partial(_overlap, token_f1, overlap_size, "shared")
ROUGE_L = partial(_overlap, rouge_l, lcs_length, "in order")
BETA = "recall weighs 1.44 times as much as precision, as in the COCO caption code"
CHARACTERS = "runs of 1 to 6 characters without white space; case counts; recall weighs 4 times as much"
SAME = "the same, with effective order as its default"
EFFECTIVE = "as exp, without the orders for which the prediction is too short"
LOWER, PLUS = "as chrF, of the lower-cased texts", {"word_order": 2}
SCALE = "the library's defaults%s; its 0 to 100 divided by 100"
VARIANTS: tuple[tuple[str, str, Callable[[str, str], Result]], ...] = (
    *(("token F1", name, partial(F1, name)) for name in ("squad", "word", "whitespace")),
    *(("ROUGE-L", name, partial(ROUGE_L, name)) for name in ("rouge_stem", "rouge", "word", "squad")),
    ("ROUGE-L", "word, beta 1.2", partial(_with, rouge_l, {"tokenizer": "word", "beta": 1.2}, BETA)),
    ("ROUGE-L", "rouge_score", _rouge_score),
    *(
        ("BLEU-4", f"word, {name}", partial(_bleu, "word", name, False, SMOOTHINGS[name]))
        for name in SMOOTHINGS
    ),
    ("BLEU-4", "word, exp, effective order", partial(_bleu, "word", "exp", True, EFFECTIVE)),
    ("BLEU-4", "13a, add-one", partial(_bleu, "13a", "add-one", False, RULES["13a"])),
    ("BLEU-4", "sacrebleu BLEU()", partial(_sacrebleu, "BLEU", {}, SCALE % ": 13a, exp")),
    ("BLEU-4", "sacrebleu.sentence_bleu", partial(_sacrebleu, "BLEU", {"effective_order": True}, SAME)),
    ("BLEU-4", "NLTK sentence_bleu", _nltk),
    ("chrF", "chrF", partial(_with, chrf, {}, CHARACTERS)),
    ("chrF", "chrF, lower case", partial(_with, chrf, {"normalizer": "lower"}, LOWER)),
    ("chrF", "chrF++", partial(_with, chrf, PLUS, "as chrF, and words and pairs of words count as well")),
    ("chrF", "sacrebleu CHRF()", partial(_sacrebleu, "CHRF", {}, SCALE % "")),
    ("chrF", "sacrebleu chrF++", partial(_sacrebleu, "CHRF", PLUS, SCALE % "")),
)
