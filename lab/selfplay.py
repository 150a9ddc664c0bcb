"""Play many games on all cores: a row a game, in index order, whatever the chunks and workers."""

import json
import math
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any, overload

import joblib
import numpy as np
import polars as pl
import pyarrow.parquet as pq

from lab.brake import Brake
from lab.catalog import load_game
from lab.doors import function
from lab.doors.function import Player, name_of
from lab.errors import bad, whole, write_atomic
from lab.game import WINNERS, Game
from lab.jit import blank
from lab.metrics import FIRST_SCORE, measure_one
from lab.origins import Origin, remember
from lab.play import play_rows
from lab.rules import Rules
from lab.watch import Watch

Games = int | range | slice
"""N games, or those with the indices A:B."""
Progress = Callable[[int, int], None]
"""Told the games done and the games in all."""
Sums = np.ndarray[Any, Any]
"""Curve sums of some games: (max_clock, 1 + curves), column 0 counts the games."""
Pieces = Generator[tuple[pl.DataFrame, Sums]]

MOST = 10**12
"""Indices of games are below this: to play them all would take a year."""
CHUNK = 5000
LARGEST = 10**6
"""Games in a chunk: more of them would not play faster and need gigabytes."""
PIECES_PER_JOB = 4
"""At least so many chunks, so that every worker has work to the end and progress shows."""
SLOW_PIECES = 100
"""At least so many where a function plays, whose games are slow."""
BLOCK = 64
"""Chunks a worker that may be finished and not yet read."""
ROW_GROUP = 100_000
RECORDS_KEPT = 8


@dataclass(frozen=True)
class Matchup:
    """Two policies, how many games between them, and how much they count among others."""

    first: str
    second: str
    games: int = 1000
    weight: float = 1.0


class Interrupted(Exception):
    """Ctrl-C while a file was written: it holds the first `done` games, and all of them whole."""

    def __init__(self, done: int, indices: range) -> None:
        self.done = done
        rest = f"{indices.start + done}:{indices.stop}"
        super().__init__(f"kept {done:,} games; go on with --games {rest} --out OTHER")


# --- games in chunks ----------------------------------------------------------------------------


def play_chunk(
    game: str, rules: Rules, first: Player, second: Player, seed: int, start: int, games: int
) -> tuple[np.ndarray[Any, Any], Sums]:
    """Rows of games start, start + 1, ... and their curve sums, as `lab.play.play_rows` says.

    What a worker gets, in this process or on another machine: by name, with plain arguments.
    """
    loaded, players = load_game(game), (first, second)
    pieces = []
    for block in blocks_of(start, start + games, loaded.block or start + games):
        record = record_of(loaded, rules, seed, block)
        if function.among(players):
            pieces.append(function.play_rows(loaded, rules, record, players, seed, block))
        else:
            policies = function.policy_rows(loaded, players)
            pieces.append(play_rows(loaded, record, policies, seed, block.start, len(block))[:2])
    rows, sums = zip(*pieces, strict=True)
    return np.concatenate(rows), np.sum(sums, axis=0)


def blocks_of(start: int, stop: int, most: int) -> Iterator[range]:
    """Cut at the multiples of `most`, so that chunks seldom share a block."""
    while start < stop:
        end = min(start - start % most + most, stop)
        yield range(start, end)
        start = end


_records: dict[tuple[str, str], Any] = {}
_making = threading.Lock()
_own = threading.local()


def record_of(game: Game, rules: Rules, seed: int, games: range) -> Any:
    """The record of the rules, kept for the next chunks: to make it may take as long as to play.

    One that serves only some games is its thread's own, and prepared anew for each block of them:
    a new one would be tens of megabytes of memory that nobody has touched yet.
    """
    key = (game.name, rules.fingerprint)
    if game.block:
        if getattr(_own, "key", None) == key:
            game.prepare(_own.record, rules.document, seed, games)
        else:
            _own.record, _own.key = game.record(rules, seed, games), key
        return _own.record
    with _making:
        if key not in _records:
            if len(_records) >= RECORDS_KEPT:
                del _records[next(iter(_records))]
            _records[key] = game.record(rules, seed, games)
        return _records[key]


def play(
    rules: Rules,
    first: Player,
    second: Player,
    games: Games = 1000,
    seed: int = 0,
    jobs: int = 1,
    chunk: int = CHUNK,
) -> Pieces:
    """Chunks in index order: the outcomes as a frame, and the curve sums.

    Game i depends on the rules, the policies, the seed and i alone. Raises BadInput at once, and
    later if a function does not play on. Where one plays, one thread does all the work.
    """
    game = load_game(rules.game)
    function.check(game, (first, second), rules)
    indices = as_range(games)
    whole("seed", seed, 0, 2**64 - 1)
    whole("jobs", jobs, 1, 1024)
    whole("chunk", chunk, 1, LARGEST)
    pieces = PIECES_PER_JOB * jobs
    if function.among((first, second)):
        jobs, pieces = 1, SLOW_PIECES
    size = min(chunk, math.ceil(len(indices) / pieces))

    def blocks() -> Pieces:
        # In blocks, because workers do not wait for a reader who is slower than they are.
        with joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator") as workers:
            for start in range(indices.start, indices.stop, size * BLOCK * jobs):
                block = range(start, min(start + size * BLOCK * jobs, indices.stop), size)
                for rows, sums in workers(
                    joblib.delayed(play_chunk)(
                        game.name, rules, first, second, seed, i, min(size, indices.stop - i)
                    )
                    for i in block
                ):
                    yield as_frame(game, rows), sums

    return blocks()


def as_range(games: Games) -> range:
    """N -> games 0 to N - 1, A:B -> games A to B - 1; BadInput unless it is at least one game."""
    if isinstance(games, int):
        found, start, stop, step = str(games), 0, games, 1
    else:
        start, stop, step = games.start or 0, games.stop or 0, games.step or 1
        found = f"{start}:{stop}" + (f":{step}" if step != 1 else "")
    if step != 1 or not 0 <= start < stop <= MOST:
        raise bad("games", found, f"N or A:B with 0 <= A < B <= {MOST:,}")
    return range(start, stop)


def as_frame(game: Game, rows: np.ndarray[Any, Any]) -> pl.DataFrame:
    """Rows of a game's outcome dtype as columns; a field with a place a seat becomes two."""
    codes = {"winner": WINNERS, "ending": game.endings}
    columns = []
    for name in rows.dtype.names or ():
        values = np.ascontiguousarray(rows[name].T)
        if name.startswith("_"):
            continue
        if name in codes:
            column = pl.Series(name, values.astype(np.uint8)).cat.to(pl.Enum(codes[name]))
            columns.append(column)
        elif values.ndim == 2:
            columns += [
                pl.Series(f"{seat}_{name}", values[place]) for place, seat in enumerate(WINNERS[:2])
            ]
        else:
            columns.append(pl.Series(name, values))
    return pl.DataFrame(columns)


# --- tables of games ----------------------------------------------------------------------------


@overload
def simulate(
    rules: Rules,
    first: Player,
    second: Player,
    games: Games = ...,
    seed: int = ...,
    jobs: int = ...,
    chunk: int = ...,
    out: None = ...,
    progress: Progress | None = ...,
) -> pl.DataFrame: ...


@overload
def simulate(
    rules: Rules,
    first: Player,
    second: Player,
    games: Games = ...,
    seed: int = ...,
    jobs: int = ...,
    chunk: int = ...,
    *,
    out: Path | str,
    progress: Progress | None = ...,
) -> pl.LazyFrame: ...


def simulate(
    rules: Rules,
    first: Player,
    second: Player,
    games: Games = 1000,
    seed: int = 0,
    jobs: int = 1,
    chunk: int = CHUNK,
    out: Path | str | None = None,
    progress: Progress | None = None,
) -> pl.DataFrame | pl.LazyFrame:
    """One row a game, in index order: a frame, or a lazy one of the file `out` it was streamed to.

    `jobs` threads play `chunk` games at a time. Columns: game (index), history (hash of all
    actions), winner, ending, capped, length (rounds or days), plies (actions), then the game's own.
    A player may be a function of (observation, legal), see `lab.doors.function`: then games are
    slow, and how far they are is said on stderr unless `progress` is told.
    A .parquet file has the `manifest` as JSON in its metadata under "lab"; neither `chunk` nor
    `jobs` changes its bytes. Raises BadInput before the first game, and Interrupted when Ctrl-C
    left a file with fewer games than asked for.
    """
    indices = as_range(games)
    by_function = function.among((first, second))
    watch = Watch("games") if by_function and progress is None else nullcontext(progress)
    run = _Run(play(rules, first, second, games, seed, jobs, chunk), len(indices), watch)
    if not by_function:  # only what has a text can be played again by somebody else
        remember(Origin(rules, str(first), str(second), seed, indices))
    if out is None:
        return pl.concat(list(run))
    path = table_path(out)
    game = load_game(rules.game)
    empty = as_frame(game, blank(game.outcome, 0))

    def about() -> dict[str, Any]:
        return manifest(rules, first, second, seed, indices[: run.done])

    def write(part: Path) -> None:
        if path.suffix == ".csv":
            _write_csv(part, run)
        else:
            _write_parquet(part, run, empty, about)
        if not run.done:
            raise KeyboardInterrupt

    with run.brake:
        write_atomic(path, write)
    if run.done < run.total:
        raise Interrupted(run.done, indices)
    if path.suffix == ".csv":
        return pl.scan_csv(path, schema=empty.schema, glob=False)
    return pl.scan_parquet(path, glob=False)


def table_path(out: Path | str) -> Path:
    """Where a table of games is to be written; BadInput for a name that no table can have."""
    path = Path(out)
    if path.suffix not in (".parquet", ".csv"):
        raise bad(str(path), f"suffix {path.suffix!r}", "a file that ends in .parquet or .csv")
    if not str(path).isprintable():  # polars reads such a name as another one, or not at all
        raise bad(str(path), "a sign that is not printable", "a plain name")
    return path


def manifest(
    rules: Rules, first: Player, second: Player, seed: int, indices: range
) -> dict[str, Any]:
    """What a table of games depends on: the same manifest means the same table.

    Only of a function it knows no more than the name.
    """
    game = load_game(rules.game)
    packages = {"lab": "balance-lab", "numpy": "numpy", "numba": "numba", "polars": "polars"}
    return {
        "game": game.name,
        "game_version": game.version,
        "rules": rules.version,
        "fingerprint": rules.fingerprint,
        "changes": dict(rules.changes),
        "first": name_of(first),
        "second": name_of(second),
        "seed": seed,
        "games": [indices.start, indices.stop],
        "versions": {name: version(package) for name, package in packages.items()},
    }


@dataclass
class _Run:
    """The frames of a run as they come, counted once they are dealt with, until the brake."""

    pieces: Pieces
    total: int
    watch: AbstractContextManager[Progress | None]
    done: int = 0
    brake: Brake = field(default_factory=Brake)

    def __iter__(self) -> Iterator[pl.DataFrame]:
        with closing(self.pieces), self.watch as progress:
            for frame, _ in self.pieces:
                yield frame
                self.done += frame.height
                if progress is not None:
                    progress(self.done, self.total)
                if self.brake.pulled:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")  # joblib's, that tasks are cancelled
                        self.pieces.close()
                    return


def _write_parquet(
    path: Path, run: _Run, empty: pl.DataFrame, about: Callable[[], dict[str, Any]]
) -> None:
    """Row groups of one size whatever the chunks; `about` is asked when the run is over."""
    rows = empty
    with pq.ParquetWriter(path, empty.to_arrow().schema, compression="zstd") as writer:
        for frame in run:
            rows = pl.concat([rows, frame])
            while rows.height >= ROW_GROUP:
                writer.write_table(rows[:ROW_GROUP].to_arrow())
                rows = rows[ROW_GROUP:]
        if rows.height:
            writer.write_table(rows.to_arrow())
        writer.add_key_value_metadata({"lab": json.dumps(about(), sort_keys=True)})


def _write_csv(path: Path, run: _Run) -> None:
    with path.open("wb") as file:
        for frame in run:
            frame.write_csv(file, include_header=file.tell() == 0)


# --- what else is asked of games ----------------------------------------------------------------


def curve_table(game: Game, sums: Sums) -> pl.DataFrame:
    """Curve sums as means: one row a clock that some game reached, with how many did."""
    reached = np.flatnonzero(sums[:, 0])
    n = sums[reached, 0]
    means = {name: sums[reached, 1 + i] / n for i, name in enumerate(game.curves)}
    return pl.DataFrame({"clock": reached, "n": n, **means})


def curves(
    rules: Rules, first: Player, second: Player, games: Games = 1000, seed: int = 0, jobs: int = 1
) -> pl.DataFrame:
    """By clock (round or day): n games that reached it, and the mean of each of `Game.curves`."""
    sums = sum(sums for _, sums in play(rules, first, second, games, seed, jobs))
    return curve_table(load_game(rules.game), np.asarray(sums))


def matrix(
    rules: Rules,
    policies: Sequence[str],
    games: Games = 1000,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
    source: Callable[[Sequence[tuple[str, str]]], Iterator[pl.DataFrame]] | None = None,
) -> pl.DataFrame:
    """Every policy in every seat: one row a pair, the first seat's score with its interval.

    Pairs that the game's roles keep apart are left out. `progress` counts pairs. A `source` is
    asked for the games of all pairs; without one they are played here. Raises BadInput before the
    first game.
    """
    function.named("matrix", policies)
    game = load_game(rules.game)
    pairs = [(a, b) for a, b in product(policies, policies) if game.may_meet(a, b)]
    for first, second in pairs or zip(policies, policies, strict=True):
        game.policy_rows(first, second, rules)
    here = (simulate(rules, a, b, games, seed, jobs) for a, b in pairs)
    rows = []
    for (first, second), played in zip(pairs, source(pairs) if source else here, strict=True):
        found = measure_one(played, FIRST_SCORE, rules=rules)
        numbers = ("value", "low", "high", "n", "distinct", "clusters")
        rows.append(
            {"first": first, "second": second} | {name: getattr(found, name) for name in numbers}
        )
        if progress is not None:
            progress(len(rows), len(pairs))
    return pl.DataFrame(rows)
