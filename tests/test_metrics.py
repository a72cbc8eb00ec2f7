"""Exact match, accuracy, token F1, ROUGE and the registry: by hand, what always holds, what is refused."""

import inspect
import math
import re
from functools import partial
from itertools import pairwise

import pytest
from hostile import NO_TEXT, any_text
from hypothesis import given
from hypothesis import strategies as st

import lessonlib
from lessonlib import METRICS, accuracy, exact_match, rouge_l, rouge_lsum, rouge_n, score, signature
from lessonlib.bleu import SMOOTHINGS, bleu, corpus_bleu
from lessonlib.chrf import chrf, corpus_chrf
from lessonlib.counting import lcs_length, lcs_path, lcs_table, ngrams, overlap_size
from lessonlib.explain import explain
from lessonlib.metrics import Metric, rouge_l_parts, rouge_lsum_parts, rouge_n_parts, token_f1, token_overlap
from lessonlib.text import NORMALIZERS, TOKENIZERS, kept, known, normalize, scored_tokens, tokenize

WORDS = st.lists(st.sampled_from(["red", "green", "blue", "the", "Red,", "reds", "\n"]), max_size=9)
FEW_WORDS = WORDS.map(" ".join)
ANY_TEXT = FEW_WORDS | any_text
TOKENIZER = st.sampled_from(list(TOKENIZERS))
LETTERS = st.text("abcd", max_size=12)

# --- by hand ---------------------------------------------------------------------------------------------

WEEK = "Paid within a week of the order.", "a week after the order"
COLD = "cold wind blows from north", "blows from cold wind"  # pairs shared: cold-wind blows-from
RAIN, WIND = "rain fell.\nwind blew.", "wind blew.\nrain fell."
HARBOR = "harbor", "the harbor at night"  # precision 1, recall 1/4: F-beta = (1 + b^2) / (1/4 + b^2) * 1/4


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (exact_match, ("The Northern Line.", "northern line"), 1),
        (exact_match, ("northern line", "Northern Line", "raw"), 0),
        (exact_match, (" northern line\n", "northern line", "strip"), 1),
        (exact_match, ("Northern Line", "northern line", "lower"), 1),
        (exact_match, ("the northern line", "northern line", "lower"), 0),
        (exact_match, ("HTTP 503.", "503"), 0),  # formatting is forgiven, more words are not
        (exact_match, ("36-month", "36 month"), 0),
        (exact_match, ("36-month", "36month"), 1),
        (exact_match, ("36-month", "36 month", "unicode"), 1),
        (exact_match, ("8.5", "85"), 1),  # what deleting punctuation costs
        (exact_match, ("8.5", "85", "unicode"), 0),
        (exact_match, ("The", "An"), 1),  # both vanish
        (exact_match, ("An", "No"), 0),  # only one does
        (exact_match, ("30\n\nNext question: what else", "30"), 0),
        (exact_match, ("明日は雪", "明日は雪"), 1),
        (exact_match, ("", "x"), 0),
        (accuracy, ("B", " B\n"), 1),
        (accuracy, ("b", "B"), 0),
        (accuracy, ("B.", "B"), 0),
        (accuracy, ("", "  "), 1),
        (token_f1, ("It takes 3 days.", "3 days"), 2 * 2 / (4 + 2)),
        (token_f1, ("ping ping ping ping", "ping"), 2 * 1 / (4 + 1)),  # as a multiset: a set would say 1.0
        (token_f1, ("stop stop go", "stop go go"), 2 * 2 / 6),  # each word as often as both have it
        (token_f1, ("tea before bread", "bread before tea"), 1.0),  # no order
        (token_f1, ("36-month", "36 month"), 0.0),  # one glued token
        (token_f1, ("36-month", "36 month", "word"), 1.0),
        (token_f1, ("雪が降る", "雪が降った"), 0.0),  # no spaces: one token each
        (token_f1, ("雪が降る", "雪が降った", "char"), 2 * 3 / (4 + 5)),
        (token_f1, ("9\u200b pm", "9 pm"), 0.5),
        (token_f1, ("The", "An"), 1.0),  # both without tokens
        (token_f1, ("The", "tea"), 0.0),
        (token_f1, ("?!", "..."), 1.0),
        (token_f1, ("", ""), 1.0),
        (token_f1, ("", "tea"), 0.0),
        (token_f1, WEEK, 2 * 2 / (5 + 3)),  # week, order
        (token_f1, (*WEEK, "word"), 2 * 4 / (7 + 5)),  # a and the as well
        (rouge_l_parts, ("jumping dogs", "jumped dog"), (1.0, 1.0, 1.0)),
        (rouge_l_parts, ("go go go stop", "go stop"), (2 / 4, 2 / 2, 4 / 6)),
        (rouge_l_parts, ("Good Morning, Oslo!", "good morning oslo"), (1.0, 1.0, 1.0)),
        (rouge_l_parts, ("2,500", "2 500"), (1.0, 1.0, 1.0)),  # a comma separates
        (rouge_l_parts, ("7.1", "1 7"), (1 / 2, 1 / 2, 1 / 2)),  # and a point; order counts
        (rouge_l_parts, ("we're", "were"), (0.0, 0.0, 0.0)),
        (rouge_l_parts, ("pass\\nfail", "pass\nfail"), (1 / 2, 1 / 2, 1 / 2)),  # a backslash is no line end
        (rouge_l_parts, ("the birds were singing", "the bird was singing", "rouge"), (2 / 4, 2 / 4, 2 / 4)),
        (rouge_l_parts, ("the birds were singing", "the bird was singing"), (3 / 4, 3 / 4, 3 / 4)),
        (rouge_l_parts, ("ha it he as", "has its hes as"), (1 / 4, 1 / 4, 1 / 4)),  # short words keep their s
        (rouge_l_parts, ("большое спасибо", "большое яблоко", "word"), (1 / 2, 1 / 2, 1 / 2)),
        (rouge_l_parts, ("", ""), (1.0, 1.0, 1.0)),
        (rouge_l_parts, ("", "tea"), (0.0, 0.0, 0.0)),
        (rouge_l, ("ab " * 3_000, "ab " * 3_000), 1.0),
        (rouge_l, ("ab " * 3_000, "cd " * 3_000), 0.0),
        (rouge_l_parts, HARBOR, (1.0, 0.25, 0.4)),
        (rouge_l, (*HARBOR, "rouge", 2.0), 5 * 0.25 / (0.25 + 4)),
        (rouge_l, (*HARBOR, "rouge", 0.5), 1.25 * 0.25 / (0.25 + 0.25)),
        (rouge_l, (*HARBOR, "rouge", 1e9), 0.25),  # recall alone
        (rouge_l, (*HARBOR, "rouge", 1e300), 0.25),
        (rouge_l, (*HARBOR, "rouge", 1e-9), 1.0),  # precision alone
        (rouge_l, (*HARBOR, "rouge", 1e-300), 1.0),
        (rouge_n_parts, (*COLD, 1), (4 / 5, 4 / 4, 8 / 9)),
        (rouge_n_parts, (*COLD, 2), (2 / 4, 2 / 3, 4 / 7)),
        (rouge_n_parts, (*COLD, 3), (0.0, 0.0, 0.0)),
        (rouge_n_parts, (*COLD, 9), (0.0, 0.0, 0.0)),
        (rouge_n_parts, ("a b a b a b", "a b a b", 2), (3 / 5, 1.0, 6 / 8)),  # as often as both have it
        (rouge_n_parts, ("tea", "tea", 2), (0.0, 0.0, 0.0)),  # too short for a pair, though equal
        (rouge_n_parts, ("", "", 2), (1.0, 1.0, 1.0)),
        (rouge_lsum, (RAIN, WIND), 1.0),  # it looks at lines, and ROUGE-L does not
        (rouge_l, (RAIN, WIND), 0.5),
        (rouge_lsum, (RAIN.replace("\n", " "), WIND.replace("\n", " ")), 0.5),
        # Line one shares p q, line two p r t; the union p q r t is 4 of 5, and of 9 tokens.
        (rouge_lsum_parts, ("p q x y\np r z t v", "p q r s t"), (4 / 9, 4 / 5, 8 / 14)),
        (rouge_lsum_parts, ("tide", "tide\ntide"), (1.0, 1 / 2, 2 / 3)),  # both lines claim the one "tide"
        (score, ("exact_match", "The 3rd platform.", "3rd platform"), 1.0),
        (score, ("exact_match", "platform 3", ["platform 4", "Platform 3!"]), 1.0),
        (score, ("exact_match", "platform", "p"), 0.0),  # a bare string is one target, not eight letters
        (score, ("accuracy", "yes", ["Yes", " yes "]), 1.0),
        (score, ("f1", "on platform 3", ["gate 9", "platform 3", "the platform"]), 2 * 2 / (3 + 2)),
        (score, ("rouge_l", "trains leaving soon", ["soon", "train leaves"]), 2 * 2 / (3 + 2)),
        (score, ("bleu_4", "the late train left at noon", "the late train left at noon"), 1.0),
        (score, ("bleu_4", "red", "blue"), 0.0),
    ],
)
def test_by_hand(function, arguments: tuple, expected: float | tuple[float, ...]) -> None:
    result = function(*arguments)
    assert result == pytest.approx(expected, abs=1e-12)
    assert function is not score or type(result) is float


def test_token_overlap_names_the_tokens_and_reads_as_fractions() -> None:
    result = token_overlap("No, no, the fee is 5 euros", "the fee is no 9 euros now")
    matched, extra, missing = ("no", "fee", "is", "euros"), ("no", "5"), ("9", "now")
    assert result == (4 / 6, 4 / 6, pytest.approx(4 / 6), matched, extra, missing)
    assert str(token_overlap("fee of 5 euros", "5 euros now")).splitlines() == [
        "precision 2/4 = 0.50   recall 2/3 = 0.67   F1 = 0.57",
        "matched: 5 euros",
        "extra: fee of",
        "missing: now",
    ]
    assert "extra: -" in str(token_overlap("euros", "euros"))
    assert token_overlap("", "the")[:3] == (1.0, 1.0, 1.0)  # the empty rule
    assert token_overlap("", "tea") == (0.0, 0.0, 0.0, (), (), ("tea",))


@given(ANY_TEXT, ANY_TEXT, TOKENIZER)
def test_token_overlap_is_token_f1_taken_apart(prediction: str, reference: str, tokenizer: str) -> None:
    result = token_overlap(prediction, reference, tokenizer)
    assert result.f1 == pytest.approx(token_f1(prediction, reference, tokenizer), abs=1e-12)
    assert sorted(result.matched + result.extra) == sorted(scored_tokens(prediction, tokenizer))
    assert sorted(result.matched + result.missing) == sorted(scored_tokens(reference, tokenizer))
    assert not set(result.extra) & set(result.missing)  # what both had left would be a match


# --- counting --------------------------------------------------------------------------------------------


def test_ngrams_and_multisets() -> None:
    assert ngrams(["x", "y", "x"], 1) == [("x",), ("y",), ("x",)]
    assert ngrams(["x", "y", "x"], 2) == [("x", "y"), ("y", "x")]
    assert ngrams(["x", "y", "x"], 4) == []
    assert overlap_size("aab", "abb") == 2
    assert overlap_size("aaa", "a") == overlap_size("a", "aaa") == 1
    assert overlap_size("", "a") == 0
    assert overlap_size("aabbc", "aa", "abbb", "c") == 5  # each as often as the one that has it most


def test_lcs_by_hand() -> None:
    assert lcs_table("ace", "abc") == [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 1, 2], [0, 1, 1, 2]]
    assert lcs_path("ace", "abc") == [(0, 0), (1, 2)]
    assert lcs_path("ab", "ba") == [(0, 1)]  # a tie: the last of the first list is dropped
    assert lcs_length("", "abc") == lcs_length("abc", "") == 0
    assert lcs_path("", "abc") == []


@given(LETTERS, LETTERS)
def test_the_bits_the_table_and_the_path_agree(first: str, second: str) -> None:
    path = lcs_path(first, second)
    assert lcs_length(first, second) == lcs_table(first, second)[-1][-1] == len(path)
    assert lcs_length(second, first) == len(path)
    assert all(first[i] == second[j] for i, j in path)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(path))


def test_lcs_of_long_lists_needs_more_than_one_machine_word() -> None:
    # Every third of 3,000 numbers, between strangers: the subsequence is known.
    numbers = list(range(3_000))
    assert lcs_length(numbers, [x if x % 3 == 0 else -x for x in numbers]) == 1_000
    assert lcs_length(numbers, numbers[::-1]) == 1


# --- score() and signatures ------------------------------------------------------------------------------


def test_bleu_takes_several_targets_together() -> None:
    prediction, targets = "red sky at night tonight", ["red sky at dawn", "grey sky at night tonight"]
    assert score("bleu_4", prediction, targets) == bleu(prediction, targets).score
    assert all(score("bleu_4", prediction, targets) > score("bleu_4", prediction, [t]) for t in targets)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), None, "0.5", [0.5]])
def test_a_metric_of_ones_own_must_return_a_number_between_0_and_1(
    monkeypatch: pytest.MonkeyPatch, value: object
) -> None:
    monkeypatch.setitem(METRICS, "mine", Metric(lambda prediction, reference: value, "by:me"))
    with pytest.raises(ValueError, match=r"^metric 'mine' returned .*, which is not between 0 and 1$"):
        score("mine", "red", "red")


def longer(prediction: str, reference: str, margin: int = 0, model: object = object()) -> bool:
    """Tell whether the prediction is longer than the reference by a margin."""
    return len(prediction) > len(reference) + margin


def test_a_metric_of_ones_own_joins_the_registry_with_the_contract_of_its_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(METRICS, "longer", Metric(longer, "chars"))
    assert score("longer", "reds", ["red", "greens"]) == 1.0
    assert score("longer", "reds", "red", margin=1) == 0.0
    assert signature("longer").startswith("longer|margin:0|chars|refs:best|v:")  # no empty rule was stated
    assert signature("longer", margin=1).startswith("longer|margin:1|chars|")
    monkeypatch.setitem(METRICS, "recall", Metric(token_overlap, part="recall"))
    assert score("recall", "red sky now", "red sky") == 1.0
    assert signature("recall").startswith("recall|tok:squad|part:recall|")


def test_an_option_changes_the_number_and_its_signature() -> None:
    assert score("f1", "雪が降る", "雪が降った", tokenizer="char") == pytest.approx(2 * 3 / (4 + 5))
    assert signature("f1", tokenizer="char") == signature("f1").replace("tok:squad", "tok:char")
    assert score("exact_match", "36-month", "36 month", normalizer="unicode") == 1.0
    assert score("chrf", "RED", "red", normalizer="lower") == 1.0
    texts, options = ("down up", "up down"), {"smoothing": "exp", "max_order": 2}
    assert score("bleu_4", *texts, **options) == bleu(*texts, **options).score  # type: ignore[arg-type]
    assert "|order:2|smooth:exp|eff:yes|" in signature("bleu_4", effective_order=True, **options)
    assert METRICS["rouge_l"].settings() == {"tokenizer": "rouge_stem", "beta": 1.0}
    changed = METRICS["rouge_l"].with_options(beta=2).with_options(tokenizer="word")
    assert changed.full_contract() == "tok:word|beta:2"
    assert METRICS["rouge_l"].full_contract() == "tok:rouge_stem|beta:1"  # and stays as it was
    # A corpus is not smoothed, and shows it.
    assert Metric(corpus_bleu, part="score").full_contract() == "tok:word|order:4|smooth:none|eff:no"


@pytest.mark.parametrize("metric", ["f1", "rouge_l", "bleu_4"])
@pytest.mark.parametrize("tokenizer", ["word", "rouge", "rouge_stem"])
@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("7月", "7年", False),
        ("最多 7 月", "正好 7 年", True),  # the 7 is shared, and no more
        ("نعم", "لا", False),
        ("🟢", "🔴", False),
        ("🟢 go", "🔴 go", True),
        ("बिल", "बल", False),  # without its vowel sign it would be the same word
        ("naïve", "na ve", False),
        ("Grüße", "Größe", False),
        ("<", ">", False),
    ],
)
def test_no_credit_for_what_a_tokenizer_does_not_see(
    metric: str, tokenizer: str, one: str, other: str, shared: bool
) -> None:
    assert (0 < score(metric, one, other, tokenizer=tokenizer) < 1) is shared
    if any(c.isalnum() for c in one):
        assert score(metric, one, f"{one}!", tokenizer=tokenizer) == 1.0


def test_signatures_say_what_a_number_depends_on() -> None:
    overlap, bleus = "refs:best|empty:both=1,one=0", "len:closest|refs:joint|empty:any=0"
    contracts = {
        "exact_match": f"norm:squad|{overlap}",
        "accuracy": f"norm:strip|{overlap}",
        "f1": f"tok:squad|{overlap}",
        "rouge_l": f"tok:rouge_stem|beta:1|{overlap}",
        "bleu_4": f"tok:word|order:4|smooth:add-one|eff:no|{bleus}",
        "chrf": "char:6|word:0|beta:2|norm:raw|refs:best|empty:any=0",
        "chrf++": "char:6|word:2|beta:2|norm:raw|refs:best|empty:any=0",
    }
    version = lessonlib.__version__
    assert {name: signature(name) for name in METRICS} == {
        name: f"{name}|{contract}|v:{version}" for name, contract in contracts.items()
    }


@pytest.mark.parametrize("name", METRICS)
def test_signatures_tell_the_truth_about_empty_texts(name: str) -> None:
    both, one = (0.0, 0.0) if "empty:any=0" in signature(name) else (1.0, 0.0)
    assert score(name, "", "") == both
    assert score(name, "", "tea") == score(name, "tea", "") == one


# --- what holds for all texts ----------------------------------------------------------------------------


@given(ANY_TEXT, ANY_TEXT, TOKENIZER, st.floats(1e-3, 1e3))
def test_every_score_is_between_0_and_1(prediction: str, reference: str, tokenizer: str, beta: float) -> None:
    assert 0 <= token_f1(prediction, reference, tokenizer) <= 1
    rouges = all_rouge(prediction, reference, tokenizer, beta)
    assert rouges[1].fmeasure == rouge_n(prediction, reference, 2, tokenizer, beta)
    assert rouges[2].fmeasure == rouge_l(prediction, reference, tokenizer, beta)
    assert rouges[3].fmeasure == rouge_lsum(prediction, reference, tokenizer, beta)
    for parts in rouges:
        low, high = sorted(parts[:2])
        assert 0 <= low <= high <= 1
        assert (low - 1e-12 <= parts.fmeasure <= high + 1e-12) or parts.fmeasure == low == 0
        assert parts.fmeasure <= 1
    for name in METRICS:
        assert 0 <= score(name, prediction, reference) <= 1


def all_rouge(prediction: str, reference: str, tokenizer: str, beta: float = 1.0) -> list:
    """Return ROUGE-1, -2, -L and -Lsum."""
    return [
        rouge_n_parts(prediction, reference, 1, tokenizer, beta),
        rouge_n_parts(prediction, reference, 2, tokenizer, beta),
        rouge_l_parts(prediction, reference, tokenizer, beta),
        rouge_lsum_parts(prediction, reference, tokenizer, beta),
    ]


@given(ANY_TEXT, TOKENIZER, st.floats(1e-300, 1e300))
def test_an_equal_answer_scores_exactly_one(text: str, tokenizer: str, beta: float) -> None:
    assert exact_match(text, text) == accuracy(text, text) == 1
    assert token_f1(text, text, tokenizer) == 1.0
    assert rouge_n(text, text, 1, tokenizer, beta) == 1.0
    assert rouge_l_parts(text, text, tokenizer, beta) == (1.0, 1.0, 1.0)
    assert rouge_lsum(text, text, tokenizer, beta) == 1.0


@given(ANY_TEXT, ANY_TEXT, TOKENIZER)
def test_f1_is_symmetric_and_so_is_rouge_at_beta_1(one: str, other: str, tokenizer: str) -> None:
    assert token_f1(one, other, tokenizer) == token_f1(other, one, tokenizer)
    assert exact_match(one, other) == exact_match(other, one)
    both = all_rouge(one, other, tokenizer), all_rouge(other, one, tokenizer)
    for there, back in zip(both[0][:3], both[1][:3], strict=True):
        assert there == (back.recall, back.precision, back.fmeasure)


@given(ANY_TEXT, ANY_TEXT)
def test_an_exact_match_has_f1_1(one: str, other: str) -> None:
    for prediction, reference in ((one, other), (one, f"The {one.upper()}!"), (other, f" {other} a")):
        if exact_match(prediction, reference):
            assert token_f1(prediction, reference) == 1.0


@given(FEW_WORDS, FEW_WORDS)
def test_order_can_only_lower_a_score(prediction: str, reference: str) -> None:
    unordered = rouge_n_parts(prediction, reference, 1, "rouge")
    for metric in (rouge_l_parts, rouge_lsum_parts):
        ordered = metric(prediction, reference, "rouge")
        assert all(a <= b + 1e-12 for a, b in zip(ordered, unordered, strict=True))


@given(ANY_TEXT, st.lists(ANY_TEXT, min_size=1, max_size=4), ANY_TEXT, st.randoms(use_true_random=False))
def test_targets_have_no_order_and_another_one_never_hurts_the_best(
    prediction: str, targets: list[str], other: str, rng
) -> None:
    shuffled = rng.sample(targets, len(targets))
    for name, metric in METRICS.items():
        assert score(name, prediction, shuffled) == score(name, prediction, targets)
        assert score(name, prediction, targets[:1]) == score(name, prediction, targets[0])
        if metric.several == "best":
            best = max(score(name, prediction, target) for target in targets)
            assert score(name, prediction, targets) == best
            assert score(name, prediction, [*targets, other]) >= best


# --- what is refused -------------------------------------------------------------------------------------

TEXT, LIST, EMPTY = "must be a string, not ", "must be a string or a list of strings, not ", "is empty: "
WHOLE, POSITIVE = "must be a whole number of at least 1, not ", "beta must be a positive number, not "
NO_LIST, NO_WHOLE = (None, 7, b"red", {"red"}, {"red": 1}, iter(["red"])), (0, -1, 2.0, True, None, "1")
NO_BETA, NO_NAME = (0, -1, 0.0, math.nan, math.inf), ("Squad", "", None, 7, ["squad"])
ROUGES = (rouge_l, rouge_lsum, rouge_l_parts, rouge_lsum_parts)
ROUGES += (partial(rouge_n, n=1), partial(rouge_n_parts, n=2))
OVERLAPS = (token_f1, token_overlap, *ROUGES)
PAIRS = (exact_match, explain, *OVERLAPS)
CORPORA = (corpus_bleu, corpus_chrf)
SCORES = tuple(partial(score, name) for name in METRICS)


def unknown(what: str, table: object) -> str:
    """Return how the sentence about an unknown name reads."""
    return rf"unknown {what} .*; known: {re.escape(', '.join(table))}$"  # type: ignore[call-overload]


REFUSED = [  # how the sentence begins, the values, the calls
    (f"prediction {TEXT}", NO_TEXT, *(lambda x, f=f: f(x, "red") for f in (*PAIRS, *SCORES))),
    (f"prediction {TEXT}", NO_TEXT, *(lambda x, f=f: f(x, "red") for f in (accuracy, bleu, chrf))),
    (f"prediction {TEXT}", NO_TEXT, *(lambda x, f=f: f(["red", x], ["a", "b"]) for f in CORPORA)),
    (f"reference {TEXT}", NO_TEXT, *(lambda x, f=f: f("red", x) for f in PAIRS)),
    (f"target {TEXT}", NO_TEXT, lambda x: accuracy("red", x)),
    (f"text {TEXT}", NO_TEXT, normalize, lambda x: tokenize(x, "squad")),
    (rf"references\[1\] {TEXT}", NO_TEXT, lambda x: bleu("red", ["red", x])),
    (rf"targets\[1\] {TEXT}", NO_TEXT, *(lambda x, f=f: f("red", ["red", x]) for f in SCORES)),
    (f"references {LIST}", NO_LIST, *(lambda x, f=f: f(["red"], [x]) for f in CORPORA)),
    (f"references {LIST}", NO_LIST, lambda x: bleu("red", x)),
    (f"targets {LIST}", NO_LIST, *(lambda x, f=f: f("red", x) for f in SCORES)),
    (f"texts {LIST}", NO_LIST, lambda x: kept(x, "word")),
    (f"targets {EMPTY}", ([], ()), *(lambda x, f=f: f("red", x) for f in SCORES)),
    (f"references {EMPTY}", ([], ()), *(lambda x, f=f: f(["red"], [x]) for f in CORPORA)),
    (f"references {EMPTY}", ([], ()), lambda x: bleu("red", x)),
    ("predictions and references must be lists", ("red",), *(lambda x, f=f: f(x, ["red"]) for f in CORPORA)),
    ("predictions and references must be lists", ("red",), *(lambda x, f=f: f(["red"], x) for f in CORPORA)),
    ("2 predictions, but references for 1$", (["a", "b"],), *(lambda x, f=f: f(x, ["red"]) for f in CORPORA)),
    ("predictions is empty: (BLEU|chrF) needs", ([],), *(lambda x, f=f: f(x, []) for f in CORPORA)),
    (f"n {WHOLE}", NO_WHOLE, lambda x: rouge_n("", "", x), lambda x: rouge_n_parts("", "", x)),
    (f"max_order {WHOLE}", NO_WHOLE, lambda x: bleu("", "", max_order=x)),
    (f"char_order {WHOLE}", NO_WHOLE, lambda x: chrf("", "", char_order=x)),
    (f"word_order {WHOLE}", NO_WHOLE[1:], lambda x: chrf("", "", word_order=x)),
    (POSITIVE, NO_BETA, *(lambda x, f=f: f("", "", beta=x) for f in (*ROUGES, chrf))),
    (unknown("metric", METRICS), ("bleu", *NO_NAME), signature, lambda x: score(x, None, None)),
    (unknown("option", ["tokenizer"]), (2,), lambda x: signature("f1", beta=x)),
    (unknown("option", ["tokenizer"]), (2,), lambda x: score("f1", None, None, beta=x)),
    (unknown("tokenizer", TOKENIZERS), NO_NAME, lambda x: signature("f1", tokenizer=x)),
    (unknown("tokenizer", TOKENIZERS), NO_NAME, lambda x: score("f1", None, None, tokenizer=x)),
    (unknown("color", ["red"]), NO_NAME, lambda x: known("color", x, {"red": 1})),
]


@pytest.mark.parametrize("row", REFUSED)
def test_what_is_refused(row: tuple) -> None:
    sentence, values, *calls = row
    error = TypeError if "string" in sentence or "lists" in sentence else ValueError
    for call in calls:
        for value in values:
            with pytest.raises(error, match=f"^{sentence}"):
                call(value)


def test_a_value_is_named_by_its_type_and_shortened() -> None:
    with pytest.raises(TypeError, match=r"^text must be a string, not list \(\['xxx") as caught:
        normalize(["x" * 1000])
    assert len(str(caught.value)) < 120


NAMED = {  # what takes a name: each option, its table, the functions
    "tokenizer": (TOKENIZERS, (*OVERLAPS, bleu, corpus_bleu, tokenize, kept)),
    "smoothing": (SMOOTHINGS, (bleu, corpus_bleu)),
    "normalizer": (NORMALIZERS, (exact_match, chrf, corpus_chrf, normalize)),
}


@pytest.mark.parametrize("option", NAMED)
def test_an_unknown_name_is_refused_before_anything_else_is_looked_at(option: str) -> None:
    table, functions = NAMED[option]
    for function in functions:
        parameters = inspect.signature(function).parameters.values()
        others = {p.name: None for p in parameters if p.default is p.empty and p.name != option}
        for value in NO_NAME:
            with pytest.raises(ValueError, match=f"^{unknown(option, table)}"):
                function(**others, **{option: value})
