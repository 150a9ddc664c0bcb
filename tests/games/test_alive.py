"""Every number in the rules is alive: to move it across its range changes some outcome.

Some numbers matter only under another choice than the shipped one, or where games come further than
the policies bring them: it is enough that they tell there.
"""

import pytest

from lab.catalog import GAMES, load_game
from lab.document import Range, bounds, extra, trail
from lab.errors import BadInput
from lab.selfplay import simulate
from tests.games.test_symmetry import variants
from tests.rulesets import changes
from tests.seats import fit, own, table

FURTHER = {
    "next_nation": {"/hq/cost": [0, 0, 0, 0], "/base/cost": [0, 0, 0], "/warrior/move": 200},
    "wargambit": {
        "/income/first": 20,
        "/income/most": 20,
        "/shop/slots": 6,
        "/shop/price/knight": 4,
        "/shop/price/lance": 1,  # in lines of lances kings are stalemated
        "/shop/price/pawn": 3,
    }
    | {f"/shop/tier/{piece}": 1 for piece in ("bishop", "rook", "queen", "cannon")}
    | {f"/shop/weight/{piece}": 30 for piece in ("pawn", "bishop", "rook", "queen")}
    | {"/shop/weight/lance": 90},
}
"""What brings games further: to top levels, where buildings are repaired; to rich armies."""


@pytest.mark.parametrize("name", GAMES)
def test_every_number_is_alive(name):
    shipped, *others = variants(name)
    model, before = type(shipped.document), list(outcomes(shipped))
    used_by_kernels = (
        pointer
        for pointer in shipped.pointers()
        if not any(extra(info, "used_by") for info in trail(model, pointer))
    )
    dead = {pointer for pointer in used_by_kernels if not tells(shipped, before, pointer)}
    further = shipped.override(FURTHER.get(name, {}))
    for other in (*others, further):
        asked = [p for p in dead if other is further or isinstance(bounds(model, p), Range)]
        if asked:
            before = list(outcomes(other))
            dead -= {pointer for pointer in asked if tells(other, before, pointer)}
    assert dead == set()


def tells(rules, before, pointer):
    """Whether one other value of a number changes an outcome; of a choice, every other one."""
    if isinstance(bounds(type(rules.document), pointer), Range):
        return any(differs(outcomes(moved), before) for moved in moves(rules, pointer))
    others = [new for value in values(rules, pointer) for new in valid(rules, {pointer: value})]
    return all(differs(outcomes(moved), before) for moved in others)


def differs(found, before):
    """Whether some table of games is another one; the first that is ends the playing."""
    return any(rows and rows != known for rows, known in zip(found, before, strict=True))


def outcomes(rules):
    """Rows of some games in which every policy plays in both seats, a table at a time.

    A table whose policies the rules have no room for has none: that alone tells nothing.
    """
    game = load_game(rules.game)
    tables = [table(game.name, player, own) for player in own(game.name)]
    mirror = (game.rivals()[0], game.rivals()[0])
    for seats in (mirror, *tables):
        fits = fit(rules, seats)
        yield simulate(rules, *seats, games=40, seed=17).rows() if fits else []


def moves(rules, pointer):
    """The rules with another value there; or with rows exchanged, in the lists it is part of."""
    for value in values(rules, pointer):
        for wanted in changes(rules, pointer, value):
            yield from valid(rules, wanted)
    place, _, index = pointer.rpartition("/")
    while place:
        rows = rules.value(place)
        for other in range(len(rows)) if isinstance(rows, list) else ():
            swapped = list(rows)
            swapped[int(index)], swapped[other] = rows[other], rows[int(index)]
            for moved in valid(rules, {place: swapped}):
                if moved.pointers().get(pointer) != rules.value(pointer):
                    yield moved
        place, _, index = place.rpartition("/")


def values(rules, pointer):
    """What else may stand there: every choice; a number's neighbours, ends and middle."""
    now, found = rules.value(pointer), bounds(type(rules.document), pointer)
    if isinstance(found, Range):
        low, high = found
        whole = isinstance(low, int)
        found = [now - 1, now + 1] if whole else []
        found += [low, high, (low + high) // 2 if whole else (low + high) / 2]
    return [value for value in dict.fromkeys(found) if value != now]


def valid(rules, wanted):
    """The changed rules, or none where the document refuses them."""
    try:
        return [rules.override(wanted)]
    except BadInput:
        return []
