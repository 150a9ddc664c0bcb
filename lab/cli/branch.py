"""The verb that asks what one decision was worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from lab.cli.options import (
    AsJson,
    First,
    GameName,
    Jobs,
    RulesName,
    Second,
    Seed,
    Settings,
    pair_of,
    read_games,
    read_rules,
)
from lab.cli.show import about, print_json, print_table, said
from lab.cli.watch import Watch, announce_compiling
from lab.errors import bad

if TYPE_CHECKING:
    from lab.branch import Asked, Branched, Change, Tale
    from lab.decisions import Recorded
    from lab.rules import Rules

SEATS = ("first", "second")


def branch(
    game: GameName,
    do: Annotated[
        str, Option(metavar="ACTION", help="What is done instead: an action, or a kind of it.")
    ],
    run: Annotated[
        Path | None, Argument(metavar="RUN.json", help="A run that `lab trace --out` wrote.")
    ] = None,
    clock: Annotated[
        int | None, Option("--round", metavar="R", help="The round or day, else each by itself.")
    ] = None,
    instead: Annotated[
        str | None,
        Option("--instead-of", metavar="KIND", help="The kind of the decision, else any."),
    ] = None,
    seat: Annotated[Literal["first", "second"], Option(help="Whose decision.")] = "first",
    games: Annotated[
        str | None, Option(metavar="N|A:B", help="Ask it in so many games, not in the one.")
    ] = None,
    metric: Annotated[
        list[str] | None,
        Option(metavar="M|FORMULA", help="What is measured then; repeatable."),
    ] = None,
    rules: RulesName = None,
    settings: Settings = None,
    first: First = None,
    second: Second = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    json: AsJson = False,
) -> None:
    """Change one decision and play on: in a run that was kept, or in many games.

    The first decision of the round that is of the kind, or at which the action is legal, is
    replaced; the rest is played by the same policies under the same chance. Of many games the
    differences are paired, with their 95 % intervals.
    """
    from lab.branch import Change
    from lab.decisions import read

    setting = read_rules(game, rules, settings) if rules or settings or run is None else None
    told = None if run is None else read(run, setting)
    change = Change(do, instead, clock, SEATS.index(seat))
    if told is not None and told.game.name != game:
        raise bad(f"{run} /game", told.game.name, game)
    announce_compiling()
    if games is None:
        if told is None:
            raise bad("branch", "no run", "RUN.json, or --games to ask it in many games")
        given = {"--first": first, "--second": second, "--metric": metric, "--seed": seed}
        for option, value in given.items():
            if value:
                raise bad(option, "it beside a run of a file", "--games too, or the file alone")
        _tell_run(told, change, json)
        return
    if told is not None:
        setting = told.rules
        if told.policies is None and not (first and second):
            raise bad(f"{run} /policies", "null", "policies in the file, or --first and --second")
        first, second = first or (told.policies or ("",))[0], second or (told.policies or ("",))[-1]
    assert setting is not None
    pair = pair_of(game, first, second)
    _tell_games(setting, pair, change, games, seed, jobs, metric or [], json)


# --- one run ------------------------------------------------------------------------------------


def _tell_run(run: "Recorded", change: "Change", json: bool) -> None:
    from lab.branch import branch

    found = branch(run, change)
    if json:
        which = about(run.rules) | {"policies": run.policies and list(run.policies)}
        which |= {"seed": run.seed, "index": run.index, "seat": SEATS[change.seat]}
        which |= {run.game.clock: found.clock, "was": found.was, "becomes": found.becomes}
        print_json(which | {"played": _told(found.played), "branch": _told(found.branch)})
        return
    rows = found.played.row, found.branch.row
    differs = {key: (rows[0][key], rows[1][key]) for key in rows[0] if rows[0][key] != rows[1][key]}
    print(f"{run.game.clock} {found.clock}: {found.becomes} instead of {found.was}")
    print_table(
        ("outcome", ">as it was", ">branch"),
        [(key, *(str(x).lower() for x in both)) for key, both in differs.items()],
    )
    _print_curves(run, found)
    if not found.branch.here.over:
        print("the file's decisions end before the branch does")
    if found.branch.left_out:
        print(f"left out as no longer legal: {found.branch.left_out} of the file's decisions")


def _told(tale: "Tale") -> dict[str, Any]:
    """A game as plain data; `history`, which a JSON number may not hold, as runs' files have it."""
    game, row = tale.here.game, tale.row
    return {
        "over": tale.here.over,
        "left_out": tale.left_out,
        "outcome": row | {"history": f"{row['history']:016x}"},
        "curves": [
            {game.clock: clock} | dict(zip(game.curves, values, strict=True))
            for clock, values in tale.curves.items()
        ],
    }


def _print_curves(run: "Recorded", found: "Branched") -> None:
    """By clock the curves that differ, as it was and in the branch."""
    played, other = found.played.curves, found.branch.curves
    both = sorted(played.keys() & other.keys())
    moved = [
        i
        for i in range(len(run.game.curves))
        if any(played[clock][i] != other[clock][i] for clock in both)
    ]

    def cell(clock: int, i: int) -> str:
        values = [str(tale[clock][i]) if clock in tale else "–" for tale in (played, other)]
        return values[0] if values[0] == values[1] else " → ".join(values)

    if moved:
        print_table(
            (run.game.clock, *(f">{run.game.curves[i]}" for i in moved)),
            [
                (str(clock), *(cell(clock, i) for i in moved))
                for clock in sorted(played.keys() | other.keys())
                if clock >= found.clock
            ],
        )


# --- many games ---------------------------------------------------------------------------------


def _tell_games(
    rules: "Rules",
    pair: tuple[str, str],
    change: "Change",
    games: str,
    seed: int,
    jobs: int,
    metrics: list[str],
    json: bool,
) -> None:
    from lab.branch import branch_games
    from lab.catalog import load_game

    wanted = read_games(games)
    with Watch("games") as watch:
        found = branch_games(rules, *pair, change, wanted, seed, jobs, metrics, progress=watch)
    game = load_game(rules.game)
    clock = game.clock
    which = about(rules) | {"first": pair[0], "second": pair[1], "seed": seed}
    if json:
        asked = {"do": change.do, "instead_of": change.instead, "seat": SEATS[change.seat]}
        rows = [_plain(clock, one) for one in found]
        print_json(which | {"games": said(wanted)} | asked | {game.clocks: rows})
        return
    print_table(
        (clock, ">games", ">done already", "metric", ">as it was", ">changed", ">apart", "95 %"),
        [row for asked in found for row in _rows(asked)],
    )
    instead = f" instead of its first {change.instead}" if change.instead else ""
    total = f"{found[0].games:,} games" if found else "no game"
    print(f"{change.do}{instead}, by the {SEATS[change.seat]} seat; {total} of")
    print(" ".join(f"{key}={value}" for key, value in which.items()))


def _rows(asked: "Asked") -> list[tuple[str, ...]]:
    """A line a metric; what is the same for all of them stands in the first."""
    from lab.report.words import amount, apart

    head = (str(asked.clock), f"{asked.arose:,}", f"{asked.anyhow:,}")
    rows: list[tuple[str, ...]] = []
    for one in asked.paired:
        unit, found = one.metric.unit, one.difference
        values = amount(one.played, unit), amount(one.changed, unit)
        interval = f"{apart(found.low, unit)} to {apart(found.high, unit)}" if asked.arose else "–"
        rows.append((*head, one.metric.name, *values, apart(found.value, unit), interval))
        head = ("", "", "")
    return rows


def _plain(clock: str, asked: "Asked") -> dict[str, Any]:
    keys = ("value", "low", "high", "n", "distinct", "clusters")
    return {clock: asked.clock, "games": asked.games, "arose": asked.arose} | {
        "so_anyway": asked.anyhow,
        "metrics": {
            one.metric.name: {
                "played": one.played,
                "changed": one.changed,
                "difference": {key: getattr(one.difference, key) for key in keys},
            }
            for one in asked.paired
        },
    }
