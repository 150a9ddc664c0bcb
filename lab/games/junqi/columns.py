"""What a game's row says (README 11), and the least and the greatest it can say."""

from typing import TYPE_CHECKING, cast

from lab.game import Column
from lab.games.junqi.rules import KINDS
from lab.outcomes import Bounds, named, of_seats

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


def _options(rules: "Rules") -> tuple[float, float]:
    return 0.0, _men(rules)[1] * len(KINDS)


# --- the columns --------------------------------------------------------------------------------


def _each(name: str, sentence: str, unit: str, bounds: Bounds) -> tuple[Column, ...]:
    return of_seats(SEATS, name, sentence, unit, bounds)


COLUMNS = named(
    Column("battles", "Battles in a game.", "battles", _battles),
    *_each("pieces", "Pieces that {who} has left at the end.", "pieces", _men),
    *_each("killed", "Enemy pieces that were gone in battles of {who}.", "pieces", _men),
    *_each("cleared", "Mines that engineers of {who} took.", "mines", _mines),
    *_each("bombed", "Ranks of the pieces that bombs of {who} took along.", "ranks", _bombed),
    *_each("late", "Turns of {who} that passed for want of time.", "turns", _late),
    *_each("offers", "Draws that {who} offered.", "offers", _plies),
    *_each(
        "options",
        "Kinds that the enemy's pieces may still be for {who} at the end, over all of them.",
        "kinds",
        _options,
    ),
    *_each(
        "found",
        "The ply after which {who} was certain of the enemy's flag; 0 if never.",
        "plies",
        _plies,
    ),
)
