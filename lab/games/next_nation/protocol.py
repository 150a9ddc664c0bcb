"""What the judge tells a program, and what it takes for an order (README 9)."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from lab.games.next_nation import maps, rows
from lab.games.next_nation.log import SIDES, Clock
from lab.games.next_nation.rows import LETTERS
from lab.games.next_nation.state import (
    ACTION_KINDS,
    KIND,
    MOVE,
    NONE,
    TRAIN,
    UPGRADE,
    VALUE,
    WHO,
)
from lab.jsonfile import shown

NUMBERS = {"UPGRADE": 1, "MOVE": 2, "TRAIN": 1}
"""The orders, and how many words follow each."""


class Fault(NamedTuple):
    """An illegal line, and what is wrong with it."""

    line: str
    why: str


class _Illegal(Exception):
    """Why an order cannot be taken."""


# --- what is told -------------------------------------------------------------------------------


def ready(map_: Any, side: int) -> str:
    """9.1 The first block: the side, and the map (record of MAP)."""
    return f"READY {SIDES[side]}\n{maps.text(map_)}"


def result(record: Any, state: Any, side: int, day: int, clocks: Sequence[Clock]) -> str:
    """9.3, 9.4 What happened on a day, as a side is told: `state` is the next morning's.

    Its events have to be those of that day (`telling`); `clocks` are LEFT's and RIGHT's.
    """
    own, other = clocks[side], clocks[1 - side]
    lines = [f"TURN {day}", f"TIME {own.ms} {own.tokens} {other.ms} {other.tokens}"]
    fog = record["information"]["vision"] != 0
    for name, told in rows.sections(state, side if fog else None).items():
        lines.append(f"{name} {len(told)}")
        lines += [" ".join(told)] if name == "TRAIN" and told else told
    if fog:
        lines += _seen(record, state, side)
    return "\n".join([*lines, "END", ""])


def _seen(record: Any, state: Any, side: int) -> list[str]:
    """9.4 Everything that is own or in sight, LEFT's first."""
    world = record["maps"][state["slot"]]
    own = _regions(state["held"][side] | state["built"][side])
    near = {region for place in own for region in _regions(world["near"][place])}
    warriors, buildings = [], []
    for one, letter in enumerate(LETTERS):
        living = int(state["living"][one])
        columns = (state[key][one, :living].tolist() for key in ("number", "place", "health"))
        for number, place, health in zip(*columns, strict=True):
            if one == side or place in near:
                warriors.append(f"{letter}{number} {place} {health}")
        for site in range(int(world["sites"])):
            place, level = int(world["place"][site]), state["level"][one, site]
            if level and (one == side or place in near):
                buildings.append(f"{letter} {place} {level} {state['hp'][one, site]}")
    return [f"WARRIOR {len(warriors)}", *warriors, f"BUILDING {len(buildings)}", *buildings]


def _regions(words: Iterable[Any]) -> list[int]:
    """The numbers of the bits that are set in words of 64."""
    mask = sum(int(word) << 64 * i for i, word in enumerate(words))
    return [region for region in range(mask.bit_length()) if mask >> region & 1]


# --- orders -------------------------------------------------------------------------------------


def order_text(action: int, side: int) -> str:
    """An action, but for `end`, as a program writes it."""
    kind, who, value = action // KIND, action % KIND // WHO, action & VALUE
    name = f"{LETTERS[side]}{who} " if kind == MOVE else ""
    return f"{ACTION_KINDS[kind].upper()} {name}{value}"


def orders(
    lines: Sequence[str], side: int, record: Any, state: Any
) -> tuple[list[int], list[Fault]]:
    """5., 9.2 A side's orders of a day as actions, upgrades first, then moves, then training.

    And the illegal ones, in the order in which they are found: those that cannot be read, or that
    say something twice, before those that the position does not allow. Whoever goes on without
    those plays the others, each checked as if the illegal ones had not been given.
    """
    world = record["maps"][state["slot"]]
    read: dict[tuple[int, int], tuple[str, int]] = {}
    faults = []
    for line in lines:
        try:
            kind, who, value = _read(line, side, int(world["n"]))
            key = (kind, value if kind == UPGRADE else who)
            if key in read:
                raise _Illegal(f"repeats {shown(read[key][0])}")
            read[key] = line, value
        except _Illegal as why:
            faults.append(Fault(line, str(why)))
    desk = _Desk(record, state, side)
    actions = []
    for (kind, who), (line, value) in sorted(read.items(), key=lambda item: item[0][0]):
        try:
            desk.take(kind, who, value)
            actions.append(kind * KIND + (0 if kind == UPGRADE else who) * WHO + value)
        except _Illegal as why:
            faults.append(Fault(line, str(why)))
    return actions, faults


def _read(line: str, side: int, regions: int) -> tuple[int, int, int]:
    """An order's kind, warrior and value; numbers are read as Python's int() does."""
    verb, *words = line.split() or [""]
    if verb not in NUMBERS:
        raise _Illegal(f"is none of {', '.join(NUMBERS)}")
    if len(words) != NUMBERS[verb]:
        raise _Illegal(f"has {len(words)} words behind {verb}, not {NUMBERS[verb]}")
    kind, value = ACTION_KINDS.index(verb.lower()), _number(words[-1])
    if kind == TRAIN:
        if value < 0:
            raise _Illegal("trains less than none")
        return kind, 0, value
    if not 0 <= value < regions:
        raise _Illegal(f"names no region from 0 to {regions - 1}")
    if kind == UPGRADE:
        return kind, 0, value
    letter, number = words[0][:1], words[0][1:]
    if letter != LETTERS[side]:
        raise _Illegal(f"moves {shown(words[0])}, which is none of {SIDES[side]}'s warriors")
    return kind, _number(number), value


def _number(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise _Illegal(f"has {shown(word)} for a whole number") from None


class _Desk:
    """One side's orders of a day, taken one by one, and the gold that they leave."""

    def __init__(self, record: Any, state: Any, side: int) -> None:
        self.record, self.state, self.side = record, state, side
        self.world = record["maps"][state["slot"]]
        self.gold = int(state["gold"][side])
        self.raised: set[int] = set()  # sites
        living = int(state["living"][side])
        numbers, targets = (state[key][side, :living].tolist() for key in ("number", "target"))
        self.targets = dict(zip(numbers, targets, strict=True))

    def take(self, kind: int, who: int, value: int) -> None:
        """Take an order, or say why not."""
        if kind == UPGRADE:
            self._upgrade(value)
        elif kind == MOVE:
            self._move(who, value)
        else:
            self._train(value)

    def _pay(self, price: int) -> None:
        if price > self.gold:
            raise _Illegal(f"costs {price} gold of {self.gold}")
        self.gold -= price

    def _level(self, site: int) -> int:
        return int(self.state["level"][self.side, site])

    def _upgrade(self, region: int) -> None:
        """5.1"""
        site, force = int(self.world["site"][region]), self.state["force"][:, region]
        if site == NONE:
            raise _Illegal(f"is for region {region}, where nothing can be built")
        if self.state["level"][1 - self.side, site] or site == 1 - self.side:
            raise _Illegal("is for the enemy's building")
        if not force[self.side]:
            raise _Illegal(f"is for region {region}, where no own warrior stands")
        if force[1 - self.side]:
            raise _Illegal(f"is for region {region}, where an enemy stands")
        kind, level = self.record["hq"] if site < 2 else self.record["base"], self._level(site)
        built = level - 1 if site < 2 else level  # upgrades so far that have a price
        self._pay(int(kind["repair"] if level == len(kind["hp"]) else kind["cost"][built]))
        self.raised.add(site)

    def _move(self, who: int, region: int) -> None:
        """5.2"""
        if who not in self.targets:
            raise _Illegal("moves a warrior that does not live")
        if self.targets[who] != NONE:
            raise _Illegal(f"moves a warrior that is on its way to region {self.targets[who]}")
        site = int(self.world["site"][region])
        free = site != NONE and (site in self.raised or self._level(site) > 0)
        self._pay(0 if free else int(self.record["warrior"]["move"]))

    def _train(self, count: int) -> None:
        """5.3"""
        hq = self.record["hq"]
        level = min(self._level(self.side) + (self.side in self.raised), len(hq["train"]))
        most = int(hq["train"][level - 1])
        if count > most:
            raise _Illegal(f"trains more than {most}, which is all that the HQ can")
        self._pay(count * int(self.record["warrior"]["cost"]))
