"""Who plays Wargambit, README 15: buyers with placers, opponents, and armies for duels."""

import numpy as np

from lab.games.wargambit.army import has_room, piece_on
from lab.games.wargambit.kernel import PLACES
from lab.games.wargambit.placers import AUTOMATIC, PLACERS, arrange
from lab.games.wargambit.rules import MOST_ROUNDS, PIECES
from lab.games.wargambit.shop import list_trades, may_buy, may_level
from lab.games.wargambit.state import (
    AUTO,
    BUY,
    DUEL,
    EMPTY,
    GHOST,
    KIND,
    LEVEL,
    LITERAL,
    MEET,
    PAWN,
    PLACE,
    READY,
    RECORDED,
    REROLL,
    STAND,
)
from lab.jit import kernel
from lab.rng import GUMBEL, STEP, below, draw_weights, mix

RANDOM, BUYER, GHOSTS, RECORDS, ARMY, SPENDER = range(1, 7)

DRAWN = ("hold", "grow", "late", "panic", "least", "few")
STYLE = ("dear", "level", "level_round", "level_first", "rerolls", "thrift", "synergy", "want")
SETUP = ("placer", "piece", "gold", "core")
COUNTS = tuple(f"_{name}" for name in PIECES)
RECORD = tuple(f"_round{n}" for n in range(1, MOST_ROUNDS + 1))
WEIGHTS = (*DRAWN, *STYLE, *SETUP, *COUNTS, *RECORD, "_rounds", "_literal", "_known", "_word")
"""What a policy weighs, README 15; only DRAWN vary by `spread`. Those with `_` are not for texts:
the army of `army`, the placements of `recorded`, and a mind's own placement."""
HOLD, GROW, LATE, PANIC, LEAST, FEW = range(6)
DEAR, UP_TO, UP_FROM, UP_FIRST, REROLLS, THRIFT, SYNERGY, WANT = range(6, 14)
PLACER, PIECE, GOLD, CORE = range(14, 18)
COUNT = 18  # the first of COUNTS
ROUND_1 = COUNT + len(PIECES)  # the first of RECORD
ROUNDS, LITERALLY, KNOWN, WORD = range(ROUND_1 + MOST_ROUNDS, ROUND_1 + MOST_ROUNDS + 4)
NAMED = {"placer": PLACERS, "piece": PIECES}
NEVER = -(1 << 40)
READY_NOW = READY * KIND


def wake(rules, policy, mind):
    """Draw this game's numbers; no placement is known."""
    draw_weights(policy, mind)
    for i in range(len(DRAWN), len(WEIGHTS)):
        mind.weights[i] = policy.weights[i]


def act(rules, view, policy, mind, legal):
    """The next action, by the policy's kind."""
    if view.phase == MEET:
        return meeting(rules, policy)
    if policy.kind == RANDOM:
        return at_random(rules, view, policy, mind, legal)
    if view.phase == STAND:
        return line_up(rules, view, policy, mind, legal)
    action = trade(rules, view, policy, mind)
    return action if action != READY_NOW else position(rules, view, policy, mind)


@kernel
def meeting(rules, policy):
    """13. Who the policy is."""
    if policy.kind == GHOSTS:
        return (LITERAL if policy.weights[LITERALLY] else GHOST) * KIND
    if policy.kind == RECORDS:
        return RECORDED * KIND + min(policy.weights[ROUNDS], rules.run.rounds)
    return DUEL * KIND if policy.kind in (ARMY, SPENDER) else READY_NOW


@kernel
def allowed(policy, kind):
    """Whether the policy is not forbidden this kind of action."""
    return (policy.banned >> np.uint64(kind)) & np.uint64(1) == np.uint64(0)


# --- 15.1 what to buy ---------------------------------------------------------------------------


@kernel
def at_random(rules, view, policy, mind, legal):
    """Any trade that is not banned, or the battle, each equally likely."""
    if view.phase == STAND:
        return READY_NOW
    if mind.weights[KNOWN] == view.round:  # it has done its trading, and is placing
        return position(rules, view, policy, mind)
    legal[0] = READY_NOW
    n = list_trades(rules, view, view.seat, legal, 1)
    kept = 0
    for i in range(n):
        if allowed(policy, legal[i] // KIND):
            legal[kept] = legal[i]
            kept += 1
    action = legal[below(mind, kept)]
    return action if action != READY_NOW else position(rules, view, policy, mind)


@kernel
def trade(rules, view, policy, mind):
    """A level, a piece or a reroll for the gold that is not held; READY_NOW if there is none."""
    gold = view.gold[view.seat] - held(view, mind)
    levels = wants_level(rules, view, policy, mind, gold)
    if levels and mind.weights[UP_FIRST]:
        return LEVEL * KIND
    slot = best_slot(rules, view, policy, mind, gold)
    if slot != EMPTY:
        return BUY * KIND + slot
    if levels:
        return LEVEL * KIND
    if wants_reroll(rules, view, policy, mind, gold):
        return REROLL * KIND
    return READY_NOW


@kernel
def held(view, mind):
    """Gold it keeps for interest, more each round: none late in the run, nor when HP are low."""
    late = mind.weights[LATE] > 0 and view.round >= mind.weights[LATE]
    if late or view.hp[view.seat] <= mind.weights[PANIC]:
        return 0
    if mind.weights[GROW] == 0:
        return max(mind.weights[HOLD], 0)
    return max(min(mind.weights[HOLD], mind.weights[GROW] * view.round), 0)


@kernel
def wants_level(rules, view, policy, mind, gold):
    """Whether it buys a level when there is gold for it."""
    side = view.seat
    if gold < rules.shop.level_up or not may_level(rules, view, side):
        return False
    wanted = view.level[side] < mind.weights[UP_TO] and view.round >= mind.weights[UP_FROM]
    return wanted and allowed(policy, LEVEL)


@kernel
def best_slot(rules, view, policy, mind, gold):
    """The slot it likes best among those it may buy for the gold, EMPTY if there is none."""
    side, best, slot = view.seat, NEVER, EMPTY
    if not allowed(policy, BUY):
        return slot
    pieces = 0
    for kind in range(len(PIECES)):
        pieces += view.army[side, kind]
    for i in range(rules.shop.slots):
        kind = view.shop[side, i]
        if may_buy(rules, view, side, i) and rules.value[kind] <= gold:
            liking = mind.weights[DEAR] * rules.value[kind]
            if lacks(rules, view, mind, kind):
                liking += mind.weights[WANT]
            elif pieces >= mind.weights[FEW] and rules.value[kind] < mind.weights[LEAST]:
                continue
            if policy.temperature > 0:
                liking += policy.temperature * GUMBEL[below(mind, GUMBEL.size)] // 256
            if liking > best:
                best, slot = liking, i
    return slot


@kernel
def lacks(rules, view, mind, kind):
    """Whether the synergy that it seeks still needs such a piece."""
    row = mind.weights[SYNERGY] - 1
    if row < 0 or row >= rules.synergies_count:
        return False
    return view.army[view.seat, kind] < rules.needed[row, kind]


@kernel
def wants_reroll(rules, view, policy, mind, gold):
    """Whether it draws the shop anew: with gold for a piece left, and room for one."""
    side, price = view.seat, rules.shop.reroll
    if view.rerolls[side] >= mind.weights[REROLLS] or not allowed(policy, REROLL):
        return False
    if gold < price + max(mind.weights[LEAST], 1) or not has_room(rules, view.army[side], EMPTY):
        return False
    now, per = view.gold[side], rules.income.interest_per
    costs = now // per > (now - price) // per and now // per <= rules.income.interest_most
    return not (costs and mind.weights[THRIFT])


# --- 15.2 where to stand ------------------------------------------------------------------------


@kernel
def position(rules, view, policy, mind):
    """The next piece of its placement, or the battle once all of them stand."""
    side = view.seat
    if mind.weights[PLACER] == AUTOMATIC or not allowed(policy, PLACE):
        return READY_NOW
    if mind.weights[KNOWN] != view.round:
        mind.weights[KNOWN] = view.round
        word = arrange(rules, view.army[side], mind.weights[PLACER], mind)
        mind.weights[WORD] = np.int64(word)
    return toward(rules, view, policy, np.uint64(mind.weights[WORD]))


@kernel
def toward(rules, view, policy, word):
    """One action on the way to a placement."""
    now = view.places[view.seat]
    if not agrees(now, word):
        return AUTO * KIND if allowed(policy, AUTO) else READY_NOW
    for place in range(PLACES):
        kind = piece_on(word, place)
        fits = view.phase != STAND or has_room(rules, view.army[view.seat], kind)
        if kind != EMPTY and piece_on(now, place) == EMPTY and fits:
            return PLACE * KIND + kind * PLACES + place
    return READY_NOW


@kernel
def agrees(now, word):
    """Whether what stands already stands as it shall."""
    for place in range(PLACES):
        kind = piece_on(now, place)
        if kind != EMPTY and kind != piece_on(word, place):
            return False
    return True


# --- 15.3 opponents, and armies for duels -------------------------------------------------------


@kernel
def line_up(rules, view, policy, mind, legal):
    """Put a recorded army, or the army of a duel, on its squares."""
    if policy.kind == RECORDS:
        return toward(rules, view, policy, np.uint64(policy.weights[ROUND_1 + view.recorded]))
    if mind.weights[KNOWN] != 1:
        mind.weights[KNOWN] = 1
        legal[: len(PIECES)] = policy.weights[COUNT : COUNT + len(PIECES)]
        if policy.kind == SPENDER:
            spend(rules, view.deal, policy, legal)
        word = arrange(rules, legal, mind.weights[PLACER], mind)
        mind.weights[WORD] = np.int64(word)
    return toward(rules, view, policy, np.uint64(mind.weights[WORD]))


@kernel
def spend(rules, deal, policy, army):
    """The core that both seats of a duel are dealt, then gold for one piece and for pawns."""
    gold, drawn = policy.weights[CORE], np.uint64(0)
    while True:
        choices = 0
        for kind in range(len(PIECES)):
            choices += rules.value[kind] <= gold and has_room(rules, army, kind)
        if choices == 0:
            break
        drawn += np.uint64(1)
        luck = mix(deal + STEP * drawn) >> np.uint64(32)
        n = np.int64((luck * np.uint64(choices)) >> np.uint64(32))
        for kind in range(len(PIECES)):
            if rules.value[kind] <= gold and has_room(rules, army, kind):
                if n == 0:
                    army[kind] += 1
                    gold -= rules.value[kind]
                    break
                n -= 1
    gold = policy.weights[GOLD]
    for kind in (policy.weights[PIECE], PAWN):
        while rules.value[kind] <= gold and has_room(rules, army, kind):
            army[kind] += 1
            gold -= rules.value[kind]
