"""What JSON is, for everything here: read strictly, compared exactly. What Python adds to it is refused.

RFC 8259 has no NaN and no infinity. A key that stands twice is legal JSON whose meaning is open (section 4),
and so is a number too large to be held (section 6): both are refused as well, since any reading is a guess.
"""

import json
import math
from collections.abc import Hashable
from typing import Any

from ..text import require_text

MAX_DIGITS = 4300  # beyond this, Python itself refuses to turn text into an integer


class RefusedError(ValueError):
    """Text that Python would read and we do not; `failure` is a key of `reading.FAILURES`."""

    def __init__(self, failure: str, message: str) -> None:
        """Keep the failure beside the message."""
        super().__init__(message)
        self.failure = failure


def read_json(text: str) -> Any:
    """Return the value of a text that is one JSON value.

    A key that stands twice, a number that is not finite (NaN, 1e999) and an integer of more than MAX_DIGITS
    digits are a RefusedError, text that is no JSON a JSONDecodeError; both are ValueErrors.
    """
    return _require_finite(json.loads(text, object_pairs_hook=_object, parse_int=_integer))


def read_value(text: str) -> tuple[Any, int]:
    """Return the JSON value at the beginning of a text, and where it ends; errors as for `read_json`."""
    value, end = _DECODER.raw_decode(text)
    return _require_finite(value), end


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise RefusedError("duplicate_key", f"field {key!r:.60} stands twice")
        value[key] = _require_finite(item, f"field {key!r:.60} holds")
    return value


def _require_finite(value: Any, where: str = "there is") -> Any:
    """Return a value in which no number is NaN or infinite; the objects in it were seen before."""
    if isinstance(value, list):
        for item in value:
            _require_finite(item, where)
    elif isinstance(value, float) and not math.isfinite(value):
        raise RefusedError("not_a_number", f"{where} a number that is not finite")
    return value


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise RefusedError("not_a_number", f"an integer of {len(digits)} digits is too long")
    try:
        return int(digits)
    except ValueError as error:  # this Python was told to stop even earlier
        raise RefusedError("not_a_number", str(error)) from None


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer)


def json_equal(first: Any, second: Any) -> bool:
    """Return whether two JSON values are equal as JSON has it, at every level.

    true is not 1 and false is not 0, although Python says so; 1 equals 1.0; integers are compared exactly,
    also above 2**53; keys have no order. Raises what `json_key` raises.
    """
    return json_key(first) == json_key(second)


def json_key(value: Any) -> Hashable:
    """Return something hashable that is equal for equal JSON values and for no others.

    Raises TypeError for what is no JSON value (a tuple, a set, a key that is no string) and ValueError for
    NaN and infinity. Nesting is limited by Python's recursion limit; `parse_json` stays far below it.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, int | float):
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{value} is not a JSON number")
        return value
    if isinstance(value, list):
        return ("array", *[json_key(item) for item in value])
    if isinstance(value, dict):
        for key in value:
            require_text("a key of a JSON object", key)
        return ("object", frozenset((key, json_key(item)) for key, item in value.items()))
    raise TypeError(f"{type(value).__name__} is not a JSON type ({value!r:.60})")


def why_not_json(value: Any) -> str:
    """Return why a value is not JSON, "" if it is: the one proof that the checks of values rest on."""
    try:
        json_key(value)
    except (TypeError, ValueError, RecursionError) as error:
        return str(error)
    return ""
