"""The verb that says what an edit of the rules does, and whether guards still hold."""

import math
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Exit, Option

from lab.cli.options import (
    AsJson,
    Dask,
    First,
    GameName,
    Games,
    Jobs,
    Second,
    Seed,
    read_games,
    read_rules,
)
from lab.cli.show import about, print_json, print_table, said
from lab.cli.watch import Watch, announce_compiling

if TYPE_CHECKING:
    from lab.comparison import Compared, Comparison
    from lab.comparison.guards import Judged
    from lab.rules import Rules

STATUS = {"broken": 1, "undecided": 4}  # else 0
POINTER = "/POINTER=VALUE"


def compare(
    game: GameName,
    a: Annotated[str, Argument(metavar="A", help="A version, or a .json file.")],
    b: Annotated[str, Argument(metavar="B", help="What it is held against.")],
    set_a: Annotated[
        list[str] | None, Option(metavar=POINTER, help="Another number of A; repeatable.")
    ] = None,
    set_b: Annotated[
        list[str] | None, Option(metavar=POINTER, help="Another number of B; repeatable.")
    ] = None,
    first: First = None,
    second: Second = None,
    games: Games = "1000",
    seed: Seed = 0,
    jobs: Jobs = 1,
    dask: Dask = None,
    guard: Annotated[
        list[str] | None,
        Option(
            metavar="METRIC<=X",
            help="What B keeps to, as draw<=5%, or its distance from A, as length:difference>=-2;"
            " repeatable.",
        ),
    ] = None,
    targets: Annotated[
        Path | None,
        Option(metavar="EXPERIMENT.toml", help="Also its targets, played by B as it stands."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Play two rule sets on the same seeds and say what differs.

    Every difference is over pairs of games and has its 95 % interval, and how many times the games
    the pairing was worth. Where that is below 1, A is played again on seeds of its own. Exit
    status: 1 when a guard or a target is broken with 95 % confidence over all of them together, 4
    when one is undecided, else 0.
    """
    from lab.cluster import playing_on
    from lab.comparison import guards, play

    sides = read_rules(game, a, set_a), read_rules(game, b, set_b)
    wanted = read_games(games)
    kept = guards.read_guards(guard or [], *sides)
    experiment = None if targets is None else guards.read_targets(targets, sides[1])
    announce_compiling()
    with playing_on(dask, jobs) as cores, Watch("games") as watch:
        played = play(*sides, first, second, wanted, seed, cores, watch)
        judged = guards.judge(played, kept, experiment, cores, watch)
    confidence = guards.shared(kept, experiment)
    if json:
        print_json(_plain(played) | {"guards": [_judgement(one) for one in judged]})
    else:
        _print(played)
        if judged:
            _print_judged(judged, confidence)
    verdicts = {one.verdict for one in judged}
    for verdict, status in STATUS.items():
        if verdict in verdicts:
            raise Exit(status)


# --- JSON ---------------------------------------------------------------------------------------


def _plain(played: "Comparison") -> dict[str, Any]:
    sides = {"a": played.a, "b": played.b}
    return {name: about(side) | {"changes": dict(side.changes)} for name, side in sides.items()} | {
        "first": played.first,
        "second": played.second,
        "games": said(played.games),  # type: ignore[arg-type]
        "seed": played.seed,
        "own_seed": str(played.own_seed),  # a JSON number may not hold it
        "metrics": {row.metric.name: _row(row) for row in played.rows},
        "left_out": played.left_out,
    }


def _row(row: "Compared") -> dict[str, Any]:
    return {
        "a": row.a.value,
        "b": row.b.value,
        "difference": {"value": row.value, "low": row.low, "high": row.high},
        "n": row.n,
        "variance_ratio": row.ratio,
        "paired": row.paired,
    }


def _judgement(one: "Judged") -> dict[str, Any]:
    keys = ("name", "value", "low", "high", "n", "verdict")
    return {key: getattr(one, key) for key in keys} | {"band": list(one.band)}


# --- the terminal -------------------------------------------------------------------------------


def _print(played: "Comparison") -> None:
    from lab.report.words import amount, apart

    def cells(row: "Compared") -> tuple[str, ...]:
        unit = row.metric.unit
        return (
            row.metric.name,
            *(amount(side.value, unit) for side in (row.a, row.b)),
            apart(row.value, unit),
            f"{apart(row.low, unit)} to {apart(row.high, unit)}",
            f"{row.n:,}",
            ("–" if math.isnan(row.ratio) else f"{row.ratio:.2f}")
            + ("" if row.paired else ", own seeds"),
        )

    head = ("metric", ">a", ">b", ">b - a", "95 % interval", ">n", "variance ratio")
    print_table(head, map(cells, played.rows))
    for name, side in (("a", played.a), ("b", played.b)):
        print(f"{name}: {_side(side)}")
    print(f"{played.first} against {played.second}, seed {played.seed}")
    if played.left_out:
        print(f"left out, as a side says nothing of them: {', '.join(played.left_out)}")
    print(_worth(played))


def _side(rules: "Rules") -> str:
    from lab.jsonfile import shown

    changes = "".join(f" {pointer}={shown(value)}" for pointer, value in rules.changes.items())
    return f"{rules.game} {rules.version}{changes} {rules.fingerprint}"


def _worth(played: "Comparison") -> str:
    """What the pairing was worth, in words."""
    known = sorted((row.ratio, row.metric.name) for row in played.rows if row.ratio > 0)
    if not known:
        return "No pair of games differs in what is measured."
    middle, ends = median(ratio for ratio, _ in known), (known[0], known[-1])
    told = " to ".join(f"{ratio:.2f} ({name})" for ratio, name in ends)
    line = f"Pairing was worth {middle:.2f} times the games at the median metric, {told}."
    worse = [row.metric.name for row in played.rows if not row.paired]
    if not worse:
        return line
    alone = f"a was played on seeds of its own (seed {played.own_seed})"
    return f"{line}\nBelow 1, where {alone}: {', '.join(worse)}."


def _print_judged(judged: "list[Judged]", confidence: float) -> None:
    from lab.report.words import amount, apart, count

    def cells(one: "Judged") -> tuple[str, ...]:
        word = apart if one.apart else amount
        value, low, high = (word(x, one.unit) for x in (one.value, one.low, one.high))
        interval = f"{low} to {high}" if one.n else "–"
        return one.name, _wanted(one), value, interval, f"{one.n:,}", one.verdict

    print()
    percent = f"{100 * confidence:.4g} %"
    head = ("guard", "wanted", ">found", f"{percent} interval", ">n", "verdict")
    print_table(head, map(cells, judged))
    if len(judged) > 1:
        each = f"intervals of {percent} each, which hold all at once with 95 % (Bonferroni)"
        print(f"{count(len(judged), 'guard')}: {each}")


def _wanted(one: "Judged") -> str:
    """The band: `at most 5%`, `48% to 52%`, `at least -2 rounds`."""
    from lab.metrics import SHARE

    scale, sign = (100, "%") if one.unit == SHARE else (1, f" {one.unit}")
    sign = " points" if one.unit == SHARE and one.apart else sign
    low, high = (f"{scale * x:g}{sign}" for x in one.band)
    if math.isinf(one.band[0]):
        return f"at most {high}"
    return f"at least {low}" if math.isinf(one.band[1]) else f"{low} to {high}"
