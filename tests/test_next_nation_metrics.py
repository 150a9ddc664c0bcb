"""The measures that only NEXT NATION has, on a table a person can check by eye."""

import numpy as np
import polars as pl
import pytest

from lab.catalog import load_game, load_rules
from lab.games.next_nation.metrics import SPENT
from lab.metrics import metrics_of
from lab.selfplay import simulate

GAME = load_game("next_nation")
NAN = float("nan")
GAMES = pl.DataFrame(
    {
        "winner": ["first", "draw", "second", "draw", "second"],
        "ending": ["HQ destroyed", "HQ destroyed", "day limit", "day limit", "HQ destroyed"],
        "capped": [False, False, True, True, False],
        "length": [40, 10, 200, 200, 41],
        "first_hq_level": [1, 0, 3, 5, 0],
        "second_warrior_days": [80, 10, 700, 0, 41],
        "first_starved": [0, 5, 100, 0, 0],
        "second_starved": [4, 0, 100, 0, 0],
        "first_razed": [1, 0, 0, 2, 0],
        "second_razed": [0, 0, 3, 2, 0],
        "first_spent_build": [300, 0, 500, 0, 0],
        "second_spent_build": [0, 0, 100, 0, 0],
        "first_spent_train": [100, 0, 0, 0, 120],
        "second_spent_train": [0, 0, 200, 0, 120],
    }
    | {
        f"{seat}_spent_{kind}": [0] * 5
        for seat in ("first", "second")
        for kind in SPENT
        if kind not in ("build", "train")
    },
    schema_overrides={"ending": pl.Enum(GAME.endings)},
)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("hq_kill", [1, 1, 0, 0, 1]),
        ("decided_by_hp", [0, 0, 1, 0, 0]),
        ("rush", [1, 1, 0, 0, 0]),
        ("first_hq_level", [1, 0, 3, 5, 0]),
        ("second_warriors_a_day", [2, 1, 3.5, 0, 1]),
        ("starved_a_day", [0.1, 0.5, 1, 0, 0]),
        ("razed", [1, 0, 3, 4, 0]),
        ("spent_build", [300, 0, 600, 0, 0]),
        ("build_share", [0.75, NAN, 0.75, NAN, 0]),
        ("train_share", [0.25, NAN, 0.25, NAN, 1]),
        ("repair_share", [0, NAN, 0, NAN, 0]),
    ],
)
def test_values(name, values):
    np.testing.assert_array_equal(metrics_of(GAME)[name].value(GAMES), values)


FINAL = load_rules("next_nation", "2026-final")
HUNGRY = load_rules("next_nation").override(
    {"/warrior/upkeep": 30, "/warrior/hunger": 1, "/start/gold": 0, "/map/half_max": 30}
)


@pytest.mark.parametrize("rules", [load_rules("next_nation"), FINAL, HUNGRY])
@pytest.mark.parametrize("players", [("random", "random"), ("economy", "timing")])
def test_games_stay_inside_the_bounds(rules, players):
    games = simulate(rules, *players, games=20, seed=4)
    for metric in GAME.metrics:
        values, (low, high) = metric.value(games), metric.bounds(rules)
        assert values.shape == (20,)
        inside = values[~np.isnan(values)]
        assert ((inside >= low) & (inside <= high)).all(), metric.name


def test_all_gold_is_spent_on_something_or_left():
    """What was spent, kind by kind, and what is left are what was there and was earned."""
    rules = load_rules("next_nation")
    games = simulate(rules, "economy", "rush", games=20, seed=2)
    for seat in ("first", "second"):
        spent = sum(games[f"{seat}_spent_{kind}"].cast(pl.Int64) for kind in SPENT)
        had = rules.value("/start/gold") + games[f"{seat}_earned"].cast(pl.Int64)
        assert (spent + games[f"{seat}_gold"] == had).all()
