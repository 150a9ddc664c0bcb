import os

import numpy as np
import pytest
from SALib.analyze.sobol import total_order

from lab.stats import sobol

PROOF = bool(os.environ.get("LAB_PROOF"))
RUNS = 100 if PROOF else 10
VALUES = [7, 3, 5, 10]
"""How many values each input has, the dummy left out."""


def study(function, samples, seed, noise=0.0, values=VALUES, lost=0.0):
    """The indices of one output, function(inputs as standardised values) + noise, and its rows."""
    counts = np.array([*values, 10])
    cube = sobol.design(counts.size, samples, seed)
    places = np.minimum((cube * counts).astype(int), counts - 1)
    cells = np.ravel_multi_index(np.moveaxis(places[:, :, :-1], 2, 0), values)
    x = (places + 0.5 - counts / 2) / np.sqrt((counts**2 - 1) / 12)
    random = np.random.default_rng([seed, 1])
    y = function(*np.moveaxis(x[:, :, :-1], 2, 0)) + noise * random.standard_normal(cells.shape)
    y = np.where(random.random(y.shape) < lost, np.nan, y)
    return sobol.indices(y[:, :, None], places[:, [0, -1]], cells, seed)[0], y


def additive(a, b, c, d):
    return np.sqrt(0.1) * a + np.sqrt(0.2) * b + np.sqrt(0.3) * c + np.sqrt(0.4) * d


def nothing(*inputs):
    return np.zeros(inputs[0].shape)


def test_a_block_moves_one_input_at_a_time():
    rows = sobol.design(3, 16, seed=5)
    assert rows.shape == (16, 5, 3)
    one, other = rows[:, 0], rows[:, -1]
    for i in range(3):
        moved = one.copy()
        moved[:, i] = other[:, i]
        assert (rows[:, i + 1] == moved).all()
        for point in (one, other):  # each of 16 equal parts once
            assert sorted((point[:, i] * 16).astype(int)) == list(range(16))
    assert (sobol.design(3, 16, seed=5) == rows).all()
    assert (sobol.design(3, 16, seed=6) != rows).any()


@pytest.mark.parametrize("seed", range(10 if PROOF else 3))
def test_indices_of_a_known_additive_function(seed):
    found, _ = study(additive, 1024, seed)
    truth = np.array([0.1, 0.2, 0.3, 0.4])
    assert np.abs(found.first[:, 0] - [*truth, 0]).max() < 0.03
    assert np.abs(found.total[:-1, 0] - truth).max() < 0.03
    assert found.noise[0] == pytest.approx(0, abs=1e-12)


def test_indices_of_two_inputs_that_only_work_together():
    found, _ = study(lambda a, b, c, d: a * b + c, 1024, seed=1)
    assert found.first[:, 0] == pytest.approx([0, 0, 0.5, 0, 0], abs=0.05)
    assert found.total[:-1, 0] == pytest.approx([0.5, 0.5, 0.5, 0], abs=0.06)
    assert found.important.tolist() == [True, True, True, False, False]


def test_totals_are_those_of_salib():
    found, y = study(lambda a, b, c, d: additive(a, b, c, d) + a * d, 64, seed=2)
    for i in range(4):
        theirs = total_order(y[:, 0], y[:, i + 1], y[:, -1]) * np.var(y[:, [0, -1]])
        assert found.total[i, 0] * np.var(y) == pytest.approx(theirs)


def test_noise_is_told_apart():
    found, _ = study(additive, 1024, seed=3, noise=1)  # half of the variance
    assert found.noise[0] == pytest.approx(0.5, abs=0.05)
    assert found.first[:, 0] == pytest.approx([0.05, 0.1, 0.15, 0.2, 0], abs=0.03)
    assert found.total[:-1, 0] == pytest.approx([0.05, 0.1, 0.15, 0.2], abs=0.12)
    for index in (found.first, found.total, found.noise[None]):
        assert (index[:, 1] <= index[:, 0]).all()
        assert (index[:, 0] <= index[:, 2]).all()


@pytest.mark.parametrize("samples", [64, 128])
def test_pure_noise_calls_nothing_important(samples):
    called = [study(nothing, samples, seed, noise=1)[0].important.any() for seed in range(RUNS)]
    assert sum(called) <= 0.05 * RUNS + (not PROOF)


def one_in_ten(others):
    """An input with a tenth of the variance, and another with a share of it."""
    return lambda a, b, c, d: np.sqrt(0.1) * a + np.sqrt(others) * b


@pytest.mark.parametrize("others", [0, 0.5, 0.9])
def test_a_tenth_of_the_variance_is_called_important(others):
    noise = np.sqrt(0.9 - others)
    found = [study(one_in_ten(others), 128, s, noise)[0].important for s in range(RUNS)]
    assert sum(called[0] for called in found) >= 0.9 * RUNS
    assert sum(called[2:].any() for called in found) <= 0.05 * RUNS + (not PROOF)


def test_what_two_do_together_is_not_a_thirds():
    """In few blocks of a plain Sobol sequence it often is."""
    values = [7, 3, 5, 10, 2, 2, 16, 4]
    found = [
        study(lambda a, b, c, *_: a * b + c, 64, seed, 0.5, values)[0].important
        for seed in range(RUNS)
    ]
    assert sum(called[3:].any() for called in found) <= 0.05 * RUNS + (not PROOF)


def test_bands_hold_the_truth():
    truth = np.array([0.05, 0.1, 0.15, 0.2])
    held = []
    for seed in range(RUNS):
        found, _ = study(additive, 128, seed, noise=1)
        for index in (found.first[:-1], found.total[:-1]):
            held += ((index[:, 1] <= truth) & (truth <= index[:, 2])).tolist()
    assert np.mean(held) > 0.9


def test_lost_rows_are_left_out():
    found, _ = study(additive, 1024, seed=4, lost=0.05)
    assert found.first[:, 0] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0], abs=0.03)
    assert found.total[:-1, 0] == pytest.approx([0.1, 0.2, 0.3, 0.4], abs=0.04)


def test_an_output_that_stays_the_same_depends_on_nothing():
    for lost in (0.0, 1.0):
        found, _ = study(nothing, 8, seed=0, lost=lost)
        assert np.isnan(found.first).all()
        assert np.isnan(found.noise).all()
        assert not found.important.any()


def test_the_smallest_design_knows_nothing():
    found, _ = study(additive, 2, seed=0, noise=1)
    assert not found.important.any()
