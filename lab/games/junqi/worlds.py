"""8. A world that a side may be in: ranks for the enemy's men that fit all it knows."""

import numpy as np

from lab.games.junqi.belief import conclude, forget
from lab.games.junqi.moves import arm
from lab.games.junqi.rules import KINDS
from lab.games.junqi.state import FLAG, MINE
from lab.jit import bit, copy_state, count, kernel, lowest, nth, without_lowest
from lab.rng import below

NONE = np.uint64(0)
SWAPS = 4
"""Exchanges tried for each man: they make every fitting world about equally likely."""


def imagine(rules, view, seat, world, mind):
    """8. The enemy's men get kinds that they may be, and the enemy knows what anybody can see."""
    copy_state(world, view)
    enemy = 1 - seat
    hand_out(rules, world, enemy, mind)
    shuffle(rules, world, enemy, mind)
    left = world.own[enemy]
    while left:
        node = lowest(left)
        left = without_lowest(left)
        world.kind[enemy, node] = world.guess[world.man[node]]
    arm(rules, world, enemy)
    assume(rules, world, seat)


@kernel
def hand_out(rules, world, side, mind):
    """Give every man a kind that it may be, whatever is rarest first."""
    free = bit(rules.men) - np.uint64(1)
    held = world.can[1 - side]  # men by kind; `assume` says afterwards what belongs here
    held[:] = NONE
    for i in range(len(KINDS)):
        kind = len(KINDS) - 1 - i
        for _ in range(rules.counts[kind]):
            left = free & world.can[side, kind]
            if left != NONE:
                man = nth(left, below(mind, count(left)))
                held[kind] |= bit(man)
                free &= ~bit(man)
    while free:
        man = lowest(free)
        free = without_lowest(free)
        world.tried = NONE
        if not find_kind(rules, world, held, side, man):
            take_any(rules, held, man)
    for kind in range(len(KINDS)):
        men = held[kind]
        while men:
            world.guess[lowest(men)] = kind
            men = without_lowest(men)


@kernel
def find_kind(rules, world, held, side, man):
    """Whether a man gets a kind, others making room for it (Kuhn 1955, a path that augments)."""
    for kind in range(len(KINDS)):
        fresh = world.tried & bit(kind) == NONE
        if fresh and world.can[side, kind] & bit(man) != NONE:
            world.tried |= bit(kind)
            if count(held[kind]) < rules.counts[kind]:
                held[kind] |= bit(man)
                return True
            others = held[kind]
            while others:
                other = lowest(others)
                others = without_lowest(others)
                if find_kind(rules, world, held, side, other):
                    held[kind] = held[kind] & ~bit(other) | bit(man)
                    return True
    return False


@kernel
def take_any(rules, held, man):
    """A kind that is left over, for a man of a position that no game leads to."""
    for kind in range(len(KINDS)):
        if count(held[kind]) < rules.counts[kind]:
            held[kind] |= bit(man)
            return


@kernel
def shuffle(rules, world, side, mind):
    """Exchange kinds between men that may be either, till every fitting world is about as likely.

    The exchanges are a random walk without a preferred direction (Metropolis et al. 1953).
    """
    for _ in range(SWAPS * rules.men):
        man, other = below(mind, rules.men), below(mind, rules.men)
        one, two = world.guess[man], world.guess[other]
        if one != two:
            may = world.can[side, one] & bit(other) != NONE
            if may and world.can[side, two] & bit(man) != NONE:
                world.guess[man], world.guess[other] = two, one


@kernel
def assume(rules, world, side):
    """What the enemy knows of a side's men, as far as the side can tell: who has moved."""
    forget(rules, world, side)
    world.can[side, MINE] &= ~world.moved[side]
    world.can[side, FLAG] &= ~world.moved[side]
    conclude(rules, world, side)
