"""Programs for the tests of the judge, good ones and bad ones."""

import json
import sys
from pathlib import Path

from lab.catalog import load_rules
from lab.games.next_nation import log
from lab.judge.program import Command
from tests import recorded

SCRIPTED = Path(__file__).with_name("scripted_player.py")
RULES = load_rules("next_nation")
PATIENT = RULES.override({"/clock/handshake": 60_000, "/clock/day": 60_000})
"""A busy machine makes nobody late."""
SIDES = ("left", "right")
MAP = log.read(recorded.HERE / "edge" / "idle_vs_idle.log").map

IDLE = """
import sys
print("OK", flush=True)
for line in sys.stdin:
    if line.startswith("START"):
        print("COMMAND", "END", sep="\\n", flush=True)
    if line.startswith("FINISH"):
        break
"""


def python(code):
    """A program of this code, quick to start."""
    return Command((sys.executable, "-I", "-S", "-c", code))


def script_of(played):
    """The script of a log: both sides' orders as they gave them."""
    days = list(enumerate(played.days, 1))
    return {
        side: {"days": {str(day): told.orders[i] for day, told in days}}
        for i, side in enumerate(SIDES)
    }


def scripted(script, folder):
    """Both players of a script, and where they write down all that they read."""
    path = folder / "script.json"
    path.write_text(json.dumps(script))
    records = [folder / f"{side}.in" for side in SIDES]
    players = [
        Command((sys.executable, str(SCRIPTED), str(path), side, str(record)))
        for side, record in zip(SIDES, records, strict=True)
    ]
    return players, records
