"""One decision changed: a run that a file tells of once more, or thousands of runs of two policies.

Up to the change both games are one. Then whoever played goes on, with the same chance: what differs
in the end is what the decision was worth.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import joblib
import numpy as np

from lab.catalog import load_game
from lab.decisions import Recorded, follow, listed, texts_of
from lab.errors import BadInput, bad
from lab.game import Game, Metric
from lab.jit import blank
from lab.metrics import metric_of
from lab.play import ANY, CHANGED, SO_ANYHOW, TWIST, Position, branch_rows
from lab.rules import Rules
from lab.selfplay import (
    CHUNK,
    PIECES_PER_JOB,
    Games,
    Progress,
    as_frame,
    as_range,
    blocks_of,
    record_of,
)
from lab.stats.estimate import Estimate
from lab.stats.paired import estimate_difference

Array = np.ndarray[Any, Any]
SEATS = ("first", "second")


@dataclass(frozen=True)
class Change:
    """Which decision is changed, as a person says it.

    The seat's first one in round (or day) `clock`, or in each by itself without one, that is of
    kind `instead`, or without one at which `do` is legal. `do` is an action, or a kind of action
    for the first legal one of it.
    """

    do: str
    instead: str | None = None
    clock: int | None = None
    seat: int = 0

    def twist(self, game: Game, record: Any) -> Any:
        """The same as a TWIST; BadInput with the nearest name."""
        kinds = game.action_kinds
        if self.instead is not None and self.instead not in kinds:
            expected = f"one of {', '.join(kinds)}"
            raise bad("instead-of", repr(self.instead), expected, self.instead, kinds)
        if self.clock is not None and not 0 <= self.clock < game.max_clock:
            raise bad(game.clock, str(self.clock), f"one from 0 to {game.max_clock - 1}")
        found = blank(TWIST)[0]
        found["seat"], found["clock"] = self.seat, ANY if self.clock is None else self.clock
        found["instead"] = ANY if self.instead is None else kinds.index(self.instead)
        found["kind"] = found["action"] = ANY
        if self.do in kinds:
            found["kind"] = kinds.index(self.do)
            return found
        try:
            found["action"] = game.view.parse_action(record, self.do)
        except BadInput as error:
            raise BadInput(f"do: {error}, or a kind: {', '.join(kinds)}") from None
        return found


# --- one run ------------------------------------------------------------------------------------


@dataclass
class Tale:
    """How a game goes: its position and row, and the curves of each clock that it has reached."""

    here: Position
    curves: dict[int, list[int]]
    left_out: int = 0  # decisions of the file that were no longer legal

    def play(self, action: int) -> None:
        self.note()
        self.here.play(action)

    def note(self) -> None:
        """Keep the curves of a clock that is new."""
        _, clock, curves = self.here.look()
        self.curves.setdefault(clock, curves)

    def fork(self) -> "Tale":
        return Tale(self.here.copy(), dict(self.curves))

    @property
    def row(self) -> dict[str, Any]:
        """The game's row; of one that has not ended, as far as it is known."""
        rows = blank(self.here.game.outcome)
        rows[0] = self.here.outcome
        return as_frame(self.here.game, rows).row(0, named=True)


@dataclass(frozen=True)
class Branched:
    """A run as it was played, and as it goes with one decision changed."""

    clock: int
    was: str
    becomes: str
    played: Tale
    branch: Tale


def branch(run: Recorded, change: Change) -> Branched:
    """The run with one decision changed; then its policies go on, with their minds as they are.

    Where the file names none its decisions go on, those left out that are no longer legal. BadInput
    as `follow`, and where there is no such decision.
    """
    here = run.start()
    players, twist = run.players(here), change.twist(run.game, here.record)
    _check_clock(run, change)
    played, found, asked = Tale(here, {}), None, False
    offered: dict[str, None] = {}  # what was legal where the wish was not
    for n, (clock, action) in enumerate(follow(run, here, players)):
        played.note()
        if asked or not _may_turn(here, twist, clock, action):
            continue
        wish = _wished(here, twist)
        asked = wish is not None or twist["instead"] != ANY
        if wish is not None:
            was, becomes = texts_of(here, [action, wish])
            found = Branched(clock, was, becomes, played, played.fork())
            found.branch.play(wish)
            minds, decided = players and players.copy(), n + 1
        else:
            offered |= dict.fromkeys(texts_of(here, here.legal()))
    if found is None or found.was == found.becomes:
        raise _nowhere(run, change, found, list(offered))
    if minds:
        while not found.branch.here.over:
            found.branch.play(minds.action(found.branch.here.state))
    else:
        _go_on(run, found.branch, decided)
    return found


def _may_turn(here: Position, twist: Any, clock: int, action: int) -> bool:
    """Whether a twist may change the decision at hand, as `lab.play.may_turn` says it."""
    if clock != twist["clock"] or here.look()[0] != twist["seat"]:
        return False
    kinds = here.game.action_kinds
    return bool(twist["instead"] == ANY or here.kind(action) == kinds[twist["instead"]])


def _wished(here: Position, twist: Any) -> int | None:
    """The action that a twist wants, None where it is not legal."""
    kinds = here.game.action_kinds
    for legal in here.legal():
        if legal == twist["action"] or (
            twist["action"] == ANY and here.kind(legal) == kinds[twist["kind"]]
        ):
            return legal
    return None


def _check_clock(run: Recorded, change: Change) -> None:
    """BadInput unless the change is one of a round that the run has."""
    clock, last = run.game.clock, len(run.decisions) - 1
    if change.clock is None:
        raise bad(clock, "none", f"the {clock} of the decision, or many games")
    if change.clock > last:
        raise bad(f"{run.path} {clock}", str(change.clock), f"one from 0 to {last}, its last")


def _nowhere(run: Recorded, change: Change, found: Branched | None, offered: list[str]) -> BadInput:
    """Why there is no such decision."""
    where = f"{run.path} {run.game.clock} {change.clock}"
    if found is not None:
        return bad(where, f"{found.was!r} as it was played", "another action than that")
    kind = f"{change.instead or 'decision'} of the {SEATS[change.seat]} seat"
    if not offered:
        return bad(where, f"no {kind}", "one that could be changed")
    wish = f"no {kind} at which {change.do!r} is legal"
    return bad(where, wish, f"one that is: {listed(offered)}", change.do, offered)


def _go_on(run: Recorded, tale: Tale, decided: int) -> None:
    """Play what is left of the file: each decision in its round, if it is still legal.

    A round that goes on behind its last decision is ended by the action that is always legal.
    """
    here, view = tale.here, run.game.view
    listed = ((now, text) for now, texts in enumerate(run.decisions) for text in texts)
    for now, text in islice(listed, decided, None):
        while not here.over and here.look()[1] < now:
            tale.play(here.legal()[0])
        texts = {view.action_text(here.record, legal): legal for legal in here.legal()}
        if text in texts and here.look()[1] == now:
            tale.play(texts[text])
        else:
            tale.left_out += 1


# --- many runs ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paired:
    """A metric of the games in which the question arose, as played and changed."""

    metric: Metric
    played: float
    changed: float
    difference: Estimate


@dataclass(frozen=True)
class Asked:
    """What one decision of a round was worth: `arose` of `games`, `anyhow` more did so already."""

    clock: int
    games: int
    arose: int
    anyhow: int
    paired: tuple[Paired, ...]


class _Piece(NamedTuple):
    """Of some games at one clock: values (2, metrics, arose), histories (2, arose), clusters."""

    anyhow: int
    values: Array
    histories: Array
    clusters: Array


def branch_games(
    rules: Rules,
    first: str,
    second: str,
    change: Change,
    games: Games = 1000,
    seed: int = 0,
    jobs: int = 1,
    metrics: Sequence[str] = (),
    progress: Progress | None = None,
) -> list[Asked]:
    """The same change in every game of a run, by clock: each is played as it is and changed.

    Clocks at which no game could have been changed are left out. `metrics` are those of
    `lab metrics`, else `Game.stakes`. BadInput before the first game.
    """
    game = load_game(rules.game)
    game.policy_rows(first, second, rules)
    measured = _metrics(game, metrics)
    twist = change.twist(game, game.record(rules, seed, range(1)))
    indices = as_range(games)
    size = min(CHUNK, math.ceil(len(indices) / (PIECES_PER_JOB * jobs)))
    with joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator") as workers:
        chunks, done = [], 0
        blocks = list(blocks_of(indices.start, indices.stop, size))
        work = (
            joblib.delayed(_play)(rules, (first, second), twist, measured, seed, block)
            for block in blocks
        )
        for block, pieces in zip(blocks, workers(work), strict=True):
            chunks.append(pieces)
            done += len(block)
            if progress is not None:
                progress(done, len(indices))
    asked = [
        _asked(clock, pieces, measured, rules, len(indices))
        for clock, pieces in enumerate(zip(*chunks, strict=True))
    ]
    return [one for one in asked if one.arose or one.anyhow]


def _metrics(game: Game, names: Sequence[str]) -> list[Metric]:
    return [metric_of(game, name) for name in names or game.stakes]


def _play(
    rules: Rules,
    policies: tuple[str, str],
    twist: Any,
    metrics: Sequence[Metric],
    seed: int,
    games: range,
) -> list[_Piece]:
    """Some games, by clock."""
    game = load_game(rules.game)
    filled = game.policy_rows(*policies)
    found = []
    for block in blocks_of(games.start, games.stop, game.block or games.stop):
        record = record_of(game, rules, seed, block)
        found.append(branch_rows(game, record, filled, twist, seed, block.start, len(block)))
    rows, branches, fates = (np.concatenate(parts) for parts in zip(*found, strict=True))
    pieces = []
    for clock in range(game.max_clock):
        arose = fates[:, clock] == CHANGED
        frames = [as_frame(game, part[arose]) for part in (rows, branches[:, clock])]
        values = [[metric.value(frame) for metric in metrics] for frame in frames]
        shared = frames[0][game.cluster].to_numpy() if game.cluster else np.empty(0)
        pieces.append(
            _Piece(
                int((fates[:, clock] == SO_ANYHOW).sum()),
                np.array(values, np.float64),
                np.array([frame["history"].to_numpy() for frame in frames]),
                shared,
            )
        )
    return pieces


def _asked(
    clock: int, pieces: Sequence[_Piece], metrics: Sequence[Metric], rules: Rules, games: int
) -> Asked:
    """The pieces of one clock, measured."""
    values = np.concatenate([piece.values for piece in pieces], axis=2)
    histories = np.concatenate([piece.histories for piece in pieces], axis=1)
    clusters = np.concatenate([piece.clusters for piece in pieces])
    paired = []
    for n, metric in enumerate(metrics):
        played, changed = values[:, n]
        bounds = metric.bounds(rules)
        told = clusters if clusters.size else None
        found = estimate_difference(played, changed, histories, told, bounds)
        paired.append(Paired(metric, _mean(played), _mean(changed), found))
    anyhow = sum(piece.anyhow for piece in pieces)
    return Asked(clock, games, histories.shape[1], anyhow, tuple(paired))


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan
