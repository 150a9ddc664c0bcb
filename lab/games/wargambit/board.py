"""README 7: a chess position with the arsenal, and every legal move of it.

Everything is written for the mover, who sees itself at the bottom: after each move the board is
turned over (`play`), so that one text serves both colours. A move is from | to << 6 | the kind a
pawn becomes << 12, in squares as the mover sees them; castling is the king's move.
"""

import numpy as np

from lab.games.wargambit.state import BISHOP, KINDS, KING, KNIGHT, PAWN, QUEEN, ROOK
from lab.jit import bit, bytes_turned, count, kernel, lowest, without_lowest

NONE = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
A_FILE = np.uint64(0x0101010101010101)
B_FILE = np.uint64(0x0202020202020202)
H_FILE = np.uint64(0x8080808080808080)
RANK_1 = np.uint64(0xFF)
RANK_3 = np.uint64(0xFF0000)
RANK_8 = np.uint64(0xFF00000000000000)
DIAGONAL = np.uint64(0x0080402010080400)
INNER = np.uint64(58)
ONE_RANK, TWO_RANKS = np.uint64(8), np.uint64(16)
LEFT, RIGHT = np.uint64(7), np.uint64(9)
HOME = 4  # e1
PROMOTIONS = (QUEEN, ROOK, BISHOP, KNIGHT)


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
