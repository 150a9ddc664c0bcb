"""One generic loop for every game: play a batch, trace one game, count positions.

The only module that calls compiled entries, and so the only one that knows their one signature.
"""

from copy import copy
from typing import Any, Self

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
    kind_of,
    legal_actions,
    observe,
    seat,
    setup,
    step,
    wake,
)

Array = np.ndarray[Any, Any]
FNV = np.uint64(0x100000001B3)

ANY = -1
"""In a TWIST: whatever it is."""
TWIST = np.dtype(
    [
        ("seat", np.int64),  # whose decision is changed
        ("clock", np.int64),  # in which round or day, or in each by itself: ANY
        ("instead", np.int64),  # of what kind it is, or ANY
        ("kind", np.int64),  # what is done instead: the first legal action of this kind, or ...
        ("action", np.int64),  # ... this action, unless ANY
    ],
    align=True,
)
"""A change of one decision: the seat's first one of the clock that is of kind `instead` and, where
that is ANY, the first one at which what is wished is legal."""
NEVER_AROSE, CHANGED, SO_ANYHOW = range(3)
"""What became of a twist in a game: the question never arose, or the policy did so by itself."""


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
def wished(rules, state, twist, legal):
    """The action that a twist wants in a position, ANY where it is not legal."""
    for i in range(legal_actions(rules, state, legal)):
        if twist.action == ANY:
            if kind_of(rules, legal[i]) == twist.kind:
                return legal[i]
        elif legal[i] == twist.action:
            return legal[i]
    return ANY


@kernel
def may_turn(rules, state, action, twist, asked):
    """Whether a twist may change the decision at hand, to play `action`."""
    now = clock(rules, state)
    if now == asked or (twist.clock != ANY and now != twist.clock):
        return False
    if seat(rules, state) != twist.seat:
        return False
    return twist.instead == ANY or kind_of(rules, action) == twist.instead


@kernel
def branch_game(rules, room, other, twist, outcome, branches, fates):
    """Play room.state to its end, and once more in `other` from each decision that a twist changes.

    `branches` and `fates` have a place for each clock: the other game's outcome, and whether there
    is one. Up to the change both games are one; then the minds go on as they are.
    """
    state, asked = room.state, np.int64(ANY)
    while not is_over(rules, state):
        action = choose(rules, state, room)
        wish = np.int64(ANY)
        if may_turn(rules, state, action, twist, asked):
            wish = wished(rules, state, twist, room.legal)
            if wish != ANY or twist.instead != ANY:
                asked = clock(rules, state)
        if wish == action:
            fates[asked] = SO_ANYHOW
        elif wish != ANY:
            fates[asked] = CHANGED
            copy_state(branches[asked], outcome)
            follow_on(rules, room, other, wish, branches[asked])
        play_action(rules, state, action, outcome)


@kernel
def follow_on(rules, room, other, action, outcome):
    """Play `action` and then to the end in `other`, from the position and the minds of `room`."""
    copy_state(other.state, room.state)
    for i in range(2):
        copy_state(other.seats[i], room.seats[i])
    play_action(rules, other.state, action, outcome)
    while not is_over(rules, other.state):
        play_action(rules, other.state, choose(rules, other.state, other), outcome)


@kernel
def branch_batch(rules, room, other, twist, seed, start, rows, branches, fates):
    """Games start, start + 1, ... of a run, each with its branches, as branch_game says."""
    for i in range(rows.size):
        index = start + i
        wake_minds(rules, room, seed, index)
        open_game(rules, room.state, seed, index)
        rows[i].game = index
        branch_game(rules, room, other, twist, rows[i], branches[i], fates[i])


@kernel
def whose(rules, state, sums):
    """Whose decision it is and the clock; the position's curves are added to `sums`."""
    gauge(rules, state, sums)
    return seat(rules, state), clock(rules, state)


@kernel
def show(rules, state, place, view):
    """Fill `view` with what a seat may know of a position."""
    copy_state(view, observe(rules, state, place, view))


@kernel
def kind_in(rules, action):
    """The kind of an action."""
    return kind_of(rules, action)


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


def branch_rows(
    game: Game, record: Any, policies: Any, twist: Any, seed: int, start: int, games: int
) -> tuple[Array, Array, Array]:
    """Rows (games,) as `play_rows`; by clock (games, max_clock) the branches' rows, and fates.

    A fate is CHANGED where there is a branch. `twist` is a TWIST.
    """
    rows, branches = blank(game.outcome, games), blank(game.outcome, games, game.max_clock)
    fates = blank(np.int64, games, game.max_clock)
    room, other = blank(room_dtype(game), 2)
    room["policies"] = other["policies"] = policies
    numbers = np.uint64(seed), np.int64(start)
    branch_batch(record, room, other, twist, *numbers, rows, branches, fates)
    return rows, branches, fates


def _twin(record: Any) -> Any:
    """A record of its own, equal to this one."""
    twin = blank(record.dtype)
    twin[0] = record
    return twin[0]


class Position:
    """A position that can be looked at and played on; at first the start of a game of a run.

    `outcome` is the game's row so far. `record` is one that serves the game, if there is one yet.
    """

    def __init__(
        self, game: Game, rules: Rules, seed: int = 0, index: int = 0, record: Any = None
    ) -> None:
        self.game, self.rules = game, rules
        self.record = (
            game.record(rules, seed, range(index, index + 1)) if record is None else record
        )
        self.state, self.outcome = blank(game.state)[0], blank(game.outcome)[0]
        self.outcome["game"] = index
        open_game(self.record, self.state, np.uint64(seed), np.int64(index))

    def read(self, text: str) -> None:
        """Go to the position of a text, `outcome` as it is; raises BadInput as `view.parse`."""
        self.state = self.game.view.parse(self.record, text)

    def legal(self) -> list[int]:
        """The legal actions, none when the game has ended."""
        legal = blank(np.int64, self.game.max_actions)
        return legal[: list_legal(self.record, self.state, legal)].tolist()

    def play(self, action: int) -> None:
        """Play a legal action."""
        play_action(self.record, self.state, np.int64(action), self.outcome)

    def copy(self) -> Self:
        """The same position and row, to be played on by itself."""
        other = copy(self)
        other.state, other.outcome = _twin(self.state), _twin(self.outcome)
        return other

    def seen(self, place: int) -> Self:
        """The position as a seat (0 or 1) knows it: to be looked at, not to be played on."""
        other = copy(self)
        other.state = blank(self.game.state)[0]
        show(self.record, self.state, np.int64(place), other.state)
        return other

    def look(self) -> tuple[int, int, list[int]]:
        """Whose decision it is (0 or 1), the clock, and the value of each of `Game.curves`."""
        sums = blank(np.int64, len(self.game.curves))
        mover, now = whose(self.record, self.state, sums)
        return int(mover), int(now), sums.tolist()

    def kind(self, action: int) -> str:
        """The name of an action's kind."""
        return self.game.action_kinds[kind_in(self.record, np.int64(action))]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.legal()

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

    def copy(self) -> Self:
        """The same minds in the same state, to go on by themselves."""
        other = copy(self)
        other.room = _twin(self.room)
        return other

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
    policies = game.policy_rows(first, second, rules)
    rows, _, _ = play_rows(game, record, policies, seed, index, 1)
    rows, _, log = play_rows(game, record, policies, seed, index, 1, int(rows["plies"][0]))
    return Position(game, rules, seed, index), log.tolist(), rows
