"""What a person reads when their input is wrong: one line, and nothing half written."""

import difflib
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path


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
    line = f"{where}: found {found}, expected {expected}{hint}"
    return BadInput(" ".join(line.split()))


def read_text(path: Path | str) -> str:
    """The text of a file a person wrote: UTF-8, no byte order mark, not empty."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise bad(str(path), (error.strerror or str(error)).lower(), "a readable file") from None
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

    Raises BadInput when the place cannot be written.
    """
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        os.close(handle)
    except OSError as error:
        raise bad(
            str(path), (error.strerror or str(error)).lower(), "a file that can be written"
        ) from None
    part = Path(name)
    try:
        write(part)
        part.chmod(0o666 & ~_umask())
        part.replace(path)
    except IsADirectoryError:
        raise bad(str(path), "a folder", "a file that can be written") from None
    finally:
        part.unlink(missing_ok=True)


def write_text(path: Path | str, text: str) -> None:
    """A whole file of UTF-8 text, or BadInput and no file."""

    def write(part: Path) -> None:
        part.write_text(text, encoding="utf-8")

    write_atomic(path, write)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
