"""Blocks of games: what a confirmation, a comparison and a matrix are made of.

A block is a function of what names it, so it makes no difference who plays it, or when. A finished
one is kept whole, so that what is killed goes on behind it.
"""

import io
import json
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from lab import selfplay
from lab.rules import Rules

SIZE = 2_000
"""Games in a block: at most so many are lost by a kill."""
WORTH_SHARING = 1000
"""Games of a pairing for which workers are worth their start."""

Outcomes = tuple[pl.DataFrame, selfplay.Sums]
"""A row a game, and the sums of the game's curves, as lab.selfplay.play gives them."""


class Block(NamedTuple):
    """Some games of one pairing on one bank of seeds."""

    rules: Rules
    first: str
    second: str
    bank: int
    games: range

    @property
    def about(self) -> dict[str, Any]:
        """What the block is, as plain data."""
        return {
            "rules": self.rules.fingerprint,
            "first": self.first,
            "second": self.second,
            "bank": self.bank,
            "games": [self.games.start, self.games.stop],
        }

    @property
    def name(self) -> str:
        """The same in 32 hex digits."""
        return blake2b(json.dumps(self.about).encode(), digest_size=16).hexdigest()

    def play(self, jobs: int) -> Outcomes:
        workers = jobs if len(self.games) >= WORTH_SHARING else 1
        rules, first, second, bank, games = self
        return joined(selfplay.play(rules, first, second, games, bank, workers))


def cut(block: Block) -> list[Block]:
    """The same games in blocks of at most SIZE."""
    pieces = selfplay.blocks_of(block.games.start, block.games.stop, SIZE)
    return [block._replace(games=games) for games in pieces]


def joined(pieces: Iterator[Outcomes] | Sequence[Outcomes]) -> Outcomes:
    """Pieces one behind the other as one."""
    frames, sums = zip(*pieces, strict=True)
    return pl.concat(frames), sum(sums)


def pack(outcomes: Outcomes) -> bytes:
    """A Parquet file of the games; the sums are in its metadata."""
    frame, sums = outcomes
    file = io.BytesIO()
    told = {"shape": sums.shape, "sums": sums.ravel().tolist()}
    frame.write_parquet(file, metadata={"curves": json.dumps(told)})
    return file.getvalue()


def unpack(data: bytes) -> Outcomes:
    """What was packed; LookupError, ValueError or PolarsError where nothing was."""
    told = json.loads(pl.read_parquet_metadata(io.BytesIO(data))["curves"])
    return pl.read_parquet(io.BytesIO(data)), np.reshape(told["sums"], told["shape"])
