"""What is measured of a game of NEXT NATION besides what is measured of every game (README 10)."""

from typing import Any

from lab.game import Metric
from lab.games.next_nation.columns import COLUMNS, SEATS, SPENT, both, gold, warriors
from lab.games.next_nation.state import ENDINGS, HQ_DESTROYED
from lab.outcomes import Value, column, counted, ratio, share

RUSH_DAY = 40
"""The last day on which the fall of an HQ counts as a rush.

The same under any rules: the first armies of an attack that waits for nothing stand before the HQ
well before it, those that an economy of bases has paid for well after it.
"""


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
    def number(name: str) -> Metric:
        return counted(COLUMNS[f"{seat}_{name}"])

    return (
        number("hq_level"),
        number("bases"),
        number("warriors"),
        Metric(
            f"{seat}_warriors_a_day",
            f"Warriors that {side} has in the evening, on the average day.",
            "warriors",
            _daily(column(f"{seat}_warrior_days")),
            warriors,
        ),
        number("lost"),
    )


def _of_gold(kind: str, what: str) -> tuple[Metric, ...]:
    return (
        Metric(
            f"spent_{kind}",
            f"Gold that both sides spent on {what}.",
            "gold",
            _sum(f"spent_{kind}"),
            gold,
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
        both(warriors),
    ),
    Metric(
        "razed",
        "Bases that the enemy destroyed.",
        "bases",
        _sum("razed"),
        COLUMNS["first_razed"].bounds,
    ),
    *(metric for kind, what in SPENT.items() for metric in _of_gold(kind, what)),
)
