"""A game in the cell of a notebook: `trace` plays it again, `show` finds it by its row."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import polars as pl

from lab import viewer
from lab.catalog import load_game
from lab.doors.function import named
from lab.errors import bad
from lab.origins import Origin, origin_of
from lab.play import trace as play_again
from lab.rules import Rules
from lab.selfplay import as_frame
from lab.viewer.games import check

HEIGHT = 760
"""Pixels of the frame in the cell."""


@dataclass(frozen=True)
class Shown:
    """One game of a run, to be looked at: Jupyter shows its page, `actions` is a table of it."""

    origin: Origin
    index: int

    @cached_property
    def page(self) -> str:
        """The game as a page of its own."""
        rules, first, second, seed, _ = self.origin
        return viewer.page(viewer.game(rules, first, second, seed, self.index))

    @cached_property
    def actions(self) -> pl.DataFrame:
        """A row an action: ply, clock, seat, action, and the position that it led to."""
        here, actions, _ = _again(self.origin, self.index)
        rows = []
        for ply, action in enumerate(actions, start=1):
            mover, clock, _ = here.look()
            text = here.game.view.action_text(here.record, action)
            here.play(action)
            rows.append((ply, clock, ("first", "second")[mover], text, here.text()))
        names = ["ply", here.game.clock, "seat", "action", "position"]
        return pl.DataFrame(rows, schema=names, orient="row")

    def __repr__(self) -> str:
        rules, first, second, seed, _ = self.origin
        _, _, rows = _again(self.origin, self.index)
        row = as_frame(load_game(rules.game), rows).row(0, named=True)
        end = f"{row['winner']}, {row['ending']}, after {row['length']}"
        version = f"{rules.version} with changes" if rules.changes else rules.version
        run = f"{rules.game} {version}, {first} against {second}, seed {seed}"
        return f"{run}, game {self.index}: {end} {load_game(rules.game).clocks}"

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{HEIGHT}px;border:0"
        title = escape(repr(self), quote=True)
        return f'<iframe srcdoc="{escape(self.page, quote=True)}" style="{style}" title="{title}">\
</iframe>'


def trace(rules: Rules, first: str, second: str, seed: int = 0, game: int = 0) -> Shown:
    """Game `game` of a run once more; BadInput as `simulate`, and for a function as a player."""
    named("trace", (first, second))
    check(seed, game)
    load_game(rules.game).policy_rows(first, second, rules)
    return Shown(Origin(rules, first, second, seed, range(game, game + 1)), game)


def show(
    row: pl.DataFrame | Mapping[str, Any],
    rules: Rules | None = None,
    first: str | None = None,
    second: str | None = None,
    seed: int | None = None,
) -> Shown:
    """The game of a row: a frame of one row, such as games[3], or a mapping of its columns.

    Its run has been played by `simulate` or read by `read` in this notebook; else all of `rules`,
    `first`, `second` and `seed` are to be given. BadInput where the row is not of that run.
    """
    if isinstance(row, pl.DataFrame):
        if row.height != 1:
            raise bad("row", f"a frame of {row.height:,} rows", "one row, such as games[3]")
        row = row.row(0, named=True)
    if not isinstance(row, Mapping):
        raise bad("row", type(row).__name__, "a frame of one row, such as games[3]")
    told = (rules, first, second, seed)
    if all(one is None for one in told):
        return Shown(*origin_of(row))
    if rules is None or first is None or second is None or seed is None:
        raise bad("row", "a part of its run", "rules, first, second and seed, or none of them")
    load_game(rules.game).policy_rows(first, second, rules)
    return Shown(*origin_of(row, Origin(rules, first, second, seed, range(0))))


def _again(origin: Origin, index: int) -> Any:
    """Start, actions and row, as `lab.play.trace`."""
    game = load_game(origin.rules.game)
    return play_again(game, origin.rules, origin.first, origin.second, origin.seed, index)
