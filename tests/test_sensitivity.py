import json
import math
from dataclasses import replace
from shutil import copytree

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from lab.experiment import load_experiment
from lab.experiment.space import Dimension, Link, Space
from lab.report.sensitivity import step_cells, verdict
from lab.stats.estimate import estimate_mean, p_value
from lab.sweep import Interrupted, run_sweep
from lab.sweep.design import effect_curves, make_design, setting_at
from lab.sweep.deviations import AGAINST_LINK, play_step, steps
from lab.sweep.games import differences
from lab.sweep.sensitivity import run_sensitivity
from tests.experiments import PLANTED, write
from tests.tongues import korean
from tests.toy import refusal
from tests.verbs import out
from tests.verbs import refusal as refused_verb

FILES = {
    "curves.parquet",
    "deviations.parquet",
    "design.parquet",
    "effects.parquet",
    "experiment.toml",
    "journal.log",
    "manifest.json",
    "rules.json",
    "sensitivity.json",
}
SMALL = {"games": 4, "samples": 4}
POINTERS = [
    "/start/resources/1",
    "/units/worker/cost",
    "/units/soldier/cost",
    "/board/mirror_second",
]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def played(folder, *changes, **options):
    return run_sensitivity(write(folder, *changes), folder / "run", **SMALL | options)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return played(tmp_path_factory.mktemp("small"))


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # no sweep lies in ./runs


def test_a_study_keeps_all_that_a_report_needs(small):
    assert set(contents(small.folder)) == FILES
    design = small.table("design")
    assert design.columns == ["block", "row", *POINTERS, "first_score", "score of economy"]
    assert design.height == 4 * (4 + 3)
    effects = small.table("effects")
    assert effects["parameter"].to_list() == [*POINTERS, "dummy"] * 2
    assert effects.filter(effects["parameter"] == "dummy")["total"].null_count() == 2
    deviations = small.table("deviations")
    assert set(deviations["way"]) == {"up", "down", "other"}
    assert set(deviations["n"]) == {100}  # confirm_games


def test_the_design_keeps_links_and_moves_one_input_at_a_time(small):
    for block in small.table("design").partition_by("block"):
        assert (block["/units/worker/cost"] < block["/units/soldier/cost"]).all()
        first, *moved, _ = block.select(POINTERS).rows()
        for i, row in enumerate(moved[:-1]):
            assert row[:i] == first[:i]
        assert moved[-1] == first  # in the dummy alone


@pytest.mark.parametrize(("stage", "place"), [("design", 3), ("deviations", 2)])
def test_ctrl_c_keeps_what_was_played_and_jobs_change_nothing(small, tmp_path, stage, place):
    def stop(now, done, total, best):
        if (now, done) == (stage, place):
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=r"kept \d+ points in .*; the same command goes on"):
        played(tmp_path, progress=stop)
    journal = tmp_path / "run" / "journal.log"
    journal.write_bytes(journal.read_bytes() + b'{"number": 1')
    assert contents(played(tmp_path, jobs=2).folder) == contents(small.folder)


def test_what_is_finished_is_not_played_again(small, tmp_path, monkeypatch):
    monkeypatch.setattr("lab.sweep.sensitivity.play_row", None)
    before = contents(small.folder)
    run_sensitivity(write(tmp_path), small.folder, **SMALL)
    assert contents(small.folder) == before


def test_another_study_wants_another_folder(small, tmp_path):
    spec = write(tmp_path)
    line = refusal(lambda: run_sensitivity(spec, small.folder, games=4, samples=8))
    assert "manifest.json /samples: found 4, expected 8 as now; choose another folder" in line
    copytree(small.folder, tmp_path / "run")
    (tmp_path / "run" / "journal.log").write_text('{"number": 7}\n')
    line = refusal(lambda: played(tmp_path))
    assert "found something else, expected a journal of this study" in line


def test_a_number_that_decides_is_found_and_its_curve_rises(tmp_path):
    spec = write(tmp_path, text=PLANTED)  # the richer side wins
    run = run_sensitivity(spec, tmp_path / "run", games=50, samples=16)
    effect, dummy = run.table("effects").to_dicts()
    assert effect["important"]
    assert effect["first"] > 0.7
    assert not dummy["important"]
    curve = run.table("curves")
    assert curve["setting"].to_list() == [str(value) for value in range(12)]
    assert curve["value"][0] > curve["value"][11]  # the first seat's score
    down = run.table("deviations").to_dicts()[0]
    assert (down["old"], down["new"], down["way"]) == ("12", "11", "down")


# --- where steps start --------------------------------------------------------------------------


def test_steps_start_where_the_finished_sweep_ended(tmp_path):
    spec = write(tmp_path, text=PLANTED)
    swept = run_sweep(spec, tmp_path / "runs" / "short", trials=3)
    new = swept.chosen["changes"]["/start/resources/1"][1]
    few = {"games": 2, "samples": 2}
    for options in ({}, {"at": swept.folder}):
        run = run_sensitivity(spec, tmp_path / f"run{len(options)}", **few, **options)
        at = json.loads((run.folder / "sensitivity.json").read_text())["at"]
        assert at["setting"] == {"/start/resources/1": new}
        assert set(run.table("deviations")["old"]) == {str(new)}
    run = run_sensitivity(spec, tmp_path / "base", **few, at="baseline")
    assert set(run.table("deviations")["old"]) == {"12"}
    other = write(tmp_path, ("seed = 3", "seed = 4"), text=PLANTED)
    line = refusal(lambda: run_sensitivity(other, tmp_path / "other", **few, at=swept.folder))
    assert "found a run of another experiment, expected a sweep of this one" in line


def test_steps_are_to_the_neighbours(tmp_path):
    experiment = load_experiment(write(tmp_path))
    baseline = experiment.space.baseline(experiment.rules)
    found = [(s.pointer, s.old, s.new, s.way) for s in steps(experiment, baseline)]
    assert found == [
        ("/start/resources/1", 4, 2, "down"),
        ("/start/resources/1", 4, 6, "up"),
        ("/units/worker/cost", 1, 2, "up"),
        ("/units/soldier/cost", 2, 1, "down"),
        ("/units/soldier/cost", 2, 3, "up"),
        ("/board/mirror_second", False, True, "other"),
    ]
    refused = [step.refused for step in steps(experiment, baseline)]
    assert refused == ["", "", AGAINST_LINK, AGAINST_LINK, "", ""]


def test_no_step_is_no_difference(tmp_path):
    experiment = load_experiment(write(tmp_path))
    games = play_step(experiment, experiment.space.baseline(experiment.rules), jobs=1)
    for found in differences(experiment, games, games):
        assert (found.value, p_value(found)) == (0, 1)
        assert found.low <= 0 <= found.high


def test_p_value_is_students():
    values = [1, 2, 4, 2]
    found = estimate_mean(values, bounds=(-math.inf, math.inf))
    assert p_value(found) == pytest.approx(ttest_1samp(values, 0).pvalue)
    for said in ([3], [], [0, 0]):
        assert p_value(estimate_mean(said, bounds=(-9, 9))) == 1
    assert p_value(estimate_mean([2, 2], bounds=(-9, 9))) == 0


@pytest.mark.parametrize(("p", "said"), [(0.0, "< 0.0001"), (0.035, "0.035"), (1.0, "1")])
def test_no_chance_is_told_as_none(p, said):
    step = {"parameter": "/turn/round_cap", "old": 1, "new": 2, "unit": "share"}
    found = {"value": -0.1, "low": -0.2, "high": -0.05, "n": 9, "distinct": 9, "clusters": 9}
    [cells] = step_cells([step | found | {"adjusted": p, "verdict": "lowers"}])
    assert cells[-2:] == (said, "lowers")


def test_what_no_share_tells_a_step_still_may():
    told = {"targets": [{"target": "draw"}], "effects": []}
    assert verdict(told) == "for draw no number's share stands out from luck."


# --- the space ----------------------------------------------------------------------------------


def test_a_point_of_the_cube_is_a_setting_inside_the_links():
    low, high = (Dimension(name, (1, 2, 3, 4), 1) for name in ("/low", "/high"))
    space = Space((low, high), (Link("increasing", ("/low", "/high")),))
    assert setting_at(space, np.array([0, 0])) == {"/low": 1, "/high": 2}
    assert setting_at(space, np.array([0.999, 0.5])) == {"/low": 3, "/high": 4}
    assert setting_at(space, np.array([0.4, 0.9])) == {"/low": 2, "/high": 4}
    equal = Space((low,), (Link("equal", ("/low", "/twin")),))
    assert setting_at(equal, np.array([0.3, 0.7])) == {"/low": 2, "/twin": 2}


def test_what_the_rules_refuse_is_counted_or_too_much(tmp_path, monkeypatch):
    from lab.sweep import design as module

    experiment = load_experiment(write(tmp_path))
    sound = module.rules_of

    def strict(experiment, setting):
        if setting["/start/resources/1"] == 8:
            raise module.bad("start", "8", "less")
        return sound(experiment, setting)

    monkeypatch.setattr(module, "rules_of", strict)
    assert refusal(make_design, experiment, 64).startswith("short /space: found ")
    monkeypatch.setattr(module, "MOST_REFUSED", 0.5)
    design = make_design(experiment, 64)
    rich = [i for i, s in enumerate(design.settings) if s["/start/resources/1"] == 8]
    assert sorted(design.refused) == rich
    assert module.play_row(experiment, design, rich[0], {}, 1) == [None, None]


def test_curves_have_a_mean_for_each_value_that_links_leave(tmp_path):
    design = make_design(load_experiment(write(tmp_path)), 64)
    costs = np.array([s["/units/soldier/cost"] for s in design.settings], float)
    rows = [
        row for row in effect_curves(design, costs) if row["parameter"] == "/units/soldier/cost"
    ]
    assert [(row["setting"], row["value"]) for row in rows] == [("2", 2), ("3", 3), ("4", 4)]
    assert sum(row["n"] for row in rows) == costs.size


@pytest.mark.parametrize("samples", [-4, 0, 1, 3, 100, 8192])
def test_a_design_is_a_power_of_two(tmp_path, samples):
    line = refusal(make_design, load_experiment(write(tmp_path)), samples)
    assert line == f"samples: found {samples}, expected a power of two from 2 to 4096"


def test_spaces_that_cannot_be_weighed_are_refused(tmp_path):
    experiment = load_experiment(write(tmp_path))
    first, *others = experiment.space.dimensions

    def line(*dimensions, links=()):
        space = Space(dimensions, links)
        return refusal(make_design, replace(experiment, space=space), 4)

    assert line() == "short /space: found none, expected a space, whose numbers are to be weighed"
    single = replace(first, values=(4,))
    assert line(single, *others).startswith("short /space /start/resources/1: found one value")
    link = Link("sum", (others[0].pointer, others[1].pointer), 3)
    assert "short /links: found a sum over" in line(first, *others, links=(link,))


# --- the verb -----------------------------------------------------------------------------------


def test_the_verb_writes_a_page_and_tells_the_tables(tmp_path, quiet):
    words = ("sensitivity", write(tmp_path), "--samples", 2, "--games", 2, "--out", "run")
    said = out(*words)
    assert "first_score, over random mirror" in said
    assert "noise of the games" in said
    assert "left out: /units/worker/cost = 2: a link does not allow it" in said
    assert said.endswith("run/sensitivity.html\n")
    page = (tmp_path / "run" / "sensitivity.html").read_text()
    assert page.count("<svg") == page.count("</svg>") >= 2
    text = (tmp_path / "run" / "sensitivity.md").read_text()
    assert "units worker cost and units soldier cost are linked" in text
    told = json.loads(out(*words, "--json"))
    assert {row["parameter"] for row in told["effects"]} == {*POINTERS, "dummy"}
    assert out("report", "run") == "run/sensitivity.html\n"


def test_bad_input_of_the_verb_is_one_line(tmp_path, quiet):
    spec = write(tmp_path)
    for words, line in [
        (("none.toml",), "none.toml: found no such file"),
        ((spec, "--samples", "100"), "samples: found 100, expected a power of two"),
        ((spec, "--games", "0"), "games: found 0, expected a whole number from 1"),
        ((spec, "--at", "none"), "none/manifest.json: found no such file"),
        ((spec, "--samples", "two"), "'two', expected a whole number"),
    ]:
        assert line in refused_verb("sensitivity", *words, "--out", tmp_path / "run")
        assert not (tmp_path / "run").exists()


def test_a_study_is_told_in_korean(small, tmp_path):
    text = korean(small.folder, {small.experiment.question}, tmp_path)
    assert "## 무엇이 중요한가" in text
    assert "한 걸음의 출발점: 후공의 시작 자원" in text
    assert (tmp_path / "sensitivity.ko.html").is_file()
