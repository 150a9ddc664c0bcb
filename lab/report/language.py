"""What a report is written in: the English of the code, or another language's words for it.

English stands where it is said: in `say`, in the rules documents and in the metrics. What that is
in another language stands under the same English in words.<language>.toml beside this file, and for
one game in lab/games/<game>/words.<language>.toml. What a person wrote (a question, the name of a
matchup) stays as it is, unless the experiment's file has words for it.
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib.resources import files
from string import Formatter
from typing import Any

from lab.errors import bad
from lab.report.korean import josa

ENGLISH = "en"
ROOM = "lab.report"
FILE = "words.{}.toml"
TABLES = ("sentences", "nouns", "units", "numbers", "metrics", "endings", "curves")


@dataclass(frozen=True)
class Tongue:
    """A language's words: in each of TABLES, under what they are in English or in the code."""

    language: str = ENGLISH
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def find(self, table: str, key: str) -> str | None:
        return self.words.get(table, {}).get(key)


_spoken: ContextVar[Tongue] = ContextVar("spoken", default=Tongue())  # noqa: B039, it is frozen


def languages(game: str) -> list[str]:
    """The languages that a report on this game can be written in."""
    before, after = FILE.split("{}")
    known = [
        {path.name for path in files(room).iterdir() if path.name.startswith(before)}
        for room in (ROOM, f"lab.games.{game}")
    ]
    both = sorted(name for name in set.intersection(*known) if name.endswith(after))
    return [ENGLISH, *(name.removeprefix(before).removesuffix(after) for name in both)]


def load_tongue(game: str, language: str, own: Mapping[str, str] | None = None) -> Tongue:
    """A language's words for reports on a game; `own` are sentences that come on top of them.

    Raises BadInput for a language without words.
    """
    known = languages(game)
    if language not in known:
        expected = f"one of {', '.join(known)}"
        raise bad(f"report on {game}", f"language {language!r}", expected, language, known)
    if language == ENGLISH:
        return Tongue()
    rooms = [read_words(room, language) for room in (ROOM, f"lab.games.{game}")]
    words = {
        name: {k: v for room in rooms for k, v in room.get(name, {}).items()} for name in TABLES
    }
    words["sentences"] |= own or {}
    return Tongue(language, words)


def read_words(room: str, language: str) -> dict[str, dict[str, str]]:
    """The tables of one file of words, that of a package."""
    return tomllib.loads(files(room).joinpath(FILE.format(language)).read_text(encoding="utf-8"))


@contextmanager
def speaking(tongue: Tongue) -> Iterator[None]:
    """Everything that is said inside is in this language."""
    before = _spoken.set(tongue)
    try:
        yield
    finally:
        _spoken.reset(before)


def spoken() -> str:
    """The language in which things are said now."""
    return _spoken.get().language


def find(table: str, key: str) -> str | None:
    """The word for a key of one of TABLES; None in English, and where there is none."""
    return _spoken.get().find(table, key)


# --- what is said -------------------------------------------------------------------------------


class _Words(Formatter):
    """Fills in `{games:은/는}` with the particle that goes with the word; all else is as ever."""

    def format_field(self, value: Any, format_spec: str) -> Any:
        if "/" in format_spec:
            return josa(value, format_spec)
        return super().format_field(value, format_spec)


def say(english: str, **values: Any) -> str:
    """A sentence, with what stands in its braces."""
    told = find("sentences", english) or english
    return _Words().vformat(told, (), values) if values else told


def heads(*english: str) -> tuple[str, ...]:
    """The heads of a table."""
    return tuple(map(say, english))


def unit(english: str) -> str:
    """A unit of numbers and metrics."""
    known = find("units", english)
    return english if known is None else known
