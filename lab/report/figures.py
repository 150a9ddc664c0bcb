"""Charts as SVG text: the only place that plots.

Every figure is small enough for a phone, has a <title>, and comes out byte for byte the same each
time. Its colours are CSS variables with a fallback, so that a page may darken them.
"""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from html import escape
from itertools import pairwise
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.ticker import FuncFormatter, MaxNLocator

from lab.metrics import SHARE
from lab.report.charts import (
    Chart,
    Dots,
    Effects,
    Gaps,
    Heat,
    Histogram,
    Lines,
    Measured,
    Space,
    Strip,
)
from lab.report.fonts import families, quiet, wide
from lab.report.language import say
from lab.report.language import unit as unit_word
from lab.report.words import amount
from lab.report.words import band as band_in_words

# Okabe and Ito's palette, safe for colour-blind readers; each name is a variable of page.css.
INK, SOFT, LINE, PAPER = "#1d2430", "#5b6472", "#d8dce2", "#fefefe"
BEFORE, AFTER, SECOND, CHOSEN = "#8b929c", "#0072b2", "#d55e00", "#e69f01"
BAND = "#cfe8dd"
VARIABLES = {
    "ink": INK,
    "soft": SOFT,
    "line": LINE,
    "paper": PAPER,
    "before": BEFORE,
    "after": AFTER,
    "second": SECOND,
    "chosen": CHOSEN,
    "band": BAND,
}
HEAT = LinearSegmentedColormap.from_list("heat", ["#c65200", "#f7f4ef", "#00649e"])
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "balance lab",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": SOFT,
    "axes.titlecolor": INK,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": SOFT,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "figure.constrained_layout.use": True,
}
WIDTH = 4.6  # inches; as wide as half a page
BARS = 60  # of a histogram
ROOM = 24  # signs of a name beside a figure
WIDTHS = [digit * 10**power for power in range(4) for digit in (1, 2, 5)]


def draw(chart: Chart) -> str:
    """The chart as one <svg> element, to be inlined or kept as a file.

    Whatever the process, such as a notebook, has set for charts of its own.
    """
    with style.context(["default", STYLE | {"font.family": families()}]), quiet():
        figure = Figure()
        _DRAWN[type(chart)](figure, chart)
        return _svg(figure, chart.title)


def _svg(figure: Figure, title: str) -> str:
    raw = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(raw, format="svg", metadata=nothing, transparent=True)
    text = raw.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r' id="[A-Za-z0-9.]+_\d+"', "", text)  # groups; would clash on one page
    for name, colour in VARIABLES.items():
        text = text.replace(colour, f"var(--{name}, {colour})")
    head = f' role="img" aria-label="{escape(title)}">\n <title>{escape(title)}</title>'
    return text.replace(">", head, 1)


# --- one function a kind of chart ---------------------------------------------------------------


def _strip(figure: Figure, chart: Strip) -> None:
    figure.set_size_inches(2.0, 0.6)
    axes = figure.add_subplot()
    low, high = chart.band
    values = [chart.before, chart.after]
    shown = [low, high, chart.search.value, *(v.low for v in values), *(v.high for v in values)]
    shown = [x for x in shown if np.isfinite(x)]
    pad = 0.06 * (max(shown) - min(shown))
    axes.set_xlim(min(shown) - pad, max(shown) + pad)
    axes.set_ylim(-1, 1)
    axes.axvspan(low, high, color=BAND, lw=0)
    axes.plot([chart.search.value] * 2, [-0.9, 0.05], color=INK, lw=1.2, solid_capstyle="butt")
    _dot(axes, chart.before, 0.5, before=True)
    _dot(axes, chart.after, -0.45, before=False)
    axes.set_yticks([])
    axes.set_xticks([low, high])
    axes.spines["left"].set_visible(False)
    axes.tick_params(length=2, labelsize=7.5)
    _units(axes, chart.unit, "x")


def _dots(figure: Figure, chart: Dots) -> None:
    places = np.arange(len(chart.names), dtype=float)
    caption = _filled(chart.axis, 42)
    names = [_folded(name) for name in chart.names]
    lines = sum(name.count("\n") for name in (caption, *names))
    height = 1.2 + 0.4 * len(names) + 0.15 * lines
    figure.set_size_inches(WIDTH, height)
    axes = figure.add_subplot()
    if chart.band:
        axes.axvspan(*chart.band, color=BAND, lw=0, label=say("wanted"))
    both = ((chart.before, -0.15, True), (chart.after, 0.15, False))
    for values, shift, before in both if chart.before else ((chart.after, 0.0, False),):
        if chart.band:
            line = [value.value for value in values]
            axes.plot(line, places + shift, color=BEFORE if before else AFTER, lw=0.8)
        for place, value in zip(places, values, strict=True):
            _dot(axes, value, place + shift, before)
            _figure(axes, value, place + shift, chart.unit)
    for name, before in zip(chart.series, (True, False), strict=True) if chart.before else ():
        face = PAPER if before else AFTER
        edge = BEFORE if before else AFTER
        axes.plot([], [], "o", mfc=face, mec=edge, ms=5.5, mew=1.4, label=name)
    axes.set_yticks(places, names)
    axes.set_ylim(len(places) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_title(chart.title, loc="left")
    axes.margins(x=0.15)
    if chart.band:
        axes.set_xlabel(say("wanted: {band}", band=band_in_words(*chart.band, chart.unit)))
    else:
        if min(value.low for value in (*chart.before, *chart.after)) >= 0:
            axes.set_xlim(left=0)
        axes.set_xlabel(caption)
    axes.grid(axis="x", color=LINE, lw=0.5)
    axes.set_axisbelow(True)
    _units(axes, chart.unit, "x")
    _legend(figure)


def _gaps(figure: Figure, chart: Gaps) -> None:
    colours = {"holds": AFTER, "fails": SECOND, "undecided": BEFORE}
    names = [_filled(name, 38) for name in chart.names]
    lines = sum(1 + name.count("\n") for name in names)
    figure.set_size_inches(1.4 * WIDTH, 0.8 + 0.17 * lines + 0.13 * len(names))
    axes = figure.add_subplot()
    axes.axvline(0, color=INK, lw=0.8)
    for place, (value, verdict) in enumerate(zip(chart.values, chart.verdicts, strict=True)):
        colour = colours[verdict]
        axes.plot([value.low, value.high], [place] * 2, color=colour, lw=1.8)
        axes.plot([value.value], [place], "o", color=colour, ms=5)
    for verdict, colour in colours.items():
        axes.plot([], [], "o-", color=colour, label=say(verdict))
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_title(chart.title, loc="left")
    axes.set_xlabel(say("points") if chart.unit == SHARE else unit_word(chart.unit))
    if chart.unit == SHARE:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, place: f"{100 * x:+g}"))
    axes.grid(axis="x", color=LINE, lw=0.5)
    axes.set_axisbelow(True)
    _legend(figure)


def _dot(axes: Axes, value: Measured, y: float, before: bool) -> None:
    colour = BEFORE if before else AFTER
    axes.plot([value.low, value.high], [y, y], color=colour, lw=1.6, solid_capstyle="butt")
    face = PAPER if before else AFTER
    axes.plot([value.value], [y], "o", mfc=face, mec=colour, ms=5.5, mew=1.4, clip_on=False)


def _figure(axes: Axes, value: Measured, y: float, unit: str) -> None:
    """The value in digits, right of its interval."""
    axes.annotate(
        amount(value.value, unit),
        (value.high, y),
        xytext=(7, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        color=SOFT,
    )


def _histogram(figure: Figure, chart: Histogram) -> None:
    figure.set_size_inches(WIDTH, 2.7)
    axes = figure.add_subplot()
    chart, width = _binned(chart)
    first = min([*chart.before, *chart.after])
    last = max([*chart.before, *chart.after])
    places = range(first, last + 1, width)
    edges = np.arange(first, last + width + 1, width) - width + 0.5
    before = [chart.before.get(x, 0.0) for x in places]
    after = [chart.after.get(x, 0.0) for x in places]
    names = chart.series if chart.before else (None, None)
    if chart.before:
        axes.stairs(before, edges, color=BEFORE, lw=1.6, label=names[0], zorder=3)
    axes.stairs(after, edges, fill=True, color=AFTER, alpha=0.75, lw=0, label=names[1])
    axes.set_title(chart.title, loc="left")
    steps = say("{axis}, in steps of {width}", axis=chart.axis, width=width)
    axes.set_xlabel(chart.axis if width == 1 else steps)
    axes.set_ylabel(say("share of games"))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(0, _cut(axes, chart))
    _units(axes, SHARE, "y")
    _legend(figure)


def _binned(chart: Histogram) -> tuple[Histogram, int]:
    """At most BARS bars, each at the last number it counts, and how many numbers that is."""
    every = [*chart.before, *chart.after]
    width = next(width for width in WIDTHS if (max(every) - min(every)) / width <= BARS)

    def joined(shares: dict[int, float]) -> dict[int, float]:
        sums: dict[int, float] = {}
        for x, share in shares.items():
            place = -(-x // width) * width
            sums[place] = sums.get(place, 0.0) + share
        return sums

    return replace(chart, before=joined(chart.before), after=joined(chart.after)), width


def _cut(axes: Axes, chart: Histogram) -> float:
    """The top of the axis; a bar that would flatten the rest, as a cap's does, is cut there."""
    both = [pair for pair in ((chart.before, BEFORE), (chart.after, AFTER)) if pair[0]]
    peaks = [max(shares.values()) for shares, _ in both]
    others = [share for shares, _ in both for share in sorted(shares.values())[:-1]]
    top = 1.08 * max(peaks)
    if others and max(peaks) > 2.5 * max(others):
        top = 1.4 * max(others)
    for (shares, colour), peak in zip(both, peaks, strict=True):
        if peak > top:
            place = next(x for x, share in shares.items() if share == peak)
            text = amount(peak, SHARE) + "\n" * (colour == BEFORE)  # above the other's
            axes.text(place, top, text, ha="center", va="bottom", fontsize=8, color=colour)
    return top


def _heat(figure: Figure, chart: Heat) -> None:
    rows, columns = len(chart.rows), len(chart.columns)
    width = max(WIDTH, 1 + 0.4 * columns)
    figure.set_size_inches(width, 0.9 + width * 0.65 * min(rows / columns, 1))
    axes = figure.add_subplot()
    low, high = chart.scale
    axes.pcolormesh(
        np.array(chart.values), cmap=HEAT, vmin=low, vmax=high, edgecolors=PAPER, linewidth=1.5
    )
    factor, sign = (100, ", %") if chart.unit == SHARE else (1, f", {unit_word(chart.unit)}")
    for row, column in np.ndindex(rows, columns):
        value, margin = chart.values[row][column], chart.margins[row][column]
        if not np.isnan(value):
            dark = abs(2 * value - low - high) > 0.6 * (high - low)
            place: Any = {"ha": "center", "color": "#ffffff" if dark else "#000000"}
            told = [f"{factor * x:.{chart.digits}f}" for x in (value, margin)]
            middle = column + 0.5
            axes.text(middle, row + 0.4, told[0], va="center", **place)
            axes.text(middle, row + 0.78, f"±{told[1]}", va="center", size=6, **place)
    if chart.own is not None:
        place = {"fill": False, "ec": INK, "lw": 1.8, "clip_on": False}
        axes.add_patch(Rectangle((chart.own[1], chart.own[0]), 1, 1, **place))
    places = np.arange(columns) + 0.5
    axes.set_xticks(
        places, [*map(_folded, chart.columns)], rotation=35, ha="right", rotation_mode="anchor"
    )
    axes.set_yticks(np.arange(rows) + 0.5, [*map(_folded, chart.rows)])
    axes.invert_yaxis()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(f"{chart.title}{sign}", loc="left")
    axes.set_xlabel(say(chart.axes[1]))
    axes.set_ylabel(say(chart.axes[0]))


def _lines(figure: Figure, chart: Lines) -> None:
    figure.set_size_inches(WIDTH, 2.4)
    every = figure.subplots(1, len(chart.panels), sharey=True, squeeze=False)[0]
    for axes, panel in zip(every, chart.panels, strict=True):
        styles = ((AFTER, "-"), (SECOND, (0, (4, 1.5))))
        for (name, (x, y)), (colour, dash) in zip(panel.series.items(), styles, strict=False):
            label = name if axes is every[0] else None
            axes.plot(x, y, color=colour, ls=dash, lw=1.8, label=label)
        axes.set_title(panel.title, loc="left", fontsize=9, color=SOFT)
        axes.set_xlabel(chart.x_axis)
        axes.grid(axis="y", color=LINE, lw=0.5)
        axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    every[0].set_ylim(bottom=0)
    every[0].set_ylabel(chart.y_axis)
    figure.suptitle(chart.title, x=0.01, ha="left", fontsize=10)
    _legend(figure)


def _effects(figure: Figure, chart: Effects) -> None:
    columns = min(3, len(chart.panels))
    rows = -(-len(chart.panels) // columns)
    figure.set_size_inches(max(WIDTH, 0.6 * WIDTH * columns), 0.5 + 1.7 * rows)
    every = figure.subplots(rows, columns, sharey=True, squeeze=False).flat
    for axes, panel in zip(every, chart.panels, strict=False):
        places = np.array(panel.places or range(len(panel.values)))
        ends = [[getattr(mean, end) for mean in panel.means] for end in ("low", "high", "value")]
        colour = AFTER if panel.clear else BEFORE
        axes.vlines(places, *ends[:2], color=colour, lw=1.6)
        axes.plot(places, ends[2], "o-", color=colour, ms=4, lw=1)
        if panel.own is not None:
            own = {"mfc": PAPER, "mec": colour, "ms": 6, "mew": 1.4}
            axes.plot(places[panel.own], ends[2][panel.own], "o", **own)
        axes.set_title(_filled(panel.label, 28), loc="left", fontsize=9, color=SOFT)
        thin = -(-len(places) // 6)
        axes.set_xticks(places[::thin], panel.values[::thin], fontsize=7.5)
        axes.margins(x=0.1)
        axes.set_xlabel(chart.axis)
        axes.grid(axis="y", color=LINE, lw=0.5)
        _units(axes, chart.unit, "y")
    low, high = every[0].get_ylim()
    if chart.band is not None:
        for axes in every[: len(chart.panels)]:  # the band must not stretch the scale
            axes.axhspan(*chart.band, color=BAND, lw=0, zorder=0)
            axes.set_ylim(low, high)
    for axes in every[len(chart.panels) :]:
        axes.set_visible(False)
    figure.suptitle(chart.title, x=0.01, ha="left", fontsize=10)


def _space(figure: Figure, chart: Space) -> None:
    figure.set_size_inches(2 * WIDTH, 3.6)
    axes = figure.add_subplot()
    scales = np.array([max(len(axis.values) - 1, 1) for axis in chart.axes])
    limit = float(np.quantile(chart.losses, 0.9)) or 1.0  # a few hopeless settings tell nothing
    goals = 1 - np.minimum(np.array(chart.losses) / limit, 1)
    paths = np.column_stack([np.array(chart.paths) / scales, goals])
    for path, goal in sorted(zip(paths, goals, strict=True), key=lambda pair: pair[1]):
        _path(axes, path, color=AFTER, lw=0.9, alpha=0.12 + 0.6 * goal**2)
    before: dict[str, Any] = {"color": INK, "lw": 1.8, "ls": (0, (4, 2))}
    chosen: dict[str, Any] = {"color": CHOSEN, "lw": 3.2}
    _path(axes, paths[chart.chosen], **chosen)
    _path(axes, paths[chart.baseline], **before)
    axes.plot([], [], label=say("before"), **before)
    axes.plot([], [], label=chart.role, **chosen)
    ticks = [
        {step / scale: value for step, value in enumerate(axis.values)}
        for axis, scale in zip(chart.axes, scales, strict=True)
    ]
    for place, marks in enumerate([*ticks, {1.0: "0", 0.0: f"{limit:.2g} +"}]):
        axes.axvline(place, color=LINE, lw=1)
        for height, value in list(marks.items())[:: -(-len(marks) // 8)]:
            box = {"boxstyle": "round,pad=0.15", "fc": PAPER, "ec": "none", "alpha": 0.85}
            axes.text(place, height, value, ha="center", va="center", color=SOFT, bbox=box)
    names = [*(axis.label for axis in chart.axes), say("distance from the targets")]
    axes.set_xticks(range(len(names)), [_wrapped(name) for name in names])
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelcolor=INK)
    axes.set_yticks([])
    axes.set_xlim(-0.3, len(chart.axes) + 0.3)
    axes.set_ylim(-0.06, 1.06)
    for spine in axes.spines.values():
        spine.set_visible(False)
    _legend(figure)


def _path(axes: Axes, heights: Any, **style: Any) -> None:
    """A line that eases from axis to axis, so that lines which share a value stay apart."""
    vertices, codes = [(0.0, heights[0])], [Path.MOVETO]
    for place, (y, following) in enumerate(pairwise(heights)):
        vertices += [(place + 1 / 3, y), (place + 2 / 3, following), (place + 1, following)]
        codes += [Path.CURVE4] * 3
    axes.add_patch(PathPatch(Path(vertices, codes), fill=False, **style))


def _filled(text: str, room: int) -> str:
    """Lines of so many letters; a letter of Korean is as wide as two."""
    return fill(text, round(room * len(text) / wide(text)) if text else room)


def _wrapped(label: str) -> str:
    """At most two words a line."""
    words = label.split()
    return "\n".join(" ".join(words[i : i + 2]) for i in range(0, len(words), 2))


def _folded(name: str) -> str:
    """A long name with each option of its policies in a line: it leaves room for the figure."""
    return name if len(name) <= ROOM else re.sub("[:,]| v ", r"\g<0>\n", name)


def _units(axes: Axes, unit: str, which: str) -> None:
    if unit == SHARE:
        axis = axes.xaxis if which == "x" else axes.yaxis
        axis.set_major_formatter(FuncFormatter(lambda x, place: f"{100 * x:g}%"))


def _legend(figure: Figure) -> None:
    if any(axes.get_legend_handles_labels()[1] for axes in figure.axes):
        figure.legend(loc="outside lower center", ncols=3, handlelength=1.8)


_DRAWN: dict[type, Callable[[Figure, Any], None]] = {
    Strip: _strip,
    Dots: _dots,
    Gaps: _gaps,
    Histogram: _histogram,
    Heat: _heat,
    Lines: _lines,
    Effects: _effects,
    Space: _space,
}
