"""Every figure: a PNG that is not blank, the same bytes each time, and a description with its numbers."""

import hashlib
import inspect
import io
import subprocess
import sys

import matplotlib as mpl
import pytest
from matplotlib.image import imread

from lessonlib import plots

# Of each figure: arguments, what its description says, and the place and value that another picture has.
TABLE = [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 1, 2]]
TOKENS = {"answer": [("it", False), ("costs", True)], "reference": [("costs", True)]}
EXAMPLES = {
    plots.bars: (
        ("Scores", ["run 1", "run 2"], {"F1": [0.44, 0.5], "ROUGE-L": [0.421, 1]}, ".2f", 1.0),
        ["F1: run 1 0.44, run 2 0.50", "ROUGE-L: run 1 0.42, run 2 1.00"],
        (2, {"F1": [0.44, 0.5], "ROUGE-L": [0.421, 0.9]}),
    ),
    plots.stack: (
        ("Falls", ["strict", "loose"], {"pass": [3, 5], "fail": [2, 0]}, "replies", "fail"),
        ["pass: strict 3, loose 5", "fail: strict 2, loose 0"],
        (2, {"pass": [3, 4], "fail": [2, 0]}),
    ),
    plots.waterfall: (
        ("Steps", ["raw", "lower", "strip"], [2, 5, 5], 8),
        ["raw 2/8, lower 5/8, strip 5/8"],
        (2, [2, 5, 6]),
    ),
    plots.curve: (
        ("Length", ("tokens", "F1"), [1, 2, 3], [1.0, 0.667, 0.5], {"q1": (3, 0.5), "q2": (1, 1.0)}),
        ["F1 against tokens", "q1 0.50 at 3, q2 1.00 at 1"],
        (4, {"q1": (2, 0.667), "q2": (1, 1.0)}),
    ),
    plots.precision_recall_plane: (
        ("Plane", {"q1": (0.091, 1.0), "q2": (0.5714, 1.0), "q3": (0.5714, 1.0)}),
        ["(precision, recall)", "q1 (0.09, 1.00), q2 (0.57, 1.00), q3 (0.57, 1.00)"],
        (1, {"q1": (0.2, 1.0), "q2": (0.5714, 1.0), "q3": (0.5714, 1.0)}),
    ),
    plots.heat_table: (
        ("Heat", ["q1", "q2"], ["EM", "F1"], [[0, 0.17], [1, 0.731]]),
        ["q1: EM 0.00, F1 0.17", "q2: EM 1.00, F1 0.73"],
        (3, [[0, 0.17], [1, 0.2]]),
    ),
    plots.dumbbell: (
        ("Two", ["q1", "q2"], ("F1", "ROUGE-L"), [0.2, 0.77], [0.4, 0.75]),
        ["F1 and ROUGE-L", "q1 0.20 and 0.40, q2 0.77 and 0.75"],
        (4, [0.4, 0.1]),
    ),
    plots.lcs_grid: (
        ("Grid", ["a", "b"], ["a", "x", "b"], TABLE, [(0, 0), (1, 2)]),
        ["The last cell holds 2", "spell: a b."],
        (4, [(0, 0)]),
    ),
    plots.overlap: (
        ("Tokens", TOKENS),
        ["answer", "it [costs]", "reference", ": [costs]"],
        (1, {"answer": [("it", True), ("costs", True)], "reference": [("costs", True)]}),
    ),
}
SHORT = {"name": "short", "n": 1090, "base_rate": 0.51, "agreement": 0.809, "low": 0.78, "high": 0.84}
EXAMPLES[plots.agreement] = (
    ("F1 and people", [SHORT, SHORT | {"name": "long", "agreement": 0.3, "low": 0.24, "high": 0.38}]),
    ["short (n = 1,090) 0.81 [0.78, 0.84], base rate 0.51", "long (n = 1,090) 0.30 [0.24, 0.38]"],
    (1, [SHORT, SHORT | {"name": "long", "agreement": 0.3, "low": 0.25, "high": 0.38}]),
)
FIGURES = pytest.mark.parametrize("draw", EXAMPLES, ids=lambda draw: draw.__name__)


def test_every_public_figure_has_an_example_here():
    public = {
        function
        for name, function in inspect.getmembers(plots, inspect.isfunction)
        if function.__module__ == plots.__name__ and not name.startswith("_")
    }
    assert public == set(EXAMPLES)


@FIGURES
def test_a_figure_is_a_picture_on_white_with_ink_and_the_same_bytes_twice(draw):
    arguments, words, _ = EXAMPLES[draw]
    picture = draw(*arguments)
    assert draw(*arguments) == picture
    assert picture.png.startswith(b"\x89PNG\r\n\x1a\n")
    pixels = imread(io.BytesIO(picture.png))  # rows of (red, green, blue, opacity), from 0 to 1
    height, width, channels = pixels.shape
    assert channels == 4
    assert 300 <= width <= 2000  # two pixels a point
    assert 160 <= height <= 2000
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge == 1).all()  # white and opaque
    assert (pixels[:, :, 3] == 1).all()
    assert (pixels[:, :, :3].max(axis=2) < 0.5).sum() > 200  # dark: the letters at least
    places = [picture.description.find(part) for part in (f"{arguments[0]}. ", *words)]
    assert places[0] == 0
    assert places == sorted(places), f"not all of {words} in {picture.description!r}"
    assert repr(picture) == picture.description
    assert picture.description.endswith(".")
    assert "\n" not in picture.description


@FIGURES
def test_a_figure_shows_its_numbers(draw):
    """Another value gives another picture and another description."""
    arguments, _, (place, value) = EXAMPLES[draw]
    picture, other = draw(*arguments), draw(*arguments[:place], value, *arguments[place + 1 :])
    assert other.png != picture.png
    assert other.description != picture.description


def test_whole_numbers_stand_unjoined():
    """Between counts there is nothing to draw."""
    rest = ("Length", ("tokens", "F1"))
    counts, line = (plots.curve(*rest, xs, [1.0, 0.5], {"q": (1, 1.0)}) for xs in ([1, 9], [1.0, 9.0]))
    assert counts.description == line.description
    assert counts.png != line.png


def test_writing_stands_out_on_every_color_and_a_thing_keeps_its_color():
    def luminance(color):
        rgb = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in mpl.colors.to_rgb(color)]
        return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), rgb, strict=True))

    shades = [mpl.colormaps["Blues"](step / 255) for step in range(256)]
    for color in (*plots.COLORS, plots.PALE, plots.TINT, *shades):
        low, high = sorted([luminance(color), luminance(plots._ink(color))])
        assert (high + 0.05) / (low + 0.05) >= 4.5, color
    assert plots._color("field credit", 1) == plots._color("equal weights", 0) != plots._color("other", 0)


def test_a_label_that_a_series_does_not_have_is_left_out():
    picture = plots.bars("Some", ["a", "b"], {"F1": [0.5, None], "EM": [0.25, 1.0]})
    assert picture.description == "Some. F1: a 0.50; EM: a 0.25, b 1.00."
    assert picture.png != plots.bars("Some", ["a", "b"], {"F1": [0.5, 0.0], "EM": [0.25, 1.0]}).png


def test_nothing_but_zeros_is_a_figure_too():
    assert "a 0.00" in plots.bars("Zero", ["a"], {"F1": [0.0]}).description
    assert "p 0.00 at 1" in plots.curve("Zero", ("x", "y"), [0, 1], [0, 0], {"p": (1, 0)}).description
    assert "b 0.00" in plots.heat_table("Zero", ["a"], ["b"], [[0]]).description
    assert "a 0.00 and 0.00" in plots.dumbbell("Zero", ["a"], ("x", "y"), [0], [0]).description
    assert "spell: nothing" in plots.lcs_grid("Zero", ["a"], ["b"], [[0, 0], [0, 0]], []).description
    assert "0/8" in plots.waterfall("Zero", ["a", "b"], [0, 0], 8).description


def test_dollars_are_text_and_no_formula():
    for words in ("$25 or $30", "$_$", r"\$ $\frac$", "a^b_c"):
        picture = plots.bars(words, [words], {words: [0.5], "other": [0.25]})
        assert picture.description == f"{words}. {words}: {words} 0.50; other: {words} 0.25."
    assert "[$25] $$" in plots.overlap("$", {"$": [("$25", True), ("$$", False)]}).description


def test_the_style_of_a_notebook_does_not_reach_the_figures():
    """White letters on our white card would be invisible."""
    plain = {draw: draw(*arguments).png for draw, (arguments, *_) in EXAMPLES.items()}
    with mpl.rc_context():
        mpl.style.use("dark_background")
        mpl.rcParams.update(
            {"font.size": 20, "savefig.dpi": 40, "savefig.bbox": "tight", "lines.linewidth": 9}
        )
        before = dict(mpl.rcParams)
        styled = {draw: draw(*arguments).png for draw, (arguments, *_) in EXAMPLES.items()}
        assert dict(mpl.rcParams) == before
    assert styled == plain


@pytest.mark.parametrize("values", [[0.1], [0.1, 0.2, 0.3], []])
def test_values_that_do_not_fit_their_labels_are_an_error(values):
    with pytest.raises(ValueError, match=r"."):
        plots.bars("Scores", ["a", "b"], {"F1": values})
    with pytest.raises(ValueError, match=r"."):
        plots.dumbbell("Two", ["a", "b"], ("x", "y"), [0.1, 0.2], values)


def test_in_a_notebook_the_picture_is_shown_and_its_words_are_printed(capsys, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, **more: shown.append((data, more)))
    picture = plots.bars("Scores", ["a"], {"F1": [0.5]})
    picture._ipython_display_()
    height, width, _ = imread(io.BytesIO(picture.png)).shape
    size = {"image/png": {"width": width // 2, "height": height // 2}}
    data = {"image/png": picture.png, "text/plain": "Scores. F1: a 0.50."}
    assert shown == [(data, {"raw": True, "metadata": size})]
    assert capsys.readouterr().out == "Scores. F1: a 0.50.\n"


def test_figures_need_no_pyplot_and_are_the_same_bytes_in_another_process():
    program = """
import hashlib, sys
from lessonlib import plots
picture = plots.dumbbell("Two", ["q1", "q2"], ("F1", "ROUGE-L"), [0.2, 0.77], [0.4, 0.75])
assert "matplotlib.pyplot" not in sys.modules
print(hashlib.sha256(picture.png).hexdigest())
"""
    here = hashlib.sha256(plots.dumbbell(*EXAMPLES[plots.dumbbell][0]).png).hexdigest()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == here
