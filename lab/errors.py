"""What a person reads when their input is wrong: one line, and nothing half written."""

import difflib
import os
import re
import tempfile
from collections.abc import Callable, Iterable
from numbers import Integral
from pathlib import Path

LONGEST = 200
"""Characters of what somebody gave that an error repeats."""
MOST_BYTES = 1 << 28
"""Of a text: there are devices that never end."""


class BadInput(ValueError):
    """Input that cannot be used; `str(error)` is the one line to print, exit status 2."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to `name`, or None when nothing is close."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return found[0] if found else None


def bad(
    where: str, found: str, expected: str, name: str | None = None, known: Iterable[str] = ()
) -> BadInput:
    """A BadInput that says where, what was found, what was expected and the nearest known name."""
    guess = nearest(name, known) if name is not None else None
    hint = f" (did you mean {guess!r}?)" if guess else ""
    line = f"{_brief(where)}: found {_brief(found)}, expected {expected}{hint}"
    return BadInput(" ".join(line.split()))


def _brief(text: str) -> str:
    """The text without what would move a terminal's cursor, the middle left out of a long one."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}...{text[-LONGEST // 2 :]}"
    return re.sub(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]", lambda sign: repr(sign[0])[1:-1], text)


def refused(path: Path | str, error: OSError | ValueError, expected: str) -> BadInput:
    """What the system said about a path, as a BadInput; of a NUL in its name it is a ValueError."""
    said = _system(error) or error
    return bad(str(path), (getattr(said, "strerror", None) or str(said)).lower(), expected)


def _system(error: Exception) -> OSError | None:
    """The system's own error behind another; polars tells it in its text alone."""
    if number := re.search(r"\(os error (\d+)\)", str(error)):
        return OSError(int(number[1]), os.strerror(int(number[1])))
    return error if isinstance(error, OSError) else None


def whole(name: str, value: object, low: int, high: int) -> None:
    """BadInput unless the value is a whole number from `low` to `high`, Python's or numpy's."""
    if not isinstance(value, Integral) or not low <= int(value) <= high:
        raise bad(name, str(value), f"a whole number from {low:,} to {high:,}")


def make_folder(path: Path) -> None:
    """Make a folder and those above it, unless they are there; BadInput when that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise refused(path, error, "a folder that can be written") from None


def read_text(path: Path | str) -> str:
    """The text of a file a person wrote: UTF-8, no byte order mark, not empty, not endless."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise refused(path, error, "a readable file") from None
    if len(data) > MOST_BYTES:
        raise bad(str(path), f"more than {MOST_BYTES:,} bytes", "less")
    if data.startswith(b"\xef\xbb\xbf"):
        raise bad(str(path), "a byte order mark", "UTF-8 without one")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad(f"{path}:{line}", f"byte {data[error.start]:#04x}", "UTF-8 text") from None
    if not text.strip():
        raise bad(str(path), "an empty file", "a document")
    return text


def write_atomic(path: Path | str, write: Callable[[Path], None]) -> None:
    """Let `write` fill a temporary file beside `path`, then rename it: all of it or nothing.

    A link is followed; what is there and is no file (a folder, a device) stays as it is. Raises
    BadInput when the place cannot be written, before anything is, or when it runs out of room.
    """
    expected = "a file that can be written"
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            kind = "a folder" if target.is_dir() else "a device"
            raise bad(str(path), kind, expected)
        # The whole name and a mark might be longer than a name can be.
        handle, name = tempfile.mkstemp(".part", f".{target.name[:40]}.", target.parent)
        os.close(handle)
        part = Path(name)
        try:
            write(part)
            part.chmod(0o666 & ~_umask())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except Exception as error:
        if (said := _system(error)) is None:
            raise
        raise refused(path, said, expected) from None


def write_text(path: Path | str, text: str) -> None:
    """A whole file of UTF-8 text, or BadInput and no file."""

    def write(part: Path) -> None:
        part.write_text(text, encoding="utf-8")

    write_atomic(path, write)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
