"""A position and an action of ants as text, and read back from it (README 4 and 11)."""

import re
from functools import cache
from typing import Any

import numpy as np

from lab.errors import bad
from lab.games.ants import board
from lab.games.ants.picture import svg
from lab.games.ants.state import DRAW, ENDINGS, PLACE, RUNNING, SOLDIER, STATE, WORKER
from lab.line import Word, demand, words_of

__all__ = ["action_text", "parse", "parse_action", "svg", "text"]

ACTIONS = ("end", "produce worker", "produce soldier", "gather")
ON_CELL = ("placePheromone", "reinforce", "destroyPheromone")
COUNTS = ("round", "ap", "resources", "siege", "fresh", "gathered")
KEYS = ("turn", *COUNTS, "p1", "p2", "scent1", "scent2")
END_KEYS = ("winner", "ending")
WINNERS = ("p1", "p2", "draw")
ENDED = tuple(ending.replace(" ", "-") for ending in ENDINGS)

MOST_RESOURCES = 1_000_000
MOST_ANTS = 10_000
"""More than any game can reach, and far from the ends of the state's integers."""


# --- writing ------------------------------------------------------------------------------------


def text(record: Any, state: Any) -> str:
    """The position in one line, README 11; `record` are the packed rules, `state` a STATE."""
    words = [f"turn=p{state['side'] + 1}"]
    if state["ending"] != RUNNING:
        winner, ending = WINNERS[state["winner"]], ENDED[state["ending"]]
        words = ["turn=over", f"winner={winner}", f"ending={ending}"]
    words += [f"round={state['round']}", f"ap={state['ap']}"]
    words += [f"{key}={state[key][0]}/{state[key][1]}" for key in ("resources", "siege")]
    words += [f"fresh={state['fresh'][WORKER]}+{state['fresh'][SOLDIER]}"]
    words += [f"gathered={state['gathered']}"]
    words += [f"p{side + 1}={_ants_text(record, state, side)}" for side in (0, 1)]
    words += [f"scent{side + 1}={_scents_text(record, state, side)}" for side in (0, 1)]
    return " ".join(words)


def _ants_text(record: Any, state: Any, side: int) -> str:
    nest, (workers, soldiers) = int(record["nest"][side]), state["ants"][side].tolist()
    listing = []
    for number, (q, r) in enumerate(_cells(record)):
        queens = state["queens"][side] if number == nest else 0
        counts = ((queens, "q"), (workers[number], "w"), (soldiers[number], "s"))
        here = "".join(f"{n}{letter}" for n, letter in counts if n)
        if here:
            listing.append(f"{q},{r}:{here}")
    return ";".join(listing) or "-"


def _scents_text(record: Any, state: Any, side: int) -> str:
    mask, strength = int(state["pheromone"][side]), state["strength"]
    cells = enumerate(_cells(record))
    return ";".join(f"{q},{r}:{strength[n]}" for n, (q, r) in cells if mask >> n & 1) or "-"


def action_text(record: Any, action: int) -> str:
    """An action as README 4 writes it."""
    kind, cell = divmod(int(action), 64)
    if kind < PLACE:
        return ACTIONS[kind]
    q, r = _cells(record)[cell]
    return f"{ON_CELL[kind - PLACE]} {q},{r}"


def _cells(record: Any) -> list[tuple[int, int]]:
    return _cells_of(int(record["board"]["radius"]))


@cache
def _cells_of(radius: int) -> list[tuple[int, int]]:
    return list(board.cells_of(radius))


# --- reading ------------------------------------------------------------------------------------


def parse_action(record: Any, text: str) -> int:
    """The action of a text of README 4, legal or not; BadInput with the nearest action."""
    words = text.split()
    if " ".join(words) in ACTIONS:
        return 64 * ACTIONS.index(" ".join(words))
    if len(words) == 2 and words[0] in ON_CELL:
        cell = _cell(record, Word(f"action {text!r}", words[1]), words[1])
        return 64 * (PLACE + ON_CELL.index(words[0])) + cell
    known = (*ACTIONS, *(f"{name} q,r" for name in ON_CELL))
    raise bad("action", repr(text), "one of " + ", ".join(known), text, known)


def parse(record: Any, text: str) -> Any:
    """The STATE record of a position's text, README 11; its words may come in any order.

    BadInput names the word at fault. What the kernels keep beside a position, from the living to
    the cells in reach, is filled too. A finished game has nobody to move: its `side` is 0.
    """
    words = _words(text)
    state: Any = np.zeros(1, STATE)[0]
    _read_turn(record, words, state)
    for side in (0, 1):
        _read_ants(record, words[f"p{side + 1}"], state, side)
        _read_scents(record, words[f"scent{side + 1}"], state, side)
    if state["ending"] == RUNNING:
        _read_mover(record, words, state)
    return state


def _words(text: str) -> dict[str, Word]:
    """Every word by its key, none missing, none twice, none unknown."""
    words = words_of(text, KEYS, END_KEYS)
    over = words["turn"].value == "over"
    demand(words, END_KEYS if over else ())
    for key in END_KEYS:
        if key in words and not over:
            raise words[key].bad(key, "it only behind turn=over")
    return words


def _cell(record: Any, word: Word, text: str) -> int:
    """The number of the cell that `q,r` names."""
    cells, match = _cells(record), re.fullmatch(r"(-?\d),(-?\d)", text)
    cell = (int(match[1]), int(match[2])) if match else None
    if cell not in cells:
        raise word.bad(text, f"a cell q,r of the board of radius {record['board']['radius']}")
    return cells.index(cell)


def _by_cell(record: Any, word: Word) -> dict[int, str]:
    """The word as a list `q,r:what;...`: cell number -> what."""
    found: dict[int, str] = {}
    for item in word.items():
        place, _, what = item.partition(":")
        cell = _cell(record, word, place)
        if cell in found:
            raise word.bad(f"cell {place} twice", "each cell once")
        found[cell] = what
    return found


def _read_turn(record: Any, words: dict[str, Word], state: Any) -> None:
    """Everything but what stands on the board."""
    turn = words["turn"].choice(("p1", "p2", "over"))
    over = turn == 2
    state["side"] = 0 if over else turn
    state["winner"] = words["winner"].choice(WINNERS) if over else DRAW
    state["ending"] = words["ending"].choice(ENDED) if over else RUNNING
    limits = {"ap": (0, record["turn"]["ap"]), "gathered": (0, record["turn"]["ap"])}
    limits["round"] = (1, record["turn"]["round_cap"])
    for key, (low, high) in limits.items():
        state[key] = words[key].number(words[key].value, low, high)
    state["resources"] = words["resources"].pair("/", MOST_RESOURCES)
    state["siege"] = words["siege"].pair("/", record["siege"]["turns"])
    state["fresh"] = words["fresh"].pair("+", MOST_ANTS)


def _read_ants(record: Any, word: Word, state: Any, side: int) -> None:
    nest = int(record["nest"][side])
    held: dict[int, set[int]] = {WORKER: set(), SOLDIER: set()}
    for cell, what in _by_cell(record, word).items():
        match = re.fullmatch(r"(?:(\d+)q)?(?:(\d+)w)?(?:(\d+)s)?", what)
        if not what or not match:
            raise word.bad(what, "queens, workers and soldiers, such as 1q2w1s")
        queens, *counts = (word.number(n, 1, MOST_ANTS) if n else 0 for n in match.groups())
        if queens and cell != nest:
            q, r = _cells(record)[nest]
            raise word.bad(what, f"queens only on their nest {q},{r}")
        state["queens"][side] += queens
        for kind, n in zip(held, counts, strict=True):
            state["ants"][side, kind, cell] = n
            state["living"][side, kind] += n
            if n:
                held[kind].add(cell)
    state["held"][side] = [board.mask_of(cells) for cells in held.values()]
    state["reach_of"][side] = state["held"][side, WORKER]
    for cell in held[WORKER]:
        state["reach"][side] |= record["near"][cell]


def _read_scents(record: Any, word: Word, state: Any, side: int) -> None:
    most = int(record["pheromone"]["max_strength"])
    strengths = {c: word.number(n, 1, most) for c, n in _by_cell(record, word).items()}
    for cell, strength in strengths.items():
        if state["strength"][cell]:
            q, r = _cells(record)[cell]
            raise word.bad(f"a second pheromone on {q},{r}", "at most one on a cell")
        state["strength"][cell] = strength
    greatest = max(strengths.values(), default=0)
    state["pheromone"][side] = board.mask_of(strengths)
    state["full"][side] = board.mask_of(c for c, n in strengths.items() if n == most)
    state["strongest"][side] = board.mask_of(c for c, n in strengths.items() if n == greatest)


def _read_mover(record: Any, words: dict[str, Word], state: Any) -> None:
    """What a position only has while somebody is to move, and has to be true of the mover."""
    side = int(state["side"])
    home = state["ants"][side, :, record["nest"][side]]
    for kind, name in ((WORKER, "workers"), (SOLDIER, "soldiers")):
        if state["fresh"][kind] > home[kind]:
            expected = f"at most the {home[kind]} {name} on the nest of p{side + 1}"
            raise words["fresh"].bad(f"{state['fresh'][kind]} {name}", expected)
    for seat in (0, 1):
        if not state["queens"][seat]:
            raise words[f"p{seat + 1}"].bad("no queen", "a queen on the nest, or turn=over")
