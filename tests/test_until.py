import json

import numpy as np
import polars as pl
import pytest

import lab
from lab import catalog, selfplay
from lab.catalog import load_rules
from lab.stats.betting import MeanSequence
from lab.stats.sequential import confidence_sequence
from lab.until import play_until, read_goal
from tests import toygame
from tests.toy import refusal
from tests.verbs import out
from tests.verbs import refusal as refused

RULES = load_rules("ants").override({"/turn/round_cap": 4})
PAIR = ("economy", "rush")
VERB = ("simulate", "ants", "--set", "/turn/round_cap=4", "--first", "economy", "--second", "rush")
pytestmark = pytest.mark.usefixtures("quiet")


def score(games):
    return ((games["winner"] == "first") + (games["winner"] == "draw") / 2).to_numpy()


@pytest.mark.parametrize("how", [{}, {"jobs": 2, "chunk": 33}])
def test_a_score_is_known_at_the_first_look_that_is_narrow_enough(how):
    known = play_until(RULES, *PAIR, read_goal("first_score+-5", RULES), 5000, **how)
    games = lab.simulate(RULES, *PAIR, 5000)
    wins = np.cumsum(score(games))
    for n in range(16, 5000, 16):  # the oracle
        low, high = confidence_sequence(wins[n - 1], n)
        if high - low <= 0.1:
            break
    assert (known.reached, known.games) == (True, n)
    assert known.interval == pytest.approx((low, high))
    assert known.value == pytest.approx(wins[n - 1] / n)
    assert known.frame.equals(games[:n])
    assert known.sentence.startswith(f"first_score known to ±5 points after {n:,} games: ")


def test_another_mean_is_known_in_its_unit_and_by_its_own_games():
    goal = read_goal("decided_round±0.1", RULES)
    known = play_until(RULES, "random", "random", goal, 5000)
    games = lab.simulate(RULES, "random", "random", 5000)
    told = np.flatnonzero(games["decided"])
    x, sequence = games["decided"].to_numpy()[told].astype(float), MeanSequence(goal.bounds)
    for n in range(16, 5000, 16):
        sequence = sequence.add(x[n - 16 : n])
        if sequence.interval[1] - sequence.interval[0] <= 0.2:
            break
    assert known.reached
    assert known.games == told[n - 1] + 1 > n
    assert known.interval == sequence.interval
    assert "±0.1 rounds" in known.sentence


def test_games_may_be_at_their_end_before():
    known = play_until(RULES, *PAIR, read_goal("first_score+-5", RULES), 100)
    assert (known.reached, known.games, known.frame.height) == (False, 100, 100)
    assert "not yet known to ±5 points after 100 games" in known.sentence
    assert not known.facts["known"]


def test_copies_of_a_game_make_nothing_known(monkeypatch):
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, "pebbles"))
    rules = toygame.rules(heap=9, under=5)
    known = play_until(rules, "random", "greedy", read_goal("first_score+-10", rules), 5000)
    assert known.repeats == known.frame["history"].n_unique()
    assert not known.facts["known"]
    assert "not known to ±10 points" in known.sentence


def test_progress_tells_about_how_many_it_will_take():
    told = []
    goal = read_goal("first_score+-5", RULES)
    known = play_until(RULES, *PAIR, goal, 5000, tell=lambda *how_far: told.append(how_far))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert all(done <= about <= 5000 for done, about in told)
    assert told[-1][1] == pytest.approx(known.games, rel=0.2)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("first_score", "until: found 'first_score', expected METRIC+-X with X above 0"),
        ("first_score+-0", "until: found 'first_score+-0', expected METRIC+-X"),
        ("first_score+-x", "expected METRIC+-X"),
        ("first_score+--1", "expected METRIC+-X"),
        ("foo+-1", "until: found 'foo', expected one of first_score"),
        ("first_scor+-1", "(did you mean 'first_score'?)"),
        ("plies+-1", "until: found plies, which has no bounds"),
        ("first_score+-50", "until: found 'first_score+-50', expected a half width below"),
    ],
)
def test_goals_that_make_no_sense_are_refused(text, line):
    assert line in refusal(read_goal, text, RULES)


# --- the verb -----------------------------------------------------------------------------------


def test_the_verb_measures_the_prefix_and_says_how_well_it_is_known():
    said = out(*VERB, "--until", "first_score+-5").splitlines()
    known = play_until(RULES, *PAIR, read_goal("first_score+-5", RULES))
    usual = out(*VERB, "--games", known.games).splitlines()
    assert said == [*usual, known.sentence]
    facts = json.loads(out(*VERB, "--until", "first_score+-5", "--json"))
    assert facts["games"] == facts["until"]["games"] == known.games
    assert facts["until"]["half"] == 0.05
    assert facts["until"]["known"]


def test_a_file_holds_exactly_the_prefix(tmp_path):
    path, usual = tmp_path / "until.parquet", tmp_path / "usual.parquet"
    known = play_until(RULES, *PAIR, read_goal("first_score+-5", RULES), keep=False)
    assert known.frame is None
    out(*VERB, "--until", "first_score+-5", "--out", path)
    out(*VERB, "--games", known.games, "--out", usual)
    assert path.read_bytes() == usual.read_bytes()
    assert pl.read_parquet(path).height == known.games


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--until foo+-1", "until: found 'foo'"),
        ("--until first_score+-1 --games 5:9", "games: found 5:9, expected N with --until"),
        ("--until first_score+-1 --out none/games.csv", "none/games.csv: found no such folder"),
        ("--until first_score+-1 --out games.xls", "games.xls: found suffix '.xls'"),
        ("--until first_score+-1 --games 0", "games: found 0"),
        ("--until first_score+-1 --chunk 0", "chunk: found 0"),
    ],
)
def test_bad_options_are_refused_before_anything_is_played(words, line, tmp_path, monkeypatch):
    monkeypatch.setattr(selfplay, "play_chunk", None)
    monkeypatch.chdir(tmp_path)
    assert line in refused("simulate", "ants", *words.split())
    assert list(tmp_path.iterdir()) == []
