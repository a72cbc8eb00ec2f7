"""Fields: are the values of a structured answer right? Each is compared by a comparator of its own."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..counting import f_measure, overlap_size
from ..metrics import token_f1
from ..numeric import UNITS, numeric_match
from ..text import NORMALIZERS, TOKENIZERS, known, normalize, require_text, tokenize
from .report import CheckResult, Report, require_weight
from .strict import json_key, why_not_json

USERS = {  # which comparators an option of a Field has an effect on
    "abs_tol": ["numeric"],
    "rel_tol": ["numeric"],
    "unit_field": ["numeric"],
    "normalizer": ["normalized", "set"],
    "tokenizer": ["token_f1"],
}


@dataclass(frozen=True)
class Field:
    """How one field of an answer is compared with what is expected, and what it weighs.

    `comparator` is a key of COMPARATORS. Only "numeric" takes `abs_tol`, `rel_tol` (finite, 0 or more) and
    `unit_field`, the name of the field that holds the unit: a number with the wrong unit earns nothing.
    `normalizer` is for "normalized" (default "unicode") and for the texts in a "set" (default: exactly
    equal); `tokenizer` is for "token_f1". Anything else is a ValueError.
    """

    name: str
    comparator: str = "exact"
    weight: float = 1.0
    abs_tol: float = 0
    rel_tol: float = 0
    unit_field: str | None = None
    normalizer: str | None = None
    tokenizer: str | None = None

    def __post_init__(self) -> None:
        """Refuse options that are unknown, impossible, or without effect."""
        require_text("name", self.name)
        known("comparator", self.comparator, COMPARATORS)
        require_weight(self.weight)
        for option, users in USERS.items():
            if getattr(self, option) not in (0, None) and self.comparator not in users:
                raise ValueError(f"comparator {self.comparator!r} knows no {option} (field {self.name!r})")
        for option in ("abs_tol", "rel_tol"):
            if not 0 <= getattr(self, option) < math.inf:
                raise ValueError(f"{option} must be 0 or more, and finite, not {getattr(self, option)}")
        known("normalizer", self.normalizer or "unicode", NORMALIZERS)
        known("tokenizer", self.tokenizer or "squad", TOKENIZERS)


# Each comparator takes what is expected, refuses what it cannot use, and returns the check: a value in, its
# credit in [0, 1] out.
Check = Callable[[Any], float]


def _exact(expected: Any, _: Field) -> Check:
    wanted = json_key(expected)
    return lambda value: float(json_key(value) == wanted)


def _normalized(expected: Any, field: Field) -> Check:
    require_text(f"expected {field.name!r}", expected)
    rule = field.normalizer or "unicode"
    wanted = normalize(expected, rule)
    # Two texts of which nothing is left ("!" and "?") have nothing in common.
    return lambda value: float(
        isinstance(value, str) and (normalize(value, rule) == wanted if wanted else value == expected)
    )


def _token_f1(expected: Any, field: Field) -> Check:
    require_text(f"expected {field.name!r}", expected)
    rule = field.tokenizer or "squad"
    if not tokenize(expected, rule):
        return lambda value: float(value == expected)
    return lambda value: token_f1(value, expected, rule) if isinstance(value, str) else 0.0


def _numeric(expected: Any, field: Field) -> Check:
    """Compare exactly as decimals. A text counts by the numbers in it, which must all agree."""

    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            value = ""
        text = value if isinstance(value, str) else repr(value)
        return float(numeric_match(text, expected, "only", field.abs_tol, field.rel_tol))

    if not check(expected):
        raise ValueError(f"expected {field.name!r} is not equal to itself as a number: {expected!r:.60}")
    return check


def _set(expected: Any, field: Field) -> Check:
    """Return the F1 of the items, in any order; an item counts as often as it is there."""
    if not isinstance(expected, list):
        raise TypeError(f"expected {field.name!r} must be a list, not {type(expected).__name__}")

    def key(item: Any) -> Any:
        if isinstance(item, str) and field.normalizer:
            return normalize(item, field.normalizer) or item
        return json_key(item)

    theirs = list(map(key, expected))

    def check(value: Any) -> float:
        if not isinstance(value, list):
            return 0.0
        mine = list(map(key, value))
        if not mine or not theirs:
            return float(mine == theirs)
        return f_measure(overlap_size(mine, theirs), len(mine), len(theirs))

    return check


def _null(_: Any, __: Field) -> Check:
    return lambda value: float(value is None)


COMPARATORS: dict[str, Callable[[Any, Field], Check]] = {
    "exact": _exact,
    "normalized": _normalized,
    "token_f1": _token_f1,
    "numeric": _numeric,
    "set": _set,
}


def field_credit(value: Any, expected: Mapping[str, Any], fields: Sequence[Field]) -> Report:
    """Compare the fields of one JSON object with what is expected; one result a field.

    Each field earns credit in [0, 1] by its comparator and passes with 1. `report.credit` is the weighted
    mean, `report.passed` all or nothing. A missing field earns 0, and so does every field of a value that is
    no JSON object; where null is expected, only null earns 1. Keys without a Field are not looked at (a
    schema does that). A field that `expected` does not have is a ValueError, an expected value that the
    comparator cannot use a TypeError or ValueError.
    """
    check = field_check(expected, fields)
    return check(None if why_not_json(value) else value)


def field_check(expected: Mapping[str, Any], fields: Sequence[Field]) -> Callable[[Any], Report]:
    """Return the check of these fields: it takes a value that is JSON, and gives what `field_credit` does."""
    for name in [name for field in fields for name in (field.name, field.unit_field) if name is not None]:
        if name not in expected:
            raise ValueError(f"nothing is expected of field {name!r}; known: {', '.join(expected)}")
    checks = []
    for field in fields:
        # Where null is expected there is no such fact, and only null is right, whatever the comparator.
        comparator = COMPARATORS[field.comparator] if expected[field.name] is not None else _null
        checks.append((field, comparator(expected[field.name], field)))

    def check(value: Any) -> Report:
        fair = value if isinstance(value, dict) else {}
        return Report([_compare(fair, expected, field, credit) for field, credit in checks])

    return check


def _compare(value: dict[str, Any], expected: Mapping[str, Any], field: Field, check: Check) -> CheckResult:
    name, unit = field.name, field.unit_field
    if name not in value:
        return CheckResult(name, False, "is missing", 0.0, field.weight)
    if unit is not None and _unit(value.get(unit)) != _unit(expected[unit]):
        detail = f"has the unit {value.get(unit)!r:.60}, not {expected[unit]!r:.60}"
        return CheckResult(name, False, detail, 0.0, field.weight)
    credit = check(value[name])
    detail = "" if credit == 1 else f"is {value[name]!r:.60}, expected {expected[name]!r:.60}"
    return CheckResult(name, credit == 1, detail, credit, field.weight)


def _unit(value: Any) -> Any:
    if not isinstance(value, str):
        return json_key(value)
    word = value.strip()
    if len(word) < 3:  # MB and Mb, m and M are different units
        return UNITS.get(word, word)
    return UNITS.get(word.lower()) or normalize(word, "unicode") or word
