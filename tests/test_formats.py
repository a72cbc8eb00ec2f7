"""The report and the format instructions: verdicts by hand, strict and loose, and nothing empty passes."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessonlib.structured import (
    INSTRUCTIONS,
    CheckResult,
    Report,
    check_format,
    count_sentences,
    count_words,
    instructions,
    loose_versions,
)

# --- the report ------------------------------------------------------------------------------------------


def test_a_report_passes_when_every_check_does():
    good, bad = CheckResult("a", True), CheckResult("b", False, "why", partial=0.5, weight=3)
    assert Report([good]).passed
    assert not Report([good, bad]).passed
    both = Report([good, bad])
    assert not both
    assert both["b"].detail == "why"
    assert both.credit == pytest.approx((1 + 3 * 0.5) / 4)
    assert repr(both) == "a        pass  1.00\nb        FAIL  0.50  why\nverdict  FAIL"


def test_the_loose_verdict_counts_apart():
    report = Report([CheckResult("a", False, loose=True), CheckResult("b", True)])
    assert not report.passed
    assert report.passed_loose
    assert not Report([CheckResult("a", False, loose=True), CheckResult("b", False)]).passed_loose
    assert "loose pass" in repr(report)


def test_nothing_checked_is_nothing_passed():
    with pytest.raises(ValueError, match="at least one check"):
        Report([])
    with pytest.raises(ValueError, match="at least one check"):
        check_format("text", {})


def test_two_checks_with_one_name_are_an_error():
    with pytest.raises(ValueError, match="same name"):
        Report([CheckResult("a", True), CheckResult("a", False)])
    with pytest.raises(ValueError, match="unknown check 'b'; known: a"):
        Report([CheckResult("a", True)])["b"]


@pytest.mark.parametrize("passed", [1, "yes", None, [True], 1.0])
def test_a_verdict_is_true_or_false(passed):
    with pytest.raises(TypeError):
        CheckResult("a", passed)
    with pytest.raises(TypeError):
        CheckResult("a", True, loose="no")


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), True, "1", None])
def test_a_weight_is_a_positive_number(weight):
    with pytest.raises(ValueError, match="weight"):
        CheckResult("a", True, weight=weight)


@pytest.mark.parametrize("credit", [-0.1, 1.1, float("nan")])
def test_credit_lies_between_0_and_1(credit):
    with pytest.raises(ValueError, match="credit"):
        CheckResult("a", False, partial=credit)


def test_a_pass_has_full_credit():
    with pytest.raises(ValueError, match="credit"):
        CheckResult("a", True, partial=0.9)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(1e-300, 1e300)), min_size=1, max_size=6))
def test_the_mean_stays_between_the_credits(rows):
    report = Report([CheckResult(str(i), False, partial=c, weight=w) for i, (c, w) in enumerate(rows)])
    earned = [credit for credit, _ in rows]
    assert min(earned) - 1e-12 <= report.credit <= max(earned) + 1e-12
    assert 0 <= report.credit <= 1


# --- instructions ----------------------------------------------------------------------------------------

CASES = [
    ("at_most_words", 3, "HTTP 429 - really", "It is HTTP 429"),
    ("at_least_words", 3, "It is 429", "HTTP - 429"),
    ("sentences", 1, "It costs 3.50 dollars, e.g. for Mr. Lee.", "It is 429. Wait first."),
    ("sentences", 2, "Wait! Then retry", "Wait, then retry."),
    ("no_apology", True, "Unsorry is no word; unapologetically neither.", "Sorry, I can't."),
    ("no_apology", True, "Use the Retry-After header.", "I’m afraid it is gone."),
    ("no_apology", True, "429", "We apologise."),
    ("starts_with", "HTTP", "HTTP 429", "http 429"),
    ("starts_with", ["Yes", "No"], "No, it is 25.", "It is No"),
    ("ends_with", ".", "It is 429.", "It is 429. "),
    ("contains_all", ["429", "retry-after"], "Retry-After comes with a 429.", "Retry-After comes with 4290."),
    ("contains_all", "plan", "The Plan, please", "The planet"),
    ("contains_any", ["Pro", "Scale"], "On scale only", "On any paid plan (prose)"),
    ("contains_none", ["free", "$"], "The freedom to choose", "It costs $25"),
    ("contains_none", ["free"], "Pro", "FREE!"),
    ("one_of", ["A", "B"], "B", "B."),
    ("one_of", ["A", "B"], "A", "A\n"),
    ("fullmatch", r"HTTP \d{3}", "HTTP 429", "HTTP 429\n"),
    ("fullmatch", "^yes|no$", "yes", "yes it is"),
]


@pytest.mark.parametrize(("name", "argument", "good", "bad"), CASES)
def test_instructions(name, argument, good, bad):
    assert check_format(good, {name: argument}).passed
    outcome = check_format(bad, {name: argument})[name]
    assert outcome.passed is False
    assert outcome.detail


def test_every_instruction_has_a_case():
    assert {case[0] for case in CASES} == set(INSTRUCTIONS)


@pytest.mark.parametrize("text", ["", "  \n", "\t"])
@pytest.mark.parametrize(("name", "argument"), [(case[0], case[1]) for case in CASES] + [("fullmatch", ".*")])
def test_an_empty_text_obeys_nothing(text, name, argument):
    outcome = check_format(text, {name: argument})[name]
    assert (outcome.passed, outcome.loose) == (False, False)


@pytest.mark.parametrize(
    ("text", "words", "sentences"),
    [
        ("", 0, 0),
        ("...", 0, 0),
        ("429", 1, 1),
        ("It is 429.", 3, 1),
        ("It is 3.5 GB. Or 1.250 MB!", 7, 2),
        ("Really?! Yes.", 2, 2),
        ('He said "Stop." Then he left.', 6, 2),
        ("1. Wait.\n2. Retry.", 4, 2),
        ("See e.g. the docs, i.e. the page.", 7, 1),
        ("One line\nwrapped here", 4, 1),
        ("A title\n\nA text", 4, 2),
        ("**Yes.** It is.", 3, 2),
        ("はい。いいえ。", 1, 2),
        ("Wait… then go.", 3, 2),
    ],
)
def test_counting(text, words, sentences):
    assert count_words(text) == words
    assert count_sentences(text) == sentences


BOLD = "Sure, here is the answer:\n\n**HTTP 429**\n\nAnything else?"


def test_strict_and_loose():
    wanted = {"one_of": ["HTTP 429"], "starts_with": "HTTP", "at_most_words": 2, "contains_none": ["sure"]}
    report = check_format(BOLD, wanted)
    assert not any(outcome.passed for outcome in report)
    assert all(outcome.loose for outcome in report)
    assert report.passed_loose
    assert not check_format("Sure:\nIt is\nHTTP 429", {"one_of": ["HTTP 429"]}).passed_loose


def test_loose_versions_are_the_eight_of_the_paper():
    assert loose_versions("a\n*b*\nc") == [
        "a\n*b*\nc",
        "*b*\nc",
        "a\n*b*",
        "*b*",
        "a\nb\nc",
        "b\nc",
        "a\nb",
        "b",
    ]
    assert loose_versions("*B*") == ["*B*", "B"]
    assert loose_versions(" \n") == []


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.text(alphabet="ab*. \nS!é", max_size=30), st.sampled_from([case[:2] for case in CASES]))
def test_what_passes_strictly_passes_loosely(text, instruction):
    outcome = check_format(text, dict([instruction]))[instruction[0]]
    assert outcome.loose or not outcome.passed


def test_an_unknown_instruction_is_an_error_even_for_an_empty_text():
    for text in ("", "x"):
        with pytest.raises(ValueError, match="unknown instruction 'max_words'; known: at_most_words"):
            check_format(text, {"sentences": 1, "max_words": 8})


@pytest.mark.parametrize(
    ("name", "argument", "error"),
    [
        ("at_most_words", 0, ValueError),
        ("at_most_words", True, ValueError),
        ("at_least_words", "3", ValueError),
        ("sentences", 1.0, ValueError),
        ("no_apology", False, ValueError),
        ("no_apology", 1, ValueError),
        ("starts_with", "", ValueError),
        ("ends_with", [], ValueError),
        ("contains_all", [], ValueError),
        ("contains_any", ["a", " "], ValueError),
        ("contains_none", None, TypeError),
        ("one_of", {"A"}, TypeError),
        ("contains_all", ["a", 1], TypeError),
        ("fullmatch", "(", ValueError),
        ("fullmatch", None, TypeError),
    ],
)
def test_an_impossible_argument_is_an_error_whatever_the_text(name, argument, error):
    for text in ("", "some text"):
        with pytest.raises(error, match=re.escape(name) if name != "fullmatch" else "pattern|expression"):
            check_format(text, {name: argument})


def test_a_pattern_out_of_time_fails_both_ways(monkeypatch):
    real = instructions.fullmatch
    monkeypatch.setattr(instructions, "fullmatch", lambda pattern, text: real(pattern, text, seconds=0.1))
    outcome = check_format("a" * 40 + "!\nb", {"fullmatch": "(a|aa)+"})["fullmatch"]
    assert (outcome.passed, outcome.loose) == (False, False)
    assert "did not finish" in outcome.detail


def test_what_is_no_text_is_a_type_error():
    with pytest.raises(TypeError, match="text must be a string"):
        check_format(None, {"sentences": 1})
