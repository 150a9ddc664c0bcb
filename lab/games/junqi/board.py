"""1. The board as tables, and the battles of 5 as one, made once for each set of rules."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from lab.games.junqi.rules import KINDS, NODES, STATIONS, Junqi, along, spot
from lab.games.junqi.state import (
    BOMB,
    BOTH_GO,
    ENGINEER,
    FALLS,
    FLAG,
    FLAG_TAKEN,
    MEN,
    MINE,
    OUTCOMES,
    RANKED,
    STAYS,
)

Edge = frozenset[str]
FAR = 99
"""Steps to where no way leads."""
STRIDES = 8
DIRECTIONS = ((0, 2), (2, 0), (0, -2), (-2, 0))
"""Of rays: the first two go up in the order of nodes."""

DERIVED = {
    "camps": (np.uint64, ()),
    "homes": (np.uint64, ()),  # the headquarters
    "rails": (np.uint64, ()),  # nodes with rail
    "road": (np.uint64, (64,)),  # node: nodes a step of road away
    "near": (np.uint64, (64,)),  # node: nodes a step of road or rail away
    "stride": (np.uint64, (STRIDES,)),  # how far apart the ends of such a step are numbered ...
    "starts": (np.uint64, (STRIDES,)),  # ... and the nodes at which such steps start
    "strides": (np.int64, ()),  # how many of these there are
    "ray": (np.uint64, (64, 4)),  # node, direction: nodes straight along a rail
    "beside": (np.uint64, (64,)),  # node: nodes a step of rail away
    "places": (np.int64, (2, MEN)),  # side: nodes of its set-up as it counts them (3.1)
    "men": (np.int64, ()),  # how many those are
    "stands": (np.uint64, (len(KINDS),)),  # kind: places where it may stand, as bits of men (3.1)
    "counts": (np.int64, (len(KINDS),)),
    "ranks": (np.int64, (len(KINDS),)),
    "fate": (np.int8, (len(KINDS), len(KINDS))),  # attacker, defender: one of the outcomes (5)
    "attackers": (np.uint64, (len(KINDS), OUTCOMES)),  # defender, outcome: kinds that had it
    "defenders": (np.uint64, (len(KINDS), OUTCOMES)),  # attacker, outcome
    "way": (np.int64, (64, 64)),  # steps from node to node on the empty board
}


def prepare(record: Any, document: Junqi, seed: int, games: range) -> None:
    """Fill the tables of DERIVED into a packed rules record."""
    board, rails = document.board, rail_edges(document)
    roads = road_edges(document) - rails
    record["camps"], record["homes"] = mask(board.camps), mask(board.headquarters)
    record["rails"] = mask({node for edge in rails for node in edge})
    for n, node in enumerate(NODES):
        record["road"][n] = mask(beside(node, roads))
        record["beside"][n] = mask(beside(node, rails))
        record["ray"][n] = [mask(ray(node, step, rails)) for step in DIRECTIONS]
    ends = [sorted(NODES.index(node) for node in edge) for edge in rails | roads]
    strides = sorted({last - first for first, last in ends})
    record["strides"], record["stride"][: len(strides)] = len(strides), strides
    for i, stride in enumerate(strides):
        record["starts"][i] = sum(1 << a for a, b in ends if b - a == stride)
    for side in range(2):
        places = [NODES.index(node) for node in document.places(side)]
        record["places"][side, : len(places)] = places
    record["men"] = len(document.places())
    record["counts"] = document.counts()
    record["ranks"][:RANKED] = list(document.rank.model_dump().values())
    set_ways(record, roads | rails)
    set_places(record, document)
    set_battles(record, document)


def mask(nodes: Iterable[str]) -> np.uint64:
    """The uint64 with these nodes' bits."""
    return np.uint64(sum(1 << NODES.index(node) for node in set(nodes)))


def rail_edges(document: Junqi) -> set[Edge]:
    """1.3 Every two nodes that follow one another on a line of rail."""
    lines: list[Sequence[str]] = [rail.nodes for rail in document.board.rails]
    if document.board.center_rail:
        lines.append(["C6", "CF", "C7"])
    if document.board.camp_rail:
        lines += [
            [f"{column}{row}" for row in rows]
            for column in "BD"
            for rows in (range(2, 7), range(7, 12))
        ]
    return {frozenset(pair) for line in lines for pair in pairwise(line)}


def road_edges(document: Junqi) -> set[Edge]:
    """1.4 Neighbours in a row or a column, and camps with their diagonal neighbours."""
    edges = set()
    for one in NODES:
        for other in NODES:
            (x, y), (u, v) = spot(one), spot(other)
            diagonal = abs(x - u) == abs(y - v) == 2
            camp = one in document.board.camps and other not in STATIONS
            if along(one, other) or (diagonal and camp):
                edges.add(frozenset((one, other)))
    return edges


def beside(node: str, edges: set[Edge]) -> set[str]:
    """The other ends of a node's edges."""
    return {other for edge in edges if node in edge for other in edge - {node}}


def neighbours(edges: set[Edge]) -> dict[str, set[str]]:
    """Every node with those beside it."""
    return {node: beside(node, edges) for node in NODES}


def ray(node: str, step: tuple[int, int], rails: set[Edge]) -> list[str]:
    """The nodes that a rail leads to straight from a node."""
    found: list[str] = []
    while True:
        last = found[-1] if found else node
        ahead = [other for other in beside(last, rails) if along(last, other) == step]
        if not ahead:
            return found
        found += ahead


def set_ways(record: Any, edges: set[Edge]) -> None:
    """How far it is from every node to every other, and which are one step away."""
    near = neighbours(edges)
    record["way"] = FAR
    for n, node in enumerate(NODES):
        record["near"][n] = mask(near[node])
        for other, steps in ways(node, near).items():
            record["way"][n, NODES.index(other)] = steps


def ways(node: str, near: dict[str, set[str]]) -> dict[str, int]:
    """Steps to every node that can be reached."""
    found, edge = {node: 0}, {node}
    while edge:
        edge = {new for old in edge for new in near[old]} - found.keys()
        found |= dict.fromkeys(edge, max(found.values()) + 1)
    return found


def set_places(record: Any, document: Junqi) -> None:
    """3.1 Where each kind may stand, the same for both sides as each counts its places."""
    places = document.places()
    for k, kind in enumerate(KINDS):
        record["stands"][k] = sum(1 << places.index(node) for node in document.stands(kind))


def set_battles(record: Any, document: Junqi) -> None:
    """5. What becomes of each attacker at each defender, and who may be behind an outcome."""
    for one in range(len(KINDS)):
        for other in range(len(KINDS)):
            fate = battle(document, one, other)
            record["fate"][one, other] = fate
            record["attackers"][other, fate] |= np.uint64(1 << one)
            record["defenders"][one, fate] |= np.uint64(1 << other)


def battle(document: Junqi, attacker: int, defender: int) -> int:
    """5. The outcome; mines and flags never attack, and are told as if they were of no rank."""
    rules, ranks = document.battle, [*document.rank.model_dump().values(), 0, 0, 0]
    if defender == FLAG and (attacker != BOMB or rules.bomb_on_flag == "wins"):
        return FLAG_TAKEN
    if BOMB in (attacker, defender):
        return BOTH_GO
    if defender == MINE:
        if attacker == ENGINEER:
            return STAYS
        return BOTH_GO if rules.mine == "both_go" else FALLS
    if ranks[attacker] == ranks[defender]:
        return BOTH_GO
    return STAYS if ranks[attacker] > ranks[defender] else FALLS
