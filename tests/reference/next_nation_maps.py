"""The maps of NEXT NATION once more, in plain Python and from the game's README alone.

Numbers in docstrings are the sections of lab/games/next_nation/README.md. Every number is a whole
Python int or an exact fraction, but for two angles, of which only the order or the whole part
counts.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from heapq import heappop, heappush
from math import atan2, cos, isqrt, pi, sin
from typing import Any

Point = tuple[int, int]
Triangle = tuple[int, int, int]
WORD = 2**64
SUPER: tuple[Point, ...] = ((-300_000, -300_000), (300_000, -300_000), (0, 300_000))
TRIES = 20_000


class Map:
    """A map: `x`, `y`, `adjacency` by region, neighbours and strongholds ascending."""

    def __init__(
        self, seed: int, centres: list[Point], strongholds: list[int], adjacency: list[list[int]]
    ) -> None:
        self.seed = seed
        self.n, self.k = len(centres), len(strongholds)
        self.x, self.y = [x for x, _ in centres], [y for _, y in centres]
        self.strongholds, self.adjacency = strongholds, adjacency
        self.sites = [0, *strongholds, self.n - 1]
        self._towards: dict[int, list[int]] = {}

    def __deepcopy__(self, memo: Any) -> "Map":
        """A map never changes: games share it."""
        return self

    def edge(self, u: int, v: int) -> int:
        """1.3 The length of an edge."""
        square = (self.x[u] - self.x[v]) ** 2 + (self.y[u] - self.y[v]) ** 2
        whole = isqrt(square)
        return whole if whole * whole == square else whole + 1

    @cached_property
    def edges(self) -> list[list[tuple[int, int]]]:
        """Of each region, the neighbours with the lengths of the edges."""
        return [[(v, self.edge(u, v)) for v in beside] for u, beside in enumerate(self.adjacency)]

    def distances(self, target: int) -> list[int]:
        """1.3 The distance of every region from one (Dijkstra)."""
        found: dict[int, int] = {}
        queue = [(0, target)]
        while queue:
            far, u = heappop(queue)
            if u in found:
                continue
            found[u] = far
            for v, length in self.edges[u]:
                if v not in found:
                    heappush(queue, (far + length, v))
        return [found[u] for u in range(self.n)]

    def hop(self, u: int, target: int) -> int:
        """1.4 Where a warrior in u on its way to the target steps; the target itself in it."""
        if target not in self._towards:
            far = self.distances(target)
            hops = [min((far[v] + length, v) for v, length in beside)[1] for beside in self.edges]
            hops[target] = target
            self._towards[target] = hops
        return self._towards[target][u]

    @cached_property
    def hq_hops(self) -> int:
        """10 The days that a warrior walks from region 0 to the last one."""
        days, region = 0, 0
        while region != self.n - 1:
            region = self.hop(region, self.n - 1)
            days += 1
        return days


def text(found: Map) -> str:
    """The organisers' file form of a map."""
    rows = [[found.n, found.k], found.x, found.y, found.strongholds]
    rows += [[len(beside), *beside] for beside in found.adjacency]
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def parse(lines: list[str], seed: int = -1) -> Map:
    """A map from the rows of its file or of a log, without any check."""
    head, *rows = [
        [int(word) for word in line.removeprefix("STRONGHOLDS").split()] for line in lines
    ]
    assert (len(rows), len(rows[2])) == (head[0] + 3, head[1])
    centres = list(zip(rows[0], rows[1], strict=True))
    return Map(seed, centres, rows[2], [row[1:] for row in rows[3:]])


def generate(
    map_rules: dict[str, Any],
    seed: int,
    half: int | None = None,
    strongholds_half: int | None = None,
) -> Map:
    """11 The map of a seed; a half that is given is not drawn.

    ValueError, such as "13 of 15", where a seed fails: how many points or strongholds found room.
    """
    draw = Random(seed)
    if half is None:
        half = draw.between(map_rules["half_min"], map_rules["half_max"])
    if strongholds_half is None:
        strongholds_half = draw.between(*_strongholds_range(map_rules, 2 * half + 1))
    points = sorted(_points(draw, map_rules, half))
    outer = _outer(map_rules)
    centres = _centres(points, outer)
    adjacency = _neighbours(centres, outer)
    return Map(seed, centres, _strongholds(draw, adjacency, 2 * strongholds_half + 1), adjacency)


class Random:
    """11.1 xoshiro256++, and bounded numbers drawn with it."""

    def __init__(self, seed: int) -> None:
        z = seed % WORD
        self.words = []
        for _ in range(4):
            z = (z + 0x9E3779B97F4A7C15) % WORD
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
            z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
            self.words.append(z ^ z >> 31)

    def word(self) -> int:
        a, b, c, d = self.words
        drawn = (_rotated((a + d) % WORD, 23) + a) % WORD
        c ^= a
        d ^= b
        self.words = [a ^ d, b ^ c, c ^ (b << 17) % WORD, _rotated(d, 45)]
        return drawn

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        while True:
            high, low = divmod(self.word() * n, WORD)
            if low >= n or low >= (WORD - n) % n:
                return high

    def between(self, low: int, high: int) -> int:
        """A number from low to high."""
        return low + self.below(high - low + 1)


def _rotated(word: int, by: int) -> int:
    return (word << by | word >> 64 - by) % WORD


def _strongholds_range(map_rules: dict[str, Any], n: int) -> tuple[int, int]:
    """11.2 From where to where the half of the strongholds is drawn."""
    low, high = map_rules["low"], map_rules["high"]
    if map_rules["strongholds"] == "share":
        low, high = -(-low * n // 100), high * n // 100
    else:
        root = isqrt(n)
        low, high = low + root + (root * root < n), high + root
    least = max(low // 2, 0)  # 2 * half + 1 >= low
    return least, max((high - 1) // 2, least)


def _points(draw: Random, map_rules: dict[str, Any], half: int) -> list[Point]:
    """11.2 The points, in the order in which they were placed."""
    radius, distance = map_rules["radius"], map_rules["distance"]
    points, taken = [(0, 0)], {0}
    for _ in range(TRIES * half):
        if len(points) > 2 * half:
            break
        x, y = draw.between(-radius, radius), draw.between(-radius, radius)
        if (
            x not in taken
            and x * x + y * y <= radius * radius
            and all((x - a) ** 2 + (y - b) ** 2 >= distance * distance for a, b in points)
        ):
            points += [(x, y), (-x, -y)]
            taken |= {x, -x}
    else:
        if len(points) <= 2 * half:
            raise ValueError(f"{len(points)} of {2 * half + 1}")
    return points


def _outer(map_rules: dict[str, Any]) -> list[Point]:
    """11.3 The points Q: floats whose last bits count where a coordinate is nearly whole."""
    number, radius = map_rules["outer"], map_rules["radius"] * 1.5
    arcs = [i * (2 * pi / number) for i in range(number // 2)]
    first = [(int(radius * cos(arc)), int(radius * sin(arc))) for arc in arcs]
    return first + [(-x, -y) for x, y in first]


class Circle:
    """The circumcircle of a counter-clockwise triangle: numbers of the test for a point in it.

    Seen from the corner (x, y) its centre is (p, q) / (2 area), `area` twice the triangle's; a
    point at (v, w) from there is inside when it is nearer to the centre than the corner is:
    area (v^2 + w^2) < p v + q w.
    """

    def __init__(self, corner: Point, second: Point, third: Point) -> None:
        self.x, self.y = corner
        a, b = second[0] - self.x, second[1] - self.y
        c, d = third[0] - self.x, third[1] - self.y
        self.area = a * d - b * c
        self.p = (a * a + b * b) * d - (c * c + d * d) * b
        self.q = (c * c + d * d) * a - (a * a + b * b) * c

    def test(self) -> tuple[int, int, int, int, int]:
        return self.x, self.y, self.area, self.p, self.q

    def centre(self) -> Point:
        """11.4 Rounded to whole coordinates."""
        return (
            nearest(2 * self.area * self.x + self.p, 2 * self.area),
            nearest(2 * self.area * self.y + self.q, 2 * self.area),
        )


def nearest(number: int, divisor: int) -> int:
    """The whole number nearest to a fraction (its divisor above 0), halves away from zero."""
    size = (2 * abs(number) + divisor) // (2 * divisor)
    return size if number > 0 else -size


def _triangles(points: list[Point]) -> list[Triangle]:
    """11.4 Bowyer-Watson: the counter-clockwise triangles, those with corners of SUPER too."""
    corners = [*points, *SUPER]
    last = len(corners)
    first = last - 3, last - 2, last - 1
    tests = {first: Circle(*SUPER).test()}
    for new, (x, y) in enumerate(points):
        hit = [
            triangle
            for triangle, (u, v, area, p, q) in tests.items()
            if ((x - u) ** 2 + (y - v) ** 2) * area < (x - u) * p + (y - v) * q
        ]
        edges = {edge for triangle in hit for edge in _edges(triangle)}
        for triangle in hit:
            del tests[triangle]
        for u, v in edges:
            if (v, u) not in edges:
                tests[u, v, new] = Circle(corners[u], corners[v], (x, y)).test()
    return list(tests)


def _edges(triangle: Triangle) -> Iterator[tuple[int, int]]:
    a, b, c = triangle
    yield from ((a, b), (b, c), (c, a))


def _centres(points: list[Point], outer: list[Point]) -> list[Point]:
    """11.4 The centroid of each point's cell."""
    corners = [*points, *outer, *SUPER]
    cells = defaultdict(list)
    for triangle in _triangles([*points, *outer]):
        centre = Circle(*(corners[i] for i in triangle)).centre()
        for i in triangle:
            cells[i].append(centre)
    return [_centroid(point, cells[i]) for i, point in enumerate(points)]


def _centroid(point: Point, cell: list[Point]) -> Point:
    """11.4 Of the corners of a point's cell, by their angle as seen from the point."""
    x, y = point
    cell.sort(key=lambda corner: atan2(corner[1] - y, corner[0] - x))
    area = p = q = 0
    for (a, b), (c, d) in zip(cell, [*cell[1:], cell[0]], strict=True):
        part = a * d - b * c
        area += part
        p += (a + c) * part
        q += (b + d) * part
    return nearest(p, 3 * area), nearest(q, 3 * area)


def _neighbours(centres: list[Point], outer: list[Point]) -> list[list[int]]:
    """11.5 The neighbours of each region, ascending."""
    beside: list[set[int]] = [set() for _ in centres]
    for triangle in _triangles([*centres, *outer]):
        for u, v in _edges(triangle):
            if max(u, v) < len(centres):
                beside[u].add(v)
                beside[v].add(u)
    return [sorted(regions) for regions in beside]


def _strongholds(draw: Random, adjacency: list[list[int]], wanted: int) -> list[int]:
    """11.6 The regions of the strongholds, ascending."""
    last = len(adjacency) - 1
    middle = last // 2
    order = list(range(1, middle))
    for i in range(len(order) - 1, 0, -1):
        j = draw.below(i + 1)
        order[i], order[j] = order[j], order[i]
    found = {middle}
    for region in order:
        if len(found) == wanted:
            break
        mirrored = last - region
        beside = {*adjacency[region], *adjacency[mirrored]}
        if mirrored not in beside and not found & beside:
            found |= {region, mirrored}
    if len(found) < wanted:
        raise ValueError(f"{len(found)} of {wanted}")
    return sorted(found)
