"""The plain battle against those who never read its rules: Fairy-Stockfish and python-chess."""

import os
from random import Random
from typing import get_args

import pytest

from lab.games.wargambit.rules import Moves
from tests.outside import PERFT, fairy, orthodox
from tests.reference.wargambit_battle import Position
from tests.reference.wargambit_positions import ORTHODOX, PIECES, RULES, drawn_rules, start, walk

POSITIONS = 10_000 if os.environ.get("LAB_PROOF") else 1_000


def perft(position, depth):
    if not depth:
        return 1
    return sum(perft(after, depth - 1) for _, after in position.lines())


@pytest.mark.parametrize("known", PERFT["positions"], ids=lambda known: known["name"])
def test_perft(known):
    position = Position.read(RULES, known["fen"])
    assert position.fen() == known["fen"]
    assert position.in_check(position.white) == known["in_check"]
    assert position.legal() == known["legal_moves"]
    assert [perft(position, depth) for depth in PERFT["depths"]] == known["perft"]


def wander(name, rules_of, kinds=PIECES):
    """So many positions, each with its rules; a start with a king to take is Wargambit's alone."""
    left, number = POSITIONS, 0
    while left:
        rng = Random(f"{name} {number}")
        rules, number = rules_of(rng), number + 1
        for position in walk(rules, rng, start(rules, rng, kinds)):
            if left and not position.in_check(not position.white):
                left -= 1
                yield rules, position


@pytest.mark.parametrize("kinds", [PIECES, ORTHODOX], ids=["arsenal", "chess"])
def test_moves_and_check(kinds):
    """Whatever the arsenal's moves."""
    words = get_args(Moves)
    for rules, position in wander(kinds, lambda rng: drawn_rules(rng, words), kinds):
        fen = position.fen()
        ours = position.legal(), position.in_check(position.white)
        assert ours == fairy(rules, fen), fen
        assert orthodox(fen) in (None, ours), fen
