"""Mixtures: which weights of known kinds, met in pairs, come nearest to what was seen.

Both seats of a game are filled independently by the same weights w, so a mean of the mix is
sum over i, j of w_i w_j C_ij, where C_ij is the mean of games of kind i against kind j.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np

from lab.stats.estimate import Array

SHRINKAGE = 0.05
"""Of correlations: directions in which games hardly vary must not outweigh all others."""
MOST_STEPS = 100
CLOSE = 1e-7
"""Step below which weights are settled."""
NEAR = 0.9
"""Weight of a kind in the start that is near to it."""


def mixed(weights: Array, cells: Array) -> Array:
    """Means of the mix: weights (p,), cells (p, p, ...) -> (...)."""
    return np.asarray(np.einsum("i,j,ij...->...", weights, weights, cells))


def spread(weights: Array, games: Array) -> Array:
    """Covariance (m, m) of the games of a mix: weights (p,), games (p, p, n, m) of each cell."""
    p, _, n, m = games.shape
    share = np.repeat(np.outer(weights, weights).ravel() / n, n)
    rows = games.reshape(p * p * n, m)
    apart = rows - share @ rows
    return np.asarray((apart * share[:, None]).T @ apart)


def whitening(covariance: Array) -> Array:
    """W (m, m) such that |d W|^2 is the squared distance of d (m,) in units of the covariance.

    Correlations are drawn towards 0 by SHRINKAGE.
    """
    toned = (1 - SHRINKAGE) * covariance + SHRINKAGE * np.diag(np.diag(covariance))
    return np.asarray(np.linalg.cholesky(np.linalg.inv(toned)))


def nearest_mix(target: Array, cells: Array, starts: Iterable[Array] | None = None) -> Array:
    """Weights (p,) of 0 or more, sum 1, whose mix is nearest to `target` (m,).

    `cells` are (p, p, m); both are whitened already. Gauss and Newton's steps, each of them exact
    on the simplex, from each of `starts`, by default all over it; the best of all, the first of
    equal ones. Nothing is drawn.
    """
    starts = spread_out(cells.shape[0]) if starts is None else starts
    found = [_descend(target, cells, start) for start in starts]
    return min(found, key=lambda weights: _missed(target, cells, weights))


def _descend(target: Array, cells: Array, weights: Array) -> Array:
    """The bottom that lies below a start."""
    both = cells + np.swapaxes(cells, 0, 1)
    value = _missed(target, cells, weights)
    for _ in range(MOST_STEPS):
        slope = np.einsum("j,kjm->mk", weights, both)  # of the mix; the mix itself is half of it
        step = _on_simplex(slope - (target + slope @ weights / 2)[:, None]) - weights
        while (after := _missed(target, cells, weights + step)) >= value:
            step /= 2
            if abs(step).max() < CLOSE:
                return weights
        weights, value = weights + step, after
    return weights


def _missed(target: Array, cells: Array, weights: Array) -> float:
    apart = mixed(weights, cells) - target
    return float(apart @ apart)


def _on_simplex(matrix: Array) -> Array:
    """Weights x (p,) of 0 or more, sum 1, with the least |matrix x|, by nonnegative least squares.

    With a row c (sum x = 1) beneath, a direction u of sum 1 costs least as x = s u with s =
    c^2 / (c^2 + |matrix u|^2), and then the more, the more |matrix u| is: so scaled to sum 1 the
    answer is exact for any c.
    """
    from scipy.optimize import nnls

    p = matrix.shape[1]
    c = max(float(np.linalg.norm(matrix)) / p, 1e-9)
    found = nnls(np.vstack([matrix, np.full(p, c)]), np.append(np.zeros(len(matrix)), c))[0]
    return np.asarray(found / found.sum())


def corners(p: int) -> Array:
    """The even mix of p kinds, and a start near each kind alone: (p + 1, p)."""
    even = np.full((1, p), 1 / p)
    return np.concatenate([even, NEAR * np.eye(p) + (1 - NEAR) * even])


def spread_out(p: int) -> Iterator[Array]:
    """Starts all over the simplex: those of `corners`, and between each two kinds."""
    found = corners(p)
    yield from found
    yield from ((one + other) / 2 for one, other in combinations(found[1:], 2))


def rounded(weights: Array, digits: int) -> Array:
    """Weights to so many digits that still sum to 1: the largest takes what is left over."""
    found = np.round(weights, digits)
    found[np.argmax(found)] += 1 - found.sum()
    return np.asarray(np.round(found, digits))
