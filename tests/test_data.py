"""Loading: what is read, what is refused, and that each refusal is one sentence with file, line and field."""

import io
import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessonlib import data
from lessonlib.data import (
    Answer,
    Document,
    Item,
    load_answers,
    load_documents,
    load_golden,
    pair,
    to_json_line,
)
from lessonlib.docent import retrieve
from lessonlib.jsonl import DataError, read_jsonl

FIRST_REFERENCES = [
    "429",
    "600 requests per minute",
    "25 dollars per month",
    "90 days",
    "MERIDIAN_API_KEY",
    "A missing or invalid API key",
    "24 hours",
    "Only the Scale plan",
]
DOCS = ["ratelimits", "ratelimits", "plans", "backups", "sdks", "errors", "deletion", "backups"]
ITEM = {"id": "a", "question": "Why?", "references": ["so"]}


@pytest.fixture
def file(tmp_path):
    """Return a function that writes bytes, a text, or records (one a line) to answers.jsonl."""

    def write(*content):
        lines = [json.dumps(part) if isinstance(part, dict) else part for part in content]
        whole = lines[0] if isinstance(lines[0], bytes) else "\n".join(lines).encode("utf-8")
        path = tmp_path / "answers.jsonl"
        path.write_bytes(whole)
        return path

    return write


# --- what is read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "records"),
    [
        # byte order mark, Windows line ends, a blank line, and a line separator that is no line end
        (
            '\ufeff{"t": "left\u2028right"}\r\n \t\r\n{"t": "2"}\r\n',
            [(1, {"t": "left\u2028right"}), (3, {"t": "2"})],
        ),
        # NEL, paragraph separator, form feed and the like: inside a string, none of them ends a line
        ('{"t": "x\u0085y"}\n{"t": "x\u2029y\x7f"}', [(1, {"t": "x\u0085y"}), (2, {"t": "x\u2029y\x7f"})]),
        # the last line without a newline; spaces around a record
        ('\n\n  {"t": 1}  \n{"t": 2.5}', [(3, {"t": 1}), (4, {"t": 2.5})]),
        ('{"t": {"u": [1, [true, null]]}}', [(1, {"t": {"u": [1, [True, None]]}})]),
        ("", []),
        ("\ufeff", []),
        ("\n \r\n", []),
    ],
)
def test_lines_end_at_newlines_only(file, content, records):
    assert read_jsonl(file(content)) == [(f"answers.jsonl, line {line}", record) for line, record in records]


@pytest.mark.parametrize(
    "content",
    [
        '[{"id": "a", "text": "x"}, {"id": "b", "text": ""}]',
        '\ufeff\r\n [\n {"id": "a",\n "text": "x"}\n, {"id": "b", "text": ""}\n]\n',
        '{"a": "x", "b": ""}',
        '{\n    "a": "x",\n    "b": ""\n}\n',
        '{"id": "a", "text": "x", "rank": 1}\n{"id": "b", "text": "", "by": null}',
    ],
)
def test_arrays_predictions_and_further_fields_are_read_from_a_file_or_standard_input(
    file, monkeypatch, content
):
    expected = [Answer("a", "x"), Answer("b", "")]
    assert load_answers(file(content), extra="ignore") == expected
    for name in ("-", Path("-")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode("utf-8"))))
        assert load_answers(name, extra="ignore") == expected


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.booleans(), max_size=3)))
def test_what_json_writes_is_read_back(tmp_path_factory, records):
    """Whatever the strings hold, with and without escapes, a record a line comes back as it was."""
    path = tmp_path_factory.mktemp("read") / "records.jsonl"
    for escape in (True, False):
        text = "\n".join(json.dumps(record, ensure_ascii=escape) for record in records)
        path.write_bytes(text.encode("utf-8"))
        assert [record for _, record in read_jsonl(path)] == records


def test_a_record_becomes_what_it_says(file):
    full = {"id": "b", "question": "W?", "references": ["x", ""], "doc": "d", "shape": "phrase"}
    assert load_golden(file(ITEM, full)) == [
        Item("a", "Why?", ("so",), "", ""),
        Item("b", "W?", ("x", ""), "d", "phrase"),
    ]
    failed = {"id": "b", "text": "", "status": "error", "error": "no reply"}
    assert load_answers(file({"id": "a", "text": " x\n"}, failed)) == [
        Answer("a", " x\n", "ok", ""),
        Answer("b", "", "error", "no reply"),
    ]
    assert load_documents(file({"id": "d", "title": "T", "text": "t"})) == {"d": Document("d", "T", "t")}


@given(
    st.builds(
        Answer,
        *(st.text(min_size=1), st.text(st.characters()), st.sampled_from(data.STATUSES), st.text()),
        *(st.text(), st.integers(0), st.integers(0), st.text()),
    )
)
def test_an_answer_survives_its_file(answer):
    line = to_json_line(answer)
    assert "\n" not in line
    assert asdict(Answer(**json.loads(line.encode("utf-8")))) == asdict(answer)


def test_an_answer_line_says_no_more_than_needed():
    assert to_json_line(Answer("q1", "é\n\u2028")) == '{"id": "q1", "text": "é\\n\u2028", "status": "ok"}'
    assert (
        to_json_line(Answer("q1", "", "error", "E: x"))
        == '{"id": "q1", "text": "", "status": "error", "error": "E: x"}'
    )
    # half an emoji, as a reply cut off in the middle can hold: UTF-8 cannot, an escape can
    assert to_json_line(Answer("q1", "ok \ud83d")) == '{"id": "q1", "text": "ok \\ud83d", "status": "ok"}'


# --- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (['{"id": "a"'], "line 1: not valid JSON (Expecting ',' delimiter, column 11)"),
        (["", '{"id": "a",}'], "line 2: not valid JSON (Expecting property name enclosed in double quotes"),
        (
            ["{'id': 'a'}"],
            "line 1: not valid JSON (Expecting property name enclosed in double quotes, column 2)",
        ),
        (['{"id": "a"} {"id": "b"}'], "line 1: not valid JSON (Extra data, column 13)"),
        (['{"t": NaN}'], "line 1: not valid JSON (field 't' holds a number that is not finite)"),
        (['{"t": 1e999}'], "line 1: not valid JSON (field 't' holds a number that is not finite)"),
        (['{"o": {"t": [NaN]}}'], "line 1: not valid JSON (field 't' holds a number that is not finite)"),
        (['{"id": "a", "t": 1, "id": "a"}'], "line 1: not valid JSON (field 'id' stands twice)"),
        (['{"o": [{"t": 1, "t": 2}]}'], "line 1: not valid JSON (field 't' stands twice)"),
        (['["a"]'], "record 1: a JSON object is needed, not str"),
        (['[{"a": 1},', "7]"], "record 2: a JSON object is needed, not int"),
        (['[{"a": 1}]', '{"a": 1}'], "line 2: not valid JSON (Extra data, column 1)"),
        (["", "{", '"a": 1,', "}"], "line 4: not valid JSON (Expecting property name"),
        (['{"a": 1}', "", "7"], "line 3: a JSON object is needed, not int"),
        (["null"], "line 1: a JSON object is needed, not NoneType"),
        (['{"t": ' + "[" * 100_000], "line 1: not valid JSON (maximum recursion depth"),
        ([b'{"t": "a"}\n{"t": "caf\xe9"}'], "line 2: not UTF-8 (byte 11)"),
        (['{"id": "a"}'.encode("utf-16")], "line 1: not UTF-8 (byte 1)"),
        (['{"a": 1}', '\ufeff{"a": 1}'], "line 2: not valid JSON (Unexpected UTF-8 BOM"),
        (['{"t": "a\tb"}'], "line 1: not valid JSON (Invalid control character at, column 9)"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(file, lines, message):
    with pytest.raises(DataError) as caught:
        read_jsonl(file(*lines))
    assert str(caught.value).startswith(f"answers.jsonl, {message}")
    assert "\n" not in str(caught.value)


WITHOUT_QUESTION = {"id": "a", "references": ["x"]}


@pytest.mark.parametrize(
    ("load", "record", "message"),
    [
        (load_golden, WITHOUT_QUESTION, "field 'question' is missing"),
        (load_golden, {"id": "a", "question": "Why?"}, "field 'references' is missing"),
        (load_golden, {"question": "Why?", "references": ["x"]}, "field 'id' is missing"),
        (
            load_golden,
            ITEM | {"refs": ["x"]},
            "unknown field 'refs'; known: id, question, references, doc, shape, structured",
        ),
        (load_golden, ITEM | {"id": 7}, "field 'id' must be a string, not 7"),
        (load_golden, ITEM | {"id": ""}, "field 'id' is empty"),
        (load_golden, ITEM | {"id": " \t"}, "field 'id' is empty"),
        (load_golden, ITEM | {"question": "  "}, "field 'question' is empty"),
        (load_golden, ITEM | {"question": None}, "field 'question' must be a string, not null"),
        (load_golden, ITEM | {"doc": True}, "field 'doc' must be a string, not true"),
        (
            load_golden,
            ITEM | {"references": []},
            "field 'references' is empty: an item needs at least one reference",
        ),
        (load_golden, ITEM | {"references": "x"}, "field 'references' must be a list of strings"),
        (load_golden, ITEM | {"references": ["x", 600]}, "field 'references' must be a list of strings"),
        (
            load_golden,
            ITEM | {"shape": "number"},
            "field 'shape' is 'number'; known: code, number+unit, identifier, phrase, sentence",
        ),
        (load_answers, {"id": "a"}, "field 'text' is missing"),
        (load_answers, {"id": "a", "text": None}, "field 'text' must be a string, not null"),
        (load_answers, {"id": "a", "text": ["x"]}, "field 'text' must be a string, not [\"x\"]"),
        (
            load_answers,
            {"id": "a", "text": "x", "answer": "x"},
            "unknown field 'answer'; known: id, text, status, error, model, input_tokens, output_tokens,",
        ),
        (
            load_answers,
            {"id": "a", "text": "x", "status": "done"},
            "field 'status' is 'done'; known: ok, truncated, refusal, empty, tool_use, other, error",
        ),
        (load_answers, {"id": "a", "text": "", "input_tokens": 1.5}, "field 'input_tokens' must be a whole"),
        (load_answers, {"id": "a", "text": "", "asked": None}, "field 'asked' must be a string, not null"),
        (load_documents, {"id": "d", "text": "x"}, "field 'title' is missing"),
        (load_documents, {"id": "d", "title": 1, "text": "x"}, "field 'title' must be a string, not 1"),
        (load_answers, {"id": "b", "text": ""}, "field 'id' is 'b', as in a line above"),
    ],
)
def test_a_record_that_cannot_be_used_is_named(file, load, record, message):
    good = {
        load_golden: ITEM | {"id": "b"},
        load_answers: {"id": "b", "text": "x"},
        load_documents: {"id": "b", "title": "T", "text": "x"},
    }
    with pytest.raises(DataError) as caught:
        load(file(good[load], "", record))
    assert str(caught.value).startswith(f"answers.jsonl, line 3: {message}")
    assert "\n" not in str(caught.value)


def test_a_huge_wrong_value_does_not_flood_the_message(file):
    flood = "x" * 100_000
    wrong = [{"text": list(range(100_000))}, {"text": "", flood: 1}, {"text": "", "status": flood}]
    records = [{"id": "a"} | values for values in wrong] + [{flood: 1}, {flood: "", "b": 1}]
    for record in records:
        with pytest.raises(DataError) as caught:
            load_answers(file(record))
        assert len(str(caught.value)) < 200
    with pytest.raises(ValueError, match=r"^unknown extra 'allow'; known: refuse, ignore$"):
        load_answers(file(records[0]), extra="allow")


@pytest.mark.parametrize("load", [load_golden, load_answers, load_documents])
def test_a_file_without_records_is_refused(file, load):
    for content in ("", "\ufeff\n\n", " \r\n"):
        with pytest.raises(DataError, match=r"^answers\.jsonl: holds no records$"):
            load(file(content))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    for load in (load_golden, load_documents, read_jsonl):
        with pytest.raises(DataError, match=r"cannot read '.*nowhere\.jsonl': No such file or directory$"):
            load(tmp_path / "nowhere.jsonl")
    for load in (load_golden, load_documents, load_answers, read_jsonl):
        with pytest.raises(DataError, match=r"cannot read .*: Is a directory$"):
            load(tmp_path)
        with pytest.raises(DataError, match=r"cannot read .*: Is a directory$"):
            load(str(tmp_path))


def test_an_empty_path_is_not_the_default(tmp_path, monkeypatch):
    """A shell variable that is not set must not score the course's own data."""
    monkeypatch.chdir(tmp_path)
    for load in (load_golden, load_documents, load_answers):
        with pytest.raises(DataError):
            load("")


# --- runs and files by name ------------------------------------------------------------------------------


def test_a_run_is_found_by_name_and_a_file_by_path(file, tmp_path, monkeypatch):
    path = file({"id": "mine", "text": "x"})
    assert load_answers(str(path)) == load_answers(path) == [Answer("mine", "x")]
    monkeypatch.chdir(tmp_path)
    path.rename("run1")
    with pytest.raises(
        DataError, match=r"^'run1' is a run of the course and a file here: './run1' means the"
    ):
        load_answers("run1")
    assert load_answers("./run1")[0].id == "mine"
    assert load_answers(tmp_path.joinpath("run1").relative_to(tmp_path))[0].id == "mine"


@pytest.mark.parametrize("name", ["run9", "../golden", "run1.jsonl", "nowhere/run1", "a\0b"])
def test_an_unknown_run_lists_the_known_ones(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError) as caught:
        load_answers(name)
    assert str(caught.value).startswith(
        f"there is no run and no file {name!r}; recorded runs: run1, run2, run3"
    )


# --- pairing ---------------------------------------------------------------------------------------------


def items(*ids):
    return [Item(name, f"{name}?", ("x",)) for name in ids]


def answers(*ids):
    return [Answer(name, f"text of {name}") for name in ids]


def test_pairs_stand_in_golden_order():
    paired = pair(items("b", "a", "c"), iter(answers("a", "c", "b")))
    assert [(item.id, answer.text) for item, answer in paired] == [
        ("b", "text of b"),
        ("a", "text of a"),
        ("c", "text of c"),
    ]


@pytest.mark.parametrize(
    ("golden", "given_answers", "problem"),
    [
        ("ab", "a", "missing: 'b'"),
        ("ab", "", "missing: 'a', 'b'"),
        ("a", "ab", "not in the golden set: 'b'"),
        ("ab", "aba", "more than once in the answers: 'a'"),
        ("aba", "ab", "more than once in the golden set: 'a'"),
        ("abb", "bcc", "missing: 'a'; not in the golden set: 'c'; more than once in the answers: 'c'; "
                       "more than once in the golden set: 'b'"),
    ],
)  # fmt: skip
def test_ids_that_do_not_match_are_an_error(golden, given_answers, problem):
    with pytest.raises(DataError) as caught:
        pair(items(*golden), answers(*given_answers))
    assert str(caught.value) == f"answers and golden set do not match by id ({problem})"


def test_ids_are_compared_as_they_are():
    for other in ("Q1", "q1 ", "ｑ1"):
        with pytest.raises(DataError, match="missing: 'q1'"):
            pair(items("q1"), answers(other))


# --- the course's own data -------------------------------------------------------------------------------


def test_golden_set_is_the_eight_items_in_order():
    golden = load_golden()
    assert [item.id for item in golden] == [f"q{n}" for n in range(1, 9)]
    assert [item.references[0] for item in golden] == FIRST_REFERENCES
    assert [item.doc for item in golden] == DOCS
    assert "one day" in golden[6].references


def test_documents_are_the_seven_pages():
    documents = load_documents()
    assert list(documents) == ["ratelimits", "plans", "errors", "backups", "sdks", "deletion", "regions"]
    assert all(document.text.strip() and document.title for document in documents.values())


def test_golden_document_is_among_the_two_retrieved_for_every_question():
    documents = load_documents()
    for item in load_golden():
        found = [document.id for document in retrieve(item.question, documents, k=2)]
        assert item.doc in found, (item.id, found)
        assert len(found) == 2


@pytest.mark.parametrize("run", ["run1", "run2", "run3", "run4"])
def test_every_recorded_run_pairs_with_the_golden_set(run):
    paired = pair(load_golden(), load_answers(run))
    assert [answer.id for _, answer in paired] == [f"q{n}" for n in range(1, 9)]
    assert run == "run4" or all(answer.status == "ok" and answer.text for _, answer in paired)


def test_run_2_holds_the_two_answers_that_lessons_quote():
    texts = [answer.text for answer in load_answers("run2")]
    assert texts[0] == "HTTP 429."
    assert texts[5] == "It means the API key is missing or invalid."


def test_every_file_of_the_course_is_read():
    folder = data.data_folder()
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.jsonl")}
    assert {"golden.jsonl", "documents.jsonl", *(f"answers/run{n}.jsonl" for n in range(1, 5))} <= files
    for name in files:
        assert read_jsonl(folder / name), name


def test_a_golden_item_of_the_course_must_name_a_document(tmp_path, monkeypatch):
    (tmp_path / "documents.jsonl").write_text('{"id": "d", "title": "T", "text": "x"}', encoding="utf-8")
    lines = [json.dumps(ITEM | {"doc": "d"}), "", json.dumps(ITEM | {"id": "b", "doc": "gone"})]
    (tmp_path / "golden.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(data, "data_folder", lambda: tmp_path)
    with pytest.raises(DataError) as caught:
        load_golden()
    assert str(caught.value) == "golden.jsonl, line 3: field 'doc' names no document: 'gone'"
    assert [item.doc for item in load_golden(tmp_path / "golden.jsonl")] == ["d", "gone"]  # a set of your own
