"""Positions and orders of NEXT NATION that a person types."""

import re
from random import Random

import numpy as np
import pytest

from lab.catalog import load_game, load_rules
from lab.errors import BadInput
from lab.games.next_nation import view
from lab.games.next_nation.state import NONE
from lab.play import Position, trace

# Seed 7: 61 regions, strongholds 7 11 14 20 22 30 38 40 46 49 53.
START = (
    "map=7 day=1 turn=left phase=upgrade gold=500/500 training=0/0 born=3/3 raised=-"
    " left=1:0:4;2:0:4;3:0:4 right=1:60:4;2:60:4;3:60:4 buildings=L0:1:10;R60:1:10"
)
MIDDLE = (
    "map=7 day=90 turn=right phase=end gold=12/7340 training=0/2 born=9/14 raised=7;30;60"
    " left=2:7:3>53;5:0:4;9:7:1 right=1:60:8;8:30:5;14:53:2>0 buildings=L0:2:3;R53:3:18;R60:2:15"
)
OVER = (
    "map=7 day=33 turn=right phase=end gold=0/0 training=0/0 born=3/3 raised=-"
    " left=- right=2:0:1 buildings=R60:1:10 ending=hq-destroyed"
)


@pytest.fixture(scope="module")
def record():
    return load_game("next_nation").record(load_rules("next_nation"))


@pytest.mark.parametrize("line", [START, MIDDLE, OVER])
def test_a_position_reads_back_and_its_words_may_come_in_any_order(record, line):
    assert view.text(record, view.parse(record, line)) == line
    words = [
        key + equals + ";".join(reversed(value.split(";")))
        for key, equals, value in (word.partition("=") for word in reversed(line.split()))
    ]
    assert view.text(record, view.parse(record, " ".join(words))) == line


def test_a_position_has_all_that_the_kernels_keep():
    rules = load_rules("next_nation")
    position, actions, _ = trace(load_game("next_nation"), rules, "rush", "macro", 3, 1)
    for action in actions:
        read = view.parse(position.record, position.text())
        for key in read.dtype.names:
            if key in ("number", "place", "health", "target"):  # filled as far as somebody lives
                pairs = zip(read[key], position.state[key], read["living"], strict=True)
                assert all((a[:n] == b[:n]).all() for a, b, n in pairs), key
            elif key not in ("event", "told", "stood"):  # of the day before, and scratch
                assert np.array_equal(read[key], position.state[key]), key
        position.play(action)
    assert view.parse(position.record, position.text())["winner"] == position.state["winner"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("map=7", "map=seven", "position map=seven: found seven, expected a seed"),
        ("map=7", "map=9223372036854775808", "expected a seed, a whole number of 64 bits"),
        ("map=7", "map=476", "map of seed 476: found room for 13 strongholds, expected 15"),
        ("map=7", "map=-1", "position map=-1: found -1, expected the seed of a map"),
        ("map=7", "", "found no map"),
        ("day=1", "day=201", "position day=201: found 201, expected a whole number from 1 to 200"),
        ("day=1", "day=0", "found 0, expected a whole number from 1"),
        ("turn=left", "turn=lift", "did you mean 'left'?"),
        ("phase=upgrade", "phase=over", "expected one of upgrade, move, end"),
        ("gold=500/500", "gold=500", "expected two numbers with / between them"),
        ("gold=500/500", "gold=500/-1", "found -1, expected a whole number from 0"),
        ("gold=500/500", "gold=500/100000001", "from 0 to 100000000"),
        ("training=0/0", "training=1/0", "found 1, expected a whole number from 0 to 0"),
        ("training=0/0", "training=9/0", "found 9, expected a whole number from 0 to 3"),
        ("phase=upgrade", "phase=end training=2/0", "found training twice"),
        ("born=3/3", "born=2/3", "position left=1:0:4;2:0:4;3:0:4: found 3, expected a whole"),
        ("born=3/3", "born=3/604", "found 604, expected a whole number from 0 to 603"),
        ("raised=-", "raised=60", "found 60, expected no upgrade of RIGHT while LEFT"),
        ("raised=-", "raised=0;0", "found region 0 twice"),
        ("raised=-", "raised=7", "found 7, expected a site where one side alone has warriors"),
        ("raised=-", "raised=61", "found 61, expected a whole number from 0 to 60"),
        ("raised=-", "raised=", "found nothing, expected a whole number"),
        ("3:0:4 right", "3:0:9 right", "found 9, expected a whole number from 1 to 8"),
        ("3:0:4 right", "3:0:0 right", "found 0, expected a whole number from 1 to 8"),
        ("3:0:4 right", "3:61:4 right", "found 61, expected a whole number from 0 to 60"),
        ("3:0:4 right", "3:0:4>61 right", "found 61, expected a whole number from 0 to 60"),
        ("3:0:4 right", "2:0:4 right", "found warrior 2 twice"),
        ("3:0:4 right", "3:0 right", "found 3:0, expected a warrior number:region:hp"),
        ("3:0:4 right", "3:0:4; right", "found nothing, expected a warrior"),
        ("L0:1:10", "L0:1:11", "found 11, expected a whole number from 1 to 10"),
        ("L0:1:10", "L0:6:10", "found 6, expected a whole number from 1 to 5"),
        ("L0:1:10", "L0:1:10;L7:4:6", "found 4, expected a whole number from 1 to 3"),
        ("L0:1:10", "L0:1:10;L8:1:6", "found region 8, expected a stronghold or an HQ's region"),
        ("L0:1:10", "L0:1:10;L7:1:6;R7:1:6", "found a second building in region 7"),
        ("L0:1:10", "L0:1:10;R0:1:10", "found R0:1:10, expected only LEFT's HQ in region 0"),
        ("L0:1:10", "L0:1:10;7:1:6", "found 7:1:6, expected a building such as L0:1:10"),
        ("L0:1:10;", "", "found an HQ destroyed, expected ending to say so"),
        ("R60:1:10", "R60:1:10 ending=day-limit", "found left, expected right when the game is"),
        ("gold", "golt", "did you mean 'gold'?"),
        ("day=1", "day=1 day=1", "found day twice"),
        ("day=1", "day", "found 'day', expected key=value"),
    ],
)
def test_a_wrong_position_says_which_word_is_wrong(record, old, new, message):
    assert old in START
    assert message in refusal(view.parse, record, START.replace(old, new, 1))


@pytest.mark.parametrize(
    ("line", "old", "new", "message"),
    [
        (MIDDLE, "training=0/2", "training=0/3", "found 3, expected a whole number from 0 to 2"),
        (MIDDLE, "raised=7", "raised=20", "found 20, expected a site where one side alone"),
        (MIDDLE, "8:30:5", "8:7:5", "found 7, expected a site where one side alone"),
        (OVER, "ending=hq", "ending=h", "(did you mean 'hq-destroyed'?)"),
        (OVER, "raised=-", "raised=60", "found 60, expected - when the game is over"),
        (OVER, "training=0/0", "training=0/1", "found 0/1, expected 0/0 when the game is over"),
        (OVER, "hq-destroyed", "day-limit", "found day 33, expected day 200"),
        (OVER, "R60", "L0:1:10;R60", "found both HQs, expected ending to say so"),
    ],
)
def test_a_wrong_day_or_end_says_so_too(record, line, old, new, message):
    assert message in refusal(view.parse, record, line.replace(old, new, 1))


def refusal(function, *arguments):
    with pytest.raises(BadInput) as caught:
        function(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "action: found '', expected one of end, upgrade r, move w r, train n"),
        ("upgrad 14", "did you mean 'upgrade r'?"),
        ("move 3", "did you mean 'move w r'?"),
        ("end 3", "expected one of end"),
        ("move 0 14", "action 'move 0 14': found 0, expected a whole number from 1 to 1203"),
        ("move 3 A1", "found A1, expected a whole number from 0 to 248"),
        ("train 4", "found 4, expected a whole number from 0 to 3"),
    ],
)
def test_a_wrong_order_names_the_nearest(record, words, message):
    assert message in refusal(view.parse_action, record, words)


@pytest.mark.parametrize("order", ["end", "upgrade 14", "move 1203 248", "train 0", "train 3"])
def test_an_order_reads_back(record, order):
    assert view.action_text(record, view.parse_action(record, order)) == order


@pytest.mark.parametrize(
    ("left", "right", "winner"), [("10", "9", 0), ("4", "9", 1), ("9", "9", 2), ("-", "9", 1)]
)
def test_the_winner_follows_from_the_headquarters(record, left, right, winner):
    standing = f"R60:1:{right}" if left == "-" else f"L0:1:{left};R60:1:{right}"
    ending = "hq-destroyed" if left == "-" else "day-limit"
    over = OVER.replace("day=33", "day=200").replace("R60:1:10", standing)
    state = view.parse(record, over.replace("hq-destroyed", ending))
    assert state["winner"] == winner


def test_a_refused_position_leaves_the_one_before():
    position = Position(load_game("next_nation"), load_rules("next_nation"))
    before = position.text()
    with pytest.raises(BadInput):
        position.read(START.replace("born=3/3", "born=2/3"))
    assert position.text() == before
    position.read(START)
    assert position.text() == START


def test_a_map_of_unknown_seed_reads_back_where_it_is():
    position = Position(load_game("next_nation"), load_rules("next_nation"))
    position.read(START)
    position.record["maps"]["seed"][0] = NONE
    assert position.text() == START.replace("map=7", "map=-1")
    position.read(position.text())
    assert position.legal()


def test_spoilt_positions_are_refused_in_one_line_or_play_on(record):
    """Cut, doubled and exchanged characters and numbers of all sizes: never a crash."""
    position, rng = Position(load_game("next_nation"), load_rules("next_nation")), Random(5)
    read = 0
    for _ in range(1500):
        line, error = spoilt(rng.choice([START, MIDDLE, OVER]), rng), ""
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
        for _ in range(12):
            if legal := position.legal():
                position.play(rng.choice([0, rng.choice(legal)]))
    assert read > 100


def spoilt(line, rng):
    """A line with one or two faults."""
    for _ in range(rng.randint(1, 2)):
        a, b = sorted(rng.choices(range(len(line) + 1), k=2))
        numbers = [match.span() for match in re.finditer(r"(?<!map=)\b\d+", line)]
        first, last = rng.choice(numbers or [(a, b)])
        number = rng.choice([0, 1, 7, 53, 60, 603, 1203, 2**31, 2**64, rng.randint(0, 70)])
        other = line[:first] + str(number) + line[last:]
        sign = rng.choice("0123456789;:>-=/ LR")
        faults = [line[:a], line[:a] + line[b:], line[:b] + line[a:], line[:a] + sign + line[b:]]
        line = rng.choice([*faults, other, other, other])
    return line
