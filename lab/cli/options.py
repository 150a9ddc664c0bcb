"""What several verbs take, and how it is read."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from lab.errors import bad

if TYPE_CHECKING:
    from lab.rules import Rules


def within(name: str, low: int, high: int) -> Callable[[Any], Any]:
    """An option's callback that refuses other numbers, in one line."""

    def check(value: int | None) -> int | None:
        if value is not None and not low <= value <= high:
            raise bad(name, str(value), f"a whole number from {low} to {high}")
        return value

    return check


GameName = Annotated[str, Argument(metavar="GAME", help="One of `lab games`.")]
RulesName = Annotated[
    str | None,
    Option("--rules", metavar="V|FILE", help="A version or a .json file, else the default."),
]
Settings = Annotated[
    list[str] | None,
    Option("--set", metavar="/POINTER=VALUE", help="Another number for this call; repeatable."),
]
First = Annotated[
    str | None,
    Option(metavar="POLICY", help="First seat's policy, NAME[:key=value,...]."),
]
Second = Annotated[
    str | None, Option(metavar="POLICY", help="Second seat's policy, else the game's own.")
]
Games = Annotated[
    str, Option(metavar="N|A:B", help="How many games, or the indices A to B - 1 of a run.")
]
MostGames = Annotated[
    int,
    Option(metavar="MAX", callback=within("games", 16, 10**9), help="Games a pairing at most."),
]
Seed = Annotated[
    int, Option(metavar="S", callback=within("seed", 0, 2**64 - 1), help="Seed of the run.")
]
Jobs = Annotated[
    int, Option(metavar="J", callback=within("jobs", 1, 1024), help="Cores to play on.")
]
Dask = Annotated[
    str | None,
    Option(metavar="ADDRESS", help="Play on the Dask cluster there, not on this machine's cores."),
]
Chunk = Annotated[int, Option(metavar="N", help="Games a core plays in one go.")]
Metrics = Annotated[
    list[str] | None,
    Option(
        "--metric",
        metavar="M|FORMULA",
        help="Measure only this: one of `lab metrics`, or a formula over the columns of the games, "
        "such as 'length < 20 and capped'; repeatable.",
    ),
]
Clock = Annotated[Literal["real", "off"], Option(help="Whether programs can be late.")]
OnIllegal = Annotated[
    Literal["lose", "drop"], Option(help="Whether an illegal order loses or is left out.")
]
AsJson = Annotated[bool, Option("--json", help="Print JSON and nothing else.")]
PositionText = Annotated[
    str | None, Option(metavar="TEXT", help="A position as `lab trace` prints it, else the start.")
]
OutFile = Annotated[Path | None, Option(metavar="FILE", help="Write there, not to the terminal.")]


def read_rules(game: str, version: str | None, settings: list[str] | None = None) -> "Rules":
    """The rules a verb's options name."""
    from lab.catalog import load_rules

    return changed(load_rules(game, version), settings)


def changed(rules: "Rules", settings: list[str] | None) -> "Rules":
    """Rules with what `--set` says."""
    changes = parse_settings(settings)
    return rules.override(changes) if changes else rules


def parse_settings(settings: list[str] | None) -> dict[str, Any]:
    """The values of `--set` by their pointers."""
    from lab.rules import parse_setting

    changes: dict[str, Any] = {}
    for pointer, value in map(parse_setting, settings or ()):
        if pointer in changes:
            raise bad("--set", f"{pointer} twice", "each pointer once")
        changes[pointer] = value
    return changes


def pair_of(game: str, first: str | None, second: str | None) -> tuple[str, str]:
    """The policies of both seats; who is not named is the game's own."""
    from lab.catalog import load_game

    own = load_game(game).pair
    return own[0] if first is None else first, own[1] if second is None else second


def read_games(text: str) -> int | range:
    """`1000` or `1000:2000`; whether such games exist is the library's to say."""
    match = re.fullmatch(r"(-?[0-9]{1,18})(?::(-?[0-9]{1,18}))?", text)
    if match is None:
        raise bad("games", repr(text), "N or A:B, such as 1000 or 1000:2000")
    first, last = match.groups()
    return int(first) if last is None else range(int(first), int(last))
