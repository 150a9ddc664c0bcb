"""NEXT NATION once more, in plain Python and from the game's README alone: the oracle.

Numbers in docstrings are the sections of lab/games/next_nation/README.md. Nothing here is shared
with the lab, so that the two can only agree by both being right.
"""

import json
import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from tests.reference.next_nation_maps import Map, generate
from tests.reference.next_nation_side import LETTERS, Side, Warrior

SEATS = ("first", "second")
TURNS = ("left", "right")
UNREACHABLE: set[str] = set()
GAMES = 200
"""Games that a test has time to compare with the kernels'."""


class Menu(NamedTuple):
    """The legal orders: each of `walkers` may go to each of `targets`; trainings are numbers."""

    upgrades: list[int]
    walkers: list[int]
    targets: Sequence[int]
    trainings: range

    def has(self, verb: str, numbers: list[int]) -> bool:
        match verb, numbers:
            case "upgrade", [region]:
                return region in self.upgrades
            case "move", [number, region]:
                return number in self.walkers and region in self.targets
            case "train", [number]:
                return number in self.trainings
        return (verb, numbers) == ("end", [])

    def texts(self) -> list[str]:
        texts = [f"upgrade {region}" for region in self.upgrades]
        texts += [f"move {number} {region}" for number in self.walkers for region in self.targets]
        texts += [f"train {number}" for number in self.trainings]
        return [*texts, "end"]

    def draw(self, rng: random.Random) -> tuple[str, list[int]]:
        """One of them, evenly, without a list of them all."""
        moves = len(self.walkers) * len(self.targets)
        pick = rng.randrange(len(self.upgrades) + moves + len(self.trainings) + 1)
        if pick < len(self.upgrades):
            return "upgrade", [self.upgrades[pick]]
        pick -= len(self.upgrades)
        if pick < moves:
            walker, target = divmod(pick, len(self.targets))
            return "move", [self.walkers[walker], self.targets[target]]
        pick -= moves
        return ("train", [pick]) if pick < len(self.trainings) else ("end", [])


class Told:
    """What happened on a day, as the organisers tell it; sides are 0 and 1."""

    def __init__(self) -> None:
        self.upgraded: list[tuple[int, int]] = []  # side, region
        self.trained: list[tuple[int, int]] = []  # side, number
        self.moved: list[tuple[int, int, int]] = []  # side, number, region
        self.damage: dict[tuple[str, int, int], int] = {}  # (cause, side, number): hp
        self.sieges: list[tuple[int, int, int]] = []  # side, region, hp


class Reference:
    """One game; `rules` is the complete "rules" object of a rules file.

    The text of the opening position names the map that chance decided.
    """

    def __init__(self, rules: dict[str, Any], opening: str, on: Map | None = None) -> None:
        self.rules = rules
        if on is None:
            seed = opening.split(maxsplit=1)[0].removeprefix("map=")
            on = _map(json.dumps(rules["map"]), int(seed))
        self.map = on
        self.sides = Side(rules, 0), Side(rules, on.n - 1)
        self.day, self.seat, self.phase = 1, 0, "upgrade"
        self.plies = 0
        self.ending = ""
        self.winner: int | None = None
        self.told = Told()  # of the last day

    def __deepcopy__(self, memo: Any) -> "Reference":
        """Games share what never changes: rules, map, and the tale of the last day."""
        other = object.__new__(Reference)
        other.__dict__ |= self.__dict__
        other.sides = self.sides[0].copy(), self.sides[1].copy()
        return other

    @property
    def over(self) -> bool:
        return self.ending != ""

    def legal(self) -> list[str]:
        """5 The texts of all orders the side may give; none when over."""
        return [] if self.over else self.menu().texts()

    def play(self, action: str) -> None:
        """Give the order of this text; ValueError when it is not legal."""
        verb, *words = action.split()
        numbers = [int(word) for word in words]
        if self.over or not self.menu().has(verb, numbers):
            raise ValueError(f"not legal here: {action}")
        self.do(verb, numbers)

    def score(self, seat: int) -> float:
        """What a finished game is worth to a seat."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.winner == seat else 0.0

    # 5: orders

    def menu(self) -> Menu:
        """5.4 What the side may order now."""
        side = self.sides[self.seat]
        upgrades: list[int] = []
        walkers: list[int] = []
        targets: Sequence[int] = ()
        trainings = range(0)
        if self.phase == "upgrade":
            upgrades = self._upgrades()
        if self.phase != "end":
            walkers = [one.number for one in side.warriors.values() if one.target is None]
            trainings = range(side.most_trained() + 1)
            targets = range(self.map.n)
            if side.gold < self.rules["warrior"]["move"]:
                targets = sorted(side.buildings.keys() | side.raised)
        return Menu(upgrades, walkers, targets, trainings)

    def _upgrades(self) -> list[int]:
        """5.1 The regions that can be upgraded."""
        side, enemy = self.sides[self.seat], self.sides[1 - self.seat]
        held = {warrior.region for warrior in side.warriors.values()}
        barred = {warrior.region for warrior in enemy.warriors.values()} | enemy.buildings.keys()
        regions = held.intersection(self.map.sites) - barred - side.raised - {enemy.home}
        return sorted(region for region in regions if side.price(region)[1] <= side.gold)

    def do(self, verb: str, numbers: list[int]) -> None:
        """5 Carry out a legal order; RIGHT's end runs the day."""
        self.plies += 1
        if verb == "end":
            self._end_orders()
            return
        side = self.sides[self.seat]
        side.tally["orders"] += 1
        match verb, numbers:
            case "upgrade", [region]:
                side.pay(*side.price(region))
                side.raised.add(region)
            case "move", [number, region]:
                side.pay("move", side.toll(region))
                side.warriors[number].target = region
                self.phase = "move"
            case "train", [number]:
                side.pay("train", number * self.rules["warrior"]["cost"])
                side.training = number
                self.phase = "end"

    def _end_orders(self) -> None:
        """3.1 LEFT, then RIGHT, then the day."""
        if self.seat == 1:
            self._run_day()
        if self.over:
            self.phase = "end"
            return
        self.phase = "upgrade"
        self.day += self.seat
        self.seat = 1 - self.seat

    # 6: the day

    def _run_day(self) -> None:
        """6 Everything in its order."""
        told = self.told = Told()
        for seat, side in enumerate(self.sides):
            told.upgraded += [(seat, region) for region in side.raise_buildings()]
        self._move()
        for seat, side in enumerate(self.sides):
            told.trained += [(seat, number) for number in side.appear(side.training)]
            side.training = 0
        regions = self.sides[0].by_region(), self.sides[1].by_region()
        places = [regions[seat].keys() | self.sides[seat].buildings.keys() for seat in (0, 1)]
        for region in sorted(places[0] & places[1]):
            self._fight(region, (regions[0].get(region, []), regions[1].get(region, [])))
        for seat, side in enumerate(self.sides):
            side.work(side.by_region())
            told.damage |= {("HUNGER", seat, number): loss for number, loss in side.eat()}
            side.close_day()
        self._check()

    def _move(self) -> None:
        """6.2 All step at the same time; whoever is in its target already has arrived."""
        held = [{one.region for one in side.warriors.values()} for side in self.sides]
        for seat, side in enumerate(self.sides):
            for warrior in side.warriors.values():
                target = warrior.target
                if target not in (None, warrior.region) and warrior.region not in held[1 - seat]:
                    warrior.region = self.map.hop(warrior.region, target)
                    self.told.moved.append((seat, warrior.number, warrior.region))
                if warrior.region == target:
                    warrior.target = None

    def _fight(self, region: int, here: tuple[list[Warrior], list[Warrior]]) -> None:
        """6.4, 6.5 Combat and siege in one region; the strikes are counted before any falls."""
        strikes = [(self.sides[seat].number("turret", region), len(here[seat])) for seat in (0, 1)]
        for seat, enemy in ((0, 1), (1, 0)):
            left = self._strike(strikes[seat], enemy, here[enemy])
            if left and region in self.sides[enemy].buildings:
                loss = self.sides[enemy].besieged(region, left)
                self.told.sieges.append((enemy, region, loss))

    def _strike(self, strikes: tuple[int, int], seat: int, targets: list[Warrior]) -> int:
        """6.4 What a turret and warriors do to a seat's warriors: how many strikes are left.

        Who has the fewest hp keeps having the fewest, and so is struck until it has none.
        """
        turret, total = strikes[0], sum(strikes)
        done = 0
        for warrior in sorted(targets, key=lambda one: (one.hp, one.number)):
            loss = min(warrior.hp, total - done)
            shot = min(loss, max(turret - done, 0))
            for cause, hp in (("TURRET", shot), ("COMBAT", loss - shot)):
                if hp:
                    self.told.damage[cause, seat, warrior.number] = hp
            warrior.hp -= loss
            done += loss
        self.sides[seat].bury([warrior for warrior in targets if warrior.hp == 0])
        return total - done

    # 7: the end

    def _check(self) -> None:
        """7 Whether the game ends with this day."""
        hqs = [side.buildings.get(side.home) for side in self.sides]
        left, right = (hq.hp if hq else 0 for hq in hqs)
        if left == 0 or right == 0:
            self.ending = "HQ destroyed"
        elif self.day == self.rules["days"]:
            self.ending = "day limit"
        if self.over and left != right:
            self.winner = int(right > left)

    # what is told

    def row(self) -> dict[str, Any]:
        """10 The row of a finished game, without `game` and `history`."""
        row: dict[str, Any] = {
            "winner": "draw" if self.winner is None else SEATS[self.winner],
            "ending": self.ending,
            "capped": self.ending == "day limit",
            "length": self.day,
            "plies": self.plies,
            "map_seed": self.map.seed,
            "n": self.map.n,
            "k": self.map.k,
            "hq_hops": self.map.hq_hops,
            "hq_parity": self.map.hq_hops % 2,
        }
        for seat, side in enumerate(self.sides):
            row |= {f"{SEATS[seat]}_{name}": value for name, value in side.columns().items()}
        return row

    def text(self) -> str:
        """The position in one line."""
        left, right = self.sides
        raised = ";".join(str(region) for region in sorted(left.raised | right.raised))
        buildings = sorted(
            (region, f"{LETTERS[seat]}{region}:{building.level}:{building.hp}")
            for seat, side in enumerate(self.sides)
            for region, building in side.buildings.items()
        )
        ending = f" ending={self.ending.replace(' ', '-').lower()}" if self.over else ""
        return (
            f"map={self.map.seed} day={self.day} turn={TURNS[self.seat]} phase={self.phase}"
            f" gold={left.gold}/{right.gold} training={left.training}/{right.training}"
            f" born={left.born}/{right.born} raised={raised or '-'}"
            f" left={left.warriors_text()} right={right.warriors_text()}"
            f" buildings={';'.join(words for _, words in buildings) or '-'}{ending}"
        )


@lru_cache(maxsize=64)
def _map(map_rules: str, seed: int) -> Map:
    return generate(json.loads(map_rules), seed)


def random_game(rules: dict[str, Any], seed: int) -> Reference:
    """A finished game of two sides that choose evenly among the legal orders."""
    rng = random.Random(seed)
    game = None
    while game is None:
        try:
            game = Reference(rules, f"map={rng.getrandbits(32)}")
        except ValueError:  # a seed without a map
            continue
    while not game.over:
        game.do(*game.menu().draw(rng))
    return game
