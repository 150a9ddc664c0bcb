"""The kernels play what the plain reference plays, position by position, whatever the rules."""

import os
import re
from importlib import import_module
from random import Random

import pytest

from lab.catalog import GAMES, load_game, load_rules
from lab.document import bounds
from lab.game import WINNERS
from lab.jsonfile import leaves
from lab.play import Position, trace
from tests.rulesets import draw_rules
from tests.seats import drawn

PROOF = 10 if os.environ.get("LAB_PROOF") else 1
USUAL = 500
"""Games to compare, unless the reference is slow and says in `GAMES` how many it has time for."""
EACH = 5
"""Games under each of the drawn rules."""
LONG = 100
"""Of longer lists of legal actions one in ten is compared: they would take most of the time."""
DRAWN = 300
"""Drawn rules that together reach every end: some ends leave other numbers little room."""

NUMBERS = re.compile(r"[-\d,]+")

every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_kernel_is_the_reference(name):
    game, oracle = load_game(name), import_module(f"tests.reference.{name}")
    endings = []
    for number in range(getattr(oracle, "GAMES", USUAL) * PROOF // EACH):
        rng = Random(f"{name} {number}")
        new = draw_rules(game.document, rng)
        rules = load_rules(name).override({f"/{key}": value for key, value in new.items()})
        for i in range(EACH):
            where = f"game {i} under the rules drawn from {name} {number}"
            if rng.random() < 0.5:
                endings.append(wander(game, rules, oracle.Reference, rng, where))
            else:
                endings.append(follow(game, rules, oracle.Reference, rng, where))
    print(name, {ending: endings.count(ending) for ending in game.endings})
    rare = getattr(oracle, "RARE", set())
    assert set(endings) | rare == set(game.endings) - oracle.UNREACHABLE


def wander(game, rules, oracle, rng, where):
    """A game in which the reference chooses: at random, with a taste for some kinds of action.

    It may say in `TASTE` what it likes to do, where some endings would be too rare else.
    """
    position, plies = Position(game, rules, rng.getrandbits(32)), 0
    taste = dict(getattr(oracle, "TASTE", {}))
    reference = oracle(rules.document.model_dump(), position.text())
    while not reference.over:
        both_play(position, reference, choose(reference, taste, rng), rng, where)
        plies += 1
    return compare_ends(position, reference, position.outcome, plies, where)


def choose(reference, taste, rng):
    """One of the legal actions; what a kind of them is liked is drawn when it is first met."""
    choices = sorted(reference.legal())
    kinds = [NUMBERS.sub("", choice) for choice in choices]
    for kind in dict.fromkeys(kinds):
        taste.setdefault(kind, rng.choice([0.05, 1, 1, 5]))
    return rng.choices(choices, [taste[kind] for kind in kinds])[0]


def follow(game, rules, oracle, rng, where):
    """A game that two of the game's own policies play, who know how to come to blows."""
    players = drawn(rules, rng)
    position, actions, rows = trace(game, rules, *players, rng.getrandbits(32), 0)
    reference = oracle(rules.document.model_dump(), position.text())
    for action in actions:
        text = game.view.action_text(position.record, action)
        both_play(position, reference, text, rng, where)
    return compare_ends(position, reference, rows[0], len(actions), where)


def both_play(position, reference, action, rng, where):
    """Compare the position and what is legal in it, then play on; now and then from its text."""
    view, record, text = position.game.view, position.record, position.text()
    assert text == reference.text(), where
    legal = position.legal()
    if len(legal) <= LONG or rng.random() < 0.1:
        told = sorted(view.action_text(record, order) for order in legal)
        assert told == sorted(reference.legal()), where
    if rng.random() < 0.1:
        position.read(text)
    reference.play(action)
    position.play(view.parse_action(record, action))


def compare_ends(position, reference, outcome, plies, where):
    assert position.text() == reference.text(), where
    assert position.legal() == [], where
    row = reference.row()
    assert columns(position.game, outcome) | {"plies": plies} == row, where
    return row["ending"]


def columns(game, outcome):
    """An outcome's row as the reference tells it."""
    row = {}
    for name in game.outcome.names:
        value = outcome[name].tolist()
        if isinstance(value, list):
            row |= {f"first_{name}": value[0], f"second_{name}": value[1]}
        elif not name.startswith("_") and name not in ("game", "history"):
            row[name] = value
    return row | {"winner": WINNERS[row["winner"]], "ending": game.endings[row["ending"]]}


@every_game
def test_draws_reach_every_choice_and_both_ends_of_every_range(name):
    model = load_game(name).document
    seen = {}
    for number in range(DRAWN):
        for pointer, value in leaves(draw_rules(model, Random(number))).items():
            if value != []:  # an empty list is a leaf too
                any_row = re.sub(r"/\d+", "/0", pointer)
                seen.setdefault(any_row, set()).add(value)
    for pointer, values in seen.items():
        assert set(bounds(model, pointer)) <= values, pointer
