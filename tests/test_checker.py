"""The checker: three states, one line a student can use, and never an exception, whatever the answer is."""

import contextlib
import decimal
import html
import itertools
import json
import os
import re
import subprocess
import sys
import threading
from enum import StrEnum

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessonlib.exercises import TODO, Result, check, checker, exercises_of, load_exercises
from lessonlib.exercises import sheet as room
from lessonlib.exercises.checker import MIME, CheckFailedError
from lessonlib.exercises.values import same, show, unfinished

SHEET = """
## 9.1 double
### Shown
Two times two.
>>> double(2)
4

### Hidden
Fractions too.
>>> double(0.1)
0.2

Negative ones too.
>>> double(-3)
-6

## 9.2 word
### Shown
At most five letters.
>>> len(word) <= 5
True

## 9.3 pairs
### Shown
Sorted.
>>> pairs([3, 1, 2])
[1, 2, 3]

### Hidden
Empty.
>>> pairs([])
[]

## 9.4 is_even
### Hidden
Two is even.
>>> is_even(2)
True

Three is odd.
>>> is_even(3)
False

## 9.5 label
### Hidden
Mind the <tag> & more.
>>> label("<b>")
"<i>"

## 9.6 nothing
### Hidden
Return nothing.
>>> nothing()
None

## 9.7 table
### Hidden
A table.
>>> table()
{"a": [1, 0.5], "b": (True, "x")}

## 9.8 refuse
### Hidden
Raise it.
>>> refuse(0)
Traceback (most recent call last):
ValueError: zero

- returned `isinstance(got, ValueError)`: Raise, do not return.

## 9.9 fold
### Hidden
Case does not count.
>>> fold("A") == fold("a")
True

## Q9.1 b
- a: No: too small.
- b: Yes, as <shown>.
- c: No: too big.
"""


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    path = tmp_path_factory.mktemp("sheets") / "lesson9.md"
    path.write_text(SHEET, encoding="utf-8")
    return load_exercises(path)


@pytest.fixture(autouse=True)
def _course(sheet, monkeypatch):
    """The course's check finds lesson 9 too."""
    monkeypatch.setattr(room, "exercises_of", lambda number: sheet)


def double(x):
    return 2 * x


def raising(error):
    def fail(*_):
        raise error

    return fail


# --- three states ----------------------------------------------------------------------------------------


def test_a_right_answer_passes_and_says_how_many_cases():
    assert check("9.1", double) == Result("9.1", "passed", "(3 cases, 2 of them not shown in the task)")
    assert repr(check("9.1", double)) == "9.1  passed (3 cases, 2 of them not shown in the task)"
    assert check("9.2", "short") == Result("9.2", "passed", "(1 case, 0 of them not shown in the task)")
    assert check("9.6", lambda: None).status == "passed"


@pytest.mark.parametrize(
    "answer",
    [
        TODO,
        lambda x: TODO,
        lambda x: TODO if x == -3 else 2 * x,
        lambda x: [TODO],
        lambda x: (1, {"a": [TODO]}),
        [TODO],
        {"a": 1, "b": TODO},
        ({"a": {"b": TODO}},),
    ],
)
def test_todo_reads_not_attempted(answer):
    assert check("9.1", answer) == Result("9.1", "not attempted", "")
    assert repr(check("9.1", answer)) == "9.1  not attempted"


def test_no_answer_at_all_and_a_stub_inside_an_expression_read_not_attempted():
    assert check("9.1") == Result("9.1", "not attempted", "")
    assert check("Q9.1", TODO) == Result("Q9.1", "not attempted", "")
    assert check("9.9", lambda text: TODO).status == "not attempted"
    assert repr(TODO) == "TODO"


def test_todo_is_seen_three_levels_deep_and_cycles_do_no_harm():
    assert [unfinished(value) for value in (TODO, [TODO], [[TODO]], [[[TODO]]], [[[[TODO]]]])] == [
        True,
        True,
        True,
        True,
        False,
    ]
    cycle = []
    cycle.append(cycle)
    assert not unfinished(cycle)
    assert not unfinished({"TODO": "TODO"})


@pytest.mark.parametrize(
    ("number", "answer", "message"),
    [
        # the first case that fails, with call, got, expected and hint
        ("9.1", lambda x: x, "double(2) gave 2, expected 4. Two times two."),
        ("9.1", lambda x: 4, "double(0.1) gave 4, expected 0.2. Fractions too."),
        ("9.1", lambda x: abs(2 * x), "double(-3) gave 6, expected -6. Negative ones too."),
        ("9.1", lambda x: str(2 * x), 'double(2) gave "4", expected 4. Return numbers, not text'),
        ("9.1", lambda x: [2 * x], "double(2) gave [4], expected 4. Two times two."),
        ("9.1", lambda x: float("nan"), "double(2) gave nan, expected 4. Two times two."),
        ("9.1", lambda x: float("inf"), "double(2) gave inf, expected 4. Two times two."),
        ("9.1", lambda x: 4.00001, "double(2) gave 4.00001, expected 4. Two times two."),
        ("9.1", lambda x: 2 * x + 1e-5, "double(2) gave 4.00001, expected 4. Two times two."),
        ("9.1", lambda x: None, "double(2) gave None, expected 4. Is there a `return` on every path?"),
        ("9.1", print, "double(2) gave None, expected 4. Is there a `return` on every path?"),
        # no function
        ("9.1", 4, "double must be a function, but it is 4."),
        ("9.1", "double", 'double must be a function, but it is "double".'),
        ("9.1", None, "double must be a function, but it is None."),
        # exceptions
        ("9.1", raising(ValueError("no")), "double(2) raised ValueError: no."),
        ("9.1", raising(ValueError()), "double(2) raised ValueError."),
        ("9.1", raising(ValueError("a\n  b")), "double(2) raised ValueError: a b."),
        ("9.1", raising(KeyError("k")), "double(2) raised KeyError: 'k'."),
        ("9.1", lambda: 4, "double must take 1 argument, as in double(2)."),
        ("9.6", lambda x: None, "nothing must take no arguments, as in nothing()."),
        ("9.1", lambda x: 2 * x + None, "double(2) raised TypeError: "),
        ("9.1", lambda x: 1 / 0, "double(2) raised ZeroDivisionError: division by zero."),
        ("9.1", lambda x: unknown, "double(2) raised NameError: name 'unknown' is not defined"),  # noqa: F821
        ("9.1", lambda x: x.y, "double(2) raised AttributeError: "),
        ("9.1", lambda x: sys.exit(3), "double(2) raised SystemExit: 3."),
        ("9.1", raising(GeneratorExit("g")), "double(2) raised GeneratorExit: g."),
        ("9.1", raising(BaseException("b")), "double(2) raised BaseException: b."),
        ("9.1", raising(ValueError("\ud83d")), r"double(2) raised ValueError: \ud83d."),
        # other kinds of exercise
        ("9.2", "longer", "len(word) <= 5 gave False, expected True. At most five letters."),
        ("9.2", 5, "len(word) <= 5 raised TypeError: object of type 'int' has no len(). This case: At most"),
        ("9.3", lambda x: None, "pairs([3, 1, 2]) gave None, expected [1, 2, 3]. Is there a `return` on"),
        ("9.3", lambda x: x, "pairs([3, 1, 2]) gave [3, 1, 2], expected [1, 2, 3]. Sorted."),
        ("9.3", set, "pairs([3, 1, 2]) gave {1, 2, 3}, expected [1, 2, 3]. Sorted."),
        (
            "9.3",
            lambda x: "".join(map(str, sorted(x))),
            'pairs([3, 1, 2]) gave "123", expected [1, 2, 3]. Return numbers, not text',
        ),
        ("9.4", lambda x: 1 - x % 2, "is_even(2) gave 1, expected True. Return True or False itself"),
        ("9.4", lambda x: x % 2 == 0 and "yes", 'is_even(2) gave "yes", expected True. Return True or'),
        (
            "9.4",
            lambda x: x % 2 == 0 or None,
            "is_even(3) gave None, expected False. Is there a `return` on every path?",
        ),
        ("9.6", lambda: 0, "nothing() gave 0, expected None. Return nothing."),
        ("9.8", lambda x: x, "refuse(0) gave 0, expected a ValueError. Raise it."),
        (
            "9.8",
            lambda x: ValueError("zero"),
            "refuse(0) gave ValueError('zero'), expected a ValueError. R",
        ),
        ("9.8", raising(ValueError("one")), "refuse(0) raised ValueError: one. This case: Raise it."),
        ("9.8", raising(KeyError("zero")), "refuse(0) raised KeyError: 'zero'. This case: Raise it."),
        (
            "9.9",
            lambda text: text + "!",
            'fold("A") == fold("a") gave False, expected True. Here fold("A") gave "A!" and',
        ),
        ("9.9", 5, "fold must be a function, but it is 5."),
        (
            "9.9",
            lambda text: {"A": 1}.get(text),
            'fold("A") == fold("a") gave False, expected True. Here fold("A") ',
        ),
    ],
)
def test_a_wrong_answer_fails_with_one_useful_line(number, answer, message):
    result = check(number, answer)
    assert (result.exercise, result.status) == (number, "failed")
    assert result.message.startswith(message)
    assert repr(result) == f"{number}  not yet: {result.message}"
    assert "\n" not in result.message


class BadText(Exception):  # noqa: N818
    def __str__(self):
        raise RuntimeError("not even this")


class BadValue:
    def __repr__(self):
        raise RuntimeError("cannot be shown")

    def __eq__(self, other):
        raise RuntimeError("cannot be compared")

    __hash__ = None


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (raising(BadText()), "double(2) raised BadText."),
        (
            lambda x: BadValue(),
            "double(2) gave a value of type BadValue that cannot be shown, expected 4. Two",
        ),
        (BadValue(), "double must be a function, but it is a value of type BadValue that cannot be shown."),
        (lambda x: 10**400, "double(2) gave 1000000"),
        (lambda x: np.array([4, 4]), "double(2) gave array([4, 4]), expected 4. Two times two."),
        (lambda x: np.array([4.0]), "double(2) gave array([4.]), expected 4. Two times two."),
        (lambda x: pd.Series([4]), "double(2) gave 0 4 dtype: int64, expected 4. Two times two."),
        (lambda x: pd.NA, "double(2) gave <NA>, expected 4. Two times two."),
        (lambda x: 4j, "double(2) gave 4j, expected 4. Two times two."),
        (lambda x: double, "double(2) gave double, expected 4. Two times two."),
        (lambda x: object(), "double(2) gave <object object>, expected 4. Two times two."),
    ],
)
def test_values_that_break_other_code_are_just_wrong(answer, message):
    result = check("9.1", answer)
    assert result.status == "failed"
    assert result.message.replace("    ", " ").startswith(message)


@pytest.mark.parametrize("number", ["9.3", "9.4", "9.5", "9.7"])
def test_values_that_cannot_be_compared_are_just_wrong(number):
    for value in (np.array([1, 2]), pd.Series([1]), pd.DataFrame({"a": [1]}), BadValue(), pd.NA, 10**400):
        result = check(number, lambda *_, value=value: value)
        assert result.status == "failed"
        assert "gave" in result.message


def test_a_huge_value_does_not_flood_the_message():
    result = check("9.1", lambda x: "x" * 100_000)
    assert len(result.message) < 500
    assert "expected 4. " in result.message
    assert len(check("9.1", raising(ValueError("y" * 100_000))).message) < 500


def test_an_answer_cannot_spoil_the_cases_for_the_next_one():
    def greedy(values):
        found = sorted(values)
        values.clear()
        return found

    for _ in range(3):
        assert check("9.3", greedy).status == "passed"
    assert check("9.3", lambda x: x.sort()).message.startswith(
        "pairs([3, 1, 2]) gave None, expected [1, 2, 3]. Is"
    )
    assert check("9.3", sorted).status == "passed"


# --- loops that never end --------------------------------------------------------------------------------


def forever(*_):
    while True:
        pass


def deaf(*_):
    while True:
        with contextlib.suppress(Exception):
            forever()


def bare(*_):
    while True:
        try:  # noqa: SIM105
            forever()
        except:  # noqa: E722  this mistake is the point
            pass


def nested(*_):
    while True:
        try:
            try:
                forever()
            except:  # noqa: E722
                forever()
        except:  # noqa: E722
            forever()


@pytest.mark.skipif(sys.platform == "win32", reason="no timers of this kind on Windows")
@pytest.mark.parametrize("answer", [forever, deaf, bare, nested])
def test_a_loop_that_never_ends_is_stopped(monkeypatch, answer):
    monkeypatch.setattr(checker, "SECONDS", 0.2)
    result = check("9.1", answer)
    assert result.status == "failed"
    assert result.message == "double(2) ran for more than 0.2 seconds. Is there a loop that never ends?"
    assert check("9.1", double).status == "passed"


@pytest.mark.skipif(sys.platform == "win32", reason="no timers of this kind on Windows")
def test_the_time_limit_leaves_nothing_behind():
    import signal

    before = signal.getsignal(signal.SIGALRM)
    for answer in (double, raising(ValueError()), TODO):
        check("9.1", answer)
        assert signal.getsignal(signal.SIGALRM) is before
        assert signal.alarm(0) == 0


def test_outside_the_main_thread_answers_are_still_checked():
    results = []
    thread = threading.Thread(target=lambda: results.extend([check("9.1", double), check("9.1", abs)]))
    thread.start()
    thread.join()
    assert [result.status for result in results] == ["passed", "failed"]


def test_the_stop_button_stops():
    with pytest.raises(KeyboardInterrupt):
        check("9.1", raising(KeyboardInterrupt()))


# --- what counts as the same -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (0.30000000000000004, 0.3),
        (1 / 3 + 1e-10, 1 / 3),
        (1e-10, 0),
        (10**15 + 1, 1e15),
        (4.0, 4),
        (np.float64(0.5), 0.5),
        (np.float32(0.5), 0.5),
        (np.int64(4), 4),
        (decimal.Decimal("0.3"), 0.3),
        (True, 1),  # a bool counts as a number, as in Python
        (np.True_, True),
        (np.False_, False),
        ([1, 2], (1, 2)),
        ((1, [2.0000000001, "x"]), [1, (2, "x")]),
        ({"a": 1.0, "b": [np.float64(2)]}, {"b": (2,), "a": 1}),
        ({1, 2}, {2, 1}),
        (None, None),
        ("x", "x"),
        (float("inf"), float("inf")),
    ],
)
def test_equal_values_agree(got, expected):
    assert same(got, expected) is True


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (0.3001, 0.3),
        (float("nan"), 0.0),
        (float("nan"), 1),
        (float("inf"), 1e308),
        ("4", 4),
        (1, True),
        (1.0, True),
        (0, False),
        (np.int64(1), True),
        ("True", True),
        (np.False_, True),
        (False, None),
        (0, None),
        (None, 0),
        (None, False),
        ("", None),
        ([1, 2], [1, 2, 3]),
        ([2, 1], [1, 2]),
        ("12", ["1", "2"]),
        ({1, 2}, [1, 2]),
        (iter([1, 2]), [1, 2]),
        ([1, 1], [1, True]),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 1}),
        ({"a": 1}, {"a": True}),
        ([("a", 1)], {"a": 1}),
        ("X", "x"),
        (b"x", "x"),
        (np.array([1, 2]), [1, 2]),
        (np.array(4.0), 4),
    ],
)
def test_unequal_values_do_not_agree(got, expected):
    assert same(got, expected) is False


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.123456, "0.1235"),
        (1 / 3, "0.3333"),
        (np.float64(2 / 3), "0.6667"),
        (4.0, "4.0"),
        (4, "4"),
        (True, "True"),
        (None, "None"),
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ("back\\'slash", '"back\\\\\'slash"'),
        ('say "hi"', "'say \"hi\"'"),
        ("two  spaces\n", '"two  spaces\\n"'),
        ("", '""'),
        (np.str_("code"), '"code"'),
        (StrEnum("Color", ["red"]).red, '"red"'),
        (np.int64(4), "4"),
        (np.bool_(1), "True"),
        (len, "len"),
        ([1, "a"], "[1, 'a']"),
        ([np.str_("a"), np.int64(4)], "['a', 4]"),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_values_are_shown_as_a_student_would_write_them(value, text):
    assert show(value) == text


@given(st.text(st.characters(), max_size=20))
def test_a_shown_text_is_that_text_in_python(text):
    assert eval(show(text)) == text


def test_floats_that_look_alike_are_shown_in_full():
    assert (show(0.33334, 0.33333), show(0.33333, 0.33334)) == ("0.33334", "0.33333")
    assert show(4.00001, 4) == "4.00001"
    assert show(0.5, 10**400) == "0.5"
    assert show(0.5, "0.5") == "0.5"


# --- questions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        ("b", "passed", "(b) Yes, as <shown>."),
        (" B\n", "passed", "(b) Yes, as <shown>."),
        ("(b)", "passed", "(b) Yes, as <shown>."),
        ("b)", "passed", "(b) Yes, as <shown>."),
        ("a", "failed", "(a) No: too small."),
        ("C", "failed", "(c) No: too big."),
        ("d", "failed", 'answer with one of "a", "b", "c", not "d".'),
        ("", "failed", 'answer with one of "a", "b", "c", not "".'),
        (2, "failed", 'answer with one of "a", "b", "c", not 2.'),
        (None, "failed", 'answer with one of "a", "b", "c", not None.'),
        (["b"], "failed", 'answer with one of "a", "b", "c", not [\'b\'].'),
        ({"b": 1}, "failed", 'answer with one of "a", "b", "c", not {\'b\': 1}.'),
        (double, "failed", 'answer with one of "a", "b", "c", not double.'),
        (
            BadValue(),
            "failed",
            'answer with one of "a", "b", "c", not a value of type BadValue that cannot be',
        ),
    ],
)
def test_each_choice_has_its_answer(answer, status, message):
    result = check("Q9.1", answer)
    assert (result.exercise, result.status) == ("Q9.1", status)
    assert result.message.startswith(message)


# --- numbers that are none -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("9.99", '"9.99"'),
        ("Q9.9", '"Q9.9"'),
        ("777.1", '"777.1"'),
        ("", '""'),
        ("1", '"1"'),
        ("9.1 ", '"9.1 "'),
        ("../9.1", '"../9.1"'),
        ("٩.1", '"٩.1"'),
        ("9\0.1", '"9\\x00.1"'),
        (9.1, "9.1"),
        (None, "None"),
        (["9.1"], "['9.1']"),
        (double, "double"),
        (BadValue(), "a value of type BadValue that cannot be shown"),
    ],
)
def test_an_unknown_number_says_that_the_cell_was_changed(number, shown):
    for answer in (double, TODO):
        assert check(number, answer) == Result(
            shown, "failed", f"there is no exercise {shown}: has the check cell been changed?"
        )


def test_arguments_in_the_wrong_order_are_told_too():
    assert check(double, "9.1").message == "there is no exercise double: has the check cell been changed?"


def test_sheet_of_a_lesson():
    assert exercises_of("2.9") is exercises_of("Q2.5") is exercises_of("2a")
    assert {"2.1", "2a", "Q2.1"} <= exercises_of("2.1").keys()
    assert exercises_of("777.1") == exercises_of("") == exercises_of("Q") == exercises_of("x2.1") == {}


# --- what is shown ---------------------------------------------------------------------------------------


def bundle(result):
    return result._repr_mimebundle_(include=None, exclude=None)


def test_a_bundle_for_programs_is_plain_json():
    assert bundle(check("Q9.1", "a")) == {
        "text/plain": "Q9.1  not yet: (a) No: too small.",
        "text/html": '<div class="mathjax_ignore tex2jax_ignore" style="border-left: 4px solid #c62828; '
        'padding: 0.3em 0.8em; white-space: pre-wrap">Q9.1  not yet: (a) No: too small.</div>',
        MIME: {"exercise": "Q9.1", "status": "failed", "message": "(a) No: too small.", "slip": "a"},
    }
    assert MIME == "application/vnd.lessonlib.check+json"
    for answer in (double, TODO, raising(ValueError("\ud83d"))):
        json.dumps(bundle(check("9.1", answer)), ensure_ascii=False).encode("utf-8")


def test_html_is_escaped():
    shown = bundle(check("9.5", lambda text: "<script>alert('&')</script>"))["text/html"]
    inside = re.fullmatch(r'<div class="[^"<>]*" style="[^"<>]*">(.*)</div>', shown)[1]
    assert "<" not in inside
    assert html.unescape(inside) == (
        '9.5  not yet: label("<b>") gave "<script>alert(\'&\')</script>", expected "<i>". '
        "Mind the <tag> & more."
    )


def test_html_leaves_the_colors_of_text_and_page_to_the_theme():
    for result in (check("9.1", double), check("9.1", abs), check("9.1")):
        style = re.search(r'style="([^"]*)"', bundle(result)["text/html"])[1]
        names = [part.partition(":")[0].strip() for part in style.split(";")]
        assert not {"color", "background", "background-color"} & set(names)
        assert "border-left" in names


def test_the_three_states_have_three_colors():
    edges = [
        re.search(r"#\w{6}", bundle(result)["text/html"])[0]
        for result in (check("9.1", double), check("9.1", abs), check("9.1"))
    ]
    assert len(set(edges)) == 3


# --- under nbgrader --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["autograde", "validate"])
def test_under_nbgrader_only_passed_does_not_raise(monkeypatch, mode):
    monkeypatch.setenv("NBGRADER_EXECUTION", mode)
    assert check("9.1", double).status == "passed"
    assert check("Q9.1", "b").status == "passed"
    for number, answer in (("9.1", TODO), ("9.1", abs), ("9.1", None), ("Q9.1", "a"), ("9.99", double)):
        with pytest.raises(CheckFailedError) as caught:
            check(number, answer)
        monkeypatch.delenv("NBGRADER_EXECUTION")
        assert str(caught.value) == repr(check(number, answer))
        monkeypatch.setenv("NBGRADER_EXECUTION", mode)


def test_an_empty_variable_is_no_nbgrader(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "")
    assert check("9.1").status == "not attempted"


# --- whatever the answer is ------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.decimals()
    | st.text(st.characters(), max_size=8)
    | st.binary(max_size=8)
    | st.just(TODO)
    | st.just(10**400)
    | st.builds(BadValue)
    | st.just(np.array([1.0, 2.0])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=4)
    ),
    max_leaves=10,
)


@settings(max_examples=150)
@given(value=VALUES)
def test_check_never_raises_and_its_result_can_be_shown(sheet, value):
    for number, answer in itertools.product(sheet, (value, lambda *_: value)):
        result = check(number, answer)
        assert result.status in ("passed", "failed", "not attempted")
        assert "\n" not in repr(result)
        json.dumps(bundle(result), ensure_ascii=False).encode("utf-8")


# --- in a real kernel ------------------------------------------------------------------------------------


def test_in_a_notebook_a_loop_is_stopped_and_the_next_cell_runs(tmp_path):
    """The time limit works where students are: in a kernel's main thread."""
    program = """
import nbformat, sys
from nbformat.v4 import new_code_cell, new_notebook
from lessonlib.authoring import execute
cells = [
    "from lessonlib.exercises import checker, load_exercises\\n"
    "open('sheet.md', 'w').write('## 9.1 f\\\\n### Hidden\\\\nOne.\\\\n>>> f()\\\\n1')\\n"
    "check = load_exercises('sheet.md').check\\n"
    "checker.SECONDS = 0.5\\n"
    "def f():\\n    while True: pass",
    "check('9.1', f)",
    "check('9.1', lambda: exit())",
    "check('9.1', lambda: 1)",
]
notebook = new_notebook(cells=[new_code_cell(source, id=f"c{n}") for n, source in enumerate(cells)])
for cell in execute(notebook, ".").cells[1:]:
    sys.stdout.buffer.write((cell.outputs[0].data["text/plain"] + "\\n").encode("utf-8"))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=dict(os.environ), capture_output=True, check=True
    )
    assert done.stdout.decode("utf-8").splitlines() == [
        "9.1  not yet: f() ran for more than 0.5 seconds. Is there a loop that never ends?",
        "9.1  not yet: f() gave None, expected 1. Is there a `return` on every path? What is printed is not "
        "handed back.",
        "9.1  passed (1 case, 1 of them not shown in the task)",
    ]
