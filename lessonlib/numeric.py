"""Numbers out of prose, compared as values: 1,200 is 1200.0, and 7.5 is not 75.

One rule runs through this module: *read exactly, or do not read at all*. A missing value is noticed, a wrong
one is not. A number may touch white space, the marks in `_MARK`, a unit or scale of the tables, a currency
sign, and Chinese, Japanese or Korean writing. **Anything else that touches it makes it unread**, and with it
all that is written together with it, without white space or quotation marks.

Read: 1,250,000.50 · 9{,}500 · 1'250 · -5 · −5 · .5 · 5. · 2.5E-4 · -$5 · 25% (face value 25) · 1GB · ٣ · 25k
· 5 million · item-7 (7). A point is a decimal point: 1.250 is 1.25. Several: 10-12, 9:45, 2024-05-01, 2x6.
Not read: names (utf8, 1.2.3, 3rd, 1990s); fractions and powers (1/2, 1½, 10⁶, 3 × 10^8); bounds (±5, 5+);
what may be one number or two (3,50 · 1,2,3 · 12,34,567 · 1 000 · 1 234,56); other multipliers (5B, 3万, 2
hundred thousand); minus 25; an unknown unit without a space (5km); 1e9999; number words.
"""

import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from typing import NamedTuple

from .text import require_text

Real = int | float | Decimal


class Number(NamedTuple):
    """A number found in a text: an exact, finite value; its unit, or ""; and how it is written there."""

    value: Decimal
    unit: str
    text: str


# The last spelling is a unit's name; any other word is a unit that equals only itself. Nothing is converted.
# Words of one or two letters count as they are written (Mb is no MB), longer ones in any case.
_SPELLINGS = """percent pct %; $ usd dollar dollars; € eur euro euros; £ gbp pound pounds; ¥ jpy yen;
¢ cent cents; ms millisecond milliseconds; s sec secs second seconds; min mins minute minutes; byte bytes;
h hr hrs hour hours; day days; week weeks; month months; year years; request requests; token tokens;
kb kB kilobyte kilobytes KB; mb megabyte megabytes MB; gb gigabyte gigabytes GB; tb terabyte terabytes TB"""
UNITS = {word: words.split()[-1] for words in _SPELLINGS.split(";") for word in words.split()}
_CURRENCIES = {UNITS[sign] for sign in "$€£¥¢"}
# Words that may follow a number and are no unit of it.
_WORDS = """a after all an and are as at because before but by can each every for from had has if in is it
may monthly more must not of on only or out over per so than that the then to total under until was were when
which while who will with within without x yearly you"""
_NO_UNIT = frozenset(_WORDS.split())
_POWERS = {2: "hundred", 3: "thousand k K", 6: "million M", 9: "billion bn", 12: "trillion"}
SCALES = {word: power for power, words in _POWERS.items() for word in words.split()}
WHICH = ("first", "last", "any", "only")

# One spelling for minus signs and hyphens, Arabic separators and percent signs. Every character keeps its
# place here and below, so positions in the changed text are positions in the original.
_ONE_SPELLING = str.maketrans("−‐‑－٬٫٪％", "----,.%%")
# Simple tags (<b>) and the dollar signs of a formula ($14$ days) become spaces.
_BLANKED = re.compile(r"</?[A-Za-z]\w*+>|(?<![\w$])\$([-+]?\.?\d[^\s$]*+)\$(?!\d)")
# These become letters, and so spoil the number that they touch.
_SCALE = "(?i:hundred|thousand|million|billion|trillion)"
_OTHER = rf"(?:{_SCALE}|(?i:(?:m|b|tr)il+i?(?:on|ard)|lakh|crore|dozen)|(?:[BbTt]|MM|[MmTt]n|Mio|Mrd)\b)"
_NUMERAL = "〇零一二三四五六七八九十百千万萬亿億兆京两兩半만억조천백십¼-¾⅐-⅟"
_SPOILED = re.compile(
    rf"""(?:\b(?i:minus|negative)\s|[负負])(?=[$€£¥.\d])                 # minus 25
  | \s?\b{_SCALE}\s(?:and\s)?(?=\d|{_OTHER})                             # 2 thousand 5, 2 hundred thousand
  | (?<=\d)[\s-](?!(?:{_SCALE}|bn)\b)(?={_OTHER})                        # 5 billions, 5 crore, 5 B
  | (?<=\d)(?:\sand\sa\s(?=half|quarter)|\s(?=[{_NUMERAL}]))             # 5 and a half, 5 ½, 3 万
  | \s?(?:±|\+/-)\s? | \s?[×x*·]\s?(?=10\^)                              # 5 ± 1, 3 × 10^8
  | (?:\b[12]\d\d0|['’]\d0|(?<=\b[Tt]he[ ])\d0)(?=s\b)                   # 1990s
    """,
    re.VERBOSE,
)
_BREAK = '"“”„«»，。、；：！？'
_CJK = "々ぁ-ヺー-鿿가-힣"
_MARK = rf"""!'()*,./:;=?\[\\\]_`{{|}}~\#§…‹›‘’‚¿¡「」『』【】《》・（）{_CJK}"""
# What is written together is read together: up to white space or what breaks a text, but with a currency that
# stands before ($ 5, USD 5) and over what may be a space inside a number (1 000, 1 1/2).
_CHUNK = re.compile(
    rf"""(?: [^\s{_BREAK}] | (?<=\d)[\u00a0\u2009\u202f](?=\d)
    | (?<=\d)(?<!\d{{4}})[ ](?=\d{{3}}(?!\d)|\d++[/⁄]\d)
    | (?: (?<=[$€£¥]) | (?<=\b[A-Z]{{3}})(?<!\d\s...) )\s(?=[-+]?\.?\d) )++""",
    re.VERBOSE,
)
_KNOWN = sorted((*UNITS, *SCALES), key=len, reverse=True)
_GLUED = "|".join(re.escape(word) if len(word) < 3 else f"(?i:{word})" for word in _KNOWN)
_TOKEN = re.compile(
    rf"""(?: (?<![^\s{_MARK}{_BREAK}]) | (?<=[\w)\]%¢$€£¥][-–—]) | (?<=\d[xX×]) )
    (?<!\w\.) (?<![_^]\{{) (?<![{_NUMERAL}]) (?!0[xX])
    (?: (?<![^\s{_MARK}{_BREAK}])(?<![)\]}}/.])[-+] )?+
    (?: (?:US(?=\$))?+ (?P<currency> [$€£¥] | [A-Z]{{3}}(?=\s) | USD | EUR | GBP | JPY )
        \s?+ (?: (?<![A-Z])[-+] )?+ )?+
    (?P<amount>
        (?: (?: (?!0)\d{{1,3}} (?P<mark>[,'’\u00a0\u2009\u202f]|\{{,\}}|\\,)\d{{3}} (?:(?P=mark)\d{{3}})*+
            | \d++ ) (?:\.\d++)?+ | (?<![\w.)\]])\.\d++ )                # 1,250,000.50, 1250.5, .5
        (?: [eE][-+]?\d{{1,3}}+ )?+ )
    (?: \\?(?:{_GLUED}) )?+
    (?! \d | (?![-–—:×][$€£¥]?\.?\d) [^\w\s]{{1,2}}\d | (?![xX×–—-]) [^{_MARK}] | [xX×](?!\d)
      | [{_NUMERAL}分] | [_'’\\]++[^\W_] )
  | (?!(?<=\d)[xX]\d)[^\W\d_{_CJK}][^\W{_CJK}]*+ | \d.*+                # a word; what is not read
    """,
    re.VERBOSE | re.DOTALL,
)
_WORD_AFTER = re.compile(
    rf"[*_`]{{0,3}}(?:\s{{0,2}}|-)\\?([%¢]|[$€£¥](?!\s?\.?\d)|[{_CJK}]++"
    rf"|(?![xX×]\d)[^\s\d{_MARK}{_BREAK}%¢$€£¥&+<>@^–—-]++)"
)


def extract_numbers(text: str) -> list[Number]:
    """Return the numbers of a text in reading order: exact, finite values, each with its unit.

    The module's docstring says what is read. The unit is a currency before the number or the word after it
    by its name in `UNITS` if it has one, also after an adjective ("90 calendar days"); where currency and
    unit disagree, the number is not read. No number: an empty list. Any string is taken; else a TypeError.
    """
    require_text("text", text)
    plain = text.translate(_ONE_SPELLING)
    plain = _BLANKED.sub(lambda found: f" {found[1]} " if found[1] else " " * len(found[0]), plain)
    plain = _SPOILED.sub(lambda found: "z" * len(found[0]), plain)
    numbers: list[Number] = []
    for chunk in _CHUNK.finditer(plain):
        tokens = [token for token in _TOKEN.finditer(plain, *chunk.span()) if re.search(r"\d", token[0])]
        if all(token["amount"] for token in tokens):
            read = [_read(token, text) for token in tokens]
            if len({scale for _, scale in read}) == 1:  # in 5-10k, what is the 5?
                numbers += [number for number, _ in read if number]
    return numbers


def _read(token: re.Match[str], text: str) -> tuple[Number | None, int]:
    """Return the number, None where currency and unit disagree ($5 days, $5 CAD), and its power of ten."""
    plain, end = token.string, token.end("amount")
    word, after = _word_after(plain, end)
    scale = SCALES.get(word, 0)
    if scale:  # "5 million dollars": the unit is the word after
        end = after
        word, after = _word_after(plain, end)
    unit = "" if word in _NO_UNIT else UNITS.get(word, word)
    before, noun = (token["currency"] or "").lower(), UNITS.get(_word_after(plain, after)[0], "")
    paid = UNITS.get(before, "")
    if paid and unit not in ("", paid) and (word in UNITS or plain[after - 3 : after].isupper()):
        return None, scale
    if unit and word not in UNITS and noun and (word == "US" or noun not in _CURRENCIES):
        unit = noun  # "90 calendar days"
    sign = "-" if "-" in plain[token.start() : token.start("amount")] else ""
    digits, _, power = re.sub(r"[^\d.eE+-]", "", token["amount"].upper()).partition("E")
    plainly = f"{Decimal(f'{sign}{digits}e{int(power or 0) + scale}'):f}"  # 25k is 25000, not 2.5E+4
    return Number(Decimal(plainly), paid or unit or before, text[token.start() : end]), scale


def _word_after(plain: str, end: int) -> tuple[str, int]:
    """Return the word that follows, as the tables spell it, and where it ends."""
    found = _WORD_AFTER.match(plain, end)
    word = found[1] if found else ""
    return word if len(word) < 3 else word.lower(), found.end() if found else end


def numeric_match(
    prediction: str, reference: str | Real, which: str = "last", abs_tol: Real = 0, rel_tol: Real = 0
) -> bool:
    """Return whether a prediction holds the reference's number: |p - r| <= max(abs_tol, rel_tol * |r|).

    `prediction` is a text; `reference` is a text or a number, a float counting as it prints (0.1 is 0.1).
    `which` picks from both texts: the "first" or "last" number, "any" (some pair agrees), or "only" (all
    numbers agree, so a repeated value passes and a hedge such as "24 or 48" does not). The tolerances are
    finite, 0 or more; `abs_tol` is in the reference's unit. Units must agree where both sides have one.

    Empty rule: a prediction without a number is False; a reference text without one is a ValueError, like any
    other value that cannot be used; another type is a TypeError. Known limit: only numbers that are read and
    their units count. "not 25 dollars" and "25 dollars per year" match 25 dollars; 1 day is not 24 hours.
    """
    if which not in WHICH:
        raise ValueError(f"which must be one of {', '.join(WHICH)}; got {which!r}.")
    require_text("prediction", prediction)
    absolute, relative = _exact(abs_tol, "abs_tol"), _exact(rel_tol, "rel_tol")
    if isinstance(reference, str):
        wanted = extract_numbers(reference)
    else:
        wanted = [Number(_exact(reference, "reference"), "", "")]
    if not wanted:
        raise ValueError(f"reference holds no number: {reference!r:.80}.")
    found = extract_numbers(prediction)
    chosen = {"first": slice(0, 1), "last": slice(-1, None)}.get(which, slice(None))
    agree = (
        p.unit in ("", r.unit or p.unit) and abs(p.value - r.value) <= max(absolute, relative * abs(r.value))
        for p in found[chosen]
        for r in wanted[chosen]
    )
    # The default context rounds to 28 digits and fails on huge exponents; this one does neither in practice.
    with localcontext(Context(prec=10_000, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])):
        return any(agree) if which == "any" else bool(found) and all(agree)


def _exact(value: Real, name: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, Real):
        kinds = "a string or a number" if name == "reference" else "a number"
        raise TypeError(f"{name} must be {kinds} (int, float or Decimal), not {type(value).__name__}.")
    # A float's repr is the shortest decimal that names it; float() undoes a subclass with its own repr.
    exact = Decimal(repr(float(value))) if isinstance(value, float) else Decimal(value)
    if not exact.is_finite():
        raise ValueError(f"{name} must be a finite number, not {value}.")
    if exact < 0 and name != "reference":
        raise ValueError(f"{name} must be 0 or more, not {value}.")
    return exact
