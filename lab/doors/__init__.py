"""Doors for players from outside of the lab: a PettingZoo environment, and functions in Python."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lab.errors import bad

if TYPE_CHECKING:
    from lab.doors.zoo import Zoo
    from lab.rules import Rules


def env(
    game: str,
    rules: "Rules | str | None" = None,
    first: str | None = None,
    second: str | None = None,
    ban: Iterable[str] | None = None,
    render_mode: str = "ansi",
) -> "Zoo":
    """A game as a PettingZoo AEC environment, see `lab.doors.zoo.Zoo`.

    `rules` are those, or a version of them. Seats with a policy (`first`, `second`) are played by
    the lab, and so is a second seat that is none for a player, as the ghost's in Wargambit; the
    others are agents. Agents are not offered actions of the kinds in `ban`, which is
    `Game.declared` unless given. BadInput where something of that does not exist, or PettingZoo is
    not installed.
    """
    try:
        from lab.doors.zoo import Zoo
    except ImportError:
        raise bad("lab.env", "no PettingZoo here", "pip install 'balance-lab[rl]'") from None
    return Zoo(game, rules, (first, second), ban, render_mode)
