"""BLEU worked out by hand, and what must hold for all texts; what it refuses stands in test_metrics."""

import math

import pytest
from hostile import any_text
from hypothesis import given
from hypothesis import strategies as st

from lessonlib.bleu import (
    SMOOTHINGS,
    bleu,
    brevity_penalty,
    closest_length,
    corpus_bleu,
    geometric_mean,
    smoothed_precisions,
)
from lessonlib.counting import clipped_matches

FEW_WORDS = st.lists(st.sampled_from(["red", "green", "blue", "blue,", "Red"]), max_size=9).map(" ".join)
SMOOTHING = st.sampled_from(list(SMOOTHINGS))


def plain(prediction: str, references: str | list[str], **options: object) -> float:
    """Return the score with tokens split at white space and no smoothing, unless asked for otherwise."""
    options = {"tokenizer": "whitespace", "smoothing": "none", **options}
    return bleu(prediction, references, **options).score  # type: ignore[arg-type]


# --- known answers ---------------------------------------------------------------------------------------

STOVE = "a cat sleeps on the stove", "a cat slept on the stove"
DUSK = "noon dusk dawn night", "night dusk dawn noon"
SAIL = "we sail at dawn today"
HANDS = f"{SAIL} with all hands"


def test_a_score_carries_all_that_it_is_made_of() -> None:
    # Matches: a cat on the stove; a-cat on-the the-stove; on-the-stove.
    parts = (0.0, (5 / 6, 3 / 5, 1 / 4, 0.0), (5, 3, 1, 0), (6, 5, 4, 3), 1.0, 6, 6)
    assert bleu(*STOVE, tokenizer="whitespace", smoothing="none") == parts


@pytest.mark.parametrize(
    ("pair", "options", "power"),
    [
        (STOVE, {"smoothing": "floor"}, 5 / 6 * 3 / 5 * 1 / 4 * 0.1 / 3),
        (STOVE, {"smoothing": "add-one"}, 5 / 6 * 4 / 6 * 2 / 5 * 1 / 4),
        (STOVE, {"smoothing": "exp"}, 5 / 6 * 3 / 5 * 1 / 4 * 1 / 6),
        (STOVE, {"smoothing": "add-one-all"}, 6 / 7 * 4 / 6 * 2 / 5 * 1 / 4),
        (DUSK, {"smoothing": "exp"}, 4 / 4 * 1 / 3 * (1 / 2 / 2) * (1 / 4 / 1)),  # halved again each time
        (("north", "south"), {"smoothing": "add-one-all"}, 1 / 2),  # it rewards a wrong word
        (("rain fell all night",) * 2, {}, 1),  # four tokens have every order
        (("snow on roofs", "snow on hills"), {"max_order": 1}, (2 / 3) ** 4),
        (("snow on roofs", "snow on hills"), {"max_order": 2}, (2 / 3 * 1 / 2) ** 2),
        (("a b c d e",) * 2, {"max_order": 5}, 1),
        (("a b c d e",) * 2, {"max_order": 6}, 0),
        (("down up", "up down"), {"effective_order": True}, 0),  # no pair matches, but there is one
        # Brevity costs what is missing, by the closest reference, and length costs precision.
        ((SAIL, HANDS), {}, math.exp(1 - 8 / 5) ** 4),
        ((HANDS, SAIL), {}, 5 / 8 * 4 / 7 * 3 / 6 * 2 / 5),
        (("we sail at dawn", ["aye", SAIL]), {}, math.exp(1 - 5 / 4) ** 4),
        # "no" four times; the references have it once and twice. Not once from each: one must have them all.
        (("no no no no", ["no way", "no no way out"]), {"max_order": 1}, (2 / 4) ** 4),
        (("no no no way", ["no way", "no no day off"]), {"max_order": 1}, (3 / 4) ** 4),
    ],
)
def test_bleu_by_hand(pair: tuple[str, str | list[str]], options: dict[str, object], power: float) -> None:
    assert plain(*pair, **options) == pytest.approx(power**0.25, abs=1e-12)


def test_the_default_is_add_one_on_lower_cased_words() -> None:
    # One word differs of five: 4/5, then (2+1)/(4+1), (1+1)/(3+1), (0+1)/(2+1).
    score = bleu("Backups run at three, daily!", "backups run at four daily").score
    assert score == pytest.approx((4 / 5 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25, abs=1e-12)


@pytest.mark.parametrize("text", ["up down", "yes", "one by one"])
@pytest.mark.parametrize(("smoothing", "without"), [("none", 0), ("floor", 0), ("exp", 0), ("add-one", 1)])
def test_effective_order_leaves_out_orders_that_do_not_exist(text: str, smoothing: str, without: int) -> None:
    assert plain(text, text, smoothing=smoothing) == without  # adding one leaves no order empty
    assert plain(text, text, smoothing=smoothing, effective_order=True) == 1


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (closest_length, (4, [5, 3]), 3),  # a tie goes to the shorter
        (closest_length, (4, [3, 5]), 3),
        (closest_length, (4, [1, 5]), 5),  # the closest, not the shortest
        (closest_length, (4, [4, 9, 1]), 4),
        (closest_length, (0, [6, 2]), 2),
        (closest_length, (3, [0, 9]), 0),
        (brevity_penalty, (7, 7), 1),
        (brevity_penalty, (9, 3), 1),
        (brevity_penalty, (5, 10), math.exp(-1)),
        (brevity_penalty, (4, 5), math.exp(-0.25)),
        (brevity_penalty, (0, 3), 0),
        (brevity_penalty, (0, 0), 1),
        (geometric_mean, ([0.25, 1.0],), 0.5),
        (geometric_mean, ([0.5],), 0.5),
        (geometric_mean, ([1.0, 1.0, 1.0],), 1),
        (geometric_mean, ([0.5, 0],), 0),
        (geometric_mean, ([],), 0),
        (smoothed_precisions, ([0, 0], [1, 0], "none"), [0, 0]),  # where there is nothing
        (smoothed_precisions, ([0, 0], [1, 0], "floor"), [0.1, 0]),
        (smoothed_precisions, ([0, 0], [1, 0], "exp"), [0.5, 0]),
        (smoothed_precisions, ([0, 0], [1, 0], "add-one"), [0, 1]),
        (smoothed_precisions, ([0, 0], [1, 0], "add-one-all"), [0.5, 1]),
    ],
)
def test_the_pieces_of_a_score(function, arguments: tuple, expected: float | list[float]) -> None:
    assert function(*arguments) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_nothing_said_or_nothing_shared_scores_zero(smoothing: str) -> None:
    empty = [("", "some words"), ("some words", ""), ("a", "\f"), ("", ""), ("a b", ["", " "]), ("...", "?!")]
    shared = [("north", "south")] if smoothing != "add-one-all" else []
    for pair in empty + shared:
        for effective_order in (False, True):
            assert bleu(*pair, smoothing=smoothing, effective_order=effective_order).score == 0.0


def test_a_corpus_sums_counts_and_does_not_average_scores() -> None:
    texts = ["the old mill by the river", "two birds", ""]
    references = [["the old mill by the river"], ["two bees"], "no one saw"]
    result = corpus_bleu(texts[:2], references[:2])
    assert (result.counts, result.totals) == ((7, 5, 4, 3), (8, 6, 4, 3))
    assert result.score == pytest.approx((7 / 8 * 5 / 6) ** 0.25, abs=1e-12)
    # An empty line adds only the length of its reference.
    longer = corpus_bleu(texts, references)
    assert (longer.hypothesis_length, longer.reference_length) == (8, 11)
    assert longer.score == pytest.approx(result.score * math.exp(1 - 11 / 8), abs=1e-12)


def test_a_bare_string_among_the_references_is_one_reference() -> None:
    assert corpus_bleu(["rain fell all night"], ["rain fell all night"]).score == 1.0
    assert bleu("abcd", "abcd", tokenizer="char").counts == (4, 3, 2, 1)  # one text of four characters
    assert bleu("abcd", ["a", "b", "c", "d"], tokenizer="char").counts == (4, 0, 0, 0)  # four texts


def test_clipped_matches() -> None:
    assert clipped_matches(list("aab"), [list("ab"), list("aac")], 3) == [3, 2, 0]
    # no-no from the second, no-way from the first
    assert clipped_matches(["no", "no", "no", "way"], [["no", "way"], ["no", "no", "day"]], 4) == [3, 2, 0, 0]
    assert clipped_matches([], [["x"]], 2) == clipped_matches(["x"], [[]], 2) == [0, 0]
    assert clipped_matches([1, 2, 1], [[1, 2, 1, 9]], 4) == [3, 2, 1, 0]  # anything hashable is a token


# --- what holds for all texts ----------------------------------------------------------------------------


@given(any_text, st.lists(any_text, min_size=1, max_size=3), SMOOTHING, st.booleans(), st.integers(1, 5))
def test_every_number_is_between_0_and_1(
    prediction: str, references: list[str], smoothing: str, effective: bool, order: int
) -> None:
    options = {"max_order": order, "smoothing": smoothing, "effective_order": effective}
    result = bleu(prediction, references, **options)  # type: ignore[arg-type]
    assert 0 <= result.score <= result.brevity_penalty <= 1
    assert len(result.precisions) == len(result.counts) == len(result.totals) == order
    assert all(0 <= precision <= 1 for precision in result.precisions)
    assert all(0 <= count <= total for count, total in zip(result.counts, result.totals, strict=True))
    assert list(result.counts) == sorted(result.counts, reverse=True)


@given(FEW_WORDS.filter(bool), SMOOTHING, st.integers(1, 5))
def test_an_equal_answer_scores_exactly_one(text: str, smoothing: str, order: int) -> None:
    for references in (text, ["blue", text]):
        assert plain(text, references, max_order=order, smoothing=smoothing, effective_order=True) == 1.0


@given(FEW_WORDS, st.permutations(["red blue", "blue green blue", "green", "red red red red"]), SMOOTHING)
def test_references_have_no_order_and_another_one_takes_no_match_away(
    prediction: str, references: list[str], smoothing: str
) -> None:
    one = bleu(prediction, references, smoothing=smoothing)
    assert one == bleu(prediction, sorted(references), smoothing=smoothing)
    assert one == bleu(prediction, references + references, smoothing=smoothing)
    fewer = bleu(prediction, references[1:], smoothing=smoothing)
    assert all(a <= b for a, b in zip(fewer.counts, one.counts, strict=True))


@given(st.lists(st.tuples(FEW_WORDS, FEW_WORDS), min_size=1, max_size=5), SMOOTHING)
def test_a_corpus_has_no_order_and_doubling_it_keeps_the_unsmoothed_score(
    pairs: list[tuple[str, str]], smoothing: str
) -> None:
    predictions, references = map(list, zip(*pairs, strict=True))
    one = corpus_bleu(predictions, references, smoothing=smoothing)
    assert corpus_bleu(predictions[::-1], references[::-1], smoothing=smoothing) == one
    twice = corpus_bleu(predictions * 2, references * 2)
    assert twice.score == pytest.approx(corpus_bleu(predictions, references).score, abs=1e-12)
    assert twice.counts == tuple(2 * count for count in one.counts)


@given(st.lists(st.sampled_from("abc"), min_size=4, max_size=8).map(" ".join), FEW_WORDS, FEW_WORDS)
def test_smoothing_leaves_a_score_alone_that_needs_none(shared: str, one: str, other: str) -> None:
    prediction, reference = f"{one} {shared}", f"{shared} {other}"  # so every order has a match
    bare = bleu(prediction, reference, smoothing="none")
    assert bare.score > 0
    assert bleu(prediction, reference, smoothing="floor") == bare
    assert bleu(prediction, reference, smoothing="exp") == bare
    assert bleu(prediction, reference, smoothing="add-one").score >= bare.score - 1e-12
