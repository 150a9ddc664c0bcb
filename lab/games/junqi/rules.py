"""The rules document of junqi: every number with its unit, its range and one sentence."""

from itertools import pairwise
from typing import Any, Literal, Self, get_args

from pydantic import Field, model_validator

from lab.rules import Document

COLUMNS = "ABCDE"
FRONT_ROW, HALF = 6, 30
"""The front row and the nodes of a half, as its side counts."""
White = Literal[
    "A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2", "D2", "E2", "A3", "B3", "C3", "D3", "E3",
    "A4", "B4", "C4", "D4", "E4", "A5", "B5", "C5", "D5", "E5", "A6", "B6", "C6", "D6", "E6",
]  # fmt: skip
Station = Literal["AF", "CF", "EF"]
Black = Literal[
    "A7", "B7", "C7", "D7", "E7", "A8", "B8", "C8", "D8", "E8", "A9", "B9", "C9", "D9", "E9",
    "A10", "B10", "C10", "D10", "E10", "A11", "B11", "C11", "D11", "E11",
    "A12", "B12", "C12", "D12", "E12",
]  # fmt: skip
Inner = Literal[White, Black]
Node = Literal[White, Station, Black]
STATIONS: tuple[str, ...] = get_args(Station)
NODES: tuple[str, ...] = get_args(Node)
"""README 1.1: in this order the n-th node and the n-th from the end are turned into each other."""
KINDS = (
    *("engineer", "platoon", "company", "battalion", "regiment", "brigade", "division", "army"),
    *("marshal", "bomb", "mine", "flag"),
)
"""README's order of the pieces."""
FLAGS = 1


def _number(sentence: str, unit: str, low: int, high: int) -> Any:
    return Field(description=sentence, ge=low, le=high, json_schema_extra={"unit": unit})


def turned(node: str) -> str:
    """The node that half a round takes this one to."""
    return NODES[-1 - NODES.index(node)]


def spot(node: str) -> tuple[int, int]:
    """A node's column and row; the front is half a row behind row 6."""
    row = node[1:]
    return COLUMNS.index(node[0]) * 2, 13 if row == "F" else 2 * int(row) + 2 * (int(row) > 6) - 1


def along(one: str, other: str) -> tuple[int, int] | None:
    """The direction from a node to its neighbour in a row or a column, None if it is none."""
    (x, y), (u, v) = spot(one), spot(other)
    step = (u - x, v - y)
    return step if step in ((2, 0), (-2, 0), (0, 2), (0, -2)) else None


class Rail(Document):
    nodes: list[Node] = Field(
        description="The nodes of a straight line of rail, in order.", min_length=2, max_length=12
    )

    @model_validator(mode="after")
    def _straight(self) -> Self:
        first = along(*self.nodes[:2])
        for one, other in pairwise(self.nodes):
            step = along(one, other)
            if step is None:
                raise ValueError(f"{one} and {other} are no neighbours in a row or a column")
            if step != first:
                raise ValueError(f"the rail turns at {one}, and a line of rail is straight")
        return self


_LOPSIDED = "lacks what half a round turns it into"


class Board(Document):
    camps: list[Inner] = Field(description="Nodes where a piece cannot be attacked.", max_length=10)
    headquarters: list[Inner] = Field(
        description="Nodes where flags stand.", min_length=2, max_length=4
    )
    rails: list[Rail] = Field(description="The lines of rail.", max_length=8)
    center_rail: bool = Field(description="Whether C6, CF, C7 is a line of rail.")
    camp_rail: bool = Field(
        description="Whether columns B and D of either half are lines of rail, through their camps."
    )
    headquarters_hold: bool = Field(
        description="Whether a piece in a headquarters never moves again."
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for name, nodes in (("camp", self.camps), ("headquarters", self.headquarters)):
            for node in nodes:
                if nodes.count(node) > 1:
                    raise ValueError(f"{name} {node} is named twice")
                if turned(node) not in nodes:
                    raise ValueError(f"{name} {node} {_LOPSIDED}, {turned(node)}")
        both = [node for node in self.camps if node in self.headquarters]
        if both:
            raise ValueError(f"{both[0]} is a camp and a headquarters")
        lines = {frozenset(rail.nodes) for rail in self.rails}
        for rail in self.rails:
            other = [turned(node) for node in reversed(rail.nodes)]
            if frozenset(other) not in lines:
                ends = f"{rail.nodes[0]} to {rail.nodes[-1]}"
                raise ValueError(f"the rail {ends} {_LOPSIDED}, {other[0]} to {other[-1]}")
        return self


class Count(Document):
    engineer: int = _number("Engineers of a side.", "pieces", 0, 8)
    platoon: int = _number("Platoon commanders of a side.", "pieces", 0, 8)
    company: int = _number("Company commanders of a side.", "pieces", 0, 8)
    battalion: int = _number("Battalion commanders of a side.", "pieces", 0, 8)
    regiment: int = _number("Regiment commanders of a side.", "pieces", 0, 8)
    brigade: int = _number("Brigade commanders of a side.", "pieces", 0, 8)
    division: int = _number("Division commanders of a side.", "pieces", 0, 8)
    army: int = _number("Army commanders of a side.", "pieces", 0, 8)
    marshal: int = _number("Marshals of a side.", "pieces", 0, 8)
    bomb: int = _number("Bombs of a side.", "pieces", 0, 6)
    mine: int = _number("Mines of a side.", "pieces", 0, 8)


class Rank(Document):
    engineer: int = _number("Rank of an engineer.", "rank", 1, 20)
    platoon: int = _number("Rank of a platoon commander.", "rank", 1, 20)
    company: int = _number("Rank of a company commander.", "rank", 1, 20)
    battalion: int = _number("Rank of a battalion commander.", "rank", 1, 20)
    regiment: int = _number("Rank of a regiment commander.", "rank", 1, 20)
    brigade: int = _number("Rank of a brigade commander.", "rank", 1, 20)
    division: int = _number("Rank of a division commander.", "rank", 1, 20)
    army: int = _number("Rank of an army commander.", "rank", 1, 20)
    marshal: int = _number("Rank of a marshal.", "rank", 1, 20)


class Setup(Document):
    mine_rows: int = _number("Back rows that may hold mines.", "rows", 1, 6)
    front_bombs: bool = Field(description="Whether bombs may stand on the front row.")


class Battle(Document):
    bomb_on_flag: Literal["wins", "both_go"] = Field(
        description="Whether a bomb takes a flag or goes with it."
    )
    mine: Literal["both_go", "stays"] = Field(
        description="Whether a mine goes with who attacks it, or stays."
    )


class Draw(Document):
    quiet_limit: int = _number("Plies without a battle that end the game.", "plies", 10, 200)
    offer_gap: int = _number("Plies between two offers of one side.", "plies", 0, 60)


class Clock(Document):
    setup: int = _number("Time for the set-up.", "seconds", 10, 600)
    ply: int = _number("Time for a ply.", "seconds", 5, 300)
    late_limit: int = _number("The turn passed so often loses.", "turns", 1, 10)
    away: int = _number("Time to come back in.", "seconds", 10, 600)


class Junqi(Document):
    board: Board
    count: Count
    rank: Rank
    setup: Setup
    battle: Battle
    draw: Draw
    clock: Clock

    def places(self, side: int = 0) -> list[str]:
        """The nodes of a side's set-up, as it counts them."""
        mine = NODES[:HALF] if side == 0 else NODES[: -HALF - 1 : -1]
        return [node for node in mine if node not in self.board.camps]

    def stands(self, kind: str) -> list[str]:
        """README 3.1: those of the first side's places where a kind may stand."""
        places, homes = self.places(), self.board.headquarters
        if kind == "flag":
            return [node for node in places if node in homes]
        if kind == "mine":
            rows = self.setup.mine_rows
            return [node for node in places if node not in homes and int(node[1:]) <= rows]
        if kind == "bomb" and not self.setup.front_bombs:
            return [node for node in places if int(node[1:]) < FRONT_ROW]
        return places

    def counts(self) -> list[int]:
        """How many of each of KINDS a side has."""
        return [*self.count.model_dump().values(), FLAGS]

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        places, pieces = self.places(), sum(self.counts())
        if pieces != len(places):
            wanted = f"expected {len(places)}, one for each place of a half"
            raise ValueError(f"found {pieces} pieces of a side in /count, {wanted}")
        room = len(self.stands("mine"))
        if self.count.mine > room:
            wanted = f"expected at most {room}, the places where they may stand"
            raise ValueError(f"found {self.count.mine} mines in /count, {wanted}")
        return self
