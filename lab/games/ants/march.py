"""5. The march: where every ant walks, all at once."""

import numpy as np

from lab.games.ants.colony import strongest_of
from lab.games.ants.state import SOLDIER, WORKER
from lab.jit import bit, count, highest, kernel, lowest, without_lowest

NONE = np.uint64(0)
ANCHOR, FREE, HOLD, NEAREST, GRADIENT = range(5)


@kernel
def march(rules, state, outcome):
    """5.5 Walk as often as the rules say, each time from the positions found."""
    for _ in range(rules.march.cells):
        if state.pheromone[state.side]:
            walk(rules, state, WORKER)
            walk(rules, state, SOLDIER)
        else:
            for ant in range(2):
                standing = state.living[state.side, ant] - state.fresh[ant]
                outcome.stranded[state.side] += standing


@kernel
def walk(rules, state, ant):
    """5. All own ants of a kind step at once; those made this turn stay on the nest."""
    side = state.side
    leaving = leavers(rules, state, ant)
    arrived = NONE
    while leaving:
        cell = lowest(leaving)
        leaving = without_lowest(leaving)
        n = state.ants[side, ant, cell]
        if cell == rules.nest[side]:
            n -= state.fresh[ant]
        goal = target(rules, state, cell)
        if n == 0 or goal == cell:
            continue
        to = rules.next_step[side, cell, goal]
        state.arriving[to] += n
        arrived |= bit(to)
        state.ants[side, ant, cell] -= n
        if state.ants[side, ant, cell] == 0:
            state.held[side, ant] &= ~bit(cell)
    state.held[side, ant] |= arrived
    while arrived:
        cell = lowest(arrived)
        arrived = without_lowest(arrived)
        state.ants[side, ant, cell] += state.arriving[cell]
        state.arriving[cell] = 0


@kernel
def leavers(rules, state, ant):
    """5.3 and 5.4: the cells whose ants of a kind may walk; who is on its target stays."""
    side = state.side
    cells = state.held[side, ant]
    if rules.march.movement == GRADIENT:
        return cells
    if rules.march.movement == HOLD or rules.march.movement == NEAREST:
        return cells & ~state.pheromone[side]
    if rules.march.movement == ANCHOR and ant == WORKER:
        cells &= ~rules.point_mask
    return cells & ~state.strongest[side]


@kernel
def target(rules, state, cell):
    """5.2 The cell an ant walks to, by the movement of 5.4; -1 never, a pheromone exists."""
    if rules.march.movement == GRADIENT:
        return steepest(rules, state, cell)
    among = state.strongest[state.side]
    if rules.march.movement == NEAREST:
        among = state.pheromone[state.side]
    if count(among) > 1:
        among = nearest(rules, among, cell)
        if rules.march.movement == NEAREST:
            among = strongest_of(state, among)
    return first_of(rules, state, among)


@kernel
def first_of(rules, state, cells):
    """5.2 The first cell in order, the last where ties go the other way (9)."""
    return highest(cells) if rules.takes_last[state.side] else lowest(cells)


@kernel
def nearest(rules, cells, cell):
    """5.2 Those of the cells that are nearest to one."""
    distance = 0
    while not cells & rules.ring[cell, distance]:
        distance += 1
    return cells & rules.ring[cell, distance]


@kernel
def farthest(rules, cells, cell):
    """Those of the cells that are farthest from one."""
    distance = 2 * rules.board.radius
    while not cells & rules.ring[cell, distance]:
        distance -= 1
    return cells & rules.ring[cell, distance]


@kernel
def steepest(rules, state, cell):
    """5.4 gradient: the greatest strength minus distance, then the nearest, then the first."""
    cells = state.pheromone[state.side]
    best = NONE
    most = -100
    distance = 0
    while cells:
        ring = cells & rules.ring[cell, distance]
        if ring:
            top = strongest_of(state, ring)
            value = state.strength[lowest(top)] - distance
            if value > most:  # equal: the nearer one, found before, stays
                most = value
                best = top
            cells &= ~ring
        distance += 1
    return first_of(rules, state, best)
