"""The pieces of the plain reference of junqi: where they may stand, how they fight, what is known.

Numbers in docstrings are the sections of lab/games/junqi/README.md.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tests.reference.junqi_board import NODES, Board, half, half_of, row_of

RANKED = ["engineer", "platoon", "company", "battalion", "regiment", "brigade"]
RANKED += ["division", "army", "marshal"]
KINDS = [*RANKED, "bomb", "mine", "flag"]
LETTERS = dict(zip(KINDS, "123456789XMF", strict=True))
NAMES = {letter: kind for kind, letter in LETTERS.items()}
FIXED = {"mine", "flag"}
"""4.3 They never move."""


@dataclass(eq=False)
class Piece:
    """`held`: the kinds that the other side holds it for (8); `kind` is "" if no text told it."""

    seat: int
    kind: str
    held: set[str]


Stand = dict[str, Piece]
"""The pieces on the board by their nodes."""


def counts(rules: dict[str, Any]) -> dict[str, int]:
    """2"""
    return rules["count"] | {"flag": 1}


# --- 3 the set-up -------------------------------------------------------------------------------


def places(board: Board, seat: int) -> list[str]:
    """2 Where a side's pieces stand at first."""
    return [node for node in half(seat) if node not in board.camps]


def may_stand(rules: dict[str, Any], board: Board, seat: int, kind: str, node: str) -> bool:
    """3.1 Whether a set-up may have such a piece there; `node` is one of the seat's half."""
    if kind == "flag":
        return node in board.headquarters
    if kind == "mine":
        return row_of(seat, node) <= rules["setup"]["mine_rows"] and node not in board.headquarters
    if kind == "bomb":
        return row_of(seat, node) < 6 or bool(rules["setup"]["front_bombs"])
    return True


def check_kinds(rules: dict[str, Any], board: Board, stand: Stand) -> None:
    """10 What even a partial position keeps to; ValueError tells what it does not."""
    most = counts(rules)
    for seat in (0, 1):
        kinds = [piece.kind for piece in stand.values() if piece.seat == seat]
        for kind in KINDS:
            if kinds.count(kind) > most[kind]:
                raise ValueError(f"more than {most[kind]} of {kind}")
    for node, piece in stand.items():
        if piece.kind in FIXED and not (
            half_of(node) == piece.seat and may_stand(rules, board, piece.seat, piece.kind, node)
        ):
            raise ValueError(f"no {piece.kind} may stand on {node}")


def check_setup(rules: dict[str, Any], board: Board, stand: Stand) -> None:
    """3.1 Both sides whole and in their places; else ValueError tells what is not."""
    for seat in (0, 1):
        own = {node: piece.kind for node, piece in stand.items() if piece.seat == seat}
        for node, kind in own.items():
            if node not in places(board, seat):
                raise ValueError(f"{node} is no place of a set-up")
            if not may_stand(rules, board, seat, kind, node):
                raise ValueError(f"no {kind} may stand on {node}")
        for kind, count in counts(rules).items():
            if list(own.values()).count(kind) != count:
                raise ValueError(f"not {count} of {kind}")


# --- 5 battles ----------------------------------------------------------------------------------


def battle(rules: dict[str, Any], attacker: str, defender: str) -> str:
    """5 Who stays: "attacker", "defender" or "none"; or "flag", which the attacker has taken."""
    if attacker == "bomb" and defender == "flag":
        return "flag" if rules["battle"]["bomb_on_flag"] == "wins" else "none"
    if "bomb" in (attacker, defender):
        return "none"
    if defender == "flag":
        return "flag"
    if defender == "mine":
        if attacker == "engineer":
            return "attacker"
        return "none" if rules["battle"]["mine"] == "both_go" else "defender"
    strength = rules["rank"]
    if strength[attacker] == strength[defender]:
        return "none"
    return "attacker" if strength[attacker] > strength[defender] else "defender"


# --- 8 what a side knows ------------------------------------------------------------------------


def at_first(rules: dict[str, Any], board: Board, seat: int, node: str) -> set[str]:
    """8.1"""
    return {kind for kind in KINDS if may_stand(rules, board, seat, kind, node)}


def learn_from(rules: dict[str, Any], result: str, attacker: Piece, defender: Piece) -> None:
    """8.3 Each side knows its own piece and how the battle ended."""
    attacker.held = {kind for kind in attacker.held if battle(rules, kind, defender.kind) == result}
    defender.held = {kind for kind in defender.held if battle(rules, attacker.kind, kind) == result}


def conclude(rules: dict[str, Any], pieces: Collection[Piece]) -> None:
    """8.4 What the counts of a side tell of its pieces, those gone included."""
    most = counts(rules)
    before = None
    while before != (before := [len(piece.held) for piece in pieces]):
        for kind in KINDS:
            if [piece.held for piece in pieces].count({kind}) == most[kind]:
                for piece in pieces:
                    if piece.held != {kind}:
                        piece.held.discard(kind)
            possible = [piece for piece in pieces if kind in piece.held]
            if len(possible) == most[kind]:
                for piece in possible:
                    piece.held = {kind}


# --- 10 texts -----------------------------------------------------------------------------------


def kinds_text(held: set[str]) -> str:
    """10 Such as 1-9XM, * for every kind."""
    if len(held) == len(KINDS):
        return "*"
    ranks = "".join(LETTERS[kind] if kind in held else " " for kind in RANKED)
    runs = [f"{run[0]}-{run[-1]}" if len(run) > 2 else run for run in ranks.split()]
    return "".join(runs) + "".join(LETTERS[kind] for kind in KINDS[len(RANKED) :] if kind in held)


def read_kinds(text: str) -> set[str]:
    if text in ("", "*"):
        return set(KINDS)
    kinds = set()
    for i, letter in enumerate(text):
        if letter == "-":
            first, last = int(text[i - 1]), int(text[i + 1])
            kinds |= set(RANKED[first - 1 : last])
        else:
            kinds.add(NAMES[letter])
    return kinds


def stand_text(stand: Stand) -> list[str]:
    """10 A word for each piece, in the order of the nodes."""
    words = []
    for node in NODES:
        if node in stand:
            piece = stand[node]
            known = kinds_text(piece.held)
            word = f"{'wb'[piece.seat]}{LETTERS[piece.kind]}@{node}"
            words.append(word if known == "*" else f"{word}:{known}")
    return words


def gone_text(gone: Collection[Piece]) -> str:
    """10 White's before Black's, then by text."""
    told = sorted((piece.seat, kinds_text(piece.held)) for piece in gone)
    return ";".join(f"{'wb'[seat]}:{kinds}" for seat, kinds in told if kinds != "*")
