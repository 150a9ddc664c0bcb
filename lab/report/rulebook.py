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
from lab.report.korean import josa
from lab.report.language import load_tongue
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
    given = {"rules": rules, "game": game, "facts": facts, "open": settled(rules, language)}
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


def settled(rules: Rules, language: str) -> list[Settled]:
    """A row for each place that is assumed; what a variant says of a place stands for its base's.

    A section's value is that of all its numbers. Why is told in the language as reports tell it.
    """
    places = {row.at: row.why for row in rules.assumed}
    numbers = rules.document.model_dump()
    tongue = load_tongue(rules.game, language)
    told = {why: tongue.find("sentences", why) or why for why in places.values()}
    return [Settled(at, _value(numbers, at), told[why]) for at, why in places.items()]


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


WORDS = {"josa": josa, "count": count}
"""Filters of every template, a designer's own too."""
