"""Docent: what it asks, when it goes live, how replies are read, and that no answer is lost."""

import importlib.util
import json
import re
import subprocess
import sys
import time
from contextlib import closing
from types import SimpleNamespace

import anthropic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages_server import MessagesServer, text_block

from lessonlib.data import (
    STATUSES,
    Answer,
    DataError,
    Document,
    Item,
    load_answers,
    load_documents,
    load_golden,
)
from lessonlib.docent import (
    MAX_TOKENS,
    MODEL,
    Docent,
    FatalError,
    LiveClient,
    Mode,
    RecordedClient,
    Reply,
    ask,
    build_prompt,
    choose_mode,
    connect,
    read_reply,
    retrieve,
    run_docent,
)

GOLDEN = [Item(name, f"What is {name}?", (name,)) for name in ("red", "green", "blue")]
PAGES = {"p": Document("p", "Colours", "What is red, green and blue?")}


def reply(text, stop_reason="end_turn"):
    return {"content": [text_block(text)], "stop_reason": stop_reason}


class ScriptedClient:
    """Answers with what the script holds for the question's color; an exception is raised."""

    def __init__(self, **script):
        self.script, self.asked, self.calls = script, [], []
        self.messages = self

    def create(self, **call):
        self.calls.append(call)
        color = call["messages"][0]["content"].rsplit(" ", 1)[1].rstrip("?")
        self.asked.append(color)
        said = self.script[color]
        if isinstance(said, BaseException):
            raise said
        return reply(said) if isinstance(said, str) else said


# --- retrieval and prompt --------------------------------------------------------------------------------


def documents(**texts):
    return {name: Document(name, f"Title of {name}", text) for name, text in texts.items()}


def ids(found):
    return [document.id for document in found]


def test_most_shared_words_come_first_and_ties_keep_file_order():
    pages = documents(z="red", y="blue red", x="red", w="green", v="BLUE, red!")
    assert ids(retrieve("Red or blue?", pages, k=5)) == ["y", "v", "z", "x", "w"]
    assert ids(retrieve("Red or blue?", pages)) == ["y", "v"]
    assert ids(retrieve("Red or blue?", pages, k=1)) == ["y"]
    assert ids(retrieve("Red or blue?", pages, k=99)) == ["y", "v", "z", "x", "w"]


def test_a_word_counts_once_and_only_the_text_counts():
    pages = documents(often="red red red red", both="blue red")
    assert ids(retrieve("red red red blue", pages)) == ["both", "often"]
    assert ids(retrieve("title", documents(first="x", second="title"))) == ["second", "first"]
    assert ids(retrieve("?!", pages)) == ["often", "both"]
    assert retrieve("red", {}) == []


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "2"])
def test_k_is_a_whole_number_of_at_least_one(k):
    with pytest.raises(ValueError, match=r"^k must be a whole number of at least 1"):
        retrieve("red", PAGES, k=k)


def test_prompt_holds_the_pages_and_ends_with_the_question():
    prompt = build_prompt("Why?", documents(a="One.", b="Two.").values())
    assert prompt == (
        "You are Docent. Answer the question about the Meridian database in one short sentence, "
        "from these pages only.\n\n[a] Title of a\nOne.\n\n[b] Title of b\nTwo.\n\nQuestion: Why?"
    )


def test_one_question_is_one_call_without_sampling_parameters():
    client = ScriptedClient(red="A color.")
    assert ask("What is red?", client, PAGES) == Reply("A color.", "ok")
    assert client.calls == [
        {
            "model": "claude-haiku-4-5",
            "max_tokens": 200,
            "messages": [{"role": "user", "content": build_prompt("What is red?", PAGES.values())}],
        }
    ]
    assert (MODEL, MAX_TOKENS) == ("claude-haiku-4-5", 200)


# --- recorded or live ------------------------------------------------------------------------------------

MISSING = "is missing or blank"
KEYS = dict.fromkeys([None, "", " ", "\n", "\t\r\n", "\u200b\u2060\ufeff\xa0"], MISSING)
KEYS |= {"k": "", " k\n": "", "\u200bk": ""}
KEYS |= {"\u2800": r"holds '\u2800', as no key does", "a b": "holds ' ', as no key does"}
WISHES = [(None, False), *((word, False) for word in ("", " ", "0", "false", "No", "OFF", " 0 "))]
WISHES += [(word, True) for word in ("1", "true", "YES", "On", " 1\n")]


@pytest.mark.parametrize(("wish", "wished"), WISHES)
@pytest.mark.parametrize("live", [None, True, False])
def test_live_only_when_asked_for_and_with_a_key(live, wish, wished):
    for key, problem in KEYS.items():
        assert_mode(live, wish, wished, key, problem)


def assert_mode(live, wish, wished, key, problem):
    named = {"DOCENT_LIVE": wish, "ANTHROPIC_API_KEY": key}
    environ = {name: text for name, text in named.items() if text is not None}
    if live and problem:
        with pytest.raises(ValueError, match=r"^live answers need a key: ANTHROPIC_API_KEY ") as caught:
            choose_mode(live, environ)
        assert str(caught.value).endswith(f"ANTHROPIC_API_KEY {problem}")
        return
    mode = choose_mode(live, environ)
    asked = wished if live is None else live
    if asked and not problem:
        expected = Mode("live", "asked for, with a key; each question is one request to claude-haiku-4-5")
    elif asked:
        expected = Mode("recorded", f"DOCENT_LIVE asks for live answers, but ANTHROPIC_API_KEY {problem}")
    else:
        expected = Mode("recorded", "live answers were not asked for")
    assert mode == expected


@pytest.mark.parametrize("wish", ["2", "live", "y", "True!", "١", "1 1"])
@pytest.mark.parametrize("live", [None, True, False])
def test_an_odd_wish_is_an_error_and_never_a_guess(live, wish):
    with pytest.raises(
        ValueError, match=r"^DOCENT_LIVE is .*; use 1 for live answers or 0 for recorded ones$"
    ):
        choose_mode(live, {"DOCENT_LIVE": wish, "ANTHROPIC_API_KEY": "test-key"})


def test_the_environment_is_the_default(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    assert choose_mode().name == "recorded"  # a key alone never spends money
    monkeypatch.setenv("DOCENT_LIVE", "1")
    assert choose_mode().name == "live"
    assert choose_mode(False).name == "recorded"


def test_recorded_answers_never_import_the_sdk():
    program = """
import os, sys
os.environ.update(ANTHROPIC_API_KEY="test-key", DOCENT_LIVE=sys.argv[1])
from lessonlib.data import load_documents, load_golden
from lessonlib.docent import connect, run_docent
golden = load_golden()
answers = run_docent(golden, connect(golden, live=None if sys.argv[1] == "0" else False), load_documents())
print(len(answers), answers[0].text, "anthropic" in sys.modules)
"""
    for wish in ("0", "1"):
        run = subprocess.run(
            [sys.executable, "-c", program, wish],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        assert run.stdout == (
            "8 When you exceed the rate limit, Meridian returns HTTP status code 429. False\n"
        )


def test_connect_gives_the_run_that_was_asked_for(monkeypatch):
    golden = load_golden()
    assert run_docent(golden, connect(golden, "run2"), load_documents())[0].text == "HTTP 429."
    assert run_docent(golden, connect(golden, run="run3", live=False), load_documents())[0].text == "429"
    monkeypatch.setenv("ANTHROPIC_API_KEY", " test-key\n")
    client = connect(golden, live=True, base_url="http://127.0.0.1:9")
    assert isinstance(client.sdk, anthropic.Anthropic)
    assert client.sdk.api_key == "test-key"
    assert (client.address, client.timeout) == ("http://127.0.0.1:9", 60)
    client.close()
    monkeypatch.setenv("ANTHROPIC_API_KEY", " \n")
    with pytest.raises(ValueError, match="missing or blank"):
        connect(golden, live=True)


# --- replies ---------------------------------------------------------------------------------------------

THOUGHT = {"type": "thinking", "thinking": "Let me see.", "signature": "x"}
CALL = {"type": "tool_use", "id": "t1", "name": "look_up", "input": {"text": "no answer"}}


@pytest.mark.parametrize(
    ("content", "stop_reason", "text", "status"),
    [
        ([text_block("Lima")], "end_turn", "Lima", "ok"),
        ([text_block("Lima")], "stop_sequence", "Lima", "ok"),
        ([text_block("Li")], "max_tokens", "Li", "truncated"),
        ([text_block("Li")], "model_context_window_exceeded", "Li", "truncated"),
        ([], "max_tokens", "", "truncated"),
        ([], "refusal", "", "refusal"),
        ([text_block("I would rather not.")], "refusal", "I would rather not.", "refusal"),
        ([], "end_turn", "", "empty"),
        ([text_block("")], "end_turn", "", "empty"),
        ([text_block(" \n")], "end_turn", " \n", "empty"),
        ([THOUGHT, text_block("Lima")], "end_turn", "Lima", "ok"),
        ([THOUGHT], "end_turn", "", "empty"),
        ([text_block("Li"), text_block("ma")], "end_turn", "Lima", "ok"),
        ([text_block("Li"), THOUGHT, text_block("ma")], "end_turn", "Lima", "ok"),
        ([CALL], "tool_use", "", "tool_use"),
        ([text_block("Wait."), CALL], "tool_use", "Wait.", "tool_use"),
        ([text_block("Lima")], "pause_turn", "Lima", "other"),
        ([text_block("Lima")], "a reason of tomorrow", "Lima", "other"),
        ([text_block("Lima")], None, "Lima", "other"),
        ([text_block("Lima")], ["end_turn"], "Lima", "other"),
        # blocks that no API should send
        ([text_block(None), text_block("Lima")], "end_turn", "Lima", "ok"),
        ([text_block(7), text_block(["x"])], "end_turn", "", "empty"),
        ([{"type": "text"}, {"text": "no type"}, {}], "end_turn", "", "empty"),
        ([None, 7, "text", ["text"], {"type": ["text"], "text": "x"}], "end_turn", "", "empty"),
        ((text_block("Lima"),), "end_turn", "Lima", "ok"),
    ],
)
def test_a_reply_is_its_text_blocks_and_the_way_it_ended(content, stop_reason, text, status):
    assert read_reply({"content": content, "stop_reason": stop_reason}) == Reply(text, status)
    blocks = content
    if isinstance(content, list):
        blocks = [SimpleNamespace(**block) if isinstance(block, dict) else block for block in content]
    assert read_reply(SimpleNamespace(content=blocks, stop_reason=stop_reason)) == Reply(text, status)


NO_MESSAGES = [{}, None, SimpleNamespace(), "<html>", [], 7, {"stop_reason": "end_turn"}]
NO_MESSAGES += [
    {"content": content, "stop_reason": "end_turn"} for content in (None, "Lima", text_block("x"))
]


@pytest.mark.parametrize("message", NO_MESSAGES)
def test_what_is_no_message_is_an_error_that_says_so(message):
    with pytest.raises(ValueError, match=r"^the reply is no message but "):
        read_reply(message)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.sampled_from(["text", "end_turn"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "content", "stop_reason"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.lists(JUNK, max_size=3), JUNK)
def test_reading_the_blocks_of_a_reply_never_raises(content, stop_reason):
    text, status = read_reply({"content": content, "stop_reason": stop_reason})
    assert isinstance(text, str)
    assert status in set(STATUSES) - {"error"}


# --- the recorded client ---------------------------------------------------------------------------------


def test_recorded_answers_come_through_the_same_call():
    recorded = [Answer("blue", "B."), Answer("red", "R."), Answer("green", "Not this.", "refusal")]
    client = RecordedClient(GOLDEN, recorded)
    assert ask("What is red?", client, PAGES) == Reply("R.", "ok")
    assert ask("What is green?", client, PAGES) == Reply("Not this.", "refusal")
    with pytest.raises(TypeError, match="temperature"):
        client.messages.create(model=MODEL, max_tokens=1, messages=[], temperature=0)


@pytest.mark.parametrize("status", [status for status in STATUSES if status not in ("error", "empty")])
def test_every_status_is_replayed(status):
    client = RecordedClient(GOLDEN[:1], [Answer("red", "Words.", status)])
    assert ask("What is red?", client, PAGES) == Reply("Words.", status)


def test_an_empty_reply_and_a_failure_are_replayed():
    recorded = [
        Answer("red", "", "empty"),
        Answer("green", "", "error", "APIError: down"),
        Answer("blue", ""),
    ]
    client = RecordedClient(GOLDEN, recorded)
    assert ask("What is red?", client, PAGES) == Reply("", "empty")
    assert ask("What is blue?", client, PAGES) == Reply("", "empty")
    with pytest.raises(RuntimeError, match=r"^APIError: down$"):
        ask("What is green?", client, PAGES)


def test_a_question_without_a_recording_is_an_error_that_names_it():
    client = RecordedClient(GOLDEN[:1], [Answer("red", "R.")])
    for question in ("What is pink?", "is red?", "Yes. What is red?", "what is red?"):
        with pytest.raises(KeyError, match="no recorded answer to") as caught:
            ask(question, client, PAGES)
        assert repr(question) in caught.value.args[0]


def test_recordings_must_match_the_golden_set():
    with pytest.raises(DataError, match="missing: 'blue'"):
        RecordedClient(GOLDEN, [Answer("red", "R."), Answer("green", "G.")])
    twins = [Item("a", "Same?", ("x",)), Item("b", "Same?", ("y",))]
    with pytest.raises(ValueError, match="asks a question twice"):
        RecordedClient(twins, [Answer("a", "1"), Answer("b", "2")])


# --- asking a golden set ---------------------------------------------------------------------------------


def test_answers_stand_in_golden_order_and_progress_sees_the_questions():
    seen = []

    def progress(todo):
        seen.extend(item.id for item in todo)
        return reversed(todo)  # the order of asking is not the order of the answers

    client = ScriptedClient(red="R.", green="G.", blue="B.")
    found = run_docent(GOLDEN, client, PAGES, progress=progress)
    assert found == [Answer("red", "R."), Answer("green", "G."), Answer("blue", "B.")]
    assert seen == ["red", "green", "blue"]
    assert client.asked == ["blue", "green", "red"]


def lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def test_each_answer_is_in_the_file_before_the_next_question(tmp_path):
    path = tmp_path / "out.jsonl"
    sizes = []

    def progress(todo):
        for item in todo:
            sizes.append(len(lines(path)))
            yield item

    run_docent(GOLDEN, ScriptedClient(red="R.", green="é\n\u2028", blue="B."), PAGES, path, progress)
    assert sizes == [0, 1, 2]
    written = path.read_bytes().decode("utf-8").split("\n")
    assert written[1].startswith('{"id": "green", "text": "é\\n\u2028", "status": "ok", "asked": "')
    assert len(written) == 4


def test_a_failed_question_is_kept_then_asked_again(tmp_path):
    path = tmp_path / "out.jsonl"
    client = ScriptedClient(red="R.", green=TimeoutError("too slow\nby far"), blue="B.")
    first = run_docent(GOLDEN, client, PAGES, path)
    failed = Answer("green", "", "error", "TimeoutError: too slow by far")
    assert first == [Answer("red", "R."), failed, Answer("blue", "B.")]
    assert load_answers(path) == first

    client = ScriptedClient(green="G.")
    second = run_docent(GOLDEN, client, PAGES, path)
    assert client.asked == ["green"]
    assert second == [Answer("red", "R."), Answer("green", "G."), Answer("blue", "B.")]
    assert sorted(load_answers(path), key=second.index) == second

    before = path.read_bytes()
    assert run_docent(GOLDEN, ScriptedClient(), PAGES, path) == second  # nothing is left to ask
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path):
    path = tmp_path / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run_docent(GOLDEN, ScriptedClient(red="R.", green=KeyboardInterrupt()), PAGES, path)
    assert load_answers(path) == [Answer("red", "R.")]
    client = ScriptedClient(green="G.", blue="B.")
    assert [answer.text for answer in run_docent(GOLDEN, client, PAGES, path)] == ["R.", "G.", "B."]
    assert client.asked == ["green", "blue"]


def test_half_an_emoji_in_a_reply_is_kept(tmp_path):
    path = tmp_path / "out.jsonl"
    found = run_docent(GOLDEN[:1], ScriptedClient(red="Red \ud83d"), PAGES, path)
    assert found == [Answer("red", "Red \ud83d")] == load_answers(path)


RED = b'{"id": "red", "text": "R.", "status": "ok"}\n'
GREEN = '{"id": "green", "text": "très", "status": "ok"}'.encode()


@pytest.mark.parametrize("size", [1, 9, len(GREEN) - 20, len(GREEN) - 1])
@pytest.mark.parametrize("start", [b"", RED, b"\xef\xbb\xbf" + RED, RED + b"\r\n"])
def test_half_a_line_from_a_crash_is_told_and_its_question_asked_again(tmp_path, capsys, start, size):
    path = tmp_path / "out.jsonl"
    path.write_bytes(start + GREEN[:size])
    client = ScriptedClient(red="R.", green="G.", blue="B.")
    found = run_docent(GOLDEN, client, PAGES, path)
    assert capsys.readouterr().err == (
        f"{path}: the last line is only half there; its question is asked again\n"
    )
    assert [answer.text for answer in found] == ["R.", "G.", "B."]
    assert client.asked == [color for color in ("red", "green", "blue") if not (start and color == "red")]
    assert load_answers(path) == found


def test_a_whole_last_line_without_its_newline_is_kept(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_bytes(RED + GREEN)
    found = run_docent(GOLDEN, ScriptedClient(blue="B."), PAGES, path)
    assert [answer.text for answer in found] == ["R.", "très", "B."]
    assert load_answers(path) == found


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"some notes\nof mine", r"out\.jsonl, line 1: not valid JSON"),
        (RED + b'{"id": "gre\n' + GREEN + b"\n", r"out\.jsonl, line 2: not valid JSON"),
        (RED + b'{"id": "green"}\n', r"out\.jsonl, line 2: field 'text' is missing"),
        (RED + RED, r"out\.jsonl, line 2: field 'id' is 'red'"),
        (RED + b"\xff\n", r"out\.jsonl, line 2: not UTF-8"),
        (RED + b'{"id": "pink", "text": "P."}\n', r"not in the golden set: pink$"),
        (b'{"id": "pink", "text": "", "status": "error"}', r"not in the golden set: pink$"),
    ],
)
def test_a_file_of_something_else_stays_as_it_is_and_nothing_is_asked(tmp_path, content, message):
    path = tmp_path / "out.jsonl"
    path.write_bytes(content)
    client = ScriptedClient()
    with pytest.raises(DataError, match=message):
        run_docent(GOLDEN, client, PAGES, path)
    assert path.read_bytes() == content
    assert client.asked == []
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_file_that_cannot_be_written_is_an_error_before_anything_is_asked(tmp_path):
    client = ScriptedClient()
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "run.jsonl", tmp_path, ""):
        with pytest.raises(OSError, match=r"\[Errno"):
            run_docent(GOLDEN, client, PAGES, path)
    assert client.asked == []


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xef\xbb\xbf \n"])
def test_an_empty_file_is_a_fresh_start(tmp_path, content):
    path = tmp_path / "out.jsonl"
    if content is not None:
        path.write_bytes(content)
    found = run_docent(GOLDEN, ScriptedClient(red="R.", green="G.", blue="B."), PAGES, path)
    assert load_answers(path) == found


def test_a_file_that_has_the_name_of_a_recorded_run_is_that_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    golden = load_golden()
    (tmp_path / "run1").write_text('{"id": "q1", "text": "mine"}\n', encoding="utf-8")
    found = run_docent(golden, connect(golden, "run3"), load_documents(), "run1")
    assert [answer.text for answer in found[:2]] == ["mine", "600 requests per minute"]
    assert lines(tmp_path / "run1")[0] == '{"id": "q1", "text": "mine", "status": "ok"}'


# --- live, over real HTTP --------------------------------------------------------------------------------


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    for name in ("ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def live(server, golden=GOLDEN, out=None):
    with closing(connect(golden, live=True, base_url=server.url)) as client:
        return run_docent(golden, client, PAGES, out)


def sent_key(request):
    """Return the key of a request; versions of the SDK differ in the header that carries it."""
    headers = request["headers"]
    return headers.get("x-api-key", headers.get("authorization", "").removeprefix("Bearer "))


def test_a_live_request_says_what_it_must_and_no_more(key):
    with MessagesServer("R.", "G.", {"content": [THOUGHT, text_block("B"), text_block(".")]}) as server:
        assert live(server) == [Answer("red", "R."), Answer("green", "G."), Answer("blue", "B.")]
    assert [request["path"] for request in server.requests] == ["/v1/messages"] * 3
    for item, request in zip(GOLDEN, server.requests, strict=True):
        prompt = build_prompt(item.question, PAGES.values())
        assert request["body"] == {
            "model": "claude-haiku-4-5",
            "max_tokens": 200,
            "messages": [{"role": "user", "content": prompt}],
        }
        assert sent_key(request) == "test-key"


def test_one_failure_costs_no_other_answer(key):
    with MessagesServer("R.", 400, "B.") as server:
        found = live(server)
    assert [answer.status for answer in found] == ["ok", "error", "ok"]
    assert found[1].error.startswith("BadRequestError: Error code: 400")
    assert "the stand-in says 400" in found[1].error


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"stop_reason": "refusal"}, Reply("", "refusal")),
        ({"stop_reason": "max_tokens", "content": [text_block("Re")]}, Reply("Re", "truncated")),
        ({"stop_reason": "tool_use", "content": [CALL]}, Reply("", "tool_use")),
        ({"content": [THOUGHT, text_block("Red.")]}, Reply("Red.", "ok")),
        ({"content": []}, Reply("", "empty")),
        ({"stop_reason": "of tomorrow", "content": [{"type": "new"}, text_block("R")]}, Reply("R", "other")),
    ],
)
def test_replies_of_the_real_sdk_are_read_alike(key, body, expected):
    with MessagesServer(body) as server:
        assert live(server, GOLDEN[:1]) == [Answer("red", *expected)]


def test_live_and_recorded_give_the_same_answers(key, tmp_path):
    """What was recorded live, replayed, is what was recorded."""
    path = tmp_path / "out.jsonl"
    with MessagesServer("R.", {"stop_reason": "refusal"}, {"stop_reason": "max_tokens"}) as server:
        recorded = live(server, out=path)
    assert run_docent(GOLDEN, RecordedClient(GOLDEN, load_answers(path)), PAGES) == recorded
    line = json.loads(lines(path)[1])
    assert line == {
        "id": "green",
        "text": "",
        "status": "refusal",
        "model": MODEL,
        "input_tokens": 12,
        "output_tokens": 5,
        "asked": line["asked"],
    }


# --- what goes wrong on the way --------------------------------------------------------------------------


@pytest.mark.parametrize("status", [401, 402, 403, 404, 407])
def test_what_every_question_would_meet_stops_the_run(key, tmp_path, status):
    path = tmp_path / "out.jsonl"
    with MessagesServer("R.", status) as server:
        with pytest.raises(FatalError, match=f"^no answer from {server.url}/?: Error code: {status} - ."):
            live(server, out=path)
        assert len(server.requests) == 2
    assert load_answers(path) == [Answer("red", "R.")]
    with MessagesServer("At last.") as server:
        assert [answer.text for answer in live(server, out=path)] == ["R.", "At last.", "At last."]


@pytest.mark.parametrize(
    ("url", "proxy", "message"),
    [
        ("http://127.0.0.1:9", None, "no answer from http://127.0.0.1:9/?: .*[Cc]onnection refused"),
        ("http://nowhere.invalid", None, "no answer from http://nowhere.invalid/?: .*(known|name|Name)"),
        ("127.0.0.1:9", None, "no answer from 127.0.0.1:9/?: .*protocol"),
        ("ftp://127.0.0.1:9", None, "no answer from ftp://127.0.0.1:9/?: .*protocol"),
        ("http://[::1", None, r"cannot connect to http://\[::1: "),
        ("http://a.invalid", "http://u:secret@127.0.0.1:9",
         "no answer from http://a.invalid/? through the proxy http://127.0.0.1:9: .*refused"),
        ("http://a.invalid", "::bad", "cannot connect to http://a.invalid through the proxy ::bad: "),
        ("http://a.invalid", "ftp://b", "cannot connect to http://a.invalid through the proxy ftp://b: "),
        ("http://a.invalid", "socks5://127.0.0.1:9",
         "cannot connect to http://a.invalid through the proxy socks5://127.0.0.1:9: .*socksio"),
    ],
)  # fmt: skip
def test_no_way_to_the_address_is_one_sentence_with_address_and_cause(key, monkeypatch, url, proxy, message):
    if proxy and proxy.startswith("socks") and importlib.util.find_spec("socksio"):
        pytest.skip("this environment can use the proxy")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    if proxy:
        monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(FatalError, match=f"^{message}") as caught:
        run_docent(GOLDEN, connect(GOLDEN, live=True, base_url=url), PAGES)
    assert "secret" not in str(caught.value)
    assert caught.value._render_traceback_() == [f"Docent stopped: {caught.value}"]


def test_an_error_of_the_connection_is_kept_with_its_cause():
    error = ConnectionError("Connection error.")
    error.__cause__ = OSError("the server hung up")
    [found] = run_docent(GOLDEN[:1], ScriptedClient(red=error), PAGES)
    assert found.error == "ConnectionError: Connection error. (the server hung up)"


@pytest.mark.parametrize("body", [b"<html>Log in</html>", b"null", b"[]", b"{}", b"{", b""])
def test_a_page_in_place_of_a_message_is_an_error_and_asked_again(key, tmp_path, capsys, body):
    path = tmp_path / "out.jsonl"
    with MessagesServer(body) as server:
        found = live(server, out=path)
    assert [(answer.text, answer.status) for answer in found] == [("", "error")] * 3
    assert capsys.readouterr().err == f"every call failed (3 of 3); the last: {found[2].error}\n"
    with MessagesServer("R.") as server:
        assert [answer.status for answer in live(server, out=path)] == ["ok"] * 3
    assert len(server.requests) == 3


def test_no_question_takes_longer_than_the_limit_and_each_wait_is_announced(key, capsys):
    def errors(*script, retry_after, timeout):
        with (
            MessagesServer(*script, retry_after=retry_after) as server,
            closing(LiveClient("test-key", server.url, timeout)) as client,
        ):
            found = run_docent(GOLDEN[:1], client, PAGES)
        return len(server.requests), found[0].status, capsys.readouterr().err

    requests, status, said = errors(429, 529, "R.", retry_after="0.2", timeout=9)
    assert (requests, status) == (3, "ok")
    assert re.match(
        r"waiting 0\.2 s: Error code: 429 - .{,70}\nwaiting 0\.2 s: Error code: 529 - .{,70}\n\Z", said
    )
    requests, status, said = errors(503, retry_after="3600", timeout=9)
    assert (requests, status) == (1, "error")
    assert said.startswith(
        "not waiting 3600 s, as the server asks: the limit is 9 s\nevery call failed (1 of"
    )
    start = time.monotonic()  # each byte in time, the reply not
    requests, status, said = errors(3.0, retry_after="0", timeout=0.5)
    assert time.monotonic() - start < 2
    assert (requests, status) == (1, "error")
    late = r"no answer from http://127\.0\.0\.1:\d+/? within 0\.5 s"
    assert re.match(rf"{late}\nevery call failed \(1 of 1\); the last: TimeoutError: {late}\n\Z", said)
    requests, status, said = errors(500, retry_after="soon", timeout=9)
    assert (requests, status, said.count("waiting 0.5 s"), said.count("waiting 1 s")) == (3, "error", 1, 1)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
def test_a_time_limit_is_a_number_of_seconds(timeout):
    with pytest.raises(ValueError, match=r"^the time limit must be a number of seconds above 0, "):
        LiveClient("test-key", timeout=timeout)


def test_an_error_is_kept_in_one_short_line(tmp_path):
    client = ScriptedClient(red=RuntimeError("long \n" * 20_000))
    [found] = run_docent(GOLDEN[:1], client, PAGES, tmp_path / "out.jsonl")
    assert found.error == ("RuntimeError: " + "long " * 60)[:299] + "…"
    assert load_answers(tmp_path / "out.jsonl") == [found]


@pytest.mark.parametrize("system", ["locks", "does not lock"])
def test_two_recordings_on_one_file_are_refused(tmp_path, monkeypatch, system):
    if system == "does not lock":
        monkeypatch.setattr("lessonlib.docent.fcntl", None)
    path = tmp_path / "out.jsonl"

    def second(todo):
        for item in todo:
            with pytest.raises(DataError, match=r"out\.jsonl is being recorded by another run"):
                run_docent(GOLDEN, ScriptedClient(), PAGES, path)
            yield item

    assert len(run_docent(GOLDEN, ScriptedClient(red="R.", green="G.", blue="B."), PAGES, path, second)) == 3
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.jsonl"]


# --- what was asked --------------------------------------------------------------------------------------


def test_an_answer_to_another_request_is_asked_again_and_never_replayed(tmp_path, capsys):
    path = tmp_path / "out.jsonl"
    script = {"red": "R.", "green": "G.", "blue": "B."}
    first = run_docent(GOLDEN, ScriptedClient(**script), PAGES, path)
    recording = RecordedClient(GOLDEN, load_answers(path))
    others = [
        Docent(recording, {"p": Document("p", "Colors", "Red.")}),
        Docent(recording, PAGES, model="claude-other"),
        Docent(recording, PAGES, prompt=lambda question, pages: "Shout.\n\nQuestion: " + question),
    ]
    for other in others:
        with pytest.raises(FatalError, match=r"^the recorded answer to 'red' was to other pages,"):
            other.run(GOLDEN)
    assert run_docent(GOLDEN, recording, PAGES) == first

    client = ScriptedClient(red=RuntimeError("down"), green="Green!", blue="Blue!")
    found = Docent(client, PAGES, model="claude-other").run(GOLDEN, path)
    assert capsys.readouterr().err == "asked again, as pages, prompt or model were others: red, green, blue\n"
    assert [answer.text for answer in found] == ["", "Green!", "Blue!"]
    assert [answer.text for answer in load_answers(path)] == ["R.", "Green!", "Blue!"]  # nothing paid is lost
    assert run_docent(GOLDEN[:0], client, PAGES, tmp_path / "none.jsonl") == []


def test_statuses_are_asked_again_on_request(tmp_path):
    path = tmp_path / "out.jsonl"
    script = {"red": reply("", "end_turn"), "green": reply("Gre", "max_tokens"), "blue": reply("", "refusal")}
    first = run_docent(GOLDEN, ScriptedClient(**script), PAGES, path)
    assert run_docent(GOLDEN, ScriptedClient(), PAGES, path) == first
    client = ScriptedClient(red="R.", green=RuntimeError("down"))
    found = Docent(client, PAGES, retry=("empty", "truncated")).run(GOLDEN, path)
    assert client.asked == ["red", "green"]
    assert [answer.status for answer in found] == ["ok", "error", "refusal"]
    assert [(answer.text, answer.status) for answer in load_answers(path)] == [
        *[("R.", "ok"), ("Gre", "truncated"), ("", "refusal")]
    ]
    with pytest.raises(ValueError, match=r"^unknown status 'cut'; known: truncated, refusal, empty"):
        Docent(client, PAGES, retry=("cut",)).run(GOLDEN, path)


def test_what_progress_leaves_out_is_not_asked(tmp_path):
    path = tmp_path / "out.jsonl"
    client = ScriptedClient(red="R.", green="G.", blue="B.")
    for asked in (1, 2, 3):
        found = run_docent(GOLDEN, client, PAGES, path, lambda todo: todo[:1])
        assert [answer.text for answer in found] == ["R.", "G.", "B."][:asked]
