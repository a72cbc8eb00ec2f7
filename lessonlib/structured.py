"""Fields and citations: are the values of a structured answer right, and do its sources bear them out?

With JSON read by `jsontext`, checked by `schema`, and instructions checked by `formats`, this is the top of
the ladder, and the place to import all of it from. Everything fails closed: a missing field, an unreadable
value, an unknown comparator are never a pass.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .counting import overlap_size
from .formats import Outcome, Report, check_format, require_weight
from .jsontext import FAILURES, Parsed, json_equal, json_key, parse_json
from .metrics import token_f1
from .numeric import UNITS, numeric_match
from .patterns import fullmatch
from .schema import Problem, SchemaError, schema_problems
from .text import NORMALIZERS, TOKENIZERS, known, normalize, require_text, tokenize

__all__ = [
    "COMPARATORS",
    "FAILURES",
    "Field",
    "Outcome",
    "Parsed",
    "Problem",
    "Report",
    "SchemaError",
    "check_citation",
    "check_format",
    "check_reply",
    "field_credit",
    "fullmatch",
    "is_verbatim",
    "json_equal",
    "parse_json",
    "schema_problems",
]

# --- fields ----------------------------------------------------------------------------------------------


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
        for option, users in OPTIONS.items():
            if getattr(self, option) not in (0, None) and self.comparator not in users:
                raise ValueError(f"comparator {self.comparator!r} knows no {option} (field {self.name!r})")
        numeric_match("0", 0, abs_tol=self.abs_tol, rel_tol=self.rel_tol)  # refuses NaN and negative ones
        known("normalizer", self.normalizer or "unicode", NORMALIZERS)
        known("tokenizer", self.tokenizer or "squad", TOKENIZERS)


OPTIONS = {
    "abs_tol": ["numeric"],
    "rel_tol": ["numeric"],
    "unit_field": ["numeric"],
    "normalizer": ["normalized", "set"],
    "tokenizer": ["token_f1"],
}


def _exact(value: Any, expected: Any, _: Field) -> float:
    return float(json_equal(value, expected))


def _normalized(value: Any, expected: str, field: Field) -> float:
    require_text(f"expected {field.name!r}", expected)
    if not isinstance(value, str):
        return 0.0
    wanted = normalize(expected, field.normalizer or "unicode")
    # Two texts of which nothing is left ("!" and "?") have nothing in common.
    return float(normalize(value, field.normalizer or "unicode") == wanted if wanted else value == expected)


def _token_f1(value: Any, expected: str, field: Field) -> float:
    require_text(f"expected {field.name!r}", expected)
    if not isinstance(value, str):
        return 0.0
    tokenizer = field.tokenizer or "squad"
    return token_f1(value, expected, tokenizer) if tokenize(expected, tokenizer) else float(value == expected)


def _numeric(value: Any, expected: Any, field: Field) -> float:
    """Compare exactly as decimals. A text counts by the numbers in it, which must all agree."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        value = ""
    text = value if isinstance(value, str) else repr(value)
    return float(numeric_match(text, expected, "only", field.abs_tol, field.rel_tol))


def _set(value: Any, expected: list[Any], field: Field) -> float:
    """Return the F1 of the items, in any order; an item counts as often as it is there."""
    if not isinstance(expected, list):
        raise TypeError(f"expected {field.name!r} must be a list, not {type(expected).__name__}")
    if not isinstance(value, list):
        return 0.0
    mine, theirs = ([_item(item, field) for item in items] for items in (value, expected))
    return 2 * overlap_size(mine, theirs) / (len(mine) + len(theirs)) if mine or theirs else 1.0


def _item(item: Any, field: Field) -> Any:
    if isinstance(item, str) and field.normalizer:
        return normalize(item, field.normalizer) or item
    return json_key(item)


COMPARATORS: dict[str, Callable[[Any, Any, Field], float]] = {
    "exact": _exact,
    "normalized": _normalized,
    "token_f1": _token_f1,
    "numeric": _numeric,
    "set": _set,
}


def _credit(value: Any, expected: Any, field: Field) -> float:
    if expected is None:  # there is no such fact: then only null is right, whatever the comparator
        return float(value is None)
    return COMPARATORS[field.comparator](value, expected, field)


def field_credit(value: Any, expected: Mapping[str, Any], fields: Sequence[Field]) -> Report:
    """Compare the fields of one JSON object with what is expected; one outcome a field.

    Each field earns credit in [0, 1] by its comparator and passes with 1. `report.credit` is the weighted
    mean, `report.passed` all or nothing. A missing field earns 0, and so does every field of a value that is
    no JSON object; where null is expected, only null earns 1. Keys without a Field are not looked at (a
    schema does that). A field that `expected` does not have is a ValueError, an expected value that the
    comparator cannot use a TypeError or ValueError.
    """
    for field in fields:
        for name in filter(None, (field.name, field.unit_field)):
            if name not in expected:
                raise ValueError(f"nothing is expected of field {name!r}; known: {', '.join(expected)}")
        _credit(None, expected[field.name], field)
    readable = _is_json(value) and isinstance(value, dict)
    return Report([_compare(value if readable else {}, expected, field) for field in fields])


def _is_json(value: Any) -> bool:
    try:
        json_key(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _compare(value: dict[str, Any], expected: Mapping[str, Any], field: Field) -> Outcome:
    name, unit = field.name, field.unit_field
    if name not in value:
        return Outcome(name, False, "is missing", 0.0, field.weight)
    if unit is not None and _unit(value.get(unit)) != _unit(expected[unit]):
        detail = f"has the unit {value.get(unit)!r:.60}, not {expected[unit]!r:.60}"
        return Outcome(name, False, detail, 0.0, field.weight)
    credit = _credit(value[name], expected[name], field)
    detail = "" if credit == 1 else f"is {value[name]!r:.60}, expected {expected[name]!r:.60}"
    return Outcome(name, credit == 1, detail, credit, field.weight)


def _unit(value: Any) -> Any:
    if not isinstance(value, str):
        return json_key(value)
    return UNITS.get(value.strip().lower()) or normalize(value, "unicode") or value


# --- citations -------------------------------------------------------------------------------------------


def is_verbatim(quote: str, text: str) -> bool:
    """Return whether a text holds a quote word for word; only runs of white space count as equal.

    A quote begins and ends where words and numbers do: "60 requests" is not in "160 requests", nor "50 GB"
    in "1.50 GB". Empty rule: an empty quote is in no text.
    """
    require_text("quote", quote)
    require_text("text", text)
    words = " ".join(quote.split())
    if not words:
        return False
    before = r"(?<![A-Za-z0-9_])(?<!\d[.,])" if re.match(r"\w", words) else ""
    after = r"(?![A-Za-z0-9_]|[.,]\d)" if re.search(r"\w\Z", words) else ""
    return re.search(before + re.escape(words) + after, " ".join(text.split())) is not None


def check_citation(
    value: Any, documents: Mapping[str, Any], golden: str, source: str = "source", quote: str = "quote"
) -> Report:
    """Check what a JSON object cites: "grounded", the quote is in the cited document; "cited", the right one.

    `documents` maps ids to texts, or to objects with a `text`; `golden` is the id of the document that holds
    the answer; `source` and `quote` are the keys of the object. A missing key, a value that is no text and a
    document that does not exist fail. Raises ValueError when `golden` is no document.
    """
    known("document", golden, dict(documents))
    value = value if isinstance(value, dict) else {}
    cited, words = value.get(source), value.get(quote)
    if not isinstance(cited, str) or cited not in documents:
        missing = f"there is no document {cited!r:.60}" if source in value else f"there is no {source!r}"
        return Report([Outcome("grounded", False, missing), Outcome("cited", False, missing)])
    document = documents[cited]
    text = document if isinstance(document, str) else document.text
    if not isinstance(words, str) or not words.strip():
        grounded = Outcome("grounded", False, f"there is no {quote!r}")
    else:
        found = is_verbatim(words, text)
        grounded = Outcome("grounded", found, "" if found else f"{words!r:.60} is not in {cited!r}")
    right = cited == golden
    return Report([grounded, Outcome("cited", right, "" if right else f"cites {cited!r}, not {golden!r}")])


# --- the whole ladder ------------------------------------------------------------------------------------


def check_reply(
    text: str,
    schema: dict[str, Any] | bool,
    expected: Mapping[str, Any],
    fields: Sequence[Field],
    documents: Mapping[str, Any],
    mode: str = "embedded",
    source: str = "source",
    quote: str = "quote",
) -> Report:
    """Check one raw reply on every rung: parsed, schema, correct, grounded, cited.

    "correct" is the verdict of `field_credit` and carries its credit; `expected[source]` is the golden
    document. A reply that cannot be read fails every rung, for the reason that the first one names. Errors:
    those of `parse_json`, `schema_problems`, `field_credit` and `check_citation`.
    """
    golden = known("expected field", source, dict(expected))
    parsed = parse_json(text, mode)
    detail = f"found {parsed.found}" if parsed.ok else f"{parsed.failure}: {parsed.message}"
    problems = [str(problem) for problem in schema_problems(parsed.value, schema)]
    credit = field_credit(parsed.value, expected, fields)
    wrong = [f"{outcome.name} {outcome.detail}" for outcome in credit if not outcome.passed]
    citation = check_citation(parsed.value, documents, golden, source, quote)
    rungs = [
        Outcome("schema", not problems, "; ".join(problems)),
        Outcome("correct", credit.passed, "; ".join(wrong), credit.credit),
        *citation,
    ]
    if not parsed.ok:
        rungs = [Outcome(rung.name, False, "not reached") for rung in rungs]
    return Report([Outcome("parsed", parsed.ok, detail), *rungs])
