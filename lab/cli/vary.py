"""The verb that asks what one number of the rules does, or two."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from lab.cli.options import (
    AsJson,
    Dask,
    First,
    GameName,
    Jobs,
    RulesName,
    Settings,
    changed,
    read_games,
    read_rules,
    within,
)
from lab.cli.show import about, grids, heat_cell, print_json, print_table, said
from lab.cli.watch import Watch, announce_compiling

if TYPE_CHECKING:
    from lab.experiment import Target
    from lab.rules import Rules
    from lab.scan import Scan


def vary(
    game: GameName,
    numbers: Annotated[
        list[str],
        Argument(
            metavar="/POINTER=VALUES",
            help="One number, or two, at values a..b[:step] or x,y,z; names and on,off too.",
        ),
    ],
    rules: RulesName = None,
    settings: Settings = None,
    experiment: Annotated[
        Path | None,
        Option(metavar="EXPERIMENT.toml", help="Its rules, matchups, skills and targets."),
    ] = None,
    first: First = None,
    second: Annotated[
        str | None,
        Option(metavar="POLICY", help="Second seat's policy, else the game's own or the skill."),
    ] = None,
    skill: Annotated[
        list[str] | None,
        Option(metavar="POLICY", help="Plays itself, or --second; repeatable."),
    ] = None,
    metric: Annotated[
        list[str] | None,
        Option(metavar="M|FORMULA", help="What is measured, else the game's stakes; repeatable."),
    ] = None,
    games: Annotated[
        str | None,
        Option(
            metavar="N|A:B",
            help="Games of a setting and pairing (1000, or a trial's of the experiment).",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Option(
            metavar="S",
            callback=within("seed", 0, 2**64 - 1),
            help="Seed of the run (0, or the experiment's own).",
        ),
    ] = None,
    jobs: Jobs = 1,
    dask: Dask = None,
    out: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="Also a page (Markdown), figures, and the table as Parquet and CSV.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Say what one number of the rules is worth, value by value.

    Two numbers make a heat map. All settings meet the same seeds, so what lies between them is
    known from few games. It is a scan: nothing is recommended by it. Ctrl-C keeps the settings that
    are finished.
    """
    from lab.cluster import playing_on
    from lab.errors import make_folder
    from lab.scan import play
    from lab.scan.question import ask
    from lab.scan.values import read_pointers

    question = ask(
        _rules(game, rules, settings, experiment),
        read_pointers(numbers),
        first,
        second,
        skill or (),
        metric or (),
        experiment,
        None if games is None else read_games(games),
        seed,
    )
    announce_compiling()
    if out is not None:
        make_folder(out)
    with playing_on(dask, jobs) as cores, Watch("games") as watch:
        found = play(question, cores, watch)
    if json:
        print_json(_plain(found))
    else:
        _print(found)
    if out is not None:
        from lab.scan.page import write

        page = write(found, out)
        if not json:
            print(page)
    if found.stopped:
        raise KeyboardInterrupt(_left(found))


def _rules(
    game: str, version: str | None, settings: list[str] | None, experiment: Path | None
) -> "Rules":
    """Those the options name; of an experiment its own, where none are named."""
    from lab.experiment import load_experiment

    if experiment is not None and version is None:
        own = load_experiment(experiment).rules
        if own.game == game:
            return changed(own, settings)
    return read_rules(game, version, settings)


def _left(found: "Scan") -> str:
    """What a stopped scan kept, and how to go on."""
    from lab.report.words import setting

    question = found.question
    kept = f"kept {len(found.played)} of {len(question.settings)} settings"
    if len(question.dimensions) > 1:
        return f"{kept}; the same command plays them all again"
    pointer = question.dimensions[0].pointer
    missing = [s[pointer] for i, s in enumerate(question.settings) if i not in found.played]
    return f"{kept}; go on with {pointer}={','.join(map(setting, missing))}"


# --- JSON ---------------------------------------------------------------------------------------


def _plain(found: "Scan") -> dict[str, Any]:
    from lab.scan import ends

    question = found.question
    start = question.first
    spans = {}
    for pairing, count in question.games.items():
        spans[pairing.label] = said(range(start, start + count))
        start += count
    worth = [
        {"pointer": one.pointer, "target": one.target.name, "matchup": one.target.matchup}
        | {"unit": one.unit}
        | ends(one.found)
        for one in found.worths
    ]
    bands = [
        {"target": t.name, "matchup": t.matchup, "band": list(t.band)}
        for t in question.experiment.targets
    ]
    return about(question.experiment.rules) | {
        "kind": "scan",
        "own": question.own,
        "seed": str(question.bank) if question.bank >= 2**53 else question.bank,
        "games": spans,
        "intervals": question.intervals,
        "confidence": question.confidence,
        "stopped": found.stopped,
        "targets": bands,
        "settings": found.frame().to_dicts(),
        "worth": worth,
    }


# --- the terminal -------------------------------------------------------------------------------


def _print(found: "Scan") -> None:
    from lab.scan import page

    grid = len(found.question.dimensions) == 2
    for target, table in zip(found.question.experiment.targets, page.tables(found), strict=True):
        print(page.title(found, target))
        if grid:
            _print_grid(found, target)
        else:
            print_table((table.head[0], *(f">{name}" for name in table.head[1:])), table.rows)
        for line in page.below(found, target):
            print(line)
        print()
    print(f"A star marks {page.OWN}.")
    for line in (*page.holds(found), *page.reading(found)):
        print(line)


def _print_grid(found: "Scan", target: "Target") -> None:
    """Cells as in `lab matrix`, in as many tables as the terminal is wide for."""
    from lab.metrics import SHARE
    from lab.report.words import amount
    from lab.scan import page

    one, other = found.question.dimensions
    rows, columns = page.axes(found)
    cells, unit = page.cells(found, target), found.unit(target)

    def cell(key: tuple[Any, ...]) -> Any:
        if key not in cells:
            return "–"
        e = cells[key].value
        if unit == SHARE and e.n:
            return heat_cell({"value": e.value, "low": e.low, "high": e.high})
        return f"{amount(e.value, '').strip()}\n{e.low:.1f}–{e.high:.1f}"

    values = dict(zip(columns, other.values, strict=True))
    for part in grids(columns):
        head = (f"{one.pointer} by {other.pointer}", *part)
        print_table(
            head,
            [
                (name, *(cell((value, values[column])) for column in part))
                for name, value in zip(rows, one.values, strict=True)
            ],
        )
