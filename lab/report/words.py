"""Numbers, names and bands in the words of a report."""

import math
import re
from collections.abc import Sequence
from typing import Any

from lab.jsonfile import split
from lab.metrics import SHARE


def amount(value: float, unit: str) -> str:
    """A measured value: `51.2%`, `18.4 rounds`; a dash where nothing was measured."""
    if math.isnan(value):
        return "–"
    return f"{100 * value:.1f}%" if unit == SHARE else f"{value:.1f} {unit}"


def span(low: float, high: float, unit: str) -> str:
    """An interval: `50.1% to 52.3%`, `18.1 to 18.7 rounds`."""
    if unit == SHARE or math.isnan(low + high):
        return f"{amount(low, unit)} to {amount(high, unit)}"
    return f"{low:.1f} to {high:.1f} {unit}"


def distance(value: float, unit: str) -> str:
    """How far two values are apart: `1.2 points`, `0.4 rounds`."""
    return f"{100 * value:.1f} points" if unit == SHARE else amount(value, unit)


def apart(value: float, unit: str) -> str:
    """How far a value lies above another: `+1.2 points`, `-0.4 rounds`; a dash if not known."""
    if math.isnan(value):
        return "–"
    return f"{100 * value:+.1f} points" if unit == SHARE else f"{value:+.1f} {unit}"


def band(low: float, high: float, unit: str) -> str:
    """What a target asks for: `48% to 52%`, `at most 15%`, `12 to 30 rounds`."""
    scale, sign = (100, "%") if unit == SHARE else (1, f" {unit}")
    if low <= 0:
        return f"at most {scale * high:g}{sign}"
    if unit == SHARE and high >= 1:
        return f"at least {scale * low:g}{sign}"
    return f"{scale * low:g}{sign if unit == SHARE else ''} to {scale * high:g}{sign}"


def setting(value: Any) -> str:
    """A value of the rules: numbers and names as they are, switches as on and off.

    What holds nothing is none.
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if value in ([], {}):
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def label(pointer: str) -> str:
    """A pointer as words: `/start/resources/1` is `start resources no. 2`."""
    words = ""
    for token in split(pointer):
        words += f" no. {int(token) + 1}" if token.isdecimal() else f" {token.replace('_', ' ')}"
    return words.strip()


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 target`, `12,000 games`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listing(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


def short(policies: Sequence[str]) -> dict[str, str]:
    """What tells policies apart: `spend:piece=rook,gold=9` beside one for queens is `rook`."""
    parts = {policy: re.split("[:,]", policy) for policy in policies}
    shared = set.intersection(*map(set, parts.values()))
    own = {
        policy: [part for part in found if part not in shared] for policy, found in parts.items()
    }
    if len(parts) == 1 or not all(own.values()):
        return {policy: policy for policy in policies}
    keys = {part.rpartition("=")[0] for found in own.values() for part in found}
    if len(keys) == 1 and all(len(found) == 1 for found in own.values()):
        return {policy: found[0].rpartition("=")[2] for policy, found in own.items()}
    return {policy: ", ".join(found) for policy, found in own.items()}
