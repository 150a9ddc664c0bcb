"""Where games lie that the organisers' judge recorded: the copies here, and the whole collection.

The collection is the folder LAB_GOLDEN, else ../shared/data beside the repository; without it the
copies are all there is.
"""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tests" / "golden" / "next_nation"
ALL = Path(os.environ.get("LAB_GOLDEN", ROOT.parent / "shared" / "data")) / "next_nation"


def logs() -> list[Path]:
    """Every log there is, each once, the smaller folders first."""
    found = {}
    for folder in (HERE, ALL):
        for path in sorted(folder.glob("*/*.log")):
            found.setdefault(path.relative_to(folder), path)
    return list(found.values())


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"
