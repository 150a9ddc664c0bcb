"""What a policy asks for and the rules do not have is refused: room for an army, a synergy."""

from collections.abc import Sequence
from typing import Any

from lab.errors import bad
from lab.games.wargambit.policies import (
    ARMY,
    BUYER,
    CORE,
    COUNT,
    GOLD,
    RECORDS,
    ROUND_1,
    ROUNDS,
    SPENDER,
    SYNERGY,
)
from lab.games.wargambit.rules import MOST_SYNERGIES, PIECES
from lab.games.wargambit.state import PAWN

PLACES = 16


def counts_of(word: int) -> list[int]:
    """How many of each of PIECES stand on a placement."""
    kinds = [word >> 4 * place & 15 for place in range(PLACES)]
    return [kinds.count(kind + 1) for kind in range(len(PIECES))]


def check_army(most: Any, army: Sequence[int], where: str) -> None:
    """BadInput says past which limit an army goes and by how much; `most` is `/army` by name."""
    for name, held in (("piece", int(sum(army))), ("pawn", int(army[PAWN]))):
        limit = int(most[f"{name}s"])
        if held > limit:
            found = f"{held} {name}{'s' * (held > 1)}, {held - limit} too many"
            raise bad(where, found, f"at most {limit} (/army/{name}s)")


def check_policy(document: Any, policy: Any, where: str) -> None:
    """For `Game.fits`: the armies that a policy leads fit, and what it is told is there."""
    most, weights = document.army.model_dump(), policy["weights"].tolist()
    if policy["kind"] == ARMY:
        check_army(most, weights[COUNT : COUNT + len(PIECES)], where)
    elif policy["kind"] == SPENDER:
        for name, gold in (("gold", weights[GOLD]), ("core", weights[CORE])):
            if gold < 0:
                raise bad(where, f"{name}={gold}", "0 or more")
    elif policy["kind"] == BUYER and not 0 <= weights[SYNERGY] <= MOST_SYNERGIES:
        expected = f"a row of /synergies from 1 to {MOST_SYNERGIES}, or 0 for none"
        raise bad(where, f"synergy={weights[SYNERGY]}", expected)
    elif policy["kind"] == RECORDS:
        for n, word in enumerate(weights[ROUND_1 : ROUND_1 + weights[ROUNDS]], start=1):
            check_army(most, counts_of(word), f"{where} round {n}")
