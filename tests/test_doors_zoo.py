"""A game as PettingZoo has it: its own tests, the masks, what is seen, the games themselves."""

import os
import sys
import warnings
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import lab
from lab.catalog import GAMES, load_game, load_rules
from lab.doors.observation import fields_of
from lab.errors import BadInput
from lab.game import WINNERS
from lab.metrics import FIRST_SCORE, measure_one
from lab.play import Players, Position
from lab.selfplay import as_frame, simulate
from lab.stats.estimate import estimate_mean
from tests.rulesets import short_rules

PROOF = bool(os.environ.get("LAB_PROOF"))
SEED = 5
PLAYERS = {
    "ants": ("economy", "rush"),
    "next_nation": ("macro", "swarm"),
    "wargambit": ("saver:placer=castler", "ghost"),
    "junqi": ("greedy:setup=wall", "attacker"),
}
NEVER = {"wargambit": ("place", "auto")}
"""What random play of the lab does without, beside what says who plays."""

every_game = pytest.mark.parametrize("name", GAMES)


def agents_of(env, seed, index):
    """Each agent's turn in a game, and what it sees of it."""
    env.reset(seed=seed, options={"index": index})
    for agent in env.agent_iter():
        seen, _, over, _, _ = env.last()
        if over:
            env.step(None)
        else:
            yield agent, seen


def choose(mask, rng):
    return rng.choice(np.flatnonzero(mask).tolist())


@every_game
def test_pettingzoo_finds_no_fault(name):
    rules = short_rules(name)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        api_test(lab.env(name, rules), num_cycles=300 if PROOF else 60)
        seed_test(lambda: lab.env(name, rules), num_cycles=300 if PROOF else 60)


@every_game
@pytest.mark.parametrize("banned", [False, True], ids=["everything", "without what says who plays"])
def test_a_mask_has_the_legal_actions_and_no_other(name, banned):
    game, rules, rng = load_game(name), short_rules(name), Random(SEED)
    env = lab.env(name, rules, ban=None if banned else ())
    for index in range(10 if PROOF else 2):
        own = Position(game, rules, SEED, index)
        minds = Players(game, own.record, game.policy_rows(*game.pair), SEED, index)
        for agent, seen in agents_of(env, SEED, index):
            while env.policies[own.look()[0]] is not None:
                own.play(minds.action(own.state))
            legal = {a for a in own.legal() if not (banned and own.kind(a) in game.declared)}
            assert {env.number(i) for i in np.flatnonzero(seen["action_mask"])} == legal
            assert agent == f"seat_{own.look()[0]}"
            for other in set(env.agents) - {agent}:
                assert not env.observe(other)["action_mask"].any()
            action = choose(seen["action_mask"], rng)
            number = env.number(action)
            assert number in game.numbers[game.action_kinds.index(own.kind(number))]
            assert env.name(action) == game.view.action_text(own.record, number)
            own.play(number)
            env.step(action)


@every_game
def test_a_game_is_the_one_that_simulate_plays(name):
    """An agent that plays as a policy does gets that policy's row, in either seat."""
    game, rules, pair = load_game(name), short_rules(name), PLAYERS[name]
    rows = simulate(rules, *pair, games=3, seed=SEED)
    seats = ({"second": pair[1]},) if game.roles else ({"second": pair[1]}, {"first": pair[0]})
    for seat in seats:
        env = lab.env(name, rules, ban=(), **seat)
        for index in (2, 0):
            minds = None
            for _ in agents_of(env, SEED, index):
                policies = game.policy_rows(*pair)
                minds = minds or Players(game, env.here.record, policies, SEED, index)
                number = minds.action(env.here.state)
                kind = next(k for k, numbers in enumerate(game.numbers) if number in numbers)
                before = sum(map(len, game.numbers[:kind]))
                env.step(before + game.numbers[kind].index(number))
            assert as_frame(game, env.here.outcome.reshape(1)).equals(rows[index])


@every_game
def test_what_is_seen_owes_nothing_to_the_games_before(name):
    rules, rng = short_rules(name), Random(SEED)
    used, fresh = lab.env(name, rules), lab.env(name, rules)
    for index in range(3):
        for _, seen in agents_of(used, SEED, index):
            used.step(choose(seen["action_mask"], rng))
    for env in (used, fresh):
        env.reset(seed=SEED, options={"index": 7})
    assert used.render() == Position(load_game(name), rules, SEED, 7).text()
    one, other = used.last()[0], fresh.last()[0]
    assert np.array_equal(one["observation"], other["observation"])
    assert np.array_equal(one["action_mask"], other["action_mask"])


def test_without_a_seed_the_next_game_begins():
    env = lab.env("next_nation", short_rules("next_nation"))
    maps = []
    for arguments in ({"seed": 3}, {}, {"options": {"index": 1}}, {"seed": 3}):
        env.reset(**arguments)
        maps.append(env.render())
    assert maps[1] == maps[2] != maps[0] == maps[3]


@every_game
def test_the_fields_lie_end_to_end(name):
    env = lab.env(name, short_rules(name))
    env.reset(seed=SEED)
    flat = env.last()[0]["observation"]
    told = {key: flat[place].reshape(shape) for key, (place, shape) in env.fields.items()}
    assert told.pop("me") == 0
    for key, value in fields_of(env.here.seen(0), 0).items():
        assert np.array_equal(told.pop(key), value)
    assert not told
    assert sum(place.stop - place.start for place, _ in env.fields.values()) == flat.size


def test_a_side_of_next_nation_sees_no_orders_of_the_other():
    env, rng = lab.env("next_nation", short_rules("next_nation")), Random(SEED)
    told = {}
    for agent, seen in agents_of(env, SEED, 0):
        if agent == "seat_0":
            other = env.observe("seat_1")["observation"]
            day = int(env.here.state["day"])
            assert np.array_equal(other, told.setdefault(day, other))
        env.step(choose(seen["action_mask"], rng))
    assert len(told) > 10


@every_game
def test_rewards_are_twice_the_score_less_one(name):
    env, rng = lab.env(name, short_rules(name)), Random(SEED)
    assert env.possible_agents == ["seat_0", "seat_1"][: 1 if name == "wargambit" else 2]
    env.reset(seed=SEED)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        total[agent] += reward
        assert not cut
        env.step(None if over else choose(seen["action_mask"], rng))
    winner = WINNERS[env.here.outcome["winner"]]
    for seat, agent in enumerate(total):
        assert total[agent] == (0 if winner == "draw" else 1 if winner == WINNERS[seat] else -1)


@every_game
def test_random_agents_score_as_random_play_of_the_lab(name):
    game, rules, games = load_game(name), short_rules(name), 400 if PROOF else 24
    pair = ("random", game.pair[1])
    env = lab.env(name, rules, ban=(*game.declared, *NEVER.get(name, ())))
    scores, histories, rng = [], [], Random(SEED)
    for index in range(games):
        for _, seen in agents_of(env, SEED, index):
            env.step(choose(seen["action_mask"], rng))
        scores.append((1.0, 0.0, 0.5)[env.here.outcome["winner"]])
        histories.append(int(env.here.outcome["history"]))
    theirs = estimate_mean(np.array(scores), np.array(histories, np.uint64), bounds=(0, 1))
    ours = measure_one(simulate(rules, *pair, games=4000, seed=SEED), FIRST_SCORE, rules=rules)
    print(name, "agents", theirs, "lab", ours)
    assert theirs.low <= ours.high
    assert ours.low <= theirs.high


def test_pictures_and_texts():
    for mode, head in (("ansi", "turn=p1"), ("svg", "<svg")):
        env = lab.env("ants", render_mode=mode)
        env.reset()
        assert env.render().startswith(head)
        env.close()


# --- what cannot be -----------------------------------------------------------------------------

WRONG = {
    "game": (("antz",), {}, "game: found 'antz', expected one of .*did you mean 'ants'"),
    "version": (("ants", "9.9"), {}, "9.9"),
    "rules": (("ants", load_rules("junqi")), {}, "rules: found those of junqi, expected .* ants"),
    "policy": (("ants",), {"second": "rusj"}, "found 'rusj'.*did you mean 'rush'"),
    "role": (("wargambit",), {"first": "ghost"}, "ghost and ghost, expected a seat for an agent"),
    "seats": (("ants",), {"first": "rush", "second": "rush"}, "expected a seat for an agent"),
    "ban": (("ants",), {"ban": ["gathr"]}, "ban: found 'gathr'.*did you mean 'gather'"),
    "first kind": (("ants",), {"ban": ["end"]}, "ban: found 'end'"),
    "mode": (("ants",), {"render_mode": "human"}, "render_mode: found 'human', expected one of"),
}


@pytest.mark.parametrize("key", WRONG)
def test_an_environment_that_cannot_be(key):
    names, options, line = WRONG[key]
    with pytest.raises(BadInput, match=line):
        lab.env(*names, **options)


@pytest.mark.parametrize("options", [{"seed": -1}, {"seed": "x"}, {"options": {"index": -1}}])
def test_a_game_that_cannot_be(options):
    env = lab.env("ants")
    with pytest.raises(BadInput, match="expected a whole number from 0 to"):
        env.reset(**options)


@pytest.mark.parametrize("action", [100, 196, -1, None])
def test_an_illegal_action_is_refused_and_changes_nothing(action):
    env = lab.env("ants")
    with pytest.raises(BadInput, match="no game under way"):
        env.step(0)
    env.reset()
    before = env.render()
    line = f"seat_0 in game 0: found action {action}, expected one that its mask has, such as 0"
    with pytest.raises(BadInput, match=line):
        env.step(action)
    assert env.render() == before


def test_a_policy_that_does_not_fit_is_named():
    env = lab.env("wargambit", second="army:q r 2n 4p")
    env.reset()
    with pytest.raises(BadInput, match="army:q r 2n 4p in game 0: found action 256, expected a le"):
        env.step(0)


def test_without_pettingzoo_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "lab.doors.zoo", raising=False)
    with pytest.raises(BadInput, match=r"expected pip install 'balance-lab\[rl\]'"):
        lab.env("ants")
