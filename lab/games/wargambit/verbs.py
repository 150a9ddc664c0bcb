"""The verbs of the generic loop, as Wargambit means them."""

from lab.games.wargambit.kernel import (
    clock,
    gauge,
    imagine,
    is_over,
    kind_of,
    legal_actions,
    observe,
    score,
    seat,
    setup,
    step,
)
from lab.games.wargambit.policies import act, wake

__all__ = [
    "act",
    "clock",
    "gauge",
    "imagine",
    "is_over",
    "kind_of",
    "legal_actions",
    "observe",
    "score",
    "seat",
    "setup",
    "step",
    "wake",
]
