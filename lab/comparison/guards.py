"""Guards: what the second of two rule sets has to keep to, and whether its games say that it does.

A guard speaks of one metric of b, `draw<=5%`, or of how far it lies above a's,
`length:difference>=-2`. The targets of an experiment are guards too: its matchups, played by b.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lab.catalog import load_game
from lab.comparison import CONFIDENCE, Compared, Comparison, Progress
from lab.errors import bad
from lab.experiment import Experiment, load_experiment, metric_named
from lab.experiment.banks import seed_of
from lab.game import Metric
from lab.metrics import SHARE, metrics_of, pair_bounds
from lab.rules import Rules
from lab.stats.estimate import Bounds, bonferroni, wilson
from lab.sweep.play import play_setting
from lab.tomlfile import blaming

HOLDS, BROKEN, UNDECIDED = "holds", "broken", "undecided"
FORM = r"\s*(\w+)(:difference)?\s*(<=|>=)\s*([-+]?[0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?)\s*(%?)\s*"
EXPECTED = "METRIC<=X or METRIC>=X, such as draw<=5% or length:difference>=-2"


@dataclass(frozen=True)
class Guard:
    """Where a metric of b, or its difference from a's, has to lie; ends included."""

    text: str
    metric: Metric
    apart: bool  # of the difference
    bounds: Bounds  # of what it speaks of, in any game
    band: Bounds


class Judged(NamedTuple):
    """A guard or a target, what the games say of it, and what follows."""

    name: str
    unit: str
    apart: bool
    band: Bounds
    value: float
    low: float
    high: float
    n: int

    @property
    def verdict(self) -> str:
        """Whether the whole interval lies inside of the band, or outside."""
        if not self.n:
            return UNDECIDED
        if self.high < self.band[0] or self.low > self.band[1]:
            return BROKEN
        return HOLDS if self.band[0] <= self.low and self.high <= self.band[1] else UNDECIDED


def read_guards(texts: Sequence[str], a: Rules, b: Rules) -> list[Guard]:
    """Guards as a person writes them; BadInput for one that cannot be read, kept or broken."""
    guards = [_guard(text, a, b) for text in texts]
    for place, guard in enumerate(guards):
        for other in guards[:place]:
            if (guard.metric.name, guard.apart) != (other.metric.name, other.apart):
                continue
            if guard.band[0] > other.band[1] or guard.band[1] < other.band[0]:
                raise bad("--guard", f"{other.text} and {guard.text}", "guards that can both hold")
    return guards


def _guard(text: str, a: Rules, b: Rules) -> Guard:
    match = re.fullmatch(FORM, text)
    if match is None:
        raise bad("--guard", repr(text), EXPECTED)
    name, apart, sign, number, percent = match.groups()
    known = metrics_of(load_game(b.game))
    if name not in known:
        raise bad("--guard", repr(name), f"one of {', '.join(known)}", name, known)
    metric = known[name]
    if percent and metric.unit != SHARE:
        raise bad("--guard", repr(text), f"{metric.unit}, not a share")
    bound = float(number) / (100 if percent else 1)
    low, high = metric.bounds(b)
    if apart:
        low, high = pair_bounds(metric, (a, b))
        low, high = low - high, high - low
    if not low <= bound <= high:
        hint = ", or a percentage" if metric.unit == SHARE else f" {metric.unit}"
        raise bad("--guard", repr(text), f"a bound from {low:g} to {high:g}{hint}")
    band = (-math.inf, bound) if sign == "<=" else (bound, math.inf)
    return Guard(text.strip(), metric, bool(apart), (low, high), band)


def read_targets(path: Path | str, b: Rules) -> Experiment:
    """An experiment whose targets b can be held against; BadInput names what stands against it.

    Its own rules, with its overrides, do not count: b is judged as it is.
    """
    experiment = load_experiment(path)
    if experiment.game.name != b.game:
        raise bad(f"{path} /game", repr(experiment.game.name), repr(b.game))
    if experiment.compared or experiment.claims:
        kind = "a comparison" if experiment.compared else "claims"
        raise bad(str(path), kind, "an experiment with targets")
    for pairing in experiment.games:
        with blaming(f"{path} by {b.version}"):
            experiment.game.policy_rows(*pairing, b)
    return experiment


def judge(
    played: Comparison,
    guards: Sequence[Guard] = (),
    experiment: Experiment | None = None,
    jobs: int = 1,
    progress: Progress = lambda done, total, stage: None,
) -> list[Judged]:
    """Every guard, then every target, with intervals that all hold at once (`shared`).

    Each pairing of the experiment plays as many games as the comparison did, by b, on its own bank.
    """
    confidence = shared(guards, experiment)
    rows = played.measured([guard.metric for guard in guards], confidence)
    pairs = zip(guards, rows, strict=True)
    found = [_judged(guard, row, played.same, confidence) for guard, row in pairs]
    if experiment is None:
        return found
    bank, games = seed_of(played.seed, "targets"), played.played[1].height

    def tell(done: int, total: int) -> None:
        progress(done, total, "targets")

    each = dict.fromkeys(experiment.games, games)
    by_b = play_setting(experiment, played.b, bank, each, jobs, confidence, tell)
    for target, e in zip(experiment.targets, by_b.targets, strict=True):
        name = f"{target.name}, {target.matchup}"
        unit = metric_named(experiment.game, target.metric).unit
        found.append(Judged(name, unit, False, target.band, e.value, e.low, e.high, e.n))
    return found


def _judged(guard: Guard, row: Compared, same: bool, confidence: float) -> Judged:
    value, low, high = row[3:6] if guard.apart else (row.b.value, row.b.low, row.b.high)
    n = row.n if guard.apart else row.b.n
    if low == high and not (guard.apart and same):
        # All games say the same. Of the others there are at most as many as Wilson's limit of 0 in
        # n has it, and they say what a game can say at all.
        rest = wilson(0, row.b.clusters, confidence)[1]
        low -= rest * (value - guard.bounds[0])
        high += rest * (guard.bounds[1] - value)
    return Judged(guard.text, row.metric.unit, guard.apart, guard.band, value, low, high, n)


def shared(guards: Sequence[Guard], experiment: Experiment | None) -> float:
    """The confidence of each interval, so that all hold at once with 95 % (Bonferroni)."""
    count = len(guards) + (len(experiment.targets) if experiment else 0)
    return bonferroni(CONFIDENCE, max(count, 1))
