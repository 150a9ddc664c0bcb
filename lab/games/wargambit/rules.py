"""The rules document of Wargambit: every number with its unit, its range and one sentence."""

from itertools import pairwise
from typing import Any, Literal, Self, get_args

from pydantic import Field, model_validator

from lab.rules import Document

Piece = Literal["pawn", "lance", "scout", "cannon", "knight", "bishop", "rook", "queen"]
PIECES: tuple[str, ...] = get_args(Piece)
"""In the order of README; where prices are equal the later one counts as the dearer."""
Letter = Literal[
    "a", "c", "d", "e", "f", "g", "h", "i", "j", "l",
    "m", "o", "s", "t", "u", "v", "w", "x", "y", "z",
]  # fmt: skip
"""Those that stand for no chess piece."""
Moves = Literal[
    "W", "F", "D", "A", "N", "K", "WD", "WA", "FD", "FA", "AD", "ND", "NA", "NAD",
    "R", "B", "Q", "fR", "fB", "fQ", "RF", "BW", "RN", "BN", "QN",
    "mRcpR", "mBcpB", "mQcpQ",
]  # fmt: skip
"""README 7.1."""
MOST_ROUNDS, MOST_SLOTS, MOST_SYNERGIES, MOST_PLIES = 16, 6, 12, 400
WEIGHT_SCALE = 90
"""README 3.1: weight times price, where weights follow prices."""


def _number(sentence: str, unit: str, low: int, high: int, **extra: Any) -> Any:
    return Field(description=sentence, ge=low, le=high, json_schema_extra={"unit": unit} | extra)


class Run(Document):
    rounds: int = _number("Rounds to come through.", "rounds", 1, MOST_ROUNDS)
    hp: int = _number("HP at the start.", "HP", 1, 100)


class Income(Document):
    first: int = _number("Income of the first round.", "gold", 0, 30)
    step: int = _number("By how much the income rises each round.", "gold", 0, 10)
    most: int = _number("The greatest income.", "gold", 0, 60)
    interest_per: int = _number("Gold in hand for each gold of interest.", "gold", 1, 30)
    interest_most: int = _number("The greatest interest.", "gold", 0, 20)


class Price(Document):
    pawn: int = _number("Price, and so the value, of a pawn.", "gold", 1, 30)
    lance: int = _number("Price, and so the value, of a lance.", "gold", 1, 30)
    scout: int = _number("Price, and so the value, of a scout.", "gold", 1, 30)
    cannon: int = _number("Price, and so the value, of a cannon.", "gold", 1, 30)
    knight: int = _number("Price, and so the value, of a knight.", "gold", 1, 30)
    bishop: int = _number("Price, and so the value, of a bishop.", "gold", 1, 30)
    rook: int = _number("Price, and so the value, of a rook.", "gold", 1, 30)
    queen: int = _number("Price, and so the value, of a queen.", "gold", 1, 30)


class Tier(Document):
    pawn: int = _number("Shop level from which pawns come.", "level", 1, 5)
    lance: int = _number("Shop level from which lances come.", "level", 1, 5)
    scout: int = _number("Shop level from which scouts come.", "level", 1, 5)
    cannon: int = _number("Shop level from which cannons come.", "level", 1, 5)
    knight: int = _number("Shop level from which knights come.", "level", 1, 5)
    bishop: int = _number("Shop level from which bishops come.", "level", 1, 5)
    rook: int = _number("Shop level from which rooks come.", "level", 1, 5)
    queen: int = _number("Shop level from which queens come.", "level", 1, 5)


class Weight(Document):
    pawn: int = _number("Weight of a pawn in the shop's draw.", "weight", 0, 1000)
    lance: int = _number("Weight of a lance in the shop's draw.", "weight", 0, 1000)
    scout: int = _number("Weight of a scout in the shop's draw.", "weight", 0, 1000)
    cannon: int = _number("Weight of a cannon in the shop's draw.", "weight", 0, 1000)
    knight: int = _number("Weight of a knight in the shop's draw.", "weight", 0, 1000)
    bishop: int = _number("Weight of a bishop in the shop's draw.", "weight", 0, 1000)
    rook: int = _number("Weight of a rook in the shop's draw.", "weight", 0, 1000)
    queen: int = _number("Weight of a queen in the shop's draw.", "weight", 0, 1000)


class Shop(Document):
    slots: int = _number("Slots that the shop shows.", "slots", 1, MOST_SLOTS)
    reroll: int = _number("Gold for drawing all slots anew.", "gold", 1, 20)
    level_up: int = _number("Gold for the next level.", "gold", 1, 40)
    top_level: int = _number("The highest level.", "level", 1, 5)
    level_from: Literal["next_round", "next_shop"] = Field(
        description="From when on a new level tells: the next round, or the next draw."
    )
    price: Price
    tier: Tier
    weight: Weight
    weight_follows_price: bool = Field(
        description="Whether the weights are worked out from the prices instead."
    )

    def weights(self) -> dict[str, int]:
        """The weight of each piece in a draw, README 3.1."""
        if not self.weight_follows_price:
            return self.weight.model_dump()
        prices = self.price.model_dump().items()
        return {name: max(1, (2 * WEIGHT_SCALE + n) // (2 * n)) for name, n in prices}

    @model_validator(mode="after")
    def _sells(self) -> Self:
        weights, tiers = self.weights(), self.tier.model_dump()
        if not any(weights[name] for name in PIECES if tiers[name] == 1):
            raise ValueError(
                "no piece of tier 1 has a weight: a shop of level 1 would sell nothing"
            )
        return self


class Army(Document):
    pieces: int = _number("Pieces that an army holds at most.", "pieces", 1, 15)
    pawns: int = _number("Pawns among them at most.", "pawns", 0, 8)


class Need(Document):
    piece: Piece = Field(description="A piece that the army has to hold.")
    count: int = _number("How many of it.", "pieces", 1, 8)


class Synergy(Document):
    needs: list[Need] = Field(
        description="What the army has to hold.", min_length=1, max_length=len(PIECES)
    )
    effect: Literal["income", "advance", "squires"] = Field(
        description="Gold a round, ranks that pawns start ahead, or pawns that join a battle."
    )
    amount: int = _number("How much of the effect.", "gold, ranks or pawns", 0, 5)

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        names = [need.piece for need in self.needs]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{name} is needed twice: one row of needs says how many")
        return self


class Ghost(Document):
    saving: Literal["schedule", "literal"] = Field(
        description="Whether it holds gold back step by step, or all it has up to the most."
    )
    reserve_step: int = _number("By how much it holds back more each round.", "gold", 0, 30)
    reserve_most: int = _number("The most that it holds back.", "gold", 0, 100)
    reserve_rounds: int = _number("Rounds through which it holds back.", "rounds", 0, MOST_ROUNDS)
    buying: Literal["rebuild", "add"] = Field(
        description="Whether it buys a new army each round, or adds to the one it has."
    )
    tier_every: int = _number(
        "Rounds after which the highest tier it buys rises by one; 0 is no such limit.",
        "rounds",
        0,
        MOST_ROUNDS,
    )


class Kind(Document):
    letter: Letter = Field(
        description="Its letter in positions.", json_schema_extra={"used_by": "texts"}
    )
    moves: Moves = Field(description="How it moves, in Betza's notation.")


class Arsenal(Document):
    lance: Kind
    scout: Kind
    cannon: Kind

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        for one, other in pairwise(sorted((self.lance, self.scout, self.cannon), key=_letter)):
            if one.letter == other.letter:
                raise ValueError(f"two pieces have the letter {one.letter}")
        return self


def _letter(kind: Kind) -> str:
    return kind.letter


class Battle(Document):
    first_move: Literal["player", "ghost", "lower_value", "alternate"] = Field(
        description="Who moves first: White, Black, the lower value, or each in every other round."
    )
    order: Literal["mover", "board"] = Field(
        description="From where the fixed order counts ranks: as the mover sees them, or White."
    )
    stalemate: Literal["bare_king", "value", "draw"] = Field(
        description="Stalemate: by value if only the king is left, always by value, or a draw."
    )
    repetition: Literal["value", "draw"] = Field(
        description="What a repeated position is: decided by value, or a draw."
    )
    repetition_count: int = _number("Times that a position may stand, till it ends.", "times", 2, 5)
    quiet_limit: int = _number(
        "Moves without a capture or a pawn's move until a draw; 0 is no limit.", "moves", 0, 200
    )
    ply_cap: int = _number("Moves of either side until the value decides.", "moves", 1, MOST_PLIES)


class Damage(Document):
    base: int = _number("HP that a lost battle costs at least.", "HP", 0, 20)
    most: int = _number("HP that a lost battle costs at most.", "HP", 0, 100)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.base > self.most:
            raise ValueError(f"base {self.base} is above most {self.most}")
        return self


class Wargambit(Document):
    run: Run
    income: Income
    shop: Shop
    army: Army
    synergies: list[Synergy] = Field(
        description="What armies get for holding certain pieces.", max_length=MOST_SYNERGIES
    )
    ghost: Ghost
    arsenal: Arsenal
    battle: Battle
    damage: Damage

    def letters(self) -> str:
        """The letter of each of PIECES, then the king's."""
        arsenal = {
            name: getattr(self.arsenal, name).letter for name in ("lance", "scout", "cannon")
        }
        chess = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q"}
        return "".join((arsenal | chess)[name] for name in PIECES) + "k"
