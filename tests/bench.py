"""Time lessonlib against the reference implementations: `python tests/bench.py`.

One table. A ratio is the peer's time over ours: the median over runs that take turns in one process, every
cache cleared before each run, the scores of both compared in that run. Peers that are not installed are
left out by name. Also: how time grows with length, and the memory of one ROUGE-L.
"""

import collections
import gc
import importlib.util
import json
import logging
import math
import os
import random
import re
import statistics
import string
import subprocess
import sys
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lessonlib import exact_match, rouge_l, text, token_f1
from lessonlib.bleu import bleu, corpus_bleu
from lessonlib.chrf import chrf

ROUNDS = 9  # at least
VOCABULARY = 2_000  # different words in all texts together, as in the documents of one product
Row = tuple[str, str, str, str, str]
Scorer = Callable[..., float]

# --- the texts -------------------------------------------------------------------------------------------

STARTS = MIDDLES = "a e i o u ai ea ou".split()  # noqa: SIM905
ENDS = "n r t d l m nt st ck ve te ss".split()  # noqa: SIM905
SUFFIXES = ["", "", "", "", "s", "ed", "ing", "ly", "er", "ation", "ness", "ational", "ies", "ful"]
SHORT_WORDS = "the a an of in is and to at for per on with".split()  # noqa: SIM905


def vocabulary(rng: random.Random, size: int) -> list[str]:
    """Return words of English shape, short ones first, so that the stemmer has work to do."""
    words = set(SHORT_WORDS)
    while len(words) < size:
        syllables = [rng.choice(STARTS) + rng.choice(MIDDLES) for _ in range(rng.choice([1, 1, 2]))]
        words.add("".join(syllables) + rng.choice(ENDS) + rng.choice(SUFFIXES))
    return sorted(words, key=lambda word: (len(word), word))


CYRILLIC = str.maketrans("abcdefghiklmnoprstuvwy", "абцдефгхиклмнопрстувшы")


def german(word: str) -> str:
    """Spell a word with the letters of German that ASCII lacks."""
    for english, letter in (("the", "die"), ("ai", "ä"), ("ea", "ö"), ("ou", "ü"), ("ss", "ß")):
        word = word.replace(english, letter)
    return word


def russian(word: str) -> str:
    """Spell a word with Cyrillic letters."""
    return word.translate(CYRILLIC)


class Writer:
    """Writes texts whose words are as unevenly frequent as in any language (Zipf's law)."""

    def __init__(self, seed: int, spell: Callable[[str], str] = str) -> None:
        self.rng = random.Random(seed)
        self.words = [spell(word) for word in vocabulary(self.rng, VOCABULARY)]
        self.weights = [1 / rank for rank in range(1, len(self.words) + 1)]

    def text(self, length: int) -> str:
        words = self.rng.choices(self.words, self.weights, k=length)
        for i in range(0, length, 9):
            words[i] = words[i].title()
            words[i - 1] += self.rng.choice([".", ",", "", "?"])
        return " ".join(words)

    def relative(self, original: str) -> str:
        """Return the text with a third of its words replaced, left out or doubled."""
        words: list[str] = []
        for word in original.split():
            chance = self.rng.random()
            if chance < 0.15:
                words += self.text(1).split()
            elif chance > 0.25:
                words += [word] if chance < 0.95 else [word, word]
        return " ".join(words)

    def pairs(self, count: int, shortest: int, longest: int) -> list[tuple[str, str]]:
        texts = [self.text(self.rng.randint(shortest, longest)) for _ in range(count)]
        return [(self.relative(reference), reference) for reference in texts]

    def segments(self, count: int, references: int) -> list[tuple[str, list[str]]]:
        texts = [self.text(self.rng.randint(10, 35)) for _ in range(count)]
        return [(self.relative(t), [self.relative(t) for _ in range(references)]) for t in texts]


# --- timing ----------------------------------------------------------------------------------------------


# What clears the caches of a module's functions; peers add theirs.
CLEAR = [function.cache_clear for function in vars(text).values() if hasattr(function, "cache_clear")]


def seconds(scorers: Sequence[Scorer], pairs: Sequence[tuple]) -> tuple[float, list[float]]:
    """Return the time of one run with cold caches, and each score of each pair, pair by pair."""
    for clear in CLEAR:
        clear()
    gc.collect()
    start = time.perf_counter()
    scores = [scorer(prediction, reference) for prediction, reference in pairs for scorer in scorers]
    return time.perf_counter() - start, scores


def compare(
    what: str, peer: str, at_least: float, sides: tuple[Sequence[Scorer], ...], pairs: Sequence[tuple]
) -> Row:
    """Run our scorers and the peer's in turns and return a row; unequal scores end the benchmark."""
    times: tuple[list[float], ...] = ([], [])
    while len(times[0]) < ROUNDS or sum(map(sum, times)) < 1:  # quick work is repeated for a second
        runs = [seconds(side, pairs) for side in sides]
        for column, (took, _) in zip(times, runs, strict=True):
            column.append(took)
        largest = max(abs(a - b) for a, b in zip(runs[0][1], runs[1][1], strict=True))
        if largest > 1e-9:
            sys.exit(f"{what}: {peer} differs by {largest}")
    ratio = statistics.median(times[1]) / statistics.median(times[0])
    return what, peer, f"{ratio:.1f}", f">= {at_least:g}", f"{len(runs[0][1])} scores, {largest:.0e}"


def installed(name: str, missing: list[str]) -> bool:
    """Tell whether a peer can be imported, and remember its name if not."""
    if importlib.util.find_spec(name):
        return True
    missing.append(name)
    return False


# --- the peers -------------------------------------------------------------------------------------------


def squad_normalize(answer: str) -> str:
    """Normalize in four steps, each a function of its own, as the official script does."""

    def remove_articles(text: str) -> str:
        pattern = re.compile(r"\b(a|an|the)\b", re.UNICODE)
        return re.sub(pattern, " ", text)

    def fix_white_space(text: str) -> str:
        return " ".join(text.split())

    def remove_punctuation(text: str) -> str:
        excluded = set(string.punctuation)
        return "".join(character for character in text if character not in excluded)

    def lower(text: str) -> str:
        return text.lower()

    return fix_white_space(remove_articles(remove_punctuation(lower(answer))))


def squad_em(prediction: str, reference: str) -> int:
    """Compare as the official script does."""
    return int(squad_normalize(prediction) == squad_normalize(reference))


def squad_f1(prediction: str, reference: str) -> float:
    """Count common tokens as the official script does."""
    tokens, gold = squad_normalize(prediction).split(), squad_normalize(reference).split()
    common = collections.Counter(tokens) & collections.Counter(gold)
    same = sum(common.values())
    if not tokens or not gold:
        return int(tokens == gold)
    if not same:
        return 0
    precision, recall = same / len(tokens), same / len(gold)
    return 2 * precision * recall / (precision + recall)


def squad_rows() -> Iterator[Row]:
    """Compare with the official script's logic, in three alphabets."""
    ours, theirs, wanted = (exact_match, token_f1), (squad_em, squad_f1), (2.5, 2.5, 2.5)
    for what, spell, count, lengths, at_least in (
        ("short pairs", str, 20_000, (2, 8), (3, 3.5, 5)),
        ("German, 8 words", german, 5_000, (8, 8), wanted),
        ("German, 400 words", german, 100, (400, 400), wanted),
        ("Russian, 8 words", russian, 5_000, (8, 8), wanted),
        ("Russian, 400 words", russian, 100, (400, 400), wanted),
    ):
        pairs = Writer(1, spell).pairs(count, *lengths)
        chosen = {"EM": slice(1), "F1": slice(1, 2), "both": slice(2)}
        for (name, part), least in zip(chosen.items(), at_least, strict=True):
            sides = ours[part], theirs[part]
            yield compare(f"{name}, {what}", "SQuAD script's logic", least, sides, pairs)


def rouge_rows(missing: list[str]) -> Iterator[Row]:
    """Compare ROUGE-L with three packages of the same interface."""
    writer = Writer(2)
    sizes = {
        "short answers": writer.pairs(6_000, 3, 14),
        "60-120 words": writer.pairs(300, 60, 120),
        "1,600 words": writer.pairs(1, 1_600, 1_600),
    }
    for peer, stem, wanted in (
        ("rouge_score", False, (5, 30, 400)),
        ("rouge_score", True, (8, 15, 15)),
        ("rapidrouge", False, (2, 2, 2)),
        ("rouge_score_rs", False, (0.4, 0.2)),
    ):
        if not installed(peer, missing):
            continue
        scorer = importlib.import_module(f"{peer}.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=stem)
        if stem:
            rouge_l("running", "running")  # NLTK is imported at the first stem: not in the timed run
        ours = partial(rouge_l, tokenizer="rouge_stem" if stem else "rouge")

        def theirs(prediction: str, reference: str, scorer=scorer) -> float:
            return scorer.score(reference, prediction)["rougeL"].fmeasure

        for (size, pairs), at_least in zip(sizes.items(), wanted, strict=False):
            what = f"ROUGE-L{', stemmer' if stem else ''}, {size}"
            yield compare(what, peer, at_least, ((ours,), (theirs,)), pairs)


def bleu_rows(
    peer: str, at_least: float, corpus: tuple[Scorer, ...], sentence: tuple[Scorer, ...]
) -> Iterator[Row]:
    """Compare a corpus and its sentences one by one, ours and theirs, with 1, 2 and 4 references."""
    for count in (1, 2, 4):
        segments = Writer(3).segments(500, count)
        whole = [(list(hypotheses), list(lists)) for hypotheses, lists in [zip(*segments, strict=True)]]
        for what, (ours, theirs), pairs in (("corpus", corpus, whole), ("sentence", sentence, segments)):
            yield compare(f"{what} BLEU, references: {count}", peer, at_least, ((ours,), (theirs,)), pairs)


def sacrebleu_rows() -> Iterator[Row]:
    """Compare BLEU with sacrebleu's defaults, tokenizer 13a and smoothing exp; and chrF."""
    import sacrebleu
    from sacrebleu.tokenizers import tokenizer_13a, tokenizer_re

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it advises effective order at every sentence
    for tokenizer in (tokenizer_13a.Tokenizer13a, tokenizer_re.TokenizerRegexp):
        CLEAR.append(tokenizer.__call__.cache_clear)
    metric, options = sacrebleu.BLEU(), {"smoothing": "exp", "tokenizer": "13a"}

    def corpus(hypotheses: list[str], lists: list[list[str]]) -> float:
        return metric.corpus_score(hypotheses, list(zip(*lists, strict=True))).score / 100

    def sentence(*texts) -> float:
        return metric.sentence_score(*texts).score / 100

    ours = [lambda *texts, make=make: make(*texts, **options).score for make in (corpus_bleu, bleu)]
    yield from bleu_rows("sacrebleu", 3, (ours[0], corpus), (ours[1], sentence))
    for name, order in (("chrF", 0), ("chrF++", 2)):
        ours, theirs = partial(chrf, word_order=order), sacrebleu.CHRF(word_order=order)
        sides = (ours,), (lambda p, r, theirs=theirs: theirs.sentence_score(p, [r]).score / 100,)
        yield compare(name, "sacrebleu", 1, sides, Writer(4).pairs(500, 10, 35))


def nltk_rows() -> Iterator[Row]:
    """Compare BLEU with NLTK's method 2; both split texts with the tokenizer `word` in the timed run."""
    from nltk.translate import bleu_score

    smooth, tokens = bleu_score.SmoothingFunction().method2, text.word_tokens

    def corpus(hypotheses: list[str], references: list[list[str]]) -> float:
        lists = [[tokens(text) for text in texts] for texts in references]
        return bleu_score.corpus_bleu(lists, [tokens(text) for text in hypotheses], smoothing_function=smooth)

    def sentence(hypothesis: str, texts: list[str]) -> float:
        lists = [tokens(text) for text in texts]
        return bleu_score.sentence_bleu(lists, tokens(hypothesis), smoothing_function=smooth)

    def ours(hypotheses: list[str], references: list[list[str]]) -> float:
        return corpus_bleu(hypotheses, references, smoothing="add-one").score

    return bleu_rows("NLTK", 3.5, (ours, corpus), (lambda *texts: bleu(*texts).score, sentence))


# --- import, growth, memory ------------------------------------------------------------------------------


def start_row(what: str, code: str, peer: str, its_code: str, at_least: float) -> Row:
    """Compare the time that two pieces of code add to a bare start of Python."""

    def start(code: str) -> float:
        begin = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True)
        done.check_returncode()
        return time.perf_counter() - begin

    root, environment = Path(__file__).resolve().parents[1], dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the first start compiles, all others find it compiled
    codes = ("pass", code, its_code)
    with tempfile.TemporaryDirectory() as compiled:
        environment["PYTHONPYCACHEPREFIX"] = compiled
        times = [[start(code) for code in codes] for _ in range(3 * ROUNDS)]
    bare, ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    note = f"{1000 * (ours - bare):.0f} ms, {1000 * (theirs - bare):.0f} ms"
    return what, peer, f"{(theirs - bare) / (ours - bare):.1f}", f">= {at_least:g}", note


def start_rows() -> Iterator[Row]:
    """Time the import, and the scorecard of eight answers, which loads no pandas."""
    yield start_row(
        "import lessonlib", "import lessonlib", "rouge_score", "import rouge_score.rouge_scorer", 20
    )
    scorecard = "from lessonlib.__main__ import main; main(['scorecard'])"
    imports = "import pandas, nltk.stem.porter"
    yield start_row("python -m lessonlib scorecard", scorecard, "import pandas and NLTK", imports, 1.5)


def slope(work: Callable[[str, str], object], lengths: Sequence[int]) -> float:
    """Return by which power of the length the time grows: the slope of a line through the logarithms."""
    writer, points = Writer(5), []
    for length in lengths:
        pairs = writer.pairs(1, length, length)
        runs = [seconds([work], pairs)[0] for _ in range(ROUNDS)]
        points.append((math.log(length), math.log(statistics.median(runs))))
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def growth_rows() -> Iterator[Row]:
    """Return slopes up to 6,400 words, and the most memory that Python objects took for one long pair."""
    lengths, rouge = [100 * 2**k for k in range(7)], partial(rouge_l, tokenizer="rouge")
    for name, metric, most in (("F1", token_f1, "1.1"), ("BLEU", bleu, "1.25"), ("ROUGE-L", rouge, "1.4")):
        span = f"{lengths[0]} to {lengths[-1]:,} words"
        yield f"growth of {name}", "", f"{slope(metric, lengths):.2f}", f"<= {most}", span
    pairs = Writer(6).pairs(1, 2_000, 2_000)
    tracemalloc.start()
    seconds([rouge], pairs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    yield "memory of ROUGE-L", "", f"{peak / 1024:.0f} KiB", "<= 1024 KiB", "2,000 words"


def scale_rows(count: int = 100_000) -> Iterator[Row]:
    """Score a run with the command line in one process and in two: wall and CPU time, memory per pair.

    Memory is the peak of the largest process beyond that of a run of eight, files read and CSV written.
    """
    pairs = Writer(9).pairs(count, 6, 18)
    program = (
        "import os, resource, sys, time; from lessonlib.__main__ import main; start = time.time(); "
        "main(sys.argv[1:]); print(time.time() - start, sum(os.times()[:4]), "
        "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    with tempfile.TemporaryDirectory() as folder:
        golden, answers, out = (f"{folder}/{name}.jsonl" for name in ("golden", "answers", "out"))
        items = [{"id": f"q{n}", "question": "?", "references": [r]} for n, (_, r) in enumerate(pairs)]
        texts = [{"id": f"q{n}", "text": p} for n, (p, _) in enumerate(pairs)]
        for path, records in ((golden, items), (answers, texts)):
            Path(path).write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
        for jobs in (1, 2):
            found = []
            for run in ([], ["--golden", golden, "--answers", answers]):
                command = [sys.executable, "-c", program, "scorecard", "--format", "csv", "--out", out]
                command += ["--jobs", str(jobs), *run]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                found.append([float(number) for number in done.stdout.split()])
            (_, _, base), (wall, cpu, peak) = found
            note = f"CPU {cpu:.1f} s, peak {(peak - base) * 1024 / count:,.0f} bytes a pair"
            yield f"{count:,} pairs, processes: {jobs}", "", f"{wall:.1f} s", "", note


def main() -> None:
    """Print the table row by row."""
    missing: list[str] = []
    print(f"Python {sys.version.split()[0]}, medians of at least {ROUNDS} runs in turns, cold caches")
    line = "{:<36} {:<21} {:>8}  {:<12} {}".format
    print(line("work", "peer", "ratio", "wanted", "scores compared, largest difference"))
    rows = [squad_rows, lambda: rouge_rows(missing)]
    rows += [sacrebleu_rows] if installed("sacrebleu", missing) else []
    rows += [nltk_rows] if installed("nltk", missing) else []
    rows += [start_rows] if "rouge_score" not in missing else []
    for part in [*rows, growth_rows, scale_rows]:
        for row in part():
            print(line(*row), flush=True)
    if missing:
        print("not installed, left out:", ", ".join(dict.fromkeys(missing)))


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # NLTK warns of every order without a match
    main()
