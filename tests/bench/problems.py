"""What searches are tried on: two synthetic rule spaces whose truth is known, and ants."""

from functools import cache

import numpy as np

from lab.experiment import load_experiment
from lab.experiment.banks import seed_of
from lab.experiment.space import Dimension, Space
from lab.sweep.play import estimates, loss, measure_setting
from lab.sweep.race import Found

HALF = 0.02
BAND = (0.5 - HALF, 0.5 + HALF)


class Aim:
    """A share of wins near one half."""

    band, weight = BAND, 1.0


class Synthetic:
    """A rule space whose first seat wins with a known rate.

    Four whole numbers in -20..20, the rate 1 / (1 + exp(-a.x)) with a = (.12, -.09, .05, 0). With
    `cliff` the first two work together, .35 x0 x1 / 20 more, and above x2 = 14 nothing matters any
    more: the rate is .95. Games on one seed share their chance: a game is won where its number
    from 0 to 1 lies below the rate.
    """

    aims = (Aim(),)
    farthest = 0.5 / HALF  # half widths
    block = 32

    def __init__(self, name, cliff):
        self.name, self.cliff = name, cliff
        values = tuple(range(-20, 21))
        self.space = Space(tuple(Dimension(f"/x/{i}", values, 1.0) for i in range(4)), ())

    def rate(self, setting):
        x = np.array([setting[f"/x/{i}"] for i in range(4)], float)
        if self.cliff and x[2] > 14:
            return 0.95
        both = 0.35 * x[0] * x[1] / 20 if self.cliff else 0.0
        return float(1 / (1 + np.exp(-(x @ (0.12, -0.09, 0.05, 0.0) + both))))

    def truth(self, setting):
        """How far outside the band, in half widths."""
        return max(abs(self.rate(setting) - 0.5) / HALF - 1, 0.0)

    def start(self, seed):
        """A setting to start from that is out of balance."""
        rng = np.random.default_rng((seed, 0))
        while True:
            setting = {f"/x/{i}": int(x) for i, x in enumerate(rng.integers(-20, 21, 4))}
            if self.truth(setting) > 0:
                return setting

    def play(self, setting, bank, first, games):
        """What games first, first + 1, ... of a bank come to."""
        drawn = np.random.default_rng(bank)
        drawn.bit_generator.advance(first)
        value = float((drawn.random(games) < self.rate(setting)).mean())
        near = (value * games + 2) / (games + 4)  # so that the error is never 0
        return [Found(value, float(np.sqrt(near * (1 - near) / games)), games)]

    def loss(self, setting, bank, games):
        value = self.play(setting, bank, 0, games)[0].value
        return max(abs(value - 0.5) / HALF - 1, 0.0)


class Ants:
    """Two players of the real game whose chances four of its numbers are to make even."""

    name = "ants"
    block = 32
    farthest = 0.5 / HALF
    proof_games = 20_000

    def __init__(self, path):
        self.experiment = load_experiment(path)
        self.space, self.aims = self.experiment.space, self.experiment.targets
        self.truth = cache_by_setting(self._truth)

    def start(self, seed):
        return self.space.baseline(self.experiment.rules)

    def play(self, setting, bank, first, games):
        found = estimates(self.experiment, self._measured(setting, bank, first, games))
        return [Found(one.value, one.error, one.n) for one in found]

    def loss(self, setting, bank, games):
        found = estimates(self.experiment, self._measured(setting, bank, 0, games))
        return loss(self.aims, found)

    def _measured(self, setting, bank, first, games):
        rules = self.experiment.rules.override(setting)
        each = dict.fromkeys(self.experiment.games, games)
        return measure_setting(self.experiment, rules, bank, each, 1, first)

    def _truth(self, setting):
        return self.loss(setting, seed_of(0, "truth"), self.proof_games)


def cache_by_setting(function):
    """The same function, asked once for every setting."""
    known = cache(lambda items: function(dict(items)))
    return lambda setting: known(tuple(setting.items()))
