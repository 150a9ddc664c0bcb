"""State and outcome of junqi, action numbers, and how a game can end.

A node is a bit of a mask, numbered as README 1.1 orders them: bit n turns into bit 62 - n.
"""

import numpy as np

from lab.game import outcome_dtype
from lab.games.junqi.rules import KINDS

NODES = 63
ENGINEER, BOMB, MINE, FLAG = 0, 9, 10, 11
RANKED = 9
"""Kinds with a rank are the first ones."""
UNKNOWN = len(KINDS)
"""The kind of an enemy's piece, as a side sees it."""
MEN = 30
"""The most pieces of a side: one for each node of its half."""

PLAY, SWAP, TIMED, LATE, LEAVE, OFFER, ACCEPT, REFUSE = range(8)
ACTION_KINDS = ("play", "swap", "timed", "late", "leave", "offer", "accept", "refuse")
KIND = 1 << 12
MAX_ACTIONS = len(ACTION_KINDS) * KIND
"""An action is its kind x 4096 + from x 64 + to; in the set-up PLAY is `ready`, both nodes 0."""
NUMBERS = tuple(
    range(KIND * kind, KIND * kind + (KIND if kind in (PLAY, SWAP) else 1))
    for kind in range(len(ACTION_KINDS))
)

SETUP, MOVES = 0, 1
NOBODY = -1
NEVER = -1_000_000
"""The ply of an offer that was never made."""

RUNNING, TAKEN, STUCK, QUIET, AGREED, TOO_LATE, AWAY = range(-1, 6)
ENDINGS = ("flag", "stuck", "quiet", "agreed", "late", "away")
DRAW = 2
"""The winner is 0, 1, or nobody."""

STAYS, FALLS, BOTH_GO, FLAG_TAKEN = range(4)
OUTCOMES = 4
"""What becomes of an attacker: it stays, it is gone, both are gone, it has taken the flag."""

CURVES = ("first_pieces", "second_pieces", "first_options", "second_options")
MAX_PLIES = 12_000
"""Each of at most 59 battles ends a row of at most 200 quiet plies."""
MAX_CLOCK = MAX_PLIES + 2
"""The clock is below it: the ply that is being decided, from 1."""

STATE = np.dtype(
    [
        ("own", np.uint64, (2,)),  # where a side's pieces stand
        ("movable", np.uint64, (2,)),  # those of them that are not fixed (4.3)
        ("engineers", np.uint64, (2,)),
        ("can", np.uint64, (2, len(KINDS))),  # men of a side that the other holds to be possibly so
        ("alive", np.uint64, (2,)),  # men of a side that stand on the board
        ("moved", np.uint64, (2,)),  # men of a side that have moved
        ("kind", np.int8, (2, 64)),  # side, node: what stands there
        ("man", np.int8, (64,)),  # node: number of the piece that stands there, its first place
        ("guess", np.int8, (MEN,)),  # scratch of `imagine`: the kind of each man
        ("tried", np.uint64),  # scratch of it: the kinds that were tried for one
        ("rng", np.uint64),  # the game's chance; hidden
        ("phase", np.int64),
        ("side", np.int64),  # to decide
        ("ply", np.int64),
        ("quiet", np.int64),  # plies since the last battle
        ("options", np.int64, (2,)),  # kinds that the living men of a side may be, all in all
        ("timed", np.int64, (2,)),
        ("late", np.int64, (2,)),
        ("offer", np.int64),  # whose stands, or NOBODY
        ("offered", np.int64, (2,)),  # ply of a side's last offer
        ("ending", np.int64),
        ("winner", np.int64),
    ],
    align=True,
)
"""`can` is what play told of a side's men (README 8): a man is a bit, gone ones keep theirs."""

OUTCOME = outcome_dtype(
    [
        ("battles", np.int16),
        ("pieces", np.int16, (2,)),
        ("killed", np.int16, (2,)),
        ("cleared", np.int16, (2,)),
        ("bombed", np.int16, (2,)),
        ("late", np.int16, (2,)),
        ("offers", np.int16, (2,)),
        ("options", np.int16, (2,)),
        ("found", np.int16, (2,)),
    ]
)
