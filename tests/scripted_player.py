"""A program that plays a script: scripted_player.py SCRIPT.json left|right RECORD.

The script has an object a side: `ok`, its answer to the READY block (null: none), which it gives
`ok_delay_ms` later; `days`, by number, what it answers then; `default`, what it answers else. An
answer is a list of orders, or an object with `lines` or the `raw` text, which comes `delay_ms`
later; with `exit` it ends instead.
All that it reads goes to RECORD, where `<EOF>` stands for the end of its input.
"""

import json
import sys
import time
from pathlib import Path


def listen(record):
    for line in sys.stdin:
        record.write(line)
        record.flush()
        yield line.rstrip("\n")
    record.write("<EOF>\n")


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(entry):
    entry = {"lines": entry} if isinstance(entry, list) else entry
    if entry.get("exit"):
        sys.exit(0)
    time.sleep(entry.get("delay_ms", 0) / 1000)
    say(entry["raw"] if "raw" in entry else "\n".join(["COMMAND", *entry["lines"], "END", ""]))


def main(script, side, record):
    plan = json.loads(Path(script).read_text(encoding="utf-8")).get(side, {})
    with Path(record).open("w", encoding="utf-8") as file:
        heard = listen(file)
        next(heard)
        regions = int(next(heard).split()[0])
        for _ in range(3 + regions):
            next(heard)
        time.sleep(plan.get("ok_delay_ms", 0) / 1000)
        if plan.get("ok", "OK") is not None:
            say(plan.get("ok", "OK") + "\n")
        for line in heard:
            if line == "FINISH":
                return
            if line.startswith("START TURN "):
                day = line.split()[2]
                answer(plan.get("days", {}).get(day, plan.get("default", [])))


if __name__ == "__main__":
    main(*sys.argv[1:])
