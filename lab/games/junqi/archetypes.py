"""The policies of junqi by name, README 9."""

from functools import partial

from lab.game import Preset
from lab.games.junqi.policies import RANDOM, WEIGHER

TIME = {"spread_s": 4, "setup_s": 40, "back": 20}
player = partial(Preset, kind=WEIGHER, temperature=2)
GREEDY = {"fight": 100, "loss": 80, "flag": 800, "advance": 8} | TIME
HURRIED = {"think": 12, "setup_s": 60, "drop": 30, "offer": 20, "accept": 60, "setup": 1}

POLICIES = {
    "random": Preset("plays any legal move", RANDOM, weights=TIME),
    "greedy": player("takes what it may win and goes for the flag", weights=GREEDY),
    "cautious": player(
        "fights where it is likely to win, likes camps and keeps away from the enemy's pieces",
        weights=GREEDY | {"loss": 130, "flag": 4000, "guard": 10, "shy": 10, "camp": 5},
    ),
    "attacker": player(
        "hunts the flag, with engineers for the mines",
        weights=GREEDY | {"flag": 2000, "advance": 12, "mines": 60, "guard": 20},
    ),
    "fortress": player(
        "stays in its half and strikes at who comes near its flag",
        weights=GREEDY | {"loss": 90, "advance": 4, "guard": 30, "home": 12, "camp": 5},
    ),
    "hurried": player(
        "greedy by the clock: it is late at times, and offers draws", weights=GREEDY | HURRIED
    ),
}
