"""Load documents, golden sets and answers, and refuse what is wrong with one clear sentence.

A bad record raises a DataError that names the file, the line and the field; `jsonl` reads the lines.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from .jsonl import DataError, parse_jsonl, read_jsonl
from .report import some
from .structured import FAILURES
from .text import known

SHAPES = ("code", "number+unit", "identifier", "phrase", "sentence")
STATUSES = ("ok", "truncated", "refusal", "empty", "tool_use", "other", "error")
FOUND = ("whole", "fenced", "embedded")
EXTRA = {"refuse": False, "ignore": True}  # what becomes of fields that are not known: are they passed over?
WORDS = {  # how a message calls the type of a field
    str: "a string",
    bool: "true or false",
    int: "a whole number",
    str | None: "a string or null",
    int | float | None: "a number or null",
}


@dataclass(frozen=True)
class Document:
    """One page of Meridian's documentation."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Structured:
    """An answer as data: the words, the fact in fields (None: there is none), and where it stands."""

    answer: str
    value: int | float | None
    unit: str | None
    plan: str | None
    source: str
    quote: str

    def __post_init__(self) -> None:
        """Refuse texts that are blank."""
        for name, value in vars(self).items():
            if isinstance(value, str) and not value.strip():
                raise DataError(f"field {name!r} is empty")


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a golden set: a question, the accepted references, and where the answer stands.

    `doc` is the id of the document that answers it, `shape` one of SHAPES; both may be empty for a golden
    set of your own. `structured` is the reference as data, or None: its `answer` is one of the references and
    its `source` is `doc`.
    """

    id: str
    question: str
    references: tuple[str, ...]
    doc: str = ""
    shape: str = ""
    structured: Structured | None = None

    def __post_init__(self) -> None:
        """Refuse an item without references, with an unknown shape, or whose data say otherwise."""
        if not self.references:
            raise DataError("field 'references' is empty: an item needs at least one reference")
        _require_known("shape", self.shape, SHAPES, "")
        data = self.structured
        if data is not None and data.answer not in self.references:
            raise DataError("field 'structured': field 'answer' is none of the references")
        if data is not None and data.source != self.doc:
            raise DataError(f"field 'structured': field 'source' must be {self.doc!r}, as field 'doc' says")


@dataclass(frozen=True, slots=True)
class Answer:
    """One recorded answer: its text, how the reply ended (one of STATUSES), and the error if it failed.

    Where it comes from may be known too: the model, what it cost in tokens, and `asked`, a hash of the whole
    request. Two answers that say the same are equal, wherever they come from.
    """

    id: str
    text: str
    status: str = "ok"
    error: str = ""
    model: str = field(default="", compare=False)
    input_tokens: int = field(default=0, compare=False)
    output_tokens: int = field(default=0, compare=False)
    asked: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Refuse an unknown status."""
        _require_known("status", self.status, STATUSES)


@dataclass(frozen=True)
class StructuredReply:
    """One raw reply to the prompt that asks for JSON, and what the checks must say of it.

    `item` is the id of the question, `flaw` says in two or three words what is wrong ("none" if nothing is),
    `parsed` how the JSON was found, or why not: one of FOUND, or a key of `structured.FAILURES`.
    """

    id: str
    item: str
    text: str
    status: str
    flaw: str
    parsed: str
    schema: bool
    correct: bool
    grounded: bool
    cited: bool

    def __post_init__(self) -> None:
        """Refuse an unknown status or way to parse, and a verdict on what was never read."""
        Answer(self.id, self.text, self.status)
        _require_known("parsed", self.parsed, (*FOUND, *FAILURES))
        if self.parsed in FAILURES and (self.schema or self.correct or self.grounded or self.cited):
            raise DataError(f"a reply that is not read ({self.parsed}) passes no other check")


def _require_known(name: str, value: str, names: Sequence[str], *more: str) -> None:
    if value not in (*names, *more):
        raise DataError(f"field {name!r} is {value!r:.60}; known: {', '.join(names)}")


Record = TypeVar("Record", Document, Structured, Item, Answer, StructuredReply)


# --- files -----------------------------------------------------------------------------------------------


def data_folder() -> Path:
    """Return the folder of the course's data: inside the package when installed, else in the clone."""
    package = Path(__file__).parent
    inside = package / "_data"
    return inside if inside.is_dir() else package.parent / "data"


def load_documents(path: str | Path | None = None, extra: str = "refuse") -> dict[str, Document]:
    """Return the documents by id, in file order; without a path, Meridian's.

    Unknown fields are refused, or passed over with `extra="ignore"`: here and wherever records are loaded.
    """
    return _load(Document, data_folder() / "documents.jsonl" if path is None else Path(path), extra)


def load_golden(path: str | Path | None = None, extra: str = "refuse") -> list[Item]:
    """Return the items of a golden set in file order; without a path, the course's eight.

    The course's own set is also held against its documents: every `doc` must exist, and every quote of a
    structured reference must stand in it word for word.
    """
    source = data_folder() / "golden.jsonl" if path is None else Path(path)
    items = _load(Item, source, extra)
    if path is None:
        documents = load_documents()
        for item in items.values():
            problem = ""
            if item.doc not in documents:
                problem = f"field 'doc' names no document: {item.doc!r}"
            elif item.structured and item.structured.quote not in documents[item.doc].text:
                problem = f"field 'structured': field 'quote' does not stand in {item.doc!r}"
            if problem:
                place = next(place for place, values in read_jsonl(source) if values["id"] == item.id)
                raise DataError(f"{place}: {problem}")
    return list(items.values())


def answers_file(run: str | Path = "run1") -> Path:
    """Return the file of a run: of the course by name ("run1"), or one of your own by path.

    A `Path` is always a file of your own, and "-" is standard input; a name that could mean either a run or
    a file is a DataError.
    """
    runs = {path.stem: path for path in sorted((data_folder() / "answers").glob("*.jsonl"))}
    if isinstance(run, str) and run in runs:
        if Path(run).is_file():
            raise DataError(f"{run!r} is a run of the course and a file here: './{run}' means the file")
        return runs[run]
    if str(run) != "-" and not Path(run).exists():
        raise DataError(f"there is no run and no file {str(run)!r}; recorded runs: {', '.join(runs)}")
    return Path(run)


def load_answers(run: str | Path = "run1", extra: str = "refuse") -> list[Answer]:
    """Return recorded answers in file order; `answers_file` says which file.

    One object without the fields `id` and `text` is read as SQuAD's predictions are: {"id": "text", ...}.
    """
    return list(_load(Answer, answers_file(run), extra).values())


def parse_answers(content: bytes, name: str) -> list[Answer]:
    """Return the answers in a file's content, which may be empty; `name` is for messages."""
    return list(_records(Answer, parse_jsonl(content, name)).values())


def load_structured_replies(path: str | Path | None = None) -> list[StructuredReply]:
    """Return labeled replies to the prompt for JSON, in file order; without a path, the course's 24."""
    source = data_folder() / "structured_replies.jsonl" if path is None else Path(path)
    return list(_load(StructuredReply, source).values())


def pair(golden: Sequence[Item], answers: Iterable[Answer]) -> list[tuple[Item, Answer]]:
    """Match answers to items by id, in golden order. Missing, extra and doubled ids are a DataError."""
    given = list(answers)
    by_id = {answer.id: answer for answer in given}
    wanted, got = Counter(item.id for item in golden), Counter(answer.id for answer in given)
    problems = {
        "missing": [name for name in wanted if name not in got],
        "not in the golden set": [name for name in got if name not in wanted],
        "more than once in the answers": [name for name, times in got.items() if times > 1],
        "more than once in the golden set": [name for name, times in wanted.items() if times > 1],
    }
    found = [f"{what}: {some([*map(repr, ids)])}" for what, ids in problems.items() if ids]
    if found:
        raise DataError(f"answers and golden set do not match by id ({'; '.join(found)})")
    return [(item, by_id[item.id]) for item in golden]


def to_json_line(record: Answer) -> str:
    """Return an answer as one line of a JSONL file, without its newline and without what is not known of it.

    Half a surrogate pair, which UTF-8 cannot hold, is escaped.
    """
    values = {key: value for key, value in asdict(record).items() if value or key in ("id", "text")}
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "backslashreplace").decode("utf-8")


def _load(kind: type[Record], path: Path, extra: str = "refuse") -> dict[str, Record]:
    """Read a file of records, by id; it holds at least one, and every id once."""
    lines = read_jsonl(path)
    if kind is Answer and len(lines) == 1 and not {"id", "text"} & set(lines[0][1]):
        [(place, predictions)] = lines
        lines = [(f"{place}, {key!r:.60}", {"id": key, "text": text}) for key, text in predictions.items()]
    if not lines:
        raise DataError(f"{path.name}: holds no records")
    return _records(kind, lines, known("extra", extra, EXTRA))


def _records(
    kind: type[Record], lines: Iterable[tuple[str, dict[str, Any]]], ignore: bool = False
) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for place, values in lines:
        try:
            record = _record(kind, values, ignore)
        except DataError as error:
            raise DataError(f"{place}: {error}") from None
        if values["id"] in records:
            raise DataError(f"{place}: field 'id' is {values['id']!r:.60}, as in a line above")
        records[values["id"]] = record
    return records


def _record(kind: type[Record], values: Any, ignore: bool = False) -> Record:
    """Make one record, checking that every field is known, there, and of its type."""
    if not isinstance(values, dict):
        raise DataError(f"an object is needed, not {json.dumps(values):.60}")
    expected: dict[str, Any] = {each.name: each for each in fields(kind)}
    unknown = [name for name in values if name not in expected]
    if unknown and not ignore:
        raise DataError(f"unknown field {unknown[0]!r:.60}; known: {', '.join(expected)}")
    checked: dict[str, Any] = {}
    for name, wished in expected.items():
        if name not in values:
            if wished.default is not MISSING:
                continue
            raise DataError(f"field {name!r} is missing")
        value, wanted = values[name], wished.type
        if name == "references":
            if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
                raise DataError("field 'references' must be a list of strings")
            value = tuple(value)
        elif name == "structured":
            try:
                value = _record(Structured, value, ignore)
            except DataError as error:
                raise DataError(f"field 'structured': {error}") from None
        elif not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise DataError(f"field {name!r} must be {WORDS[wanted]}, not {json.dumps(value):.60}")
        if name in ("id", "question") and not value.strip():
            raise DataError(f"field {name!r} is empty")
        checked[name] = value
    return kind(**checked)
