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
CHOOSY = {"few": 4, "least": 3, "dear": 3, "rerolls": 4, "thrift": 1, "level": 2, "level_round": 5}
"""Takes what it can get at first, then only what is worth one of the fifteen squares."""
QUEENLY = {"level": 3, "level_round": 2, "level_first": 1, "dear": 10, "thrift": 0}
PATIENT = {"level": 3, "level_round": 3, "few": 10, "least": 5}
"""Keeps room for a rook and a queen."""


def seeker(sentence: str, row: int, **more: int) -> Preset:
    """A choosy buyer that takes the pieces of one synergy before all others."""
    return player(sentence, weights=CHOOSY | {"synergy": row, "want": 300} | more)


POLICIES = {
    "random": Preset("trades at random", RANDOM, role=PLAYER),
    "greedy": player(
        "buys the dearest piece it can pay, and saves nothing",
        weights={"dear": 10, "level": 3, "level_round": 3},
    ),
    "swarm": player("buys whatever is cheapest", weights={"dear": -10, "rerolls": 2}),
    "saver": player(
        "while HP are high holds 2 gold more each round, and spends the rest choosily",
        weights=CHOOSY | {"hold": CEILING, "grow": 2, "panic": 10, "late": 8},
    ),
    "leveller": player(
        "raises the shop first, and then takes the dearest piece it can pay",
        weights=CHOOSY | QUEENLY,
    ),
    "seek_pawns": seeker("seeks the first synergy, four pawns", 1),
    "seek_bishops": seeker("seeks the second synergy, two bishops", 2),
    "seek_knights": seeker("seeks the third synergy, three knights", 3),
    "seek_five": seeker("seeks the fourth synergy, one of every chess piece", 4, **PATIENT),
    "seek_scouts": seeker("seeks the fifth synergy, two scouts", 5),
    "seek_cannon": seeker("seeks the sixth synergy, a cannon and two lances", 6),
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
