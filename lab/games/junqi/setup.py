"""3. The set-up: how it is drawn, and what a side may change in it."""

import numpy as np

from lab.games.junqi.belief import expect
from lab.games.junqi.moves import arm
from lab.games.junqi.rules import KINDS
from lab.games.junqi.state import (
    DRAW,
    KIND,
    NEVER,
    NOBODY,
    PLAY,
    RUNNING,
    SETUP,
    SWAP,
    TIMED,
    UNKNOWN,
)
from lab.jit import bit, count, kernel, nth
from lab.rng import below

NONE = np.uint64(0)


def setup(rules, state, index, chance):
    """3.2 The drawn set-ups; nothing has been decided yet."""
    state.rng = chance
    state.kind[:] = UNKNOWN
    state.man[:] = 0
    state.moved[:] = NONE
    state.guess[:] = 0
    state.tried = NONE
    state.timed[:] = 0
    state.late[:] = 0
    state.offered[:] = NEVER
    state.phase = SETUP
    state.side = state.ply = state.quiet = 0
    state.offer = NOBODY
    state.ending, state.winner = RUNNING, DRAW
    for side in range(2):
        state.own[side] = NONE
        state.alive[side] = bit(rules.men) - np.uint64(1)
        for man in range(rules.men):
            node = rules.places[side, man]
            state.own[side] |= bit(node)
            state.man[node] = man
        draw_places(rules, state, side)
        arm(rules, state, side)
        expect(rules, state, side)
    state.rng = NONE


@kernel
def draw_places(rules, state, side):
    """3.2 The flag, the mines, the bombs and the rest, each on a place that is left to it."""
    free = bit(rules.men) - np.uint64(1)
    for i in range(len(KINDS)):
        kind = len(KINDS) - 1 - i
        for _ in range(rules.counts[kind]):
            left = free & rules.stands[kind]
            man = nth(left, below(state, count(left)))
            free &= ~bit(man)
            state.kind[side, rules.places[side, man]] = kind


@kernel
def may_swap(rules, state, side, man, other):
    """3.3 Whether two pieces may stand on one another's places, and differ."""
    one = state.kind[side, rules.places[side, man]]
    two = state.kind[side, rules.places[side, other]]
    fits = rules.stands[one] & bit(other) != NONE and rules.stands[two] & bit(man) != NONE
    return one != two and fits


@kernel
def list_setup(rules, state, legal):
    """10. What a side may do in its set-up."""
    side, n = state.side, 1
    legal[0] = PLAY * KIND
    for man in range(rules.men):
        for other in range(man + 1, rules.men):
            if may_swap(rules, state, side, man, other):
                legal[n] = SWAP * KIND + rules.places[side, man] * 64 + rules.places[side, other]
                n += 1
    if not state.timed[side]:
        legal[n] = TIMED * KIND
        n += 1
    return n
