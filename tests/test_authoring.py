"""Notebooks as authors make them: what students get to see, what a build writes, and what it refuses."""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lessonlib.__main__ import main
from lessonlib.authoring import FOLDED, build, dump, execute, judged, normalize, student_edition
from lessonlib.exercises.checker import MIME

FUNCTION = """\
def double(x):
    '''Twice x.'''
    ### BEGIN SOLUTION
    if x:
        return 2 * x

    return 0
    ### END SOLUTION
    return TODO"""
VALUE = """\
x = TODO
### BEGIN SOLUTION
x = 7
### END SOLUTION"""
TWO = """\
def one():
\t### BEGIN SOLUTION
\treturn 1
\t### END SOLUTION
\treturn TODO

def two():
    for n in range(3):
        ### BEGIN SOLUTION
        if n == 2:
            return n
        ### END SOLUTION
        pass
    return TODO"""


def mark(name, **more):
    return {"nbgrader": {"grade_id": name, "schema_version": 3, "locked": False, "task": False, **more}}


def solution(source, name="answer"):
    return new_code_cell(source, id=name, metadata=mark(name, solution=True, grade=False))


def sources(notebook):
    return [cell.source for cell in notebook.cells]


# --- the student edition ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "stub"),
    [
        (FUNCTION, "def double(x):\n    '''Twice x.'''\n    # your code here\n    return TODO"),
        (VALUE, "x = TODO\n# your code here"),
        (
            TWO,
            "def one():\n\t# your code here\n\treturn TODO\n\ndef two():\n    for n in range(3):\n"
            "        # your code here\n        pass\n    return TODO",
        ),
        ("### BEGIN SOLUTION\n### END SOLUTION", "# your code here"),
        ("### BEGIN SOLUTION\nx = '''\n'''\n### END SOLUTION   \nx", "# your code here\nx"),
    ],
)
def test_each_region_becomes_the_stub_line_in_its_place(source, stub):
    assert sources(student_edition(new_notebook(cells=[solution(source)]))) == [stub]


def test_everything_else_stays_and_the_original_too():
    cells = [
        new_markdown_cell("# A *solution* is not a marker.", id="m", metadata={"tags": ["x"]}),
        new_code_cell("1 + 1", id="c", execution_count=4, outputs=[new_output("stream", text="2")]),
        solution(VALUE),
        new_code_cell('check("9.1", x)', id="k", metadata=mark("k", grade=True, solution=False)),
    ]
    original = new_notebook(cells=cells)
    before = copy.deepcopy(original)
    student = student_edition(original)
    assert original == before
    assert [cell.id for cell in student.cells] == ["m", "c", "answer", "k"]
    assert sources(student)[:2] == sources(original)[:2]
    assert [cell.metadata for cell in student.cells] == [cell.metadata for cell in original.cells]
    assert [(cell.outputs, cell.execution_count) for cell in student.cells[1:]] == [([], None)] * 3


def test_the_truth_about_a_guess_is_folded_and_nothing_else():
    texts = ['truth("9.1", 7)', 'x = 7\ntruth("9.1", x)', 'guess("9.1", TODO)', 'print("truth(7)")']
    student = student_edition(new_notebook(cells=[new_code_cell(text) for text in texts]))
    assert [cell.metadata.get("jupyter") for cell in student.cells] == [FOLDED, FOLDED, None, None]


@pytest.mark.parametrize(
    "cell",
    [
        solution("x = TODO"),
        solution("### BEGIN SOLUTION\nx = 7"),
        solution("x = 7\n### END SOLUTION"),
        solution("### begin solution\nx = 7\n### end solution"),
        solution("### BEGIN SOLUTION x = 7 ### END SOLUTION"),
        solution("### BEGIN SOLUTION\r\nx = 7\r\n### END SOLUTION"),
        solution(f"{VALUE}\n### END SOLUTION"),
        solution(f"{VALUE}\n### BEGIN SOLUTION\ny = 8"),
        solution(f"{VALUE}\n### Begin Solution\ny = 8\n### End Solution"),
        solution("### BEGIN SOLUTION\n### BEGIN SOLUTION\nx = 7\n### END SOLUTION\ny = 8\n### END SOLUTION"),
        solution("x = 5  ### BEGIN SOLUTION\nx = 7\n### END SOLUTION"),
        new_code_cell(VALUE, id="answer"),
        new_code_cell(VALUE, id="answer", metadata=mark("answer", grade=True, solution=False)),
        new_code_cell("# SOLUTION: 7", id="answer"),
        new_markdown_cell("### BEGIN SOLUTION\nIt is 7.\n### END SOLUTION", id="answer"),
        new_markdown_cell("<!-- end solution -->", id="answer"),
    ],
)
def test_what_would_show_a_solution_is_refused_by_name(cell):
    with pytest.raises(
        ValueError, match=r"^01\.ipynb: cell answer (is a solution without BEGIN|would show a sol)"
    ):
        student_edition(new_notebook(cells=[new_code_cell("1", id="first"), cell]), "01.ipynb")


def test_nbgrader_releases_the_same_cells(tmp_path):
    pytest.importorskip("nbgrader")
    cells = [
        new_markdown_cell("# Tiny", id="title"),
        new_code_cell("from lessonlib.exercises import TODO", id="s"),
    ]
    cells += [solution(text, f"answer-{n}") for n, text in enumerate((FUNCTION, VALUE, TWO))]
    cells.append(new_code_cell("x", id="use"))
    notebook = new_notebook(cells=cells)
    folder = tmp_path / "source" / "tiny"
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / "tiny.ipynb")
    (tmp_path / "nbgrader_config.py").write_text(
        'c = get_config()\nc.CourseDirectory.course_id = "t"\n'
        'c.ClearSolutions.code_stub = {"python": "# your code here"}\n',
        encoding="utf-8",
    )
    # nbgrader runs alembic by name
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", "tiny"],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "JUPYTER_CONFIG_DIR": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    released = nbformat.read(tmp_path / "release" / "tiny" / "tiny.ipynb", as_version=4)
    assert sources(released) == sources(student_edition(notebook))


# --- what a run adds and normalizing takes away ----------------------------------------------------------


def test_normalizing_keeps_the_lesson_and_drops_the_run():
    result = new_output("execute_result", data={"text/plain": "2"}, execution_count=77)
    picture = new_output("display_data", data={"image/png": "iVBORw0KGgo="}, metadata={"image/png": {"w": 9}})
    run = {"execution": {"iopub.status.busy": "2024-01-01T00:00:00Z"}, "collapsed": True, "tags": ["x"]}
    notebook = new_notebook(
        metadata={"kernelspec": {"name": "o", "display_name": "O"}, "widgets": {"state": {}}},
        cells=[
            new_markdown_cell("m", id="m", metadata={"editable": False}),
            new_code_cell("1 + 1", id="c", execution_count=41, outputs=[result], metadata=run | mark("c")),
            new_code_cell("f", id="p", execution_count=99, outputs=[picture]),
        ],
    )
    kept = normalize(notebook)
    assert kept.metadata == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert [cell.metadata for cell in kept.cells] == [{}, {"tags": ["x"]} | mark("c"), {}]
    assert [cell.execution_count for cell in kept.cells[1:]] == [1, 2]
    assert kept.cells[1].outputs == [result | {"execution_count": 1}]
    assert kept.cells[2].outputs == [picture]
    assert dump(normalize(copy.deepcopy(kept))) == dump(kept)
    assert dump(kept).endswith("}\n")


def test_a_run_is_recorded_in_one_piece_and_nothing_of_the_author_reaches_it(tmp_path, monkeypatch):
    """Prints are one stream, the folder is the notebook's, and neither shell nor start-up files are seen."""
    start = tmp_path / "own" / "profile_default" / "startup" / "00.py"
    start.parent.mkdir(parents=True)
    start.write_text("print('leaked')\nleaked = 1", encoding="utf-8")
    shell = {"DOCENT_LIVE": "1", "NBGRADER_EXECUTION": "autograde", "WANTED": str(tmp_path)}
    shell |= {"IPYTHONDIR": str(tmp_path / "own"), "PYTHONSTARTUP": str(start)}
    for name, text in shell.items():
        monkeypatch.setenv(name, text)
    code = [
        "import os\nfor n in range(3):\n    print(n, flush=True)",
        "os.environ.get('DOCENT_LIVE'), os.environ.get('NBGRADER_EXECUTION'), 'leaked' in globals()",
        "os.path.samefile(os.getcwd(), os.environ['WANTED'])",
    ]
    notebook = new_notebook(cells=[new_code_cell(source, id=f"c{n}") for n, source in enumerate(code)])
    notebook.cells[0].outputs = [new_output("stream", text="stale")]
    ran = execute(notebook, tmp_path)
    assert ran.cells[0].outputs == [new_output("stream", text="0\n1\n2\n")]
    assert ran.cells[1].outputs[0].data == {"text/plain": "(None, None, False)"}
    assert ran.cells[2].outputs[0].data == {"text/plain": "True"}
    assert all(cell.metadata == {} for cell in ran.cells)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise ValueError('a\\nb')", "ValueError: a"),
        ("import os; os._exit(3)", "DeadKernelError"),
        ("while True: pass", "CellTimeoutError"),
    ],
)
def test_a_cell_that_stops_the_run_is_named(tmp_path, monkeypatch, source, reason):
    monkeypatch.setattr("lessonlib.authoring.TIMEOUT", 2)
    cells = [new_code_cell("1", id="fine"), new_code_cell(source, id="bad"), new_code_cell("2", id="later")]
    with pytest.raises(ValueError, match=f"^cell bad stopped the run: {reason}"):
        execute(new_notebook(cells=cells), tmp_path)


# --- reading and building --------------------------------------------------------------------------------


def cell(source, **more):
    return {
        "cell_type": "code",
        "source": source,
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        **more,
    }


def notebook_of(*cells):
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"not a notebook \(JSONDecodeError: Expecting value"),
        ("[]", r"not a notebook \(TypeError: "),
        ("{}", r"not a notebook \(KeyError: 'cells'\)"),
        (notebook_of("text"), r"not a notebook \(AttributeError: "),
        (notebook_of(cell("1"), cell("2")), "every cell needs an id"),
        (notebook_of(cell("1", id="a"), cell("2", id="a")), "every cell needs an id of its own"),
        (notebook_of(cell("1", id="not an id!")), "'not an id!' does not match"),
        (notebook_of(cell(["x\n", "y\r\n"], id="a")), "cell a has lines that end in CRLF"),
        (
            notebook_of(cell("1", id="a", metadata=mark("1-2")), cell("2", id="b", metadata=mark("1-2"))),
            "2 cells have the grade id '1-2'; a copy needs one of its own",
        ),
    ],
)
def test_a_file_that_cannot_be_built_is_refused_in_one_line_and_nothing_written(
    tmp_path, monkeypatch, content, message
):
    monkeypatch.setattr("lessonlib.authoring.execute", lambda notebook, folder: notebook)
    path = tmp_path / "solutions" / "01.ipynb"
    path.parent.mkdir()
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        build(tmp_path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    assert [entry.name for entry in tmp_path.iterdir()] == ["solutions"]


def graded(*statuses):
    results = [{"exercise": "9.1", "status": status, "message": "It is 7."} for status in statuses]
    outputs = [new_output("display_data", data={MIME: result}) for result in results]
    marked = mark("k", grade=True, solution=False)
    return new_notebook(cells=[new_code_cell("check", id="k", metadata=marked, outputs=outputs)])


@pytest.mark.parametrize(
    ("found", "wanted", "message"),
    [
        (["failed"], "passed", "cell k should read passed, but 9.1 is failed: It is 7."),
        (["not attempted"], "passed", "cell k should read passed, but 9.1 is not attempted: It is 7."),
        (["passed"], "not attempted", "cell k should read not attempted, but 9.1 is passed: It is 7."),
        (["passed", "failed"], "passed", "cell k should read passed, but 9.1 is failed: It is 7."),
        ([], "passed", "cell k is graded, but shows the result of no check"),
    ],
)
def test_a_reference_solution_passes_and_a_stub_is_not_attempted(found, wanted, message):
    assert judged(graded(wanted), wanted) == graded(wanted)
    with pytest.raises(ValueError, match=r"^cell k ") as caught:
        judged(graded(*found), wanted)
    assert str(caught.value) == message


# --- the commands ----------------------------------------------------------------------------------------

UNCHANGED = "every notebook is as its solutions edition makes it\n"


@pytest.fixture
def lessons(tmp_path):
    """A folder with two lessons, not built yet."""
    folder = tmp_path / "notebooks"
    (folder / "solutions").mkdir(parents=True)
    cells = [new_markdown_cell("For *tests*.", id="t"), new_code_cell("TODO = 'to do'", id="s")]
    cells += [solution(VALUE), new_code_cell("print(x)", id="use")]
    for name in ("02_b", "01_a"):
        nbformat.write(new_notebook(cells=cells), folder / "solutions" / f"{name}.ipynb")
    return folder


@pytest.fixture
def _standing(monkeypatch):
    """A stand-in for running: what is compared and written are bytes."""
    monkeypatch.setattr("lessonlib.authoring.execute", lambda notebook, folder: notebook)


def replace(path, old, new):
    before = path.read_bytes()
    path.write_bytes(before.replace(old, new))
    assert path.read_bytes() != before


def test_build_runs_both_editions_and_check_finds_nothing_to_change(lessons, capsys):
    """In real kernels."""
    paths = [lessons / "solutions" / "01_a.ipynb", lessons / "01_a.ipynb"]
    assert main(["build", "--notebooks", str(lessons), "01_a"]) == 0
    assert capsys.readouterr().out == "".join(f"wrote {path}\n" for path in paths)
    assert [nbformat.read(path, 4).cells[-1].outputs[0].text for path in paths] == ["7\n", "to do\n"]
    assert b"x = 7" not in paths[1].read_bytes()
    assert main(["check", "--notebooks", str(lessons), "01_a"]) == 0
    assert capsys.readouterr().out == UNCHANGED


@pytest.mark.usefixtures("_standing")
def test_build_writes_only_what_changes_and_check_only_names_it(lessons, capsys):
    def run(command, *names):
        code = main([command, "--notebooks", str(lessons), *names])
        out = capsys.readouterr().out
        return code, "" if out == UNCHANGED else out.replace(f"{lessons}/", "")

    assert run("check") == (
        1,
        "".join(
            f"out of step: {edition}{name}.ipynb\n"
            for name in ("01_a", "02_b")
            for edition in ("solutions/", "")
        ),
    )
    assert not list(lessons.glob("*.ipynb"))
    assert run("build", "02_b") == (0, "wrote solutions/02_b.ipynb\nwrote 02_b.ipynb\n")
    assert run("build") == (0, "wrote solutions/01_a.ipynb\nwrote 01_a.ipynb\n")
    assert run("build") == run("check") == (0, "")

    replace(lessons / "01_a.ipynb", b"\n", b"\r\n")  # line ends of another system are a change too
    assert run("check") == (1, "out of step: 01_a.ipynb\n")
    assert run("build") == (0, "wrote 01_a.ipynb\n")
    before = (lessons / "01_a.ipynb").read_text(encoding="utf-8").splitlines()
    replace(lessons / "solutions" / "01_a.ipynb", b"For *tests*.", b"For *trials*.")
    assert run("build") == (0, "wrote 01_a.ipynb\n")
    after = (lessons / "01_a.ipynb").read_text(encoding="utf-8").splitlines()
    assert [new.split()[0] for old, new in zip(before, after, strict=True) if old != new] == [
        '"For',
        '"lessonlib":',
    ]


@pytest.mark.usefixtures("_standing")
def test_a_student_edition_edited_by_hand_is_not_lost(lessons, capsys):
    build(lessons)
    source, student = lessons / "solutions" / "01_a.ipynb", lessons / "01_a.ipynb"
    replace(student, b"print(x)", b"print(x + 1)")
    kept = student.read_bytes()
    assert main(["check", "--notebooks", str(lessons)]) == 1
    assert main(["build", "--notebooks", str(lessons)]) == 2
    advice = f"edit {source} instead, or build with --force to lose the change"
    assert capsys.readouterr().err == f"lessonlib: {student}: edited since it was built; {advice}\n"
    assert student.read_bytes() == kept
    assert main(["build", "--force", "--notebooks", str(lessons)]) == 0
    assert build(lessons, write=False) == []


def test_a_build_that_cannot_be_made_is_one_line_and_writes_nothing(lessons, capsys):
    """The exercise of no sheet runs in a real kernel."""
    first = new_code_cell("from lessonlib.exercises import TODO, check", id="start")
    graded = new_code_cell('check("99.9", x)', id="k", metadata=mark("k", grade=True, solution=False))
    path = lessons / "solutions" / "99_x.ipynb"
    nbformat.write(new_notebook(cells=[first, solution(VALUE), graded]), path)
    before = {path: path.read_bytes() for path in lessons.rglob("*.ipynb")}
    for arguments, message in (
        (["99_x"], f"{path}: cell k should read passed, but "),
        (["04_none"], "unknown lesson '04_none'; known: 01_a, 02_b, 99_x"),
        (
            ["--notebooks", f"{lessons}x"],
            f"{Path(f'{lessons}x') / 'solutions'} holds no notebooks: run this in",
        ),
    ):
        assert main(["build", "--notebooks", str(lessons), *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"lessonlib: {message}")
        assert err.count("\n") == 1
    assert {path: path.read_bytes() for path in lessons.rglob("*.ipynb")} == before
