"""Battle positions, moves and armies that a person types."""

from random import Random

import pytest

from lab.errors import BadInput
from lab.games.wargambit.fen import LETTERS, army_text, fen, parse_army, parse_fen, uci
from tests.gambit import mirrored
from tests.reference.wargambit_positions import ORTHODOX, RULES, start, walk

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
PASSED = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2"
ARSENAL = "l3kac1/8/8/8/8/8/8/LLA1K1C1 b - - 0 1"


def squares(mask):
    return [square for square in range(64) if int(mask) >> square & 1]


@pytest.mark.parametrize("text", [START, PASSED, ARSENAL, KIWIPETE + " 0 1"])
def test_a_fen_reads_back(text):
    number = int(text.split()[-1])
    assert fen(parse_fen(text), number=number) == text
    assert fen(parse_fen(mirrored(text)), number=number) == mirrored(text)


def test_positions_of_battles_read_back():
    for number in range(20):
        rng = Random(number)
        for position in walk(RULES, rng, start(RULES, rng, ORTHODOX)):
            text = position.fen()
            pieces, mover, rights, passed, *_ = text.split()
            assert fen(parse_fen(text)).split()[:4] == [pieces, mover, rights, passed]


def test_the_mover_sees_itself_at_the_bottom():
    """Black's queen on d8 and its rook on h8, of which Black says d1 and h1."""
    board = parse_fen("3qk2r/8/8/8/8/8/P7/4K3 b k - 3 9")
    assert squares(board["own"]) == [3, 4, 7]
    assert squares(board["their"]) == [48, 60]
    assert squares(board["castle"]) == [7]
    assert (board["black"], board["passed"], board["plies"]) == (1, 0, 0)
    kinds = {letter: squares(board["kinds"][i]) for i, letter in enumerate(LETTERS)}
    assert {k: v for k, v in kinds.items() if v} == {"p": [48], "r": [7], "q": [3], "k": [4, 60]}


def test_what_follows_the_mover_may_be_left_out():
    pieces = ARSENAL.partition(" ")[0]
    for text in (f"{pieces} b", f"{pieces} b -", f" {pieces}  b - -\n", f"{pieces} b - - 0"):
        assert fen(parse_fen(text)) == ARSENAL


def test_the_arsenal_may_have_other_letters():
    text = ARSENAL.translate(str.maketrans("lacLAC", "xyzXYZ"))
    assert fen(parse_fen(text, "pxyznbrqk"), "pxyznbrqk") == text
    with pytest.raises(BadInput, match=r"FEN rank 8: found 'l', expected one of p x y z n b r q k"):
        parse_fen(ARSENAL, "pxyznbrqk")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (START, "", "FEN: found '', expected pieces, w or b, castling, en passant, two counters"),
        ("w KQkq - 0 1", "", "expected pieces, w or b"),
        ("0 1", "0 1 2", "expected pieces, w or b"),
        (" w ", " x ", "FEN mover: found 'x', expected w or b"),
        ("/8/8/8/8", "/8/8/8", "FEN: found 7 ranks, expected 8 ranks"),
        ("/8/8/8/8", "/8/8/8/7", "FEN rank 3 '7': found 7 squares, expected 8"),
        ("PPPPPPPP", "PPPP5", "FEN rank 2 'PPPP5': found 9 squares, expected 8"),
        ("PPPPPPPP", "PPPP0PPP", "FEN rank 2: found '0', expected one of p l a c n b r q k P"),
        ("rnbq", "rxbq", "FEN rank 8: found 'x'"),
        ("RNBQKBNR", "RNBQQBNR", "FEN: found 0 white kings, expected one"),
        ("rnbqkbnr", "rnbkkbnr", "FEN: found 2 black kings, expected one"),
        ("RNBQKBNR", "RNBQKBNP", "FEN: found a pawn on h1, expected none on the first or last"),
        ("rnbqkbnr", "Pnbqkbnr", "FEN: found a pawn on a8"),
        ("KQkq", "QK", "FEN castling: found 'QK', expected - or some of KQkq"),
        ("KQkq", "KQkqK", "FEN castling: found 'KQkqK'"),
        ("BNR w", "BN1 w", "FEN castling: found K, expected a rook on h1 and the king on e1"),
        ("rnb", "bnr", "FEN castling: found q, expected a rook on a8 and the king on e8"),
        ("- 0", "e5 0", "FEN en passant: found 'e5', expected - or a square of rank 6"),
        ("- 0", "e6 0", "FEN en passant: found e6, expected a square that a pawn has just passed"),
        ("- 0 1", "- -1 1", "FEN quiet moves: found '-1', expected a whole number from 0"),
        ("- 0 1", "- 0 0", "FEN move number: found '0', expected a whole number from 1"),
        ("- 0 1", "- 0 99999", "FEN move number: found '99999', expected a whole number from 1 to"),
    ],
)
def test_a_wrong_fen_says_what_is_wrong(old, new, message):
    assert old in START
    assert message in refusal(parse_fen, START.replace(old, new, 1))


@pytest.mark.parametrize("pieces", ["4k3/4n3/8/4p3/8/8/8/4K3", "4k3/8/4n3/4p3/8/8/8/4K3"])
def test_no_pawn_has_passed_over_a_piece(pieces):
    assert "has just passed" in refusal(parse_fen, f"{pieces} w - e6")


def test_spoilt_fens_are_refused_in_one_line_or_read_back():
    rng, read = Random(5), 0
    signs = "/12345678pPkKqlacx wb-KQ0"
    for _ in range(3000):
        text = rng.choice([START, PASSED, ARSENAL])
        a, b = sorted(rng.choices(range(len(text) + 1), k=2))
        cut = text[:a] + text[b:]
        spoilt = rng.choice([text[:a], cut, text[:a] + rng.choice(signs) + text[a + 1 :]])
        board, error = None, ""
        try:
            board = parse_fen(spoilt)
        except BadInput as refused:
            error = str(refused)
        assert "\n" not in error
        if board is not None:
            read += 1
            assert fen(parse_fen(fen(board))) == fen(board)
    assert read > 200


def refusal(function, *arguments):
    with pytest.raises(BadInput) as caught:
        function(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("move", "white", "black"),
    [(12 | 28 << 6, "e2e4", "e7e5"), (48 | 57 << 6 | 7 << 12, "a7b8q", "a2b1q")],
)
def test_a_move_is_told_as_white_sees_it(move, white, black):
    assert (uci(move, False), uci(move, True)) == (white, black)


# --- armies -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts", "told"),
    [
        ("q r 2n 4p", [4, 0, 0, 0, 2, 0, 1, 1], "q+r+2n+4p"),
        ("p+q+p", [2, 0, 0, 0, 0, 0, 0, 1], "q+2p"),
        ("l a c 0b", [0, 1, 1, 1, 0, 0, 0, 0], "c+a+l"),
        ("15n", [0, 0, 0, 0, 15, 0, 0, 0], "15n"),
        ("-", [0] * 8, "-"),
    ],
)
def test_an_army_reads_and_is_told(text, counts, told):
    assert (parse_army(text), army_text(counts)) == (counts, told)
    assert parse_army(told) == counts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" ", "army: found nothing, expected pieces such as q r 2n 4p, or - for none"),
        ("q k", "army: found 'k', expected a number and a letter, such as 2n: p pawn, l lance"),
        ("qr", "found 'qr', expected a number and a letter"),
        ("2 n", "found '2', expected a number and a letter"),
        ("-2n", "found '-2n', expected a number and a letter"),
        ("100p", "found '100p', expected a number and a letter"),
        ("9p", "found 9 pieces, 9 of them pawns, expected at most 15, at most 8 of them pawns"),
        ("16n", "found 16 pieces, 0 of them pawns"),
    ],
)
def test_a_wrong_army_says_what_is_wrong(text, message):
    assert message in refusal(parse_army, text)
