"""How tests set up games of Wargambit, for the plain reference and for the kernel alike."""

from collections import Counter
from copy import deepcopy
from typing import Any

from lab.catalog import load_game, load_rules
from lab.play import Position
from tests.reference.wargambit import Reference
from tests.reference.wargambit_positions import RULES
from tests.reference.wargambit_side import Places, letters

START = f"chance={0:016x}"
SEATS = ("first", "second")


class Plain:
    """A game that the reference plays; `words` as of `put`, none for a game's start."""

    def __init__(self, changes: dict[str, Any], words: dict[str, str]) -> None:
        rules = deepcopy(RULES)
        for pointer, value in changes.items():
            *parents, leaf = pointer.strip("/").split("/")
            node = rules
            for key in parents:
                node = node[key]
            assert leaf in node
            node[leaf] = value
        self.game = Reference(rules, START)
        if words:
            put(self.game, words)

    def text(self) -> str:
        return self.game.text()

    def legal(self) -> list[str]:
        return self.game.legal()

    def play(self, action: str) -> None:
        self.game.play(action)

    def row(self, column: str) -> int:
        return int(self.game.row()[column])


class Compiled:
    """A game that the kernel plays."""

    def __init__(self, changes: dict[str, Any], words: dict[str, str]) -> None:
        self.position = Position(load_game("wargambit"), load_rules("wargambit").override(changes))
        self.position.read(Plain(changes, words).text())

    def text(self) -> str:
        return self.position.text()

    def legal(self) -> list[str]:
        view, record = self.position.game.view, self.position.record
        return [view.action_text(record, action) for action in self.position.legal()]

    def play(self, action: str) -> None:
        number = self.position.game.view.parse_action(self.position.record, action)
        assert number in self.position.legal(), action
        self.position.play(number)

    def row(self, column: str) -> int:
        seat, _, name = column.partition("_")
        row = self.position.outcome
        return int(row[name][SEATS.index(seat)] if seat in SEATS else row[column])


def put(game: Reference, words: dict[str, str]) -> None:
    """Go to the first seat's shop in a run against the ghost, or against a rival who is ready.

    `round`; and, of the first seat or of both parted by "/": `hp`, `gold`, `level`, `shop`, `army`
    (such as q+2n) and `places`. Whatever is not said is as in the first round; the shop is empty.
    """
    game.opponent = "rival" if any("/" in value for value in words.values()) else "ghost"
    game.round = int(words.get("round", "1")) - 1
    for _ in range(game.round):
        game.ghost.next_round()
    game.begin()
    game.seat = 0
    for seat, side in enumerate(game.sides[: 1 + (game.opponent == "rival")]):
        said = {key: value.split("/")[seat] for key, value in words.items() if key != "round"}
        side.hp = int(said.get("hp", side.hp))
        side.gold = int(said.get("gold", "4"))
        side.level = side.shown = int(said.get("level", "1"))
        side.army = army(game, said.get("army", "-"))
        side.places = places(game, said.get("places", "-"))
        names = {letter: piece for piece, letter in letters(game.rules).items()} | {"-": ""}
        side.shop = [names[letter] for letter in said.get("shop", "-,-,-").split(",")]
        side.tally.clear()


def army(game: Reference, text: str) -> Counter[str]:
    names = {letter: piece for piece, letter in letters(game.rules).items()}
    items = [] if text == "-" else text.split("+")
    return Counter({names[item[-1]]: int(item[:-1] or 1) for item in items})


def places(game: Reference, text: str) -> Places:
    names = {letter: piece for piece, letter in letters(game.rules).items()}
    items = [] if text == "-" else text.split(",")
    return {item[1:]: names[item[0]] for item in items}


def play(game: Any, *actions: str) -> Any:
    """The game, further on."""
    for action in actions:
        game.play(action)
    return game


def told(game: Any, key: str, seat: int = 0) -> str:
    """A word of the text; of a pair one seat's."""
    value: str = dict(word.split("=") for word in game.text().split(" "))[key]
    return value.split("/")[seat]


def by_round(game: Any, key: str, seat: int) -> list[str]:
    """A word in every round of a run in which nobody does anything but fight."""
    found = []
    while told(game, "phase") != "over":
        found.append(told(game, key, seat))
        game.play("ready")
    return found


def legal(game: Any, kind: str) -> list[str]:
    """What the legal actions of a kind are about."""
    return [action[len(kind) + 1 :] for action in game.legal() if action.split()[0] == kind]
