"""A position of junqi as a picture: an SVG board that needs nothing else.

Camps are circles, headquarters have a double frame, rails are thick and roads thin. White is blue
and round, Black orange and square, so that nothing hangs on colour alone.
"""

from collections.abc import Iterator
from typing import Any

from lab.games.junqi.formations import LETTERS
from lab.games.junqi.rules import NODES, spot
from lab.games.junqi.state import ENDINGS, KIND, PLAY, RUNNING, SETUP
from lab.svg import COLOURS, INK, NEUTRAL, PALE, caption, document

SIZE = 34
"""Half the way between two nodes of a row, in the picture's units."""
MARGIN, HEADER = 46, 70
SIDES = ("White", "Black")


def svg(record: Any, state: Any, action: int | None = None) -> str:
    """The position as one SVG document; `action`, the one that led to it, is an arrow."""
    width, height = 8 * SIZE + 2 * MARGIN, 24 * SIZE + 2 * MARGIN + HEADER
    shapes = [*_header(state, width), *_lines(record), *_places(record), *_men(state)]
    if action is not None and int(action) // KIND == PLAY and action:
        shapes.append(_arrow(int(action)))
    return document(width, height, shapes)


def at(node: int) -> tuple[float, float]:
    """The middle of a node; White is below."""
    x, y = spot(NODES[node])
    return MARGIN + SIZE * x, HEADER + MARGIN + SIZE * (25 - y)


def _header(state: Any, width: float) -> Iterator[str]:
    """Whose turn it is, or how it ended."""
    side, colour = int(state["side"]), INK
    below = f"ply {state['ply']} · {state['quiet']} quiet"
    if state["ending"] != RUNNING:
        winner = int(state["winner"])
        told = "draw" if winner > 1 else f"{SIDES[winner]} wins"
        colour = INK if winner > 1 else COLOURS[winner]
        below = f"{ENDINGS[state['ending']]} · {below}"
    else:
        told = f"{SIDES[side]} {'sets up' if state['phase'] == SETUP else 'to move'}"
        colour = COLOURS[side]
    yield caption(width / 2, 30, told, colour, 22, bold=True)
    yield caption(width / 2, 52, below, PALE, 15)


def _lines(record: Any) -> Iterator[str]:
    """Roads, and rails over them."""
    for table, width, colour in (("road", 2, "#c9ced3"), ("beside", 6, "#8a949d")):
        for node in range(len(NODES)):
            for other in range(node + 1, len(NODES)):
                if int(record[table][node]) >> other & 1:
                    (x, y), (u, v) = at(node), at(other)
                    yield (
                        f"<line x1='{x:.0f}' y1='{y:.0f}' x2='{u:.0f}' y2='{v:.0f}' "
                        f"stroke='{colour}' stroke-width='{width}'/>"
                    )


def _places(record: Any) -> Iterator[str]:
    """Camps, headquarters and stations."""
    for node, name in enumerate(NODES):
        x, y = at(node)
        frame = f"fill='{NEUTRAL}' stroke='#8a949d'"
        if int(record["camps"]) >> node & 1:
            yield f"<circle cx='{x:.0f}' cy='{y:.0f}' r='24' {frame} stroke-width='2'/>"
        else:
            double = 4 if int(record["homes"]) >> node & 1 else 1
            box = f"x='{x - 22:.0f}' y='{y - 16:.0f}' width='44' height='32' rx='5'"
            yield f"<rect {box} {frame} stroke-width='{double}'/>"
        yield caption(x, y + 4, name, "#b3bac1", 11)


def _men(state: Any) -> Iterator[str]:
    """Every piece with its letter, `?` where it is hidden."""
    for side in range(2):
        for node in range(len(NODES)):
            if int(state["own"][side]) >> node & 1:
                x, y = at(node)
                letter = (LETTERS + "?")[state["kind"][side][node]]
                box = f"x='{x - 19:.0f}' y='{y - 14:.0f}' width='38' height='28'"
                yield f"<rect {box} rx='{14 if side == 0 else 2}' fill='{COLOURS[side]}'/>"
                yield caption(x, y + 6, letter, "#ffffff", 17, bold=True)


def _arrow(action: int) -> str:
    """The way of the last move."""
    (x, y), (u, v) = at(action >> 6 & 63), at(action & 63)
    line = f"<line x1='{x:.0f}' y1='{y:.0f}' x2='{u:.0f}' y2='{v:.0f}'"
    return f"{line} stroke='{INK}' stroke-width='3' stroke-dasharray='2 5'/>"
