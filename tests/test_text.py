"""Normalizers and tokenizers: what each one does to a text, worked out by hand."""

import string

import pytest
from hostile import any_text
from hypothesis import example, given
from hypothesis import strategies as st

from lessonlib.text import (
    NORMALIZERS,
    RULES,
    TOKENIZERS,
    kept,
    normalize,
    scored_tokens,
    squad,
    text_list,
    tokenize,
    unicode,
    unspaced,
)

# What breaks normalizers: articles, marks that combine, digits with signs around them, odd white space.
TRICKY_TEXT = st.text(
    "aAnthe 123.,:-−–\u2019'()\u200b\u00ad\u0301\u0345\u0308İıßﬁΣς½²\u00a0\u3000_%", max_size=25
)


# --- the table of names ----------------------------------------------------------------------------------


def test_the_names_are_the_contract() -> None:
    assert list(NORMALIZERS) == ["raw", "strip", "lower", "squad", "unicode"]
    assert list(TOKENIZERS) == ["squad", "word", "rouge", "rouge_stem", "13a", "whitespace", "char"]
    assert list(RULES) == list(TOKENIZERS)


PLAN, DOGS = "  The Pro-plan,\tcosts  $25 ", "The dogs were running\n2.5 mph, café!"


@pytest.mark.parametrize(
    ("normalizer", "text", "expected"),
    [
        ("raw", PLAN, "  The Pro-plan,\tcosts  $25 "),
        ("strip", PLAN, "The Pro-plan,\tcosts  $25"),
        ("lower", PLAN, "the pro-plan,\tcosts  $25"),
        ("squad", PLAN, "proplan costs 25"),
        ("unicode", PLAN, "pro plan costs $25"),
        ("squad", "24-hour", "24hour"),  # the hyphen leaves no space
        ("squad", "4.5", "45"),  # and a decimal point is punctuation: this rule forgets it
        ("squad", "-5", "5"),
        ("squad", "12:30", "1230"),
        ("squad", "C++", "c"),
        ("squad", "Vitamin A", "vitamin"),
        ("squad", "A", ""),
        ("squad", "the The THE", ""),
        ("squad", "The Who", "who"),
        ("squad", "Theory of another anthem", "theory of another anthem"),  # articles are whole words only
        ("squad", "a-b", "ab"),  # punctuation goes first, so there is no article left
        ("squad", "it's a_b", "its ab"),
        ("squad", "9\u00a0am", "9 am"),  # a no-break space is white space
        ("squad", " 9 \t am \r\n", "9 am"),
        ("squad", "9\u200b am", "9\u200b am"),  # a zero-width space is not
        ("squad", "\u201cBergen\u201d", "\u201cbergen\u201d"),  # nor is a curly quote ASCII punctuation
        ("squad", "a\u201d", "\u201d"),  # but it ends a word, so this article goes
        ("squad", "a\u0301", "\u0301"),  # and so does the mark that makes it an accented letter
        ("squad", "STRAßE", "straße"),
        ("squad", string.punctuation, ""),
        ("unicode", "1,250.50", "1,250.50"),
        ("unicode", "at 03:00.", "at 03:00"),
        ("unicode", "(-5)", "-5"),
        ("unicode", "[-5, 5-9]", "-5 5 9"),
        ("unicode", "x-5", "x 5"),
        ("unicode", "-.5", "-.5"),
        ("unicode", "5 %, (7%)", "5% 7%"),
        ("unicode", "5-", "5"),
        ("unicode", "1.2.3", "1.2.3"),
        ("unicode", "½", "1\u20442"),  # NFKC writes a fraction with its own slash, a symbol
        ("unicode", "x²", "x2"),
        ("unicode", "A", ""),
        ("unicode", "", ""),
        ("unicode", "...", ""),
        ("unicode", "\ud800 the", "\ud800"),
    ],
)
def test_normalizers(normalizer: str, text: str, expected: str) -> None:
    assert normalize(text, normalizer) == expected


@pytest.mark.parametrize(
    ("tokenizer", "text", "expected"),
    [
        ("squad", DOGS, ["dogs", "were", "running", "25", "mph", "café"]),
        ("word", DOGS, ["the", "dogs", "were", "running", "2", "5", "mph", "café"]),
        ("rouge", DOGS, ["the", "dogs", "were", "running", "2", "5", "mph", "caf"]),
        ("rouge_stem", DOGS, ["the", "dog", "were", "run", "2", "5", "mph", "caf"]),
        ("13a", DOGS, ["The", "dogs", "were", "running", "2.5", "mph", ",", "café", "!"]),
        ("whitespace", DOGS, ["The", "dogs", "were", "running", "2.5", "mph,", "café!"]),
        ("char", DOGS, list("Thedogswererunning2.5mph,café!")),
        ("13a", "U.S. 3.5% of $1,200.", ["U", ".", "S", ".", "3.5", "%", "of", "$", "1,200", "."]),
        ("13a", "don't well-known", ["don't", "well-known"]),  # apostrophe and hyphen stay in a word
        ("13a", "10-12", ["10", "-", "12"]),  # but a hyphen after a digit is a token
        ("13a", "a&amp;b &lt;i&gt; &quot;", ["a", "&", "b", "<", "i", ">", '"']),
        ("13a", "&amp;lt;", ["<"]),  # entities are replaced one kind after the other
        ("13a", "<skipped>end-\ning", ["ending"]),
        ("13a", "one\ntwo", ["one", "two"]),
        ("13a", "„so“", ["„so“"]),  # only ASCII symbols are known
    ],
)
def test_tokenizers(tokenizer: str, text: str, expected: list[str]) -> None:
    assert tokenize(text, tokenizer) == expected


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u3000"])
def test_blank_text_has_no_tokens(blank: str) -> None:
    assert {name: tokenize(blank, name) for name in TOKENIZERS} == {name: [] for name in TOKENIZERS}


@given(any_text)
def test_squad_leaves_no_punctuation_and_single_spaces(text: str) -> None:
    result = squad(text)
    assert not set(result) & set(string.punctuation)
    assert result == " ".join(result.split())
    assert not any(word in ("a", "an", "the") for word in result.split())


# --- unicode: the improved rule --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("36-month", "36 month"),  # a hyphen separates
        ("2010\u20132014", "2010-2014"),  # a range, whichever dash writes it
        ("isn\u2019t", "isn't"),
        ("\u201cBergen\u201d", "Bergen"),
        ("\u00abBergen\u00bb", "Bergen."),
        ("明日は雪です。", "明日は雪です"),  # an ideographic full stop
        ("cafe\u0301s", "caf\u00e9s"),  # composed or not
        ("GROẞE", "grosse"),  # sharp s
        ("5 \u00b5m", "5 \u03bcm"),  # the micro sign is a Greek letter
        ("\ufb02oor", "floor"),  # a ligature
        ("\uff17\uff10 kg", "70 kg"),  # full width
        ("70\u00a0kg", "70 kg"),
        ("70\u200b kg", "70 kg"),  # zero-width space
        ("\u200f\u05ea\u05d5\u05d3\u05d4\u200f", "\u05ea\u05d5\u05d3\u05d4"),  # direction marks
        ("co\u00adoperate", "cooperate"),  # soft hyphen
        ("\u22127 \u00b0C", "-7 \u00b0C"),  # the minus sign proper
        ("The Fjord", "fjord"),
        ("10⁻⁶", "10^-6"),
        ("H₂O", "h2o"),
        ("x-8", "x 8"),
        ("“-8”", "'-8'"),
        ("✔\ufe0f", "✔"),  # a variation selector
    ],
)
def test_unicode_unites_what_means_the_same(one: str, other: str) -> None:
    assert unicode(one) == unicode(other) != ""
    assert squad(one) != squad(other) or one in ("70\u00a0kg", "The Fjord")  # these two squad unites as well


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("8.5", "85"),
        ("-7", "7"),
        ("11:15", "1115"),
        ("1,5", "15"),
        ("İstanbul", "istanbul"),  # the dot stays: case folding is not Turkish
        ("Bergen", "Berge"),
        ("24-hour", "24hour"),
        ('"-8"', "8"),
        ("(−8)", "8"),
        (".5", "5"),
        ("[-.5]", "-5"),
        ("-$5", "$5"),
        ("€-5", "€5"),
        ("5%", "5"),
        ("1e-5", "1e 5"),
        ("10⁶", "106"),
        ("10⁻⁶", "10⁶"),
        ("10₂", "102"),
        ("1½", "11⁄2"),
        ("½5", "1⁄25"),
        ("2①", "21"),
    ],
)
def test_unicode_keeps_apart_what_differs(one: str, other: str) -> None:
    assert unicode(one) != unicode(other)


@given(any_text, TRICKY_TEXT)
@example("\u0345a\u0301", "a.1-a-1")
def test_unicode_twice_is_unicode_once(anything: str, tricky: str) -> None:
    for text in (anything, tricky, tricky + anything):
        assert unicode(unicode(text)) == unicode(text)


def test_unicode_twice_is_unicode_once_for_every_character() -> None:
    assert [c for c in map(chr, range(0x11000)) if unicode(unicode(c)) != unicode(c)] == []


@given(TRICKY_TEXT)
def test_unicode_ignores_format_characters_case_and_outer_space(text: str) -> None:
    assert unicode("\u200b".join(text)) == unicode(text)
    assert unicode(f" {text}\n") == unicode(text)
    upper = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)
    assert unicode(text.translate(upper)) == unicode(text)


# --- tokenizers ------------------------------------------------------------------------------------------


@given(any_text)
def test_rouge_tokens_are_ascii_and_the_stemmer_keeps_their_number(text: str) -> None:
    plain, stemmed = tokenize(text, "rouge"), tokenize(text, "rouge_stem")
    assert all(set(token) <= set(string.ascii_lowercase + string.digits) for token in plain)
    assert len(plain) == len(stemmed)
    assert all(word == stem for word, stem in zip(plain, stemmed, strict=True) if len(word) <= 3)


@given(any_text)
def test_char_tokens_are_the_text_without_white_space(text: str) -> None:
    assert "".join(tokenize(text, "char")) == "".join(text.split())
    assert all(len(token) == 1 for token in tokenize(text, "char"))


@pytest.mark.parametrize(
    ("texts", "tokenizer", "share"),
    [
        ("7月 x", "rouge", 2 / 3),
        (["7月 x", "naïve"], "rouge", 6 / 8),
        ("7月 x, naïve", "word", 1.0),
        ("बिल", "word", 2 / 3),
        ("🟢 go", "word", 2 / 3),
        ("🟢 7月", "squad", 1.0),
        ("?!", "rouge", 1.0),
        ("\u212a", "rouge_stem", 1.0),  # the Kelvin sign is a k in lower case
    ],
)
def test_kept_is_the_share_of_letters_that_a_tokenizer_sees(
    texts: str | list[str], tokenizer: str, share: float
) -> None:
    assert kept(texts, tokenizer) == pytest.approx(share)


def test_a_word_that_is_not_seen_whole_is_one_token() -> None:
    assert scored_tokens("Der naïve_x: 7月, running!", "rouge_stem") == ["der", "naïve_x", "7月", "run"]
    assert scored_tokens("The naïve “x”", "word") == ["the", "naïve", "x"]
    assert scored_tokens("naïve The", "squad") == ["naïve"]


def test_unspaced_scripts() -> None:
    assert all(map(unspaced, ("7月", "ไทย", "ありがとう")))
    assert not any(map(unspaced, ("भारत", "한국어", "café 7")))


def test_porter_stems() -> None:
    words = "running flies dying relational meridian"
    assert tokenize(words, "rouge_stem") == ["run", "fli", "die", "relat", "meridian"]


def test_a_tokenizers_result_is_the_callers_own() -> None:
    for name in TOKENIZERS:  # several cache their work: a caller who changes a list must not reach the cache
        first = tokenize("Running 24-hour plans.", name)
        first.append("x")
        assert tokenize("Running 24-hour plans.", name) == first[:-1]


def test_one_text_is_a_list_of_one_and_a_list_is_copied() -> None:
    assert text_list("targets", "yes") == ["yes"]
    assert text_list("targets", "") == [""]
    assert text_list("targets", ("yes", "no")) == ["yes", "no"]
    given = ["yes"]
    assert text_list("targets", given) is not given
