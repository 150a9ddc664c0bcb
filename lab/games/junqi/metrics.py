"""What is measured of a game of junqi besides what is measured of every game (README 11)."""

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from lab.columns import Value, column, counted, ratio, share
from lab.game import Metric
from lab.games.junqi.rules import KINDS

if TYPE_CHECKING:
    from lab.games.junqi.rules import Junqi
    from lab.rules import Rules

SEATS = {"first": "the first player", "second": "the second player"}


# --- the least and the greatest a game can reach ------------------------------------------------


def _document(rules: "Rules") -> "Junqi":
    return cast("Junqi", rules.document)


def _men(rules: "Rules") -> tuple[float, float]:
    return 0.0, float(len(_document(rules).places()))


def _battles(rules: "Rules") -> tuple[float, float]:
    return 0.0, 2 * _men(rules)[1]


def _plies(rules: "Rules") -> tuple[float, float]:
    """Each battle but the last may end a row of quiet plies."""
    return 0.0, (_battles(rules)[1] + 1) * _document(rules).draw.quiet_limit


def _mines(rules: "Rules") -> tuple[float, float]:
    return 0.0, float(_document(rules).count.mine)


def _bombed(rules: "Rules") -> tuple[float, float]:
    document = _document(rules)
    strongest = max(document.rank.model_dump().values())
    return 0.0, float(document.count.bomb * strongest)


def _late(rules: "Rules") -> tuple[float, float]:
    return 0.0, float(_document(rules).clock.late_limit)


# --- the numbers --------------------------------------------------------------------------------


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
    one: Any = partial(counted, seat)
    return [
        one("pieces", f"Pieces that {who} has left at the end.", "pieces", _men),
        one("killed", f"Enemy pieces that were gone in battles of {who}.", "pieces", _men),
        one("cleared", f"Mines that engineers of {who} took.", "mines", _mines),
        one("bombed", f"Ranks of the pieces that bombs of {who} took along.", "ranks", _bombed),
        one("late", f"Turns of {who} that passed for want of time.", "turns", _late),
        one("offers", f"Draws that {who} offered.", "offers", _plies),
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
    Metric("battles", "Battles in a game.", "battles", column("battles"), _battles),
    *(metric for seat, who in SEATS.items() for metric in _of(seat, who)),
)
