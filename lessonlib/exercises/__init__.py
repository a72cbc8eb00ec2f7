"""`check()` for students, and one table of cases per lesson (`lesson1.py`, ...) for authors."""

from .checker import TODO, Case, Choice, Exercise, Result, Wrong, check, exercises_of

__all__ = ["TODO", "Case", "Choice", "Exercise", "Result", "Wrong", "check", "exercises_of"]
