"""The organisers' log of a match: read from a file, and written byte for byte."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lab.errors import BadInput, bad, read_text
from lab.games.next_nation import maps
from lab.jsonfile import shown

SIDES = ("LEFT", "RIGHT")
WINNERS = ("LEFT_WIN", "RIGHT_WIN", "DRAW")
"""By `state.winner`."""
FORFEIT = "WA"
"""Whatever a program did wrong."""
REASONS = ("HQ_DESTROYED", "TURN_LIMIT", FORFEIT)
"""By `state.ending`."""
DEBUG = "# Debug"
"""How a line begins that a program wrote for itself; such lines may stand anywhere."""

NAME = tuple(re.compile(rf'\[{side} "(.*)"\]') for side in SIDES)
TIME = re.compile(r"TIME LEFT ([0-9]{1,9}) ([0-9]{1,9}) RIGHT ([0-9]{1,9}) ([0-9]{1,9})")
RESULT = re.compile(rf"RESULT ({'|'.join(WINNERS)}) ({'|'.join(REASONS)})")
ANY = re.compile(".*", re.DOTALL)
ORDER = re.compile(r"(?!COMMAND (LEFT|RIGHT) (START|END)$|TURN [0-9]+ RESULT$).*", re.DOTALL)
"""Whatever a program wrote, right or wrong; but no line of the log's own."""
ROW = re.compile(r"(UPGRADE|TRAIN|MOVE|DAMAGE|SIEGE) .*", re.DOTALL)


class Clock(NamedTuple):
    """What a program took for its orders of a day, and what it has left."""

    ms: int
    tokens: int


class Result(NamedTuple):
    """One of `WINNERS`, and one of `REASONS`."""

    winner: str
    reason: str


@dataclass(frozen=True)
class Day:
    """Both sides' orders as written; an illegal day, which ends the match, was not played."""

    orders: tuple[list[str], list[str]]
    rows: list[str] | None = None  # as `rows.of` gives them, None when it was not played
    times: tuple[Clock, Clock] | None = None


@dataclass(frozen=True)
class Log:
    """A match: of one that was cut short, the whole days."""

    names: tuple[str, str]
    map: Any  # record of `state.MAP`
    days: list[Day]
    result: Result | None  # None when the log was cut short
    debug: int  # lines of programs that were skipped

    @property
    def complete(self) -> bool:
        return self.result is not None

    def text(self) -> str:
        """The log again, as the organisers write it."""
        writer = Writer(self.map, self.names)
        for day in self.days:
            writer.day(day.orders, day.rows, day.times)
        if self.result is not None:
            writer.result(*self.result)
        return writer.text()


# --- writing ------------------------------------------------------------------------------------


class Writer:
    """A log as it grows: first the map, then `day` by day, at last the `result`."""

    def __init__(self, map_: Any, names: Sequence[str] = ("", "")) -> None:
        self.lines = [f'[{side} "{name}"]' for side, name in zip(SIDES, names, strict=True)]
        self.lines += ["MAP", *maps.lines(map_, in_log=True), "END MAP"]
        self.days = 0

    def day(
        self,
        orders: tuple[list[str], list[str]],
        rows: list[str] | None = None,
        times: tuple[Clock, Clock] | None = None,
    ) -> None:
        """The next day: orders as written, and when it was played the rows and clocks."""
        self.days += 1
        self.lines.append(f"TURN {self.days}")
        for side, own in zip(SIDES, orders, strict=True):
            self.lines += [f"COMMAND {side} START", *own, f"COMMAND {side} END"]
        if rows is not None and times is not None:
            left, right = times
            time = f"TIME LEFT {left.ms} {left.tokens} RIGHT {right.ms} {right.tokens}"
            self.lines += [f"TURN {self.days} RESULT", time, *rows, f"END TURN {self.days}"]

    def result(self, winner: str, reason: str) -> None:
        """The last line: one of `WINNERS`, one of `REASONS`."""
        self.lines.append(f"RESULT {winner} {reason}")

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


# --- reading ------------------------------------------------------------------------------------


def read(path: Path | str) -> Log:
    """The log in a file, with debug lines and CRLF or without.

    Of one that is cut short behind its map, the whole days. BadInput names the line of what is no
    log; only the form of orders and rows is looked at.
    """
    lines = _Lines(path)
    left, right = (
        lines.match(form, f'[{side} "NAME"]')[1] for form, side in zip(NAME, SIDES, strict=True)
    )
    lines.take("MAP")
    first = lines.number
    map_ = maps.parse("\n".join(lines.until("END MAP", ANY)), str(path), first)[0]
    days: list[Day] = []
    result = None
    with suppress(_CutShort):
        while not lines.at(RESULT):
            days.append(_day(lines, len(days) + 1))
        result = Result(*lines.match(RESULT).groups())
    if result is not None:
        lines.end()
    return Log((left, right), map_, days, result, lines.debug)


def _day(lines: "_Lines", number: int) -> Day:
    end = ", or RESULT WINNER REASON"
    lines.take(f"TURN {number}", end)
    orders = _orders(lines, "LEFT"), _orders(lines, "RIGHT")
    if lines.at(RESULT):
        return Day(orders)
    lines.take(f"TURN {number} RESULT", end)
    found = lines.match(TIME, "TIME LEFT MS TOKENS RIGHT MS TOKENS")
    times = [int(word) for word in found.groups()]
    rows = lines.until(f"END TURN {number}", ROW, ", or a row of the day")
    return Day(orders, rows, (Clock(*times[:2]), Clock(*times[2:])))


def _orders(lines: "_Lines", side: str) -> list[str]:
    lines.take(f"COMMAND {side} START")
    return lines.until(f"COMMAND {side} END", ORDER)


class _CutShort(BadInput):
    """The log ends where more was to come."""


class _Lines:
    """A log's lines one by one, but for those of programs, which are counted."""

    def __init__(self, path: Path | str) -> None:
        text = read_text(path)
        every = [line.removesuffix("\r") for line in text.rstrip("\r\n").split("\n")]
        self.path = path
        self.lines = [(i, line) for i, line in enumerate(every, 1) if not line.startswith(DEBUG)]
        self.debug = len(every) - len(self.lines)
        self.after = len(every) + 1
        self.torn = len(self.lines) if text.endswith("\n") else len(self.lines) - 1
        self.place = 0

    @property
    def number(self) -> int:
        """The next line's number in the file."""
        return self.lines[self.place][0] if self.place < len(self.lines) else self.after

    @property
    def next(self) -> str | None:
        """The next line, None at the end."""
        return self.lines[self.place][1] if self.place < len(self.lines) else None

    def at(self, form: re.Pattern[str]) -> bool:
        """Whether the next line is of that form."""
        return self.next is not None and form.fullmatch(self.next) is not None

    def take(self, line: str, other: str = "") -> None:
        """The next line, which has to be this one; `other` is what else could stand there."""
        if self.next != line:
            raise self._wrong(line + other)
        self.place += 1

    def match(self, form: re.Pattern[str], expected: str = "") -> re.Match[str]:
        """The next line, which has to be of that form."""
        found = None if self.next is None else form.fullmatch(self.next)
        if found is None:
            raise self._wrong(expected)
        self.place += 1
        return found

    def until(self, end: str, form: re.Pattern[str], other: str = "") -> list[str]:
        """The lines of a form before the line `end`, which is taken too."""
        found = []
        while self.next != end:
            found.append(self.match(form, end + other)[0])
        self.place += 1
        return found

    def end(self) -> None:
        """Nothing may follow."""
        if self.next is not None:
            raise self._wrong("nothing behind the result")

    def _wrong(self, expected: str) -> BadInput:
        where = f"{self.path}:{self.number}"
        if self.next is None:
            return _CutShort(str(bad(where, "the end of the file", expected)))
        found = bad(where, shown(self.next), expected)
        return _CutShort(str(found)) if self.place == self.torn else found
