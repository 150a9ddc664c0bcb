"""The way of a game of Wargambit: opponents, rounds, damage, the end (README 1, 6.5, 10 to 14)."""

import numpy as np
import pytest

from lab.games.wargambit.fen import fen
from lab.games.wargambit.kernel import hurt
from lab.games.wargambit.state import DRAW, FIRST, SECOND, STATE
from lab.jit import blank, kernel
from lab.play import Players, open_game, play_rows
from lab.verbs import imagine
from tests.gambit import GAME, SAFE, give, listed, opened, play, run, to_the_end, told

SIDES = ("hp", "gold", "level", "shown", "rerolls")
ENDINGS = ("mates", "stalemates", "repetitions", "quiets", "caps")
RESULTS = ("won", "lost", "drawn")


def counted(position, *columns):
    return [int(position.outcome[column]) for column in columns]


# --- 13. the start ------------------------------------------------------------------------------


def test_who_a_seat_can_be():
    recorded = [f"recorded {n}" for n in range(1, 11)]
    position = opened()
    assert listed(position) == ["ready", "duel"]
    assert listed(play(position, "ready")) == ["ready", "ghost", "literal", *recorded]


def test_a_run_begins_with_the_income_and_a_shop():
    position = run()
    assert (told(position, "phase"), told(position, "round")) == ("shop", "1")
    assert [told(position, key) for key in SIDES] == ["20/0", "4/0", "1/0", "1/0", "0/0"]
    assert told(position, "shop", 1) == "-,-,-"
    assert told(position, "army") == "-/b+p"


def test_a_start_leaves_nothing_of_the_game_before():
    position = play(run("ready"), "ready", "reroll")
    start, state = opened().state, blank(STATE)[0]
    state["battle"] = position.state["battle"]
    for name in STATE.names[:-1]:
        state[name] = np.full_like(state[name], 77)
    open_game(position.record, state, np.uint64(0), np.int64(0))
    for name in STATE.names[:-1]:
        assert (state[name] == start[name]).all(), name
    for name in ("ending", "winner", "left"):
        assert (state["battle"][name] == start["battle"][name]).all(), name


# --- 1. and 10. rounds and damage ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("winner", "left", "hp", "cost"),
    [
        (SECOND, (0, 4), 20, 2 + 4),
        (SECOND, (3, 4), 20, 2 + 1),
        (SECOND, (5, 5), 20, 2),
        (SECOND, (9, 4), 20, 2),  # a mate by the weaker side
        (SECOND, (0, 6), 20, 8),
        (SECOND, (0, 30), 20, 8),
        (SECOND, (0, 30), 3, 3),
        (FIRST, (9, 0), 20, 0),
        (DRAW, (0, 9), 20, 0),
    ],
)
def test_damage(winner, left, hp, cost):
    position = run()
    state = position.state
    state["hp"][0], state["battle"]["winner"], state["battle"]["left"] = hp, winner, left
    assert hurt(position.record, state, np.int64(0)) == cost
    assert state["hp"].tolist() == [hp - cost, 0]


def test_a_king_alone_is_out_in_the_third_round():
    """It loses 2 and what the ghost has left: 4, 4, 6."""
    position = run()
    hp = [int(told(now, "hp", 0)) for now in to_the_end(position)]
    assert (hp, told(position, "hp")) == ([20, 14, 8], "0/0")
    assert (told(position, "ending"), told(position, "winner")) == ("out", "second")
    assert listed(position) == []
    assert counted(position, "length", "damage", *RESULTS) == [3, 20, 0, 3, 0]
    assert (position.outcome["army"].tolist(), position.outcome["left"].tolist()) == ([0, 6],) * 2


def test_who_lives_after_the_last_round_has_come_through():
    position = run(changes=SAFE)
    assert len(list(to_the_end(position))) == 10
    assert (told(position, "ending"), told(position, "winner")) == ("clear", "first")
    assert told(position, "hp") == "80/0"
    assert counted(position, "length", "damage", *RESULTS) == [10, 20, 0, 10, 0]
    assert sum(counted(position, *ENDINGS)) == 10


def test_nobody_comes_through_a_last_round_without_hp():
    position = play(give(run(changes={"/run/rounds": 1}), "-", hp=6), "ready")
    assert (told(position, "ending"), told(position, "winner")) == ("out", "second")
    position = play(give(run(changes={"/run/rounds": 1}), "-", hp=7), "ready")
    assert (told(position, "ending"), told(position, "winner")) == ("clear", "first")


# --- 6.5 opponents ------------------------------------------------------------------------------


def test_recorded_armies_come_by_round_and_the_last_again():
    position = run("recorded 2", SAFE)
    assert (told(position, "phase"), told(position, "seat")) == ("stand", "second")
    play(position, "place q d1", "place p e2", "ready")
    assert told(position, "record") == "qd1,pe2"
    play(position, "place n a2", "ready")
    assert (told(position, "phase"), told(position, "seat")) == ("shop", "first")
    seen = [(told(now, "army", 1), told(now, "places", 1)) for now in to_the_end(position)]
    assert seen == [("q+p", "qd1,pe2"), *[("n", "na2")] * 9]


def test_a_recorded_army_fights_where_it_stood():
    position = run("recorded 1", SAFE | {"/battle/ply_cap": 1})
    play(position, "place r a2", "ready", "ready")
    assert fen(position.state["battle"]["board"]).split()[0].startswith("4k3/r7/")


def test_a_rival_buys_first_and_fights_the_ghost_of_the_file():
    position = run("ready")
    assert [told(position, key) for key in SIDES] == ["20/20", "4/4", "1/1", "1/1", "0/0"]
    assert (told(position, "seat"), told(position, "army")) == ("second", "-/-")
    play(position, "ready")
    assert (told(position, "seat"), told(position, "hp")) == ("first", "20/14")
    play(position, "ready")  # two kings alone: nobody wins
    assert (told(position, "seat"), told(position, "hp")) == ("second", "20/14")
    assert told(position, "round") == "2"
    assert counted(position, "damage", *RESULTS) == [0, 0, 0, 1]


def test_a_rival_that_is_out_sends_its_last_army_again():
    position = give(run("ready", SAFE), "a", 1, hp=1, gold=20)
    play(position, "level", "ready")
    assert told(position, "hp", 1) == "0"
    play(position, "ready")
    for now in to_the_end(position):
        assert told(now, "seat") == "first"
        assert [told(now, key, 1) for key in SIDES] == ["0", "16", "2", "0", "0"]
        assert (told(now, "shop", 1), told(now, "army", 1)) == ("-,-,-", "a")
    assert position.outcome["army"][1] == 2
    assert sum(counted(position, *RESULTS)) == 10


# --- 11. a duel ---------------------------------------------------------------------------------


def test_a_duel_is_one_battle():
    position = opened("duel")
    assert (told(position, "phase"), told(position, "seat")) == ("stand", "first")
    play(position, "place q d1", "ready")
    assert told(position, "seat") == "second"
    play(position, "place p a2", "ready")
    assert (told(position, "phase"), told(position, "winner")) == ("over", "first")
    assert told(position, "ending") == GAME.endings[position.state["battle"]["ending"]]
    assert [told(position, key) for key in SIDES] == ["0/0"] * 5
    assert counted(position, "length", "damage", *RESULTS) == [1, 0, 1, 0, 0]
    assert position.outcome["army"].tolist() == [9, 1]


def test_a_duel_of_equal_kings_is_drawn():
    position = play(opened("duel"), "ready", "ready")
    assert (told(position, "winner"), told(position, "ending")) == ("draw", "repetition")


def test_the_cap_of_moves_caps_a_duel():
    position = play(opened("duel", changes={"/battle/ply_cap": 1}), "place q d1", "ready", "ready")
    assert (told(position, "winner"), told(position, "ending")) == ("first", "cap")
    assert bool(position.outcome["capped"])


def test_armies_of_a_duel_keep_to_the_limits():
    position = opened("duel", changes={"/army/pieces": 3, "/army/pawns": 2})
    play(position, "place p a2", "place p b2")
    assert not [word for word in listed(position) if word.startswith("place p")]
    assert "place q h2" in listed(position)
    assert listed(play(position, "place q h2")) == ["ready"]


# --- what is seen, and measured -----------------------------------------------------------------


@kernel
def imagined(rules, view, world, mind):
    imagine(rules, view, 0, world, mind)


def test_only_what_the_shop_will_show_is_hidden():
    position = play(run("ready", seed=3), "ready", "reroll")
    players = Players(GAME, position.record, GAME.policy_rows("saver", "saver"))
    players.action(position.state)
    seen, truth = players.room["sight"], position.state
    world, mind = blank(STATE)[0], players.room["seats"][0]
    imagined(position.record, seen, world, mind)
    for name in STATE.names[1:-1]:
        assert (seen[name] == truth[name]).all(), name
        assert (world[name] == truth[name]).all(), name
    assert seen["chance"] == 0
    assert world["chance"] not in (0, truth["chance"])


def test_curves_are_read_at_the_start_of_a_round():
    rules = run(changes=SAFE).rules
    record, policies = (
        GAME.record(rules),
        GAME.policy_rows("saver:hold=9999,grow=0,panic=0,late=0", "ghost"),
    )
    _, sums, _ = play_rows(GAME, record, policies, 0, 0, 3)
    curves = dict(zip(("games", *GAME.curves), sums[1:11].T.tolist(), strict=True))
    assert curves["games"] == [3] * 10
    assert curves["first_gold"] == [3 * n for n in (4, 9, 16, 26, 37, 48, 59, 70, 81, 92)]
    assert curves["first_hp"] == [3 * n for n in range(100, 80, -2)]
    assert curves["second_army"] == [3 * n for n in (4, 4, 6, 10, 21, 32, 43, 69, 77, 85)]
    assert curves["first_army"] == curves["second_hp"] == curves["second_gold"] == [0] * 10
