"""Battles and runs of Wargambit as pictures: SVG boards that need nothing else.

White, the first seat, is blue and round, Black orange and square, so that nothing hangs on colour
alone; a piece is its letter. What just moved is framed.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from lab.games.wargambit.army import stand
from lab.games.wargambit.rules import PIECES
from lab.games.wargambit.state import (
    BUY,
    EMPTY,
    ENDINGS,
    KIND,
    KINDS,
    OPPONENTS,
    OVER,
    PHASES,
    PLACE,
)
from lab.svg import COLOURS, GROUND, INK, NEUTRAL, PALE, TINTS, caption, document

SIZE = 56
"""Of a square, in the picture's units."""
MARGIN, HEADER, FOOTER = 24, 72, 66
KINGS_PLACE, PLACES = 4, 16
WIDTH = 8 * SIZE + 2 * MARGIN

Men = dict[int, tuple[int, str]]
"""By square as White sees it: the seat and the letter."""


def board_svg(board: Any, letters: str, move: str = "", told: str = "") -> str:
    """A BOARD as one SVG document; `move`, the UCI of the one that led to it, is framed."""
    men, black = men_of(board, letters), bool(board["black"])
    framed = ["abcdefgh".index(move[i]) + 8 * int(move[i + 1]) - 8 for i in (0, 2) if move]
    mover = "Black to move" if black else "White to move"
    head = [caption(WIDTH / 2, 26, mover, COLOURS[black], 20, bold=True)]
    head.append(caption(WIDTH / 2, 50, told, PALE, 15))
    height = 8 * SIZE + HEADER + MARGIN
    return document(WIDTH, height, [*head, *_squares(), *_men(men), *_frames(framed)])


def men_of(board: Any, letters: str) -> Men:
    """The pieces of a BOARD, as White sees it."""
    black, men = bool(board["black"]), {}
    for kind in range(KINDS):
        for square in range(64):
            if int(board["kinds"][kind]) >> square & 1:
                own = bool(int(board["own"]) >> square & 1)
                seat = int(black if own else not black)
                men[square ^ 56 if black else square] = (seat, letters[kind])
    return men


def svg(record: Any, state: Any, action: int | None = None) -> str:
    """The position of a run or a duel; `action`, the one that led to it, frames its place."""
    from lab.games.wargambit.view import letters_of  # which needs this module for its own svg

    letters = letters_of(record)
    men: Men = {}
    for seat in range(2):
        men |= _standing(record, state, seat, letters)
    framed = []
    if action is not None and action // KIND == PLACE:
        place = action % KIND % PLACES
        framed.append(place if state["seat"] == 0 else place ^ 56)
    marks = [*_header(state), *_squares(), *_men(men), *_frames(framed)]
    bought = action % KIND if action is not None and action // KIND == BUY else -1
    marks += _shop(record, state, letters, bought)
    return document(WIDTH, 8 * SIZE + HEADER + MARGIN + FOOTER, marks)


def _standing(record: Any, state: Any, seat: int, letters: str) -> Men:
    """What a seat placed by hand, all of it or not yet; else its army, placed automatically."""
    army, word = state["army"][seat], state["places"][seat]
    if not word and army.sum():
        word = stand(record, army, word)
    turn = 56 if seat else 0
    men = {KINGS_PLACE ^ turn: (seat, "k")}
    for place in range(PLACES):
        kind = (int(word) >> 4 * place & 15) - 1
        if kind != EMPTY:
            men[place ^ turn] = (seat, letters[kind])
    return men


def _header(state: Any) -> Iterator[str]:
    """Whose turn of which round it is, and what each seat has."""
    phase = PHASES[state["phase"]]
    told = ENDINGS[state["ending"]] if state["phase"] == OVER else phase
    yield caption(WIDTH / 2, 26, f"round {state['round']} · {told}", INK, 20, bold=True)
    yield caption(WIDTH / 2, 50, f"against {OPPONENTS[state['opponent']]}", PALE, 15)
    for seat, (x, anchor) in enumerate(((MARGIN, "start"), (WIDTH - MARGIN, "end"))):
        hp, gold, level = (int(state[key][seat]) for key in ("hp", "gold", "level"))
        if hp or gold or level:
            yield caption(x, 26, f"{hp} HP", COLOURS[seat], 18, True, anchor)
            yield caption(x, 50, f"{gold} gold, level {level}", INK, 14, anchor=anchor)


def _shop(record: Any, state: Any, letters: str, bought: int) -> Iterator[str]:
    """The slots that the deciding seat sees."""
    top = 8 * SIZE + HEADER + 34
    seat = int(state["seat"])
    if not state["shown"][seat]:
        return
    for slot in range(int(record["shop"]["slots"])):
        x, kind = MARGIN + slot * 1.3 * SIZE, int(state["shop"][seat][slot])
        edge = COLOURS[seat] if slot == bought else PALE
        yield (
            f"<rect x='{x:.1f}' y='{top}' width='{1.2 * SIZE:.1f}' height='{0.8 * SIZE:.1f}' "
            f"rx='6' fill='{NEUTRAL}' stroke='{edge}'/>"
        )
        if kind != EMPTY:
            middle = x + 0.6 * SIZE
            yield caption(middle, top + 22, letters[kind].upper(), INK, 18, bold=True)
            price = f"{PIECES[kind]} {record['value'][kind]}"
            yield caption(middle, top + 38, price, PALE, 12)


# --- the board ----------------------------------------------------------------------------------


def _place(square: int) -> tuple[float, float]:
    return MARGIN + (square & 7) * SIZE, HEADER + (7 - (square >> 3)) * SIZE


def _squares() -> Iterator[str]:
    """The squares, with their names along two edges."""
    for square in range(64):
        x, y = _place(square)
        dark = (square + (square >> 3)) % 2 == 0
        fill = "#d9dcd6" if dark else NEUTRAL
        yield f"<rect x='{x}' y='{y}' width='{SIZE}' height='{SIZE}' fill='{fill}'/>"
    for i in range(8):
        yield caption(MARGIN + (i + 0.5) * SIZE, HEADER + 8 * SIZE + 16, "abcdefgh"[i], PALE, 13)
        yield caption(MARGIN / 2, HEADER + (7.5 - i) * SIZE + 5, str(i + 1), PALE, 13)


def _men(men: Men) -> Iterator[str]:
    for square, (seat, letter) in sorted(men.items()):
        x, y = _place(square)
        cx, cy, r = x + SIZE / 2, y + SIZE / 2, 0.38 * SIZE
        look = f"fill='{COLOURS[seat]}' stroke='{TINTS[seat]}' stroke-width='2'"
        if seat:
            corner = f"x='{cx - r:.1f}' y='{cy - r:.1f}'"
            yield f"<rect {corner} width='{2 * r:.1f}' height='{2 * r:.1f}' rx='5' {look}/>"
        else:
            yield f"<circle cx='{cx:.1f}' cy='{cy:.1f}' r='{r:.1f}' {look}/>"
        yield caption(cx, cy + 8, letter.upper(), GROUND, 22, bold=True)


def _frames(squares: Sequence[int]) -> Iterator[str]:
    for square in squares:
        x, y = _place(square)
        yield (
            f"<rect x='{x + 1.5}' y='{y + 1.5}' width='{SIZE - 3}' height='{SIZE - 3}' "
            f"fill='none' stroke='{INK}' stroke-width='3'/>"
        )
