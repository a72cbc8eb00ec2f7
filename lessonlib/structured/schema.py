"""What a JSON value must look like, by JSON Schema (Draft 2020-12): a list of problems, empty when it fits.

The package `jsonschema` decides; this module makes it fail closed. It refuses what `jsonschema` would pass
over in silence (unknown keywords, formats without a checker), fetches nothing, and mends four things:
`multipleOf` counts in exact decimals, `uniqueItems` keeps true and 1 apart at every level, patterns have a
time limit, and mean what ECMA-262 says (`patterns.from_ecma`).
Known limits: a `$ref` is `#` or `#/$defs/name`, `$id` and `$schema` stand at the top only, and formats are as
strict as `jsonschema` makes them ("email" only asks for an "@").
"""

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NamedTuple

from . import patterns
from .strict import json_key, why_not_json

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class SchemaError(ValueError):
    """A schema that cannot be used; the message says why. It is the author's error, not the answer's."""


class Problem(NamedTuple):
    """One way in which a value breaks its schema: where ("$.value"), what is wrong, and by which keyword."""

    path: str
    message: str
    keyword: str

    def __str__(self) -> str:
        """Show place and sentence."""
        return f"{self.path}: {self.message}"


def schema_problems(value: Any, schema: dict[str, Any] | bool) -> list[Problem]:
    """Return what is wrong with a JSON value under a schema, in the order of the value's keys; [] if nothing.

    A boolean is no integer, 1.0 is one. Formats are checked. A `$ref` may point into the same schema only.
    A value that is not JSON (NaN, a set) has one problem, "not_json"; a pattern that runs out of time gives
    one, "pattern". Raises SchemaError for a schema that is invalid, or that asks for anything unknown.
    """
    check = schema_check(schema)
    fault = why_not_json(value)
    return [Problem("$", f"is not JSON: {fault}", "not_json")] if fault else check(value)


def schema_check(schema: dict[str, Any] | bool) -> Callable[[Any], list[Problem]]:
    """Return the check of a schema: it takes a value that is JSON, and gives what `schema_problems` does."""
    try:
        text = json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"the schema is not JSON: {error}") from None
    validator = _validator(text)

    def check(value: Any) -> list[Problem]:
        try:
            errors = list(validator.iter_errors(value))
        except TimeoutError as error:
            # Not one problem among others: below "not" or "anyOf" it would turn into a pass.
            return [Problem("$", f"could not be checked: {error}", "pattern")]
        except RecursionError:
            raise SchemaError("checking never ends: the schema refers to itself in a circle") from None
        return [Problem(error.json_path, _sentence(error), str(error.validator)) for error in errors]

    return check


# --- sentences -------------------------------------------------------------------------------------------

KINDS = {
    "object": "an object",
    "array": "an array",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}
SIZES = {"Length": "characters", "Items": "items", "Properties": "keys"}
SENTENCES = {
    "const": "must be {limit}, not {value}",
    "minimum": "must be at least {limit}, not {value}",
    "maximum": "must be at most {limit}, not {value}",
    "exclusiveMinimum": "must be greater than {limit}, not {value}",
    "exclusiveMaximum": "must be less than {limit}, not {value}",
    "multipleOf": "must be a multiple of {limit}, which {value} is not",
    **{f"min{what}": f"must have {{limit}} or more {unit}, not {{size}}" for what, unit in SIZES.items()},
    **{f"max{what}": f"must have {{limit}} or fewer {unit}, not {{size}}" for what, unit in SIZES.items()},
    "uniqueItems": "must not hold the same item twice",
    "not": "has a form that is ruled out",
}


def _show(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= 60 else f"{text[:57]}..."


def _sentence(error: Any) -> str:
    """Say what a ValidationError means; where no sentence is prepared, jsonschema's own is shown."""
    keyword, limit, value = error.validator, error.validator_value, error.instance
    if keyword == "type":
        allowed = " or ".join(KINDS[kind] for kind in ([limit] if isinstance(limit, str) else limit))
        return f"must be {allowed}, not {_kind(value)} ({_show(value)})"
    if keyword == "enum":
        choices = [choice.lower() for choice in limit if isinstance(choice, str)]
        hint = " (only the case differs)" if isinstance(value, str) and value.lower() in choices else ""
        return f"must be one of {', '.join(map(_show, limit))}, not {_show(value)}{hint}"
    if keyword in ("anyOf", "oneOf"):
        return f"fits {'none' if error.context else 'more than one'} of the {len(limit)} allowed forms"
    if keyword in SENTENCES:
        size = len(value) if isinstance(value, str | list | dict) else 0
        return SENTENCES[keyword].format(limit=_show(limit), value=_show(value), size=size)
    return str(error.message)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "a boolean"
    kinds: dict[type, str] = {str: "string", list: "array", dict: "object", type(None): "null"}
    return KINDS[next((name for kind, name in kinds.items() if isinstance(value, kind)), "number")]


# --- keywords that we check ourselves --------------------------------------------------------------------


def _fault_of_multiple(factor: Any, value: Any) -> str:
    # 4.02 / 0.01 is 401.99999999999994 in floats; what was written, 4.02 and 0.01, are exact decimals.
    return "" if (Fraction(str(value)) / Fraction(str(factor))).denominator == 1 else "is no multiple"


def _fault_of_keys(keys: list[str], value: dict[str, Any]) -> str:
    missing = [_show(key) for key in keys if key not in value]
    many = "the key" if len(missing) == 1 else "the keys"
    return f"lacks {many} {', '.join(missing)}" if missing else ""


def _fault_of_items(wanted: bool, value: list[Any]) -> str:
    return "has an item twice" if wanted and len(set(map(json_key, value))) < len(value) else ""


def _fault_of_text(pattern: str, value: str) -> str:
    return (
        "" if _found(pattern, value) else f"must match the pattern {pattern}, which {_show(value)} does not"
    )


LINE_BREAK_ALLOWED = ("regex", "json-pointer", "relative-json-pointer")


def _fault_of_format(name: str, value: str) -> str:
    try:
        fits = (
            _is_pattern(value) if name == "regex" else _validator_class().FORMAT_CHECKER.conforms(value, name)
        )
    except (ValueError, OverflowError, RecursionError):
        fits = False  # what a checker stumbles over is not of its format
    # Several checkers overlook a line break at the end, as Python's `$` does.
    if fits and (name in LINE_BREAK_ALLOWED or not value.endswith("\n")):
        return ""
    return f"must have the format {name}, unlike {_show(value)}"


FAULTS: dict[
    str, tuple[str, Callable[[Any, Any], str]]
] = {  # of which type of value a keyword speaks, and how
    "multipleOf": ("number", _fault_of_multiple),
    "required": ("object", _fault_of_keys),
    "uniqueItems": ("array", _fault_of_items),
    "pattern": ("string", _fault_of_text),
    "format": ("string", _fault_of_format),
}


def _keyword(kind: str, fault: Callable[[Any, Any], str]) -> Callable[..., Iterator[Any]]:
    def check(validator: Any, limit: Any, value: Any, _: Any) -> Iterator[Any]:
        if validator.is_type(value, kind) and (message := fault(limit, value)):
            yield _jsonschema().ValidationError(message)

    return check


def _pattern_properties(validator: Any, table: dict[str, Any], value: Any, _: Any) -> Iterator[Any]:
    for pattern, part in table.items() if validator.is_type(value, "object") else ():
        for key in [key for key in value if _found(pattern, key)]:
            yield from validator.descend(value[key], part, path=key, schema_path=pattern)


def _additional_properties(validator: Any, part: Any, value: Any, schema: Any) -> Iterator[Any]:
    named, matched = schema.get("properties", {}), schema.get("patternProperties", {})
    keys = value if validator.is_type(value, "object") else ()
    extra = [key for key in keys if key not in named and not any(_found(p, key) for p in matched)]
    if part is False and extra:
        many = "a key" if len(extra) == 1 else "keys"
        listed = ", ".join(map(_show, extra))
        yield _jsonschema().ValidationError(f"has {many} that the schema does not allow: {listed}")
        return
    for key in extra:
        yield from validator.descend(value[key], part, path=key)


def _found(pattern: str, text: str) -> bool:
    return patterns.search(patterns.from_ecma(pattern), text)


def _is_pattern(pattern: str) -> bool:
    """Return True, or raise a ValueError that says why this is no pattern."""
    return bool(patterns.compiled(patterns.from_ecma(pattern)))


# --- a schema that can be trusted ------------------------------------------------------------------------

# Keywords that check nothing by themselves, or only steer another one.
HELPERS = {
    *("$defs", "definitions", "$comment", "title", "description", "default", "examples", "deprecated"),
    *("readOnly", "writeOnly", "then", "else", "minContains", "maxContains"),
}
# What the standard's metaschema does not know is an error, at every depth: by `$dynamicAnchor` it applies
# this one, and not itself, to every schema inside a schema. Each "format" is a check of `_metaschema`.
CLOSED = {
    "$id": "urn:lessonlib:closed",
    "$dynamicAnchor": "meta",
    "$ref": DIALECT,
    "propertyNames": {"format": "keyword"},
    "properties": {"$ref": {"format": "reference"}, "format": {"format": "format"}},
}
OBJECTIONS = {
    "keyword": "unknown keyword {value!r}: nothing would check it",
    "reference": "$ref {value!r} points outside of this schema's $defs, or to nothing; nothing is fetched",
    "format": "nothing checks the format {value!r}; known here: {formats} (for all of JSON Schema's, install "
    "jsonschema[format-nongpl])",
    "regex": "the pattern {value!r:.60} cannot be used: {cause}",
}


@cache
def _jsonschema() -> Any:
    """Import `jsonschema`, but for the grammar of "iri" and "iri-reference": that waits until one is met.

    To build it takes 0.9 s of the 1.1 that the import would cost.
    """
    name = "rfc3987_syntax"
    if not sys.modules.keys() & {name, "jsonschema"} and find_spec(name):
        later: Any = ModuleType(name)
        later.is_valid_syntax = lambda *given: importlib.import_module(name).is_valid_syntax(*given)
        sys.modules[name] = later
        try:
            importlib.import_module("jsonschema")
        finally:
            del sys.modules[name]
    return importlib.import_module("jsonschema")


@cache
def _validator_class() -> Any:
    ours = {name: _keyword(*fault) for name, fault in FAULTS.items()}
    ours |= {"patternProperties": _pattern_properties, "additionalProperties": _additional_properties}
    return _jsonschema().validators.extend(_jsonschema().Draft202012Validator, ours)


@lru_cache(maxsize=128)
def _validator(text: str) -> Any:
    """Check a schema, given as JSON text, from end to end and return its validator."""
    schema, mended = json.loads(text), _validator_class()
    if not isinstance(schema, dict | bool):
        raise SchemaError(f"a schema is an object (or true or false), not {_kind(schema)}")
    if isinstance(schema, dict):
        # At the top these two are understood. Left in, $schema would bring back the class that is not mended.
        schema.pop("$id", None)
        dialect = schema.pop("$schema", DIALECT)
        if str(dialect).rstrip("#") != DIALECT:
            raise SchemaError(f"$schema is {dialect!r}; only Draft 2020-12 is supported ({DIALECT})")
    if '"unevaluatedProperties"' in text and '"patternProperties"' in text:
        raise SchemaError("unevaluatedProperties beside patternProperties is not supported")
    try:
        for error in _metaschema(schema).iter_errors(schema):
            raise SchemaError(_objection(error))
    except RecursionError:
        raise SchemaError("the schema is nested too deeply") from None
    return mended(schema, format_checker=mended.FORMAT_CHECKER)


def _metaschema(schema: Any) -> Any:
    """Return the validator of one schema."""
    plain = _jsonschema().Draft202012Validator
    targets = {"#"}
    for place in ("$defs", "definitions") if isinstance(schema, dict) else ():
        names = schema[place] if isinstance(schema.get(place), dict) else ()
        targets |= {f"#/{place}/{name}" for name in names if not {*name} & {*"/~%"}}
    checks = {
        "keyword": plain.VALIDATORS.keys() - {"$dynamicRef"} | HELPERS,
        "reference": targets,
        "format": plain.FORMAT_CHECKER.checkers,
    }
    checker = _jsonschema().FormatChecker(formats=())
    checker.checks("regex", raises=(TypeError, ValueError))(_is_pattern)  # the standard itself asks for it
    for name, known in checks.items():
        checker.checks(name, raises=TypeError)(known.__contains__)
    return plain(CLOSED, format_checker=checker)


def _objection(error: Any) -> str:
    """Say what is wrong with a schema, given the error of its metaschema."""
    if error.validator != "format":
        return f"the schema is invalid at {error.json_path}: {error.message:.200}"
    formats = ", ".join(sorted(_validator_class().FORMAT_CHECKER.checkers))
    return OBJECTIONS[error.validator_value].format(value=error.instance, formats=formats, cause=error.cause)
