"""Fields, citations and the whole ladder: credit by hand, and no reply passes that should not."""

import json
from collections import namedtuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessonlib.structured import (
    COMPARATORS,
    Field,
    Parsed,
    check_citation,
    check_reply,
    field_credit,
    is_verbatim,
    parse_json,
)

MANY = settings(max_examples=200, deadline=None, derandomize=True, database=None)

# --- fields ----------------------------------------------------------------------------------------------


def credit(value, expected, comparator="exact", **options):
    return field_credit({"x": value}, {"x": expected}, [Field("x", comparator, **options)]).credit


@pytest.mark.parametrize(
    ("value", "expected", "comparator", "options", "earned"),
    [
        ("Pro", "Pro", "exact", {}, 1),
        ("pro", "Pro", "exact", {}, 0),
        (True, 1, "exact", {}, 0),
        (1.0, 1, "exact", {}, 1),
        ([1, {"a": None}], [1, {"a": None}], "exact", {}, 1),
        (None, None, "exact", {}, 1),
        ("The Pro plan.", "pro plan", "normalized", {}, 1),
        ("3.5", "35", "normalized", {}, 0),
        ("3.5", "35", "normalized", {"normalizer": "squad"}, 1),  # what SQuAD's rule does to numbers
        ("!", "?", "normalized", {}, 0),
        ("!", "!", "normalized", {}, 1),
        (25, "25", "normalized", {}, 0),
        ("600 requests per minute", "600 requests", "token_f1", {}, 2 * 2 / 6),
        ("a", "the", "token_f1", {}, 0),
        ("the", "the", "token_f1", {}, 1),
        (600, "600", "token_f1", {}, 0),
        (25, 25, "numeric", {}, 1),
        (25.0, 25, "numeric", {}, 1),
        ("25", 25, "numeric", {}, 1),
        ("$25.00 a month", 25, "numeric", {}, 1),
        ("25 or 30", 25, "numeric", {}, 0),
        ("25 euros", "25 dollars", "numeric", {}, 0),
        ("twenty-five", 25, "numeric", {}, 0),
        (True, 1, "numeric", {}, 0),
        (None, 0, "numeric", {}, 0),
        ([25], 25, "numeric", {}, 0),
        (-5, 5, "numeric", {}, 0),
        (0.1 + 0.2, 0.3, "numeric", {}, 0),
        (0.1 + 0.2, 0.3, "numeric", {"abs_tol": 1e-9}, 1),
        (26, 25, "numeric", {"abs_tol": 1}, 1),
        (26.01, 25, "numeric", {"abs_tol": 1}, 0),
        (105, 100, "numeric", {"rel_tol": 0.05}, 1),
        (1e-7, 1e-7, "numeric", {}, 1),
        (1e22, 10**22, "numeric", {}, 1),
        (2**53 + 1, 2**53, "numeric", {}, 0),
        (["a", "b"], ["b", "a"], "set", {}, 1),
        (["a", "b"], ["b", "c"], "set", {}, 0.5),
        (["a", "a", "a"], ["a"], "set", {}, 2 / 4),
        ([True], [1], "set", {}, 0),
        ([1.0, [2]], [[2], 1], "set", {}, 1),
        (["Python "], ["python"], "set", {}, 0),
        (["Python "], ["python"], "set", {"normalizer": "unicode"}, 1),
        (["!"], ["?"], "set", {"normalizer": "unicode"}, 0),
        ([], [], "set", {}, 1),
        ([], ["a"], "set", {}, 0),
        ("a", ["a"], "set", {}, 0),
    ],
)
def test_credit(value, expected, comparator, options, earned):
    assert credit(value, expected, comparator, **options) == pytest.approx(earned, abs=1e-15)
    assert credit(value, expected, comparator, **options) in (0, 1) or 0 < earned < 1


def test_credit_is_the_weighted_mean_and_the_pass_is_all_or_nothing():
    fields = [Field("value", "numeric", 3, unit_field="unit"), Field("plan"), Field("tags", "set")]
    expected = {"value": 25, "unit": "dollars per month", "plan": "Pro", "tags": ["a", "b"]}
    report = field_credit({**expected, "tags": ["a"]}, expected, fields)
    assert report["tags"].credit == pytest.approx(2 / 3)
    assert report.credit == pytest.approx((3 * 1 + 1 + 2 / 3) / 5)
    assert not report.passed
    assert field_credit(expected, expected, fields).passed
    assert field_credit(expected, expected, fields).credit == 1.0


@pytest.mark.parametrize(
    ("unit", "wanted", "earned"),
    [
        ("dollars per month", "dollars per month", 1),
        ("Dollars  per month.", "dollars per month", 1),
        ("dollars per year", "dollars per month", 0),
        ("USD", "dollars", 1),
        ("hour", "hours", 1),
        ("MB", "megabytes", 1),
        ("Mb", "MB", 0),
        ("days", "hours", 0),
        ("%", "percent", 1),
        ("", "dollars", 0),
        ("!", "?", 0),
        (None, "dollars", 0),
        (25, "dollars", 0),
        (None, None, 1),
    ],
)
def test_a_number_with_the_wrong_unit_earns_nothing(unit, wanted, earned):
    field = Field("value", "numeric", abs_tol=1, unit_field="unit")
    report = field_credit({"value": 25, "unit": unit}, {"value": 25, "unit": wanted}, [field])
    assert report.credit == earned
    assert earned or "unit" in report["value"].detail
    assert field_credit({"value": 25}, {"value": 25, "unit": "days"}, [field]).credit == 0


@pytest.mark.parametrize(
    "value", [None, [], "x", 7, {}, {"y": 1}, {"x": float("nan")}, {"x": 1, "z": {1, 2}}]
)
def test_a_missing_field_and_an_unreadable_value_earn_nothing(value):
    report = field_credit(value, {"x": 1}, [Field("x")])
    assert report.credit == 0
    assert not report.passed
    assert report["x"].detail == "is missing"


def test_null_is_not_missing():
    assert field_credit({"x": None}, {"x": None}, [Field("x")]).passed
    assert not field_credit({}, {"x": None}, [Field("x")]).passed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x", "fuzzy"), "unknown comparator 'fuzzy'; known: exact, normalized, token_f1, numeric, set"),
        (("x", "exact", 0), "weight"),
        (("x", "exact", -2), "weight"),
        (("x", "exact", float("nan")), "weight"),
        (("x", "exact", True), "weight"),
        (("x", "numeric", 1, float("nan")), "abs_tol"),
        (("x", "numeric", 1, float("inf")), "abs_tol"),
        (("x", "numeric", 1, -1), "abs_tol"),
        (("x", "numeric", 1, 0, float("nan")), "rel_tol"),
        (("x", "exact", 1, 0.5), "knows no abs_tol"),
        (("x", "token_f1", 1, 0, 0.5), "knows no rel_tol"),
        (("x", "exact", 1, 0, 0, "unit"), "knows no unit_field"),
        (("x", "exact", 1, 0, 0, None, "squad"), "knows no normalizer"),
        (("x", "normalized", 1, 0, 0, None, "nfc"), "unknown normalizer 'nfc'"),
        (("x", "token_f1", 1, 0, 0, None, None, "bpe"), "unknown tokenizer 'bpe'"),
    ],
)
def test_a_field_that_cannot_work_is_an_error_at_once(arguments, message):
    with pytest.raises(ValueError, match=message):
        Field(*arguments)


@pytest.mark.parametrize(
    ("expected", "comparator", "error"),
    [
        ({}, "exact", ValueError),
        ({"x": (1,)}, "exact", TypeError),
        ({"x": float("nan")}, "exact", ValueError),
        ({"x": 25}, "normalized", TypeError),
        ({"x": ["a"]}, "token_f1", TypeError),
        ({"x": True}, "numeric", TypeError),
        ({"x": "no number"}, "numeric", ValueError),
        ({"x": float("nan")}, "numeric", ValueError),
        ({"x": "a"}, "set", TypeError),
    ],
)
def test_a_wrong_expectation_is_the_authors_error_whatever_the_reply(expected, comparator, error):
    for value in (None, {}, {"x": 25}):
        with pytest.raises(error):
            field_credit(value, expected, [Field("x", comparator)])


def test_no_fields_are_no_pass():
    with pytest.raises(ValueError, match="at least one check"):
        field_credit({"x": 1}, {"x": 1}, [])
    with pytest.raises(ValueError, match="same name"):
        field_credit({"x": 1}, {"x": 1}, [Field("x"), Field("x")])
    with pytest.raises(ValueError, match="nothing is expected of field 'unit'"):
        field_credit({"x": 1}, {"x": 1}, [Field("x", "numeric", unit_field="unit")])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
EXPECTED = {"exact": "a", "normalized": "a", "token_f1": "a b", "numeric": 1, "set": ["a", 1]}


@MANY
@given(JSON, st.sampled_from(sorted(COMPARATORS)))
def test_any_value_earns_between_0_and_1(value, comparator):
    earned = credit(value, EXPECTED[comparator], comparator)
    assert 0 <= earned <= 1
    assert earned < 1 or isinstance(value, type(EXPECTED[comparator]) | str | float)
    assert credit(value, value, "exact") == 1


@MANY
@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_equals_itself(number):
    assert credit(number, number, "numeric") == 1


# --- citations -------------------------------------------------------------------------------------------

DOCUMENTS = {
    "plans": "Free costs 0 dollars per month.\n\nPro costs 25 dollars\n   per month and stores 50 GB; "
    "1.50 GB extra.",
    "ratelimits": "Pro allows 160 requests per minute. Beyond it, HTTP 429.",
}


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Pro costs 25 dollars per month", True),
        (" Pro\tcosts  25 dollars\u00a0per month ", True),
        ("pro costs 25 dollars per month", False),
        ("Pro costs 25 dollars a month", False),
        ("Pro ... 50 GB", False),
        ("5 dollars", False),
        ("5 dollars per month", False),
        ("ro costs", False),
        ("Pro costs 2", False),
        ("stores 50 GB; 1", False),  # the text says 1.50
        (".50 GB", False),
        (".", False),
        ("GB extra.", True),
        ("Free costs 0 dollars per month. Pro", True),
        ("", False),
        (" \n", False),
        ('"Pro costs 25 dollars per month"', False),
    ],
)
def test_verbatim(quote, found):
    assert is_verbatim(quote, DOCUMENTS["plans"]) is found


def test_a_number_is_not_a_part_of_a_number():
    assert not is_verbatim("60 requests", DOCUMENTS["ratelimits"])
    assert not is_verbatim("50 GB", "Up to 1.50 GB, or 1,50 GB.")
    assert is_verbatim("50 GB", "Up to 50 GB.")
    assert is_verbatim("429", "HTTP 429.")


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        (".5 GB", "1.5 GB", False),
        ("-5 GB", "It is -5 GB", True),
        ("5 GB", "It is \u22125 GB", False),
        ("25 per month", "$25 per month", False),
        ("25", "25% of it", False),
        ("000 rows", "60\u202f000 rows", False),
        ("60", "60 000 rows", False),
        ("1", "1/2", False),
        ("you can", "you can't", False),
        ("cole ouverte", "école ouverte", False),
        ("e ouverte", "e\u0301 ouverte", False),
        ("\u00e9cole", "e\u0301cole", True),
        ("下雨", "今天下雨。", True),
        ("Pro", "Pro计划", True),
        ("क", "कि", False),
    ],
)
def test_a_quote_begins_and_ends_where_words_do_in_any_script(quote, text, found):
    assert is_verbatim(quote, text) is found


@pytest.mark.parametrize(
    ("quote", "grounded"),
    [("Backups", False), ("Backups are", False), ("Backups are taken", True), ("7 days", True), ("7", False)],
)
def test_a_citation_has_three_words_or_two_with_a_number(quote, grounded):
    page = {"backups": "Backups are taken daily and kept for 7 days."}
    assert (
        check_citation({"source": "backups", "quote": quote}, page, "backups")["grounded"].passed is grounded
    )


@pytest.mark.parametrize(
    ("source", "quote", "grounded", "cited"),
    [
        ("plans", "Pro costs 25 dollars per month", True, True),
        ("plans", "Pro allows 160 requests per minute", False, True),
        ("ratelimits", "Pro allows 160 requests per minute", True, False),
        ("ratelimits", "Pro costs 25 dollars per month", False, False),
        ("billing", "Pro costs 25 dollars per month", False, False),
        ("Plans", "Pro costs 25 dollars per month", False, False),
        (["plans"], "Pro costs 25 dollars per month", False, False),
        (None, None, False, False),
        ("plans", "", False, True),
        ("plans", 25, False, True),
    ],
)
def test_citations(source, quote, grounded, cited):
    report = check_citation({"source": source, "quote": quote}, DOCUMENTS, "plans")
    assert (report["grounded"].passed, report["cited"].passed) == (grounded, cited)
    assert all(bool(outcome.detail) is not outcome.passed for outcome in report)
    pages = {name: namedtuple("Page", "text")(text) for name, text in DOCUMENTS.items()}
    assert check_citation({"source": source, "quote": quote}, pages, "plans") == report


@pytest.mark.parametrize("value", [None, [], "plans", {}, {"quote": "Free"}, {"source": "plans"}])
def test_a_missing_citation_fails(value):
    assert not check_citation(value, DOCUMENTS, "plans").passed
    assert not check_citation(value, DOCUMENTS, "plans")["grounded"].passed


def test_the_golden_document_must_exist():
    with pytest.raises(ValueError, match="unknown document 'billing'; known: plans, ratelimits"):
        check_citation({}, DOCUMENTS, "billing")


# --- the ladder ------------------------------------------------------------------------------------------

SCHEMA = {
    "properties": {"value": {"type": "integer"}, "plan": {"enum": ["Free", "Pro"]}},
    "required": ["quote"],
}
GOLDEN = {"value": 25, "unit": "dollars per month", "plan": "Pro", "source": "plans"}
FIELDS = [Field("value", "numeric", 2, unit_field="unit"), Field("plan")]
REPLY = {**GOLDEN, "quote": "Pro costs 25 dollars per month"}


def climb(reply):
    return check_reply(reply, SCHEMA, GOLDEN, FIELDS, DOCUMENTS)


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (json.dumps(REPLY), "+++++"),
        (json.dumps({**REPLY, "value": "25"}), "+-+++"),
        (json.dumps({**REPLY, "value": True}), "+--++"),
        (json.dumps({**REPLY, "unit": "dollars per year"}), "++-++"),
        (json.dumps({**REPLY, "source": "ratelimits", "quote": "HTTP 429"}), "++++-"),
        (json.dumps({**REPLY, "quote": "dollars"}), "+++-+"),
        ("[]", "++---"),  # the schema of this test speaks of objects only
        ("null", "++---"),
        (json.dumps({**REPLY, "value": float("nan")}), "-----"),
        (f"<think>{json.dumps(REPLY)}</think>Sorry, no.", "-----"),
        ("", "-----"),
    ],
)
def test_the_ladder(text, verdicts):
    report = climb(text)
    assert [result.name for result in report] == ["parsed", "schema", "correct", "grounded", "cited"]
    assert "".join("+" if result.passed else "-" for result in report) == verdicts


def test_the_ladder_says_why():
    report = climb("Sorry, no.")
    assert report["parsed"].detail.startswith("refusal: ")
    assert report["cited"].detail == "not reached"
    report = climb(json.dumps({**REPLY, "value": 24}))
    assert report["correct"].detail == "value is 24, expected 25"
    assert report["correct"].credit == pytest.approx(1 / 3)


def test_a_reply_may_have_been_read_in_another_mode():
    text = f"It is {json.dumps(REPLY)}"
    assert climb(text).passed
    assert climb(parse_json(text, "fenced"))["parsed"].detail.startswith("no_fence")
    assert not any(climb(Parsed({**REPLY, "plan": {1, 2}}, found="whole")))  # nothing but JSON is a value


def test_an_authors_error_is_raised_even_if_the_reply_cannot_be_read():
    with pytest.raises(ValueError, match="unknown keyword 'typ'"):
        check_reply("", {"typ": "object"}, GOLDEN, FIELDS, DOCUMENTS)
    with pytest.raises(ValueError, match="unknown document"):
        check_reply("", SCHEMA, {**GOLDEN, "source": "none"}, FIELDS, DOCUMENTS)
    with pytest.raises(ValueError, match="unknown expected field 'source'"):
        check_reply("", SCHEMA, {"value": 25}, FIELDS, DOCUMENTS)


@pytest.mark.parametrize("comparator", list(COMPARATORS))
def test_where_there_is_no_fact_only_null_is_right(comparator):
    def earned(value):
        return field_credit({"plan": value}, {"plan": None}, [Field("plan", comparator)]).credit

    assert [earned(value) for value in (None, "", 0, [], False)] == [1.0, 0.0, 0.0, 0.0, 0.0]
