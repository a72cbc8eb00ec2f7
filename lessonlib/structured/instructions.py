"""Format instructions that code can verify: at most so many words, no apology, one of these answers.

Everything fails closed: an unknown instruction is an error, an empty text obeys none, and what cannot be told
(a pattern out of time, a point that may or may not end a sentence) is not obeyed.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..text import known, require_text, require_whole, text_list
from .patterns import compiled, fullmatch
from .report import CheckResult, Report

APOLOGY = re.compile(
    r"\b(?:sorry|apolog(?:y|ies|i[sz]e[ds]?|i[sz]ing|etic)|forgive me|pardon me|my bad|my mistake"
    r"|(?:i|we) regret|(?:i['’]m|i am|we['’]re|we are) afraid)\b",
    re.I,
)
_STOP = re.compile(r"""[.!?…]+["'’”»)\]*_`]*(?=\s+(?P<next>\S)|\s*\Z)|[。！？।॥؟۔]|\n\s*\n""")
# Before a point: what never ends a sentence, and what does or does not, so that nobody can tell.
_NEVER_LAST = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|approx|mr|mrs|ms|dr|prof|fig)|^[ \t]*\d+)\Z", re.I | re.M)
_MAYBE_LAST = re.compile(r"\b(?:(?:[^\W\d_]\.)*[^\W\d_]|Inc|Ltd|Co|Corp|Jr|Sr|St|etc)\Z")
_MAYBE_BEFORE_NUMBER = re.compile(
    r"\b(?:[Nn]os?|Nr|[Vv]ol|pp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\Z"
)


def count_words(text: str) -> int:
    """Return how many words a text has: what white space separates, if a letter or digit is in it."""
    require_text("text", text)
    return sum(any(character.isalnum() for character in word) for word in text.split())


def count_sentences(text: str, doubtful: bool = False) -> int:
    """Return how many sentences a text has; a last one without a full stop, such as "429", counts.

    A sentence ends with . ! ? … before white space, with the stop of another script, or at an empty line, and
    holds a letter or digit. No rule can tell whether the point of an abbreviation or initial ("U.S.", "Co.",
    "No. 5") ends one as well, unless a small letter follows: such ends count only where `doubtful` is True.
    """
    require_text("text", text)
    ends = [stop.end() for stop in _STOP.finditer(text) if _is_end(text, stop, doubtful)]
    pairs = zip([0, *ends], [*ends, len(text)], strict=True)
    return sum(count_words(text[start:end]) > 0 for start, end in pairs)


def _is_end(text: str, stop: re.Match[str], doubtful: bool) -> bool:
    start, end, following = max(0, stop.start() - 20), stop.start(), stop["next"] or ""
    if _NEVER_LAST.search(text, start, end):
        return False
    maybe = _MAYBE_LAST.search(text, start, end)
    if following.isdigit():
        maybe = maybe or _MAYBE_BEFORE_NUMBER.search(text, start, end)
    if maybe and stop.group().startswith("."):
        return doubtful and not following.islower()
    return True


def _has(text: str, phrase: str) -> bool:
    """Whether a text holds a phrase as whole words, in any case: "plan" is not in "planet"."""
    before = r"(?<!\w)" if phrase[0].isalnum() else ""
    after = r"(?!\w)" if phrase[-1].isalnum() else ""
    return re.search(before + re.escape(phrase) + after, text, re.I) is not None


# Each instruction takes its argument, refuses an impossible one, and returns the check: a text in, what is
# wrong with it out, "" if it is obeyed.
Check = Callable[[str], str]


def _whole(name: str, says: Callable[[str, int], str]) -> Callable[[Any], Check]:
    def instruction(wanted: Any) -> Check:
        require_whole(name, wanted)
        return lambda text: says(text, wanted)

    return instruction


def _texts(name: str, says: Callable[[str, list[str]], str]) -> Callable[[Any], Check]:
    def instruction(phrases: Any) -> Check:
        wanted = text_list(name, phrases)
        if not all(phrase.strip() for phrase in wanted):
            raise ValueError(f"{name} holds an empty text, which every answer would satisfy")
        return lambda text: says(text, wanted)

    return instruction


def _words(text: str, obeyed: bool) -> str:
    return "" if obeyed else f"{count_words(text)} words"


def _sentences(text: str, wanted: int) -> str:
    least, most = count_sentences(text), count_sentences(text, doubtful=True)
    if least < most:
        return f"{least} to {most} sentences: a point may end one or an abbreviation"
    return "" if least == wanted else f"{least} sentences"


def _no_apology(wanted: Any) -> Check:
    if wanted is not True:
        raise ValueError(f"no_apology takes True, not {wanted!r}; leave it out to allow apologies")
    return lambda text: f"it says {found.group()!r}" if (found := APOLOGY.search(text)) else ""


def _fullmatch(pattern: Any) -> Check:
    compiled(pattern)
    return lambda text: "" if fullmatch(pattern, text) else f"{text[:40]!r} does not match"


def _list(word: str, phrases: list[str]) -> str:
    return f"{word} {', '.join(map(repr, phrases))}" if phrases else ""


_OF_NUMBERS: dict[str, Callable[[str, int], str]] = {
    "at_most_words": lambda t, n: _words(t, count_words(t) <= n),
    "at_least_words": lambda t, n: _words(t, count_words(t) >= n),
    "sentences": _sentences,
}
_OF_TEXTS: dict[str, Callable[[str, list[str]], str]] = {
    "starts_with": lambda t, w: "" if t.startswith(tuple(w)) else f"it starts with {t[:20]!r}",
    "ends_with": lambda t, w: "" if t.endswith(tuple(w)) else f"it ends with {t[-20:]!r}",
    "contains_all": lambda t, w: _list("without", [phrase for phrase in w if not _has(t, phrase)]),
    "contains_any": lambda t, w: "" if any(_has(t, phrase) for phrase in w) else "none is there",
    "contains_none": lambda t, w: _list("with", [phrase for phrase in w if _has(t, phrase)]),
    "one_of": lambda t, w: "" if t in w else f"it is {t[:40]!r}",
}
INSTRUCTIONS: dict[str, Callable[[Any], Check]] = {
    **{name: _whole(name, says) for name, says in _OF_NUMBERS.items()},
    "no_apology": _no_apology,
    **{name: _texts(name, says) for name, says in _OF_TEXTS.items()},
    "fullmatch": _fullmatch,
}


def check_format(text: str, instructions: Mapping[str, Any]) -> Report:
    """Check an answer against instructions such as {"at_most_words": 8, "no_apology": True}.

    Every name is a key of INSTRUCTIONS. `passed` is the strict verdict, on the text as it is. `loose` asks
    for one success among eight versions: with and without asterisks, the first line, the last line. It
    forgives a "Sure, here it is:" and bold type, and some real failures too, which is why both are shown.
    `contains_...` looks for whole words in any case; `starts_with`, `ends_with` and `one_of` are exact;
    `no_apology` knows the English phrases of APOLOGY and no other way to say so. Empty rule: an empty text
    obeys nothing. An unknown name, an impossible argument or no instruction is a ValueError. A pattern that
    runs out of time fails both ways. Source: Zhou et al. 2023 (IFEval), metrics.
    """
    require_text("text", text)
    checks = {name: known("instruction", name, INSTRUCTIONS)(value) for name, value in instructions.items()}
    return Report([_obey(text, name, check) for name, check in checks.items()])


def _obey(text: str, name: str, check: Check) -> CheckResult:
    if not text.strip():
        return CheckResult(name, False, "the text is empty", loose=False)
    try:
        detail = check(text)
        loose = not detail or any(not check(version) for version in loose_versions(text))
    except TimeoutError as error:
        return CheckResult(name, False, str(error), loose=False)
    return CheckResult(name, not detail, detail, loose=loose)


def loose_versions(text: str) -> list[str]:
    """Return what is left of a text without its first line, last line and asterisks, in all combinations.

    Up to eight versions, none of them empty; the text itself is the first. Source: as for `check_format`.
    """
    lines = text.split("\n")
    parts = [lines, lines[1:], lines[:-1], lines[1:-1]]
    versions = [text, *("\n".join(part).strip() for part in parts)]
    versions += [version.replace("*", "").strip() for version in versions]
    return [version for version in dict.fromkeys(versions) if version.strip()]
