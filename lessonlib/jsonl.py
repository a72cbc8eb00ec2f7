"""Read files of JSON records, one object a line, and refuse what is wrong with file, line and field.

UTF-8 (a byte order mark is tolerated), lines end at "\\n" only, blank lines are skipped.
"""

import json
from pathlib import Path
from typing import Any

from .structured import read_json as read_json


class DataError(ValueError):
    """A record that cannot be used; the message names file, line and field."""


def read_jsonl(path: str | Path) -> list[tuple[int, dict[str, Any]]]:
    """Return what `parse_jsonl` finds in a file; a file that cannot be read is a DataError too."""
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {error.strerror}") from None
    return parse_jsonl(content, path.name)


def parse_jsonl(content: bytes, name: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the JSON objects of a file's content with their line numbers (from 1); `name` is for messages.

    Refused with a DataError: bytes that are not UTF-8, a line that is no JSON object, a number that is not
    finite (NaN, Infinity, 1e999), and a key that stands twice in one object.
    """
    records = []
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        place = f"{name}, line {number}"
        try:
            text = line.decode("utf-8").strip(" \t\r")
            if not text:
                continue
            record = read_json(text)
        except UnicodeDecodeError as error:
            raise DataError(f"{place}: not UTF-8 (byte {error.start + 1})") from None
        except json.JSONDecodeError as error:
            raise DataError(f"{place}: not valid JSON ({error.msg}, column {error.colno})") from None
        except (ValueError, RecursionError) as error:
            raise DataError(f"{place}: not valid JSON ({error})") from None
        if not isinstance(record, dict):
            raise DataError(f"{place}: a JSON object is needed, not {type(record).__name__}")
        records.append((number, record))
    return records
