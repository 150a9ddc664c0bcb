"""A ledger in PostgreSQL that any number of sweeps on any machines share.

All walk the same search. What they come to next is a unit of work: whoever is first puts it into
the study, whoever is free takes it, and the others wait for what it comes to. So all of them get
the numbers that one would get alone.

A unit is a trial of Optuna's: WAITING, RUNNING while somebody plays it, then COMPLETE, or FAIL
with an error that the game raised. A worker that dies leaves a trial RUNNING whose heart no longer
beats: it becomes a FAIL without error, and the unit is put in again.
"""

import base64
import json
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

import optuna
from optuna.distributions import BaseDistribution
from optuna.exceptions import ExperimentalWarning, StorageInternalError, UpdateFinishedTrialError
from optuna.storages import RDBStorage
from optuna.trial import FrozenTrial, TrialState, create_trial

from lab.errors import bad
from lab.experiment import Experiment
from lab.jit import digest
from lab.sweep.blocks import Block, Outcomes, pack, unpack
from lab.sweep.folder import LATER
from lab.sweep.ledger import Raised, Rows, Unit, attempt, key_of, played, read

if TYPE_CHECKING:
    from sqlalchemy import URL

FORMAT = 1
"""Of what a study holds."""
WAIT = 5
"""Seconds for a server to answer."""
BEAT, GRACE = 5, 30
"""Seconds between two heartbeats of a unit under way; without one for so long it is dead."""
SOON, LATE = 0.02, 1.0
"""Seconds between two looks at what others play: at first, and at most."""
LOCK = 0x1AB
"""The first half of the keys of our locks in a database; the second is a study's number, or 0."""
OPTIONS: dict[str, Any] = {"connect_args": {"connect_timeout": WAIT}, "pool_pre_ping": True}
FORM = "postgresql+psycopg://USER@HOST:PORT/DATABASE"


class Came(NamedTuple):
    """What a unit came to: attributes for its trial, its loss, and what it raised."""

    told: Mapping[str, Any]
    value: float | None = None
    error: str | None = None


class Work(NamedTuple):
    """A unit as the queue sees it."""

    key: str
    about: Mapping[str, Any]
    play: Callable[[], Came]
    params: Mapping[str, Any] = {}
    distributions: Mapping[str, BaseDistribution] = {}


class Queue:
    """A study of units, played by whoever comes."""

    def __init__(
        self, study: optuna.Study, storage: RDBStorage, key: Callable[[Mapping[str, Any]], str]
    ) -> None:
        self.study, self.storage, self.key = study, storage, key
        self._keys: dict[int, str] = {}

    def answers(self, works: Sequence[Work]) -> list[FrozenTrial]:
        """The finished trial of each; played here, or waited for while others play."""
        wanted = {work.key: work for work in works}
        pause = SOON
        while True:
            known = self.known()
            if all(key in known and known[key].state.is_finished() for key in wanted):
                return [known[work.key] for work in works]
            missing = [work for work in wanted.values() if work.key not in known]
            if self._play_one(known, wanted) or self._put(missing):
                pause = SOON
                continue
            time.sleep(pause)
            pause = min(pause * 1.5, LATE)
            self._bury()

    def known(self) -> dict[str, FrozenTrial]:
        """Units that are finished, under way, or wait."""
        return {
            self._key_of(trial): trial
            for trial in self.study.get_trials(deepcopy=False)
            if trial.state != TrialState.FAIL or "error" in trial.user_attrs
        }

    def _key_of(self, trial: FrozenTrial) -> str:
        if trial.number not in self._keys:
            self._keys[trial.number] = self.key(trial.user_attrs)
        return self._keys[trial.number]

    def _put(self, works: Sequence[Work]) -> bool:
        """Let units wait for whoever comes, each once, whatever others put in at the same time."""
        from sqlalchemy import text

        if not works:
            return False
        lock = {"ours": LOCK, "study": self.study._study_id}
        with self.storage.engine.begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:ours, :study)"), lock)
            known = self.known()
            for work in works:
                if work.key not in known:
                    self.study.add_trial(
                        create_trial(
                            state=TrialState.WAITING,
                            params=dict(work.params),
                            distributions=dict(work.distributions),
                            user_attrs=dict(work.about),
                        )
                    )
        return True

    def _play_one(self, known: Mapping[str, FrozenTrial], wanted: Mapping[str, Work]) -> bool:
        for key, work in wanted.items():
            trial = known.get(key)
            if trial and trial.state == TrialState.WAITING and self._take(trial._trial_id):
                self._play(trial._trial_id, work)
                return True
        return False

    def _take(self, trial: int) -> bool:
        """Whether a waiting unit is ours now. Its heart beats first: only then can it be missed."""
        self.storage.record_heartbeat(trial)
        with suppress(UpdateFinishedTrialError):
            return self.storage.set_trial_state_values(trial, TrialState.RUNNING)
        return False

    def _play(self, trial: int, work: Work) -> None:
        try:
            with self._beating(trial):
                came = work.play()
                self._close(trial, came)
        except BaseException:  # such as Ctrl-C: whoever comes next shall not wait for its heart
            with suppress(UpdateFinishedTrialError):
                self.storage.set_trial_state_values(trial, TrialState.FAIL)
            raise

    def _close(self, trial: int, came: Came) -> None:
        """Write down what a unit came to, unless it was taken for dead and played by another."""
        state = TrialState.FAIL if came.error else TrialState.COMPLETE
        values = None if came.value is None or came.error else [came.value]
        with suppress(UpdateFinishedTrialError):
            for name, value in came.told.items():
                self.storage.set_trial_user_attr(trial, name, value)
            self.storage.set_trial_state_values(trial, state, values)

    @contextmanager
    def _beating(self, trial: int) -> Iterator[None]:
        stop = Event()

        def beat() -> None:
            while not stop.wait(BEAT):
                with suppress(StorageInternalError):  # the unit itself will say so when it is done
                    self.storage.record_heartbeat(trial)
            self.storage.remove_session()

        heart = Thread(target=beat, daemon=True)
        heart.start()
        try:
            yield
        finally:
            stop.set()
            heart.join()

    def _bury(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ExperimentalWarning)
            optuna.storages.fail_stale_trials(self.study)


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
