"""Differences between games in pairs that share their chance (common random numbers).

What both games of a pair owe to that chance cancels out of their difference; how much that was
worth is the variance ratio (Glasserman, Yao 1992, Management Science 38:884).
"""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lab.stats.estimate import RATE, UNBOUNDED, Array, Bounds, Estimate, estimate_mean


def estimate_difference(
    before: npt.ArrayLike,
    after: npt.ArrayLike,
    histories: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
    bounds: Bounds = UNBOUNDED,
    confidence: float = 0.95,
) -> Estimate:
    """The mean of `after` less the mean of `before`, of games in pairs (both shape (n,)).

    A side's mean is over the games of which it says something (not NaN); `n` is the smaller count.
    `histories` (2, n): pairs are the same again when both games are. `clusters` (n,) as in
    `estimate_mean`; `bounds` are those of one value. Of rates it is Wilson's interval with half a
    point more or less as the value, for Student's is too bold where few pairs differ; where none
    does it reaches z^2/(n + z^2) to either side (as Tango 1998, Stat. Med. 17:891). Else Student's,
    which has no width when all pairs differ by the same.
    """
    one, other, past, shared = _pairs(before, after, histories, clusters)
    apart = other - one
    n = min(int(np.count_nonzero(~np.isnan(side))) for side in map(np.asarray, (before, after)))
    if bounds == RATE and n == apart.size:
        half = estimate_mean((apart + 1) / 2, past, shared, RATE, confidence)
        ends = {name: 2 * getattr(half, name) - 1 for name in ("value", "low", "high")}
        return replace(half, **ends, error=2 * half.error)
    found = estimate_mean(apart, past, shared, UNBOUNDED, confidence)
    span = bounds[1] - bounds[0]
    return replace(
        found,
        low=max(found.low, -span),
        high=min(found.high, span),
        n=n,
        distinct=min(found.distinct, n),
    )


def variance_ratio(
    before: npt.ArrayLike,
    after: npt.ArrayLike,
    histories: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
) -> float:
    """How many times as many games without shared chance would tell as much of the difference.

    The variance of the difference of games that share nothing, over that of these pairs, both over
    the units of the interval. NaN where no pair differs from the others, or nothing is known.
    """
    one, other, past, shared = _pairs(before, after, histories, clusters)
    errors = [
        estimate_mean(x, past, shared, UNBOUNDED).error ** 2 for x in (one, other, other - one)
    ]
    return (errors[0] + errors[1]) / errors[2] if 0 < errors[2] < math.inf else math.nan


def _pairs(
    before: npt.ArrayLike,
    after: npt.ArrayLike,
    histories: npt.ArrayLike | None,
    clusters: npt.ArrayLike | None,
) -> tuple[Array, Array, Array | None, Array | None]:
    """Where a side has a value: both sides' parts, a hash of both histories, the clusters."""
    one, other = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    keep = ~(np.isnan(one) & np.isnan(other))
    past = None
    if histories is not None:
        first, second = np.asarray(histories, dtype=np.uint64)[:, keep]
        past = first * np.uint64(0x9E3779B97F4A7C15) + second  # wraps; odd, so that no bit is lost
    shared = None if clusters is None else np.asarray(clusters)[keep]
    return _parts(one[keep]), _parts(other[keep]), past, shared


def _parts(values: Array) -> Array:
    """Numbers with the mean of the known values and its spread: those values where all are known.

    Else each known one at its distance from the mean, scaled up as the mean divides by fewer, and
    the mean itself for the others (linearised ratio: Cochran 1977, Sampling Techniques, ch. 6).
    """
    known = ~np.isnan(values)
    count = int(known.sum())
    if count in (0, values.size):
        return values
    mean = values[known].mean()
    parts: Array = mean + np.where(known, values - mean, 0.0) * (values.size / count)
    return parts
