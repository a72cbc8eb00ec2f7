"""`check()`, `guess()` and `play()` for students, and one sheet a lesson (`lesson1.md`, ...) for authors."""

from .checker import Result
from .doses import hint, solution
from .guesses import guess, progress, recall, truth
from .instrument import play
from .sheet import Exercises, SheetError, check, exercises_of, load_exercises
from .values import TODO

__all__ = [
    "TODO",
    "Exercises",
    "Result",
    "SheetError",
    "check",
    "exercises_of",
    "guess",
    "hint",
    "load_exercises",
    "play",
    "progress",
    "recall",
    "solution",
    "truth",
]
