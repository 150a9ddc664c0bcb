"""1. The board as tables, made once for each set of rules."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from lab.games.ants.rules import Ants

Cell = tuple[int, int]

DERIVED = {
    "cells": (np.int64, ()),  # how many the board has
    "nest": (np.int64, (2,)),  # cell of each side's nest
    "point_mask": (np.uint64, ()),  # the resource points
    "near": (np.uint64, (64,)),  # cell: cells within a pheromone's reach
    "ring": (np.uint64, (64, 9)),  # cell, distance: cells at that distance
    "next_step": (np.int64, (2, 64, 64)),  # side, cell, target: the first step (5.3)
    "beside": (np.uint64, (2,)),  # cells next to each side's nest
    "enemy_half": (np.uint64, (2,)),  # side: cells nearer the other's nest (1.4)
    "zone": (np.uint64, (2, 8)),  # side, kind of cell as policies see it: `policies.ZONES`
    "takes_last": (np.int64, (2,)),  # side: 1 if ties go to the last cell (9)
    "cheapest": (np.int64, ()),  # AP of the cheapest action (3.2)
}


def cells_of(radius: int) -> list[Cell]:
    """1.1 The cells (q, r), ordered by q, then r."""
    span = range(-radius, radius + 1)
    return [(q, r) for q in span for r in span if abs(q + r) <= radius]


@cache
def distance(a: Cell, b: Cell) -> int:
    """1.1 Steps between two cells."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def mask_of(numbers: Iterable[int]) -> np.uint64:
    """The uint64 with these bits set."""
    return np.uint64(sum(1 << n for n in numbers))


def prepare(record: Any, document: Ants, seed: int, games: range) -> None:
    """Fill the tables of DERIVED into a packed rules record."""
    board = document.board
    cells = cells_of(board.radius)
    number = {cell: i for i, cell in enumerate(cells)}
    nests = [(q, r) for q, r in board.nests]
    record["cells"] = len(cells)
    record["nest"] = [number[nest] for nest in nests]
    record["point_mask"] = mask_of(number[q, r] for q, r in board.points)
    for i, a in enumerate(cells):
        for steps in range(2 * board.radius + 1):
            ring = mask_of(j for j, b in enumerate(cells) if distance(a, b) == steps)
            record["ring"][i, steps] = ring
            if steps <= document.pheromone.reach:
                record["near"][i] |= ring
    for side in range(2):
        mine, other = nests[side], nests[1 - side]
        record["beside"][side] = record["ring"][number[mine], 1]
        record["enemy_half"][side] = mask_of(
            i for i, c in enumerate(cells) if distance(c, other) < distance(c, mine)
        )
        mirrored = side == 1 and board.mirror_second
        record["takes_last"][side] = (board.tie_break == "highest") != mirrored
        turn = -1 if mirrored else 1
        order = [(turn * q, turn * r) for q, r in board.directions]
        for i, a in enumerate(cells):
            for j, b in enumerate(cells):
                record["next_step"][side, i, j] = number[_first_step(a, b, order)]
    for side in range(2):
        _zones(record, side)
    record["cheapest"] = min(document.turn.cost.model_dump().values())


def _zones(record: Any, side: int) -> None:
    """Each cell of the board in one zone, in the order of `policies.ZONES`."""
    other, one = 1 - side, np.uint64(1)
    board = mask_of(range(record["cells"]))
    points, enemy_half = record["point_mask"], record["enemy_half"][side]
    nest, home = one << np.uint64(record["nest"][other]), one << np.uint64(record["nest"][side])
    near = points & record["enemy_half"][other]
    zones = [near, points & ~enemy_half, points, nest, record["beside"][other], enemy_half, home]
    left = board
    for i, zone in enumerate([*zones, board]):
        record["zone"][side, i] = zone & left
        left &= ~zone


def _first_step(a: Cell, b: Cell, order: Sequence[Cell]) -> Cell:
    """5.3 The first neighbour, in direction order, that is nearer the target."""
    for q, r in order:
        there = (a[0] + q, a[1] + r)
        if distance(there, b) < distance(a, b):
            return there
    return a
