"""Solutions edition -> executed solutions edition and executed student edition, byte for byte the same twice.

Edit `notebooks/solutions/*.ipynb` only, then run `python -m lessonlib build`. What a plain re-run would
change (timestamps, execution counts, editor metadata, split streams) is normalised away.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from .text import known

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
CELL_METADATA = {"nbgrader", "tags"}
STUB = "# your code here"  # nbgrader's own word for it: its release gives the same cells
SOLUTION = re.compile(r"^([ \t]*)### BEGIN SOLUTION\n.*?^[ \t]*### END SOLUTION[ \t]*$", re.M | re.S)
TIMEOUT = 120  # seconds a cell may take


def build(notebooks: Path, lessons: Sequence[str] = (), write: bool = True) -> list[Path]:
    """Rebuild both editions of the named lessons (default: all) and return the paths whose bytes change.

    `write=False` only compares. A lesson without a solutions edition, or one whose exercises are marked
    wrongly, is a ValueError that names it; a cell that raises stops the build.
    """
    sources = {path.stem: path for path in sorted((notebooks / "solutions").glob("*.ipynb"))}
    if not sources:
        raise ValueError(f"{notebooks / 'solutions'} holds no notebooks: run this in a clone of the course")
    changed = []
    for source in [known("lesson", lesson, sources) for lesson in lessons or sources]:
        solutions = nbformat.read(source, as_version=4)
        student = student_edition(solutions, source.name)
        for path, notebook in ((source, solutions), (notebooks / source.name, student)):
            text = dump(normalise(execute(notebook, path.parent)))
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                changed.append(path)
                if write:
                    path.write_text(text, encoding="utf-8", newline="\n")
    return changed


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
        if "SOLUTION" in cell.source:
            raise ValueError(f"{name}: cell {cell.id} would show a solution to students")
    return student


def execute(notebook: Any, folder: Path) -> Any:
    """Run all cells of a notebook in a fresh kernel in `folder` and return it with its outputs."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    client = NotebookClient(
        notebook,
        timeout=TIMEOUT,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    with open(os.devnull, "w", encoding="utf-8") as null:  # ipykernel remarks on its transport there
        client.execute(stderr=null)
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
