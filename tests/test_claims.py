"""Claims: what a file of them may say, how they are judged, and what the report says."""

import json
from pathlib import Path

import pytest

from lab import selfplay
from lab.experiment import load_experiment
from lab.experiment.banks import seed_of
from lab.report.build import facts, report
from lab.report.markdown import summary
from lab.sweep import run_sweep
from tests.experiments import write
from tests.tongues import korean
from tests.toy import refusal
from tests.verbs import out

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
    assert richer.shown.startswith("economy v economy, /start/resources/0 = 12, ")
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
        (
            ("seed = 4", "seed = 4\nskills = ['search']"),
            "/skills: found skills, expected SKILL",
        ),
        (('"economy"', '"SKILL"'), "/claims/0: found the player SKILL, expected skills in the"),
        (
            ('{ first = "random" }', "{ metric = 'length' }"),
            "length in rounds, expected one in",
        ),
        (('{ first = "random" }', "{ metric = 'drow' }"), 'against/metric: found "drow", expected'),
        (('{ first = "random" }', "{ value = 1, first = 'rush' }"), "found a value and more in"),
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
        20_000,
        400,
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


SKILLED = """
question = "Who ends how?"
game = "ants"
rules = "0.3-quick"
seed = 4
skills = ["random", "search:playouts=4"]

[[claims]]
say = "Soldiers are needed."
metric = "first_score"
first = "SKILL"
second = "economy"
against = { first = "SKILL:ban=soldier" }

[[claims]]
say = "Most games reach the cap."
metric = "cap_rate"
first = "random"
second = "random"
against = { metric = "queen" }

[[claims]]
say = "Most games reach the cap."
metric = "cap_rate"
wanted = "less"
first = "random"
second = "random"
against = { value = 0.1 }

[budget]
confirm_games = 60
search_games = 6
"""


def test_a_claim_is_tried_at_every_skill_against_metrics_and_values(tmp_path):
    run = run_sweep(write(tmp_path, text=SKILLED), tmp_path / "run")
    claims = run.experiment.claims
    assert [claim.games for claim in claims] == [60, 6, 60, 60]
    assert claims[0].difference == "random:ban=soldier v economy"
    assert claims[1].difference == "search:playouts=4,ban=soldier v economy"
    one, other = run.confirmed["claims"][2:]
    rates = selfplay.simulate(run.experiment.rules, "random", "random", 60, _bank(run))
    capped, queens = rates["capped"].mean(), (rates["ending"] == "queen").mean()
    assert one["difference"]["value"] == pytest.approx(capped - queens)
    assert one["verdict"] == "holds"
    assert other["difference"]["value"] == pytest.approx(capped - 0.1)
    assert (other["verdict"], other["against"]) == ("fails", "10%")
    found = facts(run)
    assert found.verdict == "Of 2 claims 1 depend on who plays and 1 are undecided."
    assert [row[0] == "" for row in found.sections[0].tables[0].rows] == [False, True, False, True]


def _bank(run):
    return seed_of(run.experiment.seed, "claims")


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


@pytest.mark.usefixtures("quiet")
def test_the_verb_says_how_many_hold(judged):
    said = out("sweep", judged.folder / "experiment.toml", "--out", judged.folder)
    assert said.splitlines()[0] == "Of 3 claims 1 hold and 2 fail."
