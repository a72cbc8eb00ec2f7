"""Slips: what a wrong value or an exception gives away is told, and nothing that does not fit."""

import numpy as np
import pytest

from lessonlib.exercises import slips
from lessonlib.exercises.checker import Case, Exercise, attempt, judge
from lessonlib.exercises.slips import ArgumentsError, Raised, Slip, no_bool, no_list, no_number

OWN_HINT = None
A_BOOL = (no_bool, "A bool.")


def failing(error):
    def answer(*_):
        raise error

    return answer


def exercise(*examples, slips=()):
    """Return an exercise f with the given (args, value, hint, slips) for examples."""
    code = compile("None", "sheet", "eval")
    named = [(args, code, value, hint, False, _named(own)) for args, value, hint, own in examples]
    return Exercise("f", tuple(Case("f()", *rest) for rest in named), _named(slips), (), {})


def _named(pairs):
    return tuple(Slip(f"slip-{n}", *pair) for n, pair in enumerate(pairs))


def told(answer, *own, expected=0.8, always=()):
    """Return what is said to an answer after "f(1) gave ..., expected ..." or "raised ..."."""
    made = exercise(((1,), expected, "The hint.", own), slips=always)
    return attempt(made, made.cases[0], answer).text.partition(". ")[2]


@pytest.mark.parametrize(
    ("got", "says"),
    [
        (0.3, "Swapped."),
        (np.float64(0.3), "Swapped."),
        (1 / 3, "A third."),
        (0.33, "A third."),
        (0.333333, "A third."),
        ((1, 2), "A pair."),
        ([1, 2], "A pair."),
        ([1], "No number."),
        (True, "No number."),
        (0.5, "The hint."),
        (0.12, "The hint."),
        (None, slips.NO_RETURN),
        ("0.8", "No number."),
        (80, slips.HUNDREDFOLD),
        (80.0, slips.HUNDREDFOLD),
    ],
)
def test_the_first_slip_that_fits_is_told(got, says):
    own = (0.3, "Swapped."), (1 / 3, "A third."), ((1, 2), "A pair.")
    assert told(lambda _: got, *own, always=[(no_number, "No number.")]) == says


@pytest.mark.parametrize(
    ("got", "expected", "says"),
    [
        (0.67, 2 / 3, slips.ROUNDED),
        ((0.6667, 1), (2 / 3, 1.0), slips.ROUNDED),
        ([0.667, "x"], (2 / 3, "x"), slips.ROUNDED),
        (0.7, 2 / 3, "The hint."),  # one digit is too often another mistake
        (66.67, 2 / 3, slips.HUNDREDFOLD),
        ((50, 100.0), (0.5, 1.0), slips.HUNDREDFOLD),
        (100, 1, "The hint."),  # a count, not a share
        (2500.0, 25.0, "The hint."),
        ("0.6667", 2 / 3, "Return numbers, not text: formatting is for print."),
        (("0.67", "1"), (2 / 3, 1.0), "Return numbers, not text: formatting is for print."),
        ("True", True, "Return True or False itself: no number, no text, no list."),
        (np.array([1, 2]), 2 / 3, "The hint."),
        (object, 2 / 3, "The hint."),
    ],
)
def test_what_can_happen_everywhere_is_told_everywhere(got, expected, says):
    assert told(lambda _: got, expected=expected) == says


def test_a_rounded_right_value_is_not_taken_for_a_rounded_slip():
    assert told(lambda _: 0.64, (0.6435, "Smoothed."), expected=0.6389) == slips.ROUNDED
    assert told(lambda _: 0.6435, (0.6435, "Smoothed."), expected=0.6389) == "Smoothed."


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (KeyError("k"), "The key."),
        (ValueError("math domain error"), "The domain."),
        (ValueError("other"), "This case: The hint."),
        (IndexError("i"), "The hint."),
        (ZeroDivisionError("z"), ""),
        (TypeError("t"), "This case: The hint."),
    ],
)
def test_exceptions_are_known_by_type_and_words(error, says):
    own = (
        (KeyError, "The key."),
        (Raised(ValueError, "domain"), "The domain."),
        (LookupError, OWN_HINT),
        (ZeroDivisionError, ""),
    )
    assert told(failing(error), *own) == says
    assert told(lambda _: error, *own) == "The hint."  # returned, not raised


def test_a_slip_that_breaks_or_never_ends_is_passed_over(monkeypatch):
    def endless():
        while True:
            yield [1]

    monkeypatch.setattr("lessonlib.exercises.checker.SECONDS", 0.3)
    assert told(lambda _: 7, (lambda got, _: got[0], "First."), (7, "Seven.")) == "Seven."
    assert told(lambda _: endless(), (lambda got, _: all(got), "All.")) == "The hint."


def test_none_is_known_only_by_itself():
    assert told(lambda _: None, A_BOOL, (no_list, "A list.")) == slips.NO_RETURN
    assert told(lambda _: None, (None, OWN_HINT)) == "The hint."


def test_a_wrong_number_of_arguments_is_told_with_what_is_known_of_it():
    assert told(lambda: 1, (TypeError, "In the body."), (ArgumentsError, "It takes one.")) == "It takes one."
    assert told(lambda: 1, (TypeError, "In the body.")) == ""
    assert told(lambda a, b: 1, always=[(Exception, "It takes one.")]) == "It takes one."


def test_a_list_that_grows_from_call_to_call_is_told():
    made = exercise(((1,), [1], "One.", ()), ((2,), [2], "Two.", ()))

    def f(x, found=[]):  # noqa: B006  this mistake is the point
        found.append(x)
        return found

    grown = judge("9.1", made, f)
    assert grown.message.startswith("f(1) gives another value when it is called again.")
    assert grown.slip == "grows"
    assert judge("9.1", made, lambda x: [1]).message == "f(2) gave [1], expected [2]. Two."


def test_the_name_of_the_slip_comes_with_the_outcome():
    made = exercise(((1,), 0.8, "The hint.", [(0.3, "Swapped.")]), slips=[(KeyError, "The key.")])
    answers = (lambda _: 0.3, lambda _: 0.5, failing(KeyError("k")), lambda _: None, lambda _: 80.0)
    names = ["slip-0", "", "slip-0", "no-return", "times-100"]
    assert [judge("9.1", made, answer).slip for answer in answers] == names
