import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from lab.stats import ratings
from lab.stats.ratings import ELO, PRIOR, rate, strengths

BASEBALL = [  # wins of row over column, American League 1987
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]


def likelihood(fit, points, prior):
    ahead = fit[:, None] - fit[None, :]
    drawn = log_expit(fit).sum() + log_expit(-fit).sum()
    return (points * log_expit(ahead)).sum() + prior / 2 * drawn


def test_published_strengths_of_baseball_teams():
    """Agresti 2002, Categorical Data Analysis, table 10.10: log odds against the last team."""
    found = strengths(BASEBALL, prior=1e-9) / ELO
    expected = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0]
    assert found - found[-1] == pytest.approx(expected, abs=6e-4)


def test_strengths_are_where_the_likelihood_is_greatest():
    points = np.array([[0, 3.5, 1, 0], [0.5, 0, 0, 0], [2, 0, 0, 9], [0, 0, 0, 0]])
    best = minimize(lambda fit: -likelihood(fit, points, PRIOR), np.zeros(4), tol=1e-12).x
    assert strengths(points) == pytest.approx(ELO * (best - best.mean()), abs=1e-2)


def test_two_players_differ_by_the_logarithm_of_their_odds():
    found = strengths([[0, 10_000], [1_000, 0]])
    assert found[0] - found[1] == pytest.approx(400, abs=0.5)
    assert found.sum() == pytest.approx(0)


@pytest.mark.parametrize("games", [1, 1e3, 1e9])
def test_who_wins_everything_has_a_finite_strength(games):
    found = strengths([[0, games, 0], [0, 0, games], [0, 0, 0]])
    assert np.isfinite(found).all()
    assert found[0] > found[1] > found[2]
    assert found[0] == pytest.approx(-found[2])


def test_a_stack_of_tables_is_fitted_as_each_alone():
    stack = np.array([BASEBALL, np.transpose(BASEBALL), np.zeros((7, 7))])
    each = [strengths(table) for table in stack]
    assert strengths(stack, start=[50] * 7) == pytest.approx(np.array(each), abs=1e-6)
    assert each[2] == pytest.approx(0)


# --- intervals ----------------------------------------------------------------------------------


def season(rng, true, maps, luck=0.0):
    """Both sides of every pair on every map; a map may favour some, by `luck` log odds."""
    k = len(true)
    pairs = [(i, j) for _ in range(maps) for i in range(k) for j in range(k) if i != j]
    clusters = np.repeat(np.arange(maps), k * (k - 1))
    fits = np.asarray(true) + luck * rng.normal(size=(maps, k))
    left, right = np.array(pairs).T
    chance = expit(fits[clusters, left] - fits[clusters, right])
    return pairs, (rng.random(len(pairs)) < chance).astype(float), clusters


@pytest.mark.parametrize("luck", [0, 1])
def test_intervals_cover_the_truth(luck):
    """The truth under luck is what very many maps come to."""
    rng = np.random.Generator(np.random.PCG64(5))
    true = np.array([-1.2, -0.2, 0.2, 1.2])
    goal = [e.value for e in rate(*season(rng, true, 20_000, luck), 4)] if luck else ELO * true
    inside = [
        found.low <= value <= found.high
        for _ in range(100)
        for found, value in zip(rate(*season(rng, true, 12, luck), 4), goal, strict=True)
    ]
    assert 0.92 < np.mean(inside) < 0.985


def test_maps_that_decide_games_widen_the_intervals():
    rng = np.random.Generator(np.random.PCG64(1))
    pairs, scores, maps = season(rng, [0, 0, 0], 30, luck=3)
    shared, alone = rate(pairs, scores, maps, 3)[0], rate(pairs, scores, range(len(maps)), 3)[0]
    assert (shared.n, shared.clusters, alone.clusters) == (120, 30, 120)
    assert shared.high - shared.low > 1.3 * (alone.high - alone.low)


def test_who_won_everything_is_bounded_from_below_alone():
    best, worst = rate([(0, 1), (1, 0)] * 10, [1, 0] * 10, np.arange(20) // 2, 2)
    assert (best.high, worst.low) == (math.inf, -math.inf)
    # At a chance of 0.83 a game, all twenty are won in 2.5 % of cases.
    assert 0 < best.low < ELO * math.log(0.83 / 0.17) / 2 < best.value
    assert (worst.value, worst.high) == pytest.approx((-best.value, -best.low))


def test_an_order_that_no_map_changes_still_has_intervals():
    pairs = [(i, j) for i in range(3) for j in range(3) if i != j] * 5
    scores = [float(first < second) for first, second in pairs]
    middle = rate(pairs, scores, np.arange(30) // 6, 3)[1]
    assert middle.value == pytest.approx(0, abs=1e-6)
    assert middle.low < -100 < 100 < middle.high


def test_one_map_or_no_game_tells_no_interval():
    one, two, idle = rate([(0, 1), (1, 0), (0, 1)], [1, 0.5, 0], [7, 7, 7], 3)
    for found in (one, two, idle):
        assert (found.low, found.high, found.error) == (-math.inf, math.inf, math.inf)
    assert (one.n, one.clusters, idle.n, idle.clusters) == (3, 1, 0, 0)
    assert idle.value == pytest.approx(0, abs=1e-6)


def test_many_players_are_fitted_in_batches(monkeypatch):
    rng = np.random.Generator(np.random.PCG64(2))
    games = season(rng, [0, 1, 2], 10)
    whole = rate(*games, 3)
    monkeypatch.setattr(ratings, "LARGEST", 9 * 7)
    batched = rate(*games, 3)
    assert [e.value for e in whole] == [e.value for e in batched]
    assert [e.low for e in whole] == pytest.approx([e.low for e in batched], rel=1e-6)
