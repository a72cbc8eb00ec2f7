"""Metrics beside people: the figures of data/public, honest thresholds, a team's report, the guide."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lessonlib.__main__ import main
from lessonlib.data import Answer, Item
from lessonlib.guide import guide, pairs, ranking
from lessonlib.stats import wilson
from lessonlib.validity import (
    RULES,
    against_people,
    by_length,
    fit_threshold,
    interval,
    load_verdicts,
    public,
    validate,
)

NQ301, BEETLE = public("nq301"), public("beetle")
README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


# --- what people said ------------------------------------------------------------------------------------


def test_agreement_with_people_on_nq301():
    columns = ["agreement", "kappa", "auc", "wrong_accepted", "right_rejected"]
    found = against_people(NQ301, [*(f"{rule}_all" for rule in RULES), "bem", "gpt4"]).round(3)
    assert set(zip(found["n"], found["questions"], found["base_rate"], strict=True)) == {(1490, 301, 0.548)}
    assert found[columns].values.tolist() == [
        [0.654, 0.343, 0.682, 20, 495],
        [0.719, 0.453, 0.818, 66, 353],
        [0.723, 0.461, 0.816, 69, 343],
        [0.687, 0.397, 0.804, 53, 413],
        [0.785, 0.574, 0.827, 83, 238],
        [0.745, 0.506, 0.763, 30, 350],
        [0.731, 0.478, 0.839, 44, 357],
        [0.806, 0.616, 0.814, 72, 217],
        [0.848, 0.696, 0.850, 89, 137],
    ]
    first = against_people(NQ301, [f"{rule}_first" for rule in RULES])["auc"].round(3)
    assert first.tolist() == [0.627, 0.761, 0.761, 0.748, 0.766, 0.687, 0.789]


def test_agreement_by_length():
    rows = {metric: by_length(metric) for metric in ("exact_match", "f1", "bem", "gpt4")}
    assert [(row["name"], row["n"], round(row["base_rate"], 3)) for row in rows["f1"]] == [
        ("all answers", 1490, 0.548), ("up to 3 words", 1090, 0.507),
        ("4-10 words", 232, 0.690), ("over 10 words", 168, 0.708),
    ]  # fmt: skip
    assert {metric: [round(row["agreement"], 3) for row in found] for metric, found in rows.items()} == {
        "exact_match": [0.654, 0.765, 0.397, 0.292],
        "f1": [0.719, 0.809, 0.595, 0.304],
        "bem": [0.806, 0.829, 0.776, 0.696],
        "gpt4": [0.848, 0.844, 0.871, 0.845],
    }
    assert round(by_length("f1", "first")[0]["agreement"], 3) == 0.672


def test_explanations_are_ordered_but_their_opposites_are_not():
    unseen = BEETLE[BEETLE["part"] == "unseen-answers"]
    found = against_people(unseen, [f"{rule}_all" for rule in RULES])["auc"].round(3)
    assert found.tolist() == [0.526, 0.861, 0.837, 0.820, 0.858, 0.547, 0.869]
    wrong = unseen[unseen["right"] == 0].assign(right=unseen["contradictory"])
    assert against_people(wrong, ["f1_all"])["auc"].round(3).tolist() == [0.591]


def test_pairs_of_answers_to_one_question():
    found = {rule: pairs(NQ301, f"{rule}_all") for rule in ("exact_match", "f1", "rouge_l")}
    assert found["f1"] == {"questions": 195, "pairs": 1294, "wrong way": 112, "tied": 372}
    assert [found["exact_match"][name] for name in ("wrong way", "tied")] == [37, 822]
    assert [found["rouge_l"][name] for name in ("wrong way", "tied")] == [129, 323]


def test_a_ranking_of_systems_can_be_significant_and_wrong():
    found = ranking(NQ301, "f1_all", spelled=True)
    assert (found["questions"], found["pairs"], found["accuracy"]) == (235, 64, 50 / 64)
    assert found["misled"] == ["AG", "AH", "AJ", "AK", "AL", "BC", "BD", "BE", "BI"]
    assert len(ranking(NQ301, "exact_match_all", spelled=True)["misled"]) == 13
    assert ranking(NQ301, "recall_all", spelled=True)["misled"] == ["AK"]
    assert ranking(NQ301, "contains_all", spelled=True)["misled"] == ["AG", "AJ", "AK"]
    loose = ranking(NQ301, "f1_all")
    assert (loose["questions"], loose["pairs"], loose["accuracy"]) == (265, 63, 44 / 63)
    readers = ranking(NQ301, "f1_all", systems="CDEFGHIJKL")
    assert (readers["pairs"], readers["accuracy"], readers["misled"]) == (44, 38 / 44, [])


def test_an_answer_given_twice_counts_once():
    ok = [True] * 7 + [False]
    share, *once = interval(ok, range(8))
    assert (share, *np.round(once, 4)) == (0.875, 0.5291, 0.9776)
    twice = interval(ok * 2, [*range(8)] * 2)[1:]  # as 8 answers, with Student's quantile for 7 degrees
    assert twice == pytest.approx(wilson(0.875, 7, quantile=2.364624))
    assert interval([True] * 6, [1, 1, 2, 2, 3, 3])[1] == pytest.approx(3 / (3 + 4.3027**2), abs=1e-4)
    assert interval([True] * 6, [1] * 6)[1:] == interval([True], [1])[1:]
    assert interval(ok, range(8), tests=5)[1:] == pytest.approx((0.4248, 0.9852), abs=1e-4)  # 99 %
    found = interval(NQ301["right"] == NQ301["exact_match_all"], NQ301["question"])
    assert found[1:] == pytest.approx((0.621, 0.686), abs=0.002)  # percentiles of questions drawn anew


def table(scores, right, questions=None):
    questions = range(len(scores)) if questions is None else questions
    return pd.DataFrame({"f1": scores, "right": right, "question": questions})


def test_the_best_threshold_stands_in_the_middle_of_its_gap():
    found, accepted = fit_threshold(table([0.1, 0.2, 0.21, 0.6, 0.7, 0.8], [0, 0, 0, 1, 1, 1]), "f1")
    assert found["threshold"] == pytest.approx(0.41)
    assert 0.15 <= found["threshold_low"] <= found["threshold"] <= found["threshold_high"] <= 0.71
    assert accepted.tolist() == [False] * 3 + [True] * 3
    assert fit_threshold(table([1, 1, 1, 1], [0, 0, 0, 1]), "f1")[0]["threshold"] == np.inf


def test_a_question_does_not_choose_its_own_threshold():
    # All questions put the threshold between 0.40 and 0.45, those without the first about 0.50.
    _, accepted = fit_threshold(table([0.45, 0.4, 0.6, 0.4, 0.6], [1, 0, 1, 0, 1], [0, 1, 1, 2, 2]), "f1")
    assert accepted.tolist() == [False, False, True, False, True]


def test_scores_that_say_nothing_seldom_deserve_to_gate():
    generator, deserving = np.random.default_rng(0), 0
    for _ in range(300):
        rows = table(generator.random(40), generator.random(40) < 0.5)
        _, accepted = fit_threshold(rows, "f1", draws=1)
        found = against_people(rows, ["f1"], pd.DataFrame({"f1": accepted}))
        deserving += (found["low"] > found["base_rate"]).sum()
    assert deserving <= 6


# --- a team's own verdicts -------------------------------------------------------------------------------


@pytest.fixture
def team():
    """Forty answers: right ones hold the reference among other words, wrong ones hold another word."""
    golden = [Item(f"q{i}", f"question {i}", (f"{i} days", "never"), shape="number+unit") for i in range(40)]
    texts = ["0 days", *(f"it takes {i} {'days' if i % 2 else 'other hours or so'}" for i in range(1, 40))]
    answers = [Answer(f"q{i}", text) for i, text in enumerate(texts)]
    return golden, answers, {f"q{i}": bool(i % 2) for i in range(40)}


def test_validate_names_the_metric_that_deserves_to_gate(team):
    found = validate(*team, metrics=("exact_match", "f1"))
    assert found.sentence == (
        "f1 deserves to gate, at 0.44: it agrees with people on 0.97 of 40 answers (95 % for all metrics "
        'together: 0.85 to 1.00), always saying "right" on 0.50. Not shown by itself for: up to 3 words.'
    )
    f1 = found.metrics.set_index("metric").loc["f1"]
    assert (f1["wrong_accepted"], f1["right_rejected"], round(f1["auc"], 3)) == (1, 0, 0.95)
    assert found.inversions() == ["wrong q0 (1.00) '0 days'\n  above right q1 (0.67) 'it takes 1 days'"]
    assert found.slices.query("metric == 'f1'")["n"].tolist() == [39, 1, 40]
    assert str(found).endswith(found.sentence)
    assert "number+unit" in str(found)


def test_validate_says_that_none_deserves_to_gate(team):
    golden, answers, _ = team
    sentence = validate(golden, answers, {f"q{i}": i % 4 != 0 for i in range(40)}, ("exact_match",)).sentence
    assert sentence.startswith("No metric deserves to gate: the best, exact_match, agrees with people on 0.7")
    assert sentence.endswith('always saying "right" on 0.75.')


def test_verdicts_that_do_not_match_or_are_all_alike_are_refused(team):
    golden, answers, verdicts = team
    del verdicts["q3"]
    with pytest.raises(ValueError, match=r"^verdicts .* by id; on one side only: 'q3', 'x'$"):
        validate(golden, answers, verdicts | {"x": True}, ("f1",))
    with pytest.raises(ValueError, match=r"^the verdicts are all alike"):
        validate(golden, answers, {item.id: True for item in golden}, ("f1",))


NO_VERDICT = "a verdict is an 'id' (a string) and 'right' (true or false), no more"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "q1"}', NO_VERDICT),
        ('{"id": "q1", "right": 1}', NO_VERDICT),
        ('{"id": 1, "right": true}', NO_VERDICT),
        ('{"id": "q1", "right": true, "note": ""}', NO_VERDICT),
        ('{"id": "q0", "right": false}', "field 'id' is 'q0', as in a line above"),
    ],
)
def test_a_line_that_is_no_verdict_is_refused(tmp_path, line, message):
    path = tmp_path / "v.jsonl"
    path.write_text('{"id": "q0", "right": true}\n' + line, encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(f'v.jsonl, line 2: {message}')}$"):
        load_verdicts(path)


def test_the_command_reads_three_files(team, tmp_path, capsys):
    golden, answers = (
        [{k: v for k, v in asdict(record).items() if v} for record in part] for part in team[:2]
    )
    verdicts = [{"id": name, "right": right} for name, right in team[2].items()]
    arguments = ["validate", "--metrics", "f1"]
    for name, records in {"golden": golden, "answers": answers, "verdicts": verdicts}.items():
        (tmp_path / name).write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        arguments += [f"--{name}", str(tmp_path / name)]
    assert main(arguments) == 0
    assert capsys.readouterr().out == f"{validate(*team, metrics=('f1',))}\n"
    (tmp_path / "verdicts").write_text('{"id": "q0", "right": true}', encoding="utf-8")
    assert main(arguments) == 2


def test_the_readme_shows_the_guide_as_it_is_computed(capsys):
    assert main(["guide"]) == 0
    assert f"<!-- guide -->\n{capsys.readouterr().out}<!-- end of guide -->\n" in README


def test_the_guide_advises_against_a_gate_where_no_metric_beats_the_base_rate():
    advice = {line.split(" | ")[0][2:]: line.split(" | ")[-1] for line in guide().splitlines()[2:]}
    assert advice["a name or phrase, up to 3 words"].startswith("may gate: ")
    assert advice["a fact in over 10 words"].startswith("none shown to gate, at any threshold; ")
    assert "opposites" in advice["an explanation, over 10 words"]
