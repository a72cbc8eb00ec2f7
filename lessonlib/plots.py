"""Every figure of the lessons: a PNG on white, and a sentence with the same numbers under it.

Each function takes plain values and returns a Picture. In a notebook it shows the image, legible on a dark
theme as a white card, and prints its description, which a screen reader reads and a test compares. Nothing
here computes a score.
"""

import io
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, NamedTuple, ParamSpec

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

# Okabe and Ito's colours, told apart by most people; every figure also says in text what a colour means.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
DARK = (0, 5)  # places of the colours that need white writing
GREY = "#666666"
PALE = "#CFCFCF"
TINT = "#FBE7C0"  # a light second colour
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

        display({"image/png": self.png, "text/plain": self.description}, raw=True)
        # A notebook page breaks a long line anywhere; this breaks it between words.
        print(textwrap.fill(self.description, 90, break_long_words=False, break_on_hyphens=False))


Arguments = ParamSpec("Arguments")


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
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return Picture(buffer.getvalue(), description)


def _pairs(labels: Sequence[str], values: Sequence[float | None], form: str) -> str:
    pairs = zip(labels, values, strict=True)
    return ", ".join(f"{label} {value:{form}}" for label, value in pairs if value is not None)


@_styled
def bars(
    title: str,
    labels: Sequence[str],
    series: Mapping[str, Sequence[float | None]],
    form: str = ".2f",
    limit: float | None = None,
    stacked: bool = False,
    axis: str = "",
    pale: str = "",
) -> Picture:
    """Draw horizontal bars, one group a label and one bar a series, each with its value written on it.

    `limit` fixes the right end of the axis (1 for scores); `form` formats the values. With `stacked`, the
    series of one label stand end to end. A label that a series does not have (None) gets no bar from it.
    `axis` says below the axis what it counts; the series named `pale` is light gray, as background.
    """
    told = [f"{name}: {_pairs(labels, values, form)}" for name, values in series.items()]
    bars_of = [sum(values[i] is not None for values in series.values()) for i in range(len(labels))]
    most = max([1, *bars_of])
    thick = 0.8 if stacked else 0.8 / most
    figure, axes = _canvas(7, 0.9 + len(labels) * (0.4 if stacked else 0.2 + 0.24 * most), title)
    left, drawn_of = [0.0] * len(labels), [0] * len(labels)
    for n, (name, values) in enumerate(series.items()):
        held = [(i, value) for i, value in enumerate(values) if value is not None]
        places = [i if stacked else i + (drawn_of[i] - (bars_of[i] - 1) / 2) * thick for i, _ in held]
        lengths, starts = [value for _, value in held], [left[i] for i, _ in held]
        colour = PALE if name == pale else COLOURS[n % 6]
        drawn = axes.barh(places, lengths, thick * 0.92, left=starts, color=colour, label=name)
        texts = [f"{value:{form}}" if value or not stacked else "" for value in lengths]
        inside = "center" if stacked else "edge"
        ink = "white" if stacked and n % 6 in DARK and name != pale else "black"
        axes.bar_label(drawn, texts, label_type=inside, padding=0 if stacked else 3, fontsize=9, color=ink)
        for i, value in held:
            drawn_of[i] += 1
            left[i] += value if stacked else 0
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlabel(axis)
    if limit is not None:
        axes.set_xlim(0, limit * 1.12)
    if len(series) > 1:
        figure.legend(loc="outside lower center", ncols=len(series), frameon=False, fontsize=9)
    return _picture(figure, f"{title}. {'; '.join(told)}.")


@_styled
def waterfall(title: str, labels: Sequence[str], totals: Sequence[int], out_of: int) -> Picture:
    """Draw how a count grows step by step: each bar starts where the one before ended."""
    figure, axes = _canvas(7, 3.2, title)
    before = 0
    for i, total in enumerate(totals):
        axes.bar(i, total - before, bottom=before, color=COLOURS[0] if i else GREY, width=0.7)
        if total == before:
            axes.plot([i - 0.35, i + 0.35], [total, total], color=COLOURS[0], linewidth=2)
        gained = f"{total - before:+d}" if i else ""
        words = f"{total}/{out_of}\n{gained}".strip()
        axes.annotate(
            words, (i, total), (0, 3), textcoords="offset points", ha="center", va="bottom", fontsize=9
        )
        before = total
    axes.set_xticks(range(len(labels)), labels)
    axes.set_ylim(0, out_of + 0.9)
    axes.set_yticks(range(0, out_of + 1, 2))
    told = ", ".join(f"{label} {total}/{out_of}" for label, total in zip(labels, totals, strict=True))
    return _picture(figure, f"{title}. {told}.")


@_styled
def curve(
    title: str,
    axes_names: tuple[str, str],
    xs: Sequence[float],
    ys: Sequence[float],
    points: Mapping[str, tuple[float, float]],
    dots: bool = False,
) -> Picture:
    """Draw a curve with a few labelled points on it; the points are what the description tells.

    With `dots` each x stands alone, unjoined: for counts, between which there is nothing.
    """
    figure, axes = _canvas(7, 3.2, title)
    axes.plot(xs, ys, "o" if dots else "-", color=COLOURS[0], markersize=3.5)
    rising = ys[-1] > ys[0]  # then the room is below the curve
    for n, (label, (x, y)) in enumerate(points.items()):
        axes.plot([x], [y], "o", color=COLOURS[5])
        last = x > xs[0] + 0.9 * (xs[-1] - xs[0])  # its label would stand out past the axis
        place = (6 if not last else 0, -12 if rising else 8 if n % 2 else 14)
        axes.annotate(
            f"{label}: {y:.2f}",
            (x, y),
            place,
            textcoords="offset points",
            fontsize=9,
            ha="right" if last else "left",
        )
    axes.set_xlabel(axes_names[0])
    axes.set_ylabel(axes_names[1])
    axes.set_ylim(0, max(ys) * 1.15 or 1)
    told = ", ".join(f"{label} {y:.2f} at {x:g}" for label, (x, y) in points.items())
    return _picture(figure, f"{title}. {axes_names[1]} against {axes_names[0]}: {told}.")


@_styled
def precision_recall_plane(title: str, points: Mapping[str, tuple[float, float]]) -> Picture:
    """Draw (precision, recall) of each labelled answer on a plane with lines of equal F1."""
    figure, axes = _canvas(6, 4.8, title)
    for f1 in (0.2, 0.4, 0.6, 0.8):
        # F1 = 2PR / (P + R) solved for recall, over the precisions for which recall is at most 1
        precisions = [f1 / (2 - f1) + i * (1 - f1 / (2 - f1)) / 100 for i in range(101)]
        recalls = [f1 * p / (2 * p - f1) for p in precisions]
        axes.plot(precisions, recalls, color=GREY, linewidth=0.8, linestyle="--")
        axes.annotate(
            f"F1 {f1}", (1.0, recalls[-1]), (3, 0), textcoords="offset points", fontsize=8, va="center"
        )
    spots: dict[tuple[float, float], list[str]] = {}
    for label, spot in points.items():
        spots.setdefault(spot, []).append(label)
    rows = (11, -11, 27, -27)  # heights of labels over and under their dots, in points
    taken = dict.fromkeys(rows, (-1e9, 0.0))  # where the last label of each row ends, and its recall
    for (p, r), labels in sorted(spots.items()):
        axes.plot(p, r, "o", color=COLOURS[0], clip_on=False, zorder=4)
        text = ", ".join(labels)
        x, half = p * 320, 3.5 * len(text) + 2
        free = [row for row in rows if x - half > taken[row][0] or abs(r - taken[row][1]) > 0.2]
        row = (free or rows)[0]
        taken[row] = (x + half, r)
        axes.annotate(
            text,
            (p, r),
            (0, row),
            textcoords="offset points",
            fontsize=9,
            ha="center",
            va="center",
            bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"},
            arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.6} if abs(row) > 11 else None,
        )
    axes.set(xlim=(0, 1.08), ylim=(0, 1.16), xlabel="precision", ylabel="recall")
    told = ", ".join(f"{label} ({p:.2f}, {r:.2f})" for label, (p, r) in points.items())
    return _picture(figure, f"{title}. (precision, recall): {told}.")


@_styled
def heat_table(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float]],
    form: str = ".2f",
    high: float = 1.0,
) -> Picture:
    """Draw a table whose cells are darker the higher the value, from 0 to `high`, each with its number."""
    width = 1.6 + 1.1 * len(columns) + 0.09 * max(map(len, rows))
    figure, axes = _canvas(max(width, 0.09 * len(title)), 1.15 + 0.36 * len(rows), title)
    axes.imshow(values, cmap="Blues", vmin=0, vmax=high, aspect="auto")
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            ink = "white" if value > 0.6 * high else "black"
            axes.text(j, i, f"{value:{form}}", ha="center", va="center", color=ink)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    axes.set_title(title, loc="left", pad=14)  # clear of the column names
    told = [f"{name}: {_pairs(columns, row, form)}" for name, row in zip(rows, values, strict=True)]
    return _picture(figure, f"{title}. {'; '.join(told)}.")


@_styled
def dumbbell(
    title: str, labels: Sequence[str], names: tuple[str, str], first: Sequence[float], second: Sequence[float]
) -> Picture:
    """Draw two values of each label as two marks joined by a line: where they disagree, the line is long."""
    figure, axes = _canvas(7, 1.1 + 0.36 * len(labels), title)
    axes.hlines(range(len(labels)), first, second, color=GREY, linewidth=1.5, zorder=1)
    axes.plot(first, range(len(labels)), "o", color=COLOURS[0], markersize=9, label=names[0], linestyle="")
    axes.plot(second, range(len(labels)), "D", color=COLOURS[1], markersize=7, label=names[1], linestyle="")
    axes.set_yticks(range(len(labels)), labels)
    axes.set(ylim=(len(labels) - 0.5, -0.5), xlim=(-0.03, 1.03))
    axes.set_xlabel("score")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    told = [f"{x} {a:.2f} and {b:.2f}" for x, a, b in zip(labels, first, second, strict=True)]
    return _picture(figure, f"{title}. {names[0]} and {names[1]}: {', '.join(told)}.")


@_styled
def lcs_grid(
    title: str,
    first: Sequence[str],
    second: Sequence[str],
    table: Sequence[Sequence[int]],
    path: Sequence[tuple[int, int]],
) -> Picture:
    """Draw the table of longest common subsequences, one subsequence marked and the walk to it tinted.

    The walk goes back from the last cell as `lcs_path` does: diagonally from a marked cell, else to the
    larger neighbor, up on a tie.
    """
    figure, axes = _canvas(1.6 + 0.75 * (len(second) + 1), 1.2 + 0.42 * (len(first) + 1), title)
    axes.set_title(title, loc="left", pad=14)  # clear of the column names
    marked = {(i + 1, j + 1) for i, j in path}
    fill, i, j = dict.fromkeys(marked, COLOURS[1]), len(first), len(second)
    while i and j:
        if (i, j) in marked:
            i, j = i - 1, j - 1
            continue
        fill[i, j] = TINT
        if table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    for (i, j), colour in fill.items():
        axes.add_patch(mpl.patches.Rectangle((j - 0.5, i - 0.5), 1, 1, color=colour))
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            on_path = (i, j) in marked
            weight = "bold" if on_path else "normal"
            axes.text(j, i, str(value), ha="center", va="center", weight=weight)
    axes.set_xlim(-0.5, len(second) + 0.5)
    axes.set_ylim(len(first) + 0.5, -0.5)
    axes.set_xticks(range(len(second) + 1), ["", *second])
    axes.set_yticks(range(len(first) + 1), ["", *first])
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    words = " ".join(first[i] for i, _ in path) or "nothing"
    size = table[-1][-1]
    return _picture(figure, f"{title}. The last cell holds {size}; the marked cells spell: {words}.")


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
            box = {"boxstyle": "round", "facecolor": COLOURS[4] if shared else "white", "edgecolor": GREY}
            axes.text(x, y, token, family="DejaVu Sans Mono", fontsize=9, va="center", bbox=box)
            x += len(token) * letter + gap
    axes.set_xlim(0, width - margin)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    told = []
    for name, row in rows.items():
        words = " ".join(f"[{token}]" if shared else token for token, shared in row)
        told.append(f"{name}, {sum(shared for _, shared in row)} of {len(row)} shared: {words}")
    return _picture(figure, f"{title}. Shared tokens in brackets. {'; '.join(told)}.")
