"""What is measured of Wargambit besides what is measured of every game (README 14)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lab.columns import Bounds, Value, column, counted, ratio, share
from lab.game import Metric

if TYPE_CHECKING:
    from lab.games.wargambit.rules import Wargambit

Number = Callable[["Wargambit"], int]
RUN_ENDINGS = ("clear", "out")


# --- the least and the greatest a game can reach ------------------------------------------------


def _up_to(most: Number) -> Bounds:
    return lambda rules: (0.0, float(most(cast("Wargambit", rules.document))))


def _rounds(document: "Wargambit") -> int:
    return document.run.rounds


def _hp(document: "Wargambit") -> int:
    return document.run.hp


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


def _levels(document: "Wargambit") -> int:
    return document.shop.top_level - 1


def _pieces(document: "Wargambit") -> int:
    return document.army.pieces


def _moves(document: "Wargambit") -> int:
    return document.battle.ply_cap


# --- the numbers --------------------------------------------------------------------------------


def _runs(frame: Any) -> Any:
    return frame["ending"].cast(str).is_in(RUN_ENDINGS).to_numpy()


def _of_runs(name: str) -> Value:
    """A column, NaN for a duel."""
    return lambda frame: np.where(_runs(frame), column(name)(frame), np.nan)


def _battles(frame: Any) -> Any:
    return sum(column(name)(frame) for name in ("won", "lost", "drawn"))


def _a_battle(name: str) -> Value:
    return lambda frame: ratio(column(name)(frame), _battles(frame))


def _cleared(frame: Any) -> Any:
    return np.where(_runs(frame), (frame["ending"] == "clear").to_numpy(), np.nan).astype(float)


def _survived(frame: Any) -> Any:
    """Rounds after whose battle the player was alive."""
    rounds = column("length")(frame) - (frame["ending"] == "out").to_numpy()
    return np.where(_runs(frame), rounds, np.nan)


RUN: tuple[tuple[str, str, str, str, Number], ...] = (
    ("hp", "first_hp", "HP of the player at the end of a run, 0 if it is out.", "HP", _hp),
    ("damage", "damage", "HP lost in a run.", "HP", _hp),
    ("bought", "first_bought", "Pieces bought in a run.", "pieces", _pieces),
    ("spent", "first_spent", "Gold spent on pieces in a run.", "gold", _gold),
    ("unspent", "first_gold", "Gold in hand at the end of a run.", "gold", _gold),
    ("rerolls", "first_rerolls", "Rerolls in a run.", "rerolls", _gold),
    ("levels", "first_levels", "Shop levels bought in a run.", "levels", _levels),
    ("interest", "first_interest", "Gold from interest in a run.", "gold", _interest),
    ("bonus", "first_bonus", "Gold from synergies in a run.", "gold", _bonus),
)
BATTLE: tuple[tuple[str, str, str], ...] = (
    ("battles_won", "won", "Share of the player's battles that it won."),
    ("battles_lost", "lost", "Share of the player's battles that it lost."),
    ("battles_drawn", "drawn", "Share of the player's battles that nobody won."),
    ("mates", "mates", "Share of battles that ended by mate."),
    ("stalemates", "stalemates", "Share of battles that ended by stalemate."),
    ("repetitions", "repetitions", "Share of battles that ended by a repeated position."),
    ("quiets", "quiets", "Share of battles that ended by the quiet limit."),
    ("caps", "caps", "Share of battles that ended by the cap of moves."),
)
SEATS = {"first": "White", "second": "Black"}

METRICS = (
    Metric("clear", "Share of runs that come through all rounds.", "share", _cleared, share),
    Metric(
        "survived", "Rounds that the player lived through.", "rounds", _survived, _up_to(_rounds)
    ),
    *(
        Metric(name, sentence, unit, _of_runs(source), _up_to(most))
        for name, source, sentence, unit, most in RUN
    ),
    *(
        Metric(name, sentence, "share", _a_battle(source), share)
        for name, source, sentence in BATTLE
    ),
    Metric(
        "moves", "Moves of either side in a battle.", "moves", _a_battle("moves"), _up_to(_moves)
    ),
    *(
        counted(
            seat, what, f"Value of {side}'s army {when} the last battle.", "gold", _up_to(_value)
        )
        for seat, side in SEATS.items()
        for what, when in (("army", "before"), ("left", "after"))
    ),
)
