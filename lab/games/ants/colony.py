"""What a side has on the board: its ants, its pheromones, and how far they reach."""

import numpy as np

from lab.games.ants.state import SOLDIER, WORKER
from lab.jit import bit, count, kernel, lowest, without_lowest

NONE = np.uint64(0)


@kernel
def arrive(rules, state, side, ant, n):
    """2.2 and 4.1: n ants appear on their nest."""
    if n > 0:
        nest = rules.nest[side]
        state.ants[side, ant, nest] += n
        state.living[side, ant] += n
        state.held[side, ant] |= bit(nest)


@kernel
def remove(state, side, ant, cell, n):
    """Take n ants off a cell."""
    state.ants[side, ant, cell] -= n
    state.living[side, ant] -= n
    if state.ants[side, ant, cell] == 0:
        state.held[side, ant] &= ~bit(cell)


@kernel
def occupied(rules, state, side):
    """Cells with ants of a side, its queens included."""
    cells = state.held[side, WORKER] | state.held[side, SOLDIER]
    if state.queens[side] > 0:
        cells |= bit(rules.nest[side])
    return cells


@kernel
def renew_reach(rules, state, side):
    """4.3 The cells within reach of a side's workers; kept while they stand where they stood."""
    workers = state.held[side, WORKER]
    if workers == state.reach_of[side]:
        return
    state.reach_of[side] = workers
    reach = NONE
    while workers:
        reach |= rules.near[lowest(workers)]
        workers = without_lowest(workers)
    state.reach[side] = reach


@kernel
def set_strength(rules, state, side, cell, strength):
    """The strength of a side's pheromone; at 0 or less it is gone."""
    here = bit(cell)
    state.full[side] &= ~here
    if strength >= state.strength[cell]:
        raise_strongest(state, side, here, strength)
        if strength >= rules.pheromone.max_strength:
            state.full[side] |= here
    elif strength <= 0:
        strength = 0
        state.pheromone[side] &= ~here
    falls = strength < state.strength[cell]
    state.strength[cell] = strength
    if falls:
        state.strongest[side] = strongest_of(state, state.pheromone[side])


@kernel
def raise_strongest(state, side, here, strength):
    """5.2 The strongest pheromones, when one of them rose to this strength."""
    others = state.strongest[side] & ~here
    if not others or strength > state.strength[lowest(others)]:
        state.strongest[side] = here
    elif strength == state.strength[lowest(others)]:
        state.strongest[side] |= here


@kernel
def strongest_of(state, cells):
    """5.2 Those of the cells whose pheromone is strongest."""
    best = NONE
    most = 0
    while cells:
        cell = lowest(cells)
        cells = without_lowest(cells)
        if state.strength[cell] > most:
            most = state.strength[cell]
            best = bit(cell)
        elif state.strength[cell] == most:
            best |= bit(cell)
    return best


@kernel
def held_points(rules, state, side):
    """7.3 How many resource points hold an own worker."""
    return count(state.held[side, WORKER] & rules.point_mask)


@kernel
def total_power(rules, state, side):
    """The sum of power of all ants of a side."""
    power = state.living[side, WORKER] * rules.units.worker.power
    power += state.living[side, SOLDIER] * rules.units.soldier.power
    return power + state.queens[side] * rules.units.queen.power
