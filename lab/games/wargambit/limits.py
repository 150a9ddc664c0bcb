"""README 3.2 for people: armies that go past what the rules let an army hold are refused."""

from collections.abc import Sequence
from typing import Any

from lab.errors import bad
from lab.games.wargambit.policies import ARMY, COUNT, RECORDS, ROUND_1, ROUNDS
from lab.games.wargambit.rules import PIECES
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
    """For `Game.fits`: the same of the army, or the recorded armies, that a policy leads."""
    most, weights = document.army.model_dump(), policy["weights"].tolist()
    if policy["kind"] == ARMY:
        check_army(most, weights[COUNT : COUNT + len(PIECES)], where)
    elif policy["kind"] == RECORDS:
        for n, word in enumerate(weights[ROUND_1 : ROUND_1 + weights[ROUNDS]], start=1):
            check_army(most, counts_of(word), f"{where} round {n}")
