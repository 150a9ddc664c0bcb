"""How fast junqi is played."""

import json
from collections.abc import Callable

import lab
from tests.bench.harness import Best, Row, Work, mirror
from tests.reference.junqi_positions import random_game

GAMES = 20_000
REFERENCE_GAMES = 6
SEARCH_GAMES = 1
PLAYOUTS = 1500

RULES = lab.load_rules("junqi")
NUMBERS = json.loads(RULES.json())["rules"]
SEARCH = f"search:playouts={PLAYOUTS},inner=greedy"


def reference(number: int) -> Callable[[], Work]:
    """Random games of plain Python."""

    def run() -> Work:
        first = number * REFERENCE_GAMES
        rows = [random_game(NUMBERS, first + i).row() for i in range(REFERENCE_GAMES)]
        return {"games": len(rows), "plies": sum(row["plies"] for row in rows)}

    return run


CASES = {
    "junqi reference": reference,
    "junqi random": mirror(RULES, "random", GAMES),
    "junqi greedy": mirror(RULES, "greedy", GAMES),
    "junqi search": mirror(RULES, SEARCH, SEARCH_GAMES),
}


def rows(best: Best) -> list[Row]:
    oracle = "reference, random games"
    found = []
    for policy in ("random", "greedy"):
        for unit in ("games", "plies"):
            peer = best("junqi reference", unit)
            name = f"junqi, {policy} mirror, 1 core"
            found.append(best.rate(name, unit, f"junqi {policy}", peer, oracle))
    limit = "20, that is 50 ms a move"
    name = f"junqi, search, {PLAYOUTS} playouts"
    return [*found, best.rate(name, "plies", "junqi search", 20, limit)]
