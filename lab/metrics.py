"""What any game is measured by, and the one place where outcomes become estimates."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from lab import catalog
from lab.catalog import load_game
from lab.errors import bad
from lab.game import Game, Metric
from lab.rules import Rules
from lab.stats.estimate import (
    DISTINCT_ENOUGH,
    RATE,
    UNBOUNDED,
    Bounds,
    Estimate,
    Moments,
    count_distinct,
    estimate_mean,
)
from lab.stats.paired import estimate_difference, variance_ratio

Outcomes = pl.DataFrame | pl.LazyFrame | Path | str
Pieces = Callable[[], Iterator[pl.DataFrame]]
"""Gives the same games in the same order every time it is called."""

BATCH = 250_000
"""Rows of a streamed table that are in memory together."""

SHARE = "share"
"""Unit of rates: their bounds are 0 and 1 under any rules."""


def _rate(rules: Rules) -> Bounds:
    return RATE


def _rounds(rules: Rules) -> Bounds:
    return 0.0, float(load_game(rules.game).max_clock)


def _plies(rules: Rules) -> Bounds:
    return 0.0, float("inf")


def _won(who: str) -> Callable[[pl.DataFrame], Any]:
    return lambda games: (games["winner"] == who).to_numpy()


def _first_score(games: pl.DataFrame) -> Any:
    return _won("first")(games) + _won("draw")(games) / 2


def _length(clocks: str) -> Metric:
    return Metric(
        "length",
        f"How many {clocks} a game lasts.",
        clocks,
        lambda games: games["length"].to_numpy(),
        _rounds,
    )


FIRST_SCORE = Metric(
    "first_score",
    "What a game is worth to the first seat: a win 1, a draw 1/2, a loss 0.",
    SHARE,
    _first_score,
    _rate,
)
METRICS = (
    FIRST_SCORE,
    Metric("first_win", "How often the first seat wins.", SHARE, _won("first"), _rate),
    Metric("second_win", "How often the second seat wins.", SHARE, _won("second"), _rate),
    Metric("draw", "How often nobody wins.", SHARE, _won("draw"), _rate),
    Metric(
        "cap_rate",
        "How often the game is ended by its cap and decided on what stands then.",
        SHARE,
        lambda games: games["capped"].to_numpy(),
        _rate,
    ),
    _length("rounds"),
    Metric(
        "plies",
        "How many actions both seats take in a game.",
        "actions",
        lambda games: games["plies"].to_numpy(),
        _plies,
    ),
)


def metrics_of(game: Game) -> dict[str, Metric]:
    """Every metric of a game by name: those of any game, then its own."""
    common = {metric.name: metric for metric in METRICS} | {"length": _length(game.clocks)}
    return common | {metric.name: metric for metric in game.metrics}


def measure(
    outcomes: Outcomes,
    metrics: Sequence[Metric] | None = None,
    by: str | Sequence[str] | None = None,
    confidence: float = 0.95,
    rules: Rules | None = None,
) -> pl.DataFrame:
    """The mean of each metric with its interval, over all games or over each group of them.

    `outcomes` are a frame that `simulate` gave, or a Parquet file it wrote, which is read in
    pieces. `metrics` are those of any game unless given; with `rules` their game's own as well,
    and the rules bound what a mean may be. `by` names columns of the outcomes to group by. Games
    that share a map or set-up (`Game.cluster`) are one unit of the intervals, unless grouped by it.
    One row a group and metric: the columns of `by`, metric, unit, value, low, high (all three in
    the unit), n games, distinct histories, clusters (units of the interval), method.
    """
    if metrics is None:
        metrics = METRICS if rules is None else list(metrics_of(load_game(rules.game)).values())
    frame = _opened(outcomes)
    keys = [by] if isinstance(by, str) else list(by or ())
    cluster = _cluster(frame, rules)
    cluster = None if cluster in keys else cluster
    rows = []
    for group, games in _groups(frame, keys):
        estimates = _estimates(games, metrics, confidence, rules, cluster)
        for metric, found in zip(metrics, estimates, strict=True):
            rows.append(group | {"metric": metric.name, "unit": metric.unit} | _columns(found))
    schema = {key: frame.collect_schema()[key] for key in keys} | _SCHEMA
    return pl.DataFrame(rows, schema=schema)


def measure_one(
    outcomes: Outcomes, metric: Metric, confidence: float = 0.95, rules: Rules | None = None
) -> Estimate:
    """One metric over all games."""
    frame = _opened(outcomes)
    cluster = _cluster(frame, rules)
    return _estimates(_pieces(frame), [metric], confidence, rules, cluster)[0]


class Apart(NamedTuple):
    """One metric of games in pairs."""

    before: Estimate
    after: Estimate
    difference: Estimate  # after - before
    ratio: float  # variance of a difference of games that share nothing, over that of these


def measure_pairs(
    before: pl.DataFrame,
    after: pl.DataFrame,
    metrics: Sequence[Metric],
    rules: tuple[Rules, Rules],
    confidence: float = 0.95,
    others: Sequence[Metric] | None = None,
) -> list[Apart]:
    """Metrics of two frames whose rows share their chance: both sides, and what lies between.

    `rules` are those that either frame was played by; `others`, of the same units, are what counts
    before, the same metrics unless given. A pair is in the cluster of its first game.
    """
    others = metrics if others is None else others
    frames = before, after
    histories = [frame["history"].to_numpy() for frame in frames]
    cluster = _cluster(before, rules[0])
    shared = None if cluster is None else before[cluster].to_numpy()
    sides = [
        _estimates(_pieces(frame), asked, confidence, own, cluster)
        for frame, asked, own in zip(frames, (others, metrics), rules, strict=True)
    ]
    found = []
    for rival, metric, one, other in zip(others, metrics, *sides, strict=True):
        old, new = rival.value(before), metric.value(after)
        lows, highs = zip(rival.bounds(rules[0]), metric.bounds(rules[1]), strict=True)
        bounds = min(lows), max(highs)
        apart = estimate_difference(old, new, histories, shared, bounds, confidence)
        ratio = variance_ratio(old, new, histories, shared)
        found.append(Apart(one, other, apart, ratio))
    return found


def pair_bounds(metric: Metric, rules: tuple[Rules, Rules]) -> Bounds:
    """The least and the greatest value that a game can have by either rules."""
    lows, highs = zip(*map(metric.bounds, rules), strict=True)
    return min(lows), max(highs)


_SCHEMA = {
    "metric": pl.String,
    "unit": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "distinct": pl.Int64,
    "clusters": pl.Int64,
    "method": pl.String,
}


def _columns(found: Estimate) -> dict[str, Any]:
    return {name: getattr(found, name) for name in _SCHEMA if hasattr(found, name)}


def _opened(outcomes: Outcomes) -> pl.DataFrame | pl.LazyFrame:
    if isinstance(outcomes, pl.DataFrame | pl.LazyFrame):
        return outcomes
    path = Path(outcomes)
    if path.suffix != ".parquet" or not path.is_file():
        raise bad(str(path), "no such table", "a .parquet file that simulate wrote")
    return pl.scan_parquet(path, glob=False)


def _cluster(frame: pl.DataFrame | pl.LazyFrame, rules: Rules | None) -> str | None:
    """The column whose equal values are one cluster: that of the rules' game.

    A table alone does not say which game it is of: then the column that a game of the lab has so.
    """
    known = frame.collect_schema().names()
    if rules is None:
        return next((c for c in (load_game(g).cluster for g in catalog.GAMES) if c in known), None)
    cluster = load_game(rules.game).cluster
    if cluster and cluster not in known:
        raise bad("outcomes", f"no column {cluster}", f"it, by which {rules.game} is measured")
    return cluster or None


def _pieces(frame: pl.DataFrame | pl.LazyFrame) -> Pieces:
    if isinstance(frame, pl.DataFrame):
        return lambda: iter([frame])
    return lambda: frame.collect_batches(chunk_size=BATCH, maintain_order=True)


def _groups(
    frame: pl.DataFrame | pl.LazyFrame, keys: list[str]
) -> Iterator[tuple[dict[str, Any], Pieces]]:
    """Each group's values of `keys` and its games, in the order of the values."""
    if not keys:
        yield {}, _pieces(frame)
        return
    known = frame.collect_schema().names()
    for key in keys:
        if key not in known:
            raise bad("by", repr(key), f"one of {', '.join(known)}", key, known)
    for values in frame.lazy().select(keys).unique().sort(keys).collect().to_dicts():
        same = [pl.col(key).eq_missing(pl.lit(value)) for key, value in values.items()]
        yield values, _pieces(frame.filter(*same))


def _estimates(
    pieces: Pieces,
    metrics: Sequence[Metric],
    confidence: float,
    rules: Rules | None,
    cluster: str | None,
) -> list[Estimate]:
    """Each metric's estimate from one pass over the games.

    Sums are enough as long as games do not repeat themselves, or only in their cluster, and a
    metric leaves none of them out; only then 10 million games never have to be in memory together.
    Other metrics are read again, one at a time, and whole.
    """
    sums = [Moments()] * len(metrics)
    past = pl.Series("history", dtype=pl.UInt64)
    for games in pieces():
        past.append(games["history"])
        shared = None if cluster is None else games[cluster].to_numpy()
        sums = [
            total.merge(Moments.of(metric.value(games), shared))
            for total, metric in zip(sums, metrics, strict=True)
        ]
    histories = past.rechunk(in_place=True).to_numpy()
    distinct = count_distinct(histories)
    enough = cluster is not None or distinct >= DISTINCT_ENOUGH * histories.size
    if not enough:  # numbers of half the size tell the groups apart as well
        histories = past.rank("dense").to_numpy()
        del past

    found = []
    for total, metric in zip(sums, metrics, strict=True):
        bounds = _bounds(metric, rules)
        if enough and total.n == histories.size:
            found.append(total.estimate(distinct, bounds, confidence))
            continue
        values = np.concatenate([np.empty(0), *(metric.value(games) for games in pieces())])
        if cluster is None:
            found.append(estimate_mean(values, histories, None, bounds, confidence))
        else:
            kept = count_distinct(histories[~np.isnan(values)])
            found.append(total.estimate(kept, bounds, confidence))
    return found


def _bounds(metric: Metric, rules: Rules | None) -> Bounds:
    if rules is not None:
        return metric.bounds(rules)
    return RATE if metric.unit == SHARE else UNBOUNDED
