"""Tables out of plain cells, for readers and for programs, and files that are written whole or not at all."""

import csv
import html
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

MOST = 10  # names that one message lists


def some(names: Sequence[str], joint: str = ", ") -> str:
    """Return the first ten names in one line, and how many more there are."""
    listed = joint.join(f"{name:.60}" for name in names[:MOST])
    return listed if len(names) <= MOST else f"{listed} and {len(names) - MOST} more"


def one_line(text: str) -> str:
    """Return a text without line breaks: one row, one line."""
    return " ".join(text.split())


# What would end a cell, vanish from it, or change its look where Markdown is shown. An underscore between
# letters or digits is safe; a dollar sign is, in JupyterLab and on GitHub, only as code.
MARKUP = re.compile(r"[\\|<&`*~\[]|(?<![^\W_])_|_(?![^\W_])")
DOLLARS = re.compile(r"\$+")


class Table(NamedTuple):
    """A header, rows of texts as long as it, the columns that hold numbers, and notes to stand below.

    A notebook shows it as HTML.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Sequence[str] = ()
    notes: Sequence[str] = ()

    def __repr__(self) -> str:
        """Return the table as plain text."""
        return self.text().removesuffix("\n")

    def _repr_html_(self) -> str:
        return self.html()

    def text(self) -> str:
        """Return aligned columns; the last one is as wide as it is."""
        rows = [[one_line(cell) for cell in row] for row in [self.header, *self.rows]]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        signs = [">" if name in self.numbers else "<" for name in self.header]
        form = "  ".join(f"{{:{sign}{width}}}" for sign, width in zip(signs[:-1], widths[:-1], strict=True))
        lines = [f"{form.format(*row)}  {row[-1]}".rstrip() for row in rows]
        return "".join(f"{line}\n" for line in [*lines, *([""] if self.notes else []), *self.notes])

    def markdown(self) -> str:
        """Return a Markdown table in which every cell shows as the text that it is, white space apart."""
        cells = (
            (MARKUP.sub(r"\\\g<0>", one_line(cell)) for cell in row) for row in [self.header, *self.rows]
        )
        rows = [[DOLLARS.sub(r"`\g<0>`", cell) for cell in row] for row in cells]
        rows.insert(1, ["---:" if name in self.numbers else "---" for name in self.header])
        notes = [f"\n`{note}`\n" for note in self.notes]
        return "".join([*(f"| {' | '.join(row)} |\n" for row in rows), *notes])

    def html(self) -> str:
        """Return an HTML table, legible on light and dark, in which no dollar sign starts a formula."""
        lines = []
        for row, tag in [(self.header, "th"), *((row, "td") for row in self.rows)]:
            sides = ("right" if name in self.numbers else "left" for name in self.header)
            cells = zip(sides, map(html.escape, row), strict=True)
            lines.append("".join(f'<{tag} style="text-align: {side}">{cell}</{tag}>' for side, cell in cells))
        body = "\n".join(f"<tr>{line}</tr>" for line in lines)
        notes = "".join(f"<p>{html.escape(note)}</p>\n" for note in self.notes)
        return f'<div class="mathjax_ignore tex2jax_ignore">\n<table>\n{body}\n</table>\n{notes}</div>'


def csv_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return CSV for programs: every text exact and quoted, numbers bare, no byte order mark."""
    lines: list[str] = []  # StringIO takes four bytes a character
    # Quoted, because a bare "\r" inside an answer would end the row for a reader.
    file = SimpleNamespace(write=lines.append)
    csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC).writerows(chain([header], rows))
    return "".join(lines)


def write_whole(path: str | Path, text: str) -> None:
    """Write a UTF-8 file whole or not at all: on a full disk the old file stays as it was.

    What UTF-8 cannot hold is escaped. A device or a pipe is written to directly.
    """
    target = Path(path).resolve()
    direct = target.exists() and not target.is_file()
    part = target if direct else target.with_name(f".{target.name[:80]}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
        if not direct:
            if target.exists():
                part.chmod(target.stat().st_mode & 0o777)
            part.replace(target)
    except OSError as error:
        raise OSError(f"cannot write {str(path)!r}: {error.strerror}") from None
    finally:
        if not direct:
            with suppress(OSError):
                part.unlink()
