"""Every exercise in a real kernel: as stub, as each typical wrong answer, and as the reference solution."""

import json
import os
import re

import nbformat
import pytest
from lesson_files import ROOT, STUDENT, read, wrong_answers
from nbclient import NotebookClient

from lessonlib.exercises import exercises_of
from lessonlib.exercises.checker import Choice

# Runs each source in the lesson, then its check; the outcomes are one line of JSON.
TRIAL = """
def try_answers(number, name, sources):
    import contextlib, io, json
    outcomes = []
    for source in sources:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(source, globals())
            result = check(number, globals()[name])
        outcomes.append((result.status, result.message, result.slip))
    print("OUTCOMES", json.dumps(outcomes))
"""


class Kernel:
    """A kernel that runs source in a lesson and hands back what it prints."""

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
        return "".join(output.text for output in cell.outputs if output.output_type == "stream")

    def try_answers(self, number, name, sources):
        printed = self.run(f"try_answers({number!r}, {name!r}, {sources!r})")
        return json.loads(re.search("^OUTCOMES (.*)$", printed, re.M)[1])


@pytest.mark.parametrize("path", STUDENT, ids=[path.stem for path in STUDENT])
def test_stub_wrong_answers_and_reference(path):
    """A stub reads not attempted, a wrong answer fails with its own hint, the reference passes."""
    student = read(path)
    solutions = {cell.id: cell.source for cell in read(ROOT / "notebooks" / "solutions" / path.name).cells}
    table, wrong = exercises_of(f"{path.name[1]}.1"), wrong_answers(path.name[1])
    kernel = Kernel(student, path.parent)
    with open(os.devnull, "w") as null, kernel.client.setup_kernel(stderr=null):
        kernel.run(TRIAL)
        cells = [cell for cell in student.cells if cell.cell_type == "code"]
        waiting = []
        for cell, after in zip(cells, [*cells[1:], None], strict=True):
            if not cell.metadata.get("nbgrader", {}).get("solution"):
                waiting.append(cell.source)
                continue
            kernel.run("\n".join(waiting))
            waiting = []
            number, name = re.search(r'check\("([^"]+)", (\w+)\)', after.source).groups()
            tried = letters(name, table[number]) if isinstance(table[number], Choice) else wrong[number]
            sources = [cell.source, *(source for _, source in tried), solutions[cell.id]]
            stub, *outcomes, reference = kernel.try_answers(number, name, sources)
            assert stub == ["not attempted", "", ""], number
            assert reference[0] == "passed", f"{number}: {reference}"
            for (meets, source), (status, message, slip) in zip(tried, outcomes, strict=True):
                assert status == "failed", f"{number}: this wrong answer is {status}:\n{source}"
                assert meets == slip or meets in message, f"{number}: {slip!r} {message!r} for:\n{source}"


def letters(name, question):
    """Return the wrong answers of a question, which are its other letters."""
    return [(letter, f'{name} = "{letter}"') for letter in question.feedback if letter != question.right]


@pytest.mark.parametrize("lesson", [path.name[1] for path in STUDENT])
def test_every_exercise_has_three_wrong_answers_and_a_gap_two_that_meet_different_hints(lesson):
    wrong = wrong_answers(lesson)
    for number, exercise in exercises_of(f"{lesson}.1").items():
        if isinstance(exercise, Choice):
            assert len(exercise.feedback) >= 3, number
            assert all(len(text.split()) >= 5 for text in exercise.feedback.values()), number
        else:
            assert len(wrong[number]) >= (2 if number[-1].isalpha() else 3), number
            assert len({meets for meets, _ in wrong[number]}) >= 2, number
            assert all(len(meets) >= 3 for meets, _ in wrong[number]), number


@pytest.mark.parametrize("lesson", [path.name[1] for path in STUDENT])
def test_every_slip_is_one_that_a_wrong_answer_makes(lesson):
    """What a wrong answer says it meets, it does meet in the kernel above."""
    table, wrong = exercises_of(f"{lesson}.1"), wrong_answers(lesson)
    asked = {number: exercise for number, exercise in table.items() if not isinstance(exercise, Choice)}
    shared = set.intersection(*(set(exercise.slips) for exercise in asked.values()))  # those of the sheet
    for number, exercise in asked.items():
        own = {slip.name for case in exercise.cases for slip in case.slips}
        own |= {slip.name for slip in exercise.slips if slip not in shared}
        assert own <= {meets for meets, _ in wrong[number]}, number
    assert {slip.name for slip in shared} <= {meets for answers in wrong.values() for meets, _ in answers}
