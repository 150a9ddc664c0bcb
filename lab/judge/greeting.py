"""The OK of our own programs, which must not come too late (README 9.1). Imports nothing heavy."""

import os
import threading
from pathlib import Path
from typing import TextIO

LATEST = 0.8
"""Seconds after the start of the process: a judge waits for 1, and has to start it first."""
USUAL = 0.2
"""Age of the process, in seconds, where the system does not tell."""


class Greeting:
    """Says OK once: when asked to, or at the latest `LATEST` after the process began.

    On a slow machine the kernels are loaded only then: the first day's spare periods pay for that.
    """

    def __init__(self, sink: TextIO) -> None:
        self.sink = sink
        self.lock = threading.Lock()
        self.said = False
        self.timer = threading.Timer(max(LATEST - _age(), 0), self.say)
        self.timer.daemon = True
        self.timer.start()

    def say(self) -> None:
        """OK, unless it was said before."""
        self.timer.cancel()
        with self.lock:
            if not self.said:
                self.said = True
                print("OK", file=self.sink, flush=True)


def _age() -> float:
    """Seconds since this process was started."""
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        uptime = float(Path("/proc/uptime").read_text().split()[0])
    except OSError:
        return USUAL
    return uptime - int(fields[19]) / os.sysconf("SC_CLK_TCK")
