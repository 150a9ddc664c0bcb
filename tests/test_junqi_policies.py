"""How the named policies of junqi set up, move and mind the clock (README 9)."""

import pytest

from lab.catalog import load_game, load_rules
from lab.games.junqi.formations import FORMATIONS
from lab.games.junqi.state import SETUP
from lab.metrics import FIRST_SCORE
from lab.play import Players, Position, trace
from lab.selfplay import simulate
from tests.seats import own

GAME, RULES = load_game("junqi"), load_rules("junqi")
GAMES = 400
ARCHETYPES = [name for name in own("junqi") if name != "random"]
CALM = "temperature=0"


def at(pieces, **changes):
    """A position of these pieces, White to move; `changes` such as board_center_rail=True."""
    new = {f"/{key.replace('_', '/', 1)}": value for key, value in changes.items()}
    position = Position(GAME, RULES.override(new))
    position.read(f"{pieces} turn=w quiet=0")
    return position


def choice(position, text):
    """What a policy does here."""
    players = Players(GAME, position.record, GAME.policy_rows(text, text))
    return GAME.view.action_text(position.record, players.action(position.state))


def play(first, second, rules=RULES):
    return simulate(rules, first, second, GAMES, seed=9)


def score(player, other):
    """What a player gets in both seats against another, 0 to 1."""
    first = FIRST_SCORE.value(play(player, other)).mean()
    second = FIRST_SCORE.value(play(other, player)).mean()
    return (first + 1 - second) / 2


# --- the set-up ---------------------------------------------------------------------------------


def set_up(text, index, rules=RULES):
    """Where everybody stands before and after the set-up, and what was done in it."""
    position, actions, _ = trace(GAME, rules, text, text, 5, index)
    before, said = standing(position), []
    for action in actions:
        if position.state["phase"] != SETUP:
            break
        said.append(GAME.view.action_text(position.record, action))
        position.play(action)
    return before, standing(position), said


def standing(position):
    """Node to kind, for each side."""
    pieces = [word.partition(":")[0] for word in position.text().split() if "@" in word]
    return {
        side: {piece[3:]: piece[1] for piece in pieces if piece[0] == side} for side in ("w", "b")
    }


def wanted(name):
    """The same as a formation has it: Black's is White's, turned by half a round."""
    rows = FORMATIONS[name]
    white = {
        f"{column}{number}": kind
        for number, row in enumerate(rows, 1)
        for column, kind in zip("ABCDE", row, strict=True)
        if kind != "."
    }
    turned = dict(zip("ABCDE", "EDCBA", strict=True))
    black = {f"{turned[node[0]]}{13 - int(node[1:])}": kind for node, kind in white.items()}
    return {"w": white, "b": black}


@pytest.mark.parametrize("name", FORMATIONS)
def test_both_seats_reach_a_formation_to_the_last_piece(name):
    for index in range(3):
        _, after, said = set_up(f"greedy:setup={name}", index)
        assert after == wanted(name)
        assert len(said) <= 2 * 25


def test_of_a_formation_as_much_as_fits_is_played():
    rules = RULES.override({"/count/bomb": 0, "/count/platoon": 5})
    _, after, _ = set_up("greedy:setup=corner", 0, rules)
    for side, places in wanted("corner").items():
        assert all(after[side][node] in (kind, "2") for node, kind in places.items())


def test_a_drawn_set_up_is_left_as_it_is():
    for text in ("greedy", "greedy:setup=corner,ban=swap"):
        before, after, said = set_up(text, 0)
        assert before == after
        assert said == ["ready", "ready"]


def test_who_is_too_slow_plays_the_set_up_that_was_drawn():
    before, after, said = set_up("hurried:setup_s=200", 0)
    assert before == after
    assert said == ["timed", "ready", "timed", "ready"]


# --- the clock and offers -----------------------------------------------------------------------


def test_hurried_is_late_at_times_and_offers_draws():
    games = play("hurried", "greedy:setup=corner")
    assert 0.05 < games["first_late"].mean() < 1
    assert games["first_offers"].sum() > 0
    assert games["second_late"].sum() == games["second_offers"].sum() == 0


def test_the_less_time_the_later():
    late = [
        play("hurried", "greedy", RULES.override({"/clock/ply": s}))["first_late"].mean()
        for s in (60, 30, 20)
    ]
    assert late == sorted(late)
    assert late[0] < late[-1]


def test_who_needs_no_time_is_never_late_and_may_offer():
    games = play("hurried:think=0,drop=10000", "hurried:think=0", RULES.override({"/clock/ply": 5}))
    assert games["first_late"].sum() == games["second_late"].sum() == 0
    assert not games["ending"].cast(str).is_in(["late", "away"]).any()
    assert games["first_offers"].sum() > 0


def test_who_is_away_for_long_loses():
    games = play("hurried:drop=10000,back=300", "greedy")
    assert (games["ending"].cast(str) == "away").all()
    assert (games["winner"].cast(str) == "second").all()


def test_offers_are_accepted_from_so_many_quiet_plies_on():
    def agreed(accept):
        games = play("hurried:offer=10", f"greedy:accept={accept}")
        return (games["ending"].cast(str) == "agreed").mean()

    assert agreed(1) > agreed(15) > agreed(0) == 0


@pytest.mark.parametrize(
    ("ban", "never"),
    [
        ("late", {"late"}),
        ("leave", {"away"}),
        ("offer", {"offer"}),
        ("timed", {"late", "away", "offer"}),
    ],
)
def test_what_is_banned_is_not_done(ban, never):
    games = play(f"hurried:offer=5,drop=300,back=50,ban={ban}", "greedy")
    done = {
        "late": games["first_late"].sum() > 0,
        "away": (games["ending"].cast(str) == "away").any(),
        "offer": games["first_offers"].sum() > 0,
    }
    assert {what for what, it_was in done.items() if not it_was} >= never


# --- moves --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARCHETYPES)
def test_a_known_flag_is_taken(name):
    pieces = "w9@C12 w2@A1 wF@B1 bF@B12:F b2@E7"
    assert choice(at(pieces), f"{name}:{CALM}") == "C12-B12"


@pytest.mark.parametrize("name", ARCHETYPES)
def test_an_empty_headquarters_is_not_entered_without_need(name):
    here = at("w5@A1 wF@D1 b2@E7:2")
    assert choice(here, f"{name}:{CALM},loss=0,camp=0") == "A1-B1"  # the first of equal moves
    assert choice(here, f"{name}:{CALM}") == "A1-A2"
    free = at("w5@A1 wF@D1 b2@E7:2", board_headquarters_hold=False)
    assert choice(free, f"{name}:{CALM}") == "A1-B1"


def test_engineers_are_preferred_for_what_may_be_a_mine():
    pieces = "w1@A10 w9@E10 wF@B1 bM@A11:1-9XM bM@E11:1-9XM bF@D12 b2@C7:2"
    assert choice(at(pieces), f"attacker:{CALM},mines=2000") == "A10-A11"
    assert choice(at(pieces), f"attacker:{CALM},mines=-2000") != "A10-A11"


def test_a_certain_mine_is_for_the_engineer_alone():
    def attacks(piece):
        here = at(f"w{piece}@A10 wF@B1 bM@A11:M bF@D12:F b2@C7")
        return choice(here, f"attacker:{CALM},advance=0") == "A10-A11"

    assert attacks(1)
    assert not attacks(9)


def test_a_weaker_piece_is_taken_and_a_stronger_one_is_let_be():
    def attacks(other):
        return choice(at(f"w5@A8 wF@B1 b{other}@A9:{other} bF@D12:F"), f"greedy:{CALM}") == "A8-A9"

    assert [attacks(other) for other in (4, 6)] == [True, False]


# --- who beats whom -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARCHETYPES)
def test_beats_random_play_in_nine_games_of_ten(name):
    assert score(name, "random") > 0.9


def test_who_dares_beats_who_is_cautious():
    for name in ("greedy", "attacker", "fortress"):
        assert 0.53 < score(name, "cautious") < 0.75


@pytest.mark.parametrize("name", ARCHETYPES)
def test_no_seat_is_better_in_a_mirror(name):
    assert FIRST_SCORE.value(play(name, name)).mean() == pytest.approx(0.5, abs=0.1)
