"""Help in doses: one step a call, and a solution for who has passed or tried."""

import pytest

from lessonlib.exercises import doses, load_exercises
from lessonlib.exercises.doses import hint, solution
from lessonlib.exercises.guesses import Notes

SHEET = """## 2.1 share
What stands on top?

And what below?

### Shown
Divide the part by the whole.
>>> share(1, 4)
0.25

### Solution
```python
def share(part, whole):
    return part / whole
```

## 2.2 half
### Shown
Two halves make a whole.
>>> half(2)
1

## Q2.1 b
- a: Too small.
- b: Yes.
"""


@pytest.fixture(autouse=True)
def sheet(tmp_path, monkeypatch):
    """Study this sheet, with nothing tried yet."""
    (tmp_path / "sheet.md").write_text(SHEET)
    table = load_exercises(tmp_path / "sheet.md")
    monkeypatch.setattr(doses, "exercises_of", lambda number: table)
    monkeypatch.setattr(doses, "NOTES", Notes())
    doses._GIVEN.clear()


def test_one_step_a_call():
    said = [repr(hint("2.1")) for _ in range(3)]
    last = "2.1  And what below? (that is the last step)"
    assert said == ["2.1  What stands on top? (step 1 of 2)", last, last]


def test_without_steps_the_hint_of_what_is_shown():
    assert repr(hint("2.2")) == "2.2  Two halves make a whole. (that is the last step)"


@pytest.mark.parametrize("number", ["2.9", "Q2.1", "x", None, 7])
def test_no_such_exercise(number):
    assert repr(hint(number)) == repr(solution(number)) == f"{number}  there is no exercise of this number"


def test_a_solution_after_three_tries_or_a_pass():
    assert repr(solution("2.1")) == '2.1  not yet: pass the check, or try it 3 more times. hint("2.1") helps.'
    doses.NOTES.tries["2.1"] = 2
    assert "try it 1 more times" in repr(solution("2.1"))
    shown = "2.1  one way among others:\n\ndef share(part, whole):\n    return part / whole"
    doses.NOTES.tries["2.1"] = 3
    assert repr(solution("2.1")) == shown
    doses.NOTES.tries.clear()
    doses.NOTES.passed["2.1"] = True
    assert repr(solution("2.1")) == shown


def test_a_hand_out_has_no_solution():
    doses.NOTES.passed["2.2"] = True
    assert repr(solution("2.2")) == "2.2  this course was handed out without its solution"
