"""How near a search comes to its targets: ours against its rivals, at equal games.

Each gets so many games on every problem, once a seed, and recommends a setting; what counts is how
far that truly lies outside the band, in half widths of it. Also written: bench-search.json and a
picture of it, bench-search.svg.
"""

import argparse
import json
from itertools import chain
from pathlib import Path

import matplotlib
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from lab.experiment.banks import seed_of
from lab.sweep.front import rank
from lab.sweep.race import Proof, Race
from tests.bench import rivals
from tests.bench.honesty import shares, spaces, sweep
from tests.bench.problems import Ants, Synthetic

GAMES = 4000
LESS = (1, 2, 4, 8)
"""Shares of the games that ours is also tried with."""
DRAWS = 10_000


def ours(problem, seed, total):
    """The race of lab.sweep, till the games are spent."""
    proof = Proof(20_000 / problem.block, 2.6)
    race = Race(problem.space, problem.aims, problem.start(seed), seed, proof=proof)
    spent = 0
    while spent < total:
        for play in chain.from_iterable(race.round()):
            bank = seed_of(seed, "search", play.round)
            first = play.block * problem.block
            race.tell(play, problem.play(play.setting, bank, first, problem.block))
            spent += problem.block
    return min(race.entries, key=rank).setting


OURS = "ours"
FIXED = "TPE, 200 games a trial"
RIVALS = {
    "TPE, 30 games a trial": rivals.tpe(30),
    FIXED: rivals.tpe(200),
    "random, 200 games a trial": rivals.random_search(200),
    "NTBEA, 100 games a point": rivals.ntbea(100),
}


def problems():
    return [
        Synthetic("a plane of four numbers", cliff=False),
        Synthetic("two that work together, and a cliff", cliff=True),
        Ants(Path(__file__).with_name("ants-search.toml")),
    ]


def distances(problem, search, seeds, games):
    """True distance of what a search recommends, a seed each."""
    return np.array([problem.truth(search(problem, seed, games)) for seed in range(seeds)])


def paired(ours, theirs):
    """How much farther they are than ours: mean over seeds, and its 90 % bootstrap interval."""
    drawn = np.random.default_rng(0).integers(len(ours), size=(DRAWS, len(ours)))
    means = (theirs - ours)[drawn].mean(1)
    return float((theirs - ours).mean()), *(float(x) for x in np.quantile(means, (0.05, 0.95)))


def measure(problem, seeds, games):
    """Rows of the table, and how few of the games reach what TPE reaches at a fixed n."""
    jobs = [(f"{OURS}, 1/{part}" if part > 1 else OURS, ours, games // part) for part in LESS]
    jobs += [(name, search, games) for name, search in RIVALS.items()]
    found = {
        name: distances(problem, search, seeds, spent)
        for name, search, spent in track(jobs, problem.name, transient=True)
    }
    rows = [
        {
            "problem": problem.name,
            "search": name,
            "games": spent,
            "distance": float(found[name].mean()),
            "inside": float((found[name] == 0).mean()),
            "farther": paired(found[OURS], found[name]),
            "each": [round(float(x), 4) for x in found[name]],
        }
        for name, _, spent in jobs
    ]
    enough = [row["games"] for row in rows[: len(LESS)] if row["distance"] <= found[FIXED].mean()]
    return rows, games / min(enough) if enough else None


def show(rows, console):
    table = Table("problem", "search", box=None, header_style="bold")
    for heading in ("games", "distance", "inside", "farther than ours", "90 %"):
        table.add_column(heading, justify="right")
    for row in rows:
        mean, low, high = row["farther"]
        table.add_row(
            row["problem"],
            row["search"],
            f"{row['games']:,}",
            f"{row['distance']:.2f}",
            f"{row['inside']:.0%}",
            f"{mean:+.2f}",
            f"{low:+.2f} to {high:+.2f}",
        )
    console.print(table)


def draw(rows, path):
    """Every seed's distance, a panel a problem."""
    matplotlib.use("svg")
    from matplotlib import pyplot as plt

    names = list(dict.fromkeys(row["problem"] for row in rows))
    figure, panels = plt.subplots(1, len(names), figsize=(13, 4), sharey=True, squeeze=False)
    for panel, name in zip(panels[0], names, strict=True):
        of = [row for row in rows if row["problem"] == name]
        for place, row in enumerate(of):
            spread = np.linspace(-0.25, 0.25, len(row["each"]))
            panel.plot(row["each"], place + spread, ".", color="0.6")
            panel.plot(row["distance"], place, "|", ms=16, mew=2.5, color="C1")
        panel.set_yticks(range(len(of)), [f"{row['search']}\n{row['games']:,} games" for row in of])
        panel.set_title(name)
        panel.set_xlabel("true distance to the band, half widths")
    panels[0][0].invert_yaxis()
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--sweeps", type=int, default=200)
    asked = parser.parse_args()
    console, every = Console(width=140, highlight=False), []
    for problem in problems():
        rows, fewer = measure(problem, asked.seeds, asked.games)
        every += rows
        show(rows, console)
        if fewer:
            console.print(
                f"  {FIXED} is reached with {fewer:.0f} times fewer games or fewer still\n"
            )
        Path("bench-search.json").write_text(json.dumps(every, indent=2) + "\n")
    draw(every, "bench-search.svg")
    if asked.sweeps:
        each = [sweep(spaces()[seed % 2], seed) for seed in track(range(asked.sweeps), "sweeps")]
        for name, share in shares(each).items():
            console.print(f"{name}: {share:.1%}")


if __name__ == "__main__":
    main()
