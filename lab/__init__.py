"""The balance lab: finds the numbers that make a turn-based game fair, by playing it.

The public names; each is imported when it is first asked for, so that `import lab` costs nothing.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "BadInput": "errors",
    "GAMES": "catalog",
    "Matchup": "selfplay",
    "Position": "play",
    "columns": "notebook.columns",
    "compare": "comparison",
    "curves": "notebook.curves",
    "env": "doors",
    "figure": "notebook.figures",
    "load_experiment": "experiment",
    "load_game": "catalog",
    "load_rules": "catalog",
    "matrix": "selfplay",
    "measure": "metrics",
    "read": "notebook.tables",
    "rulebook": "report.rulebook",
    "run_sweep": "sweep",
    "show": "notebook.watch",
    "simulate": "selfplay",
    "trace": "notebook.watch",
    "vary": "scan",
    "verify": "verdicts",
}
__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("balance-lab")
    if name not in _HOME:
        raise AttributeError(f"module 'lab' has no attribute {name!r}")
    return getattr(import_module(f"lab.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
