"""Every exercise in a real kernel: as stub, as each typical wrong answer, and as the reference solution."""

import os
import re

import nbformat
import pytest
from lesson_files import ROOT, STUDENT, read
from nbclient import NotebookClient

from lessonlib.exercises import Choice, exercises_of
from lessonlib.exercises.checker import MIME


class Kernel:
    """A kernel that runs a lesson's cells and tells what a check cell shows."""

    def __init__(self, notebook, folder):
        self.notebook = notebook
        self.client = NotebookClient(
            notebook, kernel_name="python3", allow_errors=True, resources={"metadata": {"path": str(folder)}}
        )

    def run(self, source):
        cell = nbformat.v4.new_code_cell(source)
        self.notebook.cells.append(cell)
        self.client.execute_cell(cell, len(self.notebook.cells) - 1)
        self.notebook.cells.pop()
        errors = [output for output in cell.outputs if output.output_type == "error"]
        assert not errors, f"{errors[0].ename}: {errors[0].evalue}\n{source}"
        return cell.outputs

    def check(self, source):
        bundles = [output.data[MIME] for output in self.run(source) if MIME in output.get("data", {})]
        assert len(bundles) == 1
        return bundles[0]["status"], bundles[0]["message"]


@pytest.mark.parametrize("path", STUDENT, ids=[path.stem for path in STUDENT])
def test_stub_wrong_answers_and_reference(path):
    """A stub reads not attempted, a wrong answer fails with its own hint, the reference passes."""
    student = read(path)
    solutions = {cell.id: cell.source for cell in read(ROOT / "notebooks" / "solutions" / path.name).cells}
    table = exercises_of(f"{path.name[1]}.1")
    tried = 0
    kernel = Kernel(student, path.parent)
    with open(os.devnull, "w") as null, kernel.client.setup_kernel(stderr=null):
        cells = [cell for cell in student.cells if cell.cell_type == "code"]
        for cell, after in zip(cells, [*cells[1:], None], strict=True):
            if not cell.metadata.get("nbgrader", {}).get("solution"):
                kernel.run(cell.source)
                continue
            number = re.search(r'check\("(Q?\d\.\d)"', after.source)[1]
            kernel.run(cell.source)
            assert kernel.check(after.source) == ("not attempted", "")
            for source, says in wrong_answers(table[number], cell.source):
                kernel.run(source)
                status, message = kernel.check(after.source)
                assert status == "failed", f"{number}: this wrong answer is {status}:\n{source}"
                assert says in message, f"{number}: hint {message!r} does not say {says!r}:\n{source}"
                tried += 1
            kernel.run(solutions[cell.id])
            status, message = kernel.check(after.source)
            assert status == "passed", f"{number}: {message}"
    assert tried >= 3 * len(table) - 3


def wrong_answers(exercise, stub):
    """Return (source, words of the hint); the wrong answers of a question are its other letters."""
    if isinstance(exercise, Choice):
        name = stub.split(" = ")[0]
        letters = [letter for letter in exercise.feedback if letter != exercise.right]
        return [(f'{name} = "{letter}"', exercise.feedback[letter]) for letter in letters]
    return exercise.wrong


@pytest.mark.parametrize("lesson", [int(path.name[:2]) for path in STUDENT])
def test_every_exercise_has_three_wrong_answers_that_meet_different_hints(lesson):
    for number, exercise in exercises_of(f"{lesson}.1").items():
        if isinstance(exercise, Choice):
            assert exercise.right in exercise.feedback
            assert len(exercise.feedback) >= 3, number
            assert all(len(text.split()) >= 5 for text in exercise.feedback.values()), number
        else:
            assert len(exercise.wrong) >= 3, number
            assert len({wrong.says for wrong in exercise.wrong}) >= 2, number
            assert all(len(wrong.says) >= 5 for wrong in exercise.wrong), number
            assert len(exercise.cases) >= 2, number
