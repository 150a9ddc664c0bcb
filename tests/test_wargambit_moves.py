"""What may move in a battle of Wargambit: Fairy-Stockfish's word, and python-chess's on chess."""

import os
from collections import Counter

import pytest

from lab.catalog import load_rules
from lab.games.wargambit.arena import Arena
from tests.outside import fairy, orthodox
from tests.reference.wargambit_positions import ORTHODOX, PIECES, RULES, positions

POSITIONS = 10_000 if os.environ.get("LAB_PROOF") else 1_000  # of each kind
CHESS = {"castling", "en passant", "promotion", "check", "mate", "stalemate"}
CANNONS = {"over a screen", "over a king", "check over a screen"}
SEEN = {"arsenal": CHESS | CANNONS, "chess": CHESS}


def seen_in(position):
    """What a position has that is easily got wrong."""
    men, lines, check = position.men, list(position.lines()), position.in_check(position.white)
    if check:
        yield "check"
        others = {square: man for square, man in men.items() if man not in "Cc"}
        if not position._replace(men=others).in_check(position.white):
            yield "check over a screen"
    if not lines:
        yield "mate" if check else "stalemate"
    for move, _ in lines:
        man = men[move.start]
        if move.promotion:
            yield "promotion"
        if man in "Kk" and abs(move.to - move.start) == 2:
            yield "castling"
        if man in "Pp" and move.to == position.passed:
            yield "en passant"
        if man in "Cc" and move.to in men:
            yield "over a screen"
            screens = position.kinds.aims[man][move.start][move.to].between
            if any(men.get(square, "-") in "Kk" for square in screens):
                yield "over a king"


@pytest.mark.parametrize(("name", "kinds"), [("arsenal", PIECES), ("chess", ORTHODOX)])
def test_moves_and_check(name, kinds):
    arena, seen = Arena(load_rules("wargambit")), Counter()
    for _, position in positions(POSITIONS, lambda rng: RULES, kinds):
        fen = position.fen()
        ours = arena.moves(fen), arena.check(fen)
        assert ours == fairy(RULES, fen), fen
        assert orthodox(fen) in (None, ours), fen
        seen.update(seen_in(position))
    print(name, dict(seen))
    assert set(seen) == SEEN[name]
