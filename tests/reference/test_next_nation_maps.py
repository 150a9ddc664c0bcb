"""The plain generator makes the organisers' maps, byte for byte, and fails where theirs does."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.reference.next_nation_maps import Map, generate, parse, text

ROOT = Path(__file__).parents[2]
GOLDEN = sorted((ROOT / "tests/golden/next_nation/maps").glob("seed_*.txt"))


def map_rules(version: str) -> dict[str, Any]:
    file = ROOT / f"rules/next_nation/2026-{version}.json"
    rules: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["rules"]
    return dict(rules["map"])


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_maps_of_the_organisers(file: Path) -> None:
    told = file.read_bytes().decode()
    seed, *halves = map(int, re.findall(r"-?\d+", file.stem))
    assert text(generate(map_rules("qualifier"), seed, *halves)) == told
    assert text(parse(told.splitlines())) == told


def test_there_are_maps_of_the_organisers() -> None:
    assert len(GOLDEN) == 15


@pytest.mark.parametrize(
    ("seed", "found"), [(476, "13 of 15"), (1369, "9 of 11"), (5948, "17 of 19")]
)
def test_seeds_without_a_map(seed: int, found: str) -> None:
    with pytest.raises(ValueError, match=f"^{found}$"):
        generate(map_rules("qualifier"), seed)


def test_a_circle_without_room_for_the_points() -> None:
    rules = map_rules("qualifier") | {"radius": 2000, "distance": 1000}
    with pytest.raises(ValueError, match=r"^13 of 19$"):
        generate(rules, 0, half=9)


@pytest.mark.parametrize("seed", range(3))
def test_maps_of_the_final_keep_to_their_numbers(seed: int) -> None:
    made = generate(map_rules("final"), seed)
    assert made.n in range(181, 250, 2)
    assert made.n**0.5 - 1 <= made.k <= made.n**0.5 + 4
    for u, beside in enumerate(made.adjacency):
        assert all(u in made.adjacency[v] for v in beside)
        assert [made.n - 1 - v for v in reversed(beside)] == made.adjacency[made.n - 1 - u]


def test_a_range_without_an_odd_number_gives_the_next_one() -> None:
    rules = map_rules("qualifier") | {"low": 16, "high": 16}
    assert generate(rules, 0, half=25).k == 9  # from 8.16 to 8.16
    assert generate(rules | {"low": -6, "high": -6}, 0).k == 1


def test_ways_are_the_shortest_and_the_lowest_numbers_win_ties() -> None:
    #   1    a square with both diagonals missing: from 0 to 3 both ways are equally long
    # 0   3
    #   2
    square = Map(-1, [(-3, 0), (0, 4), (0, -4), (3, 0)], [], [[1, 2], [0, 3], [0, 3], [1, 2]])
    assert [square.edge(0, 1), square.distances(3)[0], square.hop(0, 3)] == [5, 10, 1]
    assert (square.hop(3, 3), square.hq_hops) == (3, 2)
    far = Map(-1, [(-3, 0), (0, 5), (0, -4), (3, 0)], [], [[1, 2], [0, 3], [0, 3], [1, 2]])
    assert (far.edge(0, 1), far.hop(0, 3)) == (6, 2)


def all_distances(made: Map) -> list[list[float]]:
    """Floyd and Warshall: another way to the same distances."""
    far = [[float("inf")] * made.n for _ in range(made.n)]
    for u, beside in enumerate(made.adjacency):
        far[u][u] = 0
        for v in beside:
            far[u][v] = made.edge(u, v)
    for w in range(made.n):
        for u in range(made.n):
            far[u] = [min(a, far[u][w] + b) for a, b in zip(far[u], far[w], strict=True)]
    return far


def test_distances_and_hops_by_another_way() -> None:
    made, rng = generate(map_rules("qualifier"), 6), Random(0)
    far = all_distances(made)
    for _ in range(500):
        u, v = rng.sample(range(made.n), 2)
        assert made.distances(v)[u] == far[u][v]
        best = [w for w in made.adjacency[u] if made.edge(u, w) + far[w][v] == far[u][v]]
        assert made.hop(u, v) == best[0]
