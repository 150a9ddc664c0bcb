"""The games of one pairing, walked in index order until somebody knows enough.

What is read game after game has to be independent. Of games that share a map or set-up
(`Game.cluster`) the first one counts alone, whatever it says: so every map counts once. Of games
that repeat themselves there are no more than have different histories, and when fewer than 90 %
have, as everywhere in the lab, games cannot be counted one by one.
"""

import warnings
from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from lab import selfplay
from lab.brake import Brake
from lab.catalog import load_game
from lab.rules import Rules
from lab.stats.estimate import DISTINCT_ENOUGH, Array, count_distinct

SMALLEST = 64
"""Games of the first blocks; later ones are half of what was played, so little is in vain."""


@dataclass
class Walk:
    """The first `played` games of a pairing, at most `most`; their values are not kept.

    The games are the same for any `jobs` and `chunk`; only how far a walk has come before it is
    left is not, and nobody may tell anything from that.
    """

    rules: Rules
    first: str
    second: str
    seed: int
    most: int
    jobs: int = 1
    chunk: int = selfplay.CHUNK
    played: int = 0
    _histories: list[Array] = field(default_factory=list, repr=False)
    _seen: Array = field(default_factory=lambda: np.empty(0), repr=False)

    def __post_init__(self) -> None:
        """BadInput at once where such games cannot be played."""
        self._cluster = load_game(self.rules.game).cluster
        self._play(selfplay.as_range(self.most)).close()

    @property
    def over(self) -> bool:
        """Whether all games are played."""
        return self.played >= self.most

    def block(self, brake: Brake) -> Generator[tuple[pl.DataFrame, Array]]:
        """The next games in pieces: all of them in a frame, and which rows count (a mask).

        A reader may close it between two pieces; the brake ends it behind the next one.
        """
        size = min(max(SMALLEST, self.played // 2), 4 * self.chunk * self.jobs)
        games = range(self.played, min(self.played + size, self.most))
        pieces = self._play(games)
        try:
            for frame, _ in pieces:
                self.played += frame.height
                self._histories.append(frame["history"].to_numpy())
                yield frame, self._count(frame)
                if brake.pulled:
                    return
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # joblib's, that tasks are cancelled
                pieces.close()

    def repeats(self, games: int) -> int | None:
        """How many histories the first games have, if too few to count the games one by one."""
        if self._cluster:
            return None
        self._histories = [np.concatenate(self._histories)]
        distinct = count_distinct(self._histories[0][:games])
        return distinct if distinct < DISTINCT_ENOUGH * games else None

    def _play(self, games: range) -> selfplay.Pieces:
        pair = self.first, self.second
        return selfplay.play(self.rules, *pair, games, self.seed, self.jobs, self.chunk)

    def _count(self, frame: pl.DataFrame) -> Array:
        """The first row of every cluster that was not seen before."""
        if not self._cluster:
            return np.ones(frame.height, dtype=np.bool_)
        found, place = np.unique(frame[self._cluster].to_numpy(), return_index=True)
        fresh = ~np.isin(found, self._seen)
        self._seen = np.union1d(self._seen, found) if self._seen.size else found
        counted = np.zeros(frame.height, dtype=np.bool_)
        counted[place[fresh]] = True
        return counted
