"""What a sweep plays: looked up or played, whatever it raises."""

from functools import partial

import optuna
import polars as pl
import pytest
from optuna.trial import TrialState

from lab.catalog import load_rules
from lab.report.build import report
from lab.sweep import Interrupted, run_sweep
from lab.sweep import play as module
from lab.sweep.blocks import SIZE, Block, cut, joined, pack, unpack
from lab.sweep.ledger import Journal, Raised, open_journal
from tests.experiments import PLANTED, write
from tests.test_sweep import contents
from tests.toy import refusal

COSTLY = "/units/worker/cost"


@pytest.fixture
def odd(monkeypatch):
    """A metric that fails where workers cost 2, or under other rules and in long plays."""
    measure_one = module.measure_one
    asked = {"rules": {COSTLY: 2}, "games": 0}

    def measure(frame, metric, confidence, rules):
        hit = all(rules.value(pointer) == value for pointer, value in asked["rules"].items())
        if hit and frame.height >= asked["games"]:
            raise ZeroDivisionError("workers\n for two")
        return measure_one(frame, metric, confidence, rules)

    monkeypatch.setattr(module, "measure_one", measure)
    return asked


def test_what_raises_is_recorded_and_the_sweep_goes_on(odd, tmp_path):
    folder = tmp_path / "run"
    run = run_sweep(write(tmp_path), folder)
    trials = run.table("trials")
    assert trials.height == 14
    raised = trials.filter(pl.col("error").is_not_null())
    assert raised.height
    assert raised["error"].unique().to_list() == ["ZeroDivisionError: workers for two"]
    assert (raised[COSTLY] == 2).all()
    assert (trials.filter(pl.col("error").is_null())[COSTLY] != 2).all()
    assert (raised["games"] == 0).all()
    assert (raised["loss"] == 300).all()
    confirmed = {c["number"] for c in run.confirmed["candidates"]}
    assert confirmed.isdisjoint(raised["number"])
    states = [t.state for t in open_journal(folder / "journal.log").get_trials(deepcopy=False)]
    assert states.count(TrialState.FAIL) == raised.height
    assert TrialState.RUNNING not in states
    (folder / "confirm.json").unlink()
    assert run_sweep(write(tmp_path), folder).table("trials").equals(trials)
    page = report(folder, tmp_path / "report").with_name("report.md").read_text()
    first = raised.row(0, named=True)["number"]
    said = f"raised an error and took no further part; the first, no. {first}: ZeroDivisionError"
    assert said in page


def test_a_finalist_that_raises_is_not_confirmed(odd, tmp_path):
    odd["games"] = 1000
    first = run_sweep(write(tmp_path), tmp_path / "first")
    candidate = first.confirmed["candidates"][0]
    best = candidate["number"]
    odd["rules"] = {pointer: new for pointer, (_, new) in candidate["changes"].items()}
    odd["games"] = 100
    run = run_sweep(write(tmp_path), tmp_path / "run")
    chosen = [c["number"] for c in run.confirmed["candidates"]]
    raised = run.table("trials").drop_nulls("error")
    assert best not in chosen
    assert best in raised["number"]


def test_a_baseline_that_raises_is_refused(odd, tmp_path):
    odd["rules"] = {COSTLY: load_rules("ants", "0.3").value(COSTLY)}
    line = refusal(run_sweep, write(tmp_path), tmp_path / "run")
    assert "short, the baseline: found ZeroDivisionError: workers for two, expected rules" in line


def test_a_machine_that_fails_is_not_the_settings_fault(monkeypatch, tmp_path):
    def full(*words):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "measure_one", full)
    assert "no space left on device" in refusal(run_sweep, write(tmp_path), tmp_path / "run")
    assert not (tmp_path / "run" / "confirm.json").exists()


def test_blocks_are_the_games_of_one_play(tmp_path):
    whole = Block(load_rules("ants", "0.3"), "random", "economy", 5, range(10, 30 + 2 * SIZE))
    blocks = cut(whole)
    assert [len(block.games) for block in blocks] == [SIZE - 10, SIZE, 30]
    assert len({block.name for block in blocks}) == 3
    frame, sums = whole.play(1)
    again, total = joined([unpack(pack(block.play(1))) for block in blocks])
    assert again.equals(frame)
    assert again.schema == frame.schema
    assert (total == sums).all()


def test_a_journal_plays_a_block_once(monkeypatch, tmp_path):
    block = Block(load_rules("ants", "0.3"), "random", "random", 5, range(20))
    frame, _ = next(Journal(tmp_path, 1).blocks([block]))
    monkeypatch.setattr(Block, "play", partial(pytest.fail, "played again"))
    assert next(Journal(tmp_path, 1).blocks([block]))[0].equals(frame)
    assert Journal(tmp_path, 1).kept() == (1, "blocks of games")


def test_a_block_that_cannot_be_played_says_what_was_raised(monkeypatch, tmp_path):
    def play(self, jobs):
        raise IndexError("no such square")

    monkeypatch.setattr(Block, "play", play)
    block = Block(load_rules("ants", "0.3"), "random", "random", 5, range(20))
    with pytest.raises(Raised, match="IndexError: no such square"):
        next(Journal(tmp_path, 1).blocks([block]))


def test_a_finished_play_says_its_setting_and_its_loss(tmp_path):
    run_sweep(write(tmp_path, text=PLANTED), tmp_path / "run", trials=3)
    trials = open_journal(tmp_path / "run/journal.log").get_trials(deepcopy=False)
    others = [trial for trial in trials if trial.user_attrs["number"]]
    assert trials[0].params == {}  # the baseline lies outside this space
    assert len(others) >= 2
    assert {type(trial.params["/start/resources/1"]) for trial in others} == {int}
    assert all(trial.value >= 0 for trial in others)
    ranges = {str(trial.distributions["/start/resources/1"]) for trial in others}
    assert ranges == {str(optuna.distributions.IntDistribution(0, 11))}


def test_abreast_is_another_run(tmp_path):
    wide = write(tmp_path, ("[budget]", "[budget]\nabreast = 4"))
    run = run_sweep(wide, tmp_path / "wide", trials=9)
    assert run.table("trials").height == 9
    assert run.table("trials").select(pl.nth(range(1, 5))).n_unique() == 9
    again = run_sweep(wide, tmp_path / "again", trials=6)
    assert again.table("trials").height == 6
    more = run_sweep(wide, tmp_path / "again", trials=9)
    assert more.table("trials").equals(run.table("trials"))
    line = refusal(run_sweep, write(tmp_path), tmp_path / "wide")
    assert "manifest.json /abreast: found 4, expected 1 as now" in line


def test_what_is_stopped_in_the_confirmation_plays_only_what_is_missing(tmp_path, monkeypatch):
    def stop(stage, done, total, best):
        if (stage, done) == ("confirm", 1):
            raise KeyboardInterrupt

    spec, folder = write(tmp_path, ("trials = 14", "trials = 4")), tmp_path / "run"
    whole = run_sweep(spec, tmp_path / "whole").folder
    with pytest.raises(Interrupted, match=r"kept 4 trials in .*; the same command goes on"):
        run_sweep(spec, folder, progress=stop)
    first, *others = sorted((folder / "blocks").glob("*.parquet"))
    assert len(others) == 2
    first.write_bytes(first.read_bytes()[:100])  # of a machine that lost its power
    (folder / "blocks" / ".half.part").write_text("half")
    played, play = set(), Block.play

    def note(block, jobs):
        played.add(f"{block.name}.parquet")
        return play(block, jobs)

    monkeypatch.setattr(Block, "play", note)
    run_sweep(spec, folder)
    assert first.name in played
    assert played.isdisjoint(path.name for path in others)
    assert contents(folder) == contents(whole)
