"""How tests set up positions of the reference game of ants."""

import json
from pathlib import Path
from typing import Any

from tests.reference.ants import Reference
from tests.reference.ants_side import Cell

FILE = Path(__file__).parents[2] / "rules" / "ants" / "0.3.json"
HOME, AWAY = (-3, 3), (3, -3)
BESIDE_AWAY = [(2, -3), (2, -2), (3, -2)]


def ants(changes: dict[str, Any] | None = None) -> Reference:
    """A new game; `changes` are values by their pointer in the rules."""
    rules = json.loads(FILE.read_text(encoding="utf-8"))["rules"]
    for pointer, value in (changes or {}).items():
        *parents, leaf = pointer.strip("/").split("/")
        node = rules
        for key in parents:
            node = node[key]
        assert leaf in node
        node[leaf] = value
    return Reference(rules)


def put(game: Reference, seat: int, scents: dict[Cell, int] | None = None, **kinds: Any) -> None:
    """Give a seat these workers, soldiers and pheromones instead of its own."""
    side = game.sides[seat]
    side.ants["worker"] = list(kinds.get("workers", []))
    side.ants["soldier"] = list(kinds.get("soldiers", []))
    side.scents = dict(scents or {})


def play(game: Reference, *actions: str) -> None:
    for action in actions:
        game.play(action)
