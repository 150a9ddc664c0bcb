"""The verbs of the generic loop, as NEXT NATION means them."""

from lab.games.next_nation.kernel import (
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
from lab.games.next_nation.orders import kind_of, legal_actions
from lab.games.next_nation.policies import act, wake

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
