import json
import sys

import pytest

from lab import selfplay
from lab.cli import verify as verbs
from lab.experiment import load_experiment
from lab.verdicts import Verification
from tests.experiments import SHORT, write
from tests.madeup import FIELD, ROUNDS, SEAT, asked
from tests.verbs import refusal, run

pytestmark = pytest.mark.usefixtures("quiet")


def path_of(folder, *targets):
    asked(folder, *targets)
    return folder / "short.toml"


def verified(path, *words):
    done = run("verify", "ants", "--targets", path, *words)
    assert done.stderr == ""
    return done


@pytest.mark.parametrize(
    ("targets", "words", "status", "verdict"),
    [
        ([SEAT], [], 0, "PASS"),
        ([SEAT, FIELD], ["--strict"], 0, "PASS"),
        ([SEAT, SEAT.replace("0.48, 0.52", "0.7, 0.8") + 'name = "other"\n'], [], 1, "FAIL"),
        ([SEAT], ["--games", "100"], 3, "UNDECIDED"),
    ],
)
def test_the_exit_status_is_the_verdict(made_up, tmp_path, targets, words, status, verdict):
    path = path_of(tmp_path, *targets)
    done = verified(path, *words)
    assert done.exit_code == status
    assert done.stdout.splitlines()[-1].startswith(f"{verdict}: an error of 5% for the verdict")
    facts = json.loads(verified(path, *words, "--json").stdout)
    assert facts["verdict"] == verdict
    assert done.stdout.count(": were the truth ") == len(targets) * (verdict != "UNDECIDED")


def test_json_tells_all(made_up, tmp_path):
    facts = json.loads(verified(path_of(tmp_path, SEAT, ROUNDS), "--json", "--seed", 3).stdout)
    keys = "game rules fingerprint experiment seed alpha strict stopped verdict targets slopes"
    assert list(facts) == keys.split()
    assert (facts["experiment"], facts["seed"], facts["alpha"]) == ("short", 3, 0.05)
    one, other = facts["targets"]
    keys = "name metric unit matchup verdict means games value low high alpha band"
    assert list(one) == keys.split()
    assert one["band"] == [0.48, 0.52]
    assert one["low"] < one["value"] < one["high"]
    assert other["alpha"] == 0.025


def test_a_slope_is_told_for_skills(made_up, tmp_path):
    path = path_of(tmp_path, SEAT)
    text = path.read_text().replace("seed = 5", 'seed = 5\nskills = ["random", "rush"]')
    path.write_text(text)
    said = verified(path).stdout
    assert "first_score over skill: " in said
    assert "  steps: random < rush\n" in said
    (slope,) = json.loads(verified(path, "--json").stdout)["slopes"]
    assert slope["name"] == "first_score"
    assert slope["low"] < slope["value"] < slope["high"]


def test_rules_and_settings_are_the_ones_judged(made_up, tmp_path):
    path = path_of(tmp_path, SEAT)
    path.write_text(path.read_text().replace("[space]", '[overrides]\n"/turn/ap" = 2\n[space]'))

    def judged(*words):
        return json.loads(verified(path, "--json", "--games", 100, *words).stdout)["fingerprint"]

    experiment = load_experiment(path)
    changed = experiment.rules.override({"/turn/round_cap": 30})
    assert judged() == experiment.rules.fingerprint
    assert judged("--set", "/turn/round_cap=30") == changed.fingerprint
    plain = judged("--rules", "0.3")
    assert plain not in (experiment.rules.fingerprint, changed.fingerprint)
    assert judged("--rules", "0.3", "--set", "/turn/ap=2") == experiment.rules.fingerprint


def test_ctrl_c_prints_what_is_known(made_up, tmp_path, monkeypatch):
    monkeypatch.setattr(Verification, "play", lambda self, tell: setattr(self, "stopped", True))
    done = run("verify", "ants", "--targets", path_of(tmp_path, SEAT))
    assert done.exit_code == 130
    assert "first_score: OPEN: stopped before the games told" in done.stdout
    assert done.stderr == "lab: stopped; nothing is kept, the same command begins again\n"


def test_the_table_lives_on_a_terminal(made_up, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(verbs, "OFTEN", 0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    experiment = asked(tmp_path, SEAT)
    found = Verification(experiment.rules, experiment, 200)
    with verbs.Live(found) as live:
        found.play(live)
    shown = capsys.readouterr().err
    assert "first_score" in shown
    assert "200 of 200 games at most" in shown
    assert "1 of 1 targets decided" in shown


CLAIMS = """
question = "?"
game = "ants"
rules = "0.3"
seed = 1
[[claims]]
say = "A plan beats none."
metric = "first_score"
first = "economy"
second = "random"
against = { first = "random" }
"""


@pytest.mark.parametrize(
    ("game", "old", "new", "line"),
    [
        ("junqi", "", "", "experiment short /game: found 'ants', expected 'junqi'"),
        ("ant", "", "", "game: found 'ant', expected one of"),
        ("ants", "band = [0, 0.9]", "band = [0, 1]", "a band of 0 to 1"),
        ("ants", "band = [0, 0.9]", "band = [0.9, 0.1]", "the empty band"),
        ("ants", '"first_score"', '"first_scor"', "(did you mean 'first_score'?)"),
        ("ants", '"random", "economy"', '"random", "econmy"', "(did you mean 'economy'?)"),
        ("ants", SHORT, CLAIMS, "experiment short: found claims, expected an experiment with"),
    ],
)
def test_bad_input_is_one_line_before_anything_is_played(
    tmp_path, monkeypatch, game, old, new, line
):
    monkeypatch.setattr(selfplay, "play_chunk", None)
    path = write(tmp_path, (old, new))
    assert line in refusal("verify", game, "--targets", path)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--games 0", "games: found 0, expected a whole number from 16"),
        ("--jobs 0", "jobs: found 0"),
        ("--chunk 0", "chunk: found 0"),
        ("--rules 0.33", "(did you mean '0.3'?)"),
        ("--set /turn/round_ca=3", "(did you mean '/turn/round_cap'?)"),
    ],
)
def test_bad_options_are_one_line(tmp_path, monkeypatch, words, line):
    monkeypatch.setattr(selfplay, "play_chunk", None)
    path = path_of(tmp_path, SEAT)
    assert line in refusal("verify", "ants", "--targets", path, *words.split())
    assert "none.toml: found no such file" in refusal("verify", "ants", "--targets", "none.toml")
