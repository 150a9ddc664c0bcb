"""Recorded matches, played again: by the kernels and by the plain-Python reference."""

import json
import shutil

import polars as pl
import pytest

from lab import replay
from lab.catalog import load_game, load_rules
from lab.errors import BadInput
from lab.games.next_nation import log, maps, protocol, rows
from lab.games.next_nation.state import END
from lab.play import trace
from lab.selfplay import as_frame, simulate
from tests import recorded
from tests.verbs import run

SHORT = recorded.HERE / "bots" / "s1_botJ_botK.log"
ILLEGAL = recorded.HERE / "edge" / "wa_left_illegal_after_upgrade.log"
CLOCK = recorded.HERE / "edge" / "exit_day2.log"
BOTH = {"kernel": 0, "reference": 0}
pytestmark = pytest.mark.usefixtures("quiet")


@pytest.fixture(scope="module")
def check():
    return replay.Check(load_rules("next_nation"))


def lab(*words):
    done = run("replay", *words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def changed(tmp_path, old, new, source=SHORT):
    """A copy of a log with something else in one place."""
    text = source.read_text()
    assert old in text
    path = tmp_path / "changed.log"
    path.write_text(text.replace(old, new, 1))
    return path


# --- check --------------------------------------------------------------------------------------


@recorded.each_log()
def test_every_row_of_a_recorded_match_comes_again(path, check):
    if recorded.name(path) == recorded.FINAL:
        check = replay.Check(load_rules("next_nation", recorded.version(path)))
    found = check(path)
    assert (found.mismatches, found.first) == (BOTH, "")


@recorded.needs_all
def test_a_log_of_other_rules_fails_and_says_whose_it_is(check):
    found = check(recorded.ALL / f"{recorded.FINAL}.log")
    assert found.mismatches == {"kernel": 1, "reference": 1}
    assert found.first == (
        "kernel, day 5: found its rows, expected none (LEFT's 'TRAIN 1' costs 120 gold of 36)"
    )
    assert found.fits == "2026-final"


@pytest.mark.parametrize(
    ("old", "new", "count", "first"),
    [
        ("MOVE B3 75\n", "MOVE B3 74\n", 1, "day 1: found MOVE B3 74, expected MOVE B3 75"),
        ("MOVE B3 75\n", "", 1, "day 1: found no row, expected MOVE B3 75"),
        ("TRAIN A4\n", "TRAIN A4\nMOVE A1 1\n", 2, "day 2: found MOVE A1 1, expected MOVE B3 73"),
        ("MOVE B2 78\nMOVE B3 75\n", "MOVE B3 75\nMOVE B2 78\n", 2, "day 1: found MOVE B3 75"),
        ("LEFT_WIN", "DRAW", 1, "result: found DRAW HQ_DESTROYED, expected LEFT_WIN HQ_DESTROYED"),
        ("UPGRADE 78\n", "UPGRADE 77\n", 1, "day 2: found its rows, expected none (RIGHT's"),
    ],
)
def test_what_differs_is_counted_and_the_first_named(tmp_path, check, old, new, count, first):
    found = check(changed(tmp_path, old, new))
    assert found.mismatches["kernel"] == count
    assert found.first.startswith(f"kernel, {first}")
    assert found.mismatches["reference"] == count
    assert found.fits == ""


def test_days_behind_the_end_of_the_game_differ(tmp_path, check):
    ending = SHORT.read_text().rpartition("END TURN ")[2]
    number = int(ending.split("\n")[0])
    more = log.Writer(log.read(SHORT).map)
    more.days = number
    more.lines = []
    more.day(([], []), [], (log.Clock(0, 5), log.Clock(0, 5)))
    path = changed(tmp_path, "RESULT LEFT_WIN", f"{more.text()}RESULT LEFT_WIN")
    assert check(path).first == (
        f"kernel, day {number + 1}: found its rows, expected none (the game is over)"
    )


def test_an_illegal_day_has_to_be_illegal(tmp_path, check):
    assert check(ILLEGAL).mismatches == BOTH
    found = check(changed(tmp_path, "TRAIN 9", "TRAIN 0", ILLEGAL))
    assert found.first == "kernel, day 8: found no rows, expected them: every order is legal"
    found = check(changed(tmp_path, "RIGHT_WIN", "LEFT_WIN", ILLEGAL))
    assert found.first == "kernel, result: found LEFT_WIN WA, expected RIGHT_WIN WA"


def test_a_log_cut_short_fits_as_far_as_it_goes(tmp_path, check):
    path = tmp_path / "cut.log"
    path.write_text(SHORT.read_text()[:4000])
    found = check(path)
    assert (found.mismatches, found.log.result) == (BOTH, None)
    assert 0 < found.days < check(SHORT).days


def test_without_the_repository_the_kernel_checks_alone(monkeypatch):
    monkeypatch.setattr(replay, "REFERENCE", "tests.reference.none")
    assert replay.Check(load_rules("next_nation"))(SHORT).mismatches == {"kernel": 0}


def test_check_tells_a_line_a_log(tmp_path):
    cut = tmp_path / "cut.log"
    cut.write_text("# Debug\n" + SHORT.read_text()[:4000])
    wrong = changed(tmp_path, "LEFT_WIN", "DRAW")
    status, told, errors = lab("check", SHORT, cut)
    assert (status, errors) == (0, "")
    lines = told.splitlines()
    assert lines[0].startswith(f"{SHORT}: ")
    assert lines[0].endswith("rows, 0 mismatches in kernel and reference, LEFT_WIN HQ_DESTROYED")
    assert lines[1].endswith("0 mismatches in kernel and reference, cut short, 1 debug line")
    status, told, _ = lab("check", SHORT, wrong)
    assert status == 1
    assert ", mismatches: 1 in kernel, 1 in reference, DRAW HQ_DESTROYED; first in" in told


def test_check_goes_on_behind_what_is_no_log(tmp_path):
    status, told, errors = lab("check", tmp_path, SHORT)
    assert status == 2
    assert told.startswith(f"{SHORT}: ")
    assert errors == f"lab: {tmp_path}: found is a directory, expected a readable file\n"


def test_check_as_json(tmp_path):
    status, told, _ = lab("check", "--json", changed(tmp_path, "LEFT_WIN", "DRAW"), CLOCK)
    wrong, clock = json.loads(told)
    assert status == 1
    assert wrong["mismatches"] == {"kernel": 1, "reference": 1}
    assert wrong["first"].startswith("kernel, result: found DRAW")
    assert (clock["first"], clock["result"], clock["complete"]) == (None, "RIGHT_WIN WA", True)


# --- show ---------------------------------------------------------------------------------------


def test_show_tells_a_morning_and_what_came_of_it(tmp_path):
    status, told, errors = lab("show", SHORT, "--day", 2, "--svg", tmp_path / "day.svg")
    assert (status, errors) == (0, "")
    assert f"{SHORT}, morning of day 2, rules 2026-qualifier" in told
    for piece in ("level 1, 10 hp", "78: B2 (4 hp)", "75: B3 (4 hp to 63)", "TRAIN 1"):
        assert piece in told
    assert told.endswith("UPGRADE B 78\nTRAIN A4\nMOVE B3 73\n")
    assert (tmp_path / "day.svg").read_text().startswith("<svg")


def test_show_tells_how_it_ended():
    days = len(log.read(SHORT).days)
    told = lab("show", SHORT, "--day", days + 1)[1]
    assert "the end" in told
    assert told.endswith("RESULT LEFT_WIN HQ_DESTROYED\n")
    assert lab("show", ILLEGAL, "--day", 8)[1].endswith("not played: an order is illegal\n")


@pytest.mark.parametrize("day", [0, 1000])
def test_show_refuses_days_that_are_not_there(day):
    status, told, errors = lab("show", SHORT, "--day", day)
    assert (status, told) == (2, "")
    assert "expected" in errors


def test_show_refuses_a_log_of_other_rules(tmp_path):
    path = changed(tmp_path, "UPGRADE 78\n", "UPGRADE 77\n")
    rules = load_rules("next_nation")
    with pytest.raises(BadInput, match=r"found day 2, but RIGHT's 'UPGRADE 77' .*, expected a log"):
        replay.position_of(log.read(path), rules, 3, str(path))


# --- measure ------------------------------------------------------------------------------------


def recorded_game(path, seed, index, policies=("random", "random")):
    """A simulated game, written as a log."""
    game, rules = load_game("next_nation"), load_rules("next_nation")
    here, actions, row = trace(game, rules, *policies, seed, index)
    here.state["telling"] = 1
    writer = log.Writer(here.record["maps"][0])
    orders: tuple[list[str], list[str]] = [], []
    for action in actions:
        side = int(here.state["side"])
        if action != END:
            orders[side].append(protocol.order_text(action, side))
        here.play(action)
        if action == END and side == 1:
            writer.day(orders, rows.of(here.state), (log.Clock(0, 5), log.Clock(0, 5)))
            orders = [], []
    winner, ending = here.state["winner"], here.state["ending"]
    writer.result(log.WINNERS[winner], log.REASONS[ending])
    path.write_text(writer.text())
    return as_frame(game, row)


def test_a_simulated_game_that_was_logged_measures_as_it_did(tmp_path, check):
    games = [recorded_game(tmp_path / f"{i}.log", 3, i) for i in range(3)]
    paths = [tmp_path / f"{i}.log" for i in range(3)]
    assert all(check(path).mismatches == BOTH for path in paths)
    found, left_out = replay.measure(paths, load_rules("next_nation"))
    assert left_out == {}
    assert found.drop("map_seed").equals(pl.concat(games).drop("map_seed"))


def test_measured_and_simulated_games_stand_in_one_table(tmp_path):
    rules, table = load_rules("next_nation"), tmp_path / "real.parquet"
    again = tmp_path / "again.log"
    shutil.copy(SHORT, again)
    status, told, errors = lab("measure", SHORT, ILLEGAL, again, CLOCK, "--out", table)
    assert (status, errors) == (0, "")
    assert told == (
        f"{ILLEGAL}: left out, LEFT's 'TRAIN 9' trains more than 1, which is all that the HQ can\n"
        f"{CLOCK}: left out, lost by the clock\n"
        f"{table}: 2 games\n"
    )
    simulated = simulate(rules, "random", "random", 2, out=tmp_path / "simulated.parquet").collect()
    both = pl.concat([pl.read_parquet(table), simulated])
    assert both["game"].to_list() == [0, 2, 0, 1]
    assert both["winner"].to_list()[:2] == ["first", "first"]
    seeds = both["map_seed"].to_list()
    assert seeds[0] == seeds[1] < 0 <= min(seeds[2:])
    assert lab("measure", SHORT, "--out", tmp_path / "real.csv")[0] == 0
    read = pl.read_csv(tmp_path / "real.csv", schema=simulated.schema)
    assert read.equals(pl.read_parquet(table)[:1])


def test_measure_leaves_out_what_is_cut_short_or_does_not_fit(tmp_path):
    cut = tmp_path / "cut.log"
    cut.write_text(SHORT.read_text()[:4000])
    wrong = changed(tmp_path, "MOVE B3 75\n", "MOVE B3 74\n")
    found, left_out = replay.measure([cut, wrong], load_rules("next_nation"))
    assert found.height == 0
    assert left_out == {
        str(cut): "cut short",
        str(wrong): "day 1: found MOVE B3 74, expected MOVE B3 75",
    }


def test_measure_refuses_other_tables_before_it_reads(tmp_path):
    status, _, errors = lab("measure", tmp_path / "none.log", "--out", tmp_path / "t.xlsx")
    assert status == 2
    assert errors == (
        f"lab: {tmp_path}/t.xlsx: found suffix '.xlsx', "
        "expected a file that ends in .parquet or .csv\n"
    )


def test_maps_are_told_apart_by_what_they_are():
    one, other = (log.read(path).map for path in (SHORT, ILLEGAL))
    assert replay.stand_in(one) == replay.stand_in(log.read(SHORT).map) != replay.stand_in(other)
    assert maps.text(one) != maps.text(other)
