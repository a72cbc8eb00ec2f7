"""Docent, the assistant under test: retrieval, one prompt, one call, live or recorded.

Recorded answers are the default and cost nothing. Live only when asked for, by `DOCENT_LIVE=1` or an
argument, and with a key in ANTHROPIC_API_KEY: a key that merely happens to be there never spends money.
"""

import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import SimpleNamespace
from typing import Any, NamedTuple

from .data import STATUSES, Answer, Document, Item, load_answers, pair, parse_answers, to_json_line
from .jsonl import DataError
from .report import one_line, some, write_whole
from .text import known, require_whole, word_tokens

try:
    import fcntl
except ImportError:  # not every system locks files
    fcntl = None  # type: ignore[assignment]

MODEL = "claude-haiku-4-5"
MAX_TOKENS = 200
TIMEOUT = 60.0  # seconds that one question may take, waits included
TRIES = 3
YES, NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


class FatalError(ValueError):
    """A call failed as every other one would: one sentence that names address and cause."""

    def _render_traceback_(self) -> list[str]:
        return [f"Docent stopped: {self}"]  # a notebook shows the sentence, not the way to it


# --- retrieval and prompt --------------------------------------------------------------------------------


def retrieve(question: str, documents: Mapping[str, Document], k: int = 2) -> list[Document]:
    """Return the k documents that share most words with the question, best first; ties keep file order.

    Words are lower-cased and each counts once, however often it occurs.
    """
    require_whole("k", k)
    words = set(word_tokens(question))
    return sorted(documents.values(), key=lambda document: -len(words & set(word_tokens(document.text))))[:k]


OPENING = "You are Docent. Answer the question about the Meridian database"


def build_prompt(question: str, documents: Iterable[Document], opening: str = OPENING) -> str:
    """Return the prompt for an answer in words: the documents, then the question on the last line."""
    return _prompt(f"{opening} in one short sentence, from these pages only.", question, documents)


def build_json_prompt(question: str, documents: Iterable[Document]) -> str:
    """Return the prompt for an answer as data: it states REPLY_SCHEMA, and ends as the other one does."""
    return _prompt(
        f"{OPENING} from these pages only. Reply with one JSON object and nothing else, no Markdown and no "
        f"words around it. It must fit this JSON Schema:\n\n{json.dumps(REPLY_SCHEMA)}\n\n"
        '"answer" is the answer in a few words. "value" is the number that was asked for, "unit" its unit, '
        '"plan" the plan it holds for; null where there is none. "source" is the id in brackets of the page '
        'that answers, and "quote" the words of that page that show it, copied exactly.',
        question,
        documents,
    )


def _prompt(task: str, question: str, documents: Iterable[Document]) -> str:
    pages = "\n\n".join(f"[{document.id}] {document.title}\n{document.text}" for document in documents)
    return f"{task}\n\n{pages}\n\n{QUESTION}{question}"


QUESTION = "Question: "
REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string"},
        "value": {"type": ["integer", "null"], "minimum": 0, "maximum": 1000},
        "unit": {"enum": ["requests per minute", "dollars per month", "days", "hours", None]},
        "plan": {"enum": ["Free", "Pro", "Scale", None]},
        "source": {"type": "string"},
        "quote": {"type": "string"},
    },
    "required": ["answer", "value", "unit", "plan", "source", "quote"],
    "additionalProperties": False,
}
Prompt = Callable[[str, Iterable[Document]], str]
Progress = Callable[[Sequence[Item]], Iterable[Item]]


# --- clients ---------------------------------------------------------------------------------------------


class Mode(NamedTuple):
    """Where answers come from ("recorded" or "live"), and why, in one sentence."""

    name: str
    reason: str


def choose_mode(live: bool | None = None, environ: Mapping[str, str] = os.environ) -> Mode:
    """Decide between recorded and live answers.

    `live=None` leaves the choice to DOCENT_LIVE. Asking for live without a usable key in ANTHROPIC_API_KEY is
    a ValueError if an argument asked, and "recorded" with the reason if the variable asked.
    """
    wish = environ.get("DOCENT_LIVE", "").strip().lower()
    if wish not in YES + NO:
        raise ValueError(f"DOCENT_LIVE is {wish!r}; use 1 for live answers or 0 for recorded ones")
    asked = wish in YES if live is None else live
    if not asked:
        return Mode("recorded", "live answers were not asked for")
    problem = _key(environ)[1]
    if not problem:
        return Mode("live", f"asked for, with a key; each question is one request to {MODEL}")
    if live:
        raise ValueError(f"live answers need a key: ANTHROPIC_API_KEY {problem}")
    return Mode("recorded", f"DOCENT_LIVE asks for live answers, but ANTHROPIC_API_KEY {problem}")


def _key(environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the key without what cannot be seen, and what is wrong with it ("": nothing)."""
    key = "".join(filter(str.isprintable, environ.get("ANTHROPIC_API_KEY", ""))).strip()
    odd = [character for character in key if not "!" <= character <= "~"]
    return key, f"holds {odd[0]!a}, as no key does" if odd else "" if key else "is missing or blank"


def connect(
    golden: Sequence[Item],
    run: str | Path = "run1",
    live: bool | None = None,
    base_url: str | None = None,
    timeout: float = TIMEOUT,
) -> Any:
    """Return a client with `messages.create(...)`: recorded answers of a run, or a `LiveClient`."""
    if choose_mode(live).name == "recorded":
        return RecordedClient(golden, load_answers(run))
    return LiveClient(_key(os.environ)[0], base_url, timeout)


class LiveClient:
    """`anthropic.Anthropic` behind the same call, with a time limit for a question and a word on each wait.

    What may pass (408, 409, 429, 5xx) is asked again, up to TRIES times and within `timeout` seconds in all.
    What every question would meet (a status in FATAL, or no way to the address) is a FatalError at once.
    """

    def __init__(self, key: str, base_url: str | None = None, timeout: float = TIMEOUT) -> None:
        """Prepare the connection; an address or a proxy that cannot be used is a FatalError."""
        if not 0 < timeout < 1e6:
            raise ValueError(f"the time limit must be a number of seconds above 0, not {timeout}")
        import anthropic  # costs over a second, so only the live path pays

        self.messages, self.timeout = self, timeout
        self.address = base_url or os.environ.get("ANTHROPIC_BASE_URL") or "https://api.anthropic.com"
        try:
            http = anthropic.DefaultHttpxClient()  # the SDK's own leaves a traceback of a bad proxy
            self.sdk = anthropic.Anthropic(api_key=key, base_url=base_url, max_retries=0, http_client=http)
        except Exception as error:  # noqa: BLE001  of many kinds, from two libraries
            raise FatalError(f"cannot connect to {self._route()}: {_short(error)}") from None
        self.address, self.close = str(self.sdk.base_url), self.sdk.close

    def _route(self) -> str:
        from urllib.request import getproxies

        proxies = [getproxies().get(scheme) for scheme in (self.address.partition(":")[0], "all")]
        through = next((f" through the proxy {proxy}" for proxy in proxies if proxy), "")
        return re.sub("//[^/@ ]*@", "//", self.address + through)  # without a password

    def create(self, **request: Any) -> Any:
        """Return the reply to one request."""
        end = time.monotonic() + self.timeout
        tries = 0
        while True:
            tries += 1
            left = max(end - time.monotonic(), 0.1)
            try:
                return _within(left, partial(self.sdk.messages.create, **request, timeout=left))
            except Exception as error:
                status, kinds = getattr(error, "status_code", 0), _kinds(error)
                if status in FATAL or kinds & UNREACHABLE:
                    cause = _short(error if status else error.__cause__)
                    raise FatalError(f"no answer from {self._route()}: {cause}") from None
                if kinds & {"TimeoutException", "TimeoutError"}:
                    late = f"no answer from {self._route()} within {self.timeout:g} s"
                    _say(late)
                    raise TimeoutError(late) from None
                if tries == TRIES or (status not in (408, 409, 429) and status < 500):
                    raise
                try:
                    wait = float(error.response.headers["retry-after"])  # type: ignore[attr-defined]
                except (KeyError, ValueError):
                    wait = 0.25 * 2**tries
                if not 0 <= wait < end - time.monotonic():
                    _say(f"not waiting {wait:g} s, as the server asks: the limit is {self.timeout:g} s")
                    raise
                _say(f"waiting {wait:g} s: {_short(error):.80}")
                time.sleep(wait)


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """Return what a call returns or raises; a TimeoutError after so many seconds.

    The SDK limits each step: a reply that trickles in, or a name that is looked up, could take for ever.
    """
    ended: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()

    def work() -> None:
        try:
            ended.put((call(), None))
        except Exception as error:  # noqa: BLE001  raised below, where somebody waits for it
            ended.put((None, error))

    Thread(target=work, daemon=True).start()  # one that is never answered must not keep the program
    try:
        result, error = ended.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if error:
        raise error
    return result


FATAL = (401, 402, 403, 404, 407)  # no key, no credit, no permission, no such model or address, no way out
UNREACHABLE = {"ConnectError", "ProxyError", "UnsupportedProtocol", "LocalProtocolError"}  # of httpx


def _kinds(error: BaseException | None) -> set[str]:
    """Return the names of the classes of an error and of its causes."""
    return {kind.__name__ for kind in type(error).mro()} | _kinds(error.__cause__) if error else set()


def _short(error: object) -> str:
    """Return an error's text in one line of at most 300 characters."""
    text = one_line(str(error))
    return text if len(text) <= 300 else f"{text[:299]}…"


def _say(line: str) -> None:
    from tqdm import tqdm  # which knows how not to break a bar

    tqdm.write(line, file=sys.stderr)


class RecordedClient:
    """Answers from a recording through the same call as the live client: `client.messages.create(...)`."""

    def __init__(self, golden: Sequence[Item], answers: Iterable[Answer]) -> None:
        """Take a golden set and its recorded answers, matched by id; a doubled question is a ValueError."""
        self.recording = {item.question: answer for item, answer in pair(golden, answers)}
        if len(self.recording) < len(golden):
            raise ValueError("the golden set asks a question twice, so a recording cannot tell them apart")
        self.messages = self

    def create(self, *, model: str, max_tokens: int, messages: list[dict[str, str]]) -> Any:
        """Return the recorded reply to the question that ends the prompt.

        A question without a recording is a KeyError, a recording of another request a FatalError; a recorded
        failure is raised again as a RuntimeError.
        """
        prompt = messages[-1]["content"]
        found = [a for q, a in self.recording.items() if prompt.endswith(f"\n\n{QUESTION}{q}")]
        if not found:
            asked = prompt.rpartition(QUESTION)[2]
            raise KeyError(f"no recorded answer to {asked!r} (asked: {model}, up to {max_tokens} tokens)")
        answer = found[0]
        if answer.asked not in ("", fingerprint(model=model, max_tokens=max_tokens, messages=messages)):
            raise FatalError(f"the recorded answer to {answer.id!r:.60} was to other pages, prompt or model")
        if answer.status == "error":
            raise RuntimeError(answer.error)
        blocks = [SimpleNamespace(type="text", text=answer.text)] if answer.text else []
        usage = SimpleNamespace(input_tokens=answer.input_tokens, output_tokens=answer.output_tokens)
        reason = STOP_REASONS[answer.status]
        return SimpleNamespace(content=blocks, stop_reason=reason, model=answer.model, usage=usage)


# --- asking ----------------------------------------------------------------------------------------------

ENDS = {  # how a reply ended, by the API's stop reason; any other reason is "other"
    "end_turn": "ok",
    "stop_sequence": "ok",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "refusal": "refusal",
    "tool_use": "tool_use",
}
STOP_REASONS = {"empty": "end_turn", "other": "other"} | {
    end: reason for reason, end in reversed(ENDS.items())
}


class Reply(NamedTuple):
    """What a reply said, and how it ended: ok, truncated, refusal, empty, tool_use or other."""

    text: str
    status: str


def read_reply(message: Any) -> Reply:
    """Return text and status of a reply, an object of the SDK or the same as a dict.

    All text blocks are joined, other blocks are passed over, and the status comes from the stop reason: a
    reply that ended normally without text is "empty". What is no message is a ValueError, whatever it is.
    """
    blocks = _get(message, "content")
    if not isinstance(blocks, list | tuple):
        raise ValueError(f"the reply is no message but {type(message).__name__} {_short(message)!r:.80}")
    texts = [_get(block, "text") for block in blocks if _get(block, "type") == "text"]
    text = "".join(piece for piece in texts if isinstance(piece, str))
    status = ENDS.get(str(_get(message, "stop_reason")), "other")
    return Reply(text, "empty" if status == "ok" and not text.strip() else status)


def _get(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def fingerprint(**request: Any) -> str:
    """Return a hash of all that is asked: model, limit of tokens, and the prompt with its pages."""
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Docent:
    """The assistant: a client, the documents, how a prompt is made, the model, and what is asked again.

    `retry` are statuses of earlier answers that a run asks again; "error" always is one.
    """

    client: Any
    documents: Mapping[str, Document]
    prompt: Prompt = build_prompt
    model: str = MODEL
    retry: Sequence[str] = ()

    def request(self, question: str) -> dict[str, Any]:
        """Return what is sent for a question."""
        prompt = self.prompt(question, retrieve(question, self.documents))
        messages = [{"role": "user", "content": prompt}]
        return {"model": self.model, "max_tokens": MAX_TOKENS, "messages": messages}

    def ask(self, item: Item) -> Answer:
        """Ask one question; a call that raises gives the status "error" and no text, but for a FatalError."""
        request = self.request(item.question)
        try:
            message = self.client.messages.create(**request)
            reply, usage = read_reply(message), _get(message, "usage")
        except FatalError:
            raise
        except Exception as error:  # noqa: BLE001  one failed question is kept and must not cost the others
            cause = f" ({error.__cause__})" if error.__cause__ else ""
            return Answer(item.id, "", "error", _short(f"{type(error).__name__}: {error}{cause}"))
        tokens = [_get(usage, name) for name in ("input_tokens", "output_tokens")]
        spent, got = (count if isinstance(count, int) else 0 for count in tokens)
        model, asked = str(_get(message, "model") or ""), fingerprint(**request)
        return Answer(item.id, reply.text, reply.status, "", model, spent, got, asked)

    def run(
        self, golden: Sequence[Item], out: str | Path | None = None, progress: Progress = iter
    ) -> list[Answer]:
        """Ask every question of the golden set and return the answers in its order.

        With `out`, each answer is appended to that JSONL file as it arrives, and a second run asks only what
        is missing, failed, to be asked again, or an answer to another request; an old answer stays there
        until a new one has come. `progress` wraps the questions still to ask, as tqdm does; what it leaves
        out is not asked. An `out` that cannot be written to, that another run is writing to, or that holds
        answers to other questions is an error before anything is asked.
        """
        for status in self.retry:
            known("status", status, dict.fromkeys(STATUSES[1:]))
        path = None if out is None else Path(out)
        with _recording(path, {item.id for item in golden}) as old:
            asked = {item.id: fingerprint(**self.request(item.question)) for item in golden if item.id in old}
            stale = [name for name, answer in old.items() if answer.asked not in ("", asked[name])]
            if stale:
                _say(f"asked again, as pages, prompt or model were others: {some(stale)}")
            done = {a.id: a for a in old.values() if a.id not in stale and a.status not in self.retry}
            new = []
            for item in progress([item for item in golden if item.id not in done]):
                new.append(self.ask(item))
                _keep(path, old, new[-1])
            if new and all(answer.status == "error" for answer in new):
                _say(f"every call failed ({len(new)} of {len(new)}); the last: {new[-1].error}")
        done |= {answer.id: answer for answer in new}
        return [done[item.id] for item in golden if item.id in done]


def ask(
    question: str, client: Any, documents: Mapping[str, Document], prompt: Prompt = build_prompt
) -> Reply:
    """Ask Docent one question through the client, live or recorded, and return the reply."""
    return read_reply(client.messages.create(**Docent(client, documents, prompt).request(question)))


def run_docent(
    golden: Sequence[Item],
    client: Any,
    documents: Mapping[str, Document],
    out: str | Path | None = None,
    progress: Progress = iter,
) -> list[Answer]:
    """Ask Docent every question of the golden set: `Docent.run` with the usual prompt and model."""
    return Docent(client, documents).run(golden, out, progress)


# --- the file of a recording -----------------------------------------------------------------------------


@contextmanager
def _recording(path: Path | None, wanted: set[str]) -> Iterator[dict[str, Answer]]:
    """Keep a file to ourselves, and give the answers of an earlier run but for its failures.

    The lock is a file beside it; where the system can lock files, that of a killed run bars nobody.
    """
    if path is None:
        yield {}
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8"):
        pass  # what cannot be written to is an error before anything is asked
    lock = path.with_name(f"{path.name}.lock")
    with ExitStack() as stack:
        try:
            file = stack.enter_context(lock.open("a" if fcntl else "x", encoding="utf-8"))
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (FileExistsError, BlockingIOError):
            raise DataError(f"{path} is being recorded by another run (if by none, delete {lock})") from None
        if not fcntl:
            file.close()
        stack.callback(lock.unlink, missing_ok=True)
        yield _resume(path, wanted)


def _resume(path: Path, wanted: set[str]) -> dict[str, Answer]:
    """Return the answers of an earlier run that are no failures, and leave only these in the file.

    A run that was killed while it wrote leaves half a line without its newline at the end: it is passed over
    with a sentence. Anything else that is wrong is an error, and the file stays as it is.
    """
    content = path.read_bytes()
    whole, newline, last = content.rpartition(b"\n")
    try:
        json.loads(last or b"{}")
    except ValueError:
        _say(f"{path}: the last line is only half there; its question is asked again")
        last = b""
    answers = parse_answers(whole + newline + last, path.name)
    others = [answer.id for answer in answers if answer.id not in wanted]
    if others:
        raise DataError(f"{path.name}: answers to items that are not in the golden set: {some(others)}")
    done = {answer.id: answer for answer in answers if answer.status != "error"}
    if _lines(done.values()).encode() != content:
        write_whole(path, _lines(done.values()))
    return done


def _keep(path: Path | None, old: dict[str, Answer], answer: Answer) -> None:
    if path is None or (answer.id in old and answer.status == "error"):
        return
    if answer.id not in old:
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(_lines([answer]))
    else:
        write_whole(path, _lines((old | {answer.id: answer}).values()))
    old[answer.id] = answer


def _lines(answers: Iterable[Answer]) -> str:
    return "".join(to_json_line(answer) + "\n" for answer in answers)
