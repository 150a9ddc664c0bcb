"""The measures that only Wargambit has, on a table a person can check by eye."""

import numpy as np
import polars as pl
import pytest

from lab.metrics import metrics_of
from lab.selfplay import simulate
from tests.gambit import GAME, opened

NAN = float("nan")
GAMES = pl.DataFrame(
    {
        "ending": ["clear", "out", "out", "mate", "cap"],
        "length": [10, 10, 3, 1, 1],
        "first_hp": [4, 0, 0, 0, 0],
        "first_gold": [7, 0, 2, 0, 0],
        "first_bought": [12, 9, 0, 0, 0],
        "first_spent": [40, 30, 0, 0, 0],
        "first_rerolls": [3, 0, 0, 0, 0],
        "first_levels": [2, 1, 0, 0, 0],
        "first_interest": [20, 0, 1, 0, 0],
        "first_bonus": [5, 0, 0, 0, 0],
        "damage": [16, 20, 20, 0, 0],
        "won": [5, 2, 0, 1, 0],
        "lost": [4, 7, 3, 0, 0],
        "drawn": [1, 1, 0, 0, 1],
        "mates": [6, 2, 0, 1, 0],
        "stalemates": [1, 0, 3, 0, 0],
        "repetitions": [3, 5, 0, 0, 0],
        "quiets": [0, 2, 0, 0, 0],
        "caps": [0, 1, 0, 0, 1],
        "moves": [300, 450, 30, 17, 200],
        "first_army": [45, 30, 0, 9, 22],
        "second_army": [85, 85, 6, 8, 22],
        "first_left": [11, 0, 0, 9, 5],
        "second_left": [0, 40, 6, 1, 5],
    },
    schema_overrides={"ending": pl.Enum(GAME.endings)},
)
"""A run that comes through, two that do not, two duels."""


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("clear", [1, 0, 0, NAN, NAN]),
        ("survived", [10, 9, 2, NAN, NAN]),
        ("hp", [4, 0, 0, NAN, NAN]),
        ("damage", [16, 20, 20, NAN, NAN]),
        ("bought", [12, 9, 0, NAN, NAN]),
        ("spent", [40, 30, 0, NAN, NAN]),
        ("unspent", [7, 0, 2, NAN, NAN]),
        ("rerolls", [3, 0, 0, NAN, NAN]),
        ("levels", [2, 1, 0, NAN, NAN]),
        ("interest", [20, 0, 1, NAN, NAN]),
        ("bonus", [5, 0, 0, NAN, NAN]),
        ("battles_won", [0.5, 0.2, 0, 1, 0]),
        ("battles_lost", [0.4, 0.7, 1, 0, 0]),
        ("battles_drawn", [0.1, 0.1, 0, 0, 1]),
        ("mates", [0.6, 0.2, 0, 1, 0]),
        ("stalemates", [0.1, 0, 1, 0, 0]),
        ("repetitions", [0.3, 0.5, 0, 0, 0]),
        ("quiets", [0, 0.2, 0, 0, 0]),
        ("caps", [0, 0.1, 0, 0, 1]),
        ("moves", [30, 45, 10, 17, 200]),
        ("first_army", [45, 30, 0, 9, 22]),
        ("second_army", [85, 85, 6, 8, 22]),
        ("first_left", [11, 0, 0, 9, 5]),
        ("second_left", [0, 40, 6, 1, 5]),
    ],
)
def test_values(name, values):
    np.testing.assert_array_equal(metrics_of(GAME)[name].value(GAMES), values)


def test_every_measure_is_tried():
    tried = {name for mark in test_values.pytestmark for name, _ in mark.args[1]}
    assert tried == {metric.name for metric in GAME.metrics}


@pytest.mark.parametrize("players", [GAME.pair, ("random", "swarm"), ("army:q", "army:2p r")])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"/income/first": 30, "/shop/reroll": 2, "/shop/top_level": 5, "/army/pieces": 3},
        {"/income/most": 60, "/income/step": 10, "/income/interest_most": 20, "/run/rounds": 16},
        {"/run/hp": 1, "/damage/most": 100, "/battle/ply_cap": 1, "/shop/price/pawn": 30},
        {"/income/first": 0, "/income/most": 0, "/synergies/4/needs/0/count": 1},
    ],
)
def test_games_stay_inside_the_bounds(players, changes):
    rules = opened(changes=changes).rules
    games = simulate(rules, *players, games=40, seed=4)
    for metric in GAME.metrics:
        values, (low, high) = metric.value(games), metric.bounds(rules)
        assert values.shape == (40,)
        inside = values[~np.isnan(values)]
        assert ((inside >= low) & (inside <= high)).all(), metric.name


def test_all_gold_is_earned_and_spent_or_left():
    """README 2: income is 4 5 6 7 8 8 ...; with interest and bonus it pays for all there is."""
    rules = opened(changes={"/run/hp": 100}).rules
    games = simulate(rules, "random", "ghost", games=30, seed=2)

    def total(*names):
        return sum(games[f"first_{name}"].to_numpy().astype(int) for name in names)

    income = np.cumsum([0, 4, 5, 6, 7, *[8] * 6])[games["length"].to_numpy()]
    used = total("spent", "rerolls", "gold") + 4 * total("levels")
    np.testing.assert_array_equal(used, income + total("interest", "bonus"))
