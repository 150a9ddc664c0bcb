"""Whole sweeps of rule spaces whose truth is known: how often what they say is so."""

from itertools import chain
from typing import NamedTuple

import numpy as np

from lab.experiment.banks import seed_of
from lab.stats.estimate import bonferroni, wilson
from lab.sweep.front import finalists
from lab.sweep.race import Proof, Race
from tests.bench.problems import Synthetic
from tests.bench.rivals import random_search

TRIALS, BLOCK, BLOCKS, TOP, CONFIRM = 60, 128, 8, 5, 20_000
QUANTILE = 2.64  # of intervals that hold all at once for TOP settings and the baseline
PICKED = random_search(64)
"""Takes the best of as many trials, 64 games each."""


class Sweep(NamedTuple):
    """What a sweep said, and the truth of it."""

    intervals: int
    covering: int
    recommended: float | None  # the true distance outside the band; None: nothing is
    picked: float  # the same of the trial that looked best, were it simply taken


def spaces():
    return [Synthetic("plane", cliff=False), Synthetic("cliff", cliff=True)]


def sweep(problem, seed):
    """Search, then confirm the finalists on fresh games, as lab.sweep does with real ones."""
    proof = Proof(CONFIRM / BLOCK, QUANTILE)
    race = Race(problem.space, problem.aims, problem.start(seed), seed, proof=proof)

    def tell(play):
        bank = seed_of(seed, "search", play.round)
        race.tell(play, problem.play(play.setting, bank, play.block * BLOCK, BLOCK))

    while race.rounds < TRIALS:
        for play in chain.from_iterable(race.round()):
            tell(play)
    for play in chain.from_iterable(race.last(TOP, BLOCKS)):
        tell(play)
    entries = [race.entries[0], *finalists(race.entries, TOP)]
    bank = seed_of(seed, "confirm")
    confidence = bonferroni(0.95, len(entries))
    held, covering = [], 0
    for entry in entries:
        value = problem.play(entry.setting, bank, 0, CONFIRM)[0].value
        low, high = wilson(value * CONFIRM, CONFIRM, confidence)
        covering += low <= problem.rate(entry.setting) <= high
        if problem.aims[0].band[0] <= low and high <= problem.aims[0].band[1]:
            held.append(entry)
    chosen = min(held, key=lambda e: (e.steps, e.number)) if held else None
    return Sweep(
        len(entries),
        covering,
        problem.truth(chosen.setting) if chosen else None,
        problem.truth(PICKED(problem, seed, 64 * TRIALS)),
    )


def shares(sweeps):
    """Of intervals that hold the truth; of recommendations, those that are wrong; of sweeps, those
    that recommend; of best trials, those outside the band."""
    recommended = [one.recommended for one in sweeps if one.recommended is not None]
    return {
        "intervals that hold the truth": sum(s.covering for s in sweeps)
        / sum(s.intervals for s in sweeps),
        "recommended and truly outside": float(np.mean(np.array(recommended) > 0)),
        "sweeps that recommend": len(recommended) / len(sweeps),
        "best trials truly outside": float(np.mean([s.picked > 0 for s in sweeps])),
    }
