"""Play one setting of an experiment and hold it against the targets."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from lab import selfplay
from lab.experiment import Experiment, Pairing, Part, Target
from lab.experiment.file import SCORE
from lab.experiment.space import Setting
from lab.game import Metric
from lab.metrics import SHARE, measure, measure_one, metrics_of
from lab.rules import Rules
from lab.stats.estimate import RATE, Estimate, pooled

UNKNOWN = 100.0
"""Half widths that a target counts as missed by when no game says anything about it."""
NOTHING = {"value": None, "low": None, "high": None, "n": 0, "distinct": 0, "clusters": 0}
"""What is known of a target, as `numbers` says it, where the rules refuse a setting."""


@dataclass(frozen=True)
class Played:
    """What the games of one setting came to."""

    rules: Rules
    measures: Mapping[tuple[Pairing, str], Estimate]
    targets: tuple[Estimate, ...]  # in the experiment's order
    lengths: pl.DataFrame  # matchup, length, count
    endings: pl.DataFrame  # ending, value, low, high, n, distinct, clusters
    curves: np.ndarray[Any, Any]  # sums, as lab.selfplay.play gives them


def rules_of(experiment: Experiment, setting: Setting) -> Rules:
    """The rules of a setting; BadInput where they are refused, or a policy has no room in them."""
    rules = experiment.rules.override(setting)
    for pairing in experiment.games:
        experiment.game.policy_rows(*pairing, rules)
    return rules


def play_setting(
    experiment: Experiment,
    rules: Rules,
    bank: int,
    games: Mapping[Pairing, int],
    jobs: int = 1,
    confidence: float = 0.95,
    progress: selfplay.Progress = lambda done, total: None,
) -> Played:
    """Play every pairing on the bank's seeds and measure what the targets ask for.

    A pairing has games of its own in the bank: estimates of one setting are independent, which
    pooling needs, while two settings meet the same games. One seed, so that the rules are prepared
    once.
    """
    metrics = metrics_of(experiment.game)
    measures: dict[tuple[Pairing, str], Estimate] = {}
    lengths, endings, sums = [], [], []
    start = 0
    for pairing, count in games.items():
        chunks = list(selfplay.play(rules, *pairing, range(start, start + count), bank, jobs))
        start += count
        progress(start, sum(games.values()))
        frame = pl.concat([chunk for chunk, _ in chunks])
        for name in _asked(experiment, pairing):
            measures[pairing, name] = measure_one(frame, metrics[name], confidence, rules)
        tally = frame.group_by("length").agg(count=pl.len().cast(pl.Int64)).sort("length")
        lengths.append(tally.select(pl.lit(pairing.label).alias("matchup"), "length", "count"))
        endings.append(frame.select("history", "ending", *filter(None, [experiment.game.cluster])))
        sums += [chunk_sums for _, chunk_sums in chunks]
    return Played(
        rules,
        measures,
        tuple(_estimate(target, measures) for target in experiment.targets),
        pl.concat(lengths),
        _endings(pl.concat(endings), rules, experiment.game.endings),
        np.asarray(sum(sums)),
    )


def _asked(experiment: Experiment, pairing: Pairing) -> Iterator[str]:
    """What the targets measure in this pairing, and always draws and capped games; each once."""
    names = (
        measured(target)
        for target in experiment.targets
        if any(part.pairing == pairing for part in target.parts)
    )
    return iter(dict.fromkeys((*names, "draw", "cap_rate")))


def measured(target: Target) -> str:
    """The metric of games that a target is about."""
    return "first_score" if target.metric == SCORE else target.metric


def _estimate(target: Target, measures: Mapping[tuple[Pairing, str], Estimate]) -> Estimate:
    name = measured(target)
    parts = [_from_seat(measures[part.pairing, name], part) for part in target.parts]
    if len(parts) == 1:
        return parts[0]
    return pooled(parts, [part.weight for part in target.parts])


def _from_seat(found: Estimate, part: Part) -> Estimate:
    """A score as the second seat sees it is what the first leaves over."""
    if part.seat == 0:
        return found
    return replace(found, value=1 - found.value, low=1 - found.high, high=1 - found.low)


def _endings(games: pl.DataFrame, rules: Rules, names: Sequence[str]) -> pl.DataFrame:
    """The share of each ending, over all pairings."""

    def share(name: str) -> Metric:
        def ended(games: pl.DataFrame) -> Any:
            return (games["ending"] == name).to_numpy()

        return Metric(name, "How often a game ends so.", SHARE, ended, lambda rules: RATE)

    rows = measure(games, [share(name) for name in names], rules=rules)
    return rows.rename({"metric": "ending"}).drop("unit", "method")


def miss(target: Target, low: float, high: float) -> float:
    """How far low..high reaches out of the band, in half widths of the band; 0 inside.

    UNKNOWN where an end is infinite or NaN: an unbounded metric of one game.
    """
    outside = max(target.band[0] - low, high - target.band[1], 0.0)
    half = (target.band[1] - target.band[0]) / 2
    return outside / half if math.isfinite(low + high) else UNKNOWN


def loss(targets: Sequence[Target], found: Sequence[Estimate]) -> float:
    """Sum over targets of weight x distance of the value outside the band in half widths."""
    return sum(
        target.weight * (miss(target, e.value, e.value) if e.n else UNKNOWN)
        for target, e in zip(targets, found, strict=True)
    )


def shortfall(targets: Sequence[Target], found: Sequence[Estimate]) -> float:
    """The same for the whole interval: 0 if and only if every target holds."""
    return sum(
        target.weight * (miss(target, e.low, e.high) if e.n else UNKNOWN)
        for target, e in zip(targets, found, strict=True)
    )


def numbers(found: Estimate) -> dict[str, Any]:
    """An estimate as plain data; what is not known is None."""
    ends = {name: getattr(found, name) for name in ("value", "low", "high")}
    return finite(ends) | {"n": found.n, "distinct": found.distinct, "clusters": found.clusters}


def finite(ends: Mapping[str, float]) -> dict[str, float | None]:
    """Rounded; infinite or NaN is None."""
    return {name: round(x, 9) if math.isfinite(x) else None for name, x in ends.items()}
