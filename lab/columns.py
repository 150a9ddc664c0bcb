"""What the measures of several games are made of."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.game import Metric

if TYPE_CHECKING:
    from lab.rules import Rules

Value = Callable[[Any], Any]
Bounds = Callable[["Rules"], tuple[float, float]]


def share(rules: "Rules") -> tuple[float, float]:
    """The bounds of a share."""
    return 0.0, 1.0


def column(name: str) -> Value:
    """A column of the outcomes as numbers."""
    return lambda frame: frame[name].to_numpy().astype(float)


def ratio(part: Any, whole: Any) -> Any:
    """Part by whole, NaN where there is no whole."""
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole != 0)


def counted(seat: str, name: str, sentence: str, unit: str, bounds: Bounds) -> Metric:
    """A column of one seat, measured as it is under the column's name."""
    return Metric(f"{seat}_{name}", sentence, unit, column(f"{seat}_{name}"), bounds)
