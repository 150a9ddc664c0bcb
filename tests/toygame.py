"""The toy games, found where the lab's own games are, and rules of them."""

from importlib import import_module
from pathlib import Path

import lab.games
from lab.rules import Rules

FOLDER = Path(__file__).parent / "toygames"
if str(FOLDER) not in lab.games.__path__:
    lab.games.__path__.append(str(FOLDER))
GAME = import_module("lab.games.pebbles").GAME
DEALT = import_module("lab.games.dealt").GAME
"""The game whose records serve a block of games, and whose games form clusters."""


def rules(heap: int = 7, under: int = 0, most: int = 3, game: str = "pebbles") -> Rules:
    document = GAME.document(heap=heap, under=under, most=most)
    return Rules(game, "1", document, None, "A toy.", (), None, "here", 1, {})
