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
    Statistician 69:371). It is the same for the same games. With fewer than two clusters nothing
    is known. Who won every game may be stronger by any amount, and is at least so strong that
    winning all of its clusters is not less likely than (1 - confidence) / 2; who lost every game
    likewise the other way round.
    """
    ends = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    score = np.asarray(scores, dtype=np.float64)
    _, group = np.unique(np.asarray(clusters), return_inverse=True)
    table = _by_cluster(ends, score, group, players)
    value = strengths(table.sum(0).reshape(players, players))
    drawn = _resampled(table, value)
    found = []
    for player in range(players):
        left, right = (ends == player).T
        mine = left | right
        gained = np.where(left, score, 1 - score)[mine]
        units = np.unique(group[mine]).size
        low, high, error = -math.inf, math.inf, math.inf
        if units > 1:
            error = float(drawn[:, player].std())
            others = value[ends.sum(1)[mine] - player]
            own = float(value[player])
            if gained.min() == 1:
                low = own - _slack(own - others, units, confidence) * (1 - 1 / players)
            elif gained.max() == 0:
                high = own + _slack(others - own, units, confidence) * (1 - 1 / players)
            else:
                low, high = _percentiles(drawn[:, player], units, confidence)
        n = gained.size
        counts = n, n, units
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


def _percentiles(drawn: Array, units: int, confidence: float) -> tuple[float, float]:
    """The interval that resampled values span, as many units as Student's quantile asks for."""
    from scipy.special import ndtr, stdtrit

    reach = stdtrit(units - 1, (1 + confidence) / 2) * math.sqrt(units / (units - 1))
    low, high = np.quantile(drawn, [ndtr(-reach), ndtr(reach)])
    return float(low), float(high)


def _slack(ahead: Array, units: int, confidence: float) -> float:
    """How many Elo less a player so far `ahead` of its opponents (n,) who lost no unit may have."""
    from scipy.optimize import brentq
    from scipy.special import log_expit

    least = math.log((1 - confidence) / 2) / units
    most = float(ahead.max()) - ELO * least  # there the mean lies below `least` in any case

    def excess(slack: float) -> float:
        return float(log_expit((ahead - slack) / ELO).mean()) - least

    return float(brentq(excess, 0, most)) if excess(0) > 0 else 0.0
