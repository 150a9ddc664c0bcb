import shutil

import pytest

from lab.catalog import load_game
from lab.errors import BadInput
from lab.judge.program import Command
from lab.tournament.bots import build, load_bots

PYTHON = shutil.which("python3")
TWO = '[[bot]]\npolicy = "random"\n[[bot]]\npolicy = "economy"\n'


@pytest.fixture
def load(tmp_path):
    """Loads the bots of a text, as a file in a folder with two bots in it."""
    for name in ("two", "one with a blank", ".hidden"):
        (tmp_path / "bots" / name).mkdir(parents=True)
    (tmp_path / "bots/lone.py").write_text("")

    def load(text):
        path = tmp_path / "bots.toml"
        path.write_text(text)
        return load_bots(path, load_game("next_nation"))

    return load


def test_a_bot_is_a_policy_or_a_program(load, tmp_path):
    text = """
[[bot]]
policy = "economy:spread=5"
[[bot]]
name = "mine"
command = "python3 main.py 'two words'"
folder = "bots/two"
env = { X = "1" }
"""
    policy, mine = load(text)
    assert (policy.name, policy.player()) == ("economy:spread=5", "economy:spread=5")
    folder = tmp_path / "bots/two"
    assert mine.player() == Command((PYTHON, "main.py", "two words"), folder, {"X": "1"})


def test_a_glob_finds_bots_by_name_each_in_its_folder(load, tmp_path):
    lone, blank, two = load(
        '[[bot]]\nglob = "bots/*"\ncommand = "python3 {path}/x"\nenv = { AT = "{path}" }\n'
    )
    bots = tmp_path / "bots"
    assert [bot.name for bot in (lone, blank, two)] == ["lone.py", "one with a blank", "two"]
    assert blank.player().words == (PYTHON, f"{bots}/one with a blank/x")
    assert (blank.folder, lone.folder) == (bots / "one with a blank", bots)
    assert two.env == {"AT": str(bots / "two")}


def test_what_is_told_of_bots_names_no_folder_above_the_file(load, tmp_path):
    told = [bot.told for bot in load(f'{TWO}[[bot]]\nglob = "bots/*"\nbuild = "make {{path}}"')]
    assert str(tmp_path) not in str(told)
    assert told[0] == {"name": "random", "policy": "random"}
    assert told[2] == {"name": "lone.py", "glob": "bots/lone.py", "build": "make {path}"}


def test_a_build_runs_in_its_folder_before_the_command_is_looked_for(load, tmp_path):
    text = """
[[bot]]
name = "built"
command = "./made"
folder = "bots/two"
env = { WORD = "hello" }
build = "echo $WORD > made && chmod +x made"
"""
    bots = load(text + TWO)
    with pytest.raises(BadInput, match=r"/bot/0/command: found './made', expected a program"):
        bots[0].player()
    build(bots)
    made = tmp_path / "bots/two/made"
    assert made.read_text() == "hello\n"
    assert bots[0].player().words == (str(made),)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[[bot]", "broken TOML"),
        ("", "an empty file"),
        ("bot = []", "/bot: found a list of 0, expected a list of 1 to any"),
        ('[[bot]]\npolicy = "random"', "found 1 bot, expected two or more"),
        (f'{TWO}[[bot]]\npolicy = "economi"', "/bot/2/policy: policy 'economi': found 'economi'"),
        (f'{TWO}[[bot]]\npolisy = "random"', "(did you mean 'policy'?)"),
        (f'{TWO}[[bot]]\nname = "x"', "/bot/2: expected a policy, a command or a glob"),
        (f'{TWO}[[bot]]\npolicy = "random"\ncommand = "x"', "one of them alone"),
        (f'{TWO}[[bot]]\npolicy = "rush"\nbuild = "make"', "found build beside policy"),
        (f'{TWO}[[bot]]\nglob = "bots/*"\nname = "x"', "found name beside glob"),
        (f'{TWO}[[bot]]\ncommand = "python3"', "found a command without a name"),
        (f"{TWO}{TWO}", '/bot/2: found this name twice, "random"'),
        (f'{TWO}[[bot]]\npolicy = "rush"\nname = "a\\nb"', "a sign that is not printable"),
        (f'{TWO}[[bot]]\nglob = "bats/*"', '/bot/2/glob: found nothing for "bats/*"'),
        (f'{TWO}[[bot]]\nglob = "/etc/*"', "/bot/2/glob: found"),
        (f'{TWO}[[bot]]\nname = "x"\ncommand = "y"\nfolder = "no"', "/bot/2/folder: found"),
        (f'{TWO}[[bot]]\nname = "x"\ncommand = "y"\nenv = {{ A = 1 }}', "/bot/2/env/A: found 1"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(load, tmp_path, text, line):
    with pytest.raises(BadInput) as refusal:
        load(text)
    assert str(refusal.value).startswith(str(tmp_path / "bots.toml"))
    assert line in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_failing_build_is_named_with_its_last_word(load):
    text = '[[bot]]\nname = "x"\ncommand = "y"\nbuild = "echo one; echo two >&2; exit 3"\n'
    with pytest.raises(BadInput, match=r"/bot/0/build: found status 3 of the build of x: two"):
        build(load(text + TWO))
