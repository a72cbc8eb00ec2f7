"""What students get: the course without solutions, typical wrong answers and the instructor's tests."""

import re
import shutil
from pathlib import Path

TOP = ("LICENSE", "environment.yml", "pyproject.toml", "requirements.txt", ".gitignore")
FOLDERS = ("lessonlib", "data")
FOR_INSTRUCTORS = ("Teach with it", "Change a lesson")  # sections of the README
SOLUTION = re.compile(r"^### Solution\n.*?(?=^##|\Z)", re.M | re.S)  # of a sheet, to the next heading


def handout(clone: Path, folder: Path) -> list[Path]:
    """Copy into a new `folder` what students of the course in `clone` get, and return the files written.

    The student editions, the package, the data and the README without what is for instructors; sheets lose
    their solutions. `python -m pytest` works there: it runs every lesson again and compares the outputs. A
    folder that is not empty, or a clone without lessons, is a ValueError.
    """
    lessons = sorted((clone / "notebooks").glob("*.ipynb"))
    if not lessons:
        raise ValueError(f"{clone / 'notebooks'} holds no lessons: run this in a clone of the course")
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{folder} is not empty")
    notebooks = folder / "notebooks"
    notebooks.mkdir(parents=True, exist_ok=True)
    for path in [*lessons, *(clone / "notebooks").glob("*.png")]:
        shutil.copyfile(path, notebooks / path.name)
    for name in FOLDERS:
        shutil.copytree(clone / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "_data"))
    for name in TOP:
        if (clone / name).exists():
            shutil.copyfile(clone / name, folder / name)
    for sheet in (folder / "lessonlib" / "exercises").glob("*.md"):
        _rewrite(sheet, SOLUTION.sub("", sheet.read_text(encoding="utf-8")))
    readme = (clone / "README.md").read_text(encoding="utf-8")
    first, *sections = re.split(r"^## ", readme, flags=re.M)
    kept = [f"## {section}" for section in sections if section.partition("\n")[0] not in FOR_INSTRUCTORS]
    _rewrite(folder / "README.md", "".join([first, *kept]))
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _rewrite(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
