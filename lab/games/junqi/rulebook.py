"""What the rulebook shows besides the numbers themselves: the board, ways to go, battles, clues."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from lab.games.junqi.board import (
    DIRECTIONS,
    Edge,
    battle,
    beside,
    neighbours,
    rail_edges,
    ray,
    road_edges,
    ways,
)
from lab.games.junqi.formations import LETTERS
from lab.games.junqi.rules import COLUMNS, KINDS, NODES, STATIONS, Junqi
from lab.games.junqi.state import BOTH_GO, FALLS, FLAG, MINE, RANKED, STAYS

FATES = {STAYS: "stays", FALLS: "falls", BOTH_GO: "both_go"}
MEETINGS = (
    ("army", "division"),
    ("division", "army"),
    ("brigade", "brigade"),
    ("engineer", "mine"),
    ("marshal", "mine"),
    ("bomb", "mine"),
    ("marshal", "bomb"),
    ("bomb", "marshal"),
    ("platoon", "flag"),
    ("bomb", "flag"),
)
"""Attackers and defenders of the examples."""
WATCHED = "brigade"
"""Whose battles the clues are told of, if there are any."""
START = "A6"
"""Where the examples of moves begin."""
ROWS = [*range(12, 6, -1), "F", *range(6, 0, -1)]
"""The rows of the drawn board from above, the front among them."""
SLANTS = " /\\X"
"""No slanting edge, one that climbs to the right, one that falls, both."""


class Line(NamedTuple):
    """A line of rail: its ends, and the station on its way or nothing."""

    one: str
    other: str
    station: str


class Meeting(NamedTuple):
    """A worked battle and its outcome."""

    attacker: str
    defender: str
    fate: str


class Clue(NamedTuple):
    """Who the enemy may have been, if this happened to the attacker."""

    fate: str
    attacked: list[str]  # where one's own piece attacked
    defended: list[str]  # where it was attacked


def facts(rules: Junqi) -> dict[str, Any]:
    """Everything the templates draw, list or work out; the names are the templates'."""
    counts = dict(zip(KINDS, rules.counts(), strict=True))
    watched = next(name for name in (WATCHED, *KINDS) if counts[name])
    return {
        "pieces": len(rules.places()),
        "kinds": kinds(rules),
        "picture": picture(rules),
        "rails": [line(rail.nodes) for rail in rules.board.rails],
        "mine_places": len(rules.stands("mine")),
        "bomb_places": len(rules.stands("bomb")),
        "start": START,
        "plain": len(reach(rules, START, engineer=False)),
        "engineer": len(reach(rules, START, engineer=True)),
        "meetings": [
            Meeting(one, other, fate(rules, one, other))
            for one, other in MEETINGS
            if counts[one] and counts[other]
        ],
        "watched": watched,
        "clues": clues(rules, watched, [name for name in KINDS if counts[name]]),
    }


def kinds(rules: Junqi) -> list[dict[str, Any]]:
    """2. Every kind, the strongest first, then those without a rank (0)."""
    ranks = [*rules.rank.model_dump().values(), *[0] * (len(KINDS) - RANKED)]
    told = [
        {"name": name, "letter": letter, "rank": rank, "count": number}
        for name, letter, rank, number in zip(KINDS, LETTERS, ranks, rules.counts(), strict=True)
    ]
    return sorted(told[RANKED - 1 :: -1], key=lambda kind: -kind["rank"]) + told[RANKED:]


def line(nodes: Sequence[str]) -> Line:
    """1.3 A line of rail by its ends."""
    return Line(nodes[0], nodes[-1], next((n for n in nodes[1:-1] if n in STATIONS), ""))


def fate(rules: Junqi, attacker: str, defender: str) -> str:
    """5. What becomes of an attacker."""
    return FATES.get(battle(rules, KINDS.index(attacker), KINDS.index(defender)), "flag")


def clues(rules: Junqi, watched: str, known: list[str]) -> list[Clue]:
    """8.3 Whom a battle leaves, for each outcome that does not end the game."""
    movers = [name for name in known if KINDS.index(name) not in (MINE, FLAG)]
    return [
        Clue(
            told,
            [other for other in known if fate(rules, watched, other) == told],
            [other for other in movers if fate(rules, other, watched) == told],
        )
        for told in FATES.values()
    ]


def reach(rules: Junqi, node: str, engineer: bool) -> set[str]:
    """4.1 Where a piece may go on the empty board."""
    rails = rail_edges(rules)
    lines = (
        [ways(node, neighbours(rails))]
        if engineer
        else [ray(node, step, rails) for step in DIRECTIONS]
    )
    return beside(node, road_edges(rules)).union(*lines) - {node}


# --- the board as text --------------------------------------------------------------------------


def picture(rules: Junqi) -> str:
    """The board as White sees it: `+` a place, `O` a camp, `H` headquarters, `^` mountains."""
    rails = rail_edges(rules)
    edges = road_edges(rules) | rails
    lines = ["     " + "   ".join(COLUMNS)]
    for row, below in zip(ROWS, [*ROWS[1:], None], strict=True):
        lines.append(f"{row:>2}   {_row(rules, row, edges, rails)}")
        if below is not None:
            lines.append(f"     {_between(row, below, edges, rails)}".rstrip())
    return "\n".join(lines)


def _row(rules: Junqi, row: object, edges: set[Edge], rails: set[Edge]) -> str:
    """The nodes of a row, and the edges along it."""
    signs = dict.fromkeys(NODES, "+")
    signs |= dict.fromkeys(rules.board.camps, "O")
    signs |= dict.fromkeys(rules.board.headquarters, "H")
    names = [f"{column}{row}" for column in COLUMNS]
    text = signs.get(names[0], "^")
    for pair in pairwise(names):
        edge = frozenset(pair)
        text += ("═" if edge in rails else "─" if edge in edges else " ") * 3
        text += signs.get(pair[1], "^")
    return text


def _between(row: object, below: object, edges: set[Edge], rails: set[Edge]) -> str:
    """The edges from a row to the one below it: straight ones, and slanting ones between."""
    text = ""
    for column, following in zip(COLUMNS, [*COLUMNS[1:], ""], strict=True):
        edge = frozenset((f"{column}{row}", f"{column}{below}"))
        text += "║" if edge in rails else "│" if edge in edges else " "
        falls = frozenset((f"{column}{row}", f"{following}{below}")) in edges
        climbs = frozenset((f"{column}{below}", f"{following}{row}")) in edges
        text += f" {SLANTS[2 * falls + climbs]} "
    return text
