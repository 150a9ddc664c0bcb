import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from lab.stats.pentanomial import (
    SCORES,
    gsprt_bounds,
    normalised_ratio,
    pair_counts,
    score_ratio,
)

COUNTS = st.lists(st.integers(0, 2000), min_size=5, max_size=5)


@pytest.mark.parametrize(
    ("counts", "bounds", "ratio", "within"),
    [
        ([93, 18711, 58877, 18739, 100], (-1.75, 0.25), 2.942097, 5e-7),
        ([379, 10170, 21828, 10640, 343], (0, 2), 2.9455, 5e-5),
    ],
)
def test_published_matches(counts, bounds, ratio, within):
    assert normalised_ratio(counts, *bounds) == pytest.approx(ratio, abs=within)


def test_bounds_are_walds():
    assert gsprt_bounds() == pytest.approx((-math.log(19), math.log(19)))
    assert gsprt_bounds(0.1, 0.2) == pytest.approx((math.log(0.2 / 0.9), math.log(0.8 / 0.1)))
    for errors in ((0, 0.1), (0.1, 0), (0.5, 0.5), (math.nan, 0.1)):
        with pytest.raises(ValueError, match="alpha"):
            gsprt_bounds(*errors)


def test_pair_counts():
    assert pair_counts([]).tolist() == [0, 0, 0, 0, 0]
    assert pair_counts([0, 2, 2, 0.5, 1, 1.5, 1]).tolist() == [1, 1, 2, 1, 2]
    for points in ([2.5], [0.25], [-0.5], [math.nan]):
        with pytest.raises(ValueError, match="points"):
            pair_counts(points)


def likelihood(counts, mean):
    """The most that log likelihood can be under a mean score, by a general optimiser."""
    shares = np.array(counts) / sum(counts)
    conditions = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "eq", "fun": mean},
    ]
    start = np.full(5, 0.2)
    best = minimize(
        lambda p: -(shares @ np.log(p)),
        start,
        bounds=[(1e-6, 1)] * 5,
        constraints=conditions,
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return -sum(counts) * best.fun


@pytest.mark.parametrize("counts", [[10, 20, 40, 22, 8], [3, 1, 5, 9, 30], [100, 100, 1, 50, 60]])
def test_ratios_are_those_of_the_likeliest_distributions(counts):
    low, high = (likelihood(counts, lambda p, s=s: p @ SCORES - s) for s in (0.48, 0.55))
    assert score_ratio(counts, 0.48, 0.55) == pytest.approx(high - low, abs=1e-4)

    def apart(p, elo):
        mean = p @ SCORES
        deviation = math.sqrt(p @ (SCORES - mean) ** 2)
        return mean - 0.5 - elo * math.log(10) / 800 * math.sqrt(2) * deviation

    low, high = (likelihood(counts, lambda p, e=e: apart(p, e)) for e in (-10, 30))
    assert normalised_ratio(counts, -10, 30) == pytest.approx(high - low, abs=1e-4)


@pytest.mark.parametrize("n", [1, 50, 10**6, 10**9])
def test_nothing_but_wins_or_losses(n):
    for ratio, bounds in ((normalised_ratio, (0, 2)), (score_ratio, (0.5, 0.51))):
        wins, losses = (ratio(counts, *bounds) for counts in ([0, 0, 0, 0, n], [n, 0, 0, 0, 0]))
        assert losses < 0 < wins
        assert math.isfinite(wins - losses)
    # A mean of s is likeliest with a win's chance near s and a loss's near 1 - s.
    ratio = score_ratio([0, 0, 0, 0, n], 0.5, 0.51)
    assert ratio == pytest.approx(n * math.log(0.51 / 0.5), rel=0.01)


def test_no_pairs_say_nothing():
    assert normalised_ratio([0] * 5, 0, 2) == pytest.approx(0, abs=1e-5)


@given(COUNTS, st.floats(-50, 50), st.floats(-50, 50))
def test_ratios_mirror(counts, lower, upper):
    ratio = normalised_ratio(counts, lower, upper)
    assert normalised_ratio(counts[::-1], -lower, -upper) == pytest.approx(ratio, abs=1e-4)
    assert normalised_ratio(counts, upper, lower) == pytest.approx(-ratio, abs=1e-9)
    assert normalised_ratio(counts, lower, lower) == 0


@given(COUNTS, st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_score_ratios_mirror(counts, lower, upper):
    ratio = score_ratio(counts, lower, upper)
    mirror = score_ratio(counts[::-1], 1 - lower, 1 - upper)
    assert mirror == pytest.approx(ratio, rel=1e-6, abs=1e-6)


def test_what_cannot_be():
    for counts in ([1, 2, 3], [1, 2, 3, 4, -5], [1, 2, 3, 4, math.nan]):
        with pytest.raises(ValueError, match="counts"):
            score_ratio(counts, 0.4, 0.6)
    for mean in (0, 1, math.nan):
        with pytest.raises(ValueError, match="mean score"):
            score_ratio([1] * 5, 0.5, mean)
    with pytest.raises(ValueError, match="out of reach"):
        normalised_ratio([1] * 5, 0, 400)


def test_errors_are_kept_in_matches():
    """Pairs without a difference between players, a look after each 8 pairs."""
    random = np.random.default_rng(2)
    low, high = gsprt_bounds(0.1, 0.1)
    chances = [0.1, 0.2, 0.4, 0.2, 0.1]
    wrong = 0
    for _ in range(60):
        counts, ratio = np.zeros(5), 0.0
        while low < ratio < high:
            counts += random.multinomial(8, chances)
            ratio = normalised_ratio(counts, 0, 60)
        wrong += ratio >= high
    assert wrong <= 0.1 * 60 + 5
