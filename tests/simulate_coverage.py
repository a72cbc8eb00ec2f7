"""Print how often the intervals of `lessonlib.stats` hold and how often its tests cry wolf.

Run it with `python tests/simulate_coverage.py [RUNS]` (some ten minutes at 2,000 runs, the default). The
populations are the figures of data/public/nq301.csv and verdicts of a given share; each row of the tables is
one population, its columns 8, 30, 100 and 300 items. The margin of a share of 2,000 runs is .010.
"""

import sys

import numpy as np

from lessonlib import stats
from lessonlib.validity import public

SIZES = (8, 30, 100, 300)
RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
NQ301 = public("nq301")


def of_system(name, column):
    """Return one figure a question of one system."""
    rows = NQ301[NQ301["systems"].str.contains(name, case=False)]
    return rows.groupby("question")[column].first()


def differences(column, first, second):
    gaps = of_system(first, column) - of_system(second, column)
    return gaps.dropna().to_numpy(float)


def bootstrap(values):
    return stats.bootstrap_interval(values, draws=500)


def coverage(title, population, methods):
    """Print for each method the share of intervals that hold the population's mean."""
    generator = np.random.default_rng(0)
    for name, method in methods.items():
        shares = []
        for n in SIZES:
            draws = generator.choice(population, (RUNS, n))
            ends = np.array([method(values)[:2] for values in draws])
            shares.append(holds(ends, population.mean()))
        print(f"{title:<34} {name:<22} {cells(shares)}", flush=True)


def holds(ends, mean):
    return ((ends[:, 0] <= mean + 1e-12) & (mean - 1e-12 <= ends[:, 1])).mean()


def clustered(title, values, methods):
    """Print the same where whole questions are drawn."""
    groups = [part.to_numpy(float) for _, part in values.groupby(NQ301["question"])]
    generator = np.random.default_rng(0)
    for name, method in methods.items():
        shares = []
        for n in SIZES:
            ends = []
            for _ in range(RUNS):
                drawn = [groups[place] for place in generator.integers(0, len(groups), n)]
                owners = np.repeat(range(n), [len(group) for group in drawn])
                ends.append(method(np.concatenate(drawn), owners.tolist())[:2])
            shares.append(holds(np.array(ends), values.mean()))
        print(f"{title:<34} {name:<22} {cells(shares)}", flush=True)


def false_falls(title, population, tests):
    """Print how often each test calls equally good runs a fall at 0.05."""
    generator = np.random.default_rng(0)
    for name, test in tests.items():
        shares = []
        for n in SIZES:
            draws = generator.choice(population, (RUNS, n))
            shares.append(np.mean([test(values) <= 0.05 for values in draws]))
        print(f"{title:<34} {name:<22} {cells(shares)}", flush=True)


def cells(shares):
    return "  ".join(f"{share:.3f}" for share in shares)


def wilson(values):
    return stats.wilson(values.mean(), len(values))


MEAN = {"chosen": stats.mean_interval, "Wilson": wilson, "t": stats.t_interval, "bootstrap": bootstrap}
DIFFERENCE = {"chosen (paired t)": stats.difference_interval, "bootstrap": bootstrap}
CLUSTERS = {
    "chosen": stats.mean_interval,
    "t": stats.t_interval,
    "bootstrap": lambda values, owners: stats.bootstrap_interval(values, owners, draws=500),
    "Wilson, as if apart": lambda values, owners: wilson(values),
}
FALLS = {
    "chosen (one-sided t)": stats.fall_p,
    "sign flip": lambda values: stats.sign_flip(values, side="fall", draws=1000),
}


def main():
    print(f"{'':<57} {'  '.join(f'{n:>5}' for n in SIZES)}")
    print("Coverage of 95 % intervals")
    coverage("F1, all answers", NQ301["f1_first"].to_numpy(), MEAN)
    coverage("F1, answers in sentences", of_system("B", "f1_first").to_numpy(), MEAN)
    coverage("F1, nearly perfect", np.r_[np.ones(880), np.linspace(0.1, 1, 120)], MEAN)
    for share in (55, 80, 95):
        coverage(f"verdicts, {share} % right", np.repeat([1.0, 0.0], [share, 100 - share]), MEAN)
    coverage("F1, paired difference", differences("f1_first", "A", "C"), DIFFERENCE)
    coverage("verdicts, paired difference", differences("right", "A", "C"), DIFFERENCE)
    clustered("verdicts, clustered", NQ301["right"].astype(float), CLUSTERS)
    clustered("F1, clustered", NQ301["f1_all"], CLUSTERS)
    print("Equally good runs that a gate calls fallen at 0.05")
    for second, column in (("C", "f1_first"), ("C", "right"), ("D", "f1_first"), ("D", "right")):
        gaps = differences(column, "A" if second == "C" else "C", second)
        title = f"{'F1' if column == 'f1_first' else 'verdicts'}, {(gaps != 0).mean():.0%} differ"
        false_falls(title, np.r_[gaps, -gaps], FALLS)


if __name__ == "__main__":
    main()
