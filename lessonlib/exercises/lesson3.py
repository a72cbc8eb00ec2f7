"""The exercises of Lesson 3, ROUGE-L and BLEU: cases that know typical slips, and typical wrong answers."""

import math
from collections.abc import Callable
from typing import Any

from .checker import Case, Choice, Exercise, wrongs
from .slips import Raised, Slips, is_text, no_number

NUMBER: Slips = (
    (is_text, "That is a text. Return the number itself: formatting is for print."),
    (lambda got, _: hasattr(got, "score"), "That is a whole record. The number is in its field `score`."),
    (no_number, "Return one number."),
    (Exception, ""),  # the hints of this lesson are for wrong values
)


def _of(outer: type[list[Any] | tuple[Any, ...] | dict[Any, Any]], inner: type) -> Callable[[Any, Any], bool]:
    """Return a test for a container of one type whose first item is of another."""

    def knows(got: Any, _: Any) -> bool:
        return isinstance(got, outer) and any(isinstance(item, inner) for item in list(got)[:1])

    return knows


def _root(*precisions: float) -> float:
    return math.prod(precisions) ** (1 / 4)


def _words(text: str) -> list[str]:
    return text.split()


# --- texts and hints -------------------------------------------------------------------------------------

MAT = _words("the cat is on the mat")
ON_MAT = _words("there is a cat on the mat")
RED = _words("the cat sat on the red mat")
RED_REFERENCES = [_words("the cat sat on a mat today"), _words("a cat was on the red mat")]
DOG, CAT = _words("the dog sat on the mat"), _words("the cat sat on the mat")
MEANS = _words("a 401 error means an invalid or missing api key")
MEANS_REFERENCE = _words("a 401 error means that the api key is missing or invalid")
CORPUS = [_words("the pro plan allows 600 requests per minute"), _words("only scale")]
CORPUS_REFERENCES = [_words("the pro plan allows 600 requests per minute"), _words("only the scale plan")]

OFF = "One short: cell [-2][-2] of the table leaves out the last word of each list. Take [-1][-1]."
LETTERS = "You count letters. The items of these lists are words: do not join them."
ZIP = "The same word may stand at another place. Compare a word of one list with every word of the other."
BAG = "Both words are shared, but not in the same order: count a subsequence, not a bag or a set of words."
GAPS = "A subsequence may have gaps. Here only one word is crossed out and the other four stay in order."
GREEDY = (
    "Taking the first match there is can block several later ones: compare both choices, as the table does "
    "with the cell above and the cell to the left."
)

UNION = "`|` keeps the larger of two counts. To clip, keep the smaller: `&`."
UNDIVIDED = "These are the n-grams that are granted. Divide them by the number of n-grams in the hypothesis."
ANY_REFERENCE = (
    "An n-gram need not stand in every reference, one is enough: join the references with `|`, which keeps "
    "the larger count."
)
SLASHES = "`//` throws the fraction away. Divide with one slash."
NOT_LETTERS = (
    'The letter "a" stands inside "cat", and yet "cat" is one token and "a" is another. Compare whole '
    "tokens, not pieces of a text."
)
COPIES = "A word said twice is two n-grams. A set forgets the second one, above and below the fraction line."
RECALL = "Precision asks about the hypothesis: divide by its number of n-grams, not by the reference's."
EXHAUSTED = "A word of the reference is used up once it is matched: the reference holds two of these."
SUM = "Take the reference that has the n-gram most often. The references' counts are not added up."
EVERY_REFERENCE = "The first reference is not the only one: look at all of them."
JOINT = (
    "The n-grams of one hypothesis may come from different references: join the references, then count. "
    "The best single reference is another metric."
)

SHORT = "The penalty is for answers that are too short: exp(1 - r/c), with the reference's length on top."
BONUS = "An answer that is long enough gets exactly 1. There is no bonus for more words."
CLOSEST = "10 is one word away from 9, and 2 is seven away: r is 10, wherever it stands in the list."
NOT_LONGEST = "A reference of the very same length is there, so nothing is missing: take the closest length."
TIE = "8 and 10 are equally close to 9. On a tie the shorter one counts, in whatever order they are listed."

NO_EXP = "That is 1 - r/c alone. The penalty is e to that power: math.exp(1 - r / c)."
ONE_OF_LIST = "`lengths` is a list. Find the one length r in it first, then compare it with c."
NOTHING_MISSING = (
    "The closest length is 0 as well, so nothing is missing and the penalty is 1: ask whether c >= r before "
    "you ask whether c is 0."
)

TWICE_PR = "With beta = 1 it must be 2PR/(P + R). Check the parentheses; a square is written **2."
HARMONIC = "An ordinary average of the two is not F1. With beta = 1 the formula gives 2PR / (P + R)."
SWAPPED = "Precision and recall have changed places: a beta above 1 must pull the result toward the recall."
SQUARED = "Beta is squared in the formula, above and below the line: 2 counts as 4."

SINGLE_WORDS = (
    "Nothing is shared, so nothing may be paid. The points come from the one that is added to single words."
)
STILL_SINGLE = (
    "A check for zero matches is not enough: where words match, adding one to single words still lifts "
    "the score. Order 1 keeps its plain precision."
)
UNSMOOTHED = (
    "This is BLEU without smoothing. Every order above 1 gets the one, above and below the line, whether it "
    "has matches or not."
)
BELOW = "One is added to the total as well: (m + 1)/(t + 1). Otherwise a precision can exceed 1."
FROM_TWO = "Smoothing starts at order 2: all orders above 1, not above 2."
PENALTY = "Four words against six: the precisions must still be multiplied by the brevity penalty."

ARITHMETIC = "This averages the four precisions. BLEU multiplies them and takes the fourth root."
NO_ROOT = "This is the product alone. Its fourth root is still to be taken: ** (1 / 4)."
UNCLIPPED = (
    '"the" is granted once for each "the" of the reference: two of four. Clip, as `matches_and_total` does.'
)
FOUR_ORDERS = (
    "All four orders count here: three words have no 4-gram, and 0 of 0 becomes 1/1, under the fourth root. "
    "Leaving that order out is effective order, another rule."
)
ONE_HALF = "An order without n-grams is 0 of 0, so with the one it is 1/1, not 1/2."
TOKENS = (
    "Take the tokens as they are. Joined to a text and cut again, as `bleu` does, they can become other "
    "tokens: it lowers case and drops punctuation."
)

MEAN = "This is the mean of the single scores. Add up matches and totals of all answers before you divide."
MEAN_PRECISION = (
    "This averages the precision of each answer. A long answer has more n-grams and must have a bigger say: "
    "sum the matches, sum the totals, then divide."
)
MEAN_PENALTY = (
    "The counts are summed, but the penalty is averaged: sum the lengths too, and take one penalty."
)
GLUED = (
    "It looks as if the answers were glued to one list: then n-grams reach from one answer into the next. "
    "Count each answer by itself and add the counts."
)
EARLY = "This is what the first order alone would give. Is the `return` inside the loop? It belongs after it."
NO_SMOOTHING = "This smooths. A corpus has counts enough: take the plain precisions, matches / total."
ZERO_TOTAL = (
    "An answer of two words has no run of three, so its own total is 0. Add up the totals, then divide."
)
OWN_REFERENCE = (
    "Each answer has its own reference, and here the two are swapped, so nothing matches. Clip pair by pair, "
    "then add the counts: one Counter over the whole corpus mixes them."
)
NO_PENALTY = "The counts are right and the penalty is missing: 10 words against 12."

# --- the table -------------------------------------------------------------------------------------------

EXERCISES: dict[str, Exercise | Choice] = {
    "Q3.1": Choice(
        "b",
        {
            "a": "In the same order the two are equal: all shared words form one subsequence, no more.",
            "b": "LCS precision and recall are at most those of the overlap, so their mean is too.",
            "c": "The lengths are the same in both formulas. Only the count on top differs.",
        },
    ),
    "Q3.2": Choice(
        "a",
        {
            "a": "1/3 for the words, 1/2 for the pair, 1/1 twice: the fourth root of 1/6, which is 0.6389.",
            "b": "Nothing matches in either, but the one that is added is divided by more n-grams here.",
            "c": "More n-grams mean larger totals, so the one that is added to the matches weighs less.",
        },
    ),
    "Q3.3": Choice(
        "c",
        {
            "a": "28.3 and 0.283 are one BLEU on two scales: the factor of a hundred is only the scale.",
            "b": "The scale is right, but tokenizer, smoothing and number of references may differ by more.",
            "c": "With equal signatures the two would be 28.3 and 29.1. Without them they are two numbers.",
        },
    ),
    "3.1": Exercise(
        "lcs_length",
        (
            Case(
                (["90", "days"], ["90", "days"]),
                2,
                "The two lists are equal, so all of it is common.",
                slips=[(1, OFF), (6, LETTERS), (7, LETTERS)],
            ),
            Case((["it", "costs", "25"], ["25"]), 1, ZIP, shown=True),
            Case((["key", "api"], ["api", "key"]), 1, BAG, shown=True),
            Case((["the", "pro", "plan", "costs", "25"], ["the", "plan", "costs", "25"]), 4, GAPS),
            Case((["key", "missing", "or", "invalid"], ["missing", "or", "invalid", "key"]), 3, GREEDY),
            Case(
                (["no", "no", "yes"], ["no", "maybe", "no"]), 2, "A word may be matched once for each copy."
            ),
            Case((["a"], ["cat"]), 0, NOT_LETTERS),
            Case(([], ["429"]), 0, "An empty list shares nothing: the length is 0."),
            Case((["429"], []), 0, "An empty list shares nothing: the length is 0."),
            Case((MEANS, MEANS_REFERENCE), 6, "Compare with the last cell of the table in section 1."),
        ),
        wrongs(
            "def lcs_length(first, second):",
            ("Take [-1][-1]", "    return lcs_table(first, second)[-2][-2]"),
            ("the whole table", "    return lcs_table(first, second)"),
            ("the path", "    return lcs_path(first, second)"),
            ("the last row", "    return lcs_table(first, second)[-1]"),
            ("formatting is for print", "    return str(lcs_table(first, second)[-1][-1])"),
            ("count letters", "    return lcs_table(''.join(first), ''.join(second))[-1][-1]"),
            ("What is printed is not handed back", "    print(lcs_table(first, second)[-1][-1])"),
            ("stand at another place", "    return sum(a == b for a, b in zip(first, second))"),
            ("not in the same order", "    return (Counter(first) & Counter(second)).total()"),
            ("not in the same order", "    return len(set(first) & set(second))"),
            (
                "may have gaps",
                "    best = 0",
                "    for i in range(len(first)):",
                "        for j in range(len(second)):",
                "            n = 0",
                "            while first[i + n : i + n + 1] == second[j + n : j + n + 1] != []:",
                "                n += 1",
                "            best = max(best, n)",
                "    return best",
            ),
            (
                "block several later ones",
                "    found, start = 0, 0",
                "    for token in first:",
                "        if token in second[start:]:",
                "            start = second.index(token, start) + 1",
                "            found += 1",
                "    return found",
            ),
        ),
        [
            (_of(list, list), "That is the whole table. The length stands in its last cell: [-1][-1]."),
            (_of(list, tuple), "That is the path, a list of pairs. How many there are is what is asked."),
            (_of(list, str), "These are the words themselves. Return how many there are."),
            (_of(list, int), "That is the last row of the table. The length stands in its last cell."),
            *NUMBER,
        ],
    ),
    "3.2": Exercise(
        "clipped_precision",
        (
            Case(
                (["the", "cat"], [["the", "cat", "sat", "down", "again"]], 1),
                1.0,
                "Both words stand in the reference: 2 of 2.",
                slips=[(2 / 5, RECALL), (5 / 2, UNION), (2, UNDIVIDED)],
            ),
            Case(
                (["no", "no", "yes"], [["no", "no", "maybe"]], 1),
                2 / 3,
                "Two of the three words are granted.",
                slips=[(0, SLASHES), (1 / 2, COPIES), (1 / 3, COPIES)],
            ),
            Case((["the"] * 7, [MAT], 1), 2 / 7, EXHAUSTED),
            Case((["one", "day"], [["one", "day"], ["24", "hours"]], 1), 1.0, ANY_REFERENCE),
            Case((["one", "day"], [["24", "hours"], ["one", "day"]], 1), 1.0, EVERY_REFERENCE),
            Case((["the"] * 7, [MAT, ON_MAT], 1), 2 / 7, SUM, shown=True),
            Case((["a"], [["cat"]], 1), 0.0, NOT_LETTERS),
            Case((["API"], [["api"]], 1), 0.0, TOKENS),
            Case((RED, RED_REFERENCES, 1), 6 / 7, JOINT),
            Case(
                (RED, RED_REFERENCES, 2),
                1.0,
                "Use n: here the runs of two words are asked for, not the words.",
            ),
            Case((RED, RED_REFERENCES, 4), 2 / 4, "Seven words have four runs of four: divide by that."),
            Case(
                (["429"], [["429"]], 2),
                0.0,
                "One word has no run of two: return 0.0.",
                slips=[(ZeroDivisionError, "One word has no run of two: return 0.0 before you divide.")],
            ),
            Case(
                ([], [["429"]], 1),
                0.0,
                "An empty hypothesis has no n-grams: return 0.0.",
                slips=[
                    (ZeroDivisionError, "An empty hypothesis has no n-grams: return 0.0 before you divide.")
                ],
            ),
        ),
        wrongs(
            "def clipped_precision(hypothesis, references, n):",
            (
                "used up once it is matched",
                "    said = ngrams(hypothesis, n)",
                "    known = {gram for reference in references for gram in ngrams(reference, n)}",
                "    return sum(gram in known for gram in said) / len(said) if said else 0.0",
            ),
            (
                "not added up",
                "    said, most = Counter(ngrams(hypothesis, n)), Counter()",
                "    for reference in references:",
                "        most += Counter(ngrams(reference, n))",
                "    return (said & most).total() / said.total() if said else 0.0",
            ),
            (
                "best single reference is another metric",
                "    pairs = [matches_and_total(hypothesis, reference, n) for reference in references]",
                "    return max(matches / total if total else 0.0 for matches, total in pairs)",
            ),
            (
                "look at all of them",
                "    matches, total = matches_and_total(hypothesis, references[0], n)",
                "    return matches / total if total else 0.0",
            ),
            (
                "A set forgets",
                "    said = set(ngrams(hypothesis, n))",
                "    known = {gram for reference in references for gram in ngrams(reference, n)}",
                "    return len(said & known) / len(said) if said else 0.0",
            ),
            (
                "not by the reference's",
                "    said, most = Counter(ngrams(hypothesis, n)), Counter()",
                "    for reference in references:",
                "        most |= Counter(ngrams(reference, n))",
                "    return (said & most).total() / most.total() if most else 0.0",
            ),
            (
                "To clip, keep the smaller",
                "    said, most = Counter(ngrams(hypothesis, n)), Counter()",
                "    for reference in references:",
                "        most |= Counter(ngrams(reference, n))",
                "    return (said | most).total() / said.total() if said else 0.0",
            ),
            (
                "by the second",
                "    said, most = Counter(ngrams(hypothesis, n)), Counter()",
                "    for reference in references:",
                "        most |= Counter(ngrams(reference, n))",
                "    return (said & most).total(), said.total()",
            ),
            (
                "from 0 to 100",
                "    said, most = Counter(ngrams(hypothesis, n)), Counter()",
                "    for reference in references:",
                "        most |= Counter(ngrams(reference, n))",
                "    return 100 * (said & most).total() / said.total() if said else 0.0",
            ),
            (
                "one slash",
                "    said, most = Counter(ngrams(hypothesis, n)), Counter()",
                "    for reference in references:",
                "        most |= Counter(ngrams(reference, n))",
                "    return (said & most).total() // said.total() if said else 0.0",
            ),
            (
                "Do not round",
                "    said, most = Counter(ngrams(hypothesis, n)), Counter()",
                "    for reference in references:",
                "        most |= Counter(ngrams(reference, n))",
                "    return round((said & most).total() / said.total(), 4) if said else 0.0",
            ),
            (
                "not pieces of a text",
                "    if len(hypothesis) < n:",
                "        return 0.0",
                "    granted = 0",
                "    for gram, count in Counter(ngrams(hypothesis, n)).items():",
                "        texts = [' '.join(reference) for reference in references]",
                "        granted += min(count, max(text.count(' '.join(gram)) for text in texts))",
                "    return granted / (len(hypothesis) - n + 1)",
            ),
            (
                "one is enough",
                "    said = Counter(ngrams(hypothesis, n))",
                "    most = Counter(ngrams(references[0], n))",
                "    for reference in references:",
                "        most &= Counter(ngrams(reference, n))",
                "    return (said & most).total() / said.total() if said else 0.0",
            ),
        ),
        [
            (_of(tuple, int), "These are matches and total. Divide the first by the second."),
            (_of(dict, object), "These are the counts. Add them up with .total(), then divide."),
            *NUMBER,
        ],
    ),
    "3.3": Exercise(
        "length_penalty",
        (
            Case(
                (5, [10]),
                math.exp(-1),
                SHORT,
                shown=True,
                slips=[(-1, NO_EXP), (Raised(TypeError, "'list'"), ONE_OF_LIST)],
            ),
            Case((14, [10]), 1.0, BONUS),
            Case((8, [10]), math.exp(-0.25), SHORT, slips=[(1, SLASHES)]),
            Case((9, [2, 10]), math.exp(1 - 10 / 9), CLOSEST, shown=True),
            Case((9, [10, 2]), math.exp(1 - 10 / 9), CLOSEST),
            Case((9, [9, 20]), 1.0, NOT_LONGEST),
            Case((9, [10, 8]), 1.0, TIE),
            Case((9, [8, 10]), 1.0, TIE),
            Case((12, [17, 15, 12]), 1.0, "A reference of 12 words is there: nothing is missing."),
            Case(
                (0, [3]),
                0.0,
                "Nothing was said, and 3 words were asked for: return 0.0.",
                slips=[(ZeroDivisionError, "Nothing was said: return 0.0 before you divide by c.")],
            ),
            Case((0, [0, 3]), 1.0, NOTHING_MISSING, slips=[(ZeroDivisionError, NOTHING_MISSING)]),
        ),
        wrongs(
            "def length_penalty(c, lengths):",
            (
                "for answers that are too short",
                "    r = min(lengths, key=lambda length: (abs(length - c), length))",
                "    return math.exp(1 - c / r) if c > r else 1.0",
            ),
            (
                "no bonus",
                "    r = min(lengths, key=lambda length: (abs(length - c), length))",
                "    return math.exp(1 - r / c) if c else 0.0",
            ),
            ("10 is one word away", "    return brevity(c, min(lengths))"),
            ("take the closest length", "    return brevity(c, max(lengths))"),
            (
                "On a tie the shorter one counts",
                "    return brevity(c, min(lengths, key=lambda length: abs(length - c)))",
            ),
            (
                "before you divide",
                "    r = min(lengths, key=lambda length: (abs(length - c), length))",
                "    return min(1.0, math.exp(1 - r / c))",
            ),
            ("10 is one word away", "    r = lengths[0]", "    return brevity(c, r)"),
            ("10 is one word away", "    r = sum(lengths) / len(lengths)", "    return brevity(c, r)"),
            (
                "10 is one word away",
                "    r = min(lengths, key=lambda length: length - c)",
                "    return brevity(c, r)",
            ),
            ("10 is one word away", "    return max(brevity(c, length) for length in lengths)"),
            (
                "one slash",
                "    r = min(lengths, key=lambda length: (abs(length - c), length))",
                "    return 1.0 if c >= r else math.exp(1 - r // c) if c else 0.0",
            ),
            (
                "before you ask whether c is 0",
                "    if c == 0:",
                "        return 0.0",
                "    return brevity(c, min(lengths, key=lambda length: (abs(length - c), length)))",
            ),
            ("Find the one length r", "    return brevity(c, lengths)"),
            (
                "Do not round",
                "    return round(brevity(c, min(lengths, key=lambda length: (abs(length - c), length))), 4)",
            ),
        ),
        NUMBER,
    ),
    "3.4": Exercise(
        "f_beta",
        (
            Case(
                (1 / 3, 1 / 2, 1),
                0.4,
                TWICE_PR,
                shown=True,
                slips=[(5 / 12, HARMONIC), ((1 / 6) ** 0.5, HARMONIC)],
            ),
            Case(
                (1 / 3, 1 / 2, 2),
                5 / 11,
                "Compare your line with (1 + b²) · P · R / (R + b² · P); a square is written **2.",
                shown=True,
                slips=[
                    (5 / 14, SWAPPED),
                    (3 / 7, SQUARED),
                    (0.4, "Beta is not used: it must move the result."),
                ],
            ),
            Case(
                (1.0, 0.25, 0.5),
                0.625,
                "With a beta below 1 the precision weighs more.",
                slips=[
                    (
                        Raised(TypeError, "^"),
                        "A square is written **2. The sign ^ means something else in Python.",
                    )
                ],
            ),
            Case((0.5, 0.5, 7), 0.5, "Where precision and recall are equal, beta changes nothing."),
            Case((1.0, 1.0, 1.2), 1.0, "A perfect answer scores 1 under every beta: is the 1 + b² there?"),
            Case((0.0, 0.5, 1), 0.0, "Precision is 0, so the product above the line is 0."),
            Case(
                (0.0, 0.0, 1),
                0.0,
                "Both are 0, and so is the result.",
                slips=[
                    (ZeroDivisionError, "Both are 0, and so is the sum below the line: return 0.0 first.")
                ],
            ),
        ),
        wrongs(
            "def f_beta(precision, recall, beta):",
            (
                "changed places",
                "    if not precision and not recall:",
                "        return 0.0",
                "    return (1 + beta**2) * precision * recall / (precision + beta**2 * recall)",
            ),
            (
                "Beta is squared",
                "    if not precision and not recall:",
                "        return 0.0",
                "    return (1 + beta) * precision * recall / (recall + beta * precision)",
            ),
            ("ordinary average", "    return (precision + beta**2 * recall) / (1 + beta**2)"),
            (
                "below the line: return 0.0",
                "    return (1 + beta**2) * precision * recall / (recall + beta**2 * precision)",
            ),
            (
                "a square is written **2",
                "    if not precision and not recall:",
                "        return 0.0",
                "    return (1 + beta**2) * precision * recall / recall + beta**2 * precision",
            ),
            (
                "a square is written **2",
                "    if not precision and not recall:",
                "        return 0.0",
                "    return (1 + beta) ** 2 * precision * recall / (recall + beta**2 * precision)",
            ),
            (
                "a square is written **2",
                "    if not precision and not recall:",
                "        return 0.0",
                "    return (1 + beta * 2) * precision * recall / (recall + beta * 2 * precision)",
            ),
            (
                "a square is written **2",
                "    if not precision and not recall:",
                "        return 0.0",
                "    return (1 + beta ^ 2) * precision * recall / (recall + (beta ^ 2) * precision)",
            ),
            (
                "Do not round",
                "    if not precision and not recall:",
                "        return 0.0",
                "    return round((1 + beta**2) * precision * recall / (recall + beta**2 * precision), 4)",
            ),
        ),
        NUMBER,
    ),
    "3.5": Exercise(
        "repaired_bleu",
        (
            Case((["apple"], ["orange"]), 0.0, SINGLE_WORDS, shown=True),
            Case(
                (DOG, CAT),
                _root(5 / 6, 4 / 6, 3 / 5, 2 / 4),
                "The precisions are 5/6, then 4/6, 3/5 and 2/4; their product under the fourth root.",
                shown=True,
                slips=[
                    (_root(6 / 7, 4 / 6, 3 / 5, 2 / 4), STILL_SINGLE),
                    (_root(5 / 6, 3 / 5, 2 / 4, 1 / 3), UNSMOOTHED),
                    (_root(5 / 6, 4 / 5, 3 / 4, 2 / 3), BELOW),
                    (_root(5 / 6, 3 / 5, 3 / 5, 2 / 4), FROM_TWO),
                    ((5 / 6 + 4 / 6 + 3 / 5 + 2 / 4) / 4, ARITHMETIC),
                    (5 / 6 * 4 / 6 * 3 / 5 * 2 / 4, NO_ROOT),
                ],
            ),
            Case((CAT[:3], CAT[:3]), 1.0, "Three words have no 4-gram: 0 of 0 becomes 1/1.", shown=True),
            Case(
                (["the"] * 4, CAT),
                math.exp(-0.5) * _root(2 / 4, 1 / 4, 1 / 3, 1 / 2),
                "The precisions are 2/4, 1/4, 1/3 and 1/2, and the lengths 4 and 6.",
                slips=[
                    (_root(2 / 4, 1 / 4, 1 / 3, 1 / 2), PENALTY),
                    (math.exp(-0.5) * _root(4 / 4, 1 / 4, 1 / 3, 1 / 2), UNCLIPPED),
                ],
            ),
            Case(
                (DOG[:3], CAT[:3]),
                _root(2 / 3, 1 / 3, 1 / 2, 1),
                "The precisions are 2/3, 1/3, 1/2 and 1/1.",
                slips=[
                    ((2 / 3 * 1 / 3 * 1 / 2) ** (1 / 3), FOUR_ORDERS),
                    (_root(2 / 3, 1 / 3, 1 / 2, 1 / 2), ONE_HALF),
                ],
            ),
            Case((["API", "Key"], ["api", "key"]), 0.0, TOKENS),
            Case(
                (["It", "costs", "$25", "."], ["It", "costs", "$199", "."]),
                _root(3 / 4, 2 / 4, 1 / 3, 1 / 2),
                TOKENS,
            ),
            Case((["429"], ["429"]), 1.0, "One right word: 1/1, and three empty orders of 1/1."),
            Case(
                ([], ["429"]),
                0.0,
                "An empty hypothesis says nothing: return 0.0.",
                slips=[
                    (ZeroDivisionError, "An empty hypothesis has no words to divide by: return 0.0 first.")
                ],
            ),
        ),
        wrongs(
            "def repaired_bleu(hypothesis, reference):",
            ("added to single words", "    return add_one_everywhere(hypothesis, reference)"),
            (
                "A check for zero matches is not enough",
                "    if not set(hypothesis) & set(reference):",
                "        return 0.0",
                "    return add_one_everywhere(hypothesis, reference)",
            ),
            ("BLEU without smoothing", "    return plain_bleu(hypothesis, reference)"),
            (
                "added to the total as well",
                "    counts = [matches_and_total(hypothesis, reference, n) for n in (1, 2, 3, 4)]",
                "    smoothed = [(m + (n > 0)) / max(t, 1) for n, (m, t) in enumerate(counts)]",
                "    return brevity(len(hypothesis), len(reference)) * math.prod(smoothed) ** (1 / 4)",
            ),
            (
                "starts at order 2",
                "    counts = [matches_and_total(hypothesis, reference, n) for n in (1, 2, 3, 4)]",
                "    smoothed = [(m + (n > 1)) / max(t + (n > 1), 1) for n, (m, t) in enumerate(counts)]",
                "    return brevity(len(hypothesis), len(reference)) * math.prod(smoothed) ** (1 / 4)",
            ),
            (
                "multiplied by the brevity penalty",
                "    if not hypothesis:",
                "        return 0.0",
                "    counts = [matches_and_total(hypothesis, reference, n) for n in (1, 2, 3, 4)]",
                "    smoothed = [(m + (n > 0)) / (t + (n > 0)) for n, (m, t) in enumerate(counts)]",
                "    return math.prod(smoothed) ** (1 / 4)",
            ),
            (
                "Clip, as",
                "    if not hypothesis:",
                "        return 0.0",
                "    root = 1.0",
                "    for n in (1, 2, 3, 4):",
                "        said, known = ngrams(hypothesis, n), ngrams(reference, n)",
                "        matches = sum(gram in known for gram in said)",
                "        root *= ((matches + (n > 1)) / (len(said) + (n > 1))) ** (1 / 4)",
                "    return brevity(len(hypothesis), len(reference)) * root",
            ),
            (
                "averages the four precisions",
                "    if not hypothesis:",
                "        return 0.0",
                "    counts = [matches_and_total(hypothesis, reference, n) for n in (1, 2, 3, 4)]",
                "    if not counts[0][0]:",
                "        return 0.0",
                "    smoothed = [(m + (n > 0)) / (t + (n > 0)) for n, (m, t) in enumerate(counts)]",
                "    return brevity(len(hypothesis), len(reference)) * sum(smoothed) / 4",
            ),
            (
                "whether it has matches or not",
                "    if not hypothesis:",
                "        return 0.0",
                "    counts = [matches_and_total(hypothesis, reference, n) for n in (1, 2, 3, 4)]",
                "    smoothed = [m / t if m or not n else 1 / (t + 1) for n, (m, t) in enumerate(counts)]",
                "    return brevity(len(hypothesis), len(reference)) * math.prod(smoothed) ** (1 / 4)",
            ),
            (
                "is effective order",
                "    if not hypothesis:",
                "        return 0.0",
                "    counts = [matches_and_total(hypothesis, reference, n) for n in (1, 2, 3, 4)]",
                "    counts = [count for count in counts if count[1]]",
                "    smoothed = [(m + (n > 0)) / (t + (n > 0)) for n, (m, t) in enumerate(counts)]",
                "    root = math.prod(smoothed) ** (1 / len(smoothed))",
                "    return brevity(len(hypothesis), len(reference)) * root",
            ),
            (
                "it lowers case and drops punctuation",
                "    return bleu(' '.join(hypothesis), ' '.join(reference)).score",
            ),
            ("in its field `score`", "    return bleu(' '.join(hypothesis), ' '.join(reference))"),
        ),
        NUMBER,
    ),
    "3.6": Exercise(
        "bleu_of_corpus",
        (
            Case(
                (CORPUS, CORPUS_REFERENCES),
                math.exp(-0.2) * _root(7 / 8),
                "The sums are 10/10, 7/8, 6/6 and 5/5, and the lengths 10 and 12.",
                shown=True,
                slips=[
                    (0.5, MEAN),
                    (math.exp(-0.2) * _root(1 / 2, 1 / 2, 1 / 2), MEAN_PRECISION),
                    ((1 + math.exp(-1)) / 2 * _root(7 / 8), MEAN_PENALTY),
                    (math.exp(-0.2) * _root(8 / 9, 7 / 8, 6 / 7), GLUED),
                    (_root(7 / 8), NO_PENALTY),
                    (math.exp(-0.2), EARLY),
                    (math.exp(-0.2) * _root(8 / 9), NO_SMOOTHING),
                    (math.exp(-0.2) * 31 / 32, ARITHMETIC),
                    (math.exp(-0.2) * 7 / 8, NO_ROOT),
                    (ZeroDivisionError, ZERO_TOTAL),
                ],
            ),
            Case(
                ([_words("a b c d"), _words("e f g h")], [_words("e f g h"), _words("a b c d")]),
                0.0,
                OWN_REFERENCE,
            ),
            Case(([_words("API key is missing")], [_words("api key is missing")]), 0.0, TOKENS),
            Case(
                ([_words("it costs $25 .")], [_words("it costs $25 .")]),
                1.0,
                "Four tokens have one run of four. " + TOKENS,
            ),
            Case(([MEANS], [MEANS_REFERENCE]), math.exp(-0.2) * _root(1 / 70), "One answer is plain BLEU."),
            Case(([CAT, []], [CAT, ["429"]]), math.exp(1 - 7 / 6), "An empty answer adds only a length."),
            Case(
                ([["429"], ["24"]], [["429"], ["24"]]),
                0.0,
                "No answer has a 4-gram: the score is 0.0.",
                slips=[
                    (
                        ZeroDivisionError,
                        "No answer has a 4-gram, so even the sum is 0: the score is 0.0 then.",
                    )
                ],
            ),
            Case(([DOG, CAT], [CAT, CAT]), _root(11 / 12, 8 / 10, 6 / 8, 4 / 6), "Sum over all answers."),
        ),
        wrongs(
            "def bleu_of_corpus(hypotheses, references):",
            (
                "mean of the single scores",
                "    scores = [plain_bleu(h, r) for h, r in zip(hypotheses, references)]",
                "    return sum(scores) / len(scores)",
            ),
            (
                "averages the precision",
                "    each = [precisions(h, r) for h, r in zip(hypotheses, references)]",
                "    root = math.prod(sum(column) / len(each) for column in zip(*each)) ** (1 / 4)",
                "    return brevity(sum(map(len, hypotheses)), sum(map(len, references))) * root",
            ),
            (
                "the penalty is averaged",
                "    root = 1.0",
                "    for n in (1, 2, 3, 4):",
                "        counts = [matches_and_total(h, r, n) for h, r in zip(hypotheses, references)]",
                "        matches, total = (sum(column) for column in zip(*counts))",
                "        root *= (matches / total if total else 0.0) ** (1 / 4)",
                "    penalties = [brevity(len(h), len(r)) for h, r in zip(hypotheses, references)]",
                "    return root * sum(penalties) / len(penalties)",
            ),
            (
                "glued to one list",
                "    everything = list(itertools.chain(*hypotheses)), list(itertools.chain(*references))",
                "    return plain_bleu(*everything)",
            ),
            (
                "the penalty is missing",
                "    root = 1.0",
                "    for n in (1, 2, 3, 4):",
                "        counts = [matches_and_total(h, r, n) for h, r in zip(hypotheses, references)]",
                "        matches, total = (sum(column) for column in zip(*counts))",
                "        root *= (matches / total if total else 0.0) ** (1 / 4)",
                "    return root",
            ),
            (
                "Is the `return` inside the loop",
                "    root = 1.0",
                "    for n in (1, 2, 3, 4):",
                "        counts = [matches_and_total(h, r, n) for h, r in zip(hypotheses, references)]",
                "        matches, total = (sum(column) for column in zip(*counts))",
                "        root *= (matches / total if total else 0.0) ** (1 / 4)",
                "        return brevity(sum(map(len, hypotheses)), sum(map(len, references))) * root",
            ),
            (
                "from 0 to 100",
                "    root = 1.0",
                "    for n in (1, 2, 3, 4):",
                "        counts = [matches_and_total(h, r, n) for h, r in zip(hypotheses, references)]",
                "        matches, total = (sum(column) for column in zip(*counts))",
                "        root *= (matches / total if total else 0.0) ** (1 / 4)",
                "    return 100 * brevity(sum(map(len, hypotheses)), sum(map(len, references))) * root",
            ),
            (
                "This smooths",
                "    root = 1.0",
                "    for n in (1, 2, 3, 4):",
                "        counts = [matches_and_total(h, r, n) for h, r in zip(hypotheses, references)]",
                "        matches, total = (sum(column) for column in zip(*counts))",
                "        root *= ((matches + (n > 1)) / (total + (n > 1))) ** (1 / 4)",
                "    return brevity(sum(map(len, hypotheses)), sum(map(len, references))) * root",
            ),
            (
                "fourth root is still to be taken",
                "    root = 1.0",
                "    for n in (1, 2, 3, 4):",
                "        counts = [matches_and_total(h, r, n) for h, r in zip(hypotheses, references)]",
                "        matches, total = (sum(column) for column in zip(*counts))",
                "        root *= matches / total if total else 0.0",
                "    return brevity(sum(map(len, hypotheses)), sum(map(len, references))) * root",
            ),
            (
                "mixes them",
                "    root = 1.0",
                "    for n in (1, 2, 3, 4):",
                "        said = Counter(gram for h in hypotheses for gram in ngrams(h, n))",
                "        granted = Counter(gram for r in references for gram in ngrams(r, n))",
                "        root *= ((said & granted).total() / said.total() if said else 0.0) ** (1 / 4)",
                "    return brevity(sum(map(len, hypotheses)), sum(map(len, references))) * root",
            ),
            (
                "they can become other tokens",
                "    texts = [' '.join(h) for h in hypotheses]",
                "    return corpus_bleu(texts, [' '.join(r) for r in references]).score",
            ),
            (
                "has no run of three",
                "    each = []",
                "    for h, r in zip(hypotheses, references):",
                "        counts = [matches_and_total(h, r, n) for n in (1, 2, 3, 4)]",
                "        each.append([matches / total for matches, total in counts])",
                "    return sum(math.prod(four) ** (1 / 4) for four in each) / len(each)",
            ),
        ),
        NUMBER,
    ),
}
