"""How fast the lab is: a table on the screen, and the same as bench.json."""

import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench import ants, junqi, next_nation, wargambit, yardstick
from tests.bench.harness import Best, Row, ruler, verb

CASES = {
    "compiled": ruler(yardstick.compiled),
    "plain": ruler(yardstick.plain),
    **ants.CASES,
    **next_nation.CASES,
    **wargambit.CASES,
    **junqi.CASES,
    "help": verb("--help"),
}


def rows(best: Best) -> list[Row]:
    return [
        *ants.rows(best),
        *next_nation.rows(best),
        *wargambit.rows(best),
        *junqi.rows(best),
        best.duration("lab --help", "help", 0.5),
        best.rate("yardstick, compiled", "runs", "compiled", None, ""),
        Row("yardstick, plain", "runs/s", best("plain", "runs"), None, None, 1.0, ""),
    ]


def show(found: list[Row]) -> None:
    table = Table("name", box=None, header_style="bold")
    for heading in ("ours", "peer", "ratio", "per yardstick"):
        table.add_column(heading, justify="right")
    table.add_column("peer is")
    for row in found:
        numbers = (f"{_short(row.ours)} {row.unit}", _short(row.peer), _short(row.ratio))
        table.add_row(row.name, *numbers, _short(row.per_yardstick), row.against)
    Console(width=140, highlight=False).print(table)


def _short(number: float | None) -> str:
    if number is None:
        return "–"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


if __name__ == "__main__":
    with next_nation.own_pool():
        found = rows(Best(CASES))
    show(found)
    Path("bench.json").write_text(json.dumps([asdict(row) for row in found], indent=2) + "\n")
