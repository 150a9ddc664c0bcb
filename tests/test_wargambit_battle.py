"""Battles of the kernel are those of the plain reference, move by move, whatever the rules."""

import os
from collections import Counter
from random import Random
from typing import get_args

import pytest

from lab.catalog import load_rules
from lab.games.wargambit.arena import Arena
from lab.games.wargambit.battle import key_of
from lab.games.wargambit.rules import PIECES as KINDS
from lab.games.wargambit.rules import Moves
from tests.gambit import TURNED, arena_of, mirrored
from tests.reference.wargambit_battle import Position, battle
from tests.reference.wargambit_positions import (
    PIECES,
    RULES,
    army,
    drawn_rules,
    picture,
    positions,
    start,
    walk,
)

BATTLES = 3_000 if os.environ.get("LAB_PROOF") else 300
ENDINGS = {"mate", "stalemate", "repetition", "quiet", "cap"}
WORDS = get_args(Moves)
PLACES = [file + rank for rank in "12" for file in "abcdefgh"]


def drawn(number):
    """Rules and a first position: two armies on their squares, or the middle or end of a walk."""
    rng = Random(f"battle {number}")
    rules = drawn_rules(rng, WORDS)
    position = start(rules, rng)
    if rng.random() < 0.5:
        walked = list(walk(rules, rng, position))
        position = rng.choice([rng.choice(walked), walked[-1]])
    return rules, position


OTHER = {"first": "second", "second": "first", "draw": "draw"}


def told(fought):
    """What the kernel's battle says, as the reference puts it."""
    return fought.moves, fought.ending, fought.winner, fought.left


def test_kernel_fights_the_battles_of_the_reference():
    endings = Counter()
    for number in range(BATTLES):
        rules, position = drawn(number)
        expected, fen, arena = battle(rules, position), position.fen(), arena_of(rules)
        assert told(arena.battle(fen)) == expected[:4], (number, fen)
        if number % 10 == 0:  # nothing is left behind
            assert told(arena.battle(fen)) == expected[:4], (number, fen)
        endings[expected.ending] += 1
    print(dict(endings))
    assert set(endings) == ENDINGS


def test_armies_line_up_as_the_reference_has_them():
    """7.2 and 7.3: mirrored, with their rights to castle, and who moves first."""
    for number in range(BATTLES // 3):
        rng = Random(f"armies {number}")
        rules = drawn_rules(rng, WORDS) | {"synergies": []}
        pictures = [picture(army(rng.randint(0, 15), rng, PIECES), rng) for _ in range(2)]
        on_rows = [{s[0] + min(s[1], "2"): piece for s, piece in p.items()} for p in pictures]
        both_line_up(rules, on_rows, rng.randint(1, 16))


@pytest.mark.parametrize("first_move", ["player", "ghost", "lower_value", "alternate"])
@pytest.mark.parametrize(
    "pictures",
    [
        [{"e2": "cannon"}, {"e2": "cannon"}],  # both kings are attacked
        [{"e2": "cannon", "a2": "queen"}, {"e2": "cannon"}],
        [{"e2": "rook"}, {"d2": "queen"}],
        [{"d2": "queen"}, {"e2": "rook"}],
    ],
)
def test_attacked_kings_move_first(first_move, pictures):
    rules = RULES | {"battle": RULES["battle"] | {"first_move": first_move}, "synergies": []}
    for turn in (1, 2):
        both_line_up(rules, pictures, turn)


def both_line_up(rules, pictures, turn):
    position = Position.start(rules, *pictures, turn)
    armies = [[list(p.values()).count(kind) for kind in KINDS] for p in pictures]
    words = [
        sum(KINDS.index(kind) + 1 << 4 * PLACES.index(s) for s, kind in p.items()) for p in pictures
    ]
    fought = arena_of(rules).clash(*armies, *words, turn)
    assert fought.positions[0] == position.fen(), pictures
    assert fought.positions[-1] == battle(rules, position).fen, pictures
    assert told(fought) == battle(rules, position)[:4], pictures


def word_of(picture):
    """A placement as the lab packs it."""
    return sum(KINDS.index(kind) + 1 << 4 * PLACES.index(s) for s, kind in picture.items())


def test_positions_that_differ_have_different_keys():
    """Else a battle would end by a repetition that is none."""
    arena, known = Arena(load_rules("wargambit")), {}
    swapped = [
        "4k3/8/8/3R4/3b4/8/8/4K3 w - - 0 1",
        "4k3/8/8/3b4/3R4/8/8/4K3 w - - 0 1",
        "4k3/8/8/3b4/3R4/8/8/4K3 b - - 0 1",
    ]
    met = [Position.read(RULES, fen) for fen in swapped]
    met += [position for _, position in positions(3 * BATTLES, lambda rng: RULES)]
    for position in met:
        key = int(key_of(arena.board(position.fen())))
        assert known.setdefault(key, position.key()) == position.key(), position.fen()


def test_mirrored_positions_give_mirrored_battles():
    """Where the order is the mover's."""
    for number in range(BATTLES // 3):
        rules, position = drawn(number)
        rules["battle"]["order"] = "mover"
        arena, fen = arena_of(rules), position.fen()
        one, other = arena.battle(fen), arena.battle(mirrored(fen))
        assert other.moves == [uci.translate(TURNED) for uci in one.moves], fen
        assert (other.ending, other.winner) == (one.ending, OTHER[one.winner]), fen
        assert other.left == one.left[::-1], fen


def test_board_order_favours_a_colour():
    """So the order of the rules file says whose view counts."""
    rules = RULES | {"battle": RULES["battle"] | {"order": "board"}}
    fen = "4k3/p6p/8/8/8/8/P6P/4K3 b - - 0 1"
    assert arena_of(rules).battle(fen).moves[0] == "a7a5"
    assert arena_of(RULES).battle(fen).moves[0] == "a7a6"
