"""State, map and outcome of NEXT NATION, action numbers, and how a game can end.

A side's living warriors are the first `living[side]` entries of its rows, by ascending number.
"""

from typing import Any, NamedTuple

import numpy as np

from lab.game import outcome_dtype
from lab.games.next_nation.rules import MOST_REGIONS, MOST_SITES, MOST_WARRIORS

LEFT, RIGHT = 0, 1
NONE = -1

# --- maps ---------------------------------------------------------------------------------------

SLOTS = 512
"""Maps in the rules record: games that one record serves."""

MAP = np.dtype(
    [
        ("seed", np.int64),  # of the generator, -1 when nobody knows
        ("n", np.int64),  # regions
        ("k", np.int64),  # strongholds
        ("sites", np.int64),  # 2 + k places for buildings
        ("hq_hops", np.int64),  # days a warrior walks from region 0 to region n - 1
        ("x", np.int32, (MOST_REGIONS,)),
        ("y", np.int32, (MOST_REGIONS,)),
        ("place", np.int16, (MOST_SITES,)),  # region of a site: LEFT's HQ, RIGHT's, strongholds
        ("site", np.int8, (MOST_REGIONS,)),  # site in a region, or NONE
        ("start", np.int16, (MOST_REGIONS + 1,)),  # neighbours of u, ascending:
        ("beside", np.int16, (6 * MOST_REGIONS,)),  # beside[start[u] : start[u + 1]]
        ("hop", np.uint8, (MOST_REGIONS**2,)),  # hop[u * n + v]: next region from u towards v
        ("steps", np.uint8, (MOST_SITES, MOST_REGIONS)),  # days from a region to a site
        ("near", np.uint64, (MOST_REGIONS, 4)),  # regions that one sees in the fog, as bits
    ],
    align=True,
)

DERIVED = {
    "first_game": (np.int64, ()),  # index of the game that is played on the first map
    "cheapest": (np.int64, ()),  # gold for the cheapest upgrade, building or repair
    "maps": (MAP, (SLOTS,)),
}

# --- actions ------------------------------------------------------------------------------------

END, UPGRADE, MOVE, TRAIN = range(4)
ACTION_KINDS = ("end", "upgrade", "move", "train")
KIND, WHO, VALUE = 1 << 20, 1 << 8, 255
"""An action is kind x KIND + who x WHO + value; value is a region, or how many to train."""
NUMBERS = (
    range(1),
    range(UPGRADE * KIND, UPGRADE * KIND + MOST_REGIONS),
    range(MOVE * KIND, MOVE * KIND + (MOST_WARRIORS + 1) * WHO),
    range(TRAIN * KIND, TRAIN * KIND + VALUE + 1),
)
MAX_ACTIONS = MOST_WARRIORS * MOST_REGIONS + MOST_SITES + 8

# --- a day's events -----------------------------------------------------------------------------

UPGRADED, TRAINED, MOVED, TURRET, COMBAT, HUNGER, BESIEGED = range(7)
EVENT = 2048
"""An event is ((kind x 2 + side) x EVENT + who) x EVENT + value: see `events_of`."""
MOST_EVENTS = 8 * MOST_WARRIORS + 4 * MOST_SITES
"""Each warrior may move, be hit by a turret, in combat and by hunger on one day."""


class Event(NamedTuple):
    """What happened to a warrior (`who` its number), or to a building (`who` its region)."""

    kind: int
    side: int
    who: int
    value: int


# --- positions ----------------------------------------------------------------------------------

RUNNING, HQ_DESTROYED, DAY_LIMIT = -1, 0, 1
ENDINGS = ("HQ destroyed", "day limit")
FIRST, SECOND, DRAW = 0, 1, 2

UPGRADING, MOVING, ENDING = 0, 1, 2
"""Phases of a side's orders: what may still be ordered today."""

BATCH = 16
"""Warriors are copied by so many, in one or two instructions."""
ROWS = -(-MOST_WARRIORS // BATCH) * BATCH

STATE = np.dtype(
    [
        ("slot", np.int64),  # the game's map in `rules.maps`
        ("day", np.int64),  # from 1
        ("side", np.int64),  # who gives orders
        ("phase", np.int64),
        ("ending", np.int64),  # RUNNING or an index of ENDINGS
        ("winner", np.int64),  # FIRST, SECOND or DRAW once ended
        ("telling", np.int64),  # whether the day's events are written down
        ("told", np.int64),  # how many were
        ("viewer", np.int64),  # whose view this is, NONE for the whole truth
        ("gold", np.int64, (2,)),
        ("raised", np.uint64, (2,)),  # sites that the side upgrades today
        ("training", np.int64, (2,)),  # ordered today
        ("born", np.int64, (2,)),  # warriors the side ever had
        ("living", np.int64, (2,)),
        ("marching", np.int64, (2,)),  # those with an order under way
        ("held", np.uint64, (2, 4)),  # regions with warriors of the side, as bits
        ("stood", np.uint64, (2, 4)),  # `held` before movement; in a view what the seat sees
        ("built", np.uint64, (2, 4)),  # regions with its buildings, as bits
        ("owned", np.uint64, (2,)),  # sites with its buildings, as bits
        ("level", np.int16, (2, MOST_SITES)),  # 0: no building of that side
        ("hp", np.int16, (2, MOST_SITES)),
        ("force", np.int16, (2, MOST_REGIONS)),  # warriors in a region
        ("number", np.int16, (2, ROWS)),
        ("place", np.uint8, (2, ROWS)),
        ("health", np.int16, (2, ROWS)),
        ("target", np.int16, (2, ROWS)),  # region of the order under way, or NONE
        ("event", np.int32, (MOST_EVENTS,)),  # of the last day
    ],
    align=True,
)

CURVES = (
    "first_gold",
    "second_gold",
    "first_warriors",
    "second_warriors",
    "first_bases",
    "second_bases",
    "first_hq_level",
    "second_hq_level",
)
MAX_CLOCK = 401
"""Days 1 to 400 (`/days`'s maximum), index 0 unused."""

OUTCOME = outcome_dtype(
    [
        ("map_seed", np.int64),
        ("n", np.int16),
        ("k", np.int16),
        ("hq_hops", np.int16),
        ("hq_parity", np.int8),  # of hq_hops: 1 when armies that walk at each other meet
        ("hq_level", np.int8, (2,)),  # at the end, 0 when destroyed
        ("hq_hp", np.int16, (2,)),
        ("bases", np.int16, (2,)),  # at the end
        ("warriors", np.int16, (2,)),
        ("gold", np.int32, (2,)),
        ("trained", np.int16, (2,)),
        ("lost", np.int16, (2,)),  # warriors, to strikes and to hunger
        ("starved", np.int32, (2,)),  # days without food, a warrior and day each
        ("orders", np.int32, (2,)),
        ("spent_build", np.int32, (2,)),
        ("spent_upgrade", np.int32, (2,)),
        ("spent_repair", np.int32, (2,)),
        ("spent_train", np.int32, (2,)),
        ("spent_move", np.int32, (2,)),
        ("spent_upkeep", np.int32, (2,)),
        ("earned", np.int32, (2,)),
        ("razed", np.int16, (2,)),  # bases of that side that the other destroyed
        ("warrior_days", np.int32, (2,)),  # sum over days of living warriors, for means
        ("base_days", np.int32, (2,)),
    ]
)


def events_of(state: Any) -> list[Event]:
    """The events of the last day, in the order in which they happened."""
    found = []
    for code in state["event"][: state["told"]].tolist():
        head, value = divmod(code, EVENT)
        head, who = divmod(head, EVENT)
        kind, side = divmod(head, 2)
        found.append(Event(kind, side, who, value))
    return found
