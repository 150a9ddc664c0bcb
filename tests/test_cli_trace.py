"""What `lab trace --view` shows: every position as a seat knows it, in any game."""

import json
import re

import pytest

from lab.catalog import GAMES, load_game
from lab.play import trace
from tests import verbs
from tests.rulesets import SHORT, short_rules

OPEN = {"ants"}
"""Games in which nothing is hidden and nothing is left to chance."""
pytestmark = pytest.mark.usefixtures("quiet")


def traced(name, *words):
    """The lines of game 3 of seed 7, on a short game, without its first and its last one."""
    short = [f"--set={place}={json.dumps(value)}" for place, value in SHORT.get(name, {}).items()]
    return verbs.out("trace", name, "--seed", 7, "--game", 3, *short, *words).splitlines()[1:-1]


def positions(name):
    """The positions of the same game."""
    game, rules = load_game(name), short_rules(name)
    position, actions, _ = trace(game, rules, *game.pair, 7, 3)
    yield position
    for action in actions:
        position.play(action)
        yield position


@pytest.mark.parametrize("name", GAMES)
def test_both_seats_are_shown_as_they_know_each_position(name):
    told = [line[6:].partition(" ") for line in traced(name, "--view", "both")]
    views = [(seat, text.strip()) for seat, _, text in told if seat in ("first", "second", "both")]
    known = []
    for position in positions(name):
        seen = [position.seen(place).text() for place in range(2)]
        if seen[0] == seen[1]:  # told once
            known.append(("both", seen[0]))
        else:
            known += zip(("first", "second"), seen, strict=True)
        if name in OPEN:
            assert seen == [position.text()] * 2
    assert views == known


@pytest.mark.parametrize("seat", ["first", "second"])
def test_one_seat_is_shown_alone_and_drawn_as_it_sees(seat, tmp_path):
    both, one = (
        traced("junqi", "--view", "both"),
        traced("junqi", "--view", seat, "--svg", tmp_path),
    )
    assert [line[6:] for line in one] == [
        line[6:] for line in both if line[6:].startswith(seat) or "@" not in line
    ]
    pictures = sorted(path.name for path in tmp_path.iterdir())
    assert pictures[:2] == [f"0000-{seat}.svg", f"0001-{seat}.svg"]
    assert "?" in (tmp_path / pictures[0]).read_text(encoding="utf-8")


def test_a_side_of_junqi_never_sees_a_rank_of_the_other(tmp_path):
    for line in traced("junqi", "--view", "both"):
        for colour, kind, _, may in re.findall(r"([wb])(\S)@(\w+)(:\S+)?", line):
            own = line[6:].startswith("first") == (colour == "w")
            assert (kind == "?") != own
            assert not (own and may)


def test_all_of_every_position_is_shown_where_no_seat_is_named(tmp_path):
    lines = [line[6:] for line in traced("junqi", "--svg", tmp_path) if "@" in line]
    assert lines == [position.text() for position in positions("junqi")]
    assert len(list(tmp_path.iterdir())) == len(lines)


def test_an_unknown_view_is_refused():
    done = verbs.run("trace", "junqi", "--seed", 7, "--game", 3, "--view", "third")
    assert done.exit_code == 2
    assert "found 'third', expected one of first, second, both" in done.stderr
