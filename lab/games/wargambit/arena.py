"""Battles for people: positions as FEN and moves as UCI, judged by the kernels.

Beside `lab.play` the one module that calls compiled functions, so that they keep one signature.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lab.errors import bad
from lab.games.wargambit import GAME, battle, board
from lab.games.wargambit import hint as search
from lab.games.wargambit.army import muster, stand
from lab.games.wargambit.fen import fen, parse_army, parse_fen, uci
from lab.games.wargambit.limits import check_army, counts_of
from lab.games.wargambit.rules import PIECES
from lab.games.wargambit.sight import in_check
from lab.games.wargambit.state import BATTLE, BOARD, ENDINGS
from lab.games.wargambit.view import letters_of, parse_places
from lab.jit import blank

if TYPE_CHECKING:
    from lab.rules import Rules

MOST_MOVES = 512
WINNERS = ("first", "second", "draw")
NONE = np.uint64(0)


class Fought(NamedTuple):
    """A battle that was played out: FENs from the first position to the last, moves as UCI."""

    positions: list[str]
    moves: list[str]
    ending: str
    winner: str
    left: tuple[int, int]


class Arena:
    """The battles of one rule set."""

    def __init__(self, rules: "Rules") -> None:
        self.record = GAME.record(rules)
        self.letters = letters_of(self.record)

    def board(self, text: str) -> Any:
        """The BOARD of a FEN; BadInput also where the side that does not move is in check."""
        found = parse_fen(text, self.letters)
        if board.other_in_check(self.record, found, blank(BOARD)[0]):
            waiting = "white" if found["black"] else "black"
            raise bad("FEN", f"{waiting} in check, who is not to move", "only the mover in check")
        if found["passed"]:
            king = int(found["own"] & found["kinds"][-1]).bit_length() - 1
            if not board.passers(self.record, found, np.int64(king)):
                found["passed"] = NONE
        return found

    def moves(self, text: str) -> list[str]:
        """The legal moves of a FEN as UCI, sorted."""
        here, moves = self.board(text), blank(np.int64, MOST_MOVES)
        n = board.list_moves(self.record, here, moves)
        return sorted(uci(int(move), bool(here["black"]), self.letters) for move in moves[:n])

    def check(self, text: str) -> bool:
        """Whether the mover of a FEN is in check."""
        return bool(in_check(self.record, self.board(text)))

    def perft(self, text: str, depth: int) -> int:
        """How many legal lines of play of a length a FEN has."""
        boards, moves = blank(BOARD, depth + 1), blank(np.int64, depth + 1, MOST_MOVES)
        boards[depth] = self.board(text)
        return int(board.perft(self.record, boards, moves, np.int64(depth)))

    def battle(self, text: str) -> Fought:
        """The battle that starts from a FEN."""
        fight = blank(BATTLE)[0]
        fight["board"] = self.board(text)
        return self._fought(fight)

    def clash(
        self,
        white: list[int],
        black: list[int],
        white_places: int | None = None,
        black_places: int | None = None,
        round: int = 1,
    ) -> Fought:
        """The battle of two armies (counts of PIECES), placed automatically unless placements say.

        Synergies and squires count as in any battle.
        """
        armies = [np.array(army, np.int64) for army in (white, black)]
        words = [
            stand(self.record, army, NONE) if places is None else np.uint64(places)
            for army, places in zip(armies, (white_places, black_places), strict=True)
        ]
        fight = blank(BATTLE)[0]
        muster(self.record, fight, np.int64(round), armies[0], words[0], armies[1], words[1])
        return self._fought(fight)

    def army(self, text: str, where: str) -> list[int]:
        """The army that a person wrote, within the limits of the rules."""
        counts = parse_army(text, self.letters, where)
        check_army(self.record["army"], counts, where)
        return counts

    def places(self, text: str, army: list[int], where: str) -> int:
        """The placement that a person wrote for an army: all of it has to stand."""
        word = parse_places(text, self.letters, where)
        left = ""
        for kind, (n, owned) in enumerate(zip(counts_of(word), army, strict=True)):
            if n > owned:
                raise bad(where, f"{n} x {PIECES[kind]}", f"the {owned} of the army")
            left += (owned - n) * self.letters[kind]
        if left:
            raise bad(where, f"{len(left)} pieces left over ({left})", "a square for every piece")
        return word

    def _fought(self, fight: Any) -> Fought:
        """Play a battle to its end, move by move."""
        positions, moves = [fen(fight["board"], self.letters)], []
        second_began = int(fight["board"]["black"])
        battle.begin(self.record, fight)
        while True:
            black = bool(fight["board"]["black"])
            if not battle.advance(self.record, fight):
                break
            moves.append(uci(int(fight["move"]), black, self.letters))
            number = (len(moves) + second_began) // 2 + 1
            positions.append(fen(fight["board"], self.letters, number))
        left = int(fight["left"][0]), int(fight["left"][1])
        ending, winner = ENDINGS[fight["ending"]], WINNERS[fight["winner"]]
        return Fought(positions, moves, ending, winner, left)


class Hint(NamedTuple):
    """What a search of `depth` moves found; `line` begins with the best move, as UCI.

    `score` is the mover's, in gold of material; `mate` the moves to a mate that it gives (above 0)
    or suffers (below 0), 0 if the line ends in none.
    """

    line: list[str]
    score: float
    mate: int
    depth: int
    nodes: int


def hint(arena: Arena, text: str, depth: int) -> Hint:
    """The best move on a FEN, so far ahead or as far as a mate; BadInput if none is legal."""
    room = blank(search.ROOM)[0]
    room["boards"][0] = arena.board(text)
    score = deeper = 0
    while deeper < depth and abs(score) < search.MATE - deeper:  # no mate is nearer than the found
        deeper += 1
        score = int(search.deepen(arena.record, room, np.int64(deeper)))
    line = [int(move) for move in room["line"][0][: room["length"][0]]]
    if not line:
        raise bad("FEN", "a mover without a legal move", "a position in which something can move")
    black = bool(room["boards"][0]["black"])
    told = [uci(move, black != (i % 2 == 1), arena.letters) for i, move in enumerate(line)]
    plies = search.MATE - abs(score)
    mate = (plies + 1) // 2 if plies <= search.PLIES else 0
    points = 0.0 if mate else score / search.POINT
    return Hint(told, points, mate if score > 0 else -mate, deeper, int(room["nodes"]))
