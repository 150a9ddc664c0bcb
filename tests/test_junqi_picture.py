"""Pictures of junqi: the board, the pieces a seat sees, and where the last move went."""

from xml.etree import ElementTree

import pytest

from lab.games.junqi import view
from lab.play import Position
from tests.test_junqi_view import DUEL, GAME, LATE_GAME, OVER, RULES, drawn


@pytest.fixture(scope="module")
def record():
    return GAME.record(RULES)


def words_of(svg):
    return [node.text for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("text")]


def tags(svg, name):
    return [node for node in ElementTree.fromstring(svg).iter() if node.tag.endswith(name)]


def test_a_picture_shows_the_board_and_every_piece(record):
    picture = view.svg(record, view.parse(record, LATE_GAME))
    words = words_of(picture)
    assert {"Black to move", "ply 211 · 7 quiet", "4 left", *"ABCDE", "F", "12"} <= set(words)
    assert words.count("M") == 1
    assert len(tags(picture, "circle")) == 10
    assert picture.count("rx='8'") == 4  # the second frames of headquarters
    assert len([line for line in tags(picture, "line") if line.get("stroke-width") == "7"]) == 36
    assert len([line for line in tags(picture, "line") if line.get("stroke-width") == "2"]) == 100


def test_a_picture_of_empty_nodes_names_them(record):
    words = words_of(view.svg(record, view.parse(record, DUEL)))
    assert "A6" not in words
    assert {"A7", "CF", "E12"} <= set(words)


@pytest.mark.parametrize(
    ("words", "whole", "dashed"),
    [("A5-A6", 1, 1), ("A1-A2", 1, 1), ("swap A1 C2", 2, 0), ("ready", 0, 0), ("late", 0, 0)],
)
def test_a_picture_frames_both_ends_of_the_last_move(record, words, whole, dashed):
    state = view.parse(record, DUEL)
    picture = view.svg(record, state, view.parse_action(record, words))
    assert picture.count("stroke-dasharray") == dashed
    assert picture.count("stroke-width='3'") == whole + dashed
    assert "stroke-width='3'" not in view.svg(record, state)


def test_a_picture_says_who_sets_up_and_how_it_ended(record):
    assert "White sets up" in words_of(view.svg(record, view.parse(record, drawn())))
    words = words_of(view.svg(record, view.parse(record, OVER)))
    assert {"White wins", "flag · ply 90 · 0 quiet"} <= set(words)
    over = OVER.replace("ending=flag winner=first", "ending=agreed winner=draw")
    assert "draw" in words_of(view.svg(record, view.parse(record, over)))


def test_a_picture_hides_what_a_seat_does_not_know():
    position = Position(GAME, RULES)
    for place in range(2):
        words = words_of(view.svg(position.record, position.seen(place).state))
        assert words.count("?") == 25
