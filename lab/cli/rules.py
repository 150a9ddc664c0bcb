"""`lab rules ...`: the numbers themselves."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from lab.cli.options import GameName, RulesName, Settings, read_rules
from lab.cli.show import print_table
from lab.errors import bad


def list_versions(
    game: Annotated[str | None, Argument(metavar="GAME", help="Else every game.")] = None,
) -> None:
    """Every version, where it comes from and why it is."""
    from lab.catalog import GAMES, load_game, load_rules
    from lab.rules import versions

    found = []
    for name in [load_game(game).name] if game else GAMES:
        for version in versions(name):
            rules = load_rules(name, version)
            origin = f"variant of {rules.variant_of}" if rules.variant_of else rules.parent or "-"
            found.append((name, version, origin, rules.fingerprint, rules.why))
    print_table(("game", "version", "from", "fingerprint", "why"), found)


def show(game: GameName, rules: RulesName = None, settings: Settings = None) -> None:
    """Every number, choice and switch of one version, and what is assumed about them."""
    from lab.jsonfile import shown
    from lab.rules import rows

    found = read_rules(game, rules, settings)
    print(f"{found.game} {found.version}  {found.fingerprint}  {found.why}")
    print_table(
        ("pointer", ">value", "unit", "range", "what it is"),
        [(r.pointer, shown(r.value), r.unit, r.range, r.sentence) for r in rows(found)],
    )
    if found.assumed:
        print()
        print_table(("assumed", "why"), [(row.at, row.why) for row in found.assumed])


def validate(
    files: Annotated[list[Path], Argument(metavar="FILE...", help="Rules files, .json.")],
) -> None:
    """Check rules files."""
    from lab.catalog import GAMES, load_game
    from lab.jsonfile import at, read_object, shown
    from lab.rules import load

    for path in files:
        game = read_object(path).get("game")
        if game not in GAMES:
            expected = f"one of {', '.join(GAMES)}"
            raise bad(at(str(path), "/game"), shown(game), expected, str(game), GAMES)
        rules = load(path, load_game(game).document, game)
        print(
            f"{path}: {game} {rules.version}, {len(rules.pointers())} values, "
            f"fingerprint {rules.fingerprint}"
        )


def diff(
    game: GameName,
    old: Annotated[str, Argument(metavar="OLD", help="A version, or a .json file.")],
    new: Annotated[str, Argument(metavar="NEW", help="Another one.")],
) -> None:
    """What differs between two versions."""
    from lab import rules
    from lab.jsonfile import shown

    before, after = read_rules(game, old), read_rules(game, new)
    rows = [(pointer, shown(a), shown(b)) for pointer, a, b in rules.diff(before, after)]
    if rows:
        print_table(("pointer", f">{before.version}", f">{after.version}"), rows)
    else:
        print("no difference")


def schema(game: GameName) -> None:
    """The JSON schema of a game's rules."""
    from lab import rules
    from lab.catalog import load_game
    from lab.jsonfile import pretty

    print(pretty(rules.schema(load_game(game).document)))


def promote(
    run: Annotated[Path, Argument(metavar="RUN", help="The folder of a confirmed sweep.")],
    version: Annotated[str, Option(metavar="V", help="Name of the new version.")],
    why: Annotated[str, Option(metavar="TEXT", help="Why these numbers, in a sentence.")],
) -> None:
    """Make a confirmed recommendation a new version.

    Its variants and its rulebooks come along.
    """
    from lab.promote import promote as land

    for path in land(run, version, why):
        print(path)
