"""Play a tournament: games in parallel, each kept once it has ended, until the table is whole."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path
from statistics import mean
from time import monotonic
from typing import Any

import joblib
import polars as pl

from lab.brake import Brake
from lab.catalog import load_game
from lab.errors import BadInput, bad, make_folder, write_text
from lab.game import Game
from lab.games.next_nation import maps
from lab.games.next_nation.generator import generate
from lab.jit import blank
from lab.jsonfile import shown
from lab.judge import match
from lab.play import play_rows
from lab.rules import Rules
from lab.selfplay import table_path
from lab.tournament.bots import Bot, Player, build
from lab.tournament.journal import Entry, Journal, check_same
from lab.tournament.pairing import Fixture, Plan
from lab.tournament.table import as_fields, fill, frame_of, read_about, read_table, write_table

NO_CAUSES = (None, None)
SAMPLE = 1000
"""Games by which the time of all is estimated."""

Progress = Callable[[int, int], None]
"""Told the games done and the games in all."""


@dataclass(frozen=True)
class Outlook:
    """What lies ahead: the games in all, those played before, about how many seconds are left."""

    games: int
    done: int
    seconds: float


class Interrupted(Exception):
    """Ctrl-C during a tournament: the journal holds `done` games."""

    def __init__(self, done: int) -> None:
        super().__init__(f"kept {done:,} games; the same command goes on")
        self.done = done


@dataclass(frozen=True)
class Tournament:
    """What is played: everything that its games depend on."""

    rules: Rules
    bots: Sequence[Bot]
    plan: Plan
    terms: match.Terms = match.STRICT

    @cached_property
    def game(self) -> Game:
        return judged(self.rules)

    @cached_property
    def about(self) -> dict[str, Any]:
        """All that its games depend on, as JSON; the keys are what a person calls it."""
        fixed = "" if self.plan.pairs is None else repr(list(self.plan.pairs))
        return {
            "game": f"{self.game.name} {self.game.version}",
            "rules": f"{self.rules.version} {self.rules.fingerprint}",
            "bots": [dict(bot.told) for bot in self.bots],
            "pairing": self.plan.pairing,
            "games per bot": self.plan.each,
            "seeds": [*self.plan.seeds[:1], *self.plan.seeds[-1:], len(self.plan.seeds)],
            "pairs": fixed and blake2b(fixed.encode(), digest_size=8).hexdigest(),
            "clock": self.terms.clock,
            "illegal orders": "drop" if self.terms.drop else "lose",
        }


def judged(rules: Rules) -> Game:
    """The game of the rules; BadInput unless programs can play it."""
    if rules.game != match.GAME:
        raise bad("game", repr(rules.game), f"{match.GAME}, the one that programs play")
    return load_game(rules.game)


def with_maps(rules: Rules, seeds: Iterable[int]) -> tuple[list[int], list[int]]:
    """The seeds that give a map, and those that give none; BadInput when there is none at all."""
    good: list[int] = []
    bare: list[int] = []
    document: Any = rules.document
    for seed in seeds:
        try:
            generate(document.map, seed)
            good.append(seed)
        except BadInput as error:
            bare.append(seed)
            last = error
    if not good:
        raise last
    return good, bare


def pairs_of(path: Path, bots: Sequence[Bot]) -> list[tuple[int, int, int]]:
    """The games of another tournament's table: who met whom on which map, in its order."""
    place = {bot.name: index for index, bot in enumerate(bots)}
    found = []
    frame = read_table(path).select("first", "second", "map_seed")
    for first, second, seed in frame.iter_rows():
        for name in (first, second):
            if name not in place:
                wanted = "only bots of the bots' file"
                raise bad(str(path), f"the bot {name!r}", wanted, name, place)
        found.append((place[first], place[second], seed))
    if not found:
        raise bad(str(path), "no game", "pairs to play")
    return found


def play_game(
    tournament: Tournament,
    names: Sequence[str],
    players: Sequence[Player],
    game: int,
    seed: int,
    logs: Path | None,
) -> Entry:
    """Play a game between two bots on the map of a seed; policies play as in game 0 of that seed.

    With `logs` its log lies there, and what programs print to stderr in a folder beside it.
    Without, two policies play it in the kernel, which comes to the same.
    """
    began = monotonic()
    rules, terms = tournament.rules, tournament.terms
    document: Any = rules.document
    world = generate(document.map, seed)[0]
    left, right = players
    if isinstance(left, str) and isinstance(right, str) and logs is None:
        row = as_fields(by_kernel(rules, world, left, right, seed))
        return Entry(game, names[0], names[1], row, NO_CAUSES, (0, 0), _since(began))
    stem = re.sub(r"[^\w.-]", "_", f"{game:06}-{names[0]}-{names[1]}-{seed}")
    if logs is not None:
        terms = replace(terms, errors=logs / stem)
    found = match.play(rules, world, players, terms, seed)
    if logs is not None:
        write_text(logs / f"{stem}.log", found.log)
    one, other = found.seats
    causes, refused = (one.cause or None, other.cause or None), (one.refused, other.refused)
    row = as_fields(found.row)
    return Entry(game, names[0], names[1], row, causes, refused, _since(began))


def _since(began: float) -> float:
    return round(monotonic() - began, 3)


def by_kernel(rules: Rules, world: Any, first: str, second: str, seed: int) -> Any:
    """The row of game 0 of a seed between two policies, on a map of its own."""
    game = judged(rules)
    record = game.record(rules, seed, range(0))
    maps.put(record, 0, world)
    rows, _, _ = play_rows(game, record, game.policy_rows(first, second), seed, 0, 1)
    return rows[0]


class Run:
    """A tournament under way."""

    def __init__(
        self, tournament: Tournament, journal: Journal, logs: Path | None, progress: Progress
    ) -> None:
        self.tournament, self.journal, self.logs = tournament, journal, logs
        self.progress = progress
        self.players = {bot.name: bot.player() for bot in tournament.bots}
        self.scores: dict[int, float] = {}  # of the first seat, by game
        self.seconds: dict[int, list[float]] = defaultdict(list)  # by kind of game
        spare = blank(tournament.game.outcome, 1)[0]
        for entry in journal:
            known = entry.game in range(len(tournament.plan)) and self.players.keys() >= {
                entry.first,
                entry.second,
            }
            if not (known and fill(spare, entry)):
                found = f"something else for game {shown(entry.game)}"
                raise bad(str(journal.path), found, "games of this tournament")
            self._note(entry)

    def go(self, jobs: int, confirm: Callable[[Outlook], None]) -> None:
        """Play what has not been played, once `confirm` has seen what lies ahead."""
        plan, asked = self.tournament.plan, False
        past: list[tuple[Fixture, float]] = []
        for number in range(plan.rounds):
            fixtures = plan.round(number, past)
            if not asked and len(self.scores) < len(plan) and any(self._waiting(fixtures)):
                confirm(self._look_ahead(fixtures, jobs))
                asked = True
            self.progress(len(self.scores), len(plan))
            self._play_all(fixtures, jobs)
            if plan.rounds > 1:
                past += [(fixture, self.scores[fixture.game]) for fixture in fixtures]

    def _waiting(self, fixtures: Iterable[Fixture]) -> Iterator[Fixture]:
        return (fixture for fixture in fixtures if fixture.game not in self.scores)

    def _play_all(self, fixtures: Iterable[Fixture], jobs: int) -> None:
        with Brake() as brake:
            calls = (
                joblib.delayed(self._play)(fixture)
                for fixture in takewhile(lambda _: not brake.pulled, self._waiting(fixtures))
            )
            with joblib.Parallel(
                jobs, prefer="threads", return_as="generator_unordered", pre_dispatch="n_jobs"
            ) as workers:
                for entry in workers(calls):
                    self._keep(entry)
                    self.progress(len(self.scores), len(self.tournament.plan))
        if brake.pulled:
            raise Interrupted(len(self.scores))

    def _play(self, fixture: Fixture) -> Entry:
        names = self._names(fixture)
        players = [self.players[name] for name in names]
        return play_game(self.tournament, names, players, fixture.game, fixture.seed, self.logs)

    def _keep(self, entry: Entry) -> None:
        self.journal.append(entry)
        self._note(entry)

    def _note(self, entry: Entry) -> None:
        self.scores[entry.game] = entry.score
        self.seconds[self._kind((entry.first, entry.second))].append(entry.seconds)

    def _names(self, fixture: Fixture) -> tuple[str, str]:
        bots = self.tournament.bots
        return bots[fixture.first].name, bots[fixture.second].name

    def _kind(self, names: Sequence[str]) -> int:
        """What decides how long a game takes: how many of its bots are programs."""
        return sum(not isinstance(self.players[name], str) for name in names)

    def _look_ahead(self, fixtures: Sequence[Fixture], jobs: int) -> Outlook:
        """The time left, by the games so far; a first game of each kind is played for it."""
        some = fixtures[:: max(len(fixtures) // SAMPLE, 1)]
        waiting = list(self._waiting(some)) or [next(self._waiting(fixtures))]
        kinds = Counter(self._kind(self._names(fixture)) for fixture in waiting)
        if not all(self.seconds[kind] for kind in kinds):
            self._warm_up(fixtures[0].seed)
        for fixture in waiting:
            if not self.seconds[self._kind(self._names(fixture))]:
                self._keep(self._play(fixture))
        each = sum(count * mean(self.seconds[kind]) for kind, count in kinds.items())
        games, done = len(self.tournament.plan), len(self.scores)
        return Outlook(games, done, (games - done) * each / kinds.total() / jobs)

    def _warm_up(self, seed: int) -> None:
        """A game that nobody counts: the first of all may compile kernels."""
        policy = next(iter(self.tournament.game.policies))
        play_game(self.tournament, (policy, policy), (policy, policy), 0, seed, None)


def run_tournament(
    tournament: Tournament,
    out: Path | str,
    jobs: int = 1,
    logs: Path | None = None,
    progress: Progress = lambda done, total: None,
    confirm: Callable[[Outlook], None] = lambda outlook: None,
) -> pl.DataFrame:
    """Play a tournament and write its table, a .parquet file; `jobs` games at a time.

    What was played before is kept in OUT.journal, and the same tournament goes on there; a finished
    one is read. BadInput when another one lies there; Interrupted on Ctrl-C. `confirm` may raise
    what it likes, KeyboardInterrupt as well.
    """
    path = table_path(out)
    if path.suffix != ".parquet":
        raise bad(str(path), f"suffix {path.suffix!r}", "a file that ends in .parquet")
    about, game = tournament.about, tournament.game
    journal_path = path.with_name(f"{path.name}.journal")
    if path.exists():
        check_same(str(path), read_about(path), about)
        journal_path.unlink(missing_ok=True)
        return read_table(path)
    build(tournament.bots)
    if logs is not None:
        make_folder(logs)
    with Journal(journal_path, about) as journal:
        run = Run(tournament, journal, logs, progress)
        try:
            run.go(jobs, confirm)
        except KeyboardInterrupt:  # a second one, or before most of the games were begun
            raise Interrupted(len(run.scores)) from None
        frame = frame_of(game, journal, len(tournament.plan))
        write_table(path, frame, about)
        journal.remove()
    return frame


def check(
    tournament: Tournament,
    logs: Path | None = None,
    progress: Progress = lambda done, total: None,
) -> list[Entry]:
    """One game of each bot, as the first, against a policy that hardly plays; nothing is kept."""
    build(tournament.bots)
    if logs is not None:
        make_folder(logs)
    seed = tournament.plan.round(0, [])[0].seed
    rival, found = next(iter(tournament.game.policies)), []
    for number, bot in enumerate(tournament.bots):
        names, players = (bot.name, rival), (bot.player(), rival)
        found.append(play_game(tournament, names, players, number, seed, logs))
        progress(len(found), len(tournament.bots))
    return found
