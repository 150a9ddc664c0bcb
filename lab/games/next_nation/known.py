"""What a program knows of a game: from what the judge tells it, and from its own orders (README 9).

In full sight that is all but the other side's gold and aims, in the fog what it sees.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab.errors import bad
from lab.games.next_nation import maps
from lab.games.next_nation.log import SIDES
from lab.games.next_nation.rows import LETTERS, SECTIONS
from lab.games.next_nation.rules import MOST_REGIONS, NextNation
from lab.games.next_nation.state import KIND, LEFT, MOVE, RIGHT, VALUE, WHO

HEADS = (*SECTIONS, "WARRIOR", "BUILDING")


@dataclass
class Warrior:
    """A living warrior; `target` as far as its owner knows."""

    region: int
    hp: int
    target: int | None = None


@dataclass
class Building:
    """A building and whose it is."""

    side: int
    level: int
    hp: int


def read_ready(lines: Iterator[str]) -> tuple[int, Any]:
    """The side and the map (record of MAP) of a READY block; BadInput says what is wrong with it.

    Takes no more lines than the block has.
    """
    first = next(lines, "")
    sides = [f"READY {side}" for side in SIDES]
    if first not in sides:
        raise bad("stdin:1", repr(first), " or ".join(sides))
    block = [next(lines, "")]
    regions = (block[0].split() or [""])[0]
    rows = int(regions) if re.fullmatch("[0-9]{1,9}", regions) else 0
    block += [next(lines, "") for _ in range(3 + min(rows, MOST_REGIONS))]
    return sides.index(first), maps.parse("\n".join(block), "stdin", 2)[0]


class Known:
    """A game as one side knows it in the morning: all of it on the first day.

    What lies in the fog then, the verb `observe` hides.
    """

    def __init__(self, rules: NextNation, side: int, map_: Any) -> None:
        self.rules, self.side, self.seed = rules, side, int(map_["seed"])
        self.day = 1
        self.gold = rules.start.gold
        self.homes = 0, int(map_["n"]) - 1
        self.buildings = {
            home: Building(one, 1, rules.hq.hp[0]) for one, home in enumerate(self.homes)
        }
        self.warriors: tuple[dict[int, Warrior], ...] = ({}, {})
        self.born = [0, 0]
        for one in (LEFT, RIGHT):
            for number in range(1, rules.start.warriors + 1):
                self._train(one, number)

    def text(self) -> str:
        """The morning as a text that `view.parse` reads."""
        gold = [self.gold if one == self.side else 0 for one in (LEFT, RIGHT)]
        words = [f"map={self.seed} day={self.day} turn={SIDES[self.side].lower()} phase=upgrade"]
        words.append(f"gold={gold[LEFT]}/{gold[RIGHT]} training=0/0")
        words.append(f"born={self.born[LEFT]}/{self.born[RIGHT]} raised=-")
        for one, word in enumerate(SIDES):
            living = [
                f"{number}:{w.region}:{w.hp}" + (f">{w.target}" if w.target is not None else "")
                for number, w in self.warriors[one].items()
            ]
            words.append(f"{word.lower()}={';'.join(living) or '-'}")
        standing = [
            f"{SIDES[b.side][0]}{region}:{b.level}:{b.hp}" for region, b in self.buildings.items()
        ]
        return " ".join([*words, f"buildings={';'.join(standing)}"])

    def ordered(self, actions: Sequence[int], gold: int) -> None:
        """The own orders of the day, and the gold that they left."""
        self.gold = gold
        for action in actions:
            if action // KIND == MOVE:
                self.warriors[self.side][action % KIND // WHO].target = action & VALUE

    def hear(self, lines: Sequence[str]) -> None:
        """The next morning, by a block of results from TURN to END.

        BadInput when it tells of what there is not, or is no such block: then nothing is known.
        """
        day = self.day
        try:
            self._hear(_sections(lines))
        except (LookupError, ValueError):
            found = f"rows that do not fit day {day} of this game"
            raise bad("stdin", found, "what the judge tells of a day") from None

    def _hear(self, told: Mapping[str, list[list[str]]]) -> None:
        self.day += 1
        for letter, region in told["UPGRADE"]:
            self._raise(LETTERS.index(letter), int(region))
        self._march({_name(name): int(region) for name, region in told["MOVE"]})
        for name in [name for row in told["TRAIN"] for name in row]:
            self._train(*_name(name))
        hunger = [row for row in told["DAMAGE"] if row[0] == "HUNGER"]
        self._hurt([row for row in told["DAMAGE"] if row[0] != "HUNGER"])
        for _, region, loss in told["SIEGE"]:
            self.buildings[int(region)].hp -= int(loss)
        self.buildings = {r: b for r, b in self.buildings.items() if b.hp > 0}
        self._earn()
        self._hurt(hunger)
        if self.rules.information.vision == "fog":
            self._see(told["WARRIOR"], told["BUILDING"])

    # --- what the rows say ----------------------------------------------------------------------

    def _raise(self, side: int, region: int) -> None:
        kind = self.rules.hq if region in self.homes else self.rules.base
        before = self.buildings[region].level if region in self.buildings else 0
        level = min(before + 1, len(kind.hp))
        self.buildings[region] = Building(side, level, kind.hp[level - 1])

    def _march(self, steps: dict[tuple[int, int], int]) -> None:
        """6.2 Own orders end where they lead."""
        for (side, number), region in steps.items():
            self.warriors[side][number].region = region
        for warrior in self.warriors[self.side].values():
            if warrior.target == warrior.region:
                warrior.target = None

    def _train(self, side: int, number: int) -> None:
        home = self.homes[side]
        hp = self.rules.hq.warrior_hp[self.buildings[home].level - 1]
        self.warriors[side][number] = Warrior(home, hp)
        self.born[side] = number

    def _hurt(self, rows: Iterable[Sequence[str]]) -> None:
        for _, name, loss in rows:
            side, number = _name(name)
            warrior = self.warriors[side][number]
            warrior.hp -= int(loss)
            if warrior.hp <= 0:  # nothing strikes it any more
                del self.warriors[side][number]

    def _earn(self) -> None:
        """6.6, 6.7 Work, then upkeep; nobody tells, so both are counted."""
        pay, upkeep = self.rules.warrior.work, self.rules.warrior.upkeep
        own = self.warriors[self.side].values()
        there = Counter(warrior.region for warrior in own)
        for region, building in self.buildings.items():
            if building.side == self.side:
                kind = self.rules.hq if region in self.homes else self.rules.base
                self.gold += pay * min(there[region], kind.work[building.level - 1])
        fed = min(len(own), self.gold // upkeep) if upkeep else len(own)
        self.gold -= upkeep * fed

    def _see(self, warriors: Iterable[Sequence[str]], buildings: Iterable[Sequence[str]]) -> None:
        """8.2 In the fog: of the other side what is told, and that its HQ stands."""
        other = 1 - self.side
        seen = {_name(name): Warrior(int(region), int(hp)) for name, region, hp in warriors}
        self.warriors[other].clear()
        self.warriors[other].update({n: one for (side, n), one in seen.items() if side == other})
        self.born[other] = max(self.warriors[other], default=0)
        standing = {r: b for r, b in self.buildings.items() if b.side == self.side}
        standing[self.homes[other]] = Building(other, 1, self.rules.hq.hp[0])
        for letter, region, level, hp in buildings:
            if letter == LETTERS[other]:
                standing[int(region)] = Building(other, int(level), int(hp))
        self.buildings = standing


def _name(word: str) -> tuple[int, int]:
    """Side and number of a warrior such as A12."""
    return LETTERS.index(word[0]), int(word[1:])


def _sections(lines: Sequence[str]) -> dict[str, list[list[str]]]:
    """The rows of a block by section, each as its words."""
    told: dict[str, list[list[str]]] = {head: [] for head in HEADS}
    rows: list[list[str]] = []
    for line in lines:
        words = line.split() or [""]
        if words[0] in HEADS:
            rows = told[words[0]]
        elif words[0] not in ("TURN", "TIME", "END"):
            rows.append(words)
    return told
