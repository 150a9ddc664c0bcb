"""Rules for tests: short ones, and those drawn at random inside what a game's document allows."""

from copy import deepcopy
from typing import Literal, get_args, get_origin

from pydantic import ValidationError

from lab.catalog import GAMES, load_game, load_rules
from lab.document import is_model, item_of, limit, trail
from lab.jsonfile import leaves, split, step
from tests import boards

SMALL = {
    "/map/half_min": 12,
    "/map/half_max": 12,
    "/map/strongholds": "share",
    "/map/low": 15,
    "/map/high": 20,
    "/map/distance": 100,
    "/map/radius": 10_000,
    "/map/outer": 24,
}
"""Maps of NEXT NATION of 25 regions, on which armies soon meet, whatever the other rules."""

SHORT = {"next_nation": SMALL | {"/days": 16}, "junqi": {"/draw/quiet_limit": 20}}
"""What makes the games of a game so short that a test can list, search and compare all the way."""

SUMS, NOWHERE = {"junqi": "/count/"}, "nowhere"
"""Numbers that keep their sum: what one of them gains another one loses."""

FITS = {"junqi": boards.fit}
"""Where values depend on one another: what follows a value that has moved, before it is judged."""

TELLING = {"/battle/quiet_limit": (0, 1, 5, 12, 30, 200)}
"""What is drawn where nearly all of a range tells nothing: battles end before such a limit."""


def shortened(rules):
    """Rules of shorter games, where whole ones take too long to test: ants' do not."""
    return rules.override(SHORT.get(rules.game, {}))


def short_rules(name):
    """The shipped rules, shortened: under them a test can play every player, `search` too."""
    return shortened(load_rules(name))


def draw_rules(document_class, rng):
    """A valid "rules" object, drawn by a `random.Random`.

    Half of the time a few values of the shipped rules move, so that games stay lively; else every
    value does, and again, so that those that depend on one another get far. What the document
    refuses is taken back.
    """
    data = load_rules(_name(document_class)).document.model_dump()
    few = rng.random() < 0.5
    for _ in range(1 if few else 3):
        pointers = list(leaves(data, inner=True))
        for pointer in rng.sample(pointers, rng.randint(1, 12) if few else len(pointers)):
            _move(document_class, data, pointer, rng)
    return data


def changes(rules, pointer, value):
    """What to override to give a number a value: it, and where it is one of SUMS another one."""
    place = SUMS.get(rules.game, NOWHERE)
    if not pointer.startswith(place):
        return [{pointer: value}]
    gained = value - rules.value(pointer)
    others = [p for p in rules.pointers() if p.startswith(place) and p != pointer]
    return [{pointer: value, other: rules.value(other) - gained} for other in others]


def _move(document_class, data, pointer, rng):
    """Give the pointer another value, unless no valid one is found soon."""
    *above, last = split(pointer)
    info, telling = trail(document_class, pointer)[-1], TELLING.get(pointer)
    fit = FITS.get(_name(document_class))
    for _ in range(3):
        new = deepcopy(data)
        place = new
        try:
            for token in above:
                place = step(place, token)
            old = step(place, last)
        except LookupError:  # its list has become shorter
            return
        key = int(last) if isinstance(place, list) else last
        place[key] = rng.choice(telling) if telling else _drawn(info, old, rng)
        if fit is not None:
            fit(new, pointer, rng)
        try:
            document_class.model_validate(new)
        except ValidationError:
            continue
        data.update(new)
        return


def _name(document_class):
    """The game whose document this is."""
    return next(name for name in GAMES if load_game(name).document is document_class)


def _drawn(info, old, rng):
    """What a field may hold by itself: a list cut and shuffled or new, a number often an end."""
    kind = info.annotation
    if is_model(kind):
        fields = kind.model_fields.items()
        return {key: _drawn(field, old and old[key], rng) for key, field in fields}
    if get_origin(kind) is list:
        least, most = limit(info, "min_length") or 0, limit(info, "max_length")
        if old and rng.random() < 0.5:
            return rng.sample(old, rng.randint(least, len(old)))
        count = rng.choice([least, most, rng.randint(least, most)])
        return [_drawn(item_of(info), None, rng) for _ in range(count)]
    if get_origin(kind) is Literal:
        return rng.choice(get_args(kind))
    if kind is bool:
        return rng.random() < 0.5
    low, high = limit(info, "ge"), limit(info, "le")
    inside = rng.uniform(low, high) if kind is float else rng.randint(low, high)
    return rng.choice([low, high, inside, inside])
