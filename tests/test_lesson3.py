"""Lesson 3: what the notebook builds is what the package computes, and the figures it teaches are right."""

import ast
import random
import symtable

import pytest
import sacrebleu
from lesson_files import SOLUTIONS, functions, gaps, read
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from lessonlib import counting, rouge_l, score, token_f1
from lessonlib.bleu import bleu, brevity_penalty, closest_length, corpus_bleu
from lessonlib.data import load_answers, load_golden, pair
from lessonlib.explain import explain
from lessonlib.text import word_tokens

LESSON = "03_rouge_and_bleu"
BUILT = functions(
    LESSON,
    *("lcs_bits", "matches_and_total", "precisions", "plain_bleu", "add_one_everywhere"),
)
GAPS = gaps(LESSON, "next_cell", "rouge_l_f1", "runs", "granted", "penalty")


def random_lists(seed: int, count: int) -> list[tuple[list[str], list[str]]]:
    """Return pairs of lists of words, from none to 15, from small and large vocabularies, often alike."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(count):
        words = ["a", "b", "c", "d", "e", "f", "g", "h"][: rng.choice((1, 2, 3, 8))]
        first = rng.choices(words, k=rng.randrange(16))
        second = rng.choices(words, k=rng.randrange(16)) if rng.random() < 0.5 else first[rng.randrange(3) :]
        pairs.append((first, second))
    return pairs


# --- (a) built in the notebook, equal to the package -----------------------------------------------------


def table_by_cells(first: list[str], second: list[str]) -> list[list[int]]:
    """Fill a table with the cell that students write."""
    table = [[0] * (len(second) + 1)]
    for word in first:
        row = [0]
        for j, other in enumerate(second):
            row.append(GAPS["next_cell"](table[-1][j + 1], row[j], table[-1][j], word == other))
        table.append(row)
    return table


def test_longest_common_subsequence_three_ways() -> None:
    lengths = set()
    for first, second in random_lists(31, 3_000):
        table = table_by_cells(first, second)
        assert table == counting.lcs_table(first, second)
        assert BUILT["lcs_bits"](first, second) == counting.lcs_length(first, second) == table[-1][-1]
        lengths.add(table[-1][-1])
    assert len(lengths) > 10


def test_rouge_l_is_the_packages() -> None:
    scores = set()
    for first, second in random_lists(32, 3_000):
        ours = GAPS["rouge_l_f1"](first, second)
        assert ours == pytest.approx(rouge_l(" ".join(first), " ".join(second), "word"), abs=1e-12)
        scores.add(ours)
    assert len(scores) > 50


def test_rouge_l_never_exceeds_token_f1_under_one_tokenizer() -> None:
    for first, second in random_lists(33, 2_000):
        prediction, reference = " ".join(first), " ".join(second)
        assert rouge_l(prediction, reference, "word") <= token_f1(prediction, reference, "word") + 1e-12


def test_ngrams_clipping_and_penalty_are_the_packages() -> None:
    for first, second in random_lists(34, 3_000):
        for n in (1, 2, 3, 4):
            assert GAPS["runs"](first, n) == counting.ngrams(first, n)
        matches = [BUILT["matches_and_total"](first, second, n)[0] for n in (1, 2, 3, 4)]
        assert matches == [GAPS["granted"](first, second, n) for n in (1, 2, 3, 4)]
        assert matches == list(counting.clipped_matches(first, [second], 4))
        totals = [BUILT["matches_and_total"](first, second, n)[1] for n in (1, 2, 3, 4)]
        assert totals == [max(len(first) - n, 0) for n in range(4)]
        penalty = GAPS["penalty"](len(first), len(second))
        assert penalty == pytest.approx(brevity_penalty(len(first), len(second)), abs=1e-12)
    assert GAPS["penalty"](0, 0) == brevity_penalty(0, 0) == 1.0  # nothing is missing
    assert GAPS["penalty"](0, 3) == brevity_penalty(0, 3) == 0.0


@pytest.mark.parametrize(
    ("name", "smoothing"), [("plain_bleu", "none"), ("add_one_everywhere", "add-one-all")]
)
def test_bleu_is_the_packages(name: str, smoothing: str) -> None:
    scores = set()
    for first, second in random_lists(35, 3_000):
        if not first or not second:
            continue
        ours = BUILT[name](first, second)
        theirs = bleu(" ".join(first), " ".join(second), tokenizer="whitespace", smoothing=smoothing).score
        assert ours == pytest.approx(theirs, abs=1e-12), (first, second)
        scores.add(round(ours, 6))
    assert len(scores) > 50


# --- (b) the figures of the lesson -----------------------------------------------------------------------

SMOOTHING_TABLE = {  # add-one-all, NLTK method 2, sacrebleu add-k, exp, none
    ("apple", "orange"): (0.8409, 0, 0, 0, 0),
    ("the the the the", "the cat sat on the mat"): (0.2412, 0.2304, 0.2304, 0.1152, 0),
    ("the cat sat", "the cat sat"): (1.0, 0.8409, 1.0, 0, 0),
    ("the dog sat on the mat", "the cat sat on the mat"): (0.6435, 0.6389, 0.6389, 0.5373, 0.5373),
}


def test_five_rules_give_one_pair_five_numbers() -> None:
    rules = {"none": 0, "floor": 0.0580, "exp": 0.1152, "add-one": 0.2304, "add-one-all": 0.2412}
    for name, expected in rules.items():
        made = bleu("the the the the", "the cat sat on the mat", smoothing=name).score
        assert round(made, 4) == expected, name


@pytest.mark.parametrize(("prediction", "reference"), SMOOTHING_TABLE)
def test_smoothing_table(prediction: str, reference: str) -> None:
    def library(method: str) -> float:
        metric = sacrebleu.BLEU(tokenize="none", smooth_method=method)
        return metric.corpus_score([prediction], [[reference]]).score / 100

    ours = {
        name: bleu(prediction, reference, smoothing=name).score
        for name in ("add-one-all", "add-one", "exp", "none")
    }
    method2 = SmoothingFunction().method2
    nltk = sentence_bleu([reference.split()], prediction.split(), smoothing_function=method2)
    expected = SMOOTHING_TABLE[prediction, reference]
    shown = (ours["add-one-all"], nltk, library("add-k"), library("exp"), ours["none"])
    assert [round(value, 4) for value in shown] == list(expected)
    assert ours["add-one"] == pytest.approx(library("add-k"), abs=1e-12)
    assert ours["exp"] == pytest.approx(library("exp"), abs=1e-12)


def test_figures_of_rouge_l() -> None:
    prediction, reference = "It means the API key is missing or invalid.", "A missing or invalid API key"
    assert round(token_f1(prediction, reference), 2) == 0.77
    assert rouge_l(prediction, reference) == pytest.approx(0.40)
    assert round(token_f1(prediction, reference, "rouge"), 2) == 0.67  # the tokenizer's share of the gap
    assert round(rouge_l(prediction, reference, "squad"), 2) == 0.46
    assert rouge_l("the cat sat", "the cat sat on the mat") == pytest.approx(2 / 3)
    fifth = pair(load_golden(), load_answers("run1"))[4]
    answer, key = fifth[1].text, fifth[0].references[0]
    assert (round(token_f1(answer, key), 2), round(rouge_l(answer, key), 2)) == (0.22, 0.40)
    for tokenizer in ("squad", "rouge", "word"):
        assert rouge_l(answer, key, tokenizer) <= token_f1(answer, key, tokenizer)


def test_figures_of_bleu() -> None:
    assert counting.clipped_matches(["the"] * 7, [word_tokens("the cat is on the mat")], 1) == [2]
    assert round(brevity_penalty(5, 10), 4) == 0.3679
    hypothesis = "the cat sat on the red mat"
    references = ["the cat sat on a mat today", "a cat was on the red mat"]
    alone = [bleu(hypothesis, reference, smoothing="none").score for reference in references]
    assert round(max(alone), 4) == 0.4347
    assert round(bleu(hypothesis, references, smoothing="none").score, 4) == 0.7652
    assert (closest_length(9, [10, 8]), closest_length(9, [2, 10]), closest_length(12, [12, 15, 17])) == (
        8,
        10,
        12,
    )
    answer = "A 401 error means an invalid or missing API key."
    sentence = "A 401 error means that the API key is missing or invalid."
    assert round(bleu(answer, sentence, smoothing="none").score, 3) == 0.283
    corpus = ["The Pro plan allows 600 requests per minute.", "Only Scale"]
    targets = ["The Pro plan allows 600 requests per minute.", "Only the Scale plan"]
    assert round(corpus_bleu(corpus, targets).score, 4) == 0.7919


def test_the_runner_takes_targets_as_the_lesson_says() -> None:
    assert score("exact_match", "HTTP 429.", ["429", "HTTP 429"]) == 1.0
    assert score("accuracy", "Yes", "yes") == 0.0
    assert round(score("rouge_l", "You have one day to restore it.", ["24 hours", "one day"]), 4) == 0.4444
    assert score("bleu_4", "apple", "orange") == 0.0


def test_other_scripts_under_the_rouge_tokenizer() -> None:
    """The tokenizer sees nothing there, so its words stay whole."""
    text, other = "Ключ отсутствует", "Ключ неверен"
    assert [rouge_l(text, text, name) for name in ("rouge", "word")] == [1.0, 1.0]
    assert [rouge_l(text, other, name) for name in ("rouge", "word")] == [0.5, 0.5]


def test_no_cell_overwrites_a_name_that_another_cell_needs() -> None:
    """A student runs cells again, in any order, and answers the exercises with what the sections left."""
    notebook = next(read(path) for path in SOLUTIONS if path.stem == LESSON)
    made: dict[str, list[str]] = {}
    needed: set[str] = set()
    for cell in notebook.cells:
        if cell.cell_type == "code" and "nbgrader" not in cell.metadata:
            table = symtable.symtable(cell.source, cell.id, "exec")
            here = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
            walk = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.comprehension)]
            # Python 3.12 takes the variables of a comprehension for the cell's own.
            loops = {n.id for loop in walk for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
            here -= loops
            scopes = [table]
            while scopes:
                scope = scopes.pop()
                scopes += scope.get_children()
                used = {s.get_name() for s in scope.get_symbols() if s.is_referenced() and s.is_global()}
                used |= {s.get_name() for s in table.get_symbols() if s.is_referenced()}
                needed |= used - here - loops
            for name in here:
                made.setdefault(name, []).append(cell.id)
    assert {"p", "plain_bleu", "score"} <= needed  # the names are really collected
    assert {name: cells for name, cells in made.items() if len(cells) > 1 and name in needed} == {}
    assert not {"a", "b", "c", "exp"} & set(made)  # an answer without quotes must not find one of these


def test_the_lesson_shows_every_row_of_the_explanation() -> None:
    notebook = next(read(path) for path in SOLUTIONS if path.stem == LESSON)
    cell = next(cell for cell in notebook.cells if cell.id == "explain")
    rows = explain(
        "Backups are kept for 90 days on the Scale plan.", "The Scale plan keeps a backup for 90 days."
    )
    assert cell.outputs[0].data["text/plain"] == repr(rows)
    assert cell.outputs[0].data["text/html"] == rows._repr_html_()
