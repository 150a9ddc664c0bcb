"""How a verb shows what it found: tables, JSON, files."""

import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from lab.rules import Rules

PIPE_WIDTH = 400
"""Columns where the output is no terminal: lines are not to be broken there."""
GAP = 2
"""Blanks behind each column of a table."""

CELL = 6
"""Signs in a row of a heat cell: `100.0%` is the longest."""
NEUTRAL = (247, 247, 247)
LOW, HIGH = (239, 138, 98), (103, 169, 207)  # orange and blue: told apart by every eye


def _console() -> "Console":
    from rich.console import Console

    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(width=width, highlight=False, markup=False)


def print_table(columns: Sequence[str], rows: Iterable[Sequence["RenderableType"]]) -> None:
    """Print what `table` makes."""
    _console().print(table(columns, rows))


def table(columns: Sequence[str], rows: Iterable[Sequence["RenderableType"]]) -> "Table":
    """A table with a heading; a column whose name starts with `>` is aligned to the right.

    Where the terminal is narrow all columns but the first give way: names are there to be copied.
    """
    from rich.table import Table

    made = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    for place, column in enumerate(columns):
        made.add_column(
            column.lstrip(">"),
            justify="right" if column[0] == ">" else "left",
            no_wrap=place == 0,
            overflow="fold",
        )
    for row in rows:
        made.add_row(*row)
    return made


def print_json(value: Any) -> None:
    """One JSON document; what has no value (NaN, infinity) is null."""
    print(json.dumps(_finite(value), ensure_ascii=False, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def about(rules: "Rules") -> dict[str, Any]:
    """Which rules a JSON document is about."""
    return {"game": rules.game, "rules": rules.version, "fingerprint": rules.fingerprint}


def run_line(rules: "Rules", first: str, second: str, seed: int) -> str:
    """Which run it is, in words."""
    played = f"{rules.game} {rules.version} {rules.fingerprint}"
    return f"{played}, {first} against {second}, seed {seed}"


def said(games: int | range) -> int | str:
    """Games as `--games` names them."""
    return games if isinstance(games, int) else f"{games.start}:{games.stop}"


def grids(names: Sequence[str]) -> list[Sequence[str]]:
    """Names as the columns of heat cells beside them: one table, or several as wide as fit."""
    room = _console().width - max(map(len, names)) - GAP
    count = math.ceil(len(names) / max(1, room // (CELL + GAP)))
    size = math.ceil(len(names) / count)
    return [names[start : start + size] for start in range(0, len(names), size)]


def heat_cell(row: dict[str, Any]) -> "RenderableType":
    """A pair's score over its interval; below one half on orange, above on blue, as in reports."""
    from rich.text import Text

    value = row["value"]
    end = HIGH if value > 0.5 else LOW
    share = abs(2 * value - 1)
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(NEUTRAL, end, strict=True))
    interval = f"{100 * row['low']:.0f}–{100 * row['high']:.0f}"
    text = f"{f'{100 * value:.1f}%':^{CELL}}\n{interval:^{CELL}}"
    return Text(text, style=f"black on rgb({red},{green},{blue})")
