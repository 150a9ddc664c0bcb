"""Maps as text: what is written is read, and what is wrong is said in one line."""

import random
import re
from pathlib import Path

import numpy as np
import pytest

from lab.errors import BadInput
from lab.games.next_nation import maps, picture
from lab.games.next_nation.state import (
    DRAW,
    KIND,
    MAP,
    MOVE,
    NONE,
    RUNNING,
    STATE,
    TRAIN,
    UPGRADE,
    WHO,
)

GOLDEN = sorted((Path(__file__).parent / "golden/next_nation/maps").glob("seed_*.txt"))
TEXT = GOLDEN[0].read_text(encoding="utf-8")
"""A map of 109 regions and 19 strongholds."""


def small():
    """Eleven regions in a row, the middle one a stronghold."""
    rows = ["11 1", " ".join(map(str, range(11))), "0 " * 11, "5"]
    rows += ["1 1", *(f"2 {u - 1} {u + 1}" for u in range(1, 10)), "1 9"]
    return rows


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_both_forms_read_back(file):
    text = file.read_text(encoding="utf-8")
    m = maps.parse(text, "a.map")
    assert m["seed"] == NONE
    assert maps.text(m[0]) == text
    in_log = maps.lines(m[0], in_log=True)
    assert in_log[3] == "STRONGHOLDS " + text.split("\n")[3]
    assert maps.parse("\r\n".join(in_log) + "\r\n\r\n \n", "a.log") == m


def test_what_the_order_of_a_row_is_does_not_count():
    rows = TEXT.rstrip().split("\n")
    turned = [*rows[:3], " ".join(reversed(rows[3].split()))]
    turned += [" ".join([row.split()[0], *reversed(row.split()[1:])]) for row in rows[4:]]
    assert maps.parse("\n".join(turned), "a.map") == maps.parse(TEXT, "a.map")


@pytest.mark.parametrize(
    ("row", "text", "line"),
    [
        (0, "12 1", "1: found 12 regions, expected an odd number from 11 to 249"),
        (0, "9 1", "1: found 9 regions, expected an odd number from 11 to 249"),
        (0, "251 1", "1: found 251 regions, expected an odd number from 11 to 249"),
        (0, "11 2", "1: found 2 strongholds, expected an odd number from 1 to 8"),
        (0, "11 9", "1: found 9 strongholds, expected an odd number from 1 to 8"),
        (0, "11 -1", "1: found -1 strongholds, expected an odd number from 1 to 8"),
        (0, "11", "1: found 1 numbers, expected N and K"),
        (0, "MAP", "1: found 'MAP', expected a whole number"),
        (1, "0 " * 10, "2: found 10 numbers, expected 11 numbers"),
        (2, "0 " * 12, "3: found 12 numbers, expected 11 numbers"),
        (2, "0 " * 10 + "0.5", "3: found '0.5', expected a whole number"),
        (2, "0 " * 10 + "٣", "3: found '٣', expected a whole number"),
        (2, "0 " * 10 + "15001", "3: found 15001, expected numbers from -15000 to 15000"),
        (1, "7 7 " + "0 " * 9, "3: found region 1 on top of region 0, expected a place of its own"),
        (3, "", "4: found 0 numbers, expected 1 strongholds"),
        (3, "5 6", "4: found 2 numbers, expected 1 strongholds"),
        (3, "STRONGHOLD 5", "4: found 'STRONGHOLD', expected a whole number"),
        (3, "0", "4: found 0, expected numbers from 1 to 9"),
        (3, "10", "4: found 10, expected numbers from 1 to 9"),
        (4, "2 1", "5: found 1 neighbours, expected 2 of region 0"),
        (4, "0", "5: found 0 neighbours, expected some of region 0"),
        (4, "1 11", "5: found 11, expected numbers from 0 to 10"),
        (5, "3 0 2 2", "6: found region 2 twice, expected each region once"),
        (5, "3 0 1 2", "6: found region 1 beside itself, expected other regions"),
        (5, "3 0 2 4", "6: found 4 beside 1, expected 1 beside 4 too"),
        (5, "1 0", "7: found 1 beside 2, expected 2 beside 1 too"),
        (15, "0", "16: found more lines, expected the end of the map"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(row, text, line):
    rows = [*small(), ""]
    rows[row] = text
    with pytest.raises(BadInput) as error:
        maps.parse("\n".join(rows), "a.map")
    assert str(error.value) == f"a.map:{line}"


def test_the_small_map_is_one():
    m = maps.parse("\n".join(small()), "a.map")[0]
    assert (m["hq_hops"], m["steps"][2, :11].tolist()) == (10, [5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5])


def test_a_map_that_ends_too_soon_or_falls_apart():
    with pytest.raises(BadInput, match=r"^a\.map:15: found the end, expected the neighbours of r"):
        maps.parse("\n".join(small()[:14]), "a.map")
    apart = [*small()[:5], "2 0 2", "1 1", "1 4", "2 3 5", *small()[9:]]
    with pytest.raises(BadInput, match=r"^a\.map: found regions that no way joins, expected a map"):
        maps.parse("\n".join(apart), "a.map")


def test_lines_are_counted_from_where_the_text_begins():
    with pytest.raises(BadInput, match=r"^a\.log:4: found 12 regions"):
        maps.parse("12 1", "a.log", first=4)


def test_damaged_maps_are_refused_and_nothing_else():
    rng = random.Random(8)
    told = []
    for _ in range(300):
        damaged = list(TEXT)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] = rng.choice("0123456789- \nx")
        try:
            maps.parse("".join(damaged), "a.map")
        except BadInput as error:
            told.append(str(error))
    assert len(told) > 250
    assert all(re.fullmatch(r"a\.map(:\d+)?: found .+, expected .+", line) for line in told)


@pytest.mark.parametrize(("vision", "seen"), [(0, 0), (1, 0b111)])
def test_a_map_in_a_record_knows_what_the_fog_shows(vision, seen):
    information = {"hops": 2, "vision": vision}
    record = {"maps": np.zeros(3, MAP), "information": information}
    m = maps.parse("\n".join(small()), "a.map")
    maps.put(record, 1, m[0])
    assert maps.text(record["maps"][1]) == maps.text(m[0])
    assert record["maps"][1]["near"][0, 0] == seen
    assert not record["maps"]["n"][[0, 2]].any()


# --- pictures -----------------------------------------------------------------------------------


def test_every_region_is_a_polygon_around_its_centre():
    m = maps.parse(TEXT, "a.map")[0]
    cells = picture.cells(m)
    assert len(cells) == m["n"]
    for u, corners in enumerate(cells):
        around = zip(corners, [*corners[1:], corners[0]], strict=True)
        x, y = int(m["x"][u]), int(m["y"][u])
        turns = [(ax - x) * (by - y) - (ay - y) * (bx - x) for (ax, ay), (bx, by) in around]
        assert min(turns) > 0
        assert len(corners) >= m["start"][u + 1] - m["start"][u]


def test_the_picture_of_a_map_numbers_its_regions():
    m = maps.parse(TEXT, "a.map")[0]
    drawn = picture.map_svg(m)
    assert drawn.startswith("<svg ")
    assert "109 regions · 19 strongholds · " in drawn
    assert drawn.count("<polygon ") == 109
    assert all(f">{u}</text>" in drawn for u in range(109))
    assert drawn.count("stroke-dasharray") == 19


@pytest.fixture
def position():
    """LEFT's warrior 7 on its way from its HQ to the middle, where RIGHT has a base."""
    record = {"maps": np.zeros(1, MAP), "days": 200, "map": {"radius": 10_000, "outer": 24}}
    record["maps"][0] = maps.parse("\n".join(small()), "a.map")[0]
    state = np.zeros(1, STATE)[0]
    state["day"], state["ending"], state["winner"] = 33, RUNNING, DRAW
    state["living"][0], state["number"][0, :2], state["health"][0, :2] = 2, (5, 7), (4, 3)
    state["target"][0, :2] = NONE, 5
    state["force"][0, 0] = 2
    state["level"][0, 0], state["hp"][0, 0] = 2, 15
    state["level"][1, 1:3], state["hp"][1, 1:3] = (4, 3), (25, 18)
    return record, state


def test_the_picture_of_a_position_tells_what_each_side_has(position):
    drawn = picture.position_svg(*position)
    for told in ("LEFT to order", "day 33 of 200", "HQ level 2, 15 hp", "HQ level 4, 25 hp"):
        assert f">{told}</text>" in drawn
    assert ">0 gold · 2 warriors · 0 bases</text>" in drawn
    assert ">0 gold · 0 warriors · 1 bases</text>" in drawn
    assert drawn.count(f"fill='{picture.TINTS[0]}'") == 1
    assert drawn.count(f"fill='{picture.TINTS[1]}'") == 2


@pytest.mark.parametrize(
    ("action", "mark"),
    [
        (MOVE * KIND + 7 * WHO + 5, "<polyline points="),
        (MOVE * KIND + 7 * WHO + 0, "r='16' fill='none'"),
        (UPGRADE * KIND + 0, "fill='none' stroke='#23292f' stroke-width='3'"),
        (TRAIN * KIND + 1, "fill='none' stroke='#23292f' stroke-width='3'"),
    ],
)
def test_the_picture_of_a_position_shows_the_order_that_led_there(position, action, mark):
    assert mark not in picture.position_svg(*position)
    assert picture.position_svg(*position, action).count(mark) == 1


def test_the_picture_of_an_ended_game_names_the_winner(position):
    record, state = position
    state["ending"], state["winner"] = 0, 1
    assert ">RIGHT wins · HQ destroyed</text>" in picture.position_svg(record, state)
    state["ending"], state["winner"] = 1, DRAW
    assert ">draw · day limit</text>" in picture.position_svg(record, state)
