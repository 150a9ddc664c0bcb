"""Claims, judged: both sides of each play the same seeds, and the games are compared in pairs.

What they share of chance cancels out (common random numbers); how much that helped is told. The
intervals hold all at once (Bonferroni over the claims).
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lab import selfplay
from lab.catalog import load_game
from lab.experiment import Experiment
from lab.experiment.claims import Claim, Side
from lab.metrics import measure_one
from lab.stats.estimate import Estimate, bonferroni, estimate_difference
from lab.sweep.confirm import CONFIDENCE
from lab.sweep.play import finite, numbers, seed_of

HOLDS, FAILS, UNDECIDED = "holds", "fails", "undecided"


class Judged(NamedTuple):
    """What the games say of a claim."""

    claim: Claim
    side: Estimate
    against: Estimate
    difference: Estimate  # side - against
    gain: float  # variance of a difference of games that share nothing, over that of these

    @property
    def verdict(self) -> str:
        """Whether the whole interval of the difference lies where the claim has it."""
        low, high = self.difference.low, self.difference.high
        if not self.claim.more:
            low, high = -high, -low
        if low > 0:
            return HOLDS
        return FAILS if high <= 0 else UNDECIDED


def judge(experiment: Experiment, jobs: int, tell: Callable[[int, int], None]) -> list[Judged]:
    """Play every claim; `tell` gets how many have been judged, and of how many."""
    confidence = bonferroni(CONFIDENCE, len(experiment.claims))
    bank = seed_of(experiment.seed, "claims")
    played: dict[tuple[str, str, str, int], Any] = {}

    def games_of(side: Side, games: int) -> Any:
        key = (side.rules.fingerprint, side.first, side.second, games)
        if key not in played:
            played[key] = selfplay.simulate(side.rules, side.first, side.second, games, bank, jobs)
        return played[key]

    judged: list[Judged] = []
    for claim in experiment.claims:
        tell(len(judged), len(experiment.claims))
        side, against = games_of(claim.side, claim.games), games_of(claim.against, claim.games)
        judged.append(_judged(claim, side, against, confidence))
    tell(len(judged), len(judged))
    return judged


def _judged(claim: Claim, side: Any, against: Any, confidence: float) -> Judged:
    metric, sides = claim.metric, (claim.side, claim.against)
    own, other = (np.asarray(metric.value(frame), np.float64) for frame in (side, against))
    histories = [frame["history"].to_numpy() for frame in (side, against)]
    cluster = load_game(claim.side.rules.game).cluster
    shared = side[cluster].to_numpy() if cluster else None
    lows, highs = zip(*(metric.bounds(place.rules) for place in sides), strict=True)
    bounds = min(lows), max(highs)
    apart = estimate_difference(other, own, histories, shared, bounds, confidence)
    one = measure_one(side, metric, confidence, claim.side.rules)
    two = measure_one(against, metric, confidence, claim.against.rules)
    return Judged(claim, one, two, apart, _gain(own, other))


def _gain(one: Any, other: Any) -> float:
    """How many times as many games without shared chance would tell as much, NaN if unknown."""
    known = ~np.isnan(one - other)
    apart = np.var((one - other)[known]) if known.any() else 0.0
    both = np.var(one[known]) + np.var(other[known])
    return float(both / apart) if apart else math.nan


def facts(experiment: Experiment, judged: list[Judged]) -> dict[str, Any]:
    """The claims as plain data: confirm.json."""
    return {
        "status": "judged",
        "confidence": round(bonferroni(CONFIDENCE, len(judged)), 9),
        "claims": [
            {
                "say": one.claim.say,
                "metric": one.claim.metric.name,
                "unit": one.claim.metric.unit,
                "wanted": "more" if one.claim.more else "less",
                "side": one.claim.side.policies,
                "against": one.claim.difference,
                "values": [numbers(one.side), numbers(one.against)],
                "difference": numbers(one.difference),
                **finite({"gain": one.gain}),
                "verdict": one.verdict,
            }
            for one in judged
        ],
    }
