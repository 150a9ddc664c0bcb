"""What is measured of a game of ants besides what is measured of every game (README 10)."""

from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lab.columns import Bounds, Value, column, counted, ratio, share
from lab.game import Metric

if TYPE_CHECKING:
    from lab.games.ants.rules import Ants
    from lab.rules import Rules

SEATS = {"first": "the first player", "second": "the second player"}


# --- the least and the greatest a game can reach ------------------------------------------------


def _rounds(rules: "Rules") -> tuple[float, float]:
    return 0.0, float(_ants(rules).turn.round_cap)


def _actions(verb: str) -> Bounds:
    """As often as the action points of a whole game pay for this action."""

    def bounds(rules: "Rules") -> tuple[float, float]:
        turn = _ants(rules).turn
        return 0.0, float(turn.round_cap * (turn.ap // getattr(turn.cost, verb)))

    return bounds


def _living(kind: str) -> Bounds:
    def bounds(rules: "Rules") -> tuple[float, float]:
        made = _actions("produce")(rules)[1]
        return 0.0, made + getattr(_ants(rules).start, kind)

    return bounds


def _stranded(rules: "Rules") -> tuple[float, float]:
    most = _living("workers")(rules)[1] + _living("soldiers")(rules)[1]
    return 0.0, most * _rounds(rules)[1] * _ants(rules).march.cells


def _resources(rules: "Rules") -> tuple[float, float]:
    document = _ants(rules)
    income = document.income
    a_turn = income.nest + income.point * income.workers_per_point * len(document.board.points)
    gathered = income.gather * _actions("gather")(rules)[1]
    return 0.0, max(document.start.resources) + a_turn * _rounds(rules)[1] + gathered


def _territory(rules: "Rules") -> tuple[float, float]:
    document = _ants(rules)
    cells = 1 + 3 * document.board.radius * (document.board.radius + 1)
    held = document.cap.point_value * len(document.board.points)
    return 0.0, float(held + document.cap.cell_value * cells)


def _ants(rules: "Rules") -> "Ants":
    return cast("Ants", rules.document)


# --- the numbers --------------------------------------------------------------------------------


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
    number = partial(counted, seat)
    return (
        number("resources", f"Resources {who} has left at the end.", "resources", _resources),
        number("workers", f"Workers of {who} alive at the end.", "ants", _living("workers")),
        number("soldiers", f"Soldiers of {who} alive at the end.", "ants", _living("soldiers")),
        Metric(
            f"{seat}_worker_share",
            f"Share of workers among the ants {who} made; games without any do not count.",
            "share",
            _part(f"{seat}_workers_made", f"{seat}_soldiers_made"),
            share,
        ),
        number("placed", f"Pheromones {who} placed.", "pheromones", _actions("place")),
        number(
            "destroyed",
            f"Enemy pheromones {who} destroyed.",
            "pheromones",
            _actions("destroy"),
        ),
        Metric(
            f"{seat}_territory",
            f"Territory of {who} in games that reached the round cap; others do not count.",
            "territory",
            _at_cap(f"{seat}_territory"),
            _territory,
        ),
        number(
            "stranded",
            f"How often an ant of {who} stood still in a march for want of an own pheromone.",
            "marches",
            _stranded,
        ),
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
    Metric(
        "lead_changes",
        "How often the lead in ants and resources passed from one player to the other.",
        "changes",
        column("lead_changes"),
        _rounds,
    ),
    Metric(
        "decided_round",
        "The round from which on the winner was always ahead; draws do not count.",
        "rounds",
        _decided,
        _rounds,
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
