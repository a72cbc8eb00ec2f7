"""How sure a scorecard is, slices, the noise of a gate, and the forms for CI."""

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hostile import any_text
from hypothesis import given

from lessonlib.data import Answer, Item, load_answers, load_golden
from lessonlib.scorecard import Comparison, compare, gate, scorecard
from lessonlib.summary import Verdict, noise, noise_lines, render, sections, significant, slice_section

GOLDEN = load_golden()


def runs(old, new):
    """Return the comparison of two runs of one-word answers, "1" right and "0" wrong."""
    golden = [Item(f"i{i}", "?", ("yes",)) for i in range(len(old))]
    cards = [
        scorecard(golden, [Answer(item.id, "yes" if right == "1" else "no") for item, right in pairs], ["f1"])
        for pairs in (zip(golden, text, strict=True) for text in (old, new))
    ]
    return compare(cards[1], cards[0])


@pytest.fixture(scope="module")
def cards():
    return {run: scorecard(GOLDEN, load_answers(run)) for run in ("run1", "run2")}


# --- how sure --------------------------------------------------------------------------------------------


def test_means_have_intervals_that_name_their_method(cards):
    [(title, table)] = sections(cards["run1"], GOLDEN, [], None)
    assert (title, table.rows[1]) == ("Means", ["f1", "0.44", "0.18 to 0.74 (Wilson, n = 8)"])


@pytest.mark.parametrize(
    ("by", "parts"),
    [
        ("shape", [["code", "1"], ["number+unit", "4"], ["identifier", "1"], ["phrase", "2"]]),
        ("length", [["4-10 words", "5"], ["over 10 words", "3"]]),
    ],
)
def test_slices_have_n_and_intervals(cards, by, parts):
    title, table = slice_section(cards["run1"], GOLDEN, by)
    assert title == f"By {by}"
    assert [row[:2] for row in table.rows] == parts
    assert re.fullmatch(r"0\.\d\d \[0\.\d\d, 0\.\d\d\]", table.rows[0][3])
    assert table.notes == ["95 % intervals: Wilson"]


def test_items_without_a_shape_stand_together():
    card = scorecard([Item("a", "?", ("x",))], [Answer("a", "x")], ["f1"])
    assert slice_section(card, [Item("a", "?", ("x",))], "shape")[1].rows == [["-", "1", "1.00 [0.21, 1.00]"]]


def test_two_runs_have_a_paired_difference_and_the_items_that_moved_most(cards):
    changed, moved = sections(cards["run2"], GOLDEN, [], compare(cards["run2"], cards["run1"]))[1:]
    interval = "-0.130 to +0.287 (Student's t, paired, n = 8)"
    assert changed[1].rows[1] == ["f1", "0.44", "0.52", "+0.079", interval, "0.44", "2", "5"]
    assert [row[0] for row in moved[1].rows] == ["q1", "q6", "q5", "q2", "q3"]
    answers = ["When you exceed the rate limit, Meridian returns HTTP status code 429.", "HTTP 429."]
    assert moved[1].rows[0] == ["q1", "+0.00", "+0.50", "+0.51", *answers]
    assert len(sections(cards["run1"], GOLDEN, [], compare(cards["run1"], cards["run1"]))) == 2  # none moved


def test_many_items_are_tested_without_trying_signs():
    comparison = runs("1" * 60 + "0" * 60, "1" * 50 + "0" * 70)
    changed = sections(scorecard(GOLDEN, load_answers()), GOLDEN, [], comparison)[1][1]
    assert changed.rows[0][3:6] == ["-0.083", "-0.134 to -0.033 (Student's t, paired, n = 120)", "0.0013"]


def test_the_readme_s_lines_score_a_run_on_dask(tmp_path, monkeypatch):
    """With threads: whatever goes to another process has been through pickle here too."""
    dask = pytest.importorskip("dask")
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    [lines] = re.findall(r"```python\n(import dask.*?)```", readme, re.DOTALL)
    for name, records in (("golden", GOLDEN), ("answers", load_answers("run2"))):
        fields = ("id", "question", "references") if name == "golden" else ("id", "text")
        text = "".join(json.dumps({key: getattr(r, key) for key in fields}) + "\n" for r in records)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = {}
    with dask.config.set(scheduler="threads"):
        exec(
            lines.replace(".map(scorer)", ".map(pickle.loads(pickle.dumps(scorer)))"),
            {"pickle": pickle},
            found,
        )
    golden = [replace(item, doc="", shape="", structured=None) for item in GOLDEN]
    assert found["card"] == scorecard(golden, load_answers("run2"), ["f1", "rouge_l"])


# --- the noise of a gate ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("11111111", "00001111", "fell"),  # half of eight
        ("11111", "00000", "fell"),
        ("1", "0", "can't tell with 1 item: it would take 10"),
        ("1110", "0001", "can't tell with 4 items: it would take 34"),
        ("1111111111110001", "1111111111000011", "can't tell with 16 items: it would take 396"),
        (("10" + "1" * 98) * 30 + "1", ("01" + "1" * 98) * 30 + "0", "fell, within noise"),
    ],
)
def test_noise(old, new, verdict):
    [change] = runs(old, new)
    assert noise(change).verdict == verdict


def test_what_is_significant_stops_and_what_is_not_does_not(cards):
    fell, wavers = runs("11111111", "00001111"), runs("1110", "0001")
    card = scorecard([Item("a", "?", ("x",))], [Answer("a", "x")], ["f1"])
    assert gate(card, baseline=significant(fell)) == ["f1 fell from 1.0000 to 0.5000 (lower: i0 i1 i2 i3)"]
    assert gate(card, baseline=significant(wavers)) == []
    assert len(gate(card, baseline=wavers)) == 1
    assert noise_lines(runs("0", "1")) == []


# --- forms -----------------------------------------------------------------------------------------------


@given(any_text)
def test_junit_is_valid_xml_whatever_the_text(text):
    card = scorecard([Item(f"i{text}", "?", ("x",))], [Answer(f"i{text}", text)], ["f1"])
    tree = ElementTree.fromstring(render("junit", card).encode("utf-8", "strict"))
    assert tree.find("testsuite").attrib == {"name": "scorecard", "tests": "2", "failures": "0"}


def test_junit_has_a_case_for_each_reason_and_each_item(cards):
    comparison = compare(cards["run1"], cards["run2"])
    verdict = Verdict(gate(cards["run1"], baseline=comparison), noise_lines(comparison))
    suite = ElementTree.fromstring(render("junit", cards["run1"], verdict=verdict, comparison=comparison))[0]
    assert (suite.get("tests"), suite.get("failures")) == ("10", "7")
    assert [case.get("name") for case in suite][:3] == ["f1 fell", "rouge_l fell", "q1"]
    assert suite[0].find("failure").get("message") == verdict.reasons[0]
    assert "can't tell with 8 items" in suite[0].find("failure").text
    assert suite[2].find("failure").get("message") == "f1 -0.5000; rouge_l -0.5128"
    assert suite[2].find("failure").text.endswith("429.\nanswer before: HTTP 429.")
    assert suite[3].find("failure") is None  # it rose
    passed = ElementTree.fromstring(render("junit", cards["run1"], (), Verdict([]), comparison))[0]
    assert (passed[0].get("name"), passed.get("failures")) == ("Gate passed", "0")


def test_an_incomplete_answer_fails_in_junit_only_where_the_gate_failed():
    card = scorecard([Item("a", "?", ("x",))], [Answer("a", "", "refusal")], ["f1"])
    for reasons, failures in ((gate(card, max_failed=0), "2"), (gate(card, max_failed=1), "0")):
        suite = ElementTree.fromstring(render("junit", card, (), Verdict(reasons)))[0]
        assert suite.get("failures") == failures


def test_html_is_one_page_with_everything_escaped():
    golden = [Item("<i>", "?", ("not <b>",)), Item("j", "?", ("x",))]
    cards = [
        scorecard(golden, [Answer("<i>", text), Answer("j", "x")], ["f1"]) for text in ("not <b>", "<u> & 7")
    ]
    comparison = compare(cards[1], cards[0])
    verdict = Verdict(["f1 < 1"], noise_lines(comparison))
    page = render("html", cards[1], sections(cards[1], golden, ["doc"], comparison), verdict, comparison)
    for text in ("<li>f1 &lt; 1</li>", ">&lt;u&gt; &amp; 7</td>", 'src="data:image/png;base64,', "negated"):
        assert text in page
    for title in ("Means", "By doc", "Against the baseline", "What moved most", "All rows"):
        assert f"<h2>{title}</h2>" in page
    assert not re.search(r"<(u|b|i|script|link)>|http", page)


def test_a_summary_for_a_pull_request_is_short(cards):
    golden = [Item(f"i{n}", "?", ("x",)) for n in range(400)]
    old, new = (
        scorecard(golden, [Answer(i.id, word * 900) for i in golden], ["f1"]) for word in ("y ", "x ")
    )
    comparison = compare(new, old)
    text = render("github", new, sections(new, golden, [], comparison), Verdict([]), comparison)
    assert text.startswith("### Scorecard: gate passed\n")
    assert len(text) < 5000
    assert "| f1 | 0.00 | 0.00 | +0.002 |" in text


def test_sections_stand_below_a_text_and_a_markdown_table(cards):
    parts = sections(cards["run1"], GOLDEN, [], Comparison())[:1]
    assert render("text", cards["run1"], parts).startswith(cards["run1"].export("text") + "\nMeans\n\nmetric")
    assert "\n#### Means\n\n| metric | mean |" in render("markdown", cards["run1"], parts)
