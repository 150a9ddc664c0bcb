"""The organisers' logs: read, written again byte for byte, refused; and a day's rows."""

import re

import numpy as np
import pytest

from lab.errors import BadInput
from lab.games.next_nation import log, rows
from lab.games.next_nation.state import (
    BESIEGED,
    COMBAT,
    EVENT,
    HUNGER,
    LEFT,
    MOVED,
    RIGHT,
    STATE,
    TRAINED,
    TURRET,
    UPGRADED,
)
from tests import recorded

SHORT = recorded.HERE / "bots" / "s1_botJ_botK.log"


# --- reading and writing ------------------------------------------------------------------------


@recorded.each_log()
def test_a_log_is_written_again_byte_for_byte(path):
    found = log.read(path)
    lines = [line for line in path.read_bytes().split(b"\n") if not line.startswith(b"# Debug")]
    assert found.text().encode() == b"\n".join(lines)
    assert found.debug == path.read_bytes().count(b"\n") + 1 - len(lines)
    assert found.complete == (b"\nRESULT " in path.read_bytes())


def test_what_a_log_says():
    found = log.read(SHORT)
    assert found.names == ("", "")
    assert found.map["n"] == int(SHORT.read_text().split("\n")[3].split()[0])
    assert found.result == ("LEFT_WIN", "HQ_DESTROYED")
    assert found.days[0].orders == ([], ["MOVE B2 78", "MOVE B3 63"])
    assert found.days[0].rows == ["MOVE B2 78", "MOVE B3 75"]
    assert found.days[1].times == ((0, 5), (4, 5))


def test_an_illegal_day_was_not_played():
    last = log.read(recorded.HERE / "edge" / "wa_left_illegal_after_upgrade.log").days[-1]
    assert last == log.Day((["UPGRADE 4", "TRAIN 9"], []))


def test_a_blank_line_is_an_order_too():
    found = log.read(recorded.HERE / "edge" / "wa_blank_line_in_block.log")
    assert found.days == [log.Day(([""], []))]


def test_crlf_and_debug_lines_change_nothing(tmp_path):
    path, text = tmp_path / "noisy.log", SHORT.read_text()
    path.write_text(text.replace("\n", "\r\n# Debug LEFT: {}\r\n"), newline="")
    found = log.read(path)
    assert found.text() == text
    assert found.debug == text.count("\n")


def test_wherever_a_log_is_cut_its_whole_days_are_kept(tmp_path):
    text, whole = SHORT.read_text(), log.read(SHORT)
    path = tmp_path / "cut.log"
    behind = text.index("END MAP\n") + len("END MAP\n")
    for size in range(behind, len(text) - 1, 13):
        path.write_text(text[:size])
        found = log.read(path)
        assert not found.complete
        assert found.days == whole.days[: len(found.days)]
        ended = len(re.findall(r"\nEND TURN \d+\n", text[:size]))
        assert ended <= len(found.days) <= ended + 1
        assert text[:size].startswith(found.text().rstrip("\n"))


def test_a_result_without_a_line_end_is_whole(tmp_path):
    path = tmp_path / "bare.log"
    path.write_text(SHORT.read_text().rstrip("\n"))
    assert log.read(path).complete


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('[LEFT ""]', "hello", ':1: found "hello", expected [LEFT "NAME"]'),
        ('[RIGHT ""]\n', "", ':2: found "MAP", expected [RIGHT "NAME"]'),
        ("MAP\n", "PAM\n", ':3: found "PAM", expected MAP'),
        ("TURN 2\n", "TURN 3\n", 'found "TURN 3", expected TURN 2, or RESULT WINNER REASON'),
        ("COMMAND LEFT END\n", "", 'START", expected COMMAND LEFT END'),
        ("TIME LEFT", "TIME LEFT x", "expected TIME LEFT MS TOKENS RIGHT MS TOKENS"),
        ("END TURN 1\n", "", 'found "TURN 2", expected END TURN 1, or a row of the day'),
        ("END TURN 1\n", "END TURN 2\n", 'found "END TURN 2", expected END TURN 1, or a row'),
        ("LEFT_WIN", "NOBODY", 'found "RESULT NOBODY HQ_DESTROYED", expected TURN '),
        ("HQ_DESTROYED\n", "HQ_DESTROYED\nmore\n", 'found "more", expected nothing behind'),
    ],
)
def test_what_is_no_log_is_refused_by_line(tmp_path, old, new, said):
    path = tmp_path / "bad.log"
    assert old in SHORT.read_text()
    path.write_text(SHORT.read_text().replace(old, new, 1))
    with pytest.raises(BadInput) as error:
        log.read(path)
    assert said in str(error.value)
    assert str(error.value).startswith(f"{path}:")


@pytest.mark.parametrize("size", [0, 5, 12, 20, 300])
def test_a_log_without_its_whole_map_is_refused(tmp_path, size):
    path = tmp_path / "cut.log"
    path.write_text(SHORT.read_text()[:size])
    with pytest.raises(BadInput, match="expected"):
        log.read(path)


def test_a_wrong_map_is_refused_by_its_line_in_the_log(tmp_path):
    lines = SHORT.read_text().split("\n")
    lines[7] = "2 1 2"  # region 0's neighbours, of whom 5 has it still
    path = tmp_path / "map.log"
    path.write_text("\n".join(lines))
    with pytest.raises(BadInput, match=r"map\.log:\d+: found"):
        log.read(path)


def test_what_is_no_file_of_text_is_refused(tmp_path):
    binary = tmp_path / "binary.log"
    binary.write_bytes(b"\x80\x81\x82")
    for path in (tmp_path, binary, tmp_path / "none.log"):
        with pytest.raises(BadInput, match="expected"):
            log.read(path)


def test_names_stand_in_the_header():
    writer = log.Writer(log.read(SHORT).map, ("one", "two"))
    assert writer.text().startswith('[LEFT "one"]\n[RIGHT "two"]\nMAP\n')


# --- a day's rows -------------------------------------------------------------------------------

DAY = [
    (UPGRADED, RIGHT, 0, 7),
    (UPGRADED, LEFT, 0, 9),
    (MOVED, RIGHT, 2, 40),
    (MOVED, LEFT, 12, 5),
    (MOVED, LEFT, 9, 4),
    (TRAINED, RIGHT, 9, 0),
    (TRAINED, LEFT, 11, 0),
    (TRAINED, LEFT, 10, 0),
    (COMBAT, LEFT, 3, 2),
    (TURRET, RIGHT, 1, 1),
    (TURRET, LEFT, 3, 1),
    (BESIEGED, RIGHT, 52, 2),
    (BESIEGED, LEFT, 8, 1),
    (HUNGER, RIGHT, 1200, 1),
]
ROWS = """\
UPGRADE B 7
UPGRADE A 9
TRAIN A10 A11 B9
MOVE A9 4
MOVE A12 5
MOVE B2 40
DAMAGE TURRET A3 1
DAMAGE TURRET B1 1
DAMAGE COMBAT A3 2
DAMAGE HUNGER B1200 1
SIEGE A 8 1
SIEGE B 52 2"""


def told(events):
    state = np.zeros(1, STATE)[0]
    for i, (kind, side, who, value) in enumerate(events):
        state["event"][i] = ((kind * 2 + side) * EVENT + who) * EVENT + value
    state["told"] = len(events)
    return state


def test_rows_stand_in_the_order_of_the_logs():
    assert rows.of(told(DAY)) == ROWS.split("\n")
    assert rows.of(told([])) == []


def test_rows_by_section_and_of_one_side():
    assert rows.sections(told(DAY), RIGHT) == {
        "UPGRADE": ["B 7"],
        "TRAIN": ["B9"],
        "MOVE": ["B2 40"],
        "DAMAGE": ["TURRET B1 1", "HUNGER B1200 1"],
        "SIEGE": ["B 52 2"],
    }
    assert rows.sections(told(DAY))["TRAIN"] == ["A10", "A11", "B9"]
