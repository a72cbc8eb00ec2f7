"""The scorecard: every answer on every metric, means, flags, export, and a gate against a baseline.

One direction: golden set and answers in, one table out. A scorecard carries the signature of each of its
columns and a fingerprint of each item, and scorecards that differ in either are not compared.
"""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from decimal import Decimal
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .counting import lcs_length
from .data import Answer, Item, load_golden, pair
from .jsonl import DataError, read_json
from .metrics import METRICS, TokenOverlap, score, signature, token_overlap
from .numeric import extract_numbers
from .report import Table, csv_table, one_line, some
from .text import kept, known, squad_tokens, unspaced, word_tokens

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Any]
DEFAULT_METRICS = ("exact_match", "f1", "rouge_l")
TEXTS = ("id", "prediction", "reference", "status", "other_references", "fingerprint")
REFERENCES = ("first", "all")
FORMATS = ("text", "markdown", "csv", "json")
ROUNDING = 1e-9  # two means of equal scores may differ by less than this
SHOWN = 100  # rows that a notebook shows
CHUNK = 500  # pairs that go to another process at a time


@dataclass(frozen=True, repr=False)
class Scorecard:
    """A scored run: one row an item, and for each metric a signature that says what its numbers mean.

    A row is a dictionary: the TEXTS, and a score in [0, 1] for each metric. `reference` is the one that
    counted, `other_references` names metrics for which another one did, `fingerprint` stands for question and
    references.
    """

    rows: Sequence[Row]
    signatures: dict[str, str]

    def __post_init__(self) -> None:
        """Refuse, as a DataError, what would slip through a gate: no rows, an id twice, a score of NaN."""
        if not self.rows or not self.signatures:
            raise DataError(f"a scorecard without {'metrics' if self.rows else 'items'}")
        for name in TEXTS:
            if not all(isinstance(row.get(name), str) for row in self.rows):
                raise DataError(f"field {name!r} is not a text in every item")
        if doubled := [name for name, times in Counter(row["id"] for row in self.rows).items() if times > 1]:
            raise DataError(f"items stand twice: {some(doubled)}")
        for name in self.signatures:
            if not all(type(row.get(name)) in (int, float) and 0 <= row[name] <= 1 for row in self.rows):
                raise DataError(f"the scores of {name!r} are not all numbers between 0 and 1")

    @property
    def metrics(self) -> list[str]:
        """Return the names of the metrics, in order."""
        return list(self.signatures)

    @property
    def table(self) -> "pd.DataFrame":
        """Return the rows as a DataFrame."""
        import pandas as pd  # half of what scoring a small run costs: only who asks for it pays

        return pd.DataFrame(list(self.rows))

    @property
    def failed(self) -> list[Row]:
        """Return the rows whose answer is not complete."""
        return [row for row in self.rows if row["status"] != "ok"]

    def means(self) -> dict[str, float]:
        """Return the mean of each metric over all items, in [0, 1]; failed answers count as 0."""
        return {name: fsum(row[name] for row in self.rows) / len(self.rows) for name in self.metrics}

    def export(self, form: str = "text", digits: int = 2) -> str:
        """Return the scorecard as text, markdown, csv or json; an unknown form is a ValueError.

        Text and markdown are for people: rounded to `digits` decimals, with means and failures. Csv and json
        are for programs and keep every digit and character: a baseline read from json is exact, and a
        spreadsheet would run a csv answer such as "=1+1" as a formula.
        """
        known("format", form, dict.fromkeys(FORMATS))
        if form == "csv":
            return csv_table(list(self.rows[0]), (list(row.values()) for row in self.rows))
        if form == "json":
            content = {"signatures": self.signatures, "means": self.means(), "failed": len(self.failed)}
            rows = ",\n  ".join(_json(row).replace("\n", "\n  ") for row in self.rows)  # each dropped at once
            return _json(content | {"items": []})[:-3] + f"\n  {rows}\n ]\n}}\n"
        return self.view(digits).text() if form == "text" else self.view(digits).markdown()

    def view(self, digits: int = 2, most: int | None = None, texts: Sequence[str] = ()) -> Table:
        """Return the first rows and the means for a reader; with the status, where an answer failed."""
        header = ["id", *self.metrics, *["status"] * bool(self.failed), *texts, "prediction"]
        rows = [*self.rows[:most], {**dict.fromkeys(TEXTS, ""), "id": "mean", **self.means()}]
        shown = [[f"{row[c]:.{digits}f}" if c in self.signatures else row[c] for c in header] for row in rows]
        kinds = Counter(row["status"] for row in self.failed).items()
        counts = f" ({', '.join(f'{name} {times}' for name, times in kinds)})" if kinds else ""
        hidden = [f"rows that are not shown: {n}" for n in [len(self.rows) + 1 - len(rows)] if n]
        notes = [*hidden, f"failed: {len(self.failed)} of {len(self.rows)}{counts}", *self.unseen()]
        return Table(header, shown, self.metrics, [*notes, *self.signatures.values()])

    def unseen(self) -> list[str]:
        """Return sentences on tokenizers that do not see all of the texts, and on words without spaces."""
        texts = [row[side] for row in self.rows for side in ("prediction", "reference")]
        used = dict.fromkeys(re.findall(r"\|tok:(\w+)", " ".join(self.signatures.values())))
        shares = {} if all(map(str.isascii, texts)) else {name: kept(texts, name) for name in used}
        form = "the tokenizer {} sees {:.1%} of the letters of these texts"
        found = [form.format(name, min(share, 0.999)) for name, share in shares.items() if share < 1]
        if shares.keys() - {"char"} and any(map(unspaced, texts)):
            only = "the tokenizer char, or chrF, finds"
            found.append(f"words without spaces between them share only what {only}")
        return found

    def __repr__(self) -> str:
        """Show the table, or its beginning."""
        return self.view(most=SHOWN).text()

    def _repr_html_(self) -> str:
        others = ["other_references"] * any(row["other_references"] for row in self.rows)
        return self.view(most=SHOWN, texts=["reference", *others]).html()


@dataclass(frozen=True)
class Scorer:
    """What makes a row of an item and its answer, and needs nothing else: it can go to another process.

    `metrics` maps each name to its options, `references` is one of REFERENCES. A pair (item, answer) gives a
    row, as Scorecard describes it. The reference that counted is the one with the best score on the most
    metrics, the earlier where two are alike; for BLEU, to which all count together, the best alone.
    """

    metrics: Mapping[str, Mapping[str, str]]
    references: str

    @property
    def signatures(self) -> dict[str, str]:
        """Return what a scorecard of such rows says of each metric."""
        return {
            name: f"{signature(name, **options)}|targets:{self.references}"
            for name, options in self.metrics.items()
        }

    def __call__(self, pair: tuple[Item, Answer]) -> Row:
        """Return the row; an answer that is not complete (a status other than "ok") scores 0 everywhere."""
        item, answer = pair
        targets = item.references if self.references == "all" else item.references[:1]
        alone = {
            name: [score(name, answer.text, text, **options) for text in targets]
            for name, options in self.metrics.items()
        }
        best = {name: [value == max(values) for value in values] for name, values in alone.items()}
        votes = [sum(column) for column in zip(*best.values(), strict=True)]
        chosen = votes.index(max(votes))
        others = [f"{name}: {targets[wins.index(True)]}" for name, wins in best.items() if not wins[chosen]]
        asked = hashlib.sha256(json.dumps([item.question, item.references]).encode()).hexdigest()[:16]
        told = (item.id, answer.text, targets[chosen], answer.status, "; ".join(others), asked)
        row: Row = dict(zip(TEXTS, told, strict=True))
        for name, values in alone.items():
            row[name] = max(values) if answer.status == "ok" else 0.0
            if answer.status == "ok" and METRICS[name].several == "joint" and len(targets) > 1:
                row[name] = score(name, answer.text, targets, **self.metrics[name])
        return row


def scorecard(
    golden: Sequence[Item],
    answers: Sequence[Answer],
    metrics: Sequence[str] = DEFAULT_METRICS,
    references: str | None = None,
    options: Mapping[str, str] | None = None,
) -> Scorecard:
    """Score each answer on each metric and return the scorecard.

    `references="first"` uses the first reference of an item, `"all"` the whole list as `score()` does. The
    default is all, but for the course's own items first, as their table was published. An answer that is
    not complete (a status other than "ok") scores 0 on every metric. `options`, as {"tokenizer": "char"}, go
    to every metric that takes them, and its signature follows. Unknown metrics or a doubled one, a metric
    named like another column, an option that none takes, an empty golden set, ids that do not match and an
    unknown choice of references are ValueErrors.
    """
    scorer = make_scorer(golden, metrics, references, options)
    return Scorecard(score_rows(scorer, pair(golden, answers)), scorer.signatures)


def make_scorer(
    golden: Sequence[Item],
    metrics: Sequence[str] = DEFAULT_METRICS,
    references: str | None = None,
    options: Mapping[str, str] | None = None,
) -> Scorer:
    """Return what scores a pair for `scorecard`, which says what goes in and what is refused."""
    takes = {name: known("metric", name, METRICS).settings() for name in metrics}
    if len(takes) != len(metrics) or not metrics:
        raise ValueError(f"metrics must be different names, at least one, not {list(metrics)!r}")
    for name in set(takes) & set(TEXTS):
        raise ValueError(f"a metric cannot be called {name!r}: the table has a column of that name")
    given = dict(options or {})
    for option in given.keys() - {name for settings in takes.values() for name in settings}:
        raise ValueError(f"none of these metrics takes the option {option!r}")
    if references is None:
        references = "first" if set(golden) <= set(load_golden()) else "all"
    if references not in REFERENCES:
        raise ValueError(f"references must be one of {', '.join(REFERENCES)}, not {references!r}")
    scorer = Scorer({m: {o: given[o] for o in given if o in takes[m]} for m in metrics}, references)
    if scorer.signatures and not golden:
        raise ValueError("the golden set is empty: there is nothing to score")
    return scorer


def score_rows(scorer: Scorer, pairs: Sequence[tuple[Item, Answer]], jobs: int = 1) -> list[Row]:
    """Return the rows in order, scored by `jobs` processes; a terminal shows how far it is, a log nothing."""
    if jobs < 1:
        raise ValueError(f"jobs must be 1 or more, not {jobs!r}")
    with ExitStack() as stack:
        rows: Iterable[Row] = map(scorer, pairs)
        if jobs > 1:
            from multiprocessing import get_context  # 14 ms

            pool = stack.enter_context(get_context("spawn").Pool(jobs))
            rows = pool.imap(scorer, pairs, CHUNK)
        if len(pairs) > CHUNK and sys.stderr.isatty():
            from tqdm import tqdm

            rows = tqdm(rows, "scoring", len(pairs), leave=False)
        return list(rows)


# --- reading it ------------------------------------------------------------------------------------------


class Flag(NamedTuple):
    """A row to look at, and why: a suspicion, never a verdict."""

    id: str
    name: str
    reason: str


VERBS = "ai ca wo do does did is are was were has have had could would should must need"
NEGATIONS = {f"{verb}nt" for verb in VERBS.split()}  # as the apostrophe leaves them: "doesnt"
NEGATIONS |= set("not no never none nor neither without cannot nothing nobody nowhere".split())  # noqa: SIM905
# Words that no other language in wide use shares: a text with none of them may be in any language.
ENGLISH = set(
    """the and it its you your this that these those they their there our with from which when where what who
    how would could should each every only more than does about after before because between until while
    within into means""".split()  # noqa: SIM905
)
IN_ORDER = 0.75


def flags(card: Scorecard) -> list[Flag]:
    """Return the rows that deserve a reader, with the reason, in table order, by the reference that counted.

    "failed": no complete answer. "negated": a negation on one side only. "number changed": the answer lacks a
    number of the reference and has another. "more numbers": it has them all, and others, as a hedge does.
    "unit changed": a number with another unit. "nothing shared": no token in common. Only where nothing of
    this was seen: "not judged", words differ and the text is not plainly English, so that a negation would
    not be seen; "reordered", less than three quarters of the shared tokens stand in the same order; "wordy",
    every reference token is there, among others. Tokens are those of token F1.
    """
    return [Flag(row["id"], *found) for row in card.rows for found in _suspicions(row)]


def _suspicions(row: Row) -> list[tuple[str, str]]:
    prediction, reference, status = row["prediction"], row["reference"], row["status"]
    if status != "ok":
        return [("failed", f"the reply ended as {status!r}")]
    overlap = token_overlap(prediction, reference)
    if found := list(_differences(prediction, reference, overlap)):
        return found
    shared, extra, missing = len(overlap.matched), overlap.extra, overlap.missing
    if any(map(str.isalpha, "".join(extra + missing))):
        words = {*word_tokens(prediction), *squad_tokens(prediction)} - {"no"}
        if words.isdisjoint(NEGATIONS | ENGLISH) or not "".join(filter(str.isalpha, prediction)).isascii():
            return [("not judged", "not plainly English, so a negation would not be seen")]
    in_order = lcs_length(squad_tokens(prediction), squad_tokens(reference))
    if in_order < IN_ORDER * shared:
        return [("reordered", f"{shared} tokens are shared, only {in_order} of them in the same order")]
    more = f"{len(extra)} more token{'s' if len(extra) > 1 else ''}"
    return [("wordy", f"the whole reference is there, and {more}")] if extra and not missing else []


def _differences(prediction: str, reference: str, overlap: TokenOverlap) -> Iterator[tuple[str, str]]:
    """Yield what speaks against an answer, whatever else it has in common with the reference."""
    sides = {"the answer": overlap.extra, "the reference": overlap.missing}
    negated = {side: sorted(NEGATIONS & {t.replace("’", "") for t in sides[side]}) for side in sides}
    if len(only := [side for side in sides if negated[side]]) == 1:
        yield "negated", f"only {only[0]} has {', '.join(map(repr, negated[only[0]]))}"
    said, wanted = _units(prediction), _units(reference)
    more, lost = said.keys() - wanted.keys(), wanted.keys() - said.keys()
    if more and lost:
        yield "number changed", f"the answer has {_listed(said)}, the reference {_listed(wanted)}"
    elif more and wanted:
        yield "more numbers", f"the answer also has {_listed(more)}"
    for value in sorted(said.keys() & wanted.keys()):
        ours, theirs = (" and ".join(sorted(units[value])) for units in (said, wanted))
        if ours and theirs and said[value].isdisjoint(wanted[value]):
            yield "unit changed", f"the answer has {value} {ours}, the reference {value} {theirs}"
    if overlap.missing and not overlap.matched:
        yield "nothing shared", "no token of the reference is in the answer"


def _units(text: str) -> dict[Decimal, set[str]]:
    """Return the numbers of a text, each with the units it has there."""
    found: dict[Decimal, set[str]] = {}
    for number in extract_numbers(text):
        found.setdefault(number.value, set()).update({number.unit} - {""})
    return found


def _listed(numbers: Iterable[Decimal]) -> str:
    return some([str(number) for number in sorted(numbers)])


# --- keeping it ------------------------------------------------------------------------------------------


def load_scorecard(path: str | Path) -> Scorecard:
    """Return a scorecard exported as JSON. Anything else is a DataError that names the file."""
    try:
        content = read_json(Path(path).read_text(encoding="utf-8-sig"))
        rows, signatures = [dict(row) for row in content["items"]], dict(content["signatures"].items())
        return Scorecard(rows, signatures)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = one_line(f"{type(error).__name__}: {error}")
        raise DataError(f"{path}: not a scorecard exported as JSON ({reason})") from None


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1)


class Step(NamedTuple):
    """How one item moved on one metric, and the answers before and now."""

    id: str
    by: float
    before: str
    now: str


class Change(NamedTuple):
    """How one metric moved: its mean before and now, and the step of every item, biggest first."""

    metric: str
    baseline: float
    now: float
    steps: list[Step]

    @property
    def fell(self) -> list[str]:
        """Return the ids that fell, biggest change first."""
        return [step.id for step in self.steps if step.by < 0]

    @property
    def rose(self) -> list[str]:
        """Return the ids that rose, biggest change first."""
        return [step.id for step in self.steps if step.by > 0]


class Comparison(list[Change]):
    """One change a metric; shows itself as a table."""

    def view(self) -> Table:
        """Return the table for a reader."""
        header = ["metric", "baseline", "now", "change", "fell", "rose"]
        rows = [
            [c.metric, f"{c.baseline:.2f}", f"{c.now:.2f}", f"{c.now - c.baseline:+.2f}", *map(some, ids)]
            for c in self
            for ids in [(c.fell, c.rose)]
        ]
        return Table(header, rows, header[1:4])

    def __repr__(self) -> str:
        """Show the table."""
        return self.view().text()

    def _repr_html_(self) -> str:
        return self.view().html()


def compare(card: Scorecard, baseline: Scorecard) -> Comparison:
    """Return for each metric how it moved from the baseline to the card.

    Scorecards with unlike signatures, ids, questions or references measure different things: a ValueError
    that says which.
    """
    for name in dict.fromkeys([*card.metrics, *baseline.metrics]):
        theirs, ours = baseline.signatures.get(name), card.signatures.get(name)
        if theirs != ours:
            raise ValueError(f"metric {name!r} is not comparable: {theirs} in the baseline, {ours} now")
    before, after = ({row["id"]: row for row in scored.rows} for scored in (baseline, card))
    if alone := [name for name in [*after, *before] if name not in before or name not in after]:
        raise ValueError(f"items on one side only: {some(alone)}")
    if changed := [name for name in after if after[name]["fingerprint"] != before[name]["fingerprint"]]:
        raise ValueError(f"items with another question or other references in the baseline: {some(changed)}")
    found, old, new = Comparison(), baseline.means(), card.means()
    for metric in card.metrics:
        steps = [
            Step(name, row[metric] - before[name][metric], before[name]["prediction"], row["prediction"])
            for name, row in after.items()
        ]
        steps.sort(key=lambda step: -abs(step.by))
        found.append(Change(metric, old[metric], new[metric], steps))
    return found


def gate(
    card: Scorecard,
    minimums: Mapping[str, float] | None = None,
    baseline: Scorecard | Comparison | None = None,
    tolerance: float = 0.0,
    max_failed: int | None = None,
) -> list[str]:
    """Return the reasons to stop a release, one sentence each; an empty list lets it pass.

    A mean below its minimum, or below the baseline's by more than `tolerance`, is a reason; less than 1e-9
    is rounding and no reason. So are more than `max_failed` answers that are not complete, 0 unless given. A
    comparison may take the place of the baseline: all of it, or what of it may stop a release. A gate with
    nothing to hold against, an unknown metric, and a threshold outside [0, 1] are ValueErrors.
    """
    minimums, accepted = minimums or {}, max_failed or 0
    if not minimums and baseline is None and max_failed is None:
        raise ValueError("a gate needs a minimum or a baseline")
    for name, value in [*minimums.items(), ("tolerance", tolerance)]:
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be between 0 and 1, not {value!r}")
    if accepted < 0:
        raise ValueError(f"max_failed must be 0 or more, not {max_failed!r}")
    reasons, failed, means = [], [row["id"] for row in card.failed], card.means()
    if len(failed) > accepted:
        reasons.append(f"answers failed: {len(failed)}, accepted: {accepted} ({some(failed, ' ')})")
    for name, least in minimums.items():
        if known("metric", name, means) < least - ROUNDING:
            mean, bound = _apart(means[name], least)
            reasons.append(f"{name} is {mean}, below the minimum of {bound}")
    for change in compare(card, baseline) if isinstance(baseline, Scorecard) else baseline or []:
        if change.now - change.baseline < -tolerance - ROUNDING:
            now, old = _apart(change.now, change.baseline, tolerance)
            fell = f" (lower: {some(change.fell, ' ')})" if change.fell else ""
            reasons.append(f"{change.metric} fell from {old} to {now}{fell}")
    return reasons


def _apart(low: float, high: float, tolerance: float = 0.0) -> tuple[str, str]:
    """Return two numbers with as many digits, 4 at least, as show them to be further apart than that."""
    texts = ("", "")
    for digits in range(4, 17):
        texts = f"{low:.{digits}f}", f"{high:.{digits}f}"
        if Decimal(texts[1]) - Decimal(texts[0]) > Decimal(repr(tolerance)):
            break
    return texts
