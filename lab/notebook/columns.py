"""The columns of a frame, explained."""

from typing import Any

import polars as pl

from lab.catalog import load_game
from lab.errors import bad
from lab.frames import columns_of, game_of

BESIDE = {
    "rules": "The version of the rules that the game was played by.",
    "first": "Who played the first seat.",
    "second": "Who played the second seat.",
    "seed": "Seed of the game's run.",
    "cause_first": "What the first seat lost by; null when it has not, or by the game.",
    "cause_second": "What the second seat lost by; null when it has not, or by the game.",
    "refused_first": "Orders of the first seat that were left out.",
    "refused_second": "Orders of the second seat that were left out.",
}
"""Columns that tables have beside a game's own."""


SHOWN: dict[str, Any] = {
    "tbl_rows": -1,
    "tbl_cols": -1,
    "tbl_width_chars": 160,
    "fmt_str_lengths": 1000,
    "tbl_hide_dataframe_shape": True,
    "tbl_hide_column_data_types": True,
}


class Whole(pl.DataFrame):
    """A frame that shows all of its rows, and every word of them."""

    def __str__(self) -> str:
        with pl.Config(**SHOWN):
            return super().__str__()

    def _repr_html_(self, **options: Any) -> str:
        with pl.Config(**SHOWN):
            return str(super()._repr_html_(**options))


def columns(frame: pl.DataFrame | pl.LazyFrame, game: str | None = None) -> pl.DataFrame:
    """Name, type, unit and meaning of every column of a frame of games, a row each.

    The columns themselves tell which game it is, unless a part of them is left; then `game` does.
    What nobody explains, such as a column of one's own, has no meaning. BadInput names a frame
    without any column of games.
    """
    schema = frame.collect_schema()
    known = game_of(schema) if game is None else load_game(game)
    own = columns_of(known) if known else {}
    if known is None and not set(schema) & {"winner", "ending", "history"}:
        found = ", ".join(schema) or "nothing"
        raise bad("columns", f"a frame with {found}", "one of games, or game= for a part of it")
    rows = []
    for name, kind in schema.items():
        column = own.get(name)
        meaning = column.sentence if column else BESIDE.get(name, "")
        rows.append((name, str(kind.base_type()), column.unit if column else "", meaning))
    return Whole(rows, schema=["name", "type", "unit", "meaning"], orient="row")
