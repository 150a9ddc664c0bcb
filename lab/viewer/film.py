"""What can be watched: positions one after another, with pictures and numbers, all plain data."""

from dataclasses import dataclass

NOBODY = -1
"""In place of a seat: the start of a game, and what no player did."""


Numbers = tuple[tuple[float, float], ...]
"""Both seats' values of each quantity of a film."""


@dataclass(frozen=True)
class Step:
    """A position and the action that led to it, "" at the start.

    `pictures` are SVG documents, and there are as many of them and of the numbers as the film has
    views; `note` is anything else worth a line.
    """

    action: str
    seat: int  # 0, 1 or NOBODY: whose action it was
    clock: int  # the round or day of the action
    pictures: tuple[str, ...]
    numbers: tuple[Numbers, ...]
    note: str = ""


@dataclass(frozen=True)
class Film:
    """A game from its first position to its last.

    A `view` is a way to look at it, such as what one seat knows; there is at least one.
    """

    game: str  # and its rules
    facts: tuple[str, ...]  # in small print: how to play it again
    players: tuple[str, str]
    clock: str  # what steps are grouped by: round, day; "" if by nothing
    views: tuple[str, ...]
    quantities: tuple[str, ...]
    steps: tuple[Step, ...]
    end: str  # how it ended
