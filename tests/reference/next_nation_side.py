"""A side of the plain reference of NEXT NATION: its warriors, its buildings, what it has done."""

from collections import Counter
from collections.abc import Iterable
from copy import copy
from typing import Any

LETTERS = "LR"
SPENT = ("build", "upgrade", "repair", "train", "move", "upkeep")
TALLIES = ("lost", "starved", "orders", "earned", "razed", "warrior_days", "base_days")


class Warrior:
    """`target` is the region of the order under way, None without one."""

    __slots__ = ("hp", "number", "region", "target")

    def __init__(self, number: int, region: int, hp: int, target: int | None = None) -> None:
        self.number, self.region, self.hp, self.target = number, region, hp, target

    def copy(self) -> "Warrior":
        return Warrior(self.number, self.region, self.hp, self.target)

    def text(self) -> str:
        order = "" if self.target is None else f">{self.target}"
        return f"{self.number}:{self.region}:{self.hp}{order}"


class Building:
    """An HQ, or a base."""

    __slots__ = ("hp", "level")

    def __init__(self, level: int, hp: int) -> None:
        self.level, self.hp = level, hp

    def copy(self) -> "Building":
        return Building(self.level, self.hp)


class Side:
    """`home` is the HQ's region; warriors by number, ascending; buildings by region."""

    def __init__(self, rules: dict[str, Any], home: int) -> None:
        self.rules, self.home = rules, home
        self.gold: int = rules["start"]["gold"]
        self.born = 0
        self.warriors: dict[int, Warrior] = {}
        self.buildings = {home: Building(1, rules["hq"]["hp"][0])}
        self.raised: set[int] = set()  # regions upgraded today
        self.training = 0
        self.tally: Counter[str] = Counter()
        self.appear(rules["start"]["warriors"])

    def copy(self) -> "Side":
        """As deepcopy would make it, but for the rules, which nobody changes."""
        other = copy(self)
        other.warriors = {number: warrior.copy() for number, warrior in self.warriors.items()}
        other.buildings = {region: building.copy() for region, building in self.buildings.items()}
        other.raised, other.tally = set(self.raised), self.tally.copy()
        return other

    # 4: buildings

    def kind(self, region: int) -> dict[str, Any]:
        """4.1 The numbers of what may stand in a region."""
        kind: dict[str, Any] = self.rules["hq" if region == self.home else "base"]
        return kind

    def number(self, name: str, region: int) -> int:
        """4.1 What the level of a building gives; 0 where none stands."""
        if region not in self.buildings:
            return 0
        return int(self.kind(region)[name][self.buildings[region].level - 1])

    def level(self, region: int) -> int:
        return self.buildings[region].level if region in self.buildings else 0

    def next_level(self, region: int) -> int:
        """5.1 The level of a building after an upgrade of today: its old one for a repair."""
        return min(self.level(region) + 1, len(self.kind(region)["hp"]))

    # 5: orders

    def price(self, region: int) -> tuple[str, int]:
        """5.1 What an upgrade costs, and under which name it is booked."""
        level, kind = self.level(region), self.kind(region)
        if level == len(kind["hp"]):
            return "repair", kind["repair"]
        if region == self.home:
            return "upgrade", kind["cost"][level - 1]
        return "upgrade" if level else "build", kind["cost"][level]

    def toll(self, region: int) -> int:
        """5.2 What an order to move there costs."""
        free = region in self.buildings or region in self.raised
        return 0 if free else int(self.rules["warrior"]["move"])

    def most_trained(self) -> int:
        """5.3 How many may be trained today and can be paid for."""
        home, cost = self.home, self.rules["warrior"]["cost"]
        level = self.next_level(home) if home in self.raised else self.level(home)
        allowed = int(self.rules["hq"]["train"][level - 1])
        return min(allowed, self.gold // cost) if cost else allowed

    def pay(self, what: str, gold: int) -> None:
        self.gold -= gold
        self.tally[f"spent_{what}"] += gold

    # 6: the day

    def raise_buildings(self) -> list[int]:
        """6.1 Carry out today's upgrades: the regions, ascending."""
        regions = sorted(self.raised)
        for region in regions:
            level = self.next_level(region)
            self.buildings[region] = Building(level, self.kind(region)["hp"][level - 1])
        self.raised = set()
        return regions

    def appear(self, number: int) -> list[int]:
        """6.3 New warriors in the HQ: their numbers."""
        hp = self.number("warrior_hp", self.home)
        numbers = list(range(self.born + 1, self.born + number + 1))
        self.warriors |= {number: Warrior(number, self.home, hp) for number in numbers}
        self.born += number
        return numbers

    def by_region(self) -> dict[int, list[Warrior]]:
        """Where there are warriors, those, ascending by number."""
        regions: dict[int, list[Warrior]] = {}
        for warrior in self.warriors.values():
            regions.setdefault(warrior.region, []).append(warrior)
        return regions

    def bury(self, dead: Iterable[Warrior]) -> None:
        """6.4, 6.7 Warriors with 0 hp leave."""
        for warrior in dead:
            del self.warriors[warrior.number]
            self.tally["lost"] += 1

    def besieged(self, region: int, strikes: int) -> int:
        """6.5 The strikes that are left hit a building: the hp it loses."""
        building = self.buildings[region]
        loss = min(strikes, building.hp)
        building.hp -= loss
        if building.hp == 0:
            del self.buildings[region]
            self.tally["razed"] += region != self.home
        return loss

    def work(self, regions: dict[int, list[Warrior]]) -> None:
        """6.6 Those who find work earn."""
        for region in self.buildings:
            workers = min(len(regions.get(region, ())), self.number("work", region))
            earned = workers * self.rules["warrior"]["work"]
            self.gold += earned
            self.tally["earned"] += earned

    def eat(self) -> list[tuple[int, int]]:
        """6.7 Upkeep: the numbers of those who lost hp, with how many."""
        food, hunger, starved = self.rules["warrior"]["upkeep"], self.rules["warrior"]["hunger"], []
        for warrior in self.warriors.values():
            if self.gold >= food:
                self.pay("upkeep", food)
            else:
                self.tally["starved"] += 1
                loss = min(hunger, warrior.hp)
                warrior.hp -= loss
                starved.append((warrior.number, loss))
        self.bury([warrior for warrior in self.warriors.values() if warrior.hp == 0])
        return [(number, loss) for number, loss in starved if loss]

    def close_day(self) -> None:
        """10 What is summed over days."""
        self.tally["warrior_days"] += len(self.warriors)
        self.tally["base_days"] += self.bases

    @property
    def bases(self) -> int:
        return len(self.buildings) - (self.home in self.buildings)

    # what is told

    def columns(self) -> dict[str, int]:
        """10 The side's part of a finished game's row."""
        hq = self.buildings.get(self.home)
        row = {
            "hq_level": self.level(self.home),
            "hq_hp": hq.hp if hq else 0,
            "bases": self.bases,
            "warriors": len(self.warriors),
            "gold": self.gold,
            "trained": self.born - self.rules["start"]["warriors"],
        }
        return row | {name: self.tally[name] for name in (*TALLIES, *(f"spent_{s}" for s in SPENT))}

    def warriors_text(self) -> str:
        return ";".join(warrior.text() for warrior in self.warriors.values()) or "-"
