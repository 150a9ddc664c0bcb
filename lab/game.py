"""The contract: what a game is made of, and the records that every game has."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from lab.verbs import VERBS

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
        ("kind", np.int64),  # SEARCH, or what the game's `act` understands
        ("inner", np.int64),  # row of the policy that plays a search's playouts
        ("playouts", np.int64),  # budget of a search, games a decision
        ("temperature", np.int64),  # of the choice, in the units of the weights
        ("spread", np.int64),  # percent by which a game's weights are drawn round these
        ("banned", np.uint64),  # mask of action kinds it never plays
        ("key", np.uint64),  # purpose of its stream
        ("weights", np.int64, (weights,)),
    ]
    return np.dtype(fields, align=True)


def mind_dtype(weights: int) -> np.dtype[Any]:
    """What one policy keeps during one game: its stream, its own draw of the weights."""
    return np.dtype([("rng", np.uint64), ("weights", np.int64, (weights,))], align=True)


# --- the pieces ---------------------------------------------------------------------------------

SEARCH = 0
"""Kind of the policies that `lab.search` plays, for any game."""
OPTIONS = ("playouts", "temperature", "spread")


@dataclass(frozen=True)
class Preset:
    """A named policy: what it does in one sentence, and its numbers.

    `role` says what it can be in a game where not everybody can meet everybody. `read` makes the
    weights from what follows the colon, for a policy that takes no key=value: it is given that text
    and the whole policy's, for its BadInput.
    """

    sentence: str
    kind: int
    weights: Mapping[str, int] = field(default_factory=dict)
    temperature: int = 0
    spread: int = 0
    playouts: int = 0
    inner: str = ""
    role: str = ""
    read: Callable[[str, str], Mapping[str, int]] | None = None


@dataclass(frozen=True)
class Column:
    """A column of a game's rows: what it says, and the least and the greatest it can say by rules.

    `unit` is "" where it counts nothing, such as a number that is a name.
    """

    name: str
    sentence: str
    unit: str
    bounds: Callable[[Rules], tuple[float, float]]


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


Noted = Callable[[Any, Any, int], str]
"""What is to be said of an action about to be played (record, state, action), "" for nothing."""
Seen = Callable[[Any, Any, int], Mapping[str, Any]]
"""What a seat sees of a position, arrays by name (record, view, seat); a uint64 is a set."""
Fits = Callable[[Any, Any, str], None]
"""Raises BadInput where rules have no room for what a policy holds (document, row, its name)."""


@dataclass(frozen=True)
class Game:
    """A game: its pieces, named. Nothing here is computed before it is asked for."""

    name: str
    title: str
    version: str  # of the kernels: changes whenever a game's outcome may change
    document: type[Document]
    default_rules: str
    derived: Mapping[str, Any]  # tables that `prepare` fills: name -> (dtype, shape)
    prepare: Callable[[Any, Any, int, range], None]  # (record, document, seed, games)
    state: np.dtype[Any]
    outcome: np.dtype[Any]
    kernels: ModuleType  # holds a function for each of `lab.verbs.VERBS`, of its name
    action_kinds: tuple[str, ...]  # the first is always legal, and no policy may ban it
    numbers: tuple[range, ...]  # that the actions of a kind may have, a range a kind
    max_actions: int
    max_clock: int
    endings: tuple[str, ...]
    curves: tuple[str, ...]
    weights: tuple[str, ...]
    policies: Mapping[str, Preset]
    columns: Mapping[str, Column]  # of `outcome`, what every game has left out
    metrics: tuple[Metric, ...]
    view: ModuleType  # text, parse, action_text, parse_action, svg
    block: int = 0  # the most games one record serves; 0: every game of every seed
    cluster: str = ""  # a column of the rows: games equal in it are one unit of every interval
    clock: str = "round"  # what length counts
    cap: str = ""  # pointer of the rules: a game that reaches so many rounds is ended there
    pair: tuple[str, str] = ("random", "random")  # who plays where nobody is named
    roles: tuple[tuple[str, str], ...] = ()  # first and second seat that may meet; none: any
    declared: tuple[str, ...] = ()  # action kinds that say who plays: no search weighs them
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # weights with named values
    stakes: tuple[str, ...] = ("first_score",)  # metrics that tell what a decision was worth
    kept: Mapping[str, Noted] = field(default_factory=dict)  # lists in the file of a run
    seen: Seen | None = None  # for players outside of the lab; without it, every field of a view
    doubt: Noted | None = None  # why a legal action that a person wrote down is refused
    fits: Fits | None = None  # whether a policy can do by the rules what its text says

    @cached_property
    def rules_dtype(self) -> np.dtype[Any]:
        """The rules as one record; registering the verbs for it is part of making it."""
        dtype = packing.dtype_of(self.document, self.name, self.derived)
        for verb in VERBS:
            implement(verb, dtype, getattr(self.kernels, verb.__name__))
        return dtype

    @property
    def clocks(self) -> str:
        """What length counts, in the plural."""
        stem, last = self.clock[:-1], self.clock[-1]
        return f"{stem}ies" if last == "y" and stem[-1] not in "aeiou" else f"{self.clock}s"

    @cached_property
    def policy_dtype(self) -> np.dtype[Any]:
        return policy_dtype(len(self.weights))

    @cached_property
    def mind_dtype(self) -> np.dtype[Any]:
        return mind_dtype(len(self.weights))

    def record(self, rules: Rules, seed: int = 0, games: range = range(1)) -> Any:
        """The record that kernels read: the document's numbers and the tables made from them.

        It serves the run's games with those indices, at most `block` of them.
        """
        record = packing.pack(rules.document, self.rules_dtype)[0]
        self.prepare(record, rules.document, seed, games)
        return record

    def options(self) -> list[str]:
        """The weights that a policy's text may set: all but what `Preset.read` keeps for itself."""
        return [weight for weight in self.weights if not weight.startswith("_")]

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

    def policy_rows(
        self, first: str, second: str, rules: Rules | None = None
    ) -> np.ndarray[Any, Any]:
        """Rows 0 and 1 for the seats, rows 2 and 3 for the policies inside their searches.

        BadInput says what is wrong with a text, or what of it `rules` have no room for. A policy's
        stream belongs to the policy, not to its seat, so that a swapped pair meets the
        same minds from the other side; the second of two equal policies has a stream of its own.
        """
        rows = blank(self.policy_dtype, 4)
        for place, text in enumerate((first, second)):
            inner = self._fill(rows[place], text)
            rows[place]["key"] = _key(text, place if first == second else 0)
            rows[place]["inner"] = 2 + place
            if rows[place]["kind"] == SEARCH:
                if self._fill(rows[2 + place], inner):
                    raise bad(f"policy {text!r}", f"inner={inner}", "a policy that does not search")
                if self.role(inner) != self.role(text):
                    known = ", ".join(self.rivals())
                    raise bad(f"policy {text!r}", f"inner={inner}", f"one of {known}")
                rows[place]["banned"] |= np.uint64(self._mask(self.declared))
            if rules is not None and self.fits is not None:
                self.fits(rules.document, rows[place], f"policy {text!r}")
        self._check_roles(first, second)
        return rows

    def role(self, text: str) -> str:
        """What a policy of this text is in a game; a search is what its own inner policy is."""
        preset = self.preset(text.partition(":")[0])
        return self.role(preset.inner) if preset.kind == SEARCH else preset.role

    def may_meet(self, first: str, second: str) -> bool:
        """Whether two policies can play each other from these seats."""
        return not self.roles or (self.role(first), self.role(second)) in self.roles

    def rivals(self) -> list[str]:
        """The policies that can play one another, in either seat: the first one's kind."""
        first = next(iter(self.policies))
        role = self.policies[first].role
        return [name for name, preset in self.policies.items() if preset.role == role]

    def _check_roles(self, first: str, second: str) -> None:
        if not self.may_meet(first, second):
            one, other = self.role(first), self.role(second)
            pairs = ", ".join(f"{a} against {b}" for a, b in self.roles)
            found = f"{first} ({one}) against {second} ({other})"
            raise bad(f"{self.name} policies", found, pairs)

    def _fill(self, row: Any, text: str) -> str:
        """Fill a row from NAME[:key=value,...]; returns the text of a search's inner policy."""
        where = f"policy {text!r}"
        name, colon, tail = text.partition(":")
        preset = self.preset(name)
        inner = preset.inner
        for option in ("kind", *OPTIONS):
            row[option] = getattr(preset, option)
        for weight, number in preset.weights.items():
            row["weights"][self.weights.index(weight)] = number
        if preset.read is not None:
            for weight, number in preset.read(tail, where).items():
                row["weights"][self.weights.index(weight)] = number
            return ""
        own = ("temperature", "spread", *self.options())
        known = (*(("playouts", "inner") if preset.kind == SEARCH else own), "ban")
        for key, value in _given(where, tail) if colon else ():
            if key not in known:
                raise bad(where, f"option {key!r}", f"one of {', '.join(known)}", key, known)
            if key == "inner":
                inner = value.replace(";", ",")
            elif key == "ban":
                row["banned"] = self._banned(where, value)
            elif key in self.named:
                row["weights"][self.weights.index(key)] = self._code(where, key, value)
            elif key in OPTIONS:
                row[key] = _whole(where, key, value)
            else:
                row["weights"][self.weights.index(key)] = _whole(where, key, value)
        return inner

    def _banned(self, where: str, value: str) -> int:
        known = self.action_kinds[1:]
        names = value.split("+")
        for name in names:
            if name not in known:
                raise bad(where, f"ban={name}", f"one of {', '.join(known)}", name, known)
        return self._mask(names)

    def _mask(self, kinds: Sequence[str]) -> int:
        return sum(1 << self.action_kinds.index(kind) for kind in set(kinds))

    def _code(self, where: str, key: str, value: str) -> int:
        known = self.named[key]
        if value not in known:
            raise bad(where, f"{key}={value}", f"one of {', '.join(known)}", value, known)
        return known.index(value)


RANGES = {"playouts": (1, 1_000_000), "temperature": (0, 10_000), "spread": (0, 100)}
WEIGHT = (-10_000, 10_000)


def _given(where: str, text: str) -> Iterator[tuple[str, str]]:
    """The options of `key=value,...`, each once."""
    keys: set[str] = set()
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals:
            raise bad(where, f"{part!r}", "key=value")
        if key in keys:
            raise bad(where, f"option {key!r} twice", "each option once")
        keys.add(key)
        yield key, value


def _whole(where: str, key: str, value: str) -> int:
    low, high = RANGES.get(key, WEIGHT)
    if not re.fullmatch("-?[0-9]{1,9}", value) or not low <= int(value) <= high:
        raise bad(where, f"{key}={value}", f"a whole number {low} to {high}")
    return int(value)


def _key(text: str, copy: int) -> int:
    digest = blake2b(f"{text}\0{copy}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")
