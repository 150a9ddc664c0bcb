"""Sweeps that share a study in a real PostgreSQL, each a process of its own."""

import os
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import optuna
import pytest
from optuna.storages import RDBStorage
from optuna.trial import TrialState
from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from lab.sweep import Interrupted, run_sweep, search, shared
from tests import postgres
from tests.experiments import write
from tests.test_claims import TIPS
from tests.test_compare import LONGER
from tests.toy import refusal

ROOT = Path(__file__).parents[1]
PATIENCE = 600
SMALL = [("trials = 14", "trials = 8"), ("[budget]", "[budget]\nabreast = 3")]
SWEEP = "from lab.cli import main; main()"
HANGING = """
import time
from lab.cli import main
from lab.sweep import search, shared
shared.BEAT = 1
play, left = search.measure_setting, 3
def measure_setting(*words):
    global left
    left -= 1
    if not left:
        time.sleep(1000)
    return play(*words)
search.measure_setting = measure_setting
main()
"""


@pytest.fixture(scope="module")
def server():
    postgres.needed()
    with postgres.server() as address:
        yield address


@pytest.fixture
def database(server, request):
    """The address of a new database."""
    name = f"test_{abs(hash(request.node.name))}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return f"{server.rsplit('/', 1)[0]}/{name}"


def start(spec, folder, database, code=SWEEP):
    return subprocess.Popen(
        [sys.executable, "-c", code, "sweep", spec, "--out", folder, "--storage", database],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(sweep):
    """What a sweep that fails says in the end; nothing where it does not."""
    with sweep:
        _, told = sweep.communicate(timeout=PATIENCE)
    return told if sweep.returncode else ""


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "journal.log"}


def storage(database):
    """The storage as anybody would open it, no tables made."""
    return RDBStorage(database, {"poolclass": NullPool}, True, skip_table_creation=True)


def load(database, name="short"):
    return optuna.load_study(study_name=name, storage=storage(database))


def trials(database, name="short"):
    """Every trial of a study; none where it is not there yet, for Optuna would make its tables."""
    there = text("SELECT count(*) FROM studies WHERE study_name = :name")
    try:
        with create_engine(database, poolclass=NullPool).connect() as connection:
            if not connection.execute(there, {"name": name}).scalar():
                return []
    except SQLAlchemyError:
        return []
    return load(database, name).get_trials(deepcopy=False)


def check(database, folder):
    """Each play and each block once, all of them finished."""
    named = {
        "short": lambda told: (told["number"], told["round"], told["block"]),
        "short: blocks": lambda told: told["name"],
    }
    for name, key in named.items():
        found = [t for t in trials(database, name) if t.state != TrialState.FAIL]
        assert {trial.state for trial in found} == {TrialState.COMPLETE}
        assert set(Counter(key(trial.user_attrs) for trial in found).values()) == {1}
    plays = [t for t in trials(database) if t.state == TrialState.COMPLETE]
    assert len(plays) == len((folder / "journal.log").read_text().splitlines()) - 1


def refused(spec, folder, address):
    return refusal(partial(run_sweep, storage=address), spec, folder)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The folder of a sweep that shares nothing."""
    folder = tmp_path_factory.mktemp("alone")
    return run_sweep(write(folder, *SMALL), folder / "run").folder


def test_four_that_start_together_find_what_one_finds_alone(database, alone, tmp_path):
    spec = write(tmp_path, *SMALL)
    sweeps = [start(spec, tmp_path / str(i), database) for i in range(4)]
    assert [said(sweep) for sweep in sweeps] == [""] * 4
    for i in range(4):
        assert contents(tmp_path / str(i)) == contents(alone)
    assert {trial.state for trial in trials(database)} == {TrialState.COMPLETE}
    check(database, alone)


def test_what_a_killed_worker_had_under_way_is_played_by_another(
    database, alone, tmp_path, monkeypatch
):
    monkeypatch.setattr(shared, "BEAT", 1)
    monkeypatch.setattr(shared, "GRACE", 3)
    spec = write(tmp_path, *SMALL)
    with start(spec, tmp_path / "one", database, HANGING) as one:
        while not hangs(database):
            assert one.poll() is None
            time.sleep(0.1)
        one.kill()
        one.communicate()
    assert hangs(database)
    run = run_sweep(spec, tmp_path / "two", storage=database)
    assert contents(run.folder) == contents(alone)
    check(database, alone)
    assert [trial.state for trial in trials(database)].count(TrialState.FAIL) == 1


def hangs(database):
    """Whether two plays are finished, and the third is under way."""
    states = [t.state for t in trials(database) if t.state != TrialState.WAITING]
    return sorted(states) == sorted([TrialState.COMPLETE] * 2 + [TrialState.RUNNING])


def test_the_heart_of_a_unit_beats_as_long_as_it_is_played(database, tmp_path, monkeypatch):
    play, engine = search.measure_setting, create_engine(database, poolclass=NullPool)

    def beat():
        with engine.connect() as connection:
            return connection.execute(text("SELECT max(heartbeat) FROM trial_heartbeats")).scalar()

    def slow(*words):
        first = beat()
        while beat() == first:
            time.sleep(0.05)
        return play(*words)

    monkeypatch.setattr(shared, "BEAT", 1)
    monkeypatch.setattr(search, "measure_setting", slow)
    spec = write(tmp_path, ("trials = 14", "trials = 2"))
    assert run_sweep(spec, tmp_path / "run", storage=database).confirmed["tried"] == 2


def test_ctrl_c_gives_the_unit_back_and_says_how_to_go_on(database, alone, tmp_path, monkeypatch):
    play, left = search.measure_setting, iter(range(2))

    def stop(*words):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return play(*words)

    spec, folder = write(tmp_path, *SMALL), tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(search, "measure_setting", stop)
        line = r"kept 2 trials in the study short at 127.0.0.1:\d+/.*; the same command goes on"
        with pytest.raises(Interrupted, match=line):
            run_sweep(spec, folder, storage=database)
    assert TrialState.RUNNING not in {trial.state for trial in trials(database)}
    run_sweep(spec, folder, storage=database)
    assert contents(folder) == contents(alone)
    check(database, alone)


def test_another_space_or_a_newer_lab_is_refused(database, tmp_path):
    spec = write(tmp_path, ("trials = 14", "trials = 1"))
    run_sweep(spec, tmp_path / "run", storage=database)
    other = write(tmp_path, ("low = 1, high = 3", "low = 1, high = 2"))
    line = refused(other, tmp_path / "other", database)
    assert "/experiment: found" in line
    assert "in the study short, expected" in line
    assert "as now" in line
    study = load(database)
    study.set_user_attr("lab", study.user_attrs["lab"] | {"format": shared.FORMAT + 1})
    line = refused(spec, tmp_path / "new", database)
    assert f"found a study short of format {shared.FORMAT + 1}, expected format" in line
    assert {path.name for path in tmp_path.iterdir()} == {"run", "short.toml"}


def test_a_study_of_something_else_is_refused(database, tmp_path):
    tables = RDBStorage(database, {"poolclass": NullPool})
    optuna.create_study(study_name="short", storage=tables).ask()
    line = refused(write(tmp_path), tmp_path / "run", database)
    assert "a study short of something else, expected another database" in line


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda url: url.replace(postgres.QUOTED, "wrong"), "password authentication failed"),
        (lambda url: f"{url}_none", "does not exist"),
        (lambda url: "postgresql://lab:a-secret@127.0.0.1:1/lab", "refused"),
    ],
)
def test_a_database_out_of_reach_is_one_line_without_the_password(server, tmp_path, change, said):
    line = refused(write(tmp_path), tmp_path / "run", change(server))
    assert said in line
    assert "expected a PostgreSQL database that can be reached" in line
    assert not any(word in line for word in ("secret", "wrong", postgres.QUOTED))


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("secret", "found no address of a database, expected postgresql+psycopg://USER@"),
        ("sqlite:///secret.db", "found sqlite, expected none here, where the run's folder keeps"),
        ("mysql://lab:secret@host/lab", "found mysql, expected postgresql+psycopg://USER@"),
        ("postgresql+psycopg2://secret@h/d", "did you mean 'postgresql+psycopg'?"),
    ],
)
def test_other_addresses_are_refused_before_anything_is_tried(tmp_path, address, said):
    line = refused(write(tmp_path), tmp_path / "run", address)
    assert said in line
    assert "secret" not in line


@pytest.mark.parametrize("text", [LONGER, TIPS])
def test_comparisons_and_claims_are_shared_too(database, tmp_path, text):
    spec = write(tmp_path, text=text)
    found = run_sweep(spec, tmp_path / "shared", storage=database)
    assert contents(found.folder) == contents(run_sweep(spec, tmp_path / "alone").folder)
    assert {trial.state for trial in trials(database, "short: blocks")} == {TrialState.COMPLETE}
    assert not trials(database)
