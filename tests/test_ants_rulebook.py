"""What the rulebook of ants says about its board, prices and fights."""

from typing import Any, cast

import pytest

from lab.catalog import load_game, load_rules
from lab.games.ants.rulebook import Army, fight
from lab.games.ants.rules import Ants
from lab.report.rulebook import rulebook
from lab.rules import bounds
from tests.test_rulebook import assert_tidy, body

GAME = load_game("ants")
BASE = load_rules("ants", "0.3")
MOVEMENTS = bounds(Ants, "/march/movement")
JUDGEMENTS = bounds(Ants, "/cap/judgement")
PRICES = ("| The next ", "| 다음 ")


@pytest.fixture(params=["en", "ko"])
def language(request: pytest.FixtureRequest) -> str:
    return cast(str, request.param)


def page(language: str, changes: dict[str, Any] | None = None) -> str:
    return rulebook(GAME, BASE.override(changes or {}), language)


def test_the_order_of_directions_shows(language: str) -> None:
    turned = BASE.value("/board/directions")[::-1]
    assert body(BASE.override({"/board/directions": turned}), language) != body(BASE, language)


@pytest.mark.parametrize("kept", [0, 3])
def test_a_board_may_have_fewer_points_or_none(kept: int, language: str) -> None:
    points = BASE.value("/board/points")[:kept]
    text = body(BASE.override({"/board/points": points}), language)
    assert text.count("◎") == kept + 1  # the legend's


def test_numbers_that_shape_the_examples_are_stated_too(language: str) -> None:
    changes = {
        "/board/radius": 4,
        "/units/queen/power": 9,
        "/units/soldier": {"cost": 8, "cost_step": 7, "power": 6},
        "/units/worker": {"cost": 5, "cost_step": 4, "power": 3},
    }
    stated = {
        "en": ("61 cells and reaches 4 cells", "queen 9, soldier 6, worker 3"),
        "ko": ("61개이고, 한가운데에서 어느 쪽으로든 4칸", "여왕은 9, 병정은 6, 일꾼은 3"),
    }
    rows = {
        "en": ("**Queen** | 9 |", "**Soldier** | 6 | 8 | for every 7", "**Worker** | 3 | 5 |"),
        "ko": ("**여왕** | 9 |", "**병정** | 6 | 8 | 가진 병정 7마리", "**일꾼** | 3 | 5 |"),
    }
    text = page(language, changes)
    assert [part for part in stated[language] + rows[language] if part not in text] == []


@pytest.mark.parametrize("movement", MOVEMENTS)
@pytest.mark.parametrize("judgement", JUDGEMENTS)
def test_every_pair_of_switches_renders_tidily(
    movement: str, judgement: str, language: str
) -> None:
    switches = {"/march/movement": movement, "/cap/judgement": judgement}
    studies = {
        "/board/mirror_second": True,
        "/board/tie_break": "highest",
        "/pheromone/place_needs_no_ants": True,
        "/pheromone/decay": 1,
        "/income/gather_per_worker": 2,
        "/march/cells": 2,
        "/siege/cells": 6,
        "/turn/cost/place": 2,
        "/start/resources": [4, 4],
    }
    assert_tidy(page(language, switches))
    assert_tidy(page(language, switches | studies))


BOARD = """\
r = -3      · · · B
r = -2     · · · · ·
r = -1    · ◎ · · ◎ ·
r =  0   · · · · · · ·
r =  1    · ◎ · · ◎ ·
r =  2     · · · · ·
r =  3      A · · ·
"""

GOLDEN = {
    "en": [
        BOARD,
        "| **Cap** | Round 40 is over. | The cap judgement decides |",
        "Your turn ended 2 times in a row with workers or soldiers of yours on at least 2 cells",
        "| Nest | A (-3, 3) | B (3, -3) |",
        "| Cells of its half | 17 | 17 |",
        "| Resources | 3 | 4 |",
        "| The next soldier costs | 2 | 3 | 4 | 5 |",
        "You have 3 action points, AP, to spend",
        "walks (-3, 3) → (-2, 2) → (-2, 1) and is there at the end of p1's turn 2.",
        "It earns 1 at the start of turn 3.",
        "| 1 soldier | 1 worker | 2 : 1 | no | 1 soldier | nobody |",
        "| 2 soldiers | 1 queen | 4 : 3 | no | 1 soldier | nobody |",
        "the first in the order east, north-east, north-west, west, south-west, south-east.",
        "| `README 4.1` | as described | An ant made this turn may act; only marching is ex",
        f"`ants/0.3.json` · version **0.3** · fingerprint `{BASE.fingerprint}`",
    ],
    "ko": [
        BOARD,
        "| **상한** | 40라운드가 다 지남 | 상한 판정으로 |",
        "상대 둥지 곁의 2칸 이상에 내 일꾼이나 병정을 둔 채 내 턴을 잇달아 2번 끝냄",
        "| 둥지 | A (-3, 3) | B (3, -3) |",
        "| 진영의 칸 | 17 | 17 |",
        "| 자원 | 3 | 4 |",
        "| 다음 병정의 값 | 2 | 3 | 4 | 5 |",
        "행동 점수(AP) 3을 씁니다",
        "(-3, 3) → (-2, 2) → (-2, 1)로 걸어 p1의 2번째 턴이 끝날 때 도착합니다.",
        "그리고 3번째 턴이 시작될 때 자원 1을 벌어 옵니다.",
        "| 병정 1 | 일꾼 1 | 2 : 1 | 없음 | 병정 1 | 없음 |",
        "| 병정 2 | 여왕 1 | 4 : 3 | 없음 | 병정 1 | 없음 |",
        "동, 북동, 북서, 서, 남서, 남동 차례에서",
        "| `README 4.1` | 설명대로 | 갓 태어난 개미도 일은 할 수 있고, 행진만 하지 않습니다. |",
        f"`ants/0.3.json` · 버전 **0.3** · 지문 `{BASE.fingerprint}`",
    ],
}


def test_the_rulebook_of_0_3_says_what_it_should(language: str) -> None:
    text = page(language)
    assert [line for line in GOLDEN[language] if line not in text] == []


@pytest.mark.parametrize("steps", [(2, 2), (7, 8), (1, 10)])
def test_the_price_table_shows_rises_of_both_kinds(steps: tuple[int, int], language: str) -> None:
    changes = dict(zip(("/units/worker/cost_step", "/units/soldier/cost_step"), steps, strict=True))
    rows = [line for line in page(language, changes).splitlines() if line.startswith(PRICES)]
    for row, base in zip(rows, (1, 2), strict=True):
        assert {f" {base + rise} " for rise in range(4)} <= set(row.split("|"))


def test_the_quick_game_is_shorter_and_a_variant(language: str) -> None:
    text = rulebook(GAME, load_rules("ants", "0.3-quick"), language)
    assert {"en": "Round 20 is over", "ko": "20라운드가 다 지남"}[language] in text
    assert {"en": "0.3-quick**, a variant of 0.3", "ko": "0.3-quick**(0.3의 변형)"}[
        language
    ] in text


@pytest.mark.parametrize(
    ("ours", "theirs", "scent", "divisor", "left"),
    [
        (Army(soldiers=1), Army(workers=3), True, 2, (Army(), Army(workers=1))),
        (Army(workers=3, soldiers=2), Army(soldiers=2), False, 2, (Army(soldiers=2), Army())),
        (Army(1, 1, 1), Army(1, 1, 1), True, 1, (Army(), Army())),
        (Army(1, 1, 1), Army(1, 1, 1), True, 2, (Army(0, 0, 1), Army())),
        (Army(1, 1, 1), Army(1, 1, 1), True, 4, (Army(0, 1, 1), Army())),
        (Army(0, 1, 1), Army(5), True, 5, (Army(0, 1, 1), Army())),
    ],
)
def test_worked_fights_follow_the_rules(
    ours: Army, theirs: Army, scent: bool, divisor: int, left: tuple[Army, Army]
) -> None:
    rules = BASE.override({"/combat/tie_loss_divisor": divisor}).document
    assert fight(ours, theirs, scent, cast(Ants, rules)).left == left
