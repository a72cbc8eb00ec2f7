"""Make nq301.csv and beetle.csv, figures only, from the originals: `python data/public/make.py FOLDER`.

FOLDER holds the originals in any form: unpacked, or as .zip and .tar.gz archives. data/README.md says where
they come from and what each column means. No question, reference or answer text is written.
"""

import csv
import io
import json
import re
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from lessonlib.metrics import score, token_overlap
from lessonlib.text import NORMALIZERS, squad_tokens

SYSTEMS = "ABCDEFGHIJKL"  # in the order of the names of their files
PARTS = ("test-unseen-answers", "test-unseen-questions")
YES_NO = {"Yes": 1, "No": 0, "": ""}
WANTED = (".tsv", ".jsonl", ".xml")


def recall(prediction: str, references: Sequence[str]) -> float:
    """Return the largest share of a reference's tokens that the prediction has."""
    return max(token_overlap(prediction, reference).recall for reference in references)


def contains(prediction: str, references: Sequence[str]) -> int:
    """Return 1 if the tokens of a reference stand in the prediction in a row, else 0."""
    text = f" {' '.join(squad_tokens(prediction))} "
    return int(any(f" {' '.join(squad_tokens(reference))} " in text for reference in references))


Rule = Callable[[str, Sequence[str]], float]
Row = dict[str, object]
RULES: dict[str, Rule] = {name: partial(score, name) for name in ("exact_match", "f1", "rouge_l", "bleu_4")}
RULES |= {"recall": recall, "contains": contains}
RULES["chrf++_lower"] = partial(score, "chrf++", normalizer="lower")


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the tables, outputs and questions below a folder, archives opened, by path."""
    found: dict[str, bytes] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.suffix in WANTED:
            found[path.as_posix()] = path.read_bytes()
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                found |= {name: archive.read(name) for name in archive.namelist() if name.endswith(WANTED)}
        elif path.name.endswith((".tar.gz", ".tgz")):
            with tarfile.open(path) as archive:
                for member in archive:
                    content = archive.extractfile(member) if member.name.endswith(WANTED) else None
                    if content is not None:
                        found[member.name] = content.read()
    return found


def only(files: dict[str, bytes], ending: str) -> str:
    """Return the text of the one file with that ending."""
    names = [name for name in files if name.endswith(ending)]
    if len(names) != 1:
        raise ValueError(f"one file that ends in {ending} is needed, not {len(names)}")
    return files[names[0]].decode("utf-8")


def nq301(files: dict[str, bytes]) -> Iterator[Row]:
    """Yield one row an answer of NQ301, in the order of the tables."""
    human, bem, gpt4 = (
        list(csv.reader(io.StringIO(only(files, f"NQ301_{name}.tsv"), newline=""), delimiter="\t"))[1:]
        for name in ("human", "BEM", "gpt-4")
    )
    given = systems(files, [(row[1], row[2]) for row in human])
    numbers = {question: number for number, question in enumerate(dict.fromkeys(row[1] for row in human), 1)}
    # The ids of the three tables differ, their order does not: they are joined by line number.
    for line, (verdict, theirs, model) in enumerate(zip(human, bem, gpt4, strict=True)):
        _, question, answer, right, first, second, _ = verdict
        if not question == theirs[1] == model[1]:
            raise ValueError(f"NQ301, line {line + 2}: the tables hold different questions")
        yield {
            "question": numbers[question],
            "systems": given[line],
            "right": YES_NO[right],
            "agreed": int(first == second) if first and second else "",
            "bem": YES_NO[theirs[4]],
            "gpt4": YES_NO[model[3]],
            **figures(answer, theirs[2].split(" | ")),
        }


def systems(files: dict[str, bytes], answers: list[tuple[str, str]]) -> list[str]:
    """Return which systems gave each answer, as letters.

    A system's answer is looked up as it stands, then without regard to case, then after SQuAD's normalizer;
    the letter is small where only the last finds it.
    """
    forms: list[Callable[[str], str]] = [str, str.lower, NORMALIZERS["squad"]]
    tables: list[dict[tuple[str, str], int]] = [{} for _ in forms]
    for line, (question, answer) in enumerate(answers):
        for form, table in zip(forms, tables, strict=True):
            table.setdefault((question, form(answer)), line)
    given = [""] * len(answers)
    outputs = sorted(name for name in files if "model_outputs/" in name)
    if len(outputs) != len(SYSTEMS):
        raise ValueError(f"model_outputs/ needs the files of {len(SYSTEMS)} systems, not {len(outputs)}")
    for letter, name in zip(SYSTEMS, outputs, strict=True):
        for output in map(json.loads, files[name].decode("utf-8").splitlines()):
            prediction = output["prediction"]
            text = prediction[0] if isinstance(prediction, list) else prediction
            keys = [(output["question"], form(text)) for form in forms]
            places = [table.get(key) for key, table in zip(keys, tables, strict=True)]
            line = next((place for place in places if place is not None), None)
            if line is not None:
                given[line] += letter if line in places[:2] else letter.lower()
    return given


def beetle(files: dict[str, bytes]) -> Iterator[Row]:
    """Yield one row an answer of the two test parts of Beetle, in the order of file names."""
    names = [name for part in PARTS for name in sorted(files) if re.search(rf"3way/beetle/{part}/\w", name)]
    if not names:
        raise ValueError(f"there is no file of a folder 3way/beetle/{PARTS[0]}")
    for number, name in enumerate(names, 1):
        root = ElementTree.fromstring(files[name])
        references = [element.text or "" for element in root.iter("referenceAnswer")]
        for element in root.iter("studentAnswer"):
            label = element.attrib["accuracy"]
            if label not in ("correct", "contradictory", "incorrect"):
                raise ValueError(f"{name}: unknown label {label!r}")
            yield {
                "question": number,
                "part": name.split("/")[-2].removeprefix("test-"),
                "right": int(label == "correct"),
                "contradictory": int(label == "contradictory"),
                **figures(element.text or "", references),
            }


def figures(answer: str, references: list[str]) -> Row:
    """Return the figures of one answer: sizes, then every rule with the first and with all references."""
    row: Row = {"words": len(answer.split()), "references": len(references)}
    row["digits"] = int(any(letter.isdigit() for letter in references[0]))
    for name, rule in RULES.items():
        for which, some in (("first", references[:1]), ("all", references)):
            row[f"{name}_{which}"] = f"{rule(answer, some):.4f}".rstrip("0").rstrip(".")
    return row


def main(folder: str, out: Path = Path(__file__).parent) -> None:
    """Write both tables into `out`."""
    files = read_files(Path(folder))
    for name, rows in (("nq301", list(nq301(files))), ("beetle", list(beetle(files)))):
        with (out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python data/public/make.py FOLDER")
    try:
        main(sys.argv[1])
    except ValueError as error:
        raise SystemExit(f"make.py: {error}") from None
