import math
import os
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.stats.betting import MeanSequence, MeanTest
from lab.stats.estimate import estimate_mean
from lab.stats.sequential import RateTest

PROOF = bool(os.environ.get("LAB_PROOF"))
RUNS = 1_000 if PROOF else 100
STUDIES = 2_000 if PROOF else 200
BOUNDS = (1, 400)


def lengths(random, mean, size):
    """Games of some 80 turns, one in fifty of which goes on to the cap."""
    return np.where(random.random(size) < 0.02, 400, random.poisson(mean, size).clip(1, 400))


def length_mean(mean):
    return 0.02 * 400 + 0.98 * mean


KINDS = {
    "wins": (lambda r, size: (r.random(size) < 0.5) * 1.0, 0.5, (0, 1)),
    "seldom": (lambda r, size: (r.random(size) < 0.03) * 1.0, 0.03, (0, 1)),
    "draws": (lambda r, size: r.choice([0, 0.5, 1], size, p=[0.2, 0.5, 0.3]), 0.55, (0, 1)),
    "lengths": (lambda r, size: lengths(r, 80, size), length_mean(80), BOUNDS),
    "shares": (lambda r, size: r.beta(2, 5, size), 2 / 7, (0, 1)),
}


# Mean sequence


def plain(values, alpha, steps):
    """The hedged capital written out game by game and mean by mean."""
    low, high = 0.0, 1.0
    capital = {k: [1.0, 1.0] for k in range(steps + 1)}
    for t, x in enumerate(values, 1):
        means = [(0.5 + sum(values[:i])) / (i + 1) for i in range(1, t)]
        squares = [(v - m) ** 2 for v, m in zip(values, means, strict=False)]
        variance = (0.25 + sum(squares)) / t
        bet = math.sqrt(2 * math.log(2 / alpha) / (variance * t * math.log(t + 1)))
        for k, pair in capital.items():
            m = k / steps
            pair[0] *= 1 + min(bet, 0.5 / m if m else math.inf) * (x - m)
            pair[1] *= 1 - min(bet, 0.5 / (1 - m) if m < 1 else math.inf) * (x - m)
            if pair[0] >= 2 / alpha:
                low = max(low, m)
            if pair[1] >= 2 / alpha:
                high = min(high, m)
    return low, high


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [1, 15, 16, 17, 100])
def test_sequence_is_the_plain_one(kind, n):
    make, _, (low, high) = KINDS[kind]
    values = make(np.random.default_rng(n), n)
    shares = ((values - low) / (high - low)).tolist()
    expected = [low + (high - low) * end for end in plain(shares, 0.05, 64)]
    sequence = MeanSequence((low, high), steps=64).add(values)
    assert sequence.interval == pytest.approx(expected)
    assert sequence.n == n
    assert sequence.mean == pytest.approx(values.mean())


@pytest.mark.parametrize("kind", KINDS)
def test_sequence_holds_at_every_look_where_a_fixed_interval_does_not(kind):
    make, truth, bounds = KINDS[kind]
    random = np.random.default_rng(3)
    looks = np.arange(20, 4001, 20)
    missed = once = 0
    for _ in range(RUNS):
        values = make(random, looks[-1])
        # An interval is inside of all before it, so that the last one tells of all looks.
        low, high = MeanSequence(bounds, steps=1024).add(values).interval
        missed += not low <= truth <= high
        n, total, squares = looks, values.cumsum()[looks - 1], (values**2).cumsum()[looks - 1]
        error = np.sqrt((squares / n - (total / n) ** 2) / (n - 1))
        once += (np.abs(total / n - truth) > 1.96 * error).any()
    print(f"{kind}: sequence {missed / RUNS:.1%}, fixed {once / RUNS:.1%}")
    assert missed <= 0.05 * RUNS
    assert once > 0.3 * RUNS


def pieces(values, cuts):
    ends = sorted([0, *(min(cut, len(values)) for cut in cuts), len(values)])
    return [values[a:b] for a, b in pairwise(ends)]


@given(st.integers(0, 2**32), st.sampled_from(list(KINDS)), st.lists(st.integers(0, 2000)))
@settings(max_examples=50)
def test_blocks_do_not_change_a_sequence(seed, kind, cuts):
    make, _, bounds = KINDS[kind]
    values = make(np.random.default_rng(seed), 2000)
    whole = cut = MeanSequence(bounds, steps=256)
    whole = whole.add(values)
    before = whole.bounds
    for piece in pieces(values, cuts):
        cut = cut.add(piece)
        low, high = cut.interval
        assert before[0] <= low <= high <= before[1]
        before = low, high
    assert (cut.interval, cut.spread, cut.dropped) == (whole.interval, whole.spread, whole.dropped)
    assert (cut.capital == whole.capital).all()


@given(st.integers(0, 2**32), st.floats(0, 1), st.integers(0, 500))
def test_sequence_mirrors(seed, truth, n):
    values = np.random.default_rng(seed).binomial(4, truth, n) / 4
    low, high = MeanSequence(steps=128).add(values).interval
    assert MeanSequence(steps=128).add(1 - values).interval == (1 - high, 1 - low)
    wide = MeanSequence(steps=128, alpha=0.01).add(values).interval
    assert wide[0] <= low
    assert high <= wide[1]


def test_a_sequence_begins_with_its_bounds():
    nothing = MeanSequence(BOUNDS)
    assert (nothing.interval, nothing.n) == (BOUNDS, 0)
    assert math.isnan(nothing.mean)
    assert nothing.add([math.nan]).interval == BOUNDS
    for values in ([0], [401], [5, math.inf]):
        with pytest.raises(ValueError, match="bounds 1 to 400"):
            nothing.add(values)


def test_sequences_that_cannot_be():
    for wrong in ({"bounds": (0, math.inf)}, {"bounds": (1, 1)}, {"alpha": 0}, {"steps": 0}):
        with pytest.raises(ValueError, match="no interval"):
            MeanSequence(**wrong)


@pytest.mark.parametrize("value", [0, 0.3, 0.5, 1])
def test_equal_values_end_on_one_step_of_the_grid(value):
    coarse = MeanSequence(steps=100).add(np.full(200_000, value))
    low, high = coarse.interval
    assert low <= value <= high
    assert high - low <= 0.0201
    assert coarse.add(np.full(1000, value)).interval == (low, high)


def test_a_drift_leaves_the_interval_in_order():
    drift = MeanSequence(steps=64).add(np.repeat([0.0, 1.0], 20_000))
    low, high = drift.interval
    assert 0 <= low <= high <= 1
    assert drift.n == 40_000


def test_where_values_lie_close_together_fewer_games_suffice():
    random = np.random.default_rng(4)
    wide, close = (np.clip(random.normal(80, s, 2000), *BOUNDS) for s in (40, 10))
    widths = []
    for values in (wide, close):
        low, high = MeanSequence(BOUNDS).add(values).interval
        widths.append(high - low)
        fixed = estimate_mean(values, bounds=BOUNDS)
        assert low < fixed.low < fixed.high < high
    assert widths[1] < 0.4 * widths[0]


def test_a_million_games():
    random = np.random.default_rng(6)
    sequence = MeanSequence(BOUNDS)
    for _ in range(50):
        sequence = sequence.add(lengths(random, 80, 20_000))
    low, high = sequence.interval
    assert low <= length_mean(80) <= high
    assert high - low < 0.8
    assert sequence.capital.size < 50


# Mean test


def found(test):
    return test.verdict, test.games


def plain_verdict(values, band, alpha, power):
    """Both sides of a two-sided band written out game by game; values in 0..1."""
    centre = sum(band) / 2
    nulls = [*((edge, centre, 1 / alpha) for edge in band)]
    nulls += [(centre, edge, 2 / (1 - power)) for edge in band]
    capital, reached = [1.0] * 4, [math.inf] * 4
    for t, x in enumerate(values, 1):
        means = [(0.5 + sum(values[:i])) / (i + 1) for i in range(1, t)]
        squares = [(v - m) ** 2 for v, m in zip(values, means, strict=False)]
        variance = (0.25 + sum(squares)) / t
        for i, (null, other, enough) in enumerate(nulls):
            d = other - null
            most = 0.5 / null if d > 0 else 0.5 / (1 - null)
            bet = min(abs(d) / (variance + d * d), most)
            capital[i] *= 1 + math.copysign(bet, d) * (x - null)
            if t % 16 == 0 and capital[i] >= enough:
                reached[i] = min(reached[i], t)
        low, high, below, above = reached
        if below <= low < math.inf or above <= high < math.inf or t in (below, above):
            return "FAIL", t
        if max(low, high) <= t:
            return "PASS", t
    return None, len(values)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("band", [(0.35, 0.65), (0.1, 0.3)])
def test_a_verdict_is_the_plain_one(seed, band):
    values = np.random.default_rng(seed).beta(4, 5 + seed, 240)
    expected = plain_verdict(values.tolist(), band, 0.05, 0.9)
    assert found(MeanTest(band).add(values)) == expected


@given(
    st.integers(0, 2**32),
    st.floats(60, 100),
    st.lists(st.integers(0, 1500)),
    st.sampled_from([(70, 90), (1, 90), (80, 400)]),
)
@settings(max_examples=50)
def test_blocks_do_not_change_a_verdict(seed, mean, cuts, band):
    values = lengths(np.random.default_rng(seed), mean, 1500)
    whole = cut = MeanTest(band, BOUNDS)
    whole = whole.add(values)
    for piece in pieces(values, cuts):
        cut = cut.add(piece)
    assert (cut.n, cut.spread, *found(cut)) == (whole.n, whole.spread, *found(whole))
    assert (cut.crossed == whole.crossed).all()
    assert (cut.capital == whole.capital).all()


@given(st.integers(0, 2**32), st.floats(0, 1))
def test_a_verdict_mirrors(seed, truth):
    values = np.random.default_rng(seed).binomial(4, truth, 1500) / 4
    left, right = (0.25, 0.4375), (0.5625, 0.75)
    assert found(MeanTest(left).add(values)) == found(MeanTest(right).add(1 - values))


def test_what_cannot_be_tested():
    for band in ((90, 70), (0, 90), (1, 400)):
        with pytest.raises(ValueError, match="band"):
            MeanTest(band, BOUNDS)
    with pytest.raises(ValueError, match="alpha"):
        MeanTest((70, 90), BOUNDS, alpha=0)
    with pytest.raises(ValueError, match="bounds 1 to 400"):
        MeanTest((70, 90), BOUNDS).add([0.5])
    assert found(MeanTest((70, 90), BOUNDS)) == (None, 0)
    # Between two means that are hardly apart a few games tell nothing.
    assert found(MeanTest((79, 81), BOUNDS, budget=40).add([70, 90] * 50)) == ("UNDECIDED", 40)


def studies(make, band, bounds, kind=MeanTest, count=STUDIES):
    """Shares of PASS and of FAIL, and the mean of games, over seeded studies."""
    random = np.random.default_rng(12)
    tests = []
    for _ in range(count):
        test = kind(band, bounds)
        while test.verdict is None:
            test = test.add(make(random, 4096))
        tests.append(found(test))
    verdicts, games = zip(*tests, strict=True)
    shares = [verdicts.count(name) / count for name in ("PASS", "FAIL")]
    print(f"{kind.__name__}, band {band}: {shares}, {np.mean(games):.0f} games")
    return *shares, float(np.mean(games))


@pytest.mark.parametrize("kind", KINDS)
def test_errors_of_a_band(kind):
    make, truth, bounds = KINDS[kind]
    reach = (bounds[1] - bounds[0]) * (0.02 if kind == "seldom" else 0.04)
    passed, failed, _ = studies(make, (truth - reach, truth + reach), bounds)
    assert failed <= 0.10
    assert passed + failed == 1
    for band in ((truth, truth + 2 * reach), (truth - 1.4 * reach, truth)):
        passed, failed, _ = studies(make, band, bounds)
        assert passed <= 0.05
        assert passed + failed == 1


def test_errors_of_a_band_with_one_edge():
    make, truth, bounds = KINDS["lengths"]
    assert studies(make, (1, truth), bounds)[0] <= 0.05
    assert studies(make, (truth, 400), bounds)[0] <= 0.05
    assert studies(make, (1, 2 * truth - 1), bounds)[1] <= 0.10


def test_an_aim_near_the_only_edge():
    make, truth, _ = KINDS["lengths"]
    random = np.random.default_rng(14)
    verdicts = {}
    for edge, aim in ((truth + 8, truth), (truth, truth - 8), (truth + 8, None)):
        tests = [MeanTest((1, edge), BOUNDS, aim=aim).add(make(random, 40_000)) for _ in range(100)]
        verdicts[edge, aim] = [test.verdict for test in tests]
    assert verdicts[truth + 8, truth].count("PASS") >= 90
    assert verdicts[truth, truth - 8].count("PASS") <= 5
    assert verdicts[truth + 8, None].count("FAIL") > 50


def test_wins_cost_what_the_likelihood_ratio_does_and_draws_less():
    wins, draws = ((KINDS[kind][0], KINDS[kind][1]) for kind in ("wins", "draws"))
    for (make, truth), most in ((wins, 1.15), (draws, 0.75)):
        band = truth - 0.03, truth + 0.03
        bets = studies(make, band, (0, 1), count=200)[2]
        ratios = studies(make, band, (0, 1), RateTest, count=200)[2]
        assert bets < most * ratios
