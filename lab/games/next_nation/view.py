"""A position and an action of NEXT NATION as text, and read back from it (README 13)."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import numpy as np

from lab.errors import bad
from lab.games.next_nation import generator, maps
from lab.games.next_nation.picture import position_svg as svg
from lab.games.next_nation.rules import MOST_REGIONS, MOST_WARRIORS, Map
from lab.games.next_nation.state import (
    ACTION_KINDS,
    DAY_LIMIT,
    DRAW,
    END,
    ENDING,
    ENDINGS,
    HQ_DESTROYED,
    KIND,
    LEFT,
    MOVE,
    NONE,
    RIGHT,
    RUNNING,
    STATE,
    WHO,
)
from lab.line import Word, words_of

__all__ = ["action_text", "parse", "parse_action", "svg", "text"]

SIDES = ("left", "right")
LETTERS = "LR"
PHASES = ("upgrade", "move", "end")
PAIRS = ("gold", "training", "born")
KEYS = ("map", "day", "turn", "phase", *PAIRS, "raised", *SIDES, "buildings")
OVER = {"turn": "right", "phase": "end", "training": "0/0", "raised": "-"}
ENDED = tuple(ending.lower().replace(" ", "-") for ending in ENDINGS)
ORDERS = ("end", "upgrade r", "move w r", "train n")

MOST_GOLD = 100_000_000
"""More than any game can earn, and far from the ends of the outcome's integers."""


# --- writing ------------------------------------------------------------------------------------


def text(record: Any, state: Any) -> str:
    """The position in one line; `record` are the packed rules, `state` a STATE."""
    world = record["maps"][state["slot"]]
    words = [f"map={world['seed']}", f"day={state['day']}"]
    words += [f"turn={SIDES[state['side']]}", f"phase={PHASES[state['phase']]}"]
    words += [f"{key}={state[key][LEFT]}/{state[key][RIGHT]}" for key in PAIRS]
    places = world["place"][: world["sites"]].tolist()
    raised = int(state["raised"][LEFT] | state["raised"][RIGHT])
    words += [f"raised={_listed(r for site, r in _by_region(places) if raised >> site & 1)}"]
    words += [f"{SIDES[side]}={_listed(_warriors(state, side))}" for side in (LEFT, RIGHT)]
    words += [f"buildings={_listed(_buildings(state, places))}"]
    if state["ending"] != RUNNING:
        words += [f"ending={ENDED[state['ending']]}"]
    return " ".join(words)


def _listed(items: Iterable[object]) -> str:
    return ";".join(map(str, items)) or "-"


def _by_region(places: list[int]) -> list[tuple[int, int]]:
    """Sites and their regions, by region."""
    return sorted(enumerate(places), key=lambda pair: pair[1])


def _warriors(state: Any, side: int) -> Iterator[str]:
    living = int(state["living"][side])
    columns = (state[key][side, :living].tolist() for key in ("number", "place", "health"))
    targets = state["target"][side, :living].tolist()
    for number, place, health, target in zip(*columns, targets, strict=True):
        yield f"{number}:{place}:{health}" + (f">{target}" if target != NONE else "")


def _buildings(state: Any, places: list[int]) -> Iterator[str]:
    for site, region in _by_region(places):
        for side, letter in enumerate(LETTERS):
            if state["level"][side, site]:
                yield f"{letter}{region}:{state['level'][side, site]}:{state['hp'][side, site]}"


def action_text(record: Any, action: int) -> str:
    """An order as README 5 has it."""
    kind, rest = divmod(int(action), KIND)
    who, value = divmod(rest, WHO)
    numbers = {END: [], MOVE: [who, value]}.get(kind, [value])
    return " ".join([ACTION_KINDS[kind], *map(str, numbers)])


# --- reading ------------------------------------------------------------------------------------


def parse_action(record: Any, text: str) -> int:
    """The order of a text, legal or not; BadInput with the nearest order."""
    names = {order.split()[0]: order.split()[1:] for order in ORDERS}
    kind, *numbers = text.split() or [""]
    if kind not in names or len(numbers) != len(names[kind]):
        raise bad("action", repr(text), "one of " + ", ".join(ORDERS), text, ORDERS)
    limits = {
        "r": (0, MOST_REGIONS - 1),
        "w": (1, MOST_WARRIORS),
        "n": (0, int(max(record["hq"]["train"]))),
    }
    word = Word(f"action {text!r}", text)
    values = [word.number(n, *limits[name]) for name, n in zip(names[kind], numbers, strict=True)]
    who, value = [0, 0, *values][-2:]
    return ACTION_KINDS.index(kind) * KIND + who * WHO + value


def parse(record: Any, text: str) -> Any:
    """The STATE record of a position's text; its words and lists may come in any order.

    The map it names is put into slot 0 of the record, unless a slot holds it. What the kernels
    keep beside a position, from the living to the force in a region, is filled too. Raises
    BadInput that names the word at fault.
    """
    words = words_of(text, KEYS, ("ending",))
    state: Any = np.zeros(1, STATE)[0]
    state["viewer"] = NONE
    _read_turn(record, words, state)
    held = _held(record, words["map"])
    state["slot"] = held or 0
    world = _made(record, words["map"]) if held is None else record["maps"][held]
    _read_pairs(record, words, state)
    for side in (LEFT, RIGHT):
        _read_warriors(record, world, words[SIDES[side]], state, side)
    _read_buildings(record, world, words["buildings"], state)
    _read_raised(world, words["raised"], state)
    _read_training(record, words["training"], state)
    if held is None:  # now that nothing can be refused any more
        maps.put(record, 0, world)
    return state


def _read_turn(record: Any, words: dict[str, Word], state: Any) -> None:
    """Which day it is, who orders what, and whether it is over: then as RIGHT's `end` left it."""
    state["day"] = words["day"].number(words["day"].value, 1, int(record["days"]))
    state["side"] = words["turn"].choice(SIDES)
    state["phase"] = words["phase"].choice(PHASES)
    state["ending"], state["winner"] = RUNNING, DRAW
    if "ending" not in words:
        return
    state["ending"] = words["ending"].choice(ENDED)
    for key, last in OVER.items():
        if words[key].value != last:
            raise words[key].bad(words[key].value, f"{last} when the game is over")
    if state["ending"] == DAY_LIMIT and state["day"] != record["days"]:
        raise words["ending"].bad(f"day {state['day']}", f"day {record['days']}")


def _held(record: Any, word: Word) -> int | None:
    """The slot in which the record holds the map of a seed."""
    if not re.fullmatch(r"-?[0-9]{1,19}", word.value) or not -(2**63) <= int(word.value) < 2**63:
        raise word.bad(word.value, "a seed, a whole number of 64 bits")
    seeds, filled = record["maps"]["seed"], record["maps"]["n"] > 0
    slots = np.flatnonzero(filled & (seeds == int(word.value)))
    return int(slots[0]) if slots.size else None


def _made(record: Any, word: Word) -> Any:
    """The map of a seed, by the rules that the record was packed from."""
    if int(word.value) == NONE:
        raise word.bad(word.value, "the seed of a map, or a map that is already here")
    packed = record["map"]
    values = {name: packed[name].item() for name in Map.model_fields}
    kinds = get_args(Map.model_fields["strongholds"].annotation)
    values["strongholds"] = kinds[values["strongholds"]]
    return generator.generate(Map(**values), int(word.value))[0]


def _read_pairs(record: Any, words: dict[str, Word], state: Any) -> None:
    """Gold, and warriors so far: no more than leave room for all that may still come."""
    running = state["ending"] == RUNNING
    days = int(record["days"] - state["day"]) + 1 if running else 0
    most = MOST_WARRIORS - days * int(max(record["hq"]["train"]))
    state["gold"] = words["gold"].pair("/", MOST_GOLD)
    state["born"] = words["born"].pair("/", most)


def _read_warriors(record: Any, world: Any, word: Word, state: Any, side: int) -> None:
    born, regions = int(state["born"][side]), int(world["n"])
    healthiest = int(max(record["hq"]["warrior_hp"]))
    found: dict[int, tuple[int, int, int]] = {}
    for item in word.items():
        match = re.fullmatch(r"(\d+):(\d+):(\d+)(?:>(\d+))?", item)
        if not match:
            raise word.bad(item, "a warrior number:region:hp, perhaps with >region")
        number = word.number(match[1], 1, born)
        if number in found:
            raise word.bad(f"warrior {number} twice", "each warrior once")
        region = word.number(match[2], 0, regions - 1)
        hp = word.number(match[3], 1, healthiest)
        found[number] = region, hp, word.number(match[4], 0, regions - 1) if match[4] else NONE
    state["living"][side] = len(found)
    for i, (number, (region, hp, target)) in enumerate(sorted(found.items())):
        for key, value in zip(
            ("number", "place", "health", "target"), (number, region, hp, target), strict=True
        ):
            state[key][side, i] = value
        state["force"][side, region] += 1
        state["marching"][side] += target != NONE
    state["held"][side] = _bits(region for region, _, _ in found.values())


def _read_buildings(record: Any, world: Any, word: Word, state: Any) -> None:
    """4.2 The buildings, one on a site, an HQ only in its own place; and who has won by them."""
    for item in word.items():
        match = re.fullmatch(r"([LR])(\d+):(\d+):(\d+)", item)
        if not match:
            raise word.bad(item, "a building such as L0:1:10, side region:level:hp")
        side, region = LETTERS.index(match[1]), word.number(match[2], 0, int(world["n"]) - 1)
        site = int(world["site"][region])
        if site == NONE:
            raise word.bad(f"region {region}", "a stronghold or an HQ's region")
        if site in (LEFT, RIGHT) and site != side:
            raise word.bad(item, f"only {SIDES[site].upper()}'s HQ in region {region}")
        if state["level"][:, site].any():
            raise word.bad(f"a second building in region {region}", "at most one")
        kind = record["hq"] if site in (LEFT, RIGHT) else record["base"]
        level = word.number(match[3], 1, len(kind["hp"]))
        state["level"][side, site] = level
        state["hp"][side, site] = word.number(match[4], 1, int(kind["hp"][level - 1]))
    places = world["place"]
    for side in (LEFT, RIGHT):
        sites = np.flatnonzero(state["level"][side]).tolist()
        state["owned"][side] = _bits(sites)[0]
        state["built"][side] = _bits(int(places[site]) for site in sites)
    left, right = (int(state["hp"][side, side]) for side in (LEFT, RIGHT))
    if state["ending"] != RUNNING:
        state["winner"] = DRAW if left == right else LEFT if left > right else RIGHT
    if (state["ending"] == HQ_DESTROYED) != (left == 0 or right == 0):
        raise word.bad("an HQ destroyed" if not left * right else "both HQs", "ending to say so")


def _read_raised(world: Any, word: Word, state: Any) -> None:
    """5.1 Each region of `raised` belongs to the one side that has warriors there."""
    for item in word.items():
        region = word.number(item, 0, int(world["n"]) - 1)
        site, force = int(world["site"][region]), state["force"][:, region]
        side = RIGHT if force[RIGHT] else LEFT
        alone = (force > 0).sum() == 1
        if site == NONE or not alone or state["level"][1 - side, site]:
            raise word.bad(item, "a site where one side alone has warriors and may build")
        if side > state["side"]:
            raise word.bad(item, "no upgrade of RIGHT while LEFT is to order")
        if int(state["raised"][side]) >> site & 1:
            raise word.bad(f"region {region} twice", "each region once")
        state["raised"][side] |= np.uint64(1 << site)


def _read_training(record: Any, word: Word, state: Any) -> None:
    """5.3 At most as many as the HQ allows, and none before the side has ordered them."""
    limits = record["hq"]["train"]
    for side, count in enumerate(word.pair("/", int(max(limits)))):
        ordered = (side, ENDING) <= (state["side"], state["phase"])
        level = int(state["level"][side, side]) + (int(state["raised"][side]) >> side & 1)
        most = int(limits[min(level, len(limits)) - 1]) if ordered else 0
        state["training"][side] = word.number(str(count), 0, most)


def _bits(regions: Iterable[int]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """A set of regions as four words of bits."""
    mask = sum(1 << region for region in set(regions))
    return np.array([mask >> 64 * word & 2**64 - 1 for word in range(4)], np.uint64)
