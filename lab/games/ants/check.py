"""7. Check: how a game ends; 8. between rounds; 10.4 who leads."""

import numpy as np

from lab.games.ants.colony import held_points, set_strength, total_power
from lab.games.ants.state import CAP, DOUBLE_QUEEN, DRAW, QUEEN, SIEGE, SOLDIER, WORKER
from lab.jit import count, kernel, lowest, without_lowest

SIEGE_JUDGEMENT, DRAW_JUDGEMENT, STRENGTH, ECONOMY, MIXED = range(5)


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
def territory(rules, state, side):
    """7.3 Held points, and cells of the enemy half with an own ant or pheromone, each once."""
    mine = state.held[side, WORKER] | state.held[side, SOLDIER] | state.pheromone[side]
    cells = count(mine & rules.enemy_half[side])
    return held_points(rules, state, side) * rules.cap.point_value + cells * rules.cap.cell_value


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
