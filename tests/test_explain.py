"""One pair under every tokenizer, smoothing and library: values worked out by hand, and what is left out."""

import subprocess
import sys

import pytest

from lessonlib.__main__ import main
from lessonlib.explain import VARIANTS, Row, explain

PREDICTION = "Backups are kept for 90 days on the Scale plan."
REFERENCE = "The Scale plan keeps a backup for 90 days."

# Word tokens: 10 and 9. Shared: for 90 days the scale plan. In order: for 90 days (or: the scale plan).
# Bigrams shared, of 9: for-90, 90-days, the-scale, scale-plan; trigrams, of 8: for-90-days, the-scale-plan.
# 13a keeps case and the full stop: shared of 11: for 90 days Scale plan "."; bigrams of 10: for-90, 90-days,
# Scale-plan; trigrams of 9: for-90-days; the full stop follows another word on each side.
BY_HAND = {
    ("token F1", "squad"): 2 * 5 / (9 + 7),
    ("token F1", "word"): 2 * 6 / (10 + 9),
    ("token F1", "whitespace"): 2 * 3 / (10 + 9),  # for, 90, Scale
    ("ROUGE-L", "rouge_stem"): 2 * 4 / (10 + 9),  # backup for 90 days
    ("ROUGE-L", "rouge"): 2 * 3 / (10 + 9),
    ("ROUGE-L", "word"): 2 * 3 / (10 + 9),
    ("ROUGE-L", "squad"): 2 * 3 / (9 + 7),
    ("ROUGE-L", "word, beta 1.2"): 2.44 * 3 / (10 + 1.44 * 9),
    ("ROUGE-L", "rouge_score"): 2 * 3 / (10 + 9),
    ("BLEU-4", "word, none"): 0.0,
    ("BLEU-4", "word, floor"): (6 / 10 * 4 / 9 * 2 / 8 * 0.1 / 7) ** (1 / 4),
    ("BLEU-4", "word, add-one"): (6 / 10 * 5 / 10 * 3 / 9 * 1 / 8) ** (1 / 4),
    ("BLEU-4", "word, exp"): (6 / 10 * 4 / 9 * 2 / 8 * 0.5 / 7) ** (1 / 4),
    ("BLEU-4", "word, add-one-all"): (7 / 11 * 5 / 10 * 3 / 9 * 1 / 8) ** (1 / 4),
    ("BLEU-4", "word, exp, effective order"): (6 / 10 * 4 / 9 * 2 / 8 * 0.5 / 7) ** (1 / 4),
    ("BLEU-4", "13a, add-one"): (6 / 11 * 4 / 11 * 2 / 10 * 1 / 9) ** (1 / 4),
    ("BLEU-4", "sacrebleu BLEU()"): (6 / 11 * 3 / 10 * 1 / 9 * 0.5 / 8) ** (1 / 4),
    ("BLEU-4", "sacrebleu.sentence_bleu"): (6 / 11 * 3 / 10 * 1 / 9 * 0.5 / 8) ** (1 / 4),
    ("BLEU-4", "NLTK sentence_bleu"): 0.0,
    ("chrF", "chrF"): 0.5932234945,  # too long for a hand: as sacrebleu computes it
    ("chrF", "chrF, lower case"): 0.6553174037,
    ("chrF", "chrF++"): 0.5592139166,
    ("chrF", "sacrebleu CHRF()"): 0.5932234945,
    ("chrF", "sacrebleu chrF++"): 0.5592139166,
}


def by_variant(prediction: str = PREDICTION, reference: str = REFERENCE) -> dict[tuple[str, str], Row]:
    """Return the rows by metric and variant; none may stand twice."""
    rows = explain(prediction, reference)
    table = {(row.metric, row.variant): row for row in rows}
    assert len(table) == len(rows)
    return table


def test_every_number_is_the_one_worked_out_by_hand() -> None:
    scores = {variant: row.score for variant, row in by_variant().items()}
    assert scores == pytest.approx(BY_HAND, abs=1e-9)
    assert list(scores) == list(BY_HAND)


def test_the_reason_shows_the_counts_behind_the_number() -> None:
    reasons = {variant: row.reason for variant, row in by_variant().items()}
    assert all(reasons.values())
    for variant, end in {
        ("token F1", "squad"): "5 shared of 9 and 7 tokens",
        ("ROUGE-L", "rouge_stem"): "4 in order of 10 and 9 tokens",
        ("BLEU-4", "word, none"): ": 6/10 4/9 2/8 0/7, brevity penalty 1.0000; 0 because no 4-gram is shared",
        ("BLEU-4", "13a, add-one"): "6/11 3/10 1/9 0/8, brevity penalty 1.0000",
    }.items():
        assert reasons[variant].endswith(end)


def test_effective_order_shows_on_a_short_answer() -> None:
    table = by_variant("the cat sat", "the cat sat")
    scores = {variant: row.score for (metric, variant), row in table.items() if metric == "BLEU-4"}
    assert scores["word, exp"] == scores["sacrebleu BLEU()"] == 0.0
    assert scores["word, exp, effective order"] == scores["sacrebleu.sentence_bleu"] == 1.0  # never above
    assert scores["NLTK sentence_bleu"] < 1e-50  # the smallest float to the power of 1/4, not 0


@pytest.mark.parametrize(
    ("prediction", "reference", "score", "verdict"),
    [
        ("", "", 1.0, "counts as equal"),
        ("?!", "...", 1.0, "counts as equal"),
        ("<", ">", 0.0, "counts as different: the symbols differ"),
    ],
)
def test_texts_without_tokens_are_explained(
    prediction: str, reference: str, score: float, verdict: str
) -> None:
    table = by_variant(prediction, reference)
    ours, theirs = table["ROUGE-L", "rouge"], table["ROUGE-L", "rouge_score"]
    assert (ours.score, theirs.score) == (score, 0.0)
    assert f"no tokens on either side, which {verdict}" in ours.reason
    assert theirs.reason.endswith("no tokens on either side give 0")


@pytest.mark.parametrize(
    ("library", "variant"),
    [
        ("sacrebleu", "sacrebleu BLEU()"),
        ("rouge_score", "rouge_score"),
        ("nltk", "NLTK sentence_bleu"),
    ],
)
def test_a_library_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, library: str, variant: str
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)

    class Missing:
        def find_spec(self, name: str, *_: object) -> None:
            if name.split(".")[0] == library:
                raise ModuleNotFoundError(f"No module named {library!r}", name=library)

    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    rows = explain(PREDICTION, REFERENCE)
    assert len(rows) == len(VARIANTS)
    left_out = {row.variant: row.reason for row in rows if row.score is None}
    assert variant in left_out
    assert set(left_out.values()) == {f"left out: {library} is not installed"}
    assert f"-       left out: {library} is not installed" in repr(rows)


def test_any_other_error_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(prediction: str, reference: str) -> tuple[float, str]:
        raise ZeroDivisionError

    monkeypatch.setattr("lessonlib.explain.VARIANTS", (("token F1", "broken", broken),))
    with pytest.raises(ZeroDivisionError):
        explain("a", "b")


def test_scores_stay_in_range_on_odd_texts() -> None:
    for prediction, reference in [("", "a"), ("a", ""), ("\n", "x y"), ("a " * 300, "a"), ("\ud800", "é")]:
        for row in explain(prediction, reference):
            assert row.score is not None
            assert 0 <= row.score <= 1


def test_text_is_aligned_and_html_is_escaped() -> None:
    rows = explain(PREDICTION, REFERENCE)
    lines = repr(rows).splitlines()
    assert lines[0].split() == ["metric", "variant", "score", "reason"]
    starts = {line.index(f"{row.score:.4f}  {row.reason}") for line, row in zip(lines[1:], rows, strict=True)}
    assert starts == {lines[0].index("score")}
    assert repr(rows).isascii()
    shown = rows._repr_html_()
    assert shown.count("<tr>") == len(rows) + 1
    assert "Chen &amp; Cherry" in shown


def test_command_line_prints_the_table_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", PREDICTION, REFERENCE]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{explain(PREDICTION, REFERENCE)!r}\n"
    command = [sys.executable, "-W", "error", "-m", "lessonlib", "explain", PREDICTION, REFERENCE]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stderr == ""  # no advice from sacrebleu, no warning from NLTK
    assert run.stdout == printed.out
