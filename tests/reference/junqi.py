"""Junqi once more, in plain Python and from the game's README alone: the oracle of the kernels.

Numbers in docstrings are the sections of lab/games/junqi/README.md. Nothing here is shared with
the lab.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any, ClassVar

from tests.reference.junqi_board import Board, seen_from
from tests.reference.junqi_pieces import (
    FIXED,
    KINDS,
    NAMES,
    Piece,
    Stand,
    at_first,
    battle,
    check_kinds,
    check_setup,
    conclude,
    counts,
    gone_text,
    learn_from,
    may_stand,
    read_kinds,
    stand_text,
)

SEATS = ("first", "second")
COUNTED = ("killed", "cleared", "bombed", "offers")
UNREACHABLE: set[str] = set()
GAMES = 200
"""To compare with the kernels: games are long."""


class Reference:
    """One game of junqi; `rules` is the complete "rules" object of a rules file.

    `opening` may be the text of any position, a partial one too.
    """

    TASTE: ClassVar = {
        "ready": 100,
        "timed": 100,
        "late": 0.5,
        "leave": 0.1,
        "offer": 3,
        "accept": 9,
    }
    """There are hundreds of swaps and dozens of moves, and one `leave` ends a game."""

    def __init__(self, rules: dict[str, Any], opening: str) -> None:
        self.rules = rules
        self.board = Board(rules["board"])
        self.stand: Stand = {}
        self.gone: list[Piece] = []
        self.seat = self.quiet = self.ply = 0
        self.phase = ""
        self.timed: set[int] = set()
        self.late = [0, 0]
        self.offer: int | None = None  # whose offer stands
        self.offered: list[int | None] = [None, None]
        self.ending, self.winner = "", ""
        self.actions = self.battles = 0
        self.tally: list[Counter[str]] = [Counter(), Counter()]
        self.found = [0, 0]
        self._read(opening)

    @property
    def over(self) -> bool:
        return self.ending != ""

    def score(self, seat: int) -> float:
        """What a finished game is worth to a seat."""
        return 0.5 if self.winner == "draw" else float(self.winner == SEATS[seat])

    # --- what is legal ------------------------------------------------------------------------

    def legal(self) -> list[str]:
        """10 The texts of the legal actions in their order; none when over."""
        if self.over:
            return []
        if self.phase == "setup":
            return self._setup_orders()
        moves = list(self.moves())
        moves.sort(key=lambda move: [seen_from(self.seat, node) for node in move])
        return [f"{start}-{to}" for start, to in moves] + self._clock_orders()

    def _setup_orders(self) -> list[str]:
        """3.3 7"""
        own = [node for node, piece in self.stand.items() if piece.seat == self.seat]
        own.sort(key=lambda node: seen_from(self.seat, node))
        orders = ["ready"]
        orders += [
            f"swap {one} {other}"
            for one, other in combinations(own, 2)
            if self._may_swap(one, other)
        ]
        if self.seat not in self.timed:
            orders.append("timed")
        return orders

    def _may_swap(self, one: str, other: str) -> bool:
        """3.3"""
        kinds = self.stand[one].kind, self.stand[other].kind
        return kinds[0] != kinds[1] and all(
            may_stand(self.rules, self.board, self.seat, kind, node)
            for kind, node in zip(kinds, (other, one), strict=True)
        )

    def _clock_orders(self) -> list[str]:
        """7 What may be done besides a move."""
        orders = []
        if self.seat in self.timed:
            orders += ["late", "leave"]
            last = self.offered[self.seat]
            rested = last is None or self.ply - last >= self.rules["draw"]["offer_gap"]
            if self.offer is None and rested:
                orders.append("offer")
        if self.offer == 1 - self.seat:
            orders += ["accept", "refuse"]
        return orders

    def moves(self) -> Iterator[tuple[str, str]]:
        """4 The moves of the side to move, in any order."""
        for start, piece in self.stand.items():
            if piece.seat == self.seat and self._may_move(start):
                engineer = piece.kind == "engineer"
                for to in self.board.targets(start, engineer, self.stand.keys()):
                    if self._may_end(to):
                        yield start, to

    def _may_move(self, start: str) -> bool:
        """4.3"""
        held = self.rules["board"]["headquarters_hold"] and start in self.board.headquarters
        return self.stand[start].kind not in FIXED and not held

    def _may_end(self, to: str) -> bool:
        """4.2"""
        if to not in self.stand:
            return True
        return self.stand[to].seat != self.seat and to not in self.board.camps

    # --- what is done -------------------------------------------------------------------------

    def play(self, action: str) -> None:
        """Do the action of this text; ValueError when it is not legal."""
        if action not in self.legal():
            raise ValueError(f"not legal here: {action}")
        self.actions += 1
        match action.split():
            case ["ready"]:
                self._ready()
            case ["swap", one, other]:
                first, second = self.stand[one], self.stand[other]
                first.kind, second.kind = second.kind, first.kind
            case ["timed"]:
                self.timed.add(self.seat)
            case ["late"]:
                self._late()
            case ["leave"]:
                self._finish("away", 1 - self.seat)
            case ["offer"]:
                self.offer, self.offered[self.seat] = self.seat, self.ply
                self.tally[self.seat]["offers"] += 1
            case ["accept"]:
                self._finish("agreed", None)
            case ["refuse"]:
                self.offer = None
            case _:
                self._move(*action.split("-"))

    def _ready(self) -> None:
        """3.3 6.2"""
        self.seat = 1 - self.seat
        if self.seat == 0:
            self.phase = ""
            if self._stuck():
                self._finish("stuck", 1)

    def _late(self) -> None:
        """7.1"""
        self.late[self.seat] += 1
        if self.late[self.seat] >= self.rules["clock"]["late_limit"]:
            self._finish("late", 1 - self.seat)
        else:
            self.quiet += 1
            self._end_ply("none")

    def _move(self, start: str, to: str) -> None:
        """4 8.2"""
        others = self.stand.keys() - {start}
        as_any_other = self.board.targets(start, False, others)
        piece = self.stand.pop(start)
        piece.held -= FIXED
        if to not in as_any_other:
            piece.held &= {"engineer"}
        result = "quiet"
        if to in self.stand:
            result = self._attack(piece, to)
            self.quiet = 0
        else:
            self.stand[to] = piece
            self.quiet += 1
        for seat in (0, 1):
            conclude(self.rules, self._pieces(seat))
        self._end_ply(result)

    def _attack(self, attacker: Piece, to: str) -> str:
        """5 8.3 The result of a battle, after it."""
        defender = self.stand[to]
        result = battle(self.rules, attacker.kind, defender.kind)
        self.battles += 1
        learn_from(self.rules, result, attacker, defender)
        if result in ("none", "attacker", "flag"):
            del self.stand[to]
            self._lose(defender, attacker)
        if result in ("none", "defender"):
            self._lose(attacker, defender)
        else:
            self.stand[to] = attacker
        return result

    def _lose(self, piece: Piece, other: Piece) -> None:
        """11 A piece is gone in a battle with the other."""
        self.gone.append(piece)
        tally = self.tally[other.seat]
        tally["killed"] += 1
        if piece.kind == "mine" and other.kind == "engineer":
            tally["cleared"] += 1
        if other.kind == "bomb":
            tally["bombed"] += self.rules["rank"].get(piece.kind, 0)

    # --- 6 the end ----------------------------------------------------------------------------

    def _end_ply(self, result: str) -> None:
        """6 7.3 After a move or a turn that passed."""
        mover = self.seat
        self.ply += 1
        if self.offer == 1 - mover:
            self.offer = None
        for seat in (0, 1):
            if not self.found[seat] and self._has_found(seat):
                self.found[seat] = self.ply
        if result == "flag":  # nobody's turn comes any more
            self._finish("flag", mover)
            return
        self.seat = 1 - mover
        if self._stuck():
            self._finish("stuck", mover)
        elif self.quiet >= self.rules["draw"]["quiet_limit"]:
            self._finish("quiet", None)

    def _stuck(self) -> bool:
        """6.2"""
        return not any(True for _ in self.moves())

    def _finish(self, ending: str, winner: int | None) -> None:
        self.ending = ending
        self.winner = "draw" if winner is None else SEATS[winner]

    # --- 8 11 what is known, and what is told -------------------------------------------------

    def _pieces(self, seat: int) -> list[Piece]:
        """A side's pieces, gone ones too."""
        return [piece for piece in (*self.stand.values(), *self.gone) if piece.seat == seat]

    def _has_found(self, seat: int) -> bool:
        return any(piece.held == {"flag"} for piece in self._pieces(1 - seat))

    def row(self) -> dict[str, Any]:
        """11 The row of a finished game, without `game` and `history`."""
        row: dict[str, Any] = {
            "winner": self.winner,
            "ending": self.ending,
            "capped": self.ending == "quiet",
            "length": self.ply,
            "plies": self.actions,
            "battles": self.battles,
        }
        for seat, name in enumerate(SEATS):
            own, enemy = (
                [piece for piece in self.stand.values() if piece.seat == one]
                for one in (seat, 1 - seat)
            )
            row |= {f"{name}_{column}": self.tally[seat][column] for column in COUNTED}
            row[f"{name}_pieces"] = len(own)
            row[f"{name}_late"] = self.late[seat]
            row[f"{name}_options"] = sum(len(piece.held) for piece in enemy)
            row[f"{name}_found"] = self.found[seat]
        return row

    def text(self) -> str:
        """10"""
        words = [*stand_text(self.stand), f"turn={'wb'[self.seat]}", f"quiet={self.quiet}"]
        if self.ply:
            words.append(f"ply={self.ply}")
        if self.phase:
            words.append(f"phase={self.phase}")
        if self.timed:
            words.append("timed=" + "".join("wb"[seat] for seat in sorted(self.timed)))
        if any(self.late):
            words.append("late={}/{}".format(*self.late))
        if self.offer is not None:
            words.append(f"offer={'wb'[self.offer]}")
        if self.offered != [None, None]:
            last = ["-" if ply is None else str(ply) for ply in self.offered]
            words.append("offered=" + "/".join(last))
        if gone := gone_text(self.gone):
            words.append(f"gone={gone}")
        if self.over:
            words.append(f"ending={self.ending} winner={self.winner}")
        return " ".join(words)

    def _read(self, text: str) -> None:
        """10 Set the game to a position; of a set-up nothing is known but its places (8.1)."""
        words = text.split()
        said = dict(word.split("=") for word in words if "=" in word)
        for word in words:
            if "@" in word:
                self._put(*word.split("@"))
        check_kinds(self.rules, self.board, self.stand)
        self.seat, self.quiet = "wb".index(said["turn"]), int(said["quiet"])
        self.ply, self.phase = int(said.get("ply", 0)), said.get("phase", "")
        self.timed = {"wb".index(letter) for letter in said.get("timed", "")}
        self.late = [int(count) for count in said.get("late", "0/0").split("/")]
        self.offer = "wb".index(said["offer"]) if "offer" in said else None
        offered = said.get("offered", "-/-").split("/")
        self.offered = [None if ply == "-" else int(ply) for ply in offered]
        for piece in said["gone"].split(";") if "gone" in said else []:
            side, kinds = piece.split(":")
            self.gone.append(Piece("wb".index(side), "", read_kinds(kinds)))
        self.ending, self.winner = said.get("ending", ""), said.get("winner", "")
        if self.phase == "setup":
            self._begin()
        for seat in (0, 1):
            lost = sum(counts(self.rules).values()) - len(self._pieces(seat))
            self.gone += [Piece(seat, "", set(KINDS)) for _ in range(lost)]

    def _put(self, what: str, where: str) -> None:
        """A word of the text such as w5@A6:1-9X."""
        node, _, kinds = where.partition(":")
        if node in self.stand or node not in self.board.road:
            raise ValueError(f"no piece more may stand on {node}")
        self.stand[node] = Piece("wb".index(what[0]), NAMES[what[1:]], read_kinds(kinds))

    def _begin(self) -> None:
        """3 8.1 8.4"""
        check_setup(self.rules, self.board, self.stand)
        for node, piece in self.stand.items():
            piece.held = at_first(self.rules, self.board, piece.seat, node)
        for seat in (0, 1):
            conclude(self.rules, self._pieces(seat))
