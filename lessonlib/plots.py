"""Every figure of the lessons: a PNG on white, and a sentence with the same numbers under it.

Each function takes plain values and returns a Picture. In a notebook it shows the image, legible on a dark
theme as a white card, and prints its description, which a screen reader reads and a test compares. Nothing
here computes a score.
"""

import io
import struct
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, NamedTuple, ParamSpec

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

# Okabe and Ito's colors, which most people can tell apart; every figure also says in text what a color means.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
# One color for one thing in all lessons; what is not listed takes the colors in order.
PLACES = {"F1": 0, "ROUGE-L": 1, "EM": 3, "right": 2, "wrong": 5}
PLACES |= {"all or nothing": 0, "field credit": 1, "equal weights": 1, "value counts three times": 3}
PLACES |= {"passes": 2, "falls here": 5}
GRAY = "#666666"
PALE = "#CFCFCF"
TINT = "#FBE7C0"  # a light second color
SHARP = 2  # pixels a point of the page, for dense screens
STYLE = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.parse_math": False,  # "$25 or $30" is text, not a formula
}


class Picture(NamedTuple):
    """A figure as PNG bytes, and the description that says the same in words."""

    png: bytes
    description: str

    def __repr__(self) -> str:
        """Return the description."""
        return self.description

    def _ipython_display_(self) -> None:
        from IPython.display import display

        width, height = struct.unpack(">II", self.png[16:24])  # of the PNG's header
        size = {"width": width // SHARP, "height": height // SHARP}
        data = {"image/png": self.png, "text/plain": self.description}
        display(data, raw=True, metadata={"image/png": size})
        # A notebook page breaks a long line anywhere; this breaks it between words.
        print(textwrap.fill(self.description, 90, break_long_words=False, break_on_hyphens=False))


Arguments = ParamSpec("Arguments")
Texts = Sequence[str]
Numbers = Sequence[float]
Series = Mapping[str, Sequence[float | None]]
Spots = Mapping[str, tuple[float, float]]


def _styled(draw: Callable[Arguments, Picture]) -> Callable[Arguments, Picture]:
    """Draw with matplotlib's defaults and STYLE, whatever the notebook has set for its own figures."""

    @wraps(draw)
    def drawn(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Picture:
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update(STYLE)
            return draw(*args, **kwargs)

    return drawn


def _canvas(width: float, height: float, title: str) -> tuple[Figure, Any]:
    layout = ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1)
    figure = Figure(figsize=(width, height), dpi=100, layout=layout)
    axes = figure.add_subplot()
    axes.set_title(title, loc="left")
    return figure, axes


def _picture(figure: Figure, description: str) -> Picture:
    drawn, small = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=100 * SHARP)
    palette = Image.open(drawn).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    palette.save(small, "png", optimize=True)  # a third of the size, for the eye the same
    return Picture(small.getvalue(), description)


def _color(name: str, n: int) -> str:
    return COLORS[PLACES.get(name, n % len(COLORS))]


def _ink(color: Any) -> str:
    """Return white or black, whichever stands out at least 4.5 to 1 (WCAG 2.2, 1.4.3) on a color."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in mpl.colors.to_rgb(color)]
    luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    return "white" if luminance < 0.18 else "black"


def _note(axes: Any, text: str, spot: tuple[float, float], shift: tuple[float, float], **style: Any) -> None:
    axes.annotate(text, spot, shift, textcoords="offset points", **{"fontsize": 9} | style)


def _as_table(axes: Any, title: str, rows: Sequence[str], columns: Sequence[str]) -> None:
    axes.set_title(title, loc="left", pad=14)  # clear of the column names
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)


def _words(labels: Texts, series: Iterable[tuple[str, Sequence[float | None]]], form: str) -> list[str]:
    words = []
    for name, values in series:
        pairs = zip(labels, values, strict=True)
        shown = [f"{label} {value:{form}}" for label, value in pairs if value is not None]
        words.append(f"{name}: {', '.join(shown)}")
    return words


@_styled
def bars(title: str, labels: Texts, series: Series, form: str = ".2f", limit: float | None = None) -> Picture:
    """Draw horizontal bars, one group a label and one bar a series, each with its value written on it.

    `limit` fixes the right end of the axis (1 for scores); `form` formats the values. A label that a series
    does not have (None) gets no bar from it.
    """
    words = _words(labels, series.items(), form)
    counts = [sum(values[i] is not None for values in series.values()) for i in range(len(labels))]
    most = max([1, *counts])
    thick = 0.8 / most
    figure, axes = _canvas(7, 0.9 + len(labels) * (0.2 + 0.24 * most), title)
    drawn = [0] * len(labels)
    for n, (name, values) in enumerate(series.items()):
        given = [(i, value) for i, value in enumerate(values) if value is not None]
        places = [i + (drawn[i] - (counts[i] - 1) / 2) * thick for i, _ in given]
        row = axes.barh(
            places, [value for _, value in given], thick * 0.92, color=_color(name, n), label=name
        )
        axes.bar_label(row, [f"{value:{form}}" for _, value in given], padding=3, fontsize=9)
        for i, _ in given:
            drawn[i] += 1
    if limit is not None:
        axes.set_xlim(0, limit * 1.12)
    return _rows_of_bars(figure, axes, labels, words)


@_styled
def agreement(title: str, rows: Sequence[Mapping[str, Any]]) -> Picture:
    """Draw how often rules agree with people: a bar a row with its interval, and a line at the base rate.

    A row holds `name`, `n`, `base_rate`, `agreement`, `low` and `high`, as the rows of
    `validity.against_people` do.
    """
    figure, axes = _canvas(7, 1.0 + 0.42 * len(rows), title)
    for i, row in enumerate(rows):
        share, low, high = (float(row[name]) for name in ("agreement", "low", "high"))
        error = {"xerr": [[share - low], [high - share]], "ecolor": "black", "capsize": 3}
        bar = (
            {"color": COLORS[4], "label": "agrees with people, 95 % interval"}
            if not i
            else {"color": COLORS[4]}
        )
        axes.barh(i, share, 0.62, **error, **bar)
        line = {"color": COLORS[5], "linewidth": 3}
        axes.vlines(
            row["base_rate"], i - 0.4, i + 0.4, **line, label=None if i else "always the same verdict"
        )
    axes.set_xlim(0, 1)
    names = [f"{row['name']} (n = {row['n']:,})" for row in rows]
    words = []
    for name, row in zip(names, rows, strict=True):
        spread = f"[{row['low']:.2f}, {row['high']:.2f}]"
        words.append(f"{name} {row['agreement']:.2f} {spread}, base rate {row['base_rate']:.2f}")
    return _rows_of_bars(figure, axes, names, [*words, ""])._replace(
        description=f"{title}. {'; '.join(words)}."
    )


@_styled
def stack(
    title: str, labels: Texts, series: Mapping[str, Sequence[int]], axis: str = "", pale: str = ""
) -> Picture:
    """Draw counts as horizontal bars, the series of one label end to end.

    `axis` says below the axis what it counts; the series named `pale` is light gray, as background.
    """
    figure, axes = _canvas(7, 0.9 + len(labels) * 0.4, title)
    left = [0] * len(labels)
    for n, (name, values) in enumerate(series.items()):
        color = PALE if name == pale else _color(name, n)
        row = axes.barh(range(len(labels)), values, 0.8 * 0.92, left=left, color=color, label=name)
        texts = [str(value) if value else "" for value in values]
        axes.bar_label(row, texts, label_type="center", fontsize=9, color=_ink(color))
        left = [start + value for start, value in zip(left, values, strict=True)]
    axes.set_xlabel(axis)
    return _rows_of_bars(figure, axes, labels, _words(labels, series.items(), "d"))


def _rows_of_bars(figure: Figure, axes: Any, labels: Texts, words: list[str]) -> Picture:
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    if len(words) > 1:
        figure.legend(loc="outside lower center", ncols=len(words), frameon=False, fontsize=9)
    return _picture(figure, f"{axes.get_title(loc='left')}. {'; '.join(words)}.")


@_styled
def waterfall(title: str, labels: Texts, totals: Sequence[int], out_of: int) -> Picture:
    """Draw how a count grows step by step: each bar starts where the one before ended."""
    figure, axes = _canvas(7, 3.2, title)
    before = 0
    for i, total in enumerate(totals):
        axes.bar(i, total - before, bottom=before, color=COLORS[0] if i else GRAY, width=0.7)
        if total == before:
            axes.plot([i - 0.35, i + 0.35], [total, total], color=COLORS[0], linewidth=2)
        gained = f"\n{total - before:+d}" if i else ""
        _note(axes, f"{total}/{out_of}{gained}", (i, total), (0, 3), ha="center", va="bottom")
        before = total
    axes.set_xticks(range(len(labels)), labels)
    axes.set(ylim=(0, out_of + 0.9), yticks=range(0, out_of + 1, 2))
    words = ", ".join(f"{label} {total}/{out_of}" for label, total in zip(labels, totals, strict=True))
    return _picture(figure, f"{title}. {words}.")


@_styled
def curve(title: str, axes_names: tuple[str, str], xs: Numbers, ys: Numbers, points: Spots) -> Picture:
    """Draw a curve with a few labeled points on it; the points are what the description gives.

    Whole numbers stand unjoined: they are counts, and there is nothing between them.
    """
    figure, axes = _canvas(7, 3.2, title)
    counts = all(isinstance(x, int) for x in xs)
    axes.plot(xs, ys, "o" if counts else "-", color=COLORS[0], markersize=3.5)
    rising = ys[-1] > ys[0]  # then the room is below the curve
    for n, (label, (x, y)) in enumerate(points.items()):
        axes.plot([x], [y], "o", color=COLORS[5])
        last = x > xs[0] + 0.9 * (xs[-1] - xs[0])  # its label would stand out past the axis
        place = (6 if not last else 0, -12 if rising else 8 if n % 2 else 14)
        _note(axes, f"{label}: {y:.2f}", (x, y), place, ha="right" if last else "left")
    axes.set(xlabel=axes_names[0], ylabel=axes_names[1], ylim=(0, max(ys) * 1.15 or 1))
    words = ", ".join(f"{label} {y:.2f} at {x:g}" for label, (x, y) in points.items())
    return _picture(figure, f"{title}. {axes_names[1]} against {axes_names[0]}: {words}.")


@_styled
def precision_recall_plane(title: str, points: Spots) -> Picture:
    """Draw (precision, recall) of each labeled answer on a plane with lines of equal F1."""
    figure, axes = _canvas(6, 4.8, title)
    for f1 in (0.2, 0.4, 0.6, 0.8):
        # F1 = 2PR / (P + R) solved for recall, over the precisions for which recall is at most 1
        precisions = [f1 / (2 - f1) + i * (1 - f1 / (2 - f1)) / 100 for i in range(101)]
        recalls = [f1 * p / (2 * p - f1) for p in precisions]
        axes.plot(precisions, recalls, color=GRAY, linewidth=0.8, linestyle="--")
        _note(axes, f"F1 {f1}", (1.0, recalls[-1]), (3, 0), fontsize=8, va="center")
    spots: dict[tuple[float, float], list[str]] = {}
    for label, spot in points.items():
        spots.setdefault(spot, []).append(label)
    rows = (11, -11, 27, -27)  # heights of labels over and under their dots, in points
    taken = dict.fromkeys(rows, (-1e9, 0.0))  # where the last label of each row ends, and its recall
    for (p, r), labels in sorted(spots.items()):
        axes.plot(p, r, "o", color=COLORS[0], clip_on=False, zorder=4)
        text = ", ".join(labels)
        x, half = p * 320, 3.5 * len(text) + 2
        free = [row for row in rows if x - half > taken[row][0] or abs(r - taken[row][1]) > 0.2]
        row = (free or rows)[0]
        taken[row] = (x + half, r)
        leader = {"arrowstyle": "-", "color": GRAY, "linewidth": 0.6} if abs(row) > 11 else None
        box = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
        _note(axes, text, (p, r), (0, row), ha="center", va="center", bbox=box, arrowprops=leader)
    axes.set(xlim=(0, 1.08), ylim=(0, 1.16), xlabel="precision", ylabel="recall")
    words = ", ".join(f"{label} ({p:.2f}, {r:.2f})" for label, (p, r) in points.items())
    return _picture(figure, f"{title}. (precision, recall): {words}.")


@_styled
def heat_table(
    title: str, rows: Texts, columns: Texts, values: Sequence[Numbers], form: str = ".2f"
) -> Picture:
    """Draw a table whose cells are darker the higher the value, from 0 to 1, each with its number."""
    width = 1.6 + 1.1 * len(columns) + 0.09 * max(map(len, rows))
    figure, axes = _canvas(max(width, 0.09 * len(title)), 1.15 + 0.36 * len(rows), title)
    shades = axes.imshow(values, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            ink = _ink(shades.to_rgba(value))
            axes.text(j, i, f"{value:{form}}", ha="center", va="center", color=ink)
    _as_table(axes, title, rows, columns)
    words = _words(columns, zip(rows, values, strict=True), form)
    return _picture(figure, f"{title}. {'; '.join(words)}.")


@_styled
def dumbbell(title: str, labels: Texts, names: tuple[str, str], first: Numbers, second: Numbers) -> Picture:
    """Draw two values of each label as two marks joined by a line: where they disagree, the line is long."""
    figure, axes = _canvas(7, 1.1 + 0.36 * len(labels), title)
    axes.hlines(range(len(labels)), first, second, color=GRAY, linewidth=1.5, zorder=1)
    for n, (name, values, mark, size) in enumerate(zip(names, (first, second), "oD", (9, 7), strict=True)):
        axes.plot(values, range(len(labels)), mark, color=_color(name, n), markersize=size, label=name)
    axes.set_yticks(range(len(labels)), labels)
    axes.set(ylim=(len(labels) - 0.5, -0.5), xlim=(-0.03, 1.03), xlabel="score")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    words = [f"{x} {a:.2f} and {b:.2f}" for x, a, b in zip(labels, first, second, strict=True)]
    return _picture(figure, f"{title}. {names[0]} and {names[1]}: {', '.join(words)}.")


@_styled
def lcs_grid(
    title: str, first: Texts, second: Texts, table: Sequence[Sequence[int]], path: Sequence[tuple[int, int]]
) -> Picture:
    """Draw the table of longest common subsequences, one marked and the walk to it tinted.

    The walk goes back from the last cell as `lcs_path` does: diagonally from a marked cell, else to the
    larger neighbor, up on a tie.
    """
    figure, axes = _canvas(1.6 + 0.75 * (len(second) + 1), 1.2 + 0.42 * (len(first) + 1), title)
    marked = {(i + 1, j + 1) for i, j in path}
    fill, i, j = dict.fromkeys(marked, COLORS[1]), len(first), len(second)
    while i and j:
        if (i, j) in marked:
            i, j = i - 1, j - 1
            continue
        fill[i, j] = TINT
        i, j = (i - 1, j) if table[i - 1][j] >= table[i][j - 1] else (i, j - 1)
    for (i, j), color in fill.items():
        axes.add_patch(mpl.patches.Rectangle((j - 0.5, i - 0.5), 1, 1, color=color))
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            weight = "bold" if (i, j) in marked else "normal"
            axes.text(j, i, str(value), ha="center", va="center", weight=weight)
    axes.set(xlim=(-0.5, len(second) + 0.5), ylim=(len(first) + 0.5, -0.5))
    _as_table(axes, title, ["", *first], ["", *second])
    words = " ".join(first[i] for i, _ in path) or "nothing"
    return _picture(figure, f"{title}. The last cell holds {table[-1][-1]}; the marked cells spell: {words}.")


@_styled
def overlap(title: str, rows: Mapping[str, Sequence[tuple[str, bool]]]) -> Picture:
    """Draw each text as a row of tokens; a token that the other text shares is filled, the others are not."""
    letter, gap = 0.08, 0.2  # inches: a letter of the monospaced font as it is drawn; between two tokens
    longest = max(sum(len(token) * letter + gap for token, _ in row) for row in rows.values())
    margin = 0.2 + 0.085 * max(map(len, rows))  # the names of the rows stand in it
    width, height = margin + max(longest, 0.09 * len(title)) + 0.1, 0.4 + 0.36 * len(rows)
    figure, axes = _canvas(width, height, title)
    figure.set_layout_engine("none")  # one unit of x is one inch, so that the gaps are even
    axes.set_position((margin / width, 0.0, 1 - margin / width, 1 - 0.4 / height))
    for y, tokens in enumerate(rows.values()):
        x = gap / 2
        for token, shared in tokens:
            box = {"boxstyle": "round", "facecolor": COLORS[4] if shared else "white", "edgecolor": GRAY}
            axes.text(x, y, token, family="DejaVu Sans Mono", fontsize=9, va="center", bbox=box)
            x += len(token) * letter + gap
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set(xlim=(0, width - margin), ylim=(len(rows) - 0.5, -0.5), xticks=[])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    words = []
    for name, row in rows.items():
        line = " ".join(f"[{token}]" if shared else token for token, shared in row)
        words.append(f"{name}, {sum(shared for _, shared in row)} of {len(row)} shared: {line}")
    return _picture(figure, f"{title}. Shared tokens in brackets. {'; '.join(words)}.")
