"""What a rules document declares about itself: kinds, ranges, units, sentences, newer keys.

A document is a tree of `Document` models. Its fields are numbers
`Field(description="one sentence", ge=, le=, json_schema_extra={"unit": "AP"})`, switches (bool),
named choices (Literal), sections (a Document) and lists with a `max_length`. A key added after the
first schema says so by `json_schema_extra={"since": 2}` and has a neutral default.
"""

from types import NoneType
from typing import Any, Literal, NamedTuple, TypeGuard, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from lab.errors import BadInput, bad
from lab.jsonfile import at, is_index, join, shown, split


class Document(BaseModel):
    """Base of every part of a rules document: no unknown key, no coercion, no NaN, no writing."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Range(NamedTuple):
    """The numbers a pointer may hold, both ends included: two ints, or two floats."""

    low: int | float
    high: int | float


MOST_NAMED = 24
"""Choices that a line names one by one."""
Choices = tuple[str, ...] | tuple[bool, ...]


def is_model(kind: Any) -> TypeGuard[type[BaseModel]]:
    """Whether an annotation is a section, that is a model of its own."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def limit(info: FieldInfo, name: str) -> Any:
    """A field's `ge`, `le`, `min_length` or `max_length`, None where it declares none."""
    return next((getattr(m, name) for m in info.metadata if hasattr(m, name)), None)


def item_of(info: FieldInfo) -> FieldInfo:
    """What one row of a list field declares."""
    return FieldInfo.from_annotation(get_args(info.annotation)[0])


def trail(model: type[BaseModel], pointer: str) -> list[FieldInfo]:
    """The declarations met on the way from the model to what the pointer names, both included.

    BadInput with the nearest known name where the document declares no such place.
    """
    infos = [FieldInfo.from_annotation(model)]
    tokens = split(pointer)
    for depth, token in enumerate(tokens):
        kind = infos[-1].annotation
        here = join(tokens[: depth + 1])
        if is_model(kind):
            fields = _fields(kind)
            if token not in fields:
                known = [join((*tokens[:depth], name)) for name in fields]
                raise bad("pointer", here, "a pointer into the document", here, known)
            infos.append(fields[token])
        elif get_origin(kind) is list and is_index(token) and _fits(infos[-1], int(token)):
            infos.append(item_of(infos[-1]))
        else:
            raise bad("pointer", here, "a pointer into the document", here, [join(tokens[:depth])])
    return infos


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {info.alias or name: info for name, info in model.model_fields.items()}


def _fits(info: FieldInfo, index: int) -> bool:
    most = limit(info, "max_length")
    return most is None or index < most


def bounds(model: type[BaseModel], pointer: str) -> Range | Choices:
    """What the pointer may hold: a Range for a number, all choices of a named choice or switch."""
    found = _bounds(trail(model, pointer)[-1])
    if found is None:
        raise bad("pointer", pointer, "the pointer of a number, a choice or a switch")
    return found


def _bounds(info: FieldInfo) -> Range | Choices | None:
    kind = info.annotation
    if kind is bool:
        return (False, True)
    if get_origin(kind) is Literal:
        return get_args(kind)
    if kind is int or kind is float:
        low, high = limit(info, "ge"), limit(info, "le")
        if low is None or high is None:
            raise TypeError(f"a number of a document declares ge and le: {info!r}")
        return Range(kind(low), kind(high))
    return None


def reach(info: FieldInfo) -> str:
    """What a field takes, as a column of a table: `0..9`, `lowest, highest`."""
    found = _bounds(info)
    if isinstance(found, Range):
        return f"{found.low}..{found.high}"
    if found:
        return _named([c if isinstance(c, str) else shown(c) for c in found])
    return expected(info) or ""


def _named(choices: list[str]) -> str:
    """All choices, of very many the ends: a whole board's cells would hide what is said of them."""
    shown = choices if len(choices) <= MOST_NAMED else [*choices[:2], "...", choices[-1]]
    return ", ".join(shown)


def field_info(model: type[BaseModel], pointer: str) -> tuple[str, str]:
    """The sentence and the unit of what a pointer names; a row's are its list's, "" is none."""
    sentence = unit = ""
    for info in trail(model, pointer):
        if is_model(info.annotation):
            unit = ""
        sentence = info.description or sentence
        unit = str(extra(info, "unit") or unit)
    return sentence, unit


def extra(info: FieldInfo, name: str) -> Any:
    """An entry of a field's `json_schema_extra`, None where there is none."""
    return info.json_schema_extra.get(name) if isinstance(info.json_schema_extra, dict) else None


def since(info: FieldInfo) -> int:
    """The first file schema that knows a key."""
    return extra(info, "since") or 1


def newest(info: FieldInfo) -> int:
    """The newest schema among all keys below a declaration."""
    kind = info.annotation
    if get_origin(kind) is list:
        return max(since(info), newest(item_of(info)))
    fields = kind.model_fields.values() if is_model(kind) else []
    return max([since(info), *map(newest, fields)])


def plain(value: Any, schema: int) -> Any:
    """A document as JSON values, without keys newer than `schema` that hold their default."""
    if isinstance(value, list):
        return [plain(item, schema) for item in value]
    if not isinstance(value, BaseModel):
        return value
    return {
        name: plain(getattr(value, name), schema)
        for name, info in type(value).model_fields.items()
        if since(info) <= schema
        or getattr(value, name) != info.get_default(call_default_factory=True)
    }


def absent(value: Any, schema: int, tokens: tuple[str | int, ...] = ()) -> str | None:
    """The pointer of the first key left to its default although the file's schema knows it."""
    if isinstance(value, list):
        items: list[tuple[str | int, Any]] = list(enumerate(value))
    elif isinstance(value, BaseModel):
        for name, info in type(value).model_fields.items():
            if name not in value.model_fields_set and since(info) <= schema:
                return join((*tokens, name))
        given = [name for name in type(value).model_fields if name in value.model_fields_set]
        items = [(name, getattr(value, name)) for name in given]
    else:
        return None
    found = (absent(item, schema, (*tokens, token)) for token, item in items)
    return next((pointer for pointer in found if pointer), None)


def expected(info: FieldInfo) -> str | None:
    """What a field takes, in words; None for kinds no rules document has."""
    kind = info.annotation
    if kind == str | None:
        return "some text or null"
    if NoneType in get_args(kind):  # a key that may be left out
        kind = next(inner for inner in get_args(kind) if inner is not NoneType)
    if get_origin(kind) is dict and limit(info, "min_length"):
        return "an object with a key"
    if is_model(kind) or get_origin(kind) is dict:
        return "an object"
    if get_origin(kind) is list:
        least, most = limit(info, "min_length") or 0, limit(info, "max_length")
        return f"a list of {least}" if least == most else f"a list of {least} to {most or 'any'}"
    if get_origin(kind) is Literal:
        return "one of " + _named([*map(shown, get_args(kind))])
    if kind is bool:
        return "true or false"
    if kind is int or kind is float:
        word = "a whole number" if kind is int else "a number"
        limits = {"above": "gt", "from": "ge", "to": "le"}
        ends = {end: limit(info, name) for end, name in limits.items()}
        known = {end: x for end, x in ends.items() if x is not None}
        return " ".join(
            [word, *(f"{end} {x if kind is int else f'{x:g}'}" for end, x in known.items())]
        )
    return "some text" if kind is str else None


def explain(error: ValidationError, model: type[BaseModel], where: str, base: str = "") -> BadInput:
    """Pydantic's first complaint in the house's one line; `base` is the pointer of the model.

    An unknown key goes first: it is most often the misspelling behind a missing one.
    """
    faults = error.errors(include_url=False)
    fault = next((f for f in faults if f["type"] == "extra_forbidden"), faults[0])
    place = at(where, base + join(fault["loc"]))
    if fault["type"] == "extra_forbidden":
        section: Any = trail(model, join(fault["loc"][:-1]))[-1].annotation
        known = _fields(section)
        name = str(fault["loc"][-1])
        return bad(place, "an unknown key", "one of " + ", ".join(known), name, known)
    if fault["type"] == "value_error":
        return BadInput(" ".join(f"{place}: {fault['ctx']['error']}".split()))
    declared, choices = _declared(model, join(fault["loc"]))
    wanted = declared or fault["msg"].removeprefix("Input should be ")
    if "pattern" in fault.get("ctx", {}):
        wanted = f"text that matches {fault['ctx']['pattern']}"
    found = "nothing" if fault["type"] == "missing" else shown(fault["input"])
    given = fault["input"] if isinstance(fault["input"], str) else None
    return bad(place, found, wanted, given, choices)


def _declared(model: type[BaseModel], pointer: str) -> tuple[str | None, list[str]]:
    """What a place takes, in words, and by name where it is a named choice."""
    try:
        info = trail(model, pointer)[-1]
    except BadInput:  # inside a union or a free object, which no rules document has
        return None, []
    choices = get_args(info.annotation) if get_origin(info.annotation) is Literal else ()
    return expected(info), [choice for choice in choices if isinstance(choice, str)]
