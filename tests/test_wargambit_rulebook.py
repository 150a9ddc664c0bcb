"""What the rulebook of Wargambit says about its shop, moves, ghost and battles."""

from typing import Any, cast, get_args

import pytest

from lab.catalog import load_game, load_rules
from lab.games.wargambit.fen import LETTERS
from lab.games.wargambit.rulebook import damages, facts, haunt, odds, way
from lab.games.wargambit.rules import PIECES, Moves, Wargambit
from lab.report.rulebook import rulebook
from tests.test_rulebook import assert_tidy

GAME = load_game("wargambit")
BASE = load_rules("wargambit", "1.0")

GOLDEN = {
    "en": [
        "You begin with 20 HP",
        "| Round | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |",
        "| Income | 4 | 5 | 6 | 7 | 8 | 8 | 8 | 8 | 8 | 8 |",
        "| **Lance** | `l` | 2 | 1 | Goes any number of empty squares straight, but only forwards,",
        "| **Scout** | `a` | 2 | 1 | Leaps exactly two squares diagonally, or exactly two squares",
        "only over exactly one piece of either side, a king included",
        "queen, rook, bishop, knight, cannon, scout, lance and pawn.",
        "| Queen | 10 | – | – | 3.4 |",
        "| 4 pawns | The pawns of your front row start 1 rank further ahead |",
        "| 1 pawn, 1 knight, 1 bishop, 1 rook, 1 queen | 2 more gold at the start of each round |",
        "| 1 cannon, 2 lances | 1 free pawn in each battle |",
        "| 8 | 0 | 69 | 7 queens, 1 rook, 1 pawn |",
        "round by round: 0, 0, 1, 11, 22, 33, 44, 70, 78, 86 gold.",
        "You move first.",
        "By value if it has nothing but its king, else a draw |",
        "| **Repetition** | The same position has stood 2 times. | By value |",
        "| 3 | 5 |\n| 6 | 8 |\n| 11 | 8 |",
        f"`wargambit/1.0.json` · version **1.0** · fingerprint `{BASE.fingerprint}`",
    ],
    "ko": [
        "HP 20으로 시작합니다.",
        "| 수입 | 4 | 5 | 6 | 7 | 8 | 8 | 8 | 8 | 8 | 8 |",
        "| **돌격창** | `l` | 2 | 1 | 빈칸을 따라 앞으로 곧게 몇 칸이든 갑니다.",
        "| **정찰차** | `a` | 2 | 1 | 대각선으로 꼭 두 칸 또는 가로세로로 꼭 두 칸 뛰어갑니다.",
        "기물을 꼭 하나 뛰어넘습니다.",
        "퀸, 룩, 비숍, 나이트, 전차포, 정찰차, 돌격창, 폰.",
        "| 퀸 | 10 | – | – | 3.4 |",
        "| 폰 4개 | 앞줄의 폰이 1칸 더 앞에서 시작함 |",
        "| 전차포 1개, 돌격창 2개 | 전투마다 덤 폰 1개가 함께 싸움 |",
        "| 8 | 0 | 69 | 퀸 7, 룩 1, 폰 1 |",
        "라운드마다 0, 0, 1, 11, 22, 33, 44, 70, 78, 86입니다.",
        "돌격창, 정찰차, 전차포는 승급하지 않습니다.",
        "| **되풀이** | 같은 국면이 2번째 나옴 | 가치로 |",
        f"`wargambit/1.0.json` · 버전 **1.0** · 지문 `{BASE.fingerprint}`",
    ],
}
SWITCHED: list[tuple[dict[str, Any], str, str]] = [
    ({"/shop/level_from": "next_shop"}, "from the next draw on", "다음에 뽑을 때부터"),
    ({"/shop/weight_follows_price": True}, "A weight is 90 divided", "90을 값으로 나누어"),
    ({"/shop/top_level": 2}, "no shop ever shows a queen", "퀸은 어느 상점에도"),
    ({"/ghost/saving": "literal"}, "It holds back all its gold", "**저축.** 가진 골드를"),
    ({"/ghost/reserve_rounds": 0}, "**It saves** nothing", "**저축.** 하지 않습니다"),
    ({"/ghost/buying": "add"}, "It keeps its army", "군대를 그대로 둡니다"),
    ({"/ghost/tier_every": 3}, "after every 3 rounds", "3라운드가 지날 때마다"),
    ({"/battle/first_move": "ghost"}, "Your opponent moves first", "상대가 먼저 둡니다"),
    ({"/battle/first_move": "lower_value"}, "worth less moves first", "가치가 낮은 쪽이"),
    ({"/battle/first_move": "alternate"}, "first in odd rounds", "홀수 라운드에는"),
    ({"/battle/order": "board"}, "from White's first rank", "백의 첫 줄부터"),
    ({"/battle/stalemate": "value"}, "legal move. | By value |", "수가 없음 | 가치로 |"),
    ({"/battle/stalemate": "draw"}, "legal move. | Draw |", "수가 없음 | 무승부 |"),
    ({"/battle/repetition": "draw"}, "stood 2 times. | Draw |", "2번째 나옴 | 무승부 |"),
    ({"/battle/quiet_limit": 50}, "| **Quiet** | 50 moves in a row", "| **고요** |"),
    ({"/synergies": []}, "no synergies", "시너지가 없습니다"),
    ({"/income/interest_most": 0}, "at most 0", "최대 0골드"),
]
"""Changes, and what the page then says that it did not say before."""
STRANGE = {
    "/run/rounds": 1,
    "/shop/top_level": 1,
    "/army": {"pieces": 1, "pawns": 0},
    "/battle/ply_cap": 1,
    "/battle/quiet_limit": 1,
    "/damage": {"base": 0, "most": 0},
    "/income": {"first": 0, "step": 0, "most": 0, "interest_per": 1, "interest_most": 0},
}


@pytest.fixture(params=["en", "ko"])
def language(request: pytest.FixtureRequest) -> str:
    return cast(str, request.param)


def document(changes: dict[str, Any]) -> Wargambit:
    return cast(Wargambit, BASE.override(changes).document)


def page(language: str, changes: dict[str, Any] | None = None) -> str:
    return rulebook(GAME, BASE.override(changes or {}), language)


def test_the_rulebook_of_1_0_says_what_it_should(language: str) -> None:
    text = page(language)
    assert [line for line in GOLDEN[language] if line not in text] == []


@pytest.mark.parametrize(("changes", "english", "korean"), SWITCHED)
def test_switches_change_the_sentences(
    changes: dict[str, Any], english: str, korean: str, language: str
) -> None:
    said, text = {"en": english, "ko": korean}[language], page(language, changes)
    assert said in text
    assert said not in page(language)
    assert_tidy(text)


def test_numbers_at_their_ends_render_tidily(language: str) -> None:
    assert_tidy(page(language, STRANGE))


def test_every_word_for_moves_has_its_own_sentence(language: str) -> None:
    rows = set()
    for word in get_args(Moves):
        text = page(language, {"/arsenal/lance/moves": word})
        rows.add(next(line for line in text.splitlines() if "`l` |" in line))
        assert_tidy(text)
    assert len(rows) == len(get_args(Moves))


@pytest.mark.parametrize(
    ("word", "leaps", "run", "ahead", "hops"),
    [
        ("K", ["W", "F"], "", False, False),
        ("NAD", ["N", "A", "D"], "", False, False),
        ("fQ", [], "Q", True, False),
        ("BW", ["W"], "B", False, False),
        ("mBcpB", [], "B", False, True),
    ],
)
def test_a_word_is_told_by_its_parts(
    word: str, leaps: list[str], run: str, ahead: bool, hops: bool
) -> None:
    assert way(word) == (leaps, run, ahead, hops)


def test_the_ghost_has_the_gold_of_the_readme() -> None:
    gold = {
        saving: [told.gold for told in haunt(document({}), saving)]
        for saving in ("schedule", "literal")
    }
    assert gold == {
        "schedule": [4, 4, 6, 10, 21, 32, 43, 69, 77, 85],
        "literal": [0, 0, 1, 11, 22, 33, 44, 70, 78, 86],
    }


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"/ghost/saving": "literal"},
        {"/ghost/buying": "add", "/ghost/reserve_step": 2},
        {"/ghost/buying": "add", "/ghost/reserve_most": 40, "/ghost/reserve_step": 30},
        {"/ghost/tier_every": 4},
        {"/ghost/tier_every": 1, "/shop/tier/queen": 5},
        {"/army": {"pieces": 4, "pawns": 2}},
        {"/shop/price/queen": 5, "/shop/price/pawn": 4, "/income/most": 30, "/income/step": 6},
    ],
)
def test_the_ghost_of_the_page_is_the_one_that_is_met(changes: dict[str, Any]) -> None:
    """Its army in each round, read off a position of that round."""
    rules = BASE.override(changes)
    record = GAME.record(rules)
    letters = dict(zip(PIECES, LETTERS, strict=False))
    for number, told in enumerate(facts(cast(Wargambit, rules.document))["ghost"], 1):
        words = [f"{told.army[name]}{letters[name]}" for name in PIECES if name in told.army]
        text = (
            f"chance={0:016x} phase=shop round={number} seat=first opponent=ghost rounds=0"
            " record=- hp=20/0 gold=0/0 level=1/0 shown=1/0 rerolls=0/0 shop=-,-,-/-,-,-"
            f" army=-/{'+'.join(words) or '-'} places=-/-"
        )
        GAME.view.parse(record, text)  # which refuses any other army of the ghost


def test_odds_follow_weights_and_tiers() -> None:
    shares = odds(document({"/shop/weight/pawn": 120}), 1)
    assert shares["pawn"] == 50
    assert shares["queen"] == 0
    assert sum(shares.values()) == pytest.approx(100)


def test_examples_of_damage_end_at_the_most() -> None:
    rules = document({"/damage/base": 1, "/damage/most": 4})
    assert damages(rules) == [(0, 1), (1, 2), (3, 4), (8, 4)]
