"""The checker behind every exercise: examples of a sheet in, one of three states and a hint out.

It never raises for a student, so that Run All reaches the end.
"""

import copy
import html
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, NamedTuple

from .slips import NO_RETURN, Raised, Slip, misses_arguments, slip_of_error, slip_of_value
from .values import TODO, Todo, same, show, show_error, unfinished

SECONDS = 10.0  # what one example may take before it counts as a loop that never ends
MIME = "application/vnd.lessonlib.check+json"
COLORS = {"passed": "#2e7d32", "failed": "#c62828", "not attempted": "#757575"}


# --- what a sheet holds ----------------------------------------------------------------------------------


class Case(NamedTuple):
    """One example of a sheet: what to evaluate, the value it must give, and the hint if it does not.

    `args` are those of a plain call of the answer, None for another expression about it. `expected` may be
    `Raised`. Numbers agree within 1e-9, True is not 1 where a bool is expected, a list may be a tuple.
    `shown` marks examples that stand in the task, `slips` are mistakes that this one gives away.
    """

    source: str
    args: tuple[Any, ...] | None
    code: CodeType
    expected: Any
    hint: str
    shown: bool = False
    slips: tuple[Slip, ...] = ()


class Exercise(NamedTuple):
    """An exercise: the name students give their answer, its examples in order, and what these may need.

    `slips` are mistakes that any example may give away, `steps` help in doses, `names` are the sheet's own,
    `solution` is one way to do it.
    """

    name: str
    cases: tuple[Case, ...]
    slips: tuple[Slip, ...]
    steps: tuple[str, ...]
    names: dict[str, Any]
    solution: str = ""


class Choice(NamedTuple):
    """A multiple-choice question: the right letter, and what to say to each letter."""

    right: str
    feedback: dict[str, str]


# --- what a student sees ---------------------------------------------------------------------------------


class CheckFailedError(AssertionError):
    """Raised only where nbgrader executes a notebook: it gives full marks to a cell that does not raise."""


class Result(NamedTuple):
    """The outcome of a check: `status` is passed, failed or not attempted, `message` one line of text.

    `slip` is the name of the mistake that was recognized (for a question, the wrong letter), or "".
    """

    exercise: str
    status: str
    message: str
    slip: str = ""

    def __repr__(self) -> str:
        """Return the line a student reads."""
        words = "not yet:" if self.status == "failed" else self.status
        return f"{self.exercise}  {words} {self.message}".rstrip()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Give text, HTML that borrows the theme's own colors, and a bundle for programs."""
        box = f"border-left: 4px solid {COLORS[self.status]}; padding: 0.3em 0.8em; white-space: pre-wrap"
        # Dollar signs are prices here; without the two classes JupyterLab would typeset them as formulas.
        start = f'<div class="mathjax_ignore tex2jax_ignore" style="{box}">'
        return {
            "text/plain": repr(self),
            "text/html": f"{start}{html.escape(repr(self))}</div>",
            MIME: {name: value for name, value in self._asdict().items() if value or name != "slip"},
        }


def judge(number: str, exercise: Exercise | Choice, answer: Any) -> Result:
    """Return what a check says to the answer of an exercise or a question."""
    if unfinished(answer):
        return Result(number, "not attempted", "")
    if isinstance(exercise, Choice):
        return _judge_choice(number, exercise, answer)
    for n, case in enumerate(exercise.cases):
        problem = attempt(exercise, case, answer)
        if isinstance(problem, Todo):
            return Result(number, "not attempted", "")
        if problem is not None and n and attempt(exercise, exercise.cases[0], answer) is not None:
            problem = Problem(f"{_call(exercise.name, exercise.cases[0])} {AGAIN}", "grows")
        if problem is not None:
            return Result(number, "failed", *problem)
    count, hidden = len(exercise.cases), sum(not case.shown for case in exercise.cases)
    cases = f"({count} case{'s' if count > 1 else ''}, {hidden} of them not shown in the task)"
    return Result(number, "passed", cases)


def _judge_choice(number: str, question: Choice, answer: Any) -> Result:
    letter = answer.strip().strip("().").lower() if isinstance(answer, str) else ""
    if letter not in question.feedback:
        letters = ", ".join(f'"{known}"' for known in question.feedback)
        return Result(number, "failed", f"answer with one of {letters}, not {show(answer)}.")
    right = letter == question.right
    message = f"({letter}) {question.feedback[letter]}"
    return Result(number, "passed", message) if right else Result(number, "failed", message, letter)


# --- one example -----------------------------------------------------------------------------------------

AGAIN = "gives another value when it is called again. Make lists and counters anew inside the function."


class Problem(NamedTuple):
    """What is wrong with an answer, in one sentence or two, and the name of the slip behind it, or ""."""

    text: str
    slip: str = ""


def attempt(exercise: Exercise, case: Case, answer: Any) -> Problem | Todo | None:
    """Return what is wrong with an answer by one example: nothing (None), TODO if it was not attempted."""
    name, call, slips = exercise.name, _call(exercise.name, case), (*case.slips, *exercise.slips)
    if _calls(name, case) and not callable(answer):
        return Problem(f"{name} must be a function, but it is {show(answer)}.")
    inner: list[tuple[str, Any]] = []
    if case.args is None:
        made = _run(_evaluate, (exercise, case, answer, inner))
    elif error := misses_arguments(answer, case.args):
        many = f"{len(case.args) or 'no'} argument{'s' * (len(case.args) != 1)}"
        told, slip = slip_of_error(error, slips, case.hint, "")
        return Problem(f"{name} must take {many}, as in {call}. {told}".rstrip(), slip)
    else:
        made = _run(answer, copy.deepcopy(case.args))
    if made.problem:
        return Problem(f"{call} {made.problem}")
    if any(unfinished(value) for _, value in inner):
        return TODO
    if isinstance(case.expected, Raised):
        wanted = f"a {case.expected.kind.__name__}"
        if made.error is not None and case.expected.fits(made.error):
            return None
    else:
        wanted = show(case.expected, made.value)
        if made.error is None and same(made.value, case.expected):
            return None
    if made.error is not None:
        told, slip = slip_of_error(made.error, slips, case.hint, f"This case: {case.hint}")
        return Problem(f"{call} raised {show_error(made.error)}. {told}".rstrip(), slip)
    if unfinished(made.value):
        return TODO
    gave = [f"{call} gave {show(made.value, case.expected)}, expected {wanted}."]
    if inner:
        gave.append(f"Here {' and '.join(f'{part} gave {show(value)}' for part, value in inner)}.")
    if any(value is None for _, value in inner):
        return Problem(" ".join([*gave, NO_RETURN]), "no-return")
    judged = _run(slip_of_value, (made.value, case.expected, slips, case.hint))
    told, slip = judged.value or (case.hint, "")
    return Problem(" ".join([*gave, told]).rstrip(), slip)


def _call(name: str, case: Case) -> str:
    return case.source if case.args is None else f"{name}({', '.join(map(show, case.args))})"


def _calls(name: str, case: Case) -> bool:
    return f"{name}(" in case.source


def _evaluate(exercise: Exercise, case: Case, answer: Any, inner: list[tuple[str, Any]]) -> Any:
    """Return the value of an expression about an answer; what a function gave meanwhile goes into `inner`."""

    def noted(*args: Any) -> Any:
        value = answer(*copy.deepcopy(args))
        inner.append((f"{exercise.name}({', '.join(map(show, args))})", value))
        return value

    said = noted if _calls(exercise.name, case) else answer
    return eval(case.code, {**exercise.names, exercise.name: said})


class Made(NamedTuple):
    """What a call gave: a value, an exception, or a problem with its time."""

    value: Any = None
    error: BaseException | None = None
    problem: str = ""


def _run(function: Callable[..., Any], args: tuple[Any, ...]) -> Made:
    try:
        with time_limit(SECONDS):
            return Made(function(*args))
    except TimeLimit:
        return Made(problem=f"ran for more than {SECONDS:g} seconds. Is there a loop that never ends?")
    except KeyboardInterrupt:
        raise  # the student has pressed stop
    except BaseException as error:  # noqa: BLE001  what a student's code raises is shown, not raised
        return Made(error=error)


class TimeLimit(BaseException):
    """Not an Exception: a student's `except Exception` must not swallow it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimit in the block after so many seconds, where the system has timers (not on Windows)."""
    timers = hasattr(signal, "setitimer") and hasattr(signal, "SIGALRM")
    if not timers or threading.current_thread() is not threading.main_thread():
        yield
        return
    before, trace = signal.signal(signal.SIGALRM, _stop), sys.gettrace()
    left = signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)  # of a limit around this one
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *left)
        signal.signal(signal.SIGALRM, before)
        sys.settrace(trace)


def _stop(_: int, frame: FrameType | None) -> None:
    """Raise TimeLimit; a bare `except:` that swallows it meets it again on its first line."""

    def again(_: FrameType, event: str, __: Any) -> Any:
        if event == "line":
            raise TimeLimit
        return again

    sys.settrace(lambda *_: None)
    while frame is not None and frame.f_code is not _run.__code__:
        frame.f_trace = again
        frame = frame.f_back
    raise TimeLimit
