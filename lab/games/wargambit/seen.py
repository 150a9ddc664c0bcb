"""What a player of Wargambit sees, for players outside of the lab: README 12."""

from typing import Any

import numpy as np

SHOWN = (
    "phase",  # index of PHASES
    "round",
    "seat",  # whose decision
    "opponent",  # index of OPPONENTS
    "hp",  # seat
    "gold",  # seat
    "level",  # seat
    "shown",  # seat: level of the shop that is shown, 0 without one
    "rerolls",  # seat: in this round
    "shop",  # seat, slot: -1 or an index of PIECES
    "army",  # seat, kind: how many
    "reserve",  # gold that the ghost of this round holds back
    "budget",  # all its gold
    "phantom",  # kind: the army that a rival meets
    "ending",  # -1, or an index of ENDINGS
    "winner",  # 0, 1, or 2 while there is none
)
"""Fields of the state; a kind is an index of PIECES."""
PLACES = np.arange(16, dtype=np.uint64) * np.uint64(4)


def seen(record: Any, view: Any, seat: int) -> dict[str, Any]:
    """The fields by name; `places`: seat, place: 0 or 1 + the kind that stands there by hand."""
    words = view["places"][:, None] >> PLACES & np.uint64(15)
    return {name: view[name] for name in SHOWN} | {"places": words.astype(np.int8)}
