"""The verbs of the generic loop, as ants means them."""

from lab.games.ants.actions import kind_of, legal_actions
from lab.games.ants.kernel import (
    clock,
    gauge,
    imagine,
    is_over,
    observe,
    score,
    seat,
    setup,
    step,
)
from lab.games.ants.policies import act, wake

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
