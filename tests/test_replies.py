"""The structured data: what is refused on loading, labels against verdicts, and Docent asked for JSON."""

import json
import random
from dataclasses import asdict

import pytest

from lessonlib import data
from lessonlib.data import (
    STATUSES,
    Answer,
    DataError,
    Structured,
    load_answers,
    load_documents,
    load_golden,
    load_structured_replies,
)
from lessonlib.docent import (
    REPLY_SCHEMA,
    Docent,
    RecordedClient,
    Reply,
    ask,
    build_json_prompt,
    build_prompt,
    connect,
    retrieve,
)
from lessonlib.structured import (
    FAILURES,
    Field,
    check_reply,
    field_credit,
    is_verbatim,
    parse_json,
    schema_problems,
)

GOLDEN, DOCUMENTS = load_golden(), load_documents()
EXPECTED = {item.id: asdict(item.structured) for item in GOLDEN}
FIELDS = [Field("value"), Field("unit"), Field("plan")]
RUNGS = ("schema", "correct", "grounded", "cited")
REPLIES = load_structured_replies()
FLAWS = {
    *("none", "in a fence", "prose around it", "trailing comma", "single quotes", "Python's None"),
    *("truncated", "refusal", "empty", "two objects", "key twice", "NaN", "number as text"),
    *("true as number", "missing key", "extra key", "wrong case", "wrong unit", "other source"),
    *("invented source", "invented quote", "white space", "wrong fact", "other words"),
}


def check(text, item):
    return check_reply(text, REPLY_SCHEMA, EXPECTED[item], FIELDS, DOCUMENTS)


# --- the golden set as data ------------------------------------------------------------------------------


def test_every_structured_reference_fits_the_schema_and_its_page():
    for item in GOLDEN:
        reference = EXPECTED[item.id]
        assert schema_problems(reference, REPLY_SCHEMA) == []
        assert reference["answer"] == item.references[0]
        assert reference["source"] == item.doc
        assert is_verbatim(reference["quote"], DOCUMENTS[item.doc].text)
        assert check(json.dumps(reference), item.id).passed
    assert [(r["value"], r["unit"], r["plan"]) for r in EXPECTED.values()] == [
        (429, None, None),
        (600, "requests per minute", "Pro"),
        (25, "dollars per month", "Pro"),
        (90, "days", "Scale"),
        (None, None, None),
        (None, None, None),
        (24, "hours", None),
        (None, None, "Scale"),
    ]


REFERENCE = {"answer": "so", "value": 1, "unit": None, "plan": None, "source": "d", "quote": "so it is"}
ITEM = {"id": "i", "question": "Why?", "references": ["so"], "doc": "d"}


def golden_file(tmp_path, *references, name="golden.jsonl"):
    path = tmp_path / name
    items = [ITEM | {"id": f"i{n}"} | extra for n, extra in enumerate(references)]
    path.write_text("\n\n".join(map(json.dumps, items)), encoding="utf-8")
    return path


def test_a_golden_set_needs_no_structured_references(tmp_path):
    path = golden_file(tmp_path, {}, {"structured": REFERENCE}, {"structured": REFERENCE | {"value": 2.5}})
    none, first, second = load_golden(path)
    assert none.structured is None
    assert first.structured == Structured(**REFERENCE)
    assert second.structured.value == 2.5
    assert len({none, first, second}) == 3


@pytest.mark.parametrize(
    ("structured", "message"),
    [
        (None, "an object is needed, not null"),
        ([], "an object is needed, not []"),
        ("so", 'an object is needed, not "so"'),
        (REFERENCE | {"page": 1}, "unknown field 'page'; known: answer, value, unit, plan, source, quote"),
        ({k: v for k, v in REFERENCE.items() if k != "unit"}, "field 'unit' is missing"),
        (REFERENCE | {"value": "1"}, "field 'value' must be a number or null, not \"1\""),
        (REFERENCE | {"value": True}, "field 'value' must be a number or null, not true"),
        (REFERENCE | {"unit": 3}, "field 'unit' must be a string or null, not 3"),
        (REFERENCE | {"plan": ["Pro"]}, "field 'plan' must be a string or null, not [\"Pro\"]"),
        (REFERENCE | {"quote": None}, "field 'quote' must be a string, not null"),
        (REFERENCE | {"quote": " "}, "field 'quote' is empty"),
        (REFERENCE | {"unit": ""}, "field 'unit' is empty"),
        (REFERENCE | {"answer": "because"}, "field 'answer' is none of the references"),
        (REFERENCE | {"source": "e"}, "field 'source' must be 'd', as field 'doc' says"),
    ],
)
def test_a_structured_reference_that_cannot_be_used_is_named(tmp_path, structured, message):
    with pytest.raises(DataError) as caught:
        load_golden(golden_file(tmp_path, {}, {"structured": structured}))
    assert str(caught.value) == f"golden.jsonl, line 3: field 'structured': {message}"


def test_a_quote_of_the_course_must_stand_in_its_page(tmp_path, monkeypatch):
    page = {"id": "d", "title": "T", "text": "Yes, so it is."}
    (tmp_path / "documents.jsonl").write_text(json.dumps(page), encoding="utf-8")
    monkeypatch.setattr(data, "data_folder", lambda: tmp_path)
    golden_file(tmp_path, {"structured": REFERENCE})
    assert load_golden()[0].structured.quote == "so it is"
    golden_file(tmp_path, {"structured": REFERENCE}, {"structured": REFERENCE | {"quote": "so it was"}})
    with pytest.raises(DataError) as caught:
        load_golden()
    assert (
        str(caught.value) == "golden.jsonl, line 3: field 'structured': field 'quote' does not stand in 'd'"
    )


# --- the labeled replies --------------------------------------------------------------------------------


def test_every_flaw_is_there_once():
    assert [reply.id for reply in REPLIES] == [f"s{n:02d}" for n in range(1, 25)]
    assert sorted(reply.flaw for reply in REPLIES) == sorted(FLAWS)
    assert {reply.item for reply in REPLIES} <= {item.id for item in GOLDEN} - {"q5", "q6"}
    assert {reply.status for reply in REPLIES} == {"ok", "truncated", "refusal", "empty"}


@pytest.mark.parametrize("reply", REPLIES, ids=[f"{reply.id} {reply.flaw}" for reply in REPLIES])
def test_labels_are_the_verdicts(reply):
    parsed = parse_json(reply.text)
    report = check(reply.text, reply.item)
    assert (parsed.found or parsed.failure) == reply.parsed
    assert report["parsed"].passed == (reply.parsed not in FAILURES)
    assert {rung: report[rung].passed for rung in RUNGS} == {rung: getattr(reply, rung) for rung in RUNGS}
    if reply.status != "ok":
        assert reply.parsed in FAILURES
    if report.passed:
        assert reply.flaw in ("none", "in a fence", "prose around it", "white space", "other words")


LABELED = {
    "id": "s1",
    "item": "q1",
    "text": "{}",
    "status": "ok",
    "flaw": "x",
    "parsed": "whole",
    **dict.fromkeys(RUNGS, False),
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 1}, "field 'schema' must be true or false, not 1"),
        ({"cited": None}, "field 'cited' must be true or false, not null"),
        ({"text": None}, "field 'text' must be a string, not null"),
        ({"id": " "}, "field 'id' is empty"),
        ({"status": "done"}, f"field 'status' is 'done'; known: {', '.join(STATUSES)}"),
        (
            {"parsed": "repaired"},
            f"field 'parsed' is 'repaired'; known: whole, fenced, embedded, {', '.join(FAILURES)}",
        ),
        ({"parsed": "several", "cited": True}, "a reply that is not read (several) passes no other check"),
        ({"id": "s0"}, "field 'id' is 's0', as in a line above"),
        (
            {"label": "x"},
            "unknown field 'label'; known: id, item, text, status, flaw, parsed, schema, correct, grounded, "
            "cited",
        ),
    ],
)
def test_a_labeled_reply_that_cannot_be_used_is_named(tmp_path, change, message):
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(map(json.dumps, (LABELED | {"id": "s0"}, LABELED | change))), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_structured_replies(path)
    assert str(caught.value) == f"mine.jsonl, line 2: {message}"


def test_a_missing_label_is_named(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({k: v for k, v in LABELED.items() if k != "grounded"}), encoding="utf-8")
    with pytest.raises(DataError, match=r"^mine\.jsonl, line 1: field 'grounded' is missing$"):
        load_structured_replies(path)


# --- replies that were damaged ---------------------------------------------------------------------------


def damaged(rng):
    """Yield 1,000 replies: cut, a character lost, doubled or swapped, a fence broken, two put together."""
    sound = [reply.text for reply in REPLIES if reply.parsed not in FAILURES]
    for _ in range(200):
        text = rng.choice(sound)
        place = rng.randrange(len(text))
        other = rng.choice('{}[]",:`\n 0aN\\')
        yield text[:place]
        yield text[:place] + text[place + 1 :]
        yield text[:place] + other + text[place + 1 :]
        yield text.replace("```", rng.choice(["``", "````", "```\n```", ""]), 1)
        yield text + rng.choice(["", "\n", " "]) + rng.choice(sound)


def test_no_damaged_reply_raises_and_none_passes_that_says_something_else():
    """What passes the whole ladder still holds every field, the source and the quote of the reference."""
    tried = passed = 0
    for text in damaged(random.Random(4)):
        for item in ("q2", "q3", "q4", "q7"):
            tried += 1
            if check(text, item).passed:
                passed += 1
                value, wanted = parse_json(text).value, EXPECTED[item]
                assert set(value) == set(wanted)
                assert all(value[name] == wanted[name] for name in ("value", "unit", "plan", "source"))
                assert not isinstance(value["value"], bool)
                assert " ".join(value["quote"].split()) in DOCUMENTS[wanted["source"]].text
    assert (tried, passed > 50) == (4_000, True)


# --- Docent asked for JSON -------------------------------------------------------------------------------


def test_the_prompt_states_the_schema_and_ends_with_the_question():
    pages = retrieve(GOLDEN[3].question, DOCUMENTS)
    prompt = build_json_prompt(GOLDEN[3].question, pages)
    assert json.dumps(REPLY_SCHEMA) in prompt
    assert all(f"[{page.id}] {page.title}\n{page.text}" in prompt for page in pages)
    assert prompt.endswith(f"\n\nQuestion: {GOLDEN[3].question}")
    assert prompt != build_prompt(GOLDEN[3].question, pages)
    assert list(REPLY_SCHEMA["properties"]) == REPLY_SCHEMA["required"] == list(EXPECTED["q1"])


def test_a_recording_answers_the_prompt_for_json_by_the_same_call():
    answers = Docent(connect(GOLDEN, "run4"), DOCUMENTS, build_json_prompt).run(GOLDEN)
    assert answers == load_answers("run4")
    assert [answer.status for answer in answers] == [*["ok"] * 5, "truncated", "ok", "refusal"]
    found = [parse_json(answer.text) for answer in answers]
    assert [parsed.found or parsed.failure for parsed in found] == [
        *("whole", "fenced", "whole", "whole", "whole", "truncated", "whole", "refusal")
    ]
    for item, answer in zip(GOLDEN, answers, strict=True):
        check(answer.text, item.id)  # a reply that was cut off or refused is a failure, no exception
    assert [check(answer.text, item.id).passed for item, answer in zip(GOLDEN, answers, strict=True)] == [
        *[True] * 5,
        False,
        False,  # one day is 24 hours, and a field says one thing only
        False,
    ]


@pytest.mark.parametrize("reply", REPLIES, ids=[reply.id for reply in REPLIES])
def test_every_labeled_reply_passes_through_a_recording_unchanged(reply):
    item = next(item for item in GOLDEN if item.id == reply.item)
    client = RecordedClient([item], [Answer(item.id, reply.text, reply.status)])
    assert ask(item.question, client, DOCUMENTS, build_json_prompt) == Reply(reply.text, reply.status)


def test_field_credit_of_the_labeled_replies():
    """The numbers that Lesson 4 teaches with: a third, two thirds, all."""
    credit = {
        reply.id: field_credit(parse_json(reply.text).value, EXPECTED[reply.item], FIELDS).credit
        for reply in REPLIES
        if reply.parsed not in FAILURES
    }
    assert {name for name, value in credit.items() if round(value, 2) == 0.67} == {
        *("s13", "s14", "s15", "s17", "s18")
    }
    assert round(credit["s23"], 2) == 0.33
    assert sorted(credit.values())[6:] == [1.0] * 9
