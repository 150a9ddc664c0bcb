"""Pebbles dealt beforehand: a record holds what lies under the heaps of a few games, no more."""

from dataclasses import replace
from typing import Any

import numpy as np
from lab.games.dealt import kernel

from lab.game import Column, outcome_dtype
from lab.games import pebbles
from lab.outcomes import endless, named

BLOCK = 4
DEALS = 7


def under(seed: int, index: int, most: int) -> int:
    """What lies under the heap of a game: games that are DEALS apart are dealt the same."""
    return (seed + 3 * (index % DEALS)) % (most + 1)


def prepare(record: Any, document: pebbles.Pebbles, seed: int, games: range) -> None:
    """Slots that no game needs hold rubbish."""
    record["first_game"], record["under_of"] = games.start, 10**6
    for slot, index in enumerate(games):
        record["under_of"][slot] = under(seed, index, document.under)


GAME = replace(
    pebbles.GAME,
    name="dealt",
    derived={"first_game": (np.int64, ()), "under_of": (np.int64, (BLOCK,))},
    prepare=prepare,
    outcome=outcome_dtype([("taken", np.int32, (2,)), ("_ends", np.int32), ("all", np.int64)]),
    columns=pebbles.GAME.columns | named(Column("all", "Pebbles of the deal.", "pebbles", endless)),
    kernels=kernel,
    block=BLOCK,
    cluster="all",
)
