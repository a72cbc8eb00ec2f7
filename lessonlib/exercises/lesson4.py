"""The exercises of Lesson 4, structured checks: cases, rules and typical wrong answers."""

import json
import math
from collections.abc import Mapping
from typing import Any

from .checker import Case, Choice, Exercise, Outcome, wrongs
from .slips import A_BOOL, NO_RETURN, OWN_HINT, Raised, is_text, no_bool, no_list
from .values import TODO, show, unfinished

# --- 4.1 -------------------------------------------------------------------------------------------------

FALSY: tuple[Any, ...] = (0, False, [])
FENCED = 'Here you are:\n```json\n{"value": 24}\n```\nAnything else?'

READ_FENCED = Exercise(
    "read_fenced",
    (
        Case(
            (FENCED,),
            {"value": 24},
            "The value is what stands between the two fences.",
            shown=True,
            slips=[
                (
                    None,
                    f"The text has two fences and JSON between them, so there is a value. {NO_RETURN} Or did "
                    "the `except` swallow an error? Print what you give to `json.loads`: no fence belongs in "
                    "it.",
                ),
                (is_text, "That is still text. `json.loads` turns it into a value."),
                (lambda got, _: not no_list(got), "Return the value alone, not in a list or a pair."),
                (
                    lambda got, _: hasattr(got, "failure"),
                    "That is what `parse_json` returns; the value in it is its `value`. But try it without.",
                ),
                (
                    ValueError,
                    "What you read is not the JSON alone: leave out the fences, the tag json, and the prose.",
                ),
                (
                    Raised(TypeError, "JSON object"),
                    "`json.loads` takes one text: join the lines between the fences again.",
                ),
            ],
        ),
        Case(
            ("```\n[1, 2]\n```",),
            [1, 2],
            "A fence needs no tag, a block no prose around it, and any JSON value may stand in it.",
            slips=[(None, OWN_HINT)],
        ),
        Case(
            ('```JSON\n{\n  "plan": "Pro",\n  "value": 600\n}\n```',),
            {"plan": "Pro", "value": 600},
            "A block may have many lines, and what stands behind the backticks of a fence does not matter.",
            slips=[(None, OWN_HINT)],
        ),
        Case(
            ('{"value": 24}',),
            None,
            "There is no fence in this text. It is JSON, but only a block counts here: return None.",
        ),
        Case(
            ("I cannot say.",), None, "A reply without a block is ordinary: return None, and raise nothing."
        ),
        Case(
            ('```json\n{"value": 24',),
            None,
            "The block is never closed, so the reply was cut off: with one fence the answer is None.",
        ),
        Case(
            ("```json\n{'value': 24}\n```",),
            None,
            "Between the fences stands no JSON: catch the error of json.loads and return None.",
        ),
        Case(
            ('```json\n{"value": 24}\n```\nOr:\n```json\n{"value": 48}\n```',),
            None,
            "Two blocks are two answers, and nobody knows which one counts: with four fences return None.",
        ),
        Case(
            ('```json\n{"value": 24}\n```\n```json\n{"value": 48',),
            None,
            "Three fences are not exactly two: a second block has begun, so return None.",
        ),
        Case(
            ('```json\n{"answer": "Write ``` around it"}\n```',),
            {"answer": "Write ``` around it"},
            "Backticks in the middle of a line are no fence: only a line that begins with three is one.",
            slips=[(None, OWN_HINT)],
        ),
        Case(
            ('Sure:\r\n```json\r\n{"value": 24}\r\n```\r\n',),
            {"value": 24},
            r"Some systems end lines with \r\n. `splitlines` takes both kinds.",
            slips=[(None, OWN_HINT)],
        ),
        *(
            Case(
                (f"```\n{json.dumps(value)}\n```",),
                value,
                "0, false and [] are values too: only a text without its one block is None, so ask for the "
                "fences, and leave the value as it is.",
                slips=[(None, OWN_HINT)],
            )
            for value in FALSY
        ),
        Case(("```json\nnull\n```",), None, "JSON's null is read as None, and that is the value here."),
        Case(
            ('Write ```{"value": 24}``` in your file.',),
            None,
            "These backticks stand in the middle of a line: a pattern needs `^` in front of them, with the "
            "flag `re.M`.",
        ),
        Case(
            ('It is ```json\n{"value": 24}\n```',),
            None,
            "Only the last line begins with backticks, so there is one fence, not two: a pattern needs `^` "
            "in front of them, with the flag `re.M`.",
        ),
        Case(
            ('  ```json\n{"value": 24}\n  ```',),
            None,
            "These lines begin with blanks. A fence is a line that *begins* with three backticks, so do not "
            "`strip` it before you ask.",
        ),
    ),
    (
        *wrongs(
            "def read_fenced(text):",
            ("not the JSON alone", "    return json.loads(text)"),
            ("still text", "    return text.split('```json')[1].split('```')[0]"),
            ("not the JSON alone", "    return json.loads(text.split('```')[1])"),
            ("A fence needs no tag", "    return json.loads(text.split('```json')[1].split('```')[0])"),
            (
                "nobody knows which one counts",
                "    lines = text.splitlines()",
                "    fences = [n for n, line in enumerate(lines) if line.startswith('```')]",
                "    if len(fences) < 2:",
                "        return None",
                "    try:",
                "        return json.loads(''.join(lines[fences[0] + 1 : fences[1]]))",
                "    except ValueError:",
                "        return None",
            ),
            ("only a block counts here", "    found = parse_json(text)", "    return found.value"),
            (
                "catch the error",
                "    lines = text.splitlines()",
                "    fences = [n for n, line in enumerate(lines) if line.startswith('```')]",
                "    if len(fences) == 2:",
                "        return json.loads(''.join(lines[fences[0] + 1 : fences[1]]))",
            ),
            (
                "no fence belongs in it",
                "    lines = text.splitlines()",
                "    fences = [n for n, line in enumerate(lines) if line.startswith('```')]",
                "    if len(fences) != 2:",
                "        return None",
                "    try:",
                "        return json.loads(''.join(lines[fences[0] : fences[1]]))",
                "    except ValueError:",
                "        return None",
            ),
            (
                "0, false and [] are values too",
                "    lines = text.splitlines()",
                "    fences = [n for n, line in enumerate(lines) if line.startswith('```')]",
                "    if len(fences) != 2:",
                "        return None",
                "    try:",
                "        return json.loads(''.join(lines[fences[0] + 1 : fences[1]])) or None",
                "    except ValueError:",
                "        return None",
            ),
            (
                "These lines begin with blanks",
                "    lines = text.splitlines()",
                "    fences = [n for n, line in enumerate(lines) if line.strip().startswith('```')]",
                "    if len(fences) != 2:",
                "        return None",
                "    try:",
                "        return json.loads(''.join(lines[fences[0] + 1 : fences[1]]))",
                "    except ValueError:",
                "        return None",
            ),
            (
                "What is printed is not handed back",
                "    lines = text.splitlines()",
                "    fences = [n for n, line in enumerate(lines) if line.startswith('```')]",
                "    print(json.loads(''.join(lines[fences[0] + 1 : fences[1]])))",
            ),
        ),
        *wrongs(
            "def read_fenced(text):",
            *(
                (
                    says,
                    f"    found = re.search(r'{pattern}', text, re.S | re.I)",
                    "    try:",
                    "        return json.loads(found[1]) if found else None",
                    "    except ValueError:",
                    "        return None",
                )
                for says, pattern in (
                    ("in the middle of a line: a pattern", r"```(?:json)?\s*(.*)```"),
                    ("there is one fence, not two", r"```[^\n]*\n(.*)\n```"),
                )
            ),
        ),
    ),
)

# --- 4.2 -------------------------------------------------------------------------------------------------

NAMES = ("null", "boolean", "integer", "number", "string", "array", "object", "not JSON")
PYTHON_NAMES = ("bool", "int", "float", "str", "list", "dict", "NoneType")
TYPE_FIRST = "`math.isfinite` takes only numbers, `is_integer` only floats: ask for the type first."


def _is_pythons(got: Any, _: Any) -> bool:
    return isinstance(got, type) or str(got).removeprefix("<class '").removesuffix("'>") in PYTHON_NAMES


JSON_TYPE = Exercise(
    "json_type",
    (
        Case(
            (True,),
            "boolean",
            "Ask for the boolean before the integer.",
            shown=True,
            slips=[
                ("integer", "In Python a boolean passes for an int: ask for the boolean before the integer."),
                ("number", "In Python a boolean passes for a number: ask for the boolean first."),
            ],
        ),
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
        Case(
            (math.nan,),
            "not JSON",
            "NaN is a float in Python and does not exist in JSON: `math.isfinite` tells.",
        ),
        Case(
            (-math.inf,),
            "not JSON",
            "Infinity, of either sign, does not exist in JSON: `math.isfinite` tells.",
        ),
        Case(("24",), "string", "A text is a string, whatever is written in it."),
        Case(
            (b"24",),
            "not JSON",
            "Bytes are no text, and JSON has none: only a `str` is a string.",
            slips=[(None, OWN_HINT)],
        ),
        Case((None,), "null", "None is JSON's null: ask whether the value is None."),
        Case(([],), "array", "An empty list is still an array: ask for the type, not whether it is empty."),
        Case(
            ({},),
            "object",
            "An empty dictionary is still an object, and a dictionary is what JSON calls one.",
        ),
        Case(
            ((1, 2),),
            "not JSON",
            "A tuple looks like a list, but no JSON text gives one: only a list is an array.",
            slips=[(None, OWN_HINT)],
        ),
        Case(
            ({1},),
            "not JSON",
            "JSON has no sets: what is none of the seven is not JSON.",
            slips=[(None, OWN_HINT)],
        ),
    ),
    wrongs(
        "def json_type(value):",
        (
            "ask for the boolean before the integer",
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
        ("the name that JSON has for it", "    return type(value).__name__"),
        (
            "A float without a fraction",
            "    names = {bool: 'boolean', int: 'integer', float: 'number', str: 'string',",
            "             list: 'array', dict: 'object', type(None): 'null'}",
            "    return names.get(type(value), 'not JSON')",
        ),
        (
            "does not exist in JSON",
            "    for name in PYTHON:",
            "        if name not in ('integer', 'number') and has_type(value, name):",
            "            return name",
            "    if has_type(value, 'integer'):",
            "        return 'integer'",
            "    return 'number' if has_type(value, 'number') else 'not JSON'",
        ),
        (
            "takes only numbers",
            "    if not math.isfinite(value):",
            "        return 'not JSON'",
            "    names = ('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')",
            "    return next((name for name in names if has_type(value, name)), 'not JSON')",
        ),
        (
            "only floats: ask for the type",
            "    if isinstance(value, bool):",
            "        return 'boolean'",
            "    if value.is_integer():",
            "        return 'integer'",
            "    return next((name for name in PYTHON if has_type(value, name)), 'not JSON')",
        ),
        (
            "Bytes are no text",
            "    if isinstance(value, float) and not math.isfinite(value):",
            "        return 'not JSON'",
            "    if isinstance(value, (str, bytes)):",
            "        return 'string'",
            "    names = ('null', 'boolean', 'integer', 'number', 'array', 'object')",
            "    return next((name for name in names if has_type(value, name)), 'not JSON')",
        ),
        (
            "no JSON text gives one",
            "    if isinstance(value, float) and not math.isfinite(value):",
            "        return 'not JSON'",
            "    if isinstance(value, tuple):",
            "        return 'array'",
            "    names = ('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')",
            "    return next((name for name in names if has_type(value, name)), 'not JSON')",
        ),
        (
            "is a boolean as well",
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
    [
        (_is_pythons, "That is Python's name. Return the name that JSON has for it."),
        (lambda got, _: got not in NAMES, f"Return one of these texts: {', '.join(NAMES)}."),
        (TypeError, TYPE_FIRST),
        (AttributeError, TYPE_FIRST),
    ],
)

# --- 4.3 -------------------------------------------------------------------------------------------------

ENDS = "Both bounds belong to the range: compare with <=."
MISSING = "A missing key is a failure, not an error: ask whether it is there before you take it."

IN_RANGE = Exercise(
    "in_range",
    (
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
        Case(({"value": 90}, 1, 365, "days"), False, f'There is no "unit". {MISSING}', shown=True),
        Case(({"unit": "days"}, 1, 365, "days"), False, f'There is no "value". {MISSING}'),
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
            ({"value": 5000, "unit": "days"}, 1, None, "days"),
            True,
            "An upper bound of None is no bound, so nothing is too large.",
        ),
        Case(
            ({"value": -5000, "unit": "days"}, None, 365, "days"),
            True,
            "A lower bound of None is no bound, so nothing is too small.",
        ),
        Case(
            ({"value": 90, "unit": "days"}, None, None, "days"),
            True,
            "With None on both sides every number is in range: compare only with a bound that is there.",
        ),
        Case(
            ({"value": True, "unit": "days"}, 0, 365, "days"),
            False,
            "true is no number, although Python counts it as 1: rule the boolean out.",
        ),
        Case(
            ({"value": "90", "unit": "days"}, 1, 365, "days"),
            False,
            'The text "90" is no number: do not convert it, and do not compare a text with a number.',
        ),
        Case(
            ({"value": None, "unit": "days"}, 1, 365, "days"),
            False,
            "None is no number: ask for the type first.",
        ),
        Case(
            ({"value": None, "unit": "days"}, None, None, "days"),
            False,
            "Without bounds the value still has to be a number.",
        ),
        Case(
            ({"value": math.nan, "unit": "days"}, 1, 365, "days"),
            False,
            "NaN is neither below nor above a bound, so a test for what is out of range lets it in: ask what "
            "is in it.",
        ),
        Case(
            ({"value": math.nan, "unit": "days"}, None, None, "days"),
            False,
            "Without bounds nothing compares the NaN away: refuse it by name, with `math.isnan`.",
        ),
        Case(
            ({"value": -5, "unit": "days"}, 0, None, "days"),
            False,
            "0 is a bound: `if low` skips it, `low is None` does not.",
        ),
        Case(
            ({"value": 5, "unit": "days"}, None, 0, "days"),
            False,
            "0 is a bound: `if high` skips it, `high is None` does not.",
        ),
        Case(
            ({"value": 429, "unit": None}, 400, 599, None),
            True,
            "Where no unit is asked for, None is the unit.",
        ),
        Case(
            ({"value": 429}, 400, 599, None),
            False,
            "The reply does not say that there is no unit: `get` is None for a missing key too.",
        ),
        Case(
            ({"value": 429, "unit": "None"}, 400, 599, None),
            False,
            'The text "None" is a unit that the model made up, not None: compare the units, not their `str`.',
        ),
        Case(({"value": 90, "unit": "Days"}, 1, 365, "days"), False, "The unit counts letter by letter."),
        Case(
            ({"value": 90, "unit": " days "}, 1, 365, "days"),
            False,
            "The unit counts letter by letter, and blanks are letters here: compare it as it is, without "
            "`strip`.",
        ),
        Case(
            ({"value": 90, "unit": "hours", "plan": "days"}, 1, 365, "days"),
            False,
            'The word "days" stands in another field: the unit is what stands under "unit", nothing else.',
        ),
        Case(
            ({"value": 90, "unit": b"days".decode()}, 1, 365, "days"),
            True,
            "The unit agrees, although it is another copy of the same text: compare with ==, `is` asks for "
            "the same object.",
        ),
    ),
    (
        *wrongs(
            "def in_range(reply, low, high, unit):",
            ("the unit has to agree", "    return low <= reply['value'] <= high"),
            (
                "compare with <=",
                "    value = reply.get('value')",
                "    if reply.get('unit') != unit or not has_type(value, 'number'):",
                "        return False",
                "    return (low is None or low < value) and (high is None or value < high)",
            ),
            (
                "A missing key is a failure",
                "    value = reply['value']",
                "    return reply['unit'] == unit and low <= value <= high",
            ),
            (
                "rule the boolean out",
                "    value = reply.get('value')",
                "    if reply.get('unit') != unit or not isinstance(value, (int, float)):",
                "        return False",
                "    return (low is None or low <= value) and (high is None or value <= high)",
            ),
            (
                "a test for what is out of range lets it in",
                "    value = reply.get('value')",
                "    if 'unit' not in reply or reply['unit'] != unit or not has_type(value, 'number'):",
                "        return False",
                "    if low is not None and value < low:",
                "        return False",
                "    if high is not None and value > high:",
                "        return False",
                "    return True",
            ),
            (
                "do not ask `if value`",
                "    value = reply.get('value')",
                "    if not value or reply.get('unit') != unit or not has_type(value, 'number'):",
                "        return False",
                "    return (low is None or low <= value) and (high is None or value <= high)",
            ),
            (
                "`if low` skips it",
                "    value = reply.get('value')",
                "    if reply.get('unit') != unit or not has_type(value, 'number') or math.isnan(value):",
                "        return False",
                "    return (not low or low <= value) and (not high or value <= high)",
            ),
            (
                "is None for a missing key too",
                "    value = reply.get('value')",
                "    if reply.get('unit') != unit or not has_type(value, 'number') or math.isnan(value):",
                "        return False",
                "    return (low is None or low <= value) and (high is None or value <= high)",
            ),
            (
                "An upper bound of None is no bound",
                "    value = reply.get('value')",
                "    if reply.get('unit') != unit or not has_type(value, 'number'):",
                "        return False",
                "    return low <= value <= high",
            ),
            (
                "Return True or False itself",
                "    return 'yes' if low <= reply['value'] <= high and reply['unit'] == unit else 'no'",
            ),
        ),
        *wrongs(
            "def in_range(reply, low, high, unit):",
            *(
                (
                    says,
                    "    if 'value' not in reply or 'unit' not in reply:",
                    "        return False",
                    "    value = reply['value']",
                    f"    if not has_type(value, 'number') or math.isnan(value) or not ({agrees}):",
                    "        return False",
                    "    return (low is None or low <= value) and (high is None or value <= high)",
                )
                for says, agrees in (
                    ("stands in another field", "unit in reply.values()"),
                    ("another copy of the same text", "reply['unit'] is unit"),
                    ("not their `str`", "str(reply['unit']).strip() == str(unit)"),
                    ("without `strip`", "(reply['unit'] or '').strip() == (unit or '')"),
                )
            ),
        ),
    ),
    [A_BOOL],
)

# --- 4.4 -------------------------------------------------------------------------------------------------

PAGES = {"plans": "Pro costs 25 dollars per month.", "limits": "Pro allows 600 requests."}


def _cites(source: Any, quote: Any, golden: str = "plans") -> tuple[Any, ...]:
    return ({"source": source, "quote": quote}, PAGES, golden)


OTHERS = {"regions": "A region is fixed for good.", "sdks": "There are three SDKs."}
BOTH_BOOLEAN = "Both parts must be True or False."
NAMED_PAGE = (
    "The quote does stand in the page that the reply names. That the golden page is another one is a matter "
    "for the second verdict alone."
)

CITATION = Exercise(
    "citation",
    (
        Case(
            _cites("plans", "25 dollars"),
            (True, True),
            "The quote stands in the cited page, and that is the golden one.",
            shown=True,
            slips=[
                ((False, True), "The quote stands in the text of that page: look in `pages[source]`."),
                (KeyError, "Which key was that? The pages are in `pages`, their ids are its keys."),
            ],
        ),
        Case(
            _cites("pricing", "25 dollars"),
            (False, False),
            "There is no page of that name, so nothing in it can be quoted, and nothing should raise.",
            shown=True,
            slips=[
                (
                    lambda got, _: got[0] is True,
                    "Grounded looks in the page that the *reply* names, and there is none called pricing.",
                ),
                (
                    lambda got, _: any(map(no_bool, got)),
                    f"{BOTH_BOOLEAN} `pages.get(source)` is None where no page is, and `and` hands that on.",
                ),
                (
                    (False, True),
                    "The golden page is plans, and the reply names pricing: compare the two names.",
                ),
            ],
        ),
        Case(
            _cites("limits", "600 requests"),
            (True, False),
            NAMED_PAGE,
            slips=[
                ((False, True), "Are the two swapped? Grounded comes first, cited second."),
                (
                    (True, True),
                    "There is such a page, but cited asks whether it is the golden one: compare the source "
                    "with `golden_page`.",
                ),
            ],
        ),
        *(
            Case(
                ({"source": "regions", "quote": "fixed for good"}, OTHERS, golden),
                (True, golden == "regions"),
                "These are other pages and another golden page: use the arguments `pages` and `golden_page`, "
                "not the names of the example.",
            )
            for golden in OTHERS
        ),
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
        Case(
            ({"source": "plans"}, PAGES, "plans"),
            (False, True),
            "Without a quote there is nothing to find, but the page is named: (False, True).",
        ),
        Case(
            ({"quote": "25 dollars"}, PAGES, "plans"),
            (False, False),
            "Without a source no page is cited, golden or not: (False, False).",
        ),
        Case(
            _cites("plans", 25),
            (False, True),
            "A quote that is no text is none: ask `isinstance(quote, str)`.",
        ),
        Case(
            _cites(["plans"], "25 dollars"),
            (False, False),
            "A model may write a list here, and a list cannot be looked up: ask `isinstance(source, str)` "
            "first.",
        ),
    ),
    wrongs(
        "def citation(reply, pages, golden_page):",
        (
            "Grounded comes first",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    return source == golden_page, source in pages and is_verbatim(quote, pages[source])",
        ),
        (
            "look only there",
            "    if reply['source'] not in pages:",
            "        return False, False",
            "    grounded = any(is_verbatim(reply['quote'], page) for page in pages.values())",
            "    return grounded, reply['source'] == golden_page",
        ),
        (
            "nothing should raise",
            "    return is_verbatim(reply['quote'], pages[reply['source']]), reply['source'] == golden_page",
        ),
        (
            "a matter for the second verdict alone",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    if source not in pages:",
            "        return False, False",
            "    return is_verbatim(quote, pages[golden_page]), source == golden_page",
        ),
        (
            "do not depend on each other",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    grounded = source in pages and is_verbatim(quote, pages[source])",
            "    return grounded, grounded and source == golden_page",
        ),
        (
            "squeeze both texts",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    return source in pages and quote in pages[source], source == golden_page",
        ),
        (
            "not even the case",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    grounded = source in pages and is_verbatim(quote.lower(), pages[source].lower())",
            "    return grounded, source == golden_page",
        ),
        (
            "in the middle of the number",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    grounded = source in pages and squeeze(quote) in squeeze(pages[source])",
            "    return grounded, source == golden_page",
        ),
        (
            "none called pricing",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    return is_verbatim(quote, pages[golden_page]), source == golden_page",
        ),
        (
            "none called pricing",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    return any(is_verbatim(quote, page) for page in pages.values()), source == golden_page",
        ),
        (
            "Both parts must be True or False",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    page = pages.get(source)",
            "    return page and is_verbatim(quote, page), source == golden_page",
        ),
        (
            "compare the source with `golden_page`",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    return source in pages and is_verbatim(quote, pages[source]), source in pages",
        ),
        (
            "use the arguments",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    return source in PAGES and is_verbatim(quote, PAGES[source]), source == golden_page",
        ),
        (
            "use the arguments",
            "    source, quote = reply.get('source'), reply.get('quote', '')",
            "    return source in pages and is_verbatim(quote, pages[source]), source == 'plans'",
        ),
        (
            "Two verdicts are asked for",
            "    return reply['source'] == golden_page and is_verbatim(reply['quote'], pages[golden_page])",
        ),
    ),
    [
        (no_list, "Two verdicts are asked for, as a pair: (grounded, cited)."),
        (lambda got, _: len(got) != 2, "The pair has two parts: (grounded, cited)."),
        (lambda got, _: any(map(no_bool, got)), BOTH_BOOLEAN),
    ],
)

# --- 4.5 -------------------------------------------------------------------------------------------------

WANTED = {"value": 90, "unit": "days", "plan": "Scale"}
WEIGHTS = {"value": 3, "unit": 1, "plan": 1}
NO_NUMBER = {"value": None, "unit": None, "plan": "Pro"}
TWO_OF_THREE = ({"value": 7, "plan": "Scale"}, WANTED, {"value": 1, "plan": 2})


def _refuses_no_weights(answer: Any) -> Outcome:
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
        Case(
            _credit({"plan": "Free"}),
            0.8,
            "What was earned, 3 + 1, over what could be, 5.",
            shown=True,
            slips=[
                (2 / 3, "That is the share of fields. A field earns its *weight*: 3 + 1 of 5."),
                (4, "Divide what was earned by what could have been earned, the sum of all weights."),
                (4 / 3, "You divided by the number of fields: divide by the sum of their weights."),
                (
                    2 / 5,
                    "Two of three fields are right, and together they weigh 4: add up weights, do not count.",
                ),
                (0.2, "That is what was lost. Asked for is what was earned."),
                (
                    lambda got, _: got == 0,
                    "That is all or nothing. A reply with one wrong field keeps what the others earn.",
                ),
                (1, "The plan is wrong, so not all was earned."),
            ],
        ),
        Case(_credit({}), 1.0, "Everything is right, so the credit is 1."),
        Case(_credit({"value": 30}), 0.4, "The value weighs 3 of 5, so 2 of 5 remain."),
        Case(_credit({"value": 30, "unit": "", "plan": None}), 0.0, "Nothing is right, so the credit is 0."),
        Case(
            ({"value": 90, "plan": "Scale"}, WANTED, WEIGHTS),
            0.8,
            "A missing field earns nothing, and its weight stays below the line: divide by the sum of all "
            "weights.",
        ),
        Case(
            ({"plan": "Pro"}, NO_NUMBER, WEIGHTS),
            0.2,
            "None was expected, and the reply does not say None: a missing field is wrong. "
            "`get` cannot tell the two apart.",
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
            ({**WANTED, "unit": "hours"}, WANTED, {"value": 3}),
            1.0,
            "Only the value has a weight here, so only the value counts: loop over the weights.",
        ),
        Case(
            TWO_OF_THREE,
            2 / 3,
            "The plan weighs 2 and is right, the value weighs 1 and is wrong: 2 of 3.",
        ),
        Case(
            ({"value": [True], "unit": {"n": 0}}, {"value": [1], "unit": {"n": 0}}, {"value": 3, "unit": 1}),
            0.25,
            "[true] is not [1] either: json_equal looks into lists and objects, a guard for single booleans "
            "does not.",
        ),
        Case(
            (["90"], WANTED, WEIGHTS),
            0.0,
            "A list has no fields: what is no dictionary earns 0, and raises nothing.",
        ),
        Case((None, WANTED, WEIGHTS), 0.0, "A reply that could not be read is None here: it earns 0."),
        *(
            Case(
                (reply, WANTED, WEIGHTS),
                0.0,
                "This is JSON but no object, so it has no fields and earns 0: ask "
                "`isinstance(reply, dict)`, not whether the reply is empty or None.",
            )
            for reply in (90, "value", ["value"])
        ),
        _refuses_no_weights,
    ),
    (
        *wrongs(
            "def weighted_credit(reply, wanted, weights):",
            (
                "A field earns its *weight*",
                "    return sum(json_equal(reply.get(n), wanted[n]) for n in weights) / len(weights)",
            ),
            (
                "You divided by the number of fields",
                "    earned = sum(w for n, w in weights.items() if json_equal(reply.get(n), wanted[n]))",
                "    return earned / len(weights)",
            ),
            (
                "its weight stays below the line",
                "    there = [n for n in weights if n in reply]",
                "    earned = sum(weights[n] for n in there if json_equal(reply[n], wanted[n]))",
                "    return earned / sum(weights[n] for n in there)",
            ),
            (
                "`get` cannot tell the two apart",
                "    if not isinstance(reply, dict):",
                "        return 0.0",
                "    earned = sum(w for n, w in weights.items() if json_equal(reply.get(n), wanted[n]))",
                "    return earned / sum(weights.values())",
            ),
            (
                "compare with json_equal",
                "    if not isinstance(reply, dict):",
                "        return 0.0",
                "    earned = sum(w for n, w in weights.items() if n in reply and reply[n] == wanted[n])",
                "    return earned / sum(weights.values())",
            ),
            (
                "Do not round",
                "    if not isinstance(reply, dict):",
                "        return 0.0",
                "    right = [n for n in weights if n in reply and json_equal(reply[n], wanted[n])]",
                "    earned = sum(weights[n] for n in right)",
                "    return round(earned / sum(weights.values()), 2)",
            ),
            (
                "raise a ValueError",
                "    if not isinstance(reply, dict):",
                "        return 0.0",
                "    right = [n for n in weights if n in reply and json_equal(reply[n], wanted[n])]",
                "    earned = sum(weights[n] for n in right)",
                "    return earned / sum(weights.values())",
            ),
            (
                "loop over the weights",
                "    right = [n for n in wanted if n in reply and json_equal(reply[n], wanted[n])]",
                "    earned = sum(weights.get(n, 1) for n in right)",
                "    return earned / sum(weights.get(n, 1) for n in wanted)",
            ),
            (
                "That is all or nothing",
                "    return float(all(json_equal(reply.get(n), wanted[n]) for n in weights))",
            ),
        ),
        *wrongs(
            "def weighted_credit(reply, wanted, weights):",
            *(
                (
                    says,
                    "    if not weights:",
                    "        raise ValueError('no weights')",
                    f"    if {odd}:",
                    "        return 0.0",
                    f"    right = [n for n in weights if n in reply and {equal}]",
                    "    return sum(weights[n] for n in right) / sum(weights.values())",
                )
                for says, odd, equal in (
                    ("`isinstance(reply, dict)`", "not reply", "json_equal(reply[n], wanted[n])"),
                    ("`isinstance(reply, dict)`", "reply is None", "json_equal(reply[n], wanted[n])"),
                    (
                        "[true] is not [1] either",
                        "not isinstance(reply, dict)",
                        "reply[n] == wanted[n] and isinstance(reply[n], bool) == isinstance(wanted[n], bool)",
                    ),
                )
            ),
        ),
    ),
    [
        (lambda got, _: isinstance(got, list | tuple | dict), "Return one number, not the single fields."),
    ],
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
