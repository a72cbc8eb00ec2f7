"""What people said of public answers, how metrics order those, and the guide that is computed from it.

The tables of data/public hold figures only; `validity` compares them with people, and this module the rest.
"""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from .validity import against_people, fit_threshold, length, public

SYSTEMS = "ABCDEFGHIJKL"  # of NQ301; A and B are language models, the others readers
GUIDED = ("exact_match", "f1", "rouge_l", "bleu_4", "recall", "chrf++_lower")
COLUMNS = [f"{name}_all" for name in GUIDED]


def pairs(table: pd.DataFrame, metric: str) -> dict[str, int]:
    """Count the pairs of a right and a wrong answer to one question, and how many the metric ranks how."""
    counts = []
    for _, rows in table.groupby("question"):
        scores, right = rows[metric].to_numpy(), rows["right"].to_numpy() == 1
        gaps = scores[right][:, None] - scores[~right]
        counts.append((gaps.size > 0, gaps.size, (gaps < 0).sum(), (gaps == 0).sum()))
    return dict(
        zip(("questions", "pairs", "wrong way", "tied"), np.sum(counts, axis=0).tolist(), strict=True)
    )


def ranking(
    table: pd.DataFrame, metric: str, systems: str = SYSTEMS, spelled: bool = False
) -> dict[str, Any]:
    """Return how a metric orders systems of NQ301, on the questions that are judged for every one of them.

    That is the number of `questions`, of `pairs` that people separate, the share `accuracy` that it orders
    as people do, and the list `misled` of pairs, two letters each, whose order is wrong and significant:
    two-sided p below 0.05, paired bootstrap of 2,000 seeded draws of questions (Koehn 2004). With `spelled`,
    only answers count that a system gave in these letters, but for case: 235 questions, not 265.
    """
    given = {name: table[table["systems"].str.contains(name, case=spelled)] for name in systems}
    parts = {name: rows.set_index("question")[["right", metric]] for name, rows in given.items()}
    both = pd.concat(parts, axis=1, join="inner")
    draws = np.random.default_rng(0).multinomial(len(both), np.full(len(both), 1 / len(both)), size=2000)
    found: dict[str, Any] = {"questions": len(both), "pairs": 0, "accuracy": 0.0, "misled": []}
    for first, second in combinations(systems, 2):
        people, change = ((both[first, name] - both[second, name]).to_numpy() for name in ("right", metric))
        as_people = people.sum() * change.sum()
        means = draws @ change
        p = 2 * min((means <= 0).mean(), (means >= 0).mean())
        found["pairs"] += int(people.sum() != 0)
        found["accuracy"] += int(as_people > 0)
        found["misled"] += [first + second] if as_people < 0 and p < 0.05 else []
    return found | {"accuracy": found["accuracy"] / found["pairs"]}


# --- the guide -------------------------------------------------------------------------------------------


def guide() -> str:
    """Return the guide as a Markdown table: how far each metric agrees with people, by kind of answer.

    Facts are NQ301's answers, held against references of a few words; explanations are Beetle's unseen
    answers, held against sentences. All references count, and an answer that scores 0.5 or more is accepted.
    "A number or date" means that the first reference holds a digit. Bold: the low end of the interval is
    above the base rate, so the metric may gate; the advice names first the one that agrees most.
    """
    facts, beetle = public("nq301"), public("beetle")
    sizes, short = facts["words"].map(length), facts["words"].map(length) == "up to 3 words"
    explained = beetle[beetle["part"] == "unseen-answers"]
    long = explained["words"].map(length) == "over 10 words"
    kinds = {
        "a number or date, up to 3 words": facts[short & (facts["digits"] == 1)],
        "a name or phrase, up to 3 words": facts[short & (facts["digits"] == 0)],
        "a fact in 4-10 words": facts[sizes == "4-10 words"],
        "a fact in over 10 words": facts[sizes == "over 10 words"],
        "an explanation, up to 10 words": explained[~long],
        "an explanation, over 10 words": explained[long],
    }
    header = ["the answer", "n (questions)", "base rate", *GUIDED, "GPT-4, recorded", "advice"]
    lines = [header, ["---"] * len(header), *(_row(kind, table) for kind, table in kinds.items())]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _row(kind: str, table: pd.DataFrame) -> list[str]:
    free = against_people(table, COLUMNS)
    judge = against_people(table, ["gpt4"]) if "gpt4" in table else free[:0]
    constant = "right" if table["right"].mean() >= 0.5 else "wrong"
    base = f"{free['base_rate'][0]:.2f} ({constant})"
    cells = [
        *map(_cell, free.to_dict("records")),
        *(map(_cell, judge.to_dict("records")) if len(judge) else "-"),
    ]
    return [kind, f"{len(table)} ({free['questions'][0]})", base, *cells, _advice(table, free)]


def _cell(row: dict[Any, Any]) -> str:
    mark = "**" if row["low"] > row["base_rate"] else ""
    return f"{mark}{row['agreement']:.2f}{mark} [{row['low']:.2f}, {row['high']:.2f}]"


def _advice(table: pd.DataFrame, free: pd.DataFrame) -> str:
    able = free[free["low"] > free["base_rate"]].sort_values("agreement", ascending=False, kind="stable")
    if able.empty:
        order = free.loc[free["auc"].idxmax()]
        fitted = pd.DataFrame({name: fit_threshold(table, name, draws=1)[1] for name in COLUMNS})
        fitted = against_people(table.reset_index(drop=True), COLUMNS, fitted)
        which = "at 0.5" if (fitted["low"] > fitted["base_rate"]).any() else "at any threshold"
        return f"none shown to gate, {which}; {order['metric'][:-4]} orders best (AUC {order['auc']:.2f})"
    best = able.iloc[0]["metric"]
    advice = f"may gate: {', '.join(name[:-4] for name in able['metric'])}"
    if "contradictory" in table:
        opposite = table[table["contradictory"] == 1]
        advice += f"; {best[:-4]} accepts {(opposite[best] >= 0.5).sum()} of {len(opposite)} opposites"
    return advice
