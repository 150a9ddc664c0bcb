"""What came out of a tournament: ratings, who beat whom, what was lost by more than the game."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from lab.metrics import FIRST_SCORE
from lab.stats.estimate import RATE, Estimate, estimate_mean
from lab.stats.ratings import rate

CLUSTER = "map_seed"
NUMBERS = ("value", "low", "high", "n", "distinct", "clusters")


@dataclass(frozen=True)
class Summary:
    """Three tables of a tournament.

    `ratings`, best first: bot, its Elo with its interval (value, low, high), n games, distinct
    histories, clusters (maps), score a game, forfeits (games lost by something else than the game),
    refused (orders left out). `cross`: a row a pair that met, in both orders: bot, rival, the bot's
    score against it with its interval, n, distinct, clusters. `causes`: bot, cause with its names
    and numbers left out, games lost by it, the first of these games.
    """

    ratings: pl.DataFrame
    cross: pl.DataFrame
    causes: pl.DataFrame


def summary(games: pl.DataFrame) -> Summary:
    """Sum up a tournament's table; games on one map are one unit of every interval."""
    seats = _by_bot(games)
    ratings = _ratings(games, seats)
    order = {bot: place for place, bot in enumerate(ratings["bot"])}
    return Summary(ratings, _cross(seats, order), _causes(seats, order))


def _by_bot(games: pl.DataFrame) -> pl.DataFrame:
    """A row a game and seat, as its bot sees it."""
    worth = pl.Series(FIRST_SCORE.value(games))
    seats = [
        games.select(
            "game",
            "history",
            CLUSTER,
            bot=pl.col(seat),
            rival=pl.col(other),
            score=score,
            cause=pl.col(f"cause_{seat}"),
            refused=pl.col(f"refused_{seat}"),
        )
        for seat, other, score in (("first", "second", worth), ("second", "first", 1 - worth))
    ]
    return pl.concat(seats).sort("game", maintain_order=True)


def _ratings(games: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    bots = seats["bot"].unique().sort().to_list()
    place = {bot: index for index, bot in enumerate(bots)}
    pairs = [
        games[seat].replace_strict(place, return_dtype=pl.Int64) for seat in ("first", "second")
    ]
    found = rate(np.column_stack(pairs), FIRST_SCORE.value(games), games[CLUSTER], len(bots))
    rated = pl.DataFrame(
        [{"bot": bot} | _numbers(one) for bot, one in zip(bots, found, strict=True)]
    )
    sums = seats.group_by("bot").agg(
        distinct=pl.col("history").n_unique(),
        score=pl.col("score").mean(),
        forfeits=pl.col("cause").count(),
        refused=pl.col("refused").sum(),
    )
    return (
        rated.drop("distinct")
        .join(sums, on="bot")
        .sort("value", "bot", descending=[True, False])
        .select("bot", *NUMBERS, "score", "forfeits", "refused")
    )


def _cross(seats: pl.DataFrame, order: dict[str, int]) -> pl.DataFrame:
    rows = []
    for (bot, rival), games in seats.group_by("bot", "rival", maintain_order=True):
        found = estimate_mean(games["score"], games["history"], games[CLUSTER], RATE)
        rows.append({"bot": bot, "rival": rival} | _numbers(found))
    rows.sort(key=lambda row: (order[row["bot"]], order[row["rival"]]))
    return pl.DataFrame(rows)


def _causes(seats: pl.DataFrame, order: dict[str, int]) -> pl.DataFrame:
    lost = seats.filter(pl.col("cause").is_not_null()).with_columns(
        pl.col("cause").map_elements(kind_of, return_dtype=pl.String)
    )
    rows = lost.group_by("bot", "cause").agg(
        lost=pl.len().cast(pl.Int64), game=pl.col("game").min()
    )
    place = pl.col("bot").replace_strict(order, return_dtype=pl.Int64)
    return rows.sort(place, pl.col("lost"), pl.col("cause"), descending=[False, True, False])


def kind_of(cause: str) -> str:
    """A cause without the day, the words of the program and the numbers, to count its like."""
    text = re.sub(r"^day \d+: ", "", cause)
    text = re.sub(r'"(\\.|[^"\\])*"', "...", text)
    return re.sub(r"-?\d+", "N", text)


def _numbers(found: Estimate) -> dict[str, Any]:
    return {name: getattr(found, name) for name in NUMBERS}
