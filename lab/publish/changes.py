"""The list of what a version changes, with the figures that speak for it."""

from collections.abc import Iterator
from typing import Any

from lab.jsonfile import shown
from lab.publish.draft import Candidate
from lab.report.words import amount, band, span
from lab.rules import Rules, diff, field_info
from lab.verdicts import ALPHA, Verification, Watched

RULE = "| --- " * 5 + "|"
UNVERIFIED = "**Unverified:** no games have been played to see whether these numbers do their work."


def change_list(
    parent: Rules,
    new: Rules,
    candidate: Candidate | None,
    evidence: tuple[Verification, Verification] | None,
) -> str:
    """What changed, and the figures before and after on games that had no part in it: Markdown.

    The figures are those of the verification, else those that a sweep confirmed.
    """
    lines = [f"# {new.game} {new.version}", "", new.why, ""]
    lines += [f"| rule | {parent.version} | {new.version} | unit | meaning |", RULE]
    for pointer, old, value in diff(parent, new):
        sentence, unit = field_info(type(new.document), pointer)
        lines.append(f"| `{pointer}` | {shown(old)} | {shown(value)} | {unit} | {sentence} |")
    lines.append("")
    if evidence:
        lines += _verified(*evidence)
    elif candidate and not new.unverified:
        lines += _confirmed(candidate)
    else:
        lines.append(UNVERIFIED)
    return "\n".join(lines) + "\n"


def _verified(before: Verification, after: Verification) -> Iterator[str]:
    share = f"{100 * ALPHA:g}%"
    yield (
        f"{after.experiment.question} Both versions played the games of seed {after.bank}, which "
        f"no search has seen. In at most {share} of such studies does any target pass that should "
        "not, or does the truth lie outside of any interval."
    )
    yield ""
    yield "| target | band | before | after | games |"
    yield RULE
    for old, new in zip(before.targets, after.targets, strict=True):
        wanted = band(*new.target.band, new.metric.unit)
        yield (
            f"| {new.target.name} ({new.target.matchup}) | {wanted} | {_told(old)} "
            f"| {_told(new)} | {new.games(after.walks):,} |"
        )


def _told(watched: Watched) -> str:
    sequence, unit = watched.study.sequence, watched.metric.unit
    low, high = sequence.interval
    return f"{amount(sequence.mean, unit)} [{span(low, high, unit)}], {watched.verdict}"


def _confirmed(candidate: Candidate) -> Iterator[str]:
    run = candidate.run
    yield (
        f"{run.experiment.question} The search tried {run.confirmed['tried']} settings; the "
        "figures below are from fresh games that took no part in it."
    )
    yield ""
    yield "| target | band | before | after | games |"
    yield RULE
    for before, after in zip(
        run.confirmed["baseline"]["targets"], candidate.figures["targets"], strict=True
    ):
        low, high = after["band"]
        figures = [_figure(target["holdout"]) for target in (before, after)]
        games = f"{after['holdout']['n']:,}"
        yield (
            f"| {after['name']} ({after['matchup']}) | {low:g} to {high:g} "
            f"| {figures[0]} | {figures[1]} | {games} |"
        )


def _figure(found: dict[str, Any]) -> str:
    return f"{found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"
