"""8. What play tells one side of the other's men, kept up to date move by move.

For each kind a mask of the men (bits) that may be of it: what has to be asked of all men at once,
such as which of them is certain, is then a few words of arithmetic.
"""

import numpy as np

from lab.games.junqi.rules import KINDS
from lab.games.junqi.state import ENGINEER, FLAG, MINE
from lab.jit import bit, count, kernel

NONE = np.uint64(0)


@kernel
def expect(rules, state, side):
    """8.1 What is known of men that have not moved."""
    forget(rules, state, side)
    conclude(rules, state, side)


@kernel
def forget(rules, state, side):
    """8.1 At first a man may be whatever may stand on its place."""
    for kind in range(len(KINDS)):
        state.can[side, kind] = rules.stands[kind] if rules.counts[kind] > 0 else NONE


@kernel
def rule_out(rules, state, side, man, kinds):
    """8.3 A man is of one of these kinds (bits): forget the others."""
    here, changed = bit(man), False
    for kind in range(len(KINDS)):
        if kinds & bit(kind) == NONE and state.can[side, kind] & here != NONE:
            state.can[side, kind] &= ~here
            changed = True
    if changed:
        conclude(rules, state, side)


@kernel
def note_move(rules, state, side, man, turned):
    """8.2 Who moves is no mine and no flag; who turned a corner is an engineer."""
    here = bit(man)
    if turned:
        rule_out(rules, state, side, man, bit(ENGINEER))
    elif (state.can[side, MINE] | state.can[side, FLAG]) & here != NONE:
        state.can[side, MINE] &= ~here
        state.can[side, FLAG] &= ~here
        conclude(rules, state, side)


@kernel
def certain(state, side):
    """The men that may be of one kind only."""
    once, twice = NONE, NONE
    for kind in range(len(KINDS)):
        twice |= once & state.can[side, kind]
        once |= state.can[side, kind]
    return once & ~twice


@kernel
def conclude(rules, state, side):
    """8.4 What the counts tell, until they tell nothing new; and 8.5 anew."""
    changed = True
    while changed:
        changed = False
        sure = certain(state, side)
        for kind in range(len(KINDS)):
            may, n = state.can[side, kind], rules.counts[kind]
            known = may & sure
            if count(may) == n:
                changed |= only(state, side, kind)
            elif count(known) == n:
                state.can[side, kind] = known
                changed = True
    count_options(state, side)


@kernel
def only(state, side, kind):
    """All men that may be of a kind are: no other kind for them. Whether that is news."""
    they, news = state.can[side, kind], False
    for other in range(len(KINDS)):
        if other != kind and state.can[side, other] & they != NONE:
            state.can[side, other] &= ~they
            news = True
    return news


@kernel
def count_options(state, side):
    """8.5 The kinds that the living men of a side may be, all in all."""
    options = 0
    for kind in range(len(KINDS)):
        options += count(state.can[side, kind] & state.alive[side])
    state.options[side] = options
