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
import unicodedata
import warnings
from collections.abc import Iterator

import pytest
import sacrebleu
from hostile import ALL_TEXTS, any_text
from hypothesis import given
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

# --- the texts -------------------------------------------------------------------------------------------

WORDS = re.findall(
    r"\S+",
    """the a an cat cats sat mat running runs ran flies dying generously generational relational 24 hours hour
    600 requests per minute minutes plan plans pro backups retained deleted deleting skies news is was said
    university organization 429 key invalid missing""",
)
JOINTS = (" ", " ", " ", " ", "", "\n", "  ", "\t", "\xa0", ". ", ", ", "-")


def random_text(rng: random.Random, longest: int, nasty: bool) -> str:
    """Return up to `longest` pieces with something between them."""
    parts = []
    for _ in range(rng.randrange(longest + 1)):
        parts.append(rng.choice(ALL_TEXTS if nasty and rng.random() < 0.5 else WORDS))
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


def corpora(seed: int, count: int, sizes: list[int]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield corpora of these sizes; sacrebleu wants as many references for each hypothesis of one."""
    rng, segments = random.Random(seed), random_segments(seed, count)
    while segments:
        size = rng.choice(sizes)
        part, segments = segments[:size], segments[size:]
        each = len(part[0][1])
        lists = [[references[k % len(references)] for k in range(each)] for _, references in part]
        yield [hypothesis for hypothesis, _ in part], lists


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


@given(any_text, st.text("aA nNtThHeE.-_\u0301\u200b\x1c\x00", max_size=30))
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
        symbols = [[c for c in text if unicodedata.category(c)[0] == "S"] for text in (prediction, reference)]
        return dict.fromkeys(ROUGE_TYPES, (float(symbols[0] == symbols[1]),) * 3)
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


@given(any_text, st.text("ab \n.", max_size=40), st.text("ab\n İ\u212a", max_size=40))
def test_rouge_is_rouge_scores_on_any_text(anything: str, few: str, others: str) -> None:
    for prediction, reference in ((few, others), (others, few), (anything, few)):
        theirs = their_rouge(prediction, reference, "rouge_stem")
        for name, ours in our_rouge(prediction, reference, "rouge_stem").items():
            assert ours == pytest.approx(theirs[name], abs=1e-12), name


@pytest.mark.parametrize(
    ("prediction", "reference", "value"),
    [("", "", 1.0), ("?!", "...", 1.0), ("<", "< .", 1.0), ("<", ">", 0.0), ("$", "", 0.0)],
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
def test_bleu_is_sacrebleus(smoothing: str, effective: bool) -> None:
    rng, compared = random.Random(14), []
    for i, (hypotheses, lists) in enumerate(corpora(13, 4_000, [1] * 30 + [2, 3, 10, 60])):
        order, tokenizer = rng.choice([1, 2, 3, 4, 4, 4, 6]), TOKENIZERS[i % 3]
        options = {"tokenizer": tokenizer, "smoothing": smoothing, "effective_order": effective}
        ours = corpus_bleu(hypotheses, lists, max_order=order, **options)  # type: ignore[arg-type]
        metric = sacrebleus(smoothing, tokenizer, effective, order)
        theirs = metric.corpus_score(hypotheses, list(zip(*lists, strict=True)))
        assert_same_parts(ours, theirs, smoothing)
        compared.append((ours.score, theirs.score / 100))
        if len(hypotheses) == 1:  # a sentence
            assert bleu(hypotheses[0], lists[0], max_order=order, **options) == ours  # type: ignore[arg-type]
    close(f"BLEU {smoothing} effective={effective}, sacrebleu", compared, 1e-9, 1_000)


@pytest.mark.parametrize("word_order", [0, 1, 2])
@pytest.mark.parametrize("normalizer", ["raw", "lower"])
def test_chrf_is_sacrebleus(word_order: int, normalizer: str) -> None:
    rng, compared = random.Random(18), []
    for hypotheses, lists in corpora(17, 2_000, [1] * 30 + [2, 3, 10, 60]):
        options = {
            "word_order": word_order,
            "char_order": rng.choice([1, 3, 6, 6]),
            "beta": rng.choice([1, 2, 3]),
        }
        metric = sacrebleu.CHRF(lowercase=normalizer == "lower", **options)
        theirs = metric.corpus_score(hypotheses, list(zip(*lists, strict=True))).score / 100
        compared.append((corpus_chrf(hypotheses, lists, normalizer=normalizer, **options), theirs))
        if len(hypotheses) == 1:
            singles = [chrf(hypotheses[0], text, normalizer=normalizer, **options) for text in lists[0]]
            compared.append((max(singles), theirs))
    close(f"chrF words={word_order} {normalizer}, sacrebleu", compared, 1e-9, 1_000)


def test_13a_is_sacrebleus() -> None:
    theirs = Tokenizer13a()
    for texts in random_pairs(seed=16, count=2_000, longest=20):
        for line in texts:
            assert tokens_13a(line) == theirs(line.rstrip()).split(), ascii(line)


@given(any_text, st.text("a1.,-'&;$\n <", max_size=60))
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
    compared, parted = [], 0
    for max_order in (1, 2, 3, 4):
        for hypotheses, references in corpora(20 + max_order, 505, [1] * 20 + [2, 5, 30]):
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
    tokens = [[tokenize(text, "word") for text in references] for references in [texts, *lists]]
    assert round(nltks(tokens[1:], tokens[0], "none"), 4) == 0.6176


@pytest.mark.parametrize(
    ("smoothing", "nltk", "ours"), [("add-one", 0.5, 1), ("floor", 0.1, 0), ("exp", 0.5, 0)]
)
def test_nltk_counts_an_ngram_that_is_not_there(smoothing: str, nltk: float, ours: float) -> None:
    """Three tokens have no 4-gram: 0 of 1 before smoothing in NLTK, 0 of 0 in sacrebleu and here."""
    text = "three short words"
    assert nltks([[text.split()]], [text.split()], smoothing) == pytest.approx(nltk**0.25)
    assert sacrebleus(smoothing).sentence_score(text, [text]).score == pytest.approx(100 * ours)
    assert bleu(text, text, smoothing=smoothing).score == ours


def test_nltk_has_no_quite_zero() -> None:
    """Unsmoothed, NLTK takes the smallest positive float for a precision of zero, and warns."""
    assert 0 < nltks([[["a", "b", "c", "d"]]], [["d", "c", "b", "a"]], "none") < 1e-200
    with pytest.warns(UserWarning, match="0 counts of 2-gram overlaps"):
        nltk_bleu.sentence_bleu([["a", "b"]], ["b", "a"], (0.5, 0.5))
    assert bleu("d c b a", "a b c d", tokenizer="whitespace", smoothing="none").score == 0.0
