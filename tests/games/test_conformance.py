"""What every game and every policy keeps to, whatever the rules."""

import os
from functools import cache
from hashlib import blake2b
from importlib import import_module
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lab.catalog import GAMES, load_game, load_rules
from lab.game import WINNERS
from lab.jit import blank
from lab.metrics import FIRST_SCORE, measure, measure_one
from lab.play import Position, play_batch, play_rows, room_dtype, trace
from lab.selfplay import simulate
from tests.rulesets import draw_rules, short_rules, shortened
from tests.seats import fit, players, table

SEATS = 4_000 if os.environ.get("LAB_PROOF") else 400
"""Games, half of them in each seat, that say who beats whom."""
SEARCHED = 200 if os.environ.get("LAB_PROOF") else 20


def rules_for(name, *seats):
    """The shipped rules; those of short games for players who search."""
    searching = any(player.startswith("search") for player in seats)
    return short_rules(name) if searching else load_rules(name)


def own_policies(name):
    """Random play, which every game lists first, and the archetypes."""
    random, *archetypes = load_game(name).rivals()
    return random, archetypes


def strong(name):
    """Whether the game's reference says that it is worth the time to prove its search strong."""
    return getattr(import_module(f"tests.reference.{name}"), "SEARCH_IS_STRONG", False)


every_game = pytest.mark.parametrize("name", GAMES)
every_player = pytest.mark.parametrize(
    ("name", "player"), [(name, player) for name in GAMES for player in players(name)]
)


# --- one game -----------------------------------------------------------------------------------


@every_player
def test_plays_legal_actions_to_an_end_within_the_cap(name, player):
    game, seats = load_game(name), table(name, player)
    position, actions, row = trace(game, rules_for(name, *seats), *seats, 5, 0)
    for action in actions:
        assert action in position.legal()
        position.play(action)
    assert position.legal() == []
    assert row["ending"][0] in range(len(game.endings))
    assert row["length"][0] in range(1, game.max_clock)


@every_game
@settings(max_examples=20, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1))
def test_any_rules_play_to_an_end_and_positions_read_back(name, seed):
    game, rng = load_game(name), Random(seed)
    drawn = draw_rules(game.document, rng)
    rules = load_rules(name).override({f"/{key}": value for key, value in drawn.items()})
    rules = shortened(rules)
    seats = table(name, rng.choice(players(name)))
    assume(fit(rules, seats))
    position, actions, row = trace(game, rules, *seats, seed, 0)
    again = Position(game, rules)
    for action in actions:
        text = position.text()
        again.read(text)
        assert again.text() == text
        assert again.legal() == position.legal()
        words = game.view.action_text(position.record, action)
        assert game.view.parse_action(position.record, words) == action
        position.play(action)
    again.read(position.text())
    assert again.text() == position.text()
    assert row["length"][0] in range(1, game.max_clock)


# --- a table of games ---------------------------------------------------------------------------


@every_player
def test_chunks_and_workers_change_nothing(name, player):
    seats = table(name, player)
    tables, rules = [], rules_for(name, *seats)
    for jobs, chunk in [(1, 5000), (2, 5000), (1, 7), (2, 5)]:
        frame = simulate(rules, *seats, games=24, seed=7, jobs=jobs, chunk=chunk)
        columns = [column.to_physical().to_numpy().tobytes() for column in frame]
        tables.append(blake2b(b"".join(columns), digest_size=8).hexdigest())
    print(f"{name}, {' against '.join(seats)}, 24 games, seed 7:", *tables)
    assert len(set(tables)) == 1


@every_player
def test_a_game_alone_is_the_game_of_its_batch(name, player):
    seats = table(name, player)
    rules = rules_for(name, *seats)
    batch = simulate(rules, *seats, games=8, seed=3)
    for i in range(batch.height):
        assert simulate(rules, *seats, games=range(i, i + 1), seed=3).equals(batch[i])


@every_player
def test_a_room_full_of_rubbish_plays_the_same_and_the_rules_stay(name, player):
    game, seats = load_game(name), table(name, player)
    record, policies = game.record(rules_for(name, *seats), 3, range(8)), game.policy_rows(*seats)
    unplayed = record.tobytes()
    clean, _, _ = play_rows(game, record, policies, 3, 0, 8)
    room = blank(room_dtype(game), 1)
    room.view(np.uint8)[:] = np.frombuffer(Random(1).randbytes(room.nbytes), np.uint8)
    room["policies"], room["reached"], room["curves"] = policies, 0, 0
    rows = blank(game.outcome, 8)
    play_batch(record, room[0], np.uint64(3), np.int64(0), rows, np.empty(0, np.int32))
    assert all((rows[column] == clean[column]).all() for column in rows.dtype.names)
    assert record.tobytes() == unplayed


@every_player
def test_every_game_is_counted_once(name, player):
    seats = table(name, player)
    games = simulate(rules_for(name, *seats), *seats, games=64, seed=2)
    value = dict(measure(games).select("metric", "value").iter_rows())
    assert sum((games["winner"] == winner).sum() for winner in WINNERS) == 64
    assert value["first_win"] + value["second_win"] + value["draw"] == 1  # of 64: exact in binary
    assert value["cap_rate"] * 64 == games["capped"].sum()


# --- policies worth their names -----------------------------------------------------------------


@cache
def wins(name, player, other, seats=SEATS):
    """The share of games that `player` wins, half of them in each seat."""
    rules, options = load_rules(name), {"games": seats // 2, "seed": 11, "jobs": 2}
    first = simulate(rules, player, other, **options)["winner"]
    second = simulate(rules, other, player, **options)["winner"]
    return ((first == "first").sum() + (second == "second").sum()) / seats


@pytest.mark.parametrize(
    ("name", "player"), [(name, player) for name in GAMES for player in own_policies(name)[1]]
)
def test_an_archetype_beats_random_play(name, player):
    """At the table; where a game has an opponent of its own, in what is reached against it."""
    random, opponent = own_policies(name)[0], load_game(name).pair[1]
    if opponent == random:
        assert wins(name, player, random) >= 0.9
        return
    rules = load_rules(name)
    games = [simulate(rules, one, opponent, SEATS, seed=11, jobs=2) for one in (random, player)]
    worse, better = (measure_one(frame, FIRST_SCORE, rules=rules) for frame in games)
    assert worse.high < better.low


@pytest.mark.parametrize(
    ("name", "player"),
    [(name, player) for name in GAMES if strong(name) for player in own_policies(name)[1]],
)
def test_search_beats_an_archetype(name, player):
    inner = own_policies(name)[1][0]
    assert wins(name, f"search:playouts=800,inner={inner}", player, SEARCHED) >= 0.6


@every_game
def test_three_archetypes_are_each_beaten_by_another(name):
    beaten = set()
    for a, b in combinations(own_policies(name)[1], 2):
        difference = wins(name, a, b) - wins(name, b, a)
        if abs(difference) > 0.1:  # far more than luck even in 400 games
            beaten.add(b if difference > 0 else a)
    assert len(beaten) >= 3


@every_game
def test_mirrors_are_not_one_game_many_times(name):
    random, (archetype, *_) = own_policies(name)
    for player, least in ((random, 990), (archetype, 900)):
        histories = simulate(load_rules(name), player, player, games=1000, jobs=4)["history"]
        assert histories.n_unique() >= least, player
