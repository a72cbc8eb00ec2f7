"""The instructor's and the author's commands; each imports what it needs when it runs."""

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[[argparse.Namespace], int]


def add_commands(commands: Any) -> None:
    """Add the commands to the subparsers of the command line."""

    def command(name: str, run: Run, words: str) -> Any:
        parser = commands.add_parser(name, help=words)
        parser.set_defaults(run=run)
        return parser

    def folder(parser: Any) -> None:
        parser.add_argument(
            "--notebooks", type=Path, default=Path("notebooks"), help="the folder of the lessons"
        )

    for name, words in (
        ("build", "rebuild both editions of all lessons"),
        ("check", "say what build would change"),
    ):
        made = command(name, _build, words)
        made.set_defaults(write=name == "build", force=False)
        made.add_argument("lessons", nargs="*", help="names such as 01_exact_match (default: all)")
        folder(made)
        if name == "build":
            made.add_argument("--force", action="store_true", help="also over an edited student edition")

    graded = command("grade", _grade, "grade a folder of notebooks, a folder in it for each student")
    graded.add_argument("submissions", type=Path, help="FOLDER/<student>/**/*.ipynb")
    graded.add_argument("--out", type=Path, required=True, help="a CSV: one row a student and lesson")
    graded.add_argument("--lessons", nargs="+", help="names such as 01_exact_match (default: all)")
    folder(graded)
    graded.add_argument("--report", type=Path, metavar="HTML", help="also a page on what the class thinks")
    graded.add_argument("--feedback", type=Path, metavar="FOLDER", help="also a page for each student")
    graded.add_argument("--jobs", type=int, default=1, help="notebooks that run at a time (default: 1)")
    graded.add_argument("--seconds", type=int, default=60, help="what one cell may take (default: 60)")

    given = command("handout", _handout, "copy what students get: no solutions, no tests of them")
    given.add_argument("folder", type=Path, help="a new folder")
    given.add_argument("--clone", type=Path, default=Path(), help="the course (default: this folder)")

    command("doctor", _doctor, "find out what is wrong with this installation, and what to do")
    study = command("study", _study, "open Lesson 1 in JupyterLab, the solutions out of sight")
    study.add_argument("options", nargs="*", help="after --: options of JupyterLab, such as --no-browser")


def _build(arguments: argparse.Namespace) -> int:
    from ..authoring import build

    changed = build(arguments.notebooks, arguments.lessons, arguments.write, arguments.force)
    for path in changed:
        print(f"{'wrote' if arguments.write else 'out of step:'} {path}")
    if not changed:
        print("every notebook is as its solutions edition makes it")
    return 1 if changed and not arguments.write else 0


def _grade(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from ..text import known
    from .classroom import class_report, feedback
    from .grading import grade, table

    lessons = {path.stem: path for path in sorted(arguments.notebooks.glob("*.ipynb"))}
    if not lessons:
        raise ValueError(f"{arguments.notebooks} holds no lessons")
    chosen = [known("lesson", name, lessons) for name in arguments.lessons or lessons]
    for path in (arguments.out, arguments.report):
        if path is not None and not path.parent.is_dir():
            raise ValueError(f"{path.parent} is not a folder")
    students = sum(path.is_dir() for path in arguments.submissions.glob("[!.]*"))

    def bar(rows: Any) -> Any:
        return tqdm(rows, total=students * len(chosen), unit="notebook", disable=None)

    grades = grade(arguments.submissions, chosen, arguments.seconds, arguments.jobs, bar)
    arguments.out.write_text(table(grades), encoding="utf-8", newline="\n")
    if arguments.report is not None:
        arguments.report.write_text(class_report(grades), encoding="utf-8", newline="\n")
    if arguments.feedback is not None:
        arguments.feedback.mkdir(parents=True, exist_ok=True)
        for name in dict.fromkeys(row.student for row in grades):
            own = feedback([row for row in grades if row.student == name])
            (arguments.feedback / f"{name}.html").write_text(own, encoding="utf-8", newline="\n")
    odd = sum(bool(row.note) for row in grades)
    print(f"{len(grades)} rows in {arguments.out}; odd submissions: {odd}")
    return 0


def _handout(arguments: argparse.Namespace) -> int:
    from .handout import handout

    written = handout(arguments.clone, arguments.folder)
    print(f"{len(written)} files in {arguments.folder}; no solutions among them")
    return 0


def _doctor(_: argparse.Namespace) -> int:
    from .doctor import examine

    wrong = 0
    for finding in examine(Path()):
        print(finding, flush=True)
        wrong += not finding.well
    return 1 if wrong else 0


FIRST = "/lab/tree/notebooks/01_exact_match.ipynb"


def _study(arguments: argparse.Namespace) -> int:
    lab = [sys.executable, "-m", "jupyterlab", f"--LabApp.default_url={FIRST}"]
    return subprocess.call([*lab, "--ContentsManager.hide_globs=solutions", *arguments.options])
