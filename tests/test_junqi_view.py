"""Positions and actions of junqi that a person types."""

import re
from random import Random

import pytest

from lab.catalog import load_game, load_rules
from lab.errors import BadInput
from lab.games.junqi import view
from lab.games.junqi.state import STATE
from lab.play import Position, trace
from tests import verbs
from tests.seats import pairs
from tests.toy import refusal

GAME, RULES = load_game("junqi"), load_rules("junqi")
LOOSE = ("alive", "moved", "guess", "held", "tried", "man", "can", "rng")
"""What a text tells of a state up to the numbers of men, or not at all; the scratch of a world."""
LATE_GAME = (
    "wF@B1 w9@D2:9 w5@A6:1-9X w1@CF:1-9 b3@C9:1-4 bX@A10:1-9X bF@D12:MF bM@E12:MF"
    " turn=b quiet=7 ply=211 timed=wb late=1/0 offer=w offered=209/-"
    " gone=w:1-8;w:4-6;b:1X"
)
OVER = "wF@B1 b3@C9 w5@D12:1-9X turn=b quiet=0 ply=90 ending=flag winner=first"
DUEL = "w9@A1 wF@B1 w5@A6 b1@A12 bF@D12 turn=w quiet=0"
pytestmark = pytest.mark.usefixtures("quiet")


@pytest.fixture(scope="module")
def record():
    return GAME.record(RULES)


def drawn():
    """A set-up as it is drawn."""
    return Position(GAME, RULES, seed=3).text()


def exchanged(text, one, other):
    """The text with the pieces on two nodes exchanged."""
    first, second = (re.search(rf"(\S+)@{node}\b", text)[1] for node in (one, other))
    text = text.replace(f"{first}@{one}", f"{second}@{one}", 1)
    return text.replace(f"{second}@{other}", f"{first}@{other}", 1)


# --- positions read back ------------------------------------------------------------------------


@pytest.mark.parametrize("line", [LATE_GAME, OVER])
def test_a_position_reads_back_and_its_words_may_come_in_any_order(record, line):
    assert view.text(record, view.parse(record, line)) == line
    assert view.text(record, view.parse(record, " ".join(reversed(line.split())))) == line


@pytest.mark.parametrize("switch", [{}, {"/board/headquarters_hold": False}])
def test_every_position_of_play_reads_back(switch):
    rules = RULES.override(switch)
    seats = pairs("junqi")
    timed = ("random:think=60,offer=5", "random:think=25,drop=200,accept=3")
    for first, second in [*seats[:: len(seats) // 3], timed]:
        position, actions, _ = trace(GAME, rules, first, second, 4, 2)
        again = position.copy()
        for action in [*actions, None]:
            again.read(position.text())
            assert again.text() == position.text()
            told = [name for name in STATE.names if name not in LOOSE]
            assert [n for n in told if (again.state[n] != position.state[n]).any()] == []
            assert position.legal() == again.legal()
            if action is not None:
                position.play(action)


def test_a_set_up_may_be_typed_without_what_is_known_of_it(record):
    """8.1 That follows from the places."""
    text = drawn()
    bare = re.sub(r"(@\w+):\S+", r"\1", text)
    assert bare != text
    assert view.text(record, view.parse(record, bare)) == text


def test_a_position_may_be_partial(record):
    """Of pieces that are not told of nothing is known; they are gone."""
    state = view.parse(record, DUEL)
    assert view.text(record, state) == DUEL
    assert state["options"].tolist() == [3 * 12, 2 * 12]


def test_what_a_piece_may_be_is_told_in_short(record):
    for kinds, told in (
        ("1-9", "1-9"),
        ("12", "12"),
        ("123", "1-3"),
        ("2-46-9X", "2-46-9X"),
        ("79XMF", "79XMF"),
        ("1-9XMF", ""),
    ):
        own = re.search("[1-9]", kinds)[0]
        state = view.parse(record, f"w{own}@A6:{kinds} turn=w quiet=0")
        assert view.text(record, state).split()[0] == f"w{own}@A6{told and ':' + told}"


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "old", "new", "message"),
    [
        (DUEL, "b1@A12", "b1@A6", "position b1@A6: found a second piece on A6, expected one piece"),
        (DUEL, "w5@A6", "w5@A13", "found node 'A13', expected a node such as A1, CF or E12 (did"),
        (DUEL, "w5@A6", "w5@BF", "found node 'BF', expected a node such as A1, CF or E12 (did you"),
        (DUEL, "w5@A6", "w5@a6", "found node 'a6', expected a node such as A1, CF or E12"),
        (DUEL, "w5@A6", "w5@", "found node '', expected a node such as A1"),
        (DUEL, "w5@A6", "w0@A6", "position w0@A6: found 'w0@A6', expected w or b, one of 12345678"),
        (DUEL, "w5@A6", "w?@A6", "found 'w?@A6', expected w or b, one of 123456789XMF and a node"),
        (
            DUEL,
            "w5@A6",
            "w55@A6",
            "found 'w55@A6', expected w or b, one of 123456789XMF and a node",
        ),
        (DUEL, "w5@A6", "r5@A6", "found 'r5@A6', expected w or b, one of 123456789XMF and a node"),
        (DUEL, "w5@A6", "@A6", "found '@A6', expected w or b, one of 123456789XMF and a node"),
        (DUEL, "w5@A6", "w9@A6", "found 2 of w9, expected at most 1 (the marshals of a side)"),
        (DUEL, "wF@B1", "wF@B1 wF@D1", "found 2 of wF, expected at most 1 (the flags of a side)"),
        (DUEL, "w5@A6", "wM@A3", "position wM@A3: found a mine on A3, expected one on its 2 back"),
        (DUEL, "w5@A6", "wM@D1", "found a mine on D1, expected one on its 2 back rows, not in a h"),
        (DUEL, "w5@A6", "wM@A11", "found a mine on A11, expected one on its 2 back rows"),
        (DUEL, "w5@A6", "wM@AF", "found a mine on AF, expected one on its 2 back rows"),
        (DUEL, "b1@A12", "bM@A10", "found a mine on A10, expected one on its 2 back rows"),
        (DUEL, "wF@B1", "wF@C1", "found a flag on C1, expected one in a headquarters of its side"),
        (
            DUEL,
            "wF@B1",
            "wF@B12",
            "found a flag on B12, expected one in a headquarters of its side",
        ),
        (
            DUEL,
            "w5@A6",
            "w5@A6:1-4",
            "position w5@A6:1-4: found '1-4', expected kinds with its own",
        ),
        (DUEL, "w5@A6", "w5@A6:", "found '', expected kinds such as 1-9X"),
        (DUEL, "w5@A6", "w5@A6:5-1", "expected kinds such as 1-9X"),
        (DUEL, "w5@A6", "w5@A6:1-X", "found '1-X', expected kinds such as 1-9X"),
        (DUEL, "w5@A6", "w5@A6:?", "found '?', expected kinds such as 1-9X"),
        (DUEL, "w5@A6", "w5A6", "position: found 'w5A6', expected key=value"),
        (DUEL, "turn=w", "turn=white", "turn=white: found white, expected one of w, b"),
        (DUEL, "turn=w", "turn=wb", "turn=wb: found wb, expected one of w, b"),
        (DUEL, "turn=w", "turn=", "turn=: found nothing, expected one of w, b"),
        (DUEL, "turn=w", "", "found no turn, expected turn=..."),
        (DUEL, "w9@A1 wF@B1 w5@A6", "wF@B1 w9@D1", "turn=w: found no legal move, expected one, or"),
        (
            DUEL,
            "quiet=0",
            "quiet=101",
            "quiet=101: found 101, expected a whole number from 0 to 100",
        ),
        (
            DUEL,
            "quiet=0",
            "quiet=100",
            "found 100, expected less than 100, or how it ended",
        ),
        (DUEL, "quiet=0", "quiet=-1", "found -1, expected a whole number from 0 to 100"),
        (DUEL, "quiet=0", "quiet=0 quiet=1", "found quiet twice, expected each key once"),
        (DUEL, "quiet=0", "quite=0", "(did you mean 'quiet'?)"),
        (LATE_GAME, "ply=211", "ply=99999", "found 99999, expected a whole number from 0 to 12000"),
        (LATE_GAME, "timed=wb", "timed=bw", "timed=bw: found bw, expected one of w, b, wb"),
        (LATE_GAME, "timed=wb", "timed=", "timed=: found nothing, expected one of w, b, wb"),
        (LATE_GAME, "late=1/0", "late=4/0", "found 4, expected a whole number from 0 to 3"),
        (LATE_GAME, "late=1/0", "late=0/3", "late=0/3: found 0/3, expected less than 3, or how it"),
        (LATE_GAME, "late=1/0", "late=1", "expected two numbers with / between them"),
        (LATE_GAME, "offer=w", "offer=x", "offer=x: found x, expected one of w, b"),
        (LATE_GAME, "offer=w", "offer=wb", "offer=wb: found wb, expected one of w, b"),
        (LATE_GAME, "offer=w", "offer=", "offer=: found nothing, expected one of w, b"),
        (LATE_GAME, "=209/-", "=212/-", "found 212, expected a whole number from 0 to 211"),
        (LATE_GAME, "=209/-", "=209", "found 209, expected two plies, or -, with / between them"),
        (LATE_GAME, "w:1-8;", "w;", "found '', expected kinds such as 1-9X"),
        (LATE_GAME, "w:1-8;", "x:1-8;", "found x:1-8, expected w: or b: and kinds, such as w:1-9X"),
        (LATE_GAME, "w:1-8;", "wb:1-8;", "found wb:1-8, expected w: or b: and kinds, such as"),
        (
            LATE_GAME,
            "w:1-8;",
            "w:1;" * 30,
            "found too many pieces of w, expected one for each place",
        ),
        (LATE_GAME, "ply=211", "ply=211 phase=play", "found play, expected one of setup"),
        (OVER, " winner=first", "", "found no winner, expected winner=..."),
        (OVER, "ending=flag", "", "found no ending, expected ending=..."),
        (OVER, "ending=flag", "ending=flg", "(did you mean 'flag'?)"),
        (OVER, "winner=first", "winner=draw", "found draw, expected first or second for flag"),
        (OVER, "ending=flag", "ending=quiet", "found first, expected draw for quiet"),
    ],
)
def test_a_wrong_position_says_which_word_is_wrong(record, line, old, new, message):
    assert old in line
    said = refusal(view.parse, record, line.replace(old, new, 1))
    assert message in said
    assert "\n" not in said


def moved(text, one, other):
    """The text with the piece of a node on another one."""
    return re.sub(rf"@{one}\b", f"@{other}", text)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda text: exchanged(text, "E1", "B1"),
            "found a mine on B1, expected one on its 2 back",
        ),
        (
            lambda text: exchanged(text, "E1", "A3"),
            "found a mine on A3, expected one on its 2 back",
        ),
        (
            lambda text: exchanged(text, "B2", "B6"),
            "found a bomb on B6, expected a bomb behind the",
        ),
        (
            lambda text: exchanged(text, "D12", "C12"),
            "found a flag on C12, expected one in a headq",
        ),
        (
            lambda text: moved(text, "A4", "B3"),
            "found a w piece on B3, expected one on each of its",
        ),
        (
            lambda text: moved(text, "A4", "B5"),
            "found no w piece on A4, expected one on each of its",
        ),
        (
            lambda text: moved(text, "A6", "AF"),
            "found no w piece on A6, expected one on each of its",
        ),
        (
            lambda text: moved(text, "A8", "CF"),
            "found a b piece on CF, expected one on each of its",
        ),
        (
            lambda text: text.replace("w8@", "w9@"),
            "found 2 of w9, expected at most 1 (the marshals",
        ),
        (
            lambda text: text.replace("b8@", "b7@"),
            "found 3 of b7, expected at most 2 (the division",
        ),
        (lambda text: re.sub(r"w8@\S+ ", "", text), "found no w piece on A4, expected one on each"),
        (lambda text: re.sub(r"b8@\S+ ", "", text), "found no b piece on E8, expected one on each"),
        (lambda text: text + " w1@AF", "position w1@AF: found too many pieces of w, expected"),
    ],
)
def test_a_wrong_set_up_is_refused_with_the_reason(record, spoil, message):
    text = re.sub(r"(@\w+):\S+", r"\1", drawn())
    assert view.parse(record, text) is not None
    said = refusal(view.parse, record, spoil(text))
    assert message in said
    assert "\n" not in said


def test_spoilt_positions_are_refused_in_one_line_or_play_on(record):
    """Cut, doubled and exchanged parts: never a crash, and what is read is told again."""
    position, rng, read = Position(GAME, RULES), Random(5), 0
    lines = (DUEL, LATE_GAME, OVER, drawn())
    for _ in range(1500):
        line, error = spoilt(rng.choice(lines), rng), ""
        try:
            position.read(line)
        except BadInput as refused:
            error = str(refused)
        assert "\n" not in error
        if error:
            continue
        read += 1
        for _ in range(3):
            text = position.text()
            assert view.text(record, view.parse(record, text)) == text
            view.svg(record, position.state)
            if legal := position.legal():
                position.play(rng.choice(legal))
    assert read > 150


def spoilt(line, rng):
    """A line with one or two faults."""
    for _ in range(rng.randint(1, 2)):
        words = line.split()
        a, b = rng.randrange(len(words)), rng.randrange(len(line))
        without = " ".join(words[:a] + words[a + 1 :])
        node = rng.choice(["A1", "C4", "AF", "E12", "B6", "D1", "A13"])
        sign = rng.choice("0123456789XMF;:-/@=wb ")
        line = rng.choice(
            [
                without,
                f"{line} {words[a]}",
                re.sub(r"@\w+", f"@{node}", line, count=1),
                line[:b] + sign + line[b + 1 :],
                line[:b] + line[b + 1 :],
                line[:b],
            ]
        )
    return line


# --- actions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    ["ready", "swap A1 C2", "swap E12 B7", "A6-A7", "AF-E12", *view.ACTION_KINDS[2:]],
)
def test_an_action_reads_back(record, words):
    assert view.action_text(record, view.parse_action(record, words)) == words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "",
            "action: found '', expected one of ready, swap A1 C2, A6-A7, timed, late, leave, offer",
        ),
        ("redy", "(did you mean 'ready'?)"),
        ("acept", "(did you mean 'accept'?)"),
        ("swap A1", "(did you mean 'swap A1 C2'?)"),
        (
            "swap A1 Q2",
            "action 'swap A1 Q2': found node 'Q2', expected a node such as A1, CF or E12",
        ),
        ("A6-A77", "action 'A6-A77': found node 'A77', expected a node such as A1, CF or E12 (did"),
        ("A6-A7-A8", "action: found 'A6-A7-A8', expected one of ready"),
        ("A6 A7", "action: found 'A6 A7', expected one of ready"),
        ("late late", "action: found 'late late', expected one of ready"),
    ],
)
def test_a_wrong_action_names_the_nearest(record, words, message):
    assert message in refusal(view.parse_action, record, words)


# --- the verbs ----------------------------------------------------------------------------------


def test_moves_are_listed_one_a_line_sorted():
    lines = verbs.out("moves", "junqi", "--position", DUEL).splitlines()
    assert lines[:3] == ["A1-A2", "A6-A10", "A6-A11"]
    assert len(lines) == 1 + 15
    assert lines == sorted(lines)
    turned = verbs.out("moves", "junqi", "--position", DUEL.replace("turn=w", "turn=b"))
    assert turned.splitlines() == ["A12-A11", "A12-B12"]


def test_perft_counts_lines_of_play():
    counted = verbs.out("perft", "junqi", "--position", DUEL, "--depth", 2).splitlines()
    assert counted == ["depth 1: 16", "32"]


def test_a_bad_position_is_one_line_of_a_verb():
    line = verbs.refusal("moves", "junqi", "--position", DUEL.replace("A6", "A66"))
    assert "found node 'A66', expected a node such as A1, CF or E12 (did you mean 'A6'?)" in line
