"""The command line, `python -m lessonlib COMMAND`: exit code 0 is success, 1 a failed gate, 2 bad input."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from .teaching.commands import add_commands
from .version import __version__

OPTIONS = ("tokenizer", "normalizer")  # of metrics, for the command line


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; bad input is one line on standard error, no traceback."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed, and its number must not go to a file of ours
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        stream = getattr(sys, name)
        if isinstance(
            stream, io.TextIOWrapper
        ):  # UTF-8 always, also where the locale or a pipe says otherwise
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["explain"] and len(words) == 3:
        words.insert(1, "--")  # two texts are two texts, also when one begins with a dash
    arguments = _parser().parse_args(words)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has gone; 141 is how a shell tells of it
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # for what Python still writes at its end
        return 141
    except (ValueError, OSError) as error:
        print(f"lessonlib: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("lessonlib: stopped", file=sys.stderr)
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lessonlib", description="Reference metrics: run, build, gate."
    )
    parser.add_argument("--version", action="version", version=f"lessonlib {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    card = commands.add_parser(
        "scorecard", help="score recorded answers and print the table; a gate with --min"
    )
    card.set_defaults(run=_scorecard)
    card.add_argument("--golden", help="a golden set (JSONL); default: the course's")
    card.add_argument("--answers", default="run1", help="a run of the course, a file or - (default: run1)")
    card.add_argument("--extra-fields", action="store_true", help="pass over unknown fields in both")
    card.add_argument(
        "--metrics",
        nargs="+",
        action="extend",
        help="names from the registry (default: exact_match f1 rouge_l)",
    )
    for name in OPTIONS:
        card.add_argument(f"--{name}", metavar="NAME", help=f"another {name} for the metrics that take one")
    card.add_argument(
        "--references",
        help="first, or all: the best of each list (default: all; for the course's set: first)",
    )
    card.add_argument(
        "--format",
        default="text",
        help="text (default), markdown, html (one page), github (a short summary); for programs: json, "
        "csv (no spreadsheet's), junit",
    )
    card.add_argument("--out", type=Path, help="write there instead of printing")
    card.add_argument("--flags", action="store_true", help="also list the rows that deserve a reader")
    card.add_argument(
        "--min",
        nargs="+",
        action="extend",
        default=[],
        metavar="METRIC=VALUE",
        help="fail below these means",
    )
    card.add_argument("--baseline", help="fail on a fall against this scorecard (JSON)")
    card.add_argument(
        "--tolerance",
        type=float,
        default=0.0,
        help="how far a mean may lie below the baseline's and pass: 0.02 lets 0.50 become 0.48 (default: 0, "
        "no fall at all); a choice of yours, which knows no noise",
    )
    card.add_argument(
        "--stop-on",
        choices=("fall", "significant"),
        default="fall",
        help="which falls beyond the tolerance fail: any (default), or those that are more than noise",
    )
    card.add_argument(
        "--max-failed", type=int, metavar="N", help="answers that may fail in a gate (default: 0)"
    )
    card.add_argument(
        "--intervals",
        action="store_true",
        help="also how sure means and differences are, and what moved most",
    )
    card.add_argument("--by", default="", metavar="NAMES", help="also the means by shape,doc,length")
    card.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that score (default: 1)")
    card.add_argument("--quiet", action="store_true", help="print errors only; the exit code is the verdict")

    record = commands.add_parser("record", help="ask Docent the golden set, live, and keep its answers")
    record.set_defaults(run=_record)
    record.add_argument("out", type=Path, help="a JSONL file; a second run resumes it")
    record.add_argument("--golden", help="questions of your own (JSONL), with --documents")
    record.add_argument("--documents", help="pages of your own (JSONL) to answer from, with --golden")
    record.add_argument("--about", help='what they are about, for the prompt: "the Acme database"')
    record.add_argument("--extra-fields", action="store_true", help="pass over unknown fields in both")
    record.add_argument("--base-url", help="another address of the Messages API")
    record.add_argument("--model", help="another model")
    record.add_argument(
        "--timeout",
        type=float,
        default=60.0,
        help="seconds a question may take, waits included (default: 60)",
    )
    record.add_argument("--limit", type=int, metavar="N", help="ask at most N questions in this run")
    record.add_argument(
        "--retry", nargs="+", default=[], metavar="STATUS", help="ask these again: empty truncated ..."
    )

    pair = commands.add_parser(
        "explain", help="one pair under many tokenizers, smoothings and libraries, and why the scores differ"
    )
    pair.set_defaults(run=_explain)
    pair.add_argument("prediction")
    pair.add_argument("reference")

    people = commands.add_parser("validate", help="hold metrics against your own people's verdicts")
    people.set_defaults(run=_validate)
    people.add_argument("--golden", required=True, help="a golden set (JSONL)")
    people.add_argument("--answers", required=True, type=Path, help="the answers (JSONL)")
    people.add_argument(
        "--verdicts", required=True, help='what people said (JSONL): {"id": "q1", "right": true}'
    )
    people.add_argument(
        "--metrics", nargs="+", action="extend", help="names from the registry (default: all)"
    )
    people.add_argument("--references", default="all", help="all (default: the best of each list) or first")

    advice = commands.add_parser(
        "guide", help="which metric for which answer, from public verdicts (Markdown)"
    )
    advice.set_defaults(run=_guide)

    add_commands(commands)
    return parser


def _scorecard(arguments: argparse.Namespace) -> int:
    from . import scorecard as cards
    from . import summary
    from .data import answers_file, data_folder, load_answers, load_golden, pair
    from .report import some, write_whole

    course = data_folder()
    source, out = answers_file(arguments.answers), arguments.out
    if _same(out, source) or _same(out, arguments.golden or course / "golden.jsonl"):
        raise ValueError(f"--out {str(out)!r} would replace an input")
    onto_baseline = _same(out, arguments.baseline)
    if onto_baseline and arguments.format != "json":
        raise ValueError(f"--out {str(out)!r} would replace the baseline by {arguments.format}")
    extra = "ignore" if arguments.extra_fields else "refuse"
    golden = load_golden(arguments.golden, extra)
    options = {name: vars(arguments)[name] for name in OPTIONS if vars(arguments)[name] is not None}
    metrics = arguments.metrics or cards.DEFAULT_METRICS
    scorer = cards.make_scorer(golden, metrics, arguments.references, options)
    rows = cards.score_rows(scorer, pair(golden, load_answers(arguments.answers, extra)), arguments.jobs)
    card = cards.Scorecard(rows, scorer.signatures)
    comparison, verdict = None, summary.Verdict()
    if arguments.stop_on == "significant" and arguments.baseline is None:
        raise ValueError("--stop-on significant needs a --baseline")
    if arguments.baseline is not None:
        comparison = cards.compare(card, cards.load_scorecard(arguments.baseline))
    if arguments.min or arguments.tolerance or (arguments.baseline, arguments.max_failed) != (None, None):
        noise = summary.noise_lines(comparison or [])
        stops = summary.significant(comparison or []) if arguments.stop_on == "significant" else comparison
        reasons = cards.gate(card, _minimums(arguments.min), stops, arguments.tolerance, arguments.max_failed)
        verdict = summary.Verdict(reasons, noise)
    by = list(filter(None, arguments.by.split(",")))
    wanted = arguments.intervals or by or arguments.format in ("html", "github")
    sections = summary.sections(card, golden, by, comparison) if wanted else []
    text = summary.render(arguments.format, card, sections, verdict, comparison)
    if out is None:
        sys.stdout.write("" if arguments.quiet else text)
    elif not (verdict.reasons and onto_baseline):  # a run that was refused must not become the baseline
        write_whole(out, text)
    for_programs = out is None and arguments.format not in ("text", "markdown")
    notes = card.unseen() if out is not None or for_programs else []
    if arguments.golden is None and source.parent != course / "answers":
        notes.append("scored against the course's golden set (--golden names another)")
    several = sum(len(item.references) > 1 for item in golden)
    if several and card.signatures[card.metrics[0]].endswith("targets:first"):
        notes.append(f"items with more references than the one used: {several} (--references all)")
    if failed := [row["id"] for row in card.failed]:
        notes.append(f"answers that failed and score 0: {len(failed)} ({some(failed, ' ')})")
    for flag in cards.flags(card) if arguments.flags and not arguments.quiet else []:
        line = f"look at {flag.id}: {flag.name}, {flag.reason}"
        print(line, file=sys.stderr if for_programs else sys.stdout)
    notes += [f"gate: {reason}" for reason in verdict.reasons or []]
    notes += [f"noise: {line}" for line in verdict.noise]
    if verdict.reasons is not None:
        kept = f"; {out} stays as it was" if verdict.reasons and onto_baseline else ""
        notes.append(f"{verdict.title.lower().replace(' ', ': ')}{kept}")
    for note in [] if arguments.quiet else notes:
        print(note, file=sys.stderr)
    return 1 if verdict.reasons else 0


def _same(out: Path | None, path: str | Path | None) -> bool:
    """Say whether both are one file, whatever they are called."""
    if out is None or path is None:
        return False
    return out.exists() and Path(path).exists() and out.samefile(path)


def _minimums(texts: Sequence[str]) -> dict[str, float]:
    minimums: dict[str, float] = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            number = float(value)
        except ValueError:
            raise ValueError(f"--min takes METRIC=VALUE, such as f1=0.4, not {text!r}") from None
        if name in minimums:
            raise ValueError(f"--min names {name!r} twice")
        minimums[name] = number
    return minimums


def _record(arguments: argparse.Namespace) -> int:
    from contextlib import closing
    from functools import partial

    from tqdm import tqdm

    from .data import load_documents, load_golden
    from .docent import MODEL, Docent, build_prompt, connect
    from .report import some
    from .text import require_whole

    own = arguments.golden is not None
    if own != (arguments.documents is not None) or (arguments.about is not None and not own):
        raise ValueError("--golden needs --documents, and they need it: the course's own are about Meridian")
    require_whole("--limit", 1 if arguments.limit is None else arguments.limit)
    about = f" about {arguments.about}" if arguments.about else ""
    model = MODEL if arguments.model is None else arguments.model
    prompt = partial(build_prompt, opening=f"Answer the question{about}") if own else build_prompt
    extra = "ignore" if arguments.extra_fields else "refuse"
    golden, documents = load_golden(arguments.golden, extra), load_documents(arguments.documents, extra)
    with closing(connect(golden, "", True, arguments.base_url, arguments.timeout)) as client:
        docent = Docent(client, documents, prompt, model, arguments.retry)
        answers = docent.run(
            golden, arguments.out, lambda items: tqdm(items[: arguments.limit], disable=None)
        )
    failed = [answer for answer in answers if answer.status != "ok"]
    for answer in failed[:10]:
        print(f"{answer.id}: {answer.status} {answer.error}".rstrip(), file=sys.stderr)
    if failed[10:]:
        print(f"and {some([answer.id for answer in failed[10:]])}", file=sys.stderr)
    print(f"{len(answers) - len(failed)} of {len(golden)} answers in {arguments.out}")
    return 1 if failed else 0


def _explain(arguments: argparse.Namespace) -> int:
    from .explain import explain

    print(explain(arguments.prediction, arguments.reference))
    return 0


def _validate(arguments: argparse.Namespace) -> int:
    from .data import load_answers, load_golden
    from .metrics import METRICS
    from .validity import load_verdicts, validate

    golden, answers = load_golden(arguments.golden), load_answers(arguments.answers)
    metrics = arguments.metrics or tuple(METRICS)
    print(validate(golden, answers, load_verdicts(arguments.verdicts), metrics, arguments.references))
    return 0


def _guide(_: argparse.Namespace) -> int:
    from .guide import guide

    print(guide())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
