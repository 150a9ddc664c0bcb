"""What this machine has, what is wrong with it, and what to do about that.

Nothing is compiled: where kernels are not on disk yet, what needs them is left out.
"""

import os
import platform
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np
from packaging.requirements import Requirement

from lab import jit
from lab.catalog import GAMES, load_game, load_rules
from lab.errors import BadInput
from lab.play import Position, play_rows
from lab.rng import CHANCE, stream
from lab.rules import folder as rules_folder

SECONDS = 0.8  # of games for the figure of speed
BLOCK = 200
SEED = 1
PATIENCE = 2  # seconds that a database has to answer
TOGETHER = 20  # seeds and indices of the streams that are looked at
DRIVER = 'pip install "balance-lab[postgres]"'
GOLDEN = Path("shared", "data")  # beside the repository

State = Literal["well", "note", "wrong"]


@dataclass(frozen=True)
class Finding:
    """One thing looked at: well, worth a note, or wrong; and what to do."""

    what: str
    found: str
    state: State = "well"
    do: str = ""


class _Uncompiled(Exception):
    """A kernel is not on disk."""


def examine(storage: str | None = None) -> list[Finding]:
    """Everything about this machine, in the order in which it is told.

    `storage` is the URL of a database, or a run's folder or journal.
    """
    ready = [name for name in GAMES if _playable(name)]
    return [
        _python(),
        *_libraries(),
        _threads(),
        _rules(),
        _cache(),
        *(_kernels(name, name in ready) for name in GAMES),
        _streams(),
        _speed(ready),
        *([_storage(storage)] if storage else []),
        _golden(),
        _chromium(),
        _postgres(),
    ]


# --- what is installed --------------------------------------------------------------------------


def _python() -> Finding:
    found = f"{platform.python_version()}, {platform.system()} {platform.machine()}"
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return Finding("Python", found, "wrong", "unset NUMBA_DISABLE_JIT: games are hardly played")
    return Finding("Python", found)


def _libraries() -> Iterator[Finding]:
    """lab, and what it is made with in the versions that it takes; of its extras what is there."""
    try:
        needed = [Requirement(line) for line in requires("balance-lab") or ()]
        yield Finding("lab", version("balance-lab"))
    except PackageNotFoundError:
        yield Finding("lab", "not installed", "wrong", "pip install -e . in the repository")
        return
    for need in needed:
        if need.marker is None:
            yield library(need)


def library(need: Requirement) -> Finding:
    """Whether a library is there, in a version that lab takes."""
    try:
        found = version(need.name)
    except PackageNotFoundError:
        return Finding(need.name, "not installed", "wrong", f'pip install "{need}"')
    if not need.specifier.contains(found, prereleases=True):
        return Finding(need.name, found, "wrong", f'pip install "{need}"')
    return Finding(need.name, found)


def _threads() -> Finding:
    from joblib import cpu_count

    mine, all_of_them = cpu_count(), os.cpu_count() or 1
    found = f"{mine} to play on" + (f", of {all_of_them} cores" if mine < all_of_them else "")
    return Finding("threads", found)


def _rules() -> Finding:
    try:
        return Finding("rules", str(rules_folder().resolve()))
    except BadInput as error:
        return Finding("rules", str(error), "wrong", "set LAB_RULES to the folder rules/")


# --- kernels ------------------------------------------------------------------------------------


def _cache() -> Finding:
    place = jit.folder()
    if Path(place).name.startswith("lab-"):  # made for this process alone
        do = "set LAB_CACHE_DIR to a folder that can be written, else every run compiles anew"
        return Finding("kernels", f"nowhere to keep them but {place}", "wrong", do)
    return Finding("kernels", f"kept in {place}")


def _kernels(game: str, ready: bool) -> Finding:
    what = f"kernels of {game}"
    if ready and _looked_at(game):
        return Finding(what, "compiled")
    found = "compiled to play, not to look at positions" if ready else "not compiled"
    return Finding(what, found, "note", f"lab compile {game}, else the first use is 20 s late")


@contextmanager
def _compiling_nothing() -> Iterator[None]:
    """Raises _Uncompiled where a kernel would have to be compiled."""

    def refuse(game: str) -> None:
        raise _Uncompiled(game)

    before = jit.announce
    jit.announce = refuse
    try:
        yield
    finally:
        jit.announce = before


def _playable(game: str) -> bool:
    """Whether a game of the current rules can be played at once."""
    try:
        with _compiling_nothing():
            _player(game)(0, 1)
    except (_Uncompiled, BadInput):
        return False
    return True


def _looked_at(game: str) -> bool:
    """Whether its positions can be looked at at once."""
    try:
        with _compiling_nothing():
            start = Position(load_game(game), load_rules(game))
            start.play(start.legal()[0])
    except (_Uncompiled, BadInput):
        return False
    return True


def _player(name: str) -> Callable[[int, int], Any]:
    """Plays so many games from one on, at random: every action is drawn from a stream."""
    game, rules = load_game(name), load_rules(name)
    policies = game.policy_rows("random", "random", rules)

    def play(start: int, games: int) -> Any:
        record = game.record(rules, SEED, range(start, start + games))
        return play_rows(game, record, policies, SEED, start, games)[0]

    return play


# --- what is played -----------------------------------------------------------------------------


def _streams() -> Finding:
    """Whether streams of different seeds, indices and purposes begin apart."""
    near = range(TOGETHER)
    keys = [CHANCE, *load_game(GAMES[0]).policy_rows("random", "random")["key"][:2]]
    asked = [*product(near, near, map(np.uint64, keys))]
    try:
        with _compiling_nothing():
            starts = {int(stream(np.uint64(s), np.int64(i), key)) for s, i, key in asked}
    except _Uncompiled:
        return Finding("streams", "not looked at: no kernel is compiled", "note", "lab compile")
    return streams(len(starts), len(asked))


def streams(distinct: int, asked: int) -> Finding:
    """What it means that so many streams of those asked for are distinct."""
    found = f"{distinct:,} of {asked:,} distinct, by seed, index and purpose"
    if distinct == asked:
        return Finding("streams", found)
    do = "trust no figure made here: empty the folder of the kernels, lab compile, and look again"
    return Finding("streams", found, "wrong", do)


def _speed(ready: list[str]) -> Finding:
    """Games a second of the first game that is compiled, on one core, in about a second."""
    if not ready:
        return Finding("speed", "not measured: no kernel is compiled", "note", "lab compile")
    game, played, histories = ready[0], 0, set[int]()
    play = _player(game)
    began = perf_counter()
    while (spent := perf_counter() - began) < SECONDS:
        histories.update(play(played, BLOCK)["history"].tolist())
        played += BLOCK
    rate = f"{played / spent:,.0f} games of {game} a second on one core, random play"
    found = f"{rate}, {len(histories):,} of {played:,} distinct"
    busy = os.getloadavg()[0]
    if busy > (os.cpu_count() or 1):
        do = "look again when the machine is quiet"
        return Finding("speed", f"{found}; a load of {busy:.0f}", "note", do)
    return Finding("speed", found)


# --- what is kept -------------------------------------------------------------------------------


def _storage(place: str) -> Finding:
    """Whether a database answers, or a journal can be read."""
    return _database(place) if "://" in place else _journal(Path(place))


def _database(url: str) -> Finding:
    try:
        from sqlalchemy import create_engine, inspect
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import ArgumentError, SQLAlchemyError
    except ImportError:
        return Finding("storage", "sqlalchemy not installed", "wrong", DRIVER)
    try:
        known = make_url(url)
    except (ArgumentError, ValueError):
        do = "give it as postgresql+psycopg://user:password@host/name or sqlite:///FILE"
        return Finding("storage", "no URL of a database", "wrong", do)
    shown = known.render_as_string(hide_password=True)
    file = known.get_backend_name() == "sqlite" and known.database
    if file and not Path(file).is_file():  # to connect would make it
        return Finding("storage", f"{shown}: no such file", "wrong", "give the file of a storage")
    waits = {"connect_timeout": PATIENCE} if known.get_backend_name() == "postgresql" else {}
    try:
        engine = create_engine(known, connect_args=waits)
        with engine.connect() as connection:
            studies = inspect(connection).has_table("studies")
        engine.dispose()
    except ImportError as error:  # of its driver
        return Finding("storage", f"{shown}: {error}", "wrong", DRIVER)
    except SQLAlchemyError as error:
        said = str(error).splitlines()[0]
        do = "start it, or mend the address or the user"
        return Finding("storage", f"{shown}: {said}", "wrong", do)
    return Finding("storage", f"{shown} answers" + ("" if studies else ", with no study yet"))


def _journal(path: Path) -> Finding:
    file = path / "journal.log" if path.is_dir() else path
    try:
        data = file.read_bytes()
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        return Finding("storage", f"{file}: {said}", "wrong", "give a run's folder, or its journal")
    lines = data.count(b"\n")
    found = f"{file}, lines: {lines:,}"
    if data and not data.endswith(b"\n"):
        return Finding("storage", f"{found}, the last cut", "note", "go on: it is dropped then")
    if not os.access(file, os.W_OK):
        return Finding("storage", f"{found}, not to be written", "wrong", f"chmod u+w {file}")
    return Finding("storage", found)


# --- what only tests need -----------------------------------------------------------------------


def _golden() -> Finding:
    """The recorded matches, as tests look for them."""
    named = os.environ.get("LAB_GOLDEN")
    place = Path(named) if named else jit.ROOT.parent.parent / GOLDEN
    if place.is_dir():
        return Finding("golden data", str(place))
    if named:
        do = "set LAB_GOLDEN to the folder of recorded matches, or unset it"
        return Finding("golden data", f"no folder {place}", "wrong", do)
    return Finding("golden data", "not found", "note", "set LAB_GOLDEN: some tests are skipped")


def _chromium() -> Finding:
    found = shutil.which("chromium")
    if found:
        return Finding("Chromium", found)
    return Finding("Chromium", "not found", "note", "apt install chromium: some tests are skipped")


def _postgres() -> Finding:
    """The server's program, which Debian keeps out of PATH."""
    places = [os.environ.get("PATH", ""), *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
    found = shutil.which("postgres", path=os.pathsep.join(places))
    if found:
        return Finding("PostgreSQL", found)
    do = "apt install postgresql: some tests are skipped"
    return Finding("PostgreSQL", "not found", "note", do)
