"""The scorecard: every answer on every metric, means, flags, export, and a gate against a baseline.

One direction: golden set and answers in, one DataFrame out. A scorecard carries the signature of each of its
columns, and two scorecards with unlike signatures are not compared.
"""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from .counting import lcs_length
from .data import Answer, Item, pair
from .jsonl import DataError, read_json
from .metrics import METRICS, score, signature, token_overlap
from .numeric import extract_numbers
from .text import known, squad_tokens

DEFAULT_METRICS = ("exact_match", "f1", "rouge_l")
TEXTS = ("id", "prediction", "reference", "status")  # the columns of a table that are no metrics
REFERENCES = ("first", "all")
FORMATS = ("text", "markdown", "csv", "json")
ROUNDING = 1e-9  # two sums of the same scores in another order may differ by less than this


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
            # Quoted, because a bare "\r" inside an answer would end the row for a reader.
            return str(self.table.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC))
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
    answer whose call failed (status "error") scores 0 on every metric. Unknown metrics or a doubled one, a
    metric named like another column, an empty golden set, ids that do not match and an unknown choice of
    references are ValueErrors.
    """
    for name in metrics:
        known("metric", name, METRICS)
    if len(set(metrics)) != len(metrics) or not metrics:
        raise ValueError(f"metrics must be different names, at least one, not {list(metrics)!r}")
    if taken := [name for name in metrics if name in TEXTS]:
        raise ValueError(f"a metric cannot be called {taken[0]!r}: the table has a column of that name")
    if references not in REFERENCES:
        raise ValueError(f"references must be one of {', '.join(REFERENCES)}, not {references!r}")
    if not golden:
        raise ValueError("the golden set is empty: there is nothing to score")
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


NEGATIONS = frozenset(("not", "no", "never", "none", "nor", "neither", "without", "cannot"))
VERBS = "ca wo do does did is are was were has have had could would should must need"
CONTRACTED = frozenset(f"{verb}nt" for verb in VERBS.split())  # as the apostrophe leaves them: "doesnt"
IN_ORDER = 0.75


def flags(card: Scorecard) -> list[Flag]:
    """Return the rows that deserve a reader, with the reason, in table order, by the first reference.

    "failed": no complete answer. "negated": a negation on one side only. "number changed": none of the
    reference's numbers is in the answer, which has others. "nothing shared": no token in common. "reordered":
    less than three quarters of the shared tokens stand in the same order. "wordy": every reference token is
    there, among others, and nothing above speaks against it. Tokens are those of token F1.
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
    negated, denied = (
        sorted((NEGATIONS | CONTRACTED) & {token.replace("’", "") for token in tokens})
        for tokens in (overlap.extra, overlap.missing)
    )
    if bool(negated) != bool(denied):
        where = "the answer" if negated else "the reference"
        found["negated"] = f"only {where} has {', '.join(map(repr, negated or denied))}"
    said, wanted = ({n.value for n in extract_numbers(text)} for text in (prediction, reference))
    if said and wanted and not said & wanted:
        found["number changed"] = f"the answer has {_listed(said)}, the reference {_listed(wanted)}"
    shared, extra = len(overlap.matched), len(overlap.extra)
    in_order = lcs_length(squad_tokens(prediction), squad_tokens(reference))
    if not shared and overlap.missing:
        found["nothing shared"] = "no token of the reference is in the answer"
    if in_order < IN_ORDER * shared:
        found["reordered"] = f"{shared} tokens are shared, only {in_order} of them in the same order"
    if not found and extra and not overlap.missing:
        found["wordy"] = f"the whole reference is there, and {extra} more token{'s' if extra > 1 else ''}"
    return found


def _listed(numbers: set[Decimal]) -> str:
    return ", ".join(str(number) for number in sorted(numbers))


# --- keeping it ------------------------------------------------------------------------------------------


def load_scorecard(path: str | Path) -> Scorecard:
    """Return a scorecard exported as JSON. Anything else is a DataError that names the file."""
    try:
        content = read_json(Path(path).read_text(encoding="utf-8-sig"))
        signatures, table = dict(content["signatures"].items()), pd.DataFrame(content["items"])
        missing = [name for name in (*TEXTS, *signatures) if name not in table.columns]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise DataError(f"{path}: not a scorecard exported as JSON ({reason})") from None
    if missing or not signatures:
        raise DataError(f"{path}: not a scorecard exported as JSON (without {missing or 'metrics'})")
    for name in TEXTS:
        if not all(isinstance(text, str) for text in table[name]):
            raise DataError(f"{path}: field {name!r} is not a text in every item")
    doubled = table.loc[table["id"].duplicated(), "id"].tolist()
    if doubled:
        raise DataError(f"{path}: items stand twice: {', '.join(doubled)}")
    # A score that is no number would compare as neither lower nor higher, and slip through a gate.
    for name in signatures:
        scores = table[name]
        number = pd.api.types.is_numeric_dtype(scores) and not pd.api.types.is_bool_dtype(scores)
        if not number or not scores.between(0, 1).all():
            raise DataError(f"{path}: the scores of {name!r} are not all numbers between 0 and 1")
    return Scorecard(table[[*TEXTS, *signatures]], signatures)


def compare(card: Scorecard, baseline: Scorecard) -> pd.DataFrame:
    """Return one row a metric: baseline and new mean, their difference, and the ids that fell and rose.

    Ids stand in the order of `card`. Scorecards with unlike signatures or unlike ids measure different
    things: a ValueError that says which.
    """
    for name in dict.fromkeys([*card.metrics, *baseline.metrics]):
        theirs, ours = baseline.signatures.get(name), card.signatures.get(name)
        if theirs != ours:
            raise ValueError(f"metric {name!r} is not comparable: {theirs} in the baseline, {ours} now")
    after, before = card.table.set_index("id"), baseline.table.set_index("id")
    alone = [*after.index.difference(before.index), *before.index.difference(after.index)]
    if alone:
        raise ValueError(f"items on one side only: {', '.join(alone)}")
    rows = []
    for name in card.metrics:
        change = after[name] - before.loc[after.index, name]
        fell, rose = (" ".join(after.index[where]) for where in (change < 0, change > 0))
        old, new = baseline.means()[name], card.means()[name]
        row: dict[str, Any] = {"metric": name, "baseline": old, "now": new, "change": new - old}
        rows.append(row | {"fell": fell, "rose": rose})
    return pd.DataFrame(rows)


def gate(
    card: Scorecard,
    minimums: Mapping[str, float] | None = None,
    baseline: Scorecard | None = None,
    tolerance: float = 0.0,
) -> list[str]:
    """Return the reasons to stop a release, one sentence each; an empty list lets it pass.

    A mean below its minimum, or below the baseline's by more than `tolerance`, is a reason; less than 1e-9
    is rounding and no reason. A gate with nothing to hold against, an unknown metric, and a threshold outside
    [0, 1] are ValueErrors.
    """
    minimums = dict(minimums or {})
    if not minimums and baseline is None:
        raise ValueError("a gate needs a minimum or a baseline")
    for name, value in [*minimums.items(), ("tolerance", tolerance)]:
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be between 0 and 1, not {value!r}")
    means = card.means()
    reasons = []
    for name, least in minimums.items():
        if known("metric", name, means) < least - ROUNDING:
            reasons.append(f"{name} is {means[name]:.4f}, below the minimum of {least:.4f}")
    if baseline is not None:
        for row in compare(card, baseline).to_dict(orient="records"):
            if row["change"] < -tolerance - ROUNDING:
                fell = f" (lower: {row['fell']})" if row["fell"] else ""
                reasons.append(f"{row['metric']} fell from {row['baseline']:.4f} to {row['now']:.4f}{fell}")
    return reasons


# --- printing it -----------------------------------------------------------------------------------------


def _cells(card: Scorecard, digits: int) -> list[list[str]]:
    """Return the rows as texts, each without line breaks: one answer, one line."""
    rows = card.with_means().to_dict(orient="records")
    numbers = [[row["id"], *(f"{row[name]:.{digits}f}" for name in card.metrics)] for row in rows]
    cells = [[*cells, row["prediction"]] for cells, row in zip(numbers, rows, strict=True)]
    return [[" ".join(cell.split()) for cell in row] for row in cells]


def _aligned(card: Scorecard, digits: int) -> str:
    header = ["id", *card.metrics, "prediction"]
    rows = [header, *_cells(card, digits)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    lines = []
    for row in rows:
        numbers = (cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1], strict=True))
        lines.append("  ".join([row[0].ljust(widths[0]), *numbers, row[-1]]).rstrip())
    return "\n".join([*lines, "", *card.signatures.values()]) + "\n"


MARKUP = re.compile(r"[\\|<&`*$\[]")  # what would end a cell, or vanish from it, where Markdown is shown


def _markdown(card: Scorecard, digits: int) -> str:
    header = ["id", *card.metrics, "prediction"]
    rule = ["---", *("---:" for _ in card.metrics), "---"]
    rows = [[MARKUP.sub(r"\\\g<0>", cell) for cell in row] for row in _cells(card, digits)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [header, rule, *rows])
    return table + "\n\n" + "\n".join(f"`{text}`" for text in card.signatures.values()) + "\n"
