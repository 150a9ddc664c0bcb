"""The folder of a run: whose it is, whether it is whole, and who may write there."""

import fcntl
import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lab.errors import bad, write_text
from lab.experiment import Experiment
from lab.jsonfile import read_object
from lab.sweep.confirm import confirm_bank
from lab.sweep.reuse import NEW, Reused

LIBRARIES = ("numba", "numpy", "optuna", "polars", "scipy")
TABLES = ("measures", "matrix", "lengths", "endings", "curves")
VERDICTS = ("confirm.json", "sensitivity.json")
LATER = ("budget",)
"""What may differ between a run and its continuation: how much more is played."""


def manifest(experiment: Experiment, reused: Reused = NEW) -> dict[str, Any]:
    """What the numbers of a run depend on; no clock, no path."""
    told = {
        "experiment": experiment.fingerprint,
        "game": experiment.game.name,
        "game_version": experiment.game.version,
        "rules": experiment.rules.version,
        "overrides": dict(experiment.rules.changes),
        "fingerprint": experiment.rules.fingerprint,
        "seed": experiment.seed,
        "confirm_seed": confirm_bank(experiment, reused.sources),
        "budget": experiment.budget.model_dump(),
        "abreast": experiment.budget.abreast,
        "lab": version("balance-lab"),
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in LIBRARIES},
    }
    if experiment.fields:
        told["fields"] = {name: found.weights for name, found in experiment.fields.items()}
    if other := experiment.compared:
        told["compared"] = {"rules": other.version, "fingerprint": other.fingerprint}
    if reused.trials:
        told["reused"] = {"trials": len(reused.trials), "fingerprint": reused.sources[0]}
    return told


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps other sweeps out of the folder: two would write every trial twice.

    The system drops the lock with its process, however that ends, and nothing lies in the folder.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise bad(str(folder), "another sweep at work there", "a folder of its own") from None
    finally:
        os.close(handle)


def finished(experiment: Experiment, folder: Path, total: int, reused: Reused) -> bool:
    """Whether the folder holds this very run, whole: the verdict and all that it rests on."""
    tables = TABLES if experiment.compared else ("trials", *TABLES)
    needed = [*(f"{name}.parquet" for name in tables), "recommended.json", "rules.json"]
    needed = ["rules.json"] if experiment.claims else needed
    if not all((folder / name).is_file() for name in ["manifest.json", "confirm.json", *needed]):
        return False
    told = read_object(folder / "manifest.json")
    tried = told.pop("trials", 0)
    return told == manifest(experiment, reused) and isinstance(tried, int) and tried >= total


def open_folder(experiment: Experiment, folder: Path, told: dict[str, Any]) -> None:
    """Make the folder, or make sure that what it holds is the same run's; drop an old verdict.

    `told` is the manifest of the run.
    """
    parts = list(folder.glob(".*.part"))  # of a sweep that was killed while it wrote
    held = len(list(folder.iterdir())) > len(parts)
    path = folder / "manifest.json"
    if held and not path.exists():
        raise bad(str(folder), "a folder that is no run", "an empty or new folder")
    if held:
        before = read_object(path)
        for key, now in told.items():
            if key not in LATER and before.get(key) != now:
                raise bad(
                    f"{path} /{key}",
                    str(before.get(key)),
                    f"{now} as now; choose another folder, or remove this one",
                )
    for old in [*(folder / name for name in VERDICTS), *parts]:
        old.unlink(missing_ok=True)
    write_json(path, told)
    write_text(folder / "experiment.toml", experiment.text)
    for name, found in experiment.fields.items():
        write_text(folder / name, found.text)
    write_text(folder / "rules.json", experiment.rules.json())


def write_json(path: Path, value: dict[str, Any]) -> None:
    """One document, as text a person can read."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
