"""Means of bounded values looked at while games come in, by betting against them.

A capital of 1 is put on values differing from a mean m: it is multiplied by 1 + bet (x - m), where
the bet depends on the past alone. While m is the mean nobody gains on average, so at any time at
all a capital of 1/alpha is seen with probability alpha at most (Ville 1939). Nothing is supposed
of the values but their bounds, and bets follow their spread: where values lie close together,
fewer games suffice.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from lab.stats.estimate import RATE, Array, Bounds
from lab.stats.sequential import BandTest, scaled, within

CUT = 0.5
"""The share of the capital that one game may lose."""
GROUP = 16
"""Games whose capitals are multiplied before a logarithm is taken: short of any underflow."""
CELLS = 1 << 17
"""Capitals that are held at once: about a megabyte."""


@dataclass(frozen=True)
class Spread:
    """What is known of values in 0..1 before the next one: how many, their sum, their spread.

    The running mean and variance of Waudby-Smith and Ramdas (arXiv 2010.09686), which begin as
    though a value of 1/2 with variance 1/4 had been seen. `squares` sums the squared distances of
    values from the mean as it was when they had come.
    """

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    def walk(self, x: Array) -> tuple[Self, Array]:
        """The state after the values (k,), and the variance (k,) as known before each of them."""
        n = self.n + np.arange(x.size + 1)
        total = np.cumsum(np.concatenate([[self.total], x]))
        away = x - (0.5 + total[1:]) / (n[1:] + 1)
        squares = np.cumsum(np.concatenate([[self.squares], away**2]))
        variance = (0.25 + squares[:-1]) / (n[:-1] + 1)
        return type(self)(int(n[-1]), float(total[-1]), float(squares[-1])), variance


@dataclass(frozen=True, eq=False)
class MeanSequence:
    """Interval of a bounded mean that holds at every look at once, with probability 1 - alpha.

    The hedged capital of Waudby-Smith and Ramdas (arXiv 2010.09686), half of it on values above m
    and half on values below, bets sqrt(2 ln(2/alpha) / (variance t ln(t+1))), cut so that no game
    loses more than half. A mean is held while neither half, begun at 1, has ever been worth
    2/alpha. One falls with m and the other rises, so what is held is an interval. It is told on a
    grid of `steps` steps and rounded outwards, hence never narrower than one step.
    Raises ValueError unless 0 < alpha < 1, on infinite bounds and on a grid without steps.

    `dropped` points of the grid are held no more, from below and from above; `capital` (2, points
    held) has the logarithms of both halves; `waiting` (2, k) are values and bets of a group that
    is not full.
    """

    bounds: Bounds = RATE
    alpha: float = 0.05
    steps: int = 4096
    spread: Spread = Spread()
    dropped: tuple[int, int] = (0, 0)
    capital: Array = field(default_factory=lambda: np.zeros((2, 1)), repr=False)
    waiting: Array = field(default_factory=lambda: np.zeros((2, 0)), repr=False)

    def __post_init__(self) -> None:
        """Refuses what cannot be measured."""
        low, high = self.bounds
        if not (-math.inf < low < high < math.inf and 0 < self.alpha < 1 and self.steps > 0):
            text = f"bounds {low:g} to {high:g}, alpha {self.alpha:g}, {self.steps} steps"
            raise ValueError(f"{text}: no interval has those")

    @property
    def n(self) -> int:
        """How many values were seen."""
        return self.spread.n

    @property
    def mean(self) -> float:
        """Their mean, NaN without any."""
        low, high = self.bounds
        return low + (high - low) * self.spread.total / self.n if self.n else math.nan

    @property
    def interval(self) -> Bounds:
        """Low and high in the unit of the values: inside of any that was read before."""
        (below, above), _ = self._bet(self.waiting[:, None])
        ends = sorted((max(below - 1, 0), self.steps - max(above - 1, 0)))
        low, high = self.bounds
        first, last = (low + (high - low) * point / self.steps for point in ends)
        return first, last

    def add(self, values: npt.ArrayLike) -> Self:
        """The sequence after more games: shape (k,), in order; NaN says nothing and is left out.

        However the values are cut into blocks, the interval is the same.
        Raises ValueError on values outside the bounds.
        """
        x = scaled(within(values, self.bounds), self.bounds)
        spread, variance = self.spread.walk(x)
        t = self.n + 1 + np.arange(x.size)
        bets = np.sqrt(2 * math.log(2 / self.alpha) / (variance * t * np.log(t + 1)))
        games = np.concatenate([self.waiting, [x, bets]], axis=1)
        full = games.shape[1] // GROUP * GROUP
        groups = games[:, :full].reshape(2, -1, GROUP)
        after, start = replace(self, spread=spread, waiting=games[:, full:]), 0
        while start < groups.shape[1] and after._points().size:
            stop = start + max(CELLS // (GROUP * after._points().size), 1)
            dropped, capital = after._bet(groups[:, start:stop])
            after, start = replace(after, dropped=dropped, capital=capital), stop
        return after

    def _points(self) -> Array:
        """The points of the grid that are held."""
        return np.arange(self.dropped[0], self.steps + 1 - self.dropped[1])

    def _bet(self, groups: Array) -> tuple[tuple[int, int], Array]:
        """What is dropped, and capital of what is held, after groups (2, k, games) of games.

        With the last point betting is over: what comes later changes nothing.
        """
        points = self._points()
        if not points.size or not groups.size:
            return self.dropped, self.capital
        limit = math.log(2 / self.alpha)
        ends, most = zip(*(self._halves(groups, points, sign) for sign in (1, -1)), strict=True)
        low, high = self.dropped
        lows = np.where(most[0] >= limit, points + 1, low).max(1)
        highs = np.where(most[1] >= limit, self.steps + 1 - points, high).max(1)
        lows, highs = np.maximum.accumulate(lows), np.maximum.accumulate(highs)
        over = np.flatnonzero(lows + highs > self.steps)
        at = over[0] if over.size else -1
        below, above = int(lows[at]), int(highs[at])
        kept = slice(below - low, max(self.steps + 1 - above - low, 0))
        return (below, above), np.stack(ends)[:, kept]

    def _halves(self, groups: Array, points: Array, sign: int) -> tuple[Array, Array]:
        """Log capital (points,) at the end, and the most there was in each group (k, points)."""
        capital = _multiples(groups[0], groups[1], points / self.steps, sign)
        before = np.broadcast_to(self.capital[(1 - sign) // 2], points.shape)
        grown = np.cumsum(np.concatenate([before[None], np.log(capital[:, -1])]), axis=0)
        return grown[-1], grown[:-1] + np.log(capital.max(1))


@dataclass(frozen=True, eq=False)
class MeanTest(BandTest):
    """A band of a bounded mean, in the unit of the values: `RateTest` by bets.

    For each side one capital is put on values nearer to the centre than the edge is, another on
    values further out than the centre. The first reaches 1/alpha in at most alpha of studies whose
    mean lies at or beyond the edge; the others reach sides/(1 - power) in at most 1 - power of
    those whose mean is the centre. With d from edge to centre a bet is d / (variance + d^2), which
    gains most for a mean d away (Kelly's fraction, to second order); of wins and losses it is what
    the likelihood ratio bets. So both capitals stand still halfway between edge and centre, and
    every mean is told sooner or later. As bets follow the variance, a score with many draws is
    judged in fewer games than by `RateTest`.
    """

    spread: Spread = Spread()
    capital: Array = field(default_factory=lambda: np.zeros((2, 1)), repr=False)

    def _walk(self, x: Array) -> tuple[Self, Array]:
        x = scaled(x, self.bounds)
        spread, variance = self.spread.walk(x)
        centre, ends = self._edges()
        apart = np.stack([centre - ends, ends - centre])[..., None]
        m = np.stack([ends, np.full(ends.shape, centre)])[..., None]
        room = np.where(apart > 0, m, 1 - m)
        bets = np.minimum(np.abs(apart) / (variance + apart**2), CUT / room)
        steps = np.log1p(np.sign(apart) * bets * (x - m))
        before = np.broadcast_to(self.capital, steps.shape[:-1])[..., None]
        grown = np.cumsum(np.concatenate([before, steps], axis=-1), axis=-1)
        return replace(self, spread=spread, capital=grown[..., -1]), grown[..., 1:]

    def _limits(self) -> Bounds:
        sides = self._edges()[1].size
        return -math.log(self.alpha), math.log(sides / (1 - self.power))


def _multiples(x: Array, bets: Array, m: Array, sign: int) -> Array:
    """What each group of games (k, games) made of a capital of 1, after each game, for every m."""
    with np.errstate(divide="ignore"):
        most = CUT / (m if sign > 0 else 1 - m)
    grown = x[..., None] - m
    grown *= sign * np.minimum(bets[..., None], most)
    grown += 1
    return np.cumprod(grown, axis=1, out=grown)
