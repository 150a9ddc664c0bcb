"""The numbers of a scan and the values they take, as a person writes them or from Python."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from lab.document import Range, bounds
from lab.errors import bad
from lab.experiment.ranges import dimension_of
from lab.experiment.space import Dimension
from lab.jsonfile import shown
from lab.rules import Rules, parse_setting
from lab.tomlfile import blaming

FORM = "/pointer=a..b[:step] or /pointer=x,y,z"
NUMBER = r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?"
Values = str | Iterable[Any]
SWITCH = {"on": True, "off": False}


def read_pointers(texts: Sequence[str]) -> dict[str, str]:
    """`/pointer=3..7` and the like as pointers with the text of their values; each once."""
    found: dict[str, str] = {}
    for text in texts:
        pointer, equals, values = text.partition("=")
        if not equals or not pointer.startswith("/") or not values.strip():
            raise bad("vary", shown(text), FORM)
        if pointer in found:
            raise bad("vary", f"{pointer} twice", "each pointer once")
        found[pointer] = values
    return found


def read_dimension(pointer: str, values: Values, rules: Rules) -> Dimension:
    """The values asked for, numbers in ascending order; BadInput for what the rules do not take."""
    known = rules.pointers()
    text = f"{pointer}={values}" if isinstance(values, str) else pointer
    if pointer not in known:
        raise bad(text, "an unknown pointer", "a number or choice of the rules", pointer, known)
    with blaming(text):
        reach = bounds(type(rules.document), pointer)
    if isinstance(values, str) and ".." in values:
        return dimension_of(pointer, _range(values, text), rules, text)
    listed = _list(pointer, values) if isinstance(values, str) else _plain(values)
    choices = [_typed(value, reach) for value in listed]
    if not choices:
        raise bad(text, "no values", "one or more")
    found = dimension_of(pointer, {"choices": choices}, rules, text)
    return replace(found, values=tuple(sorted(choices))) if isinstance(reach, Range) else found


def _range(values: str, text: str) -> dict[str, float]:
    match = re.fullmatch(rf"\s*({NUMBER})\.\.({NUMBER})(?::({NUMBER}))?\s*", values)
    if match is None:
        raise bad("vary", shown(text), FORM)
    low, high, step = (float(number or 1) for number in match.groups())
    count = (high - low) / step if step else 0
    if abs(count - round(count)) > 1e-9 * max(1, abs(count)):
        raise bad(
            text, f"a step of {step:g} from {low:g} to {high:g}", "one that divides the range"
        )
    return {"low": low, "high": high, "step": step}


def _list(pointer: str, values: str) -> list[Any]:
    parts = values.split(",")
    if not all(part.strip() for part in parts):
        raise bad("vary", shown(f"{pointer}={values}"), FORM)
    return [parse_setting(f"{pointer}={part.strip()}")[1] for part in parts]


def is_number(one: Dimension) -> bool:
    """Whether a unit more of it means anything: it is neither a name nor a switch."""
    return type(one.values[0]) in (int, float)


def _plain(values: Iterable[Any]) -> list[Any]:
    """The values as Python's own; an array's are numpy's."""
    found = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(found, Iterable):
        raise bad("vary", repr(found), "values in a list, or as in 3..7")
    return list(found)


def _typed(value: Any, reach: Any) -> Any:
    """A value as the rules hold it: switches are also on and off, fractions also whole."""
    if isinstance(reach, Range):
        whole = type(value) is int and isinstance(reach.low, float)
        return float(value) if whole else value
    return SWITCH.get(value, value) if bool in map(type, reach) and type(value) is str else value
