"""Confirmation: nothing is recommended on the games that chose it (the winner's curse).

The best few settings and the baseline are played again, far longer, on a bank of seeds that no
trial has seen, all on the same seeds. A target holds when its whole interval lies in the band; the
intervals hold all at once (Bonferroni over the targets of every setting that is played again).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab.errors import bad
from lab.experiment import Experiment, Pairing, Target
from lab.experiment.banks import seed_of
from lab.experiment.space import Setting
from lab.stats.estimate import Estimate, bonferroni
from lab.sweep.front import fewest, finalists
from lab.sweep.ledger import in_a_line
from lab.sweep.play import (
    CONFIDENCE,
    Played,
    Source,
    loss,
    miss,
    numbers,
    play_setting,
    shortfall,
)
from lab.sweep.search import Trial


@dataclass(frozen=True)
class Candidate:
    """A setting that was tried, and how it held on fresh games."""

    trial: Trial
    played: Played
    shortfall: float

    @property
    def holds(self) -> bool:
        return self.shortfall == 0


@dataclass(frozen=True)
class Confirmation:
    """The baseline and the best few on fresh seeds; `chosen` is recommended if it holds.

    Chosen is the smallest change among those that hold, else the one that misses by least.
    """

    tried: int
    confidence: float
    baseline: Candidate
    candidates: tuple[Candidate, ...]  # the baseline left out, best of the search first
    front: tuple[Trial, ...]  # fewest changes
    raised: Mapping[int, str]  # what games of finalists raised, by the trial's number

    @property
    def chosen(self) -> Candidate:
        every = (self.baseline, *self.candidates)
        return min(every, key=lambda c: (c.shortfall, c.trial.steps, c.trial.number))


def confirm(
    experiment: Experiment,
    trials: Sequence[Trial],
    source: Source,
    tell: Callable[[int, int], None],
    sources: Sequence[str] = (),
) -> Confirmation:
    """Play the baseline and the finalists on the confirmation's own bank.

    `source` has their games; `tell` gets how many settings have been played, and of how many. A
    finalist that raises is no candidate; BadInput when the baseline does.
    """
    bank = confirm_bank(experiment, sources)
    entries = [trials[0], *finalists(trials, experiment.budget.top)]
    confidence = bonferroni(CONFIDENCE, len(experiment.targets) * len(entries))
    games = long_games(experiment)
    candidates: list[Candidate] = []
    raised: dict[int, str] = {}
    for done, trial in enumerate(entries):
        tell(done, len(entries))
        rules = experiment.rules.override(changed(experiment, trial.setting))
        try:
            played = play_setting(
                experiment, rules, bank, games, confidence=confidence, source=source
            )
        except Exception as error:  # noqa: BLE001  a game's, a policy's or a metric's own
            raised[trial.number] = in_a_line(error)
            continue
        missed = shortfall(experiment.targets, played.targets)
        candidates.append(Candidate(trial, played, missed))
    tell(len(entries), len(entries))
    if 0 in raised:
        wanted = "rules whose games can be played"
        raise bad(f"{experiment.name}, the baseline", raised[0], wanted)
    first, *others = candidates
    front = tuple(fewest(trials))
    return Confirmation(len(trials), confidence, first, tuple(others), front, raised)


def confirm_bank(experiment: Experiment, sources: Sequence[str]) -> int:
    """The seed of the confirmation, settled before the first trial; no trial shares a game.

    Where a search goes on from what others found, theirs has been seen: it gets another one.
    """
    return seed_of(experiment.seed, "confirm", *sources)


def long_games(experiment: Experiment) -> dict[Pairing, int]:
    """Games of each pairing where figures are to count, in proportion to those of a trial."""
    budget = experiment.budget
    return {
        pairing: math.ceil(count * budget.confirm_games / budget.games)
        for pairing, count in experiment.games.items()
    }


def changed(experiment: Experiment, setting: Setting) -> Setting:
    """What a setting changes of the baseline."""
    old = experiment.space.baseline(experiment.rules)
    return {pointer: value for pointer, value in setting.items() if value != old[pointer]}


def facts(experiment: Experiment, found: Confirmation) -> dict[str, Any]:
    """The confirmation as plain data: confirm.json."""
    return {
        "status": "confirmed" if found.chosen.holds else "refused",
        "tried": found.tried,
        "confidence": round(found.confidence, 9),
        "chosen": found.chosen.trial.number,
        "baseline": _candidate(experiment, found.baseline),
        "candidates": [_candidate(experiment, candidate) for candidate in found.candidates],
        "front": [_tried(experiment, trial) for trial in found.front],
    }


def _tried(experiment: Experiment, trial: Trial) -> dict[str, Any]:
    """A setting, by what it changes and what the search thinks of it."""
    old = experiment.space.baseline(experiment.rules)
    new = changed(experiment, trial.setting)
    return {
        "number": trial.number,
        "changes": {pointer: [old[pointer], value] for pointer, value in new.items()},
        "steps": trial.steps,
        "games": trial.games,
        "loss": round(trial.loss, 9),
        "expected_loss": trial.expected,
    }


def _candidate(experiment: Experiment, candidate: Candidate) -> dict[str, Any]:
    rows = zip(experiment.targets, candidate.trial.targets, candidate.played.targets, strict=True)
    return _tried(experiment, candidate.trial) | {
        "holdout_loss": round(loss(experiment.targets, candidate.played.targets), 9),
        "shortfall": round(candidate.shortfall, 9),
        "holds": candidate.holds,
        "targets": [_target(*row) for row in rows],
    }


def _target(target: Target, search: dict[str, Any], found: Estimate) -> dict[str, Any]:
    outside = miss(target, found.low, found.high)
    half = (target.band[1] - target.band[0]) / 2
    known = search["value"] is not None and found.n > 0
    return {
        "name": target.name,
        "metric": target.metric,
        "matchup": target.matchup,
        "band": list(target.band),
        "weight": target.weight,
        "search": search,
        "holdout": numbers(found),
        "shrinkage": round(found.value - search["value"], 9) if known else None,
        "outside": round(outside * half, 9) if math.isfinite(found.low + found.high) else None,
        "holds": bool(found.n) and outside == 0,
    }
