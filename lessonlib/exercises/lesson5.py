"""Exercises of lesson 5: the scorecard."""

import copy
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..data import load_answers, load_golden, pair
from ..metrics import METRICS, Metric, score
from ..scorecard import Scorecard, scorecard
from .checker import Case, Choice, Exercise, Rule, Todo, Wrong, same, show, unfinished

Outcome = str | Todo | None
# What a typical mistake gives (a value, a function that knows it, the type of an exception), and what to say.
Reading = tuple[Any, str]
# A kind of value: a function that knows it, and what to say of any other.
Kind = tuple[Callable[[Any], bool], str]

NO_RETURN = "Does every path end in a `return`? Printing is not returning."


def _sentence(text: str) -> str:
    return f"{text.rstrip(' .:')}."


def _raised(call: str, error: Exception) -> str:
    return _sentence(" ".join(f"{call} raised {type(error).__name__}: {error}".split()))


def _fits(reading: Any, value: Any) -> bool:
    """Say whether a reading knows this value, or this exception."""
    if isinstance(reading, type):
        return isinstance(value, reading)
    if callable(reading):
        return bool(reading(value))
    return same(value, reading)


def _guard(name: str, case: Case, kind: Kind, takes: str, readings: tuple[Reading, ...], own: Any) -> Rule:
    """Return a rule for the call of a case that speaks up where the hint of the case would not fit.

    That is: the call raises, returns nothing or another kind of value, gives something else when it is made
    again, or gives a value that a reading knows. Any other value is left to the case itself. An exception
    whose type is in `own` gets the hint of the case, any other one is told what the function `takes`.
    """
    call = f"{name}({', '.join(map(show, case.args))})"

    def rule(answer: Any) -> Outcome:
        if not callable(answer):
            return f"{name} must be a function, but it is {show(answer)}. Hand over its name, without a call."
        try:
            got = answer(*copy.deepcopy(case.args))
            right = same(got, case.expected)
            stable = not right or same(answer(*copy.deepcopy(case.args)), case.expected)
        except Exception as error:  # noqa: BLE001  what a student's code raises is told, not raised
            told = next((says for reading, says in readings if _fits(reading, error)), "")
            return f"{_raised(call, error)} {told or (case.hint if isinstance(error, own) else takes)}"
        if right or unfinished(got):
            return None if stable else f"{call} {AGAIN}"
        if got is None:
            return f"{call} gave None. {NO_RETURN}"
        given = re.sub(
            r" at 0x[0-9a-fA-F]+", "", show(got, case.expected)
        )  # where a generator lies in memory
        expected = f"{call} gave {given}, expected {show(case.expected, got)}."
        if not kind[0](got):
            return f"{expected} {kind[1]}"
        told = next((says for reading, says in readings if _fits(reading, got)), "")
        return f"{expected} {told}" if told else None

    return rule


AGAIN = "gives another value when it is called again. Make the list anew inside the function."


def _guarded(
    name: str,
    kind: Kind,
    takes: str,
    cases: tuple[tuple[Case, *tuple[Reading, ...]], ...],
    always: tuple[Reading, ...] = (),
    own: tuple[type[Exception], ...] = (),
) -> tuple[Case | Rule, ...]:
    """Return the cases, each behind its guard; `always` are readings that hold for every case."""
    found: list[Case | Rule] = []
    for case, *readings in cases:
        everywhere = [(_about(case.expected, reading), says) for reading, says in always]
        found += [_guard(name, case, kind, takes, (*readings, *everywhere), own), case]
    return tuple(found)


def _about(expected: Any, reading: Any) -> Any:
    """Bind a reading that takes the expected value too."""
    return lambda got: not isinstance(got, Exception) and reading(got, expected)


def _is_number(value: Any) -> bool:
    return hasattr(value, "__float__") and not hasattr(value, "__len__") and not isinstance(value, bool)


def _is_rounded(value: Any, expected: float) -> bool:
    return any(same(value, round(expected, digits)) for digits in range(1, 8))


def _is_reordered(value: Any, expected: list[Any]) -> bool:
    both = [sorted(map(repr, list(values))) for values in (value, expected)]
    return both[0] == both[1] and not same(value, expected)


def _is_cut_short(value: Any, expected: list[Any]) -> bool:
    return len(value) == 1 < len(expected) and same(value, expected[:1])


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


IN_THE_LOOP = "Only one was looked at. Is the `return` inside the loop?"

# --- 5.1 -------------------------------------------------------------------------------------------------


def _rise_of_run(run: str) -> Rule:
    def rule(answer: Any) -> Outcome:
        golden, answers = load_golden(), load_answers(run)
        means = [scorecard(golden, answers, ["f1"], choice).means()["f1"] for choice in ("first", "all")]
        pairs = pair(golden, answers)
        wanted = means[1] - means[0]
        try:
            got = answer([a.text for _, a in pairs], [list(item.references) for item, _ in pairs])
        except Exception as error:  # noqa: BLE001  what a student's code raises is told, not raised
            return f"{_raised(f'for {run}, rise', error)} {PER_PREDICTION}"
        if isinstance(got, Todo):
            return got
        if same(got, wanted):
            return None
        told = (
            NO_ROUNDING
            if _is_rounded(got, wanted)
            else "It is the best-of mean of F1 minus the first-only mean."
        )
        return f"for {run}, rise gave {show(got, wanted)}, expected {show(wanted, got)}. {told}"

    return rule


PER_PREDICTION = (
    "`predictions` is a list of texts; `references` is a list of lists, and the first list belongs to the "
    "first text."
)
NO_ROUNDING = "Do not round inside the function: a rounded number is another number."
DIVIDE = "The rise is that of the mean: divide by the number of predictions, also those that gained nothing."
NOT_BY_REFERENCES = "Divide by the number of predictions, not by the number of references."
FIRST_STAYS = (
    "One more accepted reference can never lower a score: the first one stays in the race, so take the "
    "maximum over the whole list."
)

RISE = Exercise(
    "rise",
    (
        *_guarded(
            "rise",
            (_is_number, "Return one number: the mean over all predictions."),
            PER_PREDICTION,
            (
                (
                    Case(
                        (["24 hours"], [["24 hours", "one day"]]),
                        0.0,
                        "Score the answer against each accepted reference on its own, neither joined nor "
                        "averaged, and take the best.",
                    ),
                    (
                        1.0,
                        "A rise is a difference: subtract what the first reference gives. Here it gives "
                        "1.0 already, so nothing rises.",
                    ),
                    (-1.0, FIRST_STAYS),
                ),
                (
                    Case(
                        (["You have one day to restore it."], [["24 hours", "one day"]]),
                        4 / 9,
                        "Take the best F1 over the list, minus the F1 of the first reference.",
                        shown=True,
                    ),
                    (2 / 9, NOT_BY_REFERENCES),
                    (
                        1 / 18,
                        "Divide by the number of predictions there are. They are eight in run 1 only.",
                    ),
                    (0.0, "Look at every reference of the list, not at the first alone."),
                ),
                (
                    Case((["429"], [["429"]]), 0.0, "With one reference there is nothing to gain."),
                    (IndexError, "An item may have one reference only: go through the list, however long."),
                ),
                (
                    Case(
                        (["24 hours", "one day"], [["24 hours"], ["24 hours", "one day"]]),
                        0.5,
                        DIVIDE,
                    ),
                    (0.0, IN_THE_LOOP),
                    (1 / 3, NOT_BY_REFERENCES),
                ),
                (
                    Case(
                        (
                            ["one day", "90 days"],
                            [["24 hours", "a 24-hour grace period", "one day"], ["90 days"]],
                        ),
                        0.5,
                        "The list may hold any number of references, and the best may stand last.",
                    ),
                ),
            ),
            ((_is_rounded, NO_ROUNDING),),
        ),
        _rise_of_run("run1"),
        _rise_of_run("run2"),
    ),
    (
        Wrong(
            "def rise(predictions, references):\n"
            "    best = [max(token_f1(p, r) for r in refs) for p, refs in zip(predictions, references)]\n"
            "    return sum(best) / len(best)",
            "A rise is a difference",
        ),
        Wrong(
            "def rise(predictions, references):\n"
            "    gains = []\n"
            "    for p, refs in zip(predictions, references):\n"
            "        scores = [token_f1(p, r) for r in refs]\n"
            "        gains.append(sum(scores) / len(scores) - scores[0])\n"
            "    return sum(gains) / len(gains)",
            "neither joined nor averaged",
        ),
        Wrong(
            "def rise(predictions, references):\n"
            "    gains = [token_f1(p, r[-1]) - token_f1(p, r[0]) for p, r in zip(predictions, references)]\n"
            "    return sum(gains) / len(gains)",
            "can never lower a score",
        ),
        Wrong(
            "def rise(predictions, references):\n"
            "    gains = [max(token_f1(p, r) for r in refs) - token_f1(p, refs[0])\n"
            "             for p, refs in zip(predictions, references)]\n"
            "    return sum(gains)",
            "divide by the number of predictions",
        ),
        Wrong(
            "def rise(predictions, references):\n"
            "    gains = [max(token_f1(p, r[0]), token_f1(p, r[1])) - token_f1(p, r[0])\n"
            "             for p, r in zip(predictions, references)]\n"
            "    return sum(gains) / len(gains)",
            "may have one reference only",
        ),
        Wrong(
            "def rise(predictions, references):\n"
            "    gains = [max(token_f1(p, r) for r in refs) - token_f1(p, refs[0])\n"
            "             for p, refs in zip(predictions, references)]\n"
            "    return round(sum(gains) / len(gains), 4)",
            "Do not round",
        ),
        Wrong(
            "def rise(predictions, references):\n"
            "    for p, refs in zip(predictions, references):\n"
            "        return max(token_f1(p, r) for r in refs) - token_f1(p, refs[0])",
            "inside the loop",
        ),
        Wrong(
            "def rise(predictions, references):\n"
            "    gains = [max(token_f1(p, r) for r in refs) - token_f1(p, refs[0])\n"
            "             for p, refs in zip(predictions, references)]\n"
            "    print(sum(gains) / len(gains))",
            "Printing is not returning",
        ),
    ),
)

# --- 5.2 -------------------------------------------------------------------------------------------------


def _card() -> Scorecard:
    return scorecard(load_golden(), load_answers("run1"))


def _with(column: str, change: Callable[[list[Any]], list[Any]]) -> Callable[[], Scorecard]:
    """Return a maker of the card with one column changed."""

    def make() -> Scorecard:
        card = _card()
        return replace(card, table=card.table.assign(**{column: change(card.table[column].tolist())}))

    return make


def _other_answers() -> Scorecard:
    return scorecard(load_golden(), [replace(a, text="I do not know.") for a in load_answers("run1")])


def _other_ruler() -> Scorecard:
    card = _card()
    return replace(card, signatures={name: f"{text}, changed" for name, text in card.signatures.items()})


CELL_BY_CELL = (
    "A scorecard holds a table, and == on tables answers cell by cell instead of once: compare what the "
    "cards export."
)
ERRORS: tuple[tuple[type[Exception], str, str], ...] = (
    (ValueError, "ambiguous", CELL_BY_CELL),
    (AttributeError, "function", "make_card is a function: call it, and look at the card it returns."),
    (AttributeError, "", "A Scorecard has table, signatures, metrics, means() and export()."),
    (TypeError, "positional", "is_reproducible takes one argument, make_card, which takes none."),
    (AssertionError, "", "Return False where the cards differ; an exception stops whoever asked."),
    (Exception, "", "make_card takes no argument and returns a Scorecard."),
)


def _calls(second: Callable[[], Scorecard], wanted: bool, what: str, hint: str) -> Rule:
    def rule(answer: Any) -> Outcome:
        if not callable(answer):
            return f"is_reproducible must be a function, but it is {show(answer)}."
        call, last = f"For two cards {what}, is_reproducible", second()
        cards = iter([_card(), last])
        try:
            got = answer(lambda: next(cards, last))
        except Exception as error:  # noqa: BLE001  what a student's code raises is told, not raised
            told = next(t for kind, words, t in ERRORS if isinstance(error, kind) and words in str(error))
            return f"{_raised(call, error)} {told}"
        if isinstance(got, Todo):
            return got
        if same(got, wanted):
            return None
        expected = f"{call} gave {show(got)}, expected {wanted}."
        if got is None:
            return f"{call} gave None, expected {wanted}. {NO_RETURN}"
        if type(got).__name__ == "DataFrame":
            return f"{call} gave a whole table, expected {wanted}. {CELL_BY_CELL}"
        if type(got).__name__ not in ("bool", "bool_"):  # NumPy's too
            return f"{expected} Return True or False, not a value of type {type(got).__name__}."
        return f"{expected} {hint}"

    return rule


PROVE = Exercise(
    "is_reproducible",
    (
        _calls(
            _card,
            True,
            "with the same content",
            "Two cards made by two calls are two objects: ask whether they say the same, not whether "
            "they are the same object. (`export` is a method: it says something when it is called.)",
        ),
        _calls(
            _other_answers,
            False,
            "with other answers",
            "A card always agrees with itself: call make_card twice and compare the two.",
        ),
        _calls(
            _with("f1", lambda scores: [scores[1], scores[0], *scores[2:]]),
            False,
            "in which q1 and q2 exchanged their scores",
            "Their means are equal, so means prove nothing about the rows: compare the whole export, as it "
            "stands.",
        ),
        _calls(
            _with("f1", lambda scores: [scores[0] + 0.001, *scores[1:]]),
            False,
            "that differ by 0.001 in one cell",
            "Text and markdown are rounded for reading, and rounding hides this: choose an export that keeps "
            "every digit.",
        ),
        _calls(
            _other_ruler,
            False,
            "with equal numbers and other signatures",
            "The signature is part of the result: the csv and the table do not hold it, the json does.",
        ),
        _calls(
            _with("prediction", lambda texts: [text.upper() for text in texts]),
            False,
            "with equal scores for other texts",
            "Two answers can earn the same score: the texts belong to the proof as well.",
        ),
        _calls(
            _with("reference", lambda texts: [text.upper() for text in texts]),
            False,
            "with equal scores against other references",
            "The references are texts of the card too: compare the whole export.",
        ),
        _calls(
            _with("f1", lambda scores: [scores[0] + 1e-13, *scores[1:]]),
            False,
            "that differ in the thirteenth digit of one cell",
            "To the last digit means every digit: choose an export that does not round at all.",
        ),
    ),
    (
        Wrong("def is_reproducible(make_card):\n    return make_card() is make_card()", "two objects"),
        Wrong("def is_reproducible(make_card):\n    return make_card() == make_card()", "cell by cell"),
        Wrong(
            "def is_reproducible(make_card):\n    card = make_card()\n"
            '    return card.export("json") == card.export("json")',
            "call make_card twice",
        ),
        Wrong(
            "def is_reproducible(make_card):\n    return make_card().means() == make_card().means()",
            "means prove nothing",
        ),
        Wrong(
            "def is_reproducible(make_card):\n    return make_card().export() == make_card().export()",
            "rounding hides this",
        ),
        Wrong(
            "def is_reproducible(make_card):\n    return make_card().table.equals(make_card().table)",
            "The signature is part of the result",
        ),
        Wrong(
            "def is_reproducible(make_card):\n"
            '    if make_card().export("json") == make_card().export("json"):\n'
            "        return True",
            "Does every path end",
        ),
        Wrong(
            "def is_reproducible(make_card):\n"
            '    return int(make_card().export("json") == make_card().export("json"))',
            "Return True or False",
        ),
        Wrong(
            "def is_reproducible(make_card):\n"
            '    return make_card.export("json") == make_card.export("json")',
            "make_card is a function: call it",
        ),
    ),
)

# --- 5.3 -------------------------------------------------------------------------------------------------


def _lacks_the_mark(value: Any) -> bool:
    return any(_is_list(pair) and len(pair) == 2 and pair[1] in ("order", "tokens") for pair in value)


def _is_no_list_of_pairs(value: Any) -> bool:
    return not all(_is_list(pair) and len(pair) == 2 for pair in value)


DISAGREE = Exercise(
    "disagreements",
    _guarded(
        "disagreements",
        (
            _is_list,
            'Return a list of pairs, such as [("q6", "order?")]; no generator, no dictionary, no text.',
        ),
        "It is called with `rows`, a list of (id, f1, rouge_l), and sometimes with a second argument, `gap`.",
        (
            (
                Case(
                    ([("q6", 0.77, 0.40)],),
                    [("q6", "order?")],
                    "F1 cannot see order and ROUGE-L can. Where F1 is the higher one, the order of the words "
                    "is suspect.",
                    shown=True,
                ),
            ),
            (
                Case(
                    ([("x", 0.75, 0.5)],),
                    [("x", "order?")],
                    "Where the caller gives no gap it is 0.2, and 0.75 is more than 0.2 above 0.5.",
                ),
            ),
            (
                Case(
                    ([("q5", 0.40, 0.67)],),
                    [("q5", "tokens?")],
                    "Rulers disagree in two directions: look also at rows where ROUGE-L is the higher one.",
                    shown=True,
                ),
            ),
            (
                Case(
                    ([("q8", 0.43, 0.32)],),
                    [],
                    "Where the caller gives no gap it is 0.2, and 0.43 is not more than 0.2 above 0.32.",
                ),
            ),
            (
                Case(
                    ([("q7", 0.0, 0.0), ("q1", 0.17, 0.15)],),
                    [],
                    "A low score is no disagreement: here the two rulers agree that little is shared, so "
                    "both rows are left out.",
                ),
                (ZeroDivisionError, "A score may be 0, so subtract the two instead of dividing them."),
            ),
            (
                Case(
                    ([("q8", 0.43, 0.32)], 0.1),
                    [("q8", "order?")],
                    "Use the parameter gap: a team may want a finer or a coarser rule than 0.2.",
                ),
                (TypeError, "The function has a second parameter: `def disagreements(rows, gap=0.2)`."),
            ),
            (
                Case(
                    ([("x", 0.75, 0.5)], 0.25),
                    [],
                    "By more than gap: a difference of exactly gap stays out.",
                ),
            ),
            (
                Case(
                    ([("d", 0.1, 0.9), ("b", 0.5, 0.5), ("c", 0.9, 0.1), ("a", 0.2, 0.7)],),
                    [("d", "tokens?"), ("c", "order?"), ("a", "tokens?")],
                    "All such rows belong in the list, in the order of the table.",
                ),
            ),
            (Case(([],), [], "No rows, no disagreement: an empty list."),),
        ),
        (
            (
                lambda got, _: _lacks_the_mark(got),
                'The question mark belongs to the name: "order?" is a suspicion.',
            ),
            (
                lambda got, _: _is_no_list_of_pairs(got),
                "Every entry of the list is a pair of two texts: (id, kind).",
            ),
            (_is_reordered, "The right pairs in another order: keep the order of the rows, kinds mixed."),
            (_is_cut_short, IN_THE_LOOP),
        ),
    ),
    (
        Wrong(
            "def disagreements(rows, gap=0.2):\n"
            '    return [(name, "order?") for name, f1, rouge in rows if f1 - rouge > gap]',
            "two directions",
        ),
        Wrong(
            "def disagreements(rows, gap=0.2):\n"
            '    return [(name, "order?" if rouge > f1 else "tokens?")\n'
            "            for name, f1, rouge in rows if abs(f1 - rouge) > gap]",
            "F1 cannot see order",
        ),
        Wrong(
            "def disagreements(rows, gap=0.2):\n"
            '    return [(name, "order?" if f1 > rouge else "tokens?")\n'
            "            for name, f1, rouge in rows if abs(f1 - rouge) > gap or f1 < gap]",
            "A low score is no disagreement",
        ),
        Wrong(
            "def disagreements(rows, gap=0.2):\n"
            '    return [(name, "order?" if f1 > rouge else "tokens?")\n'
            "            for name, f1, rouge in rows if abs(f1 - rouge) > 0.2]",
            "Use the parameter gap",
        ),
        Wrong(
            "def disagreements(rows, gap=0.1):\n"
            '    return [(name, "order?" if f1 > rouge else "tokens?")\n'
            "            for name, f1, rouge in rows if abs(f1 - rouge) > gap]",
            "gives no gap it is 0.2",
        ),
        Wrong(
            "def disagreements(rows, gap=0.2):\n"
            '    return [(name, "order?" if f1 > rouge else "tokens?")\n'
            "            for name, f1, rouge in rows if abs(f1 - rouge) >= gap]",
            "exactly gap stays out",
        ),
        Wrong(
            "def disagreements(rows, gap=0.2):\n"
            '    return [(name, "order" if f1 > rouge else "tokens")\n'
            "            for name, f1, rouge in rows if abs(f1 - rouge) > gap]",
            "The question mark belongs to the name",
        ),
        Wrong(
            "def disagreements(rows, gap=0.2):\n"
            "    for name, f1, rouge in rows:\n"
            "        if abs(f1 - rouge) > gap:\n"
            '            yield name, "order?" if f1 > rouge else "tokens?"',
            "Return a list of pairs",
        ),
        Wrong(
            "def disagreements(rows, gap=0.2):\n"
            '    order = [(name, "order?") for name, f1, rouge in rows if f1 - rouge > gap]\n'
            '    return order + [(name, "tokens?") for name, f1, rouge in rows if rouge - f1 > gap]',
            "in another order",
        ),
    ),
)

# --- 5.4 -------------------------------------------------------------------------------------------------

BUILT_IN = ("exact_match", "accuracy", "f1", "rouge_l", "bleu_4")  # METRICS may hold the student's by now
FALLBACK = re.compile(r"\b(f1|token|exact|em|rouge|recall|words?|match)", re.IGNORECASE)


def _is_metric(answer: Any) -> Outcome:
    if not isinstance(answer, Metric):
        return (
            f"number_metric must be a Metric, but it is {show(answer)}. Write Metric(your_function, "
            "contract): the registry needs the contract beside the function."
        )
    if not callable(answer.function):
        return (
            f"The first part of a Metric is the function itself, by its name and without quotes, not "
            f"{show(answer.function)}."
        )
    return None


ASK_THE_REFERENCE = (
    "Whether numbers decide is up to the *reference*, the second argument. Is the answer asked instead, or "
    "have the two arguments changed places?"
)
ANSWER_FIRST = "In numeric_match the answer goes first: numeric_match(prediction, reference)."


def _call(answer: Any, prediction: str, reference: str) -> tuple[str, Any, str]:
    """Return the call as a student writes it, what it gave, and what is wrong with that kind of value."""
    call = f"number_metric.function({show(prediction)}, {show(reference)})"
    try:
        got = answer.function(prediction, reference)
    except Exception as error:  # noqa: BLE001  what a student's code raises is told, not raised
        told = "The function takes two texts: (prediction, reference)."
        if "holds no number" in str(error):
            told = NO_NUMBER
            if repr(prediction) in str(error) and prediction != reference:
                told = ANSWER_FIRST
            elif re.search(r"\d", prediction):
                told = ASK_THE_REFERENCE
        return call, error, f"{_raised(call, error)} {told}"
    if got is None:
        return call, got, f"{call} gave None. {NO_RETURN}"
    if not unfinished(got) and not _is_number(got) and type(got).__name__ not in ("bool", "bool_"):
        return call, got, f"{call} gave {show(got)}. A metric returns a number from 0 to 1."
    return call, got, ""


def _scores(prediction: str, reference: str, wanted: float, hint: str) -> Rule:
    def rule(answer: Any) -> Outcome:
        call, got, problem = _call(answer, prediction, reference)
        if problem or unfinished(got):
            return problem or got
        if same(float(got), wanted):
            return None
        return f"{call} gave {show(got)}, expected {show(float(wanted))}. {hint}"

    return rule


NO_NUMBER = (
    "This reference holds no number. Decide what takes over there: a metric of words, so that the right "
    "answer earns points and a wrong one does not."
)
HEDGE = "An answer that names two prices commits to neither: ask that all of its numbers agree."
Q6 = "A missing or invalid API key"


def _asks_the_reference(answer: Any) -> Outcome:
    """A number in the answer alone must change nothing, whatever metric takes over."""
    call, got, problem = _call(answer, f"A 401 error means {Q6.lower()}.", Q6)
    _, plain, _ = _call(answer, f"An error means {Q6.lower()}.", Q6)
    if problem:
        return problem
    if _is_number(plain) and plain > 0 and not got:
        return f"{call} gave {show(got)}, and without the 401 it gives {show(plain)}. {ASK_THE_REFERENCE}"
    return None


def _says_so(answer: Any) -> Outcome:
    contract = answer.contract
    text = contract if isinstance(contract, str) else ""
    says = f"The contract is {show(contract)}."
    if not text.strip() or text in {METRICS[name].contract for name in BUILT_IN if name in METRICS}:
        return (
            f"{says} It travels in the signature and is what tells two rulers apart: say in words of your "
            "own what happens with and without a number."
        )
    halves = [half for half in text.split("|") if half.strip()]
    if len(halves) > 1 or ("num" in text.lower() and FALLBACK.search(re.sub(r"(?i)num\w*", "", text))):
        return None
    return (
        f"{says} It does not plainly name two halves. Say both, with a | between them: how numbers are "
        "compared, and which metric takes over where the reference has none."
    )


def _works_in_the_registry(answer: Any) -> Outcome:
    name = "number_metric of exercise 5.4"
    METRICS[name] = answer
    try:
        pairs = pair(load_golden(), load_answers("run1"))
        values = {item.id: score(name, a.text, item.references[0]) for item, a in pairs}
    except Exception as error:  # noqa: BLE001  what a student's code raises is told, not raised
        return (
            f"{_raised('On run 1, through the registry, it', error)} A metric returns a number from 0 to 1."
        )
    finally:
        del METRICS[name]
    low = [i for i in ("q1", "q2", "q3", "q4", "q7") if values[i] != 1]
    return f"On run 1, {', '.join(low)} should score 1: the number in each is right." if low else None


PRICE = "25 dollars per month"
NUMBER = Exercise(
    "number_metric",
    (
        _is_metric,
        _scores(
            "The Pro plan costs $25 per month.", PRICE, 1, "The value is right: compare numbers, not words."
        ),
        _scores(
            "It costs 26 dollars per month.",
            PRICE,
            0,
            "A wrong number is wrong, however many words around it agree.",
        ),
        _scores(
            "It costs 250 dollars per month.",
            PRICE,
            0,
            "25 is inside 250 as characters, but not as a number: compare values.",
        ),
        _scores("It costs twenty-five dollars per month.", PRICE, 0, ASK_THE_REFERENCE),
        _scores("You have one day.", "24 hours", 0, "No number in the answer, so no number matches."),
        _scores("It costs 20 or 25 dollars per month.", PRICE, 0, HEDGE),
        _scores("It costs 25 or 30 dollars per month.", PRICE, 0, HEDGE),
        _scores(
            "It costs 25 cents per month.",
            PRICE,
            0,
            "25 cents are not 25 dollars. `numeric_match` looks at the unit too; values alone have none.",
        ),
        _scores(
            "The grace period is 24 hours. After 24 hours, the data is purged.",
            "24 hours",
            1,
            "24 is named twice, and that is no hedge: a repeated value still agrees, so don't compare lists.",
        ),
        _scores("MERIDIAN_API_KEY", "MERIDIAN_API_KEY", 1, NO_NUMBER),
        _scores("Ask support about it.", "MERIDIAN_API_KEY", 0, f"No free points. {NO_NUMBER}"),
        _asks_the_reference,
        _says_so,
        _works_in_the_registry,
    ),
    (
        Wrong(
            "def f(prediction, reference):\n"
            "    return float(numeric_match(prediction, reference, which='only'))\n"
            "number_metric = Metric(f, 'num:only')",
            "Decide what takes over",
        ),
        Wrong(
            "def f(prediction, reference):\n    if not extract_numbers(reference):\n        return 1.0\n"
            "    return float(numeric_match(prediction, reference, which='only'))\n"
            "number_metric = Metric(f, 'num:only')",
            "No free points",
        ),
        Wrong(
            "def f(prediction, reference):\n    if not extract_numbers(reference):\n        return 0.0\n"
            "    return float(numeric_match(prediction, reference, which='only'))\n"
            "number_metric = Metric(f, 'num:only')",
            "the right answer earns points",
        ),
        Wrong(
            "def f(prediction, reference):\n    if not extract_numbers(reference):\n"
            "        return token_f1(prediction, reference)\n"
            "    return float(numeric_match(prediction, reference))\n"
            "number_metric = Metric(f, 'num:last|else:f1')",
            "commits to neither",
        ),
        Wrong("number_metric = Metric(token_f1, 'num')", "compare numbers, not words"),
        Wrong(
            "def f(prediction, reference):\n    numbers = extract_numbers(reference)\n    if not numbers:\n"
            "        return token_f1(prediction, reference)\n"
            "    return float(str(numbers[0].value) in prediction)\n"
            "number_metric = Metric(f, 'num|else:f1')",
            "25 is inside 250",
        ),
        Wrong(
            "def number_metric(prediction, reference):\n"
            "    return float(numeric_match(prediction, reference, which='only'))",
            "must be a Metric",
        ),
        Wrong(
            "def f(prediction, reference):\n    if extract_numbers(reference):\n"
            "        return float(numeric_match(prediction, reference, which='only'))\n"
            "    return token_f1(prediction, reference)\n"
            "number_metric = Metric(f, 'tok:squad')",
            "tells two rulers apart",
        ),
        Wrong(
            "def f(prediction, reference):\n    if extract_numbers(reference):\n"
            "        return float(numeric_match(prediction, reference, which='only'))\n"
            "    return token_f1(prediction, reference)\n"
            "number_metric = Metric(f, 'number:only')",
            "plainly name two halves",
        ),
        Wrong(
            "def f(reference, prediction):\n    if extract_numbers(reference):\n"
            "        return float(numeric_match(prediction, reference, which='only'))\n"
            "    return token_f1(prediction, reference)\n"
            "number_metric = Metric(f, 'number:only|else:f1')",
            "is up to the *reference*",
        ),
        Wrong(
            "def f(prediction, reference):\n    if extract_numbers(prediction):\n"
            "        return float(numeric_match(prediction, reference, which='only'))\n"
            "    return exact_match(prediction, reference)\n"
            "number_metric = Metric(f, 'number:only|else:exact')",
            "is up to the *reference*",
        ),
        Wrong(
            "def f(prediction, reference):\n    if extract_numbers(reference):\n"
            "        return float(numeric_match(reference, prediction, which='only'))\n"
            "    return token_f1(prediction, reference)\n"
            "number_metric = Metric(f, 'number:only|else:f1')",
            "the answer goes first",
        ),
        Wrong(
            "def f(prediction, reference):\n    wanted = {n.value for n in extract_numbers(reference)}\n"
            "    if wanted:\n"
            "        return float({n.value for n in extract_numbers(prediction)} == wanted)\n"
            "    return token_f1(prediction, reference)\n"
            "number_metric = Metric(f, 'number:set|else:f1')",
            "25 cents are not 25 dollars",
        ),
        Wrong(
            "def f(prediction, reference):\n"
            "    said, wanted = ([(n.value, n.unit) for n in extract_numbers(text)]\n"
            "                    for text in (prediction, reference))\n"
            "    return float(said == wanted) if wanted else token_f1(prediction, reference)\n"
            "number_metric = Metric(f, 'number:list|else:f1')",
            "24 is named twice",
        ),
    ),
)

# --- 5.5 -------------------------------------------------------------------------------------------------

NAN = float("nan")
VANISHED = "A question that vanished is a reason of its own: go through the ids of before."


def _worded_alike(value: Any, expected: Any) -> bool:
    plain = [[re.sub(r"[^a-z0-9]+", " ", str(text).lower()).strip() for text in v] for v in (value, expected)]
    return plain[0] == plain[1] and not same(value, expected)


GATE = Exercise(
    "stop_reasons",
    _guarded(
        "stop_reasons",
        (_is_list, 'Return a list of texts, such as ["minimum", "fell q2"].'),
        "It is called with `now` and `before`, two dictionaries from id to number, and sometimes with "
        "`minimum` and `drop`.",
        (
            (
                Case(
                    ({"q1": 1.0, "q2": 0.2}, {"q1": 0.6, "q2": 0.6}),
                    ["fell q2"],
                    "One item rose as much as the other sank, so the mean stands still: look at each item as "
                    "well.",
                    shown=True,
                ),
                (
                    ["fell q1", "fell q2"],
                    "A rise is no fall: only a loss counts, old minus new, without abs.",
                ),
                (["fell q1"], "q1 rose and q2 sank: the loss is the old score minus the new one."),
            ),
            (
                Case(
                    ({"q1": 1.0, "q2": 0.9}, {"q1": 0.5, "q2": 0.9}),
                    [],
                    "A rise is no reason to stop: only a loss counts, the old score minus the new one.",
                ),
            ),
            (
                Case(
                    ({"q2": 0.4, "q1": 0.9}, {"q1": 0.9, "q2": 0.4}),
                    [],
                    "Match items by id: here the same scores stand in another order.",
                ),
            ),
            (
                Case(({"q1": 0.9}, {"q1": 0.9, "q2": 0.5}), ["missing q2"], VANISHED),
                (KeyError, f"{VANISHED} An id that is not in `now` has no score there."),
            ),
            (
                Case(
                    ({"q1": 0.7}, {"q1": 0.7, "q2": 0.5}),
                    ["missing q2", "minimum"],
                    "A missing item counts as 0 in the mean; otherwise losing the hard questions would raise "
                    "it.",
                ),
            ),
            (
                Case(
                    ({"q1": NAN, "q2": 0.9}, {"q1": 0.5, "q2": 0.9}),
                    ["missing q1"],
                    "NaN is neither above nor below anything, so every comparison lets it through: treat it "
                    "as missing.",
                ),
            ),
            (
                Case(
                    ({"q1": 0.0}, {"q1": 0.9}),
                    ["minimum", "fell q1"],
                    "0.0 is the worst score there is, and a score: give every reason that holds.",
                ),
                (
                    ["missing q1", "minimum"],
                    "0.0 is a score, and not a missing one: ask whether the id is there, not whether the "
                    "score counts as true.",
                ),
                (
                    ["minimum"],
                    "Give every reason, not only the first: the mean is too low, and q1 fell.",
                ),
            ),
            (
                Case(
                    ({"q1": 0.399}, {"q1": 0.399}),
                    ["minimum"],
                    "Where the caller gives none, the minimum is 0.4. 0.399 is below it: compare the mean as "
                    "it is, without rounding.",
                ),
            ),
            (
                Case(
                    ({"q1": 0.5}, {"q1": 0.5}, 0.6),
                    ["minimum"],
                    "Use the parameter minimum: a team may set the bar elsewhere than at 0.4.",
                ),
            ),
            (
                Case(
                    ({"q1": 0.5}, {"q1": 0.5}, 0.5),
                    [],
                    "Below the minimum: a mean of exactly the minimum is still accepted.",
                ),
            ),
            (
                Case(
                    ({"q1": 0.5}, {"q1": 0.75}),
                    [],
                    "Where the caller gives none, drop is 0.3: a difference of two scores, no share of the "
                    "old one. This item lost 0.25.",
                ),
            ),
            (
                Case(
                    ({"q1": 0.5}, {"q1": 0.75}, 0.4, 0.2),
                    ["fell q1"],
                    "Use the parameter drop: a team may allow less than 0.3, or more.",
                ),
            ),
            (
                Case(
                    ({"q1": 0.5}, {"q1": 0.85}),
                    ["fell q1"],
                    "Where the caller gives none, drop is 0.3, and this item lost 0.35.",
                ),
            ),
            (
                Case(
                    ({"q1": 0.5}, {"q1": 0.75}, 0.4, 0.25),
                    [],
                    "More than drop: a fall of exactly that much is still accepted.",
                ),
            ),
            (
                Case(
                    ({"q1": 0.3, "easy": 1.0}, {"q1": 0.3}),
                    ["minimum"],
                    "A new item has nothing to be held against, and must not lift the mean: only the items "
                    "of before count.",
                ),
            ),
            (
                Case(
                    (
                        {"a": 0.9, "q1": 0.1, "q2": 0.2},
                        {"q2": 0.9, "q1": 0.9, "q9": 0.5, "a": 0.9, "q5": 0.5},
                    ),
                    ["missing q9", "missing q5", "minimum", "fell q2", "fell q1"],
                    "Give every reason, not only the first: the reader should see the whole damage.",
                ),
            ),
            (
                Case(
                    ({}, {"q1": 0.5}),
                    ["missing q1", "minimum"],
                    "No scores at all is the worst run there is, not the best.",
                ),
                (ZeroDivisionError, "Divide by the number of items in `before`: `now` may be empty."),
            ),
            (
                Case(
                    ({}, {}),
                    ["minimum"],
                    "Fail closed: a gate with nothing to look at must not pass. The mean of nothing is 0 "
                    "here.",
                ),
            ),
        ),
        (
            (
                lambda got, _: "pass" in got,
                "An empty list is what lets a run pass: return [] and no word for it.",
            ),
            (
                _is_reordered,
                "The right reasons in another order: first the missing, then the minimum, then the fallen, "
                "and each kind in the order of `before`.",
            ),
            (
                lambda got, _: any(str(text).split()[-1:] == ["ID"] for text in got),
                "ID stands for the id of the item.",
            ),
            (_worded_alike, "Word the reasons exactly as in the task."),
        ),
        (KeyError, ZeroDivisionError),
    ),
    (
        Wrong(
            "def stop_reasons(now, before, minimum=0.4, drop=0.3):\n"
            "    mean = sum(now.values()) / len(now)\n"
            '    return ["minimum"] if mean < minimum else []',
            "look at each item as well",
        ),
        Wrong(
            "def stop_reasons(now, before, minimum=0.4, drop=0.3):\n"
            "    reasons = []\n"
            "    if sum(now.values()) / len(now) < minimum:\n"
            '        reasons.append("minimum")\n'
            "    return reasons + [f'fell {name}' for name in now if before[name] - now[name] > drop]",
            "A question that vanished",
        ),
        Wrong(
            "def stop_reasons(now, before, minimum=0.4, drop=0.3):\n"
            "    reasons = [f'missing {name}' for name in before if name not in now]\n"
            "    if sum(now.values()) / len(now) < minimum:\n"
            '        reasons.append("minimum")\n'
            "    return reasons + [f'fell {name}' for name in now\n"
            "                      if name in before and before[name] - now[name] > drop]",
            "losing the hard questions would raise it",
        ),
        Wrong(
            "def stop_reasons(now, before, minimum=0.4, drop=0.3):\n"
            "    reasons = [f'missing {name}' for name in before if name not in now]\n"
            "    there = {name: now[name] for name in before if name in now}\n"
            "    if before and sum(there.values()) / len(before) < minimum:\n"
            '        reasons.append("minimum")\n'
            "    return reasons + [f'fell {name}' for name in there if before[name] - there[name] > drop]",
            "treat it as missing",
        ),
        Wrong(
            "def stop_reasons(now, before, minimum=0.4, drop=0.3):\n"
            "    return [f'fell {name}' for name in before if abs(before[name] - now[name]) > drop]",
            "A rise is no fall",
        ),
        Wrong(
            "def stop_reasons(now, before, minimum=0.4, drop=0.3):\n"
            "    scores = zip(before, before.values(), now.values())\n"
            "    return [f'fell {name}' for name, old, new in scores if old - new > drop]",
            "Match items by id",
        ),
        *(
            Wrong(
                "def stop_reasons(now, before, minimum=0.4, drop=0.3):\n"
                f"    there = {{name: now[name] for name in before if {there}}}\n"
                "    mean = sum(there.values()) / len(before) if before else 0.0\n"
                "    reasons = [f'missing {name}' for name in before if name not in there]\n"
                f"    if {low}:\n"
                '        reasons.append("minimum")\n'
                f"    return reasons + [f'fell {{name}}' for name in {ids} if {fell}]",
                says,
            )
            for there, low, ids, fell, says in (
                (
                    "now.get(name) and now[name] == now[name]",
                    "mean < minimum",
                    "there",
                    "before[name] - there[name] > drop",
                    "0.0 is a score",
                ),
                (
                    "now.get(name) is not None and now[name] == now[name]",
                    "mean < 0.4",
                    "there",
                    "before[name] - there[name] > drop",
                    "Use the parameter minimum",
                ),
                (
                    "name in now and now[name] == now[name]",
                    "mean < minimum",
                    "there",
                    "before[name] - there[name] > 0.3",
                    "Use the parameter drop",
                ),
                (
                    "name in now and now[name] == now[name]",
                    "round(mean, 2) < minimum",
                    "there",
                    "before[name] - there[name] > drop",
                    "without rounding",
                ),
                (
                    "name in now and now[name] == now[name]",
                    "mean < minimum",
                    "sorted(there)",
                    "before[name] - there[name] > drop",
                    "in the order of `before`",
                ),
            )
        ),
    ),
)

# --- questions -------------------------------------------------------------------------------------------

EXERCISES = {
    "Q5.1": Choice(
        "b",
        {
            "a": "All answers of both runs are right. Nothing in the score shows what a model knows; "
            "look at how long the answers of each run are.",
            "b": "Yes. Every answer in both runs is right; run 3 gives the bare fact, which is how the "
            "references are written.",
            "c": "F1 is no share of right answers. A right answer in a long sentence can score 0.17, as "
            "q1 does.",
        },
    ),
    "Q5.2": Choice(
        "c",
        {
            "a": "F1 loses nothing when the order is right. On the same tokens, a common subsequence is "
            "at most as long as the overlap of the bags, so order can only pull ROUGE-L below F1.",
            "b": "Length acts on both alike: each divides by the same two lengths, as long as the tokens "
            "are the same.",
            "c": "Yes. On equal tokens ROUGE-L is at most F1, so a higher ROUGE-L shows that the tokens "
            "differ, as with MERIDIAN_API_KEY: one token for F1, three for ROUGE-L.",
        },
    ),
    "Q5.3": Choice(
        "a",
        {
            "a": "Yes. One ruler for both, then the difference means something.",
            "b": "The ruler changed, and best-of can only raise a score. The same old answers might have "
            "risen as much.",
            "c": "Tolerance is for small falls of one ruler. Here two rulers were mixed, and no "
            "tolerance makes their numbers comparable.",
        },
    ),
    "5.1": RISE,
    "5.2": PROVE,
    "5.3": DISAGREE,
    "5.4": NUMBER,
    "5.5": GATE,
}
