"""What a player of junqi sees, for players outside of the lab: README 8."""

from typing import Any

import numpy as np

SHOWN = (
    "phase",  # 0 in the set-up, 1 after it
    "side",  # to decide
    "ply",
    "quiet",  # plies since the last battle
    "own",  # side, node: whether a piece of it stands there
    "kind",  # side, node: of the piece; 12 for no piece and for every piece of the enemy's
    "alive",  # side, man
    "moved",  # side, man
    "timed",  # side
    "late",  # side
    "offer",  # whose stands, or -1
    "offered",  # side: ply of its last offer
    "ending",  # -1, or an index of ENDINGS
    "winner",  # 0, 1, or 2 while there is none
)
"""Fields of the state; a man is a piece by the number of its first place."""
EMPTY = -1


def seen(record: Any, view: Any, seat: int) -> dict[str, Any]:
    """The fields by name; `man` by node, and `may`: kind, man: what an enemy's man may be."""
    taken = int(view["own"][0] | view["own"][1])
    nodes = range(view["man"].size)
    men = [view["man"][n] if taken >> n & 1 else EMPTY for n in nodes]
    told = {"man": np.array(men, np.int8), "may": view["can"][1 - seat]}
    return {name: view[name] for name in SHOWN} | told
