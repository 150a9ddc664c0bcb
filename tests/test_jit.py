"""Machine code on disk: never stale, one entry for each set of flags, safe between processes."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import lab
from lab.jit import bit, count, highest, implement, kernel, lowest, nth, without_lowest
from tests import toygame

SCRIPT = """
from lab.catalog import load_game, load_rules
from lab.cli.watch import announce_compiling
from lab.play import Position
announce_compiling()
position = Position(load_game("pebbles"), load_rules("pebbles"))
position.play(2)
print(position.state["left"])
"""


@pytest.fixture
def copy():
    """A copy of the package that knows one game more: a folder, a word, a file of rules."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(lab.__file__).parent, place / "lab", ignore=ignored)
        shutil.copytree(toygame.FOLDER, place / "lab/games", ignore=ignored, dirs_exist_ok=True)
        edit(place / "lab/catalog.py", 'GAMES = ("ants",', 'GAMES = ("ants", "pebbles",')
        head = {"schema": 1, "game": "pebbles", "version": "1", "parent": None, "why": "A toy."}
        numbers = {"heap": 7, "under": 0, "most": 3}
        file = place / "rules/pebbles/1.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(head | {"assumed": [], "rules": numbers}))
        yield place


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def start(copy, *before, **environment):
    settings = {"PYTHONPATH": str(copy), "LAB_CACHE_DIR": str(copy / "cache"), **environment}
    return subprocess.Popen(
        [*before, sys.executable, "-c", SCRIPT],
        cwd=copy,
        env={key: value for key, value in (os.environ | settings).items() if value},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(copy, *before, **environment):
    """What the process printed, and how often it said that it compiles."""
    said, errors = start(copy, *before, **environment).communicate()
    lines = errors.splitlines()
    assert all("compiling the kernels of pebbles" in line for line in lines), errors
    return said, len(lines)


def test_compiled_once_and_again_after_an_edit_calls_away(copy):
    assert run(copy) == ("5\n", 1)
    assert run(copy) == ("5\n", 0)
    # lab.play.play_action calls the verb step, which calls take
    edit(copy / "lab/games/pebbles/kernel.py", "state.left -= n\n", "state.left -= n + 1\n")
    assert run(copy) == ("4\n", 1)


def test_checked_and_unchecked_code_are_two_entries(copy):
    assert run(copy) == ("5\n", 1)
    assert run(copy, NUMBA_BOUNDSCHECK="1") == ("5\n", 1)
    assert run(copy) == run(copy, NUMBA_BOUNDSCHECK="1") == ("5\n", 0)


def test_two_cold_processes_at_once(copy):
    both = [start(copy), start(copy)]
    assert [process.communicate()[0] for process in both] == ["5\n", "5\n"]
    assert run(copy) == ("5\n", 0)


AS_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


@pytest.mark.parametrize(("files", "size"), [("*.nbi", 50), ("*.nbc", 50), ("*.nb?", 0)])
def test_damaged_code_is_compiled_again(copy, files, size):
    assert run(copy) == ("5\n", 1)
    for file in (copy / "cache").rglob(files):
        os.truncate(file, size)
    assert run(copy) == ("5\n", 1)
    assert run(copy) == ("5\n", 0)


def test_a_cache_that_takes_nothing_more_is_done_without(copy):
    run(copy)
    for file in (copy / "cache").rglob("*"):
        if file.is_file():
            file.unlink()
    for place in (copy / "cache").rglob("lab_*"):
        place.rmdir()
        place.write_text("in the way")
    assert run(copy) == ("5\n", 1)


def may_run(*before):
    """Only root may become another user, who may not be able to reach this Python."""
    command = [*before, sys.executable, "-c", "import numba"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_read_only_package_of_another_user_without_home(copy):
    for path in [copy, *copy.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = AS_NOBODY if shutil.which("setpriv") and may_run(*AS_NOBODY) else []
    try:
        assert run(copy, *before, LAB_CACHE_DIR="", XDG_CACHE_HOME="", HOME="") == ("5\n", 1)
        assert not list(copy.rglob("*.nbi"))
    finally:
        for path in [copy, *copy.rglob("*")]:
            path.chmod(0o755)


# --- implement ----------------------------------------------------------------------------------

RULES = np.dtype((np.record, np.dtype([("fake", np.uint8)], align=True)))


def verb(rules, state):
    """A verb that no game has."""


def meaning(rules, state):
    return state


def test_a_verb_has_one_meaning_a_game():
    implement(verb, RULES, meaning)
    with pytest.raises(ValueError, match="verb twice"):
        implement(verb, RULES, meaning)


def test_a_meaning_names_its_arguments_as_the_verb_does():
    def wrong(state, rules):
        return state

    with pytest.raises(TypeError, match=r"wrong must take \(rules, state\)"):
        implement(verb, RULES, wrong)


# --- bits ---------------------------------------------------------------------------------------


@kernel
def read(mask):
    return count(mask), lowest(mask), highest(mask), without_lowest(mask)


@pytest.mark.parametrize("bits", [[0], [63], [0, 63], [5, 31, 32, 40], list(range(64))])
def test_bits(bits):
    mask = np.uint64(sum(1 << n for n in bits))
    rest = sum(1 << n for n in bits[1:])
    assert read(mask) == (len(bits), bits[0], bits[-1], rest)
    assert [nth(mask, np.int64(n)) for n in range(len(bits))] == bits
    assert bit(np.int64(bits[-1])) == 1 << bits[-1]
