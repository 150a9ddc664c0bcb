"""What seats have, round by round: means and, if wanted, how far games lie apart."""

from collections.abc import Sequence
from typing import Any

import joblib
import numpy as np
import polars as pl

from lab import selfplay
from lab.catalog import load_game
from lab.doors.function import Player, named
from lab.errors import bad
from lab.play import play_rows
from lab.rules import Rules

PIECE = 100
"""Games that a worker plays in one go."""


def curves(
    rules: Rules,
    first: Player,
    second: Player,
    games: selfplay.Games = 1000,
    seed: int = 0,
    jobs: int = 1,
    quantiles: Sequence[float] = (),
) -> pl.DataFrame:
    """By clock (round or day): n games that reached it, and the mean of each of `Game.curves`.

    With `quantiles`, such as (0.05, 0.5, 0.95), also those of the games that reached it, as columns
    NAME_q5, NAME_q50, NAME_q95; then every game's course is kept, 4 bytes for each of its numbers.
    """
    for quantile in quantiles:
        if not 0 <= quantile <= 1:
            raise bad("quantiles", f"{quantile:g}", "numbers from 0 to 1")
    if not quantiles:
        return selfplay.curves(rules, first, second, games, seed, jobs)
    named("quantiles", (first, second))
    game, indices = load_game(rules.game), selfplay.as_range(games)
    policies = game.policy_rows(str(first), str(second), rules)
    blocks = selfplay.blocks_of(indices.start, indices.stop, min(game.block or PIECE, PIECE))
    with joblib.Parallel(n_jobs=jobs, prefer="threads") as workers:
        pieces = workers(joblib.delayed(_courses)(rules, policies, seed, block) for block in blocks)
    longest = max(piece.shape[1] for piece in pieces)
    courses = np.concatenate(
        [np.pad(piece, ((0, 0), (0, longest - piece.shape[1]), (0, 0))) for piece in pieces]
    )
    table = selfplay.curve_table(game, courses.sum(axis=0, dtype=np.int64))
    return table.with_columns(_quantiles(courses, game.curves, table["clock"], quantiles))


def _courses(rules: Rules, policies: Any, seed: int, block: range) -> np.ndarray[Any, Any]:
    """Shape (games, clocks, 1 + curves): a game's numbers at each clock behind a 1, else 0."""
    game = load_game(rules.game)
    record = selfplay.record_of(game, rules, seed, block)
    each = [play_rows(game, record, policies, seed, index, 1)[1] for index in block]
    courses = np.array(each, dtype=np.int32)
    reached: np.ndarray[Any, Any] = np.flatnonzero(courses[:, :, 0].any(axis=0))
    return courses[:, : reached[-1] + 1]


def _quantiles(
    courses: np.ndarray[Any, Any], names: Sequence[str], clocks: pl.Series, wanted: Sequence[float]
) -> list[pl.Series]:
    """A column a curve and quantile, over the games that reached each clock."""
    found = np.array(
        [
            np.quantile(courses[courses[:, clock, 0] > 0, clock, 1:], wanted, axis=0)
            for clock in clocks
        ]
    )
    return [
        pl.Series(f"{name}_q{100 * quantile:g}", found[:, row, place])
        for place, name in enumerate(names)
        for row, quantile in enumerate(wanted)
    ]
