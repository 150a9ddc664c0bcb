"""What any game is measured by, and the one place where outcomes become estimates."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import polars as pl

from lab import catalog, formula, outcomes
from lab.catalog import load_game
from lab.errors import bad
from lab.formula import kinds_of
from lab.formula.asked import By, Key, extras_of, keys_of
from lab.frames import columns_of, game_of
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
from lab.tomlfile import blaming

Outcomes = pl.DataFrame | pl.LazyFrame | Path | str
Pieces = Callable[[], Iterator[pl.DataFrame]]
"""Gives the same games in the same order every time it is called."""

BATCH = 250_000
"""Rows of a streamed table that are in memory together."""

PLACE, CLUSTER = "_place", "_cluster"
"""Columns that are put beside those of a frame."""

SHARE = outcomes.SHARE


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


def metric_of(
    game: Game,
    text: str,
    where: str = "metric",
    others: Iterable[str] = (),
    said: Callable[[str], str] = repr,
) -> Metric:
    """A metric by its name, or one made of a formula (`lab.formula`) over the game's columns.

    BadInput begins with `where` and quotes by `said`; `others` are names that do there as well.
    """
    known = metrics_of(game)
    if text in known:
        return known[text]
    columns = kinds_of(game)
    if text.isidentifier() and text not in columns:
        names = [*known, *others]
        raise bad(where, said(text), f"one of {', '.join(names)}", text, [*names, *columns])
    with blaming(where):
        return formula.metric(text, columns, columns_of(game))


def measure(
    outcomes: Outcomes,
    metrics: Sequence[Metric | str] | None = None,
    by: By = None,
    confidence: float = 0.95,
    rules: Rules | None = None,
    extra: Mapping[str, Key] | None = None,
) -> pl.DataFrame:
    """The mean of each metric with its interval, over all games or over each group of them.

    `outcomes` are a frame that `simulate` gave, or a Parquet file it wrote, which is read in
    pieces. `metrics` are those of any game unless given; with `rules` their game's own as well,
    and the rules bound what a mean may be. A name or a formula stands for its metric, and `extra`
    for more of them under names of one's own: a formula, or a polars expression with a value a
    game. What is true or false is a rate, all else a mean; a game whose value is null or NaN is
    left out. `by` groups games: by columns, formulas or expressions, or a mapping that names these.
    Games that share a map or set-up (`Game.cluster`) are one unit of the intervals, unless grouped
    by it. One row a group and metric: the columns of `by`, metric, unit, value, low, high (all
    three in the unit), n games, distinct histories, clusters (units of the interval), method.
    """
    frame = _opened(outcomes)
    game = game_of(frame.collect_schema()) if rules is None else load_game(rules.game)
    asked = [*_named(metrics, rules, game), *extras_of(extra or {}, frame, game)]
    keys = keys_of(by, frame, game, _SCHEMA)
    cluster = _cluster(frame, rules)
    cluster = None if cluster in keys else cluster
    if cluster and isinstance(frame, pl.DataFrame):  # numbers in a row need no sorting
        frame = frame.with_columns(pl.col(cluster).rank("dense").alias(CLUSTER))
        cluster = CLUSTER
    rows = []
    for group, tally in _tallies(frame, keys, asked, cluster):
        for metric, found in zip(asked, tally.estimates(confidence, rules), strict=True):
            rows.append(group | {"metric": metric.name, "unit": metric.unit} | _columns(found))
    types = dict(frame.lazy().select(**keys).collect_schema()) if keys else {}
    return pl.DataFrame(rows, schema=types | _SCHEMA)


def measure_one(
    outcomes: Outcomes, metric: Metric, confidence: float = 0.95, rules: Rules | None = None
) -> Estimate:
    """One metric over all games."""
    frame = _opened(outcomes)
    cluster = _cluster(frame, rules)
    return _Tally(_pieces(frame), [metric], cluster).add_all().estimates(confidence, rules)[0]


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
        _Tally(_pieces(frame), asked, cluster).add_all().estimates(confidence, own)
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


_SCHEMA: dict[str, Any] = {
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


def _named(
    metrics: Sequence[Metric | str] | None, rules: Rules | None, game: Game | None
) -> Iterator[Metric]:
    """The metrics that were asked for, else those of any game, and of the rules' game."""
    if metrics is None:
        yield from METRICS if rules is None else metrics_of(load_game(rules.game)).values()
    for metric in metrics or ():
        if isinstance(metric, Metric):
            yield metric
        elif game is None:
            raise bad("metrics", repr(metric), "rules= beside it: whose it is, no column tells")
        else:
            yield metric_of(game, metric)


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


def _tallies(
    frame: pl.DataFrame | pl.LazyFrame,
    keys: Mapping[str, pl.Expr],
    metrics: Sequence[Metric],
    cluster: str | None,
) -> Iterator[tuple[dict[str, Any], "_Tally"]]:
    """Each group's values of `keys` and its games, in the order of the values: one pass over all.

    Only one group's games are in memory besides the frame, or besides the piece that was read.
    """
    if not keys:
        yield {}, _Tally(_pieces(frame), metrics, cluster).add_all()
        return
    known = frame.lazy().select(**keys).unique().sort(*keys).collect()
    tallies: dict[tuple[Any, ...], _Tally] = {}
    for values in known.iter_rows():
        same = [expr.eq_missing(pl.lit(x)) for expr, x in zip(keys.values(), values, strict=True)]
        tallies[values] = _Tally(_pieces(frame.lazy().filter(*same)), metrics, cluster)
    for games in _pieces(frame)():
        places = games.select(**keys).with_row_index(PLACE).group_by(*keys).agg(PLACE)
        for *group, place in zip(*places.get_columns(), strict=True):
            tallies[tuple(group)].add(games[place])
    for values, tally in tallies.items():
        yield dict(zip(keys, values, strict=True)), tally


class _Tally:
    """The games of one group, summed up piece by piece.

    Sums are enough as long as games do not repeat themselves, or only in their cluster, and a
    metric leaves none of them out; only then 10 million games never have to be in memory together.
    Other metrics are read again, one at a time, and whole.
    """

    def __init__(self, pieces: Pieces, metrics: Sequence[Metric], cluster: str | None) -> None:
        self.pieces, self.metrics, self.cluster = pieces, metrics, cluster
        self.sums = [Moments()] * len(metrics)
        self.past = pl.Series("history", dtype=pl.UInt64)

    def add(self, games: pl.DataFrame) -> None:
        """One piece of the games."""
        shared = None if self.cluster is None else games[self.cluster].to_numpy()
        try:
            self.past.append(games["history"])
            self.sums = [
                total.merge(Moments.of(metric.value(games), shared))
                for total, metric in zip(self.sums, self.metrics, strict=True)
            ]
        except pl.exceptions.ColumnNotFoundError as error:
            found = "no column " + str(error).partition("\n")[0].split('"')[1]
            raise bad("outcomes", found, "a frame of games of the game that is measured") from None

    def add_all(self) -> Self:
        """Every piece."""
        for games in self.pieces():
            self.add(games)
        return self

    def estimates(self, confidence: float, rules: Rules | None) -> list[Estimate]:
        """What each metric comes to."""
        histories = self.past.rechunk(in_place=True).to_numpy()
        distinct = count_distinct(histories)
        enough = self.cluster is not None or distinct >= DISTINCT_ENOUGH * histories.size
        if not enough:  # numbers of half the size tell the groups apart as well
            histories = self.past.rank("dense").to_numpy()
        found = []
        for total, metric in zip(self.sums, self.metrics, strict=True):
            bounds = _bounds(metric, rules)
            _check(total, metric, bounds, rules)
            if enough and total.n == histories.size:
                found.append(total.estimate(distinct, bounds, confidence))
                continue
            values = np.concatenate(
                [np.empty(0), *(metric.value(games) for games in self.pieces())]
            )
            if self.cluster is None:
                found.append(estimate_mean(values, histories, None, bounds, confidence))
            else:
                kept = count_distinct(histories[~np.isnan(values)])
                found.append(total.estimate(kept, bounds, confidence))
        return found


def _check(total: Moments, metric: Metric, bounds: Bounds, rules: Rules | None) -> None:
    """BadInput where the rules that are named do not allow what games say: they are of others."""
    low, high = bounds
    if rules is not None and total.n and not low <= total.low <= total.high <= high:
        found = f"{metric.name} from {total.low:g} to {total.high:g}"
        name = f"{rules.game} {rules.version}"
        raise bad("outcomes", found, f"{low:g} to {high:g} as {name} has it: games of other rules")


def _bounds(metric: Metric, rules: Rules | None) -> Bounds:
    if rules is not None:
        return metric.bounds(rules)
    return RATE if metric.unit == SHARE else UNBOUNDED
