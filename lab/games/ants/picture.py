"""A position of ants as a picture: an SVG hex board."""

from typing import Any


def svg(record: Any, state: Any, action: int | None = None) -> str:
    """A self-contained SVG of the position; `action` marks the cell it concerns."""
    raise NotImplementedError
