import math
from dataclasses import replace
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, multinomial
from scipy.stats import t as student

from lab.stats.estimate import (
    Moments,
    bonferroni,
    count_distinct,
    difference,
    estimate_mean,
    pooled,
    weighted,
    wilson,
)

SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=40)


def limits(estimate):
    return estimate.low, estimate.high


# Wilson


@pytest.mark.parametrize(
    ("successes", "n"), [(0, 1), (1, 1), (0, 10), (10, 10), (3, 10), (511, 1000), (1, 10**7)]
)
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_wilson_is_scipys(successes, n, confidence):
    oracle = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    assert wilson(successes, n, confidence) == pytest.approx(tuple(oracle), rel=1e-9, abs=1e-15)
    if n <= 1000:
        values = np.arange(n) < successes
        assert limits(estimate_mean(values, confidence=confidence)) == pytest.approx(
            tuple(oracle), rel=1e-9, abs=1e-15
        )


def test_wilson_edges():
    assert wilson(0, 0) == (0, 1)
    assert wilson(0, 5)[0] == 0
    assert wilson(5, 5)[1] == 1
    for successes, n in [(-1, 3), (4, 3), (math.nan, 3)]:
        with pytest.raises(ValueError, match="successes"):
            wilson(successes, n)
    with pytest.raises(ValueError, match="confidence 95"):
        wilson(1, 2, confidence=95)


# Means and scores of independent games


def test_student_is_scipys():
    x = np.random.default_rng(1).normal(80, 15, 25)
    oracle = student.interval(0.9, 24, x.mean(), x.std(ddof=1) / 5)
    estimate = estimate_mean(x, confidence=0.9)
    assert limits(estimate) == pytest.approx(oracle)
    assert estimate.value == pytest.approx(x.mean())
    assert estimate.error == pytest.approx(x.std(ddof=1) / 5)
    assert (estimate.n, estimate.distinct, estimate.clusters) == (25, 25, 25)
    assert estimate.method == "t"


def test_bounds_clip_and_decide():
    assert limits(estimate_mean([1, 1, 2, 9], bounds=(1, 9))) == (1, pytest.approx(9, abs=0.6))
    assert estimate_mean([0, 1, 1], bounds=(0, 5)).method == "t"
    assert estimate_mean([0, 0.5, 1]).method == "Wilson"
    assert estimate_mean([0, 0.5, 1.5]).method == "t"
    for values in ([0, 7], [-1, 3], [math.inf, 1]):
        with pytest.raises(ValueError, match="bounds 0 to 5"):
            estimate_mean(values, bounds=(0, 5))
    with pytest.raises(ValueError, match="inf"):
        estimate_mean([math.inf, 1])


def test_draws_narrow_a_score_but_never_to_nothing():
    draws = estimate_mean(np.full(1000, 0.5))
    assert draws.value == 0.5
    # Had up to 3 in 1,000 games been wins (rule of three), the score would be 0.0015 higher.
    assert 0.0015 < draws.high - 0.5 < 0.003
    assert draws.error > 0
    wins = estimate_mean(np.arange(1000) % 2)
    assert wins.high - wins.low > 5 * (draws.high - draws.low)


@pytest.mark.parametrize("chances", [(0.3, 0.4, 0.3), (0.05, 0.9, 0.05), (0.1, 0.2, 0.7)])
def test_a_score_covers_its_truth(chances):
    n, truth, covered = 30, chances[1] / 2 + chances[2], 0.0
    for draws in range(n + 1):
        for wins in range(n + 1 - draws):
            counts = (n - draws - wins, draws, wins)
            estimate = estimate_mean(np.repeat([0, 0.5, 1], counts))
            if estimate.low <= truth <= estimate.high:
                covered += multinomial(n, chances).pmf(counts)
    assert covered > 0.93  # 0.998 where nine games in ten are drawn: rather too wide than too bold


def test_nothing_and_one():
    assert limits(estimate_mean([], bounds=(0, 1))) == (0, 1)
    assert limits(estimate_mean([], [], [])) == (-math.inf, math.inf)
    nothing = estimate_mean([math.nan], [7], [1], bounds=(0, 400))
    assert math.isnan(nothing.value)
    assert (limits(nothing), nothing.n, nothing.distinct) == ((0, 400), 0, 0)
    assert limits(estimate_mean([80], bounds=(1, 400))) == (1, 400)
    assert limits(estimate_mean([1])) == wilson(1, 1)


def test_nan_leaves_with_its_history_and_cluster():
    values = np.array([1, math.nan, 0, 1, math.nan, 0, 1])
    histories = np.array([1, 2, 3, 4, 4, 3, 6], dtype=np.uint64)
    clusters = np.array([1, 9, 1, 2, 2, 3, 3])
    keep = ~np.isnan(values)
    estimate = estimate_mean(values, histories, clusters)
    assert estimate == estimate_mean(values[keep], histories[keep], clusters[keep])
    assert (estimate.n, estimate.distinct) == (5, 4)
    assert estimate_mean(values) == estimate_mean(values[keep])


def test_keys_must_match_the_values():
    for keys in ([1, 2], [1, 2, 3, 4]):
        with pytest.raises(IndexError):
            estimate_mean([0, 1, 1], histories=keys)
        with pytest.raises(IndexError):
            estimate_mean([0, 1, 1], clusters=keys)


# Equal histories and clusters


@pytest.mark.parametrize("values", [[0, 1, 1, 0, 1, 1], [0, 0.5, 1, 1], [1, 1, 1], [3, 9, 4, 8]])
def test_copies_of_one_game_are_one_game(values):
    once = estimate_mean(values, np.arange(len(values)))
    copies = estimate_mean(np.tile(values, 50), np.tile(np.arange(len(values)), 50))
    assert copies.value == pytest.approx(once.value)
    assert limits(copies) == pytest.approx(limits(once))
    assert copies.error == pytest.approx(once.error)
    assert (copies.n, copies.distinct) == (50 * len(values), len(values))
    assert copies.clusters == len(values)
    assert copies.method == once.method + " over groups of equal histories"


def test_games_count_one_by_one_from_90_percent_distinct():
    values = np.arange(100) % 2
    enough, short = np.arange(100) % 90, np.arange(100) % 89
    assert estimate_mean(values, enough).method == "Wilson"
    assert limits(estimate_mean(values, enough)) == wilson(50, 100)
    grouped = estimate_mean(values, short)
    assert grouped.method == "Wilson over groups of equal histories"
    assert grouped.high - grouped.low > wilson(50, 100)[1] - wilson(50, 100)[0]


def test_a_few_distinct_games_never_count_as_many():
    # 998 copies pull the mean onto themselves, so their residual looks small.
    estimate = estimate_mean([1] * 998 + [0, 1], [0] * 998 + [1, 2])
    low, high = wilson(3 * 0.999, 3)
    assert limits(estimate) == pytest.approx((low, high), abs=1e-3)


def test_one_unit_tells_nothing():
    assert limits(estimate_mean([1] * 50, [7] * 50)) == (0, 1)
    assert limits(estimate_mean([0, 1] * 50, clusters=[7] * 100)) == (0, 1)
    one = estimate_mean([80] * 50, [7] * 50, bounds=(1, 400))
    assert (one.value, limits(one), one.error) == (80, (1, 400), math.inf)


def test_clusters_follow_the_ratio_estimator():
    values, clusters = [4.0, 6, 9, 2, 2, 5], [0, 0, 0, 1, 1, 2]
    estimate = estimate_mean(values, clusters=clusters)
    mean = 28 / 6
    residuals = [19 - 3 * mean, 4 - 2 * mean, 5 - mean]
    error = math.sqrt(3 / 2 * sum(r * r for r in residuals)) / 6
    assert estimate.value == pytest.approx(mean)
    assert estimate.error == pytest.approx(error)
    assert limits(estimate) == pytest.approx(student.interval(0.95, 2, mean, error))
    assert (estimate.clusters, estimate.method) == (3, "t over clusters")


@pytest.mark.parametrize("rate", [True, False])
def test_clusters_cover_where_single_games_do_not(rate):
    random = np.random.default_rng(3)
    maps = np.repeat(np.arange(20), 25)
    covered = {"maps": 0, "games": 0}
    for _ in range(400):
        lean = random.beta(4, 4, 20)[maps]
        values = (random.random(500) < lean) * 1.0 if rate else random.normal(50 + 20 * lean, 5)
        truth = 0.5 if rate else 60.0
        for name, clusters in (("maps", maps), ("games", None)):
            estimate = estimate_mean(values, clusters=clusters)
            covered[name] += estimate.low <= truth <= estimate.high
    assert 0.92 * 400 < covered["maps"] < 0.98 * 400
    assert covered["games"] < 0.85 * 400


def test_clusters_at_the_edge_and_balanced():
    won = estimate_mean([1] * 100, clusters=np.arange(100) // 5)
    assert won.high == 1
    assert won.low < wilson(20, 20)[0]
    # Swapped pairs each won once: no more than the games themselves may be claimed.
    pairs = estimate_mean([0, 1] * 50, clusters=np.arange(100) // 2)
    assert pairs.high - pairs.low >= wilson(50, 100)[1] - wilson(50, 100)[0]


def test_the_wider_of_histories_and_clusters_counts():
    values, few, many = [0, 1] * 50, np.arange(100) % 4, np.arange(100) // 2
    both = estimate_mean(values, histories=few, clusters=many)
    assert both == estimate_mean(values, histories=few)
    lean = estimate_mean([0] * 50 + [1] * 50, histories=many, clusters=np.arange(100) // 25)
    assert (lean.method, lean.clusters, lean.distinct) == ("Wilson over clusters", 4, 50)


@pytest.mark.parametrize(
    "keys", [[], [5], [5, 5, 5], [2**64 - 1, 0, 2**63, 0, 2**64 - 1, 2**64 - 2]]
)
def test_count_distinct(keys):
    assert count_distinct(np.array(keys, dtype=np.uint64)) == len(set(keys))


# Properties


@given(SCORES, st.data())
def test_a_rate_stays_in_order_and_in_bounds(values, data):
    keys = st.lists(st.integers(0, 9), min_size=len(values), max_size=len(values))
    for clusters in (None, data.draw(keys)):
        estimate = estimate_mean(values, data.draw(keys), clusters)
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
        assert estimate.low < estimate.high
        assert estimate.error > 0
        mirror = estimate_mean(1 - np.array(values), bounds=(0, 1))
        plain = estimate_mean(values, bounds=(0, 1))
        assert limits(mirror) == pytest.approx((1 - plain.high, 1 - plain.low), abs=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.booleans())
def test_a_mean_stays_in_order_and_in_bounds(values, paired):
    clusters = np.arange(len(values)) // 2 if paired else None
    bounds = (min(values) - 1, max(values) + 1)
    estimate = estimate_mean(values, clusters=clusters, bounds=bounds)
    assert bounds[0] <= estimate.low <= estimate.value <= estimate.high <= bounds[1]


# Moments


@given(st.lists(st.integers(0, 800), min_size=1, max_size=60), st.lists(st.integers(0, 60)))
def test_moments_in_pieces_are_the_whole(halves, cuts):
    values = np.array([*halves, math.nan]) / 2
    ends = sorted([0, *(min(cut, values.size) for cut in cuts), values.size])
    pieces = [values[a:b] for a, b in pairwise(ends)]
    merged = reduce(Moments.merge, map(Moments.of, pieces), Moments())
    assert merged == Moments.of(values)
    assert merged.estimate(bounds=(0, 400)) == estimate_mean(values, bounds=(0, 400))
    assert merged.mean == pytest.approx(np.nanmean(values))
    assert merged.variance == pytest.approx(np.nanvar(values), abs=1e-6)
    assert (merged.low, merged.high) == (np.nanmin(values), np.nanmax(values))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), min_size=1), st.integers(0, 40))
def test_clusters_in_pieces_are_the_whole(games, cut):
    values, keys = np.array([*games, (math.nan, 7)]).T
    pieces = [Moments.of(values[part], keys[part]) for part in (slice(cut), slice(cut, None))]
    merged = reduce(Moments.merge, pieces, Moments())
    whole = estimate_mean(values, None, keys, (0, 9))
    assert merged.estimate(1, (0, 9)) == replace(whole, distinct=1)


def test_moments_measure_scores_and_refuse_repeated_games():
    scores = Moments.of([0, 0.5, 1, 1])
    assert scores.estimate() == estimate_mean([0, 0.5, 1, 1])
    assert scores.estimate(distinct=4).distinct == 4
    with pytest.raises(ValueError, match="3 distinct histories in 4 games"):
        scores.estimate(distinct=3)
    assert Moments.of([math.nan]) == Moments()


# Pooling, many targets, text


def test_pooled_sums_variances():
    random = np.random.default_rng(5)
    parts = [estimate_mean(random.normal(m, 3, 4000), bounds=(-99, 99)) for m in (40, 50)]
    mean = pooled(parts, [1, 3])
    assert mean.value == pytest.approx((parts[0].value + 3 * parts[1].value) / 4)
    assert mean.error == pytest.approx(math.hypot(parts[0].error, 3 * parts[1].error) / 4)
    assert mean.high - mean.value == pytest.approx(1.96 * mean.error, rel=1e-3)
    assert (mean.n, mean.distinct, mean.clusters, mean.method) == (8000, 8000, 8000, "pooled t")
    assert limits(pooled(parts[:1], [5])) == pytest.approx(limits(parts[0]))
    assert pooled(parts, [0, 2]).n == 4000


@given(st.lists(SCORES, min_size=1, max_size=6), st.data())
def test_pooled_rates_stay_in_order_and_in_bounds(groups, data):
    parts = [estimate_mean(values) for values in groups]
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(parts), max_size=len(parts)))
    mean = pooled(parts, weights)
    assert 0 <= mean.low <= mean.value <= mean.high <= 1
    assert mean.low < mean.high


def test_a_difference_is_newcombes():
    """His example: 56/70 against 48/80, method 10 (1998, table II, a)."""
    old, new = (estimate_mean([1.0] * k + [0.0] * (n - k)) for k, n in ((48, 80), (56, 70)))
    assert difference(old, new) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert difference(new, old) == pytest.approx((-0.2, -0.3339, -0.0524), abs=5e-5)


def test_a_weighted_sum_takes_each_side_by_itself():
    one, other, third = (estimate_mean([0] * (50 - k) + [1] * k) for k in (5, 20, 30))
    value, low, high = weighted((one, other, third), (-1, 2, 0.5))
    assert value == pytest.approx(-0.1 + 0.8 + 0.3)
    below = (one.high - one.value, 2 * (other.value - other.low), (third.value - third.low) / 2)
    above = (one.value - one.low, 2 * (other.high - other.value), (third.high - third.value) / 2)
    assert (low, high) == pytest.approx((value - math.hypot(*below), value + math.hypot(*above)))


def test_pooled_without_games_keeps_only_bounds():
    known, nothing = estimate_mean([1] * 20), estimate_mean([], bounds=(0, 1))
    mean = pooled([known, nothing], [1, 1])
    assert math.isnan(mean.value)
    assert limits(mean) == pytest.approx((known.low / 2, 1))


def test_pooled_refuses():
    part = estimate_mean([0, 1])
    for weights in ([1], [1, -1], [0, 0], [1, math.nan]):
        with pytest.raises(ValueError, match="weights"):
            pooled([part, part], weights)
    with pytest.raises(ValueError, match="confidence"):
        pooled([part, estimate_mean([0, 1], confidence=0.9)], [1, 1])


def test_bonferroni():
    assert bonferroni(0.95, 1) == pytest.approx(0.95)
    assert bonferroni(0.95, 5) == pytest.approx(0.99)


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (estimate_mean(np.arange(8000) % 2), "0.500 [0.489, 0.511] n=8,000"),
        (estimate_mean([0, 1] * 8, [0, 1] * 8), "0.50 [0.09, 0.91] n=16 distinct=2"),
        (estimate_mean([0, 1] * 8, clusters=[1] * 16), "0.50 [0.00, 1.00] n=16 clusters=1"),
        (estimate_mean([80]), "80.000 [-inf, inf] n=1"),
        (estimate_mean([], bounds=(0, 400)), "nan [0, 400] n=0"),
    ],
)
def test_text(estimate, text):
    assert str(estimate) == text
