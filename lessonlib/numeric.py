"""Numbers out of prose, compared as values: 1,200 is 1200.0, and 7.5 is not 75.

One rule runs through this module: *read exactly, or do not read at all*. A number that can be understood in
two ways gives no number, because a missing value is noticed and a wrong one is not.

Read as one number: 1,250,000.50 · 9{,}500 · 1'250 · -5 · −5 · .5 · 5. · 2.5E-4 · -$5 · $-5 · 25% (face value
25) · 1GB · 5 million · 25k · ٣. A point is a decimal point, so 1.250 is 1.25; 100,200 is always one number.
Read as several: 10-12, 9:45, 2024-05-01, 2x6, 1/2, 3 × 10^8, and lists of three or more such as 1,2,3 (but
also 12,34,567). A dash between digits is no minus, an en dash never is. Plain spaces separate: 10 000 is two.
Not read at all: digits in a name (utf8, GPT4, A1, 3f2a, 1_000, 0x1F); versions (1.2.3); a decimal comma or a
pair (3,50 · 0,125 · 1.250,50); ½ and 1½; number words; an exponent beyond three digits (1e9999).
A hyphen after a letter is a hyphen: item-7 holds 7. Superscripts are no digits: 1² holds 1.
"""

import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from typing import NamedTuple


class Number(NamedTuple):
    """A number found in a text: an exact, finite value; its unit, or ""; and how it is written there."""

    value: Decimal
    unit: str
    text: str


# Only words in this table are units; any other word may be an adjective ("90 calendar days") and proves
# nothing. A currency sign counts as its word: "$25", "25 USD", "25 dollars" agree. Nothing is converted.
_SPELLINGS = {
    "%": "% percent pct",
    "dollars": "$ usd dollar dollars",
    "euros": "€ eur euro euros",
    "pounds": "£ gbp pound pounds",
    "yen": "¥ jpy yen",
    "cents": "¢ cent cents",
    "milliseconds": "ms millisecond milliseconds",
    "seconds": "s sec secs second seconds",
    "minutes": "min mins minute minutes",
    "hours": "h hr hrs hour hours",
    "days": "day days",
    "weeks": "week weeks",
    "months": "month months",
    "years": "year years",
    "bytes": "byte bytes",
    "KB": "kb kilobyte kilobytes",
    "MB": "mb megabyte megabytes",
    "GB": "gb gigabyte gigabytes",
    "TB": "tb terabyte terabytes",
    "requests": "request requests",
    "tokens": "token tokens",
}
UNITS = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()}
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "k": 3, "M": 6, "bn": 9}
WHICH = ("first", "last", "any", "only")

# One spelling for minus signs and hyphens, Arabic separators and percent signs. Every character keeps its
# place, so positions in the translated text are positions in the original.
_ONE_SPELLING = str.maketrans("−‐‑－٬٫٪％", "----,.%%")

# Letters of the scripts that put spaces between words: Latin, Greek, Cyrillic, with combining accents. Other
# scripts may touch a number (每月25美元) without making it part of a name.
_LETTER = "A-Za-zÀ-ÖØ-öø-ԯ"
_SIGN = rf"(?<![{_LETTER}\d_²³°)\]}}%$€£¥¢/–—-])[-+]"  # after any of these, a dash joins and is no minus
_POINT = r"(?<![\w.)\]])\."  # a decimal point without a digit before it; the full stop of "end.5" is none
_ITEM = r"(?!0\d)\d++(?:\.\d++)?+"
_END = rf"""(?!                                # a number ends here unless there follows:
    [.,]?\d                                    #   more of it (1.2.3, 3,50)
  | _++[^\W_]                                  #   an underscore inside a word (1_000), not Markdown's _25_
  | [eE][-+]?\d                                #   an exponent too large to read (1e9999)
  | (?![xXT]\d) [{_LETTER}]++ \d               #   letters, then digits: a name (3f2a); 2x6 and 01T03 are none
  | \s?[¼-¾⅐-⅟↉]                               #   a vulgar fraction (1½)
)"""

# Every alternative consumes a whole token, and the quantifiers are possessive (they never give back): so no
# number starts in the middle of another token, and the time is linear in the length of the text.
_TOKEN = re.compile(
    rf"""
    0[xX][\da-fA-F]++                                                    # 0x1F: a name, not a 0 and a 1
  | (?P<minus>{_SIGN})?
    (?: (?P<currency> (?<!\d)[$€£¥] | (?<!\w)(?<!\d\s)(?:USD|EUR|GBP|JPY) ) \s?
        (?P<inner_minus> (?<![{_LETTER}])[-+] )? )?
    (?P<digits>
        (?!0)\d{{1,3}} (?P<separator> [,'’\u00a0\u2009\u202f] | \{{,\}} | \\, ) \d{{3}}
            (?: (?P=separator)\d{{3}} )*+ (?:\.\d++)?+                   # 1,250,000.50
      | \d++ (?:\.\d++)?+                                                # 1250 or 1250.5
      | {_POINT}\d++                                                     # .5
    )
    (?: [eE](?P<exponent>[-+]?\d{{1,3}}+) )?
    {_END}
  | (?P<list> (?:{_SIGN})? {_ITEM} (?:,[-+]?{_ITEM}){{2,}}+ ) {_END}     # 1,2,3
  | (?!(?<=\d)[xXT]\d) [{_LETTER}]\w*+ (?:(?<=\d)\.\d\w*+)*+             # a word, its digits too: v1.2.3
  | (?:{_POINT})?+ \d (?: [eE][-+]\d | [.,]\d | \w )*+                   # what is left: not one clear number
    """,
    re.VERBOSE,
)
# What may follow: "25 dollars", "24-hour", "5GB", "**90** days", "25\%"; in "5 $10" the sign belongs to 10.
_FOLLOWING = re.compile(rf"[*_`]{{0,3}}(?:\s{{0,2}}|-)\\?(?P<word>[{_LETTER}]+|[%¢]|[$€£¥](?!\s?\.?\d))")


def extract_numbers(text: str) -> list[Number]:
    """Return the numbers of a text in reading order: exact, finite values with the unit that goes with each.

    The module's docstring says what is read and what is not. A unit is a word of `UNITS` that follows (after
    at most a space, a hyphen or Markdown marks) or a currency before the number. No number: an empty list.
    Raises TypeError when `text` is no string; no string raises.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, not {type(text).__name__}.")
    plain = text.translate(_ONE_SPELLING)
    numbers: list[Number] = []
    for match in _TOKEN.finditer(plain):
        if match["digits"]:
            numbers.append(_read_number(match, text))
        elif match["list"]:
            spellings = re.split("[,٬]", text[match.start() : match.end()])
            items = zip(match["list"].split(","), spellings, strict=True)
            numbers += [Number(Decimal(item), "", spelling) for item, spelling in items]
    return numbers


def _read_number(match: re.Match[str], text: str) -> Number:
    end, power = match.end(), int(match["exponent"] or 0)
    following = _FOLLOWING.match(match.string, end)
    word = following["word"] if following else ""
    scale = SCALES.get(word, SCALES.get(word.lower(), 0))  # "M" is a million, "m" may be a metre
    if following and scale:  # "5 million dollars": the unit is the word after
        end, power = following.end(), power + scale
        following = _FOLLOWING.match(match.string, end)
        word = following["word"] if following else ""
    unit = UNITS.get((match["currency"] or word).lower(), "")
    sign = "-" if "-" in (match["minus"], match["inner_minus"]) else ""
    digits = re.sub(r"[^\d.]", "", match["digits"])
    plainly = f"{Decimal(f'{sign}{digits}e{power}'):f}"  # so that 25k shows as 25000, not as 2.5E+4
    return Number(Decimal(plainly), unit, text[match.start() : end])


def numeric_match(
    prediction: str,
    reference: str | int | float | Decimal,
    which: str = "last",
    abs_tol: int | float | Decimal = 0,
    rel_tol: int | float | Decimal = 0,
) -> bool:
    """Return whether a prediction holds the reference's number: |p - r| <= max(abs_tol, rel_tol * |r|).

    `prediction` is a text; `reference` is a text or a number, a float counting as it prints (0.1 is 0.1).
    `which` picks from both texts: the "first" or "last" number, "any" (some pair agrees), or "only" (all
    numbers agree, so a repeated value passes and a hedge such as "24 or 48" does not). The tolerances are
    finite, 0 or more; `abs_tol` is in the reference's unit. Units must agree where both sides have one.

    Empty rule: a prediction without a number is False; a reference text without one is a ValueError. Also a
    ValueError: an unknown `which`, a number that is not finite, a negative tolerance. A TypeError: a value
    of another type, bool and None included.

    Known limit: only the number and its unit are looked at. "not 25 dollars per month" matches, and so does
    "25 dollars per year"; 1 day is not 24 hours.
    """
    if which not in WHICH:
        raise ValueError(f"which must be one of {', '.join(WHICH)}; got {which!r}.")
    if not isinstance(prediction, str):
        raise TypeError(f"prediction must be a string, not {type(prediction).__name__}.")
    absolute, relative = _exact(abs_tol, "abs_tol"), _exact(rel_tol, "rel_tol")
    for name, tolerance in (("abs_tol", absolute), ("rel_tol", relative)):
        if tolerance < 0:
            raise ValueError(f"{name} must be 0 or more, not {tolerance}.")
    if isinstance(reference, str):
        wanted = extract_numbers(reference)
        if not wanted:
            raise ValueError(f"reference holds no number: {reference[:80]!r}.")
    else:
        wanted = [Number(_exact(reference, "reference"), "", "")]
    found = extract_numbers(prediction)
    if not found:
        return False
    chosen = {"first": slice(0, 1), "last": slice(-1, None)}.get(which, slice(None))
    pairs = ((p, r) for p in found[chosen] for r in wanted[chosen])
    agree = (_agree(p, r, absolute, relative) for p, r in pairs)
    # The default context rounds to 28 digits and fails on huge exponents; this one does neither in practice.
    with localcontext(Context(prec=10_000, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])):
        return any(agree) if which == "any" else all(agree)


def _agree(p: Number, r: Number, absolute: Decimal, relative: Decimal) -> bool:
    if p.unit and r.unit and p.unit != r.unit:
        return False
    return abs(p.value - r.value) <= max(absolute, relative * abs(r.value))


def _exact(value: int | float | Decimal, name: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        kinds = "a string or a number" if name == "reference" else "a number"
        raise TypeError(f"{name} must be {kinds} (int, float or Decimal), not {type(value).__name__}.")
    # A float's repr is the shortest decimal that names it; float() undoes a subclass with its own repr.
    exact = Decimal(repr(float(value))) if isinstance(value, float) else Decimal(value)
    if not exact.is_finite():
        raise ValueError(f"{name} must be a finite number, not {value}.")
    return exact
