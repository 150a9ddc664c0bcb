"""Who meets whom, on which map: the games of a tournament, the same for the same bots and seeds.

Whoever meets does so twice on the map, from both sides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from lab.errors import bad

Pairing = Literal["all", "swiss", "random"]


class Fixture(NamedTuple):
    """A game: its index in the tournament, its bots by their place in the list, its map's seed."""

    game: int
    first: int
    second: int
    seed: int


class Everybody(Sequence[Fixture]):
    """Every bot against every other on every map, from both sides, map after map.

    It holds no games: 900 bots on 50 maps play 40 million.
    """

    def __init__(self, bots: int, seeds: Sequence[int]) -> None:
        self.bots, self.seeds = bots, seeds

    def __len__(self) -> int:
        return self.bots * (self.bots - 1) * len(self.seeds)

    @overload
    def __getitem__(self, game: int) -> Fixture: ...
    @overload
    def __getitem__(self, game: slice) -> Sequence[Fixture]: ...
    def __getitem__(self, game: int | slice) -> Fixture | Sequence[Fixture]:
        if isinstance(game, slice):
            return [self[i] for i in range(len(self))[game]]
        game = range(len(self))[game]
        place, rest = divmod(game, self.bots * (self.bots - 1))
        first, second = divmod(rest, self.bots - 1)
        return Fixture(game, first, second + (second >= first), self.seeds[place])


@dataclass(frozen=True)
class Plan:
    """The games of a tournament between `bots`, on the maps of `seeds`.

    `each` is how many games a bot plays, unless everybody meets; of an odd number of bots one sits
    out in every round of a swiss tournament, and one may end two games short in a random one.
    `pairs` are games given beforehand (first, second, seed), which are then all there is.
    """

    pairing: Pairing
    bots: int
    seeds: Sequence[int] = ()
    each: int | None = None
    pairs: Sequence[tuple[int, int, int]] | None = None

    def __post_init__(self) -> None:
        if self.pairs is not None:
            return
        if self.pairing == "all" and self.each is not None:
            raise bad("games-per-bot", str(self.each), "none: all meet all the others")
        if self.pairing != "all" and (self.each is None or self.each < 2 or self.each % 2):
            found = "nothing" if self.each is None else str(self.each)
            wanted = f"an even number for --pairing {self.pairing}, as bots meet from both sides"
            raise bad("games-per-bot", found, wanted)

    @property
    def rounds(self) -> int:
        """How many rounds there are; only a swiss tournament's need what came out before."""
        swiss = self.pairing == "swiss" and self.pairs is None
        return (self.each or 0) // 2 if swiss else 1

    def __len__(self) -> int:
        """How many games there are."""
        if self.pairs is not None:
            return len(self.pairs)
        if self.pairing == "all":
            return len(Everybody(self.bots, self.seeds))
        meetings = (self.each or 0) // 2
        if self.pairing == "swiss":
            return 2 * meetings * (self.bots // 2)
        return 2 * (meetings * self.bots // 2)

    def round(self, number: int, past: Sequence[tuple[Fixture, float]]) -> Sequence[Fixture]:
        """The games of a round; `past` are those of the rounds before, with the first's score."""
        if self.pairs is not None:
            return [Fixture(game, *pair) for game, pair in enumerate(self.pairs)]
        if self.pairing == "all":
            return Everybody(self.bots, self.seeds)
        rng = np.random.Generator(np.random.PCG64([self.seeds[0], self.seeds[-1], number]))
        if self.pairing == "swiss":
            met, order = _standings(self.bots, past, rng)
            meetings = _neighbours(met, order)
        else:
            met = np.zeros((self.bots, self.bots), np.int64)
            meetings = _drawn(self.bots, (self.each or 0) // 2, rng)
        return self._both_sides(len(past), meetings, met)

    def _both_sides(
        self, game: int, meetings: Sequence[tuple[int, int]], met: npt.NDArray[np.int64]
    ) -> list[Fixture]:
        """Each meeting on a map of its own; who meets again goes on to the next map."""
        fixtures: list[Fixture] = []
        for one, other in meetings:
            low, high = sorted((one, other))
            start = np.random.PCG64([self.seeds[0], self.seeds[-1], low, high]).random_raw()
            seed = self.seeds[(int(start) + int(met[one, other])) % len(self.seeds)]
            for first, second in ((one, other), (other, one)):
                met[first, second] += 1
                fixtures.append(Fixture(game + len(fixtures), first, second, seed))
        return fixtures


def _drawn(bots: int, meetings: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Random pairs in which every bot stands `meetings` times, or one of them once less.

    The bots are shuffled as often as that; neighbours meet. Who is left over is the first of the
    next shuffle, and meets the next but one where it would meet itself.
    """
    found: list[tuple[int, int]] = []
    left: list[int] = []
    for _ in range(meetings):
        row = left + rng.permutation(bots).tolist()
        if left and row[0] == row[1]:
            row[1], row[2] = row[2], row[1]
        found += zip(row[0::2], row[1::2], strict=False)
        left = row[-1:] if len(row) % 2 else []
    return found


def _standings(
    bots: int, past: Sequence[tuple[Fixture, float]], rng: np.random.Generator
) -> tuple[npt.NDArray[np.int64], list[int]]:
    """How often each has met each, and all bots by their score, equal ones by lot.

    The score is that of a game, since who sat out has played fewer. Of an odd number the last one
    of those that have played most sits out.
    """
    points, played = np.zeros(bots), np.zeros(bots)
    met = np.zeros((bots, bots), np.int64)
    for (_, first, second, _), score in past:
        points[first] += score
        points[second] += 1 - score
        played[[first, second]] += 1
        met[first, second] += 1
    rate = np.divide(points, played, out=np.full(bots, 0.5), where=played > 0)
    order: list[int] = np.lexsort((rng.permutation(bots), -rate)).tolist()
    if bots % 2:
        order.remove(max(reversed(order), key=lambda bot: played[bot]))
    return met, order


def _neighbours(met: npt.NDArray[np.int64], order: list[int]) -> list[tuple[int, int]]:
    """From the top, everybody meets the next below of those that it has met least."""
    found = []
    while order:
        one, *rest = order
        other = min(rest, key=lambda bot: met[one, bot])
        found.append((one, other))
        order = [bot for bot in rest if bot != other]
    return _eased(found, met)


def _eased(found: list[tuple[int, int]], met: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Where those at the end have met often, they change partners with a pair above them."""
    for low in reversed(range(len(found))):
        for high in reversed(range(low)):
            (a, b), (c, d) = found[high], found[low]
            ways = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
            found[high], found[low] = min(ways, key=lambda way: met[way[0]] + met[way[1]])
    return found
