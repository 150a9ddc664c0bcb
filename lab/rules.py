"""Rules: the tunable numbers of a game, a versioned JSON file. Load, override, compare, list.

A file is {"schema", "game", "version", "parent", "why", "assumed": [{"at", "why"}], "rules"}. A
variant holds "variant_of" and, in "rules", only its differences: objects merge, the rest replaces.
One whose numbers were landed without games that speak for them says "unverified": true.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from lab.document import (
    Document,
    absent,
    bounds,
    expected,
    explain,
    field_info,
    newest,
    plain,
    reach,
    trail,
)
from lab.errors import bad
from lab.jsonfile import at, join, leaves, parse, pretty, read_object, shown, split, step

__all__ = [
    "Assumed",
    "Document",
    "Row",
    "Rules",
    "bounds",
    "diff",
    "field_info",
    "folder",
    "load",
    "load_version",
    "parse_setting",
    "rows",
    "schema",
    "versions",
]

VERSION = r"^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$"  # it names a file
PACKED = "rules_files"
"""The folder of rules files inside of an installed package."""
README = r"README [0-9]+(\.[0-9]+)*"


class Assumed(Document):
    """A value nobody has decided yet: where, and why we took the one we took."""

    at: str  # a JSON pointer into the rules, or "README n.n"
    why: str = Field(min_length=1)


class _File(Document):
    """A rules file as written."""

    model_config = ConfigDict(validate_by_alias=True)

    schema_: int = Field(alias="schema", ge=1, le=2**31)
    game: str
    version: str = Field(pattern=VERSION)
    parent: str | None = Field(default=None, pattern=VERSION)
    variant_of: str | None = Field(default=None, pattern=VERSION)
    unverified: bool = False
    why: str = Field(min_length=1)
    assumed: list[Assumed] = Field(default=[])
    rules: dict[str, Any]


@dataclass(frozen=True)
class Rules:
    """One game's rules, validated; immutable."""

    game: str
    version: str
    document: Document
    parent: str | None
    why: str
    assumed: tuple[Assumed, ...]
    variant_of: str | None
    source: str  # the file's path, or "override"
    schema: int
    changes: Mapping[str, Any]  # pointer -> value, overridden since the file, in order
    unverified: bool = False  # landed without games that speak for it, or a variant of such

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits: blake2b of the rules as canonical JSON, without neutral newer keys."""
        text = json.dumps(plain(self.document, self.schema), sort_keys=True, separators=(",", ":"))
        return blake2b(text.encode(), digest_size=8).hexdigest()

    def override(self, changes: Mapping[str, Any]) -> "Rules":
        """The same rules with other values at JSON pointers, such as {"/start/resources/1": 5}.

        A pointer may also name a whole section or list. BadInput names the pointer at fault.
        """
        where = f"{self.game} {self.version} override"
        data = self.document.model_dump()
        for pointer, value in changes.items():
            *above, last = self._known(pointer, data, where)
            place: Any = data
            for token in above:
                place = step(place, token)
            place[int(last) if isinstance(place, list) else last] = value
        document = _validated(data, type(self.document), self.schema, where)
        kept = {pointer: value for pointer, value in self.changes.items() if pointer not in changes}
        every = kept | deepcopy(dict(changes))
        return replace(self, document=document, source="override", changes=every)

    def value(self, pointer: str) -> Any:
        """The value at a pointer: a leaf, a list or a section."""
        value = self.document.model_dump()
        for token in self._known(pointer, value, f"{self.game} {self.version}"):
            value = step(value, token)
        return value

    def pointers(self) -> dict[str, Any]:
        """Every leaf's pointer and value, in the document's order."""
        return leaves(self.document.model_dump())

    def json(self) -> str:
        """The text of a file that holds these rules whole."""
        links: dict[str, Any] = {"parent": self.parent}
        links |= {"variant_of": self.variant_of} if self.variant_of else {}
        links |= {"unverified": True} if self.unverified else {}
        head = {"schema": self.schema, "game": self.game, "version": self.version, **links}
        assumed = [row.model_dump() for row in self.assumed]
        body = {"why": self.why, "assumed": assumed, "rules": plain(self.document, self.schema)}
        return pretty(head | body) + "\n"

    @staticmethod
    def _known(pointer: str, data: Any, where: str) -> tuple[str, ...]:
        """The pointer's tokens; BadInput with the nearest pointer unless `data` has the place."""
        known = leaves(data, inner=True)
        if pointer not in known:
            raise bad(
                at(where, pointer), "an unknown pointer", "a pointer into the rules", pointer, known
            )
        return split(pointer)


def load(path: Path | str, document_class: type[Document], game: str) -> Rules:
    """The rules in a file, its base first when it is a variant; BadInput for whatever is wrong.

    Every version that the file descends from has to lie beside it, or where versions land.
    """
    path = Path(path)
    files = _family(path, game)
    return _build(files, path, document_class)


def load_version(
    game: str, version: str, document_class: type[Document], root: Path | None = None
) -> Rules:
    """The rules of a landed version, by default from the repository's own folder."""
    known = versions(game, root)
    if version not in known:
        raise bad(f"rules of {game}", shown(version), "one of " + ", ".join(known), version, known)
    return load((root or folder()) / game / f"{version}.json", document_class, game)


def versions(game: str, root: Path | None = None) -> list[str]:
    """Every version of a game that has a file, oldest number first, variants after their base."""
    root = root or folder()
    names = [path.stem for path in (root / game).glob("*.json")]
    if not names:
        games = sorted(path.name for path in root.iterdir() if path.is_dir())
        raise bad(str(root), f"no rules of {shown(game)}", "a game's folder", game, games)
    return sorted(names, key=_version_order)


def _version_order(version: str) -> list[tuple[int, str]]:
    """Numbers by value, so that 0.10 follows 0.9."""
    return [
        (int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", version)
    ]


def folder() -> Path:
    """Where rules files live: LAB_RULES, else rules/ here or in a folder above, else the lab's own.

    That lies beside the package, or inside of an installed one.
    """
    named = os.environ.get("LAB_RULES")
    nearest = Path(named or "rules")
    if nearest.is_dir():
        return nearest
    for place in () if named else _further():
        if next(place.glob("*/*.json"), None) is not None:
            return place
    raise bad(
        "LAB_RULES" if named else "rules", f"no folder {nearest}", "the folder of rules files"
    )


def _further() -> Iterator[Path]:
    """Where rules files may lie if not here, the nearest first."""
    above: Sequence[Path] = ()
    with suppress(OSError):  # the folder we are in may be gone
        above = Path.cwd().parents
    yield from (place / "rules" for place in above)
    yield Path(__file__).parents[1] / "rules"
    yield Path(__file__).with_name(PACKED)


def diff(a: Rules, b: Rules) -> list[tuple[str, Any, Any]]:
    """(pointer, old, new) wherever two rules of a game differ; b is a overridden by the new values.

    Lists of equal length are compared row by row, others as a whole.
    """
    return _differences(a.document.model_dump(), b.document.model_dump(), ())


def schema(document_class: type[Document]) -> dict[str, Any]:
    """The JSON schema of a game's rules object."""
    return document_class.model_json_schema()


class Row(NamedTuple):
    """One number, choice or switch of a game's rules, as a person reads it."""

    pointer: str
    value: Any
    unit: str
    range: str  # `0..9`, or the choices
    sentence: str


def rows(rules: Rules) -> list[Row]:
    """All rules, flat, one row a leaf, in the document's order."""
    model = type(rules.document)
    listing = []
    for pointer, value in rules.pointers().items():
        sentence, unit = field_info(model, pointer)
        column = reach(trail(model, pointer)[-1])
        listing.append(Row(pointer, value, unit, column, sentence))
    return listing


def parse_setting(text: str) -> tuple[str, Any]:
    """`/a/b=5` -> ("/a/b", 5): a JSON value, or a bare word for a named choice."""
    pointer, equals, value = text.partition("=")
    where = f"setting {shown(text)}"
    if not equals or not pointer.startswith("/") or not value.strip():
        raise bad(where, "no pointer with a value", "/pointer=value")
    word = re.fullmatch(r"[A-Za-z_][\w-]*", value)
    is_word = word is not None and value not in ("true", "false", "null", "NaN", "Infinity")
    return pointer, value if is_word else parse(value, where)


def _family(path: Path, game: str) -> dict[Path, _File]:
    """The file and all it descends from; BadInput for a broken link or a circle."""
    files: dict[Path, _File] = {}
    waiting = [path]
    while waiting:
        here = waiting.pop()
        if here not in files:
            files[here] = _read(here, game)
            waiting += _links(here, files[here])
    try:
        TopologicalSorter({here: _links(here, file) for here, file in files.items()}).prepare()
    except CycleError as error:
        circle = " -> ".join(place.stem for place in error.args[1])
        raise bad(str(path), f"a circle of versions ({circle})", "a line of descent") from None
    return files


def _links(path: Path, file: _File) -> list[Path]:
    links = []
    for name, version in (("parent", file.parent), ("variant_of", file.variant_of)):
        if version is not None:
            links.append(_relative(path, file.game, name, version))
    return links


def _relative(path: Path, game: str, name: str, version: str) -> Path:
    """The file of a version that another descends from; of a draft's, among the landed ones."""
    if version == path.stem:
        return path  # a circle, for `_family` to tell
    places = [path.parent, folder() / game]
    for place in places:
        if (place / f"{version}.json").is_file():
            return place / f"{version}.json"
    known = [other.stem for place in places for other in place.glob("*.json") if other != path]
    raise bad(
        at(str(path), f"/{name}"), shown(version), "a version in the same folder", version, known
    )


def _read(path: Path, game: str) -> _File:
    try:
        file = _File.model_validate(read_object(path))
    except ValidationError as error:
        raise explain(error, _File, str(path)) from None
    if file.game != game:
        raise bad(at(str(path), "/game"), shown(file.game), shown(game))
    if file.version != path.stem:
        raise bad(
            at(str(path), "/version"),
            shown(file.version),
            f"{shown(path.stem)} as in the file's name",
        )
    return file


def _build(files: dict[Path, _File], path: Path, document_class: type[Document]) -> Rules:
    file = files[path]
    known = newest(FieldInfo.from_annotation(document_class))
    if file.schema_ > known:
        raise bad(at(str(path), "/schema"), str(file.schema_), f"at most {known}")
    data, age, assumed = file.rules, file.schema_, tuple(file.assumed)
    unverified = file.unverified
    if file.variant_of is not None:
        variant_of = _relative(path, file.game, "variant_of", file.variant_of)
        base = _build(files, variant_of, document_class)
        data = _merged(plain(base.document, base.schema), data)
        age, assumed = base.schema, base.assumed + assumed
        unverified |= base.unverified
    document = _validated(data, document_class, age, str(path), "/rules")
    rules = Rules(
        game=file.game,
        version=file.version,
        document=document,
        parent=file.parent,
        why=file.why,
        assumed=assumed,
        variant_of=file.variant_of,
        source=str(path),
        schema=age,
        changes={},
        unverified=unverified,
    )
    _check_assumed(rules, file)
    return rules


def _validated(
    data: Any, document_class: type[Document], age: int, where: str, base: str = ""
) -> Document:
    """The document in `data`, every key present that a file of schema `age` has to have."""
    try:
        document = document_class.model_validate(data)
    except ValidationError as error:
        raise explain(error, document_class, where, base) from None
    pointer = absent(document, age)
    if pointer is not None:
        wanted = expected(trail(document_class, pointer)[-1]) or "a value"
        raise bad(at(where, base + pointer), "nothing", wanted)
    return document


def _check_assumed(rules: Rules, file: _File) -> None:
    known = leaves(rules.document.model_dump(), inner=True)
    for index, row in enumerate(file.assumed):
        if row.at not in known and not re.fullmatch(README, row.at):
            place = at(rules.source, f"/assumed/{index}/at")
            raise bad(
                place, shown(row.at), 'a pointer into the rules or "README n.n"', row.at, known
            )


def _merged(base: Any, changes: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(changes, dict):
        return changes
    return base | {key: _merged(base.get(key), value) for key, value in changes.items()}


def _differences(a: Any, b: Any, tokens: tuple[str | int, ...]) -> list[tuple[str, Any, Any]]:
    if isinstance(a, dict):
        pairs: list[tuple[str | int, Any, Any]] = [(key, a[key], b[key]) for key in a]
    elif isinstance(a, list) and len(a) == len(b):
        pairs = [(i, x, y) for i, (x, y) in enumerate(zip(a, b, strict=True))]
    else:
        return [(join(tokens), a, b)] if a != b else []
    return [row for token, x, y in pairs for row in _differences(x, y, (*tokens, token))]
