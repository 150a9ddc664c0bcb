"""The named players of ants: random play, and six archetypes as weights of one kernel.

What a weight means: `policies.WEIGHTS`. Every game draws its own round these, by up to `SPREAD`
percent, and every choice is a softmax of this temperature, so that two equal archetypes do not
play one game over and over (the game itself has no chance).
"""

from lab.game import Preset
from lab.games.ants.policies import RANDOM, WEIGHED

SPREAD, TEMPERATURE = 20, 6


def _archetype(sentence: str, *weights: str) -> Preset:
    """A preset from its weights, written as `policy` options are."""
    pairs = (weight.split("=") for weight in " ".join(weights).split())
    values = {name: int(value) for name, value in pairs}
    return Preset(sentence, WEIGHED, values, temperature=TEMPERATURE, spread=SPREAD)


POLICIES = {
    "random": Preset("plays any legal action, each equally likely", RANDOM),
    "economy": _archetype(
        "workers to the resource points first, then soldiers",
        "worker=60 worker_each=9 soldier=30 soldier_each=1 alarm=40 gather=25 destroy=10 strike=6",
        "place_near=50 place_centre=45 place_nest=50 place_beside=30 place_road=5",
        "reinforce_centre=30 reinforce_nest=60 reinforce_beside=45 reinforce_road=20",
    ),
    "rush": _archetype(
        "soldiers at the queen as early as it can",
        "worker=30 worker_each=15 soldier=60 soldier_each=1 gather=25 destroy=30 strike=4",
        "place_far=20 place_nest=70 place_beside=40 place_half=30 place_road=50",
        "reinforce_nest=80 reinforce_beside=45 reinforce_half=40",
    ),
    "siege": _archetype(
        "holds two cells beside the enemy nest",
        "worker=50 worker_each=9 soldier=45 soldier_each=1 alarm=20 gather=25 destroy=10 strike=1",
        "place_near=40 place_centre=45 place_beside=60 place_road=5",
        "reinforce_centre=30 reinforce_beside=60 reinforce_road=20",
    ),
    "disruption": _archetype(
        "soldiers that destroy the enemy's pheromones",
        "worker=45 worker_each=10 soldier=50 soldier_each=1 alarm=30 gather=25 destroy=90 strike=3",
        "place_near=40 place_centre=50 place_far=45 place_nest=50 place_beside=30 place_road=10",
        "reinforce_centre=30 reinforce_far=30 reinforce_nest=50 reinforce_beside=30",
        "reinforce_road=30",
    ),
    "territory": _archetype(
        "holds resource points and the enemy half for the judgement at the cap",
        "worker=55 worker_each=7 soldier=35 soldier_each=1 alarm=40 gather=20 destroy=10 strike=12",
        "place_near=50 place_centre=55 place_far=50 place_nest=30 place_beside=10 place_half=20",
        "reinforce_centre=30 reinforce_far=20 reinforce_nest=40",
    ),
    "balanced": _archetype(
        "a little of everything",
        "worker=50 worker_each=9 soldier=40 soldier_each=1 alarm=30 gather=25 destroy=20 strike=3",
        "place_near=45 place_centre=45 place_nest=50 place_beside=30 place_half=2 place_road=10",
        "reinforce_centre=25 reinforce_nest=55 reinforce_beside=20 reinforce_road=25",
    ),
}
