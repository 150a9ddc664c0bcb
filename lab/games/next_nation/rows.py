"""What happened on a day, as the rows of the organisers' logs and protocol (README 9.3)."""

from typing import Any

from lab.games.next_nation.state import (
    BESIEGED,
    COMBAT,
    HUNGER,
    MOVED,
    TRAINED,
    TURRET,
    UPGRADED,
    Event,
    events_of,
)

SECTIONS = ("UPGRADE", "TRAIN", "MOVE", "DAMAGE", "SIEGE")
"""In the order in which they are told."""
SECTION = {
    UPGRADED: "UPGRADE",
    TRAINED: "TRAIN",
    MOVED: "MOVE",
    TURRET: "DAMAGE",
    COMBAT: "DAMAGE",
    HUNGER: "DAMAGE",
    BESIEGED: "SIEGE",
}
CAUSES = {TURRET: "TURRET", COMBAT: "COMBAT", HUNGER: "HUNGER"}
LETTERS = "AB"
"""LEFT's letter and RIGHT's."""


def of(state: Any) -> list[str]:
    """The rows of the last resolved day as they stand in a log, such as `DAMAGE COMBAT A6 1`."""
    told = sections(state)
    told["TRAIN"] = [" ".join(told["TRAIN"])] if told["TRAIN"] else []
    return [f"{name} {row}" for name in SECTIONS for row in told[name]]


def sections(state: Any, side: int | None = None) -> dict[str, list[str]]:
    """The same by section, without its word: `A 14`, `A7`, `A1 4`, `COMBAT A6 1`, `B 52 2`.

    TRAIN has a row a warrior. With a side, only what happened to its own.
    """
    told: dict[str, list[str]] = {name: [] for name in SECTIONS}
    ranked = sorted((_rank(event), event) for event in events_of(state))
    for _, event in ranked:
        if side in (None, event.side):
            told[SECTION[event.kind]].append(_row(event))
    return told


def _rank(event: Event) -> tuple[int, int, int]:
    """Where an event stands: buildings by region, warriors LEFT's first and by number."""
    kind, side, who, value = event
    if kind == UPGRADED:
        return kind, value, 0
    if kind == BESIEGED:
        return kind, who, 0
    return kind, side, who


def _row(event: Event) -> str:
    kind, side, who, value = event
    letter = LETTERS[side]
    if kind == UPGRADED:
        return f"{letter} {value}"
    if kind == BESIEGED:
        return f"{letter} {who} {value}"
    if kind == TRAINED:
        return f"{letter}{who}"
    if kind == MOVED:
        return f"{letter}{who} {value}"
    return f"{CAUSES[kind]} {letter}{who} {value}"
