"""What a game's row says (README 14), and the least and the greatest it can say."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from lab.game import Column
from lab.outcomes import Bounds, named, of_seats

if TYPE_CHECKING:
    from lab.games.wargambit.rules import Wargambit

Number = Callable[["Wargambit"], int]
SEATS = {"first": "White", "second": "Black"}


# --- the least and the greatest a game can reach ------------------------------------------------


def up_to(most: Number) -> Bounds:
    """From 0 to what a document says."""
    return lambda rules: (0.0, float(most(cast("Wargambit", rules.document))))


def rounds(document: "Wargambit") -> int:
    """Rounds of a whole run."""
    return document.run.rounds


def _hp(document: "Wargambit") -> int:
    return document.run.hp


def moves(document: "Wargambit") -> int:
    """Of one battle."""
    return document.battle.ply_cap


def _all_moves(document: "Wargambit") -> int:
    return document.run.rounds * document.battle.ply_cap


def _interest(document: "Wargambit") -> int:
    return document.run.rounds * document.income.interest_most


def _bonus(document: "Wargambit") -> int:
    rows = sum(row.amount for row in document.synergies if row.effect == "income")
    return document.run.rounds * rows


def _gold(document: "Wargambit") -> int:
    income = max(document.income.first, document.income.most)
    return document.run.rounds * income + _interest(document) + _bonus(document)


def _value(document: "Wargambit") -> int:
    """Every piece a queen's or whatever is dearest, pawns promoted."""
    prices: list[int] = list(document.shop.price.model_dump().values())
    return document.army.pieces * max(prices)


def _level(document: "Wargambit") -> int:
    return document.shop.top_level


def _levels(document: "Wargambit") -> int:
    return document.shop.top_level - 1


def _pieces(document: "Wargambit") -> int:
    return document.army.pieces


# --- the columns --------------------------------------------------------------------------------


def _each(name: str, sentence: str, unit: str, most: Number) -> tuple[Column, ...]:
    return of_seats(SEATS, name, sentence, unit, up_to(most))


def _battles(name: str, which: str) -> Column:
    return Column(name, f"Battles of White {which}.", "battles", up_to(rounds))


COLUMNS = named(
    *_each("hp", "HP of {who} at the end of a run, 0 if it is out.", "HP", _hp),
    *_each("gold", "Gold that {who} has in hand at the end of a run.", "gold", _gold),
    *_each("level", "Level of {who}'s shop at the end of a run.", "level", _level),
    *_each("bought", "Pieces that {who} bought in a run.", "pieces", _pieces),
    *_each("spent", "Gold that {who} spent on pieces in a run.", "gold", _gold),
    *_each("rerolls", "Rerolls of {who} in a run.", "rerolls", _gold),
    *_each("levels", "Shop levels that {who} bought in a run.", "levels", _levels),
    *_each("interest", "Gold that {who} had from interest in a run.", "gold", _interest),
    *_each("bonus", "Gold that {who} had from synergies in a run.", "gold", _bonus),
    *_each("army", "Value of {who}'s army before the last battle.", "gold", _value),
    *_each("left", "Value of {who}'s army after the last battle.", "gold", _value),
    _battles("won", "that it won"),
    _battles("lost", "that it lost"),
    _battles("drawn", "that nobody won"),
    _battles("mates", "that ended by mate"),
    _battles("stalemates", "that ended by stalemate"),
    _battles("repetitions", "that ended by a repeated position"),
    _battles("quiets", "that ended by the quiet limit"),
    _battles("caps", "that ended by the cap of moves"),
    Column("moves", "Moves of either side, over all battles of White.", "moves", up_to(_all_moves)),
    Column("damage", "HP that White lost in a run.", "HP", up_to(_hp)),
)
