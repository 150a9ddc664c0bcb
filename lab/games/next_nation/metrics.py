"""What is measured of a game of NEXT NATION besides what is measured of every game (README 10)."""

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from lab.columns import Bounds, Value, column, counted, ratio, share
from lab.game import Metric
from lab.games.next_nation import generator
from lab.games.next_nation.rules import HQ_LEVELS
from lab.games.next_nation.state import ENDINGS, HQ_DESTROYED

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
RUSH_DAY = 40
"""The last day on which the fall of an HQ counts as a rush.

The same under any rules: the first armies of an attack that waits for nothing stand before the HQ
well before it, those that an economy of bases has paid for well after it.
"""


# --- the least and the greatest a game can reach ------------------------------------------------


def _levels(rules: "Rules") -> tuple[float, float]:
    return 0.0, float(HQ_LEVELS)


def _strongholds(rules: "Rules") -> tuple[float, float]:
    """As many as a map may have."""
    limits = _document(rules).map
    pairs = generator.plan(limits).pairs[limits.half_min : limits.half_max + 1, 1]
    return 0.0, float(max(0, 2 * pairs.max() + 1))


def _warriors(rules: "Rules") -> tuple[float, float]:
    """All that one side can ever have."""
    document = _document(rules)
    return 0.0, float(document.start.warriors + document.days * max(document.hq.train))


def _both(bounds: Bounds) -> Bounds:
    return lambda rules: (0.0, 2 * bounds(rules)[1])


def _destroyed(rules: "Rules") -> tuple[float, float]:
    """A stronghold may be built on again and lost again, but not twice on one day."""
    return 0.0, _strongholds(rules)[1] * _document(rules).days


def _gold(rules: "Rules") -> tuple[float, float]:
    """What both sides have at the start, and earn where every place to work is taken every day."""
    document = _document(rules)
    places = 2 * max(document.hq.work) + _strongholds(rules)[1] * max(document.base.work)
    return 0.0, 2 * document.start.gold + document.days * places * document.warrior.work


def _document(rules: "Rules") -> "NextNation":
    return cast("NextNation", rules.document)


# --- the numbers --------------------------------------------------------------------------------


def _sum(name: str) -> Value:
    """A column of both seats together."""
    return lambda frame: column(f"first_{name}")(frame) + column(f"second_{name}")(frame)


def _daily(value: Value) -> Value:
    """A day's share, NaN of a match that was lost before its first day."""
    return lambda frame: ratio(value(frame), column("length")(frame))


def _killed(frame: Any) -> Any:
    """A forfeited match has no ending."""
    return frame["ending"].eq_missing(ENDINGS[HQ_DESTROYED]).to_numpy()


def _rushed(frame: Any) -> Any:
    return (_killed(frame) & (frame["length"] <= RUSH_DAY).to_numpy()).astype(float)


def _decided_by_hp(frame: Any) -> Any:
    return (frame["capped"] & (frame["winner"] != "draw")).to_numpy().astype(float)


def _spent_share(kind: str) -> Value:
    """One kind's share of all gold that was spent, NaN where none was."""

    def value(frame: Any) -> Any:
        spent = sum(_sum(f"spent_{other}")(frame) for other in SPENT)
        return ratio(_sum(f"spent_{kind}")(frame), spent)

    return value


def _of_seat(seat: str, side: str) -> tuple[Metric, ...]:
    number = partial(counted, seat)
    return (
        number("hq_level", f"Level of {side}'s HQ at the end, 0 when it fell.", "levels", _levels),
        number("bases", f"Bases that {side} has at the end.", "bases", _strongholds),
        number("warriors", f"Warriors that {side} has at the end.", "warriors", _warriors),
        Metric(
            f"{seat}_warriors_a_day",
            f"Warriors that {side} has in the evening, on the average day.",
            "warriors",
            _daily(column(f"{seat}_warrior_days")),
            _warriors,
        ),
        number(
            "lost", f"Warriors that {side} lost, to strikes and to hunger.", "warriors", _warriors
        ),
    )


def _of_gold(kind: str, what: str) -> tuple[Metric, ...]:
    return (
        Metric(
            f"spent_{kind}",
            f"Gold that both sides spent on {what}.",
            "gold",
            _sum(f"spent_{kind}"),
            _gold,
        ),
        Metric(
            f"{kind}_share",
            f"Share of {what} in all gold that both sides spent; games without any do not count.",
            "share",
            _spent_share(kind),
            share,
        ),
    )


METRICS = (
    Metric(
        "hq_kill",
        "Share of games that ended because an HQ was destroyed, or both.",
        "share",
        lambda frame: _killed(frame).astype(float),
        share,
    ),
    Metric(
        "decided_by_hp",
        "Share of games that the day limit ended and one side won, its HQ having more hp.",
        "share",
        _decided_by_hp,
        share,
    ),
    Metric(
        "rush",
        f"Share of games in which an HQ was destroyed by day {RUSH_DAY}.",
        "share",
        _rushed,
        share,
    ),
    *(metric for seat, side in SEATS.items() for metric in _of_seat(seat, side)),
    Metric(
        "starved_a_day",
        "Warriors of both sides that found no food, on the average day.",
        "warriors",
        _daily(_sum("starved")),
        _both(_warriors),
    ),
    Metric("razed", "Bases that the enemy destroyed.", "bases", _sum("razed"), _destroyed),
    *(metric for kind, what in SPENT.items() for metric in _of_gold(kind, what)),
)
