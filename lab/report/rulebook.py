"""A game's rulebook for players: its Markdown template filled with the numbers of its rules."""

from functools import cache
from importlib import import_module
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template

from lab.errors import bad
from lab.game import Game
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

    A template sees the sections of the rules document by their names, the `Rules` as `rules` and
    what the game's own `rulebook.facts` works out from the document as `facts`.

    Raises BadInput for a language without a template.
    """
    known = languages(game)
    if language not in known:
        expected = f"one of {', '.join(known)}"
        raise bad(f"rulebook of {game.name}", f"language {language!r}", expected, language, known)
    facts = import_module(f"lab.games.{game.name}.rulebook").facts(rules.document)
    sections = dict(rules.document)
    return _template(game.name, language).render(**sections, rules=rules, facts=facts)


@cache
def _template(game: str, language: str) -> Template:
    environment = Environment(
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown, not HTML
    )
    environment.filters |= {"josa": josa, "count": count}
    source = files(f"lab.games.{game}").joinpath(_FILE.format(language))
    return environment.from_string(source.read_text(encoding="utf-8"))


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
