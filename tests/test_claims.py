"""Claims: what a file of them may say, how they are judged, and what the report says."""

import json
from pathlib import Path

import pytest

from lab.experiment import load_experiment
from lab.report.build import facts, report
from lab.report.markdown import summary
from lab.sweep import run_sweep
from tests.experiments import write
from tests.tongues import korean
from tests.toy import refusal

TIPS = """
question = "Is it true what they say of ants?"
game = "ants"
rules = "0.3-quick"
seed = 4

[overrides]
"/turn/round_cap" = 4

[[claims]]
say = "A plan beats none."
metric = "first_score"
first = "economy"
second = "random"
against = { first = "random" }

[[claims]]
say = "Who starts with more wins less often."
metric = "first_score"
wanted = "less"
first = "economy"
second = "economy"
rules = { "/start/resources/0" = 12, "/cap/judgement" = "economy" }
against = { rules = { "/start/resources/0" = 0 } }
games = 100

[[claims]]
say = "A cap that is never reached changes games."
metric = "length"
first = "random"
second = "random"
rules = { "/turn/round_cap" = 3 }
against = { rules = { "/turn/round_cap" = 3, "/start/resources/0" = 4 } }

[budget]
confirm_games = 150
"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tips")
    return run_sweep(write(folder, text=TIPS), folder / "run")


def test_a_claim_names_what_differs(tmp_path):
    plan, richer, _ = load_experiment(write(tmp_path, text=TIPS)).claims
    assert (plan.side.policies, plan.difference) == ("economy v random", "random v random")
    assert richer.difference == "/start/resources/0 = 0"
    assert (plan.more, richer.more) == (True, False)
    assert (plan.games, richer.games) == (150, 100)
    assert richer.side.rules.value("/turn/round_cap") == 4


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (('first = "economy"', 'first = "econmy"'), "/claims/0: policy 'econmy': found 'econmy'"),
        (('"first_score"', '"score"'), '/claims/0: metric: found "score", expected one of first'),
        (('{ first = "random" }', "{}"), "/claims/0/against: found nothing that differs"),
        (('{ first = "random" }', "{ firs = 'random' }"), "/claims/0/against/firs: found an unkn"),
        (('0" = 12,', '9" = 12,'), "/claims/1: ants 0.3-quick override /start/resources/9"),
        (("seed = 4", "seed = 4\nskills = ['search']"), "found skills, expected none in a file of"),
        (("seed = 4", "seed = 4\ncompare = '0.3'"), "expected space and targets, or compare and "),
        (('wanted = "less"', 'wanted = "fewer"'), '/claims/1/wanted: found "fewer", expected'),
    ],
)
def test_a_fault_is_said_in_one_line(tmp_path, change, line):
    said = refusal(load_experiment, write(tmp_path, change, text=TIPS))
    assert line in said
    assert "\n" not in said


def test_the_file_that_the_guide_shows_is_read(tmp_path):
    guide = Path(__file__).parents[1] / "experiments" / "README.md"
    text = guide.read_text(encoding="utf-8").split("```toml\n")[3].split("```")[0]
    assert [claim.games for claim in load_experiment(write(tmp_path, text=text)).claims] == [
        20_000,
        5_000,
    ]


def test_games_are_compared_in_pairs(judged):
    plan, richer, null = judged.confirmed["claims"]
    own, other = (found["value"] for found in plan["values"])
    assert plan["difference"]["value"] == pytest.approx(own - other)
    assert plan["difference"]["n"] == 150
    assert 0 < plan["difference"]["low"] < plan["difference"]["high"] <= 1
    assert plan["verdict"] == "holds"
    assert richer["verdict"] == "fails"
    assert richer["difference"]["low"] > 0
    assert null["difference"]["value"] == null["difference"]["low"] == 0
    assert (null["verdict"], null["gain"]) == ("fails", None)
    assert judged.confirmed["confidence"] == pytest.approx(1 - 0.05 / 3)


def test_what_is_finished_is_not_played_again(judged, monkeypatch):
    monkeypatch.setattr("lab.selfplay.play", None)
    again = run_sweep(judged.folder / "experiment.toml", judged.folder)
    assert again.confirmed == judged.confirmed
    line = "trials: found 5, expected none: claims have nothing to try"
    assert line in refusal(lambda: run_sweep(judged.folder / "experiment.toml", judged.folder, 5))


def test_the_report_says_what_holds(judged, tmp_path):
    page = report(judged.folder, tmp_path)
    found = facts(judged)
    assert (found.status, found.verdict) == ("judged", "Of 3 claims 1 hold and 2 fail.")
    assert [section.name for section in found.sections[:2]] == ["claims", "manifest"]
    table = found.sections[0].tables[0]
    assert [row[-1] for row in table.rows] == ["Holds", "Fails", "Fails"]
    assert "points" in table.rows[0][3]
    shares, lengths = found.sections[0].charts
    assert (len(shares.names), lengths.unit) == (2, "rounds")
    assert shares.values[1].high < 0  # turned over: less is claimed
    assert "A plan beats none." in page.read_text()
    assert "A plan beats none." in summary(found)
    assert json.dumps(judged.confirmed, allow_nan=False)


def test_claims_are_told_in_korean(judged):
    experiment = judged.experiment
    own = {experiment.question, *(claim.say for claim in experiment.claims)}
    own |= {claim.difference for claim in experiment.claims}
    assert "주장 3개 가운데 성립 1개, 불성립 2개입니다." in korean(judged.folder, own)
