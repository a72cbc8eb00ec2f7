"""What a class thinks, on one page; and a page of feedback for each student."""

import html
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..page import page, table
from .grading import Grade

Met = dict[tuple[str, str], list[tuple[str, str]]]  # (exercise, slip): the students and the messages they met


def class_report(grades: Sequence[Grade]) -> str:
    """Return one HTML page on a class: points, misconceptions by number of students, tries, guesses.

    A misconception is the name of the slip that a wrong answer gave away, or "other". Tries and guesses are
    those whose outputs students saved in their notebooks.
    """
    students = len({row.student for row in grades})
    parts = [f"<p>{students} students.</p>", "<h2>Exercises</h2>", _exercises(grades)]
    parts += ["<h2>Misconceptions</h2>", _misconceptions(grades)]
    parts += ["<h2>Most tries</h2>", _tries(grades), "<h2>Guesses most often wrong</h2>", _guesses(grades)]
    odd = [(row.student, row.lesson, row.note) for row in grades if row.note]
    if odd:
        parts += ["<h2>Odd submissions</h2>", table(("student", "lesson", "note"), odd)]
    return page("What the class thinks", "\n".join(parts))


def feedback(grades: Sequence[Grade]) -> str:
    """Return the page of one student: the boxes as in the notebook, hints whole, and the points."""
    parts = []
    for row in grades:
        parts.append(f"<h2>{html.escape(row.lesson)}: {row.points:g} of {row.most:g} points</h2>")
        parts.append(f"<p>{html.escape(row.note)}</p>" if row.note else "")
        parts += [outcome.get("html", "") for outcome in row.outcomes.values()]
    return page(f"Feedback for {grades[0].student}", "\n".join(filter(None, parts)))


def met(grades: Sequence[Grade]) -> Met:
    """Return who met which misconception in which exercise, most students first, and what each was told."""
    found: Met = {}
    for row in grades:
        for number, outcome in row.outcomes.items():
            if outcome.get("status") == "failed":
                key = number, outcome.get("slip") or "other"
                found.setdefault(key, []).append((row.student, outcome.get("message", "")))
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def _exercises(grades: Sequence[Grade]) -> str:
    statuses = ("passed", "failed", "not attempted")
    counts: dict[str, Counter[str]] = {}
    for row in grades:
        for number, outcome in row.outcomes.items():
            counts.setdefault(number, Counter())[outcome.get("status", "")] += 1
    rows = [(number, *(count[status] for status in statuses)) for number, count in sorted(counts.items())]
    return table(("exercise", *statuses), rows)


def _misconceptions(grades: Sequence[Grade]) -> str:
    rows = [(*key, len(pairs), pairs[0][1]) for key, pairs in met(grades).items()]
    return table(("exercise", "misconception", "students", "what one of them met"), rows)


def _tries(grades: Sequence[Grade]) -> str:
    tries: dict[str, list[int]] = {}
    for row in grades:
        for number, count in row.tries.items():
            tries.setdefault(number, []).append(count)
    means = sorted(((sum(counts) / len(counts), number) for number, counts in tries.items()), reverse=True)
    rows = [(number, f"{mean:.1f}", max(tries[number]), len(tries[number])) for mean, number in means[:10]]
    return table(("exercise", "tries on average", "at most", "students"), rows)


def _guesses(grades: Sequence[Grade]) -> str:
    made: dict[str, list[dict[str, Any]]] = {}
    for row in grades:
        for guess in row.guesses:
            made.setdefault(str(guess.get("guess")), []).append(guess)
    rows = []
    for number, guesses in made.items():
        wrong = Counter(repr(guess["said"]) for guess in guesses if not guess.get("right"))
        if wrong:
            often = ", ".join(f"{said} ({count})" for said, count in wrong.most_common(3))
            rows.append((number, wrong.total(), len(guesses), often, str(guesses[0]["truth"])))
    rows.sort(key=lambda row: (-row[1] / row[2], row[0]))
    return table(("guess", "wrong", "of", "most often said", "truth"), rows[:10])
