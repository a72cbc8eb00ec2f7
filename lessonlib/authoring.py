"""Solutions edition -> executed solutions edition and executed student edition, byte for byte the same twice.

Edit `notebooks/solutions/*.ipynb` only, then run `python -m lessonlib build`. What a plain re-run would
change (timestamps, execution counts, editor metadata, split streams) is normalized away.
"""

import hashlib
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from .exercises.checker import MIME
from .text import known

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
CELL_METADATA = {"nbgrader", "tags", "jupyter"}
FOLDED = {"outputs_hidden": True}  # JupyterLab unfolds such an output when the cell is run
TRUTH = re.compile(r"^truth\(", re.M)
MARK = "lessonlib"  # metadata of a student edition: the mark of its cells when they were built
STUB = "# your code here"  # nbgrader's own word for it: its release gives the same cells
SOLUTION = re.compile(r"^([ \t]*)### BEGIN SOLUTION\n.*?^[ \t]*### END SOLUTION[ \t]*$", re.M | re.S)
LEFT_OVER = re.compile(r"SOLUTION|(?i:\b(?:begin|end) solution\b)")
TIMEOUT = 120  # seconds a cell may take
# What an author's shell may set and a student's does not: live answers, nbgrader's run, start-up code.
FOREIGN = ("DOCENT_LIVE", "NBGRADER_EXECUTION", "PYTHONSTARTUP")


def build(
    notebooks: Path, lessons: Sequence[str] = (), write: bool = True, force: bool = False
) -> list[Path]:
    """Rebuild both editions of the named lessons (default: all) and return the paths whose bytes change.

    `write=False` only compares. A ValueError that names the lesson stops the build before that lesson is
    written: there is no solutions edition, an exercise is marked wrongly, a cell raises, a reference solution
    does not pass, or the student edition was edited since it was built (`force` overwrites it).
    """
    sources = {path.stem: path for path in sorted((notebooks / "solutions").glob("*.ipynb"))}
    if not sources:
        raise ValueError(f"{notebooks / 'solutions'} holds no notebooks: run this in a clone of the course")
    changed = []
    for source in [known("lesson", lesson, sources) for lesson in lessons or sources]:
        target = notebooks / source.name
        if write and not force and target.exists() and edited(read(target)):
            advice = f"edit {source} instead, or build with --force to lose the change"
            raise ValueError(f"{target}: edited since it was built; {advice}")
        solutions = read(source)
        student = student_edition(solutions, source.name)
        made = {}
        for path, notebook, status in ((source, solutions, "passed"), (target, student, "not attempted")):
            try:
                ran = normalize(judged(execute(notebook, path.parent), status))
                if path == target:
                    ran.metadata[MARK] = sources_mark(ran)
                made[path] = dump(ran).encode("utf-8")
            except (ValueError, nbformat.ValidationError) as error:
                raise ValueError(f"{path}: {error}".partition("\n")[0]) from error
        stale = [path for path, content in made.items() if not path.exists() or path.read_bytes() != content]
        for path in stale if write else []:
            path.write_bytes(made[path])
        changed += stale
    return changed


def read(path: Path) -> Any:
    """Return a notebook. One that is no JSON, or not fit to be built, is a ValueError that says why.

    Cells need ids of their own: nbformat would give them random ones, and no two builds would be alike. Marks
    are found by lines that end in a line feed alone, and grades by an id that only one cell has.
    """
    try:
        cells = json.loads(path.read_bytes())["cells"]
        ids = {cell.get("id") for cell in cells}
        marks = [cell["metadata"]["nbgrader"]["grade_id"] for cell in cells if "nbgrader" in cell["metadata"]]
        crlf = [cell["id"] for cell in cells if "\r" in "".join(cell["source"])]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: not a notebook ({type(error).__name__}: {error})") from None
    if len(ids) < len(cells) or None in ids:
        raise ValueError(f"{path}: every cell needs an id of its own")
    for mark, count in Counter(marks).items():
        if count > 1:
            raise ValueError(f"{path}: {count} cells have the grade id {mark!r}; a copy needs one of its own")
    if crlf:
        raise ValueError(f"{path}: cell {crlf[0]} has lines that end in CRLF; save it with LF line ends")
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.metadata.pop("jupyter", None)  # what an author folded away while at work
    return notebook


def sources_mark(notebook: Any) -> str:
    """Return a short mark of the sources of all cells, in order; outputs do not count."""
    sources = json.dumps([[cell.cell_type, cell.source] for cell in notebook.cells])
    return hashlib.sha256(sources.encode("ascii")).hexdigest()[:16]


def edited(student: Any) -> bool:
    """Say whether a cell of a student edition was changed, added or removed since a build made it."""
    return bool(student.metadata.get(MARK) != sources_mark(student))


def student_edition(solutions: Any, name: str = "notebook") -> Any:
    """Return a copy of a solutions notebook with each solution region replaced by a stub, not executed.

    The output of a cell that shows the truth about a guess is folded, so that a guess comes before it.
    A cell marked as a solution without a region, or a marker anywhere else, is a ValueError naming the cell.
    """
    student = nbformat.from_dict(solutions)
    for cell in student.cells:
        if cell.cell_type == "code":
            if cell.metadata.get("nbgrader", {}).get("solution"):
                cell.source, regions = SOLUTION.subn(rf"\1{STUB}", cell.source)
                if not regions:
                    raise ValueError(f"{name}: cell {cell.id} is a solution without BEGIN and END SOLUTION")
            if TRUTH.search(cell.source):
                cell.metadata["jupyter"] = FOLDED
            cell.outputs, cell.execution_count = [], None
        if LEFT_OVER.search(cell.source):
            raise ValueError(f"{name}: cell {cell.id} would show a solution to students")
    return student


def execute(notebook: Any, folder: Path) -> Any:
    """Run all cells of a notebook in a fresh kernel in `folder` and return it with its outputs.

    A cell that raises, runs too long or kills the kernel is a ValueError that names it. Answers are recorded
    ones, and exercises are checked as for a student, whatever the shell has set.
    """
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    started = ["(none)"]
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        on_cell_execute=lambda cell, cell_index: started.append(cell.id),  # noqa: ARG005
        resources={"metadata": {"path": str(folder)}},
    )
    with tempfile.TemporaryDirectory() as empty, open(os.devnull, "w", encoding="utf-8") as null:
        # An empty IPYTHONDIR: the author's own start-up files and settings are none of the lesson's.
        own = {name: text for name, text in os.environ.items() if name not in FOREIGN}
        own |= {"IPYTHONDIR": empty, "LESSONLIB_BUILD": "1"}  # the second: no student is at work
        try:
            client.execute(stderr=null, env=own)  # ipykernel remarks on its transport there
        except (CellExecutionError, DeadKernelError, TimeoutError) as error:
            reason = [getattr(error, "ename", type(error).__name__), getattr(error, "evalue", "")]
            text = ": ".join(filter(None, reason))
            raise ValueError(f"cell {started[-1]} stopped the run: {text}") from error
    return notebook


def judged(notebook: Any, status: str) -> Any:
    """Return an executed notebook whose checks all read `status`; else a ValueError that names the cell."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            results = [output.data[MIME] for output in cell.outputs if MIME in output.get("data", {})]
            if not results and cell.metadata.get("nbgrader", {}).get("grade"):
                raise ValueError(f"cell {cell.id} is graded, but shows the result of no check")
            for result in results:
                if result["status"] != status:
                    found = f"{result['exercise']} is {result['status']}: {result['message']}"
                    raise ValueError(f"cell {cell.id} should read {status}, but {found}".rstrip(": "))
    return notebook


def normalize(notebook: Any) -> Any:
    """Keep what the lesson is (sources, outputs, exercise marks, readable ids) and drop what a run adds."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in CELL_METADATA})
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = count
    nbformat.validate(notebook)
    return notebook


def dump(notebook: Any) -> str:
    """Return the text of a notebook file, with one newline at its end."""
    return str(nbformat.writes(notebook)) + "\n"
