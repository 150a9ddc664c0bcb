"""Rates looked at while games come in: intervals and verdicts that hold whenever one stops.

Arrays in, numbers out. A fixed-n interval read again and again excludes the truth sooner or later;
what stands here may be read after every game. Values come in the order of their game index, never
in that of their arrival: short games report first.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from lab.stats.estimate import RATE, Array, Bounds

Verdict = Literal["PASS", "FAIL", "UNDECIDED"]

LOOK = 16
"""Games from one look of a verdict to the next. At looks every 256 games so many games go to waste
past the thresholds that a verdict costs more than it need."""
BUDGET = 60_000
"""Games after which a verdict is UNDECIDED."""


def confidence_sequence(successes: float, n: int, alpha: float = 0.05) -> Bounds:
    """Interval of a rate that holds at every look at once, with probability 1 - alpha.

    All p with B(S+1, n-S+1) / (p^S (1-p)^(n-S)) < 1/alpha, the mixture of likelihood ratios over
    a uniform prior (Robbins 1970; Howard, Ramdas, McAuliffe, Sekhon 2021, Ann. Stat. 49:1055).
    `successes` may be a sum of scores in 0..1: each factor is convex in the score, so the
    mixture stays a supermartingale and draws only make the interval wider than it need be.
    """
    low, high = confidence_sequences(successes, n, alpha)
    return float(low), float(high)


def confidence_sequences(
    successes: npt.ArrayLike, n: npt.ArrayLike, alpha: float = 0.05
) -> tuple[Array, Array]:
    """Lows and highs of many `confidence_sequence`s at once; shapes are broadcast.

    Raises ValueError on more successes than games, or fewer than none.
    """
    won, games = np.broadcast_arrays(
        np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    )
    wrong = ~((won >= 0) & (won <= games))
    if wrong.any():
        s, m = won[wrong][0], games[wrong][0]
        raise ValueError(f"{s:g} successes in {m:g} games, expected between 0 and {m:g}")
    # Near 1 a float has no room for small distances, so failures are seen from their own 0.
    return _sequence_low(won, games, alpha), 1 - _sequence_low(games - won, games, alpha)


def _sequence_low(won: Array, games: Array, alpha: float) -> Array:
    """The smallest p still held, 0 when there is no smallest.

    With u = ln p the excess, evidence - S u - F ln(1 - e^u), is convex and falls up to p = S/n.
    Newton's steps from the left therefore never pass the limit, and without F the first u is it.
    """
    from scipy.special import betaln

    lost = games - won
    evidence = betaln(won + 1, lost + 1) + math.log(alpha)
    some = won > 0
    # Where the excess of the successes alone is 0; anything below 0 where there are none.
    u = np.where(some, evidence / np.where(some, won, 1), -1.0)
    for _ in range(100):
        p = np.exp(u)
        excess = evidence - won * u - lost * np.log1p(-p)
        slope = np.where(some, won - lost * p / (1 - p), 1)
        step = np.where(some, np.maximum(excess / slope, 0), 0)
        u = u + step
        if step.max(initial=0) < 1e-13:
            break
    low: Array = np.where(some, np.exp(u), 0.0)
    return low


def within(values: npt.ArrayLike, bounds: Bounds) -> Array:
    """The values that are not NaN. Raises ValueError when one lies outside the bounds."""
    x = np.asarray(values, dtype=np.float64)
    x = x[~np.isnan(x)]
    if x.size and not bounds[0] <= x.min() <= x.max() <= bounds[1]:
        low, high = bounds
        raise ValueError(f"values {x.min():g} to {x.max():g}, bounds {low:g} to {high:g}")
    return x


def scaled(values: npt.ArrayLike, bounds: Bounds) -> Array:
    """Values within the bounds as shares of the way from the lower to the upper one."""
    low, high = bounds
    return (np.asarray(values, dtype=np.float64) - low) / (high - low)


def edges(band: Bounds, bounds: Bounds = RATE, aim: float | None = None) -> tuple[float, Array]:
    """The aim in a band, by default its centre, and the ends (1 or 2) that a mean can lie beyond.

    Both are `scaled`. A band that touches a bound has one edge: draws <= 5 % is the band 0..0.05,
    and no rate lies below 0. Raises ValueError when a band is empty, leaves the bounds or fills
    them, and on an aim that is not inside.
    """
    low, high = bounds
    if not (-math.inf < low <= band[0] < band[1] <= high < math.inf and band != bounds):
        raise ValueError(f"band {band[0]:g} to {band[1]:g}, expected a part of {low:g} to {high:g}")
    if aim is not None and not band[0] < aim < band[1]:
        raise ValueError(f"aim {aim:g}, expected inside {band[0]:g} to {band[1]:g}")
    ends = scaled(band, bounds)
    centre = ends.mean() if aim is None else scaled(aim, bounds)
    return float(centre), ends[np.asarray(band) != bounds]


def thresholds(sides: int, alpha: float = 0.05, power: float = 0.9) -> Bounds:
    """Wald's A and -B: the log evidence that accepts the centre, and that which accepts an edge.

    The risk of failing a value at the centre, 1 - power, is shared by the sides. Were thresholds
    met exactly, both errors would be what is asked for; steps go past them, which as a rule makes
    errors rarer. Whatever the steps, an edge passes in at most e^-A = alpha / (1 - risk) of
    studies (Wald 1945, Ann. Math. Stat. 16:117).
    A band with one edge is often one of a rare event, where only steps towards the edge are long.
    They would bring the error up to that limit, 5.6 % for 5, so there the limit is alpha itself.
    """
    risk = (1 - power) / sides
    if sides == 1:
        return -math.log(alpha), -math.log(risk)
    return math.log((1 - risk) / alpha), math.log((1 - alpha) / risk)


def _log_ratios(successes: Array, n: Array, centre: float, ends: Array) -> Array:
    """Log likelihood of the centre over each edge, then the opposite: (2, sides, ..., looks)."""
    ends = ends.reshape(-1, *[1] * successes.ndim)
    ratio = successes * np.log(centre / ends) + (n - successes) * np.log((1 - centre) / (1 - ends))
    return np.stack([ratio, -ratio])


def _first(evidence: Array, limits: Bounds, n: Array) -> Array:
    """Games at the first look whose evidence reaches its limit: (2, sides, ...), inf for none."""
    if n.size == 0:
        return np.full(evidence.shape[:-1], math.inf)
    above = evidence >= np.reshape(limits, (2, *[1] * (evidence.ndim - 1)))
    found: Array = np.where(above.any(-1), n[above.argmax(-1)], math.inf)
    return found


def _settled(crossed: Array) -> tuple[Array, Array]:
    """Games at which a study fails and passes, of what `_first` found; inf for never.

    A side that has accepted the centre is at its end and cannot accept its edge any more.
    """
    centre, edge = crossed
    fails = np.where(edge <= centre, edge, math.inf).min(0)
    passes = np.where(edge <= centre, math.inf, centre).max(0)
    return fails, passes


def rate_verdicts(
    successes: npt.ArrayLike,
    n: npt.ArrayLike,
    band: Bounds,
    alpha: float = 0.05,
    power: float = 0.9,
    aim: float | None = None,
) -> tuple[Array, Array]:
    """Verdicts of many studies and the games they took, as `RateTest` finds them one by one.

    `successes` (..., looks) counts from the start up to each look, `n` (looks,) the games by then;
    an undecided study took all of them.
    """
    won, games = np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    centre, ends = edges(band, aim=aim)
    limits = thresholds(ends.size, alpha, power)
    fails, passes = _settled(_first(_log_ratios(won, games, centre, ends), limits, games))
    verdict = np.where(fails < math.inf, "FAIL", np.where(passes < math.inf, "PASS", "UNDECIDED"))
    return verdict, np.minimum(np.minimum(fails, passes), games.max(initial=0)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class BandTest:
    """Whether a mean lies in a band, looked at every 16 games until two tests agree.

    Each edge is tested against the centre. PASS once every side has accepted the centre, FAIL as
    soon as one accepts its edge, UNDECIDED when `budget` games have said neither. A mean at or
    beyond an edge passes in at most `alpha` of studies, and one at the centre fails in at most
    1 - `power` of them; between, the verdict of the nearer one is the likelier. To pass, all sides
    must agree, so alpha is not shared by them (Berger 1982, Technometrics 24:295); for K bands
    give alpha/K.

    `aim` is a mean that shall pass in the centre's place. In a wide band with one edge, such as a
    length of at most 120, the centre lies far from any game that is meant, and most means beyond
    halfway to the edge would fail. Aims near an edge cost games, by the square of the distance.
    Raises ValueError on a band or an aim that `edges` refuses, and unless 0 < alpha < power < 1.

    `n` values were seen, at most the budget; `crossed` (2, sides) is how many there were when the
    evidence for the centre and for the edge first sufficed.
    """

    band: Bounds
    bounds: Bounds = RATE
    alpha: float = 0.05
    power: float = 0.9
    aim: float | None = None
    budget: int = BUDGET
    look: int = LOOK
    n: int = 0
    crossed: Array = field(default_factory=lambda: np.full((2, 1), math.inf), repr=False)

    def __post_init__(self) -> None:
        """Refuses what cannot be tested."""
        self._edges()
        if not 0 < self.alpha < self.power < 1:
            text = f"alpha {self.alpha:g}, power {self.power:g}"
            raise ValueError(f"{text}, expected 0 < alpha < power < 1")

    def add(self, values: npt.ArrayLike) -> Self:
        """The test after more games: shape (k,), in order; NaN says nothing and is left out.

        However the values are cut into blocks, the verdict is the same.
        Raises ValueError on values outside the bounds.
        """
        x = within(values, self.bounds)[: self.budget - self.n]
        after, evidence = self._walk(x)
        n = self.n + 1 + np.arange(x.size)
        seen = (n % self.look == 0) | (n == self.budget)
        found = _first(evidence[..., seen], self._limits(), n[seen])
        return replace(after, n=self.n + x.size, crossed=np.minimum(self.crossed, found))

    @property
    def verdict(self) -> Verdict | None:
        """What was found; None: more games are needed."""
        fails, passes = _settled(self.crossed)
        if min(fails, passes) == math.inf:
            return "UNDECIDED" if self.n >= self.budget else None
        return "FAIL" if fails < math.inf else "PASS"

    @property
    def games(self) -> int:
        """How many games the verdict took, so far."""
        fails, passes = _settled(self.crossed)
        return int(min(float(fails), float(passes), self.n))

    def _edges(self) -> tuple[float, Array]:
        return edges(self.band, self.bounds, self.aim)

    def _walk(self, x: Array) -> tuple[Self, Array]:
        """The state after the values, and the log evidence (2, sides, k) after each of them."""
        raise NotImplementedError

    def _limits(self) -> Bounds:
        """Log evidence that suffices for the centre and for an edge."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class RateTest(BandTest):
    """A band of a rate: two of Wald's sequential probability ratio tests side by side.

    A score of 0, 1/2 or 1 may be fed: the log ratio is linear in it and exp is convex, so the
    ratio's step is on average at most that of a game without draws and of the same mean. The ratio
    stays a supermartingale, and draws make the errors only rarer. The same goes for any value
    within `bounds`, but `MeanTest` needs fewer games where values lie close together.
    In a band with one edge, 0..hi, the centre hi/2 stands for what shall pass unless an aim is
    named. A rate of hi/2 or less fails in at most 1 - `power` of studies, one from there to hi may
    do either.
    """

    total: float = 0.0

    def _walk(self, x: Array) -> tuple[Self, Array]:
        # Scores are halves and their sums exact, shares are summed in order: cuts change nothing.
        total = np.cumsum(np.concatenate([[self.total], scaled(x, self.bounds)]))
        n = self.n + 1 + np.arange(x.size)
        ratios = _log_ratios(total[1:], n, *self._edges())
        return replace(self, total=float(total[-1])), ratios

    def _limits(self) -> Bounds:
        return thresholds(self._edges()[1].size, self.alpha, self.power)


def equivalence_games(
    band: Bounds,
    alpha: float = 0.05,
    power: float = 0.9,
    bounds: Bounds = RATE,
    variance: float | None = None,
) -> int:
    """Games that a test of fixed size needs to show a mean at the centre to lie in the band.

    Two one-sided z tests (Schuirmann 1987, J. Pharmacokin. Biopharm. 15:657), or one for a band
    with one edge. `variance` of one value, in its unit; of a rate, p(1-p) at the centre. What a
    sequential verdict saves is told against this.
    """
    from scipy.special import ndtri

    centre, ends = edges(band, bounds)
    width = bounds[1] - bounds[0]
    spread = centre * (1 - centre) if variance is None else variance / width**2
    reach = float(ndtri(1 - alpha) + ndtri(1 - (1 - power) / ends.size))
    return math.ceil(spread * (reach / (centre - float(ends[0]))) ** 2)
