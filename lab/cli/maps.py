"""A verb about the maps of a game that has some."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from typer import Option

from lab.cli.options import GameName, OutFile, RulesName, Settings, read_rules
from lab.cli.watch import announce_compiling
from lab.errors import bad, write_text


def draw(
    game: GameName,
    seed: Annotated[int, Option(metavar="S", help="The generator's seed, 64 bits with a sign.")],
    np: Annotated[
        int | None, Option(metavar="A", help="Half of the regions, else drawn: there are 2 A + 1.")
    ] = None,
    kp: Annotated[
        int | None, Option(metavar="B", help="Half of the strongholds, else drawn: 2 B + 1.")
    ] = None,
    rules: RulesName = None,
    settings: Settings = None,
    svg: Annotated[
        Path | None, Option(metavar="FILE", help="Draw the map into that file too.")
    ] = None,
    out: OutFile = None,
) -> None:
    """The map of a seed, in the format of the game's organisers."""
    from lab.catalog import load_game

    package = f"lab.games.{load_game(game).name}"
    if find_spec(f"{package}.maps") is None:
        raise bad(f"game {game!r}", "no maps", "a game that is played on maps")
    announce_compiling()
    numbers = read_rules(game, rules, settings).document.map  # type: ignore[attr-defined]
    m = import_module(f"{package}.generator").generate(numbers, seed, np, kp)[0]
    text = import_module(f"{package}.maps").text(m)
    if svg is not None:
        picture = import_module(f"{package}.picture")
        write_text(svg, picture.map_svg(m, numbers.radius, numbers.outer))
    if out is not None:
        write_text(out, text)
    else:
        print(text, end="")
