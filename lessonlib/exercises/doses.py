"""hint() and solution(): help in doses, from the sheet of the exercise."""

from collections import Counter

from .checker import Exercise
from .guesses import NOTES, Line
from .sheet import exercises_of

TRIES = 3  # after so many a solution is shown, as after a pass
_GIVEN: Counter[str] = Counter()


def hint(number: str) -> Line:
    """Show the next step of help with an exercise ("2.3") or a gap ("2a"), one step a call."""
    exercise = exercises_of(number).get(number)
    if not isinstance(exercise, Exercise):
        return _line(number, "there is no exercise of this number")
    steps = exercise.steps or tuple(dict.fromkeys(case.hint for case in exercise.cases if case.shown))
    place = min(_GIVEN[number], len(steps) - 1)
    _GIVEN[number] += 1
    more = f"(step {place + 1} of {len(steps)})" if place + 1 < len(steps) else "(that is the last step)"
    return _line(number, f"{steps[place]} {more}")


def solution(number: str) -> Line:
    """Show a solution of an exercise, once it was passed or tried three times."""
    exercise, notes = exercises_of(number).get(number), NOTES.read()
    if not isinstance(exercise, Exercise):
        return _line(number, "there is no exercise of this number")
    if number not in notes.passed and notes.tries.get(number, 0) < TRIES:
        left = TRIES - notes.tries.get(number, 0)
        return _line(number, f'not yet: pass the check, or try it {left} more times. hint("{number}") helps.')
    if not exercise.solution:
        return _line(number, "this course was handed out without its solution")
    return _line(number, f"one way among others:\n\n{exercise.solution}")


def _line(number: str, text: str) -> Line:
    return Line(f"{number}  {text}", {"exercise": number})
