"""README 8 and 9: the battle that both sides' fixed policy plays to its end."""

import numpy as np

from lab.games.wargambit.board import (
    ONE_RANK,
    PROMOTIONS,
    RANK_8,
    empty,
    has_move,
    king_targets,
    passers,
    pawn_targets,
    piece_targets,
    play,
    turn,
    value_of,
)
from lab.games.wargambit.sight import (
    A_FILE,
    ALL,
    H_FILE,
    LEFT,
    NONE,
    RIGHT,
    in_check,
    only_safe,
    reach,
    slant,
    straight,
    survey,
)
from lab.games.wargambit.state import (
    CAP,
    DRAW,
    FIRST,
    KINDS,
    KING,
    MATE,
    PAWN,
    QUIET,
    REPETITION,
    RUNNING,
    SECOND,
    STALEMATE,
)
from lab.jit import bit, bytes_turned, copy_state, count, kernel, lowest, without_lowest
from lab.rng import STEP, mix

NO_MOVE = -1
LAST = np.int64(1 << 30)
"""Behind every place in the order of moves."""
BARE_KING, BY_VALUE = 0, 1  # /battle/stalemate
VALUE = 0  # /battle/repetition
BOARD_ORDER = 1  # /battle/order


# --- the order of moves -------------------------------------------------------------------------


@kernel
def place(rules, board, square):
    """README 8.3: a square's place in the order, by file and then by rank."""
    if rules.battle.order == BOARD_ORDER and board.black:
        square ^= 56
    return (square & 7) << 3 | square >> 3


@kernel
def first_of(rules, board, squares):
    """The first of some squares in the order."""
    files = squares | squares >> np.uint64(32)
    files |= files >> np.uint64(16)
    files |= files >> np.uint64(8)
    squares &= A_FILE << np.uint64(lowest(files))
    if rules.battle.order == BOARD_ORDER and board.black:
        while without_lowest(squares):
            squares = without_lowest(squares)
    return lowest(squares)


# --- who may give mate --------------------------------------------------------------------------


@kernel
def checking(rules, kind, king, sight):
    """Squares from which a piece of the mover would attack the other king, or more than those.

    `sight` are the king's lines up to the first taken squares. A hopper might attack from anywhere
    on its lines.
    """
    below = king ^ 56  # the tables are written for pieces that move down
    squares = bytes_turned(rules.leap_at[below, kind])
    course = bytes_turned(rules.course_at[below, kind])
    return squares | (course if rules.hops[kind] else course & sight)


@kernel
def uncovering(rules, board, king):
    """Squares from which a piece that leaves, and to which one that comes, may uncover a check."""
    leaving, coming = NONE, NONE
    taken = board.own | board.their
    for kind in range(PAWN + 1, KING):
        runners = board.kinds[kind] & board.own
        runners &= bytes_turned(rules.course_at[king ^ 56, kind])
        while runners:
            between = rules.between[king, lowest(runners)]
            runners = without_lowest(runners)
            blocks = count(between & taken)
            if rules.hops[kind] == 0 and blocks == 1:
                leaving |= between & board.own
            elif rules.hops[kind] and blocks == 0:
                coming |= between
            elif rules.hops[kind] and blocks == 2:
                leaving |= between & board.own
    return leaving, coming


@kernel
def mates(rules, battle, move):
    """Whether a legal move mates at once."""
    play(rules, battle.board, battle.trial, move)
    king, pinned, shield, unsure = survey(rules, battle.trial)
    return shield != ALL and not has_move(rules, battle.trial, king, pinned, shield, unsure)


# --- README 8: the fixed policy -----------------------------------------------------------------


@kernel
def choose(rules, battle):
    """The mover's move, NO_MOVE if it has none."""
    board = battle.board
    forget(battle)
    king, pinned, shield, unsure = survey(rules, board)
    other = lowest(board.kinds[KING] & board.their)
    leaving, coming = uncovering(rules, board, other)
    if board.plies == 0:
        turn(board, battle.trial)
        if in_check(rules, battle.trial):  # both kings are attacked: any move may mate
            leaving = ALL
    taken = board.own | board.their
    sight = straight(rules, other, taken) | slant(rules, other, taken)
    for kind in range(PAWN + 1, KING):
        pieces = board.kinds[kind] & board.own
        checks = checking(rules, kind, other, sight) if pieces else NONE
        while pieces:
            square = lowest(pieces)
            pieces = without_lowest(pieces)
            targets = piece_targets(rules, board, kind, square, king, pinned, shield, unsure)
            weigh(rules, battle, square, targets, checks | coming, leaving)
    steps = pawn_targets(rules, board, king, pinned, shield, unsure)
    weigh_pawns(rules, battle, steps, coming, leaving)
    weigh_passers(rules, battle, passers(rules, board, king))
    weigh_king(rules, battle, king, shield == ALL, coming, leaving)
    return best(battle)


@kernel
def forget(battle):
    """Nothing is known of the mover's moves yet."""
    battle.mate, battle.capture, battle.first = NO_MOVE, NO_MOVE, NO_MOVE
    battle.mate_place, battle.capture_place, battle.first_place = LAST, LAST, LAST
    battle.prize = 0


@kernel
def best(battle):
    """8.1 before 8.2 before 8.3."""
    if battle.mate != NO_MOVE:
        return battle.mate
    return battle.first if battle.capture == NO_MOVE else battle.capture


@kernel
def weigh(rules, battle, square, targets, checks, leaving):
    """Compare a piece's legal moves with the best so far; `checks` are targets that may mate."""
    if targets == NONE:
        return
    origin = place(rules, battle.board, square) << 8
    tried = targets if leaving & bit(square) else targets & checks
    while tried:
        target = lowest(tried)
        tried = without_lowest(tried)
        try_mate(rules, battle, square | target << 6, origin, target, 0)
    prey = targets & battle.board.their
    if prey:
        weigh_captures(rules, battle, square, prey, origin)
    if origin < battle.first_place:
        battle.first_place = origin
        battle.first = square | first_of(rules, battle.board, targets) << 6


@kernel
def try_mate(rules, battle, move, origin, target, choice):
    """8.1: keep the move if it mates and stands before the mates known."""
    here = origin | place(rules, battle.board, target) << 2 | choice
    if here < battle.mate_place and mates(rules, battle, move):
        battle.mate, battle.mate_place = move, here


@kernel
def weigh_captures(rules, battle, square, prey, origin):
    """8.2: keep the dearest capture of a piece if it beats those known."""
    board, dearest, worth = battle.board, NONE, 0
    for i in range(KING):
        kind = rules.dearest[i]
        if rules.value[kind] < max(worth, battle.prize):
            break
        taken = prey & board.kinds[kind]
        if taken:
            dearest, worth = dearest | taken, rules.value[kind]
    if dearest:
        target = first_of(rules, board, dearest)
        keep_capture(rules, battle, square | target << 6, origin, target, worth)


@kernel
def keep_capture(rules, battle, move, origin, target, worth):
    """8.2: keep a capture if it takes more than those known, or as much and stands before them."""
    here = origin | place(rules, battle.board, target) << 2
    if worth > battle.prize or (worth == battle.prize and here < battle.capture_place):
        battle.capture, battle.prize, battle.capture_place = move, worth, here


@kernel
def weigh_pawns(rules, battle, steps, coming, leaving):
    """The moves of pawns, of which every promotion is tried for mate."""
    board = battle.board
    other = board.kinds[KING] & board.their
    checks = ((other & ~A_FILE) >> RIGHT) | ((other & ~H_FILE) >> LEFT)
    ahead, twice, left, right = steps
    pawns = board.kinds[PAWN] & board.own
    while pawns:
        square = lowest(pawns)
        here = bit(square)
        pawns = without_lowest(pawns)
        targets = (ahead & here << ONE_RANK) | (twice & here << np.uint64(16))
        targets |= (left & here << LEFT) | (right & here << RIGHT)
        if targets & RANK_8:
            promote(rules, battle, square, targets)
        else:
            weigh(rules, battle, square, targets, checks | coming, leaving)


@kernel
def promote(rules, battle, square, targets):
    """A pawn's moves to the last rank: the queen stands before the other pieces."""
    becomes = PROMOTIONS[0] << 12
    origin = place(rules, battle.board, square) << 8
    tried = targets
    while tried:
        target = lowest(tried)
        tried = without_lowest(tried)
        for choice in range(len(PROMOTIONS)):
            move = square | target << 6 | PROMOTIONS[choice] << 12
            try_mate(rules, battle, move, origin, target, choice)
    prey = targets & battle.board.their
    if prey:
        known = battle.capture
        weigh_captures(rules, battle, square, prey, origin)
        if battle.capture != known:
            battle.capture |= becomes
    if origin < battle.first_place:
        battle.first_place = origin
        battle.first = square | first_of(rules, battle.board, targets) << 6 | becomes


@kernel
def weigh_king(rules, battle, king, safe_now, coming, leaving):
    """The king's moves, last: where others take something, only what it takes is of interest."""
    board, here = battle.board, bit(king)
    if battle.capture == NO_MOVE or leaving & here or board.castle & board.own:
        targets = king_targets(rules, board, king, safe_now)
        castles = targets & (here << np.uint64(2) | here >> np.uint64(2))
        weigh(rules, battle, king, targets, coming | castles, leaving)
    else:
        targets = reach(rules, board, KING, king) & (board.their | coming)
        targets = only_safe(rules, board, king, here, targets)
        weigh(rules, battle, king, targets, coming, leaving)


@kernel
def weigh_passers(rules, battle, pawns):
    """Captures en passant take a pawn's worth."""
    while pawns:
        square, target = lowest(pawns), lowest(battle.board.passed)
        pawns = without_lowest(pawns)
        move = square | target << 6
        origin = place(rules, battle.board, square) << 8
        try_mate(rules, battle, move, origin, target, 0)
        keep_capture(rules, battle, move, origin, target, rules.value[PAWN])


# --- README 9: the end --------------------------------------------------------------------------


@kernel
def key_of(board):
    """A hash of what makes two positions the same."""
    key = fold(board.own, 1) + fold(board.their, 2) + fold(board.castle, 3) + fold(board.passed, 4)
    for kind in range(KINDS):
        key += fold(board.kinds[kind], 5 + kind)
    return mix(key + np.uint64(board.black))


@kernel
def fold(mask, number):
    """A mask's share of a hash: mixed by itself, else a rook and a bishop that swap cancel out."""
    return mix(mask + STEP * np.uint64(number))


@kernel
def times_seen(battle):
    """How often the position has stood: since the last capture or pawn's move, by this mover."""
    board, times = battle.board, 1
    ply = board.plies - 4
    while ply >= max(0, board.plies - board.quiet):
        times += battle.keys[ply] == battle.keys[board.plies]
        ply -= 2
    return times


@kernel
def clear(battle):
    """No battle has been fought yet."""
    empty(battle.board)
    empty(battle.trial)
    forget(battle)
    battle.keys[:] = NONE
    battle.move = NO_MOVE
    battle.ending, battle.winner = RUNNING, DRAW
    battle.left[:] = 0


@kernel
def begin(rules, battle):
    """Open the battle that starts from `battle.board`."""
    battle.ending = RUNNING
    battle.winner = DRAW
    battle.move = NO_MOVE
    battle.left[:] = 0
    battle.board.plies = 0
    battle.board.quiet = 0
    battle.keys[0] = key_of(battle.board)


@kernel
def advance(rules, battle):
    """Play the next move into `battle.move`, or end the battle; returns whether it goes on."""
    board = battle.board
    battle.move = choose(rules, battle)
    if battle.move == NO_MOVE:
        without_move(rules, battle)
    elif times_seen(battle) >= rules.battle.repetition_count:
        end(rules, battle, REPETITION, rules.battle.repetition == VALUE)
    elif rules.battle.quiet_limit and board.quiet >= rules.battle.quiet_limit:
        end(rules, battle, QUIET, False)
    elif board.plies >= rules.battle.ply_cap:
        end(rules, battle, CAP, True)
    else:
        play(rules, board, battle.trial, battle.move)
        copy_state(board, battle.trial)
        battle.keys[board.plies] = key_of(board)
        return True
    return False


@kernel
def without_move(rules, battle):
    """9.1 The mover has no legal move: mate or stalemate."""
    board = battle.board
    if in_check(rules, board):
        end(rules, battle, MATE, False)
        battle.winner = FIRST if board.black else SECOND
        return
    bare = board.own == board.kinds[KING] & board.own
    way = rules.battle.stalemate
    end(rules, battle, STALEMATE, way == BY_VALUE or (way == BARE_KING and bare))


@kernel
def end(rules, battle, ending, by_value):
    """End the battle as a draw, or as the values of both sides say."""
    board = battle.board
    own, their = value_of(rules, board, board.own), value_of(rules, board, board.their)
    battle.ending = ending
    battle.left[board.black] = own
    battle.left[1 - board.black] = their
    battle.winner = DRAW
    if by_value and battle.left[FIRST] != battle.left[SECOND]:
        battle.winner = FIRST if battle.left[FIRST] > battle.left[SECOND] else SECOND


@kernel
def fight(rules, battle):
    """Play the battle from `battle.board` to its end."""
    begin(rules, battle)
    while advance(rules, battle):
        pass
