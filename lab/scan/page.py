"""What a scan found, in words, tables and charts; for the terminal and as a page in a folder."""

import math
from collections.abc import Iterator
from pathlib import Path

from lab.document import field_info
from lab.errors import write_atomic, write_text
from lab.experiment import ANYWHERE, Target
from lab.jsonfile import shown
from lab.metrics import SHARE
from lab.report import markdown
from lab.report.charts import Chart, Effect, Effects, Heat, Measured
from lab.report.figures import draw
from lab.report.sections import Report, Section, Table
from lab.report.words import amount, band, count, label, listing, setting, span
from lab.scan import Row, Scan, Worth
from lab.stats.estimate import Estimate

NAME = "vary"
OWN = "the rules' own"
STATUS = "a scan"


# --- words --------------------------------------------------------------------------------------


def gap(e: Estimate | None, unit: str) -> str:
    """A difference and its interval, `+1.24 (+0.98 to +1.50)`, of a share in points.

    One digit of the half width is shown, and at least tenths.
    """
    if e is None or math.isnan(e.value):
        return "–"
    scale = 100 if unit == SHARE else 1
    half = scale * (e.high - e.low) / 2
    digits = max(1, min(6, -math.floor(math.log10(half)))) if 0 < half < math.inf else 1
    rounded = (round(scale * x, digits) + 0.0 for x in (e.value, e.low, e.high))  # no -0.0
    value, low, high = (f"{x:+.{digits}f}" for x in rounded)
    return f"{value} ({low} to {high})"


def _points(unit: str) -> str:
    return "points" if unit == SHARE else unit


def _targets(scan: Scan) -> tuple[Target, ...]:
    return scan.question.experiment.targets


def title(scan: Scan, target: Target) -> str:
    """A target's name, over what it is measured, and what is wanted."""
    wanted = ""
    if target.band != ANYWHERE:
        wanted = f", wanted {band(*target.band, scan.unit(target))}"
    return f"{target.name}, {target.matchup}{wanted}"


def worths(scan: Scan, target: Target) -> Iterator[str]:
    """What one unit more is worth in a target, a line a number."""
    for one in scan.worths:
        if one.target is target:
            yield f"One more of {_number(scan, one.pointer)}: {_worth(one)}."


def summary(scan: Scan) -> Iterator[str]:
    """The same of all targets, a sentence a number."""
    for pointer in scan.question.slopes:
        told = [
            f"{_worth(one)} of {one.target.name} ({one.target.matchup})"
            for one in scan.worths
            if one.pointer == pointer
        ]
        if told:
            yield f"One more of {_number(scan, pointer)} is worth {listing(told)}."


def _worth(one: Worth) -> str:
    return f"{gap(one.found, one.unit)} {_points(one.unit)}"


def _number(scan: Scan, pointer: str) -> str:
    """`start resources no. 2 (resources), 3 to 7`."""
    values = [scan.question.settings[place][pointer] for place in scan.question.slopes[pointer][0]]
    _, unit = field_info(scan.question.experiment.game.document, pointer)
    reach = f"{setting(min(values))} to {setting(max(values))}"
    return f"{label(pointer)}{f' ({unit})' if unit else ''}, {reach}"


def holds(scan: Scan) -> Iterator[str]:
    """Where every target holds, and where all of them do."""
    wanted = [target for target in _targets(scan) if target.band != ANYWHERE]
    for target in wanted:
        found = {
            verdict: [_setting(row) for row in _rows(scan, target) if row.verdict == verdict]
            for verdict in ("holds", "broken", "undecided")
        }
        told = [f"{verdict} at {listing(at)}" for verdict, at in found.items() if at]
        yield f"{title(scan, target)}: {'; '.join(told)}."
    if wanted[1:]:
        kept = [{_setting(r) for r in _rows(scan, t) if r.verdict == "holds"} for t in wanted]
        every = [_setting(row) for row in _rows(scan, wanted[0])]
        at = [one for one in every if all(one in each for each in kept)]
        yield f"All {len(wanted)} targets hold at {listing(at) if at else 'none of the settings'}."


def _rows(scan: Scan, target: Target) -> list[Row]:
    return [row for row in scan.rows if row.target is target]


def _setting(row: Row) -> str:
    """`5`, of two numbers `(5, on)`."""
    told = ", ".join(map(setting, row.setting.values()))
    return f"({told})" if len(row.setting) > 1 else told


def below(scan: Scan, target: Target) -> Iterator[str]:
    """What belongs under a target's table: the rules' own beside a grid, worths, a warning."""
    if note := outside(scan, target):
        yield note
    yield from worths(scan, target)
    worse = [row for row in _rows(scan, target) if row.ratio < 0.995]  # 1.00 is not below 1
    if worse:
        told = listing([f"{_setting(row)} ({row.ratio:.2f})" for row in worse])
        yield (
            f"Variance ratio below 1 at {told}: sharing chance widens that difference;"
            " lab compare plays games of their own."
        )


def reading(scan: Scan) -> Iterator[str]:
    """How the games were played, what the intervals are, and what a scan is not."""
    question = scan.question
    rules, asked = question.experiment.rules, question.experiment
    each = sorted(set(question.games.values()))
    games = count(each[0], "game") if len(each) == 1 else f"{each[0]:,} to {each[-1]:,} games"
    yield (
        f"{rules.game} {rules.version} {rules.fingerprint}, seed {question.bank},"
        f" {games} a setting and pairing, on the same seeds for all settings."
    )
    yield (
        f"Intervals are {100 * question.confidence:.4g} % each, so that all of them"
        f" ({question.intervals:,}) hold at once with 95 % (Bonferroni)."
    )
    name = "EXPERIMENT.toml" if question.source is None else str(question.source)
    changes = {p: shown(v).strip('"') for p, v in rules.changes.items() if p not in question.own}
    at = (changes | dict.fromkeys(question.own, "V")).items()
    sets = " ".join(f"--set {pointer}={value}" for pointer, value in at)
    fresh = f"lab verify {asked.game.name} --targets {name} {sets}"
    yield (
        f"A scan: {count(len(scan.played), 'setting')} met the same games, so none is"
        f" recommended by them. Confirm one on fresh games: {fresh}; or search: lab sweep {name}."
    )


# --- tables -------------------------------------------------------------------------------------


def tables(scan: Scan) -> list[Table]:
    """One a target, `scan.frame()` behind it."""
    made = _line if len(scan.question.dimensions) == 1 else _grid
    frame = scan.frame()
    return [Table(NAME, frame, *made(scan, target)) for target in _targets(scan)]


def _line(scan: Scan, target: Target) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """A row a value."""
    (one,) = scan.question.dimensions
    unit, steps = scan.unit(target), bool(scan.question.steps)
    wanted = target.band != ANYWHERE
    own = setting(scan.question.own[one.pointer])
    points = _points(unit)
    head = (
        one.pointer,
        target.name,
        "interval",
        "n",
        f"against {own}, {points}",
        *([f"one more, {points}"] if steps else []),
        *(["target"] if wanted else []),
    )
    rows = []
    for row in _rows(scan, target):
        e = row.value
        cells = (amount(e.value, unit), span(e.low, e.high, unit) if e.n else "–", _counts(e))
        rows.append(
            (
                setting(row.setting[one.pointer]) + (" *" if row.own else ""),
                *cells,
                gap(row.apart, unit),
                *([gap(row.step, unit)] if steps else []),
                *([row.verdict or ""] if wanted else []),
            )
        )
    return head, tuple(rows)


def _counts(e: Estimate) -> str:
    """n, and behind it what the interval counts where those are fewer."""
    few = [f"{e.distinct:,} distinct"] if e.distinct < e.n else []
    few += [f"{e.clusters:,} clusters"] if e.clusters < e.distinct else []
    return f"{e.n:,}{f' ({listing(few)})' if few else ''}"


def _grid(scan: Scan, target: Target) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """A row a value of the first number, a column a value of the second."""
    unit = scan.unit(target)
    one, other = scan.question.dimensions
    found = cells(scan, target)
    names, columns = axes(scan)
    rows = []
    for value, name in zip(one.values, names, strict=True):
        row = [found.get((value, second)) for second in other.values]
        rows.append((name, *(_cell(each, unit) for each in row)))
    return (f"{one.pointer} by {other.pointer}", *columns), tuple(rows)


def cells(scan: Scan, target: Target) -> dict[tuple[object, ...], Row]:
    """A target's rows by the values of their setting."""
    return {tuple(row.setting.values()): row for row in _rows(scan, target)}


def axes(scan: Scan) -> tuple[list[str], list[str]]:
    """What the rows and the columns of a grid are called; the rules' own have a star."""
    found = [
        [
            setting(value) + (" *" if value == scan.question.own[one.pointer] else "")
            for value in one.values
        ]
        for one in scan.question.dimensions
    ]
    return found[0], found[1]


def _cell(row: Row | None, unit: str) -> str:
    if row is None:
        return "–"
    e = row.value
    ends = span(e.low, e.high, unit)
    return f"{amount(e.value, unit)}\n{ends}" + (f"\n{row.verdict}" if row.verdict else "")


def outside(scan: Scan, target: Target) -> str:
    """The rules' own value where it lies in no cell of the grid."""
    row = next((row for row in _rows(scan, target) if row.own), None)
    own = scan.question.own
    inside = all(own[one.pointer] in one.values for one in scan.question.dimensions)
    if row is None or len(own) == 1 or inside:
        return ""
    told = _cell(row, scan.unit(target)).replace("\n", ", ")
    return f"{OWN[0].upper()}{OWN[1:]}, {_setting(row)}: {told}."


# --- charts -------------------------------------------------------------------------------------


def charts(scan: Scan) -> tuple[Chart, ...]:
    """Of one number a chart a metric and band, a panel a matchup; of two a heat map a target."""
    if len(scan.question.dimensions) == 2:
        return tuple(_heat(scan, i, t) for i, t in enumerate(_targets(scan), start=1))
    groups: dict[tuple[str, tuple[float, float]], list[Target]] = {}
    for target in _targets(scan):
        groups.setdefault((target.metric, target.band), []).append(target)
    return tuple(_lines(scan, i, g) for i, g in enumerate(groups.values(), start=1))


def _lines(scan: Scan, place: int, group: list[Target]) -> Effects:
    (one,) = scan.question.dimensions
    target, unit = group[0], scan.unit(group[0])
    wanted = None if target.band == ANYWHERE else target.band
    name = target.metric.replace("_", " ").capitalize()
    told = f"{name}, wanted {band(*wanted, unit)}" if wanted else name
    panels = tuple(_panel(scan, each) for each in group)
    _, noun = field_info(scan.question.experiment.game.document, one.pointer)
    axis = f"{label(one.pointer)}{f', {noun}' if noun else ''}"
    return Effects(f"{NAME}-{place}", told, unit, wanted, panels, axis)


def _panel(scan: Scan, target: Target) -> Effect:
    (one,) = scan.question.dimensions
    rows = _rows(scan, target)
    values = [row.setting[one.pointer] for row in rows]
    numbers = one.pointer in scan.question.slopes
    moves = [row.apart for row in rows] + [w.found for w in scan.worths if w.target is target]
    clear = any(e is not None and (e.low > 0 or e.high < 0) for e in moves)
    return Effect(
        target.matchup if target.name == target.metric else target.name,
        tuple(map(setting, values)),
        tuple(_measured(row.value) for row in rows),
        clear,
        tuple(map(float, values)) if numbers else (),
        next((place for place, row in enumerate(rows) if row.own), None),
    )


def _measured(e: Estimate) -> Measured:
    return Measured(e.value, e.low, e.high, e.n, e.distinct, e.clusters)


def _heat(scan: Scan, place: int, target: Target) -> Heat:
    one, other = scan.question.dimensions
    found, unit = cells(scan, target), scan.unit(target)
    rows = [[found.get((a, b)) for b in other.values] for a in one.values]
    values = tuple(tuple(row.value.value if row else math.nan for row in each) for each in rows)
    margins = tuple(
        tuple((row.value.high - row.value.low) / 2 if row else math.nan for row in each)
        for each in rows
    )
    own = tuple(scan.question.own.values())
    inside = own[0] in one.values and own[1] in other.values
    names, columns = axes(scan)
    return Heat(
        f"{NAME}-{place}",
        title(scan, target),
        tuple(names),
        tuple(columns),
        values,
        margins,
        (label(one.pointer), label(other.pointer)),
        unit,
        _scale(scan, target, values),
        1,
        (one.values.index(own[0]), other.values.index(own[1])) if inside else None,
    )


def _scale(
    scan: Scan, target: Target, values: tuple[tuple[float, ...], ...]
) -> tuple[float, float]:
    """As far to either side of the middle as any value is from it.

    The middle is the band's, else one half for a score, else that of the values.
    """
    known = [value for each in values for value in each if not math.isnan(value)] or [0.0]
    middle = (min(known) + max(known)) / 2
    if target.band != ANYWHERE:
        middle = sum(target.band) / 2
    elif target.metric == "first_score":
        middle = 0.5
    reach = max(abs(value - middle) for value in known) or 1.0
    return middle - reach, middle + reach


# --- the page -----------------------------------------------------------------------------------


def facts(scan: Scan) -> Report:
    """Everything the page says."""
    asked = scan.question.experiment
    names = listing([label(one.pointer) for one in scan.question.dimensions])
    told = [*summary(scan), *holds(scan)]
    targets = []
    for place, (target, table) in enumerate(zip(_targets(scan), tables(scan), strict=True)):
        text = [*([f"A star marks {OWN}."] if place == 0 else []), *below(scan, target)]
        targets.append(Section(f"target-{place}", title(scan, target), " ".join(text), (table,)))
    figures = Section("figures", "In pictures", _legend(scan), (), charts(scan))
    return Report(
        game=asked.game.title,
        version=asked.rules.version,
        question=asked.question or f"What does {names} do?",
        status=STATUS,
        verdict=" ".join(told),
        sections=(*targets, figures, Section("reading", "How to read this", _joined(scan))),
    )


def _legend(scan: Scan) -> str:
    if len(scan.question.dimensions) == 2:
        return f"The framed cell is {OWN}; small figures are half the width of the interval."
    return f"Hollow: {OWN}. Blue where something clearly moves; green is what is wanted."


def _joined(scan: Scan) -> str:
    stopped = [f"Stopped after {count(len(scan.played), 'setting')}."] if scan.stopped else []
    return " ".join([*stopped, *reading(scan)])


def write(scan: Scan, folder: Path) -> Path:
    """vary.parquet, vary.csv, vary-*.svg and vary.md, whose path it returns."""
    frame = scan.frame()
    write_atomic(folder / f"{NAME}.parquet", frame.write_parquet)
    write_atomic(folder / f"{NAME}.csv", frame.write_csv)
    for chart in charts(scan):
        write_text(folder / f"{chart.name}.svg", draw(chart))
    page = folder / f"{NAME}.md"
    write_text(page, markdown.render(facts(scan), ".", "."))
    return page
