"""6. Combat: every cell on which both sides stand."""

import numpy as np

from lab.games.ants.colony import occupied, remove
from lab.games.ants.state import SOLDIER, WORKER
from lab.jit import bit, kernel, lowest, without_lowest


@kernel
def combat(rules, state):
    """6. Every cell with ants of both sides fights; cells do not touch each other."""
    contested = occupied(rules, state, 0) & occupied(rules, state, 1)
    while contested:
        fight(rules, state, lowest(contested))
        contested = without_lowest(contested)


@kernel
def power_on(rules, state, side, cell):
    """6. The sum of power of a side on a cell, queens included."""
    power = state.ants[side, WORKER, cell] * rules.units.worker.power
    power += state.ants[side, SOLDIER, cell] * rules.units.soldier.power
    if cell == rules.nest[side]:
        power += state.queens[side] * rules.units.queen.power
    return power


@kernel
def fight(rules, state, cell):
    """6.1 The larger sum wins and pays the smaller; 6.2 a pheromone's owner wins a tie."""
    first = power_on(rules, state, 0, cell)
    second = power_on(rules, state, 1, cell)
    if first != second:
        winner = 0 if first > second else 1
        lose(rules, state, winner, cell, min(first, second))
        lose(rules, state, 1 - winner, cell, max(first, second))
        return
    for side in range(2):
        spared = state.pheromone[side] & bit(cell)
        loss = first // rules.combat.tie_loss_divisor if spared else first
        lose(rules, state, side, cell, loss)


@kernel
def lose(rules, state, side, cell, loss):
    """6.1 Lose power: workers, soldiers, queens, while the next ant's power is not above it."""
    n = min(np.int64(state.ants[side, WORKER, cell]), loss // rules.units.worker.power)
    remove(state, side, WORKER, cell, n)
    if state.ants[side, WORKER, cell] > 0:
        return
    loss -= n * rules.units.worker.power
    n = min(np.int64(state.ants[side, SOLDIER, cell]), loss // rules.units.soldier.power)
    remove(state, side, SOLDIER, cell, n)
    if state.ants[side, SOLDIER, cell] > 0:
        return
    loss -= n * rules.units.soldier.power
    if cell == rules.nest[side]:
        state.queens[side] -= min(np.int64(state.queens[side]), loss // rules.units.queen.power)
