"""Units of work in a study that any number of processes share: each is played once, by anybody.

A unit is a trial of Optuna's: WAITING, RUNNING while somebody plays it, then COMPLETE, or FAIL
with an error that the game raised. A worker that dies leaves a trial RUNNING whose heart no longer
beats: it becomes a FAIL without error, and the unit is put in again.
"""

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any, NamedTuple

import optuna
from optuna.distributions import BaseDistribution
from optuna.exceptions import ExperimentalWarning, StorageInternalError, UpdateFinishedTrialError
from optuna.storages import RDBStorage
from optuna.trial import FrozenTrial, TrialState, create_trial

SOON, LATE = 0.02, 1.0
"""Seconds between two looks at what others play: at first, and at most."""
LOCK = 0x1AB
"""The first half of the keys of our locks in a database; the second is a study's number, or 0."""


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
            with suppress(Exception):  # of a database that is gone: what was raised says more
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
            while not stop.wait(self.storage.get_heartbeat_interval()):
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
