"""Films of games that the lab plays: a game of a run, a run that a file keeps."""

import json
import shlex
from collections.abc import Sequence
from typing import Any

from lab.catalog import load_game
from lab.decisions import Recorded, played
from lab.doors.function import named
from lab.errors import whole
from lab.game import WINNERS, Game
from lab.play import trace
from lab.rules import Rules
from lab.selfplay import MOST
from lab.viewer.camera import ALL, SEATS, Camera, alone, open_to_all, quantities, views_of
from lab.viewer.film import Film, Step

PEOPLE = ("a person", "a person")
CROWDED = 0.7
"""Rounds for each action from which on there is no use in grouping by them."""


def check(seed: int, index: int) -> None:
    """BadInput unless `simulate` has such a game."""
    whole("seed", seed, 0, 2**64 - 1)
    whole("game", index, 0, MOST - 1)


def game(
    rules: Rules, first: str, second: str, seed: int, index: int, view: str | None = None
) -> Film:
    """Game `index` of a run; `view` is first, second or both: whose knowledge of it is shown.

    Without a view all of every position is shown and, where the game hides something, also what
    each seat knows. Raises BadInput where `lab.play.trace` does, and for no seed or index.
    """
    check(seed, index)
    named("viewer", (first, second))
    here, actions, rows = trace(load_game(rules.game), rules, first, second, seed, index)
    camera = Camera(shown(view))
    steps = [camera.start(here), *(camera.play(here, action) for action in actions)]
    again = command(rules, first, second, seed, index)
    facts = (f"rules {rules.fingerprint} · seed {seed} · game {index}", again)
    return film(rules, steps, view, (first, second), facts, ended(here.game, rows[0]))


def kept(run: Recorded, view: str | None = None) -> Film:
    """The run in a file, `view` as of `game`; BadInput as `lab.decisions.follow`."""
    here, actions, rows = played(run)
    camera = Camera(shown(view))
    steps = [camera.start(here), *(camera.play(here, action) for action in actions)]
    facts = (f"rules {run.rules.fingerprint} · seed {run.seed} · game {run.index}", run.path)
    return film(run.rules, steps, view, run.policies or PEOPLE, facts, ended(run.game, rows[0]))


def command(rules: Rules, first: str, second: str, seed: int, index: int) -> str:
    """What to type to see the same game in a terminal."""
    words = ["lab", "trace", rules.game, "--rules", rules.version]
    for pointer, value in rules.changes.items():
        words += ["--set", f"{pointer}={json.dumps(value)}"]
    words += ["--first", first, "--second", second, "--seed", str(seed), "--game", str(index)]
    return shlex.join(words)


def shown(view: str | None) -> tuple[str, ...]:
    """The views to take; where none is named, all of them."""
    return (ALL, *SEATS) if view is None else views_of(view)


def film(
    rules: Rules,
    steps: Sequence[Step],
    view: str | None,
    players: tuple[str, str],
    facts: tuple[str, ...],
    end: str,
) -> Film:
    """The film of steps in the views of `shown`; one of them is enough where nothing is hidden."""
    known, views = load_game(rules.game), shown(view)
    if view is None and open_to_all(steps):
        views, steps = (ALL,), [alone(step) for step in steps]
    rounds = len({step.clock for step in steps})
    return Film(
        game=f"{known.title}, rules {rules.version}",
        facts=facts,
        players=players,
        clock=known.clock if rounds < CROWDED * len(steps) else "",
        views=tuple(name if name == ALL else f"{name} sees" for name in views),
        quantities=quantities(known),
        steps=tuple(steps),
        end=end,
    )


def ended(known: Game, outcome: Any) -> str:
    """How a game with that row has ended, in words."""
    winner, ending = WINNERS[outcome["winner"]], known.endings[outcome["ending"]]
    won = "a draw" if winner == "draw" else f"the {winner} player wins"
    clocks = known.clock if outcome["length"] == 1 else known.clocks
    return f"{won} ({ending}) after {outcome['length']} {clocks}"
