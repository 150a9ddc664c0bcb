"""Battles of Wargambit to compare: numbers, armies, placements and moves drawn at random."""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from tests.reference.wargambit_battle import Position, choose

FILE = Path(__file__).parents[2] / "rules" / "wargambit" / "1.0.json"
RULES = json.loads(FILE.read_text(encoding="utf-8"))["rules"]
PIECES = ["queen", "rook", "bishop", "knight", "cannon", "scout", "lance", "pawn"]
ORTHODOX = ["queen", "rook", "bishop", "knight", "pawn"]
BACK = [f"{file}1" for file in "dfcgbha"]
FRONT = [f"{file}2" for file in "edfcgbha"]
LONGEST = 120
"""Moves of a random walk."""


def drawn_rules(rng: Random, words: Sequence[str]) -> dict[str, Any]:
    """The shipped rules with other moves of the arsenal, prices, and ways to end a battle."""
    rules = deepcopy(RULES)
    for kind in rules["arsenal"].values():
        kind["moves"] = rng.choice(words)
    for piece in PIECES:
        rules["shop"]["price"][piece] = rng.randint(1, 12)
    rules["battle"] = {
        "first_move": rng.choice(["player", "ghost", "lower_value", "alternate"]),
        "order": rng.choice(["mover", "board"]),
        "stalemate": rng.choice(["bare_king", "value", "draw"]),
        "repetition": rng.choice(["value", "draw"]),
        "repetition_count": rng.randint(2, 5),
        "quiet_limit": rng.choice([0, 0, 0, 1, 4, 10, 50]),
        "ply_cap": rng.choice([1, 10, 50, 200, 200, 200, 400]),
    }
    return rules


def start(rules: dict[str, Any], rng: Random, kinds: Sequence[str] = PIECES) -> Position:
    """Two armies on their squares, half of the time of one size, now and then tiny."""
    size = rng.randint(1, 15) if rng.random() < 0.8 else rng.randint(0, 2)
    sizes = [size, size if rng.random() < 0.5 else rng.randint(0, 15)]
    white, black = (picture(army(size, rng, kinds), rng) for size in sizes)
    return Position.start(rules, white, black, rng.randint(1, 2))


def army(size: int, rng: Random, kinds: Sequence[str]) -> list[str]:
    """So many pieces, dearest first, with a taste for some kinds; at most eight pawns."""
    tastes = [rng.choice([0.2, 1, 1, 4]) for _ in kinds]
    pieces = rng.choices(kinds, tastes, k=size)
    while pieces.count("pawn") > 8:
        pieces[pieces.index("pawn")] = rng.choice(kinds)
    return sorted(pieces, key=kinds.index)


def picture(pieces: Sequence[str], rng: Random) -> dict[str, str]:
    """Where an army stands: by the rules or anyhow, its pawns perhaps some ranks ahead."""
    others = [piece for piece in pieces if piece != "pawn"]
    pawns, ahead = len(pieces) - len(others), rng.choice([0, 0, 1, 2])
    squares = BACK + FRONT
    if rng.random() < 0.5:
        rng.shuffle(squares)
        front = [square for square in squares if square in FRONT][:pawns]
        squares = [square for square in squares if square not in front]
    else:
        front = [square for square in squares[len(others) :] if square in FRONT][:pawns]
    stand = dict(zip(squares, others, strict=False))
    return stand | {f"{square[0]}{2 + ahead}": "pawn" for square in front}


def walk(rules: dict[str, Any], rng: Random, position: Position) -> Iterator[Position]:
    """The position and those after it: the policy's battle, random moves, or some of both."""
    by_policy = rng.choice([0, 0.5, 1])
    for _ in range(LONGEST):
        yield position
        lines = list(position.lines())
        if not lines:
            return
        lines.sort(key=lambda line: line[0])
        line = choose(rules, position, lines) if rng.random() < by_policy else rng.choice(lines)
        position = line[1]
