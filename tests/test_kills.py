"""A sweep that is killed at any moment goes on as if nothing had been."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import optuna
import pytest

from lab.sweep import run_sweep
from lab.sweep.folder import alone
from lab.sweep.ledger import open_journal
from tests.experiments import write
from tests.toy import refusal

ROOT = Path(__file__).parents[1]
KILLS = 20 if os.environ.get("LAB_PROOF") else 3
PATIENCE = 600


def start(spec, folder):
    return subprocess.Popen(
        [sys.executable, "-c", "from lab.cli import main; main()", "sweep", spec, "--out", folder],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def lines(folder):
    """Whole lines of the journal."""
    path = folder / "journal.log"
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1].splitlines()


def pieces(folder):
    """How much lies in the folder: a finished play, a block of games and a table count one each."""
    tables = [path for path in folder.rglob("*.parquet") if path.name[0] != "."]
    return len(lines(folder)) + len(tables)


def kill_at(count, spec, folder, delay):
    """Run till so much is there, and kill a moment later; whether it was killed at all."""
    with start(spec, folder) as sweep:
        while pieces(folder) < count and sweep.poll() is None:
            time.sleep(0.001)
        time.sleep(delay)
        sweep.send_signal(signal.SIGKILL)
        sweep.wait(PATIENCE)
    return sweep.returncode == -signal.SIGKILL


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    return run_sweep(write(folder), folder / "run").folder


def test_a_sweep_killed_at_random_moments_ends_as_if_it_had_not_been(whole, tmp_path):
    drawn = random.Random(7)
    spec, folder = write(tmp_path), tmp_path / "run"
    folder.mkdir()
    # Plays, then the blocks of three settings (two of them may be the baseline's) and the matrix.
    most = len(lines(whole)) + 12
    killed = 0
    for count in sorted(drawn.sample(range(most), KILLS)):
        killed += kill_at(count, spec, folder, drawn.uniform(0, 0.05))
        kept = lines(folder)
        assert kept == lines(whole)[: len(kept)]
        assert len(kept) >= min(count, len(lines(whole)))
    assert killed >= KILLS - 1
    run_sweep(spec, folder)
    assert contents(folder) == contents(whole)
    trials = open_journal(folder / "journal.log").get_trials(deepcopy=False)
    assert {trial.state for trial in trials} == {optuna.trial.TrialState.COMPLETE}


def test_a_second_sweep_in_the_folder_is_refused(tmp_path):
    with alone(tmp_path):
        line = refusal(run_sweep, write(tmp_path), tmp_path)
    assert "found another sweep at work there, expected a folder of its own" in line
