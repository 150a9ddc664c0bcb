"""A battle of Wargambit once more, in plain Python and from the game's README alone: the oracle.

Numbers in docstrings are the sections of lab/games/wargambit/README.md. Nothing here is shared
with the lab, so that the two can only agree by both being right. Squares are numbered by rank, then
file (a1 is 0, h8 is 63); a man is its letter in the rules, a capital one if it is White's.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

SQUARES = [file + rank for rank in "12345678" for file in "abcdefgh"]
NUMBER = {square: number for number, square in enumerate(SQUARES)}
CHESS = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q"}
WORDS = {"p": "mfWcfF", "n": "N", "b": "B", "r": "R", "q": "Q", "k": "K"}
"""7: the chess pieces in the notation of the arsenal, all but castling and a pawn's own moves."""
ATOMS = {"W": (0, 1), "F": (1, 1), "D": (0, 2), "A": (2, 2), "N": (1, 2), "R": (0, 1), "B": (1, 1)}
BOTH = {"K": "WF", "Q": "RB"}
KING = 4
CORNERS = {"Q": 0, "K": 7, "q": 56, "k": 63}
PROMOTIONS = "qrbn"


class Move(NamedTuple):
    start: int
    to: int
    promotion: str = ""  # a small letter

    def uci(self) -> str:
        return SQUARES[self.start] + SQUARES[self.to] + self.promotion


class Way(NamedTuple):
    """Squares that a man may go along, the nearest first."""

    squares: tuple[int, ...]
    goes: bool  # to an empty square, over none that is not
    takes: bool
    hurdles: int  # men to take over


class Aim(NamedTuple):
    """What has to lie between a man and a square for the man to take there."""

    between: tuple[int, ...]
    hurdles: int


class Result(NamedTuple):
    moves: list[str]  # UCI
    ending: str
    winner: str
    left: tuple[int, int]  # value of White and of Black
    fen: str  # of the last position


@cache
def ways(word: str, white: bool) -> list[list[Way]]:
    """7.1 The ways of a word of Betza's from each square."""
    found: list[list[Way]] = [[] for _ in SQUARES]
    for prefix, letter in re.findall("([a-z]*)([A-Z])", word):
        goes, takes, hurdles = "c" not in prefix, "m" not in prefix, int("p" in prefix)
        for atom in BOTH.get(letter, letter):
            for right, up in directions(*ATOMS[atom]):
                if "f" in prefix and (up if white else -up) <= 0:
                    continue
                for start in range(64):
                    squares = tuple(along(start, right, up, 7 if atom in "RB" else 1))
                    found[start].append(Way(squares, goes, takes, hurdles))
    return found


def directions(long: int, wide: int) -> set[tuple[int, int]]:
    """An atom's step in all directions, as files and ranks."""
    steps = ((long, wide), (wide, long))
    return {(x * across, y * up) for across, up in steps for x in (1, -1) for y in (1, -1)}


def along(start: int, right: int, up: int, most: int) -> Iterator[int]:
    """The squares of the board from `start` in steps of so many files and ranks."""
    rank, file = divmod(start, 8)
    for n in range(1, most + 1):
        if not (0 <= file + n * right < 8 and 0 <= rank + n * up < 8):
            return
        yield start + n * (right + 8 * up)


@cache
def aims(word: str, white: bool) -> list[dict[int, Aim]]:
    """By square and target: where a man of this word takes, if what lies between allows it."""
    return [
        {
            target: Aim(way.squares[:number], way.hurdles)
            for way in found
            if way.takes
            for number, target in enumerate(way.squares)
        }
        for found in ways(word, white)
    ]


class Men:
    """What the rules say of each letter: its name, its price, and by man its ways and aims."""

    def __init__(self, rules: dict[str, Any]) -> None:
        arsenal = rules["arsenal"]
        words = WORDS | {kind["letter"]: kind["moves"] for kind in arsenal.values()}
        self.letters = CHESS | {name: kind["letter"] for name, kind in arsenal.items()}
        prices = {letter: rules["shop"]["price"][name] for name, letter in self.letters.items()}
        self.price: dict[str, int] = {"k": 0} | prices
        self.ways: dict[str, list[list[Way]]] = {}
        self.aims: dict[str, list[dict[int, Aim]]] = {}
        for letter, word in words.items():
            for white, man in ((True, letter.upper()), (False, letter)):
                self.ways[man] = ways(word, white)
                self.aims[man] = aims(word, white)


class Position(NamedTuple):
    """`rooks` are the corners whose rooks may castle, `passed` the square a pawn just went over."""

    kinds: Men
    men: Mapping[int, str]
    white: bool  # moves
    rooks: frozenset[int]
    passed: int | None = None
    quiet: int = 0
    number: int = 1  # of the move, as in a FEN

    @classmethod
    def read(cls, rules: dict[str, Any], fen: str) -> "Position":
        """A FEN's position; a right to castle without its king or rook is none."""
        rows, mover, rights, passed, quiet, number = fen.split()
        men: dict[int, str] = {}
        for rank, row in zip(range(7, -1, -1), rows.split("/"), strict=True):
            cells = re.sub(r"\d", lambda digits: "." * int(digits[0]), row)
            men |= {8 * rank + file: man for file, man in enumerate(cells) if man != "."}
        rooks = frozenset(CORNERS[right] for right in rights if right != "-") & may_castle(men)
        square = None if passed == "-" else NUMBER[passed]
        return cls(Men(rules), men, mover == "w", rooks, square, int(quiet), int(number))

    @classmethod
    def start(
        cls, rules: dict[str, Any], white: Mapping[str, str], black: Mapping[str, str], turn: int
    ) -> "Position":
        """7.2 Two pictures (piece by square, each as its own side sees it), in round `turn`."""
        kinds = Men(rules)
        men = {NUMBER[square]: kinds.letters[piece].upper() for square, piece in white.items()}
        men |= {NUMBER[square] ^ 56: kinds.letters[piece] for square, piece in black.items()}
        men |= {KING: "K", KING ^ 56: "k"}
        position = cls(kinds, men, True, may_castle(men))
        return position._replace(white=white_begins(rules, position, turn))

    def fen(self) -> str:
        """En passant only where it is legal."""
        rows = []
        for rank in range(7, -1, -1):
            row = "".join(self.men.get(8 * rank + file, ".") for file in range(8))
            rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
        rights = "".join(right for right in "KQkq" if CORNERS[right] in self.rooks) or "-"
        passed = SQUARES[self.passed] if self.passed is not None and self.may_pass() else "-"
        return f"{'/'.join(rows)} {'bw'[self.white]} {rights} {passed} {self.quiet} {self.number}"

    def key(self) -> tuple[object, ...]:
        """9.2 What makes two positions the same."""
        passed = self.passed if self.passed is not None and self.may_pass() else None
        return frozenset(self.men.items()), self.white, self.rooks, passed

    def may_pass(self) -> bool:
        """Whether a pawn can be taken en passant."""
        pawn = "P" if self.white else "p"
        return any(m.to == self.passed and self.men[m.start] == pawn for m, _ in self.lines())

    def value(self, white: bool) -> int:
        """9"""
        return sum(self.kinds.price[m.lower()] for m in self.men.values() if m.isupper() == white)

    def attacked(self, target: int, white: bool) -> bool:
        """Whether a man of White, else of Black, could take on the target."""
        for square, man in self.men.items():
            aim = self.kinds.aims[man][square].get(target)
            if aim and man.isupper() == white:
                between, hurdles = aim
                if sum(square in self.men for square in between) == hurdles:
                    return True
        return False

    def in_check(self, white: bool) -> bool:
        king = "K" if white else "k"
        return self.attacked(next(s for s, man in self.men.items() if man == king), not white)

    def lines(self) -> Iterator[tuple[Move, "Position"]]:
        """The legal moves in no order, each with the position after it."""
        for move in self.moves():
            after = self.after(move)
            if not after.in_check(self.white):
                yield move, after

    def can_move(self) -> bool:
        return next(self.lines(), None) is not None

    def legal(self) -> list[str]:
        """UCI, sorted."""
        return sorted(move.uci() for move, _ in self.lines())

    def moves(self) -> Iterator[Move]:
        """7 All moves, whatever becomes of the mover's own king."""
        for square, man in self.men.items():
            if man.isupper() != self.white:
                continue
            targets = self.targets(square, man)
            if man in "Pp":
                yield from self.pawn_moves(square, targets)
            else:
                yield from (Move(square, to) for to in targets)
        for corner in self.rooks:
            if (corner < 8) == self.white:
                yield from self.castling(corner)

    def targets(self, square: int, man: str) -> Iterator[int]:
        """Where the ways of a man lead it; a king is never taken."""
        for squares, goes, takes, hurdles in self.kinds.ways[man][square]:
            met = 0
            for to in squares:
                other = self.men.get(to)
                if other is None:
                    if goes and not met:
                        yield to
                    continue
                enemy = other.isupper() != self.white and other not in "Kk"
                if takes and met == hurdles and enemy:
                    yield to
                met += 1
                if met > hurdles:
                    break

    def pawn_moves(self, square: int, targets: Iterator[int]) -> Iterator[Move]:
        """Two squares from the second rank, en passant, promotion."""
        ahead, second, last = (8, 1, 7) if self.white else (-8, 6, 0)
        for to in targets:
            for promotion in PROMOTIONS if to // 8 == last else [""]:
                yield Move(square, to, promotion)
        if square // 8 == second and not {square + ahead, square + 2 * ahead} & self.men.keys():
            yield Move(square, square + 2 * ahead)
        if self.passed in self.kinds.aims[self.men[square]][square]:
            yield Move(square, self.passed)

    def castling(self, corner: int) -> Iterator[Move]:
        """Out of no check, over no attacked square; where it leads to is tried like any move."""
        king = corner // 8 * 8 + KING
        side = 1 if corner > king else -1
        between = range(king + side, corner, side)
        if any(square in self.men for square in between) or self.in_check(self.white):
            return
        if not self.after(Move(king, king + side)).in_check(self.white):
            yield Move(king, king + 2 * side)

    def taken(self, move: Move) -> str:
        """The man that a move takes, "" if none."""
        if self.men[move.start] in "Pp" and move.to == self.passed:
            return "p" if self.white else "P"
        return self.men.get(move.to, "")

    def after(self, move: Move) -> "Position":
        start, to, promotion = move
        men = dict(self.men)
        man = men.pop(start)
        pawn, passed, rooks = man in "Pp", None, self.rooks - {start, to}
        quiet = 0 if pawn or to in men else self.quiet + 1
        if pawn and to == self.passed:
            del men[to - 8 if self.white else to + 8]
        elif pawn and abs(to - start) == 16:
            passed = (start + to) // 2
        elif man in "Kk":
            home = 0 if self.white else 56
            rooks -= {home, home + 7}
            if abs(to - start) == 2:
                men[(start + to) // 2] = men.pop(home if to < start else home + 7)
        men[to] = (promotion.upper() if self.white else promotion) or man
        number = self.number + (not self.white)
        return Position(self.kinds, men, not self.white, rooks, passed, quiet, number)


def may_castle(men: Mapping[int, str]) -> frozenset[int]:
    """7.2 The corners with a rook of their side whose king stands on the e-file of that rank."""
    sides = ((0, "K", "R"), (56, "k", "r"))
    return frozenset(
        corner
        for home, king, rook in sides
        if men.get(home + KING) == king
        for corner in (home, home + 7)
        if men.get(corner) == rook
    )


def white_begins(rules: dict[str, Any], position: Position, turn: int) -> bool:
    """7.3 Whether White moves first in round `turn`."""
    white = {
        "player": True,
        "ghost": False,
        "lower_value": position.value(True) <= position.value(False),
        "alternate": turn % 2 == 1,
    }[rules["battle"]["first_move"]]
    if position.in_check(not white):
        return True if position.in_check(white) else not white
    return white


def battle(rules: dict[str, Any], position: Position) -> Result:
    """7 8 9 From the position, the first of the battle, to the end."""
    seen: Counter[object] = Counter()
    moves: list[str] = []
    position = position._replace(quiet=0)
    while True:
        lines = list(position.lines())
        key = position.key()
        seen[key] += 1
        over = ended(rules, position, lines, seen[key], len(moves))
        if over:
            left = position.value(True), position.value(False)
            return Result(moves, *over, left, position.fen())
        move, position = choose(rules, position, lines)
        moves.append(move.uci())


def ended(
    rules: dict[str, Any],
    position: Position,
    lines: list[tuple[Move, Position]],
    stood: int,
    plies: int,
) -> tuple[str, str] | None:
    """9 How it ended and who won, if it did."""
    white, numbers = position.white, rules["battle"]
    difference = position.value(True) - position.value(False)
    by_value = "first" if difference > 0 else "second" if difference < 0 else "draw"
    if not lines:
        if position.in_check(white):
            return "mate", "second" if white else "first"
        bare = [man.isupper() for man in position.men.values()].count(white) == 1
        decided = {"bare_king": bare, "value": True, "draw": False}[numbers["stalemate"]]
        return "stalemate", by_value if decided else "draw"
    if stood == numbers["repetition_count"]:
        return "repetition", by_value if numbers["repetition"] == "value" else "draw"
    if 0 < numbers["quiet_limit"] <= position.quiet:
        return "quiet", "draw"
    if plies == numbers["ply_cap"]:
        return "cap", by_value
    return None


def choose(
    rules: dict[str, Any], position: Position, lines: list[tuple[Move, Position]]
) -> tuple[Move, Position]:
    """8 The policy's move among the legal ones, and the position after it."""
    lines = sorted(lines, key=order(rules, position.white))
    for line in lines:
        after = line[1]
        if after.in_check(after.white) and not after.can_move():
            return line

    def prize(line: tuple[Move, Position]) -> int:
        return position.kinds.price.get(position.taken(line[0]).lower(), 0)

    return max(lines, key=prize)  # the first of the dearest, or of all if none takes


def order(
    rules: dict[str, Any], white: bool
) -> Callable[[tuple[Move, Position]], tuple[int, int, int, int, int]]:
    """8.3 What the fixed order sorts by."""
    turned = 56 if rules["battle"]["order"] == "mover" and not white else 0

    def place(line: tuple[Move, Position]) -> tuple[int, int, int, int, int]:
        (start, to, promotion), _ = line
        ranks = (start ^ turned) // 8, (to ^ turned) // 8
        return start % 8, ranks[0], to % 8, ranks[1], PROMOTIONS.find(promotion)

    return place
