"""A designer's own text, filled with the numbers of rules: Jinja in a sandbox, every name checked.

A number is called as its pointer: `/start/resources/1` is `start.resources[1]`. `rules` says whose
numbers they are.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from lab.document import plain
from lab.errors import BadInput, bad, read_text
from lab.jsonfile import shown, split
from lab.report.rulebook import WORDS
from lab.rules import Rules, rows

FILE = "<template>"
"""What Jinja calls a template that it has read from a string, in a traceback."""

ABOUT = {
    "game": "The game's name.",
    "version": "The version's name.",
    "fingerprint": "Other numbers have another one.",
    "parent": "The version it comes from.",
    "why": "Why the version is.",
    "unverified": "Whether no games speak for it.",
}

FAULTS = (TemplateError, ArithmeticError, LookupError, MemoryError, TypeError, ValueError)
"""What a template may come to while it is filled."""


class Placeholder(NamedTuple):
    """A name that a template may use, with its value and meaning."""

    name: str
    value: str
    unit: str
    sentence: str


def placeholders(rules: Rules) -> Iterator[Placeholder]:
    """Every name, the numbers first, in the document's order."""
    for row in rows(rules):
        yield Placeholder(_dotted(row.pointer), shown(row.value), row.unit, row.sentence)
    for name, value in _about(rules).items():
        yield Placeholder(f"rules.{name}", shown(value), "", ABOUT[name])


def _dotted(pointer: str) -> str:
    tokens = (f"[{token}]" if token.isdecimal() else f".{token}" for token in split(pointer))
    return "".join(tokens).removeprefix(".")


def _about(rules: Rules) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in ABOUT}


def fill(path: Path | str, rules: Rules) -> str:
    """The text in a file with the numbers of the rules in their places.

    BadInput names the line of broken Jinja, of an unknown name, and of whatever is no number.
    """
    source = read_text(path)
    names = plain(rules.document, rules.schema) | {"rules": _about(rules)}
    environment = _Sandbox(
        undefined=_Unknown, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters |= WORDS
    del environment.globals["lipsum"], environment.filters["random"]  # the same text every time
    try:
        return environment.from_string(source).render(names)
    except TemplateSyntaxError as error:
        found = f"broken Jinja ({(error.message or '').rstrip('.')})"
        raise bad(f"{path}:{error.lineno}", found, "a template") from None
    except RecursionError:
        raise bad(str(path), "what calls itself without an end", "a template") from None
    except FAULTS as error:
        raise _blamed(error, f"{path}:{_line(error.__traceback__)}", names) from None


class _Sandbox(ImmutableSandboxedEnvironment):
    """In which the numbers of a section come before what Python's dictionaries can do."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict):
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)


class _NoName(UndefinedError):
    """A name that does not exist, and what it was looked for in: None for the template's names."""

    def __init__(self, name: object, within: Any, message: str) -> None:
        super().__init__(message)
        self.name, self.within = name, within


class _Unknown(StrictUndefined):
    """What may not be used, and remembers what it was looked for in."""

    __slots__ = ()

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,
        name: str | None = None,
        exc: type[TemplateError] = UndefinedError,
    ) -> None:
        within = None if obj is missing else obj
        told: Any = partial(_NoName, name, within) if exc is UndefinedError else exc
        super().__init__(hint, obj, name, told)


def _blamed(error: BaseException, where: str, names: Iterable[str]) -> BadInput:
    if isinstance(error, SecurityError):
        return bad(where, f"what the sandbox bars ({error})", "numbers of the rules")
    if not isinstance(error, _NoName):
        return bad(where, f"what cannot be worked out ({error})", "a template")
    known = error.within
    if isinstance(known, list):
        return bad(where, f"no. {error.name} of a list", f"0 to {len(known) - 1}")
    if known is not None and not isinstance(known, dict):
        return bad(where, f"{shown(error.name)} of {shown(known)}", "a number by itself")
    listed = list(names if known is None else known)
    expected = f"one of {', '.join(map(str, listed))}" if known else "a name of --placeholders"
    return bad(where, f"an unknown name {shown(error.name)}", expected, str(error.name), listed)


def _line(trace: TracebackType | None) -> int:
    """The template's line that was being read."""
    line = 1
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
