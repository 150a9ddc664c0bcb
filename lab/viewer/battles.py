"""Films of battles of Wargambit, with what good chess would do instead."""

from collections.abc import Callable, Iterator
from typing import Any

from lab.games.wargambit.arena import Arena, Fought, Hint, hint
from lab.games.wargambit.fen import parse_fen
from lab.games.wargambit.picture import HEADER, MARGIN, SIZE, board_svg, men_of
from lab.viewer.camera import ALL
from lab.viewer.film import NOBODY, Film, Numbers, Step

SIDES = ("White", "Black")
ADVICE = "#00795a"
Progress = Callable[[int, int], None]


def battle(
    arena: Arena,
    fought: Fought,
    title: str,
    depth: int = 0,
    progress: Progress = lambda done, total: None,
) -> Film:
    """The battle as `lab battle` plays it, `title` its game and rules.

    With a depth, each position but the last has a hint that looks so many moves ahead, as a dashed
    arrow and in words; `progress` counts them.
    """
    wins = {"first": "White wins", "second": "Black wins", "draw": "a draw"}[fought.winner]
    return Film(
        game=title,
        facts=(fought.positions[0], *([f"hints look {depth} moves ahead"] if depth else [])),
        players=SIDES,
        clock="",
        views=(ALL,),
        quantities=("value", "pieces"),
        steps=tuple(_steps(arena, fought, depth, progress)),
        end=f"{wins} ({fought.ending}) after {len(fought.moves)} moves",
    )


def _steps(arena: Arena, fought: Fought, depth: int, progress: Progress) -> Iterator[Step]:
    for ply, text in enumerate(fought.positions):
        board, move = parse_fen(text, arena.letters), fought.moves[ply - 1] if ply else ""
        picture, note = board_svg(board, arena.letters, move, f"move {ply}"), ""
        if depth and ply < len(fought.moves):
            found, mover = hint(arena, text, depth), int(board["black"])
            picture = picture.replace("</svg>", f"{_arrow(found.line[0])}</svg>")
            note = f"Good chess for {SIDES[mover]}: {_told(found)}"
            progress(ply + 1, len(fought.moves))
        seat = 1 - int(board["black"]) if ply else NOBODY
        yield Step(move, seat, ply, (picture,), (_numbers(arena, board),), note)


def _numbers(arena: Arena, board: Any) -> Numbers:
    """By seat the value of its pieces in gold and how many they are, the king left out."""
    values = arena.record["value"].tolist()
    totals, counts = [0, 0], [0, 0]
    for seat, letter in men_of(board, arena.letters).values():
        kind = arena.letters.index(letter)
        if kind < len(values):
            totals[seat] += values[kind]
            counts[seat] += 1
    return (totals[0], totals[1]), (counts[0], counts[1])


def _told(found: Hint) -> str:
    """`e2e4, +0.40 (e2e4 e7e5 ...)`."""
    mate = f"mate in {found.mate}" if found.mate > 0 else f"mated in {-found.mate}"
    return (
        f"{found.line[0]}, {mate if found.mate else f'{found.score:+.2f}'} ({' '.join(found.line)})"
    )


def _arrow(move: str) -> str:
    """A dashed way from square to square, with a ring where it ends."""
    (a, b), (c, d) = _middle(move[:2]), _middle(move[2:4])
    look = f"fill='none' stroke='{ADVICE}' stroke-width='4' stroke-opacity='.85'"
    return (
        f"<path d='M{a:.0f} {b:.0f}L{c:.0f} {d:.0f}' {look} stroke-dasharray='9 6'/>"
        f"<circle cx='{c:.0f}' cy='{d:.0f}' r='{SIZE * 0.44:.0f}' {look}/>"
    )


def _middle(square: str) -> tuple[float, float]:
    return (
        MARGIN + ("abcdefgh".index(square[0]) + 0.5) * SIZE,
        HEADER + (8.5 - int(square[1])) * SIZE,
    )
