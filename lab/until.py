"""Games of one pairing until a metric is known to within a half width, and no more of them.

Looked at every 16 values of a complete prefix of the games, by an interval that holds at every look
at once; so one may stop when it is narrow enough.
"""

import math
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from lab.brake import Brake
from lab.catalog import load_game
from lab.errors import bad
from lab.game import Metric
from lab.metrics import SHARE, metric_of
from lab.report.words import amount, span
from lab.rules import Rules
from lab.selfplay import CHUNK
from lab.stats.estimate import RATE, Bounds
from lab.stats.sequential import Verdict
from lab.stats.study import Sequence, first_clear, sequence_of
from lab.walk import Walk

MOST = 10_000_000
"""Games played where nobody says how many: a share to 0.2 points takes about 1.2 million."""
ALPHA = 0.05
POINT = 0.01
"""What half widths of shares are told in: 0.2 of 1 would be 20 points, which nobody asks for."""


@dataclass(frozen=True)
class Goal:
    """A metric and the half width, in its unit, that its interval shall have."""

    metric: Metric
    bounds: Bounds
    half: float

    @property
    def rate(self) -> bool:
        """Whether it is a rate."""
        return self.bounds == RATE

    def clear(self, interval: Bounds) -> Verdict | None:
        """PASS when the interval is narrow enough."""
        return "PASS" if interval[1] - interval[0] <= 2 * self.half else None

    def about(self, sequence: Sequence, games: int) -> int:
        """How many games it will take: a width falls by the square root of their number."""
        low, high = sequence.interval
        return math.ceil(games * max((high - low) / 2 / self.half, 1) ** 2)

    @property
    def text(self) -> str:
        """The half width as it was asked for: `0.2 points`, `0.1 rounds`."""
        share = self.metric.unit == SHARE
        return f"{self.half / POINT:g} points" if share else f"{self.half:g} {self.metric.unit}"


@dataclass(frozen=True)
class Known:
    """What the first `games` games tell; `frame` holds them where they were to be kept.

    `reached` says whether the interval is as narrow as was wanted. `repeats` is how many different
    games there are if too few to count them one by one: then nothing is known so well.
    """

    goal: Goal
    games: int
    value: float
    interval: Bounds
    reached: bool
    repeats: int | None
    frame: pl.DataFrame | None

    @property
    def facts(self) -> dict[str, Any]:
        """The same as plain data, in the metric's own unit."""
        low, high = self.interval
        return {
            "metric": self.goal.metric.name,
            "half": self.goal.half,
            "known": self.reached and self.repeats is None,
            "games": self.games,
            "value": self.value,
            "low": low,
            "high": high,
        }

    @property
    def sentence(self) -> str:
        """How well the metric is known, in words."""
        name, unit = self.goal.metric.name, self.goal.metric.unit
        if self.repeats is not None:
            counts = f"{self.repeats:,} of {self.games:,} games are distinct"
            return f"{name} not known to ±{self.goal.text}: {counts}, and copies count once"
        known = "known" if self.reached else "not yet known"
        return (
            f"{name} {known} to ±{self.goal.text} after {self.games:,} games: "
            f"{amount(self.value, unit)}, 95% confidence sequence {span(*self.interval, unit)}"
            " (the table's intervals are of a number of games settled beforehand)"
        )


def read_goal(text: str, rules: Rules) -> Goal:
    """METRIC+-X, X in points of a share (0.2 is 0.002) or the metric's unit; BadInput else."""
    match = re.fullmatch(r"(.+)(?:\+-|±)([0-9]*\.?[0-9]+)", text)
    half = float(match[2]) if match else 0.0
    if match is None or not half > 0:
        raise bad("until", repr(text), "METRIC+-X with X above 0, such as first_score+-0.2")
    metric = metric_of(load_game(rules.game), match[1], "until")
    bounds = metric.bounds(rules)
    if not math.isfinite(bounds[1] - bounds[0]):
        raise bad("until", f"{metric.name}, which has no bounds", "a metric that has")
    half *= POINT if metric.unit == SHARE else 1
    if not half < (bounds[1] - bounds[0]) / 2:
        raise bad("until", repr(text), "a half width below that of all that the metric can be")
    return Goal(metric, bounds, half)


def play_until(
    rules: Rules,
    first: str,
    second: str,
    goal: Goal,
    games: int = MOST,
    seed: int = 0,
    jobs: int = 1,
    chunk: int = CHUNK,
    keep: bool = True,
    tell: Callable[[int, int], None] = lambda done, about: None,
) -> Known:
    """Play until the goal is reached, at most `games`; with `keep` the games are handed over.

    `tell` gets the games played, and about how many it will take. Raises BadInput before the first
    game, and KeyboardInterrupt on Ctrl-C.
    """
    walk = Walk(rules, first, second, seed, games, jobs, chunk)
    sequence, reached, prefix = sequence_of(goal.bounds, ALPHA, goal.half, goal.rate), False, games
    frames: list[pl.DataFrame] = []
    with Brake() as brake:
        while not (reached or walk.over):
            with closing(walk.block(brake)) as pieces:
                for frame, counted in pieces:
                    if brake.pulled:
                        raise KeyboardInterrupt
                    frames += [frame] if keep else []
                    values = np.asarray(goal.metric.value(frame), dtype=np.float64)
                    told = np.flatnonzero(counted & ~np.isnan(values))
                    before = sequence.n
                    sequence, verdict = first_clear(sequence, values[told], goal.clear)
                    tell(walk.played, min(goal.about(sequence, walk.played), games))
                    if reached := verdict is not None:
                        prefix = int(frame["game"][int(told[sequence.n - before - 1])]) + 1
                        break
    return Known(
        goal,
        prefix,
        sequence.mean,
        sequence.interval,
        reached,
        walk.repeats(prefix),
        pl.concat(frames)[:prefix] if keep else None,
    )
