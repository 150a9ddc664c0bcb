"""What others say of a position of Wargambit: Fairy-Stockfish, and python-chess on chess alone."""

import json
from functools import cache
from pathlib import Path

import chess
import pyffish

PERFT = json.loads(
    (Path(__file__).parent / "golden/wargambit/wargambit_perft.json").read_text(encoding="utf-8")
)
"""Positions with perft 1 to 3 that Fairy-Stockfish and a generator of its own agree on."""


def fairy(rules, fen):
    """Fairy-Stockfish's legal moves, sorted, and whether the mover is in check."""
    variant = _variant(*(kind["moves"] for kind in rules["arsenal"].values()))
    return sorted(pyffish.legal_moves(variant, fen, [])), pyffish.gives_check(variant, fen, [])


@cache
def _variant(*words):
    """Its name of chess with such a lance, scout and cannon; loaded once."""
    name = "wargambit" + "".join(words).lower()
    kinds = zip("lac", words, strict=True)
    pieces = [f"customPiece{n} = {letter}:{word}" for n, (letter, word) in enumerate(kinds, 1)]
    rest = ["promotionPieceTypes = nbrq", "castlingRookPieces = r"]
    pyffish.load_variant_config("\n".join([f"[{name}:chess]", *pieces, *rest, ""]))
    return name


def orthodox(fen):
    """python-chess's answer to the same, None if a piece of the arsenal stands."""
    if set("lac") & set(fen.split()[0].lower()):
        return None
    board = chess.Board(fen)
    return sorted(move.uci() for move in board.legal_moves), board.is_check()
