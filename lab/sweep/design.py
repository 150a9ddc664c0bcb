"""A Sobol design, played: every input of a space by itself and with the others, and a dummy.

Each design point is played on games of its own, so that its luck is its own too (why:
lab/stats/sobol.py). The cube's inputs are spread over the values of the dimensions in the order of
the file, inside what links leave open: of linked numbers a later one says where it lies among the
values that the earlier ones left, so its share is what it adds to theirs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.errors import BadInput, bad
from lab.experiment import Experiment, Pairing
from lab.experiment.banks import seed_of
from lab.experiment.space import Dimension, Setting, Space
from lab.stats import sobol
from lab.stats.estimate import UNBOUNDED, Array, estimate_mean
from lab.stats.sobol import Indices
from lab.sweep.play import numbers, play_setting, rules_of

DUMMY = "dummy"
LEVELS = 16
"""Groups that the values of a number are told apart in, at most."""
MOST_SAMPLES = 4096
MOST_REFUSED = 0.1
"""Share of design points that the rules may refuse: beyond it the space is another one."""


@dataclass(frozen=True)
class Design:
    """The settings of N blocks of rows, and which the rules refuse."""

    space: Space
    levels: Array  # (N, 2, inputs), the dummy last: where each input lies, at both points
    cells: Array  # (N, inputs + 2): equal where rows of a block are the same setting
    settings: tuple[Setting, ...]  # block by block
    refused: Mapping[int, str]  # by row: why

    @property
    def names(self) -> list[str]:
        """Of the inputs."""
        return [*(d.pointer for d in self.space.dimensions), DUMMY]

    @property
    def linked(self) -> list[str]:
        """Those that narrow one another, in the order in which they do."""
        bound = {p for link in self.space.links if link.kind != "equal" for p in link.at}
        return [name for name in self.names if name in bound]


def make_design(experiment: Experiment, samples: int) -> Design:
    """BadInput where there is nothing to weigh, or the rules refuse too much of it."""
    space = experiment.space
    _check(experiment, samples)
    inputs = len(space.dimensions) + 1
    seed = seed_of(experiment.seed, "sensitivity", "design")
    cube = sobol.design(inputs, samples, seed)
    counts = [min(len(d.values), LEVELS) for d in space.dimensions]
    levels = _place(cube[:, [0, -1]], np.array([*counts, max(counts)]))
    settings = tuple(setting_at(space, row) for row in cube.reshape(-1, inputs))
    refused = dict(_refusals(experiment, settings))
    if len(refused) > MOST_REFUSED * len(settings):
        share, why = len(refused) / len(settings), next(iter(refused.values()))
        wanted = f"at most {MOST_REFUSED:.0%} of it: a narrower space ({why})"
        raise bad(f"{experiment.name} /space", f"{share:.0%} that the rules refuse", wanted)
    known: dict[tuple[Any, ...], int] = {}
    cells = [known.setdefault(tuple(s.values()), len(known)) for s in settings]
    return Design(space, levels, np.array(cells).reshape(cube.shape[:2]), settings, refused)


def _check(experiment: Experiment, samples: int) -> None:
    where = f"{experiment.name} /space"
    if not experiment.space.dimensions:
        raise bad(where, "none", "a space, whose numbers are to be weighed")
    if samples & (samples - 1) or not 2 <= samples <= MOST_SAMPLES:
        raise bad("samples", str(samples), f"a power of two from 2 to {MOST_SAMPLES}")
    for dimension in experiment.space.dimensions:
        if len(dimension.values) == 1:
            raise bad(f"{where} {dimension.pointer}", "one value", "two or more, to tell apart")
    for link in experiment.space.links:
        if link.kind == "sum":
            found = f"a sum over {', '.join(link.at)}"
            wanted = "none: what one of them gains the others lose, so no share is its own"
            raise bad(f"{experiment.name} /links", found, wanted)


def _place(point: Array, counts: Any) -> Array:
    """Which of `counts` equal parts of 0..1 a number lies in."""
    return np.asarray(np.minimum((point * counts).astype(np.int64), counts - 1))


def setting_at(space: Space, point: Array) -> Setting:
    """The setting of a point of the unit cube, one number a dimension; more are left over."""
    chosen: Setting = {}
    for dimension, x in zip(space.dimensions, point, strict=False):
        values = space.open(dimension, chosen)
        chosen[dimension.pointer] = values[int(_place(x, len(values)))]
    return space.whole(chosen)


def _refusals(experiment: Experiment, settings: tuple[Setting, ...]) -> Iterator[tuple[int, str]]:
    known: dict[tuple[Any, ...], str] = {}
    for row, setting in enumerate(settings):
        key = tuple(setting.values())
        if key not in known:
            try:
                rules_of(experiment, setting)
                known[key] = ""
            except BadInput as error:
                known[key] = str(error)
        if known[key]:
            yield row, known[key]


def play_row(
    experiment: Experiment, design: Design, row: int, games: Mapping[Pairing, int], jobs: int
) -> list[float | None]:
    """What every target comes to at a design point; None where nothing is known."""
    if row in design.refused:
        return [None] * len(experiment.targets)
    rules = rules_of(experiment, design.settings[row])
    bank = seed_of(experiment.seed, "sensitivity", "row", row)
    played = play_setting(experiment, rules, bank, games, jobs)
    return [numbers(found)["value"] for found in played.targets]


def weigh(experiment: Experiment, design: Design, values: Array) -> list[Indices]:
    """The indices of every target from the values of all rows, (rows, targets)."""
    seed = seed_of(experiment.seed, "sensitivity", "bootstrap")
    blocks = values.reshape(*design.cells.shape, -1)
    return sobol.indices(blocks, design.levels, design.cells, seed)


def effect_curves(design: Design, values: Array) -> Iterator[dict[str, Any]]:
    """Of one target (rows,): its mean over the rows that share a value of a dimension, each value.

    Rows of a block share more than that: they are one unit of the interval.
    """
    blocks = np.repeat(np.arange(len(design.cells)), design.cells.shape[1])
    for dimension in design.space.dimensions:
        places = np.array([dimension.values.index(s[dimension.pointer]) for s in design.settings])
        for group, label in _groups(dimension):
            own = np.isin(places, group)
            if own.any():  # links may leave no way to a value
                found = estimate_mean(values[own], None, blocks[own], UNBOUNDED)
                yield {"parameter": dimension.pointer, "setting": label} | numbers(found)


def _groups(dimension: Dimension) -> Iterator[tuple[list[int], str]]:
    """Values of a dimension, neighbours together where there are more than LEVELS."""
    count = len(dimension.values)
    places = _place(np.arange(count) / count, min(count, LEVELS))
    for level in range(min(count, LEVELS)):
        own = np.flatnonzero(places == level).tolist()
        first, last = dimension.values[own[0]], dimension.values[own[-1]]
        yield own, _said(first) if len(own) == 1 else f"{_said(first)} to {_said(last)}"


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
