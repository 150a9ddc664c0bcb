"""4. Where a piece may go: sets of nodes."""

import numpy as np

from lab.games.junqi.state import ENGINEER, FLAG, MINE, NODES
from lab.jit import bit, highest, kernel, lowest, without_lowest

NONE = np.uint64(0)
ONE = np.uint64(1)
ALL = ~NONE


@kernel
def targets(rules, state, side, node):
    """4.1 4.2 Where the piece on a node may go."""
    pieces = state.own[0] | state.own[1]
    return reach(rules, node, pieces, state.engineers[side]) & ~closed(rules, state, side)


@kernel
def closed(rules, state, side):
    """4.2 Where no piece of a side may end: on own pieces, and on the enemy's in camps."""
    return state.own[side] | (state.own[1 - side] & rules.camps)


@kernel
def reach(rules, node, pieces, engineers):
    """4.1 Where a piece on a node comes by road or rail, among all these pieces."""
    here = bit(node)
    if here & rules.rails == NONE:
        return rules.road[node]
    if engineers & here != NONE:
        return rules.road[node] | flood(rules, pieces, node)
    return rules.road[node] | slides(rules, pieces, node)


@kernel
def slides(rules, pieces, node):
    """4.1 The nodes straight along rails, up to the first piece, that one included.

    Of a ray that goes up the first piece is its lowest bit, of one that goes down its highest.
    """
    found = NONE
    for direction in range(2):
        ray = rules.ray[node, direction]
        met = ray & pieces
        found |= ray & (met ^ (met - ONE))
        ray = rules.ray[node, 2 + direction]
        met = ray & pieces
        found |= ray & (ALL << np.uint64(highest(met | ONE)))
    return found


@kernel
def flood(rules, pieces, node):
    """4.1 What an engineer reaches by rail, round any corner."""
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
    """4.3 The pieces of a side that may move and have a free node beside them; 6.2 if none has."""
    free, found = ~closed(rules, state, side), NONE
    for i in range(rules.strides):
        found |= beside_free(rules, free, i)
    return found & state.movable[side]


@kernel
def stuck(rules, state, side):
    """6.2 Whether no piece of a side can go: `movers`, no further than the first."""
    free = ~closed(rules, state, side)
    for i in range(rules.strides):
        if beside_free(rules, free, i) & state.movable[side] != NONE:
            return False
    return True


@kernel
def beside_free(rules, free, i):
    """The nodes from which a step of the i-th stride leads to one of these."""
    stride, starts = rules.stride[i], rules.starts[i]
    return (free >> stride) & starts | (free & starts) << stride


@kernel
def arm(rules, state, side):
    """4.1 4.3 Which of a side's pieces may move, and which are engineers."""
    left = state.own[side]
    state.movable[side] = state.engineers[side] = NONE
    while left:
        node = lowest(left)
        left = without_lowest(left)
        kind = state.kind[side, node]
        if kind == ENGINEER:
            state.engineers[side] |= bit(node)
        if kind != MINE and kind != FLAG:
            state.movable[side] |= bit(node)
    if rules.board.headquarters_hold:
        state.movable[side] &= ~rules.homes


@kernel
def first(side, nodes):
    """The first of some nodes as a side counts them."""
    return lowest(nodes) if side == 0 else highest(nodes)


@kernel
def other_end(side, node):
    """A node as the side counts it, from 0: Black's are turned."""
    return node if side == 0 else NODES - 1 - node
