"""Rates looked at while games come in: intervals that hold whenever one stops.

Arrays in, numbers out. A fixed-n interval read again and again excludes the truth sooner or later;
what stands here may be read after every game. Values come in the order of their game index, never
in that of their arrival: short games report first.
"""

import math

import numpy as np
import numpy.typing as npt

from lab.stats.estimate import Array, Bounds


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
