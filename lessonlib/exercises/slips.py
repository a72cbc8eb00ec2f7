"""Slips: the mistakes that a wrong value or an exception gives away, each with a hint of its own.

A slip is a pair (what is known, what to say to it). What is known is

- a value, rounded by the student or not: `(2 / 3, "That is precision. Asked for is recall.")`;
- a type of exception, or `Raised(type, words of its message)`: `(KeyError, "Ask whether the key is there.")`;
  `ArgumentsError` stands for a call that the function does not take;
- a function of (got, expected) that knows a kind of value, None apart: `(no_bool, "Return True or False.")`.

`OWN_HINT` in place of the words says the hint of the case, "" nothing. A `Case` holds the slips of its own
call, an `Exercise` those of all its calls; then come slips of every exercise (a missing `return`, a rounded
value, a factor of 100, text for a number). The first that fits is told, and a value that none fits gets the
hint of the case; an exception gets it too, introduced by "This case:". The checker itself tells an answer
that is no function or takes other arguments, a loop without end, and a list that grows from call to call.

>>> from lessonlib.exercises.checker import Case, Exercise, attempt
>>> share = Exercise(
...     "share",
...     (
...         Case((1, 3), 1 / 3, "Divide the part by the whole.", slips=[(3.0, "The two are swapped.")]),
...         Case((0, 0), 0.0, "Nothing of nothing is 0.", slips=[(ZeroDivisionError, "Return 0.0 first.")]),
...     ),
...     slips=[(no_number, "Return one number.")],
... )
>>> def told(answer):
...     print(next(filter(None, (attempt("share", case, answer, share.slips) for case in share.cases))))
>>> told(lambda part, whole: whole / part)
share(1, 3) gave 3.0, expected 0.3333. The two are swapped.
>>> told(lambda part, whole: part / whole)
share(0, 0) raised ZeroDivisionError: division by zero. Return 0.0 first.
>>> told(lambda part, whole: [part, whole])
share(1, 3) gave [1, 3], expected 0.3333. Return one number.
>>> told(lambda part, whole: round(part / whole, 2))
share(1, 3) gave 0.33, expected 0.3333. That is the right value, but rounded. Do not round it: round only \
what is printed.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from .values import is_bool, is_number, same, show_error

OWN_HINT = None  # what to say: the hint of the case

Slip = tuple[Any, str | None]
Slips = Sequence[Slip]


class ArgumentsError(Exception):
    """The function does not take the arguments of the call: no TypeError, whose slips are about its body."""


class Raised(NamedTuple):
    """Exceptions of a type whose message holds some words."""

    kind: type[BaseException]
    words: str


def hint_to_value(got: Any, expected: Any, slips: Slips, hint: str) -> str:
    """Return what to say to a wrong value; `hint` is that of the case."""
    for known, says in (*slips, *ALWAYS):
        if _is_value(known, got, expected):
            return hint if says is OWN_HINT else says
    return hint


def hint_to_error(error: BaseException, slips: Slips, hint: str, otherwise: str) -> str:
    """Return what to say to an exception; `hint` is that of the case, `otherwise` is for one not known."""
    for known, says in slips:
        kind, words = known if isinstance(known, Raised) else (known, "")
        if isinstance(kind, type) and isinstance(error, kind) and words in show_error(error):
            return hint if says is OWN_HINT else says
    return otherwise


def misfit(function: Callable[..., Any], args: tuple[Any, ...]) -> ArgumentsError | None:
    """Return an error if a function does not take so many arguments, as far as it tells."""
    try:
        signature = inspect.signature(function)
    except Exception:  # noqa: BLE001  some built-in functions do not tell
        return None
    try:
        signature.bind(*args)
    except TypeError as error:
        return ArgumentsError(error)
    return None


def _is_value(known: Any, got: Any, expected: Any) -> bool:
    if isinstance(known, type | Raised):
        return False
    try:
        if callable(known):
            return got is not None and bool(known(got, expected))
        rounded = _is_rounded(got, known) and not _is_rounded(got, expected)
        return (same(got, known) or rounded) and is_bool(got) == is_bool(known)
    except Exception:  # noqa: BLE001  a strange value is not this slip
        return False


# --- kinds of values, for an author's own slips ----------------------------------------------------------


def no_number(got: Any, _: Any = None) -> bool:
    """Say whether a value is not one number."""
    return not is_number(got) or is_bool(got)


def no_bool(got: Any, _: Any = None) -> bool:
    """Say whether a value is not True or False."""
    return not is_bool(got)


def no_list(got: Any, _: Any = None) -> bool:
    """Say whether a value is neither a list nor a tuple."""
    return not isinstance(got, list | tuple)


def is_text(got: Any, _: Any = None) -> bool:
    """Say whether a value is a text."""
    return isinstance(got, str)


A_BOOL: Slip = (no_bool, "Return True or False itself: no number, no text, no list.")

# --- slips that can happen everywhere --------------------------------------------------------------------


def _is_rounded(got: Any, value: Any) -> bool:
    return any(same(got, _each_float(value, partial(round, ndigits=n))) for n in range(2, 9))


def _is_hundredfold(got: Any, expected: Any) -> bool:
    hundredfold = _each_float(expected, lambda x: 100 * x if 0 <= x <= 1 else x)
    return hundredfold != expected and (same(got, hundredfold) or _is_rounded(got, hundredfold))


def _is_written(got: Any, expected: Any) -> bool:
    """Say whether there is text where a number should be."""
    value, number = (v[0] if isinstance(v, list | tuple) and v else v for v in (got, expected))
    return is_text(value) and not no_number(number)


def _each_float(value: Any, change: Callable[[float], float]) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_each_float(part, change) for part in value)
    return change(value) if isinstance(value, float) else value


NO_RETURN = "Is there a `return` on every path? What is printed is not handed back."
ROUNDED = "That is the right value, but rounded. Do not round it: round only what is printed."
ALWAYS: Slips = (
    (None, NO_RETURN),
    (_is_rounded, ROUNDED),
    (
        _is_hundredfold,
        "That is the right value on a scale from 0 to 100. Here it runs from 0 to 1: leave the factor of "
        "100 out.",
    ),
    (_is_written, "Return numbers, not text: formatting is for print."),
)
