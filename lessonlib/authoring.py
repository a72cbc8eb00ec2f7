"""Solutions edition -> executed solutions edition and executed student edition, byte for byte the same twice.

Edit `notebooks/solutions/*.ipynb` only, then run `python -m lessonlib build`. What a plain re-run would
change (timestamps, execution counts, editor metadata, split streams) is normalised away.
"""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from .text import known

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
CELL_METADATA = {"nbgrader", "tags"}
STUB = "# your code here"  # nbgrader's own word for it: its release gives the same cells
SOLUTION = re.compile(r"^([ \t]*)### BEGIN SOLUTION\n.*?^[ \t]*### END SOLUTION[ \t]*$", re.M | re.S)
LEFT_OVER = re.compile(r"SOLUTION|(?i:\b(?:begin|end) solution\b)")
TIMEOUT = 120  # seconds a cell may take


def build(notebooks: Path, lessons: Sequence[str] = (), write: bool = True) -> list[Path]:
    """Rebuild both editions of the named lessons (default: all) and return the paths whose bytes change.

    `write=False` only compares. A lesson without a solutions edition, one whose exercises are marked wrongly,
    and a cell that raises are a ValueError that names it, and stop the build.
    """
    sources = {path.stem: path for path in sorted((notebooks / "solutions").glob("*.ipynb"))}
    if not sources:
        raise ValueError(f"{notebooks / 'solutions'} holds no notebooks: run this in a clone of the course")
    changed = []
    for source in [known("lesson", lesson, sources) for lesson in lessons or sources]:
        solutions = read(source)
        student = student_edition(solutions, source.name)
        for path, notebook in ((source, solutions), (notebooks / source.name, student)):
            try:
                content = dump(normalise(execute(notebook, path.parent))).encode("utf-8")
            except (ValueError, nbformat.ValidationError) as error:
                raise ValueError(f"{path}: {error}".partition("\n")[0]) from error
            if not path.exists() or path.read_bytes() != content:
                changed.append(path)
                if write:
                    path.write_bytes(content)
    return changed


def read(path: Path) -> Any:
    """Return a notebook. One that is no JSON, or whose cells lack ids of their own, is a ValueError.

    nbformat would give such cells random ids, and no two builds would be alike.
    """
    try:
        cells = json.loads(path.read_bytes())["cells"]
        ids = {cell.get("id") for cell in cells}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: not a notebook ({type(error).__name__}: {error})") from None
    if len(ids) < len(cells) or None in ids:
        raise ValueError(f"{path}: every cell needs an id of its own")
    return nbformat.read(path, as_version=4)


def student_edition(solutions: Any, name: str = "notebook") -> Any:
    """Return a copy of a solutions notebook with each solution region replaced by a stub, not executed.

    A cell marked as a solution without a region, or a marker anywhere else, is a ValueError naming the cell.
    """
    student = nbformat.from_dict(solutions)
    for cell in student.cells:
        if cell.cell_type == "code":
            if cell.metadata.get("nbgrader", {}).get("solution"):
                cell.source, regions = SOLUTION.subn(rf"\1{STUB}", cell.source)
                if not regions:
                    raise ValueError(f"{name}: cell {cell.id} is a solution without BEGIN and END SOLUTION")
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
    here = {
        name: text for name, text in os.environ.items() if name not in ("DOCENT_LIVE", "NBGRADER_EXECUTION")
    }
    with open(os.devnull, "w", encoding="utf-8") as null:  # ipykernel remarks on its transport there
        try:
            client.execute(stderr=null, env=here)
        except (CellExecutionError, DeadKernelError, TimeoutError) as error:
            reason = [getattr(error, "ename", type(error).__name__), getattr(error, "evalue", "")]
            text = ": ".join(filter(None, reason))
            raise ValueError(f"cell {started[-1]} stopped the run: {text}") from error
    return notebook


def normalise(notebook: Any) -> Any:
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
