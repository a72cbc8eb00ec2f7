"""The report that holds the outcomes of all checks, and format instructions that code can verify.

Everything fails closed: an unknown check, an empty text, a pattern that runs out of time and a report without
checks are never a pass.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .patterns import compiled, fullmatch
from .text import known, require_text, require_whole, text_list

# --- the report ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What one check says of one answer: its name, whether it passed, and the reason if not.

    `partial` is credit in [0, 1] where a check knows more than pass or fail; `loose` is the second verdict
    of a format instruction. `weight` is a positive number.
    """

    name: str
    passed: bool
    detail: str = ""
    partial: float | None = None
    weight: float = 1.0
    loose: bool | None = None

    def __post_init__(self) -> None:
        """Refuse what a report could take for a pass by mistake."""
        require_text("name", self.name)
        for verdict in (self.passed, False if self.loose is None else self.loose):
            if not isinstance(verdict, bool):
                raise TypeError(f"a verdict is True or False, not {verdict!r:.60}")
        if self.partial is not None and not 0 <= self.partial <= 1:
            raise ValueError(f"credit lies between 0 and 1, not {self.partial!r}")
        if self.passed and self.credit < 1:
            raise ValueError(f"check {self.name!r} cannot pass with a credit of {self.partial!r}")
        require_weight(self.weight)

    @property
    def credit(self) -> float:
        """Return the partial credit, or 1 for a pass and 0 for a fail."""
        return float(self.passed) if self.partial is None else self.partial

    def __bool__(self) -> bool:
        """Return whether the check passed."""
        return self.passed


@dataclass(frozen=True)
class Report:
    """The outcomes of several checks of one answer. `report["schema"]` is one; `a + b` puts two together.

    Raises ValueError without outcomes (no checks are no pass), and when two have the same name.
    """

    outcomes: Sequence[Outcome]

    def __post_init__(self) -> None:
        """Refuse an empty report and doubled names."""
        object.__setattr__(self, "outcomes", tuple(self.outcomes))
        names = [outcome.name for outcome in self.outcomes]
        if not names:
            raise ValueError("a report needs at least one check: nothing checked is nothing passed")
        if len(set(names)) < len(names):
            raise ValueError(f"two checks have the same name: {', '.join(sorted(names))}")

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(outcome.passed for outcome in self)

    @property
    def passed_loose(self) -> bool:
        """Whether every check passed, format instructions by their loose verdict."""
        return all(outcome.passed if outcome.loose is None else outcome.loose for outcome in self)

    @property
    def credit(self) -> float:
        """The mean of the credits, weighted, in [0, 1]."""
        heaviest = max(outcome.weight for outcome in self)
        weights = [outcome.weight / heaviest for outcome in self]
        earned = [weight * outcome.credit for weight, outcome in zip(weights, self, strict=True)]
        return min(1.0, math.fsum(earned) / math.fsum(weights))

    def __bool__(self) -> bool:
        """Return whether every check passed."""
        return self.passed

    def __iter__(self) -> Iterator[Outcome]:
        """Go through the outcomes in their order."""
        return iter(self.outcomes)

    def __getitem__(self, name: str) -> Outcome:
        """Return the outcome of this name; an unknown one is a ValueError that lists the known ones."""
        return known("check", name, {outcome.name: outcome for outcome in self})

    def __add__(self, other: "Report") -> "Report":
        """Return one report with the outcomes of both."""
        return Report([*self, *other])

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary an outcome, for a table."""
        return [
            {"check": o.name, "passed": o.passed, "loose": o.loose, "credit": o.credit, "detail": o.detail}
            for o in self
        ]

    def __repr__(self) -> str:
        """Show a table: one line a check, and the verdict below."""
        width = max(len("verdict"), *(len(outcome.name) for outcome in self))
        lines = []
        for o in self:
            loose = "" if o.loose is None else f"  loose {'pass' if o.loose else 'FAIL'}"
            verdict = f"{o.name:<{width}}  {'pass' if o.passed else 'FAIL'}{loose}  {o.credit:.2f}"
            lines.append(f"{verdict}  {o.detail}".rstrip())
        return "\n".join([*lines, f"{'verdict':<{width}}  {'pass' if self.passed else 'FAIL'}"])


def require_weight(weight: Any) -> None:
    """Raise a ValueError unless `weight` is a positive, finite number."""
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
        raise ValueError(f"a weight must be a positive number, not {weight!r}")


# --- format instructions ---------------------------------------------------------------------------------

_APOLOGY = re.compile(
    r"\b(?:sorry|apolog(?:y|ies|i[sz]e[ds]?|i[sz]ing|etic)|forgive me|pardon me|my bad|my mistake"
    r"|(?:i|we) regret|(?:i['’]m|i am|we['’]re|we are) afraid)\b",
    re.I,
)
_SENTENCE_END = re.compile(r"""[.!?…]+["'’”»)\]*_`]*(?=\s|\Z)|[。！？]|\n\s*\n""")
_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|approx|mr|mrs|ms|dr|prof|st|fig)|^[ \t]*\d+)\Z", re.I | re.M
)  # an abbreviation, or the number of a list item


def count_words(text: str) -> int:
    """Return how many words a text has: what white space separates, if a letter or digit is in it."""
    require_text("text", text)
    return sum(any(character.isalnum() for character in word) for word in text.split())


def count_sentences(text: str) -> int:
    """Return how many sentences a text has; a last one without a full stop, such as "429", counts.

    A sentence ends with . ! ? … before white space, with a full-width stop, or at an empty line; not after
    "e.g." and its like, nor after the number of a list item. It holds at least one letter or digit.
    """
    require_text("text", text)
    sentences, start = 0, 0
    ends = [end for end in _SENTENCE_END.finditer(text) if not _NO_END.search(text, start, end.start())]
    for stop in [*(end.end() for end in ends), len(text)]:
        sentences += count_words(text[start:stop]) > 0
        start = stop
    return sentences


def _has(text: str, phrase: str) -> bool:
    """Whether a text holds a phrase as whole words, in any case: "plan" is not in "planet"."""
    before = r"(?<!\w)" if phrase[0].isalnum() else ""
    after = r"(?!\w)" if phrase[-1].isalnum() else ""
    return re.search(before + re.escape(phrase) + after, text, re.I) is not None


def _texts(name: str, argument: Any) -> list[str]:
    texts = text_list(name, argument)
    if not all(text.strip() for text in texts):
        raise ValueError(f"{name} holds an empty text, which every answer would satisfy")
    return texts


def _at_most_words(text: str, limit: Any) -> str:
    require_whole("at_most_words", limit)
    return f"{count_words(text)} words" if count_words(text) > limit else ""


def _at_least_words(text: str, limit: Any) -> str:
    require_whole("at_least_words", limit)
    return f"{count_words(text)} words" if count_words(text) < limit else ""


def _sentences(text: str, number: Any) -> str:
    require_whole("sentences", number)
    return f"{count_sentences(text)} sentences" if count_sentences(text) != number else ""


def _no_apology(text: str, wanted: Any) -> str:
    if wanted is not True:
        raise ValueError(f"no_apology takes True, not {wanted!r}; leave it out to allow apologies")
    found = _APOLOGY.search(text)
    return f"it says {found.group()!r}" if found else ""


def _starts_with(text: str, beginning: Any) -> str:
    return "" if text.startswith(tuple(_texts("starts_with", beginning))) else f"it starts with {text[:20]!r}"


def _ends_with(text: str, ending: Any) -> str:
    return "" if text.endswith(tuple(_texts("ends_with", ending))) else f"it ends with {text[-20:]!r}"


def _contains_all(text: str, phrases: Any) -> str:
    missing = [phrase for phrase in _texts("contains_all", phrases) if not _has(text, phrase)]
    return f"without {', '.join(map(repr, missing))}" if missing else ""


def _contains_any(text: str, phrases: Any) -> str:
    return "" if any(_has(text, phrase) for phrase in _texts("contains_any", phrases)) else "none is there"


def _contains_none(text: str, phrases: Any) -> str:
    found = [phrase for phrase in _texts("contains_none", phrases) if _has(text, phrase)]
    return f"with {', '.join(map(repr, found))}" if found else ""


def _one_of(text: str, choices: Any) -> str:
    return "" if text in _texts("one_of", choices) else f"it is {text[:40]!r}"


def _fullmatch(text: str, pattern: Any) -> str:
    compiled(pattern)
    return "" if not text or fullmatch(pattern, text) else f"{text[:40]!r} does not match"


# Each takes a text and the instruction's argument, and returns what is wrong: "" if it is obeyed.
INSTRUCTIONS: dict[str, Callable[[str, Any], str]] = {
    "at_most_words": _at_most_words,
    "at_least_words": _at_least_words,
    "sentences": _sentences,
    "no_apology": _no_apology,
    "starts_with": _starts_with,
    "ends_with": _ends_with,
    "contains_all": _contains_all,
    "contains_any": _contains_any,
    "contains_none": _contains_none,
    "one_of": _one_of,
    "fullmatch": _fullmatch,
}


def check_format(text: str, instructions: Mapping[str, Any]) -> Report:
    """Check an answer against instructions such as {"at_most_words": 8, "no_apology": True}.

    Every name is a key of INSTRUCTIONS. `passed` is the strict verdict, on the text as it is. `loose` asks
    for one success among eight versions: with and without asterisks, the first line, the last line. It
    forgives a "Sure, here it is:" and bold type, and some real failures too, which is why both are shown.
    `contains_...` looks for whole words in any case; `starts_with`, `ends_with` and `one_of` are exact.
    Empty rule: an empty text obeys nothing. An unknown name, an impossible argument or no instruction is a
    ValueError. A pattern that runs out of time fails both ways. Source: Zhou et al. 2023 (IFEval), metrics.
    """
    require_text("text", text)
    checks = {name: known("instruction", name, INSTRUCTIONS) for name in instructions}
    for name, check in checks.items():
        check("", instructions[name])  # an impossible argument is an error, whatever the text
    return Report([_obey(text, name, check, instructions[name]) for name, check in checks.items()])


def _obey(text: str, name: str, check: Callable[[str, Any], str], argument: Any) -> Outcome:
    if not text.strip():
        return Outcome(name, False, "the text is empty", loose=False)
    try:
        detail = check(text, argument)
        loose = not detail or any(not check(version, argument) for version in loose_versions(text))
    except TimeoutError as error:
        return Outcome(name, False, str(error), loose=False)
    return Outcome(name, not detail, detail, loose=loose)


def loose_versions(text: str) -> list[str]:
    """Return what is left of a text without its first line, last line and asterisks, in all combinations.

    Up to eight versions, none of them empty; the text itself is the first. Source: as for `check_format`.
    """
    lines = text.split("\n")
    parts = [lines, lines[1:], lines[:-1], lines[1:-1]]
    versions = [text, *("\n".join(part).strip() for part in parts)]
    versions += [version.replace("*", "").strip() for version in versions]
    return [version for version in dict.fromkeys(versions) if version.strip()]
