"""One generic loop for every game: play a batch, trace one game, count positions.

The only module that calls compiled entries, and so the only one that knows their one signature.
"""

from typing import Any

import numpy as np

from lab.game import SEARCH, Game
from lab.jit import blank, copy_state, kernel
from lab.rng import CHANCE, stream
from lab.rules import Rules
from lab.search import search
from lab.verbs import (
    act,
    clock,
    gauge,
    is_over,
    legal_actions,
    observe,
    seat,
    setup,
    step,
    wake,
)

Array = np.ndarray[Any, Any]
FNV = np.uint64(0x100000001B3)


@kernel
def choose(rules, state, room):
    """The mover's action: it sees its view, and searches if its policy does."""
    me = seat(rules, state)
    view = observe(rules, state, me, room.sight)
    policy = room.policies[me]
    if policy.kind == SEARCH:
        return search(rules, view, me, policy, room.seats[me], room)
    return act(rules, view, policy, room.seats[me], room.legal)


@kernel
def play_game(rules, room, outcome, log):
    """Play room.state to its end; `log` takes as many of the actions as it has room for."""
    state = room.state
    now = -1
    while not is_over(rules, state):
        if clock(rules, state) != now:
            now = clock(rules, state)
            room.reached[now] += 1
            gauge(rules, state, room.curves[now])
        action = choose(rules, state, room)
        if outcome.plies < log.size:
            log[outcome.plies] = action
        play_action(rules, state, action, outcome)


@kernel
def play_action(rules, state, action, outcome):
    """Play one action on a position, and count and hash it."""
    outcome.history = (outcome.history ^ np.uint64(action)) * FNV
    outcome.plies += 1
    step(rules, state, action, outcome)


@kernel
def open_game(rules, state, seed, index):
    """Set a position to the start of a game of a run."""
    setup(rules, state, index, stream(seed, index, CHANCE))


@kernel
def wake_minds(rules, room, seed, index):
    """Make the minds of both seats ready for a game of a run."""
    for place in range(2):
        mind = room.seats[place]
        mind.rng = stream(seed, index, room.policies[place].key)
        wake(rules, room.policies[place], mind)


@kernel
def play_batch(rules, room, seed, start, rows, log):
    """Play games start, start + 1, ...: one row each; curves are summed in the room by clock.

    A game is a pure function of (rules, policies, seed, index): its chance and its minds are
    streams of their own, whatever was played before it.
    """
    for i in range(rows.size):
        index = start + i
        wake_minds(rules, room, seed, index)
        open_game(rules, room.state, seed, index)
        rows[i].game = index
        play_game(rules, room, rows[i], log)


@kernel
def list_legal(rules, state, legal):
    """Fill `legal`, return how many: none when the game has ended."""
    return 0 if is_over(rules, state) else legal_actions(rules, state, legal)


@kernel
def count_leaves(rules, states, legal, depth, outcome):
    """Leaves of the tree of legal actions below states[depth]; an ended game is one leaf.

    `states` and `legal` hold a row for each depth.
    """
    if depth == 0 or is_over(rules, states[depth]):
        return 1
    leaves = 0
    for i in range(legal_actions(rules, states[depth], legal[depth])):
        copy_state(states[depth - 1], states[depth])
        step(rules, states[depth - 1], legal[depth][i], outcome)
        leaves += count_leaves(rules, states, legal, depth - 1, outcome)
    return leaves


# --- the same from Python -----------------------------------------------------------------------


def room_dtype(game: Game) -> np.dtype[Any]:
    """The workspace of one thread: everything a game in flight needs, so that none is allocated."""
    fields = [
        ("state", game.state),
        ("sight", game.state),  # what the mover may know ("view" is a word numba keeps for itself)
        ("world", game.state),  # of a playout
        ("outcome", game.outcome),  # of a playout
        ("policies", game.policy_dtype, (4,)),  # of the seats, and inside their searches
        ("seats", game.mind_dtype, (2,)),
        ("minds", game.mind_dtype, (2,)),  # of a playout
        ("legal", np.int64, (game.max_actions,)),
        ("actions", np.int64, (game.max_actions,)),
        ("worth", np.float64, (game.max_actions,)),
        ("reached", np.int64, (game.max_clock,)),  # games that reached the clock
        ("curves", np.int64, (game.max_clock, len(game.curves))),  # sums over those
    ]
    return np.dtype(fields, align=True)


def play_rows(
    game: Game, record: Any, policies: Any, seed: int, start: int, games: int, plies: int = 0
) -> tuple[Array, Array, Array]:
    """Rows (games,) of `game.outcome`, curve sums (max_clock, 1 + curves) and the logged actions.

    `record` is one that serves those games. Column 0 of the sums counts the games that reached the
    clock. `plies` bounds the log, which is only of use for one game.
    """
    rows = blank(game.outcome, games)
    log = blank(np.int32, plies) if plies else np.empty(0, np.int32)
    room = blank(room_dtype(game), 1)[0]
    room["policies"] = policies
    play_batch(record, room, np.uint64(seed), np.int64(start), rows, log)
    return rows, np.column_stack([room["reached"], room["curves"]]), log


class Position:
    """A position that can be looked at and played on; at first the start of a game of a run.

    `outcome` is the game's row so far.
    """

    def __init__(self, game: Game, rules: Rules, seed: int = 0, index: int = 0) -> None:
        self.game, self.rules = game, rules
        self.record = game.record(rules, seed, range(index, index + 1))
        self.state, self.outcome = blank(game.state)[0], blank(game.outcome)[0]
        self.outcome["game"] = index
        open_game(self.record, self.state, np.uint64(seed), np.int64(index))

    def read(self, text: str) -> None:
        """Go to the position of a text, `outcome` as it is; raises BadInput as `view.parse`."""
        self.state = self.game.view.parse(self.record, text)

    def legal(self) -> list[int]:
        """The legal actions, none when the game has ended."""
        legal = blank(np.int64, self.game.max_actions)
        return [int(a) for a in legal[: list_legal(self.record, self.state, legal)]]

    def play(self, action: int) -> None:
        """Play a legal action."""
        play_action(self.record, self.state, np.int64(action), self.outcome)

    def text(self) -> str:
        return str(self.game.view.text(self.record, self.state))

    def perft(self, depth: int) -> int:
        """Leaves of the tree of legal actions to this depth."""
        states = blank(self.game.state, depth + 1)
        states[depth] = self.state
        legal = blank(np.int64, depth + 1, self.game.max_actions)
        return int(count_leaves(self.record, states, legal, np.int64(depth), self.outcome))


class Players:
    """The policies of both seats in a game of a run, asked for one action after another.

    `policies` are rows as of `Game.policy_rows`.
    """

    def __init__(
        self, game: Game, record: Any, policies: Array, seed: int = 0, index: int = 0
    ) -> None:
        self.record, self.room = record, blank(room_dtype(game))[0]
        self.room["policies"] = policies
        wake_minds(record, self.room, np.uint64(seed), np.int64(index))

    def action(self, state: Any) -> int:
        """What the mover does, who is told of the position what it may know."""
        return int(choose(self.record, state, self.room))


def trace(
    game: Game, rules: Rules, first: str, second: str, seed: int, index: int
) -> tuple[Position, list[int], np.ndarray[Any, Any]]:
    """Game `index` of a run once more: its start, its actions, its row (1,) of `game.outcome`.

    It is played twice, because only its row tells how long a log it needs.
    """
    record = game.record(rules, seed, range(index, index + 1))
    policies = game.policy_rows(first, second)
    rows, _, _ = play_rows(game, record, policies, seed, index, 1)
    rows, _, log = play_rows(game, record, policies, seed, index, 1, int(rows["plies"][0]))
    return Position(game, rules, seed, index), log.tolist(), rows
