"""The policies of junqi by name, README 9."""

from functools import partial

from lab.game import Preset
from lab.games.junqi.policies import RANDOM, WEIGHER

TIME = {"spread_s": 4, "setup_s": 40, "back": 20}
player = partial(Preset, kind=WEIGHER)
GREEDY = {"fight": 100, "loss": 60, "flag": 2000, "advance": 8} | TIME

POLICIES = {
    "random": Preset("plays any legal move", RANDOM, weights=TIME),
    "greedy": player("takes what it may win and goes for the flag", weights=GREEDY, temperature=2),
    "cautious": player(
        "fights where it is likely to win, and likes camps",
        weights=GREEDY | {"loss": 110, "advance": 4, "camp": 10, "shy": 15},
        temperature=2,
    ),
    "attacker": player(
        "hunts the flag, with engineers for the mines",
        weights=GREEDY | {"loss": 35, "advance": 16, "mines": 60},
        temperature=2,
    ),
    "fortress": player(
        "stays in its half and waits",
        weights=GREEDY | {"loss": 90, "advance": 1, "home": 12, "camp": 5},
        temperature=2,
    ),
    "hurried": player(
        "greedy, with a clock: is late at times, and offers draws",
        weights=GREEDY
        | {"think": 12, "spread_s": 5, "setup_s": 60, "drop": 30, "offer": 20, "accept": 60}
        | {"setup": 1},
        temperature=2,
    ),
}
