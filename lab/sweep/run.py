"""A run: a search and its confirmation, a comparison or claims, and the folder that keeps it."""

import fcntl
import json
import math
import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from lab import selfplay
from lab.errors import BadInput, bad, make_folder, refused, write_atomic, write_text
from lab.experiment import COLUMNS, Experiment, load_experiment
from lab.experiment.banks import seed_of
from lab.experiment.space import word
from lab.jsonfile import read_object
from lab.rules import Rules
from lab.sweep import claims, compare
from lab.sweep.confirm import Confirmation, confirm, confirm_bank, facts
from lab.sweep.play import Played, numbers
from lab.sweep.reuse import NEW, Reused, gather
from lab.sweep.samplers import check_sampler
from lab.sweep.search import Trial, kept, open_journal, search

LIBRARIES = ("numba", "numpy", "optuna", "polars", "scipy")
TABLES = ("measures", "matrix", "lengths", "endings", "curves")
VERDICTS = ("confirm.json", "sensitivity.json")
LATER = ("budget",)
"""What may differ between a run and its continuation: how much more is played."""


class Progress(Protocol):
    """Told after each piece of work: the stage, how much of it is done, the best loss so far."""

    def __call__(self, stage: str, done: int, total: int, best: float | None) -> None: ...


class Interrupted(Exception):
    """Ctrl-C during a run: `kept` finished trials are in the journal of `folder`."""

    def __init__(self, folder: Path, kept: int, noun: str = "trials") -> None:
        super().__init__(f"kept {kept} {noun} in {folder}; the same command goes on")
        self.folder, self.kept = folder, kept


@dataclass(frozen=True)
class Run:
    """The folder of a finished sweep, read when asked; BadInput names what is missing there."""

    folder: Path

    @cached_property
    def experiment(self) -> Experiment:
        return load_experiment(self.folder / "experiment.toml")

    @cached_property
    def manifest(self) -> dict[str, Any]:
        return read_object(self.folder / "manifest.json")

    @cached_property
    def confirmed(self) -> dict[str, Any]:
        """confirm.json: the verdict and every candidate's figures on fresh seeds."""
        path = self.folder / "confirm.json"
        if (self.folder / "sensitivity.json").exists():
            raise bad(str(self.folder), "a sensitivity study", "a finished sweep")
        if (self.folder / "manifest.json").exists() and not path.exists():
            wanted = "a finished one; the same `lab sweep` goes on"
            raise bad(str(self.folder), "an unfinished sweep", wanted)
        return read_object(path)

    @property
    def chosen(self) -> dict[str, Any]:
        """The recommended candidate, or the nearest where none is."""
        every: list[dict[str, Any]] = [self.confirmed["baseline"], *self.confirmed["candidates"]]
        return next(c for c in every if c["number"] == self.confirmed["chosen"])

    def table(self, name: str) -> pl.DataFrame:
        """A table of the run, such as "trials"."""
        path = self.folder / f"{name}.parquet"
        try:
            return pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError):
            raise bad(str(path), "no readable table", "what a sweep wrote") from None


@contextmanager
def reading(folder: Path | str) -> Iterator[None]:
    """Lets what does not fit in a run's folder, which somebody edited, be the folder's fault."""
    try:
        yield
    except BadInput:
        raise
    except (
        ArithmeticError,
        LookupError,
        StopIteration,
        TypeError,
        ValueError,
        pl.exceptions.PolarsError,
    ) as error:
        found = f"a damaged run ({type(error).__name__}: {error})"
        raise bad(str(folder), found, "what a sweep wrote") from error


def run_sweep(
    experiment: Experiment | Path | str,
    out: Path | str | None = None,
    trials: int | None = None,
    jobs: int = 1,
    progress: Progress = lambda stage, done, total, best: None,
    earlier: Sequence[Path | str] = (),
) -> Run:
    """Search and confirm, compare or judge; write the run's folder, by default runs/<experiment>.

    A folder that holds trials of the same experiment is gone on with: after a kill, or for more
    `trials` than before; one that is finished is returned as it is. What the `earlier` runs tried
    in this space is not tried again; the folder keeps it, so that they need be told but once.
    BadInput when the folder holds anything else; Interrupted on Ctrl-C.
    """
    if not isinstance(experiment, Experiment):
        experiment = load_experiment(experiment)
    folder = Path("runs", experiment.name) if out is None else Path(out)
    total = _trials_asked(experiment, trials)
    if not (experiment.compared or experiment.claims):
        check_sampler(experiment.sampler, experiment.space, total, experiment.name)
    reused = gather(experiment, [Run(Path(run)) for run in earlier]) if earlier else None
    make_folder(folder)
    try:
        with alone(folder):
            reused = reused or _kept(folder)
            if _finished(experiment, folder, total, reused):
                return Run(folder)
            return _run(experiment, folder, total, jobs, progress, reused)
    except OSError as error:  # the journal or an old file in it, or no room for the next trial
        raise refused(error.filename or folder, error, "a run that can be written") from None


def _kept(folder: Path) -> Reused:
    """What the run of the folder began with."""
    path = folder / "reused.json"
    if not path.exists():
        return NEW
    with reading(folder):
        return Reused.of(path.read_text(encoding="utf-8"))


def _trials_asked(experiment: Experiment, trials: int | None) -> int:
    if experiment.compared or experiment.claims:
        if trials is not None:
            kind = "a comparison has" if experiment.compared else "claims have"
            raise bad("trials", str(trials), f"none: {kind} nothing to try")
        return 0
    total = experiment.budget.trials if trials is None else trials
    if total < 1:
        raise bad("trials", str(total), "1 or more")
    return total


def _run(
    experiment: Experiment,
    folder: Path,
    total: int,
    jobs: int,
    progress: Progress,
    reused: Reused,
) -> Run:
    open_folder(experiment, folder, manifest(experiment, reused))
    if reused.trials:
        write_text(folder / "reused.json", reused.json())
    if experiment.compared:
        return _compare(experiment, folder, jobs, progress)
    if experiment.claims:
        return _judge(experiment, folder, jobs, progress)
    journal = open_journal(folder / "journal.log")
    best: list[float] = []

    def searched(stage: str, done: int, count: int, loss: float) -> None:
        best[:] = [loss]
        progress(stage, done, count, loss if math.isfinite(loss) else None)

    def confirmed(done: int, count: int) -> None:
        progress("confirm", done, count, best[0])

    try:
        found = search(experiment, journal, total, jobs, searched, reused)
        held = confirm(experiment, found, jobs, confirmed, reused.sources)
        told = manifest(experiment, reused) | {"trials": total}
        _write_results(experiment, folder, found, held, jobs, told)
    except KeyboardInterrupt:
        raise Interrupted(folder, kept(journal)) from None
    return Run(folder)


def _compare(experiment: Experiment, folder: Path, jobs: int, progress: Progress) -> Run:
    def compared(done: int, count: int) -> None:
        progress("compare", done, count, None)

    try:
        before, after = compare.compare(experiment, jobs, compared)
        tables = _tables(experiment, {"baseline": before, "chosen": after}, jobs)
        tables["measures"] = _joined({"baseline": _measured(before), "chosen": _measured(after)})
        found = compare.facts(experiment, (before, after))
        told = manifest(experiment) | {"trials": 0}
        _write_folder(experiment, folder, tables, after.rules, found, told)
    except KeyboardInterrupt:
        raise Interrupted(folder, 0) from None
    return Run(folder)


def _judge(experiment: Experiment, folder: Path, jobs: int, progress: Progress) -> Run:
    def told(done: int, count: int) -> None:
        progress("claims", done, count, None)

    try:
        judged = claims.judge(experiment, jobs, told)
    except KeyboardInterrupt:
        raise Interrupted(folder, 0) from None
    write_json(folder / "manifest.json", manifest(experiment) | {"trials": 0})
    write_json(folder / "confirm.json", claims.facts(experiment, judged))
    return Run(folder)


# --- the folder ---------------------------------------------------------------------------------


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


def _finished(experiment: Experiment, folder: Path, total: int, reused: Reused) -> bool:
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


def _write_results(
    experiment: Experiment,
    folder: Path,
    trials: Sequence[Trial],
    found: Confirmation,
    jobs: int,
    told: dict[str, Any],
) -> None:
    tables = _tables(
        experiment, {"baseline": found.baseline.played, "chosen": found.chosen.played}, jobs
    )
    tables |= {"trials": _trials(experiment, trials), "measures": _measures(trials)}
    chosen = found.chosen.played.rules
    _write_folder(experiment, folder, tables, chosen, facts(experiment, found), told)


def _write_folder(
    experiment: Experiment,
    folder: Path,
    tables: dict[str, pl.DataFrame],
    chosen: Rules,
    verdict: dict[str, Any],
    told: dict[str, Any],
) -> None:
    """The verdict last, so that a folder with a verdict is whole."""
    for name, table in tables.items():
        write_atomic(folder / f"{name}.parquet", table.write_parquet)
    write_text(folder / "recommended.json", chosen.json())
    write_json(folder / "manifest.json", told)
    write_json(folder / "confirm.json", verdict)


def _tables(
    experiment: Experiment, played: dict[str, Played], jobs: int
) -> dict[str, pl.DataFrame]:
    """What both settings came to, side by side."""
    game = experiment.game
    sums = {name: selfplay.curve_table(game, p.curves) for name, p in played.items()}
    return {
        "matrix": _matrices(experiment, played, jobs),
        "lengths": _joined({name: p.lengths for name, p in played.items()}),
        "endings": _joined({name: p.endings for name, p in played.items()}),
        "curves": _joined(sums),
    }


def _trials(experiment: Experiment, trials: Sequence[Trial]) -> pl.DataFrame:
    return pl.DataFrame([_trial(experiment, trial) for trial in trials], infer_schema_length=None)


def _trial(experiment: Experiment, trial: Trial) -> dict[str, Any]:
    told = (trial.number, trial.loss, trial.expected, trial.steps, trial.games)
    number, *rest = zip(COLUMNS, told, strict=True)
    setting = {pointer: word(value) for pointer, value in trial.setting.items()}
    found = [(t.name, e) for t, e in zip(experiment.targets, trial.targets, strict=True)]
    values = {name: estimate["value"] for name, estimate in found}
    errors = {f"{name} error": estimate["error"] for name, estimate in found}
    return dict([number]) | setting | dict(rest) | values | errors


def _measures(trials: Sequence[Trial]) -> pl.DataFrame:
    rows = [{"trial": trial.number} | row for trial in trials for row in trial.measures]
    return pl.DataFrame(rows, infer_schema_length=None)


def _measured(played: Played) -> pl.DataFrame:
    """Every metric of every pairing."""
    return pl.DataFrame(
        [
            {"matchup": pairing.label, "metric": name} | numbers(found)
            for (pairing, name), found in played.measures.items()
        ],
        infer_schema_length=None,
    )


def _matrices(experiment: Experiment, played: dict[str, Played], jobs: int) -> pl.DataFrame:
    """Who beats whom, on the same seeds; played once where nothing changed."""
    seed = seed_of(experiment.seed, "matrix")
    games = experiment.budget.matrix_games
    made = {p.rules.fingerprint: p.rules for p in played.values()}
    tables = {
        key: selfplay.matrix(rules, experiment.policies, games, seed, jobs)
        for key, rules in made.items()
    }
    return _joined({name: tables[p.rules.fingerprint] for name, p in played.items()})


def _joined(tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    named = [
        table.select(pl.lit(name).alias("setting"), pl.all()) for name, table in tables.items()
    ]
    return pl.concat(named)


def write_json(path: Path, value: dict[str, Any]) -> None:
    """One document, as text a person can read."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
