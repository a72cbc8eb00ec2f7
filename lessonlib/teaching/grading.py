"""Grade a folder of notebooks: each answer is put into the clean student edition, and that is run.

What a student did to the rest of the notebook does not matter: a renamed file, lost metadata, a check cell
deleted, doubled or rewritten. The outcome is what `check` says in the clean edition, with its points.

It is no defense against a student who means to cheat: an answer runs with the rights of whoever grades (in a
process of its own, in an empty folder, without keys in its environment) and can rewrite the checker. One
that needs a name from a cell which the student added fails, since only answers are taken over.
"""

import asyncio
import csv
import io
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from ..exercises.checker import MIME
from ..exercises.guesses import MIME as GUESS_MIME

KEPT = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "PYTHONUTF8",
)
CHECK = re.compile(r"""check\(\s*["']([^"']+)["']""")
FIRST_NAME = re.compile(r"^(?:def\s+)?([A-Za-z_]\w*)\s*(?:\(|=)", re.M)
MAX_RUNS = 4  # an answer that kills the kernel is taken out, and the rest is run again


class Exercise(NamedTuple):
    """One exercise of a lesson: its number, its points, and the ids of its answer cell and its check cell."""

    number: str
    points: float
    answer: str
    check: str
    name: str


class Lesson(NamedTuple):
    """A student edition as it is handed out, and its exercises in order."""

    name: str
    notebook: Any
    exercises: list[Exercise]


class Grade(NamedTuple):
    """What one student reached in one lesson.

    `outcomes` maps an exercise's number to what `check` gave for programs (status, message, slip, HTML) where
    there was a result. `tries` and `guesses` come from the outputs that the student saved.
    """

    student: str
    lesson: str
    outcomes: dict[str, dict[str, Any]]
    points: float
    most: float
    note: str
    tries: dict[str, int]
    guesses: list[dict[str, Any]]


def grade(
    submissions: Path, lessons: Sequence[Path], seconds: int = 60, jobs: int = 1, progress: Any = iter
) -> list[Grade]:
    """Return one Grade a student (a folder in `submissions`) and lesson (a student edition), in that order.

    Every student gets a row for every lesson, whatever the notebook is like; `note` says what was odd.
    `seconds` is what a cell may take, `jobs` how many notebooks run at a time, and `progress` wraps the
    iterable of rows (a bar, say). No folder of students is a ValueError.
    """
    if not submissions.is_dir():
        raise ValueError(f"{submissions} is not a folder")
    students = sorted(
        path for path in submissions.iterdir() if path.is_dir() and not path.name.startswith(".")
    )
    if not students:
        raise ValueError(f"{submissions} holds no folder of a student")
    editions = [_lesson(path) for path in lessons]
    rows = [(student, edition) for student in students for edition in editions]
    with ThreadPoolExecutor(jobs) as pool:  # the work is done in kernels, each a process of its own
        return list(progress(pool.map(lambda row: _grade(row[0], row[1], seconds), rows)))


def _lesson(path: Path) -> Lesson:
    """Read a student edition; an exercise is a check cell and the answer cell before it."""
    notebook, exercises, answer = nbformat.read(path, as_version=4), [], None
    for cell in notebook.cells:
        mark = cell.metadata.get("nbgrader", {})
        answer = cell if mark.get("solution") else answer
        number = CHECK.search(cell.source)
        if mark.get("grade") and number and answer is not None:
            name = FIRST_NAME.search(answer.source)
            row = Exercise(number[1], mark["points"], answer.id, cell.id, name[1] if name else answer.id)
            exercises.append(row)
    if not exercises:
        raise ValueError(f"{path} holds no exercises")
    return Lesson(path.stem, notebook, exercises)


def _grade(student: Path, lesson: Lesson, seconds: int) -> Grade:
    notes: list[str] = []
    saved = _submission(student, lesson, notes)
    answers = {} if saved is None else _answers(saved, lesson, notes)
    outcomes = _run(lesson, answers, seconds, notes) if answers else {}
    tries, guesses = ({}, []) if saved is None else _saved(saved)
    passed = [row for row in lesson.exercises if outcomes.get(row.number, {}).get("status") == "passed"]
    points, most = (sum(row.points for row in rows) for rows in (passed, lesson.exercises))
    note = "; ".join(dict.fromkeys(notes))
    return Grade(student.name, lesson.name, outcomes, points, most, note, tries, guesses)


# --- finding the answers ---------------------------------------------------------------------------------


def _submission(student: Path, lesson: Lesson, notes: list[str]) -> Any:
    """Return the notebook that holds most answers to a lesson; of two alike, the one with its name."""
    found = []
    for path in sorted(student.rglob("*.ipynb")):
        if ".ipynb_checkpoints" in path.parts:
            continue
        try:
            notebook = nbformat.read(path, as_version=4)
            cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
            held = sum(bool(_candidates(cells, row)) for row in lesson.exercises)
        except Exception as error:  # noqa: BLE001  whatever is wrong with a file, its student keeps a row
            notes.append(f"{path.name} is not a notebook ({type(error).__name__})")
            continue
        if held > len(lesson.exercises) / 2 or path.stem == lesson.name:
            found.append((held, path.stem == lesson.name, path.name, cells))
    if not found:
        notes.append("no notebook of this lesson")
        return None
    found.sort(key=lambda row: row[:2])
    *others, (_, named, name, cells) = found
    if not named:
        notes.append(f"the file is called {name}")
    if others:
        notes.append(f"{name} was taken, not {', '.join(row[2] for row in others)}")
    return cells


def _candidates(cells: Iterable[Any], row: Exercise) -> list[str]:
    """Return the sources that answer an exercise: by grade id or cell id, else by the name they define."""
    cells = [cell for cell in cells if not CHECK.match(cell.source)]
    marked = [
        c.source for c in cells if row.answer in (c.metadata.get("nbgrader", {}).get("grade_id"), c.get("id"))
    ]
    defines = re.compile(rf"^(?:def\s+{re.escape(row.name)}\s*\(|{re.escape(row.name)}\s*=)", re.M)
    return [source for source in marked if source.strip()] or [
        c.source for c in cells if defines.search(c.source)
    ]


def _answers(cells: list[Any], lesson: Lesson, notes: list[str]) -> dict[str, str]:
    answers = {}
    for row in lesson.exercises:
        sources = list(dict.fromkeys(_candidates(cells, row)))
        if not sources:
            notes.append(f"{row.number}: no answer cell")
            continue
        if len(sources) > 1:
            notes.append(f"{row.number}: {len(sources)} answer cells, the last one counts")
        answers[row.number] = sources[-1]
    return answers


def _saved(cells: list[Any]) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """Return the tries and guesses that the saved outputs of a submission tell of."""
    tries: dict[str, int] = {}
    guesses = []
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        data = output.get("data", {})
        checked, guessed = data.get(MIME), data.get(GUESS_MIME)
        if isinstance(checked, dict) and isinstance(checked.get("tries"), int):
            tries[str(checked.get("exercise"))] = checked["tries"]
        if isinstance(guessed, dict) and guessed.get("said") is not None and guessed.get("truth") is not None:
            guesses.append(guessed)
    return tries, guesses


# --- running them ----------------------------------------------------------------------------------------


def _run(
    lesson: Lesson, answers: dict[str, str], seconds: int, notes: list[str]
) -> dict[str, dict[str, Any]]:
    """Run the clean edition with the answers in it; return what each check gave, by number."""
    left, outcomes = dict(answers), {}
    for _ in range(MAX_RUNS):
        notebook = nbformat.from_dict(lesson.notebook)
        cells = {cell.id: cell for cell in notebook.cells}
        for row in lesson.exercises:
            # Asked for anew, so that an answer that defines a `check` of its own is judged by ours.
            cells[row.check].source = f"from lessonlib.exercises import check\n{cells[row.check].source}"
            cells[row.answer].source = left.get(row.number, cells[row.answer].source)
        killer = _execute(notebook, lesson, seconds, notes)
        outcomes = {row.number: _outcome(cells[row.check]) for row in lesson.exercises if row.number in left}
        if killer is None:
            break
        notes.append(f"{killer}: the answer ends the kernel")
        left.pop(killer, None)
    for row in lesson.exercises:
        if row.number in left and not outcomes.get(row.number):
            raised = [o.ename for o in cells[row.answer].get("outputs", []) if o.output_type == "error"]
            notes.append(f"{row.number}: {raised[0] if raised else 'no result'}")
    return {number: outcome for number, outcome in outcomes.items() if outcome and number in left}


def _outcome(cell: Any) -> dict[str, Any]:
    for output in reversed(cell.get("outputs", [])):
        data = output.get("data", {})
        if MIME in data:
            return {**data[MIME], "html": data.get("text/html", "")}
    return {}


def _execute(notebook: Any, lesson: Lesson, seconds: int, notes: list[str]) -> str | None:
    """Run a notebook to its end; return the number of an answer that killed the kernel, if one did."""
    started = [""]
    environment = {name: text for name, text in os.environ.items() if name in KEPT} | {"LESSONLIB_BUILD": "1"}
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as null:
        environment |= {"HOME": folder, "IPYTHONDIR": folder, "MPLCONFIGDIR": folder}
        client = NotebookClient(
            notebook,
            timeout=seconds,
            kernel_name="python3",
            allow_errors=True,
            interrupt_on_timeout=True,
            on_cell_execute=lambda cell, cell_index: started.append(cell.id),  # noqa: ARG005
            resources={"metadata": {"path": folder}},
        )
        try:
            asyncio.run(client.async_execute(stderr=null, env=environment))
        except (DeadKernelError, CellTimeoutError) as error:
            for row in lesson.exercises:
                if started[-1] in (row.answer, row.check):
                    return row.number
            notes.append(f"the run ended early ({type(error).__name__})")
    return None


# --- for a spreadsheet -----------------------------------------------------------------------------------


def table(grades: Sequence[Grade]) -> str:
    """Return the grades as CSV: one row a student and lesson, one column an exercise, points and notes.

    It starts with a mark by which spreadsheets know UTF-8, and no cell can be taken for a formula.
    """
    numbers = list(dict.fromkeys(number for row in grades for number in row.outcomes))
    numbers.sort(
        key=lambda number: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", number)]
    )
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "lesson", "points", "of", *numbers, "note"])
    for row in grades:
        marks = [row.outcomes.get(number, {}).get("status", "") for number in numbers]
        cells = [row.student, row.lesson, f"{row.points:g}", f"{row.most:g}", *marks, row.note]
        writer.writerow([f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t") else cell for cell in cells])
    return "\ufeff" + out.getvalue()
