"""The kernels' board against the one that others wrote down (README 1)."""

import json
from pathlib import Path

import pytest

from lab.catalog import load_game, load_rules
from lab.games.junqi.rules import NODES, turned

GOLDEN = json.loads((Path(__file__).parent / "golden" / "junqi" / "board.json").read_text())
GAME = load_game("junqi")


def edges(table, rules=None):
    """Pairs of nodes of a table of masks."""
    record = GAME.record(rules or load_rules("junqi"))
    return {
        frozenset((NODES[a], NODES[b]))
        for a in range(len(NODES))
        for b in range(len(NODES))
        if int(record[table][a]) >> b & 1
    }


def test_it_has_the_nodes_and_edges_of_the_outside_board():
    record = GAME.record(load_rules("junqi"))
    assert {*NODES} == {*GOLDEN["nodes"]}
    assert len(NODES) == 63
    assert edges("beside") == {frozenset(edge) for edge in GOLDEN["rail_edges"]}
    assert edges("road") == {frozenset(edge) for edge in GOLDEN["road_edges"]}
    assert (len(edges("beside")), len(edges("road"))) == (36, 100)
    assert sum(int(near).bit_count() for near in record["near"]) == 272
    named = [n for n in NODES if int(record["camps"]) >> NODES.index(n) & 1]
    assert {*named} == {*GOLDEN["camps"]}
    named = [n for n in NODES if int(record["homes"]) >> NODES.index(n) & 1]
    assert {*named} == {*GOLDEN["headquarters"]}


@pytest.mark.parametrize("switch", [None, "/board/center_rail", "/board/camp_rail"])
@pytest.mark.parametrize("table", ["road", "beside", "near"])
def test_it_is_the_same_when_it_is_turned(table, switch):
    rules = load_rules("junqi").override({switch: True} if switch else {})
    found = edges(table, rules)
    assert {frozenset(map(turned, edge)) for edge in found} == found


def test_a_ray_goes_straight_to_the_end_of_its_line():
    record = GAME.record(load_rules("junqi"))
    for line in GOLDEN["rail_lines"]:
        numbers = [NODES.index(node) for node in line]
        for i, node in enumerate(numbers):
            rays = [int(ray) for ray in record["ray"][node]]
            assert sum(1 << n for n in numbers[i + 1 :]) in rays
            assert sum(1 << n for n in numbers[:i]) in rays
