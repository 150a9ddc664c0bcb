"""Battle positions as FEN, moves as UCI has them, armies as `q r 2n 4p`."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from lab.errors import bad
from lab.games.wargambit.rules import PIECES
from lab.games.wargambit.state import BOARD, KINDS, KING, PAWN, ROOK
from lab.jit import blank

LETTERS = "placnbrqk"
"""Of the shipped rules, in the order of PIECES; then the king's."""
CORNERS = {"K": 7, "Q": 0, "k": 63, "q": 56}
KINGS = {"K": 4, "Q": 4, "k": 60, "q": 60}
MOST = 15
MOST_PAWNS = 8
TURN = 56
"""A square's number, the board turned over, is the number ^ 56."""


def square_name(square: int) -> str:
    """The name of a square as White sees it."""
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


# --- FEN ----------------------------------------------------------------------------------------


def parse_fen(text: str, letters: str = LETTERS) -> Any:
    """A position's BOARD (a record), as its mover sees it; raises BadInput.

    What follows the mover may be left out; the counters are not kept, as a battle counts from its
    start. Whether the side not to move is in check is for those to say who can judge it.
    """
    fields = text.split()
    if not 2 <= len(fields) <= 6:
        raise bad("FEN", repr(text), "pieces, w or b, castling, en passant, two counters")
    fields += ["-", "-", "0", "1"][len(fields) - 2 :]
    if fields[1] not in ("w", "b"):
        raise bad("FEN mover", repr(fields[1]), "w or b")
    black = fields[1] == "b"
    men = _men(fields[0], letters)
    board = blank(BOARD)[0]
    for square, letter in men.items():
        mask = np.uint64(1 << (square ^ TURN if black else square))
        board["own" if letter.isupper() != black else "their"] |= mask
        board["kinds"][letters.index(letter.lower())] |= mask
    board["black"] = black
    for letter in _rights(fields[2], men, letters):
        corner = CORNERS[letter]
        board["castle"] |= np.uint64(1 << (corner ^ TURN if black else corner))
    if fields[3] != "-":
        board["passed"] = np.uint64(1 << _passed(fields[3], men, black))
    for name, counter, least in (("quiet moves", fields[4], 0), ("move number", fields[5], 1)):
        if not re.fullmatch("[0-9]{1,4}", counter) or int(counter) < least:
            raise bad(f"FEN {name}", repr(counter), f"a whole number from {least} to 9999")
    return board


def _men(text: str, letters: str) -> dict[int, str]:
    """Letters by square, as White sees them; one king each, and pawns where pawns can be."""
    rows = text.split("/")
    if len(rows) != 8:
        raise bad("FEN", f"{len(rows)} ranks", "8 ranks with / between them")
    known = letters + letters.upper()
    men: dict[int, str] = {}
    for row, rank in zip(rows, range(7, -1, -1), strict=True):
        file = 0
        for sign in row:
            if sign in "12345678":
                file += int(sign)
                continue
            if sign not in known:
                expected = "one of " + " ".join(known)
                raise bad(f"FEN rank {rank + 1}", repr(sign), expected)
            if file < 8:
                men[8 * rank + file] = sign
            file += 1
        if file != 8:
            raise bad(f"FEN rank {rank + 1} {row!r}", f"{file} squares", "8")
    for king, name in ((letters[KING].upper(), "white"), (letters[KING], "black")):
        if list(men.values()).count(king) != 1:
            raise bad("FEN", f"{list(men.values()).count(king)} {name} kings", "one")
    for square, letter in men.items():
        if letter.lower() == letters[PAWN] and square // 8 in (0, 7):
            raise bad("FEN", f"a pawn on {square_name(square)}", "none on the first or last rank")
    return men


def _rights(text: str, men: dict[int, str], letters: str) -> str:
    if text == "-":
        return ""
    if not re.fullmatch("K?Q?k?q?", text):
        raise bad("FEN castling", repr(text), "- or some of KQkq, in that order")
    for side in text:
        rook, king = letters[ROOK], letters[KING]
        wanted = (rook.upper(), king.upper()) if side.isupper() else (rook, king)
        if (men.get(CORNERS[side]), men.get(KINGS[side])) != wanted:
            corner, home = square_name(CORNERS[side]), square_name(KINGS[side])
            raise bad("FEN castling", side, f"a rook on {corner} and the king on {home}")
    return text


def _passed(text: str, men: dict[int, str], black: bool) -> int:
    """The square that a pawn of the other side has just passed, as the mover sees it."""
    rank = "3" if black else "6"
    if not re.fullmatch(f"[a-h]{rank}", text):
        raise bad("FEN en passant", repr(text), f"- or a square of rank {rank}")
    square = "abcdefgh".index(text[0]) + 8 * (int(rank) - 1)
    step = 8 if black else -8
    pawn = "P" if black else "p"
    if men.get(square + step) != pawn or square in men or square - step in men:
        raise bad("FEN en passant", text, "a square that a pawn has just passed")
    return square ^ TURN if black else square


def fen(board: Any, letters: str = LETTERS, number: int = 1) -> str:
    """The FEN of a BOARD; en passant only where it is legal, as `passed` has it."""
    black = bool(board["black"])
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(_sign(board, 8 * rank + file, letters) for file in range(8))
        rows.append(re.sub("1+", lambda ones: str(len(ones[0])), row))
    castle = int(board["castle"])
    rights = "".join(
        letter
        for letter, corner in CORNERS.items()
        if castle >> (corner ^ TURN if black else corner) & 1
    )
    passed = "-"
    if board["passed"]:
        square = int(board["passed"]).bit_length() - 1
        passed = square_name(square ^ TURN if black else square)
    mover = "b" if black else "w"
    return f"{'/'.join(rows)} {mover} {rights or '-'} {passed} {int(board['quiet'])} {number}"


def _sign(board: Any, square: int, letters: str) -> str:
    """The letter on a square as White sees it, 1 if it is empty."""
    black = bool(board["black"])
    here = square ^ TURN if black else square
    for kind in range(KINDS):
        if int(board["kinds"][kind]) >> here & 1:
            own = bool(int(board["own"]) >> here & 1)
            return letters[kind].upper() if own != black else letters[kind]
    return "1"


# --- UCI ----------------------------------------------------------------------------------------


def uci(move: int, black: bool, letters: str = LETTERS) -> str:
    """A move of board.py as UCI writes it; `black` says who makes it."""
    turn = TURN if black else 0
    start, target, becomes = move & 63, move >> 6 & 63, move >> 12
    promotion = letters[becomes] if becomes else ""
    return square_name(start ^ turn) + square_name(target ^ turn) + promotion


# --- armies -------------------------------------------------------------------------------------


def parse_army(text: str, letters: str = LETTERS, where: str = "army") -> list[int]:
    """How many of each of PIECES, from `q r 2n 4p` (or with + between); `-` is no piece at all."""
    counts = [0] * len(PIECES)
    for word in [] if text.strip() == "-" else text.replace("+", " ").split():
        match = re.fullmatch("([0-9]{0,2})([a-z])", word)
        if match is None or match[2] not in letters[:KING]:
            pieces = ", ".join(f"{a} {b}" for a, b in zip(letters, PIECES, strict=False))
            raise bad(where, repr(word), f"a number and a letter, such as 2n: {pieces}")
        counts[letters.index(match[2])] += int(match[1] or 1)
    if not text.strip():
        raise bad(where, "nothing", "pieces such as q r 2n 4p, or - for none")
    if sum(counts) > MOST or counts[PAWN] > MOST_PAWNS:
        found = f"{sum(counts)} pieces, {counts[PAWN]} of them pawns"
        raise bad(where, found, f"at most {MOST}, at most {MOST_PAWNS} of them pawns")
    return counts


def army_text(counts: Sequence[int], letters: str = LETTERS) -> str:
    """An army with + between its pieces, the queen first; `-` if it is empty."""
    words = [
        f"{n if n > 1 else ''}{letter}" for n, letter in zip(counts, letters, strict=False) if n
    ]
    return "+".join(reversed(words)) or "-"
