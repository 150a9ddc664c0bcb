"""The report on claims: what was said, what the games say, and how sure that is."""

import math
from typing import Any

import polars as pl

from lab.report import sections
from lab.report.charts import Gaps, Measured
from lab.report.language import heads, say
from lab.report.sections import Report, Section, Table, small_print
from lab.report.words import apart, between, count, listing, named, pairing
from lab.sweep import Run

Row = dict[str, Any]
"""One of the claims in confirm.json."""


def facts(run: Run) -> Report:
    """Everything a report on these claims says, in reading order."""
    small = (sections.manifest(run), sections.assumed(run), sections.reading(run))
    return Report(
        game=say(run.experiment.game.title),
        version=run.experiment.rules.version,
        question=say(run.experiment.question),
        status=run.confirmed["status"],
        verdict=verdict(run),
        sections=(claims(run), *filter(None, small)),
    )


def verdict(run: Run) -> str:
    """How many claims hold, fail, and are left undecided."""
    rows: list[Row] = run.confirmed["claims"]
    found = [row["verdict"] for row in rows]
    counted = {"holds": "{n} hold", "fails": "{n} fail", "undecided": "{n} are undecided"}
    told = [say(words, n=found.count(word)) for word, words in counted.items() if word in found]
    claims = count(len(rows), "claim")
    return say("Of {claims} {verdicts}.", claims=claims, verdicts=listing(told))


def claims(run: Run) -> Section:
    """Every claim with both sides and the paired difference."""
    rows: list[Row] = run.confirmed["claims"]
    head = heads("Claim", "Who shows it", "Against", "Difference", "Verdict")
    text = say(
        "Both sides of a claim played the same seeds; the difference is between games in pairs. A "
        "claim holds only when the whole interval lies on its side of 0, and fails when the whole "
        "interval lies on the other; the intervals are so wide that all of them together are wrong "
        "in at most 1 of 20 such studies. Without the shared chance, as many times as many games "
        "as the small print says would have been needed for it."
    )
    told = tuple(_cells(row) for row in rows)
    table = Table("claims", _numbers(rows), head, told)
    return Section("claims", say("What holds"), text, (table,), tuple(_charts(run)))


def _cells(row: Row) -> tuple[str, ...]:
    unit, metric = row["unit"], named(row["metric"])
    found = Measured.of(row["difference"])
    interval = between(apart(found.low, unit), apart(found.high, unit))
    side, against = (small_print(Measured.of(found), unit) for found in row["values"])
    gain = row["gain"]
    helped = ""
    if gain is not None:
        helped = "\n" + say("pairs worth {gain:.1f} times the games", gain=gain)
        helped += say(": here they cost more than they gave") if gain < 1 else ""
    wanted = say("{metric}: more is claimed.", metric=metric)
    if row["wanted"] == "less":
        wanted = say("{metric}: less is claimed.", metric=metric)
    return (
        f"{say(row['say'])}\n{wanted}",
        f"{pairing(row['side'])}\n{side}",
        f"{pairing(row['against'])}\n{against}",
        f"{apart(found.value, unit)}\n{interval}{helped}",
        say(row["verdict"].capitalize()),
    )


def _numbers(rows: list[Row]) -> pl.DataFrame:
    """The claims as a CSV file has them."""
    words = ("say", "metric", "unit", "wanted", "side", "against", "gain", "verdict")
    return pl.DataFrame(
        [
            {key: row[key] for key in words}
            | {f"side_{key}": value for key, value in row["values"][0].items()}
            | {f"against_{key}": value for key, value in row["values"][1].items()}
            | {f"difference_{key}": value for key, value in row["difference"].items()}
            for row in rows
        ],
        infer_schema_length=None,
    )


def _charts(run: Run) -> list[Gaps]:
    """A picture of the intervals for each unit, the claim's own side to the right."""
    groups: dict[str, list[Row]] = {}
    for row in run.confirmed["claims"]:
        if not math.isnan(Measured.of(row["difference"]).low):
            groups.setdefault(row["unit"], []).append(row)
    return [
        Gaps(
            f"claims-{place}",
            say("What lies between both sides"),
            unit,
            tuple(say(row["say"]) for row in rows),
            tuple(_claimed(row) for row in rows),
            tuple(row["verdict"] for row in rows),
        )
        for place, (unit, rows) in enumerate(groups.items(), start=1)
    ]


def _claimed(row: Row) -> Measured:
    """The difference, turned over where less is claimed."""
    found = Measured.of(row["difference"])
    if row["wanted"] == "more":
        return found
    ends = -found.value, -found.high, -found.low
    return Measured(*ends, n=found.n, distinct=found.distinct, clusters=found.clusters)
