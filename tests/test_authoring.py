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

from lessonlib.authoring import build, dump, execute, normalise, read, student_edition

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


# --- what a run adds and normalising takes away ----------------------------------------------------------


def test_normalising_keeps_the_lesson_and_drops_the_run():
    result = new_output("execute_result", data={"text/plain": "2"}, execution_count=77)
    picture = new_output(
        "display_data", data={"image/png": "iVBORw0KGgo="}, metadata={"image/png": {"width": 9}}
    )
    run = {"execution": {"iopub.status.busy": "2024-01-01T00:00:00Z"}, "collapsed": True, "tags": ["x"]}
    notebook = new_notebook(
        metadata={
            "kernelspec": {"name": "other", "display_name": "Other"},
            "language_info": {"name": "python", "version": "3.11.7"},
            "widgets": {"state": {}},
        },
        cells=[
            new_markdown_cell("m", id="m", metadata={"editable": False}),
            new_code_cell("1 + 1", id="c", execution_count=41, outputs=[result], metadata=run | mark("c")),
            new_code_cell("", id="e"),
            new_code_cell("f", id="p", execution_count=99, outputs=[picture]),
        ],
    )
    kept = normalise(notebook)
    assert kept.metadata == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    assert [cell.metadata for cell in kept.cells] == [{}, {"tags": ["x"]} | mark("c"), {}, {}]
    assert [cell.execution_count for cell in kept.cells[1:]] == [1, 2, 3]
    assert kept.cells[1].outputs[0] == result | {"execution_count": 1}
    assert kept.cells[3].outputs == [picture]
    assert (kept.nbformat, kept.nbformat_minor) == (4, 5)
    assert dump(normalise(copy.deepcopy(kept))) == dump(kept)
    assert dump(kept).endswith("}\n")
    assert not dump(kept).endswith("\n\n")
    assert json.loads(dump(kept))["cells"][0]["source"] == ["m"]


def test_a_run_is_recorded_without_times_and_in_one_piece(tmp_path, monkeypatch):
    """Prints are one stream, the folder is the notebook's, and what the shell asks for does not reach it."""
    monkeypatch.setenv("DOCENT_LIVE", "1")
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    code = [
        "import os\nfor n in range(3):\n    print(n, flush=True)",
        "os.environ.get('DOCENT_LIVE'), os.environ.get('NBGRADER_EXECUTION')",
        "os.path.samefile(os.getcwd(), os.environ['WANTED'])",
    ]
    monkeypatch.setenv("WANTED", str(tmp_path))
    notebook = new_notebook(cells=[new_code_cell(source, id=f"c{n}") for n, source in enumerate(code)])
    notebook.cells[0].outputs = [new_output("stream", text="stale")]
    ran = execute(notebook, tmp_path)
    assert ran.cells[0].outputs == [new_output("stream", text="0\n1\n2\n")]
    assert ran.cells[1].outputs[0].data == {"text/plain": "(None, None)"}
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


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def cell(source, **more):
    return {
        "cell_type": "code",
        "source": source,
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        **more,
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"not a notebook \(JSONDecodeError: Expecting value"),
        ("[]", r"not a notebook \(TypeError: "),
        ("{}", r"not a notebook \(KeyError: 'cells'\)"),
        ({"cells": ["text"]}, r"not a notebook \(AttributeError: "),
        ({"cells": 7}, r"not a notebook \(TypeError: "),
        (
            {"cells": [cell("1"), cell("2")], "metadata": {}, "nbformat": 4, "nbformat_minor": 4},
            "every cell needs an id",
        ),
        (
            {
                "cells": [cell("1", id="a"), cell("2", id="a")],
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 5,
            },
            "every cell needs an id of its own",
        ),
    ],
)
def test_a_file_that_would_build_differently_each_time_is_refused(tmp_path, content, message):
    """nbformat gives cells without an id of their own a random one."""
    path = write(tmp_path / "solutions" / "01.ipynb", content)
    with pytest.raises(ValueError, match=message) as caught:
        build(tmp_path)
    assert str(caught.value).startswith(f"{path}: ")
    assert [entry.name for entry in tmp_path.iterdir()] == ["solutions"]


def test_a_notebook_against_the_format_is_refused_in_one_line(tmp_path, monkeypatch):
    wrong = cell("1", id="not an id!")
    path = write(
        tmp_path / "solutions" / "01.ipynb",
        {"cells": [wrong], "metadata": {}, "nbformat": 4, "nbformat_minor": 5},
    )
    monkeypatch.setattr("lessonlib.authoring.execute", lambda notebook, folder: notebook)
    with pytest.raises(ValueError, match=r"'not an id!' does not match") as caught:
        build(tmp_path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_notebook_is_read_as_it_is(tmp_path):
    notebook = new_notebook(cells=[new_markdown_cell("é", id="a"), new_code_cell("1", id="b")])
    path = tmp_path / "n.ipynb"
    nbformat.write(notebook, path)
    assert read(path) == notebook


def test_build_writes_only_what_changes_and_names_it(tmp_path, monkeypatch):
    """With a stand-in for running: what is compared and written are bytes."""
    runs = []

    def run(notebook, folder):
        runs.append(folder)
        return notebook

    monkeypatch.setattr("lessonlib.authoring.execute", run)
    (tmp_path / "solutions").mkdir()
    for name in ("02_b", "01_a"):
        nbformat.write(new_notebook(cells=[solution(VALUE)]), tmp_path / "solutions" / f"{name}.ipynb")
    paths = [
        tmp_path / "solutions" / "01_a.ipynb",
        tmp_path / "01_a.ipynb",
        tmp_path / "solutions" / "02_b.ipynb",
        tmp_path / "02_b.ipynb",
    ]
    assert build(tmp_path, write=False) == paths
    assert not paths[1].exists()
    assert build(tmp_path, ["02_b"]) == paths[2:]
    assert build(tmp_path) == paths[:2]
    assert build(tmp_path) == build(tmp_path, write=False) == []
    assert set(runs) == {tmp_path, tmp_path / "solutions"}
    assert b"x = 7" in paths[0].read_bytes()
    assert b"x = 7" not in paths[1].read_bytes()

    paths[1].write_bytes(paths[1].read_bytes() + b"\n")
    paths[2].write_bytes(paths[2].read_bytes().replace(b"\n", b"\r\n"))
    assert build(tmp_path, write=False) == [paths[1], paths[2]]
    assert build(tmp_path) == [paths[1], paths[2]]
    assert build(tmp_path) == []


def test_a_lesson_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"solutions' holds no notebooks|solutions holds no notebooks"):
        build(tmp_path)
    write(tmp_path / "solutions" / "01_a.ipynb", "{}")
    with pytest.raises(ValueError, match=r"^unknown lesson '02_b'; known: 01_a$"):
        build(tmp_path, ["02_b"])
