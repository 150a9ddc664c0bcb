"""The tables that kernels read beside the document's own numbers; they serve every game."""

from typing import Any

import numpy as np

from lab.games.wargambit.moves import lines, ways
from lab.games.wargambit.rules import MOST_SYNERGIES, PIECES, Wargambit
from lab.games.wargambit.state import KINDS

DERIVED = {
    "value": (np.int64, (KINDS,)),  # the price, of the king 0
    "tier": (np.int64, (len(PIECES),)),
    "weight": (np.int64, (len(PIECES),)),  # README 3.1
    "dearest": (np.int64, (len(PIECES),)),  # kinds, the dearest first
    "needed": (np.int64, (MOST_SYNERGIES, len(PIECES))),  # of each piece for each synergy
    "hops": (np.int64, (KINDS,)),  # pieces between a runner and what it takes: 0, or 1
    "straight": (np.int64, (KINDS,)),  # whether it runs along ranks and files ...
    "slant": (np.int64, (KINDS,)),  # ... and along diagonals
    "leap": (np.uint64, (64, KINDS)),
    "course": (np.uint64, (64, KINDS)),
    "leap_at": (np.uint64, (64, KINDS)),
    "course_at": (np.uint64, (64, KINDS)),
    "between": (np.uint64, (64, 64)),  # squares strictly between two on a line
    "rising": (np.uint64, (64,)),  # the diagonal from the lower left, but for the square itself
    "falling": (np.uint64, (64,)),
    "row": (np.uint64, (8, 64)),  # file, what stands on the six inner files -> files in view
    "column": (np.uint64, (8, 64)),  # rank, hash of what stands on the six inner ranks -> squares
}

CHESS = {"knight": "N", "bishop": "B", "rook": "R", "queen": "Q"}


def prepare(record: Any, document: Wargambit, seed: int, games: range) -> None:
    """Fill the derived tables."""
    price, tier = document.shop.price.model_dump(), document.shop.tier.model_dump()
    weight = document.shop.weights()
    for kind, name in enumerate(PIECES):
        record["value"][kind], record["tier"][kind] = price[name], tier[name]
        record["weight"][kind] = weight[name]
    record["value"][len(PIECES)] = 0
    order = sorted(range(len(PIECES)), key=lambda kind: (price[PIECES[kind]], kind), reverse=True)
    record["dearest"][:] = order
    for row, synergy in enumerate(document.synergies):
        for need in synergy.needs:
            record["needed"][row, PIECES.index(need.piece)] = need.count
    arsenal = {name: kind.moves for name, kind in document.arsenal}
    words = ["", *((arsenal | CHESS)[name] for name in PIECES[1:]), "K"]
    for kind, word in enumerate(words):  # a pawn's ways are its own
        for table, squares in ways(word).items():
            record[table][..., kind] = squares
    for table, squares in lines().items():
        record[table][:] = squares
