"""Play one setting of an experiment and hold it against the targets."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import numpy as np
import polars as pl

from lab import selfplay
from lab.experiment import Experiment, Pairing, Part, Target
from lab.experiment.file import SCORE
from lab.experiment.space import Setting
from lab.game import Metric
from lab.metrics import SHARE, measure, measure_one, metric_of
from lab.rules import Rules
from lab.stats.estimate import RATE, Estimate, pooled
from lab.sweep import blocks
from lab.sweep.blocks import Block, Outcomes
from lab.sweep.race import UNKNOWN

CONFIDENCE = 0.95
NOTHING = dict.fromkeys(("value", "low", "high", "error")) | {"n": 0, "distinct": 0, "clusters": 0}
"""What is known of a target, as `numbers` says it, where the rules refuse a setting."""

UNTOLD = (math.nan, -math.inf, math.inf, math.inf)
"""Value, ends and error where a row holds none."""
Measures = Mapping[tuple[Pairing, str], Estimate]
"""What each pairing's games came to in each metric."""
Source = Callable[[Sequence[Block]], Iterator[Outcomes]]
"""Where the games of blocks come from, such as a ledger."""


@dataclass(frozen=True)
class Played:
    """What the games of one setting came to."""

    rules: Rules
    measures: Measures
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
    source: Source | None = None,
) -> Played:
    """Play every pairing on the bank's seeds and measure what the targets ask for.

    A `source` is asked for all the games at once, in blocks; without one they are played here.
    """
    measures: dict[tuple[Pairing, str], Estimate] = {}
    lengths, endings, sums = [], [], []
    for pairing, frame, curves in _games(rules, bank, games, jobs, 0, progress, source):
        for name in asked(experiment, pairing):
            measures[pairing, name] = measure_one(
                frame, metric_of(experiment.game, name), confidence, rules
            )
        tally = frame.group_by("length").agg(count=pl.len().cast(pl.Int64)).sort("length")
        lengths.append(tally.select(pl.lit(pairing.label).alias("matchup"), "length", "count"))
        endings.append(frame.select("history", "ending", *filter(None, [experiment.game.cluster])))
        sums.append(curves)
    return Played(
        rules,
        measures,
        tuple(estimates(experiment, measures)),
        pl.concat(lengths),
        _endings(pl.concat(endings), rules, experiment.game.endings),
        np.asarray(sum(sums)),
    )


def measure_setting(
    experiment: Experiment,
    rules: Rules,
    bank: int,
    games: Mapping[Pairing, int],
    jobs: int,
    first: int,
) -> Measures:
    """The measures alone, of the games in the bank from index `first` on."""
    return {
        (pairing, name): measure_one(frame, metric_of(experiment.game, name), CONFIDENCE, rules)
        for pairing, frame, _ in _games(rules, bank, games, jobs, first)
        for name in asked(experiment, pairing)
    }


def _games(
    rules: Rules,
    bank: int,
    games: Mapping[Pairing, int],
    jobs: int,
    first: int = 0,
    progress: selfplay.Progress = lambda done, total: None,
    source: Source | None = None,
) -> Iterator[tuple[Pairing, pl.DataFrame, Any]]:
    """Outcomes and curve sums, pairing by pairing.

    A pairing has games of its own in the bank: estimates of one setting are independent, which
    pooling needs, while two settings meet the same games. One seed, so that the rules are prepared
    once.
    """
    whole = {}
    for pairing, count in games.items():
        whole[pairing] = Block(rules, *pairing, bank, range(first, first + count))
        first += count
    parts = {pairing: blocks.cut(block) if source else [block] for pairing, block in whole.items()}
    every = list(chain.from_iterable(parts.values()))
    found = source(every) if source else (block.play(jobs) for block in every)
    done, total = 0, sum(games.values())
    for pairing, own in parts.items():
        frame, curves = blocks.joined(list(islice(found, len(own))))
        done += frame.height
        progress(done, total)
        yield pairing, frame, curves


def asked(experiment: Experiment, pairing: Pairing) -> Iterator[str]:
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


def estimates(experiment: Experiment, measures: Measures) -> list[Estimate]:
    """Every target by what was measured."""
    return [_estimate(target, measures) for target in experiment.targets]


def joined(plays: Sequence[Measures]) -> Measures:
    """The measures of several plays of one setting as those of one long play."""
    if len(plays) < 2:
        return plays[0] if plays else {}
    return {key: _joined([play[key] for play in plays]) for key in plays[0]}


def _joined(found: list[Estimate]) -> Estimate:
    known = [one for one in found if one.n]
    return pooled(known, [one.n for one in known]) if known[1:] else (known or found)[0]


def _estimate(target: Target, measures: Measures) -> Estimate:
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
    ends = {name: getattr(found, name) for name in ("value", "low", "high", "error")}
    return finite(ends) | {"n": found.n, "distinct": found.distinct, "clusters": found.clusters}


def rows_of(measures: Measures) -> list[dict[str, Any]]:
    """Measures as plain data, a row each."""
    return [
        {"matchup": pairing.label, "metric": name} | numbers(found)
        for (pairing, name), found in measures.items()
    ]


def measures_of(rows: Iterable[Mapping[str, Any]]) -> Measures:
    """What rows tell; the opposite of `rows_of`, up to its rounding."""
    return {(Pairing(*row["matchup"].split(" v ")), row["metric"]): _told(row) for row in rows}


def _told(row: Mapping[str, Any]) -> Estimate:
    value, low, high, error = (
        unknown if row[name] is None else float(row[name])
        for name, unknown in zip(("value", "low", "high", "error"), UNTOLD, strict=True)
    )
    counts = row["n"], row["distinct"], row["clusters"]
    return Estimate(value, low, high, error, *counts, "told", CONFIDENCE)


def finite(ends: Mapping[str, float]) -> dict[str, float | None]:
    """Rounded; infinite or NaN is None."""
    return {name: round(x, 9) if math.isfinite(x) else None for name, x in ends.items()}
