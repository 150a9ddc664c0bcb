"""The rules document of NEXT NATION: every number with its unit, its range and one sentence."""

from math import isqrt
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from lab.rules import Document

MOST_WARRIORS = 1203
"""Warriors that one side can ever have: three at the start and three on each of 400 days."""
MOST_REGIONS = 249
MOST_SITES = 64
HQ_LEVELS, BASE_LEVELS = 5, 3


def _number(sentence: str, unit: str, low: int, high: int, **extra: Any) -> Any:
    return Field(description=sentence, ge=low, le=high, json_schema_extra={"unit": unit} | extra)


def _table(sentence: str, unit: str, rows: int) -> Any:
    return Field(
        description=sentence, min_length=rows, max_length=rows, json_schema_extra={"unit": unit}
    )


Gold = Annotated[int, Field(ge=0, le=10_000)]
Hp = Annotated[int, Field(ge=1, le=60)]
WarriorHp = Annotated[int, Field(ge=1, le=20)]
Strikes = Annotated[int, Field(ge=0, le=10)]
Trained = Annotated[int, Field(ge=0, le=6)]
Workers = Annotated[int, Field(ge=0, le=10)]


class Start(Document):
    gold: int = _number("Gold of each side at the start.", "gold", 0, 5000)
    warriors: int = _number("Warriors in each HQ at the start.", "warriors", 0, 12)


class Hq(Document):
    cost: list[Gold] = _table("Gold for the upgrade to level 2, 3, 4, 5.", "gold", HQ_LEVELS - 1)
    repair: int = _number("Gold for a repair at the top level.", "gold", 0, 10_000)
    hp: list[Hp] = _table("Hp at level 1 to 5.", "hp", HQ_LEVELS)
    turret: list[Strikes] = _table("Strikes of the turret at level 1 to 5.", "strikes", HQ_LEVELS)
    train: list[Trained] = _table("Warriors trained a day at level 1 to 5.", "warriors", HQ_LEVELS)
    work: list[Workers] = _table("Warriors who find work at level 1 to 5.", "warriors", HQ_LEVELS)
    warrior_hp: list[WarriorHp] = _table(
        "Hp of a warrior trained at level 1 to 5; the first ones are as of level 1.",
        "hp",
        HQ_LEVELS,
    )


class Base(Document):
    cost: list[Gold] = _table(
        "Gold for building level 1, for the upgrade to 2, to 3.", "gold", BASE_LEVELS
    )
    repair: int = _number("Gold for a repair at the top level.", "gold", 0, 10_000)
    hp: list[Hp] = _table("Hp at level 1 to 3.", "hp", BASE_LEVELS)
    turret: list[Strikes] = _table("Strikes of the turret at level 1 to 3.", "strikes", BASE_LEVELS)
    work: list[Workers] = _table("Warriors who find work at level 1 to 3.", "warriors", BASE_LEVELS)


class Warrior(Document):
    cost: int = _number("Gold for training one.", "gold", 0, 2000)
    move: int = _number("Gold for an order to move, unless to an own building.", "gold", 0, 200)
    work: int = _number("Gold that one at work earns a day.", "gold", 0, 100)
    upkeep: int = _number("Gold that one eats a day.", "gold", 0, 50)
    hunger: int = _number("Hp that one loses on a day without food.", "hp", 0, 20)


class Information(Document):
    vision: Literal["full", "fog"] = Field(
        description="Whether a side sees everything, or only what is near its own."
    )
    hops: int = _number("Regions that own warriors and buildings see far in the fog.", "hops", 0, 6)


class Map(Document):
    half_min: int = _number(
        "Least number of regions on each side of the middle.", "regions", 5, 124
    )
    half_max: int = _number("Greatest such number.", "regions", 5, 124)
    strongholds: Literal["share", "root"] = Field(
        description="Whether the strongholds count by a percentage of the regions or their root."
    )
    low: int = _number(
        "Least number of strongholds: percent of the regions, or added to their root.",
        "percent or strongholds",
        -6,
        20,
    )
    high: int = _number("Greatest such number.", "percent or strongholds", -6, 20)
    distance: int = _number("Least distance of two points.", "units", 0, 1000)
    radius: int = _number("Radius of the circle in which points lie.", "units", 2000, 10_000)
    outer: int = _number("Points on the circle around it.", "points", 8, 48)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        for name, low, high in (
            ("half_min", self.half_min, self.half_max),
            ("low", self.low, self.high),
        ):
            if low > high:
                raise ValueError(f"{name} {low} is above {high}")
        if self.strongholds == "root" and self.high > 4:
            raise ValueError(f"high {self.high} above the root leaves too little room, 4 is most")
        regions = 2 * self.half_min + 1
        strongholds = isqrt(regions) + self.high
        if self.strongholds == "root" and 4 * strongholds > regions:
            raise ValueError(f"{strongholds} strongholds have no room among {regions} regions")
        regions = 2 * self.half_max + 1
        if 10 * regions * self.distance**2 > 17 * self.radius**2:
            raise ValueError(
                f"{regions} points {self.distance} apart have no room in radius {self.radius}"
            )
        if self.outer % 2:
            raise ValueError(f"{self.outer} outer points have no mirror image")
        return self


class Clock(Document):
    handshake: int = _number("Time for a program's OK.", "ms", 1, 60_000, used_by="judge")
    day: int = _number("Time for a day's orders.", "ms", 1, 60_000, used_by="judge")
    tokens: int = _number("Spare periods a program has.", "tokens", 0, 100, used_by="judge")
    token: int = _number("Time that a spare period gives.", "ms", 1, 60_000, used_by="judge")


class NextNation(Document):
    days: int = _number("After this many days the HQs decide.", "days", 1, 400)
    start: Start
    hq: Hq
    base: Base
    warrior: Warrior
    information: Information
    map: Map
    clock: Clock

    @model_validator(mode="after")
    def _fits(self) -> Self:
        most = self.start.warriors + self.days * max(self.hq.train)
        if most > MOST_WARRIORS:
            raise ValueError(
                f"{most} warriors in {self.days} days are more than {MOST_WARRIORS} a side"
            )
        return self

    def cheapest(self) -> int:
        """Gold for the cheapest building, upgrade or repair."""
        return min(*self.hq.cost, self.hq.repair, *self.base.cost, self.base.repair)
