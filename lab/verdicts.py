"""Verdicts on an experiment's targets: games are played until each is known, and no longer.

What may be believed of them is said in `lab.stats.sequential`. Here targets become series of
independent values. A target over one pairing has one value a game, in index order. One over several
pairings is a weighted mean of theirs: the k-th value of every pairing makes the k-th value of the
target, so that a pairing counts by its weight however often its games say nothing (NaN). Pairings
have seeds of their own, hence such values are independent even where their games are not of the
same index. Errors are shared by all targets (Bonferroni), those at an experiment's skills included.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from lab.brake import Brake
from lab.errors import bad
from lab.experiment import Experiment, Pairing, Part, Target, load_experiment, metric_named
from lab.experiment.banks import seed_of
from lab.game import Metric
from lab.metrics import FIRST_SCORE, SHARE
from lab.report.words import amount, band
from lab.rules import Rules
from lab.selfplay import CHUNK
from lab.stats.estimate import RATE, Array, Bounds
from lab.stats.multiple import split
from lab.stats.sequential import BUDGET, Verdict, within
from lab.stats.study import Study, study
from lab.walk import Walk

ALPHA, POWER = 0.05, 0.9
"""How often one target passes by mistake, at most, and how often all fair ones are seen to be."""
NEAR = 0.02
"""How far inside of an edge a share has to lie to pass as a rule: two points."""
TWENTIETH = 0.05
"""The same of any other mean, as a part of the band."""


@dataclass
class Series:
    """A part's values that wait for those of other parts, and the index of each one's game."""

    part: Part
    share: float
    values: Array = field(default_factory=lambda: np.empty(0))
    games: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    used: int = 0  # games up to the last one whose value counted

    def put(self, values: Array, games: Array, bounds: Bounds) -> None:
        """Values (k,) of games in index order; NaN says nothing."""
        x = within(values, bounds)
        self.values = np.concatenate([self.values, 1 - x if self.part.seat else x])
        self.games = np.concatenate([self.games, games[~np.isnan(values)]])

    def drop(self, count: int) -> None:
        """Leave the first values behind: they have counted."""
        self.used = int(self.games[count - 1]) + 1
        self.values, self.games = self.values[count:], self.games[count:]


@dataclass
class Watched:
    """A target, what its games say so far, and why there is no verdict where there is none."""

    target: Target
    metric: Metric
    study: Study
    series: list[Series]
    repeats: tuple[int, int] | None = None  # distinct histories of so many games
    over: bool = False

    @property
    def open(self) -> bool:
        """Whether more games are wanted."""
        return not self.over and self.study.verdict is None

    @property
    def verdict(self) -> Verdict | None:
        """None as long as games are wanted."""
        if self.repeats or (self.over and self.study.verdict is None):
            return "UNDECIDED"
        return self.study.verdict

    @property
    def pairings(self) -> list[Pairing]:
        return list(dict.fromkeys(one.part.pairing for one in self.series))

    def games(self, walks: Mapping[Pairing, Walk]) -> int:
        """How many games it took, of all its pairings together."""
        if self.study.verdict is None:
            return sum(walks[pairing].played for pairing in self.pairings)
        return sum({one.part.pairing: one.used for one in self.series}.values())

    def feed(self) -> None:
        """Hand to the study what every part has a value for."""
        ready = min(one.values.size for one in self.series)
        if not ready or not self.open:
            return
        value = sum(one.share * one.values[:ready] for one in self.series)
        before = self.study.n
        self.study = self.study.add(np.clip(value, *self.study.bounds))  # shares are rounded
        for one in self.series:
            one.drop(self.study.n - before)


class Slope(NamedTuple):
    """What a step from one skill to the next does to a metric: value, and low and high of it."""

    name: str
    unit: str
    skills: tuple[str, ...]
    value: float
    low: float
    high: float


@dataclass
class Verification:
    """All targets of an experiment under rules, while games are played for them.

    Raises BadInput before the first game. `games` bounds each pairing's.
    """

    rules: Rules
    experiment: Experiment
    games: int = BUDGET
    seed: int | None = None
    jobs: int = 1
    chunk: int = CHUNK
    strict: bool = False
    stopped: bool = False

    def __post_init__(self) -> None:
        """Resolve every target, and refuse what cannot be told."""
        _check(self.experiment, self.rules)
        own = seed_of(self.experiment.seed, "verify")
        self.bank = own if self.seed is None else self.seed
        targets = self.experiment.targets
        alpha, risk = split(ALPHA, len(targets)), split(1 - POWER, len(targets))
        self.alpha, self.power = alpha, 1 - risk
        self.targets = [self._watched(target) for target in targets]
        pairings = dict.fromkeys(p for watched in self.targets for p in watched.pairings)
        self.walks = {pairing: self._walk(pairing) for pairing in pairings}

    def play(self, tell: Callable[[], None] = lambda: None) -> None:
        """Play until every target has its verdict; Ctrl-C ends it with `stopped`.

        `tell` is called after every piece of games.
        """
        with Brake() as brake:
            while wanted := [w for pairing, w in self.walks.items() if self._wants(pairing)]:
                for walk in wanted:
                    self._block(walk, brake, tell)
                    if brake.pulled:
                        self.stopped = True
                        return

    @property
    def verdict(self) -> Verdict:
        """FAIL if any target fails, PASS if all pass."""
        found = {watched.verdict for watched in self.targets}
        return "FAIL" if "FAIL" in found else "PASS" if found == {"PASS"} else "UNDECIDED"

    @property
    def played(self) -> int:
        """Games so far, of all pairings."""
        return sum(walk.played for walk in self.walks.values())

    @property
    def most(self) -> int:
        """Games if no target that is open were decided before the last one."""
        rest = sum(w.most - w.played for pair, w in self.walks.items() if self._wants(pair))
        return self.played + rest

    def slopes(self) -> Iterator[Slope]:
        """Least squares over the skills' places, one slope a target that is held at each of them.

        The interval is what the sequences leave: it holds whenever one looks, with all of them.
        """
        named = {watched.target.name: watched for watched in self.targets}
        skills = self.experiment.skills
        if len(skills) < 2:
            return
        place = np.arange(len(skills)) - (len(skills) - 1) / 2
        pull = place / (place @ place)
        for name, base in named.items():
            found = [named.get(f"{name} at {skill}") for skill in skills]
            each = [watched.study.sequence for watched in found if watched]
            if len(each) < len(skills):
                continue
            low, high = np.transpose([sequence.interval for sequence in each])
            least = pull @ np.where(pull > 0, low, high)
            most = pull @ np.where(pull > 0, high, low)
            value = pull @ [sequence.mean for sequence in each]
            yield Slope(name, base.metric.unit, skills, float(value), float(least), float(most))

    def _watched(self, target: Target) -> Watched:
        metric = metric_named(self.experiment.game, target.metric)
        where = f"experiment {self.experiment.name}, target {target.name!r}"
        bounds = metric.bounds(self.rules)
        wanted = _band(target, metric, bounds, where)
        one = len({part.pairing for part in target.parts}) == 1 and bounds == RATE
        found = study(
            wanted,
            bounds,
            self.alpha,
            self.power,
            NEAR if metric.unit == SHARE else TWENTIETH * (wanted[1] - wanted[0]),
            wins=one and metric is not FIRST_SCORE,  # draws make a score no rate of wins
            one=one,
            strict=self.strict,
        )
        total = sum(part.weight for part in target.parts)
        series = [Series(part, part.weight / total) for part in target.parts]
        return Watched(target, metric, found, series)

    def _walk(self, pairing: Pairing) -> Walk:
        seed = seed_of(self.bank, *pairing)
        return Walk(self.rules, *pairing, seed, self.games, self.jobs, self.chunk)

    def _wants(self, pairing: Pairing) -> bool:
        return any(watched.open and pairing in watched.pairings for watched in self.targets)

    def _block(self, walk: Walk, brake: Brake, tell: Callable[[], None]) -> None:
        """Play a block of a pairing's games, as long as a target wants them."""
        pairing = Pairing(walk.first, walk.second)
        readers = [watched for watched in self.targets if pairing in watched.pairings]
        with closing(walk.block(brake)) as pieces:
            for frame, counted in pieces:
                games = frame["game"].to_numpy()[counted]
                for watched in filter(lambda watched: watched.open, readers):
                    values = np.asarray(watched.metric.value(frame), dtype=np.float64)
                    for one in watched.series:
                        if one.part.pairing == pairing:
                            one.put(values[counted], games, watched.study.bounds)
                    watched.feed()
                    self._close(watched)
                tell()
                if not self._wants(pairing):
                    return

    def _close(self, watched: Watched) -> None:
        """What a verdict found by the test is worth, and whether the games are at their end."""
        if watched.study.verdict is None:
            watched.over = all(self.walks[pairing].over for pairing in watched.pairings)
            return
        used = {one.part.pairing: one.used for one in watched.series}
        for pairing, games in used.items():
            distinct = self.walks[pairing].repeats(games)
            if distinct is not None:
                watched.repeats = distinct, games
                return


def verify(
    rules: Rules | None,
    experiment: Experiment | Path | str,
    games: int = BUDGET,
    seed: int | None = None,
    jobs: int = 1,
    chunk: int = CHUNK,
    strict: bool = False,
) -> pl.DataFrame:
    """PASS, FAIL or UNDECIDED for every target, as `lab verify` finds it: one row a target.

    `rules` are the experiment's own where None. Columns: name, metric, unit, matchup, verdict,
    means (the sentence), games, value, low, high (sequence), band_low, band_high, alpha.
    Raises BadInput before the first game, KeyboardInterrupt on Ctrl-C.
    """
    if not isinstance(experiment, Experiment):
        experiment = load_experiment(experiment)
    run = Verification(rules or experiment.rules, experiment, games, seed, jobs, chunk, strict)
    run.play()
    if run.stopped:
        raise KeyboardInterrupt
    return pl.DataFrame([row(run, watched) for watched in run.targets])


# --- what a target has to be --------------------------------------------------------------------


def _check(experiment: Experiment, rules: Rules) -> None:
    if experiment.compared or experiment.claims:
        kind = "a comparison" if experiment.compared else "claims"
        raise bad(f"experiment {experiment.name}", kind, "an experiment with targets")
    if experiment.game.name != rules.game:
        raise bad(
            f"experiment {experiment.name} /game", repr(experiment.game.name), repr(rules.game)
        )


def _band(target: Target, metric: Metric, bounds: Bounds, where: str) -> Bounds:
    """The band, within the bounds that the rules set. BadInput where there is nothing to tell."""
    low, high = target.band
    least, most = bounds
    if not (math.isfinite(least) and math.isfinite(most)):
        hint = "" if metric.name.isidentifier() else f", such as min({metric.name}, 100)"
        expected = f"a metric that has{hint}: no verdict"
        raise bad(where, f"{metric.name}, which has no bounds", expected)
    text = f"a band of {low:g} to {high:g}"
    if metric.unit == SHARE and not 0 <= low < high <= 1:
        raise bad(where, text, "one within 0 to 1")
    inside = max(low, least), min(high, most)
    if inside == bounds or inside[0] >= inside[1]:
        raise bad(where, text, f"one that some means from {least:g} to {most:g} lie in, not all")
    return inside


# --- what is found, in words and as plain data --------------------------------------------------


def row(run: Verification, watched: Watched) -> dict[str, Any]:
    """A target's verdict and figures as plain data, without rounding."""
    low, high = watched.study.sequence.interval
    return {
        "name": watched.target.name,
        "metric": watched.target.metric,
        "unit": watched.metric.unit,
        "matchup": watched.target.matchup,
        "verdict": watched.verdict,
        "means": meaning(run, watched),
        "games": watched.games(run.walks),
        "value": watched.study.sequence.mean,
        "low": low,
        "high": high,
        "band_low": watched.target.band[0],
        "band_high": watched.target.band[1],
        "alpha": run.alpha,
    }


def meaning(run: Verification, watched: Watched) -> str:
    """What a verdict says, in one sentence."""
    unit = watched.metric.unit
    wanted, alpha = band(*watched.study.band, unit), _percent(run.alpha)
    outside = wanted.replace("at most", "above").replace("at least", "below")
    outside = outside if outside != wanted else f"outside {wanted}"
    if watched.repeats:
        distinct, games = watched.repeats
        return (
            f"games repeat themselves ({distinct:,} distinct of {games:,}), and copies of a game"
            " count once: too few for a verdict"
        )
    if watched.verdict == "PASS":
        return f"were the truth {outside}, this would be said in at most {alpha} of studies"
    if watched.verdict == "FAIL" and run.strict:
        return f"were the truth {wanted}, this would be said in at most {alpha} of studies"
    if watched.verdict == "FAIL":
        meant, risk = _told(watched.study.aims, unit), _percent(1 - run.power)
        low, high = watched.target.band
        near = low <= watched.study.sequence.mean <= high
        hint = "; so near an edge only a strict verdict can tell" if near else ""
        return f"were the truth {meant}, this would be said in at most {risk} of studies{hint}"
    if not watched.over:
        return "stopped before the games told"
    if not watched.study.n:
        return "no game says anything about it"
    values = "" if watched.study.n == run.games else f", {watched.study.n:,} values of it,"
    return f"{run.games:,} games a pairing{values} do not tell"


def _told(ends: Bounds, unit: str) -> str:
    """Some means in words."""
    return amount(ends[0], unit) if ends[0] == ends[1] else band(*ends, unit)


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"
