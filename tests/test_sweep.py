import json
from types import SimpleNamespace

import polars as pl
import pytest

from lab.errors import BadInput
from lab.experiment import Pairing, load_experiment
from lab.experiment.banks import seed_of
from lab.stats.estimate import Estimate
from lab.sweep import Interrupted, run_sweep
from lab.sweep.play import loss, miss, play_setting, shortfall
from tests.experiments import PLANTED, write
from tests.toy import refusal

FILES = {
    "confirm.json",
    "curves.parquet",
    "endings.parquet",
    "experiment.toml",
    "journal.log",
    "lengths.parquet",
    "manifest.json",
    "matrix.parquet",
    "measures.parquet",
    "recommended.json",
    "rules.json",
    "trials.parquet",
}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    folder = tmp_path_factory.mktemp("short")
    return run_sweep(write(folder), folder / "run")


def target(low, high, weight=1.0):
    return SimpleNamespace(band=(low, high), weight=weight)


def estimate(value, low, high, n=100):
    return Estimate(value, low, high, 0.1, n, n, n, "t", 0.95)


def test_the_loss_is_the_distance_outside_in_half_widths_times_the_weight():
    bands = [target(0.4, 0.6), target(10, 30, weight=3)]
    inside, below = estimate(0.6, 0.5, 0.7), estimate(5, 4, 31)
    assert loss(bands, [inside, below]) == pytest.approx(3 * 0.5)
    assert shortfall(bands, [inside, below]) == pytest.approx(1 + 3 * 0.6)
    assert miss(bands[0], 0.4, 0.6) == 0


def test_nothing_known_is_far_outside_and_never_holds():
    nothing = estimate(float("nan"), 0, 1, n=0)
    assert loss([target(0, 1)], [nothing]) == shortfall([target(0, 1)], [nothing]) == 100


def test_banks_of_other_purposes_have_other_seeds():
    seeds = {seed_of(1, "search", i) for i in range(1000)} | {seed_of(1, "confirm")}
    assert len(seeds) == 1001
    assert max(seeds) < 2**63


def test_a_run_keeps_all_that_a_report_needs(short):
    assert set(contents(short.folder)) == FILES
    assert short.table("trials").columns == [
        "number",
        "/start/resources/1",
        "/units/worker/cost",
        "/units/soldier/cost",
        "/board/mirror_second",
        "loss",
        "expected_loss",
        "change_steps",
        "games",
        "first_score",
        "score of economy",
        "first_score error",
        "score of economy error",
        "error",
    ]
    assert short.table("trials").height == 14
    assert short.table("trials")["change_steps"][0] == 0
    for name in ("matrix", "lengths", "endings", "curves"):
        assert set(short.table(name)["setting"]) == {"baseline", "chosen"}, name
    ends = short.table("endings").group_by("setting").agg(pl.col("value").sum(), pl.col("n").max())
    assert ends["value"].to_list() == pytest.approx([1, 1])
    assert set(ends["n"]) == set(short.table("curves").group_by("setting").agg(pl.max("n"))["n"])
    lengths = short.table("lengths").filter(setting="chosen", matchup="random v economy")
    assert lengths["count"].sum() == 50
    assert (
        json.loads((short.folder / "recommended.json").read_text())["rules"]["turn"]["round_cap"]
        == 4
    )


def test_the_confirmation_is_longer_than_the_search_and_on_fresh_seeds(short):
    found = short.confirmed
    assert found["tried"] == 14
    assert found["baseline"]["number"] == 0
    assert len(found["candidates"]) == 2
    for candidate in [found["baseline"], *found["candidates"]]:
        first, score = candidate["targets"]
        assert (first["holdout"]["n"], score["holdout"]["n"]) == (100, 100)
        assert first["search"]["n"] >= 40
        assert first["search"]["n"] == score["search"]["n"]
        width = first["holdout"]["high"] - first["holdout"]["low"]
        assert width > 0
        assert candidate["holds"] == (first["holds"] and score["holds"])
        assert first["shrinkage"] == pytest.approx(
            first["holdout"]["value"] - first["search"]["value"]
        )
    assert found["confidence"] == pytest.approx(1 - 0.05 / (2 * 3))  # targets x settings


def test_every_trial_lies_inside_the_links(short):
    trials = short.table("trials")
    assert (trials["/units/worker/cost"] < trials["/units/soldier/cost"]).all()


def test_the_same_run_gives_the_same_bytes(short, tmp_path):
    again = run_sweep(write(tmp_path), tmp_path / "run", jobs=2)
    assert contents(again.folder) == contents(short.folder)


@pytest.mark.parametrize("torn", [b'{"op_code": 4, "wor', b""])
def test_a_killed_run_goes_on_as_if_nothing_had_been(short, tmp_path, torn):
    folder = tmp_path / "run"
    run_sweep(write(tmp_path), folder, trials=13)  # the sampler looks back from trial 10 on
    (folder / "confirm.json").unlink()
    journal = folder / "journal.log"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]) + torn)
    run_sweep(write(tmp_path), folder)
    assert contents(folder) == contents(short.folder)


def test_a_finished_run_is_not_played_again(short, tmp_path, monkeypatch):
    def refuse(*args, **options):
        raise AssertionError("played again")

    monkeypatch.setattr("lab.sweep.run.search", refuse)
    monkeypatch.setattr("lab.sweep.run.confirm", refuse)
    again = run_sweep(write(tmp_path), short.folder, trials=10)
    assert again.confirmed == short.confirmed


def test_a_run_that_lost_a_table_is_finished_again(short, tmp_path):
    before = contents(short.folder)
    (short.folder / "curves.parquet").unlink()
    run_sweep(write(tmp_path), short.folder)
    assert contents(short.folder) == before


def test_more_trials_later_extend_a_run(short, tmp_path):
    folder = tmp_path / "run"
    run_sweep(write(tmp_path, ("trials = 14", "trials = 2")), folder)
    assert (
        run_sweep(write(tmp_path, ("trials = 14", "trials = 2")), folder, trials=14)
        .table("trials")
        .equals(short.table("trials"))
    )


def test_ctrl_c_keeps_the_finished_trials(short, tmp_path):
    def stop(stage, done, total, best):
        if done == 3:
            raise KeyboardInterrupt

    folder = tmp_path / "run"
    with pytest.raises(
        Interrupted, match=r"kept 3 trials in .*; the same command goes on"
    ) as stopped:
        run_sweep(write(tmp_path), folder, progress=stop)
    assert stopped.value.kept == 3
    assert not (folder / "confirm.json").exists()
    run_sweep(write(tmp_path), folder)
    assert contents(folder) == contents(short.folder)


def test_progress_names_the_stage_and_the_best_so_far(tmp_path):
    heard = []
    run_sweep(
        write(tmp_path), tmp_path / "run", trials=2, progress=lambda *told: heard.append(told)
    )
    assert [told[:3] for told in heard] == [
        ("search", 0, 2),
        ("search", 1, 2),
        ("search", 2, 2),
        ("confirm", 0, 2),
        ("confirm", 1, 2),
        ("confirm", 2, 2),
    ]
    assert heard[0][3] is None
    assert heard[2][3] == min(heard[1][3], heard[2][3])


def test_a_folder_of_something_else_is_refused(short, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    assert "a folder that is no run" in refusal(run_sweep, write(tmp_path), tmp_path)
    before = contents(short.folder)
    other = write(tmp_path, ("seed = 5", "seed = 6"))
    assert "manifest.json /experiment: found" in refusal(run_sweep, other, short.folder)
    assert contents(short.folder) == before
    with pytest.raises(BadInput, match="trials: found 0, expected 1 or more"):
        run_sweep(write(tmp_path), tmp_path / "new", trials=0)


def test_a_broken_journal_is_named_by_its_line(tmp_path):
    folder = tmp_path / "run"
    run_sweep(write(tmp_path), folder, trials=1)
    journal = folder / "journal.log"
    journal.write_text("}\n" + journal.read_text())
    assert "journal.log:1: found a broken line" in refusal(run_sweep, write(tmp_path), folder)


def test_a_random_sampler_needs_no_past(tmp_path):
    spec = write(tmp_path, ("seed = 5", 'seed = 5\nsampler = "random"'))
    run = run_sweep(spec, tmp_path / "run", trials=4)
    assert run.table("trials").select(pl.nth(range(1, 5))).n_unique() > 1


def test_a_pairing_meets_the_same_seeds_under_other_rules(tmp_path):
    found = load_experiment(write(tmp_path))
    other = found.rules.override({"/cap/point_value": 2})
    lengths = [
        play_setting(found, rules, 3, {Pairing("random", "random"): 30, **found.games}).lengths
        for rules in (found.rules, other)
    ]
    assert lengths[0].equals(lengths[1])


def test_a_planted_fault_is_found_and_the_cure_confirmed(tmp_path):
    run = run_sweep(write(tmp_path, text=PLANTED), tmp_path / "run")
    assert run.confirmed["status"] == "confirmed"
    assert not run.confirmed["baseline"]["holds"]
    assert run.chosen["changes"] in (
        {"/start/resources/1": [12, 3]},
        {"/start/resources/1": [12, 4]},
    )
    found = run.chosen["targets"][0]
    assert (
        found["band"][0] <= found["holdout"]["low"] < found["holdout"]["high"] <= found["band"][1]
    )
    holding = [c["steps"] for c in run.confirmed["candidates"] if c["holds"]]
    assert run.chosen["steps"] == min(holding)


def test_a_band_out_of_reach_is_refused_with_the_nearest_setting(tmp_path):
    spec = write(tmp_path, ("[0.37, 0.6]", "[0.001, 0.002]"), text=PLANTED)
    run = run_sweep(spec, tmp_path / "run", trials=4)
    assert run.confirmed["status"] == "refused"
    found = run.chosen["targets"][0]
    assert not found["holds"]
    assert found["outside"] == pytest.approx(found["holdout"]["high"] - 0.002)
    every = [run.confirmed["baseline"], *run.confirmed["candidates"]]
    assert run.chosen["shortfall"] == min(candidate["shortfall"] for candidate in every)
