"""guess() before a surprise, truth() after it, and what a student has done so far.

Nothing here is graded and nothing is sent. Guesses, tries and passes are kept in a file beside the notebooks,
`my_progress.json`, for the next lesson to come back to; delete it at will. Where a lesson is built, tested or
graded, no file is read or written: no output depends on one.
"""

import html
import json
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from .values import TODO, is_bool, is_number, same, show, unfinished

FILE = Path("my_progress.json")
MIME = "application/vnd.lessonlib.guess+json"
NO_FILE = ("LESSONLIB_BUILD", "NBGRADER_EXECUTION", "PYTEST_CURRENT_TEST")  # set where nobody studies
TYPES = {"guesses": list, "tries": int, "passed": bool}  # what the file holds under each name


class Line(NamedTuple):
    """One line for a student; `data` is the same for programs."""

    text: str
    data: dict[str, Any]

    def __repr__(self) -> str:
        """Return the line."""
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        # Dollar signs are prices here; without the two classes JupyterLab would typeset them as formulas.
        kept = "white-space: pre-wrap"  # the lines of a solution, the rows of a list
        box = f'<div class="mathjax_ignore tex2jax_ignore" style="{kept}">{html.escape(self.text)}</div>'
        return {"text/plain": self.text, "text/html": box, MIME: self.data}


# --- what is kept ----------------------------------------------------------------------------------------


class Notes:
    """What one student has guessed, tried and passed, in memory and in a file where one is kept.

    `guesses` maps a number to [guess, truth], `tries` counts failed checks, `passed` says which were passed.
    """

    def __init__(self) -> None:
        """Start with nothing: the file is read when it is first needed."""
        self.guesses: dict[str, list[Any]] = {}
        self.tries: dict[str, int] = {}
        self.passed: dict[str, bool] = {}
        self.problem = ""
        self._read = False

    def read(self) -> "Notes":
        """Add what the file holds; one that is damaged is left alone, and `problem` says so."""
        if not self._read and studies() and FILE.exists():
            try:
                content = json.loads(FILE.read_text(encoding="utf-8"))
                for name, kind in TYPES.items():
                    entries = content[name].items()
                    if not all(isinstance(entry, kind) for _, entry in entries):
                        raise ValueError(f"{name!r} holds something else")
                    getattr(self, name).update(entries)
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                self.problem = f"{FILE} cannot be read ({error}): delete it, or nothing more is kept"
        self._read = True
        return self

    def write(self) -> None:
        """Put everything into the file, wholly or not at all."""
        if not studies() or self.problem:
            return
        beside = FILE.with_suffix(".new")
        try:
            content = {name: getattr(self, name) for name in TYPES}
            beside.write_text(json.dumps(content, indent=1), encoding="utf-8")
            beside.replace(FILE)
        except OSError as error:
            self.problem = f"{FILE} cannot be written ({error}): nothing is kept after this session"


NOTES = Notes()


def studies() -> bool:
    """Say whether a student is at work: nobody builds, tests or grades."""
    return not any(os.environ.get(name) for name in NO_FILE)


def keep_check(number: str, status: str) -> None:
    """Keep the outcome of a check: "failed" is one more try, "passed" a pass."""
    notes = NOTES.read()
    if status == "passed":
        notes.passed[number] = True
    elif status == "failed":
        notes.tries[number] = notes.tries.get(number, 0) + 1
    notes.write()


# --- guess and truth -------------------------------------------------------------------------------------


def guess(number: str, answer: Any = TODO, choices: tuple[str, ...] = ()) -> Line | None:
    """Keep what a student expects: a number, a text (one of `choices`, where there are some), or a list.

    An untouched TODO keeps nothing and shows nothing. Never raises; what is no guess is one sentence.
    """
    if unfinished(answer):
        NOTES.read().guesses.pop(number, None)
        return None
    parts = answer if isinstance(answer, list | tuple) else [answer]
    if not all(isinstance(part, str) or is_number(part) for part in parts):
        problem = f"a guess is a number, a text or a list of them, not {show(answer)}."
    elif choices and answer not in choices:
        problem = f"choose one of {', '.join(map(show, choices))}, not {show(answer)}."
    else:
        answer = [_plain(part) for part in parts] if isinstance(answer, list | tuple) else _plain(answer)
        NOTES.read().guesses[number] = [answer]
        return _line(number, f"noted: {show(answer)}", answer)
    return _line(number, problem, None)


def truth(number: str, value: Any, shown: Any = None, within: float = 0.0) -> Line | None:
    """Show the value that a guess was about, and beside it the guess, if one was made.

    `shown` is what to show in place of the bare value: a picture, a table, a text. A number is right if it is
    at most `within` away. Returns nothing where there is nothing more to say.
    """
    print("the answer:")  # JupyterLab shows the first line of an output that is folded away
    if isinstance(shown, str):
        print(shown)
    elif shown is not None:
        from IPython.display import display

        display(shown)
    guessed = NOTES.read().guesses.get(number)
    if not guessed:
        return None if shown is not None else _line(number, show(value), None, value)
    NOTES.guesses[number] = [guessed[0], _kept(value), within]
    NOTES.write()
    right = _miss(*NOTES.guesses[number]) == 0
    verdict = "right" if right else f"it is {show(value)}"
    line = _line(number, f"you said {show(guessed[0])}: {verdict}", guessed[0], value)
    line.data["right"] = right
    return line


def _line(number: str, text: str, guessed: Any, value: Any = None) -> Line:
    notes = NOTES.problem and f"  ({NOTES.problem})"
    return Line(f"{number}  {text}{notes}", {"guess": number, "said": guessed, "truth": _kept(value)})


def _plain(part: Any) -> Any:
    return part if isinstance(part, str | bool | int) else float(part)


def _kept(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    if isinstance(value, list | tuple):
        return [_kept(part) for part in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return float(value) if is_number(value) else str(value)


def _miss(guessed: Any, value: Any = None, within: float = 0.0) -> float:
    """Return how far a guess was off, from 0 (right) to 1: part of the larger number, share of a list."""
    if isinstance(guessed, list) and isinstance(value, list) and len(guessed) == len(value) and value:
        pairs = zip(guessed, value, strict=True)
        return sum(_miss(mine, theirs, within) for mine, theirs in pairs) / len(value)
    if _measures(guessed) and _measures(value):
        off = abs(guessed - value)
        return 0.0 if off <= within + 1e-9 else min(1.0, off / max(abs(guessed), abs(value), 1))
    return float(not same(guessed, value))


def _measures(value: Any) -> bool:
    return is_number(value) and not is_bool(value) and not isinstance(value, str)


# --- looking back ----------------------------------------------------------------------------------------


def recall(lesson: int, most: int = 3) -> Line:
    """Show the guesses of a lesson that were furthest from the truth, worst first."""
    answered = _answered(lesson)
    wrong = {number: pair for number, pair in answered.items() if _miss(*pair)}
    worst = sorted(wrong, key=lambda number: -_miss(*wrong[number]))[:most]
    lines = [
        f"{number}: you said {show(wrong[number][0])}, it is {show(wrong[number][1])}" for number in worst
    ]
    if not lines:
        count = len(answered)
        all_right = f"all {count} guesses of Lesson {lesson} that are kept here were right"
        lines = [all_right if count else f"no guess of Lesson {lesson} is kept beside this notebook"]
    return Line("\n".join(lines), {"lesson": lesson, "worst": worst})


def progress(lesson: int) -> Line:
    """Show what was passed and what was guessed right in a lesson so far."""
    notes, answered = NOTES.read(), _answered(lesson)
    passed = sorted(number for number in notes.passed if _belongs(number, lesson))
    tried = sorted(number for number in notes.tries if _belongs(number, lesson) and number not in passed)
    right = sum(not _miss(*pair) for pair in answered.values())
    lines = [f"Lesson {lesson}: {len(passed)} checks passed; {right} of {len(answered)} guesses right"]
    lines += [f"{what}: {', '.join(names)}" for what, names in (("passed", passed), ("open", tried)) if names]
    data = {"lesson": lesson, "passed": passed, "right": right, "guesses": len(answered)}
    return Line("\n".join(lines), data)


def _answered(lesson: int) -> dict[str, list[Any]]:
    """Return the guesses of a lesson whose truth has been shown: [guess, truth, tolerance] by number."""
    guesses = NOTES.read().guesses
    return {number: pair for number, pair in guesses.items() if len(pair) == 3 and _belongs(number, lesson)}


def _belongs(number: str, lesson: int) -> bool:
    """Say whether "2.3", "2a" or "Q2.1" is of this lesson."""
    return re.match(rf"Q?{lesson}(?!\d)", number) is not None
