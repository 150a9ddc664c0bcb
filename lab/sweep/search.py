"""The search: Optuna suggests settings, their games give a loss, a journal keeps what is finished.

One process asks on a study in memory whose sampler is made anew for every trial from (seed,
number); only finished trials reach the journal. So a run that was killed and resumed suggests what
the uninterrupted one would have.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import optuna
from optuna.storages.journal import BaseJournalBackend
from optuna.trial import BaseTrial, FixedTrial, FrozenTrial, TrialState

from lab.errors import BadInput, bad
from lab.experiment import Experiment
from lab.experiment.banks import seed_of
from lab.experiment.space import Dimension, Setting, Space
from lab.sweep.lines import JsonLines
from lab.sweep.play import NOTHING, UNKNOWN, loss, numbers, play_setting, rules_of

ROUND = 20
"""Trials that share a bank of seeds; the next round gets another, lest the search learn the seeds
(Cawley and Talbot 2010's overfitting in selection; rotation as in arXiv 2405.15393)."""
NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for clock times in the journal: the same run, the same bytes."""


@dataclass(frozen=True)
class Trial:
    """One finished trial, as the journal keeps it."""

    number: int
    setting: Setting
    loss: float
    targets: tuple[dict[str, Any], ...]  # value, low, high, n, distinct; in the experiment's order
    measures: tuple[dict[str, Any], ...]  # rows of measures.parquet; none: refused by the rules


class Lines(JsonLines, BaseJournalBackend):
    """Optuna's journal as JSON lines. Who wrote a line is left out of the file."""

    def read_logs(self, log_number_from: int) -> Iterator[dict[str, Any]]:
        return iter(self.entries[log_number_from:])

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        self.entries += logs
        self.write(log | {"worker_id": ""} for log in logs)


def open_journal(path: Path) -> optuna.Study:
    """The study of finished trials in a journal file, made if need be."""
    # Links narrow a range from trial to trial, of which the sampler would warn every time.
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
        raise bad(str(path), "something else", "a journal of finished trials") from None
    return study


def search(
    experiment: Experiment,
    journal: optuna.Study,
    trials: int,
    jobs: int,
    tell: Callable[[int, float], None],
) -> list[Trial]:
    """Play trials until that many are finished; trial 0 is the baseline.

    `tell` gets how many are finished and the best loss, first before anything is played.
    """
    finished = journal.get_trials(deepcopy=False)
    memory = optuna.create_study()
    memory.add_trials([trial for trial in finished if trial.params])
    found = [_read(trial) for trial in finished]
    tell(len(found), _best(found))
    while len(found) < trials:
        if found:
            memory.sampler = _sampler(experiment, len(found))
            asked = memory.ask()
            frozen = _play(experiment, len(found), suggest(asked, experiment.space), asked, jobs)
            memory.tell(asked, frozen.value)
        else:
            frozen = _play(experiment, 0, *_start(experiment), jobs)
            memory.add_trials([frozen] if frozen.params else [])
        journal.add_trial(frozen)
        found.append(_read(frozen))
        tell(len(found), _best(found))
    return found


def _best(trials: list[Trial]) -> float:
    return min((trial.loss for trial in trials), default=math.inf)


def _start(experiment: Experiment) -> tuple[Setting, BaseTrial]:
    """The baseline; outside of the space it has nothing to teach the sampler."""
    setting = experiment.space.baseline(experiment.rules)
    asked = FixedTrial(setting)
    if experiment.space.holds(setting):
        suggest(asked, experiment.space)
        return setting, asked
    return setting, FixedTrial({})


def _sampler(experiment: Experiment, number: int) -> optuna.samplers.BaseSampler:
    seed = seed_of(experiment.seed, "sampler", number) % 2**32
    if experiment.sampler == "random":
        return optuna.samplers.RandomSampler(seed=seed)
    return optuna.samplers.TPESampler(seed=seed)


def suggest(trial: BaseTrial, space: Space) -> Setting:
    """A setting of the space, drawn dimension by dimension inside what the links leave open."""
    chosen: Setting = {}
    for dimension in space.dimensions:
        chosen[dimension.pointer] = _draw(trial, dimension, space.open(dimension, chosen))
    return space.whole(chosen)


def _draw(trial: BaseTrial, dimension: Dimension, values: tuple[Any, ...]) -> Any:
    pointer, step = dimension.pointer, dimension.step
    if step is None:
        return trial.suggest_categorical(pointer, values)
    if isinstance(values[0], int):
        return trial.suggest_int(pointer, values[0], values[-1], step=int(step))
    near = trial.suggest_float(pointer, values[0], values[-1], step=step)
    return min(values, key=lambda value: abs(value - near))


def _play(
    experiment: Experiment, number: int, setting: Setting, asked: BaseTrial, jobs: int
) -> FrozenTrial:
    """Play a setting in the round's bank of seeds.

    A space may hold settings that the rules refuse, such as a start above the greatest, or that
    have no room for what a policy holds: nothing is known of them, so that the sampler learns to
    keep away.
    """
    try:
        rules = rules_of(experiment, setting)
    except BadInput:
        targets, measures = [NOTHING] * len(experiment.targets), []
        missed = sum(target.weight * UNKNOWN for target in experiment.targets)
    else:
        bank = seed_of(experiment.seed, "search", number // ROUND)
        played = play_setting(experiment, rules, bank, experiment.games, jobs)
        missed = loss(experiment.targets, played.targets)
        targets = [numbers(found) for found in played.targets]
        measures = [
            {"matchup": pairing.label, "metric": name} | numbers(found)
            for (pairing, name), found in played.measures.items()
        ]
    return FrozenTrial(
        number=number,
        trial_id=number,
        state=TrialState.COMPLETE,
        value=missed,
        datetime_start=NO_TIME,
        datetime_complete=NO_TIME,
        params=dict(asked.params),
        distributions=dict(asked.distributions),
        user_attrs={"setting": setting, "targets": targets, "measures": measures},
        system_attrs={},
        intermediate_values={},
    )


def _read(trial: FrozenTrial) -> Trial:
    return Trial(
        trial.number,
        trial.user_attrs["setting"],
        float(trial.value or 0),
        tuple(trial.user_attrs["targets"]),
        tuple(trial.user_attrs["measures"]),
    )
