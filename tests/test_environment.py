"""The files that say what is installed agree with each other, and with what the README tells."""

import re
import subprocess
import tomllib

import pytest
import yaml
from lesson_files import ROOT
from packaging.requirements import Requirement

from lessonlib.__main__ import main

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RANGES = [Requirement(line) for line in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]]
LOCK = [
    Requirement(line)
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_lock_pins_every_package_to_one_version_by_name_alone():
    for requirement in LOCK:
        assert re.fullmatch(r"==[\w.]+", str(requirement.specifier)), requirement
        assert requirement.url is None, requirement
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert not re.search(r"^\s*-|://", text, re.M), "an option or an address stands in the lock"


@pytest.mark.parametrize("wanted", RANGES, ids=str)
def test_every_range_of_pyproject_is_met_by_the_lock(wanted):
    pins = [pin for pin in LOCK if pin.name.lower().replace("_", "-") == wanted.name.lower()]
    assert pins, f"{wanted.name} is not in requirements.txt"
    for pin in pins:
        assert str(pin.specifier).removeprefix("==") in wanted.specifier


def test_conda_environment_installs_the_lock_and_the_package_and_nothing_else():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *conda, pip = environment["dependencies"]
    assert conda == ["python=3.11", "pip"]
    assert pip == {"pip": ["-r requirements.txt", "-e ."]}
    assert "3.11" in Requirement(f"python{PROJECT['requires-python']}").specifier


def test_continuous_integration_runs_the_command_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"grep -m 1 -E '(.+?)' README.md", script)[1]
    commands = [line for line in README.splitlines() if re.search(pattern, line)]
    steps = [
        "python3 -m venv .venv",
        ".venv/bin/pip install -r requirements.txt -e .",
        ".venv/bin/python -m pytest",
    ]
    assert commands == [" && ".join(steps)]


def test_every_way_to_study_opens_lesson_1_and_hides_the_solutions(monkeypatch):
    assert len(re.findall("-m lessonlib study$", README, re.M)) == 4, "venv, Windows, uv, conda"
    called = []
    monkeypatch.setattr("subprocess.call", lambda command: called.append(command) or 0)
    assert main(["study", "--", "--no-browser"]) == 0
    opened = re.search("LabApp.default_url=/lab/tree/(\\S+)", " ".join(called[0]))[1]
    assert opened == "notebooks/01_exact_match.ipynb"
    assert (ROOT / opened).exists()
    assert called[0][-2:] == ["--ContentsManager.hide_globs=solutions", "--no-browser"]


def test_readme_names_only_files_that_exist():
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", README):
        assert (ROOT / target).exists(), target


def test_nothing_else_stands_at_the_top():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git clone")
    top = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert {".ci", ".gitignore"} <= top
    # A fork may add what its host reads, such as .github or .gitlab-ci.yml.
    assert {name for name in top if not name.startswith(".")} == {
        "LICENSE", "README.md", "data", "environment.yml", "lessonlib", "notebooks", "pyproject.toml",
        "requirements.txt", "tests",
    }  # fmt: skip
