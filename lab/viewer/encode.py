"""Films as small data: what pictures share is written once.

A picture is cut into its marks, each mark is kept once for the whole film, and a position only says
which marks it has in place of those before it. So the ground of a board costs nothing but once, for
any game, and no game has to say what its ground is.
"""

import json
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Any

from lab.viewer.film import Film

MARK = re.compile(r"<text\b.*?</text>|<[^>]*>|[^<]+", re.DOTALL)
"""A text with what it says, any other tag, anything else: together all of a picture."""


def encode(film: Film) -> str:
    """The film as JSON that may stand in a page's script.

    `marks` are the pieces of all pictures. `pictures` holds for each view and step the changes to
    the list of marks of the step before: from, how many go, the numbers of those that come, from
    the last place to the first. `numbers` holds for each view and quantity both seats' values.
    """
    marks: dict[str, int] = {}
    pictures = []
    for place in range(len(film.views)):
        drawn = (step.pictures[place] for step in film.steps)
        pictures.append(list(_changes(drawn, marks)))
    told: dict[str, Any] = {
        "views": film.views,
        "clock": film.clock,
        "steps": [[step.clock, step.seat, step.action, step.note] for step in film.steps],
        "quantities": film.quantities,
        "numbers": [_numbers(film, place) for place in range(len(film.views))],
        "marks": list(marks),
        "pictures": pictures,
    }
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")  # nothing in a script may look like its end


def _changes(drawn: Iterable[str], marks: dict[str, int]) -> Iterator[list[list[int]]]:
    before: list[int] = []
    for picture in drawn:
        now = [marks.setdefault(mark, len(marks)) for mark in MARK.findall(picture)]
        yield list(_between(before, now))
        before = now


def _between(before: list[int], now: list[int]) -> Iterator[list[int]]:
    """What makes one list of the other, so that places before a change stay as they are."""
    start = 0
    most = min(len(before), len(now))
    while start < most and before[start] == now[start]:
        start += 1
    matcher = SequenceMatcher(None, before[start:], now[start:], autojunk=False)
    for kind, a, b, c, d in reversed(matcher.get_opcodes()):
        if kind != "equal":
            yield [start + a, b - a, *now[start + c : start + d]]


def _numbers(film: Film, view: int) -> list[list[list[float]]]:
    return [
        [[step.numbers[view][place][seat] for step in film.steps] for seat in range(2)]
        for place in range(len(film.quantities))
    ]
