"""The plain battle against those who never read its rules: Fairy-Stockfish and python-chess."""

import os
from random import Random
from typing import get_args

import chess
import pytest

from lab.games.wargambit.rules import Moves
from tests.bench import chess_yardstick
from tests.outside import PERFT, fairy, orthodox
from tests.reference.wargambit_battle import Position, battle
from tests.reference.wargambit_positions import (
    ORTHODOX,
    PIECES,
    RULES,
    drawn_rules,
    positions,
    start,
    walk,
)

POSITIONS = 10_000 if os.environ.get("LAB_PROOF") else 500
BATTLES = 1_000 if os.environ.get("LAB_PROOF") else 50


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


@pytest.mark.parametrize("kinds", [PIECES, ORTHODOX], ids=["arsenal", "chess"])
def test_moves_and_check(kinds):
    """Whatever the arsenal's moves."""
    words = get_args(Moves)
    for rules, position in positions(POSITIONS, lambda rng: drawn_rules(rng, words), kinds):
        fen = position.fen()
        ours = position.legal(), position.in_check(position.white)
        assert ours == fairy(rules, fen), fen
        assert orthodox(fen) in (None, ours), fen


def test_bench_fights_the_same_battles_and_counts_the_same_moves():
    for number in range(BATTLES):
        rng = Random(number)
        position = rng.choice(list(walk(RULES, rng, start(RULES, rng, ORTHODOX))))
        position = position._replace(quiet=0)  # a battle counts from its start
        fought, fen = battle(RULES, position), position.fen()
        for loop in (chess_yardstick.battle, chess_yardstick.naive):
            board = chess.Board(fen)
            plies, ending, winner = loop(board)
            assert (ending, winner, plies) == (fought.ending, fought.winner, len(fought.moves)), fen
            assert [move.uci() for move in board.move_stack] == fought.moves, fen
            assert board.fen() == fought.fen
        assert chess_yardstick.perft(chess.Board(fen), 2) == perft(position, 2), fen
