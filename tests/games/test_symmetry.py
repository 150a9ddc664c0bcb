"""A game under other names is the same game: no rule knows a cell or a seat by its number."""

from itertools import cycle, islice, product
from random import Random

import pytest

from lab.catalog import GAMES, load_game, load_rules
from lab.document import bounds
from lab.play import Position, trace
from tests.games import relabel
from tests.games.test_reference import columns
from tests.rulesets import draw_rules, shortened

every_game = pytest.mark.parametrize("name", GAMES)


DRAWN = 12
"""Drawn rules besides the variants: only on strange boards do all orders show."""


def variants(name):
    """The shipped rules, and those with each other choice and switch."""
    rules = load_rules(name)
    yield rules
    for pointer, value in rules.pointers().items():
        choices = bounds(type(rules.document), pointer)
        if isinstance(value, bool | str):
            yield from (rules.override({pointer: other}) for other in choices if other != value)


def drawn(name):
    for number in range(DRAWN):
        new = draw_rules(load_game(name).document, Random(number))
        yield load_rules(name).override({f"/{key}": value for key, value in new.items()})


@every_game
def test_a_relabelled_game_is_the_same_game(name):
    game = load_game(name)
    pairs = cycle(enumerate(product(game.policies, repeat=2)))
    for rules in (*variants(name), *drawn(name)):
        for relabelling in getattr(relabel, name)(shortened(rules)):
            for index, seats in islice(pairs, 2):
                compare(game, relabelling, seats, index)


def compare(game, relabelling, seats, index):
    """One game of two policies, stepped under both names."""
    here, actions, _ = trace(game, relabelling.here, *seats, 13, index)
    there = Position(game, relabelling.there)
    there.read(relabelling.position(here.text()))
    for action in actions:
        assert there.text() == relabelling.position(here.text())
        legal = {relabelling.action(game.view.action_text(here.record, a)) for a in here.legal()}
        assert {game.view.action_text(there.record, a) for a in there.legal()} == legal
        text = relabelling.action(game.view.action_text(here.record, action))
        here.play(action)
        there.play(game.view.parse_action(there.record, text))
    row = relabelling.row(columns(game, here.outcome))
    assert row.items() <= columns(game, there.outcome).items()
