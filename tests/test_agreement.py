"""Equal to the reference implementations: the SQuAD rule, rouge_score, sacrebleu and NLTK.

Every comparison runs over many pairs from fixed seeds, half of them made to be nasty, and prints how many
scores it compared and the largest difference (`pytest -s`). Where two references disagree, a test says who
does what and whom lessonlib follows.
"""

import collections
import logging
import math
import random
import re
import string
import warnings

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate import bleu_score as nltk_bleu
from rouge_score import rouge_scorer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from lessonlib import exact_match, token_f1
from lessonlib.bleu import bleu, corpus_bleu
from lessonlib.metrics import rouge_l_parts, rouge_lsum_parts, rouge_n_parts
from lessonlib.text import squad, tokenize, tokens_13a

logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it advises effective order at every sentence

# --- the texts -------------------------------------------------------------------------------------------

WORDS = [
    "the",
    "a",
    "an",
    "cat",
    "cats",
    "sat",
    "mat",
    "running",
    "runs",
    "ran",
    "flies",
    "dying",
    "generously",
    "generational",
    "relational",
    "24",
    "hours",
    "hour",
    "600",
    "requests",
    "per",
    "minute",
    "minutes",
    "plan",
    "plans",
    "pro",
    "backups",
    "retained",
    "deleted",
    "deleting",
    "skies",
    "news",
    "is",
    "was",
    "said",
    "university",
    "organization",
    "429",
    "key",
    "invalid",
    "missing",
]
NASTY = [
    *("", " ", "\n", "\t", "\r\n", "\n\n", "\x00", "\x1b", "\x1c", "\x1f", "\x7f", "\x85", "\u2028", "\xa0", "\u3000"),
    *("don't", "don\u2019t", "\u201ccat\u201d", "\u00abcat\u00bb", "1999\u20132003", "24-hour", "-5", "5-", "- -"),
    *("a\u200b", "\u200bthe", "the\u0301", "a\u0308", "an\u2019", "a_b", "_the_", "the\u2014cat", "\xbfa?", "a\x00an"),
    *("The", "AN", "A.", "the-a", "a,an,the", "\uff21", "\u0430", "an\ud800", "\udfff", "\ud83d", "\U0001f600"),
    *("\u4eca\u5929\u4e0b\u96e8", "\u4e0b\u96e8\u4e86\u3002", "\u0928\u092e\u0938\u094d\u0924\u0947", "\u0441\u043f\u0430\u0441\u0438\u0431\u043e"),
    *("\u0130", "STRASSE", "stra\xdfe", "\ufb01le", "re\u0301sume\u0301", "caf\xe9", "\u212aelvin", "\u03a3\u03a3", "\xb2", "\xbd"),
    *("1,200.50", "3.5", ".5", "5.", "...", "., ,.", ",.", "U.S.", "e.g.,", "$25", "50%", "C++", "#", "`x`", "\\n"),
    *("well-\n", "well-\nknown", "-\n", "<skipped>", "<skip", "&quot;", "&amp;lt;", "&lt;b&gt;", "&", "&amp", "'tis"),
    *("the the the", "no no no no", "cat cat", "x" * 40, "supercalifragilistic", "1\u20442", "\xb7", "\u0660"),
]  # fmt: skip
JOINTS = (" ", " ", " ", " ", "", "\n", "  ", "\t", "\xa0", ". ", ", ", "-")


def random_text(rng: random.Random, longest: int, nasty: bool) -> str:
    """Return up to `longest` pieces with something between them."""
    parts = []
    for _ in range(rng.randrange(longest + 1)):
        parts.append(rng.choice(NASTY if nasty and rng.random() < 0.5 else WORDS))
        parts.append(rng.choice(JOINTS) if nasty else " " if rng.random() < 0.95 else "\n")
    return "".join(parts)


def relative(rng: random.Random, text: str, nasty: bool) -> str:
    """Return another text, or one that shares much with the given one."""
    if rng.random() < 0.3:
        return random_text(rng, 12, nasty)
    pieces = re.split(r"( )", text)
    for _ in range(rng.randrange(4)):
        position = rng.randrange(len(pieces))
        pieces[position : position + rng.randrange(3)] = [random_text(rng, 2, nasty)]
    if rng.random() < 0.2:
        rng.shuffle(pieces)
    return "".join(pieces)


def random_pairs(seed: int, count: int, longest: int = 14) -> list[tuple[str, str]]:
    """Return pairs (prediction, reference), every second one nasty, every tenth one several times longer."""
    rng = random.Random(seed)
    pairs = []
    for i in range(count):
        prediction = random_text(rng, longest * 4 if i % 10 == 0 else longest, nasty=i % 2 == 0)
        pairs.append((prediction, relative(rng, prediction, nasty=i % 2 == 0)))
    return pairs


def random_segments(seed: int, count: int) -> list[tuple[str, list[str]]]:
    """Return (hypothesis, one to four references)."""
    rng = random.Random(seed)
    segments = []
    for i, (hypothesis, reference) in enumerate(random_pairs(seed, count)):
        more = [relative(rng, rng.choice([hypothesis, reference]), nasty=i % 2 == 0) for _ in range(i % 4)]
        segments.append((hypothesis, [reference, *more]))
    return segments


def close(what: str, pairs: list[tuple[float, float]], tolerance: float, at_least: int) -> None:
    """Check that enough pairs of numbers were compared, that many are no trivial score, and all are close."""
    largest = max(abs(ours - theirs) for ours, theirs in pairs)
    print(f"{what}: {len(pairs)} scores compared, largest difference {largest:.1e}")
    assert largest <= tolerance
    assert len(pairs) >= at_least
    assert sum(0 < theirs < 1 for _, theirs in pairs) > len(pairs) // 20  # not only zeros and ones


# --- the SQuAD rule --------------------------------------------------------------------------------------


def restated_squad(text: str) -> str:
    """Normalize as the SQuAD paper and script say, step by step: lower, punctuation, articles, white space."""
    lowered = text.lower()
    without_punctuation = "".join(character for character in lowered if character not in string.punctuation)
    without_articles = re.sub(r"\b(a|an|the)\b", " ", without_punctuation, flags=re.UNICODE)
    return " ".join(without_articles.split())


def restated_f1(prediction: str, reference: str) -> float:
    """Return F1 by the SQuAD 2.0 rule: no tokens on one side, then both must have none."""
    ours, gold = restated_squad(prediction).split(), restated_squad(reference).split()
    if not ours or not gold:
        return float(ours == gold)
    shared = sum((collections.Counter(ours) & collections.Counter(gold)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(ours), shared / len(gold)
    return 2 * precision * recall / (precision + recall)


def test_exact_match_and_f1_are_squads() -> None:
    pairs = random_pairs(seed=11, count=6_000)
    matches = [(exact_match(p, r), int(restated_squad(p) == restated_squad(r))) for p, r in pairs]
    assert all(ours == theirs for ours, theirs in matches)
    assert 300 < sum(ours for ours, _ in matches) < 3_000  # both answers occur
    close("token F1, SQuAD rule", [(token_f1(p, r), restated_f1(p, r)) for p, r in pairs], 1e-12, 5_000)


@pytest.mark.parametrize("article", ["a", "an", "the", "The", "AN"])
def test_squad_rule_with_every_character_beside_an_article(article: str) -> None:
    # \b decides whether "a" beside an odd character is a word: all of Unicode is tried, many to a text.
    characters = [chr(code) for code in range(0x3100)] + [
        "\ud800",
        "\udfff",
        "\uffff",
        "\U0001f600",
        "\U0010ffff",
    ]
    for c in characters:
        text = f"x {article}{c} y {c}{article} z{c}{article}{c}z"
        assert squad(text) == restated_squad(text), ascii(text)


@given(st.text(st.characters(), max_size=30), st.text("aA nNtThHeE.-_\u0301\u200b\x1c\x00", max_size=30))
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_squad_rule_on_any_text(anything: str, articles: str) -> None:
    assert squad(anything) == restated_squad(anything)
    assert squad(articles) == restated_squad(articles)
    assert token_f1(anything, articles + anything) == pytest.approx(
        restated_f1(anything, articles + anything), abs=1e-12
    )


# --- rouge_score -----------------------------------------------------------------------------------------

ROUGE_TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
SCORERS = {
    "rouge": rouge_scorer.RougeScorer(ROUGE_TYPES, use_stemmer=False),
    "rouge_stem": rouge_scorer.RougeScorer(ROUGE_TYPES, use_stemmer=True),
}


def our_rouge(prediction: str, reference: str, tokenizer: str) -> dict[str, tuple[float, float, float]]:
    """Return the four ROUGE scores under rouge_score's names."""
    return {
        "rouge1": rouge_n_parts(prediction, reference, 1, tokenizer),
        "rouge2": rouge_n_parts(prediction, reference, 2, tokenizer),
        "rougeL": rouge_l_parts(prediction, reference, tokenizer),
        "rougeLsum": rouge_lsum_parts(prediction, reference, tokenizer),
    }


def rouge_score_rule(
    prediction: str, reference: str, tokenizer: str
) -> dict[str, tuple[float, float, float]]:
    """Return rouge_score's numbers, but for the one rule that differs: two texts without tokens score 1."""
    if not tokenize(prediction, tokenizer) and not tokenize(reference, tokenizer):
        return dict.fromkeys(ROUGE_TYPES, (1.0, 1.0, 1.0))
    return SCORERS[tokenizer].score(reference, prediction)


@pytest.mark.parametrize("tokenizer", ["rouge", "rouge_stem"])
def test_rouge_is_rouge_scores(tokenizer: str) -> None:
    compared: dict[str, list[tuple[float, float]]] = {name: [] for name in ROUGE_TYPES}
    for prediction, reference in random_pairs(seed=12, count=5_200):
        theirs = rouge_score_rule(prediction, reference, tokenizer)
        for name, ours in our_rouge(prediction, reference, tokenizer).items():
            compared[name].extend(zip(ours, theirs[name], strict=True))
    for name, pairs in compared.items():
        close(f"{name} {tokenizer}, rouge_score", pairs, 1e-12, 3 * 5_000)


@given(
    st.text(st.characters(), max_size=40),
    st.text("ab \n.", max_size=40),
    st.text("ab \n\u0130\u212a", max_size=40),
)
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_rouge_is_rouge_scores_on_any_text(anything: str, few: str, others: str) -> None:
    for prediction, reference in ((few, others), (others, few), (anything, few)):
        theirs = rouge_score_rule(prediction, reference, "rouge_stem")
        for name, ours in our_rouge(prediction, reference, "rouge_stem").items():
            assert ours == pytest.approx(theirs[name], abs=1e-12), name


def test_rouge_empty_rule_is_ours_not_rouge_scores() -> None:
    """rouge_score gives 0 to two texts without tokens; lessonlib has one rule for all overlap metrics: 1."""
    for prediction, reference in (
        ("", ""),
        ("?!", "..."),
        ("\u0441\u043f\u0430\u0441\u0438\u0431\u043e", "\u0434\u0440\u0443\u0433"),
    ):
        for name, parts in our_rouge(prediction, reference, "rouge").items():
            assert parts == (1.0, 1.0, 1.0)
            assert SCORERS["rouge"].score(reference, prediction)[name].fmeasure == 0
    for parts in our_rouge("", "cat", "rouge").values():  # one side empty: no disagreement
        assert parts == (0.0, 0.0, 0.0)


# --- sacrebleu -------------------------------------------------------------------------------------------

SACREBLEU_SMOOTHING = {"none": "none", "floor": "floor", "add-one": "add-k", "exp": "exp"}
SACREBLEU_TOKENIZER = {"13a": "13a", "whitespace": "none", "char": "char"}
SACREBLEU_CASES = [
    (smoothing, tokenizer, effective)
    for smoothing in SACREBLEU_SMOOTHING
    for tokenizer in SACREBLEU_TOKENIZER
    for effective in (False, True)
]


def sacrebleus(smoothing: str, tokenizer: str, effective: bool, max_order: int = 4) -> sacrebleu.BLEU:
    """Return sacrebleu's metric with the options that lessonlib's names stand for."""
    return sacrebleu.BLEU(
        tokenize=SACREBLEU_TOKENIZER[tokenizer],
        smooth_method=SACREBLEU_SMOOTHING[smoothing],
        effective_order=effective,
        max_ngram_order=max_order,
        force=True,
    )


def assert_same_parts(ours, theirs, smoothing: str) -> None:
    """Check all that a score is made of, besides the score."""
    added = [int(smoothing == "add-one" and n > 0 and any(ours.counts)) for n in range(len(ours.counts))]
    assert [count + one for count, one in zip(ours.counts, added, strict=True)] == theirs.counts
    assert [total + one for total, one in zip(ours.totals, added, strict=True)] == theirs.totals
    assert (ours.hypothesis_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
    assert ours.brevity_penalty == pytest.approx(theirs.bp, abs=1e-12)
    if any(ours.counts):  # without a match sacrebleu leaves the precisions at 0
        assert ours.precisions == pytest.approx([p / 100 for p in theirs.precisions], abs=1e-12)


@pytest.mark.parametrize(("smoothing", "tokenizer", "effective"), SACREBLEU_CASES)
def test_sentence_bleu_is_sacrebleus(smoothing: str, tokenizer: str, effective: bool) -> None:
    metric = sacrebleus(smoothing, tokenizer, effective)
    compared = []
    for hypothesis, references in random_segments(seed=13, count=2_100):
        ours = bleu(hypothesis, references, tokenizer, smoothing=smoothing, effective_order=effective)
        theirs = metric.sentence_score(hypothesis, references)
        assert_same_parts(ours, theirs, smoothing)
        compared.append((ours.score, theirs.score / 100))
    close(f"sentence BLEU {smoothing} {tokenizer} effective={effective}, sacrebleu", compared, 1e-9, 2_000)


@pytest.mark.parametrize(("smoothing", "tokenizer", "effective"), SACREBLEU_CASES)
def test_corpus_bleu_is_sacrebleus(smoothing: str, tokenizer: str, effective: bool) -> None:
    rng = random.Random(14)
    segments = random_segments(seed=15, count=2_100)
    compared, start = [], 0
    while start < len(segments):
        size = rng.choice([1, 2, 3, 10, 60])
        part, start = segments[start : start + size], start + size
        references_each = rng.randrange(1, 5)  # sacrebleu wants streams: as many references for each line
        lists = [[references[k % len(references)] for k in range(references_each)] for _, references in part]
        order = rng.choice([1, 2, 3, 4, 4, 4, 6])
        hypotheses = [hypothesis for hypothesis, _ in part]
        theirs = sacrebleus(smoothing, tokenizer, effective, order).corpus_score(
            hypotheses, [[references[k] for references in lists] for k in range(references_each)]
        )
        ours = corpus_bleu(hypotheses, lists, smoothing, tokenizer, order, effective)
        assert_same_parts(ours, theirs, smoothing)
        compared.append((ours.score, theirs.score / 100))
    close(f"corpus BLEU {smoothing} {tokenizer} effective={effective}, sacrebleu", compared, 1e-9, 100)


def test_13a_is_sacrebleus() -> None:
    theirs = Tokenizer13a()
    for text, other in random_pairs(seed=16, count=3_000, longest=20):
        for line in (text, other):
            assert tokens_13a(line) == theirs(line.rstrip()).split(), ascii(line)


@given(st.text(st.characters(), max_size=60), st.text("a1.,-'&;$\n <", max_size=60))
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_13a_is_sacrebleus_on_any_text(anything: str, marks: str) -> None:
    for line in (anything, marks, anything + marks):
        assert tokens_13a(line) == Tokenizer13a()(line.rstrip()).split()


def test_sacrebleu_strips_the_end_before_it_tokenizes() -> None:
    """A hyphen and a newline join two halves of a word, but at the end of a text sacrebleu strips first.

    mteval's rule alone would delete both; lessonlib follows sacrebleu's scores, the ones that are published.
    """
    assert tokens_13a("well-\nknown") == ["wellknown"]
    assert tokens_13a("well-\n") == ["well-"]
    assert Tokenizer13a()("well-\n") == "well"
    assert sacrebleus("exp", "13a", True).sentence_score("well-\n", ["well-"]).score == pytest.approx(100)
    assert bleu("well-\n", "well-", "13a", smoothing="exp", effective_order=True).score == 1.0


def test_sacrebleu_exceeds_its_scale_and_lessonlib_does_not() -> None:
    """exp(log(100)) is a little over 100 in floating point; on a scale from 0 to 1 log(1) is exactly 0."""
    text = "the plan allows 600 requests per minute"
    assert sacrebleus("none", "13a", False).sentence_score(text, [text]).score > 100
    assert bleu(text, text, "13a", smoothing="none").score == 1.0


# --- NLTK ------------------------------------------------------------------------------------------------

METHODS = {"none": "method0", "floor": "method1", "add-one": "method2", "exp": "method3"}


def nltks(
    references: list[list[list[str]]], hypotheses: list[list[str]], smoothing: str, max_order: int
) -> float:
    """Return NLTK's corpus BLEU; its method 0 warns of every order without a match."""
    function = getattr(nltk_bleu.SmoothingFunction(), METHODS[smoothing])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return nltk_bleu.corpus_bleu(references, hypotheses, (1 / max_order,) * max_order, function)


def long_enough(seed: int, count: int, max_order: int) -> list[tuple[str, list[str]]]:
    """Return segments whose hypotheses have an n-gram of every order: for shorter ones see below."""
    rng = random.Random(seed)
    return [
        (
            text
            if len(tokenize(text, "word")) >= max_order
            else f"{text} {' '.join(rng.choices(WORDS, k=max_order))}",
            refs,
        )
        for text, refs in random_segments(seed, count)
    ]


@pytest.mark.parametrize("smoothing", METHODS)
@pytest.mark.parametrize("max_order", [1, 2, 3, 4])
def test_sentence_bleu_is_nltks(smoothing: str, max_order: int) -> None:
    compared = []
    for hypothesis, references in long_enough(seed=17, count=2_050, max_order=max_order):
        tokens = [[tokenize(reference, "word") for reference in references]]
        theirs = nltks(tokens, [tokenize(hypothesis, "word")], smoothing, max_order)
        ours = bleu(hypothesis, references, "word", max_order, smoothing)
        compared.append((ours.score, float(theirs)))
    close(f"sentence BLEU-{max_order} {smoothing}, NLTK", compared, 1e-9, 2_000)


@pytest.mark.parametrize("smoothing", METHODS)
@pytest.mark.parametrize("max_order", [1, 2, 3, 4])
def test_corpus_bleu_is_nltks(smoothing: str, max_order: int) -> None:
    segments = long_enough(seed=18, count=2_050, max_order=max_order)
    rng, compared = random.Random(19), []
    while segments:
        size = rng.choice([1, 2, 5, 30])
        part, segments = segments[:size], segments[size:]
        hypotheses, references = [text for text, _ in part], [texts for _, texts in part]
        theirs = nltks(
            [[tokenize(text, "word") for text in texts] for texts in references],
            [tokenize(text, "word") for text in hypotheses],
            smoothing,
            max_order,
        )
        compared.append(
            (corpus_bleu(hypotheses, references, smoothing, "word", max_order).score, float(theirs))
        )
    close(f"corpus BLEU-{max_order} {smoothing}, NLTK", compared, 1e-9, 100)


def test_nltk_counts_an_ngram_that_is_not_there() -> None:
    """Three tokens have no 4-gram: NLTK counts one all the same, sacrebleu and lessonlib count none.

    So under add-one NLTK's precision is (0 + 1) / (1 + 1), and a perfect answer gets less than 1.0;
    (0 + 1) / (0 + 1) keeps it at 1.0. lessonlib follows sacrebleu: an equal answer is worth 1.0.
    """
    text = "three short words"
    tokens = text.split()
    theirs = nltks([[tokens]], [tokens], "add-one", 4)
    assert theirs == pytest.approx(0.5**0.25)
    assert round(theirs, 4) == 0.8409
    assert sacrebleus("add-one", "whitespace", False).sentence_score(text, [text]).score == pytest.approx(100)
    assert bleu(text, text, "whitespace").score == 1.0
    # The same under floor (0.1 / 1 against nothing) and exp (1/2 / 1 against nothing).
    for smoothing, filler in (("floor", 0.1), ("exp", 0.5)):
        assert nltks([[tokens]], [tokens], smoothing, 4) == pytest.approx(filler**0.25)
        assert sacrebleus(smoothing, "whitespace", False).sentence_score(text, [text]).score == 0
        assert bleu(text, text, "whitespace", smoothing=smoothing).score == 0


def test_nltk_counts_at_least_one_ngram_a_line() -> None:
    """In a corpus every short line adds an n-gram that NLTK made up: its precisions are too low.

    sacrebleu and lessonlib add what is there. First line 6 tokens, second 2 of which 1 is right:
    n-grams 6+2, 5+1, 4+0, 3+0; NLTK has 6+2, 5+1, 4+1, 3+1.
    """
    hypotheses = ["we keep all backups for months", "seven days"]
    references = ["we keep all backups for months", "ninety days"]
    tokens = [[text.split()] for text in references]
    right = (7 / 8 * 5 / 6 * 4 / 4 * 3 / 3) ** 0.25
    assert corpus_bleu(hypotheses, references, tokenizer="whitespace").score == pytest.approx(
        right, abs=1e-12
    )
    assert sacrebleus("none", "whitespace", False).corpus_score(
        hypotheses, [references]
    ).score == pytest.approx(100 * right)
    theirs = nltks(tokens, [text.split() for text in hypotheses], "none", 4)
    assert theirs == pytest.approx((7 / 8 * 5 / 6 * 4 / 5 * 3 / 4) ** 0.25)


def test_nltk_has_no_quite_zero() -> None:
    """Unsmoothed, NLTK takes the smallest float for a zero precision; with one match of order 1 left, ~1e-231."""
    theirs = nltks([[["a", "b", "c", "d"]]], [["d", "c", "b", "a"]], "none", 4)
    assert 0 < theirs < 1e-200
    assert bleu("d c b a", "a b c d", "whitespace", smoothing="none").score == 0.0


@pytest.mark.parametrize("lengths", [(3, 5), (5, 3), (5, 3, 3), (9, 5, 3)])
def test_all_three_break_a_tie_of_lengths_towards_the_shorter(lengths: tuple[int, ...]) -> None:
    """Four tokens, references of 3 and of 5: the shorter one counts, so nobody is penalized, in any order."""
    hypothesis = "w w w w"
    references = [" ".join("w" * length) for length in lengths]
    assert bleu(hypothesis, references, "whitespace").reference_length == 3
    assert sacrebleus("none", "whitespace", False).sentence_score(hypothesis, references).ref_len == 3
    assert nltk_bleu.closest_ref_length([text.split() for text in references], 4) == 3


def test_references_are_joint_in_all_three_and_no_maximum() -> None:
    """An n-gram may come from any reference: the score is above that of the best single reference."""
    hypothesis, references = (
        "the cat sat on the red mat",
        ["the cat sat on a mat today", "a cat was on the red mat"],
    )
    joint = bleu(hypothesis, references, "whitespace", smoothing="none").score
    assert joint == pytest.approx((1 * 5 / 6 * 4 / 5 * 2 / 4 * 1) ** 0.25 if False else 0.7652, abs=5e-5)
    assert sacrebleus("none", "whitespace", False).sentence_score(
        hypothesis, references
    ).score == pytest.approx(100 * joint)
    assert nltks([[text.split() for text in references]], [hypothesis.split()], "none", 4) == pytest.approx(
        joint
    )
    assert max(bleu(hypothesis, text, "whitespace", smoothing="none").score for text in references) < joint


# --- the table of smoothings -----------------------------------------------------------------------------

SAME_TOKENS = [  # add-one-all, NLTK method 2, sacrebleu add-k (ours: add-one), exp, none
    ("apple", "orange", (0.8409, 0, 0, 0, 0)),
    ("the the the the", "the cat sat on the mat", (0.2412, 0.2304, 0.2304, 0.1152, 0)),
    ("the cat sat", "the cat sat", (1.0, 0.8409, 1.0, 0, 0)),
    ("the dog sat on the mat", "the cat sat on the mat", (0.6435, 0.6389, 0.6389, 0.5373, 0.5373)),
]


@pytest.mark.parametrize(("prediction", "reference", "published"), SAME_TOKENS)
def test_the_same_tokens_give_five_numbers(
    prediction: str, reference: str, published: tuple[float, ...]
) -> None:
    add_one_all, method_2, add_k, exp, none = published
    ours = {
        name: bleu(prediction, reference, smoothing=name).score
        for name in ("add-one-all", "add-one", "exp", "none")
    }
    assert ours == pytest.approx(
        {"add-one-all": add_one_all, "add-one": add_k, "exp": exp, "none": none}, abs=5e-5
    )
    tokens = prediction.split(), reference.split()
    assert nltks([[tokens[1]]], [tokens[0]], "add-one", 4) == pytest.approx(method_2, abs=5e-5)
    for name, value in (("add-one", add_k), ("exp", exp), ("none", none)):
        theirs = sacrebleus(name, "whitespace", False).sentence_score(prediction, [reference])
        assert theirs.score / 100 == pytest.approx(value, abs=5e-5)


def test_add_one_all_is_one_more_match_and_one_more_ngram_of_every_order() -> None:
    # "apple" against "orange": (0+1)/(1+1) for unigrams and (0+1)/(0+1) for the orders that do not exist.
    assert bleu("apple", "orange", smoothing="add-one-all").score == pytest.approx(0.5**0.25, abs=1e-12)
    wrong = bleu("the the the the", "the cat sat on the mat", smoothing="add-one-all")
    assert wrong.score == pytest.approx(
        math.exp(1 - 6 / 4) * (3 / 5 * 1 / 4 * 1 / 3 * 1 / 2) ** 0.25, abs=1e-12
    )
    assert bleu("the cat sat", "the cat sat", smoothing="exp", effective_order=True).score == 1.0
