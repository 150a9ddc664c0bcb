"""Policies as text: what they mean, and that every mistake is one line that helps."""

import pytest

from lab.catalog import GAMES, load_game, load_rules
from lab.errors import BadInput
from lab.play import play_rows
from tests import toygame

ANTS = load_game("ants")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "policy '': found '', expected one of search, random"),
        ("rsh", "did you mean 'rush'?"),
        ("rush:", "policy 'rush:': found '', expected key=value"),
        ("rush:spread=1,", "found '', expected key=value"),
        ("rush:spread", "found 'spread', expected key=value"),
        ("rush:ban=gathr", "found ban=gathr"),
        ("rush:ban=gathr", "did you mean 'gather'?"),
        ("rush:ban=", "found ban=, expected one of worker"),
        ("rush:ban=end", "found ban=end, expected one of worker"),
        ("rush:sprd=1", "found option 'sprd'"),
        ("rush:sprd=1", "did you mean 'spread'?"),
        ("rush:playouts=5", "found option 'playouts', expected one of temperature"),
        ("search:spread=5", "found option 'spread', expected one of playouts, inner, ban"),
        ("rush:spread=", "found spread=, expected a whole number 0 to 100"),
        ("rush:spread=1,spread=1", "found option 'spread' twice, expected each option once"),
        ("rush:spread=101", "found spread=101, expected a whole number 0 to 100"),
        ("rush:spread=1.5", "expected a whole number 0 to 100"),
        ("rush:spread=--5", "expected a whole number 0 to 100"),
        ("rush:temperature=-1", "expected a whole number 0 to 10000"),
        ("rush:worker=x", "expected a whole number -10000 to 10000"),
        ("search:playouts=0", "found playouts=0, expected a whole number 1 to 1000000"),
        ("search:playouts=" + "9" * 5000, "expected a whole number 1 to 1000000"),
        ("search:inner=rsh", "did you mean 'rush'?"),
        ("search:inner=", "policy '': found ''"),
        ("search:inner=search", "found inner=search, expected a policy that does not search"),
        ("search:inner=rush:ban=gathr", "did you mean 'gather'?"),
    ],
)
def test_a_mistake_is_one_line(text, problem):
    with pytest.raises(BadInput) as error:
        ANTS.policy_rows("random", text)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_options_are_read():
    inner = "search:playouts=7,ban=gather+destroy,inner=rush:spread=3;worker=-2"
    rows = ANTS.policy_rows(inner, "economy:temperature=9")
    kinds = ANTS.action_kinds
    assert rows[0]["playouts"] == 7
    assert rows[0]["banned"] == 1 << kinds.index("gather") | 1 << kinds.index("destroy")
    assert rows[0]["inner"] == 2
    assert rows[2]["spread"] == 3
    assert rows[2]["weights"][ANTS.weights.index("worker")] == -2
    preset = ANTS.policies["economy"].weights
    assert rows[1]["temperature"] == 9
    assert rows[1]["weights"].tolist() == [preset.get(name, 0) for name in ANTS.weights]


def test_a_swapped_pair_keeps_its_minds():
    there, back = ANTS.policy_rows("rush", "search"), ANTS.policy_rows("search", "rush")
    assert there["key"][:2].tolist() == back["key"][1::-1].tolist()


def test_two_equal_policies_have_streams_of_their_own():
    twins = ANTS.policy_rows("rush", "rush")
    assert twins[0]["key"] != twins[1]["key"]
    assert twins[0]["key"] == ANTS.policy_rows("rush", "random")[0]["key"]


# --- bans ---------------------------------------------------------------------------------------


def kinds_played(game, rules, policy, games):
    """Names of the kinds of all actions in the logs of a policy's games against itself."""
    record, policies = game.record(rules), game.policy_rows(policy, policy)
    kinds = set()
    for index in range(games):
        rows, _, log = play_rows(game, record, policies, 5, index, 1, 4_000)
        kinds |= {int(game.kernels.kind_of(None, action)) for action in log[: rows["plies"][0]]}
    return {game.action_kinds[kind] for kind in kinds}


@pytest.mark.parametrize("policy", ANTS.policies)
@pytest.mark.parametrize("banned", ["worker+gather+reinforce", "soldier+place+destroy"])
def test_a_ban_is_obeyed(policy, banned):
    kinds = kinds_played(ANTS, load_rules("ants"), f"{policy}:ban={banned}", 200)
    assert not kinds & set(banned.split("+"))
    assert len(kinds) > 1


@pytest.mark.parametrize("policy", [name for name in ANTS.policies if name != "random"])
def test_every_kind_is_played_while_nothing_is_banned(policy):
    assert kinds_played(ANTS, load_rules("ants"), policy, 20) == set(ANTS.action_kinds)


@pytest.mark.parametrize("policy", ["random:", "greedy:", "search:playouts=20,"])
def test_a_ban_is_obeyed_in_any_game(policy):
    rules = toygame.rules(heap=20, under=3)
    for banned in ("two", "three", "two+three"):
        kinds = kinds_played(toygame.GAME, rules, f"{policy}ban={banned}", 200)
        assert kinds <= {"one", "two", "three"} - set(banned.split("+"))
    if not policy.startswith("greedy"):
        assert kinds_played(toygame.GAME, rules, policy.strip(":,"), 20) == {"one", "two", "three"}


def test_a_preset_names_only_weights_the_game_has():
    for preset in ANTS.policies.values():
        assert set(preset.weights) <= set(ANTS.weights)


def test_a_search_plays_only_as_policies_of_its_own_kind():
    game = load_game("wargambit")
    with pytest.raises(
        BadInput, match=r"inner=ghost, expected one of random, greedy, .*seek_cannon"
    ):
        game.policy_rows("random", "search:inner=ghost")
    assert game.policy_rows("search:inner=saver", "ghost")[0]["kind"] == 0


def test_clocks_are_counted_in_the_plural():
    assert [load_game(name).clocks for name in GAMES] == ["rounds", "days", "rounds", "plies"]
