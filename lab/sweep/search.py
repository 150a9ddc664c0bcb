"""The search: a race of settings over real games.

The race decides by what it was told alone, and the ledger knows what every play came to. So a run
that was killed and resumed walks through the same race, and so do all that share a ledger.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import Any

from lab.errors import BadInput, bad
from lab.experiment import Experiment
from lab.experiment.banks import seed_of
from lab.experiment.space import Setting
from lab.stats.estimate import bonferroni
from lab.sweep.ledger import Ledger, Rows, Unit
from lab.sweep.play import (
    CONFIDENCE,
    NOTHING,
    Measures,
    estimates,
    joined,
    loss,
    measure_setting,
    measures_of,
    numbers,
    rows_of,
    rules_of,
)
from lab.sweep.race import Entry, Found, Play, Proof, Race
from lab.sweep.reuse import Reused
from lab.sweep.samplers import coordinates

BLOCKS = 8
"""Blocks of a trial that is played to the end; most settings deserve one or two."""
SMALLEST = 32
"""Games of a pairing that a block should have at least."""


@dataclass(frozen=True)
class Trial:
    """One setting tried, and what all its games came to."""

    number: int
    setting: Setting
    steps: float
    games: int
    loss: float  # of its own games
    expected: float  # loss by all games of the search, doubt included
    chance: float  # of holding in the confirmation, as the search thinks
    targets: tuple[dict[str, Any], ...]  # value, low, high, error, n, ...; the experiment's order
    measures: tuple[dict[str, Any], ...]  # rows of measures.parquet; none: refused by the rules
    error: str | None = None  # what a game of it raised: then nothing is known of it

    @property
    def judged(self) -> bool:
        """Whether games say something in every target."""
        return all(found["n"] for found in self.targets)


def search(
    experiment: Experiment,
    ledger: Ledger,
    trials: int,
    jobs: int,
    tell: Callable[[str, int, int, float], None],
    reused: Reused,
) -> list[Trial]:
    """Try as many settings, the reused ones not counted, and play the best to the end.

    Trial 0 is the baseline, then come the reused ones. `tell` gets the stage, how much of it is
    done and of how much, and the least loss expected; first before anything is played. BadInput
    when the baseline cannot be played.
    """
    table = _Table(experiment, ledger, jobs, reused)
    race = Race(
        experiment.space,
        experiment.targets,
        experiment.space.baseline(experiment.rules),
        experiment.seed,
        experiment.sampler,
        _proof(experiment),
        [(old.setting, table.blocks_in(old.measures), table.found(old.measures)) for old in reused],
    )

    def told(stage: str, done: int, total: int) -> None:
        tell(stage, done, total, min(entry.expected for entry in race.entries))

    told("search", 0, trials)
    abreast = experiment.budget.abreast
    while race.rounds < trials:
        for plays in race.round(min(abreast, trials - race.rounds)):
            table.play(race, plays)
        told("search", race.rounds, trials)
    done = 0
    for plays in race.last(experiment.budget.top, blocks_of(experiment), abreast):
        table.play(race, plays)
        done += len(plays)
        told("finalists", done, done)
    return [table.trial(entry) for entry in race.entries]


def blocks_of(experiment: Experiment) -> int:
    """Into how many blocks the games of a trial that is played to the end are cut."""
    return max(1, min(BLOCKS, min(experiment.games.values()) // SMALLEST))


def _proof(experiment: Experiment) -> Proof:
    """The confirmation that the race works for."""
    budget = experiment.budget
    confidence = bonferroni(CONFIDENCE, len(experiment.targets) * (budget.top + 1))
    longer = budget.confirm_games / budget.games
    return Proof(blocks_of(experiment) * longer, NormalDist().inv_cdf((1 + confidence) / 2))


class _Table:
    """Where the race's games are played, or looked up if the ledger has them."""

    def __init__(self, experiment: Experiment, ledger: Ledger, jobs: int, reused: Reused) -> None:
        self.experiment, self.ledger, self.jobs = experiment, ledger, jobs
        self.sources = reused.sources
        blocks = blocks_of(experiment)
        self.sizes = {pairing: math.ceil(n / blocks) for pairing, n in experiment.games.items()}
        self.heard = {number: [old.measures] for number, old in enumerate(reused, start=1)}
        self.errors: dict[int, str] = {}

    def play(self, race: Race, plays: Sequence[Play]) -> None:
        """Tell the race what each play came to in every target."""
        found = self.ledger.plays([self._unit(play) for play in plays])
        for play, rows in zip(plays, found, strict=True):
            race.tell(play, self._told(play.number, rows))

    def _told(self, number: int, rows: Rows) -> tuple[Found, ...] | None:
        """What the race hears; None where the rules refuse the setting, or where it raised."""
        if rows.error and number == 0:
            wanted = "rules whose games can be played"
            raise bad(f"{self.experiment.name}, the baseline", rows.error, wanted)
        if rows.error:
            self.errors.setdefault(number, rows.error)
            self.heard.pop(number, None)
        if not rows.measures or number in self.errors:
            return None
        measures = measures_of(rows.measures)
        self.heard.setdefault(number, []).append(measures)
        return self.found(measures)

    def found(self, measures: Measures) -> tuple[Found, ...]:
        """Every target by the games of a play."""
        targets = estimates(self.experiment, measures)
        return tuple(Found(found.value, found.error, found.n) for found in targets)

    def blocks_in(self, measures: Measures) -> int:
        """How many blocks so many games would have been."""
        games = {pairing: found.n for (pairing, _), found in measures.items()}
        return max(1, round(sum(games.values()) / sum(self.sizes.values())))

    def trial(self, entry: Entry) -> Trial:
        """A setting with all its plays as one."""
        experiment, heard = self.experiment, self.heard.get(entry.number, [])
        measures = joined(heard)
        if heard:
            found = estimates(experiment, measures)
            missed, targets = loss(experiment.targets, found), tuple(map(numbers, found))
        else:
            missed, targets = entry.expected, (NOTHING,) * len(experiment.targets)
        return Trial(
            entry.number,
            entry.setting,
            entry.steps,
            sum({pairing: found.n for (pairing, _), found in measures.items()}.values()),
            missed,
            entry.expected,
            entry.chance,
            targets,
            tuple(rows_of(measures)),
            self.errors.get(entry.number),
        )

    def _unit(self, play: Play) -> Unit:
        params, distributions = coordinates(self.experiment.space, play.setting)
        return Unit(play._asdict(), params, distributions, partial(self._rows, play))

    def _rows(self, play: Play) -> Rows:
        """Play, and tell what was measured as plain rows.

        A space may hold settings that the rules refuse, such as a start above the greatest, or that
        have no room for what a policy holds: nothing is known of them.
        """
        experiment = self.experiment
        try:
            rules = rules_of(experiment, play.setting)
        except BadInput:
            return Rows([], math.inf)
        bank = seed_of(experiment.seed, "search", *self.sources, play.round)
        first = play.block * sum(self.sizes.values())
        rows = rows_of(measure_setting(experiment, rules, bank, self.sizes, self.jobs, first))
        found = estimates(experiment, measures_of(rows))
        return Rows(rows, loss(experiment.targets, found))
