"""Search under fog beats the best of those who only weigh their next move (README 9)."""

import os

import pytest

import lab
from lab.catalog import load_rules
from lab.metrics import FIRST_SCORE, measure_one

GAMES = 200 if os.environ.get("LAB_PROOF") else 16
"""From each seat."""
SEARCH = "search:playouts=1000,inner=greedy"


@pytest.mark.parametrize("seat", [0, 1])
def test_search_beats_greedy_in_seven_games_of_ten(seat):
    seats = (SEARCH, "greedy") if seat == 0 else ("greedy", SEARCH)
    score = measure_one(
        lab.simulate(load_rules("junqi"), *seats, GAMES, seed=21), FIRST_SCORE
    ).value
    assert (score if seat == 0 else 1 - score) >= 0.7
