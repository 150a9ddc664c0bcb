"""Who can play whom in the tests of every game."""

from itertools import product
from pathlib import Path

from lab.catalog import load_game
from lab.errors import BadInput
from lab.game import SEARCH

RUN = Path(__file__).parent / "golden" / "wargambit" / "run.json"
EXAMPLES = {
    "wargambit": {
        "army": "army:q r 2n 4p",
        "recorded": f"recorded:{RUN}",
        "greedy": "greedy:placer=castler",
        "swarm": "swarm:placer=random",
        "leveller": "leveller:placer=screened",
        "seek_five": "seek_five:placer=guarded",
        "seek_scouts": "seek_scouts:placer=bait",
    }
}
"""Texts of policies that a bare name does not make, or that show more."""


def players(name):
    """Every policy of a game, searches on a small budget."""
    game = load_game(name)
    searches = {p: f"{p}:playouts=8" for p in game.policy_names() if game.preset(p).kind == SEARCH}
    texts = searches | EXAMPLES.get(name, {})
    return [texts.get(policy, policy) for policy in game.policy_names()]


def own(name):
    """Those of them that do not search."""
    return [text for text in players(name) if not text.startswith("search")]


def pairs(name):
    """Every two of a game's own policies that may meet, as first and second seat."""
    return [seats for seats in product(own(name), repeat=2) if load_game(name).may_meet(*seats)]


def fit(rules, seats):
    """Whether the rules have room for what two policies hold."""
    try:
        load_game(rules.game).policy_rows(*seats, rules)
    except BadInput:
        return False
    return True


def drawn(rules, rng):
    """Two of the game's own policies that may meet and fit the rules."""
    seats = rng.choice(pairs(rules.game))
    return seats if fit(rules, seats) else drawn(rules, rng)


def table(name, player, among=players):
    """The player and the next policy that it may meet: so everybody plays in every seat it can."""
    game, everybody = load_game(name), among(name)
    place = everybody.index(player)
    for other in everybody[place + 1 :] + everybody[: place + 1]:
        for seats in ((player, other), (other, player)):
            if game.may_meet(*seats):
                return seats
    raise LookupError(player)
