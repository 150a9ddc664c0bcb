"""Many targets at once: how sure each verdict must be so that all may be believed together."""

import numpy as np
import numpy.typing as npt

from lab.stats.estimate import Array


def split(alpha: float, k: int) -> float:
    """The error each of k tests may make so that, with probability 1 - alpha, none makes one.

    Bonferroni's; tests may depend on one another, as targets measured on the same games do.
    Raises ValueError for less than one test.
    """
    if k < 1:
        raise ValueError(f"{k} tests, expected 1 or more")
    return alpha / k


def holm(p_values: npt.ArrayLike) -> Array:
    """Adjusted p-values (k,), in the order given: those of at most alpha may all be rejected.

    The smallest is multiplied by k, the next by k - 1 and so on, none lower than the one before it
    and none above 1 (Holm 1979, Scand. J. Stat. 6:65). Never less powerful than alpha / k each,
    whatever the tests have to do with one another. Raises ValueError outside of 0..1.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"p-values {p.tolist()}, expected within 0..1")
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1)
    return adjusted
