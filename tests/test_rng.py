"""Streams against splitmix64 in plain Python, and what they promise."""

import math
from hashlib import blake2b
from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from lab.game import mind_dtype
from lab.jit import blank, kernel
from lab.rng import CHANCE, GUMBEL, STEP, below, draw, mix, stream

MIND = mind_dtype(1)  # numba takes a record for any that begins with its fields
TOP = 1 << 64


def naive_mix(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % TOP
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % TOP
    return z ^ (z >> 31)


def naive_stream(seed, index, purpose):
    key = 0
    for part in (seed, purpose, index):
        key = naive_mix(((key ^ part) + int(STEP)) % TOP)
    return key


def mind_at(state):
    mind = blank(MIND)[0]
    mind["rng"] = state
    return mind


def test_the_first_draws_from_0_are_those_published_for_splitmix64():
    mind = mind_at(0)
    published = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [draw(mind) for _ in range(3)] == published


@pytest.mark.parametrize("z", [0, 1, 12345, 1 << 63, TOP - 1])
def test_mix(z):
    assert mix(np.uint64(z)) == naive_mix(z)


def test_streams():
    for seed, index, purpose in product((0, 7, TOP - 1), (0, 1, 10**9), (1, 2**63 + 5)):
        found = stream(np.uint64(seed), np.int64(index), np.uint64(purpose))
        assert found == naive_stream(seed, index, purpose)


@kernel
def starts(seed, purpose, found):
    for index in range(found.size):
        found[index] = stream(seed, index, purpose)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_million_games_never_share_a_draw(seed):
    """Every stream walks one circle of 2**64 states: no start within 10,000 draws of another."""
    found = blank(np.uint64, 1_000_000)
    starts(np.uint64(seed), CHANCE, found)
    steps = np.sort(found * np.uint64(pow(int(STEP), -1, TOP)))
    assert np.diff(steps).min() > 10_000


@pytest.mark.parametrize("n", [1, 2, 6, 37])
def test_below_is_uniform(n):
    mind = mind_at(n)
    found = np.bincount([below(mind, np.int64(n)) for _ in range(20_000)], minlength=n)
    assert found.size == n
    assert n == 1 or chisquare(found).pvalue > 0.001


def test_the_gumbel_table_is_the_same_everywhere():
    digest = blake2b(GUMBEL.astype("<i4").tobytes(), digest_size=8).hexdigest()
    assert digest == "a69cd37cec28a281"
    assert GUMBEL.mean() / 256 == pytest.approx(np.euler_gamma, abs=0.01)
    assert GUMBEL.var() / 256**2 == pytest.approx(math.pi**2 / 6, rel=0.01)
