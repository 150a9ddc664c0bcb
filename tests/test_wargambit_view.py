"""Positions and actions of Wargambit that a person types, and pictures of them."""

import re
from random import Random
from xml.etree import ElementTree

import pytest

from lab.errors import BadInput
from lab.games.wargambit import view
from lab.games.wargambit.fen import parse_fen
from lab.games.wargambit.picture import board_svg
from lab.games.wargambit.state import STATE
from lab.play import trace
from tests.gambit import GAME, opened, play, run, told
from tests.seats import pairs

SHOP = (
    "chance=00000000000000ff phase=shop round=3 seat=first opponent=ghost rounds=0 record=-"
    " hp=14/0 gold=7/0 level=2/0 shown=1/0 rerolls=1/0 shop=p,-,n/-,-,- army=n+2p/r+p"
    " places=nd1,pe2/-"
)
RIVAL = (
    "chance=00000000000000ff phase=shop round=2 seat=second opponent=rival rounds=0 record=-"
    " hp=14/9 gold=7/2 level=2/1 shown=2/1 rerolls=1/0 shop=p,-,n/l,a,p army=n+2p/a places=nd1/aa2"
)
DUEL = (
    "chance=00000000000000ff phase=stand round=0 seat=second opponent=duel rounds=0 record=-"
    " hp=0/0 gold=0/0 level=0/0 shown=0/0 rerolls=0/0 shop=-,-,-/-,-,- army=q+p/n"
    " places=qd1,pe2/nb1"
)
GIVING = (
    "chance=00000000000000ff phase=stand round=0 seat=second opponent=recorded rounds=3"
    " record=qd1,pe2;. hp=0/0 gold=0/0 level=0/0 shown=0/0 rerolls=0/0 shop=-,-,-/-,-,-"
    " army=-/n places=-/nb1"
)
RECORDED = (
    "chance=00000000000000ff phase=shop round=5 seat=first opponent=recorded rounds=2"
    " record=.;qd1,pe2 hp=1/0 gold=0/0 level=1/0 shown=1/0 rerolls=0/0 shop=a,a,a/-,-,-"
    " army=8p/q+p places=-/qd1,pe2"
)
OVER = (
    "chance=00000000000000ff phase=over round=10 seat=first opponent=rival rounds=0 record=-"
    " hp=1/0 gold=9/3 level=3/1 shown=3/0 rerolls=0/0 shop=q,-,n/-,-,- army=n+2p/a places=-/-"
    " ending=clear winner=first"
)
FOUGHT = DUEL.replace("stand round=0", "over round=1") + " ending=mate winner=second"
LINES = (SHOP, RIVAL, DUEL, GIVING, RECORDED, OVER, FOUGHT)


@pytest.fixture(scope="module")
def record():
    return opened().record


@pytest.mark.parametrize("line", LINES)
def test_a_position_reads_back_and_its_words_may_come_in_any_order(record, line):
    assert view.text(record, view.parse(record, line)) == line
    assert view.text(record, view.parse(record, " ".join(reversed(line.split())))) == line


@pytest.mark.parametrize("buying", ["rebuild", "add"])
def test_a_position_has_all_that_the_kernels_keep(buying):
    """The scratch of the last battle aside."""
    rules = opened(changes={"/ghost/buying": buying}).rules
    for seats in pairs("wargambit")[::9]:
        position, actions, _ = trace(GAME, rules, *seats, 4, 2)
        for action in [*actions, None]:
            state = view.parse(position.record, position.text())
            for name in STATE.names[:-1]:
                assert (state[name] == position.state[name]).all(), (seats, name)
            if action is not None:
                position.play(action)


def test_the_ghost_is_worked_out_again(record):
    """README 6.1: 10 gold held back in round 3, when it has 4 + 5 + 6 and one of interest."""
    state = view.parse(record, SHOP)
    assert (state["reserve"], state["budget"]) == (10, 16)
    assert state["phantom"].tolist() == state["army"][1].tolist()
    state = view.parse(record, RIVAL)
    assert (state["reserve"], state["budget"], state["phantom"].sum()) == (5, 9, 2)


@pytest.mark.parametrize(
    ("line", "old", "new", "message"),
    [
        (SHOP, "chance=00", "chance=0", "found 0000000000000ff, expected 16 hexadecimal digits"),
        (SHOP, "chance=00", "chance=0G", "expected 16 hexadecimal digits"),
        (SHOP, "phase=shop", "phase=shp", "(did you mean 'shop'?)"),
        (SHOP, "round=3", "round=0", "found 0, expected a whole number from 1 to 10"),
        (SHOP, "round=3", "round=11", "found 11, expected a whole number from 1 to 10"),
        (DUEL, "round=0", "round=1", "found 1, expected a whole number from 0 to 0"),
        (SHOP, "seat=first", "seat=second", "seat=second: found second, expected the other seat"),
        (GIVING, "seat=second", "seat=first", "expected the other seat"),
        (SHOP, "opponent=ghost", "opponent=none", "found none, expected one that this phase has"),
        (SHOP, "opponent=ghost", "opponent=duel", "found duel, expected one that this phase has"),
        (DUEL, "opponent=duel", "opponent=rival", "expected one that this phase has"),
        (SHOP, "opponent=ghost", "opponent=literal", "found r+p, expected the ghost's p"),
        (SHOP, "rounds=0", "rounds=1", "found 1, expected a whole number from 0 to 0"),
        (GIVING, "rounds=3", "rounds=2", "found 2 armies, expected fewer, as one more"),
        (GIVING, "rounds=3", "rounds=11", "found 11, expected a whole number from 1 to 10"),
        (GIVING, "pe2;.", "pe2;.;.;.", "found 4 armies, expected those of 3 rounds"),
        (RECORDED, "=.;", "=", "found 1 armies, expected those of 2 rounds"),
        (GIVING, "qd1,pe2", "qe1", "expected another square: e1 is the king's"),
        (GIVING, "qd1,pe2", "pd1", "a square of rank 2: no pawn stands on the back row"),
        (GIVING, "qd1,pe2", "qd1,pd1", "no pawn stands on the back row"),
        (GIVING, "qd1,pe2", "qd1,rd1", "found two pieces on d1, expected one piece on a square"),
        (GIVING, "qd1,pe2", "qd3", "found qd3, expected a letter of placnbrq and a square"),
        (GIVING, "qd1,pe2", "kd1", "found kd1, expected a letter of placnbrq and a square"),
        (GIVING, "qd1,pe2", "qd1,", "found nothing, expected a letter of placnbrq and a square"),
        (GIVING, "army=-/n", "army=p/n", "found p/n, expected - for the first seat yet"),
        (GIVING, "army=-/n", "army=-/r", "found 1 knights, expected 0, as many as the army has"),
        (DUEL, "seat=second", "seat=first", "found q+p/n, expected - for the second seat yet"),
        (DUEL, "army=q+p", "army=q+2p", "found 1 pawns, expected 2, as many as the army has"),
        (DUEL, "gold=0/0", "gold=0/3", "found 0/3, expected 0 for the second seat, which plays no"),
        (SHOP, "hp=14/0", "hp=21/0", "found 21, expected a whole number from 0 to 20"),
        (SHOP, "hp=14/0", "hp=0/0", "expected HP for the first seat and for who is to decide"),
        (RIVAL, "hp=14/9", "hp=14/0", "expected HP for the first seat and for who is to decide"),
        (SHOP, "hp=14/0", "hp=14/1", "found 14/1, expected 0 for the second seat, which plays no"),
        (SHOP, "gold=7/0", "gold=99999/0", "found 99999, expected a whole number from 0 to 9999"),
        (SHOP, "gold=7/0", "gold=-1/0", "found -1, expected a whole number from 0"),
        (SHOP, "gold=7/0", "gold=7", "found 7, expected two numbers with / between them"),
        (SHOP, "level=2/0", "level=4/0", "found 4, expected a whole number from 0 to 3"),
        (SHOP, "level=2/0 shown=1/0", "level=0/0 shown=0/0", "expected a level of the first seat"),
        (SHOP, "shown=1/0", "shown=3/0", "found 3/0, expected at most the first seat's level"),
        (SHOP, "shown=1/0", "shown=0/0", "found 0/0, expected the first seat's shop"),
        (OVER, "rerolls=0/0", "rerolls=0/1", "found 0/1, expected 0: the second seat has no shop"),
        (SHOP, "shop=p,-,n", "shop=p,-,q", "found queen, expected pieces that level 1 has"),
        (SHOP, "shop=p,-,n", "shop=p,-,k", "found k, expected - or a letter of placnbrq"),
        (SHOP, "shop=p,-,n", "shop=p,-", "found 2 slots, expected 3"),
        (SHOP, "n/-,-,-", "n/p,-,-", "found pawn, expected pieces that level 0 has"),
        (SHOP, "n/-,-,-", "n", "expected what is said of both seats, parted by /"),
        (SHOP, "army=n+2p", "army=n+9p", "found 10 pieces, 9 of them pawns, expected at most 15"),
        (SHOP, "army=n+2p", "army=16n", "found 16 pieces, 0 of them pawns, expected at most 15"),
        (SHOP, "army=n+2p", "army=k", "found 'k', expected a number and a letter"),
        (SHOP, "army=n+2p", "army=", "found nothing, expected pieces such as q r 2n 4p"),
        (SHOP, "r+p", "r+2p", "found r+2p, expected the ghost's r+p"),
        (SHOP, "pe2/-", "pe2/rd1", "found rd1, expected - for the ghost, which stands auto"),
        (SHOP, "nd1,pe2", "nd1,nf1", "found 2 knights, expected 1, as many as the army has"),
        (RECORDED, "army=8p/q+p places=-/qd1,pe2", "army=8p/q places=-/qd1", "recorded qd1,pe2"),
        (SHOP, "-,-,- army", "-,-,- arm", "did you mean 'army'?"),
        (SHOP, "round=3", "", "found no round"),
        (SHOP, "round=3", "round=3 round=3", "found round twice"),
        (SHOP, "round=3", "round", "found 'round', expected key=value"),
        (SHOP, "-,-,- army", "-,-,- winner=first army", "expected winner=... if it is over"),
        (OVER, " winner=first", "", "found no winner, expected winner=... if it is over"),
        (OVER, "ending=clear", "ending=clea", "(did you mean 'clear'?)"),
        (OVER, "ending=clear", "ending=mate", "found mate, expected one of clear, out"),
        (OVER, "winner=first", "winner=draw", "found draw, expected first for clear"),
        (OVER, "hp=1/0", "hp=0/0", "expected HP of the first seat for clear, 0 for out"),
        (OVER, "clear winner=first", "out winner=second", "HP of the first seat for clear"),
        (OVER, "round=10", "round=9", "found 9, expected 10, the last one"),
        (OVER, "seat=first", "seat=second", "found second, expected first, who decided last"),
        (FOUGHT, "round=1", "round=2", "found 2, expected a whole number from 1 to 1"),
        (FOUGHT, "ending=mate", "ending=out", "found out, expected one of mate, stalemate"),
        (FOUGHT, "winner=second", "winner=draw", "found draw, expected first or second for mate"),
        (FOUGHT, "ending=mate", "ending=quiet", "found second, expected draw for quiet"),
    ],
)
def test_a_wrong_position_says_which_word_is_wrong(record, line, old, new, message):
    assert old in line
    assert message in refusal(view.parse, record, line.replace(old, new, 1))


def test_armies_of_a_record_keep_to_the_limits():
    few = opened(changes={"/army/pieces": 2, "/army/pawns": 0}).record
    line = GIVING.replace("army=-/n", "army=-/-").replace("nb1", "-")
    assert "found 1 pawn, 1 too many, expected at most 0" in refusal(view.parse, few, line)


def refusal(function, *arguments):
    with pytest.raises(BadInput) as caught:
        function(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- actions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "action: found '', expected one of ready, duel, ghost, literal, auto"),
        ("redy", "did you mean 'ready'?"),
        ("place p", "did you mean 'place p d2'?"),
        ("buy", "did you mean 'buy 1'?"),
        ("buy 4", "action 'buy 4': found 4, expected a whole number from 1 to 3"),
        ("buy 0", "found 0, expected a whole number from 1 to 3"),
        ("recorded 11", "found 11, expected a whole number from 1 to 10"),
        ("place k d1", "found kd1, expected a letter of placnbrq and a square"),
        ("place q e1", "expected another square: e1 is the king's"),
        ("place p a1", "no pawn stands on the back row"),
        ("place q d3", "found qd3, expected a letter"),
        ("ready ready", "expected one of ready"),
    ],
)
def test_a_wrong_action_names_the_nearest(record, words, message):
    assert message in refusal(view.parse_action, record, words)


@pytest.mark.parametrize(
    "words",
    [*view.BY_ITSELF, "recorded 1", "recorded 10", "buy 1", "buy 3", "place p a2", "place q h1"],
)
def test_an_action_reads_back(record, words):
    assert view.action_text(record, view.parse_action(record, words)) == words


def test_the_arsenal_may_have_other_letters():
    position = run("recorded 1", {"/arsenal/lance/letter": "d", "/arsenal/cannon/letter": "e"})
    play(position, "place d d1", "place e e2", "place a a2")
    assert told(position, "army", 1) == "e+a+d"
    assert told(position, "places", 1) == "dd1,aa2,ee2"
    assert "found ld1" in refusal(view.parse_action, position.record, "place l d1")


# --- spoilt positions ---------------------------------------------------------------------------


def test_spoilt_positions_are_refused_in_one_line_or_play_on():
    """Cut, doubled and exchanged characters and numbers of all sizes: never a crash."""
    position, rng, read = opened(), Random(5), 0
    for _ in range(3000):
        line, error = spoilt(rng.choice(LINES), rng), ""
        try:
            position.read(line)
        except BadInput as refused:
            error = str(refused)
        assert "\n" not in error
        if error:
            continue
        read += 1
        text = position.text()
        assert view.text(position.record, view.parse(position.record, text)) == text
        for _ in range(4):
            if legal := position.legal():
                position.play(rng.choice([legal[0], rng.choice(legal)]))
                view.svg(position.record, position.state)
        text = position.text()
        assert view.text(position.record, view.parse(position.record, text)) == text
    assert read > 150


def spoilt(line, rng):
    """A line with one or two faults."""
    for _ in range(rng.randint(1, 2)):
        a, b = sorted(rng.choices(range(len(line) + 1), k=2))
        numbers = [match.span() for match in re.finditer(r"(?<![a-z0-9])\d+", line)]
        first, last = rng.choice(numbers or [(a, b)])
        number = rng.choice([0, 1, 2, 3, 9, 16, 20, 2**31, 2**64, rng.randint(0, 70)])
        other = line[:first] + str(number) + line[last:]
        one, two = rng.sample("placnbrqk", 2)
        sign = rng.choice("0123456789;,+/-= placnbrqk")
        faults = [line[:a], line[:a] + line[b:], line[:b] + line[a:], line[:a] + sign + line[b:]]
        line = rng.choice([*faults, other, other, other, line.replace(one, two, 1)])
    return line


# --- pictures -----------------------------------------------------------------------------------


def drawn(svg):
    """Words of a picture, and how many men of White and of Black it shows."""
    picture = ElementTree.fromstring(svg)
    words = [node.text for node in picture.iter() if node.tag.endswith("text")]
    tags = [node.tag.rpartition("}")[2] for node in picture.iter()]
    return (
        words,
        tags.count("circle"),
        sum("rx='5'" in row for row in re.findall("<rect[^>]*", svg)),
    )


@pytest.mark.parametrize(
    ("line", "men", "words"),
    [
        (SHOP, (3, 3), ("round 3 · shop", "against ghost", "14 HP", "7 gold, level 2", "knight 3")),
        (RIVAL, (2, 2), ("against rival", "9 HP", "2 gold, level 1", "lance 2")),
        (DUEL, (3, 2), ("round 0 · stand", "against duel")),
        (RECORDED, (9, 3), ("round 5 · shop", "against recorded")),
        (OVER, (4, 2), ("round 10 · clear",)),
    ],
)
def test_a_picture_shows_both_armies_and_what_the_mover_has(record, line, men, words):
    seen, *counted = drawn(view.svg(record, view.parse(record, line)))
    assert tuple(counted) == men
    assert [word for word in words if word not in seen] == []


def test_a_picture_frames_where_a_piece_was_put(record):
    position = play(opened("duel"), "place q d1")
    framed = view.svg(record, position.state, view.parse_action(record, "place q d1"))
    assert framed.count("stroke-width='3'") == 1
    assert view.svg(record, position.state).count("stroke-width='3'") == 0


def test_a_battle_is_drawn_as_white_sees_it():
    white = board_svg(parse_fen("4k3/8/8/8/8/8/4R3/4K3 w - -"), "placnbrqk", "e2e1")
    black = board_svg(parse_fen("4k3/8/8/8/8/8/4R3/4K3 b - -"), "placnbrqk", told="move 3")
    assert "Black to move" in black
    assert "move 3" in drawn(black)[0]
    assert "White to move" in white
    assert white.count("stroke-width='3'") == 2
    assert drawn(white)[1:] == drawn(black)[1:] == (2, 1)
    men = [re.findall("<circle[^>]*>|<rect[^>]*rx='5'[^>]*>", svg) for svg in (white, black)]
    assert men[0] == men[1]
