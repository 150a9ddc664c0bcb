"""What the rulebook shows besides the numbers themselves: the board, prices, worked examples."""

from typing import Any, NamedTuple

from lab.games.ants.rules import DIRECTIONS, Ants

Cell = tuple[int, int]
COMPASS = dict(zip(DIRECTIONS, ("E", "NE", "NW", "W", "SW", "SE"), strict=True))
RISES = 3  # of the price of each kind, in the table of prices


class Army(NamedTuple):
    """Ants of one side on one cell, in the order in which a winner loses them."""

    workers: int = 0
    soldiers: int = 0
    queens: int = 0


class Fight(NamedTuple):
    """A worked fight: who met, whether a pheromone of `ours` lay there, and what is left."""

    ours: Army
    theirs: Army
    scent: bool
    power: tuple[int, int]
    left: tuple[Army, Army]


class Walk(NamedTuple):
    """A worked march from the first nest to the nearest resource point."""

    path: list[Cell]
    turns: int


def facts(rules: Ants) -> dict[str, Any]:
    """Everything the templates draw, count or work out; the names are the templates'."""
    board = rules.board
    cells = _cells(board.radius)
    nests = [_cell(nest) for nest in board.nests]
    compass = [COMPASS[_cell(step)] for step in board.directions]
    made = {"worker": rules.units.worker, "soldier": rules.units.soldier}
    owned = sorted({n * unit.cost_step for unit in made.values() for n in range(RISES + 1)})
    return {
        "cells": len(cells),
        "picture": _picture(rules, cells),
        "compass": compass,
        "opposite": _opposites(compass),
        "beside": [sum(_distance(cell, nest) == 1 for cell in cells) for nest in nests],
        "halves": [
            sum(_distance(cell, own) < _distance(cell, other) for cell in cells)
            for own, other in (nests, nests[::-1])
        ],
        "owned": owned,
        "prices": {
            kind: [unit.cost + number // unit.cost_step for number in owned]
            for kind, unit in made.items()
        },
        "walk": _walk(rules),
        "fights": [
            fight(Army(soldiers=1), Army(workers=1), False, rules),
            fight(Army(soldiers=2), Army(queens=1), False, rules),
            fight(Army(workers=1, soldiers=1), Army(soldiers=1), False, rules),
            fight(Army(workers=2, soldiers=1), Army(workers=2, soldiers=1), False, rules),
            fight(Army(workers=2, soldiers=1), Army(workers=2, soldiers=1), True, rules),
        ],
    }


def _opposites(compass: list[str]) -> list[str]:
    """Every direction replaced by its opposite: the order of a mirrored second player."""
    opposite = {"E": "W", "W": "E", "N": "S", "S": "N"}
    return ["".join(opposite[letter] for letter in name) for name in compass]


def fight(ours: Army, theirs: Army, scent: bool, rules: Ants) -> Fight:
    """README 6: the larger sum wins; equal sums go to the pheromone's owner, else all die."""
    units = rules.units
    each = Army(units.worker.power, units.soldier.power, units.queen.power)
    power = (_power(ours, each), _power(theirs, each))
    nobody = Army()
    if power[0] > power[1]:
        left = (_survivors(ours, power[1], each), nobody)
    elif power[0] < power[1]:
        left = (nobody, _survivors(theirs, power[0], each))
    elif scent:
        left = (_survivors(ours, power[1] // rules.combat.tie_loss_divisor, each), nobody)
    else:
        left = (nobody, nobody)
    return Fight(ours, theirs, scent, power, left)


def _power(army: Army, each: Army) -> int:
    return sum(count * power for count, power in zip(army, each, strict=True))


def _survivors(army: Army, loss: int, each: Army) -> Army:
    """README 6.1: one ant at a time, until one is worth more than the loss that is left."""
    left = list(army)
    for kind, power in enumerate(each):
        fallen = min(left[kind], loss // power)
        left[kind] -= fallen
        loss -= fallen * power
        if left[kind]:
            break
    return Army(*left)


def _walk(rules: Ants) -> Walk | None:
    """None when there is nowhere to walk to, or nobody walks.

    The nearest point, so that no other point on the way can anchor the worker.
    """
    if not rules.board.points or not rules.march.cells:
        return None
    at = _cell(rules.board.nests[0])
    goal = min((_cell(point) for point in rules.board.points), key=lambda p: _distance(at, p))
    path = [at]
    while at != goal:
        steps = ((at[0] + q, at[1] + r) for q, r in rules.board.directions)
        at = next(cell for cell in steps if _distance(cell, goal) < _distance(at, goal))
        path.append(at)
    return Walk(path, turns=-(-(len(path) - 1) // rules.march.cells))


def _picture(rules: Ants, cells: list[Cell]) -> str:
    """The board as text: a row for each r, indented so that neighbours touch."""
    signs = {_cell(point): "◎" for point in rules.board.points}
    signs |= {_cell(nest): sign for nest, sign in zip(rules.board.nests, "AB", strict=True)}
    radius = rules.board.radius
    rows = []
    for r in range(-radius, radius + 1):
        row = " ".join(signs.get(cell, "·") for cell in cells if cell[1] == r)
        rows.append(f"r = {r:2d}   {' ' * abs(r)}{row}")
    return "\n".join(rows)


def _cells(radius: int) -> list[Cell]:
    span = range(-radius, radius + 1)
    return [(q, r) for q in span for r in span if abs(q + r) <= radius]


def _cell(pair: list[int]) -> Cell:
    return pair[0], pair[1]


def _distance(a: Cell, b: Cell) -> int:
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))
