"""A ledger in PostgreSQL that any number of sweeps on any machines share.

All walk the same search. What they come to next is a unit of work: whoever is first puts it into
the study, whoever is free takes it, and the others wait for what it comes to. So all of them get
the numbers that one would get alone.
"""

import base64
import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import optuna
from optuna.exceptions import ExperimentalWarning, StorageInternalError
from optuna.storages import RDBStorage
from optuna.trial import TrialState

from lab.errors import bad
from lab.experiment import Experiment
from lab.jit import digest
from lab.sweep.blocks import Block, Outcomes, pack, unpack
from lab.sweep.folder import LATER
from lab.sweep.ledger import Raised, Rows, Unit, attempt, key_of, played, read
from lab.sweep.queue import LOCK, Came, Queue, Work

if TYPE_CHECKING:
    from sqlalchemy import URL

FORMAT = 1
"""Of what a study holds."""
WAIT = 5
"""Seconds for a server to answer."""
BEAT, GRACE = 5, 30
"""Seconds between two heartbeats of a unit under way; without one for so long it is dead."""
OPTIONS: dict[str, Any] = {"connect_args": {"connect_timeout": WAIT}, "pool_pre_ping": True}
FORM = "postgresql+psycopg://USER@HOST:PORT/DATABASE"


class Shared:
    """The ledger of a database: a study of plays, and one of blocks of games."""

    def __init__(self, place: str, plays: Queue, blocks: Queue, jobs: int) -> None:
        self.place, self.jobs = place, jobs
        self._plays, self._blocks = plays, blocks

    def plays(self, units: Sequence[Unit]) -> list[Rows]:
        works = [
            Work(unit.key, unit.about, partial(_rows, unit), unit.params, unit.distributions)
            for unit in units
        ]
        with _in_reach(self.place):
            return [read(trial)[1] for trial in self._plays.answers(works)]

    def blocks(self, blocks: Sequence[Block]) -> Iterator[Outcomes]:
        works = [
            Work(block.name, block.about | {"name": block.name}, partial(self._games, block))
            for block in blocks
        ]
        with _in_reach(self.place):
            trials = self._blocks.answers(works)
        for trial in trials:
            if trial.state == TrialState.FAIL:
                raise Raised(trial.user_attrs["error"])
            yield unpack(base64.b64decode(trial.user_attrs["outcomes"]))

    def _games(self, block: Block) -> Came:
        try:
            packed = pack(played(block, self.jobs))
        except Raised as error:
            return Came({"error": str(error)}, error=str(error))
        return Came({"outcomes": base64.b64encode(packed).decode()})

    def kept(self) -> tuple[int, str]:
        numbers = {
            trial.user_attrs["number"]
            for trial in self._plays.known().values()
            if trial.state.is_finished()
        }
        return len(numbers), "trials"


def _rows(unit: Unit) -> Came:
    rows = attempt(unit)
    told = {"error": rows.error} if rows.error else {"measures": rows.measures}
    return Came(told, rows.loss, rows.error)


# --- the database -------------------------------------------------------------------------------


@contextmanager
def connected(
    address: str, experiment: Experiment, manifest: Mapping[str, Any], jobs: int
) -> Iterator[Shared]:
    """The ledger of an experiment at an address, made if need be.

    BadInput when the database cannot be reached, or has another experiment's study by this name.
    """
    url = _url(address)
    shown = f"{url.host or 'localhost'}:{url.port or 5432}/{url.database or ''}"
    where = f"--storage {shown}"
    about = {"format": FORMAT, "kernels": digest(experiment.game.name)} | {
        name: told for name, told in manifest.items() if name not in LATER
    }
    names = experiment.name, f"{experiment.name}: blocks"
    with ExitStack() as stack:
        with _in_reach(where), _driver(), _locked(url):
            storage = stack.enter_context(_storage(url))
            plays, blocks = (_study(storage, name, about, where) for name in names)
        queues = Queue(plays, storage, key_of), Queue(blocks, storage, lambda t: str(t["name"]))
        yield Shared(f"the study {experiment.name} at {shown}", *queues, jobs)


def _url(address: str) -> "URL":
    """An address of ours; what is wrong with another, without a password that may be in it."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise bad("--storage", "no address of a database", FORM) from None
    kind = url.drivername
    if kind.startswith("sqlite"):
        raise bad(
            "--storage", kind, f"none here, where the run's folder keeps a journal, or {FORM}"
        )
    if kind not in ("postgresql", "postgresql+psycopg"):
        raise bad("--storage", kind, FORM, kind, ["postgresql+psycopg"])
    return url.set(drivername="postgresql+psycopg")


@contextmanager
def _driver() -> Iterator[None]:
    try:
        yield
    except ImportError:
        cure = "pip install 'balance-lab[postgres]'"
        raise bad("--storage", "no PostgreSQL driver here", cure) from None


@contextmanager
def _in_reach(where: str) -> Iterator[None]:
    """What a database says, in one line; the first of them, for the others say no more."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (SQLAlchemyError, StorageInternalError) as error:
        cause = error.__cause__ if isinstance(error, StorageInternalError) else error
        said = str(getattr(cause, "orig", None) or cause or error).strip().splitlines()[0]
        wanted = "a PostgreSQL database that can be reached and written; the same command goes on"
        raise bad(where, said, wanted) from None


@contextmanager
def _locked(url: "URL") -> Iterator[None]:
    """Alone in a database: sweeps that start together would all make the same tables."""
    from sqlalchemy import create_engine, text

    engine = create_engine(url, **OPTIONS)
    try:
        with engine.begin() as connection:
            lock = {"ours": LOCK}
            connection.execute(text("SELECT pg_advisory_xact_lock(:ours, 0)"), lock)
            yield
    finally:
        engine.dispose()


@contextmanager
def _storage(url: "URL") -> Iterator[RDBStorage]:
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    address = url.render_as_string(hide_password=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExperimentalWarning)
        try:
            storage = RDBStorage(
                address, dict(OPTIONS), heartbeat_interval=BEAT, grace_period=GRACE
            )
        except RuntimeError as error:  # the tables of another Optuna
            raise bad("--storage", str(error), f"tables of Optuna {optuna.__version__}") from None
    try:
        yield storage
    finally:
        storage.remove_session()
        storage.engine.dispose()


def _study(storage: RDBStorage, name: str, about: dict[str, Any], where: str) -> optuna.Study:
    """The study, which remembers what it depends on; BadInput where that is something else."""
    study = optuna.create_study(storage=storage, study_name=name, load_if_exists=True)
    told = study.user_attrs.get("lab")
    if told is None and not study.get_trials(deepcopy=False):
        study.set_user_attr("lab", about)
        return study
    if not isinstance(told, dict) or not isinstance(told.get("format"), int):
        raise bad(where, f"a study {name} of something else", "another database")
    if told["format"] > FORMAT:
        found = f"a study {name} of format {told['format']}"
        raise bad(where, found, f"format {FORMAT}; a newer lab wrote it")
    for key, now in json.loads(json.dumps(about)).items():
        if told.get(key) != now:
            found = f"{told.get(key)} in the study {name}"
            wanted = f"{now} as now; another database, or a file of another name"
            raise bad(f"{where} /{key}", found, wanted)
    return study
