"""The scorecard: every answer on every metric, means, flags, export, and a gate against a baseline.

One direction: golden set and answers in, one DataFrame out. A scorecard carries the signature of each of its
columns, and two scorecards with unlike signatures are not compared.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from .data import Answer, DataError, Item, pair
from .metrics import METRICS, rouge_l, score, signature, token_overlap
from .numeric import extract_numbers
from .text import known

DEFAULT_METRICS = ("exact_match", "f1", "rouge_l")
REFERENCES = ("first", "all")
FORMATS = ("text", "markdown", "csv", "json")


@dataclass(frozen=True)
class Scorecard:
    """A scored run: `table` has one row an item (id, prediction, reference, status, a column a metric).

    `signatures` says for each metric column what its numbers mean.
    """

    table: pd.DataFrame
    signatures: dict[str, str]

    @property
    def metrics(self) -> list[str]:
        """Return the names of the metric columns, in order."""
        return list(self.signatures)

    def means(self) -> dict[str, float]:
        """Return the mean of each metric over all items, in [0, 1]; failed answers count as 0."""
        return {name: float(self.table[name].mean()) for name in self.metrics}

    def with_means(self) -> pd.DataFrame:
        """Return the table with one more row, "mean", at its end."""
        texts = [name for name in self.table.columns if name not in self.signatures]
        row = {**dict.fromkeys(texts, ""), "id": "mean", **self.means()}
        return pd.concat([self.table, pd.DataFrame([row])], ignore_index=True)

    def export(self, form: str = "text", digits: int = 2) -> str:
        """Return the scorecard as text, markdown, csv or json.

        Text and markdown round to `digits` decimals and end with the means; csv and json keep every digit, so
        that a baseline read from them is exact. An unknown form is a ValueError.
        """
        if form not in FORMATS:
            raise ValueError(f"unknown format {form!r}; known: {', '.join(FORMATS)}")
        if form == "csv":
            return str(self.table.to_csv(index=False, lineterminator="\n"))
        if form == "json":
            rows = self.table.to_dict(orient="records")
            content = {"signatures": self.signatures, "means": self.means(), "items": rows}
            return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        return _aligned(self, digits) if form == "text" else _markdown(self, digits)


def scorecard(
    golden: Sequence[Item],
    answers: Sequence[Answer],
    metrics: Sequence[str] = DEFAULT_METRICS,
    references: str = "first",
) -> Scorecard:
    """Score each answer on each metric and return the scorecard.

    `references="first"` uses the first reference of an item, `"all"` the whole list as `score()` does. An
    answer whose call failed (status "error") scores 0 on every metric. Unknown metrics or a doubled one, ids
    that do not match and an unknown choice of references are ValueErrors.
    """
    for name in metrics:
        known("metric", name, METRICS)
    if len(set(metrics)) != len(metrics) or not metrics:
        raise ValueError(f"metrics must be different names, at least one, not {list(metrics)!r}")
    if references not in REFERENCES:
        raise ValueError(f"references must be one of {', '.join(REFERENCES)}, not {references!r}")
    rows = []
    for item, answer in pair(golden, answers):
        targets = item.references if references == "all" else item.references[:1]
        row: dict[str, Any] = {"id": item.id, "prediction": answer.text}
        row |= {"reference": item.references[0], "status": answer.status}
        for name in metrics:
            row[name] = 0.0 if answer.status == "error" else score(name, answer.text, targets)
        rows.append(row)
    signatures = {name: f"{signature(name)}|targets:{references}" for name in metrics}
    return Scorecard(pd.DataFrame(rows), signatures)


# --- reading it ------------------------------------------------------------------------------------------


class Flag(NamedTuple):
    """A row to look at, and why: a suspicion, never a verdict."""

    id: str
    name: str
    reason: str


NEGATIONS = frozenset(
    [
        "not",
        "no",
        "never",
        "none",
        "nor",
        "neither",
        "without",
        "cannot",
        "cant",
        "dont",
        "doesnt",
        "isnt",
        "wont",
    ]
)
APART = 0.2


def flags(card: Scorecard) -> list[Flag]:
    """Return the rows that deserve a reader, with the reason, in table order, by the first reference.

    "failed": no complete answer. "negated": a negation on one side only. "number changed": none of the
    reference's numbers is in the answer, which has others. "reordered": token F1 exceeds ROUGE-L by more than
    0.2. "wordy": every reference token is there, among others, and nothing above speaks against it.
    """
    found = []
    for row in card.table.to_dict(orient="records"):
        reasons = _suspicions(row["prediction"], row["reference"], row["status"])
        found += [Flag(row["id"], name, reason) for name, reason in reasons.items()]
    return found


def _suspicions(prediction: str, reference: str, status: str) -> dict[str, str]:
    if status != "ok":
        return {"failed": f"the reply ended as {status!r}"}
    found = {}
    overlap = token_overlap(prediction, reference)
    negated, denied = (sorted(NEGATIONS & set(tokens)) for tokens in (overlap.extra, overlap.missing))
    if negated or denied:
        where = "the answer" if negated else "the reference"
        found["negated"] = f"only {where} has {', '.join(map(repr, negated or denied))}"
    said, wanted = ({n.value for n in extract_numbers(text)} for text in (prediction, reference))
    if said and wanted and not said & wanted:
        found["number changed"] = f"the answer has {_listed(said)}, the reference {_listed(wanted)}"
    in_order = rouge_l(prediction, reference)
    if overlap.f1 - in_order > APART:
        found["reordered"] = (
            f"F1 {overlap.f1:.2f} against ROUGE-L {in_order:.2f}: the words come in another order"
        )
    if not found and overlap.extra and not overlap.missing:
        found["wordy"] = f"the whole reference is there, among {len(overlap.extra)} other tokens"
    return found


def _listed(numbers: set[Decimal]) -> str:
    return ", ".join(str(number) for number in sorted(numbers))


# --- keeping it ------------------------------------------------------------------------------------------


def load_scorecard(path: str | Path) -> Scorecard:
    """Return a scorecard exported as JSON. Anything else is a DataError that names the file."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        card = Scorecard(pd.DataFrame(content["items"]), dict(content["signatures"]))
        ids, numbers = card.table["id"], card.table[card.metrics]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{path}: not a scorecard exported as JSON ({type(error).__name__}: {error})"
        ) from None
    doubled = ids[ids.duplicated()].tolist()
    if doubled:
        raise DataError(f"{path}: items stand twice: {', '.join(map(str, doubled))}")
    # A score that is no number would compare as neither lower nor higher, and slip through a gate.
    for name in card.metrics:
        if not pd.api.types.is_numeric_dtype(numbers[name]) or not numbers[name].between(0, 1).all():
            raise DataError(f"{path}: the scores of {name!r} are not all numbers between 0 and 1")
    return card


def compare(card: Scorecard, baseline: Scorecard) -> pd.DataFrame:
    """Return one row a metric: baseline and new mean, their difference, and the ids that fell and rose.

    Scorecards with unlike signatures or unlike ids measure different things: a ValueError that says which.
    """
    for name in dict.fromkeys([*card.metrics, *baseline.metrics]):
        theirs, ours = baseline.signatures.get(name), card.signatures.get(name)
        if theirs != ours:
            raise ValueError(f"metric {name!r} is not comparable: {theirs} in the baseline, {ours} now")
    merged = card.table.merge(baseline.table, on="id", how="outer", suffixes=("", "_before"), indicator=True)
    alone = merged.loc[merged["_merge"] != "both", "id"]
    if len(alone):
        raise ValueError(f"items on one side only: {', '.join(alone)}")
    rows = []
    for name in card.metrics:
        change = merged[name] - merged[f"{name}_before"]
        fell, rose = (" ".join(merged.loc[where, "id"]) for where in (change < 0, change > 0))
        before, now = baseline.means()[name], card.means()[name]
        rows.append(
            {
                "metric": name,
                "baseline": before,
                "now": now,
                "change": now - before,
                "fell": fell,
                "rose": rose,
            }
        )
    return pd.DataFrame(rows)


def gate(
    card: Scorecard,
    minimums: Mapping[str, float] | None = None,
    baseline: Scorecard | None = None,
    tolerance: float = 0.0,
) -> list[str]:
    """Return the reasons to stop a release, one sentence each; an empty list lets it pass.

    A mean below its minimum, or below the baseline's by more than `tolerance`, is a reason. A gate with
    nothing to hold against, an unknown metric, and a threshold outside [0, 1] are ValueErrors.
    """
    minimums = dict(minimums or {})
    if not minimums and baseline is None:
        raise ValueError("a gate needs a minimum or a baseline")
    for name, value in {**minimums, "tolerance": tolerance}.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be between 0 and 1, not {value!r}")
    means = card.means()
    reasons = []
    for name, least in minimums.items():
        if known("metric", name, means) < least:
            reasons.append(f"{name} is {means[name]:.4f}, below the minimum of {least:.4f}")
    if baseline is not None:
        for row in compare(card, baseline).to_dict(orient="records"):
            if row["change"] < -tolerance:
                fell = f" (lower: {row['fell']})" if row["fell"] else ""
                reasons.append(f"{row['metric']} fell from {row['baseline']:.4f} to {row['now']:.4f}{fell}")
    return reasons


# --- printing it -----------------------------------------------------------------------------------------


def _cells(card: Scorecard, digits: int) -> list[list[str]]:
    rows = card.with_means().to_dict(orient="records")
    numbers = [[row["id"], *(f"{row[name]:.{digits}f}" for name in card.metrics)] for row in rows]
    return [[*cells, row["prediction"]] for cells, row in zip(numbers, rows, strict=True)]


def _aligned(card: Scorecard, digits: int) -> str:
    header = ["id", *card.metrics, "prediction"]
    rows = [header, *_cells(card, digits)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    lines = []
    for row in rows:
        numbers = (cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1], strict=True))
        text = " ".join(row[-1].split())  # one answer, one line
        lines.append("  ".join([row[0].ljust(widths[0]), *numbers, text]).rstrip())
    return "\n".join([*lines, "", *card.signatures.values()]) + "\n"


def _markdown(card: Scorecard, digits: int) -> str:
    header = ["id", *card.metrics, "prediction"]
    rule = ["---", *("---:" for _ in card.metrics), "---"]
    rows = [[" ".join(cell.split()).replace("|", "\\|") for cell in row] for row in _cells(card, digits)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [header, rule, *rows])
    return table + "\n\n" + "\n".join(f"`{text}`" for text in card.signatures.values()) + "\n"
