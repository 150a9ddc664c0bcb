"""The command line: each verb parses, makes one call into the library and prints.

Nothing heavy is imported before a verb asks for it, so that `lab --help` is quick.
"""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from lab.cli import games, play, rules, study
from lab.errors import BadInput


class Lab(TyperGroup):
    """Ends a verb as a person expects it: bad input in one line, Ctrl-C with what was kept."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            print(f"lab: {error}", file=sys.stderr)
            raise typer.Exit(2) from None
        except KeyboardInterrupt as stop:
            print(f"lab: {str(stop) or 'stopped, nothing was kept'}", file=sys.stderr)
            raise typer.Exit(130) from None


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
rules_app = _group("The tunable numbers of a game.")

app.command()(games.games)
app.add_typer(rules_app, name="rules")
app.command()(games.policies)
app.command()(games.metrics)
app.command()(games.rulebook)
app.command()(games.compile)
app.command()(play.simulate)
app.command()(play.matrix)
app.command()(play.trace)
app.command()(play.moves)
app.command()(play.perft)
app.command()(study.sweep)
app.command()(study.report)

rules_app.command("list")(rules.list_versions)
rules_app.command()(rules.show)
rules_app.command()(rules.validate)
rules_app.command()(rules.diff)
rules_app.command()(rules.schema)
rules_app.command()(rules.promote)


def main() -> None:
    """The console script."""
    app()
