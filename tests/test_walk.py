import numpy as np
import polars as pl
import pytest

from lab import catalog
from lab.brake import Brake
from lab.selfplay import simulate
from lab.walk import Walk
from tests import toygame
from tests.toy import refusal


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    monkeypatch.setattr(catalog, "GAMES", (*catalog.GAMES, "pebbles", "dealt"))


def walked(rules, most=300, **how):
    """All games, and which of them count."""
    walk = Walk(rules, "random", "greedy", 7, most, **how)
    frames, masks = [], []
    while not walk.over:
        for frame, counted in walk.block(Brake()):
            frames.append(frame)
            masks.append(counted)
    return walk, pl.concat(frames), np.concatenate(masks)


@pytest.mark.parametrize("how", [{}, {"chunk": 7}, {"jobs": 2, "chunk": 50}])
def test_the_games_are_those_of_a_run(how):
    rules = toygame.rules(heap=20)
    walk, games, counted = walked(rules, **how)
    assert games.equals(simulate(rules, "random", "greedy", 300, 7))
    assert counted.all()
    assert walk.played == 300


@pytest.mark.parametrize("how", [{}, {"chunk": 7}, {"jobs": 2, "chunk": 50}])
def test_the_first_game_of_a_set_up_counts_for_all(how):
    walk, games, counted = walked(toygame.rules(heap=9, under=5, game="dealt"), **how)
    seen = games["all"].to_list()
    assert counted.tolist() == [seen.index(value) == i for i, value in enumerate(seen)]
    assert 1 < counted.sum() < 10
    assert walk.repeats(300) is None


def test_games_that_repeat_themselves_are_told():
    walk, games, _ = walked(toygame.rules(heap=9, under=5))
    assert walk.repeats(300) == games["history"].n_unique()
    assert walk.repeats(100) == games["history"][:100].n_unique()
    walk, _, _ = walked(toygame.rules(heap=30))
    assert walk.repeats(20) is None


def test_a_brake_ends_a_block_behind_a_piece():
    walk, brake = Walk(toygame.rules(), "random", "random", 1, 1000), Brake()
    brake.pulled = True
    pieces = list(walk.block(brake))
    assert len(pieces) == 1
    assert 0 < walk.played < 64


def test_bad_input_is_refused_before_anything_is_played(monkeypatch):
    monkeypatch.setattr("lab.selfplay.play_chunk", None)
    assert "did you mean 'greedy'" in refusal(Walk, toygame.rules(), "gredy", "random", 1, 10)
    assert "games: found 0" in refusal(Walk, toygame.rules(), "greedy", "random", 1, 0)
