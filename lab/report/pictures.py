"""From the tables of a run to the charts of its report."""

import math
from collections.abc import Callable
from typing import Any

import polars as pl

from lab.experiment.file import SCORE
from lab.experiment.space import word
from lab.metrics import SHARE, metric_of, metrics_of
from lab.report.charts import Axis, Dots, Heat, Histogram, Lines, Measured, Panel, Space
from lab.report.language import find, say
from lab.report.language import unit as unit_word
from lab.report.words import label, named, pairing, setting, short
from lab.sweep import Run

BASELINE, CHOSEN = "baseline", "chosen"
OF_GAMES = "share of games"
SEATS = {"first": "first seat", "second": "second seat", "both": "both seat"}
REACHED = 0.05
"""Share of the games that has to reach a round for its mean to be drawn."""


def settings(run: Run) -> dict[str, str]:
    """What the two settings that a run keeps are called."""
    if run.experiment.compared:
        return {BASELINE: run.experiment.rules.version, CHOSEN: run.experiment.compared.version}
    return {BASELINE: say("Before"), CHOSEN: say("After")}


def _series(run: Run) -> tuple[str, str]:
    names = settings(run)
    return names[BASELINE].lower(), names[CHOSEN].lower()


def is_confirmed(run: Run) -> bool:
    """Whether the chosen setting held on fresh games."""
    return bool(run.confirmed["status"] == "confirmed")


def role(run: Run) -> str:
    """What the chosen setting is to the reader."""
    return say("recommended") if is_confirmed(run) else say("nearest")


def space(run: Run) -> Space:
    """Every trial as places on the space's axes."""
    trials = run.table("trials").sort("number").to_dicts()
    axes, columns = [], []
    for dimension in run.experiment.space.dimensions:
        found = [row[dimension.pointer] for row in trials]
        known = [word(value) for value in dimension.values]
        known += [value for value in dict.fromkeys(found) if value not in known]
        if dimension.step is not None:  # the baseline may lie beside the grid
            known.sort()
        whole = any(value not in known for value in dimension.values)  # a table has no short name
        names = (
            say("no. {n}", n=n + 1) if whole else setting(value) for n, value in enumerate(known)
        )
        axes.append(Axis(label(dimension.pointer), tuple(names)))
        columns.append([known.index(value) for value in found])
    numbers = [row["number"] for row in trials]
    return Space(
        name="space",
        title=say("Settings tried"),
        axes=tuple(axes),
        paths=tuple(zip(*columns, strict=True)),
        losses=tuple(row.get("expected_loss", row["loss"]) for row in trials),
        baseline=numbers.index(0),
        chosen=numbers.index(run.confirmed["chosen"]),
        role=role(run),
    )


def heats(run: Run) -> tuple[Heat, ...]:
    """The first seat's score of every pair, before and after."""
    table = run.table("matrix")
    firsts, seconds = (table[seat].unique(maintain_order=True) for seat in ("first", "second"))
    names = short([*firsts, *seconds])
    found = {(r["setting"], r["first"], r["second"]): r for r in table.to_dicts()}

    def cells(key: str, cell: Callable[[Any], float]) -> tuple[tuple[float, ...], ...]:
        rows = ((found.get((key, first, second)) for second in seconds) for first in firsts)
        return tuple(tuple(math.nan if r is None else cell(r) for r in row) for row in rows)

    return tuple(
        Heat(
            f"matchups-{place}",
            say("{setting}: the first seat's score", setting=word),
            tuple(names[first] for first in firsts),
            tuple(names[second] for second in seconds),
            cells(key, lambda row: row["value"]),
            cells(key, lambda row: (row["high"] - row["low"]) / 2),
        )
        for place, (key, word) in zip(("before", "after"), settings(run).items(), strict=True)
    )


def draws(run: Run) -> tuple[Dots, ...]:
    """Draws, and games that the cap ended, of each matchup in the search, where targets ask."""
    measures = run.table("measures")
    pairs = [title.split(" v ") for title in measures["matchup"].unique(maintain_order=True)]
    known = short([policy for pair in pairs for policy in pair])
    titles = {"draw": say("Draws"), "cap_rate": say("Games that the cap had to end")}
    charts = []
    for metric, title in titles.items():
        before, after = (
            measures.filter(trial=trial, metric=metric).to_dicts()
            for trial in (0, run.confirmed["chosen"])
        )
        if before:
            names = tuple(
                pairing(" v ".join(known[policy] for policy in row["matchup"].split(" v ")))
                for row in before
            )
            was, becomes = (tuple(map(Measured.of, rows)) for rows in (before, after))
            axis, series = say(OF_GAMES), _series(run)
            charts.append(Dots(metric, title, SHARE, names, was, becomes, axis=axis, series=series))
    return tuple(charts)


def lengths(run: Run) -> Histogram:
    """Shares of games by length, over all matchups."""
    before, after = (
        _shares(run.table("lengths").filter(setting=key)) for key in (BASELINE, CHOSEN)
    )
    unit = metrics_of(run.experiment.game)["length"].unit
    return Histogram(
        "lengths", say("Games by length"), unit_word(unit), before, after, _series(run)
    )


def _shares(frame: pl.DataFrame) -> dict[int, float]:
    total = frame["count"].sum()
    counts = frame.group_by("length").agg(pl.col("count").sum()).sort("length")
    return {length: n / total for length, n in counts.iter_rows()}


def endings(run: Run) -> Dots:
    """Shares of the game's endings, over all matchups."""
    endings = run.experiment.game.endings
    names = tuple(find("endings", ending) or ending for ending in endings)
    rows = run.table("endings").iter_rows(named=True)
    shares = {(row["setting"], row["ending"]): Measured.of(row) for row in rows}
    before, after = (tuple(shares[key, ending] for ending in endings) for key in (BASELINE, CHOSEN))
    series = _series(run)
    title, axis = say("Games by ending"), say(OF_GAMES)
    return Dots("endings", title, SHARE, names, before, after, axis=axis, series=series)


def curves(run: Run) -> tuple[Lines, ...]:
    """A chart for each quantity with a line for each seat that ever has any, and survival."""
    table = run.table("curves").filter(pl.col("clock") > 0).sort("clock")  # 0: nothing begun
    quantities: dict[str, dict[str, str]] = {}
    for column in run.experiment.game.curves:
        seat, _, quantity = column.partition("_")
        if seat not in ("first", "second"):
            seat, quantity = "both", column
        if (table[column] != 0).any():
            quantities.setdefault(quantity, {})[say(SEATS[seat])] = column
    unit = unit_word(metrics_of(run.experiment.game)["length"].unit)
    return (
        *(
            Lines(
                name=f"curve-{quantity}",
                title=find("curves", quantity) or quantity.replace("_", " ").capitalize(),
                x_axis=unit,
                y_axis=say("mean of games running"),
                panels=tuple(_panel(table, *named, columns) for named in settings(run).items()),
            )
            for quantity, columns in quantities.items()
        ),
        _survival(table, run, unit),
    )


def _panel(table: pl.DataFrame, key: str, title: str, columns: dict[str, str]) -> Panel:
    frame = table.filter(setting=key)
    frame = frame.filter(pl.col("n") >= REACHED * pl.col("n").max())
    clock = tuple(frame["clock"].to_list())
    lines = {seat: (clock, tuple(frame[column].to_list())) for seat, column in columns.items()}
    return Panel(title, lines)


def _survival(table: pl.DataFrame, run: Run, unit: str) -> Lines:
    """Which share of the games reach each round."""
    panels = []
    for key, title in settings(run).items():
        frame = table.filter(setting=key)
        shares = tuple((100 * frame["n"] / frame["n"].max()).to_list())
        panels.append(
            Panel(title, {say("still played"): (tuple(frame["clock"].to_list()), shares)})
        )
    title, axis = say("Games still played"), say("% of games")
    return Lines("curve-survival", title, unit, axis, tuple(panels))


def started(run: Run) -> pl.Series:
    """Games of each setting that the curves begin with."""
    return run.table("curves").group_by("setting").agg(pl.col("n").max())["n"]


def measures(run: Run) -> tuple[Dots, ...]:
    """A chart for each thing that a comparison measures, with a row a matchup."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in run.confirmed["measures"]:
        name = row["metric"] if row["metric"] == SCORE else row["name"]
        groups.setdefault((name, row["unit"]), []).append(row)
    return tuple(
        Dots(
            name=f"measure-{place}",
            title=_title(name),
            unit=unit,
            names=tuple(_of_whom(row) for row in rows),
            before=tuple(Measured.of(row["before"]) for row in rows),
            after=tuple(Measured.of(row["after"]) for row in rows),
            axis=_axis(run, rows[0]),
            series=_series(run),
        )
        for place, ((name, unit), rows) in enumerate(groups.items(), start=1)
    )


def _title(name: str) -> str:
    words = named(name)
    return words.capitalize() if words.isascii() else words


def _axis(run: Run, row: dict[str, Any]) -> str:
    """What a measure's numbers are, as its metric says it."""
    game = run.experiment.game
    if row["metric"] == SCORE:
        return say("What a game is worth to a policy against the others, from both seats")
    if row["name"] != row["metric"]:
        return say("Share of the {clocks} that the rules allow", clocks=unit_word(game.clocks))
    return say(metric_of(game, row["metric"]).sentence).removesuffix(".")


def _of_whom(row: dict[str, Any]) -> str:
    """The matchup, and whose score it is there."""
    policy = row["name"].removeprefix(f"{SCORE} of ") + ": " if row["metric"] == SCORE else ""
    return policy + pairing(row["matchup"])


def skills(run: Run) -> tuple[Dots, ...]:
    """A chart for each target that was also asked of skills."""
    aims = run.chosen["targets"]
    before = {aim["name"]: aim for aim in run.confirmed["baseline"]["targets"]}
    charts: list[Dots] = []
    for aim in aims:
        name = aim["name"]
        ladder = [a for a in aims if a["name"].startswith(f"{name} at ")]
        if ladder:
            unit = metric_of(run.experiment.game, aim["metric"]).unit
            charts.append(
                Dots(
                    name=f"skill-{len(charts) + 1}",
                    title=_title(name),
                    unit=unit,
                    names=tuple(a["name"].removeprefix(f"{name} at ") for a in ladder),
                    before=tuple(Measured.of(before[a["name"]]["holdout"]) for a in ladder),
                    after=tuple(Measured.of(a["holdout"]) for a in ladder),
                    band=(aim["band"][0], aim["band"][1]),
                    series=_series(run),
                )
            )
    return tuple(charts)
