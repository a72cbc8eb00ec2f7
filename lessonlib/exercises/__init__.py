"""`check()` for students, and one table of cases per lesson (`lesson1.py`, ...) for authors."""

from .checker import Case, Choice, Exercise, Result, Wrong, check, exercises_of
from .guesses import guess, progress, recall, truth
from .instrument import play
from .values import TODO

__all__ = [
    "TODO",
    "Case",
    "Choice",
    "Exercise",
    "Result",
    "Wrong",
    "check",
    "exercises_of",
    "guess",
    "play",
    "progress",
    "recall",
    "truth",
]
