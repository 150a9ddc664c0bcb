"""README 7.1: what the words of Betza's notation mean, as tables of squares.

Ways are written for a mover at the bottom of the board. `leap` and `course` are where a piece goes
on an empty board; `leap_at` and `course_at` are from where a piece of the other side, which moves
down, hits a square. Runs are judged by the squares between two squares: none of them may be taken,
or exactly one if the piece hops. All kinds of a square lie side by side in memory.
"""

import re
from functools import cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
SLANT = ((1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS = {"W": (0, 1), "F": (1, 1), "D": (0, 2), "A": (2, 2), "N": (1, 2)}
RUNS = {"R": STRAIGHT, "B": SLANT, "Q": STRAIGHT + SLANT}
WORD = re.compile("([mcfp]*)([WFDANKRBQ])")
FILES = np.uint64(0x0101010101010101)
DIAGONAL = 0x0080402010080400
"""Gathers the six inner bits of the a-file, times this, in the top six bits."""


@cache
def ways(word: str) -> dict[str, Any]:
    """A piece's rows of the tables, by the word for its moves."""
    leap, run = np.zeros(64, np.uint64), np.zeros(64, np.uint64)
    straight = slant = 0
    for modes, atom in WORD.findall(word):
        ahead = "f" in modes
        if atom in RUNS:
            steps = [step for step in RUNS[atom] if step[1] > 0 or not ahead]
            run |= _reached(steps, 7)
            straight |= atom in "RQ"
            slant |= atom in "BQ"
        else:
            sizes = [LEAPS[one] for one in ("WF" if atom == "K" else atom)]
            steps = [step for size in sizes for step in _turns(*size) if step[1] > 0 or not ahead]
            leap |= _reached(steps, 1)
    return {
        "hops": int("p" in word),
        "straight": straight,
        "slant": slant,
        "leap": leap,
        "course": run,
        "leap_at": _from_above(leap),
        "course_at": _from_above(run),
    }


def _turns(a: int, b: int) -> set[tuple[int, int]]:
    return {(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (1, -1) for j in (1, -1)}


def _reached(steps: Any, most: int) -> Array:
    """By square, those that up to `most` steps in one direction lead to."""
    table = np.zeros(64, np.uint64)
    for square in range(64):
        for x, y in steps:
            for n in range(1, most + 1):
                file, rank = square % 8 + n * x, square // 8 + n * y
                if 0 <= file < 8 and 0 <= rank < 8:
                    table[square] |= _mask(file, rank)
    return table


def _mask(file: int, rank: int) -> np.uint64:
    return np.uint64(1 << (8 * rank + file))


def _from_above(table: Array) -> Array:
    """By square, from where a piece of the other side, whose way is down, hits it."""
    hit = np.zeros(64, np.uint64)
    for square in range(64):
        for target in range(64):
            if int(table[square]) >> target & 1:
                hit[target ^ 56] |= np.uint64(1 << (square ^ 56))
    return hit


@cache
def lines() -> dict[str, Array]:
    """The tables of empty lines and of what can be seen along them, the same for all rules."""
    between = np.zeros((64, 64), np.uint64)
    for square in range(64):
        for x, y in STRAIGHT + SLANT:
            passed, file, rank = np.uint64(0), square % 8 + x, square // 8 + y
            while 0 <= file < 8 and 0 <= rank < 8:
                between[square, 8 * rank + file] = passed
                passed |= _mask(file, rank)
                file, rank = file + x, rank + y
    row, column = np.zeros((8, 64), np.uint64), np.zeros((8, 64), np.uint64)
    for place in range(8):
        for inner in range(64):
            seen = _seen(place, inner << 1)
            row[place, inner] = np.uint64(seen) * FILES
            squares = sum(1 << 8 * i for i in range(8) if seen >> i & 1)
            hashed = sum(1 << 8 * (i + 1) for i in range(6) if inner >> i & 1) * DIAGONAL
            column[place, (hashed & (1 << 64) - 1) >> 58] = squares
    return {
        "between": between,
        "rising": _reached(((1, 1), (-1, -1)), 7),
        "falling": _reached(((1, -1), (-1, 1)), 7),
        "row": row,
        "column": column,
    }


def _seen(place: int, taken: int) -> int:
    """The places of a line of eight that a runner at `place` comes to, taken ones included."""
    seen = 0
    for step in (1, -1):
        at = place + step
        while 0 <= at < 8:
            seen |= 1 << at
            if taken >> at & 1:
                break
            at += step
    return seen
