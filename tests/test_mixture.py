"""Mixtures of kinds that meet in pairs: arrays with a truth in them."""

import numpy as np
import pytest

from lab.stats.mixture import (
    SHRINKAGE,
    mixed,
    nearest_mix,
    rounded,
    spread,
    spread_out,
    whitening,
)


def cells_of(kinds, metrics, seed=1):
    return np.random.default_rng(seed).normal(size=(kinds, kinds, metrics))


@pytest.mark.parametrize("weights", [[0.6, 0.3, 0.1, 0], [0, 0, 1, 0], [0.25, 0.25, 0.25, 0.25]])
def test_an_exact_mix_is_found(weights):
    cells = cells_of(4, 9)
    target = mixed(np.array(weights), cells)
    naive = sum(weights[i] * weights[j] * cells[i, j] for i in range(4) for j in range(4))
    assert target == pytest.approx(naive)
    assert nearest_mix(target, cells) == pytest.approx(weights, abs=1e-4)


def test_the_same_arrays_give_the_same_weights():
    cells = cells_of(5, 6)
    target = np.ones(6)
    one, other = nearest_mix(target, cells), nearest_mix(target, cells)
    assert (one == other).all()
    assert one.min() >= 0
    assert one.sum() == pytest.approx(1)


def test_no_mix_on_a_grid_is_nearer():
    cells, target = cells_of(3, 4, 7), np.array([0.5, -1, 2, 0])
    found = ((mixed(nearest_mix(target, cells), cells) - target) ** 2).sum()
    grid = [(a, b, 20 - a - b) for a in range(21) for b in range(21 - a)]
    each = [((mixed(np.array(w) / 20, cells) - target) ** 2).sum() for w in grid]
    assert found <= min(each) + 1e-9


def test_starts_lie_on_the_simplex():
    starts = np.array(list(spread_out(4)))
    assert starts.shape == (1 + 4 + 6, 4)
    assert starts.sum(axis=1) == pytest.approx(1)


def test_the_spread_of_a_mix_is_that_of_its_games():
    rng = np.random.default_rng(3)
    games = rng.normal(size=(2, 2, 500, 3)) + 4 * cells_of(2, 3)[:, :, None]
    weights = np.array([0.75, 0.25])
    counts = {(0, 0): 9, (0, 1): 3, (1, 0): 3, (1, 1): 1}  # sixteenths
    drawn = np.concatenate([np.repeat(games[pair], n, axis=0) for pair, n in counts.items()])
    assert spread(weights, games) == pytest.approx(np.cov(drawn.T, bias=True))


def test_whitened_distances_are_those_of_the_covariance():
    covariance = np.array([[4.0, 0.4], [0.4, 0.25]])
    apart = np.array([1.0, -3.0])
    turned = apart @ whitening(covariance)
    covariance[0, 1] = covariance[1, 0] = 0.4 * (1 - SHRINKAGE)
    assert turned @ turned == pytest.approx(apart @ np.linalg.inv(covariance) @ apart)


def test_metrics_that_tell_the_same_can_be_whitened():
    same = np.outer([1.0, -2.0, 0.5], [1.0, -2.0, 0.5])
    assert np.isfinite(whitening(same)).all()


def test_rounded_weights_sum_to_one():
    found = rounded(np.array([1 / 3, 1 / 3, 1 / 3]), 4)
    assert found.tolist() == [0.3334, 0.3333, 0.3333]
