"""Maps as the organisers' text, and maps in the slots of a record."""

from typing import Any

from lab.games.next_nation.paths import complete
from lab.games.next_nation.state import NONE


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


def put(record: Any, slot: int, m: Any) -> None:
    """Copy a map (record of MAP) into a slot of a rules record."""
    record["maps"][slot] = m
    complete(record["maps"][slot], sight(record))


def sight(record: Any) -> int:
    """Regions that one sees far, NONE where one sees everything."""
    return int(record["information"]["hops"]) if record["information"]["vision"] else NONE
