"""Structured answers: read the JSON, check schema and fields, the citation, and what an instruction asked.

This is the one door; the modules behind it are, from the ground up: `strict` (what JSON is), `reading` (JSON
out of an answer), `patterns`, `schema`, `report`, `instructions`, `fields`, and `citation` with the whole
ladder. Everything fails closed: an unknown name, an unreadable value and a missing field are never a pass.
"""

from .citation import check_citation, check_reply, is_verbatim
from .fields import COMPARATORS, Field, field_credit
from .instructions import INSTRUCTIONS, check_format, count_sentences, count_words, loose_versions
from .patterns import fullmatch
from .reading import FAILURES, MODES, Parsed, parse_json
from .report import CheckResult, Report
from .schema import Problem, SchemaError, schema_problems
from .strict import json_equal, read_json

__all__ = [
    "COMPARATORS",
    "FAILURES",
    "INSTRUCTIONS",
    "MODES",
    "CheckResult",
    "Field",
    "Parsed",
    "Problem",
    "Report",
    "SchemaError",
    "check_citation",
    "check_format",
    "check_reply",
    "count_sentences",
    "count_words",
    "field_credit",
    "fullmatch",
    "is_verbatim",
    "json_equal",
    "loose_versions",
    "parse_json",
    "read_json",
    "schema_problems",
]
