"""What reports are made of, and the sections that more than one of them has, all plain data.

The pages render these and add nothing of their own; so a fact is worded, and tested, once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from lab import metrics
from lab.document import field_info
from lab.experiment.file import SCORE
from lab.game import Metric
from lab.jsonfile import leaves
from lab.metrics import SHARE
from lab.report import pictures
from lab.report.charts import Chart, Measured, Strip
from lab.report.language import heads, say, spoken
from lab.report.language import unit as unit_word
from lab.report.words import amount, between, distance, label, pairing, setting, span
from lab.sweep import Run

NO_BREAK = "\N{NO-BREAK SPACE}"

# --- the pieces ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """Rows as a person reads them, and the numbers behind them, which become a CSV file.

    In a cell the first line is the fact, the lines after it are its small print. Without
    rows only the CSV file is offered. `strips` are charts that end the rows, one each.
    """

    name: str
    data: pl.DataFrame
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    strips: tuple[Strip, ...] = ()


@dataclass(frozen=True)
class Link:
    """A page beside the report: its name, where it lies, and what it shows."""

    name: str
    target: str
    told: str


@dataclass(frozen=True)
class Section:
    """A heading, one paragraph, then tables and charts, and pages to look at."""

    name: str
    title: str
    text: str = ""
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class Report:
    """The whole page."""

    game: str
    version: str
    question: str
    status: str  # confirmed, refused, compared, judged or weighed
    verdict: str
    sections: tuple[Section, ...]
    language: str = field(default_factory=spoken)


# --- what sections share ------------------------------------------------------------------------


def changes(run: Run, found: dict[str, Any], names: tuple[str, str]) -> Table:
    """Pointers with an old and a new value, each with its sentence from the rules."""
    rows = []
    for pointer, (old, new) in found.items():
        sentence, unit = field_info(run.experiment.game.document, pointer)
        name = f"{label(pointer)}\n{say(sentence)}"
        rows.append((name, setting(old), setting(new), unit_word(unit), pointer))
    head = (say("Number"), *names, *heads("Unit", "In the rules"))
    return Table("change", frame(head, rows), head, tuple(rows))


def small_print(found: Measured, unit: str) -> str:
    """A value, its interval and what stands behind it, for a cell."""
    interval = span(found.low, found.high, unit)
    few = ""
    if found.distinct < found.n:
        few = ",\n" + say("{n} distinct", n=f"{found.distinct:,}")
    if found.clusters < found.distinct:
        few += ",\n" + say("{n} clusters", n=f"{found.clusters:,}")
    lines = f"{amount(found.value, unit)}\n{interval},\nn = {found.n:,}{few}"
    return lines.replace(" ", NO_BREAK)


SCORED = "What a game is worth to this policy against the others, from both seats."


def metric_of(run: Run, name: str) -> Metric:
    """A metric of the run's game, or a policy's score."""
    if name == SCORE:
        sentence = SCORED
        return Metric(SCORE, sentence, SHARE, lambda games: games, lambda rules: (0.0, 1.0))
    return metrics.metric_of(run.experiment.game, name)


def over(matchup: str) -> str:
    """Of which games a row speaks."""
    return say("Over: {matchup}.", matchup=pairing(matchup))


def frame(head: Sequence[str], rows: Sequence[Sequence[str]]) -> pl.DataFrame:
    """Words as the data of a table."""
    return pl.DataFrame(rows, dict.fromkeys(head, pl.String), orient="row")


def extent(values: pl.Series) -> str:
    """`1,000`, or `900 to 1,000`."""
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else between(f"{low:,}", f"{high:,}")


# --- how the game is played ---------------------------------------------------------------------


def matchups(run: Run) -> Section:
    """The first seat's score, policy by policy."""
    pairs = run.table("matrix")
    widest = pairs.select((pl.col("high") - pl.col("low")).max() / 2).item()
    text = say(
        "How much a game is worth to the first seat (a win 1, a draw ½), for every policy in the "
        "row against every policy in the column that it can meet. Each cell is {games} games; its "
        "95% interval, in points below it, is at most ±{widest:.1f}.",
        games=extent(pairs["n"]),
        widest=100 * widest,
    )
    table = Table("matchups", pairs)
    return Section("matchups", say("Who beats whom"), text, (table,), pictures.heats(run))


def lengths(run: Run) -> Section | None:
    """How long games last, unless all last as long."""
    table = run.table("lengths")
    if table["length"].n_unique() == 1:
        return None
    games = extent(table.group_by("setting").agg(pl.col("count").sum())["count"])
    clock = unit_word(run.experiment.game.clock)
    text = say(
        "Share of games by their last {clock}; {games} games a setting.", clock=clock, games=games
    )
    chart = pictures.lengths(run)
    tables = (Table("lengths", table),)
    return Section("lengths", say("How long games last"), text, tables, (chart,))


def endings(run: Run) -> Section:
    """How games end."""
    chart = pictures.endings(run)
    widest = max((value.high - value.low) / 2 for value in (*chart.before, *chart.after))
    before, after = chart.series
    text = say(
        "Shares of {games:,} games ({before}) and {more:,} ({after}); every 95% interval is at "
        "most ±{widest}.",
        games=chart.before[0].n,
        before=before,
        more=chart.after[0].n,
        after=after,
        widest=distance(widest, SHARE),
    )
    table = Table("endings", run.table("endings"))
    return Section("endings", say("How games end"), text, (table,), (chart,))


def curves(run: Run) -> Section | None:
    """What each seat has, round by round or day by day, where there is more than one."""
    clock, clocks = run.experiment.game.clock, run.experiment.game.clocks
    if run.table("curves").filter(pl.col("clock") > 1).is_empty():
        return None
    clock, clocks = unit_word(clock), unit_word(clocks)
    text = say(
        "Means over all games that reached that {clock}; {clocks} that fewer than one game in "
        "twenty reached are left out. At the start {games} games; the last picture says how many "
        "of them go on.",
        clock=clock,
        clocks=clocks,
        games=extent(pictures.started(run)),
    )
    table = Table("curves", run.table("curves"))
    title = say("{Clock} by {clock}", Clock=clock.capitalize(), clock=clock)
    return Section("curves", title, text, (table,), pictures.curves(run))


# --- the small print ----------------------------------------------------------------------------


def manifest(run: Run) -> Section:
    """What the numbers depend on: the same manifest gives the same numbers."""
    rows = tuple((label(key), setting(value)) for key, value in leaves(run.manifest).items())
    head = heads("What", "Value")
    text = say("The same manifest gives the same numbers.")
    table = Table("manifest", frame(head, rows), head, rows)
    return Section("manifest", say("Manifest"), text, (table,))


def assumed(run: Run) -> Section | None:
    """What the rules file says nobody has decided yet."""
    rows = tuple((say(row.why), row.at) for row in run.experiment.rules.assumed)
    if not rows:
        return None
    head = heads("Choice", "Where")
    text = say("Where the rulebook is silent, these choices were made; all figures rest on them.")
    table = Table("assumed", frame(head, rows), head, rows)
    return Section("assumed", say("What is assumed"), text, (table,))


def reading(run: Run) -> Section:
    """How to read the figures."""
    every = say("on fresh games it is wider still, so that all targets")
    if run.experiment.compared or run.experiment.claims:
        every = say("in the comparison it is wider still, so that all its figures")
    text = say(
        "n is how many games stand behind a figure. The interval beside it is where the true value "
        "lies in 19 of 20 such studies; {every} together are wrong in at most 1 of 20. Distinct "
        "games are those that differ in at least one action: a game played twice counts once. "
        "Draws count half for each seat, and games that reach the cap are judged by its rule and "
        "counted like all others.",
        every=every,
    )
    if run.experiment.game.cluster:
        text += say(
            " Games of one set-up ({cluster}) are one cluster, and intervals are over clusters: "
            "where there are fewer of them than games, as wide as that few independent games "
            "deserve.",
            cluster=run.experiment.game.cluster,
        )
    return Section("reading", say("How to read this"), text)
