"""A game under other names is the same game: no rule knows a cell or a seat by its number."""

from contextlib import suppress
from itertools import cycle, islice
from random import Random

import pytest

from lab.catalog import GAMES, load_game, load_rules
from lab.document import bounds
from lab.errors import BadInput
from lab.play import Position, trace
from tests.games import relabel
from tests.games.test_reference import columns
from tests.rulesets import draw_rules
from tests.seats import fit, pairs

every_game = pytest.mark.parametrize("name", GAMES)


DRAWN = 12
"""Drawn rules besides the variants: only on strange boards do all orders show."""


def variants(name):
    """The shipped rules, and those with each other choice and switch."""
    rules = load_rules(name)
    yield rules
    for pointer, value in rules.pointers().items():
        choices = bounds(type(rules.document), pointer)
        for other in choices if isinstance(value, bool | str) else ():
            with suppress(BadInput):  # a choice that asks for other numbers too
                if other != value:
                    yield rules.override({pointer: other})


def drawn(name):
    for number in range(DRAWN):
        new = draw_rules(load_game(name).document, Random(number))
        yield load_rules(name).override({f"/{key}": value for key, value in new.items()})


@every_game
def test_a_relabelled_game_is_the_same_game(name):
    game = load_game(name)
    tables = cycle(enumerate(pairs(name)))
    for rules in (*variants(name), *drawn(name)):
        for relabelling in getattr(relabel, name)(rules):
            fitting = (table for table in tables if fit(rules, table[1]))
            for index, seats in islice(fitting, 2):
                compare(game, relabelling, seats, index)


def compare(game, relabelling, seats, index):
    """One game of two policies, stepped under both names."""
    here, actions, _ = trace(game, relabelling.here, *seats, 13, index)
    there = Position(game, relabelling.there)
    texts = [game.view.action_text(here.record, action) for action in actions]
    parts = relabelling.parts(texts)
    for action in actions[: min(parts[0]) if parts else len(actions)]:
        here.play(action)
    relabelling.carry(here.record, there.record)
    there.read(relabelling.position(here.text()))
    for part in parts:
        assert there.text() == relabelling.position(here.text())
        middle = part[len(part) // 2]  # long lists are compared once in each part
        for i in sorted(part):
            if i == middle:
                legal = {relabelling.action(text) for text in legal_texts(here)}
            here.play(actions[i])
        for i in part:
            if i == middle:
                assert set(legal_texts(there)) == legal
            there.play(game.view.parse_action(there.record, relabelling.action(texts[i])))
    row = relabelling.row(columns(game, here.outcome))
    assert row.items() <= columns(game, there.outcome).items()


def legal_texts(position):
    return [position.game.view.action_text(position.record, a) for a in position.legal()]
