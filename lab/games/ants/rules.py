"""The rules document of ants: every number with its unit, its range and one sentence."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from lab.rules import Document


def _number(sentence: str, unit: str, low: int, high: int) -> Any:
    return Field(description=sentence, ge=low, le=high, json_schema_extra={"unit": unit})


Coordinate = Annotated[int, Field(ge=-4, le=4)]
Cell = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
Step = Annotated[list[Annotated[int, Field(ge=-1, le=1)]], Field(min_length=2, max_length=2)]
Resources = Annotated[int, Field(ge=0, le=30)]

DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


class Board(Document):
    radius: int = _number("Cells from the centre to the edge of the board.", "cells", 2, 4)
    nests: list[Cell] = Field(
        description="The nest of the first and of the second player.", min_length=2, max_length=2
    )
    points: list[Cell] = Field(description="The resource points.", max_length=12)
    directions: list[Step] = Field(
        description="The six directions in the order in which a tie is broken.",
        min_length=6,
        max_length=6,
    )
    tie_break: Literal["lowest", "highest"] = Field(
        description="Which of several equal target cells an ant takes, by q and then r."
    )
    mirror_second: bool = Field(
        description="Whether the second player's orders of directions and cells are rotated."
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        named = [("nest", c) for c in self.nests] + [("point", c) for c in self.points]
        for name, (q, r) in named:
            if max(abs(q), abs(r), abs(q + r)) > self.radius:
                raise ValueError(f"{name} ({q},{r}) lies outside a board of radius {self.radius}")
        places = [tuple(cell) for _, cell in named]
        for place in places:
            if places.count(place) > 1:
                raise ValueError(f"cell ({place[0]},{place[1]}) is named twice")
        if {tuple(step) for step in self.directions} != set(DIRECTIONS):
            raise ValueError("the directions are not the six neighbours, each once")
        return self


class Costs(Document):
    produce: int = _number("AP for producing an ant.", "AP", 1, 4)
    gather: int = _number("AP for gathering.", "AP", 1, 4)
    place: int = _number("AP for placing a pheromone.", "AP", 1, 4)
    reinforce: int = _number("AP for reinforcing a pheromone.", "AP", 1, 4)
    destroy: int = _number("AP for destroying a pheromone.", "AP", 1, 4)


class Turn(Document):
    round_cap: int = _number("After this many rounds the cap judgement decides.", "rounds", 1, 100)
    ap: int = _number("Action points a turn.", "AP", 1, 8)
    cost: Costs

    @model_validator(mode="after")
    def _pays(self) -> Self:
        cheapest = min(self.cost.model_dump().values())
        if self.ap < cheapest:
            raise ValueError(f"{self.ap} AP pay for no action, the cheapest costs {cheapest}")
        return self


class Start(Document):
    resources: list[Resources] = Field(
        description="Resources of the first and of the second player at the start.",
        min_length=2,
        max_length=2,
        json_schema_extra={"unit": "resources"},
    )
    queens: int = _number("Queens in each nest at the start.", "ants", 1, 3)
    workers: int = _number("Workers in each nest at the start.", "ants", 0, 6)
    soldiers: int = _number("Soldiers in each nest at the start.", "ants", 0, 6)


class Income(Document):
    nest: int = _number("Income of the nest on every own turn.", "resources", 0, 5)
    point: int = _number("Income of a worker on a resource point.", "resources", 0, 5)
    workers_per_point: int = _number("Workers that are paid on one point.", "ants", 0, 6)
    gather: int = _number("What one gather earns.", "resources", 0, 5)
    gather_per_worker: int = _number(
        "Gathers a turn for each worker on the nest; 0 is no limit.", "gathers", 0, 8
    )


class Made(Document):
    cost: int = _number("Base cost of one more.", "resources", 0, 10)
    cost_step: int = _number("So many living of the kind raise the cost by 1.", "ants", 1, 10)
    power: int = _number("Power in combat.", "power", 1, 9)


class Queen(Document):
    power: int = _number("Power in combat.", "power", 1, 9)


class Units(Document):
    worker: Made
    soldier: Made
    queen: Queen


class Pheromone(Document):
    limit: int = _number("Pheromones a player may have at once.", "pheromones", 0, 20)
    place_cost: int = _number("Resources for placing.", "resources", 0, 5)
    reinforce_cost: int = _number("Resources for reinforcing.", "resources", 0, 5)
    start_strength: int = _number("Strength of a new pheromone.", "strength", 1, 9)
    reinforce_by: int = _number("Strength that reinforcing adds.", "strength", 1, 9)
    max_strength: int = _number("Greatest strength.", "strength", 1, 9)
    reach: int = _number("Distance from a worker in which it places.", "cells", 0, 8)
    decay: int = _number("Strength lost after every round.", "strength", 0, 3)
    place_needs_no_ants: bool = Field(
        description="Whether a pheromone may only be placed where no ant stands."
    )

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.start_strength > self.max_strength:
            raise ValueError(
                f"start_strength {self.start_strength} is above max_strength {self.max_strength}"
            )
        return self


class March(Document):
    movement: Literal["anchor", "free", "hold", "nearest", "gradient"] = Field(
        description="How an ant chooses whether and where to walk."
    )
    cells: int = _number("Cells an ant walks in a march.", "cells", 0, 4)


class Combat(Document):
    tie_loss_divisor: int = _number(
        "The owner of a tied cell's pheromone loses the sum divided by this.", "divisor", 1, 8
    )


class Siege(Document):
    cells: int = _number("Cells beside the enemy nest that must be held.", "cells", 1, 6)
    turns: int = _number("Own turns running that they must be held.", "turns", 1, 8)


class Cap(Document):
    judgement: Literal["siege", "draw", "strength", "economy", "mixed"] = Field(
        description="What decides a game that reaches the round cap."
    )
    point_value: int = _number("Territory of a held resource point.", "territory", 0, 10)
    cell_value: int = _number("Territory of a held cell of the enemy half.", "territory", 0, 10)


class Ants(Document):
    board: Board
    turn: Turn
    start: Start
    income: Income
    units: Units
    pheromone: Pheromone
    march: March
    combat: Combat
    siege: Siege
    cap: Cap
