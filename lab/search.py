"""Policies that look ahead, for every game: flat Monte Carlo on a budget of playouts.

The budget is spent by sequential halving (Karnin, Koren, Somekh 2013, "Almost optimal exploration
in multi-armed bandits"): every candidate gets equal playouts, the worse half is dropped, and so on.
A budget too small for all of them goes to a few, so that it is never exceeded.
"""

import numpy as np

from lab.jit import kernel
from lab.rng import STEP, below, draw, mix
from lab.verbs import act, imagine, is_over, kind_of, legal_actions, score, seat, step, wake


@kernel
def search(rules, view, me, policy, mind, room):
    """The action whose playouts scored best for seat `me`, among those not banned."""
    n = candidates(rules, view, policy, room)
    if cost(n, policy.playouts) > policy.playouts:
        n = pick(rules, view, policy, mind, room, n)
    halvings = halvings_of(n)
    while n > 1:
        for _ in range(max(1, policy.playouts // (n * halvings))):
            luck = draw(mind)  # one for all candidates, so that they meet the same luck
            for i in range(n):
                inner = room.policies[policy.inner]
                room.worth[i] += playout(rules, view, me, room.actions[i], inner, luck, room)
        n = better_half(room, n)
    return room.actions[0]


@kernel
def candidates(rules, view, policy, room):
    """List the legal actions of kinds that are not banned; returns how many."""
    n = 0
    for i in range(legal_actions(rules, view, room.legal)):
        action = room.legal[i]
        kind = np.uint64(kind_of(rules, action))
        if (policy.banned >> kind) & np.uint64(1) == np.uint64(0):
            room.actions[n] = action
            room.worth[n] = 0.0
            n += 1
    return n


@kernel
def halvings_of(n):
    """How often n candidates are halved until one is left, at least once."""
    halvings = 1
    while (1 << halvings) < n:
        halvings += 1
    return halvings


@kernel
def cost(n, playouts):
    """Playouts that n candidates take on this budget: at least one each in every round."""
    halvings, spent = halvings_of(n), 0
    while n > 1:
        spent += n * max(1, playouts // (n * halvings))
        n = (n + 1) // 2
    return spent


@kernel
def pick(rules, view, policy, mind, room, n):
    """Keep what the inner policy would play and a random few: two playouts each in every round."""
    few = 1
    while 2 * (few + 1) * halvings_of(few + 1) <= policy.playouts:
        few += 1
    kept = 0
    inner = room.policies[policy.inner]
    room.minds[0].rng = draw(mind)
    wake(rules, inner, room.minds[0])
    chosen = act(rules, view, inner, room.minds[0], room.legal)
    for i in range(n):
        if room.actions[i] == chosen:  # unless the search may not play it
            room.actions[i], room.actions[0] = room.actions[0], chosen
            kept = 1
    for i in range(kept, few):
        j = i + below(mind, n - i)
        room.actions[i], room.actions[j] = room.actions[j], room.actions[i]
    return few


@kernel
def playout(rules, view, me, action, policy, luck, room):
    """What `me` gets when it plays `action` and then both seats play by `policy`."""
    world = room.world
    room.minds[0].rng = luck
    imagine(rules, view, me, world, room.minds[0])
    for i in range(2):
        room.minds[i].rng = mix(luck + STEP * np.uint64(i))
        wake(rules, policy, room.minds[i])
    step(rules, world, action, room.outcome)
    while not is_over(rules, world):
        mind = room.minds[seat(rules, world)]
        step(rules, world, act(rules, world, policy, mind, room.legal), room.outcome)
    return score(rules, world, me)


@kernel
def better_half(room, n):
    """Move the better half of the candidates to the front; equal ones keep their order."""
    half = (n + 1) // 2
    for i in range(half):
        best = i
        for j in range(i + 1, n):
            if room.worth[j] > room.worth[best]:
                best = j
        action, worth = room.actions[best], room.worth[best]
        for j in range(best, i, -1):
            room.actions[j], room.worth[j] = room.actions[j - 1], room.worth[j - 1]
        room.actions[i], room.worth[i] = action, worth
    return half
