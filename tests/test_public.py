"""data/public holds figures only, and its maker makes them again, byte for byte."""

import csv
import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

from lessonlib.data import data_folder

PUBLIC = data_folder() / "public"
ORIGINALS = "LESSONLIB_PUBLIC"  # names the folder of the originals; data/README.md says how to fetch them
SPEC = importlib.util.spec_from_file_location("make_public", PUBLIC / "make.py")
make = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make)


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.skipif(ORIGINALS not in os.environ, reason=f"{ORIGINALS} does not name the originals' folder")
def test_the_originals_make_the_same_bytes(tmp_path):
    make.main(os.environ[ORIGINALS], tmp_path)
    for name in ("nq301.csv", "beetle.csv"):
        assert (tmp_path / name).read_bytes() == (PUBLIC / name).read_bytes()


def test_the_tables_hold_the_answers_and_no_text():
    nq301, beetle = rows(PUBLIC / "nq301.csv"), rows(PUBLIC / "beetle.csv")
    assert (len(nq301), len({row["question"] for row in nq301})) == (1490, 301)
    assert (len(beetle), len({row["question"] for row in beetle})) == (1258, 56)
    assert sum(row["part"] == "unseen-answers" for row in beetle) == 439
    for row in [*nq301, *beetle]:
        assert re.fullmatch(r"[A-La-l]*", row.pop("systems", ""))
        assert row.pop("part", "unseen-answers") in ("unseen-answers", "unseen-questions")
        assert all(re.fullmatch(r"|\d+|[01]\.\d{1,4}", value) for value in row.values()), row
    assert sum((PUBLIC / name).stat().st_size for name in ("nq301.csv", "beetle.csv")) < 250_000


# --- the maker on small files of the same form -----------------------------------------------------------

ANSWERS = [  # id, question, answer, verdict, three people; golds, BEM, GPT-4
    ("1", "what is the port", "Port 7701", "Yes", "Yes", "Yes", "", "7701 | port 7701", "Yes", "Yes"),
    ("1", "what is the port", "the 7701.", "Yes", "Yes", "", "Yes", "7701 | port 7701", "No", ""),
    ("2", "who may restore", 'the "owner" of it all', "No", "Yes", "No", "No", "owner", "No", "No"),
]
OUTPUTS = {  # by question: the predictions of the first three systems; the other nine answer nothing
    "what is the port": ["port 7701", "The 7701", ["the 7701.", "7701"]],
    "who may restore": ["nobody", 'the "owner" of it all', 'the "owner" of it all'],
}
EXPLANATION = """<?xml version="1.0"?>
<question id="Q"><referenceAnswers><referenceAnswer>no path is closed</referenceAnswer>
<referenceAnswer>a gap</referenceAnswer></referenceAnswers><studentAnswers>
<studentAnswer accuracy="correct">There is a gap</studentAnswer>
<studentAnswer accuracy="contradictory">a path is closed</studentAnswer>
<studentAnswer accuracy="incorrect">42</studentAnswer></studentAnswers></question>"""


def quoted(cells):
    return "\t".join(f'"{cell.replace(chr(34), chr(34) * 2)}"' if '"' in cell else cell for cell in cells)


@pytest.fixture
def originals(tmp_path):
    """The originals as two archives, written here."""
    folder = tmp_path / "originals"
    outputs = folder / "nq" / "model_outputs"
    outputs.mkdir(parents=True)
    tables = {
        "human": [answer[:7] for answer in ANSWERS],
        "BEM": [(str(i), a[1], a[7], a[2], a[8], "") for i, a in enumerate(ANSWERS)],
        "gpt-4": [(*answer[:3], answer[9], "a comment") for answer in ANSWERS],
    }
    for name, cells in tables.items():
        lines = ["\t".join(["column"] * len(cells[0])), *map(quoted, cells)]
        (folder / "nq" / f"NQ301_{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for number in range(12):
        lines = [
            json.dumps({"question": question, "prediction": given[number]}) + "\n"
            for question, given in OUTPUTS.items()
            if number < 3
        ]
        (outputs / f"{number:02}.jsonl").write_text("".join(lines), encoding="utf-8")
    with zipfile.ZipFile(folder / "beetle.zip", "w") as archive:
        for part in ("test-unseen-answers", "test-unseen-questions"):
            archive.writestr(f"some/3way/beetle/{part}/Q.xml", EXPLANATION)
            archive.writestr(f"__MACOSX/some/3way/beetle/{part}/._Q.xml", b"\0")
        archive.writestr("some/training/3way/beetle/Q.xml", EXPLANATION)
    return folder


def test_the_maker_joins_by_line_and_scores_with_the_first_and_all_references(originals, tmp_path):
    with tarfile.open(originals / "nq.tar.gz", "w:gz") as archive:
        archive.add(originals / "nq", "nq")
    for path in (originals / "nq").rglob("*.*"):
        path.unlink()
    make.main(str(originals), tmp_path)
    first, second, third = rows(tmp_path / "nq301.csv")
    columns = ["question", "systems", "right", "agreed", "bem", "gpt4", "words", "references", "digits"]
    assert [first[name] for name in columns] == ["1", "A", "1", "1", "1", "1", "2", "2", "1"]
    assert [second[name] for name in columns] == ["1", "bC", "1", "", "0", "", "2", "2", "1"]
    assert [third[name] for name in columns] == ["2", "BC", "0", "0", "0", "0", "5", "1", "0"]
    scores = ["exact_match_first", "exact_match_all", "f1_first", "f1_all", "recall_first", "contains_all"]
    assert [first[name] for name in scores] == ["0", "1", "0.6667", "1", "1", "1"]
    assert [third[name] for name in scores] == ["0", "0", "0.4", "0.4", "1", "1"]
    explanations = rows(tmp_path / "beetle.csv")
    assert [row["question"] for row in explanations] == ["1"] * 3 + ["2"] * 3
    assert [(row["right"], row["contradictory"]) for row in explanations[:3]] == [
        ("1", "0"), ("0", "1"), ("0", "0"),
    ]  # fmt: skip
    assert [row["f1_all"] for row in explanations[:3]] == ["0.5", "0.8571", "0"]
    assert "path" not in (tmp_path / "beetle.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        ("NQ301_gpt-4.tsv", "NQ301, line 3: the tables hold different questions"),
        ("11.jsonl", "model_outputs/ needs the files of 12 systems, not 11"),
        ("NQ301_BEM.tsv", "one file that ends in NQ301_BEM.tsv is needed, not 0"),
        ("beetle.zip", "there is no file of a folder 3way/beetle/test-unseen-answers"),
    ],
)
def test_wrong_originals_are_refused_and_nothing_is_written(originals, tmp_path, spoil, message):
    path = next(originals.rglob(spoil))
    text = "" if spoil != "NQ301_gpt-4.tsv" else path.read_text(encoding="utf-8")
    path.unlink()
    if text:
        path.write_text(text.replace("what is the port\tthe", "which port\tthe"), encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        make.main(str(originals), tmp_path)
    assert not list(tmp_path.glob("*.csv"))


def test_the_command_refuses_with_a_sentence(tmp_path):
    commands = {(): "usage: python data/public/make.py FOLDER\n"}
    commands[tmp_path,] = "make.py: one file that ends in NQ301_human.tsv is needed, not 0\n"
    for arguments, message in commands.items():
        done = subprocess.run(
            [sys.executable, PUBLIC / "make.py", *arguments], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (1, message)
