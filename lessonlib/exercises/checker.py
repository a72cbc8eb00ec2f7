"""The checker behind every exercise: a table of cases in, one of three states and a hint out.

An author writes `EXERCISES = {"1.2": Exercise(...), "Q1.1": Choice(...)}` in `lessonN.py`; a student calls
`check("1.2", my_function)`. The check never raises for a student, so that Run All reaches the end.
"""

import copy
import html
import importlib
import math
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

SECONDS = 10  # what one case may take before it counts as a loop that never ends
MIME = "application/vnd.lessonlib.check+json"
COLOURS = {"passed": "#2e7d32", "failed": "#c62828", "not attempted": "#757575"}


class Todo:
    """What a stub holds until the student replaces it."""

    def __repr__(self) -> str:
        """Show the name that stands in the notebook."""
        return "TODO"


TODO = Todo()


# --- what an author writes -------------------------------------------------------------------------------


class Case(NamedTuple):
    """One call of the student's function: arguments, the value it must give, and the hint if it does not.

    `shown` marks the cases that stand in the task. Numbers agree within 1e-9, True is not 1 where a
    bool is expected, a list may be a tuple.
    """

    args: tuple[Any, ...]
    expected: Any
    hint: str
    shown: bool = False


# Where a call and a value are not enough: takes the answer, returns what is wrong with it (one sentence),
# None if nothing is, or TODO if it was not attempted.
Rule = Callable[[Any], "str | Todo | None"]


class Wrong(NamedTuple):
    """A typical wrong answer: the source of the answer cell, and words of the hint that it must meet."""

    source: str
    says: str


class Exercise(NamedTuple):
    """An exercise: the name students give their answer, its cases and rules in order, and wrong answers."""

    name: str
    cases: tuple[Case | Rule, ...]
    wrong: tuple[Wrong, ...] = ()


class Choice(NamedTuple):
    """A multiple-choice question: the right letter, and what to say to each letter."""

    right: str
    feedback: dict[str, str]


# --- what a student sees ---------------------------------------------------------------------------------


class CheckFailedError(AssertionError):
    """Raised only where nbgrader executes a notebook: it gives full marks to a cell that does not raise."""


class Result(NamedTuple):
    """The outcome of a check: `status` is passed, failed or not attempted, `message` one line of text."""

    exercise: str
    status: str
    message: str

    def __repr__(self) -> str:
        """Return the line a student reads."""
        words = "not yet:" if self.status == "failed" else self.status
        return f"{self.exercise}  {words} {self.message}".rstrip()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Give text, HTML that borrows the theme's own colours, and a bundle for programs."""
        box = f"border-left: 4px solid {COLOURS[self.status]}; padding: 0.3em 0.8em; white-space: pre-wrap"
        return {
            "text/plain": repr(self),
            "text/html": f'<div style="{box}">{html.escape(repr(self))}</div>',
            MIME: self._asdict(),
        }


def check(number: str, answer: Any = TODO) -> Result:
    """Check the answer to an exercise ("1.2") or a question ("Q1.1") and return the outcome.

    `answer` is the student's function or value. An answer that is or holds TODO is "not attempted"; one that
    raises, runs longer than 10 seconds (where the system has timers), or returns None is "failed" with a
    message. It never raises, except CheckFailedError under nbgrader unless the outcome is "passed".
    """
    exercise = exercises_of(number).get(number) if isinstance(number, str) else None
    if exercise is None:
        asked = show(number)
        result = Result(asked, "failed", f"there is no exercise {asked}: has the check cell been changed?")
    elif unfinished(answer):
        result = Result(number, "not attempted", "")
    elif isinstance(exercise, Choice):
        result = _judge_choice(number, exercise, answer)
    else:
        result = _judge(number, exercise, answer)
    if os.environ.get("NBGRADER_EXECUTION") and result.status != "passed":
        raise CheckFailedError(repr(result))
    return result


def exercises_of(number: str) -> dict[str, Exercise | Choice]:
    """Return the table of the lesson that an exercise number belongs to; empty if there is no such lesson."""
    lesson = re.match(r"Q?([0-9]+)\.", number)
    if not lesson:
        return {}
    try:
        module = importlib.import_module(f"{__package__}.lesson{lesson[1]}")
    except ModuleNotFoundError:
        return {}
    table: dict[str, Exercise | Choice] = module.EXERCISES
    return table


def _judge_choice(number: str, question: Choice, answer: Any) -> Result:
    letter = answer.strip().lower() if isinstance(answer, str) else ""
    if letter not in question.feedback:
        letters = ", ".join(f'"{known}"' for known in question.feedback)
        return Result(number, "failed", f"answer with one of {letters}, not {show(answer)}.")
    status = "passed" if letter == question.right else "failed"
    return Result(number, status, f"({letter}) {question.feedback[letter]}")


def _judge(number: str, exercise: Exercise, answer: Any) -> Result:
    for case in exercise.cases:
        problem = _try(exercise.name, case, answer)
        if problem is TODO:
            return Result(number, "not attempted", "")
        if problem is not None:
            return Result(number, "failed", str(problem))
    calls = [case for case in exercise.cases if isinstance(case, Case)]
    hidden = sum(not case.shown for case in calls)
    count = (
        f"({len(calls)} case{'s' if len(calls) > 1 else ''}, {hidden} of them not shown in the task)"
        if calls
        else ""
    )
    return Result(number, "passed", count)


def _try(name: str, case: Case | Rule, answer: Any) -> str | Todo | None:
    """Return what is wrong with the answer in this case, if anything."""
    call = name
    try:
        if not isinstance(case, Case):
            with time_limit(SECONDS):
                return case(answer)
        call = f"{name}({', '.join(map(show, case.args))})"
        if not callable(answer):
            return f"{name} must be a function, but it is {show(answer)}."
        with time_limit(SECONDS):
            got = answer(*copy.deepcopy(case.args))
        if unfinished(got):
            return TODO
        if got is None and case.expected is not None:
            return f"{call} gave None. Is there a `return` on every path?"
        if same(got, case.expected):
            return None
    except TimeLimit:
        return f"{call} ran for more than {SECONDS} seconds. Is there a loop that never ends?"
    except KeyboardInterrupt:
        raise  # the student has pressed stop
    except BaseException as error:  # noqa: BLE001  what a student's code raises is told, not raised
        about = f" This case: {case.hint}" if isinstance(case, Case) else ""
        return f"{call} raised {_told(error)}.{about}"
    return f"{call} gave {show(got, case.expected)}, expected {show(case.expected, got)}. {case.hint}"


def unfinished(value: Any, depth: int = 3) -> bool:
    """Say whether a value is TODO, or a list, tuple or dict that holds TODO (three levels deep)."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple) and depth:
        return any(unfinished(part, depth - 1) for part in value)
    return isinstance(value, Todo)


def same(got: Any, expected: Any) -> bool:
    """Say whether a student's value is the expected one: numbers within 1e-9, lists and tuples alike."""
    try:
        return _same(got, expected)
    except Exception:  # noqa: BLE001  a value that cannot be compared (an array, 10**400) is another value
        return False


def _same(got: Any, expected: Any) -> bool:
    if expected is None:
        return got is None
    if isinstance(expected, bool):
        return type(got).__name__ in ("bool", "bool_") and bool(got) == expected  # NumPy's too
    if isinstance(expected, int | float):
        return _is_number(got) and math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(expected, list | tuple):
        pairs_up = isinstance(got, list | tuple) and len(got) == len(expected)
        return pairs_up and all(_same(g, e) for g, e in zip(got, expected, strict=True))
    if isinstance(expected, dict):
        alike = isinstance(got, dict) and got.keys() == expected.keys()
        return alike and all(_same(got[key], value) for key, value in expected.items())
    return bool(got == expected)


def _is_number(value: Any) -> bool:
    return hasattr(value, "__float__") and not hasattr(value, "__len__")  # an array is no number


def show(value: Any, other: Any = None) -> str:
    """Return a value as a student would write it; a float in four digits, unless `other` then looks alike.

    One line of at most 200 characters, whatever the value is and its own `__repr__` does.
    """
    try:
        text = _written(value, other)
    except Exception:  # noqa: BLE001
        text = f"a value of type {type(value).__name__} that cannot be shown"
    return _line(text)


def _written(value: Any, other: Any, depth: int = 3) -> str:
    if isinstance(value, float):
        short = round(float(value), 4)
        alike = isinstance(other, int | float) and other != value and round(other, 4) == short
        return repr(float(value) if alike else short)
    if type(value) in (list, tuple) and depth:
        paired = isinstance(other, list | tuple) and len(other) == len(value)
        others = other if paired else [None] * len(value)
        both = zip(value, others, strict=True)
        parts = [repr(v) if isinstance(v, str) else _written(v, o, depth - 1) for v, o in both]
        inside = ", ".join(parts)
        return f"[{inside}]" if type(value) is list else f"({inside}{',' * (len(parts) == 1)})"
    if isinstance(value, str) and '"' not in value:
        return '"' + repr(value)[1:-1] + '"'
    if callable(value):
        return str(getattr(value, "__name__", repr(value)))
    return repr(value)


def _told(error: BaseException) -> str:
    """Return an exception as "ValueError: its message", on one line."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001
        text = ""
    return _line(f"{type(error).__name__}: {text}".removesuffix(": "))


def _line(text: str) -> str:
    """Put a text on one short line, with half surrogate pairs, which no notebook can hold, escaped."""
    text = " ".join(part.strip() for part in text.splitlines())
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= 200 else f"{text[:150]} ... {text[-40:]}"


class TimeLimit(BaseException):
    """Not an Exception: a student's `except Exception` must not swallow it."""


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeLimit in the block after so many seconds, where the system can (not on Windows)."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeLimit

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
