"""The turn of ants, and the verbs of the generic loop: the rules of this folder's README.md."""

import numpy as np

from lab.games.ants.actions import destroy, gather, place, produce, reinforce
from lab.games.ants.check import check, fade, note_lead
from lab.games.ants.colony import arrive, renew_reach
from lab.games.ants.combat import combat
from lab.games.ants.march import march
from lab.games.ants.state import (
    DESTROY,
    DRAW,
    END,
    GATHER,
    MAKE_SOLDIER,
    MAKE_WORKER,
    PLACE,
    REINFORCE,
    RUNNING,
    SOLDIER,
    WORKER,
)
from lab.jit import copy_state, count, kernel, lowest, without_lowest

NONE = np.uint64(0)


def setup(rules, state, index, chance):
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
