"""Other ways to search a noisy space, to be beaten at equal games: TPE, random search, NTBEA.

Each gets a problem, a seed and a number of games, and says which setting it recommends.
"""

import math
from itertools import combinations

import numpy as np
import optuna

from lab.experiment.banks import seed_of


def tpe(games):
    """Optuna's TPE at a fixed number of games a trial; it recommends its best trial."""

    def search(problem, seed, total):
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
        for trial in range(total // games):
            asked = study.ask()
            setting = {
                d.pointer: d.values[asked.suggest_int(d.pointer, 0, len(d.values) - 1)]
                for d in problem.space.dimensions
            }
            asked.set_user_attr("setting", setting)
            study.tell(asked, problem.loss(setting, seed_of(seed, "rival", trial), games))
        return study.best_trial.user_attrs["setting"]

    return search


def random_search(games):
    """Settings at random, a fixed number of games each; it recommends the best of them."""

    def search(problem, seed, total):
        rng = np.random.default_rng(seed)
        tried = []
        for trial in range(total // games):
            setting = {d.pointer: d.values[rng.integers(len(d.values))] for d in _of(problem)}
            loss = problem.loss(setting, seed_of(seed, "rival", trial), games)
            tried.append((loss, trial, setting))
        return min(tried)[2]

    return search


def ntbea(games, k=0.5, neighbours=50, epsilon=0.5):
    """The n-tuple bandit evolutionary algorithm (Lucas, Liu, Perez-Liebana, arXiv 1802.05991).

    A bandit for every value of every dimension, of every pair of dimensions and of all together
    keeps the mean fitness of what was played (section III.B). From the point that was played last
    come mutants; the one whose mean upper bound, mean + k sqrt(ln N / (n + epsilon)), is the
    greatest is played next (III.C). In the end the played point with the best mean is recommended.
    Fitness is in 0..1, as the bounds want it.
    """

    def search(problem, seed, total):
        rng = np.random.default_rng(seed)
        sizes = np.array([len(d.values) for d in _of(problem)])
        d = len(sizes)
        tuples = [*combinations(range(d), 1), *combinations(range(d), 2), tuple(range(d))]
        counts = [{} for _ in tuples]
        sums = [{} for _ in tuples]
        point, played = rng.integers(sizes), {}

        def value(at, bonus):
            total = 0.0
            for t, tally, gained in zip(tuples, counts, sums, strict=True):
                key = tuple(at[list(t)])
                n = tally.get(key, 0)
                total += gained[key] / n if n else 0.0
                total += k * math.sqrt(bonus / (n + epsilon))
            return total / len(tuples)

        for trial in range(total // games):
            setting = {d.pointer: d.values[i] for d, i in zip(_of(problem), point, strict=True)}
            played[tuple(point)] = setting
            loss = problem.loss(setting, seed_of(seed, "rival", trial), games)
            for t, tally, gained in zip(tuples, counts, sums, strict=True):
                key = tuple(point[list(t)])
                tally[key] = tally.get(key, 0) + 1
                gained[key] = gained.get(key, 0.0) + 1 - loss / problem.farthest
            mutants = []
            for _ in range(neighbours):
                moved = rng.random(d) < 1 / d
                moved[rng.integers(d)] = True
                mutants.append(np.where(moved, rng.integers(sizes), point))
            point = max(mutants, key=lambda at: value(at, math.log(trial + 1)))
        return played[max(played, key=lambda at: value(np.array(at), 0.0))]

    return search


def _of(problem):
    return problem.space.dimensions
