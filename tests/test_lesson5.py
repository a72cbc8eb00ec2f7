"""Lesson 5: what it builds equals the package, and the figures it tells are what the package computes."""

import random

import pytest
from lesson_files import ROOT, functions, read

from lessonlib import METRICS, exact_match, rouge_l, score, token_f1, token_overlap
from lessonlib.data import Answer, Item, load_answers, load_golden, pair
from lessonlib.docent import RecordedClient, run_docent
from lessonlib.exercises import check
from lessonlib.metrics import Metric
from lessonlib.numeric import extract_numbers, numeric_match
from lessonlib.scorecard import compare, flags, gate, load_scorecard, scorecard
from lessonlib.text import rouge_tokens, squad_tokens

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


def test_the_rouge_of_the_lesson_is_the_rouge_of_the_package():
    package_rouge_l = functions(LESSON, "package_rouge_l")["package_rouge_l"]
    rng = random.Random(5)
    for _ in range(500):
        prediction, reference = random_text(rng), random_text(rng)
        if rouge_tokens(prediction) or rouge_tokens(reference):
            assert package_rouge_l(prediction, reference) == pytest.approx(
                rouge_l(prediction, reference), abs=1e-12
            )
    # The one difference: two texts without tokens. lessonlib follows SQuAD 2.0.
    assert (package_rouge_l("", ""), rouge_l("", "")) == (0, 1)


def test_the_loop_of_the_lesson_gives_the_rows_of_scorecard():
    score_rows = functions(LESSON, "score_rows")["score_rows"]
    rng = random.Random(55)
    for _ in range(50):
        golden = [Item(f"i{n}", "?", (f"x {random_text(rng)}", "never used")) for n in range(5)]
        answers = [Answer(item.id, random_text(rng)) for item in golden]
        rng.shuffle(answers)
        card = scorecard(golden, answers, references="first")
        wanted = [[row[name] for name in card.metrics] for row in card.rows]
        for row, expected in zip(score_rows(golden, answers), wanted, strict=True):
            assert list(row.values()) == pytest.approx(expected, abs=1e-12)


def test_a_line_that_breaks_costs_one_more_call(tmp_path):
    cells = {cell.id: cell.source for cell in read(ROOT / "notebooks" / f"{LESSON}.ipynb").cells}
    scope = {}
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
    found = functions(LESSON, "naive_flag", "PROBES", "COST")
    blessed = [
        text
        for text in found["PROBES"]
        if found["naive_flag"](exact_match(text, found["COST"]), token_f1(text, found["COST"]))
    ]
    assert blessed == ["not 25 dollars per month"]
    f1 = [round(token_f1(text, found["COST"]), 2) for text in found["PROBES"]]
    assert f1 == [0.89, 0.80, 0.75, 0.73, 0.44]


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


def test_the_gate_sees_means_and_compare_sees_items(cards):
    run1, run2, run3 = cards.values()
    assert gate(run2, {"f1": 0.4}, baseline=run1, tolerance=0.02) == []
    assert gate(run2, {"f1": 0.6}) == ["f1 is 0.5177, below the minimum of 0.6000"]
    assert len(gate(run1, baseline=run3, tolerance=0.02)) == 3
    change = next(change for change in compare(run2, run1) if change.metric == "f1")
    assert (change.fell, change.rose) == (["q2", "q7"], ["q1", "q3", "q5", "q8", "q4"])
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


def test_length_decides_with_other_files_too():
    """The wrong answer of section 7 is lowest only because the three are equally long."""
    chatty = "It closes at 8 pm on Friday, as on every other weekday of the year except public holidays."
    assert round(token_f1("The late fee is 25 cents.", "50 cents"), 2) == 0.29
    assert round(token_f1(chatty, "8 pm"), 2) == 0.21
    sizes = [len(squad_tokens(text)) for text in ("It closes at 8 pm.", "You may borrow 12 books.")]
    assert [*sizes, len(squad_tokens("The late fee is 25 cents."))] == [5, 5, 5]


# --- exercises -------------------------------------------------------------------------------------------


def number_or(other):
    def function(prediction, reference):
        if extract_numbers(reference):
            return float(numeric_match(prediction, reference, which="only"))
        return other(prediction, reference)

    return function


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


@pytest.mark.parametrize("number", ["5.1", "5.2", "5.3", "5.5"])
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
    def disagreements(rows, gap=0.2, found=[]):  # noqa: B006  this mistake is the point
        found += [(name, "order?") for name, f1, rouge in rows if f1 - rouge > gap]
        return found

    assert "anew inside the function" in check("5.3", disagreements).message
