"""The rulebooks say every number of the rules, in every language, and say it well."""

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest
from markdown_it import MarkdownIt

from lab.document import Range
from lab.errors import BadInput
from lab.game import Game
from lab.games.ants.rulebook import Army, fight
from lab.games.ants.rules import Ants
from lab.report.rulebook import count, josa, languages, rulebook
from lab.rules import Rules, bounds, load_version

GAME = cast(Game, SimpleNamespace(name="ants"))  # a rulebook needs no more of a game than its name
BASE = load_version("ants", "0.3", Ants)
POINTERS = [p for p in BASE.pointers() if not p.startswith("/board/directions/")]
MOVEMENTS = bounds(Ants, "/march/movement")
PRICES = ("| The next ", "| 다음 ")
JUDGEMENTS = bounds(Ants, "/cap/judgement")


@pytest.fixture(params=["en", "ko"])
def language(request: pytest.FixtureRequest) -> str:
    return cast(str, request.param)


def page(language: str, changes: dict[str, Any] | None = None) -> str:
    return rulebook(GAME, BASE.override(changes or {}), language)


def body(rules: Rules, language: str) -> str:
    """The page without its foot, whose fingerprint changes with any number."""
    return rulebook(GAME, rules, language).rpartition("\n---\n")[0]


def others(pointer: str) -> list[Rules]:
    """The rules with every other value at the pointer that its range and the rules allow."""
    held = bounds(Ants, pointer)
    whole = isinstance(held, Range)  # ants knows whole numbers only
    values = range(int(held[0]), int(held[1]) + 1) if whole else held
    allowed = []
    for value in values:
        if value != BASE.value(pointer):
            try:
                allowed.append(BASE.override({pointer: value}))
            except BadInput:  # a nest on a point, a strength above the greatest
                continue
    return allowed


def test_every_language_of_the_folder_is_found() -> None:
    assert languages(GAME) == ["en", "ko"]


@pytest.mark.parametrize("pointer", POINTERS)
def test_every_value_of_every_number_choice_and_switch_shows(pointer: str, language: str) -> None:
    changed = others(pointer)
    assert changed
    texts = {body(rules, language) for rules in [BASE, *changed]}
    assert len(texts) == len(changed) + 1


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
def test_every_switch_renders_tidily(movement: str, judgement: str, language: str) -> None:
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
    for text in (page(language, switches), page(language, switches | studies)):
        assert "\n\n\n" not in text
        assert not re.search(
            r"[ \t]\n|\S  +\S", re.sub(r"```text.*?```", "", text, flags=re.DOTALL)
        )
        for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
            assert len({row.count("|") for row in table.splitlines()}) == 1
        # Behind a sign and before a Hangul letter, ** would not close.
        assert "**" not in MarkdownIt("commonmark").render(text)


def test_the_contents_lead_to_the_headings(language: str) -> None:
    text = page(language)
    links = set(re.findall(r"\]\(#(.+?)\)", text))
    headings = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    assert links == {
        re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings
    }


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
        "- `README 4.1`: An ant made this turn may act; only marching is excluded.",
        f"Rules **ants 0.3** · fingerprint `{BASE.fingerprint}`",
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
        "- `README 4.1`: 갓 태어난 개미도 일은 할 수 있고, 행진만 하지 않습니다.",
        f"규칙 **ants 0.3** · 지문 `{BASE.fingerprint}`",
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
    text = rulebook(GAME, load_version("ants", "0.3-quick", Ants), language)
    assert {"en": "Round 20 is over", "ko": "20라운드가 다 지남"}[language] in text
    assert {"en": "0.3-quick**, a variant of 0.3", "ko": "0.3-quick**(0.3의 변형)"}[
        language
    ] in text


def test_overridden_rules_say_so_in_the_foot(language: str) -> None:
    assert "`/turn/ap` = 4" in page(language, {"/turn/ap": 4})
    assert "`/turn/ap`" not in page(language)


def test_korean_readers_meet_every_shipped_assumption_in_korean() -> None:
    for version in ("0.3", "0.3-quick"):
        rules = load_version("ants", version, Ants)
        text = rulebook(GAME, rules, "ko")
        assert [row.at for row in rules.assumed if row.why in text] == []


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^rulebook of ants: found language 'kr', .*one of en, ko"):
        rulebook(GAME, BASE, "kr")


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


@pytest.mark.parametrize(
    ("word", "pair", "read"),
    [
        (0, "을/를", "0을"),
        (1, "을/를", "1을"),
        (2, "을/를", "2를"),
        (3, "이/가", "3이"),
        (4, "이/가", "4가"),
        (5, "은/는", "5는"),
        (6, "은/는", "6은"),
        (9, "과/와", "9와"),
        (10, "을/를", "10을"),
        (0, "으로/로", "0으로"),
        (1, "으로/로", "1로"),
        (3, "으로/로", "3으로"),
        (7, "으로/로", "7로"),
        (8, "으로/로", "8로"),
        (10, "으로/로", "10으로"),
        ("(-2, 1)", "으로/로", "(-2, 1)로"),
        ("일꾼", "을/를", "일꾼을"),
        ("개미", "을/를", "개미를"),
        ("북", "으로/로", "북으로"),
        ("굴", "으로/로", "굴로"),
        ("굴", "을/를", "굴을"),
        ("AP", "이/가", "AP가"),
        ("“XL”", "이/가", "“XL”이"),
    ],
)
def test_particles_follow_the_final_sound(word: object, pair: str, read: str) -> None:
    assert josa(word, pair) == read


def test_english_nouns_follow_their_number() -> None:
    assert [count(n, "ant") for n in (0, 1, 2)] == ["0 ants", "1 ant", "2 ants"]
