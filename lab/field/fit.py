"""The field that real games look like they come from: the nearest mix of policies.

Every policy plays every other in either seat, and itself, on fresh seeds: the cells. Real players
are taken to sit down in either seat alike, so that a mix of weights w has w_i w_j of its games from
cell i, j. The weights are those whose mix is nearest to the rows in the means of all metrics, in
units of the covariance that the mix itself has: the generalised method of moments in two steps
(Hansen 1982, Econometrica 50:1029), its moments being the game's own metrics.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import polars as pl

from lab.catalog import load_game
from lab.errors import bad
from lab.experiment import PLAIN
from lab.experiment.banks import seed_of
from lab.field.rows import Rows
from lab.game import Game, Metric
from lab.metrics import metrics_of
from lab.rules import Rules
from lab.selfplay import Progress, simulate
from lab.stats.estimate import Array, estimate_mean
from lab.stats.mixture import (
    corners,
    mixed,
    nearest_mix,
    rounded,
    spread,
    whitening,
)

LEAST = 0.005
"""Weight below which a policy is left out: it would cost an experiment pairings for nothing."""
DIGITS = 4
FAR = 3.0
"""Standard errors beyond which a metric is missed."""
STEPS = 3
"""The first in units of the even mix."""
NO_SPREAD = 1e-9
"""Share of the spread among all players below which a mix, or the rows, have none."""
MOST_OFF, CLOSE_OFF = 10.0, 0.005
REPEATS = 200
"""Of the bootstrap."""
ENDS = (0.025, 0.975)


class Misfit(NamedTuple):
    """A metric in the rows and in the mix."""

    metric: Metric
    real: float
    mix: float
    errors: float  # mix - real, in standard errors of that
    least: float  # what the mix nearest in this one metric alone leaves of it

    @property
    def beyond(self) -> bool:
        """Whether no mix reaches what the rows have."""
        return abs(self.least) > FAR


@dataclass(frozen=True)
class Fit:
    """Weights of sum 1 with 95 % bootstrap intervals, and what their mix makes of each metric."""

    rows: Rows
    weights: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    misfits: tuple[Misfit, ...]  # the farthest first
    left_out: tuple[str, ...]  # metrics that some game does not have, or that never vary
    off: float  # how far our players are off in a metric beside luck, in deviations of a game
    clusters: int  # units of the rows: maps, or games
    games: int  # of a cell
    seed: int


def fit(
    rows: Rows,
    policies: Sequence[str] | None = None,
    metrics: Sequence[str] | None = None,
    games: int = 400,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
) -> Fit:
    """The weights of `policies`, by default all with a plan, whose mix is nearest to the rows.

    `games` are played in each cell; `metrics` are all that every game has unless named. The same
    arguments give the same weights. BadInput before the first game.
    """
    game = load_game(rows.rules.game)
    names = _policies(game, policies, rows.rules)
    asked = _metrics(game, metrics)
    real = _values(rows.frame, asked)
    cells = _cells(rows.rules, names, asked, games, seed, jobs, progress)
    told = _told(real, cells)
    if not told.any():
        raise bad(str(rows.path), "no metric that every game has and that varies", "one or more")
    kept = [metric for metric, keep in zip(asked, told, strict=True) if keep]
    real, cells = real[:, told], cells[..., told]

    units = _units(rows.frame, game)
    target, means = real.mean(axis=0), cells.mean(axis=2)
    found = np.full(len(names), 1 / len(names))
    for _ in range(STEPS):
        turn, off = _units_of(_spread(found, cells, real), real, target, means)
        found = nearest_mix(target @ turn, means @ turn)
    weights = np.where(found < LEAST, 0, found)
    weights = rounded(weights / weights.sum(), DIGITS)
    lows, highs = _bootstrap(real, units, cells, turn, found, seed)
    return Fit(
        rows,
        dict(zip(names, map(float, weights), strict=True)),
        {name: (float(a), float(b)) for name, a, b in zip(names, lows, highs, strict=True)},
        tuple(_misfits(kept, real, _errors(real, units, kept, rows.rules), cells, weights)),
        tuple(metric.name for metric in asked if metric not in kept),
        off,
        len(np.unique(units)),
        games,
        seed,
    )


# --- what is asked, and what was played ---------------------------------------------------------


def _policies(game: Game, named: Sequence[str] | None, rules: Rules) -> list[str]:
    names = list(named or [name for name in game.rivals() if name not in PLAIN])
    if len(names) < 2 or len(set(names)) < len(names):
        raise bad("policies", ", ".join(names), "two or more that differ")
    for first, second in product(names, names):
        game.policy_rows(first, second, rules)
    return names


def _metrics(game: Game, named: Sequence[str] | None) -> list[Metric]:
    known = metrics_of(game)
    for name in named or ():
        if name not in known:
            raise bad("metrics", repr(name), f"one of {', '.join(known)}", name, known)
    return [metric for name, metric in known.items() if name in (named or known)]


def _values(frame: pl.DataFrame, metrics: Sequence[Metric]) -> Array:
    """A row a game, a column a metric: (n, m); NaN where a game has none."""
    columns = [np.asarray(metric.value(frame), dtype=np.float64) for metric in metrics]
    return np.stack(columns, axis=1)


def _cells(
    rules: Rules,
    names: Sequence[str],
    metrics: Sequence[Metric],
    games: int,
    seed: int,
    jobs: int,
    progress: Progress,
) -> Array:
    """Every pair's games: (p, p, games, m). One bank, each pair on indices of its own."""
    bank = seed_of(seed, "field")
    found = []
    for place, (first, second) in enumerate(product(names, names)):
        progress(place * games, len(names) ** 2 * games)
        own = range(place * games, (place + 1) * games)
        found.append(_values(simulate(rules, first, second, own, bank, jobs), metrics))
    return np.reshape(found, (len(names), len(names), games, len(metrics)))


def _told(real: Array, cells: Array) -> Array:
    """Which metrics (m,) every game has, and vary."""
    played = cells.reshape(-1, cells.shape[-1])
    known = ~np.isnan(real).any(axis=0) & ~np.isnan(played).any(axis=0)
    return np.asarray(known & ((np.ptp(real, axis=0) > 0) | (np.ptp(played, axis=0) > 0)))


def _units(frame: pl.DataFrame, game: Game) -> Array:
    """What a row shares with others: its map, else nothing."""
    return frame[game.cluster].to_numpy() if game.cluster else np.arange(frame.height)


# --- how sure it is -----------------------------------------------------------------------------


def _spread(weights: Array, cells: Array, real: Array) -> Array:
    """Covariance (m, m) of a game: of the mix, and of the rows in what never varies in the mix.

    Not of the rows in all: where few of them say something, mean and spread are wrong together.
    What varies in neither is measured by the spread among all players.
    """
    found, own = spread(weights, cells), real.var(axis=0)
    every = np.diag(spread(np.full(len(weights), 1 / len(weights)), cells))
    still = np.diag(found) <= NO_SPREAD * every
    found[still], found[:, still] = 0, 0
    found[still, still] = np.where(own > NO_SPREAD * every, own, every)[still]
    return found


def _units_of(covariance: Array, real: Array, target: Array, means: Array) -> tuple[Array, float]:
    """What distances are measured in, and how far off our players are in every metric.

    Real players do what none of ours does. So beside its luck each metric may be off by a share
    `off` of the spread between games: the least with which the nearest mix misses no more than luck
    would (Paule, Mandel 1982, J. Res. NBS 87:377), 0 where luck alone does.
    """
    luck = covariance / len(real)
    between = np.diag((np.diag(covariance) + real.var(axis=0)) / 2)
    starts = corners(len(means))
    freedom = max(len(target) - len(means) + 1, 1)

    def beyond(off: float) -> bool:
        turn = whitening(luck + off**2 * between)
        best = nearest_mix(target @ turn, means @ turn, starts)
        return bool(((mixed(best, means @ turn) - target @ turn) ** 2).sum() > freedom)

    low, high = 0.0, 0.0 if not beyond(0.0) else MOST_OFF
    while high - low > CLOSE_OFF:
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle) else (low, middle)
    return whitening(luck + high**2 * between), high


def _errors(real: Array, units: Array, metrics: Sequence[Metric], rules: Rules) -> Array:
    """Standard errors (m,) of the rows' means.

    By games and by maps, the larger counts: few maps tell little of what lies between them.
    """
    found = []
    for values, metric in zip(real.T, metrics, strict=True):
        bounds = metric.bounds(rules)
        by = [estimate_mean(values, None, own, bounds).error for own in (None, units)]
        found.append(max(x for x in by if x < math.inf))
    return np.array(found)


def _bootstrap(
    real: Array, units: Array, cells: Array, turn: Array, found: Array, seed: int
) -> tuple[Array, Array]:
    """Ends of each weight's 95 % interval: maps drawn anew, games in them, games in the cells."""
    rng = np.random.default_rng(seed_of(seed, "bootstrap"))
    groups = [np.flatnonzero(units == unit) for unit in np.unique(units)]
    p, _, games, m = cells.shape
    flat = cells.reshape(p * p, games, m)
    weights = []
    for _ in range(REPEATS):
        drawn = [groups[k] for k in rng.integers(len(groups), size=len(groups))]
        picked = np.concatenate([rng.choice(group, group.size) for group in drawn])
        means = [cell[rng.integers(games, size=games)].mean(axis=0) for cell in flat]
        target = real[picked].mean(axis=0)
        starts = [found, np.full(p, 1 / p)]
        weights.append(nearest_mix(target @ turn, np.reshape(means, (p, p, m)) @ turn, starts))
    low, high = np.quantile(weights, ENDS, axis=0)
    return np.minimum(low, found), np.maximum(high, found)


def _misfits(
    metrics: Sequence[Metric], real: Array, errors: Array, cells: Array, weights: Array
) -> Iterator[Misfit]:
    """Every metric, the farthest first."""
    games = cells.shape[2]
    means, noise = cells.mean(axis=2), cells.var(axis=2) / games
    shares = np.outer(weights, weights) ** 2
    every = np.hypot(errors, np.sqrt(np.einsum("ij,ijm->m", shares, noise)))
    mix, rows = mixed(weights, means), real.mean(axis=0)
    every = np.maximum(every, NO_SPREAD * (abs(mix) + abs(rows)))
    apart = (mix - rows) / np.where(every > 0, every, 1)  # 0 in both: no miss
    for k in np.argsort(-abs(apart), kind="stable"):
        target, cell = real[:, k].mean(), means[..., k : k + 1]
        least = apart[k]
        if abs(least) > FAR:
            best = nearest_mix(np.array([target]), cell, corners(len(weights)))
            least = (mixed(best, cell)[0] - target) / every[k]
        yield Misfit(metrics[k], float(target), float(mix[k]), float(apart[k]), float(least))
