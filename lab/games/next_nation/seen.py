"""What a player of NEXT NATION sees, for players outside of the lab: README 8, and the map."""

from typing import Any

from lab.games.next_nation.state import NONE

SHOWN = (
    "day",
    "side",  # who gives orders; in a view it is whose view it is
    "phase",  # 0 upgrades, 1 moves, 2 at the end of the orders
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
MAP = ("n", "k", "sites", "hq_hops", "x", "y", "place", "site", "start", "beside")
"""Fields of the map, here `map_n` and so on: regions, strongholds, sites, days between the HQs, and
of each region or site what `state.MAP` says."""


def seen(record: Any, view: Any, seat: int) -> dict[str, Any]:
    """The fields by name, those of the warriors, and those of the map."""
    told = {name: view[name] for name in SHOWN}
    for name in ROWS:
        rows = view[name].astype("i2")
        for side in range(2):
            rows[side, view["living"][side] :] = NONE
        told[name] = rows
    return told | {f"map_{name}": record["maps"][view["slot"]][name] for name in MAP}
