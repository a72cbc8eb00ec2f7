"""Lesson 5: what it builds equals the package, and the figures it tells are what the package computes."""

import random

import pytest
from lesson_files import ROOT, functions, gaps, read

from lessonlib import METRICS, exact_match, rouge_l, score, stats, token_f1, token_overlap
from lessonlib.data import Answer, Item, load_answers, load_golden, pair
from lessonlib.docent import RecordedClient, run_docent
from lessonlib.exercises import check
from lessonlib.metrics import Metric
from lessonlib.numeric import extract_numbers, numeric_match
from lessonlib.scorecard import compare, flags, gate, load_scorecard, scorecard
from lessonlib.summary import noise_lines, significant
from lessonlib.text import rouge_tokens

LESSON = "05_scorecard"
WORDS = [
    "the",
    "a",
    "plan",
    "plans",
    "25",
    "$25",
    "24-hour",
    "hours",
    "MERIDIAN_API_KEY",
    "key",
    "keys",
    "not",
]
WORDS += ["invalid,", "missing", "costs", "requests", "429.", "..."]  # letters that rouge_score sees


def random_text(rng):
    return " ".join(rng.choices(WORDS, k=rng.randrange(9)))


@pytest.fixture(scope="module")
def cards():
    golden = load_golden()
    return {run: scorecard(golden, load_answers(run)) for run in ("run1", "run2", "run3")}


# --- built from scratch ----------------------------------------------------------------------------------


def test_the_gaps_make_what_the_lesson_goes_on_with():
    made = gaps(LESSON, "package_rouge_l", "mean_over", "score_row", "naive_flag", "agreement")
    rng = random.Random(5)
    for _ in range(300):
        prediction, reference = random_text(rng), random_text(rng)
        if rouge_tokens(prediction) or rouge_tokens(reference):
            ours = rouge_l(prediction, reference)
            assert made["package_rouge_l"](prediction, reference) == pytest.approx(ours, abs=1e-12)
        accepted, right = rng.choices([True, False], k=7), rng.choices([True, False], k=7)
        assert made["agreement"](accepted, right) == pytest.approx(stats.agreement(accepted, right).agreement)
    golden, card = load_golden(), scorecard(load_golden(), load_answers("run1"))
    for row in card.rows:
        assert made["score_row"](row["prediction"], row["reference"]) == {m: row[m] for m in card.metrics}
    scores = {row["id"]: row["f1"] for row in card.rows}
    assert made["mean_over"]([item.id for item in golden], scores) == pytest.approx(card.means()["f1"])


def test_a_line_that_breaks_costs_one_more_call(tmp_path):
    cells = {cell.id: cell.source for cell in read(ROOT / "notebooks" / f"{LESSON}.ipynb").cells}
    scope: dict = {}
    exec(cells["flaky"], scope)
    golden, answers = load_golden(), load_answers("run1")
    client = scope["Flaky"](RecordedClient(golden, answers), fails_at=4)
    out = tmp_path / "answers.jsonl"
    broken = run_docent(golden, client, {}, out)
    assert [answer.status for answer in broken] == ["ok"] * 3 + ["error"] + ["ok"] * 4
    assert scorecard(golden, broken).means()["f1"] == pytest.approx(0.39, abs=0.005)
    assert run_docent(golden, client, {}, out) == answers
    assert client.calls == 9


# --- figures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "reference", "em", "f1", "rouge"),
    [
        ("429", "429", 1, 1.00, 1.00),
        ("The Pro plan allows 600 requests per minute.", "600 requests per minute", 0, 0.73, 0.67),
        ("It costs 25 dollars per month.", "25 dollars per month", 0, 0.80, 0.80),
        ("It means the API key is missing or invalid.", "A missing or invalid API key", 0, 0.77, 0.40),
    ],
)
def test_sanity_rows(prediction, reference, em, f1, rouge):
    assert exact_match(prediction, reference) == em
    assert round(token_f1(prediction, reference), 2) == f1
    assert round(rouge_l(prediction, reference), 2) == rouge


def test_run_1_row_by_row(cards):
    wanted = {
        "q1": (0, 0.17, 0.15),
        "q2": (0, 0.73, 0.67),
        "q3": (0, 0.60, 0.55),
        "q4": (0, 0.36, 0.33),
        "q5": (0, 0.22, 0.40),
        "q6": (0, 0.77, 0.75),
        "q7": (0, 0.24, 0.21),
        "q8": (0, 0.43, 0.32),
        "mean": (0, 0.44, 0.42),
    }
    rows = [*cards["run1"].rows, {"id": "mean", **cards["run1"].means()}]
    assert {row["id"]: tuple(round(row[m], 2) for m in cards["run1"].metrics) for row in rows} == wanted


def test_the_other_runs_and_best_of(cards):
    golden = load_golden()
    first = {run: round(card.means()["f1"], 2) for run, card in cards.items()}
    best = {
        run: round(scorecard(golden, load_answers(run), references="all").means()["f1"], 2) for run in cards
    }
    assert first == {"run1": 0.44, "run2": 0.52, "run3": 0.98}
    assert best == {"run1": 0.47, "run2": 0.63, "run3": 1.00}
    assert cards["run3"].means()["exact_match"] == 0.75


def test_on_the_same_tokens_order_can_only_cost():
    rng = random.Random(555)
    for _ in range(500):
        prediction, reference = random_text(rng), random_text(rng)
        assert rouge_l(prediction, reference, tokenizer="squad") <= token_f1(prediction, reference) + 1e-12
    answers = {run: dict(pair_by_id(run)) for run in ("run1", "run2")}
    for run, item, same, own in [
        ("run1", "q5", 0.22, 0.40),
        ("run1", "q2", 0.73, 0.67),
        ("run1", "q8", 0.29, 0.32),
        ("run2", "q6", 0.46, 0.40),
    ]:
        text, reference = answers[run][item]
        assert round(rouge_l(text, reference, tokenizer="squad"), 2) == same
        assert round(rouge_l(text, reference), 2) == own


def pair_by_id(run):
    for item, answer in pair(load_golden(), load_answers(run)):
        yield item.id, (answer.text, item.references[0])


def test_the_naive_flag_blesses_a_negation_and_nothing_else():
    naive_flag, probes = gaps(LESSON, "naive_flag")["naive_flag"], functions(LESSON, "PROBES", "COST")
    f1 = {text: token_f1(text, probes["COST"]) for text in probes["PROBES"]}
    assert [text for text in f1 if naive_flag(0, f1[text])] == ["not 25 dollars per month"]
    assert [round(value, 2) for value in f1.values()] == [0.89, 0.75, 0.80, 0.73, 0.44]


def test_recall_is_full_but_for_one_answer():
    recalls = [token_overlap(*texts).recall for _, texts in pair_by_id("run1")]
    assert recalls == [1, 1, 0.75, 1, 1, 1, 1, 1]


# --- flags and gate --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "names"),
    [
        ("not 25 dollars per month", ["negated"]),
        ("It isn’t 25 dollars per month", ["negated"]),
        ("26 dollars per month", ["number changed"]),
        ("Per month, you pay 25 dollars.", ["reordered"]),
        ("It costs 25 dollars per month.", ["wordy"]),
        ("The Free plan costs 25 dollars per month.", ["wordy"]),
        ("25 dollars per month, with no setup fee.", ["negated"]),
        ("It costs twenty-five dollars a month.", []),
        ("It costs 20 or 25 dollars per month.", ["more numbers"]),
        ("Ask support.", ["nothing shared"]),
        ("", ["nothing shared"]),
        ("25 dollars per month", []),
    ],
)
def test_flags(prediction, names):
    card = scorecard([Item("i", "?", ("25 dollars per month",))], [Answer("i", prediction)])
    assert [flag.name for flag in flags(card)] == names


def test_words_in_order_are_not_called_reordered_in_any_script():
    card = scorecard([Item("i", "?", ("спасибо всем",))], [Answer("i", "спасибо всем 25")])
    assert [flag.name for flag in flags(card)] == ["wordy"]
    failed = scorecard([Item("i", "?", ("429",))], [Answer("i", "", "error", "no line")])
    assert [flag.name for flag in flags(failed)] == ["failed"]


def test_the_gate_of_the_first_cells_stops_the_better_run():
    old = load_answers("run3")
    old[2], old[7] = Answer("q3", "$35 per month"), Answer("q8", "All plans")
    golden = load_golden()
    changes = compare(scorecard(golden, load_answers("run1"), ["f1"]), scorecard(golden, old, ["f1"]))
    assert gate(scorecard(golden, load_answers("run1"), ["f1"]), baseline=significant(changes)) == [
        "f1 fell from 0.8214 to 0.4391 (lower: q1 q5 q7 q4 q2 q6)"
    ]


def test_a_difference_of_two_runs_is_noise_and_unlike_cards_are_refused(cards):
    run1, run2, run3 = cards.values()
    assert gate(run2, {"f1": 0.6}) == ["f1 is 0.5177, below the minimum of 0.6000"]
    assert len(gate(run1, baseline=run3, tolerance=0.02)) == 3
    changes = compare(run1, run2)
    assert len(gate(run1, baseline=changes)) == 2
    assert significant(changes) == []
    assert noise_lines(changes)[0].startswith("f1 -0.079: can't tell with 8 items")
    change = next(change for change in changes if change.metric == "f1")
    assert (change.rose, change.fell) == (["q2", "q7"], ["q1", "q3", "q5", "q8", "q4"])
    with pytest.raises(ValueError, match="not comparable"):
        compare(scorecard(load_golden(), load_answers("run2"), references="all"), run1)


def test_an_exported_card_comes_back_byte_for_byte(cards, tmp_path):
    path = tmp_path / "card.json"
    path.write_text(cards["run1"].export("json"), encoding="utf-8")
    assert load_scorecard(path).export("json") == cards["run1"].export("json")


def test_best_of_never_lowers_a_score():
    for run in ("run1", "run2", "run3"):
        for item, answer in pair(load_golden(), load_answers(run)):
            for name in ("exact_match", "f1", "rouge_l"):
                first = score(name, answer.text, item.references[0])
                assert score(name, answer.text, item.references) >= first


# --- exercises -------------------------------------------------------------------------------------------


def number_or(other):
    def function(prediction, reference):
        if extract_numbers(reference):
            return float(numeric_match(prediction, reference, which="only"))
        return other(prediction, reference)

    return function


def test_lists_of_values_and_units_are_a_right_metric_too():
    def function(prediction, reference):
        said, wanted = (
            [(number.value, number.unit) for number in extract_numbers(text)]
            for text in (prediction, reference)
        )
        return float(said == wanted) if wanted else token_f1(prediction, reference)

    assert check("5.4", Metric(function, "numbers: lists|else:f1")).status == "passed"


@pytest.mark.parametrize("other", [token_f1, exact_match, rouge_l], ids=["f1", "exact_match", "rouge_l"])
def test_a_right_metric_passes_before_and_after_the_student_registers_it(other, monkeypatch):
    metric = Metric(number_or(other), "number:only|else:another")
    assert check("5.4", metric).status == "passed"
    monkeypatch.setitem(METRICS, "number", metric)
    assert check("5.4", metric).status == "passed"
    assert list(METRICS)[-1] == "number"


@pytest.mark.parametrize(
    ("contract", "status"),
    [
        ("numbers: all must agree; without one: token F1", "passed"),
        ("only numbers; EM if no number", "passed"),
        ("number:only|else:contains", "passed"),
        ("number:only", "failed"),
        ("my metric", "failed"),
        ("tok:squad", "failed"),
        ("tok:rouge_stem|beta:1", "failed"),
        ("number:only|", "failed"),
        (" ", "failed"),
        (7, "failed"),
    ],
)
def test_a_contract_names_both_halves(contract, status):
    assert check("5.4", Metric(number_or(token_f1), contract)).status == status


@pytest.mark.parametrize("number", ["5.1", "5.3", "5.5"])
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda *_: None, "Is there a `return` on every path? What is printed is not handed back."),
        (lambda *_: "a text", "Return "),
        (lambda *_: {}, "Return "),
        (lambda: 1, "must take "),
        (lambda *_: 1 / 0, "ZeroDivisionError"),
        (7, "must be a function"),
    ],
)
def test_a_value_of_another_kind_is_told_so_and_nothing_else(number, answer, says):
    """No hint about the content, which would not fit."""
    result = check(number, answer)
    assert (result.status, says in result.message) == ("failed", True), result
    assert ".." not in result.message
    assert ": ." not in result.message


def test_a_list_that_grows_from_call_to_call_is_told_so():
    def review(items, found=[]):  # noqa: B006  this mistake is the point
        found += [(item.id, "empty") for item in items]
        return found

    assert "anew inside the function" in check("5.3", review).message
