"""Load documents, golden sets and answers, and refuse what is wrong with one clear sentence.

Files are UTF-8 (a byte order mark is tolerated), one JSON object a line, lines end at "\\n" only; blank lines
are skipped. A bad record raises a DataError that names the file, the line and the field.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

SHAPES = ("code", "number+unit", "identifier", "phrase", "sentence")
STATUSES = ("ok", "truncated", "refusal", "empty", "tool_use", "other", "error")


class DataError(ValueError):
    """A record that cannot be used; the message names file, line and field."""


@dataclass(frozen=True)
class Document:
    """One page of Meridian's documentation."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Item:
    """One item of a golden set: a question, the accepted references, and where the answer stands.

    `doc` is the id of the document that answers it, `shape` one of SHAPES; both may be empty for a golden
    set of your own.
    """

    id: str
    question: str
    references: tuple[str, ...]
    doc: str = ""
    shape: str = ""

    def __post_init__(self) -> None:
        """Refuse an item without references or with an unknown shape."""
        if not self.references:
            raise DataError("field 'references' is empty: an item needs at least one reference")
        if self.shape not in ("", *SHAPES):
            raise DataError(f"field 'shape' is {self.shape!r}; known: {', '.join(SHAPES)}")


@dataclass(frozen=True)
class Answer:
    """One recorded answer: its text, how the reply ended (one of STATUSES), and the error if it failed."""

    id: str
    text: str
    status: str = "ok"
    error: str = ""

    def __post_init__(self) -> None:
        """Refuse an unknown status."""
        if self.status not in STATUSES:
            raise DataError(f"field 'status' is {self.status!r}; known: {', '.join(STATUSES)}")


Record = TypeVar("Record", Document, Item, Answer)


# --- files -----------------------------------------------------------------------------------------------


def data_folder() -> Path:
    """Return the folder of the course's data: inside the package when installed, else in the clone."""
    package = Path(__file__).parent
    inside = package / "_data"
    return inside if inside.is_dir() else package.parent / "data"


def load_documents(path: str | Path | None = None) -> dict[str, Document]:
    """Return the documents by id, in file order; without a path, Meridian's."""
    return _by_id(Document, Path(path) if path else data_folder() / "documents.jsonl")


def load_golden(path: str | Path | None = None) -> list[Item]:
    """Return the items of a golden set in file order; without a path, the course's eight.

    The course's own set is also held against its documents: every `doc` must exist.
    """
    source = Path(path) if path else data_folder() / "golden.jsonl"
    items = list(_by_id(Item, source).values())
    if path is None:
        documents = load_documents()
        for item in items:
            if item.doc not in documents:
                raise DataError(
                    f"{source.name}, item {item.id!r}: field 'doc' names no document: {item.doc!r}"
                )
    return items


def load_answers(run: str | Path = "run1") -> list[Answer]:
    """Return recorded answers in file order: a run of the course by name ("run1"), or a file by path."""
    name = str(run)
    recorded = data_folder() / "answers" / f"{name}.jsonl"
    if recorded.is_file() and Path(name).name == name:
        return list(_by_id(Answer, recorded).values())
    if not Path(run).is_file():
        known = ", ".join(sorted(path.stem for path in recorded.parent.glob("*.jsonl")))
        raise DataError(f"there is no run and no file {name!r}; recorded runs: {known}")
    return list(_by_id(Answer, Path(run)).values())


def pair(golden: Sequence[Item], answers: Iterable[Answer]) -> list[tuple[Item, Answer]]:
    """Match answers to items by id, in golden order. Missing, extra and doubled ids are a DataError."""
    by_id: dict[str, Answer] = {}
    doubled = []
    for answer in answers:
        if answer.id in by_id:
            doubled.append(answer.id)
        by_id[answer.id] = answer
    wanted = [item.id for item in golden]
    doubled += [name for n, name in enumerate(wanted) if name in wanted[:n]]
    missing = [name for name in wanted if name not in by_id]
    extra = [name for name in by_id if name not in wanted]
    problems = {"missing": missing, "not in the golden set": extra, "more than once": doubled}
    found = [f"{what}: {', '.join(map(repr, ids))}" for what, ids in problems.items() if ids]
    if found:
        raise DataError(f"answers and golden set do not match by id ({'; '.join(found)})")
    return [(item, by_id[item.id]) for item in golden]


def read_jsonl(path: str | Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the JSON objects of a file with their line numbers (from 1).

    Refused with a DataError: bytes that are not UTF-8, a line that is no JSON object, NaN and Infinity, and a
    key that stands twice in one object.
    """
    path = Path(path)
    records = []
    for number, data in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        place = f"{path.name}, line {number}"
        try:
            text = data.decode("utf-8").strip(" \t\r")
            if not text:
                continue
            record = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
        except UnicodeDecodeError as error:
            raise DataError(f"{place}: not UTF-8 (byte {error.start + 1})") from None
        except (ValueError, RecursionError) as error:
            raise DataError(f"{place}: not valid JSON ({error})") from None
        if not isinstance(record, dict):
            raise DataError(f"{place}: a JSON object is needed, not {type(record).__name__}")
        records.append((number, record))
    return records


def to_json_line(record: Answer) -> str:
    """Return an answer as one line of a JSONL file, without its newline; the error only if there is one."""
    values = {key: value for key, value in asdict(record).items() if value or key in ("id", "text")}
    return json.dumps(values, ensure_ascii=False)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"field {key!r} stands twice")
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _by_id(kind: type[Record], path: Path) -> dict[str, Record]:
    """Read a file of records; every id may stand once."""
    if not path.is_file():
        raise DataError(f"there is no file {str(path)!r}")
    records: dict[str, Record] = {}
    for number, values in read_jsonl(path):
        place = f"{path.name}, line {number}"
        try:
            record = _record(kind, values)
        except DataError as error:
            raise DataError(f"{place}: {error}") from None
        if record.id in records:
            raise DataError(f"{place}: id {record.id!r} stands twice")
        records[record.id] = record
    if not records:
        raise DataError(f"{path.name}: holds no records")
    return records


def _record(kind: type[Record], values: Mapping[str, Any]) -> Record:
    """Make one record, checking that every field is known, there, and a string (references: strings)."""
    known = {field.name: field for field in fields(kind)}
    for name in values:
        if name not in known:
            raise DataError(f"unknown field {name!r}; known: {', '.join(known)}")
    checked: dict[str, Any] = {}
    for name, field in known.items():
        if name not in values:
            if field.default is not MISSING:
                continue
            raise DataError(f"field {name!r} is missing")
        value = values[name]
        if name == "references":
            if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
                raise DataError("field 'references' must be a list of strings")
            value = tuple(value)
        elif not isinstance(value, str):
            raise DataError(f"field {name!r} must be a string, not {json.dumps(value)}")
        if name == "id" and not value.strip():
            raise DataError("field 'id' is empty")
        checked[name] = value
    return kind(**checked)
