"""Docent, the assistant under test: retrieval, one prompt, one call, live or recorded.

Recorded answers are the default and cost nothing. Live only when asked for, by `DOCENT_LIVE=1` or an
argument, and with a key in ANTHROPIC_API_KEY: a key that merely happens to be there never spends money.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from .data import Answer, Document, Item, load_answers, pair, to_json_line
from .text import word_tokens

MODEL = "claude-haiku-4-5"
MAX_TOKENS = 200
YES, NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


# --- retrieval and prompt --------------------------------------------------------------------------------


def retrieve(question: str, documents: Mapping[str, Document], k: int = 2) -> list[Document]:
    """Return the k documents that share most words with the question, best first; ties keep file order.

    Words are lower-cased and each counts once, however often it occurs.
    """
    words = set(word_tokens(question))
    return sorted(documents.values(), key=lambda document: -len(words & set(word_tokens(document.text))))[:k]


def build_prompt(question: str, documents: Iterable[Document]) -> str:
    """Return the one prompt Docent sends: the documents, then the question on the last line."""
    pages = "\n\n".join(f"[{document.id}] {document.title}\n{document.text}" for document in documents)
    return (
        "You are Docent. Answer the question about the Meridian database in one short sentence, "
        f"from these pages only.\n\n{pages}\n\n{QUESTION}{question}"
    )


QUESTION = "Question: "


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


def ask(question: str, client: Any, documents: Mapping[str, Document]) -> Reply:
    """Ask Docent one question through the client, live or recorded, and return the reply."""
    prompt = build_prompt(question, retrieve(question, documents))
    messages = [{"role": "user", "content": prompt}]
    return read_reply(client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, messages=messages))


def run_docent(
    golden: Sequence[Item],
    client: Any,
    documents: Mapping[str, Document],
    out: str | Path | None = None,
    progress: Callable[[Sequence[Item]], Iterable[Item]] = lambda items: items,
) -> list[Answer]:
    """Ask every question of the golden set and return the answers in its order.

    With `out`, each answer is appended to that JSONL file as it arrives, and a second run asks only what is
    missing or failed. A question whose call raises is kept with its error, an empty text and status "error".
    `progress` wraps the questions still to ask, as tqdm does.
    """
    path = Path(out) if out else None
    done = {answer.id: answer for answer in _finished(path)}
    todo = [item for item in golden if item.id not in done]
    for item in progress(todo):
        try:
            answer = Answer(item.id, *ask(item.question, client, documents))
        except Exception as error:  # noqa: BLE001  one failed question is kept and must not cost the others
            answer = Answer(item.id, "", "error", f"{type(error).__name__}: {error}")
        done[item.id] = answer
        if path:
            with path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(to_json_line(answer) + "\n")
    return [done[item.id] for item in golden]


def _finished(path: Path | None) -> Iterator[Answer]:
    """Return the answers of an earlier run that need not be asked again, and leave only these in the file."""
    if path is None or not path.exists() or not path.stat().st_size:
        return iter(())
    finished = [answer for answer in load_answers(path) if answer.status != "error"]
    path.write_text("".join(to_json_line(a) + "\n" for a in finished), encoding="utf-8", newline="\n")
    return iter(finished)
