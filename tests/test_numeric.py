import time
from decimal import Decimal
from enum import IntEnum

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lessonlib.numeric import SCALES, UNITS, WHICH, Number, extract_numbers, numeric_match


def rows(table):
    """Return both sides of each line with an arrow; the other lines are headings."""
    return [line.split(" -> ") for line in table.splitlines() if " -> " in line]


def values(text):
    return [number.value for number in extract_numbers(text)]


READ = """
  in sentences, marks and other scripts
It returns 429. Around 17, maybe more; roughly (3.25). -> 429 17 3.25
[8] {"value": -12} {"a":5,"b":6} "-12" “-13” x=5 #5 §6 ~7 f(4) -> 8 -12 5 6 -12 -13 5 5 6 7 4
.5 -.5 5. 00017 5.Then wait... 5 -> 0.5 -0.5 5 17 5 5
_25_ and __26__ and **27** and `28` and **-8** and <b>9</b> -> 25 26 27 28 -8 9
٤٢ ४२ ４２ ١٬٢٥٠٫٥ -> 42 42 42 1250.5
每月25美元，温度-5度。5月3日 第3 -> 25 -5 5 3 3
  separators, and a decimal point
12,000 rows 3,400,500.25 1,250. 1,250, 3 -> 12000 3400500.25 1250 1250 3
7{,}200 \\boxed{1{,}234{,}567} 7\\,200 7'200 and 7’200 -> 7200 1234567 7200 7200 7200
7\u00a0200, 7\u202f200\u202f000, 7\u2009200 1.250 1999 200 -> 7200 7200000 7200 1.250 1999 200
  signs
-8 +8 −8 ‑8 －8 (-8) x=-8 a: -8 -> -8 8 -8 -8 -8 -8 -8 -8
- 8, 9 - 4, 9 -4 -> 8 9 4 9 -4
step-3 GPT-4 item-7 -> 3 4 7
  several: ranges, times, dates, grids
3-4 3–4 3−4 3%-4% 5GB-10GB $5-$10 5k-6k -> 3 4 3 4 3 4 3 4 5 10 5 10 5000 6000
at 18:05 or 07:00 on 1999-12-31 -> 18 5 7 0 1999 12 31
3x4 tiles 3x4x5 3×4 1920X1080 -> 3 4 3 4 5 3 4 1920 1080
  exponents and scales
2e3 2.5e+2 7.5E-3 7.5e−3 6e1GB -> 2000 250 0.0075 0.0075 60
2 thousand, 2.5 million dollars, 3k, 3K, 3M, 3bn -> 2000 2500000 3000 3000 3000000 3000000000
"""


@pytest.mark.parametrize(("text", "expected"), rows(READ))
def test_every_number_that_is_clear_is_read(text, expected):
    assert [str(value) for value in values(text)] == expected.split()


# One text between the bars; nothing in it is a number that can be read in one way only.
UNREAD = """
 | no figures here | nan NaN inf -Infinity | a dozen | ¾ | ⅐ ⅒ Ⅷ ⑧ | x³ | x_{5} | x^2
names: utf16 | B2 | GPT5 | file_3 | x__4 | a1.2.3 | 9b1deb4d | 0xFF | 0x10 | 2_000 | 2_000,500
words: строка7 | cafe\u03017
versions: 2.0.1 | v2.0.1 | 10.0.0.255 | 1999-12-31T23:59:58Z | end.25 | 7..9 | 25[1] | (3)-4
ordinals: 3rd | 21st | in the 1990s | the 90s | '90s | 1980s-1990s | 1990's
two numbers or one: 3,50 | 3,5 | 0,125 | 1,2500 | 12345,678 | 1.250,50 | 1.250.000
lists: 1,000,2,000 | 4,5,6 | -4,5
groups: 12,34,567 | 1,00,000 | 7 200 | 10 000 000 | 1 234,56 | 1\u202f234,56 € | 1'234'567,50 | 1,234\u00a0567
fractions: 1/2 | 5 1/2 | 4¾ | 4 ¾ | 3½ | 5 and a half hours | \\frac{1}{2} | 24/7 | 3分の1
powers: 4² | 10⁶ | 10^6 | 10^{6} | 2**3 | 3 × 10^8 | 3 x 10^8 | 1e1000 | 1e999999999 | 1e-999999999 | 2e3.4
bounds: ±8 | 5±1 | 5 ± 1 | +/-8 | 5 +/- 1 | 5+ | <5 | ≥5 | 2x faster | --8
signs: –8 | minus 25 dollars | Negative $5 | 负5
multipliers: $5B | 1.5B | 5 B | 5 MM | 5 mn | 3 Mrd | 1.5 billions | 5 thousandths | 2 Millionen
more: 5 crore | 2 dozen
scales: 2 hundred thousand | 2 thousand 5 hundred | a hundred and 5 | 5-10k | 5–10 million
Chinese, Japanese, Korean: 3万 | 3 万 | 2億円 | 5천
units: 5km | 3m | 5Mb | 5°C | 5‰ | 3pm | 1h30 | 25CHF | 500₹ | ₹500 | A$30 | $5 days | $30 CAD | ¥5 €
""".replace("\n", " | ")


@pytest.mark.parametrize("text", [text.split(": ")[-1] for text in UNREAD.split(" | ")])
def test_what_touches_a_number_and_is_not_understood_makes_it_unread(text):
    assert values(text) == values(f"It is {text}, or so") == []


UNITED = """
30 dollars | $30 | $ 30 | 30 USD | USD 30 | USD30 | \\$30 | US$30 | 30 DOLLARS | 30 US dollars -> 30 dollars
-$30 | $-30 | −$30 | USD -30 | "$-30" | -$ 30 -> -30 dollars
30 € | €30 | 30€ | 30 EUR | EUR30 | 30-euro -> 30 euros
£3 -> 3 pounds
¥4 | 4 yen -> 4 yen
25 cents -> 25 cents
$1.5 million | 1.5M dollars | 1500 thousand dollars -> 1500000 dollars
2GB | 2 GB | 2gb | 2 gigabytes | 2 Gigabyte -> 2 GB
40% | 40 % | 40 percent | 40٪ | 40\\% | $40\\%$ -> 40 %
24 hours | 24-hour | 24‑hour | 24h | 24\u00a0hrs -> 24 hours
14 days | **14** days | **14 days** | 14 Days | $14$ days | 14 working days -> 14 days
1 second | 1s -> 1 seconds
600 API requests | 600 requests/min | 600 requests per day -> 600 requests
5 km | 5-km -> 5 km
5 Mb -> 5 Mb
25 CHF | CHF 25 -> 25 chf
25 Canadian dollars -> 25 canadian
5 m² -> 5 m²
5 °C -> 5 °C
每月25美元 -> 25 美元
the 14 dayshift staff -> 14 dayshift
14. Days go by | 14 of the days | 14 per day | \\(14\\) days | 14/day | USD-14 -> 14
"""


@pytest.mark.parametrize(("texts", "expected"), rows(UNITED))
def test_a_number_has_one_unit(texts, expected):
    for text in texts.split(" | "):
        assert [f"{value} {unit}".strip() for value, unit, _ in extract_numbers(text)] == [expected]


def test_each_number_has_its_own_unit():
    text = "30 USD 14 days, $30-$40, 30€-40€, 6 $7, 10-12 hours"
    units = ["dollars", "days", "dollars", "dollars", "euros", "euros", "", "dollars", "", "hours"]
    assert [number.unit for number in extract_numbers(text)] == units


def test_the_spelling_is_kept():
    text = "from −$1,200.50 to 5 million dollars, <b>US$3</b> or −1"
    assert [number.text for number in extract_numbers(text)] == ["−$1,200.50", "5 million", "US$3", "−1"]
    assert extract_numbers("7 days") == [Number(Decimal(7), "days", "7")]


def test_the_tables_agree():
    assert all(UNITS[unit] == unit for unit in UNITS.values())
    assert all(spelling == spelling.lower() for spelling in UNITS if len(spelling) > 2)
    assert not UNITS.keys() & SCALES.keys()


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("2.5", 25, False),
        ("4,5,6", 456, False),
        ("20-25", -25, False),
        ("40%", 0.4, False),
        ("0.1", 0.1, True),
        ("0.1000000000000000055511151231257827", 0.1, False),
        ("0.3", Decimal("0.3"), True),
        ("1" + "0" * 40 + "1", 10**41, False),
        ("1" + "0" * 40, 10**40, True),
        ("-0", 0, True),
        ("", 0, False),
        ("none", "0", False),
        # units
        ("The Pro plan costs $25 per month.", "25 dollars per month", True),
        ("It is 25 each month.", "25 dollars per month", True),
        ("25 euros per month", "25 dollars per month", False),
        ("25 cents", "25 dollars", False),
        ("5 Mb", "5 MB", False),
        ("5 km", "5 m", False),
        ("5 km", "5 GB", False),
        ("5 km", 5, True),
        ("$90$ days", "90 dollars", False),
        ("The grace period is 24 hours. After 24 hours, all is purged.", "24 hours", True),
        ("90 weeks", "90 days", False),
        ("600 tokens per minute", "600 requests per minute", False),
        ("600 API requests per minute", "600 requests per minute", True),
        # known limits, stated in the docstring
        ("not 25 dollars per month", "25 dollars per month", True),
        ("25 dollars per year", "25 dollars per month", True),
        ("1 day", "24 hours", False),
    ],
)
def test_match(prediction, reference, expected):
    assert numeric_match(prediction, reference) is expected


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        ("first", [True, False, False]),
        ("last", [False, False, True]),
        ("any", [True] * 3),
        ("only", [False] * 3),
    ],
)
def test_which_number_counts(which, expected):
    text = "first 10, then 20, then 30"
    assert [numeric_match(text, gold, which) for gold in (10, 20, 30)] == expected


def test_only_allows_a_repeated_value_but_no_hedge():
    assert numeric_match("24 hours; yes, 24.0", "24 hours", which="only")
    assert not numeric_match("24 or 48 hours", "24 hours", which="only")
    assert not numeric_match("none", 24, which="only")
    assert not numeric_match("25 dollars for 30 days", 25)
    assert numeric_match("25 dollars for 30 days", 25, which="any")
    assert not numeric_match("30 dollars for 25 days", "25 dollars", which="any")


@pytest.mark.parametrize(
    ("prediction", "reference", "tolerances", "expected"),
    [
        ("9.5", 10, {"abs_tol": 0.5}, True),
        ("10.51", 10, {"abs_tol": 0.5}, False),
        ("0.3", 0.1, {"abs_tol": 0.2}, True),
        ("0.4", 0.1, {"abs_tol": 0.3}, True),  # in binary floats 0.4 - 0.1 is above 0.3
        ("110", 100, {"rel_tol": 0.1}, True),
        ("110.0001", 100, {"rel_tol": 0.1}, False),
        ("-110", -100, {"rel_tol": Decimal("0.1")}, True),
        ("-100", 100, {"rel_tol": 1}, False),
        ("0.01", 0, {"rel_tol": 1}, False),
        ("105", 100, {"abs_tol": 5, "rel_tol": 0.01}, True),
        ("105", 100, {"abs_tol": 1, "rel_tol": 0.05}, True),
        ("91 weeks", "90 days", {"abs_tol": 5}, False),
        ("5", Decimal("1e999999999"), {"rel_tol": 0.5}, False),
        ("9" * 5000, "9" * 4999 + "8", {}, False),
        ("9" * 5000, "9" * 4999 + "8", {"abs_tol": 1}, True),
    ],
)
def test_tolerances(prediction, reference, tolerances, expected):
    assert numeric_match(prediction, reference, **tolerances) is expected


@pytest.mark.parametrize("value", [None, 7, b"7", ["7"]])
def test_texts_must_be_strings(value):
    with pytest.raises(TypeError, match=r"^text must be a string, not \w+ "):
        extract_numbers(value)
    with pytest.raises(TypeError, match=r"^prediction must be a string, not \w+ "):
        numeric_match(value, 7)


@pytest.mark.parametrize("value", [None, True, False, b"7", ["7"], 7j])
def test_references_must_be_strings_or_numbers(value):
    with pytest.raises(TypeError, match=r"^reference must be a string or a number "):
        numeric_match("7", value)


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), -float("inf"), Decimal("NaN"), Decimal("sNaN")]
)
def test_numbers_must_be_finite(value):
    with pytest.raises(ValueError, match=r"^reference must be a finite number"):
        numeric_match("7", value)
    with pytest.raises(ValueError, match=r"^abs_tol must be a finite number"):
        numeric_match("7", 7, abs_tol=value)


@pytest.mark.parametrize("name", ["abs_tol", "rel_tol"])
def test_tolerances_must_be_numbers_of_0_or_more(name):
    with pytest.raises(ValueError, match=rf"^{name} must be 0 or more, not -0\.1\.$"):
        numeric_match("7", 7, **{name: -0.1})
    for value in ("0.1", None, True):
        with pytest.raises(TypeError, match=rf"^{name} must be a number "):
            numeric_match("7", 7, **{name: value})


@pytest.mark.parametrize("text", ["", "the Scale plan", "utf8", "3,50", "½"])
def test_a_reference_text_needs_a_number(text):
    with pytest.raises(ValueError, match=r"^reference holds no number: "):
        numeric_match("no number either", text)


@pytest.mark.parametrize("which", ["middle", "", None, 0, []])
def test_an_unknown_which_names_the_known_ones(which):
    with pytest.raises(ValueError, match=r"^which must be one of first, last, any, only; got "):
        numeric_match("7", 7, which)


def test_subclasses_count_by_their_value():
    class Loud(float):
        def __repr__(self):
            return f"Loud({float(self)})"

    class Code(IntEnum):
        TOO_MANY = 429

    assert numeric_match("0.1", Loud(0.1))
    assert numeric_match("429", Code.TOO_MANY)


TOUCHING = ", 1, 1. 1_ 1e 1x 1T 1½ 1{,} 1\\, ,234 1,234 .1 -1, a1.1 9 _ - $ a 1a x1 . {,} * 1e-9 +/- ± <a ^ ×"
NASTY = [
    *TOUCHING.split(),
    *("1 ", " ", "USD ", "5 million", "1 ____", "3\u00a0", " 000", " 1/", "hundred ", "minus ", "$1$"),
]


@pytest.mark.parametrize("unit", NASTY)
def test_time_is_linear_in_the_length(unit):
    started = time.process_time()
    for tail in (".1.2", "%"):
        extract_numbers("1" + unit * 30_000 + tail)
    assert time.process_time() - started < 10  # a quadratic scan of 30,000 tokens takes minutes


def test_long_numbers_are_read_whole():
    assert values("9" * 100_000) == [Decimal("9" * 100_000)]
    assert values("1" + ",000" * 30_000) == [Decimal("1" + "000" * 30_000)]


any_text = st.text() | st.text(alphabet="0123456789.,-+−–eE$€%_x {}'½²٣ak\\\u00a0*MTUSD", max_size=40)


@given(any_text)
@example("1e999")
@example("\ud800 5")
def test_no_text_raises_and_every_value_is_finite(text):
    for value, unit, spelling in extract_numbers(text):
        assert value.is_finite()
        assert unit == "" or unit in UNITS.values() or unit in text.lower() or unit in text
        assert spelling in text
        assert any(character.isdecimal() for character in spelling)
    for which in WHICH:
        assert numeric_match(text, 1, which) in (True, False)


finite = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**60), max_value=10**60, places=7)


prose = ["It is {}.", "({})", "**{}** in all", "from {}, or so", "{} GB", "是{}元", '"{}"', "{}"]


@given(finite, st.sampled_from(prose))
def test_a_formatted_number_is_found_again(value, prose):
    grouped = f"{value:,f}"
    for spelling in (grouped, f"{value:f}", grouped.replace("-", "−"), grouped.replace(",", "{,}")):
        assert values(prose.format(spelling)) == [value]
        assert numeric_match(prose.format(spelling), value, which="only")
    assert numeric_match(prose.format(f"{value:f}"), prose.format(f"{value:,f}"))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_matches_its_own_repr(value):
    assert numeric_match(f"about {value!r} or so", value)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_integers_match_only_when_equal(left, right):
    assert numeric_match(f"the value {left:,}", right) is (left == right)


small = st.lists(st.integers(-20, 20), min_size=1)


@given(small, small, st.integers(0, 3))
def test_every_policy_is_symmetric(left, right, tolerance):
    texts = [" and ".join(map(str, numbers)) for numbers in (left, right)]
    for which in WHICH:
        there = numeric_match(texts[0], texts[1], which, abs_tol=tolerance)
        assert there is numeric_match(texts[1], texts[0], which, abs_tol=tolerance)
    assert numeric_match(texts[0], texts[1], "first") is (left[0] == right[0])
    assert numeric_match(texts[0], texts[1], "last") is (left[-1] == right[-1])
    assert numeric_match(texts[0], texts[1], "any") is bool(set(left) & set(right))
    assert numeric_match(texts[0], texts[1], "only") is (len(set(left) | set(right)) == 1)
