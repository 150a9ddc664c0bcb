"""The judge against the organisers' judge: what both sides are sent, what is logged, who wins."""

import json
import os
import re

import pytest

from lab.games.next_nation import log
from lab.jit import blank
from lab.judge import match
from lab.play import play_rows
from tests import recorded
from tests.programs import IDLE, MAP, PATIENT, RULES, SIDES, python, script_of, scripted

EDGE = recorded.HERE / "edge"
CASES = sorted(path.stem for path in EDGE.glob("*.json"))
TIMED = {"hs_ok_late_600ms", "hs_left_600_right_1200", "hs_right_late_1500ms"} | {
    name for name in CASES if name.startswith("slow_")
}
"""Whoever is slow there on purpose has only a fraction of a second to spare."""
LATE = {"no_END_timeout", "end_trailing_space_timeout"}
SILENT = {"hs_left_silent", "hs_right_silent", "hs_both_silent"}
PROOF = bool(os.environ.get("LAB_PROOF"))


def rules_of(name):
    """Nobody is late who is not to be: time only for what has to run out."""
    if name in TIMED:
        return RULES
    if name in LATE:
        return PATIENT.override({"/clock/day": 500})
    return PATIENT.override({"/clock/handshake": 2_000}) if name in SILENT else PATIENT


def untimed(text):
    return re.sub(r"^TIME .*$", "TIME", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in CASES if PROOF or name not in TIMED])
def test_odd_programs_get_what_the_organisers_give_them(tmp_path, name):
    players, records = scripted(json.loads((EDGE / f"{name}.json").read_text()), tmp_path)
    found = match.play(rules_of(name), MAP, players)
    for side, record in zip(SIDES, records, strict=True):
        assert untimed(record.read_text()) == untimed((EDGE / f"{name}.{side}.in").read_text())
    expected = untimed((EDGE / f"{name}.log").read_text())
    if name.startswith("crash_"):  # theirs has no verdict: it ends with an error
        expected += "RESULT RIGHT_WIN WA\n"
    assert untimed(found.log) == expected
    tokens = {"slow_150ms_one_token": 4, "slow_350ms_three_tokens": 1}
    assert found.seats[0].tokens == tokens.get(name, 5)


@pytest.mark.parametrize("name", ["game_1", "game_2", "game_3"])
def test_whole_games_come_out_as_the_organisers_logged_them(tmp_path, name):
    path = recorded.HERE / "protocol" / f"{name}.log"
    played = log.read(path)
    players, records = scripted(script_of(played), tmp_path)
    found = match.play(PATIENT, played.map, players)
    assert untimed(found.log) == untimed(path.read_text())
    for side, record in zip(SIDES, records, strict=True):
        assert untimed(record.read_text()) == untimed(path.with_suffix(f".{side}.in").read_text())


# --- verdicts -----------------------------------------------------------------------------------

DEAD, WRONG, FINE = {"exit": True}, ["JUMP"], []


@pytest.mark.parametrize(
    ("left", "right", "winner", "causes"),
    [
        (WRONG, FINE, 1, ('day 1: "JUMP" is none of UPGRADE, MOVE, TRAIN', "")),
        (WRONG, WRONG, 2, ('day 1: "JUMP" is none of UPGRADE, MOVE, TRAIN',) * 2),
        (WRONG, DEAD, 0, ("", "day 1: ended with status 0 before END")),
        (DEAD, WRONG, 1, ("day 1: ended with status 0 before END", "")),
        (DEAD, DEAD, 1, ("day 1: ended with status 0 before END",) * 2),
        (WRONG, {"raw": "hello\n"}, 2, None),
    ],
)
def test_being_late_comes_before_being_wrong_and_left_before_right(
    tmp_path, left, right, winner, causes
):
    players, _ = scripted({"left": {"default": left}, "right": {"default": right}}, tmp_path)
    found = match.play(PATIENT, MAP, players)
    assert (found.winner, found.reason, found.day) == (winner, "WA", 1)
    assert causes in (None, tuple(seat.cause for seat in found.seats))
    assert found.row["ending"] == -1
    assert found.row["winner"] == winner
    assert list(found.row["gold"]) == [500, 500]


def test_dropped_orders_are_counted_and_the_log_plays_again(tmp_path):
    orders = {"1": ["MOVE A1 3", "JUMP", "MOVE A1 4", "TRAIN 9"], "2": ["MOVE A1 5"]}
    players, _ = scripted({"left": {"days": orders}}, tmp_path)
    found = match.play(PATIENT, MAP, players, match.Terms(drop=True))
    assert (found.reason, found.day) == ("TURN_LIMIT", 200)
    assert [seat.refused for seat in found.seats] == [4, 0]
    path = tmp_path / "match.log"
    path.write_text(found.log)
    days = log.read(path).days
    assert days[0].orders == (["MOVE A1 3"], [])
    assert days[1].orders == ([], [])


def test_without_the_clock_every_time_is_0():
    players = python(IDLE), python("import time; time.sleep(0.2)\n" + IDLE)
    found = match.play(RULES.override({"/days": 3}), MAP, players, match.Terms(clock=False))
    assert set(re.findall("TIME.*", found.log)) == {"TIME LEFT 0 5 RIGHT 0 5"}
    assert found.winner == 2


@pytest.mark.parametrize("pair", [("economy", "rush"), ("random", "random")])
def test_two_policies_play_the_game_of_simulate(pair):
    game = match.load_game(match.GAME)
    record = game.record(RULES, 7, range(5, 6))
    rows, _, _ = play_rows(game, record, game.policy_rows(*pair), 7, 5, 1)
    found = match.play(RULES, record["maps"][0], pair, seed=7, index=5)
    expected = blank(game.outcome)
    expected[0] = found.row
    expected["game"] = 5
    assert {name: expected[name].tolist() for name in game.outcome.names} == {
        name: rows[name].tolist() for name in game.outcome.names
    }


def test_a_policy_plays_against_a_program(tmp_path):
    players, _ = scripted({"right": {"days": {"9": ["JUMP"]}}}, tmp_path)
    found = match.play(PATIENT, MAP, ["economy", players[1]])
    assert (found.winner, found.day) == (0, 9)
    path = tmp_path / "match.log"
    path.write_text(found.log)
    assert log.read(path).days[8].orders[1] == ["JUMP"]
    assert any(day.orders[0] for day in log.read(path).days)
