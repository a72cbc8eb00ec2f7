"""How sure a mean or a difference is: intervals, tests and agreement, chosen by what was simulated.

Values are scores in [0, 1], one an item; differences are new minus old of the same items, in [-1, 1].
`clusters` names for each value the question it belongs to: what belongs to one question is drawn, flipped and
counted together (Miller 2024, on clustered standard errors). Intervals and p-values are two-sided unless said
otherwise, at a level of 95 %. What is drawn is drawn from a seed, so that a number can be had again. No value
at all is a ValueError everywhere, and so is a value that is not finite.

`mean_interval`, `difference_interval` and `fall_p` choose the method for whom it does not interest; the file
tests/simulate_coverage.py shows how often each holds.
"""

from collections.abc import Hashable, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

LEVEL = 0.95
EXACT_UP_TO = 14  # sign flips: 2^14 are tried one by one
MANY = 100  # from here on the t interval of a mean score holds, whatever the scores look like

Values = Sequence[float]
Clusters = Sequence[Hashable] | None


class Interval(NamedTuple):
    """An interval, and how it was made."""

    low: float
    high: float
    method: str

    def __str__(self) -> str:
        """Return the interval to two decimals with its method."""
        return f"{self.low:.2f} to {self.high:.2f} ({self.method})"


def _array(values: Values) -> Any:
    array = np.asarray(values, float)
    if array.ndim != 1 or not len(array):
        raise ValueError("values must be a list of at least one number")
    if not np.isfinite(array).all():
        raise ValueError(f"values must be finite, but place {int(np.argmin(np.isfinite(array)))} is not")
    return array


def _sums(values: Any, clusters: Clusters) -> tuple[Any, Any]:
    """Return the sum of the values of each cluster, and their counts; without clusters each value is one."""
    if clusters is None:
        return values, np.ones(len(values))
    if len(clusters) != len(values):
        raise ValueError(f"{len(values)} values and {len(clusters)} clusters: one is needed for each")
    names: dict[Hashable, int] = {}
    place = [names.setdefault(name, len(names)) for name in clusters]
    return np.bincount(place, values), np.bincount(place)


# --- intervals -------------------------------------------------------------------------------------------


def wilson(
    share: float, n: float, level: float = LEVEL, quantile: float | None = None
) -> tuple[float, float]:
    """Return the interval of a share of n, both ends in [0, 1]; n may be an effective number of items.

    For the mean of any scores in [0, 1] it is wide enough: none vary more than verdicts do. `quantile` takes
    the place of the normal one of `level`. Source: Wilson 1927; Newcombe 1998, method 3.
    """
    if not 0 <= share <= 1 or n <= 0:
        raise ValueError(f"a share is between 0 and 1 and n above 0; got {share} and {n}")
    z = NormalDist().inv_cdf((1 + level) / 2) if quantile is None else quantile
    middle, half = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    return (0.0 if share == 0 else low), (1.0 if share == 1 else high)


def exact_binomial(successes: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Return the interval of a share that never covers less than it says (Clopper and Pearson 1934)."""
    from scipy.stats import binomtest

    found = binomtest(successes, n).proportion_ci(level, "exact")
    return float(found.low), float(found.high)


def standard_error(values: Values, clusters: Clusters = None) -> tuple[float, int]:
    """Return the standard error of the mean, and the number of clusters; NaN for a single cluster.

    Source: Miller 2024, on clustered standard errors, with the factor G / (G - 1) for G clusters.
    """
    array = _array(values)
    sums, _ = _sums(array - array.mean(), clusters)
    g = len(sums)
    return (sqrt((sums**2).sum() * g / (g - 1)) / len(array) if g > 1 else float("nan")), g


def t_interval(values: Values, clusters: Clusters = None, level: float = LEVEL) -> tuple[float, float]:
    """Return Student's interval of a mean, with G - 1 degrees of freedom for G clusters (n - 1 without).

    The values of a paired comparison are the differences. A single cluster is a ValueError.
    """
    from scipy.stats import t

    error, g = standard_error(values, clusters)
    if g < 2:
        raise ValueError("Student's interval needs two values, of two clusters, or more")
    mean, half = float(np.mean(values)), float(t.ppf((1 + level) / 2, g - 1)) * error
    return mean - half, mean + half


def bootstrap_means(values: Values, clusters: Clusters = None, draws: int = 2000, seed: int = 0) -> Any:
    """Return the means of samples drawn from the values with replacement, whole clusters at a time."""
    sums, counts = _sums(_array(values), clusters)
    taken = np.random.default_rng(seed).multinomial(len(sums), np.full(len(sums), 1 / len(sums)), draws)
    return (taken @ sums) / (taken @ counts)


def bootstrap_interval(
    values: Values, clusters: Clusters = None, level: float = LEVEL, draws: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """Return the percentile interval of a mean (Efron and Tibshirani 1993).

    It is too narrow for few clusters: at 8 it covers 83-89 % where it says 95 %.
    """
    tails = (1 - level) / 2, (1 + level) / 2
    low, high = np.quantile(bootstrap_means(values, clusters, draws, seed), tails)
    return float(low), float(high)


# --- tests -----------------------------------------------------------------------------------------------


def paired_bootstrap(
    differences: Values, clusters: Clusters = None, draws: int = 2000, seed: int = 0
) -> float:
    """Return the share of samples in which the difference is not above 0 (Koehn 2004, paired bootstrap)."""
    return float((bootstrap_means(differences, clusters, draws, seed) <= 0).mean())


def sign_flip(
    differences: Values, clusters: Clusters = None, side: str = "both", draws: int = 10_000, seed: int = 0
) -> float:
    """Return the p-value of a mean difference: the share of sign flips that give one as large.

    If old and new are equally good, each difference could as well have the other sign. `side`: "both", "fall"
    or "rise". All flips are tried for up to EXACT_UP_TO clusters that differ, beyond that `draws`, the found
    one counted in. No difference anywhere: 1.0. Source: Riezler and Maxwell 2005 (approximate randomization).
    """
    if side not in ("both", "fall", "rise"):
        raise ValueError(f"side must be both, fall or rise, not {side!r}")
    sums, _ = _sums(_array(differences), clusters)
    sums = sums[sums != 0] * (-1 if side == "fall" else 1)
    g = len(sums)
    if g <= EXACT_UP_TO:
        flips = 1 - 2 * (np.arange(2**g)[:, None] >> np.arange(g) & 1)
    else:
        flips = 1 - 2 * np.random.default_rng(seed).integers(0, 2, (draws, g), np.int8)
    found, flipped = sums.sum(), flips @ sums
    if side == "both":
        found, flipped = abs(found), abs(flipped)
    hits = int((flipped >= found - 1e-9).sum())
    return hits / len(flips) if g <= EXACT_UP_TO else (hits + 1) / (draws + 1)


def mcnemar(rose: int, fell: int) -> float:
    """Return the exact p-value of verdicts that changed; 1.0 if none did (McNemar 1947, the exact form)."""
    from scipy.stats import binomtest

    return float(binomtest(fell, rose + fell).pvalue) if rose + fell else 1.0


# --- agreement -------------------------------------------------------------------------------------------


class Agreement(NamedTuple):
    """How far two lists of verdicts agree, beside the share that one gets by always saying the same."""

    agreement: float
    base_rate: float
    kappa: float


def agreement(verdicts: Any, truth: Any) -> Agreement:
    """Return the agreement, the base rate of `truth` and Cohen's kappa (Cohen 1960).

    Both are lists of true and false. Kappa is 0 where chance alone agrees on everything.
    """
    mine, theirs = _array(verdicts), _array(truth)
    if len(mine) != len(theirs):
        raise ValueError(f"{len(mine)} verdicts and {len(theirs)} to compare them with")
    agreed, a, b = float((mine == theirs).mean()), float(mine.mean()), float(theirs.mean())
    chance = a * b + (1 - a) * (1 - b)
    return Agreement(agreed, max(b, 1 - b), (agreed - chance) / (1 - chance) if chance < 1 else 0.0)


def auc(scores: Any, right: Any) -> float:
    """Return the chance that a right answer scores above a wrong one, ties counted as half.

    Half is chance. `right` is a list of true and false; all of one kind is a ValueError. Source: Hanley and
    McNeil 1982 (the Wilcoxon statistic).
    """
    values, kinds = _array(scores), np.asarray(right, bool)
    good, bad = values[kinds], np.sort(values[~kinds])
    if not len(good) or not len(bad):
        raise ValueError("AUC needs a right and a wrong answer")
    below = np.searchsorted(bad, good, "left") + np.searchsorted(bad, good, "right")
    return float(below.mean() / 2 / len(bad))


def pairwise_accuracy(scores: Values, truth: Values) -> float:
    """Return the share of the pairs of systems that people separate which a metric orders as they do.

    A pair that the metric ties is not ordered. Pairs that people tie do not count; if they tie all, it is a
    ValueError. Source: Thompson et al. 2024, on pairwise accuracy; Deutsch et al. 2023, on ties.
    """
    mine, theirs = _array(scores), _array(truth)
    first, second = np.triu_indices(len(theirs), 1)
    people, metric = np.sign(theirs[first] - theirs[second]), np.sign(mine[first] - mine[second])
    if not people.any():
        raise ValueError("people separate no two systems")
    return float((people == metric)[people != 0].mean())


# --- what n items can show -------------------------------------------------------------------------------


def smallest_difference(n: int, deviation: float, power: float = 0.8, level: float = LEVEL) -> float:
    """Return the mean difference that a paired t test on n items finds with this power.

    `deviation` is the standard deviation of the differences. n below 2 is a ValueError. Source: the
    noncentral t distribution. Miller's normal formula (2024, on power analysis) does not hold for few items.
    """
    from scipy.optimize import brentq
    from scipy.stats import nct, t

    if n < 2:
        raise ValueError(f"n must be 2 or more, not {n}")
    edge = t.ppf((1 + level) / 2, n - 1)
    shift = brentq(lambda shift: nct.sf(edge, n - 1, shift) - power, 0, 100 * edge)
    return float(shift * deviation / sqrt(n))


def items_needed(difference: float, deviation: float, power: float = 0.8, level: float = LEVEL) -> int:
    """Return how many items a paired t test needs to find a mean difference with this power."""
    if not difference:
        raise ValueError("no number of items shows a difference of 0")
    low, high = 1, 2
    while smallest_difference(high, deviation, power, level) > abs(difference):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        enough = smallest_difference(middle, deviation, power, level) <= abs(difference)
        low, high = (low, middle) if enough else (middle, high)
    return high


# --- chosen by what was simulated ------------------------------------------------------------------------


def mean_interval(values: Values, clusters: Clusters = None, level: float = LEVEL) -> Interval:
    """Return an interval of the mean of verdicts (0 and 1) or scores in [0, 1], by the method that holds.

    Verdicts: Wilson. Scores: below MANY items Wilson as well, which covers 97-99 % (Student's t covers 56-94
    % at 8, the less the nearer the mean is to 0 or 1), from MANY on Student's t, cut to [0, 1]. Clustered
    values: Wilson on the number of items that would be as sure if they were independent (Kish 1965, section
    5.4), with Student's quantile for G - 1 degrees; it covers 94-98 %.
    """
    from scipy.stats import t

    array = _array(values)
    if (array < 0).any() or (array > 1).any():
        raise ValueError("values must be verdicts or scores between 0 and 1")
    mean, n = float(array.mean()), len(array)
    if clusters is not None:
        error, g = standard_error(array, clusters)
        if g < 2:
            raise ValueError("an interval needs values of two clusters or more")
        effective = min(n, mean * (1 - mean) / error**2) if error else g
        quantile = float(t.ppf((1 + level) / 2, g - 1))
        return Interval(*wilson(mean, effective, level, quantile), f"Wilson, clustered: {g} questions")
    if n >= MANY and not np.isin(array, (0, 1)).all():
        low, high = t_interval(array, None, level)
        return Interval(max(low, 0.0), min(high, 1.0), f"Student's t, n = {n}")
    return Interval(*wilson(mean, n, level), f"Wilson, n = {n}")


def difference_interval(differences: Values, clusters: Clusters = None, level: float = LEVEL) -> Interval:
    """Return an interval of a mean difference of the same items: Student's t, by clusters if there are any.

    Where all differences are equal, Student's interval has no width; then no item in n is seen to differ from
    the rest, and Wilson's bound on such a share is its half width. Cut to [-1, 1].
    """
    array = _array(differences)
    mean, (error, g) = float(array.mean()), standard_error(array, clusters)
    if error > 0:
        low, high = t_interval(array, clusters, level)
        method = f"Student's t, {'paired' if clusters is None else 'clustered'}, n = {g}"
    else:
        low, high = mean - wilson(0, g, level)[1], mean + wilson(0, g, level)[1]
        method = f"Wilson's bound, all {g} equal"
    return Interval(max(low, -1.0), min(high, 1.0), method)


def fall_p(differences: Values, clusters: Clusters = None) -> float:
    """Return the one-sided p-value of a fall: how often equally good runs give one as large.

    Student's t on the paired differences. Of runs that are equally good it calls 4-6 % significant at 0.05
    from 30 items on, where one in ten differs or more, and at 8 items where a third differ; fewer where few
    differ, never over 7 %. (The exact sign-flip test calls 0-1 % at 8 items.) All differences equal: the
    sign-flip test decides.
    """
    from scipy.stats import t

    array = _array(differences)
    error, g = standard_error(array, clusters)
    if not error > 0:
        return sign_flip(array, clusters, "fall")
    return float(t.cdf(array.mean() / error, g - 1))
