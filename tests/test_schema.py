"""Schemas and patterns: verdicts by hand, nothing unknown passes, nothing hangs, nothing is fetched."""

import random
import re
import socket
import subprocess
import sys
import time
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from lessonlib.structured import Problem, SchemaError, fullmatch, schema_problems
from lessonlib.structured.patterns import search
from lessonlib.structured.schema import DIALECT

MANY = settings(max_examples=300, deadline=None, derandomize=True, database=None)
RUNAWAY, LONG_TEXT = "^(?:a|aa)+$", "a" * 60 + "!"

# --- patterns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("[A-D]", "B", True),
        ("[A-D]", "B\n", False),
        ("[A-D]$", "B\n", False),
        ("[A-D]", "Bad", False),
        ("yes|no", "nope", False),
        ("^yes|no$", "yes it is", False),
        (r"\d+ (?:requests|days)", "600 requests", True),
        (r"(?i)yes", "YES", True),  # a flag: tried in the second Python
        (r"(ab)+", "abab", True),
        (r"(ab)+", "aba", False),
        ("", "", True),
        ("", "x", False),
        (".", "\ud800", True),
        ("(?i)\ud800+", "\ud800\ud800", True),
        (r"(\w+) \1", "bye bye", True),
    ],
)
def test_fullmatch_means_the_whole_text(pattern, text, expected):
    assert fullmatch(pattern, text, seconds=20) is expected
    assert bool(re.fullmatch(pattern, text)) is expected


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (RUNAWAY, LONG_TEXT),
        ("(a|aa)+b", "a" * 60),
    ],
)
def test_a_pattern_that_runs_away_is_reported(pattern, text):
    start = time.perf_counter()
    with pytest.raises(TimeoutError, match=r"did not finish in 0\.2 s"):
        fullmatch(pattern, text, seconds=0.2)
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "a**", "*", "a{99999999999}", "(" * 5000, "x" * 10_001, r"\p{L}"]
)
def test_what_is_no_pattern_is_a_value_error(pattern):
    with pytest.raises(ValueError, match=r"pattern|expression"):
        fullmatch(pattern, "a")


@pytest.mark.parametrize("seconds", [0, float("nan"), float("inf"), True, "1"])
def test_the_time_limit_is_a_positive_number(seconds):
    with pytest.raises(ValueError, match="seconds"):
        fullmatch("a", "a", seconds=seconds)


def test_texts_are_texts():
    with pytest.raises(TypeError, match="pattern"):
        fullmatch(None, "a")
    with pytest.raises(TypeError, match="text"):
        fullmatch("a", 1)


# --- verdicts --------------------------------------------------------------------------------------------

CLOSED = {"properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "value", "fits"),
    [
        (True, 1, True),
        (False, 1, False),
        ({}, None, True),
        ({"type": "integer"}, True, False),
        ({"type": "number"}, False, False),
        ({"type": "boolean"}, 0, False),
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer"}, 1e300, True),
        ({"type": "integer"}, 1.5, False),
        ({"type": "integer"}, "25", False),
        ({"type": ["string", "null"]}, None, True),
        ({"enum": [1, "a"]}, True, False),
        ({"enum": [{"a": [0]}]}, {"a": [False]}, False),
        ({"const": 1}, 1.0, True),
        ({"const": [True]}, [1], False),
        ({"maximum": 2**53}, 2**53 + 1, False),
        ({"exclusiveMinimum": 0}, 0, False),
        ({"multipleOf": 0.01}, 4.02, True),
        ({"multipleOf": 0.01}, 4.025, False),
        ({"multipleOf": 0.1}, 0.3, True),
        ({"multipleOf": 1e-300}, 1e300, True),
        ({"multipleOf": 2}, 2**60 + 1, False),
        ({"multipleOf": 2}, True, True),  # says nothing about what is no number
        ({"pattern": "^[a-z]+$"}, "abc", True),
        ({"pattern": "^[a-z]+$"}, "abc\n", False),
        ({"pattern": "b"}, "abc", True),
        ({"pattern": "^a$|[$]|\\$"}, "x$", True),
        ({"pattern": "^\\d+$"}, "٣", False),
        ({"uniqueItems": True}, [1, True, "1", None], True),
        ({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}], False),
        ({"uniqueItems": True}, [[1], [True], [1]], False),
        ({"uniqueItems": True}, [[1], [True]], True),
        ({"minLength": 2}, "\U0001f600", False),
        ({"required": ["a"]}, [], True),
        ({"properties": {"a": False}}, {}, True),
        (CLOSED, {"a": 1}, True),
        (CLOSED, {"a": 1, "b": 2}, False),
        ({"allOf": [CLOSED, {"properties": {"b": {}}}]}, {"a": 1, "b": 2}, False),
        ({"patternProperties": {"^a$": {"type": "integer"}}}, {"a": "x"}, False),
        ({"patternProperties": {"^a$": {}}, "additionalProperties": False}, {"a\n": 1}, False),
        (
            {"patternProperties": {"^x": {}}, "additionalProperties": {"type": "null"}},
            {"x1": 1, "y": None},
            True,
        ),
        ({"patternProperties": {"^x": {}}, "additionalProperties": {"type": "null"}}, {"y": 1}, False),
        ({"propertyNames": {"pattern": "^[a-z]+$"}}, {"A": 1}, False),
        ({"properties": {"a": {}}, "unevaluatedProperties": False}, {"b": 1}, False),
        ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, 3, False),
        ({"anyOf": [{"type": "string"}, {"minimum": 2}]}, 1, False),
        ({"if": {"minimum": 5}, "then": {"multipleOf": 5}}, 7, False),
        ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}}, True, False),
        (
            {"$schema": DIALECT, "properties": {"next": {"$ref": "#"}, "id": {"pattern": "^a$"}}},
            {"next": {"id": "a\n"}},
            False,
        ),
        ({"$id": "https://example.org/a", "$ref": "#/$defs/b", "$defs": {"b": {"type": "null"}}}, 1, False),
        ({"$ref": "#/definitions/b", "definitions": {"b": {"type": "null"}}}, None, True),
        ({"pattern": r"^\S+$"}, "a\u00a0b", False),  # \s and \S know all white space of Unicode
        ({"pattern": r"^[^\s]+$"}, "a\u2003b", False),
        ({"pattern": r"^a\sb$"}, "a\u00a0b", True),
        ({"pattern": r"^[\S]+$"}, "a\ufeffb", False),
        ({"pattern": r"^\w+$"}, "é", False),
        ({"pattern": r"\bcole"}, "école", True),
        ({"pattern": "^.$"}, "\u2028", False),
        ({"pattern": "^.$"}, "\U0001f600", True),
    ],
)
def test_verdicts(schema, value, fits):
    assert (schema_problems(value, schema) == []) is fits


GOOD_FORMATS = {
    "date": ("2026-02-28", "2026-02-30"),
    "date-time": ("2026-02-28T03:00:00Z", "2026-02-28 03:00"),
    "time": ("03:00:00Z", "25:00:00Z"),
    "duration": ("P30D", "30 days"),
    "email": ("a@example.org", "a"),
    "idn-email": ("ä@example.org", "ä"),
    "hostname": ("meridian.example", "-x-"),
    "idn-hostname": ("bücher.example", "-x-"),
    "ipv4": ("10.0.0.1", "10.0.0.256"),
    "ipv6": ("::1", "::g"),
    "uri": ("https://example.org/a", "/a"),
    "uri-reference": ("/a", "\\\\a"),
    "iri": ("https://example.org/ä", "/ä"),
    "iri-reference": ("/ä", "\\\\a"),
    "uri-template": ("https://example.org/{id}", None),  # the package's checker refuses hardly anything
    "json-pointer": ("/a/0", "a"),
    "relative-json-pointer": ("1/a", "/a"),
    "regex": ("^a+$", "(a"),
    "uuid": ("2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380"),
}


@pytest.mark.parametrize("name", GOOD_FORMATS)
def test_formats_are_checked(name):
    good, bad = GOOD_FORMATS[name]
    schema = {"format": name}
    assert schema_problems(good, schema) == []
    assert schema_problems(7, schema) == []
    assert bad is None or schema_problems(bad, schema)
    if name not in ("regex", "json-pointer", "relative-json-pointer"):
        assert schema_problems(good + "\n", schema), "a line break is no part of it"
    for odd in ["\ud800", "(" * 5000, "[[a]", "a{99999999999}", "\0", "http://[", "x" * 10_000]:
        schema_problems(odd, schema)  # nothing raises


def test_a_format_that_nothing_checks_is_an_error(monkeypatch):
    with pytest.raises(
        SchemaError, match=r"nothing checks the format 'postcode'.*jsonschema\[format-nongpl\]"
    ):
        schema_problems("x", {"format": "postcode"})
    # As where the packages that the checkers need are not installed.
    monkeypatch.delitem(Draft202012Validator.FORMAT_CHECKER.checkers, "date-time")
    with pytest.raises(SchemaError, match="'date-time'"):
        schema_problems("x", {"properties": {"when": {"format": "date-time", "title": "never met"}}})


@pytest.mark.parametrize(
    "schema",
    [
        None,
        7,
        "integer",
        [],
        {"type": "strin"},
        {"type": "integer", "minimum": "0"},
        {"properties": []},
        {"items": [{}, {}]},  # an older draft's way
        {"typ": "integer"},
        {"properties": {"a": {"nullable": True}}},
        {"$defs": {"unused": {"maxLenght": 3}}},
        {"dependencies": {"a": ["b"]}},
        {"contentEncoding": "base64"},
        {"additionalItems": False},
        {"$schema": "http://json-schema.org/draft-07/schema#"},
        {"allOf": [{"$schema": "https://json-schema.org/draft/2019-09/schema"}]},
        {"pattern": "("},
        {"pattern": "\\p{L}"},
        {"patternProperties": {"(": {}}},
        *(
            {"pattern": p}
            for p in ("(?i)a", "(?P<n>a)", "(a)\\1", "\\Aa", "a\\Z", "a++", "[]a]", "a{,2}", "\\ud83d")
        ),
        {"$anchor": "a"},
        {"$defs": {"a": {"$id": "a"}}},
        {"$ref": "#/properties/a", "properties": {"a": {}}},
        {"$defs": 7},
        {"pattern": "(" * 5000},
        {"$ref": "#/$defs/none"},
        {"$ref": "#nowhere"},
        {"$ref": "#/examples/0", "examples": [{"type": "strin"}]},
        {"$ref": "#/examples/0", "examples": [7]},
        {"$ref": "#/examples/0", "examples": [{"typ": "integer"}]},
        {"$ref": "#"},
        {"anyOf": [{"$ref": "#"}]},
        {"minimum": float("nan")},
        {"const": {1, 2}},
        {"patternProperties": {"a": {}}, "unevaluatedProperties": False},
        {"not": {"format": "postcode"}},
    ],
)
def test_a_schema_that_is_not_understood_is_an_error(schema):
    with pytest.raises(SchemaError):
        schema_problems("whatever", schema)


@pytest.mark.parametrize(
    "target",
    [
        "https://example.org/schema",
        "http://127.0.0.1:9/x",
        "other.json",
        "file:///etc/hosts",
        DIALECT,
        "//x/y",
    ],
)
def test_a_reference_to_elsewhere_is_refused_without_a_call(monkeypatch, target):
    def refuse(*arguments, **options):
        raise AssertionError("a network call")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr("urllib.request.urlopen", refuse)
    for schema in ({"$ref": target}, {"properties": {"never": {"items": {"$ref": target}}}}):
        with pytest.raises(SchemaError, match="points outside"):
            schema_problems({}, schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": RUNAWAY},
        {"not": {"pattern": RUNAWAY}},
        {"anyOf": [{"pattern": RUNAWAY}, {"type": "integer"}]},
    ],
)
def test_a_pattern_out_of_time_is_a_problem_and_never_a_pass(schema):
    problems = schema_problems(LONG_TEXT, schema)
    assert [(problem.path, problem.keyword) for problem in problems] == [("$", "pattern")]
    assert "did not finish" in problems[0].message


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], {"a": {1, 2}}, (1,), {1: 2}, object()])
def test_a_value_that_is_not_json_has_a_problem(value):
    assert [problem.keyword for problem in schema_problems(value, {})] == ["not_json"]


def test_problems_have_a_path_and_a_sentence():
    schema = {
        "type": "object",
        "properties": {
            "value": {"type": "integer", "minimum": 0},
            "plan": {"enum": ["Free", "Pro"]},
            "tags": {"items": {"type": "string", "minLength": 1}, "maxItems": 2},
            "per cent": {"maximum": 100},
        },
        "required": ["value", "unit", "quote"],
        "additionalProperties": False,
    }
    value = {"value": True, "plan": "pro", "tags": ["a", 3, ""], "per cent": 101, "note": "ü"}
    assert [str(problem) for problem in schema_problems(value, schema)] == [
        "$.value: must be a whole number, not a boolean (true)",
        '$.plan: must be one of "Free", "Pro", not "pro" (only the case differs)',
        "$.tags[1]: must be a text, not a number (3)",
        "$.tags[2]: must have 1 or more characters, not 0",
        "$.tags: must have 2 or fewer items, not 3",
        "$['per cent']: must be at most 100, not 101",
        '$: lacks the keys "unit", "quote"',
        '$: has a key that the schema does not allow: "note"',
    ]
    assert schema_problems(-1, {"minimum": 0}) == [Problem("$", "must be at least 0, not -1", "minimum")]


def test_the_schema_is_left_as_it_was():
    schema = {"$schema": DIALECT, "$id": "a"}
    schema_problems(1, schema)
    assert schema == {"$schema": DIALECT, "$id": "a"}


def test_deep_values_are_checked_to_the_bottom():
    value = {"n": 1.5}
    for _ in range(98):
        value = {"next": value}
    schema = {"properties": {"next": {"$ref": "#"}, "n": {"type": "integer"}}}
    assert [problem.path for problem in schema_problems(value, schema)] == ["$" + ".next" * 98 + ".n"]


# --- the packages that decide ----------------------------------------------------------------------------

LEAVES = st.sampled_from([None, True, False, 0, 1, 1.0, 2.5, -1, 600, "Pro", "pro", "1", ""])
NAMES = st.sampled_from(["value", "unit", "plan"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
LIMIT = st.sampled_from([0, 1, 2])
OWN = {
    "type": st.sampled_from(["object", "array", "string", "number", "integer", "boolean", "null"]),
    "enum": st.lists(VALUES, min_size=1, max_size=4),
    "minimum": st.sampled_from([0, 1, 2.5]),
    "multipleOf": st.sampled_from([1, 2, 2.5]),
    "minLength": LIMIT,
    "maxItems": LIMIT,
    "required": st.lists(NAMES, max_size=2, unique=True),
    "uniqueItems": st.booleans(),
    "pattern": st.sampled_from(["^[A-Z]", "o$", "^.$"]),
}
SCHEMAS = st.recursive(
    st.fixed_dictionaries({}, optional=OWN),
    lambda inner: st.fixed_dictionaries(
        {"properties": st.dictionaries(NAMES, inner, max_size=3)},
        optional={"additionalProperties": inner | st.booleans(), "not": inner, "items": inner},
    ),
    max_leaves=5,
)


@MANY
@given(VALUES, SCHEMAS)
def test_verdicts_are_those_of_jsonschema(value, schema):
    assert (schema_problems(value, schema) == []) is Draft202012Validator(schema).is_valid(value)


ATOMS = [*"ab.^$|()[]*+?", "(?:", "(?=", "(?!", "(?i)", r"\d", r"\b", r"\1", "[^a]", "{2}", "{1,}", "a", "b"]


def test_matches_are_those_of_re():
    draw, tried = random.Random(5), 0
    while tried < 3_000:
        pattern, text = "".join(draw.choices(ATOMS, k=6)), "".join(draw.choices("ab1\n", k=5))
        try:
            with warnings.catch_warnings(action="ignore"):
                expected = re.fullmatch(pattern, text), re.search(pattern, text)
        except re.error:
            continue
        assert (fullmatch(pattern, text), search(pattern, text)) == tuple(map(bool, expected)), (
            pattern,
            text,
        )
        tried += 1


def test_the_package_is_loaded_when_a_schema_is_checked_and_its_grammar_when_a_format_needs_it():
    code = (
        "import sys; from lessonlib.structured import schema_problems as check\n"
        "def loaded(*names): print(*[name for name in names if name in sys.modules], '.')\n"
        "loaded('regex', 'jsonschema', 'nltk', 'pandas')\n"
        "check(1, {}); loaded('jsonschema', 'lark')\n"
        "print([len(check(text, {'format': 'iri'})) for text in ('https://x.org/ä', 'ä ä')]); loaded('lark')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines() == [".", "jsonschema .", "[0, 1]", "lark ."]
