"""What a game's row says (README 10), and the least and the greatest it can say."""

from typing import TYPE_CHECKING, cast

from lab.game import Column
from lab.outcomes import Bounds, named, of_seats

if TYPE_CHECKING:
    from lab.games.ants.rules import Ants
    from lab.rules import Rules

SEATS = {"first": "the first player", "second": "the second player"}


# --- the least and the greatest a game can reach ------------------------------------------------


def rounds(rules: "Rules") -> tuple[float, float]:
    """As many as the cap allows."""
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
    return 0.0, most * rounds(rules)[1] * _ants(rules).march.cells


def _resources(rules: "Rules") -> tuple[float, float]:
    document = _ants(rules)
    income = document.income
    a_turn = income.nest + income.point * income.workers_per_point * len(document.board.points)
    gathered = income.gather * _actions("gather")(rules)[1]
    return 0.0, max(document.start.resources) + a_turn * rounds(rules)[1] + gathered


def _territory(rules: "Rules") -> tuple[float, float]:
    document = _ants(rules)
    cells = 1 + 3 * document.board.radius * (document.board.radius + 1)
    held = document.cap.point_value * len(document.board.points)
    return 0.0, float(held + document.cap.cell_value * cells)


def _ants(rules: "Rules") -> "Ants":
    return cast("Ants", rules.document)


# --- the columns --------------------------------------------------------------------------------


def _each(name: str, sentence: str, unit: str, bounds: Bounds) -> tuple[Column, ...]:
    return of_seats(SEATS, name, sentence, unit, bounds)


COLUMNS = named(
    *_each("workers_made", "Workers {who} made.", "ants", _actions("produce")),
    *_each("soldiers_made", "Soldiers {who} made.", "ants", _actions("produce")),
    *_each("gathers", "How often {who} gathered.", "actions", _actions("gather")),
    *_each("placed", "Pheromones {who} placed.", "pheromones", _actions("place")),
    *_each("reinforced", "Pheromones {who} reinforced.", "pheromones", _actions("reinforce")),
    *_each("destroyed", "Enemy pheromones {who} destroyed.", "pheromones", _actions("destroy")),
    *_each(
        "stranded",
        "How often an ant of {who} stood still in a march for want of an own pheromone.",
        "marches",
        _stranded,
    ),
    *_each(
        "territory", "Territory of {who} at the end, whatever ended it.", "territory", _territory
    ),
    *_each("resources", "Resources {who} has left at the end.", "resources", _resources),
    *_each("workers", "Workers of {who} alive at the end.", "ants", _living("workers")),
    *_each("soldiers", "Soldiers of {who} alive at the end.", "ants", _living("soldiers")),
    Column(
        "lead_changes",
        "How often the lead in ants and resources passed from one player to the other.",
        "changes",
        rounds,
    ),
    Column(
        "decided",
        "The round from which on the winner was always ahead; 0 for a draw.",
        "rounds",
        rounds,
    ),
)
