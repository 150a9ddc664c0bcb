"""The organisers' map generator, bit for bit: the same seed gives the same map.

The order of the draws, the roundings and the ties are theirs; the steps are README 11.
"""

from functools import cache
from math import cos, isqrt, pi, sin
from typing import Any, NamedTuple

import numpy as np

from lab.errors import BadInput, bad
from lab.games.next_nation import rules
from lab.games.next_nation.geometry import centroid, corners_of, triangulate
from lab.games.next_nation.paths import complete, route
from lab.games.next_nation.rules import MOST_REGIONS, MOST_SITES
from lab.games.next_nation.state import MAP
from lab.jit import blank, kernel

Array = np.ndarray[Any, Any]
TRIES = 20_000
"""Draws for a point, on average, before the generator gives up."""
DRAWN = -1
DONE, NO_POINTS, NO_STRONGHOLDS, APART = range(4)
"""How a generation can end; APART: regions that no way joins."""
LEAST_HALF, MOST_HALF = 5, MOST_REGIONS // 2
MOST_PAIRS = (MOST_SITES - 3) // 2

# --- random numbers -----------------------------------------------------------------------------


@kernel
def sow(rng, seed):
    """11.1 Four words from a seed; as SplitMix64, but each goes on from what the last one mixed."""
    z = np.uint64(seed)
    for i in range(4):
        z += np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        rng[i] = z ^ (z >> np.uint64(31))


@kernel
def rotated(word, bits):
    """A uint64 with its bits turned to the left."""
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@kernel
def draw(rng):
    """The next uint64 of xoshiro256++ (Blackman and Vigna 2021, figure 5)."""
    result = rotated(rng[0] + rng[3], 23) + rng[0]
    shifted = rng[1] << np.uint64(17)
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= shifted
    rng[3] = rotated(rng[3], 45)
    return result


@kernel
def between(rng, low, high):
    """11.1 A whole number from low to high, fewer than 2**32 of them (Lemire 2019, section 4).

    The product of a draw and their number has 96 bits: `above` holds those from bit 64 on, `below`
    the lower 64.
    """
    n = np.uint64(high - low + 1)
    threshold = (np.uint64(0) - n) % n
    while True:
        word = draw(rng)
        below = word * n
        carry = ((word & np.uint64(0xFFFFFFFF)) * n) >> np.uint64(32)
        above = ((word >> np.uint64(32)) * n + carry) >> np.uint64(32)
        if below >= threshold:
            return low + np.int64(above)


# --- the steps ----------------------------------------------------------------------------------


@kernel
def scatter(rng, half, distance, radius, x, y):
    """11.2 Place the middle and `half` pairs of points; returns for how many there is room."""
    x[0], y[0] = 0, 0
    count = 1
    for _ in range(TRIES * half):
        px, py = between(rng, -radius, radius), between(rng, -radius, radius)
        if px * px + py * py <= radius * radius and is_free(x, y, count, px, py, distance):
            x[count], y[count] = px, py
            x[count + 1], y[count + 1] = -px, -py
            count += 2
            if count > 2 * half:
                break
    return count


@kernel
def is_free(x, y, count, px, py, distance):
    """11.2 Whether no point is above or below p, or nearer than `distance`.

    As the points come in pairs, its mirror image is as free; p and the image keep apart because
    both keep from the middle, which holds them twice as far from one another.
    """
    for i in range(count):
        dx, dy = x[i] - px, y[i] - py
        if dx == 0 or dx * dx + dy * dy < distance * distance:
            return False
    return True


@kernel
def number(x, y, n):
    """11.3 Sort the points by x: their places are the regions' numbers."""
    for i in range(1, n):
        px, py = x[i], y[i]
        j = i
        while j > 0 and x[j - 1] > px:
            x[j], y[j] = x[j - 1], y[j - 1]
            j -= 1
        x[j], y[j] = px, py


@kernel
def settle(x, y, n, ring, triangles):
    """11.4 Move each point to the middle of its cell; returns the triangles that join them."""
    points = n + ring.shape[0]
    for i in range(ring.shape[0]):
        x[n + i], y[n + i] = ring[i]
    count = triangulate(x, y, points, triangles)
    corner = np.empty((3 * count, 2), np.int64)
    first = np.empty(n + 1, np.int64)
    corners_of(x, y, triangles, count, n, corner, first)
    for p in range(n):
        x[p], y[p] = centroid(corner[first[p] : first[p + 1]])
    return triangulate(x, y, points, triangles)


@kernel
def join(m, triangles, count):
    """11.5 Fill `start` and `beside`: regions are neighbours when a triangle joins their points.

    A region lies inside the ring, so each of its sides is passed once in either direction.
    """
    n = m.n
    for u in range(n + 1):
        m.start[u] = 0
    for t in range(count):
        for i in range(3):
            u, v = triangles[t, i], triangles[t, (i + 1) % 3]
            if u < n and v < n:
                m.start[u + 1] += 1
    for u in range(n):
        m.start[u + 1] += m.start[u]
    end = np.empty(n, np.int64)
    for u in range(n):
        end[u] = m.start[u]
    for t in range(count):
        for i in range(3):
            u, v = triangles[t, i], triangles[t, (i + 1) % 3]
            if u < n and v < n:
                m.beside[end[u]] = v
                end[u] += 1
    for u in range(n):
        ascend(m.beside, m.start[u], m.start[u + 1])


@kernel
def ascend(items, begin, end):
    """Sort items[begin:end], which are few."""
    for i in range(begin + 1, end):
        item = items[i]
        j = i
        while j > begin and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item


@kernel
def are_beside(m, u, v):
    """Whether two regions are neighbours."""
    found = False
    for i in range(m.start[u], m.start[u + 1]):
        found |= m.beside[i] == v
    return found


@kernel
def place_strongholds(rng, m, pairs):
    """11.6 Make strongholds of the middle and of `pairs` pairs; returns for how many is room."""
    n = m.n
    half = n // 2
    order = np.empty(half, np.int64)
    for t in range(half):
        order[t] = t
    for i in range(half - 2, 0, -1):  # counted from 0, and region 0 is not among them
        j = between(rng, 0, i)
        order[i + 1], order[j + 1] = order[j + 1], order[i + 1]
    m.place[2] = half
    count = 1
    for t in order[1:]:
        if count == 2 * pairs + 1:
            break
        if is_open(m, count, t, n - 1 - t):
            m.place[count + 2], m.place[count + 3] = t, n - 1 - t
            count += 2
    ascend(m.place, 2, count + 2)
    return count


@kernel
def is_open(m, count, t, mirror):
    """11.6 Whether t and its mirror image keep from the strongholds and from one another."""
    if are_beside(m, t, mirror):
        return False
    for i in range(2, count + 2):
        if are_beside(m, m.place[i], t) or are_beside(m, m.place[i], mirror):
            return False
    return True


@kernel
def make(m, seed, half, pairs, plan):
    """Generate one map; returns how that ended, what it found room for, and what was wanted.

    `half` of the regions and `pairs` of strongholds are drawn where they are DRAWN.
    """
    rng = np.empty(4, np.uint64)
    sow(rng, seed)
    if half == DRAWN:
        half = between(rng, plan.halves[0], plan.halves[1])
    if pairs == DRAWN:
        pairs = between(rng, plan.pairs[half, 0], plan.pairs[half, 1])
    n = 2 * half + 1
    room = n + plan.ring.shape[0] + 3
    x, y = np.empty(room, np.int64), np.empty(room, np.int64)
    placed = scatter(rng, half, plan.distance, plan.radius, x, y)
    if placed < n:
        return NO_POINTS, placed, n
    number(x, y, n)
    triangles = np.empty((2 * room, 3), np.int64)
    count = settle(x, y, n, plan.ring, triangles)
    m.seed, m.n = seed, n
    for u in range(n):
        m.x[u], m.y[u] = x[u], y[u]
    join(m, triangles, count)
    m.place[0], m.place[1] = 0, n - 1
    m.k = place_strongholds(rng, m, pairs)
    if m.k <= 2 * pairs:
        return NO_STRONGHOLDS, m.k, 2 * pairs + 1
    if not route(m):
        return APART, 1, n
    complete(m, -1)
    return DONE, n, n


# --- the same from Python -----------------------------------------------------------------------


class Plan(NamedTuple):
    """The numbers of a generation as the kernel takes them."""

    halves: Array  # int64 (2,): least and greatest half of the regions
    pairs: Array  # int64 (MOST_HALF + 1, 2): least and greatest number of pairs, by half
    distance: int
    radius: int
    ring: Array  # int64 (points around, 2)


@cache
def plan(numbers: rules.Map) -> Plan:
    """What `make` needs to know of the rules."""
    pairs = [_pairs(numbers, 2 * half + 1) for half in range(MOST_HALF + 1)]
    halves = np.array([numbers.half_min, numbers.half_max])
    return Plan(
        halves,
        np.array(pairs),
        numbers.distance,
        numbers.radius,
        ring(numbers.radius, numbers.outer),
    )


def _pairs(numbers: rules.Map, n: int) -> tuple[int, int]:
    """11.2 Least and greatest number of pairs of strongholds of n regions, beside the middle."""
    if numbers.strongholds == "share":
        least, most = -(-numbers.low * n // 100), numbers.high * n // 100
    else:
        least, most = isqrt(n - 1) + 1 + numbers.low, isqrt(n) + numbers.high
    pairs = max(0, least // 2)
    return pairs, max(pairs, (most - 1) // 2)


def ring(radius: int, points: int) -> Array:
    """11.3 The points around the regions, int64 (points, 2): half of them, and their mirror images.

    Some sines are whole but for their last digit before they are cut: the angle has to be a
    multiple of the step, as in the organisers' own.
    """
    step = 2 * pi / points
    turns = [step * i for i in range(points // 2)]
    upper = np.array([(int(1.5 * radius * cos(a)), int(1.5 * radius * sin(a))) for a in turns])
    return np.concatenate((upper, -upper))


def generate(
    numbers: rules.Map, seed: int, half: int | None = None, strongholds_half: int | None = None
) -> Array:
    """The map of a seed (-2**63 to 2**63 - 1), shape (1,) of MAP, all but `near` filled.

    `half` of the regions and of the strongholds, the middle left out, may be given; what is not
    given is drawn. Raises BadInput when the generator finds no room.
    """
    for name, value, least, most in (
        ("seed", seed, -(2**63), 2**63 - 1),
        ("half of the regions", half, LEAST_HALF, MOST_HALF),
        ("half of the strongholds", strongholds_half, 0, MOST_PAIRS),
    ):
        if value is not None and not least <= value <= most:
            raise bad(name, str(value), f"a whole number from {least} to {most}")
    m = blank(MAP)
    fixed = (DRAWN if number is None else number for number in (half, strongholds_half))
    ended, room, wanted = make(m[0], seed, *fixed, plan(numbers))
    if ended != DONE:
        raise refusal(f"map of seed {seed}", ended, room, wanted)
    return m


def refusal(where: str, ended: int, room: int, wanted: int) -> BadInput:
    """Why there is no such map."""
    things = {NO_POINTS: "points", NO_STRONGHOLDS: "strongholds", APART: "connected regions"}
    return bad(where, f"room for {room} {things[ended]}", str(wanted))
