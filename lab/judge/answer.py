"""A program's answers by the clock: its OK, and its orders of a day (README 9.1, 9.2)."""

from collections.abc import Sequence
from time import monotonic

from lab.jsonfile import shown
from lab.judge.program import UNREAD, Program, exchange


class Answer:
    """The lines that a program prints from `first` to `last`, within `limit` seconds of `begun`.

    `late` says why it has not come in time, `wild` why it cannot be read, when that is so. `first`
    and `last` may be the same line.
    """

    def __init__(self, program: Program, first: str, last: str, begun: float, limit: float) -> None:
        self.program, self.first, self.last = program, first, last
        self.begun, self.limit = begun, limit
        self.lines: list[str] = []
        self.late = self.wild = ""
        self.done = False
        self.ms = 0
        self._size = 0

    @property
    def left(self) -> float:
        """Seconds until it is late."""
        return self.begun + self.limit - monotonic()

    def read(self) -> bool:
        """Take what has come and look at the clock; whether there is nothing more to wait for."""
        while not self.done and (line := self.program.line()) is not None:
            self._take(line)
        if self.done or self.late:
            return True
        if self.program.silent:
            self.late = f"no {self.last}"  # `wait` tells why
        elif self.program.stuck or self._size > UNREAD:
            self.late = f"printed {UNREAD} characters and no {self.last}"
        elif self.left < 0:
            self.late = self._overdue()
        return bool(self.late)

    def _take(self, line: str) -> None:
        if not self._size and line != self.first:
            self.wild = f"{shown(line)} where {self.first} has to stand"
        self._size += len(line) + 1
        self.lines.append(line)
        if self.wild or line == self.last:
            self.done = True
            self.ms = int((monotonic() - self.begun) * 1000)
            self.late = self._overdue() if self.left < 0 else ""

    def _overdue(self) -> str:
        return f"no {self.last} within {self.limit * 1000:.0f} ms"


def wait(answers: Sequence[Answer]) -> None:
    """Read all of them to their ends; what became of a program that fell silent is asked last.

    That may take a while, in which another one's answer would be late through no fault of its own.
    """
    programs = [answer.program for answer in answers]
    while waiting := [answer for answer in answers if not answer.read()]:
        exchange(programs, min(answer.left for answer in waiting))
    for answer in answers:
        if not answer.done and answer.program.silent:
            answer.late = f"{answer.program.ending()} before {answer.last}"
