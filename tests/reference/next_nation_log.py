"""The organisers' logs, read and played again by the plain reference.

A log holds the map and, for each day, the orders of both sides and then the day's rows; at the end
the result. Lines that begin with "# Debug" may stand anywhere.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from tests.reference.next_nation import Reference
from tests.reference.next_nation_maps import Map, parse

SIDES = ("LEFT", "RIGHT")
LETTERS = "AB"
KINDS = ("upgrade", "move", "train")
"""Orders as the day carries them out (README 5.4), whatever the order of their lines."""
CAUSES = ("TURRET", "COMBAT", "HUNGER")
DRAW = "DRAW"


@dataclass
class Day:
    """The lines of both sides' orders, and the day's rows without TIME: None when it never ran."""

    orders: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    rows: list[str] | None = None


@dataclass
class Log:
    """`result` are the two words after RESULT; None when the log is cut short."""

    map: Map
    days: list[Day]
    result: str | None


def read(text: str) -> Log:
    """Read a log; of one that is cut short, a last day without its end has no rows."""
    lines = iter([line for line in text.split("\n") if not line.startswith("# Debug")])
    for line in lines:
        if line == "MAP":
            break
    drawn = parse(list(_until(lines, "END MAP")))
    days: list[Day] = []
    result = None
    for line in lines:
        match line.split(" "):
            case ["TURN", _]:
                days.append(Day())
            case ["COMMAND", side, "START"]:
                days[-1].orders[SIDES.index(side)].extend(_until(lines, f"COMMAND {side} END"))
            case ["TURN", number, "RESULT"]:
                end = f"END TURN {number}"
                rows = list(_until(lines, end, keep=True))
                if rows[-1] == end:
                    days[-1].rows = [row for row in rows[:-1] if not row.startswith("TIME ")]
            case ["RESULT", *words]:
                result = " ".join(words)
    return Log(drawn, days, result)


def _until(lines: Iterator[str], end: str, keep: bool = False) -> Iterator[str]:
    """The lines before one, or with it."""
    for line in lines:
        if line != end or keep:
            yield line
        if line == end:
            return


class Illegal(ValueError):
    """An order that loses the game."""


def action(line: str, side: int) -> str:
    """An order's line as the action of the reference."""
    match line.split():
        case ["UPGRADE", region]:
            return f"upgrade {int(region)}"
        case ["MOVE", name, region] if name[0] == LETTERS[side]:
            return f"move {int(name[1:])} {int(region)}"
        case ["TRAIN", number]:
            return f"train {int(number)}"
    raise Illegal(line)


def give(game: Reference, lines: list[str]) -> Reference | None:
    """The game after a side's orders of a day; None when one of them is illegal."""
    after = deepcopy(game)
    try:
        actions = [action(line, game.seat) for line in lines]
        for text in sorted(actions, key=lambda text: KINDS.index(text.split(" ")[0])):
            after.play(text)
    except ValueError:
        return None
    return after


def rows(game: Reference) -> list[str]:
    """What a log tells of the last day."""
    told = game.told
    found = [
        f"UPGRADE {LETTERS[side]} {region}"
        for side, region in sorted(told.upgraded, key=lambda row: row[1])
    ]
    if told.trained:
        found.append(" ".join(["TRAIN", *(f"{LETTERS[s]}{number}" for s, number in told.trained)]))
    found += [f"MOVE {LETTERS[side]}{number} {region}" for side, number, region in told.moved]
    found += [
        f"DAMAGE {cause} {LETTERS[side]}{number} {told.damage[cause, side, number]}"
        for cause, side, number in sorted(
            told.damage, key=lambda row: (CAUSES.index(row[0]), row[1], row[2])
        )
    ]
    found += [
        f"SIEGE {LETTERS[side]} {region} {hp}"
        for side, region, hp in sorted(told.sieges, key=lambda row: row[1])
    ]
    return found


def result(game: Reference) -> str | None:
    """The result of a game as a log tells it; None while it goes on."""
    if not game.over:
        return None
    winner = DRAW if game.winner is None else f"{SIDES[game.winner]}_WIN"
    return f"{winner} {'HQ_DESTROYED' if game.ending == 'HQ destroyed' else 'TURN_LIMIT'}"


def replay(text: str, rules: dict[str, Any]) -> tuple[list[list[str]], str | None]:
    """Play a log's orders: the rows of each day that ran, and the result if there is one.

    Days are played while the log has both sides' orders of them and nobody's are illegal.
    """
    log = read(text)
    game = Reference(rules, "", on=log.map)
    days: list[list[str]] = []
    for day in log.days:
        if game.over or (day.rows is None and log.result is None):
            break  # a day too many; or cut short: its orders may be so too
        legal = []
        for orders in day.orders:
            after = give(game, orders)
            legal.append(after is not None)
            game = after or game
            if game.seat == 0 or all(legal):
                game.play("end")
        if not all(legal):
            sides = [name for name, fair in zip(SIDES, legal, strict=True) if fair]
            return days, f"{sides[0]}_WIN WA" if sides else f"{DRAW} WA"
        days.append(rows(game))
    return days, result(game)
