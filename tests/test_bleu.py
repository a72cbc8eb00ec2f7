"""BLEU worked out by hand, its errors, and what must hold for all texts."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessonlib.bleu import (
    SMOOTHINGS,
    BleuScore,
    bleu,
    brevity_penalty,
    closest_length,
    corpus_bleu,
    geometric_mean,
    smoothed_precisions,
)
from lessonlib.counting import clipped_matches

EXACT = settings(max_examples=120, deadline=None, derandomize=True, database=None)
FEW_WORDS = st.lists(st.sampled_from(["red", "green", "blue", "blue,", "Red"]), max_size=9).map(" ".join)
SOME_WORDS = FEW_WORDS.filter(bool)
ANY_TEXT = st.one_of(FEW_WORDS, st.text(st.characters(), max_size=20))
SMOOTHING = st.sampled_from(list(SMOOTHINGS))


def plain(prediction: str, references: str | list[str], **options: object) -> float:
    """Return the score with tokens split at white space and no smoothing, unless asked for otherwise."""
    options = {"tokenizer": "whitespace", "smoothing": "none", **options}
    return bleu(prediction, references, **options).score  # type: ignore[arg-type]


# --- known answers ---------------------------------------------------------------------------------------


def test_a_score_carries_all_that_it_is_made_of() -> None:
    # 5 of 6 words; on-the, the-warm, and stove... are traced by hand: see each line.
    result = bleu(
        "a cat sleeps on the stove", "a cat slept on the stove", tokenizer="whitespace", smoothing="none"
    )
    assert result.counts == (5, 3, 1, 0)  # a cat on the stove; a-cat on-the the-stove; on-the-stove
    assert result.totals == (6, 5, 4, 3)
    assert result.precisions == (5 / 6, 3 / 5, 1 / 4, 0.0)
    assert (result.hypothesis_length, result.reference_length, result.brevity_penalty) == (6, 6, 1.0)
    assert result.score == 0.0
    assert isinstance(result, BleuScore)


@pytest.mark.parametrize(
    ("smoothing", "expected"),
    [
        ("none", 0.0),
        ("floor", (5 / 6 * 3 / 5 * 1 / 4 * 0.1 / 3) ** 0.25),
        ("add-one", (5 / 6 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25),
        ("exp", (5 / 6 * 3 / 5 * 1 / 4 * 1 / 6) ** 0.25),
        ("add-one-all", (6 / 7 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25),
    ],
)
def test_smoothings(smoothing: str, expected: float) -> None:
    score = plain("a cat sleeps on the stove", "a cat slept on the stove", smoothing=smoothing)
    assert score == pytest.approx(expected, abs=1e-12)


def test_exp_halves_again_with_each_order_that_has_no_match() -> None:
    # Words 4/4, pairs 1/3 (dusk-dawn), then nothing: 1/2 of one trigram in 2, 1/4 of one 4-gram in 1.
    score = plain("noon dusk dawn night", "night dusk dawn noon", smoothing="exp")
    assert score == pytest.approx((4 / 4 * 1 / 3 * (1 / 2 / 2) * (1 / 4 / 1)) ** 0.25, abs=1e-12)


def test_the_default_is_add_one_on_lower_cased_words() -> None:
    # One word differs of five: 4/5, then (2+1)/(4+1), (1+1)/(3+1), (0+1)/(2+1).
    score = bleu("Backups run at three, daily!", "backups run at four daily").score
    assert score == pytest.approx((4 / 5 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25, abs=1e-12)


@pytest.mark.parametrize("text", ["up down", "yes", "one by one"])
def test_effective_order_leaves_out_orders_that_do_not_exist(text: str) -> None:
    assert plain(text, text) == 0.0
    assert plain(text, text, effective_order=True) == 1.0
    assert plain(text, text, smoothing="exp") == 0.0
    assert plain(text, text, smoothing="exp", effective_order=True) == 1.0
    assert plain(text, text, smoothing="add-one") == 1.0  # adding one leaves no order empty
    assert plain(text, text, smoothing="add-one", effective_order=True) == 1.0


def test_effective_order_keeps_an_order_that_exists_without_a_match() -> None:
    assert plain("down up", "up down", effective_order=True) == 0.0  # no pair matches, but there is one


def test_four_tokens_have_every_order() -> None:
    assert plain("rain fell all night", "rain fell all night") == 1.0


def test_the_order_can_be_chosen() -> None:
    assert plain("snow on roofs", "snow on hills", max_order=1) == pytest.approx(2 / 3)
    assert plain("snow on roofs", "snow on hills", max_order=2) == pytest.approx((2 / 3 * 1 / 2) ** 0.5)
    assert plain("a b c d e", "a b c d e", max_order=5) == 1.0
    assert plain("a b c d e", "a b c d e", max_order=6) == 0.0


def test_a_word_counts_at_most_as_often_as_in_the_reference_that_has_it_most() -> None:
    # "no" four times; the references have it once and twice.
    assert plain("no no no no", ["no way", "no no way out"], max_order=1) == 2 / 4
    # Not once from each reference: one reference must have all of them, and "way" comes from the other.
    assert plain("no no no way", ["no way", "no no day off"], max_order=1) == 3 / 4
    result = bleu("no no no way", ["no way", "no no day off"], tokenizer="whitespace")
    assert result.counts == (3, 2, 0, 0)  # no-no from the second, no-way from the first


@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        (4, [5, 3], 3),  # a tie goes to the shorter
        (4, [3, 5], 3),
        (4, [1, 5], 5),  # the closest, not the shortest
        (4, [4, 9, 1], 4),
        (0, [6, 2], 2),
        (3, [0, 9], 0),
    ],
)
def test_closest_length(hypothesis: int, references: list[int], expected: int) -> None:
    assert closest_length(hypothesis, references) == expected


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [(7, 7, 1.0), (9, 3, 1.0), (5, 10, math.exp(-1)), (4, 5, math.exp(-0.25)), (0, 3, 0.0), (0, 0, 1.0)],
)
def test_brevity_penalty(hypothesis: int, reference: int, expected: float) -> None:
    assert brevity_penalty(hypothesis, reference) == pytest.approx(expected, abs=1e-15)


def test_brevity_costs_what_is_missing_and_length_costs_precision() -> None:
    short, long = "we sail at dawn today", "we sail at dawn today with all hands"
    assert plain(short, long) == pytest.approx(math.exp(1 - 8 / 5), abs=1e-12)
    assert plain(long, short) == pytest.approx((5 / 8 * 4 / 7 * 3 / 6 * 2 / 5) ** 0.25, abs=1e-12)
    # The closest reference has 5 tokens, so the penalty is exp(1 - 5/4), however short another one is.
    assert plain("we sail at dawn", ["aye", short]) == pytest.approx(math.exp(-0.25), abs=1e-12)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [([0.25, 1.0], 0.5), ([0.5], 0.5), ([1.0, 1.0, 1.0], 1.0), ([0.5, 0], 0), ([], 0)],
)
def test_geometric_mean(numbers: list[float], expected: float) -> None:
    assert geometric_mean(numbers) == pytest.approx(expected, abs=1e-15)


def test_smoothed_precisions_where_there_is_nothing() -> None:
    assert smoothed_precisions([0, 0], [1, 0], "none") == [0, 0]
    assert smoothed_precisions([0, 0], [1, 0], "floor") == [0.1, 0]
    assert smoothed_precisions([0, 0], [1, 0], "exp") == [0.5, 0]
    assert smoothed_precisions([0, 0], [1, 0], "add-one") == [0, 1]
    assert smoothed_precisions([0, 0], [1, 0], "add-one-all") == [0.5, 1]


# --- nothing said, nothing shared ------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize(
    ("prediction", "references"),
    [
        ("", "some words here"),
        ("some words here", ""),
        ("hello", "\f"),
        ("", ""),
        ("some words", ["", " "]),
        ("...", "?!"),
    ],
)
def test_without_words_on_one_side_the_score_is_zero(
    prediction: str, references: str | list[str], smoothing: str
) -> None:
    assert bleu(prediction, references, smoothing=smoothing).score == 0.0


@pytest.mark.parametrize("smoothing", ["none", "floor", "add-one", "exp"])
@pytest.mark.parametrize("effective_order", [False, True])
def test_without_a_shared_word_the_score_is_zero(smoothing: str, effective_order: bool) -> None:
    assert plain("north", "south", smoothing=smoothing, effective_order=effective_order) == 0.0


def test_add_one_all_rewards_a_wrong_word() -> None:
    assert plain("north", "south", smoothing="add-one-all") == pytest.approx(0.5**0.25, abs=1e-12)


# --- corpus ----------------------------------------------------------------------------------------------


def test_a_corpus_sums_counts_and_does_not_average_scores() -> None:
    predictions = ["the old mill by the river", "two birds"]
    references = [["the old mill by the river"], ["two bees"]]
    result = corpus_bleu(predictions, references)
    assert result.counts == (7, 5, 4, 3)
    assert result.totals == (8, 6, 4, 3)
    assert result.score == pytest.approx((7 / 8 * 5 / 6) ** 0.25, abs=1e-12)
    scores = [plain(p, r) for p, r in zip(predictions, references, strict=True)]
    assert scores == [1.0, 0.0]


def test_an_empty_line_adds_only_the_length_of_its_reference() -> None:
    result = corpus_bleu(
        ["they left the harbour at noon", ""], ["they left the harbour at noon", "no one saw"]
    )
    assert (result.hypothesis_length, result.reference_length) == (6, 9)
    assert result.score == pytest.approx(math.exp(1 - 9 / 6), abs=1e-12)


def test_a_bare_string_among_the_references_is_one_reference() -> None:
    assert corpus_bleu(["rain fell all night"], ["rain fell all night"]).score == 1.0
    assert bleu("abcd", "abcd", tokenizer="char").counts == (4, 3, 2, 1)  # one text of four characters
    assert bleu("abcd", ["a", "b", "c", "d"], tokenizer="char").counts == (4, 0, 0, 0)  # four texts


def test_clipped_matches() -> None:
    assert clipped_matches(list("aab"), [list("ab"), list("aac")], 3) == [3, 2, 0]
    assert clipped_matches([], [["x"]], 2) == [0, 0]
    assert clipped_matches(["x"], [[]], 2) == [0, 0]
    assert clipped_matches([1, 2, 1], [[1, 2, 1, 9]], 4) == [3, 2, 1, 0]  # anything hashable is a token


# --- errors ----------------------------------------------------------------------------------------------


def test_unknown_names_come_first_and_list_the_known_ones() -> None:
    for function in (bleu, corpus_bleu):
        with pytest.raises(ValueError, match=r"unknown tokenizer 'words'; known: squad, word, "):
            function(None, None, tokenizer="words")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"unknown smoothing 'method2'; known: none, floor, add-one, "):
            function(None, None, smoothing="method2")  # type: ignore[arg-type]


@pytest.mark.parametrize("max_order", [0, -1, 2.0, True, None])
def test_the_order_must_be_a_whole_number(max_order: int) -> None:
    with pytest.raises(ValueError, match=r"^max_order must be a whole number of at least 1"):
        bleu("a", "a", max_order=max_order)


@pytest.mark.parametrize("value", [None, 7, b"red", ["red"]])
def test_a_prediction_must_be_text(value: str) -> None:
    with pytest.raises(TypeError, match=r"^prediction must be a string, not "):
        bleu(value, "red")
    with pytest.raises(TypeError, match=r"^prediction must be a string, not "):
        corpus_bleu(["red", value], ["red", "red"])


@pytest.mark.parametrize("value", [None, 7, b"red", {"red"}])
def test_references_must_be_texts(value: str) -> None:
    with pytest.raises(TypeError, match=r"^references must be a string or a list of strings, not "):
        bleu("red", value)
    with pytest.raises(TypeError, match=r"^references\[1\] must be a string, not "):
        bleu("red", ["red", value])


def test_lists_must_be_lists_and_of_one_length_and_not_empty() -> None:
    with pytest.raises(TypeError, match=r"must be lists"):
        corpus_bleu("red", ["red"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"must be lists"):
        corpus_bleu(["red"], "red")
    with pytest.raises(ValueError, match=r"^2 predictions, but references for 1$"):
        corpus_bleu(["red", "red"], ["red"])
    with pytest.raises(ValueError, match=r"^predictions is empty"):
        corpus_bleu([], [])
    with pytest.raises(ValueError, match=r"^references is empty"):
        bleu("red", [])
    with pytest.raises(ValueError, match=r"^references is empty"):
        corpus_bleu(["red"], [[]])


# --- what holds for all texts ----------------------------------------------------------------------------


@given(ANY_TEXT, st.lists(ANY_TEXT, min_size=1, max_size=3), SMOOTHING, st.booleans(), st.integers(1, 5))
@EXACT
def test_every_number_is_between_0_and_1(
    prediction: str, references: list[str], smoothing: str, effective: bool, order: int
) -> None:
    result = bleu(
        prediction,
        references,
        tokenizer="word",
        max_order=order,
        smoothing=smoothing,
        effective_order=effective,
    )
    assert 0 <= result.score <= result.brevity_penalty <= 1
    assert len(result.precisions) == len(result.counts) == len(result.totals) == order
    assert all(0 <= precision <= 1 for precision in result.precisions)
    assert all(0 <= count <= total for count, total in zip(result.counts, result.totals, strict=True))
    assert list(result.counts) == sorted(result.counts, reverse=True)


@given(SOME_WORDS, SMOOTHING, st.integers(1, 5))
@EXACT
def test_an_equal_answer_scores_exactly_one(text: str, smoothing: str, order: int) -> None:
    assert (
        bleu(
            text, text, tokenizer="whitespace", max_order=order, smoothing=smoothing, effective_order=True
        ).score
        == 1.0
    )
    assert (
        bleu(
            text,
            ["blue", text],
            tokenizer="whitespace",
            max_order=order,
            smoothing=smoothing,
            effective_order=True,
        ).score
        == 1.0
    )


@given(FEW_WORDS, st.permutations(["red blue", "blue green blue", "green", "red red red red"]), SMOOTHING)
@EXACT
def test_references_have_no_order(prediction: str, references: list[str], smoothing: str) -> None:
    one = bleu(prediction, references, smoothing=smoothing)
    assert one == bleu(prediction, sorted(references), smoothing=smoothing)
    assert one == bleu(prediction, references + references, smoothing=smoothing)


@given(FEW_WORDS, st.lists(FEW_WORDS, min_size=1, max_size=3), FEW_WORDS)
@EXACT
def test_another_reference_takes_no_match_away(prediction: str, references: list[str], other: str) -> None:
    fewer, more = bleu(prediction, references), bleu(prediction, [*references, other])
    assert all(a <= b for a, b in zip(fewer.counts, more.counts, strict=True))


@given(st.lists(st.tuples(FEW_WORDS, FEW_WORDS), min_size=1, max_size=5), SMOOTHING)
@EXACT
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
@EXACT
def test_smoothing_leaves_a_score_alone_that_needs_none(shared: str, one: str, other: str) -> None:
    prediction, reference = f"{one} {shared}", f"{shared} {other}"  # so every order has a match
    bare = bleu(prediction, reference, smoothing="none")
    assert bare.score > 0
    assert bleu(prediction, reference, smoothing="floor") == bare
    assert bleu(prediction, reference, smoothing="exp") == bare
    assert bleu(prediction, reference, smoothing="add-one").score >= bare.score - 1e-12
