"""A game as an environment of PettingZoo, in which agents act one after another (AEC)."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from pettingzoo import AECEnv

from lab.catalog import load_game, load_rules
from lab.doors.function import play_on, policy_rows
from lab.doors.observation import Array, apart, fields_of
from lab.errors import bad, whole
from lab.game import WINNERS, Game
from lab.play import Players, Position
from lab.rules import Rules

MODES = ("ansi", "svg")
NUMBER = np.int32
"""Of an observation; no field of a game needs more."""
MOST_SEED, MOST_INDEX = 2**64 - 1, 10**12 - 1


class Zoo(AECEnv[str, dict[str, Array], int]):
    """A game between agents "seat_0" and "seat_1", of whom the lab may play one.

    - Observation: {"observation": (k,) int32, "action_mask": (n,) int8}. The arrays that the
      seat sees, end to end in the order of `fields`: name -> (slice, shape). The first of them,
      "me", is the seat, 0 or 1; what the others mean the game's `seen.py` says.
    - Actions are numbered from 0 to n - 1: those of `Game.numbers`, kind after kind. `number` gives
      the lab's own number, `name` the words. The mask has the legal ones that are not banned for
      the seat that is to act, none for the other.
    - Reward, at the end only: 1 for who wins, -1 for who loses, 0 for a draw: twice the score, less
      one. There are no discounts and no truncations: a game's own cap ends it.
    - `reset(seed, options={"index": i})` is game i of `lab.simulate` with that seed; without an
      index game 0, and without a seed the next game of the one before. Other options mean nothing.
    - `render()` gives the whole position, whoever sees how much of it, as text ("ansi") or "svg".
    """

    def __init__(
        self,
        game: str,
        rules: Rules | str | None,
        policies: tuple[str | None, str | None],
        ban: Iterable[str] | None,
        render_mode: str,
    ) -> None:
        self.game = load_game(game)
        self.rules = _rules(self.game, rules)
        self.policies = _seats(self.game, self.rules, policies)
        self.banned = _kinds(self.game, self.game.declared if ban is None else ban)
        if render_mode not in MODES:
            raise bad("render_mode", repr(render_mode), f"one of {', '.join(MODES)}")
        self.render_mode = render_mode
        self.metadata = {"name": f"{game}_v{self.game.version}", "render_modes": list(MODES)}
        self.possible_agents = [f"seat_{i}" for i, text in enumerate(self.policies) if text is None]
        self.agents: list[str] = []
        self.seed, self.index = 0, -1
        self._record: Any = None
        self._starts = np.cumsum([0, *map(len, self.game.numbers)])
        self._put(0, 0)
        self.fields, box = _layout(fields_of(self.here.seen(0), 0))
        n = int(self._starts[-1])
        self.observation_spaces = {
            agent: Dict({"observation": _copy(box), "action_mask": MultiBinary(n)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(n) for agent in self.possible_agents}

    # --- what PettingZoo asks for -------------------------------------------------------------

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game, see the class."""
        index = self.index + 1 if seed is None else 0
        seed = self.seed if seed is None else seed
        index = (options or {}).get("index", index)
        for name, value, most in (("seed", seed, MOST_SEED), ("index", index, MOST_INDEX)):
            whole(name, value, 0, most)
        self.seed, self.index = int(seed), int(index)
        self._put(self.seed, self.index)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play an action of the agent that is to act; BadInput unless its mask has it."""
        if not self.agents:
            raise bad("lab.env", "no game under way", "a call of reset")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        legal = self._legal()
        space = self.action_spaces[agent]
        number = self.number(action) if action is not None and action in space else None
        if number is None or number not in legal:
            known = f"one that its mask has, such as {np.flatnonzero(self._mask(legal))[0]}"
            raise bad(f"{agent} in game {self.index}", f"action {action}", known)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.here.play(number)
        self._go_on()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Array]:
        """What an agent sees now."""
        seat = int(agent[-1])
        parts = [np.array([seat]), *map(np.ravel, fields_of(self.here.seen(seat), seat).values())]
        acts = agent == self.agent_selection
        return {
            "observation": np.concatenate(parts).astype(NUMBER),
            "action_mask": self._mask(self._legal() if acts else []),
        }

    def render(self) -> str:
        """The position, see the class."""
        if self.render_mode == "ansi":
            return self.here.text()
        return str(self.game.view.svg(self.here.record, self.here.state))

    def close(self) -> None:
        """There is nothing to close."""

    # --- actions ------------------------------------------------------------------------------

    def number(self, action: int) -> int:
        """The lab's number of an action."""
        kind = int(np.searchsorted(self._starts, action, "right")) - 1
        return int(self.game.numbers[kind][action - self._starts[kind]])

    def name(self, action: int) -> str:
        """An action as the game's rulebook writes it."""
        return str(self.game.view.action_text(self.here.record, self.number(action)))

    def _legal(self) -> list[int]:
        return apart(self.game, self.here.legal(), self.banned)[0]

    def _mask(self, legal: list[int]) -> Array:
        mask, actions = np.zeros(self._starts[-1], np.int8), np.array(legal, np.int64)
        for start, numbers in zip(self._starts, self.game.numbers, strict=False):
            mine = actions[(actions >= numbers.start) & (actions < numbers.stop)]
            mask[mine - numbers.start + start] = 1
        return mask

    # --- the game -----------------------------------------------------------------------------

    def _put(self, seed: int, index: int) -> None:
        """Go to the start of a game; records that serve many games are made once."""
        game, games = self.game, range(index, index + 1)
        if self._record is None:
            self._record = game.record(self.rules, seed, games)
        elif game.block:
            game.prepare(self._record, self.rules.document, seed, games)
        self.here = Position(game, self.rules, seed, index, self._record)
        rows = policy_rows(game, self.policies, self.rules)
        self._minds = Players(game, self._record, rows, seed, index)

    def _go_on(self) -> None:
        """Let the lab play until an agent is to act, or the game is over."""
        while legal := self.here.legal():
            seat = self.here.look()[0]
            policy = self.policies[seat]
            if policy is None:
                self.agent_selection = f"seat_{seat}"
                return
            action = self._minds.action(self.here.state)
            play_on(self.here, action, legal, f"{policy} in game {self.index}")
        winner = WINNERS[self.here.outcome["winner"]]
        for agent in self.agents:
            self.terminations[agent] = True
            if winner != "draw":
                self.rewards[agent] = 1.0 if winner == WINNERS[int(agent[-1])] else -1.0


# --- what an environment is made of ---------------------------------------------------------------


def _rules(game: Game, rules: Rules | str | None) -> Rules:
    if isinstance(rules, Rules):
        if rules.game != game.name:
            raise bad("rules", f"those of {rules.game}", f"those of {game.name}")
        return rules
    return load_rules(game.name, rules)


def _seats(
    game: Game, rules: Rules, policies: tuple[str | None, str | None]
) -> tuple[str | None, str | None]:
    """Who plays each seat, None for an agent: a seat that only the lab can play is the lab's."""
    first, second = policies
    if second is None and game.roles and game.role(game.pair[0]) != game.role(game.pair[1]):
        second = game.pair[1]
    if first is not None and second is not None:
        raise bad("lab.env", f"policies {first} and {second}", "a seat for an agent")
    policy_rows(game, (first, second), rules)
    return first, second


def _kinds(game: Game, ban: Iterable[str]) -> tuple[str, ...]:
    known, kinds = game.action_kinds[1:], tuple(ban)
    for kind in kinds:
        if kind not in known:
            raise bad("ban", repr(kind), f"one of {', '.join(known)}", kind, known)
    return kinds


Fields = dict[str, tuple[slice, tuple[int, ...]]]


def _layout(fields: dict[str, Array]) -> tuple[Fields, Box]:
    """Where each field is in an observation, and what it may hold by its type."""
    layout: Fields = {"me": (slice(0, 1), ())}
    lows, highs, end = [np.zeros(1)], [np.ones(1)], 1
    whole = np.iinfo(NUMBER)
    for name, value in fields.items():
        layout[name] = slice(end, end + value.size), value.shape
        end += value.size
        known = np.iinfo(value.dtype) if value.dtype != np.bool_ else None
        lows.append(np.full(value.size, max(known.min, whole.min) if known else 0))
        highs.append(np.full(value.size, min(known.max, whole.max) if known else 1))
    return layout, Box(
        np.concatenate(lows).astype(NUMBER), np.concatenate(highs).astype(NUMBER), dtype=NUMBER
    )


def _copy(box: Box) -> Box:
    """Another space like it, that is seeded by itself."""
    return Box(box.low, box.high, dtype=NUMBER)
