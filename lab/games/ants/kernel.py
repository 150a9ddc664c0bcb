"""The rules of ants as kernels: one function for each section of this folder's README.md."""

import numpy as np

from lab.games.ants.march import march, strongest_of
from lab.games.ants.state import (
    CAP,
    DESTROY,
    DOUBLE_QUEEN,
    DRAW,
    END,
    GATHER,
    MAKE_SOLDIER,
    MAKE_WORKER,
    PLACE,
    QUEEN,
    REINFORCE,
    RUNNING,
    SIEGE,
    SOLDIER,
    WORKER,
)
from lab.jit import bit, copy_state, count, kernel, lowest, without_lowest

NONE = np.uint64(0)
SIEGE_JUDGEMENT, DRAW_JUDGEMENT, STRENGTH, ECONOMY, MIXED = range(5)


def setup(rules, state, chance):
    """2. Start: the ants in their nests, the resources, the first turn's income."""
    state.pheromone[:] = NONE
    state.full[:] = NONE
    state.held[:] = NONE
    state.strongest[:] = NONE
    state.reach[:] = NONE
    state.reach_of[:] = NONE
    state.ants[:] = 0
    state.strength[:] = 0
    state.arriving[:] = 0
    state.siege[:] = 0
    state.round = 1
    state.side = 0
    state.ending = RUNNING
    state.winner = DRAW
    for side in range(2):
        state.resources[side] = rules.start.resources[side]
        state.queens[side] = rules.start.queens
        state.living[side, WORKER] = 0
        state.living[side, SOLDIER] = 0
        arrive(rules, state, side, WORKER, rules.start.workers)
        arrive(rules, state, side, SOLDIER, rules.start.soldiers)
    begin_turn(rules, state)


@kernel
def arrive(rules, state, side, ant, n):
    """2.2 and 4.1: n ants appear on their nest."""
    if n > 0:
        nest = rules.nest[side]
        state.ants[side, ant, nest] += n
        state.living[side, ant] += n
        state.held[side, ant] |= bit(nest)


@kernel
def begin_turn(rules, state):
    """3.1 Income, and the action points of 3.2."""
    side = state.side
    paid = np.int64(0)
    workers = state.held[side, WORKER]
    points = workers & rules.point_mask
    while points:
        here = state.ants[side, WORKER, lowest(points)]
        paid += min(np.int64(here), rules.income.workers_per_point)
        points = without_lowest(points)
    state.resources[side] += rules.income.nest + rules.income.point * paid
    state.ap = rules.turn.ap
    state.gathered = 0
    state.fresh[WORKER] = 0
    state.fresh[SOLDIER] = 0
    renew_reach(rules, state, side)


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


def seat(rules, state):
    """3. Whose turn it is."""
    return state.side


def is_over(rules, state):
    """7. Whether one of the endings was reached."""
    return state.ending != RUNNING


def score(rules, state, seat):
    """7. 1 for the winner, 0 for the loser, one half each for a draw."""
    if state.winner == DRAW:
        return 0.5
    return 1.0 if state.winner == seat else 0.0


# --- 4. Actions: what is legal ------------------------------------------------------------------


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
def occupied(rules, state, side):
    """Cells with ants of a side, its queens included."""
    cells = state.held[side, WORKER] | state.held[side, SOLDIER]
    if state.queens[side] > 0:
        cells |= bit(rules.nest[side])
    return cells


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


# --- 4. Actions: what they do -------------------------------------------------------------------


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


def step(rules, state, action, outcome):
    """3. Play one action; when it ends the actions, the rest of the turn follows."""
    kind = action >> 6
    cell = action & 63
    if kind == PLACE:
        place(rules, state, cell, outcome)
    elif kind == REINFORCE:
        reinforce(rules, state, cell, outcome)
    elif kind == MAKE_WORKER:
        produce(rules, state, WORKER, outcome)
    elif kind == MAKE_SOLDIER:
        produce(rules, state, SOLDIER, outcome)
    elif kind == GATHER:
        gather(rules, state, outcome)
    elif kind == DESTROY:
        destroy(rules, state, cell, outcome)
    if kind == END or state.ap < rules.cheapest:
        end_turn(rules, state, outcome)


@kernel
def end_turn(rules, state, outcome):
    """3. March, combat and check, then the next turn."""
    march(rules, state, outcome)
    combat(rules, state)
    check(rules, state, outcome)
    if state.ending != RUNNING:
        return
    if state.side == 1:
        note_lead(rules, state, outcome)
        fade(rules, state)
        state.round += 1
    state.side = 1 - state.side
    begin_turn(rules, state)


# --- 6. Combat ----------------------------------------------------------------------------------


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


@kernel
def remove(state, side, ant, cell, n):
    """Take n ants off a cell."""
    state.ants[side, ant, cell] -= n
    state.living[side, ant] -= n
    if state.ants[side, ant, cell] == 0:
        state.held[side, ant] &= ~bit(cell)


# --- 7. Check -----------------------------------------------------------------------------------


@kernel
def check(rules, state, outcome):
    """7. The endings in their order: queens (7.1), siege (7.2), cap (7.3)."""
    if state.queens[0] <= 0 or state.queens[1] <= 0:
        if state.queens[0] <= 0 and state.queens[1] <= 0:
            finish(rules, state, outcome, DOUBLE_QUEEN, DRAW)
        else:
            finish(rules, state, outcome, QUEEN, 0 if state.queens[1] <= 0 else 1)
        return
    side = state.side
    ants = state.held[side, WORKER] | state.held[side, SOLDIER]
    if count(ants & rules.beside[1 - side]) >= rules.siege.cells:
        state.siege[side] += 1
    else:
        state.siege[side] = 0
    if state.siege[side] >= rules.siege.turns:
        finish(rules, state, outcome, SIEGE, side)
    elif side == 1 and state.round >= rules.turn.round_cap:
        first = judgement(rules, state, 0)
        second = judgement(rules, state, 1)
        winner = DRAW if first == second else 0 if first > second else 1
        finish(rules, state, outcome, CAP, winner)


@kernel
def held_points(rules, state, side):
    """7.3 How many resource points hold an own worker."""
    return count(state.held[side, WORKER] & rules.point_mask)


@kernel
def territory(rules, state, side):
    """7.3 Held points, and cells of the enemy half with an own ant or pheromone, each once."""
    mine = state.held[side, WORKER] | state.held[side, SOLDIER] | state.pheromone[side]
    cells = count(mine & rules.enemy_half[side])
    return held_points(rules, state, side) * rules.cap.point_value + cells * rules.cap.cell_value


@kernel
def total_power(rules, state, side):
    """The sum of power of all ants of a side."""
    power = state.living[side, WORKER] * rules.units.worker.power
    power += state.living[side, SOLDIER] * rules.units.soldier.power
    return power + state.queens[side] * rules.units.queen.power


@kernel
def judgement(rules, state, side):
    """7.3 What a side's position counts at the cap."""
    kind = rules.cap.judgement
    if kind == SIEGE_JUDGEMENT:
        return territory(rules, state, side)
    if kind == STRENGTH:
        return total_power(rules, state, side)
    if kind == ECONOMY:
        points = held_points(rules, state, side)
        return state.resources[side] + rules.cap.point_value * points
    if kind == MIXED:
        return territory(rules, state, side) + total_power(rules, state, side)
    return np.int64(0)


@kernel
def finish(rules, state, outcome, ending, winner):
    """7. End the game; 10. write what only the end knows."""
    state.ending = ending
    state.winner = winner
    outcome.winner = winner
    outcome.ending = ending
    outcome.capped = ending == CAP
    outcome.length = state.round
    for side in range(2):
        outcome.territory[side] = territory(rules, state, side)
        outcome.resources[side] = state.resources[side]
        outcome.workers[side] = state.living[side, WORKER]
        outcome.soldiers[side] = state.living[side, SOLDIER]
    sign = 0 if winner == DRAW else 1 - 2 * winner
    outcome.decided = state.round
    if sign == 0:
        outcome.decided = 0
    elif sign == outcome._lead:
        outcome.decided = outcome._since


# --- 8. Between rounds, 10. What is measured ----------------------------------------------------


@kernel
def fade(rules, state):
    """8. Every pheromone loses the decay."""
    if rules.pheromone.decay == 0:
        return
    for side in range(2):
        left = state.pheromone[side]
        while left:
            cell = lowest(left)
            left = without_lowest(left)
            faded = state.strength[cell] - rules.pheromone.decay
            set_strength(rules, state, side, cell, faded)


@kernel
def note_lead(rules, state, outcome):
    """10.4 Who leads after a round, and since when."""
    ahead = total_power(rules, state, 0) + state.resources[0]
    ahead -= total_power(rules, state, 1) + state.resources[1]
    lead = 1 if ahead > 0 else -1 if ahead < 0 else 0
    if lead != outcome._lead:
        outcome._lead = lead
        outcome._since = state.round
    if lead != 0:
        if outcome._leader == -lead:
            outcome.lead_changes += 1
        outcome._leader = lead


def clock(rules, state):
    """3. The round."""
    return state.round


def gauge(rules, state, sums):
    """10. The curves of a round, read at its start."""
    for side in range(2):
        sums[side] += state.resources[side]
        sums[2 + side] += state.living[side, WORKER]
        sums[4 + side] += state.living[side, SOLDIER]
        sums[6 + side] += count(state.pheromone[side])


def observe(rules, state, seat, view):
    """1. Everything is in the open."""
    return state


def imagine(rules, view, seat, world, mind):
    """1. Nothing is hidden and nothing is left to chance: the one world is the position."""
    copy_state(world, view)
