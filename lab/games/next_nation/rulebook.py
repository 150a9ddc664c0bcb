"""What the rulebook works out from the numbers: sizes of maps, fights, what being late costs."""

from typing import Any, NamedTuple

from lab.games.next_nation import generator
from lab.games.next_nation.rules import NextNation


class Size(NamedTuple):
    """A map's regions, and the least and most strongholds on it; `least` > `most` is none."""

    regions: int
    least: int
    most: int


class Building(NamedTuple):
    """An enemy building of level 1, where a fight is: whether an HQ, its strikes and hp."""

    hq: bool
    turret: int
    hp: int


class Fight(NamedTuple):
    """A worked fight: the hp of either side's warriors by number, before and after."""

    ours: list[int]
    theirs: list[int]
    building: Building | None
    left: tuple[list[int], list[int]]
    standing: int  # hp of the building afterwards


def facts(rules: NextNation) -> dict[str, Any]:
    """Everything the templates work out; the names are the templates'."""
    hp = rules.hq.warrior_hp[0]
    base = Building(False, rules.base.turret[0], rules.base.hp[0])
    hq = Building(True, rules.hq.turret[0], rules.hq.hp[0])
    clock = rules.clock
    earned = rules.warrior.work * rules.base.work[0]
    return {
        "sizes": [_size(rules, half) for half in (rules.map.half_min, rules.map.half_max)],
        "fights": [
            fight([hp] * 2, [hp]),
            fight([hp] * 3, [hp] * 3),
            fight([hp] * 4, [], base),
            fight([hp] * (2 * hp + 2), [hp] * 2, hq),
        ],
        "siege": fight([hp] * 4, [min(hp, 2)], base),
        "earned": earned,
        "payback": -(-rules.base.cost[0] // earned) if earned else None,
        "late": clock.day + clock.token + 1,  # ms that cost two tokens
        "longest": clock.day + clock.tokens * clock.token,
    }


def _size(rules: NextNation, half: int) -> Size:
    least, most = generator.plan(rules.map).pairs[half].tolist()
    return Size(2 * half + 1, 2 * least + 1, 2 * most + 1)


def fight(ours: list[int], theirs: list[int], building: Building | None = None) -> Fight:
    """README 6.4 and 6.5: what a day's strikes leave, beside an enemy building if there is one."""
    turret, hp = (building.turret, building.hp) if building else (0, 0)
    ours_left, _ = _struck(ours, len(theirs) + turret)
    theirs_left, unused = _struck(theirs, len(ours))
    return Fight(ours, theirs, building, (ours_left, theirs_left), max(0, hp - unused))


def _struck(warriors: list[int], strikes: int) -> tuple[list[int], int]:
    """Who still has hp, and the strikes that found nobody; the weakest take them first."""
    left = list(warriors)
    for weakest in sorted(range(len(left)), key=lambda i: left[i]):
        hits = min(strikes, left[weakest])
        left[weakest] -= hits
        strikes -= hits
    return [hp for hp in left if hp], strikes
