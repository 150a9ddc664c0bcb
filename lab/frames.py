"""A frame of outcomes: of which game it is, and what its columns mean."""

from collections.abc import Iterable

from lab import catalog
from lab.catalog import load_game
from lab.game import WINNERS, Column, Game
from lab.outcomes import endless, named
from lab.outcomes import share as one
from lab.rules import Rules


def rounds(rules: Rules) -> tuple[float, float]:
    """The bounds of a length."""
    return 0.0, float(load_game(rules.game).max_clock)


def columns_of(game: Game) -> dict[str, Column]:
    """Every column of a game's outcomes by name: those of any game, then its own."""
    endings = ", ".join(game.endings)
    common = named(
        Column("game", "Index of the game in its run.", "", endless),
        Column("history", "Hash of all actions: equal ones are the same game again.", "", endless),
        Column("winner", f"Who won: {', '.join(WINNERS)}.", "", endless),
        Column("ending", f"How the game ended: {endings}.", "", endless),
        Column("capped", "Whether its cap ended it, and it was decided on what stood.", "", one),
        Column("length", f"How many {game.clocks} the game lasted.", game.clocks, rounds),
        Column("plies", "How many actions both seats took.", "actions", endless),
    )
    return {**common, **game.columns}


def game_of(columns: Iterable[str]) -> Game | None:
    """The game whose outcomes have these columns, all of its own among them; None if none has."""
    known = set(columns)
    for game in map(load_game, catalog.GAMES):
        if set(game.columns) <= known:
            return game
    return None
