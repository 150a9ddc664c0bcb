"""A position in one line of `key=value` words, taken apart with errors that name the word."""

from collections.abc import Sequence
from dataclasses import dataclass

from lab.errors import BadInput, bad


@dataclass(frozen=True)
class Word:
    """The value of one word of a position; `where` names the word."""

    where: str
    value: str

    def bad(self, found: str, expected: str) -> BadInput:
        return bad(self.where, found or "nothing", expected)

    def choice(self, known: Sequence[str]) -> int:
        """The index of the value among the known ones."""
        if self.value not in known:
            expected = "one of " + ", ".join(known)
            raise bad(self.where, self.value or "nothing", expected, self.value, known)
        return known.index(self.value)

    def number(self, text: str, low: int, high: int) -> int:
        digits = len(text) < 10 and text.isascii() and text.isdecimal()
        if not digits or not low <= int(text) <= high:
            raise self.bad(text, f"a whole number from {low} to {high}")
        return int(text)

    def pair(self, mark: str, high: int) -> list[int]:
        """Two numbers with a mark between them."""
        parts = self.value.split(mark)
        if len(parts) != 2:
            raise self.bad(self.value, f"two numbers with {mark} between them")
        return [self.number(part, 0, high) for part in parts]

    def items(self) -> list[str]:
        """The value as a list with `;` between its items, `-` the empty one."""
        return [] if self.value == "-" else self.value.split(";")


def words_of(text: str, keys: Sequence[str], more: Sequence[str] = ()) -> dict[str, Word]:
    """Every word by its key: each of `keys` once, each of `more` at most once, no other."""
    words: dict[str, Word] = {}
    known = (*keys, *more)
    for part in text.split():
        key, equals, value = part.partition("=")
        if not equals:
            raise bad("position", repr(part), "key=value")
        if key not in known:
            raise bad("position", f"key {key!r}", "one of " + ", ".join(known), key, known)
        if key in words:
            raise bad("position", f"{key} twice", "each key once")
        words[key] = Word(f"position {part}", value)
    demand(words, keys)
    return words


def demand(words: dict[str, Word], keys: Sequence[str]) -> None:
    """Raise BadInput for the first of the keys that is not there."""
    for key in keys:
        if key not in words:
            raise bad("position", f"no {key}", f"{key}=...")
