"""The rules of pebbles. An action is the number of pebbles taken."""

import numpy as np

from lab.jit import copy_state, kernel
from lab.rng import below

RANDOM, GREEDY = 1, 2
LAST = 0


def setup(rules, state, index, chance):
    """The heap, and by chance what lies under it."""
    state.left = rules.heap
    state.under = np.int64(chance % np.uint64(rules.under + 1))
    state.turn = 0
    state.over = False


def seat(rules, state):
    return state.turn % 2


@kernel
def limit(rules, state):
    """The most that this move may take."""
    return min(rules.most, np.int64(state.left))


def legal_actions(rules, state, legal):
    n = limit(rules, state)
    for i in range(n):
        legal[i] = i + 1
    return n


def kind_of(rules, action):
    return action - 1


@kernel
def take(state, n):
    """Take n pebbles; when none is left in sight, those beneath come to light."""
    state.left -= n
    if state.left == 0:
        state.left = state.under
        state.under = 0


def step(rules, state, action, outcome):
    mover = state.turn % 2
    take(state, action)
    outcome.taken[mover] += action
    state.turn += 1
    if state.left == 0:
        state.over = True
        outcome._ends += 1
        outcome.winner = mover
        outcome.ending = LAST
        outcome.length = (state.turn + 1) // 2


def is_over(rules, state):
    return state.over


def score(rules, state, seat):
    return 1.0 if (state.turn - 1) % 2 == seat else 0.0


def clock(rules, state):
    return state.turn // 2


def gauge(rules, state, sums):
    sums[0] += state.left
    sums[1] += state.under


def observe(rules, state, seat, view):
    """Nobody sees what lies beneath."""
    copy_state(view, state)
    view.under = 0
    return view


def imagine(rules, view, seat, world, mind):
    """Any number may lie beneath the heap, until it has come to light."""
    copy_state(world, view)
    world.under = below(mind, rules.under + 1)


def wake(rules, policy, mind):
    mind.weights[0] = policy.weights[0]


def act(rules, view, policy, mind, legal):
    """A choice that is banned takes fewer; one is never banned."""
    n = limit(rules, view)
    if policy.kind == RANDOM:
        n = 1 + below(mind, n)
    else:
        n = max(1, n - mind.weights[0])
    while (policy.banned >> np.uint64(n - 1)) & np.uint64(1):
        n -= 1
    return n
