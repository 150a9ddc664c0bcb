"""What is measured of a game of junqi besides what is measured of every game (README 11)."""

from functools import partial
from typing import Any

from lab.game import Metric
from lab.games.junqi.columns import COLUMNS, SEATS
from lab.games.junqi.rules import KINDS
from lab.outcomes import Value, column, counted, ratio, share


def _ended(ending: str) -> Value:
    return lambda frame: (frame["ending"] == ending).to_numpy().astype(float)


def _options_each(seat: str) -> Value:
    """Kinds that each of the enemy's living pieces may still be, on the average."""
    other = {"first": "second", "second": "first"}[seat]

    def value(frame: Any) -> Any:
        return ratio(column(f"{seat}_options")(frame), column(f"{other}_pieces")(frame))

    return value


def _found(seat: str, frame: Any) -> Any:
    return (column(f"{seat}_found")(frame) > 0).astype(float)


def _of(seat: str, who: str) -> list[Metric]:
    names = ("pieces", "killed", "cleared", "bombed", "late", "offers")
    return [
        *(counted(COLUMNS[f"{seat}_{name}"]) for name in names),
        Metric(
            f"{seat}_options",
            f"Kinds that each enemy piece may still be for {who} at the end.",
            "kinds",
            _options_each(seat),
            lambda rules: (0.0, float(len(KINDS))),
        ),
        Metric(
            f"{seat}_found",
            f"Share of games in which {who} was certain of the enemy's flag.",
            "share",
            partial(_found, seat),
            share,
        ),
    ]


def _share(name: str, ending: str, sentence: str) -> Metric:
    return Metric(name, sentence, "share", _ended(ending), share)


METRICS = (
    _share("flag", "flag", "Share of games that end with a flag taken."),
    _share("stuck", "stuck", "Share of games that end because a side cannot move."),
    _share("quiet", "quiet", "Share of games drawn by the count of quiet plies."),
    _share("agreed", "agreed", "Share of games drawn by agreement."),
    _share("timeouts", "late", "Share of games lost on time."),
    _share("away", "away", "Share of games lost by who stayed away."),
    counted(COLUMNS["battles"]),
    *(metric for seat, who in SEATS.items() for metric in _of(seat, who)),
)
