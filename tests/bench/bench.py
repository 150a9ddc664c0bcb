"""How fast the lab is: a table on the screen, and the same as bench.json.

Every figure is the best of several rounds in which all cases take turns, each time with games that
were not played before: machines are noisy, and few repeated games teach the branch predictor.
`ratio` is ours to the peer's in the same run; a limit on seconds is a peer of that many runs.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

import lab
from tests.bench import yardstick
from tests.reference import ants

ROUNDS = 5
GAMES = 20_000
REFERENCE_GAMES = 40
SEARCH_GAMES = 2
PLAYOUTS = 200
LAB = Path(sys.executable).with_name("lab")

RULES = lab.load_rules("ants", "0.3")
NUMBERS = json.loads(RULES.json())["rules"]


@dataclass(frozen=True)
class Row:
    """`ours` and `peer` in the unit; `per_yardstick` is our work in the time of one yardstick."""

    name: str
    unit: str
    ours: float
    peer: float | None
    ratio: float | None
    per_yardstick: float
    against: str


# --- what is timed: each plays the given round and says how much it did -------------------------

Work = dict[str, float]


def mirror(policy: str, games: int, jobs: int = 1) -> Callable[[int], Work]:
    def run(seed: int) -> Work:
        played = lab.simulate(RULES, policy, policy, games, seed, jobs)
        return {"games": games, "plies": played["plies"].sum()}

    return run


def reference(seed: int) -> Work:
    first = seed * REFERENCE_GAMES
    played = [ants.random_game(NUMBERS, first + i) for i in range(REFERENCE_GAMES)]
    return {"games": len(played), "plies": sum(game.plies for game in played)}


def verb(*words: str) -> Callable[[int], Work]:
    def run(seed: int) -> Work:
        subprocess.run([LAB, *words], check=True, capture_output=True)
        return {"runs": 1}

    return run


def ruler(measure: Callable[[], int]) -> Callable[[int], Work]:
    def run(seed: int) -> Work:
        measure()
        return {"runs": 1}

    return run


CASES = {
    "compiled": ruler(yardstick.compiled),
    "plain": ruler(yardstick.plain),
    "reference": reference,
    "random": mirror("random", GAMES),
    "random x2": mirror("random", 2 * GAMES, jobs=2),
    "economy": mirror("economy", GAMES),
    "economy x2": mirror("economy", 2 * GAMES, jobs=2),
    "search": mirror(f"search:playouts={PLAYOUTS}", SEARCH_GAMES),
    "simulate": verb("simulate", "ants", "--games", "1000"),
    "help": verb("--help"),
}


def rates() -> dict[tuple[str, str], float]:
    """The best rate a second of each case and each kind of work; round 0 only warms up."""
    best: dict[tuple[str, str], float] = {}
    for seed in range(ROUNDS + 1):
        for name, run in CASES.items():
            start = perf_counter()
            work = run(seed)
            seconds = perf_counter() - start
            for unit, amount in work.items():
                if seed > 0:
                    best[name, unit] = max(best.get((name, unit), 0), amount / seconds)
    return best


# --- what is told -------------------------------------------------------------------------------


def rows(best: dict[tuple[str, str], float]) -> list[Row]:
    games = {case: best[case, "games"] for case in CASES if (case, "games") in best}
    plies = {case: best[case, "plies"] for case in CASES if (case, "plies") in best}
    compiled, plain = best["compiled", "runs"], best["plain", "runs"]
    oracle, searching = "reference, random games", f"reference, {PLAYOUTS} games a decision"

    def rate(name: str, unit: str, ours: float, peer: float | None, against: str) -> Row:
        ratio = None if peer is None else ours / peer
        return Row(name, f"{unit}/s", ours, peer, ratio, ours / compiled, against)

    def duration(name: str, case: str, limit: float) -> Row:
        runs = best[case, "runs"]
        return Row(name, "s", 1 / runs, limit, limit * runs, runs / plain, "limit")

    return [
        rate("random mirror, 1 core", "games", games["random"], games["reference"], oracle),
        rate("random mirror, 2 cores", "games", games["random x2"], games["random"], "1 core"),
        rate("economy mirror, 1 core", "games", games["economy"], games["reference"], oracle),
        rate("economy mirror, 2 cores", "games", games["economy x2"], games["economy"], "1 core"),
        rate("random mirror, 1 core", "plies", plies["random"], plies["reference"], oracle),
        rate("economy mirror, 1 core", "plies", plies["economy"], plies["reference"], oracle),
        rate(
            f"search, {PLAYOUTS} playouts",
            "decisions",
            plies["search"],
            games["reference"] / PLAYOUTS,
            searching,
        ),
        duration("lab simulate, 1,000 games", "simulate", 2.0),
        duration("lab --help", "help", 0.5),
        rate("yardstick, compiled", "runs", compiled, None, ""),
        Row("yardstick, plain", "runs/s", plain, None, None, 1.0, ""),
    ]


def show(found: list[Row]) -> None:
    table = Table("name", box=None, header_style="bold")
    for heading in ("ours", "peer", "ratio", "per yardstick"):
        table.add_column(heading, justify="right")
    table.add_column("peer is")
    for row in found:
        numbers = (f"{_short(row.ours)} {row.unit}", _short(row.peer), _short(row.ratio))
        table.add_row(row.name, *numbers, _short(row.per_yardstick), row.against)
    Console(width=110, highlight=False).print(table)


def _short(number: float | None) -> str:
    if number is None:
        return "–"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


if __name__ == "__main__":
    found = rows(rates())
    show(found)
    Path("bench.json").write_text(json.dumps([asdict(row) for row in found], indent=2) + "\n")
