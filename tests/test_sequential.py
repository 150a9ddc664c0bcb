import math
import os
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, norm

from lab.stats.estimate import wilson
from lab.stats.sequential import (
    RateTest,
    confidence_sequence,
    confidence_sequences,
    edges,
    equivalence_games,
    rate_verdicts,
    thresholds,
    within,
)

PROOF = bool(os.environ.get("LAB_PROOF"))
STUDIES = 20_000 if PROOF else 2_000
RUNS = 1_000 if PROOF else 100
BAND = (0.48, 0.52)
FIXED = 6_764
SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=200)


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


# Bands


def test_edges_of_a_band():
    centre, ends = edges((0.48, 0.52))
    assert (centre, ends.tolist()) == (pytest.approx(0.5), [0.48, 0.52])
    centre, ends = edges((0, 0.05))
    assert (centre, ends.tolist()) == (0.025, [0.05])
    assert edges((0.9, 1))[1].tolist() == [0.9]
    centre, ends = edges((70, 90), bounds=(0, 400))
    assert (centre, ends.tolist()) == (pytest.approx(0.2), [0.175, 0.225])
    for band in ((0.5, 0.5), (0.6, 0.5), (-0.1, 0.5), (0.5, 1.1), (0, 1), (math.nan, 1)):
        with pytest.raises(ValueError, match="band"):
            edges(band)
    with pytest.raises(ValueError, match="band"):
        edges((0, 5), bounds=(0, math.inf))


def test_thresholds_are_walds():
    assert thresholds(2) == pytest.approx((math.log(0.95 / 0.05), math.log(0.95 / 0.05)))
    assert thresholds(1) == pytest.approx((math.log(20), math.log(10)))
    assert thresholds(2, 0.01, 0.8) == pytest.approx((math.log(90), math.log(9.9)))


@pytest.mark.parametrize(("alpha", "power"), [(0, 0.9), (0.05, 1), (0.9, 0.8), (math.nan, 0.9)])
def test_errors_that_cannot_be(alpha, power):
    with pytest.raises(ValueError, match="alpha"):
        RateTest(BAND, alpha=alpha, power=power)


def test_values_outside_the_bounds():
    assert within([1, math.nan, 0], (0, 1)).tolist() == [1, 0]
    for values in ([2], [-0.5, 1], [math.inf]):
        with pytest.raises(ValueError, match="bounds 0 to 1"):
            RateTest(BAND).add(values)


def found(test):
    return test.verdict, test.games


def test_verdicts_worked_out_by_hand():
    # Wins alone: ln(.52/.5) a game against the upper edge, 75.07 games to ln 19.
    assert found(RateTest(BAND).add(np.ones(100))) == ("FAIL", 80)
    assert found(RateTest(BAND).add(np.ones(79))) == (None, 79)
    assert found(RateTest(BAND, budget=77).add(np.ones(100))) == ("FAIL", 77)
    assert found(RateTest(BAND, budget=75).add(np.ones(100))) == ("UNDECIDED", 75)
    # Draws alone: ln(.5/.48)/2 + ln(.5/.52)/2 for the centre on both sides, 3,678.6 games.
    assert found(RateTest(BAND).add(np.full(4000, 0.5))) == ("PASS", 3680)
    # Never an event: ln(.975/.95) a game, 115.3 to ln 20; always one: ln 2 a game, 3.3 to ln 10.
    assert found(RateTest((0, 0.05)).add(np.zeros(200))) == ("PASS", 128)
    assert found(RateTest((0, 0.05)).add(np.ones(200))) == ("FAIL", 16)
    assert found(RateTest((0.95, 1)).add(np.ones(200))) == ("PASS", 128)


def test_a_test_begins_with_nothing():
    assert found(RateTest(BAND)) == (None, 0)
    assert found(RateTest(BAND).add([])) == (None, 0)
    assert found(RateTest(BAND, budget=0)) == ("UNDECIDED", 0)


def test_nan_is_no_game_and_a_verdict_stays():
    wins = RateTest(BAND).add(np.where(np.arange(200) % 2, 1, math.nan))
    assert (wins.n, *found(wins)) == (100, "FAIL", 80)
    assert found(wins.add(np.zeros(100_000))) == ("FAIL", 80)
    assert wins.add(np.zeros(100_000)).n == 60_000


def test_a_side_that_has_accepted_the_centre_need_not_wait_with_it():
    # ln(.5/.48) = .0408 and ln(.5/.52) = -.0392: from 2.881 on both sides, 16 wins bring the lower
    # one to 3.53, past ln 19 = 2.944, then 32 losses the upper to 3.56 and the lower to 2.28.
    draws, wins, losses = np.full(3600, 0.5), np.ones(16), np.zeros(32)
    test = RateTest(BAND).add(draws).add(wins)
    assert found(test) == (None, 3616)
    assert test.crossed[0].tolist() == [3616, math.inf]
    assert found(test.add(losses)) == ("PASS", 3648)
    assert found(RateTest(BAND).add(draws).add(losses[:16]).add(wins)) == (None, 3632)


def pieces(values, cuts):
    ends = sorted([0, *(min(cut, len(values)) for cut in cuts), len(values)])
    return [values[a:b] for a, b in pairwise(ends)]


@given(st.integers(0, 2**32), st.floats(0.3, 0.7), st.lists(st.integers(0, 3000)), st.booleans())
def test_blocks_do_not_change_a_verdict(seed, truth, cuts, scores):
    random = np.random.default_rng(seed)
    values = random.binomial(2, truth, 3000) / 2 if scores else random.random(3000) ** 2
    whole = RateTest((0.45, 0.55)).add(values)
    cut = RateTest((0.45, 0.55))
    for piece in pieces(values, cuts):
        cut = cut.add(piece)
    assert (cut.n, cut.total, *found(cut)) == (whole.n, whole.total, *found(whole))
    assert (cut.crossed == whole.crossed).all()


@given(st.integers(0, 2**32), st.floats(0, 1))
def test_a_verdict_mirrors(seed, truth):
    values = np.random.default_rng(seed).random(3000) < truth
    left, right = (0.25, 0.4), (0.6, 0.75)
    assert found(RateTest(left).add(values)) == found(RateTest(right).add(1.0 - values))


@given(SCORES)
def test_other_bounds_are_scaled(values):
    plain = RateTest((0.25, 0.5), power=0.6).add(values)
    scaled = RateTest((10, 20), (0, 40), power=0.6).add(40 * np.array(values))
    assert found(scaled) == found(plain)


@given(st.integers(0, 2**32), st.floats(0, 1), st.sampled_from([BAND, (0, 0.4), (0.4, 1)]))
@settings(max_examples=30)
def test_many_studies_are_each_of_them(seed, truth, band):
    games = np.random.default_rng(seed).random((5, 1600)) < truth
    looks = np.arange(16, 1601, 16)
    verdicts, taken = rate_verdicts(games.cumsum(1)[:, looks - 1], looks, band)
    each = [found(RateTest(band, budget=1600).add(game)) for game in games]
    assert list(zip(verdicts.tolist(), taken.tolist(), strict=True)) == each


# Studies whose truth is known


@cache
def studies(truth, band=BAND, draws=0.0, count=STUDIES, look=16):
    """Shares of PASS, FAIL and UNDECIDED, and the mean of games, over seeded studies."""
    random = np.random.default_rng([11, round(1000 * truth)])
    chances = [1 - truth - draws / 2, draws, truth - draws / 2]
    looks = np.arange(look, 60_001, look)
    verdicts, taken = [], []
    for _ in range(0, count, 100):
        won = random.binomial(look, chances[2], (100, looks.size)).astype(float)
        if draws:
            won += random.binomial(look - won.astype(int), draws / (1 - chances[2])) / 2
        verdict, games = rate_verdicts(won.cumsum(1), looks, band)
        verdicts.append(verdict)
        taken.append(games)
    shares = [float(np.mean(np.array(verdicts) == name)) for name in ("PASS", "FAIL", "UNDECIDED")]
    settings = f"truth {truth}, band {band}, draws {draws}, look {look}"
    print(f"{settings}: {shares}, {np.mean(taken):.0f} games")
    return *shares, float(np.mean(taken))


def test_an_edge_passes_rarely():
    for edge in BAND:
        passed, _, undecided, _ = studies(edge)
        assert passed <= 0.05
        assert undecided <= 0.01


def test_a_centre_fails_rarely_and_costs_less_than_a_fixed_test():
    _, failed, undecided, games = studies(0.5)
    assert failed <= 0.10
    assert undecided <= 0.01
    assert games <= 0.80 * FIXED


def test_beyond_the_edge_a_verdict_is_quick():
    passed, _, undecided, games = studies(0.53)
    assert passed <= 0.05
    assert undecided <= 0.01
    assert games <= 0.30 * FIXED


@pytest.mark.parametrize(
    ("truth", "games"), [(0.5, 5235), (0.52, 3520), (0.53, 1911), (0.56, 788), (0.6, 448)]
)
def test_verdicts_cost_what_was_measured_before(truth, games):
    # How often those studies were looked at was not told; a look every 48 games fits them all.
    assert studies(truth, look=48)[3] == pytest.approx(games, rel=0.04)


def test_a_look_every_16_games_does_what_was_measured_before():
    assert studies(0.52)[0] == pytest.approx(0.043, abs=0.015)
    assert studies(0.5)[1] == pytest.approx(0.092, abs=0.02)
    assert studies(0.5)[3] / FIXED == pytest.approx(0.76, abs=0.03)
    assert studies(0.53)[3] / FIXED == pytest.approx(0.28, abs=0.015)


def test_a_small_budget_leaves_many_undecided():
    looks = np.arange(16, FIXED + 1, 16)
    wins = np.random.default_rng(15).binomial(16, 0.5, (2_000, looks.size)).cumsum(1)
    verdicts, games = rate_verdicts(wins, looks, BAND)
    assert (verdicts == "UNDECIDED").mean() == pytest.approx(0.18, abs=0.03)
    assert (games[verdicts == "UNDECIDED"] == looks[-1]).all()


def test_draws_make_errors_rarer():
    for edge in BAND:
        assert studies(edge, draws=0.6, count=1_000)[0] < studies(edge)[0]
    assert studies(0.5, draws=0.6, count=1_000)[1] < studies(0.5)[1]


def test_an_edge_of_a_rare_event_passes_rarely():
    passed, _, undecided, _ = studies(0.005, (0, 0.005))
    assert passed <= 0.05
    assert undecided == 0
    _, failed, undecided, _ = studies(0.0025, (0, 0.005))
    assert failed <= 0.10
    assert undecided == 0


@pytest.mark.parametrize(("band", "flip"), [((0, 0.05), False), ((0.95, 1), True)])
def test_a_band_with_one_edge(band, flip):
    def truth(rate):
        return 1 - rate if flip else rate

    assert studies(truth(0.05), band, count=1_000)[0] <= 0.05
    assert studies(truth(0.06), band, count=1_000)[0] <= 0.05
    assert studies(truth(0.025), band, count=1_000)[1] <= 0.10
    assert studies(truth(0.01), band, count=1_000)[1] <= 0.01


def test_an_aim_stands_for_the_centre():
    centre, ends = edges((0, 120), bounds=(0, 400), aim=100)
    assert (centre, ends.tolist()) == (0.25, [0.3])
    for aim in (0, 120, 130, math.nan):
        with pytest.raises(ValueError, match="aim"):
            RateTest((0, 120), (0, 400), aim=aim)
    looks = np.arange(16, 8001, 16)
    random = np.random.default_rng(13)
    for truth, verdict, most in ((0.04, "FAIL", 0.1), (0.05, "PASS", 0.05)):
        wins = random.binomial(16, truth, (1000, looks.size)).cumsum(1)
        found, games = rate_verdicts(wins, looks, (0, 0.05), aim=0.04)
        assert (found == verdict).mean() <= most
        assert (found == "UNDECIDED").mean() <= 0.01
        near, _ = rate_verdicts(wins, looks, (0, 0.05))
        assert (near == "FAIL").mean() > 0.5
        assert games.mean() > 500


# A test of fixed size


def test_equivalence_games():
    assert equivalence_games(BAND) == FIXED
    assert equivalence_games((0.46, 0.54)) == FIXED / 4
    assert equivalence_games((0.45, 0.5), power=0.8) == math.ceil(
        0.475 * 0.525 * (norm.ppf(0.95) + norm.ppf(0.9)) ** 2 / 0.025**2
    )
    # One edge: one test.
    assert equivalence_games((0, 0.05)) == math.ceil(
        0.025 * 0.975 * (norm.ppf(0.95) + norm.ppf(0.9)) ** 2 / 0.025**2
    )
    length = equivalence_games((70, 90), bounds=(1, 400), variance=15**2)
    assert length == math.ceil((2 * norm.ppf(0.95)) ** 2 * 15**2 / 10**2)
