"""What a game's row says (README 10), and the least and the greatest it can say."""

from typing import TYPE_CHECKING, cast

from lab.game import Column
from lab.games.next_nation import generator
from lab.games.next_nation.rules import HQ_LEVELS
from lab.outcomes import Bounds, endless, named, of_seats

if TYPE_CHECKING:
    from lab.games.next_nation.rules import NextNation
    from lab.rules import Rules

SEATS = {"first": "LEFT", "second": "RIGHT"}
SPENT = {
    "build": "building bases",
    "upgrade": "upgrading HQs and bases",
    "repair": "repairing HQs and bases",
    "train": "training warriors",
    "move": "orders to move",
    "upkeep": "feeding warriors",
}


# --- the least and the greatest a game can reach ------------------------------------------------


def both(bounds: Bounds) -> Bounds:
    """Of the sum over both sides."""
    return lambda rules: (0.0, 2 * bounds(rules)[1])


def _daily(bounds: Bounds) -> Bounds:
    """Of what is summed up over the days."""
    return lambda rules: (0.0, bounds(rules)[1] * _document(rules).days)


def _levels(rules: "Rules") -> tuple[float, float]:
    return 0.0, float(HQ_LEVELS)


def _hp(rules: "Rules") -> tuple[float, float]:
    return 0.0, float(max(_document(rules).hq.hp))


def _regions(rules: "Rules") -> tuple[float, float]:
    limits = _document(rules).map
    return 2.0 * limits.half_min + 1, 2.0 * limits.half_max + 1


def _hops(rules: "Rules") -> tuple[float, float]:
    return 0.0, _regions(rules)[1] - 1


def _odd(rules: "Rules") -> tuple[float, float]:
    return 0.0, 1.0


def _strongholds(rules: "Rules") -> tuple[float, float]:
    """As many as a map may have."""
    limits = _document(rules).map
    pairs = generator.plan(limits).pairs[limits.half_min : limits.half_max + 1, 1]
    return 0.0, float(max(0, 2 * pairs.max() + 1))


def warriors(rules: "Rules") -> tuple[float, float]:
    """All that one side can ever have."""
    document = _document(rules)
    return 0.0, float(document.start.warriors + document.days * max(document.hq.train))


def _earned(rules: "Rules") -> tuple[float, float]:
    """Where one side takes every place to work every day."""
    document = _document(rules)
    places = max(document.hq.work) + _strongholds(rules)[1] * max(document.base.work)
    return 0.0, document.days * places * document.warrior.work


def _gold(rules: "Rules") -> tuple[float, float]:
    """What one side can ever have."""
    return 0.0, _document(rules).start.gold + _earned(rules)[1]


def gold(rules: "Rules") -> tuple[float, float]:
    """What both sides have at the start, and earn where every place to work is taken every day."""
    document = _document(rules)
    places = 2 * max(document.hq.work) + _strongholds(rules)[1] * max(document.base.work)
    return 0.0, 2 * document.start.gold + document.days * places * document.warrior.work


def _document(rules: "Rules") -> "NextNation":
    return cast("NextNation", rules.document)


# --- the columns --------------------------------------------------------------------------------


def _each(name: str, sentence: str, unit: str, bounds: Bounds) -> tuple[Column, ...]:
    return of_seats(SEATS, name, sentence, unit, bounds)


COLUMNS = named(
    Column("map_seed", "The seed of the game's map: games of one map share it.", "", endless),
    Column("n", "Regions of the map.", "regions", _regions),
    Column("k", "Strongholds of the map.", "strongholds", _strongholds),
    Column("hq_hops", "Days that a warrior walks from HQ to HQ.", "days", _hops),
    Column("hq_parity", "1 where that walk is odd: armies that walk at each other meet.", "", _odd),
    *_each("hq_level", "Level of {who}'s HQ at the end, 0 when it fell.", "levels", _levels),
    *_each("hq_hp", "Hp of {who}'s HQ at the end, 0 when it fell.", "hp", _hp),
    *_each("bases", "Bases that {who} has at the end.", "bases", _strongholds),
    *_each("warriors", "Warriors that {who} has at the end.", "warriors", warriors),
    *_each("gold", "Gold that {who} has at the end.", "gold", _gold),
    *_each("trained", "Warriors that {who} trained.", "warriors", warriors),
    *_each("lost", "Warriors that {who} lost, to strikes and to hunger.", "warriors", warriors),
    *_each("starved", "Days without food of {who}'s warriors.", "warrior-days", _daily(warriors)),
    *_each("orders", "Orders that {who} gave.", "orders", endless),
    *(
        column
        for kind, what in SPENT.items()
        for column in _each(f"spent_{kind}", f"Gold that {{who}} spent on {what}.", "gold", _gold)
    ),
    *_each("earned", "Gold that {who}'s warriors earned at work.", "gold", _earned),
    *_each("razed", "Bases of {who} that the enemy destroyed.", "bases", _daily(_strongholds)),
    *_each("warrior_days", "Evenings of {who}'s warriors.", "warrior-days", _daily(warriors)),
    *_each("base_days", "Evenings of {who}'s bases.", "base-days", _daily(_strongholds)),
)
