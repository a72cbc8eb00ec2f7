"""Exercise sheets: what an author writes, read from one Markdown file with doctest examples.

    ## 2.1 share                       a number, and the name students give their answer
    What stands on top?                help in doses (may be missing)
    ### Shown                          examples that stand in the task; under "### Hidden" those that do not
    Divide the part by the whole.      the hint of the example below, and of those that follow without a gap
    >>> share(1, 3)
    1 / 3

    - swapped `3.0`: The two are swapped.       a slip of the examples above: name, what gives it away, words
    ### Slips                                   slips of all examples of this exercise
    - no-number `no_number`: Return one number.
    ### Solution                       shown after a pass or three tries (may be missing)
    return part / whole
    ## Q2.1 b                          a question and its right letter, then what to say to each letter
    - a: Too small.

Before the first exercise may stand a fenced block of Python, whose names the examples use, and "### Slips"
for the whole sheet. A value is any Python expression, or a traceback. A slip without words says the hint, one
with the word "-" nothing. An example is a call of the answer, or any other expression about it.
"""

import ast
import builtins
import doctest
import functools
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from . import slips as kinds
from .checker import Case, CheckFailedError, Choice, Exercise, Result, judge
from .guesses import keep_check
from .slips import Raised, Slip
from .values import TODO, is_number, same, show

SLIP = re.compile(r"([a-z0-9-]+) `(.+?)`(?:: (.+))?")
FENCE = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
GIVEN = ("ArgumentsError", "Raised", "is_text", "no_bool", "no_list", "no_number")
NAMES = {name: getattr(kinds, name) for name in GIVEN} | {"is_number": is_number, "same": same}


class SheetError(ValueError):
    """A sheet is damaged: its path, the line, and what is wrong there."""


class Exercises(dict[str, Exercise | Choice]):
    """The exercises and questions of one sheet by number, with a `check` of their own."""

    def check(self, number: str, answer: Any = TODO) -> Result:
        """Check the answer to an exercise ("1.2"), a gap ("3a") or a question ("Q1.1"); return the outcome.

        `answer` is the student's function or value. An answer that is or holds TODO is "not attempted"; one
        that raises, runs longer than 10 seconds (where the system has timers), or returns None is "failed"
        with a message. Never raises, except CheckFailedError under nbgrader unless the outcome is "passed".
        """
        exercise = self.get(number) if isinstance(number, str) else None
        if exercise is not None:
            return _marked(judge(number, exercise, answer))
        problem = f"there is no exercise {show(number)}: has the check cell been changed?"
        return _marked(Result(show(number), "failed", problem))


def _marked(result: Result) -> Result:
    if os.environ.get("NBGRADER_EXECUTION") and result.status != "passed":
        raise CheckFailedError(repr(result))
    return result


# --- the course's own sheets -----------------------------------------------------------------------------


def check(number: str, answer: Any = TODO) -> Result:
    """Check an answer by the course's own sheets, as `Exercises.check` does, and keep the outcome."""
    try:
        table = exercises_of(number)
    except SheetError as error:
        problem = f"the sheet of this exercise is damaged, which is no fault of yours: {error}"
        return _marked(Result(show(number), "failed", problem))
    result = table.check(number, answer)
    if result.exercise in table:
        keep_check(number, result.status)
    return result


def exercises_of(number: str) -> Exercises:
    """Return the sheet of the lesson that a number belongs to; empty if there is no such lesson.

    A damaged sheet is a SheetError.
    """
    lesson = re.match(r"Q?([0-9]+)(?![0-9])", number) if isinstance(number, str) else None
    path = Path(__file__).with_name(f"lesson{lesson[1]}.md") if lesson else None
    return _load_once(path) if path and path.exists() else Exercises()


# --- reading ---------------------------------------------------------------------------------------------


def load_exercises(path: Path | str) -> Exercises:
    """Return the exercises of a sheet in any folder, apart from those of the course and of other sheets.

    A file that cannot be read or is damaged is a SheetError (a ValueError) with its line. The Python in a
    sheet is run: load only sheets that you trust.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SheetError(f"{path}: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None
    return _Reader(Path(path)).read(text)


_load_once = functools.cache(load_exercises)


class Part(NamedTuple):
    """A heading without its mark, its line number, and the text below it."""

    title: str
    line: int
    text: str


def _parts(text: str, mark: str, line: int = 0) -> list[Part]:
    """Cut a text, which begins below `line`, at headings of one level; what stands before comes first."""
    parts: list[tuple[str, int, list[str]]] = [("", line, [])]
    for number, row in enumerate(text.split("\n"), line + 1):
        if row.startswith(mark):
            parts.append((row.removeprefix(mark).strip(), number, []))
        else:
            parts[-1][2].append(row)
    return [Part(title, number, "\n".join(rows)) for title, number, rows in parts]


class _Reader:
    """Reads one sheet; every method raises a SheetError with the line of what it cannot read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names = dict(NAMES)

    def fail(self, line: int, problem: str) -> NoReturn:
        raise SheetError(f"{self.path}, line {line}: {problem}") from None

    def read(self, text: str) -> Exercises:
        head, *blocks = _parts(text, "## ")
        for fence in FENCE.finditer(head.text):
            self.run(fence[1], head.text.count("\n", 0, fence.start()))
        _, *sections = _parts(FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), head.text), "### ")
        shared: list[Slip] = []
        for section in sections:
            if section.title != "Slips":
                self.fail(section.line, f'"### {section.title}" before the first exercise: only Slips may')
            shared += self.only_slips(section)
        found = Exercises()
        for block in blocks:
            number, _, name = block.title.partition(" ")
            if not re.fullmatch(r"Q?\d+(\.\d+|[a-z])", number) or not name.isidentifier():
                self.fail(block.line, f'write "## 2.1 name" or "## Q2.1 b", not "## {block.title}"')
            if number in found:
                self.fail(block.line, f"there are two exercises {number}")
            question = number.startswith("Q")
            found[number] = self.choice(name, block) if question else self.exercise(name, block, shared)
        if not found:
            self.fail(1, 'no exercise: each begins with a heading such as "## 2.1 name"')
        return found

    def choice(self, right: str, block: Part) -> Choice:
        feedback = {}
        for line, entry in self.entries(block):
            letter, colon, words = entry.removeprefix("- ").partition(": ")
            if not entry.startswith("- ") or not colon or not re.fullmatch("[a-z]", letter):
                self.fail(line, f'write "- a: what to say to a", not "{entry}"')
            if letter in feedback:
                self.fail(line, f"there are two answers {letter}")
            feedback[letter] = words
        if right not in feedback:
            self.fail(
                block.line, f"the right letter, {right}, is none of {', '.join(feedback) or 'no letters'}"
            )
        return Choice(right, feedback)

    def exercise(self, name: str, block: Part, shared: list[Slip]) -> Exercise:
        first, *sections = _parts(block.text, "### ", block.line)
        cases: list[Case] = []
        own: list[Slip] = []
        solution = ""
        for section in sections:
            if section.title == "Slips":
                own += self.only_slips(section)
            elif section.title == "Solution":
                solution = re.sub(r"^```.*\n?", "", section.text, flags=re.M).strip()
            elif section.title in ("Shown", "Hidden"):
                cases += self.cases(name, section)
            else:
                self.fail(
                    section.line, f'unknown heading "### {section.title}": Shown, Hidden, Slips or Solution'
                )
        if not cases:
            self.fail(block.line, f"{name} has no example under Shown or Hidden")
        steps = tuple(" ".join(step.split()) for step in re.split(r"\n\s*\n", first.text) if step.strip())
        return Exercise(name, tuple(cases), (*own, *shared), steps, self.names, solution)

    def cases(self, name: str, section: Part) -> list[Case]:
        """Return the examples of a section, each with the hint above and the slips below its group."""
        try:
            pieces = doctest.DocTestParser().parse(section.text)
        except ValueError as error:
            where = re.match(r"line (\d+) of the docstring for \S+ ", str(error))
            at, after = (int(where[1]), where.end()) if where else (1, 0)
            self.fail(section.line + at, str(error)[after:])
        cases: list[Case] = []
        group, hint, line = 0, "", section.line
        for piece in pieces:
            if isinstance(piece, doctest.Example):
                line = section.line + 1 + piece.lineno
                if not hint:
                    self.fail(line, f"no hint above {piece.source.strip()}")
                case = self.case(name, piece, line)
                cases.append(case._replace(hint=hint, shown=section.title == "Shown"))
                line += (piece.source + piece.want).count("\n") - 1
            elif piece:
                entries = list(self.entries(Part("", line, piece)))
                slips = [self.slip(*entry) for entry in entries if entry[1].startswith("- ")]
                prose = [words for _, words in entries if not words.startswith("- ")]
                if slips and (not cases or (prose and entries[0][1] == prose[0])):
                    self.fail(entries[0][0], "a slip stands below its example, before the next hint")
                cases[group:] = [case._replace(slips=tuple(slips)) for case in cases[group:]]
                group, hint = len(cases), " ".join(prose)
        return cases

    def case(self, name: str, example: doctest.Example, line: int) -> Case:
        source, want = example.source.strip(), example.want.strip()
        if not want:
            self.fail(line, f"no value under {source}: write None if it gives None")
        tree = self.parse(source, line)
        if name not in _names(tree):
            self.fail(line, f"this example says nothing about {name}")
        code, args, call = compile(tree, str(self.path), "eval"), None, tree.body
        if isinstance(call, ast.Call) and not call.keywords and ast.unparse(call.func) == name:
            pair = ast.Expression(ast.Tuple(call.args, ast.Load()))
            args = self.value(ast.fix_missing_locations(pair), line)
        below = line + example.source.count("\n")
        if example.exc_msg is None:
            expected = self.value(self.parse(want, below), below)
        else:
            kind, _, words = example.exc_msg.strip().partition(": ")
            expected = Raised(self.value(self.parse(kind, below), below), words)
        return Case(source, args, code, expected, "")

    def only_slips(self, section: Part) -> list[Slip]:
        return [self.slip(line, entry) for line, entry in self.entries(section)]

    def slip(self, line: int, entry: str) -> Slip:
        parts = SLIP.fullmatch(entry.removeprefix("- "))
        if not entry.startswith("- ") or not parts:
            self.fail(line, f'write "- name `what gives it away`: what to say", not "{entry}"')
        name, known, says = parts.groups()
        tree = self.parse(known, line)
        if {"got", "expected"} & _names(tree):
            made = {
                node.id
                for node in ast.walk(tree)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
            if unknown := _names(tree) - made - {"got", "expected"} - {*self.names, *dir(builtins)}:
                self.fail(line, f"slip {name}: nothing is called {', '.join(sorted(unknown))}")
            tree = self.parse(f"lambda got, expected: {known}", line)
        return Slip(name, self.value(tree, line), "" if says == "-" else says)

    def entries(self, part: Part) -> Iterator[tuple[int, str]]:
        """Yield paragraphs and list items, each on one line, with the line number of their first."""
        kept: list[str] = []
        start = part.line
        for line, row in enumerate([*part.text.split("\n"), ""], part.line + 1):
            if kept and (not row.strip() or row.startswith("- ")):
                yield start, " ".join(kept)
                kept = []
            if row.strip():
                start = start if kept else line
                kept.append(row.strip())

    def parse(self, source: str, line: int) -> ast.Expression:
        try:
            return ast.parse(source, str(self.path), "eval")
        except SyntaxError as error:
            self.fail(line, f"{source} is no Python expression ({error.msg})")

    def value(self, tree: ast.Expression, line: int) -> Any:
        try:
            return eval(compile(tree, str(self.path), "eval"), self.names)
        except Exception as error:  # noqa: BLE001  the sentence has the reason
            self.fail(line, f"{ast.unparse(tree)} raises {type(error).__name__}: {error}")

    def run(self, source: str, line: int) -> None:
        try:
            exec(compile("\n" * (line + 1) + source, str(self.path), "exec"), self.names)
        except SyntaxError as error:
            self.fail(error.lineno or line, f"no Python: {error.msg}")
        except Exception as error:  # noqa: BLE001  the sentence has the reason
            trace = error.__traceback__
            lines = []
            while trace:
                lines += [trace.tb_lineno] * (trace.tb_frame.f_code.co_filename == str(self.path))
                trace = trace.tb_next
            self.fail(lines[-1] if lines else line, f"{type(error).__name__}: {error}")


def _names(tree: ast.AST, context: type[ast.expr_context] = ast.expr_context) -> set[str]:
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {node.id for node in nodes if isinstance(node.ctx, context)}
