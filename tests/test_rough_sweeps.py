"""Sweeps that meet what a person or a machine may do to them."""

import fcntl
import json
import os
import re

import pytest

from lab.experiment import load_experiment
from lab.report.build import report
from lab.sweep import run_sweep
from tests import verbs
from tests.experiments import SHORT, write
from tests.toy import refusal

SPACE = SHORT[SHORT.index("[space]") : SHORT.index("[[matchups]]")]


def put(folder, *changes):
    return write(folder, ("trials = 14", "trials = 6"), *changes)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("seed = 5", f"seed = {'9' * 5000}", "a number too long or nesting too deep"),
        ("seed = 5", f"seed = {'[' * 5000}{']' * 5000}", "a number too long or nesting too deep"),
        ('"0.3"', '"0.3\\u0000.json"', "null byte"),
        ("low = 0, high = 8", "low = -1e308, high = 1e308", "from -1e+09 to 1e+09"),
        ("weight = 2", "weight = 1e308", "a number above 0 to 1e+06"),
        ("tolerance = 0.3", "tolerance = 1e-20", "from 1e-09"),
        ("value = 0.5\ntolerance = 0.3", "band = [0.5, 0.5000000000001]", "the empty band"),
        ('metric = "first_score"', 'metric = "first_score"\nname = "loss"', '"loss"'),
    ],
)
def test_what_no_sweep_could_work_with_is_refused_at_once(tmp_path, old, new, found):
    assert found in refusal(load_experiment, put(tmp_path, (old, new)))


def test_settings_that_the_rules_refuse_are_tried_and_left(tmp_path):
    space = '[space]\n"/pheromone/start_strength" = { low = 1, high = 5 }\n'
    run = run_sweep(put(tmp_path, (SPACE, space)), tmp_path / "run", trials=14)
    trials = run.table("trials")
    refused = trials.filter(trials["/pheromone/start_strength"] > 3)  # the greatest strength
    assert refused.height > 0
    assert refused["loss"].to_list() == [300.0] * refused.height  # unknown, by weights 1 and 2
    assert run.confirmed["candidates"]
    assert {c["number"] for c in run.confirmed["candidates"]}.isdisjoint(refused["number"])
    assert report(run.folder).is_file()


def test_an_unbounded_metric_of_one_game_says_nothing(tmp_path):
    path = put(
        tmp_path,
        ('metric = "first_score"\nmatchup', 'metric = "plies"\nmatchup'),
        ("confirm_games = 100", "confirm_games = 1"),
        ("games = 40", "games = 1"),
        ("games = 20\n", ""),
    )
    run = run_sweep(path, tmp_path / "run")
    target = run.chosen["targets"][0]
    assert (target["holdout"]["high"], target["outside"], target["holds"]) == (None, None, False)
    assert run.confirmed["status"] == "refused"


def test_two_sweeps_never_share_a_folder(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    assert "another sweep" in refusal(run_sweep, put(tmp_path), folder)
    os.close(handle)
    assert contents(folder) == {}


def test_what_a_killed_sweep_left_half_written_is_swept_away(tmp_path):
    path, folder = put(tmp_path), tmp_path / "run"
    folder.mkdir()
    (folder / ".manifest.json.abc.part").write_text("{")
    run_sweep(path, folder, trials=1)
    assert not [name for name in contents(folder) if name.endswith(".part")]


@pytest.mark.parametrize("line", ["3", "[]", "{}", '{"op_code": 4}', "null", '{"op_code": "x"}'])
def test_a_journal_of_something_else_is_refused(tmp_path, line):
    path, folder = put(tmp_path), tmp_path / "run"
    run_sweep(path, folder, trials=1)
    journal = folder / "journal.log"
    journal.write_text(journal.read_text() + line + "\n")
    assert "a journal of finished plays" in refusal(run_sweep, path, folder)


def test_a_folder_in_the_journals_place_is_one_line(tmp_path):
    (tmp_path / "run/journal.log").mkdir(parents=True)
    path = put(tmp_path)
    assert "a folder that is no run" in refusal(run_sweep, path, tmp_path / "run")
    (tmp_path / "run/journal.log").rmdir()
    folder = run_sweep(path, tmp_path / "run", trials=1).folder
    (folder / "journal.log").unlink()
    (folder / "journal.log").mkdir()
    assert "journal.log: found is a directory" in refusal(run_sweep, path, folder)


@pytest.mark.parametrize("key", ["baseline", "candidates", "chosen", "status"])
def test_a_damaged_verdict_is_one_line(tmp_path, key):
    folder = run_sweep(put(tmp_path), tmp_path / "run", trials=1).folder
    verdict = json.loads((folder / "confirm.json").read_text())
    del verdict[key]
    (folder / "confirm.json").write_text(json.dumps(verdict))
    assert re.search("found a damaged run", refusal(report, folder))
    again = verbs.run("sweep", put(tmp_path), "--out", folder, "--trials", 1)
    assert (again.exit_code, again.stderr.count("\n")) in ((0, 0), (2, 1))
