"""Where games lie that the organisers' judge recorded: the copies here, and the whole collection.

The collection is the folder LAB_GOLDEN, else ../shared/data beside the repository. Without it only
the copies are played, and what needs it is skipped; but where CI=true and LAB_GOLDEN was named,
that fails.
"""

import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tests" / "golden" / "next_nation"
ALL = Path(os.environ.get("LAB_GOLDEN", ROOT.parent / "shared" / "data")) / "next_nation"
ASKED_FOR = os.environ.get("CI") == "true" and "LAB_GOLDEN" in os.environ
needs_all = pytest.mark.skipif(
    not (ALL.is_dir() or ASKED_FOR), reason=f"only the logs kept here: no {ALL}"
)
FINAL = "server/final_1"
"""The one game by the rules of the final; all others are by those of the qualifier."""


def each_log() -> Any:
    """Runs a test for the `path` of every log there is, each once, the smaller folders first."""
    found = {}
    for folder in (HERE, ALL):
        for path in sorted(folder.glob("*/*.log")):
            found.setdefault(path.relative_to(folder), pytest.param(path, id=name(path)))
    lost = [] if ALL.is_dir() else [pytest.param(ALL, id="elsewhere", marks=needs_all)]
    return pytest.mark.parametrize("path", [*found.values(), *lost])


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def version(path: Path) -> str:
    """Whose rules a log was played by."""
    return "2026-final" if name(path) == FINAL else "2026-qualifier"
