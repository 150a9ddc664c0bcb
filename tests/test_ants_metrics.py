"""The measures that only ants has, on a table a person can check by eye."""

import numpy as np
import polars as pl
import pytest

from lab.catalog import load_game, load_rules
from lab.metrics import metrics_of
from lab.selfplay import simulate

GAMES = pl.DataFrame(
    {
        "ending": ["queen", "double queen", "siege", "cap"],
        "capped": [False, False, False, True],
        "length": [10, 20, 30, 40],
        "decided": [5, 0, 30, 10],
        "first_workers_made": [3, 0, 1, 2],
        "first_soldiers_made": [1, 0, 0, 2],
        "second_territory": [1, 2, 3, 4],
    },
    schema_overrides={"ending": pl.Enum(load_game("ants").endings)},
)
NAN = float("nan")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("queen", [1, 0, 0, 0]),
        ("double_queen", [0, 1, 0, 0]),
        ("siege", [0, 0, 1, 0]),
        ("decided_round", [5, NAN, 30, 10]),
        ("decided", [0.5, NAN, 1, 0.25]),
        ("first_worker_share", [0.75, NAN, 1, 0.5]),
        ("second_territory", [NAN, NAN, NAN, 4]),
    ],
)
def test_values(name, values):
    np.testing.assert_array_equal(metrics_of(load_game("ants"))[name].value(GAMES), values)


@pytest.mark.parametrize("players", [("random", "random"), ("economy", "rush")])
def test_games_stay_inside_the_bounds(players):
    rules = load_rules("ants")
    games = simulate(rules, *players, games=300, seed=4)
    for metric in load_game("ants").metrics:
        values, (low, high) = metric.value(games), metric.bounds(rules)
        assert values.shape == (300,)
        inside = values[~np.isnan(values)]
        assert ((inside >= low) & (inside <= high)).all(), metric.name
