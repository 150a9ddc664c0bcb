"""Search against exact values of a small game, its budget, and what it may not see."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from lab.jit import blank
from lab.play import choose, room_dtype, trace
from lab.search import candidates, cost, halvings_of, pick, search
from tests.toygame import GAME, rules

MOST = 3


@cache
def worth(left):
    """What the mover gets from `left` pebbles when both sides play at random."""
    moves = range(1, min(MOST, left) + 1)
    return Fraction(sum(worth_of(left, n) for n in moves), len(moves))


def worth_of(left, n):
    return Fraction(1) if n == left else 1 - worth(left - n)


def think(policy, left, under=0, hidden=0):
    """The action searched at a heap of `left`, and how many playouts that took."""
    record = GAME.record(rules(under=under))
    room = blank(room_dtype(GAME))[0]
    room["policies"] = GAME.policy_rows(policy, "random")
    view = blank(GAME.state)[0]
    view["left"], view["under"] = left, hidden
    before = view.tobytes()
    action = search(record, view, np.int64(0), room["policies"][0], room["seats"][0], room)
    assert view.tobytes() == before
    return action, int(room["outcome"]["_ends"])


@pytest.mark.parametrize("left", range(1, 12))
def test_finds_the_best_move_against_random_play(left):
    best = max(range(1, min(MOST, left) + 1), key=lambda n: worth_of(left, n))
    assert think("search:playouts=3000", left)[0] == best


@pytest.mark.parametrize("left", [5, 6, 7])
def test_wins_a_won_game(left):
    """Leaving a multiple of four wins; from there every reply is answered the same way."""
    _, log, rows = trace(GAME, rules(heap=left), "search:playouts=2000", "random", 1, 0)
    assert log[0] == left % 4
    assert rows["winner"][0] == 0


@pytest.mark.parametrize("budget", [4, 5, 6, 60, 1000])
def test_budget(budget):
    """Never more playouts than asked for, and most of them."""
    assert budget // 2 < think(f"search:playouts={budget}", 9)[1] <= budget


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_a_budget_for_no_two_candidates_leaves_it_to_the_inner_policy(budget):
    policy = f"search:playouts={budget},inner=greedy"
    assert think(policy, 9) == (3, 0)
    assert think(f"{policy}:thrift=1", 9) == (2, 0)
    assert think(f"{policy},ban=three", 9)[0] in (1, 2)


def test_a_small_budget_goes_to_the_inner_choice_and_to_any_other():
    record, view = GAME.record(rules()), blank(GAME.state)[0]
    view["left"] = 9
    others = []
    for seed in range(200):
        room = blank(room_dtype(GAME))[0]
        room["policies"] = GAME.policy_rows("search:playouts=4,inner=greedy:thrift=1", "random")
        policy, mind = room["policies"][0], room["seats"][0]
        mind["rng"] = seed
        n = candidates(record, view, policy, room)
        assert pick(record, view, policy, mind, room, n) == 2
        assert room["actions"][0] == 2
        others.append(int(room["actions"][1]))
    assert set(others) == {1, 3}
    assert 70 <= others.count(1) <= 130


@pytest.mark.parametrize("playouts", [1, 7, 8, 200, 800])
def test_what_candidates_cost(playouts):
    for n in range(1, 100):
        every = [n]
        while every[-1] > 1:
            every.append((every[-1] + 1) // 2)
        halvings = max(1, len(every) - 1)
        assert halvings_of(n) == halvings
        shares = [m * max(1, playouts // (m * halvings)) for m in every[:-1]]
        assert cost(n, playouts) == sum(shares)


def test_one_candidate_costs_nothing():
    assert think("search:playouts=1000", 1) == (1, 0)
    assert think("search:ban=two+three", 9) == (1, 0)


def test_a_banned_action_is_no_candidate():
    assert think("search", 3)[0] == 3
    assert think("search:ban=three", 3)[0] != 3


def test_the_same_seed_thinks_the_same():
    def log(seed):
        return trace(GAME, rules(heap=25, under=3), "search:playouts=5", "random", seed, 3)[1]

    assert log(1) == log(1)
    assert len({tuple(log(seed)) for seed in range(5)}) > 1


def test_it_sees_its_view_and_not_the_state():
    record = GAME.record(rules(under=3))
    found = set()
    for under in range(4):
        room, state = blank(room_dtype(GAME))[0], blank(GAME.state)[0]
        room["policies"] = GAME.policy_rows("search:playouts=9", "random")
        state["left"], state["under"] = 6, under
        before = state.tobytes()
        found.add((choose(record, state, room), room["worth"].tobytes()))
        assert state.tobytes() == before
    assert len(found) == 1
