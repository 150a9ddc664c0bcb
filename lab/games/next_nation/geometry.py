"""Delaunay triangulations and Voronoi cells in whole numbers, exact.

Coordinates are int64. Points of a map and around it lie within 15,000 of the origin, the three
corners of the triangle around all of them within 425,000; the bounds below hold for every rules
file, whose `/map/radius` is at most 10,000.
"""

import numpy as np

from lab.jit import kernel

FAR = ((-300_000, -300_000), (300_000, -300_000), (0, 300_000))
"""Corners of the triangle around everything, counter-clockwise."""
SPLIT = 20
LOW = (1 << SPLIT) - 1


@kernel
def circle(x, y, a, b, c):
    """The circle through a, b, c, which turn counter-clockwise, seen from a: its centre lies
    right / (2 area) to the right and up / (2 area) above. Returns right, up, area.

    Differences from a are at most 600,000 on each axis, so distances are below 850,000, areas below
    850,000**2 < 2**40, right and up below 2 * 850,000**3 < 2**61.
    """
    bx, by = x[b] - x[a], y[b] - y[a]
    cx, cy = x[c] - x[a], y[c] - y[a]
    at_b, at_c = bx * bx + by * by, cx * cx + cy * cy
    return cy * at_b - by * at_c, bx * at_c - cx * at_b, bx * cy - by * cx


@kernel
def add(x, y, triangles, tests, t, a, b, c):
    """Write triangle t, and what `holds` tests: a corner, then the circle's numbers in words."""
    triangles[t, 0], triangles[t, 1], triangles[t, 2] = a, b, c
    right, up, area = circle(x, y, a, b, c)
    tests[t, 0], tests[t, 1] = x[a], y[a]
    tests[t, 2], tests[t, 3], tests[t, 4] = right >> SPLIT, up >> SPLIT, area >> SPLIT
    tests[t, 5], tests[t, 6], tests[t, 7] = right & LOW, up & LOW, area & LOW


@kernel
def holds(tests, t, px, py):
    """Whether a point of the map or around it lies strictly inside the circle of a triangle.

    That is area * (dx**2 + dy**2) < right * dx + up * dy. It takes up to 80 bits; with each number
    split as high * 2**20 + low, and dx and dy at most 315,000 < 2**18.3, each of the six products
    is below 2**59, as high parts are below 2**41 and 2**20, low parts below 2**20, and squares
    below 2**38.
    """
    dx, dy = px - tests[t, 0], py - tests[t, 1]
    square = dx * dx + dy * dy
    high = tests[t, 2] * dx + tests[t, 3] * dy - tests[t, 4] * square
    low = tests[t, 5] * dx + tests[t, 6] * dy - tests[t, 7] * square
    high += low >> SPLIT
    return high > 0 or (high == 0 and low & LOW > 0)


@kernel
def triangulate(x, y, points, triangles):
    """The Delaunay triangulation of the first `points` points; returns how many triangles.

    Writes the corners of FAR behind the points. Rows of `triangles` (2 * points + 3, 3) are corners
    counter-clockwise. Bowyer and Watson 1981: each point takes the place of the triangles whose
    circles hold it, joined to the rim of the hole they leave. Points on one circle would make the
    order count; it is that of the numbers.
    """
    for i in range(3):
        x[points + i], y[points + i] = FAR[i]
    tests = np.empty((triangles.shape[0], 8), np.int64)
    rim = np.empty((triangles.shape[0], 2), np.int64)
    add(x, y, triangles, tests, 0, points, points + 1, points + 2)
    count = 1
    for p in range(points):
        edges = 0
        for t in range(count - 1, -1, -1):
            if holds(tests, t, x[p], y[p]):
                a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
                edges = open_edge(rim, edges, a, b)
                edges = open_edge(rim, edges, b, c)
                edges = open_edge(rim, edges, c, a)
                count -= 1
                for i in range(3):
                    triangles[t, i] = triangles[count, i]
                for i in range(8):
                    tests[t, i] = tests[count, i]
        for e in range(edges):
            add(x, y, triangles, tests, count, rim[e, 0], rim[e, 1], p)
            count += 1
    return count


@kernel
def open_edge(rim, edges, a, b):
    """Add an edge to the rim, or close it when its other side is there; returns how many remain."""
    for e in range(edges):
        if rim[e, 0] == b and rim[e, 1] == a:
            rim[e, 0], rim[e, 1] = rim[edges - 1, 0], rim[edges - 1, 1]
            return edges - 1
    rim[edges, 0], rim[edges, 1] = a, b
    return edges + 1


@kernel
def nearest(above, below):
    """above / below as the nearest whole number, halves away from zero; up to 2**61 each."""
    if below < 0:
        above, below = -above, -below
    if above < 0:
        return -((below - 2 * above) // (2 * below))
    return (2 * above + below) // (2 * below)


@kernel
def circumcentre(x, y, a, b, c):
    """The rounded centre of the circle through three points, no corner of FAR among them.

    All numbers are within 30,000 of one another then, numerators below 2**50.
    """
    right, up, area = circle(x, y, a, b, c)
    return nearest(right + 2 * x[a] * area, 2 * area), nearest(up + 2 * y[a] * area, 2 * area)


@kernel
def later(ux, uy, vx, vy):
    """Whether direction u comes after v on a counter-clockwise turn that begins eastwards."""
    u_low = uy < 0 or (uy == 0 and ux < 0)
    v_low = vy < 0 or (vy == 0 and vx < 0)
    if u_low != v_low:
        return u_low
    return ux * vy - uy * vx < 0


@kernel
def sort_around(corner, px, py):
    """Sort `corner` (n, 2) counter-clockwise around a point."""
    for i in range(1, corner.shape[0]):
        ux, uy = corner[i, 0], corner[i, 1]
        j = i
        while j > 0 and later(corner[j - 1, 0] - px, corner[j - 1, 1] - py, ux - px, uy - py):
            corner[j, 0], corner[j, 1] = corner[j - 1, 0], corner[j - 1, 1]
            j -= 1
        corner[j, 0], corner[j, 1] = ux, uy


@kernel
def centroid(corner):
    """The rounded centre of mass of a polygon (n, 2), by the shoelace formula."""
    area, right, up = 0, 0, 0
    for i in range(corner.shape[0]):
        ux, uy, vx, vy = corner[i - 1, 0], corner[i - 1, 1], corner[i, 0], corner[i, 1]
        part = ux * vy - vx * uy
        area += part
        right += (ux + vx) * part
        up += (uy + vy) * part
    return nearest(right, 3 * area), nearest(up, 3 * area)


@kernel
def corners_of(x, y, triangles, count, regions, corner, first):
    """Voronoi cells of points 0 to regions - 1: cell p is corner[first[p] : first[p + 1]].

    The corners (n, 2) are rounded and go counter-clockwise; there is room for three a triangle.
    """
    for p in range(regions + 1):
        first[p] = 0
    for t in range(count):
        for i in range(3):
            if triangles[t, i] < regions:
                first[triangles[t, i] + 1] += 1
    for p in range(regions):
        first[p + 1] += first[p]
    end = np.empty(regions, np.int64)
    for p in range(regions):
        end[p] = first[p]
    for t in range(count):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if min(a, b, c) < regions:
            right, up = circumcentre(x, y, a, b, c)
            for p in (a, b, c):
                if p < regions:
                    corner[end[p], 0], corner[end[p], 1] = right, up
                    end[p] += 1
    for p in range(regions):
        sort_around(corner[first[p] : first[p + 1]], x[p], y[p])
