"""JSON out of an answer: right values by hand, typed failures, and no guess on any input."""

import json
import random
import time

import pytest
from hostile import ALL_TEXTS, NO_TEXT
from hypothesis import given, settings
from hypothesis import strategies as st

from lessonlib.structured import FAILURES, MODES, Parsed, json_equal, parse_json
from lessonlib.structured.reading import MAX_DEPTH

MANY = settings(max_examples=200, deadline=None, derandomize=True, database=None)

# --- values ----------------------------------------------------------------------------------------------

FOUND = [
    # (text, value, how it is found)
    ('{"plan": "Pro"}', {"plan": "Pro"}, "whole"),
    (" \r\n[1, 2.5, -0.0, 1e3]\t", [1, 2.5, 0.0, 1000.0], "whole"),
    ("null", None, "whole"),
    ("true", True, "whole"),
    ('"25"', "25", "whole"),
    ("12345678901234567890123", 12345678901234567890123, "whole"),
    ("9" * 4300, int("9" * 4300), "whole"),
    ('"\\ud83d"', "\ud83d", "whole"),  # half of an emoji: a Python string can hold it
    ('{"s": "a \ud800 b"}', {"s": "a \ud800 b"}, "whole"),
    ("\ufeff[3]", [3], "whole"),
    ('{"how": "type ```pip install``` and }"}', {"how": "type ```pip install``` and }"}, "whole"),
    ("[" * MAX_DEPTH + "]" * MAX_DEPTH, json.loads("[" * MAX_DEPTH + "]" * MAX_DEPTH), "whole"),
    ('```json\n{"a": 1}\n```', {"a": 1}, "fenced"),
    ('Sure!\n\n```JSON\r\n{"a": 1}\r\n```\r\nAnything else?', {"a": 1}, "fenced"),
    ("~~~\n[1]\n~~~", [1], "fenced"),
    ('````json\n{"doc": "```\\ncode\\n```"}\n````', {"doc": "```\ncode\n```"}, "fenced"),
    ("It is\n```\n42\n```\nas you asked", 42, "fenced"),
    ('1. First:\n   ```json\n   {"a": 1}\n   ```', {"a": 1}, "fenced"),
    ('Run this:\n```sh\nls\n```\nand get\n```json\n{"n": 4}\n```', {"n": 4}, "fenced"),
    ('Given {these notes}, {see: below} and [sic]: {"n": 4}', {"n": 4}, "embedded"),
    ('{"n": 4} fills {x} and [y], see {key: value}.', {"n": 4}, "embedded"),
    ('Set `limit`, then send `{"n": 4}`.', {"n": 4}, "embedded"),
    (
        'So: {"s": "}{ ][ \\" ```", "t": {"u": [[]]}}. Done',
        {"s": '}{ ][ " ```', "t": {"u": [[]]}},
        "embedded",
    ),
    ('A value in [0, 1) fits: {"p": 0.5}', {"p": 0.5}, "embedded"),
    ('The sign { opens it. {"n": 4}', {"n": 4}, "embedded"),
    ('Close with a } sign. {"n": 4}', {"n": 4}, "embedded"),
    ('He said "yes" and 5" more: {"n": 4}', {"n": 4}, "embedded"),
    ('I see {the "odd one} here\n{"n": 4}', {"n": 4}, "embedded"),
    ('```json\n{"n": 4}\n', {"n": 4}, "embedded"),  # the value is whole, only the fence is not
    ('```json {"n": 4}```', {"n": 4}, "embedded"),
    ('```json\nHere: {"n": 4}\n```', {"n": 4}, "embedded"),
    ("The plans are [] for now", [], "embedded"),
    ('{"s": "a <think>b</think> c"}', {"s": "a <think>b</think> c"}, "whole"),
    ('<think>maybe {"n": 3}</think>\n{"n": 4}', {"n": 4}, "embedded"),
    ('It began in the prompt: {"n": 3}</think>{"n": 4}', {"n": 4}, "embedded"),
    ('<think><think>{"n": 1}</think>{"n": 2}</think>\n```json\n{"n": 4}\n```', {"n": 4}, "fenced"),
]


@pytest.mark.parametrize(("text", "value", "found"), FOUND)
def test_values(text, value, found):
    parsed = parse_json(text)
    assert parsed == Parsed(value, None, "", found)
    assert json_equal(parsed.value, value)
    assert parsed


@pytest.mark.parametrize(("text", "value", "found"), FOUND)
def test_each_mode_allows_what_the_one_before_allows(text, value, found):
    ways = list(MODES)
    first = {"whole": 0, "fenced": 1, "embedded": 2}[found]
    for i, mode in enumerate(ways):
        parsed = parse_json(text, mode)
        if i >= first and not (mode == "strict" and text.startswith("\ufeff")):
            assert json_equal(parsed.value, value)
        else:
            assert not parsed
            assert parsed.failure in ("wrapped", "no_fence", "truncated")


FAILED = [
    ("", "empty"),
    ('<think>{"a": 1}</think>', "empty"),
    ('<think>{"a": 1}</think>\nSorry, I cannot say.', "refusal"),
    ('<Thinking kind="x">{"a": 1}</THINKING>No.', "no_json"),
    ("[THINK]{}[/THINK] No.", "no_json"),
    ('<!-- {"a": 1} --> No.', "no_json"),
    ('<reasoning>{"a": 1}', "truncated"),
    ('{"a": 1} <think>But', "truncated"),
    ('<think><think>x</think>{"a": 1}', "truncated"),
    ("<think>```json\n{}\n``` no", "truncated"),
    ('So: {"s": "a <think>b</think> c"}', "malformed"),  # cut out, never silently changed
    (" \n\ufeff", "empty"),
    ("I'm sorry, but I can't help with that.", "refusal"),
    ("I cannot answer this from the documents.", "refusal"),
    ("The limit is 600 requests per minute.", "no_json"),
    ("Use {curly} and [square] signs.", "no_json"),
    ("25 dollars", "no_json"),
    ('{"a": 1} {"a": 2}', "several"),
    ('{"a": 1}\n{"a": 1}', "several"),  # twice the same is twice
    ('As [1] says: {"a": 1}', "several"),
    ('```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', "several"),
    ('Draft: {"a": 1}\n```json\n{"a": 2}\n```', "several"),
    ("```\n1\n```\n```\n2\n```", "several"),
    ('{"plan": "Free", "plan": "Pro"}', "duplicate_key"),
    ('{"a": {"b": 1, "\\u0062": 2}}', "duplicate_key"),
    ('See {"a": 1, "a": 1}.', "duplicate_key"),
    ('{"a": 1}\nor {"a": 1, "a": 2}', "duplicate_key"),
    ("NaN", "not_a_number"),
    ('{"v": NaN}', "not_a_number"),
    ("Result: [-Infinity]", "not_a_number"),
    ("```\nInfinity\n```", "not_a_number"),
    ('{"v": -1e999}', "not_a_number"),
    ("[" + "7" * 5000 + "]", "not_a_number"),
    ("-" + "7" * 5000, "not_a_number"),
    ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "too_deep"),
    ("[" * 100_000 + "]" * 100_000, "too_deep"),
    ('Deep: {"a":' + "[" * 500 + "]" * 500 + "}", "too_deep"),
    ('{"a": 1, "b', "truncated"),
    ('{"a": 1,', "truncated"),
    ('{"a": tru', "truncated"),
    ('{"a": "x\\', "truncated"),
    ('{"a": "\\u00', "truncated"),
    ('{"a": -', "truncated"),
    ('[{"a": 1}, {"b": 2}', "truncated"),
    ('Here: ```json\n{"a": {"b": 1}', "truncated"),
    ("```json\n", "truncated"),
    ('{"a": 1,}', "malformed"),
    ("[1, 2,]", "malformed"),
    ("{'a': 1}", "malformed"),
    ("{'a': [1, 2]}", "malformed"),  # [1, 2] is JSON, but not the answer
    ("{'a': [1, 2], 'b': ", "malformed"),
    ("{a: [1, 2], b: ", "malformed"),
    ("{“a”: [1]}", "malformed"),
    ('{"a": None}', "malformed"),
    ('{"a": 1 /* one */}', "malformed"),
    ('{"a": 01}', "malformed"),
    ('{"a": +1}', "malformed"),
    ('{"a": "x\ny"}', "malformed"),
    ('{"a": "x\ty"}', "malformed"),
    ('{"a": 1} }', "malformed"),
    ('"a": 1, "b": {"c": 2}}', "malformed"),  # the front was lost
    ('"b": {"c": 2}', "malformed"),
    ('{{"a": 1}}', "malformed"),
    ('{"a": 1 "b": {"c": 2}}', "malformed"),
    ('{"a": 1,} Sorry, that is {"a": 1}', "malformed"),
    ("\u00a0[1]\u00a0x {'a'", "malformed"),
]


@pytest.mark.parametrize(("text", "failure"), FAILED)
def test_failures(text, failure):
    for mode in MODES:
        parsed = parse_json(text, mode)
        assert parsed.failure == failure
        assert parsed.value is None
        assert parsed.found is None
        assert parsed.message
        assert not parsed
        assert not parsed.ok


def test_every_failure_is_explained_and_reached():
    reached = {failure for _, failure in FAILED} | {"wrapped", "no_fence"}
    assert reached == set(FAILURES)
    assert parse_json('So: {"a": 1}', "strict").failure == "wrapped"
    assert parse_json('So: {"a": 1}', "fenced").failure == "no_fence"
    assert parse_json('```\n{"a": 1}', "fenced").failure == "truncated"


def test_the_message_names_the_slip():
    assert "double quotes" in parse_json("{'a': 1}").message
    assert "true, false and null" in parse_json('{"a": True}').message
    assert "comment" in parse_json('{"a": 1 // one\n}').message
    assert "'plan'" in parse_json('{"plan": 1, "plan": 2}').message


@pytest.mark.parametrize("text", NO_TEXT)
def test_what_is_no_text_is_a_type_error(text):
    with pytest.raises(TypeError, match="text must be a string"):
        parse_json(text)


def test_an_unknown_mode_is_an_error_before_the_text_is_read():
    with pytest.raises(ValueError, match="unknown mode 'lenient'; known: strict, fenced, embedded"):
        parse_json("", "lenient")


# --- any text --------------------------------------------------------------------------------------------

PIECES = [*"{}[]\"':,\\\n a1-.", "```json\n", "\n```\n", "e9", "null", *ALL_TEXTS]
NOISE = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@MANY
@given(st.one_of(NOISE, st.text()))
def test_no_text_raises_and_the_modes_agree(text):
    strict, fenced, embedded = (parse_json(text, mode) for mode in MODES)
    for parsed in (strict, fenced, embedded):
        assert (parsed.failure is None) != (parsed.failure in FAILURES)
    for narrow, wide in ((strict, fenced), (fenced, embedded)):
        assert wide.ok or not narrow.ok
        assert not narrow.ok or json_equal(narrow.value, wide.value)
    if strict.ok:
        assert json_equal(json.loads(text), strict.value)
    elif strict.failure not in ("duplicate_key", "not_a_number", "too_deep"):
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)


KEYS = st.text(max_size=6)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
CONTAINERS = VALUES.filter(lambda value: isinstance(value, list | dict))
PROSE = st.text(
    st.characters(exclude_characters="{}[]`~\"',", exclude_categories=["Cs"]), max_size=30
).filter(lambda text: not text.strip().startswith(("}", "]")))
WRITTEN = st.sampled_from([{}, {"indent": 2}, {"ensure_ascii": False}, {"separators": (",", ":")}])


@MANY
@given(VALUES, WRITTEN, st.sampled_from(["", " ", "\r\n"]))
def test_every_value_comes_back_from_a_text_of_its_own(value, style, space):
    parsed = parse_json(space + json.dumps(value, **style) + space, "strict")
    assert parsed.found == "whole"
    assert json_equal(parsed.value, value)


@MANY
@given(CONTAINERS, WRITTEN, PROSE, PROSE)
def test_every_object_and_array_comes_back_from_prose(value, style, before, after):
    parsed = parse_json(f"{before} {json.dumps(value, **style)} {after}")
    assert parsed.ok, parsed
    assert json_equal(parsed.value, value)


@MANY
@given(VALUES, WRITTEN, PROSE, PROSE, st.sampled_from(["```json", "```", "~~~", "````JSON", "``` json "]))
def test_every_value_comes_back_from_a_block(value, style, before, after, fence):
    close = fence.strip("json JSON")
    text = f"{before}\n{fence}\n{json.dumps(value, **style)}\n{close}\n{after}"
    for mode in ("fenced", "embedded"):
        parsed = parse_json(text, mode)
        assert parsed.ok, parsed
        assert json_equal(parsed.value, value)


@MANY
@given(CONTAINERS, CONTAINERS, WRITTEN, PROSE, PROSE, PROSE, st.sampled_from(["{}", "\n```\n{}\n```\n"]))
def test_a_text_with_two_values_gives_neither(first, second, style, before, between, after, place):
    text = before + json.dumps(first, **style) + between + place.format(json.dumps(second, **style)) + after
    for mode in MODES:
        assert not parse_json(text, mode)


@MANY
@given(CONTAINERS, WRITTEN, st.data())
def test_a_value_that_was_cut_gives_nothing(value, style, data):
    text = json.dumps(value, **style)
    end = data.draw(st.integers(1, len(text) - 1))
    assert parse_json(text[:end]).failure == "truncated"


# --- time ------------------------------------------------------------------------------------------------

LONG = {
    "open braces": "{" * 100_000,
    "open tags": "<think>" * 30_000 + "<!--" * 30_000 + "<think " * 30_000,
    "open objects": '{"a":' * 50_000,
    "open arrays": "[1," * 50_000,
    "backticks": "```" * 30_000,
    "fences": "```\n" * 30_000,
    "unclosed blocks": "~~~\n[1\n~~~\n" * 5_000,
    "prose brackets": "[x] " * 20_000,
    "python": "{'a': 1} " * 50_000,
    "trailing commas": '{"a":1,}' * 50_000,
    "arrays": "[]" * 50_000,
    "quotes": '["x] ' * 20_000,
    "escapes": '[\\"' * 50_000,
    "open strings": '{"' * 50_000,
    "spaces": "[" + " " * 200_000 + "[",
    "broken by lines": '{"a" b\n' * 20_000,
    "digits": "9" * 1_000_000,
    "long float": "[0." + "1" * 1_000_000 + "x]",
    "nested prose": ("[" * 99 + "x ") * 500,
    "lone brackets far apart": "{ x " * 15 + "{ " * 3 + "(a) " * 50_000,
    "commas and colons": '{"a",:' * 30_000,
}


@pytest.mark.parametrize("name", LONG)
def test_hard_texts_of_any_kind_are_read_in_linear_time(name):
    start = time.perf_counter()
    parse_json(LONG[name])
    assert time.perf_counter() - start < 5  # they take under half a second; squared, they would take hours


# --- replies that were damaged ---------------------------------------------------------------------------

ANSWER = {
    "answer": "The Pro plan costs 25 dollars per month.",
    "value": 25,
    "unit": "dollars per month",
    "source": {"doc": "plans", "quotes": ["Pro 25 dollars per month", "50 GB"]},
    "open": True,
}
PRETTY = json.dumps(ANSWER, indent=2)
REPLIES = [
    json.dumps(ANSWER),
    PRETTY,
    f"Sure:\n\n```json\n{PRETTY}\n```\nAnything else?",
    f"It is {PRETTY}. Done.",
]


def is_whole(value):
    """Whether a value is the answer, at most one key or value apart: not a piece of it or something else."""
    if not isinstance(value, dict) or len(value) != len(ANSWER):
        return False
    return sum(key in value and json_equal(value[key], ANSWER[key]) for key in ANSWER) >= len(ANSWER) - 1


def test_a_reply_with_one_wrong_character_is_whole_or_fails():
    draw = random.Random(4)
    for reply in REPLIES:
        for at in range(len(reply)):
            for new in ["", *draw.choices("{}[]\",:'`\\x7 \n", k=3)]:
                parsed = parse_json(reply[:at] + new + reply[at + 1 :])
                assert not parsed.ok or is_whole(parsed.value), (reply[:at] + new + reply[at + 1 :], parsed)


def test_a_broken_fence_never_changes_the_value():
    block = REPLIES[2]
    openers = ["``json\n", "`json\n", "json\n", "```json", "``` json\n", "~~~json\n", "\n", "````json\n"]
    closers = ["\n``", "\n`", "", "\n````", "\n~~~", "```", "\n``` done", "\n'''"]
    for opener in openers:
        for closer in closers:
            text = f"Sure:\n\n{opener}{PRETTY}{closer}\nAnything else?"
            assert json_equal(parse_json(text).value, ANSWER), text
    assert parse_json(block, "fenced").ok


# --- equality --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "equal"),
    [
        (True, 1, False),
        (False, 0, False),
        ([0, [True]], [0, [1]], False),
        ({"a": {"b": False}}, {"a": {"b": 0}}, False),
        (1, 1.0, True),
        ({"a": [2.0]}, {"a": [2]}, True),
        (2**53 + 1, 2**53, False),
        (2**53 + 1, float(2**53), False),
        (0.0, -0.0, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, 2], [2, 1], False),
        ({}, [], False),
        ({"a": None}, {}, False),
        ("1", 1, False),
        (None, False, False),
        ("a", ["a"], False),
        ([], ["array"], False),
        ("\ud800", "\ud800", True),
    ],
)
def test_equality(first, second, equal):
    assert json_equal(first, second) is equal
    assert json_equal(second, first) is equal


@pytest.mark.parametrize("value", [(1,), {1, 2}, b"x", {1: 2}, object(), [{"a": (1,)}]])
def test_what_is_no_json_has_no_equal(value):
    with pytest.raises(TypeError):
        json_equal(value, value)


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], {"a": -float("inf")}])
def test_nan_has_no_equal(value):
    with pytest.raises(ValueError, match="not a JSON number"):
        json_equal(value, value)
