"""The policies of Wargambit by name, README 15."""

from collections.abc import Mapping
from functools import partial

from lab.errors import bad
from lab.game import Preset
from lab.games.wargambit.fen import parse_army
from lab.games.wargambit.policies import ARMY, BUYER, GHOSTS, RANDOM, RECORDS, SPENDER
from lab.games.wargambit.recorded import armies
from lab.games.wargambit.rules import PIECES

PLAYER, OPPONENT, DUELLIST = "player", "opponent", "army"
ROLES = ((PLAYER, PLAYER), (PLAYER, OPPONENT), (DUELLIST, DUELLIST))
CEILING = 15
"""Gold that earns the most interest under the shipped rules."""


def _ghost(tail: str, where: str) -> Mapping[str, int]:
    if tail not in ("", "literal"):
        raise bad(where, repr(tail), "ghost or ghost:literal", tail, ["literal"])
    return {"_literal": int(tail == "literal")}


def _army(tail: str, where: str) -> Mapping[str, int]:
    counts = parse_army(tail, where=where)
    return {f"_{name}": n for name, n in zip(PIECES, counts, strict=True)}


def _recorded(tail: str, where: str) -> Mapping[str, int]:
    words = armies(tail, where)
    return {"_rounds": len(words)} | {f"_round{n}": word for n, word in enumerate(words, 1)}


player = partial(Preset, kind=BUYER, role=PLAYER)
buyer = {"least": 3, "few": 9, "dear": 10, "want": 200, "rerolls": 2, "thrift": 1, "late": 8}
saver = buyer | {"hold": CEILING, "panic": 8}


def seeker(sentence: str, row: int, **weights: int) -> Preset:
    """A saver that looks for the pieces of one synergy first."""
    levels = {"level": 3, "level_round": 4}
    return player(sentence, weights=saver | levels | {"synergy": row} | weights)


POLICIES = {
    "random": Preset("trades at random", RANDOM, role=PLAYER),
    "greedy": player(
        "buys the dearest piece it can pay, saves nothing",
        weights={"dear": 10, "level": 3, "level_round": 3},
        spread=20,
    ),
    "swarm": player(
        "buys whatever is cheapest, as much of it as there is",
        weights={"dear": -10, "rerolls": 2},
        spread=20,
    ),
    "saver": player(
        "holds what earns the most interest, spends the rest on dear pieces",
        weights=saver | {"level": 3, "level_round": 4},
        spread=20,
    ),
    "leveller": player(
        "raises the shop first, then waits for queens",
        weights=saver
        | {"level": 3, "level_first": 1, "hold": 5, "least": 5, "few": 5, "rerolls": 4},
        spread=20,
    ),
    "seek_pawns": seeker("a saver who seeks the pawns' synergy", 1),
    "seek_bishops": seeker("a saver who seeks the bishops' synergy", 2),
    "seek_knights": seeker("a saver who seeks the knights' synergy", 3),
    "seek_five": seeker("a saver who seeks one of every chess piece", 4),
    "seek_scouts": seeker("a saver who seeks the scouts' synergy", 5),
    "seek_cannon": seeker("a saver who seeks a cannon and two lances", 6),
    "ghost": Preset("the ghost of the rules, or ghost:literal", GHOSTS, role=OPPONENT, read=_ghost),
    "recorded": Preset(
        "recorded:FILE, the armies of another run", RECORDS, role=OPPONENT, read=_recorded
    ),
    "army": Preset("army:q r 2n 4p, exactly these", ARMY, role=DUELLIST, read=_army),
    "spend": Preset(
        "the same core for both seats, then gold for one piece, the rest for pawns",
        SPENDER,
        weights={"core": 20},
        role=DUELLIST,
    ),
}
