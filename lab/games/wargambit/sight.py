"""README 7: what pieces see and attack, and what the safety of the mover's king leaves to them.

Everything is written for the mover, who sees itself at the bottom of the board (`board.play` turns
it over). Bit masks of squares.
"""

import numpy as np

from lab.games.wargambit.state import KINDS, KING, PAWN
from lab.jit import bit, count, kernel, lowest, without_lowest

NONE = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
A_FILE = np.uint64(0x0101010101010101)
B_FILE = np.uint64(0x0202020202020202)
H_FILE = np.uint64(0x8080808080808080)
RANK_1 = np.uint64(0xFF)
DIAGONAL = np.uint64(0x0080402010080400)
INNER = np.uint64(58)
LEFT, RIGHT = np.uint64(7), np.uint64(9)
"""Squares ahead of a pawn that takes to the left, to the right."""


# --- what a piece sees --------------------------------------------------------------------------


@kernel
def straight(rules, square, taken):
    """The squares that a rook comes to, the first taken ones included.

    A line's six inner squares are gathered into an index by a multiplication, which no other line
    disturbs (Kindergarten bitboards, G. Isenberg).
    """
    file, rank = square & 7, square >> 3
    rest = np.uint64(square & 56)
    inner = (taken >> (rest + np.uint64(1))) & np.uint64(63)
    along = (rules.row[file, inner] & RANK_1) << rest
    inner = (((taken >> np.uint64(file)) & A_FILE) * DIAGONAL) >> INNER
    return along | (rules.column[rank, inner] << np.uint64(file))


@kernel
def slant(rules, square, taken):
    """The squares that a bishop comes to, the first taken ones included."""
    file = square & 7
    rising, falling = rules.rising[square], rules.falling[square]
    up = rising & rules.row[file, ((taken & rising) * B_FILE) >> INNER]
    return up | (falling & rules.row[file, ((taken & falling) * B_FILE) >> INNER])


@kernel
def lines(rules, kind, square, taken):
    """The squares of a runner's lines up to the first taken ones."""
    seen = NONE
    if rules.straight[kind]:
        seen |= straight(rules, square, taken)
    if rules.slant[kind]:
        seen |= slant(rules, square, taken)
    return seen & rules.course[square, kind]


@kernel
def reach(rules, board, kind, square):
    """Where a piece that is no pawn could go, if there were no checks."""
    taken = board.own | board.their
    targets = rules.leap[square, kind]
    if rules.straight[kind] or rules.slant[kind]:
        seen = lines(rules, kind, square, taken)
        if rules.hops[kind] == 0:
            targets |= seen
        else:
            behind = lines(rules, kind, square, taken & ~seen)
            targets |= (seen & ~taken) | (behind & ~seen & board.their)
    return targets & ~(board.own | (board.kinds[KING] & board.their))


@kernel
def attacked(rules, board, square, taken, their):
    """Whether `their` pieces hit a square, where `taken` squares are taken."""
    here = bit(square)
    above = ((here & ~A_FILE) << LEFT) | ((here & ~H_FILE) << RIGHT)
    if above & board.kinds[PAWN] & their:
        return True
    for kind in range(1, KINDS):
        pieces = board.kinds[kind] & their
        if pieces & rules.leap_at[square, kind]:
            return True
        runners = pieces & rules.course_at[square, kind]
        while runners:
            if count(rules.between[square, lowest(runners)] & taken) == rules.hops[kind]:
                return True
            runners = without_lowest(runners)
    return False


@kernel
def in_check(rules, board):
    """Whether the mover's king is attacked."""
    king = lowest(board.kinds[KING] & board.own)
    return attacked(rules, board, king, board.own | board.their, board.their)


# --- what a king's safety leaves ----------------------------------------------------------------


@kernel
def survey(rules, board):
    """The mover's king, whether it is in check, and what that leaves to its other pieces.

    `shield` are the squares of which one has to be gone to; `pinned` pieces must stay on their
    line. `unsure`: a hopper stands on a line of the king with so few pieces between them that any
    move may open or close its way: every move is then tried.
    """
    king = lowest(board.kinds[KING] & board.own)
    taken = board.own | board.their
    here = bit(king)
    near = board.kinds[PAWN] & board.their
    near &= ((here & ~A_FILE) << LEFT) | ((here & ~H_FILE) << RIGHT)
    pinned, shield, unsure = NONE, ALL, False
    for kind in range(1, KINDS):
        pieces = board.kinds[kind] & board.their
        near |= pieces & rules.leap_at[king, kind]
        runners = pieces & rules.course_at[king, kind]
        while runners:
            runner = lowest(runners)
            runners = without_lowest(runners)
            between = rules.between[king, runner]
            block = between & taken
            if rules.hops[kind]:
                blocks = count(block)
                unsure |= blocks <= 2
                if blocks == 1:
                    shield = NONE if shield != ALL else between | bit(runner)
            elif block == NONE:
                shield &= between | bit(runner)
            elif without_lowest(block) == NONE:
                pinned |= block & board.own
    if near:
        shield &= near if without_lowest(near) == NONE else NONE
    return king, pinned, shield, unsure


@kernel
def pin_line(rules, board, king, square):
    """The squares on which a pinned piece still shields its king."""
    taken, line = board.own | board.their, ALL
    for kind in range(1, KINDS):
        runners = board.kinds[kind] & board.their & rules.course_at[king, kind]
        while runners and rules.hops[kind] == 0:
            runner = lowest(runners)
            runners = without_lowest(runners)
            if rules.between[king, runner] & taken == bit(square):
                line &= rules.between[king, runner] | bit(runner)
    return line


@kernel
def is_safe(rules, board, king, start, target, gone):
    """Whether the king is not attacked after a piece went from `start` to `target`.

    `gone` is what is taken off; `king` the king's square after the move.
    """
    taken = ((board.own | board.their) & ~(start | gone)) | target
    return not attacked(rules, board, king, taken, board.their & ~gone)


@kernel
def only_safe(rules, board, king, start, targets):
    """Those targets of the piece on `start` that leave the king safe."""
    safe = NONE
    while targets:
        target = targets & (~targets + np.uint64(1))
        targets ^= target
        after = lowest(target) if bit(king) == start else king
        if is_safe(rules, board, after, start, target, target):
            safe |= target
    return safe
