"""Play many games on all cores: a row a game, in index order, whatever the chunks and workers."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from threading import Lock
from typing import Any

import joblib
import numpy as np
import polars as pl

from lab.catalog import load_game
from lab.errors import bad
from lab.game import WINNERS, Game
from lab.metrics import METRICS, measure_one
from lab.play import play_rows
from lab.rules import Rules

Games = int | range | slice
Progress = Callable[[int, int], None]  # games done, games in all

CHUNK = 5000
MOST = 10**12
"""Indices of games are below this: more would take a year."""
PIECES_PER_JOB = 4
"""So that the last chunks keep every worker busy, and that progress shows."""
RECORDS_KEPT = 8


@dataclass(frozen=True)
class Matchup:
    """Two policies, how many games between them, and how much they count among others."""

    first: str
    second: str
    games: int = 1000
    weight: float = 1.0


def play_chunk(
    game: str, rules: Rules, first: str, second: str, seed: int, start: int, games: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Rows of games start, start + 1, ... and their curve sums, as `lab.play.play_rows` says.

    What a worker gets, in this process or on another machine: by name, with plain arguments.
    """
    loaded = load_game(game)
    policies = loaded.policy_rows(first, second)
    rows, sums, _ = play_rows(loaded, _record(loaded, rules, seed), policies, seed, start, games)
    return rows, sums


_records: dict[tuple[str, str, int], Any] = {}
_making = Lock()


def _record(game: Game, rules: Rules, seed: int) -> Any:
    """The rules' record, kept for the next chunks: making one may take as long as a chunk."""
    key = (game.name, rules.fingerprint, seed)
    with _making:
        if key not in _records:
            if len(_records) >= RECORDS_KEPT:
                del _records[next(iter(_records))]
            _records[key] = game.record(rules, seed)
        return _records[key]


def play(
    rules: Rules,
    first: str,
    second: str,
    games: Games = 1000,
    seed: int = 0,
    jobs: int = 1,
    chunk: int = CHUNK,
) -> Iterator[tuple[pl.DataFrame, np.ndarray[Any, Any]]]:
    """Chunks in index order: the outcomes, and the curve sums (max_clock, 1 + curves).

    Game i depends on rules, policies, seed and i alone. Raises BadInput before the first game.
    """
    game = load_game(rules.game)
    game.policy_rows(first, second)
    indices = as_range(games)
    _check("seed", seed, 0, 2**64 - 1)
    _check("jobs", jobs, 1, 1024)
    _check("chunk", chunk, 1, MOST)
    size = min(chunk, math.ceil(len(indices) / (PIECES_PER_JOB * jobs)))
    starts = range(indices.start, indices.stop, size)
    calls = (
        joblib.delayed(play_chunk)(
            game.name, rules, first, second, seed, start, min(size, indices.stop - start)
        )
        for start in starts
    )
    workers = joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator")
    return ((as_frame(game, rows), sums) for rows, sums in workers(calls))


def as_range(games: Games) -> range:
    """N -> games 0 to N - 1, A:B -> games A to B - 1; BadInput unless it is at least one game."""
    if isinstance(games, int):
        start, stop, step = 0, games, 1
    else:
        start, stop, step = games.start or 0, games.stop, games.step or 1
    if stop is None or step != 1 or not 0 <= start < stop <= MOST:
        found = games if isinstance(games, int) else f"{start}:{stop}"
        raise bad("games", str(found), f"N or A:B with 0 <= A < B <= {MOST}")
    return range(start, stop)


def _check(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise bad(name, str(value), f"a whole number from {low} to {high}")


def as_frame(game: Game, rows: np.ndarray[Any, Any]) -> pl.DataFrame:
    """Rows of a game's outcome dtype as columns; a field with a place a seat becomes two."""
    codes = {"winner": WINNERS, "ending": game.endings}
    columns = []
    for name in rows.dtype.names or ():
        values = rows[name]
        if name.startswith("_"):
            continue
        if name in codes:
            code = pl.Series(name, values.astype(np.uint8))
            columns.append(code.cat.to(pl.Enum(codes[name])))
        elif values.ndim == 2:
            columns += [
                pl.Series(f"{seat}_{name}", np.ascontiguousarray(values[:, place]))
                for place, seat in enumerate(WINNERS[:2])
            ]
        else:
            columns.append(pl.Series(name, np.ascontiguousarray(values)))
    return pl.DataFrame(columns)


def simulate(
    rules: Rules,
    first: str,
    second: str,
    games: Games = 1000,
    seed: int = 0,
    jobs: int = 1,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> pl.DataFrame:
    """One row a game, in index order."""
    total = len(as_range(games))
    frames: list[pl.DataFrame] = []
    done = 0
    for frame, _ in play(rules, first, second, games, seed, jobs, chunk):
        frames.append(frame)
        done += frame.height
        if progress is not None:
            progress(done, total)
    return pl.concat(frames)


def curve_table(game: Game, sums: np.ndarray[Any, Any]) -> pl.DataFrame:
    """Curve sums as means: one row a clock that some game reached, with how many did."""
    reached = np.flatnonzero(sums[:, 0])
    n = sums[reached, 0]
    means = {name: sums[reached, 1 + i] / n for i, name in enumerate(game.curves)}
    return pl.DataFrame({"clock": reached, "n": n, **means})


def curves(
    rules: Rules, first: str, second: str, games: Games = 1000, seed: int = 0, jobs: int = 1
) -> pl.DataFrame:
    """By clock (round or day): n games that reached it, and the mean of each of `Game.curves`."""
    sums = sum(sums for _, sums in play(rules, first, second, games, seed, jobs))
    return curve_table(load_game(rules.game), np.asarray(sums))


def matrix(
    rules: Rules, policies: Sequence[str], games: Games = 1000, seed: int = 0, jobs: int = 1
) -> pl.DataFrame:
    """Every policy in every seat: the first seat's score with its interval, one row a pair."""
    rows = []
    for first, second in product(policies, repeat=2):
        found = measure_one(simulate(rules, first, second, games, seed, jobs), METRICS[0])
        pair = {"first": first, "second": second}
        numbers = ("value", "low", "high", "n", "distinct", "clusters")
        rows.append(pair | {name: getattr(found, name) for name in numbers})
    return pl.DataFrame(rows)
