"""The report on a sensitivity study: which numbers matter to which target, and which way."""

import math
from typing import Any

import polars as pl

from lab.jsonfile import read_object
from lab.metrics import SHARE
from lab.report import sections
from lab.report.charts import Dots, Effect, Effects, Measured
from lab.report.language import heads, say
from lab.report.sections import Report, Section, Table
from lab.report.words import amount, apart, between, count, label, listing, named, pairing
from lab.sweep import Run
from lab.sweep.design import DUMMY

Row = dict[str, Any]
STATUS = "weighed"
FACTS = "sensitivity.json"
ROLES = {
    "baseline": "the rules as they are",
    "recommended": "the recommended setting",
    "nearest": "the setting that came nearest to the targets",
}


def facts(run: Run) -> Report:
    """Everything a report on this study says, in reading order."""
    told = read_object(run.folder / FACTS)
    small = (sections.manifest(run), sections.assumed(run))
    return Report(
        game=say(run.experiment.game.title),
        version=run.experiment.rules.version,
        question=say(run.experiment.question),
        status=STATUS,
        verdict=verdict(told),
        sections=(weights(told), curves(run, told), steps(told), *filter(None, small)),
    )


def verdict(told: Row) -> str:
    """The numbers that matter, target by target."""
    found = []
    for target in told["targets"]:
        own = [row for row in _of(told, "effects", target) if row["important"]]
        own.sort(key=lambda row: -max(row["first"], row["total"]))
        names = [label(row["parameter"]) for row in own]
        what = say("{target} depends on {numbers}", target=_name(target), numbers=listing(names))
        found.append(what if own else _nothing(target))
    return say("{dependences}.", dependences="; ".join(found))


def _nothing(target: Row) -> str:
    return say("for {target} no number's share stands out from luck", target=_name(target))


def _name(target: Row) -> str:
    return named(str(target.get("name") or target["target"]))


def _over(target: Row) -> str:
    return say("{target}, over {matchup}", target=_name(target), matchup=pairing(target["matchup"]))


def _of(told: Row, table: str, target: Row) -> list[Row]:
    return [row for row in told[table] if row["target"] == target["target"]]


# --- shares of the variance ---------------------------------------------------------------------


def weights(told: Row) -> Section:
    """Every number's share in what each target varies by."""
    text = say(
        "{rows:,} settings were drawn evenly from the whole space, each played on games of its "
        "own. A share is of all that the target varied by between them: of one number by itself, "
        "and with what it does together with others. The dummy is a number that nothing depends "
        "on. A number matters if it stands out from dummies further than the luckiest of all of "
        "them does in {rest:.0%} of studies; so a study in which nothing matters says otherwise in "
        "at most {error:.0%}. Bands are 95%, each by itself; a share below 0 is luck.",
        rows=told["rows"],
        rest=1 - told["error"],
        error=told["error"],
    )
    if told["refused"]:
        text += say(
            " The rules refuse {refused:,} of the settings ({why}); shares are over the others.",
            refused=told["refused"],
            why=told["refusal"],
        )
    if told["linked"]:
        text += say(
            " {numbers} are linked: each takes what the ones before it in the experiment's file "
            "leave open, so its share is what it adds to theirs.",
            numbers=listing([label(p) for p in told["linked"]]),
        )
    tables = tuple(_weights(told, i, target) for i, target in enumerate(told["targets"], start=1))
    charts = tuple(_shares(told, i, target) for i, target in enumerate(told["targets"], start=1))
    return Section("weights", say("What matters"), text, tables, tuple(filter(None, charts)))


def _weights(told: Row, place: int, target: Row) -> Table:
    rows = _of(told, "effects", target)
    head = (_over(target), *heads(*COLUMNS[1:]))
    return Table(f"effects-{place}", pl.DataFrame(rows), head, tuple(effect_cells(rows, target)))


COLUMNS = ("Number", "By itself", "With others", "As lucky a dummy", "Matters")


def effect_cells(rows: list[Row], target: Row) -> list[tuple[str, ...]]:
    """What is said of each number, of the dummy and of noise; the second line is small print."""
    told = []
    for row in rows:
        name = say(DUMMY) if row["parameter"] == DUMMY else label(row["parameter"])
        luck = f"{row['luck']:.2g}" if row["first"] is not None else "–"
        both = _share(row, "first"), _share(row, "total")
        told.append((name, *both, luck, say("yes") if row["important"] else say("no")))
    return [*told, (say("noise of the games"), _share(target, "noise"), "–", "–", "–")]


def _share(row: Row, name: str) -> str:
    value, low, high = (
        math.nan if row[key] is None else row[key] for key in (name, f"{name}_low", f"{name}_high")
    )
    if math.isnan(value):
        return "–"
    return f"{amount(value, SHARE)}\n{between(f'{100 * low:.1f}', f'{100 * high:.1f}')}"


def _shares(told: Row, place: int, target: Row) -> Dots | None:
    rows = [row for row in _of(told, "effects", target) if row["first"] is not None]
    if not rows:
        return None
    return Dots(
        f"shares-{place}",
        say("What {target} varies by", target=_name(target)),
        SHARE,
        tuple(say(DUMMY) if r["parameter"] == DUMMY else label(r["parameter"]) for r in rows),
        tuple(_drawn(row, "first") for row in rows),
        tuple(_drawn(row, "total") for row in rows),
        axis=say("share of the variance"),
        series=(say("by itself"), say("with others")),
    )


def _drawn(row: Row, name: str) -> Measured:
    """A share as it is drawn, from 0 on; the dummy has none with others."""
    ends = (row[key] for key in (name, f"{name}_low", f"{name}_high"))
    value, low, high = (max(0.0 if x is None else x, 0.0) for x in ends)
    return Measured(value, low, high, 0, 0, 0)


# --- effects and steps --------------------------------------------------------------------------


def curves(run: Run, told: Row) -> Section:
    """What every target comes to at each value of each number."""
    text = say(
        "Means over all settings of the design that have a value, whatever the other numbers are, "
        "with 95% intervals. Blue where the number matters; the green band is what was wanted."
    )
    charts = tuple(
        Effects(
            f"moved-{place}",
            _over(target),
            target["unit"],
            aim.band,
            tuple(_panels(told, target)),
        )
        for place, (target, aim) in enumerate(
            zip(told["targets"], run.experiment.targets, strict=True), start=1
        )
        if target["rows"]
    )
    return Section(
        "curves", say("Which way"), text, (Table("curves", run.table("curves")),), charts
    )


def _panels(told: Row, target: Row) -> list[Effect]:
    points = _of(told, "curves", target)
    return [
        Effect(
            label(row["parameter"]),
            tuple(p["setting"] for p in points if p["parameter"] == row["parameter"]),
            tuple(Measured.of(p) for p in points if p["parameter"] == row["parameter"]),
            row["important"],
        )
        for row in _of(told, "effects", target)
        if row["parameter"] != DUMMY
    ]


def steps(told: Row) -> Section:
    """What one step of each number does, from one setting."""
    text = say(
        "From {setting}, one number at a time, one step each way, on the same games as the setting "
        "itself. The interval is 95% and of this difference alone; the verdict is by Holm over all "
        "the differences together, so that any is wrong in at most 1 of 20 such studies.",
        setting=say(ROLES[told["at"]["role"]]),
    )
    if told["left_out"]:
        out = [f"{label(row['parameter'])} = {row['new']}" for row in told["left_out"]]
        text += say(
            " Left out: {settings}, which the rules or a link do not allow.", settings=listing(out)
        )
    tables = tuple(
        Table(f"steps-{place}", pl.DataFrame(rows), _step_head(target), tuple(step_cells(rows)))
        for place, target in enumerate(told["targets"], start=1)
        if (rows := _of(told, "deviations", target))
    )
    return Section("steps", say("One step away"), text, tables)


def _step_head(target: Row) -> tuple[str, ...]:
    return _over(target), *heads(*STEP_COLUMNS[1:])


STEP_COLUMNS = ("Number", "Step", "Difference", "p by Holm", "Verdict")


def step_cells(rows: list[Row]) -> list[tuple[str, ...]]:
    """What is said of each step; the second line is small print."""
    told: list[tuple[str, ...]] = []
    for row in rows:
        found, unit = Measured.of(row), row["unit"]
        interval = between(apart(found.low, unit), apart(found.high, unit))
        difference = f"{apart(found.value, unit)}\n{interval}, n = {found.n:,}"
        moved = f"{row['old']} → {row['new']}"
        chance, verdict = _chance(row["adjusted"]), say(row["verdict"])
        told.append((label(row["parameter"]), moved, difference, chance, verdict))
    return told


def _chance(p: float) -> str:
    """A p-value; one too small for its figure to mean anything is bounded, never called 0."""
    return f"{p:.2g}" if p >= 0.0001 else "< 0.0001"


def summary(told: Row) -> str:
    """How it was asked, in a line."""
    asked = count(told["rows"], "setting")
    setting = say(ROLES[told["at"]["role"]])
    return say("{settings} of the space, steps from {setting}", settings=asked, setting=setting)
