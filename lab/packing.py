"""One declaration, two forms: a pydantic document and the numpy record that kernels read.

The dtype follows from the document's class alone, so one compiled kernel serves every version of a
game's rules. Fields keep the document's names and nesting; see `dtype_of` for how each kind packs.
"""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

import numpy as np
from numpy.typing import DTypeLike, NDArray
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from lab.document import is_model, item_of, limit

SCALARS = {int: np.dtype(np.int64), bool: np.dtype(np.bool_), float: np.dtype(np.float64)}


def dtype_of(
    model: type[BaseModel],
    game: str,
    derived: Mapping[str, tuple[DTypeLike, tuple[int, ...]]] | None = None,
) -> np.dtype[np.void]:
    """The aligned record dtype of a game's rules.

    First a uint8 field named after the game, which makes the type the game's own; then the
    document's fields: int as int64, bool as bool_, float as float64, Literal as the int64 position
    in its declaration, a section as a nested record, a list as an array of its `max_length` rows
    and `<name>_count` int64 (left out when `min_length` equals `max_length`); then the `derived`
    tables, name -> (dtype, shape), for the game's `prepare` to fill. Raises TypeError for a field
    that has no such form.
    """
    tables = [(name, np.dtype(kind), shape) for name, (kind, shape) in (derived or {}).items()]
    fields = [(game, np.uint8), *_columns(model), *tables]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def pack(document: BaseModel, dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """The document as an array of shape (1,) of `dtype`, zeros in all it does not fill."""
    records = np.zeros(1, dtype)
    _fill(records[0], document)
    return records


def _columns(model: type[BaseModel]) -> list[tuple[Any, ...]]:
    columns: list[tuple[Any, ...]] = []
    for name, info in model.model_fields.items():
        columns.append((name, *_cell(info, name)))
        if _counted(info):
            columns.append((f"{name}_count", np.int64))
    return columns


def _cell(info: FieldInfo, name: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The base dtype and shape of a field; the shape of what is no list is ()."""
    kind: Any = info.annotation
    if is_model(kind):
        return np.dtype(_columns(kind), align=True), ()
    if get_origin(kind) is Literal:
        return SCALARS[int], ()
    if kind in SCALARS:
        return SCALARS[kind], ()
    length, item = limit(info, "max_length"), item_of(info) if get_origin(kind) is list else None
    if not length or item is None or _counted(item):
        raise TypeError(f"field {name!r} has no place in a record: {kind}")
    base, shape = _cell(item, name)
    return base, (length, *shape)


def _counted(info: FieldInfo) -> bool:
    """Whether a field is a list whose length varies."""
    lengths = limit(info, "min_length"), limit(info, "max_length")
    return get_origin(info.annotation) is list and lengths[0] != lengths[1]


def _fill(record: Any, document: BaseModel) -> None:
    for name, info in type(document).model_fields.items():
        value = getattr(document, name)
        if _counted(info):
            record[f"{name}_count"] = len(value)
        _put(record, name, info, value)


def _put(place: Any, key: str | int, info: FieldInfo, value: Any) -> None:
    if isinstance(value, BaseModel):
        _fill(place[key], value)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _put(place[key], index, item_of(info), item)
    elif get_origin(info.annotation) is Literal:
        place[key] = get_args(info.annotation).index(value)
    else:
        place[key] = value
