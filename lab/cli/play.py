"""Verbs that play."""

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from lab.cli.battle import arena_of, has_battles, is_fen
from lab.cli.options import (
    AsJson,
    Chunk,
    Dask,
    First,
    GameName,
    Games,
    Jobs,
    Metrics,
    PositionText,
    RulesName,
    Second,
    Seed,
    Settings,
    pair_of,
    read_games,
    read_rules,
    within,
)
from lab.cli.show import about, grids, heat_cell, print_json, print_table, run_line, said
from lab.cli.watch import Watch, announce_compiling, stoppable
from lab.errors import bad

if TYPE_CHECKING:
    from lab.play import Position
    from lab.rules import Rules
    from lab.until import Known

DEEPEST = 20  # of perft: more would take years in any game


def simulate(
    game: GameName,
    rules: RulesName = None,
    settings: Settings = None,
    first: First = None,
    second: Second = None,
    games: Annotated[
        str | None,
        Option(
            metavar="N|A:B",
            help="How many games (1000), or the indices A to B - 1 of a run; with --until at most "
            "(10,000,000).",
        ),
    ] = None,
    until: Annotated[
        str | None,
        Option(
            metavar="METRIC+-X",
            help="Play until the metric is known to X: of a share in points "
            "(first_score+-0.2 is 0.2 of 100), of others in their unit.",
        ),
    ] = None,
    metrics: Metrics = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    dask: Dask = None,
    chunk: Chunk = 5000,
    out: Annotated[
        Path | None, Option(metavar="FILE", help="Every game as a row of a .parquet or .csv file.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Play many games and measure them."""
    from lab.catalog import load_game
    from lab.cluster import playing_on
    from lab.metrics import measure, metric_of
    from lab.selfplay import Interrupted
    from lab.selfplay import simulate as play_all

    setting = read_rules(game, rules, settings)
    wanted = read_games("1000" if games is None else games)
    first, second = pair_of(game, first, second)
    asked = [metric_of(load_game(game), text, "--metric") for text in metrics or ()]
    announce_compiling()
    with playing_on(dask, jobs) as cores, Watch("games") as watch:
        played, known = None, None
        if until is not None:
            most = None if games is None else wanted
            known = _known(setting, first, second, until, most, seed, cores, chunk, out)
            played, wanted = known.frame, known.games
        try:
            if played is None:
                played = play_all(setting, first, second, wanted, seed, cores, chunk, out, watch)  # type: ignore[arg-type]
        except Interrupted as stop:
            raise KeyboardInterrupt(str(stop)) from None
    rows = measure(played, asked or None, rules=setting).to_dicts()
    if json:
        keys = ("value", "low", "high", "n", "distinct", "clusters")
        found = {row["metric"]: {key: row[key] for key in keys} for row in rows}
        pair = {"first": first, "second": second, "games": said(wanted), "seed": seed}
        told = {} if known is None else {"until": known.facts}
        print_json(about(setting) | pair | told | {"metrics": found})
    else:
        _print_measures(rows)
        print(run_line(setting, first, second, seed), end=", ")
        print(f"{rows[0]['n']:,} games, {rows[0]['distinct']:,} distinct histories")
        if known is not None:
            print(known.sentence)


def _known(
    rules: "Rules",
    first: str,
    second: str,
    text: str,
    most: int | range | None,
    seed: int,
    jobs: int,
    chunk: int,
    out: Path | None,
) -> "Known":
    """How many games it takes; they are kept unless a file is to hold them, for there are many."""
    from lab.selfplay import table_path
    from lab.until import MOST, play_until, read_goal

    goal = read_goal(text, rules)
    if isinstance(most, range):
        raise bad("games", said(most), "N with --until")  # type: ignore[arg-type]
    if out is not None and not table_path(out).parent.is_dir():
        raise bad(str(out), "no such folder", "a file that can be written")
    limit = MOST if most is None else most
    with Watch("games") as watch:
        pair = first, second
        return play_until(rules, *pair, goal, limit, seed, jobs, chunk, out is None, watch)


def _print_measures(rows: list[dict[str, Any]]) -> None:
    from lab.report.words import amount, span

    print_table(
        ("metric", ">mean", "95 % interval", ">n", ">distinct", ">clusters"),
        [
            (
                row["metric"],
                amount(row["value"], row["unit"]),
                span(row["low"], row["high"], row["unit"]) if row["n"] else "–",
                *(f"{row[key]:,}" for key in ("n", "distinct", "clusters")),
            )
            for row in rows
        ],
    )


def matrix(
    game: GameName,
    rules: RulesName = None,
    settings: Settings = None,
    policies: Annotated[
        str | None, Option(metavar="A,B,...", help="Else every policy that does not search.")
    ] = None,
    games: Games = "1000",
    seed: Seed = 0,
    jobs: Jobs = 1,
    dask: Dask = None,
    json: AsJson = False,
) -> None:
    """Play every policy in every seat."""
    from lab.catalog import load_game
    from lab.cluster import playing_on
    from lab.selfplay import matrix as play_all

    setting, wanted = read_rules(game, rules, settings), read_games(games)
    names = load_game(game).rivals() if policies is None else _names(policies)
    announce_compiling()
    with playing_on(dask, jobs) as cores, Watch("pairs") as watch:
        rows = play_all(setting, names, wanted, seed, cores, watch).to_dicts()
    if json:
        print_json(about(setting) | {"games": said(wanted), "seed": seed, "pairs": rows})
        return
    grid = {(row["first"], row["second"]): heat_cell(row) for row in rows}
    for part in grids(names):
        cells = [(one, *(grid.get((one, two), "–") for two in part)) for one in names]
        print_table(("first", *part), cells)
    least = min(rows, key=lambda row: row["distinct"])
    print("First seat's score (a draw is one half) over its 95 % interval, by the second seat's")
    counts = f"{rows[0]['n']:,} games a pair, at least {least['distinct']:,} distinct"
    if load_game(game).cluster:
        counts += f", {min(row['clusters'] for row in rows):,} clusters"
    print(f"policy; {counts}")


def _names(text: str) -> list[str]:
    """Policies between commas; `key=value` behind a comma still belongs to the policy before it."""
    return re.split(r",(?![^,:=]+=)", text)


def moves(
    game: GameName,
    position: PositionText = None,
    rules: RulesName = None,
    settings: Settings = None,
) -> None:
    """The legal actions of a position, one a line, sorted; a FEN is a battle's, its moves UCI."""
    setting = read_rules(game, rules, settings)
    if _of_battle(game, position):
        for move in arena_of(game, setting).moves(position):
            print(move)
        return
    here = _position(setting, position)
    for text in sorted(here.game.view.action_text(here.record, action) for action in here.legal()):
        print(text)


def perft(
    game: GameName,
    depth: Annotated[
        int,
        Option(metavar="D", callback=within("depth", 0, DEEPEST), help="Actions to look ahead."),
    ],
    position: PositionText = None,
    rules: RulesName = None,
    settings: Settings = None,
) -> None:
    """Count the lines of play of a length.

    The last line is the count alone. A game that ends earlier counts once.
    A FEN is a position of a battle.
    """
    setting = read_rules(game, rules, settings)
    if _of_battle(game, position):
        count = partial(arena_of(game, setting).perft, position)
    else:
        count = partial(_position(setting, position).perft)
    for less in range(1, depth):
        print(f"depth {less}: {stoppable(partial(count, less))}", flush=True)
    print(stoppable(partial(count, depth)))


def _of_battle(game: str, position: str | None) -> bool:
    return position is not None and is_fen(position) and has_battles(game)


def _position(rules: "Rules", text: str | None) -> "Position":
    from lab.catalog import load_game
    from lab.play import Position

    announce_compiling()
    here = Position(load_game(rules.game), rules)
    if text is not None:
        here.read(text)
    return here
