"""How fast ants is played."""

import json
from collections.abc import Callable

import lab
from tests.bench.harness import Best, Row, Work, mirror, verb
from tests.reference import ants

GAMES = 20_000
REFERENCE_GAMES = 40
SEARCH_GAMES = 2
PLAYOUTS = 200

RULES = lab.load_rules("ants", "0.3")
NUMBERS = json.loads(RULES.json())["rules"]


def reference(number: int) -> Callable[[], Work]:
    """Random games of plain Python."""

    def run() -> Work:
        first = number * REFERENCE_GAMES
        played = [ants.random_game(NUMBERS, first + i) for i in range(REFERENCE_GAMES)]
        return {"games": len(played), "plies": sum(game.plies for game in played)}

    return run


CASES = {
    "ants reference": reference,
    "ants random": mirror(RULES, "random", GAMES),
    "ants random x2": mirror(RULES, "random", 2 * GAMES, jobs=2),
    "ants economy": mirror(RULES, "economy", GAMES),
    "ants economy x2": mirror(RULES, "economy", 2 * GAMES, jobs=2),
    "ants search": mirror(RULES, f"search:playouts={PLAYOUTS}", SEARCH_GAMES),
    "ants simulate": verb("simulate", "ants", "--games", "1000"),
}


def rows(best: Best) -> list[Row]:
    oracle = "reference, random games"
    found = []
    for policy in ("random", "economy"):
        case = f"ants {policy}"
        for unit in ("games", "plies"):
            peer = best("ants reference", unit)
            found.append(best.rate(f"ants, {policy} mirror, 1 core", unit, case, peer, oracle))
        one = best(case, "games")
        found.append(
            best.rate(f"ants, {policy} mirror, 2 cores", "games", f"{case} x2", one, "1 core")
        )
    decisions = best("ants reference", "games") / PLAYOUTS
    searching = f"reference, {PLAYOUTS} games a decision"
    return [
        *found,
        best.rate(
            f"ants, search, {PLAYOUTS} playouts", "plies", "ants search", decisions, searching
        ),
        best.duration("lab simulate ants, 1,000 games", "ants simulate", 2.0),
    ]
