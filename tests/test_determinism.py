"""The same outputs in an unfriendly environment as in the friendly one that nbval and the build run in."""

import os
import subprocess
import sys

import pytest
from hostile import ENVIRONMENT
from lesson_files import SOLUTIONS, read

from lessonlib.__main__ import main
from lessonlib.authoring import execute


@pytest.mark.parametrize("path", SOLUTIONS, ids=[path.stem for path in SOLUTIONS])
def test_a_lesson_prints_the_same_everywhere(path, tmp_path, monkeypatch):
    """Images are left to the build's own comparison: another platform may draw other bytes."""
    for name, text in ENVIRONMENT.items():
        monkeypatch.setenv(name, text)
    assert shown(execute(read(path), tmp_path)) == shown(read(path))
    assert not list(tmp_path.iterdir()), "a lesson left a file behind"


def shown(notebook):
    """Return the outputs of all cells without their images."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    for output in outputs:
        output.get("data", {}).pop("image/png", None)
        output.pop("execution_count", None)
    return outputs


def test_a_scorecard_has_the_same_bytes_everywhere(tmp_path, capsysbinary):
    commands = [["scorecard", "--flags", "--format", form] for form in ("text", "markdown", "csv", "json")]
    assert [main(command) for command in commands] == [0] * 4
    friendly = capsysbinary.readouterr()
    program = f"from lessonlib.__main__ import main\nfor command in {commands}: main(command)"
    unfriendly = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **ENVIRONMENT},
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert unfriendly.stdout == friendly.out
    assert unfriendly.stderr == friendly.err
