"""What players of junqi do by the clock, and what they never do when it is forbidden (README 9)."""

import pytest

from lab.catalog import load_game, load_rules
from lab.games.junqi.state import ACTION_KINDS, KIND
from lab.play import Position, trace
from lab.selfplay import simulate
from tests.games.test_reference import columns

GAME, RULES = load_game("junqi"), load_rules("junqi")
ONE_HOME = RULES.override({"/board/headquarters": ["B1", "D12"]})
RASH = "think=1,spread_s=0,drop=10000,back=10000,setup_s=0,temperature=2"
"""It loses the connection at every ply and is long away."""


def kinds_played(*seats, games=6):
    found = set()
    for index in range(games):
        _, actions, _ = trace(GAME, RULES, *seats, 5, index)
        found |= {ACTION_KINDS[action // KIND] for action in actions}
    return found


@pytest.mark.parametrize(
    ("banned", "player"),
    [
        ("leave", f"greedy:{RASH}"),
        ("late", "greedy:think=31,spread_s=0,temperature=2"),
        ("accept", "greedy:think=1,spread_s=0,offer=1,accept=1,temperature=2"),
        ("offer", "greedy:think=1,spread_s=0,offer=1,accept=1,temperature=2"),
        ("timed", "hurried"),
    ],
)
def test_what_is_banned_is_never_played(banned, player):
    assert banned in kinds_played(player, player)
    ban = f"{player}{',' if ':' in player else ':'}ban={banned}"
    assert banned not in kinds_played(ban, ban)


def test_who_is_away_too_long_leaves_at_its_first_ply():
    _, actions, rows = trace(GAME, RULES, f"greedy:{RASH}", "greedy", 5, 0)
    assert columns(GAME, rows[0])["ending"] == "away"
    assert [ACTION_KINDS[action // KIND] for action in actions].count("leave") == 1


def test_a_ply_has_one_time_though_an_offer_is_made_in_it():
    """Half of all plies are late; none is once its offer was made in time."""
    player = "greedy:think=30,spread_s=20,offer=1,temperature=2"
    followed = set()
    for index in range(20):
        _, actions, _ = trace(GAME, RULES, player, "greedy", 5, index)
        kinds = [ACTION_KINDS[action // KIND] for action in actions]
        followed |= {kinds[i + 1] for i, kind in enumerate(kinds[:-1]) if kind == "offer"}
    assert followed == {"play"}


@pytest.mark.parametrize("first", ["late", "A"])
def test_a_flag_that_has_one_place_is_found_after_the_first_ply(first):
    """Whether that ply was a move or passed."""
    position = Position(GAME, ONE_HOME, 3)
    for text in ("timed", "ready", "ready"):
        position.play(GAME.view.parse_action(position.record, text))
    legal = [GAME.view.action_text(position.record, action) for action in position.legal()]
    text = next(text for text in legal if text.startswith(first))
    position.play(GAME.view.parse_action(position.record, text))
    assert position.outcome["found"].tolist() == [1, 1]


@pytest.mark.parametrize(
    "options",
    [
        "think=-10000,offer=1,accept=1,spread_s=-10000",
        "think=-10000,spread_s=10000,offer=1,drop=10000,back=10000",
        "accept=-10000,offer=-10000,drop=-1,back=-1",
        "temperature=10000,spread=100",
        "fight=-10000,loss=10000,flag=-10000,advance=-10000,shy=10000,home=10000,guard=-10000",
    ],
)
def test_odd_weights_play_legal_games(options):
    for policy in ("greedy", "fortress"):
        both = f"{policy}:{options}"
        for index in range(5):
            position, actions, _ = trace(GAME, RULES, both, both, 7, index)
            for action in actions:
                assert action in position.legal()
                position.play(action)


def test_who_thinks_for_less_than_no_time_is_never_late():
    player = "greedy:think=-1,offer=1,drop=10000,back=10000"
    assert not {"late", "leave"} & kinds_played(player, "greedy")


ODD = {
    "no mines": {"/count/mine": 0, "/count/company": 6},
    "no engineers": {"/count/engineer": 0, "/count/company": 6},
    "six bombs and eight mines": {"/count/bomb": 6, "/count/mine": 8, "/count/platoon": 0}
    | {"/count/company": 0, "/count/engineer": 0},
    "one headquarters": {"/board/headquarters": ["B1", "D12"]},
    "no rails": {"/board/rails": []},
    "no camps": {"/board/camps": [], "/count/company": 8},
    "late at once": {"/clock/late_limit": 1},
    "soon quiet": {"/draw/quiet_limit": 10, "/draw/offer_gap": 0},
}


@pytest.mark.parametrize("odd", ODD)
def test_every_player_plays_under_odd_rules(odd):
    rules = RULES.override(ODD[odd])
    for first in ("greedy", "hurried", "random", "search:playouts=4"):
        run = simulate(rules, first, "fortress", games=4, seed=1)
        assert len(run) == 4


@pytest.mark.parametrize("action", ["A11-B12", "A11-A12", "late"])
def test_a_move_refuses_an_offer_also_where_it_ends_the_game(action):
    here = Position(load_game("junqi"), load_rules("junqi"))
    here.read("w9@A11 wF@B1 b3@E12 bF@B12 turn=w quiet=7 ply=20 timed=wb offer=b offered=-/20")
    here.play(here.game.view.parse_action(here.record, action))
    assert "offer=" not in here.text()
