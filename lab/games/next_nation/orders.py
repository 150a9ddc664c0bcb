"""5. Orders: what is legal, what it costs, and what giving one changes at once."""

from lab.games.next_nation.state import (
    ENDING,
    KIND,
    MOVE,
    MOVING,
    NONE,
    TRAIN,
    UPGRADE,
    UPGRADING,
    VALUE,
    WHO,
)
from lab.jit import bit, kernel


def kind_of(rules, action):
    """5. What kind of order an action is."""
    return action >> 20


@kernel
def who_of(action):
    """5.2 The number of the warrior that is ordered."""
    return (action >> 8) & 4095


@kernel
def value_of(action):
    """5. The region of an order, or how many to train."""
    return action & VALUE


def legal_actions(rules, state, legal):
    """5. Every order that the side to order may give now."""
    legal[0] = 0  # end
    n = 1
    if state.phase == UPGRADING:
        n = list_upgrades(rules, state, legal, n)
    if state.phase != ENDING:
        n = list_moves(rules, state, legal, n)
        n = list_training(rules, state, legal, n)
    return n


@kernel
def list_upgrades(rules, state, legal, n):
    """5.1 Upgrades, by site."""
    world = rules.maps[state.slot]
    for site in range(world.sites):
        if may_upgrade(rules, state, state.side, site):
            legal[n] = UPGRADE * KIND + world.place[site]
            n += 1
    return n


@kernel
def list_moves(rules, state, legal, n):
    """5.2 Moves, by warrior and region."""
    world, side = rules.maps[state.slot], state.side
    pays = state.gold[side] >= rules.warrior.move
    for i in range(state.living[side]):
        if state.target[side, i] == NONE:
            first = MOVE * KIND + WHO * state.number[side, i]
            for region in range(world.n):
                if pays or is_free(rules, state, side, region):
                    legal[n] = first + region
                    n += 1
    return n


@kernel
def list_training(rules, state, legal, n):
    """5.3 Numbers to train."""
    for count in range(train_limit(rules, state, state.side) + 1):
        legal[n] = TRAIN * KIND + count
        n += 1
    return n


@kernel
def price(rules, state, side, site):
    """4.1, 5.1 What building, raising or repairing costs there."""
    level = state.level[side, site]
    if site < 2:
        if level == len(rules.hq.hp):
            return rules.hq.repair
        return rules.hq.cost[level - 1]
    if level == len(rules.base.hp):
        return rules.base.repair
    return rules.base.cost[level]


@kernel
def may_upgrade(rules, state, side, site):
    """5.1 Whether a side may build, raise or repair on a site now."""
    region = rules.maps[state.slot].place[site]
    if state.force[side, region] == 0 or state.force[1 - side, region] > 0:
        return False
    if site < 2 and state.level[side, site] == 0:
        return False
    if state.level[1 - side, site] > 0 or state.raised[side] & bit(site):
        return False
    return state.gold[side] >= price(rules, state, side, site)


@kernel
def is_free(rules, state, side, region):
    """5.2 Whether a move there costs nothing: an own building stands there or was ordered today."""
    site = rules.maps[state.slot].site[region]
    if site == NONE:
        return False
    return state.level[side, site] > 0 or state.raised[side] & bit(site) != 0


@kernel
def train_limit(rules, state, side):
    """5.3 How many may be trained now: what the HQ allows and the gold pays."""
    level = state.level[side, side]
    if state.raised[side] & bit(side) and level < len(rules.hq.hp):
        level += 1
    most = rules.hq.train[level - 1]
    if rules.warrior.cost > 0:
        most = min(most, state.gold[side] // rules.warrior.cost)
    return most


@kernel
def upgrade(rules, state, region, outcome):
    """5.1 Order an upgrade."""
    side = state.side
    site = rules.maps[state.slot].site[region]
    cost, level = price(rules, state, side, site), state.level[side, site]
    state.gold[side] -= cost
    state.raised[side] |= bit(site)
    if level == 0:
        outcome.spent_build[side] += cost
    elif level == (len(rules.hq.hp) if site < 2 else len(rules.base.hp)):
        outcome.spent_repair[side] += cost
    else:
        outcome.spent_upgrade[side] += cost


@kernel
def move(rules, state, who, region, outcome):
    """5.2 Order a warrior to a region."""
    side = state.side
    if not is_free(rules, state, side, region):
        state.gold[side] -= rules.warrior.move
        outcome.spent_move[side] += rules.warrior.move
    state.target[side, find(state, side, who)] = region
    state.marching[side] += 1
    state.phase = MOVING


@kernel
def find(state, side, who):
    """The place of a living warrior in its side's rows, which ascend by number."""
    low, high = 0, state.living[side] - 1
    while low < high:
        middle = (low + high) // 2
        if state.number[side, middle] < who:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def train(rules, state, count, outcome):
    """5.3 Order new warriors."""
    side = state.side
    state.training[side] = count
    state.gold[side] -= count * rules.warrior.cost
    outcome.spent_train[side] += count * rules.warrior.cost
    outcome.trained[side] += count
    state.phase = ENDING
