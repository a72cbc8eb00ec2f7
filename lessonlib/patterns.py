r"""Regular expressions that are sure to end: a match within a time limit, or a TimeoutError.

`^(a+)+$` against thirty a's and a "!" takes Python's `re` hours, and nothing inside the same process can stop
it on every system: threads cannot be ended, signals do not exist on Windows. So a pattern that might run away
is tried in a second Python, which is ended when its time is over. That costs some 50 ms a call, on Windows
more. Patterns of which counting shows that they end soon (`[A-D]`, `yes|no`, `\d+ requests`) run right here.
"""

import json
import math
import re
import subprocess
import sys
import warnings
from typing import Any

from .text import require_text

QUICK_STEPS = 2_000_000  # what `re` does in a few hundredths of a second
MAX_PATTERN = 10_000  # longer ones make the compiler itself slow

# Reads [pattern, text, whether all of it must match], says so, matches, and answers by its exit status.
_CHILD = """
import json, re, sys
pattern, text, whole = json.loads(sys.stdin.buffer.read())
sys.stdout.buffer.write(b"!")
sys.stdout.buffer.flush()
found = re.fullmatch(pattern, text) if whole else re.search(pattern, text)
sys.exit(10 if found else 11)
"""


def fullmatch(pattern: str, text: str, seconds: float = 1.0) -> bool:
    """Return whether the pattern matches the whole text, its last line break included.

    "^yes|no$" does not match "yes it is", and "[A-D]" does not match "B" and a line break. Raises
    TimeoutError when `seconds` do not suffice, ValueError for a pattern that is none or for `seconds` that
    are not a positive number, TypeError for what is no string. Empty rule: an empty pattern matches an empty
    text only. Syntax and meaning are those of Python's `re`, without flags.
    """
    return _match(pattern, text, seconds, whole=True)


def search(pattern: str, text: str, seconds: float = 1.0) -> bool:
    """Return whether the pattern matches somewhere in the text; otherwise like `fullmatch`."""
    return _match(pattern, text, seconds, whole=False)


def compiled(pattern: str) -> re.Pattern[str]:
    """Return the compiled pattern, or raise a ValueError that says why `re` does not take it."""
    require_text("pattern", pattern)
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"a pattern of {len(pattern)} characters is too long; at most {MAX_PATTERN}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "[[a]" may change its meaning one day; today it has one
            return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern!r:.60} is not a regular expression: {error}") from None


def require_seconds(seconds: Any) -> None:
    """Raise a ValueError unless `seconds` is a positive, finite number."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be a positive number, not {seconds!r}")


def _match(pattern: str, text: str, seconds: float, whole: bool) -> bool:
    require_seconds(seconds)
    ready = compiled(pattern)
    require_text("text", text)
    starts = 1 if whole else len(text) + 1
    if starts * steps(pattern, len(text)) <= QUICK_STEPS:
        return bool(ready.fullmatch(text) if whole else ready.search(text))
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", "-W", "ignore", "-c", _CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # on Windows, no window flashes up
    )
    with child:
        try:
            child.stdin.write(json.dumps([pattern, text, whole]).encode("ascii"))  # type: ignore[union-attr]
            child.stdin.close()  # type: ignore[union-attr]
            child.stdout.read(1)  # type: ignore[union-attr]  # the clock starts when the second Python is up
            status = child.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the pattern {pattern!r:.60} did not finish in {seconds:g} s") from None
        finally:
            child.kill()
    if status not in (10, 11):
        raise RuntimeError(f"the second Python ended with status {status}")
    return status == 10


# What a pattern is made of. A group that asks for more than its place (a flag, a condition) is not listed.
_PART = re.compile(
    r"""\\. | \[\^?\]?(?:\\.|[^\]\\])*\]            # one character: escaped, or out of a set
      | (?P<open>\((?:\?(?:a?:|[=!]|<[=!]|P<\w+>))?)(?!\?) | (?P<close>\)) | (?P<or>\|)
      | (?P<optional>\?[?+]?) | \{(?P<times>\d+)\} | (?P<repeat>[*+]|\{\d*,\d*\})[?+]?
      | [^()]""",
    re.X | re.S,
)


def steps(pattern: str, length: int) -> float:
    """Return at most how many steps the pattern needs from one place of a text; infinite: not known.

    Each repeated character may stop anywhere, each alternative of a group may be the one, and the ways
    multiply. A group that is itself repeated is what explodes: it counts as not known.
    """
    ways, size, position, after_group = 1.0, len(pattern), 0, False
    alternatives = [1]
    while position < len(pattern):
        part = _PART.match(pattern, position)
        if part is None or (after_group and (part["repeat"] or part["times"])):
            return math.inf
        position, after_group = part.end(), bool(part["close"])
        if part["open"]:
            alternatives.append(1)
        elif part["or"]:
            alternatives[-1] += 1
        elif part["close"]:
            ways *= alternatives.pop()
        elif part["optional"]:
            ways *= 2
        elif part["repeat"]:
            ways *= length + 1
        elif part["times"]:
            size += int(part["times"])
    return ways * alternatives[0] * size
