"""Slips: the mistakes that a wrong value or an exception gives away, each with a name and words of its own.

What gives a slip away (`known`) is

- a value, rounded by the student or not: `2 / 3`;
- a type of exception, or `Raised(type, words of its message)`; `ArgumentsError` stands for a call that the
  function does not take;
- a function of (got, expected) that knows a kind of value, None apart.

An example's own slips are asked first, then those of the exercise, those of the sheet, and those of every
exercise (a missing `return`, a rounded value, a factor of 100, text for a number). The first that fits is
told. A value that none fits gets the hint of the example; an exception gets it too, after "This case:".
"""

import inspect
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from .values import is_bool, is_number, same, show_error


class Slip(NamedTuple):
    """A mistake that many make; `says` is what to say to it, None for the hint of the example."""

    name: str
    known: Any
    says: str | None


class ArgumentsError(Exception):
    """The function does not take the arguments of the call: no TypeError, whose slips are about its body."""


class Raised(NamedTuple):
    """Exceptions of a type whose message holds some words."""

    kind: type[BaseException]
    words: str = ""

    def fits(self, error: BaseException) -> bool:
        """Say whether an exception is one of these."""
        return isinstance(error, self.kind) and self.words in show_error(error)


def slip_of_value(got: Any, expected: Any, slips: Iterable[Slip], hint: str) -> tuple[str, str]:
    """Return what to say to a wrong value, and the name of the slip or ""; `hint` is that of the example."""
    for name, known, says in (*slips, *ALWAYS):
        if _is_value(known, got, expected):
            return hint if says is None else says, name
    return hint, ""


def slip_of_error(error: BaseException, slips: Iterable[Slip], hint: str, otherwise: str) -> tuple[str, str]:
    """Return the same for an exception; `otherwise` is for one that no slip knows."""
    for name, known, says in slips:
        is_type = isinstance(known, type) and issubclass(known, BaseException)
        raised = Raised(known) if is_type else known
        if isinstance(raised, Raised) and raised.fits(error):
            return hint if says is None else says, name
    return otherwise, ""


def misses_arguments(function: Callable[..., Any], args: tuple[Any, ...]) -> ArgumentsError | None:
    """Return an error if a function does not take so many arguments, as far as that can be seen."""
    try:
        signature = inspect.signature(function)
    except Exception:  # noqa: BLE001  some built-in functions have none
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


def _is_no_bool(got: Any, expected: Any) -> bool:
    return is_bool(expected) and not is_bool(got)


NO_RETURN = "Is there a `return` on every path? What is printed is not handed back."
ROUNDED = "That is the right value, but rounded. Do not round it: round only what is printed."
HUNDREDFOLD = (
    "That is the right value on a scale from 0 to 100. Here it runs from 0 to 1: leave the factor of 100 out."
)
ALWAYS = (
    Slip("no-return", None, NO_RETURN),
    Slip("rounded", _is_rounded, ROUNDED),
    Slip("no-bool", _is_no_bool, "Return True or False itself: no number, no text, no list."),
    Slip("times-100", _is_hundredfold, HUNDREDFOLD),
    Slip("text-for-number", _is_written, "Return numbers, not text: formatting is for print."),
)
