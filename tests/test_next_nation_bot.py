"""Our policies as programs: in step with the game, ready in time, gone at once."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lab.games.next_nation import protocol
from lab.judge import match
from lab.judge.bot import Bot
from lab.judge.greeting import Greeting
from lab.judge.program import Command
from tests.programs import MAP, RULES

LAB = (sys.executable, "-c", "from lab.cli import main; main()")
ROOM = os.fspath(Path(__file__).parents[1])


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """A bot of another process finds its kernels on disk."""
    Bot(RULES, "random")


READY = protocol.ready(MAP, 0)
MISFIT = "lab: stdin: found rows that do not fit day 1 of this game, expected what the judge tells"


def bot(*words, **environment):
    environment = {"PYTHONPATH": ROOM} | environment
    return Command((*LAB, "bot", "next_nation", *words), environment=environment)


def run(*words, given="", **environment):
    command = bot(*words, **environment)
    return subprocess.run(
        command.words,
        input=given,
        env=os.environ | dict(command.environment),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("pair", [("economy", "rush"), ("random", "swarm")])
def test_a_policy_plays_the_same_inside_and_outside(pair):
    terms = match.Terms(clock=False)
    inside = match.play(RULES, MAP, pair, terms)
    outside = match.play(RULES, MAP, [bot(one) for one in pair], terms)
    assert [seat.cause for seat in outside.seats] == ["", ""]
    assert outside.log == inside.log


def test_it_ends_at_finish_and_when_nobody_speaks():
    given = protocol.ready(MAP, 1)
    for end in ("FINISH\nSTART TURN 1\n", ""):
        done = run("rush", given=given + end)
        assert (done.returncode, done.stdout, done.stderr) == (0, "OK\n", "")


def test_it_refuses_at_once_without_kernels(tmp_path):
    done = run("rush", LAB_CACHE_DIR=str(tmp_path), given=protocol.ready(MAP, 0))
    assert done.returncode == 2
    assert done.stderr == (
        "lab: kernels of next_nation: found none on disk, "
        "expected `lab compile next_nation` to have been run\n"
    )


@pytest.mark.parametrize(
    ("words", "given", "line"),
    [
        (["rusch"], "", "one of search, random,"),
        (["rush"], "HELLO\n", "lab: stdin:1: found 'HELLO', expected READY LEFT or READY RIGHT"),
        (["rush"], "READY LEFT\n53 9\n1 2\n", "lab: stdin:3: "),
        (["rush"], f"READY LEFT\n{10**40} 9\n", "lab: stdin:2: "),
        (["rush"], READY + "TURN 1\nMOVE 1\nB9 1\nEND\n", MISFIT),
        (["rush"], READY + "TURN 1\n\nSIEGE 1\n7 1\nEND\n", MISFIT),
        (["rush", "--rules", "2027"], "", "2027"),
    ],
)
def test_what_it_cannot_play_it_says_in_one_line(words, given, line):
    done = run(*words, given=given)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert line in done.stderr


def test_ok_is_said_once_when_it_is_late_and_when_it_is_asked_for():
    for wait in (True, False):
        sink = io.StringIO()
        greeting = Greeting(sink)
        if wait:
            greeting.timer.join()
        greeting.say()
        greeting.say()
        assert sink.getvalue() == "OK\n"
