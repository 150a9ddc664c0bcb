"""A position of junqi as a picture: an SVG board that needs nothing else.

Camps are circles, headquarters have a double frame, rails are thick and roads thin. White, the
first seat, is blue and round, Black orange and square, so that nothing hangs on colour alone; a
piece is its letter, `?` where it is hidden. Where the last move began has a dashed frame, where it
ended a whole one.
"""

from collections.abc import Iterator
from typing import Any

from lab.games.junqi.formations import LETTERS
from lab.games.junqi.rules import COLUMNS, HALF, NODES, spot
from lab.games.junqi.state import ENDINGS, KIND, PLAY, RUNNING, SETUP, SWAP
from lab.svg import COLOURS, INK, NEUTRAL, PALE, TINTS, caption, document

WIDE, HIGH = 34, 31
"""Half the way between two nodes of a row and of a column, in the picture's units."""
SIDE, HEADER, FOOTER = 48, 100, 52
WIDTH, HEIGHT = 8 * WIDE + 2 * SIDE, 24 * HIGH + HEADER + FOOTER
SIDES = ("White", "Black")
EDGE, ROAD, RAIL, MOUNTAIN = "#8a949d", "#bfc6cc", "#78828b", "#d3d8dc"


def svg(record: Any, state: Any, action: int | None = None) -> str:
    """The position as one SVG document; of `action`, which led to it, both ends are framed."""
    shapes = [*_header(state), *_halves(), *_lines(record), *_places(record, state), *_men(state)]
    kind, ends = divmod(int(action or 0), KIND)
    if kind in (PLAY, SWAP) and ends:
        shapes += [_frame(ends >> 6, kind == PLAY), _frame(ends & 63, False)]
    return document(WIDTH, HEIGHT, shapes)


def at(node: int) -> tuple[int, int]:
    """The middle of a node; White is below."""
    x, y = spot(NODES[node])
    return SIDE + WIDE * x, HEADER + HIGH * (25 - y)


def _header(state: Any) -> Iterator[str]:
    """Whose turn it is, or how it ended, and how many pieces each side has."""
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
    yield caption(WIDTH / 2, 30, told, colour, 22, bold=True)
    yield caption(WIDTH / 2, 54, below, PALE, 14)
    for seat, (x, anchor) in enumerate(((14, "start"), (WIDTH - 14, "end"))):
        left = f"{int(state['own'][seat]).bit_count()} left"
        yield caption(x, 30, left, COLOURS[seat], 15, True, anchor)


def _halves() -> Iterator[str]:
    """Both halves, the mountains between them, and the names of columns and rows."""
    for seat, corner in enumerate((HALF - 5, len(NODES) - 5)):  # the first nodes of rows 6 and 12
        x, y = at(corner)
        place = f"x='{x - 30}' y='{y - 27}' width='{8 * WIDE + 60}' height='{10 * HIGH + 54}'"
        yield f"<rect {place} rx='10' fill='{TINTS[seat]}'/>"
    y = at(NODES.index("CF"))[1]
    for x in (SIDE + 2 * WIDE, SIDE + 6 * WIDE):
        slopes = (
            f"{x - 22},{y + 12} {x - 5},{y - 14} {x + 5},{y + 1} {x + 11},{y - 6} {x + 22},{y + 12}"
        )
        yield f"<polygon points='{slopes}' fill='{MOUNTAIN}'/>"
    for column, name in enumerate(COLUMNS):
        yield caption(SIDE + 2 * WIDE * column, HEIGHT - 8, name, PALE, 14)
    for node, name in enumerate(NODES):
        if name[0] == COLUMNS[0]:
            yield caption(9, at(node)[1] + 5, name[1:], PALE, 13)


def _lines(record: Any) -> Iterator[str]:
    """Roads, and rails over them."""
    for table, width, colour in (("road", 2, ROAD), ("beside", 7, RAIL)):
        for node in range(len(NODES)):
            for other in range(node + 1, len(NODES)):
                if int(record[table][node]) >> other & 1:
                    (x, y), (u, v) = at(node), at(other)
                    ends = f"x1='{x}' y1='{y}' x2='{u}' y2='{v}'"
                    yield f"<line {ends} stroke='{colour}' stroke-width='{width}'/>"


def _places(record: Any, state: Any) -> Iterator[str]:
    """Camps, headquarters and the other places; an empty one with its name."""
    pieces = int(state["own"][0]) | int(state["own"][1])
    for node, name in enumerate(NODES):
        x, y = at(node)
        look = f"fill='{NEUTRAL}' stroke='{EDGE}' stroke-width='1.5'"
        if int(record["camps"]) >> node & 1:
            yield f"<circle cx='{x}' cy='{y}' r='25' {look}/>"
        else:
            yield _box(x, y, 23, 17, 5, look)
        if int(record["homes"]) >> node & 1:
            yield _box(x, y, 27, 21, 8, look.replace(NEUTRAL, "none"))
        if not pieces >> node & 1:
            yield caption(x, y + 5, name, PALE, 13)


def _men(state: Any) -> Iterator[str]:
    """Every piece with its letter."""
    for side in range(2):
        for node in range(len(NODES)):
            if int(state["own"][side]) >> node & 1:
                x, y = at(node)
                letter = (LETTERS + "?")[state["kind"][side][node]]
                yield _box(x, y, 19, 14, 14 if side == 0 else 2, f"fill='{COLOURS[side]}'")
                yield caption(x, y + 7, letter, "#ffffff", 19, bold=True)


def _frame(node: int, left: bool) -> str:
    """Round the place where a move ended, dashed where it was `left`."""
    dashes = " stroke-dasharray='5 4'" if left else ""
    return _box(*at(node), 23, 18, 5, f"fill='none' stroke='{INK}' stroke-width='3'{dashes}")


def _box(x: int, y: int, wide: int, high: int, corner: int, look: str) -> str:
    """A rectangle round a point, `wide` and `high` to either side of it."""
    place = f"x='{x - wide}' y='{y - high}' width='{2 * wide}' height='{2 * high}'"
    return f"<rect {place} rx='{corner}' {look}/>"
