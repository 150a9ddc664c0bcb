"""The journal of a tournament: a line a finished game, on the disk before the next line is begun.

Its first line says which tournament it is of. A killed tournament loses the games under way and
nothing else.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from lab.errors import bad, refused

SCORES = (1.0, 0.0, 0.5)
"""What a game is worth to the first seat, by the index of its winner."""


class Entry(NamedTuple):
    """A finished game as the journal keeps it: plain JSON."""

    game: int  # index in the tournament
    first: str  # bots by name
    second: str
    row: Mapping[str, Any]  # the outcome's fields; a list where there is a place a seat
    causes: tuple[str | None, str | None]  # what a seat has lost by, when not by the game
    refused: tuple[int, int]  # orders of a seat that were left out
    seconds: float  # it took

    @property
    def score(self) -> float:
        """Of the first seat."""
        return SCORES[self.row["winner"]]


class Journal:
    """A journal that is held by one process; a context, so that it is let go in the end.

    Opening cuts a torn last line. BadInput when it is another tournament's, broken, or held.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self.path = path
        try:
            self._file = path.open("a+b")
        except (OSError, ValueError) as error:
            raise refused(path, error, "a journal that can be written") from None
        try:
            self._open(about)
        except BaseException:
            self._file.close()
            raise

    def _open(self, about: Mapping[str, Any]) -> None:
        try:  # the system drops the lock with its process, however that ends
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            wanted = "an --out of its own"
            raise bad(str(self.path), "another tournament at work there", wanted) from None
        self._cut()
        self._file.seek(0)
        head = self._file.readline()
        if not head:
            self._append(dict(about))
            _settle(self.path.parent)
            return
        check_same(str(self.path), _object(head, f"{self.path}:1"), about)

    def _cut(self) -> None:
        """Take away what stands behind the last whole line."""
        end = self._file.seek(0, os.SEEK_END)
        keep = end
        while keep:
            start = max(keep - 4096, 0)
            self._file.seek(start)
            mark = self._file.read(keep - start).rfind(b"\n")
            if mark >= 0:
                keep = start + mark + 1
                break
            keep = start
        if keep < end:
            self._file.truncate(keep)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[Entry]:
        """The finished games, in the order in which they ended."""
        with self.path.open("rb") as file:
            file.readline()
            for number, line in enumerate(file, start=2):
                where = f"{self.path}:{number}"
                data = _object(line, where)
                try:
                    entry = Entry(**data)
                    _ = entry.score
                except (TypeError, LookupError):
                    raise bad(where, "something else", "a finished game") from None
                yield entry

    def append(self, entry: Entry) -> None:
        """Keep a finished game; it is on the disk when this returns."""
        self._append(entry._asdict())

    def _append(self, value: dict[str, Any]) -> None:
        line = json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
        try:
            self._file.write(line.encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise refused(self.path, error, "room for the next game") from None

    def remove(self) -> None:
        """Take it away, once all that it holds is kept elsewhere."""
        self.path.unlink(missing_ok=True)


def check_same(where: str, found: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """BadInput, which names what differs, unless both are about the same tournament."""
    wanted = json.loads(json.dumps(about))
    different = [key for key in {**wanted, **found} if found.get(key) != wanted.get(key)]
    if different:
        said = f"a tournament with other {', '.join(different)}"
        raise bad(where, said, "the same command once more, or another --out")


def _object(line: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise bad(where, "a broken line", "a journal of finished games")
    return value


def _settle(folder: Path) -> None:
    """Have a new file's name on the disk, too."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
