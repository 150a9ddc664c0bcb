"""Fields: who plays out there, as weights of policies in a file of their own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field as Key

from lab.catalog import load_game
from lab.document import Document
from lab.errors import bad
from lab.tomlfile import blaming, read_form

NEAR_ONE = 1e-3
"""How far a sum of weights may be from 1: thirds are written 0.333."""


class FieldFile(Document):
    """What a file may say; only the game and the weights are needed, the rest is for readers."""

    game: str
    weights: dict[str, Annotated[float, Key(ge=0, le=1)]] = Key(min_length=1)
    intervals: dict[str, list[float]] = Key(default={})
    misfits: dict[str, dict[str, float]] = Key(default={})
    fit: dict[str, Any] = Key(default={})


@dataclass(frozen=True)
class Field:
    """Weights of policies, above 0 and of sum 1, in the file's order."""

    game: str
    weights: dict[str, float]
    text: str  # of the file


def read_field(path: Path | str) -> Field:
    """The field in a TOML file; BadInput names the file, the place and the nearest name."""
    file, text = read_form(path, FieldFile)
    with blaming(f"{path} /game"):
        game = load_game(file.game)
    for policy in file.weights:
        with blaming(f"{path} /weights"):
            game.policy_rows(policy, policy)
    total = sum(file.weights.values())
    if abs(total - 1) > NEAR_ONE:
        raise bad(f"{path} /weights", f"a sum of {total:.6g}", "weights that sum to 1")
    weights = {name: weight / total for name, weight in file.weights.items() if weight > 0}
    return Field(file.game, weights, text)
