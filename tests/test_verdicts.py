import dataclasses
import math
import signal

import numpy as np
import pytest

import lab
from lab import catalog, selfplay
from lab.experiment import load_experiment
from lab.experiment.banks import seed_of
from lab.stats.betting import MeanTest
from lab.stats.sequential import RateTest
from lab.verdicts import Verification, row, verify
from tests import toygame
from tests.experiments import write
from tests.madeup import FIELD, HEAD, ROUNDS, SEAT, WINS, asked, made
from tests.toy import refusal


def bank(pair, seed=5):
    return made(seed_of(seed_of(seed, "verify"), *pair), range(200_000))


# --- one target is what the statistics say of its values ----------------------------------------


def test_a_score_of_one_pairing_is_judged_game_by_game(made_up, tmp_path):
    found = verify(None, asked(tmp_path, SEAT)).row(0, named=True)
    games = bank(("economy", "economy"))
    x = (games["winner"] == "first").to_numpy() + (games["winner"] == "draw").to_numpy() / 2
    test = MeanTest((0.48, 0.52), budget=60_000).add(x)
    assert (found["verdict"], found["games"]) == (test.verdict, test.games)
    assert test.verdict == "PASS"
    assert found["value"] == x[: test.games].mean()
    assert found["low"] < 0.5 < found["high"]


def test_a_rate_of_wins_is_judged_by_the_rates_test(made_up, tmp_path):
    found = verify(None, asked(tmp_path, WINS)).row(0, named=True)
    x = (bank(("economy", "economy"))["winner"] == "first").to_numpy().astype(float)
    test = RateTest((0.4, 0.44)).add(x)
    assert (found["verdict"], found["games"]) == (test.verdict, test.games)


def test_a_score_over_several_pairings_is_their_mean_round_by_round(made_up, tmp_path):
    found = verify(None, asked(tmp_path, FIELD)).row(0, named=True)
    one, other = bank(("economy", "rush")), bank(("rush", "economy"))

    def score(games, seat):
        return (games["winner"] == seat).to_numpy() + (games["winner"] == "draw").to_numpy() / 2

    x = (score(one, "second") + score(other, "first")) / 2
    low = MeanTest((0.3, 1.0), aim=0.32, power=0.95).add(x)
    high = MeanTest((0.0, 0.6), aim=0.58, power=0.95).add(x)
    assert (found["verdict"], found["games"]) == ("PASS", 2 * max(low.games, high.games))


def test_games_that_say_nothing_are_left_out_of_their_own_pairing_alone(made_up, tmp_path):
    run = Verification(*both(asked(tmp_path, ROUNDS)))
    run.play()
    (watched,) = run.targets
    values, places = [], []
    for pairing in watched.pairings:
        decided = bank(pairing)["decided"].to_numpy()
        places.append(np.flatnonzero(decided))
        values.append(decided[decided > 0].astype(float))
    n = watched.study.n
    mean = np.mean([x[:n] for x in values])
    assert watched.study.sequence.mean == pytest.approx(mean)
    assert [one.used for one in watched.series] == [place[n - 1] + 1 for place in places]
    assert row(run, watched)["games"] == sum(place[n - 1] + 1 for place in places)


def both(experiment):
    return experiment.rules, experiment


# --- nothing but the games decides --------------------------------------------------------------


@pytest.mark.parametrize("strict", [False, True])
def test_jobs_and_chunks_change_nothing(made_up, tmp_path, strict):
    experiment = asked(tmp_path, SEAT, WINS, FIELD, ROUNDS)
    how = [{}, {"chunk": 13}, {"jobs": 2}, {"jobs": 3, "chunk": 100}]
    first, *others = [verify(None, experiment, 20_000, strict=strict, **other) for other in how]
    assert all(first.equals(other) for other in others)
    assert {"PASS"} < set(first["verdict"]) | {"FAIL"}


def test_real_games_say_the_same_for_any_jobs_and_chunk(tmp_path):
    experiment = asked(tmp_path, SEAT, FIELD)
    rules = experiment.rules.override({"/turn/round_cap": 4})
    first = verify(rules, experiment, 600)
    assert first.equals(verify(rules, experiment, 600, jobs=2, chunk=17))
    assert not first.equals(verify(rules, experiment, 600, seed=1))


def test_more_targets_share_the_error(made_up, tmp_path):
    experiment = asked(tmp_path, SEAT, WINS, skills='["rush"]', seed="5")
    assert set(verify(None, experiment, 100)["alpha"]) == {0.05 / 2}
    skilled = dataclasses.replace(experiment, targets=experiment.targets * 2)
    run = Verification(experiment.rules, skilled)
    assert run.alpha == pytest.approx(0.05 / 4)
    assert run.power == pytest.approx(1 - 0.1 / 4)


def test_the_bank_is_neither_the_search_nor_the_confirmation():
    assert len({seed_of(5, "verify"), seed_of(5, "confirm"), seed_of(5, "search", 0)}) == 3


# --- what has no verdict ------------------------------------------------------------------------


def test_a_budget_that_does_not_tell_leaves_it_undecided(made_up, tmp_path):
    found = verify(None, asked(tmp_path, SEAT, FIELD), games=100)
    assert found["verdict"].to_list() == ["UNDECIDED", "UNDECIDED"]
    assert found["games"].to_list() == [100, 200]
    assert set(found["means"]) == {"100 games a pairing do not tell"}


def test_a_metric_of_which_no_game_says_anything_is_undecided(made_up, tmp_path, monkeypatch):
    experiment = asked(tmp_path, ROUNDS)
    run = Verification(*both(experiment), games=100)
    (watched,) = run.targets
    watched.metric = dataclasses.replace(
        watched.metric, value=lambda frame: np.full(frame.height, np.nan)
    )
    run.play()
    found = row(run, watched)
    assert (found["verdict"], found["games"]) == ("UNDECIDED", 200)
    assert math.isnan(found["value"])
    assert "no game says anything" in found["means"]


@pytest.mark.parametrize("game", ["pebbles", "dealt"])
def test_copies_of_a_game_give_no_verdict(tmp_path, monkeypatch, game):
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, "pebbles", "dealt"))
    rules = toygame.rules(heap=9, under=5, game=game)
    experiment = dataclasses.replace(
        asked(tmp_path, SEAT.replace("0.48, 0.52", "0.1, 0.2")), game=catalog.load_game(game)
    )
    parts = tuple(
        part._replace(pairing=part.pairing._replace(first="random", second="greedy"))
        for part in experiment.targets[0].parts
    )
    target = dataclasses.replace(experiment.targets[0], parts=parts)
    experiment = dataclasses.replace(experiment, targets=(target,))
    found = verify(rules, experiment, games=300).row(0, named=True)
    assert found["verdict"] == "UNDECIDED"
    if game == "pebbles":
        assert "games repeat themselves" in found["means"]
        assert found["games"] < 300
    else:  # its games are dealt alike, and a deal counts once
        assert found["games"] == 300


def test_ctrl_c_leaves_what_was_found_so_far(made_up, tmp_path):
    experiment = asked(tmp_path, SEAT, FIELD)
    run = Verification(*both(experiment), strict=True)

    def tell():
        if run.played > 1000:
            signal.raise_signal(signal.SIGINT)

    run.play(tell)
    assert run.stopped
    found = [row(run, watched) for watched in run.targets]
    assert found[0]["verdict"] is None
    assert found[0]["means"] == "stopped before the games told"
    assert 0.4 < found[0]["value"] < 0.6


def test_a_fail_beside_a_value_in_the_band_says_where_to_ask(made_up, tmp_path):
    near = asked(tmp_path, SEAT.replace("0.48, 0.52", "0.499, 0.54"))
    run = Verification(*both(near))
    run.play()
    (found,) = [row(run, watched) for watched in run.targets]
    assert found["verdict"] == "FAIL"
    inside = found["value"] >= 0.499
    assert ("only a strict verdict" in found["means"]) == inside


# --- skills -------------------------------------------------------------------------------------


def test_skills_have_verdicts_of_their_own_and_a_slope(made_up, tmp_path):
    text = HEAD.replace("seed = 5", 'seed = 5\nskills = ["random", "rush", "siege"]') + SEAT
    run = Verification(*both(load_experiment(write(tmp_path, text=text))))
    run.play()
    names = [watched.target.name for watched in run.targets]
    assert names == ["first_score", *(f"first_score at {s}" for s in ("random", "rush", "siege"))]
    (slope,) = run.slopes()
    each = [watched.study.sequence for watched in run.targets[1:]]
    assert slope.value == pytest.approx((each[2].mean - each[0].mean) / 2)
    assert slope.low == pytest.approx((each[2].interval[0] - each[0].interval[1]) / 2)
    assert slope.high == pytest.approx((each[2].interval[1] - each[0].interval[0]) / 2)
    assert slope.skills == ("random", "rush", "siege")


def test_without_skills_there_is_no_slope(made_up, tmp_path):
    assert list(Verification(*both(asked(tmp_path, SEAT))).slopes()) == []


# --- formulas -----------------------------------------------------------------------------------


def test_a_formula_is_judged_as_the_metric_that_it_is(made_up, tmp_path):
    named = {"first_win": "winner == 'first'", "decided_round": "if(decided > 0, decided)"}
    for target, metric in ((WINS, "first_win"), (ROUNDS, "decided_round")):
        found, told = (
            verify(None, asked(tmp_path, text)).row(0, named=True)
            for text in (target, target.replace(f'"{metric}"', f'"{named[metric]}"'))
        )
        assert told["metric"] == named[metric]
        same = ("verdict", "games", "value", "low", "high", "unit")
        assert [told[key] for key in same] == [found[key] for key in same]


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "line"),
    [
        (SEAT.replace("0.48, 0.52", "0, 1"), "a band of 0 to 1, expected one that some means"),
        (SEAT.replace("0.48", "-0.1"), "a band of -0.1 to 0.52, expected one within 0 to 1"),
        (SEAT.replace("0.52", "1.1"), "a band of 0.48 to 1.1, expected one within 0 to 1"),
        (SEAT.replace("first_score", "plies").replace("0.52", "9"), "plies, which has no bounds"),
        (
            SEAT.replace("first_score", "plies / length").replace("0.52", "9"),
            "plies / length, which has no bounds, expected a metric that has, such as min(plies",
        ),
        (ROUNDS.replace("10, 20", "-5, 5000"), "a band of -5 to 5000, expected one that some"),
    ],
)
def test_targets_that_nobody_can_tell_are_refused(tmp_path, monkeypatch, target, line):
    monkeypatch.setattr(selfplay, "play_chunk", None)
    said = refusal(verify, None, asked(tmp_path, target))
    assert line in said
    assert said.startswith("experiment short, target ")


def test_rules_of_another_game_are_refused(tmp_path):
    said = refusal(verify, lab.load_rules("junqi"), asked(tmp_path, SEAT))
    assert said == "experiment short /game: found 'ants', expected 'junqi'"


def test_a_band_ends_where_the_rules_end(made_up, tmp_path):
    target = ROUNDS.replace("10, 20", "10, 5000")
    (watched,) = Verification(*both(asked(tmp_path, target))).targets
    assert watched.study.band[1] == watched.study.bounds[1]
    assert len(watched.study.tests) == 1
