"""What is measured of a game of ants besides what is measured of every game (README 10)."""

from typing import Any

import numpy as np

from lab.game import Metric
from lab.games.ants.columns import COLUMNS, SEATS, rounds
from lab.outcomes import Value, column, counted, ratio, share


def _ended(ending: str) -> Value:
    return lambda frame: (frame["ending"] == ending).to_numpy().astype(float)


def _decided(frame: Any) -> Any:
    """The round of README 10.4, NaN for a draw, which nothing decides."""
    decided = column("decided")(frame)
    return np.where(decided > 0, decided, np.nan)


def _at_cap(name: str) -> Value:
    return lambda frame: np.where(frame["capped"].to_numpy(), column(name)(frame), np.nan)


def _part(name: str, other: str) -> Value:
    """One column's share of the sum of two, NaN where both are 0."""

    def value(frame: Any) -> Any:
        part = column(name)(frame)
        return ratio(part, part + column(other)(frame))

    return value


def _of_seat(seat: str, who: str) -> tuple[Metric, ...]:
    def number(name: str) -> Metric:
        return counted(COLUMNS[f"{seat}_{name}"])

    return (
        number("resources"),
        number("workers"),
        number("soldiers"),
        Metric(
            f"{seat}_worker_share",
            f"Share of workers among the ants {who} made; games without any do not count.",
            "share",
            _part(f"{seat}_workers_made", f"{seat}_soldiers_made"),
            share,
        ),
        number("placed"),
        number("destroyed"),
        Metric(
            f"{seat}_territory",
            f"Territory of {who} in games that reached the round cap; others do not count.",
            "territory",
            _at_cap(f"{seat}_territory"),
            COLUMNS[f"{seat}_territory"].bounds,
        ),
        number("stranded"),
    )


METRICS = (
    Metric("queen", "Share of games won by killing the queen.", "share", _ended("queen"), share),
    Metric(
        "double_queen",
        "Share of games drawn because both queens died in one turn.",
        "share",
        _ended("double queen"),
        share,
    ),
    Metric("siege", "Share of games won by siege.", "share", _ended("siege"), share),
    counted(COLUMNS["lead_changes"]),
    Metric(
        "decided_round",
        "The round from which on the winner was always ahead; draws do not count.",
        "rounds",
        _decided,
        rounds,
    ),
    Metric(
        "decided",
        "Share of the game played until the winner was ahead for good; draws do not count.",
        "share",
        lambda frame: _decided(frame) / column("length")(frame),
        share,
    ),
    *(metric for seat, who in SEATS.items() for metric in _of_seat(seat, who)),
)
