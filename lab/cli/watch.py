"""What a long verb says on stderr while it works."""

import sys
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from threading import Thread
from typing import TypeVar

from lab.watch import Watch

__all__ = ["Watch", "announce", "announce_compiling", "stoppable"]

Answer = TypeVar("Answer")


@cache
def announce(game: str) -> None:
    """For `lab.jit.announce`: says once a game why nothing happens yet."""
    from lab.catalog import GAMES

    if game in GAMES:  # not a helper that no one game owns
        line = f"lab: compiling the kernels of {game} and keeping them, about 20 s ..."
        print(line, file=sys.stderr, flush=True)


def announce_compiling() -> None:
    """Let the first compile of a game be announced."""
    from lab import jit

    jit.announce = announce


def stoppable(call: Callable[[], Answer]) -> Answer:
    """What a call returns or raises; Ctrl-C ends the wait, though a kernel would not hear it."""
    answer: Future[Answer] = Future()

    def work() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:  # noqa: BLE001  raised again where the answer is asked for
            answer.set_exception(error)

    Thread(target=work, daemon=True).start()
    return answer.result()
