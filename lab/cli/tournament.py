"""The verb that lets bots and policies play one another."""

import math
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

from lab.cli.options import (
    AsJson,
    Clock,
    GameName,
    Jobs,
    OnIllegal,
    RulesName,
    Settings,
    read_games,
    read_rules,
)
from lab.cli.show import heat_cell, print_json, print_table
from lab.cli.watch import Watch, announce_compiling
from lab.errors import bad

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from lab.rules import Rules
    from lab.tournament import Bot, Outlook, Plan, Summary, Tournament

Pairing = Literal["all", "swiss", "random"]

SEEDS = "0:50"
MOST_MAPS = 20_000
HOUR = 3600
SHOWN = 20
"""Bots in the table of who beat whom: wider ones are for --json and notebooks."""


def tournament(
    game: GameName,
    bots: Annotated[Path, Argument(metavar="BOTS.toml", help="Who plays.")],
    seeds: Annotated[
        str | None, Option(metavar="N|A:B", help="Seeds of the maps, else 0:50.")
    ] = None,
    out: Annotated[Path, Option(metavar="FILE", help="A row a game, of a .parquet file.")] = Path(
        "games.parquet"
    ),
    pairing: Annotated[Pairing, Option(help="Who meets whom, from both sides.")] = "all",
    games_per_bot: Annotated[
        int | None, Option(metavar="K", help="Games of each bot, unless all meet all.")
    ] = None,
    pairs_from: Annotated[
        Path | None, Option(metavar="FILE", help="The pairs and maps of another tournament.")
    ] = None,
    rules: RulesName = None,
    settings: Settings = None,
    jobs: Jobs = 1,
    check: Annotated[bool, Option("--check", help="One game of each bot, and no more.")] = False,
    logs: Annotated[
        Path | None, Option(metavar="DIR", help="Every game's log, and what bots say on stderr.")
    ] = None,
    clock: Clock = "real",
    on_illegal: OnIllegal = "lose",
    yes: Annotated[bool, Option("--yes", help="Begin even what takes over an hour.")] = False,
    json: AsJson = False,
) -> None:
    """Let programs and policies play one another, and rate them.

    BOTS.toml has a [[bot]] for each: a policy = "economy", or a name and a command, with folder,
    env and build if need be, or a glob = "bots/*" with command = "python3 {path}/main.py".

    Every finished game is kept at once: the same command goes on after Ctrl-C and worse.
    """
    from lab.judge.match import Terms
    from lab.tournament import Interrupted, Tournament, judged, load_bots, run_tournament, summary

    setting = read_rules(game, rules, settings)
    entrants = load_bots(bots, judged(setting))
    if pairs_from is None:
        plan = _plan(setting, len(entrants), seeds, pairing, games_per_bot)
    else:
        given = {"seeds": seeds, "games-per-bot": games_per_bot, "pairing": pairing != "all"}
        plan = _paired(setting, entrants, pairs_from, [name for name in given if given[name]])
    terms = Terms(clock=clock == "real", drop=on_illegal == "drop")
    contest = Tournament(setting, entrants, plan, terms)
    announce_compiling()
    if check:
        _check(contest, logs, json)
        return
    if terms.clock and any(bot.command for bot in entrants):
        _warn_of_noise(jobs)
    with Watch("games") as watch:
        try:
            played = run_tournament(contest, out, jobs, logs, watch, _Gate(yes))
        except Interrupted as stop:
            raise KeyboardInterrupt(str(stop)) from None
    _tell(setting, summary(played), json)


# --- what is to be played -----------------------------------------------------------------------


def _plan(
    rules: "Rules", bots: int, seeds: str | None, pairing: Pairing, each: int | None
) -> "Plan":
    """The games that the options ask for, on the maps of all seeds that give one."""
    from lab.selfplay import as_range
    from lab.tournament import Plan, with_maps

    wanted = as_range(read_games(SEEDS if seeds is None else seeds))
    if len(wanted) > MOST_MAPS:
        raise bad("seeds", f"{len(wanted):,} of them", f"at most {MOST_MAPS:,}")
    good, bare = with_maps(rules, wanted)
    if bare:
        print(f"lab: no map for seed {', '.join(map(str, bare))}: left out", file=sys.stderr)
    return Plan(pairing, bots, good, each)


def _paired(rules: "Rules", bots: "Sequence[Bot]", path: Path, given: "Sequence[str]") -> "Plan":
    """The games of another tournament once more."""
    from lab.tournament import Plan, pairs_of, with_maps

    if given:
        raise bad("pairs-from", f"{given[0]} too", "it alone: it says who meets whom and where")
    pairs = pairs_of(path, bots)
    _, bare = with_maps(rules, sorted({seed for _, _, seed in pairs}))
    if bare:
        found = f"seed {bare[0]}, which gives no map by these rules"
        raise bad(str(path), found, "only seeds that do")
    return Plan("all", len(bots), pairs=pairs)


def _warn_of_noise(jobs: int) -> None:
    cores = os.cpu_count() or 1
    if 2 * jobs > cores:
        found = f"{2 * jobs} programs by the clock on {cores} cores may be late through no fault"
        print(f"lab: {found} of theirs; fewer --jobs or --clock off", file=sys.stderr)


class _Gate:
    """Says how many games there are and when they end, and asks where that takes over an hour."""

    def __init__(self, yes: bool) -> None:
        self.yes = yes

    def __call__(self, ahead: "Outlook") -> None:
        end = datetime.now().astimezone() + timedelta(seconds=ahead.seconds)
        far = ahead.seconds > 12 * HOUR
        until = f"{end:%Y-%m-%d %H:%M}" if far else f"{end:%H:%M}"
        played = f"{ahead.done:,} of them played, the others until about {until}"
        print(f"lab: {ahead.games:,} games, {played}", file=sys.stderr, flush=True)
        if ahead.seconds <= HOUR or self.yes:
            return
        hours = f"{ahead.seconds / HOUR:,.1f} hours"
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise bad("tournament", f"about {hours} to play", "--yes for more than an hour")
        if not typer.confirm(f"That is about {hours}. Begin?", err=True):
            raise KeyboardInterrupt


# --- what came out ------------------------------------------------------------------------------


def _check(contest: "Tournament", logs: Path | None, json: bool) -> None:
    """Status 1 when a bot has lost by something else than the game."""
    from lab.tournament import check

    with Watch("bots") as watch:
        found = check(contest, logs, watch)
    results = ("won", "lost", "drew")
    rows = [
        {
            "bot": entry.first,
            "rival": entry.second,
            "result": results[entry.row["winner"]],
            "days": entry.row["length"],
            "cause": entry.causes[0],
            "refused": entry.refused[0],
            "seconds": entry.seconds,
        }
        for entry in found
    ]
    if json:
        print_json(rows)
    else:
        print_table(
            ("bot", "rival", "result", ">days", ">refused", ">seconds", "cause of the loss"),
            [
                (
                    *(str(row[key]) for key in ("bot", "rival", "result", "days", "refused")),
                    f"{row['seconds']:.1f}",
                    row["cause"] or "",
                )
                for row in rows
            ],
        )
    if any(row["cause"] for row in rows):
        raise typer.Exit(1)


def _tell(rules: "Rules", found: "Summary", json: bool) -> None:
    tables = {name: getattr(found, name).to_dicts() for name in ("ratings", "cross", "causes")}
    about = {"game": rules.game, "rules": rules.version, "fingerprint": rules.fingerprint}
    if json:
        print_json(about | tables)
        return
    _print_ratings(tables["ratings"])
    _print_cross([row["bot"] for row in tables["ratings"]], tables["cross"])
    if tables["causes"]:
        print()
        print_table(
            ("bot", "lost by", ">games", ">first"),
            [(r["bot"], r["cause"], f"{r['lost']:,}", str(r["game"])) for r in tables["causes"]],
        )
    games = sum(row["n"] for row in tables["ratings"]) // 2
    print(f"\n{rules.game} {rules.version} {rules.fingerprint}, {games:,} games")


def _print_ratings(rows: list[dict[str, Any]]) -> None:
    counts = ("n", "distinct", "clusters", "forfeits", "refused")
    print_table(
        ("bot", ">Elo", "95 % interval", ">score", *(f">{name}" for name in counts)),
        [
            (
                row["bot"],
                f"{row['value']:+.0f}",
                _span(row["low"], row["high"]),
                f"{100 * row['score']:.1f}%",
                *(f"{row[name]:,}" for name in counts),
            )
            for row in rows
        ],
    )


def _span(low: float, high: float) -> str:
    """`-20 to +60`; open where games tell nothing further."""
    if math.isinf(low):
        return "–" if math.isinf(high) else f"at most {high:+.0f}"
    return f"at least {low:+.0f}" if math.isinf(high) else f"{low:+.0f} to {high:+.0f}"


def _print_cross(bots: list[str], rows: list[dict[str, Any]]) -> None:
    """Who beat whom, among the best."""
    best = bots[:SHOWN]
    grid: dict[tuple[str, str], RenderableType] = {
        (row["bot"], row["rival"]): heat_cell(row) for row in rows
    }
    print()
    lines = [(one, *(grid.get((one, two), "") for two in best)) for one in best]
    print_table(("bot", *best), lines)
    least, most = (pick(row["n"] for row in rows) for pick in (min, max))
    games = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    print("Score of the row against the column (a draw is one half) over its 95 % interval;")
    few = f"; the best {SHOWN} of {len(bots)}" if len(bots) > SHOWN else ""
    print(f"{games} games a pair{few}")
