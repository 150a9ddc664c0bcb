"""A game's rulebook for players: its Markdown template filled with the numbers of its rules."""

import json
import re
from collections.abc import Mapping
from functools import cache, reduce
from importlib import import_module
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined

from lab.errors import bad
from lab.game import Game
from lab.jsonfile import leaves, split, step
from lab.rules import Rules

_FILE = "rulebook.{}.md.j2"


def languages(game: Game) -> list[str]:
    """The languages in which the game has a rulebook, read off its folder."""
    before, after = _FILE.split("{}")
    names = sorted(path.name for path in files(f"lab.games.{game.name}").iterdir())
    return [
        name.removeprefix(before).removesuffix(after)
        for name in names
        if name.startswith(before) and name.endswith(after)
    ]


def rulebook(game: Game, rules: Rules, language: str) -> str:
    """The rulebook as Markdown, one text for one pair of rules and language.

    A template sees the sections of the rules document by their names, the `Rules` as `rules`, the
    `Game` as `game`, what the game's own `rulebook.facts` works out from the document as `facts`,
    and what the source left open as `open`. What all games share is in `book.<language>.md.j2`.

    Raises BadInput for a language without a template.
    """
    known = languages(game)
    if language not in known:
        expected = f"one of {', '.join(known)}"
        raise bad(f"rulebook of {game.name}", f"language {language!r}", expected, language, known)
    facts = import_module(f"lab.games.{game.name}.rulebook").facts(rules.document)
    template = environment().get_template(f"games/{game.name}/{_FILE.format(language)}")
    given = {"rules": rules, "game": game, "facts": facts, "open": settled(rules)}
    return template.render(**dict(rules.document), **given)


@cache
def environment() -> Environment:
    """What the lab's own templates are read by; their names are paths below lab/."""
    made = Environment(
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown, not HTML
        loader=FunctionLoader(lambda name: files("lab").joinpath(name).read_text(encoding="utf-8")),
    )
    made.filters |= WORDS | {"chapters": chapters, "code": code, "cell": cell}
    return made


class Chapter(NamedTuple):
    """A numbered chapter: `heading` is how it stands in the text, `link` what refers to it."""

    number: int
    title: str

    @property
    def heading(self) -> str:
        return f"{self.number}. {self.title}"

    @property
    def anchor(self) -> str:
        """Where a Markdown viewer puts the heading."""
        return re.sub(r"[^\w\- ]", "", self.heading).lower().replace(" ", "-")

    @property
    def link(self) -> str:
        return f"[{self.number}](#{self.anchor})"


def chapters(titles: Mapping[str, str]) -> dict[str, Chapter]:
    """Chapters by the names that a template gives them, numbered in order."""
    return {name: Chapter(n, title) for n, (name, title) in enumerate(titles.items(), start=1)}


class Settled(NamedTuple):
    """What the source left open: the place, the value there as text or nothing, and why."""

    at: str
    value: str
    why: str


def settled(rules: Rules) -> list[Settled]:
    """A row for each place that is assumed; what a variant says of a place stands for its base's.

    A section's value is that of all its numbers.
    """
    places = {row.at: row.why for row in rules.assumed}
    numbers = rules.document.model_dump()
    return [Settled(at, _value(numbers, at), why) for at, why in places.items()]


def _value(numbers: Any, at: str) -> str:
    if not at.startswith("/"):
        return ""
    value = reduce(step, split(at), numbers)
    if not isinstance(value, dict):
        return plainly(value)
    return ", ".join(f"{name[1:]} {plainly(number)}" for name, number in leaves(value).items())


def plainly(value: object) -> str:
    """A value of the rules as its file has it, names without quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def code(text: object) -> str:
    """Text as it is, for a cell of a table."""
    return f"`{cell(plainly(text))}`"


def cell(text: str) -> str:
    """Text that cannot end the cell of a table."""
    return text.replace("|", r"\|")


def count(number: int, noun: str) -> str:
    """A number with its English noun: `1 ant`, `2 ants`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def josa(word: object, pair: str) -> str:
    """The word with the Korean particle that its final sound asks for.

    `pair` is the form behind a consonant, a slash, the form behind a vowel: `을/를`, `으로/로`.
    Closing brackets and quotes are passed over; numbers and Latin letters are read aloud.
    """
    closed, open_ = pair.split("/")
    final = _final(str(word))
    # 으로 alone goes by another rule: behind ㄹ it is 로, as behind a vowel.
    vowel = not final or (final == "ㄹ" and closed.startswith("으로"))
    return f"{word}{open_ if vowel else closed}"


# The final consonant of 영, 일, 이, ... 구; a longer number that ends in 0 ends in 십, 백, 천 or
# 만, which are consonants other than ㄹ too.
_DIGITS = dict(zip("0123456789", ("ㅇ", "ㄹ", "", "ㅁ", "", "", "ㄱ", "ㄹ", "ㄹ", ""), strict=True))
_LETTERS = {"l": "ㄹ", "m": "ㅁ", "n": "ㄴ", "r": "ㄹ"}  # 엘, 엠, 엔, 알; the others end open
_RIEUL = 8  # place of ㄹ among the finals of a Hangul syllable; 0 is none


def _final(word: str) -> str:
    """The final consonant of a word as it is spoken; empty behind a vowel."""
    last = next((sign for sign in reversed(word) if sign.isalnum()), "")
    if "가" <= last <= "힣":
        place = (ord(last) - ord("가")) % 28
        return "ㄹ" if place == _RIEUL else "ㄴ" if place else ""
    return _DIGITS.get(last) or _LETTERS.get(last.lower(), "")


WORDS = {"josa": josa, "count": count}
"""Filters of every template, a designer's own too."""
