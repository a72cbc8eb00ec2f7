"""Sheets: what an author writes is read, from any folder; what is damaged is one sentence with its line."""

import pytest

from lessonlib.exercises import check, load_exercises
from lessonlib.exercises import sheet as room
from lessonlib.exercises.checker import Choice
from lessonlib.exercises.slips import Raised, Slip
from lessonlib.exercises.values import TODO

GOOD = """# A course of my own

```python
from math import pi

THIRD = 1 / 3
```

### Slips
- text `is_text`: Return a number.

## 1.1 share
What stands on top?

And what below?

### Shown
Divide the part by the whole.
>>> share(1, 3)
THIRD
>>> share(*[2, 4])
0.5

- swapped `3.0`: The two are
  swapped.
- silent `KeyError`: -

### Hidden
Nothing of nothing
is 0.
>>> share(0, 0)
0.0

- divides `ZeroDivisionError`

### Slips
- below-zero `got < 0`: A share is never negative.

## 1a around
### Hidden
Twice pi.
>>> round(around(1) / pi)
2

Refuse what is negative.
>>> around(-1)
Traceback (most recent call last):
ValueError: negative

## Q1.1 b
- a: Too
  small.
- b: Yes.
"""


@pytest.fixture
def load(tmp_path):
    def made(text):
        path = tmp_path / "sheet.md"
        path.write_text(text, encoding="utf-8")
        return load_exercises(path)

    return made


def test_a_sheet_is_read_as_it_is_written(load):
    table = load(GOOD)
    assert list(table) == ["1.1", "1a", "Q1.1"]
    share, around = table["1.1"], table["1a"]
    assert (share.name, share.steps) == ("share", ("What stands on top?", "And what below?"))
    assert [(c.args, c.expected, c.shown) for c in share.cases] == [
        ((1, 3), 1 / 3, True),
        ((2, 4), 0.5, True),
        ((0, 0), 0.0, False),
    ]
    assert [c.hint for c in share.cases] == ["Divide the part by the whole."] * 2 + [
        "Nothing of nothing is 0."
    ]
    own = (Slip("swapped", 3.0, "The two are swapped."), Slip("silent", KeyError, ""))
    divides = (Slip("divides", ZeroDivisionError, None),)
    assert [c.slips for c in share.cases] == [own, own, divides]
    assert [(slip.name, slip.says) for slip in share.slips] == [
        ("below-zero", "A share is never negative."),
        ("text", "Return a number."),
    ]
    assert [(c.source, c.args) for c in around.cases] == [
        ("round(around(1) / pi)", None),
        ("around(-1)", (-1,)),
    ]
    assert around.cases[1].expected == Raised(ValueError, "negative")
    assert table["Q1.1"] == Choice("b", {"a": "Too small.", "b": "Yes."})


def test_numbers_of_another_course_do_not_meet_those_of_this_one(load):
    table = load(GOOD)
    assert table.check("1.1", lambda a, b: a / b if b else 0.0).status == "passed"
    assert table.check("1.1", lambda a, b: 3.0).message.endswith("The two are swapped.")
    assert check("1.1", lambda a, b: a / b if b else 0.0).message.startswith(
        "sorted(broken) raised TypeError"
    )
    assert table.check("2.1", 7).message.startswith('there is no exercise "2.1"')
    assert table.check("1a", TODO).status == "not attempted"


def changed(old, new):
    """Return GOOD with a change, and the number of the line in which it begins."""
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new), GOOD[: GOOD.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "further", "says"),
    [
        ("from math import pi", "from maths import pi", 0, "ModuleNotFoundError: No module named 'maths'"),
        ("THIRD = 1 / 3", "THIRD = 1 /", 0, "no Python: invalid syntax"),
        ("## 1a around", "## around", 0, 'write "## 2.1 name" or "## Q2.1 b", not "## around"'),
        ("## 1a around", "## 1.1 around", 0, "there are two exercises 1.1"),
        ("## Q1.1 b", "## Q1.1 c", 0, "the right letter, c, is none of a, b"),
        ("- b: Yes.", "- a: Yes.", 0, "there are two answers a"),
        ("- b: Yes.", "- b Yes.", 0, 'write "- a: what to say to a", not "- b Yes."'),
        ("### Shown", "### Visible", 0, 'unknown heading "### Visible": Shown, Hidden, Slips or Solution'),
        ("### Slips\n- text", "### Shown\n- text", 0, '"### Shown" before the first exercise'),
        (">>> share(0, 0)\n0.0", ">>> share(0, 0)", 0, "no value under share(0, 0): write None if it gives"),
        (">>> share(0, 0)\n0.0", ">>> share(0, 0)\n0.0.0", 1, "0.0.0 is no Python expression"),
        (">>> share(0, 0)", ">>> share(0, 0", 0, "share(0, 0 is no Python expression"),
        (">>> share(0, 0)", ">>>share(0, 0)", 0, "lacks blank after >>>"),
        (">>> share(0, 0)", ">>> shame(0, 0)", 0, "this example says nothing about share"),
        (">>> share(0, 0)", ">>> share(NIL, 0)", 0, "(NIL, 0) raises NameError: name 'NIL' is not defined"),
        ("Nothing of nothing\nis 0.", "", 1, "no hint above share(0, 0)"),
        (
            "- swapped `3.0`:",
            "- swapped 3.0:",
            0,
            'write "- name `what gives it away`: what to say", not "- s',
        ),
        ("- swapped `3.0`:", "- swapped `no_numbr`:", 0, "no_numbr raises NameError: name 'no_numbr'"),
        ("- below-zero `got < 0`", "- below-zero `got < NIL`", 0, "slip below-zero: nothing is called NIL"),
        (
            "Divide the part by",
            "- early `1`: Too early.\n\nDivide the part by",
            0,
            "a slip stands below",
        ),
        (
            "### Hidden\nTwice pi.\n>>> round(around(1) / pi)\n2\n\nRefuse what",
            "Refuse what",
            -1,
            "around has no",
        ),
    ],
)
def test_a_damaged_sheet_is_one_sentence_with_its_line(load, old, new, further, says):
    text, line = changed(old, new)
    if says.startswith("around has no"):
        text = text.replace(">>> round(around(1) / pi)\n", "")
    with pytest.raises(room.SheetError) as caught:
        load(text)
    where, _, problem = str(caught.value).partition(": ")
    assert problem.startswith(says) or says in problem
    assert where.endswith(f"sheet.md, line {line + further}"), where
    assert "\n" not in problem


def test_an_empty_sheet_and_no_sheet_are_told_too(load, tmp_path):
    with pytest.raises(room.SheetError, match="line 1: no exercise"):
        load("# Nothing yet\n")
    with pytest.raises(room.SheetError, match=r"absent\.md: No such file"):
        load_exercises(tmp_path / "absent.md")


def test_a_damaged_sheet_of_the_course_is_no_fault_of_the_student(monkeypatch, tmp_path):
    (tmp_path / "lesson9.md").write_text("```python\nimport maths\n```\n## 9.1 f\n", encoding="utf-8")
    monkeypatch.setattr(room, "__file__", str(tmp_path / "sheet.py"))
    result = check("9.1", TODO)
    assert result.status == "failed"
    assert result.message.startswith("the sheet of this exercise is damaged, which is no fault of yours: ")
    assert "lesson9.md, line 2: ModuleNotFoundError" in result.message
