"""One number of the rules at several values, or two: the question a designer asks first.

All settings play the same seeds, so that what they share of chance cancels out of what lies between
them (common random numbers). Many settings are looked at on these games; so all intervals hold at
once, and none of the settings is recommended by them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from lab.comparison.guards import Judged
from lab.experiment import ANYWHERE, Target, metric_named
from lab.experiment.space import Setting
from lab.rules import Rules
from lab.scan.question import Contrast, Question, ask
from lab.scan.values import Values
from lab.selfplay import Games as Indices
from lab.selfplay import Progress
from lab.stats.estimate import Estimate, weighted
from lab.sweep.games import Games, contrasts, play_games, sharing
from lab.sweep.play import estimates, rules_of

NOTHING = 1e-12
"""Width of an interval that is there by rounding alone."""


class Row(NamedTuple):
    """What a setting came to in a target."""

    setting: Setting
    own: bool  # whether it is the rules' own
    target: Target
    unit: str
    value: Estimate
    apart: Estimate | None  # from the rules' own
    ratio: float  # how many times the games the pairing was worth there; NaN where none differs
    step: Estimate | None  # from the setting before, for one unit
    verdict: str | None  # holds, broken or undecided, where there is a band


class Worth(NamedTuple):
    """What one unit more of a number is worth in a target, over all settings."""

    pointer: str
    target: Target
    unit: str  # of the target
    found: Estimate


@dataclass(frozen=True)
class Scan:
    """A question and the games of its settings, by their places; a stopped one lacks some."""

    question: Question
    played: Mapping[int, Games]

    @property
    def stopped(self) -> bool:
        """Whether some settings were not played to their end."""
        return len(self.played) < len(self.question.settings)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """A row a target and setting."""
        asked, question = self.question.experiment, self.question
        apart = {place: self._between(one) for place, one in question.apart.items()}
        steps = {place: self._between(one) for place, one in question.steps.items()}
        ratios = {
            place: sharing(asked, self.played[question.baseline], games)
            for place, games in self.played.items()
            if place in apart
        }
        return tuple(
            Row(
                question.settings[place],
                place == question.baseline,
                target,
                self.unit(target),
                self._values[place][index],
                apart[place][index] if apart.get(place) else None,
                ratios[place][index] if place in ratios else float("nan"),
                steps[place][index] if steps.get(place) else None,
                self._verdict(target, self._values[place][index]),
            )
            for index, target in enumerate(asked.targets)
            for place in sorted(self.played)
        )

    @cached_property
    def worths(self) -> tuple[Worth, ...]:
        """For every number and target; of a stopped scan none."""
        found = {p: self._between(one) for p, one in self.question.slopes.items()}
        return tuple(
            Worth(pointer, target, self.unit(target), each[index])
            for index, target in enumerate(self.question.experiment.targets)
            for pointer, each in found.items()
            if each
        )

    def unit(self, target: Target) -> str:
        """What a target is measured in."""
        return metric_named(self.question.experiment.game, target.metric).unit

    @cached_property
    def _values(self) -> dict[int, list[Estimate]]:
        asked = self.question.experiment
        return {place: estimates(asked, games.measures) for place, games in self.played.items()}

    def _between(self, one: Contrast) -> list[Estimate]:
        """A contrast in every target; nothing where one of its settings was not played."""
        if not all(place in self.played for place in one.places):
            return []
        asked, confidence = self.question.experiment, self.question.confidence
        found = contrasts(asked, [self.played[p] for p in one.places], one.weights, confidence)
        for index, e in enumerate(found):
            if e.high - e.low < NOTHING:  # other games may yet part where none of these did
                sides = [self._values[place][index] for place in one.places]
                value, low, high = weighted(sides, one.weights)
                found[index] = replace(e, value=value, low=low, high=high)
        return found

    def _verdict(self, target: Target, e: Estimate) -> str | None:
        if target.band == ANYWHERE:
            return None
        found = e.value, e.low, e.high, e.n
        return Judged(target.name, self.unit(target), False, target.band, *found).verdict

    def frame(self) -> pl.DataFrame:
        """One row a target and setting.

        Columns: one a pointer, own (whether it is the rules' own setting), target, matchup, unit,
        value, low, high, n; difference, difference_low, difference_high (from the rules' own) and
        variance_ratio; per_unit, per_unit_low, per_unit_high (from the setting before, of one
        number); verdict (holds, broken, undecided; null without a band); distinct, clusters.
        """
        rows = [_plain(row) for row in self.rows]
        pointers: dict[str, Any] = {one.pointer: None for one in self.question.dimensions}
        schema = pointers | SCHEMA
        return pl.DataFrame(rows, schema=schema, infer_schema_length=None)


SCHEMA = {
    "own": pl.Boolean,
    "target": pl.String,
    "matchup": pl.String,
    "unit": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "difference": pl.Float64,
    "difference_low": pl.Float64,
    "difference_high": pl.Float64,
    "variance_ratio": pl.Float64,
    "per_unit": pl.Float64,
    "per_unit_low": pl.Float64,
    "per_unit_high": pl.Float64,
    "verdict": pl.String,
    "distinct": pl.Int64,
    "clusters": pl.Int64,
}


def _plain(row: Row) -> dict[str, Any]:
    """A row as a table has it."""
    e = row.value
    return {
        **row.setting,
        "own": row.own,
        "target": row.target.name,
        "matchup": row.target.matchup,
        "unit": row.unit,
        **ends(e),
        "n": e.n,
        **_named("difference", row.apart),
        "variance_ratio": None if math.isnan(row.ratio) else row.ratio,
        **_named("per_unit", row.step),
        "verdict": row.verdict,
        "distinct": e.distinct,
        "clusters": e.clusters,
    }


def ends(e: Estimate) -> dict[str, float | None]:
    """Value and interval; what is not known is None."""
    found = {"value": e.value, "low": e.low, "high": e.high}
    return {name: x if math.isfinite(x) else None for name, x in found.items()}


def _named(name: str, e: Estimate | None) -> dict[str, float | None]:
    if e is None:
        return {}
    value, low, high = ends(e).values()
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def play(
    question: Question,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
) -> Scan:
    """Play all settings, the rules' own first; `progress` counts games.

    Ctrl-C leaves out what was not played to its end; KeyboardInterrupt where that is everything.
    """
    played: dict[int, Games] = {}
    places = sorted(range(len(question.settings)), key=lambda place: place != question.baseline)
    each = sum(question.games.values())
    try:
        for done, place in enumerate(places):

            def tell(some: int, _: int, before: int = done * each) -> None:
                progress(before + some, each * len(places))

            played[place] = play_games(
                question.experiment,
                rules_of(question.experiment, question.settings[place]),
                question.bank,
                question.games,
                jobs,
                question.first,
                question.confidence,
                tell,
            )
    except KeyboardInterrupt:
        if not played:
            raise
    return Scan(question, played)


def vary(
    rules: Rules | None,
    pointers: Mapping[str, Values],
    first: str | None = None,
    second: str | None = None,
    skills: Sequence[str] = (),
    metrics: Sequence[str] = (),
    experiment: Path | str | None = None,
    games: Indices | None = None,
    seed: int | None = None,
    jobs: int = 1,
) -> pl.DataFrame:
    """One number of the rules at several values, or two: `{"/start/resources/1": "3..7"}`.

    Values are a text as `lab vary` takes it (`a..b[:step]`, `x,y,z`) or a sequence. What else may
    be asked: `lab.scan.question.ask`; what comes back, a row a target and setting: `Scan.frame`.
    Raises BadInput before the first game, KeyboardInterrupt on Ctrl-C.
    """
    question = ask(rules, pointers, first, second, skills, metrics, experiment, games, seed)
    found = play(question, jobs)
    if found.stopped:
        raise KeyboardInterrupt
    return found.frame()
