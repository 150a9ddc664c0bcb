"""README 3 and 12: what the shop shows, and what it sells for the gold in hand."""

import numpy as np

from lab.games.wargambit.army import has_room
from lab.games.wargambit.rules import PIECES
from lab.games.wargambit.state import BUY, EMPTY, KIND, LEVEL, REROLL
from lab.jit import kernel
from lab.rng import STEP, mix

NEXT_SHOP = 1  # /shop/level_from


@kernel
def show(rules, state, side):
    """3.1 and 12. Draw the slots of the shop anew."""
    level = state.level[side] if rules.shop.level_from == NEXT_SHOP else state.shown[side]
    state.shown[side] = level
    total = 0
    for kind in range(len(PIECES)):
        total += rules.weight[kind] if rules.tier[kind] <= level else 0
    key = np.uint64(state.round) << np.uint64(32) | np.uint64(state.rerolls[side]) << np.uint64(16)
    key |= np.uint64(level) << np.uint64(8)
    for slot in range(rules.shop.slots):
        z = mix(state.chance + STEP * (key + np.uint64(slot + 1)))
        left = np.int64(((z >> np.uint64(32)) * np.uint64(total)) >> np.uint64(32))
        for kind in range(len(PIECES)):
            left -= rules.weight[kind] if rules.tier[kind] <= level else 0
            if left < 0:
                state.shop[side, slot] = kind
                break


@kernel
def list_trades(rules, state, side, legal, n):
    """3. What the shop sells for the gold in hand."""
    gold = state.gold[side]
    for slot in range(rules.shop.slots):
        if may_buy(rules, state, side, slot):
            legal[n] = BUY * KIND + slot
            n += 1
    if gold >= rules.shop.reroll:
        legal[n] = REROLL * KIND
        n += 1
    if may_level(rules, state, side):
        legal[n] = LEVEL * KIND
        n += 1
    return n


@kernel
def may_buy(rules, state, side, slot):
    """3.2 Whether a slot holds a piece that can be paid and has room."""
    kind = state.shop[side, slot]
    if kind == EMPTY or state.gold[side] < rules.value[kind]:
        return False
    return has_room(rules, state.army[side], kind)


@kernel
def may_level(rules, state, side):
    """3.4 Whether there is a next level, and the gold for it."""
    if state.level[side] >= rules.shop.top_level:
        return False
    return state.gold[side] >= rules.shop.level_up


@kernel
def buy(rules, state, side, slot, outcome):
    """3.2 Buy what a slot holds."""
    kind = state.shop[side, slot]
    state.shop[side, slot] = EMPTY
    state.army[side, kind] += 1
    state.gold[side] -= rules.value[kind]
    outcome.bought[side] += 1
    outcome.spent[side] += rules.value[kind]


@kernel
def reroll(rules, state, side, outcome):
    """3.3 Draw the shop anew."""
    state.gold[side] -= rules.shop.reroll
    state.rerolls[side] += 1
    outcome.rerolls[side] += 1
    show(rules, state, side)


@kernel
def level_up(rules, state, side, outcome):
    """3.4 Raise the shop's level."""
    state.gold[side] -= rules.shop.level_up
    state.level[side] += 1
    outcome.levels[side] += 1
