"""Battles of Wargambit and perft by python-chess, to measure ours against.

python-chess knows no arsenal: armies of chess pieces alone, by the shipped numbers of the battle,
which `battle` and `naive` play alike: `battle` as quickly as python-chess lets one, `naive` as one
would write it down first.
"""

from typing import NamedTuple

import chess

PRICE = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 9,
    chess.KING: 0,
}
PLY_CAP = 200
PLACE = {
    chess.WHITE: [8 * chess.square_file(s) + chess.square_rank(s) for s in chess.SQUARES],
    chess.BLACK: [8 * chess.square_file(s) + 7 - chess.square_rank(s) for s in chess.SQUARES],
}
"""File, then rank, as the mover sees them."""


class Fought(NamedTuple):
    plies: int
    ending: str
    winner: str


def perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += perft(board, depth - 1)
        board.pop()
    return count


def battle(board: chess.Board) -> Fought:
    """From the position to the end; the board is left there."""
    seen, plies = set(), 0
    while True:
        moves = list(board.legal_moves)
        if not moves:
            return Fought(plies, *_stuck(board))
        standing = _key(board)
        if standing in seen:
            return Fought(plies, "repetition", _by_value(board))
        if plies == PLY_CAP:
            return Fought(plies, "cap", _by_value(board))
        seen.add(standing)
        board.push(_choose(board, moves))
        plies += 1


def _stuck(board: chess.Board) -> tuple[str, str]:
    if board.is_check():
        return "mate", "second" if board.turn else "first"
    bare = board.occupied_co[board.turn].bit_count() == 1
    return "stalemate", _by_value(board) if bare else "draw"


def _by_value(board: chess.Board) -> str:
    white, black = (
        sum(price * len(board.pieces(kind, colour)) for kind, price in PRICE.items())
        for colour in (chess.WHITE, chess.BLACK)
    )
    return "first" if white > black else "second" if white < black else "draw"


def _key(board: chess.Board) -> tuple[object, ...]:
    """All that makes two positions the same."""
    passed = board.ep_square if board.has_legal_en_passant() else None
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return kinds, board.occupied_co[chess.WHITE], board.turn, board.castling_rights, passed


def _order(board: chess.Board, move: chess.Move) -> int:
    """Where a move stands in the fixed order."""
    place = PLACE[board.turn]
    promotion = chess.QUEEN - (move.promotion or chess.QUEEN)
    return place[move.from_square] << 9 | place[move.to_square] << 3 | promotion


def _prize(board: chess.Board, move: chess.Move) -> int:
    if board.is_en_passant(move):
        return PRICE[chess.PAWN]
    taken = board.piece_type_at(move.to_square)
    return PRICE[taken] if taken else 0


def _choose(board: chess.Board, moves: list[chess.Move]) -> chess.Move:
    """Only moves that may give check are tried."""
    ranked = sorted(_checking(board, moves), key=lambda move: _order(board, move))
    for move in ranked:
        board.push(move)
        mates = board.is_check() and next(board.generate_legal_moves(), None) is None
        board.pop()
        if mates:
            return move
    theirs = board.occupied_co[not board.turn]
    taking = [m for m in moves if 1 << m.to_square & theirs or board.is_en_passant(m)]
    return min(taking or moves, key=lambda move: (-_prize(board, move), _order(board, move)))


def _checking(board: chess.Board, moves: list[chess.Move]) -> list[chess.Move]:
    """The moves that may give check: to where it is given from, off the king's lines, specials."""
    king = board.king(not board.turn)
    assert king is not None
    diagonal = chess.BB_DIAG_ATTACKS[king][chess.BB_DIAG_MASKS[king] & board.occupied]
    straight = chess.BB_FILE_ATTACKS[king][chess.BB_FILE_MASKS[king] & board.occupied]
    straight |= chess.BB_RANK_ATTACKS[king][chess.BB_RANK_MASKS[king] & board.occupied]
    lines = diagonal | straight
    sources = {
        chess.PAWN: chess.BB_PAWN_ATTACKS[not board.turn][king],
        chess.KNIGHT: chess.BB_KNIGHT_ATTACKS[king],
        chess.BISHOP: diagonal,
        chess.ROOK: straight,
        chess.QUEEN: lines,
        chess.KING: 0,
    }
    found = []
    for move in moves:
        start, to = move.from_square, move.to_square
        kind = board.piece_type_at(start)
        assert kind is not None
        if (
            1 << start & lines
            or 1 << to & sources[move.promotion or kind]
            or (kind == chess.PAWN and to == board.ep_square)
            or (kind == chess.KING and abs(to - start) == 2)
        ):
            found.append(move)
    return found


def naive(board: chess.Board) -> Fought:
    """The same, with python-chess's own questions at every turn."""
    plies = 0
    while True:
        if board.is_checkmate() or board.is_stalemate():
            return Fought(plies, *_stuck(board))
        if board.is_repetition(2):
            return Fought(plies, "repetition", _by_value(board))
        if plies == PLY_CAP:
            return Fought(plies, "cap", _by_value(board))
        moves = sorted(board.legal_moves, key=lambda move: _order(board, move))
        for move in moves:
            board.push(move)
            mates = board.is_checkmate()
            board.pop()
            if mates:
                break
        else:
            move = max(moves, key=lambda move: _prize(board, move))
        board.push(move)
        plies += 1
