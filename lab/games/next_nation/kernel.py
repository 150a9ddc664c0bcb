"""The verbs of the generic loop: the rules of this folder's README.md."""

import numpy as np

from lab.games.next_nation.day import add_warrior, bases, enter, run_day
from lab.games.next_nation.orders import (
    move,
    train,
    upgrade,
    value_of,
    who_of,
)
from lab.games.next_nation.rules import MOST_REGIONS, MOST_SITES
from lab.games.next_nation.state import (
    BATCH,
    DAY_LIMIT,
    DRAW,
    ENDING,
    HQ_DESTROYED,
    LEFT,
    MOVE,
    NONE,
    RIGHT,
    RUNNING,
    TRAIN,
    UPGRADE,
    UPGRADING,
)
from lab.jit import bit, copy_state, kernel, lowest, without_lowest

EMPTY = np.uint64(0)


def setup(rules, state, index, chance):
    """2. The start: on the map of this game, an HQ and its warriors on both sides."""
    state.slot = index - rules.first_game
    state.day = 1
    state.side = LEFT
    state.phase = UPGRADING
    state.ending = RUNNING
    state.winner = DRAW
    state.telling = 0
    state.told = 0
    state.viewer = NONE
    state.held[:] = EMPTY
    state.stood[:] = EMPTY
    state.built[:] = EMPTY
    state.owned[:] = EMPTY
    state.level[:] = 0
    state.hp[:] = 0
    state.force[:] = 0
    state.number[:] = 0
    state.place[:] = 0
    state.health[:] = 0
    state.target[:] = NONE
    state.event[:] = 0
    world = rules.maps[state.slot]
    for side in range(2):
        region = world.place[side]
        state.gold[side] = rules.start.gold
        state.raised[side] = EMPTY
        state.training[side] = 0
        state.born[side] = 0
        state.living[side] = 0
        state.marching[side] = 0
        state.level[side, side] = 1
        state.hp[side, side] = rules.hq.hp[0]
        state.built[side, region >> 6] |= bit(region & 63)
        state.owned[side] |= bit(side)
        for _ in range(rules.start.warriors):
            add_warrior(rules, state, side)


def seat(rules, state):
    """3. Who gives orders."""
    return state.side


def is_over(rules, state):
    """7. Whether the game has ended."""
    return state.ending != RUNNING


def score(rules, state, seat):
    """7. 1 for the winner, 0 for the loser, one half each for a draw."""
    if state.winner == DRAW:
        return 0.5
    return 1.0 if state.winner == seat else 0.0


def step(rules, state, action, outcome):
    """5. Give one order; when RIGHT ends its orders, the day runs."""
    kind = action >> 20
    if kind != 0:
        outcome.orders[state.side] += 1
    if kind == UPGRADE:
        upgrade(rules, state, value_of(action), outcome)
    elif kind == MOVE:
        move(rules, state, who_of(action), value_of(action), outcome)
    elif kind == TRAIN:
        train(rules, state, value_of(action), outcome)
    elif state.side == LEFT:
        state.side = RIGHT
        state.phase = UPGRADING
    else:
        run_day(rules, state, outcome)
        end_day(rules, state, outcome)


@kernel
def end_day(rules, state, outcome):
    """7. The end, or the next morning."""
    for side in range(2):
        outcome.warrior_days[side] += state.living[side]
        outcome.base_days[side] += bases(state, side)
    alive = state.level[0, LEFT] > 0, state.level[1, RIGHT] > 0
    if not (alive[0] and alive[1]):
        finish(rules, state, HQ_DESTROYED, outcome)
    elif state.day == rules.days:
        finish(rules, state, DAY_LIMIT, outcome)
    else:
        state.day += 1
        state.side = LEFT
        state.phase = UPGRADING


@kernel
def finish(rules, state, ending, outcome):
    """7. Who has won, and what is told about the game."""
    state.ending = ending
    state.phase = ENDING
    left, right = state.hp[0, LEFT], state.hp[1, RIGHT]  # 0 when destroyed
    state.winner = DRAW if left == right else LEFT if left > right else RIGHT
    world = rules.maps[state.slot]
    outcome.winner = state.winner
    outcome.ending = ending
    outcome.capped = ending == DAY_LIMIT
    outcome.length = state.day
    outcome.map_seed = world.seed
    outcome.n = world.n
    outcome.k = world.k
    outcome.hq_hops = world.hq_hops
    outcome.hq_parity = world.hq_hops & 1
    for side in range(2):
        outcome.hq_level[side] = state.level[side, side]
        outcome.hq_hp[side] = state.hp[side, side]
        outcome.bases[side] = bases(state, side)
        outcome.warriors[side] = state.living[side]
        outcome.gold[side] = state.gold[side]


def clock(rules, state):
    """3. The day."""
    return state.day


def gauge(rules, state, sums):
    """10. The curves of a day, read in its morning."""
    for side in range(2):
        sums[side] += state.gold[side]
        sums[2 + side] += state.living[side]
        sums[4 + side] += bases(state, side)
        sums[6 + side] += state.level[side, side]


# --- what a side knows --------------------------------------------------------------------------


def observe(rules, state, seat, view):
    """8. The own side as it is now, the other as it was in the morning.

    Orders change little: the rest of a view is copied once a day and side.
    """
    if view.viewer != seat or view.day != state.day or view.slot != state.slot:
        view.viewer = seat
        look(rules, state, seat, view)
    view.phase = state.phase
    view.gold[seat] = state.gold[seat]
    view.raised[seat] = state.raised[seat]
    view.training[seat] = state.training[seat]
    view.marching[seat] = state.marching[seat]
    copy_row(state.target[seat], view.target[seat], state.living[seat])
    return view


@kernel
def look(rules, state, seat, view):
    """8.1 The morning as a side sees it."""
    view.slot = state.slot
    view.day = state.day
    view.side = seat
    view.ending = state.ending
    view.winner = state.winner
    view.telling = 0
    view.told = 0
    copy_side(state, seat, view)
    enemy = 1 - seat
    if rules.information.vision == 0:
        copy_side(state, enemy, view)
        for i in range(state.living[enemy]):
            view.target[enemy, i] = NONE
    else:
        peer(rules, state, enemy, view)
    view.gold[enemy] = 0
    view.raised[enemy] = EMPTY
    view.training[enemy] = 0
    view.marching[enemy] = 0
    view.born[enemy] = 0
    if view.living[enemy] > 0:
        view.born[enemy] = view.number[enemy, view.living[enemy] - 1]


@kernel
def copy_side(state, side, view):
    """One side's warriors and buildings."""
    view.born[side] = state.born[side]
    view.living[side] = state.living[side]
    for word in range(4):
        view.held[side, word] = state.held[side, word]
        view.built[side, word] = state.built[side, word]
    view.owned[side] = state.owned[side]
    copy_row(state.level[side], view.level[side], MOST_SITES)
    copy_row(state.hp[side], view.hp[side], MOST_SITES)
    for region in range(MOST_REGIONS):
        view.force[side, region] = state.force[side, region]
    copy_row(state.number[side], view.number[side], state.living[side])
    copy_row(state.place[side], view.place[side], state.living[side])
    copy_row(state.health[side], view.health[side], state.living[side])
    copy_row(state.target[side], view.target[side], state.living[side])


@kernel
def copy_row(source, target, n):
    """The first n, and what follows up to a whole batch, which nobody reads."""
    for i in range((n + BATCH - 1) & -BATCH):
        target[i] = source[i]


@kernel
def peer(rules, state, enemy, view):
    """8.2 Of the other side, what is near own warriors and buildings."""
    world = rules.maps[state.slot]
    for word in range(4):
        view.held[enemy, word] = EMPTY
        view.built[enemy, word] = EMPTY
        view.stood[enemy, word] = EMPTY  # what the seat sees
    view.owned[enemy] = EMPTY
    for word in range(4):
        own = state.held[1 - enemy, word] | state.built[1 - enemy, word]
        while own:
            region = word * 64 + lowest(own)
            own = without_lowest(own)
            for other in range(4):
                view.stood[enemy, other] |= world.near[region, other]
    for site in range(world.sites):
        region = world.place[site]
        seen = is_in(view.stood, enemy, region)
        view.level[enemy, site] = state.level[enemy, site] if seen else 0
        view.hp[enemy, site] = state.hp[enemy, site] if seen else 0
        if site == enemy and not seen:
            view.level[enemy, site] = 1
            view.hp[enemy, site] = rules.hq.hp[0]
        if view.level[enemy, site] > 0:
            view.built[enemy, region >> 6] |= bit(region & 63)
            view.owned[enemy] |= bit(site)
    view.force[enemy, :] = 0
    seen = 0
    for i in range(state.living[enemy]):
        region = state.place[enemy, i]
        if is_in(view.stood, enemy, region):
            view.number[enemy, seen] = state.number[enemy, i]
            view.place[enemy, seen] = region
            view.health[enemy, seen] = state.health[enemy, i]
            view.target[enemy, seen] = NONE
            enter(view, enemy, region)
            seen += 1
    view.living[enemy] = seen


@kernel
def is_in(regions, side, region):
    """Whether a region is in a side's set of them."""
    return regions[side, region >> 6] & bit(region & 63) != 0


def imagine(rules, view, seat, world, mind):
    """8.3 The one world in which there is no more than what a side sees."""
    copy_state(world, view)
    world.viewer = NONE
    world.gold[1 - seat] = view.gold[seat]
