"""Lesson 2: what it builds equals the package, and the figures it teaches are the package's."""

import random

import numpy as np
import pytest
from lesson_files import functions, gaps

from lessonlib import exact_match, score, token_f1, token_overlap
from lessonlib.data import load_answers, load_golden, pair
from lessonlib.exercises import check
from lessonlib.numeric import extract_numbers, numeric_match
from lessonlib.text import TOKENIZERS, scored_tokens, tokenize

LESSON = functions("02_token_f1", "cross_off")
LESSON |= gaps("02_token_f1", "shared", "precision_and_recall", "f1", "worth")
WORDS = [
    "the",
    "A",
    "an",
    "25",
    "dollars",
    "per",
    "month",
    "not",
    "Pro",
    "$25",
    "24-hour",
    "no",
    "_x",
    "é",
    ".",
]
PRICE = "25 dollars per month"


def random_texts(number=3000):
    """Yield pairs of short texts that repeat words, differ in case and are sometimes empty."""
    draw = random.Random(2)
    for _ in range(number):
        first, second = (" ".join(draw.choices(WORDS, k=draw.randrange(7))) for _ in range(2))
        yield first, second


def test_f1_equals_the_package_under_every_tokenizer():
    for prediction, reference in random_texts():
        for name in TOKENIZERS:
            lists = scored_tokens(prediction, name), scored_tokens(reference, name)
            expected = token_f1(prediction, reference, tokenizer=name)
            if name.startswith("rouge") and not any(lists):
                continue  # the package does not take two texts for equal that rouge cannot see
            assert LESSON["f1"](*lists) == expected, (prediction, reference, name)


def test_parts_equal_token_overlap():
    for prediction, reference in random_texts():
        p, r = tokenize(prediction, "squad"), tokenize(reference, "squad")
        overlap = token_overlap(prediction, reference)
        assert LESSON["shared"](p, r) == len(overlap.matched)
        marks = LESSON["cross_off"](p, r)
        assert [token for token, found in marks if found] == list(overlap.matched)
        assert [token for token, found in marks if not found] == list(overlap.extra)
        missing = [token for token, found in LESSON["cross_off"](r, p) if not found]
        assert missing == list(overlap.missing)
        if p and r:
            assert LESSON["precision_and_recall"](p, r) == (overlap.precision, overlap.recall)


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("Paris Paris Paris Paris Paris", "Paris", 0.3333),
        ("The Pro plan allows 600 requests per minute.", "600 requests per minute", 0.7273),
        ("It costs 25 dollars per month.", PRICE, 0.8),
        ("It means the API key is missing or invalid.", "A missing or invalid API key", 0.7692),
        ("429", "429", 1.0),
        ("not 25 dollars per month", PRICE, 0.8889),
        ("26 dollars per month", PRICE, 0.75),
        ("It costs twenty-five dollars a month", PRICE, 0.4444),
        ("The Free plan costs 25 dollars per month.", PRICE, 0.7273),
        ("The Pro plan costs 25 dollars per month.", PRICE, 0.7273),
        ("24-hour grace period", "24 hours", 0.0),
        ("", "", 1.0),
        ("", "429", 0.0),
        ("429", "", 0.0),
        ("The", "429", 0.0),
        ("The", "A", 1.0),
        ("?!", "The", 1.0),
    ],
)
def test_taught_scores(prediction, reference, expected):
    assert round(token_f1(prediction, reference), 4) == expected


def test_exact_match_sees_one_of_the_four_right_answers():
    right = [
        "The Pro plan allows 600 requests per minute.",
        "It means the API key is missing or invalid.",
        "429",
    ]
    wanted = ["600 requests per minute", "A missing or invalid API key", "429"]
    assert [exact_match(*texts) for texts in zip(right, wanted, strict=True)] == [0, 0, 1]


def test_refund_example_under_two_tokenizers():
    reference = "14 days after receiving the item"
    answers = [reference, "Within 14 days of receiving the item.", "30 days", "Refunds take 14 days."]
    plain = [round(token_f1(answer, reference, "word"), 2) for answer in answers]
    squad = [round(token_f1(answer, reference), 2) for answer in answers]
    assert plain == [1.00, 0.77, 0.25, 0.40]
    assert squad == [1.00, 0.73, 0.29, 0.44]
    assert [int(tokenize(answer, "word") == tokenize(reference, "word")) for answer in answers] == [
        1,
        0,
        0,
        0,
    ]
    for name in ("word", "squad"):
        assert round(token_f1("the cat sat", "a cat sat on the mat", name), 4) == 0.6667


def test_run_1():
    overlaps = [token_overlap(a.text, i.references[0]) for i, a in pair(load_golden(), load_answers("run1"))]
    assert [round(o.f1, 2) for o in overlaps] == [0.17, 0.73, 0.60, 0.36, 0.22, 0.77, 0.24, 0.43]
    assert [round(o.recall, 2) for o in overlaps] == [1, 1, 0.75, 1, 1, 1, 1, 1]
    assert round(sum(o.f1 for o in overlaps) / 8, 2) == 0.44
    assert round(sum(o.recall for o in overlaps) / 8, 2) == 0.97
    assert len(overlaps[0].matched) + len(overlaps[0].extra) == 11


def test_length_curve():
    for n in range(1, 31):
        assert token_f1("429 " + "more " * (n - 1), "429") == LESSON["worth"](n) == 2 / (n + 1)


def test_several_references():
    references = ["24 hours", "one day", "a 24-hour grace period"]
    assert [[token_f1(p, r) for r in references] for p in references] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert round(score("f1", "You have one day to restore it.", references), 4) == 0.4444
    assert token_f1("You have one day to restore it.", references[0]) == 0
    assert score("f1", "", ["The", "429"]) == 1.0  # SQuAD's script drops "The" and says 0


def test_numbers():
    answers = {
        "not 25 dollars per month": True,
        "26 dollars per month": False,
        "The Free plan costs 25 dollars per month.": True,
        "It costs twenty-five dollars a month": False,
        "The Pro plan costs $25 per month.": True,
    }
    assert {text: numeric_match(text, PRICE) for text in answers} == answers
    assert numeric_match("24-hour grace period", "24 hours")
    assert numeric_match("about 49 GB", "50 GB", rel_tol=0.05)
    with pytest.raises(ValueError, match="holds no number"):
        numeric_match("The Scale plan", "Only the Scale plan")


def test_inversions():
    wrong = [
        token_f1(text, PRICE)
        for text in (
            "not 25 dollars per month",
            "26 dollars per month",
            "The Free plan costs 25 dollars per month.",
        )
    ]
    right = [
        token_f1("The Pro plan costs 25 dollars per month.", PRICE),
        token_f1("It costs twenty-five dollars a month", PRICE),
        token_f1("The Pro plan costs $25 per month.", PRICE),
        token_f1("24-hour grace period", "24 hours"),
    ]
    assert [w > r for w in wrong for r in right].count(True) == 11
    assert [w == r for w in wrong for r in right].count(True) == 1


# --- the exercises ---------------------------------------------------------------------------------------


def best(prediction, references):
    """Return the best score and its reference, by a loop."""
    if isinstance(references, str):
        references = (references,)
    scores = [token_f1(prediction, reference) for reference in references]
    place = scores.index(max(scores))
    return [scores[place], references[place]]


def price(prediction, reference):
    """Return whether all prices agree, by a loop."""
    wanted = next(n.value for n in extract_numbers(reference) if n.unit == "dollars")
    named = [n for n in extract_numbers(prediction) if n.unit == "dollars"]
    for number in named:
        if float(number.value) != float(wanted):
            return False
    return len(named) > 0


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        ("2.2", best),
        ("2.2", lambda prediction, references: tuple(best(prediction, references))),
        ("2.1", lambda *texts: token_overlap(*texts).f1),
        ("2.1", lambda *texts: np.float64(token_f1(*texts))),
        ("2.3", price),
        ("2.3", lambda *texts: np.bool_(price(*texts))),
        ("2d", lambda n: 1 / ((n + 1) / 2)),
    ],
)
def test_right_answers_in_another_style_pass(number, answer):
    assert check(number, answer).status == "passed"


@pytest.mark.parametrize(
    ("number", "answer", "says"),
    [
        ("2.2", lambda *texts: best(*texts)[::-1], "the other way round"),
        ("2.2", lambda *texts: best(*texts)[0], "Return a pair"),
        ("2.2", lambda *texts: best(*texts)[1], "Return a pair"),
        ("2.2", lambda *texts: {"best": best(*texts)}, "Return a pair"),
        ("2.2", lambda text, refs: [(token_f1(text, r), r) for r in refs], "all the pairs"),
        ("2.2", lambda text, refs: [token_f1(text, r) for r in refs], "all the scores"),
        ("2.2", lambda *texts: (round(best(*texts)[0], 2), best(*texts)[1]), "Do not round it"),
        ("2.1", lambda *texts: round(token_f1(*texts), 2), "Do not round it"),
        ("2.1", lambda *texts: token_f1(*texts) / 2, "Twice the shared count"),
        ("2.1", lambda *texts: sum(token_overlap(*texts)[:2]) / 2, "ordinary average"),
        ("2.1", lambda *texts: f"{token_f1(*texts):.4f}", "Return numbers, not text"),
        ("2.3", lambda *texts: int(price(*texts)), "Return True or False"),
        ("2.3", lambda *texts: str(price(*texts)), "Return True or False"),
        (
            "2.3",
            lambda text, _: [n for n in extract_numbers(text) if n.unit == "euros"] and True,
            "Return True",
        ),
        ("2.3", lambda *texts: numeric_match(*texts, abs_tol=0.9), "by its unit"),
    ],
)
def test_a_known_slip_meets_the_fitting_hint(number, answer, says):
    result = check(number, answer)
    assert result.status == "failed"
    assert says in result.message
    assert "swapped" not in result.message or says == "The two are swapped"


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        (
            ("On the Pro plan you may send up to", "600 requests", "a minute"),
            ("", "600 requests", "per hour"),
            "",
        ),
        (["Pro allows", "600 API calls", "per minute"], ["", "600 requests", "per hour"], ""),
        (("", "600 requests", "a minute"), ("Pro allows", "600 requests", "per hour"), "Extra words cost"),
        (("", "600 requests", "per minute"), ("", "600 requests", "per hour"), "Extra words cost"),
        (("", "600 days", "per minute"), ("", "600 requests", "per hour"), "one from every column"),
    ],
)
def test_an_inversion_is_made_of_parts_whose_truth_is_known(right, wrong, says):
    result = check("2.4", (right, wrong))
    assert result.status == ("failed" if says else "passed")
    assert says in result.message


@pytest.mark.parametrize("answer", [None, 5, "text", (), ("a",), ("a", 1), ("$25", "$25"), ["a", "b", "c"]])
def test_exercise_4_rejects_what_is_no_inversion(answer):
    assert check("2.4", answer).status == "failed"
