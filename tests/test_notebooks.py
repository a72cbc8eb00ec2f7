"""What nbval does not see: never-run cells, lost images, editions out of step, numbers nobody printed."""

import base64
import io
import re

import nbformat
import pytest
from lesson_files import ROOT, SOLUTIONS, STUDENT, read
from matplotlib.image import imread

from lessonlib.authoring import CELL_METADATA, KERNEL, MARK, edited, student_edition
from lessonlib.exercises import exercises_of

ALL = [*STUDENT, *SOLUTIONS]
IDS = [str(path.relative_to(ROOT / "notebooks")) for path in ALL]
FRAME = [
    "You will",
    "## Check yourself",
    "## Exercises",
    "## Summary",
    "## Key concepts",
    "## Where this metric stops",
]
# A path of some machine, an address in memory, a key.
LOCAL = re.compile(r"/(home|Users|root|tmp|work)/|\bat 0x[0-9a-f]{6,}|sk-ant-")
# Where dollar signs are no accident: fences, code spans, code elements, a formula on a line of its own.
NO_FORMULA = re.compile(r"```.*?```|(`+)(?!`).*?(?<!`)\1(?!`)|<code>.*?</code>|^\$\$[^\n]+\$\$$", re.S | re.M)
LABEL = r"Q?\d(?:\.\d|[a-z])"  # an exercise, a gap or a question
DECIMAL = re.compile(r"(?<![\w.])(\d*\.\d{2,})(?![\w.]*\d)")


@pytest.fixture(params=ALL, ids=IDS)
def path(request):
    return request.param


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def printed(cell):
    """Return everything a cell shows as text."""
    parts = [output.get("text", "") for output in cell.outputs]
    for output in cell.outputs:
        parts += [text for kind, text in output.get("data", {}).items() if kind.startswith("text/")]
    return "\n".join(parts)


def test_both_editions_hold_the_same_lessons():
    assert [path.name for path in STUDENT] == [path.name for path in SOLUTIONS]
    assert STUDENT


def test_was_run_from_top_to_bottom_in_one_go(path):
    notebook = read(path)
    nbformat.validate(notebook)
    assert [cell.execution_count for cell in code(notebook)] == list(range(1, len(code(notebook)) + 1))


def test_shows_no_error_no_stderr_and_nothing_of_a_machine(path):
    for cell in code(read(path)):
        assert not LOCAL.search(printed(cell)), cell.id
        for output in cell.outputs:
            assert output.output_type != "error", (cell.id, output.get("evalue"))
            assert output.get("name") != "stderr", (cell.id, output.get("text"))


def test_carries_only_the_metadata_it_needs(path):
    notebook = read(path)
    if path in STUDENT:
        assert not edited(notebook), "change the solutions edition, then build"
        del notebook.metadata[MARK]
    assert notebook.metadata == {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for cell in notebook.cells:
        assert set(cell.metadata) <= CELL_METADATA, cell.id
        assert re.fullmatch(r"[a-z0-9-]+", cell.id), f"not a readable id: {cell.id}"
    assert path.stat().st_size < 600_000


def test_no_cell_is_exempt_from_comparison(path):
    """Nothing in the notebook tells nbval to look away."""
    for cell in read(path).cells:
        assert "NBVAL" not in cell.source.upper(), cell.id
        assert not [
            tag for tag in cell.metadata.get("tags", []) if "nbval" in tag or tag == "raises-exception"
        ]


def test_every_figure_is_a_picture_with_its_words_beside_it(path):
    figures = 0
    for cell in code(read(path)):
        shown = [output for output in cell.outputs if "image/png" in output.get("data", {})]
        for output in shown:
            figures += 1
            assert ink(base64.b64decode(output.data["image/png"])) > 0.002, f"{cell.id}: an empty picture"
            words = output.data["text/plain"]
            assert re.search(r"\d", words), f"{cell.id}: a description without numbers"
            assert not words.startswith("<"), f"{cell.id}: {words}"
            streams = "".join(o.text for o in cell.outputs if o.output_type == "stream")
            assert words.split() == streams.split()[-len(words.split()) :], (
                f"{cell.id}: readers see no description"
            )
    assert figures >= 3


def ink(png):
    """Return the share of a PNG's pixels that are not white."""
    pixels = imread(io.BytesIO(png))
    return (pixels[..., :3] < 0.98).any(axis=-1).mean()


@pytest.mark.parametrize("path", SOLUTIONS, ids=[path.stem for path in SOLUTIONS])
def test_student_edition_is_what_the_solutions_edition_makes(path):
    made = student_edition(read(path), path.name)
    kept = read(ROOT / "notebooks" / path.name)
    for cell, other in zip(made.cells, kept.cells, strict=True):
        assert (cell.id, cell.cell_type, cell.source, cell.metadata) == (
            other.id,
            other.cell_type,
            other.source,
            other.metadata,
        )


@pytest.mark.parametrize("path", STUDENT, ids=[path.stem for path in STUDENT])
def test_student_edition_shows_no_solution_and_every_check_reads_not_attempted(path):
    assert "SOLUTION" not in path.read_text(encoding="utf-8")
    for cell in code(read(path)):
        if cell.metadata.get("nbgrader", {}).get("grade"):
            number = re.search(LABEL, cell.source)[0]
            assert cell.outputs[0].data["text/plain"] == f"{number}  not attempted"


@pytest.mark.parametrize("path", SOLUTIONS, ids=[path.stem for path in SOLUTIONS])
def test_solutions_edition_passes_every_check(path):
    for cell in code(read(path)):
        if cell.metadata.get("nbgrader", {}).get("grade"):
            assert "  passed" in printed(cell), cell.id


def test_every_exercise_of_the_table_stands_in_the_lesson_once(path):
    notebook = read(path)
    lesson = path.name[1]
    checks = [c.source for c in code(notebook) if c.metadata.get("nbgrader", {}).get("grade")]
    numbers = [re.fullmatch(rf'check\("({LABEL})", \w+\)', source)[1] for source in checks]
    assert sorted(numbers) == sorted(exercises_of(f"{lesson}.1"))
    headings = re.findall(r"^### Exercise (\d\.\d) · ", prose(notebook), re.M)
    assert headings == [number for number in numbers if re.fullmatch(r"\d\.\d", number)]
    assert 3 <= len(headings) <= 6
    answers = [c for c in code(notebook) if c.metadata.get("nbgrader", {}).get("solution")]
    assert len(answers) == len(checks)
    in_doses = sum(bool(exercises_of(number)[number].steps) for number in headings)
    assert in_doses + prose(notebook).count("<summary>Hint</summary>") >= len(headings)


def test_keeps_the_frame_and_small_cells(path):
    notebook = read(path)
    for heading in FRAME:
        assert heading in prose(notebook), heading
    sizes = sorted(
        len([line for line in cell.source.splitlines() if line.strip()]) for cell in code(notebook)
    )
    assert sizes[len(sizes) // 2] <= 6
    assert sizes[-1] <= 25


def test_every_decimal_in_prose_is_printed_by_a_cell(path):
    notebook = read(path)
    shown = "\n".join(printed(cell) for cell in code(notebook))
    known = set(re.findall(r"\d*\.\d+", shown)) | set(
        re.findall(r"\d*\.\d+", "\n".join(c.source for c in code(notebook)))
    )
    for number in DECIMAL.findall(prose(notebook)):
        assert number in known, f"no cell prints {number}"


def test_no_price_is_typeset_as_a_formula(path):
    """JupyterLab takes what stands between two dollar signs for mathematics, in Markdown and in HTML."""
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            assert "$" not in NO_FORMULA.sub("", cell.source), f"{cell.id}: write `$25`, not $25"
            continue
        for shown in (output.get("data", {}).get("text/html", "") for output in cell.outputs):
            assert shown.count("$") < 2 or 'class="mathjax_ignore' in shown, cell.id


def test_links_between_lessons_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#:]+\.ipynb)\)", prose(read(path))):
        assert (path.parent / target).exists(), target
