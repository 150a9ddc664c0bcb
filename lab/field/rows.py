"""Rows of real games: a table as `lab replay measure` or `lab simulate` writes it."""

import json
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import polars as pl

from lab.catalog import GAMES, load_game, load_rules
from lab.errors import bad, refused
from lab.game import Game
from lab.jit import blank
from lab.rules import Rules
from lab.selfplay import as_frame, table_path

FEWEST = 10
"""Games below which little can be told of their spread."""


@dataclass(frozen=True)
class Rows:
    """Real games, and the rules that they were played by."""

    path: Path
    frame: pl.DataFrame
    rules: Rules

    @property
    def digest(self) -> str:
        """16 hex digits of the games, however the file holds them."""
        return blake2b(self.frame.write_csv().encode(), digest_size=8).hexdigest()


def read_rows(path: Path | str, rules: str | None = None) -> Rows:
    """The games in a .parquet or .csv file; their columns say of which game they are.

    `rules` is a version or a .json file; else it is what the table says of itself, if it does, else
    the game's default. BadInput where no game has such columns, or the table says other rules.
    """
    path = table_path(path)
    try:
        parquet = path.suffix == ".parquet"
        names = pl.read_parquet_schema(path) if parquet else _header(path)
        game = _game_of(list(names), path)
        schema = as_frame(game, blank(game.outcome, 0)).schema
        frame = pl.read_parquet(path) if parquet else pl.read_csv(path, schema_overrides=schema)
        frame = frame.select(pl.col(name).cast(kind) for name, kind in schema.items())
        note = json.loads(pl.read_parquet_metadata(path).get("lab", "{}")) if parquet else {}
    except OSError as error:
        raise refused(path, error, "a table of games") from None
    except (pl.exceptions.PolarsError, json.JSONDecodeError):
        raise bad(str(path), "no table of games", "one as replay measure writes it") from None
    if frame.height < FEWEST:
        found = f"{frame.height} game{'' if frame.height == 1 else 's'}"
        raise bad(str(path), found, f"{FEWEST} or more")
    if any(frame.null_count().row(0)):
        raise bad(str(path), "an empty cell", "a value in each")
    return Rows(path, frame, _rules_of(path, game, note, rules))


def _header(path: Path) -> list[str]:
    return pl.read_csv(path, n_rows=0).columns


def _game_of(names: list[str], path: Path) -> Game:
    """The game whose every column is there; BadInput names what the likeliest one lacks."""
    lacking = {}
    for game in map(load_game, GAMES):
        known = as_frame(game, blank(game.outcome, 0)).columns
        missing = [name for name in known if name not in names]
        if not missing:
            return game
        lacking[game.name] = len(missing) / len(known), missing[0]
    name = min(lacking, key=lambda game: lacking[game][0])
    expected = f"it, as every table of {name} has it"
    raise bad(str(path), f"no column {lacking[name][1]}", expected, lacking[name][1], names)


def _rules_of(path: Path, game: Game, note: dict[str, object], rules: str | None) -> Rules:
    said = note.get("fingerprint")
    if rules is None and said is not None:
        found = load_rules(game.name, str(note["rules"]))
        changes = note.get("changes")
        found = found.override(changes) if isinstance(changes, dict) and changes else found
    else:
        found = load_rules(game.name, rules)
    if said is not None and found.fingerprint != said:
        wanted = f"games by {found.version} ({found.fingerprint})"
        raise bad(str(path), f"games by {note['rules']} ({said})", wanted)
    return found
