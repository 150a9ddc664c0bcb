"""Benches of a checkout: what the lab is measured by lives beside its tests, not in the package."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

from typer import Option

from lab.errors import bad

ROOT = Path(__file__).parents[2]


def search(
    seeds: Annotated[int, Option(min=2, metavar="N", help="Searches each, on each problem.")] = 20,
    games: Annotated[int, Option(min=300, metavar="N", help="Games of a search.")] = 4000,
    sweeps: Annotated[int, Option(min=0, metavar="N", help="Whole sweeps of known spaces.")] = 200,
) -> None:
    """How near searches come to their targets: ours against its rivals at equal games.

    Writes bench-search.json and a picture of it, bench-search.svg. Needs a checkout.
    """
    if not (ROOT / "tests/bench/search.py").is_file():
        raise bad("lab bench", f"no tests/bench in {ROOT}", "a checkout of the repository")
    options = {"--seeds": seeds, "--games": games, "--sweeps": sweeps}
    words = [str(word) for pair in options.items() for word in pair]
    bench = [sys.executable, str(ROOT / "tests/bench/search.py"), *words]
    sys.exit(subprocess.run(bench, check=False).returncode)
