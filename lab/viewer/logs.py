"""Films of matches of NEXT NATION that the organisers' judge recorded."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lab.errors import bad
from lab.games.next_nation import rows
from lab.games.next_nation.log import SIDES, Log, read
from lab.replay import Replay
from lab.rules import Rules
from lab.viewer.camera import Camera
from lab.viewer.film import NOBODY, Film, Step
from lab.viewer.games import film, shown


def match(path: Path | str, rules: Rules, view: str | None = None) -> Film:
    """The match of a log, `view` as of `lab.viewer.game`; each day's rows stand at its last order.

    BadInput for what is no log, and for one that does not fit the rules.
    """
    log = read(path)
    steps = list(_steps(log, rules, str(path), Camera(shown(view))))
    left, right = (name or side for name, side in zip(log.names, SIDES, strict=True))
    end = "cut short" if log.result is None else " ".join(log.result)
    days = "1 day" if len(log.days) == 1 else f"{len(log.days)} days"
    facts = (f"rules {rules.fingerprint}", str(path))
    return film(rules, steps, view, (left, right), facts, f"{end}, {days}")


def _steps(log: Log, rules: Rules, where: str, camera: Camera) -> Iterator[Step]:
    replay = Replay(rules)
    replay.open(log)
    here = replay.position
    step = camera.start(here)
    yield step
    for number, day in enumerate(log.days, 1):
        actions, faults = replay.actions(day)
        fault = "; ".join(filter(None, faults)) or "no order"
        if day.rows is None:
            note = f"not played, an order is illegal: {fault}"
            yield replace(step, action="", seat=NOBODY, clock=number, note=note)
            return
        if replay.result or any(faults):
            why = "the game was over before" if replay.result else fault
            raise bad(where, f"day {number}, but {why}", f"a log that fits {rules.version}")
        for action in actions[:-1]:
            yield camera.play(here, action)
        step = replace(camera.play(here, actions[-1]), note=" · ".join(rows.of(here.state)))
        yield step
