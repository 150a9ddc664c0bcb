"""A comparison: what its file may say, what is measured, and what its report says of it."""

import json
from pathlib import Path

import pytest

from lab.errors import BadInput
from lab.experiment import ANYWHERE, load_experiment
from lab.publish.promote import promote
from lab.report.build import facts, note, report
from lab.report.charts import Histogram
from lab.report.figures import draw
from lab.report.markdown import summary
from lab.sweep import Run, run_sweep
from tests.experiments import write
from tests.tongues import korean
from tests.toy import refusal

LONGER = """
question = "What do twenty more rounds do?"
game = "ants"
rules = "0.3-quick"
compare = "0.3"
seed = 4
measures = ["cap_rate", "length", "score"]

[[matchups]]
name = "field"
pool = ["random", "economy"]

[[matchups]]
mirror = "random"

[budget]
confirm_games = 150
matrix_games = 10
"""


@pytest.fixture(scope="module")
def longer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("longer")
    return run_sweep(write(folder, text=LONGER), folder / "run")


def test_every_measure_is_taken_over_every_matchup(tmp_path):
    found = load_experiment(write(tmp_path, text=LONGER))
    assert found.compared is not None
    assert (found.rules.version, found.compared.version) == ("0.3-quick", "0.3")
    assert found.space.dimensions == ()
    assert [(target.name, target.matchup) for target in found.targets] == [
        ("cap_rate", "field"),
        ("cap_rate", "random mirror"),
        ("length", "field"),
        ("length", "random mirror"),
        ("score of random", "field"),
        ("score of economy", "field"),
    ]
    assert {target.band for target in found.targets} == {ANYWHERE}


def test_overrides_hold_for_both_rule_sets(tmp_path):
    text = LONGER + '\n[overrides]\n"/start/resources/1" = 7\n'
    found = load_experiment(write(tmp_path, text=text))
    assert found.compared is not None
    assert [r.value("/start/resources/1") for r in (found.rules, found.compared)] == [7, 7]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (('compare = "0.3"', ""), "found measures, expected space and targets, or compare and me"),
        (('"0.3"\n', '"0.33"\n'), '/compare: rules of ants: found "0.33"'),
        (('compare = "0.3"', 'compare = "0.3-quick"'), "/compare: found the same numbers as 0.3"),
        (('"length"', '"lenght"'), '/measures/1: found "lenght", expected one of first_score'),
        (('"length"', '"score"'), '/measures: found "score" 2 times'),
        (("seed = 4", "seed = 4\nskills = ['search']"), "found skills, expected none in a compar"),
        (("seed = 4", "seed = 4\nspace = {a = {}}"), "found compare and measures and space"),
    ],
)
def test_a_fault_is_said_in_one_line(tmp_path, change, line):
    said = refusal(load_experiment, write(tmp_path, change, text=LONGER))
    assert line in said
    assert "\n" not in said


def test_both_are_measured_on_games_of_their_own(longer):
    rows = {(row["name"], row["matchup"]): row for row in longer.confirmed["measures"]}
    length = rows["length", "field"]
    before, after, apart = (length[key] for key in ("before", "after", "difference"))
    assert (before["n"], after["n"]) == (300, 300)
    assert before["high"] <= 20 < after["high"] <= 40
    assert apart["value"] == pytest.approx(after["value"] - before["value"])
    assert 0 < apart["low"] < apart["value"] < apart["high"]
    share = rows["length as share of the cap", "field"]
    assert share["before"]["value"] == pytest.approx(before["value"] / 20)
    assert share["after"]["high"] == pytest.approx(after["high"] / 40)
    scores = [
        rows[f"score of {policy}", "field"]["after"]["value"] for policy in ("random", "economy")
    ]
    assert sum(scores) == pytest.approx(1)
    assert longer.confirmed["changes"] == {"/turn/round_cap": [20, 40]}
    assert longer.confirmed["confidence"] == pytest.approx(1 - 0.05 / 6)
    for name in ("measures", "matrix", "lengths", "endings", "curves"):
        assert set(longer.table(name)["setting"]) == {"baseline", "chosen"}, name


def test_a_finished_comparison_is_not_played_again(longer, monkeypatch):
    monkeypatch.setattr("lab.selfplay.play", None)
    again = run_sweep(longer.folder / "experiment.toml", longer.folder)
    assert again.confirmed == longer.confirmed


def test_there_is_nothing_to_try(longer):
    line = "trials: found 5, expected none: a comparison has nothing to try"
    assert line in refusal(lambda: run_sweep(longer.folder / "experiment.toml", longer.folder, 5))


def test_nothing_is_promoted_from_a_comparison(longer):
    with pytest.raises(BadInput, match="a run that fresh games have not confirmed"):
        promote(longer.folder, "0.4", "It is longer.")


def test_the_report_sets_both_side_by_side(longer):
    page = report(longer.folder)
    found = facts(longer)
    assert found.status == "compared"
    assert found.verdict.startswith("0.3 differs from 0.3-quick in 1 number. Over field, cap rate")
    assert "length rises from" in found.verdict
    names = [section.name for section in found.sections]
    assert names[:3] == ["compared", "change", "matchups"]
    table = found.sections[0].tables[0]
    assert table.head == ("Measure", "0.3-quick", "0.3", "Difference")
    assert [row[3].count("no clear difference") for row in table.rows[-2:]] == [1, 1]
    assert "+" in table.rows[2][3].splitlines()[0]
    assert found.sections[0].charts[0].series == ("0.3-quick", "0.3")
    assert "0.3-quick" in page.read_text()
    assert found.verdict in page.with_name("report.md").read_text()


def test_the_newest_comparison_goes_beside_the_experiment(longer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "longer.toml").write_text(longer.experiment.text)
    (tmp_path / "experiments" / "longer.md").write_text("an older one")
    note(facts(longer), longer.experiment.text)
    text = (tmp_path / "experiments" / "longer.md").read_text()
    assert text == summary(facts(longer))
    assert "**Compared.** 0.3 differs" in text
    assert "| turn round cap<br>" in text


def test_what_no_game_says_anything_about_has_no_difference(longer, tmp_path):
    found = json.loads((longer.folder / "confirm.json").read_text())
    row = found["measures"][0]
    row["before"] |= dict.fromkeys(("value", "low", "high")) | {"n": 0}
    row["difference"] = dict.fromkeys(("value", "low", "high"))
    (tmp_path / "confirm.json").write_text(json.dumps(found))
    for path in longer.folder.iterdir():
        if path.is_file() and path.name != "confirm.json":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    assert "cap rate does not clearly change (– and" in facts(Run(tmp_path)).verdict
    assert "cap rate" in draw(facts(Run(tmp_path)).sections[0].charts[0]).lower()


def test_many_lengths_share_a_bar():
    shares = dict.fromkeys(range(1, 101), 0.01)
    assert "in steps of" not in draw(Histogram("", "", "days", {1: 1.0}, {61: 1.0}))
    assert "days, in steps of 2" in draw(Histogram("", "", "days", shares, shares))


def test_the_file_that_the_guide_shows_is_read(tmp_path):
    guide = Path(__file__).parents[1] / "experiments" / "README.md"
    text = guide.read_text(encoding="utf-8").split("```toml\n")[2].split("```")[0]
    assert load_experiment(write(tmp_path, text=text)).budget.confirm_games == 2000


def test_a_comparison_is_told_in_korean(longer):
    text = korean(longer.folder, {longer.experiment.question})
    assert "0.3-quick에 견주어 0.3은 항목 1개가 다릅니다." in text
    assert "상한 대비 판의 길이" in text
