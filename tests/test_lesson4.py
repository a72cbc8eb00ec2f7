"""Lesson 4: what the notebook builds is what the package decides, and the figures it teaches are right."""

import json
import random
import re
from collections import Counter
from dataclasses import asdict

import jsonschema
import pytest
from lesson_files import SOLUTIONS, functions, gaps, read

from lessonlib import plots
from lessonlib.data import load_documents, load_golden, load_structured_replies
from lessonlib.docent import REPLY_SCHEMA
from lessonlib.structured import (
    Field,
    check_citation,
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
BUILT = functions(LESSON, "loads", "strict_json", "broken_rules", "credit", "RIDDLE")
BUILT |= gaps(LESSON, "between_fences", "is_whole", "missing_keys", "citation", "agrees")
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


def random_rule(rng):
    """Return a schema of the keywords for one value that the lesson knows."""
    rule = {}
    if rng.random() < 0.5:
        rule["type"] = rng.choice(KINDS) if rng.random() < 0.6 else rng.sample(KINDS, 2)
    if rng.random() < 0.4:
        rule["enum"] = [random_value(rng, 1) for _ in range(rng.randrange(1, 5))]
    if rng.random() < 0.4:
        rule["minimum"] = rng.choice((0, 1, 2.5))
    if rng.random() < 0.4:
        rule["maximum"] = rng.choice((0, 1, 2.5, 1000))
    return rule


def test_the_rules_by_hand_name_the_keywords_of_jsonschema():
    rng = random.Random(41)
    broken = Counter()
    for _ in range(1_500):
        value, rule = random_value(rng), random_rule(rng)
        theirs = sorted(error.validator for error in jsonschema.Draft202012Validator(rule).iter_errors(value))
        assert sorted(BUILT["broken_rules"](value, rule)) == theirs, (value, rule)
        assert sorted(problem.keyword for problem in schema_problems(value, rule)) == theirs, (value, rule)
        broken.update(theirs or ["none"])
    assert min(broken.values()) >= 50
    assert broken.keys() == {"type", "enum", "minimum", "maximum", "none"}


def test_the_gaps_of_the_schema_give_the_verdicts_of_jsonschema():
    rng = random.Random(42)
    whole_ones, counts = set(), set()
    for _ in range(1_500):
        value = random_value(rng)
        whole = BUILT["is_whole"](value)
        assert whole == jsonschema.Draft202012Validator({"type": "integer"}).is_valid(value), value
        required = rng.sample(NAMES, rng.randrange(4))
        record = {name: random_value(rng, 0) for name in NAMES if rng.random() < 0.5}
        lacks = list(jsonschema.Draft202012Validator({"required": required}).iter_errors(record))
        assert len(BUILT["missing_keys"](record, required)) == len(lacks), (record, required)
        whole_ones.add(whole)
        counts.add(len(lacks))
    assert whole_ones == {False, True}
    assert counts == {0, 1, 2, 3}


def test_the_gap_of_the_fence_reads_what_parse_json_reads():
    rng = random.Random(45)
    for _ in range(500):
        value = random_value(rng)
        block = json.dumps(value, indent=rng.choice((None, 2)))
        text = f"{rng.choice(('', 'Sure:'))}\n```{rng.choice(('', 'json'))}\n{block}\n```\nAnything else?"
        assert BUILT["between_fences"](text) == block
        parsed = parse_json(text, "fenced")
        assert (parsed.ok, parsed.value) == (True, value), text


def test_the_gap_of_the_citation_gives_the_verdicts_of_check_citation():
    pages = {name: document.text for name, document in DOCUMENTS.items()}
    verdicts = Counter()
    for reply in REPLIES:
        value = parse_json(reply.text).value
        if reply.schema:
            golden = EXPECTED[reply.item]["source"]
            theirs = tuple(result.passed for result in check_citation(value, pages, golden))
            assert BUILT["citation"](value, pages, golden) == theirs, reply.id
            verdicts[theirs] += 1
    assert verdicts == {(True, True): 7, (True, False): 1, (False, False): 1, (False, True): 1}


def test_the_last_exercise_stops_the_riddle_and_none_of_the_honest_five():
    assert check_reply(BUILT["RIDDLE"], REPLY_SCHEMA, EXPECTED["q3"], FIELDS, DOCUMENTS).passed
    assert not BUILT["agrees"](json.loads(BUILT["RIDDLE"]))
    survivors = [r for r in REPLIES if r.schema and r.correct and r.grounded and r.cited]
    assert [reply.id for reply in survivors] == ["s01", "s02", "s03", "s22", "s24"]
    assert all(BUILT["agrees"](parse_json(reply.text).value) for reply in survivors)


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


def test_the_lesson_shows_the_label_of_every_verdict():
    notebook = next(read(path) for path in SOLUTIONS if path.stem == LESSON)
    cell = next(cell for cell in notebook.cells if cell.id == "table")
    texts = re.findall("<t[hd]>(.*?)</t[hd]>", cell.outputs[0].data["text/html"])
    assert len(texts) == 8 * (2 + len(REPLIES))  # the name of the index has a row of its own
    for n, reply in enumerate(REPLIES):
        name, flaw, how, _, *marks = texts[-8 * (len(REPLIES) - n) :][:8]
        labels = [reply.schema, reply.correct, reply.grounded, reply.cited]
        assert (name, flaw, how, [mark == "yes" for mark in marks]) == (
            reply.id,
            reply.flaw,
            reply.parsed,
            labels,
        )


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
