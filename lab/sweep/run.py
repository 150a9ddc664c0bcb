"""A run: a search and its confirmation, a comparison or claims, and the folder that keeps it."""

import math
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import polars as pl

from lab.errors import BadInput, bad, make_folder, refused, write_atomic, write_text
from lab.experiment import Experiment, load_experiment
from lab.jsonfile import read_object
from lab.rules import Rules
from lab.sweep import claims, compare, tables
from lab.sweep.confirm import confirm, facts
from lab.sweep.folder import alone, finished, manifest, open_folder, write_json
from lab.sweep.ledger import BLOCKS, Journal, Ledger, Raised
from lab.sweep.reuse import NEW, Reused, gather
from lab.sweep.samplers import check_sampler
from lab.sweep.search import search


class Progress(Protocol):
    """Told after each piece of work: the stage, how much of it is done, the best loss so far."""

    def __call__(self, stage: str, done: int, total: int, best: float | None) -> None: ...


class Interrupted(Exception):
    """Ctrl-C during a run: `kept` of it are in its folder, or in the study that is shared."""

    def __init__(self, place: Path | str, kept: int, noun: str = "trials") -> None:
        super().__init__(f"kept {kept} {noun} in {place}; the same command goes on")
        self.kept = kept


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
    storage: str | None = None,
) -> Run:
    """Search and confirm, compare or judge; write the run's folder, by default runs/<experiment>.

    A folder that holds trials of the same experiment is gone on with: after a kill, or for more
    `trials` than before; one that is finished is returned as it is. What the `earlier` runs tried
    in this space is not tried again; the folder keeps it, so that they need be told but once.
    A PostgreSQL `storage` is shared by any number of sweeps, each with a folder of its own: they
    play together what one of them would play alone, and all write the same. BadInput when the
    folder or the storage holds anything else; Interrupted on Ctrl-C.
    """
    if not isinstance(experiment, Experiment):
        experiment = load_experiment(experiment)
    folder = Path("runs", experiment.name) if out is None else Path(out)
    total = _trials_asked(experiment, trials)
    if not (experiment.compared or experiment.claims):
        check_sampler(experiment.sampler, experiment.space, total, experiment.name)
    reused = gather(experiment, [Run(Path(run)) for run in earlier]) if earlier else None
    new = not folder.exists()
    make_folder(folder)
    try:
        with alone(folder):
            reused = reused or _kept(folder)
            if finished(experiment, folder, total, reused):
                shutil.rmtree(folder / BLOCKS, ignore_errors=True)  # of one killed at the very end
                return Run(folder)
            told = manifest(experiment, reused)
            with _ledger(experiment, storage, folder, told, jobs) as ledger:
                open_folder(experiment, folder, told)
                if reused.trials:
                    write_text(folder / "reused.json", reused.json())
                return _run(experiment, folder, total, ledger, _Work(jobs, progress, reused))
    except BadInput:
        if new:
            with suppress(OSError):  # something was kept
                folder.rmdir()
        raise
    except OSError as error:  # the journal or an old file in it, or no room for the next trial
        raise refused(error.filename or folder, error, "a run that can be written") from None


class _Work(NamedTuple):
    """How a run is played, and what it begins with."""

    jobs: int
    progress: Progress
    reused: Reused


@contextmanager
def _ledger(
    experiment: Experiment, storage: str | None, folder: Path, told: dict[str, Any], jobs: int
) -> Iterator[Ledger]:
    if storage is None:
        yield Journal(folder, jobs)
        return
    from lab.sweep.shared import connected

    with connected(storage, experiment, told, jobs) as ledger:
        yield ledger


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


def _run(experiment: Experiment, folder: Path, total: int, ledger: Ledger, work: _Work) -> Run:
    """Play what the ledger does not know yet, and write the folder."""
    try:
        if experiment.compared:
            _compare(experiment, folder, ledger, work)
        elif experiment.claims:
            _judge(experiment, folder, ledger, work)
        else:
            _search(experiment, folder, total, ledger, work)
    except KeyboardInterrupt:
        raise Interrupted(ledger.place, *ledger.kept()) from None
    except Raised as error:
        raise bad(experiment.name, str(error), "games that can be played") from None
    shutil.rmtree(folder / BLOCKS, ignore_errors=True)
    return Run(folder)


def _search(experiment: Experiment, folder: Path, total: int, ledger: Ledger, work: _Work) -> None:
    best: list[float] = []

    def searched(stage: str, done: int, count: int, loss: float) -> None:
        best[:] = [loss]
        work.progress(stage, done, count, loss if math.isfinite(loss) else None)

    def confirmed(done: int, count: int) -> None:
        work.progress("confirm", done, count, best[0])

    reused = work.reused
    trials = search(experiment, ledger, total, work.jobs, searched, reused)
    held = confirm(experiment, trials, ledger.blocks, confirmed, reused.sources)
    sides = {"baseline": held.baseline.played, "chosen": held.chosen.played}
    made = tables.settings(experiment, sides, ledger.blocks)
    trials = [replace(t, error=held.raised.get(t.number, t.error)) for t in trials]
    made |= {"trials": tables.trials(experiment, trials), "measures": tables.measures(trials)}
    told = manifest(experiment, reused) | {"trials": total}
    _write(folder, made, held.chosen.played.rules, facts(experiment, held), told)


def _compare(experiment: Experiment, folder: Path, ledger: Ledger, work: _Work) -> None:
    def compared(done: int, count: int) -> None:
        work.progress("compare", done, count, None)

    before, after = pair = compare.compare(experiment, ledger.blocks, compared)
    made = tables.settings(experiment, {"baseline": before, "chosen": after}, ledger.blocks)
    made["measures"] = tables.sides({"baseline": before, "chosen": after})
    told = manifest(experiment) | {"trials": 0}
    _write(folder, made, after.rules, compare.facts(experiment, pair), told)


def _judge(experiment: Experiment, folder: Path, ledger: Ledger, work: _Work) -> None:
    def told(done: int, count: int) -> None:
        work.progress("claims", done, count, None)

    judged = claims.judge(experiment, ledger.blocks, told)
    write_json(folder / "manifest.json", manifest(experiment) | {"trials": 0})
    write_json(folder / "confirm.json", claims.facts(experiment, judged))


def _write(
    folder: Path,
    made: dict[str, pl.DataFrame],
    chosen: Rules,
    verdict: dict[str, Any],
    told: dict[str, Any],
) -> None:
    """The verdict last, so that a folder with a verdict is whole."""
    for name, table in made.items():
        write_atomic(folder / f"{name}.parquet", table.write_parquet)
    write_text(folder / "recommended.json", chosen.json())
    write_json(folder / "manifest.json", told)
    write_json(folder / "confirm.json", verdict)
