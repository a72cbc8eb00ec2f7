"""Exact match, accuracy, token F1, ROUGE and the registry: by hand, their errors, and what always holds."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lessonlib
from lessonlib import (
    METRICS,
    accuracy,
    exact_match,
    rouge_l,
    rouge_lsum,
    rouge_n,
    score,
    signature,
    token_f1,
    token_overlap,
)
from lessonlib.bleu import bleu, corpus_bleu
from lessonlib.counting import lcs_length, lcs_path, lcs_table, ngrams, overlap_size
from lessonlib.metrics import Metric, Rouge, rouge_l_parts, rouge_lsum_parts, rouge_n_parts
from lessonlib.text import NORMALIZERS, TOKENIZERS, scored_tokens

EXACT = settings(max_examples=120, deadline=None, derandomize=True, database=None)
WORDS = st.lists(st.sampled_from(["red", "green", "blue", "the", "Red,", "reds", "\n"]), max_size=9)
FEW_WORDS = WORDS.map(" ".join)
ANY_TEXT = st.one_of(FEW_WORDS, st.text(st.characters(), max_size=20))
TOKENIZER = st.sampled_from(list(TOKENIZERS))
LETTERS = st.text("abcd", max_size=12)
NO_TEXT = [None, 7, 2.5, True, b"red", ["red"], ("red",), {"red"}]

# --- exact match and accuracy ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "reference", "normalizer", "expected"),
    [
        ("The Northern Line.", "northern line", "squad", 1),
        ("northern line", "Northern Line", "raw", 0),
        (" northern line\n", "northern line", "strip", 1),
        ("Northern Line", "northern line", "lower", 1),
        ("the northern line", "northern line", "lower", 0),
        ("HTTP 503.", "503", "squad", 0),  # formatting is forgiven, more words are not
        ("36-month", "36 month", "squad", 0),
        ("36-month", "36month", "squad", 1),
        ("36-month", "36 month", "unicode", 1),
        ("8.5", "85", "squad", 1),  # what deleting punctuation costs
        ("8.5", "85", "unicode", 0),
        ("The", "An", "squad", 1),  # both vanish
        ("An", "No", "squad", 0),  # only one does
        ("9\u00a0pm", "9 pm", "squad", 1),
        ("30\n", "30", "squad", 1),
        ("30\n\nNext question: what else", "30", "squad", 0),
        ("明日は雪", "明日は雪", "squad", 1),
        ("", "", "squad", 1),
        ("", "x", "squad", 0),
    ],
)
def test_exact_match(prediction: str, reference: str, normalizer: str, expected: int) -> None:
    assert exact_match(prediction, reference, normalizer) == expected
    assert exact_match(reference, prediction, normalizer) == expected


@pytest.mark.parametrize(
    ("prediction", "target", "expected"),
    [("B", " B\n", 1), ("b", "B", 0), ("B.", "B", 0), ("", "  ", 1), ("entails", "entailed", 0)],
)
def test_accuracy(prediction: str, target: str, expected: int) -> None:
    assert accuracy(prediction, target) == expected


# --- token F1 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("It takes 3 days.", "3 days", 2 * 2 / (4 + 2)),
        ("ping ping ping ping", "ping", 2 * 1 / (4 + 1)),  # as a multiset: a set would say 1.0
        ("go go go", "go go go", 1.0),
        ("stop stop go", "stop go go", 2 * 2 / 6),  # each word as often as both have it
        ("tea before bread", "bread before tea", 1.0),  # no order
        ("36-month", "36 month", 0.0),  # one glued token
        ("雪が降る", "雪が降った", 0.0),  # no spaces: one token each
        ("9\u200b pm", "9 pm", 0.5),
        ("30\n\nNext question: what else", "30", 2 * 1 / (5 + 1)),
        ("The", "An", 1.0),  # both without tokens
        ("The", "tea", 0.0),
        ("?!", "...", 1.0),
        ("", "", 1.0),
        ("", "tea", 0.0),
    ],
)
def test_token_f1(prediction: str, reference: str, expected: float) -> None:
    assert token_f1(prediction, reference) == pytest.approx(expected, abs=1e-12)
    assert token_f1(reference, prediction) == pytest.approx(expected, abs=1e-12)


def test_token_f1_depends_on_the_tokenizer() -> None:
    assert token_f1("雪が降る", "雪が降った", "char") == pytest.approx(2 * 3 / (4 + 5))
    assert token_f1("36-month", "36 month", "word") == 1.0
    answer, reference = "Paid within a week of the order.", "a week after the order"
    assert token_f1(answer, reference) == pytest.approx(2 * 2 / (5 + 3))  # week, order
    assert token_f1(answer, reference, "word") == pytest.approx(2 * 4 / (7 + 5))  # a and the as well


def test_token_overlap_names_the_tokens() -> None:
    result = token_overlap("No, no, the fee is 5 euros", "the fee is no 9 euros now")
    assert result.matched == ("no", "fee", "is", "euros")
    assert result.extra == ("no", "5")
    assert result.missing == ("9", "now")
    assert (result.precision, result.recall) == (4 / 6, 4 / 6)
    assert result.f1 == token_f1("No, no, the fee is 5 euros", "the fee is no 9 euros now")


def test_token_overlap_reads_as_fractions() -> None:
    shown = str(token_overlap("fee of 5 euros", "5 euros now"))
    assert shown.splitlines() == [
        "precision 2/4 = 0.50   recall 2/3 = 0.67   F1 = 0.57",
        "matched: 5 euros",
        "extra: fee of",
        "missing: now",
    ]
    assert "extra: -" in str(token_overlap("euros", "euros"))


def test_token_overlap_keeps_the_empty_rule() -> None:
    assert token_overlap("", "the")[:3] == (1.0, 1.0, 1.0)
    assert token_overlap("", "tea") == (0.0, 0.0, 0.0, (), (), ("tea",))


@given(ANY_TEXT, ANY_TEXT, TOKENIZER)
@EXACT
def test_token_overlap_is_token_f1_taken_apart(prediction: str, reference: str, tokenizer: str) -> None:
    result = token_overlap(prediction, reference, tokenizer)
    assert result.f1 == pytest.approx(token_f1(prediction, reference, tokenizer), abs=1e-12)
    assert sorted(result.matched + result.extra) == sorted(scored_tokens(prediction, tokenizer))
    assert sorted(result.matched + result.missing) == sorted(scored_tokens(reference, tokenizer))
    assert not set(result.extra) & set(result.missing)  # what both had left would be a match


# --- ROUGE -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "reference", "tokenizer", "expected"),
    [
        ("go go go stop", "go stop", "rouge", (2 / 4, 2 / 2, 4 / 6)),
        ("Good Morning, Oslo!", "good morning oslo", "rouge", (1.0, 1.0, 1.0)),
        ("2,500", "2 500", "rouge", (1.0, 1.0, 1.0)),  # a comma separates
        ("7.1", "1 7", "rouge", (1 / 2, 1 / 2, 1 / 2)),  # and a point; order counts
        ("we're", "were", "rouge", (0.0, 0.0, 0.0)),
        ("pass\\nfail", "pass\nfail", "rouge", (1 / 2, 1 / 2, 1 / 2)),  # a backslash is no line end
        ("the birds were singing", "the bird was singing", "rouge", (2 / 4, 2 / 4, 2 / 4)),
        ("the birds were singing", "the bird was singing", "rouge_stem", (3 / 4, 3 / 4, 3 / 4)),
        ("ha it he as", "has its hes as", "rouge_stem", (1 / 4, 1 / 4, 1 / 4)),  # short words keep their s
        ("большое спасибо", "большое яблоко", "word", (1 / 2, 1 / 2, 1 / 2)),
        ("naïve", "na ve", "rouge", (0.0, 0.0, 0.0)),  # rouge_score drops what is not a-z: a false match
        ("naïve", "na ve", "word", (0.0, 0.0, 0.0)),
        ("", "", "rouge", (1.0, 1.0, 1.0)),
        ("", "tea", "rouge", (0.0, 0.0, 0.0)),
    ],
)
def test_rouge_l(prediction: str, reference: str, tokenizer: str, expected: tuple[float, ...]) -> None:
    assert rouge_l_parts(prediction, reference, tokenizer) == pytest.approx(expected, abs=1e-12)
    assert rouge_l(prediction, reference, tokenizer) == pytest.approx(expected[2], abs=1e-12)
    precision, recall, fmeasure = expected
    assert rouge_l_parts(reference, prediction, tokenizer) == pytest.approx((recall, precision, fmeasure))


def test_rouge_l_stems_by_default() -> None:
    assert rouge_l("jumping dogs", "jumped dog") == 1.0


def test_beta_weighs_recall() -> None:
    # Precision 1, recall 1/4: F-beta = (1 + b^2) / (1/4 + b^2) * 1/4.
    pair = ("harbour", "the harbour at night")
    assert rouge_l_parts(*pair) == (1.0, 0.25, 0.4)
    assert rouge_l(*pair, beta=2.0) == pytest.approx(5 * 0.25 / (0.25 + 4))
    assert rouge_l(*pair, beta=0.5) == pytest.approx(1.25 * 0.25 / (0.25 + 0.25))
    assert rouge_l(*pair, beta=1e9) == pytest.approx(0.25)  # recall alone
    assert rouge_l(*pair, beta=1e-9) == pytest.approx(1.0)  # precision alone
    assert rouge_l(*pair, beta=1e300) == pytest.approx(0.25)
    assert rouge_l(*pair, beta=1e-300) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("n", "expected"),
    [(1, (4 / 5, 4 / 4, 8 / 9)), (2, (2 / 4, 2 / 3, 4 / 7)), (3, (0.0, 0.0, 0.0)), (9, (0.0, 0.0, 0.0))],
)
def test_rouge_n(n: int, expected: tuple[float, ...]) -> None:
    # Pairs: cold-wind wind-blows blows-from from-north against blows-from cold-wind and one more.
    pair = ("cold wind blows from north", "blows from cold wind")
    assert rouge_n_parts(*pair, n, "rouge") == pytest.approx(expected, abs=1e-12)
    assert rouge_n(*pair, n, "rouge") == pytest.approx(expected[2], abs=1e-12)


def test_rouge_n_counts_a_pair_as_often_as_both_have_it() -> None:
    assert rouge_n_parts("a b a b a b", "a b a b", 2, "rouge") == pytest.approx((3 / 5, 1.0, 6 / 8))


def test_rouge_n_of_a_text_too_short_for_an_ngram_is_zero_though_equal() -> None:
    assert rouge_n_parts("tea", "tea", 2) == (0.0, 0.0, 0.0)
    assert rouge_n_parts("", "", 2) == (1.0, 1.0, 1.0)


def test_rouge_lsum_looks_at_lines_and_rouge_l_does_not() -> None:
    one, other = "rain fell.\nwind blew.", "wind blew.\nrain fell."
    assert rouge_lsum(one, other) == 1.0
    assert rouge_l(one, other) == 0.5
    assert rouge_lsum(one.replace("\n", " "), other.replace("\n", " ")) == 0.5


def test_rouge_lsum_takes_the_union_over_the_lines_of_the_prediction() -> None:
    # Against "p q r s t": line one shares p q, line two p r t; the union p q r t is 4 of 5. The prediction
    # has 9 tokens.
    prediction = "p q x y\np r z t v"
    assert rouge_lsum_parts(prediction, "p q r s t", "rouge") == pytest.approx((4 / 9, 4 / 5, 8 / 14))


def test_rouge_lsum_counts_a_token_of_the_prediction_once() -> None:
    # Both lines of the reference claim the one "tide".
    assert rouge_lsum_parts("tide", "tide\ntide", "rouge") == pytest.approx((1.0, 1 / 2, 2 / 3))


@pytest.mark.parametrize("beta", [0, -1, 0.0, float("nan"), float("inf")])
def test_beta_must_be_positive(beta: float) -> None:
    for call in (rouge_l, rouge_lsum, rouge_l_parts, rouge_lsum_parts):
        with pytest.raises(ValueError, match=r"^beta must be a positive number"):
            call("tea", "tea", beta=beta)
    with pytest.raises(ValueError, match=r"^beta must be a positive number"):
        rouge_n("", "", 1, beta=beta)


@pytest.mark.parametrize("n", [0, -2, 1.0, True, None, "1"])
def test_n_must_be_a_whole_number(n: int) -> None:
    for call in (rouge_n, rouge_n_parts):
        with pytest.raises(ValueError, match=r"^n must be a whole number of at least 1"):
            call("tea", "tea", n)


# --- counting --------------------------------------------------------------------------------------------


def test_ngrams() -> None:
    assert ngrams(["x", "y", "x"], 1) == [("x",), ("y",), ("x",)]
    assert ngrams(["x", "y", "x"], 2) == [("x", "y"), ("y", "x")]
    assert ngrams(["x", "y", "x"], 4) == []


def test_overlap_size_of_multisets() -> None:
    assert overlap_size("aab", "abb") == 2
    assert overlap_size("aaa", "a") == overlap_size("a", "aaa") == 1
    assert overlap_size("", "a") == 0


def test_lcs_by_hand() -> None:
    assert lcs_table("ace", "abc") == [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 1, 2], [0, 1, 1, 2]]
    assert lcs_length("ace", "abc") == 2
    assert lcs_path("ace", "abc") == [(0, 0), (1, 2)]
    assert lcs_path("ab", "ba") == [(0, 1)]  # a tie: the last of the first list is dropped
    assert lcs_length("", "abc") == lcs_length("abc", "") == 0
    assert lcs_path("", "abc") == []


@given(LETTERS, LETTERS)
@EXACT
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
    assert rouge_l("ab " * 3_000, "ab " * 3_000) == 1.0
    assert rouge_l("ab " * 3_000, "cd " * 3_000) == 0.0


# --- score() and signatures ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "prediction", "targets", "expected"),
    [
        ("exact_match", "The 3rd platform.", "3rd platform", 1.0),
        ("exact_match", "platform 3", ["platform 4", "Platform 3!"], 1.0),
        ("exact_match", "platform", "p", 0.0),  # a bare string is one target, not eight letters
        ("accuracy", "yes", ["Yes", " yes "], 1.0),
        ("f1", "on platform 3", ["gate 9", "platform 3", "the platform"], 2 * 2 / (3 + 2)),
        ("rouge_l", "trains leaving soon", ["soon", "train leaves"], 2 * 2 / (3 + 2)),
        ("bleu_4", "the late train left at noon", "the late train left at noon", 1.0),
        ("bleu_4", "red", "blue", 0.0),
    ],
)
def test_score(metric: str, prediction: str, targets: str | list[str], expected: float) -> None:
    result = score(metric, prediction, targets)
    assert result == pytest.approx(expected, abs=1e-12)
    assert type(result) is float


def test_bleu_takes_several_targets_together() -> None:
    prediction, targets = "red sky at night tonight", ["red sky at dawn", "grey sky at night tonight"]
    assert score("bleu_4", prediction, targets) == bleu(prediction, targets).score
    assert score("bleu_4", prediction, targets) > max(
        score("bleu_4", prediction, target) for target in targets
    )


@pytest.mark.parametrize("name", ["bleu", "F1", "", None, 7, ["f1"]])
def test_an_unknown_metric_is_refused_before_the_data_are_looked_at(name: str) -> None:
    message = re.escape(f"unknown metric {name!r}; known: {', '.join(METRICS)}")
    with pytest.raises(ValueError, match=message):
        score(name, None, None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message):
        signature(name)


@pytest.mark.parametrize("metric", ["exact_match", "accuracy", "f1", "rouge_l", "bleu_4"])
def test_what_score_refuses(metric: str) -> None:
    for value in NO_TEXT:
        with pytest.raises(TypeError, match=r"^prediction must be a string, not "):
            score(metric, value, ["red"])  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"^targets\[1\] must be a string, not "):
            score(metric, "red", ["red", value])  # type: ignore[list-item]
    for value in (None, 7, b"red", {"red"}):
        with pytest.raises(TypeError, match=r"^targets must be a string or a list of strings, not "):
            score(metric, "red", value)  # type: ignore[arg-type]
    for empty in ([], ()):
        with pytest.raises(ValueError, match=r"^targets is empty"):
            score(metric, "red", empty)


@pytest.mark.parametrize(
    "function",
    [
        *(exact_match, token_f1, token_overlap, rouge_l, rouge_lsum, rouge_l_parts, rouge_lsum_parts),
        lambda p, r, *name: rouge_n(p, r, 1, *name),
        lambda p, r, *name: rouge_n_parts(p, r, 2, *name),
    ],
)
def test_what_every_metric_refuses(function) -> None:
    for value in NO_TEXT:
        with pytest.raises(TypeError, match=r"^prediction must be a string, not "):
            function(value, "red")
        with pytest.raises(TypeError, match=r"^reference must be a string, not "):
            function("red", value)
    names = NORMALIZERS if function is exact_match else TOKENIZERS
    with pytest.raises(ValueError, match=rf"unknown \w+ 'words'; known: {', '.join(names)}$"):
        function(None, None, "words")


def test_accuracy_refuses_what_is_no_text() -> None:
    for value in NO_TEXT:
        with pytest.raises(TypeError, match=r"^prediction must be a string, not "):
            accuracy(value, "B")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"^target must be a string, not "):
            accuracy("B", value)  # type: ignore[arg-type]


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
    texts = "down up", "up down"
    assert (
        score("bleu_4", *texts, smoothing="exp", max_order=2)
        == bleu(*texts, smoothing="exp", max_order=2).score
    )
    assert "|order:2|smooth:exp|eff:yes|" in signature(
        "bleu_4", max_order=2, smoothing="exp", effective_order=True
    )
    assert METRICS["rouge_l"].settings() == {"tokenizer": "rouge_stem", "beta": 1.0}
    assert (
        METRICS["rouge_l"].with_options(beta=2).with_options(tokenizer="word").full_contract()
        == "tok:word|beta:2"
    )
    assert METRICS["rouge_l"].full_contract() == "tok:rouge_stem|beta:1"  # and stays as it was


def test_an_option_that_a_metric_does_not_have_is_refused() -> None:
    for function in (lambda *options, **named: score("f1", None, None, **named), signature):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"^unknown option 'beta'; known: tokenizer$"):
            function("f1", beta=2)
        with pytest.raises(ValueError, match=r"^unknown tokenizer 'words'; known: squad, "):
            function("f1", tokenizer="words")


def test_the_contract_of_a_corpus_shows_that_it_is_not_smoothed() -> None:
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
    version = lessonlib.__version__
    assert {name: signature(name) for name in METRICS} == {
        "exact_match": f"exact_match|norm:squad|refs:best|empty:both=1,one=0|v:{version}",
        "accuracy": f"accuracy|norm:strip|refs:best|empty:both=1,one=0|v:{version}",
        "f1": f"f1|tok:squad|refs:best|empty:both=1,one=0|v:{version}",
        "rouge_l": f"rouge_l|tok:rouge_stem|beta:1|refs:best|empty:both=1,one=0|v:{version}",
        "bleu_4": "bleu_4|tok:word|order:4|smooth:add-one|eff:no|len:closest|refs:joint|empty:any=0"
        f"|v:{version}",
        "chrf": f"chrf|char:6|word:0|beta:2|norm:raw|refs:best|empty:any=0|v:{version}",
        "chrf++": f"chrf++|char:6|word:2|beta:2|norm:raw|refs:best|empty:any=0|v:{version}",
    }
    assert len({signature(name) for name in METRICS}) == len(METRICS)


@pytest.mark.parametrize("name", ["exact_match", "accuracy", "f1", "rouge_l", "bleu_4"])
def test_signatures_tell_the_truth_about_empty_texts(name: str) -> None:
    both, one = (0.0, 0.0) if "empty:any=0" in signature(name) else (1.0, 0.0)
    assert score(name, "", "") == both
    assert score(name, "", "tea") == score(name, "tea", "") == one


def test_the_mean_of_scores_repeats() -> None:
    pairs = [
        ("on time", "on time"),
        ("late again", "late"),
        ("cancelled", "on time"),
        ("left on time", "on time"),
    ]
    means = [sum(score("f1", p, r) for p, r in pairs) / len(pairs) for _ in range(3)]
    assert means[0] == means[1] == means[2] == pytest.approx((1 + 2 / 3 + 0 + 4 / 5) / 4, abs=1e-15)


# --- what holds for all texts ----------------------------------------------------------------------------


@given(ANY_TEXT, ANY_TEXT, TOKENIZER, st.floats(1e-3, 1e3))
@EXACT
def test_every_score_is_between_0_and_1(prediction: str, reference: str, tokenizer: str, beta: float) -> None:
    assert 0 <= token_f1(prediction, reference, tokenizer) <= 1
    for parts in all_rouge(prediction, reference, tokenizer, beta):
        low, high = sorted(parts[:2])
        assert 0 <= low <= high <= 1
        assert (low - 1e-12 <= parts.fmeasure <= high + 1e-12) or parts.fmeasure == low == 0
        assert parts.fmeasure <= 1
    for name in ("exact_match", "accuracy", "f1", "rouge_l", "bleu_4"):
        assert 0 <= score(name, prediction, reference) <= 1


def all_rouge(prediction: str, reference: str, tokenizer: str, beta: float = 1.0) -> list[Rouge]:
    """Return ROUGE-1, -2, -L and -Lsum."""
    return [
        rouge_n_parts(prediction, reference, 1, tokenizer, beta),
        rouge_n_parts(prediction, reference, 2, tokenizer, beta),
        rouge_l_parts(prediction, reference, tokenizer, beta),
        rouge_lsum_parts(prediction, reference, tokenizer, beta),
    ]


@given(ANY_TEXT, TOKENIZER, st.floats(1e-300, 1e300))
@EXACT
def test_an_equal_answer_scores_exactly_one(text: str, tokenizer: str, beta: float) -> None:
    assert exact_match(text, text) == accuracy(text, text) == 1
    assert token_f1(text, text, tokenizer) == 1.0
    assert rouge_n(text, text, 1, tokenizer, beta) == 1.0
    assert rouge_l_parts(text, text, tokenizer, beta) == (1.0, 1.0, 1.0)
    assert rouge_lsum(text, text, tokenizer, beta) == 1.0


@given(ANY_TEXT, ANY_TEXT, TOKENIZER)
@EXACT
def test_f1_is_symmetric_and_so_is_rouge_at_beta_1(one: str, other: str, tokenizer: str) -> None:
    assert token_f1(one, other, tokenizer) == token_f1(other, one, tokenizer)
    for there, back in zip(
        all_rouge(one, other, tokenizer)[:3], all_rouge(other, one, tokenizer), strict=False
    ):
        assert there == (back.recall, back.precision, back.fmeasure)


@given(ANY_TEXT, ANY_TEXT)
@EXACT
def test_an_exact_match_has_f1_1(one: str, other: str) -> None:
    for prediction, reference in ((one, other), (one, f"The {one.upper()}!"), (other, f" {other} a")):
        if exact_match(prediction, reference):
            assert token_f1(prediction, reference) == 1.0


@given(FEW_WORDS, FEW_WORDS)
@EXACT
def test_order_can_only_lower_a_score(prediction: str, reference: str) -> None:
    unordered = rouge_n_parts(prediction, reference, 1, "rouge")
    for ordered in (
        rouge_l_parts(prediction, reference, "rouge"),
        rouge_lsum_parts(prediction, reference, "rouge"),
    ):
        assert all(a <= b + 1e-12 for a, b in zip(ordered, unordered, strict=True))


@given(ANY_TEXT, st.lists(ANY_TEXT, min_size=1, max_size=4), ANY_TEXT, st.randoms(use_true_random=False))
@EXACT
def test_targets_have_no_order_and_another_one_never_hurts_the_best(
    prediction: str, targets: list[str], other: str, rng
) -> None:
    shuffled = rng.sample(targets, len(targets))
    for name in ("exact_match", "accuracy", "f1", "rouge_l", "bleu_4"):
        assert score(name, prediction, shuffled) == score(name, prediction, targets)
        assert score(name, prediction, targets[:1]) == score(name, prediction, targets[0])
        if name != "bleu_4":
            best = max(score(name, prediction, target) for target in targets)
            assert score(name, prediction, targets) == best
            assert score(name, prediction, [*targets, other]) >= best
