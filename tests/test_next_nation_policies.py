"""What the archetypes of NEXT NATION are good for, under both of its published rule sets."""

import os
from itertools import combinations

import pytest

from lab.catalog import load_game, load_rules
from lab.metrics import FIRST_SCORE
from lab.selfplay import simulate

SEEDS = 200 if os.environ.get("LAB_PROOF") else 40
RULES = ("2026-qualifier", "2026-final")
ARCHETYPES = [name for name in load_game("next_nation").policies if name != "random"]
CONTEST = ("economy", "macro", "timing")
"""Nobody of them is hopeless against another one."""

each_rules = pytest.mark.parametrize("version", RULES)


def play(version, first, second, games=SEEDS):
    return simulate(load_rules("next_nation", version), first, second, games, seed=1)


def score(version, player, other):
    """What a player gets in both seats against another, 0 to 1."""
    first = FIRST_SCORE.value(play(version, player, other)).mean()
    second = FIRST_SCORE.value(play(version, other, player)).mean()
    return (first + 1 - second) / 2


@each_rules
@pytest.mark.parametrize("player", ARCHETYPES)
def test_beats_random_play_in_nearly_every_seat(version, player):
    won = (play(version, player, "random")["winner"] == "first").sum()
    won += (play(version, "random", player)["winner"] == "second").sum()
    assert won >= 0.95 * 2 * SEEDS


@each_rules
def test_three_contend(version):
    for player, other in combinations(CONTEST, 2):
        assert 0.25 <= score(version, player, other) <= 0.75, (player, other)


@each_rules
@pytest.mark.parametrize("player", ARCHETYPES)
def test_no_seat_is_better_in_a_mirror(version, player):
    played = play(version, player, player, 200)
    assert FIRST_SCORE.value(played).mean() == pytest.approx(0.5, abs=0.1)
