"""The named players of NEXT NATION: random orders, and six archetypes as weights of one planner.

What a weight means: README 12. Every game draws its own round these, by up to `SPREAD` percent, so
that two equal archetypes do not mirror each other to a draw.
"""

from lab.game import Preset
from lab.games.next_nation.policies import PLANNED, RANDOM

SPREAD = 25


def _archetype(sentence: str, weights: str) -> Preset:
    """A preset from its weights, written as `policy` options are."""
    pairs = (weight.split("=") for weight in weights.split())
    return Preset(sentence, PLANNED, {name: int(value) for name, value in pairs}, spread=SPREAD)


POLICIES = {
    "random": Preset("gives any legal order, each equally likely", RANDOM),
    "economy": _archetype(
        "bases first, then levels of the HQ, which decide on the last day",
        "bases=9 builders=2 reach=1 base_level=2 hq=5 hq_after=4 late=30 work=100 alarm=6 army=4"
        " fist=30 margin=10 from_day=100",
    ),
    "rush": _archetype(
        "whoever finds no work at home walks to the enemy HQ at once, and who is trained follows",
        "work=100 army=100 hq=1 late=10 margin=-50",
    ),
    "timing": _archetype(
        "a timing rush: one fist as soon as it outweighs the enemy HQ",
        "work=100 army=12 hq=1 late=20 fist=5 margin=1 alarm=5 bases=1 builders=1 reach=-2",
    ),
    "macro": _archetype(
        "aggressive macro: bases, then stacks that kill lone guards",
        "bases=8 builders=2 reach=2 base_level=2 hq=4 hq_after=5 late=20 work=100 alarm=6 army=10"
        " fist=5 margin=3 from_day=55 raid=1",
    ),
    "turtle": _archetype(
        "few bases, guards in all of them, and the highest HQ",
        "bases=5 builders=1 base_level=3 hq=5 hq_after=2 late=40 work=100 guard=1 alarm=7 army=4"
        " fist=40 margin=15 from_day=150",
    ),
    "swarm": _archetype(
        "singles everywhere: whoever is trained goes for the nearest enemy building",
        "bases=4 builders=2 reach=1 base_level=1 hq=2 hq_after=3 late=15 work=100 army=60 raid=1"
        " fist=1 margin=-3 from_day=20 alarm=3",
    ),
}
