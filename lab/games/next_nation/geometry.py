"""Delaunay triangulations and Voronoi cells in whole numbers, exact.

Coordinates are int64. Points of a map and around it lie within 15,000 of the origin, the three
corners of the triangle around all of them within 425,000; the bounds below hold for every rules
file, whose `/map/radius` is at most 10,000.
"""

import numpy as np

from lab.jit import kernel

FAR = ((-300_000, -300_000), (300_000, -300_000), (0, 300_000))
"""Corners of the triangle around everything, counter-clockwise."""
LOW_BITS = 20


@kernel
def in_circle(x, y, a, b, c, p):
    """Whether p lies strictly inside the circle through a, b, c, which turn counter-clockwise.

    The determinant needs 82 bits. With differences d up to 600,000 a square sum s and a cross
    product are at most 2 d * d = 7.2e11 < 2**40; so s = high * 2**20 + low makes it two sums of
    three products, each below 3 * 2**20 * 2**40 < 2**62.
    """
    px, py = x[p], y[p]
    ax, ay = x[a] - px, y[a] - py
    bx, by = x[b] - px, y[b] - py
    cx, cy = x[c] - px, y[c] - py
    at_a, at_b, at_c = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    bc, ca, ab = bx * cy - cx * by, cx * ay - ax * cy, ax * by - bx * ay
    mask = (1 << LOW_BITS) - 1
    low = (at_a & mask) * bc + (at_b & mask) * ca + (at_c & mask) * ab
    high = (at_a >> LOW_BITS) * bc + (at_b >> LOW_BITS) * ca + (at_c >> LOW_BITS) * ab
    high += low >> LOW_BITS
    return high > 0 or (high == 0 and (low & mask) > 0)


@kernel
def triangulate(x, y, points, triangles):
    """The Delaunay triangulation of the first `points` points; returns how many triangles.

    Writes the three corners behind the points. Rows of `triangles` (n, 3) are corners
    counter-clockwise. Bowyer and Watson 1981: each point takes the place of the triangles whose
    circles hold it, joined to the rim of the hole they leave. Points on one circle would make the
    order count; it is that of the numbers.
    """
    for i in range(3):
        x[points + i], y[points + i] = FAR[i]
        triangles[0, i] = points + i
    rim = np.empty((triangles.shape[0], 2), np.int64)
    count = 1
    for p in range(points):
        edges = 0
        t = 0
        while t < count:
            a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
            if in_circle(x, y, a, b, c, p):
                edges = open_edge(rim, edges, a, b)
                edges = open_edge(rim, edges, b, c)
                edges = open_edge(rim, edges, c, a)
                count -= 1
                for i in range(3):
                    triangles[t, i] = triangles[count, i]
            else:
                t += 1
        for e in range(edges):
            triangles[count, 0], triangles[count, 1] = rim[e, 0], rim[e, 1]
            triangles[count, 2] = p
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

    Numerators are below 2 * 30,000 * 1.8e9 + 15,000 * 3.6e9 < 2**48.
    """
    bx, by = x[b] - x[a], y[b] - y[a]
    cx, cy = x[c] - x[a], y[c] - y[a]
    at_b, at_c = bx * bx + by * by, cx * cx + cy * cy
    area = 2 * (bx * cy - by * cx)
    right = cy * at_b - by * at_c + x[a] * area
    up = bx * at_c - cx * at_b + y[a] * area
    return nearest(right, area), nearest(up, area)


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
    first[: regions + 1] = 0
    for t in range(count):
        for i in range(3):
            if triangles[t, i] < regions:
                first[triangles[t, i] + 1] += 1
    for p in range(regions):
        first[p + 1] += first[p]
    end = first[:regions].copy()
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
