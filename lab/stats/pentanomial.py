"""Sequential tests of one player against another, on pairs of games with seats swapped.

Both games of a pair share their seed, so they are no independent games: the pair is what counts.
Its points, 0, 1/2, 1, 3/2 or 2, have five chances, hence the name. Deterministic players that are
the same play the same game twice, and such pairs add nothing.
"""

import math

import numpy as np
import numpy.typing as npt

from lab.stats.estimate import Array, Bounds

SCORES = np.arange(5) / 4
"""A pair's points as a share of both."""
NELO = 800 / math.log(10)
"""Normalised Elo points of a game whose mean score lies one standard deviation above 1/2."""
ABSENT = 1e-3
"""Pairs counted for an outcome that was never seen, as published: without it a likelihood of
nothing but wins has no maximum."""
CLOSE = 1e-9


def pair_counts(points: npt.ArrayLike) -> Array:
    """How many pairs (n,) scored 0, 1/2, 1, 3/2 and 2 points: shape (5,).

    Raises ValueError on other points.
    """
    halves = 2 * np.asarray(points, dtype=np.float64)
    if not np.isin(halves, np.arange(5)).all():
        raise ValueError("points of a pair, expected 0, 0.5, 1, 1.5 or 2")
    return np.bincount(halves.astype(np.int64), minlength=5)


def gsprt_bounds(alpha: float = 0.05, beta: float = 0.05) -> Bounds:
    """Log ratios at which the lower and the upper hypothesis are accepted (Wald 1945)."""
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(f"alpha {alpha:g}, beta {beta:g}, expected above 0 and a sum below 1")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def score_ratio(counts: npt.ArrayLike, lower: float, upper: float) -> float:
    """Log likelihood ratio of a mean score of `upper` over one of `lower`, both within 0..1.

    Each mean stands for the likeliest distribution that has it: N sum p ln(p1 / p0) (Van den Bergh,
    "A practical introduction to the GSPRT"). `counts` as in `pair_counts`.
    """
    n, seen = _shares(counts)
    for mean in (lower, upper):
        if not 0 < mean < 1:
            raise ValueError(f"mean score {mean:g}, expected between 0 and 1")
    under, over = (_tilted(seen, SCORES - mean) for mean in (lower, upper))
    return float(n * (seen @ np.log(over / under)))


def normalised_ratio(counts: npt.ArrayLike, lower: float, upper: float) -> float:
    """Log likelihood ratio of two strengths told in normalised Elo.

    A strength fixes the mean's distance from 1/2 in standard deviations of a game, whatever the
    share of draws (Van den Bergh, "Normalized Elo"). Pairs of games have half a game's variance,
    hence the root of two. Raises ValueError for strengths out of reach, about 230 and more.
    """
    n, seen = _shares(counts)
    under, over = (_at_distance(seen, math.sqrt(2) * elo / NELO) for elo in (lower, upper))
    return float(n * (seen @ np.log(over / under)))


def _shares(counts: npt.ArrayLike) -> tuple[float, Array]:
    """How many pairs, and the share (5,) of each outcome, none of them 0."""
    seen = np.asarray(counts, dtype=np.float64)
    if seen.shape != SCORES.shape or not (seen >= 0).all():
        raise ValueError(f"counts {seen.tolist()}, expected five of 0 or more")
    seen = np.where(seen == 0, ABSENT, seen)
    n = float(seen.sum())
    return n, seen / n


def _tilted(seen: Array, apart: Array) -> Array:
    """The likeliest distribution under which `apart` has mean 0: seen / (1 + x apart).

    The mean falls as x grows. No chance exceeds 1, so 1 + x apart is at least `seen` everywhere,
    which holds x between limits that depend on the rarest outcomes.
    """
    from scipy.optimize import brentq

    lowest, highest = int(apart.argmin()), int(apart.argmax())
    if not apart[lowest] < 0 < apart[highest]:
        raise ValueError("strength out of reach")

    def mean(x: float) -> float:
        return float((seen * apart / (1 + x * apart)).sum())

    low = (seen[highest] - 1) / apart[highest]
    high = (seen[lowest] - 1) / apart[lowest]
    # Where nearly all is one outcome the root is a limit, and rounding may put it beyond.
    if mean(low) <= 0 or mean(high) >= 0:
        x = low if mean(low) <= 0 else high
    else:
        x = float(brentq(mean, low, high, xtol=1e-15))
    tilted: Array = seen / (1 + x * apart)
    return tilted


def _at_distance(seen: Array, distance: float) -> Array:
    """The likeliest distribution whose mean lies `distance` standard deviations above 1/2.

    The condition is not linear in the chances, but near a distribution of mean m and deviation s
    it is that a - 1/2 - distance s (1 + ((a - m) / s)^2) / 2 has mean 0. That is solved again from
    its own solution, until it stays.
    """
    chances = np.full_like(SCORES, 1 / SCORES.size)
    for _ in range(100):
        mean = chances @ SCORES
        deviation = math.sqrt(chances @ (SCORES - mean) ** 2)
        curve = (1 + ((SCORES - mean) / deviation) ** 2) / 2
        before, chances = chances, _tilted(seen, SCORES - 0.5 - distance * deviation * curve)
        if np.abs(chances - before).max() < CLOSE:
            break
    return chances
