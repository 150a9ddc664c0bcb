"""Verbs about the games themselves."""

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from lab.cli.options import GameName
from lab.cli.show import print_table
from lab.cli.watch import announce_compiling

if TYPE_CHECKING:
    from lab.game import Game


def games() -> None:
    """The games the lab knows, and the rules a verb takes by default."""
    from lab.catalog import GAMES, load_game
    from lab.rules import versions

    rows = []
    for game in map(load_game, GAMES):
        policies = str(len(game.policy_names()))
        listed = ", ".join(versions(game.name))
        rows.append((game.name, game.title, game.default_rules, listed, policies))
    print_table(("game", "title", "default", "rules", ">policies"), rows)


def policies(game: GameName) -> None:
    """Who can play a game, and by which numbers."""
    from lab.catalog import load_game

    found = load_game(game)
    rows = [(name, found.preset(name).sentence) for name in found.policy_names()]
    print_table(("policy", "how it plays"), rows)
    players = {name: found.policies[name] for name in found.rivals()}
    presets = players.values()
    keys = [
        ("temperature", *(str(preset.temperature) for preset in presets)),
        ("spread", *(str(preset.spread) for preset in presets)),
    ]
    keys += [
        (key, *(_shown(found, key, preset.weights.get(key, 0)) for preset in presets))
        for key in found.options()
    ]
    print()
    print_table(("key", *(f">{name}" for name in players)), keys)
    print(f"""
NAME:key=value,... plays by other numbers. temperature is the noise of a choice,
spread the percent by which each game draws its own weights, the keys below it;
lab/games/{game}/README.md says what they weigh.
NAME:ban={"+".join(found.action_kinds[1:3])} bars actions: {", ".join(found.action_kinds[1:])}.
search:playouts=200,inner=NAME plays so many games a decision, by that policy.""")


def _shown(game: "Game", key: str, value: int) -> str:
    """A weight as a policy's text has it."""
    return game.named[key][value] if key in game.named else str(value)


def metrics(
    game: GameName,
    columns: Annotated[
        bool, Option("--columns", help="The columns of a game's row, of which formulas are made.")
    ] = False,
) -> None:
    """What is measured of a game."""
    from lab.catalog import load_game
    from lab.frames import columns_of
    from lab.metrics import metrics_of

    if columns:
        every = columns_of(load_game(game)).values()
        print_table(("column", "unit", "what it is"), [(c.name, c.unit, c.sentence) for c in every])
        return
    found = metrics_of(load_game(game)).values()
    print_table(("metric", "unit", "what it is"), [(m.name, m.unit, m.sentence) for m in found])


def compile(
    game: Annotated[str | None, Argument(metavar="GAME", help="Else every game.")] = None,
) -> None:
    """Compile the kernels ahead of the first game."""
    from lab.catalog import GAMES, load_game, load_rules
    from lab.play import trace

    announce_compiling()
    for name in [load_game(game).name] if game else GAMES:
        began = perf_counter()
        start, _, _ = trace(load_game(name), load_rules(name), "random", "random", 0, 0)
        start.play(start.legal()[0])
        start.perft(1)
        print(f"{name}: ready in {perf_counter() - began:.1f} s")
