"""The toy game, found where the lab's own games are, and its rules."""

from importlib import import_module
from pathlib import Path

import lab.games
from lab.rules import Rules

FOLDER = Path(__file__).parent / "toygames"
if str(FOLDER) not in lab.games.__path__:
    lab.games.__path__.append(str(FOLDER))
GAME = import_module("lab.games.pebbles").GAME


def rules(heap: int = 7, under: int = 0, most: int = 3) -> Rules:
    document = GAME.document(heap=heap, under=under, most=most)
    return Rules("pebbles", "1", document, None, "A toy.", (), None, "here", 1, {})
