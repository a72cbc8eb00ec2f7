"""Exact match, token F1 and ROUGE, and the registry through which a runner scores by name.

Every result lies in [0, 1]. The empty rule, here for all overlap metrics (F1 and ROUGE): two texts without
tokens score 1.0, one without tokens against one with tokens scores 0.0 (SQuAD 2.0: Rajpurkar et al. 2018,
section 5.2, and its script).
Where a rouge tokenizer merely sees nothing, as in another script, two texts of different words score 0.0.
A text that is not a string is a TypeError that names the argument; an unknown name is a ValueError.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from . import __version__
from .bleu import bleu
from .counting import lcs_length, lcs_path, ngram_counts, overlap_size
from .text import NORMALIZERS, TOKENIZERS, known, require_text, require_whole, text_list, word_tokens

T = TypeVar("T")

# --- whole answers ---------------------------------------------------------------------------------------


def exact_match(prediction: str, reference: str, normalizer: str = "squad") -> int:
    """Return 1 if the two texts are equal after the normalizer, else 0.

    Two texts that are both empty after it match. Source: Rajpurkar et al. 2016, section 6.1.
    """
    function = _checked("normalizer", normalizer, NORMALIZERS, prediction, reference)
    return int(function(prediction) == function(reference))


def accuracy(prediction: str, target: str) -> int:
    """Return 1 if two labels are equal once stripped, else 0. Case counts: "Yes" is not "yes"."""
    require_text("prediction", prediction)
    require_text("target", target)
    return int(prediction.strip() == target.strip())


# --- token overlap ---------------------------------------------------------------------------------------


def token_f1(prediction: str, reference: str, tokenizer: str = "squad") -> float:
    """Return the harmonic mean of token precision and recall, in [0, 1]; tokens count as a multiset.

    F1 = 2 * overlap / (tokens of the prediction + tokens of the reference). Empty rule: see the module.
    Source: Rajpurkar et al. 2016, section 6.1.
    """
    first, second = _tokens(prediction, reference, tokenizer)
    if not first or not second:
        return _empty_rule(prediction, reference, tokenizer)
    return 2 * overlap_size(first, second) / (len(first) + len(second))


class TokenOverlap(NamedTuple):
    """What one prediction and one reference share: the tokens behind a token F1, and its three numbers."""

    precision: float
    recall: float
    f1: float
    matched: tuple[str, ...]
    extra: tuple[str, ...]
    missing: tuple[str, ...]

    def __repr__(self) -> str:
        """Show the three numbers as the fractions they are, and the tokens below."""
        hits, rows = len(self.matched), ("matched", "extra", "missing")
        precision = f"precision {hits}/{hits + len(self.extra)} = {self.precision:.2f}"
        recall = f"recall {hits}/{hits + len(self.missing)} = {self.recall:.2f}"
        tokens = [f"{row}: {' '.join(getattr(self, row)) or '-'}" for row in rows]
        return "\n".join([f"{precision}   {recall}   F1 = {self.f1:.2f}", *tokens])


def token_overlap(prediction: str, reference: str, tokenizer: str = "squad") -> TokenOverlap:
    """Return precision, recall and F1, all in [0, 1], and which tokens matched, were extra or are missing.

    `matched` and `extra` together are the prediction's tokens, `matched` and `missing` the reference's, each
    in the order of its text. Empty rule: see the module. Source: Rajpurkar et al. 2016, section 6.1.
    """
    first, second = _tokens(prediction, reference, tokenizer)
    matched, extra = _partition(first, second)
    _, missing = _partition(second, first)
    parts = _parts(len(matched), len(first), len(second), (prediction, reference, tokenizer))
    return TokenOverlap(*parts, tuple(matched), tuple(extra), tuple(missing))


def _partition(tokens: list[str], others: list[str]) -> tuple[list[str], list[str]]:
    """Split a list into the tokens that the other list has as often, and the rest."""
    left, shared, rest = Counter(others), [], []
    for token in tokens:
        if left[token]:
            left[token] -= 1
            shared.append(token)
        else:
            rest.append(token)
    return shared, rest


# --- ROUGE -----------------------------------------------------------------------------------------------


class Rouge(NamedTuple):
    """Precision, recall and F-measure of one pair, each in [0, 1]."""

    precision: float
    recall: float
    fmeasure: float


def rouge_n_parts(
    prediction: str, reference: str, n: int, tokenizer: str = "rouge_stem", beta: float = 1.0
) -> Rouge:
    """Return ROUGE-N: the overlap of n-grams, as multisets.

    A text too short for one n-gram shares none and scores 0, as in rouge_score. `n` below 1 or a `beta` that
    is not positive is a ValueError. Empty rule: see the module. Source: Lin 2004, section 2.
    """
    require_whole("n", n)
    first, second = _tokens(prediction, reference, tokenizer)
    hits = (ngram_counts(first, n) & ngram_counts(second, n)).total()
    # A text with tokens, but too few for an n-gram, counts as having one.
    sizes = [max(len(tokens) - n + 1, 1) if tokens else 0 for tokens in (first, second)]
    return _parts(hits, sizes[0], sizes[1], (prediction, reference, tokenizer), beta)


def rouge_l_parts(prediction: str, reference: str, tokenizer: str = "rouge_stem", beta: float = 1.0) -> Rouge:
    """Return ROUGE-L: the longest common subsequence over the length of each side.

    `beta` weighs recall: F = (1 + beta^2) * P * R / (R + beta^2 * P); 1.0 as rouge_score has it.
    Empty rule: see the module. Source: Lin 2004, section 3.1.
    """
    first, second = _tokens(prediction, reference, tokenizer)
    texts = (prediction, reference, tokenizer)
    return _parts(lcs_length(first, second), len(first), len(second), texts, beta)


def rouge_lsum_parts(
    prediction: str, reference: str, tokenizer: str = "rouge_stem", beta: float = 1.0
) -> Rouge:
    r"""Return ROUGE-Lsum: for each line of the reference, the union of its subsequences with all lines.

    Lines end at "\n". A token counts at most as often as each side has it, as in rouge_score.
    Empty rule: see the module. Source: Lin 2004, section 3.2.
    """
    function = _checked("tokenizer", tokenizer, TOKENIZERS, prediction, reference)
    lines = [function(line) for line in prediction.split("\n")]
    reference_lines = [function(line) for line in reference.split("\n")]
    union = [
        reference_line[i]
        for reference_line in reference_lines
        for i in sorted({i for line in lines for i, _ in lcs_path(reference_line, line)})
    ]
    words = [word for line in lines for word in line]
    # Two lines of the reference can claim one token of the prediction: it counts once.
    hits, size = overlap_size(words, union), sum(map(len, reference_lines))
    return _parts(hits, len(words), size, (prediction, reference, tokenizer), beta)


def rouge_n(
    prediction: str, reference: str, n: int, tokenizer: str = "rouge_stem", beta: float = 1.0
) -> float:
    """Return the F-measure of `rouge_n_parts`."""
    return rouge_n_parts(prediction, reference, n, tokenizer, beta).fmeasure


def rouge_l(prediction: str, reference: str, tokenizer: str = "rouge_stem", beta: float = 1.0) -> float:
    """Return the F-measure of `rouge_l_parts`."""
    return rouge_l_parts(prediction, reference, tokenizer, beta).fmeasure


def rouge_lsum(prediction: str, reference: str, tokenizer: str = "rouge_stem", beta: float = 1.0) -> float:
    """Return the F-measure of `rouge_lsum_parts`."""
    return rouge_lsum_parts(prediction, reference, tokenizer, beta).fmeasure


def _checked(what: str, name: str, table: dict[str, T], prediction: str, reference: str) -> T:
    """Return the normalizer or tokenizer of that name; the name is checked first, then the two texts."""
    function = known(what, name, table)
    if not (isinstance(prediction, str) and isinstance(reference, str)):
        require_text("prediction", prediction)
        require_text("reference", reference)
    return function


def _tokens(prediction: str, reference: str, tokenizer: str) -> tuple[list[str], list[str]]:
    function = _checked("tokenizer", tokenizer, TOKENIZERS, prediction, reference)
    return function(prediction), function(reference)


def _parts(
    hits: int, size: int, reference_size: int, texts: tuple[str, str, str], beta: float = 1.0
) -> Rouge:
    """Turn counts into precision, recall and F-beta; `texts` are prediction, reference and tokenizer name."""
    if not 0 < beta < float("inf"):
        raise ValueError(f"beta must be a positive number, not {beta!r}")
    if not size or not reference_size:
        value = _empty_rule(*texts)
        return Rouge(value, value, value)
    precision, recall = hits / size, hits / reference_size
    # (1 + b^2) P R / (R + b^2 P), multiplied out: the hits over a length between the two lengths. So equal
    # texts give exactly 1.0, whatever beta is.
    weight = 1 - 1 / (1 + beta * beta)
    return Rouge(precision, recall, hits / (size + weight * (reference_size - size)))


def _empty_rule(prediction: str, reference: str, tokenizer: str) -> float:
    """Return what a pair scores of which at least one text has no tokens: the rule at the top of this module.

    The rouge tokenizers see nothing in another script, and two answers are not equal because a tokenizer is
    blind: there the words must be the same. SQuAD's rule is kept as published: "A" and "The" agree.
    """
    tokens = TOKENIZERS[tokenizer]
    if tokens(prediction) or tokens(reference):
        return 0.0
    return float(tokenizer == "squad" or word_tokens(prediction) == word_tokens(reference))


# --- the registry: the only entry a runner needs ---------------------------------------------------------


class Metric(NamedTuple):
    """A metric as a runner sees it: a function, and what a reader must know to compare its numbers.

    `function` takes (prediction, reference) and returns a number in [0, 1]; with `several="joint"` it takes
    (prediction, list of references). `contract` names normalizer or tokenizer and options, as in "tok:word".
    """

    function: Callable[[str, Any], float]
    contract: str
    empty_rule: str = "both=1,one=0"
    several: str = "best"


METRICS: dict[str, Metric] = {
    "exact_match": Metric(exact_match, "norm:squad"),
    "accuracy": Metric(accuracy, "norm:strip|case:kept"),
    "f1": Metric(token_f1, "tok:squad"),
    "rouge_l": Metric(rouge_l, "tok:rouge_stem|beta:1"),
    "bleu_4": Metric(
        lambda prediction, references: bleu(prediction, references).score,
        "tok:word|order:4|smooth:add-one|eff:no|len:closest",
        empty_rule="any=0",
        several="joint",
    ),
}


def score(metric_name: str, prediction: str, targets: str | Sequence[str]) -> float:
    """Return the score of one prediction against one target text or a list of them, in [0, 1].

    With several targets it is the best single one, except for BLEU, which takes them jointly. Errors, in this
    order: an unknown metric (ValueError), a prediction or target that is no string (TypeError), an empty
    list of targets (ValueError), a metric that returns anything but a number in [0, 1] (ValueError).
    """
    metric = known("metric", metric_name, METRICS)
    require_text("prediction", prediction)
    references = text_list("targets", targets)
    if metric.several == "joint":
        values = [metric.function(prediction, references)]
    else:
        values = [metric.function(prediction, reference) for reference in references]
    for value in values:
        if not 0 <= value <= 1:
            raise ValueError(f"metric {metric_name!r} returned {value!r}, which is not between 0 and 1")
    return float(max(values))


def signature(metric_name: str) -> str:
    """Return what must travel with a number: metric, contract, references rule, empty rule, version."""
    metric = known("metric", metric_name, METRICS)
    rules = f"refs:{metric.several}|empty:{metric.empty_rule}"
    return f"{metric_name}|{metric.contract}|{rules}|v:{__version__}"
