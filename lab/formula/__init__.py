"""Formulas over the columns of outcomes: `first_gold - second_gold`, `length < 20 and capped`.

A person's text becomes a measure of games. What may stand in it: `lab.formula.grammar`. What is
true or false is measured as a rate, anything else as a mean. Where a part says nothing (a division
by 0, an ending that a match does not have), the game is left out.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl

from lab.errors import bad
from lab.formula.grammar import NUMBER, TRUTH, Kinds, parse
from lab.formula.meaning import ANY, RATE, Reach, expression, reach, unit_of
from lab.frames import columns_of
from lab.game import WINNERS, Column, Game, Metric
from lab.outcomes import SHARE
from lab.rules import Rules

__all__ = ["kinds_of", "metric", "value_of"]

UNMEASURED = ("game", "history")
"""Columns that are no numbers of a game but its names."""


def kinds_of(game: Game) -> Kinds:
    """The columns that a formula may name, and what each of them holds."""
    words: Kinds = {"winner": WINNERS, "ending": game.endings, "capped": TRUTH}
    return {name: words.get(name, NUMBER) for name in columns_of(game) if name not in UNMEASURED}


def metric(text: str, kinds: Kinds, columns: Mapping[str, Column], name: str = "") -> Metric:
    """A formula as a metric, by default under its own text as its name.

    `kinds` are what it may name, `columns` those of them that are a game's outcomes. BadInput
    names the character at fault.
    """
    node = parse(text, kinds)
    unit = unit_of(node, {known: column.unit for known, column in columns.items()})

    def bounds(rules: Rules) -> tuple[float, float]:
        def of(column: str) -> Reach:
            return Reach(*columns[column].bounds(rules), True) if column in columns else ANY

        return RATE if unit == SHARE else reach(node, of)

    return Metric(name or text, f"The formula {text}.", unit, value_of(expression(node)), bounds)


def value_of(wanted: pl.Expr) -> Callable[[Any], Any]:
    """Takes a frame and gives a number a game, NaN where the expression says nothing."""
    numbers = wanted.cast(pl.Float64).fill_null(np.nan).alias("_")

    def value(frame: Any) -> Any:
        found = frame.select(numbers).to_series()
        if found.len() != frame.height:
            raise bad("measure", f"{found.len()} value of {wanted}", "a value for each game")
        return found.to_numpy()

    return value
