"""4. Actions: what is legal, and what each does."""

import numpy as np

from lab.games.ants.colony import arrive, occupied, renew_reach, set_strength
from lab.games.ants.state import (
    DESTROY,
    END,
    GATHER,
    MAKE_SOLDIER,
    MAKE_WORKER,
    PLACE,
    REINFORCE,
    SOLDIER,
    WORKER,
)
from lab.jit import bit, count, kernel, lowest, without_lowest

NONE = np.uint64(0)


@kernel
def price(rules, state, ant):
    """4.1 What the next ant of a kind costs."""
    living = state.living[state.side, ant]
    if ant == WORKER:
        return rules.units.worker.cost + living // rules.units.worker.cost_step
    return rules.units.soldier.cost + living // rules.units.soldier.cost_step


@kernel
def can_produce(rules, state, ant):
    """4.1 Produce: AP and resources are there (the price compared without dividing)."""
    if state.ap < rules.turn.cost.produce:
        return False
    resources, living = state.resources[state.side], state.living[state.side, ant]
    if ant == WORKER:
        steps = resources - rules.units.worker.cost + 1
        return steps > 0 and living < steps * rules.units.worker.cost_step
    steps = resources - rules.units.soldier.cost + 1
    return steps > 0 and living < steps * rules.units.soldier.cost_step


@kernel
def can_gather(rules, state):
    """4.2 Gather: a worker on the own nest that may gather once more."""
    workers = state.ants[state.side, WORKER, rules.nest[state.side]]
    if state.ap < rules.turn.cost.gather or workers == 0:
        return False
    limit = rules.income.gather_per_worker
    return limit == 0 or state.gathered < limit * workers


@kernel
def placeable(rules, state):
    """4.3 Place: free cells within reach of a worker, while the limit allows one more."""
    side = state.side
    if state.ap < rules.turn.cost.place or state.resources[side] < rules.pheromone.place_cost:
        return NONE
    if count(state.pheromone[side]) >= rules.pheromone.limit:
        return NONE
    taken = state.pheromone[0] | state.pheromone[1]
    if rules.pheromone.place_needs_no_ants:
        taken |= occupied(rules, state, 0) | occupied(rules, state, 1)
    return state.reach[side] & ~taken


@kernel
def reinforceable(rules, state):
    """4.4 Reinforce: own pheromones below the greatest strength within reach of a worker."""
    side = state.side
    if state.ap < rules.turn.cost.reinforce:
        return NONE
    if state.resources[side] < rules.pheromone.reinforce_cost:
        return NONE
    return state.reach[side] & state.pheromone[side] & ~state.full[side]


@kernel
def destroyable(rules, state):
    """4.5 Destroy: enemy pheromones under an own soldier."""
    if state.ap < rules.turn.cost.destroy:
        return NONE
    return state.pheromone[1 - state.side] & state.held[state.side, SOLDIER]


@kernel
def list_cells(kind, cells, legal, n):
    """Append an action of this kind for each cell; returns the new length."""
    while cells:
        legal[n] = kind * 64 + lowest(cells)
        n += 1
        cells = without_lowest(cells)
    return n


def legal_actions(rules, state, legal):
    """4. Every legal action, in order of its number."""
    legal[0] = END
    n = 1
    if can_produce(rules, state, WORKER):
        legal[n] = MAKE_WORKER * 64
        n += 1
    if can_produce(rules, state, SOLDIER):
        legal[n] = MAKE_SOLDIER * 64
        n += 1
    if can_gather(rules, state):
        legal[n] = GATHER * 64
        n += 1
    n = list_cells(PLACE, placeable(rules, state), legal, n)
    n = list_cells(REINFORCE, reinforceable(rules, state), legal, n)
    return list_cells(DESTROY, destroyable(rules, state), legal, n)


def kind_of(rules, action):
    """4. The kind of an action."""
    return action >> 6


@kernel
def produce(rules, state, ant, outcome):
    """4.1 Produce an ant on the own nest; it does not march this turn."""
    side = state.side
    state.resources[side] -= price(rules, state, ant)
    state.ap -= rules.turn.cost.produce
    arrive(rules, state, side, ant, 1)
    state.fresh[ant] += 1
    if ant == WORKER:
        renew_reach(rules, state, side)
        outcome.workers_made[side] += 1
    else:
        outcome.soldiers_made[side] += 1


@kernel
def gather(rules, state, outcome):
    """4.2 Gather: a worker on its own nest earns the gather income."""
    state.resources[state.side] += rules.income.gather
    state.ap -= rules.turn.cost.gather
    state.gathered += 1
    outcome.gathers[state.side] += 1


@kernel
def place(rules, state, cell, outcome):
    """4.3 Place a pheromone of the start strength."""
    side = state.side
    state.resources[side] -= rules.pheromone.place_cost
    state.ap -= rules.turn.cost.place
    state.pheromone[side] |= bit(cell)
    set_strength(rules, state, side, cell, rules.pheromone.start_strength)
    outcome.placed[side] += 1


@kernel
def reinforce(rules, state, cell, outcome):
    """4.4 Reinforce an own pheromone up to the greatest strength."""
    side = state.side
    state.resources[side] -= rules.pheromone.reinforce_cost
    state.ap -= rules.turn.cost.reinforce
    strength = state.strength[cell] + rules.pheromone.reinforce_by
    set_strength(rules, state, side, cell, min(strength, rules.pheromone.max_strength))
    outcome.reinforced[side] += 1


@kernel
def destroy(rules, state, cell, outcome):
    """4.5 Destroy the enemy pheromone under an own soldier, whatever its strength."""
    state.ap -= rules.turn.cost.destroy
    set_strength(rules, state, 1 - state.side, cell, 0)
    outcome.destroyed[state.side] += 1
