"""Exact match, token F1 and ROUGE, and the registry through which a runner scores by name.

Every result lies in [0, 1]. The empty rule, here for all overlap metrics (F1 and ROUGE): two texts without
tokens score 1.0, one without tokens against one with tokens scores 0.0 (SQuAD 2.0: Rajpurkar et al. 2018,
section 5.2, and its script). A word that a tokenizer sees only in part is one token (text.scored_tokens).
A text that is not a string is a TypeError that names the argument; an unknown name, `n` below 1 and a `beta`
that is not positive are ValueErrors. F-beta is (1 + beta^2) P R / (R + beta^2 P): `beta` weighs recall.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar
from unicodedata import category

from .bleu import SMOOTHINGS, bleu
from .chrf import chrf
from .counting import f_measure, lcs_length, lcs_path, ngrams, overlap_size
from .text import (
    DROPPED,
    NORMALIZERS,
    TOKENIZERS,
    known,
    require_text,
    require_whole,
    scored_tokens,
    text_list,
)
from .version import __version__

T = TypeVar("T")


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


def token_f1(prediction: str, reference: str, tokenizer: str = "squad") -> float:
    """Return the harmonic mean of token precision and recall, in [0, 1]; tokens count as a multiset.

    Empty rule: see the module. Source: Rajpurkar et al. 2016, section 6.1.
    """
    first, second = _tokens(prediction, reference, tokenizer)
    if not first or not second:
        return _empty_rule(prediction, reference, tokenizer)
    return f_measure(overlap_size(first, second), len(first), len(second))


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
    parts = _parts(len(matched), (len(first), len(second)), (prediction, reference, tokenizer))
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


class Rouge(NamedTuple):
    """Precision, recall and F-measure of one pair, each in [0, 1]."""

    precision: float
    recall: float
    fmeasure: float


def rouge_n_parts(
    prediction: str, reference: str, n: int, tokenizer: str = "rouge_stem", beta: float = 1.0
) -> Rouge:
    """Return ROUGE-N: the overlap of n-grams, as multisets.

    A text too short for one n-gram shares none and scores 0, as in rouge_score. Empty rule: see the module.
    Source: Lin 2004, section 2.
    """
    require_whole("n", n)
    first, second = _tokens(prediction, reference, tokenizer)
    hits = overlap_size(ngrams(first, n), ngrams(second, n))
    # A text with tokens, but too few for an n-gram, counts as having one.
    sizes = [max(len(tokens) - n + 1, 1) if tokens else 0 for tokens in (first, second)]
    return _parts(hits, (sizes[0], sizes[1]), (prediction, reference, tokenizer), beta)


def rouge_l_parts(prediction: str, reference: str, tokenizer: str = "rouge_stem", beta: float = 1.0) -> Rouge:
    """Return ROUGE-L: the longest common subsequence over the length of each side.

    Empty rule: see the module. Source: Lin 2004, section 3.1.
    """
    first, second = _tokens(prediction, reference, tokenizer)
    sizes = len(first), len(second)
    return _parts(lcs_length(first, second), sizes, (prediction, reference, tokenizer), beta)


def rouge_lsum_parts(
    prediction: str, reference: str, tokenizer: str = "rouge_stem", beta: float = 1.0
) -> Rouge:
    r"""Return ROUGE-Lsum: for each line of the reference, the union of its subsequences with all lines.

    Lines end at "\n". A token counts at most as often as each side has it, as in rouge_score.
    Empty rule: see the module. Source: Lin 2004, section 3.2.
    """
    _checked("tokenizer", tokenizer, TOKENIZERS, prediction, reference)
    lines = [scored_tokens(line, tokenizer) for line in prediction.split("\n")]
    reference_lines = [scored_tokens(line, tokenizer) for line in reference.split("\n")]
    union = [
        reference_line[i]
        for reference_line in reference_lines
        for i in sorted({i for line in lines for i, _ in lcs_path(reference_line, line)})
    ]
    words = [word for line in lines for word in line]
    # Two lines of the reference can claim one token of the prediction: it counts once.
    sizes = len(words), sum(map(len, reference_lines))
    return _parts(overlap_size(words, union), sizes, (prediction, reference, tokenizer), beta)


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


def _checked(what: str, name: str, table: Mapping[str, T], prediction: str, reference: str) -> T:
    """Return the normalizer or tokenizer of that name; the name is checked first, then the two texts."""
    function = known(what, name, table)
    if not (isinstance(prediction, str) and isinstance(reference, str)):
        require_text("prediction", prediction)
        require_text("reference", reference)
    return function


def _tokens(prediction: str, reference: str, tokenizer: str) -> tuple[list[str], list[str]]:
    function = _checked("tokenizer", tokenizer, TOKENIZERS, prediction, reference)
    if tokenizer not in DROPPED:
        return function(prediction), function(reference)
    return scored_tokens(prediction, tokenizer), scored_tokens(reference, tokenizer)


def _parts(hits: int, sizes: tuple[int, int], texts: tuple[str, str, str], beta: float = 1.0) -> Rouge:
    """Turn counts into precision, recall and F-beta; `texts` are prediction, reference and tokenizer name."""
    size, reference_size = (size or 1 for size in sizes)
    parts = Rouge(hits / size, hits / reference_size, f_measure(hits, size, reference_size, beta))
    return parts if all(sizes) else Rouge(*[_empty_rule(*texts)] * 3)


def _empty_rule(prediction: str, reference: str, tokenizer: str) -> float:
    """Return what a pair scores of which at least one text has no tokens: the rule at the top of this module.

    Where the tokenizer drops symbols, two texts are equal only if theirs are: "<" is not ">". SQuAD's rule is
    kept as published: "A" and "The" agree.
    """
    if scored_tokens(prediction, tokenizer) or scored_tokens(reference, tokenizer):
        return 0.0
    one, other = ([c for c in text if category(c).startswith("S")] for text in (prediction, reference))
    return float(tokenizer == "squad" or one == other)


# --- the registry: the only entry a runner needs ---------------------------------------------------------

SHORT = {  # an option of a call as a signature writes it; any other stands under its own name
    "tokenizer": "tok",
    "normalizer": "norm",
    "max_order": "order",
    "smoothing": "smooth",
    "effective_order": "eff",
    "char_order": "char",
    "word_order": "word",
}
NAMED: dict[str, Mapping[str, Any]] = {
    "tokenizer": TOKENIZERS,
    "normalizer": NORMALIZERS,
    "smoothing": SMOOTHINGS,
}


class Metric(NamedTuple):
    """A metric as a runner sees it: the call it makes, and what a reader must know to compare its numbers.

    `function` takes (prediction, reference) and `options`, and returns a number in [0, 1], or something whose
    attribute `part` is one; with `several="joint"` it takes (prediction, list of references). Its contract in
    the signature is read from that call; `contract` adds what no option shows, as in "num:only".
    """

    function: Callable[..., Any]
    contract: str = ""
    empty_rule: str = ""
    several: str = "best"
    part: str = ""
    options: Mapping[str, Any] = MappingProxyType({})

    def settings(self) -> dict[str, Any]:
        """Return every option of the call that is a text or a number, with the value it has here."""
        import inspect  # costs 6 ms, and only who reads a signature needs it

        try:
            parameters = list(inspect.signature(self.function).parameters.values())[2:]
        except ValueError:  # a function of another language, which names none
            return dict(self.options)
        values = {option.name: self.options.get(option.name, option.default) for option in parameters}
        return {name: value for name, value in values.items() if isinstance(value, str | int | float)}

    def with_options(self, **options: Any) -> "Metric":
        """Return this metric with other options, as `tokenizer="char"`; its signature follows.

        An option that the call does not have, and an unknown normalizer, tokenizer or smoothing, are
        ValueErrors that list the known ones.
        """
        for name, value in options.items():
            known("option", name, self.settings())
            if name in NAMED:
                known(name, value, NAMED[name])
        return self._replace(options={**self.options, **options})

    def __call__(self, prediction: str, reference: str | list[str]) -> Any:
        """Make the call."""
        result = self.function(prediction, reference, **self.options)
        return getattr(result, self.part) if self.part else result

    def full_contract(self) -> str:
        """Return every setting of the call, the part of its result, and what `contract` adds: "tok:squad"."""
        fields = [f"{SHORT.get(name, name)}:{_shown(value)}" for name, value in self.settings().items()]
        fields += [f"part:{self.part}"] if self.part not in ("", "score") else []
        return "|".join([*fields, *filter(None, [self.contract])])


def _shown(value: str | float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else f"{value:g}"


EMPTY = "both=1,one=0"
METRICS: dict[str, Metric] = {
    "exact_match": Metric(exact_match, empty_rule=EMPTY),
    "accuracy": Metric(exact_match, empty_rule=EMPTY, options={"normalizer": "strip"}),
    "f1": Metric(token_f1, empty_rule=EMPTY),
    "rouge_l": Metric(rouge_l, empty_rule=EMPTY),
    "bleu_4": Metric(bleu, "len:closest", empty_rule="any=0", several="joint", part="score"),
    "chrf": Metric(chrf, empty_rule="any=0"),
    "chrf++": Metric(chrf, empty_rule="any=0", options={"word_order": 2}),
}


def score(metric_name: str, prediction: str, targets: str | Sequence[str], **options: Any) -> float:
    """Return the score of one prediction against one target text or a list of them, in [0, 1].

    With several targets it is the best single one, except for BLEU, which takes them jointly. `options` are
    those of `Metric.with_options`. Errors, in this order: an unknown metric or option (ValueError), a
    prediction or target that is no string (TypeError), an empty list of targets (ValueError), a metric that
    returns anything but a number in [0, 1] (ValueError).
    """
    metric = known("metric", metric_name, METRICS)
    if options:
        metric = metric.with_options(**options)
    require_text("prediction", prediction)
    references = text_list("targets", targets)
    several = [references] if metric.several == "joint" else references
    values = [metric(prediction, reference) for reference in several]
    for value in values:
        if not isinstance(value, Real) or not 0 <= float(value) <= 1:
            raise ValueError(f"metric {metric_name!r} returned {value!r:.60}, which is not between 0 and 1")
    return float(max(values))


def signature(metric_name: str, **options: Any) -> str:
    """Return what must travel with a number: metric, contract, references rule, empty rule, version.

    The contract is read from the call that `score` makes with the same `options`, and so are the errors.
    """
    metric = known("metric", metric_name, METRICS).with_options(**options)
    rules = [f"refs:{metric.several}", *([f"empty:{metric.empty_rule}"] if metric.empty_rule else [])]
    return "|".join([metric_name, metric.full_contract(), *rules, f"v:{__version__}"])
