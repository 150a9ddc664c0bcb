"""The contract: what a game is made of, and the verbs in which every loop speaks to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from types import ModuleType
from typing import Any

import numpy as np

from lab import packing
from lab.errors import bad
from lab.jit import blank, implement
from lab.rules import Document, Rules

# --- the verbs: stubs whose meaning `implement` registers for each game -------------------------


def setup(rules, state, chance):  # type: ignore[no-untyped-def]
    """Write every field of `state`: the start of a game whose chance stream begins at `chance`."""


def seat(rules, state):  # type: ignore[no-untyped-def]
    """Whose decision it is: 0 for the first seat, 1 for the second."""


def legal_actions(rules, state, legal):  # type: ignore[no-untyped-def]
    """Fill `legal` (int32, MAX_ACTIONS) and return how many; never 0 before the end."""


def kind_of(rules, action):  # type: ignore[no-untyped-def]
    """The action's kind, an index of `Game.action_kinds`."""


def step(rules, state, action, outcome):  # type: ignore[no-untyped-def]
    """Play a legal action and count what happens into `outcome`."""


def is_over(rules, state):  # type: ignore[no-untyped-def]
    """Whether the game has ended."""


def score(rules, state, seat):  # type: ignore[no-untyped-def]
    """What the ended game is worth to a seat, 0 to 1; a draw is one half."""


def clock(rules, state):  # type: ignore[no-untyped-def]
    """The round or day the game is in, from 0, never falling: the axis of the curves."""


def gauge(rules, state, sums):  # type: ignore[no-untyped-def]
    """Add the position's `Game.curves`, whole numbers, to `sums` (int64, one a curve)."""


def observe(rules, state, seat, view):  # type: ignore[no-untyped-def]
    """What that seat may know, written to and returned as `view`; with nothing hidden, `state`."""


def imagine(rules, view, seat, world, mind):  # type: ignore[no-untyped-def]
    """Write to `world` one state that fits the view, with fresh chance from `mind`."""


def wake(rules, policy, mind):  # type: ignore[no-untyped-def]
    """Prepare a policy's mind for one game; `mind.rng` is its stream already."""


def act(rules, view, policy, mind, legal):  # type: ignore[no-untyped-def]
    """Choose an action by one of the game's own policies; `legal` is scratch."""


VERBS = (setup, seat, legal_actions, kind_of, step, is_over, score, clock, gauge, observe)
VERBS += (imagine, wake, act)

# --- the records that every game has ------------------------------------------------------------

WINNERS = ("first", "second", "draw")
COMMON = [
    ("game", np.int64),  # index of the game in its run
    ("history", np.uint64),  # hash of all its actions
    ("winner", np.int8),  # index of WINNERS
    ("ending", np.int8),  # index of Game.endings
    ("capped", np.bool_),  # whether the cap ended it
    ("length", np.int16),  # rounds or days
    ("plies", np.int32),  # actions
]


def outcome_dtype(own: Sequence[Any]) -> np.dtype[Any]:
    """A row a game: the common columns, then the game's own; a shape of 2 is one a seat.

    Fields that begin with `_` are scratch of `step` and never become columns.
    """
    return np.dtype([*COMMON, *own], align=True)


def policy_dtype(weights: int) -> np.dtype[Any]:
    """A policy as kernels read it."""
    fields = [
        ("kind", np.int32),  # SEARCH, or what the game's `act` understands
        ("inner", np.int32),  # row of the policy that plays a search's playouts
        ("playouts", np.int32),  # budget of a search, games a decision
        ("temperature", np.int32),  # of the choice, in the units of the weights
        ("spread", np.int32),  # percent by which a game's weights are drawn round these
        ("banned", np.uint64),  # mask of action kinds it never plays
        ("key", np.uint64),  # purpose of its stream
        ("weights", np.int32, (weights,)),
    ]
    return np.dtype(fields, align=True)


def mind_dtype(weights: int) -> np.dtype[Any]:
    """What one policy keeps during one game: its stream, its own draw of the weights."""
    return np.dtype([("rng", np.uint64), ("weights", np.int32, (weights,))], align=True)


# --- the pieces ---------------------------------------------------------------------------------

SEARCH = 0
"""Kind of the policies that `lab.search` plays, for any game."""
OPTIONS = ("playouts", "temperature", "spread")


@dataclass(frozen=True)
class Preset:
    """A named policy: what it does in one sentence, and its numbers."""

    sentence: str
    kind: int
    weights: Mapping[str, int] = field(default_factory=dict)
    temperature: int = 0
    spread: int = 0
    playouts: int = 0
    inner: str = ""


@dataclass(frozen=True)
class Metric:
    """One number for each game, NaN where it does not apply, and what that number means.

    `value` takes a frame of outcomes and gives an array of its length; `bounds` takes rules and
    gives the least and the greatest value a game can have.
    """

    name: str
    sentence: str
    unit: str
    value: Callable[[Any], Any]
    bounds: Callable[[Rules], tuple[float, float]]


@dataclass(frozen=True)
class Game:
    """A game: its pieces, named. Nothing here is computed before it is asked for."""

    name: str
    title: str
    version: str  # of the kernels: changes whenever a game's outcome may change
    document: type[Document]
    default_rules: str
    derived: Mapping[str, Any]  # tables that `prepare` fills: name -> (dtype, shape)
    prepare: Callable[[Any, Any, int], None]
    state: np.dtype[Any]
    outcome: np.dtype[Any]
    kernels: ModuleType  # holds a function for every verb, of the verb's name
    action_kinds: tuple[str, ...]
    max_actions: int
    max_clock: int
    endings: tuple[str, ...]
    curves: tuple[str, ...]
    weights: tuple[str, ...]
    policies: Mapping[str, Preset]
    metrics: tuple[Metric, ...]
    view: ModuleType  # text, parse, action_text, parse_action, svg

    @cached_property
    def rules_dtype(self) -> np.dtype[Any]:
        """The rules as one record; registering the verbs for it is part of making it."""
        dtype = packing.dtype_of(self.document, self.name, self.derived)
        for verb in VERBS:
            implement(verb, dtype, getattr(self.kernels, verb.__name__))
        return dtype

    @cached_property
    def policy_dtype(self) -> np.dtype[Any]:
        return policy_dtype(len(self.weights))

    @cached_property
    def mind_dtype(self) -> np.dtype[Any]:
        return mind_dtype(len(self.weights))

    def record(self, rules: Rules, seed: int = 0) -> Any:
        """The record that kernels read: the document's numbers and the tables made from them."""
        record = packing.pack(rules.document, self.rules_dtype)[0]
        self.prepare(record, rules.document, seed)
        return record

    def policy_names(self) -> list[str]:
        return ["search", *self.policies]

    def preset(self, name: str) -> Preset:
        """A named policy; raises BadInput with the nearest name."""
        if name == "search":
            inner = next(iter(self.policies))
            return Preset("looks ahead by playing games to their end", SEARCH, {}, 0, 0, 200, inner)
        if name not in self.policies:
            known = self.policy_names()
            raise bad(f"policy {name!r}", f"{name!r}", f"one of {', '.join(known)}", name, known)
        return self.policies[name]

    def policy_rows(self, first: str, second: str) -> np.ndarray[Any, Any]:
        """Rows 0 and 1 for the seats, rows 2 and 3 for the policies inside their searches.

        A policy's stream belongs to the policy, not to its seat, so that a swapped pair meets the
        same minds from the other side; the second of two equal policies has a stream of its own.
        """
        rows = blank(self.policy_dtype, 4)
        for place, text in enumerate((first, second)):
            inner = self._fill(rows[place], text)
            rows[place]["key"] = _key(text, place if first == second else 0)
            rows[place]["inner"] = 2 + place
            if inner:
                if self._fill(rows[2 + place], inner) or rows[2 + place]["kind"] == SEARCH:
                    raise bad(f"policy {text!r}", f"inner={inner}", "a policy that does not search")
        return rows

    def _fill(self, row: Any, text: str) -> str:
        """Fill a row from NAME[:key=value,...]; returns the inner policy's text, or nothing."""
        name, _, tail = text.partition(":")
        preset = self.preset(name)
        inner = preset.inner
        for option in ("kind", *OPTIONS):
            row[option] = getattr(preset, option)
        for weight, value in preset.weights.items():
            row["weights"][self.weights.index(weight)] = value
        for part in filter(None, tail.split(",")):
            key, equals, value = part.partition("=")
            if not equals:
                raise bad(f"policy {text!r}", f"{part!r}", "key=value")
            if key == "inner" and preset.kind == SEARCH:
                inner = value.replace(";", ",")
                self.preset(inner.partition(":")[0])
            elif key == "ban":
                row["banned"] = self._banned(text, value)
            else:
                self._set(row, text, key, value)
        return inner if preset.kind == SEARCH else ""

    def _banned(self, text: str, value: str) -> int:
        mask = 0
        for name in value.split("+"):
            if name not in self.action_kinds[1:]:
                known = self.action_kinds[1:]
                raise bad(f"policy {text!r}", f"ban={name}", f"one of {', '.join(known)}", name, known)
            mask |= 1 << self.action_kinds.index(name)
        return mask

    def _set(self, row: Any, text: str, key: str, value: str) -> None:
        known = (*OPTIONS, "inner", "ban", *self.weights)
        if key not in (*OPTIONS, *self.weights):
            raise bad(f"policy {text!r}", f"option {key!r}", f"one of {', '.join(known)}", key, known)
        low, high = {"playouts": (1, 1_000_000), "spread": (0, 100)}.get(key, (-10_000, 10_000))
        if key == "temperature":
            low = 0
        if not value.lstrip("-").isdecimal() or not low <= int(value) <= high:
            raise bad(f"policy {text!r}", f"{key}={value}", f"a whole number {low} to {high}")
        if key in OPTIONS:
            row[key] = int(value)
        else:
            row["weights"][self.weights.index(key)] = int(value)


def _key(text: str, copy: int) -> int:
    digest = blake2b(f"{text}\0{copy}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")
