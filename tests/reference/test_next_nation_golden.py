"""The plain reference plays every game that the organisers' judge or server recorded, row by row.

Some of them are in the repository; the others are in the folder LAB_GOLDEN, else beside it.
"""

import json
import os
from pathlib import Path

import pytest

from tests.reference.next_nation_log import action, read, replay

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests" / "golden" / "next_nation"
GOLDEN = Path(os.environ.get("LAB_GOLDEN", ROOT.parent / "shared" / "data")) / "next_nation"
ELSEWHERE = {"server": 6, "bots": 45, "contest_local": 6, "edge": 58, "protocol": 3}
"""Logs in each folder."""
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


def compare(file: Path) -> int:
    """Every row and the result of a log: how many days it has."""
    version = "final" if file.name.startswith("final_") else "qualifier"
    rules = ROOT / "rules" / "next_nation" / f"2026-{version}.json"
    text = file.read_text(encoding="utf-8")
    log = read(text)
    days, result = replay(text, json.loads(rules.read_text(encoding="utf-8"))["rules"])
    assert days == [day.rows for day in log.days if day.rows is not None]
    assert result == (None if file.stem in CLOCK else log.result)
    return len(days)


@pytest.mark.parametrize("file", sorted(KEPT.glob("*/*.log")), ids=lambda file: file.stem)
def test_games_in_the_repository(file: Path) -> None:
    compare(file)


def test_the_repository_keeps_games() -> None:
    kept = {folder: len(list((KEPT / folder).glob("*.log"))) for folder in ELSEWHERE}
    assert kept == ELSEWHERE | {"server": 0, "contest_local": 0, "bots": 3}


@pytest.mark.parametrize("folder", ELSEWHERE)
def test_games_elsewhere(folder: str) -> None:
    files = sorted((GOLDEN / folder).glob("*.log"))
    if not files:
        asked_for = os.environ.get("CI") == "true" and "LAB_GOLDEN" in os.environ
        assert not asked_for, f"LAB_GOLDEN has no {folder}"
        pytest.skip(f"{folder}: no games in $LAB_GOLDEN or ../shared/data")
    assert len(files) == ELSEWHERE[folder]
    print(folder, sum(compare(file) for file in files), "days")


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
