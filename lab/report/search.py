"""The report on a search: what was found, whether it held on fresh games, what else was tried."""

import math
from collections.abc import Callable
from typing import Any

import polars as pl

from lab.report import pictures, sections
from lab.report.charts import Measured, Strip
from lab.report.language import heads, say
from lab.report.sections import (
    Report,
    Section,
    Table,
    changes,
    extent,
    frame,
    metric_of,
    over,
    small_print,
)
from lab.report.words import band, count, distance, label, listing, named, setting, span
from lab.sweep import Run

Writer = Callable[[Run], Section | None]


def facts(run: Run) -> Report:
    """Everything a report on this run says, in reading order."""
    written: tuple[Writer, ...] = (
        change,
        targets,
        tried,
        fewest,
        space,
        sections.matchups,
        other,
        sections.lengths,
        sections.endings,
        sections.curves,
        skills,
        sections.manifest,
        sections.assumed,
        sections.reading,
    )
    return Report(
        game=say(run.experiment.game.title),
        version=run.experiment.rules.version,
        question=say(run.experiment.question),
        status=run.confirmed["status"],
        verdict=verdict(run),
        sections=tuple(section for write in written if (section := write(run))),
    )


def verdict(run: Run) -> str:
    """The answer in one plain sentence, or two."""
    aims = run.chosen["targets"]
    games = count(fresh_games(run), "fresh game")
    changes = _changes_in_words(run)
    if pictures.is_confirmed(run) and not changes:
        return say(
            "Change nothing: the rules as they are meet every target on {games}.", games=games
        )
    if pictures.is_confirmed(run):
        return say(
            "Change {changes}. {all} held on {games} that had no part in the choice.",
            changes=listing(changes),
            all=say("The target") if len(aims) == 1 else say("All {n} targets", n=len(aims)),
            games=games,
        )
    missed = [aim for aim in aims if not aim["holds"]]
    nearest = say("is the rules as they are")
    if changes:
        nearest = say("changes {changes}", changes=listing(changes))
    return say(
        "No setting that was tried meets every target. The nearest {nearest}; on {games} it fails "
        "{missed} of {all}: {faults}.",
        nearest=nearest,
        games=games,
        missed=len(missed),
        all=len(aims),
        faults=listing([_fault(run, aim) for aim in missed]),
    )


def fresh_games(run: Run) -> int:
    """Games with which the chosen setting was confirmed: those of the target with most."""
    return max(int(aim["holdout"]["n"]) for aim in run.chosen["targets"])


def _changes_in_words(run: Run) -> list[str]:
    return [
        say(
            "{number} from {old} to {new}",
            number=label(pointer),
            old=setting(old),
            new=setting(new),
        )
        for pointer, (old, new) in run.chosen["changes"].items()
    ]


def _fault(run: Run, aim: dict[str, Any]) -> str:
    unit = metric_of(run, aim["metric"]).unit
    low, high = aim["band"]
    holdout = Measured.of(aim["holdout"])
    return say(
        "{target} (wanted {band}, found {found})",
        target=named(aim["name"]),
        band=band(low, high, unit),
        found=span(holdout.low, holdout.high, unit),
    )


# --- the change and the targets -----------------------------------------------------------------


def change(run: Run) -> Section:
    """The recommended change, old and new, with each number's sentence from the rules."""
    table = changes(run, run.chosen["changes"], (say("Was"), say("Becomes")))
    if pictures.is_confirmed(run):
        none = say("None: the rules stay as they are.")
        title, text = say("The recommended change"), "" if table.rows else none
    else:
        title, text = say("The nearest setting"), say("None came nearer than the rules.")
        if table.rows:
            text = say("Not recommended: it misses a target. It is shown because it comes nearest.")
    return Section("change", title, text, (table,) if table.rows else ())


def targets(run: Run) -> Section:
    """Each target's band, and its value before, in the search and on fresh games."""
    aims = run.chosen["targets"]
    pairs = zip(run.confirmed["baseline"]["targets"], aims, strict=True)
    strips = [_strip(run, f"target-{i}", *pair) for i, pair in enumerate(pairs, start=1)]
    rows, told = [], set()
    for strip, aim in zip(strips, aims, strict=True):
        sentence = (
            "" if aim["metric"] in told else say(metric_of(run, aim["metric"]).sentence) + " "
        )
        told.add(aim["metric"])
        rows.append(
            (
                f"{strip.title}\n{sentence}{over(aim['matchup'])}",
                band(*strip.band, strip.unit),
                small_print(strip.before, strip.unit),
                small_print(strip.search, strip.unit),
                small_print(strip.after, strip.unit),
                judgement(strip),
            )
        )
    data = [_numbers(*pair) for pair in zip(strips, aims, strict=True)]
    head = heads("Target", "Wanted", "Before", "In the search", "On fresh games", "Verdict")
    table = Table("targets", pl.DataFrame(data), head, tuple(rows), tuple(strips))
    held = sum(strip.holds for strip in strips)
    title = say("Targets met")
    if held < len(strips):
        title = say("Targets: {held} of {all} met", held=held, all=len(strips))
    text = say(
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
        title=named(aim["name"]),
        unit=metric_of(run, aim["metric"]).unit,
        band=(aim["band"][0], aim["band"][1]),
        before=Measured.of(before["holdout"]),
        search=Measured.of(aim["search"]),
        after=Measured.of(aim["holdout"]),
        holds=aim["holds"],
    )


def judgement(strip: Strip) -> str:
    """Whether it holds, in words."""
    low, high = strip.band
    if strip.holds:
        return say("Holds\nthe whole interval lies inside")
    if math.isnan(strip.after.value):
        return say("Unknown\nno game says anything about it")
    if low <= strip.after.value <= high:
        return say("Not certain\nthe interval crosses the edge of the band")
    gap = max(low - strip.after.value, strip.after.value - high)
    return say("Misses\nby {distance}", distance=distance(gap, strip.unit))


# --- the search ---------------------------------------------------------------------------------


def tried(run: Run) -> Section:
    """How many settings were tried, and how much of what the search saw was luck."""
    aim = max(run.chosen["targets"], key=_shift)
    moved = distance(abs(aim["shrinkage"] or 0), metric_of(run, aim["metric"]).unit)
    taken = say("that hold, the one with the smallest change is recommended")
    nearest = say("played again, the one that misses by least is shown")
    text = say(
        "The search tried {settings}{each}; then {best} and the rules as they are were played "
        "again on fresh games. The best of many always looks a little better than it is, because "
        "luck helped to choose it, so only the fresh games count. The largest shift between the "
        "two: {target} moved by {moved}. The distance adds up how far each value lies outside its "
        "band, in half widths of it. Of the settings {which}.",
        settings=count(run.confirmed["tried"], "setting"),
        each=_games_each(run),
        best=count(len(run.confirmed["candidates"]), "setting"),
        target=named(aim["name"]),
        moved=moved,
        which=taken if pictures.is_confirmed(run) else nearest,
    )
    rows = [_candidate(run, candidate) for candidate in run.confirmed["candidates"]]
    head = heads("Setting", "Changes", "Targets held", "Distance in the search", "On fresh games")
    table = Table("candidates", frame(head, rows), head, tuple(rows))
    return Section("tried", say("How sure this is"), text + _raised(run), (table,))


def _games_each(run: Run) -> str:
    """With how many games, where the run tells."""
    trials = run.table("trials")
    if "games" not in trials.columns:
        return ""
    return say(" with {games} games each", games=extent(trials["games"]))


def _raised(run: Run) -> str:
    """How many settings no game could be played of, and what the first of them raised."""
    trials = run.table("trials")
    if "error" not in trials.columns or not trials["error"].count():
        return ""
    first = trials.sort("number").drop_nulls("error").row(0, named=True)
    return say(
        " {settings} raised an error and took no further part; the first, no. {n}: {error}.",
        settings=count(trials["error"].count(), "setting"),
        n=first["number"],
        error=first["error"],
    )


def _shift(aim: dict[str, Any]) -> float:
    """How far a target's value moved from the search to the fresh games, in widths of its band."""
    low, high = aim["band"]
    return float(abs(aim["shrinkage"] or 0) / (high - low))


def _candidate(run: Run, candidate: dict[str, Any]) -> tuple[str, ...]:
    mark = f"\n{pictures.role(run)}" if candidate["number"] == run.confirmed["chosen"] else ""
    held = sum(aim["holds"] for aim in candidate["targets"])
    return (
        say("no. {n}", n=candidate["number"]) + mark,
        _changes(candidate) or say("none"),
        say("{held} of {all}", held=held, all=len(candidate["targets"])),
        f"{candidate['loss']:.2f}",
        f"{candidate['holdout_loss']:.2f}",
    )


def fewest(run: Run) -> Section | None:
    """What each size of change could come to."""
    rows = front(run)
    if not rows:
        return None
    text = say(
        "A small patch that does nearly as well may be the better one. Each row is the nearest to "
        "the targets of all settings that change no more; a step is the smallest change of a "
        "number that the experiment allows. The distance in the search draws on the games of "
        "neighbouring settings and counts what is in doubt; only a setting that was played again "
        "has one on fresh games."
    )
    head = heads(*FRONT)
    table = Table("fewest", frame(head, rows), head, tuple(rows))
    return Section("fewest", say("Fewest changes"), text, (table,))


FRONT = ("Setting", "Numbers", "Steps", "Changes", "Distance in the search", "On fresh games")


def front(run: Run) -> list[tuple[str, ...]]:
    """Rows of the front of fewest changes, under FRONT; none where the run is older than that."""
    every = [run.confirmed["baseline"], *run.confirmed["candidates"]]
    played = {candidate["number"]: candidate for candidate in every}
    rows: list[tuple[str, ...]] = []
    for tried in run.confirmed.get("front", []):
        again = played.get(tried["number"])
        held = f"{again['holdout_loss']:.2f}, {_held(again)}" if again else say("not played again")
        rows.append(
            (
                say("no. {n}", n=tried["number"]),
                str(len(tried["changes"])),
                f"{tried['steps']:g}",
                _changes(tried) or say("none"),
                f"{tried['expected_loss']:.2f}",
                held,
            )
        )
    return rows


def _held(candidate: dict[str, Any]) -> str:
    return say("holds") if candidate["holds"] else say("does not hold")


def _changes(candidate: dict[str, Any]) -> str:
    return "; ".join(
        f"{label(pointer)}: {setting(old)} → {setting(new)}"
        for pointer, (old, new) in candidate["changes"].items()
    )


def space(run: Run) -> Section:
    """Every setting tried."""
    chart = pictures.space(run)
    text = say(
        "Each line is one setting that was tried; it crosses each axis at its value and the last "
        "one at its distance from the targets. Strong lines came nearer; the orange one is the "
        "setting above, the dashed one the rules before."
    )
    tables = (Table("trials", run.table("trials")),)
    return Section("space", say("What was tried"), text, tables, (chart,))


def other(run: Run) -> Section | None:
    """Draws and capped games of each matchup, from the search."""
    measures = run.table("measures").filter(pl.col("trial").is_in([0, run.confirmed["chosen"]]))
    charts = pictures.draws(run)
    if not charts:
        return None
    text = say(
        "Shares of the games of the search, {games} each; the lines through the dots are 95% "
        "intervals.",
        games=extent(measures["n"]),
    )
    tables = (Table("measures", measures),)
    return Section("draws", say("Draws and capped games"), text, tables, charts)


def skills(run: Run) -> Section | None:
    """Each target at every skill of the experiment."""
    charts = pictures.skills(run)
    if not charts:
        return None
    text = say(
        "The same targets between players of different strength, from the weakest at the top. A "
        "verdict that turns with skill is a verdict about bots, not about the game."
    )
    return Section("skills", say("At different skills"), text, (), charts)
