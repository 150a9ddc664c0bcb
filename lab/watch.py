"""How far a long task is, on stderr."""

import sys
from time import monotonic
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.status import Status

QUIET = 2.0  # seconds in which nothing is said
APART = 10.0  # seconds between two lines where stderr is no terminal


class Watch:
    """How far a task is: done, rate, time left; a live line on a terminal, else one now and then.

    Call it with (done, total) of `noun`; a new `stage` starts the clock again, `note` goes to the
    end of the line.
    """

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self.stage: str | None = None
        self.began = self.said = monotonic()
        self.before = 0
        self.status: Status | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.status is not None:
            self.status.stop()

    def __call__(self, done: int, total: int, stage: str = "", note: str = "") -> None:
        line, now = self.line(done, total, stage, note), monotonic()
        if sys.stderr.isatty():
            self._show(line, now)
        elif now - self.said >= APART:
            self.said = now
            print(f"lab: {line}", file=sys.stderr, flush=True)

    def line(self, done: int, total: int, stage: str = "", note: str = "") -> str:
        """How far it is, in words."""
        now = monotonic()
        if stage != self.stage or not self.before:
            # Rates begin behind what a resumed run has, and behind the first, which may compile.
            self.stage, self.before, self.began = stage, done, now
        seconds = now - self.began
        head = f"{self.stage}: " if self.stage else ""
        parts = [f"{head}{done:,} of {total:,} {self.noun}"]
        rate = (done - self.before) / seconds if seconds else 0
        if rate:
            parts.append(f"{rate:,.0f} a second" if rate >= 10 else f"{rate:.1f} a second")
            parts.append(f"{_clock((total - done) / rate)} left")
        return ", ".join([*parts, *filter(None, [note])])

    def _show(self, line: str, now: float) -> None:
        from rich.console import Console
        from rich.markup import escape

        if self.status is None and now - self.said >= QUIET:
            self.status = Console(stderr=True, highlight=False).status("")
            self.status.start()
        if self.status is not None:
            self.status.update(escape(line))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
