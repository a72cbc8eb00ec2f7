"""Normalizers and tokenizers by name: the contract that every metric states.

A normalizer maps a text to a text, a tokenizer maps a text to a list of tokens. Two scores can be compared
only when both were made with the same one, so each has a name, and metrics take the name.
"""

import re
import string
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, filterfalse
from typing import Any, TypeVar

T = TypeVar("T")

ARTICLES = frozenset({"a", "an", "the"})
ARTICLE_WORD = re.compile(r"\b(a|an|the)\b")


def require_text(argument: str, value: Any) -> None:
    """Raise a TypeError that names `argument` unless `value` is a string; None is never the word "none"."""
    if not isinstance(value, str):
        raise TypeError(f"{argument} must be a string, not {type(value).__name__} ({value!r:.60})")


def require_whole(argument: str, value: Any) -> None:
    """Raise a ValueError that names `argument` unless `value` is a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{argument} must be a whole number of at least 1, not {value!r}")


def text_list(argument: str, value: Any) -> list[str]:
    """Return one text, or a list or tuple of texts, as a list: one string is one text, never its letters.

    Anything else is a TypeError, an empty list a ValueError; both name the argument.
    """
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list | tuple):
        raise TypeError(f"{argument} must be a string or a list of strings, not {type(value).__name__}")
    if not value:
        raise ValueError(f"{argument} is empty: at least one text is needed")
    for i, text in enumerate(value):
        require_text(f"{argument}[{i}]", text)
    return list(value)


def answers(
    metric: str, predictions: Sequence[str], references: Sequence[str | Sequence[str]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield each prediction of a corpus with the list of its references, for the metric of that name.

    A text in place of a list is a TypeError; unequal lengths, no predictions and no references ValueErrors.
    """
    if isinstance(predictions, str) or isinstance(references, str):
        call = f"{metric.lower()}()"
        raise TypeError(f"predictions and references must be lists, one entry an answer: for one use {call}")
    if len(predictions) != len(references):
        raise ValueError(f"{len(predictions)} predictions, but references for {len(references)}")
    if not predictions:
        raise ValueError(f"predictions is empty: {metric} needs at least one")
    for prediction, texts in zip(predictions, references, strict=True):
        require_text("prediction", prediction)
        yield prediction, text_list("references", texts)


# --- normalizers -----------------------------------------------------------------------------------------


def squad(text: str) -> str:
    """Normalize by SQuAD's official rule: lower case, punctuation, articles, white space, in this order.

    ASCII punctuation leaves no space ("24-hour" becomes "24hour"), the words a, an and the do. The result may
    be empty. Source: Rajpurkar et al. 2016, section 6.1, and the evaluation script published with SQuAD 2.0.
    """
    return " ".join(_squad_words(text))


def lower_case(text: str) -> str:
    """Make all letters small: SQuAD's first step."""
    return text.lower()


def delete_punctuation(text: str) -> str:
    """Delete the 32 punctuation marks of ASCII, leaving no space: SQuAD's second step."""
    return "".join(mark for mark in text if mark not in string.punctuation)


def drop_articles(text: str) -> str:
    """Put a space in place of each word a, an and the: SQuAD's third step."""
    return ARTICLE_WORD.sub(" ", text)


def squeeze_spaces(text: str) -> str:
    """Make each run of white space one space, none at the ends: SQuAD's last step."""
    return " ".join(text.split())


SQUAD_STEPS = (lower_case, delete_punctuation, drop_articles, squeeze_spaces)  # `squad` is all four, quicker
LOWER_BYTES = bytes(range(256)).lower()
PUNCTUATION_BYTES = string.punctuation.encode("ascii")
PLAIN_BYTES = (string.ascii_letters + string.digits + string.whitespace).encode("ascii")


@lru_cache(maxsize=32)  # exact match and F1 of one pair need the same words
def _squad_words(text: str) -> list[str]:
    if text.isascii():  # then a character is a byte, and one pass over the bytes does two steps
        kept = text.encode().translate(LOWER_BYTES, PUNCTUATION_BYTES)
    else:  # in UTF-8 no other character has an ASCII byte: deleting bytes is right, and quick, in any script
        kept = text.lower().encode("utf-8", "surrogatepass").translate(None, PUNCTUATION_BYTES)
    words: Iterable[str] = kept.decode("utf-8", "surrogatepass").split()
    others = kept.translate(None, PLAIN_BYTES)
    # Among letters and digits only, an article is a whole word. Beside anything else ("a\u201d") the official
    # pattern decides: its \b sees the end of a word wherever no letter, digit or underscore follows.
    if others and not others.decode("utf-8", "surrogatepass").isalnum():
        parts = ([word] if word.isalnum() else ARTICLE_WORD.sub(" ", word).split() for word in words)
        words = chain.from_iterable(parts)
    return list(filterfalse(ARTICLES.__contains__, words))


# A number with what belongs to it: a sign (a dash after a word or a closing mark is a hyphen), a currency, a
# point, one mark between two digits (a dash is a range), the minus of a power or exponent, a percent sign.
CURRENCY = "[$¢-¥\u20a0-\u20c0]"
NUMBER_OR_MARK = re.compile(
    rf"""(?P<number> (?: (?<![^\W_])(?<![)\]}}%.+-])(?<!\w["'’”»]) -(?={CURRENCY}?\.?\d) )?+
        (?: {CURRENCY}-? )?+ (?: (?<![\w.)\]])\. )?+
        \d++ (?: (?: \^- | _ | [^\w\s‐-―〜〰-] )\d++ )*+ (?: e-\d++ )?+ (?: \s?[%‰] )?+ )
    | [^\w\s] | _""",
    re.VERBOSE,
)
RAISED = "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹"


def unicode(text: str) -> str:
    """Normalize for any script: an improved rule that keeps numbers whole.

    Format characters (category Cf, variation selectors) are dropped; compatibility forms and case are folded
    (NFKC, casefold), but 10⁶ becomes 10^6 and 1½ becomes 1 1⁄2; U+2212 becomes the ASCII minus. Every Unicode
    punctuation character becomes a space, except in a number (-5, .5, -$5, 3.5, 12:30, 1,000, 1e-5, 5%); a
    dash between two digits is a range and goes. Articles become a space and white space is squeezed. Takes
    and returns a string.
    """
    if not text.isascii():
        text = "".join(c for c in text if unicodedata.category(c) != "Cf" and not "\ufe00" <= c <= "\ufe0f")
        text = "".join(map(_apart, " " + text, text, text[1:] + " "))
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    text = NUMBER_OR_MARK.sub(_without_mark, text.replace("\N{MINUS SIGN}", "-"))
    return " ".join(ARTICLE_WORD.sub(" ", text).split())


def _apart(before: str, character: str, after: str) -> str:
    """Return a character with what keeps the digit that NFKC makes of it apart: 10⁶ is not 106."""
    if character.isascii() or character.isdecimal():
        return character
    if character in RAISED:
        mark = "^" if before.isdecimal() else ""
    elif unicodedata.normalize("NFKC", character)[:1].isdecimal():
        mark = " " if before.isnumeric() else ""
    else:
        return character
    return f"{mark}{character} " if after.isdecimal() else mark + character


def _without_mark(found: re.Match[str]) -> str:
    """Return a number without white space, a punctuation character as a space, a symbol as it is."""
    if found["number"]:
        return "".join(found["number"].split())
    return " " if unicodedata.category(found[0]).startswith("P") else found[0]


NORMALIZERS: dict[str, Callable[[str], str]] = {
    "raw": str,
    "strip": str.strip,
    "lower": lambda text: text.strip().lower(),
    "squad": squad,
    "unicode": unicode,
}


# --- tokenizers ------------------------------------------------------------------------------------------

WORD = re.compile(r"\w+")


def _only(characters: str) -> bytes:
    """Return a table for `bytes.translate` that turns every byte but these ASCII characters into a space."""
    return bytes(byte if chr(byte) in characters else ord(" ") for byte in range(256))


ROUGE_BYTES = _only(string.ascii_lowercase + string.digits)
WORD_BYTES = _only(string.ascii_lowercase + string.digits + "_")


def squad_tokens(text: str) -> list[str]:
    """Return the words of the text after the `squad` normalizer."""
    return _squad_words(text).copy()


def word_tokens(text: str) -> list[str]:
    r"""Return every run of word characters (Unicode `\w+`) of the lower-cased text."""
    text = text.lower()
    if text.isascii():  # the same runs without a pattern, three times as fast
        return text.encode().translate(WORD_BYTES).decode().split()
    return WORD.findall(text)


def rouge_tokens(text: str) -> list[str]:
    """Return rouge_score's tokens: lower case, and all but a-z and 0-9 separates. Other scripts give none."""
    # In UTF-8 every byte of a character beyond ASCII is above 127, so it becomes a space like a comma does.
    return text.lower().encode("utf-8", "replace").translate(ROUGE_BYTES).decode().split()


def rouge_stem_tokens(text: str) -> list[str]:
    """Return rouge_score's tokens with its Porter stemmer, which leaves words of up to 3 letters alone."""
    return [porter_stem(word) if len(word) > 3 else word for word in rouge_tokens(text)]


@lru_cache(maxsize=1)
def _porter() -> Any:
    # Where scipy.stats can be had NLTK imports it, which takes a second and which no stemmer needs: for this
    # one import it cannot be had, and NLTK does without.
    absent = {"scipy.stats"} - sys.modules.keys()
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        from nltk.stem.porter import PorterStemmer  # costs 0.3 s all the same: only who stems pays for it
    finally:
        for name in absent:
            del sys.modules[name]
    return PorterStemmer()


@lru_cache(maxsize=65_536)
def porter_stem(word: str) -> str:
    """Return the stem of a lower-case word by NLTK's Porter stemmer, set up as rouge_score sets it up."""
    stem: str = _porter().stem(word)
    return stem


# mteval-v13a's rules as sacrebleu applies them, each with what it is for.
MARKUP = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
RULES_13A = (
    (re.compile(r"([!-&(-+:-@/\[-`{-~])"), r" \1 "),  # symbols stand alone, but for . , - '
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),  # a point or comma, unless it follows a digit
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),  # a point or comma, unless a digit follows
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),  # a dash after a digit
)
STANDS_ALONE = frozenset(string.punctuation) - {"-", "'"}  # at the end of a word


def tokens_13a(text: str) -> list[str]:
    """Return the tokens that BLEU papers report with: mteval-v13a as sacrebleu applies it; case is kept.

    A hyphen at the end of a line joins it to the next, but not at the end of the text, which is stripped
    first. Source: NIST's script mteval-v13a, and sacrebleu (Post 2018), whose scores these tokens give.
    """
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in MARKUP:
        text = text.replace(entity, character)
    tokens: list[str] = []
    for word in text.split():  # every rule looks at neighbors only, so a word can be split on its own
        if word.isalnum():
            tokens.append(word)
        elif word[-1] in STANDS_ALONE and word[:-1].isalnum():  # by far the commonest word with a symbol
            tokens += word[:-1], word[-1]
        else:
            tokens += _split_13a(word)
    return tokens


@lru_cache(maxsize=65_536)
def _split_13a(word: str) -> tuple[str, ...]:
    word = f" {word} "
    for pattern, replacement in RULES_13A:
        word = pattern.sub(replacement, word)
    return tuple(word.split())


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "squad": squad_tokens,
    "word": word_tokens,
    "rouge": rouge_tokens,
    "rouge_stem": rouge_stem_tokens,
    "13a": tokens_13a,
    "whitespace": str.split,
    "char": lambda text: list("".join(text.split())),
}
RULES = {  # what each tokenizer does, as far as scores depend on it
    "squad": "lower case; punctuation and articles deleted",
    "word": "lower case; punctuation separates; articles stay",
    "rouge": "lower case; all but a-z and 0-9 separates; articles stay",
    "rouge_stem": "as rouge, then words of 4 letters and more cut to their stem",
    "13a": "case stays; punctuation marks are tokens of their own",
    "whitespace": "case stays; punctuation sticks to its word",
    "char": "case stays; every character but white space is a token",
}

# The characters, of a lower-cased text, that a tokenizer drops whatever they are: those that it does not see.
DROPPED = {
    "word": re.compile(r"[^\w\x00-\x7f]"),
    "rouge": re.compile(r"[^\x00-\x7f]"),
    "rouge_stem": re.compile(r"[^\x00-\x7f]"),
}


def scored_tokens(text: str, tokenizer: str) -> list[str]:
    """Return the tokens that a metric counts: those of the tokenizer, where it sees every letter of the text.

    A word with a letter, digit, mark or picture that it does not see is one token, whole: so no two words are
    alike only because the tokenizer is blind.
    """
    tokens = known("tokenizer", tokenizer, TOKENIZERS)
    dropped = DROPPED.get(tokenizer)
    if dropped is None:
        return tokens(text)
    if text.isascii() or not any(map(_is_letter, dropped.findall(text.lower()))):
        return tokens(text)
    words = "".join(c if c == "_" or _is_letter(c) else " " for c in text.lower()).split()
    return [token for word in words for token in ([word] if dropped.search(word) else tokens(word))]


def kept(texts: str | Sequence[str], tokenizer: str) -> float:
    """Return the share, in [0, 1], of the letters of one text or several that the tokenizer sees.

    Letters are letters, digits, combining marks and pictures such as emoji. Texts without any are seen whole.
    """
    dropped = known("tokenizer", tokenizer, {**dict.fromkeys(TOKENIZERS), **DROPPED})
    letters = list(filter(_is_letter, "\n".join(text_list("texts", texts)).lower()))
    if dropped is None or not letters:
        return 1.0
    return 1 - sum(map(bool, map(dropped.match, letters))) / len(letters)


def _is_letter(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) in ("Mn", "Mc", "Me", "So")


UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]"
)


def unspaced(text: str) -> bool:
    """Tell whether a text has words without spaces between them (Chinese, Japanese, Thai, Khmer and others).

    There only the tokenizer `char`, and chrF, find what two answers share.
    """
    return UNSPACED.search(text) is not None


def normalize(text: str, normalizer: str = "squad") -> str:
    """Apply a normalizer by its name. An unknown name is a ValueError that lists the known ones."""
    function = known("normalizer", normalizer, NORMALIZERS)
    require_text("text", text)
    return function(text)


def tokenize(text: str, tokenizer: str) -> list[str]:
    """Apply a tokenizer by its name. An unknown name is a ValueError that lists the known ones."""
    function = known("tokenizer", tokenizer, TOKENIZERS)
    require_text("text", text)
    return function(text)


def known(what: str, name: str, table: Mapping[str, T]) -> T:
    """Return `table[name]`, or raise a ValueError that says what was asked for and which names are known."""
    try:
        return table[name]
    except (KeyError, TypeError):
        raise ValueError(f"unknown {what} {name!r}; known: {', '.join(table)}") from None
