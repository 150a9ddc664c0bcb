"""Functions in Python that play: the rows of the compiled loop, and whatever a function may do."""

import json

import numpy as np
import polars as pl
import pytest

import lab
from lab import catalog, viewer, watch
from lab.catalog import GAMES, load_game, load_rules
from lab.doors.observation import fields_of
from lab.errors import BadInput
from lab.play import Players, Position
from lab.selfplay import curves, simulate
from tests import toygame
from tests.rulesets import short_rules

SEED = 9
ANTS = load_rules("ants")
PAIRS = {
    "ants": ("economy", "rush"),
    "next_nation": ("swarm", "macro"),
    "wargambit": ("leveller:placer=screened", "ghost"),
    "junqi": ("hurried:setup=wall", "greedy"),
}
IDLE = {
    "ants": "random:ban=worker+soldier+gather+place+reinforce+destroy",
    "next_nation": "random:ban=upgrade+move+train",
    "wargambit": "random:ban=buy+reroll+level",
}
"""Policies that play the first legal action, whatever there is."""


def idle(observation, legal):
    return legal[0]


def chance(observation, legal):
    return observation.random.choice(legal)


class Like:
    """Plays as a policy of the lab, which is told no more than the observation holds."""

    def __init__(self, pair, place, seed):
        self.pair, self.place, self.seed = pair, place, seed

    def __call__(self, observation, legal):
        view = observation._view
        if "minds" not in observation.memory:
            rows = view.game.policy_rows(*self.pair)
            minds = Players(view.game, view.record, rows, self.seed, observation.index)
            observation.memory["minds"] = minds
        action = observation.memory["minds"].action(view.state)
        assert action in legal or action in observation.declared
        return action


# --- the same games -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", IDLE)
def test_the_first_legal_action_is_what_the_idle_policy_plays(name):
    rules, other = short_rules(name), PAIRS[name][1]
    slow = simulate(rules, idle, other, games=20, seed=SEED)
    assert slow.equals(simulate(rules, IDLE[name], other, games=20, seed=SEED))


@pytest.mark.parametrize("name", GAMES)
def test_a_function_that_plays_as_a_policy_gets_its_rows_and_curves(name):
    rules, pair, games = short_rules(name), PAIRS[name], slice(3, 9)
    known = simulate(rules, *pair, games, SEED)
    for place in range(1 if load_game(name).roles else 2):
        players = list(pair)
        players[place] = Like(pair, place, SEED)
        assert simulate(rules, *players, games, SEED).equals(known)
        assert curves(rules, *players, games, SEED).equals(curves(rules, *pair, games, SEED))


def test_a_function_that_takes_most_is_greedy(monkeypatch):
    """The toy whose records serve four games each; greedy, in either seat and against itself."""
    monkeypatch.setattr(catalog, "GAMES", (*GAMES, "dealt"))
    rules = toygame.rules(heap=9, under=5, game="dealt")

    def most(observation, legal):
        assert observation["under"] == 0  # nobody sees what lies beneath
        return max(legal)

    greedy = simulate(rules, "greedy", "greedy", 30, 7)
    for players in ((most, most), (most, "greedy"), ("greedy", most)):
        assert simulate(rules, *players, 30, 7).equals(greedy)


def test_cutting_changes_nothing():
    whole = simulate(ANTS, chance, "economy", 30, SEED)
    assert whole["history"].n_unique() == 30
    ways = [{"jobs": 2}, {"chunk": 1}, {"jobs": 3, "chunk": 7}]
    assert all(simulate(ANTS, chance, "economy", 30, SEED, **way).equals(whole) for way in ways)
    assert simulate(ANTS, chance, "economy", slice(10, 20), SEED).equals(whole[10:20])
    assert not simulate(ANTS, chance, "economy", 30, SEED + 1).equals(whole)


def test_a_table_says_which_function_played(tmp_path):
    path = tmp_path / "games.parquet"
    played = simulate(ANTS, "rush", chance, 12, SEED, out=path)
    assert played.collect().equals(simulate(ANTS, "rush", chance, 12, SEED))
    told = json.loads(pl.read_parquet_metadata(path)["lab"])
    assert (told["first"], told["second"]) == ("rush", "python:chance")


# --- what a function is given -------------------------------------------------------------------


def test_an_observation_tells_what_a_seat_sees_by_name():
    seen = []

    def look(observation, legal):
        seen.append((observation, [observation.name(action) for action in legal]))
        return legal[0]

    simulate(ANTS, look, "economy", 1, SEED)
    first, names = seen[0]
    assert (first.seat, first.clock, first.index, first.declared) == (0, 1, 0, [])
    assert first.rules is ANTS
    assert first["resources"].tolist() == [ANTS.value(f"/start/resources/{i}") for i in (0, 1)] or (
        first["resources"][0] > ANTS.value("/start/resources/0")  # with the first turn's income
    )
    assert names[:2] == ["end", "produce worker"]
    assert first.kind(64) == "worker"
    assert {"ants", "pheromone", "round"} <= set(first)
    assert first["pheromone"].shape == (2, 64)
    assert first["pheromone"].dtype == bool
    assert len(first) == len(dict(first))
    assert first.text().startswith("turn=")
    assert first._repr_svg_().startswith("<svg")


def test_an_observation_that_is_kept_does_not_change():
    kept = []

    def keep(observation, legal):
        kept.append((observation, observation.text()))
        return legal[-1]

    simulate(ANTS, keep, "rush", 1, SEED)
    assert len({text for _, text in kept}) > 10
    for observation, text in kept:
        assert observation.text() == text
        assert observation["round"] == observation.clock


def test_what_a_function_does_to_what_it_is_given_changes_nothing():
    def vandal(observation, legal):
        for name in observation:
            observation[name][...] = 1
        legal[1:] = []
        return legal[0]

    assert simulate(ANTS, vandal, "rush", 5, SEED).equals(simulate(ANTS, idle, "rush", 5, SEED))
    maps = short_rules("next_nation")
    told = [simulate(maps, player, "rush", 5, SEED) for player in (vandal, idle)]
    assert told[0].equals(told[1])


def test_memory_lasts_for_a_game():
    counts = []

    def count(observation, legal):
        memory = observation.memory
        memory["turn"] = memory.get("turn", 0) + 1
        counts.append((observation.index, memory["turn"]))
        return legal[0]

    simulate(ANTS, count, "rush", 2, SEED)
    assert [turn for index, turn in counts if index == 1][:3] == [1, 2, 3]


def test_what_says_who_plays_is_legal_but_not_among_the_others():
    found = {}

    def look(observation, legal):
        found.setdefault(observation.clock, (observation, legal))
        return legal[0]

    simulate(load_rules("wargambit"), look, "ghost", 1, SEED)
    seen, legal = found[0]
    assert [seen.name(action) for action in legal] == ["ready"]
    assert [seen.name(action) for action in seen.declared] == ["duel"]


def test_places_and_maps():
    here = Position(load_game("next_nation"), load_rules("next_nation"), SEED)
    seen = fields_of(here.seen(0), 0)
    assert seen["map_n"] == here.record["maps"][0]["n"]
    assert seen["place"][0].tolist() == [0, 0, 0] + [-1] * (seen["place"].shape[1] - 3)
    ready = Position(load_game("wargambit"), load_rules("wargambit"), SEED)
    for text in ("ready", "ghost"):
        ready.play(ready.game.view.parse_action(ready.record, text))
    names = {ready.game.view.action_text(ready.record, action): action for action in ready.legal()}
    ready.play(names[next(name for name in names if name.startswith("buy"))])
    names = {ready.game.view.action_text(ready.record, action): action for action in ready.legal()}
    text = next(name for name in names if name.startswith("place") and name.endswith("d2"))
    ready.play(names[text])
    kind = int(np.flatnonzero(ready.state["army"][0])[0])
    assert fields_of(ready.seen(0), 0)["places"].tolist()[0] == [0] * 11 + [1 + kind] + [0] * 4


# --- how far it is, and what cannot be ----------------------------------------------------------


def test_it_says_how_far_it_is_unless_somebody_listens(monkeypatch, capsys):
    now = iter(range(0, 1000, 20))
    monkeypatch.setattr(watch, "monotonic", lambda: next(now))
    simulate(ANTS, idle, "rush", 3, SEED)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("lab: 3 of 3 games, 0.")
    assert "a second" in lines[-1]
    heard = []
    simulate(ANTS, idle, "rush", 2, SEED, progress=lambda *told: heard.append(told))
    assert heard == [(1, 2), (2, 2)]
    assert capsys.readouterr().err == ""


def wild(observation, legal):
    return 999


def broken(observation, legal):
    return {}["plan"]


def silent(observation, legal):
    return None


WRONG = {
    wild: r"python:wild in game 0 of seed 9, round 1: found action 999, expected a legal one: "
    r"0 \(end\), 64 \(produce worker\)",
    broken: r"python:broken in game 0 of seed 9, round 1: found KeyError: .plan., expected an act",
    silent: "python:silent .*: found None, expected the number of an action",
}


@pytest.mark.parametrize("function", WRONG)
def test_a_function_that_does_not_play_on_is_named_and_nothing_is_written(function, tmp_path):
    def later(observation, legal):
        return function(observation, legal) if observation.index == 2 else legal[0]

    later.__name__ = function.__name__
    path = tmp_path / "games.parquet"
    with pytest.raises(BadInput, match=WRONG[function].replace("game 0", "game 2")) as error:
        simulate(ANTS, later, "rush", 4, SEED, out=path)
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_what_a_function_raised_can_be_looked_at():
    with pytest.raises(BadInput) as error:
        simulate(ANTS, broken, "rush", 1, SEED)
    assert isinstance(error.value.__cause__, KeyError)


@pytest.mark.parametrize(
    ("players", "line"),
    [
        ((3, "rush"), r"first: found 3, expected a policy's text or a function"),
        (("rush", None), "second: found None"),
        ((idle, "rusj"), "found 'rusj', .*did you mean 'rush'"),
    ],
)
def test_who_cannot_play(players, line):
    with pytest.raises(BadInput, match=line):
        simulate(ANTS, *players, 1)


def test_a_policy_that_does_not_fit_is_named():
    with pytest.raises(BadInput, match=r"army:q r 2n 4p in game 0 .*: found action 256, expected"):
        simulate(load_rules("wargambit"), idle, "army:q r 2n 4p", 1)


def test_a_function_cannot_meet_whom_nobody_can():
    with pytest.raises(BadInput, match="wargambit policies"):
        simulate(load_rules("wargambit"), "ghost", idle, 1)


@pytest.mark.parametrize("verb", ["compare", "matrix", "vary", "trace", "viewer"])
def test_where_players_go_by_name_a_function_is_refused(verb):
    rules, bonus = load_rules("ants"), {"/start/resources/1": "3..4"}
    calls = {
        "compare": lambda: lab.compare(rules, rules, print, "economy"),
        "matrix": lambda: lab.matrix(rules, ["economy", print]),
        "vary": lambda: lab.vary(rules, bonus, skills=[print]),
        "trace": lambda: lab.trace(rules, print, "economy"),
        "viewer": lambda: viewer.game(rules, "economy", print, 0, 0),
    }
    with pytest.raises(BadInput, match=f"{verb}: found a function as a player, expected players"):
        calls[verb]()
