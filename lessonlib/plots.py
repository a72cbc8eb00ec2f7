"""Every figure of the lessons: a PNG on white, and a sentence with the same numbers under it.

Each function takes plain values and returns a Picture. In a notebook it shows the image, legible on a dark
theme as a white card, and prints its description, which a screen reader reads and a test compares. Nothing
here computes a score.
"""

import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

# Okabe and Ito's colours, told apart by most people; every figure also says in text what a colour means.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
DARK = (0, 5)  # places of the colours that need white writing
GREY = "#666666"
STYLE = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
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
        print(self.description)


def _canvas(width: float, height: float, title: str) -> tuple[Figure, Any]:
    with mpl.rc_context(STYLE):
        figure = Figure(
            figsize=(width, height), dpi=100, layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1)
        )
        axes = figure.add_subplot()
        axes.set_title(title, loc="left")
    return figure, axes


def _picture(figure: Figure, description: str) -> Picture:
    buffer = io.BytesIO()
    with mpl.rc_context(STYLE):
        figure.savefig(buffer, format="png", metadata={"Software": None})
    return Picture(buffer.getvalue(), description)


def _pairs(labels: Sequence[str], values: Sequence[float], form: str) -> str:
    return ", ".join(f"{label} {value:{form}}" for label, value in zip(labels, values, strict=True))


def bars(
    title: str,
    labels: Sequence[str],
    series: Mapping[str, Sequence[float]],
    form: str = ".2f",
    limit: float | None = None,
    stacked: bool = False,
) -> Picture:
    """Draw horizontal bars, one group a label and one bar a series, each with its value written on it.

    `limit` fixes the right end of the axis (1 for scores); `form` formats the values. With `stacked`, the
    series of one label stand end to end.
    """
    thick = 0.8 if stacked else 0.8 / len(series)
    figure, axes = _canvas(7, 0.9 + len(labels) * (0.4 if stacked else 0.2 + 0.24 * len(series)), title)
    left = [0.0] * len(labels)
    for n, (name, values) in enumerate(series.items()):
        places = [i if stacked else i + (n - (len(series) - 1) / 2) * thick for i in range(len(labels))]
        drawn = axes.barh(places, values, thick * 0.92, left=left, color=COLOURS[n % 6], label=name)
        texts = [f"{value:{form}}" if value or not stacked else "" for value in values]
        inside = "center" if stacked else "edge"
        ink = "white" if stacked and n % 6 in DARK else "black"
        axes.bar_label(drawn, texts, label_type=inside, padding=0 if stacked else 3, fontsize=9, color=ink)
        if stacked:
            left = [start + value for start, value in zip(left, values, strict=True)]
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    if limit is not None:
        axes.set_xlim(0, limit * 1.12)
    if len(series) > 1:
        figure.legend(loc="outside lower center", ncols=len(series), frameon=False, fontsize=9)
    told = [f"{name}: {_pairs(labels, values, form)}" for name, values in series.items()]
    return _picture(figure, f"{title}. {'; '.join(told)}.")


def waterfall(title: str, labels: Sequence[str], totals: Sequence[int], out_of: int) -> Picture:
    """Draw how a count grows step by step: each bar starts where the one before ended."""
    figure, axes = _canvas(7, 3.2, title)
    before = 0
    for i, total in enumerate(totals):
        axes.bar(i, total - before, bottom=before, color=COLOURS[0] if i else GREY, width=0.7)
        if total == before:
            axes.plot([i - 0.35, i + 0.35], [total, total], color=COLOURS[0], linewidth=2)
        gained = f"+{total - before}" if i else ""
        axes.annotate(f"{total}/{out_of}\n{gained}".strip(), (i, total), ha="center", va="bottom", fontsize=9)
        before = total
    axes.set_xticks(range(len(labels)), labels)
    axes.set_ylim(0, out_of + 0.9)
    axes.set_yticks(range(0, out_of + 1, 2))
    told = ", ".join(f"{label} {total}/{out_of}" for label, total in zip(labels, totals, strict=True))
    return _picture(figure, f"{title}. {told}.")


def curve(
    title: str,
    axes_names: tuple[str, str],
    xs: Sequence[float],
    ys: Sequence[float],
    points: Mapping[str, tuple[float, float]],
) -> Picture:
    """Draw a curve with a few labelled points on it; the points are what the description tells."""
    figure, axes = _canvas(7, 3.2, title)
    axes.plot(xs, ys, color=COLOURS[0])
    for n, (label, (x, y)) in enumerate(points.items()):
        axes.plot([x], [y], "o", color=COLOURS[5])
        axes.annotate(
            f"{label}: {y:.2f}", (x, y), (6, 8 if n % 2 else 14), textcoords="offset points", fontsize=9
        )
    axes.set_xlabel(axes_names[0])
    axes.set_ylabel(axes_names[1])
    axes.set_ylim(0, max(ys) * 1.15)
    told = ", ".join(f"{label} {y:.2f} at {x:g}" for label, (x, y) in points.items())
    return _picture(figure, f"{title}. {axes_names[1]} against {axes_names[0]}: {told}.")


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
    for n, (spot, labels) in enumerate(spots.items()):
        axes.plot(*spot, "o", color=COLOURS[0], clip_on=False, zorder=3)
        offset = (0, 8) if n % 2 else (0, -14)
        axes.annotate(", ".join(labels), spot, offset, textcoords="offset points", fontsize=9, ha="center")
    axes.set(xlim=(0, 1.08), ylim=(0, 1.12), xlabel="precision", ylabel="recall")
    told = ", ".join(f"{label} ({p:.2f}, {r:.2f})" for label, (p, r) in points.items())
    return _picture(figure, f"{title}. (precision, recall): {told}.")


def heat_table(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float]],
    form: str = ".2f",
    high: float = 1.0,
) -> Picture:
    """Draw a table whose cells are darker the higher the value, from 0 to `high`, each with its number."""
    figure, axes = _canvas(1.6 + 1.1 * len(columns) + 0.09 * max(map(len, rows)), 1 + 0.36 * len(rows), title)
    axes.imshow(values, cmap="Blues", vmin=0, vmax=high, aspect="auto")
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            ink = "white" if value > 0.6 * high else "black"
            axes.text(j, i, f"{value:{form}}", ha="center", va="center", color=ink)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    told = [f"{name}: {_pairs(columns, row, form)}" for name, row in zip(rows, values, strict=True)]
    return _picture(figure, f"{title}. {'; '.join(told)}.")


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


def lcs_grid(
    title: str,
    first: Sequence[str],
    second: Sequence[str],
    table: Sequence[Sequence[int]],
    path: Sequence[tuple[int, int]],
) -> Picture:
    """Draw the table of longest common subsequences, with the cells of one subsequence marked."""
    figure, axes = _canvas(1.6 + 0.75 * (len(second) + 1), 1.1 + 0.42 * (len(first) + 1), title)
    marked = {(i + 1, j + 1) for i, j in path}
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            on_path = (i, j) in marked
            if on_path:
                axes.add_patch(mpl.patches.Rectangle((j - 0.5, i - 0.5), 1, 1, color=COLOURS[1]))
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


def overlap(title: str, rows: Mapping[str, Sequence[tuple[str, bool]]]) -> Picture:
    """Draw each text as a row of tokens; a token that the other text shares is filled, the others are not."""
    longest = max(sum(len(token) + 2 for token, _ in row) for row in rows.values())
    figure, axes = _canvas(max(4.0, 0.095 * longest + 1.2), 0.8 + 0.5 * len(rows), title)
    for y, tokens in enumerate(rows.values()):
        x = 0
        for token, shared in tokens:
            box = {"boxstyle": "round", "facecolor": COLOURS[4] if shared else "white", "edgecolor": GREY}
            axes.text(x, y, token, family="DejaVu Sans Mono", fontsize=9, va="center", bbox=box)
            x += len(token) + 2
    axes.set_xlim(-1, longest)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    told = [f"{name}: {' '.join(f'[{t}]' if on else t for t, on in row)}" for name, row in rows.items()]
    return _picture(figure, f"{title}. Shared tokens in brackets. {'; '.join(told)}.")
