"""What may be wrong with an installation, in one screen, and what to do about it."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import NamedTuple

LEAST = (3, 11)


class Finding(NamedTuple):
    """One line of the screen: whether it is well, what was looked at, and what to do if it is not."""

    well: bool
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        """Return the line."""
        return f"{'ok ' if self.well else 'NOT'}  {self.what}{'' if self.well else f': {self.remedy}'}"


def examine(folder: Path) -> Iterator[Finding]:
    """Yield what was found: Python, packages, folder, data, and a kernel that runs a cell."""
    found = ".".join(map(str, sys.version_info[:3]))
    yield Finding(sys.version_info >= LEAST, f"Python {found}", "install Python 3.11 or later")
    yield _packages(folder / "requirements.txt")
    for what, look, remedy in CHECKS:
        try:
            yield Finding(True, look(folder) or what)
        except Exception as error:  # noqa: BLE001  whatever is wrong is one line of the screen
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            yield Finding(False, f"{what} ({reason:.200})", remedy)


def _packages(lock: Path) -> Finding:
    """Compare what is installed with the lock beside the lessons, or else with what the package asks for."""
    from packaging.requirements import Requirement

    lines = lock.read_text(encoding="utf-8").splitlines() if lock.exists() else requires("lessonlib") or []
    wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
    wrong = []
    for requirement in wanted:
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            found = version(requirement.name)
        except PackageNotFoundError:
            wrong.append(f"{requirement.name} is missing")
            continue
        if not requirement.specifier.contains(found, prereleases=True):
            wrong.append(f"{requirement.name} {found} is not {requirement.specifier}")
    more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
    what = f"{len(wanted)} packages as {'the lock' if lock.exists() else 'the package'} asks"
    listed = f"{what} ({'; '.join(wrong[:5])}{more})" if wrong else what
    return Finding(not wrong, listed, f"{Path(sys.executable).name} -m pip install -r requirements.txt -e .")


def _lessons(folder: Path) -> str:
    names = sorted(path.stem for path in (folder / "notebooks").glob("*.ipynb"))
    if not names:
        raise FileNotFoundError(f"no lessons in {folder / 'notebooks'}")
    with tempfile.NamedTemporaryFile(dir=folder / "notebooks"):  # a folder that cannot be written loses work
        return f"{len(names)} lessons in a folder that can be written"


def _data(_: Path) -> str:
    from ..data import load_answers, load_documents, load_golden

    return f"{len(load_documents())} documents, {len(load_golden())} questions, {len(load_answers())} answers"


def _kernel(folder: Path) -> str:
    import nbformat
    from nbclient import NotebookClient

    cell = nbformat.v4.new_code_cell("import sys, lessonlib; print(sys.executable)")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    where = {"metadata": {"path": str(folder / "notebooks")}}
    with open(os.devnull, "w", encoding="utf-8") as null:
        NotebookClient(notebook, timeout=60, kernel_name="python3", resources=where).execute(stderr=null)
    runs = cell.outputs[0].text.strip()
    if Path(runs).absolute() != Path(sys.executable).absolute():
        raise RuntimeError(f"the kernel runs {runs}, not {sys.executable}")
    return "a notebook runs, in this Python"


REINSTALL = "install again from the folder of the course, as its README says"
CHECKS: tuple[tuple[str, Callable[[Path], str], str], ...] = (
    ("the lessons", _lessons, "change to the folder of the course, and see that it can be written"),
    ("the data", _data, REINSTALL),
    ("the kernel", _kernel, f"{REINSTALL}, and start Jupyter from the same environment"),
)
