"""One band while its values come in: the verdict, and beside it the estimate so far.

Arrays in, numbers out, as in `lab.stats.sequential`, whose tests and sequences are put together
here. Values come in the order of their game index.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from lab.stats.betting import MeanSequence, MeanTest
from lab.stats.estimate import RATE, Array, Bounds
from lab.stats.sequential import (
    LOOK,
    BandTest,
    RateTest,
    Verdict,
    confidence_sequence,
    confidence_sequences,
    edges,
    within,
)

FOREVER = 10**15
"""The budget of tests whose end somebody else decides."""
STEPS = 32
"""Of the grid that a sequence of means is told on, in a half width that is to be told."""
MOST_STEPS = 1 << 17


@dataclass(frozen=True)
class RateSequence:
    """`confidence_sequence` with the face of `MeanSequence`."""

    alpha: float = 0.05
    n: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        """NaN without any value."""
        return self.total / self.n if self.n else math.nan

    @property
    def interval(self) -> Bounds:
        """Low and high after what was seen."""
        # A sum of shares may exceed their count by a rounding error, which no rate does.
        return confidence_sequence(min(self.total, self.n), self.n, self.alpha)

    def add(self, values: Array) -> Self:
        """The sequence after more values within 0..1."""
        # One by one, so that the sum is the same however the values are cut.
        total = np.cumsum(np.concatenate([[self.total], values]))[-1]
        return replace(self, n=self.n + values.size, total=float(total))


Sequence = RateSequence | MeanSequence


@dataclass(frozen=True, eq=False)
class Study:
    """Whether a mean lies in a band, told by `tests`, or if strict by where the sequence lies.

    PASS once all tests pass, FAIL as soon as one fails. `aims` are the lowest and the highest mean
    that shall pass: what the tests' 1 - power is about. `sequence` has seen all values up to the
    verdict and none behind it.
    """

    band: Bounds
    bounds: Bounds
    aims: Bounds
    tests: tuple[BandTest, ...]
    sequence: Sequence
    strict: bool = False
    verdict: Verdict | None = None

    @property
    def n(self) -> int:
        """How many values were seen."""
        return self.sequence.n

    def add(self, values: Array) -> Self:
        """The study after more values (k,) in order; those behind its verdict are not seen.

        However the values are cut into blocks, the verdict is the same.
        Raises ValueError on values outside the bounds.
        """
        if self.verdict is not None:
            return self
        x = within(values, self.bounds)
        if self.strict:
            return self._until_clear(x)
        tests = tuple(test.add(x) for test in self.tests)
        verdict, games = _together(tests)
        sequence = self.sequence.add(x[: games - self.n])
        return replace(self, tests=tests, sequence=sequence, verdict=verdict)

    def _until_clear(self, x: Array) -> Self:
        """As far as the first look at which the sequence lies inside or outside."""
        sequence, verdict = first_clear(self.sequence, x, self._clear)
        return replace(self, sequence=sequence, verdict=verdict)

    def _clear(self, interval: Bounds) -> Verdict | None:
        low, high = interval
        if self.band[0] <= low and high <= self.band[1]:
            return "PASS"
        return "FAIL" if high < self.band[0] or self.band[1] < low else None


def study(
    band: Bounds,
    bounds: Bounds = RATE,
    alpha: float = 0.05,
    power: float = 0.9,
    near: float = math.inf,
    wins: bool = False,
    one: bool = False,
    strict: bool = False,
) -> Study:
    """A study that has seen nothing yet.

    In a band wider than twice `near`, a mean that lies inside but far from the centre would as a
    rule fail the test against the centre. There each edge is tested by itself, against the mean
    that lies `near` inside of it; PASS needs both, so alpha is not shared, while 1 - power is.
    `wins` are values of 0 and 1, judged by `RateTest`, others by `MeanTest`; `one` says that they
    are of one rate, whose sequence needs no grid. Raises ValueError on bands that cannot be tested.
    """
    edges(band, bounds)
    kind = RateTest if wins else MeanTest
    sequence = sequence_of(bounds, alpha, (band[1] - band[0]) / 2, one)

    centre = (band[0] + band[1]) / 2
    half = (band[1] - band[0]) / 2
    below, above = (band[0], bounds[1]), (bounds[0], band[1])
    sides = [side for side in (below, above) if side != bounds]
    if near >= half * (1 - 1e-9):  # 0.52 - 0.48 is a little more than 0.04
        aims, tested = (centre, centre), dict[Bounds, float | None]({band: None})
    else:
        aims = (band[0] + near, band[1] - near)
        tested = {side: aims[side == above] for side in sides}
    shared = 1 - (1 - power) / len(tested)
    tests = [kind(part, bounds, alpha, shared, aim, FOREVER) for part, aim in tested.items()]
    if len(sides) == 1:  # what lies further from the only edge shall pass all the more
        aims = (bounds[0], aims[1]) if sides == [above] else (aims[0], bounds[1])
    return Study(band, bounds, aims, tuple(tests), sequence, strict)


def sequence_of(bounds: Bounds, alpha: float, half: float, one: bool) -> Sequence:
    """A sequence that has seen nothing, fine enough to tell a half width.

    `one` says that the values are of one rate, whose sequence needs no grid.
    """
    if one:
        return RateSequence(alpha)
    steps = math.ceil(STEPS * (bounds[1] - bounds[0]) / half)
    return MeanSequence(bounds, alpha, min(max(steps, MeanSequence.steps), MOST_STEPS))


def _together(tests: tuple[BandTest, ...]) -> tuple[Verdict | None, int]:
    """The verdict of all tests, and the values it took."""
    failed = [test.games for test in tests if test.verdict == "FAIL"]
    if failed:
        return "FAIL", min(failed)
    passed = all(test.verdict == "PASS" for test in tests)
    return "PASS" if passed else None, max(test.games if passed else test.n for test in tests)


def first_clear(
    sequence: Sequence, values: Array, clear: Callable[[Bounds], Verdict | None]
) -> tuple[Sequence, Verdict | None]:
    """The sequence up to the first look whose interval is clear, and what it says; else after all.

    `clear` must go on saying what it said when an interval shrinks.
    """
    looks = range(LOOK - sequence.n % LOOK, values.size + 1, LOOK)
    if isinstance(sequence, RateSequence):
        totals = np.cumsum(np.concatenate([[sequence.total], values]))[list(looks)]
        n = sequence.n + np.array(looks, dtype=np.int64)
        ends = zip(*confidence_sequences(np.minimum(totals, n), n, sequence.alpha), strict=True)
        for stop, interval in zip(looks, ends, strict=True):
            if verdict := clear(interval):
                return sequence.add(values[:stop]), verdict
        return sequence.add(values), None
    after = sequence.add(values)
    if clear(after.interval) is None:  # of means, every interval lies inside of those before
        return after, None
    start = 0
    for stop in looks:
        sequence, start = sequence.add(values[start:stop]), stop
        if verdict := clear(sequence.interval):
            return sequence, verdict
    return after, None
