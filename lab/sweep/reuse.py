"""Warm start: what an earlier run learnt of settings that lie in this one's space too.

A setting fits if it makes the very same rules: then its games are games of this study, whatever
range, target or budget the earlier one had. Only games of its search are taken, never those of a
confirmation.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from lab.errors import BadInput, bad
from lab.experiment import Experiment
from lab.experiment.space import Setting
from lab.rules import Rules
from lab.sweep.play import Measures, asked, measures_of
from lab.sweep.samplers import key_of

if TYPE_CHECKING:
    from lab.sweep.run import Run


class Old(NamedTuple):
    """A setting and what another run's games came to."""

    setting: Setting
    rows: list[dict[str, Any]]

    @property
    def measures(self) -> Measures:
        return measures_of(self.rows)


@dataclass(frozen=True)
class Reused:
    """Settings that other runs tried."""

    trials: tuple[Old, ...] = ()

    def __iter__(self) -> Iterator[Old]:
        return iter(self.trials)

    @property
    def sources(self) -> tuple[str, ...]:
        """What they are, in 16 hex digits: other knowledge, other seeds."""
        if not self.trials:
            return ()
        return (blake2b(self.json().encode(), digest_size=8).hexdigest(),)

    def json(self) -> str:
        """The text of reused.json."""
        return json.dumps([old._asdict() for old in self.trials], indent=1, sort_keys=True) + "\n"

    @classmethod
    def of(cls, text: str) -> "Reused":
        return cls(tuple(Old(**entry) for entry in json.loads(text)))


NEW = Reused()
"""Nothing taken over."""


def gather(experiment: Experiment, runs: Sequence["Run"]) -> Reused:
    """What the finished runs tried that lies in this space; BadInput where a run does not fit."""
    found: dict[str, Old] = {}
    for run in runs:
        fitting = list(_fitting(experiment, run))
        if not fitting:
            wanted = "one with settings of this space, whose other numbers are this baseline's"
            raise bad(f"--from {run.folder}", "no such trial", wanted)
        for old in fitting:
            found.setdefault(key_of(old.setting), old)
    found.pop(key_of(experiment.space.baseline(experiment.rules)), None)
    return Reused(tuple(found.values()))


def _fitting(experiment: Experiment, run: "Run") -> Iterator[Old]:
    needed = {(p.label, name) for p in experiment.games for name in asked(experiment, p)}
    _check(experiment, run, needed)
    measured: dict[int, list[dict[str, Any]]] = {}
    for row in run.table("measures").to_dicts():
        if (row["matchup"], row["metric"]) in needed:
            measured.setdefault(row.pop("trial"), []).append(row)
    dimensions = {d.pointer: d for d in run.experiment.space.dimensions}
    for row in run.table("trials").to_dicts():
        chosen = {pointer: d.read(row[pointer]) for pointer, d in dimensions.items()}
        rules = run.experiment.rules.override(run.experiment.space.whole(chosen))
        setting = _setting(experiment, rules) if row["number"] in measured else None
        if setting:
            yield Old(setting, measured[row["number"]])


def _check(experiment: Experiment, run: "Run", needed: set[tuple[str, str]]) -> None:
    """Whether its games are the games of this study; BadInput says what is not."""
    where, other = f"--from {run.folder}", run.experiment
    if not run.confirmed or other.compared or other.claims:
        raise bad(where, "no search", "a run that searched a space")
    for found, wanted in (
        (f"games of {other.game.name}", f"games of {experiment.game.name}"),
        (f"version {run.manifest['game_version']}", f"version {experiment.game.version}"),
        (f"rules {run.manifest['fingerprint']}", f"rules {other.rules.fingerprint}"),
    ):
        if found != wanted:
            raise bad(where, found, f"{wanted}, as now")
    measures = run.table("measures").select("matchup", "metric").unique().rows()
    for matchup, metric in sorted(needed - set(measures)):
        raise bad(where, f"no {metric} of {matchup}", "all that this experiment measures")


def _setting(experiment: Experiment, rules: Rules) -> Setting | None:
    """The setting of this space that makes these very rules."""
    space = experiment.space
    setting = {p: rules.value(p) for p in space.baseline(experiment.rules)}
    if not space.holds(setting):
        return None
    try:
        same = experiment.rules.override(setting).fingerprint == rules.fingerprint
    except BadInput:
        return None
    return setting if same else None
