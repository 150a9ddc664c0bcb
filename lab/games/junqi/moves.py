"""4. Where a piece may go: sets of nodes."""

import numpy as np

from lab.games.junqi.state import NODES
from lab.jit import bit, count, highest, kernel, lowest, nth, without_lowest

NONE = np.uint64(0)
ONE = np.uint64(1)


@kernel
def targets(rules, state, side, node):
    """4.1 4.2 Where the piece on a node may go."""
    here = bit(node)
    blocked = closed(rules, state, side)
    if here & rules.rails == NONE:
        return rules.road[node] & ~blocked
    if state.engineers[side] & here != NONE:
        return (rules.road[node] | flood(rules, state, node)) & ~blocked
    return (rules.road[node] | slides(rules, state, node)) & ~blocked


@kernel
def closed(rules, state, side):
    """4.2 Where no piece of a side may end: on own pieces, and on the enemy's in camps."""
    return state.own[side] | (state.own[1 - side] & rules.camps)


@kernel
def slides(rules, state, node):
    """4.1 The nodes straight along rails, up to the first piece, that one included."""
    pieces = state.own[0] | state.own[1]
    found = NONE
    for direction in range(2):
        found |= until_lowest(rules.ray[node, direction], pieces)
        found |= until_highest(rules.ray[node, 2 + direction], pieces)
    return found


@kernel
def until_lowest(ray, pieces):
    """A ray that goes up, cut behind its first piece."""
    met = ray & pieces
    if met == NONE:
        return ray
    first = met & (~met + ONE)
    return ray & (first | (first - ONE))


@kernel
def until_highest(ray, pieces):
    """A ray that goes down, cut behind its first piece."""
    met = ray & pieces
    if met == NONE:
        return ray
    return ray & ~(bit(highest(met)) - ONE)


@kernel
def flood(rules, state, node):
    """4.1 What an engineer reaches by rail, round any corner."""
    pieces = state.own[0] | state.own[1]
    found, edge = bit(node), bit(node)
    while edge:
        new = NONE
        while edge:
            new |= rules.beside[lowest(edge)]
            edge = without_lowest(edge)
        new &= ~found
        found |= new
        edge = new & ~pieces
    return found & ~bit(node)


@kernel
def movers(rules, state, side):
    """4.3 The pieces of a side that may move and have a free node beside them."""
    blocked = closed(rules, state, side)
    left, found = state.movable[side], NONE
    while left:
        node = lowest(left)
        left = without_lowest(left)
        if rules.near[node] & ~blocked != NONE:
            found |= bit(node)
    return found


@kernel
def can_move(rules, state, side):
    """6.2 Whether a side has any move."""
    blocked = closed(rules, state, side)
    left = state.movable[side]
    while left:
        if rules.near[lowest(left)] & ~blocked != NONE:
            return True
        left = without_lowest(left)
    return False


@kernel
def own_nth(side, nodes, n):
    """The n-th of some nodes as a side counts them: Black from E12 (README 10)."""
    return nth(nodes, n) if side == 0 else nth(nodes, count(nodes) - 1 - n)


@kernel
def first(side, nodes):
    """The first of some nodes as a side counts them."""
    return lowest(nodes) if side == 0 else highest(nodes)


@kernel
def other_end(side, node):
    """A node as the side counts it, from 0: Black's are turned."""
    return node if side == 0 else NODES - 1 - node
