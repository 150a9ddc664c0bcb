"""A small game's rules document, and its files, for the tests of the rules themselves."""

import json
from typing import Annotated, Literal

import pytest
from pydantic import Field, model_validator

from lab.errors import BadInput
from lab.rules import Document

Resources = Annotated[int, Field(ge=0, le=30)]


class Level(Document):
    cost: int = Field(description="What it costs.", ge=0, le=99, json_schema_extra={"unit": "gold"})
    bonus: int = Field(default=0, description="On top.", ge=0, le=9, json_schema_extra={"since": 2})


class Economy(Document):
    gather: int = Field(description="A gather.", ge=0, le=9, json_schema_extra={"unit": "gold"})
    rate: float = Field(description="A share.", ge=0, le=1)
    limit: int = Field(description="The most.", ge=1, le=9)

    @model_validator(mode="after")
    def _gather_fits(self):
        if self.gather > self.limit:
            raise ValueError(f"gather {self.gather} is above limit {self.limit}")
        return self


class Extra(Document):
    on: bool = Field(default=False, description="Whether at all.")


class Toy(Document):
    economy: Economy
    start: list[Resources] = Field(
        description="Each side's.", min_length=2, max_length=2, json_schema_extra={"unit": "wood"}
    )
    levels: list[Level] = Field(description="From the lowest.", max_length=3)
    judge: Literal["siege", "draw"] = Field(description="What decides.")
    fair: bool = Field(description="A switch.")
    extra: Extra = Field(
        default=Extra(on=False), description="Newer.", json_schema_extra={"since": 3}
    )


NUMBERS = {
    "economy": {"gather": 1, "rate": 0.5, "limit": 4},
    "start": [3, 4],
    "levels": [{"cost": 5}, {"cost": 9}],
    "judge": "siege",
    "fair": True,
}


def write_toy(folder, version="0.1", **changes):
    """Writes folder/<version>.json: the toy's first version with other keys."""
    data = {"schema": 1, "game": "toy", "version": version, "parent": None, "why": "Because."}
    path = folder / f"{version}.json"
    path.write_text(json.dumps(data | {"assumed": [], "rules": NUMBERS} | changes))
    return path


def refusal(function, *arguments):
    with pytest.raises(BadInput) as error:
        function(*arguments)
    return str(error.value)


def numbers(**changes):
    return NUMBERS | changes
