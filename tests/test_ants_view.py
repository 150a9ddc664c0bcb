"""Positions of ants that a person types, and pictures of them."""

from xml.etree import ElementTree

import pytest

from lab.catalog import load_game, load_rules
from lab.errors import BadInput
from lab.games.ants import view
from lab.play import Position

RULES = load_rules("ants")
START = (
    "turn=p1 round=1 ap=3 resources=4/4 siege=0/0 fresh=0+0 gathered=0"
    " p1=-3,3:1q1w p2=3,-3:1q1w scent1=- scent2=-"
)


@pytest.fixture(scope="module")
def record():
    return load_game("ants").record(RULES)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("p1=-3,3:1q1w", "p1=-3,3:1q;4,0:1w", "found 4,0, expected a cell q,r of the board"),
        ("p1=-3,3:1q1w", "p1=-3,3:1q;0,0:1q", "queens only on their nest -3,3"),
        ("p1=-3,3:1q1w", "p1=-3,3:1q;-3,3:1w", "found cell -3,3 twice"),
        ("p1=-3,3:1q1w", "p1=-3,3:1w1q", "found 1w1q, expected queens, workers and soldiers"),
        ("p1=-3,3:1q1w", "p1=-3,3:1w", "found no queen"),
        ("scent1=-", "scent1=0,0:4", "position scent1=0,0:4: found 4, expected a whole number"),
        ("scent1=- scent2=-", "scent1=0,0:1 scent2=0,0:1", "a second pheromone on 0,0"),
        ("fresh=0+0", "fresh=2+0", "found 2 workers, expected at most the 1 workers"),
        ("ap=3", "ap=4", "position ap=4: found 4, expected a whole number from 0 to 3"),
        ("round=1", "round=41", "expected a whole number from 1 to 40"),
        ("resources=4/4", "resources=-1/4", "found -1, expected a whole number from 0"),
        ("resources=4/4", "resources=4", "expected two numbers with / between them"),
        ("turn=p1", "turn=p3", "did you mean 'p"),
        ("turn=p1", "turn=over winner=p1", "found no ending"),
        ("turn=p1", "turn=p1 winner=p1", "only behind turn=over"),
        ("gathered", "gatherd", "did you mean 'gathered'?"),
        ("ap=3", "", "found no ap"),
        ("ap=3", "ap=3 ap=3", "found ap twice"),
        ("ap=3", "ap", "found 'ap', expected key=value"),
    ],
)
def test_a_wrong_position_says_which_word_is_wrong(record, old, new, message):
    with pytest.raises(BadInput) as caught:
        view.parse(record, START.replace(old, new))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("produce workr", "did you mean 'produce worker'?"),
        ("place 0,0", "did you mean 'placePheromone q,r'?"),
        ("reinforce 9,9", "expected a cell q,r of the board of radius 3"),
        ("gather 0,0", "expected one of end"),
    ],
)
def test_a_wrong_action_names_the_nearest(record, words, message):
    with pytest.raises(BadInput) as caught:
        view.parse_action(record, words)
    assert message in str(caught.value)


def test_words_may_come_in_any_order(record):
    backwards = " ".join(reversed(START.split()))
    assert view.text(record, view.parse(record, backwards)) == START


def test_two_queens_that_fall_in_one_turn_draw():
    text = START.replace("p1=-3,3:1q1w p2=3,-3:1q1w", "p1=-3,3:1q;3,-3:2s p2=-3,3:2s;3,-3:1q")
    position = Position(load_game("ants"), RULES)
    position.read(text)
    position.play(view.parse_action(position.record, "end"))
    assert position.text().startswith("turn=over winner=draw ending=double-queen")


@pytest.mark.parametrize("radius", [2, 3, 4])
def test_a_picture_shows_every_cell_and_ant(radius):
    nests = [[-2, 2], [2, -2]]
    rules = RULES.override({"/board/radius": 4, "/board/nests": nests, "/board/points": [[1, 1]]})
    here = load_game("ants").record(rules.override({"/board/radius": radius}))
    ants = "p1=-2,2:1q23w p2=2,-2:1q45s scent1=0,0:2"
    text = START.replace("p1=-3,3:1q1w p2=3,-3:1q1w scent1=-", ants)
    action = view.parse_action(here, "reinforce 0,0")
    picture = ElementTree.fromstring(view.svg(here, view.parse(here, text), action))
    tags = [element.tag.rpartition("}")[2] for element in picture]
    words = {element.text for element in picture}
    assert tags.count("polygon") == 3 * radius * (radius + 1) + 1 + 1  # the cells and the frame
    assert {"A", "B", "◎", "23", "45", "p1 to play"} <= words


def test_a_picture_of_the_end_says_who_won(record):
    over = START.replace("turn=p1", "turn=over winner=p2 ending=siege")
    picture = view.svg(record, view.parse(record, over))
    assert "p2 wins" in picture
    assert "round 1 · siege" in picture
