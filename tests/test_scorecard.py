"""The scorecard: its numbers row by row, its flags, its files, and a gate that nothing slips through."""

import csv
import html
import io
import itertools
import json
import random
import re
import string
from dataclasses import replace

import mistune
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessonlib.data import STATUSES, Answer, Item, load_answers, load_golden
from lessonlib.jsonl import DataError
from lessonlib.metrics import METRICS, Metric, exact_match, score, signature
from lessonlib.scorecard import (
    DEFAULT_METRICS,
    FORMATS,
    TEXTS,
    Scorecard,
    compare,
    flags,
    gate,
    load_scorecard,
    make_scorer,
    score_rows,
    scorecard,
)

# The whole published text, which the command line prints too.
RUN_1 = """\
id    exact_match    f1  rouge_l  prediction
q1           0.00  0.17     0.15  When you exceed the rate limit, Meridian returns HTTP status code 429.
q2           0.00  0.73     0.67  The Pro plan allows 600 requests per minute.
q3           0.00  0.60     0.55  The Pro plan costs $25 per month.
q4           0.00  0.36     0.33  Backups on the Scale plan are retained for 90 days.
q5           0.00  0.22     0.40  The Python SDK reads the MERIDIAN_API_KEY environment variable by default.
q6           0.00  0.77     0.75  A 401 error means a missing or invalid API key.
q7           0.00  0.24     0.21  The grace period is 24 hours. After 24 hours, the data and its backups \
are permanently purged.
q8           0.00  0.43     0.32  Point-in-time recovery is available on the Scale plan only, within the \
retention window.
mean         0.00  0.44     0.42

failed: 0 of 8
"""


def card_of(*rows, metrics=DEFAULT_METRICS, references=None):
    """Return a scorecard of (prediction, references[, status]) rows with ids a, b, c."""
    golden, answers = [], []
    for name, (prediction, accepted, *status) in zip(string.ascii_letters, rows, strict=False):
        golden.append(Item(name, f"{name}?", (accepted,) if isinstance(accepted, str) else tuple(accepted)))
        answers.append(Answer(name, prediction, *status))
    return scorecard(golden, answers, metrics, references)


def card_with(**scores):
    """Return a scorecard whose F1 scores are given by id."""
    rows = [
        {**dict.fromkeys(TEXTS, "x"), "id": name, "status": "ok", "f1": score}
        for name, score in scores.items()
    ]
    return Scorecard(rows, {"f1": "f1|made by hand"})


def column(card, name):
    return [row[name] for row in card.rows]


@pytest.fixture
def run1():
    return scorecard(load_golden(), load_answers("run1"))


@pytest.fixture
def registry(monkeypatch):
    """Return the table of metrics, to add to; afterwards it is as it was."""
    monkeypatch.setattr("lessonlib.metrics.METRICS", METRICS)
    before = dict(METRICS)
    yield METRICS
    METRICS.clear()
    METRICS.update(before)


# --- the numbers -----------------------------------------------------------------------------------------


def test_run_1_is_the_published_table_row_by_row(run1):
    assert run1.export("text") == RUN_1 + "".join(f"{text}\n" for text in run1.signatures.values())
    assert run1.export("text", digits=4).splitlines()[1].split()[:4] == ["q1", "0.0000", "0.1667", "0.1538"]
    assert run1.metrics == ["exact_match", "f1", "rouge_l"]
    assert [set(row) for row in run1.rows] == [{*TEXTS, *run1.metrics}] * 8
    assert run1.table.to_dict(orient="records") == run1.rows


def test_means_are_the_mean_of_the_rows_and_count_failures():
    card = card_of(("x", "x"), ("y", "x"), ("x", "x", "truncated"), metrics=["f1"])
    assert card.means() == {"f1": 1 / 3}
    assert [row["id"] for row in card.failed] == ["c"]


@pytest.mark.parametrize("status", [status for status in STATUSES if status != "ok"])
def test_what_is_no_complete_answer_scores_0_whatever_its_text(status):
    card = card_of(("", "", status), ("x", "x", status), ("x", ["y", "x"], status), metrics=list(METRICS))
    assert card.means() == dict.fromkeys(METRICS, 0)
    assert len(card.failed) == 3


def test_references_first_or_all():
    rows = [("one day", ["24 hours", "one day"]), ("24 hours", ["24 hours", "one day"]), ("x", ["y"])]
    first, best = card_of(*rows, references="first"), card_of(*rows, references="all")
    assert column(first, "f1") == [0, 1, 0]
    assert column(best, "f1") == [1, 1, 0]
    assert column(first, "reference") == ["24 hours", "24 hours", "y"]
    assert column(best, "reference") == ["one day", "24 hours", "y"]
    assert column(best, "other_references") == ["", "", ""]
    assert first.signatures["f1"] == f"{signature('f1')}|targets:first"
    assert best.signatures["f1"] == f"{signature('f1')}|targets:all"


def test_the_reference_that_counted_is_named_for_each_metric_where_they_differ():
    """All three words in another order, or two of them in order: F1 takes the first, ROUGE-L the second."""
    card = card_of(("a1 b1 c1", ["c1 b1 a1", "a1 x1 c1"]), metrics=["f1", "exact_match", "rouge_l"])
    assert column(card, "reference") == ["c1 b1 a1"]
    assert column(card, "other_references") == ["rouge_l: a1 x1 c1"]
    assert column(card, "rouge_l") == [pytest.approx(2 / 3)]
    shown = card._repr_html_()
    assert ">c1 b1 a1</td>" in shown
    assert ">rouge_l: a1 x1 c1</td>" in shown


def test_bleu_takes_all_references_together_and_names_the_best_one_alone():
    texts = ("the cat sat on the red mat", ["the cat sat on a mat today", "a cat was on the red mat"])
    card = card_of(texts, metrics=["bleu_4"])
    assert column(card, "bleu_4") == [score("bleu_4", *texts)]
    assert column(card, "bleu_4")[0] > max(score("bleu_4", texts[0], reference) for reference in texts[1])
    assert column(card, "reference") == [max(texts[1], key=lambda text: score("bleu_4", texts[0], text))]


def test_own_items_count_all_references_and_the_course_s_own_the_first():
    assert card_of(("x", ["y", "x"])).signatures["f1"].endswith("|targets:all")
    golden = load_golden()
    answers = [Answer(item.id, item.references[-1]) for item in golden]
    assert scorecard(golden[2:], answers[2:]).signatures["f1"].endswith("|targets:first")
    edited = [*golden[:7], replace(golden[7], question="Which?")]
    assert scorecard(edited, answers).signatures["f1"].endswith("|targets:all")


def test_rows_stand_in_golden_order_whatever_order_the_answers_have(run1):
    shuffled = load_answers("run1")
    random.Random(3).shuffle(shuffled)
    assert scorecard(load_golden(), shuffled).export("json") == run1.export("json")


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        (["f1", "bleu"], "unknown metric 'bleu'; known: exact_match, accuracy, f1, rouge_l, bleu_4"),
        (["F1"], "unknown metric 'F1'; known:"),
        ([None], "unknown metric None; known:"),
        (
            ["f1", "rouge_l", "f1"],
            "metrics must be different names, at least one, not ['f1', 'rouge_l', 'f1']",
        ),
        ([], "metrics must be different names, at least one, not []"),
    ],
)
def test_metrics_are_known_and_different(metrics, message):
    with pytest.raises(ValueError, match=r"metric") as caught:
        scorecard(load_golden(), load_answers(), metrics)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", TEXTS)
def test_a_metric_of_your_own_cannot_overwrite_a_column(registry, name):
    registry[name] = Metric(exact_match, "norm:squad")
    with pytest.raises(ValueError, match=f"a metric cannot be called '{name}'"):
        scorecard(load_golden(), load_answers(), ["f1", name])


def test_a_metric_of_your_own_is_a_column_with_its_signature(registry):
    registry["same_length"] = Metric(lambda p, r: float(len(p) == len(r)), "len:chars")
    card = card_of(("ab", "cd"), ("abc", "cd"), metrics=["same_length"])
    assert column(card, "same_length") == [1, 0]
    assert card.signatures["same_length"].startswith("same_length|len:chars|")


def test_another_tokenizer_goes_to_the_metrics_that_take_one_and_into_their_signatures():
    options = {"tokenizer": "char", "normalizer": "lower"}
    card = scorecard([Item("a", "?", ("14天",))], [Answer("a", "期14天")], options=options)
    assert [card.means()[name] for name in card.metrics] == [0, 6 / 7, 6 / 7]
    assert [text.split("|")[1] for text in card.signatures.values()] == ["norm:lower", "tok:char", "tok:char"]
    with pytest.raises(ValueError, match=r"^none of these metrics takes the option 'tokenizer'$"):
        scorecard(load_golden(), load_answers(), ["exact_match"], options={"tokenizer": "char"})
    with pytest.raises(ValueError, match=r"^unknown tokenizer 'chars'; known: squad, word, "):
        scorecard(load_golden(), load_answers(), options={"tokenizer": "chars"})
    with pytest.raises(ValueError, match=r"is not comparable: f1\|tok:squad.* in the baseline, f1\|tok:word"):
        compare(
            *(
                scorecard(load_golden(), load_answers(), ["f1"], options=o)
                for o in ({"tokenizer": "word"}, {})
            )
        )


@pytest.mark.parametrize(
    ("text", "metrics", "said"),
    [
        ("да cats", ["f1", "rouge_l"], ["the tokenizer rouge_stem sees 66.7% of the letters of these texts"]),
        (
            "é" + "x" * 9999,
            ["rouge_l"],
            ["the tokenizer rouge_stem sees 99.9% of the letters of these texts"],
        ),
        (
            "下雨 \u20ac",
            ["f1"],
            ["words without spaces between them share only what the tokenizer char, or chrF, finds"],
        ),
        ("“cats” – dogs", ["f1", "rouge_l"], []),
        ("да", ["exact_match", "f1"], []),
    ],
)
def test_a_run_says_what_its_tokenizers_do_not_see(text, metrics, said):
    card = card_of((text, text), metrics=metrics)
    assert card.unseen() == said
    assert all(line in card.export("text") for line in said)


def test_two_processes_give_the_same_rows_and_a_log_no_bar(capsys):
    golden = [Item(f"i{n}", "?", ("a b", "c")) for n in range(1201)]
    pairs = [(item, Answer(item.id, "b" * (n % 3))) for n, item in enumerate(golden)]
    scorer = make_scorer(golden, ["f1"], options={"tokenizer": "char"})
    rows = score_rows(scorer, pairs, jobs=2)
    assert rows == score_rows(scorer, pairs)
    assert rows[2] == scorer(pairs[2])
    assert rows[1]["f1"] == 2 / 3
    assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match=r"^jobs must be 1 or more, not 0$"):
        score_rows(scorer, pairs, jobs=0)


def test_a_terminal_shows_how_far_the_scoring_is(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    golden = [Item(f"i{n}", "?", ("a",)) for n in range(501)]
    score_rows(make_scorer(golden), [(item, Answer(item.id, "a")) for item in golden])
    assert "0/501" in capsys.readouterr().err


def test_nothing_to_score_and_unlike_ids_are_errors():
    with pytest.raises(ValueError, match=r"^the golden set is empty: there is nothing to score$"):
        scorecard([], [])
    with pytest.raises(DataError, match=r"missing: 'q8'"):
        scorecard(load_golden(), load_answers()[:-1])
    with pytest.raises(ValueError, match=r"^references must be one of first, all, not 'best'$"):
        scorecard(load_golden(), load_answers(), references="best")


# --- flags -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "reference", "names"),
    [
        # nothing to say: the answer is the reference, also in other clothes
        ("25 dollars per month", "25 dollars per month", []),
        ("", "", []),
        ("It does not support backups.", "It does not support backups.", []),
        # right and longer
        ("It costs 25 dollars per month.", "25 dollars per month", ["wordy"]),
        ("You see 429 Too Many Requests", "429", ["wordy"]),
        ("24 hours, that is 24.0 hours", "24 hours", ["wordy"]),
        # a negation on one side only
        ("not 25 dollars per month", "25 dollars per month", ["negated"]),
        ("25 dollars per month", "Not 25 dollars per month.", ["negated"]),
        ("Free plans never have backups", "Free plans have backups", ["negated"]),
        ("Free plans don\u2019t have backups", "Free plans have backups", ["negated"]),
        ("It hasn\u2019t been purged", "It has been purged", ["negated"]),
        # on both sides, in other words: no suspicion of a negation
        ("Free plans cannot have backups", "Free plans do not have backups", []),
        # words that only look like one
        ("It costs a knot, an amount or a percent", "It costs", ["wordy"]),
        # another number
        ("26 dollars per month", "25 dollars per month", ["number changed"]),
        ("25.00 dollars per month", "25 dollars per month", []),
        ("It costs $25 per month", "25 dollars per month", []),
        ("The dollars per month", "25 dollars per month", []),  # no number at all is another matter
        ("from 9 to 17", "from 9 to 18", ["number changed"]),
        # other numbers beside it: a hedge
        ("It costs 20 or 25 dollars", "25 dollars", ["more numbers"]),
        ("1,000 requests or 600 requests per minute", "600 requests per minute", ["more numbers"]),
        ("A 401 error means the key is missing", "the key is missing", ["wordy"]),  # the reference has none
        # another unit
        ("It costs 25 euros per month", "25 dollars per month", ["unit changed"]),
        ("\u20ac25 per month", "$25 per month", ["unit changed"]),
        ("25 per month, in dollars", "25 dollars per month", ["not judged"]),
        # a language in which a negation would not be seen: never a friendly word
        ("Export wird nicht unterstützt", "Export wird unterstützt", ["not judged"]),
        ("Zugriff", "kein Zugriff", ["not judged"]),
        ("L'export n'est pas disponible", "L'export est disponible", ["not judged"]),
        ("the 不 25", "the 25", ["not judged"]),
        ("Zugriff", "Zugriff", []),
        ("25 and 5.0", "25 and 5", []),  # no word differs
        # the same words in another order
        ("month per dollars 25 only", "25 dollars per month", ["reordered"]),
        ("Per month, it is not 25 dollars", "it is not 25 dollars per month", ["reordered"]),
        # several at once
        ("not 26 dollars per month", "25 dollars per month", ["negated", "number changed"]),
    ],
)
def test_flags_say_what_to_look_at(prediction, reference, names):
    found = flags(card_of((prediction, reference)))
    assert [flag.name for flag in found] == names
    assert {flag.id for flag in found} <= {"a"}


@pytest.mark.parametrize("status", [status for status in STATUSES if status != "ok"])
def test_an_answer_that_is_no_complete_answer_is_flagged_as_failed_only(status):
    found = flags(card_of(("not 26", "25", status)))
    assert [(flag.name, flag.reason) for flag in found] == [("failed", f"the reply ended as {status!r}")]


@pytest.mark.parametrize(
    ("prediction", "reference", "name", "reason"),
    [
        ("not 26 or 3.5 dollars", "25 dollars", "negated", "only the answer has 'not'"),
        ("not 26 or 3.5 dollars", "25 dollars", "number changed", "the answer has 3.5, 26, the reference 25"),
        ("x", "no x", "negated", "only the reference has 'no'"),
        ("20 or 25", "25", "more numbers", "the answer also has 20"),
        ("25 euros", "$25", "unit changed", "the answer has 25 euros, the reference 25 dollars"),
        ("the x it", "x", "wordy", "the whole reference is there, and 1 more token"),
        ("y", "x", "nothing shared", "no token of the reference is in the answer"),
        ("y x", "x", "not judged", "not plainly English, so a negation would not be seen"),
    ],
)
def test_reasons_hold_the_words_and_numbers_they_speak_of(prediction, reference, name, reason):
    assert (name, reason) in [flag[1:] for flag in flags(card_of((prediction, reference)))]


def test_flags_look_at_the_reference_that_counted_and_keep_table_order():
    rows = [("two weeks", ["14 days", "two weeks"]), ("not x", "x"), ("x", "x"), ("it is x", ["y", "x"])]
    card = card_of(*rows)
    assert [(flag.id, flag.name) for flag in flags(card)] == [("b", "negated"), ("d", "wordy")]


# --- files -----------------------------------------------------------------------------------------------

AWKWARD = [
    'a "quoted", comma | pipe',
    "two\nlines\r\nand\rmore",
    "back\\slash \\| <b>bold</b> & `code` *star* [link](x) $1$",
    "",
    "=1+1",
    "  spaces  ",
    "naïve – 今天 \U0001f600\u2028\x85",
    "NA",
]


def awkward():
    return card_of(*((text, [text, "other"]) for text in AWKWARD), metrics=["f1", "rouge_l", "bleu_4"])


def test_json_comes_back_exactly(tmp_path):
    for card in (awkward(), scorecard(load_golden(), load_answers("run2"), list(METRICS), "all")):
        path = tmp_path / "card.json"
        path.write_text(card.export("json"), encoding="utf-8", newline="\n")
        again = load_scorecard(path)
        assert again.export("json") == card.export("json")
        assert again == card
        assert all(change.now == change.baseline for change in compare(again, card))
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # an editor's byte order mark
        assert load_scorecard(path).means() == card.means()


def test_csv_comes_back_exactly(tmp_path):
    for card in (awkward(), scorecard(load_golden(), load_answers("run2"), list(METRICS), "all")):
        path = tmp_path / "card.csv"
        path.write_text(card.export("csv"), encoding="utf-8", newline="\n")
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        expected = card.rows
        assert [list(row) for row in rows] == [list(row) for row in expected]
        for row, wanted in zip(rows, expected, strict=True):
            for name, value in wanted.items():
                assert (float(row[name]) if name in card.metrics else row[name]) == value


@given(st.lists(st.text(st.characters(), max_size=12), min_size=1, max_size=6))
def test_any_answer_survives_csv_and_json(texts):
    """Whatever an answer holds, half a surrogate pair included."""
    card = card_of(*((text, "x") for text in texts), metrics=["f1"])
    rows = list(csv.reader(io.StringIO(card.export("csv"), newline="")))
    assert [row[1] for row in rows[1:]] == texts
    saved = card.export("json").encode("utf-8", "backslashreplace")
    assert [row["prediction"] for row in json.loads(saved)["items"]] == texts


def test_text_is_one_line_a_row_and_ends_with_means_and_signatures():
    lines = awkward().export("text").split("\n")
    assert lines[0] == "id      f1  rouge_l  bleu_4  prediction"
    assert lines[1].split()[0] == "a"
    assert lines[1].endswith(AWKWARD[0])
    assert lines[2].endswith("two lines and more")
    assert [line.split()[0] for line in lines[1:10]] == [*"abcdefgh", "mean"]
    assert lines[10] == ""
    assert lines[11:] == ["failed: 0 of 8", *awkward().unseen(), *awkward().signatures.values(), ""]
    assert not any(line != line.rstrip() for line in lines)


def test_a_table_for_people_shows_the_status_and_the_count_of_failures():
    card = card_of(
        ("x", "x"), ("cut", "x", "truncated"), ("", "x", "refusal"), ("y", "x", "refusal"), metrics=["f1"]
    )
    note = "failed: 3 of 4 (truncated 1, refusal 2)"
    lines = card.export("text").splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["id", "f1", "status", "prediction"],
        ["a", "1.00", "ok", "x"],
        ["b", "0.00", "truncated", "cut"],
    ]
    assert lines[7] == note
    assert "| b | 0.00 | truncated | cut |" in card.export("markdown")
    assert f"`{note}`" in card.export("markdown")
    assert json.loads(card.export("json"))["failed"] == 3
    assert f"<p>{note}</p>" in card._repr_html_()
    assert ">truncated</td>" in card._repr_html_()


def test_a_notebook_shows_a_table_with_the_reference_that_counted_and_no_formula():
    shown = card_of(("$1 <b>", ["y", "$1"]), metrics=["f1"])._repr_html_()
    assert shown.startswith('<div class="mathjax_ignore tex2jax_ignore">\n<table>')
    assert '<tr><td style="text-align: left">a</td><td style="text-align: right">0.67</td>' in shown
    assert ">$1</td>" in shown
    assert ">$1 &lt;b&gt;</td>" in shown
    assert shown.count("<tr>") == 3


def test_a_long_card_shows_its_first_hundred_rows_and_says_so():
    card = card_with(**{f"i{n}": 1 for n in range(250)})
    assert card._repr_html_().count("<tr>") == 102
    assert "<p>rows that are not shown: 150</p>" in card._repr_html_()
    assert "rows that are not shown: 150\n" in repr(card)
    assert len(repr(card).splitlines()) == 1 + 100 + 1 + 1 + 3
    assert "not shown" not in card.export("text")


MARKED = """__init__
_self_
the type is __main__.App
~~old~~ new
¯\\_(ツ)_/¯
snake_case_name
$f$ `$$`
a|b *c* `d` <e> $f$ [g](h) &amp;
back\\slash \\| end\\
2*3*4 <!-- x --> ![a](b)""".splitlines()


def test_markdown_shows_every_text_as_it_is():
    """Read by mistune, which JupyterLab's exporter uses; a dollar sign stands in a code span."""
    card = card_of(*((text, "x") for text in [*MARKED, *AWKWARD]), metrics=["f1"])
    page = mistune.create_markdown(plugins=["table", "strikethrough"])(card.export("markdown"))
    table = re.sub(r"</?code>", "", page[: page.index("</table>")])
    cells = re.findall(r"<td>(.*?)</td>", table)
    wanted = [" ".join(text.split()) for text in [*MARKED, *AWKWARD]]
    assert [html.unescape(cell) for cell in cells[1::2]] == [*wanted, ""]
    assert card.export("markdown").startswith("| id | f1 | prediction |\n| --- | ---: | --- |\n")
    assert "`$`f`$`" in card.export("markdown")


def test_an_unknown_format_is_an_error(run1):
    assert FORMATS == ("text", "markdown", "csv", "json")
    for form in ("html", "CSV", "", None):
        with pytest.raises(ValueError, match=r"^unknown format .*; known: text, markdown, csv, json$"):
            run1.export(form)


def put(**values):
    return lambda content: content["items"][2].update(values)


def drop(name):
    return lambda content: content["items"][2].pop(name)


def top(**values):
    return lambda content: content.update(values)


NOT = "not a scorecard exported as JSON ("
NO_SCORE = "the scores of 'f1' are not all numbers between 0 and 1"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (b"", NOT + "JSONDecodeError: Expecting value"),
        (b"\xff\xfe{", NOT + "UnicodeDecodeError"),
        (b"[" * 100_000, NOT + "RecursionError"),
        (b'{"items": [], "items": [], "signatures": {}}', NOT + "RefusedError: field 'items' stands twice"),
        (b"[1, 2]", NOT + "TypeError"),
        (b'{"signatures": {}}', NOT + "KeyError: 'items'"),
        (b'{"items": []}', NOT + "KeyError: 'signatures'"),
        (top(signatures=["f1"]), NOT + "AttributeError"),
        (top(signatures={}), "a scorecard without metrics"),
        (top(items=[]), "a scorecard without items"),
        (top(items="rows"), NOT + "ValueError"),
        (top(signatures={"bleu_4": "x"}), NO_SCORE.replace("f1", "bleu_4")),
        (put(f1=float("nan")), NOT + "RefusedError: field 'f1' holds a number that"),
        (drop("id"), "field 'id' is not a text in every item"),
        (put(id="q1"), "items stand twice: q1"),
        (drop("fingerprint"), "field 'fingerprint' is not a text in every item"),
    ],
)
def test_what_is_no_scorecard_is_refused_in_one_sentence(run1, tmp_path, change, message):
    path, content = tmp_path / "card.json", json.loads(run1.export("json"))
    if not isinstance(change, bytes):
        change(content)
        change = json.dumps(content).encode()
    path.write_bytes(change)
    with pytest.raises(DataError) as caught:
        load_scorecard(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


# --- comparing -------------------------------------------------------------------------------------------


def test_a_comparison_says_what_fell_and_rose_the_biggest_change_first():
    old = card_with(q2=0.5, q10=0.5, b=0.5, a=0.5, same=0)
    new = card_with(b=0.25, same=0, q2=0.75, q10=1, a=0.125)
    [change] = compare(new, old)
    assert change[:3] == ("f1", 0.4, 0.425)
    assert (change.fell, change.rose) == (["a", "b"], ["q10", "q2"])


def test_a_comparison_shows_itself_as_a_table():
    shown = compare(card_with(a=0.25, b=1), card_with(a=0.5, b=0.5))
    header = ["metric", "baseline", "now", "change", "fell", "rose"]
    assert repr(shown).split() == [*header, "f1", "0.50", "0.62", "+0.12", "a", "b"]
    assert (
        '<td style="text-align: right">+0.12</td><td style="text-align: left">a</td>' in shown._repr_html_()
    )
    many = {f"i{n}": n / 100 for n in range(30)}
    listed = "i29, i28, i27, i26, i25, i24, i23, i22, i21, i20 and 19 more"
    assert listed in repr(compare(card_with(**dict.fromkeys(many, 0)), card_with(**many)))


def test_unlike_signatures_are_not_compared():
    rows = [("x", ["y", "x"])]
    with pytest.raises(
        ValueError, match=r"metric 'f1' is not comparable: .*targets:all in the baseline, .*first now"
    ):
        compare(card_of(*rows, metrics=["f1"], references="first"), card_of(*rows, metrics=["f1"]))
    for metrics, others in itertools.permutations([["f1"], ["f1", "rouge_l"]]):
        with pytest.raises(ValueError, match=r"metric 'rouge_l' is not comparable: .*None"):
            compare(card_of(*rows, metrics=metrics), card_of(*rows, metrics=others))


def test_unlike_ids_are_not_compared():
    with pytest.raises(ValueError, match=r"^items on one side only: b, c$"):
        compare(card_with(a=1, b=1), card_with(a=1, c=1))
    with pytest.raises(ValueError, match=r"^items on one side only: b$"):
        compare(card_with(a=1), card_with(a=1, b=1))


def test_unlike_questions_and_references_are_not_compared():
    """An edited reference that equals the answer must not pass for a better answer."""
    golden, answers = load_golden(), load_answers()
    before = scorecard(golden, answers, references="first")
    for change in ({"references": (answers[1].text, *golden[1].references)}, {"question": "What else?"}):
        edited = [golden[0], replace(golden[1], structured=None, **change), *golden[2:]]
        with pytest.raises(ValueError, match=r"^items with another question or other references.*: q2$"):
            compare(scorecard(edited, answers, references="first"), before)


def test_no_message_lists_more_than_ten_ids():
    with pytest.raises(
        DataError, match=r"\(missing: 'q1', .*; not in the golden set: '0', .*, '9' and 990 more\)$"
    ):
        scorecard(load_golden(), [Answer(str(n), "x") for n in range(1000)])
    old, new = (card_with(**{f"{side}{n}": 1 for n in range(1000)}) for side in "ab")
    with pytest.raises(ValueError, match=r"^items on one side only: b0, .*, b9 and 1990 more$"):
        compare(new, old)
    with pytest.raises(DataError, match=r"^items stand twice: b0, .*, b9 and 990 more$"):
        Scorecard([*new.rows, *new.rows], new.signatures)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -0.1, 1.1, True, None, "1"])
def test_a_scorecard_made_by_hand_holds_only_scores(value):
    with pytest.raises(DataError, match=r"^the scores of 'f1' are not all numbers between 0 and 1$"):
        card_with(a=1, b=value)


# --- the gate --------------------------------------------------------------------------------------------


def test_a_mean_below_its_minimum_stops_a_release(run1):
    assert gate(run1, {"f1": 0.43, "rouge_l": 0.42, "exact_match": 0}) == []
    assert gate(run1, {"f1": 0.5, "rouge_l": 0.42, "exact_match": 0.1}) == [
        "f1 is 0.4391, below the minimum of 0.5000",
        "exact_match is 0.0000, below the minimum of 0.1000",
    ]


def test_a_fall_against_the_baseline_stops_a_release():
    old = card_with(a=0.5, b=0.5)
    assert gate(card_with(a=0.5, b=0.25), baseline=old) == ["f1 fell from 0.5000 to 0.3750 (lower: b)"]
    assert gate(card_with(a=0.25, b=0.25), baseline=old) == ["f1 fell from 0.5000 to 0.2500 (lower: a b)"]
    assert gate(card_with(a=0.25, b=0.75), baseline=old) == []  # the mean is what is held
    assert gate(card_with(a=1, b=1), baseline=old) == []
    assert gate(old, baseline=old) == []


def test_tolerance_is_the_fall_that_is_still_accepted():
    old, new = card_with(a=0.4, b=0.4), card_with(a=0.3, b=0.3)
    assert gate(new, baseline=old, tolerance=0.1) == []  # 0.3 - 0.4 is -0.10000000000000003
    assert gate(new, baseline=old, tolerance=0.11) == []
    assert gate(new, {"f1": 0.35}, old, tolerance=0.099) == [
        "f1 is 0.3000, below the minimum of 0.3500",
        "f1 fell from 0.4000 to 0.3000 (lower: a b)",
    ]
    reasons = gate(card_with(a=0.47999), baseline=card_with(a=0.5), tolerance=0.02)
    assert reasons == ["f1 fell from 0.50000 to 0.47999 (lower: a)"]


@pytest.mark.parametrize(
    ("now", "minimum", "reason"),
    [
        (0.79996, 0.8, "f1 is 0.79996, below the minimum of 0.80000"),
        (0.79, 0.8, "f1 is 0.7900, below the minimum of 0.8000"),
        (0.8 - 2e-9, 0.8, "f1 is 0.799999998, below the minimum of 0.800000000"),
    ],
)
def test_the_numbers_of_a_reason_do_not_contradict_it(now, minimum, reason):
    assert gate(card_with(a=now), {"f1": minimum}) == [reason]
    assert gate(card_with(a=now), baseline=card_with(a=minimum)) == [
        "f1 fell from {1} to {0} (lower: a)".format(*re.findall(r"0\.\d+", reason))
    ]


def test_a_reason_names_the_biggest_falls_first_and_at_most_ten():
    old, new = (
        card_with(**dict.fromkeys("abcdefghijklm", 1)),
        card_with(**dict.fromkeys("abcdefghijkl", 0.5), m=0),
    )
    assert gate(new, baseline=old)[0].endswith(" (lower: m a b c d e f g h i and 3 more)")


def test_failed_answers_stop_a_release_unless_a_number_of_them_is_accepted():
    card = card_of(("x", "x"), ("x", "x", "truncated"), ("x", "x", "refusal"), metrics=["f1"])
    reason = "answers failed: 2, accepted: {} (b c)"
    assert gate(card, {"f1": 0.3}) == [reason.format(0)]
    assert gate(card, {"f1": 0.3}, max_failed=1) == gate(card, max_failed=1) == [reason.format(1)]
    assert gate(card, {"f1": 0.3}, max_failed=2) == gate(card, max_failed=2) == []
    assert gate(card_with(a=0), max_failed=0) == []


def test_rounding_alone_is_no_fall():
    assert gate(card_with(a=0.7, b=0.7, c=0.7), {"f1": 0.7}) == []  # the mean is 0.6999999999999998
    scores = {f"i{n}": 1 / n for n in range(3, 60)}
    names = list(scores)
    for seed in range(50):
        random.Random(seed).shuffle(names)
        card = card_with(**{name: scores[name] for name in names})
        assert gate(card, baseline=card_with(**scores)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "a gate needs a minimum or a baseline"),
        ({"tolerance": 0.1}, "a gate needs a minimum or a baseline"),
        ({"max_failed": -1}, "max_failed must be 0 or more, not -1"),
        ({"minimums": {"bleu_4": 0.1}}, "unknown metric 'bleu_4'; known: exact_match, f1, rouge_l"),
        ({"minimums": {"f1": float("nan")}}, "f1 must be between 0 and 1, not nan"),
        ({"minimums": {"f1": 44}}, "f1 must be between 0 and 1, not 44"),
        ({"minimums": {"f1": 0.1}, "tolerance": float("nan")}, "tolerance must be between 0 and 1, not nan"),
        ({"minimums": {"f1": 0.1}, "tolerance": -1}, "tolerance must be between 0 and 1, not -1"),
        ({"minimums": {"tolerance": float("nan")}}, "tolerance must be between 0 and 1, not nan"),
    ],
)
def test_a_gate_that_could_not_fail_is_an_error(run1, arguments, message):
    with pytest.raises(ValueError, match=r".") as caught:
        gate(run1, **arguments)
    assert str(caught.value) == message


def test_a_baseline_of_another_kind_is_an_error_and_no_pass(run1):
    with pytest.raises(ValueError, match=r"is not comparable"):
        gate(run1, baseline=card_with(q1=0.1))
