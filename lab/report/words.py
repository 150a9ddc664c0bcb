"""Numbers, names and bands in the words of a report."""

import math
import re
from collections.abc import Sequence
from typing import Any

from lab.jsonfile import split
from lab.metrics import SHARE
from lab.report.language import find, say
from lab.report.language import unit as unit_word


def amount(value: float, unit: str) -> str:
    """A measured value: `51.2%`, `18.4 rounds`; a dash where nothing was measured."""
    if math.isnan(value):
        return "–"
    return f"{100 * value:.1f}%" if unit == SHARE else _with_unit(f"{value:.1f}", unit)


def span(low: float, high: float, unit: str) -> str:
    """An interval: `50.1% to 52.3%`, `18.1 to 18.7 rounds`."""
    if unit == SHARE or math.isnan(low + high):
        return between(amount(low, unit), amount(high, unit))
    return _with_unit(between(f"{low:.1f}", f"{high:.1f}"), unit)


def between(low: str, high: str) -> str:
    """`48% to 52%`."""
    return say("{low} to {high}", low=low, high=high)


def distance(value: float, unit: str) -> str:
    """How far two values are apart: `1.2 points`, `0.4 rounds`."""
    return points(f"{100 * value:.1f}") if unit == SHARE else amount(value, unit)


def apart(value: float, unit: str) -> str:
    """How far a value lies above another: `+1.2 points`, `-0.4 rounds`; a dash if not known."""
    if math.isnan(value):
        return "–"
    return points(_moved(value, unit)) if unit == SHARE else _with_unit(_moved(value, unit), unit)


def apart_span(low: float, high: float, unit: str) -> str:
    """An interval of a difference: `+0.4 to +2.0 points`."""
    if math.isnan(low + high):
        return between(apart(low, unit), apart(high, unit))
    both = between(_moved(low, unit), _moved(high, unit))
    return points(both) if unit == SHARE else _with_unit(both, unit)


def _moved(value: float, unit: str) -> str:
    return f"{(100 if unit == SHARE else 1) * value:+.1f}"


def points(number: str) -> str:
    """A difference of two shares: `1.2 points`."""
    return say("{number} points", number=number)


def _with_unit(number: str, unit: str) -> str:
    """`18.4 rounds`."""
    return say("{number} {unit}", number=number, unit=unit_word(unit))


def band(low: float, high: float, unit: str) -> str:
    """What a target asks for: `48% to 52%`, `at most 15%`, `12 to 30 rounds`.

    Whether numbers may be below 0 their unit does not tell, so that both ends are named.
    """
    lowest, highest = (f"{(100 if unit == SHARE else 1) * end:g}" for end in (low, high))
    if unit == SHARE:
        lowest, highest = f"{lowest}%", f"{highest}%"
    if low <= 0 and unit == SHARE:
        return say("at most {most}", most=highest)
    if unit == SHARE and high >= 1:
        return say("at least {least}", least=lowest)
    both = between(lowest, highest)
    return both if unit == SHARE else _with_unit(both, unit)


def setting(value: Any) -> str:
    """A value of the rules: numbers and names as they are, switches as on and off.

    What holds nothing is none.
    """
    if isinstance(value, bool):
        return say("on") if value else say("off")
    if value in ([], {}):
        return say("none")
    return f"{value:g}" if isinstance(value, float) else str(value)


def label(pointer: str) -> str:
    """A pointer as words: `/start/resources/1` is `start resources no. 2`.

    Another language has a word for each; `[]` stands there for a row and `{}` for its number.
    """
    tokens = split(pointer)
    rows = [str(int(token) + 1) for token in tokens if token.isdecimal()]
    known = find("numbers", pointer) or find("numbers", re.sub(r"/\d+(?=/|$)", "[]", pointer))
    if known:
        return known.format(*rows)
    own = find("numbers", f"/{tokens[0]}[]") if len(tokens) == 2 else None
    if own:  # of what a run notes by name
        return own.format(label(tokens[1]) if tokens[1][:1] == "/" else tokens[1])
    words = ""
    for token in tokens:
        words += f" no. {int(token) + 1}" if token.isdecimal() else f" {token.replace('_', ' ')}"
    return words.strip()


def named(name: str) -> str:
    """What a target or a measure is called: `first_score` is `first score`.

    A name that a person gave stays; of `first_score at rush` and `score of rush` the rest does.
    """
    known = find("metrics", name)
    if known:
        return known
    for english in ("{name} at {rest}", "{name} of {rest}"):
        word = english.removeprefix("{name}").removesuffix("{rest}")
        metric, found, rest = name.partition(word)
        if found and find("metrics", metric):
            return say(english, name=named(metric), rest=rest)
    return say(name).replace("_", " ")


def pairing(matchup: str) -> str:
    """Who plays: a name, `rush mirror`, or `rush v siege`."""
    if matchup.endswith(" mirror"):
        return say("{policy} mirror", policy=matchup.removesuffix(" mirror"))
    first, versus, second = matchup.partition(" v ")
    return say("{first} v {second}", first=first, second=second) if versus else say(matchup)


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 target`, `12,000 games`."""
    known = find("nouns", noun)
    if known:
        return known.format(f"{number:,}")
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listing(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    last = say(" and ")
    return last.join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


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
