"""Maps are the organisers', byte for byte; the plain-Python generator and ways are the oracle."""

import json
import os
import random
import re
from pathlib import Path

import numpy as np
import pytest

from lab import rules
from lab.errors import BadInput
from lab.games.next_nation import generator, geometry, maps, paths
from lab.games.next_nation.rules import NextNation
from lab.games.next_nation.state import MAP, NONE
from tests.reference import next_nation_maps as reference

GOLDEN = sorted((Path(__file__).parent / "golden/next_nation/maps").glob("seed_*.txt"))
SEEDS = 2_000 if os.environ.get("LAB_PROOF") else 200
FAILING = {476: "13 strongholds, expected 15", 1369: "9 strongholds, expected 11"}


def numbers(version, **changes):
    """The section /map of a rules file."""
    found = rules.load_version("next_nation", f"2026-{version}", NextNation, rules.folder())
    return found.override({f"/map/{key}": value for key, value in changes.items()}).document.map


QUALIFIER, FINAL = numbers("qualifier"), numbers("final")


# --- whole maps ---------------------------------------------------------------------------------


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_map_of_the_organisers(file):
    seed, *halves = map(int, re.findall(r"-?\d+", file.stem))
    made = generator.generate(QUALIFIER, seed, *halves)[0]
    assert maps.text(made).encode() == file.read_bytes()
    assert made["seed"] == seed


def test_there_are_maps_of_the_organisers():
    assert len(GOLDEN) == 15


@pytest.mark.parametrize(
    ("seed", "found"), [*FAILING.items(), (5948, "17 strongholds, expected 19")]
)
def test_a_seed_without_a_map(seed, found):
    with pytest.raises(BadInput, match=f"^map of seed {seed}: found room for {found}$"):
        generator.generate(QUALIFIER, seed)


@pytest.mark.parametrize("limits", [QUALIFIER, FINAL], ids=["qualifier", "final"])
def test_maps_hold_to_their_rules(limits):
    """Every seed gives one; it is its own image under half a turn; strongholds keep apart."""
    for seed in range(SEEDS if limits is QUALIFIER else SEEDS // 10):
        if limits is QUALIFIER and seed in FAILING:
            continue
        m = generator.generate(limits, seed)[0]
        n, k = int(m["n"]), int(m["k"])
        assert limits.half_min <= n // 2 <= limits.half_max
        least, most = (0.15 * n, 0.2 * n) if limits is QUALIFIER else (n**0.5 - 1, n**0.5 + 4)
        assert least <= k <= most
        beside = neighbours(m)
        for u in range(n):
            assert all(u in beside[v] for v in beside[u])
            assert [n - 1 - v for v in reversed(beside[u])] == beside[n - 1 - u]
        for axis in ("x", "y"):
            assert (m[axis][:n] == -m[axis][:n][::-1]).all()
        strongholds = m["place"][2 : k + 2].tolist()
        assert strongholds == sorted({n - 1 - t for t in strongholds})
        assert not any(v in beside[u] for u in strongholds for v in strongholds)


@pytest.mark.parametrize("limits", [QUALIFIER, FINAL], ids=["qualifier", "final"])
def test_maps_equal_those_in_plain_python(limits):
    for seed in range(1_000, 1_046 if limits is QUALIFIER else 1_004):
        assert_equal(limits, seed)


@pytest.mark.parametrize(
    "changes",
    [
        {"low": 17, "high": 17, "half_min": 25, "half_max": 30},  # not every n has such a number
        {"half_min": 5, "half_max": 9, "low": -6},
        {"radius": 2_000, "distance": 0, "outer": 8},
        {"strongholds": "root", "low": -6, "high": 4},
    ],
)
def test_maps_of_other_rules_equal_those_in_plain_python(changes):
    limits = numbers("qualifier", **changes)
    for seed in (-(2**63), -5, 11, 2**62):
        assert_equal(limits, seed)


def assert_equal(limits, seed):
    try:
        wanted = reference.generate(json.loads(limits.model_dump_json()), seed)
    except ValueError as error:
        room, number = str(error).split(" of ")
        with pytest.raises(BadInput, match=rf"found room for {room} \w+, expected {number}$"):
            generator.generate(limits, seed)
        return
    m = generator.generate(limits, seed)[0]
    assert maps.text(m) == reference.text(wanted)
    assert m["hq_hops"] == wanted.hq_hops
    n = wanted.n
    for v in random.Random(seed).sample(range(n), 5):
        assert m["hop"][: n * n].reshape(n, n)[:, v].tolist() == [
            wanted.hop(u, v) for u in range(n)
        ]


@pytest.mark.parametrize("halves", [(4, None), (125, None), (None, -1), (None, 31)])
def test_a_half_out_of_range_is_refused(halves):
    with pytest.raises(BadInput, match=r"^half of the (regions|strongholds): found "):
        generator.generate(QUALIFIER, 1, *halves)


def test_a_circle_without_room_is_refused():
    crowded = {"radius": 2_000, "distance": 1_000, "half_min": 9}  # no document may ask for it
    with pytest.raises(BadInput, match=r"^map of seed 0: found room for 13 points, expected 19$"):
        generator.generate(QUALIFIER.model_copy(update=crowded), 0, half=9)


# --- parts --------------------------------------------------------------------------------------


def test_the_points_around_are_those_of_the_organisers():
    """Their cosine of 60 degrees is a little too great, their sine of 30 a little too small."""
    upper = [(15000, 0), (14488, 3882), (12990, 7499), (10606, 10606), (7500, 12990), (3882, 14488)]
    upper += [(0, 15000), (-3882, 14488), (-7499, 12990), (-10606, 10606), (-12990, 7500)]
    upper += [(-14488, 3882)]
    assert [*map(tuple, generator.ring(10_000, 24).tolist())] == [
        *upper,
        *((-x, -y) for x, y in upper),
    ]


def test_draws_are_rejected_as_lemire_does():
    """A number that divides 2**64 badly, drawn by whole Python numbers from the same words."""
    ours, words = np.zeros(4, np.uint64), np.zeros(4, np.uint64)
    generator.sow(ours, -3)
    generator.sow(words, -3)
    n = 2**31 + 1
    for _ in range(200):
        product = int(generator.draw(words)) * n
        while product % 2**64 < 2**64 % n:
            product = int(generator.draw(words)) * n
        assert generator.between(ours, -5, n - 6) == product // 2**64 - 5


@pytest.mark.parametrize(
    ("above", "below", "rounded"),
    [
        (1, 2, 1),
        (-1, 2, -1),
        (1, -2, -1),
        (5, 4, 1),
        (-5, 4, -1),
        (3, 2, 2),
        (-7, 2, -4),
        (0, 3, 0),
    ],
)
def test_halves_are_rounded_away_from_zero(above, below, rounded):
    assert geometry.nearest(above, below) == rounded


def test_circles_are_tested_exactly():
    """Also those through the far corners, and points on the very circle, which are not inside."""
    rng = random.Random(4)
    near = [(rng.randint(-15_000, 15_000), rng.randint(-15_000, 15_000)) for _ in range(40)]
    near += [(50 * a, 50 * b) for a in (-7, -1, 1, 7) for b in (-7, -1, 1, 7)]  # on few circles
    points = [*near, *geometry.FAR]
    x, y = np.array(points).T.copy()
    triangles, tests = np.zeros((1, 3), np.int64), np.zeros((1, 8), np.int64)
    on_it = 0
    for _ in range(4_000):
        a, b, c = rng.sample(range(len(points)), 3)
        if _turn(points[a], points[b], points[c]) == 0:
            continue
        if _turn(points[a], points[b], points[c]) < 0:
            b, c = c, b
        geometry.add(x, y, triangles, tests, 0, a, b, c)
        p = rng.choice(near)
        depth = _depth(points[a], points[b], points[c], p)
        on_it += depth == 0
        assert geometry.holds(tests, 0, *p) == (depth > 0)
    assert on_it > 100


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _depth(a, b, c, p):
    """The usual determinant: above 0 when p is inside the circle through a, b, c."""
    rows = [(x - p[0], y - p[1], (x - p[0]) ** 2 + (y - p[1]) ** 2) for x, y in (a, b, c)]
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = rows
    return az * (bx * cy - by * cx) - bz * (ax * cy - ay * cx) + cz * (ax * by - ay * bx)


@pytest.mark.parametrize("square", [0, 1, 2, 4, 24, 25, 26, 2**40 - 1, 2**40, 2**40 + 1])
def test_roots_are_rounded_up(square):
    root = paths.ceil_root(square)
    assert (root - 1) ** 2 < square <= root**2 or (square, root) == (0, 0)


def test_walks_and_sight_follow_from_the_map():
    m = generator.generate(QUALIFIER, 3)[0]
    n, beside = int(m["n"]), neighbours(m)
    for site in range(m["sites"]):
        goal = int(m["place"][site])
        assert m["site"][goal] == site
        for u in range(n):
            region, days = u, 0
            while region != goal:
                region, days = int(m["hop"][region * n + goal]), days + 1
            assert m["steps"][site, u] == days
    assert (m["site"][:n] != NONE).sum() == m["sites"]
    for hops in range(3):
        paths.complete(m, hops)
        for u in range(n):
            seen = {u}
            for _ in range(hops):
                seen |= {v for w in seen for v in beside[w]}
            assert sum(1 << v for v in seen) == int.from_bytes(m["near"][u].tobytes(), "little")


def test_regions_that_no_way_joins_are_noticed():
    m = np.zeros(1, MAP)[0]
    m["n"], m["x"][:4] = 4, range(4)
    m["start"][:5], m["beside"][:4] = range(5), (1, 0, 3, 2)
    assert not paths.route(m)
    m["start"][:5], m["beside"][:6] = (0, 1, 3, 5, 6), (1, 0, 2, 1, 3, 2)
    assert paths.route(m)


def neighbours(m):
    start = m["start"]
    return [m["beside"][start[u] : start[u + 1]].tolist() for u in range(m["n"])]
