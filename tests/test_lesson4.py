"""Lesson 4: what the notebook builds is what the package decides, and the figures it teaches are right."""

import json
import random
from collections import Counter
from dataclasses import asdict

import jsonschema
import pytest
from lesson_files import SOLUTIONS, functions, read

from lessonlib import plots
from lessonlib.data import load_documents, load_golden, load_structured_replies
from lessonlib.docent import REPLY_SCHEMA
from lessonlib.structured import (
    Field,
    check_format,
    check_reply,
    field_credit,
    fullmatch,
    is_verbatim,
    loose_versions,
    parse_json,
    schema_problems,
)

LESSON = "04_structured_checks"
BUILT = functions(LESSON, "loads", "strict_json", "has_type", "broken_rules", "problems", "credit", "squeeze")
REPLIES, DOCUMENTS = load_structured_replies(), load_documents()
EXPECTED = {item.id: asdict(item.structured) for item in load_golden()}
FIELDS = [Field("value"), Field("unit"), Field("plan")]

# --- (a) built in the notebook, equal to the package -----------------------------------------------------

LEAVES = (None, True, False, 0, 1, -1, 1.0, 0.0, 2.5, 24, 600, 1001, "", "1", "Pro", "pro", "days", "true")
NAMES = ("value", "unit", "plan", "note")
KINDS = ("object", "array", "string", "boolean", "integer", "number", "null")


def random_value(rng, depth=2):
    shape = rng.randrange(6) if depth else 0
    if shape == 4:
        return [random_value(rng, depth - 1) for _ in range(rng.randrange(3))]
    if shape == 5:
        return {name: random_value(rng, depth - 1) for name in NAMES if rng.random() < 0.5}
    return rng.choice(LEAVES)


def random_schema(rng, depth=2):
    """Return a schema of the keywords that the lesson knows."""
    schema = {}
    if rng.random() < 0.5:
        schema["type"] = rng.choice(KINDS) if rng.random() < 0.6 else rng.sample(KINDS, 2)
    if rng.random() < 0.3:
        schema["enum"] = [random_value(rng, 1) for _ in range(rng.randrange(1, 5))]
    if rng.random() < 0.3:
        schema["minimum"] = rng.choice((0, 1, 2.5))
    if rng.random() < 0.3:
        schema["maximum"] = rng.choice((0, 1, 2.5, 1000))
    if depth and rng.random() < 0.6:
        schema["properties"] = {name: random_schema(rng, depth - 1) for name in NAMES if rng.random() < 0.5}
    if rng.random() < 0.3:
        schema["required"] = rng.sample(NAMES, rng.randrange(3))
    if rng.random() < 0.3:
        schema["additionalProperties"] = rng.random() < 0.5
    return schema


def test_the_validator_by_hand_gives_the_verdicts_of_jsonschema():
    rng = random.Random(41)
    verdicts = []
    for _ in range(6_000):
        value, schema = random_value(rng), random_schema(rng)
        ours = BUILT["problems"](value, schema) == []
        assert ours == (schema_problems(value, schema) == []), (value, schema)
        assert ours == jsonschema.Draft202012Validator(schema).is_valid(value), (value, schema)
        verdicts.append(ours)
    assert 500 < sum(verdicts) < 5_500


def test_the_validator_by_hand_on_values_near_the_schema_of_the_lesson():
    rng = random.Random(42)
    verdicts = set()
    for _ in range(3_000):
        value = dict(rng.choice(list(EXPECTED.values())))
        for _ in range(rng.randrange(3)):
            value[rng.choice([*value, "extra"])] = random_value(rng, 1)
        if rng.random() < 0.2:
            value.pop(rng.choice(list(value)))
        found = BUILT["problems"](value, REPLY_SCHEMA)
        assert (found == []) == (schema_problems(value, REPLY_SCHEMA) == []), value
        verdicts.add(len(found))
    assert verdicts >= {0, 1, 2}


@pytest.mark.parametrize(
    "schema",
    [
        {"minLength": 1},
        {"minimun": 0},
        {"properties": {"n": {"format": "date"}}},
        {"properties": {"absent": {"properties": {"n": {"minimun": 0}}}}},
        {"additionalProperties": {}},
    ],
)
def test_the_validator_by_hand_refuses_what_it_does_not_know(schema):
    with pytest.raises(ValueError, match="nothing here checks"):
        BUILT["problems"]({"n": "x"}, schema)


def test_the_strict_reader_gives_the_verdicts_of_parse_json():
    rng = random.Random(43)
    pieces = [
        "{",
        "}",
        "[",
        "]",
        '"a"',
        '"b"',
        ":",
        ",",
        "1",
        "2.5",
        "true",
        "null",
        "NaN",
        " ",
        "\n",
        "x",
        "'",
        "-",
    ]
    texts = ["".join(rng.choices(pieces, k=rng.randrange(1, 9))) for _ in range(20_000)]
    texts += [json.dumps(random_value(rng)) for _ in range(1_000)]
    texts += ['{"a": 1, "a": 1}', '[{"a": {"b": 1, "b": 2}}]', "[NaN]", "-Infinity", "", " ", "{}\n", "1 2"]
    texts += [reply.text for reply in REPLIES]
    verdicts = []
    for text in texts:
        ok, value = BUILT["strict_json"](text)
        parsed = parse_json(text, "strict")
        assert (ok, value) == (parsed.ok, parsed.value), text
        verdicts.append(ok)
    assert 1_000 < sum(verdicts) < len(texts) - 1_000


def test_credit_is_field_credit():
    rng = random.Random(44)
    shares = set()
    for _ in range(3_000):
        wanted = dict(rng.choice(list(EXPECTED.values())))
        value = dict(wanted)
        for name in rng.sample(("value", "unit", "plan", "answer"), rng.randrange(4)):
            value[name] = rng.choice(LEAVES)
        if rng.random() < 0.3:
            value.pop(rng.choice(("value", "unit", "plan")))
        ours = BUILT["credit"](value, wanted)
        assert ours == pytest.approx(field_credit(value, wanted, FIELDS).credit, abs=1e-12)
        shares.add(round(ours, 2))
    assert shares == {0, 0.33, 0.67, 1}


# --- (b) the figures of the lesson -----------------------------------------------------------------------


def test_how_many_replies_each_rung_leaves():
    assert sum(BUILT["loads"](reply.text) for reply in REPLIES) == 15
    found = [sum(parse_json(r.text, mode).ok for r in REPLIES) for mode in ("strict", "fenced", "embedded")]
    assert found == [13, 14, 15]
    reports = [check_reply(r.text, REPLY_SCHEMA, EXPECTED[r.item], FIELDS, DOCUMENTS) for r in REPLIES]
    left = []
    for rungs in (("parsed",), ("schema",), ("correct",), ("grounded", "cited")):
        reports = [report for report in reports if all(report[rung].passed for rung in rungs)]
        left.append(len(reports))
    assert left == [15, 10, 8, 5]
    by_plain_loads = {reply.flaw for reply in REPLIES if BUILT["loads"](reply.text)}
    by_parse_json = {reply.flaw for reply in REPLIES if parse_json(reply.text).ok}
    assert by_plain_loads - by_parse_json == {"key twice", "NaN"}
    assert by_parse_json - by_plain_loads == {"in a fence", "prose around it"}


def test_credit_with_and_without_weights():
    heavy = [Field("value", weight=3), Field("unit"), Field("plan")]
    values = {reply.id: (parse_json(reply.text).value, EXPECTED[reply.item]) for reply in REPLIES}
    plain = {name: field_credit(*pair, FIELDS).credit for name, pair in values.items()}
    assert round(sum(value == 1 for value in plain.values()) / 24, 2) == 0.38
    assert round(sum(plain.values()) / 24, 2) == 0.53
    assert Counter(round(value, 2) for value in plain.values()) == {1: 9, 0.67: 5, 0.33: 1, 0: 9}
    partly = [name for name, value in plain.items() if 0 < value < 1]
    assert partly == ["s13", "s14", "s15", "s17", "s18", "s23"]
    weighted = [field_credit(*values[name], heavy).credit for name in partly]
    assert weighted == pytest.approx([0.4, 0.4, 0.8, 0.8, 0.8, 0.2])
    with_unit = [Field("value", "numeric", unit_field="unit")]
    assert field_credit(*values["s18"], with_unit).credit == 0


def test_the_numbers_of_the_tolerance_table():
    size = {"value": 1, "unit": "GB"}
    rows = [(1, "gigabyte"), (1.04, "GB"), (1, "MB"), (True, "GB")]
    for tolerance, expected in ((0, [1, 0, 0, 0]), (0.05, [1, 1, 0, 0])):
        field = [Field("value", "numeric", unit_field="unit", rel_tol=tolerance)]
        assert [field_credit({"value": n, "unit": u}, size, field).credit for n, u in rows] == expected
    letters = [field_credit({"value": n, "unit": u}, size, [Field("unit")]).credit for n, u in rows]
    assert letters == [0, 1, 0, 1]


def test_quotes_patterns_and_formats():
    page = DOCUMENTS["plans"].text
    assert "5 dollars per month" in page
    assert not is_verbatim("5 dollars per month", page)
    assert is_verbatim("25 dollars\nper month", page)
    texts = ("yes", "no", "yes, but only on Scale", "I do not know: no", "no\n", "piano", "maybe")
    assert [fullmatch("yes|no", text) for text in texts] == [True, True, *[False] * 5]
    terse = {"fullmatch": r"\d.*", "at_most_words": 3, "no_apology": True}
    answers = ["24 hours", "**24 hours**", "Sure, here it is:\n24 hours"]
    answers += ["I'm sorry, I am not allowed to say.\n24 hours", "The grace period is 24 hours."]
    verdicts = [
        (check_format(text, terse).passed, check_format(text, terse).passed_loose) for text in answers
    ]
    assert verdicts == [(True, True), *[(False, True)] * 3, (False, False)]
    assert len(loose_versions("Sure, here it is:\n**24 hours**")) == 5


def test_the_lesson_shows_one_row_a_reply():
    notebook = next(read(path) for path in SOLUTIONS if path.stem == LESSON)
    cell = next(cell for cell in notebook.cells if cell.id == "table")
    header, *rows = cell.outputs[0].text.splitlines()
    assert header.split() == ["id", "flaw", "parsed", "schema", "fields", "correct", "grounded", "cited"]
    assert [row.split()[0] for row in rows] == [reply.id for reply in REPLIES]
    for row, reply in zip(rows, REPLIES, strict=True):
        how, schema, _, correct, grounded, cited = row.removeprefix(f"{reply.id}  {reply.flaw}").split()
        said = [mark == "yes" for mark in (schema, correct, grounded, cited)]
        assert (how, *said) == (reply.parsed, reply.schema, reply.correct, reply.grounded, reply.cited)


def test_two_replies_quote_the_right_page_and_are_wrong():
    """The answer to the question before the table of verdicts, and the gray of the bars after it."""
    fitting = [reply for reply in REPLIES if reply.schema]
    wrong = [reply.id for reply in fitting if reply.grounded and reply.cited and not reply.correct]
    assert wrong == ["s18", "s23"]
    assert [reply.id for reply in fitting if reply.correct and reply.grounded and not reply.cited] == ["s19"]


def test_a_series_can_be_pale_and_the_axis_named():
    arguments = ("Falls", ["1", "2"], {"passes": [3, 2], "fell before": [0, 1]})
    plain = plots.stack(*arguments)
    for options in ({"pale": "fell before"}, {"axis": "number of replies"}):
        other = plots.stack(*arguments, **options)
        assert other.description == plain.description
        assert other.png != plain.png
