"""The board of the plain reference of junqi: nodes, rails, roads, and where a piece gets on them.

Numbers in docstrings are the sections of lab/games/junqi/README.md.
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import combinations, pairwise
from typing import Any

COLUMNS = "ABCDE"
ROWS = range(1, 13)
STATIONS = ["AF", "CF", "EF"]
NODES = [
    *(f"{column}{row}" for row in ROWS[:6] for column in COLUMNS),
    *STATIONS,
    *(f"{column}{row}" for row in ROWS[6:] for column in COLUMNS),
]
"""1.1 In the order in which they are told."""

Edges = set[frozenset[str]]


def turned(node: str) -> str:
    """1.1 Where a node is when the board was turned by half a round."""
    return NODES[len(NODES) - 1 - NODES.index(node)]


def seen_from(seat: int, node: str) -> int:
    """10 The number of a node as the seat counts."""
    return NODES.index(turned(node) if seat else node)


def row_of(seat: int, node: str) -> int:
    """The row, counted from the seat's own back row; a station has none."""
    return int((turned(node) if seat else node)[1:])


def half_of(node: str) -> int | None:
    """1.1 Whose half a node is in, None for a station."""
    if node in STATIONS:
        return None
    return 0 if int(node[1:]) <= 6 else 1


def half(seat: int) -> list[str]:
    return [node for node in NODES if half_of(node) == seat]


def spot(node: str) -> tuple[int, int]:
    """Where a node is on the drawn board: its column, and its row with the stations' counted."""
    row = 7 if node in STATIONS else int(node[1:])
    return COLUMNS.index(node[0]), row + (half_of(node) == 1)


def is_straight(one: str, middle: str, other: str) -> bool:
    """Whether three neighbours are in a straight line."""
    ends = zip(spot(one), spot(other), strict=True)
    return tuple(2 * place for place in spot(middle)) == tuple(sum(two) for two in ends)


class Board:
    """`rules` is the "board" of the complete "rules" object."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.camps = set(rules["camps"])
        self.headquarters = set(rules["headquarters"])
        self.lines = lines(rules)
        self.rail_edges = {frozenset(two) for line in self.lines for two in pairwise(line)}
        self.road_edges = road_edges(self.camps) - self.rail_edges
        self.rail = neighbours(self.rail_edges)
        self.road = neighbours(self.road_edges)

    def targets(self, start: str, engineer: bool, stood: AbstractSet[str]) -> set[str]:
        """4.1 Where a piece gets from `start`, the nearest of the nodes where others stand too."""
        by_rail = self.roam(start, stood) if engineer else self.run(start, stood)
        return self.road[start] | by_rail

    def run(self, start: str, stood: AbstractSet[str]) -> set[str]:
        """1.3 4.1 Straight on in one direction: lines that continue each other are one."""
        found = set()
        for before, node in ((start, first) for first in self.rail[start]):
            found.add(node)
            while node not in stood:
                ahead = [other for other in self.rail[node] if is_straight(before, node, other)]
                if not ahead:
                    break
                before, node = node, ahead[0]
                found.add(node)
        return found

    def roam(self, start: str, stood: AbstractSet[str]) -> set[str]:
        """4.1 By any rails, round corners."""
        found: set[str] = set()
        waiting = [start]
        while waiting:
            for node in self.rail[waiting.pop()] - found:
                found.add(node)
                if node not in stood:
                    waiting.append(node)
        return found - {start}


def lines(rules: dict[str, Any]) -> list[list[str]]:
    """1.3"""
    found = [list(rail["nodes"]) for rail in rules["rails"]]
    if rules["center_rail"]:
        found.append(["C6", "CF", "C7"])
    if rules["camp_rail"]:
        for column in "BD":
            found.append([f"{column}{row}" for row in range(2, 7)])
            found.append([f"{column}{row}" for row in range(7, 12)])
    return found


def road_edges(camps: AbstractSet[str]) -> Edges:
    """1.4 Those under rails too."""
    found: Edges = set()
    for seat in (0, 1):
        for one, other in combinations(half(seat), 2):
            across = abs(COLUMNS.index(one[0]) - COLUMNS.index(other[0]))
            along = abs(int(one[1:]) - int(other[1:]))
            diagonal = across == along == 1 and (one in camps or other in camps)
            if across + along == 1 or diagonal:
                found.add(frozenset((one, other)))
    for station in STATIONS:
        for row in (6, 7):
            found.add(frozenset((station, f"{station[0]}{row}")))
    return found


def neighbours(edges: Iterable[frozenset[str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {node: set() for node in NODES}
    for edge in edges:
        for node in edge:
            found[node] |= edge - {node}
    return found
