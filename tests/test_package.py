"""The package as others get it: light to import, whole when installed, and the same from any folder."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from lesson_files import ROOT

import lessonlib

HEAVY = ("pandas", "numpy", "matplotlib", "anthropic", "nltk", "jsonschema", "nbformat", "nbclient", "tqdm")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def python(*arguments, folder, **environ):
    """Run Python without the clone on its path, in isolation from the user's settings."""
    clean = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**clean, **environ},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "statement",
    [
        "import lessonlib",
        "import lessonlib.data, lessonlib.docent, lessonlib.text, lessonlib.numeric, lessonlib.bleu",
        "from lessonlib.exercises import check",
        "from lessonlib.__main__ import main; main",
    ],
)
def test_importing_is_light(tmp_path, statement):
    program = f"import sys; {statement}; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert python("-c", program, folder=tmp_path) == "[]\n"


def test_scoring_one_pair_needs_none_of_them(tmp_path):
    program = (
        "import sys, lessonlib; print(lessonlib.token_f1('It costs 25 dollars.', '25 dollars'), "
        "lessonlib.score('bleu_4', 'a b c d', 'a b c d'), "
        f"[name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert python("-c", program, folder=tmp_path) == "0.6666666666666666 1.0 []\n"


def test_names_and_version_are_those_of_the_project():
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "lessonlib/version.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", lessonlib.__version__)
    for name in lessonlib.__all__:
        assert getattr(lessonlib, name) is not None
    assert lessonlib.__all__ == sorted(lessonlib.__all__, key=lambda name: (name.islower(), name))


# --- as it is installed ----------------------------------------------------------------------------------


def assert_works_alone(site, folder):
    """Assert that the package in `site` holds its data and scores them, whatever else is installed."""
    start = f"import sys; sys.path.insert(0, {str(site)!r}); "
    where = python("-c", start + "import lessonlib; print(lessonlib.__file__)", folder=folder)
    assert Path(where.strip()).parent == site / "lessonlib"
    assert sorted(path.name for path in (site / "lessonlib" / "_data").iterdir()) == sorted(
        path.name for path in (ROOT / "data").iterdir()
    )
    run = start + "from lessonlib.__main__ import main; sys.exit(main(['scorecard', '--answers', 'run1']))"
    printed = python("-c", run, folder=folder).splitlines()
    assert [line.split()[0] for line in printed[1:10]] == [*(f"q{n}" for n in range(1, 9)), "mean"]
    assert printed[9].split() == ["mean", "0.00", "0.44", "0.42"]


def test_laid_out_as_the_wheel_says_it_runs_without_the_clone(tmp_path):
    """What pyproject.toml tells the builder to put into the wheel is enough to run."""
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel == {"packages": ["lessonlib"], "force-include": {"data": "lessonlib/_data"}}
    site, folder = tmp_path / "site", tmp_path / "elsewhere"
    folder.mkdir()
    caches = shutil.ignore_patterns("__pycache__", "_data")
    for package in wheel["packages"]:
        shutil.copytree(ROOT / package, site / package, ignore=caches)
    for source, target in wheel["force-include"].items():
        shutil.copytree(ROOT / source, site / target)
    assert_works_alone(site, folder)


@pytest.mark.skipif(find_spec("hatchling") is None, reason="the builder, hatchling, is not installed")
def test_a_wheel_holds_package_data_and_licence_and_runs_without_the_clone(tmp_path):
    wheels, site, folder = tmp_path / "wheels", tmp_path / "site", tmp_path / "elsewhere"
    folder.mkdir()
    python("-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels), folder=ROOT)
    (wheel,) = wheels.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(site)
    for source, target in (("lessonlib", "lessonlib"), ("data", "lessonlib/_data")):
        for path in (ROOT / source).rglob("*"):
            if path.is_file() and path.suffix in (".py", ".jsonl", ".json", ".md"):
                assert f"{target}/{path.relative_to(ROOT / source).as_posix()}" in names
    assert {name.split("/")[0] for name in names} == {
        "lessonlib",
        f"lessonlib-{lessonlib.__version__}.dist-info",
    }
    assert any(name.endswith("LICENSE") for name in names)
    assert_works_alone(site, folder)
