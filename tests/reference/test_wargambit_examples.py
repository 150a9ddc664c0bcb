"""Small games of Wargambit where a sentence of its README decides: for both players of it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.reference.wargambit_runs import Compiled, Plain, by_round, legal, play, told

Start = Callable[..., Any]
SAFE = {"/run/hp": 100, "/damage/most": 2}
"""Nobody is out within ten rounds."""
ONE_MOVE = {"/battle/ply_cap": 1}
SCHEDULE = ["b+p", "b+p", "r+p", "q+p", "2q+b", "3q+r", "4q+r+a", "7q+r+p", "8q+r", "9q+b+p"]
LITERAL = ["-", "-", "p", "q+a", "2q+b+p", "3q+r+p", "4q+r+b", "7q+r+a", "8q+r+p", "9q+r"]


@pytest.fixture(params=[Plain, Compiled])
def start(request: pytest.FixtureRequest) -> Start:
    """Sets up a game: rules as `changes` by their pointer, and words as of `put`."""

    def place(changes: dict[str, Any] | None = None, **words: str) -> Any:
        return request.param(changes or {}, words)

    return place


def duel(game: Any, white: list[str], black: list[str]) -> Any:
    """Two armies such as ["qd1"] that fight."""
    play(game, "duel")
    for men in (white, black):
        play(game, *(f"place {man[0]} {man[1:]}" for man in men), "ready")
    return game


# 1, 2, 10: the way of a run


def test_a_run_starts_poor(start: Start) -> None:
    game = play(start(), "ready", "ghost")
    words = [told(game, key) for key in ("hp", "gold", "level", "shown", "army", "places")]
    assert words == ["20", "4", "1", "1", "-", "-"]
    assert [told(game, key, 1) for key in ("hp", "gold", "level", "shown")] == ["0"] * 4


def test_interest_is_counted_before_the_income_is_paid(start: Start) -> None:
    """4, then 5 (4 + 5 would be worth 1), then 1 + 6, then 3 of them with 16."""
    gold = by_round(play(start(SAFE), "ready", "ghost"), "gold", 0)
    assert gold == ["4", "9", "16", "26", "37", "48", "59", "70", "81", "92"]


def test_interest_has_a_most_and_income_too(start: Start) -> None:
    game = play(start(round="7", gold="14"), "ready")
    assert (told(game, "gold"), game.row("first_interest")) == (str(14 + 2 + 8), 2)
    game = play(start(round="7", gold="99"), "ready")
    assert (told(game, "gold"), game.row("first_interest")) == (str(99 + 3 + 8), 3)


@pytest.mark.parametrize(
    ("army", "bonus"),
    [("b", 0), ("2b", 1), ("4b", 1), ("2a", 1), ("2b+2a", 2), ("q+r+b+n+p", 2), ("q+r+2b+n", 1)],
)
def test_synergies_of_income_add_up(start: Start, army: str, bonus: int) -> None:
    game = play(start(gold="0", army=army), "ready")
    assert (told(game, "gold"), game.row("first_bonus")) == (str(5 + bonus), bonus)


@pytest.mark.parametrize(
    ("turn", "changes", "cost"),
    [
        ("1", {}, 2 + 4),
        ("3", {}, 2 + 6),
        ("4", {}, 8),
        ("10", {"/damage/most": 20}, 20),
        ("1", {"/damage/base": 0}, 4),
        ("3", {"/damage/base": 8}, 8),
    ],
)
def test_what_a_lost_battle_costs(
    start: Start, turn: str, changes: dict[str, Any], cost: int
) -> None:
    game = play(start(changes, round=turn), "ready")
    assert (told(game, "hp"), game.row("damage")) == (str(20 - cost), cost)
    assert [game.row(name) for name in ("won", "lost", "drawn")] == [0, 1, 0]


def test_hp_never_fall_below_none(start: Start) -> None:
    game = play(start(hp="5"), "ready")
    assert (told(game, "hp"), game.row("damage"), game.legal()) == ("0", 5, [])
    assert (told(game, "ending"), told(game, "winner")) == ("out", "second")


def test_the_last_round_is_to_be_lived_through(start: Start) -> None:
    for hp, ending, winner in (("8", "out", "second"), ("9", "clear", "first")):
        game = play(start(round="10", hp=hp), "ready")
        assert (told(game, "ending"), told(game, "winner")) == (ending, winner)
        assert game.row("length") == 10


def test_a_battle_that_is_won_costs_nothing(start: Start) -> None:
    game = play(start(army="9q"), "ready")
    assert (told(game, "hp"), game.row("won"), game.row("damage")) == ("20", 1, 0)


# 3: the shop


def test_a_bought_slot_stays_empty(start: Start) -> None:
    game = start(gold="4", shop="n,p,n")
    assert legal(game, "buy") == ["1", "2", "3"]
    play(game, "buy 3")
    assert [told(game, key) for key in ("shop", "gold", "army")] == ["n,p,-", "1", "n"]
    assert legal(game, "buy") == ["2"]
    assert (game.row("first_bought"), game.row("first_spent")) == (1, 3)


def test_an_army_has_limits(start: Start) -> None:
    assert legal(start(gold="9", shop="n,p,l", army="8p"), "buy") == ["1", "3"]
    assert legal(start(gold="9", shop="n,p,l", army="q+7n+7p"), "buy") == []
    assert legal(start(gold="9", shop="n,p,l", army="7n+7p"), "buy") == ["1", "2", "3"]
    assert legal(start({"/army/pawns": 0}, gold="9", shop="n,p,l"), "buy") == ["1", "3"]


def test_a_reroll_shows_what_no_purchase_shifts(start: Start) -> None:
    bought, other = start(gold="9", shop="p,p,p"), start(gold="9", shop="p,p,p")
    play(bought, "buy 1", "reroll")
    play(other, "reroll")
    assert told(bought, "shop") == told(other, "shop")
    assert (told(bought, "gold"), told(bought, "rerolls")) == ("7", "1")
    assert (bought.row("first_rerolls"), bought.row("first_spent")) == (1, 1)
    play(bought, "ready")
    assert (told(bought, "rerolls"), told(bought, "round")) == ("0", "2")


def test_rerolls_and_levels_want_gold(start: Start) -> None:
    assert [action for action in start(gold="0").legal() if action != "ready"] == []
    assert start(gold="3").legal() == ["ready", "reroll"]
    assert start(gold="4").legal() == ["ready", "reroll", "level"]
    assert start(gold="40", level="3").legal() == ["ready", "reroll"]


def test_a_level_tells_from_the_next_round_or_draw_on(start: Start) -> None:
    for way, shown in (("next_round", "1"), ("next_shop", "2")):
        game = play(start({"/shop/level_from": way}, gold="9"), "level")
        assert [told(game, key) for key in ("level", "shown", "gold")] == ["2", "1", "5"]
        assert told(play(game, "reroll"), "shown") == shown
        assert told(play(game, "ready"), "shown") == "2"
        assert game.row("first_levels") == 1


def test_only_pieces_of_the_level_come(start: Start) -> None:
    tiers = {f"/shop/tier/{piece}": 2 for piece in ("pawn", "lance", "scout", "knight")}
    changes = tiers | {"/shop/tier/queen": 1, "/shop/slots": 6}
    game = play(start(changes), "ready", "ghost")
    assert told(game, "shop") == "q,q,q,q,q,q"
    assert told(play(game, "reroll"), "shop") == "q,q,q,q,q,q"


# 4: where the pieces stand


def test_where_a_piece_may_be_placed(start: Start) -> None:
    game = start(army="n+p", places="na1")
    front = [f"{file}2" for file in "abcdefgh"]
    assert legal(game, "place") == [f"p {square}" for square in front]
    assert "auto" in game.legal()
    play(game, "auto")
    back = [f"{file}1" for file in "abcdfgh"]
    squares = [f"p {square}" for square in front] + [f"n {square}" for square in back + front]
    assert legal(game, "place") == squares
    assert "auto" not in game.legal()


def test_where_they_stand_carries_over(start: Start) -> None:
    game = play(start(army="n+p", places="na1"), "place p h2", "ready")
    assert told(game, "places") == "na1,ph2"


def test_one_left_over_takes_all_off(start: Start) -> None:
    game = play(start(army="n+p", places="na1"), "ready")
    assert told(game, "places") == "-"
    game = play(start(army="n", places="na1", shop="-,p,-"), "buy 2", "ready")
    assert told(game, "places") == "-"


@pytest.mark.parametrize(("places", "left"), [("rd1", 0), ("rg1", 3)])
def test_they_fight_where_they_stand(start: Start, places: str, left: int) -> None:
    """The ghost's bishop stands on d8: a rook on d1 takes it at once."""
    changes = ONE_MOVE | {"/income/first": 3}
    game = play(start(changes, army="r", places=places), "ready")
    assert (told(game, "places"), game.row("second_army")) == (places, 3)
    assert game.row("second_left") == left


def test_the_dearest_stands_on_d1(start: Start) -> None:
    """It takes the ghost's bishop on d8 at once: a queen, or a rook where that is the dearest."""
    changes = ONE_MOVE | {"/income/first": 3}
    assert play(start(changes, army="q+n"), "ready").row("second_left") == 0
    knights = {"/shop/price/knight": 10}
    assert play(start(changes | knights, army="q+n"), "ready").row("second_left") == 3
    rooks = {"/shop/price/rook": 10}
    assert play(start(changes | rooks, army="r+n"), "ready").row("second_left") == 0


# 5: synergies of battle


@pytest.mark.parametrize(
    ("army", "value"),
    [
        ("2n", 6),
        ("3n", 9 + 1),
        ("6n", 18 + 1),
        ("c+2l", 7 + 1),
        ("3n+c+2l", 16 + 2),
        ("3n+8p", 17),  # no ninth pawn
        ("3n+c+2l+7p", 23 + 1),
        ("12n+3p", 39),  # no sixteenth piece
    ],
)
def test_squires(start: Start, army: str, value: int) -> None:
    """They are worth a pawn, and gone after the battle."""
    game = play(start(SAFE | ONE_MOVE, army=army), "ready")
    assert (game.row("first_army"), told(game, "army")) == (value, army)


def test_squires_need_a_free_square_of_the_front_row(start: Start) -> None:
    front = ",".join(f"n{file}2" for file in "abcdefgh")
    game = play(start(ONE_MOVE, army="8n", places=front), "ready")
    assert game.row("first_army") == 24


@pytest.mark.parametrize(("ahead", "left"), [(0, 4), (1, 4), (2, 3), (3, 3), (5, 3)])
def test_pawns_start_two_ranks_ahead_at_most(start: Start, ahead: int, left: int) -> None:
    """On the fourth and the fifth rank the one takes the other at once; elsewhere none does."""
    row = {"needs": [{"piece": "pawn", "count": 4}], "effect": "advance", "amount": ahead}
    pawns = ["pa2", "pb2", "pc2", "pd2"]
    game = duel(start(ONE_MOVE | {"/synergies": [row]}), pawns, pawns)
    assert game.row("second_left") == left


# 6: opponents


@pytest.mark.parametrize(
    ("opponent", "saving", "armies"),
    [
        ("ghost", "schedule", SCHEDULE),
        ("ghost", "literal", LITERAL),
        ("literal", "schedule", LITERAL),
    ],
)
def test_the_ghosts_army(start: Start, opponent: str, saving: str, armies: list[str]) -> None:
    game = play(start(SAFE | {"/ghost/saving": saving}), "ready", opponent)
    assert by_round(game, "army", 1) == armies


def test_a_ghost_that_adds_is_full_at_69(start: Start) -> None:
    game = play(start(SAFE | {"/ghost/buying": "add"}), "ready", "ghost")
    full = "5q+r+3b+4a+2p"
    begun = ["b+p", "b+p", "b+a+p", "2b+a+2p", "q+2b+2a+2p", "2q+2b+3a+2p", "3q+2b+4a+2p"]
    assert by_round(game, "army", 1) == [*begun, full, full, full]
    assert game.row("second_army") == 69


def test_tiers_hold_the_ghost_back(start: Start) -> None:
    game = play(start(SAFE | {"/ghost/tier_every": 3}), "ready", "ghost")
    armies = by_round(game, "army", 1)
    assert armies[:4] == ["n+p", "n+p", "2n", "2r"]
    assert armies[6:] == SCHEDULE[6:]


def test_a_ghost_has_squires_but_no_income(start: Start) -> None:
    row = {"needs": [{"piece": "bishop", "count": 1}], "effect": "squires", "amount": 2}
    game = play(start(ONE_MOVE | {"/synergies": [row]}, round="1"), "ready")
    assert (told(game, "army", 1), game.row("second_army")) == ("b+p", 4 + 2)
    row |= {"effect": "income", "amount": 5}
    game = play(start(SAFE | {"/synergies": [row]}), "ready", "ghost")
    assert by_round(game, "army", 1) == SCHEDULE


def test_recorded_armies_come_by_round_and_the_last_again(start: Start) -> None:
    game = play(start(SAFE), "ready", "recorded 2", "place q d1", "place p e2", "ready")
    assert (told(game, "record"), told(game, "phase")) == ("qd1,pe2", "stand")
    play(game, "ready")
    assert (told(game, "record"), told(game, "phase")) == ("qd1,pe2;.", "shop")
    assert (told(game, "army", 1), told(game, "places", 1)) == ("q+p", "qd1,pe2")
    assert by_round(game, "army", 1) == ["q+p", *["-"] * 9]


def test_a_rival_buys_first_and_meets_the_ghost(start: Start) -> None:
    game = play(start(), "ready", "ready")
    assert told(game, "seat") == "second"
    assert told(game, "shop", 0) == told(game, "shop", 1)
    play(game, "ready")
    assert (told(game, "seat"), told(game, "hp"), told(game, "hp", 1)) == ("first", "20", "14")
    play(game, "ready")
    assert (told(game, "seat"), told(game, "round")) == ("second", "2")
    assert [game.row(key) for key in ("won", "lost", "drawn", "damage")] == [0, 0, 1, 0]


def test_a_rivals_shop_sells_to_the_rival(start: Start) -> None:
    game = play(start(hp="20/20", gold="9/9", shop="-,-,-/-,-,-", army="-/2b"), "ready")
    assert (told(game, "seat"), told(game, "gold"), told(game, "gold", 1)) == (
        *("second", "15"),
        "16",  # 1 interest, 5 income, 1 for two bishops
    )
    play(game, "level")
    assert (told(game, "level"), told(game, "level", 1)) == ("1", "2")
    assert (game.row("first_levels"), game.row("second_levels")) == (0, 1)


def test_a_rival_that_is_out_sends_its_last_army_again(start: Start) -> None:
    game = start(SAFE, hp="100/0", gold="4/7", level="1/2", army="-/n")
    play(game, "ready")
    assert (told(game, "seat"), told(game, "round"), told(game, "hp")) == ("first", "2", "98")
    words = [told(game, key, 1) for key in ("gold", "level", "shown", "shop", "army")]
    assert words == ["7", "2", "0", "-,-,-", "n"]
    assert by_round(game, "army", 1) == ["n"] * 9


# 7, 9, 11: duels


def test_a_duel_is_one_battle_of_two_armies(start: Start) -> None:
    game = duel(start(), ["qd1"], ["pa2"])
    assert (told(game, "phase"), told(game, "round"), told(game, "winner")) == (
        "over",
        "1",
        "first",
    )
    assert [game.row(key) for key in ("first_army", "second_army", "damage")] == [9, 1, 0]
    assert (told(game, "hp"), told(game, "gold"), told(game, "level")) == ("0", "0", "0")


def test_a_duel_keeps_to_the_limits(start: Start) -> None:
    game = play(start({"/army/pieces": 3, "/army/pawns": 2}), "duel", "place p a2", "place p b2")
    assert {action.split()[0] for action in legal(game, "place")} == set("lacnbrq")
    assert play(game, "place q h2").legal() == ["ready"]
    assert "p c2" in legal(play(game, "ready"), "place")


@pytest.mark.parametrize(
    ("way", "black", "taken"),
    [
        ("player", "qd1", "second"),
        ("ghost", "qd1", "first"),
        ("alternate", "qd1", "second"),
        ("lower_value", "qd1", "second"),
        ("lower_value", "rd1", "first"),
    ],
)
def test_who_moves_first_takes(start: Start, way: str, black: str, taken: str) -> None:
    game = duel(start(ONE_MOVE | {"/battle/first_move": way}), ["qd1"], [black])
    assert (game.row(f"{taken}_left"), game.row("capped")) == (0, 1)
    assert told(game, "ending") == "cap"


def test_kings_alone_come_back(start: Start) -> None:
    game = duel(start(), [], [])
    assert (told(game, "ending"), told(game, "winner")) == ("repetition", "draw")


def test_moves_that_change_nothing_are_counted(start: Start) -> None:
    game = duel(start({"/battle/quiet_limit": 1}), ["qd1"], [])
    assert (told(game, "ending"), told(game, "winner")) == ("quiet", "draw")
    assert (game.row("quiets"), game.row("moves"), game.row("drawn")) == (1, 1, 1)


@pytest.mark.parametrize(
    ("rule", "winner"), [("bare_king", "first"), ("value", "first"), ("draw", "draw")]
)
def test_a_king_that_cannot_move(start: Start, rule: str, winner: str) -> None:
    """A pawn takes a cannon on its way to become a queen, and Black's king is alone."""
    game = duel(start({"/battle/stalemate": rule}), ["ld1", "pc2"], ["cg2"])
    assert (told(game, "ending"), told(game, "winner")) == ("stalemate", winner)
    assert [game.row(key) for key in ("first_left", "second_left", "stalemates")] == [11, 0, 1]
