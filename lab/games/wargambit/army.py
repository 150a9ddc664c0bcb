"""README 3.2, 4, 5, 7.2 and 7.3: what an army may hold, where it stands, what its synergies do."""

import numpy as np

from lab.games.wargambit.board import empty, turn, value_of
from lab.games.wargambit.rules import PIECES
from lab.games.wargambit.sight import NONE, in_check
from lab.games.wargambit.state import KING, PAWN, ROOK
from lab.jit import bit, copy_state, kernel

INCOME, ADVANCE, SQUIRES = range(3)  # a synergy's effect
MOST_AHEAD = 2
"""README 5.2: ranks that pawns start ahead at most."""
BACK_ROW = np.array([3, 5, 2, 6, 1, 7, 0])
"""README 4.1: d f c g b h a."""
FRONT_ROW = np.array([12, 11, 13, 10, 14, 9, 15, 8])
"""e d f c g b h a of the second rank."""
CORNERS = np.uint64(1 | 1 << 7)
PLAYER, OPPONENT, LOWER_VALUE, ALTERNATE = range(4)  # /battle/first_move
FOUR = np.uint64(4)
FIFTEEN = np.uint64(15)


# --- what it holds ------------------------------------------------------------------------------


@kernel
def has_room(rules, army, kind):
    """3.2 Whether the army may hold one more of a kind."""
    pieces = 0
    for k in range(len(PIECES)):
        pieces += army[k]
    return pieces < rules.army.pieces and (kind != PAWN or army[PAWN] < rules.army.pawns)


@kernel
def worth(rules, army):
    """9. The sum of its prices."""
    value = 0
    for kind in range(len(PIECES)):
        value += army[kind] * rules.value[kind]
    return value


@kernel
def effect(rules, army, kind):
    """5. The amounts of one effect of all synergies that the army has, added up."""
    amount = 0
    for row in range(rules.synergies_count):
        if rules.synergies[row].effect == kind:
            held = True
            for k in range(len(PIECES)):
                held &= army[k] >= rules.needed[row, k]
            if held:
                amount += rules.synergies[row].amount
    return amount


# --- where it stands ----------------------------------------------------------------------------


@kernel
def piece_on(word, place):
    """The kind that stands on a place of a placement, -1 if none does."""
    return np.int64((word >> (FOUR * np.uint64(place))) & FIFTEEN) - 1


@kernel
def put_on(word, place, kind):
    """A placement with one more piece, on an empty place."""
    return word | np.uint64(kind + 1) << (FOUR * np.uint64(place))


@kernel
def standing(word, kind):
    """How many of a kind stand on a placement."""
    n = 0
    for place in range(16):
        n += piece_on(word, place) == kind
    return n


@kernel
def others_in_front(word):
    """How many pieces of a placement that are no pawns stand on the front row."""
    others = 0
    for i in range(FRONT_ROW.size):
        others += piece_on(word, FRONT_ROW[i]) > PAWN
    return others


@kernel
def stand(rules, army, word):
    """4.1 The automatic placement of all that does not stand on a placement yet.

    One that leaves the front row no room for all pawns cannot be completed, and gives way to that
    of the whole army: 15 pieces, at most 8 of them pawns, always have room.
    """
    if army[PAWN] + others_in_front(word) > FRONT_ROW.size:
        word = NONE
    back, front = 0, 0
    for i in range(len(PIECES)):
        kind = rules.dearest[i]
        if kind == PAWN or army[kind] == 0:
            continue
        for _ in range(army[kind] - (standing(word, kind) if word else 0)):
            while back < BACK_ROW.size and piece_on(word, BACK_ROW[back]) >= 0:
                back += 1
            while back == BACK_ROW.size and piece_on(word, FRONT_ROW[front]) >= 0:
                front += 1
            place = BACK_ROW[back] if back < BACK_ROW.size else FRONT_ROW[front]
            word = put_on(word, place, kind)
    for _ in range(army[PAWN] - standing(word, PAWN)):
        while piece_on(word, FRONT_ROW[front]) >= 0:
            front += 1
        word = put_on(word, FRONT_ROW[front], PAWN)
    return word


@kernel
def stands_all(army, word):
    """4.2 Whether there is an army and all of it stands."""
    standing, pieces = 0, 0
    for place in range(16):
        standing += piece_on(word, place) >= 0
    for kind in range(len(PIECES)):
        pieces += army[kind]
    return pieces > 0 and standing == pieces


@kernel
def settle(rules, state, seat):
    """4. Where a seat's army stands in the next battle; what stands by hand must be all of it."""
    if not stands_all(state.army[seat], state.places[seat]):
        state.places[seat] = NONE
        return stand(rules, state.army[seat], NONE)
    return state.places[seat]


# --- the position it makes ----------------------------------------------------------------------


@kernel
def muster(rules, battle, round, white, white_places, black, black_places):
    """The position in which a battle of two placed armies starts, as its first mover sees it.

    Returns the values of White and of Black.
    """
    board = battle.board
    empty(board)
    line_up(rules, board, black, black_places)
    turn(board, battle.trial)
    copy_state(board, battle.trial)
    board.black = 0
    line_up(rules, board, white, white_places)
    values = value_of(rules, board, board.own), value_of(rules, board, board.their)
    turn(board, battle.trial)
    if black_begins(rules, battle, round, values):
        copy_state(board, battle.trial)
    return values


@kernel
def line_up(rules, board, army, places):
    """4, 5.2, 5.3 and 7.2: the mover's army on its first ranks, squires and the king included."""
    board.own |= bit(4)
    board.kinds[KING] |= bit(4)
    ahead = 8 * min(effect(rules, army, ADVANCE), MOST_AHEAD)
    pieces = 0
    for place in range(16):
        kind = piece_on(places, place)
        if kind >= 0:
            put(board, place + ahead if kind == PAWN else place, kind)
            pieces += 1
    squires = effect(rules, army, SQUIRES)
    room = min(rules.army.pieces - pieces, rules.army.pawns - army[PAWN])
    squires = min(squires, room)
    for i in range(FRONT_ROW.size):
        place = FRONT_ROW[i]
        if squires > 0 and piece_on(places, place) < 0:
            put(board, place + ahead, PAWN)
            squires -= 1
    board.castle |= board.kinds[ROOK] & board.own & CORNERS


@kernel
def put(board, square, kind):
    """One more piece of the mover."""
    board.own |= bit(square)
    board.kinds[kind] |= bit(square)


@kernel
def black_begins(rules, battle, round, values):
    """7.3 Whether Black moves first; `battle.board` is White's sight, `battle.trial` Black's."""
    way = rules.battle.first_move
    begins = way == OPPONENT
    if way == LOWER_VALUE:
        begins = values[1] < values[0]
    elif way == ALTERNATE:
        begins = round % 2 == 0
    white, black = in_check(rules, battle.board), in_check(rules, battle.trial)
    return not white if black else begins and not white
