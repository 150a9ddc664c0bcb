"""The rulebooks that lie beside the rules: one a landed version and language.

Who plays a variant knows its base and asks what is other: its page holds the chapters that differ,
whole, and leads to the base's page for the rest.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from lab import rules as documents
from lab.catalog import load_rules
from lab.errors import make_folder, write_text
from lab.game import Game
from lab.report.rulebook import Chapter, environment, languages, rulebook
from lab.rules import Rules, diff, field_info

FOLDER = "rulebook"


def place(version: str, language: str) -> str:
    """Where a version's page lies in the folder of its game."""
    return f"{FOLDER}/{_name(version, language)}"


def _name(version: str, language: str) -> str:
    return f"{version}.{language}.md"


def books(game: Game) -> dict[Path, str]:
    """Every page that the landed versions of a game should have, and its text."""
    folder = documents.folder() / game.name
    found = {version: load_rules(game.name, version) for version in documents.versions(game.name)}
    return {
        folder / place(version, language): page(game, rules, language, found)
        for version, rules in found.items()
        for language in languages(game)
    }


def stale(game: Game) -> dict[Path, str]:
    """The pages that are not as they should be, and how they should be."""
    return {path: text for path, text in books(game).items() if not holds(path, text)}


def strays(game: Game) -> list[Path]:
    """Pages of no landed version."""
    folder = documents.folder() / game.name
    named = product(documents.versions(game.name), languages(game))
    known = {folder / place(version, language) for version, language in named}
    return sorted(set((folder / FOLDER).glob("*.md")) - known)


def land(game: Game) -> list[Path]:
    """Write the pages that are stale; their paths."""
    pages = stale(game)
    for path, text in pages.items():
        make_folder(path.parent)
        write_text(path, text)
    return list(pages)


def holds(path: Path, text: str) -> bool:
    """Whether a file has this text, and no other."""
    return path.is_file() and path.read_bytes() == text.encode()


def page(game: Game, rules: Rules, language: str, family: Mapping[str, Rules]) -> str:
    """What a landed version's readers get; `family` holds the base of a variant by its version."""
    text = rulebook(game, rules, language)
    if rules.variant_of is None:
        return text
    base = rules
    while base.variant_of is not None:
        base = family[base.variant_of]
    return _differences(text, rulebook(game, base, language), rules, base, language)


def _differences(own: str, other: str, rules: Rules, base: Rules, language: str) -> str:
    """The chapters of `own` that differ, behind its head and the contents of all."""
    head, *chapters = re.split(r"(?=^## )", own, flags=re.MULTILINE)
    known = set(re.split(r"(?=^## )", other, flags=re.MULTILINE))
    title, origin, *_ = head.split("\n\n")
    contents = head.rstrip().rpartition("\n\n")[2]
    shared = environment().get_template(f"report/book.{language}.md.j2").module
    told = shared.variant(rules, base, list(_rows(base, rules)))  # type: ignore[attr-defined]
    kept = [chapter for chapter in chapters if chapter not in known]
    text = "\n\n".join([title, origin, told, contents, "".join(kept)]).rstrip() + "\n"
    gone = [chapter.splitlines()[0].removeprefix("## ") for chapter in chapters if chapter in known]
    return _led(text, gone, _name(base.version, language))


def _led(text: str, headings: list[str], page: str) -> str:
    """The text with links to these chapters leading to another page."""
    for heading in headings:
        number, title = heading.split(". ", 1)
        anchor = Chapter(int(number), title).anchor
        text = text.replace(f"](#{anchor})", f"]({page}#{anchor})")
    return text


def _rows(base: Rules, rules: Rules) -> Iterator[dict[str, Any]]:
    for pointer, old, new in diff(base, rules):
        sentence, unit = field_info(type(rules.document), pointer)
        yield {"at": pointer, "old": old, "new": new, "unit": unit, "sentence": sentence}
