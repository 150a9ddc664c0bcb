"""JSON read strictly, written readably, and addressed by JSON pointers (RFC 6901)."""

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.errors import BadInput, bad, read_text

DEEPEST = 64  # levels; keeps every later recursion over a document far from Python's limit
INT64 = range(-(2**63), 2**63)
LINE = 100


@dataclass(frozen=True)
class _Refused:
    """Stands in a parsed tree for what JSON's grammar or Python allows and a document does not."""

    found: str
    expected: str


def read_object(path: Path | str) -> dict[str, Any]:
    """The JSON object in a file; BadInput names the file and the line or pointer of a fault."""
    value = parse(read_text(path), str(path))
    if not isinstance(value, dict):
        raise bad(str(path), shown(value), "an object")
    return value


def parse(text: str, where: str) -> Any:
    """The value of one JSON text.

    Refused with BadInput beyond broken JSON: a key given twice, NaN, Infinity, numbers outside
    int64 or float64, lone surrogates, nesting deeper than DEEPEST.
    """
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=lambda name: _Refused(name, "a finite number"),
        )
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        raise bad(place, f"broken JSON ({error.msg.lower()})", "valid JSON") from None
    except RecursionError:
        raise _too_deep(where) from None
    _check(value, where, ())
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        values[key] = _Refused("this key twice", "it once") if key in values else value
    return values


def _integer(text: str) -> int | _Refused:
    if len(text) <= 20 and int(text) in INT64:
        return int(text)
    return _Refused(_cut(text), "a 64-bit integer")


def _float(text: str) -> float | _Refused:
    value = float(text)
    return value if math.isfinite(value) else _Refused(_cut(text), "a finite number")


def _check(value: Any, where: str, tokens: tuple[str, ...]) -> None:
    if len(tokens) > DEEPEST:
        raise _too_deep(where)
    if isinstance(value, _Refused):
        raise bad(at(where, join(tokens)), value.found, value.expected)
    if isinstance(value, dict):
        for key, item in value.items():
            _check(key, where, tokens)
            _check(item, where, (*tokens, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check(item, where, (*tokens, str(index)))
    elif isinstance(value, str) and re.search("[\ud800-\udfff]", value):
        raise bad(at(where, join(tokens)), "half a surrogate pair", "Unicode text")


def _too_deep(where: str) -> BadInput:
    return bad(where, f"nesting deeper than {DEEPEST} levels", "a flatter document")


def at(where: str, pointer: str) -> str:
    """The place of an error: a file (or its like) and a pointer into it."""
    return f"{where} {_cut(json.dumps(pointer, ensure_ascii=False)[1:-1])}" if pointer else where


def shown(value: Any) -> str:
    """A value as an error message names it: short, on one line."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, int) and value not in INT64:
        return "an integer beyond 64 bits"
    return _cut(json.dumps(value, ensure_ascii=False, default=repr))


def _cut(text: str, width: int = 80) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def split(pointer: str) -> tuple[str, ...]:
    """`/a/b~1c` -> ("a", "b/c"); "" is the whole document. BadInput unless it starts with `/`."""
    if pointer and not pointer.startswith("/"):
        raise bad("pointer", shown(pointer), "a JSON pointer such as /start/resources/1")
    return tuple(t.replace("~1", "/").replace("~0", "~") for t in pointer.split("/")[1:])


def join(tokens: tuple[str | int, ...]) -> str:
    """("a", "b/c") -> `/a/b~1c`."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def step(value: Any, token: str) -> Any:
    """The member of an object or the item of a list that `token` names, else LookupError."""
    if isinstance(value, dict):
        return value[token]
    if isinstance(value, list) and is_index(token):
        return value[int(token)]
    raise LookupError(token)


def is_index(token: str) -> bool:
    """Whether a pointer's token may index a list: no sign, no leading zero."""
    return re.fullmatch("0|[1-9][0-9]{0,8}", token) is not None


def leaves(value: Any, inner: bool = False, tokens: tuple[str, ...] = ()) -> dict[str, Any]:
    """Every leaf's pointer and value, in the document's order; an empty list is a leaf.

    With `inner` also the pointers of the objects and lists on the way, the root left out.
    """
    items: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = [(str(index), item) for index, item in enumerate(value)]
    own = {join(tokens): value} if tokens and (inner or not items) else {}
    for token, item in items:
        own |= leaves(item, inner, (*tokens, token))
    return own


def pretty(value: Any, indent: str = "", room: int = LINE) -> str:
    """JSON text for people: whatever fits in a line stays on one, the rest opens by two spaces."""
    line = json.dumps(value, ensure_ascii=False)
    if not value or not isinstance(value, dict | list) or len(indent) + len(line) <= room:
        return line
    deeper = indent + "  "
    if isinstance(value, list):
        rows = [deeper + pretty(item, deeper, LINE - 1) for item in value]
        return "[\n" + ",\n".join(rows) + f"\n{indent}]"
    keys = [json.dumps(key, ensure_ascii=False) for key in value]
    rows = [
        f"{deeper}{key}: {pretty(item, deeper, LINE - 3 - len(key))}"
        for key, item in zip(keys, value.values(), strict=True)
    ]
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
