import time
from decimal import Decimal
from enum import IntEnum

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lessonlib.numeric import UNITS, WHICH, Number, extract_numbers, numeric_match


def values(text):
    return [number.value for number in extract_numbers(text)]


def pairs(text):
    return [(str(number.value), number.unit) for number in extract_numbers(text)]


def decimals(*spellings):
    return [Decimal(spelling) for spelling in spellings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # plain numbers and the punctuation of sentences
        ("", []),
        ("no figures here", []),
        ("It returns 429.", ["429"]),
        ("Around 17, maybe more", ["17"]),
        ("roughly (3.25).", ["3.25"]),
        ("[8]", ["8"]),
        ('{"value": -12}', ["-12"]),
        ('"-12"', ["-12"]),
        ("x=5", ["5"]),
        ("#5 §6 ~7", ["5", "6", "7"]),
        (".5", ["0.5"]),
        ("-.5", ["-0.5"]),
        ("5.", ["5"]),
        ("00017", ["17"]),
        ("It ends here.25 more", ["25"]),
        ("wait...5", ["5"]),
        ("7..9", ["7", "9"]),
        # separators
        ("12,000 rows", ["12000"]),
        ("3,400,500.25", ["3400500.25"]),
        ("1,250.", ["1250"]),
        ("1,250, 3", ["1250", "3"]),
        ("7{,}200", ["7200"]),
        (r"\boxed{1{,}234{,}567}", ["1234567"]),
        (r"7\,200", ["7200"]),
        ("7'200 and 7’200", ["7200", "7200"]),
        ("7\u00a0200, 7\u202f200, 7\u2009200", ["7200", "7200", "7200"]),
        ("7 200", ["7", "200"]),
        ("1.250", ["1.250"]),
        # lists of three or more, and what a comma leaves open
        ("4,5,6", ["4", "5", "6"]),
        ("1.5,2,3.25", ["1.5", "2", "3.25"]),
        ("-4,5,-6", ["-4", "5", "-6"]),
        ("-4,-5", ["-4", "-5"]),
        ("4, 5", ["4", "5"]),
        ("12,34,567", ["12", "34", "567"]),
        ("3,50", []),
        ("3,5", []),
        ("0,125", []),
        ("1,2500", []),
        ("12345,678", []),
        ("1.250,50", []),
        ("1.250.000", []),
        ("1,000,2,000", []),
        # signs
        ("-8", ["-8"]),
        ("+8", ["8"]),
        ("−8", ["-8"]),
        ("‑8 and －8", ["-8", "-8"]),
        ("- 8", ["8"]),
        ("--8", ["8"]),
        ("–8", ["8"]),
        ("+/-8", ["8"]),
        ("**-8**", ["-8"]),
        ("9 - 4", ["9", "4"]),
        ("9 -4", ["9", "-4"]),
        # a dash between digits, times, dates, grids
        ("3-4", ["3", "4"]),
        ("3–4", ["3", "4"]),
        ("3−4", ["3", "4"]),
        ("3%-4%", ["3", "4"]),
        ("5GB-10GB", ["5", "10"]),
        ("(3)-4", ["3", "4"]),
        ("at 18:05", ["18", "5"]),
        ("at 07:00", ["7", "0"]),
        ("1999-12-31", ["1999", "12", "31"]),
        ("1999-12-31T23:59:58Z", ["1999", "12", "31", "23", "59", "58"]),
        ("3x4 tiles", ["3", "4"]),
        ("3x4x5", ["3", "4", "5"]),
        ("3×4", ["3", "4"]),
        ("1920X1080", ["1920", "1080"]),
        ("1/2", ["1", "2"]),
        # exponents and scales
        ("2e3", ["2000"]),
        ("2.5e+2", ["250"]),
        ("7.5E-3", ["0.0075"]),
        ("7.5e−3", ["0.0075"]),
        ("6e1GB", ["60"]),
        ("3 × 10^8", ["3", "10", "8"]),
        ("1e1000", []),
        ("1e999999999", []),
        ("1e-999999999", []),
        ("2e3.4", []),
        ("2 thousand", ["2000"]),
        ("2.5 million dollars", ["2500000"]),
        ("3k, 3K, 3M, 3bn", ["3000", "3000", "3000000", "3000000000"]),
        ("3m", ["3"]),
        # names, versions, source code
        ("utf16 B2 GPT5 file_3 x__4 a1.2.3", []),
        ("step-3", ["3"]),
        ("GPT-4", ["4"]),
        ("v2.0.1 and 2.0.1", []),
        ("10.0.0.255", []),
        ("2_000", []),
        ("2_000,500", []),
        ("_25_ and __26__ and **27** and `28`", ["25", "26", "27", "28"]),
        ("0xFF 0x10", []),
        ("9b1deb4d", []),
        ("1h30", []),
        ("the 3rd", ["3"]),
        # not numbers, or not decimal digits
        ("nan NaN inf -Infinity", []),
        ("4²", ["4"]),
        ("x³", []),
        ("¾", []),
        ("4¾ and 4 ¾", []),
        ("⅐ ⅒ Ⅷ ⑧", []),
        # other scripts
        ("٤٢", ["42"]),
        ("४२", ["42"]),
        ("４２", ["42"]),
        ("١٬٢٥٠٫٥", ["1250.5"]),
        ("每月25美元", ["25"]),
        ("温度-5度", ["-5"]),
        ("строка7", []),
        ("cafe\u03017", []),
    ],
)
def test_values_found_in_a_text(text, expected):
    assert values(text) == decimals(*expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30 dollars", [("30", "dollars")]),
        ("$30", [("30", "dollars")]),
        ("$ 30", [("30", "dollars")]),
        ("-$30", [("-30", "dollars")]),
        ("$-30", [("-30", "dollars")]),
        ("−$4,321.05", [("-4321.05", "dollars")]),
        ("$−4,321.05", [("-4321.05", "dollars")]),
        ("30 USD", [("30", "dollars")]),
        ("USD 30", [("30", "dollars")]),
        ("USD30", [("30", "dollars")]),
        ("USD -30", [("-30", "dollars")]),
        ("USD-30", [("30", "")]),
        (r"\$30", [("30", "dollars")]),
        ("US$30", [("30", "dollars")]),
        ("30 USD 14 days", [("30", "dollars"), ("14", "days")]),
        ("$30-$40", [("30", "dollars"), ("40", "dollars")]),
        ("30€-40€", [("30", "euros"), ("40", "euros")]),
        ("30 €, £3, ¥4, 25 cents", [("30", "euros"), ("3", "pounds"), ("4", "yen"), ("25", "cents")]),
        ("6 $7", [("6", ""), ("7", "dollars")]),
        ("$1.5 million", [("1500000", "dollars")]),
        ("1.5M tokens", [("1500000", "tokens")]),
        ("40%", [("40", "%")]),
        ("40 % 40 percent 40٪", [("40", "%")] * 3),
        (r"40\%", [("40", "%")]),
        ("2GB 2 GB 2 gigabytes", [("2", "GB")] * 3),
        ("24 hours, 24-hour, 24‑hour, 24h, 24\u00a0hrs", [("24", "hours")] * 5),
        ("**14** days", [("14", "days")]),
        ("**14 days**", [("14", "days")]),
        ("14 Days", [("14", "days")]),
        ("10-12 hours", [("10", ""), ("12", "hours")]),
        ("14 working days", [("14", "")]),
        ("14. Days go by", [("14", "")]),
        ("the 14 dayshift staff", [("14", "")]),
        ("1 second", [("1", "seconds")]),
    ],
)
def test_units(text, expected):
    assert pairs(text) == expected


def test_the_spelling_is_kept():
    text = "from −$1,200.50 to 5 million dollars, or −1,2,3"
    assert [number.text for number in extract_numbers(text)] == ["−$1,200.50", "5 million", "−1", "2", "3"]
    assert extract_numbers("7 days") == [Number(Decimal(7), "days", "7")]


def test_large_values_print_plainly():
    assert [str(value) for value in values("25k 1e3 2 billion")] == ["25000", "1000", "2000000000"]


def test_unit_table_is_consistent():
    assert all(spelling == spelling.lower() for spelling in UNITS)
    assert all(UNITS[unit.lower()] == unit for unit in UNITS.values())


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("2.5", 25, False),
        ("3.0", 3, True),
        ("(1.75).", 1.75, True),
        ("It seats 52, more or less.", 52, True),
        ("6,000 readers", 6000, True),
        ("€2,750,000.25", 2750000.25, True),
        (r"\boxed{4{,}300}", 4300, True),
        ("doors open at 8:15", 15, True),
        ("a 3x7 board", 7, True),
        ("4,5,6", 456, False),
        ("20-25", -25, False),
        ("20-25", 25, True),
        ("1999-12-31", -31, False),
        ("07:00", 7, False),
        ("4²", 42, False),
        ("¼", 0.25, False),
        ("nan", 0, False),
        ("2_000", 2000, False),
        ("٧", 7, True),
        ("3,50", "3.50", False),
        ("3,50", 50, False),
        ("40%", 0.4, False),
        ("40%", 40, True),
        ("0.1", 0.1, True),
        ("0.1000000000000000055511151231257827", 0.1, False),
        ("0.3", Decimal("0.3"), True),
        ("1" + "0" * 40 + "1", 10**41, False),
        ("1" + "0" * 40, 10**40, True),
        ("-0", 0, True),
        ("", 0, False),
        ("none", "0", False),
    ],
)
def test_match_by_value(prediction, reference, expected):
    assert numeric_match(prediction, reference) is expected


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("The Pro plan costs $25 per month.", "25 dollars per month", True),
        ("25 USD, billed monthly", "25 dollars per month", True),
        ("It is 25 each month.", "25 dollars per month", True),
        ("26 dollars per month", "25 dollars per month", False),
        ("25 euros per month", "25 dollars per month", False),
        ("25 cents", "25 dollars", False),
        ("24-hour grace period", "24 hours", True),
        ("The grace period is 24 hours. After 24 hours, all is purged.", "24 hours", True),
        ("90 calendar days", "90 days", True),
        ("90 weeks", "90 days", False),
        ("50 MB", "50 GB", False),
        ("50GB", "50 gigabytes", True),
        ("600 tokens per minute", "600 requests per minute", False),
        ("600 API requests per minute", "600 requests per minute", True),
        # known limits, stated in the docstring
        ("not 25 dollars per month", "25 dollars per month", True),
        ("25 dollars per year", "25 dollars per month", True),
        ("1 day", "24 hours", False),
    ],
)
def test_match_with_units(prediction, reference, expected):
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
        ("10.5", 10, {"abs_tol": 0.5}, True),
        ("10.51", 10, {"abs_tol": 0.5}, False),
        ("0.3", 0.1, {"abs_tol": 0.2}, True),
        ("0.4", 0.1, {"abs_tol": 0.3}, True),  # in binary floats 0.4 - 0.1 is above 0.3
        ("110", 100, {"rel_tol": 0.1}, True),
        ("110.0001", 100, {"rel_tol": 0.1}, False),
        ("90", 100, {"rel_tol": 0.1}, True),
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


@pytest.mark.parametrize("value", [None, 7, 7.5, b"7", ["7"], True])
def test_texts_must_be_strings(value):
    with pytest.raises(TypeError, match=r"^text must be a string, not \w+\.$"):
        extract_numbers(value)
    with pytest.raises(TypeError, match=r"^prediction must be a string, not \w+\.$"):
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
    for name in ("abs_tol", "rel_tol"):
        with pytest.raises(ValueError, match=rf"^{name} must be a finite number"):
            numeric_match("7", 7, **{name: value})


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


NASTY = [
    ",",
    "1,",
    "1.",
    "1_",
    "1e",
    "1 ",
    "1x",
    "1T",
    "1½",
    "1{,}",
    r"1\,",
    ",234",
    "1,234",
    ".1",
    "-1,",
    "a1.1",
]
NASTY += [
    "9",
    "_",
    "-",
    "$",
    "a",
    "1a",
    "x1",
    ".",
    " ",
    "{,}",
    "*",
    "USD ",
    "1e-9",
    "5 million",
    "1 ____",
    "3\u00a0",
]


@pytest.mark.parametrize("unit", NASTY)
def test_time_is_linear_in_the_length(unit):
    started = time.process_time()
    for tail in ("", ".1.2", "%"):
        extract_numbers("1" + unit * 50_000 + tail)
    assert time.process_time() - started < 20  # a quadratic scan of 50,000 tokens takes minutes


def test_long_numbers_and_lists_are_read_whole():
    assert values("9" * 100_000) == [Decimal("9" * 100_000)]
    assert values("1" + ",1" * 49_999) == [1] * 50_000
    assert values("1" + ",000" * 30_000) == [Decimal("1" + "000" * 30_000)]


any_text = st.text() | st.text(alphabet="0123456789.,-+−–eE$€%_x {}'½²٣ak\\\u00a0*MTUSD", max_size=40)


@given(any_text)
@example("1e999")
@example("\ud800 5")
def test_no_text_raises_and_every_value_is_finite(text):
    for value, unit, spelling in extract_numbers(text):
        assert value.is_finite()
        assert unit == "" or unit in UNITS.values()
        assert spelling in text
        assert any(character.isdecimal() for character in spelling)
    for which in WHICH:
        assert numeric_match(text, 1, which) in (True, False)


finite = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**60), max_value=10**60, places=7)


@given(
    finite,
    st.sampled_from(
        ["It is {}.", "({})", "**{}** in all", "from {}, or so", "{} GB", "是{}元", '"{}"', "{}"]
    ),
)
def test_a_formatted_number_is_found_again(value, prose):
    for spelling in (
        f"{value:,f}",
        f"{value:f}",
        f"{value:,f}".replace("-", "−"),
        f"{value:,f}".replace(",", "{,}"),
    ):
        assert values(prose.format(spelling)) == [value]
        assert numeric_match(prose.format(spelling), value, which="only")
    assert numeric_match(prose.format(f"{value:f}"), prose.format(f"{value:,f}"))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_matches_its_own_repr(value):
    assert numeric_match(f"about {value!r} or so", value)


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_integers_match_only_when_equal(left, right):
    assert numeric_match(f"the value {left:,}", right) is (left == right)


@given(
    st.lists(st.integers(-20, 20), min_size=1), st.lists(st.integers(-20, 20), min_size=1), st.integers(0, 3)
)
def test_every_policy_is_symmetric(left, right, tolerance):
    texts = [" and ".join(map(str, numbers)) for numbers in (left, right)]
    for which in WHICH:
        there = numeric_match(texts[0], texts[1], which, abs_tol=tolerance)
        assert there is numeric_match(texts[1], texts[0], which, abs_tol=tolerance)
    assert numeric_match(texts[0], texts[1], "first") is (left[0] == right[0])
    assert numeric_match(texts[0], texts[1], "last") is (left[-1] == right[-1])
    assert numeric_match(texts[0], texts[1], "any") is bool(set(left) & set(right))
    assert numeric_match(texts[0], texts[1], "only") is (len(set(left) | set(right)) == 1)


@given(st.lists(st.integers(0, 99), min_size=3, max_size=20))
def test_a_list_of_small_numbers_stays_a_list(items):
    assert values(",".join(map(str, items))) == [Decimal(item) for item in items]
