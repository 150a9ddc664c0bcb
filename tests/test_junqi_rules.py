"""The rules document of junqi: what board and which armies it takes, and how it refuses others."""

import json
from pathlib import Path
from typing import get_args

import pytest

from lab import load_rules
from lab.catalog import load_game
from lab.games.junqi.formations import LETTERS
from lab.games.junqi.rules import KINDS, NODES, Count, Node, Rank, spot, turned
from lab.play import Position
from tests.toy import refusal
from tests.verbs import refusal as refused_by_verb

RULES_FILE = Path(__file__).parents[1] / "rules/junqi/1.0.json"
RULES = load_rules("junqi", "1.0")
RAILS = RULES.value("/board/rails")
NO_CAMPS = {"/board/camps": []}
BOUND = {
    "/count": dict.fromkeys(Count.model_fields, 0)
    | {"mine": 8, "bomb": 6, "marshal": 8, "engineer": 2}
}
"""As many pieces as there may be that do not stand anywhere."""


def test_nodes_and_kinds_are_listed_once():
    assert get_args(Node) == NODES
    assert len(KINDS) == len(LETTERS)
    assert (*Count.model_fields, "flag") == KINDS
    assert tuple(Rank.model_fields) == KINDS[:9]


def test_half_a_round_turns_every_node_into_its_like():
    assert [turned(turned(node)) for node in NODES] == list(NODES)
    assert [turned(node) for node in ("A1", "B3", "C6", "AF", "CF")] == [
        *("E12", "D10", "C7", "EF", "CF")
    ]
    middle = spot("CF")
    for node in NODES:
        there = zip(spot(node), spot(turned(node)), strict=True)
        assert [a + b for a, b in there] == [2 * middle[0], 2 * middle[1]]


def without(*rails):
    return {"/board/rails": [rail for i, rail in enumerate(RAILS) if i not in rails]}


def one_line(*nodes):
    """A first line of rail that goes by these nodes, and what it turns into."""
    lines = [nodes, tuple(turned(node) for node in reversed(nodes))]
    return {"/board/rails": [{"nodes": list(line)} for line in lines]}


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        # pieces and places
        (
            {"/count/mine": 4},
            "found 26 pieces of a side in /count, expected 25, one for each place",
        ),
        (
            {"/count/bomb": 1},
            "found 24 pieces of a side in /count, expected 25, one for each place",
        ),
        (
            NO_CAMPS,
            "found 25 pieces of a side in /count, expected 30, one for each place of a half",
        ),
        (
            {"/count/mine": 8, "/count/army": 0, "/count/division": 0, "/count/brigade": 0}
            | {"/setup/mine_rows": 1},
            "found 8 mines in /count, expected at most 3, the places where they may stand",
        ),
        ({"/count/mine": 9}, "/count/mine: found 9, expected a whole number from 0 to 8"),
        ({"/count/flag": 2}, "/count/flag: found an unknown pointer"),
        ({"/rank/marshal": 0}, "/rank/marshal: found 0, expected a whole number from 1 to 20"),
        ({"/rank/mine": 1}, "/rank/mine: found an unknown pointer"),
        ({"/setup/mine_rows": 0}, "/setup/mine_rows: found 0, expected a whole number from 1 to 6"),
        # nodes
        ({"/board/camps/0": "B13"}, 'camps/0: found "B13", expected one of "A1", "B1", ..., "E12"'),
        ({"/board/camps/0": "B13"}, "(did you mean 'B"),
        ({"/board/headquarters/0": "b1"}, 'headquarters/0: found "b1", expected one of "A1"'),
        ({"/board/headquarters": ["B1"]}, "found a list of 1, expected a list of 2 to 4"),
        ({"/board/camps": ["B3", "D10"] * 2}, "/board: camp B3 is named twice"),
        ({"/board/camps": ["AF", "EF"]}, '/board/camps/0: found "AF", expected one of "A1", "B1"'),
        ({"/board/headquarters": ["B1", "D12"] * 2}, "/board: headquarters B1 is named twice"),
        (
            {"/board/headquarters": ["CF", "CF"]},
            '/board/headquarters/0: found "CF", expected one of',
        ),
        ({"/board/headquarters": ["B3", "D10"]}, "/board: B3 is a camp and a headquarters"),
        # a board that is not symmetric
        ({"/board/camps/0": "A3"}, "/board: camp A3 lacks what half a round turns it into, E10"),
        ({"/board/headquarters/3": "C12"}, "headquarters B1 lacks what half a round turns it into"),
        ({"/board/headquarters/3": "C12"}, "turns it into, D12"),
        (without(0), "/board: the rail E2 to E11 lacks what half a round turns it into, A2 to A11"),
        (without(2), "/board: the rail A11 to E11 lacks what half a round turns it into, A2 to E2"),
        # rails
        ({"/board/rails/0/nodes/5": "BF"}, '/board/rails/0/nodes/5: found "BF", expected one of'),
        ({"/board/rails/0/nodes/5": "BF"}, "did you mean"),
        (one_line("A2", "A3", "B3"), "/board/rails/0: the rail turns at A3, and a line of rail is"),
        (one_line("A2", "A3", "A2"), "/board/rails/0: the rail turns at A3"),
        (one_line("A2", "A4"), "/board/rails/0: A2 and A4 are no neighbours in a row or a column"),
        (one_line("B6", "B7"), "/board/rails/0: B6 and B7 are no neighbours"),
        (one_line("AF", "CF"), "/board/rails/0: AF and CF are no neighbours"),
        (one_line("A2", "B3"), "/board/rails/0: A2 and B3 are no neighbours"),
        (one_line("A2", "A2"), "/board/rails/0: A2 and A2 are no neighbours"),
        (one_line("A2"), "/board/rails/0/nodes: found a list of 1, expected a list of 2 to 12"),
        (
            {"/board/rails": RAILS * 2},
            "/board/rails: found a list of 12, expected a list of 0 to 8",
        ),
        # switches
        ({"/battle/mine": "stay"}, '"both_go", "stays" (did you mean \'stays\'?)'),
        ({"/battle/bomb_on_flag": True}, 'found true, expected one of "wins", "both_go"'),
        ({"/board/camp_rail": "on"}, '/board/camp_rail: found "on", expected true or false'),
    ],
)
def test_rules_that_nobody_can_play_are_refused_by_place(changes, line):
    said = refusal(RULES.override, changes)
    assert line in said
    assert "\n" not in said


def test_a_broken_rules_file_is_refused_in_one_line(tmp_path):
    data = json.loads(RULES_FILE.read_text(encoding="utf-8"))
    data["rules"]["count"]["mine"] = 4
    path = tmp_path / "1.0.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    line = "1.0.json /rules: found 26 pieces of a side in /count, expected 25, one for each place"
    assert line in refused_by_verb("rules", "validate", path)


@pytest.mark.parametrize(
    "changes",
    [
        {"/board/rails": []},
        one_line("A1", "A2"),
        one_line("CF", "C7"),
        {"/board/headquarters": ["C1", "C12"]},
        {"/board/headquarters": ["C6", "C7"]},
        BOUND,
        BOUND | {"/setup/mine_rows": 6, "/board/headquarters": ["A6", "E7"]},
    ],
)
def test_boards_and_armies_of_all_kinds_can_be_set_up(changes):
    position = Position(load_game("junqi"), RULES.override(changes))
    text = position.text()
    for letter, number in zip(LETTERS, position.rules.document.counts(), strict=True):
        assert text.count(f"w{letter}@") == text.count(f"b{letter}@") == number
    position.read(text)
    assert position.text() == text
