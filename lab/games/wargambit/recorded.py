"""What is special in the file of a recorded run: the armies that it led, README 4.2 and 6.5."""

from typing import Any

from lab.errors import bad
from lab.games.wargambit.army import stand
from lab.games.wargambit.fen import LETTERS
from lab.games.wargambit.rules import MOST_ROUNDS
from lab.games.wargambit.sight import NONE
from lab.games.wargambit.state import KIND, READY, SHOP
from lab.games.wargambit.view import letters_of, parse_places, places_text
from lab.jsonfile import at, read_object, shown

SIGN = 1 << 63


def armies(path: str, where: str) -> list[int]:
    """Each round's placement, as a signed word, of the first seat of a run's file.

    BadInput names the file and the pointer of what is no such army.
    """
    if not path:
        raise bad(where, "no file", "recorded:FILE, a run that lab trace --out wrote")
    found = read_object(path)
    if found.get("game") != "wargambit":
        raise bad(at(path, "/game"), shown(found.get("game")), "wargambit")
    listed = found.get("armies")
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_ROUNDS:
        raise bad(at(path, "/armies"), shown(listed), f"a list of 1 to {MOST_ROUNDS} armies")
    words = []
    for n, army in enumerate(listed):
        place = at(path, f"/armies/{n}")
        if not isinstance(army, str):
            raise bad(place, shown(army), "pieces and squares, such as qd1,pe2, or -")
        word = parse_places(army, LETTERS, place)
        words.append(word - 2 * SIGN if word >= SIGN else word)
    return words


def army(record: Any, state: Any, action: int) -> str:
    """Where the first seat's army stands, before the action that sends it into battle.

    In the letters that `armies` reads, whatever those of the rules are.
    """
    if not _goes_to_battle(state, action) or state["seat"] != 0:
        return ""
    word = state["places"][0] if _stands_whole(state) else stand(record, state["army"][0], NONE)
    return places_text(word, LETTERS)


def left_over(record: Any, state: Any, action: int) -> str:
    """4.2 What a person forgot to place by hand."""
    seat = state["seat"]
    if not _goes_to_battle(state, action) or not state["places"][seat]:
        return ""
    letters, left = letters_of(record), ""
    standing = _standing(state)
    for kind, owned in enumerate(state["army"][seat]):
        left += letters[kind] * (int(owned) - standing.count(kind + 1))
    return f"a square first for the {len(left)} pieces left over ({left})" if left else ""


def _stands_whole(state: Any) -> bool:
    """4.2 Whether all that the seat owns stands by hand."""
    standing = [kind for kind in _standing(state) if kind]
    return bool(standing) and len(standing) == state["army"][state["seat"]].sum()


def _standing(state: Any) -> list[int]:
    """1 + the kind of the seat's piece on each place, 0 where none stands by hand."""
    word = int(state["places"][state["seat"]])
    return [word >> 4 * place & 15 for place in range(16)]


def _goes_to_battle(state: Any, action: int) -> bool:
    return bool(state["phase"] == SHOP and action == READY * KIND)
