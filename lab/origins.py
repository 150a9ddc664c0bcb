"""Which run a row of games comes from: runs that this process played or read are remembered.

A row holds the index of its game and a hash of its actions, but no frame keeps its rules, its
players and its seed through joins and filters. So the game is played again by the runs that have
such an index: the one with the row's hash is the row's. Where the same game came out of several,
as by rules that differ in what it never came to, the columns `rules`, `first`, `second` and `seed`
tell, which `lab.read` puts beside many files' rows; else it is the latest.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from lab.catalog import load_game
from lab.errors import bad
from lab.play import play_rows
from lab.rules import Rules

KEPT = 200
"""Runs that are remembered."""


def named(version: str, fingerprint: str, changes: Mapping[str, Any] | None) -> str:
    """Rules in a word or two: a version, and the fingerprint where it was changed."""
    return f"{version} {fingerprint}" if changes else version


class Origin(NamedTuple):
    """What games depend on, besides each one's index."""

    rules: Rules
    first: str
    second: str
    seed: int
    games: range

    @property
    def name(self) -> tuple[str, ...]:
        """The same for the same run, whatever part of it was played."""
        return self.rules.game, self.rules.fingerprint, self.first, self.second, str(self.seed)

    @property
    def label(self) -> str:
        """The rules in a word or two, so that other rules have another name."""
        return named(self.rules.version, self.rules.fingerprint, self.rules.changes)

    def fits(self, row: Mapping[str, Any]) -> int:
        """How many of the columns that may tell of a run tell of this one."""
        told = {"rules": self.label, "first": self.first, "second": self.second, "seed": self.seed}
        return sum(row.get(name) == value for name, value in told.items())

    def history(self, index: int) -> int:
        """The hash of a game's actions, played once more."""
        game = load_game(self.rules.game)
        policies = game.policy_rows(self.first, self.second, self.rules)
        record = game.record(self.rules, self.seed, range(index, index + 1))
        rows, _, _ = play_rows(game, record, policies, self.seed, index, 1)
        return int(rows["history"][0])


_runs: dict[tuple[Any, ...], Origin] = {}
"""The latest last."""


def remember(origin: Origin) -> None:
    """Keep a run in mind as the latest."""
    key = (*origin.name, origin.games)
    _runs.pop(key, None)
    _runs[key] = origin
    if len(_runs) > KEPT:
        del _runs[next(iter(_runs))]


def origin_of(row: Mapping[str, Any], given: Origin | None = None) -> tuple[Origin, int]:
    """The run of a row, a mapping of its columns, and the game's index there.

    `given` is the run where somebody knows it. BadInput where it is no remembered one, or not the
    given one: as rows of other rules, or by other kernels, are.
    """
    missing = [name for name in ("game", "history") if row.get(name) is None]
    if missing:
        raise bad("row", f"no column {missing[0]}", "a row of a frame of games")
    index, history = int(row["game"]), int(row["history"])
    if given is not None:
        if given.history(index) != history:
            found = f"game {index} with another course by {given.rules.game} {given.rules.version}"
            raise bad("row", found, "the rules, policies and seed that it was played by")
        return given, index
    tried, latest_first = set(), [*_runs.values()][::-1]
    for origin in sorted(latest_first, key=lambda one: -one.fits(row)):
        if index in origin.games and origin.name not in tried:
            tried.add(origin.name)
            if origin.history(index) == history:
                return origin, index
    found = f"game {index} of no run that was played or read here"
    raise bad("row", found, "such a row, or rules, first, second and seed beside it")
