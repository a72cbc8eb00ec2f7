"""Values of students: whether one is finished, whether it is the expected one, and how it is shown."""

import math
import re
from typing import Any


class Todo:
    """What a stub holds until the student replaces it."""

    def __repr__(self) -> str:
        """Show the name that stands in the notebook."""
        return "TODO"


TODO = Todo()


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
        return is_bool(got) and bool(got) == expected
    if isinstance(expected, int | float):
        return is_number(got) and math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(expected, list | tuple):
        pairs_up = isinstance(got, list | tuple) and len(got) == len(expected)
        return pairs_up and all(_same(g, e) for g, e in zip(got, expected, strict=True))
    if isinstance(expected, dict):
        alike = isinstance(got, dict) and got.keys() == expected.keys()
        return alike and all(_same(got[key], value) for key, value in expected.items())
    return bool(got == expected)


def is_bool(value: Any) -> bool:
    """Say whether a value is True or False, NumPy's too."""
    return type(value).__name__ in ("bool", "bool_")


def is_number(value: Any) -> bool:
    """Say whether a value is one number of any type, a bool among them."""
    return hasattr(value, "__float__") and not (hasattr(value, "__len__") or isinstance(value, type))


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
    value = _plain(value)
    if isinstance(value, float):
        short = round(float(value), 4)
        alike = isinstance(other, int | float) and other != value and round(other, 4) == short
        return repr(float(value) if alike else short)
    if type(value) in (list, tuple) and depth:
        paired = isinstance(other, list | tuple) and len(other) == len(value)
        others = other if paired else [None] * len(value)
        both = zip(value, others, strict=True)
        parts = [repr(_plain(v)) if isinstance(v, str) else _written(v, o, depth - 1) for v, o in both]
        inside = ", ".join(parts)
        return f"[{inside}]" if type(value) is list else f"({inside}{',' * (len(parts) == 1)})"
    if isinstance(value, str):
        return repr(value) if '"' in value else '"' + repr(value)[1:-1] + '"'
    if callable(value):
        return str(getattr(value, "__name__", repr(value)))
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))  # where an object lies in memory


def _plain(value: Any) -> Any:
    """Return a text or number of NumPy or of an enumeration as Python's own."""
    if isinstance(value, str):
        return str.__str__(value)
    return value.item() if type(value).__module__ == "numpy" and not getattr(value, "shape", True) else value


def show_error(error: BaseException) -> str:
    """Return an exception as "ValueError: its message", on one line, without a full stop."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001
        text = ""
    return _line(f"{type(error).__name__}: {text}".rstrip(" .:"))


def _line(text: str) -> str:
    """Put a text on one short line, with half surrogate pairs, which no notebook can hold, escaped."""
    text = " ".join(part.strip() for part in text.splitlines())
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= 200 else f"{text[:150]} ... {text[-40:]}"
