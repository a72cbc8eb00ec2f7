"""The command line, `python -m lessonlib COMMAND`: exit code 0 is success, 1 a failed gate, 2 bad input."""

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from .teaching.commands import add_commands


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; bad input is one line on standard error, no traceback."""
    for stream in (sys.stdout, sys.stderr):  # UTF-8 always, also where the locale or a pipe says otherwise
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
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
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    card = commands.add_parser(
        "scorecard", help="score recorded answers and print the table; a gate with --min"
    )
    card.set_defaults(run=_scorecard)
    card.add_argument("--golden", help="a golden set (JSONL); default: the course's")
    card.add_argument("--answers", default="run1", help="a run of the course or a JSONL file (default: run1)")
    card.add_argument(
        "--metrics",
        nargs="+",
        action="extend",
        help="names from the registry (default: exact_match f1 rouge_l)",
    )
    card.add_argument("--references", default="first", help="first (default) or all: the best of each list")
    card.add_argument("--format", default="text", help="text (default), markdown, csv or json")
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
        "--tolerance", type=float, default=0.0, help="a fall that is still accepted (default: 0)"
    )

    record = commands.add_parser("record", help="ask Docent the golden set, live, and keep its answers")
    record.set_defaults(run=_record)
    record.add_argument("out", type=Path, help="a JSONL file; a second run resumes it")
    record.add_argument("--golden", help="a golden set (JSONL); default: the course's")
    record.add_argument("--documents", help="the documents (JSONL) to answer from; default: Meridian's")
    record.add_argument("--base-url", help="another address of the Messages API")

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
    from .data import load_answers, load_golden
    from .scorecard import DEFAULT_METRICS, flags, gate, load_scorecard, scorecard

    golden = load_golden(arguments.golden)
    answers = load_answers(arguments.answers)
    card = scorecard(golden, answers, arguments.metrics or DEFAULT_METRICS, arguments.references)
    text = card.export(arguments.format)
    reasons = None
    if arguments.min or arguments.baseline is not None or arguments.tolerance:
        # Before anything is written: --out may name the baseline.
        baseline = None if arguments.baseline is None else load_scorecard(arguments.baseline)
        reasons = gate(card, _minimums(arguments.min), baseline, arguments.tolerance)
    if arguments.out is None:
        sys.stdout.write(text)
    else:
        arguments.out.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
    several = sum(len(item.references) > 1 for item in golden)
    if arguments.references == "first" and several:
        print(f"items with more references than the one used: {several} (--references all)", file=sys.stderr)
    for_programs = arguments.out is None and arguments.format in ("csv", "json")
    for flag in flags(card) if arguments.flags else []:
        line = f"look at {flag.id}: {flag.name}, {flag.reason}"
        print(line, file=sys.stderr if for_programs else sys.stdout)
    if reasons is None:
        return 0
    for reason in reasons:
        print(f"gate: {reason}", file=sys.stderr)
    print(f"gate: {'failed' if reasons else 'passed'}", file=sys.stderr)
    return 1 if reasons else 0


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
    from tqdm import tqdm

    from .data import load_documents, load_golden
    from .docent import connect, run_docent

    golden = load_golden(arguments.golden)
    documents = load_documents(arguments.documents)
    with connect(golden, live=True, base_url=arguments.base_url) as client:
        answers = run_docent(golden, client, documents, arguments.out, tqdm)
    failed = [answer for answer in answers if answer.status != "ok"]
    for answer in failed:
        print(f"{answer.id}: {answer.status} {answer.error}".rstrip(), file=sys.stderr)
    print(f"{len(answers) - len(failed)} of {len(answers)} answers in {arguments.out}")
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
