"""What a formula's tree means: a polars expression, a unit, the least and the greatest it can be.

The last by interval arithmetic (Moore 1966): never too narrow, though often wider than need be,
because a column that stands twice is taken for two.
"""

import math
from collections.abc import Callable, Mapping
from functools import reduce
from itertools import product
from typing import NamedTuple

import polars as pl

from lab.formula.grammar import NUMBER, TRUTH, WORD, Node
from lab.outcomes import SHARE

RATE = (0.0, 1.0)
PLAIN = "a game"
"""Unit of numbers that have none: what is measured is a mean over games."""
Bounds = tuple[float, float]


# --- as polars has it ---------------------------------------------------------------------------


def expression(node: Node) -> pl.Expr:
    """The tree as an expression: null where a part says nothing."""
    if node.op == "column":
        column = pl.col(node.value)
        return column.cast(pl.Float64) if node.kind == NUMBER else column
    if node.op == "value":
        return pl.lit(node.value)
    words = any(part.kind == WORD for part in node.parts)
    truths = node.kind == TRUTH and all(part.kind == TRUTH for part in node.parts)
    plain = words or truths or node.op == "if"
    parts = [expression(part) if plain else _number(part) for part in node.parts]
    if node.op == "if" and node.kind == NUMBER:
        parts[1:] = map(_number, node.parts[1:])
    return _POLARS[node.op](*parts)


def _number(node: Node) -> pl.Expr:
    return expression(node).cast(pl.Float64) if node.kind == TRUTH else expression(node)


def _divided(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
    return part / pl.when(whole != 0).then(whole)


def _chosen(told: pl.Expr, yes: pl.Expr, *no: pl.Expr) -> pl.Expr:
    chosen = pl.when(told).then(yes)
    return chosen.when(~told).then(no[0]) if no else chosen.otherwise(None)


def _of_all(pick: Callable[..., pl.Expr]) -> Callable[..., pl.Expr]:
    """polars leaves out what is null; here that makes the whole say nothing."""

    def picked(*parts: pl.Expr) -> pl.Expr:
        return pl.when(pl.all_horizontal([part.is_not_null() for part in parts])).then(pick(*parts))

    return picked


_POLARS: dict[str, Callable[..., pl.Expr]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
    "neg": lambda a: -a,
    "abs": lambda a: a.abs(),
    "min": _of_all(pl.min_horizontal),
    "max": _of_all(pl.max_horizontal),
    "if": _chosen,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "not": lambda a: ~a,
}


# --- the least and the greatest -----------------------------------------------------------------


class Reach(NamedTuple):
    """All that a part can be; `whole` says that it is always a whole number."""

    low: float
    high: float
    whole: bool = False


ANY, COUNT = Reach(-math.inf, math.inf), Reach(0.0, math.inf, True)
Reaches = Callable[[str], Reach]
"""Of a column of numbers by its name."""


def reach(node: Node, columns: Reaches) -> Bounds:
    """The least and the greatest value of a formula by those of its columns, infinite if unknown.

    A divisor that is a whole number, as columns of outcomes are, is at least 1 away from 0, or 0
    and the game says nothing.
    """
    found = _reach(node, columns)
    return found.low, found.high


def _reach(node: Node, columns: Reaches) -> Reach:
    if node.kind == TRUTH:
        return Reach(*RATE, True)
    if node.op == "column":
        return columns(node.value)
    if node.op == "value":
        return Reach(node.value, node.value, float(node.value).is_integer())
    parts = [_reach(part, columns) for part in node.parts]
    if node.op == "/" and _is_share(node, columns):
        return Reach(*RATE)
    return _REACH[node.op](*parts)


def _is_share(node: Node, columns: Reaches) -> bool:
    """Whether a division is of one or more terms of a sum by that sum, none of them below 0."""
    part, whole = (_terms(side) for side in node.parts)
    if any(_reach(term, columns).low < 0 for term in whole):
        return False
    for term in part:
        if term not in whole:
            return False
        whole.remove(term)
    return True


def _terms(node: Node) -> list[Node]:
    return [term for part in node.parts for term in _terms(part)] if node.op == "+" else [node]


def _times(a: float, b: float) -> float:
    return a * b if a and b else 0.0  # 0 times infinity: what is never there


def _product(a: Reach, b: Reach) -> Reach:
    ends = [_times(x, y) for x, y in product(a[:2], b[:2])]
    return Reach(min(ends), max(ends), a.whole and b.whole)


def _quotient(part: Reach, whole: Reach) -> Reach:
    """By what is not 0: the positive divisors, and the negative ones."""
    least = 1.0 if whole.whole else 0.0
    above, below = max(whole.low, least), min(whole.high, -least)
    sides = []
    if whole.high > 0:
        sides.append(Reach(1 / whole.high, 1 / above if above else math.inf))
    if whole.low < 0:
        sides.append(Reach(1 / below if below else -math.inf, 1 / whole.low))
    found = [_product(part, side) for side in sides] or [Reach(0.0, 0.0)]
    return Reach(min(one.low for one in found), max(one.high for one in found))


def _size(a: Reach) -> Reach:
    low = 0.0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return Reach(low, max(abs(a.low), abs(a.high)), a.whole)


def _joined(told: Reach, *parts: Reach) -> Reach:
    lows, highs, whole = zip(*parts, strict=True)
    return Reach(min(lows), max(highs), all(whole))


def _each(pick: Callable[..., float]) -> Callable[..., Reach]:
    def picked(*parts: Reach) -> Reach:
        lows, highs, whole = zip(*parts, strict=True)
        return Reach(pick(lows), pick(highs), all(whole))

    return picked


_REACH: dict[str, Callable[..., Reach]] = {
    "+": lambda a, b: Reach(a.low + b.low, a.high + b.high, a.whole and b.whole),
    "-": lambda a, b: Reach(a.low - b.high, a.high - b.low, a.whole and b.whole),
    "*": _product,
    "/": _quotient,
    "neg": lambda a: Reach(-a.high, -a.low, a.whole),
    "abs": _size,
    "min": _each(min),
    "max": _each(max),
    "if": _joined,
}


# --- the unit -----------------------------------------------------------------------------------


def unit_of(node: Node, units: Mapping[str, str]) -> str:
    """SHARE of what lies in 0 to 1 under any rules, else the one unit of all terms, or none.

    Columns with a unit, "" if they count nothing, are of outcomes: counts, and never below 0.
    """
    low, high = reach(node, lambda name: ANY if units.get(name) is None else COUNT)
    return SHARE if low >= 0 and high <= 1 else _unit(node, units) or PLAIN


def _unit(node: Node, units: Mapping[str, str]) -> str | None:
    """None of a plain number, which goes with any unit; "" where units were mixed."""
    if node.op == "value":
        return None
    if node.op == "column":
        return units.get(node.value, "") if node.kind == NUMBER else ""
    if node.kind == TRUTH:
        return ""
    parts = node.parts[1:] if node.op == "if" else node.parts
    found = [_unit(part, units) for part in parts]
    if node.op == "/" and found[1] is not None:
        return ""
    known = [unit for unit in found if unit is not None]
    if node.op == "*" and len(known) > 1:
        return ""
    return reduce(lambda a, b: a if a == b else "", known) if known else None
