"""One-step deviations: every number of a space one step up and one step down from a point.

All are played on the same games as the point itself, so that what they share of chance cancels
out; with so many differences some look clear by luck, so verdicts are adjusted (Holm).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from lab.errors import BadInput
from lab.experiment import Experiment
from lab.experiment.banks import seed_of
from lab.experiment.space import Setting
from lab.sweep.confirm import long_games
from lab.sweep.games import Games, play_games
from lab.sweep.play import rules_of

AGAINST_LINK = "a link does not allow it"


class Step(NamedTuple):
    """One number at a neighbour of its value; `way` is up, down, or other where it is a choice."""

    pointer: str
    old: Any
    new: Any
    way: str
    setting: Setting
    refused: str  # why it cannot be played, or ""


def steps(experiment: Experiment, at: Setting) -> list[Step]:
    """Every step from a setting, in the order of the space."""
    return list(_steps(experiment, at))


def _steps(experiment: Experiment, at: Setting) -> Iterator[Step]:
    space = experiment.space
    chosen = {d.pointer: at[d.pointer] for d in space.dimensions}
    linked = space.holds(chosen)  # links bind only a point that keeps them itself
    for dimension in space.dimensions:
        for new, way in _neighbours(dimension.values, chosen[dimension.pointer], dimension.step):
            moved = chosen | {dimension.pointer: new}
            setting = space.whole(moved)
            why = AGAINST_LINK if linked and not space.holds(moved) else ""
            why = why or _refusal(experiment, setting)
            yield Step(dimension.pointer, chosen[dimension.pointer], new, way, setting, why)


def _neighbours(values: tuple[Any, ...], now: Any, step: float | None) -> Iterator[tuple[Any, str]]:
    if step is None:
        yield from ((value, "other") for value in values if value != now)
        return
    if below := [value for value in values if value < now]:
        yield max(below), "down"
    if above := [value for value in values if value > now]:
        yield min(above), "up"


def _refusal(experiment: Experiment, setting: Setting) -> str:
    try:
        rules_of(experiment, setting)
    except BadInput as error:
        return str(error)
    return ""


def play_step(experiment: Experiment, setting: Setting, jobs: int) -> Games:
    """As many games as a confirmation has, on a bank that chose nothing."""
    rules = rules_of(experiment, setting)
    bank = seed_of(experiment.seed, "sensitivity", "deviations")
    return play_games(experiment, rules, bank, long_games(experiment), jobs)
