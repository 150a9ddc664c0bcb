"""The bench of searches: its rivals and its figures, with few games."""

import json

import numpy as np
import pytest

from tests import verbs
from tests.bench import rivals, search
from tests.bench.problems import Synthetic

PLANE = Synthetic("plane", cliff=False)


def test_the_synthetic_spaces_are_those_of_the_page():
    cliff = Synthetic("cliff", cliff=True)
    at = dict(zip(("/x/0", "/x/1", "/x/2", "/x/3"), (10, -5, 4, 9), strict=True))
    assert PLANE.rate(at) == pytest.approx(1 / (1 + np.exp(-(1.2 + 0.45 + 0.2))))
    assert cliff.rate(at) == pytest.approx(1 / (1 + np.exp(-(1.85 - 0.35 * 50 / 20))))
    assert cliff.rate(at | {"/x/2": 15}) == 0.95
    assert PLANE.truth(dict.fromkeys(at, 0)) == 0
    whole, second = PLANE.play(at, 7, 0, 200)[0], PLANE.play(at, 7, 100, 100)[0]
    first = PLANE.play(at, 7, 0, 100)[0]
    assert whole.value == pytest.approx((first.value + second.value) / 2)


@pytest.mark.parametrize(
    "rival", [rivals.tpe(50), rivals.random_search(50), rivals.ntbea(50), search.ours]
)
def test_every_search_spends_its_games_and_is_the_same_again(rival):
    found = rival(PLANE, 3, 1500)
    assert found == rival(PLANE, 3, 1500)
    assert set(found) == {d.pointer for d in PLANE.space.dimensions}


def test_ntbea_climbs_without_noise():
    class Hill(Synthetic):
        def loss(self, setting, bank, games):
            return sum(abs(value - 7) for value in setting.values()) / 8

    hill = Hill("hill", cliff=False)
    found = rivals.ntbea(1)(hill, 1, 300)
    assert hill.loss(found, 0, 1) < 3  # a random setting is 6 away on average


def test_a_difference_is_paired_by_seed():
    ours = np.arange(20.0)
    mean, low, high = search.paired(ours, ours + 1)
    assert (mean, low, high) == (1, 1, 1)


def test_the_picture_shows_every_seed(tmp_path):
    rows, _ = search.measure(PLANE, 2, 800)
    search.draw(rows, tmp_path / "bench.svg")
    assert "true distance to the band" in (tmp_path / "bench.svg").read_text()
    assert json.loads(json.dumps(rows))[0]["search"] == "ours"


def test_no_checkout_no_bench(tmp_path, monkeypatch):
    monkeypatch.setattr("lab.cli.bench.ROOT", tmp_path)
    assert "expected a checkout" in verbs.refusal("bench", "search")
