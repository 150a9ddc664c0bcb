"""The maps of a run: which seed each game plays on, and the pool on disk that holds them.

A run has a pool of POOL maps; game i plays on map i % POOL, so that equal maps are one cluster. A
file keeps up to BLOCK maps of one pool. It is kept beside the kernels' machine code and is as
expendable: what is missing or damaged is generated again.
"""

import functools
import hashlib
from contextlib import suppress
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from lab.errors import BadInput, write_atomic
from lab.games.next_nation import rules
from lab.games.next_nation.generator import DONE, DRAWN, make, plan, refusal
from lab.games.next_nation.maps import sight
from lab.games.next_nation.paths import find
from lab.games.next_nation.rules import MOST_REGIONS, MOST_SITES, NextNation
from lab.jit import blank, folder, kernel
from lab.rng import STEP, mix, stream

Array = np.ndarray[Any, Any]
POOL = 20_000
BLOCK = 512
PURPOSE = np.uint64(2)  # of the stream, beside lab.rng.CHANCE
TRIES = 64
WORTH_KEEPING = 32
"""Fewer maps are generated sooner than a file is read or written."""
LONGEST = 10 + MOST_SITES + MOST_REGIONS * (5 + 6 + MOST_SITES + MOST_REGIONS)
"""Bytes that a packed map can take."""
NO_BYTES = blank(np.uint8, 0)
SOURCES = ("geometry.py", "generator.py", "paths.py", "bank.py")

# --- which maps ---------------------------------------------------------------------------------


@kernel
def draw_seed(seed, index, attempt):
    """32 bits of the stream of a run and a place in its pool; uint64 all three."""
    return np.int64(mix(stream(seed, index, PURPOSE) + attempt * STEP) >> np.uint64(32))


def map_seed(seed: int, index: int, attempt: int = 0) -> int:
    """1.5 The generator's seed, 32 bits, of a game of a run; the next attempt's when one fails."""
    words = np.uint64(seed), np.uint64(index % POOL), np.uint64(attempt)
    return int(draw_seed(*words))


def prepare(record: Any, document: NextNation, seed: int, games: range) -> None:
    """Fill the slots of a rules record with the maps of these games, SLOTS of them at most.

    The seed in a slot tells which seeds were skipped: all of its game's before it. Raises BadInput
    when TRIES seeds in a row fail.
    """
    record["first_game"] = games.start
    record["cheapest"] = document.cheapest()
    asked = [(index % POOL, slot) for slot, index in enumerate(games)]
    for block, members in groupby(asked, lambda pair: pair[0] // BLOCK):
        slots = dict(members)
        path = _path(document.map, seed, block) if len(slots) >= WORTH_KEEPING else None
        _fill(record["maps"], slots, document.map, seed, sight(record), path)


def _fill(
    maps: Array, slots: dict[int, int], numbers: rules.Map, seed: int, hops: int, path: Path | None
) -> None:
    """Fill the slots, by index, of games in one block: from its file, else by the generator."""
    kept, blob = _read(path)
    known = [index for index in slots if index in kept]
    begins = np.array([kept[index][0] for index in known], np.int64)
    unpack(maps, np.array([slots[index] for index in known], np.int64), blob, begins, hops)
    fresh = {index: maps[slot] for index, slot in slots.items() if index not in kept}
    for index, m in fresh.items():
        _generate(m, numbers, seed, index)
        find(m, hops)
    if path is not None and len(fresh) >= WORTH_KEEPING:
        _write(path, fresh)


def _generate(m: Any, numbers: rules.Map, seed: int, index: int) -> None:
    """Make the map of a game: the first of its seeds that succeeds."""
    for attempt in range(TRIES):
        ended, room, wanted = make(m, map_seed(seed, index, attempt), DRAWN, DRAWN, plan(numbers))
        if ended == DONE:
            return
    raise refusal(f"/map: the last of {TRIES} seeds", ended, room, wanted)


# --- on disk ------------------------------------------------------------------------------------


@kernel
def pack(m, blob):
    """Write a map to bytes, all that `find` cannot fill; returns how many."""
    n, k, seed = m.n, m.k, m.seed
    for i in range(8):
        blob[i] = (seed >> (8 * i)) & 255
    blob[8], blob[9] = n, k
    at = np.int64(10)
    for u in range(n):
        for value in (m.x[u], m.y[u]):
            blob[at], blob[at + 1] = value & 255, (value >> 8) & 255
            at += 2
        blob[at] = m.start[u + 1] - m.start[u]
        at += 1
    for items, count in ((m.place[2:], k), (m.beside[:], np.int64(m.start[n]))):
        for i in range(count):
            blob[at + i] = items[i]
        at += count
    for site in range(m.sites):
        blob[at : at + n] = m.steps[site, :n]
        at += n
    blob[at : at + n * n] = m.hop[: n * n]
    return at + n * n


@kernel
def unpack(maps, slots, blob, begins, hops):
    """Fill slots with maps that `pack` wrote at these places."""
    for i in range(slots.size):
        restore(maps[slots[i]], blob, begins[i])
        find(maps[slots[i]], hops)


@kernel
def restore(m, blob, at):
    """Read back what `pack` wrote."""
    seed = np.int64(0)
    for i in range(8):
        seed |= np.int64(blob[at + i]) << (8 * i)
    n, k = np.int64(blob[at + 8]), np.int64(blob[at + 9])
    m.seed, m.n, m.k = seed, n, k
    at += 10
    m.start[0] = 0
    for u in range(n):
        m.x[u] = np.int16(np.int64(blob[at]) | (np.int64(blob[at + 1]) << 8))
        m.y[u] = np.int16(np.int64(blob[at + 2]) | (np.int64(blob[at + 3]) << 8))
        m.start[u + 1] = m.start[u] + blob[at + 4]
        at += 5
    m.place[0], m.place[1] = 0, n - 1
    for items, count in ((m.place[2:], k), (m.beside[:], np.int64(m.start[n]))):
        for i in range(count):
            items[i] = blob[at + i]
        at += count
    for s in range(k + 2):
        m.steps[s, :n] = blob[at : at + n]
        at += n
    m.hop[: n * n] = blob[at : at + n * n]


@functools.cache
def _digest(numbers: rules.Map) -> str:
    """Of all that decides a map: the numbers, and the sources of the generator and of the bank."""
    h = hashlib.blake2b(numbers.model_dump_json().encode(), digest_size=8)
    for name in SOURCES:
        h.update(Path(__file__).with_name(name).read_bytes())
    return h.hexdigest()


def _path(numbers: rules.Map, seed: int, block: int) -> Path:
    return Path(folder(), "maps", f"{_digest(numbers)}-{seed}-{block}.npz")


def _read(path: Path | None) -> tuple[dict[int, tuple[int, int]], Array]:
    """The packed maps of a file: by index, where each begins and ends; and all their bytes.

    A file that is missing, torn or not ours holds none.
    """
    nothing: dict[int, tuple[int, int]] = {}
    try:
        if path is None or not path.exists():
            return nothing, NO_BYTES
        with path.open("rb") as file, np.load(file) as found:  # zip: with check sums
            name, games, ends, blob = (found[key] for key in ("name", "games", "ends", "blob"))
    except Exception:  # noqa: BLE001  what is no such file may raise anything
        return nothing, NO_BYTES
    if str(name) != path.stem:
        return nothing, NO_BYTES
    spans = pairwise([0, *ends.tolist()])
    return dict(zip(games.tolist(), spans, strict=True)), blob


def _write(path: Path, fresh: dict[int, Any]) -> None:
    """Add maps to a file, which another worker may have made or added to meanwhile."""
    kept, blob = _read(path)
    pieces = {index: blob[begin:end] for index, (begin, end) in kept.items()}
    room = blank(np.uint8, LONGEST)
    pieces |= {index: room[: pack(m, room)].copy() for index, m in fresh.items()}
    members: dict[str, Any] = {
        "name": np.array(path.stem),
        "games": np.array([*pieces]),
        "ends": np.cumsum([piece.size for piece in pieces.values()]),
        "blob": np.concatenate([*pieces.values()]),
    }

    def write(part: Path) -> None:
        with part.open("wb") as file:
            np.savez(file, **members)

    with suppress(OSError, BadInput):  # a full or foreign folder: generated again next time
        path.parent.mkdir(exist_ok=True)
        write_atomic(path, write)
