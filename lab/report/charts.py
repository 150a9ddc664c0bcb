"""Figures as plain data: what is to be seen, not how it is drawn."""

import math
from dataclasses import dataclass
from typing import Any

from lab.metrics import SHARE

ENDS = ("value", "low", "high")


@dataclass(frozen=True)
class Measured:
    """A value with its interval, in the metric's unit, and how many games stand behind it."""

    value: float
    low: float
    high: float
    n: int
    distinct: int
    clusters: int

    @classmethod
    def of(cls, row: dict[str, Any]) -> "Measured":
        """From a row that has at least these keys; what is not known is NaN."""
        ends = {name: math.nan if row[name] is None else row[name] for name in ENDS}
        return cls(**ends, n=row["n"], distinct=row["distinct"], clusters=row["clusters"])


@dataclass(frozen=True)
class Strip:
    """One target: its band, and where the value lay before and after the change."""

    name: str
    title: str
    unit: str
    band: tuple[float, float]
    before: Measured
    search: Measured
    after: Measured
    holds: bool


@dataclass(frozen=True)
class Dots:
    """Values with intervals before and after, a row a name; joined where there is a band.

    `before` is empty where nothing was before.
    """

    name: str
    title: str
    unit: str
    names: tuple[str, ...]
    before: tuple[Measured, ...]
    after: tuple[Measured, ...]
    band: tuple[float, float] | None = None
    axis: str = ""  # where there is no band
    series: tuple[str, str] = ("before", "after")


@dataclass(frozen=True)
class Gaps:
    """Differences with intervals round 0, a row a sentence; `verdicts` colour them."""

    name: str
    title: str
    unit: str
    names: tuple[str, ...]
    values: tuple[Measured, ...]
    verdicts: tuple[str, ...]  # holds, fails or undecided


@dataclass(frozen=True)
class Histogram:
    """How often each whole number came out, as shares of games, before (or nothing) and after."""

    name: str
    title: str
    axis: str
    before: dict[int, float]
    after: dict[int, float]
    series: tuple[str, str] = ("before", "after")


@dataclass(frozen=True)
class Heat:
    """A value for every pair: `values[row][column]`, NaN for two that cannot meet.

    `margins` are half widths of the cells' intervals, `scale` the values of the colours' ends,
    `own` the row and column of a cell to be marked.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    margins: tuple[tuple[float, ...], ...]
    axes: tuple[str, str] = ("first seat", "second seat")
    unit: str = SHARE
    scale: tuple[float, float] = (0.0, 1.0)
    digits: int = 0
    own: tuple[int, int] | None = None


@dataclass(frozen=True)
class Panel:
    """Lines that share their axes: series name -> (x, y)."""

    title: str
    series: dict[str, tuple[tuple[float, ...], tuple[float, ...]]]


@dataclass(frozen=True)
class Lines:
    """Panels side by side on one scale."""

    name: str
    title: str
    x_axis: str
    y_axis: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Effect:
    """What an output comes to at each value of one number; `clear` where that is more than luck.

    `places` are where the values stand, else side by side; `own` is that of the rules.
    """

    label: str
    values: tuple[str, ...]
    means: tuple[Measured, ...]
    clear: bool
    places: tuple[float, ...] = ()
    own: int | None = None


@dataclass(frozen=True)
class Effects:
    """A panel for each number of a space, on one scale, round the band that is wanted, if any."""

    name: str
    title: str
    unit: str
    band: tuple[float, float] | None
    panels: tuple[Effect, ...]
    axis: str = ""


@dataclass(frozen=True)
class Axis:
    """One number of the space: its values in order, as text."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Space:
    """Every setting tried, as places on the axes (parallel coordinates), and its loss."""

    name: str
    title: str
    axes: tuple[Axis, ...]
    paths: tuple[tuple[int, ...], ...]
    losses: tuple[float, ...]
    baseline: int  # places in `paths`
    chosen: int
    role: str  # of the chosen one, in a word


Chart = Strip | Dots | Gaps | Histogram | Heat | Lines | Effects | Space
