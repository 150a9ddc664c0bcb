"""Estimates: a mean or a rate, the interval round it, and how much stands behind both.

Arrays in, numbers out. A *rate* is a mean of values in 0..1 (a win, a score of 0, 1/2 or 1, a
share) and gets Wilson's interval, any other mean Student's; both over groups of games where games
repeat themselves or share something.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Bounds = tuple[float, float]

RATE: Bounds = (0.0, 1.0)
UNBOUNDED: Bounds = (-math.inf, math.inf)

# Below this share of distinct histories, games repeat themselves too much to count one by one.
DISTINCT_ENOUGH = 0.9


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, in the unit of what was measured.

    `n` games with `distinct` histories; `clusters` independent units behind the interval (games,
    groups of equal histories or given clusters: `method` says which). `error` is the standard
    error: of a rate, half of Wilson's interval over its quantile, which is never 0; infinite where
    nothing is known. Without games `value` is NaN and the interval spans the bounds.
    """

    value: float
    low: float
    high: float
    error: float
    n: int
    distinct: int
    clusters: int
    method: str
    confidence: float

    def __str__(self) -> str:
        """For instance "0.512 [0.501, 0.523] n=4,000": two digits of the half width are shown."""
        half = (self.high - self.low) / 2
        digits = min(max(1 - math.floor(math.log10(half)), 0), 6) if 0 < half < math.inf else 3
        value, low, high = (f"{x:.{digits}f}" for x in (self.value, self.low, self.high))
        text = f"{value} [{low}, {high}] n={self.n:,}"
        text += f" distinct={self.distinct:,}" if self.distinct < self.n else ""
        odd = self.clusters not in (self.n, self.distinct)
        return text + (f" clusters={self.clusters:,}" if odd else "")


def wilson(successes: float, n: int, confidence: float = 0.95) -> Bounds:
    """Interval of a rate after a number of games fixed beforehand (Wilson 1927, JASA 22:209)."""
    _check_count(successes, n)
    if n == 0:
        return RATE
    p = successes / n
    return _score_interval(p, p * (1 - p), n, _quantile(confidence))[:2]


def estimate_mean(
    values: npt.ArrayLike,
    histories: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
    bounds: Bounds | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """The mean of one value a game (shape (n,); NaN: the game says nothing and is left out).

    `histories` (n,) hashes each game's course. When fewer than 90 % are distinct, games with
    equal histories are one unit of the interval. `clusters` (n,) names what each game shares with
    others (map, set-up, seed); when games repeat themselves too, the wider interval counts.
    `bounds` is what a value can be at all: (0, 1) makes it a rate. Without bounds values that all
    lie in 0..1 are taken as a rate, so a count that may exceed 1 needs its bounds given. A rate's
    interval always has a width; another mean's has none when all values are equal.
    Raises ValueError on values outside the bounds or not finite, IndexError on unlike lengths.
    """
    x = np.asarray(values, dtype=np.float64)
    keep = ~np.isnan(x)
    x = x[keep]
    past = None if histories is None else np.asarray(histories)[keep]
    shared = None if clusters is None else np.asarray(clusters)[keep]
    distinct = x.size if past is None else count_distinct(past)

    moments = Moments.of(x, shared)
    limits = moments.bounds(bounds)
    if past is None or distinct >= DISTINCT_ENOUGH * x.size:
        return moments.estimate(distinct, limits, confidence)
    same = _over_units(moments, Units.of(x, past), distinct, True, limits, confidence)
    if moments.units is None:
        return same
    other = moments.estimate(distinct, limits, confidence)
    return max(same, other, key=lambda estimate: estimate.high - estimate.low)


def p_value(found: Estimate) -> float:
    """How likely a mean so far from 0 would be were the true one 0: two-sided, Student's.

    1 where nothing is known; of games that all say the same, 0 unless they say 0.
    """
    from scipy.special import stdtr

    freedom = found.clusters - 1
    if not found.error < math.inf or found.value == 0 or freedom < 1:
        return 1.0
    return float(2 * stdtr(freedom, -abs(found.value) / found.error)) if found.error else 0.0


def count_distinct(keys: Array) -> int:
    """How many different keys there are; needs one sorted copy of `keys` and a mask."""
    if _is_dense(keys):
        return int(np.count_nonzero(np.bincount(_steps(keys))))
    ordered = np.sort(keys)
    changes = int(np.count_nonzero(ordered[1:] != ordered[:-1]))
    return changes + 1 if keys.size else 0


def _is_dense(keys: Array) -> bool:
    """Whether keys are whole numbers so close together that to count them needs no sorting."""
    if not keys.size or keys.dtype.kind not in "iu":
        return False
    return int(keys.max()) - int(keys.min()) < 2 * keys.size


def _steps(keys: Array) -> Array:
    """How far each key lies above the least; in 64 bits, where small types would overflow."""
    steps: Array = keys.astype(np.int64) - keys.min().astype(np.int64)
    return steps


def _numbered(keys: Array) -> tuple[Array, Array]:
    """The different keys, ascending, and the place of each of `keys` among them."""
    if not _is_dense(keys):
        return np.unique(keys, return_inverse=True)
    steps = _steps(keys)
    there = np.bincount(steps) > 0
    found = np.flatnonzero(there).astype(keys.dtype) + keys.min()
    return found, (np.cumsum(there) - 1)[steps]


@dataclass(frozen=True)
class Units:
    """For each key, ascending: how many games have it, and the sum of their values."""

    keys: Array
    sizes: Array
    totals: Array

    @classmethod
    def of(cls, values: Array, keys: Array) -> Self:
        """Of one piece, both of shape (n,)."""
        return cls._summed(keys, np.ones(values.size), values)

    def merge(self, other: Self) -> Self:
        """Of both pieces together."""
        pairs = (
            (getattr(self, name), getattr(other, name)) for name in ("keys", "sizes", "totals")
        )
        return self._summed(*map(np.concatenate, pairs))

    @classmethod
    def _summed(cls, keys: Array, sizes: Array, totals: Array) -> Self:
        found, place = _numbered(keys)
        return cls(found, np.bincount(place, sizes), np.bincount(place, totals))


@dataclass(frozen=True)
class Moments:
    """Sums of values read in pieces, so that the games need not be in memory together.

    Sums of whole and half numbers are exact below 2^53, hence the same whatever the pieces.
    `units` are the clusters of the games, when those were told.
    """

    n: int = 0
    total: float = 0.0
    squares: float = 0.0
    low: float = math.inf
    high: float = -math.inf
    units: Units | None = None

    @classmethod
    def of(cls, values: npt.ArrayLike, clusters: npt.ArrayLike | None = None) -> Self:
        """Sums of one piece, shape (n,), as are its `clusters`; NaN is left out."""
        x = np.asarray(values, dtype=np.float64)
        keep = ~np.isnan(x)
        x = x[keep]
        if x.size == 0:
            return cls()
        units = None if clusters is None else Units.of(x, np.asarray(clusters)[keep])
        return cls(x.size, float(x.sum()), float(x @ x), float(x.min()), float(x.max()), units)

    def merge(self, other: Self) -> Self:
        """The sums of both pieces together; both or neither have clusters."""
        if not self.n or not other.n:
            return self if self.n else other
        low, high = min(self.low, other.low), max(self.high, other.high)
        total, squares = self.total + other.total, self.squares + other.squares
        units = self.units and other.units and self.units.merge(other.units)
        return type(self)(self.n + other.n, total, squares, low, high, units)

    @property
    def mean(self) -> float:
        """The mean, NaN without values; rounding never moves it past the smallest or largest."""
        return min(max(self.total / self.n, self.low), self.high) if self.n else math.nan

    @property
    def variance(self) -> float:
        """Mean squared distance from the mean (divided by n), exactly 0 for equal values."""
        if self.low == self.high:
            return 0.0
        return max(self.squares / self.n - self.mean**2, 0.0) if self.n else math.nan

    def bounds(self, given: Bounds | None) -> Bounds:
        """The bounds that hold: `given`, else (0, 1) for values that lie there, else none."""
        low, high = given or (RATE if 0 <= self.low <= self.high <= 1 else UNBOUNDED)
        if self.n and not (low <= self.low <= self.high <= high and math.isfinite(self.total)):
            raise ValueError(f"values {self.low:g} to {self.high:g}, bounds {low:g} to {high:g}")
        return low, high

    def estimate(
        self, distinct: int | None = None, bounds: Bounds | None = None, confidence: float = 0.95
    ) -> Estimate:
        """What estimate_mean finds for the same values as independent games, or clusters of them.

        Raises ValueError when fewer than 90 % are distinct: sums cannot tell which ones repeat.
        With clusters they may repeat: inside of one that changes nothing.
        """
        distinct = self.n if distinct is None else distinct
        low, high = self.bounds(bounds)
        if self.units is not None:
            return _over_units(self, self.units, distinct, False, (low, high), confidence)
        if distinct < DISTINCT_ENOUGH * self.n:
            raise ValueError(f"{distinct} distinct histories in {self.n} games: use estimate_mean")
        n, mean, error = self.n, self.mean, math.inf
        method = "Wilson" if (low, high) == RATE else "t"
        if n and method == "Wilson":
            low, high, error = _score_interval(mean, self.variance, n, _quantile(confidence))
        elif n > 1:
            error = math.sqrt(self.variance / (n - 1))
            low, high = _t_interval(mean, error, n, (low, high), confidence)
        return Estimate(mean, low, high, error, n, distinct, n, method, confidence)


def pooled(estimates: Sequence[Estimate], weights: Sequence[float]) -> Estimate:
    """Weighted mean of independent estimates; weights are scaled to sum 1, those of 0 left out.

    Each side's variance is recovered from that side's limit and summed (MOVER: Zou, Huang, Zhang
    2009, CSDA 53:1080), so the interval keeps to the bounds and has a width at 0/n and n/n.
    Raises ValueError when the weights do not fit or the confidences differ.
    """
    weight = np.asarray(weights, dtype=np.float64)
    if weight.shape != (len(estimates),) or not weight.sum() > 0 or weight.min() < 0:
        raise ValueError(f"weights {weights}, expected {len(estimates)} of 0 or more, sum > 0")
    parts = [e for e, w in zip(estimates, weight, strict=True) if w > 0]
    share = weight[weight > 0] / weight.sum()
    if len({e.confidence for e in parts}) > 1:
        raise ValueError("estimates of different confidence cannot be pooled")
    value, low, high, error = np.array([(e.value, e.low, e.high, e.error) for e in parts]).T
    mean = float(np.clip(share @ value, value.min(), value.max()))
    if math.isnan(mean):  # a part without games: only the bounds are left of it
        bottom, top = float(share @ low), float(share @ high)
    else:  # the outermost limits only bind where rounding went past them
        bottom = max(mean - math.hypot(*share * (value - low)), float(low.min()))
        top = min(mean + math.hypot(*share * (high - value)), float(high.max()))
    counts = sum(e.n for e in parts), sum(e.distinct for e in parts), sum(e.clusters for e in parts)
    method = "pooled " + ", ".join(sorted({e.method for e in parts}))
    deviation = math.hypot(*share * error)
    return Estimate(mean, bottom, top, deviation, *counts, method, parts[0].confidence)


def difference(old: Estimate, new: Estimate) -> tuple[float, float, float]:
    """How far `new` lies above `old`, of independent games: value, low, high.

    For rates Newcombe's interval (1998, Stat. Med. 17:873, method 10), in general as in `weighted`.
    """
    return weighted((old, new), (-1, 1))


def weighted(estimates: Sequence[Estimate], weights: Sequence[float]) -> tuple[float, float, float]:
    """The weighted sum of independent estimates, weights of any sign: value, low, high.

    From all intervals, each side by itself, at their confidence (MOVER, as in `pooled`). NaN where
    nothing is known.
    """
    value = sum(weight * e.value for e, weight in zip(estimates, weights, strict=True))
    below, above = [], []
    for e, weight in zip(estimates, weights, strict=True):
        ends = weight * (e.value - e.low), weight * (e.high - e.value)
        below.append(ends[0] if weight > 0 else ends[1])
        above.append(ends[1] if weight > 0 else ends[0])
    return value, value - math.hypot(*below), value + math.hypot(*above)


def bonferroni(confidence: float, k: int) -> float:
    """The confidence each of k intervals needs so that all hold at once with `confidence`."""
    return 1 - (1 - confidence) / k


def _over_units(
    sums: Moments, units: Units, distinct: int, same: bool, bounds: Bounds, confidence: float
) -> Estimate:
    """The mean with games of equal key as one unit: `same` when they are the same game again.

    Ratio estimator with linearised variance (Cochran 1977, Sampling Techniques, ch. 6). A rate
    gets Wilson's interval at the effective number of games (Korn, Graubard 1998, Survey
    Methodology 24:193), which for same games never exceeds the number of groups, hence k copies
    of every game measure exactly as one copy does.
    """
    mean, variance, many = sums.mean, sums.variance, units.keys.size
    residuals = units.totals - mean * units.sizes
    squared_error = float(residuals @ residuals) / sums.n**2

    low, high, error = *bounds, math.inf  # what is known when there is but one unit
    name = "Wilson" if bounds == RATE else "t"
    if many > 1 and bounds == RATE:
        # Where all is lost or all is won, a cluster too may be one game seen again.
        most = many if same or variance == 0 else sums.n
        spread = min(variance, squared_error) > 0
        effective = min(variance / squared_error, most) if spread else most
        quantile = _quantile(confidence, math.inf if same else many - 1)
        low, high, error = _score_interval(mean, variance, effective, quantile)
    elif many > 1:
        error = math.sqrt(squared_error * many / (many - 1))
        low, high = _t_interval(mean, error, many, bounds, confidence)
    method = f"{name} over {'groups of equal histories' if same else 'clusters'}"
    return Estimate(mean, low, high, error, sums.n, distinct, many, method, confidence)


def _score_interval(mean: float, variance: float, n: float, z: float) -> tuple[float, float, float]:
    """Wilson's interval with the values' own variance for p(1-p): low, high, standard error.

    For 0/1 values it is Wilson's. Draws lessen the variance, never above p(1-p) in 0..1 (Bhatia,
    Davis 2000, Am. Math. Monthly 107:353), so it stays inside Wilson's interval for that mean,
    hence in 0..1; the term c^2/4 keeps it round the mean and of a width when the variance is 0.
    """
    c = z**2 / n
    centre = (mean + c / 2) / (1 + c)
    half = math.sqrt(c * variance + c**2 / 4) / (1 + c)
    return min(max(centre - half, 0.0), mean), max(min(centre + half, 1.0), mean), half / z


def _t_interval(mean: float, error: float, units: int, bounds: Bounds, confidence: float) -> Bounds:
    """Student's interval of a mean over `units` independent units, clipped to the bounds."""
    half = _quantile(confidence, units - 1) * error
    return max(mean - half, bounds[0]), min(mean + half, bounds[1])


def _quantile(confidence: float, freedom: float = math.inf) -> float:
    """How many standard errors a two-sided interval reaches (normal at infinite freedom)."""
    from scipy.special import stdtrit

    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}, expected between 0 and 1")
    return float(stdtrit(freedom, (1 + confidence) / 2))


def _check_count(successes: float, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} games, expected between 0 and {n}")
