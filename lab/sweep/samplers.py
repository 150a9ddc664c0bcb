"""Who proposes settings: Optuna's samplers by name, each asked as if it had never stopped.

A sampler is made anew for every proposal from (seed, number) and is told of every setting the best
guess there is by now, not the luck of its first games.
"""

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Any, NamedTuple

import optuna
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from lab.errors import bad
from lab.experiment.banks import seed_of
from lab.experiment.space import Dimension, Setting, Space, word

NEEDED = {"gp": "torch", "cmaes": "cmaes"}
"""What the samplers need besides Optuna."""
CURES = {"gp": "balance-lab[gp]"}
PATIENCE = 10
"""Proposals of settings tried before that a sampler may make, till any untried one is taken."""
GENERATION = 20
"""Settings in a generation of nsga2: a sweep has room for a few."""


class Told(NamedTuple):
    """A setting tried, what it is worth by now, and what the sampler wrote down of it."""

    setting: Setting
    loss: float
    notes: Mapping[str, Any]


def check_sampler(name: str, space: Space, trials: int, where: str) -> None:
    """BadInput where a sampler lacks a package, or a grid has more settings than trials."""
    package = NEEDED.get(name)
    if package and find_spec(package) is None:
        cure = f'pip install "{CURES.get(name, package)}", or another sampler'
        raise bad(f"{where} /sampler", f"{name} without the package {package}", cure)
    if name == "grid" and sum(1 for _ in islice(grid(space), trials + 1)) > trials:
        found = f"a grid of more than {trials} settings"
        raise bad(f"{where} /sampler", found, "at most as many as trials, or another sampler")


def grid(space: Space, chosen: Setting | None = None) -> Iterator[Setting]:
    """Every setting of the space, the last dimension the quickest."""
    chosen = chosen or {}
    if len(chosen) == len(space.dimensions):
        yield space.whole(chosen)
        return
    dimension = space.dimensions[len(chosen)]
    for value in space.open(dimension, chosen):
        yield from grid(space, chosen | {dimension.pointer: value})


def propose(
    name: str, space: Space, seed: int, number: int, told: Sequence[Told]
) -> tuple[Setting, dict[str, Any]] | None:
    """An untried setting and the sampler's notes on it; None when the space is used up."""
    known = {key_of(one.setting) for one in told}
    if name != "grid":
        study = _study(space, told)
        study.sampler = _sampler(name, seed_of(seed, "sampler", number) % 2**32)
        for _ in range(PATIENCE):
            asked = study.ask()
            setting = _suggest(asked, space)
            if key_of(setting) not in known:
                return setting, dict(study.get_trials(deepcopy=False)[-1].system_attrs)
    untried = next((s for s in grid(space) if key_of(s) not in known), None)
    return None if untried is None else (untried, {})


def key_of(setting: Setting) -> str:
    """Tells settings apart, whatever their values are."""
    return json.dumps(setting, sort_keys=True)


def coordinates(
    space: Space, setting: Setting
) -> tuple[dict[str, Any], dict[str, BaseDistribution]]:
    """A setting and its ranges for whoever looks at a study; values outside them are left out."""
    inside = [d for d in space.dimensions if setting[d.pointer] in d.values]
    ranges = {d.pointer: _range(d) for d in inside}
    shown = {
        d.pointer: word(setting[d.pointer]) if d.step is None else setting[d.pointer]
        for d in inside
    }
    return shown, ranges


def _range(dimension: Dimension) -> BaseDistribution:
    values = dimension.values
    if dimension.step is None:
        return CategoricalDistribution(tuple(map(word, values)))
    if isinstance(values[0], int):
        return IntDistribution(values[0], values[-1], step=int(dimension.step))
    return FloatDistribution(values[0], values[-1])


def _sampler(name: str, seed: int) -> optuna.samplers.BaseSampler:
    if name == "random":
        return optuna.samplers.RandomSampler(seed=seed)
    if name == "nsga2":
        return optuna.samplers.NSGAIISampler(population_size=GENERATION, seed=seed)
    if name == "cmaes":
        return optuna.samplers.CmaEsSampler(seed=seed, warn_independent_sampling=False)
    if name == "gp":
        return optuna.samplers.GPSampler(seed=seed)
    return optuna.samplers.TPESampler(seed=seed)


def _study(space: Space, told: Iterable[Told]) -> optuna.Study:
    """A study in memory that holds what lies in the space."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        study = optuna.create_study()
    distributions = {d.pointer: _distribution(d, space) for d in space.dimensions}
    study.add_trials(
        [
            optuna.trial.create_trial(
                params={d.pointer: _coordinate(d, space, one.setting) for d in space.dimensions},
                distributions=distributions,
                value=one.loss,
                system_attrs=dict(one.notes),
            )
            for one in told
            if space.holds(one.setting)
        ]
    )
    return study


# --- a setting as the samplers see it -----------------------------------------------------------
#
# A choice by its text, a whole number as it is, a broken one by its place on the grid. Where a link
# narrows what is open, a share 0..1 of that: the ranges stay the same from trial to trial, and
# every share is a setting inside the links.


def _distribution(dimension: Dimension, space: Space) -> BaseDistribution:
    values = dimension.values
    if dimension.step is None:
        return CategoricalDistribution(tuple(map(word, values)))
    if _linked(dimension, space):
        return FloatDistribution(0, 1)
    if isinstance(values[0], int):
        return IntDistribution(values[0], values[-1], step=int(dimension.step))
    return IntDistribution(0, len(values) - 1)


def _coordinate(dimension: Dimension, space: Space, setting: Setting) -> Any:
    value = setting[dimension.pointer]
    if dimension.step is None:
        return word(value)
    if _linked(dimension, space):
        values = space.open(dimension, _before(dimension, space, setting))
        return (values.index(value) + 0.5) / len(values)
    return value if isinstance(value, int) else dimension.values.index(value)


def _suggest(trial: optuna.Trial, space: Space) -> Setting:
    """A setting of the space, drawn dimension by dimension inside what the links leave open."""
    chosen: Setting = {}
    for dimension in space.dimensions:
        pointer = dimension.pointer
        drawn = trial._suggest(pointer, _distribution(dimension, space))
        values = space.open(dimension, chosen)
        if dimension.step is None:
            chosen[pointer] = next(v for v in values if word(v) == drawn)
        elif _linked(dimension, space):
            chosen[pointer] = values[min(int(drawn * len(values)), len(values) - 1)]
        else:
            chosen[pointer] = drawn if isinstance(values[0], int) else values[drawn]
    return space.whole(chosen)


def _before(dimension: Dimension, space: Space, setting: Setting) -> Setting:
    """What was chosen before this dimension."""
    place = space.dimensions.index(dimension)
    return {d.pointer: setting[d.pointer] for d in space.dimensions[:place]}


def _linked(dimension: Dimension, space: Space) -> bool:
    return any(link.kind != "equal" and dimension.pointer in link.at for link in space.links)
