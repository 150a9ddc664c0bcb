"""What the rulebook of junqi says about its board, pieces, moves and battles."""

from typing import Any, cast

import pytest

from lab.catalog import load_game, load_rules
from lab.games.junqi.rulebook import facts, picture, reach
from lab.games.junqi.rules import Junqi
from lab.play import Position
from lab.report.rulebook import rulebook
from tests.test_rulebook import assert_tidy

GAME = load_game("junqi")
BASE = load_rules("junqi", "1.0")

BOARD = r"""
     A   B   C   D   E
12   +───H───+───H───+
     │   │   │   │   │
11   +═══+═══+═══+═══+
     ║ \ │ / │ \ │ / ║
10   +───O───+───O───+
     ║ / │ \ │ / │ \ ║
 9   +───+───O───+───+
     ║ \ │ / │ \ │ / ║
 8   +───O───+───O───+
     ║ / │ \ │ / │ \ ║
 7   +═══+═══+═══+═══+
     ║       │       ║
 F   +   ^   +   ^   +
     ║       │       ║
 6   +═══+═══+═══+═══+
     ║ \ │ / │ \ │ / ║
 5   +───O───+───O───+
     ║ / │ \ │ / │ \ ║
 4   +───+───O───+───+
     ║ \ │ / │ \ │ / ║
 3   +───O───+───O───+
     ║ / │ \ │ / │ \ ║
 2   +═══+═══+═══+═══+
     │   │   │   │   │
 1   +───H───+───H───+
"""
GOLDEN = {
    "en": [
        BOARD,
        "Two armies of 25 pieces face each other",
        "A2 to A11 by AF, E2 to E11 by EF, A2 to E2, A6 to E6, A7 to E7, A11 to E11.",
        "| **Marshal** | `9` | 9 | 1 | – |",
        "| **Engineer** | `1` | 1 | 3 | Goes round corners on rails, clears mines. |",
        "Mines** stand on your 2 back rows, but in no headquarters: 8 places in all.",
        "a piece on A6 has 15 places to go to; an engineer has 34.",
        "1. **The flag is attacked.** It is taken and the game is over, even if a bomb does it.",
        "| Marshal | Mine | Both are gone |",
        "100 turns in a row, those of both sides together, saw no battle. | Draw |",
        "A side's time ran out for the third time.",
        "You may offer again when 10 turns of either side have passed",
        "| Both are gone | brigade commander, bomb, mine | brigade commander, bomb |",
        f"`junqi/1.0.json` · version **1.0** · fingerprint `{BASE.fingerprint}`",
    ],
    "ko": [
        BOARD,
        "말 25개씩을 거느린 두 군대가",
        "A2–A11(AF 경유), E2–E11(EF 경유), A2–E2, A6–E6, A7–E7, A11–E11",
        "| **사령** | `9` | 9 | 1 | – |",
        "| **공병** | `1` | 1 | 3 | 철도에서 모퉁이를 돌고 지뢰를 걷어 냄 |",
        "뒤에서 2줄까지, 본부를 뺀 8자리에",
        "빈 보드의 A6에서 갈 수 있는 자리는 15곳이고, 공병이라면 34곳이에요.",
        "| 사령 | 지뢰 | 둘 다 사라짐 |",
        "두 편을 합쳐 100수 동안 전투가 없었음 | 무승부 |",
        "한 편의 시간이 3번째로 다함",
        "두 편을 합쳐 10수가 지나야",
        "내 여장이 싸웠다고 해 봐요.",
        "| 둘 다 사라짐 | 여장, 폭탄, 지뢰 | 여장, 폭탄 |",
        f"`junqi/1.0.json` · 버전 **1.0** · 지문 `{BASE.fingerprint}`",
    ],
}
FEW_RAILS = {"/board/rails": [{"nodes": ["A6", "B6"]}, {"nodes": ["D7", "E7"]}]}
NO_CAMPS = {"/board/camps": [], "/count/engineer": 8}
SWITCHED: list[tuple[dict[str, Any], str, str]] = [
    ({"/board/center_rail": True}, "C6, CF and C7 are a line of rail too", "CF, C7도 한 노선"),
    ({"/board/camp_rail": True}, "right through the camps there", "야영지를 그대로 지나요"),
    ({"/board/headquarters_hold": False}, "may leave it like any other place", "나올 수 있어요"),
    ({"/board/rails": []}, "No column and no row is a line of rail", "따로 놓인 노선은 없어요"),
    (FEW_RAILS, "the lines: A6 to B6, D7 to E7.", "노선은 A6–B6, D7–E7예요"),
    (NO_CAMPS, "This board has none", "이 보드에는 없어요"),
    ({"/setup/front_bombs": True}, "on the front row too: 25 places", "맨 앞줄까지 25자리"),
    ({"/setup/mine_rows": 1}, "on your 1 back row, but", "뒤에서 1줄까지, 본부를 뺀 3자리"),
    (
        {"/battle/bomb_on_flag": "both_go"},
        "So is a flag that a bomb",
        "군기를 차지한 것이 아니라서",
    ),
    ({"/battle/bomb_on_flag": "both_go"}, "| Bomb | Flag | Both", "| 폭탄 | 군기 | 둘 다"),
    ({"/battle/mine": "stays"}, "is gone, and the mine stays", "혼자 사라지고 지뢰는 남아요"),
    (
        {"/battle/mine": "stays"},
        "| Marshal | Mine | The attacker is",
        "| 사령 | 지뢰 | 공격한 말만",
    ),
    ({"/battle/mine": "stays"}, "marshal, mine |", "사령, 지뢰 |"),
    ({"/battle/mine": "stays"}, "Only engineers clear mines", "지뢰를 걷어 내는 것은 공병뿐"),
    ({"/rank/division": 8}, "**Division commander** | `7` | 8 | 2 |", "**사장** | `7` | 8 | 2 |"),
    ({"/rank/division": 8}, "| Army commander | Division commander | Both", "| 군장 | 사장 | 둘"),
    ({"/count/brigade": 0, "/count/army": 3}, "Say an engineer of yours", "내 공병이 싸웠다고"),
    ({"/draw/offer_gap": 0}, "as soon as nobody's offer stands", "남아 있는 제안이 없으면"),
    ({"/draw/offer_gap": 1}, "when 1 turn of either side has", "두 편을 합쳐 1수가"),
    ({"/draw/quiet_limit": 60}, "60 turns in a row", "60수 동안 전투가 없었음"),
    ({"/clock/setup": 45}, "The set-up takes at most 45 seconds", "배치는 45초 안에"),
    ({"/clock/ply": 20}, "A turn takes at most 20 seconds", "시간은 20초예요"),
    ({"/clock/late_limit": 1}, "out of time for the first time", "한 판에서 1번째로"),
    ({"/clock/away": 40}, "has 40 seconds to come back", "40초 안에 돌아와야"),
]
"""Changes, and what the page then says that it did not say before."""
STRANGE = {
    "/count": dict.fromkeys(("mine", "bomb", "engineer", "platoon", "company", "marshal"), 0)
    | {"battalion": 8, "regiment": 8, "brigade": 0, "division": 0, "army": 8},
    "/board/headquarters_hold": False,
    "/setup/mine_rows": 1,
    "/clock/late_limit": 10,
}


@pytest.fixture(params=["en", "ko"])
def language(request: pytest.FixtureRequest) -> str:
    return cast(str, request.param)


def document(changes: dict[str, Any] | None = None) -> Junqi:
    return cast(Junqi, BASE.override(changes or {}).document)


def page(language: str, changes: dict[str, Any] | None = None) -> str:
    return rulebook(GAME, BASE.override(changes or {}), language)


def test_the_rulebook_of_1_0_says_what_it_should(language: str) -> None:
    text = page(language)
    assert [line for line in GOLDEN[language] if line not in text] == []


@pytest.mark.parametrize(("changes", "english", "korean"), SWITCHED)
def test_switches_and_numbers_change_the_sentences(
    changes: dict[str, Any], english: str, korean: str, language: str
) -> None:
    said, text = {"en": english, "ko": korean}[language], page(language, changes)
    assert said in text
    assert said not in page(language)
    assert_tidy(text)


def test_an_army_without_most_kinds_renders_tidily(language: str) -> None:
    text = page(language, STRANGE)
    assert_tidy(text)
    assert {"en": "| Marshal | Mine |", "ko": "| 사령 | 지뢰 |"}[language] not in text


def test_ranks_order_the_pieces(language: str) -> None:
    text = page(language, {"/rank/engineer": 20})
    assert text.index("`1` | 20 |") < text.index("`9` | 9 |") < text.index("`2` | 2 |")


@pytest.mark.parametrize("switch", ["/board/center_rail", "/board/camp_rail"])
def test_the_board_is_drawn_by_its_switches(switch: str) -> None:
    off, on = (picture(document({switch: value})) for value in (False, True))
    assert (
        on.count("║") - off.count("║") == {"/board/center_rail": 2, "/board/camp_rail": 16}[switch]
    )
    assert on.replace("║", "│") == off.replace("║", "│")


def test_the_drawn_board_is_that_of_the_rules() -> None:
    moved = {"/board/camps": ["A4", "E9"], "/board/headquarters": ["C1", "C12"]}
    drawn = picture(document(moved | FEW_RAILS | {"/count/platoon": 7})).splitlines()
    assert [line[5:] for line in drawn if line.startswith((" 4", " 9", "12", " 6"))] == [
        "+───+───H───+───+",
        "+───+───+───+───O",
        "+═══+───+───+───+",
        "O───+───+───+───+",
    ]


def test_examples_of_moves_are_those_of_the_kernels() -> None:
    """The page's count of places, and its lists, against a position that is played."""
    for changes in ({}, {"/board/center_rail": True}, {"/board/camp_rail": True}, FEW_RAILS):
        position = Position(GAME, BASE.override(changes))
        for letter in "15":
            position.read(f"w{letter}@A6 wF@B1 bF@D12 b9@E12 turn=w quiet=0")
            names = {GAME.view.action_text(position.record, a)[3:] for a in position.legal()}
            assert names == reach(document(changes), "A6", engineer=letter == "1")


def test_clues_name_nobody_who_cannot_have_been_there() -> None:
    """A flag that is attacked ends the game, and mines and flags attack nobody."""
    clues = facts(document())["clues"]
    assert all("flag" not in clue.attacked for clue in clues)
    assert all({"mine", "flag"}.isdisjoint(clue.defended) for clue in clues)
