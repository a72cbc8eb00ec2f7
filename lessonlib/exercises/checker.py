"""The checker behind every exercise: a table of cases in, one of three states and a hint out.

An author writes `EXERCISES = {"1.2": Exercise(...), "Q1.1": Choice(...)}` in `lessonN.py`; a student calls
`check("1.2", my_function)`. The check never raises for a student, so that Run All reaches the end.
"""

import copy
import html
import importlib
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from .slips import Slips, hint_to_error, hint_to_value, misfit
from .values import TODO, Todo, same, show, show_error, unfinished

SECONDS = 10  # what one case may take before it counts as a loop that never ends
MIME = "application/vnd.lessonlib.check+json"
COLOURS = {"passed": "#2e7d32", "failed": "#c62828", "not attempted": "#757575"}


# --- what an author writes -------------------------------------------------------------------------------


class Case(NamedTuple):
    """One call of the student's function: arguments, the value it must give, and the hint if it does not.

    `shown` marks the cases that stand in the task, `slips` are mistakes with a hint of their own (slips.py).
    Numbers agree within 1e-9, True is not 1 where a bool is expected, a list may be a tuple.
    """

    args: tuple[Any, ...]
    expected: Any
    hint: str
    shown: bool = False
    slips: Slips = ()


# What is wrong with an answer (one sentence), None if nothing is, or TODO if it was not attempted.
Outcome = str | Todo | None
Rule = Callable[[Any], Outcome]  # takes the answer, where a call and a value are not enough


class Wrong(NamedTuple):
    """A typical wrong answer: the source of the answer cell, and words of the hint that it must meet."""

    source: str
    says: str


def wrongs(first: str, *answers: tuple[str, *tuple[str, ...]]) -> tuple[Wrong, ...]:
    """Return wrong answers (words of the hint, line, line, ...) that have their `first` line in common."""
    return tuple(Wrong("\n".join([first, *lines]), says) for says, *lines in answers)


class Exercise(NamedTuple):
    """An exercise: the name students give their answer, its cases and rules in order, and wrong answers.

    `slips` are mistakes that any of the cases may give away.
    """

    name: str
    cases: tuple[Case | Rule, ...]
    wrong: tuple[Wrong, ...] = ()
    slips: Slips = ()


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
    calls: list[Case] = []
    for case in exercise.cases:
        if isinstance(case, Case):
            problem = attempt(exercise.name, case, answer, exercise.slips)
            if isinstance(problem, str) and calls and attempt(exercise.name, calls[0], answer):
                problem = f"{_call(exercise.name, calls[0])} {AGAIN}"
            calls.append(case)
        else:
            told, problem = _run(case, (answer,), exercise.name, lambda _: "")
            problem = problem or told
        if isinstance(problem, Todo):
            return Result(number, "not attempted", "")
        if problem is not None:
            return Result(number, "failed", problem)
    hidden = sum(not case.shown for case in calls)
    count = f"({len(calls)} case{'s' if len(calls) > 1 else ''}, {hidden} of them not shown in the task)"
    return Result(number, "passed", count if calls else "")


AGAIN = "gives another value when it is called again. Make lists and counters anew inside the function."


def attempt(name: str, case: Case, answer: Any, slips: Slips = (), call: str = "") -> Outcome:
    """Make the call of a case and return what is wrong with it, if anything; for rules too.

    `slips` are those of the exercise, `call` is what to show where the arguments are too long to be read.
    """
    call = call or _call(name, case)
    if not callable(answer):
        return f"{name} must be a function, but it is {show(answer)}."
    slips = (*case.slips, *slips)
    if error := misfit(answer, case.args):
        many = f"{len(case.args) or 'no'} argument{'s' * (len(case.args) != 1)}"
        told = hint_to_error(error, slips, case.hint, "")
        return f"{name} must take {many}, as in {_call(name, case)}. {told}".rstrip()

    def about(error: BaseException) -> str:
        return hint_to_error(error, slips, case.hint, f"This case: {case.hint}")

    got, problem = _run(answer, copy.deepcopy(case.args), call, about)
    if problem or same(got, case.expected):
        return problem or None
    if unfinished(got):
        return TODO
    hint, problem = _run(hint_to_value, (got, case.expected, slips, case.hint), call, about)
    gave = f"{call} gave {show(got, case.expected)}, expected {show(case.expected, got)}."
    return f"{gave} {case.hint if problem else hint}".rstrip()


def _call(name: str, case: Case) -> str:
    return f"{name}({', '.join(map(show, case.args))})"


def _run(
    function: Callable[..., Any], args: tuple[Any, ...], call: str, about: Callable[[BaseException], str]
) -> tuple[Any, str]:
    """Return what a call gives, and what is wrong if it raises or does not end."""
    try:
        with time_limit(SECONDS):
            return function(*args), ""
    except TimeLimit:
        return None, f"{call} ran for more than {SECONDS} seconds. Is there a loop that never ends?"
    except KeyboardInterrupt:
        raise  # the student has pressed stop
    except BaseException as error:  # noqa: BLE001  what a student's code raises is told, not raised
        return None, f"{call} raised {show_error(error)}. {about(error)}".rstrip()


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
    left = signal.alarm(seconds)  # of a limit around this one
    try:
        yield
    finally:
        signal.alarm(left)
        signal.signal(signal.SIGALRM, before)
