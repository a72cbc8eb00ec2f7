"""JSON out of an answer: exactly one value, or a failure with a name. Never an exception, never a guess.

Nothing is repaired. A text that holds two values, or one value beside a broken one, or a value that is a
piece of something larger, gives a failure: a wrong value that looks right costs more than a missing one.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..text import known, require_text
from .strict import RefusedError, read_value

FAILURES = {
    "empty": "there is nothing in the text",
    "refusal": "the text declines to answer, and holds no JSON",
    "no_json": "the text holds no JSON object or array",
    "wrapped": "the JSON has other text around it, which mode 'strict' refuses",
    "no_fence": "the JSON stands in no Markdown block of its own, which mode 'fenced' asks for",
    "several": "the text holds more than one JSON value",
    "duplicate_key": "an object has the same key twice",
    "not_a_number": "a number is NaN or infinite, or too large to be held exactly",
    "too_deep": "brackets are nested too deeply",
    "truncated": "the text ends before the JSON does",
    "malformed": "something looks like JSON but breaks its grammar",
}
MODES = {
    "strict": "the whole text is one JSON value",
    "fenced": "the whole text, or one Markdown block with prose around it",
    "embedded": "the whole text, one Markdown block, or one object or array in prose",
}
SPACE = " \t\n\r"  # JSON knows no other white space
BOM = "\ufeff"  # some files and models put this mark in front; RFC 8259, section 8.1, lets a reader ignore it
CUT_OUT = "\0"  # stands for what was taken out: it is no JSON, so nothing is read across it
BLANK = SPACE + "\f\v\xa0\u200b" + BOM + CUT_OUT
MAX_UNCLOSED = 20
MAX_DEPTH = 100  # no sane answer nests deeper, and every recursive reader of a value stays safe


@dataclass(frozen=True)
class Parsed:
    """What `parse_json` found. `failure` is None, or a key of FAILURES and `message` a sentence about it.

    `found` says where a value was: "whole", "fenced" or "embedded". A failure has the value None, and so has
    the JSON text `null`: ask `ok`, not `value`.
    """

    value: Any = None
    failure: str | None = None
    message: str = ""
    found: str | None = None

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.failure is None

    def __bool__(self) -> bool:
        """Return `ok`, so that `if parse_json(text):` cannot take a failure for a value."""
        return self.ok


def parse_json(text: str, mode: str = "embedded") -> Parsed:
    """Read the one JSON value of an answer. Never raises on a string: returns a value or a typed failure.

    `mode` is a key of MODES; each allows what the one before allows, and all try the whole text first. In
    prose only objects and arrays count as JSON, in a Markdown block (``` or ~~~) every value does. `[1]` is
    an array: a footnote mark beside an object makes two values. What stands in tags of reasoning (REASONING)
    or in an HTML comment is never the answer; where such a tag is never closed, there is none. White space
    is JSON's; a byte order mark in front is ignored outside mode 'strict'. Integers are exact, and 1e400 is
    a failure, not infinity. Empty rule: an empty text is the failure "empty". Raises TypeError for a text
    that is no string and ValueError for an unknown mode. Source: RFC 8259; blocks: CommonMark 0.31, section
    4.5, at any indent.
    """
    known("mode", mode, MODES)
    require_text("text", text)
    body = text.removeprefix(BOM)
    result = _whole(body, "whole")
    if result is None:
        body, cut_off = _without_reasoning(body)
        result = _failed("truncated") if cut_off else _only(body)
    if mode == "strict" and result.ok and (result.found != "whole" or body is not text):
        return _failed("wrapped")
    if mode == "fenced" and result.found == "embedded":
        return _failed("truncated" if _never_closed(body) else "no_fence")
    return result


def _failed(failure: str, message: str = "") -> Parsed:
    return Parsed(failure=failure, message=message or FAILURES[failure])


def _whole(text: str, found: str) -> Parsed | None:
    """Read a text that is one value from end to end; None if there is more to it, or less."""
    parsed, end, _ = _read(text, len(text) - len(text.lstrip(SPACE)), found)
    if parsed.failure in ("duplicate_key", "not_a_number", "too_deep"):
        return parsed
    return None if parsed.failure or text[end:].strip(SPACE) else parsed


def _only(text: str) -> Parsed:
    """Return the only value in blocks and prose; the first failure, or a second value, ends the search."""
    if not text.strip(BLANK):
        return _failed("empty")
    only: Parsed | None = None
    doubts: list[Parsed] = []
    for item in _values(text, doubts):
        if only or not item.ok:
            return _failed("several") if item.ok else item
        only = item
    if only:
        return only
    if _never_closed(text):
        return _failed("truncated")
    if doubts:
        return doubts[0]
    return _failed("refusal" if _DECLINES.match(text) else "no_json")


# --- reasoning -------------------------------------------------------------------------------------------

REASONING = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad")
# <think>, </THINK>, <x:think kind="a">, and with square brackets, as some models write it: [THINK].
_TAG = re.compile(
    rf"<!--.*?(?:-->|\Z)|[<\[](?P<closing>/?)(?:\w{{1,20}}:)?(?:{'|'.join(REASONING)})\b[^<>\[\]]*+[>\]]",
    re.I | re.S,
)


def _without_reasoning(text: str) -> tuple[str, bool]:
    """Return a text with CUT_OUT for reasoning and comments, and whether reasoning goes on to its end.

    Tags may nest. A closing tag without its opening one ends reasoning that began in the prompt.
    """
    kept: list[str] = []
    position = depth = 0
    for tag in _TAG.finditer(text):
        if depth == 0:
            kept.append(text[position : tag.start()])
        if tag["closing"] == "/" and depth == 0:
            kept = [""]
        if tag["closing"] is not None:
            depth = max(0, depth - 1) if tag["closing"] else depth + 1
        position = tag.end()
    return CUT_OUT.join([*kept, text[position:]]), depth > 0


# --- one value at one place ------------------------------------------------------------------------------

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*+"?|[{}\[\]]')  # a string of one line, or a bracket
# What can stand at the end of a text that was cut: nothing, or half a word, number or escape.
_CUT = re.compile(r"(?:[ \t\n\r]*+|-|t|tr|tru|f|fa|fal|fals|n|nu|nul|\.|\.?\d*[eE][-+]?|\\?u?[\da-fA-F]*)\Z")
_SLIPS = {
    re.compile("'"): "strings need double quotes",
    re.compile(r"[}\]]"): "a value is missing, or there is a comma too many",
    re.compile(r"(?:True|False|None)\b"): "JSON writes true, false and null",
    re.compile(r"//|/\*|#"): "JSON has no comments",
    re.compile(r"\d"): "a number has a 0 too many in front",
    re.compile(r"[\n\r\t]"): r"a line break or tab in a string is written \n or \t",
}


class _Reading(NamedTuple):
    """What was read from one place, and where the reading stopped.

    `close` is where the bracket at that place closes, whether or not its content is JSON (None: nowhere).
    """

    parsed: Parsed
    end: int
    close: int | None


def _read(text: str, start: int, found: str) -> _Reading:
    close, depth = _extent(text, start) if text.startswith(("{", "["), start) else (None, 0)
    # No more than the brackets hold: what a failed attempt costs must not grow with the rest of the text.
    piece, end = text[start:close], start + 1
    try:
        if depth > MAX_DEPTH:
            raise RefusedError("too_deep", f"brackets nest more than {MAX_DEPTH} deep")
        value, length = read_value(piece)
        return _Reading(Parsed(value, found=found), start + length, close)
    except RefusedError as error:
        failed = _failed(error.failure, str(error))
    except json.JSONDecodeError as error:
        end = start + max(error.pos, 1)
        if error.msg.startswith("Unterminated string") or _CUT.match(piece, error.pos):
            failed = _failed("truncated")
        else:
            reason = next((hint for slip, hint in _SLIPS.items() if slip.match(piece, error.pos)), error.msg)
            failed = _failed("malformed", f"{reason} (near {text[max(0, end - 9) : end + 9]!r})")
    return _Reading(failed, end, close)


def _extent(text: str, start: int) -> tuple[int | None, int]:
    """Return where the bracket at `start` closes (None: nowhere), and how deep brackets nest inside it.

    Brackets in strings are text, and a closing bracket also closes what was opened since its partner.
    """
    open_brackets: list[str] = []
    depth = 0
    for token in _TOKEN.finditer(text, start):
        character = token.group()
        if character in ("{", "["):
            open_brackets.append("}" if character == "{" else "]")
            depth = max(depth, len(open_brackets))
            if depth > MAX_DEPTH:
                break
        elif character in open_brackets:
            while open_brackets.pop() != character:
                pass
            if not open_brackets:
                return token.end(), depth
    return None, depth


# --- every value of a text -------------------------------------------------------------------------------

_FENCE = re.compile(r"^[ \t]*+(?P<marks>`{3,}+|~{3,}+)(?P<info>[^\n]*+)$", re.M)
_OPENER = re.compile(r"[{\[]")
_QUOTED = r"""(?:"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+')"""
# Prose has brackets as well: {the notes}, [see below], [0, 1). Data looks like this, even when broken:
_DATA = re.compile(
    rf"""\{{ \s*+ (?: {_QUOTED} \s*+ : | \w++ \s*+ : | [{{}}"'“‘] | \Z )
       | \[ \s*+ (?: [-"'{{\[\]\d] | (?: true | false | null | none | nan | infinity )\b
                   | (?: tr?u? | fa?l?s? | nu?l? )?\Z )""",
    re.X | re.I,
)
# And this is data beyond doubt: a quoted key with its colon, a list of objects, a list of texts.
_SURELY_DATA = re.compile(rf"""\{{\s*+{_QUOTED}\s*+: | \[\s*+(?: \{{\s*+["'}}] | {_QUOTED}\s*+, )""", re.X)
# Before or after a value, these say that it is a piece of something larger.
PIECE = "the only JSON is a piece of something larger that is broken"
_KEY_BEFORE = re.compile(r"\"\s{0,9}:\s{0,9}\Z")
_MORE_AFTER = re.compile(r'\s*+(?:,?\s*+[}\]]|,\s*+"|"[^"\n]*+"\s*+:)')
_DECLINES = re.compile(
    r"\W*(?:(?:i['’]?m|i am|we['’]?re|we are)\s+(?:very\s+|so\s+)?(?:sorry|afraid|unable|not able)"
    r"|sorry|unfortunately|i apologi[sz]e|(?:i|we)\s+(?:can['’]?t|can ?not|won['’]?t|must decline))\b",
    re.I,
)


class _Block(NamedTuple):
    """A fenced Markdown block: where it starts and ends (None: it is never closed), and what it holds."""

    start: int
    end: int | None
    content: str


def _blocks(text: str) -> Iterator[_Block]:
    opened: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opened is None:
            # More backticks on the same line make it code inside a sentence, not a block.
            opened = None if line["marks"][0] == "`" and "`" in line["info"] else line
        elif line["marks"].startswith(opened["marks"]) and not line["info"].strip():
            yield _Block(opened.start(), line.end(), text[opened.end() : line.start()])
            opened = None
    if opened is not None:
        yield _Block(opened.start(), None, text[opened.end() :])


def _never_closed(text: str) -> bool:
    return any(block.end is None for block in _blocks(text))


def _values(text: str, doubts: list[Parsed]) -> Iterator[Parsed]:
    """Yield what the blocks of a text hold, then the objects and arrays of the prose around them."""
    prose, position = [], 0
    for block in _blocks(text):
        item = _whole(block.content, "fenced")
        if item is not None and block.end:
            yield item
            prose += [text[position : block.start], CUT_OUT]
            position = block.end
    yield from _values_in_prose("".join(prose) + text[position:], doubts)


def _values_in_prose(text: str, doubts: list[Parsed]) -> Iterator[Parsed]:
    """Yield the objects and arrays of a text, and those that are broken; `doubts` gets what may be prose.

    What stands inside brackets that are not JSON is never a value. The text is read once, and once more for
    each bracket that is never closed: a limit on these keeps the time linear.
    """
    position = unclosed = 0
    while opener := _OPENER.search(text, position):
        start = opener.start()
        if not _DATA.match(text, start):
            close, _ = _extent(text, start)
            position = close or start + 1
            unclosed += close is None
            if unclosed > MAX_UNCLOSED:
                yield _failed("malformed", f"more than {MAX_UNCLOSED} brackets are never closed")
            continue
        parsed, end, close = _read(text, start, "embedded")
        position = max(close or 0, end)
        if parsed.ok:
            piece = _KEY_BEFORE.search(text, max(0, start - 20), start) or _MORE_AFTER.match(text, position)
            yield _failed("malformed", PIECE) if piece else parsed
            continue
        interval = text.startswith(")", end)  # [0, 1) is prose
        lost = parsed.failure != "malformed" or (close is None and not interval)
        if lost or _SURELY_DATA.match(text, start):
            yield parsed
        else:
            doubts.append(parsed)
