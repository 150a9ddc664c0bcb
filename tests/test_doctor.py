"""What is said of a machine, well or ill, without compiling anything."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from sqlalchemy import create_engine, text

from lab import doctor, jit
from lab.catalog import GAMES
from lab.doctor import Finding, examine, library, streams
from tests.runs import run_folder
from tests.verbs import run


@pytest.fixture(autouse=True)
def hasty(monkeypatch):
    monkeypatch.setattr(doctor, "SECONDS", 0.01)
    monkeypatch.setattr(doctor, "BLOCK", 5)


@pytest.fixture
def alone(monkeypatch):
    """Only what is stored is looked at: all else is well."""

    def found(*given):
        return Finding("this", "as it should be")

    for name in ("_python", "_threads", "_rules", "_cache", "_kernels", "_streams", "_speed"):
        monkeypatch.setattr(doctor, name, found)
    for name in ("_golden", "_chromium", "_postgres"):
        monkeypatch.setattr(doctor, name, found)
    monkeypatch.setattr(doctor, "_libraries", list)
    monkeypatch.setattr(doctor, "_playable", lambda game: False)


def by_name(findings):
    return {finding.what: finding for finding in findings}


def stored(place):
    return by_name(examine(str(place)))["storage"]


# --- a machine ----------------------------------------------------------------------------------


def test_everything_is_looked_at_and_nothing_is_left_changed():
    before = jit.announce
    found = by_name(examine())
    assert jit.announce is before
    named = {"Python", "lab", "numba", "threads", "rules", "kernels", "streams", "speed"}
    named |= {"golden data", "Chromium", "PostgreSQL", *(f"kernels of {game}" for game in GAMES)}
    assert named <= set(found)
    assert "storage" not in found
    assert all(finding.do for finding in found.values() if finding.state != "well")


def test_a_machine_without_kernels_is_well_and_stays_without(tmp_path):
    environment = os.environ | {"LAB_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", "from lab.cli import main; main()", "doctor", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    told = json.loads(done.stdout)
    assert (told["well"], done.returncode) == (True, 0), done.stdout
    found = {row["what"]: row for row in told["findings"]}
    for game in GAMES:
        row = found[f"kernels of {game}"]
        assert (row["found"], row["state"]) == ("not compiled", "note")
        assert row["do"].startswith(f"lab compile {game}")
    assert found["kernels"]["found"] == f"kept in {tmp_path / 'lab'}"
    assert found["speed"]["found"] == "not measured: no kernel is compiled"
    assert found["streams"]["state"] == "note"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_nowhere_to_keep_kernels_is_wrong(monkeypatch, tmp_path):
    monkeypatch.setattr(jit, "folder", lambda: str(tmp_path / "lab-x1"))
    found = by_name(examine())["kernels"]
    assert found.state == "wrong"
    assert "LAB_CACHE_DIR" in found.do


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("NUMBA_DISABLE_JIT", "1", "Python"),
        ("LAB_RULES", "/no/such", "rules"),
        ("LAB_GOLDEN", "/no/such", "golden data"),
    ],
)
def test_what_the_environment_names_has_to_be_there(name, value, what, monkeypatch):
    monkeypatch.setenv(name, value)
    found = by_name(examine())[what]
    assert found.state == "wrong"
    assert name in found.do


@pytest.mark.parametrize(
    ("need", "state", "found"),
    [
        ("numpy>=1", "well", "2."),
        ("numpy<1", "wrong", "2."),
        ("no-such-library>=3", "wrong", "not installed"),
    ],
)
def test_libraries_are_held_against_what_lab_takes(need, state, found):
    told = library(Requirement(need))
    assert told.state == state
    assert told.found.startswith(found)
    assert told.do == ("" if state == "well" else f'pip install "{need}"')


def test_streams_that_meet_are_wrong():
    assert streams(1200, 1200).state == "well"
    met = streams(62, 1000)
    assert met.state == "wrong"
    assert met.found.startswith("62 of 1,000 distinct")


# --- storage ------------------------------------------------------------------------------------


def test_a_journal_is_whole_or_cut(alone, tmp_path):
    folder = run_folder(tmp_path / "run")
    assert "journal.log: no such file" in stored(folder).found
    journal = folder / "journal.log"
    journal.write_text("{}\n{}\n")
    assert stored(folder) == Finding("storage", f"{journal}, lines: 2")
    journal.write_text("{}\n{")
    cut = stored(journal)
    assert (cut.state, cut.found) == ("note", f"{journal}, lines: 1, the last cut")


def test_a_database_answers_or_not(alone, tmp_path):
    file = tmp_path / "studies.db"
    missing = stored(f"sqlite:///{file}")
    assert (missing.state, file.exists()) == ("wrong", False)
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE other (x INTEGER)"))
    assert stored(f"sqlite:///{file}").found == f"sqlite:///{file} answers, with no study yet"
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE studies (x INTEGER)"))
    engine.dispose()
    assert stored(f"sqlite:///{file}") == Finding("storage", f"sqlite:///{file} answers")
    file.write_text("something else")
    assert stored(f"sqlite:///{file}").state == "wrong"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://me:secret@127.0.0.1:1/lab",  # nobody listens there
        "no-such-driver://me:secret@host/lab",
        "postgresql://me:secret@host:port/lab",
    ],
)
def test_a_database_that_cannot_be_reached_is_wrong_and_keeps_its_password(url, alone):
    found = stored(url)
    assert (found.state, "\n" in found.found) == ("wrong", False)
    assert "secret" not in found.found + found.do


# --- the verb -----------------------------------------------------------------------------------


def test_the_verb_ends_with_what_is_wrong(alone, tmp_path):
    well = run("doctor")
    assert (well.exit_code, well.stdout.splitlines()[-1]) == (0, "all is well")
    ill = run("doctor", "--storage", tmp_path)
    line = f"wrong: storage: {tmp_path / 'journal.log'}: no such file or directory: give a run's"
    assert (ill.exit_code, line in ill.stdout, "1 wrong" in ill.stdout) == (1, True, True)
    told = json.loads(run("doctor", "--storage", tmp_path, "--json").stdout)
    assert told["well"] is False
    assert told["findings"][-4]["state"] == "wrong"


def test_where_the_repository_is_missing_lab_is_not_installed(monkeypatch):
    def gone(name):
        raise doctor.PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "requires", gone)
    (found,) = doctor._libraries()
    assert (found.what, found.state) == ("lab", "wrong")
    assert Path(found.do.split()[-1]).name == "repository"
