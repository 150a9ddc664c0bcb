"""Who plays ants: uniform random play, and six archetypes as weights of one kernel."""

import numpy as np

from lab.game import Preset
from lab.games.ants.kernel import (
    can_gather,
    can_produce,
    destroyable,
    placeable,
    reinforceable,
)
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
from lab.jit import count, kernel, nth
from lab.rng import below

RANDOM = 1
NONE = np.uint64(0)


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
    worker = np.int64(can_produce(rules, state, WORKER) and allowed(policy, MAKE_WORKER))
    soldier = np.int64(can_produce(rules, state, SOLDIER) and allowed(policy, MAKE_SOLDIER))
    gathers = np.int64(can_gather(rules, state) and allowed(policy, GATHER))
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


def wake(rules, policy, mind):
    """Draw this game's weights round the policy's."""
    for i in range(mind.weights.size):
        mind.weights[i] = policy.weights[i]


def act(rules, view, policy, mind, legal):
    """Choose by the policy's kind."""
    return uniform(rules, view, policy, mind)


WEIGHTS = ("a",)
POLICIES = {"random": Preset("any legal action, each equally likely", RANDOM)}
