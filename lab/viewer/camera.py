"""Positions of a game as views of it show them: pictures and numbers, step by step."""

from collections.abc import Sequence
from dataclasses import replace

from lab.game import WINNERS, Game
from lab.play import Position
from lab.viewer.film import NOBODY, Numbers, Step

SEATS = WINNERS[:2]
ALL = "everything"
"""The view that shows all of a position; the others are the seats'."""


def views_of(view: str | None) -> tuple[str, ...]:
    """The views that first, second or both name; nothing names all of a position."""
    return {None: (ALL,), "both": SEATS}.get(view, (view or ALL,))


def look(here: Position, view: str) -> Position:
    """The position as a view shows it."""
    return here if view == ALL else here.seen(SEATS.index(view))


class Pictures:
    """Draws the positions of a game one after another as some views show them.

    A seat that another's action shows nothing of, such as an order that is carried out later, is
    not shown the action either.
    """

    def __init__(self, views: Sequence[str]) -> None:
        self.views = views
        self.plain: dict[str, str] = {}  # the last picture by view, its action not marked

    def __call__(self, here: Position, action: int | None, seat: int) -> dict[str, str]:
        """Of a position, by view; the action that led to it was the seat's."""
        return {name: self._draw(name, here, action, seat) for name in self.views}

    def _draw(self, name: str, here: Position, action: int | None, seat: int) -> str:
        draw, state = here.game.view.svg, look(here, name).state
        if name == ALL:
            return str(draw(here.record, state, action))
        before, now = self.plain.get(name), str(draw(here.record, state, None))
        self.plain[name] = now
        hidden = before == now and SEATS.index(name) != seat
        return now if hidden or action is None else str(draw(here.record, state, action))


class Camera:
    """Takes the steps of a game while it is played: `start` once, then `play` for each action."""

    def __init__(self, views: Sequence[str]) -> None:
        self.views = views
        self.draw = Pictures(views)

    def start(self, here: Position) -> Step:
        return self._step(here, None, NOBODY, here.look()[1], "")

    def play(self, here: Position, action: int) -> Step:
        """Play a legal action."""
        text = here.game.view.action_text(here.record, action)
        seat, clock, _ = here.look()
        here.play(action)
        return self._step(here, action, seat, clock, text)

    def _step(self, here: Position, action: int | None, seat: int, clock: int, text: str) -> Step:
        pictures = tuple(self.draw(here, action, seat).values())
        told = tuple(numbers(look(here, view)) for view in self.views)
        return Step(text, seat, clock, pictures, told)


def quantities(game: Game) -> tuple[str, ...]:
    """What `Game.curves` tells of each seat."""
    names = (name.partition("_")[2].replace("_", " ") for name in game.curves)
    return tuple(dict.fromkeys(names))


def numbers(here: Position) -> Numbers:
    """Both seats' values of each quantity in a position."""
    told = dict(zip(here.game.curves, here.look()[2], strict=True))
    stems = dict.fromkeys(name.partition("_")[2] for name in told)
    return tuple((told[f"first_{stem}"], told[f"second_{stem}"]) for stem in stems)


def open_to_all(steps: Sequence[Step]) -> bool:
    """Whether all views show the same."""
    return all(len(set(step.pictures)) == 1 for step in steps)


def alone(step: Step) -> Step:
    """The step in its first view."""
    return replace(step, pictures=step.pictures[:1], numbers=step.numbers[:1])
