"""The armies of a recorded run, README 6.5: what `lab trace --out` wrote of them."""

from lab.errors import bad
from lab.games.wargambit.fen import LETTERS
from lab.games.wargambit.rules import MOST_ROUNDS
from lab.games.wargambit.view import parse_places
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
