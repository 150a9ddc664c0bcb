"""The same game under other names: one function a game, which lists relabellings of its rules."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from lab.rules import Rules


class Relabelling(NamedTuple):
    """What is played under `here` is played under `there` once every text is renamed.

    `position` and `action` rename texts, `row` the outcome's columns; it may leave some out.
    """

    here: Rules
    there: Rules
    position: Callable[[str], str]
    action: Callable[[str], str]
    row: Callable[[dict[str, Any]], dict[str, Any]]


# --- ants ---------------------------------------------------------------------------------------


def ants(rules):
    """The board turned by half a turn; and the seats exchanged, where the orders are mirrored."""
    board = rules.document.board
    turned = {
        "/board/nests": _opposite(board.nests),
        "/board/points": _opposite(board.points),
        "/board/directions": _opposite(board.directions),
        "/board/tie_break": {"lowest": "highest", "highest": "lowest"}[board.tie_break],
    }
    here = rules.override(
        {"/board/mirror_second": True, "/pheromone/decay": 0, "/turn/round_cap": 30}
    )
    exchanged = {
        "/board/nests": _opposite(board.nests)[::-1],
        "/board/points": _opposite(board.points),
        "/turn/round_cap": 31,  # rounds end half a round later: no game may get there
    }
    return [
        Relabelling(rules, rules.override(turned), _turn, _turn, dict),
        Relabelling(here, here.override(exchanged), _exchange, _turn, _exchange_row),
    ]


def _opposite(cells):
    return [[-q, -r] for q, r in cells]


def _turn(text):
    """Every cell replaced by its opposite, lists of cells put in order again."""
    text = re.sub(r"(-?\d),(-?\d)", lambda cell: f"{-int(cell[1])},{-int(cell[2])}", text)
    words = (word.partition("=") for word in text.split(" "))
    return " ".join(
        key + equals + ";".join(sorted(value.split(";"), key=_cell)) for key, equals, value in words
    )


def _cell(place):
    return [int(number) for number in place.partition(":")[0].split(",")] if "," in place else place


def _exchange(text):
    """The board turned and the players exchanged; what the first plays is half a round later."""
    words = dict(word.split("=") for word in _turn(text).split(" "))
    words["p1"], words["p2"] = words["p2"], words["p1"]
    words["scent1"], words["scent2"] = words["scent2"], words["scent1"]
    for key in ("resources", "siege"):
        words[key] = "/".join(words[key].split("/")[::-1])
    words["round"] = str(int(words["round"]) + (words["turn"] == "p2"))
    words["turn"] = {"p1": "p2", "p2": "p1"}[words["turn"]]
    return " ".join(f"{key}={value}" for key, value in words.items())


def _exchange_row(row):
    """The seats exchanged, without what is counted by whole rounds; nothing when capped."""
    if row["capped"]:
        return {}
    other = {"first": "second", "second": "first"}
    renamed = {"winner": other.get(row["winner"], "draw"), "ending": row["ending"]}
    for name, value in row.items():
        seat, _, what = name.partition("_")
        if seat in other:
            renamed[f"{other[seat]}_{what}"] = value
    return renamed
