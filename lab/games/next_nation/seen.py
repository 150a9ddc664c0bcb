"""What a player of NEXT NATION sees, for players outside of the lab: README 8, and the map."""

from typing import Any

from lab.games.next_nation.state import NONE

SHOWN = (
    "day",
    "gold",  # side
    "raised",  # side, site: upgraded today
    "training",  # side: ordered today
    "born",  # side: warriors it ever had
    "living",  # side
    "level",  # side, site: of its building, 0 without one
    "hp",  # side, site
    "force",  # side, region: warriors there
    "ending",  # -1, or an index of ENDINGS
    "winner",  # 0, 1, or 2 while there is none
)
"""Fields of the state: of the other side what was seen in the morning."""
ROWS = ("number", "place", "health", "target")
"""Side, row: the living warriors, by number, and then nothing: NONE in every field."""
SIZES = ("n", "k", "sites", "hq_hops")
BY_REGION, BY_SITE = ("x", "y", "site"), ("place",)
"""Fields of the map, here `map_n` and so on, as `state.MAP` says: NONE for regions and sites that
it does not have. Neighbours are in `map_start` and `map_beside`."""


def seen(record: Any, view: Any, seat: int) -> dict[str, Any]:
    """The fields by name, those of the warriors, and those of the map."""
    told = {name: view[name] for name in SHOWN}
    for name in ROWS:
        rows = told[name] = view[name].astype("i2")
        for side in range(2):
            rows[side, view["living"][side] :] = NONE
    return told | {f"map_{name}": value for name, value in _map(record, view["slot"]).items()}


def _map(record: Any, slot: int) -> dict[str, Any]:
    """The map without what an earlier one has left behind it."""
    world = record["maps"][slot]
    n, ends = int(world["n"]), world["start"]
    lengths = dict.fromkeys(BY_REGION, n) | dict.fromkeys(BY_SITE, int(world["sites"]))
    lengths |= {"start": n + 1, "beside": int(ends[n])}
    told = {name: world[name] for name in SIZES}
    for name, length in lengths.items():
        told[name] = world[name].copy()
        told[name][length:] = NONE
    return told
