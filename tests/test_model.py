import numpy as np
import pytest

from lab.sweep.model import Model, expected_miss


def matern(a, b, shape, named):
    """The kernel by its formula, one pair of places at a time."""
    square = 0.0
    for x, y, reach, name in zip(a, b, shape, named, strict=False):
        square += ((x != y) if name else (x - y) ** 2) / reach**2
    r = np.sqrt(5 * square)
    return shape[-2] * (1 + r + r * r / 3) * np.exp(-r)


def test_the_posterior_is_that_of_a_gaussian_process():
    rng = np.random.default_rng(1)
    places = np.column_stack([rng.random((12, 2)), rng.integers(3, size=12)])
    named = np.array([False, False, True])
    values, errors = rng.normal(size=12), rng.uniform(0.1, 0.3, 12)
    shape = np.array([0.6, 1.2, 0.6, 1.0, 0.03])
    model = Model(places, values, errors, named, shape)
    new = np.array([0.3, 0.9, 1.0])

    own = shape[-2] * shape[-1]
    kernel = np.array([[matern(a, b, shape, named) for b in places] for a in places])
    noise = np.diag((errors / model.scale) ** 2 + own + 1e-9)
    between = np.array([matern(new, a, shape, named) for a in places])
    weights = np.linalg.inv(kernel + noise)
    mean = model.mean + model.scale * between @ weights @ (values - model.mean) / model.scale
    variance = model.scale**2 * (shape[-2] + own - between @ weights @ between)
    found = model.at(new[None])
    assert (found[0][0], found[1][0]) == pytest.approx((mean, variance))


def test_games_of_neighbours_count():
    places = np.linspace(0, 1, 40)[:, None]
    truth = 0.3 + 0.4 * places[:, 0]
    errors = np.full(40, 0.08)
    values = truth + np.random.default_rng(2).normal(size=40) * errors
    mean, variance = Model(places, values, errors, np.array([False])).played()
    assert np.abs(mean - truth).mean() < 0.4 * np.abs(values - truth).mean()
    assert (np.abs(mean - truth) < 3 * np.sqrt(variance)).all()


def test_a_setting_that_was_played_much_speaks_for_itself():
    """A cliff at one place, seen by many games."""
    places = np.linspace(0, 1, 21)[:, None]
    values, errors = np.full(21, 0.5), np.full(21, 0.05)
    values[10], errors[10] = 0.9, 0.002
    mean, _ = Model(places, values, errors, np.array([False])).played()
    assert mean[10] == pytest.approx(0.9, abs=0.02)
    assert mean[0] == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("mean", [0.3, 0.46, 0.5, 0.7])
def test_the_expected_miss_is_the_mean_of_misses(mean):
    drawn = mean + 0.05 * np.random.default_rng(3).normal(size=200_000)
    misses = np.maximum(np.maximum(0.45 - drawn, drawn - 0.55), 0) / 0.05
    assert expected_miss(np.array([mean]), np.array([0.05**2]), 0.45, 0.55)[0] == pytest.approx(
        misses.mean(), abs=0.01
    )
