"""Pure counting: what two token lists share. Nothing here knows of precision, recall or F.

Every function takes lists of tokens (strings, or anything hashable) and returns whole numbers.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

Tokens = Sequence[Hashable]


def overlap_size(first: Tokens, second: Tokens) -> int:
    """Return how many tokens the two lists share as multisets: a token counts as often as both have it."""
    left: dict[Hashable, int] = {}
    for token in first:
        left[token] = left.get(token, 0) + 1
    shared = 0
    for token in second:
        available = left.get(token, 0)
        if available:
            shared += 1
            left[token] = available - 1
    return shared


def ngrams(tokens: Tokens, n: int) -> list[tuple[Hashable, ...]]:
    """Return the n-grams of a list from left to right: `len(tokens) - n + 1` of them, or none."""
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def ngram_counts(tokens: Tokens, n: int) -> Counter[tuple[Hashable, ...]]:
    """Return how often each n-gram occurs."""
    return Counter(ngrams(tokens, n))


def clipped_matches(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> list[int]:
    """Return, for each order from 1 to `max_order`, how many n-grams of the hypothesis the references grant.

    An n-gram is granted as often as the reference that has it most often has it, and no more: this is
    BLEU's clipping (Papineni et al. 2002, section 2.1).
    """
    wanted = Counter(gram for n in range(1, max_order + 1) for gram in ngrams(hypothesis, n))
    granted: dict[tuple[Hashable, ...], int] = {}
    for reference in references:
        counts: dict[tuple[Hashable, ...], int] = {}
        for n in range(1, max_order + 1):
            for gram in ngrams(reference, n):
                if gram in wanted:
                    counts[gram] = counts.get(gram, 0) + 1
        for gram, count in counts.items():
            granted[gram] = max(count, granted.get(gram, 0))
    matches = [0] * max_order
    for gram, limit in granted.items():
        matches[len(gram) - 1] += min(limit, wanted[gram])
    return matches


def lcs_length(first: Tokens, second: Tokens) -> int:
    """Return the length of a longest common subsequence, in one pass over the longer list.

    One row of the usual table is one integer: bit i is 0 where the row grows by one at column i. An addition
    moves all columns at once. Equal to the last cell of `lcs_table`; the work is len(longer) additions of
    integers with len(shorter) bits. Sources: Crochemore et al. 2001; Hyyro 2004.
    """
    shorter, longer = sorted((first, second), key=len)
    positions: dict[Hashable, int] = {}
    bit = 1
    for token in shorter:
        positions[token] = positions.get(token, 0) | bit
        bit <<= 1
    full = row = bit - 1
    for token in longer:
        if token in positions:
            here = row & positions[token]
            row = ((row + here) | (row - here)) & full
    return len(shorter) - row.bit_count()


def lcs_table(first: Tokens, second: Tokens) -> list[list[int]]:
    """Return the table of longest common subsequences of all prefixes.

    Cell [i][j] is the length for the first i tokens of `first` and the first j of `second`, so the table has
    one row and one column more than tokens, and both of these are 0. Work and memory: len(first)*len(second).
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
