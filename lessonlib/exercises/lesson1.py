"""Lesson 1: exact match and normalization."""

import re
from typing import Any

from lessonlib.metrics import exact_match
from lessonlib.numeric import extract_numbers
from lessonlib.text import unicode

from .checker import Case, Choice, Exercise, Outcome, Rule, Wrong, wrongs
from .values import TODO, Todo, show

# --- 1.1: a right answer that scores 0 -------------------------------------------------------------------

PRICE = "25 dollars per month"
SIGN = re.compile(r"(?:\bUS\s?)?\$\s?25\b|\b25\s?(?:US\s?)?\$", re.I)
TWENTY_FIVE = re.compile(r"\btwenty[\s-]?five\b", re.I)
CURRENCY_CODE = re.compile(r"\bUSD\s?25\b|\b25\s?USD\b", re.I)
NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundred|thousand|million|half|dozen|twice|double)\b",
    re.I,
)
# The word after a bare 25, where the currency is understood; any other could be what is counted.
AFTER_PRICE = re.compile("a|all|american|and|bucks|dollars?|each|every|for|in|is|monthly|per|us|with", re.I)
COMPARISON = re.compile(
    r"\b(?:less|fewer|more|lower|higher|cheaper|under|over|below|above|beyond|within|between|almost|nearly"
    r"|up\s+to|at\s+(?:least|most)|from|starting|minimum|maximum|other\s+than|except)\b",
    re.I,
)
DENIAL = re.compile(r"\b(?:not|never|no|none|without|neither|nor)\b|n['’]t\b", re.I)
OTHER_PERIOD = re.compile(r"\b(?:hour|day|week|quarter|year|annum)|\b(?:dai|week|year|annual)ly\b", re.I)
MONTHS = re.compile(r"\bmonths\b|\b(?:bi|semi)-?monthly\b|\b(?:other|second|third|few|several)\s+month", re.I)


def _is_pair(answer: Any) -> Outcome:
    if not isinstance(answer, list | tuple) or len(answer) != 2:
        return 'write a pair: broken = ("your answer", "format"), or "content" in the second place.'
    if any(part is TODO for part in answer):
        return TODO
    if not isinstance(answer[0], str):
        return f"the first of the two must be the answer, a text, not {show(answer[0])}."
    return None


def _is_right(answer: Any) -> str | None:
    """A free text cannot be judged by EM here, so its price, period, plan and negations are read."""
    text = _in_one_spelling(answer[0])
    prices = [number.value for number in extract_numbers(text) if number.unit in ("dollars", "bucks", "")]
    if not prices or any(price != 25 for price in prices):
        if exact_match(answer[0], PRICE):
            return (
                f"{show(answer[0])} is *wrong* and scores 1: a false merge, as in section 4. This task asks "
                "for the opposite, a *right* answer that scores 0."
            )
        if 25 in prices:
            return (
                f"name one price only: this check reads {' and '.join(map(str, prices))} in "
                f"{show(answer[0])}, and cannot tell which one is the answer."
            )
        if not prices:
            return f"write the price in dollars: this check finds no number of dollars in {show(answer[0])}."
        found = ", ".join(map(str, prices))
        return (
            f"the answer must be right, and where the price of 25 dollars should stand, this check reads "
            f"{found} in {show(answer[0])}. A wrong answer that scores 0 breaks nothing."
        )
    return _says_more(answer[0], text)


def _says_more(answer: str, text: str) -> str | None:
    """The price is 25: say whether a word beside it makes it another price, period or plan."""
    bare = re.search(r"\b25\b[\s*_-]*(\w*)", text)
    if bare and bare[1] and not AFTER_PRICE.fullmatch(bare[1]):
        return f"25 {bare[1]}? The price is in dollars, and this check does not read it in {show(answer)}."
    if found := DENIAL.search(text):
        return (
            f'{show(answer)} has a negation in it ("{found[0]}"), and then the same words can say the '
            "opposite. Say it without."
        )
    if (OTHER_PERIOD.search(text) and not re.search("month", text, re.I)) or MONTHS.search(text):
        return f"the price is per month. {show(answer)} names another period, so it is wrong."
    if found := COMPARISON.search(text) or NUMBER_WORD.search(text):
        return (
            f'"{found[0]}" can make another price of the 25 dollars, and this small check cannot tell. Name '
            "the one price, as it is."
        )
    if re.search(r"\b(?:free|scale)\b", text, re.I) and not re.search(r"\bpro\b", text, re.I):
        return f"{show(answer)} gives the Pro plan's price to another plan. The answer must be right."
    return None


def _scores_zero(answer: Any) -> str | None:
    if exact_match(answer[0], PRICE):
        return (
            f"{show(answer[0])} scores 1: lower case, ASCII punctuation, articles and white space are what "
            "the four steps forgive. Change something that they do not touch."
        )
    return None


def _is_named(answer: Any) -> str | None:
    kinds = _kinds(answer[0])
    if answer[1] in kinds:
        return None
    if answer[1] not in ("format", "content"):
        return f'the second of the two must be "format" or "content", not {show(answer[1])}.'
    if kinds == ("format",):
        return (
            f"{show(answer[0])} has the reference's words in the reference's order, letter by letter. Only "
            "how they are written differs: that is format, of a kind the four steps do not reach."
        )
    return (
        f"{show(answer[0])} does not have the same words as the reference: words other than articles "
        "were added, dropped, exchanged or moved. That is content, and no normalizer of format forgives it."
    )


def _kinds(text: str) -> tuple[str, ...]:
    if _letters(text) == _letters(PRICE):
        return ("format",)
    if _letters(_without_signs(text)) == _letters(PRICE):  # $25, 25.00, / month: there are two views
        return ("format", "content")
    return ("content",)


def _letters(text: str) -> str:
    return "".join(character for character in unicode(text) if character.isalnum())


def _without_signs(text: str) -> str:
    """Write the price and the slash in words; a word in place of a word stays what it is."""
    text = SIGN.sub("25 dollars", re.sub(r"\b25\.0+\b", "25", text))
    return re.sub(r"\s*/\s*(?=month\b)", " per ", text, flags=re.I)


def _in_one_spelling(text: str) -> str:
    return CURRENCY_CODE.sub("25 dollars", _without_signs(TWENTY_FIVE.sub("25", text)))


# --- 1.3: one of five words ------------------------------------------------------------------------------

SHAPES = ("code", "number+unit", "identifier", "sentence", "phrase")


SHAPE_CASES = (
    Case(("429",), "code", "Nothing but digits is a code. Ask this first.", True),
    Case(
        ("25 dollars per month",),
        "number+unit",
        "The first word is a number and more words follow. Test the first word, not the whole text.",
        True,
    ),
    Case(("600 requests per minute",), "number+unit", "A number at the beginning, then words.", True),
    Case(("90 days",), "number+unit", "A number at the beginning, then a word.", True),
    Case(("24 hours",), "number+unit", "A number at the beginning, then a word.", True),
    Case(("MERIDIAN_API_KEY",), "identifier", "One word with an underscore in it.", True),
    Case(
        ("A missing or invalid API key",),
        "phrase",
        "Words, no number in front, no full stop at the end. Capitals prove nothing: see API.",
        True,
    ),
    Case(("Only the Scale plan",), "phrase", "Several words without a full stop are a phrase.", True),
    Case(
        ("A 401 error",),
        "phrase",
        "There is a number, but it does not stand at the beginning: a digit somewhere is not enough.",
    ),
    Case(
        ("3.5 hours",),
        "number+unit",
        "A number may have a decimal point. isdigit is true for digits only; int cannot read 3.5.",
    ),
    Case(("1,000 requests",), "number+unit", "A number may have commas in it."),
    Case(
        ("max_retries",),
        "identifier",
        "An identifier may be written small. It is the underscore that counts, not the capitals.",
    ),
    Case(
        ("The region is fixed at creation.",),
        "sentence",
        "More than one word and a full stop at the end: a sentence, and it comes before phrase.",
    ),
    Case(("Is it free?",), "sentence", "A question mark ends a sentence too."),
    Case(
        ("Set the MERIDIAN_API_KEY variable",),
        "phrase",
        "An underscore inside a longer text makes no identifier: it must be one single word.",
    ),
    Case(("Scale",), "phrase", "One word without an underscore is none of the other four."),
    Case(
        ("Yes.",),
        "phrase",
        "A sentence has more than one word. One word with a full stop is none of the other four.",
        True,
    ),
    Case(
        ("3.5",),
        "phrase",
        "A code is digits only, and number+unit needs a word after the number. What is left is a phrase.",
        True,
    ),
    Case(
        ("24 hours.",),
        "number+unit",
        "Two descriptions fit here, and the one that stands first in the list counts.",
    ),
    Case(
        ("5xx errors",),
        "phrase",
        "5xx is no number: the whole first word must be digits, points and commas, not just its start.",
    ),
)


NO_SHAPE = f"Return exactly one of the five words, as a text: {', '.join(map(show, SHAPES))}."

# --- 1.4: a normalizer that keeps numbers apart ----------------------------------------------------------

EIGHT = (
    ("429", "429", "Equal texts must stay equal."),
    ("MERIDIAN_API_KEY", "MERIDIAN_API_KEY", "Equal texts must stay equal."),
    (
        "25 dollars per month.",
        PRICE,
        "A full stop after a word is format. Keep a point only where it stands inside a number.",
    ),
    ("600 Requests Per Minute", "600 requests per minute", "Capitals are still format: keep lower_case."),
    ("  90 days  ", "90 days", "Spaces at the ends are still format: keep squeeze_spaces, and keep it last."),
    (
        "Missing or invalid API key",
        "A missing or invalid API key",
        "Articles still go, and the space they leave has to be squeezed afterwards.",
    ),
    ("24  hours", "24 hours", "A doubled space is still format: keep squeeze_spaces."),
)


def _forms(function: Any, *texts: str) -> list[str] | str | Todo:
    """Return the student's normal forms of some texts, or what is wrong with the function."""
    if not callable(function):
        return f"careful_normalize must be a function, but it is {show(function)}."
    forms = []
    for text in texts:
        form = function(text)
        if isinstance(form, Todo):
            return form
        call = f"careful_normalize({show(text)})"
        if form is None:
            return f"{call} gave None. Is there a `return` on every path?"
        if not isinstance(form, str):
            return f"{call} gave {show(form)}. The result must be a text: a list of words needs a join."
        forms.append(form)
    return forms


def _compare(first: str, second: str, hint: str, alike: bool = False) -> Rule:
    """Return a rule: two texts keep different forms, or one form if they are `alike`."""

    def rule(function: Any) -> Outcome:
        forms = _forms(function, first, second)
        if not isinstance(forms, list):
            return forms
        if (forms[0] == forms[1]) == alike:
            return None
        both = f"{show(first)} and {show(second)}"
        if alike:
            return (
                f"{both} are the same answer, but they become {show(forms[0])} and {show(forms[1])}. {hint}"
            )
        return f"{both} differ, but both become {show(forms[0])}. {hint}"

    return rule


def _together(first: str, second: str, hint: str) -> Rule:
    return _compare(first, second, hint, alike=True)


# --- the table -------------------------------------------------------------------------------------------

EXERCISES: dict[str, Exercise | Choice] = {
    "Q1.1": Choice(
        "b",
        {
            "a": "Normalization does not remove words: http 429 is not 429. That is content.",
            "b": "Right. Quotes and the exclamation mark are ASCII punctuation, which is format.",
            "c": "No step turns words into digits. To compare values, read the number first (Lesson 2).",
            "d": "The three extra words stay. They are true, and they are content, so the score is 0.",
        },
    ),
    "Q1.2": Choice(
        "b",
        {
            "a": "Try it: the list of articles is in small letters, so a capital A is not found in it.",
            "b": "Right. The A is passed over, then made small, and a missing key is not missing key.",
            "c": "White space is still squeezed last, so no space survives. Which word does?",
            "d": "The capital A is passed over in both examples: it is not in the list until it is small.",
        },
    ),
    "Q1.3": Choice(
        "c",
        {
            "a": "Not equal is not wrong: run1 was right eight times out of eight, with an EM of 0.",
            "b": "EM can miss right answers, so the true number may be much higher. Think of run1.",
            "c": "Right. A low EM on long answers says: read them, or use a ruler that can say nearly.",
            "d": "It may work well. Full sentences differ from short facts in content, not in format.",
        },
    ),
    "1.1": Exercise(
        "broken",
        (_is_pair, _is_right, _scores_zero, _is_named),
        (
            Wrong('broken = ("25 Dollars per month!", "format")', "scores 1"),
            Wrong('broken = ("26 dollars per month", "content")', "must be right"),
            Wrong('broken = ("25 bananas per month", "content")', "price is in dollars"),
            Wrong('broken = ("less than 25 dollars per month", "content")', "another price"),
            Wrong('broken = ("25 dollars per two months", "content")', "another period"),
            Wrong('broken = ("a hundred and twenty-five dollars per month", "content")', "another price"),
            Wrong('broken = ("25 or 30 dollars per month", "content")', "name one price only"),
            Wrong('broken = ("25 USD per month", "format")', "That is content"),
            Wrong('broken = ("Twenty-five dollars per month", "format")', "That is content"),
            Wrong('broken = ("2.5 dollars per month", "format")', "a false merge"),
            Wrong('broken = ("-25 dollars per month", "format")', "asks for the opposite"),
            Wrong('broken = ("It does not cost 25 dollars per month.", "content")', "negation"),
            Wrong('broken = ("The Pro plan costs 25 dollars per year.", "content")', "another period"),
            Wrong('broken = ("The Free plan costs 25 dollars per month.", "content")', "another plan"),
            Wrong('broken = ("It costs 25 dollars per month.", "format")', "That is content"),
            Wrong('broken = ("25-dollars per month", "content")', "that is format"),
            Wrong('broken = "It costs 25 dollars per month."', "write a pair"),
        ),
    ),
    "1.2": Exercise(
        "expand_units",
        (
            Case(
                ("600 rpm",),
                "600 requests per minute",
                "The result is the number, one space, and the unit in full.",
                True,
            ),
            Case(
                ("600rpm",),
                "600 requests per minute",
                r"The space before a unit is optional, and one stands there afterwards. Between a digit and "
                r"a letter there is no \b, so a pattern that begins with \b misses this: look back for the "
                r"digit.",
            ),
            Case(
                ("50 gb",),
                "50 gigabytes",
                "Is gb replaced at all? A `return` inside the loop ends it after the first unit.",
            ),
            Case(
                ("Up to 50GB.",),
                "Up to 50 gigabytes.",
                "Small or capital makes no difference: ignore case. The rest of the text keeps its capitals.",
                True,
            ),
            Case(
                ("Run 2 rpmbuild jobs",),
                "Run 2 rpmbuild jobs",
                "Here rpm is only the beginning of a longer word. Ask for the edge of a word after the unit.",
                True,
            ),
            Case(
                ("Install the rpm package",),
                "Install the rpm package",
                "No number stands before this rpm, so it is no unit. Look back for a digit.",
                True,
            ),
            Case(
                ("Pro: 600 RPM and 50 gb",),
                "Pro: 600 requests per minute and 50 gigabytes",
                "Both units can stand in one text: replace each of them, and return only when all are done.",
            ),
            Case(
                ("5 warpmails, 3 rgb values",),
                "5 warpmails, 3 rgb values",
                "rpm and gb are in the middle of other words here. A unit is a whole word.",
            ),
            Case(
                ("60 rpm on Free, 600 rpm on Pro",),
                "60 requests per minute on Free, 600 requests per minute on Pro",
                "A unit can occur twice: replace every occurrence.",
            ),
            Case(
                ("Use  600 rpm\nor 50GB.",),
                "Use  600 requests per minute\nor 50 gigabytes.",
                "All that is no unit stays as it was, double spaces and line breaks too. Change only units.",
            ),
            Case(
                ("600 Requests Per Minute",),
                "600 Requests Per Minute",
                "There is nothing to expand, and lower case is the normalizer's business: change only units.",
            ),
            Case(("",), "", "An empty text stays empty."),
        ),
        wrongs(
            "def expand_units(text):",
            (
                "The space before a unit is optional",
                '    return text.replace("rpm", "requests per minute").replace("gb", "gigabytes")',
            ),
            (
                "only the beginning of a longer word",
                r'    text = re.sub(r"\s*rpm", " requests per minute", text, flags=re.I)',
                r'    return re.sub(r"\s*gb", " gigabytes", text, flags=re.I)',
            ),
            (
                "no unit",
                r'    text = re.sub(r"\s*rpm\b", " requests per minute", text, flags=re.I)',
                r'    return re.sub(r"\s*gb\b", " gigabytes", text, flags=re.I)',
            ),
            (
                "Between a digit and a letter",
                r'    text = re.sub(r"(?<=\d )rpm\b", "requests per minute", text, flags=re.I)',
                r'    return re.sub(r"(?<=\d)\s*gb\b", " gigabytes", text, flags=re.I)',
            ),
            (
                "the number, one space",
                r'    return re.sub(r"\d+\s*rpm\b", "requests per minute", text, flags=re.I)',
            ),
            (
                "Is gb replaced at all",
                r'    return re.sub(r"(?<=\d)\s*rpm\b", " requests per minute", text, flags=re.I)',
            ),
            (
                "inside the loop",
                "    for short, full in UNITS.items():",
                r'        return re.sub(rf"(?<=\d)\s*{short}\b", f" {full}", text, flags=re.I)',
            ),
            (
                "no \\b, so a pattern",
                "    for short, full in UNITS.items():",
                r'        text = re.sub(rf"\b{short}\b", full, text, flags=re.I)',
                "    return text",
            ),
            (
                "ignore case",
                "    for short, full in UNITS.items():",
                r'        text = re.sub(rf"(?<=\d)\s*{short}\b", f" {full}", text)',
                "    return text",
            ),
            (
                "double spaces and line breaks",
                "    for short, full in UNITS.items():",
                r'        text = re.sub(rf"(?<=\d)\s*{short}\b", f" {full}", text, flags=re.I)',
                "    return squeeze_spaces(text)",
            ),
            (
                "replace each of them",
                "    for short, full in UNITS.items():",
                r'        pattern = rf"(?<=\d)\s*{short}\b"',
                "        if re.search(pattern, text, flags=re.I):",
                '            return re.sub(pattern, f" {full}", text, flags=re.I)',
                "    return text",
            ),
            (
                "keeps its capitals",
                "    for short, full in UNITS.items():",
                r'        text = re.sub(rf"(?<=\d)\s*{short}\b", f" {full}", text.lower())',
                "    return text",
            ),
        ),
    ),
    "1.3": Exercise(
        "shape_of",
        SHAPE_CASES,
        wrongs(
            "def shape_of(reference):",
            ("as a text", "    return reference.isdigit()"),
            ("five words", '    return "CODE" if reference.isdigit() else "phrase"'),
            (
                "five words",
                "    words = reference.split()",
                "    if reference.isdigit():",
                '        return "code"',
                '    return "number + unit" if words[0].isdigit() else "phrase"',
            ),
            ("as a text", '    return ("code",)'),
            (
                "more than one word",
                "    words = reference.split()",
                "    if reference.isdigit():",
                '        return "code"',
                r'    if re.fullmatch(r"\d[\d.,]*", words[0]) and len(words) > 1:',
                '        return "number+unit"',
                '    if "_" in reference and len(words) == 1:',
                '        return "identifier"',
                '    return "sentence" if reference[-1] in ".?!" else "phrase"',
            ),
            (
                "A code is digits only",
                "    words = reference.split()",
                r"    if re.fullmatch(r'[\d.,]+', reference):",
                '        return "code"',
                r'    if re.fullmatch(r"\d[\d.,]*", words[0]):',
                '        return "number+unit"',
                '    if "_" in reference and len(words) == 1:',
                '        return "identifier"',
                '    return "sentence" if len(words) > 1 and reference[-1] in ".?!" else "phrase"',
            ),
            (
                "5xx is no number",
                "    words = reference.split()",
                "    if reference.isdigit():",
                '        return "code"',
                "    if len(words) > 1 and reference[0].isdigit():",
                '        return "number+unit"',
                '    if "_" in reference and len(words) == 1:',
                '        return "identifier"',
                '    return "sentence" if len(words) > 1 and reference[-1] in ".?!" else "phrase"',
            ),
            (
                "a digit somewhere is not enough",
                "    if reference.isdigit():",
                '        return "code"',
                "    if any(character.isdigit() for character in reference):",
                '        return "number+unit"',
                '    return "identifier" if "_" in reference else "phrase"',
            ),
            (
                "Nothing but digits is a code",
                "    words = reference.split()",
                "    if len(words) == 1:",
                '        return "identifier"',
                '    return "number+unit" if words[0].isdigit() else "phrase"',
            ),
            (
                "may have a decimal point",
                "    if reference.isdigit():",
                '        return "code"',
                "    if reference.split()[0].isdigit():",
                '        return "number+unit"',
                '    return "identifier" if "_" in reference else "phrase"',
            ),
            (
                "may be written small",
                "    words = reference.split()",
                "    if reference.isdigit():",
                '        return "code"',
                r'    if len(words) > 1 and re.match(r"\d", reference):',
                '        return "number+unit"',
                "    if len(words) == 1 and reference.isupper():",
                '        return "identifier"',
                '    return "sentence" if reference[-1] in ".?!" else "phrase"',
            ),
            (
                "one single word",
                "    if reference.isdigit():",
                '        return "code"',
                r'    if re.match(r"\d", reference):',
                '        return "number+unit"',
                '    if "_" in reference:',
                '        return "identifier"',
                '    return "sentence" if reference[-1] in ".?!" else "phrase"',
            ),
            (
                "stands first in the list",
                "    words = reference.split()",
                "    if reference.isdigit():",
                '        return "code"',
                '    if len(words) > 1 and reference[-1] in ".?!":',
                '        return "sentence"',
                r'    if len(words) > 1 and re.match(r"\d", reference):',
                '        return "number+unit"',
                '    return "identifier" if "_" in reference and len(words) == 1 else "phrase"',
            ),
        ),
        [(lambda got, _: got not in SHAPES, NO_SHAPE)],
    ),
    "1.4": Exercise(
        "careful_normalize",
        (
            _compare(
                "3.5",
                "35",
                "Which of the four steps swallows the point? Look at what stands on both its sides.",
            ),
            *(_together(*pair) for pair in EIGHT),
            _compare("All paid plans", "Only the Scale plan", "A wrong answer must stay wrong."),
            _compare("-5", "5", "A hyphen right before a digit can be a minus sign."),
            _compare("12:30", "1230", "A colon between two digits belongs to the number."),
            _compare("about -5 degrees", "about 5 degrees", "A minus can stand in the middle of a text too."),
            _compare(
                "It costs 3.5 dollars", "It costs 35 dollars", "Numbers also stand in the middle of a text."
            ),
            _compare(
                "(-5 degrees)",
                "(5 degrees)",
                "A minus can follow a bracket: what counts is that no letter or digit stands before it.",
            ),
            _compare(
                "1.2.3",
                "1.23",
                "Every point between two digits counts. A pattern that takes the digits along, such as "
                r"(\d)\.(\d), has used up the 2 when it comes to the second point: only look at neighbors.",
            ),
            _compare(
                "2024-1-5",
                "2024-15",
                "Every hyphen between two digits counts, also where they share a digit. Only look at the "
                "neighbors, do not take them along.",
            ),
            _together("429, then wait", "429 then wait", "This comma has a digit on one side only: format."),
            _together("It is 3.5.", "It is 3.5", "The last point has a digit on one side only: a full stop."),
            _together("- 90 days", "90 days", "A hyphen with a space after it is a bullet, not a minus."),
            _together("Free, Pro", "Free Pro", "A comma between words is format."),
            _compare("10-12", "1012", "A hyphen between two digits keeps them apart: it is a range."),
        ),
        (
            *wrongs(
                "def careful_normalize(text):",
                ("swallows the point", "    return normalize(text)"),
                ("Is there a `return` on every path?", "    normalize(text)"),
                ("must be a text", "    return normalize(text).split()"),
                (
                    "only look at neighbors",
                    r'    text = re.sub(r"(?<!\w)-(?=\d)", "minus", lower_case(text))',
                    r'    text = re.sub(r"(\d)([.,:-])(\d)", lambda m: f"{m[1]}x{ord(m[2])}x{m[3]}", text)',
                    "    return squeeze_spaces(drop_articles(delete_punctuation(text)))",
                ),
                ("A full stop after a word is format", "    return text"),
                (
                    "Keep a point only where it stands inside a number",
                    r"    if re.search(r'\d', text):",
                    "        return squeeze_spaces(drop_articles(lower_case(text)))",
                    "    return normalize(text)",
                ),
                (
                    "can be a minus sign",
                    "    marks = re.escape(string.punctuation)",
                    '    text = re.sub(rf"[{marks}]", " ", lower_case(text))',
                    "    return squeeze_spaces(drop_articles(text))",
                ),
                (
                    "a digit on one side only: format",
                    "    marks = re.escape(string.punctuation)",
                    r'    text = re.sub(rf"(?<!\d)[{marks}](?!\d)|[{marks}]$", "", lower_case(text))',
                    "    return squeeze_spaces(drop_articles(text))",
                ),
                (
                    "in the middle of a text too",
                    '    sign = "minus " if text.startswith("-") else ""',
                    "    marks = re.escape(string.punctuation)",
                    r'    text = re.sub(rf"(?!(?<=\d).(?=\d))[{marks}]", "", lower_case(text))',
                    "    return squeeze_spaces(drop_articles(sign + text))",
                ),
                (
                    "a bullet",
                    "    marks = re.escape(string.punctuation)",
                    r'    text = re.sub(rf"(?!-|(?<=\d).(?=\d))[{marks}]", "", lower_case(text))',
                    "    return squeeze_spaces(drop_articles(text))",
                ),
                (
                    "A colon between two digits",
                    "    marks = re.escape(string.punctuation)",
                    r'    keep = r"(?<=\d)[.](?=\d)|(?<!\w)-(?=\d)"',
                    '    text = re.sub(rf"(?!{keep})[{marks}]", "", lower_case(text))',
                    "    return squeeze_spaces(drop_articles(text))",
                ),
                (
                    "keep lower_case",
                    "    marks = re.escape(string.punctuation)",
                    r'    text = re.sub(rf"(?!(?<=\d).(?=\d)|-(?=\d))[{marks}]", "", text)',
                    "    return squeeze_spaces(drop_articles(text))",
                ),
            ),
            Wrong('careful_normalize = normalize("3.5")', "must be a function"),
        ),
    ),
}
