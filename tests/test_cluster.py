"""The same games on a real Dask cluster: a scheduler and two workers, each a process of its own."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest
from dask.distributed import Client
from typer.testing import CliRunner

import lab
from lab import cluster
from lab.cli import app
from lab.cluster import playing_on
from lab.selfplay import play
from tests.experiments import write
from tests.toy import refusal

ROOT = Path(__file__).parents[1]
SEED, GAMES = 11, 4_000
SCHEDULER = ["dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
WORKER = ["dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]

pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own, of time-outs and closed doors


@contextmanager
def program(name, *words):
    """A program of Dask's, killed in the end; gives its process and what it says."""
    running = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{name}", *words],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    with running:
        try:
            yield running
        finally:
            running.kill()


@pytest.fixture(scope="module")
def scheduler():
    """The address of a scheduler, at first without workers."""
    with program(*SCHEDULER) as running:
        for line in running.stderr:
            if "Scheduler at:" in line:
                yield line.split()[-1]
                return


@pytest.fixture(scope="module")
def workers(scheduler, tmp_path_factory):
    """Two workers that the scheduler knows, from the second test on; the last kills one."""
    words = [*WORKER, "--local-directory", str(tmp_path_factory.mktemp("dask")), scheduler]
    with program(*words) as one, program(*words) as two:
        with Client(scheduler, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield one, two


@pytest.fixture(scope="module")
def here():
    """The games as they are played without a cluster."""
    return lab.simulate(lab.load_rules("ants"), "economy", "rush", games=GAMES, seed=SEED)


def refused(address):
    """What is said of a cluster that cannot be used."""

    def connect():
        with playing_on(address):
            pass

    return refusal(connect)


def test_a_scheduler_without_workers_is_refused(scheduler, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    assert f"no worker at {scheduler}, expected a cluster with workers" in refused(scheduler)


def test_a_verb_plays_there(scheduler, workers, here, tmp_path):
    words = ["--first", "economy", "--second", "rush", "--games", str(GAMES), "--seed", str(SEED)]
    out = tmp_path / "games.parquet"
    said = CliRunner().invoke(
        app, ["simulate", "ants", *words, "--dask", scheduler, "--out", str(out)]
    )
    assert said.exit_code == 0, said.output
    assert pl.read_parquet(out).equals(here)


def test_a_sweep_plays_there(scheduler, workers, tmp_path):
    path, tables = write(tmp_path), []
    for name, more in (("there", ["--dask", scheduler]), ("here", [])):
        words = ["sweep", str(path), "--trials", "3", "--out", str(tmp_path / name), *more]
        said = CliRunner().invoke(app, words)
        assert said.exit_code == 0, said.output
        tables.append((tmp_path / name / "trials.parquet").read_bytes())
    assert tables[0] == tables[1]


@pytest.mark.parametrize(
    "words",
    ["verify ants --games 96 --targets", "compare ants 0.3 0.3-quick --games 200 --targets"],
)
def test_a_verdict_is_the_same_there(scheduler, workers, tmp_path, words):
    path, said = write(tmp_path), []
    for more in (["--dask", scheduler], []):
        done = CliRunner().invoke(app, [*words.split(), str(path), "--json", *more])
        assert done.exit_code != 2, done.output
        said.append((done.exit_code, done.stdout))
    assert said[0] == said[1]


def test_another_lab_is_refused(scheduler, workers, monkeypatch):
    monkeypatch.setattr(cluster, "version", lambda package: "0.0.0")
    said = refused(scheduler)
    assert f"found balance-lab {lab.__version__} on the worker at tcp://" in said
    assert "expected 0.0.0 as here" in said


def test_a_lost_worker_changes_no_game(scheduler, workers, here):
    rules = lab.load_rules("ants")
    with playing_on(scheduler) as cores:
        assert cores == 2
        pieces = play(rules, "economy", "rush", GAMES, SEED, cores, chunk=100)
        frames = [next(pieces)[0]]
        workers[0].send_signal(signal.SIGKILL)
        frames += [frame for frame, _ in pieces]
    assert pl.concat(frames).equals(here)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "ftp://x", ""])
def test_what_is_no_cluster_is_refused(address, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    assert "expected the address of a Dask scheduler" in refused(address)


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:x", "ftp://x", ""])
def test_no_client_is_opened_for_what_is_no_address(address, monkeypatch):
    """Half open, it would take 20 s to give up, and say so by a traceback."""
    monkeypatch.setattr("dask.distributed.Client", lambda *_, **__: pytest.fail("opened"))
    assert f"found {address!r}, expected the address" in refused(address)
