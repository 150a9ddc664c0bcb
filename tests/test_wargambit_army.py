"""Armies of Wargambit: where they stand, what they hold, the ghost's (README 4 to 6, 7.2, 7.3)."""

import numpy as np
import pytest

from lab.games.wargambit.army import muster, stand
from lab.games.wargambit.fen import LETTERS, fen, parse_army
from lab.games.wargambit.state import BATTLE
from lab.jit import blank
from tests.gambit import GAME, SAFE, give, listed, play, run, to_the_end, told


def start(white="-", black="-", changes=None, round=1):
    """The FEN in which two armies begin: `q 4p` stands automatically, `qd1,pe2` as it says."""
    record, battle, sides = run(changes=changes).record, blank(BATTLE)[0], []
    for text in (white, black):
        by_hand = any(sign.isdigit() for sign in text.split(",")[0][-1:])
        pieces = "+".join(item[0] for item in text.split(",")) if by_hand else text
        army = np.array(parse_army(pieces))
        word = (
            GAME.view.parse_places(text, LETTERS, "")
            if by_hand
            else stand(record, army, np.uint64(0))
        )
        sides += [army, np.uint64(word)]
    muster(record, battle, round, *sides)
    return fen(battle["board"])


# --- 4.1 automatically --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "rows"),
    [
        ("-", "8/8/4K3"),
        ("q", "8/8/3QK3"),
        ("3p", "8/3PPP2/4K3"),
        ("p+l+a+c+n+b+r+q", "8/4P3/LCBQKRNA"),
        ("q+2r+2b+2n+2c+p", "8/3CCP2/NBRQKRBN"),
        ("9n+2p", "8/2PNNP2/NNNNKNNN"),
        ("15n", "8/NNNNNNNN/NNNNKNNN"),
    ],
)
def test_automatic_placement(pieces, rows):
    """For both, Black's is the mirror image; synergies are left out."""
    changes = {"/synergies": []}
    assert start(pieces, changes=changes).split()[0] == f"4k3/8/8/8/8/{rows}"
    mirrored = "/".join(reversed(rows.lower().split("/")))
    assert start("-", pieces, changes=changes).split()[0] == f"{mirrored}/8/8/8/8/4K3"


def test_dearest_first_follows_the_prices():
    changes = {"/shop/price/pawn": 9, "/shop/price/knight": 9, "/shop/price/scout": 10}
    rows = start("q+n+a+p", changes=changes).split()[0]
    assert rows == "4k3/8/8/8/8/8/4P3/2NAKQ2"


def completed(army, places):
    """The automatic placement of what does not stand yet, as text."""
    word = np.uint64(GAME.view.parse_places(places, LETTERS, ""))
    done = stand(run().record, np.array(parse_army(army)), word)
    return GAME.view.places_text(done, LETTERS)


def test_what_does_not_stand_yet_is_placed_around_what_does():
    assert completed("q+2r+p", "ra1") == "ra1,qd1,rf1,pe2"
    assert completed("q+3p", "qe2,pd2") == "pc2,pd2,qe2,pf2"
    back = "na1,nb1,nc1,nd1,nf1,ng1"
    assert completed("8n+7p", "nd2") == f"{back},nh1,pa2,pb2,pc2,nd2,pe2,pf2,pg2,ph2"


def test_pawns_without_room_take_all_to_their_automatic_places():
    assert completed("7n+8p", "nd2") == completed("7n+8p", "-")
    assert completed("q+8p", "qd2,pa2") == "qd1," + ",".join(f"p{file}2" for file in "abcdefgh")


def test_every_partial_placement_of_every_army_is_completed():
    """All of the army stands, no pawn on the back row, nobody on e1."""
    rng, record = np.random.default_rng(4), run().record
    for _ in range(3000):
        army = rng.multinomial(rng.integers(0, 16), rng.dirichlet(np.ones(8) / 3))
        army[0] = min(army[0], 8)
        word, kinds = 0, np.repeat(np.arange(8), army)
        for kind in rng.permutation(kinds)[: rng.integers(0, kinds.size + 1)]:
            lowest = 8 if kind == 0 else 0
            free = [i for i in range(lowest, 16) if i != 4 and not word >> 4 * i & 15]
            word |= (int(kind) + 1) << 4 * int(rng.choice(free)) if free else 0
        done = int(stand(record, army, np.uint64(word)))
        places = [done >> 4 * place & 15 for place in range(16)]
        assert [places.count(kind + 1) for kind in range(8)] == army.tolist()
        assert places[4] == 0
        assert 1 not in places[:8]


# --- 4.2 by hand --------------------------------------------------------------------------------

ONE_MOVE = {"/battle/ply_cap": 1} | SAFE
"""After each battle its board shows where the armies stood, but for White's first move."""


def fought(position):
    """The board after White's first move in the round."""
    return fen(play(position, "ready").state["battle"]["board"]).split()[0]


def test_pieces_may_stand_by_hand_and_stay_there():
    position = give(run(changes=ONE_MOVE), "q+p")
    play(position, "place q h1", "place p a2")
    assert told(position, "places") == "qh1,pa2/-"
    assert fought(position) == "3bk3/4p3/8/8/8/P7/8/4K2Q"
    assert told(position, "places") == "qh1,pa2/-"
    assert fought(position) == "3bk3/4p3/8/8/8/P7/8/4K2Q"


def test_one_that_is_left_over_sends_all_to_their_automatic_places():
    position = play(give(run(changes=ONE_MOVE), "q+p"), "place q h1")
    assert fought(position) == "3Qk3/4p3/8/8/8/8/4P3/4K3"  # from d1 the queen takes on d8
    assert told(position, "places") == "-/-"


def test_auto_takes_them_off_again():
    position = give(run(), "q+p")
    assert "auto" not in listed(position)
    play(position, "place q h1", "place p a2", "auto")
    assert told(position, "places") == "-/-"
    assert told(position, "army", 0) == "q+p"


def test_where_a_piece_may_be_put():
    """Not on e1, a pawn not on the back row, and only pieces that do not stand yet."""
    position = give(run(), "2q+p", gold=0)
    both = [f"{file}{rank}" for rank in "12" for file in "abcdefgh"]
    queens = [f"place q {square}" for square in both if square != "e1"]
    pawns = [f"place p {square}" for square in both[8:]]
    assert listed(position) == ["ready", *pawns, *queens]
    play(position, "place p a2", "place q b2")
    queens = [word for word in queens if word[-2:] not in ("a2", "b2")]
    assert listed(position) == ["ready", "auto", *queens]
    play(position, "place q d1")
    assert listed(position) == ["ready", "auto"]


# --- 5. synergies in battle ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "rows"),
    [
        ("3p", "8/8/3PPP2/4K3"),
        ("4p", "8/2PPPP2/8/4K3"),
        ("8p", "8/PPPPPPPP/8/4K3"),
        ("q+2r+2b+n+3a+4p", "8/1PP2PP1/3AA3/ABRQKRBN"),
        ("2n", "8/8/8/3NKN2"),
        ("3n", "8/8/4P3/2NNKN2"),
        ("c+2l", "8/8/4P3/2LCKL2"),
        ("c+l", "8/8/8/3CKL2"),
        ("3n+c+2l", "8/8/3PP3/1LNNKNCL"),
        ("3n+3p", "8/8/2PPPP2/2NNKN2"),  # a squire is no fourth pawn
        ("3n+4p", "8/2PPPPP1/8/2NNKN2"),
        ("3n+8p", "8/PPPPPPPP/8/2NNKN2"),
        ("3n+c+2l+7p", "8/PPPPPPPP/8/1LNNKNCL"),
        ("14n", "8/8/PNNNNNNN/NNNNKNNN"),
        ("15n", "8/8/NNNNNNNN/NNNNKNNN"),
    ],
)
def test_synergies_of_battle(pieces, rows):
    assert start(pieces).split()[0] == f"4k3/8/8/8/{rows}"
    mirrored = "/".join(reversed(rows.lower().split("/")))
    assert start("-", pieces).split()[0] == f"{mirrored}/8/8/8/4K3"


def test_advances_add_up_to_two_ranks():
    one = {"needs": [{"piece": "pawn", "count": 1}], "effect": "advance", "amount": 1}
    two = one | {"needs": [{"piece": "queen", "count": 1}]}
    changes = {"/synergies": [one, two, two]}
    assert start("p", changes=changes).split()[0] == "4k3/8/8/8/8/4P3/8/4K3"
    assert start("q+p", changes=changes).split()[0] == "4k3/8/8/8/4P3/8/8/3QK3"


def test_squires_are_worth_pawns_and_are_gone_after_the_battle():
    position = play(give(run(changes=SAFE), "3n"), "ready")
    assert position.outcome["army"].tolist() == [3 * 3 + 1, 4]
    assert told(position, "army", 0) == "3n"


# --- 6. the ghost -------------------------------------------------------------------------------

BOARD = [4, 4, 6, 10, 21, 32, 43, 69, 77, 85]
LITERALLY = [0, 0, 1, 11, 22, 33, 44, 70, 78, 86]
ARMIES = ["b+p", "b+p", "r+p", "q+p", "2q+b", "3q+r", "4q+r+a", "7q+r+p", "8q+r", "9q+b+p"]


def gold_on_board(position):
    return [int(now.state["budget"] - now.state["reserve"]) for now in to_the_end(position)]


@pytest.mark.parametrize(
    ("second", "saving", "gold"),
    [
        ("ghost", "schedule", BOARD),
        ("literal", "schedule", LITERALLY),
        ("ghost", "literal", LITERALLY),
        ("literal", "literal", LITERALLY),
    ],
)
def test_gold_of_the_ghost(second, saving, gold):
    assert gold_on_board(run(second, SAFE | {"/ghost/saving": saving})) == gold


def test_ghost_buys_the_dearest_first():
    assert [told(now, "army", 1) for now in to_the_end(run(changes=SAFE))] == ARMIES


def test_ghost_may_add_to_its_army():
    """Of 4 4 6 10 21 32 43 69 gold it has spent 4 4 6 10 21 32 43 and then has 15 pieces."""
    position = run(changes=SAFE | {"/ghost/buying": "add"})
    armies = [told(now, "army", 1) for now in to_the_end(position)]
    assert armies[:4] == ["b+p", "b+p", "b+a+p", "2b+a+2p"]
    assert armies[4:7] == ["q+2b+2a+2p", "2q+2b+3a+2p", "3q+2b+4a+2p"]
    assert armies[7:] == ["5q+r+3b+4a+2p"] * 3
    assert position.outcome["army"][1] == 69


def test_tiers_may_hold_the_ghost_back():
    position = run(changes=SAFE | {"/ghost/tier_every": 3})
    armies = [told(now, "army", 1) for now in to_the_end(position)]
    assert armies[:3] == ["n+p", "n+p", "2n"]
    assert armies[3:6] == ["2r", "4r+p", "6r+a"]
    assert armies[6:] == ARMIES[6:]


def test_ghost_has_room_for_fifteen_pieces_and_eight_pawns():
    position = run(changes=SAFE | {"/army/pieces": 3, "/army/pawns": 0})
    armies = [told(now, "army", 1) for now in to_the_end(position)]
    assert armies == ["b", "b", "r", "q", "2q+b", "3q", *["3q"] * 4]


# --- 7.2 and 7.3 the position a battle starts from ----------------------------------------------


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        ("ra1,rh1", "rh1", "4k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1"),
        ("ra2,rg1", "ra1,rh2", "r3k3/7r/8/8/8/8/R7/4K1R1 w q - 0 1"),
        ("na1,bh1", "-", "4k3/8/8/8/8/8/8/N3K2B w - - 0 1"),
    ],
)
def test_rooks_in_the_corners_may_castle(white, black, expected):
    assert start(white, black) == expected


@pytest.mark.parametrize(
    ("way", "white", "black", "round", "mover"),
    [
        ("player", "q", "r", 2, "w"),
        ("ghost", "r", "q", 1, "b"),
        ("lower_value", "q", "r", 1, "b"),
        ("lower_value", "r", "q", 1, "w"),
        ("lower_value", "3n", "q", 1, "b"),  # the squire counts
        ("lower_value", "q", "q", 1, "w"),
        ("alternate", "q", "q", 1, "w"),
        ("alternate", "q", "q", 2, "b"),
        # who is in check when the other would move
        ("player", "re2", "-", 1, "b"),
        ("ghost", "-", "re2", 1, "w"),
        ("ghost", "re2", "-", 1, "b"),
        ("player", "ce2", "ce2", 1, "w"),  # each over the other
        ("ghost", "ce2", "ce2", 1, "w"),
    ],
)
def test_who_moves_first(way, white, black, round, mover):
    assert start(white, black, {"/battle/first_move": way}, round).split()[1] == mover
