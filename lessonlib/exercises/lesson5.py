"""Exercises of lesson 5: the scorecard."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..data import load_answers, load_golden, pair
from ..metrics import METRICS, Metric, score
from ..scorecard import Scorecard, scorecard
from .checker import Case, Choice, Exercise, Outcome, Rule, Wrong, attempt, wrongs
from .slips import A_BOOL, OWN_HINT, ROUNDED, ArgumentsError, Raised, Slips, no_list, no_number
from .values import is_number, same, show, show_error


def _is_reordered(value: Any, expected: list[Any]) -> bool:
    both = [sorted(map(repr, list(values))) for values in (value, expected)]
    return both[0] == both[1] and not same(value, expected)


def _is_cut_short(value: Any, expected: list[Any]) -> bool:
    return len(value) == 1 < len(expected) and same(value, expected[:1])


IN_THE_LOOP = "Only one was looked at. Is the `return` inside the loop?"

# --- 5.1 -------------------------------------------------------------------------------------------------


def _rise_of_run(run: str) -> Rule:
    def rule(answer: Any) -> Outcome:
        golden, answers = load_golden(), load_answers(run)
        means = [scorecard(golden, answers, ["f1"], choice).means()["f1"] for choice in ("first", "all")]
        pairs = pair(golden, answers)
        case = Case(
            ([a.text for _, a in pairs], [list(item.references) for item, _ in pairs]),
            means[1] - means[0],
            "It is the best-of mean of F1 minus the first-only mean.",
        )
        return attempt("rise", case, answer, RISE_SLIPS, f"for {run}, rise")

    return rule


PER_PREDICTION = (
    "`predictions` is a list of texts; `references` is a list of lists, and the first list belongs to the "
    "first text."
)
RISE_SLIPS: Slips = (
    (no_number, "Return one number: the mean over all predictions."),
    (Exception, PER_PREDICTION),
)
DIVIDE = "The rise is that of the mean: divide by the number of predictions, also those that gained nothing."
NOT_BY_REFERENCES = "Divide by the number of predictions, not by the number of references."
FIRST_STAYS = (
    "One more accepted reference can never lower a score: the first one stays in the race, so take the "
    "maximum over the whole list."
)

RISE = Exercise(
    "rise",
    (
        Case(
            (["24 hours"], [["24 hours", "one day"]]),
            0.0,
            "Score the answer against each accepted reference on its own, neither joined nor "
            "averaged, and take the best.",
            slips=[
                (
                    1.0,
                    "A rise is a difference: subtract what the first reference gives. Here it gives "
                    "1.0 already, so nothing rises.",
                ),
                (-1.0, FIRST_STAYS),
            ],
        ),
        Case(
            (["You have one day to restore it."], [["24 hours", "one day"]]),
            4 / 9,
            "Take the best F1 over the list, minus the F1 of the first reference.",
            shown=True,
            slips=[
                (2 / 9, NOT_BY_REFERENCES),
                (
                    1 / 18,
                    "Divide by the number of predictions there are. They are eight in run 1 only.",
                ),
                (0.0, "Look at every reference of the list, not at the first alone."),
                (0.4, ROUNDED),
            ],
        ),
        Case(
            (["429"], [["429"]]),
            0.0,
            "With one reference there is nothing to gain.",
            slips=[(IndexError, "An item may have one reference only: go through the list, however long.")],
        ),
        Case(
            (["24 hours", "one day"], [["24 hours"], ["24 hours", "one day"]]),
            0.5,
            DIVIDE,
            slips=[(0.0, IN_THE_LOOP), (1 / 3, NOT_BY_REFERENCES)],
        ),
        Case(
            (
                ["one day", "90 days"],
                [["24 hours", "a 24-hour grace period", "one day"], ["90 days"]],
            ),
            0.5,
            "The list may hold any number of references, and the best may stand last.",
        ),
        _rise_of_run("run1"),
        _rise_of_run("run2"),
    ),
    wrongs(
        "def rise(predictions, references):",
        (
            "A rise is a difference",
            "    best = [max(token_f1(p, r) for r in refs) for p, refs in zip(predictions, references)]",
            "    return sum(best) / len(best)",
        ),
        (
            "neither joined nor averaged",
            "    gains = []",
            "    for p, refs in zip(predictions, references):",
            "        scores = [token_f1(p, r) for r in refs]",
            "        gains.append(sum(scores) / len(scores) - scores[0])",
            "    return sum(gains) / len(gains)",
        ),
        (
            "can never lower a score",
            "    gains = [token_f1(p, r[-1]) - token_f1(p, r[0]) for p, r in zip(predictions, references)]",
            "    return sum(gains) / len(gains)",
        ),
        (
            "divide by the number of predictions",
            "    gains = [max(token_f1(p, r) for r in refs) - token_f1(p, refs[0])",
            "             for p, refs in zip(predictions, references)]",
            "    return sum(gains)",
        ),
        (
            "may have one reference only",
            "    gains = [max(token_f1(p, r[0]), token_f1(p, r[1])) - token_f1(p, r[0])",
            "             for p, r in zip(predictions, references)]",
            "    return sum(gains) / len(gains)",
        ),
        (
            "Do not round it",
            "    gains = [max(token_f1(p, r) for r in refs) - token_f1(p, refs[0])",
            "             for p, refs in zip(predictions, references)]",
            "    return round(sum(gains) / len(gains), 4)",
        ),
        (
            "inside the loop",
            "    for p, refs in zip(predictions, references):",
            "        return max(token_f1(p, r) for r in refs) - token_f1(p, refs[0])",
        ),
        (
            "What is printed is not handed back",
            "    gains = [max(token_f1(p, r) for r in refs) - token_f1(p, refs[0])",
            "             for p, refs in zip(predictions, references)]",
            "    print(sum(gains) / len(gains))",
        ),
    ),
    RISE_SLIPS,
)

# --- 5.2 -------------------------------------------------------------------------------------------------


def _card() -> Scorecard:
    return scorecard(load_golden(), load_answers("run1"))


def _with(column: str, change: Callable[[list[Any]], list[Any]]) -> Callable[[], Scorecard]:
    """Return a maker of the card with one column changed."""

    def make() -> Scorecard:
        card = _card()
        values = change([row[column] for row in card.rows])
        return replace(card, rows=[{**r, column: v} for r, v in zip(card.rows, values, strict=True)])

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
PROVE_SLIPS: Slips = (
    (lambda got, _: type(got).__name__ == "DataFrame", f"That is a whole table. {CELL_BY_CELL}"),
    A_BOOL,
    (Raised(ValueError, "ambiguous"), CELL_BY_CELL),
    (
        Raised(AttributeError, "function"),
        "make_card is a function: call it, and look at the card it returns.",
    ),
    (AttributeError, "A Scorecard has table, signatures, metrics, means() and export()."),
    (Raised(TypeError, "positional"), "is_reproducible takes one argument, make_card, which takes none."),
    (AssertionError, "Return False where the cards differ; an exception stops whoever asked."),
    (Exception, "make_card takes no argument and returns a Scorecard."),
)


def _calls(second: Callable[[], Scorecard], wanted: bool, what: str, hint: str) -> Rule:
    def rule(answer: Any) -> Outcome:
        last = second()
        cards = iter([_card(), last])

        def make_card() -> Scorecard:
            return next(cards, last)

        case = Case((make_card,), wanted, hint)
        label = f"For two cards {what}, is_reproducible"
        return attempt("is_reproducible", case, answer, PROVE_SLIPS, label)

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
    wrongs(
        "def is_reproducible(make_card):",
        ("two objects", "    return make_card() is make_card()"),
        ("cell by cell", "    return make_card().table == make_card().table"),
        (
            "call make_card twice",
            "    card = make_card()",
            '    return card.export("json") == card.export("json")',
        ),
        ("means prove nothing", "    return make_card().means() == make_card().means()"),
        ("rounding hides this", "    return make_card().export() == make_card().export()"),
        ("The signature is part of the result", "    return make_card().table.equals(make_card().table)"),
        (
            "on every path",
            '    if make_card().export("json") == make_card().export("json"):',
            "        return True",
        ),
        ("Return True or False", '    return int(make_card().export("json") == make_card().export("json"))'),
        (
            "make_card is a function: call it",
            '    return make_card.export("json") == make_card.export("json")',
        ),
    ),
)

# --- 5.3 -------------------------------------------------------------------------------------------------


def _lacks_the_mark(value: Any, _: Any) -> bool:
    return any(not no_list(pair) and len(pair) == 2 and pair[1] in ("order", "tokens") for pair in value)


def _is_no_list_of_pairs(value: Any, _: Any) -> bool:
    return not all(not no_list(pair) and len(pair) == 2 for pair in value)


DISAGREE = Exercise(
    "disagreements",
    (
        Case(
            ([("q6", 0.77, 0.40)],),
            [("q6", "order?")],
            "F1 cannot see order and ROUGE-L can. Where F1 is the higher one, the order of the words "
            "is suspect.",
            shown=True,
        ),
        Case(
            ([("x", 0.75, 0.5)],),
            [("x", "order?")],
            "Where the caller gives no gap it is 0.2, and 0.75 is more than 0.2 above 0.5.",
        ),
        Case(
            ([("q5", 0.40, 0.67)],),
            [("q5", "tokens?")],
            "Rulers disagree in two directions: look also at rows where ROUGE-L is the higher one.",
            shown=True,
        ),
        Case(
            ([("q8", 0.43, 0.32)],),
            [],
            "Where the caller gives no gap it is 0.2, and 0.43 is not more than 0.2 above 0.32.",
        ),
        Case(
            ([("q7", 0.0, 0.0), ("q1", 0.17, 0.15)],),
            [],
            "A low score is no disagreement: here the two rulers agree that little is shared, so "
            "both rows are left out.",
            slips=[(ZeroDivisionError, "A score may be 0, so subtract the two instead of dividing them.")],
        ),
        Case(
            ([("q8", 0.43, 0.32)], 0.1),
            [("q8", "order?")],
            "Use the parameter gap: a team may want a finer or a coarser rule than 0.2.",
            slips=[
                (
                    ArgumentsError,
                    "The function has a second parameter: `def disagreements(rows, gap=0.2)`.",
                )
            ],
        ),
        Case(
            ([("x", 0.75, 0.5)], 0.25),
            [],
            "By more than gap: a difference of exactly gap stays out.",
        ),
        Case(
            ([("d", 0.1, 0.9), ("b", 0.5, 0.5), ("c", 0.9, 0.1), ("a", 0.2, 0.7)],),
            [("d", "tokens?"), ("c", "order?"), ("a", "tokens?")],
            "All such rows belong in the list, in the order of the table.",
        ),
        Case(([],), [], "No rows, no disagreement: an empty list."),
    ),
    (
        *wrongs(
            "def disagreements(rows, gap=0.2):",
            (
                "two directions",
                '    return [(name, "order?") for name, f1, rouge in rows if f1 - rouge > gap]',
            ),
            (
                "F1 cannot see order",
                '    return [(name, "order?" if rouge > f1 else "tokens?")',
                "            for name, f1, rouge in rows if abs(f1 - rouge) > gap]",
            ),
            (
                "A low score is no disagreement",
                '    return [(name, "order?" if f1 > rouge else "tokens?")',
                "            for name, f1, rouge in rows if abs(f1 - rouge) > gap or f1 < gap]",
            ),
            (
                "Use the parameter gap",
                '    return [(name, "order?" if f1 > rouge else "tokens?")',
                "            for name, f1, rouge in rows if abs(f1 - rouge) > 0.2]",
            ),
            (
                "exactly gap stays out",
                '    return [(name, "order?" if f1 > rouge else "tokens?")',
                "            for name, f1, rouge in rows if abs(f1 - rouge) >= gap]",
            ),
            (
                "The question mark belongs to the name",
                '    return [(name, "order" if f1 > rouge else "tokens")',
                "            for name, f1, rouge in rows if abs(f1 - rouge) > gap]",
            ),
            (
                "Return a list of pairs",
                "    for name, f1, rouge in rows:",
                "        if abs(f1 - rouge) > gap:",
                '            yield name, "order?" if f1 > rouge else "tokens?"',
            ),
            (
                "in another order",
                '    order = [(name, "order?") for name, f1, rouge in rows if f1 - rouge > gap]',
                '    return order + [(name, "tokens?") for name, f1, rouge in rows if rouge - f1 > gap]',
            ),
        ),
        Wrong(
            "def disagreements(rows, gap=0.1):\n"
            '    return [(name, "order?" if f1 > rouge else "tokens?")\n'
            "            for name, f1, rouge in rows if abs(f1 - rouge) > gap]",
            "gives no gap it is 0.2",
        ),
    ),
    [
        (
            no_list,
            'Return a list of pairs, such as [("q6", "order?")]; no generator, no dictionary, no text.',
        ),
        (
            _lacks_the_mark,
            'The question mark belongs to the name: "order?" is a suspicion.',
        ),
        (
            _is_no_list_of_pairs,
            "Every entry of the list is a pair of two texts: (id, kind).",
        ),
        (_is_reordered, "The right pairs in another order: keep the order of the rows, kinds mixed."),
        (_is_cut_short, IN_THE_LOOP),
        (
            Exception,
            "It is called with `rows`, a list of (id, f1, rouge_l), and sometimes with a second argument, "
            "`gap`.",
        ),
    ],
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


def _slips(prediction: str, reference: str) -> Slips:
    first = [(Raised(Exception, f"holds no number: {prediction!r}"), ANSWER_FIRST)]
    return [
        (lambda got, _: not is_number(got), "A metric returns a number from 0 to 1."),
        *(first if prediction != reference else []),
        (
            Raised(Exception, "holds no number"),
            ASK_THE_REFERENCE if re.search(r"\d", prediction) else NO_NUMBER,
        ),
        (Exception, "The function takes two texts: (prediction, reference)."),
    ]


def _scores(prediction: str, reference: str, wanted: float, hint: str) -> Rule:
    case = Case((prediction, reference), float(wanted), hint)
    slips = _slips(prediction, reference)
    return lambda answer: attempt("number_metric.function", case, answer.function, slips)


NO_NUMBER = (
    "This reference holds no number. Decide what takes over there: a metric of words, so that the right "
    "answer earns points and a wrong one does not."
)
HEDGE = "An answer that names two prices commits to neither: ask that all of its numbers agree."
Q6 = "A missing or invalid API key"


def _asks_the_reference(answer: Any) -> Outcome:
    """A number in the answer alone must change nothing, whatever metric takes over."""
    says = f"A 401 error means {Q6.lower()}."
    plain = answer.function(f"An error means {Q6.lower()}.", Q6)

    def earns(prediction: str, reference: str) -> Any:
        got = answer.function(prediction, reference)
        return bool(got > 0 or not (is_number(plain) and plain > 0)) if is_number(got) else got

    hint = f"Without the 401 it gives {show(plain)}. {ASK_THE_REFERENCE}"
    call = f"number_metric.function({show(says)}, {show(Q6)}) > 0"
    return attempt("number_metric", Case((says, Q6), True, hint), earns, _slips(says, Q6), call)


def _says_so(answer: Any) -> Outcome:
    contract = answer.contract
    text = contract if isinstance(contract, str) else ""
    says = f"The contract is {show(contract)}."
    if not text.strip() or text in {METRICS[name].full_contract() for name in BUILT_IN if name in METRICS}:
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
            f"On run 1, through the registry, it raised {show_error(error)}. A metric returns a number from "
            "0 to 1."
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
        *wrongs(
            "def f(prediction, reference):",
            (
                "Decide what takes over",
                "    return float(numeric_match(prediction, reference, which='only'))",
                "number_metric = Metric(f, 'num:only')",
            ),
            (
                "No free points",
                "    if not extract_numbers(reference):",
                "        return 1.0",
                "    return float(numeric_match(prediction, reference, which='only'))",
                "number_metric = Metric(f, 'num:only')",
            ),
            (
                "the right answer earns points",
                "    if not extract_numbers(reference):",
                "        return 0.0",
                "    return float(numeric_match(prediction, reference, which='only'))",
                "number_metric = Metric(f, 'num:only')",
            ),
            (
                "commits to neither",
                "    if not extract_numbers(reference):",
                "        return token_f1(prediction, reference)",
                "    return float(numeric_match(prediction, reference))",
                "number_metric = Metric(f, 'num:last|else:f1')",
            ),
            (
                "25 is inside 250",
                "    numbers = extract_numbers(reference)",
                "    if not numbers:",
                "        return token_f1(prediction, reference)",
                "    return float(str(numbers[0].value) in prediction)",
                "number_metric = Metric(f, 'num|else:f1')",
            ),
            (
                "tells two rulers apart",
                "    if extract_numbers(reference):",
                "        return float(numeric_match(prediction, reference, which='only'))",
                "    return token_f1(prediction, reference)",
                "number_metric = Metric(f, 'tok:squad')",
            ),
            (
                "plainly name two halves",
                "    if extract_numbers(reference):",
                "        return float(numeric_match(prediction, reference, which='only'))",
                "    return token_f1(prediction, reference)",
                "number_metric = Metric(f, 'number:only')",
            ),
            (
                "is up to the *reference*",
                "    if extract_numbers(prediction):",
                "        return float(numeric_match(prediction, reference, which='only'))",
                "    return exact_match(prediction, reference)",
                "number_metric = Metric(f, 'number:only|else:exact')",
            ),
            (
                "the answer goes first",
                "    if extract_numbers(reference):",
                "        return float(numeric_match(reference, prediction, which='only'))",
                "    return token_f1(prediction, reference)",
                "number_metric = Metric(f, 'number:only|else:f1')",
            ),
            (
                "25 cents are not 25 dollars",
                "    wanted = {n.value for n in extract_numbers(reference)}",
                "    if wanted:",
                "        return float({n.value for n in extract_numbers(prediction)} == wanted)",
                "    return token_f1(prediction, reference)",
                "number_metric = Metric(f, 'number:set|else:f1')",
            ),
            (
                "24 is named twice",
                "    said, wanted = ([(n.value, n.unit) for n in extract_numbers(text)]",
                "                    for text in (prediction, reference))",
                "    return float(said == wanted) if wanted else token_f1(prediction, reference)",
                "number_metric = Metric(f, 'number:list|else:f1')",
            ),
        ),
        Wrong("number_metric = Metric(token_f1, 'num')", "compare numbers, not words"),
        Wrong(
            "def number_metric(prediction, reference):\n"
            "    return float(numeric_match(prediction, reference, which='only'))",
            "must be a Metric",
        ),
        Wrong(
            "def f(reference, prediction):\n    if extract_numbers(reference):\n"
            "        return float(numeric_match(prediction, reference, which='only'))\n"
            "    return token_f1(prediction, reference)\n"
            "number_metric = Metric(f, 'number:only|else:f1')",
            "is up to the *reference*",
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
    (
        Case(
            ({"q1": 1.0, "q2": 0.2}, {"q1": 0.6, "q2": 0.6}),
            ["fell q2"],
            "One item rose as much as the other sank, so the mean stands still: look at each item as well.",
            shown=True,
            slips=[
                (
                    ["fell q1", "fell q2"],
                    "A rise is no fall: only a loss counts, old minus new, without abs.",
                ),
                (["fell q1"], "q1 rose and q2 sank: the loss is the old score minus the new one."),
            ],
        ),
        Case(
            ({"q1": 1.0, "q2": 0.9}, {"q1": 0.5, "q2": 0.9}),
            [],
            "A rise is no reason to stop: only a loss counts, the old score minus the new one.",
        ),
        Case(
            ({"q2": 0.4, "q1": 0.9}, {"q1": 0.9, "q2": 0.4}),
            [],
            "Match items by id: here the same scores stand in another order.",
        ),
        Case(
            ({"q1": 0.9}, {"q1": 0.9, "q2": 0.5}),
            ["missing q2"],
            VANISHED,
            slips=[(KeyError, f"{VANISHED} An id that is not in `now` has no score there.")],
        ),
        Case(
            ({"q1": 0.7}, {"q1": 0.7, "q2": 0.5}),
            ["missing q2", "minimum"],
            "A missing item counts as 0 in the mean; otherwise losing the hard questions would raise it.",
        ),
        Case(
            ({"q1": NAN, "q2": 0.9}, {"q1": 0.5, "q2": 0.9}),
            ["missing q1"],
            "NaN is neither above nor below anything, so every comparison lets it through: treat it "
            "as missing.",
        ),
        Case(
            ({"q1": 0.0}, {"q1": 0.9}),
            ["minimum", "fell q1"],
            "0.0 is the worst score there is, and a score: give every reason that holds.",
            slips=[
                (
                    ["missing q1", "minimum"],
                    "0.0 is a score, and not a missing one: ask whether the id is there, not whether the "
                    "score counts as true.",
                ),
                (
                    ["minimum"],
                    "Give every reason, not only the first: the mean is too low, and q1 fell.",
                ),
            ],
        ),
        Case(
            ({"q1": 0.399}, {"q1": 0.399}),
            ["minimum"],
            "Where the caller gives none, the minimum is 0.4. 0.399 is below it: compare the mean as "
            "it is, without rounding.",
        ),
        Case(
            ({"q1": 0.5}, {"q1": 0.5}, 0.6),
            ["minimum"],
            "Use the parameter minimum: a team may set the bar elsewhere than at 0.4.",
        ),
        Case(
            ({"q1": 0.5}, {"q1": 0.5}, 0.5),
            [],
            "Below the minimum: a mean of exactly the minimum is still accepted.",
        ),
        Case(
            ({"q1": 0.5}, {"q1": 0.75}),
            [],
            "Where the caller gives none, drop is 0.3: a difference of two scores, no share of the "
            "old one. This item lost 0.25.",
        ),
        Case(
            ({"q1": 0.5}, {"q1": 0.75}, 0.4, 0.2),
            ["fell q1"],
            "Use the parameter drop: a team may allow less than 0.3, or more.",
        ),
        Case(
            ({"q1": 0.5}, {"q1": 0.85}),
            ["fell q1"],
            "Where the caller gives none, drop is 0.3, and this item lost 0.35.",
        ),
        Case(
            ({"q1": 0.5}, {"q1": 0.75}, 0.4, 0.25),
            [],
            "More than drop: a fall of exactly that much is still accepted.",
        ),
        Case(
            ({"q1": 0.3, "easy": 1.0}, {"q1": 0.3}),
            ["minimum"],
            "A new item has nothing to be held against, and must not lift the mean: only the items "
            "of before count.",
        ),
        Case(
            (
                {"a": 0.9, "q1": 0.1, "q2": 0.2},
                {"q2": 0.9, "q1": 0.9, "q9": 0.5, "a": 0.9, "q5": 0.5},
            ),
            ["missing q9", "missing q5", "minimum", "fell q2", "fell q1"],
            "Give every reason, not only the first: the reader should see the whole damage.",
        ),
        Case(
            ({}, {"q1": 0.5}),
            ["missing q1", "minimum"],
            "No scores at all is the worst run there is, not the best.",
            slips=[(ZeroDivisionError, "Divide by the number of items in `before`: `now` may be empty.")],
        ),
        Case(
            ({}, {}),
            ["minimum"],
            "Fail closed: a gate with nothing to look at must not pass. The mean of nothing is 0 here.",
        ),
    ),
    (
        *wrongs(
            "def stop_reasons(now, before, minimum=0.4, drop=0.3):",
            (
                "look at each item as well",
                "    mean = sum(now.values()) / len(now)",
                '    return ["minimum"] if mean < minimum else []',
            ),
            (
                "A question that vanished",
                "    reasons = []",
                "    if sum(now.values()) / len(now) < minimum:",
                '        reasons.append("minimum")',
                "    return reasons + [f'fell {name}' for name in now if before[name] - now[name] > drop]",
            ),
            (
                "losing the hard questions would raise it",
                "    reasons = [f'missing {name}' for name in before if name not in now]",
                "    if sum(now.values()) / len(now) < minimum:",
                '        reasons.append("minimum")',
                "    return reasons + [f'fell {name}' for name in now",
                "                      if name in before and before[name] - now[name] > drop]",
            ),
            (
                "treat it as missing",
                "    reasons = [f'missing {name}' for name in before if name not in now]",
                "    there = {name: now[name] for name in before if name in now}",
                "    if before and sum(there.values()) / len(before) < minimum:",
                '        reasons.append("minimum")',
                "    return reasons + [f'fell {i}' for i in there if before[i] - there[i] > drop]",
            ),
            (
                "A rise is no fall",
                "    return [f'fell {name}' for name in before if abs(before[name] - now[name]) > drop]",
            ),
            (
                "Match items by id",
                "    scores = zip(before, before.values(), now.values())",
                "    return [f'fell {name}' for name, old, new in scores if old - new > drop]",
            ),
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
    [
        (no_list, 'Return a list of texts, such as ["minimum", "fell q2"].'),
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
        (KeyError, OWN_HINT),
        (ZeroDivisionError, OWN_HINT),
        (
            Exception,
            "It is called with `now` and `before`, two dictionaries from id to number, and sometimes with "
            "`minimum` and `drop`.",
        ),
    ],
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
