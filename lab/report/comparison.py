"""The report on a comparison: what each rule set's games came to, and how far they differ."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl

from lab.experiment.file import SCORE
from lab.report import pictures, sections
from lab.report.charts import Measured
from lab.report.language import say
from lab.report.sections import Report, Section, Table, metric_of, over, small_print
from lab.report.words import amount, apart, apart_span, count, listing, named, pairing
from lab.sweep import Run

Row = dict[str, Any]
"""One of the measures in confirm.json."""


def facts(run: Run) -> Report:
    """Everything a report on this comparison says, in reading order."""
    written: tuple[Callable[[Run], Section | None], ...] = (
        compared,
        change,
        sections.matchups,
        sections.lengths,
        sections.endings,
        sections.curves,
        sections.manifest,
        sections.assumed,
        sections.reading,
    )
    return Report(
        game=say(run.experiment.game.title),
        version=listing(tuple(pictures.settings(run).values())),
        question=say(run.experiment.question),
        status=run.confirmed["status"],
        verdict=verdict(run),
        sections=tuple(section for write in written if (section := write(run))),
    )


def verdict(run: Run) -> str:
    """How much differs in the rules, and what came of it over the first matchup."""
    rows: list[Row] = run.confirmed["measures"]
    main = rows[0]["matchup"]
    old, new = pictures.settings(run).values()
    told = [_moved(row) for row in rows if row["matchup"] == main and row["metric"] != SCORE]
    return say(
        "{new} differs from {old} in {changed}. Over {matchup}, {moved}.",
        new=new,
        old=old,
        changed=count(len(run.confirmed["changes"]), "number"),
        matchup=pairing(main),
        moved=listing(told),
    )


def _moved(row: Row) -> str:
    told = {
        side: amount(Measured.of(row[side]).value, row["unit"]) for side in ("before", "after")
    } | {"measure": named(row["name"])}
    way = _sign(row["difference"])
    if not way:
        return say("{measure} does not clearly change ({before} and {after})", **told)
    if way > 0:
        return say("{measure} rises from {before} to {after}", **told)
    return say("{measure} falls from {before} to {after}", **told)


def _sign(difference: dict[str, float | None]) -> int:
    """1 or -1 where the whole interval lies on that side of 0."""
    low, high = difference["low"], difference["high"]
    if low is None or high is None:
        return 0
    return (low > 0) - (high < 0)


def compared(run: Run) -> Section:
    """Every measure under both rule sets, and the difference."""
    rows: list[Row] = run.confirmed["measures"]
    old, new = pictures.settings(run).values()
    head = (say("Measure"), old, new, say("Difference"))
    text = say(
        "The hollow dot is {old}, the full dot {new}. Each rule set was played on games of its "
        "own; every interval is so wide that all of them together are wrong in at most 1 of 20 "
        "such studies.",
        old=old,
        new=new,
    )
    table = Table("measures", _numbers(rows), head, tuple(_cells(run, rows)))
    return Section("compared", say("What differs"), text, (table,), pictures.measures(run))


def _cells(run: Run, rows: list[Row]) -> Iterator[tuple[str, ...]]:
    told = set()
    for row in rows:
        name, unit = row["name"], row["unit"]
        sentence = ""
        if row["metric"] not in told:
            sentence = say(metric_of(run, row["metric"]).sentence) + " "
        told.add(row["metric"])
        before, after = (Measured.of(row[side]) for side in ("before", "after"))
        yield (
            f"{named(name)}\n{sentence}{over(row['matchup'])}",
            small_print(before, unit),
            small_print(after, unit),
            _difference(row["difference"], unit),
        )


def _difference(found: dict[str, float | None], unit: str) -> str:
    """`+12.8 points`, its interval, and whether 0 lies in it."""
    ends = (found[name] for name in ("value", "low", "high"))
    value, low, high = (math.nan if x is None else x for x in ends)
    clear = "" if _sign(found) else ",\n" + say("no clear difference")
    return f"{apart(value, unit)}\n{apart_span(low, high, unit)}{clear}"


def _numbers(rows: list[Row]) -> pl.DataFrame:
    """The measures as a CSV file has them."""
    parts = ("before", "after", "difference")
    return pl.DataFrame(
        {key: row[key] for key in ("name", "metric", "matchup", "unit")}
        | {f"{part}_{key}": value for part in parts for key, value in row[part].items()}
        for row in rows
    )


def change(run: Run) -> Section:
    """What differs in the rules, with each number's sentence."""
    old, new = pictures.settings(run).values()
    table = sections.changes(run, run.confirmed["changes"], (old, new))
    return Section("change", say("What differs in the rules"), "", (table,))
