"""Verbs about the field: who plays out there."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from lab.cli.options import AsJson, Jobs, Seed, within
from lab.cli.show import about, print_json, print_table
from lab.cli.watch import Watch, announce_compiling
from lab.errors import write_text

if TYPE_CHECKING:
    from lab.field.fit import Fit

Names = list[str] | None


def fit(
    rows: Annotated[
        Path, Argument(metavar="FILE", help="Games as replay measure or simulate --out wrote them.")
    ],
    out: Annotated[Path, Option(metavar="FILE", help="The field, a .toml file.")],
    rules: Annotated[
        str | None,
        Option(metavar="V|FILE", help="A version or a .json file, else what FILE says of itself."),
    ] = None,
    policy: Annotated[
        Names, Option(metavar="POLICY", help="Who may be in it, repeatable; else all with a plan.")
    ] = None,
    metric: Annotated[
        Names, Option(metavar="METRIC", help="What counts, repeatable; else all that games have.")
    ] = None,
    games: Annotated[
        int,
        Option(metavar="N", callback=within("games", 10, 10**6), help="Games of each pairing."),
    ] = 1000,
    seed: Seed = 0,
    jobs: Jobs = 1,
    json: AsJson = False,
) -> None:
    """Weigh our players so that their mix is nearest to real games.

    The columns say of which game the rows are. Every player meets every other in both seats, and
    itself; the weights are those whose mix has the means of the rows, as nearly as a mix can. What
    it misses is printed and kept in the file, which an experiment takes as a matchup's `field`.
    """
    from lab.errors import bad
    from lab.field.fit import fit as find
    from lab.field.rows import read_rows
    from lab.field.text import toml

    if out.suffix != ".toml":
        raise bad(str(out), f"suffix {out.suffix!r}", "a file that ends in .toml")
    real = read_rows(rows, rules)
    announce_compiling()
    with Watch("games") as watch:
        found = find(real, policy, metric, games, seed, jobs, watch)
    write_text(out, toml(found))
    if json:
        print_json(_facts(found))
    else:
        _print(found)
        on_maps = f" on {found.clusters:,} maps" if "map_seed" in real.frame.columns else ""
        print(f"{out}: the field of {real.frame.height:,} games{on_maps}")


def _print(found: "Fit") -> None:
    print_table(
        ("policy", ">weight", ">95 %"),
        [
            (name, f"{100 * weight:.1f}%", _span(*found.intervals[name]))
            for name, weight in found.weights.items()
        ],
    )
    print()
    print_table(
        ("metric", ">rows", ">mix", ">standard errors", ">at best"),
        [
            (
                one.metric.name,
                _amount(one.real, one.metric.unit),
                _amount(one.mix, one.metric.unit),
                f"{one.errors:+.1f}",
                f"{one.least:+.1f}" if one.least != one.errors else "",
            )
            for one in found.misfits
        ],
    )
    print()
    for line in _said(found):
        print(line)


def _amount(value: float, unit: str) -> str:
    """Three digits behind the point: few starve, and gold runs into thousands."""
    return f"{100 * value:.1f}%" if unit == "share" else f"{value:,.3f} {unit}"


def _span(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _said(found: "Fit") -> Sequence[str]:
    """What the misfits mean."""
    from lab.field.fit import FAR

    missed = [one.metric.name for one in found.misfits if abs(one.errors) > FAR and not one.beyond]
    beyond = [one.metric.name for one in found.misfits if one.beyond]
    lines = [
        f"off by {found.off:.2f} of the spread between games in each metric, beside luck",
        f"beyond {FAR:g} standard errors in every mix: {', '.join(beyond) or 'nothing'}",
    ]
    if missed:
        lines.append(f"only in this one: {', '.join(missed)}")
    if found.left_out:
        lines.append(f"left out, not in every game or never varying: {', '.join(found.left_out)}")
    return lines


def _facts(found: "Fit") -> dict[str, Any]:
    return about(found.rows.rules) | {
        "rows": found.rows.frame.height,
        "clusters": found.clusters,
        "games": found.games,
        "seed": found.seed,
        "weights": dict(found.weights),
        "intervals": {name: list(ends) for name, ends in found.intervals.items()},
        "off": found.off,
        "misfits": [
            {
                "metric": one.metric.name,
                "unit": one.metric.unit,
                "rows": one.real,
                "mix": one.mix,
                "errors": one.errors,
                "least": one.least,
                "beyond": one.beyond,
            }
            for one in found.misfits
        ],
        "left_out": list(found.left_out),
    }
