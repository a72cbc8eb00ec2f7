"""Citations, and the whole ladder: does the cited source bear the answer out, word for word?"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ..text import known, require_text
from .fields import Field, field_check
from .reading import Parsed, parse_json
from .report import CheckResult, Report
from .schema import schema_check
from .strict import why_not_json

_SIGNS = r"[-−–+±.,$€£¥]*(?=\d)"
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_PART = rf"(?!{_UNSPACED})[\w\p{{M}}]"


@cache
def _words() -> Any:
    """Return the pattern of one word or number, with all that belongs to it, in any script.

    Signs and currency before a digit and a percent sign after it belong to the number, and so does the space
    of 60 000; a mark between two letters or digits (1.5, 1/2, can't, 24-hour) joins them. Where a script puts
    no space between words, each character is one.
    """
    import regex

    return regex.compile(
        rf"{_UNSPACED}\p{{M}}* | (?:{_SIGNS})?{_PART}(?:[-‐‑–−'’.,:/_]?{_PART}"
        r"|(?<=(?<!\d)\d{1,3})[ ](?=\d{3}(?!\d)))*[%‰°€$£¥]?",
        regex.X,
    )


def is_verbatim(quote: str, text: str) -> bool:
    """Return whether a text holds a quote word for word; only runs of white space count as equal.

    A quote begins and ends where words and numbers do, in any script: "5 GB" is not in "1.5 GB" nor in
    "-5 GB", "cole" not in "école". Composed and decomposed letters are the same (NFC). Empty rule: a quote
    without a letter or digit is in no text.
    """
    require_text("quote", quote)
    require_text("text", text)
    words, body = (unicodedata.normalize("NFC", " ".join(part.split())) for part in (quote, text))
    if not any(map(str.isalnum, words)):
        return False
    inside = {i for word in _words().finditer(body) for i in range(word.start() + 1, word.end())}
    start = body.find(words)
    while start >= 0 and not inside.isdisjoint((start, start + len(words))):
        start = body.find(words, start + 1)
    return start >= 0


def _is_long_enough(quote: str) -> bool:
    words = _words().findall(quote)
    return len(words) >= 3 or (len(words) == 2 and any(map(str.isdigit, quote)))


def check_citation(
    value: Any, documents: Mapping[str, Any], golden: str, source: str = "source", quote: str = "quote"
) -> Report:
    """Check what a JSON object cites: "grounded", the quote is in the cited document; "cited", the right one.

    `documents` maps ids to texts, or to objects with a `text`; `golden` is the id of the document that holds
    the answer; `source` and `quote` are the keys of the object. A quote has at least three words, or two of
    which one holds a digit: a single word proves nothing. A missing key, a value that is no text and a
    document that does not exist fail. Raises ValueError when `golden` is no document.
    """
    known("document", golden, dict(documents))
    value = value if isinstance(value, dict) else {}
    cited, words = value.get(source), value.get(quote)
    if not isinstance(cited, str) or cited not in documents:
        missing = f"there is no document {cited!r:.60}" if source in value else f"there is no {source!r}"
        return Report([CheckResult("grounded", False, missing), CheckResult("cited", False, missing)])
    document = documents[cited]
    if not isinstance(words, str) or not words.strip():
        fault = f"there is no {quote!r}"
    elif not is_verbatim(words, document if isinstance(document, str) else document.text):
        fault = f"{words!r:.60} is not in {cited!r}"
    else:
        fault = "" if _is_long_enough(words) else f"{words!r:.60} is too short to prove anything"
    wrong = "" if cited == golden else f"cites {cited!r}, not {golden!r}"
    return Report([CheckResult("grounded", not fault, fault), CheckResult("cited", not wrong, wrong)])


def check_reply(
    reply: str | Parsed,
    schema: dict[str, Any] | bool,
    expected: Mapping[str, Any],
    fields: Sequence[Field],
    documents: Mapping[str, Any],
) -> Report:
    """Check one raw reply on every rung: parsed, schema, correct, grounded, cited.

    The reply is a text, read in mode "embedded", or what `parse_json` made of it in another one. "correct" is
    the verdict of `field_credit` and carries its credit; `expected["source"]` is the golden document. A reply
    that cannot be read fails every rung, for the reason that the first one names. Errors: those of
    `parse_json`, `schema_problems`, `field_credit` and `check_citation`.
    """
    golden = known("expected field", "source", dict(expected))
    parsed = reply if isinstance(reply, Parsed) else parse_json(reply)
    fault = parsed.message if parsed.failure else why_not_json(parsed.value)
    value = None if fault else parsed.value
    problems = [str(problem) for problem in schema_check(schema)(value)]
    credit = field_check(expected, fields)(value)
    wrong = [f"{result.name} {result.detail}" for result in credit if not result.passed]
    rungs = [
        CheckResult("schema", not problems, "; ".join(problems)),
        CheckResult("correct", credit.passed, "; ".join(wrong), credit.credit),
        *check_citation(value, documents, golden),
    ]
    if fault:
        rungs = [CheckResult(rung.name, False, "not reached") for rung in rungs]
    detail = f"{parsed.failure or 'not JSON'}: {fault}" if fault else f"found {parsed.found}"
    return Report([CheckResult("parsed", not fault, detail), *rungs])
