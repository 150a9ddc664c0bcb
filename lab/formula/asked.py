"""What a person asks of a frame beyond the metrics: groups, and measures of their own."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import polars as pl

from lab import formula
from lab.errors import bad
from lab.formula.grammar import NUMBER, TRUTH, WORD, Kinds, parse
from lab.formula.meaning import PLAIN, RATE, expression
from lab.frames import columns_of
from lab.game import Game, Metric
from lab.outcomes import SHARE
from lab.tomlfile import blaming

Key = str | pl.Expr
By = Key | Sequence[Key] | Mapping[str, Key] | None
ANYTHING = (float("-inf"), float("inf"))


def keys_of(
    by: By, frame: pl.DataFrame | pl.LazyFrame, game: Game | None, taken: Iterable[str]
) -> dict[str, pl.Expr]:
    """The expressions to group by, under the names that their columns get; BadInput names one.

    `taken` are names of the table that is to come.
    """
    schema, found = frame.collect_schema(), dict[str, pl.Expr]()
    for name, key in _named(by):
        if name in found or name in taken:
            hint = f"another name for it, such as by={{'of_{name}': '{name}'}}"
            raise bad("by", f"{name!r}, which the table has already", hint)
        found[name] = _grouping(key, schema, game)
        with _polars(f"by {name!r}", schema):
            kind = frame.lazy().select(found[name]).collect_schema().dtypes()[0]
        if kind.is_float():  # not a number says as little as null
            found[name] = found[name].fill_nan(None)
    return found


def extras_of(
    extra: Mapping[str, Key], frame: pl.DataFrame | pl.LazyFrame, game: Game | None
) -> Iterator[Metric]:
    """Measures of one's own as metrics: of truths a rate, of numbers a mean without bounds."""
    schema = frame.collect_schema()
    if not isinstance(extra, Mapping):
        raise bad("extra", repr(extra), "formulas or expressions by name, such as {'long': ...}")
    for name, wanted in extra.items():
        if isinstance(wanted, str):
            columns = columns_of(game) if game else {}
            with blaming(f"extra {name!r}"):
                yield formula.metric(wanted, _kinds(schema, game), columns, name)
            continue
        if not isinstance(wanted, pl.Expr):
            raise bad(f"extra {name!r}", repr(wanted), "a formula or an expression of polars")
        with _polars(f"extra {name!r}", schema):
            kind = frame.lazy().select(wanted.alias("_")).collect_schema()["_"]
        if not (kind.is_numeric() or kind == pl.Boolean):
            raise bad(f"extra {name!r}", f"{kind}", "a number a game, or true or false")
        yield _measure(name, wanted, kind == pl.Boolean)


def _measure(name: str, wanted: pl.Expr, rate: bool) -> Metric:
    bounds = RATE if rate else ANYTHING
    unit, sentence = SHARE if rate else PLAIN, f"The expression {wanted}."
    return Metric(name, sentence, unit, formula.value_of(wanted), lambda rules: bounds)


def _named(by: By) -> Iterator[tuple[str, Key]]:
    if isinstance(by, Mapping):
        yield from by.items()
    elif by is not None:
        for key in [by] if isinstance(by, Key) else by:
            if not isinstance(key, Key):
                raise bad("by", repr(key), "a column, a formula or an expression of polars")
            yield (key if isinstance(key, str) else key.meta.output_name()), key


def _grouping(key: Key, schema: pl.Schema, game: Game | None) -> pl.Expr:
    if isinstance(key, pl.Expr):
        return key
    if key in schema:
        return pl.col(key)
    if key.isidentifier():
        raise bad("by", repr(key), f"one of {', '.join(schema)}", key, schema)
    with blaming("by"):
        return expression(parse(key, _kinds(schema, game)))


def _kinds(schema: pl.Schema, game: Game | None) -> Kinds:
    """What a formula may name: the game's columns that are there, and what else stands beside."""
    own = formula.kinds_of(game) if game else {}
    return {name: own.get(name, kind) for name, kind in _found(schema)}


def _found(schema: pl.Schema) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    for name, kind in schema.items():
        if kind == pl.Boolean:
            yield name, TRUTH
        elif kind.is_numeric() and name not in formula.UNMEASURED:
            yield name, NUMBER
        elif isinstance(kind, pl.Enum):
            yield name, tuple(kind.categories)
        elif kind in (pl.String, pl.Categorical):
            yield name, WORD


@contextmanager
def _polars(where: str, schema: pl.Schema) -> Iterator[None]:
    """What polars says against an expression, in one line."""
    try:
        yield
    except pl.exceptions.ColumnNotFoundError as error:
        name = re.findall('"(.*?)"', str(error))[0]
        raise bad(where, repr(name), f"one of {', '.join(schema)}", name, schema) from None
    except pl.exceptions.PolarsError as error:
        told = str(error).partition("\n")[0]
        raise bad(where, f"what polars refuses ({told})", "an expression of the frame") from None
