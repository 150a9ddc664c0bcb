"""How cases are timed and told: the same for every game.

Every figure is the best of several rounds in which all cases take turns, each time with games that
were not played before: machines are noisy, and few repeated games teach the branch predictor.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import lab
from lab.rules import Rules

ROUNDS = 5
LAB = Path(sys.executable).with_name("lab")

Work = dict[str, float]
"""How much was done, by unit."""
Case = Callable[[int], Callable[[], Work]]
"""Takes the number of a round, makes ready for it, and returns what is timed."""


@dataclass(frozen=True)
class Row:
    """`ours` and `peer` in the unit; `per_yardstick` is our work in the time of one yardstick.

    `ratio` is ours to the peer's in the same run; a limit on seconds is a peer of that many runs.
    """

    name: str
    unit: str
    ours: float
    peer: float | None
    ratio: float | None
    per_yardstick: float
    against: str


class Best:
    """The best rate a second of each case and each kind of work."""

    def __init__(self, cases: dict[str, Case]) -> None:
        """Time the cases; round 0 only warms up."""
        self.rates: dict[tuple[str, str], float] = {}
        for number in range(ROUNDS + 1):
            for name, case in cases.items():
                run = case(number)
                start = perf_counter()
                work = run()
                seconds = perf_counter() - start
                for unit, amount in work.items():
                    if number > 0:
                        rate = amount / seconds
                        self.rates[name, unit] = max(self.rates.get((name, unit), 0), rate)

    def __call__(self, case: str, unit: str) -> float:
        return self.rates[case, unit]

    def rate(self, name: str, unit: str, case: str, peer: float | None, against: str) -> Row:
        """What a case does in a second."""
        ours = self(case, unit)
        ratio = None if peer is None else ours / peer
        return Row(name, f"{unit}/s", ours, peer, ratio, ours / self("compiled", "runs"), against)

    def duration(self, name: str, case: str, limit: float) -> Row:
        """How many seconds a run of a command takes."""
        runs = self(case, "runs")
        plain = runs / self("plain", "runs")
        return Row(name, "s", 1 / runs, limit, limit * runs, plain, "limit")


# --- cases of every game ------------------------------------------------------------------------


def mirror(rules: Rules, policy: str, games: int, jobs: int = 1) -> Case:
    """A policy against itself."""

    def ready(number: int) -> Callable[[], Work]:
        def run() -> Work:
            played = lab.simulate(rules, policy, policy, games, number, jobs)
            return {"games": games, "plies": played["plies"].sum(), "days": played["length"].sum()}

        return run

    return ready


def verb(*words: str) -> Case:
    """A command of the lab."""

    def run() -> Work:
        subprocess.run([LAB, *words], check=True, capture_output=True)
        return {"runs": 1}

    return lambda number: run


def ruler(measure: Callable[[], int]) -> Case:
    """A yardstick."""

    def run() -> Work:
        measure()
        return {"runs": 1}

    return lambda number: run
