import math
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.stats.betting import MeanTest
from lab.stats.sequential import RateTest, confidence_sequence
from lab.stats.study import FOREVER, RateSequence, first_clear, sequence_of, study

STUDIES = 4_000 if os.environ.get("LAB_PROOF") else 250
NARROW = (0.48, 0.52)


def wins(p, n, seed=1):
    return (np.random.default_rng(seed).random(n) < p).astype(float)


def spread(mean, n, seed=1):
    """Values in 0..40 that lie round their mean, as lengths do."""
    return np.clip(np.random.default_rng(seed).normal(mean, 5, n), 0, 40)


# --- the verdict --------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [0.5, 0.48, 0.53, 0.9])
@pytest.mark.parametrize(("kind", "is_wins"), [(RateTest, True), (MeanTest, False)])
def test_a_narrow_band_is_judged_by_the_one_test_against_its_centre(kind, is_wins, p):
    x = wins(p, 60_000)
    test = kind(NARROW, alpha=0.01, power=0.95, budget=FOREVER).add(x)
    found = study(NARROW, alpha=0.01, power=0.95, near=0.02, wins=is_wins, one=True).add(x)
    assert (found.verdict, found.n) == (test.verdict, test.games)
    assert found.aims == pytest.approx((0.5, 0.5))
    total = x[: found.n].sum()
    assert found.sequence.interval == pytest.approx(confidence_sequence(total, found.n, 0.01))
    assert found.sequence.mean == total / found.n


@pytest.mark.parametrize(
    ("band", "aims", "tested"),
    [
        ((0.0, 0.6), (0.0, 0.58), [((0.0, 0.6), 0.58)]),
        ((0.7, 1.0), (0.72, 1.0), [((0.7, 1.0), 0.72)]),
        ((0.0, 0.02), (0.0, 0.01), [((0.0, 0.02), None)]),
        ((0.4, 0.6), (0.42, 0.58), [((0.4, 1.0), 0.42), ((0.0, 0.6), 0.58)]),
    ],
)
def test_edges_of_a_wide_band_are_tested_against_a_mean_near_by(band, aims, tested):
    found = study(band, near=0.02)
    assert found.aims == pytest.approx(aims)
    assert [test.band for test in found.tests] == [part for part, _ in tested]
    assert [test.aim for test in found.tests] == pytest.approx([aim for _, aim in tested])
    assert {test.power for test in found.tests} == {0.95 if len(tested) == 2 else 0.9}


@pytest.mark.parametrize(
    ("p", "verdict"), [(0.3, "FAIL"), (0.39, "FAIL"), (0.43, "PASS"), (0.5, "PASS"), (0.57, "PASS")]
)
def test_a_mean_that_lies_well_inside_a_wide_band_passes(p, verdict):
    found = [
        study((0.4, 0.6), near=0.02, wins=True).add(wins(p, 60_000, seed)).verdict
        for seed in range(8)
    ]
    assert found.count(verdict) >= 7


@pytest.mark.parametrize("is_wins", [True, False])
@pytest.mark.parametrize(
    ("truth", "wrong", "most"),
    [(0.3, "PASS", 0.05), (0.7, "PASS", 0.05), (0.4, "FAIL", 0.1), (0.6, "FAIL", 0.1)],
)
def test_errors_at_the_edges_and_the_aims_of_a_wide_band(is_wins, truth, wrong, most):
    new = study((0.3, 0.7), near=0.1, wins=is_wins, one=True)
    found = [new.add(wins(truth, 1_500, seed)).verdict for seed in range(STUDIES)]
    assert None not in found
    # Wald's errors and what chance adds to their count.
    assert found.count(wrong) / STUDIES < most + 2.5 * math.sqrt(most / STUDIES)


def test_a_band_of_lengths():
    for truth, verdict in [(11, "FAIL"), (14, "PASS"), (20, "PASS"), (31, "FAIL")]:
        found = study((12, 30), (0, 40), near=0.9).add(spread(truth, 20_000))
        assert found.verdict == verdict
        low, high = found.sequence.interval
        assert low <= truth <= high


@pytest.mark.parametrize("band", [(0.6, 0.4), (0.0, 1.0), (-0.1, 0.5), (0.5, 1.1)])
def test_bands_that_cannot_be_tested_are_refused(band):
    with pytest.raises(ValueError, match="band"):
        study(band)


# --- cuts, and the strict verdict ---------------------------------------------------------------


@settings(max_examples=40)
@given(
    cuts=st.lists(st.integers(0, 3000), max_size=8),
    strict=st.booleans(),
    one=st.booleans(),
    band=st.sampled_from([(0.4, 0.6), (0.45, 0.55), (0.0, 0.52), (0.51, 1.0)]),
    p=st.sampled_from([0.5, 0.6]),
)
def test_blocks_change_nothing(cuts, strict, one, band, p):
    x = wins(p, 3000)
    new = study(band, near=0.02, one=one, strict=strict)
    whole, cut = new.add(x), new
    for block in np.split(x, sorted(cuts)):
        cut = cut.add(block)
    assert (cut.verdict, cut.n) == (whole.verdict, whole.n)
    assert cut.sequence.interval == whole.sequence.interval


@pytest.mark.parametrize("one", [True, False])
@pytest.mark.parametrize(("p", "verdict"), [(0.5, "PASS"), (0.62, "FAIL"), (0.55, None)])
def test_strict_goes_on_until_the_sequence_is_clear(one, p, verdict):
    x, band = wins(p, 6_000), (0.45, 0.55)
    found = study(band, one=one, strict=True).add(x)
    assert found.verdict == verdict
    sequence = sequence_of((0.0, 1.0), 0.05, 0.05, one)
    for start in range(0, 6_000, 16):  # the oracle: a look at a time
        sequence = sequence.add(x[start : start + 16])
        low, high = sequence.interval
        if (band[0] <= low and high <= band[1]) or high < band[0] or band[1] < low:
            break
    assert (found.n, found.sequence.interval) == (sequence.n, sequence.interval)


def test_a_strict_pass_is_wrong_in_few_studies():
    new = study((0.4, 0.6), one=True, strict=True)
    found = [new.add(wins(0.6, 1_000, seed)).verdict for seed in range(STUDIES)]
    assert found.count("PASS") / STUDIES < 0.05


# --- sequences ----------------------------------------------------------------------------------


def test_a_rate_has_the_face_of_a_mean():
    x = wins(0.3, 100)
    found = RateSequence(0.01).add(x[:7]).add(x[7:])
    assert (found.n, found.mean) == (100, x.mean())
    assert found.interval == confidence_sequence(x.sum(), 100, 0.01)
    assert math.isnan(RateSequence().mean)
    assert RateSequence().interval == (0.0, 1.0)


def test_a_sum_of_shares_may_round_above_their_count():
    found = RateSequence().add(np.full(10, 1.0)).add(np.array([1 - 2**-53] * 3))
    assert found.interval[1] == pytest.approx(1)


def test_a_grid_is_as_fine_as_what_is_to_be_told():
    assert sequence_of((0, 100), 0.05, 0.05, False).steps == 64_000
    assert sequence_of((0, 1), 0.05, 0.2, False).steps == 4096


def test_the_first_clear_look_is_a_multiple_of_16():
    narrow = lambda ends: "PASS" if ends[1] - ends[0] < 0.2 else None  # noqa: E731
    for one in (True, False):
        new = sequence_of((0.0, 1.0), 0.05, 0.1, one).add(wins(0.5, 5))
        found, verdict = first_clear(new, wins(0.5, 3000, 2), narrow)
        assert verdict == "PASS"
        assert found.n % 16 == 0
