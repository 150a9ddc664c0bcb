"""The ledger: what has been played is looked up, and what has not is played and written down.

Whatever a sweep plays is a function of what names it. So a run that was killed walks through the
same search again, finds here what it has played before, and plays on from there; and where a ledger
is shared (lab.sweep.shared), it makes no difference who played what.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import optuna
import polars as pl
from optuna.distributions import BaseDistribution
from optuna.storages.journal import BaseJournalBackend
from optuna.trial import FrozenTrial, TrialState

from lab.errors import BadInput, bad, make_folder, write_atomic
from lab.sweep.blocks import Block, Outcomes, pack, unpack
from lab.sweep.lines import JsonLines

LONGEST = 200
"""Characters of an error that are kept."""
NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for clock times in the journal: the same run, the same bytes."""
BLOCKS = "blocks"
"""Where a folder keeps blocks of games till its run is whole."""
ABOUT = ("number", "setting", "round", "block")
"""What names a play."""


class Raised(Exception):
    """A game, a policy or a metric raised: `str(error)` says what, in a line."""


class Rows(NamedTuple):
    """What a play came to: rows of measures, none if the rules refuse it, or what it raised."""

    measures: list[dict[str, Any]]
    loss: float  # of these games alone; infinite where nothing is known
    error: str | None = None


class Unit(NamedTuple):
    """A play: what names it, its setting as Optuna writes one down, and how to play it."""

    about: dict[str, Any]
    params: Mapping[str, Any]
    distributions: Mapping[str, BaseDistribution]
    play: Callable[[], Rows]

    @property
    def key(self) -> str:
        return key_of(self.about)


class Ledger(Protocol):
    """Looks up, or plays; the answers are in the order of what was asked."""

    place: str

    def plays(self, units: Sequence[Unit]) -> list[Rows]:
        """What each came to; a play that raised is an answer too."""

    def blocks(self, blocks: Sequence[Block]) -> Iterator[Outcomes]:
        """The games of each; Raised if one cannot be played."""

    def kept(self) -> tuple[int, str]:
        """How much has been played, in words: settings, or blocks of games where none is tried."""


def key_of(about: Mapping[str, Any]) -> str:
    """The name of a play as text."""
    return json.dumps([about[name] for name in ABOUT], sort_keys=True)


def read(trial: FrozenTrial) -> tuple[str, Rows]:
    """A finished play as it was written down: its name, and what it came to."""
    told = trial.user_attrs
    if trial.state == TrialState.FAIL:
        return key_of(told), Rows([], math.inf, str(told["error"]))
    return key_of(told), Rows(told["measures"], float(trial.value or 0))


def attempt(unit: Unit) -> Rows:
    """Play it, and take what it raises for what it came to."""
    try:
        return unit.play()
    except Exception as error:  # noqa: BLE001  a game's or a policy's own
        return Rows([], math.inf, in_a_line(error))


def in_a_line(error: Exception) -> str:
    """What was raised; a machine that fails is no fault of what it plays, and is raised again."""
    if isinstance(error, BadInput | OSError | MemoryError):
        raise error
    if isinstance(error, Raised):
        return str(error)
    return " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST]


# --- the ledger of a folder ---------------------------------------------------------------------


class Lines(JsonLines, BaseJournalBackend):
    """Optuna's journal as JSON lines. Who wrote a line is left out of the file."""

    def read_logs(self, log_number_from: int) -> Iterator[dict[str, Any]]:
        return iter(self.entries[log_number_from:])

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        self.entries += logs
        self.write(log | {"worker_id": ""} for log in logs)


class Journal:
    """The ledger of one process: plays in journal.log, blocks of games in files of their own."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder, self.jobs = folder, jobs
        self.place = str(folder)
        for part in self._blocks.glob(".*.part"):  # of a sweep that was killed while it wrote
            part.unlink()

    @property
    def _blocks(self) -> Path:
        return self.folder / BLOCKS

    @property
    def _journal(self) -> Path:
        return self.folder / "journal.log"

    @cached_property
    def _study(self) -> optuna.Study:
        return open_journal(self._journal)

    @cached_property
    def _known(self) -> dict[str, Rows]:
        return dict(map(read, self._study.get_trials(deepcopy=False)))

    def plays(self, units: Sequence[Unit]) -> list[Rows]:
        for unit in units:
            if unit.key not in self._known:
                self._keep(unit, attempt(unit))
        return [self._known[unit.key] for unit in units]

    def _keep(self, unit: Unit, rows: Rows) -> None:
        number = len(self._known)
        told = {"error": rows.error} if rows.error else {"measures": rows.measures}
        self._study.add_trial(
            FrozenTrial(
                number=number,
                trial_id=number,
                state=TrialState.FAIL if rows.error else TrialState.COMPLETE,
                value=None if rows.error else rows.loss,
                datetime_start=NO_TIME,
                datetime_complete=NO_TIME,
                params=dict(unit.params),
                distributions=dict(unit.distributions),
                user_attrs=unit.about | told,
                system_attrs={},
                intermediate_values={},
            )
        )
        self._known[unit.key] = rows

    def blocks(self, blocks: Sequence[Block]) -> Iterator[Outcomes]:
        for block in blocks:
            path = self._blocks / f"{block.name}.parquet"
            found = None
            with suppress(OSError, LookupError, ValueError, pl.exceptions.PolarsError):
                found = unpack(path.read_bytes())
            yield found or self._played(block, path)

    def _played(self, block: Block, path: Path) -> Outcomes:
        found = played(block, self.jobs)
        make_folder(path.parent)
        write_atomic(path, lambda part: _write(part, pack(found)))
        return found

    def kept(self) -> tuple[int, str]:
        if self._journal.exists():
            return len({json.loads(key)[0] for key in self._known}), "trials"
        return sum(1 for _ in self._blocks.glob("*.parquet")), "blocks of games"


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def played(block: Block, jobs: int) -> Outcomes:
    """Play a block; Raised says what a game or a policy raised."""
    try:
        return block.play(jobs)
    except Exception as error:
        raise Raised(in_a_line(error)) from error


def open_journal(path: Path) -> optuna.Study:
    """The study of finished plays in a journal file, made if need be."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    lines = Lines(path)
    try:
        storage = optuna.storages.JournalStorage(lines)
        # `load_if_exists` would write the study's line once more at every opening.
        open_study = optuna.load_study if lines.entries else optuna.create_study
        study = open_study(storage=storage, study_name="sweep")
        for trial in study.get_trials(deepcopy=False):
            read(trial)
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        AssertionError,
        optuna.exceptions.OptunaError,
    ):
        raise bad(str(path), "something else", "a journal of finished plays") from None
    return study
