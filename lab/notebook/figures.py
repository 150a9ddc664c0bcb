"""Figures of frames by name: the charts of reports, drawn into the cell of a notebook."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from lab.catalog import GAMES, load_game
from lab.errors import bad, make_folder, write_text
from lab.formula import value_of
from lab.frames import game_of
from lab.game import Metric
from lab.metrics import SHARE, measure
from lab.report.charts import Chart, Dots, Heat, Histogram, Lines, Measured, Panel
from lab.report.figures import draw
from lab.report.words import short
from lab.stats.estimate import RATE

MEASURED = ("metric", "unit", "value", "low", "high", "n", "distinct", "clusters", "method")
REACHED = 0.05
"""Share of the games that has to reach a round for its mean to be drawn."""


@dataclass(frozen=True)
class Figure:
    """One or more charts; Jupyter shows several side by side as far as there is room."""

    charts: tuple[Chart, ...]

    def __repr__(self) -> str:
        return f"figure: {', '.join(chart.title for chart in self.charts)}"

    def _repr_svg_(self) -> str | None:
        return draw(self.charts[0]) if len(self.charts) == 1 else None

    def _repr_html_(self) -> str | None:
        if len(self.charts) == 1:
            return None
        style = "display:flex;flex-wrap:wrap;gap:1em;background:#fefefe"
        return f'<div style="{style}">{"".join(map(draw, self.charts))}</div>'

    def save(self, folder: Path | str) -> None:
        """Every chart as FOLDER/NAME.svg."""
        make_folder(Path(folder))
        for chart in self.charts:
            write_text(Path(folder, f"{chart.name}.svg"), draw(chart))


class Sides(NamedTuple):
    """What is drawn, and what it is held against if anything is, with a name for each."""

    before: pl.DataFrame | None
    after: pl.DataFrame
    names: tuple[str, str]

    def each(self, made: Callable[[pl.DataFrame], Any], nothing: Any) -> tuple[Any, Any]:
        """The same of both."""
        return nothing if self.before is None else made(self.before), made(self.after)


def figure(
    name: str,
    frame: pl.DataFrame,
    against: pl.DataFrame | None = None,
    names: tuple[str, str] = ("before", "after"),
) -> Figure:
    """A named figure of a frame; `against` is another frame of its kind, drawn as what was before.

    `lengths` and `endings` are of games; `measures` of what `measure` found, a row a group or a
    metric; `curves` of what `curves` did; `matchups` of what `matrix` did. `names` are those of
    `against` and `frame`. BadInput offers the nearest name, or says what the frame lacks.
    """
    if name not in FIGURES:
        raise bad("figure", repr(name), f"one of {', '.join(FIGURES)}", name, FIGURES)
    source, needed, draws = FIGURES[name]
    for one in (frame, against):
        missing = [column for column in needed if one is not None and column not in one.columns]
        if missing:
            raise bad(f"figure {name!r}", f"no column {missing[0]}", f"a frame {source}")
        if one is not None and one.is_empty():
            raise bad(f"figure {name!r}", "no row", f"a frame {source}")
    return Figure(tuple(draws(Sides(against, frame, names))))


# --- of games -----------------------------------------------------------------------------------


def _lengths(sides: Sides) -> Iterator[Chart]:
    before, after = sides.each(_shares, {})
    game = game_of(sides.after.columns)
    unit = game.clocks if game else "rounds"
    yield Histogram("lengths", "Games by length", unit, before, after, sides.names)


def _shares(games: pl.DataFrame) -> dict[int, float]:
    counts = games.group_by("length").len().sort("length")
    return {int(length): n / games.height for length, n in counts.iter_rows()}


def _endings(sides: Sides) -> Iterator[Chart]:
    both = [one for one in (sides.before, sides.after) if one is not None]
    known = dict.fromkeys(e for games in both for e in games["ending"].unique().sort() if e)
    metrics = [_ending(name) for name in known]

    def shares(games: pl.DataFrame) -> tuple[Measured, ...]:
        return tuple(map(Measured.of, measure(games, metrics).to_dicts()))

    before, after = sides.each(shares, ())
    title, axis = "Games by ending", "share of games"
    yield Dots("endings", title, SHARE, tuple(known), before, after, axis=axis, series=sides.names)


def _ending(name: str) -> Metric:
    ended = value_of(pl.col("ending").cast(pl.String) == name)
    return Metric(name, "How often a game ends so.", SHARE, ended, lambda rules: RATE)


# --- of what was found in games -----------------------------------------------------------------


def _measures(sides: Sides) -> Iterator[Chart]:
    """A chart a metric with a row a group; without groups, a chart a unit with a row a metric."""
    keys = [column for column in sides.after.columns if column not in MEASURED]
    split, named = ("metric", keys) if keys else ("unit", ["metric"])
    for place, value in enumerate(sides.after[split].unique(maintain_order=True)):
        rows = sides.after.filter(pl.col(split) == value)
        names = tuple(_words(row, named) for row in rows.to_dicts())

        def found(frame: pl.DataFrame, value: str = value) -> tuple[Measured, ...]:
            return tuple(map(Measured.of, frame.filter(pl.col(split) == value).to_dicts()))

        before, after = sides.each(found, ())
        if before and len(before) != len(after):
            raise bad("figure 'measures'", f"{len(before)} rows of before", f"{len(after)} as now")
        unit = rows["unit"][0]
        title = value.replace("_", " ").capitalize() if keys else f"In {unit}s"
        axis = "95% intervals" if unit == SHARE else f"{unit}, 95% intervals"
        yield Dots(
            f"measures-{place + 1}",
            title if keys or unit != SHARE else "Shares",
            unit,
            names,
            before,
            after,
            axis=axis,
            series=sides.names,
        )


def _words(row: dict[str, Any], columns: list[str]) -> str:
    """A group in words: names as they are, numbers and truths behind their column's name."""
    parts = ((name, row[name]) for name in columns)
    return ", ".join(x if isinstance(x, str) else f"{name} {x}".lower() for name, x in parts)


def _curves(sides: Sides) -> Iterator[Chart]:
    """A chart for each quantity with a line for each seat that ever has any."""
    known = set(sides.after.columns)
    games = (game for game in map(load_game, GAMES) if known.issuperset(game.curves))
    axis = next((game.clocks for game in games), "clock")
    quantities: dict[str, dict[str, str]] = {}
    for column in sides.after.drop("clock", "n").columns:
        if "_q" in column:  # a quantile
            continue
        seat, _, quantity = column.partition("_")
        if seat not in ("first", "second"):
            seat, quantity = "both", column
        if (sides.after[column] != 0).any():
            quantities.setdefault(quantity, {})[f"{seat} seat"] = column
    both = sides.each(lambda frame: frame.filter(pl.col("n") >= REACHED * pl.col("n").max()), None)
    frames = [pair for pair in zip(both, sides.names, strict=True) if pair[0] is not None]
    for quantity, columns in quantities.items():
        panels = tuple(
            Panel(name if len(frames) > 1 else "", _lines(frame, columns)) for frame, name in frames
        )
        title = quantity.replace("_", " ").capitalize()
        yield Lines(f"curve-{quantity}", title, axis, "mean of games running", panels)


def _lines(frame: pl.DataFrame, columns: dict[str, str]) -> dict[str, Any]:
    clock = tuple(frame["clock"].to_list())
    return {seat: (clock, tuple(frame[column].to_list())) for seat, column in columns.items()}


def _matchups(sides: Sides) -> Iterator[Chart]:
    """The first seat's score of every pair."""
    title = "the first seat's score"
    if sides.before is None:
        yield _heat("matchups", title.capitalize(), sides.after)
        return
    for frame, name in zip((sides.before, sides.after), sides.names, strict=True):
        yield _heat(f"matchups-{name}", f"{name.capitalize()}: {title}", frame)


def _heat(name: str, title: str, frame: pl.DataFrame) -> Heat:
    firsts, seconds = (frame[seat].unique(maintain_order=True) for seat in ("first", "second"))
    found = {(row["first"], row["second"]): row for row in frame.to_dicts()}
    words = short([*firsts, *seconds])

    def cells(cell: Callable[[Any], float]) -> tuple[tuple[float, ...], ...]:
        rows = ((found.get((one, other)) for other in seconds) for one in firsts)
        return tuple(tuple(math.nan if r is None else cell(r) for r in row) for row in rows)

    return Heat(
        name,
        title,
        tuple(words[one] for one in firsts),
        tuple(words[other] for other in seconds),
        cells(lambda row: row["value"]),
        cells(lambda row: (row["high"] - row["low"]) / 2),
    )


Draws = Callable[[Sides], Iterator[Chart]]
FIGURES: dict[str, tuple[str, tuple[str, ...], Draws]] = {
    "lengths": ("of games", ("length",), _lengths),
    "endings": ("of games", ("ending", "history"), _endings),
    "measures": ("that measure gave", MEASURED[:-1], _measures),
    "curves": ("that curves gave", ("clock", "n"), _curves),
    "matchups": ("that matrix gave", ("first", "second", "value", "low", "high"), _matchups),
}
"""Of what frame each is, the columns that it needs, and how it is made."""
