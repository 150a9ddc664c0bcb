"""The generic loop, on the lab's own games and on the toy."""

import numpy as np
import pytest

from lab.catalog import GAMES, load_game
from lab.jit import blank, kernel
from lab.play import Position, open_game, play_batch, play_rows, room_dtype, trace
from lab.verbs import clock, gauge
from tests import toygame
from tests.rulesets import short_rules

SEED = 11
WITH_SEARCH = "random", "search:playouts=1"


@pytest.fixture(params=[*GAMES, "pebbles", "dealt"])
def played(request):
    """A game and rules of it."""
    toy = {"pebbles": toygame.GAME, "dealt": toygame.DEALT}.get(request.param)
    if toy is not None:
        return toy, toygame.rules(heap=20, under=5, game=toy.name)
    return load_game(request.param), short_rules(request.param)


def same(a, b):
    """Whether two arrays of records agree in every field: the padding between may differ."""
    return all(np.array_equal(a[name], b[name]) for name in a.dtype.names)


def test_a_game_is_the_same_alone_and_in_a_batch(played):
    game, rules = played
    policies = game.policy_rows("random", "random")

    def play(start, games):
        record = game.record(rules, SEED, range(start, start + games))
        return play_rows(game, record, policies, SEED, start, games)

    rows, curves, _ = play(100, 4)
    alone = [play(100 + i, 1) for i in range(4)]
    assert same(rows, np.concatenate([one[0] for one in alone]))
    assert np.array_equal(curves, sum(one[1] for one in alone))
    assert rows["game"].tolist() == list(range(100, 104))


@kernel
def look(rules, state, sight):
    gauge(rules, state, sight)
    return clock(rules, state)


def test_a_trace_leads_to_its_row(played):
    game, rules = played
    record, policies = game.record(rules, SEED, range(3, 4)), game.policy_rows("random", "random")
    rows, curves, _ = play_rows(game, record, policies, SEED, 3, 1)
    position, log, row = trace(game, rules, "random", "random", SEED, 3)
    assert same(rows, row)
    assert len(log) == row["plies"][0]
    assert position.outcome["game"] == row["game"][0]
    history, sums, sight = 0, np.zeros_like(curves), blank(np.int64, len(game.curves))
    for action in log:
        history = (history ^ action) * 0x100000001B3 % 2**64
        now = look(position.record, position.state, sight)
        if not sums[now, 0]:
            sums[now] = [1, *sight]
        sight[:] = 0
        assert action in position.legal()
        position.play(action)
    assert history == row["history"][0]
    assert position.legal() == []
    assert np.array_equal(sums, curves)
    assert same(position.outcome, row[0])


def test_curves_of_the_toy():
    """Both take three of six: what lay beneath shows at clock 1, unless nothing did."""
    game, rules = toygame.GAME, toygame.rules(heap=6, under=2)
    record, policies = game.record(rules), game.policy_rows("greedy", "greedy")
    rows, curves, _ = play_rows(game, record, policies, SEED, 0, 90)
    beneath = rows["taken"].sum(axis=1) - 6
    assert set(beneath) == {0, 1, 2}
    assert curves[0].tolist() == [90, 90 * 6, beneath.sum()]
    assert curves[1].tolist() == [(beneath > 0).sum(), beneath.sum(), 0]
    assert not curves[2:].any()


def test_a_start_owes_nothing_to_what_was_there(played):
    game, rules = played
    clean = Position(game, rules, SEED)
    dirty = garbage(game.state)[0]
    open_game(clean.record, dirty, np.uint64(SEED), np.int64(0))
    assert same(clean.state, dirty)


def test_games_owe_nothing_to_what_the_room_held(played):
    game, rules = played
    record, policies = game.record(rules, SEED, range(2)), game.policy_rows(*WITH_SEARCH)
    rows, curves, _ = play_rows(game, record, policies, SEED, 0, 2)
    room, again = garbage(room_dtype(game))[0], blank(game.outcome, 2)
    room["policies"], room["reached"], room["curves"] = policies, 0, 0
    play_batch(record, room, np.uint64(SEED), np.int64(0), again, np.empty(0, np.int32))
    assert same(rows, again)
    assert np.array_equal(room["curves"], curves[:, 1:])


def garbage(dtype):
    """One record of random bytes, flags of any value but 0 and 1 left out."""
    found = blank(dtype)
    random = np.random.default_rng(SEED)
    found.view(np.uint8)[:] = random.integers(0, 2, found.nbytes, np.uint8)
    return found


def test_kernels_never_write_to_rules(played):
    game, rules = played
    record, position = game.record(rules, SEED, range(1)), Position(game, rules, SEED)
    before = record.tobytes()
    play_rows(game, record, game.policy_rows(*WITH_SEARCH), SEED, 0, 1)
    position.perft(1)
    assert record.tobytes() == before == position.record.tobytes()


def test_perft_of_the_toy():
    """Ways to split 7 into parts of 1 to 3, shorter ones counted once they end."""
    position = Position(toygame.GAME, toygame.rules(heap=7))
    assert [position.perft(depth) for depth in range(9)] == [1, 3, 9, 23, 37, 43, 44, 44, 44]
    assert position.state["left"] == 7


def test_a_log_takes_no_more_than_it_has_room_for():
    game, rules = toygame.GAME, toygame.rules(heap=20)
    policies = game.policy_rows("random", "random")
    long = play_rows(game, game.record(rules), policies, SEED, 0, 1, 20)[2]
    short = play_rows(game, game.record(rules), policies, SEED, 0, 1, 3)[2]
    assert short.tolist() == long[:3].tolist()
