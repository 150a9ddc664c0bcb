"""README 7: every legal move of a chess position with the arsenal, and the position behind it.

Everything is written for the mover, who sees itself at the bottom: after each move the board is
turned over (`play`), so that one text serves both colours. A move is from | to << 6 | the kind a
pawn becomes << 12, in squares as the mover sees them; castling is the king's move.
"""

import numpy as np

from lab.games.wargambit.sight import (
    A_FILE,
    ALL,
    H_FILE,
    LEFT,
    NONE,
    RANK_1,
    RIGHT,
    attacked,
    in_check,
    is_safe,
    only_safe,
    pin_line,
    reach,
    survey,
)
from lab.games.wargambit.state import BISHOP, KINDS, KING, KNIGHT, PAWN, QUEEN, ROOK
from lab.jit import bit, bytes_turned, count, kernel, lowest, without_lowest

RANK_3 = np.uint64(0xFF0000)
RANK_8 = np.uint64(0xFF00000000000000)
ONE_RANK, TWO_RANKS = np.uint64(8), np.uint64(16)
HOME = 4  # e1
PROMOTIONS = (QUEEN, ROOK, BISHOP, KNIGHT)


# --- legal moves --------------------------------------------------------------------------------


@kernel
def piece_targets(rules, board, kind, square, king, pinned, shield, unsure):
    """Where a piece that is neither pawn nor king may go."""
    targets = reach(rules, board, kind, square)
    if unsure:
        return only_safe(rules, board, king, bit(square), targets)
    targets &= shield
    if targets and pinned & bit(square):
        targets &= pin_line(rules, board, king, square)
    return targets


@kernel
def king_targets(rules, board, king, safe_now):
    """Where the king may go, castling included; `safe_now` says that it is not in check."""
    targets = reach(rules, board, KING, king)
    targets = only_safe(rules, board, king, bit(king), targets)
    rooks = board.castle & board.own
    if safe_now and rooks:
        taken = board.own | board.their
        if rooks & bit(7) and may_castle(rules, board, taken, bit(5) | bit(6), 5, 6, 7):
            targets |= bit(6)
        room = bit(1) | bit(2) | bit(3)
        if rooks & bit(0) and may_castle(rules, board, taken, room, 3, 2, 0):
            targets |= bit(2)
    return targets


@kernel
def may_castle(rules, board, taken, room, over, to, rook):
    """Whether the way is free, and the king safe on it and behind it."""
    if taken & room:
        return False
    if attacked(rules, board, over, taken, board.their):
        return False
    if attacked(rules, board, to, taken, board.their):
        return False
    after = (taken & ~(bit(HOME) | bit(rook))) | bit(over) | bit(to)
    return not attacked(rules, board, to, after, board.their)


@kernel
def pawn_targets(rules, board, king, pinned, shield, unsure):
    """The squares that pawns may go to: ahead, two ahead, taking to the left, to the right."""
    pawns = board.kinds[PAWN] & board.own
    ahead, twice, left, right = pawn_steps(board, pawns & ~pinned)
    if unsure:
        ahead, twice, left, right = pawn_steps(board, pawns)
        ahead = only_safe_steps(rules, board, king, ahead, ONE_RANK)
        twice = only_safe_steps(rules, board, king, twice, TWO_RANKS)
        left = only_safe_steps(rules, board, king, left, LEFT)
        right = only_safe_steps(rules, board, king, right, RIGHT)
        return ahead, twice, left, right
    pawns &= pinned
    while pawns:
        line = pin_line(rules, board, king, lowest(pawns))
        steps = pawn_steps(board, pawns & ~without_lowest(pawns))
        pawns = without_lowest(pawns)
        ahead |= steps[0] & line
        twice |= steps[1] & line
        left |= steps[2] & line
        right |= steps[3] & line
    return ahead & shield, twice & shield, left & shield, right & shield


@kernel
def pawn_steps(board, pawns):
    """Where pawns would go if there were no checks; en passant is `passers`'."""
    free, prey = ~(board.own | board.their), board.their & ~board.kinds[KING]
    ahead = (pawns << ONE_RANK) & free
    twice = ((ahead & RANK_3) << ONE_RANK) & free
    return ahead, twice, ((pawns & ~A_FILE) << LEFT) & prey, ((pawns & ~H_FILE) << RIGHT) & prey


@kernel
def only_safe_steps(rules, board, king, targets, step):
    """Those targets of pawns, each `step` before it, that leave the king safe."""
    safe = NONE
    while targets:
        target = targets & (~targets + np.uint64(1))
        targets ^= target
        if is_safe(rules, board, king, target >> step, target, target):
            safe |= target
    return safe


@kernel
def passers(rules, board, king):
    """The mover's pawns that may take en passant."""
    pawns = NONE
    if board.passed:
        beside = ((board.passed & ~A_FILE) >> RIGHT) | ((board.passed & ~H_FILE) >> LEFT)
        beside &= board.kinds[PAWN] & board.own
        while beside:
            start = beside & (~beside + np.uint64(1))
            beside ^= start
            if is_safe(rules, board, king, start, board.passed, board.passed >> ONE_RANK):
                pawns |= start
    return pawns


@kernel
def count_moves(rules, board):
    """How many legal moves the mover has."""
    king, pinned, shield, unsure = survey(rules, board)
    n = count(king_targets(rules, board, king, shield == ALL))
    for kind in range(PAWN + 1, KING):
        pieces = board.kinds[kind] & board.own
        while pieces:
            square = lowest(pieces)
            pieces = without_lowest(pieces)
            n += count(piece_targets(rules, board, kind, square, king, pinned, shield, unsure))
    steps = pawn_targets(rules, board, king, pinned, shield, unsure)
    for targets in steps:
        n += count(targets) + 3 * count(targets & RANK_8)
    return n + count(passers(rules, board, king))


@kernel
def has_move(rules, board, king, pinned, shield, unsure):
    """Whether the mover has a legal move; the arguments are `survey`'s."""
    targets = reach(rules, board, KING, king)
    while targets:
        target = targets & (~targets + np.uint64(1))
        targets ^= target
        if is_safe(rules, board, lowest(target), bit(king), target, target):
            return True
    if shield == NONE and not unsure:  # two checks at once
        return False
    ahead, twice, left, right = pawn_targets(rules, board, king, pinned, shield, unsure)
    if ahead | twice | left | right:
        return True
    for kind in range(PAWN + 1, KING):
        pieces = board.kinds[kind] & board.own
        while pieces:
            square = lowest(pieces)
            pieces = without_lowest(pieces)
            if piece_targets(rules, board, kind, square, king, pinned, shield, unsure):
                return True
    return passers(rules, board, king) != NONE  # who may castle may also step aside


@kernel
def list_moves(rules, board, moves):
    """Fill `moves` (int64, 512) with the legal moves, in no order, and return how many."""
    king, pinned, shield, unsure = survey(rules, board)
    targets = king_targets(rules, board, king, shield == ALL)
    n = add_moves(moves, 0, king, targets)
    for kind in range(PAWN + 1, KING):
        pieces = board.kinds[kind] & board.own
        while pieces:
            square = lowest(pieces)
            pieces = without_lowest(pieces)
            targets = piece_targets(rules, board, kind, square, king, pinned, shield, unsure)
            n = add_moves(moves, n, square, targets)
    steps = pawn_targets(rules, board, king, pinned, shield, unsure)
    n = add_steps(moves, n, steps[0], 8)
    n = add_steps(moves, n, steps[1], 16)
    n = add_steps(moves, n, steps[2], 7)
    n = add_steps(moves, n, steps[3], 9)
    pawns = passers(rules, board, king)
    while pawns:
        moves[n] = lowest(pawns) | lowest(board.passed) << 6
        pawns = without_lowest(pawns)
        n += 1
    return n


@kernel
def add_moves(moves, n, square, targets):
    """List a piece's moves behind the n already there."""
    while targets:
        moves[n] = square | lowest(targets) << 6
        targets = without_lowest(targets)
        n += 1
    return n


@kernel
def add_steps(moves, n, targets, step):
    """List pawns' moves, each from `step` squares before its target."""
    while targets:
        target = lowest(targets)
        targets = without_lowest(targets)
        move = (target - step) | target << 6
        if target >= 56:
            for kind in PROMOTIONS:
                moves[n] = move | kind << 12
                n += 1
        else:
            moves[n] = move
            n += 1
    return n


# --- playing ------------------------------------------------------------------------------------


@kernel
def kind_at(board, square):
    """The kind of the piece on a taken square."""
    here, kind = bit(square), 0
    while board.kinds[kind] & here == NONE:
        kind += 1
    return kind


@kernel
def play(rules, board, after, move):
    """Fill `after` with the position behind a legal move, as the next mover sees it."""
    square, goal, becomes = move & 63, (move >> 6) & 63, move >> 12
    start, target = bit(square), bit(goal)
    kind = kind_at(board, square)
    gone = target
    if kind == PAWN and target == board.passed:
        gone = target >> ONE_RANK
    arrives, leaves = target, start
    rook = NONE
    if kind == KING and abs(goal - square) == 2:
        rook = bit(5) if goal == 6 else bit(3)
        leaves |= bit(7) if goal == 6 else bit(0)
        arrives |= rook
    kept = ~(leaves | gone)
    after.own = bytes_turned(board.their & kept)
    after.their = bytes_turned((board.own & kept) | arrives)
    for k in range(KINDS):
        after.kinds[k] = bytes_turned(board.kinds[k] & kept)
    after.kinds[becomes or kind] |= bytes_turned(target)
    after.kinds[ROOK] |= bytes_turned(rook)
    castle = board.castle & kept
    if kind == KING:
        castle &= ~RANK_1
    after.castle = bytes_turned(castle)
    after.black = 1 - board.black
    after.plies = board.plies + 1
    after.quiet = 0 if kind == PAWN or gone & board.their else board.quiet + 1
    after.passed = NONE
    if kind == PAWN and goal - square == 16:
        note_passed(rules, after, target >> ONE_RANK)


@kernel
def note_passed(rules, after, passed):
    """Keep the square that a pawn passed, if it can be taken there."""
    after.passed = bytes_turned(passed)
    king = lowest(after.kinds[KING] & after.own)
    if passers(rules, after, king) == NONE:
        after.passed = NONE


@kernel
def empty(board):
    """Take everything off the board: White is to move."""
    board.own, board.their, board.castle, board.passed = NONE, NONE, NONE, NONE
    board.kinds[:] = NONE
    board.black, board.quiet, board.plies = 0, 0, 0


@kernel
def turn(board, after):
    """The same position with the other side to move."""
    after.own = bytes_turned(board.their)
    after.their = bytes_turned(board.own)
    for kind in range(KINDS):
        after.kinds[kind] = bytes_turned(board.kinds[kind])
    after.castle = bytes_turned(board.castle)
    after.passed = NONE
    after.black = 1 - board.black
    after.quiet = board.quiet
    after.plies = board.plies


@kernel
def other_in_check(rules, board, after):
    """Whether the king of the side that does not move is attacked; `after` is scratch."""
    turn(board, after)
    return in_check(rules, after)


@kernel
def value_of(rules, board, pieces):
    """README 9: the prices of those pieces."""
    value = 0
    for kind in range(KING):
        value += rules.value[kind] * count(board.kinds[kind] & pieces)
    return value


@kernel
def perft(rules, boards, moves, depth):
    """Legal lines of play of a length from boards[depth]; a row of `moves` for each depth."""
    if depth == 0:
        return 1
    if depth == 1:
        return count_moves(rules, boards[1])
    lines_of_play = 0
    for i in range(list_moves(rules, boards[depth], moves[depth])):
        play(rules, boards[depth], boards[depth - 1], moves[depth, i])
        lines_of_play += perft(rules, boards, moves, depth - 1)
    return lines_of_play
