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
    """How many sentences hold, fail, and are left undecided, and how many depend on who plays."""
    found: dict[str, set[str]] = {}
    for row in run.confirmed["claims"]:
        found.setdefault(row["say"], set()).add(row["verdict"])
    every = [_judged(words) for words in found.values()]
    told = [say(words, n=every.count(word)) for word, words in _COUNTED if word in every]
    claims = count(len(every), "claim")
    return say("Of {claims} {verdicts}.", claims=claims, verdicts=listing(told))


_COUNTED = (
    ("holds", "{n} hold"),
    ("fails", "{n} fail"),
    ("mixed", "{n} depend on who plays"),
    ("undecided", "{n} are undecided"),
)


def _judged(words: set[str]) -> str:
    """What several skills say together: of those that do not tell, nothing."""
    told = words - {"undecided"} or words
    return told.pop() if len(told) == 1 else "mixed"


def claims(run: Run) -> Section:
    """Every claim with both sides and the paired difference."""
    rows: list[Row] = run.confirmed["claims"]
    head = heads("Claim", "Who shows it", "Against", "Difference", "Verdict")
    text = say(
        "Both sides of a claim played the same seeds; the difference is between games in pairs. A "
        "claim holds only when the whole interval lies on its side of 0, and fails when the whole "
        "interval lies on the other; the intervals are so wide that all of them together are wrong "
        "in at most 1 of 20 such studies. A claim at several skills holds or fails where all those "
        "that are decided agree. Without the shared chance, as many times as many games as the "
        "small print says would have been needed for it."
    )
    before = ["", *(row["say"] for row in rows)]
    told = tuple(_cells(row, row["say"] == last) for row, last in zip(rows, before, strict=False))
    table = Table("claims", _numbers(rows), head, told)
    return Section("claims", say("What holds"), text, (table,), tuple(_charts(run)))


def _cells(row: Row, again: bool) -> tuple[str, ...]:
    """A row of the table; a sentence that is told `again`, at the next skill, is not repeated."""
    unit, metric = row["unit"], named(row["metric"])
    found = Measured.of(row["difference"])
    interval = between(apart(found.low, unit), apart(found.high, unit))
    played = [Measured.of(found) for found in row["values"]]
    side, against = (f"\n{small_print(found, unit)}" if found.n else "" for found in played)
    gain = row["gain"]
    helped = ""
    if gain is not None:
        helped = "\n" + say("pairs worth {gain:.1f} times the games", gain=gain)
        helped += say(": here they cost more than they gave") if round(gain, 1) < 1 else ""
    wanted = say("{metric}: more is claimed.", metric=metric)
    if row["wanted"] == "less":
        wanted = say("{metric}: less is claimed.", metric=metric)
    return (
        "" if again else f"{say(row['say'])}\n{wanted}",
        f"{pairing(row['side'])}{side}",
        f"{pairing(row['against'])}{against}",
        f"{apart(found.value, unit)}\n{interval}{helped}",
        say(row["verdict"].capitalize()),
    )


def _numbers(rows: list[Row]) -> pl.DataFrame:
    """The claims as a CSV file has them."""
    words = ("say", "skill", "metric", "unit", "wanted", "side", "against", "gain", "verdict")
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
            tuple(_told(row) for row in rows),
            tuple(_claimed(row) for row in rows),
            tuple(row["verdict"] for row in rows),
        )
        for place, (unit, rows) in enumerate(groups.items(), start=1)
    ]


def _told(row: Row) -> str:
    return f"{say(row['say'])} ({row['skill']})" if row["skill"] else say(row["say"])


def _claimed(row: Row) -> Measured:
    """The difference, turned over where less is claimed."""
    found = Measured.of(row["difference"])
    if row["wanted"] == "more":
        return found
    ends = -found.value, -found.high, -found.low
    return Measured(*ends, n=found.n, distinct=found.distinct, clusters=found.clusters)
