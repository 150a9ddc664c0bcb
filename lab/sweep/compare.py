"""A comparison: two rule sets as they stand. Nothing is chosen, so nothing is searched.

Each is played on a bank of its own, so that their games are independent even where both draw the
same maps; the intervals hold all at once (Bonferroni over everything that is measured).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from lab.experiment import Experiment, Target, metric_named
from lab.experiment.banks import seed_of
from lab.metrics import SHARE
from lab.rules import diff
from lab.stats.estimate import Estimate, bonferroni, difference
from lab.sweep.confirm import long_games
from lab.sweep.play import CONFIDENCE, Played, Source, finite, numbers, play_setting

Pair = tuple[Played, Played]
"""What the baseline's games came to, and those of the rules compared."""


def compare(experiment: Experiment, source: Source, tell: Callable[[int, int], None]) -> Pair:
    """Play both rule sets; `tell` gets how many have been played, and of how many."""
    assert experiment.compared is not None
    confidence = _confidence(experiment)
    games = long_games(experiment)
    played = []
    for place, rules in enumerate((experiment.rules, experiment.compared)):
        tell(place, 2)
        bank = seed_of(experiment.seed, "compare", place)
        setting = play_setting(experiment, rules, bank, games, confidence=confidence, source=source)
        played.append(setting)
    tell(2, 2)
    return played[0], played[1]


def _confidence(experiment: Experiment) -> float:
    return bonferroni(CONFIDENCE, len(experiment.targets))


def facts(experiment: Experiment, played: Pair) -> dict[str, Any]:
    """The comparison as plain data: confirm.json."""
    assert experiment.compared is not None
    changes = diff(experiment.rules, experiment.compared)
    rows = list(_rows(experiment, played))
    names = list(dict.fromkeys(row["name"] for row in rows))
    rows.sort(key=lambda row: names.index(row["name"]))  # matchups of a measure side by side
    return {
        "status": "compared",
        "confidence": round(_confidence(experiment), 9),
        "changes": {pointer: [old, new] for pointer, old, new in changes},
        "measures": rows,
    }


def _rows(experiment: Experiment, played: Pair) -> Iterator[dict[str, Any]]:
    """A row for each measure; a length is also told as a share of the rules' cap."""
    game = experiment.game
    for place, target in enumerate(experiment.targets):
        found = [side.targets[place] for side in played]
        yield _row(target, target.name, metric_named(game, target.metric).unit, *found)
        if target.metric == "length" and game.cap:
            caps = [float(side.rules.value(game.cap)) for side in played]
            shares = [_scaled(e, 1 / cap) for e, cap in zip(found, caps, strict=True)]
            yield _row(target, "length as share of the cap", SHARE, *shares)


def _row(target: Target, name: str, unit: str, old: Estimate, new: Estimate) -> dict[str, Any]:
    value, low, high = difference(old, new)
    return {
        "name": name,
        "metric": target.metric,
        "matchup": target.matchup,
        "unit": unit,
        "before": numbers(old),
        "after": numbers(new),
        "difference": finite({"value": value, "low": low, "high": high}),
    }


def _scaled(found: Estimate, factor: float) -> Estimate:
    value, low, high = (factor * x for x in (found.value, found.low, found.high))
    return replace(found, value=value, low=low, high=high, error=factor * found.error)
