"""Verbs that answer a question: search, confirm, write up."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from lab.cli.options import AsJson, Dask, Jobs
from lab.cli.show import print_json, print_table
from lab.cli.watch import Watch, announce_compiling

if TYPE_CHECKING:
    from lab.sweep import Run


def sweep(
    experiment: Annotated[Path, Argument(metavar="EXPERIMENT.toml", help="The question.")],
    trials: Annotated[
        int | None, Option(metavar="N", help="Settings to try, else the experiment's budget.")
    ] = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    out: Annotated[
        Path | None, Option(metavar="DIR", help="The run's folder, else runs/<experiment>.")
    ] = None,
    earlier: Annotated[
        list[Path] | None,
        Option("--from", metavar="RUN", help="A finished run whose trials to reuse; repeatable."),
    ] = None,
    storage: Annotated[
        str | None,
        Option(
            metavar="URL", help="A PostgreSQL database: all sweeps that name it share the work."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Search for numbers that meet the targets, compare two rule sets, or judge claims.

    The best are confirmed on fresh games. Stopped by Ctrl-C it keeps every finished trial, and the
    same command goes on. --json prints one document: run, verdict, and of a search its status, how
    many settings were tried, the changes and every target in the search and on fresh games.
    """
    from lab.cluster import playing_on
    from lab.report.build import facts
    from lab.sweep import Interrupted, reading, run_sweep

    announce_compiling()
    with playing_on(dask, jobs) as cores, Watch("settings") as watch:

        def progress(stage: str, done: int, total: int, best: float | None) -> None:
            watch(done, total, stage, "" if best is None else f"best loss {best:.4g}")

        try:
            run = run_sweep(experiment, out, trials, cores, progress, earlier or (), storage)
        except Interrupted as stop:
            raise KeyboardInterrupt(str(stop)) from None
    with reading(run.folder):
        verdict = facts(run).verdict
        if json:
            print_json({"run": str(run.folder), "verdict": verdict} | _plain(run))
            return
        print(verdict)
        if run.experiment.space.dimensions:
            _tell_fewest(run)
    print(f"{run.folder}  (lab report {run.folder} writes it up)")


def _plain(run: "Run") -> dict[str, Any]:
    """What confirm.json says of the chosen setting; of a comparison or claims, all of it."""
    told = run.confirmed
    if "candidates" not in told:
        return told
    return {"status": told["status"], "tried": told["tried"]} | {
        name: run.chosen[name] for name in ("number", "changes", "steps", "targets")
    }


def _tell_fewest(run: "Run") -> None:
    """What each size of change could come to, of a search."""
    from lab.report.search import FRONT, front

    rows = front(run)
    if rows:
        print("\nFewest changes: the nearest of all settings that change no more steps")
        print_table(FRONT, rows)
        print()


def report(
    run: Annotated[Path, Argument(metavar="RUN", help="The folder of a sweep.")],
    out: Annotated[Path | None, Option(metavar="DIR", help="Else the run's own folder.")] = None,
    lang: Annotated[str, Option(metavar="en|ko", help="The language it is written in.")] = "en",
) -> None:
    """Write up a run.

    One HTML page, the same as Markdown, its figures and its tables, and games to watch: the
    shortest, the median, the longest and the biggest comeback of a few that are played for it. In
    another language than English beside them, as report.ko.html, without games.
    """
    from lab.report.build import report as write_report

    announce_compiling()
    with Watch("games to watch") as watch:
        page = write_report(run, out, lang, watch)
    print(page)
