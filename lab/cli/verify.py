"""The verb that says whether targets hold."""

import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Self

from typer import Exit, Option

from lab.cli.options import (
    AsJson,
    Chunk,
    Dask,
    GameName,
    Jobs,
    MostGames,
    Settings,
    changed,
    read_rules,
)
from lab.cli.show import about, print_json, print_table, table
from lab.cli.watch import Watch, announce_compiling

if TYPE_CHECKING:
    from rich.live import Live as Screen

    from lab.verdicts import Slope, Verification

STATUS = {"PASS": 0, "FAIL": 1, "UNDECIDED": 3}
OFTEN = 0.2  # seconds from one live table to the next


def verify(
    game: GameName,
    targets: Annotated[
        Path, Option(metavar="EXPERIMENT.toml", help="The experiment whose targets are meant.")
    ],
    rules: Annotated[
        str | None,
        Option(metavar="V|FILE", help="A version or a .json file, else the experiment's rules."),
    ] = None,
    settings: Settings = None,
    games: MostGames = 60_000,
    seed: Annotated[
        int | None,
        Option(
            metavar="S", min=0, help="Another bank of games than the experiment's own for verdicts."
        ),
    ] = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    chunk: Chunk = 5000,
    strict: Annotated[
        bool, Option("--strict", help="Go on until the sequence lies inside the band, or outside.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Judge the targets of an experiment: PASS, FAIL or UNDECIDED.

    Games are played only as long as a target is open. All verdicts hold together: one that should
    not pass does in at most 5 % of studies. The rules are the experiment's own, its overrides
    included; --rules names others, which are taken as they stand. Exit status 0 if all pass, 1 if
    any fails, else 3.
    """
    from lab.cluster import playing_on
    from lab.experiment import load_experiment
    from lab.verdicts import Verification, row

    experiment = load_experiment(targets)
    own = rules is None and game == experiment.rules.game
    setting = changed(experiment.rules if own else read_rules(game, rules), settings)
    announce_compiling()
    with playing_on(dask, jobs) as cores:
        run = Verification(setting, experiment, games, seed, cores, chunk, strict)
        with Live(run) as live:
            run.play(live)
    found = [row(run, watched) for watched in run.targets]
    slopes = list(run.slopes())
    if json:
        print_json(_facts(run, found, slopes))
    else:
        _print(run, found, slopes)
    if run.stopped:
        raise KeyboardInterrupt("stopped; nothing is kept, the same command begins again")
    raise Exit(STATUS[run.verdict])


class Live:
    """The table on stderr while games are played; where that is no terminal, a line now and then.

    Call it after every piece of games.
    """

    def __init__(self, run: "Verification") -> None:
        self.run = run
        self.watch = Watch("games at most")
        self.screen: Screen | None = None
        self.shown = monotonic()

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live as Screen

            console = Console(stderr=True, highlight=False, markup=False)
            self.screen = Screen(console=console, auto_refresh=False, transient=True)
            self.screen.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.screen is not None:
            self.screen.stop()

    def __call__(self) -> None:
        from lab.verdicts import row

        decided = sum(not watched.open for watched in self.run.targets)
        note = f"{decided} of {len(self.run.targets)} targets decided"
        if self.screen is None:
            self.watch(self.run.played, self.run.most, "", note)
        elif monotonic() - self.shown >= OFTEN:
            from rich.console import Group

            found = [row(self.run, watched) for watched in self.run.targets]
            line = self.watch.line(self.run.played, self.run.most, "", note)
            self.screen.update(Group(table(*_table(self.run, found)), line), refresh=True)
            self.shown = monotonic()


def _table(
    run: "Verification", found: list[dict[str, Any]]
) -> tuple[Sequence[str], list[Sequence[str]]]:
    """Columns and rows: what is known of each target so far."""
    from lab.report.words import amount, band, span

    columns = ("target", "matchup", "band", ">so far", _sequence(run), ">games", "verdict")
    return columns, [
        (
            row["name"],
            row["matchup"],
            band(row["band_low"], row["band_high"], row["unit"]),
            amount(row["value"], row["unit"]),
            span(row["low"], row["high"], row["unit"]),
            f"{row['games']:,}",
            row["verdict"] or "",
        )
        for row in found
    ]


def _sequence(run: "Verification") -> str:
    return f"{100 * (1 - run.alpha):.4g}% sequence"


def _print(run: "Verification", found: list[dict[str, Any]], slopes: list["Slope"]) -> None:
    from lab.report.words import apart

    print_table(*_table(run, found))
    print()
    for row in found:
        print(f"{row['name']}: {row['verdict'] or 'OPEN'}: {row['means']}")
    for slope in slopes:
        low, high = apart(slope.low, slope.unit), apart(slope.high, slope.unit)
        steps = " < ".join(slope.skills)
        print(f"{slope.name} over skill: {apart(slope.value, slope.unit)} a step ({low} to {high})")
        print(f"  steps: {steps}")
    rules = run.rules
    print(
        f"{rules.game} {rules.version} {rules.fingerprint}, {run.experiment.name}, seed {run.bank}"
    )
    many = f"verdicts on {len(found)} targets" if len(found) > 1 else "verdict"
    print(f"{run.verdict}: an error of 5% for the {many} together, and for the sequences")


def _facts(
    run: "Verification", found: list[dict[str, Any]], slopes: list["Slope"]
) -> dict[str, Any]:
    """The whole as plain data."""
    from lab.verdicts import ALPHA

    said = {"experiment": run.experiment.name, "seed": run.bank, "alpha": ALPHA}
    rows = [
        {key: value for key, value in row.items() if not key.startswith("band_")}
        | {"band": [row["band_low"], row["band_high"]]}
        for row in found
    ]
    return (
        about(run.rules)
        | said
        | {"strict": run.strict, "stopped": run.stopped, "verdict": run.verdict}
        | {"targets": rows, "slopes": [slope._asdict() for slope in slopes]}
    )
