"""Metrics against people: how far each agrees with human verdicts, and whether it deserves to gate.

A table has one row an answer: `question` (answers to one question belong together), `right` (what people
said, 1 or 0), `words` (the length of the answer), and a column of scores in [0, 1] for each metric. A score
that reaches a threshold accepts its answer. Agreement is the share of answers of which acceptance and people
say the same; the base rate is what one gets by always saying what people said more often. Intervals are
those of `stats.mean_interval` at 95 %, for which a question counts, not a row. A metric deserves to gate only
if the low end of its interval is above the base rate; where the best of several is sought, as in `validate`,
the 95 % hold for all of them together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .data import Answer, Item, data_folder
from .jsonl import DataError, read_jsonl
from .metrics import METRICS
from .scorecard import scorecard
from .stats import agreement, auc, mean_interval, wilson

RULES = ("exact_match", "f1", "rouge_l", "bleu_4", "recall", "contains", "chrf++_lower")  # of data/public
THRESHOLDS = np.append(np.arange(101) / 100, np.inf)  # the last accepts nothing


def public(name: str) -> pd.DataFrame:
    """Return a table of data/public, "nq301" or "beetle"; data/README.md explains its columns.

    A blank verdict of GPT-4 accepts nothing. Another name is a ValueError.
    """
    if name not in ("nq301", "beetle"):
        raise ValueError(f"unknown table {name!r}; known: nq301, beetle")
    table = pd.read_csv(data_folder() / "public" / f"{name}.csv")
    return table.fillna({"systems": "", "gpt4": 0}) if name == "nq301" else table


def length(words: int) -> str:
    """Return the length of an answer as one of three names."""
    return "up to 3 words" if words <= 3 else "4-10 words" if words <= 10 else "over 10 words"


# --- agreement -------------------------------------------------------------------------------------------


def against_people(
    table: pd.DataFrame, metrics: Iterable[str], accepted: Any = 0.5, tests: int = 1
) -> pd.DataFrame:
    """Return one row a metric: n, questions, base_rate, agreement, low, high, kappa, auc and two counts.

    `accepted` is a threshold, or a table of the same rows that says for each metric what it accepts. The
    counts are `wrong_accepted` and `right_rejected`. AUC is the chance that a right answer scores above a
    wrong one, ties counted as half; NaN where people called all answers right, or all wrong. `tests`: see
    `interval`.
    """
    right, rows = table["right"].to_numpy() == 1, []
    figures = {"n": len(table), "questions": table["question"].nunique()}
    figures["base_rate"] = max(right.mean(), 1 - right.mean())
    for metric in metrics:
        taken = (
            accepted[metric] if isinstance(accepted, pd.DataFrame) else table[metric] >= accepted
        ).to_numpy()
        row = {"metric": metric, **figures}
        row["agreement"], row["low"], row["high"] = interval(taken == right, table["question"], tests)
        row["kappa"] = agreement(taken, right).kappa
        row["auc"] = np.nan if right.all() or not right.any() else auc(table[metric], right)
        row |= {"wrong_accepted": (taken & ~right).sum(), "right_rejected": (~taken & right).sum()}
        rows.append(row)
    return pd.DataFrame(rows)


def by_length(metric: str, references: str = "all") -> list[dict[str, Any]]:
    """Return how far a rule agrees with people on NQ301, for all answers and by length, as rows for a figure.

    `metric` is one of RULES (0.5 or more accepts), "bem" or "gpt4"; `references` is "first" or "all".
    """
    column = metric if metric in ("bem", "gpt4") else f"{metric}_{references}"
    table = public("nq301")
    parts = [("all answers", table), *table.groupby(table["words"].map(length))]
    parts = [parts[0], parts[3], parts[1], parts[2]]  # from short to long
    return [{"name": name, **against_people(part, [column]).iloc[0].to_dict()} for name, part in parts]


def interval(ok: Any, questions: Any, tests: int = 1) -> tuple[float, float, float]:
    """Return the share of `ok` and its interval, which holds at 95 % for `tests` of its kind together."""
    values, level, several = np.asarray(ok, float), 1 - 0.05 / tests, len(set(questions))
    share = float(values.mean())
    if several == 1:  # one question counts as one answer
        return share, *wilson(share, 1, level)
    found = mean_interval(values.tolist(), None if several == len(values) else list(questions), level)
    return share, found.low, found.high


def fit_threshold(
    table: pd.DataFrame, metric: str, draws: int = 1000, seed: int = 0
) -> tuple[dict[str, float], Any]:
    """Return the best of the thresholds 0.00, 0.01 ... 1.00 and infinity, and which answers are accepted.

    The first is `threshold`, and where 95 % of it fall when questions are drawn anew, `threshold_low` and
    `threshold_high`. The second has one value an answer, decided by the threshold that is best for all
    *other* questions: on the answers it was chosen on, a threshold looks better than it is.
    """
    scores, right = table[metric].to_numpy(float), table["right"].to_numpy() == 1
    place, names = pd.factorize(table["question"])
    accepted = scores >= THRESHOLDS[:, None]
    hits = np.array([np.bincount(place, row, len(names)) for row in accepted == right])
    total, generator = hits.sum(axis=1), np.random.default_rng(seed)
    others = np.array([_best(total - own) for own in hits.T])
    shares = np.full(len(names), 1 / len(names))
    drawn = THRESHOLDS[[_best(hits @ generator.multinomial(len(names), shares)) for _ in range(draws)]]
    found = [THRESHOLDS[_best(total)], *np.quantile(drawn, (0.025, 0.975), method="nearest")]
    keys = ("threshold", "threshold_low", "threshold_high")
    return dict(zip(keys, found, strict=True)), accepted[others[place], np.arange(len(table))]


def _best(hits: Any) -> int:
    """Return the place of the most hits; of several, the middle one."""
    places = np.flatnonzero(hits == hits.max())
    return int(places[(len(places) - 1) // 2])


# --- a team's own verdicts -------------------------------------------------------------------------------


def load_verdicts(path: str | Path) -> dict[str, bool]:
    """Return people's verdicts by id from a JSONL file, each line {"id": ..., "right": true or false}."""
    verdicts: dict[str, bool] = {}
    for place, values in read_jsonl(path):
        name, right = values.get("id"), values.get("right")
        if set(values) != {"id", "right"} or not isinstance(name, str) or not isinstance(right, bool):
            raise DataError(f"{place}: a verdict is an 'id' (a string) and 'right' (true or false), no more")
        if name in verdicts:
            raise DataError(f"{place}: field 'id' is {name!r}, as in a line above")
        verdicts[name] = right
    return verdicts


@dataclass(frozen=True)
class Validation:
    """Metrics beside a team's verdicts; `str` of it is the report.

    `table` has one row an answer; `metrics` one a metric, as `against_people` with the threshold and its
    interval; `slices` one a kind of answer and metric. Each question is accepted by the others' threshold.
    """

    table: pd.DataFrame
    metrics: pd.DataFrame
    slices: pd.DataFrame

    @property
    def best(self) -> Any:
        """Return the row of the metric that agrees most with people."""
        return self.metrics.loc[self.metrics["agreement"].idxmax()]

    @property
    def sentence(self) -> str:
        """Return which metric deserves to gate and for which answers that is not shown, or that none does."""
        best, constant = self.best, "right" if self.table["right"].mean() >= 0.5 else "wrong"
        found = (
            f"agrees with people on {best['agreement']:.2f} of {best['n']} answers (95 % for all metrics "
            f'together: {best["low"]:.2f} to {best["high"]:.2f}), always saying "{constant}" on '
            f"{best['base_rate']:.2f}."
        )
        if best["low"] <= best["base_rate"]:
            return f"No metric deserves to gate: the best, {best['metric']}, {found}"
        part = self.slices[self.slices["metric"] == best["metric"]]
        weak = ", ".join(part.loc[part["low"] <= part["base_rate"], "kind"])
        start = f"{best['metric']} deserves to gate, at {best['threshold']:.2f}: it {found}"
        return f"{start} Not shown by itself for: {weak}." if weak else start

    def inversions(self, most: int = 3) -> list[str]:
        """Return wrong answers that the best metric ranks above right ones: the widest gaps, each once."""
        name = self.best["metric"]
        rows = self.table.sort_values(name, kind="stable")
        right, wrong = rows[rows["right"]], rows[~rows["right"]].iloc[::-1]
        found = []
        for (_, high), (_, low) in zip(
            wrong.head(most).iterrows(), right.head(most).iterrows(), strict=False
        ):
            if high[name] > low[name]:
                cells = [f"{row['id']} ({row[name]:.2f}) {row['prediction']!r}" for row in (high, low)]
                found.append(f"wrong {cells[0]}\n  above right {cells[1]}")
        return found

    def __str__(self) -> str:
        """Return the report as text: metrics, slices, inversions, and the sentence."""
        shown = self.metrics[["metric", "kappa", "auc", "wrong_accepted", "right_rejected"]].round(2)
        shown.insert(1, "agreement", _cells(self.metrics))
        shown["threshold"] = _cells(self.metrics, ("threshold", "threshold_low", "threshold_high"))
        parts = [shown.to_string(index=False)]
        slices = self.slices.assign(cell=_cells(self.slices), base_rate=self.slices["base_rate"].round(2))
        slices = slices.pivot(index=["kind", "n", "base_rate"], columns="metric", values="cell")
        parts.append(slices[self.metrics["metric"]].reset_index().to_string(index=False))
        parts += ["\n".join(["inversions:", *(self.inversions() or ["none"])]), self.sentence]
        return "\n\n".join(parts)


def _cells(rows: pd.DataFrame, names: Sequence[str] = ("agreement", "low", "high")) -> list[str]:
    return [
        f"{share:.2f} [{low:.2f}, {high:.2f}]" for share, low, high in rows[[*names]].itertuples(index=False)
    ]


def validate(
    golden: Sequence[Item],
    answers: Sequence[Answer],
    verdicts: Mapping[str, bool],
    metrics: Sequence[str] = tuple(METRICS),
    references: str = "all",
) -> Validation:
    """Hold metrics against a team's own verdicts, one an answer by id.

    Items with the same question text are one question. Verdicts that do not match the answers by id, or that
    are all alike, are a ValueError, as is what `scorecard` refuses.
    """
    table = scorecard(golden, answers, metrics, references).table
    if alone := sorted(set(verdicts) ^ set(table["id"])):
        raise DataError(
            f"verdicts and answers do not match by id; on one side only: {', '.join(map(repr, alone))}"
        )
    if len(set(verdicts.values())) < 2:
        raise DataError("the verdicts are all alike: a metric is held against right and wrong answers")
    items = {item.id: item for item in golden}
    table["right"] = table["id"].map(verdicts).astype(bool)
    table["question"] = [items[name].question for name in table["id"]]
    fits = {name: fit_threshold(table, name) for name in metrics}
    accepted = pd.DataFrame({name: values for name, (_, values) in fits.items()})
    rows = against_people(table, metrics, accepted, len(metrics))
    rows = pd.concat([rows, pd.DataFrame([fitted for fitted, _ in fits.values()])], axis=1)
    lengths = [length(len(text.split())) for text in table["prediction"]]
    shapes = [items[name].shape for name in table["id"]]
    slices = [
        against_people(part, metrics, accepted.loc[part.index], len(metrics)).assign(kind=kind)
        for kinds in (lengths, shapes)
        for kind, part in table.groupby(pd.Series(kinds))
        if kind
    ]
    return Validation(table, rows, pd.concat(slices, ignore_index=True))
