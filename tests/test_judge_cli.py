"""The verb that judges: what it prints, what it reads, what it refuses."""

import json

import pytest

from lab.games.next_nation import maps
from lab.games.next_nation.log import read
from tests import recorded, verbs
from tests.programs import MAP, SIDES, script_of, scripted
from tests.verbs import run

PATIENT = ("--set", "/clock/handshake=60000", "--set", "/clock/day=60000")
pytestmark = pytest.mark.usefixtures("quiet")


def judge(*words):
    return run("judge", "next_nation", *words)


def refusal(*words):
    return verbs.refusal("judge", "next_nation", *words)


@pytest.fixture
def players(tmp_path):
    """Commands of a match that RIGHT loses on its third day."""
    script = {"right": {"days": {"3": ["TRAIN 9"]}}}
    commands, _ = scripted(script, tmp_path)
    return [" ".join(command.words) for command in commands]


CAUSE = 'day 3: "TRAIN 9" trains more than 1, which is all that the HQ can'


def test_it_tells_who_has_won_and_why(tmp_path, players):
    place, log = tmp_path / "map.txt", tmp_path / "match.log"
    place.write_text(maps.text(MAP))
    folder = tmp_path / "stderr"
    options = ("--map", place, "--log", log, "--stderr-dir", folder, *PATIENT)
    done = judge("--left", players[0], "--right", players[1], *options)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == f"LEFT has won: RIGHT, {CAUSE}"
    found = read(log)
    assert found.result == ("LEFT_WIN", "WA")
    assert maps.text(found.map) == place.read_text()
    assert sorted(path.name for path in folder.iterdir()) == ["LEFT.txt", "RIGHT.txt"]


def test_json_tells_the_same(players):
    done = judge("--left", players[0], "--right", players[1], "--seed", 7, "--json", *PATIENT)
    found = json.loads(done.stdout)
    assert found["map_seed"] == 7
    assert [found[key] for key in ("winner", "reason", "day")] == ["first", "WA", 3]
    assert found["first"]["cause"] is None
    assert found["second"]["cause"] == CAUSE
    assert found["second"]["player"].endswith(players[1].split()[-1])


def test_a_game_that_ends_by_itself(tmp_path):
    played, place = read(recorded.HERE / "protocol" / "game_1.log"), tmp_path / "map.txt"
    place.write_text(maps.text(played.map))
    left, right = (" ".join(one.words) for one in scripted(script_of(played), tmp_path)[0])
    done = judge("--left", left, "--right", right, "--map", place, *PATIENT)
    told = f"LEFT has won: the other HQ was destroyed on day {len(played.days)}"
    assert done.stdout.splitlines()[-1] == told
    done = judge(
        "--left", "policy:economy", "--right", "policy:economy:bases=0", "--set", "/days=3"
    )
    assert done.stdout.splitlines()[-1] == "Draw: the HQs had equal hp after the last day, 3"


@pytest.mark.parametrize("heading", ["", "[match]\n"])
def test_a_config_file_names_what_the_command_line_does_not(tmp_path, players, heading):
    config, log = tmp_path / "config.ini", tmp_path / "match.log"
    lines = [f"{side.upper()}_CMD={player}" for side, player in zip(SIDES, players, strict=True)]
    config.write_text(heading + "\n".join([*lines, "seed = 7", f"LOG={log}", "# more", ""]))
    found = json.loads(judge("-c", config, "--json", *PATIENT).stdout)
    assert (found["map_seed"], found["second"]["cause"]) == (7, CAUSE)
    assert read(log).result == ("LEFT_WIN", "WA")
    found = json.loads(
        judge("-c", config, "--json", "--seed", 8, "--right", "policy:random").stdout
    )
    assert (found["map_seed"], found["second"]["player"]) == (8, "policy:random")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("LEFT_COMMAND=x\n", "key 'LEFT_COMMAND', expected one of LEFT_CMD, RIGHT_CMD"),
        ("LEFT_CMD\n", "expected lines KEY=VALUE"),
        ("LEFT_CMD=policy:random\nRIGHT_CMD=policy:random\nSEED=x\n", "SEED: found 'x'"),
        ("SEED=1\n", "--left: found nothing, expected a command or policy:NAME"),
    ],
)
def test_a_config_file_that_says_something_else_is_refused(tmp_path, text, line):
    config = tmp_path / "config.ini"
    config.write_text(text)
    assert line in refusal("-c", config)


def test_what_cannot_be_played_is_refused_in_one_line(tmp_path):
    pair = ("--left", "policy:random", "--right")
    assert "--right: found 'nosuch', expected a program" in refusal(*pair, "nosuch")
    assert "did you mean 'rush'?" in refusal(*pair, "policy:rusch")
    assert "found --seed 1 too, expected one of them" in refusal(
        *pair, "policy:random", "--seed", 1, "--map", tmp_path
    )
    assert "map of seed 476" in refusal(*pair, "policy:random", "--seed", 476)
    done = run("judge", "ants", "--left", "a", "--right", "b")
    assert done.exit_code == 2
    assert (
        done.stderr == "lab: game: found 'ants', expected next_nation, the one that programs play\n"
    )
