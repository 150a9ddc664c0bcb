"""Who plays ants: uniform random play, and six archetypes as weights of one kernel."""

import numpy as np

from lab.games.ants.actions import can_gather, can_produce, destroyable, placeable, reinforceable
from lab.games.ants.combat import power_on
from lab.games.ants.march import farthest, nearest
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
from lab.jit import bit, count, kernel, lowest, nth, without_lowest
from lab.rng import GUMBEL, below, draw, draw_weights

NONE = np.uint64(0)

RANDOM, WEIGHED = 1, 2

ZONES = ("near", "centre", "far", "nest", "beside", "half", "home", "road")
"""Kinds of cells, seen from a seat: resource points of its own half, of neither, of the enemy's;
the enemy nest, the cells beside it, the rest of the enemy half; the own nest; all others."""
ENEMY_NEST, BESIDE, HALF, ROAD = 3, 4, 5, 7

OWN = ("worker", "worker_each", "soldier", "soldier_each", "alarm", "gather", "destroy", "strike")
WORKER_BASE, WORKER_EACH, SOLDIER_BASE, SOLDIER_EACH = range(4)
ALARM, GATHERING, DESTROYING, STRIKE = range(4, 8)
PLACING, REINFORCING = 8, 16
WEIGHTS = OWN + tuple(f"place_{z}" for z in ZONES) + tuple(f"reinforce_{z}" for z in ZONES)
"""What an archetype weighs. `worker` and `soldier` are the worth of one more, less `_each` for
each living one; `alarm` is added to a soldier's while an enemy stands in the own half; `strike` is
by how much power the soldiers must outweigh what stands on the enemy nest before the attack: until
then nothing is placed or reinforced on or beside that nest."""


@kernel
def allowed(policy, kind):
    """Whether the policy is not forbidden this kind of action."""
    return (policy.banned >> np.uint64(kind)) & np.uint64(1) == np.uint64(0)


@kernel
def uniform(rules, state, policy, mind):
    """Any legal action that is not banned, each equally likely; counted, never listed."""
    places = placeable(rules, state) if allowed(policy, PLACE) else NONE
    own = reinforceable(rules, state) if allowed(policy, REINFORCE) else NONE
    enemy = destroyable(rules, state) if allowed(policy, DESTROY) else NONE
    worker = np.int64(allowed(policy, MAKE_WORKER) and can_produce(rules, state, WORKER))
    soldier = np.int64(allowed(policy, MAKE_SOLDIER) and can_produce(rules, state, SOLDIER))
    gathers = np.int64(allowed(policy, GATHER) and can_gather(rules, state))
    free, mine, theirs = count(places), count(own), count(enemy)
    k = below(mind, 1 + worker + soldier + gathers + free + mine + theirs)
    if k < free:
        return PLACE * 64 + nth(places, k)
    k -= free
    if k < mine:
        return REINFORCE * 64 + nth(own, k)
    k -= mine
    if k < theirs:
        return DESTROY * 64 + nth(enemy, k)
    k -= theirs
    if k < worker:
        return MAKE_WORKER * 64
    k -= worker
    if k < soldier:
        return MAKE_SOLDIER * 64
    k -= soldier
    return GATHER * 64 if k < gathers else END * 64


@kernel
def noisy(policy, mind, worth):
    """The worth of a candidate with this decision's noise: largest wins is a softmax choice."""
    noise = GUMBEL[np.int64(draw(mind) >> np.uint64(54))]
    return np.int64(worth) * 256 + np.int64(noise) * policy.temperature


@kernel
def soldier_worth(rules, state, weights):
    """What one more soldier is worth, with the alarm for enemies in the own half."""
    side = state.side
    worth = weights[SOLDIER_BASE] - weights[SOLDIER_EACH] * state.living[side, SOLDIER]
    enemy = state.held[1 - side, WORKER] | state.held[1 - side, SOLDIER]
    if enemy & (rules.enemy_half[1 - side] | bit(rules.nest[side])):
        worth += weights[ALARM]
    return worth


@kernel
def may_strike(rules, state, weights):
    """Whether the soldiers outweigh what stands on the enemy nest by the margin `strike`."""
    enemy = 1 - state.side
    army = state.living[state.side, SOLDIER] * rules.units.soldier.power
    return army >= power_on(rules, state, enemy, rules.nest[enemy]) + weights[STRIKE]


@kernel
def is_step(mind, zone):
    """Whether a zone is only a step on the way: the enemy half is for those who reinforce it."""
    return zone == ROAD or (zone == HALF and mind.weights[REINFORCING + HALF] > 0)


@kernel
def in_play(rules, state, mind, strikes, zone):
    """Whether a zone counts now: an attack only while it strikes, a step into the enemy half only
    while the enemy nest is out of reach, and beside the nest only for those who want nothing on
    the nest, or once the enemy's pheromone bars it."""
    side, enemy = state.side, 1 - state.side
    nest = bit(rules.nest[enemy])
    if zone == ENEMY_NEST:
        return strikes
    if zone == HALF and is_step(mind, zone):
        return strikes and not (state.reach[side] | state.pheromone[side]) & nest
    if zone == BESIDE:
        barred = state.pheromone[enemy] & nest
        return strikes and (barred != NONE or mind.weights[PLACING + ENEMY_NEST] <= 0)
    return True


@kernel
def weigh_places(rules, state, policy, mind, cells, strikes, best, worth):
    """Let each zone with a free cell compete; returns the best action so far and its worth."""
    own = state.pheromone[state.side]
    for zone in range(8):
        weight = mind.weights[PLACING + zone]
        here = rules.zone[state.side, zone]
        if weight <= 0 or not cells & here:
            continue
        if is_step(mind, zone) and own & here:  # one is enough to meet at
            continue
        if zone == HALF and count(own) + 1 >= rules.pheromone.limit:  # the last is for the nest
            continue
        if not in_play(rules, state, mind, strikes, zone):
            continue
        value = noisy(policy, mind, weight)
        if value > worth:
            best, worth = np.int64(PLACE * 64 + zone), value
    return best, worth


@kernel
def weigh_calls(rules, state, policy, mind, cells, strikes, best, worth):
    """The same for reinforcing, which moves the army's goal: to the one strongest pheromone."""
    side = state.side
    strongest = state.strongest[side]
    for zone in range(8):
        weight = mind.weights[REINFORCING + zone]
        here = rules.zone[side, zone]
        if weight <= 0 or not cells & here:
            continue
        if not in_play(rules, state, mind, strikes, zone) or (zone == ROAD and not strikes):
            continue
        if not to_raise(rules, state, cells & here, strongest, zone):
            continue
        value = noisy(policy, mind, weight)
        if value > worth:
            best, worth = np.int64(REINFORCE * 64 + zone), value
    return best, worth


@kernel
def to_raise(rules, state, cells, strongest, zone):
    """Those of a zone's cells that are worth reinforcing.

    A lone strongest pheromone calls everybody already. Ants never leave a cell of the greatest
    strength, so only the enemy nest and the cells beside it may get there. Beside the nest two
    cells must be held: once the strongest is, another is raised to equal it.
    """
    side = state.side
    if zone == BESIDE and not strongest & ~rules.zone[side, BESIDE]:
        army = state.held[side, WORKER] | state.held[side, SOLDIER]
        return cells & ~strongest if strongest & army else NONE
    if count(strongest) == 1:
        cells &= ~strongest
    if zone in (BESIDE, ENEMY_NEST):
        return cells
    open_ended = NONE
    room = rules.pheromone.max_strength - rules.pheromone.reinforce_by
    while cells:
        if state.strength[lowest(cells)] < room:
            open_ended |= bit(lowest(cells))
        cells = without_lowest(cells)
    return open_ended


@kernel
def cell_in(rules, state, mind, kind, cells, zone):
    """One of the zone's cells that are nearest to the enemy nest.

    Beside the nest they are all near it: the first to be called to is one far from the own nest,
    the second a nearer one, so that those who come later stop there.
    """
    side = state.side
    inside = cells & rules.zone[side, zone]
    called = state.pheromone[side]
    if kind == REINFORCE:
        called = state.strongest[side]
        inside = to_raise(rules, state, inside, called, zone)
    if zone == BESIDE and called & rules.zone[side, zone]:
        inside = nearest(rules, inside, rules.nest[side])
    elif zone == BESIDE:
        inside = farthest(rules, inside, rules.nest[side])
    else:
        inside = nearest(rules, inside, rules.nest[1 - side])
    return nth(inside, below(mind, count(inside)))


@kernel
def worker_worth(rules, state, weights, strikes):
    """What one more worker is worth: an army that strikes wants one along to mark its goal."""
    worth = weights[WORKER_BASE] - weights[WORKER_EACH] * state.living[state.side, WORKER]
    nest = bit(rules.nest[1 - state.side])
    if strikes and not (state.reach[state.side] | state.pheromone[state.side]) & nest:
        goal = max(weights[PLACING + ENEMY_NEST], weights[PLACING + BESIDE])
        return max(worth, goal)
    return worth


@kernel
def weighed(rules, state, policy, mind):
    """The action of greatest worth after noise; ending the turn is worth 0."""
    weights = mind.weights
    best = np.int64(END * 64)
    worth = noisy(policy, mind, 0)
    strikes = may_strike(rules, state, weights)
    if allowed(policy, MAKE_WORKER) and can_produce(rules, state, WORKER):
        value = noisy(policy, mind, worker_worth(rules, state, weights, strikes))
        if value > worth:
            best, worth = np.int64(MAKE_WORKER * 64), value
    if allowed(policy, MAKE_SOLDIER) and can_produce(rules, state, SOLDIER):
        value = noisy(policy, mind, soldier_worth(rules, state, weights))
        if value > worth:
            best, worth = np.int64(MAKE_SOLDIER * 64), value
    if allowed(policy, GATHER) and can_gather(rules, state):
        value = noisy(policy, mind, weights[GATHERING])
        if value > worth:
            best, worth = np.int64(GATHER * 64), value
    enemy = destroyable(rules, state)
    if enemy and allowed(policy, DESTROY):
        value = noisy(policy, mind, weights[DESTROYING])
        if value > worth:
            best, worth = DESTROY * 64 + nth(enemy, below(mind, count(enemy))), value
    places = placeable(rules, state) if allowed(policy, PLACE) else NONE
    own = reinforceable(rules, state) if allowed(policy, REINFORCE) else NONE
    if places:
        best, worth = weigh_places(rules, state, policy, mind, places, strikes, best, worth)
    if own:
        best, worth = weigh_calls(rules, state, policy, mind, own, strikes, best, worth)
    kind = best >> 6
    if kind in (PLACE, REINFORCE):
        cells = places if kind == PLACE else own
        return kind * 64 + cell_in(rules, state, mind, kind, cells, best & 63)
    return best


def wake(rules, policy, mind):
    """Draw this game's weights round the policy's, each by up to `spread` percent."""
    draw_weights(policy, mind)


def act(rules, view, policy, mind, legal):
    """Choose by the policy's kind; the legal actions are never listed."""
    if policy.kind == RANDOM:
        return uniform(rules, view, policy, mind)
    return weighed(rules, view, policy, mind)
