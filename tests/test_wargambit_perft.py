"""How many lines of play Wargambit's battles have, against counts that others made."""

import pytest

from lab.catalog import load_rules
from lab.games.wargambit.arena import Arena
from tests.outside import PERFT

CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"


@pytest.mark.parametrize("known", PERFT["positions"], ids=lambda known: known["name"])
def test_positions_with_the_arsenal(known):
    arena, fen = Arena(load_rules("wargambit")), known["fen"]
    assert arena.check(fen) == known["in_check"]
    assert arena.moves(fen) == known["legal_moves"]
    assert [arena.perft(fen, depth) for depth in PERFT["depths"]] == known["perft"]


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        (CHESS, [1, 20, 400, 8902, 197281, 4865609]),
        (KIWIPETE, [1, 48, 2039, 97862, 4085603]),
    ],
)
def test_chess(fen, counts):
    arena = Arena(load_rules("wargambit"))
    assert [arena.perft(fen, depth) for depth in range(len(counts))] == counts
