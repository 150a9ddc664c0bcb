"""optuna-dashboard shows a run, from its folder and from PostgreSQL."""

import json
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from lab.sweep import run_sweep
from tests import postgres
from tests.experiments import write

pytest.importorskip("optuna_dashboard", reason="without the extra dashboard")
DASHBOARD = "from optuna_dashboard._cli import main; main()"


@contextmanager
def dashboard(storage):
    """Gives what asks a running dashboard for a page of its interface."""
    port = postgres.free_port()
    words = [storage, "--port", str(port), "--server", "wsgiref", "--quiet"]
    running = subprocess.Popen([sys.executable, "-W", "ignore", "-c", DASHBOARD, *words])

    def ask(page):
        until = time.monotonic() + 120
        while True:
            try:
                with urlopen(f"http://127.0.0.1:{port}/api/{page}") as answer:
                    return json.load(answer)
            except URLError:
                assert running.poll() is None
                assert time.monotonic() < until
                time.sleep(0.2)

    try:
        yield ask
    finally:
        running.terminate()
        running.wait()


def check(ask, name):
    """The study is there, with settings as parameters and a loss for each play."""
    studies = {study["study_name"]: study for study in ask("studies")["study_summaries"]}
    page = ask(f"studies/{studies[name]['study_id']}")
    assert {trial["state"] for trial in page["trials"]} == {"Complete"}
    assert len(page["trials"]) >= 5
    assert all(trial["values"] for trial in page["trials"])
    named = [trial for trial in page["trials"] if trial["params"]]
    assert {p["name"] for trial in named for p in trial["params"]} >= {"/units/worker/cost"}
    assert page["union_search_space"]


def test_it_opens_the_journal_of_a_folder(tmp_path):
    run_sweep(write(tmp_path), tmp_path / "run", trials=3)
    with dashboard(str(tmp_path / "run" / "journal.log")) as ask:
        check(ask, "sweep")
    run = run_sweep(write(tmp_path), tmp_path / "run", trials=4)  # it left no harm
    assert run.table("trials").height == 4


def test_it_opens_a_database(tmp_path):
    postgres.needed()
    with postgres.server() as address:
        run_sweep(write(tmp_path), tmp_path / "run", trials=3, storage=address)
        with dashboard(address) as ask:
            check(ask, "short")
