"""A position of ants as a picture: an SVG hex board that needs nothing else.

The first player is blue and its ants are round, the second is orange and its ants are pointed, so
that nothing hangs on colour alone. A worker is hollow, a soldier filled, a queen wears a crown; a
number says how many stand there. A pheromone is rings round the cell, one for each strength.
"""

from collections.abc import Iterator
from math import sqrt
from typing import Any

from lab.games.ants import board
from lab.games.ants.state import ENDINGS, PLACE, RUNNING, SOLDIER, WORKER
from lab.svg import COLOURS, GROUND, INK, NEUTRAL, PALE, TINTS, caption, document

SIZE = 40
"""From a cell's centre to its corners, in the picture's units."""
MARGIN, HEADER = 14, 76
MOST_RINGS = 3
"""Rings that fit into a cell; greater strengths say their number."""


def svg(record: Any, state: Any, action: int | None = None) -> str:
    """The position as one SVG document; `action`, the one that led to it, marks its cell."""
    radius = int(record["board"]["radius"])
    width = sqrt(3) * SIZE * (2 * radius + 1) + 2 * MARGIN
    height = SIZE * (3 * radius + 2) + 2 * MARGIN + HEADER
    shapes = [*_header(record, state, width), *_cells(record, state, action, (width, height))]
    return document(width, height, shapes)


# --- the line above the board -------------------------------------------------------------------


def _header(record: Any, state: Any, width: float) -> Iterator[str]:
    """Whose turn of which round it is, and what each side has."""
    middle = width / 2
    if state["ending"] == RUNNING:
        told, colour = f"p{state['side'] + 1} to play", COLOURS[state["side"]]
        below = f"{state['ap']} AP left"
    else:
        winner = int(state["winner"])
        told = "draw" if winner > 1 else f"p{winner + 1} wins"
        colour = INK if winner > 1 else COLOURS[winner]
        below = ENDINGS[state["ending"]]
    yield caption(middle, 30, told, colour, 22, bold=True)
    yield caption(middle, 52, f"round {state['round']} · {below}", PALE, 15)
    for side, (x, anchor) in enumerate(((MARGIN, "start"), (width - MARGIN, "end"))):
        yield caption(x, 30, f"p{side + 1} · nest {'AB'[side]}", COLOURS[side], 17, True, anchor)
        yield caption(x, 52, f"resources {state['resources'][side]}", INK, 15, anchor=anchor)
        if state["siege"][side]:
            siege = f"siege {state['siege'][side]} of {record['siege']['turns']}"
            yield caption(x, 72, siege, INK, 15, True, anchor)


# --- the board ----------------------------------------------------------------------------------


def _cells(record: Any, state: Any, action: int | None, size: tuple[float, float]) -> Iterator[str]:
    """Every cell with all that is on it; the cell an action names is framed last, on top."""
    middle, centre = size[0] / 2, (size[1] + HEADER) / 2
    marked = None if action is None or action // 64 < PLACE else action % 64
    frame = ""
    for number, (q, r) in enumerate(board.cells_of(int(record["board"]["radius"]))):
        x, y = middle + sqrt(3) * SIZE * (q + r / 2), centre + 1.5 * SIZE * r
        yield _hexagon(x, y, SIZE - 1.5, _tint(record, number), "#d5d8d9", 1)
        yield caption(x, y + 23, f"{q},{r}", PALE, 8)
        yield from _ground(record, state, number, x, y)
        yield from _ants(record, state, number, x, y)
        if number == marked:
            frame = _hexagon(x, y, SIZE - 2, "none", INK, 3)
    yield frame


def _tint(record: Any, number: int) -> str:
    """The colour of whose half of the board this is (README 1.4)."""
    for side in (0, 1):
        if int(record["enemy_half"][1 - side]) >> number & 1:
            return TINTS[side]
    return NEUTRAL


def _ground(record: Any, state: Any, number: int, x: float, y: float) -> Iterator[str]:
    """What lies on a cell: a nest's letter, a resource point, a pheromone."""
    for side in (0, 1):
        if int(state["pheromone"][side]) >> number & 1:
            yield from _rings(side, int(state["strength"][number]), x, y)
    for side, letter in enumerate("AB"):
        if record["nest"][side] == number:
            yield caption(x, y - 17, letter, COLOURS[side], 17, bold=True)
    if int(record["point_mask"]) >> number & 1:
        yield caption(x, y - 16, "◎", INK, 18)


def _rings(side: int, strength: int, x: float, y: float) -> Iterator[str]:
    """One ring for each strength; the second player's are dashed."""
    dash = "" if side == 0 else " stroke-dasharray='5 4'"
    for i in range(min(strength, MOST_RINGS)):
        yield (
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{SIZE * 0.8 - 3.2 * i:.1f}' fill='none' "
            f"stroke='{COLOURS[side]}' stroke-width='2' stroke-opacity='.6'{dash}/>"
        )
    if strength > MOST_RINGS:
        yield caption(x + 22, y - 8, f"×{strength}", COLOURS[side], 11, bold=True)


def _ants(record: Any, state: Any, number: int, x: float, y: float) -> Iterator[str]:
    """The ants of a cell, one token a kind and side, side by side."""
    tokens = []
    for side in (0, 1):
        queens = state["queens"][side] if record["nest"][side] == number else 0
        counts = (queens, state["ants"][side, WORKER, number], state["ants"][side, SOLDIER, number])
        tokens += [(side, kind, int(n)) for kind, n in enumerate(counts) if n]
    step = min(21.0, 58 / max(1, len(tokens)))
    for i, (side, kind, n) in enumerate(tokens):
        yield _token(side, kind, n, x + step * (i - (len(tokens) - 1) / 2), y + 5)


def _token(side: int, kind: int, n: int, x: float, y: float) -> str:
    """A queen (0), worker (1) or soldier (2): round for p1, a diamond for p2."""
    colour = COLOURS[side]
    fill, ink = (GROUND, colour) if kind == 1 else (colour, GROUND)
    style = f"fill='{fill}' stroke='{colour}' stroke-width='2'"
    if side == 0:
        shape = f"<circle cx='{x:.1f}' cy='{y:.1f}' r='9.5' {style}/>"
    else:
        shape = f"<path d='M{x:.1f} {y - 12.5:.1f}l12 12.5l-12 12.5l-12 -12.5z' {style}/>"
    crown = ""
    if kind == 0:
        top = y - (11.5 if side == 0 else 13.5)
        crown = f"<path d='M{x - 7:.1f} {top:.1f}v-7l4 3.5l3 -5l3 5l4 -3.5v7z' fill='{colour}'/>"
    label = "" if kind == 0 and n == 1 else str(n)
    return (
        shape
        + crown
        + caption(x, y + 4.5, label, ink, (13, 11, 9)[len(label) - 1] if label else 0, bold=True)
    )


# --- the shapes ---------------------------------------------------------------------------------


def _hexagon(x: float, y: float, size: float, fill: str, stroke: str, width: float) -> str:
    half = size * sqrt(3) / 2
    corners = ((0, -size), (half, -size / 2), (half, size / 2))
    points = [*corners, *((-dx, -dy) for dx, dy in corners)]
    path = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)
    return f"<polygon points='{path}' fill='{fill}' stroke='{stroke}' stroke-width='{width}'/>"
