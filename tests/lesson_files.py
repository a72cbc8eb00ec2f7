"""Read the lessons for tests: their paths, cells, and the functions that they build from scratch."""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[1]
STUDENT = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "notebooks" / "solutions").glob("*.ipynb"))


DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Try)


def _is_constant(statement: ast.stmt) -> bool:
    """Say whether a statement gives a value to a name in capitals."""
    return (
        isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id.isupper()
    )


def read(path: Path) -> Any:
    """Return a notebook."""
    return nbformat.read(path, as_version=4)


def functions(lesson: str, *names: str) -> dict[str, Callable[..., Any]]:
    """Return the functions that a lesson builds outside its exercises and gaps."""
    scope = _scope(lesson)
    return {name: scope[name] for name in names}


def _scope(lesson: str) -> dict[str, Any]:
    """Run a lesson's imports, constants and definitions; what shows or computes something is not run."""
    wanted: list[ast.stmt] = []
    for cell in read(ROOT / "notebooks" / "solutions" / f"{lesson}.ipynb").cells:
        if cell.cell_type == "code" and "nbgrader" not in cell.metadata:
            for statement in ast.parse(cell.source).body:
                if isinstance(statement, DEFINITIONS) or _is_constant(statement):
                    wanted.append(statement)
    scope: dict[str, Any] = {}
    exec(compile(ast.Module(wanted, []), lesson, "exec"), scope)
    return scope


def gaps(lesson: str, *names: str) -> dict[str, Callable[..., Any]]:
    """Return the reference solutions of a lesson's gaps, run with what the lesson imports and builds."""
    cells = read(ROOT / "notebooks" / "solutions" / f"{lesson}.ipynb").cells
    scope = _scope(lesson)
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            exec(cell.source, scope)
    return {name: scope[name] for name in names}


def wrong_answers(lesson: str) -> dict[str, list[tuple[str, str]]]:
    """Return the typical wrong answers of a lesson by exercise, each with the slip or words it must meet.

    In the file, "- what" begins an answer below the exercise's first line, "* what" one that stands alone.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    text = (ROOT / "tests" / "wrong_answers" / f"lesson{lesson}.md").read_text(encoding="utf-8")
    for block in re.split(r"^## ", text, flags=re.M)[1:]:
        head, *answers = re.split(r"^(?=[-*] )", block.rstrip(), flags=re.M)
        number, _, first = head.partition("\n")
        for answer in answers:
            what, _, source = answer[2:].partition("\n")
            whole = first + source if answer.startswith("- ") else source
            found.setdefault(number, []).append((what, whole))
    return found
