"""Hints on Wargambit's battles: python-chess's mates, and a plain search in Python."""

from collections import Counter
from random import Random
from typing import get_args

import chess
import pytest

from lab.catalog import load_rules
from lab.errors import BadInput
from lab.games.wargambit.arena import Arena, hint
from lab.games.wargambit.hint import CAPTURES, CENTRE, CORE, IN_CENTRE, MATE, POINT, STEP_AHEAD
from lab.games.wargambit.rules import Moves
from tests.gambit import TURNED, arena_of, mirrored
from tests.reference.wargambit_battle import Position
from tests.reference.wargambit_positions import PIECES, RULES, army, drawn_rules, picture, walk

SMOTHERED = "5rk1/5Npp/8/8/2Q5/8/8/6K1 w - - 0 1"
MORPHY = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def small(number):
    """Rules and a position of few pieces, in which something can move."""
    rng = Random(f"hint {number}")
    rules = drawn_rules(rng, get_args(Moves))
    pictures = [picture(army(rng.randint(1, 4), rng, PIECES), rng) for _ in range(2)]
    walked = walk(rules, rng, Position.start(rules, *pictures, 1))
    return rules, rng.choice([p for p in walked if p.can_move() and not p.in_check(not p.white)])


# --- the search ---------------------------------------------------------------------------------


def judged(position):
    """The mover's material, pawns' ranks and centre, less the other side's."""
    score = POINT * (position.value(position.white) - position.value(not position.white))
    for square, man in position.men.items():
        extra = 0
        if man in "Pp":
            extra = STEP_AHEAD * ((square if man == "P" else square ^ 56) >> 3)
        elif man not in "Kk":
            extra = IN_CENTRE * sum(int(mask) >> square & 1 for mask in (CENTRE, CORE))
        score += extra if man.isupper() == position.white else -extra
    return score


def searched(position, depth, path, seen, low=-2 * MATE, high=2 * MATE):
    """Alpha-beta without a table, later moves like the first; `path` are the keys before it."""
    key, checked = position.key(), position.in_check(position.white)
    if key in path[-4::-2]:
        seen["repetition"] += 1
        return 0
    lines = list(position.lines())
    if not lines:
        seen["mate" if checked else "stalemate"] += 1
        return len(path) - MATE if checked else 0
    lines.sort(key=lambda line: not position.taken(line[0]))
    quiet = depth <= 0 and not checked
    best = judged(position) if quiet else -2 * MATE
    for move, after in lines:
        if best >= high or (quiet and depth <= -CAPTURES):
            break
        if not quiet or position.taken(move) or move.promotion:
            floor = max(low, best)
            score = -searched(after, depth - 1, [*path, key], seen, -high, -floor)
            best = max(best, score)
    return best


def score_of(found):
    """A hint's score as the search counts it."""
    if found.mate:
        plies = 2 * found.mate - 1 if found.mate > 0 else -2 * found.mate
        return MATE - plies if found.mate > 0 else plies - MATE
    return round(POINT * found.score)


@pytest.mark.parametrize(("depth", "positions"), [(1, 100), (2, 60), (3, 25)])
def test_the_score_is_that_of_a_plain_search(depth, positions):
    seen = Counter()
    for number in range(positions):
        rules, position = small(number)
        found = hint(arena_of(rules), position.fen(), depth)
        assert score_of(found) == searched(position, depth, [], seen), position.fen()
    print(depth, dict(seen))
    assert {"mate", "stalemate"} <= set(seen)


def test_the_line_of_play_is_legal_and_leads_to_the_score():
    for number in range(100):
        rules, position = small(number)
        found = hint(arena_of(rules), position.fen(), 4)
        white = position.white
        for told in found.line:
            position = {move.uci(): after for move, after in position.lines()}[told]
        if found.mate:
            assert not position.can_move()
            assert position.in_check(position.white)
            assert (position.white != white) == (found.mate > 0)
            assert (len(found.line) + 1) // 2 == abs(found.mate)
        elif position.can_move() and len(found.line) > 4:  # else it may have come back
            assert judged(position) * (1 if position.white == white else -1) == score_of(found)


def test_mirrored_positions_have_mirrored_hints():
    for number in range(100):
        rules, position = small(number)
        arena, fen = arena_of(rules), position.fen()
        one, other = hint(arena, fen, 3), hint(arena, mirrored(fen), 3)
        assert other.line == [uci.translate(TURNED) for uci in one.line], fen
        assert other[1:4] == one[1:4], fen


def test_a_line_that_repeats_is_a_draw():
    """White is far behind, and checks for ever."""
    found = hint(Arena(load_rules("wargambit")), "6k1/6p1/8/7Q/8/1r6/1q6/7K w - - 0 1", 6)
    assert (found.line[0], found.score, found.mate) == ("h5e8", 0, 0)


# --- mates --------------------------------------------------------------------------------------


def mates_in(board, most):
    """In how many moves of its own the mover mates by force, by python-chess; 0: not so soon."""
    for moves in range(1, most + 1):
        if any(_forces(board, move, moves) for move in list(board.legal_moves)):
            return moves
    return 0


def _forces(board, move, moves):
    board.push(move)
    replies = list(board.legal_moves)
    forced = board.is_checkmate() if not replies else moves > 1
    for reply in replies if forced else []:
        board.push(reply)
        forced = any(_forces(board, again, moves - 1) for again in list(board.legal_moves))
        board.pop()
        if not forced:
            break
    board.pop()
    return forced


def test_mates_are_those_of_python_chess():
    """A queen and a rook against a king with a pawn or two, whoever moves first."""
    arena, seen = Arena(load_rules("wargambit")), Counter()
    rng = Random("mates")
    while sum(seen.values()) < 150:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, 6)
        for square, letter in zip(squares, "KQRkpp", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        if board.is_valid() and not board.is_stalemate():
            known = mates_in(board, 2)
            found = hint(arena, board.fen(), 3)
            near = found.mate if 0 < found.mate <= 2 else 0  # checks may lead it further
            assert near == known, board.fen()
            seen[known] += 1
    assert set(seen) == {0, 1, 2}


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        (MORPHY, 2),
        (SMOTHERED, 3),
    ],
)
@pytest.mark.parametrize("depth", [5, 8])
def test_known_mates(fen, moves, depth):
    """The mate comes nearer with every move of the line, and is seen from both sides."""
    arena, board = Arena(load_rules("wargambit")), chess.Board(fen)
    assert mates_in(board, moves) == moves
    for left in range(moves, 0, -1):
        found = hint(arena, board.fen(), depth)
        assert (found.mate, len(found.line)) == (left, 2 * left - 1)
        board.push_uci(found.line[0])
        if left > 1:
            other = hint(arena, board.fen(), depth)
            assert other.mate == 1 - left
            board.push_uci(other.line[0])
    assert board.is_checkmate()


def test_a_mate_ends_the_search():
    found = hint(Arena(load_rules("wargambit")), MORPHY, 12)
    assert (found.line[0], found.depth) == ("a1a6", 3)


# --- what it leaves alone, and refuses ----------------------------------------------------------


def test_a_battle_is_the_same_before_and_after():
    for number in range(20):
        rules, position = small(number)
        arena, fen = arena_of(rules), position.fen()
        before, record = arena.battle(fen), bytes(arena.record)
        hint(arena, fen, 4)
        assert arena.battle(fen) == before
        assert bytes(arena.record) == record


def test_who_cannot_move_has_no_hint():
    arena = Arena(load_rules("wargambit"))
    for fen in ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"):
        with pytest.raises(BadInput, match="FEN: found a mover without a legal move, expected a"):
            hint(arena, fen, 3)


def test_prices_are_what_it_counts_by():
    """A scout for a rook: it depends on what they cost."""
    fen = "4k3/8/2p5/3r4/8/3A4/8/4K3 w - - 0 1"
    dear = RULES["shop"]["price"] | {"scout": 12, "rook": 1}
    for price, best in ((RULES["shop"]["price"], True), (dear, False)):
        rules = RULES | {"shop": RULES["shop"] | {"price": price}}
        assert (hint(arena_of(rules), fen, 2).line[0] == "d3d5") == best
