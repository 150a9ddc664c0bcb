"""Ratings: how strong each player is, from who beat whom (Bradley, Terry 1952, Biometrika 39:324).

The odds of i against j are exp(s_i - s_j); a draw is half a win for each. Strengths are told in
Elo (400 points: odds of ten to one), with mean 0, because games only tell differences.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from lab.stats.estimate import Array, Estimate

ELO = 400 / math.log(10)
"""Elo points a unit of log odds."""
PRIOR = 1.0
"""Draws against a player of strength 0 that everybody is given beforehand. They keep strengths
finite where somebody won everything or groups never met, and fade as games are played."""
RESAMPLES = 500
LARGEST = 2_000_000
"""Numbers in a batch of tables that are fitted together."""
STEPS = 200
ENOUGH = 1e-5
"""A step of this length leaves an error of about its square."""


def strengths(
    points: npt.ArrayLike, prior: float = PRIOR, start: npt.ArrayLike | float = 0.0
) -> Array:
    """Elo strengths (..., k) of mean 0, from tables (..., k, k): what i scored against j.

    The likelihood with the prior's draws is concave: Newton's steps climb it from `start`, cut so
    that no difference of two players moves by more than 1. Such steps never overshoot, because the
    third derivative is at most the second (Bach 2010, EJS 4:384).
    """
    won = np.asarray(points, dtype=np.float64)
    k = won.shape[-1]
    played = won + np.swapaxes(won, -1, -2)
    fit = np.broadcast_to(np.asarray(start, dtype=np.float64) / ELO, won.shape[:-1]).copy()
    for _ in range(STEPS):
        slope, bend = _derivatives(fit, won, played, prior)
        step = np.linalg.solve(bend, slope[..., None])[..., 0]
        reach = step.max(-1, initial=0, keepdims=True) - step.min(-1, initial=0, keepdims=True)
        fit += step / np.maximum(reach, 1)
        if k == 0 or reach.max(initial=0) < ENOUGH:
            break
    centred: Array = ELO * (fit - fit.mean(-1, keepdims=True))
    return centred


def _derivatives(fit: Array, won: Array, played: Array, prior: float) -> tuple[Array, Array]:
    """Gradient (..., k) and negative Hessian (..., k, k) of the log likelihood."""
    from scipy.special import expit

    chance, even = expit(fit[..., :, None] - fit[..., None, :]), expit(fit)
    slope = (won - played * chance).sum(-1) + prior * (0.5 - even)
    weight = played * chance * (1 - chance)
    own = weight.sum(-1) + prior * even * (1 - even)
    return slope, own[..., None] * np.eye(fit.shape[-1]) - weight


def rate(
    pairs: npt.ArrayLike,
    scores: npt.ArrayLike,
    clusters: npt.ArrayLike,
    players: int,
    confidence: float = 0.95,
) -> list[Estimate]:
    """Each player's Elo with its interval, from games `pairs` (n, 2) and the scores of the left.

    Games that share something (a map) are one cluster, and the bootstrap draws clusters; its
    percentiles are widened for few of them (expanded percentile interval: Hesterberg 2015, Am.
    Statistician 69:371). Where everything comes out alike on every map, draws of maps tell
    nothing: the interval is never narrower than that of independent games, by the curvature of the
    likelihood. With fewer than two clusters nothing is known; who won every game may be stronger
    by any amount, who lost every game weaker. The same games give the same intervals.
    """
    ends = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    score = np.asarray(scores, dtype=np.float64)
    _, group = np.unique(np.asarray(clusters), return_inverse=True)
    table = _by_cluster(ends, score, group, players)
    points = table.sum(0).reshape(players, players)
    value = strengths(points)
    drawn, alone = _resampled(table, value), _errors(points, value)
    found = []
    for player in range(players):
        left, right = (ends == player).T
        gained = np.where(left, score, 1 - score)[left | right]
        units = np.unique(group[left | right]).size
        low, high, error = -math.inf, math.inf, math.inf
        if units > 1:
            error = max(float(drawn[:, player].std()), alone[player])
            low, high = _interval(drawn[:, player], value[player], alone[player], units, confidence)
            low = -math.inf if gained.max() == 0 else low
            high = math.inf if gained.min() == 1 else high
        counts = gained.size, gained.size, units
        found.append(
            Estimate(float(value[player]), low, high, error, *counts, "Bradley-Terry", confidence)
        )
    return found


def _by_cluster(ends: Array, score: Array, group: Array, players: int) -> Any:
    """Points by cluster: a sparse matrix (clusters, players * players), i against j in each row."""
    from scipy.sparse import csr_array

    left, right = ends.T
    cells = np.concatenate([left * players + right, right * players + left])
    rows = np.concatenate([group, group])
    shape = (int(group.max(initial=-1)) + 1, players * players)
    return csr_array((np.concatenate([score, 1 - score]), (rows, cells)), shape=shape)


def _resampled(table: Any, value: Array) -> Array:
    """Strengths (RESAMPLES, k) of tables whose clusters were drawn anew, with replacement."""
    players, clusters = value.size, table.shape[0]
    rng = np.random.Generator(np.random.PCG64(0))
    found = [np.empty((0, players))]
    batch = max(LARGEST // players**2, 1)
    for start in range(0, RESAMPLES, batch):
        size = min(batch, RESAMPLES - start)
        times = rng.multinomial(clusters, np.full(clusters, 1 / clusters), size)
        points = (times @ table).reshape(size, players, players)
        found.append(strengths(points, start=value))
    return np.concatenate(found)


def _errors(points: Array, value: Array) -> Array:
    """Standard errors (k,) of strengths of mean 0, were all games independent."""
    _, bend = _derivatives(value / ELO, points, points + points.T, PRIOR)
    centre = np.eye(value.size) - 1 / max(value.size, 1)
    spread: Array = ELO * np.sqrt(np.diag(centre @ np.linalg.inv(bend) @ centre))
    return spread


def _interval(
    drawn: Array, value: float, alone: float, units: int, confidence: float
) -> tuple[float, float]:
    """The percentiles of drawn strengths that Student's quantile asks for, or value -+ error."""
    from scipy.special import ndtr, ndtri, stdtrit

    quantile = stdtrit(units - 1, (1 + confidence) / 2)
    reach = quantile * math.sqrt(units / (units - 1))
    low, high = np.quantile(drawn, [ndtr(-reach), ndtr(reach)])
    half = ndtri((1 + confidence) / 2) * alone
    return min(float(low), value - half), max(float(high), value + half)
