"""Maps as the organisers' text, and maps in the slots of a record."""

import re
from itertools import pairwise
from typing import Any

import numpy as np

from lab.errors import BadInput, bad
from lab.games.next_nation.generator import LEAST_HALF
from lab.games.next_nation.paths import complete, find, route
from lab.games.next_nation.rules import MOST_REGIONS, MOST_SITES
from lab.games.next_nation.state import MAP, NONE
from lab.jit import blank

Array = np.ndarray[Any, Any]
FARTHEST = 15_000
"""No centre of a generated map has a greater coordinate."""

# --- writing ------------------------------------------------------------------------------------


def lines(m: Any, in_log: bool = False) -> list[str]:
    """A map (record of MAP) in the organisers' format: as in a file, or as inside a log.

    n and k; the x of every region; the y; the strongholds; then the neighbours of each region,
    behind how many they are.
    """
    n = int(m["n"])
    start = m["start"]
    rows = [m["x"][:n], m["y"][:n], m["place"][2 : 2 + m["k"]]]
    rows += [[start[u + 1] - start[u], *m["beside"][start[u] : start[u + 1]]] for u in range(n)]
    told = [f"{n} {m['k']}", *(" ".join(map(str, row)) for row in rows)]
    told[3] = f"STRONGHOLDS {told[3]}" if in_log else told[3]
    return told


def text(m: Any) -> str:
    """A map as a file of the organisers' format."""
    return "\n".join(lines(m)) + "\n"


# --- reading ------------------------------------------------------------------------------------


def parse(text: str, where: str, first: int = 1) -> Array:
    """A map of either form, shape (1,) of MAP, all but `near` filled; its seed is -1: unknown.

    CRLF, blank lines at the end and any order within a row of regions are fine. Raises BadInput
    that names `where` and the line; `first` is the number of the text's first line.
    """
    rows = _Rows(text, where, first)
    m = blank(MAP)
    n, k = _read_size(rows)
    m["seed"], m["n"], m["k"] = NONE, n, k
    _read_centres(rows, m[0], n)
    strongholds = rows.take(f"{k} strongholds", k, "STRONGHOLDS")
    m["place"][0, : k + 2] = 0, n - 1, *rows.regions(strongholds, 1, n - 2)
    _read_neighbours(rows, m[0], n)
    rows.end()
    if not route(m[0]):
        raise bad(where, "regions that no way joins", "a map in one piece")
    complete(m[0], NONE)
    return m


def _read_size(rows: "_Rows") -> tuple[int, int]:
    n, k = rows.take("N and K", 2)
    least = 2 * LEAST_HALF + 1
    if not least <= n <= MOST_REGIONS or n % 2 == 0:
        raise rows.wrong(f"{n} regions", f"an odd number from {least} to {MOST_REGIONS}")
    most = min(n, MOST_SITES) - 3
    if not 1 <= k <= most or k % 2 == 0:
        raise rows.wrong(f"{k} strongholds", f"an odd number from 1 to {most}")
    return n, k


def _read_centres(rows: "_Rows", m: Any, n: int) -> None:
    for axis in ("x", "y"):
        m[axis][:n] = rows.within(rows.take(f"{n} numbers", n), -FARTHEST, FARTHEST)
    seen: dict[tuple[int, int], int] = {}
    for u, centre in enumerate(zip(m["x"][:n].tolist(), m["y"][:n].tolist(), strict=True)):
        if centre in seen:
            raise rows.wrong(f"region {u} on top of region {seen[centre]}", "a place of its own")
        seen[centre] = u


def _read_neighbours(rows: "_Rows", m: Any, n: int) -> None:
    """The neighbours of every region; each has to name the other."""
    told: list[list[int]] = []
    for u in range(n):
        count, *others = rows.take(f"the neighbours of region {u}, behind how many they are")
        if count != len(others) or not count:
            raise rows.wrong(f"{len(others)} neighbours", f"{count or 'some'} of region {u}")
        if u in others:
            raise rows.wrong(f"region {u} beside itself", "other regions")
        told.append(rows.regions(others, 0, n - 1))
    if sum(map(len, told)) > len(m["beside"]):
        raise rows.wrong("too many neighbours", f"{len(m['beside'])} on the whole map at most")
    for u, others in enumerate(told):
        for v in others:
            if u not in told[v]:
                line = rows.line - n + 1 + u
                raise bad(f"{rows.where}:{line}", f"{v} beside {u}", f"{u} beside {v} too")
    m["start"][1 : n + 1] = np.cumsum([len(others) for others in told])
    m["beside"][: m["start"][n]] = np.concatenate(told)


class _Rows:
    """A map's lines one by one, as whole numbers."""

    def __init__(self, text: str, where: str, first: int) -> None:
        self.lines = text.rstrip().split("\n")
        self.where = where
        self.first = first
        self.taken = 0

    @property
    def line(self) -> int:
        """The number of the line taken last."""
        return self.first + self.taken - 1

    def wrong(self, found: str, expected: str) -> BadInput:
        return bad(f"{self.where}:{self.line}", found, expected)

    def take(self, expected: str, count: int | None = None, word: str = "") -> list[int]:
        """The numbers of the next line, behind a word that may stand there."""
        self.taken += 1
        if self.taken > len(self.lines):
            raise self.wrong("the end", expected)
        words = self.lines[self.taken - 1].split()
        if word and words[:1] == [word]:
            del words[0]
        for text in words:
            if not re.fullmatch(r"-?[0-9]{1,9}", text):
                raise self.wrong(repr(text), "a whole number")
        if not words or len(words) != (count or len(words)):
            raise self.wrong(f"{len(words)} numbers", expected)
        return [int(text) for text in words]

    def within(self, values: list[int], low: int, high: int) -> list[int]:
        """The values, each of which has to lie in a range."""
        for value in values:
            if not low <= value <= high:
                raise self.wrong(str(value), f"numbers from {low} to {high}")
        return values

    def regions(self, values: list[int], low: int, high: int) -> list[int]:
        """The values ascending, which have to be different regions."""
        ascending = sorted(self.within(values, low, high))
        for before, after in pairwise(ascending):
            if before == after:
                raise self.wrong(f"region {after} twice", "each region once")
        return ascending

    def end(self) -> None:
        if self.taken < len(self.lines):
            self.taken += 1
            raise self.wrong("more lines", "the end of the map")


# --- in a record --------------------------------------------------------------------------------


def put(record: Any, slot: int, m: Any) -> None:
    """Copy a map (record of MAP) into a slot of a rules record."""
    record["maps"][slot] = m
    find(record["maps"][slot], sight(record))


def sight(record: Any) -> int:
    """Regions that one sees far, NONE where one sees everything."""
    return int(record["information"]["hops"]) if record["information"]["vision"] else NONE
