"""The verb that asks which numbers matter."""

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from lab.cli.options import AsJson, Dask, Jobs
from lab.cli.show import print_json, print_table
from lab.cli.watch import Watch, announce_compiling


def sensitivity(
    experiment: Annotated[Path, Argument(metavar="EXPERIMENT.toml", help="The question.")],
    games: Annotated[
        int | None,
        Option(
            metavar="N",
            help="Games of a pairing at a point of the design, else a trial's; "
            "steps are played with the budget's confirm_games.",
        ),
    ] = None,
    samples: Annotated[
        int,
        Option(metavar="N", help="Size of the design, a power of two: N x (numbers + 3) points."),
    ] = 128,
    at: Annotated[
        Path | None,
        Option(
            metavar="RUN", help="Steps are from what it chose; `baseline`: the rules as they are."
        ),
    ] = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    out: Annotated[
        Path | None, Option(metavar="DIR", help="Else runs/<experiment>-sensitivity.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Say which numbers of an experiment's space matter to its targets, and which way.

    A Sobol design over the whole space, with a dummy that nothing depends on; then one step up and
    down from the finished sweep in runs/<experiment>, if there is one, else from the rules as they
    are. Stopped by Ctrl-C it keeps every point, and the same command goes on.
    """
    from lab.cluster import playing_on
    from lab.jsonfile import read_object
    from lab.report.build import report
    from lab.sweep import Interrupted
    from lab.sweep.sensitivity import run_sensitivity

    announce_compiling()
    with playing_on(dask, jobs) as cores, Watch("points") as watch:

        def progress(stage: str, done: int, total: int, best: float | None) -> None:
            watch(done, total, stage)

        try:
            run = run_sensitivity(experiment, out, games, samples, at, cores, progress)
        except Interrupted as stop:
            raise KeyboardInterrupt(str(stop)) from None
    page = report(run.folder)
    told = read_object(run.folder / "sensitivity.json")
    if json:
        print_json(told)
        return
    _tell(told)
    print(page)


def _tell(told: dict[str, Any]) -> None:
    from lab.report.sensitivity import (
        COLUMNS,
        STEP_COLUMNS,
        effect_cells,
        step_cells,
        summary,
        verdict,
    )

    for target in told["targets"]:
        own = {
            table: [row for row in told[table] if row["target"] == target["target"]]
            for table in ("effects", "deviations")
        }
        title = f"{target['target']}, over {target['matchup']}"
        _print(title, COLUMNS, effect_cells(own["effects"], target))
        if own["deviations"]:
            _print(f"{title}: one step", STEP_COLUMNS, step_cells(own["deviations"]))
    for row in told["left_out"]:
        print(f"left out: {row['parameter']} = {row['new']}: {row['why']}")
    if told["refused"]:
        print(f"the rules refuse {told['refused']:,} of the settings: {told['refusal']}")
    print(f"{summary(told)}: {verdict(told)}")


def _print(title: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """A table whose small print stands behind its figures."""
    head = (columns[0].lower(), *(f">{name.lower()}" for name in columns[1:]))
    print(title)
    print_table(head, [tuple(_in_line(cell) for cell in row) for row in rows])
    print()


def _in_line(cell: str) -> str:
    fact, _, small = cell.partition("\n")
    return f"{fact} ({small})" if small else fact
