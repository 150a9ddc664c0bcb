"""Tables that the lab wrote, read back; what no longer fits is said in a warning."""

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from lab.catalog import GAMES, load_game, load_rules
from lab.errors import BadInput, bad
from lab.frames import game_of
from lab.jsonfile import read_object
from lab.origins import Origin, named, remember
from lab.rules import Rules

MAIN = ("trials", "measures", "matrix")
"""The table that a run's folder is read for: the first of these that it has."""


@dataclass(frozen=True)
class Stamp:
    """What a table says of itself; "" and None where it does not."""

    game: str = ""
    game_version: str = ""
    rules: str = ""  # the version
    fingerprint: str = ""
    changes: dict[str, Any] | None = None  # None: a table does not tell
    run: dict[str, Any] | None = None  # first, second, seed, games

    @property
    def named(self) -> str:
        """The rules in a word or two, so that other rules have another name."""
        return named(self.rules, self.fingerprint, self.changes)


def read(*paths: Path | str) -> pl.DataFrame:
    """A table that `lab simulate`, `lab tournament` or a run wrote: its .parquet file.

    Of a run's folder it is its main table; of any other folder all tables in it, one behind the
    other, as several paths are. Of several files the rows also say by which rules they were played
    (column `rules`) and, of `lab simulate`, by whom (first, second, seed). Warns where the rules
    in rules/ or the kernels are no longer those of a file, and where files are of several rules.
    BadInput names a file that cannot be read, or that does not fit the ones before.
    """
    files = [file for path in paths for file in _files(Path(path))]
    if not files:
        raise bad("read", "no path", "one or more tables")
    stamps = [_stamp(file) for file in files]
    frames = [_frame(file) for file in files]
    for file, stamp in zip(files, stamps, strict=True):
        _check_now(file, stamp)
    if len(files) == 1:
        return frames[0]
    _check_together(files, stamps, frames)
    return pl.concat([_told(*pair) for pair in zip(frames, stamps, strict=True)])


# --- which files, and what they say of themselves -----------------------------------------------


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    if (path / "manifest.json").exists():
        names = [name for name in MAIN if (path / f"{name}.parquet").is_file()]
        if not names:
            raise bad(str(path), "no table", "the folder of a finished run")
        yield path / f"{names[0]}.parquet"
        return
    found = sorted(path.glob("*.parquet"))
    if not found:
        raise bad(str(path), "no .parquet file", "a folder of tables")
    yield from found


def _frame(path: Path) -> pl.DataFrame:
    if path.suffix != ".parquet" or not path.is_file():
        raise bad(str(path), "no such table", "a .parquet file that the lab wrote")
    try:
        return pl.read_parquet(path, glob=False)
    except (OSError, pl.exceptions.PolarsError):
        raise bad(str(path), "no readable table", "a .parquet file that the lab wrote") from None


def _stamp(path: Path) -> Stamp:
    """From the file's metadata, else from the manifest beside it."""
    try:
        about = json.loads((pq.read_metadata(path).metadata or {})[b"lab"])
    except (OSError, ValueError, LookupError, pa.ArrowException):
        beside = path.parent / "manifest.json"
        about = read_object(beside) if beside.is_file() else {}
    if "bots" in about:  # a tournament
        game, _, version = about["game"].partition(" ")
        rules, _, fingerprint = about["rules"].partition(" ")
        return Stamp(game, version, rules, fingerprint)
    if about.get("game") not in GAMES:
        return Stamp()
    run = {key: about[key] for key in ("first", "second", "seed", "games") if key in about}
    changes = about.get("changes", about.get("overrides"))
    game, kernels, rules, fingerprint = (
        str(about.get(key, "")) for key in ("game", "game_version", "rules", "fingerprint")
    )
    return Stamp(game, kernels, rules, fingerprint, changes, run if len(run) == 4 else None)


# --- what no longer fits ------------------------------------------------------------------------


def _check_now(path: Path, stamp: Stamp) -> None:
    """Warn where the same games would not come out today; remember the run where they would."""
    if not stamp.game:
        _warn(f"{path}: says nothing of its rules")
        return
    rules = _rules_now(path, stamp)
    now = load_game(stamp.game).version
    if stamp.game_version != now:
        _warn(
            f"{path}: played by the kernels of {stamp.game} {stamp.game_version}, now {now}:"
            " the same seed may give another game"
        )
    elif rules is not None and stamp.run is not None:
        first, second, seed, games = (stamp.run[k] for k in ("first", "second", "seed", "games"))
        remember(Origin(rules, first, second, seed, range(*games)))


def _rules_now(path: Path, stamp: Stamp) -> Rules | None:
    """The rules of a table as the lab has them; None, with a warning, where they are others."""
    played = f"{path}: played by {stamp.game} {stamp.rules} {stamp.fingerprint}"
    try:
        rules = load_rules(stamp.game, stamp.rules)
        rules = rules.override(stamp.changes) if stamp.changes else rules
    except BadInput as error:
        _warn(f"{played}, which rules/ does not have ({error})")
        return None
    if rules.fingerprint == stamp.fingerprint:
        return rules
    if stamp.changes is not None:
        _warn(f"{played}, which is {rules.fingerprint} in rules/ now: measure by other rules")
    else:
        _warn(f"{played}, in rules/ {rules.fingerprint}: by other numbers, or by changes")
    return None


def _check_together(files: list[Path], stamps: list[Stamp], frames: list[pl.DataFrame]) -> None:
    for file, frame in zip(files[1:], frames[1:], strict=True):
        if frame.schema != frames[0].schema:
            one, other = (_games_in(f) for f in (frames[0], frame))
            raise bad(str(file), other, f"{one}, as in {files[0]}")
    every = {stamp.fingerprint: stamp.named for stamp in stamps if stamp.game}
    if len(every) > 1:
        names = ", ".join(every.values())
        _warn(f"{len(files)} files of {len(every)} rules ({names}): group them by rules")


def _games_in(frame: pl.DataFrame) -> str:
    game = game_of(frame.schema)
    return f"games of {game.name}" if game else f"columns {', '.join(frame.columns)}"


def _told(frame: pl.DataFrame, stamp: Stamp) -> pl.DataFrame:
    """With columns that say by which rules, and by whom, unless the frame has such a column."""
    told: dict[str, Any] = {"rules": stamp.named or None}
    if stamp.run is not None:
        told |= {key: stamp.run[key] for key in ("first", "second")}
    columns = {
        key: pl.lit(value, dtype=pl.String).cast(pl.Categorical)
        for key, value in told.items()
        if key not in frame.columns
    }
    if stamp.run is not None:
        columns["seed"] = pl.lit(stamp.run["seed"], dtype=pl.UInt64)
    return frame.with_columns(**columns)


def _warn(text: str) -> None:
    warnings.warn(text, stacklevel=4)
