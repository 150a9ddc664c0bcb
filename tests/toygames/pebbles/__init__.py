"""Pebbles: take some from a heap in turn; more may lie under it; whoever takes the last one wins.

Small enough to compile in a moment, yet with chance and something hidden.
"""

from typing import Any

import numpy as np
from lab.games.pebbles import kernel, view
from pydantic import Field

from lab.game import Game, Preset, outcome_dtype
from lab.outcomes import endless, named, of_seats
from lab.rules import Document


class Pebbles(Document):
    heap: int = Field(description="Pebbles in sight at the start.", ge=1, le=30)
    under: int = Field(description="At most so many more, hidden beneath them.", ge=0, le=9)
    most: int = Field(description="The most that one move takes.", ge=1, le=3)


def prepare(record: Any, document: Pebbles, seed: int, games: range) -> None:
    """Nothing to prepare."""


GAME = Game(
    name="pebbles",
    title="Pebbles",
    version="1",
    document=Pebbles,
    default_rules="1",
    derived={},
    prepare=prepare,
    state=np.dtype(
        [
            ("left", np.int64),  # in sight
            ("under", np.int64),  # hidden, until none is left in sight
            ("turn", np.int64),  # moves made
            ("over", np.bool_),
        ],
        align=True,
    ),
    outcome=outcome_dtype(
        [
            ("taken", np.int32, (2,)),
            ("_ends", np.int32),  # games that ended into this row: in a search's, its playouts
        ]
    ),
    kernels=kernel,
    action_kinds=("one", "two", "three"),
    numbers=(range(1, 2), range(2, 3), range(3, 4)),
    max_actions=3,
    max_clock=20,
    endings=("last",),
    curves=("left", "under"),
    weights=("thrift",),
    policies={
        "random": Preset("takes any number, each equally likely", kernel.RANDOM),
        "greedy": Preset("takes the most it may, less its thrift", kernel.GREEDY, {"thrift": 0}),
    },
    columns=named(
        *of_seats(
            {"first": "one", "second": "the other"},
            "taken",
            "Pebbles that {who} took.",
            "pebbles",
            endless,
        )
    ),
    metrics=(),
    view=view,
)
