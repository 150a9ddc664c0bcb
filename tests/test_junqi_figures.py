"""Random play of junqi agrees with figures of a simulator that is none of ours."""

import os
from functools import cache
from math import sqrt

import numpy as np
import pytest

from lab.catalog import load_rules
from lab.metrics import FIRST_SCORE
from lab.selfplay import simulate

GAMES = 100_000 if os.environ.get("LAB_PROOF") else 10_000
OUTSIDE = 3_000
"""Games that the outside figures are of."""
FIGURES = {"score": 0.503, "draws": 0.049, "plies": 382.0}
WIDE = 3.2905
"""Half a 99.9 % interval, in standard errors."""


@cache
def played():
    """What each figure is the mean of, a value a game."""
    games = simulate(load_rules("junqi"), "random", "random", GAMES, seed=20)
    return {
        "score": FIRST_SCORE.value(games),
        "draws": (games["winner"].cast(str) == "draw").to_numpy().astype(float),
        "plies": games["length"].to_numpy().astype(float),
    }


@pytest.mark.parametrize("name", FIGURES)
def test_intervals_of_both_overlap(name):
    values = played()[name]
    spread = np.std(values)  # theirs is not told; one game is taken to vary as much as ours
    reach = WIDE * spread * (1 / sqrt(GAMES) + 1 / sqrt(OUTSIDE))
    assert values.mean() == pytest.approx(FIGURES[name], abs=reach)


def test_an_edge_of_six_points_would_be_seen():
    spread = np.std(played()["score"])
    assert WIDE * spread * (1 / sqrt(GAMES) + 1 / sqrt(OUTSIDE)) < 0.06
