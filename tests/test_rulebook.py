"""The rulebooks say every number of the rules, in every language, and say it well."""

import json
import re
from functools import cache

import pytest
from markdown_it import MarkdownIt

from lab.catalog import GAMES, load_game, load_rules
from lab.document import Range
from lab.errors import BadInput
from lab.report.korean import josa
from lab.report.rulebook import count, languages, rulebook
from lab.rules import Rules, bounds, versions
from tests.games.test_alive import moves

MOST = 100
"""Values of a wide range that are tried."""
FEW = 20
"""Choices of more names are of places, on which no sentence hangs."""

every_book = pytest.mark.parametrize(
    ("name", "language"), [(name, lang) for name in GAMES for lang in languages(load_game(name))]
)
every_number = pytest.mark.parametrize(
    ("name", "pointer"),
    [(name, pointer) for name in GAMES for pointer in load_rules(name).pointers()],
)


def body(rules: Rules, language: str) -> str:
    """The page without its origin, whose fingerprint changes with any number, and its appendix."""
    title, _, text = rulebook(load_game(rules.game), rules, language).split("\n\n", 2)
    return f"{title}\n\n{text}".rpartition("\n## ")[0]


def others(rules: Rules, pointer: str) -> list[Rules]:
    """The rules with other values at the pointer that its range and the rules allow.

    Where no single value may change, rows of the lists that it is part of are exchanged.
    """
    held = bounds(type(rules.document), pointer)
    if isinstance(held, Range):  # of whole numbers: no game has others
        low, high = int(held[0]), int(held[1])
        values = [*range(low, high, -(-(high - low) // MOST)), high, rules.value(pointer) + 1]
    else:
        values = list(held)
    allowed = []
    for value in dict.fromkeys(values):
        if value != rules.value(pointer):
            try:
                allowed.append(rules.override({pointer: value}))
            except BadInput:  # out of its range, or against another number
                continue
    return allowed or list(moves(rules, pointer))


@cache
def settings(name: str) -> list[Rules]:
    """The rules of every version, and those that are no variants with each other choice."""
    shipped = [load_rules(name, version) for version in versions(name)]
    whole = [rules for rules in shipped if rules.variant_of is None]
    return [*shipped, *(new for rules in whole for new in chosen(rules)[1:])]


def chosen(rules: Rules) -> list[Rules]:
    """The rules, and the rules with each other choice."""
    choices = [p for p, value in rules.pointers().items() if isinstance(value, bool | str)]
    choices = [p for p in choices if len(bounds(type(rules.document), p)) <= FEW]
    return [rules, *(new for pointer in choices for new in others(rules, pointer))]


def shows(rules: Rules, pointer: str, language: str) -> bool:
    """Whether the number can be changed, and every value gives another page."""
    changed = others(rules, pointer)
    pages = {body(each, language) for each in [rules, *changed]}
    return bool(changed) and len(pages) == len(changed) + 1


def assert_tidy(text: str) -> None:
    assert "\n\n\n" not in text
    prose = re.sub(r"```text.*?```", "", text, flags=re.DOTALL)
    assert not re.search(r"[ \t]\n|\S  +\S", prose)
    for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        assert len({row.count("|") for row in table.splitlines()}) == 1
    # Behind a sign and before a Hangul letter, ** would not close.
    assert "**" not in MarkdownIt("commonmark").render(text)


@pytest.mark.parametrize("name", GAMES)
def test_every_language_of_the_folder_is_found(name: str) -> None:
    assert languages(load_game(name)) == ["en", "ko"]


@every_number
def test_every_value_of_every_number_choice_and_switch_shows(name: str, pointer: str) -> None:
    for language in languages(load_game(name)):
        # What plays no part under the current rules shows where another choice gives it one.
        assert any(shows(rules, pointer, language) for rules in settings(name))


@every_book
def test_every_choice_and_switch_renders_tidily(name: str, language: str) -> None:
    for rules in settings(name):
        assert_tidy(rulebook(load_game(name), rules, language))


@every_book
def test_the_contents_lead_to_the_headings(name: str, language: str) -> None:
    text = rulebook(load_game(name), load_rules(name), language)
    links = set(re.findall(r"\]\(#(.+?)\)", text))
    headings = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    assert links == {
        re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings
    }


@every_book
def test_overridden_rules_say_so_at_once(name: str, language: str) -> None:
    rules = load_rules(name)
    pointer, changed = next(
        (p, new) for p in rules.pointers() for new in others(rules, p) if p in new.changes
    )
    said = f"`{pointer}` = {json.dumps(changed.value(pointer))}"
    assert said in rulebook(load_game(name), changed, language)
    assert said not in rulebook(load_game(name), rules, language)


@pytest.mark.parametrize(
    ("name", "version"), [(name, version) for name in GAMES for version in versions(name)]
)
def test_korean_readers_meet_every_shipped_assumption_in_korean(name: str, version: str) -> None:
    rules = load_rules(name, version)
    text = rulebook(load_game(name), rules, "ko")
    assert [row.at for row in rules.assumed if row.why in text] == []


@pytest.mark.parametrize("name", GAMES)
def test_an_unknown_language_is_refused(name: str) -> None:
    line = rf"^rulebook of {name}: found language 'kr', .*one of en, ko"
    with pytest.raises(BadInput, match=line):
        rulebook(load_game(name), load_rules(name), "kr")


@pytest.mark.parametrize(
    ("word", "pair", "read"),
    [
        (0, "을/를", "0을"),
        (1, "을/를", "1을"),
        (2, "을/를", "2를"),
        (3, "이/가", "3이"),
        (4, "이/가", "4가"),
        (5, "은/는", "5는"),
        (6, "은/는", "6은"),
        (9, "과/와", "9와"),
        (10, "을/를", "10을"),
        (0, "으로/로", "0으로"),
        (1, "으로/로", "1로"),
        (3, "으로/로", "3으로"),
        (7, "으로/로", "7로"),
        (8, "으로/로", "8로"),
        (10, "으로/로", "10으로"),
        ("(-2, 1)", "으로/로", "(-2, 1)로"),
        ("일꾼", "을/를", "일꾼을"),
        ("개미", "을/를", "개미를"),
        ("북", "으로/로", "북으로"),
        ("굴", "으로/로", "굴로"),
        ("굴", "을/를", "굴을"),
        ("AP", "이/가", "AP가"),
        ("“XL”", "이/가", "“XL”이"),
    ],
)
def test_particles_follow_the_final_sound(word: object, pair: str, read: str) -> None:
    assert josa(word, pair) == read


def test_english_nouns_follow_their_number() -> None:
    assert [count(n, "ant") for n in (0, 1, 2)] == ["0 ants", "1 ant", "2 ants"]
