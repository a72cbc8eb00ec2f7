"""The command line: what it prints, what it exits with, and that bad input is one line and no traceback."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import ASCII_ONLY
from messages_server import MessagesServer, text_block

from lessonlib.__main__ import main
from lessonlib.data import data_folder, load_answers, load_golden
from lessonlib.scorecard import load_scorecard, scorecard
from lessonlib.version import __version__

PROGRAM = [sys.executable, "-m", "lessonlib"]
NOTE = "items with more references than the one used: 6 (--references all)\n"


def run(*arguments, **settings):
    """Run `python -m lessonlib` as a program of its own; return exit code, and output and errors as bytes."""
    environ = {**os.environ, **settings.pop("environ", {})}
    program = [*PROGRAM, *map(str, arguments)]
    done = subprocess.run(program, env=environ, capture_output=True, check=False, **settings)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def files(tmp_path):
    """Return a folder with a small golden set and answers to it."""
    golden = [
        {"id": "x", "question": "One?", "references": ["naïve café"]},
        {"id": "y", "question": "Two?", "references": ["25 dollars"]},
    ]
    answers = [{"id": "y", "text": "not 25 dollars"}, {"id": "x", "text": "naïve café – 今天"}]
    for name, records in (("golden", golden), ("answers", answers)):
        text = "\n".join(json.dumps(record) for record in records)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def own(files, *more):
    return ["scorecard", "--golden", f"{files}/golden.jsonl", "--answers", f"{files}/answers.jsonl", *more]


# --- scorecard -------------------------------------------------------------------------------------------


def test_scorecard_prints_the_course_s_own_from_any_folder(tmp_path):
    code, out, err = run("scorecard", cwd=tmp_path)
    assert code == 0
    assert out.decode("utf-8").splitlines() == scorecard(load_golden(), load_answers()).export().splitlines()
    assert err.decode("utf-8").splitlines() == [NOTE.rstrip()]


def test_options_choose_run_metrics_references_and_format(capsys):
    assert main(["scorecard", "--answers", "run3", "--metrics", "f1", "bleu_4", "--references", "all"]) == 0
    out, err = capsys.readouterr()
    card = scorecard(load_golden(), load_answers("run3"), ["f1", "bleu_4"], "all")
    assert (out, err) == (card.export("text"), "")
    for form in ("text", "markdown", "csv", "json"):
        assert main(["scorecard", "--format", form]) == 0
        assert capsys.readouterr() == (scorecard(load_golden(), load_answers()).export(form), NOTE)


def test_another_tokenizer_and_what_the_one_in_use_does_not_see(files, capsys):
    command = own(files, "--metrics", "rouge_l", "--format", "csv")
    assert main(command) == 0
    assert "the tokenizer rouge_stem sees " in capsys.readouterr().err
    assert main([*command, "--tokenizer", "word", "--normalizer", "raw"]) == 2
    assert "none of these metrics takes the option 'normalizer'" in capsys.readouterr().err
    assert main(own(files, "--tokenizer", "word", "--normalizer", "raw")) == 0
    out = capsys.readouterr().out
    assert "exact_match|norm:raw|" in out
    assert "rouge_l|tok:word|" in out


def test_out_writes_a_file_and_prints_nothing(files, capsys):
    out = files / "card.json"
    assert main(own(files, "--metrics", "exact_match", "--format", "json", "--out", str(out))) == 0
    assert capsys.readouterr() == ("", "")
    card = load_scorecard(out)
    assert [row["prediction"] for row in card.rows] == ["naïve café – 今天", "not 25 dollars"]
    assert b"\r" not in out.read_bytes()
    assert "今天".encode() in out.read_bytes()


def test_flags_name_the_rows_to_look_at(files, capsys):
    assert main(own(files, "--flags")) == 0
    out = capsys.readouterr().out
    assert out.endswith(
        "look at x: not judged, not plainly English, so a negation would not be seen\n"
        "look at y: negated, only the answer has 'not'\n"
    )


@pytest.mark.parametrize("form", ["csv", "json"])
def test_flags_do_not_spoil_what_a_program_reads(files, capsys, form):
    assert main(own(files, "--flags", "--format", form)) == 0
    out, err = capsys.readouterr()
    assert "look at y: negated" in err
    if form == "json":
        assert [row["id"] for row in json.loads(out)["items"]] == ["x", "y"]
    else:
        assert [row[0] for row in csv.reader(io.StringIO(out))] == ["id", "x", "y"]
    assert main(own(files, "--flags", "--format", form, "--out", str(files / "card"))) == 0
    assert "look at y: negated" in capsys.readouterr().out


# --- the gate --------------------------------------------------------------------------------------------


def test_gate_on_minimums_and_options_given_twice_add_up(capsys):
    assert main(["scorecard", "--metrics", "f1", "--metrics", "bleu_4"]) == 0
    assert capsys.readouterr().out.split()[:4] == ["id", "f1", "bleu_4", "prediction"]
    assert main(["scorecard", "--min", "f1=0.43", "rouge_l=.4", "exact_match=0"]) == 0
    assert capsys.readouterr().err == NOTE + "gate: passed\n"
    assert main(["scorecard", "--min", "f1=0.45", "--min", "rouge_l=.4"]) == 1
    reason = "gate: f1 is 0.4391, below the minimum of 0.4500\n"
    assert capsys.readouterr().err == f"{NOTE}{reason}gate: failed\n"


@pytest.fixture
def baseline(tmp_path):
    path = tmp_path / "baseline.json"
    assert main(["scorecard", "--answers", "run3", "--format", "json", "--out", str(path)]) == 0
    return path


def test_gate_against_a_baseline(baseline, capsys):
    same = ["scorecard", "--answers", "run3", "--baseline", str(baseline)]
    worse = ["scorecard", "--baseline", str(baseline)]
    capsys.readouterr()
    assert main(same) == 0
    assert capsys.readouterr().err.endswith("gate: passed\n")
    assert main(worse) == 1
    err = capsys.readouterr().err
    assert "gate: exact_match fell from 0.7500 to 0.0000 (lower: q1 q2 q4 q5 q6 q7)\n" in err
    assert err.endswith("gate: failed\n")
    assert main([*worse, "--tolerance", "0.75"]) == 0


def test_what_stops_is_the_team_s_choice_and_noise_is_told_apart(tmp_path, capsys):
    path = tmp_path / "run2.json"
    assert main(["scorecard", "--answers", "run2", "--format", "json", "--out", str(path), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    against_run2 = ["scorecard", "--baseline", str(path)]
    noise = (
        "noise: f1 -0.079: can't tell with 8 items: it would take 81 "
        "(95 %: -0.287 to +0.130, Student's t, paired, n = 8; one-sided p 0.2)\n"
    )
    for more, code, verdict in (([], 1, "failed"), (["--stop-on", "significant"], 0, "passed")):
        assert main([*against_run2, *more]) == code
        err = capsys.readouterr().err
        assert noise in err
        assert err.endswith(f"gate: {verdict}\n")
    assert main([*against_run2, "--quiet"]) == 1
    assert capsys.readouterr() == ("", "")


def test_a_real_fall_stops_a_team_that_stops_on_significant_ones(baseline, capsys):
    assert main(["scorecard", "--baseline", str(baseline), "--stop-on", "significant"]) == 1
    assert "noise: f1 -0.543: fell (95 %: -0.755 to -0.331, " in capsys.readouterr().err


@pytest.mark.parametrize("form", ["junit", "html", "github"])
def test_forms_for_ci_say_whether_the_gate_passed(baseline, capsys, form):
    for answers, code in (("run1", 1), ("run3", 0)):
        command = ["scorecard", "--answers", answers, "--baseline", str(baseline), "--format", form]
        assert main(command) == code
        out = capsys.readouterr().out
        assert ("Gate failed" in out or "Scorecard: gate failed" in out or "<failure" in out) == bool(code)


def test_a_refused_run_never_becomes_the_baseline(baseline, capsys):
    command = ["scorecard", "--format", "json", "--out", str(baseline), "--baseline", str(baseline)]
    before = baseline.read_bytes()
    for _ in range(2):
        assert main(command) == 1
        assert capsys.readouterr().err.endswith(f"gate: failed; {baseline} stays as it was\n")
        assert baseline.read_bytes() == before
    assert main([*command, "--tolerance", "0.75"]) == 0  # let pass, it is the baseline of the next run
    assert load_scorecard(baseline) == scorecard(load_golden(), load_answers())


def test_out_never_replaces_what_was_read(files, baseline, capsys):
    other = files / "other name"
    other.symlink_to(files / "answers.jsonl")
    before = {path: path.read_bytes() for path in files.iterdir()}
    for out in ("golden.jsonl", "answers.jsonl", "other name"):
        assert main(own(files, "--out", str(files / out))) == 2
        assert capsys.readouterr().err == f"lessonlib: --out '{files / out}' would replace an input\n"
    assert main(["scorecard", "--baseline", str(baseline), "--out", str(baseline), "--answers", "run3"]) == 2
    assert "would replace the baseline by text\n" in capsys.readouterr().err
    for name in ("golden.jsonl", "answers/run1.jsonl"):
        assert main(["scorecard", "--out", str(data_folder() / name)]) == 2
    assert {path: path.read_bytes() for path in files.iterdir()} == before


def test_a_write_that_is_cut_leaves_the_old_file(baseline, tmp_path):
    """A limit on the size of files stands in for a full disk."""
    before = baseline.read_bytes()
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)); "
    start = limit + "from lessonlib.__main__ import main; raise SystemExit(main())"
    command = [sys.executable, "-c", start, "scorecard", "--format", "json", "--out", str(baseline)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"lessonlib: cannot write '{baseline}': File too large".encode() in done.stderr
    assert baseline.read_bytes() == before
    assert list(tmp_path.iterdir()) == [baseline]


def test_a_written_file_keeps_its_mode_and_a_link_its_target(files):
    out, link = files / "card", files / "link"
    out.write_text("old", encoding="utf-8")
    out.chmod(0o640)
    link.symlink_to(out)
    assert main(own(files, "--out", str(link))) == 0
    assert (out.stat().st_mode & 0o777, link.is_symlink()) == (0o640, True)
    assert out.read_text(encoding="utf-8").startswith("id ")
    assert main(own(files, "--out", os.devnull)) == 0
    assert not Path(os.devnull).is_file()


def test_answers_that_failed_stop_the_gate_unless_accepted(files, capsys):
    answers = [{"id": "x", "text": "", "status": "refusal"}, {"id": "y", "text": "25 dollars"}]
    (files / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    assert main(own(files)) == 0
    out, err = capsys.readouterr()
    assert "failed: 1 of 2 (refusal 1)\n" in out
    assert err == "answers that failed and score 0: 1 (x)\n"
    assert main(own(files, "--min", "f1=0.5")) == 1
    assert capsys.readouterr().err.endswith("gate: answers failed: 1, accepted: 0 (x)\ngate: failed\n")
    assert main(own(files, "--min", "f1=0.5", "--max-failed", "1")) == 0
    assert main(own(files, "--max-failed", "0")) == 1


# --- which files, and which references ---------------------------------------------------------------------


def test_own_answers_scored_against_the_course_s_questions_are_said_to_be(tmp_path, capsys):
    path = tmp_path / "mine.jsonl"
    path.write_bytes((data_folder() / "answers" / "run1.jsonl").read_bytes())
    assert main(["scorecard", "--answers", str(path)]) == 0
    note = "scored against the course's golden set (--golden names another)\n"
    assert capsys.readouterr().err == note + NOTE
    assert main(["scorecard", "--answers", str(path), "--golden", str(data_folder() / "golden.jsonl")]) == 0
    assert capsys.readouterr().err == NOTE


def test_a_name_that_could_mean_two_runs_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run1").write_bytes((data_folder() / "answers" / "run3.jsonl").read_bytes())
    assert main(["scorecard"]) == 2
    message = "lessonlib: 'run1' is a run of the course and a file here: './run1' means the file\n"
    assert capsys.readouterr().err == message
    assert main(["scorecard", "--answers", "./run1", "--min", "f1=0.98"]) == 0


# --- where the output goes ---------------------------------------------------------------------------------


def test_a_reader_that_has_gone_is_no_traceback_and_no_failed_gate():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*PROGRAM, "scorecard"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(("more", "code"), [([], 0), (["--min", "f1=0.4"], 0), (["--min", "f1=0.9"], 1)])
def test_a_closed_output_leaves_the_verdict(more, code):
    command = ["sh", "-c", '"$@" >&-', "sh", *PROGRAM, "scorecard", *more]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout, b"Traceback" in done.stderr) == (code, b"", False)


def test_a_full_device_is_one_line():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "lessonlib", "scorecard"], stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 2
    assert done.stderr.endswith(b"lessonlib: [Errno 28] No space left on device\n")


@pytest.mark.parametrize(
    "words", [["-$5", "$5"], ["-x", "x"], ["--", "-$5", "$5"], ["-5", "5"], ["x", "--help"]]
)
def test_explain_takes_two_texts_whatever_they_begin_with(words, capsys):
    assert main(["explain", *words]) == 0
    assert "token F1" in capsys.readouterr().out


def test_a_baseline_made_by_a_pipe_is_read(tmp_path):
    """As a shell writes it, in a locale that is not UTF-8."""
    path = tmp_path / "baseline.json"
    code, out, _ = run("scorecard", "--format", "json", environ=ASCII_ONLY)
    path.write_bytes(out)
    assert code == 0
    assert main(["scorecard", "--baseline", str(path)]) == 0


# --- bad input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--answers", "run9"], "there is no run and no file 'run9'; recorded runs: run1, run2, run3"),
        (["--answers", "{}/bad.jsonl"], "bad.jsonl, line 2: not valid JSON ("),
        (["--answers", "{}/answers.jsonl"], "answers and golden set do not match by id (missing: 'q1', "),
        (["--answers", ""], "cannot read '.': Is a directory"),
        (["--golden", ""], "cannot read '.': Is a directory"),
        (["--golden", "{}/nowhere.jsonl"], "cannot read '"),
        (
            ["--golden", "{}/answers.jsonl"],
            "answers.jsonl, line 1: unknown field 'text'; known: id, question",
        ),
        (["--metrics", "blue"], "unknown metric 'blue'; known: exact_match, "),
        (["--tokenizer", "words"], "unknown tokenizer 'words'; known: squad, word, "),
        (["--references", "both"], "references must be one of first, all, not 'both'"),
        (["--format", "pdf"], "unknown format 'pdf'; known: text, markdown, csv, json, junit, html, github"),
        (["--format", "csv", "--by", "doc"], "intervals and slices are for readers, csv is for programs"),
        (["--by", "shape,size"], "unknown slice 'size'; known: shape, doc, length"),
        (["--stop-on", "significant"], "--stop-on significant needs a --baseline"),
        (["--jobs", "0"], "jobs must be 1 or more, not 0"),
        (
            ["--out", "{}/no/folder/card.txt"],
            "cannot write '{}/no/folder/card.txt': No such file or directory",
        ),
        (["--out", ""], "cannot write '.': Is a directory"),
        (["--min", "f1=high"], "--min takes METRIC=VALUE, such as f1=0.4, not 'f1=high'"),
        (["--min", "f1=0.1", "--min", "f1=0.9"], "--min names 'f1' twice"),
        (["--max-failed", "-1"], "max_failed must be 0 or more, not -1"),
        (["--tolerance", "0.1"], "a gate needs a minimum or a baseline"),
        (["--baseline", "{}/answers.jsonl"], "{}/answers.jsonl: not a scorecard exported as JSON ("),
        (["--baseline", ""], ": not a scorecard exported as JSON ("),
        (["--baseline", "{}/other.json"], "metric 'exact_match' is not comparable: None in the baseline, "),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(files, capsys, options, message):
    (files / "bad.jsonl").write_text('{"id": "q1", "text": "x"}\n{"id": }\n', encoding="utf-8")
    golden = load_golden()
    other = scorecard(golden, load_answers(), ["f1"]).export("json")
    (files / "other.json").write_text(other, encoding="utf-8")
    assert main(["scorecard", *(option.replace("{}", str(files)) for option in options)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"lessonlib: {message.replace('{}', str(files))}")
    assert err.count("\n") == 1
    assert err.endswith("\n")


def test_an_error_writes_nothing(files, capsys):
    out = files / "card.txt"
    for wrong in (["--baseline", str(files / "nowhere")], ["--min", "f1=2"], ["--metrics", "no"]):
        assert main(["scorecard", "--out", str(out), *wrong]) == 2
        assert not out.exists()


def test_as_a_program_bad_input_shows_no_traceback(tmp_path):
    code, out, err = run("scorecard", "--answers", tmp_path / "nowhere")
    assert (code, out) == (2, b"")
    assert err.startswith(b"lessonlib: there is no run and no file ")
    assert err.count(b"\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["unknown"], ["scorecard", "--nonsense"], ["scorecard", "--tolerance", "x"]]
)
def test_a_wrong_command_shows_how_it_is_used(capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python -m lessonlib ")


def test_version(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert (caught.value.code, capsys.readouterr().out) == (0, f"lessonlib {__version__}\n")


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    words = capsys.readouterr().out.split()
    assert {"scorecard", "record", "build", "check"} <= set(words)


# --- other locales ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [ASCII_ONLY, {"PYTHONIOENCODING": "cp1252:strict"}])
def test_answers_of_any_script_are_printed_under_any_locale(files, setting):
    code, text, err = run(*own(files, "--flags"), environ=setting)
    assert (code, err) == (0, b"")
    assert "naïve café – 今天" in text.decode("utf-8")


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json"])
def test_half_an_emoji_in_an_answer_is_no_crash(files, capsysbinary, form):
    answers = [{"id": "x", "text": "cut \ud83d"}, {"id": "y", "text": "25"}]
    text = "\n".join(json.dumps(record) for record in answers)
    (files / "answers.jsonl").write_text(text, encoding="utf-8")
    assert main(own(files, "--format", form)) == 0
    printed = capsysbinary.readouterr().out.replace(b"\r\n", b"\n")
    assert main(own(files, "--format", form, "--out", str(files / "card"))) == 0
    written = (files / "card").read_bytes()
    assert printed == written
    assert b"cut \\ud83d" in written
    if form == "json":
        assert [row["prediction"] for row in load_scorecard(files / "card").rows] == ["cut \ud83d", "25"]


def test_answers_come_from_standard_input_and_further_fields_are_passed_over_on_request(capsys, monkeypatch):
    lines = [json.dumps({"id": answer.id, "text": answer.text, "ms": 7}) for answer in load_answers("run1")]
    for option, code in (([], 2), (["--extra-fields"], 0)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(lines).encode("utf-8"))))
        assert main(["scorecard", "--answers", "-", "--min", "f1=0.43", *option]) == code
    assert "standard input, line 1: unknown field 'ms'" in capsys.readouterr().err


# --- record ----------------------------------------------------------------------------------------------


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    for name in ("ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def test_record_asks_keeps_and_resumes(key, tmp_path, capsys):
    path = tmp_path / "mine.jsonl"
    with MessagesServer("A1", "A2", 400, {"stop_reason": "refusal"}, "A5") as server:
        assert main(["record", str(path), "--base-url", server.url]) == 1
    out, err = capsys.readouterr()
    assert out == f"6 of 8 answers in {path}\n"
    assert err.startswith("q3: error BadRequestError: Error code: 400")  # and no bar: this is no terminal
    assert "q4: refusal\n" in err
    assert len(server.requests) == 8
    assert [answer.id for answer in load_answers(path)] == [f"q{n}" for n in range(1, 9)]
    assert server.requests[0]["body"]["messages"][0]["content"].endswith(
        "Question: Which HTTP status code does Meridian return when a client exceeds the rate limit?"
    )

    with MessagesServer({"content": [text_block("25 dollars")]}) as server:
        assert main(["record", str(path), "--base-url", server.url]) == 1  # the refusal stands
    assert len(server.requests) == 1
    assert capsys.readouterr().out == f"7 of 8 answers in {path}\n"
    assert {answer.id: answer.text for answer in load_answers(path)}["q3"] == "25 dollars"
    assert main(["scorecard", "--answers", str(path), "--min", "f1=0.08", "--max-failed", "1"]) == 0


def test_record_with_questions_and_documents_of_your_own(key, files, capsys):
    (files / "docs.jsonl").write_text('{"id": "d", "title": "T", "text": "One, two."}\n', encoding="utf-8")
    path = files / "mine.jsonl"
    with MessagesServer("naïve café", "25 dollars") as server:
        command = ["record", str(path), "--base-url", server.url, "--golden", str(files / "golden.jsonl")]
        assert main(command) == 2
        assert main([*command[:4], "--documents", str(files / "docs.jsonl")]) == 2
        assert server.requests == []
        own = ["--documents", str(files / "docs.jsonl"), "--about", "numbers", "--model", "m", "--limit", "1"]
        assert main([*command, *own]) == main([*command, *own]) == 0
    assert capsys.readouterr() == (
        f"1 of 2 answers in {path}\n2 of 2 answers in {path}\n",
        "lessonlib: --golden needs --documents, and they need it: the course's own are about Meridian\n" * 2,
    )
    assert [request["body"]["model"] for request in server.requests] == ["m", "m"]
    assert server.requests[0]["body"]["messages"][0]["content"] == (
        "Answer the question about numbers in one short sentence, from these pages only."
        "\n\n[d] T\nOne, two.\n\nQuestion: One?"
    )
    assert [answer.text for answer in load_answers(path)] == ["naïve café", "25 dollars"]
    golden = str(files / "golden.jsonl")
    assert main(["scorecard", "--golden", golden, "--answers", str(path), "--min", "exact_match=1"]) == 0


@pytest.mark.parametrize("text", [None, "", " \n"])
def test_record_without_a_key_says_so(tmp_path, capsys, monkeypatch, text):
    if text is not None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", text)
    path = tmp_path / "mine.jsonl"
    assert main(["record", str(path), "--base-url", "http://127.0.0.1:9"]) == 2
    assert capsys.readouterr() == (
        "",
        "lessonlib: live answers need a key: ANTHROPIC_API_KEY is missing or blank\n",
    )
    assert not path.exists()


def test_record_stops_at_what_every_question_would_meet(key, tmp_path, capsys):
    path = tmp_path / "mine.jsonl"
    with MessagesServer(401) as server:
        assert main(["record", str(path), "--base-url", server.url]) == 2
    out, err = capsys.readouterr()
    assert (len(server.requests), out, err.count("\n")) == (1, "", 1)
    assert err.startswith(f"lessonlib: no answer from {server.url}")
    for option in (["--limit", "0"], ["--timeout", "0"], ["--retry", "ok"], ["--about", "x"]):
        assert main(["record", str(path), "--base-url", server.url, *option]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_record_names_ten_failures_and_asks_again_what_was_empty(key, files, capsys):
    ids = [f"i{n}" for n in range(12)]
    lines = [json.dumps({"id": name, "question": f"{name}?", "references": ["x"]}) for name in ids]
    (files / "golden.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (files / "docs.jsonl").write_text('{"id": "d", "title": "T", "text": "x", "by": 1}\n', encoding="utf-8")
    command = ["record", str(files / "mine.jsonl"), "--golden", str(files / "golden.jsonl"), "--extra-fields"]
    command += ["--documents", str(files / "docs.jsonl")]
    with MessagesServer({"content": []}) as server:
        assert main([*command, "--base-url", server.url]) == 1
        assert main([*command, "--base-url", server.url]) == 1
    assert len(server.requests) == 12
    said = "".join(f"{name}: empty\n" for name in ids[:10]) + "and i10, i11\n"
    assert capsys.readouterr().err == said * 2
    with MessagesServer("x") as server:
        assert main([*command, "--base-url", server.url, "--retry", "empty", "truncated"]) == 0
    assert len(server.requests) == 12


def test_record_over_a_file_of_something_else_asks_nothing_and_leaves_it(key, tmp_path, capsys):
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n", encoding="utf-8")
    with MessagesServer("A") as server:
        assert main(["record", str(path), "--base-url", server.url]) == 2
        assert main(["record", str(path / "run.jsonl"), "--base-url", server.url]) == 2
    assert server.requests == []
    assert path.read_text(encoding="utf-8") == "my notes\n"
    assert capsys.readouterr().err.startswith("lessonlib: notes.txt, line 1: not valid JSON (")


def test_stopping_a_recording_is_no_traceback(key, tmp_path, capsys, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("lessonlib.docent.LiveClient.create", stop)
    assert main(["record", str(tmp_path / "mine.jsonl"), "--base-url", "http://127.0.0.1:9"]) == 130
    assert capsys.readouterr().err.endswith("lessonlib: stopped\n")
