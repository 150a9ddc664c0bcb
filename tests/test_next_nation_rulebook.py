"""What the rulebook of NEXT NATION says about its maps, buildings, fights and clock."""

import re
from typing import Any, cast

import pytest

from lab.catalog import load_game, load_rules
from lab.games.next_nation.rulebook import Building, fight
from lab.report.rulebook import rulebook
from tests.test_rulebook import assert_tidy

GAME = load_game("next_nation")
BASE = load_rules("next_nation", "2026-qualifier")
FINAL = load_rules("next_nation", "2026-final")

GOLDEN = {
    "en": [
        "| **Day limit** | Day 200 is over. | The HQ with more hp wins",
        "| Regions | 51 | 109 |\n| Strongholds | 9 | 17 to 21 |",
        "15 to 20 percent of the regions",
        "circle of radius 10000",
        "| HQ | level 1, 10 hp | level 1, 10 hp |\n| Gold | 500 | 500 |",
        "| 3, each 4 hp | 3, each 4 hp |",
        "| 10, but 0 when a building of yours stands in region d |",
        "| 120 for each |",
        "| 1 | – | 10 | 1 | 1 | 1 | 4 |\n| 2 | 600 | 15 | 2 | 2 | 1 | 5 |",
        "| 3 | 1000 | 18 | 2 | 3 |\n\nAt level 3, a repair costs 500.",
        "You bring 4 warriors of 4 hp each to a base of 6 hp, guarded by one warrior that has 2 hp",
        "2 fell the guard and 2 hit the base, which then has 4 hp.",
        "You are left with 1 × 2 hp, 3 × 4 hp.",
        "| 10 × 4 hp | 2 × 4 hp | the HQ, 10 hp | 1 × 1 hp, 9 × 4 hp | nobody | 8 hp |",
        "eats 2 gold, the lowest number first",
        "You see the whole map",
        "within 1000 ms, the `END` of a day's orders within 100 ms",
        "5 spare periods for the whole game: orders after 201 ms would cost 2.",
        "no answer may take more than 600 ms",
        "A new base earns 15 a day while all its places are taken. It has paid for itself after 20",
        f"version **2026-qualifier** · fingerprint `{BASE.fingerprint}`",
    ],
    "ko": [
        "| **기한** | 200일째가 지남 | 본부의 체력이 더 많은 쪽의 승리",
        "| 구역 | 51 | 109 |\n| 거점 | 9 | 17–21 |",
        "구역 수의 15%부터 20%까지",
        "반지름이 10000인 원",
        "| 본부 | 레벨 1, 체력 10 | 레벨 1, 체력 10 |\n| 금화 | 500 | 500 |",
        "| 3명(체력 4) | 3명(체력 4) |",
        "| 10, 내 건물이 있는 구역으로는 0 |",
        "| 한 명에 120 |",
        "| 1 | – | 10 | 1 | 1 | 1 | 4 |\n| 2 | 600 | 15 | 2 | 2 | 1 | 5 |",
        "금화 1000이 들고, 체력이 가득 찹니다.",
        "| 3 | 1000 | 18 | 2 | 3 |\n\n레벨 3인 기지를 수리하는 데는 금화 500이 듭니다.",
        "체력이 4인 전사 4명을 적의 기지로 보냈습니다. 기지의 체력은 6이고",
        "2번에 그 전사가 쓰러지고, 2번이 기지에 떨어집니다. 기지는 체력 4가 남습니다.",
        "| 10명(체력 4) | 2명(체력 4) | 본부(체력 10) | 1명(체력 1), 9명(체력 4) | 없음 | 체력 8 |",
        "금화를 2씩 먹습니다",
        "지도가 다 보입니다",
        "1000ms 안에, 하루의 명령은 `END`까지 100ms 안에",
        "201ms가 걸린 명령에는 초읽기 2개가 듭니다",
        "하루에 600ms보다 오래 걸려서는 안 됩니다",
        "하루에 15를 벌어 옵니다. 일하는 전사의 식비를 빼지 않으면 20일 만에",
        f"`next_nation/2026-qualifier.json` · 버전 **2026-qualifier** · 지문 `{BASE.fingerprint}`",
    ],
}
FINALLY = {
    "en": [
        "| Regions | 181 | 249 |\n| Strongholds | 13 to 17 | 15 to 19 |",
        "at least √N - 1 strongholds and at most √N + 4",
        "at most 2 steps away from one of your own warriors or buildings",
        "`BUILDING n` with lines such as `A 0 1 10`",
    ],
    "ko": [
        "| 구역 | 181 | 249 |\n| 거점 | 13–17 | 15–19 |",
        "(구역 수의 제곱근 - 1)개부터 (구역 수의 제곱근 + 4)개까지",
        "내 전사나 건물에서 2걸음 안에",
        "`BUILDING n`과 `A 0 1 10`(구역, 레벨, 체력) 같은 줄",
    ],
}
BARE = {
    "/start/warriors": 0,
    "/warrior/hunger": 0,
    "/warrior/work": 0,
    "/information/vision": "fog",
    "/information/hops": 0,
    "/base/turret/0": 0,
    "/map/low": 20,
    "/map/high": 20,
    "/clock/tokens": 0,
    "/days": 1,
}
"""Numbers at their ends: no warriors, nothing to earn, a map size without an odd number between."""


@pytest.fixture(params=["en", "ko"])
def language(request: pytest.FixtureRequest) -> str:
    return cast(str, request.param)


@pytest.mark.parametrize(("rules", "lines"), [(BASE, GOLDEN), (FINAL, FINALLY)])
def test_the_rulebooks_say_what_they_should(rules: Any, lines: Any, language: str) -> None:
    text = rulebook(GAME, rules, language)
    assert [line for line in lines[language] if line not in text] == []
    assert_tidy(text)


def test_numbers_at_their_ends_render_tidily(language: str) -> None:
    text = rulebook(GAME, BASE.override(BARE), language)
    assert_tidy(text)
    assert {"en": "takes no harm", "ko": "아무것도 잃지 않습니다"}[language] in text
    assert {"en": "in the same region as one", "ko": "같은 구역에 있는"}[language] in text
    assert {"en": "paid for itself", "ko": "제값을"}[language] not in text


def test_every_number_of_a_building_stands_in_its_row(language: str) -> None:
    """Also where two levels are alike, which a changed page alone does not tell."""
    text = rulebook(GAME, BASE, language)
    rows = [
        [cell.strip() for cell in row.strip("|").split("|")]
        for row in re.findall(r"^\| \d \|.*$", text, flags=re.MULTILINE)
    ]
    hq, base = (BASE.value(key) for key in ("/hq", "/base"))
    columns = [["–", *hq["cost"]], *(hq[key] for key in ("hp", "turret", "work", "train"))]
    columns += [hq["warrior_hp"]]
    wanted = [list(map(str, row)) for row in zip(range(1, 6), *columns, strict=True)]
    columns = [base[key] for key in ("cost", "hp", "turret", "work")]
    wanted += [list(map(str, row)) for row in zip(range(1, 4), *columns, strict=True)]
    assert rows == wanted


@pytest.mark.parametrize(
    ("ours", "theirs", "building", "left", "standing"),
    [
        ([4, 4], [4], None, ([3, 4], [2]), 0),
        ([4, 2, 2], [1], None, ([4, 1, 2], []), 0),  # of equal ones the lowest number
        ([1, 1], [1, 1], None, ([], []), 0),  # who falls has struck
        ([3], [5, 1], None, ([1], [5]), 0),
        ([4, 4, 4], [], Building(False, 1, 6), ([3, 4, 4], []), 3),
        ([4] * 9, [2], Building(False, 5, 6), ([2] + [4] * 7, []), 0),
        ([4], [1], Building(True, 3, 10), ([], []), 10),
    ],
)
def test_worked_fights_follow_the_rules(
    ours: list[int], theirs: list[int], building: Building | None, left: Any, standing: int
) -> None:
    fought = fight(ours, theirs, building)
    assert (fought.left, fought.standing) == (left, standing)
