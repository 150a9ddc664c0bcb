"""Ctrl-C, pulled like a brake: what is under way comes to its end."""

import signal
import threading
from typing import Any, Self


class Brake:
    """While it is held as a context, Ctrl-C sets `pulled`; a second one breaks off as usual.

    Ctrl-C reaches other threads than the main one never, and nobody who ignores it: there the
    brake stays as it is.
    """

    def __init__(self) -> None:
        self.pulled = False
        self._usual: Any = None

    def __enter__(self) -> Self:
        usual = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread() and callable(usual):
            self._usual = usual
            signal.signal(signal.SIGINT, self._pull)
        return self

    def _pull(self, number: int, frame: Any) -> None:
        self.pulled = True
        signal.signal(signal.SIGINT, self._usual)

    def __exit__(self, *error: object) -> None:
        if self._usual is not None:
            signal.signal(signal.SIGINT, self._usual)
