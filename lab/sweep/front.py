"""Which settings are worth more games: the likeliest to hold, and the fewest changes."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Protocol, TypeVar

NEARER = 0.01
"""Half widths by which more change has to come nearer to be worth a place among the fewest."""

MAYBE = 0.05
"""Chance to hold from which a small change is worth a confirmation."""


class Tried(Protocol):
    """A setting as the search sees it in the end."""

    @property
    def number(self) -> int: ...
    @property
    def steps(self) -> float: ...
    @property
    def expected(self) -> float: ...
    @property
    def chance(self) -> float: ...
    @property
    def judged(self) -> bool: ...


T = TypeVar("T", bound=Tried)


def rank(one: Tried) -> tuple[float, ...]:
    """Sorts the likeliest to be confirmed first, then the nearest, then the smallest change."""
    return (-one.chance, one.expected, one.steps, one.number)


def fewest(tried: Iterable[T]) -> list[T]:
    """The front of size of change against distance, smallest change first (arXiv 1907.01623).

    Each is nearer to the targets, as the search expects it, than whatever changes less.
    """
    front: list[T] = []
    for one in sorted((t for t in tried if t.judged), key=lambda t: (t.steps, *rank(t))):
        if not front or one.expected < front[-1].expected - NEARER:
            front.append(one)
    return front


def finalists(tried: Sequence[T], top: int) -> list[T]:
    """Who is confirmed besides the baseline, which is the first: by turns the best and the fewest.

    Of the fewest changes only those that may hold; what games tell nothing of is left out.
    """
    best = sorted((one for one in tried[1:] if one.judged), key=rank)
    small = [one for one in fewest(tried) if one.chance >= MAYBE and one.number != tried[0].number]
    turns = [one for pair in zip_longest(best, small) for one in pair if one is not None]
    chosen = {one.number: one for one in turns}
    return sorted(list(chosen.values())[:top], key=rank)
