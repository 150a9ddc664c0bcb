"""Pebbles as text."""

from typing import Any

from lab.errors import bad


def text(record: Any, state: Any) -> str:
    return f"{state['left']} left after {state['turn']} moves"


def action_text(record: Any, action: int) -> str:
    return f"take {action}"


def parse_action(record: Any, text: str) -> int:
    if text not in (known := ["take 1", "take 2", "take 3"]):
        raise bad("action", repr(text), f"one of {', '.join(known)}", text, known)
    return int(text[-1])
