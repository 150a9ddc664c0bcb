"""A map and a position of NEXT NATION as a picture: an SVG that needs nothing else.

LEFT is blue and its warriors are round, RIGHT is orange and its warriors are pointed, so that
nothing hangs on colour alone; a number says how many stand in a region, the small one below it
their hp together. A building is a house with its level, below it its hp; a dashed one is an empty
stronghold.
"""

from collections.abc import Iterable, Iterator
from math import atan2, cos, hypot, sin, sqrt
from typing import Any

import numpy as np

from lab.games.next_nation.generator import ring
from lab.games.next_nation.geometry import corners_of, triangulate
from lab.games.next_nation.state import (
    DRAW,
    ENDINGS,
    KIND,
    LEFT,
    MOVE,
    NONE,
    RIGHT,
    RUNNING,
    TRAIN,
    UPGRADE,
    WHO,
)
from lab.jit import blank
from lab.svg import COLOURS, GROUND, INK, NEUTRAL, PALE, TINTS, caption, document

Point = tuple[float, float]
Array = np.ndarray[Any, Any]

SPREAD, LEAST_WIDTH = 110, 800
"""The regions are as wide as the root of their number times SPREAD, so that each has its room."""
MARGIN, HEADER = 16, 84
STRONGHOLD, EDGE = "#e6e2d3", "#c3c7c9"
THICK = "stroke-width='2.5'"
NAMES = ("LEFT", "RIGHT")
USUAL = (10_000, 24)
"""Radius and outer points of a map, where nobody says which."""


def cells(m: Any, radius: int = USUAL[0], outer: int = USUAL[1]) -> list[list[Point]]:
    """The corners of each region counter-clockwise, in the map's units, y upwards.

    `radius` and `outer` are those of the rules that the map was made by.
    """
    n, around = int(m["n"]), ring(radius, outer)
    points = n + len(around)
    x, y = blank(np.int64, points + 3), blank(np.int64, points + 3)
    x[:n], y[:n] = m["x"][:n], m["y"][:n]
    x[n:points], y[n:points] = around.T
    triangles = blank(np.int64, 2 * points + 3, 3)
    count = triangulate(x, y, points, triangles)
    corner, first = blank(np.int64, 3 * count, 2), blank(np.int64, n + 1)
    corners_of(x, y, triangles, count, n, corner, first)
    return [[(a, b) for a, b in corner[first[u] : first[u + 1]].tolist()] for u in range(n)]


def map_svg(m: Any, radius: int = USUAL[0], outer: int = USUAL[1]) -> str:
    """A map (record of MAP) as one SVG document: regions, strongholds, HQs."""
    board = _Board(m, radius, outer)
    marks = []
    for u, (x, y) in enumerate(board.centres):
        site = int(m["site"][u])
        colour, letter = (COLOURS[site], "LR"[site]) if site in (LEFT, RIGHT) else (PALE, "")
        marks.append("" if site == NONE else _house(x, y + 8, colour, letter))
    marks = [*_ground(board, m, {}, marks), *marks]
    seed = "" if m["seed"] == NONE else f"seed {m['seed']} · "
    told = f"{seed}{m['n']} regions · {m['k']} strongholds · {m['hq_hops']} days from HQ to HQ"
    return board.document([caption(board.width / 2, 40, told, INK, 20, bold=True), *marks])


def position_svg(record: Any, state: Any, action: int | None = None) -> str:
    """The position as one SVG document; `action`, the one that led to it, is framed or an arrow."""
    m = record["maps"][state["slot"]]
    board = _Board(m, int(record["map"]["radius"]), int(record["map"]["outer"]))
    marks = ["".join(_region(m, state, u, *centre)) for u, centre in enumerate(board.centres)]
    ground = _ground(board, m, _tints(m, state), marks)
    header = _header(record, state, board.width)
    return board.document([*header, *ground, *marks, *_order(board, m, state, action)])


class _Board:
    """A map in the picture's units, y downwards."""

    def __init__(self, m: Any, radius: int, outer: int) -> None:
        polygons = cells(m, radius, outer)
        limit = 1.5 * radius
        reach = min(limit, max(hypot(*corner) for polygon in polygons for corner in polygon))
        n = int(m["n"])
        wide = max(LEAST_WIDTH, round(SPREAD * sqrt(n)))
        scale = wide / (2 * reach)
        self.width = wide + 2 * MARGIN
        self.height = self.width + HEADER
        self.middle = (self.width / 2, HEADER + self.width / 2)
        self.clip = limit * scale

        def place(point: Point) -> Point:
            return self.middle[0] + scale * point[0], self.middle[1] - scale * point[1]

        self.cells = [[place(corner) for corner in polygon] for polygon in polygons]
        self.centres = [
            place(centre) for centre in zip(m["x"][:n].tolist(), m["y"][:n].tolist(), strict=True)
        ]

    def document(self, marks: Iterable[str]) -> str:
        x, y = self.middle
        ring = f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{self.clip:.1f}'/>"
        return document(self.width, self.height, [f"<clipPath id='ring'>{ring}</clipPath>", *marks])


# --- the line above the regions -----------------------------------------------------------------


def _header(record: Any, state: Any, width: float) -> Iterator[str]:
    """Who orders on which day, or who has won; what each side has."""
    if state["ending"] == RUNNING:
        side = int(state["side"])
        told, colour = f"{NAMES[side]} to order", COLOURS[side]
    elif state["winner"] == DRAW:
        told, colour = f"draw · {ENDINGS[state['ending']]}", INK
    else:
        side = int(state["winner"])
        told, colour = f"{NAMES[side]} wins · {ENDINGS[state['ending']]}", COLOURS[side]
    yield caption(width / 2, 34, told, colour, 22, bold=True)
    yield caption(width / 2, 58, f"day {state['day']} of {record['days']}", PALE, 16)
    for side, (x, anchor) in enumerate(((MARGIN, "start"), (width - MARGIN, "end"))):
        hq = f"HQ level {state['level'][side, side]}, {state['hp'][side, side]} hp"
        bases = int((state["level"][side, 2:] > 0).sum())
        has = f"{state['gold'][side]} gold · {state['living'][side]} warriors · {bases} bases"
        training = int(state["training"][side])
        coming = f" · {training} in training" if training else ""
        yield caption(x, 32, NAMES[side], COLOURS[side], 19, True, anchor)
        yield caption(x, 54, hq if state["level"][side, side] else "no HQ", INK, 15, anchor=anchor)
        yield caption(x, 74, has + coming, INK, 15, anchor=anchor)


# --- the regions --------------------------------------------------------------------------------


def _tints(m: Any, state: Any) -> dict[int, str]:
    """The colour of the regions where a side's building stands."""
    return {
        int(m["place"][site]): TINTS[side]
        for side in (LEFT, RIGHT)
        for site in np.flatnonzero(state["level"][side]).tolist()
    }


def _ground(board: _Board, m: Any, tints: dict[int, str], marks: list[str]) -> Iterator[str]:
    """Every region with its number, which gives way to what stands there."""
    yield f"<g clip-path='url(#ring)' stroke='{EDGE}' stroke-width='1.2'>"
    for u, polygon in enumerate(board.cells):
        plain = NEUTRAL if m["site"][u] == NONE else STRONGHOLD
        yield f"<polygon points='{_points(polygon)}' fill='{tints.get(u, plain)}'/>"
    yield "</g>"
    for u, (x, y) in enumerate(board.centres):
        yield caption(x, y - 11 if marks[u] else y + 4, str(u), PALE, 11)


def _region(m: Any, state: Any, u: int, x: float, y: float) -> Iterator[str]:
    """What stands in a region side by side: its building, LEFT's warriors, RIGHT's."""
    tokens = [*_building(state, int(m["site"][u])), *_warriors(state, u)]
    step = min(22.0, 60 / max(1, len(tokens)))
    for i, (kind, colour, inside, below) in enumerate(tokens):
        at = x + step * (i - (len(tokens) - 1) / 2)
        yield kind(at, y + 4, colour, inside)
        yield caption(at, y + 25, below, colour, 9)


def _building(state: Any, site: int) -> Iterator[tuple[Any, str, str, str]]:
    """The building on a site, if there is one; an empty stronghold."""
    if site == NONE:
        return
    raised = ["+" if int(state["raised"][side]) >> site & 1 else "" for side in (LEFT, RIGHT)]
    for side in (LEFT, RIGHT):
        if state["level"][side, site]:
            level = f"{state['level'][side, site]}{raised[side]}"
            yield _house, COLOURS[side], level, str(state["hp"][side, site])
            return
    owner = next((side for side in (LEFT, RIGHT) if raised[side]), None)
    yield _house, PALE if owner is None else COLOURS[owner], "", "+" if any(raised) else ""


def _warriors(state: Any, u: int) -> Iterator[tuple[Any, str, str, str]]:
    """How many warriors each side has in a region, and their hp."""
    for side, shape in enumerate((_disc, _diamond)):
        count = int(state["force"][side, u])
        if count:
            living = int(state["living"][side])
            here = state["place"][side, :living] == u
            hp = int(state["health"][side, :living][here].sum())
            yield shape, COLOURS[side], str(count), str(hp)


def _order(board: _Board, m: Any, state: Any, action: int | None) -> Iterator[str]:
    """The order that led here: a frame, or an arrow along a warrior's way; `end` is not shown."""
    kind, rest = divmod(-1 if action is None else int(action), KIND)
    who, value = divmod(rest, WHO)
    side = int(state["side"])
    if kind in (UPGRADE, TRAIN):
        region = value if kind == UPGRADE else int(m["place"][side])
        points = _points(board.cells[region])
        yield f"<polygon points='{points}' fill='none' stroke='{INK}' stroke-width='3'/>"
    elif kind == MOVE:
        rank = int(np.flatnonzero(state["number"][side, : state["living"][side]] == who)[0])
        way = [int(state["place"][side, rank])]
        while way[-1] != value:
            way.append(int(m["hop"][way[-1] * m["n"] + value]))
        yield from _arrow([board.centres[u] for u in way])


# --- the shapes ---------------------------------------------------------------------------------


def _points(polygon: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in polygon)


def _house(x: float, y: float, colour: str, inside: str) -> str:
    """A building with something inside, or the dashed place for one."""
    path = f"M{x - 9:.1f} {y + 9:.1f}v-14l9 -7l9 7v14z"
    if not inside:
        style = f"fill='none' stroke='{colour}' stroke-width='1.5' stroke-dasharray='3 2'"
        return f"<path d='{path}' {style}/>"
    return f"<path d='{path}' fill='{colour}'/>" + _inside(x, y, inside)


def _disc(x: float, y: float, colour: str, inside: str) -> str:
    return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='9.5' fill='{colour}'/>" + _inside(x, y, inside)


def _diamond(x: float, y: float, colour: str, inside: str) -> str:
    path = f"M{x:.1f} {y - 12.5:.1f}l12 12.5l-12 12.5l-12 -12.5z"
    return f"<path d='{path}' fill='{colour}'/>" + _inside(x, y, inside)


def _inside(x: float, y: float, text: str) -> str:
    return caption(x, y + 4.5, text, GROUND, (13, 12, 9)[min(len(text), 3) - 1], bold=True)


def _arrow(way: list[Point]) -> Iterator[str]:
    """A way from region to region with a head at its end; a ring where it ends at once."""
    (x, y), before = way[-1], way[-2:][0]
    if len(way) == 1:
        yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='16' fill='none' stroke='{INK}' {THICK}/>"
        return
    style = f"fill='none' stroke='{INK}' {THICK} stroke-linejoin='round'"
    yield f"<polyline points='{_points(way)}' {style}/>"
    turn = atan2(y - before[1], x - before[0])
    wings = [(x - 14 * cos(turn + side), y - 14 * sin(turn + side)) for side in (-0.5, 0.5)]
    yield f"<polygon points='{_points([(x, y), *wings])}' fill='{INK}'/>"
