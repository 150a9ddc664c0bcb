"""Battles of Wargambit to compare: numbers, armies, placements and moves drawn at random."""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from tests.reference.wargambit_battle import Move, Position, choose

FILE = Path(__file__).parents[2] / "rules" / "wargambit" / "1.0.json"
RULES = json.loads(FILE.read_text(encoding="utf-8"))["rules"]
PIECES = ["queen", "rook", "bishop", "knight", "cannon", "scout", "lance", "pawn"]
ORTHODOX = ["queen", "rook", "bishop", "knight", "pawn"]
BACK = [f"{file}1" for file in "dfcgbha"]
FRONT = [f"{file}2" for file in "edfcgbha"]
LONGEST = 80
"""Moves of a random walk."""


def drawn_rules(rng: Random, words: Sequence[str]) -> dict[str, Any]:
    """The shipped rules with other moves of the arsenal, prices, and ways to end a battle."""
    rules: dict[str, Any] = deepcopy(RULES)
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
    size = rng.randint(1, 15) if rng.random() < 0.85 else rng.randint(0, 2)
    sizes = [size, size if rng.random() < 0.5 else rng.randint(0, 15)]
    white, black = (picture(army(size, rng, kinds), rng) for size in sizes)
    return Position.start(rules, white, black, rng.randint(1, 2))


def army(size: int, rng: Random, kinds: Sequence[str]) -> list[str]:
    """So many pieces, dearest first, with a taste for some kinds, and for pawns or none."""
    pawns = min(size, rng.choice([0, rng.randint(0, 8), rng.randint(4, 8)]))
    others = [kind for kind in kinds if kind != "pawn"]
    tastes = [rng.choice([0.2, 1, 1, 4]) for _ in others]
    pieces = rng.choices(others, tastes, k=size - pawns)
    return sorted(pieces, key=kinds.index) + ["pawn"] * pawns


def picture(pieces: Sequence[str], rng: Random) -> dict[str, str]:
    """Where an army stands: by the rules, anyhow or to castle, pawns perhaps some ranks ahead."""
    others = [piece for piece in pieces if piece != "pawn"]
    pawns, ahead = len(pieces) - len(others), rng.choice([0, 0, 1, 2])
    squares, front, way = BACK + FRONT, [*FRONT], rng.choice(["rules", "anyhow", "castle"])
    if way != "rules":
        rng.shuffle(front)
        squares = BACK + front[pawns:]
        rng.shuffle(squares)
    if way == "castle":
        others.sort(key=lambda piece: piece != "rook")
        squares.sort(key=lambda square: (square not in ("a1", "h1"), square in BACK))
    stand = dict(zip(squares, others, strict=False))
    free = [square for square in front if square not in stand]
    return stand | {f"{square[0]}{2 + ahead}": "pawn" for square in free[:pawns]}


def walk(rules: dict[str, Any], rng: Random, position: Position) -> Iterator[Position]:
    """The position and those after it: the policy's battle, random moves, or some of both."""
    by_policy, stood = rng.choice([0, 0, 0.5, 1]), set()
    for _ in range(LONGEST):
        yield position
        lines = sorted(position.lines(), key=lambda line: line[0])
        if not lines:
            return
        key = position.key()
        if rng.random() < by_policy and key not in stood:
            position = choose(rules, position, lines)[1]
        else:  # random moves lead out of the policy's circles
            rare = [line for line in lines if is_rare(position, line[0])]
            position = rng.choice(rare if rare and rng.random() < 0.3 else lines)[1]
        stood.add(key)


def is_rare(position: Position, move: Move) -> bool:
    """Castling, promotion, en passant, and what leads to it."""
    man, far = position.men[move.start], abs(move.to - move.start)
    if man in "Pp":
        return bool(move.promotion) or far == 16 or move.to == position.passed
    return man in "Kk" and far == 2


def positions(
    count: int, rules_of: Callable[[Random], dict[str, Any]], kinds: Sequence[str] = PIECES
) -> Iterator[tuple[dict[str, Any], Position]]:
    """So many positions with the rules that they were played by.

    Of each walk every tenth, those in which a pawn may be taken en passant, and the last one if a
    side cannot move. None in which a king could be taken: that only Wargambit knows.
    """
    number = 0
    while count:
        rng = Random(f"{kinds} {number}")
        rules, number = rules_of(rng), number + 1
        for position in walk(rules, rng, start(rules, rng, kinds)):
            if position.in_check(not position.white):
                continue
            passes = position.passed is not None and position.may_pass()
            if count and (passes or not position.can_move() or rng.random() < 0.1):
                count -= 1
                yield rules, position
