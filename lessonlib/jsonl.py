"""Read files of JSON records, and refuse what is wrong with file, line and field.

UTF-8 (a byte order mark is tolerated); one object a line, blank lines skipped, lines end at "\\n" only. A
file that begins with "[" is one array of objects, and one whose first line is "{" alone is one object.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from .structured import read_json as read_json


class DataError(ValueError):
    """A record that cannot be used; the message names file, line and field."""


def read_jsonl(path: str | Path) -> list[tuple[str, dict[str, Any]]]:
    """Return what `parse_jsonl` finds in a file ("-": standard input); an unreadable one is a DataError."""
    if str(path) == "-":
        return parse_jsonl(sys.stdin.buffer.read(), "standard input")
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {error.strerror}") from None
    return parse_jsonl(content, path.name)


def parse_jsonl(content: bytes, name: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the JSON objects of a file's content, each with its place, such as "answers.jsonl, line 3".

    Refused with a DataError: bytes that are not UTF-8, a line or item that is no JSON object, and what
    `read_json` refuses. `name` is the file's, for the places.
    """
    content = content.removeprefix(b"\xef\xbb\xbf")
    whole = re.match(rb"\s*(?:\[|\{[ \t\r]*\n)", content)
    records = []
    for number, piece in enumerate([content] if whole else content.split(b"\n"), start=1):
        place = name if whole else f"{name}, line {number}"
        try:
            text = piece.decode("utf-8").strip(" \t\r")
            if not text:
                continue
            value = read_json(text)
        except UnicodeDecodeError as error:
            raise DataError(f"{place}: not UTF-8 (byte {error.start + 1})") from None
        except json.JSONDecodeError as error:
            place = f"{name}, line {number + error.lineno - 1}"
            raise DataError(f"{place}: not valid JSON ({error.msg}, column {error.colno})") from None
        except (ValueError, RecursionError) as error:
            raise DataError(f"{place}: not valid JSON ({error})") from None
        if isinstance(value, list) and whole:
            records += [(f"{name}, record {n}", item) for n, item in enumerate(value, start=1)]
        else:
            records.append((place, value))
    for place, record in records:
        if not isinstance(record, dict):
            raise DataError(f"{place}: a JSON object is needed, not {type(record).__name__}")
    return records
