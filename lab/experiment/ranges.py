"""The space of an experiment, as its file asks for it: which values each pointer may take."""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from lab.document import Range, bounds
from lab.errors import bad
from lab.experiment.file import DimensionEntry, ExperimentFile, unique
from lab.experiment.space import Dimension, Link, Setting, Space, word
from lab.jsonfile import shown
from lab.rules import Rules
from lab.tomlfile import blaming, checked


def read_space(file: ExperimentFile, rules: Rules, path: str) -> Space:
    """Ranges, choices and links of a file; BadInput names their place in it at `path`."""
    dimensions = tuple(
        dimension_of(pointer, entry, rules, f"{path} /space {pointer}")
        for pointer, entry in file.space.items()
    )
    for inner, outer in permutations(file.space, 2):
        if inner.startswith(f"{outer}/"):
            raise bad(f"{path} /space {inner}", f"a part of {outer}", "one of the two")
    space = Space(dimensions, tuple(_links(file, dimensions, rules, path)))
    chosen: Setting = {}
    for dimension in dimensions:
        values = space.open(dimension, chosen)
        if not values:
            raise bad(
                f"{path} /links", f"no value left for {dimension.pointer}", "room in the space"
            )
        chosen[dimension.pointer] = values[0]
    return space


def dimension_of(pointer: str, data: dict[str, Any], rules: Rules, where: str) -> Dimension:
    """A pointer's values from low, high and step, or choices; BadInput that begins with `where`."""
    known = rules.pointers()
    entry = checked(DimensionEntry, data, where)
    if pointer not in known and entry.choices is not None:
        return _table(pointer, entry.choices, rules, where)
    if pointer not in known:
        raise bad(where, "an unknown pointer", "a number or choice of the rules", pointer, known)
    with blaming(where):
        reach = bounds(type(rules.document), pointer)
    if entry.choices is not None:
        values = tuple(entry.choices)
        strange = [v for v in values if not _inside(v, reach)]
        unique(map(shown, values), where)
    elif isinstance(reach, Range):
        values = _grid(entry, isinstance(reach.low, int), where)
        strange = [v for v in (values[0], values[-1]) if not _inside(v, reach)]
    else:
        raise bad(where, "low and high", f"choices of {_reach(reach)}")
    if strange:
        raise bad(where, shown(strange[0]), f"only what the rules allow, {_reach(reach)}")
    return Dimension(pointer, values, None if entry.choices is not None else entry.step)


def _table(pointer: str, choices: list[Any], rules: Rules, where: str) -> Dimension:
    """A whole section or list as one choice, each of which the rules have to take."""
    with blaming(where):
        values = [rules.override({pointer: choice}).value(pointer) for choice in choices]
    unique(map(word, values), where)
    return Dimension(pointer, tuple(values), None)


def _inside(value: Any, reach: Range | tuple[Any, ...]) -> bool:
    if not isinstance(reach, Range):
        return any(value == choice and type(value) is type(choice) for choice in reach)
    return type(value) is type(reach.low) and reach.low <= value <= reach.high


def _grid(entry: DimensionEntry, whole: bool, where: str) -> tuple[Any, ...]:
    """low, low + step, ... up to high."""
    assert entry.low is not None
    assert entry.high is not None
    if whole and not all(x.is_integer() for x in (entry.low, entry.high, entry.step)):
        raise bad(where, "a fraction", "whole numbers, as in the rules")
    count = int((entry.high - entry.low) / entry.step + 1e-9) + 1
    if count > 10_000:
        raise bad(where, f"{count} values", "at most 10000: a greater step")
    last = entry.low + (count - 1) * entry.step
    if abs(last - entry.high) > 1e-9 * max(1, abs(entry.high)):
        found = f"a step of {entry.step:.12g} that ends at {last:.12g}"
        raise bad(where, found, f"one that meets high, {entry.high:.12g}")
    values = (entry.low + i * entry.step for i in range(count))
    return tuple(int(v) if whole else round(v, 12) for v in values)


def _links(
    file: ExperimentFile, space: tuple[Dimension, ...], rules: Rules, path: str
) -> Iterator[Link]:
    dimensions = {d.pointer: d for d in space}
    known = rules.pointers()
    unique((p for link in file.links for p in link.at), f"{path} /links")
    for index, link in enumerate(file.links):
        where = f"{path} /links/{index}"
        for pointer in link.at:
            if pointer not in known:
                raise bad(where, shown(pointer), "a pointer into the rules", pointer, known)
        if link.kind == "equal":
            _check_followers(link.at, dimensions, rules, where)
            yield Link("equal", tuple(link.at))
            continue
        missing = [pointer for pointer in link.at if pointer not in dimensions]
        if missing:
            raise bad(where, f"{missing[0]} outside of the space", "pointers of the space")
        linked = [dimensions[pointer] for pointer in link.at]
        if any(d.step is None for d in linked):
            raise bad(where, "choices", f"numbers with low and high for {shown(link.kind)}")
        total = 0
        if link.kind == "sum":
            total = sum(known[pointer] for pointer in link.at)
            _check_sum(linked, total, where)
        yield Link(link.kind, tuple(link.at), total)


def _check_followers(
    pointers: list[str], dimensions: Mapping[str, Dimension], rules: Rules, where: str
) -> None:
    first, *others = pointers
    if first not in dimensions:
        raise bad(where, f"{first} outside of the space", "the first pointer in it")
    for pointer in others:
        if pointer in dimensions:
            raise bad(where, f"{pointer} in the space", "only the first pointer there")
        with blaming(where):
            reach = bounds(type(rules.document), pointer)
        strange = [v for v in dimensions[first].values if not _inside(v, reach)]
        if strange:
            raise bad(where, f"{shown(strange[0])} for {pointer}", f"only {_reach(reach)}")


def _check_sum(linked: list[Dimension], total: float, where: str) -> None:
    """One grid for all, on which the baseline's sum lies: so every narrowed range has no holes."""
    steps = {d.step for d in linked}
    if len(steps) > 1 or not all(type(v) is int for d in linked for v in d.values):
        raise bad(where, "unlike or broken steps", "whole numbers of one step for a sum")
    if (total - sum(d.values[0] for d in linked)) % steps.pop():
        raise bad(where, f"a sum of {total} beside the grid", "lows and a step that meet it")


def _reach(reach: Range | tuple[Any, ...]) -> str:
    if isinstance(reach, Range):
        return f"{reach.low} to {reach.high}"
    return ", ".join(map(shown, reach))
