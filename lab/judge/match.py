"""One match of NEXT NATION between programs, built-in policies, or one of each (README 9)."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from lab.catalog import load_game
from lab.errors import make_folder
from lab.game import Game
from lab.games.next_nation import maps, protocol, rows
from lab.games.next_nation.log import FORFEIT, REASONS, SIDES, Clock, Writer
from lab.games.next_nation.log import WINNERS as RESULTS
from lab.games.next_nation.state import DRAW, END, LEFT, RIGHT, RUNNING
from lab.jit import blank
from lab.jsonfile import shown
from lab.judge.answer import Answer, wait
from lab.judge.program import NO_LIMITS, Command, Limits, Program, dismiss
from lab.play import Players, open_game, play_action
from lab.rules import Rules

GAME = "next_nation"
"""The one game that programs play."""
UNTIMED = 60.0
"""Seconds for any answer when the clock is off: what hangs must not hang the match."""


@dataclass(frozen=True)
class Terms:
    """How strictly a match is held, and what each process of a program may use.

    Without the clock all times are told as 0. With `drop` an illegal order is left out and counted
    instead of losing the match. `errors` is the folder for stderr: LEFT.txt and RIGHT.txt.
    """

    clock: bool = True
    drop: bool = False
    limits: Limits = NO_LIMITS
    errors: Path | None = None


STRICT = Terms()


@dataclass
class Seat:
    """One side of a match, and how it has done so far."""

    player: Command | str  # a program, or a built-in policy
    tokens: int  # left
    slowest: int = 0  # ms that it took for a day
    refused: int = 0  # orders left out
    cause: str = ""  # what it has lost by, when not by the game
    program: Program | None = None


@dataclass(frozen=True)
class Verdict:
    """How a match has ended."""

    winner: int  # index of `lab.game.WINNERS`
    reason: str  # one of `log.REASONS`
    day: int  # the last, on which it may have been forfeited; 0 before the first
    seats: tuple[Seat, Seat]
    row: Any  # record of the game's outcome, `ending` -1 when it was forfeited
    log: str  # in the organisers' format


def play(
    rules: Rules,
    map_: Any,
    players: Sequence[Command | str],
    terms: Terms = STRICT,
    seed: int = 0,
    index: int = 0,
) -> Verdict:
    """Play a match on a map (record of MAP); built-in policies play as in game `index` of `seed`.

    Whatever a program does gets a verdict; BadInput is only for a policy that does not exist and
    for folders. No process of a program is left, whether this returns or raises.
    """
    with ExitStack() as stack:
        match = Match(rules, map_, players, terms, seed, index)
        match.start(stack)
        return match.run()


def policies(
    game: Game, record: Any, players: Sequence[Command | str], seed: int, index: int
) -> Players | None:
    """The built-in policies of a match, if there are any."""
    minds = [player for player in players if isinstance(player, str)]
    if not minds:
        return None
    found = game.policy_rows(minds[0], minds[-1])
    if len(minds) == 1:
        found["key"] = found["key"][0]  # the same mind in either seat
    return Players(game, record, found, seed, index)


class Match:
    """A match under way."""

    def __init__(
        self,
        rules: Rules,
        map_: Any,
        players: Sequence[Command | str],
        terms: Terms,
        seed: int,
        index: int,
    ) -> None:
        game = load_game(GAME)
        document: Any = rules.document
        self.times = document.clock
        self.terms = terms
        self.record = game.record(rules, seed, range(0))
        maps.put(self.record, 0, map_)
        self.state, self.outcome = blank(game.state)[0], blank(game.outcome)[0]
        open_game(self.record, self.state, np.uint64(0), np.int64(0))
        self.state["telling"] = 1
        left, right = (Seat(player, self.times.tokens) for player in players)
        self.seats = left, right
        self.policies = policies(game, self.record, players, seed, index)
        self.writer = Writer(map_)
        self.day = 0

    @property
    def programs(self) -> list[Program]:
        return [seat.program for seat in self.seats if seat.program is not None]

    def start(self, stack: ExitStack) -> None:
        """Start the programs, which end with the stack."""
        if self.terms.errors is not None:
            make_folder(self.terms.errors)
        for seat, side in zip(self.seats, SIDES, strict=True):
            if isinstance(seat.player, Command):
                errors = self.terms.errors and self.terms.errors / f"{side}.txt"
                program = Program(seat.player, self.terms.limits, errors)
                seat.program = stack.enter_context(program)

    def run(self) -> Verdict:
        """Play it to its end."""
        winner = self._shake_hands()
        while winner is None:
            self.day += 1
            winner = self._play_day()
        dismiss(self.programs, "FINISH\n")
        forfeited = any(seat.cause for seat in self.seats)
        reason = FORFEIT if forfeited else REASONS[self.state["ending"]]
        self.writer.result(RESULTS[winner], reason)
        row = self._forfeited(winner) if forfeited else self.outcome
        return Verdict(winner, reason, self.day, self.seats, row, self.writer.text())

    def _forfeited(self, winner: int) -> Any:
        """The row of a match that was not played to its end."""
        row, state = self.outcome, self.state
        world = self.record["maps"][0]
        row["winner"], row["ending"], row["length"] = winner, -1, self.day
        for name in ("n", "k", "hq_hops"):
            row[name] = world[name]
        row["map_seed"], row["hq_parity"] = world["seed"], world["hq_hops"] & 1
        for side in (LEFT, RIGHT):
            row["hq_level"][side], row["hq_hp"][side] = (
                state[key][side, side] for key in ("level", "hp")
            )
            row["bases"][side] = np.count_nonzero(state["level"][side]) - 1
            row["warriors"][side], row["gold"][side] = state["living"][side], state["gold"][side]
        return row

    # --- by the clock ---------------------------------------------------------------------------

    def _seconds(self, ms: int) -> float:
        return ms / 1000 if self.terms.clock else UNTIMED

    def _shake_hands(self) -> int | None:
        """9.1 Both get their blocks; RIGHT's time begins when LEFT's OK has been read."""
        for side, seat in enumerate(self.seats):
            if seat.program is not None:
                seat.program.send(protocol.ready(self.record["maps"][0], side))
        begun = monotonic()
        for side, seat in enumerate(self.seats):
            if seat.program is not None:
                limit = self._seconds(self.times.handshake)
                answer = Answer(seat.program, "OK", "OK", begun, limit)
                wait([answer])
                begun = monotonic()
                if answer.late or answer.wild:
                    seat.cause = f"handshake: {answer.late or answer.wild}"
                    return 1 - side
        return None

    def _ask(self) -> dict[int, Answer]:
        """9.2 The programs' orders of the day, by side: both are asked at once."""
        begun = monotonic()
        answers = {}
        for side, seat in enumerate(self.seats):
            if seat.program is not None:
                seat.program.send(f"START TURN {self.day}\n")
                limit = self._seconds(self.times.day + seat.tokens * self.times.token)
                answers[side] = Answer(seat.program, "COMMAND", "END", begun, limit)
        wait(list(answers.values()))
        return answers

    def _clock(self, seat: Seat, answer: Answer | None) -> Clock:
        """9.2 What a day cost a seat that was not late."""
        ms = answer.ms if answer is not None and self.terms.clock else 0
        seat.slowest = max(seat.slowest, ms)
        seat.tokens -= max(0, ceil((ms - self.times.day) / self.times.token))
        return Clock(ms, seat.tokens)

    # --- a day ----------------------------------------------------------------------------------

    def _play_day(self) -> int | None:
        """9.2, 9.5 The orders of both, then the day unless it is lost; the winner if there is one.

        What was late comes before what was illegal.
        """
        answers = self._ask()
        late = [side for side, answer in answers.items() if answer.late]
        for side in late:
            self._blame(side, answers[side].late)
        if late:
            return 1 - late[0]
        heard = {side: self._hear(side, answer) for side, answer in answers.items()}
        wrong = [side for side, seat in enumerate(self.seats) if seat.cause]
        told = [self._give(side, heard.get(side), bool(wrong)) for side in (LEFT, RIGHT)]
        orders = told[LEFT], told[RIGHT]
        if wrong:
            if not any(answer.wild for answer in answers.values()):
                self.writer.day(orders)
            return DRAW if len(wrong) == 2 else 1 - wrong[0]
        left, right = (self._clock(seat, answers.get(i)) for i, seat in enumerate(self.seats))
        for side, seat in enumerate(self.seats):
            if seat.program is not None:
                clocks = left, right
                seat.program.send(protocol.result(self.record, self.state, side, self.day, clocks))
        self.writer.day(orders, rows.of(self.state), (left, right))
        return None if self.state["ending"] == RUNNING else int(self.state["winner"])

    def _blame(self, side: int, cause: str) -> None:
        self.seats[side].cause = f"day {self.day}: {cause}"

    def _hear(self, side: int, answer: Answer) -> tuple[list[str], list[int]]:
        """A program's orders, as the log has them and as actions; it is blamed for illegal ones."""
        if answer.wild:
            self._blame(side, answer.wild)
            return [], []
        lines = answer.lines[1:-1]
        actions, faults = protocol.orders(lines, side, self.record, self.state)
        if self.terms.drop:
            self.seats[side].refused += len(faults)
            return [protocol.order_text(action, side) for action in actions], actions
        if faults:
            self._blame(side, f"{shown(faults[0].line)} {faults[0].why}")
        return lines, actions

    def _give(self, side: int, heard: tuple[list[str], list[int]] | None, lost: bool) -> list[str]:
        """Give a side's orders, those of its program or of its policy, unless the day is lost."""
        if heard is None:
            lines = []
            for action in self._chosen():
                self._play(action)
                lines.append(protocol.order_text(action, side))
        else:
            lines, actions = heard
            for action in [] if lost else actions:
                self._play(action)
        if not (lost and side == RIGHT):  # whose end would let the day run
            self._play(END)
        return lines

    def _chosen(self) -> Iterator[int]:
        """A policy's orders: each is asked for when the one before has been given."""
        while self.policies and (action := self.policies.action(self.state)) != END:
            yield action

    def _play(self, action: int) -> None:
        play_action(self.record, self.state, np.int64(action), self.outcome)
