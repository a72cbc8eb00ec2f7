"""Equal to the reference implementations: the SQuAD rule, rouge_score, sacrebleu and NLTK.

Every comparison runs over many pairs from fixed seeds, half of them made to be nasty, and prints how many
scores it compared and the largest difference (`pytest -s`). Where two references disagree, a test says who
does what and whom lessonlib follows.
"""

import collections
import functools
import logging
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
from sacrebleu.metrics.bleu import BLEUScore
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from lessonlib import exact_match, token_f1
from lessonlib.bleu import BleuScore, bleu, corpus_bleu, geometric_mean, smoothed_precisions
from lessonlib.chrf import chrf, corpus_chrf
from lessonlib.data import load_answers, load_golden, pair
from lessonlib.metrics import rouge_l_parts, rouge_lsum_parts, rouge_n_parts
from lessonlib.text import kept, scored_tokens, squad, tokenize, tokens_13a

logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it advises effective order at every sentence
EXACT = settings(max_examples=120, deadline=None, derandomize=True, database=None)

# --- the texts -------------------------------------------------------------------------------------------

WORDS = re.findall(
    r"\S+",
    """the a an cat cats sat mat running runs ran flies dying generously generational relational 24 hours hour
    600 requests per minute minutes plan plans pro backups retained deleted deleting skies news is was said
    university organization 429 key invalid missing""",
)
NASTY = [
    *("", " ", "\n", "\t", "\r\n", "\n\n", "\x00", "\x1b", "\x1c", "\x1f", "\x7f", "\x85", "\u2028", "\xa0"),
    *("don't", "don\u2019t", "\u201ccat\u201d", "\u00abcat\u00bb", "1999\u20132003", "24-hour", "-5", "5-"),
    *("a\u200b", "\u200bthe", "the\u0301", "a\u0308", "an\u2019", "a_b", "_the_", "the\u2014cat", "\xbfa?"),
    *("The", "AN", "A.", "the-a", "a,an,the", "\uff21", "\u0430", "an\ud800", "\udfff", "\ud83d", "a\x00an"),
    *("今天下雨", "下雨了。", "नमस्ते", "спасибо", "всем", "İ", "STRASSE", "straße", "\ufb01le", "\u3000"),
    *("re\u0301sume\u0301", "caf\xe9", "\u212aelvin", "\u03a3\u03a3", "\xb2", "\xbd", "\U0001f600", "- -"),
    *("1,200.50", "3.5", ".5", "5.", "...", "., ,.", ",.", "U.S.", "e.g.,", "$25", "50%", "C++", "#", "`x`"),
    *("well-\n", "well-\nknown", "-\n", "<skipped>", "<skip", "&quot;", "&amp;lt;", "&lt;b&gt;", "&", "&amp"),
    *("the the the", "no no no no", "cat cat", "x" * 40, "1\u20442", "\xb7", "\u0660", "'tis", "\\n"),
]
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


@functools.cache
def random_pairs(seed: int, count: int, longest: int = 14) -> list[tuple[str, str]]:
    """Return pairs (prediction, reference), every second one nasty, every tenth one three times longer."""
    rng = random.Random(seed)
    pairs = []
    for i in range(count):
        prediction = random_text(rng, longest * 3 if i % 10 == 0 else longest, nasty=i % 2 == 0)
        pairs.append((prediction, relative(rng, prediction, nasty=i % 2 == 0)))
    return pairs


@functools.cache
def random_segments(seed: int, count: int) -> list[tuple[str, list[str]]]:
    """Return (hypothesis, one to four references)."""
    rng = random.Random(seed)
    segments = []
    for hypothesis, reference in random_pairs(seed, count):
        sources, nasty = rng.choices([hypothesis, reference], k=rng.randrange(4)), rng.random() < 0.5
        segments.append((hypothesis, [reference, *(relative(rng, text, nasty) for text in sources)]))
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
    """Normalize as SQuAD's paper and script say: lower case, punctuation, articles, white space."""
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
    # \b decides whether "a" beside an odd character is a word.
    for c in [*map(chr, range(0x3100)), "\ud800", "\udfff", "\uffff", "\U0001f600", "\U0010ffff"]:
        text = f"x {article}{c} y {c}{article} z{c}{article}{c}z"
        assert squad(text) == restated_squad(text), ascii(text)


@given(st.text(st.characters(), max_size=30), st.text("aA nNtThHeE.-_\u0301\u200b\x1c\x00", max_size=30))
@EXACT
def test_squad_rule_on_any_text(anything: str, articles: str) -> None:
    assert squad(anything) == restated_squad(anything)
    assert squad(articles) == restated_squad(articles)
    longer = articles + anything
    assert token_f1(anything, longer) == pytest.approx(restated_f1(anything, longer), abs=1e-12)


# --- rouge_score -----------------------------------------------------------------------------------------

Parts = tuple[float, float, float]
ROUGE_TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
SCORERS = {
    "rouge": rouge_scorer.RougeScorer(ROUGE_TYPES, use_stemmer=False),
    "rouge_stem": rouge_scorer.RougeScorer(ROUGE_TYPES, use_stemmer=True),
}


def our_rouge(prediction: str, reference: str, tokenizer: str) -> dict[str, Parts]:
    """Return the four ROUGE scores under rouge_score's names."""
    return {
        "rouge1": rouge_n_parts(prediction, reference, 1, tokenizer),
        "rouge2": rouge_n_parts(prediction, reference, 2, tokenizer),
        "rougeL": rouge_l_parts(prediction, reference, tokenizer),
        "rougeLsum": rouge_lsum_parts(prediction, reference, tokenizer),
    }


class WholeWords:
    """The tokens that lessonlib's metrics count, for rouge_score: words with letters it drops stay whole."""

    def __init__(self, tokenizer: str) -> None:
        self.tokenizer = tokenizer

    def tokenize(self, text: str) -> list[str]:
        return scored_tokens(text, self.tokenizer)


WHOLE = {name: rouge_scorer.RougeScorer(ROUGE_TYPES, tokenizer=WholeWords(name)) for name in SCORERS}


def their_rouge(prediction: str, reference: str, tokenizer: str) -> dict[str, Parts]:
    """Return rouge_score's numbers; with words kept whole where its own tokenizer would drop letters.

    One rule differs: two texts without words, nor symbols that differ, score 1.
    """
    if not scored_tokens(prediction, tokenizer) and not scored_tokens(reference, tokenizer):
        symbols = [re.findall(r"[$+<=>^`|~¿⁄]", text) for text in (prediction, reference)]
        return dict.fromkeys(ROUGE_TYPES, (1.0, 1.0, 1.0) if symbols[0] == symbols[1] else (0.0, 0.0, 0.0))
    seen = kept([prediction, reference], tokenizer) == 1
    return (SCORERS if seen else WHOLE)[tokenizer].score(reference, prediction)


@pytest.mark.parametrize("tokenizer", ["rouge", "rouge_stem"])
def test_rouge_is_rouge_scores(tokenizer: str) -> None:
    compared: dict[str, list[tuple[float, float]]] = {name: [] for name in ROUGE_TYPES}
    for prediction, reference in random_pairs(seed=12, count=5_200):
        theirs = their_rouge(prediction, reference, tokenizer)
        for name, ours in our_rouge(prediction, reference, tokenizer).items():
            compared[name].extend(zip(ours, theirs[name], strict=True))
    for name, pairs in compared.items():
        close(f"{name} {tokenizer}, rouge_score", pairs, 1e-12, 3 * 5_000)


@given(
    st.text(st.characters(), max_size=40),
    st.text("ab \n.", max_size=40),
    st.text("ab\n İ\u212a", max_size=40),
)
@EXACT
def test_rouge_is_rouge_scores_on_any_text(anything: str, few: str, others: str) -> None:
    for prediction, reference in ((few, others), (others, few), (anything, few)):
        theirs = their_rouge(prediction, reference, "rouge_stem")
        for name, ours in our_rouge(prediction, reference, "rouge_stem").items():
            assert ours == pytest.approx(theirs[name], abs=1e-12), name


@pytest.mark.parametrize(
    ("prediction", "reference", "value"),
    [
        ("", "", 1.0),
        ("?!", "...", 1.0),
        ("<", "< .", 1.0),
        ("<", ">", 0.0),
        ("$", "", 0.0),
    ],
)
def test_rouge_empty_rule_is_ours_not_rouge_scores(prediction: str, reference: str, value: float) -> None:
    """rouge_score gives 0 to two texts without tokens; lessonlib gives 1, but never to different symbols."""
    for name, parts in our_rouge(prediction, reference, "rouge").items():
        assert parts == (value, value, value)
        assert SCORERS["rouge"].score(reference, prediction)[name].fmeasure == 0
        assert our_rouge(prediction, "cat", "rouge")[name] == (0.0, 0.0, 0.0)  # one side: no disagreement


# --- sacrebleu -------------------------------------------------------------------------------------------

SACREBLEU_SMOOTHING = {"none": "none", "floor": "floor", "add-one": "add-k", "exp": "exp"}
SACREBLEU_TOKENIZER = {"13a": "13a", "whitespace": "none", "char": "char"}
TOKENIZERS = list(SACREBLEU_TOKENIZER)


@functools.cache
def sacrebleus(
    smoothing: str, tokenizer: str = "whitespace", effective: bool = False, max_order: int = 4
) -> sacrebleu.BLEU:
    """Return sacrebleu's metric with the options that lessonlib's names stand for."""
    return sacrebleu.BLEU(
        tokenize=SACREBLEU_TOKENIZER[tokenizer],
        smooth_method=SACREBLEU_SMOOTHING[smoothing],
        effective_order=effective,
        max_ngram_order=max_order,
        force=True,
    )


def assert_same_parts(ours: BleuScore, theirs: BLEUScore, smoothing: str) -> None:
    """Check all that a score is made of, besides the score."""
    # sacrebleu counts the added one in, lessonlib shows the counts as they were.
    added = [int(smoothing == "add-one" and n > 0 and any(ours.counts)) for n in range(len(ours.counts))]
    assert [count + one for count, one in zip(ours.counts, added, strict=True)] == theirs.counts
    assert [total + one for total, one in zip(ours.totals, added, strict=True)] == theirs.totals
    assert (ours.hypothesis_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
    assert ours.brevity_penalty == pytest.approx(theirs.bp, abs=1e-12)
    if any(ours.counts):  # without a match sacrebleu leaves the precisions at 0
        assert all(abs(p - q / 100) < 1e-12 for p, q in zip(ours.precisions, theirs.precisions, strict=True))


@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("smoothing", SACREBLEU_SMOOTHING)
def test_sentence_bleu_is_sacrebleus(smoothing: str, effective: bool) -> None:
    compared = []
    for i, (hypothesis, references) in enumerate(random_segments(seed=13, count=2_020)):
        tokenizer = TOKENIZERS[i % 3]
        options = {"tokenizer": tokenizer, "smoothing": smoothing, "effective_order": effective}
        ours = bleu(hypothesis, references, **options)  # type: ignore[arg-type]
        theirs = sacrebleus(smoothing, tokenizer, effective).sentence_score(hypothesis, references)
        assert_same_parts(ours, theirs, smoothing)
        compared.append((ours.score, theirs.score / 100))
    close(f"sentence BLEU {smoothing} effective={effective}, sacrebleu", compared, 1e-9, 2_000)


@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("smoothing", SACREBLEU_SMOOTHING)
def test_corpus_bleu_is_sacrebleus(smoothing: str, effective: bool) -> None:
    rng, segments, compared = random.Random(14), list(random_segments(seed=15, count=2_020)), []
    while segments:
        size, order = rng.choice([1, 2, 3, 10, 60]), rng.choice([1, 2, 3, 4, 4, 4, 6])
        part, segments = segments[:size], segments[size:]
        hypotheses = [hypothesis for hypothesis, _ in part]
        each = rng.randrange(1, 5)  # sacrebleu wants as many references for each line
        lists = [[references[k % len(references)] for k in range(each)] for _, references in part]
        tokenizer = TOKENIZERS[len(segments) % 3]
        options = {"tokenizer": tokenizer, "smoothing": smoothing, "effective_order": effective}
        ours = corpus_bleu(hypotheses, lists, max_order=order, **options)  # type: ignore[arg-type]
        metric = sacrebleus(smoothing, tokenizer, effective, order)
        theirs = metric.corpus_score(hypotheses, list(zip(*lists, strict=True)))
        assert_same_parts(ours, theirs, smoothing)
        compared.append((ours.score, theirs.score / 100))
    close(f"corpus BLEU {smoothing} effective={effective}, sacrebleu", compared, 1e-9, 100)


@pytest.mark.parametrize("word_order", [0, 2])
@pytest.mark.parametrize("normalizer", ["raw", "lower"])
def test_chrf_is_sacrebleus(word_order: int, normalizer: str) -> None:
    metric = sacrebleu.CHRF(word_order=word_order, lowercase=normalizer == "lower")
    compared = []
    for hypothesis, references in random_segments(seed=17, count=1_000):
        options = {"word_order": word_order, "normalizer": normalizer}
        ours = max(chrf(hypothesis, reference, **options) for reference in references)  # type: ignore[arg-type]
        compared.append((ours, metric.sentence_score(hypothesis, references).score / 100))
    close(f"chrF words={word_order} {normalizer}, sacrebleu", compared, 1e-9, 1_000)


def test_corpus_chrf_is_sacrebleus() -> None:
    rng, segments, compared = random.Random(18), list(random_segments(seed=18, count=2_020)), []
    while segments:
        part, segments = segments[: (size := rng.choice([1, 2, 3, 10, 60]))], segments[size:]
        hypotheses, each = [hypothesis for hypothesis, _ in part], rng.randrange(1, 4)
        lists = [[references[k % len(references)] for k in range(each)] for _, references in part]
        options = {"char_order": rng.choice([1, 3, 6]), "word_order": rng.choice([0, 1, 2])}
        options["beta"] = rng.choice([1, 2, 3])
        theirs = sacrebleu.CHRF(**options).corpus_score(hypotheses, list(zip(*lists, strict=True)))
        compared.append((corpus_chrf(hypotheses, lists, **options), theirs.score / 100))
    close("corpus chrF, sacrebleu", compared, 1e-9, 100)


def test_13a_is_sacrebleus() -> None:
    theirs = Tokenizer13a()
    for texts in random_pairs(seed=16, count=2_000, longest=20):
        for line in texts:
            assert tokens_13a(line) == theirs(line.rstrip()).split(), ascii(line)


@given(st.text(st.characters(), max_size=60), st.text("a1.,-'&;$\n <", max_size=60))
@EXACT
def test_13a_is_sacrebleus_on_any_text(anything: str, marks: str) -> None:
    for line in (anything, marks, anything + marks):
        assert tokens_13a(line) == Tokenizer13a()(line.rstrip()).split()


def test_sacrebleu_strips_the_end_before_it_tokenizes() -> None:
    """A hyphen and a newline join two halves of a word, but at the end of a text sacrebleu strips first.

    Its tokenizer alone would delete both; lessonlib follows its scores, for those are what gets published.
    """
    assert tokens_13a("well-\nknown") == ["wellknown"]
    assert tokens_13a("well-\n") == ["well-"]
    assert Tokenizer13a()("well-\n") == "well"
    assert sacrebleus("exp", "13a", True).sentence_score("well-\n", ["well-"]).score == pytest.approx(100)
    assert bleu("well-\n", "well-", tokenizer="13a", smoothing="exp", effective_order=True).score == 1.0


def test_sacrebleu_exceeds_its_scale_and_lessonlib_does_not() -> None:
    """exp(log(100)) is a little over 100 in floating point; on a scale from 0 to 1, log(1) is exactly 0."""
    text = "the plan allows 600 requests per minute"
    assert sacrebleus("none").sentence_score(text, [text]).score > 100
    assert bleu(text, text, tokenizer="13a", smoothing="none").score == 1.0


# --- NLTK ------------------------------------------------------------------------------------------------

METHODS = {"none": "method0", "floor": "method1", "add-one": "method2", "exp": "method3"}
TokenLists = list[list[str]]


def nltks(references: list[TokenLists], hypotheses: TokenLists, smoothing: str, max_order: int = 4) -> float:
    """Return NLTK's corpus BLEU; its method 0 warns of every order without a match."""
    function = getattr(nltk_bleu.SmoothingFunction(), METHODS[smoothing])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return float(nltk_bleu.corpus_bleu(references, hypotheses, (1 / max_order,) * max_order, function))


@pytest.mark.parametrize("smoothing", METHODS)
def test_bleu_is_nltks_with_an_ngram_more_where_a_text_is_too_short(smoothing: str) -> None:
    """NLTK counts one n-gram for every order that a hypothesis is too short for; sacrebleu and we count none.

    So a corpus with short answers scores lower there, and under smoothing so does a short answer alone.
    Restated with those totals it is ours; without a short hypothesis it is ours as it stands.
    """
    rng, compared, parted = random.Random(20), [], 0
    for max_order in (1, 2, 3, 4):
        segments = list(random_segments(seed=20 + max_order, count=505))
        while segments:
            size = rng.choice([1] * 20 + [2, 5, 30])
            part, segments = segments[:size], segments[size:]
            hypotheses, references = [text for text, _ in part], [texts for _, texts in part]
            ours = corpus_bleu(hypotheses, references, smoothing=smoothing, max_order=max_order)
            tokens = [scored_tokens(text, "word") for text in hypotheses]
            lists = [[scored_tokens(text, "word") for text in texts] for texts in references]
            theirs = nltks(lists, tokens, smoothing, max_order)
            totals = [sum(max(len(text) - n, 1) for text in tokens) for n in range(max_order)]
            precisions = smoothed_precisions(ours.counts, totals, smoothing)
            restated = ours.brevity_penalty * geometric_mean(precisions) if any(ours.counts) else 0.0
            compared.append((restated, theirs))
            if all(len(text) >= max_order for text in tokens):
                assert ours.score == pytest.approx(theirs, abs=1e-9)
            parted += abs(ours.score - theirs) > 1e-9
    close(f"BLEU {smoothing}, NLTK", compared, 1e-9, 800)
    assert parted > 40  # the difference is no rare one


def test_the_numbers_that_run_3_gets_from_nltk_and_from_us() -> None:
    """Some of its eight answers are shorter than four words: with all references NLTK gives 0.62, we 0.94."""
    matched = pair(load_golden(), load_answers("run3"))
    texts, lists = [answer.text for _, answer in matched], [list(item.references) for item, _ in matched]
    assert round(corpus_bleu(texts, lists).score, 4) == 0.9431
    tokens = [[tokenize(text, "word") for text in references] for references in lists]
    assert round(nltks(tokens, [tokenize(text, "word") for text in texts], "none"), 4) == 0.6176
    each = max(map(len, lists))  # sacrebleu wants as many references for every line
    columns = [[references[k % len(references)] for references in lists] for k in range(each)]
    joined = [[" ".join(tokenize(text, "word")) for text in column] for column in [texts, *columns]]
    assert round(sacrebleus("none").corpus_score(joined[0], joined[1:]).score, 2) == 94.31


def test_nltk_counts_an_ngram_that_is_not_there() -> None:
    """Three tokens have no 4-gram: (0 + 1) / (1 + 1) in NLTK, (0 + 1) / (0 + 1) in sacrebleu and here."""
    text = "three short words"
    assert nltks([[text.split()]], [text.split()], "add-one") == pytest.approx(0.5**0.25)
    assert sacrebleus("add-one").sentence_score(text, [text]).score == pytest.approx(100)
    assert bleu(text, text).score == 1.0
    # The same under floor (0.1 / 1 against nothing) and exp (1/2 / 1 against nothing).
    for smoothing, filler in (("floor", 0.1), ("exp", 0.5)):
        assert nltks([[text.split()]], [text.split()], smoothing) == pytest.approx(filler**0.25)
        assert sacrebleus(smoothing).sentence_score(text, [text]).score == 0
        assert bleu(text, text, smoothing=smoothing).score == 0


def test_nltk_has_no_quite_zero() -> None:
    """Unsmoothed, NLTK takes the smallest positive float for a precision of zero, and warns."""
    assert 0 < nltks([[["a", "b", "c", "d"]]], [["d", "c", "b", "a"]], "none") < 1e-200
    with pytest.warns(UserWarning, match="0 counts of 2-gram overlaps"):
        nltk_bleu.sentence_bleu([["a", "b"]], ["b", "a"], (0.5, 0.5))
    assert bleu("d c b a", "a b c d", tokenizer="whitespace", smoothing="none").score == 0.0


@pytest.mark.parametrize("lengths", [(3, 5), (5, 3), (5, 3, 3), (9, 5, 3)])
def test_all_three_break_a_tie_of_lengths_towards_the_shorter(lengths: tuple[int, ...]) -> None:
    """Four tokens, references of 3 and of 5: the shorter one counts, so nobody is penalized, in any order."""
    references = [" ".join("w" * length) for length in lengths]
    assert bleu("w w w w", references, tokenizer="whitespace").reference_length == 3
    assert sacrebleus("none").sentence_score("w w w w", references).ref_len == 3
    assert nltk_bleu.closest_ref_length([text.split() for text in references], 4) == 3


def test_references_are_joint_in_all_three_and_no_maximum() -> None:
    """An n-gram may come from any reference: the score is above that of the best single reference."""
    hypothesis = "the cat sat on the red mat"
    references = ["the cat sat on a mat today", "a cat was on the red mat"]
    joint = pytest.approx((6 / 7 * 6 / 6 * 4 / 5 * 2 / 4) ** 0.25, abs=1e-12)  # 0.7652
    assert bleu(hypothesis, references, tokenizer="whitespace", smoothing="none").score == joint
    assert sacrebleus("none").sentence_score(hypothesis, references).score / 100 == joint
    assert nltks([[text.split() for text in references]], [hypothesis.split()], "none") == joint
    single = pytest.approx((5 / 7 * 3 / 6 * 2 / 5 * 1 / 4) ** 0.25, abs=1e-12)  # 0.4347
    assert [
        bleu(hypothesis, text, tokenizer="whitespace", smoothing="none").score for text in references
    ] == [single] * 2


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
    expected = {"add-one-all": add_one_all, "add-one": add_k, "exp": exp, "none": none}
    ours = {name: bleu(prediction, reference, smoothing=name).score for name in expected}
    assert ours == pytest.approx(expected, abs=5e-5)
    theirs = nltks([[reference.split()]], [prediction.split()], "add-one")
    assert theirs == pytest.approx(method_2, abs=5e-5)
    for name in ("add-one", "exp", "none"):
        theirs = sacrebleus(name).sentence_score(prediction, [reference]).score / 100
        assert theirs == pytest.approx(expected[name], abs=5e-5)
