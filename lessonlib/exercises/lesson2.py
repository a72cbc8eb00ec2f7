"""The exercises of Lesson 2, Token F1: cases, rules and typical wrong answers."""

import re
from typing import Any

from ..metrics import token_f1
from ..numeric import extract_numbers, numeric_match
from .checker import Case, Choice, Exercise, Wrong, wrongs
from .slips import A_BOOL, is_text, no_list
from .values import is_number, same, show

PRICE = "25 dollars per month"


def _pairs(got: Any, _: Any) -> bool:
    return bool(got) and all(isinstance(part, list | tuple) for part in got)


# --- 2.5: two answers, judged by rules -------------------------------------------------------------------

NEGATION = re.compile(r"\b(?:not|no|never|none|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
# "Free" and "Scale" with a capital, or before "plan"; "feel free" and "Scale up" are no plans.
PLAN = re.compile(r"\b(?:(?i:free|scale)(?=\s+(?:plan|tier)\b)|(?:Free|Scale)\b(?!\s+(?:to|of|up|from)\b))")
PERIOD = re.compile(
    r"\b(?:(?:second|minute|hour|day|week|fortnight|quarter|year|decade)s?|hourly|daily|weekly|fortnightly"
    r"|quarterly|yearly|annual|annually|annum|century|lifetime|once)\b",
    re.IGNORECASE,
)
MONTH = re.compile(r"\bmonth(?:s|ly)?\b", re.IGNORECASE)
BOUND = re.compile(
    r"\b(?:more|less|least|most|over|under|above|below|beyond|exceeds|up to|from(?=\s+\$?\d)|start(?:s|ing)?"
    r"|min|minimum|max|maximum)\b|\d\s*\+|[<>≤≥]",
    re.IGNORECASE,
)
KINDS = (
    'another plan (Free, Scale) and not Pro; another period ("per week", "annual") and not the month; '
    'a bound ("more than", "at least", "starting at", "maximum", "25+"); or another price in dollars as well'
)


def _sign(text: str) -> str:
    """Return what in an answer looks false, as far as words can show it, or ""."""
    if negation := NEGATION.search(text):
        return f'"{negation[0]}"'
    return _false_sign(text)


def _false_sign(text: str) -> str:
    plan, period, bound = PLAN.search(text), PERIOD.search(text), BOUND.search(text)
    if plan and not re.search(r"\bpro\b", text, re.IGNORECASE):
        return f'"{plan[0]}" without Pro'
    if period and not MONTH.search(text):
        return f'"{period[0]}" without the month'
    if bound:
        return f'"{bound[0]}"'
    if any(number.unit == "dollars" and number.value != 25 for number in extract_numbers(text)):
        return "another price"
    return ""


def _is_pair(answer: Any) -> str | None:
    texts = isinstance(answer, list | tuple) and len(answer) == 2 and all(isinstance(t, str) for t in answer)
    return None if texts else "inversion must be a pair of texts: (right, wrong)."


def _right_is_true(answer: Any) -> str | None:
    right, wrong = answer
    if sign := _sign(right):
        sees = f"The first answer must be true, and the check sees {sign} in it."
        if not _sign(wrong) and numeric_match(right, PRICE):
            return f"{sees} The order is (right, wrong): are the two swapped? If not, reword the first."
        return f"{sees} It sees the words, not what they mean: if your answer is true, say it without them."
    if not numeric_match(right, PRICE):
        return (
            "numeric_match rejects the first answer, so this pair does not fool it: the last number of the "
            'text must be 25 in digits, without a unit or in dollars (it cannot read "twenty-five").'
        )
    return None


def _wrong_has_the_number(answer: Any) -> str | None:
    if numeric_match(answer[1], PRICE):
        return None
    return (
        "numeric_match already rejects the second answer. Leave the number and its unit alone and make "
        "something else false: that is what a comparison of numbers cannot see."
    )


def _wrong_is_false(answer: Any) -> str | None:
    wrong = answer[1]
    if negation := NEGATION.search(wrong):
        return (
            f'The second answer holds "{negation[0]}". A negation was the lesson\'s own example: find a '
            "false answer without words such as not."
        )
    if not _false_sign(wrong):
        return f"The check finds nothing false in {show(wrong)}. It knows {KINDS}."
    return None


def _wrong_outranks(answer: Any) -> str | None:
    high, low = token_f1(answer[1], PRICE), token_f1(answer[0], PRICE)
    if high > low:
        return None
    return (
        f"F1 gives the wrong answer {high:.2f} and the right one {low:.2f}, so it does not rank the wrong "
        "one higher. Extra words cost: say the true answer at greater length, or the false one more tersely."
    )


# --- the table -------------------------------------------------------------------------------------------

EXERCISES: dict[str, Exercise | Choice] = {
    "2.1": Exercise(
        "precision_and_recall",
        (
            Case(
                ("It costs 25 dollars per month", PRICE),
                (4 / 6, 1.0),
                "Precision is the shared count over the tokens of the prediction, recall is the same count "
                "over the tokens of the reference.",
                shown=True,
                slips=[
                    (
                        (1.0, 4 / 6),
                        "The two are swapped: precision comes first, over the prediction's tokens.",
                    ),
                    ((20 / 29, 1.0), "You counted characters. Cut both texts into tokens first."),
                    (
                        (4 / 29, 4 / 20),
                        "The lengths are those of the texts, in characters. Count tokens there too.",
                    ),
                    ((4, 4), "That is the count alone. Divide it once by each length."),
                ],
            ),
            Case(
                ("HTTP 429.", "429"),
                (0.5, 1.0),
                "A split at white space leaves the full stop on the word. Cut both texts with word_tokens.",
            ),
            Case(
                ("The Scale plan", "Scale plan"),
                (2 / 3, 1.0),
                "The tokenizer here is word_tokens: it keeps the articles, squad_tokens drops them.",
            ),
            Case(
                ("no no yes", "no yes yes"),
                (2 / 3, 2 / 3),
                "Count copies on both sides: a token is shared as often as both lists have it, and the "
                "lengths are those of the lists, not of sets.",
            ),
            Case(
                ("no no yes", "no no"),
                (2 / 3, 1.0),
                'Both texts say "no" twice, so two copies are shared. A set would count one.',
            ),
            Case(
                ("", "429"),
                (0.0, 0.0),
                "One text without tokens shares nothing: return (0.0, 0.0) before you divide by its length.",
            ),
            Case(
                ("", ""),
                (1.0, 1.0),
                "Nothing against nothing agrees completely: if both have no token, the pair is (1.0, 1.0).",
                shown=True,
            ),
            Case(
                ("?!", "..."),
                (1.0, 1.0),
                "These texts are not empty, but they have no tokens. Cut first, then look for empty lists.",
            ),
            Case(("600", ""), (0.0, 0.0), "The reference can be the one without tokens, too."),
        ),
        (
            *wrongs(
                "def precision_and_recall(prediction, reference):",
                (
                    "The two are swapped",
                    "    p, r = word_tokens(prediction), word_tokens(reference)",
                    "    if not p or not r:",
                    "        return (1.0, 1.0) if p == r else (0.0, 0.0)",
                    "    return shared(p, r) / len(r), shared(p, r) / len(p)",
                ),
                (
                    "You counted characters",
                    "    same = shared(prediction, reference)",
                    "    return same / len(prediction), same / len(reference)",
                ),
                (
                    "Do not round it",
                    "    p, r = word_tokens(prediction), word_tokens(reference)",
                    "    if not p or not r:",
                    "        return (1.0, 1.0) if p == r else (0.0, 0.0)",
                    "    return round(shared(p, r) / len(p), 4), round(shared(p, r) / len(r), 4)",
                ),
                (
                    "What is printed is not handed back",
                    "    p, r = word_tokens(prediction), word_tokens(reference)",
                    "    print(shared(p, r) / len(p), shared(p, r) / len(r))",
                ),
                (
                    "Both fractions are asked for",
                    '    return token_f1(prediction, reference, tokenizer="word")',
                ),
                (
                    "as a tuple, or as a list",
                    "    p, r = word_tokens(prediction), word_tokens(reference)",
                    '    return {"precision": shared(p, r) / len(p), "recall": shared(p, r) / len(r)}',
                ),
                (
                    "formatting is for print",
                    "    p, r = word_tokens(prediction), word_tokens(reference)",
                    '    return f"{shared(p, r) / len(p):.2f}", f"{shared(p, r) / len(r):.2f}"',
                ),
                (
                    "A set would count one",
                    "    p, r = word_tokens(prediction), word_tokens(reference)",
                    "    if not p or not r:",
                    "        return (1.0, 1.0) if p == r else (0.0, 0.0)",
                    "    both = set(p) & set(r)",
                    "    return len(both) / len(p), len(both) / len(r)",
                ),
                (
                    "Count copies on both sides",
                    "    p, r = set(word_tokens(prediction)), set(word_tokens(reference))",
                    "    if not p or not r:",
                    "        return (1.0, 1.0) if p == r else (0.0, 0.0)",
                    "    return len(p & r) / len(p), len(p & r) / len(r)",
                ),
                (
                    "leaves the full stop on the word",
                    "    p, r = prediction.lower().split(), reference.lower().split()",
                    "    return shared(p, r) / len(p), shared(p, r) / len(r)",
                ),
                (
                    "keeps the articles",
                    "    p, r = squad_tokens(prediction), squad_tokens(reference)",
                    "    return shared(p, r) / len(p), shared(p, r) / len(r)",
                ),
                (
                    "before you divide",
                    "    p, r = word_tokens(prediction), word_tokens(reference)",
                    "    return shared(p, r) / len(p), shared(p, r) / len(r)",
                ),
                (
                    "Nothing against nothing",
                    "    p, r = word_tokens(prediction), word_tokens(reference)",
                    "    if not p or not r:",
                    "        return 0.0, 0.0",
                    "    return shared(p, r) / len(p), shared(p, r) / len(r)",
                ),
            ),
            Wrong(
                """def precision_and_recall(pair):
    return pair
""",
                "must take 2 arguments",
            ),
        ),
        [
            (lambda got, _: is_number(got), "Both fractions are asked for, as a pair: (precision, recall)."),
            (
                lambda got, _: no_list(got) and not is_text(got),
                "Return the two numbers as a tuple, or as a list: (precision, recall).",
            ),
        ],
    ),
    "2.2": Exercise(
        "best_of",
        (
            Case(
                ("You have one day to restore it.", ["24 hours", "one day"]),
                (4 / 9, "one day"),
                "Score every reference with token_f1 and return the highest score and its reference.",
                shown=True,
                slips=[
                    (
                        ("one day", 4 / 9),
                        "The pair is the other way round: the score first, then the reference.",
                    ),
                    ((4 / 9, 1), "The second part of the pair is the reference itself, not its place."),
                    ((0.0, 4 / 9), "These are all the scores. Return the best and its text."),
                    ((0.0, "24 hours"), "Score every reference of the list, not only the first one."),
                    (
                        lambda got, _: same(got[0], 2 / 9),
                        "The best reference decides alone. With an average, every further reference would "
                        "pull a right answer down.",
                    ),
                    (
                        lambda got, _: same(got[0], 4 / 11),
                        "The best reference decides alone. All references joined into one text ask for the "
                        "words of all.",
                    ),
                ],
            ),
            Case(
                ("24 hours", ["24 hours", "one day"]),
                (1.0, "24 hours"),
                "The best can stand first: a later reference that scores less must not replace it.",
            ),
            Case(
                ("The Scale plan", ["Scale plan", "500 GB"]),
                (1.0, "Scale plan"),
                "Score with token_f1 as it comes: its own tokenizer, squad, drops the articles.",
            ),
            Case(
                ("90 days", ["3 months", "90 days", "one quarter"]),
                (1.0, "90 days"),
                "The best can stand in the middle of the list: look at all of it before you return.",
            ),
            Case(
                ("I do not know.", ["3 months", "90 days"]),
                (0.0, "3 months"),
                "All are equally good here (0.0), and then the first of the list counts: neither the last, "
                "nor the last in the alphabet, nor none.",
            ),
            Case(
                ("24 hours", "24 hours"),
                (1.0, "24 hours"),
                "One string is one reference: do not cut it into words, nor loop over its letters.",
            ),
            Case(
                ("90 days", ("Ninety days", "90 days.")),
                (1.0, "90 days."),
                "A tuple of references is good, too. Ask whether it is a str, not whether it is a list.",
            ),
        ),
        wrongs(
            "def best_of(prediction, references):",
            ("not only the first one", "    return token_f1(prediction, references[0]), references[0]"),
            (
                "With an average",
                "    scores = [token_f1(prediction, reference) for reference in references]",
                "    return sum(scores) / len(scores), references[scores.index(max(scores))]",
            ),
            (
                "joined into one text",
                '    everything = " ".join(references)',
                "    best = max(references, key=lambda reference: token_f1(prediction, reference))",
                "    return token_f1(prediction, everything), best",
            ),
            (
                "the first of the list counts",
                "    if isinstance(references, str):",
                "        references = [references]",
                "    return max((token_f1(prediction, reference), reference) for reference in references)",
            ),
            (
                "nor loop over its letters",
                "    best = max(references, key=lambda reference: token_f1(prediction, reference))",
                "    return token_f1(prediction, best), best",
            ),
            (
                "do not cut it",
                "    if isinstance(references, str):",
                "        references = references.split()",
                "    best = max(references, key=lambda reference: token_f1(prediction, reference))",
                "    return token_f1(prediction, best), best",
            ),
            (
                "whether it is a str",
                "    if not isinstance(references, list):",
                "        references = [references]",
                "    best = max(references, key=lambda reference: token_f1(prediction, reference))",
                "    return token_f1(prediction, best), best",
            ),
            (
                "drops the articles",
                "    if isinstance(references, str):",
                "        references = [references]",
                '    best = max(references, key=lambda text: token_f1(prediction, text, tokenizer="word"))',
                '    return token_f1(prediction, best, tokenizer="word"), best',
            ),
            ("Return a pair", "    return max(token_f1(prediction, reference) for reference in references)"),
            (
                "Return a pair",
                "    return max(references, key=lambda reference: token_f1(prediction, reference))",
            ),
            (
                "the other way round",
                "    best = max(references, key=lambda reference: token_f1(prediction, reference))",
                "    return best, token_f1(prediction, best)",
            ),
            (
                "What is printed is not handed back",
                "    for reference in references:",
                "        print(token_f1(prediction, reference), reference)",
            ),
        ),
        [
            (_pairs, "These are all the pairs. Return only the one with the highest score."),
            (no_list, "Return a pair: the score first, then the reference that gave it."),
        ],
    ),
    "2.3": Exercise(
        "fair_f1",
        (
            Case(
                ("Paris Paris Paris Paris Paris", "Paris"),
                1 / 3,
                "One token is shared; the prediction has five, the reference one. Twice the shared count, "
                "over both lengths together.",
                shown=True,
                slips=[
                    (1 / 6, "Twice the shared count goes on top, over both lengths together."),
                    (
                        0.6,
                        "That is the ordinary average of precision and recall. F1 is twice the shared count, "
                        "over both lengths together.",
                    ),
                    (
                        0.2,
                        "That is precision alone. F1 is twice the shared count, over both lengths together.",
                    ),
                    (
                        10 / 6,
                        "Above 1: each copy may be used once. Cross it off when it has found its partner.",
                    ),
                    (5.0, "Above 1: each copy may be used once. Cross it off when it has found its partner."),
                    (2 / 5, "The reference counts as empty here. Take both lengths before you cross off."),
                    (
                        ZeroDivisionError,
                        "No text is empty here, so a list was emptied on the way: take both lengths before "
                        "you cross off.",
                    ),
                    (10 / 34, "You counted characters. Cut both texts into tokens first, with squad_tokens."),
                    (
                        1.0,
                        "Five guesses are five tokens, and one of them was called for. A set forgets how "
                        "many there were, in the shared count and in the length.",
                    ),
                ],
            ),
            Case(
                ("yes yes no", "yes no no"),
                4 / 6,
                "A token is shared as often as *both* sides have it. Once a copy is crossed off, it cannot "
                "be used again.",
            ),
            Case(
                ("24 hours 24 hours", "24 hours 24 hours"),
                1.0,
                "Equal texts score 1.0. Here each token is shared twice: the shared count must count copies "
                "as well, not only the lengths.",
            ),
            Case(
                ("The Pro plan.", "pro plan"),
                1.0,
                "Cut the texts with squad_tokens, as set_f1 does: case, full stop and article do not count.",
                shown=True,
            ),
            Case(("429", "404"), 0.0, "Nothing is shared, so the score is 0."),
            Case(("The", "429"), 0.0, "One side has no token: that is worth 0.0."),
            Case(
                ("", ""),
                1.0,
                "Both sides are empty: by the rule of section 2 that is 1.0, not 0 and no error.",
            ),
            Case(("a", "the"), 1.0, "An article alone leaves no token, so these two are both empty: 1.0."),
        ),
        wrongs(
            "def fair_f1(prediction, reference):",
            (
                "A set forgets how many",
                "    p, r = set(squad_tokens(prediction)), set(squad_tokens(reference))",
                "    if not p or not r:",
                "        return float(p == r)",
                "    return 2 * len(p & r) / (len(p) + len(r))",
            ),
            (
                "cannot be used again",
                "    p, r = squad_tokens(prediction), squad_tokens(reference)",
                "    if not p or not r:",
                "        return float(p == r)",
                "    overlap = sum(1 for token in r if token in p)",
                "    return 2 * overlap / (len(p) + len(r))",
            ),
            (
                "the shared count must count copies",
                "    p, r = squad_tokens(prediction), squad_tokens(reference)",
                "    if not p or not r:",
                "        return float(p == r)",
                "    return 2 * len(set(p) & set(r)) / (len(p) + len(r))",
            ),
            (
                "Cut the texts with squad_tokens",
                "    p, r = prediction.split(), reference.split()",
                "    if not p or not r:",
                "        return float(p == r)",
                "    return 2 * (Counter(p) & Counter(r)).total() / (len(p) + len(r))",
            ),
            (
                "Both sides are empty",
                "    p, r = squad_tokens(prediction), squad_tokens(reference)",
                "    overlap = (Counter(p) & Counter(r)).total()",
                "    if overlap == 0:",
                "        return 0.0",
                "    return 2 * overlap / (len(p) + len(r))",
            ),
            (
                "Twice the shared count",
                "    p, r = squad_tokens(prediction), squad_tokens(reference)",
                "    return (Counter(p) & Counter(r)).total() / (len(p) + len(r))",
            ),
            (
                "ordinary average",
                "    p, r = squad_tokens(prediction), squad_tokens(reference)",
                "    return (precision(p, r) + recall(p, r)) / 2",
            ),
            (
                "each copy may be used once",
                "    p, r = squad_tokens(prediction), squad_tokens(reference)",
                "    overlap = sum(token in r for token in p)",
                "    return 2 * overlap / (len(p) + len(r))",
            ),
            (
                "before you cross off",
                "    p, r = squad_tokens(prediction), squad_tokens(reference)",
                "    overlap = 0",
                "    for token in p:",
                "        if token in r:",
                "            r.remove(token)",
                "            overlap += 1",
                "    return 2 * overlap / (len(p) + len(r))",
            ),
            (
                "before you cross off",
                "    p, r = squad_tokens(prediction), squad_tokens(reference)",
                "    overlap = 0",
                "    for token in p:",
                "        if token in r:",
                "            r.remove(token)",
                "            overlap += 1",
                "    precision, recall = overlap / len(p), overlap / len(r)",
                "    return 2 * precision * recall / (precision + recall)",
            ),
            ("Do not round it", "    return round(token_f1(prediction, reference), 4)"),
        ),
    ),
    "2.4": Exercise(
        "same_price",
        (
            Case(
                ("Pro costs $25 and includes 50 GB.", PRICE),
                True,
                "The last number of this text is its storage. Choose the price by its unit.",
                shown=True,
            ),
            Case(
                ("It costs 250 dollars per month.", PRICE),
                False,
                'As text, "25" stands inside "250". Compare values, not characters.',
            ),
            Case(
                ("I could not find the price.", PRICE),
                False,
                "No price is named, so none can be right. Mind that all() of an empty list is True.",
            ),
            Case(
                ("Pro includes 25 GB.", PRICE),
                False,
                "That 25 is no price: keep only the numbers whose unit is dollars.",
            ),
            Case(
                ("25 dollars or 30 dollars", PRICE),
                False,
                "This answer hedges. Every price in it must be the right one; one of them is not enough.",
                shown=True,
            ),
            Case(
                ("$25.00 a month, so 25 dollars.", PRICE),
                True,
                "25.00 and 25 are one value, and naming it twice contradicts nothing. Compare the values.",
            ),
            Case(
                ("30 dollars or 25 dollars", PRICE),
                False,
                "This answer hedges, only the other way round. Every price counts, not the last one alone.",
            ),
            Case(
                ("25 dollars, or 20 dollars on sale", PRICE),
                False,
                "Every price must be the right one, the lower as well as the higher.",
            ),
            Case(
                ("$25.40", PRICE),
                False,
                "25.40 is not 25. Compare the values as they are, without int, round or a tolerance.",
            ),
            Case(
                ("Scale costs 199 dollars.", "199 dollars per month"),
                True,
                "The price to compare with is not always 25: take it from the reference.",
            ),
            Case(
                ("25 USD monthly", PRICE),
                True,
                'Use extract_numbers: it gives the unit "dollars" to $25, 25 dollars and 25 USD alike.',
            ),
            Case(
                ("Free costs 0 dollars.", "$0"),
                True,
                "A price of 0 is a price, although 0 counts as false in Python.",
            ),
            Case(("25", PRICE), False, "A bare 25 has no unit, and this task does not take it for a price."),
            Case(("€25 per month", PRICE), False, "25 euros are not 25 dollars: look at the unit."),
        ),
        (
            *wrongs(
                "def same_price(prediction, reference):",
                ("Choose the price by its unit", "    return numeric_match(prediction, reference)"),
                (
                    "Compare values, not characters",
                    "    return str(extract_numbers(reference)[0].value) in prediction",
                ),
                (
                    "keep only the numbers whose unit is dollars",
                    "    wanted = extract_numbers(reference)[0].value",
                    "    return any(number.value == wanted for number in extract_numbers(prediction))",
                ),
                ("This answer hedges", '    return numeric_match(prediction, reference, which="any")'),
                (
                    "all() of an empty list is True",
                    "    wanted = extract_numbers(reference)[0].value",
                    '    prices = [n.value for n in extract_numbers(prediction) if n.unit == "dollars"]',
                    "    return all(price == wanted for price in prices)",
                ),
                (
                    "naming it twice contradicts nothing",
                    "    def prices(text):",
                    '        return [n.value for n in extract_numbers(text) if n.unit == "dollars"]',
                    "",
                    "    return prices(prediction) == prices(reference)",
                ),
                (
                    "This answer hedges",
                    "    def prices(text):",
                    '        return [n.value for n in extract_numbers(text) if n.unit == "dollars"]',
                    "",
                    "    return prices(prediction)[-1:] == prices(reference)",
                ),
                (
                    "the lower as well as the higher",
                    "    def prices(text):",
                    '        return [n.value for n in extract_numbers(text) if n.unit == "dollars"]',
                    "",
                    "    return bool(prices(prediction)) and max(prices(prediction)) == prices(reference)[0]",
                ),
                (
                    "25.40 is not 25",
                    "    def prices(text):",
                    '        return {int(n.value) for n in extract_numbers(text) if n.unit == "dollars"}',
                    "",
                    "    return prices(prediction) == prices(reference)",
                ),
                (
                    "take it from the reference",
                    "    def prices(text):",
                    '        return {n.value for n in extract_numbers(text) if n.unit == "dollars"}',
                    "",
                    "    return prices(prediction) == {25}",
                ),
                ("Return True or False", '    return 1 if "25" in prediction else 0'),
                ("Return True or False", '    return str(numeric_match(prediction, reference, which="any"))'),
            ),
            Wrong(
                """import re


def same_price(prediction, reference):
    def prices(text):
        found = re.findall(r"[$]([0-9.]+)|([0-9.]+) dollars", text)
        return {float(sign or word) for sign, word in found}

    return prices(prediction) == prices(reference)
""",
                "Use extract_numbers",
            ),
        ),
        [A_BOOL],
    ),
    "2.5": Exercise(
        "inversion",
        (_is_pair, _right_is_true, _wrong_has_the_number, _wrong_is_false, _wrong_outranks),
        (
            Wrong('inversion = "25 dollars per year"\n', "pair of texts"),
            Wrong(
                'inversion = ("25 dollars per year", "On the Pro plan you pay $25 a month.")\n',
                "are the two swapped",
            ),
            Wrong(
                'inversion = ("twenty-five dollars a month", "The Free plan costs 25 dollars per month.")\n',
                "cannot read",
            ),
            Wrong(
                'inversion = ("The Pro plan costs $25 per month.", "26 dollars per month")\n',
                "numeric_match already rejects the second answer",
            ),
            Wrong(
                'inversion = ("The Pro plan costs $25 per month.", "not 25 dollars per month")\n',
                "the lesson's own example",
            ),
            Wrong(
                'inversion = ("On the Pro plan you pay $25 a month.", "Pro costs 25 dollars per month.")\n',
                "finds nothing false",
            ),
            Wrong(
                'inversion = ("Pro costs $25 a month.", "Feel free: 25 dollars per month")\n',
                "finds nothing false",
            ),
            Wrong(
                'inversion = ("Pro costs less than Scale: $25 a month", "25 dollars per year")\n',
                "sees the words, not what they mean",
            ),
            Wrong(
                'inversion = ("Pro costs 25 dollars per month.", "Scale costs 25 dollars per month.")\n',
                "does not rank the wrong one higher",
            ),
        ),
    ),
    "Q2.1": Choice(
        "b",
        {
            "a": "Not the worst: F1 is made for short answers (section 4), and the number can be checked on "
            "its own. Look for the answer that can be worded in the most ways.",
            "b": "A paragraph can be right in countless wordings, most of the words it shares are ordinary "
            "ones, and its length pulls the score down whatever it says.",
            "c": "Here F1 does well: the reference is a short phrase, and the other phrasing is listed too.",
        },
    ),
    "Q2.2": Choice(
        "c",
        {
            "a": "Digits stay. Only the point, the comma and signs such as $ are deleted, which is a problem "
            "of its own, but the proposal fails even where a number has none of them.",
            "b": "A number is one token however many digits it has, and 25 is never 26. Ask how much one "
            "wrong token costs.",
            "c": "26 dollars per month earned 0.75. Extract the value and compare that.",
        },
    ),
    "Q2.3": Choice(
        "a",
        {
            "a": "Recall 1.00 says nothing is missing, and low precision says long. Whether the other words "
            "deny, hedge or help, no count of words can tell.",
            "b": "A low F1 can come from length alone: all eight answers of run 1 are right, and five of "
            "them have an F1 below one half.",
            "c": 'Perfect recall only means that the words are there. A pasted page has it, and so has "not '
            '25 dollars per month".',
        },
    ),
}
