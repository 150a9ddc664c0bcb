"""Golden games that a person can read: a change of the rules, or of how policies play, is a diff.

A file's first line says which game of which run it holds; then every action, each followed by the
position it led to. A new file needs only its first line. After a change that is meant:
`pytest tests/games/test_playthroughs.py --regenerate`, and read the diff.
"""

import re
from pathlib import Path

import pytest

from lab.catalog import GAMES, load_game, load_rules
from lab.play import Position, trace

FOLDER = Path(__file__).parents[1] / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))
HEADER = r"# (?P<game>\S+) (?P<version>\S+), (?P<first>\S+) against (?P<second>\S+)"
HEADER += r", seed (?P<seed>\d+), game (?P<index>\d+)"

every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def read(file):
    """A file's header as its parts, and its other lines."""
    header, *lines = file.read_text(encoding="utf-8").splitlines()
    return re.fullmatch(HEADER, header).groupdict(), lines


def played(position, actions):
    """The lines of a game from its start."""
    view, lines = position.game.view, [position.text()]
    for action in actions:
        words = view.action_text(position.record, action)
        position.play(action)
        lines += ["", f"> {words}", position.text()]
    return lines


@every_file
def test_the_policies_play_it_again(file, regenerate):
    told, lines = read(file)
    game, rules = load_game(told["game"]), load_rules(told["game"], told["version"])
    seats, run = (told["first"], told["second"]), (int(told["seed"]), int(told["index"]))
    position, actions, _ = trace(game, rules, *seats, *run)
    again = played(position, actions)
    if regenerate:
        header = file.read_text(encoding="utf-8").splitlines()[0]
        file.write_text("\n".join([header, *again, ""]), encoding="utf-8")
    else:
        assert lines == again


@every_file
def test_its_actions_lead_to_its_positions(file):
    told, lines = read(file)
    run = int(told["seed"]), int(told["index"])
    position = Position(load_game(told["game"]), load_rules(told["game"], told["version"]), *run)
    parse, record = position.game.view.parse_action, position.record
    actions = [parse(record, line.removeprefix("> ")) for line in lines if line.startswith("> ")]
    assert played(position, actions) == lines


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_one(name):
    assert any(read(file)[0]["game"] == name for file in FILES)
