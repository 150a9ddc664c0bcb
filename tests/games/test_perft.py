"""How many leaves the tree of legal actions has below a few positions, to a few depths.

The numbers come from the plain reference, which steps through every line of play by itself. A
position is named by the actions that lead to it. `pytest tests/games/test_perft.py --regenerate`
counts again to as many depths as a position has numbers; a new position starts with zeros.
"""

import json
from copy import deepcopy
from importlib import import_module
from pathlib import Path

import pytest

from lab.catalog import GAMES, load_game, load_rules
from lab.play import Position

FOLDER = Path(__file__).parents[1] / "perft"


def leaves(reference, depth):
    """An ended game is one leaf; the leaves one action away need not be visited."""
    if depth == 0 or reference.over:
        return 1
    actions = reference.legal()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        child = deepcopy(reference)
        child.play(action)
        total += leaves(child, depth - 1)
    return total


def counted_by_reference(name, case):
    rules = load_rules(name, case["version"])
    opening = Position(load_game(name), rules).text()
    oracle = import_module(f"tests.reference.{name}")
    reference = oracle.Reference(rules.document.model_dump(), opening)
    for action in case["actions"]:
        reference.play(action)
    depths = range(1, len(case["leaves"]) + 1)
    return case | {"position": reference.text(), "leaves": [leaves(reference, d) for d in depths]}


@pytest.mark.parametrize("name", GAMES)
def test_leaves(name, regenerate):
    file = FOLDER / f"{name}.json"
    cases = json.loads(file.read_text(encoding="utf-8"))
    if regenerate:
        cases = [counted_by_reference(name, case) for case in cases]
        file.write_text(json.dumps(cases, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for case in cases:
        position = Position(load_game(name), load_rules(name, case["version"]))
        for action in case["actions"]:
            position.play(position.game.view.parse_action(position.record, action))
        assert position.text() == case["position"]
        depths = range(1, len(case["leaves"]) + 1)
        assert [position.perft(depth) for depth in depths] == case["leaves"], case["name"]
