"""The search: a race of settings over real games, and the journal that keeps what was played.

The race decides by what it was told alone, and the journal keeps what every play came to. So a run
that was killed and resumed walks through the same race, reads what it has played before, and plays
on from there.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import NormalDist
from typing import Any

import optuna
from optuna.storages.journal import BaseJournalBackend
from optuna.trial import FrozenTrial, TrialState

from lab.errors import BadInput, bad
from lab.experiment import Experiment
from lab.experiment.banks import seed_of
from lab.experiment.space import Setting
from lab.stats.estimate import bonferroni
from lab.sweep.lines import JsonLines
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
from lab.sweep.samplers import key_of

BLOCKS = 8
"""Blocks of a trial that is played to the end; most settings deserve one or two."""
SMALLEST = 32
"""Games of a pairing that a block should have at least."""
NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for clock times in the journal: the same run, the same bytes."""


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

    @property
    def judged(self) -> bool:
        """Whether games say something in every target."""
        return all(found["n"] for found in self.targets)


class Lines(JsonLines, BaseJournalBackend):
    """Optuna's journal as JSON lines. Who wrote a line is left out of the file."""

    def read_logs(self, log_number_from: int) -> Iterator[dict[str, Any]]:
        return iter(self.entries[log_number_from:])

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        self.entries += logs
        self.write(log | {"worker_id": ""} for log in logs)


def open_journal(path: Path) -> optuna.Study:
    """The study of finished plays in a journal file, made if need be."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    lines = Lines(path)
    try:
        storage = optuna.storages.JournalStorage(lines)
        # `load_if_exists` would write the study's line once more at every opening.
        open_study = optuna.load_study if lines.entries else optuna.create_study
        study = open_study(storage=storage, study_name="sweep")
        for trial in study.get_trials(deepcopy=False):
            _read(trial)
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        AssertionError,
        optuna.exceptions.OptunaError,
    ):
        raise bad(str(path), "something else", "a journal of finished plays") from None
    return study


def search(
    experiment: Experiment,
    journal: optuna.Study,
    trials: int,
    jobs: int,
    tell: Callable[[str, int, int, float], None],
    reused: Reused,
) -> list[Trial]:
    """Try as many settings, the reused ones not counted, and play the best to the end.

    Trial 0 is the baseline, then come the reused ones. `tell` gets the stage, how much of it is
    done and of how much, and the least loss expected; first before anything is played.
    """
    table = _Table(experiment, journal, jobs, reused)
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
    while race.rounds < trials:
        for play in race.round():
            race.tell(play, table.play(play))
        told("search", race.rounds, trials)
    full = blocks_of(experiment)
    for done, play in enumerate(race.last(experiment.budget.top, full), start=1):
        race.tell(play, table.play(play))
        told("finalists", done, done)
    return [table.trial(entry) for entry in race.entries]


def kept(journal: optuna.Study) -> int:
    """How many settings the journal knows."""
    return len({trial.user_attrs["number"] for trial in journal.get_trials(deepcopy=False)})


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
    """Where the race's games are played, or looked up if the journal has them."""

    def __init__(
        self, experiment: Experiment, journal: optuna.Study, jobs: int, reused: Reused
    ) -> None:
        self.experiment, self.journal, self.jobs = experiment, journal, jobs
        self.sources = reused.sources
        blocks = blocks_of(experiment)
        self.sizes = {pairing: math.ceil(n / blocks) for pairing, n in experiment.games.items()}
        self.heard = {number: [old.measures] for number, old in enumerate(reused, start=1)}
        self.known = dict(map(_read, journal.get_trials(deepcopy=False)))

    def play(self, play: Play) -> tuple[Found, ...] | None:
        """What a play comes to in every target; None where the rules refuse the setting."""
        if _key(play) not in self.known:
            self._keep(play, self._rows(play))
        rows = self.known[_key(play)]
        if not rows:
            return None
        measures = measures_of(rows)
        self.heard.setdefault(play.number, []).append(measures)
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
        )

    def _rows(self, play: Play) -> list[dict[str, Any]]:
        """Play, and tell what was measured as plain rows.

        A space may hold settings that the rules refuse, such as a start above the greatest, or that
        have no room for what a policy holds: nothing is known of them.
        """
        experiment = self.experiment
        try:
            rules = rules_of(experiment, play.setting)
        except BadInput:
            return []
        bank = seed_of(experiment.seed, "search", *self.sources, play.round)
        first = play.block * sum(self.sizes.values())
        return rows_of(measure_setting(experiment, rules, bank, self.sizes, self.jobs, first))

    def _keep(self, play: Play, rows: list[dict[str, Any]]) -> None:
        number = len(self.known)
        self.known[_key(play)] = rows
        found = estimates(self.experiment, measures_of(rows)) if rows else []
        self.journal.add_trial(
            FrozenTrial(
                number=number,
                trial_id=number,
                state=TrialState.COMPLETE,
                value=loss(self.experiment.targets, found) if found else math.inf,
                datetime_start=NO_TIME,
                datetime_complete=NO_TIME,
                params={},
                distributions={},
                user_attrs=play._asdict() | {"measures": rows},
                system_attrs={},
                intermediate_values={},
            )
        )


_Key = tuple[int, str, int, int]


def _key(play: Play) -> _Key:
    return (play.number, key_of(play.setting), play.round, play.block)


def _read(trial: FrozenTrial) -> tuple[_Key, list[dict[str, Any]]]:
    told = trial.user_attrs
    play = Play(told["number"], told["setting"], told["round"], told["block"])
    measures_of(told["measures"])
    return _key(play), told["measures"]
