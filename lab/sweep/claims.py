"""Claims, judged: both sides of each play the same seeds, and the games are compared in pairs.

What they share of chance cancels out (common random numbers); how much that helped is told. A claim
at several skills is judged at each of them. The intervals hold all at once (Bonferroni).
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from lab.experiment import Experiment
from lab.experiment.banks import seed_of
from lab.experiment.claims import Claim, Side
from lab.metrics import measure_one, measure_pairs
from lab.stats.estimate import Estimate, bonferroni
from lab.sweep.blocks import Block, cut, joined
from lab.sweep.play import CONFIDENCE, Source, finite, numbers

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


def judge(experiment: Experiment, source: Source, tell: Callable[[int, int], None]) -> list[Judged]:
    """Judge every claim; `tell` gets how many have been judged, and of how many."""
    confidence = bonferroni(CONFIDENCE, len(experiment.claims))
    bank = seed_of(experiment.seed, "claims")
    played: dict[tuple[str, str, str, int], Any] = {}

    def games_of(side: Side, games: int) -> Any:
        key = (side.rules.fingerprint, side.first, side.second, games)
        if key not in played:
            block = Block(side.rules, side.first, side.second, bank, range(games))
            played[key] = joined(list(source(cut(block))))[0]
        return played[key]

    judged: list[Judged] = []
    for claim in experiment.claims:
        tell(len(judged), len(experiment.claims))
        side = games_of(claim.side, claim.games)
        if claim.value is None:
            judged.append(_paired(claim, side, games_of(claim.against, claim.games), confidence))
        else:
            judged.append(_held(claim, claim.value, side, confidence))
    tell(len(judged), len(judged))
    return judged


def _paired(claim: Claim, side: Any, against: Any, confidence: float) -> Judged:
    rules = claim.against.rules, claim.side.rules
    (found,) = measure_pairs(against, side, [claim.metric], rules, confidence, [claim.other])
    return Judged(claim, found.after, found.before, found.difference, found.ratio)


def _held(claim: Claim, value: float, games: Any, confidence: float) -> Judged:
    """Against a value, which no games are played for."""
    found = measure_one(games, claim.metric, confidence, claim.side.rules)
    low, high = found.low - value, found.high - value
    apart = replace(found, value=found.value - value, low=low, high=high)
    fixed = replace(found, value=value, low=value, high=value, error=0.0, n=0, distinct=0)
    return Judged(claim, found, fixed, apart, math.nan)


def facts(experiment: Experiment, judged: list[Judged]) -> dict[str, Any]:
    """The claims as plain data: confirm.json."""
    return {
        "status": "judged",
        "confidence": round(bonferroni(CONFIDENCE, len(judged)), 9),
        "claims": [
            {
                "say": one.claim.say,
                "skill": one.claim.skill,
                "metric": one.claim.metric.name,
                "unit": one.claim.metric.unit,
                "wanted": "more" if one.claim.more else "less",
                "side": one.claim.shown,
                "against": one.claim.difference,
                "values": [numbers(one.side), numbers(one.against)],
                "difference": numbers(one.difference),
                **finite({"gain": one.gain}),
                "verdict": one.verdict,
            }
            for one in judged
        ],
    }
