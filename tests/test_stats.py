import subprocess
import sys

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from lessonlib import stats
from lessonlib.data import load_answers, load_golden
from lessonlib.scorecard import scorecard

GOLDEN = load_golden()
CLUSTERED = [0.2, 0.9, 0.4, 1.0, 0.0, 0.7]
OWNERS = ["a", "a", "a", "b", "c", "c"]
scores = st.lists(st.floats(0, 1), min_size=2, max_size=40)


def f1(run, references):
    return scorecard(GOLDEN, load_answers(run), ("f1",), references).table["f1"].to_numpy()


def gains(references):
    return f1("run2", references) - f1("run1", references)


# --- what the lessons quote ------------------------------------------------------------------------------


def test_the_intervals_of_lesson_5():
    assert stats.wilson(7 / 8, 8) == pytest.approx((0.529, 0.978), abs=5e-4)
    assert stats.exact_binomial(7, 8) == pytest.approx((0.473, 0.997), abs=5e-4)
    assert stats.bootstrap_interval(f1("run1", "first")) == pytest.approx((0.29, 0.59), abs=0.005)
    assert stats.t_interval(f1("run1", "first")) == pytest.approx((0.243, 0.636), abs=5e-4)
    found = stats.mean_interval(f1("run1", "first"))
    assert found[:2] == pytest.approx((0.176, 0.742), abs=5e-4)
    assert str(found) == "0.18 to 0.74 (Wilson, n = 8)"


@pytest.mark.parametrize(
    ("references", "mean", "low", "high", "flips"),
    [("first", 0.0786, -0.130, 0.287, 112), ("all", 0.1609, -0.058, 0.380, 30)],
)
def test_run_2_against_run_1(references, mean, low, high, flips):
    found = gains(references)
    assert found.mean() == pytest.approx(mean, abs=5e-5)
    assert stats.difference_interval(found)[:2] == pytest.approx((low, high), abs=5e-4)
    assert stats.sign_flip(found) == flips / 256
    assert stats.fall_p(found) > 0.5


def test_what_n_can_show():
    shown = [100 * stats.smallest_difference(n, 0.45) for n in (8, 50, 100, 301)]
    assert shown == pytest.approx([52, 18.2, 12.7, 7.3], abs=0.05)
    assert [stats.items_needed(difference, 0.45) for difference in (0.53, 0.51)] == [8, 9]
    needed = stats.items_needed(-0.03, 0.45)
    assert needed == pytest.approx(1768, abs=1)
    assert stats.smallest_difference(needed, 0.45) <= 0.03 < stats.smallest_difference(needed - 1, 0.45)


# --- equal to scipy, or to a closed form -----------------------------------------------------------------


@given(st.integers(0, 60), st.integers(1, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_is_scipys(successes, n, level):
    successes = min(successes, n)
    theirs = scipy.stats.binomtest(successes, n).proportion_ci(level, "wilson")
    assert stats.wilson(successes / n, n, level) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("clusters", [None, list(range(6))])
def test_the_t_interval_is_scipys(clusters):
    theirs = scipy.stats.ttest_1samp(CLUSTERED, 0).confidence_interval(0.9)
    assert stats.t_interval(CLUSTERED, clusters, 0.9) == pytest.approx(theirs, abs=1e-12)


def test_a_clustered_standard_error_by_hand():
    mean = 3.2 / 6
    sums = [1.5 - 3 * mean, 1.0 - mean, 0.7 - 2 * mean]
    by_hand = (sum(s * s for s in sums) * 3 / 2) ** 0.5 / 6
    assert stats.standard_error(CLUSTERED, OWNERS) == pytest.approx((by_hand, 3), abs=1e-15)
    low, high = stats.t_interval(CLUSTERED, OWNERS)
    assert (high - low) / 2 == pytest.approx(4.302652729911275 * by_hand)  # t at 0.975 with 2 degrees


@pytest.mark.parametrize(("side", "scipys"), [("both", "two-sided"), ("fall", "less"), ("rise", "greater")])
def test_sign_flips_are_scipys(side, scipys):
    for differences in ([0.3, -0.1, 0.25, 0.4], [0.2, 0.2, -0.2, 0.0, 0.1], [-0.5, -0.25, 0.125]):
        theirs = scipy.stats.permutation_test(
            (differences,), np.mean, permutation_type="samples", alternative=scipys
        ).pvalue
        assert stats.sign_flip(differences, side=side) == pytest.approx(min(theirs, 1), abs=1e-12)


def test_many_sign_flips_are_drawn_from_a_seed():
    differences = np.linspace(-0.5, 0.8, 40)
    found = stats.sign_flip(differences)
    assert found == stats.sign_flip(differences) != stats.sign_flip(differences, seed=1)
    assert found == pytest.approx(scipy.stats.ttest_1samp(differences, 0).pvalue, abs=0.01)


def test_clusters_flip_together():
    assert stats.sign_flip([0.1, 0.1, 0.1, 0.1], ["a", "a", "b", "b"]) == 2 / 4
    assert stats.sign_flip([0.1, 0.1, 0.1, 0.1]) == 2 / 16
    assert stats.sign_flip([0.1, -0.1, 0.0], ["a", "a", "b"]) == stats.sign_flip([0, 0]) == 1


@pytest.mark.parametrize(
    ("rose", "fell", "p"), [(0, 0, 1), (1, 0, 1), (0, 5, 2 / 32), (1, 7, 2 * 9 / 256), (3, 3, 1)]
)
def test_mcnemar_by_hand(rose, fell, p):
    assert stats.mcnemar(rose, fell) == stats.mcnemar(fell, rose) == pytest.approx(p)


def test_a_bootstrap_draws_whole_clusters():
    means = stats.bootstrap_means([1, 1, 0, 0], ["a", "a", "b", "b"], draws=500)
    assert sorted(set(means)) == [0, 0.5, 1]
    assert set(stats.bootstrap_means([1, 1, 0], ["a", "a", "b"], draws=500)) == {0, 2 / 3, 1}
    assert (stats.bootstrap_means(CLUSTERED, seed=3) == stats.bootstrap_means(CLUSTERED, seed=3)).all()
    assert stats.bootstrap_interval(CLUSTERED, seed=3) != stats.bootstrap_interval(CLUSTERED, seed=4)


def test_the_bootstrap_is_scipys():
    values = np.linspace(0, 1, 50) ** 2
    theirs = scipy.stats.bootstrap((values,), np.mean, method="percentile", rng=np.random.default_rng(0))
    assert stats.bootstrap_interval(values, draws=20_000) == pytest.approx(
        tuple(theirs.confidence_interval), abs=0.005
    )


def test_the_paired_bootstrap_counts_samples_that_did_not_rise():
    assert stats.paired_bootstrap([0.1, 0.2, 0.3]) == 0
    assert stats.paired_bootstrap([-0.1, 0.0]) == 1
    assert stats.paired_bootstrap(gains("first")) == pytest.approx(0.17, abs=0.02)


# --- agreement -------------------------------------------------------------------------------------------


def test_agreement_beside_the_base_rate():
    found = stats.agreement(
        [True] * 25 + [False] * 25, [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    )
    assert found == pytest.approx((0.7, 0.6, 0.4))  # the worked example: chance agrees on half
    assert stats.agreement([1, 0], [0, 1]) + stats.agreement([1, 1], [1, 1]) == (0, 0.5, -1, 1, 1, 0)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30))
def test_auc_is_mann_and_whitneys(rows):
    good, bad = ([score for score, right in rows if right is kind] for kind in (True, False))
    if good and bad:
        theirs = scipy.stats.mannwhitneyu(good, bad).statistic / len(good) / len(bad)
        assert stats.auc(*zip(*rows, strict=True)) == pytest.approx(theirs, abs=1e-12)


def test_pairwise_accuracy_counts_pairs_that_people_separate():
    assert stats.pairwise_accuracy([3, 2, 1], [0.1, 0.2, 0.3]) == 0
    assert stats.pairwise_accuracy([1, 1, 2], [0.1, 0.2, 0.3]) == 2 / 3  # a tie is not ordered
    assert stats.pairwise_accuracy([1, 2, 3], [0.2, 0.2, 0.1]) == 0  # the first pair does not count


# --- the choosers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "clusters", "method"),
    [
        ([1, 0, 1], None, "Wilson, n = 3"),
        ([0.5, 0.2], None, "Wilson, n = 2"),
        ([0, 1] * 200, None, "Wilson, n = 400"),
        ([0, 0.5] * 49 + [1], None, "Wilson, n = 99"),
        ([0, 0.5] * 50, None, "Student's t, n = 100"),
        (CLUSTERED, OWNERS, "Wilson, clustered: 3 questions"),
    ],
)
def test_the_method_of_a_mean(values, clusters, method):
    low, high, found = stats.mean_interval(values, clusters)
    assert found == method
    assert 0 <= low < np.mean(values) < high <= 1


@given(scores)
def test_an_interval_holds_its_mean_and_stays_inside(values):
    for found in (stats.mean_interval(values), stats.mean_interval(values, list(range(len(values))))):
        assert 0 <= found.low <= np.mean(values) + 1e-9
        assert np.mean(values) - 1e-9 <= found.high <= 1
        assert found.high - found.low > 0.01
    differences = np.array(values) - values[::-1]
    assert (
        -1 <= stats.difference_interval(differences).low <= 0 <= stats.difference_interval(differences).high
    )


def test_repeated_rows_of_one_question_make_nothing_surer():
    once = stats.mean_interval([1, 0, 1, 1, 0], list("abcde"))
    assert stats.mean_interval([1, 0, 1, 1, 0] * 9, list("abcde") * 9)[:2] == pytest.approx(once[:2])
    assert stats.mean_interval([1, 0, 1, 1, 0] * 9).low > once.low


def test_equal_differences_prove_little():
    found = stats.difference_interval([0.0] * 8)
    assert found[:2] == pytest.approx((-0.324, 0.324), abs=5e-4)
    assert found.method == "Wilson's bound, all 8 equal"
    assert stats.fall_p([-0.5] * 8) == 1 / 256
    assert stats.fall_p([0.0] * 8) == 1


def test_a_fall_is_tested_on_one_side():
    differences = np.array([-0.3, -0.2, 0.1, -0.4, -0.1])
    theirs = scipy.stats.ttest_1samp(differences, 0, alternative="less").pvalue
    assert stats.fall_p(differences) == pytest.approx(theirs)
    assert stats.fall_p(np.repeat(differences, 3), np.repeat(range(5), 3)) == pytest.approx(theirs)


@pytest.mark.parametrize(("p", "n"), [(0.55, 8), (0.8, 8), (0.95, 8), (0.95, 30)])
def test_the_interval_of_verdicts_covers(p, n):
    """Exactly, over all outcomes: no draw is needed."""
    chances = scipy.stats.binom.pmf(range(n + 1), n, p)
    found = [stats.mean_interval([1] * k + [0] * (n - k)) for k in range(n + 1)]
    covered = sum(chance for chance, (low, high, _) in zip(chances, found, strict=True) if low <= p <= high)
    assert covered > 0.925


def test_equal_runs_seldom_fall():
    generator = np.random.default_rng(0)
    drawn = generator.choice([-1, -0.4, 0, 0.4, 1], (1000, 30), p=[0.1, 0.1, 0.6, 0.1, 0.1])
    assert 0.03 < np.mean([stats.fall_p(differences) < 0.05 for differences in drawn]) < 0.07


# --- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (stats.mean_interval, [[]], "at least one number"),
        (stats.sign_flip, [[]], "at least one number"),
        (stats.difference_interval, [[0.1, float("nan")]], "place 1 is not"),
        (stats.mean_interval, [[0.5, 1.5]], "between 0 and 1"),
        (stats.mean_interval, [[0, 1], ["a", "a"]], "two clusters or more"),
        (stats.t_interval, [[0.5]], "two values"),
        (stats.bootstrap_means, [[0.5, 0.1], ["a"]], "2 values and 1 clusters"),
        (stats.wilson, [1.1, 8], "a share is between 0 and 1"),
        (stats.sign_flip, [[0.1], None, "up"], "side must be"),
        (stats.agreement, [[1], [1, 0]], "1 verdicts and 2"),
        (stats.auc, [[1, 2], [True, True]], "a right and a wrong"),
        (stats.pairwise_accuracy, [[1, 2], [1, 1]], "separate no two"),
        (stats.smallest_difference, [1, 0.4], "n must be 2"),
        (stats.items_needed, [0, 0.4], "difference of 0"),
    ],
)
def test_what_cannot_be_asked(function, arguments, message):
    with pytest.raises(ValueError, match=message):
        function(*arguments)


def test_scipy_is_loaded_only_where_an_interval_is_asked_for():
    code = "import sys; from lessonlib import stats; stats.wilson(0.5, 8); sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
