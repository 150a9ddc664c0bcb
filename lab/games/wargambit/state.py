"""State and outcome of Wargambit, action numbers, and how a game can end.

Squares of a board are numbered by rank, then file: a1 is 0, h1 is 7, a8 is 56. A placement is one
word of sixteen four-bit places, a1 to h1 and then a2 to h2, that hold 0 or 1 + an index of PIECES.
"""

import numpy as np

from lab.game import outcome_dtype
from lab.games.wargambit.rules import MOST_PLIES, MOST_ROUNDS, MOST_SLOTS, PIECES

PAWN, LANCE, SCOUT, CANNON, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(9)
KINDS = len(PIECES) + 1
"""Kinds of pieces on a board: those of PIECES and the king."""
EMPTY = -1

READY, DUEL, GHOST, LITERAL, RECORDED, AUTO, PLACE, BUY, REROLL, LEVEL = range(10)
ACTION_KINDS = (
    "ready",
    "duel",
    "ghost",
    "literal",
    "recorded",
    "auto",
    "place",
    "buy",
    "reroll",
    "level",
)
KIND = 256
"""An action is its kind x 256 + what it is about: for PLACE the piece x 16 + the place, for BUY the
slot from 0, for RECORDED the number of rounds."""
_VALUES = {RECORDED: MOST_ROUNDS + 1, PLACE: 16 * len(PIECES), BUY: MOST_SLOTS}
NUMBERS = tuple(
    range(KIND * kind, KIND * kind + _VALUES.get(kind, 1)) for kind in range(len(ACTION_KINDS))
)
MAX_ACTIONS = 8 * 15 + MOST_SLOTS + 4
"""Places to put a piece on, slots, ready, auto, reroll, level."""

MEET, STAND, SHOP, OVER = range(4)
PHASES = ("meet", "stand", "shop", "over")
NOBODY, DUELLIST, RIVAL, GHOSTLY, GHOSTLY_LITERAL, RECORD = range(6)
OPPONENTS = ("none", "duel", "rival", "ghost", "literal", "recorded")

RUNNING = -1
CLEAR, OUT, MATE, STALEMATE, REPETITION, QUIET, CAP = range(7)
ENDINGS = ("clear", "out", "mate", "stalemate", "repetition", "quiet", "cap")
"""Of a game; those from MATE on are of a battle too."""
FIRST, SECOND, DRAW = 0, 1, 2

CURVES = (
    "first_hp",
    "second_hp",
    "first_gold",
    "second_gold",
    "first_level",
    "second_level",
    "first_army",
    "second_army",
)
"""At the start of each round, its income paid: the second's army is what it will fight with, or a
rival's before it buys. Armies by value, without squires."""
MAX_CLOCK = MOST_ROUNDS + 1
"""Rounds 1 to 16; in round 0 the seats say who they are."""

BOARD = np.dtype(
    [
        ("own", np.uint64),  # the mover's pieces; the mover always sees itself at the bottom
        ("their", np.uint64),
        ("kinds", np.uint64, (KINDS,)),  # of either side
        ("castle", np.uint64),  # rooks of either side that may still castle
        ("passed", np.uint64),  # the square a pawn just passed, if it can be taken there
        ("black", np.int64),  # whether the mover is Black
        ("quiet", np.int64),  # moves since the last capture or pawn's move
        ("plies", np.int64),
    ],
    align=True,
)
"""A position of a battle. Bit masks of squares as the mover sees them: after each move the board is
turned over, so that whatever is written for the mover holds for both colours."""

BATTLE = np.dtype(
    [
        ("board", BOARD),
        ("trial", BOARD),  # the position after a move that is only thought of
        ("keys", np.uint64, (MOST_PLIES + 1,)),  # hashes of the positions so far
        ("move", np.int64),  # the last one
        ("mate", np.int64),  # the mover's first mate, dearest capture and first move so far ...
        ("capture", np.int64),
        ("first", np.int64),
        ("mate_place", np.int64),  # ... and their places in the order
        ("capture_place", np.int64),
        ("first_place", np.int64),
        ("prize", np.int64),  # what the capture takes
        ("ending", np.int64),  # MATE .. CAP, or RUNNING
        ("winner", np.int64),  # FIRST is White, SECOND Black, DRAW
        ("left", np.int64, (2,)),  # value of White and of Black at the end
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("chance", np.uint64),  # README 12; hidden from both seats
        ("deal", np.uint64),  # README 12
        ("phase", np.int64),
        ("round", np.int64),  # 0 before the first
        ("seat", np.int64),
        ("opponent", np.int64),
        ("rounds", np.int64),  # of a recorded opponent
        ("recorded", np.int64),  # armies given so far
        ("record", np.uint64, (MOST_ROUNDS,)),  # a recorded opponent's placements by round
        ("hp", np.int64, (2,)),
        ("gold", np.int64, (2,)),
        ("level", np.int64, (2,)),
        ("shown", np.int64, (2,)),  # level of the shop that is shown, 0 without one
        ("rerolls", np.int64, (2,)),  # in this round
        ("shop", np.int64, (2, MOST_SLOTS)),  # EMPTY or an index of PIECES
        ("army", np.int64, (2, len(PIECES))),
        ("places", np.uint64, (2,)),  # where pieces stand by hand, 0 if none does
        ("reserve", np.int64),  # gold that the ghost of this round holds back
        ("budget", np.int64),  # all its gold: held back and on the board
        ("phantom", np.int64, (len(PIECES),)),  # the file's ghost's army, which a rival meets
        ("ending", np.int64),
        ("winner", np.int64),
        ("battle", BATTLE),  # scratch of the last battle
    ],
    align=True,
)

OUTCOME = outcome_dtype(
    [
        ("hp", np.int16, (2,)),
        ("gold", np.int16, (2,)),
        ("level", np.int16, (2,)),
        ("bought", np.int16, (2,)),
        ("spent", np.int16, (2,)),
        ("rerolls", np.int16, (2,)),
        ("levels", np.int16, (2,)),
        ("interest", np.int16, (2,)),
        ("bonus", np.int16, (2,)),
        ("army", np.int16, (2,)),
        ("left", np.int16, (2,)),
        ("won", np.int16),
        ("lost", np.int16),
        ("drawn", np.int16),
        ("mates", np.int16),
        ("stalemates", np.int16),
        ("repetitions", np.int16),
        ("quiets", np.int16),
        ("caps", np.int16),
        ("moves", np.int32),
        ("damage", np.int16),
    ]
)
