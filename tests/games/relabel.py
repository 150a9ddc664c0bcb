"""The same game under other names: one function a game, which lists relabellings of its rules."""

import re
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from lab.games.next_nation import maps
from lab.games.next_nation.paths import complete
from lab.games.next_nation.state import MAP
from lab.jit import blank
from lab.rules import Rules
from tests.rulesets import SMALL


def each_alone(actions: list[str]) -> list[list[int]]:
    """Every action is a part by itself."""
    return [[i] for i in range(len(actions))]


def nothing(here: Any, there: Any) -> None:
    """Both records hold the same already."""


class Relabelling(NamedTuple):
    """What is played under `here` is played under `there` once every text is renamed.

    `position` and `action` rename texts, `row` the outcome's columns; it may leave some out.
    `parts` splits a game's actions into those between which positions are equal, as indices in the
    order in which `there` plays them. `carry` renames what `here`'s record was given by chance, and
    puts it into `there`'s.
    """

    here: Rules
    there: Rules
    position: Callable[[str], str]
    action: Callable[[str], str]
    row: Callable[[dict[str, Any]], dict[str, Any]]
    parts: Callable[[list[str]], list[list[int]]] = each_alone
    carry: Callable[[Any, Any], None] = nothing


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
    return _seats_exchanged(row) | {"ending": row["ending"]}


def _seats_exchanged(row):
    """Who has won, and every column of a seat, under the other seat's name."""
    other = {"first": "second", "second": "first"}
    renamed = {"winner": other.get(row["winner"], "draw")}
    for name, value in row.items():
        seat, _, what = name.partition("_")
        if seat in other:
            renamed[f"{other[seat]}_{what}"] = value
    return renamed


# --- NEXT NATION --------------------------------------------------------------------------------

DAYS = 40


def next_nation(rules):
    """Regions by other names; and the sides exchanged on a map turned by half a turn.

    Numbers of regions decide nothing but which of two equally short paths is taken: for the map
    under the new names, that is renamed with it.
    """
    here = rules.override(SMALL | {"/days": min(DAYS, rules.document.days)})
    last = 2 * SMALL["/map/half_min"]  # every map has as many: a text alone can be renamed
    shuffled = [0, *Random(7).sample(range(1, last), last - 1), last]  # HQs have fixed places
    turned = list(range(last, -1, -1))
    return [_renamed(here, shuffled, False), _renamed(here, turned, True)]


def _renamed(rules, new, exchange):
    """Region r becomes new[r], and the sides are exchanged or not."""
    return Relabelling(
        rules,
        rules,
        partial(_rename_position, new, exchange),
        partial(_rename_order, new),
        _exchange_sides if exchange else dict,
        partial(_days, exchange),
        partial(_carry_map, new),
    )


def _days(exchange, orders):
    """Every day is a part; exchanged sides give their orders the other way round."""
    ends = [i + 1 for i, order in enumerate(orders) if order == "end"]
    days, morning = [], 0
    for noon, evening in zip(ends[::2], ends[1::2], strict=True):
        left, right = list(range(morning, noon)), list(range(noon, evening))
        days.append(right + left if exchange else left + right)
        morning = evening
    return days


def _rename_order(new, order):
    kind, *numbers = order.split()
    if kind in ("upgrade", "move"):
        numbers[-1] = str(new[int(numbers[-1])])
    return " ".join([kind, *numbers])


def _rename_position(new, exchange, text):
    """A position in the morning, when nothing has been ordered yet."""
    words = dict(word.split("=") for word in text.split(" "))
    for key in ("left", "right"):
        words[key] = re.sub(
            r"(?<=\d:)\d+(?=:)|(?<=>)\d+", lambda r: str(new[int(r[0])]), words[key]
        )
    buildings = [re.split(r"(\d+)", place, maxsplit=1) for place in words["buildings"].split(";")]
    if exchange:
        words["left"], words["right"] = words["right"], words["left"]
        for key in ("gold", "training", "born"):
            words[key] = "/".join(words[key].split("/")[::-1])
        buildings = [({"L": "R", "R": "L"}[side], *rest) for side, *rest in buildings]
    placed = sorted((new[int(region)], side, rest) for side, region, rest in buildings)
    words["buildings"] = ";".join(f"{side}{region}{rest}" for region, side, rest in placed)
    return " ".join(f"{key}={value}" for key, value in words.items())


def _exchange_sides(row):
    """The sides exchanged; between its HQs a turned map may take the other of two equal paths."""
    seats = ("first", "second")
    same = {name: value for name, value in row.items() if not name.startswith(seats)}
    del same["hq_hops"], same["hq_parity"]
    return same | _seats_exchanged(row)


def _carry_map(new, here, there):
    """The map with its regions renamed, and the way from each to each as it was."""
    old, n = here["maps"][0], len(new)
    m = blank(MAP)[0]
    for name in ("seed", "n", "k"):
        m[name] = old[name]
    m["x"][new], m["y"][new] = old["x"][:n], old["y"][:n]
    strongholds = old["place"][2 : old["sites"]]
    m["place"][: old["sites"]] = 0, n - 1, *sorted(new[r] for r in strongholds)
    start = old["start"]
    beside = {
        new[u]: sorted(new[v] for v in old["beside"][start[u] : start[u + 1]]) for u in range(n)
    }
    m["start"][1 : n + 1] = np.cumsum([len(beside[u]) for u in range(n)])
    m["beside"][: m["start"][n]] = [v for u in range(n) for v in beside[u]]
    hop = np.empty((n, n), np.uint8)
    hop[np.ix_(new, new)] = np.array(new)[old["hop"][: n * n].reshape(n, n)]
    m["hop"][: n * n] = hop.ravel()
    complete(m, -1)
    maps.put(there, 0, m)


# --- Wargambit ----------------------------------------------------------------------------------

ARSENAL = ("lance", "scout", "cannon")


def wargambit(rules):
    """Other letters for the arsenal, the synergies the other way round; and the lance a scout.

    Lance and scout are neighbours in the order of pieces: where only one of them comes from shops
    and their prices differ, no other piece's place in that order tells which is which.
    """
    letters = [getattr(rules.document.arsenal, name).letter for name in ARSENAL]
    turned = letters[1:] + letters[:1]
    renamed = {
        f"/arsenal/{name}/letter": letter for name, letter in zip(ARSENAL, turned, strict=True)
    }
    synergies = [row.model_dump() for row in rules.document.synergies]
    there = rules.override(renamed | {"/synergies": synergies[::-1]})
    new = str.maketrans(dict(zip(letters, turned, strict=True)))
    position, action = partial(_rename_men, new), partial(_rename_placing, new)
    return [
        Relabelling(rules, there, position, action, dict, _until_ready),
        _exchange_kinds(rules),
    ]


def _until_ready(actions):
    """What a seat does until it is ready is a part."""
    parts = [[]]
    for i, action in enumerate(actions):
        parts[-1].append(i)
        if action == "ready":
            parts.append([])
    return [part for part in parts if part]


def _rename_men(new, text):
    """Every letter of shops, armies and placements that is no square's."""
    words = dict(word.split("=") for word in text.split(" "))
    for key in ("record", "shop", "army", "places"):
        words[key] = re.sub("[a-z](?![12])", lambda letter: letter[0].translate(new), words[key])
    return " ".join(f"{key}={value}" for key, value in words.items())


def _rename_placing(new, action):
    kind, *about = action.split()
    if kind == "place":
        about[0] = about[0].translate(new)
    return " ".join([kind, *about])


def _exchange_kinds(rules):
    """Whatever is said of lances is said of scouts, letters and all, and the other way round."""
    price = rules.document.shop.price
    here = rules.override(
        {
            "/shop/weight_follows_price": False,
            "/shop/weight": rules.value("/shop/weight") | {"pawn": 9, "scout": 0},
            "/shop/tier/pawn": 1,  # so that the shop has something to sell
            "/shop/price/scout": price.scout % 30 + 1
            if price.scout == price.lance
            else price.scout,
        }
    )
    other = {"lance": "scout", "scout": "lance"}
    changes = {"/synergies": [row.model_dump() for row in here.document.synergies]}
    for row in changes["/synergies"]:
        for need in row["needs"]:
            need["piece"] = other.get(need["piece"], need["piece"])
    for one, its in other.items():
        for numbers in ("/arsenal", "/shop/price", "/shop/tier", "/shop/weight"):
            changes[f"{numbers}/{one}"] = here.value(f"{numbers}/{its}")
    there = here.override(changes)
    position = partial(_order_armies, there.document.letters())
    return Relabelling(here, there, position, str, dict, _until_ready)


def _order_armies(letters, text):
    """An army is told in the order of its pieces, the last first."""
    words = dict(word.split("=") for word in text.split(" "))
    armies = [army.split("+") for army in words["army"].split("/")]
    for army in armies:
        army.sort(key=lambda men: letters.find(men[-1]), reverse=True)
    words["army"] = "/".join("+".join(army) for army in armies)
    return " ".join(f"{key}={value}" for key, value in words.items())


# --- Junqi --------------------------------------------------------------------------------------

SIDES = str.maketrans("wb", "bw")


def junqi(rules):
    """The board turned by half a round and the seats exchanged, from the first move on.

    White begins under any name, so that set-ups are made under `here` alone.
    """
    board = rules.document.board
    turned = {
        "/board/camps": [_turn_node(node) for node in board.camps],
        "/board/headquarters": [_turn_node(node) for node in board.headquarters],
        "/board/rails": [{"nodes": [_turn_node(node) for node in r.nodes]} for r in board.rails],
    }
    there = rules.override(turned)
    return [Relabelling(rules, there, _turn_table, _turn_move, _exchange_armies, _after_setup)]


def _after_setup(actions):
    """Every action that follows the second `ready` is a part."""
    ready = [i for i, action in enumerate(actions) if action == "ready"]
    return [[i] for i in range(ready[1] + 1, len(actions))]


def _turn_node(node):
    column, row = "EDCBA"["ABCDE".index(node[0])], node[1:]
    return column + (row if row == "F" else str(13 - int(row)))


def _turn_move(text):
    """Every node of a text replaced by its opposite; other words have no capitals."""
    return re.sub(r"[A-E](F|\d+)", lambda node: _turn_node(node[0]), text)


def _turn_table(text):
    """A position as the players see it who changed their seats: lists put in order again."""
    words = text.split(" ")
    pieces = [word for word in words if "@" in word]
    told = dict(word.split("=") for word in words[len(pieces) :])
    for key in {"turn", "offer", "timed", "gone"} & told.keys():
        told[key] = told[key].translate(SIDES)
    for key in {"late", "offered"} & told.keys():
        told[key] = "/".join(told[key].split("/")[::-1])
    if "timed" in told:
        told["timed"] = "".join(sorted(told["timed"], reverse=True))
    if "gone" in told:
        gone = sorted(told["gone"].split(";"), key=lambda piece: (piece[0] == "b", piece))
        told["gone"] = ";".join(gone)
    if "winner" in told:
        told["winner"] = {"first": "second", "second": "first"}.get(told["winner"], "draw")
    pieces = [_turn_piece(piece) for piece in reversed(pieces)]
    return " ".join([*pieces, *(f"{key}={value}" for key, value in told.items())])


def _turn_piece(word):
    """The n-th node from the start becomes the n-th from the end: w5@A6:1-9 is b5@E7:1-9."""
    piece, _, rest = word.partition("@")
    node, colon, kinds = rest.partition(":")
    return f"{piece.translate(SIDES)}@{_turn_node(node)}{colon}{kinds}"


def _exchange_armies(row):
    """The seats exchanged, without what counts the actions of set-ups; nothing of no game."""
    if not row["length"]:
        return {}
    same = {name: row[name] for name in ("ending", "capped", "length", "battles")}
    return same | _seats_exchanged(row)
