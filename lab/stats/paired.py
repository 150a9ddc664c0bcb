"""Differences between games in pairs, or more, that share their chance (common random numbers).

What both games of a pair owe to that chance cancels out of their difference; how much that was
worth is the variance ratio (Glasserman, Yao 1992, Management Science 38:884).
"""

import math
from collections.abc import Sequence
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

    What `estimate_contrast` says of two sides; `histories` (2, n): pairs are the same again when
    both games are. Where no pair of rates differs it reaches z^2/(n + z^2) to either side (as Tango
    1998, Stat. Med. 17:891).
    """
    sides = before, after
    return estimate_contrast(sides, (-1, 1), histories, clusters, bounds, confidence)


def estimate_contrast(
    sides: Sequence[npt.ArrayLike],
    weights: Sequence[float],
    histories: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
    bounds: Bounds = UNBOUNDED,
    confidence: float = 0.95,
) -> Estimate:
    """The weighted sum of the sides' means, of games that share their chance (each side (n,)).

    `weights` sum to 0, as in a difference or a slope. A side's mean is over the games of which it
    says something (not NaN); `n` is the smallest count. `histories` (sides, n): games are the same
    again when all sides' are. `clusters` (n,) as in `estimate_mean`; `bounds` are those of one
    value. Of rates it is Wilson's interval with the sum, drawn to 0..1, as the value, for Student's
    is too bold where few games differ. Else Student's, which has no width when all sums are equal.
    """
    parts, past, shared = _sides(sides, histories, clusters)
    share = np.asarray(weights, dtype=np.float64)
    sums, reach = share @ parts, float(share[share > 0].sum())
    n = min(int(np.count_nonzero(~np.isnan(side))) for side in map(np.asarray, sides))
    if bounds == RATE and n == sums.size:
        places = np.clip((sums / reach + 1) / 2, 0, 1)  # rounding may go past the ends
        half = estimate_mean(places, past, shared, RATE, confidence)
        ends = {name: reach * (2 * getattr(half, name) - 1) for name in ("value", "low", "high")}
        return replace(half, **ends, error=2 * reach * half.error)
    found = estimate_mean(sums, past, shared, UNBOUNDED, confidence)
    most = reach * (bounds[1] - bounds[0])
    return replace(
        found,
        low=max(found.low, -most),
        high=min(found.high, most),
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
    alone, paired = variances(before, after, histories, clusters)
    return alone / paired if 0 < paired < math.inf else math.nan


def variances(
    before: npt.ArrayLike,
    after: npt.ArrayLike,
    histories: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
) -> tuple[float, float]:
    """Of the difference of the means: were nothing shared, and as it is in pairs."""
    (one, other), past, shared = _sides((before, after), histories, clusters)
    first, second, apart = (
        estimate_mean(x, past, shared, UNBOUNDED).error ** 2 for x in (one, other, other - one)
    )
    return first + second, apart


def _sides(
    sides: Sequence[npt.ArrayLike],
    histories: npt.ArrayLike | None,
    clusters: npt.ArrayLike | None,
) -> tuple[Array, Array | None, Array | None]:
    """Where a side has a value: every side's parts, a hash of all histories, the clusters."""
    values = np.asarray(sides, dtype=np.float64)
    keep = ~np.isnan(values).all(axis=0)
    past = None
    if histories is not None:
        past, *others = np.asarray(histories, dtype=np.uint64)[:, keep]
        for other in others:
            past = past * np.uint64(0x9E3779B97F4A7C15) + other  # wraps; odd: no bit is lost
    shared = None if clusters is None else np.asarray(clusters)[keep]
    return np.stack([_parts(side[keep]) for side in values]), past, shared


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
