"""How tests set up positions of NEXT NATION, for the plain reference and for the kernel alike.

All on the map of seed 6: 53 regions, the HQs in 0 and 52, strongholds 4 5 10 14 26 38 42 47 48. The
way from HQ to HQ is 0 5 17 25 26 27 35 47 52, and the same back.
"""

import json
from pathlib import Path
from typing import Any

from lab.catalog import load_game, load_rules
from lab.game import WINNERS
from lab.games.next_nation.rows import of as rows_of
from lab.play import Position
from tests.reference.next_nation import Reference
from tests.reference.next_nation_log import rows
from tests.reference.next_nation_side import Building, Warrior

RULES = Path(__file__).parents[2] / "rules" / "next_nation" / "2026-qualifier.json"
HOME, AWAY = 0, 52
PLAIN: dict[str, str] = {
    "map": "6",
    "day": "7",
    "turn": "left",
    "phase": "upgrade",
    "gold": "500/500",
    "training": "0/0",
    "born": "9/9",
    "raised": "-",
    "left": "-",
    "right": "-",
    "buildings": "L0:1:10;R52:1:10",
}


class Plain:
    """A position that the reference plays."""

    def __init__(self, words: dict[str, str], changes: dict[str, Any]) -> None:
        rules = json.loads(RULES.read_text(encoding="utf-8"))["rules"]
        for pointer, value in changes.items():
            *parents, leaf = pointer.strip("/").split("/")
            node = rules
            for key in parents:
                node = node[key]
            assert leaf in node
            node[leaf] = value
        self.game = Reference(rules, f"map={words['map']}")
        put(self.game, words)

    def text(self) -> str:
        return self.game.text()

    def legal(self) -> list[str]:
        return self.game.legal()

    def play(self, action: str) -> None:
        self.game.play(action)

    def rows(self) -> list[str]:
        return rows(self.game)

    def winner(self) -> str:
        return str(self.game.row()["winner"])


class Compiled:
    """A position that the kernel plays."""

    def __init__(self, words: dict[str, str], changes: dict[str, Any]) -> None:
        rules = load_rules("next_nation").override(changes)
        self.position = Position(load_game("next_nation"), rules)
        self.position.read(line(words))
        self.position.state["telling"] = 1

    def text(self) -> str:
        return self.position.text()

    def legal(self) -> list[str]:
        view, record = self.position.game.view, self.position.record
        return [view.action_text(record, action) for action in self.position.legal()]

    def play(self, action: str) -> None:
        number = self.position.game.view.parse_action(self.position.record, action)
        assert number in self.position.legal(), action
        self.position.play(number)

    def rows(self) -> list[str]:
        return rows_of(self.position.state)

    def winner(self) -> str:
        return WINNERS[self.position.state["winner"]]


def line(words: dict[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in words.items())


def put(game: Reference, words: dict[str, str]) -> None:
    """Set a reference to the words of a text, the map's aside."""
    game.day, game.phase = int(words["day"]), words["phase"]
    game.seat = ("left", "right").index(words["turn"])
    game.told = type(game.told)()
    buildings = [item.split(":") for item in _items(words["buildings"])]
    for seat, side in enumerate(game.sides):
        side.gold, side.training, side.born = (
            int(words[key].split("/")[seat]) for key in ("gold", "training", "born")
        )
        side.buildings = {
            int(place[1:]): Building(int(level), int(hp))
            for place, level, hp in buildings
            if place[0] == "LR"[seat]
        }
        side.warriors = {}
        for item in _items(words[("left", "right")[seat]]):
            body, _, target = item.partition(">")
            number, region, hp = map(int, body.split(":"))
            goal = int(target) if target else None
            side.warriors[number] = Warrior(number, region, hp, goal)
        held = {warrior.region for warrior in side.warriors.values()}
        side.raised = held.intersection(map(int, _items(words["raised"])))


def _items(value: str) -> list[str]:
    return [] if value == "-" else value.split(";")
