"""What is measured of Wargambit besides what is measured of every game (README 14)."""

from typing import Any

import numpy as np

from lab.game import Metric
from lab.games.wargambit.columns import COLUMNS, moves, rounds, up_to
from lab.outcomes import Value, column, counted, ratio, share

RUN_ENDINGS = ("clear", "out")


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


RUN: tuple[tuple[str, str, str], ...] = (
    ("hp", "first_hp", "HP of the player at the end of a run, 0 if it is out."),
    ("damage", "damage", "HP lost in a run."),
    ("bought", "first_bought", "Pieces bought in a run."),
    ("spent", "first_spent", "Gold spent on pieces in a run."),
    ("unspent", "first_gold", "Gold in hand at the end of a run."),
    ("rerolls", "first_rerolls", "Rerolls in a run."),
    ("levels", "first_levels", "Shop levels bought in a run."),
    ("interest", "first_interest", "Gold from interest in a run."),
    ("bonus", "first_bonus", "Gold from synergies in a run."),
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

METRICS = (
    Metric("clear", "Share of runs that come through all rounds.", "share", _cleared, share),
    Metric("survived", "Rounds that the player lived through.", "rounds", _survived, up_to(rounds)),
    *(
        Metric(name, sentence, COLUMNS[source].unit, _of_runs(source), COLUMNS[source].bounds)
        for name, source, sentence in RUN
    ),
    *(
        Metric(name, sentence, "share", _a_battle(source), share)
        for name, source, sentence in BATTLE
    ),
    Metric("moves", "Moves of either side in a battle.", "moves", _a_battle("moves"), up_to(moves)),
    *(
        counted(COLUMNS[name])
        for name in ("first_army", "first_left", "second_army", "second_left")
    ),
)
