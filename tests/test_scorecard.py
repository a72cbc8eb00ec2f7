"""The scorecard: its numbers row by row, its flags, its files, and a gate that nothing slips through."""

import csv
import io
import itertools
import json
import os
import random
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessonlib.data import Answer, Item, load_answers, load_golden
from lessonlib.jsonl import DataError
from lessonlib.metrics import METRICS, Metric, exact_match, signature
from lessonlib.scorecard import (
    DEFAULT_METRICS,
    FORMATS,
    Scorecard,
    compare,
    flags,
    gate,
    load_scorecard,
    scorecard,
)

RUN_1 = [
    ("q1", "When you exceed the rate limit, Meridian returns HTTP status code 429.", 0, "0.17", "0.15"),
    ("q2", "The Pro plan allows 600 requests per minute.", 0, "0.73", "0.67"),
    ("q3", "The Pro plan costs $25 per month.", 0, "0.60", "0.55"),
    ("q4", "Backups on the Scale plan are retained for 90 days.", 0, "0.36", "0.33"),
    ("q5", "The Python SDK reads the MERIDIAN_API_KEY environment variable by default.", 0, "0.22", "0.40"),
    ("q6", "A 401 error means a missing or invalid API key.", 0, "0.77", "0.75"),
    (
        "q7",
        "The grace period is 24 hours. After 24 hours, the data and its backups are permanently purged.",
        0,
        "0.24",
        "0.21",
    ),
    (
        "q8",
        "Point-in-time recovery is available on the Scale plan only, within the retention window.",
        0,
        "0.43",
        "0.32",
    ),
]


def card_of(*rows, metrics=DEFAULT_METRICS, references="first"):
    """Return a scorecard of (prediction, references[, status]) rows with ids a, b, c."""
    golden, answers = [], []
    for name, (prediction, accepted, *status) in zip("abcdefgh", rows, strict=False):
        golden.append(Item(name, f"{name}?", (accepted,) if isinstance(accepted, str) else tuple(accepted)))
        answers.append(Answer(name, prediction, *status))
    return scorecard(golden, answers, metrics, references)


def card_with(**scores):
    """Return a scorecard whose F1 scores are given by id."""
    rows = [
        {"id": name, "prediction": "x", "reference": "x", "status": "ok", "f1": float(score)}
        for name, score in scores.items()
    ]
    return Scorecard(pd.DataFrame(rows), {"f1": "f1|made by hand"})


@pytest.fixture
def run1():
    return scorecard(load_golden(), load_answers("run1"))


@pytest.fixture
def registry(monkeypatch):
    """Return the table of metrics, to add to; afterwards it is as it was."""
    monkeypatch.setattr("lessonlib.metrics.METRICS", METRICS)
    before = dict(METRICS)
    yield METRICS
    METRICS.clear()
    METRICS.update(before)


# --- the numbers -----------------------------------------------------------------------------------------


def test_run_1_is_the_published_table_row_by_row(run1):
    rows = [
        (row["id"], row["prediction"], row["exact_match"], f"{row['f1']:.2f}", f"{row['rouge_l']:.2f}")
        for row in run1.table.to_dict(orient="records")
    ]
    assert rows == RUN_1
    assert {name: f"{mean:.2f}" for name, mean in run1.means().items()} == {
        "exact_match": "0.00",
        "f1": "0.44",
        "rouge_l": "0.42",
    }
    assert run1.metrics == ["exact_match", "f1", "rouge_l"]
    assert list(run1.table.columns) == ["id", "prediction", "reference", "status", *run1.metrics]
    assert set(run1.table["status"]) == {"ok"}


def test_means_are_the_mean_of_the_rows(run1):
    for name, mean in run1.means().items():
        assert mean == pytest.approx(sum(run1.table[name]) / 8, abs=1e-15)
    last = run1.with_means().iloc[-1]
    assert (last["id"], last["prediction"], last["f1"]) == ("mean", "", run1.means()["f1"])
    assert len(run1.with_means()) == 9
    assert len(run1.table) == 8


def test_a_failed_call_scores_0_even_against_an_empty_reference():
    card = card_of(
        ("", "", "error"), ("", ""), ("x", "x", "error"), ("", "", "refusal"), metrics=list(METRICS)
    )
    for name in METRICS:
        kept = 0 if name == "bleu_4" else 1  # BLEU has an empty rule of its own
        assert card.table[name].tolist() == [0, kept, 0, kept], name


def test_references_first_or_all():
    rows = [("one day", ["24 hours", "one day"]), ("24 hours", ["24 hours", "one day"]), ("x", ["y"])]
    first, best = card_of(*rows), card_of(*rows, references="all")
    assert first.table["f1"].tolist() == [0, 1, 0]
    assert best.table["f1"].tolist() == [1, 1, 0]
    assert best.table["reference"].tolist() == ["24 hours", "24 hours", "y"]
    assert first.signatures["f1"] == f"{signature('f1')}|targets:first"
    assert best.signatures["f1"] == f"{signature('f1')}|targets:all"


def test_best_of_all_references_lifts_the_course_run():
    golden, answers = load_golden(), load_answers("run1")
    first, best = (scorecard(golden, answers, references=choice) for choice in ("first", "all"))
    assert (best.table["f1"] >= first.table["f1"]).all()
    assert best.means()["f1"] > first.means()["f1"]


def test_rows_stand_in_golden_order_whatever_order_the_answers_have(run1):
    shuffled = load_answers("run1")
    random.Random(3).shuffle(shuffled)
    assert scorecard(load_golden(), shuffled).export("json") == run1.export("json")


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        (["f1", "bleu"], "unknown metric 'bleu'; known: exact_match, accuracy, f1, rouge_l, bleu_4"),
        (["F1"], "unknown metric 'F1'; known:"),
        ([None], "unknown metric None; known:"),
        (
            ["f1", "rouge_l", "f1"],
            "metrics must be different names, at least one, not ['f1', 'rouge_l', 'f1']",
        ),
        ([], "metrics must be different names, at least one, not []"),
    ],
)
def test_metrics_are_known_and_different(metrics, message):
    with pytest.raises(ValueError, match=r"metric") as caught:
        scorecard(load_golden(), load_answers(), metrics)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["id", "prediction", "reference", "status"])
def test_a_metric_of_your_own_cannot_overwrite_a_column(registry, name):
    registry[name] = Metric(exact_match, "norm:squad")
    with pytest.raises(ValueError, match=f"a metric cannot be called '{name}'"):
        scorecard(load_golden(), load_answers(), ["f1", name])


def test_a_metric_of_your_own_is_a_column_with_its_signature(registry):
    registry["same_length"] = Metric(lambda p, r: float(len(p) == len(r)), "len:chars")
    card = card_of(("ab", "cd"), ("abc", "cd"), metrics=["same_length"])
    assert card.table["same_length"].tolist() == [1, 0]
    assert card.signatures["same_length"].startswith("same_length|len:chars|")


@pytest.mark.parametrize("value", [float("nan"), 1.5, -0.1, float("inf")])
def test_a_metric_that_leaves_the_range_is_refused(registry, value):
    registry["odd"] = Metric(lambda p, r: value, "none")
    with pytest.raises(ValueError, match=r"metric 'odd' returned .*, which is not between 0 and 1"):
        card_of(("x", "x"), metrics=["odd"])


def test_nothing_to_score_and_unlike_ids_are_errors():
    with pytest.raises(ValueError, match=r"^the golden set is empty: there is nothing to score$"):
        scorecard([], [])
    with pytest.raises(DataError, match=r"missing: 'q8'"):
        scorecard(load_golden(), load_answers()[:-1])
    with pytest.raises(ValueError, match=r"^references must be one of first, all, not 'best'$"):
        scorecard(load_golden(), load_answers(), references="best")


# --- flags -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "reference", "names"),
    [
        # nothing to say: the answer is the reference, also in other clothes
        ("25 dollars per month", "25 dollars per month", []),
        ("The 25 Dollars, per month.", "25 dollars per month", []),
        ("", "", []),
        ("It does not support backups.", "It does not support backups.", []),
        # right and longer
        ("It costs 25 dollars per month.", "25 dollars per month", ["wordy"]),
        ("429 Too Many Requests", "429", ["wordy"]),
        # a negation on one side only
        ("not 25 dollars per month", "25 dollars per month", ["negated"]),
        ("25 dollars per month", "Not 25 dollars per month.", ["negated"]),
        ("Free plans never have backups", "Free plans have backups", ["negated"]),
        ("Free plans don't have backups", "Free plans have backups", ["negated"]),
        ("Free plans don\u2019t have backups", "Free plans have backups", ["negated"]),
        ("It shouldn't be purged", "It should be purged", ["negated"]),
        ("It hasn\u2019t been purged", "It has been purged", ["negated"]),
        # on both sides, in other words: no suspicion of a negation
        ("Free plans cannot have backups", "Free plans do not have backups", []),
        ("Free plans don't have backups", "Free plans do not have backups", []),
        # words that only look like one
        ("It costs a knot, an amount or a percent", "It costs", ["wordy"]),
        # another number
        ("26 dollars per month", "25 dollars per month", ["number changed"]),
        ("25.00 dollars per month", "25 dollars per month", []),
        ("$25 per month", "25 dollars per month", []),
        ("1,000 requests or 600 requests per minute", "600 requests per minute", ["wordy"]),
        ("dollars per month", "25 dollars per month", []),  # no number at all is another matter
        # the same words in another order
        ("month per dollars 25", "25 dollars per month", ["reordered"]),
        ("It means the API key is missing or invalid.", "A missing or invalid API key", ["reordered"]),
        # several at once
        ("not 26 dollars per month", "25 dollars per month", ["negated", "number changed"]),
    ],
)
def test_flags_say_what_to_look_at(prediction, reference, names):
    found = flags(card_of((prediction, reference)))
    assert [flag.name for flag in found] == names
    assert {flag.id for flag in found} <= {"a"}


@pytest.mark.parametrize("status", ["truncated", "refusal", "empty", "tool_use", "other", "error"])
def test_an_answer_that_is_no_complete_answer_is_flagged_as_failed_only(status):
    found = flags(card_of(("not 26", "25", status)))
    assert [(flag.name, flag.reason) for flag in found] == [("failed", f"the reply ended as {status!r}")]


def test_reasons_hold_the_words_and_numbers_they_speak_of():
    found = flags(card_of(("not 26 or 3.5 dollars", "25 dollars"), ("no dollars", "dollars"), ("x y", "x")))
    reasons = {(flag.id, flag.name): flag.reason for flag in found}
    assert reasons["a", "negated"] == "only the answer has 'not'"
    assert reasons["a", "number changed"] == "the answer has 3.5, 26, the reference 25"
    assert reasons["b", "negated"] == "only the answer has 'no'"
    assert reasons["c", "wordy"] == "the whole reference is there, and 1 more token"
    assert flags(card_of(("x", "no x")))[0].reason == "only the reference has 'no'"


def test_flags_look_at_the_first_reference_and_keep_table_order():
    card = card_of(
        ("one day", ["24 hours", "one day"]), ("not x", "x"), ("x", "x"), ("y x", "x"), references="all"
    )
    assert list(dict.fromkeys(flag.id for flag in flags(card))) == ["a", "b", "d"]


def test_flags_of_the_course_runs():
    golden = load_golden()
    for run in ("run1", "run2", "run3"):
        names = {flag.name for flag in flags(scorecard(golden, load_answers(run)))}
        assert not names & {"negated", "number changed", "failed"}, run


# --- files -----------------------------------------------------------------------------------------------

AWKWARD = [
    'a "quoted", comma | pipe',
    "two\nlines\r\nand\rmore",
    "back\\slash \\| <b>bold</b> & `code` *star* [link](x) $1$",
    "",
    "=1+1",
    "  spaces  ",
    "naïve – 今天 \U0001f600\u2028\x85",
    "NA",
]


def awkward():
    return card_of(*((text, [text, "other"]) for text in AWKWARD), metrics=["f1", "rouge_l", "bleu_4"])


def test_json_comes_back_exactly(tmp_path):
    for card in (awkward(), scorecard(load_golden(), load_answers("run2"), list(METRICS), "all")):
        path = tmp_path / "card.json"
        path.write_text(card.export("json"), encoding="utf-8", newline="\n")
        again = load_scorecard(path)
        assert again.export("json") == card.export("json")
        assert again.table.to_dict(orient="records") == card.table.to_dict(orient="records")
        assert again.signatures == card.signatures
        assert again.means() == card.means()
        assert compare(again, card)["change"].tolist() == [0.0] * len(card.metrics)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # an editor's byte order mark
        assert load_scorecard(path).means() == card.means()


def test_csv_comes_back_exactly(tmp_path):
    for card in (awkward(), scorecard(load_golden(), load_answers("run2"), list(METRICS), "all")):
        path = tmp_path / "card.csv"
        path.write_text(card.export("csv"), encoding="utf-8", newline="\n")
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        expected = card.table.to_dict(orient="records")
        assert [list(row) for row in rows] == [list(row) for row in expected]
        for row, wanted in zip(rows, expected, strict=True):
            for name, value in wanted.items():
                assert (float(row[name]) if name in card.metrics else row[name]) == value


@given(st.lists(st.text(st.characters(), max_size=12), min_size=1, max_size=6))
def test_any_answer_survives_csv_and_json(texts):
    """Whatever an answer holds, half a surrogate pair included."""
    card = card_of(*((text, "x") for text in texts), metrics=["f1"])
    rows = list(csv.reader(io.StringIO(card.export("csv"), newline="")))
    assert [row[1] for row in rows[1:]] == texts
    saved = card.export("json").encode("utf-8", "backslashreplace")
    assert [row["prediction"] for row in json.loads(saved)["items"]] == texts


def test_text_is_one_line_a_row_and_ends_with_means_and_signatures():
    lines = awkward().export("text").split("\n")
    assert lines[0] == "id      f1  rouge_l  bleu_4  prediction"
    assert lines[1].split()[0] == "a"
    assert lines[1].endswith(AWKWARD[0])
    assert lines[2].endswith("two lines and more")
    assert [line.split()[0] for line in lines[1:10]] == [*"abcdefgh", "mean"]
    assert lines[10] == ""
    assert lines[11:] == [*awkward().signatures.values(), ""]
    assert not any(line != line.rstrip() for line in lines)


def test_text_rounds_to_the_digits_asked_for(run1):
    assert run1.export("text").splitlines()[1].split()[:4] == ["q1", "0.00", "0.17", "0.15"]
    assert run1.export("text", digits=4).splitlines()[1].split()[:4] == ["q1", "0.0000", "0.1667", "0.1538"]
    assert run1.export("text").splitlines()[9].split() == ["mean", "0.00", "0.44", "0.42"]


def test_markdown_is_a_table_whatever_the_answers_hold():
    card = card_of(*((text, "x") for text in AWKWARD), metrics=["f1"])
    lines = card.export("markdown").split("\n")
    assert lines[:2] == ["| id | f1 | prediction |", "| --- | ---: | --- |"]
    assert lines[2] == '| a | 0.00 | a "quoted", comma \\| pipe |'
    assert lines[3] == "| b | 0.00 | two lines and more |"
    assert lines[4] == r"| c | 0.00 | back\\slash \\\| \<b>bold\</b> \& \`code\` \*star\* \[link](x) \$1\$ |"
    assert lines[10] == "| mean | 0.00 |  |"
    assert lines[11:] == ["", f"`{card.signatures['f1']}`", ""]


def test_an_unknown_format_is_an_error(run1):
    assert FORMATS == ("text", "markdown", "csv", "json")
    for form in ("html", "CSV", "", None):
        with pytest.raises(ValueError, match=r"^unknown format .*; known: text, markdown, csv, json$"):
            run1.export(form)


@pytest.fixture
def broken(tmp_path, run1):
    """Return a function that saves run 1 with a change made to its content, or other bytes."""

    def save(change):
        path = tmp_path / "card.json"
        if isinstance(change, bytes):
            path.write_bytes(change)
        else:
            content = json.loads(run1.export("json"))
            path.write_text(json.dumps(change(content) or content), encoding="utf-8")
        return path

    return save


def put(key, value):
    return lambda content: content["items"][2].update({key: value})


def drop(key):
    return lambda content: content["items"][2].pop(key) and None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (b"", "not a scorecard exported as JSON (JSONDecodeError: Expecting value"),
        (b"id,f1\nq1,0.5\n", "not a scorecard exported as JSON (JSONDecodeError"),
        (b"\xff\xfe{", "not a scorecard exported as JSON (UnicodeDecodeError"),
        (b"[" * 100_000, "not a scorecard exported as JSON (RecursionError"),
        (
            b'{"items": [], "items": [], "signatures": {}}',
            "not a scorecard exported as JSON (ValueError: field 'i",
        ),
        (lambda content: [1, 2], "not a scorecard exported as JSON (TypeError"),
        (
            lambda content: content.pop("items") and None,
            "not a scorecard exported as JSON (KeyError: 'items')",
        ),
        (
            lambda content: content.pop("signatures") and None,
            "not a scorecard exported as JSON (KeyError: 'sign",
        ),
        (
            lambda content: content.update(signatures=["f1"]),
            "not a scorecard exported as JSON (AttributeError",
        ),
        (lambda content: content.update(signatures={}), "not a scorecard exported as JSON (without metrics)"),
        (lambda content: content.update(items=[]), "not a scorecard exported as JSON (without ['id', 'predi"),
        (lambda content: content.update(items="rows"), "not a scorecard exported as JSON (ValueError"),
        (lambda content: content.update(items=[1, 2]), "not a scorecard exported as JSON (without ['id', "),
        (
            lambda content: content["signatures"].update(bleu_4="x"),
            "not a scorecard exported as JSON (without ['b",
        ),
        (
            put("f1", float("nan")),
            "not a scorecard exported as JSON (ValueError: field 'f1' holds a number that",
        ),
        (
            put("f1", float("inf")),
            "not a scorecard exported as JSON (ValueError: field 'f1' holds a number that",
        ),
        (put("f1", None), "the scores of 'f1' are not all numbers between 0 and 1"),
        (put("f1", "0.5"), "the scores of 'f1' are not all numbers between 0 and 1"),
        (put("f1", [0.5]), "the scores of 'f1' are not all numbers between 0 and 1"),
        (put("f1", 1.2), "the scores of 'f1' are not all numbers between 0 and 1"),
        (put("rouge_l", -0.1), "the scores of 'rouge_l' are not all numbers between 0 and 1"),
        (drop("f1"), "the scores of 'f1' are not all numbers between 0 and 1"),
        (drop("id"), "field 'id' is not a text in every item"),
        (put("id", 3), "field 'id' is not a text in every item"),
        (put("id", "q1"), "items stand twice: q1"),
        (drop("prediction"), "field 'prediction' is not a text in every item"),
        (put("status", None), "field 'status' is not a text in every item"),
        (
            lambda content: [row.update(f1=True) for row in content["items"]] and None,
            "the scores of 'f1' are not all numbers between 0 and 1",
        ),
        (
            lambda content: [row.pop("status") for row in content["items"]] and None,
            "not a scorecard exported as JSON (without ['status'])",
        ),
    ],
)
def test_what_is_no_scorecard_is_refused_in_one_sentence(broken, change, message):
    path = broken(change)
    with pytest.raises(DataError) as caught:
        load_scorecard(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


def test_a_scorecard_that_is_not_there_is_refused(tmp_path):
    for path in (tmp_path / "nowhere.json", tmp_path):
        with pytest.raises(
            DataError, match=r"not a scorecard exported as JSON \((FileNotFound|IsADirectory)Error"
        ):
            load_scorecard(path)


# --- comparing -------------------------------------------------------------------------------------------


def test_comparison_says_what_fell_and_rose_in_the_order_of_the_new_card():
    old = card_with(q2=0.5, q10=0.5, b=0.5, a=0.5)
    new = card_with(b=0.25, q10=1, a=0.25, q2=0.75)
    (row,) = compare(new, old).to_dict(orient="records")
    assert row == {
        "metric": "f1",
        "baseline": 0.5,
        "now": 0.5625,
        "change": 0.0625,
        "fell": "b a",
        "rose": "q10 q2",
    }


def test_comparison_of_the_course_runs():
    golden = load_golden()
    old, new = (scorecard(golden, load_answers(run)) for run in ("run1", "run3"))
    table = compare(new, old)
    assert table["metric"].tolist() == ["exact_match", "f1", "rouge_l"]
    assert (table["now"] > table["baseline"]).all()
    assert table["fell"].tolist() == ["", "", ""]
    assert table["rose"].iloc[0] == "q1 q2 q4 q5 q6 q7"  # "$25 per month" and "Scale plan only" do not match


def test_metric_names_that_look_alike_are_kept_apart(registry):
    registry["f1_before"] = Metric(lambda p, r: 0.25, "none")
    card = card_of(("x", "x"), metrics=["f1", "f1_before"])
    assert compare(card, card)["now"].tolist() == [1.0, 0.25]


def test_unlike_signatures_are_not_compared():
    rows = [("x", ["y", "x"])]
    with pytest.raises(
        ValueError, match=r"metric 'f1' is not comparable: .*targets:all in the baseline, .*first now"
    ):
        compare(card_of(*rows, metrics=["f1"]), card_of(*rows, metrics=["f1"], references="all"))
    for metrics, others in itertools.permutations([["f1"], ["f1", "rouge_l"]]):
        with pytest.raises(ValueError, match=r"metric 'rouge_l' is not comparable: .*None"):
            compare(card_of(*rows, metrics=metrics), card_of(*rows, metrics=others))


def test_unlike_ids_are_not_compared():
    with pytest.raises(ValueError, match=r"^items on one side only: b, c$"):
        compare(card_with(a=1, b=1), card_with(a=1, c=1))
    with pytest.raises(ValueError, match=r"^items on one side only: b$"):
        compare(card_with(a=1), card_with(a=1, b=1))


# --- the gate --------------------------------------------------------------------------------------------


def test_a_mean_below_its_minimum_stops_a_release(run1):
    assert gate(run1, {"f1": 0.43, "rouge_l": 0.42, "exact_match": 0}) == []
    assert gate(run1, {"f1": 0.5, "rouge_l": 0.42, "exact_match": 0.1}) == [
        "f1 is 0.4391, below the minimum of 0.5000",
        "exact_match is 0.0000, below the minimum of 0.1000",
    ]


def test_a_fall_against_the_baseline_stops_a_release():
    old = card_with(a=0.5, b=0.5)
    assert gate(card_with(a=0.5, b=0.25), baseline=old) == ["f1 fell from 0.5000 to 0.3750 (lower: b)"]
    assert gate(card_with(a=0.25, b=0.25), baseline=old) == ["f1 fell from 0.5000 to 0.2500 (lower: a b)"]
    assert gate(card_with(a=0.25, b=0.75), baseline=old) == []  # the mean is what is held
    assert gate(card_with(a=1, b=1), baseline=old) == []
    assert gate(old, baseline=old) == []


def test_tolerance_is_the_fall_that_is_still_accepted():
    old, new = card_with(a=0.4, b=0.4), card_with(a=0.3, b=0.3)
    assert gate(new, baseline=old, tolerance=0.1) == []  # 0.3 - 0.4 is -0.10000000000000003
    assert gate(new, baseline=old, tolerance=0.11) == []
    assert gate(new, baseline=old, tolerance=0.099) == ["f1 fell from 0.4000 to 0.3000 (lower: a b)"]


def test_rounding_alone_is_no_fall():
    assert gate(card_with(a=0.7, b=0.7, c=0.7), {"f1": 0.7}) == []  # the mean is 0.6999999999999998
    scores = {f"i{n}": 1 / n for n in range(3, 60)}
    names = list(scores)
    for seed in range(50):
        random.Random(seed).shuffle(names)
        card = card_with(**{name: scores[name] for name in names})
        assert gate(card, baseline=card_with(**scores)) == []


def test_minimum_and_baseline_both_hold():
    old, new = card_with(a=0.5), card_with(a=0.4)
    assert gate(new, {"f1": 0.45}, old) == [
        "f1 is 0.4000, below the minimum of 0.4500",
        "f1 fell from 0.5000 to 0.4000 (lower: a)",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "a gate needs a minimum or a baseline"),
        ({"minimums": {}}, "a gate needs a minimum or a baseline"),
        ({"tolerance": 0.1}, "a gate needs a minimum or a baseline"),
        ({"minimums": {"bleu_4": 0.1}}, "unknown metric 'bleu_4'; known: exact_match, f1, rouge_l"),
        ({"minimums": {"f1": float("nan")}}, "f1 must be between 0 and 1, not nan"),
        ({"minimums": {"f1": 44}}, "f1 must be between 0 and 1, not 44"),
        ({"minimums": {"f1": -0.1}}, "f1 must be between 0 and 1, not -0.1"),
        ({"minimums": {"f1": 0.1}, "tolerance": float("nan")}, "tolerance must be between 0 and 1, not nan"),
        ({"minimums": {"f1": 0.1}, "tolerance": -1}, "tolerance must be between 0 and 1, not -1"),
        ({"minimums": {"tolerance": float("nan")}}, "tolerance must be between 0 and 1, not nan"),
    ],
)
def test_a_gate_that_could_not_fail_is_an_error(run1, arguments, message):
    with pytest.raises(ValueError, match=r".") as caught:
        gate(run1, **arguments)
    assert str(caught.value) == message


def test_a_baseline_of_another_kind_is_an_error_and_no_pass(run1):
    with pytest.raises(ValueError, match=r"is not comparable"):
        gate(run1, baseline=card_with(q1=0.1))


# --- the same everywhere ---------------------------------------------------------------------------------

PROGRAM = """
import sys
from lessonlib.data import load_answers, load_golden
from lessonlib.scorecard import FORMATS, flags, scorecard
from lessonlib.metrics import METRICS
card = scorecard(load_golden(), load_answers("run2"), list(METRICS), "all")
for form in FORMATS:
    sys.stdout.buffer.write(card.export(form).encode("utf-8"))
sys.stdout.buffer.write(repr(flags(card)).encode("utf-8"))
"""


def test_the_same_bytes_under_any_hash_seed_locale_time_zone_and_folder(tmp_path):
    settings = [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Asia/Tokyo"},
        {"PYTHONHASHSEED": "2", "LC_ALL": "tr_TR.UTF-8", "TZ": "America/Lima"},
    ]
    outputs = set()
    for n, setting in enumerate(settings):
        folder = tmp_path / str(n)
        folder.mkdir()
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, **setting},
            cwd=folder,
            capture_output=True,
            check=True,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1
    assert outputs.pop().count(b"HTTP 429.") == len(FORMATS)
