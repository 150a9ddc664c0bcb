"""A side of the plain reference of Wargambit: purse, shop, army, and how it stands; the ghost.

An army counts pieces by name; places say which piece stands on a square, as its own side sees it.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

PIECES = ("pawn", "lance", "scout", "cannon", "knight", "bishop", "rook", "queen")
CHESS = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q"}
BACK = [f"{file}1" for file in "dfcgbha"]
FRONT = [f"{file}2" for file in "edfcgbha"]
"""4.1 The rows in the order in which they fill."""
SQUARES = [f"{file}{rank}" for rank in "12" for file in "abcdefgh"]
WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15

Army = Counter[str]
Places = dict[str, str]


def mix(z: int) -> int:
    """12"""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ z >> shift) * factor & WORD
    return z ^ z >> 31


def letters(rules: dict[str, Any]) -> dict[str, str]:
    """13 The letter of each piece, in the order of PIECES."""
    arsenal = {name: kind["letter"] for name, kind in rules["arsenal"].items()}
    return {piece: (arsenal | CHESS)[piece] for piece in PIECES}


def income(rules: dict[str, Any], turn: int) -> int:
    """2.2"""
    numbers: dict[str, int] = rules["income"]
    return min(numbers["first"] + numbers["step"] * (turn - 1), numbers["most"])


def interest(rules: dict[str, Any], gold: int) -> int:
    """2.1"""
    numbers: dict[str, int] = rules["income"]
    return min(gold // numbers["interest_per"], numbers["interest_most"])


def dearest_first(rules: dict[str, Any]) -> list[str]:
    """Of two pieces of one price the later one comes first."""
    price = rules["shop"]["price"]
    return sorted(PIECES, key=lambda piece: (price[piece], PIECES.index(piece)), reverse=True)


def value(rules: dict[str, Any], pieces: Mapping[str, int]) -> int:
    return sum(count * int(rules["shop"]["price"][piece]) for piece, count in pieces.items())


def has_room(rules: dict[str, Any], army: Army, piece: str) -> bool:
    """3.2 Whether the army may hold one such piece more."""
    most: dict[str, int] = rules["army"]
    pawns = piece != "pawn" or army["pawn"] < most["pawns"]
    return pawns and army.total() < most["pieces"]


def effect(rules: dict[str, Any], army: Army, name: str) -> int:
    """5 How much of an effect the army's synergies have together."""
    return sum(
        row["amount"]
        for row in rules["synergies"]
        if row["effect"] == name
        and all(army[need["piece"]] >= need["count"] for need in row["needs"])
    )


def automatic(rules: dict[str, Any], army: Army) -> Places:
    """4.1"""
    others = [piece for piece in dearest_first(rules) for _ in range(army[piece])]
    others = [piece for piece in others if piece != "pawn"]
    places = dict(zip(BACK + FRONT, others, strict=False))
    free = [square for square in FRONT if square not in places]
    return places | dict.fromkeys(free[: army["pawn"]], "pawn")


def drawn_up(rules: dict[str, Any], places: Places) -> Places:
    """5.2 5.3 Where the pieces of these places, and their squires, begin the battle."""
    army = Counter(places.values())
    stand, held = dict(places), army.copy()
    for _ in range(effect(rules, army, "squires")):
        square = next((square for square in FRONT if square not in stand), None)
        if square and has_room(rules, held, "pawn"):
            stand[square] = "pawn"
            held["pawn"] += 1
    ahead = min(2, effect(rules, army, "advance"))
    return {
        f"{square[0]}{int(square[1]) + ahead}" if piece == "pawn" else square: piece
        for square, piece in stand.items()
    }


class Ghost:
    """6 The ghost's gold and army, round by round."""

    def __init__(self, rules: dict[str, Any], saving: str) -> None:
        self.rules, self.saving = rules, saving
        self.gold, self.held, self.turn = 0, 0, 0
        self.army: Army = Counter()

    def next_round(self) -> None:
        """6.1 6.2"""
        self.turn += 1
        self.gold += interest(self.rules, self.held) + income(self.rules, self.turn)
        self.held = self.hold_back()
        board = self.gold - self.held
        if self.rules["ghost"]["buying"] == "rebuild":
            self.army = Counter()
        left = board - value(self.rules, self.army)
        while piece := self.dearest(left):
            self.army[piece] += 1
            left -= self.rules["shop"]["price"][piece]

    def hold_back(self) -> int:
        """6.1"""
        numbers = self.rules["ghost"]
        if self.turn > numbers["reserve_rounds"]:
            return 0
        most = int(numbers["reserve_most"])
        if self.saving == "schedule":
            most = min(most, numbers["reserve_step"] * (self.turn - 1))
        return min(most, self.gold)

    def dearest(self, gold: int) -> str | None:
        """6.2 6.3 The dearest piece that it can pay and has room for."""
        shop, every = self.rules["shop"], self.rules["ghost"]["tier_every"]
        for piece in dearest_first(self.rules):
            sold = not every or shop["tier"][piece] <= 1 + (self.turn - 1) // every
            if sold and shop["price"][piece] <= gold and has_room(self.rules, self.army, piece):
                return piece
        return None


class Side:
    """A seat: what it owns and what it is shown; zeros while it plays no run."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.hp = self.gold = self.level = self.shown = self.rerolls = 0
        self.shop = [""] * rules["shop"]["slots"]
        self.army: Army = Counter()
        self.places: Places = {}
        self.tally: Counter[str] = Counter()

    def enlist(self) -> None:
        """1.1 It plays a run."""
        self.hp, self.level = self.rules["run"]["hp"], 1

    def next_round(self, chance: int, turn: int) -> None:
        """2 3.1 Gold, then the shop, unless it is out."""
        if not self.hp:
            self.shown = self.rerolls = 0
            self.shop = [""] * len(self.shop)
            return
        interests = interest(self.rules, self.gold)
        bonus = effect(self.rules, self.army, "income")
        self.gold += interests + income(self.rules, turn) + bonus
        self.tally += Counter(interest=interests, bonus=bonus)
        self.rerolls, self.shown = 0, self.level
        self.show(chance, turn)

    def show(self, chance: int, turn: int) -> None:
        """3.1 12 Fill the slots."""
        shop, level = self.rules["shop"], self.shown
        weights = {piece: self.weight(piece) for piece in PIECES if shop["tier"][piece] <= level}
        for slot in range(shop["slots"]):
            place = turn * 2**32 + self.rerolls * 2**16 + level * 2**8 + slot + 1
            z = mix(chance + GOLDEN * place & WORD)
            mark = (z >> 32) * sum(weights.values()) >> 32
            for piece, weight in weights.items():
                mark -= weight
                if mark < 0:
                    self.shop[slot] = piece
                    break

    def weight(self, piece: str) -> int:
        """3.1"""
        shop = self.rules["shop"]
        if not shop["weight_follows_price"]:
            return int(shop["weight"][piece])
        price = int(shop["price"][piece])
        return max(1, (90 + price // 2) // price)  # a half has an even price

    def orders(self) -> list[str]:
        """13 What may be done in a shop."""
        shop, price = self.rules["shop"], self.rules["shop"]["price"]
        found = ["ready", *["auto"] * bool(self.places)]
        standing = Counter(self.places.values())
        found += self.placings({piece for piece in PIECES if standing[piece] < self.army[piece]})
        for slot, piece in enumerate(self.shop, 1):
            if piece and price[piece] <= self.gold and has_room(self.rules, self.army, piece):
                found.append(f"buy {slot}")
        if self.gold >= shop["reroll"]:
            found.append("reroll")
        if self.gold >= shop["level_up"] and self.level < shop["top_level"]:
            found.append("level")
        return found

    def placings(self, pieces: set[str]) -> list[str]:
        """4.2"""
        return [
            f"place {letter} {square}"
            for piece, letter in letters(self.rules).items()
            for square in SQUARES
            if piece in pieces and square not in {*self.places, "e1"}
            if piece != "pawn" or square[1] == "2"
        ]

    def place(self, letter: str, square: str) -> None:
        self.places[square] = next(p for p, own in letters(self.rules).items() if own == letter)

    def buy(self, slot: int) -> None:
        piece = self.shop[slot - 1]
        price = self.rules["shop"]["price"][piece]
        self.shop[slot - 1] = ""
        self.army[piece] += 1
        self.gold -= price
        self.tally += Counter(bought=1, spent=price)

    def reroll(self, chance: int, turn: int) -> None:
        self.gold -= self.rules["shop"]["reroll"]
        self.rerolls += 1
        self.tally["rerolls"] += 1
        if self.rules["shop"]["level_from"] == "next_shop":
            self.shown = self.level
        self.show(chance, turn)

    def rise(self) -> None:
        self.gold -= self.rules["shop"]["level_up"]
        self.level += 1
        self.tally["levels"] += 1

    def fighters(self) -> Places:
        """4 Where its pieces stand for the battle, by hand only if all of them do."""
        if Counter(self.places.values()) != self.army:
            self.places = {}
        return self.places or automatic(self.rules, self.army)

    def hurt(self, own: int, other: int) -> int:
        """10 Lose a battle that ended with these values: the HP lost."""
        numbers = self.rules["damage"]
        damage = min(int(numbers["base"]) + max(0, other - own), int(numbers["most"]), self.hp)
        self.hp -= damage
        return damage
