"""Nobody sees a rank of the enemy's, and what is told of it is true (README 8)."""

import os
from functools import cache
from random import Random

import numpy as np
import pytest

from lab.catalog import load_game, load_rules
from lab.doors.observation import fields_of
from lab.games.junqi.moves import arm
from lab.games.junqi.rules import KINDS
from lab.games.junqi.state import MOVES, STATE
from lab.games.junqi.worlds import hand_out, shuffle
from lab.jit import blank, kernel
from lab.play import Players, Position, trace
from lab.verbs import imagine
from tests.seats import own

GAME, RULES = load_game("junqi"), load_rules("junqi")
POSITIONS = 1000 if os.environ.get("LAB_PROOF") else 100
UNKNOWN_MEN = 10
SEARCHES = ["search:playouts=12", "search:playouts=60,inner=greedy"]


def nodes(mask):
    return [node for node in range(63) if int(mask) >> node & 1]


def unknown(state, side):
    """Nodes of a side's pieces of which the enemy is not certain."""
    may = [int(kinds) for kinds in state["can"][side]]
    return [
        n for n in nodes(state["own"][side]) if sum(m >> int(state["man"][n]) & 1 for m in may) > 1
    ]


@cache
def positions():
    """Positions from play with many unknown pieces, each with its side to move."""
    found, index, rng = [], 0, Random(4)
    while len(found) < POSITIONS:
        seats = rng.choice(own("junqi")), rng.choice(own("junqi"))
        position, actions, _ = trace(GAME, RULES, *seats, 11, index)
        index += 1
        for action in actions:
            state = position.state
            enough = len(unknown(state, 1 - int(state["side"]))) >= UNKNOWN_MEN
            if state["phase"] == MOVES and enough and rng.random() < 0.03:
                found.append((position.record, state.copy()))
            position.play(action)
    return found[:POSITIONS]


@kernel
def rearm(rules, state, side):
    arm(rules, state, side)


def permuted(record, state, rng):
    """The same position with the enemy's unknown ranks dealt anew."""
    twin, enemy = blank(STATE), 1 - int(state["side"])
    twin[0] = state
    other = twin[0]
    hidden = unknown(state, enemy)
    for node, old in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
        other["kind"][enemy, node] = state["kind"][enemy, old]
    rearm(record, other, enemy)
    return other


def chooses(text, record, state):
    """What a policy does, always with the same mind."""
    return Players(GAME, record, GAME.policy_rows(text, text), 5).action(state)


def sees_ranks(choice):
    """Whether some choice changes with ranks that nobody can know."""
    rng = Random(8)
    return any(
        choice(record, state) != choice(record, permuted(record, state, rng))
        for record, state in positions()
    )


@pytest.mark.parametrize("text", [*own("junqi"), *SEARCHES])
def test_a_choice_does_not_hang_on_ranks_that_nobody_knows(text):
    assert not sees_ranks(lambda record, state: chooses(text, record, state))


def test_who_reads_a_rank_is_caught():
    def peeks(record, state):
        kinds = state["kind"][1 - int(state["side"])]
        return int(np.argmax(kinds == KINDS.index("flag")))

    assert sees_ranks(peeks)


def test_what_is_told_of_a_piece_is_true():
    for _, state in positions():
        for side in range(2):
            for node in nodes(state["own"][side]):
                kind, man = state["kind"][side, node], int(state["man"][node])
                assert int(state["can"][side, kind]) >> man & 1


@kernel
def imagined(rules, view, seat, world, mind):
    imagine(rules, view, seat, world, mind)


def test_imagined_worlds_fit_what_is_known():
    world = blank(STATE)[0]
    for record, state in positions()[:100]:
        players = Players(GAME, record, GAME.policy_rows("greedy", "greedy"))
        players.action(state)
        side, mind = int(state["side"]), players.room["seats"][0]
        for _ in range(5):
            imagined(record, players.room["sight"], side, world, mind)
            counts = [0] * len(KINDS)
            for man in range(25):
                kind = int(world["guess"][man])
                counts[kind] += 1
                assert int(state["can"][1 - side, kind]) >> man & 1
            assert counts == RULES.document.counts()
            assert (world["kind"][side] == state["kind"][side]).all()
            assert world["own"].tolist() == state["own"].tolist()


@kernel
def dealt(rules, world, side, mind):
    hand_out(rules, world, side, mind)
    shuffle(rules, world, side, mind)


def test_every_fitting_world_is_about_equally_likely():
    """Three places, of which the second may not hold the flag: four worlds of six are left."""
    position = Position(GAME, RULES)
    record, state = position.record, position.state
    kinds = [KINDS.index(name) for name in ("marshal", "army", "flag")]
    others = [k for k, n in enumerate(RULES.document.counts()) for _ in range(n) if k not in kinds]
    state["can"][1] = 0
    for man, kind in enumerate(others, 3):
        state["can"][1, kind] |= np.uint64(1 << man)
    for kind in kinds:
        state["can"][1, kind] = 0b111 if kind != kinds[2] else 0b101
    mind = Players(GAME, record, GAME.policy_rows("random", "random")).room["seats"][0]
    found = {}
    for _ in range(4000):
        dealt(record, state, 1, mind)
        world = tuple(state["guess"][:3].tolist())
        found[world] = found.get(world, 0) + 1
    assert len(found) == 4
    assert all(900 < n < 1100 for n in found.values())


def test_an_observation_does_not_hang_on_ranks_that_nobody_knows():
    rng, shown = Random(8), 0
    here, twin = Position(GAME, RULES), Position(GAME, RULES)
    for _, state in positions():
        here.state, twin.state = state, permuted(here.record, state, rng)
        seat = int(state["side"])
        before, after = (fields_of(one.seen(seat), seat) for one in (here, twin))
        assert all(np.array_equal(before[name], after[name]) for name in before)
        own, other = (fields_of(one.seen(1 - seat), 1 - seat) for one in (here, twin))
        shown += not np.array_equal(own["kind"], other["kind"])
    assert shown > POSITIONS // 2  # whose ranks they are sees them
