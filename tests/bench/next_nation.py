"""How fast NEXT NATION is played, by days, and how fast its maps are made.

The loop of days is timed with the maps in their places; `simulate` with a pool of maps that is on
disk, as in every run but the first, and with none. The reference replays orders that our policies
gave in the games of the same seed: it runs the same days, checks every order, and decides nothing.
The kernels do the same once more, rules against rules, and play whole games, policies and all.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np

import lab
from lab.catalog import load_game
from lab.games.next_nation import bank
from lab.jit import blank, kernel
from lab.play import open_game, play_action, play_rows, trace
from tests.bench.harness import Best, Case, Row, Work, mirror
from tests.reference import next_nation

GAMES = bank.BLOCK
REFERENCE_GAMES = 3
NEVER_PLAYED = 1_000
"""Above all rounds: runs whose maps no other case has made."""

GAME = load_game("next_nation")
RULES = lab.load_rules("next_nation")
NUMBERS = json.loads(RULES.json())["rules"]
POLICIES = {"random": "random", "economy": "economy", "army": "economy:army=16"}
"""By the names of their cases; `army` keeps about 20 warriors a side."""


@contextmanager
def own_pool() -> Iterator[None]:
    """A pool of maps that is empty at first and gone in the end."""
    with TemporaryDirectory() as place:
        Path(place, "maps").mkdir()
        with patch.object(bank, "folder", lambda: place):
            yield


def loop(policy: str) -> Case:
    """The days of a mirror, the maps in their places."""

    def ready(number: int) -> Callable[[], Work]:
        record = GAME.record(RULES, number, range(GAMES))
        policies = GAME.policy_rows(policy, policy)

        def run() -> Work:
            played, _, _ = play_rows(GAME, record, policies, number, 0, GAMES)
            return {"days": played["length"].sum()}

        return run

    return ready


def pooled(case: Case, first: int) -> Case:
    """A case on the runs from `first` on, whose maps are on disk."""

    def ready(number: int) -> Callable[[], Work]:
        GAME.record(RULES, first + number, range(GAMES))
        return case(first + number)

    return ready


def unpooled(case: Case, first: int) -> Case:
    """A case on the runs from `first` on, whose maps nobody has made."""
    return lambda number: case(first + number)


def maps(number: int) -> Callable[[], Work]:
    """The maps of a run, from disk if they are there."""

    def run() -> Work:
        GAME.record(RULES, number, range(GAMES))
        return {"maps": GAMES}

    return run


def replayed(policy: str) -> Case:
    """Days of plain Python."""

    def ready(number: int) -> Callable[[], Work]:
        games = [_orders(policy, number, index) for index in range(REFERENCE_GAMES)]

        def run() -> Work:
            for game, orders in games:
                for order in orders:
                    game.play(order)
            return {"days": sum(game.day for game, _ in games)}

        return run

    return ready


@kernel
def play_orders(rules, state, outcome, orders, seed, index):
    """A game of a run by orders that are given."""
    open_game(rules, state, seed, index)
    for i in range(orders.size):
        play_action(rules, state, np.int64(orders[i]), outcome)


def given(policy: str) -> Case:
    """Days of the kernels, all orders given."""

    def ready(number: int) -> Callable[[], Work]:
        record, policies = (
            GAME.record(RULES, number, range(GAMES)),
            GAME.policy_rows(policy, policy),
        )
        rows, _, _ = play_rows(GAME, record, policies, number, 0, GAMES)
        games = [
            play_rows(GAME, record, policies, number, index, 1, int(plies))[2]
            for index, plies in enumerate(rows["plies"])
        ]
        state, outcome = blank(GAME.state)[0], blank(GAME.outcome)[0]

        def run() -> Work:
            for index, orders in enumerate(games):
                game = np.uint64(number), np.int64(index)
                play_orders(record, state, outcome, orders, *game)
            return {"days": rows["length"].sum()}

        return run

    return ready


def _orders(policy: str, seed: int, index: int) -> tuple[next_nation.Reference, list[str]]:
    """A game of ours: its opening in the reference, and its orders."""
    position, actions, _ = trace(GAME, RULES, policy, policy, seed, index)
    orders = [GAME.view.action_text(position.record, action) for action in actions]
    return next_nation.Reference(NUMBERS, position.text()), orders


CASES = {
    **{f"nation {name}": loop(policy) for name, policy in POLICIES.items()},
    **{f"nation {name} given": given(policy) for name, policy in POLICIES.items()},
    **{f"nation {name} replayed": replayed(policy) for name, policy in POLICIES.items()},
    "nation pooled": pooled(mirror(RULES, POLICIES["army"], GAMES), 0),
    "nation unpooled": unpooled(mirror(RULES, POLICIES["army"], GAMES), NEVER_PLAYED),
    "nation maps": unpooled(maps, 2 * NEVER_PLAYED),
    "nation maps pooled": pooled(maps, 0),
}


def rows(best: Best) -> list[Row]:
    return [*_day_rows(best), *_map_rows(best)]


def _day_rows(best: Best) -> list[Row]:
    found = []
    for name, policy in POLICIES.items():
        peer = best(f"nation {name} replayed", "days")
        title = f"next_nation, {policy}, {_warriors(policy):.1f} warriors a side"
        against = "reference, same orders"
        found.append(best.rate(title, "days", f"nation {name}", peer, against))
        title = f"next_nation, {policy}, orders given"
        found.append(best.rate(title, "days", f"nation {name} given", peer, against))
    warm = best("nation army", "days")
    for case, where in (("pooled", "loaded"), ("unpooled", "generated")):
        title = f"next_nation, the same by simulate, maps {where}"
        found.append(best.rate(title, "days", f"nation {case}", warm, "maps in place"))
    return found


def _map_rows(best: Best) -> list[Row]:
    found = []
    for case, what in (("nation maps", "generated"), ("nation maps pooled", "loaded")):
        ms, runs = 1000 / best(case, "maps"), best("compiled", "runs")
        per_yardstick = best(case, "maps") / runs
        found.append(Row(f"next_nation, a map {what}", "ms", ms, None, None, per_yardstick, ""))
    return found


def _warriors(policy: str) -> float:
    """How many warriors a side of a mirror has on a day, on average."""
    record, policies = GAME.record(RULES, 0, range(GAMES)), GAME.policy_rows(policy, policy)
    played, _, _ = play_rows(GAME, record, policies, 0, 0, GAMES)
    return float(np.mean(played["warrior_days"] / played["length"][:, None]))
