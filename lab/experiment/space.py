"""The space of an experiment: pointers with the values they may take, and links between them."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lab.rules import Rules

Setting = dict[str, Any]
"""A value for every pointer that the space moves."""


SCALARS = (bool, int, float, str, type(None))


def word(value: Any) -> Any:
    """A value as a table's cell: numbers and names as they are, a list or section as its JSON."""
    return value if isinstance(value, SCALARS) else json.dumps(value, sort_keys=True)


@dataclass(frozen=True)
class Dimension:
    """A pointer and the values it may take, in order; `step` is None where they are choices."""

    pointer: str
    values: tuple[Any, ...]
    step: float | None

    def read(self, cell: Any) -> Any:
        """The value behind a word."""
        whole = any(not isinstance(value, SCALARS) for value in self.values)
        return json.loads(cell) if whole else cell


@dataclass(frozen=True)
class Link:
    """Pointers that move together: their sum is `total`, each is above the last, or all are equal.

    Of equal pointers the first alone is a dimension, the others follow it.
    """

    kind: Literal["sum", "increasing", "equal"]
    at: tuple[str, ...]
    total: int = 0


@dataclass(frozen=True)
class Space:
    """All settings: one value for every dimension, inside every link."""

    dimensions: tuple[Dimension, ...]
    links: tuple[Link, ...]

    def open(self, dimension: Dimension, chosen: Setting) -> tuple[Any, ...]:
        """The values that leave every link a way on, given those chosen; neighbours of the grid.

        As long as the values come from here, the rest can always be chosen: nothing is drawn in
        vain. Empty only if the space itself is.
        """
        values = dimension.values
        for link in self.links:
            if dimension.pointer in link.at and link.kind != "equal":
                low, high = self._span(link, dimension.pointer, chosen)
                values = tuple(v for v in values if low <= v <= high)
        return values

    def _span(self, link: Link, pointer: str, chosen: Setting) -> tuple[float, float]:
        left = {d.pointer: d.values for d in self.dimensions if d.pointer in link.at}
        left |= {p: (chosen[p],) for p in link.at if p in chosen}
        if link.kind == "sum":
            others = [values for p, values in left.items() if p != pointer]
            return link.total - sum(map(max, others)), link.total - sum(map(min, others))
        place = link.at.index(pointer)
        low, high = -math.inf, math.inf
        for p in link.at[:place]:
            low = min((v for v in left[p] if v > low), default=math.inf)
        for p in link.at[:place:-1]:
            high = max((v for v in left[p] if v < high), default=-math.inf)
        inside = [v for v in left[pointer] if low < v < high]
        return (min(inside), max(inside)) if inside else (math.inf, -math.inf)

    def whole(self, chosen: Setting) -> Setting:
        """The setting of the chosen values: equal pointers follow their first."""
        leaders = [link.at for link in self.links if link.kind == "equal"]
        return chosen | {p: chosen[first] for first, *others in leaders for p in others}

    def holds(self, chosen: Setting) -> bool:
        """Whether chosen values, one a dimension, lie in the space."""
        return all(
            chosen[d.pointer] in self.open(d, {p: v for p, v in chosen.items() if p != d.pointer})
            for d in self.dimensions
        )

    def baseline(self, rules: Rules) -> Setting:
        """The setting that changes nothing, which need not lie in the space."""
        pointers = [d.pointer for d in self.dimensions]
        pointers += [p for link in self.links if link.kind == "equal" for p in link.at[1:]]
        return {pointer: rules.value(pointer) for pointer in pointers}

    def steps(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> float:
        """The size of a change: steps between numbers, 1 for every other choice."""
        step = {d.pointer: d.step for d in self.dimensions}
        for link in self.links:
            if link.kind == "equal":
                step |= dict.fromkeys(link.at[1:], step[link.at[0]])
        total = 0.0
        for pointer, size in step.items():
            if old[pointer] != new[pointer]:
                total += abs(new[pointer] - old[pointer]) / size if size else 1
        return round(total, 9)
