"""Ways of a map: next regions, days from region to region, what one sees in the fog."""

import numpy as np

from lab.games.next_nation.state import NONE
from lab.jit import bit, kernel

NEVER = np.float32(2**24)
"""Farther than any way: at most 248 edges below 2**15. Below 2**24 a float32 is exact on whole
numbers, and eight of them are added at once."""


@kernel
def ceil_root(square):
    """The least whole number whose square is at least `square`, 0 to 2**52."""
    root = np.int64(np.sqrt(np.float64(square)))  # off by one at most
    while root * root < square:
        root += 1
    while root > 0 and (root - 1) * (root - 1) >= square:
        root -= 1
    return root


@kernel
def edge(m, u, v):
    """1.3 The length of the way between two neighbours, rounded up."""
    right, up = np.int64(m.x[u]) - np.int64(m.x[v]), np.int64(m.y[u]) - np.int64(m.y[v])
    return ceil_root(right * right + up * up)


@kernel
def distances(m):
    """1.3 Lengths of the shortest ways (n, n) float32, NEVER where there is none (Floyd 1962)."""
    n = m.n
    far = np.empty((n, n), np.float32)
    for u in range(n):
        for v in range(n):
            far[u, v] = NEVER
        far[u, u] = np.float32(0)
        for i in range(m.start[u], m.start[u + 1]):
            far[u, m.beside[i]] = np.float32(edge(m, u, m.beside[i]))
    onward = np.empty(n, np.float32)
    for via in range(n):
        for v in range(n):
            onward[v] = far[via, v]
        for u in range(n):
            ways, first = far[u], far[u, via]
            for v in range(n):
                ways[v] = min(ways[v], first + onward[v])
    return far


@kernel
def route(m):
    """1.4 Fill `hop`; returns whether the regions hang together.

    From u towards v leads the neighbour w with the least edge(u, w) + way(w, v), the lowest number
    on ties. No way between neighbours is shorter than their edge, as rounded sums are not either.
    """
    n = m.n
    far = distances(m)
    best = np.empty(n, np.float32)
    for u in range(n):
        for v in range(n):
            best[v] = NEVER
        hop = m.hop[u * n : u * n + n]
        for i in range(m.start[u], m.start[u + 1]):
            w = m.beside[i]
            first, onward = far[u, w], far[w]
            for v in range(n):
                way = first + onward[v]
                nearer = way < best[v]
                best[v] = way if nearer else best[v]
                hop[v] = w if nearer else hop[v]
        hop[u] = u
    joined = True
    for v in range(n):
        joined &= far[0, v] < NEVER
    return joined


@kernel
def complete(m, hops):
    """Fill all that follows from n, k, place, start, beside and hop; `near` when hops >= 0."""
    for s in range(m.k + 2):
        walk(m, m.steps[s], np.int64(m.place[s]))
    find(m, hops)


@kernel
def find(m, hops):
    """What `complete` fills beside `steps`: where the sites are, what one sees."""
    m.sites = m.k + 2
    for u in range(m.site.size):
        m.site[u] = NONE
    for s in range(m.sites):
        m.site[m.place[s]] = s
    m.hq_hops = m.steps[1, 0]
    if hops >= 0:
        look(m, hops)


@kernel
def walk(m, steps, goal):
    """Days from every region to a goal."""
    n = m.n
    for u in range(n):
        steps[u] = 0
    for u in range(n):
        v, days = np.int64(u), 0
        while v != goal and steps[v] == 0:
            v = np.int64(m.hop[v * n + goal])
            days += 1
        days += steps[v]
        v = np.int64(u)
        while v != goal and steps[v] == 0:
            steps[v] = days
            days -= 1
            v = np.int64(m.hop[v * n + goal])


@kernel
def look(m, hops):
    """8.2 Regions within so many edges of each region, as bits."""
    n = m.n
    before = np.zeros((n, 4), np.uint64)
    for u in range(n):
        before[u, u >> 6] = bit(u & 63)
        for word in range(4):
            m.near[u, word] = before[u, word]
    for _ in range(hops):
        for u in range(n):
            for i in range(m.start[u], m.start[u + 1]):
                for word in range(4):
                    m.near[u, word] |= before[m.beside[i], word]
        for u in range(n):
            for word in range(4):
                before[u, word] = m.near[u, word]
