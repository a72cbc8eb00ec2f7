"""Time lessonlib against the reference implementations: `python tests/bench.py`.

One table. A ratio is the peer's time over ours: the median over runs that take turns in one process, every
cache cleared before each run, the scores of both compared in that run. Peers that are not installed are
left out by name. Also: how time grows with length, and the memory of one ROUGE-L.
"""

import collections
import gc
import importlib.util
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
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lessonlib import exact_match, rouge_l, text, token_f1
from lessonlib.bleu import BleuScore, bleu, corpus_bleu
from lessonlib.chrf import chrf

ROUNDS = 9  # at least
VOCABULARY = 2_000  # different words in all texts together, as in the documents of one product
Pair = tuple[str, str]
Segment = tuple[str, list[str]]
Row = tuple[str, str, str, str, str]
Scorers = tuple[Callable[[str, str], float], ...]

# --- the texts -------------------------------------------------------------------------------------------


STARTS = "b c d f g l m n p r s t v w st tr pl br".split()  # noqa: SIM905
MIDDLES = "a e i o u ai ea ou".split()  # noqa: SIM905
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

    def pairs(self, count: int, shortest: int, longest: int) -> list[Pair]:
        texts = [self.text(self.rng.randint(shortest, longest)) for _ in range(count)]
        return [(self.relative(reference), reference) for reference in texts]

    def segments(self, count: int, references: int) -> list[Segment]:
        texts = [self.text(self.rng.randint(10, 35)) for _ in range(count)]
        return [(self.relative(t), [self.relative(t) for _ in range(references)]) for t in texts]


# --- timing ----------------------------------------------------------------------------------------------


def caches(module: object) -> list[Callable[[], None]]:
    """Return what clears the caches of a module's functions."""
    return [function.cache_clear for function in vars(module).values() if hasattr(function, "cache_clear")]


CLEAR = caches(text)


def seconds(work: Callable[[], Sequence[float]]) -> tuple[float, Sequence[float]]:
    """Return the time of one run with cold caches, and its scores."""
    for clear in CLEAR:
        clear()
    gc.collect()
    start = time.perf_counter()
    scores = work()
    return time.perf_counter() - start, scores


def compare(
    what: str,
    peer: str,
    at_least: float,
    tolerance: float,
    ours: Callable[[], Sequence[float]],
    theirs: Callable[[], Sequence[float]],
) -> Row:
    """Run both in turns and return a row of the table; unequal scores end the benchmark."""
    mine, others, largest = [], [], 0.0
    while len(mine) < ROUNDS or sum(mine) + sum(others) < 1:  # quick work is repeated for a second
        took, scores = seconds(ours)
        mine.append(took)
        took, expected = seconds(theirs)
        others.append(took)
        largest = max(abs(a - b) for a, b in zip(scores, expected, strict=True))
        if largest > tolerance:
            sys.exit(f"{what}: {peer} differs by {largest}")
    ratio = statistics.median(others) / statistics.median(mine)
    return what, peer, f"{ratio:.1f}", f">= {at_least:g}", f"{len(scores)} scores, {largest:.0e}"


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


def squad_rows() -> Iterable[Row]:
    """Compare with the official script's logic, in three alphabets."""
    peer, wanted = "SQuAD script's logic", (2.5, 2.5, 2.5)
    for what, spell, count, shortest, longest, at_least in (
        ("short pairs", str, 20_000, 2, 8, (3, 3.5, 5)),
        ("German, 8 words", german, 5_000, 8, 8, wanted),
        ("German, 400 words", german, 100, 400, 400, wanted),
        ("Russian, 8 words", russian, 5_000, 8, 8, wanted),
        ("Russian, 400 words", russian, 100, 400, 400, wanted),
    ):
        pairs = Writer(1, spell).pairs(count, shortest, longest)
        ours: Scorers = (exact_match, token_f1)
        theirs: Scorers = (squad_em, squad_f1)
        for name, chosen, least in zip(
            ("EM", "F1", "both"), (slice(1), slice(1, 2), slice(2)), at_least, strict=True
        ):
            yield compare(
                f"{name}, {what}",
                peer,
                least,
                1e-12,
                partial(every, ours[chosen], pairs),
                partial(every, theirs[chosen], pairs),
            )


def every(scorers: Scorers, pairs: list[Pair]) -> list[float]:
    """Return each score of each pair, pair by pair."""
    return [scorer(prediction, reference) for prediction, reference in pairs for scorer in scorers]


def rouge_rows(missing: list[str]) -> Iterable[Row]:
    """Compare ROUGE-L with three packages of the same interface."""
    writer = Writer(2)
    sizes = {
        "short answers": writer.pairs(6_000, 3, 14),
        "60-120 words": writer.pairs(300, 60, 120),
        "1,600 words": writer.pairs(1, 1_600, 1_600),
    }
    peers = [
        ("rouge_score", False, (5, 30, 400)),
        ("rouge_score", True, (8, 15, 15)),
        ("rapidrouge", False, (2, 2, 2)),
        ("rouge_score_rs", False, (0.4, 0.2)),
    ]
    for peer, stem, wanted in peers:
        if not installed(peer, missing):
            continue
        scorer = importlib.import_module(f"{peer}.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=stem)
        tokenizer = "rouge_stem" if stem else "rouge"
        if stem:
            rouge_l("running", "running")  # NLTK is imported at the first stem: not in the timed run
        for (size, pairs), at_least in zip(sizes.items(), wanted, strict=False):
            yield compare(
                f"ROUGE-L{', stemmer' if stem else ''}, {size}",
                peer,
                at_least,
                1e-12,
                lambda pairs=pairs, tokenizer=tokenizer: [rouge_l(p, r, tokenizer) for p, r in pairs],
                lambda pairs=pairs, scorer=scorer: [scorer.score(r, p)["rougeL"].fmeasure for p, r in pairs],
            )


def bleu_rows(
    peer: str,
    at_least: float,
    ours: tuple[Callable[..., BleuScore], Callable[..., BleuScore]],
    theirs: tuple[Callable[[list[str], list[list[str]]], float], Callable[[str, list[str]], float]],
) -> Iterable[Row]:
    """Compare a corpus and its sentences one by one, with 1, 2 and 4 references."""
    for count in (1, 2, 4):
        segments = Writer(3).segments(500, count)
        hypotheses, references = [h for h, _ in segments], [texts for _, texts in segments]

        def our_corpus(hypotheses=hypotheses, references=references) -> list[float]:
            return [ours[0](hypotheses, references).score]

        def their_corpus(hypotheses=hypotheses, references=references) -> list[float]:
            return [theirs[0](hypotheses, references)]

        def our_sentences(segments=segments) -> list[float]:
            return [ours[1](hypothesis, texts).score for hypothesis, texts in segments]

        def their_sentences(segments=segments) -> list[float]:
            return [theirs[1](hypothesis, texts) for hypothesis, texts in segments]

        yield compare(f"corpus BLEU, references: {count}", peer, at_least, 1e-9, our_corpus, their_corpus)
        what = f"sentence BLEU, references: {count}"
        yield compare(what, peer, at_least, 1e-9, our_sentences, their_sentences)


def sacrebleu_rows() -> Iterable[Row]:
    """Compare BLEU with sacrebleu, with its defaults: tokenizer 13a, smoothing exp."""
    import sacrebleu
    from sacrebleu.tokenizers import tokenizer_13a, tokenizer_re

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it advises effective order at every sentence
    for tokenizer in (tokenizer_13a.Tokenizer13a, tokenizer_re.TokenizerRegexp):
        CLEAR.append(tokenizer.__call__.cache_clear)
    metric = sacrebleu.BLEU()
    return bleu_rows(
        "sacrebleu",
        3,
        (
            partial(corpus_bleu, smoothing="exp", tokenizer="13a"),
            partial(bleu, smoothing="exp", tokenizer="13a"),
        ),
        (
            lambda hypotheses, references: (
                metric.corpus_score(hypotheses, list(zip(*references, strict=True))).score / 100
            ),
            lambda hypothesis, texts: metric.sentence_score(hypothesis, texts).score / 100,
        ),
    )


def chrf_rows() -> Iterable[Row]:
    """Compare chrF and chrF++ with sacrebleu."""
    import sacrebleu

    pairs = Writer(4).pairs(500, 10, 35)
    for name, order in (("chrF", 0), ("chrF++", 2)):
        metric = sacrebleu.CHRF(word_order=order)
        yield compare(
            name,
            "sacrebleu",
            1,
            1e-9,
            lambda order=order: [chrf(p, r, word_order=order) for p, r in pairs],
            lambda metric=metric: [metric.sentence_score(p, [r]).score / 100 for p, r in pairs],
        )


def nltk_rows() -> Iterable[Row]:
    """Compare BLEU with NLTK's method 2; both split texts with the tokenizer `word` in the timed run."""
    from nltk.translate import bleu_score

    smooth, tokens = bleu_score.SmoothingFunction().method2, text.word_tokens

    def corpus(hypotheses: list[str], references: list[list[str]]) -> float:
        lists = [[tokens(text) for text in texts] for texts in references]
        return bleu_score.corpus_bleu(lists, [tokens(text) for text in hypotheses], smoothing_function=smooth)

    def sentence(hypothesis: str, texts: list[str]) -> float:
        lists = [tokens(text) for text in texts]
        return bleu_score.sentence_bleu(lists, tokens(hypothesis), smoothing_function=smooth)

    return bleu_rows("NLTK", 3.5, (partial(corpus_bleu, smoothing="add-one"), bleu), (corpus, sentence))


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


def start_rows() -> Iterable[Row]:
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
        prediction, reference = writer.pairs(1, length, length)[0]
        runs = [seconds(lambda: [float(bool(work(prediction, reference)))])[0] for _ in range(ROUNDS)]  # noqa: B023
        points.append((math.log(length), math.log(statistics.median(runs))))
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def peak_kib(work: Callable[[], object]) -> float:
    """Return the most memory that Python objects took while the work was done."""
    for clear in CLEAR:
        clear()
    gc.collect()
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1024


def growth_rows() -> Iterable[Row]:
    """Return slopes up to 6,400 words, and the memory of one long pair."""
    lengths = [100 * 2**k for k in range(7)]
    span = f"{lengths[0]} to {lengths[-1]:,} words"
    yield "growth of F1", "", f"{slope(token_f1, lengths):.2f}", "<= 1.1", span
    yield "growth of BLEU", "", f"{slope(bleu, lengths):.2f}", "<= 1.25", span
    growth = slope(lambda p, r: rouge_l(p, r, "rouge"), lengths)
    yield "growth of ROUGE-L", "", f"{growth:.2f}", "<= 1.4", span
    prediction, reference = Writer(6).pairs(1, 2_000, 2_000)[0]
    peak = peak_kib(lambda: rouge_l(prediction, reference, "rouge"))
    yield "memory of ROUGE-L", "", f"{peak:.0f} KiB", "<= 1024 KiB", "2,000 words"


def main() -> None:
    """Print the table row by row."""
    missing: list[str] = []
    print(f"Python {sys.version.split()[0]}, medians of at least {ROUNDS} runs in turns, cold caches")
    line = "{:<36} {:<21} {:>8}  {:<12} {}".format
    print(line("work", "peer", "ratio", "wanted", "scores compared, largest difference"))
    rows = [squad_rows, lambda: rouge_rows(missing)]
    rows += [sacrebleu_rows, chrf_rows] if installed("sacrebleu", missing) else []
    rows += [nltk_rows] if installed("nltk", missing) else []
    rows += [start_rows] if "rouge_score" not in missing else []
    for part in [*rows, growth_rows]:
        for row in part():
            print(line(*row), flush=True)
    if missing:
        print("not installed, left out:", ", ".join(dict.fromkeys(missing)))


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # NLTK warns of every order without a match
    main()
