"""Lesson 1: what it builds from scratch is what the package has, and its key figures hold."""

import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lesson_files import functions, gaps

from lessonlib import exact_match, score
from lessonlib.data import load_answers, load_documents, load_golden, pair
from lessonlib.docent import ask, connect
from lessonlib.exercises import check, exercises_of
from lessonlib.exercises.values import show
from lessonlib.text import NORMALIZERS, SQUAD_STEPS, squad

LESSON = functions(
    "01_exact_match",
    *("apply_steps", "matches", "trace", "wrong_about", "mean_em", "em_by_shape"),
    *("lower_case", "squeeze_spaces", "SQUAD_STEPS", "PAIRS", "DIFFER", "SAME"),
)
GAPS = gaps(
    "01_exact_match", "equal", "delete_punctuation", "drop_articles", "normalize", "best_match", "merged"
)
STEPS, PAIRS, DIFFER, SAME = (LESSON[name] for name in ("SQUAD_STEPS", "PAIRS", "DIFFER", "SAME"))

PIECES = [
    *(
        "the",
        "a",
        "An",
        "THE",
        "other",
        "429",
        "3.5",
        "-5",
        "12:30",
        "24-hour",
        "C++",
        "per",
        "minute",
        "api",
    ),
    *(
        " ",
        "  ",
        "\n",
        "\t",
        "\xa0",
        "\u200b",
        "\u2003",
        ".",
        ",",
        "!",
        "_",
        "'",
        "\u2019",
        "\u2013",
        "e\u0301",
    ),
    *("\x1c", "\x85", "\x7f", "\x00", "\u0130", "\u00df", "\u4eca", "\U0001f600", "a\u200bn", "-the-"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=20)
MANY = settings(max_examples=1500, deadline=None, derandomize=True, database=None)


# --- from scratch is the same as the package -------------------------------------------------------------


@MANY
@given(TEXTS)
def test_normalize_equals_squad(text):
    assert GAPS["normalize"](text) == squad(text)
    made = {**LESSON, **GAPS}
    for step in SQUAD_STEPS:
        assert made[step.__name__](text) == step(text)


@MANY
@given(TEXTS, TEXTS)
def test_equal_and_best_match_equal_the_package(first, second):
    assert GAPS["equal"](first, second) == exact_match(first, second, "raw")
    references = [second, "the " + first.upper()]
    assert GAPS["best_match"](first, references) == score("exact_match", first, references)


# --- the figures of the lesson ---------------------------------------------------------------------------


def test_exact_match_is_equality():
    answers = ("429", "HTTP 429.", "429.")
    assert [exact_match(answer, "429", "raw") for answer in answers] == [1, 0, 0]


def test_the_trace_is_equal_only_after_the_last_step():
    texts = "  The missing, or invalid API key.  ", "A missing or invalid API key"
    forms = [[LESSON["apply_steps"](text, STEPS[:n]) for text in texts] for n in range(5)]
    assert [first == second for first, second in forms] == [False, False, False, False, True]
    assert squad(texts[0]) == squad(texts[1]) == "missing or invalid api key"
    assert LESSON["trace"](*texts).rows[3] == [
        "drop_articles",
        "····missing·or·invalid·api·key··",
        "··missing·or·invalid·api·key",
        "not equal",
    ]


def test_eight_pairs():
    scores = {name: [exact_match(*texts, name) for texts in PAIRS] for name in ("raw", "squad")}
    assert (sum(scores["raw"]) / 8, sum(scores["squad"]) / 8) == (0.250, 0.875)
    assert scores["squad"][-1] == 0
    assert [LESSON["matches"](STEPS[:n]) for n in range(5)] == [2, 3, 4, 4, 7]
    compared = [case.source for case in exercises_of("1.4")["1.4"].cases]
    both = [" == ".join(f"careful_normalize({show(text)})" for text in pair) for pair in PAIRS]
    assert set(both) <= set(compared)


def test_format_is_forgiven_and_content_is_not():
    assert squad("HTTP 429.") == "http 429"
    assert exact_match("HTTP 429.", "429") == 0


def test_normalization_makes_a_wrong_answer_right():
    texts = ("2.5 dollars per month", "25 dollars per month")
    assert [exact_match(*texts, name) for name in ("raw", "squad", "unicode")] == [0, 1, 0]


def test_collision_set():
    merges = {name: sum(exact_match(*texts, name) for texts in DIFFER.values()) for name in NORMALIZERS}
    splits = {name: sum(not exact_match(*texts, name) for texts in SAME.values()) for name in NORMALIZERS}
    assert merges == {"raw": 0, "strip": 0, "lower": 1, "squad": 8, "unicode": 3}
    assert splits == {"raw": 10, "strip": 9, "lower": 8, "squad": 5, "unicode": 1}
    assert squad("A") == squad("The") == ""
    assert LESSON["wrong_about"](SAME["no-break space"], 1) == ["raw", "strip", "lower"]


def test_unicode_rule_as_the_lesson_tells_it():
    texts = ("24-hour", "(3.5)", "-5", "1,000", "7-30 days", "$25", "C++", "C#")
    forms = ["24 hour", "3.5", "-5", "1,000", "7 30 days", "$25", "c++", "c"]
    assert [NORMALIZERS["unicode"](text) for text in texts] == forms


def test_an_identifier_loses_its_underscores():
    assert squad("MERIDIAN_API_KEY") == "meridianapikey"
    scores = {
        text: [exact_match(text, "MERIDIAN_API_KEY", name) for name in ("raw", "squad")]
        for text in ("meridianapikey", "MERIDIAN_API_KEY.")
    }
    assert scores == {"meridianapikey": [0, 1], "MERIDIAN_API_KEY.": [0, 1]}


def test_docent_answer_scores_zero_twice(monkeypatch):
    monkeypatch.delenv("DOCENT_LIVE", raising=False)
    golden = load_golden()
    reply = ask(golden[0].question, connect(golden, run="run2"), load_documents())
    assert reply.text == "HTTP 429."
    assert [exact_match(reply.text, "429", name) for name in ("raw", "squad")] == [0, 0]
    assert score("exact_match", reply.text, golden[0].references) == 1


def test_three_runs():
    found = {}
    for run in ("run1", "run2", "run3"):
        rows = pair(load_golden(), load_answers(run))
        first = [[exact_match(a.text, i.references[0], name) for i, a in rows] for name in ("raw", "squad")]
        best = [score("exact_match", a.text, i.references) for i, a in rows]
        found[run] = [sum(scores) / 8 for scores in (*first, best)]
    assert found == {"run1": [0, 0, 0], "run2": [0, 0, 0.125], "run3": [0.625, 0.75, 0.875]}


def test_runs_and_shapes_as_the_lesson_computes_them():
    LESSON["mean_em"].__globals__["golden"] = load_golden()  # a value of the notebook, no definition
    runs = ("run1", "run2", "run3")
    rulers = (("raw", 1), ("squad", 1), ("squad", None))
    table = [[LESSON["mean_em"](run, *ruler) for run in runs] for ruler in rulers]
    assert table == [[0, 0, 0.625], [0, 0, 0.75], [0, 0.125, 0.875]]
    shapes = {i.shape for i in load_golden()}
    by_shape = {shape: [LESSON["em_by_shape"](shape, run) for run in runs] for shape in shapes}
    assert by_shape == {
        "code": [0, 1, 1],
        "identifier": [0, 0, 1],
        "number+unit": [0, 0, 1],
        "phrase": [0, 0, 0.5],
    }


def test_a_paraphrased_sentence_scores_zero_under_every_normalizer():
    reference = "The region is fixed at creation. To move, export the data and import it into a new database."
    answer = "No. Export your data, then import it into a fresh database in the region you want."
    assert not any(exact_match(answer, reference, name) for name in NORMALIZERS)


# --- right answers in other styles pass, and a message is true for what it is about -----------------------


def test_golden_shapes_are_what_exercise_1_3_asks_for():
    asked = {case.args[0]: case.expected for case in exercises_of("1.3")["1.3"].cases}
    assert {i.references[0]: i.shape for i in load_golden()}.items() <= asked.items()


@pytest.mark.parametrize("normalize", [NORMALIZERS["unicode"], None], ids=["package", "pattern"])
def test_other_careful_normalizers_pass(normalize):
    def by_pattern(text):
        mark = re.compile(r"((?<=\d)[-.,:](?=\d)|(?<!\w)-(?=\d))|[" + re.escape(string.punctuation) + "]")
        text = mark.sub(lambda found: found[1] or "", text.lower())
        return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())

    assert check("1.4", normalize or by_pattern).status == "passed"


@pytest.mark.parametrize("found", [True, ("code",), ["code"], "CODE", "number + unit", 7, "", object()])
def test_a_shape_of_another_kind_or_spelling_is_told_as_such(found):
    assert "exactly one of the five words, as a text" in check("1.3", lambda _: found).message


@pytest.mark.parametrize("found", [None, ["a"], ("a",), 7])
def test_a_normal_form_that_is_no_text_is_told_and_not_raised(found):
    message = check("1.4", lambda _: found).message
    assert "raised" not in message
    assert ("Is there a `return`" if found is None else "The result must be a text") in message


@pytest.mark.parametrize("number", ["1.2", "1.3", "1.4"])
@pytest.mark.parametrize("answer", ["429", 7, None])
def test_an_answer_that_is_no_function_is_told_so(number, answer):
    assert "must be a function" in check(number, answer).message
