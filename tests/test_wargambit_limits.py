"""Armies that the rules have no room for (README 3.2): refused wherever a policy meets rules."""

import json

import pytest

from lab import decisions, load_rules, selfplay
from lab.branch import Change, branch_games
from lab.experiment import load_experiment
from lab.play import trace
from lab.sweep import run_sweep
from tests.gambit import GAME
from tests.seats import RUN
from tests.toy import refusal

RULES = load_rules("wargambit")
FEW = RULES.override({"/army/pieces": 3, "/army/pawns": 1})
ARMY = "army:q r 2n 4p"
DUEL, RECORDED = ("army:q", ARMY), ("random", f"recorded:{RUN}")
LINE = f"policy '{ARMY}': found 8 pieces, 5 too many, expected at most 3 (/army/pieces)"


@pytest.mark.parametrize(
    ("changes", "seats", "line"),
    [
        ({"/army/pieces": 3}, DUEL, LINE),
        ({"/army/pawns": 3}, DUEL, "found 4 pawns, 1 too many, expected at most 3 (/army/pawns)"),
        ({"/army/pieces": 7}, DUEL[::-1], "found 8 pieces, 1 too many, expected at most 7"),
        ({"/army/pieces": 3}, RECORDED, "run.json' round 2: found 5 pieces, 2 too many"),
        ({"/army/pawns": 0}, RECORDED, "expected at most 0 (/army/pawns)"),
        (
            {},
            ("saver:synergy=99", "ghost"),
            "found synergy=99, expected a row of /synergies",
        ),
        ({}, ("spend:gold=-1", "spend"), "found gold=-1, expected 0 or more"),
        ({}, ("spend", "spend:core=-1"), "found core=-1, expected 0 or more"),
    ],
)
def test_what_an_army_has_too_many_of_is_said(changes, seats, line):
    assert line in refusal(GAME.policy_rows, *seats, RULES.override(changes))


def test_an_army_that_just_fits_is_played():
    rules = RULES.override({"/army/pieces": 8, "/army/pawns": 4})
    _, actions, _ = trace(GAME, rules, *DUEL, 1, 0)
    assert sum(GAME.view.action_text(GAME.record(rules), a)[:5] == "place" for a in actions) == 9
    GAME.policy_rows(*RECORDED, RULES)


def test_every_way_to_play_refuses_it(tmp_path):
    run = {"game": "wargambit", "seed": 1, "policies": list(DUEL), "decisions": [["ready"]]}
    path = tmp_path / "run.json"
    path.write_text(json.dumps(run | {"changes": {"/army/pieces": 3}}))
    for refused in (
        refusal(selfplay.simulate, FEW, *DUEL),
        refusal(selfplay.matrix, FEW, DUEL),
        refusal(trace, GAME, FEW, *DUEL, 1, 0),
        refusal(branch_games, FEW, *DUEL, Change("ready")),
        refusal(decisions.read, path),
    ):
        assert LINE in refused


# --- experiments --------------------------------------------------------------------------------

EXPERIMENT = f"""
question = "Does an army of less room do?"
game = "wargambit"
rules = "1.0"
seed = 1

[space]
"/army/pieces" = {{ low = 7, high = 15, step = 4 }}

[[matchups]]
name = "duel"
first = "army:q"
second = "{ARMY}"

[[targets]]
metric = "first_score"
matchup = "duel"
value = 0.5
tolerance = 0.1

[budget]
trials = 2
games = 2
confirm_games = 10
matrix_games = 2
"""


def written(folder, more=""):
    path = folder / "army.toml"
    path.write_text(more + EXPERIMENT)
    return path


def test_an_experiment_is_refused_before_it_begins(tmp_path):
    path = written(tmp_path, 'overrides = { "/army/pieces" = 3 }')
    assert f"/matchups/0: {LINE}" in refusal(load_experiment, path)


def test_settings_without_room_are_tried_and_left(tmp_path):
    run = run_sweep(written(tmp_path), tmp_path / "run", trials=4)
    trials = run.table("trials")
    small = trials.filter(trials["/army/pieces"] == 7)
    assert small.height > 0
    assert small["loss"].to_list() == [100.0] * small.height
    assert {c["number"] for c in run.confirmed["candidates"]}.isdisjoint(small["number"])
