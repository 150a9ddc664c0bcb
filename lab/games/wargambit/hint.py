"""A hint on a battle's position: what good chess would play there. It never changes a battle.

Alpha-beta search (negamax, later moves with a null window first) by iterative deepening, with a
transposition table and a quiescence search of captures, promotions and ways out of check. It plays
for mate and material alone; a battle's own endings by value are no part of it: whoever has no move
and is not in check has drawn, and so has a line that comes back to a position of its own.
"""

import numpy as np

from lab.games.wargambit.battle import key_of
from lab.games.wargambit.board import kind_at, list_moves, play, value_of
from lab.games.wargambit.sight import in_check
from lab.games.wargambit.state import BOARD, KING, PAWN
from lab.jit import bit, count, kernel, lowest, without_lowest

PLIES = 64
CAPTURES = 8
"""Plies of captures alone behind the depth: boards full of them have no end of lines."""
"""Of a line, with its captures at the end."""
MOVES = 512
TABLE = 1 << 16
MATE = 1_000_000
"""To be mated now; later is better by 1 a ply."""
UNKNOWN = -1
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
POINT = 100
"""What a gold of material counts in."""
STEP_AHEAD = 4
"""What each rank that a pawn has gone counts."""
CENTRE, CORE = np.uint64(0x00003C3C3C3C0000), np.uint64(0x0000001818000000)
IN_CENTRE = 6
"""What any other piece but the king counts more there, and once more in the core."""
TAKES, FIRST = 1 << 40, 1 << 50
"""Captures are tried before all quiet moves, the table's move before everything."""

ROOM = np.dtype(
    [
        ("boards", BOARD, (PLIES + 1,)),
        ("moves", np.int64, (PLIES + 1, MOVES)),
        ("worth", np.int64, (PLIES + 1, MOVES)),  # the order in which moves are tried
        ("fame", np.int64, (2, 4096)),  # how often a quiet move refuted, by colour, from and to
        ("path", np.uint64, (PLIES + 1,)),  # hashes of the line's positions
        ("line", np.int64, (PLIES + 1, PLIES + 1)),  # the best line from each ply on
        ("length", np.int64, (PLIES + 1,)),
        ("keys", np.uint64, (TABLE,)),
        ("depths", np.int64, (TABLE,)),
        ("scores", np.int64, (TABLE,)),
        ("kinds", np.int64, (TABLE,)),  # EXACT, AT_LEAST or AT_MOST
        ("best", np.int64, (TABLE,)),
        ("nodes", np.int64),
    ],
    align=True,
)
"""All that a search needs, the table included; boards[0] is the position asked about."""


@kernel
def deepen(rules, room, depth):
    """Search one ply deeper than before; returns the mover's score, line[0] is the best line."""
    return search(rules, room, 0, depth, -2 * MATE, 2 * MATE)


@kernel
def search(rules, room, ply, depth, low, high):
    """The mover's score of boards[ply], exact between `low` and `high`; depth 0: captures alone."""
    board = room.boards[ply]
    room.nodes += 1
    room.length[ply] = 0
    key = key_of(board)
    room.path[ply] = key
    if ply > 0 and repeats(room, ply):
        return 0
    checked = in_check(rules, board)
    quiet = depth <= 0 and not checked
    slot = np.int64(key & np.uint64(TABLE - 1))
    known = room.keys[slot] == key
    null = high - low == 1  # elsewhere the table would cut the best line short
    if known and null and depth > 0 and room.depths[slot] >= depth:
        score = from_table(room.scores[slot], ply)
        if settles(room.kinds[slot], score, low, high):
            return score
    n = list_moves(rules, board, room.moves[ply])
    if n == 0:
        return ply - MATE if checked else 0
    best = judge(rules, board) if quiet or ply == PLIES else -2 * MATE
    if best >= high or ply == PLIES or (quiet and depth <= -CAPTURES):
        return best
    n = rank_moves(rules, room, ply, n, room.best[slot] if known else UNKNOWN, quiet)
    floor, move = max(low, best), UNKNOWN
    for i in range(n):
        tried = next_move(room, ply, i, n)
        play(rules, board, room.boards[ply + 1], tried)
        score = floor + 1
        if i > 0:  # is it better at all?
            score = -search(rules, room, ply + 1, depth - 1, -floor - 1, -floor)
        if i == 0 or floor < score < high:
            score = -search(rules, room, ply + 1, depth - 1, -high, -floor)
        if score > best:
            best, move = score, tried
            note_line(room, ply, tried)
        floor = max(floor, best)
        if best >= high:
            note_fame(room, board, tried, depth)
            break
    if depth > 0:
        keep(room, slot, key, depth, best, low, high, move, ply)
    return best


@kernel
def settles(kind, score, low, high):
    """Whether a score of the table is all that is asked for between `low` and `high`."""
    if kind == AT_LEAST:
        return score >= high
    return kind == EXACT or score <= low


@kernel
def repeats(room, ply):
    """Whether the position stood before in this line."""
    before = ply - 4
    while before >= 0:
        if room.path[before] == room.path[ply]:
            return True
        before -= 2
    return False


@kernel
def judge(rules, board):
    """The mover's material less the other's, how far pawns have come, who is in the centre."""
    score = POINT * (value_of(rules, board, board.own) - value_of(rules, board, board.their))
    pawns = board.kinds[PAWN] & board.own
    while pawns:
        score += STEP_AHEAD * (lowest(pawns) >> 3)
        pawns = without_lowest(pawns)
    pawns = board.kinds[PAWN] & board.their
    while pawns:
        score -= STEP_AHEAD * (7 - (lowest(pawns) >> 3))
        pawns = without_lowest(pawns)
    pieces = ~(board.kinds[PAWN] | board.kinds[KING])
    own, their = board.own & pieces, board.their & pieces
    score += IN_CENTRE * (count(own & CENTRE) - count(their & CENTRE))
    score += IN_CENTRE * (count(own & CORE) - count(their & CORE))
    return score


@kernel
def rank_moves(rules, room, ply, n, first, quiet):
    """Say in which order moves are tried; `quiet` keeps captures and promotions alone."""
    board, kept = room.boards[ply], 0
    for i in range(n):
        move = room.moves[ply, i]
        worth = profit(rules, board, move)
        if worth == 0 and quiet:
            continue
        if move == first:
            worth = FIRST
        elif worth == 0:
            worth = room.fame[board.black, move & 4095]
        room.moves[ply, kept], room.worth[ply, kept] = move, worth
        kept += 1
    return kept


@kernel
def profit(rules, board, move):
    """TAKES + what a capture or promotion wins, the cheapest taker first; 0 for any other move."""
    start, target, becomes = move & 63, (move >> 6) & 63, move >> 12
    worth = TAKES + 64 * rules.value[becomes] if becomes else 0
    if bit(target) & board.their:
        taker, taken = rules.value[kind_at(board, start)], rules.value[kind_at(board, target)]
        worth = max(worth, TAKES) + 64 * taken - taker
    elif bit(target) == board.passed and kind_at(board, start) == PAWN:
        worth = TAKES + 63 * rules.value[PAWN]
    return worth


@kernel
def note_fame(room, board, move, depth):
    """Remember a quiet move that refuted: it is tried early elsewhere."""
    if depth > 0 and not bit((move >> 6) & 63) & board.their:
        room.fame[board.black, move & 4095] += depth * depth


@kernel
def next_move(room, ply, i, n):
    """Bring the best of the moves from number i on to its place, and return it."""
    best = i
    for j in range(i + 1, n):
        if room.worth[ply, j] > room.worth[ply, best]:
            best = j
    move, worth = room.moves[ply, best], room.worth[ply, best]
    room.moves[ply, best], room.worth[ply, best] = room.moves[ply, i], room.worth[ply, i]
    room.moves[ply, i], room.worth[ply, i] = move, worth
    return move


@kernel
def note_line(room, ply, move):
    """The best line from here: this move, then the best line behind it."""
    room.line[ply, 0] = move
    behind = room.length[ply + 1]
    for i in range(behind):
        room.line[ply, i + 1] = room.line[ply + 1, i]
    room.length[ply] = behind + 1


@kernel
def keep(room, slot, key, depth, score, low, high, move, ply):
    """Put a searched position in the table, instead of what was there."""
    room.keys[slot], room.depths[slot], room.best[slot] = key, depth, move
    room.kinds[slot] = EXACT
    if score >= high:
        room.kinds[slot] = AT_LEAST
    elif score <= low:
        room.kinds[slot] = AT_MOST
    far = ply if score > MATE // 2 else (-ply if score < -MATE // 2 else 0)
    room.scores[slot] = score + far  # mates are counted from the position, not from the root


@kernel
def from_table(score, ply):
    """A score of the table, mates counted from the root again."""
    far = ply if score > MATE // 2 else (-ply if score < -MATE // 2 else 0)
    return score - far
