"""State and outcome of ants, action numbers, and how a game can end.

Cells are numbered by q, then r, so that the lowest bit of a mask is the first cell of README 1.1.
Radius 3 (37 cells; p1's nest A is cell 3, p2's nest B is cell 33):

           15 22 28 33        r = -3      B
         9 16 23 29 34        r = -2
       4 10 17 24 30 35       r = -1
     0  5 11 18 25 31 36      r =  0
       1  6 12 19 26 32       r =  1
         2  7 13 20 27        r =  2
           3  8 14 21         r =  3      A
"""

import numpy as np

from lab.game import outcome_dtype

WORKER, SOLDIER = 0, 1

END, MAKE_WORKER, MAKE_SOLDIER, GATHER, PLACE, REINFORCE, DESTROY = range(7)
ACTION_KINDS = ("end", "worker", "soldier", "gather", "place", "reinforce", "destroy")
NUMBERS = tuple(
    range(64 * kind, 64 * kind + (1 if kind < PLACE else 64)) for kind in range(len(ACTION_KINDS))
)
MAX_ACTIONS = 7 * 64
"""An action is its kind x 64 + its cell (0 where it has none)."""

RUNNING, QUEEN, DOUBLE_QUEEN, SIEGE, CAP = -1, 0, 1, 2, 3
ENDINGS = ("queen", "double queen", "siege", "cap")
FIRST, SECOND, DRAW = 0, 1, 2

CURVES = (
    "first_resources",
    "second_resources",
    "first_workers",
    "second_workers",
    "first_soldiers",
    "second_soldiers",
    "first_pheromones",
    "second_pheromones",
)
MAX_CLOCK = 101
"""Rounds 1 to 100 (`/turn/round_cap`'s maximum), index 0 unused."""

STATE = np.dtype(
    [
        ("pheromone", np.uint64, (2,)),  # cells with that side's pheromone
        ("full", np.uint64, (2,)),  # those of them that cannot be reinforced
        ("held", np.uint64, (2, 2)),  # side, kind: cells with such ants
        ("strongest", np.uint64, (2,)),  # a side's pheromones of the greatest strength
        ("reach", np.uint64, (2,)),  # cells within reach of a side's workers ...
        ("reach_of", np.uint64, (2,)),  # ... when they stood on these cells
        ("resources", np.int64, (2,)),
        ("ap", np.int64),  # action points left
        ("round", np.int64),  # from 1
        ("side", np.int64),  # whose turn
        ("ending", np.int64),  # RUNNING or an index of ENDINGS
        ("winner", np.int64),  # FIRST, SECOND or DRAW once ended
        ("queens", np.int64, (2,)),
        ("siege", np.int64, (2,)),  # turns running that the side held its siege
        ("living", np.int64, (2, 2)),  # side, kind
        ("fresh", np.int64, (2,)),  # kind: made this turn, on the mover's nest
        ("gathered", np.int64),  # gathers this turn
        ("ants", np.int16, (2, 2, 64)),  # side, kind, cell
        ("strength", np.int16, (64,)),  # of the cell's pheromone, whoever's
        ("arriving", np.int16, (64,)),  # scratch of the march, zero outside of it
    ],
    align=True,
)

OUTCOME = outcome_dtype(
    [
        ("workers_made", np.int16, (2,)),
        ("soldiers_made", np.int16, (2,)),
        ("gathers", np.int16, (2,)),
        ("placed", np.int16, (2,)),
        ("reinforced", np.int16, (2,)),
        ("destroyed", np.int16, (2,)),
        ("stranded", np.int32, (2,)),  # ant-marches without an own pheromone
        ("territory", np.int16, (2,)),  # README 7.3, at the end
        ("resources", np.int32, (2,)),
        ("workers", np.int16, (2,)),
        ("soldiers", np.int16, (2,)),
        ("lead_changes", np.int16),
        ("decided", np.int16),  # round from which on the winner led
        ("_lead", np.int8),  # sign of p1's lead after the last round
        ("_leader", np.int8),  # the last side that led
        ("_since", np.int16),  # round since which the lead has its sign
    ]
)
