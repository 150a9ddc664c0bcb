"""Who plays junqi, README 9: random play, players that weigh every move, and a model of time."""

import numpy as np

from lab.games.junqi.formations import DRAWN, FORMATIONS, WISHES
from lab.games.junqi.kernel import may_offer
from lab.games.junqi.moves import closed, first, flood, movers, other_end, slides, targets
from lab.games.junqi.rules import HALF, KINDS
from lab.games.junqi.setup import may_swap
from lab.games.junqi.state import (
    ACCEPT,
    BOTH_GO,
    ENGINEER,
    FALLS,
    FLAG,
    FLAG_TAKEN,
    KIND,
    LATE,
    LEAVE,
    MINE,
    OFFER,
    PLAY,
    SETUP,
    STAYS,
    SWAP,
    TIMED,
)
from lab.jit import bit, count, kernel, lowest, nth, without_lowest
from lab.rng import GUMBEL, below, draw_weights

NONE = np.uint64(0)
RANDOM, WEIGHER = range(1, 3)

STYLE = ("fight", "loss", "flag", "advance", "mines", "home", "camp", "shy", "guard")
"""What a player weighs, README 9.2; only these vary by `spread`."""
TIME = ("think", "spread_s", "setup_s", "drop", "back", "offer", "accept")
WEIGHTS = (*STYLE, "setup", *TIME, "_slow")
FIGHT, LOSS, PRIZE, ADVANCE, MINES, HOME, CAMP, SHY, GUARD = range(9)
FORMATION, THINK, SPREAD_S, SETUP_S, DROP, BACK, OFFERS, ACCEPTS, SLOW = range(9, 18)
NAMED = {"setup": ("drawn", *FORMATIONS)}
WORTH = np.array([30, 30, 40, 50, 60, 70, 80, 90, 100, 60, 40, 0])
"""Of each kind, a marshal's being 100; the flag's is a weight."""
GUARDED = 5
"""So near to the own flag an enemy is a danger; the nearer, the greater."""
LEAST = -(1 << 40)
"""Less than any move is worth, whatever the weights."""
MEDIAN = 94
"""The median of 256 x a standard Gumbel variable."""


def wake(rules, policy, mind):
    """Draw this game's numbers, and whether the set-up takes too long (7.4)."""
    draw_weights(policy, mind)
    for i in range(len(STYLE), len(WEIGHTS)):
        mind.weights[i] = policy.weights[i]
    if policy.weights[THINK] > 0:
        mind.weights[SLOW] = takes(mind, SETUP_S) > rules.clock.setup


def act(rules, view, policy, mind, legal):
    """The next action, by the policy's kind."""
    if view.phase == SETUP:
        return set_up(rules, view, policy, mind)
    side, quiet = view.side, view.quiet
    if view.timed[side] and view.offered[side] != view.ply:  # else the ply began with an offer
        action = by_the_clock(rules, view, mind)
        if action != PLAY and allowed(policy, action // KIND):
            return action
    agrees = view.offer == 1 - side and 0 < mind.weights[ACCEPTS] <= quiet
    if agrees and allowed(policy, ACCEPT):
        return ACCEPT * KIND
    wants = view.timed[side] and 0 < mind.weights[OFFERS] <= quiet
    if wants and may_offer(rules, view) and allowed(policy, OFFER):
        return OFFER * KIND
    if policy.kind == RANDOM:
        return any_move(rules, view, mind, legal)
    return best_move(rules, view, policy, mind)


@kernel
def allowed(policy, kind):
    """Whether the policy is not forbidden this kind of action."""
    return (policy.banned >> np.uint64(kind)) & np.uint64(1) == np.uint64(0)


# --- 9.3 the set-up -----------------------------------------------------------------------------


@kernel
def set_up(rules, view, policy, mind):
    """The next step towards the formation, if there is time for it."""
    side = view.side
    timed = mind.weights[THINK] > 0 or mind.weights[OFFERS] > 0
    if timed and not view.timed[side] and allowed(policy, TIMED):
        return TIMED * KIND
    if mind.weights[FORMATION] == DRAWN or not allowed(policy, SWAP):
        return PLAY * KIND
    if view.timed[side] and mind.weights[SLOW]:
        return PLAY * KIND
    for i in range(len(KINDS)):
        action = bring(rules, view, mind.weights[FORMATION], len(KINDS) - 1 - i)
        if action != PLAY:
            return action
    return PLAY * KIND


@kernel
def bring(rules, view, formation, kind):
    """A swap that brings a piece of a kind where it is wished, PLAY if there is none."""
    side = view.side
    for man in range(rules.men):
        node = rules.places[side, man]
        if wish(side, formation, node) == kind and view.kind[side, node] != kind:
            for other in range(rules.men):
                its = rules.places[side, other]
                idle = view.kind[side, its] == kind and wish(side, formation, its) != kind
                if idle and may_swap(rules, view, side, man, other):
                    return swap(node, its) if man < other else swap(its, node)
    return PLAY


@kernel
def swap(node, other):
    """3.3 The exchange of the pieces on two nodes."""
    return SWAP * KIND + node * 64 + other


@kernel
def wish(side, formation, node):
    """The kind that a formation has on a node."""
    return WISHES[formation, other_end(side, node)]


# --- 9.4 time -----------------------------------------------------------------------------------


@kernel
def takes(mind, median):
    """Seconds that something takes: its median, and the noise."""
    noise = np.int64(GUMBEL[below(mind, GUMBEL.size)]) - MEDIAN
    return mind.weights[median] + mind.weights[SPREAD_S] * noise // 256


@kernel
def by_the_clock(rules, view, mind):
    """7.1 7.2 The turn passes, or the game is lost, when time runs out; else PLAY."""
    if mind.weights[THINK] <= 0:
        return PLAY
    if below(mind, 10_000) < mind.weights[DROP]:
        gone = takes(mind, BACK)
        if gone > rules.clock.away:
            return LEAVE * KIND
        return LATE * KIND if gone > rules.clock.ply else PLAY
    return LATE * KIND if takes(mind, THINK) > rules.clock.ply else PLAY


# --- 9.1 moves ----------------------------------------------------------------------------------


@kernel
def any_move(rules, view, mind, legal):
    """Every move equally likely."""
    side, n, total = view.side, 0, 0
    left = movers(rules, view, side)
    pieces, engineers = view.own[0] | view.own[1], view.engineers[side] & rules.rails
    free = ~closed(rules, view, side)
    while left & ~engineers:  # apart, because no processor foretells who is an engineer
        node = lowest(left & ~engineers)
        left &= ~bit(node)
        open_to = (rules.road[node] | slides(rules, pieces, node)) & free
        total += count(open_to)
        legal[n], legal[n + 1] = node, np.int64(open_to)
        n += 2
    while left:
        node = lowest(left)
        left = without_lowest(left)
        open_to = (rules.road[node] | flood(rules, pieces, node)) & free
        total += count(open_to)
        legal[n], legal[n + 1] = node, np.int64(open_to)
        n += 2
    chosen = below(mind, total)
    i = 0
    while chosen >= count(np.uint64(legal[i + 1])):
        chosen -= count(np.uint64(legal[i + 1]))
        i += 2
    return PLAY * KIND + legal[i] * 64 + nth(np.uint64(legal[i + 1]), chosen)


@kernel
def best_move(rules, view, policy, mind):
    """The move that is worth most."""
    side, best, action = view.side, LEAST, np.int64(0)
    goals = flag_nodes(view, 1 - side)
    left = movers(rules, view, side)
    while left:
        node = first(side, left)
        left &= ~bit(node)
        open_to = targets(rules, view, side, node)
        leaving = leave_worth(rules, view, mind, goals, node)
        while open_to:
            target = first(side, open_to)
            open_to &= ~bit(target)
            worth = leaving + arrive_worth(rules, view, mind, goals, node, target)
            if policy.temperature > 0:
                worth += policy.temperature * GUMBEL[below(mind, GUMBEL.size)] // 256
            if worth > best:
                best, action = worth, PLAY * KIND + node * 64 + target
    return action


@kernel
def flag_nodes(view, enemy):
    """Where the enemy's flag may be."""
    nodes, found = view.own[enemy], NONE
    while nodes:
        node = lowest(nodes)
        nodes = without_lowest(nodes)
        if view.can[enemy, FLAG] & bit(view.man[node]) != NONE:
            found |= bit(node)
    return found


@kernel
def distance(rules, goals, node):
    """Steps to the nearest of some nodes, 0 if there are none."""
    if goals == NONE:
        return np.int64(0)
    nearest = np.int64(1000)
    while goals:
        nearest = min(nearest, rules.way[node, lowest(goals)])
        goals = without_lowest(goals)
    return nearest


@kernel
def leave_worth(rules, view, mind, goals, node):
    """What leaving a node is worth: its distance, its camp."""
    worth = mind.weights[ADVANCE] * distance(rules, goals, node)
    if rules.camps & bit(node) != NONE:
        worth -= mind.weights[CAMP]
    return worth


@kernel
def arrive_worth(rules, view, mind, goals, node, target):
    """What going to a node is worth: a battle or a place."""
    side = view.side
    kind, there = view.kind[side, node], bit(target)
    worth = -mind.weights[ADVANCE] * distance(rules, goals, target)
    if rules.camps & there != NONE:
        worth += mind.weights[CAMP]
    elif rules.near[target] & view.own[1 - side] & ~there != NONE:
        worth -= mind.weights[SHY] * WORTH[kind] // 100
    if other_end(side, node) < HALF <= other_end(side, target):
        worth -= mind.weights[HOME]
    if view.own[1 - side] & there != NONE:
        worth += mind.weights[GUARD] * max(GUARDED - rules.way[target, own_flag(view)], 0)
        return worth + attack_worth(rules, view, mind, kind, target)
    if rules.board.headquarters_hold and rules.homes & there != NONE:
        worth -= mind.weights[LOSS] * WORTH[kind] // 100
    return worth


@kernel
def own_flag(view):
    """Where the own flag stands, any node if it is gone."""
    left = view.own[view.side] & ~view.movable[view.side]
    while left:
        node = lowest(left)
        if view.kind[view.side, node] == FLAG:
            return node
        left = without_lowest(left)
    return np.int64(0)


@kernel
def attack_worth(rules, view, mind, kind, target):
    """What a battle is worth on the average over what the enemy may be, each by its count."""
    enemy = 1 - view.side
    man = bit(view.man[target])
    own = mind.weights[LOSS] * WORTH[kind] // 100
    total, chances = np.int64(0), np.int64(0)
    for its in range(len(KINDS)):
        if view.can[enemy, its] & man != NONE:
            n = rules.counts[its]
            chances += n
            fate = rules.fate[kind, its]
            if fate == FLAG_TAKEN:
                total += n * mind.weights[PRIZE]
            if fate in (STAYS, BOTH_GO):
                total += n * (mind.weights[FIGHT] * WORTH[its] // 100)
            if fate in (FALLS, BOTH_GO):
                total -= n * own
            if kind == ENGINEER and its == MINE:
                total += n * mind.weights[MINES]
    return total // chances if chances > 0 else np.int64(0)
