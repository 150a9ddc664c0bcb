"""Two rule sets on the same seeds, and what lies between them, metric by metric.

Game i of one side and game i of the other share their chance (common random numbers), so a small
edit shows in far fewer games than by two runs of their own. Where sharing does harm (a variance
ratio below 1) the first side is played again on seeds of its own, and that metric's difference is
between games that share nothing.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import polars as pl

from lab.catalog import load_game
from lab.doors.function import named
from lab.errors import bad
from lab.experiment.banks import seed_of
from lab.game import Metric
from lab.metrics import Apart, measure_one, measure_pairs, metrics_of
from lab.rules import Rules
from lab.selfplay import Games, as_range, simulate
from lab.stats.estimate import Estimate, difference

CONFIDENCE = 0.95


class Progress(Protocol):
    """Told the games done, the games in all, and whose they are."""

    def __call__(self, done: int, total: int, stage: str) -> None: ...


class Compared(NamedTuple):
    """A metric by both rules, and how far b lies above a."""

    metric: Metric
    a: Estimate
    b: Estimate
    value: float
    low: float
    high: float
    ratio: float  # how many times the games the pairing was worth; NaN where no pair differs
    paired: bool  # else a was played on seeds of its own

    @property
    def n(self) -> int:
        """Games behind the difference, on the side that has fewer of which it says something."""
        return min(self.a.n, self.b.n)


@dataclass(frozen=True)
class Comparison:
    """Both sides, played. `own_seed` is that of the first where it shares nothing."""

    a: Rules
    b: Rules
    first: str
    second: str
    games: Games
    seed: int
    played: tuple[pl.DataFrame, pl.DataFrame]
    alone: pl.DataFrame | None  # a's games on seeds of its own, where a metric asks for them

    @property
    def same(self) -> bool:
        """Whether both sides are the same numbers."""
        return self.a.fingerprint == self.b.fingerprint

    @property
    def own_seed(self) -> int:
        return seed_of(self.seed, "on its own")

    @cached_property
    def rows(self) -> tuple[Compared, ...]:
        """Every metric of which both sides say something, its interval at 95 %."""
        known = metrics_of(load_game(self.a.game)).values()
        return tuple(row for row in self.measured(list(known)) if row.n)

    @property
    def left_out(self) -> list[str]:
        """Metrics of which a side says nothing in any game."""
        told = {row.metric.name for row in self.rows}
        return [name for name in metrics_of(load_game(self.a.game)) if name not in told]

    def measured(self, metrics: list[Metric], confidence: float = CONFIDENCE) -> list[Compared]:
        """The metrics by both rules, each interval at this confidence."""
        pairs = measure_pairs(*self.played, metrics, (self.a, self.b), confidence)
        return [
            self._alone(metric, pair, confidence)
            if self.alone is not None and pair.ratio < 1
            else self._paired(metric, pair, confidence)
            for metric, pair in zip(metrics, pairs, strict=True)
        ]

    def _paired(self, metric: Metric, pair: Apart, confidence: float) -> Compared:
        found = pair.difference
        ends = found.value, found.low, found.high
        if self.same:
            ends = 0.0, 0.0, 0.0  # nothing is estimated: the games are the same ones
        elif found.low == found.high:  # other rules may yet part a pair that was not played
            ends = difference(pair.before, pair.after)
        return Compared(metric, pair.before, pair.after, *ends, pair.ratio, True)

    def _alone(self, metric: Metric, pair: Apart, confidence: float) -> Compared:
        assert self.alone is not None
        old = measure_one(self.alone, metric, confidence, self.a)
        ends = difference(old, pair.after)
        return Compared(metric, old, pair.after, *ends, pair.ratio, False)

    def frame(self) -> pl.DataFrame:
        """One row a metric: unit, a, b, difference, low, high (of it), n, variance_ratio, paired.

        `variance_ratio` is null where no pair differs.
        """
        rows = [
            (r.metric.name, r.metric.unit, r.a.value, r.b.value, *r[3:6], r.n, r.ratio, r.paired)
            for r in self.rows
        ]
        frame = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
        return frame.with_columns(pl.col("variance_ratio").fill_nan(None))


_SCHEMA = {
    "metric": pl.String,
    "unit": pl.String,
    "a": pl.Float64,
    "b": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "variance_ratio": pl.Float64,
    "paired": pl.Boolean,
}


def play(
    a: Rules,
    b: Rules,
    first: str | None = None,
    second: str | None = None,
    games: Games = 1000,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = lambda done, total, stage: None,
) -> Comparison:
    """Play the same seeds by both rules; who is not named plays as the game's own pair.

    The same numbers are played once, for both sides. BadInput before the first game.
    """
    game = load_game(a.game)
    if b.game != game.name:
        raise bad(f"{b.game} {b.version}", f"rules of {b.game}", f"rules of {game.name}, as a is")
    own = game.pair
    who = own[0] if first is None else first, own[1] if second is None else second
    named("compare", who)
    for rules in (a, b):
        game.policy_rows(*who, rules)
    as_range(games)

    def played(rules: Rules, bank: int, side: str) -> pl.DataFrame:
        def tell(done: int, total: int) -> None:
            progress(done, total, side)

        return simulate(rules, *who, games, bank, jobs, progress=tell)

    one = played(a, seed, "a")
    other = one if a.fingerprint == b.fingerprint else played(b, seed, "b")
    found = Comparison(a, b, *who, games, seed, (one, other), None)
    if any(row.ratio < 1 for row in found.rows):
        return replace(found, alone=played(a, found.own_seed, "a on its own"))
    return found


def compare(
    a: Rules,
    b: Rules,
    first: str | None = None,
    second: str | None = None,
    games: Games = 1000,
    seed: int = 0,
    jobs: int = 1,
) -> pl.DataFrame:
    """What lies between two rule sets of a game: a row a metric, as `Comparison.frame` says."""
    return play(a, b, first, second, games, seed, jobs).frame()
