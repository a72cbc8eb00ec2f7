"""The exercises of Lesson 4, structured checks: cases, rules and typical wrong answers."""

import copy
import inspect
import math
from collections.abc import Mapping
from typing import Any

from .checker import TODO, Case, Choice, Exercise, Rule, Todo, Wrong, same, show, unfinished

PRINTED = "Is there a `return` on every path? What is printed is not handed back."


def _first(name: str, args: tuple[Any, ...], expected: Any, *known: tuple[Any, str]) -> Rule:
    """Return a rule for the example of the task: it speaks to whatever comes back, and of nothing else.

    `known` holds (slip, what to say): a slip is a value, a type of exception, or a function that knows it.
    """
    call = f"{name}({', '.join(map(show, args))})"

    def rule(answer: Any) -> str | Todo | None:
        if not callable(answer):
            return f"{name} must be a function, but it is {show(answer)}."
        if not _takes(answer, args):
            many = "one argument" if len(args) == 1 else f"{len(args)} arguments"
            return f"{name} must take {many}, as in {call}."
        try:
            got = answer(*copy.deepcopy(args))
        except Exception as error:  # noqa: BLE001  a slip can be known by its exception
            got = error
        if unfinished(got):
            return TODO
        if same(got, expected):
            return None
        told = next((says for slip, says in known if _is(got, slip)), "")
        if isinstance(got, Exception):
            return f"{call} raised {type(got).__name__}: {got}. {told}".strip()[:400]
        if got is None:
            return f"{call} gave None. {told or PRINTED}"
        return f"{call} gave {show(got, expected)}, expected {show(expected, got)}. {told}".strip()

    return rule


def _case(
    name: str, args: tuple[Any, ...], expected: Any, hint: str, *slips: Any, shown: bool = False
) -> tuple[Rule, Case]:
    """Return a case whose hint also fits some exceptions, or None: a rule that knows these, and the case."""
    call = f"{name}({', '.join(map(show, args))})"

    def rule(answer: Any) -> str | None:
        try:
            got = answer(*copy.deepcopy(args))
        except Exception as error:  # noqa: BLE001  a slip can be known by its exception
            got = error
        if same(got, expected) or not any(_is(got, slip) for slip in slips):
            return None
        told = f"raised {type(got).__name__}: {got}" if isinstance(got, Exception) else f"gave {show(got)}"
        return f"{call} {told}. {hint}"

    return rule, Case(args, expected, hint, shown)


def _takes(answer: Any, args: tuple[Any, ...]) -> bool:
    try:
        inspect.signature(answer).bind(*args)
    except TypeError:
        return False
    except ValueError:  # some built-in functions do not tell
        return True
    return True


def _is(got: Any, slip: Any) -> bool:
    if isinstance(slip, type):
        return isinstance(got, slip)
    try:
        return bool(slip(got)) if callable(slip) else same(got, slip)
    except Exception:  # noqa: BLE001  a strange value is not this slip
        return False


def _no_bool(got: Any) -> bool:
    return not isinstance(got, bool | Exception) and got is not None


def _no_pair(got: Any) -> bool:
    return not isinstance(got, list | tuple | Exception) and got is not None


def _text(got: Any) -> bool:
    return isinstance(got, str)


def _wrong(says: str, *lines: str) -> Wrong:
    return Wrong("\n".join(lines), says)


NO_BOOL = "Return True or False itself: no text, no number, no list."

# --- 4.1 -------------------------------------------------------------------------------------------------

FENCE = "```"
FENCED = 'Here you are:\n```json\n{"value": 24}\n```\nAnything else?'

READ_FENCED = Exercise(
    "read_fenced",
    (
        _first(
            "read_fenced",
            (FENCED,),
            {"value": 24},
            (None, "The text has two fences and JSON between them, so there is a value. " + PRINTED),
            (_text, "That is still text. `json.loads` turns it into a value."),
            (lambda got: isinstance(got, list | tuple), "Return the value alone, not in a list or a pair."),
            (
                lambda got: hasattr(got, "failure"),
                "That is what `parse_json` returns; the value in it is its `value`. But try it without.",
            ),
            (
                ValueError,
                "What you read is not the JSON alone: leave out the fences, the tag json, and the prose.",
            ),
            (TypeError, "`json.loads` takes one text: join the lines between the fences again."),
        ),
        Case((FENCED,), {"value": 24}, "The value is what stands between the two fences.", shown=True),
        *_case(
            "read_fenced",
            ("```\n[1, 2]\n```",),
            [1, 2],
            "A fence needs no tag, a block no prose around it, and any JSON value may stand in it.",
            IndexError,
            AttributeError,
            ValueError,
            None,
        ),
        *_case(
            "read_fenced",
            ('```JSON\n{\n  "plan": "Pro",\n  "value": 600\n}\n```',),
            {"plan": "Pro", "value": 600},
            "A block may have many lines, and what stands behind the backticks of a fence does not matter.",
            IndexError,
            AttributeError,
            ValueError,
            None,
        ),
        *_case(
            "read_fenced",
            ('{"value": 24}',),
            None,
            "There is no fence in this text. It is JSON, but only a block counts here: return None.",
            IndexError,
            AttributeError,
            TypeError,
        ),
        *_case(
            "read_fenced",
            ("I cannot say.",),
            None,
            "A reply without a block is ordinary: return None, and raise nothing.",
            IndexError,
            AttributeError,
            TypeError,
            ValueError,
        ),
        *_case(
            "read_fenced",
            ('```json\n{"value": 24',),
            None,
            "The block is never closed, so the reply was cut off: with one fence the answer is None.",
            IndexError,
            ValueError,
            AttributeError,
        ),
        *_case(
            "read_fenced",
            ("```json\n{'value': 24}\n```",),
            None,
            "Between the fences stands no JSON: catch the error of json.loads and return None.",
            ValueError,
        ),
        *_case(
            "read_fenced",
            ('```json\n{"value": 24}\n```\nOr:\n```json\n{"value": 48}\n```',),
            None,
            "Two blocks are two answers, and nobody knows which one counts: with four fences return None.",
            ValueError,
        ),
        *_case(
            "read_fenced",
            ('```json\n{"value": 24}\n```\n```json\n{"value": 48',),
            None,
            "Three fences are not exactly two: a second block has begun, so return None.",
            ValueError,
        ),
        *_case(
            "read_fenced",
            ('```json\n{"answer": "Write ``` around it"}\n```',),
            {"answer": "Write ``` around it"},
            "Backticks in the middle of a line are no fence: only a line that begins with three is one.",
            ValueError,
            None,
        ),
        *_case(
            "read_fenced",
            ('Sure:\r\n```json\r\n{"value": 24}\r\n```\r\n',),
            {"value": 24},
            r"Some systems end lines with \r\n. `splitlines` takes both kinds.",
            ValueError,
            None,
        ),
    ),
    (
        _wrong(
            "not the JSON alone",
            "def read_fenced(text):",
            "    return json.loads(text)",
        ),
        _wrong(
            "still text",
            "def read_fenced(text):",
            "    return text.split('```json')[1].split('```')[0]",
        ),
        _wrong(
            "not the JSON alone",
            "def read_fenced(text):",
            "    return json.loads(text.split('```')[1])",
        ),
        _wrong(
            "A fence needs no tag",
            "def read_fenced(text):",
            "    return json.loads(text.split('```json')[1].split('```')[0])",
        ),
        _wrong(
            "nobody knows which one counts",
            "def read_fenced(text):",
            "    lines = text.splitlines()",
            "    fences = [n for n, line in enumerate(lines) if line.startswith('```')]",
            "    if len(fences) < 2:",
            "        return None",
            "    try:",
            "        return json.loads(''.join(lines[fences[0] + 1 : fences[1]]))",
            "    except ValueError:",
            "        return None",
        ),
        _wrong(
            "only a block counts here",
            "def read_fenced(text):",
            "    found = parse_json(text)",
            "    return found.value",
        ),
        _wrong(
            "catch the error",
            "def read_fenced(text):",
            "    lines = text.splitlines()",
            "    fences = [n for n, line in enumerate(lines) if line.startswith('```')]",
            "    if len(fences) == 2:",
            "        return json.loads(''.join(lines[fences[0] + 1 : fences[1]]))",
        ),
        _wrong(
            "What is printed is not handed back",
            "def read_fenced(text):",
            "    lines = text.splitlines()",
            "    fences = [n for n, line in enumerate(lines) if line.startswith('```')]",
            "    print(json.loads(''.join(lines[fences[0] + 1 : fences[1]])))",
        ),
    ),
)

# --- 4.2 -------------------------------------------------------------------------------------------------

NAMES = ("null", "boolean", "integer", "number", "string", "array", "object", "not JSON")
PYTHON_NAMES = {
    "bool": "boolean",
    "int": "integer",
    "float": "number",
    "str": "string",
    "list": "array",
    "dict": "object",
    "NoneType": "null",
}


def _is_a_name(value: Any, right: str) -> Rule:
    def rule(answer: Any) -> str | Todo | None:
        call = f"json_type({show(value)})"
        try:
            got = answer(value)
        except Exception as error:  # noqa: BLE001  told with the call that raised it
            return f"{call} raised {type(error).__name__}: {error}."
        if isinstance(got, Todo):
            return TODO
        if isinstance(got, str) and got in NAMES:
            return None
        if isinstance(got, type) or (isinstance(got, str) and got in PYTHON_NAMES):
            return f"{call} gave {show(got)}. That is Python's name; JSON's is \"{right}\"."
        if got is None:
            return f"{call} gave None. {PRINTED}"
        return f"{call} gave {show(got)}. Return one of these texts: {', '.join(NAMES)}."

    return rule


JSON_TYPE = Exercise(
    "json_type",
    (
        _first(
            "json_type",
            (True,),
            "boolean",
            ("integer", "In Python a boolean passes for an int: ask for the boolean before the integer."),
            ("number", "In Python a boolean passes for a number: ask for the boolean first."),
            (
                lambda got: got is bool or got in ("bool", "Boolean", "<class 'bool'>"),
                'Return the name that JSON has for it, in lower case: "boolean".',
            ),
            (_no_pair, 'Return one of the eight texts, as it is written in the task: here "boolean".'),
        ),
        _is_a_name("Pro", "string"),
        _is_a_name(None, "null"),
        Case((True,), "boolean", "Ask for the boolean before the integer.", shown=True),
        Case(
            (False,),
            "boolean",
            "False is a boolean as well, and it equals 0: do not compare, ask for the type.",
        ),
        Case(
            (24,),
            "integer",
            "A whole number is an integer, also 0 and 1: ask for the type, not for the value.",
        ),
        Case((1,), "integer", "1 equals True but is no boolean: ask for the type, not for the value."),
        Case(
            (24.0,),
            "integer",
            "A float without a fraction is an integer in JSON Schema: `value.is_integer()` says so.",
            shown=True,
        ),
        Case((24.5,), "number", "A float with a fraction is a number.", shown=True),
        *_case(
            "json_type",
            (math.nan,),
            "not JSON",
            "NaN is a float in Python and does not exist in JSON: `math.isfinite` tells.",
            ValueError,
            OverflowError,
        ),
        *_case(
            "json_type",
            (-math.inf,),
            "not JSON",
            "Infinity, of either sign, does not exist in JSON: `math.isfinite` tells.",
            ValueError,
            OverflowError,
        ),
        Case(("24",), "string", "A text is a string, whatever is written in it."),
        Case((None,), "null", "None is JSON's null: ask whether the value is None."),
        Case(([],), "array", "An empty list is still an array: ask for the type, not whether it is empty."),
        Case(
            ({},),
            "object",
            "An empty dictionary is still an object, and a dictionary is what JSON calls one.",
        ),
        *_case(
            "json_type",
            ((1, 2),),
            "not JSON",
            "A tuple looks like a list, but no JSON text gives one: only a list is an array.",
            None,
            TypeError,
        ),
        *_case(
            "json_type",
            ({1},),
            "not JSON",
            "JSON has no sets: what is none of the seven is not JSON.",
            None,
            TypeError,
            StopIteration,
        ),
    ),
    (
        _wrong(
            "ask for the boolean before the integer",
            "def json_type(value):",
            "    if value is None:",
            "        return 'null'",
            "    if isinstance(value, int):",
            "        return 'integer'",
            "    if isinstance(value, bool):",
            "        return 'boolean'",
            "    if isinstance(value, float):",
            "        return 'integer' if value.is_integer() else 'number'",
            "    return {str: 'string', list: 'array', dict: 'object'}.get(type(value), 'not JSON')",
        ),
        _wrong(
            "the name that JSON has for it",
            "def json_type(value):",
            "    return type(value).__name__",
        ),
        _wrong(
            "A float without a fraction",
            "def json_type(value):",
            "    names = {bool: 'boolean', int: 'integer', float: 'number', str: 'string',",
            "             list: 'array', dict: 'object', type(None): 'null'}",
            "    return names.get(type(value), 'not JSON')",
        ),
        _wrong(
            "does not exist in JSON",
            "def json_type(value):",
            "    for name in PYTHON:",
            "        if name not in ('integer', 'number') and has_type(value, name):",
            "            return name",
            "    if has_type(value, 'integer'):",
            "        return 'integer'",
            "    return 'number' if has_type(value, 'number') else 'not JSON'",
        ),
        _wrong(
            "no JSON text gives one",
            "def json_type(value):",
            "    if isinstance(value, float) and not math.isfinite(value):",
            "        return 'not JSON'",
            "    if isinstance(value, tuple):",
            "        return 'array'",
            "    names = ('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')",
            "    return next((name for name in names if has_type(value, name)), 'not JSON')",
        ),
        _wrong(
            "is a boolean as well",
            "def json_type(value):",
            "    if value is True:",
            "        return 'boolean'",
            "    if isinstance(value, float) and not math.isfinite(value):",
            "        return 'not JSON'",
            "    names = {int: 'integer', str: 'string', list: 'array', dict: 'object', type(None): 'null'}",
            "    if isinstance(value, float):",
            "        return 'integer' if value.is_integer() else 'number'",
            "    return next((name for kind, name in names.items() if isinstance(value, kind)), 'not JSON')",
        ),
    ),
)

# --- 4.3 -------------------------------------------------------------------------------------------------

ENDS = "Both bounds belong to the range: compare with <=."
MISSING = "A missing key is a failure, not an error: ask whether it is there before you take it."

IN_RANGE = Exercise(
    "in_range",
    (
        _first(
            "in_range",
            ({"value": 90, "unit": "days"}, 1, 365, "days"),
            True,
            (False, "90 lies between 1 and 365, and the unit agrees."),
            (_no_bool, NO_BOOL),
        ),
        Case(
            ({"value": 90, "unit": "days"}, 1, 365, "days"),
            True,
            "90 lies between the bounds and the unit agrees.",
            shown=True,
        ),
        Case(
            ({"value": 90, "unit": "hours"}, 1, 365, "days"),
            False,
            "90 hours are not 90 days: the unit has to agree as well.",
            shown=True,
        ),
        *_case(
            "in_range",
            ({"value": 90}, 1, 365, "days"),
            False,
            f'There is no "unit". {MISSING}',
            KeyError,
            AttributeError,
            shown=True,
        ),
        *_case(
            "in_range",
            ({"unit": "days"}, 1, 365, "days"),
            False,
            f'There is no "value". {MISSING}',
            KeyError,
            TypeError,
            AttributeError,
        ),
        Case(({"value": 366, "unit": "days"}, 1, 365, "days"), False, "366 is above the upper bound."),
        Case(({"value": 0, "unit": "days"}, 1, 365, "days"), False, "0 is below the lower bound."),
        Case(({"value": 365, "unit": "days"}, 1, 365, "days"), True, ENDS),
        Case(({"value": 1, "unit": "days"}, 1, 365, "days"), True, ENDS),
        Case(
            ({"value": 0, "unit": "days"}, 0, 365, "days"),
            True,
            "0 is a number like any other. Python takes it for false, so do not ask `if value`.",
        ),
        Case(
            ({"value": 23.5, "unit": "hours"}, 1, 48, "hours"),
            True,
            "A number may have a fraction: not only int, float counts too.",
        ),
        Case(
            ({"value": True, "unit": "days"}, 0, 365, "days"),
            False,
            "true is no number, although Python counts it as 1: rule the boolean out.",
        ),
        *_case(
            "in_range",
            ({"value": "90", "unit": "days"}, 1, 365, "days"),
            False,
            'The text "90" is no number: do not convert it, and do not compare a text with a number.',
            TypeError,
            ValueError,
        ),
        *_case(
            "in_range",
            ({"value": None, "unit": "days"}, 1, 365, "days"),
            False,
            "None is no number: ask for the type first.",
            TypeError,
        ),
        *_case(
            "in_range",
            ({"value": None, "unit": "days"}, None, None, "days"),
            False,
            "Without bounds the value still has to be a number.",
            TypeError,
        ),
        Case(
            ({"value": math.nan, "unit": "days"}, 1, 365, "days"),
            False,
            "Every comparison with NaN is false, so a test for what is out of range lets it in: "
            "ask what is in it.",
        ),
        Case(
            ({"value": math.nan, "unit": "days"}, None, None, "days"),
            False,
            "Without bounds nothing compares the NaN away: refuse it by name, with `math.isnan`.",
        ),
        *_case(
            "in_range",
            ({"value": 5000, "unit": "days"}, 1, None, "days"),
            True,
            "An upper bound of None is no bound, so nothing is too large.",
            TypeError,
        ),
        *_case(
            "in_range",
            ({"value": -5, "unit": "days"}, 0, None, "days"),
            False,
            "0 is a bound: `if low` skips it, `low is None` does not.",
            TypeError,
        ),
        *_case(
            "in_range",
            ({"value": 5, "unit": "days"}, None, 0, "days"),
            False,
            "0 is a bound: `if high` skips it, `high is None` does not.",
            TypeError,
        ),
        *_case(
            "in_range",
            ({"value": 429, "unit": None}, 400, 599, None),
            True,
            "Where no unit is asked for, None is the unit.",
            AttributeError,
            TypeError,
        ),
        Case(
            ({"value": 429}, 400, 599, None),
            False,
            "The reply does not say that there is no unit: `get` is None for a missing key too.",
        ),
        Case(({"value": 90, "unit": "Days"}, 1, 365, "days"), False, "The unit counts letter by letter."),
    ),
    (
        _wrong(
            "the unit has to agree",
            "def in_range(reply, low, high, unit):",
            "    return low <= reply['value'] <= high",
        ),
        _wrong(
            "compare with <=",
            "def in_range(reply, low, high, unit):",
            "    value = reply.get('value')",
            "    if reply.get('unit') != unit or not has_type(value, 'number'):",
            "        return False",
            "    return (low is None or low < value) and (high is None or value < high)",
        ),
        _wrong(
            "A missing key is a failure",
            "def in_range(reply, low, high, unit):",
            "    value = reply['value']",
            "    return reply['unit'] == unit and low <= value <= high",
        ),
        _wrong(
            "rule the boolean out",
            "def in_range(reply, low, high, unit):",
            "    value = reply.get('value')",
            "    if reply.get('unit') != unit or not isinstance(value, (int, float)):",
            "        return False",
            "    return (low is None or low <= value) and (high is None or value <= high)",
        ),
        _wrong(
            "a test for what is out of range lets it in",
            "def in_range(reply, low, high, unit):",
            "    value = reply.get('value')",
            "    if 'unit' not in reply or reply['unit'] != unit or not has_type(value, 'number'):",
            "        return False",
            "    if low is not None and value < low:",
            "        return False",
            "    if high is not None and value > high:",
            "        return False",
            "    return True",
        ),
        _wrong(
            "do not ask `if value`",
            "def in_range(reply, low, high, unit):",
            "    value = reply.get('value')",
            "    if not value or reply.get('unit') != unit or not has_type(value, 'number'):",
            "        return False",
            "    return (low is None or low <= value) and (high is None or value <= high)",
        ),
        _wrong(
            "`if low` skips it",
            "def in_range(reply, low, high, unit):",
            "    value = reply.get('value')",
            "    if reply.get('unit') != unit or not has_type(value, 'number') or math.isnan(value):",
            "        return False",
            "    return (not low or low <= value) and (not high or value <= high)",
        ),
        _wrong(
            "is None for a missing key too",
            "def in_range(reply, low, high, unit):",
            "    value = reply.get('value')",
            "    if reply.get('unit') != unit or not has_type(value, 'number') or math.isnan(value):",
            "        return False",
            "    return (low is None or low <= value) and (high is None or value <= high)",
        ),
        _wrong(
            "Return True or False itself",
            "def in_range(reply, low, high, unit):",
            "    return 'yes' if low <= reply['value'] <= high and reply['unit'] == unit else 'no'",
        ),
    ),
)

# --- 4.4 -------------------------------------------------------------------------------------------------

PAGES = {"plans": "Pro costs 25 dollars per month.", "limits": "Pro allows 600 requests."}


def _cites(source: Any, quote: Any, golden: str = "plans") -> tuple[Any, ...]:
    return ({"source": source, "quote": quote}, PAGES, golden)


NAMED_PAGE = (
    "The quote does stand in the page that the reply names. That the golden page is another one is a matter "
    "for the second verdict alone."
)

CITATION = Exercise(
    "citation",
    (
        _first(
            "citation",
            _cites("plans", "25 dollars"),
            (True, True),
            (_no_pair, "Two verdicts are asked for, as a pair: (grounded, cited)."),
            (lambda got: len(got) != 2, "The pair has two parts: (grounded, cited)."),
            (
                lambda got: not all(isinstance(part, bool) for part in got),
                "Both parts must be True or False.",
            ),
            ((False, True), "The quote stands in the text of that page: look in `pages[source]`."),
            (KeyError, "Which key was that? The pages are in `pages`, their ids are its keys."),
        ),
        Case(
            _cites("plans", "25 dollars"),
            (True, True),
            "The quote stands in the cited page, and that is the golden one.",
            shown=True,
        ),
        *_case(
            "citation",
            _cites("pricing", "25 dollars"),
            (False, False),
            "There is no page of that name, so nothing in it can be quoted, and nothing should raise.",
            KeyError,
            TypeError,
            AttributeError,
            shown=True,
        ),
        _first(
            "citation",
            _cites("limits", "600 requests"),
            (True, False),
            ((False, True), "Are the two swapped? Grounded comes first, cited second."),
            ((False, False), NAMED_PAGE),
        ),
        Case(_cites("limits", "600 requests"), (True, False), NAMED_PAGE),
        Case(
            _cites("limits", "25 dollars"),
            (False, False),
            "The quote stands in another page than the one that the reply names: look only there.",
        ),
        Case(
            _cites("plans", "about 25 dollars"),
            (False, True),
            "The reply names the right page and made up the quote: the two verdicts do not depend on each "
            "other.",
        ),
        Case(
            _cites("plans", " 25\n  dollars per month"),
            (True, True),
            "White space does not count: squeeze both texts.",
        ),
        Case(
            _cites("plans", "25 Dollars"),
            (False, True),
            "White space apart nothing may differ, not even the case.",
        ),
        Case(
            _cites("plans", "5 dollars"),
            (False, True),
            "This quote begins in the middle of the number 25: `is_verbatim` minds where words and numbers "
            "begin.",
        ),
        Case(
            _cites("plans", ""),
            (False, True),
            "The empty text is in every text, so `in` says yes: refuse it.",
        ),
        Case(_cites("plans", " \n"), (False, True), "A quote of white space alone quotes nothing."),
        *_case(
            "citation",
            ({"source": "plans"}, PAGES, "plans"),
            (False, True),
            "Without a quote there is nothing to find, but the page is named: (False, True).",
            KeyError,
            TypeError,
            AttributeError,
        ),
        *_case(
            "citation",
            ({"quote": "25 dollars"}, PAGES, "plans"),
            (False, False),
            "Without a source no page is cited, golden or not: (False, False).",
            KeyError,
            TypeError,
            AttributeError,
        ),
        *_case(
            "citation",
            _cites("plans", 25),
            (False, True),
            "A quote that is no text is none: ask `isinstance(quote, str)`.",
            TypeError,
            AttributeError,
        ),
        *_case(
            "citation",
            _cites(["plans"], "25 dollars"),
            (False, False),
            "A model may write a list here, and a list cannot be looked up: ask `isinstance(source, str)` "
            "first.",
            TypeError,
        ),
    ),
    (
        _wrong(
            "Grounded comes first",
            "def citation(reply, pages, golden_page):",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    return source == golden_page, source in pages and is_verbatim(quote, pages[source])",
        ),
        _wrong(
            "look only there",
            "def citation(reply, pages, golden_page):",
            "    if reply['source'] not in pages:",
            "        return False, False",
            "    grounded = any(is_verbatim(reply['quote'], page) for page in pages.values())",
            "    return grounded, reply['source'] == golden_page",
        ),
        _wrong(
            "nothing should raise",
            "def citation(reply, pages, golden_page):",
            "    return is_verbatim(reply['quote'], pages[reply['source']]), reply['source'] == golden_page",
        ),
        _wrong(
            "a matter for the second verdict alone",
            "def citation(reply, pages, golden_page):",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    if source not in pages:",
            "        return False, False",
            "    return is_verbatim(quote, pages[golden_page]), source == golden_page",
        ),
        _wrong(
            "do not depend on each other",
            "def citation(reply, pages, golden_page):",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    grounded = source in pages and is_verbatim(quote, pages[source])",
            "    return grounded, grounded and source == golden_page",
        ),
        _wrong(
            "squeeze both texts",
            "def citation(reply, pages, golden_page):",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    return source in pages and quote in pages[source], source == golden_page",
        ),
        _wrong(
            "not even the case",
            "def citation(reply, pages, golden_page):",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    grounded = source in pages and is_verbatim(quote.lower(), pages[source].lower())",
            "    return grounded, source == golden_page",
        ),
        _wrong(
            "in the middle of the number",
            "def citation(reply, pages, golden_page):",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    grounded = source in pages and squeeze(quote) in squeeze(pages[source])",
            "    return grounded, source == golden_page",
        ),
        _wrong(
            "Two verdicts are asked for",
            "def citation(reply, pages, golden_page):",
            "    return reply['source'] == golden_page and is_verbatim(reply['quote'], pages[golden_page])",
        ),
    ),
)

# --- 4.5 -------------------------------------------------------------------------------------------------

WANTED = {"value": 90, "unit": "days", "plan": "Scale"}
WEIGHTS = {"value": 3, "unit": 1, "plan": 1}
NO_NUMBER = {"value": None, "unit": None, "plan": "Pro"}


def _refuses_no_weights(answer: Any) -> str | Todo | None:
    call = f"weighted_credit({show(WANTED)}, {show(WANTED)}, {{}})"
    try:
        got = answer(dict(WANTED), dict(WANTED), {})
    except ValueError:
        return None
    except ZeroDivisionError:
        return f"{call} divides by zero. Ask for an empty table of weights first, and raise a ValueError."
    except Exception as error:  # noqa: BLE001
        return f"{call} raised {type(error).__name__}, not a ValueError."
    if unfinished(got):
        return TODO
    if isinstance(got, ValueError):
        return f"{call} returned a ValueError. Write `raise ValueError(...)`, not `return`."
    return f"{call} gave {show(got)}. Without weights nothing is checked: raise a ValueError, never a number."


def _credit(changes: Mapping[str, Any], wanted: Mapping[str, Any] = WANTED) -> tuple[Any, ...]:
    return ({**wanted, **changes}, dict(wanted), dict(WEIGHTS))


WEIGHTED_CREDIT = Exercise(
    "weighted_credit",
    (
        _first(
            "weighted_credit",
            _credit({"plan": "Free"}),
            0.8,
            (2 / 3, "That is the share of fields. A field earns its *weight*: 3 + 1 of 5."),
            (4, "Divide what was earned by what could have been earned, the sum of all weights."),
            (4 / 3, "You divided by the number of fields: divide by the sum of their weights."),
            (
                2 / 5,
                "Two of three fields are right, and together they weigh 4: add up weights, do not count.",
            ),
            (0.2, "That is what was lost. Asked for is what was earned."),
            (0, "That is all or nothing. A reply with one wrong field keeps what the others earn."),
            (1, "The plan is wrong, so not all was earned."),
            (80, "Credit runs from 0 to 1 here, so leave the factor of 100 out."),
            (_text, "Return a number, not text: formatting is for print."),
            (lambda got: isinstance(got, list | tuple | dict), "Return one number, not the single fields."),
        ),
        Case(_credit({"plan": "Free"}), 0.8, "What was earned, 3 + 1, over what could be, 5.", shown=True),
        Case(_credit({}), 1.0, "Everything is right, so the credit is 1."),
        Case(_credit({"value": 30}), 0.4, "The value weighs 3 of 5, so 2 of 5 remain."),
        Case(_credit({"value": 30, "unit": "", "plan": None}), 0.0, "Nothing is right, so the credit is 0."),
        *_case(
            "weighted_credit",
            ({"value": 90, "plan": "Scale"}, WANTED, WEIGHTS),
            0.8,
            "A missing field earns nothing, and its weight stays below the line: divide by the sum of all "
            "weights.",
            KeyError,
        ),
        *_case(
            "weighted_credit",
            ({"plan": "Pro"}, NO_NUMBER, WEIGHTS),
            0.2,
            "None was expected, and the reply does not say None: a missing field is wrong. "
            "`get` cannot tell the two apart.",
            KeyError,
        ),
        Case(
            (NO_NUMBER, NO_NUMBER, WEIGHTS),
            1.0,
            "None is a value like any other: where it is expected and given, the field is right.",
        ),
        Case(
            ({"value": True, "unit": "days"}, {"value": 1, "unit": "days"}, {"value": 3, "unit": 1}),
            0.25,
            "true is not 1 in JSON, although Python says so: compare with json_equal.",
        ),
        Case(
            ({"value": 90.0, "unit": "days", "plan": "Scale"}, WANTED, WEIGHTS),
            1.0,
            "90.0 and 90 are one number in JSON: compare with json_equal, not by type or as texts.",
        ),
        Case(
            _credit({"plan": "scale"}),
            0.8,
            "The comparison is exact: a plan in lower case is another text.",
        ),
        Case(
            _credit({"confidence": 0.9}),
            1.0,
            "Keys without a weight do not count, neither for nor against: loop over the weights.",
        ),
        Case(
            (WANTED, WANTED, {"value": 3}),
            1.0,
            "Only the value has a weight here, so only the value counts: loop over the weights.",
        ),
        Case(
            ({"value": 7, "plan": "Scale"}, WANTED, {"value": 1, "plan": 2}),
            2 / 3,
            "Do not round: the credit is 2 of 3 exactly, and the lesson rounds only what it prints.",
        ),
        *_case(
            "weighted_credit",
            (["90"], WANTED, WEIGHTS),
            0.0,
            "A list has no fields: what is no dictionary earns 0, and raises nothing.",
            TypeError,
            AttributeError,
        ),
        *_case(
            "weighted_credit",
            (None, WANTED, WEIGHTS),
            0.0,
            "A reply that could not be read is None here: it earns 0.",
            TypeError,
            AttributeError,
        ),
        _refuses_no_weights,
    ),
    (
        _wrong(
            "A field earns its *weight*",
            "def weighted_credit(reply, wanted, weights):",
            "    return sum(json_equal(reply.get(n), wanted[n]) for n in weights) / len(weights)",
        ),
        _wrong(
            "You divided by the number of fields",
            "def weighted_credit(reply, wanted, weights):",
            "    earned = sum(w for n, w in weights.items() if json_equal(reply.get(n), wanted[n]))",
            "    return earned / len(weights)",
        ),
        _wrong(
            "its weight stays below the line",
            "def weighted_credit(reply, wanted, weights):",
            "    there = [n for n in weights if n in reply]",
            "    earned = sum(weights[n] for n in there if json_equal(reply[n], wanted[n]))",
            "    return earned / sum(weights[n] for n in there)",
        ),
        _wrong(
            "`get` cannot tell the two apart",
            "def weighted_credit(reply, wanted, weights):",
            "    if not isinstance(reply, dict):",
            "        return 0.0",
            "    earned = sum(w for n, w in weights.items() if json_equal(reply.get(n), wanted[n]))",
            "    return earned / sum(weights.values())",
        ),
        _wrong(
            "compare with json_equal",
            "def weighted_credit(reply, wanted, weights):",
            "    if not isinstance(reply, dict):",
            "        return 0.0",
            "    earned = sum(w for n, w in weights.items() if n in reply and reply[n] == wanted[n])",
            "    return earned / sum(weights.values())",
        ),
        _wrong(
            "Do not round",
            "def weighted_credit(reply, wanted, weights):",
            "    if not isinstance(reply, dict):",
            "        return 0.0",
            "    right = [n for n in weights if n in reply and json_equal(reply[n], wanted[n])]",
            "    earned = sum(weights[n] for n in right)",
            "    return round(earned / sum(weights.values()), 2)",
        ),
        _wrong(
            "raise a ValueError",
            "def weighted_credit(reply, wanted, weights):",
            "    if not isinstance(reply, dict):",
            "        return 0.0",
            "    right = [n for n in weights if n in reply and json_equal(reply[n], wanted[n])]",
            "    earned = sum(weights[n] for n in right)",
            "    return earned / sum(weights.values())",
        ),
        _wrong(
            "That is all or nothing",
            "def weighted_credit(reply, wanted, weights):",
            "    return float(all(json_equal(reply.get(n), wanted[n]) for n in weights))",
        ),
    ),
)

# --- the table -------------------------------------------------------------------------------------------

EXERCISES: dict[str, Exercise | Choice] = {
    "4.1": READ_FENCED,
    "4.2": JSON_TYPE,
    "4.3": IN_RANGE,
    "4.4": CITATION,
    "4.5": WEIGHTED_CREDIT,
    "Q4.1": Choice(
        "b",
        {
            "a": "A made-up quote is not in the cited page, so the reply would not be grounded.",
            "b": "Right: the sentence is true and stands where the reply says, and the fields say something "
            "else, as in s18 and s23. A citation proves that a sentence exists, not that "
            "it answers the question.",
            "c": "A page that does not exist can neither hold the quote nor be the golden one: both "
            "would fail.",
        },
    ),
    "Q4.2": Choice(
        "c",
        {
            "a": "Loose also throws away a first line that matters, such as an apology: 90% is the kinder "
            "bound, not the truth.",
            "b": "Strict fails answers for asterisks, and a broken format says nothing yet about a wrong "
            "fact: 60% is the harder bound.",
            "c": "Right: the truth lies between the two, and the answers that make the difference show "
            "where.",
        },
    ),
    "Q4.3": Choice(
        "a",
        {
            "a": "Right: the mistake is in the list of checks, so its author must hear of it, before any "
            "number is reported.",
            "b": "Then a typing error turns into a perfect score for that check, and nobody ever notices: "
            "this is failing open.",
            "c": "That is closed, but it blames the replies for the author's mistake, and the number looks "
            "like a result. An error says what happened.",
        },
    ),
}
