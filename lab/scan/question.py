"""What a scan asks: which numbers at which values, who plays, what is measured.

Everything that can be wrong is told here, before the first game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import NamedTuple

from lab.catalog import load_game
from lab.comparison.guards import read_targets
from lab.doors.function import named
from lab.errors import bad
from lab.experiment import ANYWHERE, Experiment, Pairing, Part, Target, load_experiment
from lab.experiment.banks import seed_of
from lab.experiment.file import Budget
from lab.experiment.space import Dimension, Setting, Space
from lab.game import Game
from lab.metrics import metric_of
from lab.rules import Rules
from lab.scan.values import Values, is_number, read_dimension
from lab.selfplay import Games, as_range
from lab.stats.estimate import bonferroni
from lab.sweep.play import CONFIDENCE, rules_of

GAMES = 1000
MOST = 400
"""Settings of a scan: more of them nobody reads, and all games are in memory."""


class Contrast(NamedTuple):
    """A weighted sum over some of the settings, by their places; the weights sum to 0."""

    places: tuple[int, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Question:
    """A scan, checked and resolved. The settings are those asked for, and the rules' own.

    Where options say who plays, `experiment` is made of them: no target has a band.
    """

    experiment: Experiment
    source: Path | None  # the experiment's file, where there is one
    dimensions: tuple[Dimension, ...]
    games: Mapping[Pairing, int]
    first: int  # index of the first pairing's first game
    bank: int

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Of one number in its order, of two row by row, behind the rules' own if not in there."""
        names = [one.pointer for one in self.dimensions]
        grid = [
            dict(zip(names, values, strict=True))
            for values in product(*(one.values for one in self.dimensions))
        ]
        if self.own not in grid:
            grid.insert(0, self.own)
            if len(names) == 1 and is_number(self.dimensions[0]):
                grid.sort(key=lambda setting: setting[names[0]])
        return tuple(grid)

    @cached_property
    def own(self) -> Setting:
        """The setting that changes nothing."""
        rules = self.experiment.rules
        return {one.pointer: rules.value(one.pointer) for one in self.dimensions}

    @property
    def baseline(self) -> int:
        """The place of the rules' own setting."""
        return self.settings.index(self.own)

    # --- what lies between settings ------------------------------------------------------------

    @cached_property
    def apart(self) -> dict[int, Contrast]:
        """Every other setting less the rules' own."""
        here = self.baseline
        places = [place for place in range(len(self.settings)) if place != here]
        return {place: Contrast((here, place), (-1.0, 1.0)) for place in places}

    @cached_property
    def steps(self) -> dict[int, Contrast]:
        """Of one number: a setting less the one before it, for one unit."""
        if len(self.dimensions) > 1 or not is_number(self.dimensions[0]):
            return {}
        values = [setting[self.dimensions[0].pointer] for setting in self.settings]
        gaps = {place: values[place] - values[place - 1] for place in range(1, len(values))}
        return {
            place: Contrast((place - 1, place), (-1 / gap, 1 / gap)) for place, gap in gaps.items()
        }

    @cached_property
    def slopes(self) -> dict[str, Contrast]:
        """What one unit more of a number is worth: the line of least squares over all settings.

        Of two numbers over the grid, so that each is weighed at all values of the other.
        """
        grid = prod(len(one.values) for one in self.dimensions)
        beside = len(self.settings) - grid if len(self.dimensions) > 1 else 0
        places = range(beside, len(self.settings))
        found = {}
        for one in self.dimensions:
            values = [self.settings[place][one.pointer] for place in places]
            if not is_number(one) or len(set(values)) == 1:
                continue
            middle = sum(values) / len(values)
            spread = sum((value - middle) ** 2 for value in values)
            weights = tuple((value - middle) / spread for value in values)
            found[one.pointer] = Contrast(tuple(places), weights)
        return found

    @property
    def confidence(self) -> float:
        """Of each interval, so that all of the scan hold at once with 95 % (Bonferroni)."""
        return bonferroni(CONFIDENCE, self.intervals)

    @property
    def intervals(self) -> int:
        """How many intervals the scan gives."""
        each = len(self.settings) + len(self.apart) + len(self.steps) + len(self.slopes)
        return each * len(self.experiment.targets)


def ask(
    rules: Rules | None,
    pointers: Mapping[str, Values],
    first: str | None = None,
    second: str | None = None,
    skills: Sequence[str] = (),
    metrics: Sequence[str] = (),
    experiment: Path | str | None = None,
    games: Games | None = None,
    seed: int | None = None,
) -> Question:
    """Read a question; BadInput for whatever is wrong with it, before the first game.

    `rules` None: the experiment's own. Who is not named plays as the game's own pair; each of
    `skills` plays itself, or `second`. Metrics are the game's stakes where none is named.
    """
    if not 1 <= len(pointers) <= 2:
        wanted = "one, or two for a heat map; lab sweep searches more of them"
        raise bad("vary", f"{len(pointers)} pointers", wanted)
    if experiment is not None:
        options = {"first": first, "second": second, "skill": skills, "metric": metrics}
        asked = _of_file(experiment, rules, [name for name, given in options.items() if given])
        bank = seed_of(asked.seed, "vary")
    elif rules is None:
        raise bad("vary", "neither rules nor an experiment", "one of them")
    else:
        named("vary", [player for player in (first, second, *skills) if player is not None])
        pairings = _pairings(load_game(rules.game), first, second, skills)
        asked, bank = _of_options(rules, pairings, metrics), 0
    dimensions = (read_dimension(p, values, asked.rules) for p, values in pointers.items())
    found = Question(
        asked,
        None if experiment is None else Path(experiment),
        tuple(dimensions),
        *_games(asked, games),
        bank if seed is None else seed,
    )
    count = prod(len(one.values) for one in found.dimensions)
    if count > MOST:
        raise bad("vary", f"{count:,} settings", f"at most {MOST}: a greater step")
    for setting in found.settings:
        rules_of(asked, setting)
    return found


def _of_file(path: Path | str, rules: Rules | None, options: list[str]) -> Experiment:
    """An experiment by these rules, else by its own."""
    if options:
        wanted = "one of the two: the file says who plays and what is measured"
        raise bad("vary", f"{options[0]} beside an experiment", wanted)
    rules = rules or load_experiment(path).rules
    return replace(read_targets(path, rules), rules=rules)


def _games(asked: Experiment, games: Games | None) -> tuple[Mapping[Pairing, int], int]:
    """How many games of each pairing, and the first index.

    Each pairing has indices of its own, one pairing after the other: pooling needs that.
    """
    if games is None:
        return asked.games, 0
    indices = as_range(games)
    as_range(slice(indices.start, indices.start + len(indices) * len(asked.games)))
    return dict.fromkeys(asked.games, len(indices)), indices.start


def _pairings(
    game: Game, first: str | None, second: str | None, skills: Sequence[str]
) -> list[Pairing]:
    if skills and first:
        raise bad("vary", "first beside skills", "one of the two")
    if skills:
        return [Pairing(skill, second or skill) for skill in dict.fromkeys(skills)]
    own = game.pair
    return [Pairing(first or own[0], second or own[1])]


def _of_options(rules: Rules, pairings: Sequence[Pairing], metrics: Sequence[str]) -> Experiment:
    """What options ask, in the form of an experiment: nothing to search, no band."""
    game = load_game(rules.game)
    for name in metrics:
        metric_of(game, name)
    targets = tuple(
        Target(name, name, pairing.label, ANYWHERE, 1.0, (Part(pairing, 1.0),))
        for name in dict.fromkeys(metrics or game.stakes)
        for pairing in pairings
    )
    return Experiment(
        name="vary",
        question="",
        game=game,
        rules=rules,
        compared=None,
        seed=0,
        sampler="",
        space=Space((), ()),
        games=dict.fromkeys(pairings, GAMES),
        targets=targets,
        budget=Budget(),
        policies=tuple(dict.fromkeys(policy for pairing in pairings for policy in pairing)),
        text="",
        fingerprint="",
    )
