"""Warm starts: what an earlier run learnt is not played again, and nothing strange slips in."""

import json

import pytest

from lab.experiment import load_experiment
from lab.report.build import report
from lab.sweep import Run, run_sweep
from lab.sweep.reuse import gather
from tests import verbs
from tests.experiments import SHORT, write
from tests.test_sweep import contents
from tests.toy import refusal

FEW = ("trials = 14", "trials = 6")
WIDER = ("low = 0, high = 8, step = 2", "low = 0, high = 12, step = 2")


@pytest.fixture(scope="module")
def narrow(tmp_path_factory):
    folder = tmp_path_factory.mktemp("narrow")
    return run_sweep(write(folder, FEW), folder / "run")


def test_a_widened_range_keeps_what_was_played(narrow, tmp_path):
    path = write(tmp_path, FEW, WIDER)
    run = run_sweep(path, tmp_path / "run", earlier=[narrow.folder])
    old, new = narrow.table("trials"), run.table("trials")
    pointers = new.columns[1:5]
    assert new.height == old.height - 1 + 6  # the baseline is played anew, the others are there
    for before, after in zip(old.rows(named=True)[1:], new.rows(named=True)[1:], strict=False):
        assert [before[p] for p in pointers] == [after[p] for p in pointers]
        assert after["games"] >= before["games"]
        if after["games"] == before["games"]:
            assert after["loss"] == pytest.approx(before["loss"])
    told = json.loads((run.folder / "manifest.json").read_text())
    assert told["reused"]["trials"] == old.height - 1
    assert (
        told["confirm_seed"]
        != json.loads((narrow.folder / "manifest.json").read_text())["confirm_seed"]
    )

    before = contents(run.folder)
    assert run_sweep(path, run.folder).folder == run.folder  # nobody need tell it again
    (run.folder / "confirm.json").unlink()
    run_sweep(path, run.folder, jobs=2)
    assert contents(run.folder) == before
    assert report(run.folder).is_file()


def test_only_settings_of_the_new_space_with_the_baselines_other_numbers(narrow, tmp_path):
    line = '"/board/mirror_second" = { choices = [false, true] }\n'
    experiment = load_experiment(write(tmp_path, (line, "")))
    found = gather(experiment, [Run(narrow.folder)])
    rows = narrow.table("trials").rows(named=True)
    kept = [row for row in rows[1:] if not row["/board/mirror_second"]]
    assert 0 < len(found.trials) == len(kept) < len(rows) - 1
    for old, row in zip(found.trials, kept, strict=True):
        assert old.setting == {pointer: row[pointer] for pointer in old.setting}


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ([('mirror = "random"', 'mirror = "rush"'), ("random mirror", "rush mirror")], "no "),
        ([('metric = "first_score"', 'metric = "queen"')], "no queen of random v random"),
        ([('"/turn/round_cap" = 4', '"/turn/round_cap" = 5')], "no such trial"),
    ],
)
def test_a_study_that_does_not_fit_is_refused(narrow, tmp_path, changes, found):
    path = write(tmp_path, FEW, *changes)
    said = refusal(lambda: run_sweep(path, tmp_path / "run", earlier=[narrow.folder]))
    assert said.startswith(f"--from {narrow.folder}: found {found}")
    assert not (tmp_path / "run").exists()


def test_an_unfinished_or_no_run_is_refused(narrow, tmp_path):
    path = write(tmp_path, FEW)
    said = verbs.run("sweep", path, "--out", tmp_path / "run", "--from", tmp_path / "nowhere")
    assert (said.exit_code, said.stderr.count("\n")) == (2, 1)
    other = run_sweep(path, tmp_path / "other", trials=1)
    (other.folder / "confirm.json").unlink()
    assert "an unfinished sweep" in refusal(
        lambda: run_sweep(path, tmp_path / "run", earlier=[other.folder])
    )


def test_a_run_that_began_otherwise_takes_nothing_in(narrow, tmp_path):
    path = write(tmp_path, FEW, WIDER)
    run_sweep(path, tmp_path / "run", trials=1)
    said = refusal(lambda: run_sweep(path, tmp_path / "run", earlier=[narrow.folder]))
    assert "manifest.json /" in said


def test_a_whole_table_is_one_choice(tmp_path):
    space = SHORT[SHORT.index('"/start/resources/1"') : SHORT.index("[[links]]")]
    links = SHORT[SHORT.index("[[links]]") : SHORT.index("[[matchups]]")]
    table = '"/start/resources" = { choices = [[0, 0], [4, 6], [9, 1]] }\n\n'
    path = write(tmp_path, FEW, (space, table), (links, ""))
    run = run_sweep(path, tmp_path / "run")
    cells = run.table("trials")["/start/resources"].to_list()
    assert set(cells) <= {"[0, 0]", "[4, 6]", "[9, 1]", "[3, 4]"}
    assert len(set(cells)) == run.table("trials").height == 4  # three choices and the baseline
    assert all(
        new in ([0, 0], [4, 6], [9, 1])
        for candidate in run.confirmed["candidates"]
        for _, new in candidate["changes"].values()
    )
    assert report(run.folder).is_file()
    again = gather(load_experiment(path), [run])
    assert [old.setting["/start/resources"] for old in again.trials] == [
        json.loads(cell) for cell in cells[1:]
    ]


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ('"/start/resources" = { choices = [[1, 2], [3]] }', "/space /start/resources"),
        ('"/start/resources" = { choices = [[1, 2], [1, 2]] }', "2 times"),
        ('"/start/resources" = { low = 1, high = 2 }', "an unknown pointer"),
        ('"/start/resorces" = { choices = [[1, 2]] }', "/start/resources"),
        (
            '"/start/resources" = {choices = [[1, 2]]}\n"/start/resources/0" = {low = 1, high = 2}',
            "a part of /start/resources",
        ),
    ],
)
def test_a_table_that_the_rules_do_not_take_is_refused(tmp_path, table, found):
    space = SHORT[SHORT.index('"/start/resources/1"') : SHORT.index("[[links]]")]
    links = SHORT[SHORT.index("[[links]]") : SHORT.index("[[matchups]]")]
    path = write(tmp_path, (space, table + "\n\n"), (links, ""))
    assert found in refusal(load_experiment, path)
