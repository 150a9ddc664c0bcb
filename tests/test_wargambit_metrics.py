"""The measures that only Wargambit has, on a table a person can check by eye."""

import numpy as np
import polars as pl
import pytest

from lab.catalog import load_game, load_rules
from lab.metrics import metrics_of
from lab.selfplay import simulate

GAME = load_game("wargambit")
NAN = float("nan")
GAMES = pl.DataFrame(
    {
        "ending": ["clear", "out", "out", "mate"],
        "length": [10, 3, 10, 1],
        "won": [6, 0, 5, 1],
        "lost": [3, 2, 5, 0],
        "drawn": [1, 1, 0, 0],
        "mates": [2, 0, 1, 1],
        "stalemates": [0, 0, 1, 0],
        "repetitions": [7, 3, 8, 0],
        "quiets": [0, 0, 0, 0],
        "caps": [1, 0, 0, 0],
        "moves": [300, 30, 250, 7],
        "damage": [9, 20, 20, 0],
        "first_hp": [11, 0, 0, 0],
        "first_gold": [2, 5, 0, 0],
        "first_bought": [15, 2, 9, 0],
        "first_bonus": [10, 0, 3, 0],
        "second_left": [12, 4, 80, 3],
    },
    schema_overrides={"ending": pl.Enum(GAME.endings)},
)
"""A run that comes through, two that do not, a duel."""


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("clear", [1, 0, 0, NAN]),
        ("survived", [10, 2, 9, NAN]),
        ("hp", [11, 0, 0, NAN]),
        ("damage", [9, 20, 20, NAN]),
        ("bought", [15, 2, 9, NAN]),
        ("unspent", [2, 5, 0, NAN]),
        ("bonus", [10, 0, 3, NAN]),
        ("battles_won", [0.6, 0, 0.5, 1]),
        ("battles_lost", [0.3, 2 / 3, 0.5, 0]),
        ("battles_drawn", [0.1, 1 / 3, 0, 0]),
        ("mates", [0.2, 0, 0.1, 1]),
        ("stalemates", [0, 0, 0.1, 0]),
        ("repetitions", [0.7, 1, 0.8, 0]),
        ("caps", [0.1, 0, 0, 0]),
        ("moves", [30, 10, 25, 7]),
        ("second_left", [12, 4, 80, 3]),
    ],
)
def test_values(name, values):
    np.testing.assert_allclose(metrics_of(GAME)[name].value(GAMES), values)


@pytest.mark.parametrize("players", [GAME.pair, ("random", "swarm"), ("army:q", "army:8p 3r")])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"/income/first": 30, "/shop/reroll": 2, "/shop/top_level": 5, "/army/pieces": 3},
        {"/run/hp": 1, "/damage/most": 100, "/battle/ply_cap": 1},
        {"/income/first": 0, "/income/most": 0, "/synergies/4/needs/0/count": 1},
    ],
)
def test_games_stay_inside_the_bounds(players, changes):
    rules = load_rules("wargambit").override(changes)
    games = simulate(rules, *players, games=40, seed=4)
    for metric in GAME.metrics:
        values, (low, high) = metric.value(games), metric.bounds(rules)
        assert values.shape == (40,)
        inside = values[~np.isnan(values)]
        assert ((inside >= low) & (inside <= high)).all(), metric.name
