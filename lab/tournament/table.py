"""The table of a finished tournament: one row a game, with simulate's columns and the bots'."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from lab.errors import bad, write_atomic
from lab.game import Game
from lab.jit import blank
from lab.selfplay import as_frame
from lab.tournament.journal import Entry

OWN = {
    "first": pl.String,  # bots by name
    "second": pl.String,
    "cause_first": pl.String,  # what the seat has lost by, null when it has not or by the game
    "cause_second": pl.String,
    "refused_first": pl.Int64,  # orders that were left out
    "refused_second": pl.Int64,
}
"""Columns behind those of simulate."""


def as_fields(row: Any) -> dict[str, Any]:
    """A record of a game's outcome as plain JSON."""
    return {name: row[name].tolist() for name in row.dtype.names if not name.startswith("_")}


def fill(row: Any, entry: Entry) -> bool:
    """Set a record of the game's outcome to a finished game; whether that fits."""
    try:
        for name, value in entry.row.items():
            row[name] = value
    except (OverflowError, TypeError, ValueError):
        return False
    row["game"] = entry.game
    return True


def frame_of(game: Game, entries: Iterable[Entry], games: int) -> pl.DataFrame:
    """All games of a tournament as a table, by their index.

    `ending` is null where a seat was in the wrong.
    """
    rows = blank(game.outcome, games)
    own: list[tuple[Any, ...]] = [()] * games
    for entry in entries:
        fill(rows[entry.game], entry)
        own[entry.game] = (entry.first, entry.second, *entry.causes, *entry.refused)
    ended = rows["ending"] >= 0
    rows["ending"] = rows["ending"] * ended
    played = as_frame(game, rows).with_columns(
        pl.when(pl.Series(ended, dtype=pl.Boolean)).then(pl.col("ending")).alias("ending")
    )
    return played.hstack(pl.DataFrame(own, schema=OWN, orient="row"))


def write_table(path: Path, frame: pl.DataFrame, about: Mapping[str, Any]) -> None:
    """A Parquet file with what it is about as JSON in its metadata under "lab", or nothing."""
    table: pa.Table = frame.to_arrow()
    told = {"lab": json.dumps(about, sort_keys=True)}
    write_atomic(
        path,
        lambda part: pq.write_table(table.replace_schema_metadata(told), part, compression="zstd"),
    )


def read_about(path: Path) -> dict[str, Any]:
    """What a tournament's table is about; BadInput when it is no such table."""
    try:
        about = json.loads((pq.read_metadata(path).metadata or {})[b"lab"])
    except (OSError, ValueError, LookupError, pa.ArrowException):
        about = None
    if not isinstance(about, dict) or "bots" not in about:
        raise bad(str(path), "no table of a tournament", "one, or a name that is free")
    return about


def read_table(path: Path) -> pl.DataFrame:
    """A tournament's table; BadInput when the file is no such table."""
    read_about(path)
    try:
        frame = pl.read_parquet(path, glob=False)
    except (OSError, pl.exceptions.PolarsError):
        raise bad(str(path), "a damaged table", "one that a tournament wrote") from None
    missing = [name for name in (*OWN, "map_seed", "winner") if name not in frame.columns]
    if missing:
        raise bad(str(path), f"no column {missing[0]}", "a table that a tournament wrote")
    return frame
