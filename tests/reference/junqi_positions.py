"""How tests set up positions and games of the reference of junqi."""

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from tests.reference.junqi import Reference
from tests.reference.junqi_board import NODES, Board
from tests.reference.junqi_pieces import KINDS, LETTERS, counts, may_stand, places

FILE = Path(__file__).parents[2] / "rules" / "junqi" / "1.0.json"
RULES: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["rules"]
FLAGS = "wF@B1 bF@D12"
HOME = f"{FLAGS} w2@A1 b2@A12"
"""The flags, and a piece for each side that can always move."""


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """The rules with other values, by their pointer."""
    rules = deepcopy(RULES)
    for pointer, value in changes.items():
        section, key = pointer.strip("/").split("/")
        assert key in rules[section]
        rules[section][key] = value
    return rules


def position(pieces: str, rest: str = "turn=w quiet=0", **changes: Any) -> Reference:
    """A partial position by the rules with switches such as board_center_rail=True."""
    new = {key.replace("_", "/", 1): value for key, value in changes.items()}
    return Reference(changed(new), f"{pieces} {rest}")


def opening(rules: dict[str, Any], rng: Random) -> str:
    """3.2 A set-up for each side, drawn from all that are legal."""
    board, stand = Board(rules["board"]), {}
    for seat in (0, 1):
        free = places(board, seat)
        for kind in reversed(KINDS):  # flag, mines, bombs, the rest
            possible = [node for node in free if may_stand(rules, board, seat, kind, node)]
            for node in rng.sample(possible, counts(rules)[kind]):
                stand[node] = f"{'wb'[seat]}{LETTERS[kind]}@{node}"
                free.remove(node)
    words = [stand[node] for node in NODES if node in stand]
    return " ".join([*words, "turn=w quiet=0 phase=setup"])


def ready(rules: dict[str, Any], rng: Random) -> Reference:
    """A game whose drawn set-ups are played."""
    game = Reference(rules, opening(rules, rng))
    game.play("ready")
    game.play("ready")
    return game


def random_game(rules: dict[str, Any], seed: int) -> Reference:
    """A finished game of two players who choose evenly among their moves."""
    rng = Random(seed)
    game = ready(rules, rng)
    while not game.over:
        game.play(rng.choice(game.legal()))
    return game


def targets(game: Reference, node: str) -> list[str]:
    """Where the piece on a node may move, in the order of the game."""
    moves = [action.split("-") for action in game.legal() if "-" in action]
    return [move[1] for move in moves if move[0] == node]


def told(game: Reference, key: str) -> str:
    """What the position's text says of a key, "" if nothing."""
    return dict(word.split("=") for word in game.text().split() if "=" in word).get(key, "")


def held(game: Reference, node: str) -> str:
    """What the piece on a node may be for the other side."""
    words = [word.partition("@")[2].partition(":") for word in game.text().split()]
    return {where: kinds for where, _, kinds in words}[node]


def standing(game: Reference) -> set[str]:
    """The pieces without what is held of them."""
    return {word.partition(":")[0] for word in game.text().split() if "@" in word}


def ended(game: Reference) -> tuple[str, str]:
    return game.ending, game.winner


def play(game: Reference, actions: str) -> Reference:
    for action in actions.split():
        game.play(action)
    return game
