"""What a scorecard says beyond its rows: how sure it is, slices, how two runs differ, and forms for CI.

Everything a reader sees is a list of sections, a title and a table each; a form only writes them down.
"""

import base64
import html
import re
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from .data import Item
from .report import Table, one_line
from .scorecard import FORMATS, ROUNDING, Change, Comparison, Row, Scorecard, flags
from .text import known

FORMS = (*FORMATS, "junit", "html", "github")
SLICES = ("shape", "doc", "length")
SIGNIFICANT = 0.05
MATTERS = 0.05  # a fall of the mean that a gate should be able to see
CUT = 300  # characters of an answer in a pull request
MOVED = 5  # items that a comparison shows with both answers
ROWS = 1000  # of a page

Section = tuple[str, Table]


# --- how sure --------------------------------------------------------------------------------------------


def means_section(card: Scorecard) -> Section:
    """Return the mean of each metric with its 95 % interval."""
    from .stats import mean_interval

    means = card.means()
    rows = [[m, f"{means[m]:.2f}", str(mean_interval([row[m] for row in card.rows]))] for m in card.metrics]
    return "Means", Table(["metric", "mean", "95 % interval"], rows, ["mean"])


def slice_section(card: Scorecard, golden: Sequence[Item], by: str) -> Section:
    """Return n and each mean with its interval for the parts of a run, by one of SLICES.

    `length` is that of the answer in words. Items without a shape or document stand under "-".
    """
    from .stats import mean_interval

    known("slice", by, dict.fromkeys(SLICES))
    rows, labels = list(card.rows), {item.id: getattr(item, by, "") or "-" for item in golden}
    if by == "length":
        from .validity import length

        words = {row["id"]: len(row["prediction"].split()) for row in rows}
        rows.sort(key=lambda row: words[row["id"]])
        labels = {name: length(count) for name, count in words.items()}
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(labels[row["id"]], []).append(row)
    shown: list[list[str]] = []
    methods: dict[str, None] = {}
    for label, part in parts.items():
        shown.append([label, str(len(part))])
        for metric in card.metrics:
            values = [row[metric] for row in part]
            found = mean_interval(values)
            methods[found.method.partition(",")[0]] = None
            shown[-1].append(f"{sum(values) / len(values):.2f} [{found.low:.2f}, {found.high:.2f}]")
    header = [by, "n", *card.metrics]
    return f"By {by}", Table(header, shown, header[1:], [f"95 % intervals: {', '.join(methods)}"])


# --- two runs --------------------------------------------------------------------------------------------


class Noise(NamedTuple):
    """What a change may be worth: the p-value of a fall, and the verdict in words."""

    p: float
    verdict: str


def noise(change: Change) -> Noise:
    """Say of a mean that fell: "fell", "fell, within noise" or that n items cannot tell.

    It fell where equally good runs give such a fall in less than SIGNIFICANT of cases (`stats.fall_p`). Else
    n items cannot tell if it takes more to find, in four cases of five, a fall of this size or, where it is
    smaller, of MATTERS. Five equal falls are the fewest that are significant.
    """
    from .stats import fall_p, items_needed

    steps = [step.by for step in change.steps]
    n, mean = len(steps), change.now - change.baseline
    p = fall_p(steps)
    if p < SIGNIFICANT:
        return Noise(p, "fell")
    deviation = sqrt(sum((step - mean) ** 2 for step in steps) / (n - 1)) if n > 1 else abs(mean)
    needed = max(5, items_needed(max(-mean, MATTERS), deviation))
    if n < needed:
        return Noise(p, f"can't tell with {n} item{'s' * (n > 1)}: it would take {needed}")
    return Noise(p, "fell, within noise")


def noise_lines(comparison: Sequence[Change]) -> list[str]:
    """Return one sentence for each metric whose mean fell."""
    lines = []
    for change in _falls(comparison):
        from .stats import difference_interval  # scipy takes half a second, and most runs do not fall

        low, high, method = difference_interval([step.by for step in change.steps])
        p, verdict = noise(change)
        sure = f"95 %: {low:+.3f} to {high:+.3f}, {method}; one-sided p {p:.2g}"
        lines.append(f"{change.metric} {change.now - change.baseline:+.3f}: {verdict} ({sure})")
    return lines


def significant(comparison: Sequence[Change]) -> Comparison:
    """Return the falls that are more than noise, for a gate that stops only at these."""
    return Comparison(change for change in _falls(comparison) if noise(change).p < SIGNIFICANT)


def _falls(comparison: Sequence[Change]) -> list[Change]:
    return [change for change in comparison if change.now - change.baseline < -ROUNDING]


def comparison_sections(comparison: Comparison) -> list[Section]:
    """Return the paired difference of each metric with interval and p, and the items that moved most."""
    from .stats import MANY, difference_interval, fall_p, sign_flip

    rows: list[list[str]] = []
    most: dict[str, float] = {}
    for change in comparison:
        steps = [step.by for step in change.steps]
        one_sided = 0.5 if len(steps) <= MANY else fall_p(steps)
        p = sign_flip(steps) if len(steps) <= MANY else 2 * min(one_sided, 1 - one_sided)
        low, high, method = difference_interval(steps)
        moved = f"{change.now - change.baseline:+.3f}", f"{low:+.3f} to {high:+.3f} ({method})", f"{p:.2g}"
        means = f"{change.baseline:.2f}", f"{change.now:.2f}"
        rows.append([change.metric, *means, *moved, str(len(change.fell)), str(len(change.rose))])
        for step in change.steps:
            most[step.id] = max(most.get(step.id, 0), abs(step.by))
    header = ["metric", "baseline", "now", "change", "95 % interval", "p", "fell", "rose"]
    test = f"sign flips up to {MANY} items, else Student's t"
    changes = Table(header, rows, [h for h in header if h not in ("metric", "95 % interval")], [f"p: {test}"])
    ids = [name for name in sorted(most, key=lambda name: -most[name])[:MOVED] if most[name]]
    by_id = [{step.id: step for step in change.steps if step.id in ids} for change in comparison]
    names = [change.metric for change in comparison]
    shown = [[name, *(f"{steps[name].by:+.2f}" for steps in by_id), *by_id[0][name][2:]] for name in ids]
    answers = Table(["id", *names, "answer before", "answer now"], shown, names)
    return [("Against the baseline", changes), *([("What moved most", answers)] if ids else [])]


# --- for readers and for CI ------------------------------------------------------------------------------


def sections(
    card: Scorecard, golden: Sequence[Item], by: Sequence[str], comparison: Comparison | None
) -> list[Section]:
    """Return means with intervals, slices, and what a comparison has to say."""
    parts = [means_section(card), *(slice_section(card, golden, name) for name in by)]
    return parts + ([] if comparison is None else comparison_sections(comparison))


class Verdict(NamedTuple):
    """What a gate said: the reasons to stop, or None where no gate was asked for, and what noise may be."""

    reasons: Sequence[str] | None = None
    noise: Sequence[str] = ()

    @property
    def title(self) -> str:
        """Return the verdict in two words."""
        return "No gate" if self.reasons is None else "Gate failed" if self.reasons else "Gate passed"


def render(
    form: str,
    card: Scorecard,
    sections: Sequence[Section] = (),
    verdict: Verdict = Verdict(),  # noqa: B008
    comparison: Comparison | None = None,
) -> str:
    """Return a scorecard in one of FORMS, with its sections, the verdict and how it moved.

    `junit` has a test case for each reason to stop and for each item, `github` is a summary without rows,
    `html` one page with everything, ROWS rows at most. Sections in a form without room for them, and an
    unknown form, are ValueErrors.
    """
    known("format", form, dict.fromkeys(FORMS))
    if form in ("csv", "json", "junit") and sections:
        raise ValueError(f"intervals and slices are for readers, {form} is for programs")
    if form == "junit":
        return _junit(card, verdict, comparison or Comparison())
    if form == "html":
        return _html(card, sections, verdict, comparison)
    if form == "github":
        parts = [f"### Scorecard: {verdict.title.lower()}\n"]
        parts += [f"\n- {one_line(line)}" for line in [*(verdict.reasons or []), *verdict.noise]] + ["\n"]
    else:
        parts = [card.export(form)]
    for title, table in sections:
        if form == "text":
            parts.append(f"\n{title}\n\n{table.text()}")
        else:
            cells = [[f"{cell:.{CUT}}" for cell in row] for row in table.rows]
            shown = table._replace(rows=cells) if form == "github" else table
            parts.append(f"\n#### {title}\n\n{shown.markdown()}")
    return "".join(parts)


def _html(
    card: Scorecard, sections: Sequence[Section], verdict: Verdict, comparison: Comparison | None
) -> str:
    from . import plots
    from .page import page

    series = {"baseline": [change.baseline for change in comparison]} if comparison else {}
    figure = plots.bars("Means", card.metrics, series | {"now": list(card.means().values())}, limit=1.0)
    data = base64.b64encode(figure.png).decode()
    lines = "".join(f"<li>{html.escape(line)}</li>" for line in [*(verdict.reasons or []), *verdict.noise])
    image = f'<img alt="{html.escape(figure.description)}" src="data:image/png;base64,{data}">'
    looked = Table(["id", "look at it for", "reason"], flags(card), [])
    rows = card.view(most=ROWS, texts=["reference"])
    tables = [
        *sections,
        *([("Rows that deserve a reader", looked)] if looked.rows else []),
        ("All rows", rows),
    ]
    parts = [f"<p><strong>{verdict.title}</strong></p><ul>{lines}</ul><figure>{image}</figure>"]
    return page(
        "Scorecard", "\n".join(parts + [f"<h2>{title}</h2>\n{table.html()}" for title, table in tables])
    )


# What XML 1.0 cannot hold, not even escaped.
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _junit(card: Scorecard, verdict: Verdict, comparison: Comparison) -> str:
    from xml.etree import ElementTree

    def clean(text: str) -> str:
        return NO_XML.sub(lambda match: ascii(match[0])[1:-1], text)

    root = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(root, "testsuite", name="scorecard")

    def case(group: str, name: str, problems: Sequence[str], text: str) -> None:
        test = ElementTree.SubElement(suite, "testcase", classname=f"scorecard.{group}", name=clean(name))
        if problems:
            failure = ElementTree.SubElement(test, "failure", message=clean("; ".join(problems)))
            failure.text = clean(text)
        else:
            ElementTree.SubElement(test, "system-out").text = clean(text)

    fell: dict[str, list[str]] = {}
    before: dict[str, str] = {}
    for change in comparison if verdict.reasons else []:
        for step in change.steps:
            if step.by < 0:
                fell.setdefault(step.id, []).append(f"{change.metric} {step.by:+.4f}")
                before[step.id] = f"\nanswer before: {step.before}"
    for reason in verdict.reasons or [verdict.title]:
        words = reason.split()
        about = [line for line in verdict.noise if line.split()[0] == words[0]]
        problems = [reason] if verdict.reasons else []
        case("gate", " ".join(words[:2]).rstrip(":"), problems, "\n".join([reason, *about]))
    for row in card.rows:
        failed = (
            [f"the reply ended as {row['status']!r}"] if verdict.reasons and row["status"] != "ok" else []
        )
        scores = ", ".join(f"{name} {row[name]:.4f}" for name in card.metrics)
        text = f"{scores}\nreference: {row['reference']}\nanswer: {row['prediction']}"
        problems = [*failed, *fell.get(row["id"], [])]
        case("items", row["id"], problems, text + before.get(row["id"], ""))
    for name, found in (("tests", "testcase"), ("failures", "testcase/failure")):
        suite.set(name, str(len(suite.findall(found))))
    return ElementTree.tostring(root, "unicode", xml_declaration=True) + "\n"
