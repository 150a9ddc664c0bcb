"""The verbs of `lab.verbs` for junqi, each where it is written."""

from lab.games.junqi.kernel import (
    clock,
    gauge,
    is_over,
    kind_of,
    legal_actions,
    observe,
    score,
    seat,
    step,
)
from lab.games.junqi.policies import act, wake
from lab.games.junqi.setup import setup
from lab.games.junqi.worlds import imagine

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
