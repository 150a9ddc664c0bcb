"""Confirmation: nothing is recommended on the games that chose it (the winner's curse).

The best few settings and the baseline are played again, far longer, on a bank of seeds that no
trial has seen, all on the same seeds. A target holds when its whole interval lies in the band; the
intervals hold all at once (Bonferroni over the targets of every setting that is played again).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lab.experiment import Experiment, Pairing, Target
from lab.experiment.banks import seed_of
from lab.experiment.space import Setting
from lab.stats.estimate import Estimate, bonferroni
from lab.sweep.play import UNKNOWN, Played, loss, miss, numbers, play_setting, shortfall
from lab.sweep.search import Trial

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Candidate:
    """A setting by the first trial that met it, its mean loss in the search, and how it held."""

    trial: Trial
    loss: float
    steps: float
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
    settings: int
    confidence: float
    baseline: Candidate
    candidates: tuple[Candidate, ...]  # the baseline left out, best of the search first

    @property
    def chosen(self) -> Candidate:
        every = (self.baseline, *self.candidates)
        return min(every, key=lambda c: (c.shortfall, c.steps, c.trial.number))


def confirm(
    experiment: Experiment, trials: Sequence[Trial], jobs: int, tell: Callable[[int, int], None]
) -> Confirmation:
    """Play the baseline and the best settings of the search on the confirmation's own bank.

    Best is the lowest loss, averaged where a setting was tried more than once; then the one whose
    intervals reach least out of the bands, for of many that scored 0 most did so by luck; then the
    smallest change. `tell` gets how many settings have been played, and of how many.
    """
    bank = confirm_bank(experiment)
    ranked = _ranked(experiment, trials)
    best = [entry for entry in ranked if entry[0].setting != trials[0].setting]
    entries = [entry for entry in ranked if entry[0].setting == trials[0].setting]
    entries += best[: experiment.budget.top]
    confidence = bonferroni(CONFIDENCE, len(experiment.targets) * len(entries))
    games = long_games(experiment)
    candidates: list[Candidate] = []
    for trial, mean, steps in entries:
        tell(len(candidates), len(entries))
        rules = experiment.rules.override(changed(experiment, trial.setting))
        played = play_setting(experiment, rules, bank, games, jobs, confidence)
        missed = shortfall(experiment.targets, played.targets)
        candidates.append(Candidate(trial, mean, steps, played, missed))
    tell(len(entries), len(entries))
    return Confirmation(len(trials), len(ranked), confidence, candidates[0], tuple(candidates[1:]))


def confirm_bank(experiment: Experiment) -> int:
    """The seed of the confirmation, settled before the first trial; no trial shares a game."""
    return seed_of(experiment.seed, "confirm")


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


def _ranked(experiment: Experiment, trials: Sequence[Trial]) -> list[tuple[Trial, float, float]]:
    """Each setting once: its first trial, mean loss and steps of change, best first.

    What the rules refused is left out: it cannot be played again either.
    """
    same: dict[tuple[Any, ...], list[Trial]] = {}
    for trial in (trial for trial in trials if trial.measures):
        same.setdefault(tuple(trial.setting.items()), []).append(trial)
    old = experiment.space.baseline(experiment.rules)
    entries = []
    for group in same.values():
        first, n = group[0], len(group)
        mean = math.fsum(trial.loss for trial in group) / n
        reach = math.fsum(_reach(experiment, trial) for trial in group) / n
        steps = experiment.space.steps(old, first.setting)
        entries.append(((mean, reach, steps, first.number), (first, mean, steps)))
    return [entry for _, entry in sorted(entries, key=lambda pair: pair[0])]


def _reach(experiment: Experiment, trial: Trial) -> float:
    """How far the intervals of a trial's own games reach out of the bands."""
    return sum(
        target.weight
        * (UNKNOWN if None in found.values() else miss(target, found["low"], found["high"]))
        for target, found in zip(experiment.targets, trial.targets, strict=True)
    )


def facts(experiment: Experiment, found: Confirmation) -> dict[str, Any]:
    """The confirmation as plain data: confirm.json."""
    return {
        "status": "confirmed" if found.chosen.holds else "refused",
        "tried": found.tried,
        "settings": found.settings,
        "confidence": round(found.confidence, 9),
        "chosen": found.chosen.trial.number,
        "baseline": _candidate(experiment, found.baseline),
        "candidates": [_candidate(experiment, candidate) for candidate in found.candidates],
    }


def _candidate(experiment: Experiment, candidate: Candidate) -> dict[str, Any]:
    old = experiment.space.baseline(experiment.rules)
    new = changed(experiment, candidate.trial.setting)
    rows = zip(experiment.targets, candidate.trial.targets, candidate.played.targets, strict=True)
    return {
        "number": candidate.trial.number,
        "changes": {pointer: [old[pointer], value] for pointer, value in new.items()},
        "steps": candidate.steps,
        "loss": round(candidate.loss, 9),
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
