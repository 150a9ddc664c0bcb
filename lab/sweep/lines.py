"""A journal as JSON lines: what is finished is kept, whatever happens next."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lab.errors import bad


class JsonLines:
    """A file that one process writes: a line an entry, no lock to be left over.

    Opening cuts a torn last line. `entries` are what it held then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            os.truncate(path, len(whole))
        self.entries = [self._entry(i, line) for i, line in enumerate(whole.splitlines(), start=1)]

    def _entry(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            entry: dict[str, Any] = json.loads(line)
        except ValueError:
            raise bad(
                f"{self.path}:{number}", "a broken line", "a journal of finished trials"
            ) from None
        return entry

    def write(self, entries: Iterable[dict[str, Any]]) -> None:
        """Put entries at the end of the file."""
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in entries)
