"""Programs that misbehave: each gets its verdict, and nothing of them is left."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab.errors import BadInput
from lab.judge import match, program
from lab.judge.program import UNREAD, Command, Limits, Program, command, exchange
from tests.programs import IDLE, MAP, PATIENT, RULES, python

HASTY = PATIENT.override({"/clock/handshake": 1000})
MUCH = f"printed {UNREAD} characters and no"
SLEEPER = """
import os, time
pids = []
for _ in range(2):
    reader, writer = os.pipe()
    if not os.fork():
        os.setsid()
        if os.fork():
            os._exit(0)  # its child is nobody's now
        os.setsid()
        os.write(writer, str(os.getpid()).encode())
        time.sleep(600)
    pids.append(os.read(reader, 20).decode())
print(*pids, os.environ["HOME"], file=sys.stderr, flush=True)
"""


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """What goes on too long at the end of a match is ended sooner."""
    monkeypatch.setattr(program, "GRACE", 0.1)


def judged(code, rules=PATIENT, **terms):
    """A match of such a program, LEFT, against one that does nothing."""
    return match.play(rules, MAP, [python(code), python(IDLE)], match.Terms(**terms))


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("pass", "handshake: ended with status 0 before OK"),
        ("raise SystemExit(3)", "handshake: ended with status 3 before OK"),
        ("import os; os.kill(os.getpid(), 11)", "handshake: was ended by SIGSEGV before OK"),
        ("import os, time; os.close(1); time.sleep(60)", "handshake: closed its output before OK"),
        ("import os, time; os.close(0); time.sleep(60)", "handshake: no OK within 1000 ms"),
        ("import time; time.sleep(60)", "handshake: no OK within 1000 ms"),
        ("while True: print(end='x' * 65536)", f"handshake: {MUCH} OK"),
        ("while True: print('x' * 65536)", 'handshake: "xxx'),
        ("print('OK\\nCOMMAND'); import itertools\nwhile True: print(9)", f"day 1: {MUCH} END"),
        ("import os; os.write(1, b'\\xff\\x00\\xfe\\n')", 'handshake: "'),
        ("import os; os.write(1, b'OK\\nCOMMAND\\nMOVE \\xff 1\\nEND\\n')", 'day 1: "MOVE'),
        ("import os; os.kill(os.getppid(), 9)", "handshake: was ended by SIGKILL before OK"),
    ],
)
def test_a_bad_program_loses_and_the_cause_is_told(code, cause):
    found = judged(code, HASTY)
    assert (found.winner, found.reason) == (1, "WA")
    assert found.seats[0].cause.startswith(cause), found.seats[0].cause
    assert len(found.seats[0].cause) < 200


def test_who_falls_silent_does_not_make_the_other_one_late():
    silent = "import os, time; print('OK', flush=True); os.close(1); time.sleep(600)"
    slow = IDLE.replace('print("COMMAND"', 'import time; time.sleep(0.2); print("COMMAND"')
    rules = PATIENT.override({"/clock/day": 1000, "/clock/tokens": 0})
    found = match.play(rules, MAP, [python(slow), python(silent)])
    causes = [seat.cause for seat in found.seats]
    assert (found.winner, causes) == (0, ["", "day 1: closed its output before END"])


def test_a_program_that_never_reads_may_play():
    ahead = "print('OK'); print('COMMAND\\nEND\\n' * 200, flush=True); import time; time.sleep(60)"
    found = judged(ahead)
    assert (found.winner, found.reason, found.day) == (2, "TURN_LIMIT", 200)


def test_a_gigabyte_behind_the_orders_is_not_kept():
    found = judged("print('OK\\nCOMMAND\\nEND')\nwhile True: print('x' * 999)")
    assert found.seats[0].cause.startswith('day 2: "xxx')


def alive(pid):
    """Whether a process is there: not even dead and unburied."""
    return Path(f"/proc/{pid}").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose orphan one is")
@pytest.mark.parametrize("end", ["", "sys.exit()\n"])
def test_nobody_is_left(tmp_path, end):
    code = f"import sys\n{SLEEPER}{end}{IDLE}"
    wait = 2_000 if end else 60_000  # those who are left keep its output open
    judged(code, RULES.override({"/days": 2, "/clock/handshake": wait}), errors=tmp_path)
    *pids, _ = (tmp_path / "LEFT.txt").read_text().split()
    assert len(pids) == 2
    assert not any(map(alive, pids))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose orphan one is")
def test_who_hops_from_child_to_child_is_caught(tmp_path):
    path = tmp_path / "hops"
    code = f"""
import os
if not os.fork():
    while True:
        if os.fork():
            os._exit(0)
        os.setsid()
        with open({str(path)!r}, "a") as file:
            file.write("x")
"""
    judged(code + IDLE, PATIENT.override({"/days": 20}))
    hops = path.stat().st_size
    assert hops
    time.sleep(0.3)
    assert path.stat().st_size == hops


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose orphan one is")
def test_nobody_is_left_when_the_lab_is_killed(tmp_path):
    code = f"import sys\n{SLEEPER}print(flush=True); time.sleep(600)"
    script = f"""
import sys, time
from pathlib import Path
from lab.judge.program import Command, Program, exchange
command = Command((sys.executable, "-c", {code!r}))
program = Program(command, errors=Path({str(tmp_path / "pids")!r}))
while program.line() is None:
    exchange([program], 1)
exchange([program], 1)
print(flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as lab:
        assert lab.stdout.readline() == b"\n"
        *pids, home = (tmp_path / "pids").read_text().split()
        assert [alive(pid) for pid in pids] == [True, True]
        lab.kill()
    until = time.monotonic() + 60
    while Path(home).exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert not Path(home).exists()
    assert not any(map(alive, pids))


def test_a_program_that_ignores_finish_is_ended():
    stubborn = "import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\n"
    pids = "import os, sys; print(os.getpid(), file=sys.stderr, flush=True)\n"
    code = stubborn + pids + IDLE.replace("break", "import time; time.sleep(600)")
    found = judged(code, PATIENT.override({"/days": 1}))
    assert found.reason == "TURN_LIMIT"


# --- what it is given ---------------------------------------------------------------------------


def run(command, **how):
    """The program's lines once it has ended."""
    with Program(command, **how) as running:
        while not running.silent:
            exchange([running], 60)
        return list(iter(running.line, None)), running.ending()


def test_its_environment_is_its_own_and_its_folder_is_cleared_away(monkeypatch):
    monkeypatch.setenv("SECRET", "1")
    code = "import os; print(*sorted(os.environ), os.environ['HOME'], sep='\\n')"
    (*names, home), _ = run(python(code))
    assert names == ["HOME", "LAB_CACHE_DIR", "LANG", "PATH", "TMPDIR"]
    assert Path(home).is_absolute()
    assert not Path(home).exists()


def test_the_deepest_folder_is_cleared_away():
    dig = "import os; print(os.environ['HOME']); os.chdir(os.environ['HOME'])\n"
    dig += "for _ in range(1500): os.mkdir('a'); os.chdir('a')\nos.chmod('.', 0)"
    (home,), ending = run(python(dig))
    assert ending == "ended with status 0"
    assert not Path(home).exists()


def test_its_limits_hold():
    names = ("AS", "CPU", "NPROC", "FSIZE")
    code = (
        f"import resource as r; print(*(r.getrlimit(getattr(r, 'RLIMIT_' + n)) for n in {names}))"
    )
    lines, _ = run(python(code), limits=Limits(500, 7, 50, 2))
    assert lines == ["(524288000, 524288000) (7, 7) (50, 50) (2097152, 2097152)"]
    _, ending = run(python("x = bytearray(10**9)"), limits=Limits(memory=500))
    assert ending == "ended with status 1"


def test_its_stderr_is_kept_apart_and_bounded(tmp_path):
    path = tmp_path / "stderr.txt"
    lines, _ = run(
        python("import sys; print('x' * 3_000_000, file=sys.stderr); print(1)"), errors=path
    )
    assert lines == ["1"]
    assert path.read_text() == "x" * (1 << 20)


def test_its_lines_end_as_in_text_mode():
    code = r"import os; os.write(1, b'a\r\nb\rc\n\nd \nlast')"
    assert run(python(code))[0] == ["a", "b", "c", "", "d ", "last"]


def test_a_command_is_found_from_its_folder(tmp_path):
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\npwd; echo $1 $X\n")
    bot.chmod(0o755)
    found = command("--left", "./bot 'a  b'", tmp_path, {"X": "y"})
    assert run(found)[0] == [str(tmp_path), "a b y"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("nosuch --x", "--left: found 'nosuch', expected a program that can be started"),
        ("./tests", "--left: found './tests', expected a program that can be started"),
        ("'bot", '--left: found "\'bot" (no closing quotation), expected a command'),
        ("  ", "--left: found nothing, expected a command"),
    ],
)
def test_no_program_is_said_in_one_line(text, line):
    with pytest.raises(BadInput) as error:
        command("--left", text)
    assert str(error.value) == line


def test_a_folder_that_is_not_there_is_said_in_one_line(tmp_path):
    with pytest.raises(BadInput, match="expected a folder to run in"):
        Program(Command((sys.executable,), tmp_path / "gone"))
