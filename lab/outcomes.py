"""What the columns of several games, and the measures made of them, are declared with."""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.game import Column, Metric

if TYPE_CHECKING:
    from lab.rules import Rules

Value = Callable[[Any], Any]
Bounds = Callable[["Rules"], tuple[float, float]]

SHARE = "share"
"""Unit of rates: their bounds are 0 and 1 under any rules."""


def share(rules: "Rules") -> tuple[float, float]:
    """The bounds of a share."""
    return 0.0, 1.0


def endless(rules: "Rules") -> tuple[float, float]:
    """The bounds of a count that no rule limits."""
    return 0.0, math.inf


def named(*columns: Column) -> dict[str, Column]:
    """Columns by name."""
    return {column.name: column for column in columns}


def of_seats(
    seats: Mapping[str, str], name: str, sentence: str, unit: str, bounds: Bounds
) -> tuple[Column, ...]:
    """A column with a place a seat, as one each; `{who}` in the sentence is who sits there."""
    return tuple(
        Column(f"{seat}_{name}", sentence.format(who=who), unit, bounds)
        for seat, who in seats.items()
    )


def column(name: str) -> Value:
    """A column of the outcomes as numbers."""
    return lambda frame: frame[name].to_numpy().astype(float)


def ratio(part: Any, whole: Any) -> Any:
    """Part by whole, NaN where there is no whole."""
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole != 0)


def counted(declared: Column) -> Metric:
    """A column that is measured as it is, under its own name."""
    return Metric(
        declared.name, declared.sentence, declared.unit, column(declared.name), declared.bounds
    )
