"""How fast Wargambit is: legal moves, battles and whole runs on one core.

python-chess is the peer where no arsenal piece stands: it plays the same battles by the same policy
(`chess_yardstick`), tuned as far as it goes, and counts the same lines of play to a smaller depth.
"""

from collections.abc import Callable
from random import Random

import chess
import numpy as np

import lab
from lab.games.wargambit.arena import Arena
from lab.games.wargambit.army import muster, stand
from lab.games.wargambit.battle import fight
from lab.games.wargambit.rules import PIECES
from lab.games.wargambit.state import BATTLE, PAWN
from lab.jit import blank, kernel
from tests.bench import chess_yardstick
from tests.bench.harness import Best, Case, Row, Work

RULES = lab.load_rules("wargambit")
ARENA = Arena(RULES)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ARSENAL = "rcalklac/pppppppp/8/8/8/8/PPPPPPPP/RCALKLAC w Qq - 0 1"
DEPTHS = {"start": (START, 5), "arsenal": (ARSENAL, 4)}
PEER_DEPTH = 4
ARMIES = 2_000
"""Pairs of armies a round; few of them would teach the branch predictor."""
PEER_BATTLES = 60
BUDGETS = (10, 21, 32, 43, 69, 85)
CHESS = [PIECES.index(name) for name in ("pawn", "knight", "bishop", "rook", "queen")]
RUNS = 3_000
PAIRS = {
    "random": ("random", "ghost"),
    "saver": ("saver", "ghost"),
    "rival": ("saver", "saver"),
}


@kernel
def battles(rules, battle, armies):
    """Fight every pair of armies, automatically placed; returns the moves of all of them."""
    moves, none = 0, np.uint64(0)
    for i in range(armies.shape[0]):
        white, black = armies[i, 0], armies[i, 1]
        muster(rules, battle, 1, white, stand(rules, white, none), black, stand(rules, black, none))
        fight(rules, battle)
        moves += battle.board.plies
    return moves


def drawn(number: int, kinds: list[int], n: int) -> np.ndarray:
    """Pairs of armies, counts by kind; too few of a kind for any synergy but the pawns'."""
    rng, armies = Random(number), blank(np.int64, n, 2, len(PIECES))
    for pair in armies:
        gold = rng.choice(BUDGETS)
        for army in pair:
            left = gold
            while choices := [kind for kind in kinds if _fits(army, kind, left)]:
                kind = rng.choice(choices)
                army[kind] += 1
                left -= ARENA.record["value"][kind]
    return armies


def _fits(army: np.ndarray, kind: int, gold: int) -> bool:
    room = army.sum() < 15 and (kind != PAWN or army[PAWN] < 8)
    return bool(room and ARENA.record["value"][kind] <= gold)


def ours(kinds: list[int], n: int) -> Case:
    def ready(number: int) -> Callable[[], Work]:
        armies, battle = drawn(number, kinds, n), blank(BATTLE)[0]

        def run() -> Work:
            return {"battles": n, "moves": battles(ARENA.record, battle, armies)}

        return run

    return ready


def theirs(play: Callable[[chess.Board], chess_yardstick.Fought]) -> Case:
    """python-chess on the first of the same pairs."""

    def ready(number: int) -> Callable[[], Work]:
        pairs = drawn(number, CHESS, ARMIES)[:PEER_BATTLES]
        fought = [ARENA.clash(white.tolist(), black.tolist()) for white, black in pairs]
        boards = [chess.Board(one.positions[0]) for one in fought]

        def run() -> Work:
            played = [play(board) for board in boards]
            assert [one.plies for one in played] == [len(one.moves) for one in fought]
            return {"battles": len(boards), "moves": sum(one.plies for one in played)}

        return run

    return ready


def counted(fen: str, depth: int) -> Case:
    return lambda number: lambda: {"nodes": ARENA.perft(fen, depth)}


def counted_by_peer(number: int) -> Callable[[], Work]:
    return lambda: {"nodes": chess_yardstick.perft(chess.Board(START), PEER_DEPTH)}


def runs(first: str, second: str) -> Case:
    def ready(number: int) -> Callable[[], Work]:
        def run() -> Work:
            lab.simulate(RULES, first, second, RUNS, number)
            return {"runs": RUNS}

        return run

    return ready


CASES: dict[str, Case] = {
    **{f"wargambit perft {name}": counted(*case) for name, case in DEPTHS.items()},
    "wargambit perft peer": counted_by_peer,
    "wargambit battles": ours(CHESS, ARMIES),
    "wargambit arsenal": ours(list(range(len(PIECES))), ARMIES),
    "wargambit tuned": theirs(chess_yardstick.battle),
    "wargambit naive": theirs(chess_yardstick.naive),
    **{f"wargambit runs {name}": runs(*seats) for name, seats in PAIRS.items()},
}


def rows(best: Best) -> list[Row]:
    tuned, naive = (best(f"wargambit {name}", "battles") for name in ("tuned", "naive"))
    peer = best("wargambit perft peer", "nodes")
    return [
        best.rate("wargambit perft", "nodes", "wargambit perft start", peer, "python-chess"),
        best.rate("  arsenal", "nodes", "wargambit perft arsenal", None, ""),
        best.rate("wargambit battles", "battles", "wargambit battles", tuned, "tuned python-chess"),
        best.rate("  the same", "battles", "wargambit battles", naive, "python-chess as first"),
        best.rate("  with the arsenal", "battles", "wargambit arsenal", None, ""),
        *(
            best.rate(
                f"wargambit, {first} against {second}", "runs", f"wargambit runs {name}", None, ""
            )
            for name, (first, second) in PAIRS.items()
        ),
    ]
