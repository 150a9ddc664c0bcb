"""Wargambit's battles as a person asks for them: armies, positions, and what is refused."""

import json
from random import Random

import chess
import pytest

from lab.catalog import load_rules
from lab.games.wargambit.arena import Arena
from lab.games.wargambit.fen import parse_army
from tests.reference.wargambit_positions import ORTHODOX, RULES, start
from tests.verbs import out, refusal

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
MATE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
REFUSED = [
    ("7k/8/8/8/8/8/8/4Q3 w", "FEN: found 0 white kings, expected one"),
    ("8/8/8/8/8/8/8/4QK2 w", "FEN: found 0 black kings, expected one"),
    ("P6k/8/8/8/8/8/8/4K3 w", "FEN: found a pawn on a8, expected none on the first or last rank"),
    ("7k/8/8/8/8/8/8/4K2p w", "FEN: found a pawn on h1, expected none on the first or last rank"),
    ("7k/8/4x3/8/8/8/8/4K3 w", "FEN rank 6: found 'x', expected one of p l a c n b r q k P L"),
    ("4k3/8/8/8/8/8/8/4R1K1 w", "FEN: found black in check, who is not to move, expected only"),
    ("4r1k1/8/8/8/8/8/8/4K3 b", "FEN: found white in check, who is not to move, expected only"),
    ("4k3/8/4C3/4P3/8/8/4r3/4K3 b", "FEN: found white in check, who is not to move, expected on"),
    ("4k3/4P3/8/4C3/8/8/8/4K3 w", "FEN: found black in check, who is not to move, expected on"),
]
pytestmark = pytest.mark.usefixtures("quiet")


@pytest.fixture(scope="module")
def arena():
    return Arena(load_rules("wargambit"))


# --- two armies ---------------------------------------------------------------------------------


def clash(arena, white, black, **places):
    return arena.clash(parse_army(white), parse_army(black), **places)


@pytest.mark.parametrize(
    ("white", "black", "first"),
    [
        ("q r", "2r", "3rkr2/8/8/8/8/8/8/3QKR2 w - - 0 1"),
        ("4p", "3p", "4k3/3ppp2/8/8/8/2PPPP2/8/4K3 w - - 0 1"),  # four pawns start ahead
        ("3n", "2n", "3nkn2/8/8/8/8/8/4P3/2NNKN2 w - - 0 1"),  # three knights have a squire
        ("-", "-", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ],
)
def test_armies_line_up_with_their_synergies(arena, white, black, first):
    assert clash(arena, white, black).positions[0] == first


def test_positions_follow_from_the_moves(arena):
    for number in range(50):
        fen = start(RULES, Random(f"follow {number}"), ORTHODOX).fen()
        fought, board = arena.battle(fen), chess.Board(fen)
        assert fought.positions[0] == fen
        for move, after in zip(fought.moves, fought.positions[1:], strict=True):
            board.push_uci(move)
            assert board.fen(en_passant="legal") == after


def test_pieces_stand_where_they_are_told(arena):
    army = parse_army("q p")
    word = arena.places("pa2,qh1", army, "--place-white")
    fought = arena.clash(army, parse_army("r"), word)
    assert fought.positions[0].startswith("3rk3/8/8/8/8/8/P7/4K2Q ")


@pytest.mark.parametrize(
    ("army", "places", "line"),
    [
        ("q 2n", "qd1", "found 2 pieces left over (nn), expected a square for every piece"),
        ("q 2n", "-", "found 3 pieces left over (nnq), expected a square for every piece"),
        ("q n", "qd1,qc1,nb1", "found 2 x queen, expected the 1 of the army"),
        ("q", "qd1,rc1", "found 1 x rook, expected the 0 of the army"),
        ("q", "qe1", "found qe1, expected another square: e1 is the king's"),
        ("q p", "qd1,pc1", "found pc1, expected a square of rank 2: no pawn stands on the back r"),
        ("q n", "qd1,nd1", "found two pieces on d1, expected one piece on a square"),
        ("q n", "qd1,ne3", "found ne3, expected a letter of placnbrq and a square of ranks 1"),
    ],
)
def test_placements_are_refused(army, places, line):
    for side, other in (("white", "black"), ("black", "white")):
        words = (f"--{side}", army, f"--{other}", "q", f"--place-{side}", places)
        assert refusal("battle", "wargambit", *words).startswith(f"lab: --place-{side}: {line}")


# --- lab battle ---------------------------------------------------------------------------------


def test_a_battle_is_told():
    assert out("battle", "wargambit", "--position", MATE).splitlines() == [
        MATE,
        "   1. a1a8",
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1",
        "mate after 1 moves, White wins",
        "values left: White 5, Black 3",
    ]


def test_black_begins_in_the_second_column():
    fen = "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1"
    assert out("battle", "wargambit", "--position", fen).splitlines()[1] == "   1. ...    a8a1"


def test_a_fen_as_white_is_a_position():
    assert out("battle", "wargambit", "--white", MATE) == out(
        "battle", "wargambit", "--position", MATE
    )


def test_a_battle_as_json_is_that_of_the_arena(arena):
    words = ("--white", "q r 2n 4p", "--black", "3r 5p", "--json")
    found = json.loads(out("battle", "wargambit", *words))
    fought = clash(arena, "q r 2n 4p", "3r 5p")
    assert found == fought._asdict() | {"left": list(fought.left)}


def test_rules_change_a_battle():
    words = ("battle", "wargambit", "--position", MATE, "--set", "/shop/price/rook=7")
    assert out(*words).splitlines()[-1] == "values left: White 7, Black 3"


def test_the_first_position_or_all_are_drawn(tmp_path):
    one, folder = tmp_path / "one.svg", tmp_path / "all"
    for path in (one, folder):
        out("battle", "wargambit", "--position", MATE, "--svg", path)
    assert sorted(path.name for path in folder.iterdir()) == ["0000.svg", "0001.svg"]
    assert one.read_bytes() == (folder / "0000.svg").read_bytes()
    assert one.read_bytes() != (folder / "0001.svg").read_bytes()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--white", "q"), "battle: found no --black, expected --white ARMY --black ARMY, or -"),
        (("--black", "q"), "battle: found no --white, expected --white ARMY --black ARMY, or -"),
        (("--position", MATE, "--black", "q"), "battle: found armies beside a position, expec"),
        (("--white", MATE, "--place-white", "qd1"), "battle: found armies beside a position"),
        (("--white", MATE, "--position", MATE), "battle: found armies beside a position"),
        (("--white", "2x", "--black", "q"), "--white: found '2x', expected a number and a lett"),
        (("--white", "9p", "--black", "q"), "--white: found 9 pieces, 9 of them pawns, expecte"),
        (("--white", "q", "--black", ""), "--black: found nothing, expected pieces such as q r"),
        (
            ("--white", "q r 2n 4p", "--black", "q", "--set", "/army/pieces=3"),
            "--white: found 8 pieces, 5 too many, expected at most 3 (/army/pieces)",
        ),
        (
            ("--white", "q", "--black", "q r 4p", "--set", "/army/pawns=3"),
            "--black: found 4 pawns, 1 too many, expected at most 3 (/army/pawns)",
        ),
    ],
)
def test_battles_are_refused_in_one_line(words, line):
    assert refusal("battle", "wargambit", *words).startswith(f"lab: {line}")


# --- lab moves, perft and hint of a FEN ---------------------------------------------------------


def test_moves_of_a_position(arena):
    told = out("moves", "wargambit", "--position", KIWIPETE).splitlines()
    assert told == sorted(move.uci() for move in chess.Board(KIWIPETE).legal_moves)
    assert out("moves", "wargambit", "--position", STALEMATE) == ""


def test_letters_are_those_of_the_rules():
    words = ("--position", "4k3/8/8/8/8/8/3Z4/4K3 w", "--set", '/arsenal/lance/letter="z"')
    assert "d2d8" in out("moves", "wargambit", *words).splitlines()
    refused = refusal("moves", "wargambit", *words[:2])
    assert refused.startswith("lab: FEN rank 2: found 'Z', expected")


def test_perft_of_a_position_ends_with_the_count():
    told = out("perft", "wargambit", "--position", KIWIPETE, "--depth", 3)
    assert told == "depth 1: 48\ndepth 2: 2039\n97862\n"
    assert out("perft", "wargambit", "--position", KIWIPETE, "--depth", 0) == "1\n"


def test_a_hint_is_told():
    told = out("hint", "wargambit", "--position", MATE, "--depth", 4).splitlines()
    assert told[0] == "a1a8  mate in 1"
    assert told[1].startswith("a1a8  (")
    mated = "k1K5/8/8/8/8/8/8/1Q6 b - - 0 1"
    assert "a8a7  mated in 1" in out("hint", "wargambit", "--position", mated, "--depth", 4)
    ahead = out("hint", "wargambit", "--position", "4k3/8/8/3r4/8/4P3/8/3RK3 w", "--depth", 1)
    assert ahead.startswith("d1d5  +6.")


def test_a_hint_as_json():
    words = ("hint", "wargambit", "--position", "7k/8/8/8/8/8/8/4K3 w", "--depth", 2, "--json")
    found = json.loads(out(*words))
    assert set(found) == {"best", "line", "score", "mate", "depth", "nodes"}
    assert (found["best"], found["score"], found["mate"]) == (found["line"][0], 0, 0)


@pytest.mark.parametrize(
    "verb",
    [("moves",), ("perft", "--depth", 1), ("hint", "--depth", 1), ("battle",)],
    ids=lambda verb: verb[0],
)
@pytest.mark.parametrize(("fen", "line"), REFUSED)
def test_positions_are_refused_in_one_line(verb, fen, line):
    name, *words = verb
    assert refusal(name, "wargambit", "--position", fen, *words).startswith(f"lab: {line}")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("hint", "wargambit", "--position", MATE, "--depth", 13), "depth: found 13, expected a"),
        (("hint", "wargambit", "--position", STALEMATE), "FEN: found a mover without a legal mo"),
        (("hint", "wargambit", "--position", "e4"), "FEN: found 'e4', expected pieces, w or b,"),
        (("hint", "ants", "--position", MATE), "game: found ants, expected one that has battles"),
        (("battle", "ants", "--white", "q"), "game: found ants, expected one that has battles"),
        (("moves", "ants", "--position", MATE), "position: found "),
        (("perft", "ants", "--position", MATE, "--depth", 1), "position: found "),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(words, line):
    assert refusal(*words).startswith(f"lab: {line}")
