"""Sensitivity: which share of an output's variance comes from which input (Sobol's indices).

Arrays in, numbers out. A *design* is N blocks of k + 2 rows: the first row takes all k inputs from
one point, the last row from another, and row i takes input i alone from the other (Saltelli et al.
2010, Comput. Phys. Commun. 181:259). The last input is a *dummy* that nothing depends on: what it
comes to is luck.

Every row is expected to have noise of its own. Were all rows played on the same games, noise would
cancel out just between the rows that are compared, and the dummy, whose rows would be equal, would
have no luck at all, while an input that only stirs the games would have plenty.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lab.stats.estimate import Array

RESAMPLES = 400
"""Bootstrap samples of the blocks, behind the bands."""
SHUFFLES = 2_000
"""Dummies that every input is held against."""
ERROR = 0.01
"""How often a study in which nothing matters may call anything important."""
TINY = 1e-9
"""Of a variance of 1 a share that is rounding."""
REACH = 1.959963984540054
"""Standard errors on either side of an index, for a band of 95 %."""


@dataclass(frozen=True)
class Indices:
    """Shares of one output's variance, noise included; each with its 95 % band: value, low, high.

    `first` (k, 3) is of an input by itself, `total` (k, 3) with all that it does together with
    others, `noise` (3,) what no input has a part in. `luck` (k,) is the probability that any of so
    many dummies, over all outputs, would stand out as much. NaN where an output does not vary.
    """

    first: Array
    total: Array
    noise: Array
    luck: Array

    @property
    def important(self) -> Array:
        """Which inputs stand out from the dummies (k,); false in ERROR of studies of pure noise."""
        return self.luck <= ERROR


def design(inputs: int, samples: int, seed: int) -> Array:
    """Points of the unit cube: (samples, inputs + 2, inputs); `samples` is a power of two.

    Both places of an input in a block are a scrambled Sobol sequence of two dimensions (Owen 2020,
    arXiv 2008.08051), dealt to the blocks at random. In one sequence over all inputs what two of
    them do together shows up as the effect of a third, where blocks are few: of 8 inputs and 64
    blocks, one that does nothing was called important in 13 of 30 studies.
    """
    from SALib.sample.sobol import sample

    random = np.random.default_rng(seed)
    problem = {"num_vars": 1, "names": ["input"], "bounds": [[0, 1]]}
    rows = np.empty((samples, inputs + 2, inputs))
    for i in range(inputs):
        pairs = sample(problem, samples, calc_second_order=False, seed=random)
        one, _, other = random.permutation(pairs.reshape(samples, 3)).T
        rows[:, :, i] = one[:, None]
        rows[:, [i + 1, -1], i] = other[:, None]
    return rows


def indices(
    values: npt.ArrayLike, levels: npt.ArrayLike, cells: npt.ArrayLike, seed: int
) -> list[Indices]:
    """The indices of every output of a design.

    `values` (N, k + 2, outputs), NaN where nothing is known; `levels` (N, 2, k) number the values
    of each input at both points of a block from 0; `cells` (N, k + 2) are equal where rows of a
    block differ in the dummy alone. `seed` is that of the bootstrap and of the dummies.
    """
    y, places, same = np.asarray(values, np.float64), np.asarray(levels), np.asarray(cells)
    blocks = len(y)
    random = np.random.default_rng(seed)
    drawn = random.multinomial(blocks, np.full(blocks, 1 / blocks), RESAMPLES)
    weights = np.vstack([np.ones(blocks), drawn])
    orders = random.permuted(np.tile(np.arange(blocks), (SHUFFLES, 1)), axis=1)
    signs = random.choice([-1.0, 1.0], (SHUFFLES, blocks))

    outputs = [_Output(one, places, same) for one in np.moveaxis(y, 2, 0)]
    found = [output.against_dummies(orders, signs) for output in outputs]
    luckiest = np.max([dummies for _, dummies in found], axis=0)
    return [
        output.indices(weights, _rarity(scores, luckiest))
        for output, (scores, _) in zip(outputs, found, strict=True)
    ]


def _rarity(scores: Array, luckiest: Array) -> Array:
    """The share of studies of dummies whose luckiest reaches each score (permutation p-values)."""
    reached = (luckiest[:, None] >= scores - TINY).sum(axis=0)  # rounding is no difference
    return np.asarray((reached + 1) / (len(luckiest) + 1))


class _Output:
    """One output of a design in standard deviations from its mean; what is not known weighs 0."""

    def __init__(self, y: Array, levels: Array, cells: Array) -> None:
        known = np.isfinite(y)
        mean, scale = (y[known].mean(), y[known].std()) if known.any() else (0.0, 0.0)
        self.varies = bool(scale > TINY * max(abs(mean), TINY))
        self.known = known.astype(np.float64)
        self.z = np.where(known, y - mean, 0.0) / (scale if self.varies else 1.0)
        self.levels = levels
        self.inputs = levels.shape[2]
        both = self.known[:, :1] * self.known[:, 1:-1]
        self.pairs = both  # (N, k), as is what differs between them
        self.apart = both * (self.z[:, :1] - self.z[:, 1:-1]) ** 2 / 2
        self._find_noise(cells)

    def _find_noise(self, cells: Array) -> None:
        """Squares of what differs between equal rows, and their degrees of freedom, by block."""
        same = (cells[:, :, None] == cells[:, None, :]) * self.known[:, None, :]
        mates = np.maximum(same.sum(axis=2), 1)
        means = (same * self.z[:, None, :]).sum(axis=2) / mates
        self.squares = (self.known * (self.z - means) ** 2).sum(axis=1)
        self.freedom = (self.known * (1 - 1 / mates)).sum(axis=1)

    def _sides(self, values: Array, i: int) -> tuple[Array, Array]:
        """Sums over the rows of a block (N,) that have input i from the one and the other point."""
        other = values[:, i + 1] + values[:, -1]
        return values.sum(axis=1) - other, other

    def _marks(self, i: int) -> tuple[Array, Array]:
        """Which level input i has at both points of a block: two of (N, levels), 0 or 1."""
        every = np.arange(self.levels[:, :, i].max() + 1)
        one, other = np.moveaxis(self.levels[:, :, i, None] == every, 1, 0).astype(np.float64)
        return one, other

    def _by_level(self, values: Array, i: int) -> Array:
        """Sums by block and level of input i, (N, levels)."""
        (one, other), (here, there) = self._sides(values, i), self._marks(i)
        return np.asarray(one[:, None] * here + other[:, None] * there)

    def _in_rows(self, i: int, of_points: Array) -> Array:
        """What input i has at both points, (N, 2, m), in the rows of the design (rows, m)."""
        rows = np.repeat(of_points[:, :1], self.inputs + 2, axis=1)
        rows[:, [i + 1, -1]] = of_points[:, 1:]
        return np.asarray(rows.reshape(-1, of_points.shape[2]))

    def _apart_from_others(self, i: int, given: Array) -> Array:
        """The output (N, k + 2) without what a parabola in every other input explains of it.

        Fitted beside `given` (rows, m): what stays in. So other inputs do not blur this one, as
        they would where their values happen to go with its own.
        """
        places = self.levels / np.maximum(self.levels.max(axis=(0, 1)), 1) - 0.5
        powers = np.stack([places, places**2], axis=3)
        others = [self._in_rows(j, powers[:, :, j]) for j in range(self.inputs) if j != i]
        known, z = self.known.ravel() > 0, self.z.ravel()
        curves = np.concatenate(others, axis=1)
        every = np.concatenate([curves, given], axis=1)
        every = every[known]
        fit = np.linalg.lstsq(every.T @ every, every.T @ z[known], rcond=1e-9)[0]
        slopes = fit[: curves.shape[1]]
        return np.asarray(self.known * (z - curves @ slopes).reshape(self.z.shape))

    # --- indices and bands ---------------------------------------------------------------------

    def indices(self, weights: Array, luck: Array) -> Indices:
        """From blocks as they are (weights[0]) and resampled (the others)."""
        if not self.varies:
            nothing = np.full((self.inputs, 3), np.nan)
            return Indices(nothing, nothing, nothing[0], np.ones(self.inputs))
        rows = weights @ self.known.sum(axis=1)
        mean = weights @ self.z.sum(axis=1) / rows
        variance = weights @ (self.z**2).sum(axis=1) / rows - mean**2
        noise = _ratio(weights @ self.squares, weights @ self.freedom)
        first = [self._first(i, weights) / rows for i in range(self.inputs)]
        total = _ratio(weights @ self.apart, weights @ self.pairs) - noise[:, None]
        share = np.maximum(variance, TINY)[:, None]
        return Indices(
            _band(np.stack(first, axis=1) / share),
            _band(total / share),
            _band(noise[:, None] / share)[0],
            luck,
        )

    def _first(self, i: int, weights: Array) -> Array:
        """The sum of squares between the levels of input i, less what chance alone puts there.

        From all rows of the design, hence far sharper under noise than the usual estimators from
        pairs of rows (measured, half of the variance noise: a fifth of their standard error).
        """
        marks = np.stack(self._marks(i), axis=1)
        z = self._apart_from_others(i, self._in_rows(i, marks))
        sums, counts = self._by_level(z, i), self._by_level(self.known, i)
        whole = sums.sum(axis=1, keepdims=True), counts.sum(axis=1, keepdims=True)
        by_chance = _chance(sums, counts, weights) - _chance(*whole, weights)
        return np.asarray(_between(weights @ sums, weights @ counts) - by_chance)

    # --- what stands out -----------------------------------------------------------------------

    def against_dummies(self, orders: Array, signs: Array) -> tuple[Array, Array]:
        """How far each input stands out (k,), and the luckiest of as many dummies (shuffles,).

        An input that does nothing is a dummy: its levels may be dealt to other blocks (`orders`,
        shuffles x N), and what it and the dummy do to a row may be exchanged (`signs`). An input's
        score is the better of both, each on a scale on which luck is standard normal. Taken over
        all inputs and outputs, the luckiest bounds the error of the whole study (Westfall and
        Young 1993, Resampling-Based Multiple Testing, 2.3).
        """
        scores, luckiest = np.full(self.inputs, -np.inf), np.full(len(orders), -np.inf)
        if not self.varies:
            return scores, luckiest
        for i in range(self.inputs):
            for score, dummies in (self._alone(i, orders), self._beside(i, signs)):
                scores[i] = max(scores[i], score)
                luckiest = np.maximum(luckiest, dummies)
        return scores, luckiest

    def _alone(self, i: int, orders: Array) -> tuple[float, Array]:
        """By squares between the levels of input i, and with its levels dealt to other blocks."""
        here, there = self._marks(i)
        z = self._apart_from_others(i, np.ones((self.z.size, 1)))
        sides, known = self._sides(z, i), self._sides(self.known, i)

        def squares(order: Array) -> Array:
            sums, counts = (
                one[order] @ here + other[order] @ there for one, other in (sides, known)
            )
            return _between(sums, counts)

        return _normal(float(squares(np.arange(len(here))[None])[0]), squares(orders))

    def _beside(self, i: int, signs: Array) -> tuple[float, Array]:
        """By how much more rows change with input i than with the dummy, and with both exchanged.

        By signed ranks, for a few blocks may change far more than all others (Wilcoxon 1945,
        Biometrics Bull. 1:80).
        """
        from scipy.stats import rankdata

        gap = self.pairs[:, i] * self.pairs[:, -1] * (self.apart[:, i] - self.apart[:, -1])
        ranks = np.sign(gap) * rankdata(np.abs(gap))
        scale = np.sqrt((ranks**2).sum()) or 1.0
        return float(ranks.sum() / scale), signs @ ranks / scale


def _normal(score: float, dummies: Array) -> tuple[float, Array]:
    """Sums of squares on a normal scale: of a multiple of chi-squared, fitted to the dummies' mean
    and variance, the cube root (Wilson and Hilferty 1931, PNAS 17:684)."""
    mean, variance = dummies.mean(), dummies.var()
    if not (mean > TINY and variance > TINY * mean**2):
        return 0.0, np.zeros_like(dummies)
    unit = variance / (9 * mean**2)  # 2 / (9 degrees of freedom)

    def scaled(squares: Array) -> Array:
        return np.asarray((np.cbrt(np.maximum(squares, 0) / mean) - 1 + unit) / np.sqrt(unit))

    return float(scaled(np.array(score))), scaled(dummies)


def _between(sums: Array, counts: Array) -> Array:
    """Sum of squares between levels, (R,) of (R, levels)."""
    whole = sums.sum(axis=1) ** 2 / np.maximum(counts.sum(axis=1), 1)
    return np.asarray(_ratio(sums**2, counts).sum(axis=1) - whole)


def _chance(sums: Array, counts: Array, weights: Array) -> Array:
    """What a sum of squares of level means comes to by chance, (R,): blocks are independent.

    Of (N, levels) and weights (R, N), by the variance of a ratio (Cochran 1977, Sampling
    Techniques, ch. 6).
    """
    below = weights @ counts
    means = _ratio(weights @ sums, below)
    spread = weights @ sums**2 - 2 * means * (weights @ (sums * counts))
    return np.asarray(_ratio(spread + means**2 * (weights @ counts**2), below).sum(axis=1))


def _ratio(above: Array, below: Array) -> Array:
    """0 where there is nothing to divide by."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _band(resampled: Array) -> Array:
    """Values (R, m) as value, low, high (m, 3): row 0, and the spread of the others round it."""
    half = REACH * resampled[1:].std(axis=0)
    return np.stack([resampled[0], resampled[0] - half, resampled[0] + half], axis=1)
