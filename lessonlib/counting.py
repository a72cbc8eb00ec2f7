"""Pure counting: what lists of tokens share; and, at the end, the one formula that makes a score of counts.

A token is a string, or anything hashable.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain

Tokens = Sequence[Hashable]


def overlap_size(tokens: Tokens, *others: Iterable[Hashable]) -> int:
    """Return how many tokens a list shares with another as multisets: each as often as both have it.

    Of several others, a token may be shared with the one that has it most.
    """
    distinct = set(tokens)
    if len(distinct) == len(tokens):  # no token comes twice, so sets say it all
        return len(distinct.intersection(chain(*others)))
    left: dict[Hashable, int] = {}
    for other in others:
        before, left = left, {}  # no Counter: it takes longer to set up than to count a sentence
        for token in other:
            left[token] = left.get(token, 0) + 1
        for token, most in before.items():
            if most > left.get(token, 0):
                left[token] = most
    shared = 0
    for token in tokens:
        if count := left.get(token):
            left[token] = count - 1
            shared += 1
    return shared


def ngrams(tokens: Tokens, n: int) -> list[tuple[Hashable, ...]]:
    """Return the n-grams of a list from left to right: `len(tokens) - n + 1` of them, or none."""
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def clipped_matches(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """Return, for each order from 1 to `max_order`, how many n-grams of the hypothesis the references grant.

    An n-gram is granted as often as the reference that has it most often has it, and no more: this is
    BLEU's clipping (Papineni et al. 2002, section 2.1).
    """
    matches = [0] * max_order
    copies = [[tokens] for tokens in (hypothesis, *references)]
    grams: Sequence[Iterable[Hashable]] = [hypothesis, *references]  # a token stands for itself: quicker
    for n in range(max_order):
        matches[n] = overlap_size(list(grams[0]), *grams[1:])
        if not matches[n]:
            break  # where no n tokens match in a row, no n + 1 tokens do
        # Copies of a text, each one token further on than the last, show its n-grams side by side.
        for shifted in copies:
            shifted.append(shifted[-1][1:])
        grams = [zip(*shifted, strict=False) for shifted in copies]
    return matches


def lcs_length(first: Tokens, second: Tokens) -> int:
    """Return the length of a longest common subsequence, in one pass over the longer list.

    One row of `lcs_table` is one integer: bit i is 0 where it grows by one at column i. An addition moves
    all columns at once, once a token of the longer list. Sources: Crochemore et al. 2001; Hyyro 2004.
    """
    shorter, longer = (first, second) if len(first) < len(second) else (second, first)
    positions: dict[Hashable, int] = {}
    bit = 1
    for token in shorter:
        positions[token] = positions.get(token, 0) | bit
        bit <<= 1
    row = bit - 1
    for match in filter(None, map(positions.get, longer)):
        here = row & match
        row = (row + here) | (row ^ here)
    # Each time the subsequence grew, the addition carried a one over the top of the row, and there it stays.
    return row.bit_length() - len(shorter)


def lcs_table(first: Tokens, second: Tokens) -> list[list[int]]:
    """Return the table of longest common subsequences of all prefixes.

    Cell [i][j] is the length for the first i tokens of `first` and the first j of `second`; row and column 0
    are 0. Work and memory: len(first)*len(second).
    """
    table = [[0] * (len(second) + 1)]
    for token in first:
        above = table[-1]
        row = [0]
        for j, other in enumerate(second):
            row.append(above[j] + 1 if token == other else max(above[j + 1], row[j]))
        table.append(row)
    return table


def lcs_path(first: Tokens, second: Tokens) -> list[tuple[int, int]]:
    """Return one longest common subsequence as pairs of positions (i in `first`, j in `second`), in order.

    Walks back through the table from its last cell. Where two ways are as long, it drops the last token of
    `first`, as rouge_score does; that choice decides which tokens ROUGE-Lsum counts.
    """
    table = lcs_table(first, second)
    i, j = len(first), len(second)
    path = []
    while i and j:
        if first[i - 1] == second[j - 1]:
            i, j = i - 1, j - 1
            path.append((i, j))
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return path[::-1]


def f_measure(hits: float, size: float, reference_size: float, beta: float = 1.0) -> float:
    """Return F-beta in [0, 1] from what two texts share and the size of each: the F of every metric here.

    (1 + b^2) P R / (R + b^2 P) with P = hits / size and R = hits / reference_size, multiplied out: the hits
    over a size between the two, so that equal texts give exactly 1.0, whatever beta is. No size may be 0.
    A `beta` that is not a positive number is a ValueError.
    """
    if not 0 < beta < math.inf:
        raise ValueError(f"beta must be a positive number, not {beta!r}")
    weight = 1 - 1 / (1 + beta * beta)
    return hits / (size + weight * (reference_size - size))
