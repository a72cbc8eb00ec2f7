"""What a JSON value must look like, by JSON Schema (Draft 2020-12): a list of problems, empty when it fits.

The package `jsonschema` decides; this module makes it fail closed. It refuses what `jsonschema` would pass
over in silence (unknown keywords and formats, formats whose checker is not installed), never opens a network
connection, and mends four things: `multipleOf` counts in exact decimals, `uniqueItems` keeps true and 1 apart
at every level, patterns have a time limit, and `$` in a pattern means the very end, as in ECMAScript.
Known limits: patterns are otherwise Python's (`\\d` and `\\w` are ASCII, as in ECMAScript; `\\p{L}` is
refused), and formats are as strict as `jsonschema` makes them ("email" only asks for an "@").
"""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, NamedTuple

from . import patterns
from .jsontext import json_key

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Keywords that check nothing by themselves, or only steer another one.
HELPERS = {
    *("$schema", "$id", "$anchor", "$dynamicAnchor", "$defs", "definitions", "$comment", "title"),
    *("description", "default", "examples", "deprecated", "readOnly", "writeOnly"),
    *("then", "else", "minContains", "maxContains"),
}


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
    try:
        text = json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"the schema is not JSON: {error}") from None
    validator = _validator(text)
    try:
        json_key(value)
    except (TypeError, ValueError, RecursionError) as error:
        return [Problem("$", f"is not JSON: {error}", "not_json")]
    try:
        return [Problem(e.json_path, _sentence(e), str(e.validator)) for e in validator.iter_errors(value)]
    except TimeoutError as error:
        # Not one problem among others: below "not" or "anyOf" it would turn into a pass.
        return [Problem("$", f"could not be checked: {error}", "pattern")]
    except RecursionError:
        raise SchemaError("checking never came to an end: the schema refers to itself in a circle") from None


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
SENTENCES = {
    "const": "must be {limit}, not {value}",
    "minimum": "must be at least {limit}, not {value}",
    "maximum": "must be at most {limit}, not {value}",
    "exclusiveMinimum": "must be greater than {limit}, not {value}",
    "exclusiveMaximum": "must be less than {limit}, not {value}",
    "multipleOf": "must be a multiple of {limit}, which {value} is not",
    "minLength": "must have {limit} or more characters, not {size}",
    "maxLength": "must have {limit} or fewer characters, not {size}",
    "minItems": "must have {limit} or more items, not {size}",
    "maxItems": "must have {limit} or fewer items, not {size}",
    "minProperties": "must have {limit} or more keys, not {size}",
    "maxProperties": "must have {limit} or fewer keys, not {size}",
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


def _multiple_of(validator: Any, factor: Any, value: Any, _: Any) -> Iterator[Any]:
    # 4.02 / 0.01 is 401.99999999999994 in floats; what was written, 4.02 and 0.01, are exact decimals.
    if validator.is_type(value, "number") and (Fraction(str(value)) / Fraction(str(factor))).denominator != 1:
        yield _error("is no multiple")


def _unique_items(validator: Any, wanted: Any, value: Any, _: Any) -> Iterator[Any]:
    if wanted and validator.is_type(value, "array") and len(set(map(json_key, value))) < len(value):
        yield _error("has an item twice")


def _pattern(validator: Any, pattern: str, value: Any, _: Any) -> Iterator[Any]:
    if validator.is_type(value, "string") and not _found(pattern, value):
        yield _error(f"must match the pattern {pattern}, which {_show(value)} does not")


def _pattern_properties(validator: Any, table: dict[str, Any], value: Any, _: Any) -> Iterator[Any]:
    for pattern, part in table.items() if validator.is_type(value, "object") else ():
        for key in [key for key in value if _found(pattern, key)]:
            yield from validator.descend(value[key], part, path=key, schema_path=pattern)


def _additional_properties(validator: Any, part: Any, value: Any, schema: Any) -> Iterator[Any]:
    if not validator.is_type(value, "object"):
        return
    named, matched = schema.get("properties", {}), schema.get("patternProperties", {})
    extra = [key for key in value if key not in named and not any(_found(p, key) for p in matched)]
    if part is False and extra:
        many = "a key" if len(extra) == 1 else "keys"
        yield _error(f"has {many} that the schema does not allow: {', '.join(map(_show, extra))}")
    elif part is not False:
        for key in extra:
            yield from validator.descend(value[key], part, path=key)


def _required(validator: Any, keys: list[str], value: Any, _: Any) -> Iterator[Any]:
    missing = [_show(key) for key in keys if key not in value] if validator.is_type(value, "object") else []
    if missing:
        yield _error(f"lacks {'the key' if len(missing) == 1 else 'the keys'} {', '.join(missing)}")


LINE_BREAK_ALLOWED = ("regex", "json-pointer", "relative-json-pointer")


def _format(validator: Any, name: str, value: Any, _: Any) -> Iterator[Any]:
    if not validator.is_type(value, "string"):
        return
    try:
        if name == "regex":
            patterns.compiled(value)
        fits = name == "regex" or validator.format_checker.conforms(value, name)
    except (ValueError, OverflowError, RecursionError):
        fits = False  # what a checker stumbles over is not of its format
    # Several checkers overlook a line break at the end, as Python's `$` does.
    if not fits or (value.endswith("\n") and name not in LINE_BREAK_ALLOWED):
        yield _error(f"must have the format {name}, unlike {_show(value)}")


def _error(message: str) -> Any:
    from jsonschema import ValidationError

    return ValidationError(message)


# In a pattern, skip what is escaped or in a set; find each `$`.
_DOLLAR = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\])|\$", re.S)


def _python_pattern(pattern: str) -> str:
    r"""Return a Python pattern with ECMAScript's meaning of `$`, `\d`, `\w` and `\b`."""
    return "(?a:" + _DOLLAR.sub(lambda part: part[1] or r"\Z", pattern) + ")"


def _found(pattern: str, text: str) -> bool:
    return patterns.search(_python_pattern(pattern), text)


# --- a schema that can be trusted ------------------------------------------------------------------------


@cache
def _validator_class() -> Any:
    from jsonschema import Draft202012Validator  # costs 0.1 s: only who checks a schema pays for it
    from jsonschema.validators import extend

    return extend(
        Draft202012Validator,
        {
            "additionalProperties": _additional_properties,
            "format": _format,
            "multipleOf": _multiple_of,
            "pattern": _pattern,
            "patternProperties": _pattern_properties,
            "required": _required,
            "uniqueItems": _unique_items,
        },
    )


@lru_cache(maxsize=128)
def _validator(text: str) -> Any:
    """Check a schema, given as JSON text, from end to end and return its validator."""
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    schema, mended = json.loads(text), _validator_class()
    _require_valid(schema, mended)
    registry = Registry()  # it fetches nothing: a reference to anywhere else stays unresolved
    validator = mended(schema, registry=registry, format_checker=mended.FORMAT_CHECKER)
    root = DRAFT202012.create_resource(schema)
    todo = [(root, registry.resolver_with_root(root))]
    parts: dict[int, dict[str, Any]] = {}
    while todo:
        resource, resolver = todo.pop()
        part = resource.contents
        if isinstance(part, bool) or id(part) in parts:
            continue
        parts[id(part)] = part
        _require_known(part, validator)
        for keyword in [key for key in ("$ref", "$dynamicRef") if key in part]:
            try:
                target = resolver.lookup(part[keyword])
            except Unresolvable:
                raise SchemaError(
                    f"{keyword} {part[keyword]!r} points outside of this schema, or to nothing in it; "
                    "no other schema is fetched"
                ) from None
            _require_valid(target.contents, mended)
            todo.append((DRAFT202012.create_resource(target.contents), target.resolver))
        todo += [(sub, resolver.in_subresource(sub)) for sub in resource.subresources()]
    used = {keyword for part in parts.values() for keyword in part}
    if {"unevaluatedProperties", "patternProperties"} <= used:
        raise SchemaError("unevaluatedProperties beside patternProperties is not supported")
    for part in parts.values():
        part.pop("$schema", None)  # left in, it would bring back the class that is not mended
    return validator


def _require_valid(schema: Any, validator_class: Any) -> None:
    from jsonschema.exceptions import SchemaError as InvalidError

    if not isinstance(schema, dict | bool):
        raise SchemaError(f"a schema is an object (or true or false), not {_kind(schema)}")
    try:
        validator_class.check_schema(
            schema, format_checker=None
        )  # formats: `_require_known` looks at patterns
    except InvalidError as error:
        raise SchemaError(f"the schema is invalid at {error.json_path}: {error.message:.200}") from None
    except RecursionError:
        raise SchemaError("the schema is nested too deeply") from None


def _require_known(part: dict[str, Any], validator: Any) -> None:
    """Raise a SchemaError for anything in one (sub)schema that would be passed over in silence."""
    for keyword in part:
        if keyword not in validator.VALIDATORS and keyword not in HELPERS:
            raise SchemaError(f"unknown keyword {keyword!r}: nothing would check it")
    if part.get("$schema", DIALECT).rstrip("#") != DIALECT:
        raise SchemaError(f"$schema is {part['$schema']!r}; only Draft 2020-12 is supported ({DIALECT})")
    known_formats = validator.format_checker.checkers
    if part.get("format", "date") not in known_formats:
        raise SchemaError(
            f"nothing checks the format {part['format']!r}; known here: {', '.join(sorted(known_formats))} "
            "(for all of JSON Schema's, install jsonschema[format-nongpl])"
        )
    for pattern in [*part.get("patternProperties", ()), part.get("pattern", "")]:
        try:
            patterns.compiled(_python_pattern(pattern))
        except ValueError as error:
            raise SchemaError(f"the pattern {pattern!r:.60} cannot be used: {error}") from None
