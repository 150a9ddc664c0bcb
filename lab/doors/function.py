"""Games in which a Python function plays: a slow path beside the compiled loop, to the same rows.

A game is still a function of (rules, players, seed, index), if the function is one of what it is
given: chance it takes from `Observation.random`, and what it keeps goes to `Observation.memory`.
"""

from collections.abc import Callable, Sequence
from itertools import product
from operator import index as as_index
from typing import Any

import numpy as np

from lab.doors.observation import Diary, Observation, apart
from lab.errors import bad
from lab.game import Game
from lab.jit import blank
from lab.play import Players, Position
from lab.rules import Rules

Array = np.ndarray[Any, Any]
Function = Callable[[Observation, list[int]], int]
"""Given what its seat sees and the legal actions, one of those; or one of Observation.declared."""
Player = str | Function
MOST_NAMED = 8
"""Legal actions that an error names."""


def name_of(player: Player) -> str:
    """A policy's text; python:NAME for a function."""
    if isinstance(player, str):
        return player
    return f"python:{getattr(player, '__name__', type(player).__name__)}"


def among(players: Sequence[Player]) -> bool:
    """Whether a function is among them."""
    return not all(isinstance(player, str) for player in players)


def named(where: str, players: Sequence[Player]) -> None:
    """BadInput for a function where only players by name can play."""
    if among(players):
        raise bad(where, "a function as a player", "players by name")


def policy_rows(game: Game, players: Sequence[Any], rules: Rules | None = None) -> Array:
    """`Game.policy_rows` where only texts are policies: others are played by somebody else.

    A policy has the same stream whoever it meets, so that it is the mind that meets other policies
    from this seat. BadInput as there.
    """
    anybody = [name for name, preset in game.policies.items() if preset.read is None]
    texts = ([player] if isinstance(player, str) else anybody for player in players)
    pairs = list(product(*texts))
    fitting = [pair for pair in pairs if pair[0] != pair[1] and game.may_meet(*pair)]
    first, second = (fitting or pairs)[0]
    return game.policy_rows(first, second, rules)


def check(game: Game, players: Sequence[Any], rules: Rules) -> None:
    """BadInput unless these can play: texts of policies, or something to call."""
    for seat, player in zip(("first", "second"), players, strict=True):
        if not isinstance(player, str) and not callable(player):
            expected = "a policy's text or a function of (observation, legal)"
            raise bad(seat, repr(player), expected)
    policy_rows(game, players, rules)


def play_rows(
    game: Game, rules: Rules, record: Any, players: Sequence[Player], seed: int, games: range
) -> tuple[Array, Array]:
    """Rows and curve sums as of `lab.play.play_rows`; BadInput when a function does not play on.

    `record` is one that serves those games.
    """
    policies = policy_rows(game, players)
    rows = blank(game.outcome, len(games))
    sums = blank(np.int64, game.max_clock, 1 + len(game.curves))
    for i, index in enumerate(games):
        here = Position(game, rules, seed, index, record)
        minds = Players(game, record, policies, seed, index)
        _play(here, players, minds, seed, sums)
        rows[i] = here.outcome
    return rows, sums


def _play(
    here: Position, players: Sequence[Player], minds: Players, seed: int, sums: Array
) -> None:
    """Play a game to its end."""
    game, index, before = here.game, int(here.outcome["game"]), -1
    diaries = [Diary(seed, index, seat) for seat in range(2)]
    while legal := here.legal():
        seat, now, curves = here.look()
        if now != before:
            before = now
            sums[now] += [1, *curves]
        player = players[seat]
        where = f"{name_of(player)} in game {index} of seed {seed}, {game.clock} {now}"
        if isinstance(player, str):
            action = minds.action(here.state)
        else:
            offered, declared = apart(game, legal, game.declared)
            seen = Observation(here, seat, now, declared, diaries[seat])
            action = _ask(player, seen, offered, where)
        play_on(here, action, legal, where)


def _ask(function: Function, seen: Observation, offered: list[int], where: str) -> int:
    """The number that a function returns; BadInput unless it is one."""
    try:
        answer = function(seen, offered)
    except Exception as error:  # a person's function may raise anything
        raise bad(where, f"{type(error).__name__}: {error}", "an action") from error
    try:
        return as_index(answer)
    except TypeError:
        raise bad(where, repr(answer), "the number of an action") from None


def play_on(here: Position, action: int, legal: list[int], where: str) -> None:
    """Play one of the legal actions; BadInput unless it is.

    Policies of the lab are looked at too: some only know what to do if the other seat is a policy
    of theirs, as armies of a duel do.
    """
    if action not in legal:
        text = here.game.view.action_text
        names = [f"{known} ({text(here.record, known)})" for known in legal[:MOST_NAMED]]
        more = f" or {len(legal) - MOST_NAMED} more" if len(legal) > MOST_NAMED else ""
        raise bad(where, f"action {action}", f"a legal one: {', '.join(names)}{more}")
    here.play(action)
