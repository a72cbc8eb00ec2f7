"""chrF and chrF++: how many runs of characters, and of words, two texts share, on the scale from 0 to 1.

Runs of characters need no spaces between words, so chrF works in every script, and a word in another form
keeps most of its credit. As in BLEU, a text without characters scores 0. As sacrebleu computes it, over 100.
"""

import string
from collections.abc import Sequence

from .counting import f_measure, overlap_size
from .text import NORMALIZERS, answers, known, require_whole

Counts = list[tuple[int, int, int]]  # for each order: n-grams shared, of the prediction, of the reference


def chrf(
    prediction: str,
    reference: str,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    normalizer: str = "raw",
) -> float:
    """Return the chrF of one pair, in [0, 1]: F-beta of the mean precision and the mean recall of all orders.

    Characters count without white space, in n-grams up to `char_order`; with `word_order=2` it is chrF++. An
    order for which one of the texts is too short is left out, as in sacrebleu. Errors: TypeError for what is
    no text, ValueError for an order or a `beta` out of range and an unknown normalizer. Sources: Popović 2015
    (chrF), 2016 (beta 2) and 2017 (chrF++).
    """
    options = {"char_order": char_order, "word_order": word_order, "beta": beta, "normalizer": normalizer}
    return corpus_chrf([prediction], [[reference]], **options)  # type: ignore[arg-type]


def corpus_chrf(
    predictions: Sequence[str],
    references: Sequence[str | Sequence[str]],
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    normalizer: str = "raw",
) -> float:
    """Return the chrF of a corpus: n-grams summed over all predictions, then scored once.

    Of several references each prediction counts with the one that gives it the highest score, the first on a
    tie. Errors: as for `chrf` and `text.answers`.
    """
    function = known("normalizer", normalizer, NORMALIZERS)
    require_whole("char_order", char_order)
    if word_order != 0:
        require_whole("word_order", word_order)
    f_measure(1, 1, 1, beta)  # a beta out of range is refused, also where nothing matches

    def ngrams(text: str) -> list[list[Sequence[str]]]:
        text = function(text)
        rows = _runs("".join(text.split()), char_order)
        return rows + _runs(tuple(_words(text)), word_order) if word_order else rows

    total: Counts = [(0, 0, 0)] * (char_order + word_order)
    for prediction, texts in answers("chrF", predictions, references):
        mine = ngrams(prediction)
        choices = [_counts(mine, ngrams(text)) for text in texts]
        best = max(choices, key=lambda counts: _score(counts, beta))
        total = [(a + d, b + e, c + f) for (a, b, c), (d, e, f) in zip(total, best, strict=True)]
    return _score(total, beta)


def _runs(units: Sequence[str], orders: int) -> list[list[Sequence[str]]]:
    return [[units[i : i + n] for i in range(len(units) - n + 1)] for n in range(1, orders + 1)]


def _counts(mine: list[list[Sequence[str]]], theirs: list[list[Sequence[str]]]) -> Counts:
    # An order that the reference is too short for counts on neither side.
    pairs = zip(mine, theirs, strict=True)
    return [(overlap_size(a, b), len(a), len(b)) if b else (0, 0, 0) for a, b in pairs]


def _words(text: str) -> list[str]:
    """Split at white space and one punctuation mark from a word: the last character, else the first."""
    words: list[str] = []
    for word in text.split():
        cut = len(word) - 1 if word[-1] in string.punctuation else int(word[0] in string.punctuation)
        words += filter(None, (word[:cut], word[cut:]))
    return words


def _score(counts: Counts, beta: float) -> float:
    both = [(hits / size, hits / goal) for hits, size, goal in counts if size and goal]
    precision, recall = (sum(part) / len(both) for part in zip(*both, strict=True)) if both else (0.0, 0.0)
    # The same formula, with P R, R and P for the counts and the two sizes.
    return f_measure(precision * recall, recall, precision, beta) if precision and recall else 0.0
