"""How tests set up runs and battles of Wargambit."""

from lab.catalog import load_game, load_rules
from lab.games.wargambit.arena import Arena
from lab.games.wargambit.fen import parse_army
from lab.play import Position

GAME = load_game("wargambit")
SAFE = {"/run/hp": 100, "/damage/most": 2}
"""Rules under which nobody is out within ten rounds."""
TURNED = str.maketrans("12345678", "87654321")
"""The ranks of a board, the colours exchanged."""


def opened(*words, changes=None, seed=0):
    """A game of which these actions were played; `changes` as of `Rules.override`."""
    rules = load_rules("wargambit").override(changes or {})
    return play(Position(GAME, rules, seed), *words)


def run(second="ghost", changes=None, seed=0):
    """A run in the first shop."""
    return opened("ready", second, changes=changes, seed=seed)


def play(position, *words):
    """Play actions, which have to be legal."""
    for word in words:
        assert word in listed(position)
        position.play(GAME.view.parse_action(position.record, word))
    return position


def listed(position):
    """The legal actions as texts."""
    return [GAME.view.action_text(position.record, action) for action in position.legal()]


def told(position, key, side=None):
    """A word of the position's text; of a pair one seat's."""
    value = dict(word.split("=") for word in position.text().split(" "))[key]
    return value if side is None else value.split("/")[side]


def give(position, army, side=0, **numbers):
    """Other pieces and other numbers for a seat."""
    position.state["army"][side] = parse_army(army)
    for key, number in numbers.items():
        position.state[key][side] = number
    return position


def to_the_end(position):
    """Every position in which a seat has to decide, nobody but fighting."""
    while told(position, "phase") != "over":
        yield position
        play(position, "ready")


def arena_of(rules):
    """The battles of the reference's rules."""
    changed = {f"/{key}": rules[key] for key in ("arsenal", "shop", "battle", "synergies")}
    return Arena(load_rules("wargambit").override(changed))


def mirrored(fen):
    """The same position with the colours exchanged."""
    rows, mover, rights, passed, quiet, number = fen.split()
    rows = "/".join(reversed(rows.swapcase().split("/")))
    rights = "".join(sorted(rights.swapcase()))
    mover = {"w": "b", "b": "w"}[mover]
    return " ".join([rows, mover, rights, passed.translate(TURNED), quiet, number])
