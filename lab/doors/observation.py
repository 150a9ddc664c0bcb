"""What a seat sees of a position: arrays by name, for a person and, end to end, for a learner."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.game import Game
from lab.play import Position

if TYPE_CHECKING:
    from lab.rules import Rules

Array = np.ndarray[Any, Any]


def fields_of(view: Position, seat: int) -> dict[str, Array]:
    """What `Game.seen` tells of what a seat sees, or all of that: copies, in a fixed order.

    A set (uint64) comes as 64 booleans along a last axis.
    """
    state, seen = view.state, view.game.seen
    if seen is None:
        told = {name: state[name] for name in state.dtype.names}
    else:
        told = dict(seen(view.record, state, seat))
    return {name: _opened(np.asarray(value)) for name, value in told.items()}


def _opened(value: Array) -> Array:
    """A copy, with sets as booleans."""
    if value.dtype != np.uint64:
        return value.copy()
    parts = value.astype("<u8").reshape(*value.shape, 1).view(np.uint8)
    return np.unpackbits(parts, axis=-1, bitorder="little").astype(np.bool_)


def apart(game: Game, legal: list[int], kinds: Collection[str]) -> tuple[list[int], list[int]]:
    """Legal actions not of these kinds, and those that are."""
    if not kinds:
        return legal.copy(), []
    numbers = [game.numbers[game.action_kinds.index(kind)] for kind in kinds]
    named = {action for kind in numbers for action in legal if action in kind}
    return [a for a in legal if a not in named], [a for a in legal if a in named]


class Observation(Mapping[str, Array]):
    """What the mover sees, and what a function may want to know beside it.

    `observation["resources"]` is an array: which there are `list(observation)` says, and what they
    mean the game's `seen.py`. What is said of both seats is said of the first, then of the second;
    `seat` is who is asked.
    """

    def __init__(
        self, here: Position, seat: int, clock: int, declared: list[int], diary: "Diary"
    ) -> None:
        self._view = here.seen(seat)  # as it is now, whatever is played later
        self.rules: Rules = here.rules
        self.seat = seat  # 0 or 1
        self.clock = clock  # round or day
        self.index = int(here.outcome["game"])
        self.declared = declared  # legal as well, of the kinds that `Game.declared` names
        self.random = diary.random
        self.memory = diary.memory

    @cached_property
    def _fields(self) -> dict[str, Array]:
        return fields_of(self._view, self.seat)

    def __getitem__(self, name: str) -> Array:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def name(self, action: int) -> str:
        """An action as the game's rulebook writes it."""
        return str(self._view.game.view.action_text(self._view.record, action))

    def kind(self, action: int) -> str:
        """The kind of an action: `Game.action_kinds`."""
        game = self._view.game
        kinds = zip(game.action_kinds, game.numbers, strict=True)
        return next(kind for kind, numbers in kinds if action in numbers)

    def text(self) -> str:
        """The position as the seat knows it, in one line."""
        return self._view.text()

    def __repr__(self) -> str:
        return f"<seat {self.seat}: {self.text()}>"

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        return str(self._view.game.view.svg(self._view.record, self._view.state))


class Diary:
    """What a seat keeps during one game: chance of its own, and whatever a function puts there."""

    def __init__(self, seed: int, index: int, seat: int) -> None:
        self.random = Random(f"{seed} {index} {seat}")
        self.memory: dict[str, Any] = {}
