"""What a player of ants sees, for players outside of the lab: everything is in the open."""

from typing import Any

SHOWN = (
    "round",
    "side",  # whose turn
    "ap",  # action points left
    "resources",  # side
    "queens",  # side
    "siege",  # side: turns running
    "gathered",  # gathers this turn
    "fresh",  # kind: made this turn
    "living",  # side, kind
    "ants",  # side, kind, cell: how many
    "pheromone",  # side, cell: whether
    "strength",  # cell: of its pheromone
    "ending",  # -1, or an index of ENDINGS
    "winner",  # 0, 1, or 2 while there is none
)
"""Fields of the state; a kind is 0 for workers, 1 for soldiers, and cells are numbered as there."""


def seen(record: Any, view: Any, seat: int) -> dict[str, Any]:
    """The fields by name."""
    return {name: view[name] for name in SHOWN}
