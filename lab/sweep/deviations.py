"""One-step deviations: every number of a space one step up and one step down from a point.

All are played on the same games as the point itself, so that what they share of chance cancels
out; with so many differences some look clear by luck, so verdicts are adjusted (Holm).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from lab import selfplay
from lab.errors import BadInput
from lab.experiment import Experiment, Pairing, Part, Target
from lab.experiment.banks import seed_of
from lab.experiment.space import Setting
from lab.metrics import metrics_of
from lab.stats.estimate import Array, Estimate, pooled
from lab.stats.paired import estimate_difference
from lab.sweep.confirm import long_games
from lab.sweep.play import measured, rules_of

AGAINST_LINK = "a link does not allow it"


class Step(NamedTuple):
    """One number at a neighbour of its value; `way` is up, down, or other where it is a choice."""

    pointer: str
    old: Any
    new: Any
    way: str
    setting: Setting
    refused: str  # why it cannot be played, or ""


@dataclass(frozen=True)
class Games:
    """What the games of one setting came to, one by one; on seeds that all settings share."""

    values: dict[tuple[Pairing, str], Array]  # by metric, (n,)
    histories: dict[Pairing, Array]
    clusters: dict[Pairing, Array | None]
    bounds: dict[str, tuple[float, float]]


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


def play_games(experiment: Experiment, setting: Setting, jobs: int) -> Games:
    """As many games as a confirmation has, on a bank that chose nothing."""
    rules = rules_of(experiment, setting)
    metrics = metrics_of(experiment.game)
    bank = seed_of(experiment.seed, "sensitivity", "deviations")
    cluster = experiment.game.cluster
    played = Games({}, {}, {}, {})
    start = 0
    for pairing, count in long_games(experiment).items():
        frame = selfplay.simulate(rules, *pairing, range(start, start + count), bank, jobs)
        start += count
        played.histories[pairing] = frame["history"].to_numpy()
        played.clusters[pairing] = frame[cluster].to_numpy() if cluster else None
        for name in _asked(experiment, pairing):
            played.values[pairing, name] = np.asarray(metrics[name].value(frame), np.float64)
            played.bounds[name] = metrics[name].bounds(rules)
    return played


def _asked(experiment: Experiment, pairing: Pairing) -> set[str]:
    return {
        measured(target)
        for target in experiment.targets
        if any(part.pairing == pairing for part in target.parts)
    }


def differences(experiment: Experiment, before: Games, after: Games) -> list[Estimate]:
    """By how much every target lies above what it was, of games in pairs."""
    return [_difference(target, before, after) for target in experiment.targets]


def _difference(target: Target, before: Games, after: Games) -> Estimate:
    parts = [_part(part, measured(target), before, after) for part in target.parts]
    if len(parts) == 1:
        return parts[0]
    return pooled(parts, [part.weight for part in target.parts])


def _part(part: Part, name: str, before: Games, after: Games) -> Estimate:
    pairing = part.pairing
    lows, highs = zip(before.bounds[name], after.bounds[name], strict=True)
    found = estimate_difference(
        before.values[pairing, name],
        after.values[pairing, name],
        np.stack([before.histories[pairing], after.histories[pairing]]),
        before.clusters[pairing],
        (min(lows), max(highs)),
    )
    if part.seat == 0:
        return found
    return replace(found, value=-found.value, low=-found.high, high=-found.low)
