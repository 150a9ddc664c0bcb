"""The games the lab knows: one word each."""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from lab import rules as documents
from lab.errors import bad
from lab.jsonfile import at, read_object, shown

if TYPE_CHECKING:
    from lab.game import Game
    from lab.rules import Rules

GAMES = ("ants", "next_nation", "wargambit", "junqi")


@cache
def load_game(name: str) -> "Game":
    """A game by its name; raises BadInput with the nearest name."""
    if name not in GAMES:
        raise bad("game", repr(name), f"one of {', '.join(GAMES)}", name, GAMES)
    game: Game = import_module(f"lab.games.{name}").GAME
    return game


def load_rules(game: str, version: str | None = None) -> "Rules":
    """Rules by version, by a path that ends in .json, or the game's current ones."""
    found = load_game(game)
    if version is None:
        version = found.default_rules
    if version.endswith(".json"):
        return documents.load(Path(version), found.document, game)
    return documents.load_version(game, version, found.document, documents.folder())


def load_file(path: Path | str) -> "Rules":
    """The rules in a file, of whatever game it says."""
    name = read_object(path).get("game")
    if name not in GAMES:
        expected = f"one of {', '.join(GAMES)}"
        raise bad(at(str(path), "/game"), shown(name), expected, str(name), GAMES)
    return documents.load(path, load_game(name).document, name)
