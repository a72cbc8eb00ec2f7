"""The hand-out for students, and the doctor for whoever cannot start."""

import json
import subprocess
import sys

import nbformat
import pytest
from lesson_files import ROOT, STUDENT

from lessonlib.__main__ import main
from lessonlib.teaching import doctor
from lessonlib.teaching.handout import SOLUTION, handout


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class") / "course"
    return folder, handout(ROOT, folder)


def test_students_get_the_lessons_and_no_solution(given):
    folder, written = given
    names = {path.relative_to(folder).as_posix() for path in written}
    assert {f"notebooks/{path.name}" for path in STUDENT} <= names
    assert {"README.md", "pyproject.toml", "requirements.txt", "data/golden.jsonl"} <= names
    assert not [name for name in names if "solutions" in name or name.startswith("tests") or "_data" in name]
    for path in written:
        if path.suffix in (".ipynb", ".md"):
            text = path.read_text(encoding="utf-8")
            assert "BEGIN SOLUTION" not in text, path
            assert not SOLUTION.search(text), path
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "## Start" in readme
    assert "## Teach with it" not in readme


def test_its_tests_run_the_lessons_there(given):
    folder, _ = given
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "notebooks/01_exact_match.ipynb",
    ]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    assert " passed" in run.stdout


def test_a_sheet_loses_its_solutions():
    sheet = "## 1.1 f\n\n### Shown\n>>> f(1)\n1\n\n### Solution\ndef f(x): return x\n\n## 1.2 g\n"
    assert SOLUTION.sub("", sheet) == "## 1.1 f\n\n### Shown\n>>> f(1)\n1\n\n## 1.2 g\n"


def test_a_hand_out_overwrites_nothing(tmp_path, capsys):
    (tmp_path / "mine").write_text("x")
    assert main(["handout", str(tmp_path), "--clone", str(ROOT)]) == 2
    assert capsys.readouterr().err == f"lessonlib: {tmp_path} is not empty\n"
    assert main(["handout", str(tmp_path / "new"), "--clone", str(tmp_path)]) == 2
    assert "holds no lessons: run this in a clone of the course" in capsys.readouterr().err


def test_all_is_well_here():
    found = list(doctor.examine(ROOT))
    assert [str(finding)[:3] for finding in found] == ["ok "] * 5, found
    assert "5 lessons" in found[2].what
    assert "7 documents, 8 questions, 8 answers" in found[3].what


def test_what_is_wrong_is_named_with_its_remedy(tmp_path, monkeypatch, capsys):
    lock = "# lock\nnbformat==0.1\nno-such-thing==1\nx==1 ; python_version < '3'\n"
    (tmp_path / "requirements.txt").write_text(lock)
    monkeypatch.setattr(doctor, "CHECKS", doctor.CHECKS[:2])
    monkeypatch.chdir(tmp_path)
    assert main(["doctor"]) == 1
    *_, packages, lessons, data = capsys.readouterr().out.splitlines()
    wrong = f"nbformat {nbformat.__version__} is not ==0.1; no-such-thing is missing"
    assert packages.startswith(f"NOT  3 packages as the lock asks ({wrong}): ")
    assert packages.endswith("-m pip install -r requirements.txt -e .")
    assert lessons.startswith("NOT  the lessons (FileNotFoundError: no lessons in ")
    assert data == "ok   7 documents, 8 questions, 8 answers"


def test_a_kernel_of_another_python_is_found(tmp_path, monkeypatch):
    start = "import sys; from ipykernel.kernelapp import launch_new_instance; "
    start += "sys.executable = '/another/python'; launch_new_instance()"
    argv = [sys.executable, "-c", start, "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "x", "language": "python"}
    (tmp_path / "kernels" / "python3").mkdir(parents=True)
    (tmp_path / "kernels" / "python3" / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    *_, kernel = doctor.examine(ROOT)
    assert not kernel.well
    assert "the kernel runs /another/python, not " in kernel.what
