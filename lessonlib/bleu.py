"""BLEU, for one answer and for a corpus, on the scale from 0 to 1.

Clipped n-gram precisions, their geometric mean, and a penalty for brevity (Papineni et al. 2002, section 2).
A prediction without tokens, or references that all lack tokens, score 0: BLEU counts what was said, and
nothing was. Without a single shared word the score is 0 under every smoothing but `add-one-all`.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from .counting import clipped_matches
from .text import TOKENIZERS, answers, known, require_whole, scored_tokens

# What each smoothing does with the precision (matches / total) of one n-gram order.
SMOOTHINGS = {
    "none": "matches / total",
    "floor": "0.1 / total where nothing matches (Chen & Cherry 2014, method 1)",
    "add-one": "(matches + 1) / (total + 1) for orders above 1 (Lin & Och 2004; method 2)",
    "exp": "1 / (2^k total) for the k-th order where nothing matches (method 3; sacrebleu's default)",
    "add-one-all": "(matches + 1) / (total + 1) on every order: a warning, not a recommendation",
}
FLOOR = 0.1


class BleuScore(NamedTuple):
    """A BLEU score with everything it was computed from.

    `score` and the smoothed `precisions` (one an order) lie in [0, 1], `brevity_penalty` in [0, 1]; `counts`
    are the clipped matches and `totals` the hypothesis's n-grams of each order, before smoothing; lengths
    are in tokens, the reference length being the closest one.
    """

    score: float
    precisions: tuple[float, ...]
    counts: tuple[int, ...]
    totals: tuple[int, ...]
    brevity_penalty: float
    hypothesis_length: int
    reference_length: int


def bleu(
    prediction: str,
    references: str | Sequence[str],
    *,
    tokenizer: str = "word",
    max_order: int = 4,
    smoothing: str = "add-one",
    effective_order: bool = False,
) -> BleuScore:
    """Return the BLEU of one prediction against one reference text or a list of them, scored jointly.

    An n-gram counts at most as often as in the reference that has it most; the length to reach is that of the
    reference closest in length, the shorter one on a tie. `effective_order` leaves out the orders for which
    the prediction is too short. Errors: TypeError for what is no text, ValueError for no references, an
    unknown tokenizer or smoothing, or a `max_order` below 1. Source: Papineni et al. 2002, section 2.
    """
    shape = {"max_order": max_order, "effective_order": effective_order}
    return corpus_bleu([prediction], [references], tokenizer=tokenizer, smoothing=smoothing, **shape)  # type: ignore[arg-type]


def corpus_bleu(
    predictions: Sequence[str],
    references: Sequence[str | Sequence[str]],
    *,
    tokenizer: str = "word",
    max_order: int = 4,
    smoothing: str = "none",
    effective_order: bool = False,
) -> BleuScore:
    """Return the BLEU of a corpus: counts and lengths are summed over all predictions, then scored once.

    `references` holds, for each prediction, a text or a list of texts. Smoothing is "none" unless asked for,
    as papers report it; `bleu` adds one, since a short answer needs it. NLTK's corpus score is lower where an
    answer is too short for an order: it counts one n-gram there. Errors: as for `bleu` and `text.answers`.
    Source: Papineni et al. 2002, sections 2.1.1 and 2.3.
    """
    known("tokenizer", tokenizer, TOKENIZERS)
    known("smoothing", smoothing, SMOOTHINGS)
    require_whole("max_order", max_order)
    counts, totals = [0] * max_order, [0] * max_order
    hypothesis_length = reference_length = reference_tokens = 0
    for prediction, texts in answers("BLEU", predictions, references):
        hypothesis = scored_tokens(prediction, tokenizer)
        tokenized = [scored_tokens(text, tokenizer) for text in texts]
        for n, matches in enumerate(clipped_matches(hypothesis, tokenized, max_order)):
            counts[n] += matches
            totals[n] += max(len(hypothesis) - n, 0)
        sizes = [len(tokens) for tokens in tokenized]
        hypothesis_length += len(hypothesis)
        reference_length += closest_length(len(hypothesis), sizes)
        reference_tokens += sum(sizes)
    precisions = smoothed_precisions(counts, totals, smoothing)
    orders = max_order
    if effective_order and smoothing not in ("add-one", "add-one-all"):  # adding one leaves no order empty
        orders = sum(total > 0 for total in totals)
    penalty = brevity_penalty(hypothesis_length, reference_length)
    nothing_said = not hypothesis_length or not reference_tokens
    nothing_shared = not any(counts) and smoothing != "add-one-all"
    score = 0.0 if nothing_said or nothing_shared else penalty * geometric_mean(precisions[:orders])
    orders_made = tuple(precisions), tuple(counts), tuple(totals)
    return BleuScore(score, *orders_made, penalty, hypothesis_length, reference_length)


def smoothed_precisions(counts: Sequence[int], totals: Sequence[int], smoothing: str) -> list[float]:
    """Return one precision in [0, 1] for each order from its clipped matches and its number of n-grams.

    An order without n-grams has precision 0, unless one is added to it. Source: `SMOOTHINGS`.
    """
    precisions, halvings = [], 0
    for n, (count, total) in enumerate(zip(counts, totals, strict=True), start=1):
        if smoothing == "add-one-all" or (smoothing == "add-one" and n > 1):
            precision = (count + 1) / (total + 1)
        elif not total:
            precision = 0.0
        elif not count and smoothing == "floor":
            precision = FLOOR / total
        elif not count and smoothing == "exp":
            halvings += 1
            precision = 1 / (2**halvings * total)
        else:
            precision = count / total
        precisions.append(precision)
    return precisions


def brevity_penalty(hypothesis_length: int, reference_length: int) -> float:
    """Return 1.0 for a hypothesis at least as long as its reference, else exp(1 - reference/hypothesis).

    Lengths in tokens; an empty hypothesis gets 0.0, unless the reference is empty too. Papineni et al. 2002,
    section 2.2.2.
    """
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length) if hypothesis_length else 0.0


def closest_length(hypothesis_length: int, reference_lengths: Sequence[int]) -> int:
    """Return the reference length nearest to the hypothesis's, the shorter one on a tie."""
    return min(reference_lengths, key=lambda length: (abs(length - hypothesis_length), length))


def geometric_mean(precisions: Sequence[float]) -> float:
    """Return the n-th root of the product of n numbers in [0, 1]; 0.0 if none is given.

    The same as the exponential of the mean logarithm, as Papineni et al. 2002, section 2.3, write it.
    """
    return math.prod(precisions) ** (1 / len(precisions)) if precisions else 0.0
