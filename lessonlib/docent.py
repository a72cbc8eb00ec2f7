"""Docent, the assistant under test: retrieval, one prompt, one call, live or recorded.

Recorded answers are the default and cost nothing. Live only when asked for, by `DOCENT_LIVE=1` or an
argument, and with a key in ANTHROPIC_API_KEY: a key that merely happens to be there never spends money.
"""

import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from .data import Answer, Document, Item, load_answers, pair, parse_answers, to_json_line
from .jsonl import DataError
from .text import require_whole, word_tokens

MODEL = "claude-haiku-4-5"
MAX_TOKENS = 200
YES, NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


# --- retrieval and prompt --------------------------------------------------------------------------------


def retrieve(question: str, documents: Mapping[str, Document], k: int = 2) -> list[Document]:
    """Return the k documents that share most words with the question, best first; ties keep file order.

    Words are lower-cased and each counts once, however often it occurs.
    """
    require_whole("k", k)
    words = set(word_tokens(question))
    return sorted(documents.values(), key=lambda document: -len(words & set(word_tokens(document.text))))[:k]


def build_prompt(question: str, documents: Iterable[Document]) -> str:
    """Return the prompt for an answer in words: the documents, then the question on the last line."""
    return _prompt("in one short sentence, from these pages only.", question, documents)


def build_json_prompt(question: str, documents: Iterable[Document]) -> str:
    """Return the prompt for an answer as data: it states REPLY_SCHEMA, and ends as the other one does."""
    return _prompt(
        "from these pages only. Reply with one JSON object and nothing else, no Markdown and no words around "
        f"it. It must fit this JSON Schema:\n\n{json.dumps(REPLY_SCHEMA)}\n\n"
        '"answer" is the answer in a few words. "value" is the number that was asked for, "unit" its unit, '
        '"plan" the plan it holds for; null where there is none. "source" is the id in brackets of the page '
        'that answers, and "quote" the words of that page that show it, copied exactly.',
        question,
        documents,
    )


def _prompt(how: str, question: str, documents: Iterable[Document]) -> str:
    pages = "\n\n".join(f"[{document.id}] {document.title}\n{document.text}" for document in documents)
    return (
        f"You are Docent. Answer the question about the Meridian database {how}\n\n{pages}\n\n"
        f"{QUESTION}{question}"
    )


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


# --- clients ---------------------------------------------------------------------------------------------


class Mode(NamedTuple):
    """Where answers come from ("recorded" or "live"), and why, in one sentence."""

    name: str
    reason: str


def choose_mode(live: bool | None = None, environ: Mapping[str, str] = os.environ) -> Mode:
    """Decide between recorded and live answers.

    `live=None` leaves the choice to DOCENT_LIVE. Asking for live without a key in ANTHROPIC_API_KEY (absent
    or blank) is a ValueError if an argument asked, and "recorded" with the reason if the variable asked.
    """
    wish = environ.get("DOCENT_LIVE", "").strip().lower()
    if wish not in YES + NO:
        raise ValueError(f"DOCENT_LIVE is {wish!r}; use 1 for live answers or 0 for recorded ones")
    asked = wish in YES if live is None else live
    if not asked:
        return Mode("recorded", "live answers were not asked for")
    if environ.get("ANTHROPIC_API_KEY", "").strip():
        return Mode("live", f"asked for, with a key; each question is one request to {MODEL}")
    if live:
        raise ValueError("live answers need a key: ANTHROPIC_API_KEY is missing or blank")
    return Mode("recorded", "DOCENT_LIVE asks for live answers, but ANTHROPIC_API_KEY is missing or blank")


def connect(
    golden: Sequence[Item], run: str | Path = "run1", live: bool | None = None, base_url: str | None = None
) -> Any:
    """Return a client with `messages.create(...)`: recorded answers of a run, or `anthropic.Anthropic`."""
    if choose_mode(live).name == "recorded":
        return RecordedClient(golden, load_answers(run))
    import anthropic  # costs over a second, so only the live path pays

    return anthropic.Anthropic(api_key=os.environ["ANTHROPIC_API_KEY"].strip(), base_url=base_url)


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

        A question without a recording is a KeyError; a recorded failure is raised again as a RuntimeError.
        """
        prompt = messages[-1]["content"]
        found = [a for q, a in self.recording.items() if prompt.endswith(f"\n\n{QUESTION}{q}")]
        if not found:
            asked = prompt.rpartition(QUESTION)[2]
            raise KeyError(f"no recorded answer to {asked!r} (asked: {model}, up to {max_tokens} tokens)")
        answer = found[0]
        if answer.status == "error":
            raise RuntimeError(answer.error)
        blocks = [SimpleNamespace(type="text", text=answer.text)] if answer.text else []
        return SimpleNamespace(content=blocks, stop_reason=STOP_REASONS[answer.status])


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
    reply that ended normally without text is "empty". Never an error, whatever the blocks are.
    """
    content = _get(message, "content")
    blocks = content if isinstance(content, list | tuple) else []
    texts = [_get(block, "text") for block in blocks if _get(block, "type") == "text"]
    text = "".join(piece for piece in texts if isinstance(piece, str))
    status = ENDS.get(str(_get(message, "stop_reason")), "other")
    return Reply(text, "empty" if status == "ok" and not text.strip() else status)


def _get(thing: Any, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def ask(
    question: str, client: Any, documents: Mapping[str, Document], prompt: Prompt = build_prompt
) -> Reply:
    """Ask Docent one question through the client, live or recorded, and return the reply."""
    messages = [{"role": "user", "content": prompt(question, retrieve(question, documents))}]
    return read_reply(client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, messages=messages))


def run_docent(
    golden: Sequence[Item],
    client: Any,
    documents: Mapping[str, Document],
    out: str | Path | None = None,
    progress: Callable[[Sequence[Item]], Iterable[Item]] = lambda items: items,
    prompt: Prompt = build_prompt,
) -> list[Answer]:
    """Ask every question of the golden set and return the answers in its order.

    With `out`, each answer is appended to that JSONL file as it arrives, and a second run asks only what is
    missing or failed. A question whose call raises is kept with its error, an empty text and status "error".
    `progress` wraps the questions still to ask, as tqdm does; `prompt` makes the prompt. An `out` that cannot
    be written to, or that holds answers to other questions, is an error before anything is asked.
    """
    path = None if out is None else Path(out)
    done = _resume(path, {item.id for item in golden}) if path else {}
    todo = [item for item in golden if item.id not in done]
    for item in progress(todo):
        try:
            answer = Answer(item.id, *ask(item.question, client, documents, prompt))
        except Exception as error:  # noqa: BLE001  one failed question is kept and must not cost the others
            answer = Answer(item.id, "", "error", f"{type(error).__name__}: {error}")
        done[item.id] = answer
        if path:
            with path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(to_json_line(answer) + "\n")
    return [done[item.id] for item in golden]


def _resume(path: Path, wanted: set[str]) -> dict[str, Answer]:
    """Return the answers of an earlier run that need not be asked again, and leave only these in the file.

    A run that was killed while it wrote leaves half a line without its newline at the end: it is passed over
    with a warning, so that its question is asked again. Anything else that is wrong is an error, and the file
    stays as it is.
    """
    content = path.read_bytes() if path.is_file() else b""
    whole, newline, last = content.rpartition(b"\n")
    try:
        json.loads(last or b"{}")
    except ValueError:
        warnings.warn(f"{path}: the last line is only half there; its question is asked again", stacklevel=3)
        last = b""
    answers = parse_answers(whole + newline + last, path.name)
    others = [answer.id for answer in answers if answer.id not in wanted]
    if others:
        raise DataError(f"{path.name}: answers to items that are not in the golden set: {', '.join(others)}")
    done = {answer.id: answer for answer in answers if answer.status != "error"}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a"):
        pass  # what cannot be written to is an error before anything is asked
    kept = "".join(to_json_line(answer) + "\n" for answer in done.values()).encode("utf-8")
    if kept != content:  # in one step: whoever stops the program here leaves the old content or the new
        new = path.with_name(f"{path.name}.new")
        new.write_bytes(kept)
        new.replace(path)
    return done
