"""Matches that the organisers' judge recorded, played again from their orders."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lab import rules as documents
from lab.catalog import load_game, load_rules
from lab.errors import bad
from lab.games.next_nation import maps, protocol, rows
from lab.games.next_nation.log import FORFEIT, REASONS, SIDES, Day, Log, Result, read
from lab.games.next_nation.log import WINNERS as RESULTS
from lab.games.next_nation.state import DRAW, END, LEFT, RIGHT, RUNNING
from lab.jit import blank
from lab.play import Position, open_game
from lab.rules import Rules

if TYPE_CHECKING:
    import polars as pl

GAME = "next_nation"
"""The one game that has such logs."""
REFERENCE = "tests.reference.next_nation_log"
"""The game once more in plain Python: of the repository, not of the installed package."""

Progress = Callable[[int, int], None]


class Played(NamedTuple):
    """What an engine makes of a log's orders: its rows of each day that it could play."""

    days: list[list[str]]
    result: Result | None  # None while the game goes on
    fault: str = ""  # the order that it takes for illegal, in words


Engine = Callable[[Log], Played]
"""Plays the orders of a log, up to a day on which one is illegal or that is not logged whole."""


# --- the kernels' engine ------------------------------------------------------------------------


class Replay:
    """A position that follows a log: with the kernels, under some rules, for one log after another.

    `position.outcome` is the row of `simulate` once the game is over.
    """

    def __init__(self, rules: Rules) -> None:
        self.position = Position(load_game(GAME), rules)
        self.log: Log

    def open(self, log: Log) -> None:
        """Go to the start of a log's match, on its map."""
        here = self.position
        maps.put(here.record, 0, log.map)
        here.state, here.outcome = blank(here.game.state)[0], blank(here.game.outcome)[0]
        open_game(here.record, here.state, np.uint64(0), np.int64(0))
        here.state["telling"] = 1

    def actions(self, day: Day) -> tuple[list[int], list[str]]:
        """What both sides do on a day, and what is wrong with the first illegal order of each.

        That is "" of a side that gave none: only when both did not, the day was played.
        """
        actions: list[int] = []
        faults = []
        for side, lines in enumerate(day.orders):
            own, wrong = protocol.orders(lines, side, self.position.record, self.position.state)
            actions += [*own, END]
            faults.append(f"{SIDES[side]}'s {wrong[0].line!r} {wrong[0].why}" if wrong else "")
        return actions, faults

    def play(self, day: Day) -> list[str]:
        """Play a day unless an order is illegal, and say what is wrong as `actions` does."""
        actions, faults = self.actions(day)
        for action in () if any(faults) else actions:
            self.position.play(action)
        return faults

    @property
    def result(self) -> Result | None:
        """How the game has ended."""
        state = self.position.state
        if state["ending"] == RUNNING:
            return None
        return Result(RESULTS[state["winner"]], REASONS[state["ending"]])

    def run(self, log: Log) -> Played:
        """Play all of a log: the engine."""
        self.open(log)
        days: list[list[str]] = []
        for day in log.days:
            if self.result is not None:
                break
            faults = self.play(day)
            if any(faults):
                return Played(days, _lost(faults), faults[0] or faults[1])
            days.append(rows.of(self.position.state))
        return Played(days, self.result)


def _lost(faults: Sequence[str]) -> Result:
    """Whose order was illegal has lost; with both it is a draw."""
    left, right = faults
    return Result(RESULTS[DRAW if left and right else RIGHT if left else LEFT], FORFEIT)


# --- check --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Checked:
    """How a log fits some rules, by engine."""

    log: Log
    mismatches: dict[str, int]  # rows, days and results that differ
    first: str  # the first of them in words, "" without one
    fits: str  # the version of the rules that it fits instead, "" when there is none

    @property
    def days(self) -> int:
        """Those that were played."""
        return sum(day.rows is not None for day in self.log.days)

    @property
    def rows(self) -> int:
        return sum(len(day.rows or ()) for day in self.log.days)


class Check:
    """Checks logs against rules: every row but TIME, and the result.

    The engines are the kernels and, where the package lies in its repository, the plain-Python
    reference of the tests too.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.engines: dict[str, Engine] = {"kernel": Replay(rules).run}
        reference = _reference(rules)
        if reference is not None:
            self.engines["reference"] = reference

    def __call__(self, path: Path | str) -> Checked:
        """Check one log; BadInput when it is none."""
        log = read(path)
        found = {name: list(_mismatches(log, run(log))) for name, run in self.engines.items()}
        first = next((f"{name}, {texts[0]}" for name, texts in found.items() if texts), "")
        counts = {name: len(texts) for name, texts in found.items()}
        return Checked(log, counts, first, _fitting(log, self.rules.version) if first else "")


def _mismatches(log: Log, played: Played) -> Iterator[str]:
    """Wherever an engine does not say what the log says, in words."""
    for number, day in enumerate(log.days, 1):
        if number > len(played.days):
            if day.rows is not None:
                why = played.fault or "the game is over"
                yield f"day {number}: found its rows, expected none ({why})"
                return
        elif day.rows is None:
            yield f"day {number}: found no rows, expected them: every order is legal"
        else:
            for found, expected in zip_longest(day.rows, played.days[number - 1]):
                if found != expected:
                    yield f"day {number}: found {found or 'no row'}, expected {expected or 'none'}"
    by_the_clock = log.result is not None and log.result.reason == FORFEIT and played.result is None
    if log.result not in (None, played.result) and not by_the_clock:
        yield f"result: found {_said(log.result)}, expected {_said(played.result)}"


def _said(result: Result | None) -> str:
    return "none yet" if result is None else " ".join(result)


def _reference(rules: Rules) -> Engine | None:
    """The reference as an engine, None where there is none."""
    try:
        replay = import_module(REFERENCE).replay
    except ModuleNotFoundError:
        return None
    numbers = rules.document.model_dump()

    def run(log: Log) -> Played:
        days, result = replay(log.text(), numbers)
        return Played(days, result and Result(*result.split()))

    return run


def _fitting(log: Log, version: str) -> str:
    """Another version of the rules that fits the log: the hint for whoever forgot to name it."""
    for other in documents.versions(GAME):
        if other != version and not any(_mismatches(log, _replay(other).run(log))):
            return other
    return ""


@cache
def _replay(version: str) -> Replay:
    return Replay(load_rules(GAME, version))


# --- show ---------------------------------------------------------------------------------------


def position_of(log: Log, rules: Rules, day: int, where: str) -> Position:
    """The position on the morning of a day, or after the last one; BadInput if there is none."""
    replay = Replay(rules)
    replay.open(log)
    played = [one for one in log.days if one.rows is not None]
    if not 1 <= day <= len(played) + 1:
        raise bad(where, f"day {day}", f"one from 1 to {len(played) + 1}")
    for number, one in enumerate(played[: day - 1], 1):
        faults = [] if replay.result else replay.play(one)
        if not faults or any(faults):
            why = "".join(faults) or "the game was over before"
            raise bad(where, f"day {number}, but {why}", f"a log that fits {rules.version}")
    return replay.position


# --- measure ------------------------------------------------------------------------------------


def measure(
    paths: Sequence[Path | str], rules: Rules, progress: Progress | None = None
) -> tuple["pl.DataFrame", dict[str, str]]:
    """Finished matches as `lab.selfplay.simulate` gives games, and why others are left out.

    Column `game` is the log's place in `paths`. The seed of a log's map is not known: `map_seed` is
    a negative number made from the map, equal for equal maps. Raises BadInput for what is no log.
    """
    from lab.selfplay import as_frame

    replay, found, left_out = Replay(rules), [], {}
    for index, path in enumerate(paths):
        log = read(path)
        played = replay.run(log)
        why = next(_mismatches(log, played), "") or _unfinished(log, played)
        if why:
            left_out[str(path)] = why
        else:
            row = replay.position.outcome
            row["game"] = index
            row["map_seed"] = stand_in(log.map)
            found.append(row)
        if progress is not None:
            progress(index + 1, len(paths))
    game = load_game(GAME)
    return as_frame(game, np.array(found, game.outcome)), left_out


def _unfinished(log: Log, played: Played) -> str:
    """Why a match that fits the rules has no end that a game has, "" if it has one."""
    if played.result is None:
        return "lost by the clock" if log.complete else "cut short"
    return played.fault


def stand_in(map_: Any) -> int:
    """A number below 0 in place of the seed of a map, where a run has none below 0."""
    digest = blake2b(maps.text(map_).encode(), digest_size=7).digest()
    return -1 - int.from_bytes(digest, "big")
