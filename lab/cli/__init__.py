"""The command line: each verb parses, makes one call into the library and prints.

Nothing heavy is imported before a verb asks for it, so that `lab --help` is quick.
"""

import errno
import io
import os
import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from lab.cli import (
    battle,
    bench,
    branch,
    compare,
    doctor,
    field,
    games,
    maps,
    play,
    programs,
    replay,
    rulebook,
    rules,
    sensitivity,
    study,
    tournament,
    trace,
    vary,
    verify,
)
from lab.errors import BadInput, bad


class Lab(TyperGroup):
    """Ends a verb as a person expects it: bad input in one line, Ctrl-C with what was kept."""

    def invoke(self, ctx: Any) -> Any:
        try:
            done = super().invoke(ctx)
            sys.stdout.flush()
            return done
        except BadInput as error:
            print(f"lab: {error}", file=sys.stderr)
            raise typer.Exit(2) from None
        except typer.BadParameter as error:
            if type(error) is not typer.BadParameter:  # something is missing: usage says it best
                raise
            print(f"lab: {_told(error)}", file=sys.stderr)
            raise typer.Exit(2) from None
        except OSError as error:  # without a file's name it is about the output
            if error.errno == errno.EPIPE or error.filename is not None:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left must not fail once more
            found = (error.strerror or str(error)).lower()
            print(f"lab: output: found {found}, expected room for it", file=sys.stderr)
            raise typer.Exit(2) from None
        except KeyboardInterrupt as stop:
            print(f"lab: {str(stop) or 'stopped, nothing was kept'}", file=sys.stderr)
            raise typer.Exit(130) from None


def _told(error: typer.BadParameter) -> str:
    """What is wrong with an option's value; of a word in place of a number typer hides the word."""
    from pydantic import ValidationError

    said = error.format_message().lower()
    if isinstance(error.__cause__, ValidationError):
        fault = error.__cause__.errors()[0]
        where, found = said.partition(": ")[0], fault["input"]
        if fault["type"] == "int_parsing":
            return str(bad(where, repr(found), "a whole number"))
        _, listed, names = fault["msg"].partition(" is not one of ")
        if listed:
            known = re.findall("'(.*?)'", names)
            return str(bad(where, repr(found), f"one of {', '.join(known)}", found, known))
    return said


def _group(help_text: str) -> typer.Typer:
    return typer.Typer(
        cls=Lab,
        help=help_text,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,  # plain help reads well in a pipe too
        pretty_exceptions_enable=False,
    )


app = _group("Find the numbers that make a turn-based game fair, by playing it millions of times.")
field_app = _group("Who plays out there, as a mix of the players we have.")
rules_app = _group("The tunable numbers of a game.")
bench_app = _group("What the lab itself is measured by; in a checkout only.")
replay_app = _group("Matches of NEXT NATION that the organisers' judge recorded, played again.")


def _tell_version(asked: bool) -> None:
    if asked:
        from lab import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def _lab(
    version: Annotated[
        bool,
        typer.Option("--version", help="Say the version.", callback=_tell_version, is_eager=True),
    ] = False,
) -> None:
    """What stands before any verb."""


app.command()(games.games)
app.add_typer(rules_app, name="rules")
app.command()(games.policies)
app.command()(games.metrics)
app.command()(rulebook.rulebook)
app.command()(games.compile)
app.command("map")(maps.draw)
app.command()(play.simulate)
app.command()(play.matrix)
app.command()(compare.compare)
app.command()(verify.verify)
app.command()(vary.vary)
app.command()(trace.trace)
app.command()(branch.branch)
app.command()(play.moves)
app.command()(play.perft)
app.command()(battle.battle)
app.command()(battle.hint)
app.command()(programs.judge)
app.command()(tournament.tournament)
app.command()(programs.bot)
app.add_typer(replay_app, name="replay")
app.add_typer(field_app, name="field")
app.add_typer(bench_app, name="bench")
app.command()(study.sweep)
app.command()(sensitivity.sensitivity)
app.command()(study.report)
app.command()(doctor.doctor)

rules_app.command("list")(rules.list_versions)
rules_app.command()(rules.show)
rules_app.command()(rules.validate)
rules_app.command()(rules.diff)
rules_app.command()(rules.schema)
rules_app.command()(rules.draft)
rules_app.command()(rules.promote)

bench_app.command()(bench.search)

field_app.command()(field.fit)

replay_app.command()(replay.check)
replay_app.command()(replay.show)
replay_app.command()(replay.measure)


def main() -> None:
    """The console script, also where the output is closed or cannot show every sign."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
