"""What a report says: sections of sentences, tables and charts, all plain data.

The pages render these and add nothing of their own; so a fact is worded, and tested, once.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from lab.document import field_info
from lab.experiment.file import SCORE
from lab.game import Metric
from lab.jsonfile import leaves
from lab.metrics import SHARE, metrics_of
from lab.report import pictures
from lab.report.charts import Chart, Measured, Strip
from lab.report.words import amount, band, count, distance, label, listing, setting, span
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
class Section:
    """A heading, one paragraph, then tables and charts."""

    name: str
    title: str
    text: str = ""
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True)
class Report:
    """The whole page."""

    game: str
    version: str
    question: str
    status: str  # confirmed, refused, compared or judged
    verdict: str
    sections: tuple[Section, ...]


def facts(run: Run) -> Report:
    """Everything a report on this run says, in reading order."""
    written: tuple[Callable[[Run], Section | None], ...] = (
        change,
        targets,
        tried,
        space,
        matchups,
        other,
        lengths,
        endings,
        curves,
        skills,
        manifest,
        assumed,
        reading,
    )
    return Report(
        game=run.experiment.game.title,
        version=run.experiment.rules.version,
        question=run.experiment.question,
        status=run.confirmed["status"],
        verdict=verdict(run),
        sections=tuple(section for write in written if (section := write(run))),
    )


# --- what came out ------------------------------------------------------------------------------


def verdict(run: Run) -> str:
    """The answer in one plain sentence, or two."""
    aims = run.chosen["targets"]
    games = count(fresh_games(run), "fresh game")
    changes = _changes_in_words(run)
    if pictures.is_confirmed(run) and not changes:
        return f"Change nothing: the rules as they are meet every target on {games}."
    if pictures.is_confirmed(run):
        held = "The target" if len(aims) == 1 else f"All {len(aims)} targets"
        return f"Change {listing(changes)}. {held} held on {games} that had no part in the choice."
    missed = [aim for aim in aims if not aim["holds"]]
    nearest = f"changes {listing(changes)}" if changes else "is the rules as they are"
    return (
        f"No setting that was tried meets every target. The nearest {nearest}; on {games} it fails "
        f"{len(missed)} of {len(aims)}: {listing([_fault(run, aim) for aim in missed])}."
    )


def fresh_games(run: Run) -> int:
    """Games with which the chosen setting was confirmed: those of the target with most."""
    return max(int(aim["holdout"]["n"]) for aim in run.chosen["targets"])


def _changes_in_words(run: Run) -> list[str]:
    return [
        f"{label(pointer)} from {setting(old)} to {setting(new)}"
        for pointer, (old, new) in run.chosen["changes"].items()
    ]


def _fault(run: Run, aim: dict[str, Any]) -> str:
    unit = metric_of(run, aim["metric"]).unit
    low, high = aim["band"]
    holdout = Measured.of(aim["holdout"])
    found = span(holdout.low, holdout.high, unit)
    return f"{aim['name'].replace('_', ' ')} (wanted {band(low, high, unit)}, found {found})"


def change(run: Run) -> Section:
    """The recommended change, old and new, with each number's sentence from the rules."""
    table = changes(run, run.chosen["changes"], ("Was", "Becomes"))
    if pictures.is_confirmed(run):
        none = "None: the rules stay as they are."
        title, text = "The recommended change", "" if table.rows else none
    else:
        shown = "Not recommended: it misses a target. It is shown because it comes nearest."
        title, text = (
            "The nearest setting",
            shown if table.rows else "None came nearer than the rules.",
        )
    return Section("change", title, text, (table,) if table.rows else ())


def changes(run: Run, found: dict[str, Any], names: tuple[str, str]) -> Table:
    """Pointers with an old and a new value, each with its sentence from the rules."""
    rows = []
    for pointer, (old, new) in found.items():
        sentence, unit = field_info(run.experiment.game.document, pointer)
        rows.append((f"{label(pointer)}\n{sentence}", setting(old), setting(new), unit, pointer))
    head = ("Number", *names, "Unit", "In the rules")
    return Table("change", frame(head, rows), head, tuple(rows))


def targets(run: Run) -> Section:
    """Each target's band, and its value before, in the search and on fresh games."""
    aims = run.chosen["targets"]
    pairs = zip(run.confirmed["baseline"]["targets"], aims, strict=True)
    strips = [_strip(run, f"target-{i}", *pair) for i, pair in enumerate(pairs, start=1)]
    rows, told = [], set()
    for strip, aim in zip(strips, aims, strict=True):
        sentence = "" if aim["metric"] in told else metric_of(run, aim["metric"]).sentence + " "
        told.add(aim["metric"])
        rows.append(
            (
                f"{strip.title}\n{sentence}Over: {aim['matchup']}.",
                band(*strip.band, strip.unit),
                small_print(strip.before, strip.unit),
                small_print(strip.search, strip.unit),
                small_print(strip.after, strip.unit),
                judgement(strip),
            )
        )
    data = [_numbers(*pair) for pair in zip(strips, aims, strict=True)]
    head = ("Target", "Wanted", "Before", "In the search", "On fresh games", "Verdict")
    table = Table("targets", pl.DataFrame(data), head, tuple(rows), tuple(strips))
    held = sum(strip.holds for strip in strips)
    title = "Targets met" if held == len(strips) else f"Targets: {held} of {len(strips)} met"
    text = (
        "A target holds only when the whole interval found on fresh games lies inside the band. "
        "In the pictures the band is shaded; the hollow dot is the rules before, the full dot the "
        "setting after, the small tick what the search believed."
    )
    return Section("targets", title, text, (table,))


def _numbers(strip: Strip, aim: dict[str, Any]) -> dict[str, Any]:
    """A target as a row of its CSV file."""
    low, high = strip.band
    return (
        {"target": aim["name"], "metric": aim["metric"], "matchup": aim["matchup"]}
        | {"unit": strip.unit, "low": low, "high": high, "holds": strip.holds}
        | {f"before_{key}": value for key, value in vars(strip.before).items()}
        | {f"search_{key}": value for key, value in vars(strip.search).items()}
        | {f"holdout_{key}": value for key, value in vars(strip.after).items()}
    )


def _strip(run: Run, name: str, before: dict[str, Any], aim: dict[str, Any]) -> Strip:
    return Strip(
        name=name,
        title=aim["name"].replace("_", " "),
        unit=metric_of(run, aim["metric"]).unit,
        band=(aim["band"][0], aim["band"][1]),
        before=Measured.of(before["holdout"]),
        search=Measured.of(aim["search"]),
        after=Measured.of(aim["holdout"]),
        holds=aim["holds"],
    )


def small_print(found: Measured, unit: str) -> str:
    """A value, its interval and what stands behind it, for a cell."""
    interval = span(found.low, found.high, unit)
    few = f",\n{found.distinct:,} distinct" if found.distinct < found.n else ""
    few += f",\n{found.clusters:,} clusters" if found.clusters < found.distinct else ""
    lines = f"{amount(found.value, unit)}\n{interval},\nn = {found.n:,}{few}"
    return lines.replace(" ", NO_BREAK)


def judgement(strip: Strip) -> str:
    """Whether it holds, in words."""
    low, high = strip.band
    if strip.holds:
        return "Holds\nthe whole interval lies inside"
    if math.isnan(strip.after.value):
        return "Unknown\nno game says anything about it"
    if low <= strip.after.value <= high:
        return "Not certain\nthe interval crosses the edge of the band"
    gap = max(low - strip.after.value, strip.after.value - high)
    return f"Misses\nby {distance(gap, strip.unit)}"


def metric_of(run: Run, name: str) -> Metric:
    """A metric of the run's game, or a policy's score."""
    if name == SCORE:
        sentence = "What a game is worth to this policy against the others, from both seats."
        return Metric(SCORE, sentence, SHARE, lambda games: games, lambda rules: (0.0, 1.0))
    return metrics_of(run.experiment.game)[name]


def tried(run: Run) -> Section:
    """How many settings were tried, and how much of what the search saw was luck."""
    aim = max(run.chosen["targets"], key=_shift)
    moved = distance(abs(aim["shrinkage"] or 0), metric_of(run, aim["metric"]).unit)
    settings = count(run.confirmed["settings"], "setting")
    best = count(len(run.confirmed["candidates"]), "setting")
    taken = "that hold, the one with the smallest change is recommended"
    nearest = "played again, the one that misses by least is shown"
    text = (
        f"The search tried {settings} with few games each; then the best {best} and the rules as "
        "they are were played again on fresh games. The best of many always looks a little better "
        "than it is, because luck helped to choose it, so only the fresh games count. The largest "
        f"shift between the two: {aim['name'].replace('_', ' ')} moved by {moved}. "
        "The distance adds up how far each value lies outside its band, in half widths of it. "
        f"Of the settings {taken if pictures.is_confirmed(run) else nearest}."
    )
    rows = [_candidate(run, candidate) for candidate in run.confirmed["candidates"]]
    head = ("Setting", "Changes", "Targets held", "Distance in the search", "On fresh games")
    table = Table("candidates", frame(head, rows), head, tuple(rows))
    return Section("tried", "How sure this is", text, (table,))


def _shift(aim: dict[str, Any]) -> float:
    """How far a target's value moved from the search to the fresh games, in widths of its band."""
    low, high = aim["band"]
    return float(abs(aim["shrinkage"] or 0) / (high - low))


def _candidate(run: Run, candidate: dict[str, Any]) -> tuple[str, ...]:
    mark = f"\n{pictures.role(run)}" if candidate["number"] == run.confirmed["chosen"] else ""
    changes = [
        f"{label(pointer)}: {setting(old)} → {setting(new)}"
        for pointer, (old, new) in candidate["changes"].items()
    ]
    held = sum(aim["holds"] for aim in candidate["targets"])
    return (
        f"no. {candidate['number']}{mark}",
        "; ".join(changes) or "none",
        f"{held} of {len(candidate['targets'])}",
        f"{candidate['loss']:.2f}",
        f"{candidate['holdout_loss']:.2f}",
    )


# --- how the game is played before and after ----------------------------------------------------


def space(run: Run) -> Section:
    """Every setting tried."""
    chart = pictures.space(run)
    text = (
        "Each line is one setting that was tried; it crosses each axis at its value and the last "
        "one at its distance from the targets. Strong lines came nearer; the orange one is the "
        "setting above, the dashed one the rules before."
    )
    return Section(
        "space", "What was tried", text, (Table("trials", run.table("trials")),), (chart,)
    )


def matchups(run: Run) -> Section:
    """The first seat's score, policy by policy."""
    pairs = run.table("matrix")
    widest = pairs.select((pl.col("high") - pl.col("low")).max() / 2).item()
    text = (
        "How much a game is worth to the first seat (a win 1, a draw ½), for every policy in the "
        "row against every policy in the column that it can meet. Each cell is "
        f"{_range(pairs['n'])} games; its 95% interval, in points below it, is at most "
        f"±{100 * widest:.1f}."
    )
    table = Table("matchups", pairs)
    return Section("matchups", "Who beats whom", text, (table,), pictures.heats(run))


def other(run: Run) -> Section | None:
    """Draws and capped games of each matchup, from the search."""
    measures = run.table("measures").filter(pl.col("trial").is_in([0, run.confirmed["chosen"]]))
    charts = pictures.draws(run)
    if not charts:
        return None
    text = (
        f"Shares of the games of the search, {_range(measures['n'])} each; "
        "the lines through the dots are 95% intervals."
    )
    return Section("draws", "Draws and capped games", text, (Table("measures", measures),), charts)


def lengths(run: Run) -> Section | None:
    """How long games last, unless all last as long."""
    table = run.table("lengths")
    if table["length"].n_unique() == 1:
        return None
    games = _range(table.group_by("setting").agg(pl.col("count").sum())["count"])
    text = f"Share of games by their last {run.experiment.game.clock}; {games} games a setting."
    chart = pictures.lengths(run)
    return Section("lengths", "How long games last", text, (Table("lengths", table),), (chart,))


def endings(run: Run) -> Section:
    """How games end."""
    chart = pictures.endings(run)
    widest = max((value.high - value.low) / 2 for value in (*chart.before, *chart.after))
    before, after = chart.series
    text = (
        f"Shares of {chart.before[0].n:,} games ({before}) and {chart.after[0].n:,} ({after}); "
        f"every 95% interval is at most ±{distance(widest, SHARE)}."
    )
    table = Table("endings", run.table("endings"))
    return Section("endings", "How games end", text, (table,), (chart,))


def curves(run: Run) -> Section | None:
    """What each seat has, round by round or day by day, where there is more than one."""
    clock = run.experiment.game.clock
    if run.table("curves").filter(pl.col("clock") > 1).is_empty():
        return None
    text = (
        f"Means over all games that reached that {clock}; {clock}s that fewer than one game in "
        f"twenty reached are left out. At the start {_range(pictures.started(run))} games; "
        "the last picture says how many of them go on."
    )
    table = Table("curves", run.table("curves"))
    title = f"{clock.capitalize()} by {clock}"
    return Section("curves", title, text, (table,), pictures.curves(run))


def skills(run: Run) -> Section | None:
    """Each target at every skill of the experiment."""
    charts = pictures.skills(run)
    if not charts:
        return None
    text = (
        "The same targets between players of different strength, from the weakest at the top. A "
        "verdict that turns with skill is a verdict about bots, not about the game."
    )
    return Section("skills", "At different skills", text, (), charts)


# --- the small print ----------------------------------------------------------------------------


def manifest(run: Run) -> Section:
    """What the numbers depend on: the same manifest gives the same numbers."""
    rows = tuple((label(key), setting(value)) for key, value in leaves(run.manifest).items())
    head = ("What", "Value")
    text = "The same manifest gives the same numbers."
    table = Table("manifest", frame(head, rows), head, rows)
    return Section("manifest", "Manifest", text, (table,))


def assumed(run: Run) -> Section | None:
    """What the rules file says nobody has decided yet."""
    rows = tuple((row.why, row.at) for row in run.experiment.rules.assumed)
    if not rows:
        return None
    head = ("Choice", "Where")
    text = "Where the rulebook is silent, these choices were made; all figures rest on them."
    table = Table("assumed", frame(head, rows), head, rows)
    return Section("assumed", "What is assumed", text, (table,))


def reading(run: Run) -> Section:
    """How to read the figures."""
    every = "on fresh games it is wider still, so that all targets"
    if run.experiment.compared or run.experiment.claims:
        every = "in the comparison it is wider still, so that all its figures"
    text = (
        "n is how many games stand behind a figure. The interval beside it is where the true value "
        f"lies in 19 of 20 such studies; {every} "
        "together are wrong in at most 1 of 20. Distinct games are those that differ in at least "
        "one action: a game played twice counts once. Draws count half for each seat, and games "
        "that reach the cap are judged by its rule and counted like all others."
    )
    if run.experiment.game.cluster:
        text += (
            f" Games of one set-up ({run.experiment.game.cluster}) are one cluster, and intervals "
            "are over clusters: where there are fewer of them than games, as wide as that few "
            "independent games deserve."
        )
    return Section("reading", "How to read this", text)


def frame(head: Sequence[str], rows: Sequence[Sequence[str]]) -> pl.DataFrame:
    """Words as the data of a table."""
    return pl.DataFrame(rows, dict.fromkeys(head, pl.String), orient="row")


def _range(values: pl.Series) -> str:
    """`1,000`, or `900 to 1,000`."""
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
