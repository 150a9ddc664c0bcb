"""A run as a file: its seed and every decision. Write it, read it, play it again.

    {"game": "ants", "rules": "0.3", "fingerprint": "4f...", "changes": {}, "seed": 7, "index": 0,
     "policies": ["rush", "siege"], "decisions": [["gather 12"], ["hatch", ...], ...], ...}

`decisions` holds the actions of each round or day, from the first clock on, as `lab moves` says
them. A person may write one with game, seed and decisions alone; then nobody's policies are known.
A run may be kept by a table of games too, which has all of it but the decisions.
What else a traced file holds (its outcome, and lists of `Game.kept`) is for readers of that game.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import Field

from lab.catalog import load_game, load_rules
from lab.document import Document
from lab.errors import bad, refused, write_text
from lab.game import Game
from lab.jsonfile import at, join, pretty, read_object, shown
from lab.play import Players, Position, trace
from lab.rules import Rules
from lab.selfplay import as_frame
from lab.tomlfile import blaming, checked

MOST_SEED = 2**63
MOST_SHOWN = 12
"""Legal actions that an error lists."""


class RunFile(Document):
    """The form of the file, the game's own lists left out."""

    game: str
    rules: str | None = None  # a version; null: the game's current ones
    fingerprint: str | None = None  # of the rules with their changes; null: not looked at
    changes: dict[str, Any] = Field(default={})
    seed: int = Field(ge=0, lt=MOST_SEED)
    index: int = Field(default=0, ge=0, lt=10**12)
    policies: list[str] | None = Field(default=None, min_length=2, max_length=2)
    decisions: list[list[str]] = Field(min_length=1)
    outcome: dict[str, Any] = Field(default={})


@dataclass(frozen=True)
class Recorded:
    """A run that a file tells of: its rules, where its chance comes from, its decisions by clock.

    Without `policies` the decisions are a person's.
    """

    path: str
    game: Game
    rules: Rules
    seed: int
    index: int
    policies: tuple[str, str] | None
    decisions: list[list[str]]

    def start(self) -> Position:
        return Position(self.game, self.rules, self.seed, self.index)

    def players(self, here: Position) -> Players | None:
        """The policies, with their minds as at the start, if the file names them."""
        if self.policies is None:
            return None
        rows = self.game.policy_rows(*self.policies)
        return Players(self.game, here.record, rows, self.seed, self.index)


# --- writing ------------------------------------------------------------------------------------


def record(rules: Rules, first: str, second: str, seed: int, index: int) -> dict[str, Any]:
    """The file's content for a game of a run; BadInput where `trace` has it."""
    game = load_game(rules.game)
    if seed >= MOST_SEED:
        raise bad("seed", str(seed), "one below 2^63, which a file of JSON can hold")
    here, actions, rows = trace(game, rules, first, second, seed, index)
    decisions: list[list[str]] = []
    kept: dict[str, list[str]] = {name: [] for name in game.kept}
    for action in actions:
        now = here.look()[1]
        decisions += [[] for _ in range(now + 1 - len(decisions))]
        decisions[now].append(game.view.action_text(here.record, action))
        for name, noted in game.kept.items():
            kept[name] += filter(None, [noted(here.record, here.state, action)])
        here.play(action)
    row = as_frame(game, rows).row(0, named=True)
    return {
        "game": game.name,
        "rules": rules.version,
        "fingerprint": rules.fingerprint,
        "changes": dict(rules.changes),
        "seed": seed,
        "index": index,
        "policies": [first, second],
        "decisions": decisions,
        **{name: told for name, told in kept.items() if told},
        "outcome": row | {"history": f"{row['history']:016x}"},
    }


def write(path: Path | str, content: dict[str, Any]) -> None:
    """The file of what `record` gave, whole or not at all."""
    write_text(path, pretty(content) + "\n")


# --- reading ------------------------------------------------------------------------------------


def read(path: Path | str, rules: Rules | None = None) -> Recorded:
    """The run in a file; BadInput names the file, the pointer, and what was found there.

    `rules` stand in for a version that the lab has no file of; they must have its fingerprint.
    Whether the decisions can be played is for `follow` to say.
    """
    path = str(path)
    found = read_object(path)
    with blaming(at(path, "/game")):
        game = load_game(str(found.get("game")))
    data = {key: value for key, value in found.items() if key not in game.kept}
    file = checked(RunFile, data, path)
    if rules is None:
        with blaming(at(path, "/rules")):
            rules = load_rules(file.game, file.rules)
        with blaming(at(path, "/changes")):
            rules = rules.override(file.changes) if file.changes else rules
    if file.fingerprint not in (None, rules.fingerprint):
        expected = f"{rules.fingerprint}, that of {rules.game} {rules.version}"
        raise bad(at(path, "/fingerprint"), shown(file.fingerprint), expected)
    policies = None
    if file.policies is not None:
        policies = file.policies[0], file.policies[1]
        with blaming(at(path, "/policies")):
            game.policy_rows(*policies, rules)
    return Recorded(path, game, rules, file.seed, file.index, policies, file.decisions)


def follow(
    run: Recorded, here: Position, players: Players | None = None
) -> Iterator[tuple[int, int]]:
    """Play the decisions on a start of the run: (clock, action) before each of them is played.

    `players` have to be of the same mind. BadInput names the first decision that cannot be.
    """
    for now, texts in enumerate(run.decisions):
        for n, text in enumerate(texts):
            where = at(run.path, join(("decisions", now, n)))
            action = _legal(run, here, now, text, where)
            if players is not None and players.action(here.state) != action:
                expected = "what the policies named play, or policies null if they are a person's"
                raise bad(where, repr(text), expected)
            yield now, action
            here.play(action)
        if now + 1 < len(run.decisions) and not here.over and here.look()[1] == now:
            found = f"{len(texts)} decisions, after which {run.game.clock} {now} goes on"
            raise bad(at(run.path, join(("decisions", now))), found, "all of its decisions")
    if not here.over:
        found = f"an end in {run.game.clock} {here.look()[1]}, before the game's"
        raise bad(at(run.path, "/decisions"), found, "a whole run")


def read_manifest(path: Path | str) -> dict[str, Any]:
    """The manifest of a table that `simulate` wrote; BadInput where there is none."""
    try:
        with Path(path).open("rb") as file:
            about = json.loads((pq.read_metadata(file).metadata or {})[b"lab"])
    except OSError as error:
        raise refused(path, error, "a table of games, .parquet") from None
    except (ValueError, LookupError, pa.ArrowException):
        about = None
    if not isinstance(about, dict) or not {"fingerprint", "first", "games"} <= about.keys():
        raise bad(str(path), "no table of a run", "one that `lab simulate --out` wrote, .parquet")
    return about


class Named(NamedTuple):
    """A game of a run by all that it depends on."""

    rules: Rules
    first: str
    second: str
    seed: int
    game: int  # its index


def of_table(path: Path | str, index: int, rules: Rules | None = None) -> Named:
    """A game of the run whose table `lab.selfplay.simulate` wrote, a .parquet file.

    `rules` stand in for a version that the lab has no file of. BadInput for what is no such table,
    a game that it does not hold, and one that would not come out the same today.
    """
    path = str(path)
    about = read_manifest(path)
    game = load_game(about["game"])
    if about["game_version"] != game.version:
        raise bad(path, f"games of {game.name} {about['game_version']}", f"those of {game.version}")
    if rules is None:
        with blaming(path):
            rules = load_rules(game.name, about["rules"])
            rules = rules.override(about["changes"]) if about["changes"] else rules
    if about["fingerprint"] != rules.fingerprint:
        expected = f"{rules.fingerprint}, that of {rules.game} {rules.version}"
        raise bad(path, f"rules {about['fingerprint']}", expected)
    start, stop = about["games"]
    if not start <= index < stop:
        raise bad(path, f"game {index}", f"one from {start} to {stop - 1}")
    return Named(rules, about["first"], about["second"], about["seed"], index)


def played(run: Named | Recorded) -> tuple[Position, list[int], np.ndarray[Any, Any]]:
    """A run's start, its actions, its row (1,) as of `lab.play.trace`; BadInput as `follow`."""
    if isinstance(run, Named):
        return trace(load_game(run.rules.game), *run)
    there = run.start()
    actions = [action for _, action in follow(run, there, run.players(there))]
    return run.start(), actions, np.array([there.outcome], run.game.outcome)


def replay(run: Recorded) -> Position:
    """The position in which a run ends, with its row; BadInput as `follow`."""
    here = run.start()
    for _ in follow(run, here, run.players(here)):
        pass
    return here


def texts_of(here: Position, actions: list[int]) -> list[str]:
    """Actions as a person writes them."""
    return [here.game.view.action_text(here.record, action) for action in actions]


def listed(known: list[str]) -> str:
    """Actions for an error's line, the first of many."""
    more = f" or {len(known) - MOST_SHOWN} more" if len(known) > MOST_SHOWN else ""
    return ", ".join(known[:MOST_SHOWN]) + more


def _legal(run: Recorded, here: Position, now: int, text: str, where: str) -> int:
    """The action of a decision; BadInput unless it may be played here."""
    legal = here.legal()
    if not legal:
        raise bad(where, repr(text), "nothing more: the game is over")
    clock = here.look()[1]
    if clock != now:
        raise bad(where, f"{text!r} in {run.game.clock} {now}", f"it in {clock}, which has come")
    with blaming(where):
        action = int(run.game.view.parse_action(here.record, text))
    if action not in legal:
        known = texts_of(here, legal)
        raise bad(where, repr(text), f"a legal action: {listed(known)}", text, known)
    if run.policies is None and run.game.doubt is not None:
        doubt = run.game.doubt(here.record, here.state, action)
        if doubt:
            raise bad(where, repr(text), doubt)
    return action
