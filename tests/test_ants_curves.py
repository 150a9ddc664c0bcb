"""The curves of ants against what the text of each round's first position says."""

import re

import lab
from lab.games.ants.state import CURVES
from lab.play import trace


def told(text):
    """Resources, workers, soldiers and pheromones of both sides, as a position's text has them."""
    words = dict(word.split("=") for word in text.split())
    counts = [int(n) for n in words["resources"].split("/")]
    counts += [
        sum(int(n) for n in re.findall(rf"(\d+){letter}", words[side]))
        for letter in "ws"
        for side in ("p1", "p2")
    ]
    counts += [words[scent].count(":") for scent in ("scent1", "scent2")]
    return int(words["round"]), tuple(counts)


def test_curves_are_what_the_positions_say():
    rules, players = lab.load_rules("ants", "0.3"), ("economy", "siege")
    position, actions, _ = trace(lab.load_game("ants"), rules, *players, seed=5, index=0)
    rounds = {}
    for action in actions:
        clock, counts = told(position.text())
        rounds.setdefault(clock, counts)
        position.play(action)
    found = lab.curves(rules, *players, games=1, seed=5)
    assert {row["clock"]: tuple(row[name] for name in CURVES) for row in found.to_dicts()} == rounds
    assert len(set(rounds.values())) > 10
