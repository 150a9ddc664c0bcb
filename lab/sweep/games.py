"""Settings played game by game on seeds that all of them share, and what lies between them.

What the games of an index owe to their common chance cancels out of a difference, and of any other
contrast: a weighted sum whose weights sum to 0, such as a slope.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lab import selfplay
from lab.experiment import Experiment, Pairing, Part, Target
from lab.metrics import measure_one, metric_of
from lab.rules import Rules
from lab.stats.estimate import Array, Bounds, Estimate, pooled
from lab.stats.paired import estimate_contrast, variances
from lab.sweep.play import CONFIDENCE, measured


@dataclass(frozen=True)
class Games:
    """What the games of one setting came to, and their values one by one (n,)."""

    measures: dict[tuple[Pairing, str], Estimate]
    values: dict[tuple[Pairing, str], Array]  # by metric
    histories: dict[Pairing, Array]
    clusters: dict[Pairing, Array | None]
    bounds: dict[str, Bounds]  # by metric


def play_games(
    experiment: Experiment,
    rules: Rules,
    bank: int,
    games: Mapping[Pairing, int],
    jobs: int = 1,
    first: int = 0,
    confidence: float = CONFIDENCE,
    progress: selfplay.Progress = lambda done, total: None,
) -> Games:
    """Play every pairing on games of its own in the bank, from index `first` on.

    The measures have intervals of that confidence.
    """
    cluster = experiment.game.cluster
    found = Games({}, {}, {}, {}, {})
    begin, total = first, sum(games.values())
    for pairing, count in games.items():

        def tell(done: int, _: int, before: int = first - begin) -> None:
            progress(before + done, total)

        indices = range(first, first + count)
        frame = selfplay.simulate(rules, *pairing, indices, bank, jobs, progress=tell)
        first += count
        found.histories[pairing] = frame["history"].to_numpy()
        found.clusters[pairing] = frame[cluster].to_numpy() if cluster else None
        for name in _asked(experiment, pairing):
            metric, key = metric_of(experiment.game, name), (pairing, name)
            found.measures[key] = measure_one(frame, metric, confidence, rules)
            found.values[key] = np.asarray(metric.value(frame), np.float64)
            found.bounds[name] = metric.bounds(rules)
    return found


def _asked(experiment: Experiment, pairing: Pairing) -> set[str]:
    return {
        measured(target)
        for target in experiment.targets
        if any(part.pairing == pairing for part in target.parts)
    }


def differences(
    experiment: Experiment, before: Games, after: Games, confidence: float = CONFIDENCE
) -> list[Estimate]:
    """By how much every target lies above what it was, of games in pairs."""
    return contrasts(experiment, (before, after), (-1, 1), confidence)


def contrasts(
    experiment: Experiment,
    played: Sequence[Games],
    weights: Sequence[float],
    confidence: float = CONFIDENCE,
) -> list[Estimate]:
    """The weighted sum of what the settings came to in every target; the weights sum to 0.

    A pairing's clusters are those of the first setting's games.
    """
    return [_contrast(target, played, weights, confidence) for target in experiment.targets]


def _contrast(
    target: Target, played: Sequence[Games], weights: Sequence[float], confidence: float
) -> Estimate:
    parts = [_part(part, measured(target), played, weights, confidence) for part in target.parts]
    if len(parts) == 1:
        return parts[0]
    return pooled(parts, [part.weight for part in target.parts])


def _part(
    part: Part, name: str, played: Sequence[Games], weights: Sequence[float], confidence: float
) -> Estimate:
    pairing = part.pairing
    lows, highs = zip(*(games.bounds[name] for games in played), strict=True)
    found = estimate_contrast(
        [games.values[pairing, name] for games in played],
        weights,
        np.stack([games.histories[pairing] for games in played]),
        played[0].clusters[pairing],
        (min(lows), max(highs)),
        confidence,
    )
    if part.seat == 0:
        return found
    return replace(found, value=-found.value, low=-found.high, high=-found.low)


def sharing(experiment: Experiment, before: Games, after: Games) -> list[float]:
    """For every target how many times the games the pairing was worth; NaN where none differs."""
    return [_sharing(target, before, after) for target in experiment.targets]


def _sharing(target: Target, before: Games, after: Games) -> float:
    alone = paired = 0.0
    for part in target.parts:
        key = part.pairing, measured(target)
        histories = np.stack([games.histories[part.pairing] for games in (before, after)])
        clusters = before.clusters[part.pairing]
        found = variances(before.values[key], after.values[key], histories, clusters)
        alone += part.weight**2 * found[0]
        paired += part.weight**2 * found[1]
    return alone / paired if 0 < paired < math.inf else math.nan
