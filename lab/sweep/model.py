"""What the games of all settings say together: a smooth guess for each target over the space.

Settings that lie close come to nearly the same, so their games count for one another. A Gaussian
process (Rasmussen and Williams 2006, ch. 2) over the places of the settings: a constant, a smooth
part whose reach along each dimension is learnt, and a part that is each setting's own, which keeps
a cliff in the rules from being smoothed over once games show it. The noise is known: each
setting's standard error.
"""

import math
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import ndtr

Array = np.ndarray[Any, Any]

REACHES = (0.15, 0.3, 0.6, 1.2, 2.5, 5.0, 20.0)
"""How far along a dimension, in its whole length, settings say something of one another; the last
means that the dimension hardly matters."""
SIZES = (0.3, 1.0, 3.0, 10.0)
"""Variance of the smooth part, in variances of the values seen."""
OWN = (1e-4, 0.03, 0.2)
"""Variance of each setting's own part, in variances of the smooth part."""


class Model:
    """One target's values over places of the space, fitted to what has been played.

    `places` (n, d): numbers as shares 0..1 of their dimension, choices as codes where `named`
    (d,) is true. `values` and `errors` (n,): means of the settings and their standard errors.
    `shape` is another model's, to leave out the search for it.
    """

    def __init__(
        self, places: Array, values: Array, errors: Array, named: Array, shape: Any = None
    ) -> None:
        self.places, self.named = places, named
        weights = 1 / (errors**2 + values.var() + 1e-12)
        self.mean = float(weights @ values / weights.sum())
        self.scale = float(max(np.std(values), errors.min(), 1e-9))
        self.apart = _apart(places, places, named)
        self.y = (values - self.mean) / self.scale
        self.noise = (errors / self.scale) ** 2
        self.shape = shape if shape is not None else self._fit()
        self.factor, self.solved, _ = self._solve(self.shape)

    def _fit(self) -> Array:
        """The most likely reaches and variances: one coordinate after the other, twice over."""
        d = self.places.shape[1]
        shape = np.array([1.2] * d + [1.0, 0.03])
        options = [REACHES] * d + [SIZES, OWN]
        best = self._solve(shape)[2]
        for _ in range(2):
            before = shape.copy()
            for i, choices in enumerate(options):
                for choice in choices:
                    if choice == shape[i]:
                        continue
                    tried = shape.copy()
                    tried[i] = choice
                    likely = self._solve(tried)[2]
                    if likely > best + 1e-9:
                        best, shape = likely, tried
            if (shape == before).all():
                break
        return shape

    def _solve(self, shape: Array) -> tuple[Any, Array, float]:
        """Cholesky factor, weights of the values, logarithm of the likelihood up to a constant."""
        kernel = _kernel(self.apart, shape)
        kernel[np.diag_indices_from(kernel)] += shape[-2] * shape[-1] + self.noise + 1e-9
        factor = cho_factor(kernel, lower=True, check_finite=False)
        solved = cho_solve(factor, self.y, check_finite=False)
        prior = ((np.log(shape[:-2]) - 0.5) ** 2).sum() / 8
        likely = -0.5 * self.y @ solved - np.log(np.diag(factor[0])).sum() - prior
        return factor, solved, float(likely)

    def at(self, places: Array) -> tuple[Array, Array]:
        """Mean and variance of what new settings at these places come to."""
        between = _kernel(_apart(places, self.places, self.named), self.shape)
        mean = self.mean + self.scale * (between @ self.solved)
        known = (between * cho_solve(self.factor, between.T, check_finite=False).T).sum(1)
        variance = self.shape[-2] * (1 + self.shape[-1]) - known
        return mean, self.scale**2 * np.maximum(variance, 1e-12)

    def played(self) -> tuple[Array, Array]:
        """The same for the settings that were played, their own part included."""
        own = self.shape[-2] * self.shape[-1]
        prior = _kernel(self.apart, self.shape)
        prior[np.diag_indices_from(prior)] += own
        mean = self.mean + self.scale * (prior @ self.solved)
        known = (prior * cho_solve(self.factor, prior, check_finite=False).T).sum(1)
        variance = self.shape[-2] + own - known
        return mean, self.scale**2 * np.maximum(variance, 1e-12)


def _apart(places: Array, others: Array, named: Array) -> Array:
    """Squared distances along every dimension, of unlike choices 1: (d, n, m)."""
    gaps = (places[:, None, :] - others[None, :, :]).transpose(2, 0, 1)
    squares: Array = np.where(named[:, None, None], 1.0 * (gaps != 0), gaps**2)
    return squares


def _kernel(apart: Array, shape: Array) -> Array:
    """Matern 5/2 (Rasmussen and Williams 2006, eq. 4.17) times the variance."""
    r = np.sqrt(5 * np.tensordot(shape[:-2] ** -2.0, apart, 1))
    kernel: Array = shape[-2] * (1 + r + r**2 / 3) * np.exp(-r)
    return kernel


def expected_miss(mean: Array, variance: Array, low: float, high: float) -> Array:
    """Mean distance outside a band of a normal variable, in half widths of the band."""
    sd = np.sqrt(variance)
    return (_excess(low - mean, sd) + _excess(mean - high, sd)) / ((high - low) / 2)


def _excess(gap: Array, sd: Array) -> Array:
    """E max(0, gap + sd Z)."""
    z = gap / sd
    excess: Array = gap * ndtr(z) + sd * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    return np.maximum(excess, 0)
