from typing import Annotated, Literal

import numpy as np
import pytest
from pydantic import Field

from lab.packing import dtype_of, pack
from lab.rules import Document

Small = Annotated[int, Field(ge=-9, le=9)]
Cell = Annotated[list[Small], Field(min_length=2, max_length=2)]


class Level(Document):
    cost: int
    effect: Literal["none", "income"]


class Toy(Document):
    fair: bool
    rate: float
    judge: Literal["siege", "draw", "points"]
    start: list[Small] = Field(min_length=2, max_length=2)
    cells: list[Cell] = Field(max_length=4)
    nests: list[Cell] = Field(min_length=3, max_length=3)
    levels: list[Level] = Field(max_length=3)
    words: list[Literal["a", "b"]] = Field(max_length=2)
    one: Level


def toy(**changes):
    level = {"cost": 7, "effect": "income"}
    data = {
        "fair": True,
        "rate": 0.5,
        "judge": "points",
        "start": [3, -4],
        "cells": [[1, 2], [3, 4]],
        "nests": [[1, 2], [3, 4], [5, 6]],
        "levels": [level],
        "words": ["b"],
        "one": level,
    }
    return Toy.model_validate(data | changes)


DERIVED = {"near": (np.uint64, (4, 6)), "count": (np.int64, ())}


def test_fields_keep_the_documents_names_order_and_nesting():
    dtype = dtype_of(Toy, "toy", DERIVED)
    assert dtype.names == (
        *("toy", "fair", "rate", "judge", "start", "cells", "cells_count", "nests"),
        *("levels", "levels_count", "words", "words_count", "one", "near", "count"),
    )
    assert dtype.isalignedstruct
    assert {name: dtype[name].base for name in ("toy", "fair", "rate", "judge", "near")} == {
        "toy": np.dtype(np.uint8),
        "fair": np.dtype(np.bool_),
        "rate": np.dtype(np.float64),
        "judge": np.dtype(np.int64),
        "near": np.dtype(np.uint64),
    }
    shapes = {name: dtype[name].shape for name in ("start", "cells", "nests", "levels", "near")}
    assert shapes == {
        "start": (2,),
        "cells": (4, 2),
        "nests": (3, 2),
        "levels": (3,),
        "near": (4, 6),
    }
    assert dtype["one"].names == ("cost", "effect")
    assert dtype["levels"].base["cost"] == np.int64


def test_values_arrive_and_the_rest_is_zero():
    record = pack(toy(), dtype_of(Toy, "toy", DERIVED))[0]
    assert (record.fair, record.rate, record.judge) == (True, 0.5, 2)
    assert record.start.tolist() == [3, -4]
    assert record.cells.tolist() == [[1, 2], [3, 4], [0, 0], [0, 0]]
    assert record.nests.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert record.levels.tolist() == [(7, 1), (0, 0), (0, 0)]
    assert (record.cells_count, record.levels_count, record.words_count) == (2, 1, 1)
    assert record.words.tolist() == [1, 0]
    assert record.one.tolist() == (7, 1)
    assert (record.toy, record["count"], record.near.any()) == (0, 0, False)


def test_an_array_of_one_record_whose_padding_is_zero():
    dtype = dtype_of(Toy, "toy")
    packed = pack(toy(levels=[]), dtype)
    assert packed.shape == (1,)
    assert packed.dtype == dtype
    assert isinstance(packed[0], np.record)
    assert packed.tobytes() == pack(toy(levels=[]), dtype).tobytes()
    assert packed.tobytes() != pack(toy(), dtype).tobytes()


def test_the_games_name_makes_the_type_its_own():
    assert dtype_of(Toy, "toy") != dtype_of(Toy, "other")


class Text(Document):
    name: str


class Endless(Document):
    rows: list[int]


class Ragged(Document):
    rows: list[Annotated[list[int], Field(max_length=3)]] = Field(max_length=2)


@pytest.mark.parametrize("model", [Text, Endless, Ragged])
def test_a_field_without_a_form_is_refused(model):
    with pytest.raises(TypeError, match="has no place in a record"):
        dtype_of(model, "toy")
