"""How the named policies of Wargambit play a run (README 15.1)."""

import pytest

import lab
from lab.catalog import load_rules
from lab.decisions import record
from lab.games.wargambit.archetypes import CEILING
from lab.games.wargambit.rules import PIECES
from lab.play import Players, trace
from tests.gambit import GAME, give, run

RULES = load_rules("wargambit")
TRADES = ("buy", "reroll", "level")
SEEKERS = [name for name in GAME.policy_names() if name.startswith("seek_")]


def choice(position, text):
    """What a policy does here."""
    players = Players(GAME, position.record, GAME.policy_rows(text, "ghost"))
    return GAME.view.action_text(position.record, players.action(position.state))


def army_at_the_end(text, index):
    """How many of each piece a player ends a run against the ghost with."""
    position, actions, _ = trace(GAME, RULES, text, "ghost", 5, index)
    for action in actions:
        position.play(action)
    return dict(zip(PIECES, position.state["army"][0].tolist(), strict=True))


@pytest.mark.parametrize("name", SEEKERS)
def test_a_seeker_gets_its_synergy_in_most_runs(name):
    row = GAME.preset(name).weights["synergy"] - 1
    needs = RULES.document.synergies[row].needs
    armies = [army_at_the_end(name, index) for index in range(40)]
    got = sum(all(army[need.piece] >= need.count for need in needs) for army in armies)
    assert got > 20


def test_what_a_saver_holds_grows_with_the_rounds_up_to_the_ceiling():
    position = run(changes={"/shop/weight/lance": 0})
    for now, gold, does in [(3, 6, "ready"), (3, 9, "buy 1"), (7, 14, "ready"), (7, 23, "buy 1")]:
        position.state["round"] = now
        give(position, "-", gold=gold, hp=20)
        position.state["shop"][0] = PIECES.index("pawn")
        assert choice(position, "saver:level=1") == does
    assert choice(position, f"saver:level=1,hold={CEILING + 9},grow=9") == "ready"


@pytest.mark.parametrize(
    ("hp", "late", "does"), [(10, 0, "buy 1"), (11, 0, "ready"), (11, 3, "buy 1")]
)
def test_a_saver_holds_nothing_late_or_when_hp_are_low(hp, late, does):
    position = run()
    position.state["round"] = 3
    give(position, "-", gold=6, hp=hp)
    position.state["shop"][0] = PIECES.index("pawn")
    assert choice(position, f"saver:late={late}") == does


def test_who_trades_at_random_trades_no_more_once_it_places():
    for index in range(30):
        for decisions in record(RULES, "random:placer=random", "ghost", 3, index)["decisions"]:
            kinds = [words.split()[0] for words in decisions]
            places = kinds.index("place") if "place" in kinds else len(kinds)
            assert not set(kinds[places:]) & set(TRADES)


def test_savers_earn_more_interest_than_who_spends_all():
    paid = {
        text: lab.simulate(RULES, text, "ghost", 200, seed=9)["first_interest"].mean()
        for text in ("saver", "saver:hold=0", "greedy")
    }
    assert paid["saver"] > 1.3 * max(paid["saver:hold=0"], paid["greedy"])


def test_players_play_alike_from_game_to_game_unless_asked():
    assert all(GAME.preset(name).spread == 0 for name in GAME.policy_names())


@pytest.mark.parametrize("text", ["swarm:hold=-9,rerolls=99", "saver:grow=-5,rerolls=99"])
def test_nobody_spends_what_it_does_not_have(text):
    for index in range(5):
        position, actions, _ = trace(GAME, RULES, text, "ghost", 0, index)
        for action in actions:
            position.play(action)
            assert position.state["gold"][0] >= 0
