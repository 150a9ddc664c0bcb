"""Differences of games in pairs: what they are, how often they are right, what pairing is worth."""

import math
import os

import numpy as np
import pytest

from lab.stats.estimate import bonferroni, estimate_mean, wilson
from lab.stats.paired import estimate_contrast, estimate_difference, variance_ratio

STUDIES = 20_000 if os.environ.get("LAB_PROOF") else 2_000


def test_of_games_that_do_not_differ_the_difference_is_exactly_nothing():
    x = np.random.default_rng(1).random(100)
    for values in (x, np.where(x < 0.4, np.nan, x)):
        found = estimate_difference(values, values, bounds=(0, 9))
        assert (found.value, found.low, found.high) == (0, 0, 0)
        assert found.n == np.count_nonzero(~np.isnan(values))
        assert math.isnan(variance_ratio(values, values))


@pytest.mark.parametrize("n", [10, 1000])
def test_of_rates_that_do_not_differ_a_few_pairs_yet_may(n):
    x = np.arange(n) % 2
    found = estimate_difference(x, x, bounds=(0, 1))
    assert (found.value, found.low) == (0, pytest.approx(-found.high))
    assert found.high == pytest.approx(wilson(0, n)[1])


def test_the_interval_is_that_of_the_mean_of_differences():
    from scipy.stats import ttest_rel

    x, y = np.random.default_rng(2).random((2, 50))
    found = estimate_difference(x, y, bounds=(0, 9))
    low, high = ttest_rel(y, x).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.value == pytest.approx((y - x).mean())


def test_of_many_pairs_the_interval_of_a_rate_is_the_same():
    x, y = np.random.default_rng(2).random((2, 100_000)) < [[0.3], [0.5]]
    rate, mean = (estimate_difference(x, y, bounds=bounds) for bounds in ((0, 1), (0, 2)))
    assert (rate.value, rate.error) == pytest.approx((mean.value, mean.error), rel=1e-3)
    assert (rate.low, rate.high) == pytest.approx((mean.low, mean.high), rel=1e-3)


def test_a_difference_reaches_twice_as_far_as_a_value():
    found = estimate_difference([0, 2], [2, 0], bounds=(0, 2))
    assert (found.low, found.high) == (-2, 2)
    found = estimate_difference([0, 0, 1], [1, 1, 1], bounds=(0, 1))
    assert -1 <= found.low < found.value < found.high <= 1


def test_pairs_repeat_themselves_where_both_games_do():
    x, y = np.random.default_rng(3).random((2, 20))
    past = np.arange(20, dtype=np.uint64)
    once = estimate_difference(x, y, (past, past + np.uint64(7)))
    twice = [np.tile(part, 2) for part in (x, y)]
    both = estimate_difference(*twice, (np.tile(past, 2), np.tile(past + np.uint64(7), 2)))
    other = estimate_difference(*twice, (np.tile(past, 2), np.arange(40, dtype=np.uint64)))
    assert both.distinct == 20
    assert (both.low, both.high) == pytest.approx((once.low, once.high))
    assert other.distinct == 40
    assert other.high - other.low < both.high - both.low


def test_each_side_has_the_mean_of_what_is_known_of_it():
    found = estimate_difference([1, np.nan, 3, np.nan], [2, 2, 5, np.nan])
    assert (found.value, found.n) == (1, 2)  # 3 less 2, not 1.5 of the pairs that are whole


def test_where_nothing_is_known_of_a_side_its_difference_is_not_known():
    found = estimate_difference([np.nan, np.nan], [1, 0], bounds=(0, 1))
    assert math.isnan(found.value)
    assert (found.low, found.high, found.n) == (-1, 1, 0)
    assert math.isnan(variance_ratio([np.nan, np.nan], [1, 0]))


def test_games_of_one_cluster_are_one_unit():
    x, y = np.random.default_rng(4).random((2, 40))
    assert estimate_difference(x, y, None, np.arange(40) // 4).clusters == 10


@pytest.mark.parametrize("limits", [(0, 1), (0, 9)])
def test_a_slope_is_that_of_the_means(limits):
    sides = np.random.default_rng(5).random((3, 60)) < [[0.2], [0.5], [0.6]]
    weights = (-0.5, 0, 0.5)
    found = estimate_contrast(sides, weights, bounds=limits)
    assert found.value == pytest.approx(np.polyfit(range(3), sides.mean(axis=1), 1)[0])
    pair = estimate_difference(sides[0], sides[2], bounds=limits)
    assert (found.low, found.high) == pytest.approx((pair.low / 2, pair.high / 2))
    assert estimate_contrast([[0, 1], [9, 9]], (-3, 3), bounds=(0, 9)).high == 27


def test_games_are_the_same_again_where_all_sides_are():
    sides, past = np.random.default_rng(6).random((3, 20)), np.arange(20, dtype=np.uint64)
    twice = np.tile(sides, (1, 2))
    same = np.tile(np.stack([past, past + np.uint64(5), past]), (1, 2))
    assert estimate_contrast(twice, (-1, 0, 1), same).distinct == 20
    same[1] = np.arange(40)
    assert estimate_contrast(twice, (-1, 0, 1), same).distinct == 40


# --- truth that is known ------------------------------------------------------------------------


def normal(random, n):
    """Means 0 and 0.3, correlated by 0.8."""
    x, fresh = random.standard_normal((2, n))
    return x, 0.3 + 0.8 * x + 0.6 * fresh


def rates(random, n):
    """Shares 0.4 and 0.5 of one chance, with some noise in the second."""
    luck = random.random(n)
    other = np.where(random.random(n) < 0.2, random.random(n), luck)
    return luck < 0.4, other < 0.5


def rare(random, n):
    """Shares 0.02 and 0.05 of one chance."""
    luck = random.random(n)
    return luck < 0.02, luck < 0.05


def patchy(random, n):
    """Something is known where it is below 0.5 on one side, and above -0.5 on the other."""
    x, y = normal(random, n)
    return np.where(x < 0.5, x, np.nan), np.where(y > -0.5, y, np.nan)


def _below(cut):
    """The mean of a standard normal below `cut`."""
    from scipy.stats import norm

    return -norm.pdf(cut) / norm.cdf(cut)


ANY, RATE = (-math.inf, math.inf), (0, 1)
CASES = [
    (normal, 0.3, ANY),
    (rates, 0.1, RATE),
    (rare, 0.03, RATE),
    (patchy, 0.3 - _below(0.8) - _below(0.5), ANY),
]


@pytest.mark.parametrize(("draw", "truth", "bounds"), CASES)
def test_a_paired_interval_covers_its_truth(draw, truth, bounds):
    random = np.random.default_rng(5)
    found = [estimate_difference(*draw(random, 200), bounds=bounds) for _ in range(STUDIES)]
    covered = sum(one.low <= truth <= one.high for one in found) / STUDIES
    assert covered > 0.94  # 0.98 where few pairs differ: rather too wide than too bold
    if bounds == ANY:
        assert covered < 0.96
        spread = np.std([one.value for one in found])
        assert np.mean([one.error for one in found]) == pytest.approx(spread, rel=0.05)


SHARES = np.array([0.4, 0.5, 0.53])
SLOPE = (-0.5, 0.0, 0.5)
LADDER = ((-1, 1, 0), (0, -1, 1), SLOPE)


def ladder(random, n):
    """SHARES of one chance, with some noise in each."""
    noise = np.where(random.random((3, n)) < 0.2, random.random((3, n)), random.random(n))
    return noise < SHARES[:, None]


def test_slopes_cover_their_truth_and_many_intervals_all_of_theirs():
    """As a scan has them: every value, difference and slope, at a confidence that is shared."""
    random, each = np.random.default_rng(9), bonferroni(0.95, 6)
    slopes = together = 0
    for _ in range(STUDIES):
        sides = ladder(random, 200)
        slope = estimate_contrast(sides, SLOPE, bounds=RATE)
        slopes += slope.low <= SHARES @ SLOPE <= slope.high
        values = [estimate_mean(side, bounds=RATE, confidence=each) for side in sides]
        apart = [estimate_contrast(sides, w, bounds=RATE, confidence=each) for w in LADDER]
        truths = [*SHARES, *(SHARES @ np.array(LADDER).T)]
        pairs = zip(values + apart, truths, strict=True)
        together += all(found.low <= truth <= found.high for found, truth in pairs)
    assert 0.94 < slopes / STUDIES < 0.98
    assert together / STUDIES > 0.95


def test_clusters_cover_where_games_of_one_are_alike():
    random = np.random.default_rng(6)
    clusters, covered = np.arange(200) // 5, 0
    for _ in range(STUDIES):
        alike = np.repeat(random.standard_normal((2, 40)), 5, axis=1)
        x, y = alike + random.standard_normal((2, 200))
        found = estimate_difference(x, y + 0.3, None, clusters)
        covered += found.low <= 0.3 <= found.high
    assert 0.93 < covered / STUDIES < 0.97


# --- what pairing is worth ----------------------------------------------------------------------


@pytest.mark.parametrize(("correlation", "worth"), [(0.9, 10), (0.5, 2), (0, 1), (-0.5, 2 / 3)])
def test_the_ratio_is_one_over_what_is_not_shared(correlation, worth):
    x, fresh = np.random.default_rng(7).standard_normal((2, 100_000))
    y = correlation * x + math.sqrt(1 - correlation**2) * fresh
    assert variance_ratio(x, y) == pytest.approx(worth, rel=0.03)


def test_the_ratio_is_of_clusters_where_they_are_the_units():
    """Games of a cluster share its luck, on both sides: that is all that cancels."""
    random = np.random.default_rng(8)
    clusters = np.arange(40_000) // 4
    luck = np.repeat(random.standard_normal(10_000), 4)
    x, y = luck + random.standard_normal((2, 40_000))
    assert variance_ratio(x, y) == pytest.approx(2, rel=0.05)
    assert variance_ratio(x, y, None, clusters) == pytest.approx((4 + 1) / 1, rel=0.05)
