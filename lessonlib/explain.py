"""One pair, many numbers: a metric under the tokenizers, smoothings and libraries in use, and what differs.

Scores of one name can be compared only when all of these agree; the table says what does not.
"""

import html
import warnings
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from .bleu import SMOOTHINGS, BleuScore, bleu
from .chrf import chrf
from .counting import Tokens, lcs_length, overlap_size
from .metrics import rouge_l, token_f1
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
        cells = self._cells()
        widths = [max(len(row[column]) for row in cells) for column in range(3)]
        lines = []
        for *short, reason in cells:
            padded = (cell.ljust(width) for cell, width in zip(short, widths, strict=True))
            lines.append("  ".join([*padded, reason]))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        lines = []
        for n, row in enumerate(self._cells()):
            tag = "td" if n else "th"
            cells = (f'<{tag} style="text-align: left">{html.escape(cell)}</{tag}>' for cell in row)
            lines.append(f"<tr>{''.join(cells)}</tr>")
        return f"<table>{''.join(lines)}</table>"

    def _cells(self) -> list[list[str]]:
        scores = ["-" if row.score is None else f"{row.score:.4f}" for row in self]
        rows = [[row.metric, row.variant, shown, row.reason] for row, shown in zip(self, scores, strict=True)]
        return [["metric", "variant", "score", "reason"], *rows]


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


def _beta(prediction: str, reference: str) -> Result:
    reason = "recall weighs 1.44 times as much as precision, as in the COCO caption code"
    return rouge_l(prediction, reference, "word", beta=1.2), reason


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
    return (
        f"no {order}-gram is shared" if result.totals[order - 1] else f"the prediction has no {order}-grams"
    )


def _sacrebleu(prediction: str, reference: str) -> Result:
    from sacrebleu import BLEU

    # sentence_score would log advice about effective order; a corpus of one answer is the same number.
    score = BLEU().corpus_score([prediction], [[reference]]).score / 100
    return score, "the library's defaults: 13a, exp; its 0 to 100 divided by 100"


def _sacrebleu_chrf(word_order: int, prediction: str, reference: str) -> Result:
    from sacrebleu import CHRF

    score = CHRF(word_order=word_order).sentence_score(prediction, [reference]).score / 100
    return score, "the library's defaults; its 0 to 100 divided by 100"


def _sacrebleu_sentence(prediction: str, reference: str) -> Result:
    from sacrebleu import sentence_bleu

    return sentence_bleu(prediction, [reference]).score / 100, "the same, with effective order as its default"


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


def _chrf(word_order: int, normalizer: str, reason: str, prediction: str, reference: str) -> Result:
    return chrf(prediction, reference, word_order=word_order, normalizer=normalizer), reason


F1 = partial(_overlap, token_f1, overlap_size, "shared")
ROUGE_L = partial(_overlap, rouge_l, lcs_length, "in order")
CHARACTERS = "runs of 1 to 6 characters without white space; case counts; recall weighs 4 times as much"
EFFECTIVE = "as exp, without the orders for which the prediction is too short"
VARIANTS: tuple[tuple[str, str, Callable[[str, str], Result]], ...] = (
    *(("token F1", name, partial(F1, name)) for name in ("squad", "word", "whitespace")),
    *(("ROUGE-L", name, partial(ROUGE_L, name)) for name in ("rouge_stem", "rouge", "word", "squad")),
    ("ROUGE-L", "word, beta 1.2", _beta),
    ("ROUGE-L", "rouge_score", _rouge_score),
    *(
        ("BLEU-4", f"word, {name}", partial(_bleu, "word", name, False, SMOOTHINGS[name]))
        for name in SMOOTHINGS
    ),
    ("BLEU-4", "word, exp, effective order", partial(_bleu, "word", "exp", True, EFFECTIVE)),
    ("BLEU-4", "13a, add-one", partial(_bleu, "13a", "add-one", False, RULES["13a"])),
    ("BLEU-4", "sacrebleu BLEU()", _sacrebleu),
    ("BLEU-4", "sacrebleu.sentence_bleu", _sacrebleu_sentence),
    ("BLEU-4", "NLTK sentence_bleu", _nltk),
    ("chrF", "chrF", partial(_chrf, 0, "raw", CHARACTERS)),
    ("chrF", "chrF, lower case", partial(_chrf, 0, "lower", "as chrF, of the lower-cased texts")),
    ("chrF", "chrF++", partial(_chrf, 2, "raw", "as chrF, and words and pairs of words count as well")),
    ("chrF", "sacrebleu CHRF()", partial(_sacrebleu_chrf, 0)),
    ("chrF", "sacrebleu chrF++", partial(_sacrebleu_chrf, 2)),
)
