"""The other side of the protocol: a built-in policy as a program for anyone's judge (README 9)."""

from typing import Any, TextIO

import numpy as np

from lab.catalog import load_game
from lab.games.next_nation import maps, protocol, view
from lab.games.next_nation.known import Known, read_ready
from lab.games.next_nation.paths import complete, route
from lab.games.next_nation.state import END, ENDING, MAP, NONE
from lab.jit import blank
from lab.judge.greeting import Greeting
from lab.judge.match import GAME, policies
from lab.play import play_action
from lab.rules import Rules


class Bot:
    """A policy in one game. All kernels it needs are loaded when it has been made."""

    def __init__(self, rules: Rules, policy: str, seed: int = 0) -> None:
        game = load_game(GAME)
        self.rules = rules
        self.record, self.outcome = game.record(rules, seed, range(0)), blank(game.outcome)[0]
        self.players = policies(game, self.record, [policy], seed, 0)
        self._load(game.state)
        self.players = policies(game, self.record, [policy], seed, 0)  # as if it had not

    def _load(self, state_dtype: np.dtype[Any]) -> None:
        """Use them: on a map of two regions, and where a side can but end its orders."""
        two, state = blank(MAP)[0], blank(state_dtype)[0]
        two["n"] = two["start"][2] = 2
        two["start"][1] = two["beside"][0] = two["place"][1] = 1
        route(two)
        complete(two, NONE)
        state["phase"] = ENDING
        self._orders(state)
        play_action(self.record, state, np.int64(END), self.outcome)

    def _orders(self, state: Any) -> list[int]:
        """The policy's orders of a day, given one by one to its own copy of the position."""
        actions = []
        while self.players is not None and (action := self.players.action(state)) != END:
            play_action(self.record, state, np.int64(action), self.outcome)
            actions.append(action)
        return actions

    def serve(self, source: TextIO, sink: TextIO, greeting: Greeting) -> None:
        """Play as the judge asks, until it says FINISH or nothing more.

        BadInput when it does not begin with a READY block.
        """
        lines = (line.rstrip("\r\n") for line in source)
        side, map_ = read_ready(lines)
        maps.put(self.record, 0, map_)
        document: Any = self.rules.document
        known = Known(document, side, map_)
        greeting.say()
        block: list[str] = []
        for line in lines:
            if line == "FINISH":
                return
            if line.startswith("START TURN "):
                state = view.parse(self.record, known.text())
                actions = self._orders(state)
                known.ordered(actions, int(state["gold"][side]))
                told = [protocol.order_text(action, side) for action in actions]
                print("COMMAND", *told, "END", sep="\n", file=sink, flush=True)
            elif line == "END":
                known.hear(block)
                block.clear()
            else:
                block.append(line)
