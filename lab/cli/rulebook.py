"""The verb for what players read."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from lab.cli.options import OutFile, RulesName, read_rules
from lab.cli.show import print_table
from lab.errors import bad, write_text

STALE = 1


def rulebook(
    game: Annotated[
        str | None, Argument(metavar="GAME", help="One of `lab games`; --check, --land: else all.")
    ] = None,
    rules: RulesName = None,
    lang: Annotated[str, Option(metavar="ko|en", help="Language of the rulebook.")] = "en",
    template: Annotated[
        Path | None, Option(metavar="FILE", help="Fill a text of your own (Jinja) instead.")
    ] = None,
    placeholders: Annotated[
        bool, Option("--placeholders", help="List the names that such a text may use.")
    ] = False,
    check: Annotated[
        bool, Option("--check", help="Name the landed rulebooks that are not as they should be.")
    ] = False,
    land: Annotated[bool, Option("--land", help="Write those in rules/GAME/rulebook/.")] = False,
    out: OutFile = None,
) -> None:
    """The rulebook for players, as Markdown.

    Exit status of --check and --land: 1 if any landed rulebook is not as it should be.
    """
    asked = {"--template": template, "--placeholders": placeholders}
    asked |= {"--check": check, "--land": land}
    modes = [name for name, value in asked.items() if value]
    if len(modes) > 1:
        raise bad(modes[1], f"{modes[0]} too", "one of the two")
    if check or land:
        if rules or out:
            raise bad(modes[0], "--rules" if rules else "--out", "every landed version")
        _landed(game, land)
        return
    if game is None:
        from lab.catalog import GAMES

        raise bad("game", "nothing", f"one of {', '.join(GAMES)}")
    if placeholders:
        if out:
            raise bad("--placeholders", "--out too", "one of the two")
        _placeholders(game, rules)
        return
    text = _text(game, rules, lang, template)
    if out is None:
        print(text, end="")
    else:
        write_text(out, text)


def _text(game: str, rules: str | None, lang: str, template: Path | None) -> str:
    from lab.catalog import load_game
    from lab.publish.template import fill
    from lab.report.rulebook import rulebook

    found = read_rules(game, rules)
    return rulebook(load_game(game), found, lang) if template is None else fill(template, found)


def _placeholders(game: str, rules: str | None) -> None:
    from lab.publish.template import placeholders

    print_table(("name", ">value", "unit", "what it is"), placeholders(read_rules(game, rules)))


def _landed(game: str | None, land: bool) -> None:
    """Name or write what is stale; pages that are nobody's are for a person to remove."""
    from lab.catalog import GAMES, load_game
    from lab.publish import books

    wrong = False
    for found in [load_game(name) for name in ([game] if game else GAMES)]:
        if land:
            for path in books.land(found):
                print(path)
        else:
            for path in books.stale(found):
                wrong = True
                print(f"{path}: stale, `lab rulebook {found.name} --land` writes it")
        for path in books.strays(found):
            wrong = True
            print(f"{path}: no landed version is called so")
    if wrong:
        raise Exit(STALE)
