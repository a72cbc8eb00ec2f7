"""One self-contained HTML page, legible in light and dark, for whoever opens it without this package."""

import html
from collections.abc import Iterable, Sequence

STYLE = """:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { border: 1px solid GrayText; padding: .25rem .6rem; text-align: left; vertical-align: top }
td.n { text-align: right; font-variant-numeric: tabular-nums }
img { background: white; max-width: 100% }
pre { white-space: pre-wrap }"""


def page(title: str, body: str) -> str:
    """Return a whole page; `title` is text, `body` is HTML."""
    name = html.escape(title)
    head = f'<meta charset="utf-8"><title>{name}</title><style>{STYLE}</style>'
    whole = f"<body><h1>{name}</h1>\n{body}\n</body>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n{whole}</html>\n'


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return an HTML table of texts and numbers; numbers stand at the right of their cell."""
    lines = [f"<tr>{''.join(f'<th>{html.escape(name)}</th>' for name in header)}</tr>"]
    for row in rows:
        cells = (
            f'<td class="n">{cell}</td>'
            if isinstance(cell, int | float)
            else f"<td>{html.escape(str(cell))}</td>"
            for cell in row
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>\n{chr(10).join(lines)}\n</table>"
