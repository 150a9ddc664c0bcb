"""`lab rules ...`: the numbers themselves."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from lab.cli.options import (
    Dask,
    GameName,
    Jobs,
    MostGames,
    RulesName,
    Settings,
    parse_settings,
    read_rules,
)
from lab.cli.show import print_table
from lab.cli.verify import STATUS, Live
from lab.cli.watch import announce_compiling
from lab.errors import bad

if TYPE_CHECKING:
    from lab.verdicts import Verification

REFUSED = STATUS | {"NO CHANGE": 4}


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
            origin += ", unverified" if rules.unverified else ""
            found.append((name, version, origin, rules.fingerprint, rules.why))
    print_table(("game", "version", "from", "fingerprint", "why"), found)


def show(game: GameName, rules: RulesName = None, settings: Settings = None) -> None:
    """Every number, choice and switch of one version, and what is assumed about them."""
    from lab.jsonfile import shown
    from lab.rules import rows

    found = read_rules(game, rules, settings)
    why = f"unverified: {found.why}" if found.unverified else found.why
    print(f"{found.game} {found.version}  {found.fingerprint}  {why}")
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
    from lab.catalog import load_file

    for path in files:
        rules = load_file(path)
        print(
            f"{path}: {rules.game} {rules.version}, {len(rules.pointers())} values, "
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


def draft(
    game: GameName,
    out: Annotated[Path, Option(metavar="FILE", help="The rules file to write, .json.")],
    version: Annotated[
        str | None, Option("--from", metavar="V", help="A landed version, else the default.")
    ] = None,
    pick: Annotated[
        str | None,
        Option(metavar="RUN:CANDIDATE", help="Take what a sweep has confirmed, by its number."),
    ] = None,
    settings: Settings = None,
) -> None:
    """Write a draft: a version with changes, for any verb to read.

    RUN alone is its recommended candidate. A draft lands by `lab rules promote`.
    """
    from lab import rules
    from lab.catalog import load_rules
    from lab.publish import draft
    from lab.report.words import count

    candidate = draft.pick(pick) if pick else None
    if candidate and candidate.game.name != game:
        raise bad(str(pick), f"a run of {candidate.game.name}", game)
    if candidate and version not in (None, candidate.parent.version):
        raise bad("--from", str(version), f"{candidate.parent.version}, as in the run")
    parent = candidate.parent if candidate else load_rules(game, version)
    changed = parse_settings(settings)
    wanted = {**(candidate.changes if candidate else {}), **changed}
    made = draft.write_draft(out, parent, wanted)
    other = count(len(rules.diff(parent, made)), "number")
    print(f"{out}: {game} {parent.version} with {other} changed, fingerprint {made.fingerprint}")


def promote(
    source: Annotated[
        str,
        Argument(metavar="FILE|RUN[:CANDIDATE]", help="A draft, or a sweep that was confirmed."),
    ],
    version: Annotated[str, Option(metavar="V", help="Name of the new version.")],
    why: Annotated[str, Option(metavar="TEXT", help="Why these numbers, in a sentence.")],
    targets: Annotated[
        Path | None,
        Option(metavar="EXPERIMENT.toml", help="The experiment whose targets have to hold."),
    ] = None,
    unverified: Annotated[
        bool, Option("--unverified", help="Land a draft that nothing speaks for, and say so.")
    ] = False,
    games: MostGames = 60_000,
    jobs: Jobs = 1,
    dask: Dask = None,
) -> None:
    """Make numbers a new version, if they do what they are for.

    The targets are judged as by `lab verify`, for the version before and for the new one, on games
    that nobody has seen. A run alone is taken at the word of its confirmation. Variants, rulebooks
    and a list of the changes come along. Exit status 0 if the version has landed; else nothing is
    written: 1 if a target fails, 3 if one is undecided, 4 if no change is needed, because the
    version before meets the targets.
    """
    from lab.cluster import playing_on
    from lab.publish.promote import Refusal
    from lab.publish.promote import promote as land

    if targets:
        announce_compiling()
    try:
        with playing_on(dask, jobs) as cores:
            paths = land(source, version, why, targets, unverified, games, cores, _watched)
    except Refusal as error:
        print(f"lab: {error}", file=sys.stderr)
        raise Exit(REFUSED[error.verdict]) from None
    for path in paths:
        print(path)


def _watched(run: "Verification") -> None:
    with Live(run) as live:
        run.play(live)
