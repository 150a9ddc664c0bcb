"""The plain reference of junqi: its board against data from elsewhere, and worked positions."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.reference.junqi_board import NODES, Board, turned
from tests.reference.junqi_positions import (
    FLAGS,
    HOME,
    RULES,
    changed,
    ended,
    position,
    standing,
    targets,
)

OUTSIDE = json.loads(
    (Path(__file__).parent / "golden/junqi/board.json").read_text(encoding="utf-8")
)
"""The board as written down independently of the lab."""


def words(text):
    return sorted(text.split(), key=NODES.index)


# --- 1 the board --------------------------------------------------------------------------------


def test_the_board_is_that_of_the_outside_data():
    board = Board(RULES["board"])
    assert sorted(NODES) == sorted(OUTSIDE["nodes"])
    assert board.rail_edges == {frozenset(edge) for edge in OUTSIDE["rail_edges"]}
    assert board.road_edges == {frozenset(edge) for edge in OUTSIDE["road_edges"]}
    assert sorted(board.lines) == sorted(OUTSIDE["rail_lines"])
    assert board.camps == set(OUTSIDE["camps"])
    assert board.headquarters == set(OUTSIDE["headquarters"])
    degree = {node: len(board.rail[node] | board.road[node]) for node in NODES}
    assert degree == OUTSIDE["degree"]


def test_the_numbers_of_the_board():
    board = Board(RULES["board"])
    diagonal = [edge for edge in board.road_edges if len({node[0] for node in edge}) == 2]
    diagonal = [edge for edge in diagonal if len({node[1:] for node in edge}) == 2]
    assert len(NODES) == len(set(NODES)) == OUTSIDE["checks"]["nodes"] == 63
    assert len(board.rail_edges) == OUTSIDE["checks"]["rail_edges"] == 36
    assert len(board.road_edges) == OUTSIDE["checks"]["road_edges"] == 100
    assert len(diagonal) == OUTSIDE["checks"]["diagonal_road_edges"] == 32
    assert sum(bool(board.rail[node]) for node in NODES) == OUTSIDE["checks"]["rail_nodes"] == 34
    assert sum(len(board.rail[node] | board.road[node]) for node in NODES) == 272


@pytest.mark.parametrize("switch", ["", "/board/center_rail", "/board/camp_rail"])
def test_the_board_is_the_same_when_it_is_turned(switch):
    board = Board(changed({switch: True} if switch else {})["board"])
    assert [turned(turned(node)) for node in NODES] == NODES
    assert [turned(node) for node in ("A1", "B3", "AF", "CF", "EF")] == words("EF CF AF D10 E12")[
        ::-1
    ]
    for nodes in (board.camps, board.headquarters):
        assert {turned(node) for node in nodes} == nodes
    for edges in (board.rail_edges, board.road_edges):
        assert {frozenset(map(turned, edge)) for edge in edges} == edges


def test_rails_through_the_middle_and_through_camps():
    center = Board(changed({"/board/center_rail": True})["board"])
    assert (len(center.rail_edges), len(center.road_edges)) == (38, 98)
    camps = Board(changed({"/board/camp_rail": True})["board"])
    assert (len(camps.rail_edges), len(camps.road_edges)) == (36 + 16, 100 - 16)
    for board in (center, camps):
        for line in board.lines:
            assert all(other in board.rail[one] for one, other in pairwise(line))


# --- 4 moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "node", "expected"),
    [
        (f"{HOME} w5@A6", "A6", "A2 A3 A4 A5 AF A7 A8 A9 A10 A11 B6 C6 D6 E6 B5"),
        ("wF@B1 w2@A1 bF@D12 b2@A12 w1@C6 w3@A6 w3@E6", "C6", "B6 D6 C5 CF B5 D5"),
        (f"{HOME} w5@CF", "CF", "C6 C7"),
        (f"{HOME} w9@D1", "D1", ""),
        (f"{FLAGS} b2@A12 w5@A1", "A1", "A2"),
        (f"{HOME} w5@AF", "AF", "A2 A3 A4 A5 A6 A7 A8 A9 A10 A11"),
    ],
)
def test_all_targets(pieces, node, expected):
    assert targets(position(pieces), node) == words(expected)


def test_an_engineer_runs_round_corners():
    rails = {node for edge in OUTSIDE["rail_edges"] for node in edge}
    found = targets(position(f"{HOME} w1@A6"), "A6")
    assert (len(found), set(found)) == (34, rails - {"A6"} | {"B5"})


@pytest.mark.parametrize(
    ("pieces", "node", "yes", "no"),
    [
        (f"{HOME} w1@A2 w3@B2 b3@AF", "A2", "AF A7", ""),
        (f"{HOME} w1@A2 w3@B2 b3@AF b3@EF", "A2", "AF EF", "A7"),
        (f"{HOME} w5@C6", "C6", "CF", "C7"),
        (f"{HOME} w5@B2", "B2", "E2 B3", "B6"),
        (f"{HOME} w9@B6 b1@B5", "B6", "A6", "B5"),
        (f"{HOME} w5@B4", "B4", "B3 B5 C4", "A5 C5"),
        (f"{HOME} w5@C12 b9@B12", "C12", "B12", ""),
        (f"{HOME} w5@A6 w2@A4 b2@AF", "A6", "A5 AF", "A4 A3 A7"),
    ],
)
def test_some_targets(pieces, node, yes, no):
    found = set(targets(position(pieces), node))
    assert found >= set(yes.split())
    assert not found & set(no.split())


def test_switches_of_the_board():
    assert "C7" in targets(position(f"{HOME} w5@C6", board_center_rail=True), "C6")
    assert "B6" in targets(position(f"{HOME} w5@B2", board_camp_rail=True), "B2")
    free = position(f"{HOME} w9@D1", board_headquarters_hold=False)
    assert targets(free, "D1") == words("C1 E1 D2")


def test_a_camp_shelters_but_may_be_left_to_attack():
    black = position(f"{HOME} w9@B6 w3@A6 w3@C6 b1@B5", "turn=b quiet=0")
    assert set(targets(black, "B5")) >= {"A6", "B6", "C6"}


def test_who_goes_to_a_headquarters_stays_there():
    game = position(f"{HOME} w5@B11")
    game.play("B11-B12")
    game.play("A12-A11")
    assert targets(game, "B12") == []
    assert targets(game, "A1") == ["A2"]


def test_orders_of_both_sides_are_one():
    here = position("w5@A6 w1@C2 wF@B1 b2@A12 bF@D12")
    there = position("b5@E7 b1@C11 bF@D12 w2@E1 wF@B1", "turn=b quiet=0")
    mirrored = ["-".join(map(turned, action.split("-"))) for action in there.legal()]
    assert here.legal() == mirrored


def test_rails_that_continue_each_other_are_one():
    """Parts of a line, one of them told the other way round and one that overlaps."""
    parts = [{"nodes": nodes.split()} for nodes in ("A2 A3 A4", "AF A6 A5 A4", "A6 AF A7", "A6 B6")]
    game = position(f"{HOME} w5@A2", board_rails=parts)
    assert targets(game, "A2") == words("B2 A3 B3 A4 A5 A6 AF A7")


# --- 5 battles ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "defender", "left", "ending"),
    [
        ("X", "F", {"wX@D12"}, "flag"),
        ("2", "F", {"w2@D12"}, "flag"),
        ("1", "F", {"w1@D12"}, "flag"),
        ("X", "9", set(), ""),
        ("9", "X", set(), ""),
        ("X", "X", set(), ""),
        ("X", "M", set(), ""),
        ("9", "M", set(), ""),
        ("1", "M", {"w1@D12"}, ""),
        ("9", "8", {"w9@D12"}, ""),
        ("4", "5", {"b5@D12"}, ""),
        ("7", "7", set(), ""),
    ],
)
def test_battles(attacker, defender, left, ending):
    """White attacks from D11; what is left of the two."""
    node = "C11" if defender == "M" else "D12"
    flag = "" if defender == "F" else "bF@B12"
    game = position(f"wF@B1 w2@A1 b2@A12 {flag} w{attacker}@D11 b{defender}@{node}")
    others = standing(game) - {f"w{attacker}@D11", f"b{defender}@{node}"}
    game.play(f"D11-{node}")
    assert standing(game) - others == {word.replace("D12", node) for word in left}
    assert ended(game) == (ending, "first" if ending else "")
    assert game.battles == 1


def test_a_flag_that_goes_with_a_bomb_is_not_taken():
    game = position(f"{HOME} wX@D11", battle_bomb_on_flag="both_go")
    game.play("D11-D12")
    assert (game.over, standing(game)) == (False, {"wF@B1", "w2@A1", "b2@A12"})


def test_a_mine_may_stay():
    game = position(f"{HOME} w9@C11 bM@B11", battle_mine="stays")
    game.play("C11-B11")
    assert "bM@B11" in standing(game)
    assert "w9" not in game.text()


def test_only_the_attacker_moves():
    game = position(f"{HOME} w5@C12 b9@B12")
    game.play("C12-B12")
    assert "b9@B12" in standing(game)
    assert "w5" not in game.text()


# --- 6 the end ----------------------------------------------------------------------------------


def test_the_side_that_is_to_move_loses_even_if_nobody_can():
    game = position("w5@A6 wM@A2 wF@B1 b5@A8 bF@D12")
    game.play("A6-A8")
    assert ended(game) == ("stuck", "first")
    assert list(game.moves()) == []


def test_boxed_in_is_stuck():
    game = position("w5@A1 wM@A2 wF@B1 b3@A11 bF@D12", "turn=b quiet=0")
    game.play("A11-A10")
    assert ended(game) == ("stuck", "second")


def test_the_quiet_count_ends_last():
    game = position(HOME, "turn=w quiet=98")
    game.play("A1-A2")
    assert not game.over
    game.play("A12-A11")
    assert (ended(game), game.row()["capped"]) == (("quiet", "draw"), True)
    game = position(f"{HOME} w5@A6 b4@A7", "turn=w quiet=99")
    game.play("A6-A7")
    assert (game.over, game.quiet) == (False, 0)
    game = position("w5@A1 wM@A2 wF@B1 b3@A11 bF@D12", "turn=b quiet=99")
    game.play("A11-A10")
    assert ended(game) == ("stuck", "second")
