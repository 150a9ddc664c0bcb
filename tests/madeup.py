"""Made-up games of ants, and experiments that ask of them, so that verdicts need nobody to play."""

import math

import numpy as np
import polars as pl

from lab.experiment import load_experiment
from tests.experiments import write

HEAD = """
question = "Is it true?"
game = "ants"
rules = "0.3"
seed = 5

[space]
"/turn/round_cap" = { low = 20, high = 60 }

[[matchups]]
mirror = "economy"

[[matchups]]
name = "field"
pool = ["economy", "rush"]

[[targets]]
"""
SEAT = 'metric = "first_score"\nmatchup = "economy mirror"\nband = [0.48, 0.52]\n'
WINS = 'metric = "first_win"\nmatchup = "economy mirror"\nband = [0.4, 0.44]\n'
FIELD = 'metric = "score"\npolicy = "rush"\nmatchup = "field"\nband = [0.3, 0.6]\n'
ROUNDS = 'metric = "decided_round"\nmatchup = "field"\nband = [10, 20]\n'


def asked(folder, *targets, **changes):
    text = HEAD + "\n[[targets]]\n".join(targets)
    for old, new in changes.items():
        text = text.replace(f"{old} = ", f"{old} = {new}  # ")
    return load_experiment(write(folder, text=text))


def made(seed, games):
    """Made-up games: a row for each index, the same whoever asks and how."""
    n = 200_000
    rng = np.random.default_rng(seed)
    luck, decided = rng.random(n), rng.integers(0, 24, n)
    winner = np.where(luck < 0.42, "first", np.where(luck < 0.84, "second", "draw"))
    frame = pl.DataFrame(
        {
            "game": np.arange(n),
            "history": rng.integers(0, 2**63, n).astype(np.uint64),
            "winner": winner,
            "decided": np.where(winner == "draw", 0, decided),
        }
    )
    return frame[games.start : games.stop]


def player():
    """For `lab.selfplay.play`: it makes games up."""
    cache = {}

    def play(rules, first, second, games, seed, jobs, chunk):
        if seed not in cache:
            cache[seed] = made(seed, range(200_000))
        size = min(chunk, math.ceil(len(games) / (4 * jobs)))
        for start in range(games.start, games.stop, size):
            yield cache[seed][start : min(start + size, games.stop)], None

    return play
