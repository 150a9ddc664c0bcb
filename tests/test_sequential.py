import math
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, norm

from lab.stats.estimate import wilson
from lab.stats.sequential import (
    confidence_sequence,
    confidence_sequences,
)

PROOF = bool(os.environ.get("LAB_PROOF"))
RUNS = 1_000 if PROOF else 100
BAND = (0.48, 0.52)


# Confidence sequence


def test_sequence_at_a_fair_games_mean_stop():
    low, high = confidence_sequence(5235 / 2, 5235)
    assert (round(low, 3), round(high, 3)) == (0.474, 0.526)


def test_sequence_of_a_fair_game_fits_a_narrow_band():
    n = np.arange(16, 20_000, 16)
    low, high = confidence_sequences(n / 2, n)
    inside = (low >= BAND[0]) & (high <= BAND[1])
    assert n[inside][0] == pytest.approx(9_250, rel=0.02)
    assert inside[inside.argmax() :].all()


@pytest.mark.parametrize(
    ("successes", "n"), [(0, 1), (0, 10), (3, 10), (10, 10), (40.5, 100), (1, 10**7)]
)
def test_sequence_ends_where_its_formula_says(successes, n):
    # B(S+1, n-S+1) / (p^S (1-p)^(n-S)) is 1 / (density of Beta(S+1, n-S+1) at p).
    low, high = confidence_sequence(successes, n, alpha=0.05)
    density = beta(successes + 1, n - successes + 1).pdf
    if successes > 0:
        assert density(low) == pytest.approx(0.05, rel=1e-6)
    else:
        assert low == 0
    if successes < n:
        assert density(high) == pytest.approx(0.05, rel=1e-6)
    else:
        assert high == 1


@pytest.mark.parametrize("n", [1, 2, 100, 10**7, 10**12])
def test_sequence_of_nothing_but_losses_or_wins(n):
    # Without the other outcome the formula is (n + 1) (1-p)^n > alpha.
    limit = -math.expm1(math.log(0.05 / (n + 1)) / n)
    assert confidence_sequence(0, n) == (0, pytest.approx(limit, rel=1e-9))
    assert confidence_sequence(n, n) == (pytest.approx(1 - limit, rel=1e-12), 1)


def test_sequence_before_the_first_game_and_beyond_the_last():
    assert confidence_sequence(0, 0) == (0, 1)
    for successes, n in [(-1, 3), (4, 3), (math.nan, 3)]:
        with pytest.raises(ValueError, match="successes"):
            confidence_sequence(successes, n)


@given(st.integers(0, 50), st.integers(0, 50))
def test_sequence_mirrors_and_is_wider_than_wilson(wins, losses):
    low, high = confidence_sequence(wins, wins + losses)
    assert confidence_sequence(losses, wins + losses) == pytest.approx((1 - high, 1 - low))
    assert 0 <= low <= high <= 1
    narrow = wilson(wins, wins + losses)
    assert low <= narrow[0] + 1e-9
    assert narrow[1] - 1e-9 <= high


@given(st.integers(1, 500))
def test_sequence_rises_with_the_successes(n):
    wins = np.arange(2 * n + 1) / 2
    low, high = confidence_sequences(wins, n)
    assert (np.diff(low) > 0).all()
    assert (np.diff(high) > 0).all()
    wider = confidence_sequences(wins, n, alpha=0.01)
    assert (wider[0] <= low).all()
    assert (wider[1] >= high).all()


def test_many_sequences_are_each_of_them():
    random = np.random.default_rng(5)
    n = random.integers(0, 10_000, (4, 50))
    wins = random.integers(0, n + 1)
    low, high = confidence_sequences(wins, n)
    each = [confidence_sequence(s, m) for s, m in zip(wins.flat, n.flat, strict=True)]
    assert np.stack([low.ravel(), high.ravel()], axis=1) == pytest.approx(np.array(each))


@pytest.mark.parametrize("truth", [0.5, 0.03])
def test_sequence_holds_at_every_look_where_wilson_does_not(truth):
    n = np.arange(20, 4001, 20)
    wins = np.random.default_rng(7).binomial(20, truth, (RUNS, n.size)).cumsum(1)
    low, high = confidence_sequences(wins, n)
    missed = ((truth < low) | (truth > high)).any(1).mean()
    assert missed <= 0.05
    # Wilson's interval holds p while S/n is within z standard errors that p would have.
    limit = norm.ppf(0.975) * np.sqrt(truth * (1 - truth) / n)
    once = (np.abs(wins / n - truth) > limit).any(1).mean()
    assert once > 0.35
    print(f"truth {truth}: sequence {missed:.1%}, Wilson {once:.1%}")


def test_sequence_holds_for_draws():
    n = np.arange(20, 4001, 20)
    counts = np.random.default_rng(8).multinomial(20, [0.2, 0.5, 0.3], (RUNS, n.size))
    low, high = confidence_sequences((counts @ [0, 0.5, 1]).cumsum(1), n)
    assert ((low > 0.55) | (high < 0.55)).any(1).mean() <= 0.05
