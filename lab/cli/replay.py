"""Verbs about matches that the organisers' judge recorded."""

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from lab.cli.options import AsJson, RulesName, within
from lab.cli.show import print_json, print_table
from lab.cli.trace import Html, write_page
from lab.cli.watch import Watch, announce_compiling
from lab.errors import BadInput, bad, write_atomic, write_text

if TYPE_CHECKING:
    from lab.games.next_nation.log import Day
    from lab.play import Position
    from lab.replay import Checked
    from lab.rules import Rules

LAST = 10_000  # of days
Logs = Annotated[list[Path], Argument(metavar="LOG...", help="Logs as the organisers write them.")]


def check(logs: Logs, rules: RulesName = None, json: AsJson = False) -> None:
    """Check that matches come out the same.

    The orders of each log are played again, and every row but TIME is compared, and the result:
    with the kernels, and in a checkout also with the plain-Python reference of its tests; the line
    of a log says which. Status 1 when something differs, 2 when a file is no log. A log that is cut
    short is compared as far as it goes.
    """
    from lab.catalog import load_rules
    from lab.replay import GAME, Check

    announce_compiling()
    engine, told, status = Check(load_rules(GAME, rules)), [], 0
    with Watch("logs") as watch:
        for done, path in enumerate(logs, 1):
            try:
                found = engine(path)
            except BadInput as error:
                print(f"lab: {error}", file=sys.stderr)
                status = 2
                continue
            if found.first:
                status = max(status, 1)
            if json:
                told.append({"log": str(path)} | _as_json(found))
            else:
                print(f"{path}: {_line(found)}", flush=True)
            watch(done, len(logs))
    if json:
        print_json(told)
    if status:
        raise typer.Exit(status)


def _as_json(found: "Checked") -> dict[str, Any]:
    result = found.log.result
    return {
        "days": found.days,
        "rows": found.rows,
        "mismatches": found.mismatches,
        "first": found.first or None,
        "fits": found.fits or None,
        "result": result and " ".join(result),
        "complete": found.log.complete,
        "debug_lines": found.log.debug,
    }


def _line(found: "Checked") -> str:
    """How a log fits, in one line."""
    counts = found.mismatches
    if found.first:
        wrong = "mismatches: " + ", ".join(f"{count} in {name}" for name, count in counts.items())
    else:
        wrong = f"0 mismatches in {' and '.join(counts)}"
    result = found.log.result
    end = "cut short" if result is None else " ".join(result)
    parts = [_count(found.days, "day"), _count(found.rows, "row"), wrong, end]
    if found.log.debug:
        parts.append(_count(found.log.debug, "debug line"))
    line = ", ".join(parts)
    if found.first:
        line += f"; first in {found.first}"
    return line + (f"; it fits {found.fits}" if found.fits else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def show(
    log: Annotated[Path, Argument(metavar="LOG", help="A log as the organisers write it.")],
    day: Annotated[
        int | None,
        Option(metavar="D", callback=within("day", 1, LAST), help="Its morning; from 1."),
    ] = None,
    rules: RulesName = None,
    svg: Annotated[Path | None, Option(metavar="FILE", help="Draw the position, too.")] = None,
    html: Html = None,
) -> None:
    """Show a morning of a match, or with --html all of it.

    The position, the orders and what came of them. The day behind the last one shows the end.
    """
    from lab.catalog import load_rules
    from lab.games.next_nation.log import read
    from lab.replay import GAME, position_of

    announce_compiling()
    setting = load_rules(GAME, rules)
    if html is not None:
        _watch(html, log, setting, {"--day": day, "--svg": svg})
        return
    if day is None:
        raise bad("show", "no --day", "--day D, or --html FILE for all days")
    match = read(log)
    here = position_of(match, setting, day, str(log))
    if svg is not None:
        write_text(svg, here.game.view.svg(here.record, here.state, None))
    known = match.days[day - 1] if day <= len(match.days) else None
    print(f"{log}, {f'morning of day {day}' if known else 'the end'}, rules {setting.version}")
    print_table(("side", "LEFT", "RIGHT"), _table(here, known))
    if known is None:
        print("RESULT " + " ".join(match.result) if match.result else "cut short")
    elif known.rows is None:
        print("not played: an order is illegal")
    else:
        print("\n".join(known.rows) or "nothing happened")


def _watch(path: Path, log: Path, rules: "Rules", told: dict[str, Any]) -> None:
    from lab.viewer.logs import match

    for name, value in told.items():
        if value is not None:
            raise bad("show", f"{name} beside --html", "one of them")
    write_page(path, match(log, rules), f"{log}, rules {rules.version}")


def _table(here: "Position", day: "Day | None") -> list[tuple[str, str, str]]:
    """Row by row what each side has."""
    state, sides = here.state, (0, 1)
    rows = [
        ("gold", [str(state["gold"][side]) for side in sides]),
        ("HQ", [_building(state, side, side) for side in sides]),
        ("bases", [_bases(here, side) for side in sides]),
        ("warriors", [_warriors(here, side) for side in sides]),
    ]
    if day is not None:
        rows.append(("orders", ["\n".join(orders) for orders in day.orders]))
    return [(name, left or "-", right or "-") for name, (left, right) in rows]


def _building(state: Any, side: int, site: int) -> str:
    level, hp = state["level"][side, site], state["hp"][side, site]
    return f"level {level}, {hp} hp" if level else ""


def _bases(here: "Position", side: int) -> str:
    world, state = here.record["maps"][0], here.state
    sites = [site for site in range(2, world["sites"]) if state["level"][side, site]]
    return "\n".join(f"{world['place'][site]}: {_building(state, side, site)}" for site in sites)


def _warriors(here: "Position", side: int) -> str:
    """By region, with the hp of each and where it is going."""
    from lab.games.next_nation.rows import LETTERS

    state = here.state
    living = state["living"][side]
    keys = ("number", "place", "health", "target")
    regions: dict[int, list[str]] = defaultdict(list)
    for number, place, hp, target in zip(*(state[key][side, :living] for key in keys), strict=True):
        way = f" to {target}" if target >= 0 else ""
        regions[place].append(f"{LETTERS[side]}{number} ({hp} hp{way})")
    return "\n".join(f"{region}: {', '.join(regions[region])}" for region in sorted(regions))


def measure(
    logs: Logs,
    out: Annotated[Path, Option(metavar="FILE", help="A .parquet or .csv file.")],
    rules: RulesName = None,
) -> None:
    """Make a table of matches.

    It has the columns of `lab simulate --out`, so that both can stand in one. Column `game` is a
    log's place among those given, from 0. The seeds of maps are not known: `map_seed` is a number
    below 0 made from the map. Matches without an end of the game's own are left out: cut short,
    lost by the clock or by an illegal order, or of other rules.
    """
    from lab.catalog import load_rules
    from lab.replay import GAME
    from lab.replay import measure as replay_all
    from lab.report.words import count
    from lab.selfplay import table_path

    table_path(out)
    announce_compiling()
    with Watch("logs") as watch:
        frame, left_out = replay_all(logs, load_rules(GAME, rules), watch)
    for path, why in left_out.items():
        print(f"{path}: left out, {why}")
    write_atomic(out, frame.write_csv if out.suffix == ".csv" else frame.write_parquet)
    print(f"{out}: {count(frame.height, 'game')}")
