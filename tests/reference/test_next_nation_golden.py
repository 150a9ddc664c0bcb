"""The plain reference plays every game that the organisers recorded, row by row."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests import recorded
from tests.reference.next_nation_log import action, read, replay

KEPT = {"bots": 3, "edge": 58, "protocol": 3}
ALL = KEPT | {"bots": 45, "contest_local": 6, "server": 6}
"""Logs in each folder: in the repository, and in the whole collection."""
CLOCK = {
    "end_trailing_space_timeout",
    "exit_day2",
    "hs_both_silent",
    "hs_left_silent",
    "hs_lowercase_ok",
    "hs_ok_trailing_space",
    "hs_right_late_1500ms",
    "hs_right_silent",
    "no_END_timeout",
    "slow_650ms_loses",
}
"""Games that were lost to the clock or before the first day: no order tells."""


@recorded.each_log()
def test_every_row_and_the_result(path: Path) -> None:
    rules = recorded.ROOT / "rules" / "next_nation" / f"{recorded.version(path)}.json"
    text = path.read_text(encoding="utf-8")
    log = read(text)
    days, result = replay(text, json.loads(rules.read_text(encoding="utf-8"))["rules"])
    assert days == [day.rows for day in log.days if day.rows is not None]
    assert result == (None if path.stem in CLOCK else log.result)


@pytest.mark.parametrize(
    ("folder", "logs"),
    [(recorded.HERE, KEPT), pytest.param(recorded.ALL, ALL, marks=recorded.needs_all)],
)
def test_no_log_is_overlooked(folder: Path, logs: dict[str, int]) -> None:
    assert Counter(path.parent.name for path in folder.glob("*/*.log")) == logs


@pytest.mark.parametrize(
    ("line", "side", "expected"),
    [
        ("MOVE A01 7", 0, "move 1 7"),
        ("  MOVE\tB1_0   ７", 1, "move 10 7"),
        ("TRAIN 0", 1, "train 0"),
        ("UPGRADE 26", 0, "upgrade 26"),
    ],
)
def test_lines_of_orders(line: str, side: int, expected: str) -> None:
    assert action(line, side) == expected


@pytest.mark.parametrize(
    "line", ["", "MOVE B1 7", "MOVE a1 7", "MOVE A1", "TRAIN 1 1", "TRAIN one", "move A1 7", "JUMP"]
)
def test_lines_that_are_no_orders(line: str) -> None:
    with pytest.raises(ValueError, match=line.rsplit(maxsplit=1)[-1] if line else "^$"):
        action(line, 0)
