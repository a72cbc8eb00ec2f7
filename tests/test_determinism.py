"""The same outputs under another hash seed, locale, time zone and working directory."""

import os
import subprocess
import sys

import pytest
from lesson_files import ROOT, SOLUTIONS, read

ENVIRONMENTS = [
    {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Pacific/Kiritimati"},
    {"PYTHONHASHSEED": "4242", "LC_ALL": "C.UTF-8", "TZ": "America/St_Johns"},
]
EXECUTE = """
import sys
from pathlib import Path
import nbformat
from lessonlib.authoring import dump, execute, normalise
source, target = map(Path, sys.argv[1:])
text = dump(normalise(execute(nbformat.read(source, as_version=4), target.parent)))
target.write_text(text, encoding="utf-8")
"""


@pytest.mark.parametrize("path", SOLUTIONS, ids=[path.stem for path in SOLUTIONS])
def test_a_lesson_prints_the_same_everywhere(path, tmp_path):
    """Images are left to the build's own comparison: another platform may draw other bytes."""
    expected = shown(read(path))
    for n, variables in enumerate(ENVIRONMENTS):
        target = tmp_path / str(n) / path.name
        target.parent.mkdir()
        python(["-c", EXECUTE, path, target], variables, tmp_path)
        assert shown(read(target)) == expected
        assert [file.name for file in target.parent.iterdir()] == [path.name], "a lesson left a file behind"


def python(arguments, variables, folder):
    """Run Python in a folder under some environment variables and return what it printed."""
    environment = {**os.environ, **variables}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, check=True).stdout


def shown(notebook):
    """Return the outputs of all cells without their images."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    for output in outputs:
        output.get("data", {}).pop("image/png", None)
    return outputs


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json"])
def test_a_scorecard_has_the_same_bytes_everywhere(form, tmp_path):
    command = ["-m", "lessonlib", "scorecard", "--flags", "--format", form]
    printed = {
        python(command, variables, folder) for variables in ENVIRONMENTS for folder in (tmp_path, ROOT)
    }
    assert len(printed) == 1
