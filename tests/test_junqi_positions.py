"""Worked positions of junqi as the kernels play them: moves, battles and how a game ends."""

import pytest

from lab.catalog import load_game, load_rules
from lab.play import Position, trace
from tests.reference.junqi import Reference

GAME, RULES = load_game("junqi"), load_rules("junqi")
HOME = "wF@B1 bF@D12"
SPARE = f"{HOME} w2@A1 b2@A12"
"""The flags, and a piece for each side that can always move."""
RAILS = (
    "A2 A3 A4 A5 A6 AF A7 A8 A9 A10 A11 E2 E3 E4 E5 E6 EF E7 E8 E9 E10 E11"
    " B2 C2 D2 B6 C6 D6 B7 C7 D7 B11 C11 D11"
)


def at(pieces, rest="turn=w quiet=0", **changes):
    """A position of these pieces; `changes` such as board_center_rail=True."""
    new = {f"/{key.replace('_', '/', 1)}": value for key, value in changes.items()}
    position = Position(GAME, RULES.override(new))
    position.read(f"{pieces} {rest}")
    return position


def listed(position):
    """The legal actions as texts."""
    return [GAME.view.action_text(position.record, action) for action in position.legal()]


def targets(position, node):
    """Where the piece on a node may go."""
    moves = [move.split("-") for move in listed(position) if "-" in move]
    return {target for start, target in moves if start == node}


def after(position, *actions):
    """The position when these actions, which have to be legal, were played."""
    for action in actions:
        assert action in listed(position)
        position.play(GAME.view.parse_action(position.record, action))
    return position


def standing(position):
    """The pieces, without what is held of them."""
    return {word.partition(":")[0] for word in position.text().split() if "@" in word}


def told(position, key):
    """A word of the position's text, "" if it is not there."""
    return dict(w.split("=") for w in position.text().split() if "=" in w).get(key, "")


def ended(position):
    return told(position, "ending"), told(position, "winner")


def test_lists_have_the_order_that_both_sides_share():
    position, actions, _ = trace(GAME, RULES, "hurried", "random", 3, 0)
    reference = Reference(RULES.document.model_dump(), position.text())
    for action in actions[:80]:
        assert listed(position) == reference.legal()
        reference.play(GAME.view.action_text(position.record, action))
        position.play(action)


# --- moves --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "node", "there"),
    [
        # straight along rails, and a step of road
        ("w5@A6", "A6", "A2 A3 A4 A5 AF A7 A8 A9 A10 A11 B6 C6 D6 E6 B5"),
        ("w5@AF", "AF", "A2 A3 A4 A5 A6 A7 A8 A9 A10 A11"),
        ("w5@B2", "B2", "A2 C2 D2 E2 B3 B1"),  # B1 is empty: the flag is elsewhere
        # engineers round every corner, behind no piece
        ("w1@A6", "A6", " ".join({*RAILS.split(), "B5"} - {"A6"})),
        ("w1@C6 w3@A6 w3@E6", "C6", "B6 D6 C5 CF B5 D5"),
        # roads
        ("w5@C6", "C6", "A6 B6 D6 E6 C5 CF B5 D5"),
        ("w5@CF", "CF", "C6 C7"),
        ("w5@B4", "B4", "A4 C4 B3 B5"),
        ("w5@B3", "B3", "A2 B2 C2 A3 C3 A4 B4 C4"),
        ("w5@A1", "A1", "A2 B1"),
        # own pieces, and the enemy's behind which nobody passes
        ("w5@A6 w2@A4 b2@AF", "A6", "A5 AF B6 C6 D6 E6 B5"),
        # headquarters
        ("w9@D1", "D1", ""),
    ],
)
def test_where_a_piece_may_go(pieces, node, there):
    flags = "wF@D1 bF@D12" if "w9@D1" not in pieces else "bF@D12"
    spare = "w3@E1 b2@A12"
    assert targets(at(f"{pieces} {flags} {spare}"), node) == set(there.split())


def test_how_many_places_there_are():
    assert len(targets(at(f"w5@A6 {SPARE}"), "A6")) == 15
    assert len(targets(at(f"w1@A6 {SPARE}"), "A6")) == 34
    assert len(targets(at(f"w5@AF {SPARE}"), "AF")) == 10


def test_beside_an_own_flag_there_is_one_way_out():
    assert targets(at(f"w5@A1 b2@A12 {HOME}"), "A1") == {"A2"}


def test_an_engineer_goes_round_a_piece_that_bars_the_way():
    here = targets(at(f"w1@A2 w3@B2 b3@AF {SPARE}"), "A2")
    assert {"AF", "E6", "EF", "A7"} <= here
    here = targets(at(f"w1@A2 w3@B2 b3@AF b3@EF {SPARE}"), "A2")
    assert {"AF", "EF"} <= here
    assert "A7" not in here


def test_no_piece_is_attacked_in_a_camp_and_it_may_attack_from_there():
    position = at(f"w9@B6 b1@B5 {SPARE}")
    assert "B5" not in targets(position, "B6")
    position = at(f"w9@B6 w5@A6 w5@C6 b1@B5 {SPARE}", "turn=b quiet=0")
    assert {"A6", "B6", "C6"} <= targets(position, "B5")


def test_the_middle_is_crossed_by_road_or_by_rail():
    assert "C7" not in targets(at(f"w5@C6 {SPARE}"), "C6")
    rail = at(f"w5@C6 {SPARE}", board_center_rail=True)
    assert {"CF", "C7"} <= targets(rail, "C6")


def test_rails_through_camps():
    off, on = (targets(at(f"w5@B2 {SPARE}", board_camp_rail=on), "B2") for on in (False, True))
    assert "B6" not in off
    assert {"E2", "B3"} <= off
    assert on - off == {"B4", "B5", "B6"}


def test_who_enters_a_headquarters_is_held_there():
    position = after(at(f"w5@B11 {SPARE}"), "B11-B12", "A12-A11")
    assert targets(position, "B12") == set()
    free = at(f"w5@B11 {SPARE}", board_headquarters_hold=False)
    assert targets(after(free, "B11-B12", "A12-A11"), "B12") == {"A12", "B11", "C12"}
    assert targets(at("w9@D1 w2@A1 wF@B1 b2@A12 bF@D12", board_headquarters_hold=False), "D1")


# --- battles ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "defender", "left"),
    [
        ("w5@C12", "b9@B12", {"b9@B12"}),
        ("w5@A8", "b4@A9", {"w5@A9"}),
        ("w5@A8", "b5@A9", set()),
        ("wX@A8", "b9@A9", set()),
        ("w9@A8", "bX@A9", set()),
        ("wX@B11", "bM@C11", set()),
        ("w9@B11", "bM@C11", set()),
        ("w1@B11", "bM@C11", {"w1@C11"}),
        ("w1@A8", "b2@A9", {"b2@A9"}),
    ],
)
def test_who_is_gone_after_a_battle(attacker, defender, left):
    here, there = attacker.split("@")[1], defender.split("@")[1]
    position = after(at(f"{attacker} {defender} {SPARE}"), f"{here}-{there}")
    assert standing(position) == {*SPARE.split(), *left}
    assert told(position, "quiet") == "0"
    assert ended(position) == ("", "")


def test_a_mine_may_stay():
    position = after(at(f"w9@B11 bM@C11 {SPARE}", battle_mine="stays"), "B11-C11")
    assert standing(position) == {*SPARE.split(), "bM@C11"}
    position = after(at(f"w1@B11 bM@C11 {SPARE}", battle_mine="stays"), "B11-C11")
    assert standing(position) == {*SPARE.split(), "w1@C11"}


@pytest.mark.parametrize("attacker", ["2", "9", "1", "X"])
def test_anybody_takes_the_flag(attacker):
    position = after(at(f"w{attacker}@C12 {SPARE}".replace("w2@A1", "w3@A1")), "C12-D12")
    assert ended(position) == ("flag", "first")
    assert f"w{attacker}@D12" in standing(position)


def test_a_bomb_may_go_with_the_flag_and_the_game_goes_on():
    position = after(at(f"wX@C12 {SPARE}", battle_bomb_on_flag="both_go"), "C12-D12")
    assert standing(position) == {*SPARE.split()} - {"bF@D12"}
    assert ended(position) == ("", "")


# --- the end ------------------------------------------------------------------------------------


def test_the_flag_comes_before_the_last_piece_that_can_move():
    position = after(at("w5@C12 wF@B1 bF@D12"), "C12-D12")
    assert ended(position) == ("flag", "first")


def test_who_is_to_move_and_cannot_has_lost_even_if_the_other_cannot_either():
    position = after(at("w5@A6 wM@A2 wF@B1 b5@A8 bF@D12"), "A6-A8")
    assert standing(position) == {"wM@A2", "wF@B1", "bF@D12"}
    assert ended(position) == ("stuck", "first")


def test_who_is_boxed_in_has_lost():
    position = at("w5@A1 wM@A2 wF@B1 b5@A11 bF@D12", "turn=b quiet=0")
    assert ended(after(position, "A11-A10")) == ("stuck", "second")


def test_quiet_plies_end_the_game():
    position = after(at(f"w5@C6 {SPARE}", "turn=w quiet=98"), "C6-CF")
    assert ended(position) == ("", "")
    assert ended(after(position, "A12-A11")) == ("quiet", "draw")


def test_a_battle_of_any_outcome_sets_the_count_to_nought():
    for defender in ("4", "5", "6", "X"):
        position = after(at(f"w5@C6 b{defender}@CF {SPARE}", "turn=w quiet=99"), "C6-CF")
        assert (told(position, "quiet"), ended(position)) == ("0", ("", ""))


def test_the_last_quiet_ply_may_still_win():
    position = at(f"w5@C6 bM@E11 b2@E12 {HOME}", "turn=w quiet=99")
    assert ended(after(position, "C6-CF")) == ("stuck", "first")
