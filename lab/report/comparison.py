"""The report on a comparison: what each rule set's games came to, and how far they differ."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl

from lab.experiment.file import SCORE
from lab.metrics import SHARE
from lab.report import pictures, sections
from lab.report.charts import Measured
from lab.report.sections import Report, Section, Table, metric_of, small_print
from lab.report.words import amount, count, listing
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
        game=run.experiment.game.title,
        version=" and ".join(pictures.settings(run).values()),
        question=run.experiment.question,
        status=run.confirmed["status"],
        verdict=verdict(run),
        sections=tuple(section for write in written if (section := write(run))),
    )


def verdict(run: Run) -> str:
    """How much differs in the rules, and what came of it over the first matchup."""
    rows: list[Row] = run.confirmed["measures"]
    main = rows[0]["matchup"]
    old, new = pictures.settings(run).values()
    moved = [_moved(row) for row in rows if row["matchup"] == main and row["metric"] != SCORE]
    changed = count(len(run.confirmed["changes"]), "number")
    return f"{new} differs from {old} in {changed}. Over {main}, {listing(moved)}."


def _moved(row: Row) -> str:
    name, unit = row["name"].replace("_", " "), row["unit"]
    before, after = (Measured.of(row[side]).value for side in ("before", "after"))
    both = [amount(value, unit) for value in (before, after)]
    if way := _sign(row["difference"]):
        return f"{name} {'rises' if way > 0 else 'falls'} from {both[0]} to {both[1]}"
    return f"{name} does not clearly change ({both[0]} and {both[1]})"


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
    head = ("Measure", old, new, "Difference")
    text = (
        f"The hollow dot is {old}, the full dot {new}. Each rule set was played on games of its "
        "own; every interval is so wide that all of them together are wrong in at most 1 of 20 "
        "such studies."
    )
    table = Table("measures", _numbers(rows), head, tuple(_cells(run, rows)))
    return Section("compared", "What differs", text, (table,), pictures.measures(run))


def _cells(run: Run, rows: list[Row]) -> Iterator[tuple[str, ...]]:
    told = set()
    for row in rows:
        name, unit = row["name"], row["unit"]
        sentence = "" if row["metric"] in told else metric_of(run, row["metric"]).sentence + " "
        told.add(row["metric"])
        before, after = (Measured.of(row[side]) for side in ("before", "after"))
        yield (
            f"{name.replace('_', ' ')}\n{sentence}Over: {row['matchup']}.",
            small_print(before, unit),
            small_print(after, unit),
            _difference(row["difference"], unit),
        )


def _difference(found: dict[str, float | None], unit: str) -> str:
    """`+12.8 points`, its interval, and whether 0 lies in it."""
    ends = (found[name] for name in ("value", "low", "high"))
    value, low, high = (math.nan if x is None else x for x in ends)
    scale, word = (100, "points") if unit == SHARE else (1, unit)
    clear = "" if _sign(found) else ",\nno clear difference"
    return f"{scale * value:+.1f} {word}\n{scale * low:+.1f} to {scale * high:+.1f} {word}{clear}"


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
    return Section("change", "What differs in the rules", "", (table,))
