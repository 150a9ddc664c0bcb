"""Where a player's pieces stand, README 15.2: a whole placement, worked out from the army alone."""

from lab.games.wargambit.army import (
    BACK_ROW,
    others_in_front,
    piece_on,
    put_on,
    stand,
    standing,
)
from lab.games.wargambit.rules import PIECES
from lab.games.wargambit.sight import NONE
from lab.games.wargambit.state import CANNON, LANCE, PAWN, QUEEN, ROOK
from lab.jit import kernel
from lab.rng import below

PLACERS = ("auto", "castler", "screened", "bait", "guarded", "random")
AUTOMATIC, CASTLER, SCREENED, BAIT, GUARDED, RANDOM = range(6)
CORNERS = (7, 0)  # h1, a1
ROW = 8
FRONT = 8  # the first place of the front row
CENTRE = 11  # d2


@kernel
def arrange(rules, army, placer, mind):
    """The placement of an army by one of PLACERS; what it does not care about stands as in 4.1."""
    if placer == RANDOM:
        return at_random(army, mind)
    word = NONE
    if placer == CASTLER:
        word = rooks_in_corners(army)
    elif placer == SCREENED:
        word = cannons_behind_screens(army)
    elif placer == BAIT:
        word = dearest_in_front(rules, army)
    elif placer == GUARDED:
        word = queen_in_corner(army)
    return stand(rules, army, word)


@kernel
def rooks_in_corners(army):
    """Rooks on h1 and a1, so that the king may castle."""
    word = NONE
    for i in range(min(army[ROOK], len(CORNERS))):
        word = put_on(word, CORNERS[i], ROOK)
    return word


@kernel
def cannons_behind_screens(army):
    """Cannons on the back row from outside, each with a pawn, else a lance, before it."""
    word = NONE
    for i in range(min(army[CANNON], BACK_ROW.size)):
        place = BACK_ROW[BACK_ROW.size - 1 - i]
        word = put_on(word, place, CANNON)
        for screen in (PAWN, LANCE):
            empty = piece_on(word, place + ROW) < 0
            if empty and standing(word, screen) < army[screen] and has_front(army, word, screen):
                word = put_on(word, place + ROW, screen)
    return word


@kernel
def has_front(army, word, kind):
    """Whether a piece on the front row leaves room there for all pawns."""
    return kind == PAWN or army[PAWN] + others_in_front(word) < ROW


@kernel
def dearest_in_front(rules, army):
    """The dearest piece on d2, where others see it first."""
    for i in range(len(PIECES)):
        kind = rules.dearest[i]
        if kind != PAWN and army[kind] > 0:
            return put_on(NONE, CENTRE, kind) if has_front(army, NONE, kind) else NONE
    return NONE


@kernel
def queen_in_corner(army):
    """The queen on a1, pawns before and beside her."""
    word = NONE
    if army[QUEEN] > 0:
        word = put_on(word, 0, QUEEN)
        for i in range(min(army[PAWN], 2)):
            word = put_on(word, FRONT + i, PAWN)
    return word


@kernel
def at_random(army, mind):
    """Any placement that is allowed, each piece on one of the squares left to it: pawns first."""
    word = NONE
    for kind in range(len(PIECES)):
        for _ in range(army[kind]):
            lowest = FRONT if kind == PAWN else 0
            n = below(mind, free_places(word, lowest))
            place = lowest
            while n > 0 or not is_free(word, place):
                n -= is_free(word, place)
                place += 1
            word = put_on(word, place, kind)
    return word


@kernel
def is_free(word, place):
    """Whether a piece may be put there: empty, and not the king's."""
    return place != 4 and piece_on(word, place) < 0


@kernel
def free_places(word, lowest):
    """How many places from `lowest` on are free."""
    free = 0
    for place in range(lowest, FRONT + ROW):
        free += is_free(word, place)
    return free
