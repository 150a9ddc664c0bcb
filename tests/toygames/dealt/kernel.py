"""The rules of pebbles, where the record knows what lies under the heap."""

from lab.games.pebbles.kernel import (
    act,
    clock,
    gauge,
    imagine,
    is_over,
    kind_of,
    legal_actions,
    observe,
    score,
    seat,
    wake,
)
from lab.games.pebbles.kernel import step as step_of_pebbles

from lab.jit import kernel

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
    "wake",
]

take = kernel(step_of_pebbles)


def setup(rules, state, index, chance):
    state.left = rules.heap
    state.under = rules.under_of[index - rules.first_game]
    state.turn = 0
    state.over = False


def step(rules, state, action, outcome):
    take(rules, state, action, outcome)
    outcome.all = outcome.taken[0] + outcome.taken[1]
