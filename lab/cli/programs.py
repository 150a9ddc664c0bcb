"""Verbs about programs that play: the judge, and our own policies as programs."""

import configparser
import gc
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from lab.cli.options import (
    AsJson,
    Clock,
    GameName,
    OnIllegal,
    RulesName,
    Seed,
    Settings,
    read_rules,
)
from lab.cli.show import print_json, print_table
from lab.cli.watch import announce_compiling
from lab.errors import bad, read_text, write_text

if TYPE_CHECKING:
    from lab.judge.match import Seat, Verdict
    from lab.judge.program import Command
    from lab.rules import Rules

POLICY = "policy:"
PLAYER = f"A command, or {POLICY}NAME[:key=value,...]."
CONFIG = ("LEFT_CMD", "RIGHT_CMD", "SEED", "MAP", "RULES", "LOG")
"""What a config file may say, under any heading or none; the command line goes before it."""


def judge(
    game: GameName,
    left: Annotated[str | None, Option(metavar="CMD", help=PLAYER)] = None,
    right: Annotated[str | None, Option(metavar="CMD", help=PLAYER)] = None,
    seed: Annotated[
        int | None,
        Option(metavar="S", help="The map that `lab map` makes of this seed, else of 0."),
    ] = None,
    map_file: Annotated[
        Path | None, Option("--map", metavar="FILE", help="A map, as `lab map` prints it.")
    ] = None,
    rules: RulesName = None,
    settings: Settings = None,
    log: Annotated[
        Path | None, Option(metavar="FILE", help="The match, as the organisers write it.")
    ] = None,
    stderr_dir: Annotated[
        Path | None, Option(metavar="DIR", help="What the programs write to stderr.")
    ] = None,
    config: Annotated[
        Path | None,
        Option("-c", "--config", metavar="FILE", help=f"KEY=VALUE lines: {', '.join(CONFIG)}."),
    ] = None,
    clock: Clock = "real",
    on_illegal: OnIllegal = "lose",
    memory: Annotated[
        int | None, Option(min=1, metavar="MB", help="Most address space of a process.")
    ] = None,
    cpu: Annotated[int | None, Option(min=1, metavar="S", help="Most CPU time of one.")] = None,
    processes: Annotated[
        int | None, Option(min=1, metavar="N", help="Most of them a user may have; not for root.")
    ] = None,
    file_size: Annotated[
        int | None, Option(min=1, metavar="MB", help="Most they may write to a file.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Let two programs play a match by the organisers' protocol, each contained and by the clock.

    A program runs in this folder; its HOME and TMPDIR are a folder of its own, and of the
    environment it gets PATH alone. It is ended with everybody it started.
    """
    from lab.games.next_nation.log import SIDES
    from lab.judge import match
    from lab.judge.program import Limits

    told = _configured(config) if config is not None else {}
    setting = _rules(game, rules or told.get("RULES"), settings)
    players = [
        _player("--left", left or told.get("LEFT_CMD")),
        _player("--right", right or told.get("RIGHT_CMD")),
    ]
    announce_compiling()
    if seed is None and map_file is None:
        seed, map_file = _place(told)
    terms = match.Terms(
        clock == "real", on_illegal == "drop", Limits(memory, cpu, processes, file_size), stderr_dir
    )
    found = match.play(setting, _map(setting, seed, map_file), players, terms)
    log = log or (Path(told["LOG"]) if "LOG" in told else None)
    if log is not None:
        write_text(log, found.log)
    if json:
        print_json(_as_json(setting, found))
    else:
        print_table(
            ("side", "player", ">slowest ms", ">tokens left", ">refused", "cause of the loss"),
            [_row(side, seat) for side, seat in zip(SIDES, found.seats, strict=True)],
        )
        print(_told(found))


def bot(
    game: GameName,
    policy: Annotated[str, Argument(metavar="POLICY", help="NAME[:key=value,...]")],
    rules: RulesName = None,
    settings: Settings = None,
    seed: Seed = 0,
) -> None:
    """Play a policy as a program: in either role, on stdin and stdout, for anyone's judge.

    The kernels have to be compiled before: to compile them takes longer than a judge waits.
    """
    from lab.judge.greeting import Greeting

    gc.disable()  # which makes the start a tenth shorter; one game leaves little behind
    greeting = Greeting(sys.stdout)

    from lab import jit
    from lab.judge.bot import Bot

    def refuse(name: str) -> None:
        raise bad(f"kernels of {game}", "none on disk", f"`lab compile {game}` to have been run")

    jit.load_only(refuse)
    Bot(_rules(game, rules, settings), policy, seed).serve(sys.stdin, sys.stdout, greeting)


# --- what is given ------------------------------------------------------------------------------


def _rules(game: str, version: str | None, settings: list[str] | None) -> "Rules":
    """The rules, of a game that programs play."""
    from lab.judge.match import GAME

    found = read_rules(game, version, settings)
    if game != GAME:
        raise bad("game", repr(game), f"{GAME}, the one that programs play")
    return found


def _configured(path: Path) -> dict[str, str]:
    """A config file's values by key."""
    text = read_text(path)
    parser = configparser.ConfigParser(interpolation=None, default_section="")
    parser.optionxform = str.upper  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text if text.lstrip().startswith("[") else f"[judge]\n{text}")
    except configparser.Error as error:
        found = str(error).replace("<string>", "the file")
        raise bad(str(path), found, "lines KEY=VALUE") from None
    values = {key: value for name in parser.sections() for key, value in parser[name].items()}
    for key in values:
        if key not in CONFIG:
            raise bad(str(path), f"key {key!r}", f"one of {', '.join(CONFIG)}", key, CONFIG)
    return values


def _player(where: str, text: str | None) -> "Command | str":
    from lab.judge.program import command

    if text is None:
        raise bad(where, "nothing", f"a command or {POLICY}NAME")
    return text.removeprefix(POLICY) if text.startswith(POLICY) else command(where, text)


def _place(told: dict[str, str]) -> tuple[int | None, Path | None]:
    """The seed or the map's file of a config file."""
    if "MAP" in told:
        return None, Path(told["MAP"])
    try:
        return int(told.get("SEED", "0")), None
    except ValueError:
        raise bad("SEED", repr(told["SEED"]), "a whole number") from None


def _map(rules: "Rules", seed: int | None, path: Path | None) -> Any:
    from lab.games.next_nation import generator, maps

    if path is None:
        document: Any = rules.document
        return generator.generate(document.map, seed or 0)[0]
    if seed is not None:
        raise bad("--map", f"--seed {seed} too", "one of them")
    return maps.parse(read_text(path), str(path))[0]


# --- what has come out --------------------------------------------------------------------------


def _name(seat: "Seat") -> str:
    return POLICY + seat.player if isinstance(seat.player, str) else shlex.join(seat.player.words)


def _row(side: str, seat: "Seat") -> tuple[str, ...]:
    numbers = map(str, (seat.slowest, seat.tokens, seat.refused))
    return (side, _name(seat), *numbers, seat.cause)


def _told(found: "Verdict") -> str:
    """Who has won, and by what."""
    from lab.game import WINNERS
    from lab.games.next_nation.log import FORFEIT, SIDES

    drawn = found.winner == len(WINNERS) - 1
    winner = "Draw" if drawn else f"{SIDES[found.winner]} has won"
    if found.reason == FORFEIT:
        causes = [
            f"{s}, {seat.cause}" for s, seat in zip(SIDES, found.seats, strict=True) if seat.cause
        ]
        return f"{winner}: {'; '.join(causes)}"
    if found.reason == "HQ_DESTROYED":
        what = "both HQs were" if drawn else "the other HQ was"
        return f"{winner}: {what} destroyed on day {found.day}"
    what = "the HQs had equal hp" if drawn else "its HQ had more hp"
    return f"{winner}: {what} after the last day, {found.day}"


def _as_json(rules: "Rules", found: "Verdict") -> dict[str, Any]:
    from lab.game import WINNERS

    told = {
        "game": rules.game,
        "rules": rules.version,
        "fingerprint": rules.fingerprint,
        "map_seed": int(found.row["map_seed"]),
        "winner": WINNERS[found.winner],
        "reason": found.reason,
        "day": found.day,
    }
    return told | {
        name: {
            "player": _name(seat),
            "cause": seat.cause or None,
            "slowest_ms": seat.slowest,
            "tokens": seat.tokens,
            "refused": seat.refused,
        }
        for name, seat in zip(WINNERS, found.seats, strict=False)
    }
