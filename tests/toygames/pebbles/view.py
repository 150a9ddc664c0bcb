"""Pebbles as text."""

from typing import Any


def text(record: Any, state: Any) -> str:
    return f"{state['left']} left after {state['turn']} moves"
