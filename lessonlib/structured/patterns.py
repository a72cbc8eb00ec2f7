r"""Regular expressions that are sure to end: a match within a time limit, or a TimeoutError.

`(a|aa)+b` against sixty a's takes Python's `re` years, and nothing inside the same process can stop it on
every system. The package `regex` reads the same patterns and stops by itself.
"""

import math
import re
import warnings
from typing import Any

from ..text import require_text

MAX_PATTERN = 10_000  # longer ones make the compiler itself slow


def fullmatch(pattern: str, text: str, seconds: float = 1.0) -> bool:
    """Return whether the pattern matches the whole text, its last line break included.

    "^yes|no$" does not match "yes it is", and "[A-D]" does not match "B" and a line break. Raises
    TimeoutError when `seconds` do not suffice, ValueError for a pattern that is none or for `seconds` that
    are not a positive number, TypeError for what is no string. Empty rule: an empty pattern matches an empty
    text only. Syntax and meaning are those of Python's `re`, without flags.
    """
    return _match("fullmatch", pattern, text, seconds)


def search(pattern: str, text: str, seconds: float = 1.0) -> bool:
    """Return whether the pattern matches somewhere in the text; otherwise like `fullmatch`."""
    return _match("search", pattern, text, seconds)


def compiled(pattern: str) -> Any:
    """Return the compiled pattern, or raise a ValueError that says why it is none."""
    import regex  # as slow to load as the rest of the package: only who matches a pattern pays for it

    require_text("pattern", pattern)
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"a pattern of {len(pattern)} characters is too long; at most {MAX_PATTERN}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "[[a]" may change its meaning one day; today it has one
            re.compile(pattern)  # `regex` takes more, such as \p{L}: what `re` refuses stays refused
            return regex.compile(pattern)
    except (re.error, regex.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern!r:.60} is not a regular expression: {error}") from None


def _match(how: str, pattern: str, text: str, seconds: float) -> bool:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be a positive number, not {seconds!r}")
    require_text("text", text)
    try:
        return getattr(compiled(pattern), how)(text, timeout=seconds) is not None
    except TimeoutError:
        raise TimeoutError(f"the pattern {pattern!r:.60} did not finish in {seconds:g} s") from None


# --- patterns of a JSON Schema ---------------------------------------------------------------------------

_ESCAPE = r"\\(?:[dDwWsStnvfr]|[^\w\s]|x[\da-fA-F]{2}|u(?![dD][89a-fA-F])[\da-fA-F]{4})"
# What is written alike in ECMAScript and in Python. Flags, back references, \p{L}, half of a surrogate pair
# and whatever else only one of the two knows, or reads in another way, is not listed.
_ALIKE = re.compile(
    rf"""(?P<set>\[\^?(?!\])(?:{_ESCAPE}|\\b|[^\\\]])+\]) | {_ESCAPE} | \\[bB] | [.$]
       | \((?:\?(?:[:=!]|<[=!]))?(?!\?) | \) | (?:[*+?]|\{{\d+(?:,\d*)?\}})(?!\+) | [^\\\[\](){{}}*+?.$]""",
    re.X,
)
_LINE_ENDS = r"\n\r\u2028\u2029"
_OTHER_MEANING = {
    ".": f"[^{_LINE_ENDS}]",
    "$": r"\Z",
    r"\s": r"\t\v\f \xa0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff" + _LINE_ENDS,
    r"\S": r"\0-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e"
    r"\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff",
}


def from_ecma(pattern: str) -> str:
    r"""Return the Python pattern that means what a pattern of a JSON Schema does: ECMA-262, with its flag u.

    `\d`, `\w` and `\b` know ASCII only, `\s` knows every white space of Unicode, `.` matches no line end and
    `$` is the very end. A ValueError for what cannot be carried over: flags, back references, `\p{L}`.
    """
    parts = list(_ALIKE.finditer(pattern))
    if sum(len(part.group()) for part in parts) < len(pattern):
        raise ValueError("it is not among what ECMAScript and Python write alike")
    return "(?a)" + "".join(map(_translated, parts))


def _translated(part: re.Match[str]) -> str:
    text = part.group()
    if part["set"]:
        return re.sub(r"\\.", lambda escape: _OTHER_MEANING.get(escape.group(), escape.group()), text)
    meaning = _OTHER_MEANING.get(text, text)
    return f"[{meaning}]" if text in (r"\s", r"\S") else meaning
