"""A class of odd submissions: every row is there, and each outcome is what the answer deserves."""

import csv
import io

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lessonlib.exercises.checker import MIME
from lessonlib.exercises.guesses import MIME as GUESS_MIME
from lessonlib.teaching.classroom import class_report, feedback, met
from lessonlib.teaching.grading import grade, table

ENDS = "Q1.2: the answer ends the kernel"
EXIT = "import os\nos._exit(1)"
LOOP = "while True:\n    pass"


def mark(grade_id, solution):
    kind = {
        "solution": solution,
        "grade": not solution,
        "schema_version": 3,
        "locked": not solution,
        "task": False,
    }
    return {"nbgrader": {"grade_id": grade_id, **kind, **({} if solution else {"points": 1})}}


def lesson(first="q1_1 = TODO", second="q1_2 = TODO", third="q1_3 = TODO", before=()):
    """Return a lesson of three questions with these answers."""
    cells = [new_code_cell("from lessonlib.exercises import TODO, check", id="setup"), *before]
    for number, source in enumerate((first, second, third), 1):
        cells.append(new_code_cell(source, id=f"ex-{number}", metadata=mark(f"ex-{number}", True)))
        check = f'check("Q1.{number}", q1_{number})'
        cells.append(new_code_cell(check, id=f"check-{number}", metadata=mark(f"check-{number}", False)))
    return new_notebook(cells=cells)


ANN = ('q1_1 = "b"', 'q1_2 = "b"', 'q1_3 = "c"')


def stripped():
    notebook = lesson(*ANN)
    for n, cell in enumerate(notebook.cells):
        cell.metadata, cell.id = {}, f"new-{n}"
    return notebook


def without_checks():
    notebook = lesson(*ANN)
    notebook.cells = [cell for cell in notebook.cells if not cell.id.startswith("check")]
    return notebook


def doubled():
    notebook = lesson(*ANN)
    wrong = new_code_cell('q1_1 = "a"', id="ex-1b", metadata=mark("ex-1", True))
    notebook.cells.insert(1, wrong)
    return notebook


def played():
    """A notebook whose saved outputs tell of three tries and a wrong guess."""
    notebook = lesson(*ANN)
    checked = {MIME: {"exercise": "Q1.1", "status": "passed", "tries": 3}}
    guessed = {GUESS_MIME: {"guess": "1.1", "said": 6, "truth": 0}}
    notebook.cells[2].outputs = [new_output("display_data", checked), new_output("display_data", guessed)]
    return notebook


P, F, N = "passed", "failed", "not attempted"
CLASS = {
    "ann": (lesson(*ANN), (P, P, P), ""),
    "bob": (lesson(), (N, N, N), ""),
    "checks": (without_checks(), (P, P, P), ""),
    "doubled": (doubled(), (P, P, P), "Q1.1: 2 answer cells, the last one counts"),
    "forger": (lesson("def check(*_):\n    return 1\nq1_1 = 'a'"), (F, N, N), ""),
    "half": (lesson('q1_1 = "b"', 'q1_2 = "a"'), (P, F, N), ""),
    "killer": (lesson('q1_1 = "b"', EXIT, 'q1_3 = "c"'), (P, "", P), ENDS),
    "loop": (lesson('q1_1 = "b"', LOOP, 'q1_3 = "c"'), (P, "", P), "Q1.2: KeyboardInterrupt"),
    "played": (played(), (P, P, P), ""),
    "stripped": (stripped(), (P, P, P), ""),
    "syntax": (lesson('q1_1 = "b', 'q1_2 = "b"'), ("", P, N), "Q1.1: SyntaxError"),
}  # fmt: skip


@pytest.fixture(scope="module")
def grades(tmp_path_factory):
    """Grade the class once: a folder each, and some that hold no notebook of the lesson."""
    root = tmp_path_factory.mktemp("class")
    nbformat.write(lesson(), root / "01_quiz.ipynb")
    for name, (notebook, _, _) in CLASS.items():
        (root / "in" / name / "deep").mkdir(parents=True)
        nbformat.write(notebook, root / "in" / name / "deep" / "01_quiz.ipynb")
    for name in ("broken", "empty", "other", "renamed", "=2+3"):
        (root / "in" / name).mkdir()
    (root / "in" / "broken" / "01_quiz.ipynb").write_text("{")
    nbformat.write(new_notebook(cells=[new_markdown_cell("hello")]), root / "in" / "other" / "x.ipynb")
    nbformat.write(lesson(*ANN), root / "in" / "renamed" / "final (2).ipynb")
    (root / "in" / "notes.txt").write_text("no student")
    rows = grade(root / "in", [root / "01_quiz.ipynb"], seconds=3, jobs=2)
    return {row.student: row for row in rows}


@pytest.mark.parametrize("name", CLASS)
def test_outcomes(grades, name):
    _, expected, note = CLASS[name]
    row = grades[name]
    got = tuple(row.outcomes.get(f"Q1.{n}", {}).get("status", "") for n in (1, 2, 3))
    assert (got, row.note) == (expected, note)
    assert (row.points, row.most) == (expected.count(P), 3)


@pytest.mark.parametrize(
    ("name", "points", "note"),
    [
        ("broken", 0, "01_quiz.ipynb is not a notebook (NotJSONError); no notebook of this lesson"),
        ("empty", 0, "no notebook of this lesson"),
        ("other", 0, "no notebook of this lesson"),
        ("renamed", 3, "the file is called final (2).ipynb"),
    ],
)
def test_nobody_is_lost(grades, name, points, note):
    assert (grades[name].points, grades[name].note) == (points, note)


def test_saved_outputs_tell_of_tries_and_guesses(grades):
    assert grades["played"].tries == {"Q1.1": 3}
    assert grades["played"].guesses == [{"guess": "1.1", "said": 6, "truth": 0}]
    assert (grades["ann"].tries, grades["ann"].guesses) == ({}, [])


def test_table_for_a_spreadsheet(grades):
    text = table(list(grades.values()))
    assert text.startswith("\ufeffstudent,lesson,points,of,Q1.1,Q1.2,Q1.3,note\n")
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))}
    assert set(rows) == (set(grades) - {"=2+3"}) | {"'=2+3"}
    assert rows["half"] == {
        "student": "half", "lesson": "01_quiz", "points": "1", "of": "3",
        "Q1.1": P, "Q1.2": F, "Q1.3": N, "note": "",
    }  # fmt: skip


def test_the_class_on_one_page(grades):
    rows = list(grades.values())
    assert {key: len(pairs) for key, pairs in met(rows).items()} == {
        ("Q1.1", "a"): 1,
        ("Q1.2", "a"): 1,
    }
    text = class_report(rows)
    assert "<p>16 students.</p>" in text
    assert '<td>Q1.1</td><td class="n">9</td><td class="n">1</td><td class="n">1</td>' in text
    assert "<td>Q1.1</td><td>3.0</td>" in text
    assert '<td>1.1</td><td class="n">1</td><td class="n">1</td><td>6 (1)</td><td>0</td>' in text


def test_feedback_holds_the_boxes_and_no_path(grades, tmp_path):
    text = feedback([grades["half"]])
    assert "<h1>Feedback for half</h1>" in text
    assert "<h2>01_quiz: 1 of 3 points</h2>" in text
    assert text.count("border-left: 4px solid") == 3
    assert str(tmp_path.parent) not in text


def test_wrong_folders(tmp_path):
    with pytest.raises(ValueError, match="is not a folder"):
        grade(tmp_path / "none", [])
    with pytest.raises(ValueError, match="holds no folder of a student"):
        grade(tmp_path, [])
    (tmp_path / "in" / "ann").mkdir(parents=True)
    nbformat.write(new_notebook(cells=[]), tmp_path / "x.ipynb")
    with pytest.raises(ValueError, match=r"x\.ipynb holds no exercises"):
        grade(tmp_path / "in", [tmp_path / "x.ipynb"])
